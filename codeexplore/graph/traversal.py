"""Walks over the graph, level by level from the start vertices. The most confident edge to a vertex is recorded.

The vertices at which a walk starts are its *seeds*. A *relation*, such as "callers", is described by `Relating`: the
kinds of edges to follow, their direction and the number of levels.

`PathSearch` finds simple paths between two symbols. Calls are followed from the source to the target. If they do not
connect the two symbols, calls are followed in the opposite direction, and then edges of any kind in any direction.

`ordered_columns` arranges the symbols of a drawing: one column for each depth, ordered so that few edges cross. The
order is igraph's Sugiyama layout (Sugiyama, Tagawa and Toda 1981) for fixed layers. It uses no forces. Therefore a
drawing of 200 symbols takes milliseconds, and it is the same each time.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from codeexplore.graph.model import CodeGraph, layered_order
from codeexplore.languages.registry import record_of
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, CallPath, Direction, EdgeKind, settings


def ordered_columns(depths: Mapping[str, int], links: Iterable[tuple[str, str]]) -> tuple[tuple[str, ...], ...]:
    """Return the symbol ids by column. Column d has the ids of the d-th smallest depth, from top to bottom.

    `depths` maps each id to its depth. `links` are pairs of ids; their direction does not matter. Pairs with an id
    outside `depths` and pairs of an id with itself are ignored.
    """
    ids = tuple(depths)
    row = {symbol_id: index for index, symbol_id in enumerate(ids)}
    layer_of = {depth: index for index, depth in enumerate(sorted(set(depths.values())))}
    layers = [layer_of[depths[symbol_id]] for symbol_id in ids]
    pairs = sorted({(row[a], row[b]) for a, b in links if a in row and b in row and a != b})
    columns: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for index, place in enumerate(layered_order(layers, pairs)):
        columns[layers[index]].append((place, index))
    return tuple(tuple(ids[index] for _, index in sorted(columns[layer])) for layer in range(len(layer_of)))


MAX_POSSIBLE = 200
"""Maximal number of possible edges, and of unresolved references, in one answer."""


@dataclass(frozen=True, slots=True)
class Relating:
    """A relation between symbols, described by edge kinds, direction and depth."""

    kinds: tuple[EdgeKind, ...]
    direction: Direction
    depth: int | None = 1  # default number of levels; None for all levels
    noun: str = ""  # noun in the text of an empty answer
    constructed: bool = False  # constructors and instantiations of a type count as the type
    members: bool = False  # members of a seed type are seeds too


RELATING: Mapping[str, Relating] = {
    "callers": Relating(("CALLS",), "in", 1, "callers", constructed=True),
    "callees": Relating(("CALLS",), "out", 1, "callees", constructed=True),
    "implementors": Relating(("IMPLEMENTS", "EXTENDS", "OVERRIDES"), "in", None, "implementors"),
    "subclasses": Relating(("EXTENDS", "IMPLEMENTS"), "in", None, "subclasses"),
    "overrides": Relating(("OVERRIDES",), "in", None, "overrides", members=True),
    "uses": Relating(("USES", "CALLS", "EXTENDS", "IMPLEMENTS"), "in", 1, "uses", constructed=True),
    "imports": Relating(("IMPORTS",), "in", 1, "imports"),
    "impact": Relating(
        ("CALLS", "USES", "EXTENDS", "IMPLEMENTS", "OVERRIDES"),
        "in",
        None,
        "callers or users",
        constructed=True,
        members=True,
    ),
    "around": Relating(("CALLS", "USES", "EXTENDS", "IMPLEMENTS", "OVERRIDES"), "both", 1, "neighbours", True),
}


def relation_of(graph: CodeGraph, relation: str, symbol_ids: Collection[str]) -> Relating:
    """Return the relation called `relation`, as it is for these symbols: modules are used by those that import them."""
    relating = RELATING[relation]
    if relation == "uses" and symbol_ids and all(graph.catalog.symbol(each).kind == "module" for each in symbol_ids):
        return replace(relating, kinds=(*relating.kinds, "IMPORTS"))
    return relating


WHOLE_HIERARCHY = frozenset({"implementors", "subclasses"})
"""Relations that a question follows over all levels."""


@dataclass(slots=True)
class Walk:
    """Result of a walk. For each reached vertex, `via` has the previous vertex and `row` the edge between the two.

    If several edges lead to a vertex, the most confident edge is recorded. A seed has -1 in `via` and no entry in
    `row`.
    """

    seeds: dict[int, float]  # vertex → weight
    depth: dict[int, int] = field(default_factory=dict)
    confidence: dict[int, float] = field(default_factory=dict)
    via: dict[int, int] = field(default_factory=dict)
    row: dict[int, int] = field(default_factory=dict)
    rows: list[int] = field(default_factory=list)  # rows of all edges the walk followed, in its order
    cut: int = 0  # number of vertices left out because of the limit


def seeds_of(graph: CodeGraph, symbol_ids: Iterable[str], relating: Relating) -> dict[int, float]:
    """Return the vertices at which a walk starts, each with weight 1.

    They are the vertices of `symbol_ids`. For some relations, the constructors or members of a type are added.
    """
    found: dict[int, float] = {}
    for symbol_id in symbol_ids:
        vertex = graph.vertex(symbol_id)
        found[vertex] = 1.0
        if graph.symbol(vertex).kind in TYPE_KINDS and (relating.constructed or relating.members):
            for member in members(graph, vertex):
                if relating.members or is_constructor(graph, member):
                    found.setdefault(member, 1.0)
    return found


def members(graph: CodeGraph, vertex: int) -> list[int]:
    return graph.neighbours(vertex, "out", ("CONTAINS",))


INHERITING: tuple[EdgeKind, ...] = ("EXTENDS", "IMPLEMENTS")
_MOST_RELATED = 200  # vertices of one hierarchy


def related(
    graph: CodeGraph,
    starts: Iterable[int],
    direction: Direction,
    kinds: Sequence[EdgeKind] = INHERITING,
    most: int = _MOST_RELATED,
    minimum: float = 0.0,
) -> list[int]:
    """Return the vertices `starts` and those that edges of `kinds` lead to, the nearest `most` of them."""
    found = dict.fromkeys(starts)
    waiting = list(found)
    for vertex in waiting:
        for other in graph.neighbours(vertex, direction, kinds, minimum):
            if other not in found and len(found) < most:
                found[other] = None
                waiting.append(other)
    return waiting


def inside(graph: CodeGraph, vertices: Iterable[int], *, modules: bool = False) -> dict[int, None]:
    """Return the given vertices and those of all definitions inside them, outer definitions first.

    With `modules`, the definitions inside of a module count too; otherwise it stands for its own code only.
    """
    found = dict.fromkeys(vertices)
    around = [vertex for vertex in found if modules or graph.symbol(vertex).kind != "module"]
    return found | dict.fromkeys(related(graph, around, "out", ("CONTAINS",), len(graph.catalog.symbols)))


def decorators_of(graph: CodeGraph, source: int) -> dict[int, int]:
    """Return the symbols that calls above the line of a definition, its decorators, reach, with the edge's row."""
    symbol = graph.symbol(source)
    if not symbol.decorators or symbol.parent is None:
        return {}
    lines = range(symbol.span.start_line, symbol.line)
    found = {}
    for row in graph.incident(graph.vertex(symbol.parent), "out", ("CALLS", "USES"), settings.RESOLVED_CONFIDENCE):
        if any(site.path == symbol.path and site.line in lines for site in graph.edge(row).sites):
            found[graph.edges.target[row]] = row
    return found


def is_constructor(graph: CodeGraph, vertex: int) -> bool:
    """Return True for a constructor of the type around it; a function in a module of the same name is none."""
    symbol = graph.symbol(vertex)
    if symbol.kind not in CALLABLE_KINDS or symbol.parent is None:
        return False
    around = graph.catalog.symbol(symbol.parent)
    return around.kind in TYPE_KINDS and symbol.name in (*record_of(symbol.language).constructors, around.name)


def walk(
    graph: CodeGraph,
    seeds: Mapping[int, float],
    relating: Relating,
    *,
    depth: int | None,
    direction: Direction | None = None,
    minimum: float = settings.RESOLVED_CONFIDENCE,
    tests: bool = True,
    limit: int = settings.MAX_GRAPH_VERTICES,
) -> Walk:
    """Follow the edges of a relation level by level from the vertices `seeds`, each with its weight.

    `depth` is the number of levels, None for all. Edges below the confidence `minimum` are not followed, nor, without
    `tests`, those that start in test files. At most `limit` vertices besides the seeds are kept, those with the highest
    confidence; `cut` of the result counts the others.
    """
    result = Walk(dict(seeds))
    for vertex, weight in seeds.items():
        result.depth[vertex], result.confidence[vertex], result.via[vertex] = 0, min(weight, 1.0), -1
    frontier, level = list(seeds), 0
    while frontier and (depth is None or level < depth):
        level += 1
        found = _level(graph, frontier, relating, direction or relating.direction, minimum, tests, result)
        ranked = sorted(found, key=lambda vertex: (-found[vertex][0], vertex))
        room = max(0, limit - len(result.depth) + len(seeds))
        result.cut += len(ranked) - min(room, len(ranked))
        frontier = ranked[:room]
        for vertex in frontier:
            sure, via, row = found[vertex]
            result.depth[vertex], result.confidence[vertex] = level, sure
            result.via[vertex], result.row[vertex] = via, row
    reached = result.depth
    source, target = graph.edges.source, graph.edges.target
    result.rows = [row for row in dict.fromkeys(result.rows) if source[row] in reached and target[row] in reached]
    return result


def _level(
    graph: CodeGraph,
    frontier: Sequence[int],
    relating: Relating,
    direction: Direction,
    minimum: float,
    tests: bool,
    result: Walk,
) -> dict[int, tuple[float, int, int]]:
    """Return the vertices that one more step from the vertices `frontier` reaches and `result` does not contain.

    The result maps each vertex to its confidence, its previous vertex and the row of the edge.
    """
    found: dict[int, tuple[float, int, int]] = {}
    confidence, manner = graph.edges.confidence, graph.edges.manner
    for vertex in frontier:
        rows = graph.incident(vertex, direction, relating.kinds, minimum, tests)
        if relating.constructed and "USES" not in relating.kinds and graph.symbol(vertex).kind in TYPE_KINDS:
            used = graph.incident(vertex, direction, ("USES",), minimum, tests)
            making = [row for row in used if manner(row) == "new"]
            constructors = [each for each in members(graph, vertex) if is_constructor(graph, each)] if making else ()
            calls = [row for each in constructors for row in graph.incident(each, direction, ("CALLS",))]
            known = {graph.edges.source[row] for row in calls}
            rows += [row for row in making if graph.edges.source[row] not in known]
        for row in rows:
            result.rows.append(row)
            other = graph.other(row, vertex)
            sure = min(result.confidence[vertex], confidence[row])
            for each in (other, *(_given_values(graph, row) if relating.members and direction == "in" else ())):
                if each not in result.depth and (each not in found or found[each][0] < sure):
                    found[each] = (sure, vertex, row)
    return found


def _given_values(graph: CodeGraph, row: int) -> list[int]:
    """Return the constants in whose declaration a module uses the target of an edge: it may change their values."""
    if graph.symbol(graph.edges.source[row]).kind != "module":
        return []
    around = (graph.catalog.at(*site) for site in graph.edge(row).sites)
    return [graph.vertex(each.id) for each in around if each is not None and each.kind == "constant"]


# --------------------------------------------------------------------------- paths

MAX_PATH_SYMBOLS = 12
"""Maximal number of symbols on a path. Longer paths are not useful."""

MAX_PATH_STEPS = 50_000
"""Maximal number of partial paths that a search considers."""

_ANY: tuple[EdgeKind, ...] = ("CALLS", "USES", "EXTENDS", "IMPLEMENTS", "OVERRIDES", "IMPORTS", "CONTAINS")
_NEVER = (0.0, 0.0)
_BACK: Mapping[Direction, Direction] = {"out": "in", "in": "out", "both": "both"}


@dataclass(frozen=True, slots=True)
class PathSearch:
    """Search for paths over the edges of `kinds` that have at least the confidence `minimum`.

    Without `tests`, edges that start in test files are not followed. A path has at most `longest` symbols.
    """

    graph: CodeGraph
    kinds: tuple[EdgeKind, ...] = ("CALLS",)
    minimum: float = settings.RESOLVED_CONFIDENCE
    tests: bool = True
    longest: int = MAX_PATH_SYMBOLS

    def paths(self, source: str, target: str, limit: int = 10, direction: Direction = "out") -> tuple[CallPath, ...]:
        """Return at most `limit` simple paths between two symbols, the shortest first, by best-first search (A*).

        Of paths of equal length, the most certain come first. A partial path is ranked by its length plus the distance
        from its last symbol to the end.
        """
        graph, longest = self.graph, self.longest
        start, end = graph.vertex(source), graph.vertex(target)
        left = self.distances((end,), _BACK[direction], longest, start if limit == 1 else None)
        if start not in left or start == end:
            return ()
        found: list[CallPath] = []
        queue: list[tuple[int, float, int, tuple[int, ...], tuple[int, ...]]] = [(left[start], 0.0, 0, (start,), ())]
        pushed = 0
        while queue and len(found) < limit and pushed < MAX_PATH_STEPS:
            _, doubt, _, vertices, rows = heapq.heappop(queue)
            last = vertices[-1]
            if last == end:
                ids = tuple(graph.symbol(vertex).id for vertex in vertices)
                found.append(CallPath(ids, tuple(graph.edge(row) for row in rows)))
                continue
            for other, row in self._steps(last, direction).items():
                length = len(vertices) + left.get(other, longest)
                if other in vertices or length >= longest:
                    continue
                pushed += 1
                more = doubt + 1.0 - graph.edges.confidence[row]
                heapq.heappush(queue, (length, more, pushed, (*vertices, other), (*rows, row)))
        return tuple(found)

    def paths_beside(self, source: str, target: str, limit: int) -> tuple[CallPath, ...]:
        """Return the paths against the edges, or one shortest path over edges of all kinds in any direction."""
        back = self.paths(source, target, limit, "in")
        return back or replace(self, kinds=_ANY).paths(source, target, 1, "both")

    def weaker_paths(self, source: str, target: str, limit: int) -> tuple[CallPath, ...]:
        """Return the paths that exist if uncertain edges are followed too.

        The path with the largest product of confidences is the likeliest path. The confidence of its weakest edge
        becomes the minimal confidence of the edges that all returned paths follow.
        """
        every = replace(self, minimum=0.0)
        weakest = every.weakest_of_likeliest(self.graph.vertex(source), self.graph.vertex(target))
        return () if weakest is None else replace(self, minimum=weakest).paths(source, target, limit)

    def distances(
        self, starts: Iterable[int], direction: Direction, longest: int | None = None, until: int | None = None
    ) -> dict[int, int]:
        """Return the vertices that can be reached from any of `starts`, nearest first, each with its distance in edges.

        `longest` is the maximal number of vertices on a path. The search ends at the distance of the vertex `until`.
        """
        graph, found = self.graph, dict.fromkeys(starts, 0)
        frontier = list(found)
        while frontier and until not in found and (longest is None or found[frontier[0]] + 1 < longest):
            following = []
            for vertex in frontier:
                for row in graph.incident(vertex, direction, self.kinds, self.minimum, self.tests):
                    if (other := graph.other(row, vertex)) not in found:
                        found[other] = found[vertex] + 1
                        following.append(other)
            frontier = following
        return found

    def weakest_of_likeliest(self, start: int, end: int) -> float | None:
        """Return the lowest confidence on the likeliest path from `start` to `end`; None if there is no path.

        The likeliest path has the largest product of confidences, and at most `longest` symbols (Bellman-Ford).
        """
        confidence = self.graph.edges.confidence
        best = frontier = {end: (1.0, 1.0)}  # vertex → product and minimum of the confidences from it to the end
        for _ in range(self.longest - 1):
            following: dict[int, tuple[float, float]] = {}
            for vertex, (product, least) in frontier.items():
                for other, row in self._steps(vertex, "in").items():
                    found = (product * confidence[row], min(least, confidence[row]))
                    if found > max(best.get(start, _NEVER), best.get(other, _NEVER), following.get(other, _NEVER)):
                        following[other] = found
            frontier = following
            best = {**best, **following}
        return best[start][1] if start in best and start != end else None

    def _steps(self, vertex: int, direction: Direction) -> dict[int, int]:
        """Return the neighbours of `vertex`, each with the row of the most confident edge between the two."""
        graph, confidence, found = self.graph, self.graph.edges.confidence, dict[int, int]()
        for row in graph.incident(vertex, direction, self.kinds, self.minimum, self.tests):
            other = graph.other(row, vertex)
            if other != vertex and (other not in found or confidence[row] > confidence[found[other]]):
                found[other] = row
        return found


def leads_back(path: CallPath, kinds: Iterable[EdgeKind]) -> bool:
    """Return True if every step of `path` is an edge of one of `kinds` from a symbol to the previous symbol."""
    steps = zip(path.edges, path.symbol_ids[1:], strict=True)
    return all(edge.kind in kinds and edge.source == symbol_id for edge, symbol_id in steps)
