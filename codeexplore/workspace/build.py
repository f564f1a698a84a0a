"""The load, stage by stage: discover → analyse → catalog → BM25 → embeddings → graph → an `Index`."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore import settings
from codeexplore.catalog import Catalog
from codeexplore.languages import registry
from codeexplore.languages.extraction import Layout
from codeexplore.source.discover import discover, nothing_to_index
from codeexplore.types import EDGE_KINDS, FileIndex, Skipped, WorkspaceSummary
from codeexplore.workspace.index import Index
from codeexplore.workspace.progress import Progress
from codeexplore.workspace.workers import analyse_all, batches, default_workers

if TYPE_CHECKING:
    from codeexplore.graph.model import CodeGraph
    from codeexplore.types import WordCounts


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """How a repository is loaded."""

    max_file_bytes: int = settings.MAX_FILE_BYTES
    include_ignored: bool = False
    only: tuple[str, ...] = ()  # these files and folders alone; empty for all
    model: str | Path | None = None  # None: the bundled one
    workers: int | None = None  # child processes that parse; None: as many as pay off; 0: none


def build(root: Path, name: str, options: LoadOptions, progress: Progress) -> Index:
    """Load a repository.

    Raises
    ------
    RootNotFound, RootNotAFolder
        `root` is no folder.
    NothingToIndex
        No file of it could be read; the message counts what was skipped and why.
    ModelError
        The embedding model can't be had.
    LoadCancelled
        Cancellation was asked for.
    """
    with _without_collections():
        with progress.stage("discover"):
            found = discover(
                root, only=options.only, max_bytes=options.max_file_bytes, include_ignored=options.include_ignored
            )
        root = found.root
        layout = Layout(frozenset(candidate.path for candidate in found.candidates), package_prefix(root))
        work = batches(found.candidates)
        total = sum(candidate.size for candidate in found.candidates)
        workers = default_workers(total) if options.workers is None else options.workers
        with progress.stage("parse", len(work)) as done:
            results, warnings = analyse_all(root, work, layout, workers, done, options.max_file_bytes)
        indexed = [file for result in results for file in result.files if isinstance(file, FileIndex)]
        skipped = [*found.skipped, *(f for result in results for f in result.files if isinstance(f, Skipped))]
        if not indexed:
            raise nothing_to_index(root, skipped)
        return _assemble(root, name, options, progress, indexed, [r.counts for r in results], skipped, warnings)


def _assemble(
    root: Path,
    name: str,
    options: LoadOptions,
    progress: Progress,
    indexed: Sequence[FileIndex],
    parts: Sequence[WordCounts],
    skipped: Sequence[Skipped],
    warnings: Sequence[str],
) -> Index:
    """Build what spans files: the catalog, the lanes and the graph."""
    from codeexplore.graph.build import build_graph
    from codeexplore.lanes.bm25 import Bm25Lane
    from codeexplore.lanes.embedding import EmbeddingLane
    from codeexplore.lanes.encoder import Encoder
    from codeexplore.lanes.graph import GraphLane
    from codeexplore.search import SearchEngine
    from codeexplore.words import merge

    with progress.stage("catalog"):
        catalog = Catalog(
            [symbol for file in indexed for symbol in file.facts.symbols],
            [chunk for file in indexed for chunk in file.chunks],
        )
        counts = merge(parts)
    with progress.stage("bm25"):
        bm25 = Bm25Lane(catalog, counts)
    with progress.stage("embeddings"):
        encoder = Encoder.load(options.model)
        embedding = EmbeddingLane(catalog, counts, encoder)
    with progress.stage("graph"):
        graph = build_graph(catalog, [file.facts for file in indexed], root)
        lane = GraphLane(catalog, graph)
        engine = SearchEngine(catalog, {"bm25": bm25, "embedding": embedding, "graph": lane}, graph)
        engine.warm()
    summary = summarise(root, name, indexed, catalog, graph, skipped, warnings, progress, encoder.name)
    files = {file.file.path: file for file in indexed}
    return Index(root, name, files, catalog, counts, graph, engine, summary)


def summarise(
    root: Path,
    name: str,
    indexed: Sequence[FileIndex],
    catalog: Catalog,
    graph: CodeGraph,
    skipped: Sequence[Skipped],
    warnings: Sequence[str],
    progress: Progress,
    model: str,
) -> WorkspaceSummary:
    """Count what was loaded and what was left out."""
    edges: dict[str, int] = {kind: count for kind in EDGE_KINDS if (count := graph.count(kind))}
    own_warnings = (f"{file.file.path}: {warning}" for file in indexed for warning in file.warnings)
    return WorkspaceSummary(
        name=name,
        root=str(root),
        files=_counted(registry.by_name(file.file.language).title for file in indexed),
        symbols=_counted(catalog.symbol_kinds()),
        chunks=len(catalog.chunks),
        edges=edges,
        possible=len(graph.edges) - sum(edges.values()),
        unresolved=len(graph.unresolved),
        skipped=_counted(item.reason for item in skipped),
        stages=tuple(progress.stages),
        warnings=(*warnings, *own_warnings, *graph.notes),
        bytes=sum(len(file.file.text) for file in indexed),
        lines=sum(file.file.text.count("\n") for file in indexed),
        with_errors=sum(1 for file in indexed if file.facts.errors),
        encodings=_counted(file.file.encoding for file in indexed if file.file.encoding != "utf-8"),
        skipped_files=tuple(skipped),
        model=model,
    )


def package_prefix(root: Path) -> str:
    """Dotted name of the package that `root` itself is, "" when it is none."""
    parts: list[str] = []
    folder = root.resolve()
    while (folder / "__init__.py").is_file() and folder.name:
        parts.append(folder.name)
        folder = folder.parent
    return ".".join(reversed(parts))


def _counted(items: Iterable[str]) -> dict[str, int]:
    """Occurrences, most frequent first, ties by name."""
    return dict(sorted(Counter(items).items(), key=lambda pair: (-pair[1], pair[0])))


@contextmanager
def _without_collections() -> Iterator[None]:
    """Switch the cycle collector off: a load makes millions of records, and looking through them costs a fifth.

    One collection at the end frees what resolving references leaves behind.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
            gc.collect()
