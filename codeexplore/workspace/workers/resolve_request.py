"""Request to the resolver process: the files to resolve with their symbols and facts, divided into parts.

The facts are sent as the bytes in which they arrived from the child that extracted them, without making records.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from codeexplore.index.columns import SYMBOLS, Columns, members_in, symbols_in
from codeexplore.index.facts import facts_in_columns, in_columns, unpack_facts
from codeexplore.index.symbol_table import SymbolTable
from codeexplore.types import FileFacts, Symbol

if TYPE_CHECKING:
    from codeexplore.index.file_batch import AnalysedFile, BatchResult
    from codeexplore.index.string_column import Member, Members

_FILES_A_PART = 64


class FileWork(NamedTuple):
    """One file to be resolved, with its facts as bytes."""

    path: str
    language: str
    quick: bool  # True if `data` is in marshal's form, False if it is the stored line of `pack_facts`
    data: bytes


class Part(NamedTuple):
    """Consecutive files with their symbols. Parts may arrive in any order and are sorted by their numbers."""

    number: int
    symbols: dict[str, Member]
    files: Sequence[FileWork]


def part_of(number: int, result: BatchResult) -> Part:
    """Return the result of a batch as a part of the request."""
    files = [FileWork(row.path, row.language, True, row.facts) for row in result.rows()]
    return Part(number, _without_docs(members_in(Columns(result.members), SYMBOLS)), files)


def _without_docs(symbols: dict[str, Member]) -> dict[str, Member]:
    """Return the members of symbols without documentation, which the resolution does not need."""
    offsets = np.zeros_like(symbols["symbol.doc.offsets"])
    return symbols | {"symbol.doc.txt": b"", "symbol.doc.offsets": offsets}


class Work(NamedTuple):
    """Input of a resolution.

    `language` returns the language of a file by its path. `line` returns the stored facts of a file, as bytes; it is
    called for files that are not in memory.
    """

    manifests: Mapping[str, str]  # path → text
    paths: Sequence[str]
    columns: Members  # the symbols of all files
    rows: Mapping[str, AnalysedFile]  # files in memory, by path
    language: Callable[[str], str]
    line: Callable[[str], bytes]

    def parts(self) -> Iterator[Part]:
        """Iterate over all files in their order, as parts.

        Symbols and facts are sent in the format of `marshal` where they have it, because it is faster to read.
        """
        for first in range(0, len(self.paths), _FILES_A_PART):
            yield self.part(first, min(first + _FILES_A_PART, len(self.paths)))

    def part(self, first: int, stop: int) -> Part:
        """Return the files from number `first` to before `stop` as a part."""
        return Part(first, _without_docs(symbols_in(self.columns, first, stop)), list(self._files(first, stop)))

    def _files(self, first: int, stop: int) -> Iterator[FileWork]:
        for path in self.paths[first:stop]:
            row = self.rows.get(path)
            if row is not None and row.facts:
                yield FileWork(path, row.language, True, row.facts)
            else:
                yield FileWork(path, self.language(path), False, self.line(path))


def all_facts(parts: Iterable[Part]) -> list[FileFacts]:
    """Return the facts of all files, in the order of the parts' numbers."""
    shared: dict[Any, Any] = {}
    read = {part.number: facts_in(part, shared) for part in parts}
    return [facts for number in sorted(read) for facts in read.pop(number)]


def facts_in(part: Part, shared: dict[Any, Any]) -> list[FileFacts]:
    """Return the facts of a part's files. Equal texts of all parts are stored only once, in `shared`."""
    table = SymbolTable(Columns(part.symbols), [file.path for file in part.files])
    records = table.records(places=False)
    bounds = np.searchsorted(table.path_numbers, np.arange(len(part.files) + 1)).tolist()
    return [_facts(file, tuple(records[bounds[at] : bounds[at + 1]]), shared) for at, file in enumerate(part.files)]


def _facts(file: FileWork, symbols: tuple[Symbol, ...], shared: dict[Any, Any]) -> FileFacts:
    """Return the facts of a file, with bindings and references as columns, which need the least memory."""
    if file.quick:
        plain = marshal.loads(file.data)  # noqa: S302 - from our own process
        return facts_in_columns(plain, file.path, file.language, symbols, shared)
    return in_columns(unpack_facts(file.data, file.path, file.language, symbols)[0], shared)
