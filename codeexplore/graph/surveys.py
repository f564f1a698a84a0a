"""Whole-graph analyses: central symbols, dependencies between modules, communities of symbols, cycles.

A vertex is the row of a symbol, as in `graph.model`. The parameters `minimum` and `tests` select edges: only edges with
at least the confidence `minimum` count and, if `tests` is False, edges from or into test files do not count.
"""

from __future__ import annotations

import posixpath
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from itertools import pairwise

from codeexplore.graph.model import CodeGraph, leiden, pagerank_of, strong_components
from codeexplore.graph.records import Community, Cycle, Hub, ModuleEdge, ModuleNode
from codeexplore.graph.traversal import is_constructor
from codeexplore.index.qualified_names import last_two
from codeexplore.types import (
    CALLABLE_KINDS,
    EDGE_KINDS,
    TEXT_KINDS,
    TYPE_KINDS,
    CallPath,
    Edge,
    EdgeKind,
    Symbol,
    settings,
)

USING: tuple[EdgeKind, ...] = ("CALLS", "USES", "EXTENDS", "IMPLEMENTS", "OVERRIDES")
"""Edges by which one symbol needs another."""

DEPENDING: tuple[EdgeKind, ...] = (*USING, "IMPORTS")
SEED = 0
"""Seed of the random numbers that break ties between communities: the same graph gives the same communities."""

_CENTRAL = 3
_UNNAMED = "interface"  # rule of an edge from a type to an interface whose methods it has without naming it
_WEIGHT = [settings.EDGE_WEIGHTS[kind] for kind in EDGE_KINDS]


def hubs(
    graph: CodeGraph,
    top_k: int,
    kinds: Sequence[str],
    *,
    minimum: float = settings.RESOLVED_CONFIDENCE,
    tests: bool = True,
) -> tuple[Hub, ...]:
    """Return the `top_k` symbols of the given kinds with the highest PageRank, best first.

    PageRank runs over resolved calls, uses and supertypes. A symbol passes its weight to the symbols that it uses. A
    symbol therefore ranks high if many symbols use it, above all symbols that are often used themselves.
    A type that has the methods of an interface without naming it is no user of the interface.
    """
    pairs = _weighted(graph, USING, minimum, tests)
    ranks = pagerank_of(len(graph.catalog.symbols), list(pairs), list(pairs.values()))
    users: dict[int, set[int]] = defaultdict(set)
    callers: dict[int, set[int]] = defaultdict(set)
    call = EDGE_KINDS.index("CALLS")
    for row, wanted in enumerate(rows_of(graph, USING, minimum, tests)):
        if wanted and graph.edges.source[row] != graph.edges.target[row] and not _is_unnamed(graph, row):
            users[graph.edges.target[row]].add(graph.edges.source[row])
            if graph.edges.kind[row] == call:
                called = graph.edges.target[row]
                callers[called].add(graph.edges.source[row])
                if is_constructor(graph, called):
                    callers[graph.vertex(graph.symbol(called).parent or "")].add(graph.edges.source[row])
    able = [vertex for vertex in users if graph.symbol(vertex).kind in kinds]
    best = sorted(able, key=lambda vertex: (-ranks[vertex], vertex))[:top_k]
    top = ranks[best[0]] if best else 1.0
    return tuple(
        Hub(
            graph.symbol(vertex).id,
            ranks[vertex] / top,
            len(callers[vertex]),
            len(users[vertex]),
            len({graph.symbol(user).path for user in users[vertex]}),
        )
        for vertex in best
    )


# --------------------------------------------------------------------------- modules


def module_graph(
    graph: CodeGraph,
    level: str | Callable[[str], str] = "file",
    *,
    kinds: Sequence[EdgeKind] = DEPENDING,
    minimum: float = settings.RESOLVED_CONFIDENCE,
    tests: bool = True,
) -> tuple[tuple[ModuleNode, ...], tuple[ModuleEdge, ...]]:
    """Return the files or folders that have edges, sorted by path, and the edges between them, largest count first.

    `level` is "file", "folder", or a number of folders from the root as text: "1" groups files by their top folder. A
    function returns the group of a file from its path.

    A type that has the methods of an interface without naming it does not depend on the interface. Edges from such a
    type or its methods to the interface do not count. Nor does the import of a package whose files are several groups,
    as in Go: it does not say which of them are needed.
    """
    group = level if callable(level) else partial(_place, level=level)
    places = [group(symbol.path) for symbol in graph.catalog.symbols]
    symbols: Counter[str] = Counter()
    files: dict[str, set[str]] = defaultdict(set)
    for symbol, place in zip(graph.catalog.symbols, places, strict=True):
        symbols[place] += symbol.kind != "module" and symbol.kind not in TEXT_KINDS
        files[place].add(symbol.path)
    parts: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for symbol, place in zip(graph.catalog.symbols, places, strict=True):
        if symbol.kind == "module":
            parts[_package(symbol)].add(place)
    counted: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    edges = graph.edges
    for row, wanted in enumerate(rows_of(graph, kinds, minimum, tests)):
        ends = places[edges.source[row]], places[edges.target[row]]
        if not wanted or ends[0] == ends[1] or _is_unnamed(graph, row):
            continue
        kind, target = EDGE_KINDS[edges.kind[row]], graph.symbol(edges.target[row])
        if kind != "IMPORTS" or target.kind != "module" or len(parts[_package(target)]) < 2:
            counted[ends][kind] += 1
    found = [ModuleEdge(a, b, sum(kinds.values()), dict(kinds.most_common())) for (a, b), kinds in counted.items()]
    found.sort(key=lambda edge: (-edge.count, edge.source, edge.target))
    used = {place for edge in found for place in (edge.source, edge.target)}
    nodes = [ModuleNode(place, symbols[place], len(files[place])) for place in sorted(symbols) if place in used]
    return tuple(nodes), tuple(found)


def _package(module: Symbol) -> tuple[str, str, str]:
    """Return a key that the files of a package share: language, folder and name."""
    return module.language, posixpath.dirname(module.path), module.fqn


def _is_unnamed(graph: CodeGraph, row: int) -> bool:
    """Return True for an edge from a type, or one of its methods, to an interface that the type does not name."""
    edges = graph.edges
    if edges.rule(row) == _UNNAMED:
        return True
    if EDGE_KINDS[edges.kind[row]] != "OVERRIDES":
        return False
    owner, interface = (graph.symbol(end[row]).parent for end in (edges.source, edges.target))
    if owner is None or interface is None:
        return False
    above = graph.vertex(interface)
    between = [
        each for each in graph.incident(graph.vertex(owner), "out", ("IMPLEMENTS",)) if edges.target[each] == above
    ]
    return any(edges.rule(each) == _UNNAMED for each in between)


def _place(path: str, level: str) -> str:
    folder = posixpath.dirname(path)
    if level == "file" or not path:
        return path
    if level == "folder":
        return folder or "."
    return "/".join(folder.split("/")[: int(level)]) or "."


# --------------------------------------------------------------------------- communities


def communities(
    graph: CodeGraph, *, minimum: float = settings.RESOLVED_CONFIDENCE, tests: bool = False, least: int = 3
) -> tuple[Community, ...]:
    """Return groups of functions, methods and types that many edges connect, the largest group first.

    The Leiden algorithm finds them from the weights of the edges (Traag, Waltman and van Eck 2019). Groups with fewer
    than `least` members are left out. The random numbers have a fixed seed, so the same graph gives the same
    communities.
    """
    wanted = CALLABLE_KINDS | TYPE_KINDS
    weights = _weighted(graph, (*USING, "CONTAINS"), minimum, tests)
    kept = {pair: weight for pair, weight in weights.items() if all(graph.symbol(end).kind in wanted for end in pair)}
    vertices = sorted({end for pair in kept for end in pair})
    place = {vertex: number for number, vertex in enumerate(vertices)}
    pairs = [(place[a], place[b]) for a, b in kept]
    groups: dict[int, list[int]] = defaultdict(list)
    for vertex, group in zip(vertices, leiden(len(vertices), pairs, list(kept.values()), SEED), strict=True):
        groups[group].append(vertex)
    ranks = dict(zip(vertices, pagerank_of(len(vertices), pairs, list(kept.values())), strict=True))
    inside = _inside_shares(kept, {vertex: group for group, part in groups.items() for vertex in part})
    made = [_community(graph, part, ranks, inside[group]) for group, part in groups.items() if len(part) >= least]
    return tuple(sorted(made, key=lambda each: (-len(each.members), each.members[0])))


def _community(graph: CodeGraph, part: Sequence[int], ranks: Mapping[int, float], inside: float) -> Community:
    ordered = [graph.symbol(v) for v in sorted(part, key=lambda v: (-ranks[v], v))]
    folders = Counter(posixpath.dirname(symbol.path) or "." for symbol in ordered)
    central = [symbol for symbol in ordered if not (symbol.name.startswith("__") and symbol.name.endswith("__"))]
    chosen = (central or ordered)[:_CENTRAL]
    name = ", ".join(dict.fromkeys(last_two(s.fqn) if s.kind == "method" else s.name for s in chosen))
    ids = tuple(symbol.id for symbol in ordered)
    return Community(name, ids, tuple(symbol.id for symbol in chosen), inside, dict(folders.most_common()))


def _inside_shares(weights: Mapping[tuple[int, int], float], group: Mapping[int, int]) -> dict[int, float]:
    """Return for each group: weight of the edges inside the group / weight of all edges that touch it."""
    inside: dict[int, float] = defaultdict(float)
    touching: dict[int, float] = defaultdict(float)
    for (a, b), weight in weights.items():
        for each in {group[a], group[b]}:
            touching[each] += weight
        if group[a] == group[b]:
            inside[group[a]] += weight
    return {each: inside[each] / total if total else 0.0 for each, total in touching.items()}


def _weighted(graph: CodeGraph, kinds: Sequence[EdgeKind], minimum: float, tests: bool) -> dict[tuple[int, int], float]:
    """Return (source, target) → weight of the strongest edge between two different vertices."""
    edges, found = graph.edges, dict[tuple[int, int], float]()
    for row, wanted in enumerate(rows_of(graph, kinds, minimum, tests)):
        pair = edges.source[row], edges.target[row]
        if wanted and pair[0] != pair[1]:
            found[pair] = max(found.get(pair, 0.0), _WEIGHT[edges.kind[row]] * edges.confidence[row])
    return found


class Cycles:
    """Finder of the cycles that edges of one kind form: CALLS or IMPORTS.

    Imports count between modules: importing a symbol imports its module. Edges below the confidence `minimum` are
    left out, and edges from or into test files if `tests` is False.
    """

    def __init__(
        self,
        graph: CodeGraph,
        kind: EdgeKind = "CALLS",
        *,
        minimum: float = settings.RESOLVED_CONFIDENCE,
        tests: bool = True,
    ) -> None:
        self.graph, self.kind = graph, kind
        self._minimum, self._tests = minimum, tests

    def found(self) -> tuple[Cycle, ...]:
        """Return every strongly connected component of two or more symbols as a cycle.

        The largest component comes first. Components of equal size are ordered by importance.
        """
        vertices = sorted({end for pair in self.edges for end in pair})
        place = {vertex: number for number, vertex in enumerate(vertices)}
        pairs = [(place[a], place[b]) for a, b in self.edges]
        components = [[vertices[i] for i in part] for part in strong_components(len(vertices), pairs) if len(part) > 1]
        ranked = [sorted(part, key=lambda v: (-self.graph.ranks[v], v)) for part in components]
        ranked.sort(key=lambda part: (-len(part), -self.graph.ranks[part[0]], part[0]))
        return tuple(self._cycle(part) for part in ranked)

    def recursive(self) -> tuple[str, ...]:
        """Return the ids of the symbols that have an edge to themselves, the most important symbol first."""
        loops = sorted((a for a, b in self._rows if a == b), key=lambda v: (-self.graph.ranks[v], v))
        return tuple(self.graph.symbol(vertex).id for vertex in loops)

    @cached_property
    def edges(self) -> Sequence[tuple[int, int]]:
        """Pairs of different vertices that at least one edge connects, each pair once."""
        return [(a, b) for a, b in self._rows if a != b]

    @cached_property
    def _after(self) -> Mapping[int, list[int]]:
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
        return self.graph.vertex([symbol, *self.graph.catalog.all_around(symbol)][-1].id)

    def _cycle(self, members: list[int]) -> Cycle:
        """Return the record of a component: its members, and a shortest cycle through its first member."""
        inside = set(members)
        after = {member: [other for other in self._after[member] if other in inside] for member in members}
        way = _shortest(members[0], after)
        edges = tuple(self.graph.edge(self._rows[pair]) for pair in pairwise(way))
        ids = tuple(self.graph.symbol(vertex).id for vertex in way)
        return Cycle(self.kind, tuple(self.graph.symbol(vertex).id for vertex in members), CallPath(ids, edges))


def rows_of(graph: CodeGraph, kinds: Iterable[EdgeKind], minimum: float, tests: bool) -> list[bool]:
    """Return a mask over the edges: kinds, least confidence, and without `tests` no edge from or into a test."""
    codes = {code for code, kind in enumerate(EDGE_KINDS) if kind in set(kinds)}
    edges = graph.edges
    if tests:
        return [k in codes and c >= minimum - 1e-6 for k, c in zip(edges.kind, edges.confidence, strict=True)]
    inside = [graph.catalog.roles.is_test_symbol(symbol) for symbol in graph.catalog.symbols]
    return [
        kind in codes and sure >= minimum - 1e-6 and not inside[source] and not inside[target]
        for kind, sure, source, target in zip(edges.kind, edges.confidence, edges.source, edges.target, strict=True)
    ]


def _shortest(start: int, after: Mapping[int, list[int]]) -> list[int]:
    """Return a shortest cycle through `start` (breadth-first) in a strongly connected component's successors."""
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
