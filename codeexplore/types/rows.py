"""Records of one kind, stored as columns.

Columns take half the memory of records. This matters in a process that stores all records of a repository.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar, overload

Row = TypeVar("Row", bound=NamedTuple)
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


def grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """Return the values of each key, in order. A key that is looked up in vain has no values."""
    found = defaultdict[K, list[V]](list)
    for key, value in pairs:
        found[key].append(value)
    return found


class Rows(Sequence[Row]):
    """A sequence of named tuples, stored as columns. A record is made when it is read.

    Parameters
    ----------
    kind
        The type of the records.
    rows
        The records, each as its fields in their order. Whole numbers have at most 31 bits.
    shared
        Pool in which values that occur in several tables are stored only once. None: no pool is used.
    columns
        The values of each field, in place of `rows`. None or no columns: the records are `rows`.
    """

    __slots__ = ("_columns", "_kind")

    def __init__(
        self,
        kind: type[Row],
        rows: Iterable[Sequence[Any]] = (),
        shared: dict[Any, Any] | None = None,
        columns: Sequence[Sequence[Any]] | None = None,
    ) -> None:
        self._kind = kind
        columns = columns or tuple(zip(*rows, strict=True)) or ((),) * len(self._kind._fields)
        self._columns = tuple(_column(values, shared) for values in columns)

    @classmethod
    def of(cls, kind: type[Row], rows: Sequence[Row]) -> Rows[Row]:
        """Return the given records as columns. If they are columns already, return them unchanged."""
        return rows if isinstance(rows, Rows) else cls(kind, rows)

    def fields(self, *names: str) -> Iterator[tuple[Any, ...]]:
        """Iterate over the values of the fields `names`: one tuple for each record. The records are not created."""
        places = map(self._kind._fields.index, names)
        return zip(*[self._columns[place] for place in places], strict=True)

    def with_fields(self, **columns: Sequence[Any]) -> Rows[Row]:
        """Return the records with other values in some fields."""
        known = zip(self._kind._fields, self._columns, strict=True)
        return Rows(self._kind, columns=[columns.get(name, kept) for name, kept in known])

    def __len__(self) -> int:
        return len(self._columns[0])

    def __iter__(self) -> Iterator[Row]:
        make: Any = partial(tuple.__new__, self._kind)  # three times as quick as `_make`, which counts the fields
        return map(make, zip(*self._columns, strict=True))

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Row, ...]: ...
    def __getitem__(self, place: int | slice) -> Row | tuple[Row, ...]:
        if isinstance(place, slice):
            return tuple(self[each] for each in range(*place.indices(len(self))))
        row: Row = self._kind._make([column[place] for column in self._columns])
        return row


def _column(values: Sequence[Any], shared: dict[Any, Any] | None) -> Sequence[Any]:
    if values and isinstance(values[0], int):
        return array("i", values)
    return values if shared is None else tuple(map(shared.setdefault, values, values))
