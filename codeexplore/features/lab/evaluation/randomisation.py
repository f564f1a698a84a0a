"""Significance of a difference between two settings, by a paired randomisation test."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Final, NamedTuple

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
