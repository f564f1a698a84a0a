"""The structure of two versions compared: public interface, edges, dependencies of files, hubs, cycles, dead code.

Symbols of the older version are mapped to their counterparts in the newer one, so a renamed or moved symbol is no
difference. Edges below a confidence of 0.6, edges in tests, and those from a type to its members are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from codeexplore.features.review.affected_uses import still_found
from codeexplore.features.review.public_interface import PublicInterface
from codeexplore.features.review.records import Comparison, Side, SymbolChange
from codeexplore.graph.model import CodeGraph
from codeexplore.graph.records import Cycle, DeadCandidate, Hub
from codeexplore.graph.surveys import Cycles, hubs, module_graph
from codeexplore.graph.usage.dead_code import DeadCode
from codeexplore.graph.usage.evidence import UsageEvidenceTable
from codeexplore.types import CALLABLE_KINDS, EDGE_KINDS, TYPE_KINDS, Edge, EdgeKind
from codeexplore.types.settings import RESOLVED_CONFIDENCE

_HUBS = 20
_HUB_KINDS = tuple(sorted((TYPE_KINDS | CALLABLE_KINDS) - {"lambda"}))
_CYCLES: tuple[tuple[EdgeKind, float], ...] = (("IMPORTS", RESOLVED_CONFIDENCE), ("CALLS", 0.8))
"""Kinds of cycles with the least confidence of their edges. Over weak calls, every wrapper would close a cycle."""


class TurnedDependency(NamedTuple):
    """Two files whose dependency has the opposite direction now.

    Before, `source` depended on `target` by `before` edges. Now, `target` depends on `source` by `after` edges.
    """

    source: str  # paths in the newer version
    target: str
    before: int
    after: int


class EdgeDifference(NamedTuple):
    """Edges that one version has and the other has not.

    `edges` are those whose symbols exist in both versions. `others` is the number of edges of added or removed symbols.
    """

    edges: tuple[Edge, ...]
    others: int


class Structure:
    """Compares the structure of two versions. Each part is computed when it is first needed.

    Parameters
    ----------
    comparison
        Both versions, with the changes of their symbols.
    root
        Folder with the manifests that declare scripts.
    """

    def __init__(self, comparison: Comparison, root: Path) -> None:
        self._comparison, self._root = comparison, root
        self._old, self._new = comparison.old, comparison.new

    # ----------------------------------------------------------------- the interface

    @cached_property
    def interface(self) -> tuple[SymbolChange, ...]:
        """Changes of the public interface: symbols that were added or removed, or whose signature or name changed.

        Those that may break code outside are first, then those by file and line.
        """
        judge = PublicInterface(self._comparison.symbols, self._old, self._new)
        found = [
            change
            for change in self._comparison.symbols
            if _concerns_users(change) and judge.includes(change) and not still_found(self._comparison, change)
        ]
        return tuple(sorted(found, key=lambda each: (not each.breaking, each.symbol.path, each.symbol.line)))

    # ----------------------------------------------------------------- symbols of both versions

    def _now(self, symbol_id: str) -> str:
        """Return the id that an old symbol has in the newer version, if it still exists."""
        return self._comparison.counterpart.get(symbol_id, symbol_id)

    @cached_property
    def _files(self) -> Mapping[str, str]:
        """Path of an old file → its path now, for files that were renamed."""
        pairs = ((each.old, each.new) for each in self._comparison.symbols)
        return {
            old.path: new.path for old, new in pairs
            if old is not None and new is not None and old.kind == "module" and old.path != new.path
        }  # fmt: skip

    # ----------------------------------------------------------------- edges

    @cached_property
    def _rows(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Row of each old symbol → row of its counterpart, and the reverse; -1 without one."""
        old, new = self._old.graph.catalog, self._new.graph.catalog
        forth = np.full(len(old.symbols), -1, np.int64)
        back = np.full(len(new.symbols), -1, np.int64)
        number = {symbol_id: row for row, symbol_id in enumerate(new.symbol_ids())}
        for row, symbol_id in enumerate(old.symbol_ids()):
            other = number.get(self._now(symbol_id), -1)
            forth[row] = other
            if other >= 0:
                back[other] = row
        return forth, back

    @cached_property
    def edges_added(self) -> EdgeDifference:
        """The edges that only the newer version has, in the order of its symbols."""
        forth, back = self._rows
        return _only_in(self._new.graph, np.arange(len(back)), self._old.graph, forth, back >= 0)

    @cached_property
    def edges_removed(self) -> EdgeDifference:
        """The edges that only the older version has, in the order of its symbols."""
        forth, back = self._rows
        return _only_in(self._old.graph, forth, self._new.graph, np.arange(len(back)), forth >= 0)

    # ----------------------------------------------------------------- the graph as a whole

    @cached_property
    def turned(self) -> tuple[TurnedDependency, ...]:
        """The pairs of files whose dependency has the opposite direction now, the strongest first."""
        before = {
            (self._files.get(edge.source, edge.source), self._files.get(edge.target, edge.target)): edge.count
            for edge in module_graph(self._old.graph, tests=False)[1]
        }
        after = {(edge.source, edge.target): edge.count for edge in module_graph(self._new.graph, tests=False)[1]}
        found = [
            TurnedDependency(one, other, before[one, other], after[other, one])
            for one, other in before
            if (other, one) not in before and (other, one) in after and (one, other) not in after
        ]
        return tuple(sorted(found, key=lambda each: (-each.before - each.after, each.source, each.target)))

    @cached_property
    def hubs(self) -> tuple[Hub, ...]:
        """The symbols that are among the 20 most central ones now and were not before."""
        before = {self._now(hub.symbol_id) for hub in _hubs(self._old)}
        return tuple(hub for hub in _hubs(self._new) if hub.symbol_id not in before)

    @cached_property
    def cycles(self) -> tuple[Cycle, ...]:
        """The cycles of imports and of calls that did not exist before, or have members that were not in them."""
        found: list[Cycle] = []
        for kind, minimum in _CYCLES:
            known = [
                {self._now(member) for member in cycle.members}
                for cycle in Cycles(self._old.graph, kind, minimum=minimum, tests=False).found()
            ]
            now = Cycles(self._new.graph, kind, minimum=minimum, tests=False).found()
            found += [each for each in now if not any(set(each.members) <= members for members in known)]
        return tuple(found)

    @cached_property
    def dead(self) -> tuple[DeadCandidate, ...]:
        """The symbols that nothing uses now, and that were used before or did not exist."""
        before = {self._now(each.symbol_id) for each in self._unused(self._old)}
        return tuple(each for each in self._unused(self._new) if each.symbol_id not in before)

    def _unused(self, side: Side) -> tuple[DeadCandidate, ...]:
        evidence = UsageEvidenceTable(side.graph, side.files, self._root, side.sources)
        return DeadCode(side.graph, evidence).found(("unused",))


def _concerns_users(change: SymbolChange) -> bool:
    """Return True for a change that a user of the symbol may notice before running it."""
    if change.inside and change.kind in ("removed", "renamed", "moved"):
        return False
    return bool(change.breaking) or change.kind in ("added", "removed", "renamed") or "signature" in change.aspects


def _hubs(side: Side) -> Iterable[Hub]:
    return hubs(side.graph, _HUBS, _HUB_KINDS, tests=False)


def _only_in(
    graph: CodeGraph, rows: NDArray[np.int64], other: CodeGraph, other_rows: NDArray[np.int64],
    in_both: NDArray[np.bool_],
) -> EdgeDifference:  # fmt: skip
    """Return the edges of a graph that another one lacks.

    Parameters
    ----------
    rows, other_rows
        Row of a symbol of each graph → row of the symbol in the newer version, -1 if it is not there.
    in_both
        For each symbol of `graph`, True if both versions have it.
    """
    wanted, source, target = _wanted(graph)
    shared = in_both[source] & in_both[target]
    keys = _keys(graph, rows, wanted, source, target)
    _, other_source, other_target = _wanted(other)
    known = _keys(other, other_rows, _wanted(other)[0], other_source, other_target)
    missing = shared & ~np.isin(keys, known)
    return EdgeDifference(tuple(graph.edge(int(row)) for row in wanted[missing]), int((~shared).sum()))


def _wanted(graph: CodeGraph) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows, sources and targets of the edges that count."""
    edges = graph.edges
    confidence, in_test = np.asarray(edges.confidence), np.asarray(edges.in_test)
    inside = np.asarray(edges.kind) == EDGE_KINDS.index("CONTAINS")
    rows = np.flatnonzero((confidence >= RESOLVED_CONFIDENCE - 1e-6) & (in_test == 0) & ~inside)
    return rows, np.asarray(edges.source, np.int64)[rows], np.asarray(edges.target, np.int64)[rows]


def _keys(
    graph: CodeGraph, rows: NDArray[np.int64], wanted: NDArray[np.int64], source: NDArray[np.int64],
    target: NDArray[np.int64],
) -> NDArray[np.int64]:  # fmt: skip
    """Return a number for each edge, which is the same for the same edge in the other version; -1 without one."""
    kind = np.asarray(graph.edges.kind, np.int64)[wanted]
    one, other = rows[source], rows[target]
    return np.where((one >= 0) & (other >= 0), (one << 36) | (other << 4) | kind, -1)


assert len(EDGE_KINDS) <= 16, "an edge kind has 4 bits in a key"
