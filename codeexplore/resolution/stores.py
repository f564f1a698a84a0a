"""Stores: assignments to members, elements and items of literals, instead of plain names."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable

from codeexplore.resolution import solver as h
from codeexplore.resolution.access_paths import Parsed, parse
from codeexplore.resolution.evaluator import Evaluator
from codeexplore.resolution.program import PROPERTY, SETTER
from codeexplore.resolution.solver import UNKNOWN, Watcher
from codeexplore.resolution.values import BOUND, CLASS, FUNC, INST, OBJECT, UNIT
from codeexplore.types import Binding


class Stores:
    """Stores assigned values in objects.

    `assigned` lists the methods that assignments call, such as property setters: (scope, method, abstract value of the
    receiver, provenance, line). `declare` and `assign` let a declared type and an assigned value flow to a constraint
    variable; see `BindingValues`.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        declare: Callable[[int, Binding, int], None],
        assign: Callable[[Binding, int, int], None],
    ) -> None:
        self.program, self.rules = evaluator.program, evaluator.rules
        self.solver, self.entities = evaluator.solver, evaluator.entities
        self.hierarchy, self.known, self.containers = evaluator.hierarchy, evaluator.known, evaluator.containers
        self.generics, self.steps = evaluator.generics, evaluator.steps
        self.path, self.given = evaluator.path, evaluator.given
        self._storing = [name for name in self.rules.special_methods.store if name in self.program.function_names]
        self.declare = declare
        self.assign = assign
        self.assigned: list[tuple[int, int, int, int, int]] = []
        self._parameters: set[int] = set()  # nodes of the parameters of `_functions` functions
        self._functions = 0
        self._assigned_by_methods: set[tuple[int, str]] = set()  # (type, field)

    def store(self, scope: int, row: Binding) -> None:
        """Store an assigned value in a member, an element, or an item of a literal."""
        if not row.name:
            return
        root, steps = parse(row.name)
        if not steps:
            return
        base = self.path(scope, root, row.line)
        if base in self.program.constants and row.manner == "field" and self.program.is_class(scope):
            self.declare(scope, row, self.containers.part_of(base, steps[0][1:]))  # a variant's own field
            return
        base = self.steps.follow(base, steps[:-1], scope, row.line)
        if base == UNKNOWN:
            return
        step = steps[-1]
        source = self.solver.node()
        if row.value:
            self.assign(row, self.given(scope, row), source)
        if row.type:
            self.declare(scope, row, source)
        if self.rules.builtins.open_objects and row.value[:4] == "%fn:":
            self._run_on(base, self.program.anonymous.get((self.program.file_of[scope], row.value[1:]), -1))
        if step[0] == "[":
            self._store_item(scope, row, base, step, source)
        elif step[0] == ".":
            self._store_member(scope, row, base, (root, steps), source)

    def _store_item(self, scope: int, row: Binding, base: int, step: str, source: int) -> None:
        self.containers.store_into(base, step[1:-1], source)
        self._note_keyed(scope, row, source)

    def _note_keyed(self, scope: int, row: Binding, source: int) -> None:
        known = self.program.keyed.get(scope, {}).get(row.name, ())
        for line, keyed in known[bisect_left(known, (row.sure,)) :]:
            if line != row.sure:
                break
            self.solver.add_flow(source, keyed)

    def _store_member(self, scope: int, row: Binding, base: int, path: Parsed, source: int) -> None:
        root, steps = path
        self._note_keyed(scope, row, source)
        own, name = self.program.receivers.get(base, -1), steps[-1][1:]
        if own >= 0 and len(steps) == 1:
            field = self.program.field(own, name)
            self._assigned_by_methods.add((own, name))
            if row.type:
                self.generics.note_field(field, own, scope, row.type)
        floor = h.TYPE if root[0] == "%" and len(steps) == 1 else h.FLOW  # an item of a literal
        single = base if len(steps) == 1 and own < 0 and not self._is_parameter(base) else -1
        self.solver.on_value(base, (self.on_store, name, source, scope, row.line, floor, single))

    def _is_parameter(self, node: int) -> bool:
        """Return True for a parameter: a store into it may reach any instance, as in a factory."""
        if self._functions != len(self.program.parameters):
            self._functions = len(self.program.parameters)
            self._parameters = {each.node for found in self.program.parameters.values() for each in found}
        return node in self._parameters

    def _run_on(self, base: int, function: int) -> None:
        """Let a function that is assigned to a member have the object as ``this``.

        An example is ``app.start = function () { this.stop() }``. A method of a type has the instances of its type
        instead.
        """
        program = self.program
        if function < 0 or program.own_class[function] >= 0 or function in program.outer_receivers:
            return
        if program.symbols[function].signature.startswith(("function", "async function")):
            program.stored.add(function)
        if program.has_receiver(function):
            self.solver.add_flow(base, self.known.made_by(function), h.TYPE)

    def on_store(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle an object into which a value is stored: ``value.name = source``.

        `watcher` is (this handler, name, constraint variable of the stored values, scope, line, strongest provenance,
        single). `single` is the constraint variable of the variable into whose object the value is stored; -1 for a
        receiver, a parameter or an expression. If `_is_ones_own` is True, the member is read through that variable
        only, because no other instance has it.
        """
        name, source = watcher[1], watcher[2]
        kind, payload = self.entities.kind[entity], self.entities.payload[entity]
        if kind in (INST, CLASS):
            self._store_into_type(watcher, entity, evidence)
        elif kind == UNIT:
            for file in self.program.units.files[payload][:1]:
                self.solver.add_flow(source, self.program.variable(self.program.first[file], name), h.FLOW)
        elif kind in (FUNC, BOUND):
            self.solver.add_flow(source, self.program.field(payload, name), h.FLOW)
        elif kind == OBJECT:
            self.solver.add_flow(source, self.containers.field(payload, name), watcher[5])

    def _store_into_type(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Store into a class or an instance, for `on_store`."""
        kind, payload = self.entities.kind[entity], self.entities.payload[entity]
        name, source, scope, line = watcher[1], watcher[2], watcher[3], watcher[4]
        field = self.program.field(payload, name)  # created before members are looked up, because lookups are cached
        setter = self._setter(payload, name) if kind == INST else -1
        called = [self.hierarchy.method(payload, each) for each in self._storing] if kind == INST else []
        self.assigned += [(scope, each, entity, evidence, line) for each in (*called, setter) if each >= 0]
        if setter >= 0:
            parameters = self.program.parameters.get(setter, [])
            if len(parameters) > 1:
                self.solver.add_flow(source, parameters[1].node, h.FLOW)
            return
        if kind == INST and self.rules.special_methods.descriptor_set:
            member = self.hierarchy.member(payload, name)
            if member.node >= 0 and member.node not in self.program.defined:
                self.solver.on_value(member.node, (self.on_descriptor, source, scope, line))
        if self.rules.functions.functional:  # methods read it by its bare name
            declared = self.hierarchy.member(payload, name).node
            if declared in self.program.constants:
                self.solver.on_value(source, (self.on_function, declared))
        if watcher[6] >= 0 and kind == INST and self._is_ones_own(payload, name):
            self.solver.add_flow(source, self.steps.follow(watcher[6], (f".{name}",), scope, line), h.FLOW)
            return
        self.solver.add_flow(source, field, h.SCOPE if evidence <= h.TYPE else h.FLOW)

    def _is_ones_own(self, cls: int, name: str) -> bool:
        """Return True if a member that is stored into a variable's object belongs to this object only.

        Otherwise it belongs to all instances of the type. The result is True if the type has a method of this name.
        Where objects are open (JavaScript), it is also True if the type lacks the member.
        """
        declared = self.hierarchy.member(cls, name).node
        if declared >= 0 or not self.rules.builtins.open_objects:
            return declared in self.program.defined
        return not any((each, name) in self._assigned_by_methods for each in self.hierarchy.order(cls))

    def on_function(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a value that is stored in a declared field: add it to the field if it is a function."""
        _, field = watcher
        if self.entities.kind[entity] in (FUNC, BOUND):
            self.solver.add(field, entity, max(evidence, h.FLOW))

    def on_descriptor(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle the value of a class attribute to which code assigns: if it is a descriptor, call its setter."""
        _, stored, scope, line = watcher
        payload = self.entities.payload[entity]
        if self.entities.kind[entity] == OBJECT and self.containers.flavour[payload] == "property":
            setter_node = self.containers.field(payload, "set")
            self.solver.on_value(setter_node, (self.on_setter, stored, scope, line))
            return
        if self.entities.kind[entity] != INST:
            return
        for name in self.rules.special_methods.descriptor_set:
            setter = self.hierarchy.method(self.entities.payload[entity], name)
            if setter >= 0:
                self.assigned.append((scope, setter, entity, max(evidence, h.TYPE), line))
                parameters = self.program.parameters.get(setter, [])
                if len(parameters) > 2:
                    self.solver.add_flow(stored, parameters[2].node, h.FLOW)

    def on_setter(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle the setter of a property that a call made: call it."""
        _, stored, scope, line = watcher
        if self.entities.kind[entity] in (FUNC, BOUND):
            setter = self.entities.payload[entity]
            self.assigned.append((scope, setter, entity, max(evidence, h.TYPE), line))
            for parameter in self.program.parameters.get(setter, [])[1:2]:
                self.solver.add_flow(stored, parameter.node, h.FLOW)

    def _setter(self, cls: int, name: str) -> int:
        member = self.hierarchy.member(cls, name)
        if member.node < 0 or self.program.sole.get(member.node, -1) >= 0:
            return -1
        found = self.program.defined.get(member.node, ())
        setters = [f for f in found if self.program.roles[f] & SETTER]
        return setters[0] if setters and any(self.program.roles[f] & PROPERTY for f in found) else -1
