"""Results for a batch of files, as bytes and columns: the form in which they are sent between processes and stored.

They are sent as plain data by `marshal`, which takes a tenth of the time of pickling records. The format of `marshal`
belongs to one Python version, so these bytes are never stored on disk. The facts of a file are stored as a line of
compressed JSON instead.
"""

from __future__ import annotations

import marshal
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from codeexplore.index.chunk_table import chunk_members
from codeexplore.index.facts import facts_of, pack_plain, plain_facts
from codeexplore.index.string_column import decode_text, encode_text
from codeexplore.index.symbol_table import Codes, symbol_members
from codeexplore.syntax.analyse import facts_alone, has_facts
from codeexplore.text.word_counts import count_texts, count_words
from codeexplore.types import Cell, FileFacts, FileIndex, Skipped, SourceFile, Symbol, WordCounts

if TYPE_CHECKING:
    from codeexplore.index.string_column import Member
    from codeexplore.languages.extraction import Layout


class AnalysedFile(NamedTuple):
    """One analysed file without its symbols and chunks, which are in the columns of its batch."""

    path: str
    language: str
    data: bytes  # its text, see `encode_text`
    sha256: str
    encoding: str
    cells: tuple[tuple[Any, ...], ...]
    size: int  # bytes of its text as UTF-8
    lines: int
    with_errors: bool
    warnings: tuple[str, ...]
    facts: bytes  # its facts in marshal's form, for another process of this Python; b"" after `kept`
    line: bytes = b""  # its facts as the stored line, see `pack_facts`; b"" before `kept`
    outline: bytes = b""  # if the facts are not extracted yet: a digest of its symbols, to which they must belong

    @property
    def lacks_facts(self) -> bool:
        """True if only the symbols and chunks of the file are known."""
        return not self.facts and not self.line

    def kept(self) -> AnalysedFile:
        """Return the file, whose facts must be extracted, as an index stores it: `line` has its facts."""
        if self.line:
            return self
        return self._replace(facts=b"", line=pack_plain(marshal.loads(self.facts)))  # noqa: S302 - from our own process

    def quick_facts(self, symbols: tuple[Symbol, ...]) -> FileFacts:
        """Return the facts of a file that was analysed in this run, with the given symbols."""
        return facts_of(marshal.loads(self.facts), self.path, self.language, symbols)  # noqa: S302 - our own process

    def file(self) -> SourceFile:
        cells = tuple(Cell(*cell) for cell in self.cells)
        return SourceFile(self.path, self.language, decode_text(self.data), self.sha256, self.encoding, cells)

    def utf8(self) -> bytes:
        """Return the text as UTF-8, to which spans refer. Characters that can't be encoded are replaced."""
        if b"\xed" not in self.data:  # the first byte of an encoded lone surrogate
            return self.data
        return decode_text(self.data).encode("utf-8", "replace")


class BatchWords(NamedTuple):
    """Word counts of the chunks of a batch as the text lanes index them, and of their contexts alone."""

    chunks: WordCounts
    contexts: WordCounts


class BatchResult(NamedTuple):
    """Results for a batch of files, in their given order.

    `members` contains the symbols and chunks of the analysed files. `words` are counted if the files were outlined.
    """

    files: list[AnalysedFile | Skipped]
    members: Mapping[str, Member]
    words: BatchWords | None = None

    def rows(self) -> list[AnalysedFile]:
        return [file for file in self.files if isinstance(file, AnalysedFile)]


def batch_result(files: Sequence[FileIndex | Skipped], *, outlined: bool = False) -> BatchResult:
    """Return the result of a batch from the records of its files.

    `outlined` is True if the files with code were only outlined, so that their facts are extracted later.
    """
    analysed = [file for file in files if isinstance(file, FileIndex)]
    symbols = [symbol for file in analysed for symbol in file.facts.symbols]
    chunks = [chunk for file in analysed for chunk in file.chunks]
    paths = Codes()
    paths.of([file.file.path for file in analysed])
    members = {
        **symbol_members(symbols, paths),
        **chunk_members(chunks, {symbol.id: symbol for symbol in symbols}, paths),
    }
    rows = [_row(file, outlined) if isinstance(file, FileIndex) else file for file in files]
    words = BatchWords(count_words(chunks), count_texts([chunk.context for chunk in chunks])) if outlined else None
    return BatchResult(rows, members, words)


def _row(index: FileIndex, outlined: bool) -> AnalysedFile:
    file, data = index.file, encode_text(index.file.text)
    known = (file.path, file.language, data, file.sha256, file.encoding, tuple(map(tuple, file.cells)))
    counted = (len(data), file.text.count("\n"), bool(index.facts.errors), tuple(index.warnings))
    if outlined and not index.warnings and has_facts(file.language):  # a file that was not parsed has no facts
        return AnalysedFile(*known, *counted, b"", outline=_digest(index.facts.symbols))
    return AnalysedFile(*known, *counted, marshal.dumps(plain_facts(index)))


def _digest(symbols: Sequence[Symbol]) -> bytes:
    return blake2b("\0".join(symbol.id for symbol in symbols).encode("utf-8", "replace"), digest_size=16).digest()


def extracted_facts(row: AnalysedFile, layout: Layout) -> tuple[bytes, str]:
    """Return the facts of a file that was only outlined, in marshal's form, and a warning or "".

    The time limit of a parse depends on the machine. If it was reached now and not before, or before and not now, the
    symbols are not the same. The file then has no facts, because facts refer to symbols by number.
    """
    found = facts_alone(row.file(), layout)
    if not found.warnings and _digest(found.facts.symbols) == row.outline:
        return marshal.dumps(plain_facts(found)), ""
    bare = FileFacts(row.path, row.language, found.facts.module, (), errors=int(row.with_errors))
    reason = found.warnings[0] if found.warnings else "it was parsed twice with different results"
    return marshal.dumps(plain_facts(replace(found, facts=bare, warnings=()))), f"{row.path}: no references ({reason})"


# --------------------------------------------------------------------------- between processes


def pack(result: BatchResult) -> bytes:
    words = None if result.words is None else list(map(_plain_counts, result.words))
    return marshal.dumps((list(map(tuple, result.files)), plain_members(result.members), words))


def unpack(data: bytes) -> BatchResult:
    files, members, counts = marshal.loads(data)  # noqa: S302 - from our own child process
    rows = [Skipped(*row) if len(row) == _SKIPPED_FIELDS else AnalysedFile(*row) for row in files]
    words = None if counts is None else BatchWords(*map(_counts_of_plain, counts))
    return BatchResult(rows, members_of_plain(members), words)


def _plain_counts(counts: WordCounts) -> tuple[tuple[str, ...], bytes, bytes, bytes]:
    return counts.words, counts.indptr.tobytes(), counts.word_ids.tobytes(), counts.counts.tobytes()


def _counts_of_plain(plain: tuple[tuple[str, ...], bytes, bytes, bytes]) -> WordCounts:
    words, indptr, ids, counts = plain
    return WordCounts(
        words, np.frombuffer(indptr, np.int64), np.frombuffer(ids, np.int32), np.frombuffer(counts, np.int32)
    )


_SKIPPED_FIELDS = len(Skipped._fields)


def plain_members(members: Mapping[str, Member]) -> dict[str, bytes | tuple[str, tuple[int, ...], bytes]]:
    """Return the members as plain data. Bytes stay. An array becomes (dtype, shape, bytes in row-major order)."""
    return {
        name: member if isinstance(member, bytes) else (member.dtype.str, member.shape, member.tobytes())
        for name, member in members.items()
    }


def members_of_plain(plain: Mapping[str, Any]) -> dict[str, Member]:
    return {
        name: value if isinstance(value, bytes) else np.frombuffer(value[2], value[0]).reshape(value[1])
        for name, value in plain.items()
    }
