"""Calls, the step ``()``: arguments and their flow into parameters, results, and the call sites of each callee.

Arguments flow into parameters by position or by name, or into the parameter that collects the rest. Each kind of callee
takes arguments in its own way. A method skips its receiver. A class passes them to its constructor, or to the fields of
a record. An instance passes them to the method that makes it callable. An annotated parameter admits certain classes
only. A *call site* is here the arguments of one call.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import chain, islice, product
from typing import Final, NamedTuple

from codeexplore.resolution import solver as h
from codeexplore.resolution.class_members import Members
from codeexplore.resolution.parts import ANY, UNKNOWN_KEY, EvaluatorPart, Shared
from codeexplore.resolution.program import STATIC, Parameter
from codeexplore.resolution.solver import Watcher
from codeexplore.types import Symbol

RESULT: Final = "->"
"""Key of an argument that is the result of a function, which is no value of its own."""
SPREAD: Final = "*"
SPREAD_NAMES: Final = "**"
SPREADS: Final = (SPREAD, SPREAD_NAMES)
"""Keys of an argument whose items are passed: by their positions, by their names."""


class Argument(NamedTuple):
    """One argument of a call.

    `key` is its position, its name, or `SPREAD` or `SPREAD_NAMES` for ``*x`` and ``**x``; `place` is the position of
    ``*x``. `node` is its constraint variable. For a string literal, `text` is the text, and `file` the file that
    contains it.
    """

    key: int | str
    node: int
    text: str = ""
    file: int = -1
    place: int = 0


Arguments = tuple[Argument, ...]
MAX_TEXTS = 64
_VARIABLE = re.compile(r"\{(\d+)\}")
_LEAST_KNOWN = 2  # known letters and digits in the pattern of a name
"""Maximal number of string literals that are recorded for a parameter."""


class ArgumentFlow(EvaluatorPart):
    """Flow of arguments into parameters."""

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared)
        self.admitted: dict[int, frozenset[int]] = {}  # node of a parameter → classes that its annotation admits
        self.texts: dict[int, dict[str, None]] = {}  # node of a parameter → string literals that are passed to it
        self.text_watchers: dict[int, list[Callable[[], None]]] = {}
        self._on_spread = self.on_spread  # stored once, because each access to a method makes a new object
        self._properties: dict[int, int] = {}  # a component's parameter → object with its markup attributes
        self.record_fields = cache(self._find_record_fields)
        self._is_decorated = cache(self._find_decorated)
        # T.m(x) passes the receiver of a method; of a function in a prototype, ``this`` is no argument
        self._named_with_receiver = not (self.rules.classes.self_parameter or self.rules.classes.prototype)

    def on_taken(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a value that is called: let the arguments of one call flow into its parameters."""
        _, arguments = watcher
        self.take(entity, arguments, evidence)

    def take(self, entity: int, arguments: Arguments, evidence: int = h.SCOPE) -> None:
        kind, payload = self.entities.kind[entity], self.entities.payload[entity]
        if kind == h.FUNC:
            if evidence >= h.FLOW and self._is_decorated(payload):
                arguments = tuple(a for a in arguments if a.key not in SPREADS)
            if payload in self.program.outer_receivers and self._named_with_receiver:
                arguments = self._with_receiver(payload, arguments)
            elif self.takes_receiver(payload):
                arguments = tuple(a._replace(key=a.key - 1) for a in arguments if isinstance(a.key, int) and a.key > 0)
            self._pass(self.program.parameters.get(payload, ()), arguments, 0)
        elif kind == h.BOUND:
            # called with an explicit class
            named = self.program.symbols[payload].name in self.rules.construction.allocators
            self._pass(self.program.parameters.get(payload, ()), arguments, 0 if named else self._skipped(payload))
        elif kind == h.CLASS:
            self._construct_with(payload, arguments)
        elif kind == h.INST:
            self._call_with(payload, arguments)
        elif kind == h.CONTAINER_PART:
            self.take(payload, arguments)

    def _find_decorated(self, function: int) -> bool:
        """Return True if a function was handed to a decorator.

        A wrapper's ``f(*args, **kwargs)`` passes on the arguments of calls of all functions that it wraps. But calls of
        a decorated name also pass theirs to the function itself; see `Decorations`.
        """
        lasts = (each.removesuffix("()").rpartition(".")[2] for each in self.program.symbols[function].decorators)
        return any(last and last not in self.rules.decorators.roles for last in lasts)

    def takes_receiver(self, function: int) -> bool:
        """Return True if the first argument is the receiver of a method that is named through its type: ``T::m``."""
        program, own = self.program, self.program.own_class[function]
        if not self.rules.functions.functional or own < 0 or program.roles[function] & STATIC:
            return False
        return program.symbols[function].name != program.symbols[own].name  # not a constructor

    def taken(self, entity: int) -> int:
        """Return the number of arguments that the abstract value `entity` takes when it is called."""
        function = self.entities.payload[entity]
        if self.entities.kind[entity] not in (h.FUNC, h.BOUND):
            return 1
        unbound = self.entities.kind[entity] == h.FUNC and self.takes_receiver(function)
        return len(self.program.parameters.get(function, ())) + unbound

    def constructor(self, cls: int) -> int:
        """Return the method that runs when an instance of a class is made; -1 if none is defined."""
        return self.hierarchy.first_method(cls, self.rules.construction.constructors)

    def _construct_with(self, cls: int, arguments: Arguments) -> None:
        function = self.constructor(cls)
        for name in self.rules.construction.allocators:  # takes the same arguments as the constructor
            made = self.hierarchy.method(cls, name)
            if made not in (-1, function):
                self._pass(self.program.parameters.get(made, ()), arguments, self._skipped(made))
        if function >= 0:
            self._pass(self.program.parameters.get(function, ()), arguments, self._skipped(function))
        elif (
            (underlying := self.program.underlying(cls)) >= 0
            and cls not in self.hierarchy.copied
            and not self.rules.construction.constructors  # otherwise no call of a type is a conversion
        ):
            for argument in arguments:
                self.solver.on_value(argument.node, (self.containers.on_conversion, underlying))
        else:
            self._pass(self.record_fields(cls), arguments, 0)

    def _call_with(self, cls: int, arguments: Arguments) -> None:
        for name in self.rules.special_methods.call:
            function = self.hierarchy.method(cls, name)
            if function >= 0:
                self._pass(self.program.parameters.get(function, ()), arguments, self._skipped(function))
        if (underlying := self.program.underlying(cls)) >= 0:
            self.solver.on_value_once(underlying, (self.on_taken, arguments))

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
        if function in self.program.extending:
            return 1
        return 1 if self.rules.classes.self_parameter and not self.program.roles[function] & STATIC else 0

    def _pass(self, parameters: list[Parameter] | tuple[Parameter, ...], arguments: Arguments, skip: int) -> None:
        for argument in arguments:
            if argument.node == h.UNKNOWN:
                if argument.text and (parameter := _target(parameters, argument.key, skip)[0]) is not None:
                    self.note_text(parameter.node, argument.text)
                continue
            if argument.key in SPREADS and self.rules.functions.spreads:
                self.solver.on_value(argument.node, (self._on_spread, parameters, argument, skip))
                continue
            parameter, field = _target(parameters, argument.key, skip)
            if parameter is None and parameters and self.rules.builtins.open_objects and isinstance(argument.key, str):
                self._give_property(parameters[0].node, argument)
            if parameter is None:
                continue
            if field:
                self.containers.store_into(parameter.node, field, argument.node)
            else:
                self.flow_into(argument.node, parameter.node)

    def on_spread(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a container whose items are arguments: ``f(*items)`` and ``f(**options)``.

        Items with known positions or names reach the parameters that the same arguments would reach in the call itself,
        so that a wrapper's ``f(*args, **kwargs)`` passes on what it got. Any item of unknown position may be any of the
        positional arguments from there on. What one ``**kwargs`` would hand on to another is left out: it takes as many
        steps as half of the rest, and we measured one call in 4,600 that depends on it.
        """
        _, parameters, argument, skip = watcher
        if self.entities.kind[entity] != h.OBJECT:
            return

        def give(key: str, node: int) -> None:
            by_name = argument.key == SPREAD_NAMES
            if not by_name and not key.isdigit():
                self._pass_any(parameters, node, argument.place + skip)
                return
            parameter, field = _target(parameters, key if by_name else argument.place + int(key), skip)
            if parameter is not None and not field:
                self.flow_into(node, parameter.node)
            elif parameter is not None and not by_name:
                self.containers.store_into(parameter.node, field, node)

        self.containers.each_field(self.entities.payload[entity], give)

    def _pass_any(self, parameters: Sequence[Parameter], node: int, first: int) -> None:
        """Pass the values of `node` as any of the positional arguments from the parameter at `first` on."""
        for position, parameter in enumerate(parameters):
            if parameter.manner == "rest":
                self.containers.store_into(parameter.node, UNKNOWN_KEY, node)
            if parameter.manner != "parameter":
                break
            if position >= first:
                self.flow_into(node, parameter.node)

    def note_text(self, parameter: int, text: str) -> None:
        known = self.texts.setdefault(parameter, {})
        if text not in known and len(known) < MAX_TEXTS:
            known[text] = None
            for watcher in self.text_watchers.get(parameter, ()):
                watcher()

    def on_names(self, text: str, found: Callable[[str], None], least: int = _LEAST_KNOWN) -> None:
        """Call `found` with each name that a text such as ``visit_{node}`` may be, now and later.

        A variable in it, ``{node}``, has the texts that are passed to it; without any it may be any text, a star, if
        `least` letters and digits of the name are known.
        """
        first, *rest = _VARIABLE.split(text)
        nodes, between, told = [int(each) for each in rest[::2]], rest[1::2], set[str]()

        def fill() -> None:
            known = [self.texts.get(node) or ("*",) for node in nodes]
            for texts in islice(product(*known), MAX_TEXTS):
                name = first + "".join(chain.from_iterable(zip(texts, between, strict=True)))
                if name not in told and ("*" not in name or sum(map(str.isalnum, name)) >= least):
                    told.add(name)
                    found(name)

        for node in nodes:
            self.text_watchers.setdefault(node, []).append(fill)
        fill()

    def _give_property(self, parameter: int, argument: Argument) -> None:
        """Let an attribute in markup (``<C a={x}/>``) flow into a property of the component's only parameter."""
        if argument.key in SPREADS:
            self.flow_into(argument.node, parameter)
            return
        obj = self._properties.get(parameter)
        if obj is None:
            obj = self._properties[parameter] = self.containers.new("dict")
            self.solver.add(parameter, self.entities.get(h.OBJECT, obj), h.FLOW)
        self.solver.add_flow(argument.node, self.containers.field(obj, str(argument.key)), h.FLOW)

    def flow_into(self, source: int, parameter: int) -> None:
        """Let an argument flow into a parameter; if it is annotated, only values of its classes are admitted."""
        admitted = self.admitted.get(parameter)
        if admitted is None:
            self.solver.add_flow(source, parameter, h.FLOW)
        else:
            self.solver.on_value(source, (self.on_admitted, parameter, admitted, h.FLOW))

    def on_admitted(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a value of an argument or an assignment: add it if the declared type of the variable admits it."""
        _, variable, admitted, floor = watcher
        known = self.entities.kind[entity] == h.INST
        if not known or self.hierarchy.stands_for(self.entities.payload[entity], admitted):
            self.solver.add(variable, entity, max(evidence, floor))

    def reaching(self, function: int, wanted: Parameter, site: Arguments, bound: bool) -> list[int]:
        """Return the constraint variables of the arguments that the call `site` passes to the parameter `wanted`.

        `bound` is True if the function is a method that is bound to its receiver.
        """
        parameters = self.program.parameters.get(function, [])
        skip = self._skipped(function) if bound else 0
        return [a.node for a in site if a.node != h.UNKNOWN and _target(parameters, a.key, skip)[0] is wanted]

    def _find_record_fields(self, cls: int) -> list[Parameter]:
        """Return the fields of a record class, which its constructor takes, without those that its own one names."""
        return self._fields_of(cls) if cls in self.hierarchy.copied or self._is_record(cls) else []

    def _is_record(self, cls: int) -> bool:
        symbol = self.program.symbols[cls]
        if symbol.kind in self.rules.construction.record_kinds:
            return True
        last = {d.removesuffix("()").rpartition(".")[2] for d in symbol.decorators}
        above = (base for each in self.hierarchy.order(cls) for base in self.hierarchy.outside.get(each, ()))
        bases, rules = {base.rpartition(".")[2] for base in above}, self.rules.construction
        return bool(last & rules.record_decorators or bases & rules.record_bases)

    def _fields_of(self, cls: int) -> list[Parameter]:
        found: dict[str, Parameter] = {}
        own = {each.name for each in self.program.parameters.get(self.constructor(cls), ())}
        for current in reversed(self.hierarchy.order(cls)):
            for name, node in (self.program.names[current] or {}).items():
                symbol = self.program.constants.get(node, -1)
                if symbol >= 0 and self._is_field(self.program.symbols[symbol]):
                    found[name] = Parameter(name, node, "parameter")
        return [each for each in found.values() if each.name not in own]

    def _is_field(self, symbol: Symbol) -> bool:
        """Return True for a field of a record; in Python it is annotated, or made by a function such as ``field()``."""
        head, _, value = symbol.signature.partition("=")
        rules, made = self.rules.construction, f"{value.strip().partition('(')[0]}()"
        return symbol.kind == "field" and (not rules.field_makers or ":" in head or rules.describes(made))


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
    return (collecting, key) if key not in SPREADS else (None, "")


_FEW_SITES = 8  # number of calls of one node below which a further call is compared with them
Handler = Callable[[int, int, int, list[Arguments]], None]
"""A function that lets the result of a call flow to a constraint variable.

It is called as ``handler(callee, evidence, target, sites)``: the abstract value that is called, its provenance, the
constraint variable of the result, and the arguments of each call.
"""


class Calls(EvaluatorPart):
    """Results of calls, and the call sites of each callee.

    `handlers` has a function for each kind of abstract value that may be called. `builtin_models` adds those for
    callees outside the repository.
    """

    def __init__(self, shared: Shared, members: Members) -> None:
        super().__init__(shared)
        self.members, self.generics, self.argument_flow = members, members.generics, ArgumentFlow(shared)
        self._type_names = cache(self._find_type_names)
        self._outside: dict[int, int] = {}  # entity of an outside name → entity of its result; -1 for a model
        self._sites: dict[int, list[Arguments]] = {}  # callee node → arguments of each call
        self._on_arguments = self.on_arguments  # stored once, because each access to a method makes a new object
        self.handlers: dict[int, Handler] = {
            h.FUNC: self._give_result,
            h.BOUND: self._give_result,
            h.CLASS: self._give_instance,
            h.INST: self._give_called,
            h.CONTAINER_PART: self._give_part,
            h.OBJECT: self._give_declared,
        }
        if self.rules.classes.instance_mark:
            self.handlers[h.INST] = self.handlers[h.OBJECT] = self._give_itself

    # ----------------------------------------------------------------- results

    def on_result(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a value that is called: let the result of the call flow to the constraint variable of the call.

        If its own arguments are None, those of every registered call of the callee are used.
        """
        _, target, callee, own = watcher
        sites = [own] if own is not None else self._sites.get(callee, [])
        self._give(entity, evidence, target, sites)

    def _give(self, entity: int, evidence: int, target: int, sites: list[Arguments]) -> None:
        """Let the result of calling the abstract value `entity` flow to `target`.

        `sites` has the arguments of each call.
        """
        handler = self.handlers.get(self.entities.kind[entity])
        if handler is not None:
            handler(entity, evidence, target, sites)

    def _give_result(self, entity: int, evidence: int, target: int, sites: list[Arguments]) -> None:
        function, bound = self.entities.payload[entity], self.entities.kind[entity] == h.BOUND
        if not bound or not self.generics.add_result(function, self.entities.extra[entity], target, evidence):
            self.solver.add_flow(self.program.result(function), target, max(evidence, h.RETURN))
        if not bound and function in self.program.returns_like:
            self.solver.add(
                target, self.entities.get(h.INST, self.program.own_class[function], 1), max(evidence, h.TYPE)
            )
        if function in self.program.makes_instances:
            self.solver.add(target, self.entities.get(h.INST, function), max(evidence, h.TYPE))
        for passing in self.generics.passing.get(function, ()):
            for site in sites:
                for node in self.argument_flow.reaching(function, passing.parameter, site, bound):
                    self.generics.pass_on(function, node, passing.parameter, target, evidence)
        for parameter in self.program.returned_parameters.get(function, ()):
            for site in sites:
                for node in self.argument_flow.reaching(function, parameter, site, bound):
                    self.solver.add_flow(node, target, max(evidence, h.RETURN))

    def _give_instance(self, entity: int, evidence: int, target: int, sites: list[Arguments]) -> None:
        cls = self.entities.payload[entity]
        if len(sites) == 1 and sites[0] and self._converts(cls):
            self.solver.add_flow(sites[0][0].node, target, h.TYPE)
        if self.program.is_object(cls):
            self._give_called(entity, evidence, target, sites)
            return
        instance = self.entities.get(h.INST, cls, self.entities.extra[entity])
        self.solver.add(target, instance, max(evidence, h.TYPE))
        function = self.argument_flow.constructor(cls)
        if function >= 0 and self.program.own_class[function] != cls:
            self.members.receive(function, instance)
        for name in self.rules.construction.allocators:
            made = self.hierarchy.method(cls, name)
            if made >= 0:
                self.solver.add_flow(self.program.result(made), target, max(evidence, h.RETURN))

    def _converts(self, cls: int) -> bool:
        """Return True if a call of a type converts a value to an interface, which does not change the value."""
        return self.rules.classes.structural and self.program.symbols[cls].kind == "interface"

    def _give_called(self, entity: int, evidence: int, target: int, sites: list[Arguments]) -> None:
        cls = self.entities.payload[entity]
        function = self.hierarchy.first_method(cls, self.rules.special_methods.call)
        if function >= 0:
            self._give(self.entities.get(h.BOUND, function, entity), evidence, target, sites)
        elif self.rules.classes.variants and self.program.symbols[cls].kind == "enum":
            self.solver.add(target, entity, evidence)
        elif (underlying := self.program.underlying(cls)) >= 0:
            self.solver.on_value_once(underlying, (self.on_result, target, underlying, sites[0] if sites else ()))

    def _give_part(self, entity: int, evidence: int, target: int, sites: list[Arguments]) -> None:
        self._give(self.entities.payload[entity], evidence, target, [])

    def _give_declared(self, entity: int, evidence: int, target: int, sites: list[Arguments]) -> None:
        node = self.containers.known(self.entities.payload[entity], "()")
        if node >= 0:
            self.solver.add_flow(node, target, max(evidence, h.RETURN))
        elif self.rules.builtins.called_containers:
            self.containers.read(self.entities.payload[entity], ANY, target, max(evidence, h.ELEMENT))

    def _give_itself(self, entity: int, evidence: int, target: int, sites: list[Arguments]) -> None:
        """Let the value of a field that a call reads flow to `target`."""
        self.solver.add(target, entity, evidence)

    def apply(self, callee: int, argument: int) -> int:
        """Return the variable of the result of a call with one argument, both given by their variables."""
        target = self.solver.node()
        given = (Argument(0, argument),)
        self.solver.on_value(callee, (self.on_result, target, callee, given))
        self.solver.on_value(callee, (self.argument_flow.on_taken, given))
        return target

    def of_outside(self, entity: int) -> int:
        """Return the result of calling the outside name `entity`, an outside name too; -1 if a library model has it."""
        given = self._outside.get(entity)
        if given is None:
            name = self.entities.external_name(entity)
            known = name in self.rules.builtins.functions
            given = self._outside[entity] = -1 if known else self.entities.external(self._result_name(name))
        return given

    def _result_name(self, name: str) -> str:
        """Return the name for the result of calling an outside name.

        A new instance has the name of its class, so that its method is ``pathlib.Path.exists``.
        """
        last = name.rpartition(".")[2]
        is_class = last[:1].isupper() and not last.isupper()
        if self.rules.classes.structural and is_class:
            is_class = last in self._type_names()
        return name if is_class else f"{name}()"

    def _find_type_names(self) -> frozenset[str]:
        """Return the last parts of all names that are used as a type or after ``new``: ``Path`` for ``fs.Path``."""
        rows = (row for file in self.program.references for row in file.fields("kind", "path"))
        return frozenset(path.rpartition(".")[2] for kind, path in rows if kind in ("new", "type"))

    # ----------------------------------------------------------------- sites

    def site(self, callee: int, arguments: Arguments) -> None:
        """Register one call by its arguments and the constraint variable of what is called."""
        if self._ignores_arguments(callee) and not (
            self.rules.builtins.makes and any(map(self.names_class, arguments))
        ):
            return
        known = self._sites.setdefault(callee, [])
        if len(known) < _FEW_SITES and arguments in known:
            return  # an equal call is registered
        known.append(arguments)
        self.solver.on_value(callee, (self._on_arguments, callee, arguments))

    def _ignores_arguments(self, callee: int) -> bool:
        """Return True if the constraint variable `callee` has only outside names whose results need no argument."""
        if not self.solver.is_fixed(callee):
            return False
        entities = self.solver.points_to(callee)
        return all(self.entities.kind[entity] == h.EXTERNAL and self.of_outside(entity) >= 0 for entity in entities)

    def names_class(self, argument: Argument) -> bool:
        """Return True if an argument is the name of a class."""
        node = argument.node
        named = self.solver.points_to(node) if node != h.UNKNOWN else ()
        return len(named) == 1 and any(self.entities.kind[entity] == h.CLASS for entity in named)

    def forget(self) -> None:
        self._sites.clear()

    def on_arguments(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Let the arguments of one call flow into the parameters of a called value, and its result to the call."""
        _, callee, arguments = watcher
        self.argument_flow.take(entity, arguments, evidence)
        kind = self.entities.kind[entity]
        if kind in (h.FUNC, h.BOUND):
            function = self.entities.payload[entity]
            if function not in self.program.returned_parameters and function not in self.generics.passing:
                return
        result = self.steps.existing(callee, "()")
        if result >= 0 and kind == h.CLASS and arguments and self._converts(self.entities.payload[entity]):
            self.solver.add_flow(arguments[0].node, result, h.FLOW)
        if result >= 0 and kind in (h.FUNC, h.BOUND, h.EXTERNAL, h.BOUND_METHOD):
            self._give(entity, evidence, result, [arguments])
        elif kind == h.BOUND_METHOD or (
            kind == h.EXTERNAL
            and self.rules.builtins.functions.get(self.entities.external_name(entity), "").startswith(
                ("assign", "call", "put")
            )
        ):
            self._give(entity, evidence, h.UNKNOWN, [arguments])
