"""Re-ranking: named signals add values to the fused scores, each with its reason.

The score of every hit is exactly the sum of its contributions and its adjustments, in their order. Grouping by file
leaves hits out and changes no score.

A *position* is the place of a candidate in the `Pool` that signals get.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np

from codeexplore.search.ranking.candidates import Evidence, Pool
from codeexplore.search.ranking.fusion import CompensatedSum, Fused
from codeexplore.types import Adjustment, FusedHit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values: TypeAlias = Mapping[int, float] | NDArray[np.float64]


class Signal(Protocol):
    """A named signal that moves hits up or down. Its docstring gives the evidence for it.

    `structural` signals also apply to questions about a relation or a similarity, whose answers need not contain the
    words of the question. `grouped` signals are evidence about files. They apply if the answer is grouped by file, and
    decide which file is first, not which of its symbols. Only grouped signals may read the present scores. A *share* is
    the largest value that a signal adds, as a share of the best fused score (`pool.unit`).
    """

    name: str
    structural: bool = False
    grouped: bool = False

    def values(self, pool: Pool) -> Values:
        """Return the values to add to scores: position → value, or an array with one value for each position."""
        ...

    def reason(self, pool: Pool, position: int) -> str:
        """Return the reason for the value at `position`, in words."""
        ...


def rerank(
    fused: Fused,
    evidence: Evidence,
    signals: Sequence[Signal],
    *,
    top_k: int | None = None,
    per_file: int | None = None,
) -> tuple[FusedHit, ...]:
    """Apply the signals in order, then sort the hits and group them by file. Return the hits.

    Hits with equal scores keep the fused order. Chunks that only a signal added come after chunks that a lane returned.

    `fused` is the whole ranking, because the order must not depend on the requested number of hits. A grouped signal
    reads the scores after the signals before it. None as `top_k` or `per_file` keeps all.
    """
    pool = Pool(fused, evidence)
    given: list[tuple[Signal, Values]] = []
    structural = evidence.plan.relation is not None or evidence.plan.kind == "related"
    for signal in signals:
        if (signal.structural or not structural) and (per_file is not None or not signal.grouped):
            if signal.grouped:
                pool.scores = _totals(pool, [values for _, values in given])
            given.append((signal, signal.values(pool)))
    columns = [(signal, _column(values, len(pool))) for signal, values in given]
    scores = _totals(pool, [column for _, column in columns])
    kept = _grouped(np.argsort(-scores, kind="stable").tolist(), pool, top_k, per_file)
    return tuple([_hit(pool, at, rank, float(scores[at]), columns) for rank, at in enumerate(kept, start=1)])


def _totals(pool: Pool, given: Sequence[Values]) -> NDArray[np.float64]:
    """Return the fused scores plus the given values of signals, rounded exactly as the scores of the answer.

    With other rounding, two scores that differ in the last bit could change places when grouped signals are added.
    """
    adjusted = CompensatedSum(len(pool))  # a total continued from the scores would be rounded in other places
    for values in given:
        adjusted.add(slice(None), _column(values, len(pool)))
    return _column(pool.fused.scores, len(pool)) + adjusted.sums()


def _column(values: Values, size: int) -> NDArray[np.float64]:
    """Return an array with one value for each of `size` positions; 0 where a signal gave no value."""
    column = np.zeros(size)
    if isinstance(values, np.ndarray):
        column[: len(values)] = values
    else:
        for position, value in values.items():
            column[position] = value
    return column


def _grouped(order: Sequence[int], pool: Pool, top_k: int | None, per_file: int | None) -> Iterator[int]:
    shown: dict[str, int] = {}
    kept = 0
    for position in order:
        if kept == top_k:
            return
        if per_file is not None:
            path = pool.path(position)
            if shown.get(path, 0) >= per_file:
                continue
            shown[path] = shown.get(path, 0) + 1
        kept += 1
        yield position


def _hit(
    pool: Pool, position: int, rank: int, score: float, given: Sequence[tuple[Signal, NDArray[np.float64]]]
) -> FusedHit:
    adjustments = tuple(
        Adjustment(signal.name, value, signal.reason(pool, position))
        for signal, column in given
        if (value := float(column[position])) != 0.0
    )
    if position < len(pool.fused):
        return pool.fused.hit(position, rank, score, adjustments)
    return FusedHit(pool.chunk_ids[position], rank, score, (), adjustments)
