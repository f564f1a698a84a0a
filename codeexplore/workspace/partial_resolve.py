"""Graph after an edit: some language families keep their edges, the other families are resolved again.

Values flow within a language family only. Therefore the edges of a family without an edited file are still valid, at
new rows. Until the other families are resolved, their edges of before are shown; see `graph_update`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from codeexplore.graph.serialization import tables_of_members
from codeexplore.index.columns import Columns, splice
from codeexplore.workspace.graph_status import Pending
from codeexplore.workspace.workers.resolve_request import Work
from codeexplore.workspace.workers.resolver_process import ResolverProcess, graph_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from codeexplore.graph.merge import EdgeBlock, RowMap
    from codeexplore.graph.model import CodeGraph
    from codeexplore.index.catalog import Catalog
    from codeexplore.index.file_batch import AnalysedFile
    from codeexplore.index.files import FileFactsStore, SourceTexts
    from codeexplore.index.sources import StoredSources


class State(NamedTuple):
    """The files and symbols of an index that is being built."""

    sources: SourceTexts | StoredSources
    files: FileFactsStore
    catalog: Catalog
    manifests: Mapping[str, str]  # the texts of the files that name modules, by path

    def families(self) -> list[str]:
        """Return the language family of each file; "" for text files."""
        from codeexplore.languages.registry import family_of

        return [family_of(self.sources.language(path)) for path in self.sources.paths]

    def all_pending(self) -> Pending:
        """Return a record that lists all parts of the graph as missing."""
        families = self.families()
        paths = tuple(path for path, family in zip(self.sources.paths, families, strict=True) if family)
        return Pending(frozenset(families) - {""}, paths, not_built=True)

    def no_graph(self) -> CodeGraph:
        """Return a graph without edges."""
        from codeexplore.graph.model import CodeGraph
        from codeexplore.graph.tables import nothing_resolved

        return CodeGraph(self.catalog, nothing_resolved(self.catalog.symbol_ids(), self.sources.paths))


def kept_pieces(
    graph: CodeGraph, families: Sequence[str], how: RowMap, catalog: Catalog, wanted: Sequence[str]
) -> dict[str, EdgeBlock]:
    """Return the edges of the families `wanted` at their new rows, by family.

    Parameters
    ----------
    graph, catalog
        The graph and the catalog before the edit.
    families
        The language family of each file before the edit.
    how
        The new rows of symbols and files.
    wanted
        The families whose edges are taken.
    """
    from codeexplore.graph.merge import piece_of, remap

    whole = piece_of(graph)
    of_file = np.array(families)
    of_symbol = of_file[catalog.symbols.path_numbers] if len(catalog.symbols) else of_file[:0]
    return {family: remap(whole, how, of_symbol == family) for family in wanted}


def joined_graph(
    state: State, pieces: Mapping[str, EdgeBlock], order: Sequence[str], notes: Sequence[str]
) -> CodeGraph:
    """Return the graph that joins the edges of all families.

    The families are in the order of their first appearance in `order`, as they are after a full resolution.
    """
    from codeexplore.graph.merge import joined
    from codeexplore.graph.model import CodeGraph

    held = [pieces[family] for family in dict.fromkeys(order) if family in pieces]
    return CodeGraph(state.catalog, joined(held, state.catalog.symbol_ids(), state.sources.paths, notes))


class PartialResolution:
    """A resolution of some language families. The edges of the other families are kept.

    Parameters
    ----------
    state
        The files and symbols.
    kept
        Family → its edges, at their rows in `state`. All other families are resolved.
    rows
        Files that were analysed just now.
    notes
        The notes of the old graph.
    child
        True to resolve in a child process.
    """

    def __init__(
        self,
        state: State,
        kept: Mapping[str, EdgeBlock],
        rows: Mapping[str, AnalysedFile],
        notes: Sequence[str],
        child: bool,
    ) -> None:
        self._state, self._kept = state, kept
        self._resolving: ResolverProcess | None = None
        self._order = state.families()
        self._notes = [note for note in notes if note.partition(":")[0] in kept]
        touched = [number for number, family in enumerate(self._order) if family and family not in kept]
        self._numbers = touched if kept else list(range(len(self._order)))
        paths = [state.sources.paths[number] for number in self._numbers]
        columns = state.catalog.columns
        if kept:
            columns = Columns(splice([columns], [(0, number) for number in self._numbers]).members)
        if touched:
            work = Work(state.manifests, paths, columns, rows, state.sources.language, state.files.line)
            self._resolving = ResolverProcess(child).take(work)

    def result(self, check: Callable[[], None]) -> tuple[CodeGraph, tuple[str, ...]]:
        """Wait for the resolution, and return the graph and warnings.

        `check` is called several times a second; see `ResolverProcess.result`.
        """
        from codeexplore.graph.merge import RowMap, piece_of, remap

        state = self._state
        if self._resolving is None:
            return joined_graph(state, self._kept, self._order, self._notes), ()
        found = self._resolving.result(check)
        if not self._kept:
            return graph_of(found, state.catalog, state.sources.paths), found.warnings
        paths = [state.sources.paths[number] for number in self._numbers]
        rows = self._symbols()
        local = tables_of_members(Columns(found.members), [""] * len(rows), paths, found.notes)
        piece = remap(piece_of(local), RowMap(rows, np.array(self._numbers)))
        pieces = {**self._kept, **self._by_family(piece)}
        notes = (*self._notes, *found.notes)
        return joined_graph(state, pieces, self._order, notes), found.warnings

    def _symbols(self) -> NDArray[np.int64]:
        """Return the rows of the symbols in the resolved files."""
        bounds = np.searchsorted(self._state.catalog.symbols.path_numbers, np.arange(len(self._order) + 1))
        runs = [np.arange(bounds[number], bounds[number + 1]) for number in self._numbers]
        return np.concatenate(runs) if runs else np.zeros(0, np.int64)

    def _by_family(self, piece: EdgeBlock) -> dict[str, EdgeBlock]:
        """Return the resolved edges in `piece`, separated by family."""
        from codeexplore.graph.merge import RowMap, remap

        resolved = list(dict.fromkeys(self._order[number] for number in self._numbers))
        if len(resolved) == 1:
            return {resolved[0]: piece}
        n = len(self._state.catalog.symbols)
        same = RowMap(np.arange(n), np.arange(len(self._order)))
        of_symbol = np.array(self._order)[self._state.catalog.symbols.path_numbers]
        return {family: remap(piece, same, of_symbol == family) for family in resolved}

    def close(self) -> None:
        """End the child process, even if it is still working."""
        if self._resolving is not None:
            self._resolving.close()
