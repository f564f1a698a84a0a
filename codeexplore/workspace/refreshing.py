"""A new index from an old one: what no change touched is used again, the rest is as a load from nothing would make it.

Used again: the facts, chunks and word counts of unchanged files, the embeddings of their chunks, and the graph when no
change could move an edge. Made anew: the catalog, BM25's scores (document frequencies are everybody's), and otherwise
the whole resolution: a name may mean something else anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from codeexplore.catalog import Catalog
from codeexplore.graph.congruence import Moved, moved_lines
from codeexplore.graph.families import family_of
from codeexplore.graph.joining import Piece, Renumbering
from codeexplore.graph.moving import moved_graph
from codeexplore.graph.rank import importance_of, remember_importance
from codeexplore.persistence.columns import splice
from codeexplore.source.changes import Changes, FileState, compare
from codeexplore.source.discover import nothing_to_index
from codeexplore.types import WordCounts
from codeexplore.words import merge, selected
from codeexplore.workspace.build import (
    Found,
    LoadOptions,
    Parts,
    TextLanes,
    Walked,
    analyse_candidates,
    assemble,
    build_found,
    is_large,
    joined,
    without_collections,
)
from codeexplore.workspace.held import Files, HeldSources, catalog_of, renewed_sources
from codeexplore.workspace.index import Index
from codeexplore.workspace.origin import Drift, Origin, Seen, origin_of, package_prefix
from codeexplore.workspace.parcel import FileRow, Parcel
from codeexplore.workspace.progress import Progress
from codeexplore.workspace.regraphing import Pending, Regraphing, State, joined_graph, kept_pieces
from codeexplore.workspace.resolving import quick_facts
from codeexplore.workspace.telling import retold

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from codeexplore.graph.model import CodeGraph
    from codeexplore.lanes.bm25 import Bm25Lane
    from codeexplore.lanes.embedding import EmbeddingLane
    from codeexplore.persistence.catalog import StoredCatalog


def changes_between(old: Origin, new: Origin) -> Changes:
    """What was added, changed, removed and moved, of the files that were indexed."""
    one, other = _different(old, new), _different(new, old)
    return compare(_states(one), _states(other))


def _different(origin: Origin, other: Origin) -> list[Seen]:
    """The files that another origin has not seen, or not in the same state."""
    known = other.seen
    return [seen for path, seen in origin.seen.items() if known.get(path) is not seen]


def _states(files: Sequence[Seen]) -> dict[str, FileState]:
    return {
        seen.candidate.path: FileState(seen.sha256, seen.candidate.size, seen.candidate.mtime_ns)
        for seen in files
        if seen.sha256
    }


def refresh(
    old: Index, walked: Walked, drift: Drift, options: LoadOptions, progress: Progress, *, later: bool = False
) -> Index:
    """The index of what a walk found, equal to one that is built anew.

    Parameters
    ----------
    old
        An index of an earlier state.
    walked, drift
        What is there now, and how it differs.
    later
        Where references would have to be resolved anew, keep the edges of before for now; `Index.pending` tells.

    Raises
    ------
    NothingToIndex, LoadCancelled
        As for `build`.
    DamagedIndex
        `old` is a stored one and parts of it can't be read.
    """
    with without_collections(collect=False):
        return _refresh(old, walked, drift, options, progress, later)


def resolved_anew(old: Index, new: Index) -> bool:
    """Whether references were resolved for a new index, and not only moved with their lines."""
    return new.graph.edges.source is not old.graph.edges.source


def _refresh(old: Index, walked: Walked, drift: Drift, options: LoadOptions, progress: Progress, later: bool) -> Index:
    found = walked.found
    prefix = package_prefix(found.root)
    made, warnings = analyse_candidates(found, drift.changed, prefix, options, progress)
    results = {file.path: file for parcel in made for file in parcel.files}
    origin = origin_of(found.root, found.candidates, results, walked.taken_ns, prefix, old.origin.seen)
    if not drift.rewritten and _same_files(old.origin, origin):
        return retold(old, found, origin)
    paths = [path for path, seen in origin.seen.items() if seen.skipped is None]
    skipped = [*found.skipped, *(seen.skipped for seen in origin.seen.values() if seen.skipped)]
    if not paths:
        raise nothing_to_index(found.root, skipped)
    if not old.has_texts:  # nothing of it can be shown, and what was read anew could
        return build_found(walked, old.name, options, progress)
    changed = {path: row for path, row in results.items() if isinstance(row, FileRow)}
    with progress.stage("catalog"):
        sources = renewed_sources(old.sources, paths, {path: row.kept() for path, row in changed.items()})
        catalog, order, moved_rows = _catalog(old, made, paths, sources)
        files = Files(sources, catalog, old.files.stored)
        fresh = _fresh(old.catalog, catalog, merge([parcel.counts for parcel in made] or [_no_counts()]), order)
    lanes = _lanes(old, catalog, fresh, progress)
    if lanes is None:
        return build_found(walked, old.name, options, progress)
    parts = Parts(sources, files, catalog, skipped, warnings, origin)
    edit = _Edit(old, State(found.root, sources, files, catalog), changed, origin, moved_rows)
    with progress.stage("moves"):
        graph, pending = _graph_at_once(edit, later)
    if graph is not None:
        new = assemble(found.root, old.name, parts, lanes, lambda _: (graph, ()), progress)
        return replace(new, pending=pending)
    regraphing = edit.regraphing(is_large(found.candidates, options))
    try:
        return assemble(found.root, old.name, parts, lanes, regraphing.result, progress)
    finally:
        regraphing.close()


class Fresh(NamedTuple):
    """Word counts of the chunks that came, and where each chunk's row comes from; see `postings.renewed`."""

    counts: WordCounts
    order: NDArray[np.int64]


def _catalog(
    old: Index, made: Sequence[Parcel], paths: Sequence[str], sources: HeldSources
) -> tuple[StoredCatalog, NDArray[np.int64], NDArray[np.int32]]:
    """The catalog of all files; where its chunks come from: old rows, then those of `made`; where old symbols went."""
    known = {path: number for number, path in enumerate(old.sources)}
    rows = [row for parcel in made for row in parcel.rows()]
    came = {row.path: number for number, row in enumerate(rows)}
    parts = [old.catalog]
    if rows:
        parts.append(catalog_of(joined(made), HeldSources(came, {row.path: row for row in rows})))
    files = [(1, came[path]) if path in came else (0, known[path]) for path in paths]
    spliced = splice([part.columns for part in parts], files)
    catalog = catalog_of(spliced.members, sources)
    catalog.follow(spliced, parts)
    return catalog, spliced.chunk_order([len(part.chunks) for part in parts]), spliced.symbol_rows[0]


def _fresh(old: StoredCatalog, new: StoredCatalog, counts: WordCounts, order: NDArray[np.int64]) -> Fresh:
    """What the lanes must take in: chunks that say what one of the same file said are that one."""
    n = len(old.chunks)
    came = np.flatnonzero(order >= n).tolist()
    paths = {new.chunks.paths[new.chunks.path_numbers[row]] for row in came}
    known = {old.chunks.content(row): row for path in paths for row in old.chunk_rows_in(path)}
    places = order.copy()
    for row in came:
        before = known.get(new.chunks.content(row))
        if before is not None:
            places[row] = before
    if bool((np.diff(places[places < n]) <= 0).any()):  # something moved within its file
        return Fresh(counts, order)
    beside = np.flatnonzero(places >= n)
    by_number = np.argsort(places[beside])
    fresh = selected(counts, places[beside][by_number] - n)
    places[beside[by_number]] = n + np.arange(len(beside))
    return Fresh(fresh, places)


def _lanes(old: Index, catalog: Catalog, fresh: Fresh, progress: Progress) -> TextLanes | None:
    """The lanes over texts after an edit; None when chunks that stayed changed their order."""
    from codeexplore.lanes.embedding import embed_chunks

    bm25 = cast("Bm25Lane", old.engine.retrievers["bm25"])
    embedding = cast("EmbeddingLane", old.engine.retrievers["embedding"])
    n, order = len(old.catalog.chunks), fresh.order
    if bool((np.diff(order[order < n]) < 0).any()):
        return None
    with progress.stage("embeddings"):
        came = np.flatnonzero(order >= n)
        chunks = [catalog.chunks[row] for row in came[np.argsort(order[came])].tolist()]
        new = embed_chunks(Catalog((), chunks), fresh.counts, embedding.encoder)
        embedding = embedding.renewed(catalog, new, order)
    with progress.stage("bm25"):
        return TextLanes(bm25.renewed(catalog, fresh.counts, order), embedding)


@dataclass(frozen=True, slots=True)
class _Edit:
    """What is known of an edit once its files are analysed."""

    old: Index
    state: State
    changed: Mapping[str, FileRow]
    origin: Origin
    symbols: NDArray[np.int32]  # old symbol → new row, -1 for those of files that changed or went

    def moves(self) -> dict[int, Moved] | None:
        """How lines moved in each changed file (by number) when no edit said anything new; else None."""
        old, sources = self.old, self.state.sources
        if not self.same_place or old.sources.paths != sources.paths:
            return None
        numbers = {path: number for number, path in enumerate(sources.paths)}
        moves = {}
        for path, row in self.changed.items():
            if old.sources.language(path) != row.language:
                return None
            moved = moved_lines(old.files.facts(path), quick_facts(row, self.state.catalog.in_file(path)))
            if moved is None:
                return None
            moves[numbers[path]] = moved
        return moves

    @property
    def same_place(self) -> bool:
        """Whether what names modules beside the files is as it was."""
        old, new = self.old.origin, self.origin
        return (old.prefix, old.manifests) == (new.prefix, new.manifests)

    def touched(self) -> frozenset[str]:
        """The families of which references must be resolved anew."""
        old, new = self.old.sources, self.state.sources
        if not self.same_place:
            return frozenset(self.state.families()) - {""}
        languages = {row.language for row in self.changed.values()}
        languages |= {old.language(path) for path in old.paths if path in self.changed or path not in new}
        pending = self.old.pending.families if self.old.pending else frozenset()
        return frozenset(family_of(language) for language in languages) - {""} | pending

    def kept(self, wanted: Sequence[str], how: Renumbering | None = None) -> dict[str, Piece]:
        """The rows of some families at their new places."""
        old = self.old
        before = State(old.root, old.sources, old.files, old.catalog)
        return kept_pieces(old.graph, before.families(), how or self.renumbering(), old.catalog, wanted)

    def untouched(self) -> list[str]:
        """The families whose edges hold, in the order of their first files."""
        touched = self.touched()
        return [family for family in dict.fromkeys(self.state.families()) if family and family not in touched]

    def renumbering(self) -> Renumbering:
        """Where the symbols and files of untouched families went."""
        number = {path: place for place, path in enumerate(self.state.sources.paths)}
        return Renumbering(self.symbols, np.array([number.get(path, -1) for path in self.old.sources.paths], np.int64))

    def rough_renumbering(self) -> Renumbering:
        """The same, and where symbols and lines of changed files went as far as ids and texts around the edit tell."""
        exact = self.renumbering()
        symbols, lines = self.symbols.copy(), {}
        for number, path in enumerate(self.old.sources.paths):
            if path not in self.changed:
                continue
            new = {symbol.id: symbol for symbol in self.state.catalog.in_file(path)}
            for symbol in self.old.catalog.in_file(path):
                if symbol.id in new:
                    row = self.old.catalog.symbol_row(symbol.id)
                    symbols[row] = self.state.catalog.symbol_row(symbol.id)
            lines[number] = lines_after(self.old.sources.data(path), self.state.sources.data(path))
        return Renumbering(symbols, exact.files, lines)

    def regraphing(self, child: bool) -> Regraphing:
        """The resolution of what was touched."""
        wanted = self.untouched()
        kept = self.kept(wanted) if wanted else {}
        return Regraphing(self.state, kept, self.changed, self.old.graph.notes, child)


def _graph_at_once(edit: _Edit, later: bool) -> tuple[CodeGraph | None, Pending | None]:
    """A graph that needs no resolution, and what it lacks; None when there is none."""
    before = edit.old.pending
    moves = edit.moves() if before is None or later else None
    if moves is not None:
        graph = moved_graph(edit.old.graph, edit.state.catalog, moves)
        if graph is not None:
            return graph, before
    touched = edit.touched()
    state, order = edit.state, edit.state.families()
    if touched.isdisjoint(order):
        return joined_graph(state, edit.kept(edit.untouched()), order, edit.old.graph.notes), None
    if not later:
        return None, None
    how = edit.rough_renumbering()
    pieces = edit.kept([family for family in dict.fromkeys(order) if family], how)
    graph = joined_graph(state, pieces, order, edit.old.graph.notes)
    remember_importance(graph, _carried(importance_of(edit.old.graph), how.symbols, len(state.catalog.symbols)))
    gone = (path for path in edit.old.sources.paths if path not in state.sources)
    paths = dict.fromkeys((*(before.paths if before else ()), *edit.changed, *gone))
    return graph, Pending(touched, tuple(paths))


def _carried(ranks: Sequence[float], rows: NDArray[np.integer], n: int) -> list[float]:
    """Ranks at their new rows; what is new has none yet."""
    made = np.zeros(n)
    there = rows >= 0
    made[rows[there]] = np.array(ranks)[there]
    return made.tolist()


def regraphed(index: Index, options: LoadOptions, check: Callable[[], None]) -> Found:
    """The graph of a provisional index, resolved where it is from before."""
    assert index.pending is not None
    state = State(index.root, index.sources, index.files, index.catalog)
    same = Renumbering(np.arange(len(index.catalog.symbols)), np.arange(len(index.sources)))
    families = state.families()
    wanted = [each for each in dict.fromkeys(families) if each and each not in index.pending.families]
    kept = kept_pieces(index.graph, families, same, index.catalog, wanted) if wanted else {}
    child = options.workers is None or options.workers > 0
    regraphing = Regraphing(state, kept, {}, index.graph.notes, child)
    try:
        return regraphing.result(check)
    finally:
        regraphing.close()


def lines_after(old: bytes | memoryview, new: bytes | memoryview) -> NDArray[np.int64]:
    """About where each line of a text (from 1; entry 0 is 0) stands in another: beginning and end are matched."""
    one, other = bytes(old).split(b"\n"), bytes(new).split(b"\n")
    same = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        same += 1
    after = 0
    most = min(len(one), len(other)) - same
    while after < most and one[-1 - after] == other[-1 - after]:
        after += 1
    made = np.arange(len(one) + 1)
    made[same + 1 :] = np.minimum(made[same + 1 :], max(len(other) - after, 1))
    if after:
        made[len(one) + 1 - after :] = np.arange(len(other) - after, len(other)) + 1
    return made


def _same_files(old: Origin, new: Origin) -> bool:
    """Whether the same files were indexed, with the same content, so that only what was skipped may differ."""
    one, other = ({seen.candidate.path: seen.sha256 for seen in _different(*pair)} for pair in ((old, new), (new, old)))
    indexed = ({path: sha for path, sha in each.items() if sha} for each in (one, other))
    return next(indexed) == next(indexed) and (old.prefix, old.manifests) == (new.prefix, new.manifests)


def _no_counts() -> WordCounts:
    return WordCounts((), np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.int32))
