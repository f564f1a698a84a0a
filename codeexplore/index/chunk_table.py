"""Chunks as columns. Records are made on demand, and a chunk's text is cut from the text of its file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np

from codeexplore.index.string_column import Strings, packed
from codeexplore.index.symbol_table import Codes, LazyRows, SymbolTable, check_lines, check_range, check_rows
from codeexplore.syntax.chunking import chunk_text, context_of, context_text
from codeexplore.types import Chunk, Span, Symbol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from codeexplore.index.string_column import Member, Members


class Texts(Protocol):
    """Access to the texts of files as UTF-8, to which the byte offsets of spans refer."""

    def data(self, path: str) -> bytes | memoryview:
        """Return a file's text as UTF-8. Characters that can't be encoded are replaced."""
        ...


def chunk_members(chunks: Sequence[Chunk], symbols: Mapping[str, Symbol], paths: Codes) -> dict[str, Member]:
    """Return the members that store chunks. `symbols` are by id, `paths` numbers the files."""
    rows = {symbol_id: row for row, symbol_id in enumerate(symbols)}
    languages = Codes()
    spans = np.fromiter((number for chunk in chunks for span in chunk.spans for number in span), np.int32)
    return {
        "chunk.spans": np.asfortranarray(spans.reshape(-1, 4)),
        "chunk.first_span": np.cumsum([0, *(len(chunk.spans) for chunk in chunks)]).astype(np.int32),
        "chunk.symbol": np.array([-1 if c.symbol is None else rows[c.symbol] for c in chunks], np.int32),
        "chunk.part": np.array([chunk.part for chunk in chunks], np.int32),
        "chunk.path": paths.of([chunk.path for chunk in chunks]),
        "chunk.language": languages.of([chunk.language for chunk in chunks]).astype(np.int16),
        **packed("chunk.id", [chunk.id for chunk in chunks]),
        **packed("chunk.context", [_own_context(chunk, symbols) for chunk in chunks]),
        **packed("chunk.languages", languages.number),
    }


def _own_context(chunk: Chunk, symbols: Mapping[str, Symbol]) -> str:
    """Return the part of a chunk's context that follows the context of its symbol."""
    base = "" if chunk.symbol is None else context_of(symbols[chunk.symbol])
    if not chunk.context.startswith(base):
        raise ValueError(f"chunk {chunk.id} has a context that is not made of its symbol's")
    return chunk.context[len(base) :]


class ChunkTable(LazyRows[Chunk]):
    """Stored chunks. The record of a row is made only once, so that each access returns the same object.

    Parameters
    ----------
    archive
        The members from `chunk_members` or `columns.splice`.
    symbols
        The symbols of the catalog.
    texts
        The texts of the files.

    Raises
    ------
    DamagedIndex, ValueError
        Columns are missing or do not fit each other.
    """

    def __init__(self, archive: Members, symbols: SymbolTable, texts: Texts) -> None:
        self._spans = archive.array("chunk.spans")
        self._first_span = archive.array("chunk.first_span")
        self.symbol_rows: NDArray[np.int32] = archive.array("chunk.symbol")
        self.parts: NDArray[np.int32] = archive.array("chunk.part")
        self.path_numbers: NDArray[np.int32] = archive.array("chunk.path")
        self._language: NDArray[np.int16] = archive.array("chunk.language")
        self._ids = Strings.of(archive, "chunk.id")
        self._contexts = Strings.of(archive, "chunk.context")
        self._languages = Strings.of(archive, "chunk.languages").all()
        self._symbols, self._texts = symbols, texts
        n = len(self.symbol_rows)
        check_rows(n, self.parts, self.path_numbers, self._language, self._ids, self._contexts)
        check_rows(n + 1, self._first_span)
        check_range(self.symbol_rows, -1, len(symbols))
        check_range(self.path_numbers, 0, len(symbols.paths))
        check_range(self._language, 0, len(self._languages))
        check_range(self._first_span, 0, len(self._spans) + 1)
        check_lines(self._spans)
        super().__init__(n)

    @property
    def paths(self) -> Sequence[str]:
        """Return the path of each file, by the file's number."""
        return self._symbols.paths

    @cached_property
    def ids(self) -> Sequence[str]:
        return self._ids.all()

    @cached_property
    def languages(self) -> list[str]:
        return [self._languages[number] for number in self._language.tolist()]

    def of_languages(self, wanted: Callable[[str], bool]) -> NDArray[np.bool_]:
        """Return a mask over the chunks, shape (n_chunks,): True if `wanted` is true for the chunk's language."""
        found: NDArray[np.bool_] = np.array([wanted(each) for each in self._languages], np.bool_)[self._language]
        return found

    def content(self, row: int) -> tuple[str, str, str]:
        """Return (id, signature of the symbol, own context) of a chunk. Chunks with equal values are equal."""
        symbol = int(self.symbol_rows[row])
        return self.ids[row], "" if symbol < 0 else self._symbols.signature(symbol), self._contexts[row]

    def contexts(self) -> Iterator[str]:
        """Yield the contexts of all chunks. No records are made."""
        symbols = self._symbols
        paths, fqns, signatures = symbols.paths, symbols.fqns, symbols.signatures
        numbers = symbols.path_numbers.tolist()
        for row, own in zip(self.symbol_rows.tolist(), self._contexts.all(), strict=True):
            yield own if row < 0 else context_text(paths[numbers[row]], fqns[row], signatures[row]) + own

    def contexts_and_texts(self) -> Iterator[tuple[str, str]]:
        """Yield (context, text) of each chunk. No records are made."""
        first, numbers, begins = self._first_span.tolist(), self.path_numbers.tolist(), self._spans[:, 2].tolist()
        ends, path, data = self._spans[:, 3].tolist(), -1, memoryview(b"")
        for row, context in enumerate(self.contexts()):
            if numbers[row] != path:
                path = numbers[row]
                data = memoryview(self._texts.data(self.paths[path]))
            places = range(first[row], first[row + 1])
            text = str(b"\n".join([data[begins[at] : ends[at]] for at in places]), "utf-8", "replace")
            yield context, text

    def covers(self, row: int, line: int) -> bool:
        spans = self._spans[int(self._first_span[row]) : int(self._first_span[row + 1])].tolist()
        return any(span.start_line <= line <= span.end_line for span in map(Span._make, spans))

    def _make(self, row: int) -> Chunk:
        first, last = int(self._first_span[row]), int(self._first_span[row + 1])
        spans = tuple(map(Span._make, self._spans[first:last].tolist()))
        path = self._symbols.paths[self.path_numbers[row]]
        symbol_row = int(self.symbol_rows[row])
        symbol = None if symbol_row < 0 else self._symbols[symbol_row]
        own = self._contexts[row]
        context, owner = (own, None) if symbol is None else (context_of(symbol) + own, symbol.id)
        text, language = chunk_text(self._texts.data(path), spans), self._languages[self._language[row]]
        return Chunk(self.ids[row], path, spans, text, language, owner, context, int(self.parts[row]))
