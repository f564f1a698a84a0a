"""Embeddings by row, renewed after an edit without being copied: rows lead to where their vectors lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from codeexplore.lanes.sharing import in_two

if TYPE_CHECKING:
    from numpy.typing import NDArray

FEW = 1_000
"""So many may always lie there."""

_MOST_BESIDE = 0.05
"""Share of rows that may lie beside the large array; then all are copied into a new one."""


class Vectors:
    """One vector a row.

    Parameters
    ----------
    base
        Shape (n, dim), in C order; never changed.
    beside
        Vectors that came later: shape (m, dim).
    places
        Where each row's vector lies, first counting through `base`, then through `beside`; None for the rows of `base`.
    """

    def __init__(
        self,
        base: NDArray[np.float32],
        beside: NDArray[np.float32] | None = None,
        places: NDArray[np.int64] | None = None,
    ) -> None:
        self._base = np.ascontiguousarray(base)
        self._beside = self._base[:0] if beside is None else beside
        self._places = places

    def __len__(self) -> int:
        return len(self._base) if self._places is None else len(self._places)

    @property
    def dim(self) -> int:
        """Numbers in a vector."""
        return int(self._base.shape[1])

    def products(self, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        """The product of each row with a vector, rounded as sums of float32 are: shape (n_rows,)."""
        base, found = self._base, np.empty(len(self._base), np.float32)
        in_two(lambda begin, end: np.vecdot(base[begin:end], vector, out=found[begin:end]), len(base))
        if self._places is None:
            return found
        return np.concatenate([found, np.vecdot(self._beside, vector)])[self._places]

    def of(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """The vectors of some rows: shape (len(rows), dim)."""
        if self._places is None:
            return self._base[rows]
        places = self._places[rows]
        beside = places >= len(self._base)
        found = (
            self._base[np.where(beside, 0, places)] if len(self._base) else np.empty((len(rows), self.dim), np.float32)
        )
        found[beside] = self._beside[places[beside] - len(self._base)]
        return found

    def all(self) -> NDArray[np.float32]:
        """Every row's vector: shape (n_rows, dim)."""
        return self._base if self._places is None else self.of(np.arange(len(self)))

    def renewed(self, fresh: NDArray[np.float32], order: NDArray[np.int64]) -> Vectors:
        """The vectors after some rows went and others came.

        Parameters
        ----------
        fresh
            Those that came.
        order
            Where each row comes from: a row of this one, or the number of its rows plus that of a fresh one.
        """
        old = np.arange(len(self)) if self._places is None else self._places
        n, beside = len(self._base), np.concatenate([self._beside, fresh])
        places = np.concatenate([old, np.arange(len(fresh)) + n + len(self._beside)])[order]
        used = np.unique(places[places >= n])
        if len(used) > max(FEW, _MOST_BESIDE * n):
            return Vectors(Vectors(self._base, beside, places).all())
        places = np.where(places < n, places, n + np.searchsorted(used, places))
        return Vectors(self._base, beside[used - n], places)
