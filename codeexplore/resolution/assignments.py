"""Values of bindings: the declared type and the assigned value of a binding flow to its constraint variable.

A *binding* is a row of facts that gives a type or a value to a name or to a path, such as ``self.items``. Its `manner`
is the kind of binding, such as "parameter" or "element" (the variable of a loop).
"""

from __future__ import annotations

from collections.abc import Sequence

from codeexplore.resolution import solver as h
from codeexplore.resolution.evaluator import Evaluator
from codeexplore.resolution.program import UNDERLYING
from codeexplore.resolution.solver import UNKNOWN
from codeexplore.resolution.stores import Stores
from codeexplore.resolution.values import CLASS, INST, OBJECT
from codeexplore.types import Binding


class BindingValues:
    """Lets declared types and assigned values flow into the constraint variables of bindings.

    `stores` handles bindings of paths, such as ``self.items[key] = value``.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator, self.program, self.rules = evaluator, evaluator.program, evaluator.rules
        self.solver, self.entities = evaluator.solver, evaluator.entities
        self.annotations, self.generics = evaluator.annotations, evaluator.generics
        self.containers, self.elements = evaluator.containers, evaluator.elements
        self.expected, self.argument_flow = evaluator.expected, evaluator.argument_flow
        self.steps = evaluator.steps
        program, hierarchy, known = evaluator.program, evaluator.hierarchy, evaluator.known
        path, given, links = evaluator.path, evaluator.given, (self.declare, self.assign)
        self.stores = Stores(program, hierarchy, known, self.containers, self.generics, self.steps, path, given, *links)

    def link(self, file: int, written: Sequence[int]) -> None:
        """Let the declared type and the assigned value of each binding of a file flow to its constraint variable.

        `written` has the constraint variable of each binding, in order; -1 for a binding of a path.
        """
        program, first = self.program, self.program.first[file]
        self.evaluator.forget_paths()
        fresh = self._only_fresh(file)
        for row, node in zip(program.bindings[file], written, strict=True):
            scope = first + row.scope
            if row.manner == "pattern" and row.sure:
                self.evaluator.note_test(scope, row)
                continue
            if node < 0:
                self.stores.store(scope, row)
                continue
            collecting = row.manner in ("rest", "keywords")
            held = self._collect(node, row.manner) if collecting else node
            if row.type and not ((scope, row.name) in fresh and self._is_fresh(scope, row)):
                self.declare(scope, row, held if self.rules.functions.rest_by_one else node)
            if row.value and not collecting:
                outer = program.parent[scope] if row.manner in ("parameter", "keyword") else scope
                source = self.evaluator.given(max(outer, first), row)
                if row.type and row.manner == "variable" and program.is_callable(scope):
                    source = self._of_declared(scope, row, source)
                self.assign(row, source, node)

    def _only_fresh(self, file: int) -> set[tuple[int, str]]:
        """Return the local variables with a declared type to which only results of plain calls are assigned.

        Each is a pair of its scope and its name.
        """
        first, rows = self.program.first[file], self.program.bindings[file]
        called, otherwise = set(), set()
        for scope, name, manner, declared, value in rows.fields("scope", "name", "manner", "type", "value"):
            if manner != "variable" or value[-2:] != "()":
                otherwise.add((scope, name))
            elif declared:
                called.add((scope, name))
        found = called - otherwise
        return {(first + scope, name) for scope, name in found if self.program.is_callable(first + scope)}

    def _is_fresh(self, scope: int, row: Binding) -> bool:
        """Return True if a binding assigns a new instance of a known class.

        This class is more exact than the declared type.
        """
        made = self.solver.points_to(self.evaluator.path(scope, row.value[:-2], row.line))
        return bool(made) and all(self.entities.kind[entity] == CLASS for entity in made or ())

    def _of_declared(self, scope: int, row: Binding, source: int) -> int:
        """Return a constraint variable with those values of `source` that the declared type of a local variable admits.

        It is `source` itself if the type does not tell which values it admits.
        """
        held = self.solver.points_to(self.annotations.node(scope, row.type, row.line))
        if source == UNKNOWN or not held or any(self.entities.kind[entity] != INST for entity in held):
            return source
        wanted = frozenset(self.entities.payload[entity] for entity in held)
        if self.rules.builtins.open_objects and any(self.program.symbols[cls].kind != "class" for cls in wanted):
            return source  # values may fit these types by structure
        node = self.solver.node()
        self.solver.on_value(source, (self.argument_flow.on_admitted, node, wanted))
        return node

    def declare(self, scope: int, row: Binding, node: int) -> None:
        """Let the declared type of the binding `row` flow to the constraint variable `node`."""
        if row.manner == "field" or (row.manner == "variable" and self.program.is_class(scope)):
            self.generics.note_field(node, self.program.class_around(scope), scope, row.type)
        if row.name == UNDERLYING:
            self.solver.add_flow(self.annotations.node(scope, row.type, row.line), node, h.TYPE)
        elif row.manner == "type":
            self.annotations.alias(scope, row.type, node, row.line)
        elif row.manner == "exception":
            self.solver.add_flow(self.annotations.node(scope, row.type.replace(",", "|"), row.line), node)
        else:
            declared = self.annotations.node(scope, row.type, row.line)
            self.solver.add_flow(declared, node, h.TYPE)
            self.expected.expect(declared, node)

    def assign(self, row: Binding, source: int, node: int) -> None:
        """Let the assigned value of the binding `row`, which is in `source`, flow to the constraint variable `node`."""
        if source == UNKNOWN:
            return
        if row.manner == "element":
            self.solver.add_flow(self.steps.follow(source, ("[*]",), 0, row.line), node)
        elif row.manner == "context":
            self.solver.on_value(source, (self.elements.on_enter, node))
        else:
            self.solver.add_flow(source, node)

    def _collect(self, node: int, manner: str) -> int:
        """Add a tuple to the values of ``*args``, or a dict to those of ``**kwargs``.

        Return the constraint variable of its elements.
        """
        obj = self.containers.new("tuple" if manner == "rest" else "dict")
        self.solver.add(node, self.entities.get(OBJECT, obj), h.TYPE)
        return self.containers.field(obj, "[]")
