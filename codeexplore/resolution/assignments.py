"""Loader of facts: makes nodes, flow edges and watchers, in the order in which they depend on each other.

`Loader` defines the order, and evaluates references and arguments. `imports.Naming` links names. `returns.Returns`
links results of functions. `BindingValues` lets values flow into bindings: from the declared type, the assigned value,
or the collected arguments.

A *binding* is a row of facts that gives a name or a path a type or a value.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from codeexplore.resolution import solver as h
from codeexplore.resolution.bindings import Bindings
from codeexplore.resolution.calls import Arguments
from codeexplore.resolution.decorators import Decorations
from codeexplore.resolution.evaluator import Evaluator
from codeexplore.resolution.imports import Naming
from codeexplore.resolution.program import UNDERLYING, Program
from codeexplore.resolution.returns import Returns
from codeexplore.resolution.solver import UNKNOWN
from codeexplore.resolution.stores import Stores
from codeexplore.resolution.structural_types import Structure
from codeexplore.resolution.values import CLASS, INST, OBJECT
from codeexplore.types import Binding


class BindingValues:
    """Lets declared types and assigned values flow into the nodes of bindings.

    `stores` handles bindings of paths, such as ``self.items[key] = value``.
    """

    def __init__(self, flow: Evaluator) -> None:
        self.flow = flow
        self.program = flow.program
        self.solver = flow.solver
        self.entities = flow.entities
        self.rules = flow.rules
        self.stores = Stores(flow, self.declare, self.assign)

    def link(self, file: int, written: Sequence[int]) -> None:
        """Let the declared type and the assigned value of each binding of a file flow to its node.

        `written` has the node of each binding, in order; -1 for a binding of a path.
        """
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
                self.declare(scope, row, held if self.rules.functions.rest_by_one else node)
            if row.value and not collecting:
                outer = program.parent[scope] if row.manner in ("parameter", "keyword") else scope
                source = self.flow.given(max(outer, first), row)
                if row.type and row.manner == "variable" and program.is_callable(scope):
                    source = self._of_declared(scope, row, source)
                self.assign(row, source, node)

    def _only_fresh(self, file: int) -> set[tuple[int, str]]:
        """Return the local variables with a declared type to which only results of plain calls are assigned.

        They are pairs of scope and name.
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
        """Return True if the binding assigns a new instance of a known class.

        The class is more exact than the declared type.
        """
        made = self.solver.points_to(self.flow.path(scope, row.value[:-2], row.line))
        return bool(made) and all(self.entities.kind[entity] == CLASS for entity in made or ())

    def _of_declared(self, scope: int, row: Binding, source: int) -> int:
        """Return a node with the values that a local variable accepts.

        A cast admits only values of the declared type.
        """
        held = self.solver.points_to(self.flow.annotations.node(scope, row.type, row.line))
        if source == UNKNOWN or not held or any(self.entities.kind[entity] != INST for entity in held):
            return source
        wanted = frozenset(self.entities.payload[entity] for entity in held)
        if self.rules.builtins.open_objects and any(self.program.symbols[cls].kind != "class" for cls in wanted):
            return source  # values may fit these types by structure
        node = self.solver.node()
        self.solver.on_value(source, (self.flow.argument_flow.on_admitted, node, wanted))
        return node

    def declare(self, scope: int, row: Binding, node: int) -> None:
        """Let the declared type of a binding flow to a node."""
        if row.manner == "field" or (row.manner == "variable" and self.program.is_class(scope)):
            self.flow.generics.note_field(node, self.program.class_around(scope), scope, row.type)
        if row.name == UNDERLYING:
            self.solver.add_flow(self.flow.annotations.node(scope, row.type, row.line), node, h.TYPE)
        elif row.manner == "type":
            self.flow.annotations.alias(scope, row.type, node, row.line)
        elif row.manner == "exception":
            self.solver.add_flow(self.flow.annotations.node(scope, row.type.replace(",", "|"), row.line), node)
        else:
            declared = self.flow.annotations.node(scope, row.type, row.line)
            self.solver.add_flow(declared, node, h.TYPE)
            self.flow.context.expect(declared, node)

    def assign(self, row: Binding, source: int, node: int) -> None:
        """Let the assigned value of a binding flow to a node."""
        if source == UNKNOWN:
            return
        if row.manner == "element":
            self.solver.add_flow(self.flow.follow(source, ("[*]",), 0, row.line), node)
        elif row.manner == "context":
            self.solver.on_value(source, (self.flow.containers.on_enter, node))
        else:
            self.solver.add_flow(source, node)

    def _collect(self, node: int, manner: str) -> int:
        """Add a tuple to ``*args`` or a dict to ``**kwargs``; return the node of its elements."""
        obj = self.flow.containers.new("tuple" if manner == "rest" else "dict")
        self.solver.add(node, self.entities.get(OBJECT, obj), h.TYPE)
        return self.flow.containers.field(obj, "[]")


_CALLS = frozenset({"call", "new"})
_Row = tuple[int, str, str, int, tuple[str, ...]]

MAX_INNER_CALLS = 8
"""Maximal number of following references, for each argument, that are searched for calls inside the arguments."""


class Asked(NamedTuple):
    """Call of a built-in function that calls a method of its argument: ``len(value)`` calls ``value.__len__``.

    The first of `methods` that the value's class has is called.
    """

    scope: int
    methods: tuple[str, ...]
    value: int  # node
    function: int  # node of the built-in function, which may be replaced
    line: int


class Given(NamedTuple):
    """Nodes of the arguments of all calls of a file. Row `n` has ``nodes[ends[n]:ends[n + 1]]``."""

    nodes: array[int]
    ends: array[int]


class Loader:
    """Loads all files of a program and lets their values flow.

    After `load`, `used` has the node of every reference, by file and row. For an implicit reference it is the node of
    the value whose special method is called. `given` has the arguments of calls by file; see `Given`.
    """

    def __init__(self, flow: Evaluator) -> None:
        self.flow = flow
        self.program: Program = flow.program
        self.solver = flow.solver
        self.entities = flow.entities
        self.rules = flow.rules
        self._written: list[list[int]] = []  # file → node of each binding
        self.used: list[array[int]] = []
        self.given: list[Given] = []
        self._defined: dict[str, bool] = {}
        self.asked: list[Asked] = []
        self.naming = Naming(flow, self._run)
        self.binding_values = BindingValues(flow)
        self.stores = self.binding_values.stores
        self.returns = Returns(flow)
        self.decorations = Decorations(flow)

    def load(self) -> None:
        """Load names, then classes, then values, then arguments. Each stage needs the stage before."""
        files = range(len(self.program.files))
        self._link_names(files)
        self._receive_classes()
        self.flow.generics.learn_all()
        passing = [self.returns.note_passing_through(file) for file in files]
        names = (self.program.symbols[function].name for function in self.flow.calls.gives_parameter)
        self.flow.separate_calls(frozenset(names) if self.rules.classes.self_parameter else frozenset())
        for file in files:
            self.flow.record_passing_calls(file)
            self.binding_values.link(file, self._written[file])
            self.returns.link(file, passing[file])
        self._written.clear()
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
        self.flow.freeze()

    def _link_names(self, files: Sequence[int]) -> None:
        """Link scopes, imports, receivers and supertypes. They must be known before values flow."""
        naming, bindings = self.naming, Bindings(self.program)
        for file in files:
            self._written.append(bindings.lay_out(file))
            naming.lay_out_imports(file)
            naming.lay_out_exports(file)
        for file in files:
            naming.link_stars(file)
        for file in files:
            naming.link_imports(file)
        for file in files:
            naming.link_exports(file)
            naming.link_aliases(file, self._written[file])
        self._run()
        naming.attach_receivers()
        self.program.forget_names_of_several()
        naming.link_bases()
        if self.rules.classes.structural or self.rules.classes.structural_bases:
            Structure(self.program, self.flow.hierarchy).relate()
        self.flow.hierarchy.forget()
        self.flow.forget_names()

    def _receive_classes(self) -> None:
        """Let the hooks of class definitions, such as ``__init_subclass__``, receive every subclass of their class."""
        for cls in self.flow.hierarchy.supers if self.rules.special_methods.subclass else ():
            for name in self.rules.special_methods.subclass:
                function = self.flow.hierarchy.method(cls, name, above=True)
                if function >= 0:
                    self.flow.class_members.receive(function, self.entities.get(CLASS, cls))

    def _run(self) -> None:
        self.solver.solve()

    # ----------------------------------------------------------------- uses

    def _link_references(self, file: int) -> None:
        first, path = self.program.first[file], self.flow.path
        self.flow.forget_paths()
        self.flow.record_passing_calls(file)
        used = array("i")
        for scope, kind, text, line in self.program.references[file].fields("scope", "kind", "path", "line"):
            expression = text
            if kind == "implicit":
                expression, _, method = text.rpartition(".")
                if not self._is_defined(method):
                    expression = ""
            elif kind in ("string", "import"):
                expression = ""
            used.append(path(first + scope, expression, line, kind == "call"))
        self.used.append(used)

    def _with_inner_arguments(self, args: tuple[str, ...], scope: int, below: Sequence[_Row]) -> tuple[str, ...]:
        """Return the arguments of a call, with calls among them written with their own arguments.

        References are stored without nested arguments: in ``f(keep(x))`` the argument is ``keep()``. If ``keep``
        returns its parameter, ``x`` is needed to know the argument's value. The call ``keep(x)`` is one of the
        following references, `below`, and its arguments are inserted: ``keep(x)``.
        """
        inner: dict[str, deque[tuple[str, ...]]] = {}
        for other, kind, path, _, given in below:
            if other == scope and kind == "call":
                inner.setdefault(path, deque()).append(given)
        found = []
        for text in args:
            waiting = inner.get(text[text.find("=") + 1 : -2]) if self.flow.passes_through(text) else None
            found.append(f"{text[:-2]}({', '.join(waiting.popleft())})" if waiting else text)
        return tuple(found)

    def _is_defined(self, method: str) -> bool:
        """Return True if a function of the family has the name of this special method, or of one of its fallbacks."""
        known = self._defined.get(method)
        if known is None:
            names = (method, *self.rules.special_methods.fallbacks.get(method, ()))
            known = self._defined[method] = any(name in self.program.function_names for name in names)
        return known

    def _admit(self) -> None:
        """Record the classes that the annotation of each parameter admits, if they are all in the repository."""
        entities = self.entities
        for function, parameters in self.program.parameters.items():
            del function
            for parameter in parameters:
                held = self.solver.points_to(parameter.node)
                if not held or parameter.node in self.program.receivers:
                    continue
                if all(entities.kind[e] == INST and entities.extra[e] for e in held):
                    self.flow.argument_flow.admitted[parameter.node] = frozenset(entities.payload[e] for e in held)

    def _link_arguments(self, file: int) -> None:
        first = self.program.first[file]
        self.flow.forget_paths()
        self.flow.record_passing_calls(file)
        given = Given(array("i"), array("i", [0]))
        self.given.append(given)
        rows = list(self.program.references[file].fields("scope", "kind", "path", "line", "args"))
        for number, ((scope, kind, path, line, args), node) in enumerate(zip(rows, self.used[file], strict=True)):
            arguments: Arguments = ()
            if args and kind in _CALLS:
                texts = args
                if any(self.flow.passes_through(text) for text in args):
                    below = rows[number + 1 : number + 1 + len(args) * MAX_INNER_CALLS]
                    texts = self._with_inner_arguments(args, scope, below)
                arguments = self.flow.arguments(first + scope, texts, line)
                given.nodes.extend([argument.node for argument in arguments])
            given.ends.append(len(given.nodes))
            if arguments and node != UNKNOWN:
                self.flow.calls.site(node, arguments)
                if path in self.rules.special_methods.protocols and arguments[0].key == 0:
                    methods = self.rules.special_methods.protocols[path]
                    self.asked.append(Asked(first + scope, methods, arguments[0].node, node, line))
