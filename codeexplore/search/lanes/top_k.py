"""Selection of a lane's hits: the rows with the best scores, equal scores by row."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_STEP: Final = 8
"""One score of so many is in the sample."""


def best_rows(
    scores: NDArray[np.floating], candidates: NDArray[np.bool_], pool: int, allowed: NDArray[np.bool_] | None
) -> NDArray[np.int64]:
    """Return the rows with the highest scores among allowed candidates, best first. Equal scores are ordered by row.

    `scores` has no NaN, and `candidates` is True for chunks for which the lane has a score. `allowed` is applied before
    the best `pool` rows are selected. The first n rows are the same for every pool of at least n.
    """
    rows = np.flatnonzero(candidates if allowed is None else candidates & allowed)
    if pool <= 0 or not len(rows):
        return rows[:0]
    values = scores[rows]
    if len(rows) > pool:
        threshold = least_of_best(values, pool)
        above = np.flatnonzero(values > threshold)
        equal = np.flatnonzero(values == threshold)[: pool - len(above)]
        kept = np.concatenate([above, equal])
        rows, values = rows[kept], values[kept]
    return rows[np.lexsort((rows, -values))]


def least_of_best(scores: NDArray[np.floating], pool: int) -> float:
    """Return the `pool`-th highest score; minus infinity if there are not more than `pool` scores.

    A sample gives a bound that is higher than nearly all scores. Only scores above this bound are sorted.
    """
    if pool >= len(scores):
        return -math.inf
    sample = scores[::_STEP]
    place = len(sample) - min(2 * pool // _STEP + 8, len(sample))
    high = scores[scores >= np.partition(sample, place)[place]]
    if len(high) < pool:
        high = scores
    return float(np.partition(high, len(high) - pool)[len(high) - pool])
