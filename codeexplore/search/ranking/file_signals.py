"""Re-ranking signals about the file of a hit: its purpose, and whole files as evidence.

`Role` and `Section` rank last what a question rarely wants. The others are evidence about whole files: they decide the
file, not the symbol in it, so they apply to answers grouped by file and raise each file's best symbol.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from codeexplore.file_roles import PathRole, path_role
from codeexplore.search.ranking.candidates import Evidence, Pool, file_stem, listed, named

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


ROLE_WORDS: Final[Mapping[PathRole, frozenset[str]]] = {
    "test": frozenset({"test", "tests", "testing", "spec", "specs", "fixture", "fixtures", "mock", "mocks"}),
    "example": frozenset({"example", "examples", "demo", "demos", "sample", "samples", "tutorial"}),
    "benchmark": frozenset({"benchmark", "benchmarks", "bench", "performance"}),
    "generated": frozenset({"generated", "protobuf"}),
    "vendored": frozenset({"vendor", "vendored"}),
    "compat": frozenset({"compat", "compatibility", "legacy", "deprecated", "shim", "polyfill"}),
    "resource": frozenset({
        "yaml", "yml", "toml", "json", "ini", "xml", "sql", "html", "css", "scss", "stylesheet", "config",
        "configuration", "configured", "template", "templates", "markup", "dockerfile", "docker", "makefile",
        "terraform", "proto", "protobuf", "graphql", "ci", "workflow", "manifest",
    }),
    "docs": frozenset({"doc", "docs", "documentation", "readme", "changelog", "guide", "tutorial"}),
}  # fmt: skip


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
        return frozenset(ROLE_WORDS) - asked - {"docs", "resource"}


class ReportRole(Role):
    """Tests, examples and the like are ranked after the code itself: a report is about a fault in code.

    A report whose title speaks of tests gets them in their place. Documents are ranked last in the same way.
    """

    share = 1.0

    def _last(self, evidence: Evidence) -> frozenset[PathRole]:
        """Return the roles that are ranked last."""
        return unasked_roles(evidence.question)


class Section:
    """Texts are ranked after code: they contain its words, and a question about code wants the code.

    Files that are not code, such as templates and configuration, get their place if the question speaks of them.
    """

    name = "text section"
    structural = True
    grouped = False
    share = 0.5

    def values(self, pool: Pool) -> NDArray[np.float64]:
        """Return minus the share."""
        given, columns = pool.zeros(), pool.evidence.words.columns
        last = columns.texts[pool.rows]
        if "resource" not in unasked_roles(pool.evidence.question):
            last &= ~columns.has_role(pool.rows, {"resource"})
        given[last] = -self.share * pool.unit
        return given

    def reason(self, pool: Pool, position: int) -> str:
        """Return the kind of the file."""
        if path_role(pool.path(position)) == "resource":
            return "the file is not code, and the question does not mention such files"
        return "it is a section of a text, not a definition"


class ReportSection(Section):
    """Sections of texts are ranked after code, further than for a question: a report is about a fault in code."""

    share = 1.0


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
