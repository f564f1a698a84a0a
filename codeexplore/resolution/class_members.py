"""Members of classes and elements: the step ``.name``, and the steps ``[key]`` and ``[*]``, for each kind of value.

The *receiver* is the value before the dot. A member found in a class is combined with the receiver: a method is bound
to it, a property or descriptor is read. A member that no class of the repository has may be built in, or come from
outside supertypes, or from subclasses.

The *elements* are the values that subscripts, iterations and ``with`` statements give. For an instance, a special
method of its class gives them, such as ``__getitem__`` or ``__iter__``.
"""

from __future__ import annotations

from functools import cache

from codeexplore.resolution import solver as h
from codeexplore.resolution.class_hierarchy import MAX_RELATED, Member
from codeexplore.resolution.declared_types import LACKED_ABOVE, Generics
from codeexplore.resolution.parts import ANY, UNKNOWN_KEY, EvaluatorPart, Shared
from codeexplore.resolution.program import BODILESS, OF_CLASS, OVERLOAD, PROPERTY, SETTER, STATIC
from codeexplore.resolution.scopes import Extensions
from codeexplore.resolution.solver import Watcher
from codeexplore.types import INDEX_MEMBER


class Members(EvaluatorPart):
    """Members and elements of values of any kind. Those of instances and classes are combined with their receivers."""

    def __init__(self, shared: Shared, generics: Generics, extensions: Extensions) -> None:
        super().__init__(shared)
        self.modules, self.generics, self.extensions = extensions.modules, generics, extensions
        # node → function that reading the node calls → its receiver's entity and evidence, packed as
        # ``receiver << 3 | evidence``
        self.properties: dict[int, dict[int, int]] = {}
        self._indexed = cache(self._find_indexed)
        self.delegates: dict[int, list[int]] = {}  # method for missing members → nodes of its delegates
        self._on_getter, self._on_described = self.on_getter, self.on_described
        self.fields: dict[int, dict[int, int]] = {}  # node that reads fields → field → provenance of the receiver
        self._iterators: dict[tuple[int, bool], int] = {}  # entity of an instance, if asynchronous → node of iterators
        self._on_bind = self.on_bind  # stored once: each access to a method makes an object
        methods = self.rules.builtins.container_methods
        self._promised = frozenset(name for name, effect in methods.items() if effect in ("then", "settle"))
        symbols = self.program.symbols if self.rules.functions.functional else ()
        self._default_names = {s.name for s in symbols if "default" in s.signature.split(None, 3)[:3]}
        self._by_kind = {
            h.INST: self._of_instance,
            h.CLASS: self._of_class,
            h.SUPER: self._of_super,
            h.UNIT: self.modules.of_unit,
            h.FUNC: self._of_function,
            h.BOUND: self._of_function,
            h.EXTERNAL: self._of_external,
            h.OBJECT: self._of_object,
        }
        self._runs_when_read = self.rules.functions.read_signature is not None
        if self._runs_when_read:  # ``items.first.load()``
            self._by_kind[h.BOUND_METHOD] = self._of_built_in

    def on_attribute(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a value before a dot: let its member flow to the constraint variable of the longer expression."""
        _, target, name = watcher
        kind = self.entities.kind[entity]
        handler = self._by_kind.get(kind)
        if kind == h.CONTAINER_PART and self.rules.functions.functional:
            self.solver.add(target, entity, evidence)
        elif kind in (h.FUNC, h.BOUND, h.CLASS, h.UNIT) and name in self._promised:
            self.solver.add(target, self.entities.get(h.BOUND_METHOD, entity, self.entities.text(name)), evidence)
        elif handler is not None:
            typed = kind in (h.INST, h.CLASS, h.SUPER)
            is_module = typed and self.program.symbols[self.entities.payload[entity]].kind == "module"
            if self.rules.classes.methods_apart and (is_module or not typed):
                name = name.removesuffix("()")
            handler(target, name, entity, evidence)

    def on_method_of_trait(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a type before ``.name@Trait``: if several of its methods have the name, add that of the trait."""
        _, target, name, trait = watcher
        of_trait, symbols = self.hierarchy.of_trait, self.program.symbols
        is_class = self.entities.kind[entity] == h.CLASS
        node = self.hierarchy.member_or_method(self.entities.payload[entity], name).node if is_class else -1
        found = [
            function
            for function in self.program.defined.get(node, ())
            if of_trait.get(function, -1) >= 0 and symbols[of_trait[function]].name == trait
        ]
        for function in found:
            self.solver.add(target, self.entities.get(h.FUNC, function), evidence)
        if not found:
            self.on_attribute((self.on_attribute, target, name), entity, evidence)

    def on_lent(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a value before ``.name@*``: an object that lends the members of the value has a method of its own."""
        _, target, name, node = watcher
        if node not in self.program.lending:
            self.on_attribute((self.on_attribute, target, name), entity, evidence)
            return
        self.solver.add(target, self.entities.external(f"std.{name}"), h.TYPE)
        if name in self.rules.builtins.lending_methods:
            made = self.containers.fresh(node, "callable")
            self.solver.add_flow(node, self.containers.field(made, "()"))
            self.solver.add(target, self.entities.get(h.OBJECT, made), h.TYPE)

    def on_run_on(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a function before ``[&]``: add the objects on which it runs its last argument, by their type."""
        form, function = self.rules.functions.block_receiver, self.entities.payload[entity]
        called = self.entities.kind[entity] in (h.FUNC, h.BOUND)
        parameters = self.program.parameters.get(function) if called else None
        if form is not None and parameters and (found := form.match(parameters[-1].type)) is not None:
            self.solver.add_flow(self.generics.annotations.node(function, found[1], 0), watcher[1], h.TYPE)

    def _of_function(self, target: int, name: str, entity: int, evidence: int) -> None:
        if name == self.rules.classes.prototype:
            self.solver.add(target, self.entities.get(h.INST, self.entities.payload[entity], 1), evidence)
            return
        if self.rules.functions.functional:
            if name not in self._default_names:
                self.solver.add(target, entity, evidence)
            return
        if name in self.rules.functions.own_methods:
            self.solver.add(target, self.entities.get(h.BOUND_METHOD, entity, self.entities.text(name)), evidence)
        elif self.rules.classes.instance_mark and name != "call":  # a name alone calls its method
            result = self.steps.follow(self.program.result(self.entities.payload[entity]), ("." + name,), 0, 0)
            self.solver.add_flow(result, target, max(evidence, h.RETURN))
            return
        self.solver.add_flow(self.program.field(self.entities.payload[entity], name), target, h.FLOW)

    def _of_external(self, target: int, name: str, entity: int, evidence: int) -> None:
        outside = f"{self.entities.external_name(entity)}.{name}"
        self.solver.add(target, self.entities.external(outside), evidence)

    def _of_built_in(self, target: int, name: str, entity: int, evidence: int) -> None:
        """Let the member of what a built-in property gives flow to `target`."""
        self._on_result(entity, f".{name}", target, evidence)

    def _on_result(self, method: int, step: str, target: int, evidence: int) -> None:
        """Let a step behind a built-in method flow to `target`, which runs as it is read, without arguments."""
        self.solver.add_flow(self.steps.follow(self.known.value(method), ("()", step), 0, 0), target, evidence)

    def _of_object(self, target: int, name: str, entity: int, evidence: int) -> None:
        obj = self.entities.payload[entity]
        own = self.containers.known(obj, name) >= 0
        place = self.rules.builtins.pair_fields.get(name)
        if self.containers.flavour[obj] == "iterator":
            self.solver.on_value(self.containers.field(obj, ANY), (self.on_attribute, target, name))
        elif place is not None and self.containers.flavour[obj] == "tuple":
            self.containers.read(obj, place, target, max(evidence, h.ELEMENT))
        elif not own and name in self.rules.builtins.container_methods:
            self.solver.add(target, self.entities.get(h.BOUND_METHOD, entity, self.entities.text(name)), evidence)
        elif self.rules.functions.functional and self.containers.flavour[obj] == "callable":
            self.solver.add(target, entity, evidence)
        elif own:  # what was stored under computed keys has this name at most
            self.solver.add_flow(self.containers.field(obj, name), target, max(evidence, h.TYPE))
            self.solver.add_flow(self.containers.field(obj, UNKNOWN_KEY), target, h.RELATED)
        elif self.rules.builtins.open_objects:
            self.containers.read(obj, name, target, max(evidence, h.TYPE))

    def _of_instance(self, target: int, name: str, entity: int, evidence: int) -> None:
        cls = self.entities.payload[entity]
        member = self.hierarchy.member_or_method(cls, name)
        if self.rules.classes.reads_methods and name[-2:] != "()" and self.hierarchy.member(cls, name).outside:
            function = self.hierarchy.function_at(member.node)
            if function >= 0:
                self.solver.add_flow(self.program.result(function), target, h.RELATED)
        if not (self._found(member, target, entity, evidence) or self._extended(name, target, entity, evidence)):
            if self.rules.classes.methods_apart and name[-2:] == "()":
                name = name[:-2]
                if self._made_by_the_language(cls, name, target, evidence):
                    return
            if (indexed := self._indexed(cls)) is not None:
                self._found(indexed, target, entity, evidence)
            self._absent(cls, member, target, name, entity, evidence)
        elif member.fields and self.entities.extra[entity] and self.rules.classes.attributes_below:
            for node in self.hierarchy.fields_below(cls, name):
                self.solver.add_flow(node, target, max(evidence, h.ELEMENT))

    def _extended(self, name: str, target: int, entity: int, evidence: int) -> bool:
        """Let the extension methods that a class has under a name flow to `target`; False if there are none."""
        found = list(self.extensions.of_class(self.entities.payload[entity], name))
        for function in found:
            self.solver.add(target, self.entities.get(h.BOUND, function, entity), max(evidence, h.TYPE))
            self.solver.add(self.program.parameters[function][0].node, entity, h.FLOW)
        return bool(found)

    def _find_indexed(self, cls: int) -> Member | None:
        """Return the member of a type that stands for members with any other name; None if it has none."""
        member = self.hierarchy.member(cls, INDEX_MEMBER) if self.rules.builtins.open_objects else None
        return member if member is not None and (member.node >= 0 or member.fields) else None

    def of_any(self, target: int, name: str, entity: int, evidence: int) -> None:
        """Let the member `name` of an instance or class, and those of its subclasses, flow to `target`."""
        cls, kind = self.entities.payload[entity], self.entities.kind[entity]
        below = self.hierarchy.descendants(cls)[:MAX_RELATED] if self.entities.extra[entity] else ()
        nodes: set[tuple[int, tuple[int, ...]]] = {(-1, ())}
        for each in (cls, *below):
            member = self.hierarchy.member(each, name)
            if (member.node, member.fields) not in nodes:
                nodes.add((member.node, member.fields))
                self._found(member, target, self.entities.get(kind, each, self.entities.extra[entity]), evidence)

    def _made_by_the_language(self, cls: int, name: str, target: int, evidence: int) -> bool:
        """Give an accessor of a record, or ``values`` or ``valueOf`` of an enum; False for other names."""
        of_enum = self.program.symbols[cls].kind == "enum" and name in ("values", "valueOf")
        field, containers = self.hierarchy.member(cls, name), self.containers
        if not self.rules.functions.functional or not (of_enum or (field.node >= 0 and not field.fields)):
            return False
        held, value = containers.new("callable"), self.entities.get(h.INST, cls, 1)
        if of_enum and name == "values":
            listed = containers.new("list")
            self.solver.add(containers.field(listed, ANY), value, h.TYPE)
            value = self.entities.get(h.OBJECT, listed)
        if of_enum:
            self.solver.add(containers.field(held, "()"), value, h.TYPE)
        else:
            self.solver.add_flow(field.node, containers.field(held, "()"))
        self.solver.add(target, self.entities.get(h.OBJECT, held), max(evidence, h.TYPE))
        return True

    def _of_super(self, target: int, name: str, entity: int, evidence: int) -> None:
        """Let the member `name` that ``super()`` finds flow to `target`, bound to the receiver."""
        cls, receiver = self.entities.payload[entity], self.entities.extra[entity]
        kind = self.entities.kind[receiver]
        receiver = self.entities.get(kind, cls)  # not an instance of a subclass
        if kind == h.CLASS and self.rules.classes.singleton_mark:
            name = self.hierarchy.name_in_type(cls, name, above=True)
        member = self.hierarchy.member_or_method(cls, name, above=True)
        below = [
            (each, self.hierarchy.beside(each, cls, name)) for each in self.hierarchy.descendants(cls)[:MAX_RELATED]
        ]
        besides = [(child, each) for child, each in below if each.node >= 0 and each.node != member.node]
        mixed_in = len(besides) == len(below) > 0  # no class below keeps the order, as below a class to be mixed in
        sure = h.RELATED if mixed_in else h.TYPE if besides else h.SELF
        if not self._found(member, target, receiver, max(evidence, sure)):
            if (underlying := self.program.underlying(cls)) >= 0:
                self.solver.add_flow(self.steps.follow(underlying, ("." + name,), cls, 0), target, h.FLOW)
            if kind == h.CLASS and name == self.rules.construction.constructor_word:
                self._constructor(target, name, receiver, evidence)
            elif name in self.rules.construction.allocators:
                self.solver.add(target, self.entities.external(self.rules.construction.allocator_outside), evidence)
            elif member.outside:
                self.solver.add(target, self.entities.external(f"{member.outside}.{name.removesuffix('()')}"), evidence)
        for child, beside in besides:
            decorated = cls in self.hierarchy.made_of.get(child, ())
            self._found(beside, target, self.entities.get(kind, child), h.FLOW if decorated else h.ELEMENT)

    def _found(self, member: Member, target: int, receiver: int, evidence: int) -> bool:
        """Let the values of a member flow to `target`, combined with the receiver; False if it is missing."""
        field = self.program.constants.get(member.node, -1)
        if field >= 0 and member.node not in self.program.defined:  # a method of the same name may be meant
            known = self.fields.setdefault(target, {})
            known[field] = min(known.get(field, evidence), evidence)
        if not self.program.lending.isdisjoint((member.node, *member.fields)):
            self.program.lending.add(target)
        generic, hold = self.generics.fields, self.generics.add_field
        if member.node in generic and hold(member.node, receiver, target, evidence):
            return True
        if member.node >= 0:
            function = self.program.sole.get(member.node, -1)
            if function >= 0 and not self.program.roles[function] and self.program.own_class[function] >= 0:
                self._bound(function, receiver, target, evidence)
            else:
                described = member.node not in self.hierarchy.unassigned
                beside = described and bool(member.fields)
                self.solver.on_value(member.node, (self._on_bind, target, receiver, evidence, described, beside))
        for field in member.fields:
            if field in generic and hold(field, receiver, target, evidence):
                continue
            self.solver.add_flow(field, target, max(evidence, h.TYPE))
        if self.entities.extra[receiver] and self.rules.classes.attributes_below and member.owner >= 0:
            name = self.program.constant_name(member.node)
            for node in self.hierarchy.assigned_below(self.entities.payload[receiver], name) if name else ():
                self.solver.add_flow(node, target, h.ELEMENT)
        return member.node >= 0 or bool(member.fields)

    def on_bind(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a value found in a class: combine it with the receiver, and add the result to `target`."""
        _, target, receiver, floor, described, beside = watcher
        evidence = max(evidence, floor)
        if self.entities.kind[entity] != h.FUNC:
            if beside and self.entities.kind[entity] == h.INST and self._yields(self.entities.payload[entity]):
                evidence = h.RELATED
            self._field_value(entity, receiver, target, evidence, described)
            return
        function = self.entities.payload[entity]
        role = self.program.roles[function]
        if role & (SETTER | OVERLOAD) or function in self.hierarchy.shadowed:
            return
        on_class = self.entities.kind[receiver] == h.CLASS
        if self.rules.scopes.members_apart and self._has_twin(function, on_class):
            return
        if role & PROPERTY:
            if not on_class or role & STATIC or self.rules.functions.read_signature is not None:
                self._read_property(function, receiver, target, evidence)
        elif role & STATIC:
            overridden = self.rules.classes.self_parameter and not on_class
            of_receiver = overridden or function in self.program.returns_like
            bound = self.entities.get(h.BOUND, function, receiver) if of_receiver else entity
            self.solver.add(target, bound, evidence)
        else:
            if role & OF_CLASS and not on_class:
                receiver = self.entities.get(h.CLASS, self.entities.payload[receiver], self.entities.extra[receiver])
            self._bound(function, receiver, target, evidence)

    def _yields(self, cls: int) -> bool:
        """Return True if a descriptor of a class is not read where an instance has an attribute of its name."""
        special = self.rules.special_methods
        get, put = (self.hierarchy.first_method(cls, each) for each in (special.descriptor_get, special.descriptor_set))
        return get >= 0 > put

    def _has_twin(self, function: int, on_class: bool) -> bool:
        """Return True if the receiver selects the static method, or the other one, of two of the same name."""
        own, roles = self.program.own_class[function], self.program.roles
        if own < 0 or bool(roles[function] & STATIC) == on_class:
            return False
        alike = self.program.defined.get(self.program.bound(own, self.program.symbols[function].name), ())
        return any(bool(roles[each] & STATIC) == on_class for each in alike)

    def _field_value(self, entity: int, receiver: int, target: int, evidence: int, described: bool) -> None:
        """Add a value that a class has to `target`.

        A descriptor is replaced by the value that reading it returns, unless `described` is False: the attribute is one
        of the instances.
        """
        kind = self.entities.kind[entity]
        if kind == h.OBJECT and self.containers.flavour[self.entities.payload[entity]] == "property":
            getter = self.containers.field(self.entities.payload[entity], "get")
            if self.entities.kind[receiver] == h.INST:
                self.solver.on_value(getter, (self._on_getter, target, receiver, evidence))
            return
        if described and kind == h.INST and self.entities.kind[receiver] in (h.INST, h.CLASS):
            getters = self.rules.special_methods.descriptor_get
            function = self.hierarchy.first_method(self.entities.payload[entity], getters)
            if function >= 0:
                self._read_property(function, entity, target, evidence, itself=self.entities.kind[receiver] != h.INST)
                return
        self.solver.add(target, entity, evidence if kind == h.CLASS else max(evidence, h.TYPE))

    def on_getter(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a getter of a property that a call made, such as ``property(getter)``: read the property."""
        _, target, receiver, floor = watcher
        if self.entities.kind[entity] in (h.FUNC, h.BOUND):
            self._read_property(self.entities.payload[entity], receiver, target, max(evidence, floor))

    def _bound(self, function: int, receiver: int, target: int, evidence: int) -> None:
        kind, cls = self.entities.kind[receiver], self.entities.payload[receiver]
        if kind == h.CLASS and not self.program.roles[function] & OF_CLASS:  # Base.method(self): no receiver yet
            of_any = self.program.symbols[cls].kind in BODILESS  # Trait::method(x): of any type that implements it
            receiver = self.entities.get(h.CLASS, cls, 1) if of_any else 0
            self.solver.add(target, self.entities.get(h.FUNC, function, receiver), evidence)
            return
        self.solver.add(target, self.entities.get(h.BOUND, function, receiver), evidence)
        if kind in (h.INST, h.CLASS) and cls != self.program.own_class[function]:
            self.receive(function, receiver)

    def receive(self, function: int, receiver: int) -> None:
        """Let `receiver`, an instance of a subclass, flow into the receiver parameter of a method."""
        parameters = self.program.parameters.get(function)
        if parameters and parameters[0].node in self.program.receivers:
            self.solver.add(parameters[0].node, receiver, h.FLOW)

    def _read_property(
        self, function: int, receiver: int, target: int, evidence: int, told: bool = True, itself: bool = True
    ) -> None:
        """Let the result of a method that is called when a member is read flow to `target`.

        If `told` is True, the read is recorded in `properties` as a call of the method. `itself` is False for a
        descriptor that is read on an instance: it returns itself only where it is read on the class.
        """
        known = self.properties.setdefault(target, {}) if told else {}
        if function not in known or known[function] & 7 > evidence:
            known[function] = receiver << 3 | evidence
        result, floor = self.program.result(function), max(evidence, h.RETURN)
        if itself:
            self.solver.add_flow(result, target, floor)
        else:
            self.solver.on_value(result, (self._on_described, target, function, floor))
        self.generics.add_result(function, receiver, target, evidence, itself)
        if self.entities.payload[receiver] != self.program.own_class[function]:
            self.receive(function, receiver)

    def on_described(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle the result of reading a descriptor on an instance: add it unless it is such a descriptor."""
        _, target, getter, floor = watcher
        name = self.program.symbols[getter].name
        if self.entities.kind[entity] != h.INST or self.hierarchy.method(self.entities.payload[entity], name) != getter:
            self.solver.add(target, entity, max(evidence, floor))

    def _of_class(self, target: int, name: str, entity: int, evidence: int) -> None:
        cls = self.entities.payload[entity]
        if name == self.rules.classes.prototype or name in self.rules.classes.instance_names:
            self.solver.add(target, self.entities.get(h.INST, cls, 1), evidence)
            return
        if name and name == self.rules.construction.constructor_word and not self._has_own(cls, name):  # T::new
            self._constructor(target, name, entity, evidence)
            return
        if name and name == self.rules.classes.class_attribute:
            self.solver.add(target, entity, evidence)
            return
        if name in self.rules.classes.super_names:  # I.super.m(): the method of this very type
            self.solver.add(target, self.entities.get(h.INST, cls), evidence)
            return
        if self.rules.classes.singleton_mark and (name := self.hierarchy.name_in_type(cls, name)) == "":
            return
        member = self.hierarchy.member_or_method(cls, name)
        is_enum = self.rules.classes.variants and self.program.symbols[cls].kind == "enum"
        variant = is_enum and member.node in self.program.constants
        if self.rules.classes.object_word and not self.program.is_object(cls) and not variant:
            return
        symbol = self.program.symbols[max(self.program.constants.get(member.node, 0), 0)]
        if self.rules.classes.methods_apart and symbol.kind == "field" and "static" not in symbol.signature.split():
            meant = self.hierarchy.member(cls, self.program.method_name(name))  # T::m is the method beside a field m
            if meant.node < 0 and self._made_by_the_language(cls, name, target, evidence):
                return
            member = meant if meant.node >= 0 else member
        if self._found(member, target, entity, evidence):
            of_enum = self.hierarchy.is_enum(cls) and self.hierarchy.function_at(member.node) < 0
            if of_enum or variant:
                self.solver.add(target, self.entities.get(h.INST, cls), max(evidence, h.TYPE))
        else:
            self._absent_in_class(cls, member, target, name, evidence)

    def _constructor(self, target: int, name: str, cls: int, evidence: int) -> None:
        """Let the constructor of the class `cls`, a value, flow to `target` as a function."""
        self.solver.add(target, self.entities.get(h.CONTAINER_PART, cls, self.entities.text(name)), evidence)

    def _has_own(self, cls: int, name: str) -> bool:
        """Return True if a type itself has the method `name`, in place of the language's: ``def self.new``."""
        mark = self.rules.classes.singleton_mark
        return bool(mark) and self.hierarchy.function_at(self.hierarchy.member(cls, mark + name).node) >= 0

    def _absent_in_class(self, cls: int, member: Member, target: int, name: str, evidence: int) -> None:
        """Let the values of a name flow to `target` that a class or namespace itself lacks.

        They may come from a star import, a metaclass, an outside supertype or a namespace around it.
        """
        standing_in = self.hierarchy.first_method(cls, self.rules.special_methods.standing_in)
        if standing_in >= 0:
            node = self.steps.follow(self.program.result(standing_in), ("." + name,), cls, 0)
            self.solver.add_flow(node, target, max(evidence, h.TYPE))
        elif cls in self.modules.stars and (node := self.modules.starred(cls, name)) >= 0:  # mod all { pub use a::*; }
            self.solver.add_flow(node, target, evidence)
        elif self.rules.classes.methods_apart and name[-2:] == "()":
            nested = self.hierarchy.member(cls, name[:-2]).node
            if nested >= 0 and self.program.defines_type(nested):  # new Outer.Inner()
                self.solver.add_flow(nested, target, evidence)
            elif not self._made_by_the_language(cls, name[:-2], target, evidence) and member.outside:
                self.solver.add(target, self.entities.external(f"{member.outside}.{name[:-2]}"), evidence)
                self._may_make(cls, target, name[:-2])
        elif (function := self.hierarchy.of_metaclass(cls, name)) >= 0:
            self.solver.add(target, self.entities.get(h.BOUND, function, self.entities.get(h.CLASS, cls)), evidence)
        elif member.outside:
            self.solver.add(target, self.entities.external(f"{member.outside}.{name}"), evidence)
            self._may_make(cls, target, name)
        elif (node := self._beside_block(cls, name)) >= 0:
            self.solver.add_flow(node, target, evidence)
        elif self.rules.modules.linked and self.program.symbols[cls].kind == "module":
            self.solver.add_flow(self._around_module(cls, name), target, h.RELATED)
        else:
            self.solver.add_flow(self.program.field(cls, name), target, h.FLOW)
            if self.rules.classes.singleton_mark:  # it is of a superclass or extension outside
                self._may_make(cls, target, name)

    def _beside_block(self, block: int, name: str) -> int:
        """Return the variable of a name that other files offer in the namespace whose part is `block`; -1 for none."""
        program = self.program
        file = program.file_of[block]
        unit = program.units.of_block.get((file, block - program.first[file]), -1)
        return self.modules.in_unit(unit, name) if unit >= 0 else -1

    def _around_module(self, module: int, name: str) -> int:
        """Return the constraint variable of `name` in the namespaces around `module`; UNKNOWN if none has the name.

        It is used if the namespace itself lacks the name. A C++ macro may open a namespace that the parser does not
        see. Then a name may be found one namespace further out than the source says.
        """
        program = self.program
        while (module := program.parent[module]) >= 0:
            node = program.bound(module, name)
            if node >= 0:
                return node
            file = program.file_of[module]
        return max(self.modules.linked.find(file, name), h.UNKNOWN)

    def _answer_for(self, function: int, target: int, name: str, entity: int, evidence: int) -> None:
        """Let the member `name` that the method for missing members (``__getattr__``) gives flow to `target`.

        It comes from the objects to which the method delegates. If none are known, it is the result of the method,
        whatever the name.
        """
        delegates = self.delegates.get(function)
        if delegates is None:
            self._read_property(function, entity, target, h.RELATED, evidence < h.FLOW)
            return
        if evidence < h.FLOW:
            self.properties.setdefault(target, {}).setdefault(function, entity << 3 | h.FLOW)
        for node in delegates:
            self.solver.add_flow(self.steps.follow(node, ("." + name,), 0, 0), target, max(evidence, h.TYPE))

    def _absent(self, cls: int, member: Member, target: int, name: str, entity: int, evidence: int) -> None:
        """Let the values of a member that the class lacks flow to `target`.

        The member may be built in, or come from outside supertypes, from objects to which the class delegates, from
        subclasses, or, if the class is a metaclass, from the classes that are its instances.
        """
        if name == self.rules.classes.class_attribute:
            self.solver.add(target, self.entities.get(h.CLASS, cls, self.entities.extra[entity]), evidence)
            return
        if name in self.rules.builtins.passing_methods:
            self.solver.add(target, self.entities.get(h.BOUND_METHOD, entity, self.entities.text(name)), evidence)
            return
        if (underlying := self.program.underlying(cls)) >= 0 and cls not in self.hierarchy.copied:
            self.solver.add_flow(self.steps.follow(underlying, ("." + name,), cls, 0), target, max(evidence, h.TYPE))
        passed = evidence >= h.FLOW and name in self.rules.builtins.common_methods  # a text or list is likelier
        for missing in self.rules.special_methods.missing:
            function = self.hierarchy.method(cls, missing)
            if function >= 0 and not (passed or name.startswith("__") or self.hierarchy.has_outside(cls, name)):
                self._answer_for(function, target, name, entity, evidence)
        for through in self.rules.special_methods.deref:
            function = self.hierarchy.method(cls, through) if name != through else -1
            if function >= 0:
                inner = self.steps.follow(self.program.result(function), ("." + name,), cls, 0)
                self.solver.add_flow(inner, target, max(evidence, h.TYPE))
                return
        self._of_made_classes(cls, target, name, evidence)
        self._of_outside(member, target, name, entity, evidence)
        if self.entities.extra[entity]:
            for child, found in self.hierarchy.members_below(cls, self.program.method_name(name)):
                self._found(found, target, self.entities.get(h.INST, child, LACKED_ABOVE), h.RELATED)
        for above in self.hierarchy.order(cls)[:4]:
            self.solver.add_flow(self.program.field(above, name), target, h.FLOW)

    def _of_outside(self, member: Member, target: int, name: str, entity: int, evidence: int) -> None:
        """Let a member that an outside supertype may have flow to `target`; its result may be the instance."""
        if member.outside:
            self.solver.add(target, self.entities.external(f"{member.outside}.{name}"), evidence)
        if member.outside or (evidence == h.RELATED and self.rules.classes.singleton_mark):
            self._may_return(entity, target, name)

    def _may_return(self, instance: int, target: int, name: str) -> None:
        self.solver.add(target, self.entities.get(h.BOUND_METHOD, instance, self.entities.text(name)), h.RELATED)

    def _may_make(self, cls: int, target: int, name: str) -> None:
        """Let the member `name` of a class flow to `target`, which an outside supertype has: it may make instances.

        It may be a method, such as ``Model.find`` of Active Record, or hold one, such as ``Model.objects`` of Django.
        """
        if not self.rules.overloading.decides:  # otherwise declared types tell it
            instance = self.entities.get(h.INST, cls, 1)
            self.solver.add(target, instance, h.RELATED)
            self._may_return(instance, target, name)

    def _may_be_several(self, cls: int, evidence: int) -> bool:
        """Return True if a value that outside code may have made from a class may be several of its instances."""
        if evidence != h.RELATED or self.rules.overloading.decides or self.program.underlying(cls) >= 0:
            return False
        outside = any(self.hierarchy.outside.get(each) for each in self.hierarchy.order(cls))
        return outside or bool(self.rules.classes.singleton_mark)

    def _of_made_classes(self, metaclass: int, target: int, name: str, evidence: int) -> None:
        """Let the member `name` of the classes that have a metaclass flow to `target`."""
        for made in self.hierarchy.made_by.get(metaclass, ())[:MAX_RELATED]:
            found = self.hierarchy.member_or_method(made, name)
            self._found(found, target, self.entities.get(h.CLASS, made, 1), max(evidence, h.RETURN))

    # ----------------------------------------------------------------- elements

    def on_element(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a value that is subscripted: let ``value[key]`` flow to the result."""
        _, target, key = watcher
        kind, payload = self.entities.kind[entity], self.entities.payload[entity]
        if key[:1] == "@" and kind in (h.OBJECT, h.INST, h.CLASS):
            self._keyed(target, f"[{key[1:]}]", entity, evidence)
        elif kind == h.OBJECT:
            if key[-1:] == ":":
                obj = self.containers.sliced(payload, int(key[:-1])) if key[:-1].isdigit() else payload
                self.solver.add(target, self.entities.get(h.OBJECT, obj), evidence)
            else:
                in_tuple = self.rules.functions.results_in_tuples and self.containers.flavour[payload] == "tuple"
                floor = h.RETURN if in_tuple and key.isdigit() else h.ELEMENT
                self.containers.read(payload, key, target, max(evidence, floor))
        elif kind == h.BOUND_METHOD and self._runs_when_read:
            self._on_result(entity, f"[{key}]", target, evidence)
        elif kind == h.FUNC and self.rules.builtins.open_objects:
            return  # a property of a function, which is not the function
        elif kind in (h.CLASS, h.FUNC):  # the key is a type argument, or the place of a function that is pointed to
            pointed = kind == h.FUNC and self.rules.classes.pointers
            self.solver.add(target, entity, max(evidence, h.ELEMENT) if pointed else evidence)
        elif kind == h.INST:
            self._element_of_instance(target, key, entity, evidence)
        elif kind == h.EXTERNAL and evidence < h.TYPE:  # the type itself, not a value of it
            name = self.entities.external_name(entity).rpartition(".")[2]
            if name in self.rules.builtins.types:
                self.solver.add(target, entity, evidence)

    def on_pointed(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a value of a pointer that is subscripted: an instance is one of those it points to."""
        if self.entities.kind[entity] == h.INST:
            self.solver.add(watcher[1], entity, evidence)
        else:
            self.on_element(watcher, entity, evidence)

    def _element_of_instance(self, target: int, key: str, entity: int, evidence: int) -> None:
        cls, of_symbol = self.entities.payload[entity], key[:7] == "Symbol."
        if not of_symbol and self._may_be_several(cls, evidence):
            self.solver.add(target, entity, evidence)
        elif self.rules.builtins.open_objects:  # a JavaScript symbol names a method
            self.on_attribute((None, target, f"[{key}]" if of_symbol else INDEX_MEMBER), entity, evidence)
        elif not self._result_of(self.rules.special_methods.index, entity, target, evidence):
            self._of_underlying(cls, f"[{key}]", target, evidence)
            if self.rules.classes.pointers:
                self.solver.add(target, entity, evidence)

    def _keyed(self, target: int, name: str, entity: int, evidence: int) -> None:
        """Let the member whose key is a constant, ``value[KEY]``, flow to the result; any member if it lacks one."""
        kind, payload = self.entities.kind[entity], self.entities.payload[entity]
        if kind == h.OBJECT and self.containers.known(payload, name) < 0:
            self.containers.read(payload, ANY, target, max(evidence, h.ELEMENT))
        else:
            self.on_attribute((None, target, name), entity, evidence)

    def on_operand(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle an operand of a sum, which joins containers: add a container to the result."""
        if self.entities.kind[entity] == h.OBJECT:
            self.solver.add(watcher[1], entity, evidence)

    def _result_of(self, methods: tuple[str, ...], entity: int, target: int, evidence: int) -> bool:
        function = self.hierarchy.first_method(self.entities.payload[entity], methods)
        if function >= 0:
            self.solver.add_flow(self.program.result(function), target, max(evidence, h.RETURN))
            self.generics.add_result(function, entity, target, evidence)
        return function >= 0

    def on_iterate(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a value that is iterated: let the values of the iteration flow to the loop variable."""
        _, target, waits = watcher
        special = self.rules.special_methods
        kind, payload = self.entities.kind[entity], self.entities.payload[entity]
        if kind == h.OBJECT:
            gives = self.rules.builtins.map_gives if self.containers.flavour[payload] == "dict" else "values"
            if gives == "pairs":
                pairs = self.entities.payload[self.containers.paired(payload, "items")]
                self.containers.read(pairs, ANY, target, max(evidence, h.ELEMENT))
            else:
                key = "%keys" if gives == "keys" else ANY
                self.solver.add_flow(self.containers.field(payload, key), target, max(evidence, h.ELEMENT))
        elif kind == h.BOUND_METHOD and self._runs_when_read:
            self._on_result(entity, "[*]", target, evidence)
        elif kind == h.INST:
            iterator = self._iterators.get((entity, waits))
            if iterator is None:
                iterator = self._iterators[entity, waits] = self.solver.node()
            if self._result_of(special.async_iterate if waits else special.iterate, entity, iterator, evidence):
                self.solver.on_value(iterator, (self.on_next, target, special.async_next if waits else special.next))
                return
            if self.gives(entity, target):  # it is an iterator itself
                return
            inherited = waits or any(self.hierarchy.has_outside(payload, name) for name in special.iterate)
            if not self._result_of(() if inherited else special.index, entity, target, evidence):
                self._of_underlying(payload, "[*]", target, evidence)
                if self._may_be_several(payload, evidence):
                    self.solver.add(target, entity, evidence)
        elif kind == h.CLASS and self.rules.classes.enum_bases and self.hierarchy.is_enum(payload):
            self.solver.add(target, self.entities.get(h.INST, payload), max(evidence, h.TYPE))

    def _of_underlying(self, cls: int, step: str, target: int, evidence: int) -> None:
        """Let the elements of a type's underlying type (Go's ``type Stack []int``) flow to `target`."""
        underlying = self.program.underlying(cls)
        if underlying >= 0:
            self.solver.add_flow(self.steps.follow(underlying, (step,), 0, 0), target, max(evidence, h.TYPE))

    def on_next(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle an iterator: let its values flow to the loop variable."""
        _, target, methods = watcher
        kind = self.entities.kind[entity]
        if kind == h.OBJECT:
            self.containers.read(self.entities.payload[entity], ANY, target, max(evidence, h.ELEMENT))
        elif kind == h.INST:
            self._result_of(methods, entity, target, max(evidence, h.ELEMENT))

    def gives(self, iterator: int, target: int) -> bool:
        """Let the values that an iterator of the repository gives flow to `target`; return False if it is none."""
        return self._result_of(self.rules.special_methods.next, iterator, target, h.ELEMENT)

    def on_enter(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle the value of ``with value as name``: let the result of entering it flow to the name."""
        _, target, waits = watcher
        special, kind = self.rules.special_methods, self.entities.kind[entity]
        if kind == h.INST:
            enter = special.async_enter if waits else special.enter
            if not self._result_of(enter, entity, target, max(evidence, h.TYPE)):
                self.solver.add(target, entity, evidence)
        elif kind == h.OBJECT:
            self.containers.read(self.entities.payload[entity], ANY, target, max(evidence, h.RETURN))
        else:
            self.solver.add(target, entity, evidence)
