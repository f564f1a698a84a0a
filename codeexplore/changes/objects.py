"""Tests that run a changed method of an object which they make and other code calls.

A call such as ``handler.run()`` has an edge to each method that may be called, and several edges of low confidence say
little about one test. But a test only reaches the methods of objects that exist: that the test makes itself, that a
fixture or a function called on the way makes, or that are attributes of their classes. This is *rapid type analysis*
(Bacon and Sweeney 1996), computed for each test alone.

All tests are propagated together over the graph: each vertex has a bit set of the tests that reach it.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

from codeexplore.file_roles import is_test_path
from codeexplore.graph.build.rules import FEW
from codeexplore.graph.model import CodeGraph
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, Edge, EdgeKind, Symbol

_USING: tuple[EdgeKind, ...] = ("CALLS", "USES")


class ObjectsOfTests:
    """Edges over which tests may reach the vertices `targets`, with the classes of objects that low edges need.

    Parameters
    ----------
    minimum
        An edge with at least this confidence needs no object.
    is_sure
        Tells if running the source of such an edge most likely runs the target. Other edges are left out.
    """

    def __init__(
        self, graph: CodeGraph, targets: Iterable[int], minimum: float, is_sure: Callable[[Edge], bool]
    ) -> None:
        self._graph, self._minimum, self._is_sure = graph, minimum, is_sure
        self._targets = tuple(targets)
        self._sure: dict[int, set[int]] = defaultdict(set)  # vertex → vertices that it reaches
        self._needing: dict[int, set[int]] = defaultdict(set)  # vertex → methods that it calls on some object
        self._callers: dict[int, set[int]] = defaultdict(set)  # class → vertices with calls on its objects
        self._owners: dict[int, tuple[int, ...]] = {}  # method → classes whose objects run it
        self._names: dict[int, frozenset[str]] = {}  # class → names of its members
        self._collect()

    @cached_property
    def vertices(self) -> tuple[int, ...]:
        """Return the vertices from which a target may be reached."""
        return tuple(each for each in {*self._sure, *self._needing} if each >= 0)

    def reaching(self, starts: Mapping[str, Sequence[int]]) -> set[str]:
        """Return the tests that reach a target. `starts` maps each test to the vertices that running it runs first."""
        names, found = list(starts), dict[int, int]()
        pending = OrderedDict[int, None]()  # in the order in which they were reached
        for number, name in enumerate(names):
            for vertex in starts[name]:
                found[vertex] = found.get(vertex, 0) | 1 << number
                pending[vertex] = None
        while pending:
            vertex, _ = pending.popitem(last=False)
            bits = found.get(vertex, 0)
            for target in self._sure.get(vertex, ()):
                _add(found, pending, target, bits)
            for method in self._needing.get(vertex, ()):
                made = 0
                for owner in self._owners[method]:
                    made |= found.get(owner, 0)
                _add(found, pending, method, bits & made)
            pending.update(dict.fromkeys(self._callers.get(vertex, ())))
        reached = 0
        for vertex in self._targets:
            reached |= found.get(vertex, 0)
        return {name for number, name in enumerate(names) if reached >> number & 1}

    # ----------------------------------------------------------------- the edges backward from the targets

    def _collect(self) -> None:
        """Follow all edges backward from the targets, and from the classes whose objects are needed."""
        pending, seen = list(self._targets), set(self._targets)
        while pending:
            vertex = pending.pop()
            for source in self._before(vertex):
                if source not in seen:
                    seen.add(source)
                    pending.append(source)

    def _before(self, vertex: int) -> Iterable[int]:
        """Record the edges into a vertex, and return their sources and the classes that they need."""
        if vertex < 0:
            return self._before_body(vertex)
        graph, edges = self._graph, self._graph.edges
        symbol = graph.symbol(vertex)
        found: list[int] = []
        low: list[int] = []
        for row in graph.incident(vertex, "in", _USING):
            source = self._runner(edges.source[row], edges.manner(row), symbol)
            if source is None or source == vertex:
                continue
            if edges.confidence[row] >= self._minimum - 1e-6:
                if self._is_sure(graph.edge(row)):
                    self._sure[source].add(vertex)
                    found.append(source)
            elif source >= 0 and not self._is_stored_function(row, symbol):
                low.append(source)
        if symbol.kind not in TYPE_KINDS:
            found += self._on_objects(vertex, low)
        return found

    def _is_stored_function(self, row: int, method: Symbol) -> bool:
        """Return True if an edge is of a call like ``self.function()``, where the value is one of many methods.

        Such a call has edges to more methods of one class than a line calls by name, so an object of this class says
        nothing about each of them.
        """
        graph = self._graph
        edge = graph.edge(row)
        names = {method.name}
        for other in graph.incident(graph.edges.source[row], "out", ("CALLS",)):
            target = graph.symbol(graph.edges.target[other])
            if target.parent == method.parent and not set(edge.sites).isdisjoint(graph.edge(other).sites):
                names.add(target.name)
        return len(names) > FEW

    def _runner(self, source: int, manner: str, target: Symbol) -> int | None:
        """Return the function or the body of a class whose tests reach `target` over an edge; None if none do."""
        symbol = self._graph.symbol(source)
        if manner == "type" or only_names(manner, symbol, target):
            return None
        if symbol.kind not in TYPE_KINDS:
            return source
        around = enclosing_function(self._graph, symbol)
        if around is not None:
            return around
        return body_of(source) if target.kind in TYPE_KINDS else None

    def _before_body(self, body: int) -> list[int]:
        """Attributes of a class exist for whoever makes or names the class or a subclass."""
        graph, vertex = self._graph, body_of(body)
        self._sure[vertex].add(body)
        found = [vertex]
        for row in graph.incident(vertex, "in", ("EXTENDS",), self._minimum):
            below = body_of(graph.edges.source[row])
            self._sure[below].add(body)
            found.append(below)
        return found

    def _on_objects(self, method: int, sources: Sequence[int]) -> list[int]:
        """Record the calls of a method that need an object of its class."""
        symbol, graph = self._graph.symbol(method), self._graph
        if symbol.kind not in CALLABLE_KINDS or symbol.parent is None:
            return []
        owner = graph.vertex(symbol.parent)
        if graph.symbol(owner).kind not in TYPE_KINDS:
            return []
        named = [graph.vertex(each.source) for each in graph.unresolved.named(symbol.name)]
        callers = [*sources, *(each for each in named if graph.symbol(each).kind not in TYPE_KINDS)]
        if not callers:
            return []
        owners = self._owners[method] = tuple(self._inheriting(owner, symbol.name))
        for caller in callers:
            self._needing[caller].add(method)
            for each in owners:
                self._callers[each].add(caller)
        return [*callers, *owners]

    def _inheriting(self, owner: int, name: str) -> list[int]:
        """Return a class and the subclasses that do not override its member `name`."""
        graph, found = self._graph, {owner: None}
        for vertex in (pending := [owner]):
            for row in graph.incident(vertex, "in", ("EXTENDS",), self._minimum):
                below = graph.edges.source[row]
                if below not in found and name not in self._member_names(below):
                    found[below] = None
                    pending.append(below)
        return list(found)

    def _member_names(self, vertex: int) -> frozenset[str]:
        if vertex not in self._names:
            graph = self._graph
            inside = graph.incident(vertex, "out", ("CONTAINS",))
            self._names[vertex] = frozenset(graph.symbol(graph.edges.target[row]).name for row in inside)
        return self._names[vertex]


def only_names(manner: str, source: Symbol, target: Symbol) -> bool:
    """Return True if code outside of tests names a function inside it, and neither calls it nor passes it on.

    It may store the function, such as ``wrapper.cache_clear = cache_clear``, and few of its callers run that.
    """
    inner = target.kind in CALLABLE_KINDS and target.parent == source.id
    return manner == "read" and inner and not is_test_path(source.path)


def enclosing_function(graph: CodeGraph, symbol: Symbol) -> int | None:
    """Return the vertex of the innermost function around a symbol; None outside of functions.

    A function runs the body of a type inside it at each call. The body of another type runs once, at import.
    """
    while symbol.parent is not None:
        symbol = graph.catalog.symbol(symbol.parent)
        if symbol.kind in CALLABLE_KINDS:
            return graph.vertex(symbol.id)
    return None


def body_of(vertex: int) -> int:
    """Return the number that stands for the body of the class `vertex`, and the reverse."""
    return -1 - vertex


def _add(found: dict[int, int], pending: OrderedDict[int, None], vertex: int, bits: int) -> None:
    known = found.get(vertex, 0)
    if bits | known != known:
        found[vertex] = known | bits
        pending[vertex] = None
