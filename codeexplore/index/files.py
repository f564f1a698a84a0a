"""The files of an index with their texts and facts, and the results for a batch of files as bytes and columns.

Each file comes from one of two sources. Files that were analysed in this process are in memory, as an `AnalysedFile` (a
*row*). The other files are read from a stored index (*below*), a `StoredSources`.

Facts have two forms: records (`FileFacts`) and plain data (`plain_facts`, columns of built-in types). Plain data is
stored as a line of compressed JSON (`pack_facts`), which is read when references are resolved again, and sent between
processes by `marshal`, which takes a tenth of the time of pickling records. The format of `marshal` belongs to one
Python version, so these bytes are never stored on disk.
"""

from __future__ import annotations

import json
import marshal
import zlib
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from hashlib import blake2b
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

import numpy as np

from codeexplore.index.archive import json_of
from codeexplore.index.catalog import Catalog
from codeexplore.index.columns import Columns, Strings, decode_text, encode_text, packed
from codeexplore.index.symbol_table import ChunkTable, Codes, SymbolTable, chunk_members, symbol_members
from codeexplore.languages.extraction.expressions import Layout
from codeexplore.syntax.analyse import analyse, has_facts
from codeexplore.text.word_counts import count_texts, count_words
from codeexplore.types.errors import DamagedIndex
from codeexplore.types.facts import (
    Base,
    Binding,
    Cell,
    Export,
    FileFacts,
    FileIndex,
    Import,
    Reference,
    Return,
    Skipped,
    SourceFile,
    Symbol,
    WordCounts,
)
from codeexplore.types.rows import Rows

if TYPE_CHECKING:
    from codeexplore.index.archive import Archive
    from codeexplore.index.columns import Member

_File = TypeVar("_File", SourceFile, FileIndex)
_RECORDS: dict[str, Any] = {"imports": Import, "exports": Export, "bindings": Binding, "returns": Return}
_RECORDS |= {"references": Reference, "bases": Base}
_LISTS = attrgetter(*_RECORDS)
_JSON: dict[str, Any] = {"ensure_ascii": False, "separators": (",", ":")}
_LEVEL = 1  # of zlib: a fifth of the size at 60 MB a second; higher levels take more time than they save
_MOST_BYTES = 1 << 28  # of one file's JSON; the facts of the largest file that is read by default take a tenth of it
_MOST_VALUES = 2  # for each byte of text; measured 0.44 at most
_MOST_JSON = 16  # bytes for each byte of text; measured 2.1 at most
_FEW_VALUES = 10_000  # a line with fewer values is always accepted
_FEW_BYTES = 1 << 17  # a line with less JSON is always accepted
_UNFOLDED = 8  # assumed bytes of text for each byte of the line, if texts were not stored
_BLOCK_BYTES = 1 << 20


def plain_facts(file: FileIndex) -> tuple[Any, ...]:
    """Return a file's facts and warnings as plain data: a column for each field of each kind of rows."""
    facts = file.facts
    columns = (tuple(zip(*rows, strict=True)) for rows in _LISTS(facts))
    return facts.module, facts.errors, file.warnings, *columns


def pack_facts(plain: Sequence[Any]) -> bytes:
    """Return one file's facts, without its symbols, and its warnings as a compressed line; see `plain_facts`."""
    return zlib.compress(json.dumps(plain, **_JSON).encode("utf-8", "surrogatepass"), _LEVEL)


def facts_of(
    plain: Sequence[Any], path: str, language: str, symbols: tuple[Symbol, ...], shared: dict[Any, Any] | None = None
) -> FileFacts:
    """Return the facts of a file from the result of `plain_facts`. Raises ValueError and TypeError.

    With `shared`, a pool of equal values (see `Rows`), bindings and references stay columns, which need less memory
    than records.
    """
    module, errors, _, *lists = plain
    found: dict[str, Any] = {}
    for (name, record), columns in zip(_RECORDS.items(), lists, strict=True):
        in_columns = shared is not None and name in ("bindings", "references")
        rows = Rows(record, (), shared, columns) if in_columns else tuple(map(record._make, zip(*columns, strict=True)))
        found[name] = rows
    return FileFacts(path, language, module, symbols, errors=errors, **found)


def check_line(data: bytes | memoryview, path: str, text_bytes: int | None) -> None:
    """Raise an error for a compressed line that would need much more memory than the facts of its file can need.

    The line is decompressed block by block, and its values are counted without creating them.

    Parameters
    ----------
    data
        The line of a file's facts, as `pack_facts` makes it. It may come from an untrusted index file.
    path
        The file, for the message.
    text_bytes
        Bytes of the file's text; None if the index was saved without texts.

    Raises
    ------
    DamagedIndex
        The line contains more values than a text of this size can have, or cannot be decompressed.
    """
    text = _UNFOLDED * len(data) if text_bytes is None else text_bytes
    most_values, most_bytes = _FEW_VALUES + _MOST_VALUES * text, _FEW_BYTES + _MOST_JSON * text
    press, left, values, size = zlib.decompressobj(), data, 0, 0
    try:
        while not press.eof:
            block = press.decompress(left, _BLOCK_BYTES)
            left = press.unconsumed_tail
            values += block.count(b",") + block.count(b"[")
            size += len(block)
            if values > most_values or size > min(most_bytes, _MOST_BYTES):
                raise ValueError(f"{values:,} values in {size:,} bytes and more, for a text of {text:,} bytes")
            if not block and not left:
                raise ValueError("cut short")
    except (zlib.error, ValueError) as error:
        raise DamagedIndex(f"the stored facts of {path} can't be read ({error})") from error


@cache
def _types_of(name: str) -> tuple[tuple[Any, frozenset[str]], ...]:
    """Return the JSON type and the allowed words (empty for any) of each field of the record type `name`."""
    found: list[tuple[Any, frozenset[str]]] = []
    for hint in get_type_hints(_RECORDS[name]).values():
        origin = get_origin(hint)
        words = frozenset(get_args(hint)) if origin is Literal else frozenset()
        found.append((str if words else list if origin is tuple else hint, words))
    return tuple(found)


def _checked(name: str, columns: Sequence[Any], n_symbols: int) -> list[Sequence[Any]]:
    """Return the columns of one kind of rows; JSON has no tuples.

    Raises ValueError unless they have the fields and types of their record, and each row a scope that exists.
    """
    if len({len(column) for column in columns}) > 1:
        raise ValueError(f"{name} of different lengths")
    found: list[Sequence[Any]] = []
    for place, (column, (kind, words)) in enumerate(zip(columns, _types_of(name) if columns else (), strict=True)):
        if type(column) is not list or set(map(type, column)) != {kind} or (words and not words.issuperset(column)):
            raise ValueError(f"{name} of other types")
        if kind is list and not set(map(type, chain.from_iterable(column))) <= {str}:
            raise ValueError(f"{name} of other types")
        most = n_symbols if place == 0 else 1 << 31
        if kind is int and not (min(column) >= 0 and max(column) < most):
            raise ValueError(f"{name} that lead nowhere")
        found.append(list(map(tuple, column)) if kind is list else column)
    return found


def unpack_facts(
    data: bytes | memoryview,
    path: str,
    language: str,
    symbols: tuple[Symbol, ...],
    shared: dict[Any, Any] | None = None,
) -> tuple[FileFacts, tuple[str, ...]]:
    """Return the facts and warnings that `pack_facts` has stored; see `facts_of`. Raises DamagedIndex."""
    try:
        press = zlib.decompressobj()  # a manipulated line may expand to a thousand times its size
        line = press.decompress(data, _MOST_BYTES)
        if not press.eof:
            raise ValueError("cut short" if len(line) < _MOST_BYTES else f"more than {_MOST_BYTES:,} bytes")
        module, errors, warnings, *lists = json.loads(line.decode("utf-8", "surrogatepass"))
        if type(module) is not str or type(errors) is not int or set(map(type, warnings)) > {str}:
            raise ValueError("facts of other types")
        columns = [_checked(name, each, len(symbols)) for name, each in zip(_RECORDS, lists, strict=True)]
        return facts_of((module, errors, warnings, *columns), path, language, symbols, shared), tuple(warnings)
    except (zlib.error, ValueError, TypeError, IndexError, RecursionError) as error:
        raise DamagedIndex(f"the stored facts of {path} can't be read ({error})") from error


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
        plain = marshal.loads(self.facts)  # noqa: S302 - from our own process
        return self._replace(facts=b"", line=pack_facts(plain))

    def quick_facts(self, symbols: tuple[Symbol, ...]) -> FileFacts:
        """Return the facts of a file that was analysed in this run, with the given symbols."""
        plain = marshal.loads(self.facts)  # noqa: S302 - from our own process
        return facts_of(plain, self.path, self.language, symbols)

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
    known = (file.path, file.language, data, file.sha256, file.encoding, tuple(tuple(cell) for cell in file.cells))
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
    found = analyse(row.file(), layout, chunked=False)
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


def source_members(files: Sequence[SourceFile], texts: bool = True) -> dict[str, Member]:
    """Return the members that store the given files. If `texts` is False, only the list of files is stored."""
    cells = {str(row): [list(cell) for cell in file.cells] for row, file in enumerate(files) if file.cells}
    data = [file.text.encode("utf-8", "replace") for file in files] if texts else []
    exact = [encode_text(file.text) for file in files] if texts else []
    odd = [row for row, (one, other) in enumerate(zip(data, exact, strict=True)) if one != other]
    members: dict[str, Member] = {
        **packed("file.path", [file.path for file in files]),
        **packed("file.language", [file.language for file in files]),
        **packed("file.encoding", [file.encoding for file in files]),
        "file.sha256": np.frombuffer(bytes.fromhex("".join(file.sha256 for file in files)), np.uint8).reshape(-1, 32),
        "file.cells.json": json.dumps(cells, ensure_ascii=False).encode("utf-8", "surrogatepass"),
        "file.odd": np.array(odd, np.int32),
    }
    if texts:
        offsets = np.zeros(len(exact) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, exact), np.int64, len(exact)), out=offsets[1:])
        members |= {"file.text.txt": b"".join(exact), "file.text.offsets": offsets}
    return members


class _ByPath(Mapping[str, _File]):
    """Mapping from path to file, in the order of discovery. Whether a path is in it is told without reading a file."""

    paths: Sequence[str]
    _known: Container[object]

    def __contains__(self, path: object) -> bool:
        return path in self._known

    def __iter__(self) -> Iterator[str]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)


class StoredSources(_ByPath[SourceFile]):
    """Mapping from path to `SourceFile`, read from the members that `source_members` made, in the order of discovery.

    If the archive was saved without texts (`included` is False), each text is empty. Raises DamagedIndex or ValueError
    if members are missing or do not fit each other.
    """

    def __init__(self, archive: Archive) -> None:
        self.paths = Strings.of(archive, "file.path").all()
        self.languages = Strings.of(archive, "file.language").all()
        self._encodings = Strings.of(archive, "file.encoding").all()
        self._hashes = archive.array("file.sha256")
        self._odd = frozenset(archive.array("file.odd").tolist())
        self._cells = _cells(json_of(archive.bytes("file.cells.json"), "file.cells.json"))
        self.included = "file.text.txt" in archive.members()
        self._texts = Strings.of(archive, "file.text") if self.included else None
        self._known = self._row = {path: row for row, path in enumerate(self.paths)}
        n = len(self.paths)
        columns = [self._row, self.languages, self._encodings, self._hashes, self._texts or self.paths]
        if any(len(column) != n for column in columns):
            raise DamagedIndex(f"{archive.path} lists its files inconsistently")

    def data(self, path: str) -> bytes | memoryview:
        """Return a file's text as UTF-8, with replaced surrogates; empty if texts were not saved."""
        if self._texts is None:
            return b""
        row = self._row[path]
        raw = self._texts.raw(row)
        return decode_text(raw).encode("utf-8", "replace") if row in self._odd else raw

    def language(self, path: str) -> str:
        return self.languages[self._row[path]]

    def __getitem__(self, path: str) -> SourceFile:
        row = self._row[path]
        cells = self._cells.get(str(row), ())
        digest = self._hashes[row].tobytes().hex()
        text = "" if self._texts is None else self._texts[row]
        return SourceFile(path, self.languages[row], text, digest, self._encodings[row], cells)


def _cells(plain: Mapping[str, Sequence[Sequence[Any]]]) -> dict[str, tuple[Cell, ...]]:
    """Return the cells of the notebooks, by the number of the notebook's file.

    The number is a text, because it is a key in JSON. Raises ValueError and TypeError for invalid cells.
    """
    found = {str(row): tuple(Cell(*cell) for cell in cells) for row, cells in plain.items()}
    for cell in (cell for cells in found.values() for cell in cells):
        if not (type(cell.number) is type(cell.start_line) is type(cell.end_line) is int) or cell.start_line < 1:
            raise ValueError("file.cells.json: a cell in no place")
    return found


class SourceTexts(_ByPath[SourceFile]):
    """Mapping from path to `SourceFile`, in the order of discovery. A file's text is decoded when it is requested.

    `rows` has the files in memory, by path. `below` is the stored index with the remaining files; None for none.
    """

    def __init__(
        self, paths: Iterable[str], rows: Mapping[str, AnalysedFile], below: StoredSources | None = None
    ) -> None:
        self.paths = list(paths)
        self._known = frozenset(self.paths)
        self.rows = {path: row for path, row in rows.items() if path in self._known}
        self.below = below

    def lacking_facts(self) -> list[str]:
        return [path for path in self.paths if (row := self.rows.get(path)) is not None and row.lacks_facts]

    def drop_facts_text(self) -> None:
        """Free the uncompressed form of the facts, which only a resolution needs. All facts must be extracted."""
        for path, row in self.rows.items():
            self.rows[path] = row.kept()

    def data(self, path: str) -> bytes | memoryview:
        """Return a file's text as UTF-8. Characters that can't be encoded are replaced. Raises KeyError."""
        row = self.rows.get(path)
        if row is not None:
            return row.utf8()
        return self._below(path).data(path)

    def _below(self, path: str) -> StoredSources:
        if self.below is None or path not in self._known:
            raise KeyError(path)
        return self.below

    def language(self, path: str) -> str:
        row = self.rows.get(path)
        return self._below(path).language(path) if row is None else row.language

    def __getitem__(self, path: str) -> SourceFile:
        row = self.rows.get(path)
        return self._below(path)[path] if row is None else row.file()


def updated_sources(
    old: SourceTexts | StoredSources, paths: Iterable[str], rows: Mapping[str, AnalysedFile]
) -> SourceTexts:
    """Return the sources after an edit: of `paths`, those in `rows` are new or changed, the others are from `old`."""
    if isinstance(old, StoredSources):
        return SourceTexts(paths, rows, old)
    return SourceTexts(paths, {**old.rows, **rows}, old.below)


def catalog_of(members: Mapping[str, Member], sources: SourceTexts) -> Catalog:
    """Return a catalog over columns in memory."""
    columns = Columns(members)
    symbols = SymbolTable(columns, sources.paths)
    return Catalog(symbols, ChunkTable(columns, symbols, sources), columns)


class FileFactsStore(_ByPath[FileIndex]):
    """Mapping from path to `FileIndex` (a file with its facts and chunks). Only the last file that was read is kept.

    Parameters
    ----------
    sources, catalog
        Texts, symbols and chunks of the files.
    stored
        Function that returns the stored line of facts (see `pack_facts`) of a file that is not in memory.
    layout
        The paths of all files, for files whose facts are not extracted yet. Their facts are extracted in this process
        when they are requested, and kept.
    """

    def __init__(
        self,
        sources: SourceTexts | StoredSources,
        catalog: Catalog,
        stored: Callable[[str], bytes] | None = None,
        layout: Layout | None = None,
    ) -> None:
        self._sources, self._catalog, self.stored = sources, catalog, stored
        self._known, self.paths = sources, sources.paths
        self.layout = layout or Layout()
        self._rows = sources.rows if isinstance(sources, SourceTexts) else {}
        self._last: FileIndex | None = None  # the many places of a name come in the order of files

    def line(self, path: str) -> bytes:
        """Return a file's facts as the compressed line that `pack_facts` makes. Raises KeyError and DamagedIndex."""
        row = self._row(path)
        if row is not None:
            return row.kept().line
        if self.stored is None or path not in self._sources:
            raise KeyError(path)
        return self.stored(path)

    def _row(self, path: str) -> AnalysedFile | None:
        """Return the row of a file in memory, with its facts. Several threads may call it at the same time."""
        row = self._rows.get(path)
        if row is not None and row.lacks_facts:
            facts, _ = extracted_facts(row, self.layout)
            row = self._rows[path] = row._replace(facts=facts)
        return row

    def facts(self, path: str) -> FileFacts:
        row, symbols = self._row(path), self._catalog.in_file(path)
        if row is not None and row.facts:
            return row.quick_facts(symbols)
        return unpack_facts(self.line(path), path, self._sources.language(path), symbols)[0]

    def __getitem__(self, path: str) -> FileIndex:
        last = self._last
        if last is not None and last.file.path == path:
            return last
        line, file = self.line(path), self._sources[path]
        facts, warnings = unpack_facts(line, path, file.language, self._catalog.in_file(path))
        self._last = FileIndex(file, facts, self._catalog.chunks_in(path), warnings)
        return self._last
