"""Rows of a stored table that become records when they are asked for, each once."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar, overload

Record = TypeVar("Record")


class LazyRows(Sequence[Record], Generic[Record]):
    """A sequence of `n` records, made by `_make`."""

    def __init__(self, n: int) -> None:
        self._made: list[Record | None] = [None] * n

    def keep(self, made: list[Record | None]) -> None:
        """Use records again that were made for the same rows of another table."""
        self._made = made

    @property
    def made(self) -> list[Record | None]:
        """The records that were made, None for the others."""
        return self._made

    @abstractmethod
    def _make(self, row: int) -> Record:
        """The record of a row, counted from 0."""

    def __len__(self) -> int:
        return len(self._made)

    @overload
    def __getitem__(self, row: int) -> Record: ...
    @overload
    def __getitem__(self, row: slice) -> tuple[Record, ...]: ...
    def __getitem__(self, row: int | slice) -> Record | tuple[Record, ...]:
        if isinstance(row, slice):
            return tuple([self[index] for index in range(*row.indices(len(self)))])
        made = self._made[row]
        if made is None:
            made = self._made[row] = self._make(row % len(self._made))
        return made

    def __iter__(self) -> Iterator[Record]:
        return (self[row] for row in range(len(self)))
