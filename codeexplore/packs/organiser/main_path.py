"""Main path of a repository: a chain of calls that leads from where it starts through most of its code.

The path starts at a function that a manifest or the language starts, or, in a library, at one that documents, tests or
examples show: the one that leads to most central types and functions. From each step, it continues with the function
through which most of the rest is reached: the child with the largest subtree in the tree of dominators of the calls
(Lengauer and Tarjan 1979). Helpers that many functions share lead to nothing of their own, so the path does not run
into them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from codeexplore.graph.model import dominators
from codeexplore.graph.traversal import is_constructor
from codeexplore.packs.organiser.material import CERTAIN
from codeexplore.packs.organiser.rows import Detail, row
from codeexplore.results.text.clip import one_line
from codeexplore.results.text.phrases import member_name
from codeexplore.settings import RESOLVED_CONFIDENCE
from codeexplore.types import CALLABLE_KINDS, EDGE_KINDS, TYPE_KINDS

if TYPE_CHECKING:
    from codeexplore.packs.organiser.material import Material
    from codeexplore.types import Symbol

_LEAST_STEPS: Final = 4  # from here on, the path does not go to a function that leads to nothing
_MOST_STEPS: Final = 8
_MORE_STEPS: Final = 4  # that the last row names
_STARTS: Final = 200  # best symbols of documents, tests and examples that are tried as starts of a library
_DECORATED: Final = "decorated"  # rule of a call that a decorator passes on to its function
_CALLS: Final = EDGE_KINDS.index("CALLS")
_USES: Final = EDGE_KINDS.index("USES")


class PathStep(NamedTuple):
    """A function of the main path, and the line that calls it or passes it on: ("", 0) for the first step."""

    symbol: Symbol
    path: str
    line: int


class MainPath:
    """Finds the main path.

    Parameters
    ----------
    central
        The central types (`centre`). The start that leads to most of them is chosen.
    """

    def __init__(self, material: Material, central: Sequence[Symbol]) -> None:
        self._material = material
        self._central = frozenset(material.graph.vertex(symbol.id) for symbol in central)

    @cached_property
    def _after(self) -> Mapping[int, Mapping[int, int]]:
        """Vertex → the product's functions that it calls or passes on, in the order of the lines → the row of the edge.

        Anonymous functions are parts of the functions around them.
        """
        material = self._material
        edges, symbols = material.graph.edges, material.graph.catalog.symbols
        found: dict[int, dict[int, int]] = defaultdict(dict)
        rows = zip(edges.source, edges.target, edges.kind, edges.confidence, strict=True)
        for number, (source, target, kind, sure) in enumerate(rows):
            through = sure >= RESOLVED_CONFIDENCE - 1e-6 and edges.rule(number) == _DECORATED
            if kind not in (_CALLS, _USES) or (sure < CERTAIN - 1e-6 and not through):
                continue
            a, b = self._named(source), self._named(target)
            inside = all(s.kind in CALLABLE_KINDS and s.path in material.product for s in (symbols[a], symbols[b]))
            if inside and a != b:
                found[a].setdefault(b, number)
        return {a: dict(sorted(below.items(), key=lambda pair: self._site(pair[1]))) for a, below in found.items()}

    def _site(self, edge: int) -> tuple[int, int]:
        """Return a key that sorts the edges of a function by the line of their first site."""
        return min((site.line for site in self._material.graph.edge(edge).sites), default=0), edge

    def _named(self, vertex: int) -> int:
        """Return the vertex of the named function around an anonymous one, else the vertex itself."""
        symbol = self._material.graph.symbol(vertex)
        while symbol.kind == "lambda" and symbol.parent is not None:
            symbol = self._material.graph.catalog.symbol(symbol.parent)
        return self._material.graph.vertex(symbol.id)

    # ----------------------------------------------------------------- the path

    @cached_property
    def steps(self) -> Sequence[PathStep]:
        """The steps; empty if no start calls anything."""
        start = self._start()
        return [] if start is None else self._from(start)

    def _start(self) -> int | None:
        """Return the start that leads to most central types, and then to most functions."""
        material = self._material
        scores, public = material.tour.scores, material.tour.public
        met = [each for each in public if each in material.tour.users or each in material.tour.shown]
        met = met or list(public)  # an installed package has neither documents nor tests
        shown = sorted(met, key=lambda each: (-scores.get(each, 0.0), each))[:_STARTS]
        for ids in (list(material.tour.entries), shown):
            symbols = [symbol for symbol in map(material.graph.catalog.symbol, ids) if symbol.path in material.product]
            reach = {vertex: self._reach(vertex) for symbol in symbols for vertex in self._functions(symbol)}
            if any(count > 1 for _, count in reach.values()):
                return max(reach, key=lambda vertex: reach[vertex])  # the first of equal ones
        return None

    def _reach(self, start: int) -> tuple[int, int]:
        """Return the number of central types, and of functions, to which a start leads."""
        reached = self._before(start)
        return len(self._central.intersection(self._material.owner[vertex] for vertex in reached)), len(reached)

    def _functions(self, symbol: Symbol) -> list[int]:
        """Return the vertex of a function, or those of the constructors of a type."""
        graph = self._material.graph
        if symbol.kind not in TYPE_KINDS:
            return [graph.vertex(symbol.id)]
        inside = (graph.vertex(each.id) for each in self._material.members(symbol))
        return [vertex for vertex in inside if is_constructor(graph, vertex)]

    def _before(self, start: int) -> dict[int, int]:
        """Return for each reachable vertex the one before it on a shortest way from `start`, nearest first."""
        found, waiting = {start: start}, [start]
        for vertex in waiting:
            for other in self._after.get(vertex, ()):
                if other not in found:
                    found[other] = vertex
                    waiting.append(other)
        return found

    def _from(self, start: int) -> list[PathStep]:
        reached = list(self._before(start))
        place = {vertex: number for number, vertex in enumerate(reached)}
        pairs = [(place[a], place[b]) for a in reached for b in self._after.get(a, ())]
        above = dominators(len(reached), pairs, 0)
        sizes, below = _subtrees(above)
        way, last = [start], 0
        while below[last] and (len(way) < _LEAST_STEPS or any(below[child] for child in below[last])):
            last = max(below[last], key=lambda child: (sizes[child], -child))
            between = self._between(way[-1], reached[last])
            way += between
            if len(way) >= _MOST_STEPS + _MORE_STEPS:
                break
        steps = [PathStep(self._material.graph.symbol(start), "", 0)]
        for a, b in pairwise(way):
            site = self._material.graph.edge(self._after[a][b]).sites[:1]
            steps.append(PathStep(self._material.graph.symbol(b), *(site[0] if site else ("", 0))))
        return steps

    def _between(self, a: int, b: int) -> list[int]:
        """Return the vertices of a shortest way from `a` to `b`, without `a`."""
        before, way = self._before(a), [b]
        while before[way[-1]] != a:
            way.append(before[way[-1]])
        return way[::-1]

    # ----------------------------------------------------------------- rows

    def rows(self) -> list[Detail]:
        """Return a row for each of the first steps: place, caller and a sentence. One row has the other steps."""
        return list(self._rows())

    def _rows(self) -> Iterator[Detail]:
        for number, step in enumerate(self.steps[:_MOST_STEPS], 1):
            brief = f"{number}. {step.symbol.path}:{step.symbol.line} {step.symbol.fqn}"
            reason = self._reason(step.symbol) if number == 1 else f"from {step.path}:{step.line}" if step.line else ""
            placed = f"{brief} ({reason})" if reason else brief
            yield row(brief, f"{placed} — {one_line(self._material.said(step.symbol))}")

        if others := self.steps[_MOST_STEPS : _MOST_STEPS + _MORE_STEPS]:
            named = " → ".join(f"{member_name(step.symbol)} ({step.symbol.path}:{step.symbol.line})" for step in others)
            yield row(f"continues: {named}")

    def _reason(self, symbol: Symbol) -> str:
        """Return why the path starts at a symbol."""
        tour = self._material.tour
        if symbol.id in tour.entries:
            return tour.entries[symbol.id]
        if (shown := tour.shown.get(symbol.id)) is not None:
            return f"{shown.path}:{shown.line} shows it"
        return f"{users:,} tests or examples use it" if (users := tour.users.get(symbol.id, 0)) else ""


def _subtrees(above: Sequence[int]) -> tuple[Sequence[int], Mapping[int, list[int]]]:
    """Return the size of each subtree of a tree, and the children of each vertex. `above` has their parents."""
    below: dict[int, list[int]] = defaultdict(list)
    for child, parent in enumerate(above):
        if parent >= 0:
            below[parent].append(child)
    order, sizes = [0], [1] * len(above)
    for vertex in order:
        order += below.get(vertex, ())
    for vertex in reversed(order[1:]):
        sizes[above[vertex]] += sizes[vertex]
    return sizes, below
