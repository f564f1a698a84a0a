"""Re-ranking signals about the file of a hit: its purpose, and evidence from the whole file.

`Role` and `Section` rank last the files that a question rarely asks for. The other signals are evidence
about whole files. Except `FileCoverage`, they decide the rank of a file, not of a symbol in it. Therefore they apply to
answers grouped by file, and raise the best hit of each file.
"""

from __future__ import annotations

import math
import posixpath
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import numpy as np

from codeexplore.languages.file_roles import PathRole
from codeexplore.search.ranking.candidates import Evidence, Pool, file_stem, named
from codeexplore.search.ranking.rerank import Signal

if TYPE_CHECKING:
    from numpy.typing import NDArray


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
