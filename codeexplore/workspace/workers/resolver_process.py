"""Resolution of references in a child process, while this process builds the text lanes.

The resolution of a large repository needs gigabytes of memory for some seconds, and allocators rarely return such
memory to the system. Therefore a child process does it (`python -m codeexplore.workspace.workers`). Files are sent to
it in parts, while other files are still being analysed, so it can begin as soon as it has the last file. Facts are sent
as the bytes in which they arrived from the child that extracted them, without making records.

Small repositories are resolved in this process, by the same function and with the same result.
"""

from __future__ import annotations

import _thread
import contextlib
import gc
import marshal
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from codeexplore.graph.merge import members_of_tables, tables_of_members
from codeexplore.index.columns import SYMBOLS, Columns, members_in, symbols_in
from codeexplore.index.files import facts_of, members_of_plain, plain_members, unpack_facts
from codeexplore.index.symbol_table import SymbolTable
from codeexplore.types import FileFacts, Symbol
from codeexplore.types.errors import GraphUnresolved
from codeexplore.workspace.workers.child_process import (
    LARGE_BLOCK,
    TOO_LITTLE,
    BrokenChild,
    ChildExecutor,
    fatal_reason_of,
    is_lack_of_memory,
    trim_memory,
)

if TYPE_CHECKING:
    from codeexplore.graph.model import CodeGraph
    from codeexplore.graph.tables import Resolution
    from codeexplore.index.catalog import Catalog
    from codeexplore.index.columns import Member, Members
    from codeexplore.index.files import AnalysedFile, BatchResult
    from codeexplore.workspace.snapshot import Parts

_POLL_SECONDS = 0.1  # between two checks for cancellation
_FILES_A_PART = 64

# --------------------------------------------------------------------------- the request


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


def _without_docs(symbols: dict[str, Member]) -> dict[str, Member]:
    """Return the members of symbols without documentation, which the resolution does not need."""
    offsets = np.zeros_like(symbols["symbol.doc.offsets"])
    return symbols | {"symbol.doc.txt": b"", "symbol.doc.offsets": offsets}


class Work(NamedTuple):
    """Input of a resolution: files of a snapshot, which has their languages and their stored facts."""

    snapshot: Parts
    paths: Sequence[str]
    columns: Members  # the symbols of these files
    rows: Mapping[str, AnalysedFile]  # files in memory, by path

    def parts(self) -> Iterator[Part]:
        """Iterate over all files in their order, as parts.

        Symbols and facts are sent in the format of `marshal` where they have it, because it is faster to read.
        """
        for first in range(0, len(self.paths), _FILES_A_PART):
            yield self.part(first, min(first + _FILES_A_PART, len(self.paths)))

    def part(self, first: int, stop: int) -> Part:
        return Part(first, _without_docs(symbols_in(self.columns, first, stop)), list(self._files(first, stop)))

    def _files(self, first: int, stop: int) -> Iterator[FileWork]:
        for path in self.paths[first:stop]:
            row = self.rows.get(path)
            if row is not None and row.facts:
                yield FileWork(path, row.language, True, row.facts)
            else:
                yield FileWork(path, self.snapshot.sources.language(path), False, self.snapshot.files.line(path))


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
        return facts_of(plain, file.path, file.language, symbols, shared)
    return unpack_facts(file.data, file.path, file.language, symbols, shared)[0]


# --------------------------------------------------------------------------- the resolution


class Resolved(NamedTuple):
    """Result of a resolution: the tables of a graph as members, notices about parts that were cut, and warnings."""

    members: dict[str, Member]
    notes: tuple[str, ...]
    warnings: tuple[str, ...] = ()


def resolved(manifests: Mapping[str, str], parts: Iterable[Part]) -> Resolution:
    from codeexplore.graph.build.resolve import resolve

    shared: dict[Any, Any] = {}
    return resolve([facts for part in parts for facts in facts_in(part, shared)], manifests=manifests)


def graph_of(found: Resolved, catalog: Catalog, paths: Sequence[str]) -> CodeGraph:
    from codeexplore.graph.model import CodeGraph

    return CodeGraph(catalog, tables_of_members(Columns(found.members), catalog.symbols.ids, paths, found.notes))


# --------------------------------------------------------------------------- in a child


class ResolverProcess:
    """A resolution in progress: in a child from the first part on, or in this process when `result` is called.

    If no child can be started, or the child fails, the work is done in this process, with a warning. The work is not
    repeated here if there was too little memory, or if the system ended the child, because this might end the kernel of
    a notebook.
    """

    def __init__(self, child: bool) -> None:
        self._begins = child
        self._work: Work | None = None
        self._child: ChildExecutor | None = None
        self._answer: Future[bytes] = Future()

    def add(self, part: Part) -> None:
        """Send a part to the child, while other files are still being analysed."""
        if self._begins:
            self._begins = False
            try:
                self._child = ChildExecutor(1, kept=LARGE_BLOCK)
            except OSError as error:
                self._answer.set_exception(BrokenChild(str(error), fatal_reason_of(error, None)))
        if self._child is not None:
            self._child.submit(receive, part.number, plain_members(part.symbols), list(map(tuple, part.files)))

    def add_batch(self, number: int, result: BatchResult) -> None:
        if self._begins or self._child is not None:
            files = [FileWork(row.path, row.language, True, row.facts) for row in result.rows()]
            self.add(Part(number, _without_docs(members_in(Columns(result.members), SYMBOLS)), files))

    def finish(self, work: Work) -> None:
        """Declare that all files were sent. `work` contains the same files, in case this process must do the work."""
        self._work = work
        if self._child is not None:
            self._answer = self._child.submit(resolve_received, dict(work.snapshot.origin.manifest_texts))

    def take(self, work: Work) -> Self:
        if self._begins:
            for part in work.parts():
                self.add(part)
        self.finish(work)
        return self

    def result(self, check: Callable[[], None]) -> Resolved:
        """Wait for the result and return it. All files must have been sent.

        `check` is called several times a second and may raise an exception to stop. Raises GraphUnresolved if there was
        too little memory, or the child was ended by a signal.
        """
        while self._child is not None and not self._answer.done():
            check()
            wait((self._answer,), _POLL_SECONDS)
        check()
        failed = self._answer.exception() if self._answer.done() else None
        if self._child is not None and failed is None:
            self._child.shutdown()  # its memory is then free before this process unpacks the answer
            members, notes = marshal.loads(self._answer.result())  # noqa: S302 - from our own child process
            return Resolved(members_of_plain(members), tuple(notes))
        if isinstance(failed, BrokenChild) and failed.fatal:
            raise GraphUnresolved(failed.fatal)
        work = self._work
        assert work is not None
        try:
            resolution = resolved(work.snapshot.origin.manifest_texts, work.parts())
        except (MemoryError, SystemError) as error:
            if not is_lack_of_memory(error):
                raise
            raise GraphUnresolved(TOO_LITTLE) from error
        # frees values with reference cycles: all were created while the collector was off, so they are in generation 0
        gc.collect(0)
        found = Resolved(members_of_tables(resolution), resolution.notes)
        if failed is None:
            return found
        said = f"a worker process failed ({failed!s:.200}); the graph was resolved in this process"
        return found._replace(warnings=(said,))

    def close(self) -> None:
        if self._child is not None:
            self._child.shutdown(cancel_futures=True)


_received: dict[int, list[FileFacts]] = {}
"""The facts of the parts that this child has received, by the number of the part."""
_values: dict[Any, Any] = {}


def receive(number: int, symbols: Mapping[str, Any], files: Sequence[tuple[Any, ...]]) -> bytes:
    """Store the facts of a part in this child. Equal texts of all parts are stored only once."""
    part = Part(number, members_of_plain(symbols), [FileWork(*file) for file in files])
    _received[number] = facts_in(part, _values)
    return b""


def resolve_received(manifests: dict[str, str]) -> bytes:
    """Resolve the references of all parts, which this child has received, and return the tables.

    From now on, the child ends with its parent.
    """
    from codeexplore.graph.build.resolve import resolve

    with contextlib.suppress(RuntimeError):  # no memory for a thread: then the child ends when it writes its answer
        # not threading.Thread, whose start waits for ever if the thread gets no memory to begin
        _thread.start_new_thread(_end_with_parent, ())
    _values.clear()
    facts = [each for number in sorted(_received) for each in _received[number]]  # kept, and not freed one by one
    resolution = resolve(facts, manifests=manifests, ending=True, settled=trim_memory)
    return marshal.dumps((plain_members(members_of_tables(resolution)), resolution.notes))


def _end_with_parent() -> None:
    """Exit when the pipe is closed, because nobody waits for the answer any more."""
    os.read(sys.stdin.fileno(), 1)  # not `sys.stdin.read`, which would still have its lock when the work is done
    os._exit(1)
