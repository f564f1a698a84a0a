"""Re-ranking: named signals add to fused scores, with their reasons; nothing is hidden.

The score of every hit is the sum of its contributions and its adjustments, in their order, exactly. Grouping by file
leaves hits out and changes no score.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeAlias, cast

from codeexplore.search.ranking.candidates import Evidence, Pool
from codeexplore.search.ranking.fusion import CompensatedSum, Fused
from codeexplore.types import Adjustment, FusedHit, QueryPlan

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Values: TypeAlias = Mapping[int, float] | NDArray[np.float64]

_SLACK: Final = 1e-9
"""Share of a score; many times the change that another order of its terms can cause."""

_FIRST: Final = 2
"""Factor of the wanted hits that are computed before the others are compared."""


class Signal(Protocol):
    """A named reason to move hits up or down. Its docstring gives the evidence for it.

    `structural` signals also apply to questions about a relation or a similarity, whose answers need not contain the
    words of the question. `grouped` signals are evidence about files: they apply when the answer is grouped by file,
    and then decide which file is first, not which of its symbols. They alone may read the scores so far.
    """

    name: str
    structural: bool
    grouped: bool

    def values(self, pool: Pool) -> Values:
        """Return the additions to scores: position in the pool → value, or one value for each position."""
        ...

    def reason(self, pool: Pool, position: int) -> str:
        """Return the reason, in words, for a position with a value in `values`."""
        ...


class Bounded(Protocol):
    """A signal that only adds, and at most an amount known before.

    It reads each candidate on its own, and is asked only about those that can still be among the first. The more a
    signal costs, the later it should be among the signals.
    """

    def most(self, pool: Pool) -> float:
        """Return the most that it adds to any candidate."""
        ...

    def at(self, pool: Pool, positions: Sequence[int]) -> Sequence[float]:
        """Return the values of some positions."""
        ...


def rerank(
    fused: Fused,
    evidence: Evidence,
    signals: Sequence[Signal],
    *,
    top_k: int | None = None,
    per_file: int | None = None,
) -> tuple[FusedHit, ...]:
    """Apply signals in order, sort, group.

    Ties keep the fused order; chunks that only a signal added are after those that a lane returned.

    Parameters
    ----------
    fused
        The whole fused ranking: the order must not depend on the number of hits wanted.
    evidence
        Data that signals may read.
    signals
        Grouped ones read the scores after the earlier ones.
    top_k, per_file
        The number of hits to keep, and of hits of one file; None for all.
    """
    import numpy as np

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
    """A bounded signal in the `place`-th position, when the pool had `size` candidates: it does not see later ones."""

    signal: Bounded
    place: int
    size: int


class _Given(NamedTuple):
    """Values of each signal, as columns over the pool, and the positions for which they are complete, ascending."""

    signals: Sequence[Signal]
    columns: Sequence[NDArray[np.float64]]
    leading: NDArray[np.int64]


def _given(pool: Pool, signals: Sequence[Signal], top_k: int | None) -> _Given:
    """Ask the signals in order; of bounded ones only as much as the first `top_k` need, if that is given."""
    import numpy as np

    given: list[Values] = []
    bounded: list[_Waiting] = []
    for signal in signals:
        if top_k is not None and hasattr(signal, "at"):
            bounded.append(_Waiting(cast("Bounded", signal), len(given), len(pool)))
            given.append({})
        else:
            pool.scores = _totals(pool, given)
            given.append(_column(signal.values(pool), len(pool)))
    columns = [_column(values, len(pool)) for values in given]
    if top_k is None or not bounded:
        return _Given(signals, columns, np.arange(len(pool)))
    pool.scores = _totals(pool, columns)
    return _Given(signals, columns, _leading(pool, bounded, columns, top_k))


def _totals(pool: Pool, given: Sequence[Values]) -> NDArray[np.float64]:
    """Return the fused scores plus the values of the signals so far, to the bit as the answer's scores are added up.

    Rounded in another way, two scores that differ by one bit could change places when grouped signals are added.
    """
    adjusted = CompensatedSum(len(pool))  # a total continued from the scores would be rounded in other places
    for values in given:
        adjusted.add(slice(None), _column(values, len(pool)))
    return _column(pool.fused.scores, len(pool)) + adjusted.sums()


def _column(values: Values, size: int) -> NDArray[np.float64]:
    """Return one value for each of `size` positions, 0 where none was given."""
    import numpy as np

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
    """Fill the columns of bounded signals at the positions that can be among the first, and return these.

    `pool.scores` contains the scores after all other signals. The first `top_k` by these alone are computed, and then
    all candidates that could still pass the last of them.
    """
    import numpy as np

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
