"""Parts of the evaluator, and what all of them share: known values, containers, and the steps of access paths.

A part is given the other parts that it uses, which are made before it.

An *object* is a container or an object literal, by its number. It has fields by key. The field ``*`` contains every
item, ``[]`` the items stored under an unknown key, ``()`` the result of calling the object, and ``%keys`` the keys of a
map. The *flavour* of an object is its type, such as "list", "dict" or "callable".
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import NamedTuple

from codeexplore.resolution import solver as h
from codeexplore.resolution.access_paths import PathNode, Steps
from codeexplore.resolution.class_hierarchy import Hierarchy
from codeexplore.resolution.program import Program
from codeexplore.resolution.solver import INST, OBJECT, Watcher


class KnownNodes:
    """Constraint variables with known values. There is only one for each value, and it is made when it is first used.

    `receivers` has the constraint variables of receivers (``self``, ``this``). A key is (`INST` or `CLASS`, number of
    the type): the receiver is an instance of the type, or the type itself.
    """

    def __init__(self, program: Program) -> None:
        self.program, self.solver, self.entities = program, program.solver, program.entities
        self.receivers: dict[tuple[int, int], int] = {}
        self._fixed: dict[int, int] = {}  # entity → node
        self._made: dict[int, int] = {}  # constructor function → node
        self._eithers: dict[tuple[int, int], int] = {}

    def value(self, entity: int) -> int:
        """Return the constraint variable whose only value is the abstract value `entity`."""
        node = self._fixed.get(entity)
        if node is None:
            node = self._fixed[entity] = self.solver.fixed(entity, h.SCOPE)
        return node

    def external(self, name: str) -> int:
        return self.value(self.entities.external(name))

    def module(self, unit: int) -> int:
        return self.value(self.entities.get(h.UNIT, unit))

    def type_itself(self, cls: int) -> int:
        """Return the variable of a type that is used as a value. All parts of a type share it."""
        return self.value(self.entities.get(h.CLASS, self.program.whole.get(cls, cls)))

    def receiver(self, kind: int, cls: int) -> int:
        """Return the constraint variable of the receiver in the methods of a type.

        The receiver is an instance of the type or of a subtype if `kind` is `INST`. It is the type itself, or a
        subtype, if `kind` is `CLASS`.
        """
        node = self.receivers.get((kind, cls), -1)
        if node < 0:
            node = self.receivers[kind, cls] = self.solver.node()
            self.solver.add(node, self.entities.get(kind, cls, 1), h.SELF)
        return node

    def made_by(self, function: int) -> int:
        node = self._made.get(function)
        if node is None:
            node = self._made[function] = self.solver.node()
            self.solver.add(node, self.entities.get(h.INST, function, 1), h.SCOPE)
        return node

    def either(self, one: int, other: int) -> int:
        """Return a constraint variable that has the values of both given constraint variables."""
        if h.UNKNOWN in (one, other) or one == other:
            return max(one, other)
        node = self._eithers.get((one, other), -1)
        if node < 0:
            node = self._eithers[one, other] = self.solver.node()
            self.solver.add_flow(one, node)
            self.solver.add_flow(other, node)
        return node


ANY = "*"
UNKNOWN_KEY = "[]"
HIDDEN = frozenset({"()", "%keys", "*", "prototype", *(f"%{place}" for place in range(10))})
MAX_KEYS = 256
"""Maximal number of keys of an object. Further keys count as unknown."""


class Containers:
    """Objects, and the constraint variables of their fields.

    `fields` maps keys to constraint variables, and `flavour` has the type; both by the number of the object.
    """

    def __init__(self, program: Program, known: KnownNodes) -> None:
        self.program, self.known_nodes = program, known
        self.solver, self.entities = program.solver, program.entities
        self.fields: list[dict[str, int]] = []
        self.flavour: list[str] = []
        self._literals: dict[tuple[int, str], int] = {}  # (file, root) → node
        self.derived: dict[tuple[int, str], int] = {}
        self._on_field: dict[int, list[Callable[[str, int], None]]] = {}
        self._on_store = self.on_store

    # ----------------------------------------------------------------- objects

    def new(self, flavour: str) -> int:
        self.fields.append({})
        self.flavour.append(sys.intern(flavour))  # that of a literal is a part of its text
        return len(self.fields) - 1

    def literal(self, file: int, name: str, flavour: str) -> int:
        """Return the constraint variable of a container literal. `name` contains its position in the file."""
        known = self._literals.get((file, name))
        if known is None:
            known = self._literals[file, name] = self.solver.fixed(self.entities.get(OBJECT, self.new(flavour)), h.TYPE)
        return known

    def part_of(self, node: int, name: str) -> int:
        """Return the variable of the field `name` in the object that is the value of the constant `node`."""
        obj = self.fresh(node, "variant")
        self.solver.add(node, self.entities.get(OBJECT, obj), h.TYPE)
        return self.field(obj, name)

    def field(self, obj: int, key: str) -> int:
        """Return the variable of a field, created if missing; its values flow into the field ``*`` too."""
        fields = self.fields[obj]
        if key not in fields and len(fields) > MAX_KEYS and key not in HIDDEN:
            key = UNKNOWN_KEY
        node = fields.get(key)
        if node is None:
            node = fields[key] = self.solver.contents()
            if key not in HIDDEN:
                self.solver.add_flow(node, self.field(obj, ANY))
                for found in list(self._on_field.get(obj, ())):
                    found(key, node)
        return node

    def each_field(self, obj: int, found: Callable[[str, int], None]) -> None:
        """Call `found` with the key and the constraint variable of each field of an object, now and later."""
        self._on_field.setdefault(obj, []).append(found)
        for key, node in list(self.fields[obj].items()):
            if key not in HIDDEN:
                found(key, node)

    def known(self, obj: int, key: str) -> int:
        """Return the constraint variable of a field of an object; -1 if nothing was stored under this key."""
        return self.fields[obj].get(key, -1)

    def read(self, obj: int, key: str, target: int, floor: int) -> None:
        """Let the values under a key flow to `target`, at best with the provenance `floor`."""
        if key in ("", ANY):
            self.solver.add_flow(self.field(obj, ANY), target, floor)
            return
        self.solver.add_flow(self.field(obj, key), target, floor)
        self.solver.add_flow(self.field(obj, UNKNOWN_KEY), target, floor)

    def store_into(self, node: int, key: str, source: int) -> None:
        """Store the values of `source` under a key of every object that is a value of `node`."""
        self.solver.on_value(node, (self._on_store, key, source))

    def on_store(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle an object into which a value is stored."""
        _, key, stored = watcher
        payload = self.entities.payload[entity]
        if self.entities.kind[entity] == OBJECT:
            self.solver.add_flow(stored, self.field(payload, key or UNKNOWN_KEY))
        elif self.entities.kind[entity] == INST and (underlying := self.program.underlying(payload)) >= 0:
            self.solver.on_value_once(underlying, watcher)

    def on_conversion(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a value that is converted to a type defined by another type, such as Go's ``type Stack []int``.

        The value, or an item of it, is added to the values of the underlying type. An instance of a type of that kind
        gives what its own underlying type holds.
        """
        _, node = watcher
        inner = self.program.underlying(self.entities.payload[entity]) if self.entities.kind[entity] == INST else -1
        if inner >= 0:
            if inner != node:
                self.solver.add_flow(inner, node, h.FLOW)
            return
        held = self.solver.points_to(node)
        flavours = {self.flavour[self.entities.payload[e]] for e in held if self.entities.kind[e] == OBJECT}
        if self.entities.kind[entity] == OBJECT or flavours <= {"callable"}:
            self.solver.add(node, entity, max(evidence, h.FLOW))
            return
        item = self.known_nodes.value(entity)
        for container in list(held):
            if self.entities.kind[container] == OBJECT:
                self.solver.add_flow(item, self.field(self.entities.payload[container], UNKNOWN_KEY), h.FLOW)

    # ----------------------------------------------------------------- derived objects

    def sliced(self, obj: int, start: int) -> int:
        """Return the number of an object with the items of the sequence `obj` from the position `start` on."""
        known = self.derived.get((obj, f"{start}:"))
        if known is None:
            known = self.derived[obj, f"{start}:"] = self.new(self.flavour[obj])
            for key, node in list(self.fields[obj].items()):
                if key.isdigit() and int(key) >= start:
                    self.solver.add_flow(node, self.field(known, str(int(key) - start)))
            self.solver.add_flow(self.field(obj, UNKNOWN_KEY), self.field(known, UNKNOWN_KEY))
        return known

    def holding(self, node: int) -> int:
        """Return the abstract value of a sequence whose items are the values of the constraint variable `node`."""
        obj = self.derived.get((node, "holding"))
        if obj is None:
            obj = self.derived[node, "holding"] = self.new("list")
            self.solver.add_flow(node, self.field(obj, UNKNOWN_KEY))
        return self.entities.get(OBJECT, obj)

    def gone_through(self, obj: int, effect: str) -> int:
        """Return what an effect gives to go through a container with: pairs, items, or an iterator."""
        return self.iterator(obj) if effect == "iterator" else self.paired(obj, effect)

    def paired(self, obj: int, effect: str) -> int:
        """Return a sequence of pairs: (key, element) for the effect "items", (number, element) for "pairs"."""
        known = self.derived.get((obj, effect))
        if known is None:
            known = self.derived[obj, effect] = self.new("list")
            pair = self.new("tuple")
            self.solver.add(self.field(known, UNKNOWN_KEY), self.entities.get(OBJECT, pair), h.ELEMENT)
            self.solver.add_flow(self.field(obj, ANY), self.field(pair, "1"))
            if effect == "items":
                self.solver.add_flow(self.field(obj, "%keys"), self.field(pair, "0"))
        return self.entities.get(OBJECT, known)

    def iterator(self, obj: int) -> int:
        """Return an iterator of C++ over a container, as a value: an object whose items are what it may point to."""
        known = self.derived.get((obj, "iterator"))
        if known is None:
            known = self.derived[obj, "iterator"] = self.new("iterator")
            pairs = self.paired(obj, "items") if self.flavour[obj] == "dict" else -1
            items = self.entities.payload[pairs] if pairs >= 0 else obj
            self.solver.add_flow(self.field(items, ANY), self.field(known, UNKNOWN_KEY))
        return self.entities.get(OBJECT, known)

    def fresh(self, target: int, flavour: str) -> int:
        """Return the number of the object that a call makes, whose result is the variable `target`."""
        obj = self.derived.get((target, flavour))
        if obj is None:
            obj = self.derived[target, flavour] = self.new(flavour)
        return obj


class Shared(NamedTuple):
    """The objects that every part may use; `Evaluator` makes them."""

    program: Program
    hierarchy: Hierarchy
    known: KnownNodes
    containers: Containers
    steps: Steps
    path: PathNode


class EvaluatorPart:
    """A part of the evaluator, or of the analysis around it."""

    def __init__(self, shared: Shared) -> None:
        self.program, self.hierarchy, self.known, self.containers, self.steps, self.path = shared
        self.rules, self.solver, self.entities = self.program.rules, self.program.solver, self.program.entities
