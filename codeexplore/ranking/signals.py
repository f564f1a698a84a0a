"""The re-ranking signals: each a named reason to move a hit, worth a share of the best fused score.

Symbol-level evidence (name, kind, importance) orders symbols. File-level evidence (path, agreement of a file's hits)
lifts a file's best symbol only: it says in which file to look, not at which of its symbols.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from codeexplore.languages.paths import PathRole, path_role
from codeexplore.ranking.rerank import Pool, Signal
from codeexplore.tokens import tokenize, tokenize_question
from codeexplore.types import TYPE_KINDS, Seed


class Definition:
    """The definition of a symbol that the question names comes first, wherever the lanes ranked it.

    A person who types a name wants to see what it is; its uses outnumber it in every lane.
    """

    name = "definition"
    share: Final = 1.0

    def values(self, pool: Pool) -> Mapping[str, float]:
        """The whole share for the chunk that defines a named symbol; types and first-named symbols before others."""
        if pool.evidence.plan.relation is not None:
            return {}
        given: dict[str, float] = {}
        for chunk_id, seed in self._named(pool).items():
            kind = pool.evidence.catalog.symbol(seed.symbol_id).kind
            given[chunk_id] = self.share * pool.unit * (1.0 if kind in TYPE_KINDS else 0.9)
        return given

    def reason(self, pool: Pool, chunk_id: str) -> str:
        """The name that was matched."""
        symbol = pool.evidence.catalog.symbol(self._named(pool)[chunk_id].symbol_id)
        return f"defines `{symbol.name}`, which the question names"

    def _named(self, pool: Pool) -> dict[str, Seed]:
        found: dict[str, Seed] = {}
        for seed in pool.evidence.plan.seeds:
            if seed.source == "description":
                continue
            chunk = pool.evidence.catalog.chunk_for(seed.symbol_id)
            if chunk is not None and pool.evidence.allows(chunk.id):
                found.setdefault(chunk.id, seed)
        return found


class PathMatch:
    """Words of the question that are words of the path.

    Files are named for what they hold. Lifts the best hit of each file only.
    """

    name = "path match"
    share: Final = 0.3

    def values(self, pool: Pool) -> Mapping[str, float]:
        """The share times the part of the file's own words that the question holds, for the best hit of each file."""
        if pool.evidence.plan.relation is not None:
            return {}
        asked = question_tokens(pool)
        given = {}
        for path, chunk_id in best_of_files(pool).items():
            stem = stem_tokens(path)
            if stem and (common := stem & asked):
                given[chunk_id] = self.share * pool.unit * len(common) / len(stem)
        return given

    def reason(self, pool: Pool, chunk_id: str) -> str:
        """The words in common."""
        path = pool.evidence.catalog.chunk(chunk_id).path
        return f"the file's name holds {', '.join(sorted(stem_tokens(path) & question_tokens(pool)))}"


class FileAgreement:
    """Several hits of one file speak for it.

    A question about a theme has its answer where many symbols are about it. Lifts the best hit of each file only.
    """

    name = "file agreement"
    share: Final = 0.2

    def values(self, pool: Pool) -> Mapping[str, float]:
        """The share times the file's sum of scores over the largest such sum, for the best hit of each file."""
        if pool.evidence.plan.relation is not None:
            return {}
        sums: dict[str, float] = {}
        for chunk_id, hit in pool.fused.items():
            path = pool.evidence.catalog.chunk(chunk_id).path
            sums[path] = sums.get(path, 0.0) + hit.score
        top = max(sums.values(), default=0.0)
        if top <= 0.0:
            return {}
        best = best_of_files(pool)
        return {best[path]: self.share * pool.unit * total / top for path, total in sums.items()}

    def reason(self, pool: Pool, chunk_id: str) -> str:
        """How many hits agree."""
        path = pool.evidence.catalog.chunk(chunk_id).path
        count = sum(1 for other in pool.fused if pool.evidence.catalog.chunk(other).path == path)
        return f"{count} hits of {posixpath.basename(path)} are in the pool"


ROLE_SHARES: Final[Mapping[PathRole, float]] = {
    "test": 0.5, "example": 0.4, "benchmark": 0.4, "generated": 0.4, "vendored": 0.3, "compat": 0.3, "docs": 0.4,
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

    def values(self, pool: Pool) -> Mapping[str, float]:
        """Minus a share of the hit's own score, by its file's role."""
        plan = pool.evidence.plan
        words = {word.strip("?.!,;:()\"'").lower() for word in plan.text.split()}
        asked = {role for role, about in ROLE_WORDS.items() if words & about}
        given = {}
        for chunk_id, score in pool.scores.items():
            role = path_role(pool.evidence.catalog.chunk(chunk_id).path)
            if role != "source" and role not in asked:
                given[chunk_id] = -ROLE_SHARES[role] * score
        return given

    def reason(self, pool: Pool, chunk_id: str) -> str:
        """What the file is for."""
        role = path_role(pool.evidence.catalog.chunk(chunk_id).path)
        return f"the file is of the kind “{role}”, which the question does not ask for"


SIGNALS: Final[tuple[Signal, ...]] = (Definition(), Role(), PathMatch(), FileAgreement())
"""Every signal in the order in which it is applied."""


# --------------------------------------------------------------------------- what signals share


def question_tokens(pool: Pool) -> frozenset[str]:
    """The tokens of what the question is about."""
    return _question_tokens(pool.evidence.plan.text)


@lru_cache(maxsize=64)
def _question_tokens(text: str) -> frozenset[str]:
    return frozenset(tokenize_question(text))


@lru_cache(maxsize=65_536)
def stem_tokens(path: str) -> frozenset[str]:
    """The tokens of a file's name without its ending."""
    return frozenset(tokenize(posixpath.basename(path).partition(".")[0]))


def best_of_files(pool: Pool) -> dict[str, str]:
    """The hit with the highest score so far of every file in the pool."""
    best: dict[str, str] = {}
    for chunk_id, score in pool.scores.items():
        path = pool.evidence.catalog.chunk(chunk_id).path
        if path not in best or score > pool.scores[best[path]]:
            best[path] = chunk_id
    return best
