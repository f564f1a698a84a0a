"""Signals about files: role, name, agreement.

A file's name and the agreement of its symbols say in which file to look, not at which of its symbols: they apply to
answers grouped by file, and lift each file's best symbol.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from codeexplore.file_roles import PathRole, path_role
from codeexplore.ranking.matching import file_stem, listed, named
from codeexplore.ranking.pool import Evidence, Pool

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
    "docs": frozenset({"doc", "docs", "documentation", "readme", "changelog", "guide", "tutorial"}),
}


class Role:
    """Tests, examples, benchmarks, generated, vendored and compatibility code come after the code itself.

    They hold the same words as what they exercise. A question that names them gets them in their place.
    """

    name = "role"
    structural = True
    grouped = False
    share: Final = 0.3

    def values(self, pool: Pool) -> NDArray[np.float64]:
        """Minus a share of the best score for what the question does not ask for."""
        last, given = self._last(pool.evidence), pool.zeros()
        given[pool.evidence.words.columns.has_role(pool.rows, last)] = -self.share * pool.unit
        return given

    def reason(self, pool: Pool, position: int) -> str:
        """What the file is for."""
        role = path_role(pool.path(position))
        return f"the file is of the kind “{role}”, which the question does not ask for"

    def _last(self, evidence: Evidence) -> frozenset[PathRole]:
        """The roles that come last."""
        words = {word.strip("?.!,;:()\"'`").lower() for word in evidence.plan.text.split()}
        asked = {role for role, names in ROLE_WORDS.items() if words & names}
        if evidence.plan.kind == "related":  # what is like a test is a test
            symbols = [evidence.catalog.symbol(seed.symbol_id) for seed in evidence.plan.seeds]
            asked |= {path_role(symbol.path) for symbol in symbols}
        return frozenset(ROLE_WORDS) - asked - {"docs"}


class FileName:
    """Words of the question in the file's name: files are named for what they hold. For each file's best hit."""

    name = "file name"
    structural = False
    grouped = True
    cover: Final = 0.6

    def values(self, pool: Pool) -> Mapping[int, float]:
        """The share times how much of the file's name the question says."""
        given = {}
        for path, position in pool.best_of_files().items():
            value = pool.asked.cover(named(file_stem(path)).parts)
            if value:
                given[position] = self.cover * pool.unit * value
        return given

    def reason(self, pool: Pool, position: int) -> str:
        """The words in common."""
        name = named(file_stem(pool.path(position)))
        shared = listed(pool.asked.words_in(pool.evidence.plan.text, name.tokens))
        return f"the file's name contains the question's “{shared}”"


class FileAgreement:
    """Several hits of one file speak for it: a theme's answer lies where many symbols share it. For the best hit."""

    name = "file agreement"
    structural = False
    grouped = True
    share: Final = 0.4

    def values(self, pool: Pool) -> Mapping[int, float]:
        """The share times the file's sum of fused scores over the largest such sum."""
        sums: dict[str, float] = {}
        for path, score in zip(
            pool.paths, pool.fused.scores.tolist(), strict=False
        ):  # what signals brought in is behind
            sums[path] = sums.get(path, 0.0) + score
        top = max(sums.values(), default=0.0)
        if top <= 0.0:
            return {}
        best = pool.best_of_files()
        return {best[path]: self.share * pool.unit * total / top for path, total in sums.items()}

    def reason(self, pool: Pool, position: int) -> str:
        """How many hits agree."""
        path = pool.path(position)
        count = pool.paths[: len(pool.fused)].count(path)
        return f"{count} hits of {posixpath.basename(path)} are in the pool"
