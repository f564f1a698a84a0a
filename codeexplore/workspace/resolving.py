"""References resolved in a process of their own, whose heap goes with it, while this one makes the text lanes.

A resolution of a large repository holds gigabytes of values for some seconds. Allocators rarely give such memory back,
so a child does it: `python -m codeexplore._worker`, fed with facts as the bytes in which they came from the children
that analysed the files. Small repositories are resolved here, by the same function, with the same result.
"""

from __future__ import annotations

import gc
import marshal
import os
import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from codeexplore.persistence.columns import SYMBOLS, Columns, members_in
from codeexplore.persistence.facts import facts_of, unpack_facts
from codeexplore.persistence.symbols import SymbolTable
from codeexplore.types import FileFacts, Symbol
from codeexplore.workspace.graph_tables import members_of_tables, tables_of_members
from codeexplore.workspace.parcel import members_of_plain, plain_members
from codeexplore.workspace.pipes import read_frame, start_worker, stop_worker, write_frame

if TYPE_CHECKING:
    from types import TracebackType

    from codeexplore.catalog import Catalog
    from codeexplore.graph.model import CodeGraph
    from codeexplore.persistence.archive import Member
    from codeexplore.persistence.columns import Members
    from codeexplore.workspace.parcel import FileRow

JOB = "resolve"
"""What the first frame to a child says when references are to be resolved."""

_FILES_A_FRAME = 64
_POLL_SECONDS = 0.1  # between two looks whether the load was cancelled


class FileWork(NamedTuple):
    """One file to be resolved: its facts as `plain_facts` in marshal's form, or as the line that is kept."""

    path: str
    language: str
    quick: bool  # whether `data` is marshal's
    data: bytes


class Work(NamedTuple):
    """What a resolution needs.

    Each of `files` is given up once it has been handed over; `line` gives what is kept of a file, should it be needed
    again.
    """

    root: Path
    paths: Sequence[str]
    columns: Members  # of the files' symbols
    files: list[FileRow | None]
    language: Callable[[str], str]
    line: Callable[[str], bytes]

    def take(self) -> Iterator[FileWork]:
        """The files in their order, in the quickest form."""
        for number, row in enumerate(self.files):
            path = self.paths[number]
            if row is not None and row.facts:
                self.files[number] = None
                yield FileWork(path, row.language, True, row.facts)
            else:
                yield FileWork(path, self.language(path), False, self.line(path))

    def symbols(self) -> dict[str, Member]:
        """The members of symbols without what no resolution looks at."""
        found = members_in(self.columns, SYMBOLS)
        offsets = np.zeros_like(found["symbol.doc.offsets"])
        return found | {"symbol.doc.txt": b"", "symbol.doc.offsets": offsets}


class Resolved(NamedTuple):
    """The tables of a graph as members, what was cut short in words, and warnings; `graph.pagerank` is with them."""

    members: dict[str, Member]
    notes: tuple[str, ...]
    warnings: tuple[str, ...] = ()


# --------------------------------------------------------------------------- the work itself


def resolved(root: Path, symbols: dict[str, Member], paths: Sequence[str], files: Iterable[FileWork]) -> Resolved:
    """Resolve all references, and work out how important each symbol is."""
    from codeexplore.catalog import Catalog
    from codeexplore.graph.model import CodeGraph
    from codeexplore.graph.rank import importance_of
    from codeexplore.graph.resolve import resolve

    table = SymbolTable(Columns(symbols), paths)
    records = table.records()
    bounds = np.searchsorted(table.path_numbers, np.arange(len(paths) + 1)).tolist()
    facts = [_facts(file, tuple(records[bounds[number] : bounds[number + 1]])) for number, file in enumerate(files)]
    resolution = resolve(facts, root=root)
    del facts
    ranks = importance_of(CodeGraph(Catalog(records, ()), resolution))
    members = members_of_tables(resolution) | {"graph.pagerank": np.array(ranks, np.float64)}
    return Resolved(members, resolution.notes)


def _facts(file: FileWork, symbols: tuple[Symbol, ...]) -> FileFacts:
    if file.quick:
        return facts_of(marshal.loads(file.data), file.path, file.language, symbols)  # noqa: S302 - from our own process
    return unpack_facts(file.data, file.path, file.language, symbols)[0]


def quick_facts(row: FileRow, symbols: tuple[Symbol, ...]) -> FileFacts:
    """The facts of a file that was analysed just now."""
    return _facts(FileWork(row.path, row.language, True, row.facts), symbols)


def graph_of(found: Resolved, catalog: Catalog, paths: Sequence[str]) -> CodeGraph:
    """The graph of what was resolved."""
    from codeexplore.graph.model import CodeGraph
    from codeexplore.graph.rank import remember_importance

    members = Columns(found.members)
    graph = CodeGraph(catalog, tables_of_members(members, catalog.symbol_ids(), paths, found.notes))
    remember_importance(graph, members.array("graph.pagerank").tolist())
    return graph


# --------------------------------------------------------------------------- in a child


class Resolving:
    """A resolution under way: in a child from the start on, or here when its result is asked for.

    Where no child can be started, or it ends early, the work is done here, and a warning says so.
    """

    def __init__(self, work: Work, child: bool) -> None:
        self._work = work
        self._answer: bytes | str = ""
        self._child: subprocess.Popen[bytes] | None = None
        self._thread: threading.Thread | None = None
        if not child:
            return
        try:
            self._child = start_worker()
        except OSError as error:
            self._answer = str(error)
            return
        self._thread = threading.Thread(target=self._run, args=(self._child,), daemon=True)
        self._thread.start()

    def _run(self, child: subprocess.Popen[bytes]) -> None:
        assert child.stdin is not None
        assert child.stdout is not None
        try:
            _send(child.stdin, self._work)
            self._answer = read_frame(child.stdout) or f"exit status {child.wait()}"
        except Exception as error:  # noqa: BLE001 - told by `result`, which does the work itself and meets it again
            self._answer = str(error) or type(error).__name__

    def result(self, check: Callable[[], None]) -> Resolved:
        """Wait for the tables. `check` is called several times a second and may raise to stop."""
        if self._thread is not None:
            while self._thread.is_alive():
                check()
                self._thread.join(_POLL_SECONDS)
        check()
        if isinstance(self._answer, bytes):
            return _unpacked(self._answer)
        work, reason = self._work, self._answer
        found = resolved(work.root, work.symbols(), work.paths, work.take())
        gc.collect()  # values that refer to each other in circles; while they were made, nothing was collected
        if not reason:
            return found
        said = f"a worker process failed ({reason:.200}); the graph was resolved in this process"
        return found._replace(warnings=(said,))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the child, at once if it is still at work."""
        if self._child is not None:
            stop_worker(self._child)
        if self._thread is not None:
            self._thread.join()


def _send(stream: IO[bytes], work: Work) -> None:
    hello = (JOB, str(work.root), list(work.paths), plain_members(work.symbols()))
    write_frame(stream, marshal.dumps(hello))
    del hello
    files: list[tuple[Any, ...]] = []
    for file in work.take():
        files.append(tuple(file))
        if len(files) == _FILES_A_FRAME:
            write_frame(stream, marshal.dumps(files))
            files.clear()
    write_frame(stream, marshal.dumps(files))
    write_frame(stream, b"")


def serve(hello: tuple[Any, ...], source: IO[bytes], sink: IO[bytes]) -> None:
    """What the child does after the first frame: read the files, resolve, answer."""
    _, root, paths, symbols = hello
    found = resolved(Path(root), members_of_plain(symbols), paths, _received(source))
    write_frame(sink, marshal.dumps((plain_members(found.members), found.notes)))


def _received(source: IO[bytes]) -> Iterator[FileWork]:
    while frame := read_frame(source):
        for row in marshal.loads(frame):  # noqa: S302 - from our own parent process
            yield FileWork(*row)
    threading.Thread(target=_end_with_parent, args=(source,), daemon=True).start()


def _end_with_parent(source: IO[bytes]) -> None:
    """Leave when the pipe is closed: nobody waits for the answer any more."""
    os.read(source.fileno(), 1)  # not `source.read`, whose lock would still be held when the work is done
    os._exit(1)


def _unpacked(answer: bytes) -> Resolved:
    members, notes = marshal.loads(answer)  # noqa: S302 - from our own child process
    return Resolved(members_of_plain(members), tuple(notes))
