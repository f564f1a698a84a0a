"""Analysis of one language family: from the facts of its files to the values of its names.

`Loader` makes constraint variables, flow edges and watchers in the order of their dependences, and evaluates references
and arguments. `naming.Naming` links names, `supertypes` types, and `values` bindings and results of functions.
`Decorations` applies decorators. A decorator may also register a function for dispatch by type, or make it a
*provider*: a function whose result a framework passes to parameters of its name, such as a pytest fixture.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from codeexplore.resolution import solver as h
from codeexplore.resolution.definitions import Bindings, Definitions
from codeexplore.resolution.evaluator import Evaluator
from codeexplore.resolution.language_rules import Rules
from codeexplore.resolution.naming import Naming
from codeexplore.resolution.parts import EvaluatorPart
from codeexplore.resolution.program import Program
from codeexplore.resolution.solver import CLASS, EXTERNAL, FLOW, FUNC, INST, TYPE, UNIT, UNKNOWN, Watcher
from codeexplore.resolution.supertypes import MadeClasses, Structure, Supertypes
from codeexplore.resolution.values import BindingValues, Returns
from codeexplore.types import COMPARED, Binding, FileFacts

_READING = frozenset({"read", "access", "receiver"})
_TYPED = frozenset({"new", "type"})
_CALLED = frozenset({"call", "operator"})
_CALLS = frozenset({"call", "new", "operator"})
_Row = tuple[int, str, str, int, tuple[str, ...]]

MAX_INNER_CALLS = 8
"""Maximal number of following references, for each argument, that are searched for calls inside the arguments."""


class Decorated(NamedTuple):
    """One application of a decorator to a symbol."""

    symbol: int
    wrapped: int  # node of the decorator's result
    named: int  # node of the symbol's name


class Decorations(EvaluatorPart):
    """Applies decorators, and lets their results replace the decorated names."""

    def __init__(self, evaluator: Evaluator) -> None:
        super().__init__(evaluator.shared)
        self.calls, self.members = evaluator.calls, evaluator.members
        self.decorated: list[Decorated] = []

    def decorate(self, file: int) -> None:
        """Let the results of the decorators in a file flow to the names that they decorate.

        The decorated function or class stays a value of its name too; see `wrap`.
        """
        program, first = self.program, self.program.first[file]
        for place, symbol in enumerate(program.files[file].symbols if self.rules.decorators.called else ()):
            if not symbol.decorators:
                continue
            own = first + place
            entity = self.entities.get(CLASS if program.is_class(own) else FUNC, own)
            current = self.solver.node()
            self.solver.add(current, entity, h.SCOPE)
            scope = program.parent[own]
            named = program.bound(scope, symbol.name)
            for decorator in reversed(symbol.decorators):
                last = decorator.removesuffix("()").rpartition(".")[2]
                if not decorator or last in self.rules.decorators.roles:
                    continue
                callee = self.path(scope, decorator, symbol.line)
                if callee == UNKNOWN:
                    continue
                wrapped, inner = self.calls.apply(callee, current), current
                current = self.solver.node()  # input of the next decorator
                self.solver.add_flow(inner, current)
                self.solver.add_flow(wrapped, current, h.WRAPPED)
                if named >= 0:
                    self.decorated.append(Decorated(own, wrapped, named))

    def join(self) -> None:
        """Let functions that are registered on another function flow to the name of that function.

        That function calls them by the type of its argument, as with ``functools.singledispatch``.
        """
        program = self.program
        if not self.rules.decorators.joining:
            return
        for own, symbol in enumerate(program.symbols):
            for decorator in symbol.decorators:
                path, _, last = decorator.removesuffix("()").rpartition(".")
                if last == self.rules.decorators.joining and path:
                    named = self.path(program.parent[own], path, symbol.line)
                    if any(self.is_dispatching(entity) for entity in list(self.solver.points_to(named))):
                        self.solver.add(named, self.entities.get(FUNC, own), h.FLOW)

    def is_dispatching(self, entity: int) -> bool:
        if self.entities.kind[entity] != FUNC:
            return False
        decorators = self.program.symbols[self.entities.payload[entity]].decorators
        return any(d.removesuffix("()").rpartition(".")[2] in self.rules.decorators.dispatching for d in decorators)

    def provide(self) -> None:
        """Let the results of providers flow into parameters of their name, in their file or below their folder."""
        program = self.program
        if not self.rules.decorators.providing:
            return
        providers: dict[str, list[tuple[str, int]]] = {}  # name → (place, function)
        given = cache(self._provided_names)
        for own, symbol in enumerate(program.symbols):
            if any(map(self._provides, symbol.decorators)):
                folder, _, name = ("/" + symbol.path).rpartition("/")
                place = folder + "/" if name in self.rules.decorators.providing_files else "/" + symbol.path
                named, lines = given(program.file_of[own]), range(symbol.span.start_line, symbol.line)
                provided = next((named[line] for line in lines if line in named), symbol.name)
                providers.setdefault(provided, []).append((place, own))
        if not providers:
            return
        for function, parameters in program.parameters.items():
            symbol = program.symbols[function]
            for parameter in parameters:
                near = [(place, own) for place, own in providers.get(parameter.name, ()) if own != function]
                near = [(place, own) for place, own in near if ("/" + symbol.path).startswith(place)]
                if near:
                    place, own = max(near)
                    # the result, or the one value that the provider yields
                    self.solver.on_value(program.result(own), (self.members.on_enter, parameter.node, False))

    def _provides(self, decorator: str) -> bool:
        return decorator.removesuffix("()").rpartition(".")[2] in self.rules.decorators.providing

    def _provided_names(self, file: int) -> dict[int, str]:
        """Return the names that decorators of a file give to their providers, by line: ``fixture(name="page")``."""
        calls = [row for row in self.program.references[file] if row.kind == "call" and self._provides(row.path)]
        start = f"{self.rules.decorators.providing_name}='"
        return {row.line: arg[len(start) : -1] for row in calls for arg in row.args if arg.startswith(start)}

    def wrap(self) -> None:
        """Let the results of decorators replace the decorated names, unless they return the decorated value."""
        entities = self.entities
        for own, wrapped, named in self.decorated:
            held = self.solver.points_to(wrapped)
            if entities.get(CLASS if self.program.is_class(own) else FUNC, own) in held:
                continue
            made = {entities.payload[entity] for entity in held if entities.kind[entity] == INST}
            for entity, evidence in list(held.items()):
                payload = entities.payload[entity]
                if entities.kind[entity] == CLASS and (payload in made or payload in self.hierarchy.order(own)):
                    continue  # the class of a decorator with options, @wrap(option=1), or a subclass that replaces it
                if entities.kind[entity] not in (EXTERNAL, UNIT):
                    self.solver.add(named, entity, max(evidence, h.WRAPPED))
                    if entities.kind[entity] in (FUNC, CLASS) or self._is_called(entity):
                        self.program.wrapped.add(own)

    def _is_called(self, entity: int) -> bool:
        if self.entities.kind[entity] != INST:
            return False
        return self.hierarchy.first_method(self.entities.payload[entity], self.rules.special_methods.call) >= 0


class Asked(NamedTuple):
    """A call of a built-in function that calls a method of its argument: ``len(value)`` calls ``value.__len__``.

    The first of `methods` that the value's class has is called.
    """

    scope: int
    methods: tuple[str, ...]
    value: int  # node
    function: int  # node of the built-in function, which may be replaced
    line: int


class Given(NamedTuple):
    """Constraint variables of the arguments of all calls of a file. Row `n` has ``nodes[ends[n]:ends[n + 1]]``."""

    nodes: array[int]
    ends: array[int]


class Loader(EvaluatorPart):
    """Loads all files of a program and lets their values flow.

    After `load`, `used` has the constraint variable of every reference, by file and row. For an implicit reference it
    is that of the value whose special method is called. `given` has the arguments of calls by file; see `Given`.
    """

    def __init__(self, evaluator: Evaluator, definitions: Definitions) -> None:
        super().__init__(evaluator.shared)
        self.evaluator, self.passing_calls, self._definitions = evaluator, evaluator.passing_calls, definitions
        methods = self.rules.builtins.container_methods
        self._continued = tuple("." + name for name, effect in methods.items() if effect in ("then", "settle"))
        self._written: list[list[int]] = []  # file → node of each binding
        self.used: list[array[int]] = []
        self.given: list[Given] = []
        self._is_defined = cache(self._find_defined)
        self.asked: list[Asked] = []
        self.naming = Naming(evaluator, definitions)
        self.binding_values = BindingValues(evaluator)
        self.returns = Returns(evaluator)
        self.decorations = Decorations(evaluator)

    def load(self) -> None:
        """Load names, then classes, then values, then arguments. Each stage needs the stage before."""
        files = range(len(self.program.files))
        self._link_names(files)
        self._receive_classes()
        self.evaluator.generics.learn_all()
        for file in files:
            self.binding_values.lay_out(file)
        passing = self.returns.note_passing_through(files)
        names = (self.program.symbols[function].name for function in self.program.returned_parameters)
        modelled = self.rules.builtins.functions.items()
        making = (name.rpartition(".")[2] for name, effect in modelled if effect == "property")
        self.evaluator.separate_calls(frozenset((*names, *making)))
        for file in files:
            self.passing_calls.record(file)
            self.binding_values.link(file, self._written[file])
            self.returns.link(file, passing[file])
        self._written.clear()
        for file in files:
            self._link_references(file)
        self.decorations.join()
        self.decorations.provide()
        self.solver.solve()
        self._admit()
        for file in files:
            self._link_arguments(file)
            self.decorations.decorate(file)
        self.solver.solve()
        self.decorations.wrap()
        self.solver.solve()
        self.evaluator.freeze()

    def _link_names(self, files: Sequence[int]) -> None:
        """Link scopes, imports, receivers and supertypes. They must be known before values flow."""
        naming, bindings = self.naming, Bindings(self.program, self.hierarchy.unassigned)
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
        self.solver.solve()
        naming.attach_receivers()
        naming.give_defaults()
        self._definitions.forget_names_of_several({row.name.rpartition(".")[2] for _, row in bindings.class_stores})
        for file in files:
            naming.link_type_names(file, self._written[file])
        supertypes = Supertypes(self.evaluator)
        supertypes.link()
        if self.rules.classes.metaclasses:
            self._make_classes(files, bindings.class_stores, supertypes)
        naming.inherit_overloads()
        self.evaluator.extensions.note_all()
        if self.rules.classes.structural or self.rules.classes.structural_bases:
            Structure(self.evaluator.shared).relate()
        self.hierarchy.forget()
        self.evaluator.forget_names()

    def _make_classes(
        self, files: Sequence[int], stores: Sequence[tuple[int, Binding]], supertypes: Supertypes
    ) -> None:
        made, unused = MadeClasses(self.evaluator.shared), self.solver.node()
        for file in files:
            made.make(file, self._written[file])
        supertypes.link_more()
        for file in files:
            made.name_methods(file, self._written[file])
        made.add_attributes(stores)
        made.replace_decorated()
        made.hold_items()
        self.steps.forget_from(unused)

    def _receive_classes(self) -> None:
        """Let hooks of class definitions, such as ``__init_subclass__``, receive the subclasses of their class."""
        for cls in self.hierarchy.supers if self.rules.special_methods.subclass else ():
            for function in self.hierarchy.defining(cls):
                parameters = self.program.parameters.get(function)
                if parameters:
                    self.solver.add(parameters[0].node, self.entities.get(CLASS, cls), FLOW)

    # ----------------------------------------------------------------- uses

    def _link_references(self, file: int) -> None:
        first, path = self.program.first[file], self.evaluator.path
        self.evaluator.forget_paths()
        self.passing_calls.record(file)
        used = array("i")
        for scope, kind, text, line in self.program.references[file].fields("scope", "kind", "path", "line"):
            if kind in _READING:
                used.append(path(first + scope, text, line))
                continue
            expression = text
            if kind == "implicit":
                expression, _, method = text.rpartition(".")
                if method != COMPARED[1:] and not self._is_defined(method):
                    expression = ""
            elif kind in ("string", "import"):
                expression = ""
            elif kind == "operator":
                expression = text if self._is_defined(text[text.rfind(".") + 1 :]) else ""
            if kind in _TYPED and self.rules.scopes.types_apart:
                used.append(self.evaluator.annotations.type_path(first + scope, expression, line))
            else:
                used.append(path(first + scope, expression, line, kind in _CALLED))
            if kind == "new" and self.rules.classes.prototype and used[-1] != UNKNOWN:
                made = self.steps.follow(used[-1], ("()",), first + scope, line)
                self.solver.on_value(used[-1], (self.on_constructed, made))
        self.used.append(used)

    def on_constructed(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a value after ``new``: a function is a constructor."""
        if self.entities.kind[entity] == FUNC:
            function = self.entities.payload[entity]
            self.program.makes_instances.add(function)
            self.solver.add(watcher[1], self.entities.get(INST, function), max(evidence, TYPE))

    def _with_inner_arguments(self, args: tuple[str, ...], scope: int, below: Sequence[_Row]) -> tuple[str, ...]:
        """Return the arguments of a call. Calls among them are written with their own arguments.

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
            waiting = inner.get(text[text.find("=") + 1 : -2]) if self.passing_calls.passes_through(text) else None
            found.append(f"{text[:-2]}({', '.join(waiting.popleft())})" if waiting else text)
        return tuple(found)

    def _find_defined(self, method: str) -> bool:
        """Return True if a function of the family has the name of a special method, or of one of its fallbacks."""
        names = (method, *self.rules.special_methods.fallbacks.get(method, ()))
        return any(self.program.method_name(name) in self.program.function_names for name in names)

    def _admit(self) -> None:
        """Record the classes that the annotation of each parameter admits, if all of them or none are known."""
        entities, plain = self.entities, self.rules.functions.plain_types
        for parameters in self.program.parameters.values():
            for parameter in parameters:
                held = self.solver.points_to(parameter.node)
                if (
                    plain is not None
                    and plain.fullmatch(parameter.type)
                    and INST not in map(entities.kind.__getitem__, held)
                ):
                    self.evaluator.argument_flow.admitted[parameter.node] = frozenset()
                if not held or parameter.node in self.program.receivers:
                    continue
                if all(entities.kind[e] == INST and entities.extra[e] for e in held):
                    self.evaluator.argument_flow.admitted[parameter.node] = frozenset(entities.payload[e] for e in held)

    def _link_arguments(self, file: int) -> None:
        first = self.program.first[file]
        self.evaluator.forget_paths()
        self.passing_calls.record(file)
        nodes, ends = given = Given(array("i"), array("i", [0]))
        self.given.append(given)
        rows = list(self.program.references[file].fields("scope", "kind", "path", "line", "args"))
        continued = self._continued
        for number, ((scope, kind, path, line, args), node) in enumerate(zip(rows, self.used[file], strict=True)):
            if not args or kind not in _CALLS:
                ends.append(len(nodes))
                continue
            if path.endswith(continued):
                lambdas = (self.program.anonymous.get((file, text[1:]), -1) for text in args if text[:4] == "%fn:")
                self.program.continuing.update(each for each in lambdas if each >= 0)
            texts = args
            if any(map(self.passing_calls.passes_through, args)):
                below = rows[number + 1 : number + 1 + len(args) * MAX_INNER_CALLS]
                texts = self._with_inner_arguments(args, scope, below)
            arguments = self.evaluator.arguments(first + scope, texts, line)
            nodes.extend([argument.node for argument in arguments])
            ends.append(len(nodes))
            if arguments and node != UNKNOWN:
                self.evaluator.calls.site(node, arguments)
                if path in self.rules.special_methods.protocols and arguments[0].key == 0:
                    methods = self.rules.special_methods.protocols[path]
                    self.asked.append(Asked(first + scope, methods, arguments[0].node, node, line))


class FamilyAnalysis:
    """Analysis of the files of one family, solved to its fixpoint.

    `manifests` maps paths to the texts of the manifests that name modules. `apart` has the program of each file: its
    folder, "." for a file that is a program alone, such as a test, and "" for code of all programs. Only rules with
    `ModuleRules.linked` need it.
    """

    def __init__(
        self,
        files: Sequence[FileFacts],
        rules: Rules,
        manifests: Mapping[str, str] | None = None,
        apart: Sequence[str] = (),
    ) -> None:
        self.program = Program(files, rules, manifests or {}, apart)
        definitions = Definitions(self.program)
        definitions.add_files()
        if rules.modules.linked:
            definitions.hide_bundles()
        self.evaluator = Evaluator(self.program)
        self.loader = Loader(self.evaluator, definitions)
        self.loader.load()

    def close(self) -> None:
        """Drop the values. No lookup is possible afterwards."""
        self.evaluator.solver.clear()
        self.evaluator.forget()
