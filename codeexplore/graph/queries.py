"""Questions to the graph, answered as records.

Who calls, is called, implements, extends, uses, imports; what a change reaches; how one symbol leads to another.

Every answer tells apart what is resolved, what is only possible by name, and what an empty answer means.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from codeexplore import settings
from codeexplore.errors import QuestionError
from codeexplore.graph import absence
from codeexplore.graph.model import CodeGraph
from codeexplore.graph.rank import importance_of
from codeexplore.graph.traverse import MAX_POSSIBLE, RELATING, Relating, Walk, seeds_of
from codeexplore.graph.traverse import walk as traverse
from codeexplore.types import CallPath, Direction, Edge, EdgeKind, Reached, Subgraph, Unresolved

MAX_PATH_SYMBOLS = 12
"""Symbols of the longest path that is looked for; nobody follows a longer one."""

MAX_PATH_STEPS = 50_000
"""Partial paths looked at before the search for more paths ends."""

_ANY: tuple[EdgeKind, ...] = ("CALLS", "USES", "EXTENDS", "IMPLEMENTS", "OVERRIDES", "IMPORTS", "CONTAINS")


def walk(
    graph: CodeGraph,
    relation: str,
    seeds: Sequence[str],
    *,
    depth: int | None = None,
    direction: Direction | None = None,
    minimum: float = settings.RESOLVED_CONFIDENCE,
    tests: bool = True,
    limit: int = settings.MAX_GRAPH_VERTICES,
) -> Subgraph:
    """Answer one relation from some symbols.

    Parameters
    ----------
    relation
        One of callers, callees, implementors, subclasses, uses, imports, impact, around.
    seeds
        Symbol ids.
    depth
        How many edges away; None for the relation's own default (callers, callees, uses and imports 1, others all).
    direction
        Against the relation's own, e.g. what a module imports instead of who imports it.
    minimum
        Edges below this confidence are listed as possible instead.
    tests
        False leaves out what is called from test files.
    limit
        Symbols reached at most; those beyond are counted.

    Raises
    ------
    QuestionError
        The relation is unknown, or the depth is below 1.
    """
    relating = RELATING.get(relation)
    if relating is None:
        raise QuestionError(f"unknown relation {relation!r:.80}; known are {', '.join(RELATING)}")
    if depth is not None and depth < 1:
        raise QuestionError(f"depth must be at least 1, not {depth}; leave it out for the default")
    starts = seeds_of(graph, seeds, relating)
    walked = traverse(
        graph, starts, relating, depth=depth if depth is not None else relating.depth, direction=direction,
        minimum=minimum, tests=tests, limit=limit,
    )  # fmt: skip
    possible = _possible(graph, walked, relating, direction or relating.direction, minimum, tests)
    unresolved = _unresolved(graph, seeds, relation)
    reached = _reached(graph, walked, seeds)
    empty = len(reached) == len(dict.fromkeys(seeds))
    words = absence.words(graph, relating, seeds, possible, unresolved) if empty else ""
    edges = tuple(graph.edge(row) for row in walked.rows)
    return Subgraph(relation, tuple(seeds), reached, edges, possible, unresolved, words, walked.cut)


def callers(graph: CodeGraph, seeds: Sequence[str], depth: int = 1) -> Subgraph:
    """What calls the seeds. A method's callers include calls that reach it through an override or interface."""
    return walk(graph, "callers", seeds, depth=depth)


def callees(graph: CodeGraph, seeds: Sequence[str], depth: int = 1) -> Subgraph:
    """What the seeds call."""
    return walk(graph, "callees", seeds, depth=depth)


def implementors(graph: CodeGraph, seeds: Sequence[str]) -> Subgraph:
    """What implements the seeds, or extends or overrides them, at any depth."""
    return walk(graph, "implementors", seeds)


def subclasses(graph: CodeGraph, seeds: Sequence[str]) -> Subgraph:
    """The types below the seeds, at any depth."""
    return walk(graph, "subclasses", seeds)


def uses(graph: CodeGraph, seeds: Sequence[str], depth: int = 1) -> Subgraph:
    """Whatever mentions the seeds: calls, references, annotations, supertypes."""
    return walk(graph, "uses", seeds, depth=depth)


def imports(graph: CodeGraph, seeds: Sequence[str], depth: int = 1) -> Subgraph:
    """What imports the seeds."""
    return walk(graph, "imports", seeds, depth=depth)


def impact(graph: CodeGraph, seeds: Sequence[str], depth: int | None = None) -> Subgraph:
    """What may break when the seeds change: callers and users of them, of their members, and so on."""
    return walk(graph, "impact", seeds, depth=depth)


# --------------------------------------------------------------------------- what an answer holds


def _reached(graph: CodeGraph, walked: Walk, seeds: Sequence[str]) -> tuple[Reached, ...]:
    """The seeds, then the others by depth, confidence and importance. What stands for a seed is not shown apart."""
    importance = importance_of(graph)
    order = sorted(
        (v for v in walked.depth if v not in walked.seeds),
        key=lambda v: (walked.depth[v], -round(walked.confidence[v], 6), -importance[v], v),
    )
    named = {graph.vertex(seed) for seed in seeds}
    fallback = graph.vertex(seeds[0]) if seeds else -1

    def via_of(vertex: int) -> str:
        via = walked.via[vertex]
        if via in walked.seeds and via not in named:  # a constructor stands for its type
            parent = graph.symbol(via).parent
            via = graph.vertex(parent) if parent is not None and graph.vertex(parent) in named else fallback
        return graph.symbol(via).id

    first = [Reached(seed, 0, None, 1.0) for seed in dict.fromkeys(seeds)]
    rest = [Reached(graph.symbol(v).id, walked.depth[v], via_of(v), round(walked.confidence[v], 3)) for v in order]
    return (*first, *rest)


def _possible(
    graph: CodeGraph, walked: Walk, relating: Relating, direction: Direction, minimum: float, tests: bool
) -> tuple[Edge, ...]:
    """Edges at the seeds that are too weak to count, strongest first."""
    if minimum <= 0.0:
        return ()
    weak: dict[int, None] = {}
    for vertex in walked.seeds:
        for row in graph.incident(vertex, direction, relating.kinds):
            if graph.edges.confidence[row] < minimum - 1e-6 and (tests or not graph.edges.in_test[row]):
                weak[row] = None
    ordered = sorted(weak, key=lambda row: (-graph.edges.confidence[row], row))
    return tuple(graph.edge(row) for row in ordered[:MAX_POSSIBLE])


def _unresolved(graph: CodeGraph, seeds: Sequence[str], relation: str) -> tuple[Unresolved, ...]:
    """Unresolved references that share a seed's name."""
    if relation not in ("callers", "uses", "impact"):
        return ()
    found: list[Unresolved] = []
    for name in dict.fromkeys(graph.catalog.symbol(seed).name for seed in seeds):
        found.extend(graph.unresolved.named(name))
    return tuple(found[:MAX_POSSIBLE])


# --------------------------------------------------------------------------- paths


def paths(
    graph: CodeGraph,
    source: str,
    target: str,
    limit: int = 10,
    *,
    minimum: float = settings.RESOLVED_CONFIDENCE,
    longest: int = MAX_PATH_SYMBOLS,
) -> tuple[CallPath, ...]:
    """Simple paths between two symbols, shortest first, surer ones first among equals.

    Calls are followed from source to target; when none lead there, from target to source; when none do either, one
    shortest path over all kinds of edges in any direction.
    """
    if limit < 1:
        raise QuestionError(f"limit must be at least 1, not {limit}")
    start, end = graph.vertex(source), graph.vertex(target)
    calls = RELATING["callees"].kinds
    for direction in ("out", "in"):
        found = _simple_paths(graph, start, end, direction, calls, minimum, limit, longest)
        if found:
            return found
    return _simple_paths(graph, start, end, "both", _ANY, minimum, 1, longest)


def _simple_paths(
    graph: CodeGraph,
    start: int,
    end: int,
    direction: Direction,
    kinds: tuple[EdgeKind, ...],
    minimum: float,
    limit: int,
    longest: int,
) -> tuple[CallPath, ...]:
    """Best-first search by length so far plus distance to go."""
    back: Direction = {"out": "in", "in": "out", "both": "both"}[direction]  # type: ignore[assignment]
    left = _distances(graph, end, back, kinds, minimum, longest)
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
        for other, row in _steps(graph, last, direction, kinds, minimum).items():
            length = len(vertices) + left.get(other, longest)
            if other in vertices or length >= longest:
                continue
            pushed += 1
            more = doubt + 1.0 - graph.edges.confidence[row]
            heapq.heappush(queue, (length, more, pushed, (*vertices, other), (*rows, row)))
    return tuple(found)


def _steps(
    graph: CodeGraph, vertex: int, direction: Direction, kinds: tuple[EdgeKind, ...], minimum: float
) -> dict[int, int]:
    """Neighbours of a vertex, each with the surest edge to it."""
    found: dict[int, int] = {}
    confidence = graph.edges.confidence
    for row in graph.incident(vertex, direction, kinds, minimum):
        other = graph.other(row, vertex)
        if other != vertex and (other not in found or confidence[row] > confidence[found[other]]):
            found[other] = row
    return found


def _distances(
    graph: CodeGraph, start: int, direction: Direction, kinds: tuple[EdgeKind, ...], minimum: float, longest: int
) -> dict[int, int]:
    """Edges to every vertex within reach."""
    distance, frontier = {start: 0}, [start]
    for step in range(1, longest):
        following = []
        for vertex in frontier:
            for other in _steps(graph, vertex, direction, kinds, minimum):
                if other not in distance:
                    distance[other] = step
                    following.append(other)
        if not following:
            break
        frontier = following
    return distance
