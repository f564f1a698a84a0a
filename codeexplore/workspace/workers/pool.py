"""Reading and analysis of many files: in this process, or by an executor.

The executor is `child_process.ChildExecutor` or the user's own. All run `analyse_contents`, so the results are
identical. Children read the files themselves. The user's executor gets the bytes of the files together with the work.
So its machines need only this package in the same version, and not the files.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import CancelledError, Executor, Future
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Self, TypeAlias, TypeVar

from codeexplore.index.files import AnalysedFile, BatchResult, batch_result, extracted_facts, pack, unpack
from codeexplore.languages.extraction.expressions import Layout
from codeexplore.memory import workers_that_fit
from codeexplore.source.discovery import Candidate
from codeexplore.source.read import read_bytes, read_from
from codeexplore.syntax.analyse import analyse
from codeexplore.types import FileIndex, Skipped, SourceFile
from codeexplore.types.settings import MAX_FILE_BYTES
from codeexplore.workspace.workers.child_process import ChildExecutor

_Work = TypeVar("_Work")
_Result = TypeVar("_Result")

BATCH_BYTES = 400_000
"""Bytes of source in one batch: small enough to distribute the work evenly, large enough to make round trips cheap."""

PARALLEL_BYTES = 3_000_000
"""Bytes of source. For less, starting a child (a third of a second) takes more time than it saves."""

MAX_WORKERS = 8
"""Most children: each needs its own memory, and this process must receive the results of all children."""


Files: TypeAlias = "list[FileIndex | Skipped]"
"""Result of one batch as records, in the order of its files."""


def analyse_batch(
    root: Path, batch: Sequence[Candidate], layout: Layout, max_bytes: int = MAX_FILE_BYTES, *, outlined: bool = False
) -> Files:
    contents = [(each, read_bytes(root, each, max_bytes)) for each in batch]
    return analyse_contents(contents, layout, max_bytes, outlined=outlined)


def analyse_contents(
    contents: Iterable[tuple[Candidate, bytes | Skipped]],
    layout: Layout,
    max_bytes: int = MAX_FILE_BYTES,
    *,
    outlined: bool = False,
) -> Files:
    """Analyse files whose bytes were already read; `outlined` is that of `syntax.analyse.analyse`."""
    results: Files = []
    for candidate, data in contents:
        file = data if isinstance(data, Skipped) else read_from(data, candidate, max_bytes=max_bytes)
        results.append(analyse(file, layout, outlined=outlined) if isinstance(file, SourceFile) else file)
    return results


Extracted: TypeAlias = "tuple[list[bytes], list[str]]"
"""Facts of the files of one batch in marshal's form, and warnings."""


def extract_rows(rows: Sequence[AnalysedFile], layout: Layout) -> Extracted:
    """Extract the facts of files that were only outlined."""
    found = [extracted_facts(row, layout) for row in rows]
    return [facts for facts, _ in found], [warning for _, warning in found if warning]


def runs_of(sizes: Sequence[int]) -> list[tuple[int, int]]:
    """Divide files with `sizes` in bytes into runs of consecutive files with about `BATCH_BYTES` each.

    Each run is (number of its first file, number after its last file).
    """
    made, first, size = [], 0, 0
    for stop, each in enumerate(sizes, 1):
        size += each
        if size >= BATCH_BYTES or stop == len(sizes):
            made.append((first, stop))
            first, size = stop, 0
    return made


def batches(candidates: Sequence[Candidate]) -> list[list[Candidate]]:
    return [list(candidates[first:stop]) for first, stop in runs_of([candidate.size for candidate in candidates])]


def default_workers(total_bytes: int) -> int:
    """Return the number of children to use. It is 0 for a small repository or a single core."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)
    if total_bytes < PARALLEL_BYTES or cores < 2 or not sys.executable:
        return 0
    return workers_that_fit(min(cores, MAX_WORKERS))


class AnalysisPool:
    """The processes that analyse the files of one load: this process, `workers` children, or the user's executor.

    Children are started at the first request; with 0, files are analysed in this process. If a child fails, its batch
    is analysed in this process, with a warning. If `spares_processor` is True, one batch less is given out at a time
    than there are workers, because this process is busy too.
    """

    def __init__(
        self,
        root: Path,
        layout: Layout,
        workers: int,
        max_bytes: int = MAX_FILE_BYTES,
        executor: Executor | None = None,
    ) -> None:
        self.root, self.layout, self.max_bytes = root, layout, max_bytes
        self._workers, self._executor = workers, executor
        self.spares_processor = False
        self._children: ChildExecutor | None = None

    def start(self, batches: int) -> None:
        """Start the children for so many batches, so that they are ready when the first one is submitted."""
        if self._executor is None and self._workers > 0 and batches > 1:
            self._started(batches)

    @property
    def is_apart(self) -> bool:
        return self._executor is not None or self._workers > 0

    def analyse(
        self,
        work: Sequence[Sequence[Candidate]],
        done: Callable[[int], None],
        on_batch: Callable[[int, BatchResult], None] = lambda *_: None,
        *,
        outlined: bool = False,
    ) -> tuple[list[BatchResult], list[str]]:
        """Read and analyse batches of files. Return the results in the order of `work`, and warnings.

        `on_batch` is called with the number of a batch and its result, as soon as it arrives, and `done` with the
        number of finished batches; an exception that it raises stops the analysis. With `outlined`, only symbols and
        chunks are extracted, and `extract` then gives the facts.
        """

        def here(batch: Sequence[Candidate]) -> BatchResult:
            made = analyse_batch(self.root, batch, self.layout, self.max_bytes, outlined=outlined)
            return batch_result(made, outlined=outlined)

        def submit(batch: Sequence[Candidate]) -> Future[bytes]:
            if self._executor is None:
                return self._started(len(work)).submit(analyse_plain, [(tuple(each), None) for each in batch], outlined)
            found = [(tuple(each), read_bytes(self.root, each, self.max_bytes)) for each in batch]
            contents = [(row, data if isinstance(data, bytes) else tuple(data)) for row, data in found]
            return self._executor.submit(analyse_plain, contents, outlined, self._shared())

        sizes = [sum(candidate.size for candidate in batch) for batch in work]
        return self._run(work, sizes, submit, unpack, here, done, on_batch)

    def extract(
        self,
        work: Sequence[Sequence[AnalysedFile]],
        done: Callable[[int], None],
        on_batch: Callable[[int, Extracted], None],
    ) -> list[str]:
        """Extract the facts of files that were only outlined, from their texts in memory. Return warnings.

        Each batch gives the facts of its files in marshal's form, and warnings; see `extracted_facts`.
        """

        def here(batch: Sequence[AnalysedFile]) -> Extracted:
            return extract_rows(batch, self.layout)

        def submit(batch: Sequence[AnalysedFile]) -> Future[bytes]:
            rows = list(map(tuple, batch))
            if self._executor is None:
                return self._started(len(work)).submit(extract_plain, rows)
            return self._executor.submit(extract_plain, rows, self._shared())

        sizes = [sum(row.size for row in batch) for batch in work]
        return self._run(work, sizes, submit, marshal.loads, here, done, on_batch)[1]

    def _shared(self) -> _Shared:
        return str(self.root), self.layout.prefix, sorted(self.layout.paths), self.max_bytes

    def _started(self, most: int) -> ChildExecutor:
        if self._children is None:
            self._children = ChildExecutor(min(self._workers, most), (prepare, self._shared()))
        return self._children

    def _run(
        self,
        work: Sequence[_Work],
        sizes: Sequence[int],
        submit: Callable[[_Work], Future[bytes]],
        read: Callable[[bytes], _Result],
        here: Callable[[_Work], _Result],
        done: Callable[[int], None],
        on_batch: Callable[[int, _Result], None],
    ) -> tuple[list[_Result], list[str]]:
        """Do all work, large batches first. Return the results in the order of `work`, and warnings.

        A batch that fails in another process is done in this process by `here`, with a warning. If `done` raises an
        exception, batches that have not started are cancelled.
        """
        results: dict[int, _Result] = {}
        if self._executor is None and (self._workers < 1 or len(work) < 2):
            for number, batch in enumerate(work):
                results[number] = here(batch)
                on_batch(number, results[number])
                done(number + 1)
            return list(results.values()), []
        who = "a worker process" if self._executor is None else "the executor"
        warnings: dict[str, None] = {}
        waiting = deque(sorted(range(len(work)), key=lambda number: -sizes[number]))
        flying: dict[Future[bytes], int] = {}
        finished: SimpleQueue[Future[bytes]] = SimpleQueue()
        try:
            for count in range(1, len(work) + 1):
                most = max(1, self._workers - 1) if self.spares_processor else IN_FLIGHT
                while waiting and len(flying) < most:
                    number = waiting.popleft()
                    future = _submitted(submit, work[number])
                    flying[future] = number
                    future.add_done_callback(finished.put)
                future = finished.get()
                number = flying.pop(future)
                try:
                    result = read(_checked(future.result()))
                except (Exception, CancelledError) as error:  # noqa: BLE001 - after any failure, the batch is done here
                    done(count - 1)  # not here if the executor was closed because the work is not needed any more
                    reason = str(error) if isinstance(error, ChildProcessError) else f"{type(error).__name__}: {error}"
                    warnings[f"{who} failed ({reason:.200}); its files were analysed in this process"] = None
                    result = here(work[number])
                results[number] = result
                on_batch(number, result)
                done(count)
        finally:
            for future in flying:
                future.cancel()
        return [results[number] for number in range(len(work))], list(warnings)

    def close(self) -> None:
        if self._children is not None:
            self._children.shutdown(cancel_futures=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _submitted(submit: Callable[[_Work], Future[bytes]], batch: _Work) -> Future[bytes]:
    """Submit a batch. If this fails, because the user's executor was shut down, the error is that of the future."""
    try:
        return submit(batch)
    except Exception as error:  # noqa: BLE001 - the caller asks the future, and analyses the batch itself
        failed: Future[bytes] = Future()
        failed.set_exception(error)
        return failed


IN_FLIGHT = 64
"""Most batches that are submitted and not finished: about 25 MB of source."""

# --------------------------------------------------------------------------- in children, and in the user's executor

_Shared: TypeAlias = "tuple[str, str, Sequence[str], int]"
"""Root, prefix and paths of the layout, and size limit: the same for all batches. A child is told once."""

_prepared: tuple[Path, Layout, int] | None = None


def prepare(root: str, prefix: str, paths: Sequence[str], max_bytes: int) -> bytes:
    """Store in this child what all of its batches share."""
    global _prepared  # noqa: PLW0603 - a child serves one load
    _prepared = Path(root), Layout(frozenset(paths), prefix), max_bytes
    return b""


def _told(shared: _Shared | None) -> tuple[Path, Layout, int]:
    if shared is not None:
        root, prefix, paths, max_bytes = shared
        return Path(root), Layout(frozenset(paths), prefix), max_bytes
    assert _prepared is not None
    return _prepared


_Contents: TypeAlias = "Sequence[tuple[tuple[Any, ...], bytes | tuple[str, ...] | None]]"


def analyse_plain(contents: _Contents, outlined: bool, shared: _Shared | None = None) -> bytes:
    """Analyse files and return the packed result. A file without bytes is read here; an executor may not have it."""
    root, layout, max_bytes = _told(shared)
    files: list[tuple[Candidate, bytes | Skipped]] = []
    for row, data in contents:
        each = Candidate(*row)
        read = read_bytes(root, each, max_bytes) if data is None else data
        files.append((each, read if isinstance(read, bytes | Skipped) else Skipped(*read)))
    made = analyse_contents(files, layout, max_bytes, outlined=outlined)
    return _marked(pack(batch_result(made, outlined=outlined)))


def extract_plain(batch: Sequence[tuple[Any, ...]], shared: _Shared | None = None) -> bytes:
    """Extract facts and return the packed result."""
    return _marked(marshal.dumps(extract_rows([AnalysedFile(*row) for row in batch], _told(shared)[1])))


# --------------------------------------------------------------------------- results


def _marked(data: bytes) -> bytes:
    """Return `data` preceded by the version of Python, because only the same version can read it."""
    return b"%d.%d\n" % sys.version_info[:2] + data


def _checked(data: bytes) -> bytes:
    """Return the data of `_marked` without the version. Raises RuntimeError if it is another version."""
    version, _, packed = data.partition(b"\n")
    own = b"%d.%d" % sys.version_info[:2]
    if version != own:
        raise RuntimeError(f"the executor runs Python {version.decode()}, this process Python {own.decode()}")
    return packed
