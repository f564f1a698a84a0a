"""Simple paths between two symbols.

Calls are followed from the source to the target. If they do not connect the two symbols, calls are followed in the
opposite direction, and then edges of any kind in any direction.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from codeexplore.graph.model import CodeGraph
from codeexplore.types import CallPath, Direction, EdgeKind, settings

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
