"""What bindings hold: the type they are declared as, the value they are assigned, the arguments they collect."""

from __future__ import annotations

from collections.abc import Sequence

from codeexplore.languages.resolution import heap as h
from codeexplore.languages.resolution.entities import CLASS, INST, OBJ
from codeexplore.languages.resolution.flow import Flow
from codeexplore.languages.resolution.heap import DEAD
from codeexplore.languages.resolution.program import UNDERLYING
from codeexplore.languages.resolution.stores import Stores
from codeexplore.types import Binding


class BindingValues:
    """Lets types and values flow into the nodes of bindings; `stores` takes those that bind no plain name."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.program = flow.program
        self.heap = flow.heap
        self.entities = flow.entities
        self.rules = flow.rules
        self.stores = Stores(flow, self.declare, self.assign)

    def link(self, file: int, written: Sequence[int]) -> None:
        """Give every binding of a file, whose nodes are `written`, what it is declared as and assigned."""
        program, first = self.program, self.program.first[file]
        self.flow.forget_paths()
        fresh = self._only_fresh(file)
        for row, node in zip(program.bindings[file], written, strict=True):
            scope = first + row.scope
            if row.manner == "pattern" and row.sure:
                self.flow.narrowing.note(scope, row)
                continue
            if node < 0:
                self.stores.store(scope, row)
                continue
            collecting = row.manner in ("rest", "keywords")
            held = self._collect(node, row.manner) if collecting else node
            if row.type and not ((scope, row.name) in fresh and self._is_fresh(scope, row)):
                self.declare(scope, row, held if self.rules.rest_by_one else node)
            if row.value and not collecting:
                outer = program.parent[scope] if row.manner in ("parameter", "keyword") else scope
                source = self.flow.given(max(outer, first), row)
                if row.type and row.manner == "variable" and program.is_callable(scope):
                    source = self._of_declared(scope, row, source)
                self.assign(row, source, node)

    def _only_fresh(self, file: int) -> set[tuple[int, str]]:
        """Declared local variables of a file that are given nothing but what a plain call gives, by scope."""
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
        """Whether a local variable is given a new instance of a known class: what it is declared as says less."""
        made = self.heap.held(self.flow.path(scope, row.value[:-2], row.line))
        return bool(made) and all(self.entities.kind[entity] == CLASS for entity in made or ())

    def _of_declared(self, scope: int, row: Binding, source: int) -> int:
        """What a local variable takes of a value: a cast lets only instances of the declared type through."""
        held = self.heap.held(self.flow.annotations.node(scope, row.type, row.line))
        if source == DEAD or not held or any(self.entities.kind[entity] != INST for entity in held):
            return source
        wanted = frozenset(self.entities.payload[entity] for entity in held)
        if self.rules.open_objects and any(self.program.symbols[cls].kind != "class" for cls in wanted):
            return source  # types that fit by structure
        node = self.heap.node()
        self.heap.watch(source, (self.flow.argument_flow.on_admitted, node, wanted))
        return node

    def declare(self, scope: int, row: Binding, node: int) -> None:
        """Let what a binding is declared as flow to a node."""
        if row.manner == "field" or (row.manner == "variable" and self.program.is_class(scope)):
            self.flow.generics.note_field(node, self.program.class_around(scope), scope, row.type)
        if row.name == UNDERLYING:
            self.heap.copy(self.flow.annotations.node(scope, row.type, row.line), node, h.TYPE)
        elif row.manner == "type":
            self.flow.annotations.alias(scope, row.type, node, row.line)
        elif row.manner == "exception":
            self.heap.copy(self.flow.annotations.node(scope, row.type.replace(",", "|"), row.line), node)
        else:
            declared = self.flow.annotations.node(scope, row.type, row.line)
            self.heap.copy(declared, node, h.TYPE)
            self.flow.context.expect(declared, node)

    def assign(self, row: Binding, source: int, node: int) -> None:
        """Let what a binding takes of a value flow to a node."""
        if source == DEAD:
            return
        if row.manner == "element":
            self.heap.copy(self.flow.follow(source, ("[*]",), 0, row.line), node)
        elif row.manner == "context":
            self.heap.watch(source, (self.flow.containers.on_enter, node))
        else:
            self.heap.copy(source, node)

    def _collect(self, node: int, manner: str) -> int:
        """``*args`` holds a tuple of what is passed, ``**kwargs`` a dict; the node of what these hold."""
        obj = self.flow.containers.new("tuple" if manner == "rest" else "dict")
        self.heap.add(node, self.entities.get(OBJ, obj), h.TYPE)
        return self.flow.containers.field(obj, "[]")
