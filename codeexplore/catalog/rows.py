"""Symbols and chunks by row and by id, and what a stored catalog reads at once: columns."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from codeexplore.catalog.names import EXTERNAL, external_symbol
from codeexplore.types import Chunk, Symbol, SymbolKind

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Rows:
    """Symbols keep the order in which they were given, and so do chunks.

    A chunk's row in every array of the index is its position here.
    """

    root: str = ""
    """The folder that paths are relative to; "" for a catalog that was made by hand. The workspace sets it."""

    def __init__(self, symbols: Sequence[Symbol], chunks: Sequence[Chunk]) -> None:
        self.symbols: Sequence[Symbol] = tuple(symbols)
        self.chunks: Sequence[Chunk] = tuple(chunks)

    # ----------------------------------------------------------------- columns: what a stored catalog reads at once

    def symbol_ids(self) -> Sequence[str]:
        """The id of every symbol, in order."""
        return [symbol.id for symbol in self.symbols]

    def symbol_kinds(self) -> Sequence[SymbolKind]:
        """The kind of every symbol, in order."""
        return [symbol.kind for symbol in self.symbols]

    def kinds_counted(self) -> dict[str, int]:
        """How many symbols there are of each kind."""
        return dict(Counter(self.symbol_kinds()))

    def chunk_ids(self) -> Sequence[str]:
        """The id of every chunk, in order."""
        return [chunk.id for chunk in self.chunks]

    def chunk_places(self) -> Iterable[tuple[str, str, SymbolKind | None]]:
        """Path, language and the symbol's kind of every chunk, in order."""
        for chunk in self.chunks:
            yield chunk.path, chunk.language, None if chunk.symbol is None else self.symbol(chunk.symbol).kind

    def chunk_files(self) -> tuple[Sequence[str], NDArray[np.integer]]:
        """Files, and for every chunk the number of its file, in order."""
        import numpy as np

        number: dict[str, int] = {}
        numbers = np.array([number.setdefault(chunk.path, len(number)) for chunk in self.chunks], np.int32)
        return list(number), numbers

    def chunks_of_kind(self, kind: SymbolKind) -> NDArray[np.bool_]:
        """For every chunk whether its symbol is of a kind, in order."""
        import numpy as np

        return np.array([each == kind for _, _, each in self.chunk_places()], np.bool_)

    def chunk_contexts(self) -> Iterable[str]:
        """The context of every chunk, in order."""
        return (chunk.context for chunk in self.chunks)

    def chunk_parts(self) -> dict[str, str]:
        """Chunk id → symbol id of the chunks that are parts of a split symbol."""
        chunk_ids, symbol_ids = self.chunk_ids(), self.symbol_ids()
        return {chunk_ids[row]: symbol_ids[symbol] for row, symbol in self.chunk_part_rows()}

    def chunk_part_rows(self) -> list[tuple[int, int]]:
        """The rows of the chunks that are parts of a split symbol, each with the symbol's row."""
        found = ((row, chunk.symbol) for row, chunk in enumerate(self.chunks) if chunk.part)
        return [(row, self._symbol_row[symbol]) for row, symbol in found if symbol is not None]

    @cached_property
    def _symbol_row(self) -> dict[str, int]:
        ids = self.symbol_ids()
        return dict(zip(ids, range(len(ids)), strict=True))

    @cached_property
    def _chunk_row(self) -> dict[str, int]:
        ids = self.chunk_ids()
        return dict(zip(ids, range(len(ids)), strict=True))

    @cached_property
    def _chunk_rows_of(self) -> Mapping[str, Sequence[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for row, chunk in enumerate(self.chunks):
            if chunk.symbol is not None:
                found[chunk.symbol].append(row)
        return found

    # ----------------------------------------------------------------- by id

    def symbol(self, symbol_id: str) -> Symbol:
        """The symbol with this id; an id that begins with `EXTERNAL` is any name's outside. Raises KeyError."""
        row = self._symbol_row.get(symbol_id)
        if row is None and symbol_id.startswith(EXTERNAL):
            return external_symbol(symbol_id[len(EXTERNAL) :])
        return self.symbols[self._symbol_row[symbol_id]]

    def symbol_row(self, symbol_id: str) -> int:
        """Position of a symbol in `symbols`. Raises KeyError."""
        return self._symbol_row[symbol_id]

    def has_symbol(self, symbol_id: str) -> bool:
        """Whether there is a symbol with this id."""
        return symbol_id in self._symbol_row

    def chunk(self, chunk_id: str) -> Chunk:
        """The chunk with this id. Raises KeyError."""
        return self.chunks[self._chunk_row[chunk_id]]

    def chunk_row(self, chunk_id: str) -> int:
        """Position of a chunk in `chunks`, and its row in the index's arrays. Raises KeyError."""
        return self._chunk_row[chunk_id]

    def chunk_symbol(self, row: int) -> Symbol | None:
        """The symbol that the chunk in a row stands for, without reading the chunk's text."""
        return self.symbol_of(self.chunks[row])

    def chunk_symbol_row(self, row: int) -> int:
        """Position in `symbols` of the symbol that the chunk in a row stands for; -1 for none."""
        symbol_id = self.chunks[row].symbol
        return -1 if symbol_id is None else self._symbol_row[symbol_id]

    def symbol_parent(self, row: int) -> int:
        """Position in `symbols` of what holds the symbol in a row; -1 for none."""
        parent = self.symbols[row].parent
        return -1 if parent is None else self._symbol_row[parent]

    def symbol_name(self, row: int) -> tuple[str, SymbolKind, str]:
        """Name, kind and path of the symbol in a row, without making its record."""
        symbol = self.symbols[row]
        return symbol.name, symbol.kind, symbol.path

    def symbol_signature(self, row: int) -> str:
        """Signature of the symbol in a row, without making its record."""
        return self.symbols[row].signature

    def symbol_of(self, chunk: Chunk) -> Symbol | None:
        """The symbol a chunk stands for."""
        return None if chunk.symbol is None else self.symbol(chunk.symbol)

    def chunks_of(self, symbol_id: str) -> tuple[Chunk, ...]:
        """A symbol's own chunks, in order: several when it was split, none when a larger chunk covers it."""
        return tuple(self.chunks[row] for row in self._chunk_rows_of.get(symbol_id, ()))

    def chunk_for(self, symbol_id: str) -> Chunk | None:
        """The chunk that answers for a symbol: its own first one, else that of the nearest symbol around it."""
        row = self.chunk_row_for(symbol_id)
        return None if row is None else self.chunks[row]

    def chunk_row_for(self, symbol_id: str) -> int | None:
        """The row of `chunk_for`, without reading the chunk's text."""
        current: str | None = symbol_id
        while current is not None:
            rows = self._chunk_rows_of.get(current)
            if rows:
                line = self.symbol(symbol_id).line if len(rows) > 1 else 0
                return next((row for row in rows if self._covers(row, line)), rows[0])
            current = self.symbol(current).parent
        return None

    def chunk_id_for(self, symbol_id: str) -> str | None:
        """The id of `chunk_for`, without reading the chunk's text."""
        row = self.chunk_row_for(symbol_id)
        return None if row is None else self._chunk_id(row)

    def _chunk_id(self, row: int) -> str:
        return self.chunks[row].id

    def chunk_rows_for(self, symbol_rows: Sequence[int]) -> list[int]:
        """The rows of `chunk_for` for symbols by their rows; -1 for none."""
        found = [self.chunk_row_for(self.symbols[row].id) for row in symbol_rows]
        return [-1 if row is None else row for row in found]

    def _covers(self, row: int, line: int) -> bool:
        """Whether a chunk holds a line of its file."""
        return any(span.start_line <= line <= span.end_line for span in self.chunks[row].spans)
