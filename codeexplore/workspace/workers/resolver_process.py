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
import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from queue import SimpleQueue
from typing import IO, TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from codeexplore.graph.merge import members_of_tables, tables_of_members
from codeexplore.index.columns import SYMBOLS, Columns, members_in, symbols_in
from codeexplore.index.files import facts_of, members_of_plain, plain_members, unpack_facts
from codeexplore.index.symbol_table import SymbolTable
from codeexplore.types import FileFacts, Symbol
from codeexplore.types.errors import GraphUnresolved
from codeexplore.workspace.workers.child_process import (
    OUT_OF_MEMORY,
    TOO_LITTLE,
    fatal_reason,
    fatal_reason_of,
    is_lack_of_memory,
    read_frame,
    start_worker,
    stop_worker,
    trim_memory,
    write_frame,
)

if TYPE_CHECKING:
    from codeexplore.graph.model import CodeGraph
    from codeexplore.graph.tables import Resolution
    from codeexplore.index.catalog import Catalog
    from codeexplore.index.columns import Member, Members
    from codeexplore.index.files import AnalysedFile, BatchResult
    from codeexplore.workspace.snapshot import Parts

JOB = "resolve"
"""Name of the job in the first frame to a child that resolves references."""

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

    return resolve(all_facts(parts), manifests=manifests)


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
        self._parts: SimpleQueue[Part | None] = SimpleQueue()
        self._answer: bytes | str = ""
        self._lost = ""  # the reason why the work may not be done in this process either
        self._child: subprocess.Popen[bytes] | None = None
        self._thread: threading.Thread | None = None

    def add(self, part: Part) -> None:
        """Send a part to the child, while other files are still being analysed."""
        if self._begins:
            self._begins = False
            self._start()
        if self._thread is not None:
            self._parts.put(part)

    def add_batch(self, number: int, result: BatchResult) -> None:
        if self._begins or self._thread is not None:
            files = [FileWork(row.path, row.language, True, row.facts) for row in result.rows()]
            self.add(Part(number, _without_docs(members_in(Columns(result.members), SYMBOLS)), files))

    def finish(self, work: Work) -> None:
        """Declare that all files were sent. `work` contains the same files, in case this process must do the work."""
        self._work = work
        self._parts.put(None)

    def take(self, work: Work) -> Self:
        if self._begins:
            for part in work.parts():
                self.add(part)
        self.finish(work)
        return self

    def _start(self) -> None:
        try:
            self._child = start_worker()
        except OSError as error:
            self._answer = str(error)
            self._lost = fatal_reason_of(error, None)
            return
        self._thread = threading.Thread(target=self._run, args=(self._child,), daemon=True)
        self._thread.start()

    def _run(self, child: subprocess.Popen[bytes]) -> None:
        assert child.stdin is not None
        assert child.stdout is not None
        try:
            write_frame(child.stdin, marshal.dumps((JOB,)))
            while (part := self._parts.get()) is not None:
                plain = part.number, plain_members(part.symbols), list(map(tuple, part.files))
                write_frame(child.stdin, marshal.dumps(plain))
            if self._work is None:
                return  # closed before all parts arrived
            write_frame(child.stdin, b"")
            write_frame(child.stdin, marshal.dumps(dict(self._work.snapshot.origin.manifest_texts)))
            answer = read_frame(child.stdout)
            status = child.wait()  # wait: the memory of the child is then free before this process unpacks the answer
            self._answer = answer or f"exit status {status}"
        except Exception as error:  # noqa: BLE001 - `result` reports it and does the work in this process
            self._answer = str(error) or type(error).__name__
            self._lost = fatal_reason_of(error, child)
        else:
            self._lost = "" if answer else fatal_reason(status)

    def result(self, check: Callable[[], None]) -> Resolved:
        """Wait for the result and return it. All files must have been sent.

        `check` is called several times a second and may raise an exception to stop. Raises GraphUnresolved if there was
        too little memory, or the child was ended by a signal.
        """
        if self._thread is not None:
            while self._thread.is_alive():
                check()
                self._thread.join(_POLL_SECONDS)
        check()
        if isinstance(self._answer, bytes):
            members, notes = marshal.loads(self._answer)  # noqa: S302 - from our own child process
            return Resolved(members_of_plain(members), tuple(notes))
        if self._lost:
            raise GraphUnresolved(self._lost)
        work, reason = self._work, self._answer
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
        if not reason:
            return found
        said = f"a worker process failed ({reason:.200}); the graph was resolved in this process"
        return found._replace(warnings=(said,))

    def close(self) -> None:
        if self._child is not None:
            stop_worker(self._child)
        self._parts.put(None)
        if self._thread is not None:
            self._thread.join()


def serve(source: IO[bytes], sink: IO[bytes]) -> None:
    """Run in the child after the first frame: read the files as they arrive, resolve their references, and answer.

    The process then exits, so this function never returns. Freeing the memory object by object would only take time.
    """
    from codeexplore.graph.build.resolve import resolve

    try:
        facts = all_facts(_received(source))  # the reference keeps the facts from being freed one by one
        manifests = _manifests(source)
        resolution = resolve(facts, manifests=manifests, ending=True, settled=trim_memory)
        write_frame(sink, marshal.dumps((plain_members(members_of_tables(resolution)), resolution.notes)))
    except (MemoryError, OSError, SystemError) as error:
        if fatal_reason_of(error, None):
            os._exit(OUT_OF_MEMORY)  # there may be no memory to write a message
        raise
    os._exit(0)


def _received(source: IO[bytes]) -> Iterator[Part]:
    while frame := read_frame(source):
        number, symbols, files = marshal.loads(frame)  # noqa: S302 - from our own parent process
        yield Part(number, members_of_plain(symbols), [FileWork(*file) for file in files])
    if frame is None:
        os._exit(1)  # the pipe was closed before all parts arrived


def _manifests(source: IO[bytes]) -> dict[str, str]:
    """Read the frame with the texts of the manifests, which follows the files.

    From then on, the child ends with its parent.
    """
    frame = read_frame(source)
    if frame is None:
        os._exit(1)
    manifests: dict[str, str] = marshal.loads(frame)  # noqa: S302 - from our own parent process
    with contextlib.suppress(RuntimeError):  # no memory for a thread: then the child ends when it writes its answer
        # not threading.Thread, whose start waits for ever if the thread gets no memory to begin
        _thread.start_new_thread(_end_with_parent, (source,))
    return manifests


def _end_with_parent(source: IO[bytes]) -> None:
    """Exit when the pipe is closed, because nobody waits for the answer any more."""
    os.read(source.fileno(), 1)  # not `source.read`, which would still have its lock when the work is done
    os._exit(1)
