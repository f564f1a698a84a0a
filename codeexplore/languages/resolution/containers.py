"""Containers: literals, declared ones, and what their own methods and well-known outside functions do.

An *object* has fields by key. ``*`` holds every item, ``[]`` those stored under an unknown key, ``()`` what calling it
gives, ``%keys`` a map's keys.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeexplore.languages.resolution import heap as h
from codeexplore.languages.resolution.entities import BOUND, CLASS, EXT, FUNC, INST, OBJ, PART
from codeexplore.languages.resolution.heap import DEAD, Watcher

if TYPE_CHECKING:
    from codeexplore.languages.resolution.calls import Argument, Arguments
    from codeexplore.languages.resolution.flow import Flow

ANY = "*"
UNKNOWN_KEY = "[]"
_HIDDEN = frozenset({"()", "%keys", "*", "prototype", *(f"%{place}" for place in range(10))})
MAX_KEYS = 64
"""Keys told apart in one object; further ones count as unknown."""


class Containers:
    """Objects and what is in them."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.heap = flow.heap
        self.entities = flow.entities
        self.rules = flow.rules
        self.fields: list[dict[str, int]] = []
        self.flavour: list[str] = []
        self._literals: dict[tuple[int, str], tuple[int, int]] = {}  # (file, root) → (node, object)
        self._derived: dict[tuple[int, str], int] = {}

    # ----------------------------------------------------------------- objects

    def new(self, flavour: str) -> int:
        """A new object."""
        self.fields.append({})
        self.flavour.append(flavour)
        return len(self.fields) - 1

    def literal(self, file: int, name: str, flavour: str) -> int:
        """The node of a container literal by its place in a file."""
        known = self._literals.get((file, name))
        if known is None:
            obj, node = self.new(flavour), self.heap.node()
            self.heap.add(node, self.entities.get(OBJ, obj), h.TYPE)
            known = self._literals[file, name] = (node, obj)
        return known[0]

    def bare(self, flavour: str) -> int:
        """The node of a literal nobody knows the items of."""
        outside = self.rules.literals.get("%" + flavour)
        return self.flow.constant(outside) if outside else DEAD

    def field(self, obj: int, key: str) -> int:
        """The node of an object's field, made if need be; every field flows into ``*``."""
        fields = self.fields[obj]
        if key not in fields and len(fields) > MAX_KEYS and key not in _HIDDEN:
            key = UNKNOWN_KEY
        node = fields.get(key)
        if node is None:
            node = fields[key] = self.heap.node()
            if key not in _HIDDEN:
                self.heap.copy(node, self.field(obj, ANY))
        return node

    def known(self, obj: int, key: str) -> int:
        """The node of a field, -1 when nothing was stored under that key."""
        return self.fields[obj].get(key, -1)

    def read(self, obj: int, key: str, target: int, floor: int) -> None:
        """Let what may stand under a key flow to `target`."""
        if key in ("", ANY):
            self.heap.copy(self.field(obj, ANY), target, floor)
            return
        self.heap.copy(self.field(obj, key), target, floor)
        self.heap.copy(self.field(obj, UNKNOWN_KEY), target, floor)

    def store_into(self, node: int, key: str, source: int) -> None:
        """Store into every object that `node` holds."""
        self.heap.watch(node, (self.on_store, key, source))

    def on_store(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Watcher (handler, key, source node)."""
        del evidence
        payload = self.entities.payload[entity]
        if self.entities.kind[entity] == OBJ:
            self.heap.copy(watcher[2], self.field(payload, watcher[1] or UNKNOWN_KEY))
        elif self.entities.kind[entity] == INST and (underlying := self.flow.program.underlying(payload)) >= 0:
            self.store_into(underlying, watcher[1], watcher[2])

    def on_conversion(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """A value becomes one of a type defined by another type, or an item of it. Watcher (handler, node of such values)."""
        node = watcher[1]
        held = self.heap.values[node] or {}
        flavours = {self.flavour[self.entities.payload[e]] for e in held if self.entities.kind[e] == OBJ}
        if self.entities.kind[entity] == OBJ or flavours <= {"callable"}:
            self.heap.add(node, entity, max(evidence, h.FLOW))
            return
        item = self.flow.held(entity)
        for container in list(held):
            if self.entities.kind[container] == OBJ:
                self.heap.copy(item, self.field(self.entities.payload[container], UNKNOWN_KEY), h.FLOW)

    # ----------------------------------------------------------------- elements

    def on_element(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """``value[key]``. Watcher (handler, target, key)."""
        target, key = watcher[1], watcher[2]
        kind, payload = self.entities.kind[entity], self.entities.payload[entity]
        if kind == OBJ:
            if key[-1:] == ":":
                obj = self._sliced(payload, int(key[:-1])) if key[:-1].isdigit() else payload
                self.heap.add(target, self.entities.get(OBJ, obj), evidence)
            else:
                self.read(payload, key, target, max(evidence, h.ELEMENT))
        elif kind == CLASS:  # a generic type's arguments
            self.heap.add(target, entity, evidence)
        elif kind == INST:
            if not self._result_of(self.rules.index_methods, entity, target, evidence):
                self._of_underlying(payload, f"[{key}]", target, evidence)
        elif kind == EXT and self.entities.external_name(entity).rpartition(".")[2] in self.rules.types:
            self.heap.add(target, entity, evidence)

    def _sliced(self, obj: int, start: int) -> int:
        """The object of a sequence's items from a place on."""
        known = self._derived.get((obj, f"{start}:"))
        if known is None:
            known = self._derived[obj, f"{start}:"] = self.new(self.flavour[obj])
            for key, node in list(self.fields[obj].items()):
                if key.isdigit() and int(key) >= start:
                    self.heap.copy(node, self.field(known, str(int(key) - start)))
            self.heap.copy(self.field(obj, UNKNOWN_KEY), self.field(known, UNKNOWN_KEY))
        return known

    def _result_of(self, methods: tuple[str, ...], entity: int, target: int, evidence: int) -> bool:
        for name in methods:
            function = self.flow.hierarchy.method(self.entities.payload[entity], name)
            if function >= 0:
                self.heap.copy(self.flow.program.result(function), target, max(evidence, h.RETURN))
                self.flow.generics.give(function, entity, target, evidence)
                if function in self.flow.calls.gives_receiver:
                    self.heap.add(target, entity, max(evidence, h.TYPE))
                return True
        return False

    def on_iterate(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """What iterating gives. Watcher (handler, target)."""
        target = watcher[1]
        kind, payload = self.entities.kind[entity], self.entities.payload[entity]
        if kind == OBJ:
            gives = self.rules.map_gives if self.flavour[payload] == "dict" else "values"
            if gives == "pairs":
                self.read(self.entities.payload[self._paired(payload, "items")], ANY, target, max(evidence, h.ELEMENT))
            else:
                key = "%keys" if gives == "keys" else ANY
                self.heap.copy(self.field(payload, key), target, max(evidence, h.ELEMENT))
        elif kind == INST:
            iterator = self._derived.get((entity, "iterator"))
            if iterator is None:
                iterator = self._derived[entity, "iterator"] = self.heap.node()
            if self._result_of(self.rules.iterate_methods, entity, iterator, evidence):
                self.heap.watch(iterator, (self.on_next, target))
            elif not self._result_of(self.rules.index_methods, entity, target, evidence):
                self._of_underlying(payload, "[*]", target, evidence)

    def _of_underlying(self, cls: int, step: str, target: int, evidence: int) -> None:
        """A type defined by another type has its elements."""
        underlying = self.flow.program.underlying(cls)
        if underlying >= 0:
            self.heap.copy(self.flow.follow(underlying, (step,), 0, 0), target, max(evidence, h.TYPE))

    def on_next(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """What an iterator gives. Watcher (handler, target)."""
        kind = self.entities.kind[entity]
        if kind == OBJ:
            self.read(self.entities.payload[entity], ANY, watcher[1], max(evidence, h.ELEMENT))
        elif kind == INST:
            self._result_of(self.rules.next_methods, entity, watcher[1], max(evidence, h.ELEMENT))

    def on_enter(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """What ``with value as name`` binds. Watcher (handler, target)."""
        target, kind = watcher[1], self.entities.kind[entity]
        if kind == INST:
            if not self._result_of(self.rules.enter_methods, entity, target, max(evidence, h.TYPE)):
                self.heap.add(target, entity, evidence)
        elif kind == OBJ:
            self.read(self.entities.payload[entity], ANY, target, max(evidence, h.RETURN))
        else:
            self.heap.add(target, entity, evidence)

    # ----------------------------------------------------------------- known effects

    def call(self, method: int, evidence: int, target: int, sites: list[Arguments]) -> None:
        """Call a container's own method."""
        receiver = self.entities.payload[method]
        effect = self.rules.container_methods.get(self.entities.texts[self.entities.extra[method]], "itself")
        if self.entities.kind[receiver] != OBJ:
            self._call_on_value(receiver, effect, evidence, target, sites)
            return
        obj, floor = self.entities.payload[receiver], max(evidence, h.ELEMENT)
        if effect in ("element", "else"):
            self.read(obj, ANY, target, floor)
        elif effect in ("same", "itself", "each", "compare"):
            self.heap.add(target, receiver, evidence)
        elif effect in ("pairs", "items"):
            self.heap.add(target, self._paired(obj, effect), floor)
        for site in sites:
            self._store(effect, obj, site, target, floor)

    def _call_on_value(self, receiver: int, effect: str, evidence: int, target: int, sites: list[Arguments]) -> None:
        """A method of a wrapper gives what it wraps; ``f.call(x)`` calls a function, ``f.bind(x)`` gives it."""
        kind = self.entities.kind[receiver]
        if effect == "call" and kind in (FUNC, BOUND):
            self.heap.copy(self.flow.program.result(self.entities.payload[receiver]), target, max(evidence, h.RETURN))
            for site in sites:
                given = tuple(a._replace(key=a.key - 1) for a in site if isinstance(a.key, int) and a.key > 0)
                self.flow.calls.take(receiver, given)
        elif kind == INST and effect in ("map", "call", "each"):  # a wrapper's value is handed to a function
            for site in sites:
                for argument in site:
                    self.feed(argument.node, self.flow.held(receiver), target, "call" if effect == "map" else effect)
            if effect == "each":
                self.heap.add(target, receiver, evidence)
        else:
            self.heap.add(target, receiver, evidence)

    def _store(self, effect: str, obj: int, site: Arguments, target: int, floor: int) -> None:
        if effect == "element" and site:  # d.get(key, default)
            for argument in site[1:]:
                self.heap.copy(argument.node, target, floor)
        if effect in ("element", "same") and self.rules.gives_callbacks:  # find(predicate), filter(predicate)
            for argument in site:
                self.feed(argument.node, self.field(obj, ANY), DEAD, "each")
        elif effect in ("else", "compare", "fold"):
            self._combine(effect, obj, site, target, floor)
        elif effect in ("store", "store_last"):
            for argument in site[-1:] if effect == "store_last" else site:
                self.heap.copy(argument.node, self.field(obj, UNKNOWN_KEY), h.FLOW)
                if effect == "store_last":
                    self.read(obj, ANY, target, floor)
        elif effect == "extend":
            for argument in site:
                self.heap.watch(argument.node, (self.on_extend, obj))
        elif effect in ("each", "map", "call"):
            for argument in site:
                self.feed(argument.node, self.field(obj, ANY), target, effect)

    def _combine(self, effect: str, obj: int, site: Arguments, target: int, floor: int) -> None:
        if effect == "fold" and len(site) < 2:
            self.read(obj, ANY, target, floor)
        for argument in site:
            if effect != "compare":
                self.heap.watch(argument.node, (self.on_default, target, floor))
            self.feed(argument.node, self.field(obj, ANY), target, "call" if effect == "else" else effect)

    def on_default(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """A value that stands in for an element. Watcher (handler, target, evidence)."""
        if self.entities.kind[entity] not in (FUNC, BOUND, CLASS):
            self.heap.add(watcher[1], entity, max(evidence, watcher[2]))

    def on_extend(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """The items of one container join another. Watcher (handler, object)."""
        if self.entities.kind[entity] != OBJ:
            return
        source, obj = self.entities.payload[entity], watcher[1]
        if source != obj:
            for key, node in list(self.fields[source].items()):
                if key not in _HIDDEN:
                    self.heap.copy(node, self.field(obj, key), max(evidence, h.FLOW))
            self.heap.copy(self.field(source, ANY), self.field(obj, UNKNOWN_KEY), h.FLOW)

    def feed(self, function: int, items: int, target: int, effect: str) -> None:
        """A function argument is called with items; its results go to `target` as `effect` says."""
        self.heap.watch(function, (self.on_feed, items, target, effect))

    def on_feed(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Watcher (handler, node of the items, target, effect)."""
        items, target, effect = watcher[1], watcher[2], watcher[3]
        kind, payload = self.entities.kind[entity], self.entities.payload[entity]
        if kind not in (FUNC, BOUND, CLASS, PART):
            return
        from codeexplore.languages.resolution.calls import Argument

        first = target if effect == "fold" else items
        given = (Argument(0, first), Argument(1, items)) if effect in ("fold", "compare") else (Argument(0, items),)
        if kind == FUNC and self.flow.program.symbols[payload].kind == "lambda":  # nobody else calls it
            for argument, parameter in zip(given, self.flow.program.parameters.get(payload, ()), strict=False):
                self.heap.copy(argument.node, parameter.node, h.ELEMENT)
        else:
            self.flow.calls.take(entity, given)
        if kind not in (FUNC, BOUND) or target == DEAD or effect in ("each", "compare"):
            return
        result = self.flow.program.result(payload)
        if effect in ("call", "fold"):
            self.heap.copy(result, target, max(evidence, h.RETURN))
        else:
            self.heap.add(target, self._holding(result), h.ELEMENT)

    def _holding(self, node: int) -> int:
        """The entity of a sequence of whatever a node holds."""
        obj = self._derived.get((node, "holding"))
        if obj is None:
            obj = self._derived[node, "holding"] = self.new("list")
            self.heap.copy(node, self.field(obj, ANY))
        return self.entities.get(OBJ, obj)

    def _paired(self, obj: int, effect: str) -> int:
        """The entity of a sequence of (key, element) pairs."""
        known = self._derived.get((obj, effect))
        if known is None:
            known = self._derived[obj, effect] = self.new("list")
            pair = self.new("tuple")
            self.heap.add(self.field(known, ANY), self.entities.get(OBJ, pair), h.ELEMENT)
            self.heap.copy(self.field(obj, ANY), self.field(pair, "1"))
            if effect == "items":
                self.heap.copy(self.field(obj, "%keys"), self.field(pair, "0"))
        return self.entities.get(OBJ, known)

    # ----------------------------------------------------------------- outside functions

    def apply(self, effect: str, arguments: Arguments, target: int, evidence: int) -> None:
        """What a well-known outside function does with its arguments; ``first:1`` starts at the second."""
        name, _, start = effect.partition(":")
        used = [a for a in arguments if a.key not in ("*", "**")]
        offset = int(start or 0)
        used = [a for a in used if not isinstance(a.key, int) or a.key >= offset]
        handler = getattr(self, "_apply_" + name)
        handler(used, target, evidence)

    def _apply_first(self, arguments: list[Argument], target: int, evidence: int) -> None:
        if arguments:
            self.heap.copy(arguments[0].node, target, evidence)

    def _apply_items(self, arguments: list[Argument], target: int, evidence: int) -> None:
        """A container of the arguments themselves (``List.of(a, b)``)."""
        obj = self._fresh(target, "list")
        for argument in arguments:
            if isinstance(argument.key, int):
                self.heap.copy(argument.node, self.field(obj, str(argument.key)), h.TYPE)
        self.heap.add(target, self.entities.get(OBJ, obj), max(evidence, h.TYPE))

    def _apply_joined(self, arguments: list[Argument], target: int, evidence: int) -> None:
        """The first argument with the others put in (``append(xs, x)``)."""
        self._apply_first(arguments[:1], target, evidence)
        for argument in arguments[1:]:
            if arguments[0].key == 0:
                self.store_into(arguments[0].node, "", argument.node)
            else:
                self._apply_items(arguments, target, evidence)

    def _apply_entries(self, arguments: list[Argument], target: int, evidence: int) -> None:
        """A map of keys and values that take turns (``Map.of(k, v, k, v)``)."""
        obj = self._fresh(target, "dict")
        for argument in arguments:
            if isinstance(argument.key, int):
                key = UNKNOWN_KEY if argument.key % 2 else "%keys"
                self.heap.copy(argument.node, self.field(obj, key), h.TYPE)
        self.heap.add(target, self.entities.get(OBJ, obj), max(evidence, h.TYPE))

    def _apply_module(self, arguments: list[Argument], target: int, evidence: int) -> None:
        """``require('./x')``: the module itself, when its one value is not exported whole."""
        for argument in arguments[:1]:
            if argument.text and argument.file >= 0:
                self.heap.copy(self.flow.required(argument.file, argument.text), target, evidence)

    def _apply_instance_of(self, arguments: list[Argument], target: int, evidence: int) -> None:
        """``Object.create(proto)``."""
        self._apply_first(arguments[:1], target, evidence)

    def _apply_any(self, arguments: list[Argument], target: int, evidence: int) -> None:
        for argument in arguments:
            self.heap.copy(argument.node, target, evidence)

    def _apply_instance(self, arguments: list[Argument], target: int, evidence: int) -> None:
        if arguments:
            self.heap.watch(arguments[0].node, (self.flow.annotations.on_type, target, 1))
            for argument in arguments[1:2]:  # a cast to a type variable leaves the value what it was
                self.heap.copy(argument.node, target, max(evidence, h.RETURN))

    def _apply_class(self, arguments: list[Argument], target: int, evidence: int) -> None:
        del evidence
        if len(arguments) == 1:
            self.heap.watch(arguments[0].node, (self.on_class_of, target))

    def on_class_of(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """The class of an instance. Watcher (handler, target)."""
        if self.entities.kind[entity] == INST:
            cls = self.entities.get(CLASS, self.entities.payload[entity], self.entities.extra[entity])
            self.heap.add(watcher[1], cls, evidence)

    def _apply_member(self, arguments: list[Argument], target: int, evidence: int) -> None:
        if len(arguments) >= 2 and arguments[1].text:
            member = self.flow.follow(arguments[0].node, ("." + arguments[1].text,), 0, 0)
            self.heap.copy(member, target, max(evidence, h.RETURN))
        for argument in arguments[2:3]:
            self.heap.copy(argument.node, target, h.FLOW)

    def _apply_partial(self, arguments: list[Argument], target: int, evidence: int) -> None:
        if arguments:
            self.heap.copy(arguments[0].node, target, max(evidence, h.RETURN))
            given = tuple(a._replace(key=a.key - 1) if isinstance(a.key, int) else a for a in arguments[1:])
            self.flow.calls.site(arguments[0].node, given)

    def _apply_sequence(self, arguments: list[Argument], target: int, evidence: int) -> None:
        """A new container of the same elements (``list(xs)``, ``sorted(xs)``)."""
        if not arguments:
            self.heap.add(target, self.entities.get(OBJ, self._fresh(target, "list")), max(evidence, h.TYPE))
            return
        element = self.flow.follow(arguments[0].node, ("[*]",), 0, 0)
        self.heap.add(target, self._holding(element), max(evidence, h.TYPE))

    def _apply_map(self, arguments: list[Argument], target: int, evidence: int) -> None:
        del arguments
        self.heap.add(target, self.entities.get(OBJ, self._fresh(target, "dict")), max(evidence, h.TYPE))

    def _fresh(self, target: int, flavour: str) -> int:
        obj = self._derived.get((target, flavour))
        if obj is None:
            obj = self._derived[target, flavour] = self.new(flavour)
        return obj

    def _apply_element(self, arguments: list[Argument], target: int, evidence: int) -> None:
        if arguments:
            self.heap.copy(self.flow.follow(arguments[0].node, ("[*]",), 0, 0), target, max(evidence, h.ELEMENT))
            self.heap.watch(arguments[0].node, (self.on_next, target))
        for argument in arguments[1:]:
            self.heap.copy(argument.node, target, h.FLOW)

    def _apply_pairs(self, arguments: list[Argument], target: int, evidence: int) -> None:
        self._zip([None, arguments[0]] if arguments else [], target, evidence)

    def _apply_zip(self, arguments: list[Argument], target: int, evidence: int) -> None:
        self._zip(list(arguments), target, evidence)

    def _zip(self, columns: list[Argument | None], target: int, evidence: int) -> None:
        obj = self._fresh(target, "list")
        row = self._fresh(self.field(obj, ANY), "tuple")
        self.heap.add(self.field(obj, ANY), self.entities.get(OBJ, row), h.ELEMENT)
        for place, column in enumerate(columns):
            if column is not None:
                element = self.flow.follow(column.node, ("[*]",), 0, 0)
                self.heap.copy(element, self.field(row, str(place)), h.ELEMENT)
        self.heap.add(target, self.entities.get(OBJ, obj), max(evidence, h.TYPE))

    def _apply_callmap(self, arguments: list[Argument], target: int, evidence: int) -> None:
        """``map(function, items)``."""
        del evidence
        if len(arguments) >= 2:
            items = self.flow.follow(arguments[1].node, ("[*]",), 0, 0)
            self.feed(arguments[0].node, items, target, "map")

    def _apply_callkey(self, arguments: list[Argument], target: int, evidence: int) -> None:
        """``sorted(items, key=function)``."""
        positional = [a for a in arguments if isinstance(a.key, int)]
        if positional:
            items = self.flow.follow(positional[0].node, ("[*]",), 0, 0)
            for argument in arguments:
                if argument.key == "key":
                    self.feed(argument.node, items, DEAD, "each")
        if target != DEAD:
            self._apply_sequence(positional, target, evidence)
