"""Update of the graph after an edit: decides which edges are kept and what is resolved again.

If no reference changed, the edges only get new rows and lines. Values flow within a language family only: the edges of
families without an edited file are kept, at new rows. For other families, the edges of the previous graph are shown at
their new lines until all references are resolved again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from codeexplore.graph.line_shift import LineShift, line_shift, shift_graph, with_lines
from codeexplore.graph.merge import EdgeBlock, RowMap, joined, piece_of, remap, tables_of_members
from codeexplore.graph.model import CodeGraph
from codeexplore.graph.tables import nothing_resolved
from codeexplore.index.columns import Columns, splice
from codeexplore.index.files import SourceTexts
from codeexplore.languages.registry import family_of
from codeexplore.text.line_map import aligned
from codeexplore.workspace.pipeline import GraphResult, LoadOptions
from codeexplore.workspace.snapshot import Pending
from codeexplore.workspace.workers.resolver_process import ResolverProcess, Work, graph_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from codeexplore.index.files import AnalysedFile
    from codeexplore.workspace.snapshot import Index, IndexParts, Parts


def families_of(parts: Parts) -> list[str]:
    """Return the language family of each file; "" for text files."""
    return [family_of(parts.sources.language(path)) for path in parts.sources.paths]


def without_edges(parts: Parts) -> tuple[CodeGraph, Pending]:
    """Return the graph before any reference is resolved, and a record that lists all its parts as missing."""
    families = families_of(parts)
    paths = tuple(path for path, family in zip(parts.sources.paths, families, strict=True) if family)
    graph = CodeGraph(parts.catalog, nothing_resolved(parts.catalog.symbols.ids, parts.sources.paths))
    return graph, Pending(frozenset(families) - {""}, paths, not_built=True)


def kept_pieces(old: Index, how: RowMap, wanted: Sequence[str]) -> dict[str, EdgeBlock]:
    """Return the edges of the families `wanted` in the graph of `old`, at their new rows, by family."""
    if not wanted:
        return {}
    whole, symbols = piece_of(old.graph), old.catalog.symbols
    of_file = np.array(families_of(old))
    of_symbol = of_file[symbols.path_numbers] if len(symbols) else of_file[:0]
    return {family: remap(whole, how, of_symbol == family) for family in wanted}


def joined_graph(
    parts: Parts, pieces: Mapping[str, EdgeBlock], order: Sequence[str], notes: Sequence[str]
) -> CodeGraph:
    """Return the graph that joins the edges of all families.

    The families are in the order of their first appearance in `order`, as they are after a full resolution.
    """
    held = [pieces[family] for family in dict.fromkeys(order) if family in pieces]
    return CodeGraph(parts.catalog, joined(held, parts.catalog.symbols.ids, parts.sources.paths, notes))


class PartialResolution:
    """A resolution of some language families. The edges of the other families are `kept`, at their rows in `parts`.

    `rows` are files that were analysed just now, `notes` those of the old graph, and `child` is True to use a child
    process.
    """

    def __init__(
        self,
        parts: Parts,
        kept: Mapping[str, EdgeBlock],
        rows: Mapping[str, AnalysedFile],
        notes: Sequence[str],
        child: bool,
    ) -> None:
        self._parts, self._kept = parts, kept
        self._resolving: ResolverProcess | None = None
        self._order = families_of(parts)
        self._notes = [note for note in notes if note.partition(":")[0] in kept]
        touched = [number for number, family in enumerate(self._order) if family and family not in kept]
        self._numbers = touched if kept else list(range(len(self._order)))
        paths = [parts.sources.paths[number] for number in self._numbers]
        columns = parts.catalog.columns
        if kept:
            columns = Columns(splice([columns], [(0, number) for number in self._numbers]).members)
        if touched:
            work = Work(parts, paths, columns, rows)
            self._resolving = ResolverProcess(child).take(work)

    def result(self, check: Callable[[], None]) -> tuple[CodeGraph, tuple[str, ...]]:
        """Wait for the resolution, and return the graph and warnings. See `ResolverProcess.result`."""
        parts = self._parts
        if self._resolving is None:
            return joined_graph(parts, self._kept, self._order, self._notes), ()
        found = self._resolving.result(check)
        if not self._kept:
            return graph_of(found, parts.catalog, parts.sources.paths), found.warnings
        paths = [parts.sources.paths[number] for number in self._numbers]
        rows = self._symbols()
        local = tables_of_members(Columns(found.members), [""] * len(rows), paths, found.notes)
        piece = remap(piece_of(local), RowMap(rows, np.array(self._numbers)))
        pieces = {**self._kept, **self._by_family(piece)}
        notes = (*self._notes, *found.notes)
        return joined_graph(parts, pieces, self._order, notes), found.warnings

    def _symbols(self) -> NDArray[np.int64]:
        """Return the rows of the symbols in the resolved files."""
        bounds = np.searchsorted(self._parts.catalog.symbols.path_numbers, np.arange(len(self._order) + 1))
        runs = [np.arange(bounds[number], bounds[number + 1]) for number in self._numbers]
        return np.concatenate(runs) if runs else np.zeros(0, np.int64)

    def _by_family(self, piece: EdgeBlock) -> dict[str, EdgeBlock]:
        resolved = list(dict.fromkeys(self._order[number] for number in self._numbers))
        if len(resolved) == 1:
            return {resolved[0]: piece}
        n = len(self._parts.catalog.symbols)
        same = RowMap(np.arange(n), np.arange(len(self._order)))
        of_symbol = np.array(self._order)[self._parts.catalog.symbols.path_numbers]
        return {family: remap(piece, same, of_symbol == family) for family in resolved}

    def close(self) -> None:
        """End the child process, even if it is still working."""
        if self._resolving is not None:
            self._resolving.close()


@dataclass(frozen=True, slots=True)
class EditContext:
    """State of an edit after its files are analysed."""

    old: Index
    parts: IndexParts
    changed: Mapping[str, AnalysedFile]
    symbols: NDArray[np.int32]  # old symbol → new row, -1 for those of changed and removed files

    def moves(self) -> dict[int, LineShift] | None:
        """Return the new lines of each changed file, by its number; None if the edit changed more than lines."""
        old, sources = self.old, self.parts.sources
        if not self.same_place or old.sources.paths != sources.paths:
            return None
        numbers = {path: number for number, path in enumerate(sources.paths)}
        moves = {}
        for path, row in self.changed.items():
            if old.sources.language(path) != row.language:
                return None
            moved = line_shift(old.files.facts(path), row.quick_facts(self.parts.catalog.in_file(path)))
            if moved is None:
                return None
            moves[numbers[path]] = moved
        return moves

    @property
    def same_place(self) -> bool:
        """True if the manifest files, which define module names, are unchanged."""
        old, new = self.old.origin, self.parts.origin
        return (old.prefix, old.manifests) == (new.prefix, new.manifests)

    def touched(self) -> frozenset[str]:
        """Return the language families whose references must be resolved again."""
        old, new = self.old.sources, self.parts.sources
        if not self.same_place:
            return frozenset(families_of(self.parts)) - {""}
        languages = {row.language for row in self.changed.values()}
        languages |= {old.language(path) for path in old.paths if path in self.changed or path not in new}
        pending = self.old.pending.families if self.old.pending else frozenset()
        return frozenset(family_of(language) for language in languages) - {""} | pending

    def kept(self) -> dict[str, EdgeBlock]:
        """Return the edges that are still valid at their new rows, by family, in the order of their first files."""
        touched = self.touched()
        wanted = [family for family in dict.fromkeys(families_of(self.parts)) if family and family not in touched]
        return kept_pieces(self.old, self.renumbering(), wanted)

    def renumbering(self) -> RowMap:
        """Return the new rows of symbols and files; none (-1) for the symbols of changed files."""
        number = {path: place for place, path in enumerate(self.parts.sources.paths)}
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
            lines = aligned(self.old.sources.data(path), self.parts.sources.data(path))
            ids, before = self.parts.catalog.symbols.ids, self.old.catalog.symbols.ids
            kinds, kinds_before = self.parts.catalog.symbols, self.old.catalog.symbols
            new = {(ids[row], kinds.name(row)[1]): row for row in self.parts.catalog.symbol_rows_in(path)}
            line_of = dict(enumerate(lines.tolist()))
            for row in self.old.catalog.symbol_rows_in(path):
                symbols[row] = new.get((with_lines(before[row], line_of), kinds_before.name(row)[1]), -1)
            moved[number] = lines
        return RowMap(symbols, exact.files, moved)

    def regraphing(self, child: bool) -> PartialResolution:
        """Return a resolution of the language families that the edit touches, which may run in a child."""
        return PartialResolution(self.parts, self.kept(), self.changed, self.old.graph.notes, child)


def graph_without_resolving(edit: EditContext, background: bool) -> tuple[CodeGraph | None, Pending | None]:
    """Return the graph after an edit and its missing parts, if it can be made without resolving all references.

    Both are None if it cannot. With `background`, the edges of the previous graph are returned in this case: those
    between symbols that still exist, at the lines that still exist.
    """
    before = edit.old.pending
    moves = edit.moves() if before is None or background else None
    if moves is not None:
        graph = shift_graph(edit.old.graph, edit.parts.catalog, moves)
        if graph is not None:
            return graph, before
    touched = edit.touched()
    parts, order = edit.parts, families_of(edit.parts)
    if touched.isdisjoint(order):
        return joined_graph(parts, edit.kept(), order, edit.old.graph.notes), None
    if not background:
        return None, None
    if before is not None and before.not_built:
        return without_edges(parts)
    how = edit.rough_renumbering()
    tables = joined(
        [remap(piece_of(edit.old.graph), how)], parts.catalog.symbols.ids, parts.sources.paths, edit.old.graph.notes
    )
    graph = CodeGraph(parts.catalog, tables)
    if graph.edges.kind is edit.old.graph.edges.kind:  # no edge was removed
        graph.counts = edit.old.graph.counts
    still = how.symbols >= 0
    ranks = np.zeros(len(parts.catalog.symbols))  # new symbols have no rank yet
    ranks[how.symbols[still]] = np.array(edit.old.graph.ranks)[still]
    graph.ranks = ranks.tolist()
    gone = (path for path in edit.old.sources.paths if path not in parts.sources)
    paths = dict.fromkeys((*(before.paths if before else ()), *edit.changed, *gone))
    return graph, Pending(touched, tuple(paths))


def regraphed(index: Index, options: LoadOptions, check: Callable[[], None]) -> GraphResult:
    assert index.pending is not None
    same = RowMap(np.arange(len(index.catalog.symbols)), np.arange(len(index.sources)))
    wanted = [each for each in dict.fromkeys(families_of(index)) if each and each not in index.pending.families]
    child = options.workers is None or options.workers > 0
    rows = index.sources.rows if isinstance(index.sources, SourceTexts) else {}
    regraphing = PartialResolution(index, kept_pieces(index, same, wanted), rows, index.graph.notes, child)
    try:
        return regraphing.result(check)
    finally:
        regraphing.close()
