"""Cycles of calls and of imports: strongly connected components, each with one shortest cycle as an example."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from codeexplore import settings
from codeexplore.graph.model import CodeGraph, strong_components
from codeexplore.graph.ranking import importance_of
from codeexplore.graph.records import Cycle
from codeexplore.languages.file_roles import is_test_path
from codeexplore.types import EDGE_KINDS, CallPath, Edge, EdgeKind

_KINDS = EDGE_KINDS


class Cycles:
    """Finder of the cycles that edges of one kind form.

    Parameters
    ----------
    graph
        Symbols and edges.
    kind
        CALLS or IMPORTS. Imports count between modules: importing a symbol imports its module.
    minimum
        Edges below this confidence are left out.
    tests
        False leaves out edges from or into test files.
    """

    def __init__(
        self, graph: CodeGraph, kind: EdgeKind = "CALLS", *, minimum: float = settings.RESOLVED_CONFIDENCE,
        tests: bool = True,
    ) -> None:  # fmt: skip
        self.graph, self.kind = graph, kind
        self._minimum, self._tests = minimum, tests

    def found(self) -> tuple[Cycle, ...]:
        """Return every strongly connected component of two or more symbols as a cycle.

        The largest component comes first. Components of equal size are ordered by importance.
        """
        importance = importance_of(self.graph)
        vertices = sorted({end for pair in self.edges for end in pair})
        place = {vertex: number for number, vertex in enumerate(vertices)}
        pairs = [(place[a], place[b]) for a, b in self.edges]
        components = [[vertices[i] for i in part] for part in strong_components(len(vertices), pairs) if len(part) > 1]
        ranked = [sorted(part, key=lambda v: (-importance[v], v)) for part in components]
        ranked.sort(key=lambda part: (-len(part), -importance[part[0]], part[0]))
        return tuple(self._cycle(part) for part in ranked)

    def recursive(self) -> tuple[str, ...]:
        """Return the ids of the symbols that have an edge to themselves, the most important symbol first."""
        importance = importance_of(self.graph)
        loops = sorted((a for a, b in self._rows if a == b), key=lambda v: (-importance[v], v))
        return tuple(self.graph.symbol(vertex).id for vertex in loops)

    @cached_property
    def edges(self) -> Sequence[tuple[int, int]]:
        """Pairs of different vertices that at least one edge connects, each pair once."""
        return [(a, b) for a, b in self._rows if a != b]

    @cached_property
    def _after(self) -> Mapping[int, list[int]]:
        """Mapping from a vertex to the vertices to which its edges lead."""
        found: dict[int, list[int]] = {}
        for a, b in self.edges:
            found.setdefault(a, []).append(b)
        return found

    @cached_property
    def _rows(self) -> Mapping[tuple[int, int], int]:
        """Mapping from a pair (source, target) to the row of the most confident edge between them."""
        edges, found = self.graph.edges, dict[tuple[int, int], int]()
        for row, wanted in enumerate(rows_of(self.graph, (self.kind,), self._minimum, self._tests)):
            if wanted:
                pair = edges.source[row], edges.target[row]
                if self.kind == "IMPORTS":
                    pair = self._module(pair[0]), self._module(pair[1])
                    if pair[0] == pair[1]:
                        continue
                if pair not in found or edges.confidence[row] > edges.confidence[found[pair]]:
                    found[pair] = row
        return found

    def between(self, members: Iterable[str]) -> tuple[Edge, ...]:
        """Return the edges between some symbols, given by id: the most confident edge of each pair."""
        inside = {self.graph.vertex(each) for each in members}
        return tuple(self.graph.edge(self._rows[pair]) for pair in self.edges if inside.issuperset(pair))

    def _module(self, vertex: int) -> int:
        symbol = self.graph.symbol(vertex)
        while symbol.parent is not None:
            symbol = self.graph.catalog.symbol(symbol.parent)
        return self.graph.vertex(symbol.id)

    def _cycle(self, members: list[int]) -> Cycle:
        """Return the record of a component: its members, and a shortest cycle through its first member."""
        inside = set(members)
        after = {member: [other for other in self._after[member] if other in inside] for member in members}
        way = _shortest(members[0], after)
        edges = tuple(self.graph.edge(self._rows[pair]) for pair in pairwise(way))
        ids = tuple(self.graph.symbol(vertex).id for vertex in way)
        return Cycle(self.kind, tuple(self.graph.symbol(vertex).id for vertex in members), CallPath(ids, edges))


def rows_of(graph: CodeGraph, kinds: Iterable[EdgeKind], minimum: float, tests: bool) -> list[bool]:
    """Return a mask over the edges, by edge row.

    It is True for edges of the given kinds with at least the confidence `minimum`. If `tests` is False, it is False for
    edges from or into a test file.
    """
    codes = {code for code, kind in enumerate(_KINDS) if kind in set(kinds)}
    edges = graph.edges
    if tests:
        return [k in codes and c >= minimum - 1e-6 for k, c in zip(edges.kind, edges.confidence, strict=True)]
    inside = [is_test_path(symbol.path) for symbol in graph.catalog.symbols]
    return [
        kind in codes and sure >= minimum - 1e-6 and not inside[source] and not inside[target]
        for kind, sure, source, target in zip(edges.kind, edges.confidence, edges.source, edges.target, strict=True)
    ]


def _shortest(start: int, after: Mapping[int, list[int]]) -> list[int]:
    """Return the vertices of a shortest cycle through `start`, found by breadth-first search.

    `after` maps each vertex of a strongly connected component to its successors; a cycle therefore exists.
    """
    came: dict[int, int] = {}
    frontier = [start]
    while start not in came:
        following = []
        for vertex in frontier:
            for other in sorted(after[vertex]):
                if other not in came:
                    came[other] = vertex
                    following.append(other)
        frontier = following
    way = [start, came[start]]
    while way[-1] != start:
        way.append(came[way[-1]])
    return way[::-1]
