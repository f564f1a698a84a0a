"""File indexes as bytes, to pass between our own processes.

`marshal` over plain tuples: an order of magnitude quicker than pickling a million named tuples. Never used for anything
that outlives the process: its format belongs to one Python version.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Any

import numpy as np

from codeexplore.syntax.chunks import context_of
from codeexplore.syntax.lines import chunk_text
from codeexplore.types import (
    Base,
    Binding,
    Cell,
    Chunk,
    Export,
    FileFacts,
    FileIndex,
    Import,
    Reference,
    Return,
    Skipped,
    SourceFile,
    Span,
    Symbol,
    WordCounts,
)

_SYMBOL = attrgetter(
    "id", "fqn", "name", "kind", "path", "span", "line", "language", "parent", "signature", "doc", "decorators"
)
_CHUNK = attrgetter("id", "symbol", "part", "language")
_FILE = attrgetter("path", "language", "text", "sha256", "encoding", "cells")
_ROWS: tuple[tuple[str, Callable[[Iterable[Any]], Any]], ...] = (
    ("imports", Import._make),
    ("exports", Export._make),
    ("bindings", Binding._make),
    ("returns", Return._make),
    ("references", Reference._make),
    ("bases", Base._make),
)


def pack(results: Sequence[FileIndex | Skipped], counts: WordCounts) -> bytes:
    """Serialise what one batch of files gave, with the word counts of its chunks."""
    files = [_plain_file(result) if isinstance(result, FileIndex) else tuple(result) for result in results]
    arrays = (counts.indptr.tobytes(), counts.word_ids.tobytes(), counts.counts.tobytes())
    return marshal.dumps((files, counts.words, arrays))


def unpack(data: bytes) -> tuple[list[FileIndex | Skipped], WordCounts]:
    """The inverse of `pack`, in the same Python."""
    files, words, (indptr, word_ids, counts) = marshal.loads(data)  # noqa: S302 - from our own child process
    results = [Skipped(*plain) if len(plain) == _SKIPPED_FIELDS else _file(plain) for plain in files]
    merged = WordCounts(
        words,
        np.frombuffer(indptr, np.int64),
        np.frombuffer(word_ids, np.int32),
        np.frombuffer(counts, np.int32),
    )
    return results, merged


_SKIPPED_FIELDS = len(Skipped._fields)


def _plain_file(index: FileIndex) -> tuple[Any, ...]:
    facts = index.facts
    file = _FILE(index.file)
    return (
        (*file[:-1], [tuple(cell) for cell in index.file.cells]),
        [(*row[:5], tuple(row[5]), *row[6:]) for row in map(_SYMBOL, facts.symbols)],
        facts.module,
        facts.errors,
        [list(map(tuple, getattr(facts, name))) for name, _ in _ROWS],
        [(*_CHUNK(chunk), [tuple(span) for span in chunk.spans]) for chunk in index.chunks],
        index.warnings,
    )


def _file(plain: tuple[Any, ...]) -> FileIndex:
    file_row, symbol_rows, module, errors, fact_rows, chunk_rows, warnings = plain
    file = SourceFile(*(*file_row[:-1], tuple(Cell(*cell) for cell in file_row[-1])))
    symbols = tuple([Symbol(*(*row[:5], Span(*row[5]), *row[6:])) for row in symbol_rows])
    rows = {name: tuple(map(make, found)) for (name, make), found in zip(_ROWS, fact_rows, strict=True)}
    facts = FileFacts(file.path, file.language, module, symbols, errors=errors, **rows)
    chunks = _chunks(file, symbols, chunk_rows)
    return FileIndex(file, facts, chunks, tuple(warnings))


def _chunks(file: SourceFile, symbols: tuple[Symbol, ...], rows: list[tuple[Any, ...]]) -> tuple[Chunk, ...]:
    """Chunks, their text cut from the file's again: it would double what is sent."""
    data = file.text.encode("utf-8", "replace")
    by_id = {symbol.id: symbol for symbol in symbols}
    chunks = []
    for chunk_id, symbol_id, part, language, plain_spans in rows:
        spans = tuple(map(Span._make, plain_spans))
        text = chunk_text(data, spans)
        chunks.append(Chunk(chunk_id, file.path, spans, text, language, symbol_id, context_of(by_id[symbol_id]), part))
    return tuple(chunks)
