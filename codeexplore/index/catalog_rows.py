"""The symbols and chunks of a catalog by row, by id and by file. Records are made only for requested rows.

A *row* is the position of a symbol in `symbols`, or of a chunk in `chunks`. The row of a chunk is also its row in every
array of the index.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from codeexplore.index.qualified_names import EXTERNAL, external_symbol
from codeexplore.index.symbol_table import check_range, check_rows
from codeexplore.languages.registry import is_text
from codeexplore.types import TEXT_KINDS
from codeexplore.types.errors import DamagedIndex

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from codeexplore.index.chunk_table import ChunkTable
    from codeexplore.index.symbol_table import SymbolTable
    from codeexplore.types import Chunk, Symbol, SymbolKind


class RowsBy(Mapping[str, Sequence[int]]):
    """Mapping from key to rows, stored as flat arrays. The rows of the i-th key are ``rows[first[i]:first[i + 1]]``."""

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


class _RowsBySymbol(RowsBy):
    """Mapping from symbol id to the rows of its chunks. It uses the catalog's existing dict from id to row."""

    def __init__(self, place: dict[str, int], first: NDArray[np.integer], rows: NDArray[np.integer]) -> None:
        self._place, self._first, self._rows = place, first, rows


class CatalogRows:
    """Symbols and chunks by row, by id and by file.

    Parameters
    ----------
    symbols, chunks
        Tables of symbols and chunks.
    """

    root: str = ""
    """The folder that paths are relative to, set by the workspace; "" for a catalog made directly from records."""

    def __init__(self, symbols: SymbolTable, chunks: ChunkTable) -> None:
        self.symbols, self.chunks = symbols, chunks

    # ----------------------------------------------------------------- all rows

    def symbol_ids(self) -> Sequence[str]:
        return self.symbols.ids

    def symbol_kinds(self) -> Sequence[SymbolKind]:
        return self.symbols.kinds

    def kinds_counted(self) -> dict[str, int]:
        return self.symbols.kinds_counted()

    def chunk_ids(self) -> Sequence[str]:
        return self.chunks.ids

    def chunk_places(self) -> Iterable[tuple[str, str, SymbolKind | None]]:
        """Yield (path, language, kind of the symbol or None) of every chunk, in order."""
        paths, kinds = self.symbols.paths, self.symbols.kinds
        for path, language, row in zip(
            self.chunks.path_numbers.tolist(), self.chunks.languages, self.chunks.symbol_rows.tolist(), strict=True
        ):
            yield paths[path], language, None if row < 0 else kinds[row]

    def chunk_files(self) -> tuple[Sequence[str], NDArray[np.integer]]:
        """Return the paths of the files, and for each chunk the position of its file among them: shape (n_chunks,)."""
        return self.symbols.paths, self.chunks.path_numbers

    def chunks_of_text(self) -> NDArray[np.bool_]:
        """Return a mask over the chunks, shape (n_chunks,): True if a chunk is not code."""
        rows = self.chunks.symbol_rows
        found = self.chunks.of_languages(is_text)
        return found | ((rows >= 0) & self.symbols.of_kinds(TEXT_KINDS)[rows]) if len(self.symbols) else found

    def chunk_owners(self, kinds: Collection[SymbolKind]) -> NDArray[np.integer]:
        """Return for each chunk the row of the innermost symbol of `kinds` that contains it: shape (n_chunks,).

        A chunk that shows such a symbol counts as inside it. The row is -1 if there is no such symbol.
        """
        found = self.chunks.symbol_rows.copy()
        owning = self.symbols.of_kinds(kinds)
        climbing = np.flatnonzero(found >= 0)
        while len(climbing := climbing[~owning[found[climbing]]]):
            found[climbing] = self.symbols.parents[found[climbing]]
            climbing = climbing[found[climbing] >= 0]
        return found

    def chunk_contexts(self) -> Iterable[str]:
        return self.chunks.contexts()

    def chunk_part_rows(self) -> list[tuple[int, int]]:
        """Return (row of the chunk, row of the symbol) for each chunk that is a part of a split symbol."""
        rows = np.flatnonzero((self.chunks.parts != 0) & (self.chunks.symbol_rows >= 0))
        return list(zip(rows.tolist(), self.chunks.symbol_rows[rows].tolist(), strict=True))

    # ----------------------------------------------------------------- by id

    def symbol(self, symbol_id: str) -> Symbol:
        """Return the symbol with this id, or one for any name after `EXTERNAL`. Raises KeyError."""
        row = self._symbol_row.get(symbol_id)
        if row is None and symbol_id.startswith(EXTERNAL):
            return external_symbol(symbol_id[len(EXTERNAL) :])
        return self.symbols[self._symbol_row[symbol_id]]

    def symbol_row(self, symbol_id: str) -> int:
        return self._symbol_row[symbol_id]

    def has_symbol(self, symbol_id: str) -> bool:
        return symbol_id in self._symbol_row

    def chunk(self, chunk_id: str) -> Chunk:
        return self.chunks[self._chunk_row[chunk_id]]

    def chunk_row(self, chunk_id: str) -> int:
        return self._chunk_row[chunk_id]

    # ----------------------------------------------------------------- by row

    def chunk_symbol(self, row: int) -> Symbol | None:
        """Return the symbol of the chunk in `row`, without reading the chunk's text; None if it has no symbol."""
        symbol = int(self.chunks.symbol_rows[row])
        return None if symbol < 0 else self.symbols[symbol]

    def chunk_symbol_row(self, row: int) -> int:
        return int(self.chunks.symbol_rows[row])

    def symbol_parent(self, row: int) -> int:
        return int(self.symbols.parents[row])

    def symbol_name(self, row: int) -> tuple[str, SymbolKind, str]:
        """Return (name, kind, path) of the symbol at `row`. Its record is not made."""
        return self.symbols.name(row)

    def symbol_signature(self, row: int) -> str:
        return self.symbols.signature(row)

    # ----------------------------------------------------------------- chunks of symbols

    def symbol_of(self, chunk: Chunk) -> Symbol | None:
        return None if chunk.symbol is None else self.symbol(chunk.symbol)

    def chunks_of(self, symbol_id: str) -> tuple[Chunk, ...]:
        """Return the chunks of a symbol, in order: several if it was split, none if a larger chunk shows it."""
        return tuple(self.chunks[row] for row in self._chunk_rows_of.get(symbol_id, ()))

    def chunk_for(self, symbol_id: str) -> Chunk | None:
        """Return the chunk that shows a symbol: its own first chunk, or else a chunk of the nearest enclosing symbol.

        If the enclosing symbol was split, the part with the line of the requested symbol is returned.
        """
        row = self.chunk_row_for(symbol_id)
        return None if row is None else self.chunks[row]

    def chunk_row_for(self, symbol_id: str) -> int | None:
        """Return the row of the chunk that `chunk_for` returns, without reading the chunk's text; None for none."""
        current: str | None = symbol_id
        while current is not None:
            rows = self._chunk_rows_of.get(current)
            if rows:
                line = self.symbol(symbol_id).line if len(rows) > 1 else 0
                return next((row for row in rows if self.chunks.covers(row, line)), rows[0])
            current = self.symbol(current).parent
        return None

    def chunk_id_for(self, symbol_id: str) -> str | None:
        """Return the id of the chunk that `chunk_for` returns, without reading the chunk's text; None for none."""
        row = self.chunk_row_for(symbol_id)
        return None if row is None else self.chunks.ids[row]

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

    # ----------------------------------------------------------------- by file

    def in_file(self, path: str) -> tuple[Symbol, ...]:
        """Return the symbols of a file in source order, its module first; empty if the file is not indexed."""
        return tuple(self.symbols[row] for row in self._by_path.get(path, ()))

    def chunks_in(self, path: str) -> tuple[Chunk, ...]:
        """Return the chunks of a file in their order; an empty tuple if the file is not indexed."""
        return tuple(self.chunks[row] for row in self._chunks_by_path.get(path, ()))

    def symbol_rows_in(self, path: str) -> Sequence[int]:
        return self._by_path.get(path, ())

    def chunk_rows_in(self, path: str) -> Sequence[int]:
        return self._chunks_by_path.get(path, ())

    def paths(self) -> tuple[str, ...]:
        """Return every indexed path, sorted."""
        return self._sorted_paths

    def find_paths(self, path: str) -> tuple[str, ...]:
        """Return the indexed path that equals `path`, or else the indexed paths that end in it at a folder boundary.

        A backslash is first read as a part of a name, then as Windows' separator of folders.
        """
        for form in dict.fromkeys((path, path.replace("\\", "/"))):
            found = (form,) if form in self._by_path else tuple(p for p in self._sorted_paths if p.endswith("/" + form))
            if found:
                return found
        return ()

    # ----------------------------------------------------------------- built on first use

    @cached_property
    def _symbol_row(self) -> dict[str, int]:
        ids = self.symbol_ids()
        return dict(zip(ids, range(len(ids)), strict=True))

    @cached_property
    def _chunk_row(self) -> dict[str, int]:
        ids = self.chunk_ids()
        return dict(zip(ids, range(len(ids)), strict=True))

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
    def _by_path(self) -> Mapping[str, Sequence[int]]:
        return self._grouped(self.symbols.path_numbers)

    @cached_property
    def _chunks_by_path(self) -> Mapping[str, Sequence[int]]:
        return self._grouped(self.chunks.path_numbers)

    @cached_property
    def _sorted_paths(self) -> tuple[str, ...]:
        return tuple(sorted(self._by_path))

    def _grouped(self, numbers: NDArray[np.int32]) -> RowsBy:
        order = np.arange(len(numbers))
        if bool((numbers[1:] < numbers[:-1]).any()):
            order = np.argsort(numbers, kind="stable")
            numbers = numbers[order]
        first = np.searchsorted(numbers, np.arange(len(self.symbols.paths) + 1))
        used = np.flatnonzero(first[1:] > first[:-1])
        paths = [self.symbols.paths[number] for number in used.tolist()]
        return RowsBy(paths, np.append(first[used], len(order)), order)
