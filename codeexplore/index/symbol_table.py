"""Symbols and chunks as columns. A record is made at the first access and then kept (`LazyRows`).

A chunk's text is cut from the text of its file.
"""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, cast, overload

import numpy as np

from codeexplore.index.columns import SYMBOLS, Strings, packed
from codeexplore.syntax.chunking import chunk_text, context_of, context_text
from codeexplore.types import SYMBOL_KINDS, Chunk, Span, Symbol, SymbolKind
from codeexplore.types.errors import DamagedIndex
from codeexplore.types.kinds import is_block

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from codeexplore.index.columns import Member, Members

_NOWHERE = Span(0, 0, 0, 0)

Record = TypeVar("Record")


class LazyRows(Sequence[Record], Generic[Record]):
    """A sequence of `n` records. `_make` makes a record at its first access."""

    def __init__(self, n: int) -> None:
        self.made: list[Record | None] = [None] * n
        """The record of each row; None for a record that was not made yet. Another table may have made them."""

    @abstractmethod
    def _make(self, row: int) -> Record:
        """Return the record of a row, counted from 0."""

    def __len__(self) -> int:
        return len(self.made)

    @overload
    def __getitem__(self, row: int) -> Record: ...
    @overload
    def __getitem__(self, row: slice) -> tuple[Record, ...]: ...
    def __getitem__(self, row: int | slice) -> Record | tuple[Record, ...]:
        if isinstance(row, slice):
            return tuple([self[index] for index in range(*row.indices(len(self)))])
        made = self.made[row]
        if made is None:
            made = self.made[row] = self._make(row % len(self.made))
        return made

    def __iter__(self) -> Iterator[Record]:
        return (self[row] for row in range(len(self)))


class Codes:
    """Distinct texts with their numbers, which are given in the order of first occurrence."""

    def __init__(self) -> None:
        self.number: dict[str, int] = {}

    def of(self, texts: Sequence[str]) -> NDArray[np.int32]:
        """Return the number of each given text: shape (len(texts),)."""
        number = self.number
        return np.fromiter((number.setdefault(text, len(number)) for text in texts), np.int32, len(texts))


def symbol_members(symbols: Sequence[Symbol], paths: Codes) -> dict[str, Member]:
    """Return the members that store symbols. `paths` numbers the files. KeyError for an unknown parent."""
    rows = {symbol.id: row for row, symbol in enumerate(symbols)}
    kinds, languages = Codes(), Codes()
    parents = [-1 if symbol.parent is None else rows[symbol.parent] for symbol in symbols]
    decorators = [decorator for symbol in symbols for decorator in symbol.decorators]
    places = (number for symbol in symbols for number in (*symbol.span, symbol.line))
    numbers = np.fromiter(places, np.int32, 5 * len(symbols)).reshape(-1, 5)
    members: dict[str, Member] = {
        "symbol.numbers": np.asfortranarray(numbers),
        "symbol.parent": np.array(parents, np.int32),
        "symbol.path": paths.of([symbol.path for symbol in symbols]),
        "symbol.kind": kinds.of([symbol.kind for symbol in symbols]).astype(np.int8),
        "symbol.language": languages.of([symbol.language for symbol in symbols]).astype(np.int16),
        "symbol.decorated": np.cumsum([0, *(len(symbol.decorators) for symbol in symbols)]).astype(np.int32),
        **packed("symbol.decorators", decorators),
        **packed("symbol.kinds", kinds.number),
        **packed("symbol.languages", languages.number),
    }
    for column in SYMBOLS.texts:
        members |= packed(f"symbol.{column}", [getattr(symbol, column) for symbol in symbols])
    return members


class SymbolTable(LazyRows[Symbol]):
    """Stored symbols. The record of a row is made once, so that each access returns the same object.

    Parameters
    ----------
    archive
        Contains the members from `symbol_members` or `columns.splice`.
    paths
        The path of each file, by the file's number.
    check
        False for columns that were made from records in this process. Such records may be names outside the
        repository, which have no place in a file.

    Raises
    ------
    DamagedIndex, ValueError
        Columns are missing or do not fit each other.
    """

    def __init__(self, archive: Members, paths: Sequence[str], check: bool = True) -> None:
        self._texts = {column: Strings.of(archive, f"symbol.{column}") for column in SYMBOLS.texts}
        self._numbers = archive.array("symbol.numbers")
        self.parents: NDArray[np.int32] = archive.array("symbol.parent")
        self.path_numbers: NDArray[np.int32] = archive.array("symbol.path")
        self._kind: NDArray[np.int8] = archive.array("symbol.kind")
        self._language: NDArray[np.int16] = archive.array("symbol.language")
        self._decorated = archive.array("symbol.decorated")
        self._decorators = Strings.of(archive, "symbol.decorators")
        self._kinds = cast("list[SymbolKind]", Strings.of(archive, "symbol.kinds").all())
        self._languages = Strings.of(archive, "symbol.languages").all()
        self.paths = paths
        n = len(self.parents)
        if check:
            self._check(n)
        super().__init__(n)

    def _check(self, n: int) -> None:
        check_rows(n, *self._texts.values(), self.path_numbers, self._kind, self._language, self._numbers)
        check_rows(n + 1, self._decorated)
        check_range(self.parents, -1, n)
        check_parents(self.parents)
        check_lines(self._numbers)
        check_range(self.path_numbers, 0, len(self.paths))
        check_range(self._kind, 0, len(self._kinds))
        check_range(self._language, 0, len(self._languages))
        if not set(self._kinds) <= set(SYMBOL_KINDS):
            raise ValueError("symbols of unknown kinds")

    @cached_property
    def ids(self) -> Sequence[str]:
        return self._texts["id"].all()

    def column(self, name: str) -> list[str]:
        """Return the texts of all symbols in a column of `SYMBOLS.texts`."""
        return self._texts[name].all()

    @cached_property
    def kinds(self) -> list[SymbolKind]:
        kinds = self._kinds
        return [kinds[code] for code in self._kind.tolist()]

    def of_kinds(self, kinds: Collection[str]) -> NDArray[np.bool_]:
        """Return a mask over the symbols, shape (n_symbols,): True if the symbol has one of `kinds`."""
        found: NDArray[np.bool_] = np.array([each in kinds for each in self._kinds], np.bool_)[self._kind]
        return found

    def names_in(self, start: int, stop: int) -> list[str]:
        return self._texts["name"].run(start, stop)

    def kinds_in(self, start: int, stop: int) -> list[SymbolKind]:
        return [self._kinds[code] for code in self._kind[start:stop].tolist()]

    def kinds_counted(self) -> dict[str, int]:
        counts = np.bincount(self._kind, minlength=len(self._kinds)).tolist()
        return {kind: count for kind, count in zip(self._kinds, counts, strict=True) if count}

    def name(self, row: int) -> tuple[str, SymbolKind, str]:
        """Return (name, kind, path) of the symbol at `row`."""
        return self._texts["name"].at(row), self._kinds[self._kind[row]], self.paths[self.path_numbers[row]]

    def fqn(self, row: int) -> str:
        return self._texts["fqn"].at(row)

    def innermost(self, rows: Sequence[int], line: int) -> int | None:
        """Return the last of the shortest symbols whose span contains a line, of `rows`; None if there is none."""
        together = len(rows) == rows[-1] + 1 - rows[0]  # a slice is a view
        numbers = self._numbers[rows[0] : rows[-1] + 1] if together else self._numbers[rows]
        around = np.flatnonzero((numbers[:, 0] <= line) & (line <= numbers[:, 1]))[::-1]
        if not len(around):
            return None
        sizes = numbers[around, 3] - numbers[around, 2]
        return rows[int(around[sizes.argmin()])]

    def records(self, places: bool = True) -> list[Symbol]:
        """Return the records of all symbols, without keeping them. This is several times as fast as access row by row.

        With ``places=False``, only blocks of calls have spans (of lines), which saves a quarter of the time.
        """
        ids, paths, languages = self.ids, self.paths, self._languages
        texts = {column: strings.all() for column, strings in self._texts.items()}
        # names and signatures are interned because many symbols have the same
        names, signatures = (list(map(sys.intern, texts[column])) for column in ("name", "signature"))
        files = [paths[number] for number in self.path_numbers.tolist()]
        spans: list[Span] = list(map(Span._make, self._numbers[:, :4].tolist())) if places else self._blocks(names)
        lines = self._numbers[:, 4].tolist()
        spoken = [languages[number] for number in self._language.tolist()]
        parents = [None if parent < 0 else ids[parent] for parent in self.parents.tolist()]
        listed = self._decorators.all()
        decorators = [tuple(listed[start:end]) for start, end in pairwise(self._decorated.tolist())]
        columns: list[Any] = [ids, texts["fqn"], names, self.kinds, files, spans, lines, spoken]
        return list(map(Symbol, *columns, parents, signatures, texts["doc"], decorators))

    def _blocks(self, names: Sequence[str]) -> list[Span]:
        """Return a span for each symbol: of a block that is named by its call, the lines; of another one, nowhere."""
        spans = [_NOWHERE] * len(names)
        for row in np.flatnonzero(self.of_kinds({"lambda"})).tolist():
            if is_block("lambda", names[row]):
                first, last = self._numbers[row, :2].tolist()
                spans[row] = Span(first, last, 0, 0)
        return spans

    def _make(self, row: int) -> Symbol:
        *span, line = self._numbers[row].tolist()
        parent = int(self.parents[row])
        fqn, name, signature, doc = (self._texts[column][row] for column in SYMBOLS.texts[1:])
        kind, language = self._kinds[self._kind[row]], self._languages[self._language[row]]
        place = self.paths[self.path_numbers[row]], Span._make(span), line
        owner = None if parent < 0 else self.ids[parent]
        decorators = tuple(self._decorators[int(self._decorated[row]) : int(self._decorated[row + 1])])
        return Symbol(self.ids[row], fqn, name, kind, *place, language, owner, signature, doc, decorators)


def check_rows(n: int, *columns: Any) -> None:
    if any(len(column) != n for column in columns):
        raise ValueError("columns of different lengths")


def check_range(numbers: NDArray[Any], low: int, stop: int) -> None:
    if len(numbers) and (int(numbers.min()) < low or int(numbers.max()) >= stop):
        raise ValueError("a number out of range")


class RowsBy(Mapping[str, Sequence[int]]):
    """Mapping from key to rows, stored as flat arrays. The rows of the i-th key are ``rows[first[i]:first[i + 1]]``."""

    def __init__(self, place: dict[str, int], first: NDArray[np.integer], rows: NDArray[np.integer]) -> None:
        self._place, self._first, self._rows = place, first, rows

    @classmethod
    def of(cls, keys: Sequence[str], first: NDArray[np.integer], rows: NDArray[np.integer]) -> RowsBy:
        """Return the mapping with these keys, which may come from a file. Raises DamagedIndex and ValueError."""
        check_rows(len(keys) + 1, first)
        check_range(first, 0, len(rows) + 1)
        if len(place := {key: number for number, key in enumerate(keys)}) < len(keys):
            raise DamagedIndex(f"{len(keys) - len(place):,} names of the index occur twice")
        return cls(place, first, rows)

    def __getitem__(self, key: str) -> list[int]:
        place = self._place[key]
        found: list[int] = self._rows[int(self._first[place]) : int(self._first[place + 1])].tolist()
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._place)

    def __len__(self) -> int:
        return len(self._place)


def check_parents(parents: NDArray[np.int32]) -> None:
    """Raise ValueError if a symbol is its own ancestor, because a walk over its ancestors would never end.

    Source: pointer jumping. Each round follows twice as many parent links as the previous round.
    """
    n = len(parents)
    above = np.append(np.where(parents < 0, n, parents), n)
    for _ in range(n.bit_length() + 1):
        if bool((above == n).all()):
            return
        above = above[above]
    raise ValueError("symbols that lie within themselves")


def check_lines(spans: NDArray[Any]) -> None:
    """Raise ValueError if a span has lines that no text can have.

    Lines are counted from 1, and a span of n lines has at least n - 1 bytes. `spans` has shape (n, 4 or more).
    """
    if not len(spans):
        return
    start, end, first, last = (spans[:, column] for column in range(4))
    if min(int(start.min()), int(first.min()) + 1) < 1 or bool(((end < start) | (end - start > last - first)).any()):
        raise ValueError("lines that no text has")


def check_pointers(starts: NDArray[Any], n: int, size: int) -> None:
    """Raise ValueError unless `starts`, shape (n + 1,), divides `size` rows into n runs."""
    if len(starts) != n + 1 or starts[0] != 0 or starts[-1] != size or bool((np.diff(starts) < 0).any()):
        raise ValueError("runs that overlap or lead out")


class Texts(Protocol):
    """Access to the texts of files as UTF-8, to which the byte offsets of spans refer."""

    def data(self, path: str) -> bytes | memoryview:
        """Return a file's text as UTF-8. Characters that can't be encoded are replaced."""


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

    `archive` has the members from `chunk_members` or `columns.splice`. Raises DamagedIndex or ValueError if columns are
    missing or do not fit each other.
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

    def contexts(self) -> Iterator[str]:
        """Yield the contexts of all chunks. No records are made."""
        symbols = self._symbols
        paths, fqns, signatures = symbols.paths, symbols.column("fqn"), symbols.column("signature")
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
                data = memoryview(self._texts.data(self._symbols.paths[path]))
            places = range(first[row], first[row + 1])
            text = str(b"\n".join([data[begins[at] : ends[at]] for at in places]), "utf-8", "replace")
            yield context, text

    def covers(self, row: int, line: int) -> bool:
        spans = self._spans[int(self._first_span[row]) : int(self._first_span[row + 1])].tolist()
        return any(first <= line <= last for first, last, _, _ in spans)

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
