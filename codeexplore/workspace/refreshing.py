"""A new index from an old one: what no change touched is used again, the rest is as a load from nothing would make it.

Used again: the facts, chunks and word counts of unchanged files, the embeddings of their chunks, and the graph when no
change could move an edge. Made anew: the catalog, BM25's scores (document frequencies are everybody's), and otherwise
the whole resolution: a name may mean something else anywhere.
"""

from __future__ import annotations

import gc
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

import numpy as np

from codeexplore.catalog import Catalog
from codeexplore.graph.congruence import moved_lines
from codeexplore.graph.moving import moved_graph
from codeexplore.lanes.postings import renewed
from codeexplore.source.changes import Changes, FileState, compare
from codeexplore.source.discover import nothing_to_index
from codeexplore.types import Chunk, FileIndex, Symbol, WordCounts
from codeexplore.words import merge
from codeexplore.workspace.build import (
    LoadOptions,
    Parts,
    Walked,
    analyse_candidates,
    assemble,
    result_path,
    without_collections,
)
from codeexplore.workspace.index import Index
from codeexplore.workspace.origin import Drift, Origin, origin_of, package_prefix
from codeexplore.workspace.overlay import overlaid
from codeexplore.workspace.progress import Progress
from codeexplore.workspace.telling import retold

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from codeexplore.graph.model import CodeGraph
    from codeexplore.lanes.bm25 import Bm25Lane
    from codeexplore.lanes.embedding import EmbeddingLane


def changes_between(old: Origin, new: Origin) -> Changes:
    """What was added, changed, removed and moved, of the files that were indexed."""
    return compare(_states(old), _states(new))


def _states(origin: Origin) -> dict[str, FileState]:
    return {
        path: FileState(seen.sha256, seen.candidate.size, seen.candidate.mtime_ns)
        for path, seen in origin.seen.items()
        if seen.sha256
    }


def refresh(old: Index, walked: Walked, drift: Drift, options: LoadOptions, progress: Progress) -> Index:
    """The index of what a walk found, equal to one that is built anew.

    Parameters
    ----------
    old
        An index of an earlier state.
    walked, drift
        What is there now, and how it differs.

    Raises
    ------
    NothingToIndex, LoadCancelled
        As for `build`.
    DamagedIndex
        `old` is a stored one and parts of it can't be read.
    """
    with without_collections(collect=False):
        new = _refresh(old, walked, drift, options, progress)
    if resolved_anew(old, new):
        gc.collect()
    return new


def resolved_anew(old: Index, new: Index) -> bool:
    """Whether references were resolved for a new index, and not only moved with their lines."""
    return new.graph.edges.source is not old.graph.edges.source


def _refresh(old: Index, walked: Walked, drift: Drift, options: LoadOptions, progress: Progress) -> Index:
    found = walked.found
    prefix = package_prefix(found.root)
    results, warnings = analyse_candidates(found, drift.changed, prefix, options, progress)
    fresh = {result_path(file): file for result in results for file in result.files}
    origin = origin_of(found.root, found.candidates, fresh, walked.taken_ns, prefix, old.origin.seen)
    if not drift.rewritten and _same_files(old.origin, origin):
        return retold(old, found, origin)
    paths = [path for path, seen in origin.seen.items() if seen.skipped is None]
    skipped = [*found.skipped, *(seen.skipped for seen in origin.seen.values() if seen.skipped)]
    if not paths:
        raise nothing_to_index(found.root, skipped)
    changed = {path: file for path, file in fresh.items() if isinstance(file, FileIndex)}
    with progress.stage("catalog"):
        catalog = _catalog(old.catalog, paths, changed)
        order = _rows(old.catalog, paths, changed)
        new_counts = merge([result.counts for result in results]) if results else _no_counts()
        counts = spliced(old.counts(), new_counts, order)
    with progress.stage("embeddings"):
        lane = cast("EmbeddingLane", old.engine.retrievers["embedding"])
        embeddings = _embeddings(lane, changed, new_counts, order)
    with progress.stage("bm25"):
        found_postings = renewed(cast("Bm25Lane", old.engine.retrievers["bm25"]).postings, new_counts, order)
    with progress.stage("moves"):
        graph = _moved_graph(old, paths, changed, catalog, origin)
    files = overlaid(old.files, changed, paths)
    sources = overlaid(old.sources, {path: file.file for path, file in changed.items()}, paths)
    parts = Parts(
        files, sources, catalog, counts, skipped, warnings, origin, lane.encoder, embeddings, found_postings, graph
    )
    return assemble(found.root, old.name, parts, options, progress)


def _catalog(old: Catalog, paths: Sequence[str], changed: Mapping[str, FileIndex]) -> Catalog:
    """The symbols and chunks of all files, in their order."""
    symbols: list[Symbol] = []
    chunks: list[Chunk] = []
    for path in paths:
        file = changed.get(path)
        symbols.extend(old.in_file(path) if file is None else file.facts.symbols)
        chunks.extend(old.chunks_in(path) if file is None else file.chunks)
    return Catalog(symbols, chunks)


def _moved_graph(
    old: Index,
    paths: Sequence[str],
    changed: Mapping[str, FileIndex],
    catalog: Catalog,
    origin: Origin,
) -> CodeGraph | None:
    """The old graph at its new places, when no edit said anything new; else None."""
    numbers = {path: number for number, path in enumerate(old.sources)}
    same_place = (old.origin.prefix, old.origin.manifests) == (origin.prefix, origin.manifests)
    if not same_place or list(numbers) != list(paths):
        return None
    moves = {}
    for path, file in changed.items():
        moved = moved_lines(old.files[path].facts, file.facts)
        if moved is None:
            return None
        moves[numbers[path]] = moved
    return moved_graph(old.graph, catalog, moves)


def _same_files(old: Origin, new: Origin) -> bool:
    """Whether the same files were indexed, with the same content, so that only what was skipped may differ."""
    one, other = ({path: seen.sha256 for path, seen in origin.seen.items() if seen.sha256} for origin in (old, new))
    return one == other and (old.prefix, old.manifests) == (new.prefix, new.manifests)


def _rows(old: Catalog, paths: Sequence[str], changed: Mapping[str, FileIndex]) -> NDArray[np.int64]:
    """Where each chunk's row comes from: an old row, or the number of old rows plus that of a fresh one."""
    rows: list[int] = []
    following = {}
    start = len(old.chunks)
    for path, file in changed.items():
        following[path] = range(start, start + len(file.chunks))
        start += len(file.chunks)
    for path in paths:
        rows.extend(following[path] if path in following else old.chunk_rows_in(path))
    return np.array(rows, np.int64)


def _no_counts() -> WordCounts:
    return WordCounts((), np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.int32))


def spliced(old: WordCounts, new: WordCounts, order: NDArray[np.int64]) -> WordCounts:
    """Rows of two tables in a new order; the new table's rows are numbered on from the old one's.

    Words that no chunk holds any more are dropped; the numbering of the others may differ from that of a new count.
    """
    number = {word: index for index, word in enumerate(old.words)}
    renumbered = np.array([number.setdefault(word, len(number)) for word in new.words], np.int32)
    ids = np.concatenate([old.word_ids, renumbered[new.word_ids] if len(renumbered) else new.word_ids])
    times = np.concatenate([old.counts, new.counts])
    starts = np.concatenate([old.indptr[:-1], new.indptr[:-1] + old.indptr[-1]])[order]
    sizes = np.concatenate([np.diff(old.indptr), np.diff(new.indptr)])[order]
    indptr = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    places = np.repeat(starts - indptr[:-1], sizes) + np.arange(int(indptr[-1]))
    counts = WordCounts(tuple(number), indptr, ids[places], times[places])
    # new words stand in the order of their own table, so that ids may not ascend within a row: nothing needs them to
    return _compacted(counts)


def _compacted(counts: WordCounts) -> WordCounts:
    used = np.zeros(len(counts.words), np.bool_)
    used[counts.word_ids] = True
    if used.all():
        return counts
    number = np.cumsum(used, dtype=np.int32) - 1
    words = tuple([word for word, held in zip(counts.words, used.tolist(), strict=True) if held])
    return WordCounts(words, counts.indptr, number[counts.word_ids], counts.counts)


def _embeddings(
    lane: EmbeddingLane, changed: Mapping[str, FileIndex], counts: WordCounts, order: NDArray[np.int64]
) -> NDArray[np.float32]:
    """Old embeddings and those of fresh chunks, in the new order: shape (n_chunks, dim), copied in runs of rows."""
    from codeexplore.lanes.embedding import embed_chunks

    chunks = [chunk for file in changed.values() for chunk in file.chunks]
    old = lane.embeddings
    new = embed_chunks(Catalog((), chunks), counts, lane.encoder) if chunks else np.zeros((0, old.shape[1]), np.float32)
    made = np.empty((len(order), old.shape[1]), np.float32, order="F")
    breaks = np.flatnonzero(np.diff(order) != 1) + 1
    starts = [0, *breaks.tolist()] if len(order) else []
    for start, stop in zip(starts, [*starts[1:], len(order)], strict=True):
        first = int(order[start])
        source, first = (old, first) if first < len(old) else (new, first - len(old))
        if source is new or first + stop - start <= len(old):
            made[start:stop] = source[first : first + stop - start]
        else:  # a run that leads from the last old row to the first new one
            middle = start + len(old) - first
            made[start:middle], made[middle:stop] = old[first:], new[: stop - middle]
    return made
