"""Update of the graph after an edit.

If no reference changed, the edges only get new rows and lines. The edges of language families without an edited file
are kept. For other families, the edges of the previous graph are shown at their new lines until all references are
resolved again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from codeexplore.graph.importance import importance_of, remember_importance
from codeexplore.graph.line_shift import LineShift, line_shift, shift_graph, with_lines
from codeexplore.graph.merge import EdgeBlock, RowMap, joined, piece_of, remap
from codeexplore.graph.model import CodeGraph
from codeexplore.index.files import SourceTexts
from codeexplore.languages.registry import family_of
from codeexplore.text.line_map import aligned
from codeexplore.workspace.graph_status import Pending
from codeexplore.workspace.partial_resolve import PartialResolution, State, joined_graph, kept_pieces
from codeexplore.workspace.pipeline import GraphResult, LoadOptions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from codeexplore.index.file_batch import AnalysedFile
    from codeexplore.workspace.fingerprints import Fingerprint
    from codeexplore.workspace.snapshot import Index


@dataclass(frozen=True, slots=True)
class EditContext:
    """State of an edit after its files are analysed."""

    old: Index
    state: State
    changed: Mapping[str, AnalysedFile]
    origin: Fingerprint
    symbols: NDArray[np.int32]  # old symbol → new row, -1 for those of changed and removed files

    def moves(self) -> dict[int, LineShift] | None:
        """Return the new lines of each changed file, by its number; None if the edit changed more than lines."""
        old, sources = self.old, self.state.sources
        if not self.same_place or old.sources.paths != sources.paths:
            return None
        numbers = {path: number for number, path in enumerate(sources.paths)}
        moves = {}
        for path, row in self.changed.items():
            if old.sources.language(path) != row.language:
                return None
            moved = line_shift(old.files.facts(path), row.quick_facts(self.state.catalog.in_file(path)))
            if moved is None:
                return None
            moves[numbers[path]] = moved
        return moves

    @property
    def same_place(self) -> bool:
        """True if the manifest files, which define module names, are unchanged."""
        old, new = self.old.origin, self.origin
        return (old.prefix, old.manifests) == (new.prefix, new.manifests)

    def touched(self) -> frozenset[str]:
        """Return the language families whose references must be resolved again."""
        old, new = self.old.sources, self.state.sources
        if not self.same_place:
            return frozenset(self.state.families()) - {""}
        languages = {row.language for row in self.changed.values()}
        languages |= {old.language(path) for path in old.paths if path in self.changed or path not in new}
        pending = self.old.pending.families if self.old.pending else frozenset()
        return frozenset(family_of(language) for language in languages) - {""} | pending

    def kept(self, wanted: Sequence[str], how: RowMap | None = None) -> dict[str, EdgeBlock]:
        """Return the edges of the families `wanted` at their new rows, by family.

        `how` gives the new rows; by default they are those of `renumbering`.
        """
        old = self.old
        before = State(old.sources, old.files, old.catalog, {})
        return kept_pieces(old.graph, before.families(), how or self.renumbering(), old.catalog, wanted)

    def untouched(self) -> list[str]:
        """Return the language families whose edges are still valid, in the order of their first files."""
        touched = self.touched()
        return [family for family in dict.fromkeys(self.state.families()) if family and family not in touched]

    def renumbering(self) -> RowMap:
        """Return the new rows of symbols and files, for families whose edges are still valid.

        Symbols of changed files have no new row.
        """
        number = {path: place for place, path in enumerate(self.state.sources.paths)}
        return RowMap(self.symbols, np.array([number.get(path, -1) for path in self.old.sources.paths], np.int64))

    def rough_renumbering(self) -> RowMap:
        """Return the new rows of `renumbering`, and also those of symbols and lines in changed files.

        In changed files, symbols are matched by their ids and kinds, and lines by their texts.
        """
        exact = self.renumbering()
        symbols, moved = self.symbols.copy(), {}
        for number, path in enumerate(self.old.sources.paths):
            if path not in self.changed:
                continue
            lines = aligned(self.old.sources.data(path), self.state.sources.data(path))
            ids, before = self.state.catalog.symbol_ids(), self.old.catalog.symbol_ids()
            kinds, kinds_before = self.state.catalog.symbols, self.old.catalog.symbols
            new = {(ids[row], kinds.name(row)[1]): row for row in self.state.catalog.symbol_rows_in(path)}
            line_of = dict(enumerate(lines.tolist()))
            for row in self.old.catalog.symbol_rows_in(path):
                symbols[row] = new.get((with_lines(before[row], line_of), kinds_before.name(row)[1]), -1)
            moved[number] = lines
        return RowMap(symbols, exact.files, moved)

    def regraphing(self, child: bool) -> PartialResolution:
        """Return a resolution of the language families that the edit touches. It is not started yet.

        `child` is True if it will run in a child process.
        """
        wanted = self.untouched()
        kept = self.kept(wanted) if wanted else {}
        return PartialResolution(self.state, kept, self.changed, self.old.graph.notes, child)


def graph_without_resolving(edit: EditContext, background: bool) -> tuple[CodeGraph | None, Pending | None]:
    """Return the graph after an edit and its missing parts, if it can be made without resolving all references.

    Both are None if it cannot. With `background`, the edges of the previous graph are returned in this case: those
    between symbols that still exist, at the lines that still exist.
    """
    before = edit.old.pending
    moves = edit.moves() if before is None or background else None
    if moves is not None:
        graph = shift_graph(edit.old.graph, edit.state.catalog, moves)
        if graph is not None:
            return graph, before
    touched = edit.touched()
    state, order = edit.state, edit.state.families()
    if touched.isdisjoint(order):
        return joined_graph(state, edit.kept(edit.untouched()), order, edit.old.graph.notes), None
    if not background:
        return None, None
    if before is not None and before.not_built:
        return state.no_graph(), state.all_pending()
    how = edit.rough_renumbering()
    tables = joined(
        [remap(piece_of(edit.old.graph), how)], state.catalog.symbol_ids(), state.sources.paths, edit.old.graph.notes
    )
    graph = CodeGraph(state.catalog, tables)
    if graph.edges.kind is edit.old.graph.edges.kind:  # no edge was removed
        graph.keep_counts(edit.old.graph)
    still = how.symbols >= 0
    ranks = np.zeros(len(state.catalog.symbols))  # new symbols have no rank yet
    ranks[how.symbols[still]] = np.array(importance_of(edit.old.graph))[still]
    remember_importance(graph, ranks.tolist())
    gone = (path for path in edit.old.sources.paths if path not in state.sources)
    paths = dict.fromkeys((*(before.paths if before else ()), *edit.changed, *gone))
    return graph, Pending(touched, tuple(paths))


def regraphed(index: Index, options: LoadOptions, check: Callable[[], None]) -> GraphResult:
    """Return the graph of an index with its outdated edges resolved again, and warnings."""
    assert index.pending is not None
    state = State(index.sources, index.files, index.catalog, index.origin.manifest_texts)
    same = RowMap(np.arange(len(index.catalog.symbols)), np.arange(len(index.sources)))
    families = state.families()
    wanted = [each for each in dict.fromkeys(families) if each and each not in index.pending.families]
    kept = kept_pieces(index.graph, families, same, index.catalog, wanted) if wanted else {}
    child = options.workers is None or options.workers > 0
    rows = index.sources.rows if isinstance(index.sources, SourceTexts) else {}
    regraphing = PartialResolution(state, kept, rows, index.graph.notes, child)
    try:
        return regraphing.result(check)
    finally:
        regraphing.close()
