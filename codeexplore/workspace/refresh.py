"""A new index from an old index: unchanged parts are used again. The result equals that of a full load.

These parts are used again: the facts, chunks and word counts of unchanged files, the embeddings of their chunks, and
the graph if the change cannot affect an edge. These parts are made again: the catalog, BM25's scores (document
frequencies depend on all chunks), and otherwise the whole graph, because a name anywhere may now mean another symbol.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from codeexplore.gc_pause import gc_paused
from codeexplore.index.catalog import Catalog
from codeexplore.index.columns import splice
from codeexplore.index.files import AnalysedFile, BatchResult, FileFactsStore, SourceTexts, catalog_of, updated_sources
from codeexplore.source.changes import Changes, compare
from codeexplore.source.discovery import Discovery, nothing_to_index
from codeexplore.source.manifests import path_roles
from codeexplore.types import WordCounts
from codeexplore.types.errors import GraphUnresolved
from codeexplore.workspace import pipeline
from codeexplore.workspace.fingerprints import Fingerprint, FingerprintDiff, origin_of, package_prefix
from codeexplore.workspace.graph_update import EditContext, graph_without_resolving
from codeexplore.workspace.load import complete_facts, load_files
from codeexplore.workspace.pipeline import LoadOptions, TextLanes
from codeexplore.workspace.progress import Progress
from codeexplore.workspace.snapshot import Index, IndexParts

if TYPE_CHECKING:
    from numpy.typing import NDArray


def changes_between(old: Fingerprint, new: Fingerprint, drift: FingerprintDiff) -> Changes:
    """Return the indexed files that were added, changed, removed and moved, among those in `drift`."""
    paths = _looked_at(drift)
    return compare(_contents(old, paths), _contents(new, paths))


def _looked_at(drift: FingerprintDiff) -> list[str]:
    return [*(candidate.path for candidate in drift.changed), *drift.removed]


def _contents(origin: Fingerprint, paths: Sequence[str]) -> dict[str, str]:
    """Return path → digest of the content, for those of `paths` that are indexed."""
    found = (origin.seen.get(path) for path in paths)
    return {seen.candidate.path: seen.sha256 for seen in found if seen is not None and seen.sha256}


def refresh(
    old: Index,
    found: Discovery,
    drift: FingerprintDiff,
    options: LoadOptions,
    progress: Progress,
    *,
    background: bool = False,
) -> Index:
    """Return the index of the files that a walk found, from an earlier index. It equals that of a new load.

    If references must be resolved again, `background` keeps the previous edges for now; `Index.pending` lists the files
    concerned. The same is done if references cannot be resolved; `Index.pending` then contains the reason.

    Raises NothingToIndex and LoadCancelled, and DamagedIndex if parts of a stored index cannot be read.
    """
    try:
        return gc_paused(lambda: _refresh(old, found, drift, options, progress, background))
    except GraphUnresolved as error:
        new = gc_paused(lambda: _refresh(old, found, drift, options, progress, background=True))
        return new if new.pending is None else pipeline.with_pending(new, new.pending._replace(reason=str(error)))


def resolved_anew(old: Index, new: Index) -> bool:
    """Return True if references were resolved for `new`, False if edges of `old` only got new lines."""
    return new.graph.edges.source is not old.graph.edges.source


def _refresh(
    old: Index, found: Discovery, drift: FingerprintDiff, options: LoadOptions, progress: Progress, background: bool
) -> Index:
    prefix = package_prefix(found.root)
    made, warnings = pipeline.analyse_candidates(found, drift.changed, prefix, options, progress)
    results = {file.path: file for result in made for file in result.files}
    origin = origin_of(found.root, found.candidates, results, found.taken_ns, prefix, old.origin.seen)
    if not drift.rewritten and _same_files(old.origin, origin, drift):
        return pipeline.with_skipped(old, found, origin)
    paths = [path for path, seen in origin.seen.items() if seen.skipped is None]
    skipped = [*found.skipped, *(seen.skipped for seen in origin.seen.values() if seen.skipped)]
    if not paths:
        raise nothing_to_index(found.root, skipped)
    if not old.has_texts:  # nothing of it can be shown, and newly read files could
        return load_files(found, old.name, options, progress)[0]
    changed = {path: row for path, row in results.items() if isinstance(row, AnalysedFile)}
    with progress.stage("catalog"):
        sources = updated_sources(old.sources, paths, {path: row.kept() for path, row in changed.items()})
        catalog, counts, order, moved_rows = updated_catalog(old, made, paths, sources)
        files = FileFactsStore(sources, catalog, old.files.stored, pipeline.layout_of(found, prefix))
    lanes = _lanes(old, catalog, counts, order, progress)
    if not background:
        warnings += complete_facts(sources, files.layout, options, progress)
    catalog.roles = path_roles(origin.manifest_texts)
    parts = IndexParts(sources, files, catalog, skipped, warnings, origin)
    edit = EditContext(old, parts, changed, moved_rows)
    with progress.stage("moves"):
        graph, pending = graph_without_resolving(edit, background)
    if graph is not None:
        parts = replace(parts, pending=pending)
        return pipeline.assemble(found.root, old.name, parts, lanes, lambda _: (graph, ()), progress)
    regraphing = edit.regraphing(pipeline.is_large(found.candidates, options))
    try:
        return pipeline.assemble(found.root, old.name, parts, lanes, regraphing.result, progress)
    finally:
        regraphing.close()


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
        parts.append(catalog_of(pipeline.joined(made), SourceTexts(added, {row.path: row for row in rows})))
    files = [(1, added[path]) if path in added else (0, known[path]) for path in paths]
    spliced = splice([part.columns for part in parts], files)
    catalog = catalog_of(spliced.members, sources)
    catalog.follow(spliced, parts)
    no_counts = WordCounts((), np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.int32))
    counts = pipeline.counts_of(parts[1]) if rows else no_counts
    return catalog, counts, spliced.chunk_order([len(part.chunks) for part in parts]), spliced.symbol_rows[0]


def _lanes(old: Index, catalog: Catalog, counts: WordCounts, order: NDArray[np.int64], progress: Progress) -> TextLanes:
    """Return the two text lanes after an edit; `updated_catalog` describes `counts` and `order`."""
    from codeexplore.search.lanes.embedding import embed_chunks

    lanes = pipeline.text_lanes(old)
    with progress.stage("embeddings"):
        added = np.flatnonzero(order >= len(old.catalog.chunks))
        chunks = [catalog.chunks[row] for row in added[np.argsort(order[added])].tolist()]
        new = embed_chunks(chunks, (chunk.context for chunk in chunks), counts, lanes.embedding.encoder)
        embedding = lanes.embedding.renewed(catalog, new, order)
    with progress.stage("bm25"):
        return TextLanes(lanes.bm25.renewed(catalog, counts, order), embedding)


def _same_files(old: Fingerprint, new: Fingerprint, drift: FingerprintDiff) -> bool:
    """Return True if the same files with the same content were indexed before."""
    paths = _looked_at(drift)
    return _contents(old, paths) == _contents(new, paths) and (old.prefix, old.manifests) == (new.prefix, new.manifests)
