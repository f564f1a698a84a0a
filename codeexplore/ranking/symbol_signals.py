"""Signals about single symbols: definition, relation, strength, kind. They order symbols."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from codeexplore.ranking.matching import file_stem
from codeexplore.ranking.pool import Pool
from codeexplore.types import TYPE_KINDS, Symbol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from codeexplore.ranking.fused import LaneShares


class Definition:
    """The definition of the symbol that the question consists of, wherever the lanes ranked it.

    A person who types a name wants to see what it is; its uses outnumber it in every lane. A sentence that mentions a
    name is about something else as often as about the definition, and gets nothing.
    """

    name = "definition"
    structural = False
    grouped = False
    share: Final = 2.0
    elsewhere: Final = 0.8

    def values(self, pool: Pool) -> Mapping[int, float]:
        """The share for the chunk that defines a named symbol.

        Of several that have the name, one in a file of that name comes before others (partial classes, overloads,
        specialisations have one main place), and a type before what else is called so.
        """
        if pool.evidence.plan.kind != "identifier":
            return {}
        given: dict[int, float] = {}
        for position, symbol in self._named(pool).items():
            main = 1.0 if file_stem(symbol.path).lower() == symbol.name.lower() else self.elsewhere
            given[position] = self.share * pool.unit * main * (1.0 if symbol.kind in TYPE_KINDS else 0.9)
        return given

    def reason(self, pool: Pool, position: int) -> str:
        """The name that was matched."""
        return f"defines `{self._named(pool)[position].name}`, which the question names"

    def _named(self, pool: Pool) -> dict[int, Symbol]:
        evidence = pool.evidence
        found: dict[int, Symbol] = {}
        for seed in evidence.plan.seeds:
            chunk_id = evidence.catalog.chunk_id_for(seed.symbol_id) if seed.source != "description" else None
            if chunk_id is not None and evidence.allows(chunk_id):
                found.setdefault(pool.enter(chunk_id), evidence.catalog.symbol(seed.symbol_id))
        return found


class Understood:
    """The symbol that a description was taken to mean stands with the answer about it.

    "What calls the code that loads the session?" is answered by callers of a symbol the person has not seen: without it
    they could not tell whether the answer is about what they meant.
    """

    name = "described symbol"
    structural = True
    grouped = False
    share: Final = 0.6

    def values(self, pool: Pool) -> Mapping[int, float]:
        """The share for the likeliest symbol of a described relation."""
        evidence = pool.evidence
        seed = next((seed for seed in evidence.plan.seeds if seed.source == "description"), None)
        if seed is None or evidence.plan.relation is None:
            return {}
        chunk_id = evidence.catalog.chunk_id_for(seed.symbol_id)
        if chunk_id is None or not evidence.allows(chunk_id):
            return {}
        return {pool.enter(chunk_id): self.share * pool.unit}

    def reason(self, pool: Pool, position: int) -> str:  # noqa: ARG002 — signals are asked alike
        """The description."""
        return f"the likeliest to be meant by “{pool.evidence.plan.description or pool.evidence.plan.text}”"


class InRelation:
    """What stands in the relation that a question asks for comes before what only shares words with it.

    It holds for symbols that the question names: whom a description means is itself in doubt.
    """

    name = "relation"
    structural = True
    grouped = False
    share: Final = 1.0

    def values(self, pool: Pool) -> Mapping[int, float]:
        """The share for every hit of the graph."""
        plan = pool.evidence.plan
        if plan.relation is None or all(seed.source == "description" for seed in plan.seeds):
            return {}
        most = self.share * pool.unit
        reached = (shares.positions.tolist() for shares in pool.fused.lanes if shares.lane == "graph")
        return {position: most for positions in reached for position in positions if position >= 0}

    def reason(self, pool: Pool, position: int) -> str:  # noqa: ARG002 — signals are asked alike
        """The relation."""
        return f"the call graph found it ({pool.evidence.plan.relation})"


class Strength:
    """How far a hit's score is above the other scores of a text lane, which ranks can't say.

    Rank 1 may be far ahead of rank 2, or level with rank 20. The signal adds
    ``0.4 · best fused score · Σ (score − lowest) / (highest − lowest)``, summed over the text lanes that found the hit;
    lowest and highest are those of the lane's ranking. It is min-max fusion (Fox and Shaw 1994) beside the ranks'.
    """

    name = "strength"
    structural = False
    grouped = False
    share: Final = 0.4
    lanes: Final = ("bm25", "embedding")

    def values(self, pool: Pool) -> NDArray[np.float64]:
        """The values of all candidates, by the formula above."""
        given = pool.zeros()
        for shares in pool.fused.lanes:
            inside, low, high = self._range(shares)
            if high > low:
                scale = self.share * pool.unit / (high - low)
                given[shares.positions[inside]] += scale * (shares.scores()[inside] - low)
        return given

    def reason(self, pool: Pool, position: int) -> str:
        """The formula with its numbers."""
        ranges = {shares.lane: self._range(shares)[1:] for shares in pool.fused.lanes if shares.lane in self.lanes}
        told = []
        for each in pool.contributions(position):
            low, high = ranges.get(each.lane, (0.0, 0.0))
            if high > low:
                told.append(f"({each.score:.4g} − {low:.4g})/({high:.4g} − {low:.4g}) in {each.lane}")
        return f"{self.share} · {pool.unit:.4g} (the best fused score) · [{' + '.join(told)}]" if told else ""

    def _range(self, shares: LaneShares) -> tuple[NDArray[np.bool_], float, float]:
        """Which rows of a text lane's ranking are candidates, its lowest score and its highest."""
        inside = shares.positions >= 0
        if shares.lane not in self.lanes or not inside.any():
            return inside, 0.0, 0.0
        scores = shares.scores()[inside]
        return inside, float(scores.min()), float(scores.max())


class Section:
    """Sections of texts come after code: they hold its words, and a question about code wants the code."""

    name = "text section"
    structural = True
    grouped = False
    share: Final = 0.5

    def values(self, pool: Pool) -> NDArray[np.float64]:
        """Minus the share."""
        given = pool.zeros()
        given[pool.evidence.words.columns.sections[pool.rows]] = -self.share * pool.unit
        return given

    def reason(self, pool: Pool, position: int) -> str:  # noqa: ARG002 — signals are asked alike
        """The kind."""
        return "it is a section of a text, not a definition"
