"""Expected types of functions: the type expected of a lambda declares the types of its parameters.

A lambda declares no types. The variable, parameter or result to which the lambda is assigned declares them. The
expected type is a function type (``(a: A) => R``, ``Predicate<A>``), or an interface whose only method the lambda
implements. The functions of an object literal implement the methods of the interface that is expected of the literal.
"""

from __future__ import annotations

from collections.abc import Callable

from codeexplore.resolution import solver as h
from codeexplore.resolution.class_hierarchy import FEW_MERGED, Hierarchy
from codeexplore.resolution.containers import Containers
from codeexplore.resolution.program import Program
from codeexplore.resolution.solver import UNKNOWN, Watcher
from codeexplore.resolution.values import FUNC, INST, OBJECT

_WITH_BODY = frozenset({"default", "static", "private"})  # modifiers of methods that a lambda does not implement


_MemberLookup = Callable[[int, str, int, int], None]
"""A function that lets a member flow to a constraint variable: ``lookup(target, name, entity, evidence)``."""


class ExpectedTypes:
    """Expected types, and the functions that are matched with them.

    `interfaces` maps a function to the interfaces whose only method it implements. `fits` has pairs of a function in an
    object literal and the interface method that it implements.
    """

    def __init__(self, program: Program, hierarchy: Hierarchy, containers: Containers) -> None:
        self.program, self.hierarchy, self.containers = program, hierarchy, containers
        self.solver, self.entities = program.solver, program.entities
        self.fits: dict[tuple[int, int], None] = {}
        self.interfaces: dict[int, list[int]] = {}
        self._waiting: dict[int, list[tuple[_MemberLookup, int, str, int, int]]] = {}  # function → postponed lookups
        self._default_names: frozenset[str] | None = None
        self._abstract: dict[int, tuple[int, ...]] = {}

    def expect(self, declared: int, node: int) -> None:
        """Expect the values of `node` to have the type whose values are those of `declared`."""
        if declared != UNKNOWN and node != UNKNOWN:
            self.solver.on_value(declared, (self.on_declared, node))

    def on_declared(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a value of a declared type: expect other values to have this type."""
        _, others = watcher
        del evidence
        kind, payload = self.entities.kind[entity], self.entities.payload[entity]
        if kind == OBJECT and self.containers.flavour[payload] == "callable":
            places = self.containers.fields[payload]
            sources = tuple(places.get(f"%{place}", UNKNOWN) for place in range(len(places)))
            if any(source != UNKNOWN for source in sources):
                self.solver.on_value(others, (self.on_value, sources, -1))
        elif kind == INST and self.program.symbols[payload].kind in ("interface", "type"):
            methods = self.abstract_methods(payload)
            if len(methods) == 1:
                self.solver.on_value(others, (self.on_value, self._parameters(methods[0]), payload))
            elif methods:
                self.solver.on_value(others, (self.on_value, (), payload))

    def on_value(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a function or object literal: match it with the parameters and the interface (or -1) of its type."""
        _, parameters, interface = watcher
        del evidence
        kind, payload = self.entities.kind[entity], self.entities.payload[entity]
        if kind == FUNC:
            self._link(payload, parameters)
            known = self.interfaces.setdefault(payload, [])
            if interface >= 0 and interface not in known:
                known.append(interface)
                for look_up, target, name, asked, strength in self._waiting.pop(payload, ()):
                    look_up(target, name, asked, strength)
        elif kind == OBJECT and interface >= 0 and self.containers.flavour[payload] == "dict":
            for method in self.abstract_methods(interface):
                node = self.containers.field(payload, self.program.symbols[method].name)
                self.solver.on_value(node, (self.on_member, method))

    def on_member(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a function in an object literal: match it with the interface method that it implements."""
        _, method = watcher
        if self.entities.kind[entity] == FUNC and evidence <= h.TYPE:
            function = self.entities.payload[entity]
            self._link(function, self._parameters(method))
            self.fits[function, method] = None

    def wait(self, look_up: _MemberLookup, target: int, name: str, entity: int, evidence: int) -> bool:
        """Postpone the lookup of a member of a function until the function's interface is known.

        Return False if that is not needed, because no interface has a default method of this name. `look_up` is called
        with the other arguments as soon as the interface is known.
        """
        if self._default_names is None:
            signatures = ((symbol.name, symbol.signature) for symbol in self.program.symbols if symbol.kind == "method")
            self._default_names = frozenset(name for name, text in signatures if "default" in text.split()[:3])
        function = self.entities.payload[entity]
        if name not in self._default_names or self.interfaces.get(function):
            return False
        self._waiting.setdefault(function, []).append((look_up, target, name, entity, evidence))
        return True

    def abstract_methods(self, cls: int) -> tuple[int, ...]:
        """Return the methods of an interface that have no body, including inherited methods."""
        known = self._abstract.get(cls)
        if known is None:
            found: dict[str, int] = {}
            for current in self.hierarchy.order(cls)[:FEW_MERGED]:
                for node in (self.program.names[current] or {}).values():
                    for function in self.program.defined.get(node, ()):
                        symbol = self.program.symbols[function]
                        if self.program.is_callable(function) and not _WITH_BODY & set(symbol.signature.split()[:3]):
                            found.setdefault(symbol.name, function)
            known = self._abstract[cls] = tuple(found.values())
        return known

    def _parameters(self, function: int) -> tuple[int, ...]:
        return tuple(p.node for p in self.program.parameters.get(function, ()) if p.manner == "parameter")

    def _link(self, function: int, sources: tuple[int, ...]) -> None:
        for source, parameter in zip(sources, self.program.parameters.get(function, ()), strict=False):
            if source != UNKNOWN and not parameter.type and parameter.manner == "parameter":
                self.solver.add_flow(source, parameter.node, h.TYPE)
