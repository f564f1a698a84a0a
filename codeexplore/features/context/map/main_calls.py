"""Main calls of a repository: from where it starts, the functions through which most of its code is reached.

The first step is a function that a manifest or the language starts, if users only start the repository. Otherwise, it
is a function that the examples of its first documents show, or else a public one that tests use: the one that leads to
most functions. Each further step is the one with the most functions that are reached only through it: the
largest subtree in the tree of dominators of the calls (Lengauer and Tarjan 1979) whose root an earlier step calls.
Helpers that many functions share lead to nothing of their own, so they are no steps.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from codeexplore.features.context.map.material import Detail, row
from codeexplore.graph.model import dominators
from codeexplore.graph.traversal import is_constructor
from codeexplore.types import CALLABLE_KINDS, EDGE_KINDS, TYPE_KINDS
from codeexplore.types.certainty import LIKELY
from codeexplore.types.rows import grouped
from codeexplore.types.settings import RESOLVED_CONFIDENCE

if TYPE_CHECKING:
    from codeexplore.features.context.map.material import Material
    from codeexplore.types import Symbol

_MOST_STEPS: Final = 12
_STARTS: Final = 200  # best public symbols that are tried as starts: 50 and all gave the same in ten repositories
_FIRST_SHARE: Final = 3  # the first document that shows a function with a third of the most decides
_DECORATED: Final = "decorated"  # rule of a call that a decorator passes on to its function
_CALLS: Final = EDGE_KINDS.index("CALLS")
_USES: Final = EDGE_KINDS.index("USES")


class MainStep(NamedTuple):
    """A function of the main calls, the number of its caller (0 for the first), and the place of the call."""

    symbol: Symbol
    caller: int  # 1-based
    path: str
    line: int


class MainCalls:
    """Finds the main calls."""

    def __init__(self, material: Material) -> None:
        self._material = material

    @cached_property
    def _after(self) -> Mapping[int, Mapping[int, int]]:
        """Vertex → functions of the product that it calls or passes on, by line → row of the edge."""
        material = self._material
        edges, symbols = material.graph.edges, material.graph.catalog.symbols
        found: dict[int, dict[int, int]] = defaultdict(dict)
        named = [material.graph.vertex(material.graph.catalog.named_around(symbol).id) for symbol in symbols]
        rows = zip(edges.source, edges.target, edges.kind, edges.confidence, strict=True)
        for number, (source, target, kind, sure) in enumerate(rows):
            through = sure >= RESOLVED_CONFIDENCE - 1e-6 and edges.rule(number) == _DECORATED
            if kind not in (_CALLS, _USES) or (sure < LIKELY - 1e-6 and not through):
                continue
            a, b = named[source], named[target]
            inside = all(s.kind in CALLABLE_KINDS and s.path in material.product for s in (symbols[a], symbols[b]))
            if inside and a != b:
                found[a].setdefault(b, number)
        return {a: dict(sorted(below.items(), key=lambda pair: self._site(pair[1]))) for a, below in found.items()}

    def _site(self, edge: int) -> tuple[int, int]:
        return min((site.line for site in self._material.graph.edge(edge).sites), default=0), edge

    @cached_property
    def steps(self) -> Sequence[MainStep]:
        start = self._start()
        return [] if start is None else self._from(start)

    def _start(self) -> int | None:
        """Return the first candidate that leads to at least half as many functions as any other."""
        for reach in self._candidates():
            most = max(reach.values(), default=0)
            if most > 1:
                return next(vertex for vertex, count in reach.items() if 2 * count >= most)
        return None

    def _candidates(self) -> Iterator[Mapping[int, int]]:
        """Yield the candidates for the first step with how many functions they lead to; the best evidence first."""
        tour = self._material.tour
        started = self._reach(self._best(tour.entries))
        if not tour.is_library:
            yield started  # others are commands beside a library
        yield self._shown()
        yield self._reach(self._best(each for each in tour.public if each in tour.users)[:_STARTS])
        yield self._reach(self._best(tour.public)[:_STARTS])  # an installed package has neither documents nor tests
        yield started

    def _shown(self) -> Mapping[int, int]:
        """Return the function that leads to most others in the first document that shows one of the main functions."""
        reaches = [reach for ids in self._material.tour.exemplified if (reach := self._reach(dict.fromkeys(ids)))]
        most = [max(reach, key=lambda vertex: reach[vertex]) for reach in reaches]
        found = [(vertex, reach[vertex]) for vertex, reach in zip(most, reaches, strict=True)]
        wide = max((count for _, count in found), default=0)
        return dict([pair for pair in found if _FIRST_SHARE * pair[1] >= wide][:1])

    def _best(self, ids: Iterable[str]) -> list[str]:
        scores = self._material.tour.scores
        return sorted(ids, key=lambda each: (-scores.get(each, 0.0), each))

    def _reach(self, ids: Iterable[str]) -> dict[int, int]:
        """Return for the product's functions and constructors among some symbols how many functions they lead to."""
        symbols = map(self._material.graph.catalog.symbol, ids)
        inside = (symbol for symbol in symbols if symbol.path in self._material.product)
        return {vertex: len(self._distances(vertex)) for symbol in inside for vertex in self._functions(symbol)}

    def _functions(self, symbol: Symbol) -> list[int]:
        """Return the vertex of a function, or those of the constructors of a type."""
        graph = self._material.graph
        if symbol.kind not in TYPE_KINDS:
            return [graph.vertex(symbol.id)]
        inside = (graph.vertex(each.id) for each in self._material.members(symbol))
        return [vertex for vertex in inside if is_constructor(graph, vertex)]

    def _distances(self, start: int) -> dict[int, int]:
        """Return the vertices that are reachable from `start` with the length of a shortest way, nearest first."""
        found, waiting = {start: 0}, [start]
        for vertex in waiting:
            for other in self._after.get(vertex, ()):
                if other not in found:
                    found[other] = found[vertex] + 1
                    waiting.append(other)
        return found

    def _from(self, start: int) -> list[MainStep]:
        reached = list(self._distances(start))
        place = {vertex: number for number, vertex in enumerate(reached)}
        pairs = [(place[a], place[b]) for a in reached for b in self._after.get(a, ())]
        sizes, below = _subtrees(dominators(len(reached), pairs))
        steps = [MainStep(self._material.graph.symbol(start), 0, "", 0)]
        number = {start: 1}
        waiting = [(-sizes[child], child, start) for child in below[0]]
        while waiting and len(steps) < _MOST_STEPS:
            best = min(waiting)
            waiting.remove(best)
            size, child, caller = best
            if size == -1:  # this one and all others lead to nothing
                break
            for vertex in self._between(caller, reached[child]):
                if vertex not in number:
                    number[vertex] = len(number) + 1
                    steps.append(self._step(caller, vertex, number[caller]))
                caller = vertex
            waiting += [(-sizes[each], each, caller) for each in below[child]]
        return steps[:_MOST_STEPS]

    def _step(self, caller: int, vertex: int, number: int) -> MainStep:
        site = self._material.graph.edge(self._after[caller][vertex]).sites[:1]
        return MainStep(self._material.graph.symbol(vertex), number, *(site[0] if site else ("", 0)))

    def _between(self, a: int, b: int) -> list[int]:
        """Return the vertices of a shortest way from `a` to `b`, without `a`: of several, those with most PageRank."""
        away, ranks, way = self._distances(a), self._material.graph.ranks, [b]
        for distance in range(away[b] - 1, 0, -1):
            callers = [v for v, d in away.items() if d == distance and way[-1] in self._after.get(v, ())]
            way.append(max(callers, key=lambda vertex: ranks[vertex]))
        return way[::-1]

    @property
    def share(self) -> tuple[int, int]:
        """The numbers of functions of the product: those that the first step leads to, itself included, and all."""
        material = self._material
        every = {
            s.id for s in material.graph.catalog.symbols if s.kind in CALLABLE_KINDS and s.path in material.product
        }
        start = self._start()
        return (0 if start is None else len(self._distances(start))), len(every)

    def rows(self) -> list[Detail]:
        found = []
        for number, step in enumerate(self.steps, 1):
            brief = f"{number}. {step.symbol.path}:{step.symbol.line} {step.symbol.fqn}"
            place = f", {step.path}:{step.line}" if step.line else ""
            reason = f"from {step.caller}{place}" if step.caller else self._reason(step.symbol)
            placed = f"{brief} ({reason})" if reason else brief
            said = self._material.said(step.symbol)
            found.append(row(placed, f"{placed} — {said}") if said else row(placed))
        return found

    def _reason(self, symbol: Symbol) -> str:
        tour = self._material.tour
        own = (tour.standing_for(symbol) or symbol).id
        if own in tour.entries:
            return tour.entries[own]
        if (shown := tour.shown.get(own)) is not None:
            return f"{shown.path}:{shown.line} shows it"
        return f"{users:,} tests or examples use it" if (users := tour.users.get(own, 0)) else ""


def _subtrees(above: Sequence[int]) -> tuple[Sequence[int], Mapping[int, list[int]]]:
    """Return the size of each subtree of a tree, and the children of each vertex. `above` has their parents."""
    below = grouped((parent, child) for child, parent in enumerate(above) if parent >= 0)
    order, sizes = [0], [1] * len(above)
    for vertex in order:
        order += below.get(vertex, ())
    for vertex in reversed(order[1:]):
        sizes[above[vertex]] += sizes[vertex]
    return sizes, below
