"""Reading and analysis of many files: in this process, or by an executor.

The executor is `child_executor.ChildExecutor` or the user's own. All run `analyse_contents`, so the results are
identical. Children read the files themselves. The user's executor gets the bytes of the files together with the work.
So its machines need only this package in the same version, and not the files.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import CancelledError, Executor, Future
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any, TypeAlias

from codeexplore.index.file_batch import BatchResult, batch_result, pack, unpack
from codeexplore.languages.extraction import Layout
from codeexplore.settings import MAX_FILE_BYTES
from codeexplore.source.candidates import Candidate
from codeexplore.source.read import read_bytes, read_from
from codeexplore.syntax.analyse import analyse
from codeexplore.types import FileIndex, Skipped, SourceFile
from codeexplore.workers.child_executor import ChildExecutor

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
    """Do nothing. This is the default of `on_batch`."""


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
        Number of children; 0 to analyse in this process. If a child fails, its batch is analysed in this process, with
        a warning.
    done
        Called with the number of finished batches. An exception that it raises stops the analysis.
    executor
        Used instead of children if it is given.
    on_batch
        Called with the number of a batch and its result, as soon as the result arrives.
    """
    if executor is None and (workers < 1 or len(work) < 2):
        results = []
        for number, batch in enumerate(work):
            results.append(batch_result(analyse_batch(root, batch, layout, max_bytes)))
            on_batch(number, results[-1])
            done(number + 1)
        return results, []
    here = partial(analyse_batch, root, layout=layout, max_bytes=max_bytes)
    if executor is not None:
        shared = (sorted(layout.paths), layout.prefix), max_bytes

        def submit(batch: Sequence[Candidate]) -> Future[bytes]:
            contents = [(tuple(each), _plain(read_bytes(root, each, max_bytes))) for each in batch]
            return executor.submit(analyse_plain, contents, *shared)

        return _collected(work, submit, here, "the executor", done, on_batch)
    paths = sorted(layout.paths)
    children = ChildExecutor(min(workers, len(work)), prepare, str(root), layout.prefix, paths, max_bytes)
    try:
        return _collected(
            work, lambda batch: children.submit(analyse_paths, list(map(tuple, batch))), here, "a worker process",
            done, on_batch,
        )  # fmt: skip
    finally:
        children.shutdown(cancel_futures=True)


def _collected(
    work: Sequence[Sequence[Candidate]],
    submit: Callable[[Sequence[Candidate]], Future[bytes]],
    here: Callable[[Sequence[Candidate]], Files],
    who: str,
    done: Callable[[int], None],
    on_batch: Callable[[int, BatchResult], None],
) -> tuple[list[BatchResult], list[str]]:
    """Submit the batches, large ones first. Return the results in the order of `work`, and warnings.

    A batch that fails is analysed in this process by `here`, with a warning that names `who`. If `done` raises an
    exception, batches that have not started are cancelled.
    """
    results: list[BatchResult | None] = [None] * len(work)
    warnings: dict[str, None] = {}
    sizes = [sum(candidate.size for candidate in batch) for batch in work]
    waiting = deque(sorted(range(len(work)), key=lambda number: -sizes[number]))
    flying: dict[int, Future[bytes]] = {}
    finished: SimpleQueue[int] = SimpleQueue()
    try:
        for count in range(1, len(work) + 1):
            while waiting and len(flying) < IN_FLIGHT:
                number = waiting.popleft()
                flying[number] = submit(work[number])
                flying[number].add_done_callback(partial(_put, finished, number))
            number = finished.get()
            try:
                result = _unpacked(flying.pop(number).result())
            except (Exception, CancelledError) as error:  # noqa: BLE001 - after any failure, the batch is analysed here
                reason = str(error) if isinstance(error, ChildProcessError) else f"{type(error).__name__}: {error}"
                warnings[f"{who} failed ({reason:.200}); its files were analysed in this process"] = None
                result = batch_result(here(work[number]))
            results[number] = result
            on_batch(number, result)
            done(count)
    finally:
        for future in flying.values():
            future.cancel()
    return [result for result in results if result is not None], list(warnings)


def _put(finished: SimpleQueue[int], number: int, future: Future[bytes]) -> None:  # noqa: ARG001 - a callback
    finished.put(number)


IN_FLIGHT = 64
"""Most batches that are submitted and not finished: about 25 MB of source."""

# --------------------------------------------------------------------------- in children

_prepared: tuple[Path, Layout, int] | None = None
"""Root, layout and size limit for all batches of this child."""


def prepare(root: str, prefix: str, paths: Sequence[str], max_bytes: int) -> bytes:
    """Store in this child what all of its batches share."""
    global _prepared  # noqa: PLW0603 - a child serves one load
    _prepared = Path(root), Layout(frozenset(paths), prefix), max_bytes
    return b""


def analyse_paths(batch: Sequence[tuple[Any, ...]]) -> bytes:
    """Read and analyse files inside a child, and return the packed result."""
    assert _prepared is not None
    root, layout, max_bytes = _prepared
    return _packed(analyse_batch(root, [Candidate(*row) for row in batch], layout, max_bytes))


# --------------------------------------------------------------------------- in the user's executor

_Contents = list[tuple[tuple[object, ...], "bytes | tuple[str, ...]"]]


def analyse_plain(contents: _Contents, layout: tuple[list[str], str], max_bytes: int) -> bytes:
    """Analyse files inside an executor whose machines do not have these files, and return the packed result."""
    files = [
        (Candidate(*row), data if isinstance(data, bytes) else Skipped(*data))  # type: ignore[arg-type]
        for row, data in contents
    ]
    return _packed(analyse_contents(files, Layout(frozenset(layout[0]), layout[1]), max_bytes))


def _plain(data: bytes | Skipped) -> bytes | tuple[str, ...]:
    return data if isinstance(data, bytes) else tuple(data)


# --------------------------------------------------------------------------- results


def _packed(files: Files) -> bytes:
    """Return results as bytes, preceded by the version of Python, because only the same version can read them."""
    return b"%d.%d\n" % sys.version_info[:2] + pack(batch_result(files))


def _unpacked(data: bytes) -> BatchResult:
    version, _, packed = data.partition(b"\n")
    own = b"%d.%d" % sys.version_info[:2]
    if version != own:
        raise RuntimeError(f"the executor runs Python {version.decode()}, this process Python {own.decode()}")
    return unpack(packed)
