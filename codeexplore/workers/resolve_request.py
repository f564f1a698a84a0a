"""What is handed to a resolution: files with their symbols and facts, in parts, as the bytes in which they came."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from codeexplore.index.columns import SYMBOLS, Columns, members_in, symbols_in
from codeexplore.index.facts import facts_in_columns, facts_of, in_columns, unpack_facts
from codeexplore.index.symbol_table import SymbolTable
from codeexplore.types import FileFacts, Symbol

if TYPE_CHECKING:
    from codeexplore.index.archive import Member
    from codeexplore.index.columns import Members
    from codeexplore.index.file_batch import AnalysedFile, BatchResult

_FILES_A_PART = 64


class FileWork(NamedTuple):
    """One file to be resolved: its facts as `plain_facts` in marshal's form, or as the line that is kept."""

    path: str
    language: str
    quick: bool  # whether `data` is marshal's
    data: bytes


class Part(NamedTuple):
    """Some consecutive files with their symbols; parts may come in any order, their numbers tell the right one."""

    number: int
    symbols: dict[str, Member]
    files: Sequence[FileWork]


def part_of(number: int, parcel: BatchResult) -> Part:
    """The part that a parcel is."""
    files = [FileWork(row.path, row.language, True, row.facts) for row in parcel.rows()]
    return Part(number, _without_docs(members_in(Columns(parcel.members), SYMBOLS)), files)


def _without_docs(symbols: dict[str, Member]) -> dict[str, Member]:
    """The members of symbols without what no resolution looks at."""
    offsets = np.zeros_like(symbols["symbol.doc.offsets"])
    return symbols | {"symbol.doc.txt": b"", "symbol.doc.offsets": offsets}


class Work(NamedTuple):
    """What a resolution needs; `line` gives what is kept of a file, where it was not analysed just now."""

    manifests: Mapping[str, str]  # texts by path
    paths: Sequence[str]
    columns: Members  # of the files' symbols
    rows: Mapping[str, AnalysedFile]  # what is in memory, by path
    language: Callable[[str], str]
    line: Callable[[str], bytes]

    def parts(self) -> Iterator[Part]:
        """All files in their order, in the quickest form."""
        for number, first in enumerate(range(0, len(self.paths), _FILES_A_PART)):
            stop = min(first + _FILES_A_PART, len(self.paths))
            yield Part(number, _without_docs(symbols_in(self.columns, first, stop)), list(self._files(first, stop)))

    def _files(self, first: int, stop: int) -> Iterator[FileWork]:
        for path in self.paths[first:stop]:
            row = self.rows.get(path)
            if row is not None and row.facts:
                yield FileWork(path, row.language, True, row.facts)
            else:
                yield FileWork(path, self.language(path), False, self.line(path))


def all_facts(parts: Iterable[Part]) -> list[FileFacts]:
    """What the files of all parts say, in the order of the parts' numbers."""
    shared: dict[Any, Any] = {}
    read = {part.number: facts_in(part, shared) for part in parts}
    return [facts for number in sorted(read) for facts in read.pop(number)]


def facts_in(part: Part, shared: dict[Any, Any]) -> list[FileFacts]:
    """What the files of a part say; equal texts of all parts are held once, in `shared`."""
    table = SymbolTable(Columns(part.symbols), [file.path for file in part.files])
    records = table.records(places=False)
    bounds = np.searchsorted(table.path_numbers, np.arange(len(part.files) + 1)).tolist()
    return [_facts(file, tuple(records[bounds[at] : bounds[at + 1]]), shared) for at, file in enumerate(part.files)]


def _facts(file: FileWork, symbols: tuple[Symbol, ...], shared: dict[Any, Any]) -> FileFacts:
    """What a file says, in the form that takes least memory."""
    if file.quick:
        plain = marshal.loads(file.data)  # noqa: S302 - from our own process
        return facts_in_columns(plain, file.path, file.language, symbols, shared)
    return in_columns(unpack_facts(file.data, file.path, file.language, symbols)[0], shared)


def quick_facts(row: AnalysedFile, symbols: tuple[Symbol, ...]) -> FileFacts:
    """The facts of a file that was analysed just now."""
    return facts_of(marshal.loads(row.facts), row.path, row.language, symbols)  # noqa: S302 - from our own process
