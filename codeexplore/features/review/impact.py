"""Symbols that a change may affect, found in the call graphs before and after the change.

Callers of a removed symbol are only in the graph before the change, callers of an added symbol only in the graph after
it. A *way* is the chain of symbols from a changed symbol to a reached symbol. Each reached symbol has its way, the
lowest confidence of the edges on it, and a class (`Certainty`): certain, likely, possible, or by import.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from codeexplore.features.review.records import CERTAINTIES, Comparison, ReachedSymbol, Side, SymbolChange
from codeexplore.features.review.tests.objects import enclosing_function
from codeexplore.graph.model import CodeGraph
from codeexplore.graph.traversal import RELATING, Walk, seeds_of, walk
from codeexplore.index.catalog import Catalog
from codeexplore.types import TYPE_KINDS, Edge, Symbol
from codeexplore.types.certainty import CERTAIN, LIKELY, certainty
from codeexplore.types.rows import grouped
from codeexplore.types.settings import RESOLVED_CONFIDENCE

_Way = tuple[tuple[Symbol, ...], tuple[Edge, ...]]  # from a seed: its symbols and the edges between them
_IMPACT = RELATING["impact"]


class Impact:
    """Finds the symbols that the changes of a comparison may affect. It walks over both graphs."""

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison

    @cached_property
    def new_seeds(self) -> tuple[str, ...]:
        """Ids of changed and added symbols in the state after the change, without those whose types alone differ."""
        changed = (c.new for c in self._comparison.symbols if c.is_code and not c.runs_as_before)
        return _seeds(self._comparison.new, changed)

    @cached_property
    def of_other_types(self) -> tuple[str, ...]:
        """Ids of symbols whose types alone differ: what reaches them runs as before, unless it reads annotations."""
        return _seeds(self._comparison.new, (c.new for c in self._comparison.symbols if c.runs_as_before))

    @cached_property
    def old_seeds(self) -> tuple[str, ...]:
        """Ids of symbols of the state before the change that were removed, renamed or moved."""
        gone = (c.old for c in self._comparison.symbols if _is_gone(c))
        return _seeds(self._comparison.old, gone)

    @cached_property
    def changed_files(self) -> frozenset[str]:
        """Paths of files with changed code or imports: both paths of a moved file, the old path of a removed file."""
        both = ((c.old, c.new) for c in self._comparison.symbols if c.is_code or "imports" in c.aspects)
        return frozenset(symbol.path for pair in both for symbol in pair if symbol is not None)

    def reached(self, depth: int | None = None) -> list[ReachedSymbol]:
        """Return the symbols that may be affected, by class, depth, confidence (highest first), path and line.

        The changed symbols themselves are left out. `depth` is the maximal number of steps, None for any.
        """
        found: dict[str, ReachedSymbol] = {}
        old, new = self._comparison.old, self._comparison.new
        for minimum in (CERTAIN, LIKELY, 0.0):
            for seeds, side in ((self.new_seeds, new), (self.old_seeds, old)):
                for each in self._walked(seeds, side, depth, minimum):
                    found.setdefault(each.symbol.id, each)
        for each in self.reached_from(self.of_other_types, depth):
            found.setdefault(each.symbol.id, each)
        known = {each.symbol.path for each in found.values()} | self.changed_files
        for each in self.importers(depth):
            if each.symbol.path not in known:
                found.setdefault(each.symbol.id, each)
        changed = (c.new for c in self._comparison.symbols if c.aspects != ("inherited members",))
        own = {*self.new_seeds, *self.of_other_types, *(new.id for new in changed if new is not None)}
        reached = [each for each in found.values() if each.symbol.id not in own]
        reached.sort(
            key=lambda r: (CERTAINTIES.index(r.certainty), r.depth, -r.confidence, r.symbol.path, r.symbol.line)
        )
        return reached

    def reached_from(self, symbols: Sequence[str], depth: int | None = None) -> list[ReachedSymbol]:
        """Return what may be affected if symbols of the new state are, which are given by id: only "possible"."""
        walked = self._walked(symbols, self._comparison.new, depth, 0.0)
        return [each._replace(certainty="possible") for each in walked]

    def _walked(self, seeds: Sequence[str], side: Side, depth: int | None, minimum: float) -> Iterator[ReachedSymbol]:
        """Yield the symbols that are reached from `seeds` over edges with at least the confidence `minimum`.

        In the old graph, each symbol is replaced by its counterpart after the change, and removed ones are left out.
        """
        if not seeds:
            return
        graph, before = side.graph, side is self._comparison.old
        starts = seeds_of(graph, seeds, _IMPACT)
        everything = len(graph.catalog.symbols) + 1
        walked = walk(graph, starts, _IMPACT, depth=depth, minimum=minimum, limit=everything)
        ways: dict[int, _Way] = {}
        for vertex in walked.depth:
            if vertex in walked.seeds:
                continue
            symbol = self._now(graph.symbol(vertex)) if before else graph.symbol(vertex)
            if symbol is None:
                continue
            confidence = round(walked.confidence[vertex], 3)
            way, edges = _way(graph, walked, vertex, ways)
            sure = "possible" if is_through_body(graph, way, edges) else certainty(confidence)
            yield ReachedSymbol(symbol, sure, walked.depth[vertex], confidence, way, edges, before)

    def _now(self, symbol: Symbol) -> Symbol | None:
        catalog = self._comparison.new.catalog
        symbol_id = self._comparison.counterpart.get(symbol.id, symbol.id)
        return catalog.symbol(symbol_id) if catalog.has_symbol(symbol_id) else None

    def importers(self, depth: int | None = None) -> list[ReachedSymbol]:
        """Return the modules that import a file with changed code, directly or through other modules."""
        new = self._comparison.new
        files = ImportedFiles(new.graph)
        start = {path for path in self.changed_files if path in new.sources}
        via = files.importers(start, depth)
        gone = self.changed_files - start
        if gone:
            catalog = self._comparison.old.catalog
            old = ImportedFiles(self._comparison.old.graph).importers(gone, depth)
            for path, steps in old.items():
                if path in new.sources:
                    via.setdefault(path, steps)
        else:
            catalog = new.catalog
        found = []
        for path, steps in via.items():
            modules = [_module(new.catalog, each) or _module(catalog, each) for each in steps]
            way = tuple(each for each in modules if each is not None)
            found.append(
                ReachedSymbol(way[-1], "by import", len(steps) - 1, 1.0, way, (), before=path not in new.sources)
            )
        return found


class ImportedFiles:
    """The imports between the files of a graph.

    Importing a Python module runs the ``__init__.py`` of each package around it, and pytest runs the ``conftest.py`` in
    the folder of a test and in each folder above it.
    """

    def __init__(self, graph: CodeGraph) -> None:
        paths = graph.catalog.paths()
        importers: dict[str, set[str]] = defaultdict(set)
        for path in paths:
            for vertex in graph.catalog.symbol_rows_in(path)[:1]:
                for other in graph.neighbours(vertex, "out", ("IMPORTS",), RESOLVED_CONFIDENCE):
                    importers[graph.symbol(other).path].add(path)
        self._importers: Mapping[str, set[str]] = importers
        python = (path for path in paths if path.endswith(".py"))
        self._by_folder = grouped((folder, path) for path in python for folder in folders_around(path))

    def importers(self, start: Iterable[str], depth: int | None = None) -> dict[str, tuple[str, ...]]:
        """Return path of a file that imports one of `start`, even through others → the paths on the way to it."""
        found: dict[str, tuple[str, ...]] = {path: (path,) for path in sorted(start)}
        own, frontier, level = frozenset(found), list(found), 0
        while frontier and (depth is None or level < depth):
            level += 1
            reached = []
            for path in frontier:
                for importer in sorted(self._direct(path)):
                    if importer not in found:
                        found[importer] = (*found[path], importer)
                        reached.append(importer)
            frontier = reached
        return {path: way for path, way in found.items() if path not in own}

    def all_importers(self, path: str) -> frozenset[str]:
        """Return the files that import a file, directly or through other files, without the file."""
        found, frontier = {path}, {path}
        while frontier:
            frontier = set[str]().union(*map(self._direct, frontier)) - found
            found |= frontier
        return frozenset(found - {path})

    def _direct(self, path: str) -> frozenset[str]:
        importers = frozenset(self._importers.get(path, ()))
        if posixpath.basename(path) in ("__init__.py", "conftest.py"):
            return importers.union(self._by_folder[posixpath.dirname(path)]) - {path}
        return importers


def folders_around(path: str) -> list[str]:
    """Return the folders around a file, the root "" last."""
    found = []
    while path:
        path = posixpath.dirname(path)
        found.append(path)
    return found


def _way(graph: CodeGraph, walked: Walk, vertex: int, known: dict[int, _Way]) -> _Way:
    """Return the symbols and the edges from a seed to a reached vertex. `known` has the ways that were asked for.

    Ways share their first symbols and edges: a change may reach tens of thousands of symbols, each over twenty steps.
    """
    new = []
    while vertex not in known and walked.via[vertex] >= 0:
        new.append(vertex)
        vertex = walked.via[vertex]
    way, edges = known.get(vertex) or ((graph.symbol(vertex),), ())
    for each in reversed(new):
        way, edges = (*way, graph.symbol(each)), (*edges, graph.edge(walked.row[each]))
        known[each] = way, edges
    return way, edges


def is_through_body(graph: CodeGraph, way: Sequence[Symbol], edges: Sequence[Edge]) -> bool:
    """Return True if a way passes through the body of a type outside of functions.

    The body runs once, at import. Code that uses the type does not run the body again, so the way is only possible.
    """
    return any(
        symbol.kind in TYPE_KINDS and edge.kind in ("CALLS", "USES") and enclosing_function(graph, symbol) is None
        for symbol, edge in zip(way[1:-1], edges, strict=False)
    )


def _is_gone(change: SymbolChange) -> bool:
    if not change.is_code or change.old is None or change.runs_as_before:
        return False
    return change.kind in ("removed", "renamed", "moved") or (change.new is not None and change.new.id != change.old.id)


def _seeds(side: Side, symbols: Iterable[Symbol | None]) -> tuple[str, ...]:
    """Return the ids of symbols and of the anonymous functions inside them, without modules: they are imported only."""
    found: dict[str, None] = {}
    for symbol in symbols:
        if symbol is None or symbol.kind in ("module", "section"):
            continue
        found[symbol.id] = None
        for each in side.catalog.in_file(symbol.path):
            if each.kind == "lambda" and each.parent in found:
                found[each.id] = None
    return tuple(found)


def _module(catalog: Catalog, path: str) -> Symbol | None:
    rows = catalog.symbol_rows_in(path)
    return catalog.symbols[rows[0]] if rows else None
