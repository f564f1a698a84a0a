"""Re-ranking signals: reasons about a symbol, about the words it shares with the question, and about its file.

A file's name and the agreement of its symbols decide the file, not the symbol in it: they apply to answers grouped by
file, and raise each file's best symbol. `SIGNALS`, at the end, lists all signals in their order.
"""

from __future__ import annotations

import posixpath
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from codeexplore.file_roles import PathRole, path_role
from codeexplore.search.ranking.candidates import Asked, Evidence, Named, Pool, Words, file_stem, listed, named
from codeexplore.search.ranking.rerank import Signal
from codeexplore.types import TYPE_KINDS, Symbol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from codeexplore.search.ranking.fusion import LaneShares


ROLE_WORDS: Final[Mapping[PathRole, frozenset[str]]] = {
    "test": frozenset({"test", "tests", "testing", "spec", "specs", "fixture", "fixtures", "mock", "mocks"}),
    "example": frozenset({"example", "examples", "demo", "demos", "sample", "samples", "tutorial"}),
    "benchmark": frozenset({"benchmark", "benchmarks", "bench", "performance"}),
    "generated": frozenset({"generated", "protobuf"}),
    "vendored": frozenset({"vendor", "vendored"}),
    "compat": frozenset({"compat", "compatibility", "legacy", "deprecated", "shim", "polyfill"}),
    "docs": frozenset({"doc", "docs", "documentation", "readme", "changelog", "guide", "tutorial"}),
}


def unasked_roles(question: str) -> frozenset[PathRole]:
    """Return the roles that a question does not speak of."""
    words = {word.strip("?.!,;:()\"'`").lower() for word in question.split()}
    return frozenset(role for role, names in ROLE_WORDS.items() if not words & names)


class Role:
    """Tests, examples, benchmarks, generated, vendored and compatibility code are ranked after the code itself.

    They contain the same words as the code they exercise. A question that names them gets them in their place.
    """

    name = "role"
    structural = True
    grouped = False
    share = 0.3

    def values(self, pool: Pool) -> NDArray[np.float64]:
        """Return minus a share of the best score for hits of roles that the question does not ask for."""
        last, given = self._last(pool.evidence), pool.zeros()
        given[pool.evidence.words.columns.has_role(pool.rows, last)] = -self.share * pool.unit
        return given

    def reason(self, pool: Pool, position: int) -> str:
        """Return the purpose of the file."""
        role = path_role(pool.path(position))
        return f"the file is of the kind “{role}”, which the question does not ask for"

    def _last(self, evidence: Evidence) -> frozenset[PathRole]:
        """Return the roles that are ranked last."""
        asked = frozenset(ROLE_WORDS) - unasked_roles(evidence.question)
        if evidence.plan.kind == "related":  # the symbols most similar to a test are tests
            symbols = [evidence.catalog.symbol(seed.symbol_id) for seed in evidence.plan.seeds]
            asked |= {path_role(symbol.path) for symbol in symbols}
        return frozenset(ROLE_WORDS) - asked - {"docs"}


class FileName:
    """Words of the question in the file's name: files are named for their content. For each file's best hit."""

    name = "file name"
    structural = False
    grouped = True
    cover: Final = 0.6

    def values(self, pool: Pool) -> Mapping[int, float]:
        """Return the signal's share times the part of the file's name that the question contains."""
        given = {}
        for path, position in pool.best_of_files().items():
            value = pool.asked.cover(named(file_stem(path)).parts)
            if value:
                given[position] = self.cover * pool.unit * value
        return given

    def reason(self, pool: Pool, position: int) -> str:
        """Return the words in common."""
        name = named(file_stem(pool.path(position)))
        shared = listed(pool.asked.words_in(pool.evidence.question, name.tokens))
        return f"the file's name contains the question's “{shared}”"


class FileText:
    """BM25 of the whole file: words of the question may be spread over many of its symbols. For each file's best hit.

    The signal adds ``0.15 · best fused score · (score − lowest) / (highest − lowest)`` over the candidates' files.
    """

    name = "file text"
    structural = False
    grouped = True
    share: Final = 0.15

    def values(self, pool: Pool) -> Mapping[int, float]:
        """Return the values of the best hits, by the formula above."""
        found = {path: score for path, (score, _) in pool.file_words.items()}
        low, high = min(found.values(), default=0.0), max(found.values(), default=0.0)
        if high <= low:
            return {}
        scale = self.share * pool.unit / (high - low)
        return {at: scale * (found[path] - low) for path, at in pool.best_of_files().items() if path in found}

    def reason(self, pool: Pool, position: int) -> str:
        """Return the formula with its numbers."""
        scores = [score for score, _ in pool.file_words.values()]
        score, low, high = pool.file_words[pool.path(position)][0], min(scores), max(scores)
        share = f"{self.share} · {pool.unit:.4g} (the best fused score)"
        return f"{share} · ({score:.4g} − {low:.4g})/({high:.4g} − {low:.4g}), BM25 of the whole file"


class FileCoverage:
    """Share of the question's words that the whole file contains, weighted by rarity. For each file's best hit."""

    name = "file coverage"
    structural = False
    grouped = True
    share: Final = 0.1

    def values(self, pool: Pool) -> Mapping[int, float]:
        """Return the signal's share times the part of the question that the file contains."""
        found, most = pool.file_words, self.share * pool.unit
        return {at: most * found[path][1] for path, at in pool.best_of_files().items() if path in found}

    def reason(self, pool: Pool, position: int) -> str:
        """Return the share in percent."""
        contained = pool.file_words[pool.path(position)][1]
        return f"the file contains {contained:.0%} of the question, its rare words counted more"


class FileAgreement:
    """Several hits in one file are evidence for it: a theme's symbols are often together. For the best hit."""

    name = "file agreement"
    structural = False
    grouped = True
    share: Final = 0.4

    def values(self, pool: Pool) -> Mapping[int, float]:
        """Return the signal's share times the file's sum of fused scores over the largest such sum."""
        sums: dict[str, float] = {}
        for path, score in zip(
            pool.paths, pool.fused.scores.tolist(), strict=False
        ):  # candidates that signals added are after these
            sums[path] = sums.get(path, 0.0) + score
        top = max(sums.values(), default=0.0)
        if top <= 0.0:
            return {}
        best = pool.best_of_files()
        return {best[path]: self.share * pool.unit * total / top for path, total in sums.items()}

    def reason(self, pool: Pool, position: int) -> str:
        """Return the number of hits that agree."""
        path = pool.path(position)
        count = pool.paths[: len(pool.fused)].count(path)
        return f"{count} candidates are in {posixpath.basename(path)}"


_NameOf: TypeAlias = "Callable[[int], Named | None]"
"""The name that counts for the chunk in a row."""


class _WordMatch(ABC):
    """Adds to each hit at most its share, for the words of the question that a part of its symbol contains."""

    structural = False
    grouped = False
    share: float

    def values(self, pool: Pool) -> Mapping[int, float]:
        """Return the share times the part that is matched, for each hit."""
        return dict(enumerate(self.at(pool, range(len(pool)))))

    def most(self, pool: Pool) -> float:
        """Return the most that it adds."""
        return self.share * pool.unit

    @abstractmethod
    def at(self, pool: Pool, positions: Sequence[int]) -> list[float]:
        """Return the values of some positions."""


class _NamedMatch(_WordMatch):
    """Counts the part of a name that the question contains, as if every name had one part more than it has.

    Otherwise any question with the one word of a name would match it in full: ``get`` by “get the user”.
    """

    whose = ""  # words before the name, where it is not the symbol's own

    @abstractmethod
    def name_of(self, words: Words) -> _NameOf:
        """Return the function row of a chunk → name."""

    def most(self, pool: Pool) -> float:
        """Return the most that it adds: to a name that consists of the question's words."""
        asked = len(pool.asked.tokens)
        return self.share * pool.unit * asked / (asked + 1)

    def at(self, pool: Pool, positions: Sequence[int]) -> list[float]:
        """Return the values of some positions."""
        names = map(self.name_of(pool.evidence.words), pool.rows_of(positions))
        return _covered(pool.asked, names, self.share * pool.unit)

    def reason(self, pool: Pool, position: int) -> str:
        """Return the words in common."""
        name = self.name_of(pool.evidence.words)(pool.row(position))
        if name is None:
            return ""
        shared = listed(pool.asked.words_in(pool.evidence.question, name.tokens))
        return f"{self.whose}`{name.name}`{', which' if self.whose else ''} contains the question's “{shared}”"


class NameMatch(_NamedMatch):
    """Words of the question in the symbol's own name: the shortest description its author could give."""

    name = "name match"
    share = 0.5

    def name_of(self, words: Words) -> _NameOf:
        """Return the symbol's own name."""
        return words.own_at


class OwnerMatch(_NamedMatch):
    """Words of the question in the name of the symbol's owner, a type or module."""

    name = "owner match"
    share = 0.3
    whose = "it belongs to "

    def name_of(self, words: Words) -> _NameOf:
        """Return the owner's name."""
        return words.owner_at


class SignatureMatch(_WordMatch):
    """Words of the question in the signature: parameters and types describe the data of a symbol.

    It counts the part of the question's weight that the signature contains.
    """

    name = "signature match"
    share = 0.3

    def at(self, pool: Pool, positions: Sequence[int]) -> list[float]:
        """Return the values of some positions."""
        most, share = self.share * pool.unit, pool.asked.share
        found = map(pool.evidence.words.signature_at, pool.rows_of(positions))
        return [0.0 if tokens is None else most * share(tokens) for tokens in found]

    def reason(self, pool: Pool, position: int) -> str:
        """Return the words in common."""
        held = pool.evidence.words.signature_at(pool.row(position)) or frozenset()
        return f"the signature contains the question's “{listed(pool.asked.words_in(pool.evidence.question, held))}”"


def _covered(asked: Asked, names: Iterable[Named | None], most: float) -> list[float]:
    tokens = asked.tokens
    return [
        0.0 if name is None or not (held := len(name.parts & tokens)) else most * held / (len(name.parts) + 1)
        for name in names
    ]


class Definition:
    """The definition of the symbol that the question consists of, wherever the lanes ranked it.

    A person who types a name wants its definition; its uses outnumber it in every lane. A sentence that mentions a name
    is about something else as often as about the definition, and gets nothing.
    """

    name = "definition"
    structural = False
    grouped = False
    share: Final = 2.0
    elsewhere: Final = 0.8

    def values(self, pool: Pool) -> Mapping[int, float]:
        """Return the share for the chunk that defines a named symbol.

        Of several that have the name, one in a file of that name is before others (partial classes, overloads,
        specialisations have one main place), and a type before other definitions of the name.
        """
        if pool.evidence.plan.kind != "identifier":
            return {}
        given: dict[int, float] = {}
        for position, symbol in self._named(pool).items():
            main = 1.0 if file_stem(symbol.path).lower() == symbol.name.lower() else self.elsewhere
            given[position] = self.share * pool.unit * main * (1.0 if symbol.kind in TYPE_KINDS else 0.9)
        return given

    def reason(self, pool: Pool, position: int) -> str:
        """Return the name that was matched."""
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
    """The symbol that a description was taken to mean, shown with the answer about it.

    "What calls the code that loads the session?" is answered by callers of a symbol the person has not seen: without it
    they could not decide if the answer is about the symbol they meant.
    """

    name = "described symbol"
    structural = True
    grouped = False
    share: Final = 0.6

    def values(self, pool: Pool) -> Mapping[int, float]:
        """Return the share for the likeliest symbol of a described relation."""
        evidence = pool.evidence
        seed = next((seed for seed in evidence.plan.seeds if seed.source == "description"), None)
        if seed is None or evidence.plan.relation is None:
            return {}
        chunk_id = evidence.catalog.chunk_id_for(seed.symbol_id)
        if chunk_id is None or not evidence.allows(chunk_id):
            return {}
        return {pool.enter(chunk_id): self.share * pool.unit}

    def reason(self, pool: Pool, position: int) -> str:  # noqa: ARG002 — signals are asked alike
        """Return the description."""
        return f"the likeliest to be meant by “{pool.evidence.plan.description or pool.evidence.plan.text}”"


class InRelation:
    """Symbols in the relation that a question asks for, ranked before symbols that only share words with it.

    It applies to symbols that the question names: the symbol of a description is itself in doubt.
    """

    name = "relation"
    structural = True
    grouped = False
    share: Final = 1.0

    def values(self, pool: Pool) -> Mapping[int, float]:
        """Return the share for every hit of the graph."""
        plan = pool.evidence.plan
        if plan.relation is None or all(seed.source == "description" for seed in plan.seeds):
            return {}
        most = self.share * pool.unit
        reached = (shares.positions.tolist() for shares in pool.fused.lanes if shares.lane == "graph")
        return {position: most for positions in reached for position in positions if position >= 0}

    def reason(self, pool: Pool, position: int) -> str:  # noqa: ARG002 — signals are asked alike
        """Return the relation."""
        return f"the call graph found it ({pool.evidence.plan.relation})"


class Strength:
    """Distance of a hit's score from the other scores of a text lane, which ranks do not contain.

    Rank 1 may be far ahead of rank 2, or level with rank 20. The signal adds
    ``0.4 · best fused score · Σ (score − lowest) / (highest − lowest)``, summed over the text lanes that found the hit;
    lowest and highest are those of the lane's ranking. It is min-max fusion (Fox and Shaw 1994) beside rank fusion.
    """

    name = "strength"
    structural = False
    grouped = False
    share = 0.4
    lanes: tuple[str, ...] = ("bm25", "embedding")

    def values(self, pool: Pool) -> NDArray[np.float64]:
        """Return the values of all candidates, by the formula above."""
        given = pool.zeros()
        for shares in pool.fused.lanes:
            inside, low, high = self._range(shares)
            if high > low:
                scale = self.share * pool.unit / (high - low)
                given[shares.positions[inside]] += scale * (shares.scores()[inside] - low)
        return given

    def reason(self, pool: Pool, position: int) -> str:
        """Return the formula with its numbers."""
        ranges = {shares.lane: self._range(shares)[1:] for shares in pool.fused.lanes if shares.lane in self.lanes}
        told = []
        for each in pool.contributions(position):
            low, high = ranges.get(each.lane, (0.0, 0.0))
            if high > low:
                told.append(f"({each.score:.4g} − {low:.4g})/({high:.4g} − {low:.4g}) in {each.lane}")
        return f"{self.share:g} · {pool.unit:.4g} (the best fused score) · [{' + '.join(told)}]" if told else ""

    def _range(self, shares: LaneShares) -> tuple[NDArray[np.bool_], float, float]:
        """Return a mask of the rows of a text lane's ranking that are candidates, its lowest score and its highest."""
        inside = shares.positions >= 0
        if shares.lane not in self.lanes or not inside.any():
            return inside, 0.0, 0.0
        scores = shares.scores()[inside]
        return inside, float(scores.min()), float(scores.max())


class Section:
    """Sections of texts are ranked after code: they contain its words, and a question about code wants the code."""

    name = "text section"
    structural = True
    grouped = False
    share = 0.5

    def values(self, pool: Pool) -> NDArray[np.float64]:
        """Return minus the share."""
        given = pool.zeros()
        given[pool.evidence.words.columns.sections[pool.rows]] = -self.share * pool.unit
        return given

    def reason(self, pool: Pool, position: int) -> str:  # noqa: ARG002 — signals are asked alike
        """Return the kind."""
        return "it is a section of a text, not a definition"


class ReportRole(Role):
    """Tests, examples and the like are ranked after the code itself: a report is about a fault in code.

    A report whose title speaks of tests gets them in their place. Documents are ranked last in the same way.
    """

    share = 1.0

    def _last(self, evidence: Evidence) -> frozenset[PathRole]:
        """Return the roles that are ranked last."""
        return unasked_roles(evidence.question)


class ReportSection(Section):
    """Sections of texts are ranked after code, further than for a question: a report is about a fault in code."""

    share = 1.0


class PartStrength(Strength):
    """The same as for questions, over the ranking by all words of a report: it alone is sure enough of its scores."""

    lanes = ("whole-bm25",)


SIGNALS: Final[tuple[Signal, ...]] = (
    InRelation(),
    NameMatch(),
    OwnerMatch(),
    SignatureMatch(),
    Strength(),
    Section(),
    Role(),
    Definition(),
    Understood(),
    FileName(),
    FileText(),
    FileCoverage(),
    FileAgreement(),
)
"""Every signal in the order in which it is applied: those about files last, when each file's best symbol is known."""

REPORT_SIGNALS: Final[tuple[Signal, ...]] = (
    NameMatch(),
    OwnerMatch(),
    PartStrength(),
    ReportRole(),
    ReportSection(),
    FileName(),
    FileAgreement(),
)
"""The signals of bug reports, in their order; words of the question are those of the report's title."""


def report_signals(signals: Sequence[Signal]) -> tuple[Signal, ...]:
    """Return the signals of bug reports that go with the signals of questions: those of the user's are kept."""
    usual = {signal.name for signal in SIGNALS}
    kept = {signal.name for signal in signals}
    own = [signal for signal in signals if signal.name not in usual]
    return (*(signal for signal in REPORT_SIGNALS if signal.name in kept), *own)
