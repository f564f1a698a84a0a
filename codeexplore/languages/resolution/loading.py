"""Facts become nodes, copies and watchers, in the order in which they depend on each other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from codeexplore.languages.resolution import heap as h
from codeexplore.languages.resolution.arguments import Arguments
from codeexplore.languages.resolution.bindings import Bindings
from codeexplore.languages.resolution.decorations import Decorations
from codeexplore.languages.resolution.entities import CLASS, EXT, INST, OBJ
from codeexplore.languages.resolution.flow import Flow
from codeexplore.languages.resolution.heap import DEAD
from codeexplore.languages.resolution.naming import Naming
from codeexplore.languages.resolution.program import UNDERLYING, Parameter, Program
from codeexplore.languages.resolution.stores import Stores
from codeexplore.languages.resolution.structure import Structure
from codeexplore.languages.resolution.typetext import read_type
from codeexplore.types import Binding, FileFacts

_CALLS = frozenset({"call", "new"})
_OPEN_RESULT = re.compile(r"\b(?:impl|dyn)\b")
EVENTS_PER_NODE = 60
"""Values that may move for each node: several times what ordinary programs need."""


class Asked(NamedTuple):
    """A built-in function called with a value: ``len(value)`` calls the value's own method, the first that exists."""

    scope: int
    methods: tuple[str, ...]
    value: int  # node
    function: int  # node of the built-in function, which something else may stand for
    line: int


class Loader:
    """Loads all files of a program and lets their values flow.

    After `load`, `written` holds the node of every binding and `used` that of every reference, by file and row;
    for an implicit reference `used` holds the node of the value whose special method is called. `given` holds the
    arguments of calls by file, then row.
    """

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.program: Program = flow.program
        self.heap = flow.heap
        self.entities = flow.entities
        self.rules = flow.rules
        self.written: list[list[int]] = []
        self.used: list[list[int]] = []
        self.given: list[dict[int, Arguments]] = []
        self.complete = True
        self._defined: dict[str, bool] = {}
        self.asked: list[Asked] = []
        self.naming = Naming(flow, self._run)
        self.stores = Stores(flow, self._declare, self._assign)
        self.decorations = Decorations(flow)

    def load(self) -> None:
        """Names, then classes, then values, then arguments: each needs the one before."""
        files = range(len(self.program.files))
        self._link_names(files)
        self.flow.generics.learn_all()
        passing = [self._note_passing_through(file) for file in files]
        for file in files:
            self._link_bindings(file)
            self._link_returns(file, passing[file])
        for file in files:
            self._link_references(file)
        self.decorations.join()
        self.decorations.provide()
        self._run()
        self._admit()
        for file in files:
            self._link_arguments(file)
            self.decorations.decorate(file)
        self._run()
        self.decorations.wrap()
        self._run()

    def _link_names(self, files: Sequence[int]) -> None:
        """Scopes, imports, receivers and supertypes: what must be known before any value flows."""
        naming, bindings = self.naming, Bindings(self.program)
        for file in files:
            self.written.append(bindings.lay_out(file))
            naming.lay_out_imports(file)
            naming.lay_out_exports(file)
        for file in files:
            naming.link_stars(file)
        for file in files:
            naming.link_imports(file)
        for file in files:
            naming.link_exports(file)
            naming.link_aliases(file, self.written[file])
        self._run()
        naming.attach_receivers()
        naming.link_bases()
        if self.rules.structural or self.rules.structural_bases:
            Structure(self.program, self.flow.hierarchy).relate()
        self.flow.hierarchy.forget()
        self.flow.forget_names()

    def _run(self) -> None:
        limit = EVENTS_PER_NODE * len(self.heap.values) + 100_000
        self.complete = self.heap.run(limit) and self.complete

    # ----------------------------------------------------------------- values

    def _link_bindings(self, file: int) -> None:
        program, first = self.program, self.program.first[file]
        self.flow.forget_paths()
        fresh = self._only_fresh(file)
        for row, node in zip(program.files[file].bindings, self.written[file], strict=True):
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
                self._declare(scope, row, held if self.rules.rest_by_one else node)
            if row.value and not collecting:
                outer = program.parent[scope] if row.manner in ("parameter", "keyword") else scope
                source = self.flow.given(max(outer, first), row)
                if row.type and row.manner == "variable" and program.is_callable(scope):
                    source = self._of_declared(scope, row, source)
                self._assign(row, source, node)

    def _only_fresh(self, file: int) -> set[tuple[int, str]]:
        """Declared local variables of a file that are given nothing but what a plain call gives, by scope."""
        first, rows = self.program.first[file], self.program.files[file].bindings
        called = [row for row in rows if row.value[-2:] == "()" and row.type and row.manner == "variable"]
        found = {(row.scope, row.name) for row in called}
        if found:
            found -= {(row.scope, row.name) for row in rows if row.manner != "variable" or row.value[-2:] != "()"}
        return {(first + scope, name) for scope, name in found if self.program.is_callable(first + scope)}

    def _is_fresh(self, scope: int, row: Binding) -> bool:
        """Whether a local variable is given a new instance of a known class: what it is declared as says less."""
        made = self.heap.values[self.flow.path(scope, row.value[:-2], row.line)]
        return bool(made) and all(self.entities.kind[entity] == CLASS for entity in made or ())

    def _of_declared(self, scope: int, row: Binding, source: int) -> int:
        """What a local variable takes of a value: a cast lets only instances of the declared type through."""
        held = self.heap.values[self.flow.annotations.node(scope, row.type, row.line)]
        if source == DEAD or not held or any(self.entities.kind[entity] != INST for entity in held):
            return source
        wanted = frozenset(self.entities.payload[entity] for entity in held)
        if self.rules.open_objects and any(self.program.symbols[cls].kind != "class" for cls in wanted):
            return source  # types that fit by structure
        node = self.heap.node()
        self.heap.watch(source, (self.flow.argument_flow.on_admitted, node, wanted))
        return node

    def _declare(self, scope: int, row: Binding, node: int) -> None:
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

    def _assign(self, row: Binding, source: int, node: int) -> None:
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

    def _note_passing_through(self, file: int) -> set[int]:
        """Note which functions give back their receiver or a parameter; the rows of `returns` that do."""
        first = self.program.first[file]
        rows = enumerate(self.program.files[file].returns)
        return {n for n, row in rows if row.manner == "return" and self._passes_through(first + row.scope, row.value)}

    def _link_returns(self, file: int, passing: set[int]) -> None:
        program, first = self.program, self.program.first[file]
        facts = program.files[file]
        yields = {row.scope for row in facts.returns if row.manner == "yield"}
        generated: dict[int, int] = {}
        outside = self._giving_outside(file) if self.rules.results_exact else frozenset()
        for number, row in enumerate(facts.returns):
            if number in passing or (row.scope in outside and row.manner == "return"):
                continue
            function = first + row.scope
            result = program.result(function)
            if row.manner == "type":
                declared = self.flow.annotations.node(function, row.value, 0)
                self.heap.copy(declared, result, h.TYPE)
                self.flow.context.expect(declared, result)
                continue
            line = 1 << 30  # the last version of each name: returns have no line
            source = self.flow.path(function, row.value, line)
            if row.scope in yields:
                obj = generated.get(function)
                if obj is None:
                    obj = generated[function] = self.flow.containers.new("generator")
                    self.heap.add(result, self.entities.get(OBJ, obj), h.TYPE)
                if row.manner == "return":
                    continue
                result = self.flow.containers.field(obj, "[]")
            if source != DEAD:
                self.heap.copy(source, result)

    def _giving_outside(self, file: int) -> frozenset[int]:
        """Scopes of a file whose declared result is a type outside, named plainly: what they give is none of ours."""
        first, found = self.program.first[file], set()
        for row in self.program.files[file].returns:
            if row.manner == "type" and not _OPEN_RESULT.search(row.value):
                expr = read_type(row.value)
                if expr.args or not expr.name.isidentifier() or self.flow.annotations.role(expr):
                    continue
                held = self.heap.values[self.flow.roots.type_path(first + row.scope, expr.name, 0)]
                if held and all(self.entities.kind[entity] == EXT for entity in held):
                    found.add(row.scope)
        return frozenset(found)

    def _passes_through(self, function: int, value: str) -> bool:
        """Note a function that gives back its receiver or one of its parameters as it is."""
        for place, parameter in enumerate(self.program.parameters.get(function, ())):
            if parameter.name != value or self.program.bound(function, value) != parameter.node:
                continue
            if place == 0 and parameter.node in self.program.receivers:
                self.flow.calls.gives_receiver.add(function)
                return True
            if parameter.manner in ("parameter", "keyword"):
                self._note_passing(function, parameter)
                return True
        return False

    def _note_passing(self, function: int, parameter: Parameter) -> None:
        known = self.flow.calls.gives_parameter.setdefault(function, [])
        if parameter not in known:
            known.append(parameter)

    # ----------------------------------------------------------------- uses

    def _link_references(self, file: int) -> None:
        facts: FileFacts = self.program.files[file]
        first, path = self.program.first[file], self.flow.path
        self.flow.forget_paths()
        used = []
        for row in facts.references:
            text = row.path
            if row.kind == "implicit":
                text, _, method = text.rpartition(".")
                if not self._is_defined(method):
                    text = ""
            elif row.kind in ("string", "import"):
                text = ""
            used.append(path(first + row.scope, text, row.line, row.kind == "call"))
        self.used.append(used)

    def _is_defined(self, method: str) -> bool:
        """Whether any function here goes by a special method's name, or by one that stands in for it."""
        known = self._defined.get(method)
        if known is None:
            names = (method, *self.rules.fallbacks.get(method, ()))
            known = self._defined[method] = any(name in self.program.function_names for name in names)
        return known

    def _admit(self) -> None:
        """A parameter annotated with classes of the repository takes only their instances."""
        entities = self.entities
        for function, parameters in self.program.parameters.items():
            del function
            for parameter in parameters:
                held = self.heap.values[parameter.node]
                if not held or parameter.node in self.program.receivers:
                    continue
                if all(entities.kind[e] == INST and entities.extra[e] for e in held):
                    self.flow.argument_flow.admitted[parameter.node] = frozenset(entities.payload[e] for e in held)

    def _link_arguments(self, file: int) -> None:
        first = self.program.first[file]
        self.flow.forget_paths()
        given: dict[int, Arguments] = {}
        self.given.append(given)
        for number, (row, node) in enumerate(zip(self.program.files[file].references, self.used[file], strict=True)):
            if not row.args or row.kind not in _CALLS:
                continue
            arguments = self.flow.arguments(first + row.scope, row.args, row.line)
            if not arguments:
                continue
            given[number] = arguments
            if node != DEAD:
                self.flow.calls.site(node, arguments)
                if row.path in self.rules.protocols and arguments[0].key == 0:
                    methods = self.rules.protocols[row.path]
                    self.asked.append(Asked(first + row.scope, methods, arguments[0].node, node, row.line))
