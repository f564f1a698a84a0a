"""Containers: literals, declared containers, and the values in them.

An *object* is the abstract value of a container or object literal. It has fields by key. The field ``*`` contains every
item, ``[]`` the items stored under an unknown key, ``()`` the result of calling the object, and ``%keys`` the keys of a
map. The *flavour* of an object is its type, such as "list", "dict" or "callable".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeexplore.resolution import solver as h
from codeexplore.resolution.solver import UNKNOWN, Watcher
from codeexplore.resolution.values import CLASS, EXTERNAL, INST, OBJECT

if TYPE_CHECKING:
    from codeexplore.resolution.evaluator import Evaluator

ANY = "*"
UNKNOWN_KEY = "[]"
HIDDEN = frozenset({"()", "%keys", "*", "prototype", *(f"%{place}" for place in range(10))})
MAX_KEYS = 256
"""Maximal number of keys of an object. Further keys count as unknown."""


class Containers:
    """Objects and their fields."""

    def __init__(self, flow: Evaluator) -> None:
        self.flow = flow
        self.solver = flow.solver
        self.entities = flow.entities
        self.rules = flow.rules
        self.fields: list[dict[str, int]] = []
        self.flavour: list[str] = []
        self._literals: dict[tuple[int, str], int] = {}  # (file, root) → node
        self.derived: dict[tuple[int, str], int] = {}
        self._on_store = self.on_store

    # ----------------------------------------------------------------- objects

    def new(self, flavour: str) -> int:
        """Return a new object of the given flavour."""
        self.fields.append({})
        self.flavour.append(flavour)
        return len(self.fields) - 1

    def literal(self, file: int, name: str, flavour: str) -> int:
        """Return the node of a container literal, which `name` identifies by its position in a file."""
        known = self._literals.get((file, name))
        if known is None:
            known = self._literals[file, name] = self.solver.fixed(self.entities.get(OBJECT, self.new(flavour)), h.TYPE)
        return known

    def part_of(self, node: int, name: str) -> int:
        """Return the node of the field `name` in the value of a constant."""
        obj = self.fresh(node, "variant")
        self.solver.add(node, self.entities.get(OBJECT, obj), h.TYPE)
        return self.field(obj, name)

    def bare(self, flavour: str) -> int:
        """Return the node of a literal whose items are unknown."""
        outside = self.rules.builtins.literals.get("%" + flavour)
        return self.flow.roots.constant(outside) if outside else UNKNOWN

    def field(self, obj: int, key: str) -> int:
        """Return the node of a field of an object.

        The field is created if it does not exist. Every field flows into ``*``.
        """
        fields = self.fields[obj]
        if key not in fields and len(fields) > MAX_KEYS and key not in HIDDEN:
            key = UNKNOWN_KEY
        node = fields.get(key)
        if node is None:
            node = fields[key] = self.solver.contents()
            if key not in HIDDEN:
                self.solver.add_flow(node, self.field(obj, ANY))
        return node

    def known(self, obj: int, key: str) -> int:
        """Return the node of a field; -1 if nothing was stored under this key."""
        return self.fields[obj].get(key, -1)

    def read(self, obj: int, key: str, target: int, floor: int) -> None:
        """Let the values that may be stored under a key flow to `target`."""
        if key in ("", ANY):
            self.solver.add_flow(self.field(obj, ANY), target, floor)
            return
        self.solver.add_flow(self.field(obj, key), target, floor)
        self.solver.add_flow(self.field(obj, UNKNOWN_KEY), target, floor)

    def store_into(self, node: int, key: str, source: int) -> None:
        """Store the values of `source` under a key of every object in `node`."""
        self.solver.on_value(node, (self._on_store, key, source))

    def on_store(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Store into one object. Watcher: (handler, key, source node)."""
        del evidence
        payload = self.entities.payload[entity]
        if self.entities.kind[entity] == OBJECT:
            self.solver.add_flow(watcher[2], self.field(payload, watcher[1] or UNKNOWN_KEY))
        elif self.entities.kind[entity] == INST and (underlying := self.flow.program.underlying(payload)) >= 0:
            self.store_into(underlying, watcher[1], watcher[2])

    def on_conversion(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Convert a value to a type defined by another type, or to an item of it.

        Watcher: (handler, node of the type's values).
        """
        node = watcher[1]
        held = self.solver.points_to(node)
        flavours = {self.flavour[self.entities.payload[e]] for e in held if self.entities.kind[e] == OBJECT}
        if self.entities.kind[entity] == OBJECT or flavours <= {"callable"}:
            self.solver.add(node, entity, max(evidence, h.FLOW))
            return
        item = self.flow.roots.held(entity)
        for container in list(held):
            if self.entities.kind[container] == OBJECT:
                self.solver.add_flow(item, self.field(self.entities.payload[container], UNKNOWN_KEY), h.FLOW)

    # ----------------------------------------------------------------- elements

    def on_element(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Let ``value[key]`` flow to `target`. Watcher: (handler, target, key)."""
        target, key = watcher[1], watcher[2]
        kind, payload = self.entities.kind[entity], self.entities.payload[entity]
        if kind == OBJECT:
            if key[-1:] == ":":
                obj = self._sliced(payload, int(key[:-1])) if key[:-1].isdigit() else payload
                self.solver.add(target, self.entities.get(OBJECT, obj), evidence)
            else:
                result = self.rules.functions.results_in_tuples and self.flavour[payload] == "tuple" and key.isdigit()
                self.read(payload, key, target, max(evidence, h.RETURN if result else h.ELEMENT))
        elif kind == CLASS:  # the key is a type argument
            self.solver.add(target, entity, evidence)
        elif kind == INST:
            if key[:7] == "Symbol." and self.rules.builtins.open_objects:  # a JavaScript symbol names a method
                self.flow.members.on_attribute((watcher[0], target, f"[{key}]"), entity, evidence)
            elif not self._result_of(self.rules.special_methods.index, entity, target, evidence):
                self._of_underlying(payload, f"[{key}]", target, evidence)
        elif kind == EXTERNAL and self.entities.external_name(entity).rpartition(".")[2] in self.rules.builtins.types:
            self.solver.add(target, entity, evidence)

    def _sliced(self, obj: int, start: int) -> int:
        """Return the object with the items of a sequence from the position `start` on."""
        known = self.derived.get((obj, f"{start}:"))
        if known is None:
            known = self.derived[obj, f"{start}:"] = self.new(self.flavour[obj])
            for key, node in list(self.fields[obj].items()):
                if key.isdigit() and int(key) >= start:
                    self.solver.add_flow(node, self.field(known, str(int(key) - start)))
            self.solver.add_flow(self.field(obj, UNKNOWN_KEY), self.field(known, UNKNOWN_KEY))
        return known

    def _result_of(self, methods: tuple[str, ...], entity: int, target: int, evidence: int) -> bool:
        for name in methods:
            function = self.flow.hierarchy.method(self.entities.payload[entity], name)
            if function >= 0:
                self.solver.add_flow(self.flow.program.result(function), target, max(evidence, h.RETURN))
                self.flow.generics.add_result(function, entity, target, evidence)
                if function in self.flow.calls.gives_receiver:
                    self.solver.add(target, entity, max(evidence, h.TYPE))
                return True
        return False

    def on_iterate(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Let the values of an iteration flow to `target`. Watcher: (handler, target)."""
        target = watcher[1]
        kind, payload = self.entities.kind[entity], self.entities.payload[entity]
        if kind == OBJECT:
            gives = self.rules.builtins.map_gives if self.flavour[payload] == "dict" else "values"
            if gives == "pairs":
                self.read(self.entities.payload[self.paired(payload, "items")], ANY, target, max(evidence, h.ELEMENT))
            else:
                key = "%keys" if gives == "keys" else ANY
                self.solver.add_flow(self.field(payload, key), target, max(evidence, h.ELEMENT))
        elif kind == INST:
            iterator = self.derived.get((entity, "iterator"))
            if iterator is None:
                iterator = self.derived[entity, "iterator"] = self.solver.node()
            if self._result_of(self.rules.special_methods.iterate, entity, iterator, evidence):
                self.solver.on_value(iterator, (self.on_next, target))
            elif not self._result_of(self.rules.special_methods.index, entity, target, evidence):
                self._of_underlying(payload, "[*]", target, evidence)
        elif kind == CLASS and self.rules.classes.enum_bases and self.flow.class_members.is_enum(payload):
            self.solver.add(target, self.entities.get(INST, payload), max(evidence, h.TYPE))

    def _of_underlying(self, cls: int, step: str, target: int, evidence: int) -> None:
        """Let the elements of the underlying type flow to `target`, for a type defined by another type."""
        underlying = self.flow.program.underlying(cls)
        if underlying >= 0:
            self.solver.add_flow(self.flow.follow(underlying, (step,), 0, 0), target, max(evidence, h.TYPE))

    def on_next(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Let the values of an iterator flow to `target`. Watcher: (handler, target)."""
        kind = self.entities.kind[entity]
        if kind == OBJECT:
            self.read(self.entities.payload[entity], ANY, watcher[1], max(evidence, h.ELEMENT))
        elif kind == INST:
            self._result_of(self.rules.special_methods.next, entity, watcher[1], max(evidence, h.ELEMENT))

    def on_enter(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Let the value bound by ``with value as name`` flow to `target`. Watcher: (handler, target)."""
        target, kind = watcher[1], self.entities.kind[entity]
        if kind == INST:
            if not self._result_of(self.rules.special_methods.enter, entity, target, max(evidence, h.TYPE)):
                self.solver.add(target, entity, evidence)
        elif kind == OBJECT:
            self.read(self.entities.payload[entity], ANY, target, max(evidence, h.RETURN))
        else:
            self.solver.add(target, entity, evidence)

    # ----------------------------------------------------------------- derived objects

    def holding(self, node: int) -> int:
        """Return the entity of a sequence whose items are the values of a node."""
        obj = self.derived.get((node, "holding"))
        if obj is None:
            obj = self.derived[node, "holding"] = self.new("list")
            self.solver.add_flow(node, self.field(obj, UNKNOWN_KEY))
        return self.entities.get(OBJECT, obj)

    def paired(self, obj: int, effect: str) -> int:
        """Return the entity of a sequence of pairs, made from the items of an object.

        With the effect "items" a pair is (key, element); with "pairs" it is (number, element).
        """
        known = self.derived.get((obj, effect))
        if known is None:
            known = self.derived[obj, effect] = self.new("list")
            pair = self.new("tuple")
            self.solver.add(self.field(known, UNKNOWN_KEY), self.entities.get(OBJECT, pair), h.ELEMENT)
            self.solver.add_flow(self.field(obj, ANY), self.field(pair, "1"))
            if effect == "items":
                self.solver.add_flow(self.field(obj, "%keys"), self.field(pair, "0"))
        return self.entities.get(OBJECT, known)

    def fresh(self, target: int, flavour: str) -> int:
        """Return the object made by the call whose result is `target`."""
        obj = self.derived.get((target, flavour))
        if obj is None:
            obj = self.derived[target, flavour] = self.new(flavour)
        return obj
