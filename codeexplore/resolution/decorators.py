"""Decorators: their results, registration of functions for dispatch by type, and providers of parameters.

A *provider* is a function whose result a framework passes to parameters of its name, such as a pytest fixture.
"""

from __future__ import annotations

from typing import NamedTuple

from codeexplore.resolution import solver as h
from codeexplore.resolution.evaluator import Evaluator
from codeexplore.resolution.solver import UNKNOWN
from codeexplore.resolution.values import CLASS, EXTERNAL, FUNC, INST, UNIT


class Decorated(NamedTuple):
    """One application of a decorator to a symbol."""

    symbol: int
    wrapped: int  # node of the decorator's result
    named: int  # node of the symbol's name


class Decorations:
    """Applies decorators, and lets their results replace the decorated names."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.program, self.rules = evaluator.program, evaluator.rules
        self.solver, self.entities = evaluator.solver, evaluator.entities
        self.hierarchy, self.elements = evaluator.hierarchy, evaluator.elements
        self.calls, self.path = evaluator.calls, evaluator.path
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
        for own, symbol in enumerate(program.symbols):
            if any(
                d.removesuffix("()").rpartition(".")[2] in self.rules.decorators.providing for d in symbol.decorators
            ):
                folder, _, name = ("/" + symbol.path).rpartition("/")
                place = folder + "/" if name in self.rules.decorators.providing_files else "/" + symbol.path
                providers.setdefault(symbol.name, []).append((place, own))
        if not providers:
            return
        for function, parameters in program.parameters.items():
            symbol = program.symbols[function]
            for parameter in parameters:
                near = [(place, own) for place, own in providers.get(parameter.name, ()) if own != function]
                near = [(place, own) for place, own in near if ("/" + symbol.path).startswith(place)]
                if near:
                    place, own = max(near)
                    self._give_provided(own, parameter.node)

    def _give_provided(self, provider: int, node: int) -> None:
        """Let the result of a provider, or the one value that it yields, flow to a parameter."""
        self.solver.on_value(self.program.result(provider), (self.elements.on_enter, node))

    def wrap(self) -> None:
        """Let the results of decorators replace the decorated names, unless they return the decorated value."""
        entities = self.entities
        for own, wrapped, named in self.decorated:
            held = self.solver.points_to(wrapped)
            if entities.get(CLASS if self.program.is_class(own) else FUNC, own) in held:
                continue
            made = {entities.payload[entity] for entity in held if entities.kind[entity] == INST}
            for entity, evidence in list(held.items()):
                if entities.kind[entity] == CLASS and entities.payload[entity] in made:
                    continue  # the class of a decorator with options: @wrap(option=1)
                if entities.kind[entity] not in (EXTERNAL, UNIT):
                    self.solver.add(named, entity, max(evidence, h.WRAPPED))
                    if entities.kind[entity] == FUNC or self._is_called(entity):
                        self.program.wrapped.add(own)

    def _is_called(self, entity: int) -> bool:
        if self.entities.kind[entity] != INST:
            return False
        cls = self.entities.payload[entity]
        return any(self.hierarchy.method(cls, name) >= 0 for name in self.rules.special_methods.call)
