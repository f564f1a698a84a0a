"""Library models: how methods of containers and well-known outside functions move values.

An *effect* is the name of a model, such as "element" for a method that returns an element; see `language_rules.Effect`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial

from codeexplore.resolution import solver as h
from codeexplore.resolution.calls import RESULT, SPREAD, SPREADS, Argument, Arguments, Calls
from codeexplore.resolution.language_rules import ANY_NAME, PUBLIC
from codeexplore.resolution.parts import ANY, HIDDEN, UNKNOWN_KEY, EvaluatorPart, Shared
from codeexplore.resolution.solver import MAX_VALUES, Watcher

_READ = {"element": ANY, "else": ANY, "either": ANY, "key": "0", "value": "1"}
"""Effect of a method that reads a container → the key that it reads."""
_OF_PAIRS = frozenset({"list", "tuple", "set"})  # containers whose items are pairs if a map is made of them


class LibraryModels(EvaluatorPart):
    """Models of library calls. They are added to the handlers of `calls`."""

    def __init__(self, shared: Shared, calls: Calls) -> None:
        super().__init__(shared)
        self.calls, self.argument_flow, self.members = calls, calls.argument_flow, calls.members
        self.modules, self.annotations = calls.members.modules, calls.generics.annotations
        calls.handlers[h.BOUND_METHOD] = self.call
        calls.handlers[h.EXTERNAL] = self.call_outside

    def call(self, method: int, evidence: int, target: int, sites: list[Arguments]) -> None:
        """Model a call of a built-in method, such as ``items.append``. Its result flows to `target`."""
        receiver = self.entities.payload[method]
        effect = self.rules.builtins.container_methods.get(self.entities.texts[self.entities.extra[method]], "itself")
        if effect in ("then", "settle"):
            for argument in (argument for site in sites for argument in site):
                given = self.known.value(receiver) if effect == "then" and argument.key == 0 else h.UNKNOWN
                self.feed(argument.node, given, target, "call")
            if effect == "settle":
                self.solver.add(target, receiver, evidence)
            return
        if self.entities.kind[receiver] != h.OBJECT:
            self._call_on_value(receiver, effect, evidence, target, sites)
            return
        obj, floor = self.entities.payload[receiver], max(evidence, h.ELEMENT)
        if (key := _READ.get(effect)) is not None:
            self.containers.read(obj, key, target, floor)
        if effect == "values" and self.containers.flavour[obj] == "dict":
            self.solver.add(target, self.containers.holding(self.containers.field(obj, ANY)), floor)
        elif effect == "iterated" and self.containers.flavour[obj] == "dict":
            self.solver.add(target, self.containers.paired(obj, "items"), floor)
        elif effect in ("same", "either", "itself", "each", "compare", "values", "iterated"):
            self.solver.add(target, receiver, evidence)
        elif effect == "entries":
            self.solver.add(target, self.containers.holding(self.known.value(receiver)), floor)
        elif effect in ("pairs", "items", "iterator"):
            self.solver.add(target, self.containers.gone_through(obj, effect), floor)
        for site in sites:
            self._store(effect, obj, site, target, floor)

    def call_outside(self, entity: int, evidence: int, target: int, sites: list[Arguments]) -> None:
        """Model a call of a function or class outside the repository. Its result flows to `target`."""
        given = self.calls.of_outside(entity)
        if given >= 0:
            self.solver.add(target, given, evidence)
            name = self.entities.external_name(entity).rpartition(".")[2]
            if self.rules.builtins.gives_back and name not in self.rules.builtins.calling_names:
                for argument in (argument for site in sites for argument in site):
                    self.solver.on_value(argument.node, (self.on_given, target))
            elif self.rules.builtins.makes:  # get_object_or_404(Check), models.ForeignKey(Check)
                for argument in (argument for site in sites for argument in site if self.calls.names_class(argument)):
                    for entity in self.solver.points_to(argument.node):
                        instance = self.entities.get(h.INST, self.entities.payload[entity], 1)
                        self.solver.add(target, instance, h.RELATED)
            return
        effect = self.rules.builtins.functions[self.entities.external_name(entity)]
        if not sites:
            self.apply(effect, (), target, evidence)
        for site in sites:
            self.apply(effect, site, target, evidence)

    def on_given(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle an argument of an outside function, whose result may be the argument or a wrapper of it.

        Examples are ``memo(Card)`` and ``debounce(save)``. Of a class, it may be an instance: ``inject(Prices)``. Of a
        function that loads a module, it may be what the module exports by default: ``lazy(() => import("./page"))``.
        """
        _, target = watcher
        kind, payload = self.entities.kind[entity], self.entities.payload[entity]
        if kind in (h.FUNC, h.BOUND, h.CLASS):
            self.solver.add(target, entity, max(evidence, h.FLOW))
        if kind == h.CLASS:
            self.solver.add(target, self.entities.get(h.INST, payload, 1), max(evidence, h.FLOW))
        elif kind == h.FUNC:
            self.solver.on_value(self.program.result(payload), (self.on_loaded, target))

    def on_loaded(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a module that a function loads: let its default export flow to `target`."""
        _, target = watcher
        if self.entities.kind[entity] == h.UNIT:
            self.solver.add_flow(self.modules.default(self.entities.payload[entity]), target, max(evidence, h.FLOW))

    def _call_on_value(self, receiver: int, effect: str, evidence: int, target: int, sites: list[Arguments]) -> None:
        """Model a call of a method of a wrapper (returns the wrapped value) or of a function (``f.call(x)``)."""
        kind = self.entities.kind[receiver]
        if effect == "call" and kind in (h.FUNC, h.BOUND):
            result = self.program.result(self.entities.payload[receiver])
            self.solver.add_flow(result, target, max(evidence, h.RETURN))
            for site in sites:
                given = tuple(a._replace(key=a.key - 1) for a in site if isinstance(a.key, int) and a.key > 0)
                self.argument_flow.take(receiver, given)
        elif kind == h.INST and effect in ("map", "call", "each"):  # the wrapped value is passed to a function
            held, how = self.known.value(receiver), "call" if effect == "map" else effect
            if self.members.gives(receiver, values := self.solver.node()):  # of an iterator, each value that it gives
                held, how = values, effect
            for site in sites:
                for argument in site:
                    self.feed(argument.node, held, target, how)
            if effect == "each":
                self.solver.add(target, receiver, evidence)
        else:
            self.solver.add(target, receiver, evidence)

    def _store(self, effect: str, obj: int, site: Arguments, target: int, floor: int) -> None:
        for argument in site[1:] if effect == "element" else ():  # d.get(key, default)
            self.solver.add_flow(argument.node, target, floor)
        if (
            effect in ("element", "either", "same") and self.rules.builtins.gives_callbacks
        ):  # find(predicate), filter(predicate)
            for argument in site:
                self.feed(argument.node, self.containers.field(obj, ANY), h.UNKNOWN, "each")
        elif effect in ("else", "compare", "fold"):
            self._combine(effect, obj, site, target, floor)
        elif effect in ("store", "store_last"):
            for argument in site[-1:] if effect == "store_last" else site:
                self.solver.add_flow(argument.node, self.containers.field(obj, UNKNOWN_KEY), h.FLOW)
            if effect == "store_last" and site:
                self.containers.read(obj, ANY, target, floor)
        elif effect == "extend":
            for argument in site:
                self._put_in(obj, argument)
        elif effect in ("each", "map", "call"):
            self._run(effect, obj, site, target, floor)

    def _run(self, effect: str, obj: int, site: Arguments, target: int, floor: int) -> None:
        keyed = self.rules.builtins.map_gives == "values" and self.containers.flavour[obj] == "dict"
        keys = self.containers.field(obj, "%keys") if keyed else -1
        for argument in site:
            if argument.key == RESULT:
                self._put(argument.node, target, effect, floor)
            else:
                self.feed(argument.node, self.containers.field(obj, ANY), target, effect, keys)

    def _combine(self, effect: str, obj: int, site: Arguments, target: int, floor: int) -> None:
        if effect == "fold" and len(site) < 2:
            self.containers.read(obj, ANY, target, floor)
        for argument in site:
            if effect != "compare":
                self.solver.on_value(argument.node, (self.on_default, target, floor))
            self.feed(argument.node, self.containers.field(obj, ANY), target, "call" if effect == "else" else effect)

    def on_default(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a value of a default, as in ``d.get(key, default)``: add it to the result of the call."""
        _, target, floor = watcher
        if self.entities.kind[entity] not in (h.FUNC, h.BOUND, h.CLASS):
            self.solver.add(target, entity, max(evidence, floor))

    def _put_in(self, obj: int, argument: Argument) -> None:
        """Put an argument into the container `obj`, as ``table.update(other, key=value)`` does."""
        if isinstance(argument.key, str) and argument.key not in SPREADS:
            self.solver.add_flow(argument.node, self.containers.field(obj, argument.key), h.FLOW)
        else:
            spread = argument.key == SPREAD and self.rules.functions.spreads
            self.solver.on_value(self._items_of(argument.node) if spread else argument.node, (self.on_extend, obj))

    def on_extend(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a container whose items are put into another container."""
        _, obj = watcher
        if self.entities.kind[entity] != h.OBJECT:
            return
        source, flavours = self.entities.payload[entity], self.containers.flavour
        if flavours[obj] == "dict" and flavours[source] in _OF_PAIRS:
            self.solver.on_value(self.containers.field(source, ANY), (self.on_pair, obj))
        elif source != obj:
            for key, node in list(self.containers.fields[source].items()):
                if key not in HIDDEN:
                    self.solver.add_flow(node, self.containers.field(obj, key), max(evidence, h.FLOW))
            self.solver.add_flow(self.containers.field(source, ANY), self.containers.field(obj, UNKNOWN_KEY), h.FLOW)

    def on_pair(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle an item of a sequence of which a map is made: a pair of a key and a value."""
        _, obj = watcher
        if self.entities.kind[entity] == h.OBJECT:
            pair = self.entities.payload[entity]
            for key, part in (("%keys", "0"), (UNKNOWN_KEY, "1")):
                self.containers.read(pair, part, self.containers.field(obj, key), h.FLOW)

    def feed(self, function: int, items: int, target: int, effect: str, keys: int = -1) -> None:
        """Model calls of a function that is an argument, as ``map(function, items)`` makes them.

        `function` and `items` are constraint variables. The results of the calls flow to `target` as `effect`
        describes. `keys` is the constraint variable of a map's keys, which a function with two parameters takes first;
        -1 without keys.
        """
        self.solver.on_value(function, (self.on_feed, items, target, effect, keys))

    def on_feed(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a function for `feed`: model its call with the items."""
        _, items, target, effect, keys = watcher
        kind, payload = self.entities.kind[entity], self.entities.payload[entity]
        if kind == h.OBJECT and effect in ("call", "map") and self.containers.flavour[payload] == "callable":
            self._put(self.containers.field(payload, "()"), target, effect, evidence)
        if kind == h.EXTERNAL and target != h.UNKNOWN and effect in ("call", "map"):
            self._put(self._outside_result(entity, items), target, effect, evidence)
        if kind not in (h.FUNC, h.BOUND, h.CLASS, h.CONTAINER_PART):
            return
        first = target if effect == "fold" else items
        given = (Argument(0, first), Argument(1, items)) if effect in ("fold", "compare") else (Argument(0, items),)
        if keys >= 0 and self.argument_flow.taken(entity) > 1:
            given = (Argument(0, keys), Argument(1, items))
        if kind == h.FUNC and self.program.symbols[payload].kind == "lambda":  # a lambda is called here only
            for argument, parameter in zip(given, self.program.parameters.get(payload, ()), strict=False):
                self.solver.add_flow(argument.node, parameter.node, h.ELEMENT)
        else:
            self.argument_flow.take(entity, given)
        if kind not in (h.FUNC, h.BOUND) or target == h.UNKNOWN or effect in ("each", "compare"):
            return
        results = [self.program.result(payload), *self._given_back(payload, given)]
        for result in results:
            self._put(result, target, effect, evidence)

    def _outside_result(self, entity: int, items: int) -> int:
        """Return the variable of what an outside function returns for an item: ``List::stream``, ``Arrays::stream``."""
        name, builtins, result = self.entities.external_name(entity), self.rules.builtins, self.solver.node()
        owner, _, method = name.rpartition(".")
        if name in builtins.functions:
            self.apply(builtins.functions[name], (Argument(0, items),), result, h.ELEMENT)
        elif method in builtins.container_methods and owner.rpartition(".")[2] in builtins.types:
            return self.steps.follow(items, ("." + self.program.method_name(method), "()"), 0, 0)
        return result

    def _put(self, result: int, target: int, effect: str, evidence: int) -> None:
        """Let the result of a called function flow to `target`: as the result itself, or in a new container."""
        if effect in ("call", "fold"):
            self.solver.add_flow(result, target, max(evidence, h.RETURN))
        else:
            self.solver.add(target, self.containers.holding(result), h.ELEMENT)

    def _given_back(self, function: int, given: tuple[Argument, ...]) -> list[int]:
        """Return the constraint variables of the arguments that a function returns unchanged."""
        back = self.program.returned_parameters.get(function, ())
        parameters = self.program.parameters.get(function, ()) if back else ()
        return [a.node for a, parameter in zip(given, parameters, strict=False) if parameter in back]

    # ----------------------------------------------------------------- outside functions

    def apply(self, effect: str, arguments: Arguments, target: int, evidence: int) -> None:
        """Apply the model of a well-known outside function to the arguments of one call.

        `effect` names the model. If it ends in a number, as in ``first:1``, the arguments before this position do not
        count.
        """
        name, _, start = effect.partition(":")
        used = [a for a in self._spread_for(name, arguments) if a.key not in SPREADS or name == "map"]
        offset = int(start or 0)
        used = [a for a in used if not isinstance(a.key, int) or a.key >= offset]
        handler = getattr(self, "_apply_" + name)
        handler(used, target, evidence)

    def _spread_for(self, effect: str, arguments: Arguments) -> Arguments:
        """Return the arguments of a call; for ``chain(*lists)``, each item of ``lists`` is one."""
        if not (self.rules.functions.spreads and effect == "sequence"):
            return arguments
        return tuple(a._replace(key=a.place, node=self._items_of(a.node)) if a.key == SPREAD else a for a in arguments)

    def _items_of(self, node: int) -> int:
        return self.steps.follow(node, ("[*]",), 0, 0)

    def _apply_first(self, arguments: list[Argument], target: int, evidence: int) -> None:
        if arguments:
            self.solver.add_flow(arguments[0].node, target, evidence)

    def _apply_may_make(self, arguments: list[Argument], target: int, evidence: int) -> None:
        """Make an instance of each type that is given: ``app(Cart::class)``, ``$this->hasMany(Item::class)``."""
        for argument in arguments:
            self.solver.on_value(argument.node, (self.on_made, target))

    def on_made(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a type of which a function outside may make an instance."""
        if self.entities.kind[entity] == h.CLASS:
            self.solver.add(watcher[1], self.entities.get(h.INST, self.entities.payload[entity], 1), h.RELATED)

    def _fill(self, flavour: str, placed: Iterable[tuple[str, Argument]], target: int, evidence: int) -> None:
        """Add to `target` a container with arguments under the given keys."""
        obj = self.containers.fresh(target, flavour)
        for key, argument in placed:
            self.solver.add_flow(argument.node, self.containers.field(obj, key), h.TYPE)
        self.solver.add(target, self.entities.get(h.OBJECT, obj), max(evidence, h.TYPE))

    def _apply_items(self, arguments: list[Argument], target: int, evidence: int) -> None:
        """Make a container of the arguments: ``List.of(a, b)``."""
        self._fill("list", ((str(a.key), a) for a in arguments if isinstance(a.key, int)), target, evidence)

    def _apply_entries(self, arguments: list[Argument], target: int, evidence: int) -> None:
        """Make a map of alternating keys and values (``Map.of(k, v, k, v)``)."""
        placed = ((UNKNOWN_KEY if a.key % 2 else "%keys", a) for a in arguments if isinstance(a.key, int))
        self._fill("dict", placed, target, evidence)

    def _apply_module(self, arguments: list[Argument], target: int, evidence: int) -> None:
        """Return the module that ``require('./x')`` loads, or the single value that the module exports.

        A name such as that of ``import_module(f"plugins.{name}")`` may mean several modules.
        """
        text, file = (arguments[0].text, arguments[0].file) if arguments else ("", -1)
        if not text or file < 0:
            return
        if text[0] == ".":  # from the package that is given, or from that of the file
            text = next((each.text for each in arguments[1:] if each.key in (1, "package")), "") + text
        if "*" in text or "{" in text:
            self.argument_flow.on_names(text.partition(":")[0], partial(self._add_modules, file, target), least=0)
        else:
            self.solver.add_flow(self.modules.required(file, text), target, evidence)

    def _add_modules(self, file: int, target: int, name: str) -> None:
        """Add the modules of a package that `name` may mean, in which a star is any part of a name."""
        known, star, _ = name.partition("*")
        if not star:
            self.solver.add_flow(self.modules.required(file, name), target, h.ELEMENT)
            return
        package, rest = known.rpartition(".")[0], name[known.rfind(".") + 1 :]
        package += "." * (known[:1] == "." and not package.strip("."))
        found = [self.program.locator.locate(file, package).unit] if package else []
        for part in rest.split("."):
            fits = re.compile(re.escape(part).replace(r"\*", r"\w*")).fullmatch
            children = (self.program.units.children[unit].items() for unit in found if unit >= 0)
            found = [child for known in children for name, child in known if fits(name)][:MAX_VALUES]
        for child in found:
            self.solver.add(target, self.entities.get(h.UNIT, child), h.ELEMENT)

    def _apply_plugins(self, arguments: list[Argument], target: int, evidence: int) -> None:
        """Make the entry points that the repository's own manifests declare, of one group or of all."""
        group = next((argument.text for argument in arguments if argument.key in (0, "group")), "")
        obj = self.containers.fresh(target, "list")
        for name, declared in self.program.plugins.items():
            if group and name != group:
                continue
            held = self.containers.new("list")
            self.solver.add(self.containers.field(obj, name), self.entities.get(h.OBJECT, held), h.TYPE)
            self.solver.add_flow(self.containers.field(held, ANY), self.containers.field(obj, UNKNOWN_KEY))
            for module, attribute in declared:
                found = self.program.locator.locate(0, module)
                if found.unit >= 0:
                    entry, load = self.containers.new("entry"), self.containers.new("callable")
                    steps = tuple(f".{part}" for part in attribute.split("."))
                    value = self.steps.follow(self.known.module(found.unit), steps, 0, 0)
                    self.solver.add_flow(value, self.containers.field(load, "()"), h.FLOW)  # which one, a user decides
                    self.solver.add(self.containers.field(entry, "load"), self.entities.get(h.OBJECT, load), h.TYPE)
                    self.solver.add(
                        self.containers.field(held, UNKNOWN_KEY), self.entities.get(h.OBJECT, entry), h.TYPE
                    )
        self.solver.add(target, self.entities.get(h.OBJECT, obj), max(evidence, h.TYPE))

    def _apply_any(self, arguments: list[Argument], target: int, evidence: int) -> None:
        for argument in arguments:
            self.solver.add_flow(argument.node, target, evidence)

    def _apply_assign(self, arguments: list[Argument], target: int, evidence: int) -> None:
        """Give the first argument the members of the others: ``Object.assign(C.prototype, mixin)``."""
        self._apply_any(arguments, target, evidence)
        for argument in arguments[1:]:
            self.solver.on_value(argument.node, (self.on_given_members, arguments[0].node))

    def on_given_members(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle an object whose members are assigned to the values of another constraint variable."""
        _, owner = watcher
        if self.entities.kind[entity] == h.OBJECT:
            self.solver.on_value(owner, (self.on_owner, self.entities.payload[entity]))

    def on_owner(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a value that gets the members of an object: another object, a function, or an instance."""
        _, obj = watcher
        kind, payload = self.entities.kind[entity], self.entities.payload[entity]
        if (kind != h.OBJECT or payload == obj) and kind not in (h.FUNC, h.INST, h.CLASS):
            return
        receiver = self.known.value(entity)

        def give(key: str, node: int) -> None:
            field = self.containers.field(payload, key) if kind == h.OBJECT else self.program.field(payload, key)
            self.solver.add_flow(node, field, h.FLOW)
            self.solver.on_value(node, (self.on_member_given, receiver))

        self.containers.each_field(obj, give)

    def on_member_given(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a member that an object is given: a function runs on that object."""
        if self.entities.kind[entity] == h.FUNC and self.program.has_receiver(self.entities.payload[entity]):
            self.solver.add_flow(watcher[1], self.known.made_by(self.entities.payload[entity]), h.FLOW)

    def _apply_instance(self, arguments: list[Argument], target: int, evidence: int) -> None:
        for argument in arguments:  # a type that is written as a text, with arguments of its own, is none of them
            if argument.key == 0:
                self.solver.on_value(argument.node, (self.annotations.on_type, target, 1))
            elif argument.key == 1:  # a cast to a type variable keeps the value
                self.solver.add_flow(argument.node, target, max(evidence, h.RETURN))

    def _apply_class(self, arguments: list[Argument], target: int, evidence: int) -> None:
        if len(arguments) == 1:
            self.solver.on_value(arguments[0].node, (self.on_class_of, target))

    def on_class_of(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle the argument of ``type(x)``: add the class of the instance to the result."""
        _, target = watcher
        if self.entities.kind[entity] == h.INST:
            cls = self.entities.get(h.CLASS, self.entities.payload[entity], self.entities.extra[entity])
            self.solver.add(target, cls, evidence)

    def _apply_member(self, arguments: list[Argument], target: int, evidence: int) -> None:
        text = arguments[1].text.partition(":")[0] if len(arguments) >= 2 else ""
        if text in (PUBLIC, ANY_NAME):
            self._add_member(arguments[0].node, target, text)
        elif "*" in text or "{" in text:
            self.add_made_member(text, arguments[0].node, target)
        elif text:
            member = self.steps.follow(arguments[0].node, ("." + arguments[1].text,), 0, 0)
            self.solver.add_flow(member, target, max(evidence, h.RETURN))
        for argument in arguments[2:3]:
            self.solver.add_flow(argument.node, target, h.FLOW)

    def add_made_member(self, text: str, owner: int, target: int) -> None:
        """Let the members of `owner` whose names a text such as ``visit_{12}`` may be flow to `target`."""
        self.argument_flow.on_names(text, partial(self._add_member, owner, target))

    def _add_member(self, owner: int, target: int, name: str) -> None:
        if "*" in name:
            self.solver.on_value(owner, (self.on_member_made, target, name))
        else:
            self.solver.add_flow(self.steps.follow(owner, ("." + name,), 0, 0), target, h.ELEMENT)

    def on_member_made(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle the first argument of ``getattr(x, "visit_" + name)``: add members whose names fit the pattern."""
        _, target, pattern = watcher
        kind, cls, mark = self.entities.kind[entity], self.entities.payload[entity], self.rules.classes.singleton_mark
        if kind not in (h.INST, h.CLASS):
            return
        names = list(self.hierarchy.names_like(cls, pattern))
        if mark and kind == h.CLASS:  # the methods of the type itself
            names = [name for name in names if self.hierarchy.name_in_type(cls, name) == name]
            names += self.hierarchy.names_like(cls, mark + pattern)
        known = pattern not in (PUBLIC, ANY_NAME)
        for name in names if known else filter(partial(self._is_called, cls, pattern), names):
            self.members.of_any(target, name, entity, max(evidence, h.ELEMENT if known else h.RELATED))

    def _is_called(self, cls: int, pattern: str, name: str) -> bool:
        """Return True if code that knows no name of a member may call the method `name`, which is no constructor."""
        node = self.hierarchy.member(cls, name).node
        function = self.hierarchy.function_at(node) if node >= 0 else -1
        words = self.program.symbols[function].signature.partition("(")[0].split() if function >= 0 else ()
        seen = pattern == ANY_NAME or {"private", "protected"}.isdisjoint(words)
        return seen and name.removesuffix("()") not in self.rules.construction.constructors

    def _apply_given(self, arguments: list[Argument], target: int, evidence: int) -> None:
        """Let the values of a parameter of the first argument, a function, flow to `target`; a text has its place."""
        for argument in arguments[1:2]:
            self.solver.on_value(arguments[0].node, (self.on_parameter, target, argument.text, max(evidence, h.TYPE)))

    def on_parameter(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a function: add the values of its parameter with a name or number."""
        _, target, place, floor = watcher
        kind = self.entities.kind[entity]
        function = self.entities.payload[entity] if kind in (h.FUNC, h.BOUND) else -1
        if kind == h.CLASS:
            function = self.argument_flow.constructor(self.entities.payload[entity])
        parameters = self.program.parameters.get(function, ())
        for number, parameter in enumerate(parameters):
            if place in (parameter.name, str(number)):
                self.solver.add_flow(parameter.node, target, max(evidence, floor))

    def _apply_partial(self, arguments: list[Argument], target: int, evidence: int) -> None:
        if arguments:
            self.solver.add_flow(arguments[0].node, target, max(evidence, h.RETURN))
            given = tuple(a._replace(key=a.key - 1) if isinstance(a.key, int) else a for a in arguments[1:])
            self.calls.site(arguments[0].node, given)

    def _apply_sequence(self, arguments: list[Argument], target: int, evidence: int) -> None:
        """Make a new container with the elements of the arguments (``list(xs)``, ``chain(xs, ys)``)."""
        if not arguments:
            made = self.entities.get(h.OBJECT, self.containers.fresh(target, "list"))
            self.solver.add(target, made, max(evidence, h.TYPE))
            return
        element = self.solver.node()
        for argument in arguments:
            self.solver.add_flow(self.steps.follow(argument.node, ("[*]",), 0, 0), element)
        self.solver.add(target, self.containers.holding(element), max(evidence, h.TYPE))

    def _apply_put(self, arguments: list[Argument], target: int, evidence: int) -> None:
        """Put the second argument into the container that is the first (``heappush(heap, item)``)."""
        if len(arguments) > 1:
            self.containers.store_into(arguments[0].node, "", arguments[1].node)

    def _apply_map(self, arguments: list[Argument], target: int, evidence: int) -> None:
        obj = self.containers.fresh(target, "dict")
        for argument in arguments:
            self._put_in(obj, argument)
        self.solver.add(target, self.entities.get(h.OBJECT, obj), max(evidence, h.TYPE))

    def _apply_filled(self, arguments: list[Argument], target: int, evidence: int) -> None:
        """Make a map that creates missing values by calling its first argument (``defaultdict(list)``)."""
        obj = self.containers.fresh(target, "dict")
        for argument in arguments[:1]:
            made = self.solver.node()
            self.solver.on_value(argument.node, (self.calls.on_result, made, argument.node, ()))
            self.solver.add_flow(made, self.containers.field(obj, UNKNOWN_KEY))
        self.solver.add(target, self.entities.get(h.OBJECT, obj), max(evidence, h.TYPE))

    def _apply_made(self, arguments: list[Argument], target: int, evidence: int) -> None:
        """Make an instance of the class that is the first argument (``object.__new__(cls)``)."""
        for argument in arguments[:1]:
            self.solver.on_value(argument.node, (self.annotations.on_type, target, 0))

    def _apply_property(self, arguments: list[Argument], target: int, evidence: int) -> None:
        """Make a property with functions to read and assign it (``property(getter, setter)``)."""
        roles: dict[int | str, str] = {0: "get", "fget": "get", "func": "get", 1: "set", "fset": "set"}
        self._fill("property", ((roles[a.key], a) for a in arguments if a.key in roles), target, evidence)

    def _apply_element(self, arguments: list[Argument], target: int, evidence: int) -> None:
        if arguments:
            self.solver.add_flow(self.steps.follow(arguments[0].node, ("[*]",), 0, 0), target, max(evidence, h.ELEMENT))
            self.solver.on_value(arguments[0].node, (self.members.on_next, target, self.rules.special_methods.next))
        for argument in arguments[1:]:
            self.solver.add_flow(argument.node, target, h.FLOW)

    def _apply_pairs(self, arguments: list[Argument], target: int, evidence: int) -> None:
        self._zip([None, arguments[0]] if arguments else [], target, evidence)

    def _apply_zip(self, arguments: list[Argument], target: int, evidence: int) -> None:
        self._zip(list(arguments), target, evidence)

    def _apply_rows(self, arguments: list[Argument], target: int, evidence: int) -> None:
        """Make a container of containers with the elements of the first argument (``pairwise(items)``)."""
        if arguments:
            row = self.known.value(self.containers.holding(self._items_of(arguments[0].node)))
            self.solver.add(target, self.containers.holding(row), max(evidence, h.TYPE))

    def _apply_groups(self, arguments: list[Argument], target: int, evidence: int) -> None:
        """Make pairs of what the key function returns and a container of elements: ``groupby(items, key)``."""
        keys = next((argument for argument in arguments if argument.key in (1, "key")), None)
        if arguments:
            obj = self.containers.fresh(target, "list")
            pair = self.containers.fresh(self.containers.field(obj, ANY), "tuple")
            self.solver.add(self.containers.field(obj, ANY), self.entities.get(h.OBJECT, pair), h.ELEMENT)
            items = self._items_of(arguments[0].node)
            self.solver.add(self.containers.field(pair, "1"), self.containers.holding(items), h.ELEMENT)
            if keys is not None:
                self.feed(keys.node, items, self.containers.field(pair, "0"), "call")
            self.solver.add(target, self.entities.get(h.OBJECT, obj), max(evidence, h.TYPE))

    def _zip(self, columns: list[Argument | None], target: int, evidence: int) -> None:
        obj = self.containers.fresh(target, "list")
        row = self.containers.fresh(self.containers.field(obj, ANY), "tuple")
        self.solver.add(self.containers.field(obj, ANY), self.entities.get(h.OBJECT, row), h.ELEMENT)
        for place, column in enumerate(columns):
            if column is not None:
                element = self.steps.follow(column.node, ("[*]",), 0, 0)
                self.solver.add_flow(element, self.containers.field(row, str(place)), h.ELEMENT)
        self.solver.add(target, self.entities.get(h.OBJECT, obj), max(evidence, h.TYPE))

    def _apply_callmap(self, arguments: list[Argument], target: int, evidence: int) -> None:
        """Call a function with the items of a container: ``map(function, items)``."""
        if len(arguments) >= 2:
            items = self.steps.follow(arguments[1].node, ("[*]",), 0, 0)
            self.feed(arguments[0].node, items, target, "map")

    def _apply_callitems(self, arguments: list[Argument], target: int, evidence: int) -> None:
        """Make a container of items, or of what a function returns for them: ``Array.from(items, function)``."""
        if len(arguments) >= 2:
            self.feed(arguments[1].node, self._items_of(arguments[0].node), target, "map")
        elif target != h.UNKNOWN:
            self._apply_sequence(arguments, target, evidence)

    def _apply_callkey(self, arguments: list[Argument], target: int, evidence: int) -> None:
        """Call the key function with the items, and return the items: ``sorted(items, key=function)``."""
        positional = [a for a in arguments if isinstance(a.key, int)]
        if positional:
            items = self.steps.follow(positional[0].node, ("[*]",), 0, 0)
            for argument in arguments:
                if argument.key == "key":
                    self.feed(argument.node, items, h.UNKNOWN, "each")
        if target != h.UNKNOWN:
            self._apply_sequence(positional, target, evidence)
