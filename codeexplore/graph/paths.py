"""Simple paths between two symbols.

Calls are followed from the source to the target. If they do not connect the two symbols, calls are followed in the
opposite direction, and then edges of any kind in any direction.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from codeexplore.graph.model import CodeGraph
from codeexplore.types import CallPath, Direction, EdgeKind, settings
from codeexplore.types.errors import QuestionError

MAX_PATH_SYMBOLS = 12
"""Maximal number of symbols on a path. Longer paths are not useful."""

MAX_PATH_STEPS = 50_000
"""Maximal number of partial paths that a search considers."""

_CALLS: tuple[EdgeKind, ...] = ("CALLS",)
_ANY: tuple[EdgeKind, ...] = ("CALLS", "USES", "EXTENDS", "IMPLEMENTS", "OVERRIDES", "IMPORTS", "CONTAINS")
_NEVER = (0.0, 0.0)
_BACK: Mapping[Direction, Direction] = {"out": "in", "in": "out", "both": "both"}


def paths(
    graph: CodeGraph,
    source: str,
    target: str,
    limit: int = 10,
    *,
    minimum: float = settings.RESOLVED_CONFIDENCE,
    longest: int = MAX_PATH_SYMBOLS,
    kinds: Sequence[EdgeKind] = _CALLS,
    tests: bool = True,
    beside: bool = True,
) -> tuple[CallPath, ...]:
    """Return simple paths between two symbols, the shortest first, and of these the most certain.

    Edges of `kinds` are followed from source to target. If no path is found, they are followed from target to source;
    if there is none either, one shortest path over edges of all kinds in any direction is returned. Without `beside`,
    only paths from source to target count. Edges below the confidence `minimum` are not followed, nor, without `tests`,
    those that start in test files. A path has at most `longest` symbols.

    Raises
    ------
    QuestionError
        The limit is below 1.
    """
    if limit < 1:
        raise QuestionError(f"limit must be at least 1, not {limit}")
    start, end = graph.vertex(source), graph.vertex(target)
    follow = _Follow(graph, tuple(kinds), minimum, tests, longest)
    along = _simple_paths(follow, start, end, "out", limit)
    if along or not beside:
        return along
    return _simple_paths(follow, start, end, "in", limit) or _simple_paths(
        replace(follow, kinds=_ANY), start, end, "both", 1
    )


def weaker_paths(
    graph: CodeGraph,
    source: str,
    target: str,
    limit: int = 10,
    *,
    longest: int = MAX_PATH_SYMBOLS,
    kinds: Sequence[EdgeKind] = _CALLS,
    tests: bool = True,
) -> tuple[CallPath, ...]:
    """Return the paths from source to target that exist if uncertain edges are followed too.

    The path with the largest product of confidences is the likeliest path. The confidence of its weakest edge becomes
    the minimal confidence of the edges that all returned paths follow. Parameters and order are as in `paths`.
    """
    start, end = graph.vertex(source), graph.vertex(target)
    follow = _Follow(graph, tuple(kinds), 0.0, tests, longest)
    weakest = _weakest_of_likeliest(follow, start, end)
    return () if weakest is None else _simple_paths(replace(follow, minimum=weakest), start, end, "out", limit)


def leads_back(path: CallPath, kinds: Iterable[EdgeKind]) -> bool:
    """Return True if every step of `path` is an edge of one of `kinds` from a symbol to the previous symbol."""
    steps = zip(path.edges, path.symbol_ids[1:], strict=True)
    return all(edge.kind in kinds and edge.source == symbol_id for edge, symbol_id in steps)


def distances(
    graph: CodeGraph,
    starts: Iterable[int],
    direction: Direction,
    kinds: Sequence[EdgeKind],
    minimum: float,
    tests: bool,
    longest: int | None = None,
    until: int | None = None,
) -> dict[int, int]:
    """Return the vertices that can be reached from any of `starts`, nearest first, each with its distance in edges.

    `longest` is the maximal number of vertices on a path. The search ends at the distance of the vertex `until`.
    """
    found, in_test = dict.fromkeys(starts, 0), graph.edges.in_test
    frontier = list(found)
    while frontier and until not in found and (longest is None or found[frontier[0]] + 1 < longest):
        following = []
        for vertex in frontier:
            for row in graph.incident(vertex, direction, kinds, minimum):
                other = graph.other(row, vertex)
                if other not in found and (tests or not in_test[row]):
                    found[other] = found[vertex] + 1
                    following.append(other)
        frontier = following
    return found


def _weakest_of_likeliest(follow: _Follow, start: int, end: int) -> float | None:
    """Return the lowest confidence on the likeliest path from `start` to `end`; None if there is no path.

    The likeliest path has the largest product of confidences, and at most `follow.longest` symbols (Bellman-Ford).
    """
    confidence = follow.graph.edges.confidence
    best = frontier = {end: (1.0, 1.0)}  # vertex → product and minimum of the confidences from it to the end
    for _ in range(follow.longest - 1):
        following: dict[int, tuple[float, float]] = {}
        for vertex, (product, least) in frontier.items():
            for other, row in follow.steps(vertex, "in").items():
                found = (product * confidence[row], min(least, confidence[row]))
                if found > max(best.get(start, _NEVER), best.get(other, _NEVER), following.get(other, _NEVER)):
                    following[other] = found
        frontier = following
        best = {**best, **following}
    return best[start][1] if start in best and start != end else None


@dataclass(frozen=True, slots=True)
class _Follow:
    """Filter that selects the edges to follow, by kind, minimal confidence and test files.

    `longest` is the maximal number of symbols on a path.
    """

    graph: CodeGraph
    kinds: tuple[EdgeKind, ...]
    minimum: float
    tests: bool
    longest: int

    def steps(self, vertex: int, direction: Direction) -> dict[int, int]:
        """Return the neighbours of `vertex`, each with the row of the most confident edge between the two."""
        graph, found = self.graph, dict[int, int]()
        confidence, in_test = graph.edges.confidence, graph.edges.in_test
        for row in graph.incident(vertex, direction, self.kinds, self.minimum):
            other = graph.other(row, vertex)
            if other == vertex or (in_test[row] and not self.tests):
                continue
            if other not in found or confidence[row] > confidence[found[other]]:
                found[other] = row
        return found


def _simple_paths(follow: _Follow, start: int, end: int, direction: Direction, limit: int) -> tuple[CallPath, ...]:
    """Return at most `limit` paths, shortest first, by best-first search (A*).

    A partial path is ranked by its length plus the distance from its last symbol to the end.
    """
    graph, longest = follow.graph, follow.longest
    until = start if limit == 1 else None
    left = distances(graph, (end,), _BACK[direction], follow.kinds, follow.minimum, follow.tests, longest, until)
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
        for other, row in follow.steps(last, direction).items():
            length = len(vertices) + left.get(other, longest)
            if other in vertices or length >= longest:
                continue
            pushed += 1
            more = doubt + 1.0 - graph.edges.confidence[row]
            heapq.heappush(queue, (length, more, pushed, (*vertices, other), (*rows, row)))
    return tuple(found)
