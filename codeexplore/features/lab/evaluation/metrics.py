"""Quality measures of a ranking: pure functions over ranked ids and the grades of relevant ids.

A *grade* is the relevance of an id. 0 or no grade means wrong, `ACCEPTED` means right but not required, `DEMANDED`
means required, and so does every higher grade. Hit, reciprocal rank, recall and bpref count required ids only; nDCG
weighs every grade. The definitions are those of trec_eval, and a test compares the values with it.

The `cutoff` is the number of leading ids of a ranking that a measure considers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Final, NamedTuple

ACCEPTED: Final = 1
"""Grade of a symbol that is right but not required."""
DEMANDED: Final = 2
"""Grade of a symbol that is required as an answer."""
BEST: Final = 3
"""Highest grade. Only graded judgements have it."""
Grades = Mapping[str, int]
"""Id → grade. Ids that are missing are wrong."""


def first_rank(ranked: Sequence[str], grades: Grades) -> int | None:
    """Return the rank of the first required id, counted from 1; None if there is none."""
    return next((rank for rank, each in enumerate(ranked, 1) if grades.get(each, 0) >= DEMANDED), None)


def hit(ranked: Sequence[str], grades: Grades, cutoff: int) -> float:
    """Return 1 if a required id is among the first `cutoff` ids, else 0."""
    return float(first_rank(ranked[:cutoff], grades) is not None)


def reciprocal_rank(ranked: Sequence[str], grades: Grades, cutoff: int) -> float:
    """Return 1 / rank of the first required id; 0 if none is among the first `cutoff` ids."""
    rank = first_rank(ranked[:cutoff], grades)
    return 0.0 if rank is None else 1.0 / rank


def recall(ranked: Sequence[str], grades: Grades, cutoff: int) -> float:
    """Return the share of the required ids that are among the first `cutoff` ids; 0 if no id is required."""
    demanded = {each for each, grade in grades.items() if grade >= DEMANDED}
    return len(demanded.intersection(ranked[:cutoff])) / len(demanded) if demanded else 0.0


def dcg(gains: Sequence[int]) -> float:
    """Return the discounted cumulative gain: Σ gain / log₂(rank + 1), with ranks from 1.

    Source: Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques", TOIS 20(4), 2002, with the
    discount that trec_eval uses.
    """
    return math.fsum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


def ndcg(ranked: Sequence[str], grades: Grades, cutoff: int, *, exponential: bool = False) -> float:
    """Return the DCG of the first `cutoff` ids divided by the DCG of the best possible order.

    The gain of an id is its grade, as in trec_eval, or 2^grade − 1 if `exponential`. The result is 0 if no id has a
    grade above 0.

    Source of the exponential gain: Burges et al., "Learning to rank using gradient descent", ICML 2005.
    """
    gain = {each: (1 << grade) - 1 if exponential else grade for each, grade in grades.items() if grade > 0}
    ideal = dcg(sorted(gain.values(), reverse=True)[:cutoff])
    gains = [gain.get(each, 0) for each in ranked[:cutoff]]
    return min(dcg(gains) / ideal, 1.0) if ideal > 0.0 else 0.0


def bpref(ranked: Sequence[str], grades: Grades) -> float:
    """Return the mean over the required ids of 1 − (share of wrong ids ranked above it); 0 if no id is required.

    An id is wrong only if it was judged: its grade is known and below `DEMANDED`. Ids without a grade are ignored, so
    the measure does not count an id that nobody has judged as wrong. A required id that is not in the ranking
    contributes 0. At most as many wrong ids as there are required ids are counted.

    Source: Buckley and Voorhees, "Retrieval evaluation with incomplete information", SIGIR 2004, with the correction of
    trec_eval for few wrong ids.
    """
    demanded = sum(1 for grade in grades.values() if grade >= DEMANDED)
    most = min(demanded, len(grades) - demanded)  # wrong ids that can count
    above, total = 0, 0.0
    for each in ranked:
        grade = grades.get(each)
        if grade is None:
            continue
        if grade < DEMANDED:
            above += 1
        else:
            total += 1.0 - min(above, most) / most if most else 1.0
    return total / demanded if demanded else 0.0


def judged(ranked: Sequence[str], grades: Grades, cutoff: int) -> float:
    """Return the share of the first `cutoff` ids that have a grade, 0 included; 0 for an empty ranking.

    The other ids are holes in the pool: all other measures but bpref count them as wrong, although nobody has judged
    them.
    """
    first = ranked[:cutoff]
    return sum(1 for each in first if each in grades) / len(first) if first else 0.0


def mean(values: Sequence[float]) -> float:
    """Return the arithmetic mean; NaN for no values."""
    return math.fsum(values) / len(values) if values else math.nan


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least `share` (0–1) of the values do not exceed; NaN for no values.

    This is the nearest-rank method: the result is always one of the values, never interpolated.
    """
    if not values:
        return math.nan
    return sorted(values)[max(math.ceil(share * len(values)), 1) - 1]


TRIALS: Final = 10_000
"""Number of random sign assignments, if there are too many to try all."""
_EXACT_UP_TO: Final = 13
"""Maximal number of differences for which all 2ⁿ sign assignments are tried."""
_SEED: Final = 20_090_719
_SLACK: Final = 1e-12
"""Tolerance for comparing sums of floats."""


class Chance(NamedTuple):
    """Result of the test: the p-value, the number of sign assignments tried, and True if these were all assignments."""

    p_value: float
    trials: int
    exact: bool


def randomisation_test(differences: Sequence[float]) -> Chance:
    """Return the two-sided p-value of a mean difference.

    It is the probability that chance alone makes a difference at least as large. If both settings were equally good,
    the difference of each question could as well have the opposite sign. The test therefore assigns signs to the
    differences: in all 2ⁿ ways if few questions differ, else `TRIALS` times at random with a fixed seed. The p-value is
    the share of assignments whose sum is at least as far from zero as the real sum. Questions without a difference
    change no sum and are left out.

    Source: Fisher, "The Design of Experiments", 1935; for retrieval: Smucker, Allan and Carterette, "A comparison of
    statistical significance tests for information retrieval evaluation", CIKM 2007.
    """
    changed = [difference for difference in differences if difference != 0.0]
    if not changed:
        return Chance(1.0, 1, exact=True)
    observed = abs(sum(changed)) - _SLACK
    if len(changed) <= _EXACT_UP_TO:
        # one sign may be fixed: changing all signs gives the same distance from zero
        first, *others = changed
        sums = [
            first + sum(s * d for s, d in zip(signs, others, strict=True))
            for signs in product((1, -1), repeat=len(others))
        ]
        return Chance(sum(1 for total in sums if abs(total) >= observed) / len(sums), 2 * len(sums), exact=True)
    import numpy as np

    signs = np.random.default_rng(_SEED).integers(0, 2, size=(TRIALS, len(changed)), dtype=np.int8) * 2 - 1
    as_far = int((np.abs(signs @ np.asarray(changed)) >= observed).sum())
    return Chance((as_far + 1) / (TRIALS + 1), TRIALS, exact=False)
