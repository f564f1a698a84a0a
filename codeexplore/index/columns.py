"""Tables of columns in memory. The tables of batches are joined, and tables are made anew after an edit.

Runs of rows are copied as a whole, without making records. The members have the form of an archive, so the same code
reads a fresh index, a refreshed index and a stored index.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import numpy as np

from codeexplore.index.string_column import Strings, packed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from codeexplore.index.string_column import Member, Members


T = TypeVar("T")


class Columns:
    """Members in memory: arrays and bytes, by name."""

    path = "memory"

    def __init__(self, members: Mapping[str, Member]) -> None:
        self._members = members

    def array(self, name: str) -> NDArray[Any]:
        return cast("NDArray[Any]", self._members[name])

    def bytes(self, file: str) -> memoryview:
        return memoryview(cast("bytes", self._members[file]))


class _Kind(NamedTuple):
    """Names of the columns of symbols, or of chunks."""

    name: str
    texts: tuple[str, ...]
    plain: tuple[str, ...]
    codes: tuple[tuple[str, str], ...]  # column of numbers → its words
    symbols: str  # column that refers to rows of symbols, -1 for none
    first: str  # column with the first item of each row
    items: str  # column of the items: a symbol's decorators, a chunk's spans


SYMBOLS = _Kind(
    "symbol",
    ("id", "fqn", "name", "signature", "doc"),
    ("numbers",),
    (("kind", "kinds"), ("language", "languages")),
    "parent",
    "decorated",
    "decorators",
)
CHUNKS = _Kind("chunk", ("id", "context"), ("part",), (("language", "languages"),), "symbol", "first_span", "spans")


def members_in(source: Members, kind: _Kind) -> dict[str, Member]:
    """Return all members of symbols, or of chunks, in their stored form."""
    found: dict[str, Member] = {}
    texts = [*kind.texts, *(words for _, words in kind.codes)]
    if kind is SYMBOLS:
        texts.append(kind.items)
    else:
        found[f"{kind.name}.{kind.items}"] = source.array(f"{kind.name}.{kind.items}")
    for text in texts:
        found[f"{kind.name}.{text}.txt"] = bytes(source.bytes(f"{kind.name}.{text}.txt"))
        found[f"{kind.name}.{text}.offsets"] = source.array(f"{kind.name}.{text}.offsets")
    for column in (*kind.plain, *(column for column, _ in kind.codes), kind.symbols, kind.first, "path"):
        found[f"{kind.name}.{column}"] = source.array(f"{kind.name}.{column}")
    return found


# --------------------------------------------------------------------------- splicing


class Run(NamedTuple):
    """Consecutive rows of one part."""

    part: int
    start: int
    stop: int


class Spliced(NamedTuple):
    """New tables, and the positions of old rows in them.

    `symbols` and `chunks` are the runs of old rows that make up the new tables. `symbol_rows` contains an array for
    each part: the new row of each of its symbols, -1 if the symbol was removed.
    """

    members: dict[str, Member]
    symbols: list[Run]
    chunks: list[Run]
    symbol_rows: list[NDArray[np.int32]]

    def chunk_order(self, sizes: Sequence[int]) -> NDArray[np.int64]:
        """Return the old row of each new chunk, counted through all parts, which have `sizes` chunks."""
        base = np.cumsum([0, *sizes])
        made = [np.arange(start, stop, dtype=np.int64) + base[part] for part, start, stop in self.chunks]
        return np.concatenate(made) if made else np.zeros(0, np.int64)


def taken(runs: Sequence[Run], lists: Sequence[Sequence[T]]) -> list[T]:
    """Return a new column that consists of runs of old columns. `lists` has one old column for each part."""
    made: list[T] = []
    for part, start, stop in runs:
        made += lists[part][start:stop]
    return made


def is_first(runs: Sequence[Run], columns: Sequence[Sequence[T]]) -> bool:
    """Return True if the new column equals the first old one. Only rows of other parts are compared."""
    first, at = columns[0], 0
    for part, start, stop in runs:
        end = at + stop - start
        if start != at if part == 0 else end > len(first) or columns[part][start:stop] != first[at:end]:
            return False
        at = end
    return at == len(first)


def splice(parts: Sequence[Members], order: Sequence[tuple[int, int]]) -> Spliced:
    """Make the tables for a list of files from several older tables.

    Parameters
    ----------
    parts
        The older tables. Each contains symbols and chunks in the order of its files.
    order
        The new list of files: (index of the part, number of the file in this part) of each. A file may occur only
        once.
    """
    renumbered = _renumbered(parts, order)
    of_files = _runs(order)
    symbols = _Splice(SYMBOLS, parts, of_files, renumbered)
    chunks = _Splice(CHUNKS, parts, of_files, renumbered)
    members = {**symbols.members(symbols.rows), **chunks.members(symbols.rows)}
    return Spliced(members, symbols.runs, chunks.runs, symbols.rows)


def symbols_in(source: Members, first: int, stop: int) -> dict[str, Member]:
    """Return the members for the symbols of consecutive files. The files are numbered from 0 in the result."""
    order = [(0, file) for file in range(first, stop)]
    renumbered = _renumbered([source], order)
    found = _Splice(SYMBOLS, [source], _runs(order), renumbered)
    return found.members(found.rows)


def _renumbered(parts: Sequence[Members], order: Sequence[tuple[int, int]]) -> list[NDArray[np.int32]]:
    """Return for each part an array with the new numbers of its files."""
    count = [0] * len(parts)
    for part, file in order:
        count[part] = max(count[part], file + 1)
    for part, source in enumerate(parts):
        for kind in (SYMBOLS, CHUNKS):
            numbers = source.array(f"{kind.name}.path")
            if len(numbers):
                count[part] = max(count[part], int(numbers[-1]) + 1)
    made = [np.full(size, -1, np.int32) for size in count]
    for number, (part, file) in enumerate(order):
        made[part][file] = number
    return made


def _runs(order: Iterable[tuple[int, int]]) -> list[Run]:
    runs: list[Run] = []
    part, start, stop = -1, 0, 0
    for each, file in order:
        if each == part and file == stop:
            stop += 1
            continue
        if part >= 0:
            runs.append(Run(part, start, stop))
        part, start, stop = each, file, file + 1
    if part >= 0:
        runs.append(Run(part, start, stop))
    return runs


class _Splice:
    """The splice of one kind of row: of symbols, or of chunks."""

    def __init__(
        self,
        kind: _Kind,
        parts: Sequence[Members],
        of_files: Sequence[Run],
        files: Sequence[NDArray[np.int32]],
    ) -> None:
        self._kind, self._parts, self._files = kind, parts, files
        paths = [part.array(f"{kind.name}.path") for part in parts]
        bounds = [np.searchsorted(path, np.arange(len(new) + 1)) for path, new in zip(paths, files, strict=True)]
        self.runs = [Run(p, int(bounds[p][start]), int(bounds[p][stop])) for p, start, stop in of_files]
        self.rows = [np.full(len(path), -1, np.int32) for path in paths]
        at = 0
        for part, start, stop in self.runs:
            self.rows[part][start:stop] = np.arange(at, at + stop - start, dtype=np.int32)
            at += stop - start

    def members(self, symbols: Sequence[NDArray[np.int32]]) -> dict[str, Member]:
        """Return the new members. `symbols` contains the new rows of symbols, see `Spliced.symbol_rows`."""
        kind, name = self._kind, self._kind.name
        made: dict[str, Member] = {
            f"{name}.path": self._joined(self._taken("path", self._files)),
            f"{name}.{kind.symbols}": self._joined(self._taken(kind.symbols, symbols)),
        }
        for column in kind.plain:
            pieces = [self._column(column, run)[run.start : run.stop] for run in self.runs]
            made[f"{name}.{column}"] = self._joined(pieces, self._parts[0].array(f"{name}.{column}"))
        for column, words in kind.codes:
            made |= self._codes(column, words)
        for text in kind.texts:
            made |= self._texts(text, self.runs)
        return made | self._items()

    def _column(self, column: str, run: Run) -> NDArray[Any]:
        return self._parts[run.part].array(f"{self._kind.name}.{column}")

    def _taken(self, column: str, new: Sequence[NDArray[np.int32]]) -> list[NDArray[np.int32]]:
        """Return the runs of a column of row numbers, each replaced by its entry in `new`; -1 stays."""
        found = []
        for run in self.runs:
            numbers = self._column(column, run)[run.start : run.stop]
            table = new[run.part]
            found.append(np.where(numbers < 0, np.int32(-1), table[numbers]) if len(table) else numbers)
        return found

    def _joined(self, pieces: Sequence[NDArray[Any]], like: NDArray[Any] | None = None) -> NDArray[Any]:
        if pieces:
            return np.concatenate(pieces)
        return np.zeros(0, np.int32) if like is None else like[:0]

    def _codes(self, column: str, words: str) -> dict[str, Member]:
        name, number = self._kind.name, dict[str, int]()
        tables = []
        for part in self._parts:
            column_words = Strings.of(part, f"{name}.{words}").all()
            tables.append(np.array([number.setdefault(word, len(number)) for word in column_words], np.int16))
        pieces = [tables[run.part][self._column(column, run)[run.start : run.stop]] for run in self.runs]
        kept = np.int8 if column == "kind" else np.int16
        return {f"{name}.{column}": self._joined(pieces).astype(kept), **packed(f"{name}.{words}", number)}

    def _texts(self, text: str, runs: Sequence[Run]) -> dict[str, Member]:
        name = f"{self._kind.name}.{text}"
        columns = [Strings.of(part, name) for part in self._parts]
        if is_first(runs, columns):  # an edit that changed no text of this column
            data = columns[0].data
            return {
                f"{name}.txt": data.obj if isinstance(data.obj, bytes) else bytes(data),
                f"{name}.offsets": columns[0].offsets,
            }
        pieces, offsets, at = [], [np.zeros(1, np.int64)], 0
        for part, start, stop in runs:
            data, starts = columns[part].data, columns[part].offsets
            first, last = int(starts[start]), int(starts[stop])
            pieces.append(data[first:last])
            offsets.append(starts[start + 1 : stop + 1] + (at - first))
            at += last - first
        return {f"{name}.txt": b"".join(pieces), f"{name}.offsets": np.concatenate(offsets)}

    def _items(self) -> dict[str, Member]:
        """Return the members for the lists of items in each row, which are decorators or spans."""
        kind, name = self._kind, self._kind.name
        firsts, runs, at = [np.zeros(1, np.int32)], [], 0
        for run in self.runs:
            first = self._column(kind.first, run)
            begin, end = int(first[run.start]), int(first[run.stop])
            firsts.append((first[run.start + 1 : run.stop + 1] + (at - begin)).astype(np.int32))
            runs.append(Run(run.part, begin, end))
            at += end - begin
        made: dict[str, Member] = {f"{name}.{kind.first}": np.concatenate(firsts)}
        if kind is SYMBOLS:
            return made | self._texts(kind.items, runs)
        pieces = [self._column(kind.items, run)[run.start : run.stop] for run in runs]
        return made | {f"{name}.{kind.items}": self._joined(pieces, np.zeros((0, 4), np.int32))}
