"""Re-ranking: named signals add values to the fused scores, each with its reason.

The score of every hit is exactly the sum of its contributions and its adjustments, in their order. Grouping by file
leaves hits out and changes no score.

A *position* is the place of a candidate in the `Pool` that signals get.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeAlias, cast

import numpy as np

from codeexplore.search.ranking.candidates import Evidence, Pool
from codeexplore.search.ranking.fusion import CompensatedSum, Fused
from codeexplore.types import Adjustment, FusedHit, QueryPlan

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values: TypeAlias = Mapping[int, float] | NDArray[np.float64]

_SLACK: Final = 1e-9
"""Share of a score; many times the change that another order of its terms can cause."""

_FIRST: Final = 2
"""Factor of the wanted hits that are computed before the others are compared."""


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


class Bounded(Protocol):
    """A signal that only adds, and whose maximal value is known before.

    It reads each candidate independently, and is only asked about candidates that can still be among the first. An
    expensive signal should come late among the signals. For questions that are new to the cache of words, this halves
    the time of all signals: 3 ms instead of 5 of 10 ms for a question, on networkx.
    """

    def most(self, pool: Pool) -> float:
        """Return the maximal value that the signal adds to a candidate."""
        ...

    def at(self, pool: Pool, positions: Sequence[int]) -> Sequence[float]:
        """Return the values for the candidates at `positions`."""
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
    chosen = [signal for signal in signals if _applies(signal, evidence.plan, per_file)]
    given = _given(pool, chosen, None if per_file is not None else top_k)
    scores = _totals(pool, given.columns)
    order = given.leading[np.argsort(-scores[given.leading], kind="stable")]
    kept = _grouped(order.tolist(), pool, top_k, per_file)
    return tuple([_hit(pool, at, rank, float(scores[at]), given) for rank, at in enumerate(kept, start=1)])


def _applies(signal: Signal, plan: QueryPlan, per_file: int | None) -> bool:
    if not signal.structural and (plan.relation is not None or plan.kind == "related"):
        return False
    return not signal.grouped or per_file is not None


class _Waiting(NamedTuple):
    """A bounded signal that was not applied yet. `place` is its index among the signals.

    The pool had `size` candidates when it was the signal's turn. The signal does not see later candidates.
    """

    signal: Bounded
    place: int
    size: int


class _Given(NamedTuple):
    """Values of each signal as columns over the pool, and the positions for which they are complete, ascending."""

    signals: Sequence[Signal]
    columns: Sequence[NDArray[np.float64]]
    leading: NDArray[np.int64]


def _given(pool: Pool, signals: Sequence[Signal], top_k: int | None) -> _Given:
    """Return the values of the signals. Bounded signals are only asked about candidates for the first `top_k`."""
    given: list[Values] = []
    bounded: list[_Waiting] = []
    for signal in signals:
        if top_k is not None and hasattr(signal, "at"):
            bounded.append(_Waiting(cast("Bounded", signal), len(given), len(pool)))
            given.append({})
        else:
            if signal.grouped:
                pool.scores = _totals(pool, given)
            given.append(_column(signal.values(pool), len(pool)))
    columns = [_column(values, len(pool)) for values in given]
    if top_k is None or not bounded:
        return _Given(signals, columns, np.arange(len(pool)))
    pool.scores = _totals(pool, columns)
    return _Given(signals, columns, _leading(pool, bounded, columns, top_k))


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


def _leading(
    pool: Pool, bounded: Sequence[_Waiting], columns: Sequence[NDArray[np.float64]], top_k: int
) -> NDArray[np.int64]:
    """Return the positions that can be among the first, and fill the columns of bounded signals at these positions.

    `pool.scores` contains the scores after all other signals. Values are computed for the first `top_k` by these
    scores, and then for all candidates that could still pass the last of them.
    """

    def work(waiting: _Waiting, positions: NDArray[np.int64]) -> None:
        known = positions[positions < waiting.size]
        columns[waiting.place][known] = waiting.signal.at(pool, known.tolist())

    some = _FIRST * top_k
    everything = np.arange(len(pool))
    first = everything if len(pool) <= some else np.argpartition(-pool.scores, some)[:some]
    for waiting in bounded:
        work(waiting, first)
    if len(first) == len(pool):
        return everything
    full = sum((columns[waiting.place][first] for waiting in bounded), pool.scores[first])
    least = np.partition(full, some - top_k)[some - top_k]
    rest = np.delete(everything, first)
    bounds = [waiting.signal.most(pool) for waiting in bounded]
    most = pool.scores[rest] + sum(bounds)
    for waiting, bound in zip(bounded, bounds, strict=True):  # each leaves fewer candidates to the next one
        able = most + _SLACK * np.abs(most) >= least
        rest, most = rest[able], most[able]
        work(waiting, rest)
        most += columns[waiting.place][rest] - bound
    return np.sort(np.concatenate([first, rest[most + _SLACK * np.abs(most) >= least]]))


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


def _hit(pool: Pool, position: int, rank: int, score: float, given: _Given) -> FusedHit:
    adjustments = tuple(
        Adjustment(signal.name, value, signal.reason(pool, position))
        for signal, column in zip(given.signals, given.columns, strict=True)
        if (value := float(column[position])) != 0.0
    )
    if position < len(pool.fused):
        return pool.fused.hit(position, rank, score, adjustments)
    return FusedHit(pool.chunk_ids[position], rank, score, (), adjustments)
