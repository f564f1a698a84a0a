"""Arguments of calls, and their flow into the parameters of the callee.

Arguments flow into parameters by position or by name, or into the parameter that collects the rest. Each kind of callee
takes arguments in its own way. A method skips its receiver. A class passes them to its constructor, or to the fields of
a record. An instance passes them to the method that makes it callable. An annotated parameter admits certain classes
only.
"""

from __future__ import annotations

from typing import NamedTuple

from codeexplore.resolution import solver as h
from codeexplore.resolution.class_hierarchy import Hierarchy
from codeexplore.resolution.containers import Containers
from codeexplore.resolution.program import STATIC, Parameter, Program
from codeexplore.resolution.solver import UNKNOWN, Watcher
from codeexplore.resolution.values import BOUND, CLASS, CONTAINER_PART, FUNC, INST, OBJECT


class Argument(NamedTuple):
    """One argument of a call.

    `key` is its position, its name, ``*`` or ``**``. `node` is its constraint variable. For a string literal, `text` is
    the text, and `file` the file that contains it.
    """

    key: int | str
    node: int
    text: str = ""
    file: int = -1


Arguments = tuple[Argument, ...]


class ArgumentFlow:
    """Flow of arguments into parameters."""

    def __init__(self, program: Program, hierarchy: Hierarchy, containers: Containers) -> None:
        self.program, self.rules = program, program.rules
        self.solver, self.entities = program.solver, program.entities
        self.hierarchy, self.containers = hierarchy, containers
        self.admitted: dict[int, frozenset[int]] = {}  # node of a parameter → classes that its annotation admits
        self._properties: dict[int, int] = {}  # a component's parameter → object with its markup attributes
        self._dataclasses: dict[int, list[Parameter]] = {}

    def on_taken(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a value that is called: let the arguments of one call flow into its parameters."""
        _, arguments = watcher
        del evidence
        self.take(entity, arguments)

    def take(self, entity: int, arguments: Arguments) -> None:
        kind, payload = self.entities.kind[entity], self.entities.payload[entity]
        if kind == FUNC:
            if payload in self.program.outer_receivers and not self.rules.classes.self_parameter:
                arguments = self._with_receiver(payload, arguments)
            elif self.takes_receiver(payload):
                arguments = tuple(a._replace(key=a.key - 1) for a in arguments if isinstance(a.key, int) and a.key > 0)
            self._pass(self.program.parameters.get(payload, ()), arguments, 0)
        elif kind == BOUND:
            named = (
                self.program.symbols[payload].name in self.rules.construction.allocators
            )  # called with an explicit class
            self._pass(self.program.parameters.get(payload, ()), arguments, 0 if named else self._skipped(payload))
        elif kind == CLASS:
            self._construct_with(payload, arguments)
        elif kind == INST:
            self._call_with(payload, arguments)
        elif kind == CONTAINER_PART:
            self.take(payload, arguments)

    def takes_receiver(self, function: int) -> bool:
        """Return True if the first argument is the receiver of a method that is named through its type: ``T::m``."""
        program, own = self.program, self.program.own_class[function]
        if not self.rules.functions.functional or own < 0 or program.roles[function] & STATIC:
            return False
        return program.symbols[function].name != program.symbols[own].name  # not a constructor

    def taken(self, entity: int) -> int:
        """Return the number of arguments that the abstract value `entity` takes when it is called."""
        function = self.entities.payload[entity]
        if self.entities.kind[entity] not in (FUNC, BOUND):
            return 1
        unbound = self.entities.kind[entity] == FUNC and self.takes_receiver(function)
        return len(self.program.parameters.get(function, ())) + unbound

    def constructor(self, cls: int) -> int:
        """Return the method that runs when an instance of a class is made; -1 if none is defined."""
        for name in self.rules.construction.constructors:
            function = self.hierarchy.method(cls, name)
            if function >= 0:
                return function
        return -1

    def _construct_with(self, cls: int, arguments: Arguments) -> None:
        function = self.constructor(cls)
        for name in self.rules.construction.allocators:  # takes the same arguments as the constructor
            made = self.hierarchy.method(cls, name)
            if made not in (-1, function):
                self._pass(self.program.parameters.get(made, ()), arguments, self._skipped(made))
        if function >= 0:
            self._pass(self.program.parameters.get(function, ()), arguments, self._skipped(function))
        elif (underlying := self.program.underlying(cls)) >= 0:
            for argument in arguments:
                self.solver.on_value(argument.node, (self.containers.on_conversion, underlying))
        else:
            self._pass(self._record_fields(cls), arguments, 0)

    def _call_with(self, cls: int, arguments: Arguments) -> None:
        for name in self.rules.special_methods.call:
            function = self.hierarchy.method(cls, name)
            if function >= 0:
                self._pass(self.program.parameters.get(function, ()), arguments, self._skipped(function))
        if (underlying := self.program.underlying(cls)) >= 0:
            self.solver.on_value(underlying, (self.on_taken, arguments))

    def _with_receiver(self, function: int, arguments: Arguments) -> Arguments:
        """Return the arguments without the first one, which flows into the receiver of the method."""
        rest = []
        for argument in arguments:
            if argument.key == 0:
                self.solver.add_flow(argument.node, self.program.outer_receivers[function], h.FLOW)
            elif isinstance(argument.key, int):
                rest.append(argument._replace(key=argument.key - 1))
            else:
                rest.append(argument)
        return tuple(rest)

    def _skipped(self, function: int) -> int:
        """Return the number of parameters that the receiver takes: 1 or 0."""
        return 1 if self.rules.classes.self_parameter and not self.program.roles[function] & STATIC else 0

    def _pass(self, parameters: list[Parameter] | tuple[Parameter, ...], arguments: Arguments, skip: int) -> None:
        for argument in arguments:
            if argument.node == UNKNOWN:
                continue
            parameter, field = _target(parameters, argument.key, skip)
            if parameter is None and parameters and self.rules.builtins.open_objects and isinstance(argument.key, str):
                self._give_property(parameters[0].node, argument)
            if parameter is None:
                continue
            if field:
                self.containers.store_into(parameter.node, field, argument.node)
            elif argument.key not in ("*", "**"):
                self.flow_into(argument.node, parameter.node)

    def _give_property(self, parameter: int, argument: Argument) -> None:
        """Let an attribute in markup (``<C a={x}/>``) flow into a property of the component's only parameter."""
        if argument.key in ("*", "**"):
            self.flow_into(argument.node, parameter)
            return
        obj = self._properties.get(parameter)
        if obj is None:
            obj = self._properties[parameter] = self.containers.new("dict")
            self.solver.add(parameter, self.entities.get(OBJECT, obj), h.FLOW)
        self.solver.add_flow(argument.node, self.containers.field(obj, str(argument.key)), h.FLOW)

    def flow_into(self, source: int, parameter: int) -> None:
        """Let an argument flow into a parameter; if it is annotated, only values of its classes are admitted."""
        admitted = self.admitted.get(parameter)
        if admitted is None:
            self.solver.add_flow(source, parameter, h.FLOW)
        else:
            self.solver.on_value(source, (self.on_admission, parameter, admitted))

    def on_admitted(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a value that is assigned to a variable with a declared type: add it if the type admits it."""
        _, variable, admitted = watcher
        known = self.entities.kind[entity] == INST
        if not known or self.hierarchy.stands_for(self.entities.payload[entity], admitted):
            self.solver.add(variable, entity, evidence)

    def on_admission(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a value of an argument: add it to an annotated parameter if the annotation admits it."""
        _, parameter, admitted = watcher
        known = self.entities.kind[entity] == INST
        if known and not self.hierarchy.stands_for(self.entities.payload[entity], admitted):
            return
        self.solver.add(parameter, entity, max(evidence, h.FLOW))

    def reaching(self, function: int, wanted: Parameter, site: Arguments, bound: bool) -> list[int]:
        """Return the constraint variables of the arguments that the call `site` passes to the parameter `wanted`.

        `bound` is True if the function is a method that is bound to its receiver.
        """
        parameters = self.program.parameters.get(function, [])
        skip = self._skipped(function) if bound else 0
        return [a.node for a in site if a.node != UNKNOWN and _target(parameters, a.key, skip)[0] is wanted]

    def _record_fields(self, cls: int) -> list[Parameter]:
        """Return the fields of a record class, which are the parameters of its constructor."""
        known = self._dataclasses.get(cls)
        if known is None:
            known = self._dataclasses[cls] = self._fields_of(cls) if self._is_record(cls) else []
        return known

    def _is_record(self, cls: int) -> bool:
        symbol = self.program.symbols[cls]
        if symbol.kind in self.rules.construction.record_kinds:
            return True
        last = {d.removesuffix("()").rpartition(".")[2] for d in symbol.decorators}
        if last & self.rules.construction.record_decorators:
            return True
        bases = self.hierarchy.outside.get(cls, ())
        return any(base.rpartition(".")[2] in self.rules.construction.record_bases for base in bases)

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
    """Return the parameter that an argument with the given key reaches, or None.

    The second item of the result is "", or the key of the argument in a parameter that collects several arguments.
    `skip` is the number of parameters that the receiver takes.
    """
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
