"""Rows after edits: large arrays stay as they were loaded, and the rows that edits added lie beside them.

*Places* are positions, counted first through the large arrays (*base*) and then through the rows beside them. After an
edit, *order* gives for each new row the row from which its data is taken: an old row, or the number of old rows plus
the row of a new chunk. Unchanged chunks keep their order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

FEW = 1_000
"""Rows that may always be beside the large arrays."""

_MOST_BESIDE = 0.05
"""Share of rows that may be beside the large arrays; beyond it they are made anew."""


def is_large(n_beside: int, n_base: int) -> bool:
    """Return True if so many rows are beside the large arrays that these should be made anew."""
    return n_beside > max(FEW, _MOST_BESIDE * n_base)


def follow(
    places: NDArray[np.int64], order: NDArray[np.int64], n_base: int, n_beside: int, n_fresh: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the places of all rows after an edit, and the rows to keep beside: old ones first, then fresh ones."""
    moved = np.concatenate([places, np.arange(n_fresh) + n_base + n_beside])[order]
    used = np.unique(moved[moved >= n_base])
    return np.where(moved < n_base, moved, n_base + np.searchsorted(used, moved)), used - n_base
