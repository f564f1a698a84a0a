"""Reading and analysis of many files: in this process, in child processes, or by the user's executor.

All three run `analyse_contents`, so the results are identical. An executor gets the bytes of the files together with
the work. So its machines need only this package in the same version, and not the files. See `child_process` for the
children and their pipes.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import CancelledError, Executor, Future
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, TYPE_CHECKING, Any, TypeAlias

from codeexplore.index.file_batch import BatchResult, batch_result, pack, unpack
from codeexplore.languages.extraction import Layout
from codeexplore.settings import MAX_FILE_BYTES
from codeexplore.source.candidates import Candidate
from codeexplore.source.read import read_bytes, read_from
from codeexplore.syntax.analyse import analyse
from codeexplore.types import FileIndex, Skipped, SourceFile
from codeexplore.workers.child_process import read_frame, start_worker, stop_worker, write_frame

if TYPE_CHECKING:
    from concurrent.futures import Executor


BATCH_BYTES = 400_000
"""Bytes of source in one batch: small enough to distribute the work evenly, large enough to make round trips cheap."""

PARALLEL_BYTES = 3_000_000
"""Bytes of source. For less, starting a child (a third of a second) takes more time than it saves."""

MAX_WORKERS = 8
"""Most children: each needs its own memory, and this process must receive the results of all children."""


Files: TypeAlias = "list[FileIndex | Skipped]"
"""Result of one batch as records, in the order of its files."""


def analyse_batch(root: Path, batch: Sequence[Candidate], layout: Layout, max_bytes: int = MAX_FILE_BYTES) -> Files:
    """Read and analyse the files of one batch."""
    return analyse_contents([(each, read_bytes(root, each, max_bytes)) for each in batch], layout, max_bytes)


def analyse_contents(
    contents: Iterable[tuple[Candidate, bytes | Skipped]], layout: Layout, max_bytes: int = MAX_FILE_BYTES
) -> Files:
    """Analyse files whose bytes were already read."""
    results: Files = []
    for candidate, data in contents:
        file = data if isinstance(data, Skipped) else read_from(data, candidate, max_bytes=max_bytes)
        results.append(analyse(file, layout) if isinstance(file, SourceFile) else file)
    return results


def batches(candidates: Sequence[Candidate]) -> list[list[Candidate]]:
    """Divide the candidates into batches of consecutive files with about `BATCH_BYTES` each."""
    made: list[list[Candidate]] = []
    size = BATCH_BYTES
    for candidate in candidates:
        if size >= BATCH_BYTES:
            made.append([])
            size = 0
        made[-1].append(candidate)
        size += candidate.size
    return made


def default_workers(total_bytes: int) -> int:
    """Return the number of children to use. It is 0 for a small repository or a single core."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)
    if total_bytes < PARALLEL_BYTES or cores < 2 or not sys.executable:
        return 0
    return min(cores, MAX_WORKERS)


def analyse_all(
    root: Path, work: Sequence[Sequence[Candidate]], layout: Layout, workers: int, done: Callable[[int], None]
) -> tuple[list[Files], list[str]]:
    """Analyse every batch. Return the results as records, and warnings, see `analyse_batches`."""
    from codeexplore.index.files import opened

    found, warnings = analyse_batches(root, work, layout, workers, done)
    return [opened(result) for result in found], warnings


def _ignore(number: int, result: BatchResult) -> None:
    """Do nothing with a result: the default of `on_batch`."""


def analyse_batches(
    root: Path,
    work: Sequence[Sequence[Candidate]],
    layout: Layout,
    workers: int,
    done: Callable[[int], None],
    max_bytes: int = MAX_FILE_BYTES,
    executor: Executor | None = None,
    on_batch: Callable[[int, BatchResult], None] = _ignore,
) -> tuple[list[BatchResult], list[str]]:
    """Analyse every batch. Return the results in the order of `work`, and warnings.

    Parameters
    ----------
    root, layout, max_bytes
        See `codeexplore.syntax.analyse.analyse` and `codeexplore.source.read.read`.
    work
        Batches of candidates.
    workers
        Number of children; 0 to analyse in this process. If a child fails, its batch is analysed in this process,
        with a
        warning.
    done
        Called with the number of finished batches. An exception that it raises stops the analysis.
    executor
        Used instead of children if it is given.
    on_batch
        Called with the number of a batch and its result, as soon as the result arrives.
    """
    if executor is not None and work:
        return analyse_with(executor, root, work, layout, done, max_bytes, on_batch)
    if workers < 1 or len(work) < 2:
        results = []
        for number, batch in enumerate(work):
            results.append(batch_result(analyse_batch(root, batch, layout, max_bytes)))
            on_batch(number, results[-1])
            done(number + 1)
        return results, []
    pool = _Pool(root, layout, min(workers, len(work)), max_bytes)
    try:
        return pool.run(work, done, on_batch)
    finally:
        pool.close()


class _Pool:
    """A set of children. Each is served by its own thread, which only moves bytes."""

    def __init__(self, root: Path, layout: Layout, workers: int, max_bytes: int) -> None:
        self._root, self._layout, self._max_bytes = root, layout, max_bytes
        self._children = [start_worker() for _ in range(workers)]

    def run(
        self,
        work: Sequence[Sequence[Candidate]],
        done: Callable[[int], None],
        on_batch: Callable[[int, BatchResult], None],
    ) -> tuple[list[BatchResult], list[str]]:
        waiting: SimpleQueue[int] = SimpleQueue()
        sizes = [sum(candidate.size for candidate in batch) for batch in work]
        for number in sorted(range(len(work)), key=lambda number: -sizes[number]):  # large batches first
            waiting.put(number)
        finished: SimpleQueue[tuple[int, bytes | str]] = SimpleQueue()
        paths = sorted(self._layout.paths)
        hello = marshal.dumps(("analyse", str(self._root), self._layout.prefix, paths, self._max_bytes))
        for child in self._children:
            threading.Thread(target=_feed, args=(child, hello, work, waiting, finished), daemon=True).start()
        results: list[BatchResult | None] = [None] * len(work)
        warnings = []
        for count in range(1, len(work) + 1):
            number, answer = finished.get()
            if isinstance(answer, bytes):
                result = unpack(answer)
            else:
                warnings.append(f"a worker process failed ({answer}); its files were analysed in this process")
                result = batch_result(analyse_batch(self._root, work[number], self._layout, self._max_bytes))
            results[number] = result
            on_batch(number, result)
            done(count)
        return [result for result in results if result is not None], warnings

    def close(self) -> None:
        """End the children, even if they are working."""
        for child in self._children:
            stop_worker(child)


def _feed(
    child: subprocess.Popen[bytes],
    hello: bytes,
    work: Sequence[Sequence[Candidate]],
    waiting: SimpleQueue[int],
    finished: SimpleQueue[tuple[int, bytes | str]],
) -> None:
    """Send batches to one child until no batch is left.

    If the child breaks, report its current batch and all batches that this thread takes afterwards as failures.
    """
    broken = ""
    assert child.stdin is not None
    assert child.stdout is not None
    try:
        write_frame(child.stdin, hello)
    except (OSError, ValueError) as error:
        broken = str(error)
    while True:
        try:
            number = waiting.get_nowait()
        except Empty:
            with contextlib.suppress(OSError, ValueError):
                child.stdin.close()  # the child then ends even if `stop_worker` is never called
            return
        if not broken:
            try:
                write_frame(child.stdin, marshal.dumps([tuple(candidate) for candidate in work[number]]))
                answer = read_frame(child.stdout)
                if answer is not None:
                    finished.put((number, answer))
                    continue
                broken = f"exit status {child.wait()}"
            except Exception as error:  # noqa: BLE001 - reported with the batch, because the receiver waits for it
                broken = str(error) or type(error).__name__
        finished.put((number, broken))


def serve(hello: tuple[Any, ...], source: IO[bytes], sink: IO[bytes]) -> None:
    """Run in the child after the first frame: answer each batch of candidates with its result."""
    _, root, prefix, paths, max_bytes = hello
    layout = Layout(frozenset(paths), prefix)
    while (frame := read_frame(source)) is not None:
        batch = [Candidate(*row) for row in marshal.loads(frame)]  # noqa: S302 - from our own parent process
        write_frame(sink, pack(batch_result(analyse_batch(Path(root), batch, layout, max_bytes))))


IN_FLIGHT = 64
"""Most batches that are submitted and not finished: about 25 MB of source."""

_Contents = list[tuple[tuple[object, ...], "bytes | tuple[str, ...]"]]


def analyse_with(
    executor: Executor,
    root: Path,
    work: Sequence[Sequence[Candidate]],
    layout: Layout,
    done: Callable[[int], None],
    max_bytes: int,
    on_batch: Callable[[int, BatchResult], None],
) -> tuple[list[BatchResult], list[str]]:
    """Analyse every batch with an executor. Return the results in the order of `work`, and warnings.

    The results are equal to those of `analyse_batches` without an executor. `on_batch` is called with each result as it
    arrives. A batch that fails in the executor is analysed in this process, with a warning. If `done` raises an
    exception, batches that have not started are cancelled.
    """
    waiting = deque(enumerate(work))
    flying: deque[tuple[int, Future[tuple[str, bytes]]]] = deque()
    results: list[BatchResult] = []
    warnings: list[str] = []
    plain_layout = (sorted(layout.paths), layout.prefix)
    try:
        while waiting or flying:
            while waiting and len(flying) < IN_FLIGHT:
                number, batch = waiting.popleft()
                contents = [(tuple(each), _plain(read_bytes(root, each, max_bytes))) for each in batch]
                flying.append((number, executor.submit(analyse_plain, contents, plain_layout, max_bytes)))
            number, future = flying.popleft()
            try:
                results.append(_unpacked(*future.result()))
            except (Exception, CancelledError) as error:  # noqa: BLE001 - after any failure, the batch is analysed here
                reason = f"{type(error).__name__}: {error}"
                warnings.append(f"the executor failed ({reason:.200}); these files were analysed in this process")
                contents_here = [(each, read_bytes(root, each, max_bytes)) for each in work[number]]
                results.append(batch_result(analyse_contents(contents_here, layout, max_bytes)))
            on_batch(number, results[-1])
            done(len(results))
    finally:
        for _, future in flying:
            future.cancel()
    return results, list(dict.fromkeys(warnings))


def analyse_plain(contents: _Contents, layout: tuple[list[str], str], max_bytes: int) -> tuple[str, bytes]:
    """Analyse files inside an executor.

    Arguments and results are plain data: return the Python version and packed results.
    """
    made = Layout(frozenset(layout[0]), layout[1])
    files = [
        (Candidate(*row), data if isinstance(data, bytes) else Skipped(*data))  # type: ignore[arg-type]
        for row, data in contents
    ]
    return _version(), pack(batch_result(analyse_contents(files, made, max_bytes)))


def _plain(data: bytes | Skipped) -> bytes | tuple[str, ...]:
    return data if isinstance(data, bytes) else tuple(data)


def _unpacked(version: str, packed: bytes) -> BatchResult:
    if version != _version():
        raise RuntimeError(f"the executor runs Python {version}, this process Python {_version()}")
    return unpack(packed)


def _version() -> str:
    return "{}.{}".format(*sys.version_info)
