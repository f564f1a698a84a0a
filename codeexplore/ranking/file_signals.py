"""Signals about files: voice, role, name, agreement.

All but the role lift a file's best symbol only: they say in which file to look, not at which of its symbols.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from typing import Final

from codeexplore.languages.paths import PathRole, path_role
from codeexplore.ranking.matching import file_stem, listed, named
from codeexplore.ranking.rerank import Pool


class FileVoice:
    """What a module's left-over lines say, they say for their file: its best symbol takes over their standing.

    A module's imports and top-level code hold the words of everything in the file. That is evidence for the file, and a
    poor answer itself.
    """

    name = "file voice"
    structural = False

    def values(self, pool: Pool) -> Mapping[int, float]:
        """What the best symbol of a file lacks to its module's score so far."""
        modules: dict[str, int] = {}
        best: dict[str, int] = {}
        scores = pool.scores
        for position, candidate in enumerate(pool.candidates):
            if candidate.symbol is None:
                continue
            group = modules if candidate.symbol.kind == "module" else best
            known = group.setdefault(candidate.path, position)
            if scores[position] > scores[known]:
                group[candidate.path] = position
        gaps = (
            (best[path], scores[position] - scores[best[path]]) for path, position in modules.items() if path in best
        )
        return {position: gap for position, gap in gaps if gap > 0.0}

    def reason(self, pool: Pool, position: int) -> str:
        """The file."""
        path = pool.candidates[position].path
        return f"the top-level lines of {posixpath.basename(path)} rank higher, and it is that file's best symbol"


ROLE_SHARES: Final[Mapping[PathRole, float]] = {
    "test": 0.4, "example": 0.4, "benchmark": 0.4, "generated": 0.4, "vendored": 0.3, "compat": 0.2, "docs": 0.0,
}  # fmt: skip

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
    """Tests, examples, generated, vendored and compatibility code come after the code itself.

    They hold the same words as what they exercise. A question that names them gets them in their place.
    """

    name = "role"
    structural = True

    def values(self, pool: Pool) -> Mapping[int, float]:
        """Minus a share of the best score, by the file's role."""
        words = {word.strip("?.!,;:()\"'`").lower() for word in pool.evidence.plan.text.split()}
        shares = {role: share for role, share in ROLE_SHARES.items() if share and not words & ROLE_WORDS[role]}
        if pool.evidence.plan.kind == "related":  # what is like a test is a test
            for seed in pool.evidence.plan.seeds:
                shares.pop(path_role(pool.evidence.catalog.symbol(seed.symbol_id).path), None)
        given = {}
        for position, candidate in enumerate(pool.candidates):
            share = shares.get(path_role(candidate.path))
            if share is not None:
                given[position] = -share * pool.unit
        return given

    def reason(self, pool: Pool, position: int) -> str:
        """What the file is for."""
        role = path_role(pool.candidates[position].path)
        return f"the file is of the kind “{role}”, which the question does not ask for"


class FileName:
    """Words of the question in the file's name: files are named for what they hold. For each file's best hit."""

    name = "file name"
    structural = False
    cover: Final = 0.2

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
        name = named(file_stem(pool.candidates[position].path))
        return f"the file's name holds {listed(pool.asked.common(name.tokens))}"


class FileAgreement:
    """Several hits of one file speak for it: a theme's answer lies where many symbols share it. For the best hit."""

    name = "file agreement"
    structural = False
    share: Final = 0.1

    def values(self, pool: Pool) -> Mapping[int, float]:
        """The share times the file's sum of fused scores over the largest such sum."""
        sums: dict[str, float] = {}
        for candidate in pool.candidates:
            if candidate.hit is not None:
                sums[candidate.path] = sums.get(candidate.path, 0.0) + candidate.hit.score
        top = max(sums.values(), default=0.0)
        if top <= 0.0:
            return {}
        best = pool.best_of_files()
        return {best[path]: self.share * pool.unit * total / top for path, total in sums.items()}

    def reason(self, pool: Pool, position: int) -> str:
        """How many hits agree."""
        path = pool.candidates[position].path
        count = sum(1 for other in pool.candidates if other.path == path and other.hit is not None)
        return f"{count} hits of {posixpath.basename(path)} are in the pool"
