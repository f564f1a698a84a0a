"""Elements, the steps ``[key]`` and ``[*]``: values of subscripts and iterations, for each kind of value."""

from __future__ import annotations

from codeexplore.resolution import solver as h
from codeexplore.resolution.class_hierarchy import Hierarchy
from codeexplore.resolution.class_members import Members
from codeexplore.resolution.containers import ANY, Containers
from codeexplore.resolution.generics import Generics
from codeexplore.resolution.path_steps import Steps
from codeexplore.resolution.program import Program
from codeexplore.resolution.solver import Watcher
from codeexplore.resolution.values import CLASS, EXTERNAL, INST, OBJECT


class Elements:
    """Values that subscripts, iterations and ``with`` statements give.

    For an instance, a special method of its class gives them, such as ``__getitem__`` or ``__iter__``.
    """

    def __init__(
        self,
        program: Program,
        hierarchy: Hierarchy,
        containers: Containers,
        members: Members,
        generics: Generics,
        steps: Steps,
    ) -> None:
        self.program, self.rules = program, program.rules
        self.solver, self.entities = program.solver, program.entities
        self.hierarchy, self.containers, self.members = hierarchy, containers, members
        self.generics, self.steps = generics, steps
        self._iterators: dict[int, int] = {}  # entity of an instance → node of its iterators

    def on_element(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a value that is subscripted: let ``value[key]`` flow to the result."""
        _, target, key = watcher
        kind, payload = self.entities.kind[entity], self.entities.payload[entity]
        if kind == OBJECT:
            if key[-1:] == ":":
                obj = self.containers.sliced(payload, int(key[:-1])) if key[:-1].isdigit() else payload
                self.solver.add(target, self.entities.get(OBJECT, obj), evidence)
            else:
                in_tuple = self.rules.functions.results_in_tuples and self.containers.flavour[payload] == "tuple"
                floor = h.RETURN if in_tuple and key.isdigit() else h.ELEMENT
                self.containers.read(payload, key, target, max(evidence, floor))
        elif kind == CLASS:  # the key is a type argument
            self.solver.add(target, entity, evidence)
        elif kind == INST:
            if key[:7] == "Symbol." and self.rules.builtins.open_objects:  # a JavaScript symbol names a method
                self.members.on_attribute((watcher[0], target, f"[{key}]"), entity, evidence)
            elif not self._result_of(self.rules.special_methods.index, entity, target, evidence):
                self._of_underlying(payload, f"[{key}]", target, evidence)
        elif kind == EXTERNAL and self.entities.external_name(entity).rpartition(".")[2] in self.rules.builtins.types:
            self.solver.add(target, entity, evidence)

    def _result_of(self, methods: tuple[str, ...], entity: int, target: int, evidence: int) -> bool:
        for name in methods:
            function = self.hierarchy.method(self.entities.payload[entity], name)
            if function >= 0:
                self.solver.add_flow(self.program.result(function), target, max(evidence, h.RETURN))
                self.generics.add_result(function, entity, target, evidence)
                if function in self.program.returns_receiver:
                    self.solver.add(target, entity, max(evidence, h.TYPE))
                return True
        return False

    def on_iterate(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a value that is iterated: let the values of the iteration flow to the loop variable."""
        _, target = watcher
        kind, payload = self.entities.kind[entity], self.entities.payload[entity]
        if kind == OBJECT:
            gives = self.rules.builtins.map_gives if self.containers.flavour[payload] == "dict" else "values"
            if gives == "pairs":
                pairs = self.entities.payload[self.containers.paired(payload, "items")]
                self.containers.read(pairs, ANY, target, max(evidence, h.ELEMENT))
            else:
                key = "%keys" if gives == "keys" else ANY
                self.solver.add_flow(self.containers.field(payload, key), target, max(evidence, h.ELEMENT))
        elif kind == INST:
            iterator = self._iterators.get(entity)
            if iterator is None:
                iterator = self._iterators[entity] = self.solver.node()
            if self._result_of(self.rules.special_methods.iterate, entity, iterator, evidence):
                self.solver.on_value(iterator, (self.on_next, target))
            elif not self._result_of(self.rules.special_methods.index, entity, target, evidence):
                self._of_underlying(payload, "[*]", target, evidence)
        elif kind == CLASS and self.rules.classes.enum_bases and self.hierarchy.is_enum(payload):
            self.solver.add(target, self.entities.get(INST, payload), max(evidence, h.TYPE))

    def _of_underlying(self, cls: int, step: str, target: int, evidence: int) -> None:
        """Let the elements of a type's underlying type (Go's ``type Stack []int``) flow to `target`."""
        underlying = self.program.underlying(cls)
        if underlying >= 0:
            self.solver.add_flow(self.steps.follow(underlying, (step,), 0, 0), target, max(evidence, h.TYPE))

    def on_next(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle an iterator: let its values flow to the loop variable."""
        _, target = watcher
        kind = self.entities.kind[entity]
        if kind == OBJECT:
            self.containers.read(self.entities.payload[entity], ANY, target, max(evidence, h.ELEMENT))
        elif kind == INST:
            self._result_of(self.rules.special_methods.next, entity, target, max(evidence, h.ELEMENT))

    def on_enter(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle the value of ``with value as name``: let the result of entering it flow to the name."""
        _, target = watcher
        kind = self.entities.kind[entity]
        if kind == INST:
            if not self._result_of(self.rules.special_methods.enter, entity, target, max(evidence, h.TYPE)):
                self.solver.add(target, entity, evidence)
        elif kind == OBJECT:
            self.containers.read(self.entities.payload[entity], ANY, target, max(evidence, h.RETURN))
        else:
            self.solver.add(target, entity, evidence)
