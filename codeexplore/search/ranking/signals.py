"""Re-ranking signals, and their order for questions and for bug reports.

`Role` and `Section` rank last the files that a question rarely asks for. Signals about whole files, except
`FileCoverage`, decide the rank of a file, not of a symbol in it. Therefore they apply to answers grouped by file, and
raise the best hit of each file. A signal about a symbol looks at its words, its definition, its relation, and its
scores in the lanes.

Each has a *share*: the largest value that it can add, as a share of the best fused score. To add one, write a class and
give it its place in `SIGNALS`.
"""

from __future__ import annotations

import math
import posixpath
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from codeexplore.languages.file_roles import PathRole
from codeexplore.search.ranking.rerank import Evidence, Pool, Signal, file_stem, named
from codeexplore.types import TYPE_KINDS, Seed, Symbol

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from codeexplore.search.ranking.fusion import LaneShares
    from codeexplore.search.ranking.rerank import Around


_RESOURCE_WORDS: Final = (
    "yaml yml toml json ini xml sql html css scss stylesheet config configuration configured template templates markup "
    "dockerfile docker makefile terraform proto protobuf graphql ci workflow manifest"
)
ROLE_WORDS: Final[Mapping[PathRole, frozenset[str]]] = {
    "test": frozenset({"test", "tests", "testing", "spec", "specs", "fixture", "fixtures", "mock", "mocks"}),
    "example": frozenset({"example", "examples", "demo", "demos", "sample", "samples", "tutorial"}),
    "benchmark": frozenset({"benchmark", "benchmarks", "bench", "performance"}),
    "generated": frozenset({"generated", "protobuf"}),
    "vendored": frozenset({"vendor", "vendored"}),
    "migration": frozenset({"migration", "migrations", "migrate", "migrated", "schema", "table", "column"}),
    "compat": frozenset({"compat", "compatibility", "legacy", "deprecated", "shim", "polyfill"}),
    "resource": frozenset(_RESOURCE_WORDS.split()),
    "docs": frozenset({"doc", "docs", "documentation", "readme", "changelog", "guide", "tutorial"}),
}


def unasked_roles(question: str) -> frozenset[PathRole]:
    """Return the roles of files that a question does not mention."""
    words = _words_of(question)
    return frozenset(role for role, names in ROLE_WORDS.items() if not words & names)


def _words_of(question: str) -> set[str]:
    """Return the words of a question in lower case, without punctuation around them."""
    return {word.strip("?.!,;:()\"'`").lower() for word in question.split()}


class Role(Signal):
    """Signal that ranks tests, examples, generated code and similar files last, because few questions ask for them.

    Tests, examples and benchmarks contain the same words as the code that they exercise, vendored copies are other
    projects, and migrations of a database are its history: they lose most. Generated and compatibility code is part of
    the program and loses less. In questions about a relation or a similarity all lose less, because a test that calls a
    symbol is one of its callers. A role that the question mentions loses nothing.
    """

    name = "role"
    structural = True
    share: Final = 1.0
    part_share: Final = 0.3
    apart: Final[frozenset[PathRole]] = frozenset({"test", "example", "benchmark", "vendored", "migration"})
    part: Final[frozenset[PathRole]] = frozenset({"generated", "compat"})

    def values(self, pool: Pool) -> NDArray[np.float64]:
        columns, plan = pool.evidence.words.columns, pool.evidence.plan
        asked, rows, given = self._asked(pool.evidence), pool.rows, pool.zeros()
        in_words = plan.relation is None and plan.kind != "related"
        given[columns.has_role(rows, self.apart - asked)] = -(self.share if in_words else self.part_share) * pool.unit
        given[columns.has_role(rows, self.part - asked)] = -self.part_share * pool.unit
        return given

    def reason(self, pool: Pool, position: int) -> str:
        inline = pool.evidence.catalog.inline_tests[pool.row(position)]
        role = "test" if inline else pool.evidence.catalog.roles.of(pool.path(position))
        return f"it is {role} code, not asked for"

    def _asked(self, evidence: Evidence) -> frozenset[PathRole]:
        asked = frozenset(ROLE_WORDS) - unasked_roles(evidence.question)
        if evidence.plan.kind == "related":  # the symbols most similar to a test are tests
            symbols = [evidence.catalog.symbol(seed.symbol_id) for seed in evidence.plan.seeds]
            asked |= {evidence.catalog.roles.of(symbol.path) for symbol in symbols}
        return asked


class ReportRole(Role):
    """Signal of bug reports that ranks tests, examples and similar files last, because a fault is in code.

    Documents are ranked last too. If the title of a report mentions tests, tests lose nothing.
    """

    def values(self, pool: Pool) -> NDArray[np.float64]:
        last, given = unasked_roles(pool.evidence.question), pool.zeros()
        given[pool.evidence.words.columns.has_role(pool.rows, last)] = -self.share * pool.unit
        return given


class Section(Signal):
    """Signal that ranks texts after code.

    Texts contain the words of the code, and a question about code asks for the code. A text loses the best score of the
    pool, or half of it if the question mentions documents. Other files that are not code, such as templates and
    configuration, lose nothing if the question mentions such files.
    """

    name = "text section"
    structural = True
    share: Final = 1.0
    asked_share: Final = 0.5

    def values(self, pool: Pool) -> NDArray[np.float64]:
        given, columns, unasked = pool.zeros(), pool.evidence.words.columns, unasked_roles(pool.evidence.question)
        last = columns.texts[pool.rows]
        if "resource" not in unasked:
            last &= ~columns.has_role(pool.rows, {"resource"})
        given[last] = -(self.share if "docs" in unasked else self.asked_share) * pool.unit
        return given

    def reason(self, pool: Pool, position: int) -> str:
        if pool.evidence.catalog.roles.of(pool.path(position)) == "resource":
            return "the file is not code, and the question does not mention such files"
        return "it is part of a text, not a definition"


class OutsideDefinitions(Signal):
    """Signal that ranks the lines of a file outside its definitions last, such as its imports and its first comment.

    They contain the words of everything that the file is about, and seldom the place that a description means. A
    question that is a name may name the file's module, which loses nothing then.
    """

    name = "outside definitions"
    share: Final = 1.0

    def values(self, pool: Pool) -> NDArray[np.float64]:
        given = pool.zeros()
        if pool.evidence.plan.kind != "identifier":
            given[pool.evidence.words.columns.outside[pool.rows]] = -self.share * pool.unit
        return given

    def reason(self, pool: Pool, position: int) -> str:  # noqa: ARG002 — signals are asked alike
        return "lines outside of definitions, which a description seldom means"


class FileCoverage(Signal):
    """Share of the question's words that the whole file contains, weighted by rarity.

    A symbol is described by what is around it too: of two with the same words, the one in a file about the rest of the
    question is meant. All hits of a file get the same.
    """

    name = "file coverage"
    share: Final = 0.4

    def values(self, pool: Pool) -> NDArray[np.float64]:
        found, files = pool.contained, pool.evidence.words.columns.numbers[pool.rows]
        return pool.zeros() if found is None else self.share * pool.unit * found[files]

    def reason(self, pool: Pool, position: int) -> str:
        contained = pool.contained_in_file(position)
        asked = "question and the added words" if pool.evidence.plan.added else "question"
        return (
            f"{pool.part(self.share)} · {contained:.4g}, the part of the {asked} that the file contains, rare words "
            "counted more"
        )


class FileName(Signal):
    """Signal for words of the question in the name of the file. It raises the file's best hit.

    A common word is the name of many files (``model``, ``types``). Therefore the name counts more if the file contains
    more of the question: ``0.7 · best fused score · cover · √contained``, where *cover* is the part of the name that
    the question contains, and *contained* the part of the question, weighted by rarity, that the file contains.
    """

    name = "file name"
    grouped = True
    share: Final = 0.7

    def values(self, pool: Pool) -> Mapping[int, float]:
        given = {}
        for path, position in pool.best_of_files().items():
            parts = named(file_stem(path)).parts
            if held := len(parts & pool.asked):
                cover = held / len(parts)
                given[position] = self.share * pool.unit * cover * math.sqrt(pool.contained_in_file(position))
        return given

    def reason(self, pool: Pool, position: int) -> str:
        path = pool.path(position)
        name, contained = named(file_stem(path)), pool.contained_in_file(position)
        formula = f"{pool.part(self.share)} · {len(name.parts & pool.asked)}/{len(name.parts)} · √{contained:.4g}"
        told = pool.told(name.tokens)
        return f"the file's name contains {told}, and the file {contained:.0%} of the question: {formula}"


class FileAgreement(Signal):
    """Signal for several hits in one file, because the symbols of one theme are often together.

    The best hit gets ``0.4 · best fused score · sum / largest sum``, with the sums of the fused scores of the files.
    """

    name = "file agreement"
    grouped = True
    share: Final = 0.4

    def values(self, pool: Pool) -> Mapping[int, float]:
        sums: dict[str, float] = {}
        scores = pool.fused.scores.tolist()
        for path, score in zip(pool.paths, scores, strict=False):  # candidates that signals added are after these
            sums[path] = sums.get(path, 0.0) + score
        top = max(sums.values(), default=0.0)
        if top <= 0.0:
            return {}
        best = pool.best_of_files()
        return {best[path]: self.share * pool.unit * total / top for path, total in sums.items()}

    def reason(self, pool: Pool, position: int) -> str:
        path = pool.path(position)
        count = pool.paths[: len(pool.fused)].count(path)
        return f"{count} candidates are in {posixpath.basename(path)}"


class _NamedMatch(Signal):
    """Signal for the part of a name that the question contains. Each name counts as if it had one more part.

    Otherwise a name of one word would be matched in full by any question with this word: ``get`` by “get the user”.

    Where the question's words are not those of the code, it adds half, and only to the first candidate of each name.
    There, the words that a name shares with the question are often everyday words ("how do I *leave* a *folder* out?")
    and no terms of the code; five types with a method of such a name are no more evidence than one.
    """

    share: float
    which = 0  # of the names that `Words.names_at` returns: the symbol's own, or its owner's
    whose = ""  # words before the name, where it is not the symbol's own

    def values(self, pool: Pool) -> Mapping[int, float]:
        plain, asked = pool.evidence.plain, pool.asked
        most, given, credited = self.share * pool.unit * (0.5 if plain else 1.0), {}, set[str]()
        for position, names in enumerate(map(pool.evidence.words.names_at, pool.rows.tolist())):
            name = names[self.which]
            if name is not None and (held := len(name.parts & asked)) and not (plain and name.name in credited):
                credited.add(name.name)
                given[position] = most * held / (len(name.parts) + 1)
        return given

    def reason(self, pool: Pool, position: int) -> str:
        name = pool.evidence.words.names_at(pool.row(position))[self.which]
        if name is None:
            return ""
        held, count = len(name.parts & pool.asked), len(name.parts)
        formula = f"{pool.part(self.share)}{' · 0.5' if pool.evidence.plain else ''} · {held}/({count} + 1)"
        which, parts = ", which" if self.whose else "", f"{held} of its {count} part{'s' if count > 1 else ''}"
        return f"{self.whose}`{name.name}`{which} contains {pool.told(name.tokens)}, {parts}: {formula}"


class NameMatch(_NamedMatch):
    """Signal for words of the question in the symbol's own name, which is the shortest description by its author."""

    name = "name match"
    share = 0.5


class OwnerMatch(_NamedMatch):
    """Signal for words of the question in the name of the symbol's owner, a type or module."""

    name = "owner match"
    share = 0.3
    which = 1
    whose = "it belongs to "


class Definition(Signal):
    """Signal for the definition of the symbol whose name is the whole question, even if the lanes rank it low.

    A user who types a name wants its definition, but in every lane there are more uses than definitions. A sentence
    that mentions a name is often about something else, so its definition gets nothing.
    """

    name = "definition"
    share: Final = 2.0
    elsewhere: Final = 0.8

    def values(self, pool: Pool) -> Mapping[int, float]:
        """Return the share for the chunk that defines a symbol with the name in the question.

        If several symbols have the name, the value follows the weights of their seeds. Among equals, a definition in a
        file of this name is preferred, because partial classes, overloads and specialisations have one main place. A
        type is preferred to other definitions.
        """
        if pool.evidence.plan.kind != "identifier":
            return {}
        given: dict[int, float] = {}
        named = self._named(pool)
        most: dict[str, float] = {}
        for _, seed in named.values():
            most[seed.reason] = max(seed.weight, most.get(seed.reason, 0.0))
        for position, (symbol, seed) in named.items():
            main = 1.0 if file_stem(symbol.path).lower() == symbol.name.lower() else self.elsewhere
            likely = seed.weight / most[seed.reason]
            given[position] = self.share * pool.unit * main * likely * (1.0 if symbol.kind in TYPE_KINDS else 0.9)
        return given

    def reason(self, pool: Pool, position: int) -> str:
        (symbol, seed), plan = self._named(pool)[position], pool.evidence.plan
        alike = sum(each.reason == seed.reason and each.source != "description" for each in plan.seeds)
        more = f"; one of {alike} definitions of this name" if alike > 1 else ""
        named = "which the question names" if symbol.name in plan.text else "which has the name in the question too"
        return f"defines `{symbol.name}`, {named}{more}"

    def _named(self, pool: Pool) -> dict[int, tuple[Symbol, Seed]]:
        evidence = pool.evidence
        found: dict[int, tuple[Symbol, Seed]] = {}
        for seed in evidence.plan.seeds:
            chunk_id = evidence.catalog.chunk_id_for(seed.symbol_id) if seed.source != "description" else None
            if chunk_id is not None and evidence.allows(chunk_id):
                found.setdefault(pool.enter(chunk_id), (evidence.catalog.symbol(seed.symbol_id), seed))
        return found


class Understood(Signal):
    """Signal for the symbol that a description was taken to mean. It is shown together with the answer.

    "What calls the code that loads the session?" is answered by callers of a symbol that the user has not seen. Without
    it, the user could not decide if the answer is about the right symbol.
    """

    name = "described symbol"
    structural = True
    share: Final = 0.6

    def values(self, pool: Pool) -> Mapping[int, float]:
        evidence = pool.evidence
        seed = next((seed for seed in evidence.plan.seeds if seed.source == "description"), None)
        if seed is None or evidence.plan.relation is None:
            return {}
        chunk_id = evidence.catalog.chunk_id_for(seed.symbol_id)
        if chunk_id is None or not evidence.allows(chunk_id):
            return {}
        return {pool.enter(chunk_id): self.share * pool.unit}

    def reason(self, pool: Pool, position: int) -> str:  # noqa: ARG002 — signals are asked alike
        return f"the likeliest to be meant by “{pool.evidence.plan.description or pool.evidence.plan.text}”"


class InRelation(Signal):
    """Signal that ranks symbols with the requested relation before symbols that only share words with the question.

    It applies if the question names its symbol. If the question describes the symbol, it is not certain which symbol is
    meant.
    """

    name = "relation"
    structural = True
    share: Final = 1.0

    def values(self, pool: Pool) -> Mapping[int, float]:
        plan = pool.evidence.plan
        if plan.relation is None or all(seed.source == "description" for seed in plan.seeds):
            return {}
        most = self.share * pool.unit
        reached = (shares.positions.tolist() for shares in pool.fused.lanes if shares.lane == "graph")
        return {position: most for positions in reached for position in positions if position >= 0}

    def reason(self, pool: Pool, position: int) -> str:  # noqa: ARG002 — signals are asked alike
        return f"the call graph found it ({pool.evidence.plan.relation})"


class Strength(Signal):
    """Signal for how far the score of a hit is above the other scores of a text lane, which ranks do not contain.

    The score of rank 1 may be far above that of rank 2, or nearly equal to that of rank 20. The signal adds ``0.4 ·
    best fused score · Σ (score − lowest) / (highest − lowest)``, summed over the text lanes that found the hit; lowest
    and highest are those of the lane's ranking. It is min-max fusion (Fox and Shaw 1994) beside rank fusion.

    Where the question's words are not those of the code, it adds nothing; see `TellingWords`.
    """

    name = "strength"
    share = 0.4
    lanes: tuple[str, ...] = ("bm25", "embedding")

    def values(self, pool: Pool) -> NDArray[np.float64]:
        given = pool.zeros()
        for shares in () if pool.evidence.plain else pool.fused.lanes:
            inside, low, high = self._range(shares)
            if high > low:
                scale = self.share * pool.unit / (high - low)
                given[shares.positions[inside]] += scale * (shares.scores[inside] - low)
        return given

    def reason(self, pool: Pool, position: int) -> str:
        ranges = {shares.lane: self._range(shares)[1:] for shares in pool.fused.lanes if shares.lane in self.lanes}
        told = []
        for each in pool.contributions(position):
            low, high = ranges.get(each.lane, (0.0, 0.0))
            if high > low:
                told.append(f"({each.score:.4g} − {low:.4g})/({high:.4g} − {low:.4g}) in {each.lane}")
        return f"{pool.part(self.share)} · [{' + '.join(told)}]" if told else ""

    def _range(self, shares: LaneShares) -> tuple[NDArray[np.bool_], float, float]:
        """Return a mask of the hits that are candidates, and the lowest and highest score; 0 if not of a text lane."""
        inside = shares.positions >= 0
        if shares.lane not in self.lanes or not inside.any():
            return inside, 0.0, 0.0
        scores = shares.scores[inside]
        return inside, float(scores.min()), float(scores.max())


class TellingWords(Signal):
    """Signal for the BM25 score of the question's words that are no everyday words of English.

    It replaces the signal `Strength` where the question's words are not those of the code: there, an everyday word is
    often the rarest word of the question in code ("throw *away*"), and has the largest part in the lanes' scores.
    """

    name = "telling words"
    share: Final = 0.5

    def values(self, pool: Pool) -> NDArray[np.float64]:
        return self.share * pool.unit * pool.telling / (pool.telling.max(initial=0.0) or 1.0)

    def reason(self, pool: Pool, position: int) -> str:
        scores = pool.telling
        return (
            f"{pool.part(self.share)} · {scores[position]:.4g}/{scores.max():.4g}, BM25 of "
            f"{pool.told(frozenset(pool.telling_words))} / the highest of a candidate"
        )


class PartStrength(Strength):
    """The signal `Strength` for bug reports: of the ranking by all words, whose scores are reliable enough."""

    lanes = ("whole-bm25",)


class _TextAround(Signal):
    """Signal for the BM25 score of a larger text that contains a hit, by all words of the report.

    The signal adds ``share · best share by all words · (score − lowest) / (highest − lowest)`` over the candidates. It
    is left out if the ranking of hits by all words is left out.
    """

    share: ClassVar[float] = 0.8
    around: ClassVar[Around]

    def values(self, pool: Pool) -> NDArray[np.float64]:
        given, most = pool.zeros(), self._share(pool) * _best_by_words(pool)
        if most > 0.0:
            scores = pool.around[self.around]
            low, high = float(scores.min()), float(scores.max())
            if high > low:
                given += most * (scores - low) / (high - low)
        return given

    def reason(self, pool: Pool, position: int) -> str:
        scores = pool.around[self.around]
        low, high = float(scores.min()), float(scores.max())
        share = f"{self._share(pool):g} · {_best_by_words(pool):.4g} (the best share by all words)"
        found = f"({scores[position]:.4g} − {low:.4g})/({high:.4g} − {low:.4g})"
        return f"{share} · {found}, BM25 of the {self.around} by all words"

    def _share(self, pool: Pool) -> float:
        report = pool.evidence.report
        return 0.0 if report is None else self.share * report.around


def _best_by_words(pool: Pool) -> float:
    """Return the largest contribution of the ranking by all words of the report."""
    values = (float(max(lane.values)) for lane in pool.fused.lanes if lane.lane == "whole-bm25" and len(lane.values))
    return next(values, 0.0)


class TitleName(NameMatch):
    """Signal for words of the title in a name. A title describes the symptom, so they count less than a question's."""

    share = 0.35


class TitleOwner(OwnerMatch):
    """Signal for words of the title in the name of the symbol's owner."""

    share = 0.2


class FileAround(_TextAround):
    """Signal for the BM25 score of the whole file of a hit."""

    name = "whole file"
    around = "file"


class ClassAround(_TextAround):
    """Signal for the BM25 score of the whole class of a hit, or of its file without the classes."""

    name = "whole class"
    around = "class"


SIGNALS: Final[tuple[Signal, ...]] = (
    InRelation(),
    NameMatch(),
    OwnerMatch(),
    Strength(),
    TellingWords(),
    Section(),
    OutsideDefinitions(),
    Role(),
    Definition(),
    Understood(),
    FileCoverage(),
    FileName(),
    FileAgreement(),
)
"""Every signal in the order in which it is applied: those about files last, when each file's best symbol is known."""
REPORT_SIGNALS: Final[tuple[Signal, ...]] = (
    TitleName(),
    TitleOwner(),
    PartStrength(),
    ReportRole(),
    Section(),
    FileAround(),
    ClassAround(),
    FileName(),
    FileAgreement(),
)
"""The signals of bug reports, in their order; words of the question are those of the report's title."""


def report_signals(signals: Sequence[Signal]) -> tuple[Signal, ...]:
    """Return the signals for bug reports that correspond to `signals`, the signals for questions.

    Signals that the user added are kept.

    The signals that only reports have are kept unless no usual signal is.
    """
    usual = {signal.name for signal in SIGNALS}
    kept = {signal.name for signal in signals}
    if kept & usual:
        kept |= {signal.name for signal in REPORT_SIGNALS} - usual
    own = [signal for signal in signals if signal.name not in usual]
    return (*(signal for signal in REPORT_SIGNALS if signal.name in kept), *own)
