"""A new index from an old index: unchanged parts are used again. The result equals that of a full load.

These parts are used again: the facts, chunks and word counts of unchanged files, the embeddings of their chunks, and
the graph if the change cannot affect an edge. These parts are made again: the catalog, BM25's scores (document
frequencies depend on all chunks), and otherwise the whole graph, because a name anywhere may now mean another symbol.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from codeexplore.gc_pause import gc_paused
from codeexplore.index.catalog import Catalog
from codeexplore.index.columns import splice
from codeexplore.index.file_batch import AnalysedFile, BatchResult
from codeexplore.index.files import FileFactsStore, SourceTexts, catalog_of, updated_sources
from codeexplore.source.changes import Changes, compare
from codeexplore.source.discovery import nothing_to_index
from codeexplore.text.word_counts import selected
from codeexplore.types import WordCounts
from codeexplore.types.errors import GraphUnresolved
from codeexplore.workspace.background import complete_facts
from codeexplore.workspace.fingerprints import Fingerprint, FingerprintDiff, origin_of, package_prefix
from codeexplore.workspace.graph_update import EditContext, graph_without_resolving
from codeexplore.workspace.load import load_with_graph
from codeexplore.workspace.partial_resolve import State
from codeexplore.workspace.pipeline import (
    LoadOptions,
    Scan,
    TextLanes,
    analyse_candidates,
    assemble,
    counts_of,
    is_large,
    joined,
    layout_of,
    with_pending,
    with_skipped,
)
from codeexplore.workspace.progress import Progress
from codeexplore.workspace.snapshot import Index, IndexParts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from codeexplore.search.lanes.bm25 import Bm25Lane
    from codeexplore.search.lanes.embedding import EmbeddingLane


def changes_between(old: Fingerprint, new: Fingerprint, drift: FingerprintDiff) -> Changes:
    """Return the indexed files that were added, changed, removed and moved.

    `drift` limits the comparison to files that may have changed.
    """
    paths = _looked_at(drift)
    return compare(_contents(old, paths), _contents(new, paths))


def _looked_at(drift: FingerprintDiff) -> list[str]:
    """Return the files that may have changed."""
    return [*(candidate.path for candidate in drift.changed), *drift.removed]


def _contents(origin: Fingerprint, paths: Sequence[str]) -> dict[str, str]:
    """Return path → digest of the content, for those of `paths` that are indexed."""
    found = (origin.seen.get(path) for path in paths)
    return {seen.candidate.path: seen.sha256 for seen in found if seen is not None and seen.sha256}


def refresh(
    old: Index,
    walked: Scan,
    drift: FingerprintDiff,
    options: LoadOptions,
    progress: Progress,
    *,
    background: bool = False,
) -> Index:
    """Return the index of the files that a walk found. It equals an index that is built from scratch.

    Parameters
    ----------
    old
        The index of an earlier state.
    walked, drift
        The present files, and their differences.
    background
        If references must be resolved again, keep the previous edges for now; `Index.pending` lists the files
        concerned. The same is done if references cannot be resolved; `Index.pending` then contains the reason.

    Raises
    ------
    NothingToIndex, LoadCancelled
        As for `load_with_graph`.
    DamagedIndex
        `old` is a stored index, and parts of it cannot be read.
    """
    try:
        return gc_paused(lambda: _refresh(old, walked, drift, options, progress, background))
    except GraphUnresolved as error:
        new = gc_paused(lambda: _refresh(old, walked, drift, options, progress, background=True))
        return new if new.pending is None else with_pending(new, new.pending._replace(reason=str(error)))


def resolved_anew(old: Index, new: Index) -> bool:
    """Return True if references were resolved for the index `new`.

    False means that edges of `old` only got new lines.
    """
    return new.graph.edges.source is not old.graph.edges.source


def _refresh(
    old: Index, walked: Scan, drift: FingerprintDiff, options: LoadOptions, progress: Progress, background: bool
) -> Index:
    found = walked.found
    prefix = package_prefix(found.root)
    made, warnings = analyse_candidates(found, drift.changed, prefix, options, progress)
    results = {file.path: file for result in made for file in result.files}
    origin = origin_of(found.root, found.candidates, results, walked.taken_ns, prefix, old.origin.seen)
    if not drift.rewritten and _same_files(old.origin, origin, drift):
        return with_skipped(old, found, origin)
    paths = [path for path, seen in origin.seen.items() if seen.skipped is None]
    skipped = [*found.skipped, *(seen.skipped for seen in origin.seen.values() if seen.skipped)]
    if not paths:
        raise nothing_to_index(found.root, skipped)
    if not old.has_texts:  # nothing of it can be shown, and newly read files could
        return load_with_graph(walked, old.name, options, progress)
    changed = {path: row for path, row in results.items() if isinstance(row, AnalysedFile)}
    with progress.stage("catalog"):
        sources = updated_sources(old.sources, paths, {path: row.kept() for path, row in changed.items()})
        catalog, counts, order, moved_rows = updated_catalog(old, made, paths, sources)
        files = FileFactsStore(sources, catalog, old.files.stored, layout_of(found, prefix))
        fresh = _fresh(old.catalog, catalog, counts, order)
    lanes = _lanes(old, catalog, fresh, progress)
    if lanes is None:
        return load_with_graph(walked, old.name, options, progress)
    if not background:
        warnings += complete_facts(sources, files.layout, options, progress)
    parts = IndexParts(sources, files, catalog, skipped, warnings, origin)
    edit = EditContext(old, State(sources, files, catalog, origin.manifest_texts), changed, origin, moved_rows)
    with progress.stage("moves"):
        graph, pending = graph_without_resolving(edit, background)
    if graph is not None:
        parts = replace(parts, pending=pending)
        return assemble(found.root, old.name, parts, lanes, lambda _: (graph, ()), progress)
    regraphing = edit.regraphing(is_large(found.candidates, options))
    try:
        return assemble(found.root, old.name, parts, lanes, regraphing.result, progress)
    finally:
        regraphing.close()


class Fresh(NamedTuple):
    """Word counts of the new chunks, and for each chunk the row from which its data is taken.

    `bm25_index.renewed` describes these rows.
    """

    counts: WordCounts
    order: NDArray[np.int64]


def updated_catalog(
    old: Index, made: Sequence[BatchResult], paths: Sequence[str], sources: SourceTexts
) -> tuple[Catalog, WordCounts, NDArray[np.int64], NDArray[np.int32]]:
    """Return (catalog, word counts, chunk rows, symbol rows) after an edit.

    The catalog contains all files. The word counts are those of the chunks in `made`. For each chunk of the catalog,
    its chunk row is the row of its source: first rows of the old catalog, then rows of `made`. For each old symbol, its
    symbol row is its new row.
    """
    known = {path: number for number, path in enumerate(old.sources)}
    rows = [row for result in made for row in result.rows()]
    added = {row.path: number for number, row in enumerate(rows)}
    parts = [old.catalog]
    if rows:
        parts.append(catalog_of(joined(made), SourceTexts(added, {row.path: row for row in rows})))
    files = [(1, added[path]) if path in added else (0, known[path]) for path in paths]
    spliced = splice([part.columns for part in parts], files)
    catalog = catalog_of(spliced.members, sources)
    catalog.follow(spliced, parts)
    counts = counts_of(parts[1]) if rows else _no_counts()
    return catalog, counts, spliced.chunk_order([len(part.chunks) for part in parts]), spliced.symbol_rows[0]


def _fresh(old: Catalog, new: Catalog, counts: WordCounts, order: NDArray[np.int64]) -> Fresh:
    """Return what the lanes need to know of the new chunks.

    A chunk that equals an old chunk of the same file is not new.
    """
    n = len(old.chunks)
    added = np.flatnonzero(order >= n).tolist()
    paths = {new.chunks.paths[new.chunks.path_numbers[row]] for row in added}
    known = {old.chunks.content(row): row for path in paths for row in old.chunk_rows_in(path)}
    places = order.copy()
    for row in added:
        before = known.get(new.chunks.content(row))
        if before is not None:
            places[row] = before
    if bool((np.diff(places[places < n]) <= 0).any()):  # a chunk moved within its file
        return Fresh(counts, order)
    beside = np.flatnonzero(places >= n)
    by_number = np.argsort(places[beside])
    fresh = selected(counts, places[beside][by_number] - n)
    places[beside[by_number]] = n + np.arange(len(beside))
    return Fresh(fresh, places)


def _lanes(old: Index, catalog: Catalog, fresh: Fresh, progress: Progress) -> TextLanes | None:
    """Return the two text lanes after an edit; None if unchanged chunks are now in another order."""
    from codeexplore.search.lanes.embedding import embed_chunks

    bm25 = cast("Bm25Lane", old.engine.retrievers["bm25"])
    embedding = cast("EmbeddingLane", old.engine.retrievers["embedding"])
    n, order = len(old.catalog.chunks), fresh.order
    if bool((np.diff(order[order < n]) < 0).any()):
        return None
    with progress.stage("embeddings"):
        added = np.flatnonzero(order >= n)
        chunks = [catalog.chunks[row] for row in added[np.argsort(order[added])].tolist()]
        new = embed_chunks(chunks, (chunk.context for chunk in chunks), fresh.counts, embedding.encoder)
        embedding = embedding.renewed(catalog, new, order)
    with progress.stage("bm25"):
        return TextLanes(bm25.renewed(catalog, fresh.counts, order), embedding)


def _same_files(old: Fingerprint, new: Fingerprint, drift: FingerprintDiff) -> bool:
    """Return True if the same files with the same content were indexed before.

    Then only skipped files may differ.
    """
    paths = _looked_at(drift)
    return _contents(old, paths) == _contents(new, paths) and (old.prefix, old.manifests) == (new.prefix, new.manifests)


def _no_counts() -> WordCounts:
    return WordCounts((), np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.int32))
