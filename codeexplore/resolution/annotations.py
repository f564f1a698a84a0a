"""Declared types: from the text of an annotation to the values that a name with this annotation may have.

An instance of a generic type carries its type arguments: the extra of its abstract value is `FIRST` plus the number of
its list of arguments. Two instances of one type with different arguments are therefore different values.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from codeexplore.resolution import solver as h
from codeexplore.resolution.containers import Containers
from codeexplore.resolution.path_steps import PathNode
from codeexplore.resolution.program import Program
from codeexplore.resolution.solver import UNKNOWN, Watcher
from codeexplore.resolution.type_syntax import TypeExpr, read_type
from codeexplore.resolution.values import CLASS, EXTERNAL, INST, OBJECT

_ROLE_OF_MARK = {"|": "union", "[]": "sequence", "{}": "map", "()": "tuple", "->": "callable"}
MAX_DEPTH = 8  # maximal depth of nested aliases and type arguments

FIRST: Final = 2
"""Smallest extra of an instance with type arguments. Extra 0 means exactly its type, 1 its type or a subtype."""

MAX_ARGUMENTS: Final = 20_000
"""Maximal number of distinct lists of type arguments."""

Nodes = Mapping[str, int]
_NONE: Nodes = MappingProxyType({})


class Annotations:
    """Constraint variables of declared types. Equal texts in equal scopes share one constraint variable."""

    def __init__(self, program: Program, containers: Containers, path: PathNode) -> None:
        self.program, self.rules = program, program.rules
        self.solver, self.entities = program.solver, program.entities
        self.containers, self.path = containers, path
        self._nodes: dict[tuple[int, str], int] = {}
        self._arguments: list[tuple[int, ...]] = []  # nodes of each list of type arguments
        self._extras: dict[tuple[int, TypeExpr], int] = {}  # (scope, type with arguments) → extra of its instances

    def node(self, scope: int, text: str, line: int) -> int:
        """Return the constraint variable with the values of a declared type, most often an instance of a class."""
        if not text:
            return UNKNOWN
        key = (scope, text)
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = self.solver.node()
            self.apply(scope, read_type(text), node, line)
        return node

    def type_path(self, scope: int, text: str, line: int) -> int:
        """Return the variable of a type's name; with `ScopeRules.types_apart` only types can hide it."""
        root, program = text.partition(".")[0], self.program
        if self.rules.scopes.types_apart and root not in self.rules.classes.own_type_names:
            while program.parent[scope] >= 0 and program.symbols[scope].kind != "module":
                node = program.bound(scope, root)
                if node >= 0 and (node in program.type_names or program.defines_type(node)):
                    break
                scope = program.parent[scope]
        return self.path(scope, text, line)

    # ----------------------------------------------------------------- type arguments

    def arguments(self, extra: int) -> tuple[int, ...]:
        """Return the constraint variables of the type arguments of an instance with this extra."""
        return self._arguments[extra - FIRST] if extra >= FIRST else ()

    def instantiated(self, scope: int, expr: TypeExpr, line: int) -> int:
        """Return the extra for instances of the type `expr` with its type arguments; see the module."""
        if not expr.args or len(self._arguments) >= MAX_ARGUMENTS:
            return 1
        key = (scope, expr)
        known = self._extras.get(key)
        if known is None:
            known = self._extras[key] = FIRST + len(self._arguments)
            self._arguments.append(())
            self._arguments[known - FIRST] = tuple(self.evaluated(scope, part, line) for part in expr.args)
        return known

    def evaluated(self, scope: int, expr: TypeExpr, line: int, named: Nodes = _NONE) -> int:
        """Return a new constraint variable with the values of the type `expr`. `named` is explained in `apply`."""
        node = self.solver.node()
        self.apply(scope, expr, node, line, named=named)
        return node

    # ----------------------------------------------------------------- values of a type

    def alias(self, scope: int, text: str, target: int, line: int) -> None:
        """Let the classes that the type `text` names flow to `target`, the constraint variable of a type alias."""
        held = self.node(scope, text, line)
        self.solver.on_value(held, (self.on_alias, target))

    def on_alias(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a value of a type that has an alias: add the class of the instance to the values of the alias."""
        _, target = watcher
        if self.entities.kind[entity] == INST:
            entity = self.entities.get(CLASS, self.entities.payload[entity])
        self.solver.add(target, entity, evidence)

    def role(self, expr: TypeExpr) -> str:
        """Return the role of a type's arguments, such as "sequence" or "map"; "" for a plain class. See `TypeRole`."""
        if expr.name in _ROLE_OF_MARK:
            return _ROLE_OF_MARK[expr.name]
        return self.rules.builtins.types.get(last_part(expr.name), "")

    def apply(self, scope: int, expr: TypeExpr, target: int, line: int, depth: int = 0, named: Nodes = _NONE) -> None:
        """Let the values of the type `expr` flow to the constraint variable `target`.

        `named` maps names, such as those of type parameters, to constraint variables. These replace the usual meaning
        of the names. `depth` counts the types around `expr`.
        """
        if not expr.name or depth > MAX_DEPTH:
            return
        if expr.name in named:
            self.solver.add_flow(named[expr.name], target)
            return
        role = self.role(expr)
        if self._is_plain(scope, expr, role, line):
            self._plain(scope, expr, target, line, depth, named)
        elif role == "same":
            self.apply(scope, expr.args[0], target, line, depth + 1, named)
        elif role == "union":
            for part in expr.args:
                self.apply(scope, part, target, line, depth + 1, named)
        elif role == "self":
            cls = self.program.class_around(scope)
            if cls >= 0:
                self.solver.add(target, self.entities.get(INST, cls, 1), h.TYPE)
        elif role == "class":
            self._class_itself(scope, expr.args[0], target, line, named)
        elif role != "nothing":
            self._container(scope, expr, role, target, line, depth, named)

    def _class_itself(self, scope: int, expr: TypeExpr, target: int, line: int, named: Nodes) -> None:
        """Let the class `expr` itself, not an instance of it, flow to `target`: ``type[Foo]``."""
        for part in _alternatives(expr):
            if part.name in named:
                self.solver.on_value(named[part.name], (self.on_alias, target))
            else:
                node = self.path(scope, part.name.replace("::", "."), line)
                self.solver.on_value(node, (self.on_class, target))

    def _is_plain(self, scope: int, expr: TypeExpr, role: str, line: int) -> bool:
        """Return True if the type `expr` means instances of a class, and not a container, a union or a similar type.

        A class of the repository with the name of a known container is such a plain class too.
        """
        if not role or (not expr.args and role not in ("nothing", "self")):
            return True
        if role not in ("sequence", "map", "same") or expr.name in _ROLE_OF_MARK:
            return False
        node = self.type_path(scope, expr.name.replace("::", "."), line)
        return any(self.entities.kind[entity] == CLASS for entity in self.solver.points_to(node))

    def _plain(self, scope: int, expr: TypeExpr, target: int, line: int, depth: int, named: Nodes) -> None:
        node = self.type_path(scope, expr.name.replace("::", "."), line)
        if node == UNKNOWN:
            return
        extra = 1 if named else self.instantiated(scope, expr, line)
        self.solver.on_value(node, (self.on_type, target, extra))
        if expr.args:
            element = self.solver.node()
            self.apply(scope, expr.args[-1], element, line, depth + 1, named)
            self.solver.on_value(node, (self.on_generic, target, element))

    def _container(
        self, scope: int, expr: TypeExpr, role: str, target: int, line: int, depth: int, named: Nodes
    ) -> None:
        containers = self.containers
        flavour = {"sequence": "list", "map": "dict", "tuple": "tuple"}.get(role, "callable")
        obj = containers.new(flavour)
        if role == "tuple" and len(expr.args) > 1:
            for place, part in enumerate(expr.args):
                self.apply(scope, part, containers.field(obj, str(place)), line, depth + 1, named)
        elif flavour == "callable":
            taken = expr.args[:-1] if role == "callable" else expr.args * 2 if role == "operator" else expr.args
            for place, part in enumerate(taken):
                self.apply(scope, part, containers.field(obj, f"%{place}"), line, depth + 1, named)
            if role != "consumer":
                self.apply(scope, expr.args[-1], containers.field(obj, "()"), line, depth + 1, named)
        else:
            part = expr.args[-1] if role == "map" else expr.args[0]
            self.apply(scope, part, containers.field(obj, "[]"), line, depth + 1, named)
            if role == "map" and len(expr.args) > 1:
                self.apply(scope, expr.args[0], containers.field(obj, "%keys"), line, depth + 1, named)
        self.solver.add(target, self.entities.get(OBJECT, obj), h.TYPE)

    def on_type(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a value of a type's name: add an instance of the class to the values of the declared type."""
        _, target, extra = watcher
        kind = self.entities.kind[entity]
        if kind == CLASS:
            if self.program.is_object(self.entities.payload[entity]):
                return  # the type of the same name is meant, not the object
            instance = self.entities.get(INST, self.entities.payload[entity], extra)
            self.solver.add(target, instance, max(evidence, h.TYPE))
        elif kind == OBJECT or (
            kind == EXTERNAL and not self._opaque(entity)
        ):  # an outside class and its instances are one value
            self.solver.add(target, entity, max(evidence, h.TYPE))

    def _opaque(self, entity: int) -> bool:
        return self.rules.builtins.types.get(self.entities.external_name(entity).rpartition(".")[2]) == "nothing"

    def on_class(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a value of a type's name: add the class itself to the values of ``type[Foo]``."""
        _, target = watcher
        kind = self.entities.kind[entity]
        if kind == CLASS:
            cls = self.entities.get(CLASS, self.entities.payload[entity], 1)
            self.solver.add(target, cls, max(evidence, h.TYPE))
        elif kind == EXTERNAL:
            self.solver.add(target, entity, max(evidence, h.TYPE))

    def on_generic(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a value of a type's name: for a generic outside type, add a container of its type argument."""
        _, target, argument = watcher
        if self.entities.kind[entity] == EXTERNAL:
            containers = self.containers
            obj = containers.new("list")
            self.solver.add_flow(argument, containers.field(obj, "[]"))
            self.solver.add(target, self.entities.get(OBJECT, obj), max(evidence, h.TYPE))


def last_part(name: str) -> str:
    """Return the last part of a dotted or ``::``-separated name."""
    return name.rpartition("::")[2].rpartition(".")[2]


def _alternatives(expr: TypeExpr) -> tuple[TypeExpr, ...]:
    return expr.args if expr.name == "|" else (expr,)
