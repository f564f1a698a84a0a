"""Where the arguments of a call go: into parameters, by position, by name, or into what collects the rest.

Each kind of value takes arguments in its own way: a method skips its receiver, a class hands them to its constructor or
to the fields of a record, an instance to the method that makes it callable. What is annotated admits some classes only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeexplore.languages.resolution import heap as h
from codeexplore.languages.resolution.arguments import Argument, Arguments
from codeexplore.languages.resolution.entities import BOUND, CLASS, FUNC, INST, OBJ, PART
from codeexplore.languages.resolution.heap import DEAD, Watcher
from codeexplore.languages.resolution.program import STATIC, Parameter

if TYPE_CHECKING:
    from codeexplore.languages.resolution.flow import Flow


class ArgumentFlow:
    """The way of arguments into parameters."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.program = flow.program
        self.heap = flow.heap
        self.entities = flow.entities
        self.rules = flow.rules
        self.hierarchy = flow.hierarchy
        self.admitted: dict[int, frozenset[int]] = {}  # parameter node → classes its annotation admits
        self._properties: dict[int, int] = {}  # a component's parameter → object of what markup passes
        self._dataclasses: dict[int, list[Parameter]] = {}

    def on_taken(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Watcher (handler, arguments)."""
        del evidence
        self.take(entity, watcher[1])

    def take(self, entity: int, arguments: Arguments) -> None:
        """Let arguments flow into the parameters of what is called."""
        kind, payload = self.entities.kind[entity], self.entities.payload[entity]
        if kind == FUNC:
            if payload in self.program.outer_receivers and not self.rules.self_parameter:
                arguments = self._with_receiver(payload, arguments)
            elif self.takes_receiver(payload):
                arguments = tuple(a._replace(key=a.key - 1) for a in arguments if isinstance(a.key, int) and a.key > 0)
            self._pass(self.program.parameters.get(payload, ()), arguments, 0)
        elif kind == BOUND:
            named = self.program.symbols[payload].name in self.rules.allocators  # given its class by hand
            self._pass(self.program.parameters.get(payload, ()), arguments, 0 if named else self._skipped(payload))
        elif kind == CLASS:
            self._construct_with(payload, arguments)
        elif kind == INST:
            self._call_with(payload, arguments)
        elif kind == PART:
            self.take(payload, arguments)

    def takes_receiver(self, function: int) -> bool:
        """Whether a function value is a method named through its type (``T::m``), given its receiver first."""
        program, own = self.program, self.program.own_class[function]
        if not self.rules.functional or own < 0 or program.roles[function] & STATIC:
            return False
        return program.symbols[function].name != program.symbols[own].name  # no constructor

    def taken(self, entity: int) -> int:
        """How many arguments a function value takes."""
        function = self.entities.payload[entity]
        if self.entities.kind[entity] not in (FUNC, BOUND):
            return 1
        unbound = self.entities.kind[entity] == FUNC and self.takes_receiver(function)
        return len(self.program.parameters.get(function, ())) + unbound

    def constructor(self, cls: int) -> int:
        """The method that runs when an instance of a class is made, -1 when nobody wrote one."""
        for name in self.rules.constructors:
            function = self.hierarchy.method(cls, name)
            if function >= 0:
                return function
        return -1

    def _construct_with(self, cls: int, arguments: Arguments) -> None:
        function = self.constructor(cls)
        for name in self.rules.allocators:  # takes the same arguments before the constructor does
            made = self.hierarchy.method(cls, name)
            if made not in (-1, function):
                self._pass(self.program.parameters.get(made, ()), arguments, self._skipped(made))
        if function >= 0:
            self._pass(self.program.parameters.get(function, ()), arguments, self._skipped(function))
        elif (underlying := self.program.underlying(cls)) >= 0:
            for argument in arguments:
                self.heap.watch(argument.node, (self.flow.containers.on_conversion, underlying))
        else:
            self._pass(self._record_fields(cls), arguments, 0)

    def _call_with(self, cls: int, arguments: Arguments) -> None:
        for name in self.rules.call_methods:
            function = self.hierarchy.method(cls, name)
            if function >= 0:
                self._pass(self.program.parameters.get(function, ()), arguments, self._skipped(function))
        if (underlying := self.program.underlying(cls)) >= 0:
            self.heap.watch(underlying, (self.on_taken, arguments))

    def _with_receiver(self, function: int, arguments: Arguments) -> Arguments:
        """A method named through its type is given its receiver as the first argument."""
        rest = []
        for argument in arguments:
            if argument.key == 0:
                self.heap.copy(argument.node, self.program.outer_receivers[function], h.FLOW)
            elif isinstance(argument.key, int):
                rest.append(argument._replace(key=argument.key - 1))
            else:
                rest.append(argument)
        return tuple(rest)

    def _skipped(self, function: int) -> int:
        """How many parameters the receiver takes."""
        return 1 if self.rules.self_parameter and not self.program.roles[function] & STATIC else 0

    def _pass(self, parameters: list[Parameter] | tuple[Parameter, ...], arguments: Arguments, skip: int) -> None:
        for argument in arguments:
            if argument.node == DEAD:
                continue
            parameter, field = _target(parameters, argument.key, skip)
            if parameter is None and parameters and self.rules.open_objects and isinstance(argument.key, str):
                self._give_property(parameters[0].node, argument)
            if parameter is None:
                continue
            if field:
                self.flow.containers.store_into(parameter.node, field, argument.node)
            elif argument.key not in ("*", "**"):
                self.flow_into(argument.node, parameter.node)

    def _give_property(self, parameter: int, argument: Argument) -> None:
        """An attribute of markup is a property of the component's one parameter."""
        if argument.key in ("*", "**"):
            self.flow_into(argument.node, parameter)
            return
        obj = self._properties.get(parameter)
        if obj is None:
            obj = self._properties[parameter] = self.flow.containers.new("dict")
            self.heap.add(parameter, self.entities.get(OBJ, obj), h.FLOW)
        self.heap.copy(argument.node, self.flow.containers.field(obj, str(argument.key)), h.FLOW)

    def flow_into(self, source: int, parameter: int) -> None:
        """An argument reaches a parameter; an annotation lets only its own classes in."""
        admitted = self.admitted.get(parameter)
        if admitted is None:
            self.heap.copy(source, parameter, h.FLOW)
        else:
            self.heap.watch(source, (self.on_admission, parameter, admitted))

    def on_admitted(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """A value reaches a variable that admits only some classes. Watcher (handler, node, classes)."""
        known = self.entities.kind[entity] == INST
        if not known or self.hierarchy.stands_for(self.entities.payload[entity], watcher[2]):
            self.heap.add(watcher[1], entity, evidence)

    def on_admission(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Watcher (handler, parameter node, classes)."""
        known = self.entities.kind[entity] == INST
        if known and not self.hierarchy.stands_for(self.entities.payload[entity], watcher[2]):
            return
        self.heap.add(watcher[1], entity, max(evidence, h.FLOW))

    def reaching(self, function: int, wanted: Parameter, site: Arguments, bound: bool) -> list[int]:
        """The nodes of the arguments that a call passes for one parameter."""
        parameters = self.program.parameters.get(function, [])
        skip = self._skipped(function) if bound else 0
        return [a.node for a in site if a.node != DEAD and _target(parameters, a.key, skip)[0] is wanted]

    def _record_fields(self, cls: int) -> list[Parameter]:
        """The fields that a record class takes as its constructor's parameters, in order."""
        known = self._dataclasses.get(cls)
        if known is None:
            known = self._dataclasses[cls] = self._fields_of(cls) if self._is_record(cls) else []
        return known

    def _is_record(self, cls: int) -> bool:
        symbol = self.program.symbols[cls]
        if symbol.kind in self.rules.record_kinds:
            return True
        last = {d.removesuffix("()").rpartition(".")[2] for d in symbol.decorators}
        if last & self.rules.record_decorators:
            return True
        bases = self.hierarchy.outside.get(cls, ())
        return any(base.rpartition(".")[2] in self.rules.record_bases for base in bases)

    def _fields_of(self, cls: int) -> list[Parameter]:
        found: dict[str, Parameter] = {}
        for current in reversed(self.hierarchy.order(cls)):
            for name, node in (self.program.names[current] or {}).items():
                symbol = self.program.constants.get(node, -1)
                if symbol >= 0 and self.program.symbols[symbol].kind == "field":
                    found[name] = Parameter(name, node, "parameter")
        return list(found.values())


def _target(
    parameters: list[Parameter] | tuple[Parameter, ...], key: int | str, skip: int
) -> tuple[Parameter | None, str]:
    """The parameter an argument reaches, and the field of it when it collects several."""
    if isinstance(key, int):
        place = key + skip
        for position, parameter in enumerate(parameters):
            if parameter.manner == "rest":
                return parameter, str(place - position)
            if parameter.manner != "parameter":
                break
            if position == place:
                return parameter, ""
        return None, ""
    collecting = None
    for parameter in parameters:
        if parameter.name == key and parameter.manner in ("parameter", "keyword"):
            return parameter, ""
        if parameter.manner == "keywords":
            collecting = parameter
    return (collecting, key) if key not in ("*", "**") else (None, "")
