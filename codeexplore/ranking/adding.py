"""Adding up many hits' shares as Python's `sum` adds up one hit's, so that a score is its sum to the last bit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CARRIES: Final = sum([0.1] * 10) == 1.0
"""Whether `sum` carries along what rounding loses, as it does since Python 3.12."""


class Total:
    """A sum for each of `size` hits, zero at first. What is added first counts as the first that `sum` is given.

    Source: A. Neumaier, Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen, ZAMM 54 (1974), in the
    form that CPython has; before 3.12 it is a plain running total.
    """

    def __init__(self, size: int) -> None:
        import numpy as np

        self._high, self._lost = np.zeros(size), np.zeros(size)

    def add(self, at: NDArray[np.int64] | slice, values: NDArray[np.float64]) -> None:
        """Add one value to each of the hits `at` some places, which differ."""
        import numpy as np

        before = self._high[at]
        after = before + values
        if CARRIES:
            larger = np.abs(before) >= np.abs(values)
            self._lost[at] += np.where(larger, (before - after) + values, (values - after) + before)
        self._high[at] = after

    def sums(self) -> NDArray[np.float64]:
        """The sums: shape (size,)."""
        return self._high + self._lost
