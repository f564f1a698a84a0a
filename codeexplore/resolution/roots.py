"""Roots of access paths: names, literals, anonymous functions, and types that are written as values."""

from __future__ import annotations

from codeexplore.resolution.annotations import Annotations
from codeexplore.resolution.containers import Containers
from codeexplore.resolution.known_nodes import KnownNodes
from codeexplore.resolution.program import Program
from codeexplore.resolution.scopes import Scopes
from codeexplore.resolution.solver import UNKNOWN
from codeexplore.resolution.type_tests import TypeTests
from codeexplore.resolution.values import CLASS, FUNC

NAMES_WITHOUT = ("%import:", "%or:")
"""Prefixes of generated names for values that have no name in the source."""

_CONTAINERS = frozenset({"%list", "%dict", "%set", "%tuple", "%object"})


class Roots:
    """Constraint variables of names and literals, as code in a scope sees them on its line.

    `names` caches the last versions of names, by scope and name.
    """

    def __init__(
        self,
        program: Program,
        known: KnownNodes,
        scopes: Scopes,
        tests: TypeTests,
        containers: Containers,
        annotations: Annotations,
    ) -> None:
        self.program, self.entities = program, program.entities
        self.known, self.scopes, self.tests = known, scopes, tests
        self.containers, self.annotations = containers, annotations
        self.names: dict[int, dict[str, int]] = {}  # scope → name → its node

    def root(self, scope: int, name: str, line: int) -> int:
        """Return the constraint variable of a name seen from a scope on a line."""
        if name[:1] == "%" and not name.startswith(NAMES_WITHOUT):
            return self._literal(scope, name)
        names = self.names.get(scope)
        known = names.get(name) if names is not None else None
        node = self.unversioned(scope, name) if known is None else known
        if node in self.tests.of_node:
            return self.tests.narrowed(node, self._in_force(node, scope, name, line), scope, line)
        if node in self.program.versions or node in self.program.since:
            return self._in_force(node, scope, name, line)
        return node

    def unversioned(self, scope: int, name: str) -> int:
        """Return the constraint variable of the last version of a name, whatever the line of the reader."""
        node = self.scopes.name(scope, name)
        self.names.setdefault(scope, {})[name] = node
        return node

    def varies(self, scope: int, name: str) -> bool:
        """Return True if a name may have different constraint variables on different lines of a scope."""
        names = self.names.get(scope)
        node = names.get(name, UNKNOWN) if names is not None else UNKNOWN
        return node in self.tests.of_node or node in self.program.versions or node in self.program.since

    def _in_force(self, node: int, scope: int, name: str, line: int) -> int:
        """Return the constraint variable of the version of a name that code on a line sees.

        `node` is the constraint variable of the name's last version.
        """
        if node in self.program.versions and self.program.bound(scope, name) == node:
            return self.program.at_line(node, line)
        if node in self.program.since and line <= self.program.since[node] and self.program.bound(scope, name) == node:
            around = self.root(self.program.parent[scope], name, line)
            return self.known.either(around, node) if line == self.program.since[node] or around == UNKNOWN else around
        return node

    def _literal(self, scope: int, name: str) -> int:
        """Return the constraint variable of a literal, an anonymous function or a type written as a value."""
        kind, _, place = name.partition(":")
        file = self.program.file_of[scope]
        if kind in ("%fn", "%class"):
            symbol = self.program.anonymous.get((file, name[1:]), -1)
            if symbol < 0:
                return UNKNOWN
            return self.known.value(self.entities.get(CLASS if self.program.is_class(symbol) else FUNC, symbol))
        if kind in _CONTAINERS and place:
            return self.containers.literal(file, name, kind[1:])
        if kind.startswith("%type("):
            return self.annotations.node(scope, name[6:-1], 0)
        outside = self.program.rules.builtins.literals.get(kind)
        return self.known.external(outside) if outside else UNKNOWN
