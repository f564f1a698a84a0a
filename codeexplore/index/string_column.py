"""Columns of texts: the UTF-8 of all texts, concatenated, and the offset of each text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, overload

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
    """A column of texts. A text is decoded when it is requested.

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
