"""Work that a load leaves for later: the facts of files of which only definitions were found.

The first pass of a load reads the files and finds symbols and chunks, which is enough to search. The second pass
(`SecondPass`) parses the same texts again, in the same processes, and extracts the facts that a resolution needs. It
starts directly after the first pass, while this process builds the text lanes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from codeexplore.index.files import SourceTexts
from codeexplore.types.errors import LoadCancelled
from codeexplore.workspace.pipeline import LoadOptions
from codeexplore.workspace.progress import Progress
from codeexplore.workspace.workers.pool import AnalysisPool, runs_of

if TYPE_CHECKING:
    from codeexplore.index.files import StoredSources
    from codeexplore.languages.extraction import Layout
    from codeexplore.workspace.snapshot import Index
    from codeexplore.workspace.workers.pool import Extracted

Make: TypeAlias = "Callable[[Progress], Index]"
"""Function that returns an index with its graph, or with the reason for its absence. Raises LoadCancelled."""


def _runs_to_extract(sources: SourceTexts) -> list[tuple[int, int]]:
    rows = map(sources.rows.get, sources.paths)
    return runs_of([row.size if row is not None and row.lacks_facts else 0 for row in rows])


def extract_facts(
    sources: SourceTexts,
    runs: Sequence[tuple[int, int]],
    pool: AnalysisPool,
    done: Callable[[int], None],
    on_run: Callable[[int, int], None] | None = None,
) -> list[str]:
    """Extract the facts of all files that lack them, and put them into `sources`. Return warnings.

    `on_run` is called with each of the `runs` as soon as its files have their facts. `done` is called with the number
    of finished runs, and may raise an exception to stop.
    """
    work = [
        [row for path in sources.paths[first:stop] if (row := sources.rows.get(path)) is not None and row.lacks_facts]
        for first, stop in runs
    ]
    warnings: list[str] = []

    def take(number: int, found: Extracted) -> None:
        facts, told = found
        warnings.extend(told)
        for row, each in zip(work[number], facts, strict=True):
            sources.rows[row.path] = row._replace(facts=each)
        if on_run is not None:
            on_run(*runs[number])

    return [*pool.extract(work, done, take), *sorted(warnings)]


class SecondPass:
    """A second pass that runs in a thread of its own. It starts when the object is made.

    The files get their facts as they come, and `on_run` is called in the thread with each of the `runs` as
    soon as its files have theirs. A processor is left to this process until `wait` is called first.
    """

    def __init__(self, sources: SourceTexts, pool: AnalysisPool, on_run: Callable[[int, int], None]) -> None:
        self.runs = _runs_to_extract(sources)
        self.finished = 0
        """Number of the runs whose files have their facts."""
        self._pool, self._stopped = pool, threading.Event()
        self._made: Future[list[str]] = Future()
        pool.spares_processor = True
        self._thread = threading.Thread(target=self._run, args=(sources, on_run), name="codeexplore-facts", daemon=True)
        self._thread.start()

    def wait(self, seconds: float) -> bool:
        """Return True as soon as the pass has ended, or False if it has not after so many seconds."""
        self._pool.spares_processor = False
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def warnings(self) -> list[str]:
        """Return the warnings of the pass, which has ended. Raises the exception that ended it."""
        return self._made.result()

    def close(self) -> None:
        """End the pass, even if it is still running, and its processes."""
        self._stopped.set()
        self._pool.close()
        self._thread.join()

    def _run(self, sources: SourceTexts, on_run: Callable[[int, int], None]) -> None:
        try:
            self._made.set_result(extract_facts(sources, self.runs, self._pool, self._done, on_run))
        except BaseException as error:  # noqa: BLE001 - `warnings` raises it in the thread that waits
            self._made.set_exception(error)

    def _done(self, count: int) -> None:
        if self._stopped.is_set():
            raise LoadCancelled("the load was cancelled")
        self.finished = count


def complete_facts(
    sources: SourceTexts | StoredSources, layout: Layout, options: LoadOptions, progress: Progress
) -> list[str]:
    """Extract the facts that `sources` lack, because they were edited before the second pass ended. Return warnings."""
    if not isinstance(sources, SourceTexts) or not (lacking := sources.lacking_facts()):
        return []
    workers = options.children(sources.rows[path].size for path in lacking)
    work = _runs_to_extract(sources)
    with (
        AnalysisPool(Path(), layout, workers, options.max_file_bytes, options.executor) as pool,
        progress.stage("facts", len(work)) as done,
    ):
        return extract_facts(sources, work, pool, done)
