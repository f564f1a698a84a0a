"""Results of functions and of decorators: declared types, returned and yielded values, decorated functions.

A decorator may also register a function for dispatch by type, or make it a *provider*: a function whose result a
framework passes to parameters of its name, such as a pytest fixture.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from codeexplore.resolution import solver as h
from codeexplore.resolution.access_paths import parse, split_arguments
from codeexplore.resolution.evaluator import Evaluator
from codeexplore.resolution.parts import EvaluatorPart
from codeexplore.resolution.program import OF_CLASS, STATIC
from codeexplore.resolution.solver import CLASS, EXTERNAL, FUNC, INST, OBJECT, UNIT, UNKNOWN
from codeexplore.types import Binding, Return

_MOST_HANDED = 3  # most functions through which an argument is handed on


class Returns(EvaluatorPart):
    """Lets values flow into the results of functions."""

    def __init__(self, evaluator: Evaluator) -> None:
        super().__init__(evaluator.shared)
        self.annotations, self.expected = evaluator.annotations, evaluator.expected
        self.members, self.given = evaluator.members, evaluator.given
        effects = self.rules.builtins.functions.items()
        self._returning = {name.rpartition(".")[2] for name, effect in effects if effect in ("first", "any")}
        self._giving_class = [name.rpartition(".")[2] for name, effect in effects if effect == "class"]
        classes = self.rules.classes
        self._late = classes.late_type_names | classes.instance_names  # declared results: the receiver's class
        self._other_values: dict[tuple[int, str], list[Binding]] = {}  # variable → values besides a parameter

    def note_passing_through(self, files: Sequence[int]) -> list[set[int]]:
        """Record the functions of each file that return their receiver or one of their parameters.

        Return the indices of the rows of `returns` that state this, by file. A function also counts if it returns a
        local variable to which a parameter is assigned, among other values, or the result of another function that
        returns its argument.
        """
        passing = [self._note_in_file(file) for file in files]
        for _ in range(_MOST_HANDED):
            known = len(self.program.returned_parameters)
            names = {self.program.symbols[function].name for function in self.program.returned_parameters}
            for file in files:
                self._note_handed(file, passing[file], names | self._returning)
            if len(self.program.returned_parameters) == known:
                break
        return passing

    def _note_in_file(self, file: int) -> set[int]:
        first = self.program.first[file]
        facts = self.program.files[file]
        rows = [(n, row) for n, row in enumerate(facts.returns) if row.manner == "return"]
        passing = {n for n, row in rows if self._passes_through(first + row.scope, row.value)}
        for number, row in enumerate(facts.returns):
            late = row.manner == "type" and row.value.strip("\"'") in self._late
            if late and self.program.own_class[first + row.scope] >= 0:
                self.program.returns_like.add(first + row.scope)
                passing.add(number)
        passing |= {n for n, row in rows if first + row.scope in self.program.returns_like}  # new static()
        passing -= self._note_replaced(file, [(n, row) for n, row in rows if n in passing])
        left = {(row.scope, row.value) for n, row in rows if n not in passing and row.value.isidentifier()}
        given: dict[tuple[int, str], list[Binding]] = {}
        for binding in self.program.bindings[file] if left and self.rules.classes.self_parameter else ():
            if (key := (binding.scope, binding.name)) in left:
                given.setdefault(key, []).append(binding)
        for (scope, name), bindings in given.items():
            if any(each.manner != "variable" or each.type for each in bindings):
                continue
            rest = [each for each in bindings if not self._passes_through(first + scope, each.value)]
            if len(rest) < len(bindings):
                self._other_values[first + scope, name] = rest
        return passing

    def _note_replaced(self, file: int, rows: Sequence[tuple[int, Return]]) -> set[int]:
        """Return the indices of those of `rows` that return a parameter to which the function may assign another value.

        Their functions return the argument of the call or such a value: ``if x is None: x = Default()`` above
        ``return x``. An assignment that always runs starts a new version of the name, which is no parameter.
        """
        first, program = self.program.first[file], self.program
        names = {(row.scope, row.value) for _, row in rows if first + row.scope in program.returned_parameters}
        others: dict[tuple[int, str], list[Binding]] = {}
        for each in program.bindings[file] if names else ():
            if (each.scope, each.name) not in names or each.manner != "variable" or not each.value:
                continue
            if not self._passes_through(first + each.scope, each.value):
                others.setdefault((each.scope, each.name), []).append(each)
        self._other_values |= {(first + scope, name): found for (scope, name), found in others.items()}
        return {n for n, row in rows if (row.scope, row.value) in others}

    def _note_handed(self, file: int, passing: set[int], names: set[str]) -> None:
        """Record the functions of a file that return ``freeze(x)``, where ``freeze`` returns its argument."""
        first = self.program.first[file]
        arguments: dict[tuple[int, str], Sequence[str]] | None = None  # found when they are first asked for
        for number, row in enumerate(self.program.files[file].returns):
            if row.manner != "return" or row.value[-1:] != ")" or number in passing:
                continue
            root, steps = parse(row.value)
            callee = root + "".join(steps[:-1])
            if callee[callee.rfind(".") + 1 :] not in names:
                continue
            function, given = first + row.scope, split_arguments(steps[-1])
            if not given:
                arguments = self._arguments_in(file) if arguments is None else arguments
                given = tuple(arguments.get((row.scope, callee), ()))
            handed = self._handed(function, callee, given)
            rest = [each for each in handed if not self._passes_through(function, each)]
            if rest and len(rest) < len(handed):
                bindings = [Binding(row.scope, "", "variable", "", each, 1 << 30) for each in rest]
                self._other_values[function, row.value] = bindings
            elif handed and not rest:
                passing.add(number)

    def _handed(self, function: int, callee: str, given: Sequence[str]) -> Sequence[str]:
        """Return those of the arguments `given` that a called function returns."""
        for entity in self.solver.points_to(self.path(function, callee, 1 << 30)):
            kind, payload = self.entities.kind[entity], self.entities.payload[entity]
            if kind == EXTERNAL:
                effect = self.rules.builtins.functions.get(self.entities.external_name(entity))
                return given if effect == "any" else given[:1] if effect == "first" else ()
            if kind == FUNC:
                back = self.program.returned_parameters.get(payload, ())
                parameters = self.program.parameters.get(payload, ())
                return [text for text, parameter in zip(given, parameters, strict=False) if parameter in back]
        return ()

    def _arguments_in(self, file: int) -> dict[tuple[int, str], Sequence[str]]:
        """Return scope and path → the arguments of its only call in a file; none if there are several calls."""
        found: dict[tuple[int, str], Sequence[str]] = {}
        for scope, path, args in self.program.references[file].fields("scope", "path", "args"):
            found[scope, path] = () if (scope, path) in found else args
        return found

    def link(self, file: int, passing: set[int]) -> None:
        """Let the returned values of a file's functions flow to their results. Rows in `passing` are skipped."""
        program, first = self.program, self.program.first[file]
        facts = program.files[file]
        yields = {row.scope for row in facts.returns if row.manner == "yield"}
        generated: dict[int, int] = {}
        for number, row in enumerate(facts.returns):
            if number in passing:
                continue
            function = first + row.scope
            result = program.result(function)
            if row.manner == "type":
                declared = self.annotations.node(function, row.value, 0)
                self.solver.add_flow(declared, result, h.TYPE)
                if (twin := program.twins.get(function, -1)) >= 0:
                    self.solver.add_flow(declared, program.result(twin), h.TYPE)
                self.expected.expect(declared, result)
                continue
            self._note_delegate(function, row.value)
            line = 1 << 30  # the last version of each name: returns have no line
            others = self._other_values.get((function, row.value)) if row.scope not in yields else None
            if others is not None:
                for binding in others:
                    self.solver.add_flow(self.given(function, binding), result)
                continue
            source = self.path(function, row.value, line)
            if row.scope in yields:
                obj = generated.get(function)
                if obj is None:
                    obj = generated[function] = self.containers.new("generator")
                    self.solver.add(result, self.entities.get(OBJECT, obj), h.TYPE)
                if row.manner == "return":
                    continue
                result = self.containers.field(obj, "[]")
            if source != UNKNOWN:
                self.solver.add_flow(source, result)

    def _note_delegate(self, function: int, value: str) -> None:
        """Record the object to which a method for missing members delegates: ``return getattr(self.inner, name)``."""
        if (
            not value.startswith("getattr(")
            or self.program.symbols[function].name not in self.rules.special_methods.missing
        ):
            return
        asked = split_arguments(parse(value)[1][0])
        parameters = self.program.parameters.get(function, ())
        if len(asked) > 1 and len(parameters) > 1 and asked[1] == f"'{{{parameters[1].name}}}'":
            node = self.path(function, asked[0], 1 << 30)
            self.members.delegates.setdefault(function, []).append(node)

    def _passes_through(self, function: int, value: str) -> bool:
        """Return True if `value`, which a function returns, is its receiver or one of its parameters.

        Also return True if it is a new object of the receiver's class. The function is then recorded as one that
        returns this.
        """
        if self._is_like_receiver(function, value):
            self.program.returns_like.add(function)
            return True
        if self.program.own_class[function] >= 0 and value in tuple(self._receivers_of(function)):
            self.program.returns_receiver.add(function)
            return True
        for parameter in self.program.parameters.get(function, ()):
            if self.program.bound(function, value) != parameter.node:
                continue
            if parameter.manner in ("parameter", "keyword"):
                known = self.program.returned_parameters.setdefault(function, [])
                known += [parameter] if parameter not in known else []
                return True
        return False

    def _is_like_receiver(self, function: int, value: str) -> bool:
        """Return True for ``cls(…)`` in a class method, or ``self.__class__(…)`` or ``type(self)(…)`` in another."""
        steps = parse(value)[1]
        if not steps or value[-1:] != ")" or self.program.own_class[function] < 0:
            return False
        made, attribute = value[: -len(steps[-1])], self.rules.classes.class_attribute
        for own in self._receivers_of(function):
            if self.program.roles[function] & (OF_CLASS | STATIC):
                found = made == own
            else:
                found = made == f"{own}.{attribute}" or any(made == f"{name}({own})" for name in self._giving_class)
            if found:
                return True
        return False

    def _receivers_of(self, function: int) -> Iterator[str]:
        """Yield the names of a method's receiver: keywords, and a first parameter that has no other values."""
        yield from self.rules.classes.instance_names
        for own in self.program.parameters.get(function, ())[:1]:
            if own.node in self.program.receivers and self.program.bound(function, own.name) == own.node:
                yield own.name


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
