"""A full load: texts are processed in this process, references are resolved in a child process.

The result is complete at once, or its graph is added later.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from codeexplore.errors import GraphUnresolved
from codeexplore.index.file_batch import AnalysedFile
from codeexplore.index.files import FileFactsStore, SourceTexts, catalog_of
from codeexplore.source.discovery import nothing_to_index
from codeexplore.types import Skipped
from codeexplore.workers.memory import trim_memory
from codeexplore.workers.resolve_request import Work
from codeexplore.workers.resolver_process import ResolverProcess, graph_of
from codeexplore.workspace.fingerprints import origin_of, package_prefix
from codeexplore.workspace.partial_resolve import State
from codeexplore.workspace.pipeline import (
    GraphResult,
    LoadOptions,
    Scan,
    TextLanes,
    analyse_candidates,
    assemble,
    is_large,
    joined,
    lanes_of,
)
from codeexplore.workspace.progress import Progress
from codeexplore.workspace.snapshot import Index, IndexParts


class PendingLoad:
    """A load whose text lanes are built and whose references are still being resolved.

    Parameters
    ----------
    walked, name, options, progress
        As for `load_with_graph`.
    child
        True to resolve references in a child process.

    Raises
    ------
    NothingToIndex, ModelError, LoadCancelled
        As for `load_with_graph`.
    """

    def __init__(self, walked: Scan, name: str, options: LoadOptions, progress: Progress, *, child: bool) -> None:
        self._root, self._name, self._progress = walked.found.root, name, progress
        self._resolving = ResolverProcess(child)
        try:
            self._parts, self._lanes = _texts(self._resolving, walked, options, progress)
        except BaseException:
            self.close()
            raise

    @property
    def has_code(self) -> bool:
        """True if there are references to resolve."""
        return bool(self._state().all_pending().families)

    def whole(self, progress: Progress | None = None) -> Index:
        """Wait for the graph and return the complete index.

        If references cannot be resolved, the index contains the reason.

        Raises LoadCancelled if the load, or `progress`, is cancelled.
        """
        own = self._progress

        def wait(check: Callable[[], None]) -> GraphResult:
            def both() -> None:
                check()
                own.check()

            resolved = self._resolving.result(both)
            return graph_of(resolved, self._parts.catalog, self._parts.sources.paths), resolved.warnings

        reporting = own if progress is None else progress
        if progress is not None:
            progress.stages[:0] = own.stages
        try:
            index = assemble(self._root, self._name, self._parts, self._lanes, wait, reporting)
        except GraphUnresolved as error:
            index = self.without_graph(str(error))
        finally:
            self.close()
        trim_memory()
        return index

    def without_graph(self, reason: str = "") -> Index:
        """Return the index without its graph.

        `reason` says why the graph is not being built; "" means that it is being built.
        """
        state, quiet = self._state(), Progress()
        graph, pending = state.no_graph(), state.all_pending()._replace(reason=reason)
        parts = replace(self._parts, pending=pending)
        index = assemble(self._root, self._name, parts, self._lanes, lambda _: (graph, ()), quiet)
        return replace(index, summary=replace(index.summary, stages=tuple(self._progress.stages)))

    def _state(self) -> State:
        parts = self._parts
        return State(parts.sources, parts.files, parts.catalog, parts.origin.manifest_texts)

    def close(self) -> None:
        """End the resolution, even if it is still running."""
        self._resolving.close()


def load_with_graph(walked: Scan, name: str, options: LoadOptions, progress: Progress) -> Index:
    """Load all files that a walk found and return their index. No older index is used.

    Raises
    ------
    NothingToIndex
        No file could be read. The message counts the skipped files by reason.
    ModelError
        The embedding model cannot be loaded.
    LoadCancelled
        The user cancelled the load.
    """
    child = is_large(walked.found.candidates, options)
    return PendingLoad(walked, name, options, progress, child=child).whole()


def load_without_graph(
    walked: Scan, name: str, options: LoadOptions, progress: Progress
) -> tuple[Index, PendingLoad | None]:  # fmt: skip
    """Load all files that a walk found, without waiting for the graph.

    Return the index, and the load that adds the graph later. The second item is None if there is no code to resolve.
    """
    unfinished = PendingLoad(walked, name, options, progress, child=options.workers is None or options.workers > 0)
    try:
        if unfinished.has_code:
            return unfinished.without_graph(), unfinished
    except BaseException:
        unfinished.close()
        raise
    return unfinished.whole(), None


def _texts(
    resolving: ResolverProcess, walked: Scan, options: LoadOptions, progress: Progress
) -> tuple[IndexParts, TextLanes]:  # fmt: skip
    """Return the parts of an index without its graph, and its text lanes. `resolving` gets the facts of the files."""
    found = walked.found
    prefix = package_prefix(found.root)
    made, warnings = analyse_candidates(found, found.candidates, prefix, options, progress, resolving)
    results = {file.path: file for result in made for file in result.files}
    rows = {path: row for path, row in results.items() if isinstance(row, AnalysedFile)}
    skipped = [*found.skipped, *(file for file in results.values() if isinstance(file, Skipped))]
    if not rows:
        raise nothing_to_index(found.root, skipped)
    origin = origin_of(found.root, found.candidates, results, walked.taken_ns, prefix)
    with progress.stage("catalog"):
        sources = SourceTexts(rows, rows)
        catalog = catalog_of(joined(made), sources)
        files = FileFactsStore(sources, catalog)
        columns = catalog.columns
        manifests, language = origin.manifest_texts, sources.language
        resolving.finish(Work(manifests, sources.paths, columns, sources.rows, language, files.line))
    del made, results, rows
    trim_memory()
    lanes = lanes_of(catalog, options, progress)
    trim_memory()
    sources.drop_facts_text()
    trim_memory()
    return IndexParts(sources, files, catalog, skipped, warnings, origin), lanes
