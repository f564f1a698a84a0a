"""Signals about single symbols: relation, definition, name, owner, signature, strength, kind. They order symbols."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from codeexplore.ranking.matching import Asked, Named, file_stem, listed
from codeexplore.ranking.pool import Pool
from codeexplore.types import TYPE_KINDS, Symbol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


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
        return f"the graph answers {pool.evidence.plan.relation} with it"


class NameMatch:
    """Words of the question in the symbol's own name: the shortest description its author could give."""

    name = "name match"
    structural = False
    grouped = False
    share: Final = 0.5

    def values(self, pool: Pool) -> Mapping[int, float]:
        """The share times how much of the name the question says, for each hit whose name it says in part."""
        return dict(enumerate(self.at(pool, range(len(pool)))))

    def most(self, pool: Pool) -> float:
        """What it gives at most."""
        return _covered_at_most(pool.asked, self.share * pool.unit)

    def at(self, pool: Pool, positions: Sequence[int]) -> list[float]:
        """The values of some positions."""
        names = [*map(pool.evidence.words.own_at, pool.rows_of(positions))]
        return _covered(pool.asked, names, self.share * pool.unit)

    def reason(self, pool: Pool, position: int) -> str:
        """The words in common."""
        return _in_common(pool, "", pool.evidence.words.own_at(pool.row(position)))


class OwnerMatch:
    """Words of the question in the name of the type or module that holds the symbol."""

    name = "owner match"
    structural = False
    grouped = False
    share: Final = 0.3

    def values(self, pool: Pool) -> Mapping[int, float]:
        """The share times how much of the owner's name the question says."""
        return dict(enumerate(self.at(pool, range(len(pool)))))

    def most(self, pool: Pool) -> float:
        """What it gives at most."""
        return _covered_at_most(pool.asked, self.share * pool.unit)

    def at(self, pool: Pool, positions: Sequence[int]) -> list[float]:
        """The values of some positions."""
        names = [*map(pool.evidence.words.owner_at, pool.rows_of(positions))]
        return _covered(pool.asked, names, self.share * pool.unit)

    def reason(self, pool: Pool, position: int) -> str:
        """The words in common."""
        return _in_common(pool, "it belongs to ", pool.evidence.words.owner_at(pool.row(position)))


class SignatureMatch:
    """Words of the question in the signature: parameters and types say what a symbol works on."""

    name = "signature match"
    structural = False
    grouped = False
    share: Final = 0.3

    def values(self, pool: Pool) -> Mapping[int, float]:
        """The share times the part of the question's weight that the signature holds."""
        return dict(enumerate(self.at(pool, range(len(pool)))))

    def most(self, pool: Pool) -> float:
        """What it gives at most."""
        return self.share * pool.unit

    def at(self, pool: Pool, positions: Sequence[int]) -> list[float]:
        """The values of some positions."""
        most, share = self.share * pool.unit, pool.asked.share
        found = map(pool.evidence.words.signature_at, pool.rows_of(positions))
        return [0.0 if tokens is None else most * share(tokens) for tokens in found]

    def reason(self, pool: Pool, position: int) -> str:
        """The words in common."""
        held = pool.evidence.words.signature_at(pool.row(position)) or frozenset()
        return f"the signature holds {listed(pool.asked.common(held))}"


class Strength:
    """How far a hit stands above the rest of a text lane, which ranks can't say.

    Rank 1 may be far ahead of rank 2, or level with rank 20.
    """

    name = "strength"
    structural = False
    grouped = False
    share: Final = 0.4
    lanes: Final = ("bm25", "embedding")

    def values(self, pool: Pool) -> NDArray[np.float64]:
        """For each text lane, the share times the hit's score, scaled to 0–1 between the lane's last and its best."""
        given = pool.zeros()
        for lane in self.lanes:
            for shares in pool.fused.lanes:
                inside = shares.positions >= 0
                if shares.lane == lane and inside.any():
                    scores = shares.scores()[inside]
                    low, high = float(scores.min()), float(scores.max())
                    scale = self.share * pool.unit / (high - low) if high > low else 0.0
                    given[shares.positions[inside]] += scale * (scores - low)
        return given

    def reason(self, pool: Pool, position: int) -> str:
        """The scores."""
        told = [f"{c.score:.3g} in {c.lane}" for c in pool.contributions(position) if c.lane in self.lanes]
        return f"it scores {' and '.join(told)}"


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


# --------------------------------------------------------------------------- matching names


def _covered(asked: Asked, names: Sequence[Named | None], most: float) -> list[float]:
    """How much of each name the question says, times `most`, as if every name had one part more than it has.

    A name of one part would else be said in full by any question with that word: ``get`` by “get the user”.
    """
    tokens = asked.tokens
    return [
        0.0 if name is None or not (held := len(name.parts & tokens)) else most * held / (len(name.parts) + 1)
        for name in names
    ]


def _covered_at_most(asked: Asked, most: float) -> float:
    """The largest value of `_covered`: that of a name which consists of the question's words."""
    return most * len(asked.tokens) / (len(asked.tokens) + 1)


def _in_common(pool: Pool, what: str, name: Named | None) -> str:
    if name is None:
        return ""
    return f"{what}`{name.name}`{', which' if what else ''} holds {listed(pool.asked.common(name.tokens))}"
