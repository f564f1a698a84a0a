"""A fused ranking → the answer: named signals add to scores, with their reasons; nothing is hidden.

The score of every hit is the sum of its contributions and its adjustments, in their order, exactly. Grouping by file
leaves hits out and changes no score.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from codeexplore.catalog import Catalog
from codeexplore.types import Adjustment, FusedHit, QueryPlan

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Evidence:
    """What signals may look at besides the ranking."""

    plan: QueryPlan
    catalog: Catalog
    importance: Mapping[str, float] = field(default_factory=dict)  # symbol id → PageRank / maximum
    allowed: NDArray[np.bool_] | None = None  # over the catalog's chunks; None for all

    def allows(self, chunk_id: str) -> bool:
        """Whether the filters let a chunk through."""
        return self.allowed is None or bool(self.allowed[self.catalog.chunk_row(chunk_id)])


class Pool:
    """The candidates while signals work on them: chunk id → score so far, in fused order.

    `unit` is the best fused score: signals are worth shares of it, so that they mean the same under every fusion.
    """

    def __init__(self, fused: Sequence[FusedHit], evidence: Evidence) -> None:
        self.evidence = evidence
        self.fused = {hit.chunk_id: hit for hit in fused}
        self.scores: dict[str, float] = {hit.chunk_id: hit.score for hit in fused}
        self.unit = max((hit.score for hit in fused), default=1.0)
        if self.unit <= 0.0:
            self.unit = 1.0


class Signal(Protocol):
    """A named reason to move hits up or down. Its docstring says why it is believed."""

    name: str

    def values(self, pool: Pool) -> Mapping[str, float]:
        """What is added to whose score, by chunk id. A chunk that no lane returned enters the pool."""
        ...

    def reason(self, pool: Pool, chunk_id: str) -> str:
        """Why, in words, for a chunk that `values` gave something."""
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

    Ties keep the fused order; chunks that only a signal brought in come last among equals, by id.

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
    given: dict[str, list[tuple[Signal, float]]] = {}
    for signal in signals:
        for chunk_id, value in signal.values(pool).items():
            if value == 0.0:
                continue
            given.setdefault(chunk_id, []).append((signal, value))
        for chunk_id, so_far in given.items():
            pool.scores[chunk_id] = _score(pool, chunk_id, so_far)
    order = sorted(pool.scores, key=lambda chunk_id: (-pool.scores[chunk_id], _fused_rank(pool, chunk_id), chunk_id))
    kept = list(_grouped(order, evidence.catalog, top_k, per_file))
    return tuple(_hit(pool, chunk_id, rank, given.get(chunk_id, ())) for rank, chunk_id in enumerate(kept, start=1))


def _score(pool: Pool, chunk_id: str, given: Sequence[tuple[Signal, float]]) -> float:
    hit = pool.fused.get(chunk_id)
    contributions = hit.contributions if hit is not None else ()
    return float(sum(c.value for c in contributions) + sum(value for _, value in given))


def _fused_rank(pool: Pool, chunk_id: str) -> int:
    hit = pool.fused.get(chunk_id)
    return hit.rank if hit is not None else len(pool.fused) + 1


def _grouped(order: Sequence[str], catalog: Catalog, top_k: int | None, per_file: int | None) -> Iterator[str]:
    shown: dict[str, int] = {}
    kept = 0
    for chunk_id in order:
        if kept == top_k:
            return
        if per_file is not None:
            path = catalog.chunk(chunk_id).path
            if shown.get(path, 0) >= per_file:
                continue
            shown[path] = shown.get(path, 0) + 1
        kept += 1
        yield chunk_id


def _hit(pool: Pool, chunk_id: str, rank: int, given: Sequence[tuple[Signal, float]]) -> FusedHit:
    hit = pool.fused.get(chunk_id)
    adjustments = tuple(Adjustment(signal.name, value, signal.reason(pool, chunk_id)) for signal, value in given)
    return FusedHit(chunk_id, rank, pool.scores[chunk_id], hit.contributions if hit is not None else (), adjustments)
