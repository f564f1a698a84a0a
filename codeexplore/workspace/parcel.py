"""What a batch of files gave, in the one form in which it travels between processes and is kept: bytes and columns.

Travelling is `marshal` over plain data, an order of magnitude quicker than pickling records; it never outlives the
process, since its format belongs to one Python version. What is kept of a file's facts is a line of compressed JSON.
"""

from __future__ import annotations

import marshal
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from codeexplore.persistence.chunks import chunk_members
from codeexplore.persistence.facts import pack_facts, plain_facts
from codeexplore.persistence.strings import decode_text, encode_text
from codeexplore.persistence.symbols import Codes, symbol_members
from codeexplore.types import Cell, FileIndex, Skipped, SourceFile, WordCounts

if TYPE_CHECKING:
    from codeexplore.persistence.archive import Member


class FileRow(NamedTuple):
    """One analysed file without its symbols and chunks."""

    path: str
    language: str
    data: bytes  # its text, see `encode_text`
    sha256: str
    encoding: str
    cells: tuple[tuple[Any, ...], ...]
    characters: int
    lines: int
    with_errors: bool
    warnings: tuple[str, ...]
    line: bytes  # its facts as they are kept and stored
    facts: bytes = b""  # the same for another process of this Python: quicker to read, given up after a resolution

    def kept(self) -> FileRow:
        """The row as an index keeps it."""
        return self._replace(facts=b"")

    def file(self) -> SourceFile:
        """The file with its text."""
        cells = tuple(Cell(*cell) for cell in self.cells)
        return SourceFile(self.path, self.language, decode_text(self.data), self.sha256, self.encoding, cells)

    def utf8(self) -> bytes:
        """The bytes that spans count: what can't be encoded is replaced."""
        if b"\xed" not in self.data:  # what lone surrogates begin with
            return self.data
        return decode_text(self.data).encode("utf-8", "replace")


class Parcel(NamedTuple):
    """What some files gave, files in their given order; `members` hold the symbols and chunks of those analysed."""

    files: list[FileRow | Skipped]
    members: Mapping[str, Member]
    counts: WordCounts

    def rows(self) -> list[FileRow]:
        """The files that were analysed."""
        return [file for file in self.files if isinstance(file, FileRow)]


def parcel_of(files: Sequence[FileIndex | Skipped], counts: WordCounts) -> Parcel:
    """The parcel of analysed files; `counts` are the words of their chunks."""
    held = [file for file in files if isinstance(file, FileIndex)]
    symbols = [symbol for file in held for symbol in file.facts.symbols]
    chunks = [chunk for file in held for chunk in file.chunks]
    paths = Codes()
    paths.of([file.file.path for file in held])
    members = {
        **symbol_members(symbols, paths),
        **chunk_members(chunks, {symbol.id: symbol for symbol in symbols}, paths),
    }
    return Parcel([_row(file) if isinstance(file, FileIndex) else file for file in files], members, counts)


def _row(index: FileIndex) -> FileRow:
    file, text = index.file, index.file.text
    return FileRow(
        file.path, file.language, encode_text(text), file.sha256, file.encoding, tuple(map(tuple, file.cells)),
        len(text), text.count("\n"), bool(index.facts.errors), tuple(index.warnings), pack_facts(index),
        marshal.dumps(plain_facts(index)),
    )  # fmt: skip


# --------------------------------------------------------------------------- travelling


def pack(parcel: Parcel) -> bytes:
    """A parcel as bytes."""
    counts, files = parcel.counts, list(map(tuple, parcel.files))
    arrays = [each.tobytes() for each in (counts.indptr, counts.word_ids, counts.counts)]
    return marshal.dumps((files, plain_members(parcel.members), counts.words, arrays))


def unpack(data: bytes) -> Parcel:
    """The inverse of `pack`, in the same Python."""
    files, members, words, (indptr, word_ids, times) = marshal.loads(data)  # noqa: S302 - from our own child process
    rows = [Skipped(*row) if len(row) == _SKIPPED_FIELDS else FileRow(*row) for row in files]
    counts = WordCounts(
        words, np.frombuffer(indptr, np.int64), np.frombuffer(word_ids, np.int32), np.frombuffer(times, np.int32)
    )
    return Parcel(rows, members_of_plain(members), counts)


_SKIPPED_FIELDS = len(Skipped._fields)


def plain_members(members: Mapping[str, Member]) -> dict[str, bytes | tuple[str, tuple[int, ...], bytes]]:
    """Members without arrays: each is its type, shape and bytes, in the order of rows."""
    return {
        name: member if isinstance(member, bytes) else (member.dtype.str, member.shape, member.tobytes())
        for name, member in members.items()
    }


def members_of_plain(plain: Mapping[str, Any]) -> dict[str, Member]:
    """The inverse of `plain_members`."""
    return {
        name: value if isinstance(value, bytes) else np.frombuffer(value[2], value[0]).reshape(value[1])
        for name, value in plain.items()
    }
