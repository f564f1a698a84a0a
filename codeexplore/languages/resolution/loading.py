"""Facts become nodes, copies and watchers, in the order in which they depend on each other.

The order stands here, and what uses need: references and arguments. Names are `naming`'s, what bindings take
`binding_values`', what functions give back `returns`'.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import NamedTuple

from codeexplore.languages.resolution.arguments import Arguments
from codeexplore.languages.resolution.binding_values import BindingValues
from codeexplore.languages.resolution.bindings import Bindings
from codeexplore.languages.resolution.decorations import Decorations
from codeexplore.languages.resolution.entities import CLASS, INST
from codeexplore.languages.resolution.flow import Flow
from codeexplore.languages.resolution.heap import DEAD
from codeexplore.languages.resolution.naming import Naming
from codeexplore.languages.resolution.program import Program
from codeexplore.languages.resolution.returns import Returns
from codeexplore.languages.resolution.structure import Structure

_CALLS = frozenset({"call", "new"})


class Asked(NamedTuple):
    """A built-in function called with a value: ``len(value)`` calls the value's own method, the first that exists."""

    scope: int
    methods: tuple[str, ...]
    value: int  # node
    function: int  # node of the built-in function, which something else may stand for
    line: int


class Given(NamedTuple):
    """What the calls of a file are given: those of row `n` are ``nodes[ends[n]:ends[n + 1]]``."""

    nodes: array[int]
    ends: array[int]


class Loader:
    """Loads all files of a program and lets their values flow.

    After `load`, `used` holds the node of every reference, by file and row; for an implicit reference that of the value
    whose special method is called. `given` holds the arguments of calls by file; see `Given`.
    """

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.program: Program = flow.program
        self.heap = flow.heap
        self.entities = flow.entities
        self.rules = flow.rules
        self._written: list[list[int]] = []  # by file, the node of each binding
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
        """Names, then classes, then values, then arguments: each needs the one before."""
        files = range(len(self.program.files))
        self._link_names(files)
        self._receive_classes()
        self.flow.generics.learn_all()
        passing = [self.returns.note_passing_through(file) for file in files]
        for file in files:
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
        self.flow.settle()

    def _link_names(self, files: Sequence[int]) -> None:
        """Scopes, imports, receivers and supertypes: what must be known before any value flows."""
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
        if self.rules.structural or self.rules.structural_bases:
            Structure(self.program, self.flow.hierarchy).relate()
        self.flow.hierarchy.forget()
        self.flow.forget_names()

    def _receive_classes(self) -> None:
        """Hooks of class definitions run on every class below theirs."""
        for cls in self.flow.hierarchy.supers if self.rules.making_methods else ():
            for name in self.rules.making_methods:
                function = self.flow.hierarchy.method(cls, name, above=True)
                if function >= 0:
                    self.flow.class_members.receive(function, self.entities.get(CLASS, cls))

    def _run(self) -> None:
        self.heap.run()

    # ----------------------------------------------------------------- uses

    def _link_references(self, file: int) -> None:
        first, path = self.program.first[file], self.flow.path
        self.flow.forget_paths()
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
                held = self.heap.held(parameter.node)
                if not held or parameter.node in self.program.receivers:
                    continue
                if all(entities.kind[e] == INST and entities.extra[e] for e in held):
                    self.flow.argument_flow.admitted[parameter.node] = frozenset(entities.payload[e] for e in held)

    def _link_arguments(self, file: int) -> None:
        first = self.program.first[file]
        self.flow.forget_paths()
        given = Given(array("i"), array("i", [0]))
        self.given.append(given)
        rows = self.program.references[file].fields("scope", "kind", "path", "line", "args")
        for (scope, kind, path, line, args), node in zip(rows, self.used[file], strict=True):
            arguments: Arguments = ()
            if args and kind in _CALLS:
                arguments = self.flow.arguments(first + scope, args, line)
                given.nodes.extend([argument.node for argument in arguments])
            given.ends.append(len(given.nodes))
            if arguments and node != DEAD:
                self.flow.calls.site(node, arguments)
                if path in self.rules.protocols and arguments[0].key == 0:
                    methods = self.rules.protocols[path]
                    self.asked.append(Asked(first + scope, methods, arguments[0].node, node, line))
