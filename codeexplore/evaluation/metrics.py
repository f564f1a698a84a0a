"""Quality measures of a ranking: pure functions over ids in ranked order and the grades of relevant ids.

A *grade* is the relevance of an id: 0 or missing is wrong, `ACCEPTED` right but not required, `DEMANDED` required. Hit,
reciprocal rank and recall use the required ids only; nDCG weighs every grade. The definitions are those of trec_eval,
and a test compares the values with it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

ACCEPTED: Final = 1
"""Grade of a symbol that is right as well, but not demanded."""

DEMANDED: Final = 2
"""Grade of a symbol that the question asks for."""

Grades = Mapping[str, int]
"""Id → grade. Ids that are missing are wrong."""


def first_rank(ranked: Sequence[str], grades: Grades) -> int | None:
    """Rank, from 1, of the first demanded id; None when there is none."""
    return next((rank for rank, each in enumerate(ranked, 1) if grades.get(each, 0) >= DEMANDED), None)


def hit(ranked: Sequence[str], grades: Grades, cutoff: int) -> float:
    """1 when a demanded id is among the first `cutoff`, else 0."""
    return float(first_rank(ranked[:cutoff], grades) is not None)


def reciprocal_rank(ranked: Sequence[str], grades: Grades, cutoff: int) -> float:
    """1 / rank of the first demanded id, 0 when it is not among the first `cutoff`."""
    rank = first_rank(ranked[:cutoff], grades)
    return 0.0 if rank is None else 1.0 / rank


def recall(ranked: Sequence[str], grades: Grades, cutoff: int) -> float:
    """Share of the demanded ids that are among the first `cutoff`; 0 when nothing is demanded."""
    demanded = {each for each, grade in grades.items() if grade >= DEMANDED}
    return len(demanded.intersection(ranked[:cutoff])) / len(demanded) if demanded else 0.0


def dcg(gains: Sequence[int]) -> float:
    """Discounted cumulative gain: Σ gain / log₂(rank + 1), ranks from 1.

    Source: Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques", TOIS 20(4), 2002, with the
    discount that trec_eval uses.
    """
    return math.fsum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


def ndcg(ranked: Sequence[str], grades: Grades, cutoff: int) -> float:
    """DCG of the first `cutoff` ids divided by that of the best possible order; 0 when nothing is right at all."""
    ideal = dcg(sorted((grade for grade in grades.values() if grade > 0), reverse=True)[:cutoff])
    gains = [max(grades.get(each, 0), 0) for each in ranked[:cutoff]]
    return min(dcg(gains) / ideal, 1.0) if ideal > 0.0 else 0.0


def mean(values: Sequence[float]) -> float:
    """Arithmetic mean; NaN of nothing."""
    return math.fsum(values) / len(values) if values else math.nan


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` (0–1) of the values do not exceed; NaN of nothing.

    A measured value, not one between two (the nearest-rank method).
    """
    if not values:
        return math.nan
    return sorted(values)[max(math.ceil(share * len(values)), 1) - 1]
