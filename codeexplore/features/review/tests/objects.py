"""Tests that run a changed method of an object which they make and other code calls.

A call such as ``handler.run()`` has an edge to each method that may be called, and several edges of low confidence say
little about one test. But a test only reaches the methods of objects that exist: that the test makes itself, that a
fixture or a function called on the way makes, or that are attributes of their classes. This is *rapid type analysis*
(Bacon and Sweeney 1996), computed for each test alone.

All tests are propagated together over the graph: each vertex has a bit set of the tests that reach it.
"""

from __future__ import annotations

import re
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import TypeAlias

from codeexplore.features.review.code_tokens import FileCode, Place
from codeexplore.features.review.records import Side
from codeexplore.features.review.signatures import is_property
from codeexplore.graph.build.rules import FEW
from codeexplore.graph.model import CodeGraph
from codeexplore.graph.traversal import members
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, Edge, EdgeKind, Site, Symbol
from codeexplore.types.certainty import LIKELY

CERTAIN = 0.9
"""Least confidence of the edges on a certain way: one target, or a few known ones. Below it, there are several."""

_USING: tuple[EdgeKind, ...] = ("CALLS", "USES")
_Node: TypeAlias = int | str
"""A vertex of the graph, the body of a class (`body_of`), or the name of methods that unresolved calls mention."""


class ObjectsOfTests:
    """Edges over which tests may reach the vertices `targets`, with the classes of objects that low edges need.

    A certain edge needs no object. `steps` decides which of these edges are left out, because a test that runs the
    source seldom runs the target, and which of them need an object nevertheless. `is_started` tells if a test runner
    starts a method. It is among what its tests run first, so calls of it on objects that may exist are left out: in a
    repository that contains its test runner, all tests would seem to run all others.
    """

    def __init__(
        self, graph: CodeGraph, targets: Iterable[int], steps: Steps, is_started: Callable[[Symbol], bool]
    ) -> None:
        self._graph, self._steps, self._is_started = graph, steps, is_started
        self._targets = tuple(targets)
        self._sure: dict[_Node, set[_Node]] = defaultdict(set)  # node → nodes that it reaches
        self._calling: dict[_Node, set[int]] = defaultdict(set)  # node → methods that it calls on some object
        self._running: dict[_Node, set[int]] = defaultdict(set)  # class → methods that its objects run
        self._member_names = cache(lambda vertex: {graph.symbol(each).name for each in members(graph, vertex)})
        self._calling_by_name = cache(self._unresolved_calls)
        self._seen: set[_Node] = set(self._targets)
        self._follow(self._targets)
        self.vertices = tuple(each for each in self._seen if isinstance(each, int) and each >= 0)
        """Vertices from which calls lead to a target, on objects that may not exist."""

    def reaching(self, starts: Mapping[str, Sequence[int]]) -> set[str]:
        """Return the tests that reach a target. `starts` maps each test to the vertices that running it runs first.

        Only the new bits of a node are passed on (semi-naive evaluation).
        """
        if not starts:
            return set()
        while classes := self._running.keys() - self._seen:  # objects of these are needed: follow their edges back
            self._seen |= classes
            self._follow(classes)
        names, found, pending = list(starts), defaultdict[_Node, int](int), OrderedDict[_Node, int]()
        called, made = defaultdict[int, int](int), defaultdict[int, int](int)  # method → tests

        def add(node: _Node, bits: int) -> None:
            if new := bits & ~found[node]:
                found[node] |= new
                pending[node] = pending.get(node, 0) | new

        for number, name in enumerate(names):
            for vertex in starts[name]:
                add(vertex, 1 << number)
        while pending:
            node, new = pending.popitem(last=False)
            for target in self._sure.get(node, ()):
                add(target, new)
            for method in self._calling.get(node, ()):
                called[method] |= new
                add(method, new & made[method])
            for method in self._running.get(node, ()):
                made[method] |= new
                add(method, new & called[method])
        reached = 0
        for vertex in self._targets:
            reached |= found[vertex]
        return {name for number, name in enumerate(names) if reached >> number & 1}

    def _follow(self, nodes: Iterable[_Node]) -> None:
        pending = list(nodes)
        while pending:
            for source in self._before(pending.pop()):
                if source not in self._seen:
                    self._seen.add(source)
                    pending.append(source)

    def _before(self, vertex: _Node) -> Iterable[_Node]:
        """Record the edges into a node, and the classes that they need. Return the sources of the edges."""
        if isinstance(vertex, str):
            callers = self._calling_by_name(vertex)
            for each in callers:
                self._sure[each].add(vertex)
            return callers
        if vertex < 0:
            return self._before_body(vertex)
        graph, edges = self._graph, self._graph.edges
        symbol = graph.symbol(vertex)
        found: list[_Node] = []
        low: list[_Node] = []
        for row in graph.incident(vertex, "in", _USING):
            source = self._runner(edges.source[row], edges.manner(row), symbol)
            if source is None or source == vertex:
                continue
            if edges.confidence[row] >= CERTAIN - 1e-6:
                edge = graph.edge(row)
                if not self._steps.is_sure(edge):
                    continue
                if not self._steps.needs_object(edge):
                    self._sure[source].add(vertex)
                    found.append(source)
                    continue
            if source >= 0 and not self._is_stored_function(row, symbol):
                low.append(source)
        if symbol.kind not in TYPE_KINDS and not self._is_started(symbol):
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
        if manner == "type" or only_names(self._graph, manner, symbol, target):
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
        for below in map(body_of, graph.neighbours(vertex, "in", ("EXTENDS",), CERTAIN)):
            self._sure[below].add(body)
            found.append(below)
        return found

    def _on_objects(self, method: int, sources: Sequence[_Node]) -> Sequence[_Node]:
        """Record the calls of a method that need an object of its class, and return the callers."""
        symbol, graph = self._graph.symbol(method), self._graph
        if symbol.kind not in CALLABLE_KINDS or symbol.parent is None:
            return []
        owner = graph.vertex(symbol.parent)
        if graph.symbol(owner).kind not in TYPE_KINDS:
            return []
        callers = [*sources, symbol.name] if self._calling_by_name(symbol.name) else sources
        if not callers:
            return []
        for caller in callers:
            self._calling[caller].add(method)
        for each in self._inheriting(owner, symbol.name):
            self._running[each].add(method)
        return callers

    def _unresolved_calls(self, name: str) -> list[int]:
        sources = [self._graph.vertex(each.source) for each in self._graph.unresolved.named(name)]
        return [each for each in sources if self._graph.symbol(each).kind not in TYPE_KINDS]

    def _inheriting(self, owner: int, name: str) -> list[int]:
        """Return a class and the subclasses that do not override its member `name`."""
        graph, found = self._graph, {owner: None}
        for vertex in (pending := [owner]):
            for below in graph.neighbours(vertex, "in", ("EXTENDS",), CERTAIN):
                if below not in found and name not in self._member_names(below):
                    found[below] = None
                    pending.append(below)
        return list(found)


def only_names(graph: CodeGraph, manner: str, source: Symbol, target: Symbol) -> bool:
    """Return True if code outside of tests names a function inside it, and neither calls it nor passes it on.

    It may store the function, such as ``wrapper.cache_clear = cache_clear``, and few of its callers run that.
    """
    inner = target.kind in CALLABLE_KINDS and target.parent == source.id
    return manner == "read" and inner and not graph.catalog.roles.is_test(source.path)


def enclosing_function(graph: CodeGraph, symbol: Symbol) -> int | None:
    """Return the vertex of the innermost function around a symbol; None outside of functions.

    A function runs the body of a type inside it at each call. The body of another type runs once, at import.
    """
    around = (graph.vertex(s.id) for s in graph.catalog.all_around(symbol) if s.kind in CALLABLE_KINDS)
    return next(around, None)


def body_of(vertex: int) -> int:
    """Return the number that stands for the body of the class `vertex`, and the reverse."""
    return -1 - vertex


_HANDED_ON = frozenset({"argument", "return"})
_SEVERAL = frozenset({"flow-few", "flow-only", "element-several"})  # one of several functions
_FLOWING = ("flow", "element", "many", "callback")  # rules for a call of a value that was passed or stored
_NAMED = frozenset(
    {"name", "related", "lacking", "missing", "decorated", "return-several"}
)  # rules for what a name means
_NO_RETURN = re.compile(r"\b(?:NoReturn|Never|never)\b|->\s*!")


class Steps:
    """Decides for the edges of one state whether a test that runs the source most likely runs the target.

    The confidence of an edge says how likely the code contains this use, not how often the use runs. Some uses run too
    seldom to make a test certain:

    - one of several alternatives: a branch of a condition that has other branches, such as ``else``; not if another
      branch has the use, too
    - code that runs only after an error: in a handler, in a statement that raises, or a function that never returns
    - a function that is passed on, returned or stored: what gets it may call it, and has an edge of its own;
      if that edge is of each run, the pass is one too, and so is a list of functions that the same code calls
    - a call of a value that is one of a few functions, outside of tests
    - a method that overrides another: to run it is not to run the other
    - a type in an annotation

    In the traces of seven test suites, 52 % of the tests that ran the source of a call in an ``else`` or ``elif`` ran
    the target too (221 edges), 57 % in a handler or a raising statement (186), and 67 % for functions that are passed
    on or returned (304). For all other calls it was 76 % or more outside of tests and 94 % in tests (5,456). In those
    of nine suites, it was 48 % outside of tests and 46 % in tests if another class had a method of the same name at the
    same place (170 and 812 edges), 88 % and 98 % otherwise (1,534 and 4,382). A branch without others and a loop are no
    such kind: tests of pluggy that were certain had fallen from 93 to 62 %. In seven other suites, it was 62 % for one
    alternative (91 edges), and 83 % for two or more (37). Calls that tests make by a name that leads to one definition
    happened in 98 % (1,939 edges of six suites, most of them of one), whatever the confidence of the edge.
    """

    def __init__(self, side: Side) -> None:
        self._side = side
        self._code = cache(lambda path: FileCode(side.sources[path]))
        self._place = cache(lambda path, line, source: self._code(path).place(line, side.catalog.symbol(source)))
        self._members_called = cache(self._classes_called)
        self.is_sure, self.needs_object = cache(self._is_sure), cache(self._needs_object)  # ways share their edges
        self._is_conditional = cache(self._runs_on_condition)

    def _is_sure(self, edge: Edge) -> bool:
        """Return True if running the source of an edge most likely runs the target."""
        target = self._side.catalog.symbol(edge.target)
        several = edge.rule in _SEVERAL and not edge.in_test
        if edge.kind in ("OVERRIDES", "IMPLEMENTS") or several or edge.manner == "type":
            return False
        stored = edge.kind == "USES" and not edge.in_test and not is_property(target)
        if (edge.manner in _HANDED_ON or stored) and target.kind in CALLABLE_KINDS and not self._is_called_there(edge):
            return False
        if edge.in_test or edge.kind not in ("CALLS", "USES"):
            return True
        never_returns = target.kind in CALLABLE_KINDS and _NO_RETURN.search(target.signature.rpartition(")")[2])
        return not never_returns and self._runs_often(edge)

    def is_likely(self, edge: Edge) -> bool:
        """Return True if an edge is likely, or if a test names its target, which nothing else at the place may be."""
        return edge.confidence >= LIKELY - 1e-6 or (edge.in_test and edge.rule in _NAMED)

    def is_direct(self, edges: Iterable[Edge]) -> bool:
        """Return True if a way has at most one use outside of tests that runs under a condition, or behind a return."""
        return sum(map(self._is_conditional, edges)) <= 1

    def _runs_on_condition(self, edge: Edge) -> bool:
        places = [] if edge.in_test else self._places(edge)
        return len(places) == 1 and "always" not in places

    def _places(self, edge: Edge) -> list[Place]:
        return [self._place(site.path, site.line, edge.source) for site in edge.sites]

    def _runs_often(self, edge: Edge) -> bool:
        """Return True if a use is not only in one of several branches, and not only after errors."""
        places = self._places(edge)
        return not places or bool({"always", "condition"} & {*places}) or places.count("alternative") > 1

    def _is_called_there(self, edge: Edge) -> bool:
        """Return True if the source calls what it stores, or passes it to a function that does, on all of its runs."""
        graph, sites, source = self._side.graph, set(edge.sites), self._side.graph.vertex(edge.source)
        takers = [source]
        if edge.manner == "argument":
            rows = graph.incident(source, "out", ("CALLS",), CERTAIN)
            takers += [graph.edges.target[row] for row in rows if not sites.isdisjoint(graph.edge(row).sites)]
        calls = (graph.edge(row) for taker in takers for row in graph.incident(taker, "out", ("CALLS",)))
        found = [each for each in calls if each.target == edge.target and each.rule.startswith(_FLOWING)]
        return any(map(self._runs_often, found))

    def _needs_object(self, edge: Edge) -> bool:
        """Return True if each call may also run a member of that name in another class: the object decides."""
        target = self._side.catalog.symbol(edge.target)
        if edge.kind != "CALLS" or target.kind not in CALLABLE_KINDS or target.parent is None:
            return False
        if self._side.catalog.symbol(target.parent).kind not in TYPE_KINDS:
            return False
        members = self._members_called(edge.source)
        return all(len(members[site, target.name]) > 1 for site in edge.sites)

    def _classes_called(self, source: str) -> Mapping[tuple[Site, str], set[str]]:
        """Return the classes whose members a symbol may call, by place and name of the member."""
        found = defaultdict[tuple[Site, str], set[str]](set)
        graph = self._side.graph
        for row in graph.incident(graph.vertex(source), "out", ("CALLS",)):
            target = graph.symbol(graph.edges.target[row])
            if target.parent is not None:
                for site in graph.edge(row).sites:
                    found[site, target.name].add(target.parent)
        return found
