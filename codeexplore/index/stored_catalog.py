"""A catalog over stored columns. Records are made only for the symbols and chunks that are requested."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from codeexplore.errors import DamagedIndex
from codeexplore.index.catalog import Catalog
from codeexplore.index.columns import CHUNKS, SYMBOLS, Spliced, members_in, taken
from codeexplore.index.qualified_names import name_parts
from codeexplore.index.string_column import Run, Strings, names_from, packed
from codeexplore.index.symbol_table import check_range, check_rows
from codeexplore.languages.registry import is_text
from codeexplore.types import TEXT_KINDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from codeexplore.index.chunk_table import ChunkTable
    from codeexplore.index.members import Member
    from codeexplore.index.string_column import Members
    from codeexplore.index.symbol_table import SymbolTable
    from codeexplore.types import Symbol, SymbolKind


def name_members(by_name: Mapping[str, Sequence[int]]) -> dict[str, Member]:
    """Return the members that store a mapping from names to rows of symbols."""
    rows = [row for found in by_name.values() for row in found]
    return {
        **packed("name", by_name),
        "name.first": np.cumsum([0, *map(len, by_name.values())]).astype(np.int32),
        "name.rows": np.array(rows, np.int32),
    }


class RowsBy(Mapping[str, Sequence[int]]):
    """Mapping from key to rows, stored as flat arrays.

    The rows of the i-th key are ``rows[first[i]:first[i + 1]]``.
    """

    def __init__(self, keys: Sequence[str], first: NDArray[np.integer], rows: NDArray[np.integer]) -> None:
        check_rows(len(keys) + 1, first)
        check_range(first, 0, len(rows) + 1)
        self._place = {key: place for place, key in enumerate(keys)}
        if len(self._place) < len(keys):
            raise DamagedIndex(f"{len(keys) - len(self._place):,} names of the index occur twice")
        self._first, self._rows = first, rows

    def __getitem__(self, key: str) -> list[int]:
        place = self._place[key]
        found: list[int] = self._rows[int(self._first[place]) : int(self._first[place + 1])].tolist()
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._place)

    def __len__(self) -> int:
        return len(self._place)


class StoredCatalog(Catalog):
    """The catalog of an index whose symbols and chunks are columns, in memory or in a stored file.

    Parameters
    ----------
    symbols, chunks
        Tables of symbols and chunks.
    columns
        The members from which the tables were made.
    names
        True if `columns` contains the result of `name_members`; otherwise it is computed on first use.
    """

    symbols: SymbolTable
    chunks: ChunkTable

    def __init__(self, symbols: SymbolTable, chunks: ChunkTable, columns: Members, names: bool = False) -> None:
        self.symbols, self.chunks, self.columns = symbols, chunks, columns
        self._stored: tuple[Strings, NDArray[np.integer], NDArray[np.integer]] | None = None
        if names:
            keys, first, rows = Strings.of(columns, "name"), columns.array("name.first"), columns.array("name.rows")
            check_rows(len(keys) + 1, first)
            check_range(first, 0, len(rows) + 1)
            check_range(rows, 0, len(symbols))
            self._stored = keys, first, rows

    def follow(self, spliced: Spliced, parts: Sequence[StoredCatalog]) -> None:
        """Reuse results that the catalog had computed before an edit.

        Parameters
        ----------
        spliced
            The splice that made the tables of this catalog.
        parts
            The catalogs of the parts of the splice. The first is the catalog before the edit.
        """
        symbols, chunks, old = self.symbols, self.chunks, parts[0]
        vars(symbols)["ids"] = names_from([part.symbols.ids for part in parts], spliced.symbols)
        vars(chunks)["ids"] = names_from([part.chunks.ids for part in parts], spliced.chunks)
        symbols.keep(taken(spliced.symbols, [part.symbols.made for part in parts]))
        chunks.keep(taken(spliced.chunks, [part.chunks.made for part in parts]))
        if symbols.ids is old.symbols.ids and _same_names(spliced.symbols, [part.symbols for part in parts]):
            for name in _OF_NAMES & vars(old).keys():
                vars(self)[name] = vars(old)[name]
            if "kinds" in vars(old.symbols):
                vars(symbols)["kinds"] = old.symbols.kinds

    def members(self) -> dict[str, Member]:
        """Return the members that store symbols, chunks and names."""
        return {**members_in(self.columns, SYMBOLS), **members_in(self.columns, CHUNKS), **name_members(self.names())}

    def symbol_ids(self) -> Sequence[str]:
        """Return the id of every symbol, in order."""
        return self.symbols.ids

    def symbol_kinds(self) -> Sequence[SymbolKind]:
        """Return the kind of every symbol, in order."""
        return self.symbols.kinds

    def kinds_counted(self) -> dict[str, int]:
        """Return the number of symbols of each kind."""
        return self.symbols.kinds_counted()

    def chunk_ids(self) -> Sequence[str]:
        """Return the id of every chunk, in order."""
        return self.chunks.ids

    def chunk_places(self) -> Iterable[tuple[str, str, SymbolKind | None]]:
        """Iterate over all chunks in order, as (path, language, kind of its symbol or None)."""
        paths, kinds = self.symbols.paths, self.symbols.kinds
        for path, language, row in zip(
            self.chunks.path_numbers.tolist(), self.chunks.languages, self.chunks.symbol_rows.tolist(), strict=True
        ):
            yield paths[path], language, None if row < 0 else kinds[row]

    def chunk_files(self) -> tuple[Sequence[str], NDArray[np.integer]]:
        """Return the paths of the files, and for each chunk the position of its file in them: shape (n_chunks,)."""
        return self.symbols.paths, self.chunks.path_numbers

    def chunks_of_text(self) -> NDArray[np.bool_]:
        """Return a mask over the chunks, True if a chunk is not code: shape (n_chunks,)."""
        rows = self.chunks.symbol_rows
        found = self.chunks.of_languages(is_text)
        return found | ((rows >= 0) & self.symbols.of_kinds(TEXT_KINDS)[rows]) if len(self.symbols) else found

    def chunk_contexts(self) -> Iterable[str]:
        """Iterate over the contexts of all chunks, in order."""
        return self.chunks.contexts()

    def chunk_symbol(self, row: int) -> Symbol | None:
        """Return the symbol of the chunk in `row`, without reading the chunk's text; None if it has no symbol."""
        symbol = int(self.chunks.symbol_rows[row])
        return None if symbol < 0 else self.symbols[symbol]

    def chunk_symbol_row(self, row: int) -> int:
        """Return the row of the symbol of the chunk in `row`; -1 if it has no symbol."""
        return int(self.chunks.symbol_rows[row])

    def symbol_parent(self, row: int) -> int:
        """Return the row of the parent of the symbol in `row`; -1 if it has no parent."""
        return int(self.symbols.parents[row])

    def symbol_name(self, row: int) -> tuple[str, SymbolKind, str]:
        """Return name, kind and path of the symbol in `row`, without making its record."""
        return self.symbols.name(row)

    def symbol_signature(self, row: int) -> str:
        """Return the signature of the symbol in `row`, without making its record."""
        return self.symbols.signature(row)

    def chunk_part_rows(self) -> list[tuple[int, int]]:
        """Return the chunks that are parts of a split symbol, as pairs of the chunk's row and the symbol's row."""
        rows = np.flatnonzero((self.chunks.parts != 0) & (self.chunks.symbol_rows >= 0))
        return list(zip(rows.tolist(), self.chunks.symbol_rows[rows].tolist(), strict=True))

    def chunk_rows_for(self, symbol_rows: Sequence[int]) -> list[int]:
        """Return the rows of the chunks that show the given symbols, see `chunk_for`; -1 for none."""
        first, order = self._chunks_of_symbols
        at = np.array(symbol_rows, np.int64)
        begin = first[at]
        one = first[at + 1] - begin == 1
        found = np.full(len(at), -1, np.int64)
        found[one] = order[begin[one]]
        for place in np.flatnonzero(~one).tolist():  # symbols that have no chunk of their own, or several
            row = self.chunk_row_for(self.symbols.ids[symbol_rows[place]])
            found[place] = -1 if row is None else row
        rows: list[int] = found.tolist()
        return rows

    def _chunk_id(self, row: int) -> str:
        return self.chunks.ids[row]

    def _covers(self, row: int, line: int) -> bool:
        return self.chunks.covers(row, line)

    @cached_property
    def _chunks_of_symbols(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the start of each symbol's chunks, shape (n_symbols + 1,), and the rows of chunks sorted by symbol."""
        owners = self.chunks.symbol_rows
        order = np.argsort(owners, kind="stable")
        return np.searchsorted(owners[order], np.arange(len(self.symbols) + 1)), order

    @cached_property
    def _chunk_rows_of(self) -> Mapping[str, Sequence[int]]:
        return _RowsBySymbol(self._symbol_row, *self._chunks_of_symbols)

    @cached_property
    def _by_name(self) -> Mapping[str, Sequence[int]]:
        if self._stored is not None:
            names, first, rows = self._stored
            return RowsBy(names.all(), first, rows)
        places: dict[str, int] = {}
        keys: list[int] = []
        symbol_rows: list[int] = []
        for row, (name, fqn) in enumerate(zip(self.symbols.names, self.symbols.fqns, strict=True)):
            keys.append(places.setdefault(name, len(places)))
            symbol_rows.append(row)
            if not _ends_in(fqn, name):
                parts = name_parts(fqn)
                if parts and parts[-1] != name:
                    keys.append(places.setdefault(parts[-1], len(places)))
                    symbol_rows.append(row)
        numbers = np.array(keys, np.int32)
        order = np.argsort(numbers, kind="stable")
        first = np.searchsorted(numbers[order], np.arange(len(places) + 1))
        return RowsBy(list(places), first, np.array(symbol_rows, np.int32)[order])

    @cached_property
    def _by_path(self) -> Mapping[str, Sequence[int]]:
        return self._grouped(self.symbols.path_numbers)

    @cached_property
    def _chunks_by_path(self) -> Mapping[str, Sequence[int]]:
        return self._grouped(self.chunks.path_numbers)

    def _grouped(self, numbers: NDArray[np.int32]) -> RowsBy:
        order = np.arange(len(numbers))
        if bool((numbers[1:] < numbers[:-1]).any()):
            order = np.argsort(numbers, kind="stable")
            numbers = numbers[order]
        first = np.searchsorted(numbers, np.arange(len(self.symbols.paths) + 1))
        used = np.flatnonzero(first[1:] > first[:-1])
        paths = [self.symbols.paths[number] for number in used.tolist()]
        return RowsBy(paths, np.append(first[used], len(order)), order)

    @cached_property
    def _sorted_names(self) -> list[str]:
        named = zip(self.symbols.names, self.symbols.kinds, strict=True)
        return sorted({name for name, kind in named if kind not in TEXT_KINDS})


def _ends_in(fqn: str, name: str) -> bool:
    """Return True if `name` is certainly the last part of a qualified name. False means that it is unknown."""
    return name.isidentifier() and fqn.endswith(name) and fqn[: -len(name)][-1:] in ("", ".", ":", "/", "#")


_OF_NAMES = frozenset({"_symbol_row", "_by_name", "_by_folded_name", "_sorted_names"})
"""Cached results that depend only on ids (which contain qualified names), names, kinds and order of the symbols."""


def _same_names(runs: Sequence[Run], tables: Sequence[SymbolTable]) -> bool:
    """Return True if the new rows have the kinds and names of the same rows of the first table.

    The caller has checked that their ids are the same.
    """
    old, at = tables[0], 0
    for part, start, stop in runs:
        end = at + stop - start
        if part and (
            tables[part].kinds_in(start, stop) != old.kinds_in(at, end)
            or tables[part].names_in(start, stop) != old.names_in(at, end)
        ):
            return False
        at = end
    return True


class _RowsBySymbol(RowsBy):
    """Mapping from symbol id to the rows of its chunks. It uses the catalog's existing dict from id to row."""

    def __init__(self, place: dict[str, int], first: NDArray[np.integer], rows: NDArray[np.integer]) -> None:
        self._place, self._first, self._rows = place, first, rows
