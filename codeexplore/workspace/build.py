"""The load, stage by stage: discover → analyse → catalog → BM25 → embeddings → graph → an `Index`."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from codeexplore import settings
from codeexplore.catalog import Catalog
from codeexplore.languages import registry
from codeexplore.languages.extraction import Layout
from codeexplore.source.discover import Candidate, Discovery, discover, nothing_to_index
from codeexplore.types import EDGE_KINDS, FileIndex, Skipped, WorkspaceSummary
from codeexplore.workspace.index import Index
from codeexplore.workspace.origin import Origin, now_ns, origin_of, package_prefix
from codeexplore.workspace.progress import Progress
from codeexplore.workspace.workers import BatchResult, analyse_all, batches, default_workers

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import numpy as np
    from numpy.typing import NDArray

    from codeexplore.graph.model import CodeGraph
    from codeexplore.lanes.encoder import Encoder
    from codeexplore.lanes.postings import Postings
    from codeexplore.types import SourceFile, WordCounts


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """How a repository is loaded."""

    max_file_bytes: int = settings.MAX_FILE_BYTES
    include_ignored: bool = False
    only: tuple[str, ...] = ()  # these files and folders alone; empty for all
    model: str | Path | None = None  # None: the bundled one
    workers: int | None = None  # child processes that parse; None: as many as pay off; 0: none
    executor: Executor | None = None  # parses instead of children


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
    with without_collections():
        return build_found(walk(root, options, progress), name, options, progress)


class Walked(NamedTuple):
    """What a walk found, and when it began: nanoseconds since the epoch."""

    found: Discovery
    taken_ns: int


def walk(root: Path, options: LoadOptions, progress: Progress) -> Walked:
    """List the files of a folder. Raises what `discover` raises."""
    with progress.stage("discover"):
        taken = now_ns()
        found = discover(
            root, only=options.only, max_bytes=options.max_file_bytes, include_ignored=options.include_ignored
        )
    return Walked(found, taken)


def build_found(walked: Walked, name: str, options: LoadOptions, progress: Progress) -> Index:
    """Load what a walk found, all of it anew."""
    from codeexplore.words import merge

    found = walked.found
    prefix = package_prefix(found.root)
    results, warnings = analyse_candidates(found, found.candidates, prefix, options, progress)
    made = {result_path(file): file for result in results for file in result.files}
    files = {path: file for path, file in made.items() if isinstance(file, FileIndex)}
    skipped = [*found.skipped, *(file for file in made.values() if isinstance(file, Skipped))]
    if not files:
        raise nothing_to_index(found.root, skipped)
    with progress.stage("catalog"):
        catalog = Catalog(
            [symbol for file in files.values() for symbol in file.facts.symbols],
            [chunk for file in files.values() for chunk in file.chunks],
        )
        counts = merge([result.counts for result in results])
    origin = origin_of(found.root, found.candidates, made, walked.taken_ns, prefix)
    sources = {path: file.file for path, file in files.items()}
    parts = Parts(files, sources, catalog, counts, skipped, warnings, origin)
    return assemble(found.root, name, parts, options, progress)


def analyse_candidates(
    found: Discovery, candidates: Sequence[Candidate], prefix: str, options: LoadOptions, progress: Progress
) -> tuple[list[BatchResult], list[str]]:
    """Read and analyse some of the files that were found; results in their order, and warnings."""
    layout = Layout(frozenset(candidate.path for candidate in found.candidates), prefix)
    work = batches(candidates)
    total = sum(candidate.size for candidate in candidates)
    workers = default_workers(total) if options.workers is None else options.workers
    with progress.stage("parse", len(work)) as done:
        return analyse_all(found.root, work, layout, workers, done, options.max_file_bytes, options.executor)


def result_path(result: FileIndex | Skipped) -> str:
    """The path that a result is about."""
    return result.file.path if isinstance(result, FileIndex) else result.path


@dataclass(frozen=True, slots=True)
class Parts:
    """What an index is assembled from."""

    files: Mapping[str, FileIndex]
    sources: Mapping[str, SourceFile]
    catalog: Catalog
    counts: WordCounts
    skipped: Sequence[Skipped]
    warnings: Sequence[str]
    origin: Origin
    encoder: Encoder | None = None  # a loaded one, to be used again
    embeddings: NDArray[np.float32] | None = None  # (n_chunks, dim), where they are known already
    postings: Postings | None = None
    graph: CodeGraph | None = None


def assemble(root: Path, name: str, parts: Parts, options: LoadOptions, progress: Progress) -> Index:
    """Build what spans files: the lanes and the graph."""
    from codeexplore.graph.build import build_graph
    from codeexplore.lanes.bm25 import Bm25Lane
    from codeexplore.lanes.embedding import EmbeddingLane
    from codeexplore.lanes.encoder import Encoder
    from codeexplore.lanes.graph import GraphLane
    from codeexplore.search import SearchEngine

    catalog, counts = parts.catalog, parts.counts
    with progress.stage("bm25"):
        known = parts.postings
        bm25 = Bm25Lane(catalog, counts) if known is None else Bm25Lane.of_postings(catalog, known)
    with progress.stage("embeddings"):
        encoder = parts.encoder or Encoder.load(options.model)
        embedding = EmbeddingLane(catalog, counts, encoder, parts.embeddings)
    with progress.stage("graph"):
        graph = parts.graph or build_graph(catalog, [file.facts for file in parts.files.values()], root)
        lane = GraphLane(catalog, graph)
        engine = SearchEngine(catalog, {"bm25": bm25, "embedding": embedding, "graph": lane}, graph)
        engine.warm()
    summary = summarise(root, name, parts, graph, progress, encoder.name)
    return Index(root, name, parts.sources, parts.files, catalog, lambda: counts, graph, engine, summary, parts.origin)


def summarise(
    root: Path, name: str, parts: Parts, graph: CodeGraph, progress: Progress, model: str
) -> WorkspaceSummary:
    """Count what was loaded and what was left out."""
    edges: dict[str, int] = {kind: count for kind in EDGE_KINDS if (count := graph.count(kind))}
    told = [(path, seen.told) for path, seen in parts.origin.seen.items() if seen.told is not None]
    own_warnings = (f"{path}: {warning}" for path, each in told for warning in each.warnings)
    return WorkspaceSummary(
        name=name,
        root=str(root),
        files=counted(registry.by_name(each.language).title for _, each in told),
        symbols=counted(parts.catalog.symbol_kinds()),
        chunks=len(parts.catalog.chunks),
        edges=edges,
        possible=len(graph.edges) - sum(edges.values()),
        unresolved=len(graph.unresolved),
        skipped=counted(item.reason for item in parts.skipped),
        stages=tuple(progress.stages),
        warnings=(*parts.warnings, *own_warnings, *graph.notes),
        bytes=sum(each.characters for _, each in told),
        lines=sum(each.lines for _, each in told),
        with_errors=sum(1 for _, each in told if each.with_errors),
        encodings=counted(each.encoding for _, each in told if each.encoding != "utf-8"),
        skipped_files=tuple(parts.skipped),
        model=model,
    )


def counted(items: Iterable[str]) -> dict[str, int]:
    """Occurrences, most frequent first, ties by name."""
    return dict(sorted(Counter(items).items(), key=lambda pair: (-pair[1], pair[0])))


@contextmanager
def without_collections(collect: bool = True) -> Iterator[None]:
    """Switch the cycle collector off: a load makes millions of records, and looking through them costs a fifth.

    One collection at the end frees what resolving references leaves behind; `collect` tells whether there is any.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
            if collect:
                gc.collect()
