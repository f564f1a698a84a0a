"""A fused ranking → the answer: named signals add to scores, with their reasons; nothing is hidden.

The score of every hit is the sum of its contributions and its adjustments, in their order, exactly. Grouping by file
leaves hits out and changes no score.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

from codeexplore.catalog import Catalog
from codeexplore.ranking.matching import SymbolWords, Words, asked
from codeexplore.types import Adjustment, FusedHit, QueryPlan, Symbol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def equally_rare(token: str) -> float:  # noqa: ARG001 — stands for an idf
    """The weight of a token where nobody knows how rare it is."""
    return 1.0


@dataclass(frozen=True, slots=True)
class Evidence:
    """What signals may look at besides the ranking."""

    plan: QueryPlan
    catalog: Catalog
    words: Words
    importance: Mapping[str, float] = field(default_factory=dict)  # symbol id → PageRank / maximum
    allowed: NDArray[np.bool_] | None = None  # over the catalog's chunks; None for all
    idf: Callable[[str], float] = equally_rare  # how rare a token is in the repository

    def allows(self, chunk_id: str) -> bool:
        """Whether the filters let a chunk through."""
        return self.allowed is None or bool(self.allowed[self.catalog.chunk_row(chunk_id)])


class Candidate(NamedTuple):
    """A chunk that may be in the answer; `hit` is None when no lane returned it."""

    chunk_id: str
    path: str
    symbol: Symbol | None
    words: SymbolWords | None  # of the symbol
    hit: FusedHit | None


class Pool:
    """The candidates while signals work on them, in fused order, and their scores so far by position.

    `unit` is the best fused score: signals are worth shares of it, so that they mean the same under every fusion.
    """

    def __init__(self, fused: Sequence[FusedHit], evidence: Evidence) -> None:
        self.evidence = evidence
        self.candidates: list[Candidate] = []
        self.scores: list[float] = []
        self._position: dict[str, int] = {}
        for hit in fused:
            self._add(hit.chunk_id, hit, hit.score)
        top = max((hit.score for hit in fused), default=0.0)
        self.unit = top if top > 0.0 else 1.0
        self.asked = asked(evidence.plan, evidence.idf)

    def _add(self, chunk_id: str, hit: FusedHit | None, score: float) -> None:
        path, symbol, words = self.evidence.words.known(chunk_id)
        self._position[chunk_id] = len(self.candidates)
        self.candidates.append(Candidate(chunk_id, path, symbol, words, hit))
        self.scores.append(score)

    def enter(self, chunk_id: str) -> int:
        """The position of a chunk, which joins the pool with score 0 when no lane returned it."""
        if chunk_id not in self._position:
            self._add(chunk_id, None, 0.0)
        return self._position[chunk_id]

    def best_of_files(self) -> dict[str, int]:
        """The position with the highest score so far of every file; the earlier one among equals."""
        best: dict[str, int] = {}
        scores = self.scores
        for position, candidate in enumerate(self.candidates):
            known = best.setdefault(candidate.path, position)
            if scores[position] > scores[known]:
                best[candidate.path] = position
        return best


class Signal(Protocol):
    """A named reason to move hits up or down. Its docstring says why it is believed.

    `structural` signals also apply to questions about a relation or a likeness, whose answers need not hold the words
    of the question. `grouped` signals are evidence about files: they apply when the answer is grouped by file, and
    then say which file comes first, not which of its symbols.
    """

    name: str
    structural: bool
    grouped: bool

    def values(self, pool: Pool) -> Mapping[int, float]:
        """What is added to whose score, by position in the pool."""
        ...

    def reason(self, pool: Pool, position: int) -> str:
        """Why, in words, for a position that `values` gave something."""
        ...


def rerank(
    fused: Sequence[FusedHit],
    evidence: Evidence,
    signals: Sequence[Signal],
    *,
    top_k: int | None = None,
    per_file: int | None = None,
) -> tuple[FusedHit, ...]:
    """Apply signals in order, sort, group.

    Ties keep the fused order; chunks that only a signal brought in come after those that a lane returned.

    Parameters
    ----------
    fused
        The whole fused ranking, best first: the order must not depend on how many hits are wanted.
    evidence
        What signals may look at.
    signals
        Each sees the scores that the earlier ones made.
    top_k, per_file
        How many hits to keep, and how many of one file; None for all.
    """
    pool = Pool(fused, evidence)
    given: dict[int, list[tuple[Signal, float]]] = {}
    for signal in signals:
        if not signal.structural and (evidence.plan.relation is not None or evidence.plan.kind == "related"):
            continue
        if signal.grouped and per_file is None:
            continue
        for position, value in signal.values(pool).items():
            if value != 0.0:
                given.setdefault(position, []).append((signal, value))
                pool.scores[position] += value
    for position, added in given.items():  # a running total is rounded at other places than the sum
        hit = pool.candidates[position].hit
        pool.scores[position] = (hit.score if hit is not None else 0.0) + sum([value for _, value in added])
    order = sorted(range(len(pool.scores)), key=lambda position: (-pool.scores[position], position))
    kept = _grouped(order, pool, top_k, per_file)
    return tuple(_hit(pool, position, rank, given.get(position, ())) for rank, position in enumerate(kept, start=1))


def _grouped(order: Sequence[int], pool: Pool, top_k: int | None, per_file: int | None) -> Iterator[int]:
    shown: dict[str, int] = {}
    kept = 0
    for position in order:
        if kept == top_k:
            return
        if per_file is not None:
            path = pool.candidates[position].path
            if shown.get(path, 0) >= per_file:
                continue
            shown[path] = shown.get(path, 0) + 1
        kept += 1
        yield position


def _hit(pool: Pool, position: int, rank: int, added: Sequence[tuple[Signal, float]]) -> FusedHit:
    candidate = pool.candidates[position]
    adjustments = tuple(Adjustment(signal.name, value, signal.reason(pool, position)) for signal, value in added)
    contributions = candidate.hit.contributions if candidate.hit is not None else ()
    return FusedHit(candidate.chunk_id, rank, pool.scores[position], contributions, adjustments)
