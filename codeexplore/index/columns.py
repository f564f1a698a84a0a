"""Columns: texts as one block of UTF-8 with the offset of each text, and tables of columns in memory.

The tables of batches are joined, and tables are made anew after an edit. Runs of rows are copied as a whole, without
making records. The members have the form of an archive, so the same code reads a fresh index, a refreshed index and a
stored index.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, TypeVar, cast, overload

import numpy as np

from codeexplore.types.errors import DamagedIndex

if TYPE_CHECKING:
    from numpy.typing import NDArray

Member: TypeAlias = "NDArray[Any] | bytes"
"""Array or bytes, by name in memory or in an archive."""
_CONTINUES = np.int8(-64)
"""Bytes below this value, as signed numbers, continue a character of UTF-8; all others begin one."""


class Members(Protocol):
    """Access to named members: an archive, or `Columns`."""

    @property
    def path(self) -> Any:
        """Place of the members, for messages."""

    def array(self, name: str) -> NDArray[Any]:
        """Return an array by its name, read-only."""

    def bytes(self, file: str) -> memoryview:
        """Return the bytes of a member that is not an array."""


def encode_text(text: str) -> bytes:
    """Return a text as UTF-8. Lone surrogates, which the JSON of a notebook can contain, are kept."""
    return text.encode("utf-8", "surrogatepass")


def decode_text(data: Any) -> str:
    """Return the text from the bytes of `encode_text`. Raises DamagedIndex for other bytes."""
    try:
        return str(data, "utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise DamagedIndex(f"a text of the index can't be read ({error.reason})") from error


def packed(name: str, texts: Iterable[str]) -> dict[str, Member]:
    listed = list(texts)
    joined = "".join(listed)
    data = encode_text(joined)
    sizes = listed if len(data) == len(joined) else map(encode_text, listed)  # as many bytes as characters: all ASCII
    offsets = np.zeros(len(listed) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, sizes), np.int64, len(listed)), out=offsets[1:])
    return {f"{name}.txt": data, f"{name}.offsets": offsets}


class Strings(Sequence[str]):
    """A column of texts: the UTF-8 of all texts, concatenated. A text is decoded when it is requested.

    `offsets` has the start of each text and the end of the last one: shape (n + 1,), ascending. Raises ValueError if
    the offsets do not fit the data.
    """

    def __init__(self, data: memoryview, offsets: NDArray[np.int64]) -> None:
        if not len(offsets) or offsets[0] != 0 or offsets[-1] != len(data) or bool((offsets[1:] < offsets[:-1]).any()):
            raise ValueError("texts and their offsets don't fit")
        self.data, self.offsets = data, offsets

    @classmethod
    def of(cls, archive: Members, name: str) -> Strings:
        """Return the column of texts that `packed` stored under a name."""
        return cls(archive.bytes(f"{name}.txt"), archive.array(f"{name}.offsets"))

    def at(self, row: int) -> str:
        """Return the text at `row`. A question reads hundreds of texts, so nothing is checked here."""
        return decode_text(self.raw(row))

    def raw(self, row: int) -> memoryview:
        return self.data[int(self.offsets[row]) : int(self.offsets[row + 1])]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, row: int) -> str: ...
    @overload
    def __getitem__(self, row: slice) -> list[str]: ...
    def __getitem__(self, row: int | slice) -> str | list[str]:
        if isinstance(row, slice):
            return [self[index] for index in range(*row.indices(len(self)))]
        if not -len(self) <= row < len(self):
            raise IndexError(row)
        return decode_text(self.raw(row % len(self)))

    def __iter__(self) -> Iterator[str]:
        return iter(self.all())

    def run(self, start: int, stop: int) -> list[str]:
        """Return the texts from row `start` to before row `stop`, decoded in one step. Raises DamagedIndex."""
        first, last = int(self.offsets[start]), int(self.offsets[stop])
        return Strings(self.data[first:last], self.offsets[start : stop + 1] - first).all()

    def all(self) -> list[str]:
        """Return every text, decoded in one step. Raises DamagedIndex."""
        text, offsets = decode_text(self.data), self.offsets
        if len(text) < len(self.data):  # not only ASCII: convert offsets in bytes to offsets in characters
            inside = np.frombuffer(self.data, np.int8) < _CONTINUES
            if bool(inside[offsets[offsets < len(inside)]].any()):
                return [decode_text(self.raw(row)) for row in range(len(self))]  # raises the error for the invalid text
            offsets = offsets - np.searchsorted(np.flatnonzero(inside), offsets)
        return [text[start:end] for start, end in pairwise(offsets.tolist())]


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

    Each of `parts` contains symbols and chunks in the order of its files. `order` is the new list of files: (index of
    the part, number of the file in this part) of each. A file may occur only once.
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
        self, kind: _Kind, parts: Sequence[Members], of_files: Sequence[Run], files: Sequence[NDArray[np.int32]]
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
