"""Hits of a lane, stored as columns, because a question ranks hundreds of hits of which few are read as records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, overload

from codeexplore.types.search import Hit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class HitColumns(Sequence[Hit]):
    """Hits of a lane, best first. A record is made when it is read. The object equals the tuple of all records.

    Parameters
    ----------
    rows
        Rows of the chunks in the catalog, without repeats: shape (n,).
    scores
        The lane's scores: shape (n,).
    chunk_ids
        The id of every chunk in the catalog, by row.
    """

    __slots__ = ("_made", "chunk_ids", "rows", "scores")

    def __init__(self, rows: NDArray[np.int64], scores: NDArray[np.float64], chunk_ids: Sequence[str]) -> None:
        self.rows, self.scores, self.chunk_ids = rows, scores, chunk_ids
        self._made: tuple[Hit, ...] | None = None

    def all(self) -> tuple[Hit, ...]:
        """Return the records of all hits."""
        if self._made is None:
            ids = self.chunk_ids
            numbered = enumerate(zip(self.rows.tolist(), self.scores.tolist(), strict=True), 1)
            self._made = tuple([Hit(ids[row], rank, score) for rank, (row, score) in numbered])
        return self._made

    def first(self, count: int) -> HitColumns:
        """Return the best `count` hits."""
        return HitColumns(self.rows[:count], self.scores[:count], self.chunk_ids)

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, place: int) -> Hit: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Hit, ...]: ...
    def __getitem__(self, place: int | slice) -> Hit | tuple[Hit, ...]:
        if isinstance(place, slice) or self._made is not None:
            return self.all()[place]
        at = range(len(self))[place]
        return Hit(self.chunk_ids[int(self.rows[at])], at + 1, float(self.scores[at]))

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.all())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, HitColumns | tuple):
            return self.all() == tuple(other)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.all())

    def __repr__(self) -> str:
        return repr(self.all())
