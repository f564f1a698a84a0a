"""Centre of a repository: its central types, and the calls that lead through most of its code.

On the central types most of the rest depends, and they use most of the rest. Three rankings of the product's types are
fused by reciprocal rank, as the lanes of a search are: by the number of symbols that use the type or its members, by
the number of symbols that these use, and by what the documents, tests and examples show (`tours.evidence`).

The main calls begin with a function that a manifest or the language starts, if users only start the repository.
Otherwise, the first step is a function that the examples of its first documents show, or else a public one that tests
use: the one that leads to most functions. Each further step is the one with the most functions that are reached only
through it: the largest subtree in the tree of dominators of the calls (Lengauer and Tarjan 1979) whose root an earlier
step calls. Helpers that many functions share lead to nothing of their own, so they are no steps.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from codeexplore.answers.wording import cut, one_line, plural
from codeexplore.features.context.map.material import MOST_NAMES, NAMED, Detail, Material, row, symbol_row
from codeexplore.graph.model import dominators
from codeexplore.graph.surveys import USING
from codeexplore.graph.traversal import is_constructor
from codeexplore.text.enumeration import shortened
from codeexplore.types import CALLABLE_KINDS, EDGE_KINDS, TYPE_KINDS, FileFacts, Symbol
from codeexplore.types.certainty import LIKELY
from codeexplore.types.rows import grouped
from codeexplore.types.settings import RESOLVED_CONFIDENCE, RRF_K

_MOST: Final = 3  # central types
_FIELD_CHARS: Final = 50
_SIGNATURE_CHARS: Final = 160
_MODIFIERS: Final = re.compile(r"^(?:(?:public|private|protected|static|final|readonly|volatile|declare)\s+)+")
_USING: Final = frozenset(map(EDGE_KINDS.index, USING))


class Centre:
    def __init__(self, material: Material) -> None:
        self._material = material

    @cached_property
    def types(self) -> Sequence[Symbol]:
        symbols = self._material.graph.catalog.symbols
        fused: dict[int, float] = defaultdict(float)
        for ranking in self._rankings():
            order = sorted(ranking, key=lambda vertex: (-ranking[vertex], vertex))
            for place, vertex in enumerate(order, 1):
                fused[vertex] += 1 / (RRF_K + place)
        return [symbols[v] for v in sorted(fused, key=lambda v: (-fused[v], v))[:_MOST]]

    def _rankings(self) -> Iterator[Mapping[int, float]]:
        material = self._material
        graph, owner = material.graph, material.owner
        wanted = {graph.vertex(s.id) for s in material.product_types if not is_error(material, s)}
        inward: dict[int, set[int]] = defaultdict(set)
        outward: dict[int, set[int]] = defaultdict(set)
        edges, symbols = graph.edges, graph.catalog.symbols
        for source, target, kind, sure in zip(edges.source, edges.target, edges.kind, edges.confidence, strict=True):
            a, b = owner[source], owner[target]
            if kind not in _USING or sure < LIKELY - 1e-6 or a == b:
                continue
            if b in wanted and symbols[a].path in material.product:
                inward[b].add(a)
            if a in wanted and symbols[b].path in material.product:
                outward[a].add(b)
        shown: dict[int, float] = defaultdict(float)
        for each, score in material.tour.scores.items():
            if (vertex := owner[graph.vertex(each)]) in wanted:
                shown[vertex] += score
        yield {vertex: len(users) for vertex, users in inward.items()}
        yield {vertex: len(used) for vertex, used in outward.items()}
        yield shown

    def rows(self, path: Sequence[Symbol]) -> list[Detail]:
        """Return rows for the central types. The methods of the main calls (`path`) are named first."""
        return [each for symbol in self.types for each in self._rows_of(symbol, path)]

    def _rows_of(self, symbol: Symbol, path: Sequence[Symbol]) -> Iterator[Detail]:
        signature = cut(one_line(symbol.signature or symbol.name), _SIGNATURE_CHARS)
        yield symbol_row(symbol, self._material.said(symbol), name=signature)
        for begin, every in (
            ("{} holds", self._fields(symbol)),
            ("{} is made by", self._creators(symbol)),
            ("methods of {} that matter", self._methods(symbol, path)),
        ):
            if every:
                yield row(*(f"{begin.format(symbol.name)}: {shortened(every, most)}" for most in (NAMED, MOST_NAMES)))

    def _fields(self, symbol: Symbol) -> list[str]:
        """Return the fields of a type as written, private ones too; those of a type of the repository come first."""
        members = self._material.members(symbol)
        declared = {s.name: s.signature or s.name for s in members if s.kind == "field"}
        for name, text in self._assigned(symbol, members):
            declared.setdefault(name, text)
        texts = [cut(one_line(_MODIFIERS.sub("", text).rstrip(" ;,=")), _FIELD_CHARS) for text in declared.values()]
        if symbol.language == "go":
            graph = self._material.graph
            embedded = graph.neighbours(graph.vertex(symbol.id), "out", ("EXTENDS",), LIKELY)
            texts = [graph.symbol(each).name for each in embedded] + texts
        names = {symbol.name for symbol in self._material.product_types}
        return sorted(texts, key=lambda text: names.isdisjoint(re.findall(r"\w+", text)))

    def _assigned(self, symbol: Symbol, members: Sequence[Symbol]) -> Iterator[tuple[str, str]]:
        """Yield (name, text) for the attributes that methods of a type assign to their instance (``self.x = …``)."""
        file = self._material.evidence.files.get(symbol.path)
        if file is None:
            return
        facts: FileFacts = file.facts
        inside = {s.id for s in members if s.kind in CALLABLE_KINDS}
        scopes = {n for n, s in enumerate(facts.symbols) if s.id in inside}
        parameters: dict[int, dict[str, str]] = defaultdict(dict)
        for each in facts.bindings:
            if each.scope in scopes and each.manner in ("parameter", "keyword"):
                parameters[each.scope][each.name] = each.type
        for each in facts.bindings:
            receiver, _, name = each.name.partition(".")
            if each.scope not in scopes or not name.isidentifier():
                continue
            if receiver == "this" or receiver == next(iter(parameters[each.scope]), ""):
                kind = each.type or parameters[each.scope].get(each.value, "")
                made = each.value if each.value.endswith(")") and "%" not in each.value else ""
                yield name, f"{name}: {kind}" if kind else f"{name} = {made}" if made else name

    def _creators(self, symbol: Symbol) -> list[str]:
        """Return the functions that create a type, those of the product first; the others are only counted."""
        material = self._material
        targets = [symbol, *(s for s in material.members(symbol) if self._constructs(s))]
        found = {
            user.id: user
            for target in targets
            for user, edge in material.sources_of(target, ("CALLS", "USES"))
            if self._creates(symbol, user, edge)
        }
        users = [material.graph.catalog.named_around(user) for user in found.values()]
        inside = sorted({u.id for u in users if u.path in material.product})
        rest = plural(len({u.id for u in users} - set(inside)), "function") + " of tests, examples and tools"
        named = [material.graph.catalog.symbol(each) for each in inside]
        named.sort(key=material.by_importance)
        shown = [
            f"{s.name} ({s.path}:{s.line})" if s.kind != "module" else f"{s.path} when it is loaded" for s in named
        ]
        return shown or ([rest] if users else [])

    def _constructs(self, symbol: Symbol) -> bool:
        return is_constructor(self._material.graph, self._material.graph.vertex(symbol.id))

    def _creates(self, symbol: Symbol, user: Symbol, edge: int) -> bool:
        """Return True if a use of a type, or a call of its constructor, creates a value of it.

        A constructor that calls another one, of a supertype or an overload, creates none. In Go, the lines of the sites
        decide: the graph has a conversion such as ``(*Engine)(nil)`` as a creation too, and an edge has only the first
        manner of its uses.
        """
        graph = self._material.graph
        if symbol.language == "go":
            name = re.escape(symbol.name)
            literal = re.compile(rf"\b{name}(?:\[[^\]]*\])?\{{|\bnew\({name}\b")
            return any(literal.search(self._material.text(s.path, s.line, s.line)) for s in graph.edge(edge).sites)
        calls = EDGE_KINDS[graph.edges.kind[edge]] == "CALLS"
        return graph.edges.manner(edge) == "new" or (calls and not self._constructs(user))

    def _methods(self, symbol: Symbol, path: Sequence[Symbol]) -> list[str]:
        material = self._material
        methods = [s for s in material.members(symbol) if s.kind in CALLABLE_KINDS and not self._constructs(s)]
        users = {s.id: material.users(s, "CALLS", "USES") for s in methods}
        on_path = {s.id for s in path}
        methods.sort(key=lambda s: (s.id not in on_path, -users[s.id], s.line))
        return [f"{s.name} ({s.path}:{s.line})" for s in methods if s.id in on_path or users[s.id]]


_ERROR_NAME: Final = re.compile(r"\w*(?:Error|Exception|Failure|Fault|Warning)s?\d*")
_ERROR_BASE: Final = re.compile(r"(?:.*[.:])?(?:\w*(?:Error|Exception)|Throwable|Warning)")


def is_error(material: Material, symbol: Symbol) -> bool:
    """Return True for a type of errors: by its name, its supertypes, or Go's method ``Error() string``."""
    if symbol.kind not in TYPE_KINDS:
        return False
    outside = material.evidence.supertypes.outside(symbol.id)
    if _ERROR_NAME.fullmatch(symbol.name) or any(map(_ERROR_BASE.fullmatch, outside)):
        return True
    if symbol.language == "go" and symbol.kind != "interface":
        return any(s.name == "Error" and s.signature.endswith("Error() string") for s in material.members(symbol))
    graph = material.graph
    above = graph.neighbours(graph.vertex(symbol.id), "out", ("EXTENDS",), LIKELY)
    return any(_ERROR_NAME.fullmatch(graph.symbol(each).name) for each in above)


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
                    sites = self._material.graph.edge(self._after[caller][vertex]).sites
                    at = sites[0] if sites else ("", 0)
                    steps.append(MainStep(self._material.graph.symbol(vertex), number[caller], *at))
                caller = vertex
            waiting += [(-sizes[each], each, caller) for each in below[child]]
        return steps[:_MOST_STEPS]

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
