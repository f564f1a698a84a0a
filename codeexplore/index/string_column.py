"""Columns of texts.

`Strings` is a column in one piece: the UTF-8 of all texts, concatenated, and the offset of each text. After an edit,
most rows are unchanged. `Pieces` and `NamesInRuns` then represent the new column as runs of rows of older columns,
without copying the texts.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, overload

import numpy as np

from codeexplore.errors import DamagedIndex

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

    def texts(self, name: str) -> Strings | None:
        """Return the column of texts with this name if it is not in one piece; None if it is stored as a member."""


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
    """Return the members that store the given texts. `Strings.of` reads them."""
    listed = list(texts)
    joined = "".join(listed)
    data = encode_text(joined)
    sizes = listed if len(data) == len(joined) else map(encode_text, listed)  # as many bytes as characters: all ASCII
    offsets = np.zeros(len(listed) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, sizes), np.int64, len(listed)), out=offsets[1:])
    return {f"{name}.txt": data, f"{name}.offsets": offsets}


class Strings(Sequence[str]):
    """A column of texts in one piece. A text is decoded when it is requested.

    Parameters
    ----------
    data
        The UTF-8 of all texts, concatenated.
    offsets
        The start of each text, and the end of the last one: shape (n + 1,), ascending.

    Raises
    ------
    ValueError
        The offsets do not fit the data.
    """

    def __init__(self, data: memoryview, offsets: NDArray[np.int64]) -> None:
        if not len(offsets) or offsets[0] != 0 or offsets[-1] != len(data) or bool((np.diff(offsets) < 0).any()):
            raise ValueError("texts and their offsets don't fit")
        self.data, self.offsets = data, offsets

    @classmethod
    def of(cls, archive: Members, name: str) -> Strings:
        """Return the column of texts that `packed` stored under a name."""
        pieces = archive.texts(name)
        return cls(archive.bytes(f"{name}.txt"), archive.array(f"{name}.offsets")) if pieces is None else pieces

    def at(self, row: int) -> str:
        """Return the text at `row`, which must exist.

        A question reads hundreds of texts, so nothing is checked here.
        """
        return decode_text(self.raw(row))

    def raw(self, row: int) -> memoryview:
        """Return the UTF-8 of the text at `row`."""
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


MOST_RUNS = 64
"""A column of more runs than this is copied into one piece: a lookup takes time, and removed rows still use memory."""


_MANY = 10_000
"""Number of lookups after which `NamesInRuns` copies its rows into one list."""


class Run(NamedTuple):
    """Consecutive rows of one part."""

    part: int
    start: int
    stop: int


class Pieces(Strings):
    """A column of texts that consists of runs of rows of other columns.

    It is joined into one piece when all texts are needed.

    Parameters
    ----------
    parts
        The other columns, each in one piece.
    runs
        The rows that are used, in their order.
    """

    def __init__(self, parts: Sequence[Strings], runs: Sequence[Run]) -> None:
        self._parts, self.runs = parts, runs
        self._starts = [0, *accumulate(stop - start for _, start, stop in runs)]

    @cached_property
    def joined(self) -> Strings:
        """Return the column in one piece."""
        pieces, offsets, at = [], [np.zeros(1, np.int64)], 0
        for part, start, stop in self.runs:
            data, starts = self._parts[part].data, self._parts[part].offsets
            first, last = int(starts[start]), int(starts[stop])
            pieces.append(data[first:last])
            offsets.append(starts[start + 1 : stop + 1] + (at - first))
            at += last - first
        return Strings(memoryview(b"".join(pieces)), np.concatenate(offsets))

    def raw(self, row: int) -> memoryview:
        """Return the UTF-8 of the text at `row`."""
        at = bisect_right(self._starts, row) - 1
        part, start, _ = self.runs[at]
        return self._parts[part].raw(start + row - self._starts[at])

    def __len__(self) -> int:
        return self._starts[-1]

    def all(self) -> list[str]:
        """Return every text."""
        return self.joined.all()

    def within(self, start: int, stop: int) -> list[tuple[Strings, int, int]]:
        """Return the runs that contain the rows from `start` to before `stop`.

        Each is (column in one piece, first row, last row + 1).
        """
        found = []
        at = bisect_right(self._starts, start) - 1
        while start < stop:
            part, first, _ = self.runs[at]
            end = min(stop, self._starts[at + 1])
            if end > start:
                shift = first - self._starts[at]
                found.append((self._parts[part], start + shift, end + shift))
            start, at = end, at + 1
        return found


def in_one_piece(texts: Strings) -> Strings:
    """Return a column with its bytes in one piece."""
    return texts.joined if isinstance(texts, Pieces) else texts


def taken_from(parts: Sequence[Strings], runs: Sequence[Run]) -> Strings:
    """Return a column made of runs of rows of other columns. Texts are copied only if there are too many runs."""
    flat: list[tuple[Strings, int, int]] = []
    for part, start, stop in runs:
        own = parts[part]
        found = own.within(start, stop) if isinstance(own, Pieces) else [(own, start, stop)] if stop > start else []
        for text, first, last in found:
            if flat and flat[-1][0] is text and flat[-1][2] == first:
                flat[-1] = (text, flat[-1][1], last)
            else:
                flat.append((text, first, last))
    number: dict[int, int] = {}
    for text, _, _ in flat:
        number.setdefault(id(text), len(number))
    held_parts = list({id(text): text for text, _, _ in flat}.values())
    made = Pieces(held_parts, [Run(number[id(text)], first, last) for text, first, last in flat])
    return made.joined if len(flat) > MOST_RUNS or not flat else made


class NamesInRuns(Sequence[str]):
    """Runs of rows of several lists, as one sequence.

    They are copied into one list when all rows or many rows are read.

    Parameters
    ----------
    runs
        For each run: the list, its first row, and its last row + 1.
    """

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, runs: Sequence[tuple[list[str], int, int]]) -> None:
        self.runs = runs
        self._starts = [0, *accumulate(stop - start for _, start, stop in runs)]
        self._asked, self._whole = 0, list[str]()

    def whole(self) -> list[str]:
        """Return all rows as one list."""
        if not self._whole:
            self._whole = [name for names, start, stop in self.runs for name in names[start:stop]]
        return self._whole

    def __len__(self) -> int:
        return self._starts[-1]

    @overload
    def __getitem__(self, row: int) -> str: ...
    @overload
    def __getitem__(self, row: slice) -> list[str]: ...
    def __getitem__(self, row: int | slice) -> str | list[str]:
        if self._whole or isinstance(row, slice) or row < 0 or self._asked > _MANY:
            return self.whole()[row]
        self._asked += 1
        at = bisect_right(self._starts, row) - 1
        if at == len(self.runs):
            raise IndexError(row)
        names, start, _ = self.runs[at]
        return names[start + row - self._starts[at]]

    def __iter__(self) -> Iterator[str]:
        return iter(self.whole())

    def __eq__(self, other: object) -> bool:
        return self.whole() == (other.whole() if isinstance(other, NamesInRuns) else other)


def names_from(lists: Sequence[Sequence[str]], runs: Sequence[Run]) -> Sequence[str]:
    """Return runs of rows of several lists as one sequence.

    If it equals the first list, return the first list itself.
    """
    old, at, same = lists[0], 0, True
    flat: list[tuple[list[str], int, int]] = []
    for part, start, stop in runs:
        end, names = at + stop - start, lists[part]
        same = same and end <= len(old)
        same = same and (start == at if part == 0 else list(names[start:stop]) == [old[row] for row in range(at, end)])
        at = end
        flat += _within(names, start, stop)
    if same and at == len(old):
        return old
    made = NamesInRuns(flat)
    return made.whole() if len(flat) > MOST_RUNS else made


def _within(rows: Sequence[str], start: int, stop: int) -> list[tuple[list[str], int, int]]:
    """Return the runs that contain the rows from `start` to before `stop`: (list, first row, last row + 1)."""
    if isinstance(rows, list):
        return [(rows, start, stop)] if stop > start else []
    assert isinstance(rows, NamesInRuns)
    found, at = [], 0
    for names, first, last in rows.runs:
        low, high = max(start, at), min(stop, at + last - first)
        if high > low:
            found.append((names, first + low - at, first + high - at))
        at += last - first
    return found
