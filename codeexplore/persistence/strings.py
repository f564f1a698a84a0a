"""Many texts as one: UTF-8 in a row, and where each begins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from codeexplore.errors import DamagedIndex

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from codeexplore.persistence.archive import Member
    from codeexplore.persistence.columns import Members


def encode_text(text: str) -> bytes:
    """UTF-8; lone surrogates, which a notebook's JSON can bring, are kept."""
    return text.encode("utf-8", "surrogatepass")


def decode_text(data: Any) -> str:
    """The inverse of `encode_text`. Raises DamagedIndex for bytes that it never makes."""
    try:
        return str(data, "utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise DamagedIndex(f"a text of the index can't be read ({error.reason})") from error


def packed(name: str, texts: Iterable[str]) -> dict[str, Member]:
    """The members that hold some texts; `Strings.of` reads them."""
    encoded = [encode_text(text) for text in texts]
    offsets = np.zeros(len(encoded) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, encoded), np.int64, len(encoded)), out=offsets[1:])
    return {f"{name}.txt": b"".join(encoded), f"{name}.offsets": offsets}


class Strings(Sequence[str]):
    """Texts that are decoded when they are asked for.

    Parameters
    ----------
    data
        The UTF-8 of all texts in a row.
    offsets
        Where each begins, and where the last one ends: shape (n + 1,), ascending.

    Raises
    ------
    ValueError
        The offsets don't fit the data.
    """

    def __init__(self, data: memoryview, offsets: NDArray[np.int64]) -> None:
        if not len(offsets) or offsets[0] != 0 or offsets[-1] != len(data) or bool((np.diff(offsets) < 0).any()):
            raise ValueError("texts and their offsets don't fit")
        self.data, self.offsets = data, offsets

    @classmethod
    def of(cls, archive: Members, name: str) -> Strings:
        """The texts that `packed` stored under a name."""
        held = archive.texts(name)
        return cls(archive.bytes(f"{name}.txt"), archive.array(f"{name}.offsets")) if held is None else held

    def at(self, row: int) -> str:
        """One text, by a row that is known to be there: a question reads hundreds."""
        return decode_text(self.raw(row))

    def raw(self, row: int) -> memoryview:
        """The UTF-8 of one text."""
        return self.data[int(self.offsets[row]) : int(self.offsets[row + 1])]

    def rows_of(self, text: str) -> NDArray[np.int64]:
        """The rows with a text, ascending, found without decoding any."""
        wanted, data = encode_text(text), np.frombuffer(self.data, np.uint8)
        rows = np.flatnonzero(np.diff(self.offsets) == len(wanted))
        for place, byte in enumerate(wanted):
            rows = rows[data[self.offsets[rows] + place] == byte]
        return rows

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
        """Some consecutive texts, decoded in one go. Raises DamagedIndex."""
        first, last = int(self.offsets[start]), int(self.offsets[stop])
        return Strings(self.data[first:last], self.offsets[start : stop + 1] - first).all()

    def all(self) -> list[str]:
        """Every text, decoded in one go. Raises DamagedIndex."""
        text, offsets = decode_text(self.data), self.offsets
        if len(text) < len(self.data):  # not all is ASCII: from bytes to characters
            begins = np.frombuffer(self.data, np.uint8) & 0xC0 != 0x80
            if not bool(begins[offsets[offsets < len(begins)]].all()):
                return [decode_text(self.raw(row)) for row in range(len(self))]  # which tells what is wrong
            offsets = np.append(0, np.cumsum(begins))[offsets]
        return [text[start:end] for start, end in pairwise(offsets.tolist())]
