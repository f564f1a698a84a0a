"""What an access path begins with: a name seen from a scope on a line, a literal, or a thing that is known as such.

Things known as such are modules, classes, functions without a name and what lies outside; one node holds each of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeexplore.languages.resolution import heap as h
from codeexplore.languages.resolution.entities import CLASS, FUNC, UNIT
from codeexplore.languages.resolution.heap import DEAD

if TYPE_CHECKING:
    from codeexplore.languages.resolution.flow import Flow

NAMES_WITHOUT = ("%import:", "%or:")
"""How the names of values begin that the source gives none."""

_CONTAINERS = frozenset({"%list", "%dict", "%set", "%tuple", "%object"})


class Roots:
    """The nodes of names, literals and constants."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.program = flow.program
        self.heap = flow.heap
        self.entities = flow.entities
        self.rules = flow.rules
        self.lookup = flow.lookup
        self.narrowing = flow.narrowing
        self.known: dict[int, dict[str, int]] = {}  # scope → name → its node
        self.special: dict[tuple[str, int], int] = {}  # things known as such, by kind and number → node
        self._constants: dict[str, int] = {}
        self._eithers: dict[tuple[int, int], int] = {}

    # ----------------------------------------------------------------- names

    def root(self, scope: int, name: str, line: int) -> int:
        """The node of a name seen from a scope, on a line."""
        if name[:1] == "%" and not name.startswith(NAMES_WITHOUT):
            return self._literal(scope, name)
        names = self.known.get(scope)
        known = names.get(name) if names is not None else None
        node = self.unversioned(scope, name) if known is None else known
        if node in self.narrowing.tests:
            return self.narrowing.at(node, self._in_force(node, scope, name, line), scope, line)
        if node in self.program.versions or node in self.program.since:
            return self._in_force(node, scope, name, line)
        return node

    def unversioned(self, scope: int, name: str) -> int:
        """The node of a name seen from a scope, whatever the line; that of its last version when it has several."""
        node = self.lookup.name(scope, name)
        self.known.setdefault(scope, {})[name] = node
        return node

    def _in_force(self, node: int, scope: int, name: str, line: int) -> int:
        """The version of a name that a reader on a line sees."""
        if node in self.program.versions and self.program.bound(scope, name) == node:
            return self.program.at_line(node, line)
        if node in self.program.since and line <= self.program.since[node] and self.program.bound(scope, name) == node:
            around = self.root(self.program.parent[scope], name, line)
            return self.either(around, node) if line == self.program.since[node] or around == DEAD else around
        return node

    def type_path(self, scope: int, text: str, line: int) -> int:
        """The node of a type's name: variables and fields of the same name do not hide it where rules say so."""
        root = text.partition(".")[0]
        if self.rules.types_apart and root not in self.rules.own_type_names:
            program = self.program
            while program.parent[scope] >= 0 and program.symbols[scope].kind != "module":
                node = program.bound(scope, root)
                if node >= 0 and (node in program.type_names or program.defines_type(node)):
                    break
                scope = program.parent[scope]
        return self.flow.path(scope, text, line)

    # ----------------------------------------------------------------- things known as such

    def constant(self, name: str) -> int:
        """The node of a name outside the repository."""
        node = self._constants.get(name)
        if node is None:
            node = self._constants[name] = self.heap.fixed(self.entities.external(name), h.SCOPE)
        return node

    def unit_node(self, unit: int) -> int:
        """The node that holds a module itself."""
        node = self.special.get(("unit", unit))
        if node is None:
            node = self.special["unit", unit] = self.heap.fixed(self.entities.get(UNIT, unit), h.SCOPE)
        return node

    def _literal(self, scope: int, name: str) -> int:
        """The node of a literal, an anonymous function or a type written as a value."""
        kind, _, place = name.partition(":")
        file = self.program.file_of[scope]
        if kind in ("%fn", "%class"):
            symbol = self.program.anonymous.get((file, name[1:]), -1)
            if symbol < 0:
                return DEAD
            what = CLASS if self.program.is_class(symbol) else FUNC
            return self.held_as(("fn", symbol), self.entities.get(what, symbol))
        if kind in _CONTAINERS:
            if not place:
                return self.flow.containers.bare(kind[1:])
            return self.flow.containers.literal(file, name, kind[1:])
        if kind.startswith("%type("):
            return self.flow.annotations.node(scope, name[6:-1], 0)
        outside = self.rules.literals.get(kind)
        return self.constant(outside) if outside else DEAD

    def held(self, entity: int) -> int:
        """A node that holds one value."""
        return self.held_as(("entity", entity), entity)

    def held_as(self, key: tuple[str, int], entity: int) -> int:
        """The node of one value, by a key of its own."""
        node = self.special.get(key)
        if node is None:
            node = self.special[key] = self.heap.fixed(entity, h.SCOPE)
        return node

    def own(self, cls: int) -> int:
        """The node that holds a type itself."""
        cls = self.program.whole.get(cls, cls)
        return self.held_as(("class", cls), self.entities.get(CLASS, cls))

    def either(self, one: int, other: int) -> int:
        """A node of what either of two holds."""
        if DEAD in (one, other) or one == other:
            return max(one, other)
        node = self._eithers.get((one, other), -1)
        if node < 0:
            node = self._eithers[one, other] = self.heap.node()
            self.heap.copy(one, node)
            self.heap.copy(other, node)
        return node
