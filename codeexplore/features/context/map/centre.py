"""Centre of a repository: the types on which most of the rest depends, and which use most of the rest.

Three rankings of the product's types are fused by reciprocal rank, as the lanes of a search are: by the number of
symbols that use the type or its members, by the number of symbols that these use, and by what the documents, tests and
examples show (`tours.evidence`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from codeexplore.answers.wording import cut, one_line, plural
from codeexplore.features.context.map.material import MOST_NAMES, NAMED, Detail, row, symbol_row
from codeexplore.graph.surveys import USING
from codeexplore.graph.traversal import is_constructor
from codeexplore.text.enumeration import shortened
from codeexplore.types import CALLABLE_KINDS, EDGE_KINDS, TYPE_KINDS
from codeexplore.types.certainty import LIKELY
from codeexplore.types.settings import RRF_K

if TYPE_CHECKING:
    from codeexplore.features.context.map.material import Material
    from codeexplore.types import FileFacts, Symbol

_MOST: Final = 3  # central types
_FIELD_CHARS: Final = 50
_SIGNATURE_CHARS: Final = 160
_MODIFIERS: Final = re.compile(r"^(?:(?:public|private|protected|static|final|readonly|volatile|declare)\s+)+")
_USING: Final = frozenset(map(EDGE_KINDS.index, USING))


class Centre:
    """Finds the central types, what they hold, who creates them and which methods matter."""

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
        users = {s.id: len({user.id for user, _ in material.sources_of(s, ("CALLS", "USES"))}) for s in methods}
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
