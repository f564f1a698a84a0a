"""A full load: files are analysed in child processes, and their references are resolved in another child process.

The result is complete at once, or its graph is added later. In the second case, a large repository is analysed in two
passes: the first finds symbols and chunks, which is enough to search. The second (`SecondPass`) parses the same texts
again, in the same processes, and extracts the facts that a resolution needs. It starts directly after the first pass,
while this process builds the text lanes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from codeexplore.index.files import AnalysedFile, BatchResult, FileFactsStore, SourceTexts, catalog_of
from codeexplore.source.discovery import Discovery, nothing_to_index
from codeexplore.source.manifests import path_roles
from codeexplore.types import Skipped
from codeexplore.types.errors import GraphUnresolved, LoadCancelled
from codeexplore.workspace import pipeline
from codeexplore.workspace.fingerprints import origin_of, package_prefix
from codeexplore.workspace.graph_update import families_of, without_edges
from codeexplore.workspace.pipeline import GraphResult, LoadOptions
from codeexplore.workspace.progress import Progress
from codeexplore.workspace.snapshot import Index, IndexParts
from codeexplore.workspace.workers.child_process import trim_memory
from codeexplore.workspace.workers.pool import AnalysisPool, batches, runs_of
from codeexplore.workspace.workers.resolver_process import ResolverProcess, Work, graph_of

if TYPE_CHECKING:
    from codeexplore.index.files import StoredSources
    from codeexplore.languages.extraction.expressions import Layout
    from codeexplore.workspace.workers.pool import Extracted

Make: TypeAlias = "Callable[[Progress], Index]"
"""Function that returns an index with its graph, or with the reason for its absence. Raises LoadCancelled."""

_POLL_SECONDS = 0.1  # between two reports of progress


class PendingLoad:
    """A load whose text lanes are built and whose references are still being resolved.

    With `child`, references are resolved in a child process. With `outlined`, there are two passes if other processes
    analyse the files; in this process, a second pass would delay answers. Raises the exceptions of `load_files`.
    """

    def __init__(
        self, found: Discovery, name: str, options: LoadOptions, progress: Progress, *, child: bool, outlined: bool
    ) -> None:
        self._root, self._name, self._progress = found.root, name, progress
        self._resolving = ResolverProcess(child)
        self._prefix = package_prefix(found.root)
        self._pool = pipeline.analysis_pool(found, found.candidates, self._prefix, options)
        self._work = batches(found.candidates)
        self._outlined = outlined and self._pool.is_apart and len(self._work) > 1
        self._second: SecondPass | None = None
        try:
            if self._outlined:
                self._pool.start(len(self._work))
                building = pipeline.TextLanesBuilder(options)  # loads the model while the children start
                prepared = cache(pipeline.prepare_answers)

                def add(number: int, result: BatchResult) -> None:
                    prepared()  # with the first batch, when all children work
                    assert result.words is not None  # the files were outlined
                    building.add(number, result.words)

                self._parts = self._first_pass(found, progress, add)
                self._second = SecondPass(self._parts.sources, self._pool, self._send)
                self._lanes = building.lanes(self._parts.catalog, progress)
            else:
                self._parts = self._first_pass(found, progress, self._resolving.add_batch)
                self._lanes = pipeline.lanes_of(self._parts.catalog, options, progress)
                if child:  # it has the facts already
                    trim_memory()
                    self._parts.sources.drop_facts_text()
            trim_memory()
        except BaseException:
            self.close()
            raise

    @property
    def has_code(self) -> bool:
        return any(families_of(self._parts))

    def whole(self, progress: Progress | None = None) -> Index:
        """Wait for the graph and return the complete index, or the index with the reason why there is none.

        Raises LoadCancelled if the load, or `progress`, is cancelled.
        """
        own = self._progress

        def wait(check: Callable[[], None]) -> GraphResult:
            def both() -> None:
                check()
                own.check()

            try:
                resolved = self._resolving.result(both)
            finally:
                self._parts.sources.drop_facts_text()
            return graph_of(resolved, self._parts.catalog, self._parts.sources.paths), resolved.warnings

        reporting = own if progress is None else progress
        if progress is not None:
            progress.stages[:0] = own.stages
        try:
            if self._second is not None:
                self._finish_second_pass(self._second, reporting)
            index = pipeline.assemble(self._root, self._name, self._parts, self._lanes, wait, reporting)
        except GraphUnresolved as error:
            index = self.without_graph(str(error))
        finally:
            self.close()
        trim_memory()
        return index

    def without_graph(self, reason: str = "") -> Index:
        """Return the index without its graph. `reason` says why it is not being built; "" if it is."""
        graph, pending = without_edges(self._parts)
        parts = replace(self._parts, pending=pending._replace(reason=reason))
        index = pipeline.assemble(self._root, self._name, parts, self._lanes, lambda _: (graph, ()), Progress())
        return replace(index, summary=replace(index.summary, stages=tuple(self._progress.stages)))

    def _first_pass(
        self, found: Discovery, progress: Progress, on_batch: Callable[[int, BatchResult], None]
    ) -> IndexParts:
        """Analyse all files and return the parts of their index. `on_batch` gets the results as they come.

        If there is no second pass, the resolver then has the facts of all files.
        """
        resolving, outlined = self._resolving, self._outlined
        with progress.stage("parse", len(self._work)) as done:
            made, warnings = self._pool.analyse(self._work, done, on_batch, outlined=outlined)
        results = {file.path: file for result in made for file in result.files}
        rows = {path: row for path, row in results.items() if isinstance(row, AnalysedFile)}
        skipped = [*found.skipped, *(file for file in results.values() if isinstance(file, Skipped))]
        if not rows:
            raise nothing_to_index(found.root, skipped)
        origin = origin_of(found.root, found.candidates, results, found.taken_ns, self._prefix)
        with progress.stage("catalog"):
            sources = SourceTexts(rows, rows)
            catalog = catalog_of(pipeline.joined(made), sources)
            files = FileFactsStore(sources, catalog, layout=self._pool.layout)
            catalog.roles = path_roles(origin.manifest_texts)
            parts = IndexParts(sources, files, catalog, skipped, warnings, origin)
            self._resolution = Work(parts, sources.paths, catalog.columns, sources.rows)
            if not outlined:
                self._pool.close()
                resolving.finish(self._resolution)
        del made, results, rows
        trim_memory()
        return parts

    def _send(self, first: int, stop: int) -> None:
        self._resolving.add(self._resolution.part(first, stop))

    def _finish_second_pass(self, second: SecondPass, progress: Progress) -> None:
        with progress.stage("facts", len(second.runs)) as report:
            while not second.wait(_POLL_SECONDS):
                self._progress.check()
                report(second.finished)
            told = second.warnings()
        self._pool.close()
        self._resolving.finish(self._resolution)
        parts = self._parts
        self._parts = replace(parts, warnings=[*parts.warnings, *told])
        parts.sources.drop_facts_text()
        trim_memory()

    def close(self) -> None:
        """End the analysis and the resolution, even if they are still running."""
        if self._second is not None:
            self._second.close()
        self._pool.close()
        self._resolving.close()


def load_files(
    found: Discovery, name: str, options: LoadOptions, progress: Progress, *, background: bool = False
) -> tuple[Index, PendingLoad | None]:
    """Load all files that a walk found. No older index is used.

    Return the index, and None if it has its graph. With `background` it is not waited for, unless there is no code to
    resolve, and the second item is the load that adds it later.

    Raises NothingToIndex, which counts the skipped files by reason, ModelError and LoadCancelled.
    """
    may_start = options.workers is None or options.workers > 0
    child = may_start if background else pipeline.is_large(found.candidates, options)
    unfinished = PendingLoad(found, name, options, progress, child=child, outlined=background)
    try:
        if background and unfinished.has_code:
            return unfinished.without_graph(), unfinished
    except BaseException:
        unfinished.close()
        raise
    return unfinished.whole(), None


# --------------------------------------------------------------------------- the second pass


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

    The files get their facts as they come, and `on_run` is called in the thread with each of the `runs` as soon as its
    files have theirs. A processor is left to this process until `wait` is called first.
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
