"""Declared types: from the text of an annotation to what the annotated name may hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeexplore.languages.resolution import heap as h
from codeexplore.languages.resolution.entities import CLASS, EXT, INST, OBJ
from codeexplore.languages.resolution.heap import DEAD, Watcher
from codeexplore.languages.resolution.typetext import TypeExpr, read_type

if TYPE_CHECKING:
    from codeexplore.languages.resolution.flow import Flow

_ROLE_OF_MARK = {"|": "union", "[]": "sequence", "{}": "map", "()": "tuple", "->": "callable"}
MAX_DEPTH = 8


class Annotations:
    """Types as nodes; equal texts in equal scopes share one."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.heap = flow.heap
        self.entities = flow.entities
        self.rules = flow.rules
        self._nodes: dict[tuple[int, str], int] = {}

    def node(self, scope: int, text: str, line: int) -> int:
        """The node of a value of the declared type."""
        if not text:
            return DEAD
        key = (scope, text)
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = self.heap.node()
            self.apply(scope, read_type(text), node, line)
        return node

    def alias(self, scope: int, text: str, target: int, line: int) -> None:
        """Make a name stand for a type: it holds classes where a value would hold their instances."""
        held = self.node(scope, text, line)
        self.heap.watch(held, (self.on_alias, target))

    def on_alias(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Watcher (handler, target)."""
        if self.entities.kind[entity] == INST:
            entity = self.entities.get(CLASS, self.entities.payload[entity])
        self.heap.add(watcher[1], entity, evidence)

    def role(self, expr: TypeExpr) -> str:
        """What a type does with its arguments, "" for a plain class."""
        if expr.name in _ROLE_OF_MARK:
            return _ROLE_OF_MARK[expr.name]
        return self.rules.types.get(last_part(expr.name), "")

    def apply(self, scope: int, expr: TypeExpr, target: int, line: int, depth: int = 0) -> None:
        """Let values of a type flow to `target`."""
        if not expr.name or depth > MAX_DEPTH:
            return
        role = self.role(expr)
        if not role or (not expr.args and role not in ("nothing", "self")):
            self._plain(scope, expr, target, line, depth)
        elif role == "same":
            self.apply(scope, expr.args[0], target, line, depth + 1)
        elif role == "union":
            for part in expr.args:
                self.apply(scope, part, target, line, depth + 1)
        elif role == "self":
            cls = self.flow.program.class_around(scope)
            if cls >= 0:
                self.heap.add(target, self.entities.get(INST, cls, 1), h.TYPE)
        elif role == "class":
            for part in _alternatives(expr.args[0]):
                node = self.flow.path(scope, part.name.replace("::", "."), line)
                self.heap.watch(node, (self.on_class, target))
        elif role != "nothing":
            self._container(scope, expr, role, target, line, depth)

    def _plain(self, scope: int, expr: TypeExpr, target: int, line: int, depth: int) -> None:
        node = self.flow.path(scope, expr.name.replace("::", "."), line)
        if node == DEAD:
            return
        self.heap.watch(node, (self.on_type, target))
        if expr.args:
            element = self.heap.node()
            self.apply(scope, expr.args[-1], element, line, depth + 1)
            self.heap.watch(node, (self.on_generic, target, element))

    def _container(self, scope: int, expr: TypeExpr, role: str, target: int, line: int, depth: int) -> None:
        containers = self.flow.containers
        flavour = {"sequence": "list", "map": "dict", "tuple": "tuple", "callable": "callable"}[role]
        obj = containers.new(flavour)
        if role == "tuple" and len(expr.args) > 1:
            for place, part in enumerate(expr.args):
                self.apply(scope, part, containers.field(obj, str(place)), line, depth + 1)
        elif role == "callable":
            self.apply(scope, expr.args[-1], containers.field(obj, "()"), line, depth + 1)
        else:
            part = expr.args[-1] if role == "map" else expr.args[0]
            self.apply(scope, part, containers.field(obj, "[]"), line, depth + 1)
            if role == "map" and len(expr.args) > 1:
                self.apply(scope, expr.args[0], containers.field(obj, "%keys"), line, depth + 1)
        self.heap.add(target, self.entities.get(OBJ, obj), h.TYPE)

    def on_type(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """The name of a type was resolved. Watcher (handler, target)."""
        kind = self.entities.kind[entity]
        if kind == CLASS:
            instance = self.entities.get(INST, self.entities.payload[entity], 1)
            self.heap.add(watcher[1], instance, max(evidence, h.TYPE))
        elif kind == OBJ or (kind == EXT and not self._opaque(entity)):  # an outside instance goes by its class's name
            self.heap.add(watcher[1], entity, max(evidence, h.TYPE))

    def _opaque(self, entity: int) -> bool:
        return self.rules.types.get(self.entities.external_name(entity).rpartition(".")[2]) == "nothing"

    def on_class(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """A class itself is meant. Watcher (handler, target)."""
        kind = self.entities.kind[entity]
        if kind == CLASS:
            cls = self.entities.get(CLASS, self.entities.payload[entity], 1)
            self.heap.add(watcher[1], cls, max(evidence, h.TYPE))
        elif kind == EXT:
            self.heap.add(watcher[1], entity, max(evidence, h.TYPE))

    def on_generic(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """An outside generic type holds what its last argument says. Watcher (handler, target, element)."""
        if self.entities.kind[entity] == EXT:
            containers = self.flow.containers
            obj = containers.new("list")
            self.heap.copy(watcher[2], containers.field(obj, "[]"))
            self.heap.add(watcher[1], self.entities.get(OBJ, obj), max(evidence, h.TYPE))


def last_part(name: str) -> str:
    """The last part of a dotted or ``::``-separated name."""
    return name.rpartition("::")[2].rpartition(".")[2]


def _alternatives(expr: TypeExpr) -> tuple[TypeExpr, ...]:
    return expr.args if expr.name == "|" else (expr,)
