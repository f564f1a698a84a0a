"""Class hierarchy: supertypes, the order in which members are looked up (resolution order), and subtypes.

Classes are given by the numbers of their symbols. Supertypes are resolved once, before values flow. The resolution
order follows C3, the order of Python, Dylan and others (Barrett et al., OOPSLA 1996). If C3 has no solution, it is
depth-first order without repeats. C3 has none for an invalid hierarchy, or for one with parts outside the repository.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from codeexplore.resolution.language_rules import CONSTRUCTOR
from codeexplore.resolution.program import BODILESS, NAMESPACES, OVERLOAD, SETTER, Program
from codeexplore.resolution.solver import CLASS, EXTERNAL, FUNC, MAX_VALUES
from codeexplore.resolution.type_syntax import simple

MAX_DESCENDANTS: Final = 400
"""Maximal number of subtypes of a class that are searched for overriding methods."""

MAX_ORDER: Final = 100
"""Maximal length of a resolution order, the class itself included, and of direct supertypes that are merged. In the
repositories that we measured the longest order has 12."""

MAX_RELATED: Final = 12
"""Maximal number of subtypes that are searched for a member that a class lacks."""


MAX_OVERLOADING: Final = 8
"""Maximal number of supertypes that are searched for overloads. The nearest supertype with the name nearly always has
the overridden method."""


IN_PART: Final = "satisfies in part"
"""Manner in which a class has an interface of which an outside type that it embeds may have the other methods."""


IN_TYPE: Final = "embeds in type"
"""Manner in which a type has a module whose methods are its own, not those of its instances."""


PREPENDED: Final = "embeds before"
"""Manner in which a type has a module whose methods override its own."""


EMBEDDING: Final = ("embeds", IN_TYPE, PREPENDED)
"""Manners in which a type has a trait, a mixin or an embedded type."""


class Super(NamedTuple):
    """One direct supertype of a class."""

    parent: int  # symbol of the supertype; -1 for one outside the repository
    manner: str
    file: int
    line: int


class Member(NamedTuple):
    """The definition of a member for a class."""

    node: int  # node of the name in the first class that binds it; -1 for none
    owner: int  # the first class that binds it; -1 for none
    fields: tuple[int, ...]  # nodes of the fields that methods assign
    outside: str  # outside class that may define it, if no class of the repository does


class Hierarchy:
    """Supertypes, resolution orders and members of every class of a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.supers: dict[int, list[Super]] = {}
        self.satisfied: dict[int, list[Super]] = {}  # class → interfaces whose methods it has without naming them
        self.outside: dict[int, dict[str, Super]] = {}  # class → dotted name → its supertypes outside the repository
        self.own_lent: set[int] = set()  # modules that extend themselves
        self.copied: set[int] = set()  # types with the fields of the struct by which they are defined
        self.below: dict[int, list[int]] = {}  # class → direct subtypes
        # scope → supertypes that its code gives to types without a symbol, as (entity, file, line, name of the type)
        self.elsewhere: dict[int, list[tuple[int, int, int, str]]] = {}
        self.of_trait: dict[int, int] = {}  # function of an impl block → its trait; -1 for an outside trait
        self.metaclasses: dict[int, int] = {}  # class → its metaclass, as declared in its head
        self.made_by: dict[int, list[int]] = {}  # metaclass → classes of which it is the metaclass
        self.made_of: dict[int, list[int]] = {}  # class → subclasses that its decorators make and that replace it
        self.made_at: dict[int, int] = {}  # such a subclass → position of the decorated class among its supertypes
        self.aliases: dict[int, int] = {}  # node of a name in a class → the function assigned to it
        self.unassigned: set[int] = set()  # nodes of fields that a class only declares
        self.shadowed: set[int] = set()  # functions of `of_trait` that a method of the type itself hides
        self._order: dict[int, tuple[int, ...]] = {}
        self._members: dict[int, dict[str, Member]] = {}  # class, or ~class for supertypes → name → member
        self.names_like = cache(self._names_like)
        self._missing = cache(lambda outside: Member(-1, -1, (), outside))  # one object for each class
        self.descendants = cache(self._find_descendants)
        self.methods = cache(self._find_methods)
        self._functions: dict[int, dict[str, int]] = {}  # class, or ~class for supertypes → name → function
        self.lent = cache(self._find_lent)
        self.members_below = cache(self._find_members_below)
        self.assigned_below = cache(self._find_assigned_below)
        self._pairs: set[int] = set()  # class << 32 | direct supertype
        self._parameter_types = cache(self._find_parameter_types)
        self.crowded: set[int] = set()  # classes with more than `MAX_DESCENDANTS` below them

    def forget(self) -> None:
        """Drop cached members and orders, because more types are known now."""
        for known in (self._order, self._members, self._functions):
            known.clear()
        of_classes = (self.methods, self.lent, self.descendants, self.names_like)
        for cached in (*of_classes, self.members_below, self.assigned_below):
            cached.cache_clear()

    def add(self, cls: int, entity: int, manner: str, file: int, line: int) -> None:
        entities = self.program.entities
        if entities.kind[entity] == CLASS or (self.program.rules.classes.prototype and entities.kind[entity] == FUNC):
            parent = entities.payload[entity]
            pair = cls << 32 | parent
            of_module = self.program.rules.classes.mixins and self.program.symbols[parent].kind == "module"
            if manner == "extends" and (of_module or self.is_no_value(parent)) and not self.is_no_value(cls):
                name = self.program.symbols[parent].name
                self.outside.setdefault(cls, {}).setdefault(name, Super(-1, manner, file, line))
            elif parent != cls and pair not in self._pairs and not self.program.is_object(parent):
                self._pairs.add(pair)
                supers = self.supers.setdefault(cls, [])
                place = len(supers)
                while manner in EMBEDDING and place and supers[place - 1].manner not in EMBEDDING:
                    place -= 1  # a trait or mixin hides what is inherited
                supers.insert(place, Super(parent, manner, file, line))
                self.below.setdefault(parent, []).append(cls)
            elif parent == cls and manner == IN_TYPE:
                self.own_lent.add(cls)
        elif entities.kind[entity] == EXTERNAL:
            named = self.outside.setdefault(cls, {})
            named.setdefault(entities.external_name(entity), Super(-1, manner, file, line))

    def is_no_value(self, cls: int) -> bool:
        """Return True for an alias or interface of TypeScript: the value of its name, if any, is the language's."""
        return bool(self.program.rules.classes.prototype) and self.program.symbols[cls].kind in ("type", "interface")

    def satisfies(self, cls: int, interface: int, manner: str = "satisfies") -> None:
        """Record that a class has all methods of an interface, or some and the manner `IN_PART`."""
        file, line = self.program.file_of[cls], self.program.symbols[cls].line
        self.satisfied.setdefault(cls, []).append(Super(interface, manner, file, line))
        self.below.setdefault(interface, []).append(cls)

    def stands_for(self, cls: int, wanted: frozenset[int]) -> bool:
        if not wanted.isdisjoint(self.order(cls)):
            return True
        return any(known.parent in wanted for known in self.satisfied.get(cls, ()))

    # ----------------------------------------------------------------- order

    def order(self, cls: int) -> tuple[int, ...]:
        """Return the class and its supertypes within the repository, in the order in which members are looked up."""
        known = self._order.get(cls)
        return known if known is not None else self._linearise(cls)

    def _linearise(self, cls: int) -> tuple[int, ...]:
        """Compute the resolution order of a class, without recursion: the orders of its supertypes come first.

        Classes that are their own supertypes get depth-first order.
        """
        stack, entered = [cls], {cls}
        while stack:
            current = stack[-1]
            each = (current, *self.made_of.get(current, ()))
            waiting = [s.parent for c in each for s in self.supers.get(c, ()) if s.parent not in self._order]
            waiting = [parent for parent in waiting if parent not in entered]
            if waiting:
                entered.update(waiting)
                stack.extend(waiting)
                continue
            stack.pop()
            if current not in self._order:
                self._order[current] = self._merge(current, [s.parent for s in self.supers.get(current, ())])
                for made in self.made_of.get(current, ()):
                    parents = [s.parent for s in self.supers.get(made, ())]
                    parents.insert(self.made_at[made], current)
                    self._order[current] = self._merge(made, parents)
        return self._order[cls]

    def _merge(self, cls: int, parents: list[int]) -> tuple[int, ...]:
        if not parents:
            return (cls,)
        parents = parents[:MAX_ORDER]
        known = [self._order.get(parent, (parent,)) for parent in parents]
        merged = merge_c3([list(order) for order in known] + [parents])
        if merged is None or cls in merged:
            merged = list(dict.fromkeys(c for order in known for c in order if c != cls))
        if len(merged) >= MAX_ORDER:
            name = self.program.symbols[cls].name
            self.program.work.leave_out(
                "types with too many supertypes, of which only the nearest are looked through", name
            )
        return (cls, *merged)[:MAX_ORDER]

    # ----------------------------------------------------------------- members

    def member(self, cls: int, name: str, above: bool = False) -> Member:
        """Return the member for instances of a class; with `above`, the class itself is skipped, as by ``super()``."""
        members = self._members.setdefault(~cls if above else cls, {})
        known = members.get(name)
        if known is None:
            order, mark = self.order(cls), self.program.rules.classes.singleton_mark
            order = order[order.index(cls) + 1 :] if above else order
            known = self._find(order, cls, name)
            if mark and name.startswith(mark):  # a module that a type extends is before what is above the type
                nearer = order if known.node < 0 else order[: order.index(known.owner)]
                lent = tuple(each for near in nearer for each in self.lent(near))
                found = self._find(lent, cls, name.removeprefix(mark)) if lent else known
                known = found if found.node >= 0 else known
            if known.node in self.program.constants and (mark := self.program.rules.classes.instance_mark):
                known = known._replace(fields=(*known.fields, *self.member(cls, mark + name, above).fields))
            members[name] = known
        return known

    def fields_below(self, cls: int, name: str) -> list[int]:
        """Return the variables of the fields `name` that methods of the subclasses of a class assign."""
        fields = self.program.fields
        found = (fields[each].get(name, -1) for each in self.descendants(cls)[:MAX_RELATED] if each in fields)
        return [node for node in found if node >= 0]

    def _find_lent(self, cls: int) -> tuple[int, ...]:
        """Return the modules whose methods are those of the type `cls` itself, because its own code extends them."""
        direct = [known.parent for known in self.supers.get(cls, ()) if known.manner == IN_TYPE]
        own = (cls,) if cls in self.own_lent else ()
        return tuple(dict.fromkeys((*own, *(each for parent in direct for each in self.order(parent)))))

    def name_in_type(self, cls: int, name: str, above: bool = False) -> str:
        """Return the key of a member of a type itself; "" for a method of its instances only.

        The methods of a module are those of the types that it extends, too. See `ClassRules.singleton_mark`.
        """
        own = self.program.rules.classes.singleton_mark + name
        if self.member(cls, own, above).node >= 0:
            return own
        member = self.member(cls, name, above)
        of_instances = member.node >= 0 and self.function_at(member.node) >= 0
        return "" if of_instances and self.program.symbols[member.owner].kind != "module" else name

    def member_or_method(self, cls: int, name: str, above: bool = False) -> Member:
        """Return the member `name` for instances of a class, or the method or field `name` if there is no member.

        They differ in languages where methods and fields have separate names. There a method may be used as a value,
        and the function in a field may be called.
        """
        member, rules = self.member(cls, name, above), self.program.rules
        called = name[-2:] == "()"
        apart = rules.classes.methods_apart and not (called and rules.functions.functional)
        if not apart or member.node >= 0 or member.fields:
            return member
        other = self.member(cls, name[:-2] if called else self.program.method_name(name), above)
        return other if other.node >= 0 or other.fields else member

    def _find(self, order: tuple[int, ...], cls: int, name: str) -> Member:
        names, symbols = self.program.names, self.program.symbols
        node, owner = -1, -1
        found: list[int] = []
        for current in order:
            bound = names[current]
            if bound is not None and name in bound and symbols[current].kind in NAMESPACES:
                if node < 0:
                    node, owner = bound[name], current
                elif self._implements(bound[name]):
                    node, owner = bound[name], current
                    break
                if not self.declares_only(node):
                    break
        if name in self.program.field_names:
            for current in order:
                fields = self.program.fields.get(current)
                field = -1 if fields is None else fields.get(name, -1)
                if field >= 0 and len(found) < MAX_VALUES:
                    found.append(field)
        if node >= 0 or found:
            return Member(node, owner, tuple(found), "")
        for current in (cls, *order) if self.outside else ():
            for outside in self.outside.get(current, ()):
                return self._missing(outside)
        return self._missing("")

    def declares_only(self, node: int) -> bool:
        """Return True if all functions that define the name of `node` are declarations without a body; see `STUB`."""
        stubs = self.program.stubs
        if not stubs:
            return False
        sole = self.program.sole.get(node, -1)
        if sole >= 0:
            return sole in stubs
        defined = self.program.defined.get(node)
        return bool(defined) and all(symbol in stubs for symbol in defined or ())

    def _implements(self, node: int) -> bool:
        """Return True if a function with a body defines the name whose constraint variable is `node`."""
        stubs, defined = self.program.stubs, self.program.defined.get(node, ())
        return any(self.program.is_callable(symbol) and symbol not in stubs for symbol in defined)

    def beside(self, cls: int, after: int, name: str) -> Member:
        """Return the member that ``super()`` in the class `after` finds for an instance of `cls`: behind `after`."""
        order = self.order(cls)
        return self._find(order[order.index(after) + 1 :] if after in order else (), cls, name)

    def method(self, cls: int, name: str, above: bool = False) -> int:
        """Return the function that instances of a class have under a name; -1 if there is none."""
        key = ~cls if above else cls
        functions = self._functions.get(key)
        if functions is None:
            functions = self._functions[key] = {}
        known = functions.get(name)
        if known is None:
            member = self.member(cls, self.program.method_name(name), above)
            known = functions[name] = self.function_at(member.node) if member.node >= 0 else -1
        return known

    def first_method(self, cls: int, names: Sequence[str]) -> int:
        """Return the first of the methods `names` that instances of a class have; -1 if there is none."""
        for name in names:
            if (function := self.method(cls, name)) >= 0:
                return function
        return -1

    def defining(self, cls: int) -> Iterator[int]:
        """Yield the methods that run when a class is defined; see `SpecialMethods.subclass`.

        Where types have methods of their own, these are methods of its superclass, and not of a module in it.
        """
        rules = self.program.rules
        for name in rules.special_methods.subclass:
            if not rules.classes.singleton_mark:
                found = [self.method(cls, name, above=True)]
            else:
                above = [known.parent for known in self.supers.get(cls, ()) if known.manner not in EMBEDDING]
                keys = ((each, self.name_in_type(each, name)) for each in above)
                found = [self.method(each, key) for each, key in keys if key]
            yield from (function for function in found if function >= 0)

    def has_outside(self, cls: int, name: str) -> bool:
        """Return True if an outside supertype of a class is known to have a special method."""
        known = self.program.rules.special_methods.outside
        return any(name in known.get(base, ()) for each in self.order(cls) for base in self.outside.get(each, ()))

    def _find_members_below(self, cls: int, name: str) -> tuple[tuple[int, Member], ...]:
        """Return the nearest `MAX_RELATED` subtypes that have a member `name`, each with its member."""
        found = ((child, self.member(child, name)) for child in self.descendants(cls)[:MAX_RELATED])
        return tuple(pair for pair in found if pair[1].node >= 0 or pair[1].fields)

    def _find_assigned_below(self, cls: int, name: str) -> tuple[int, ...]:
        """Return the constraint variables of the class attribute `name` in the subtypes that assign it again.

        An example is ``response_class = Other`` in a subclass. At most `MAX_RELATED` subtypes are searched.
        """
        program = self.program
        nodes = [program.bound(child, name) for child in self.descendants(cls)[:MAX_RELATED]]
        return tuple(n for n in nodes if n >= 0 and program.constant_name(n))

    def _find_methods(self, cls: int) -> Mapping[str, int]:
        """Return all functions that `method` finds for a class, by name."""
        named: dict[str, int] = {}
        for current in self.order(cls):
            if self.program.symbols[current].kind in NAMESPACES:
                for name, node in (self.program.names[current] or {}).items():
                    named.setdefault(name, node)
        at = {name: self.function_at(node) for name, node in named.items()}
        return {name: function for name, function in at.items() if function >= 0}

    def add_metaclass(self, cls: int, metaclass: int) -> None:
        """Record the metaclass of a class."""
        self.metaclasses[cls] = metaclass
        self.made_by.setdefault(metaclass, []).append(cls)

    def of_metaclass(self, cls: int, name: str) -> int:
        """Return the function `name` in the metaclass of a class or of its supertypes; -1 for none."""
        for current in self.order(cls) if self.metaclasses else ():
            if current in self.metaclasses:
                return self.method(self.metaclasses[current], name)
        return -1

    def is_enum(self, cls: int) -> bool:
        bases = self.program.rules.classes.enum_bases
        return any(base.rpartition(".")[2] in bases for each in self.order(cls) for base in self.outside.get(each, ()))

    def function_at(self, node: int) -> int:
        """Return the last function that defines a variable's name, without overloads and setters; -1 for none."""
        sole = self.program.sole.get(node, -1)
        if sole >= 0:
            return sole
        program = self.program
        found = [
            symbol
            for symbol in program.defined.get(node, ())
            if program.is_callable(symbol) and not program.roles[symbol] & (OVERLOAD | SETTER)
        ]
        return found[-1] if found else self.aliases.get(node, -1)

    def _names_like(self, cls: int, pattern: str) -> tuple[str, ...]:
        """Return names of methods that fit a pattern with stars: of the class, its supertypes, then its subtypes."""
        classes = (*self.order(cls), *self.descendants(cls))
        fits = re.compile(re.escape(pattern).replace(r"\*", r"\w*") + r"(?:\(\))?").fullmatch
        fields = self.program.fields if self.program.rules.classes.prototype else {}
        names = (name for each in classes for name in (*(self.program.names[each] or ()), *fields.get(each, ())))
        return tuple(dict.fromkeys(filter(fits, names)))[:MAX_VALUES]

    # ----------------------------------------------------------------- overloads

    def overrides(self, function: int, above: int) -> bool:
        """Return True if a method would override the method `above` of a supertype with the same name.

        Their parameters have equal types by simple names. A type parameter is equal to any type of another class.
        """
        own, other = self._parameter_types(function), self._parameter_types(above)
        apart, pairs = self.program.own_class[function] != self.program.own_class[above], zip(own, other, strict=False)
        return len(own) == len(other) and all(a == b or (apart and not (a and b)) for a, b in pairs)

    def _find_parameter_types(self, function: int) -> tuple[str, ...]:
        """Return the simple names of the parameters' types; "" for one that depends on the class, such as `Self`."""
        given = self.program.parameters.get(function, ())
        written = (f"{each.type}[]" if each.manner == "rest" else each.type for each in given)
        return tuple("" if self._is_open(function, each) else self._erased(function, simple(each)) for each in written)

    def _is_open(self, function: int, written: str) -> bool:
        """Return True for the type of the receiver, and for a type in a type parameter: ``Items.Element``."""
        root, dot, _ = written.lstrip("[(").partition(".")
        return root in self.program.rules.classes.own_type_names or bool(dot and not self._erased(function, root))

    def _erased(self, scope: int, name: str) -> str:
        plain, around = name.rstrip("[]*&"), scope
        while around >= 0:
            node = self.program.bound(around, plain)
            if node >= 0 and self._stands_for_types(node, around):
                return "%own" if around == scope else ""  # no type can take the place of a method's own type parameter
            if node >= 0:
                return name
            around = self.program.parent[around]
        return "" if self.program.rules.overloading.is_variable(plain) else name

    def _stands_for_types(self, node: int, scope: int) -> bool:
        """Return True for the name of a type parameter, or of a type that each subtype of an interface gives."""
        kind, program = self.program.symbols[scope].kind, self.program
        given = kind in BODILESS and any(program.symbols[each].kind == "type" for each in program.defined.get(node, ()))
        return given or (node in program.type_names and kind != "module")

    def inherited_overloads(self, cls: int) -> Iterator[tuple[int, int]]:
        """Yield methods of supertypes that overload a method of `cls`, each with the variable of its name in `cls`."""
        program = self.program
        for name, node in (program.names[cls] or {}).items():
            own = [each for each in program.defined.get(node, ()) if program.is_callable(each)]
            for above in self.order(cls)[1 : MAX_OVERLOADING + 1] if own and name != CONSTRUCTOR else ():
                for function in program.defined.get(program.bound(above, name), ()):
                    if program.is_callable(function) and not any(self.overrides(each, function) for each in own):
                        own.append(function)
                        yield function, node

    # ----------------------------------------------------------------- below

    def _find_descendants(self, cls: int) -> tuple[int, ...]:
        """Return the nearest `MAX_DESCENDANTS` subtypes; a class that has more is recorded in `crowded`."""
        if self.program.is_sealed(cls):
            return ()
        seen, found = {cls}, [cls]
        for current in found:
            for child in self.below.get(current, ()):
                if child in seen:
                    continue
                if len(found) > MAX_DESCENDANTS or self.program.work.is_spent:
                    self.crowded.add(cls)
                    return tuple(found[1:])
                seen.add(child)
                found.append(child)
        self.program.work.spend(len(found))
        return tuple(found[1:])

    def overriders(self, cls: int, name: str, static: int) -> tuple[int, ...]:
        """Return the functions `name`, other than `static`, that instances of subtypes of the class `cls` have."""
        found: dict[int, None] = {}
        file_of, left_out = self.program.file_of, self.program.left_out
        for child in self.descendants(cls):
            if self.program.work.is_spent:
                self.crowded.add(cls)
                break
            if left_out and file_of[child] in left_out and file_of[static] not in left_out:
                continue
            mark = self.program.rules.classes.singleton_mark
            lent = mark and any(cls in self.lent(each) for each in self.order(child))
            function = self.method(child, mark + name if lent else name)
            if self.of_trait:
                function = self._of_trait(child, name, cls, function)
            if function >= 0 and function != static:
                found[function] = None
        return tuple(found)

    def _of_trait(self, child: int, name: str, trait: int, function: int) -> int:
        """Return the function `name` by which the type `child` implements the trait `trait`.

        A type may have several functions of this name. If none of them is known to implement the trait, `function` is
        returned.
        """
        node = self.member(child, self.program.method_name(name)).node
        named = self.program.defined.get(node, ()) if node >= 0 else ()
        return next((f for f in named if self.of_trait.get(f, -1) == trait), function) if len(named) > 1 else function

    def shadow(self) -> None:
        """Record in `shadowed` the methods of traits that are hidden by other methods of their types.

        ``x.m()`` and ``T::m`` mean the other method.
        """
        program = self.program
        for function in self.of_trait:
            if any(other not in self.of_trait for other in self._alike(function) if program.is_callable(other)):
                self.shadowed.add(function)
        for function, own in enumerate(program.own_class) if program.left_out else ():
            if own < 0 or program.file_of[function] not in program.left_out or program.file_of[own] in program.left_out:
                continue
            if any(program.file_of[other] not in program.left_out for other in self._alike(function)):
                self.shadowed.add(function)

    def _alike(self, function: int) -> Collection[int]:
        """Return the functions that have the name of a method in its own type, if it has one."""
        program = self.program
        own, name = program.own_class[function], program.method_name(program.symbols[function].name)
        return program.defined.get(program.bound(own, name), ()) if own >= 0 else ()


def merge_c3(sequences: list[list[int]]) -> list[int] | None:
    """Merge the orders of the direct supertypes and their list; None if they contradict each other."""
    result: list[int] = []
    sequences = [s for s in sequences if s]
    heads = [0] * len(sequences)
    tails: dict[int, int] = {}  # class → number of tails that contain it
    waiting: dict[int, list[int]] = {}  # class → sequences that begin with it
    for number, sequence in enumerate(sequences):
        waiting.setdefault(sequence[0], []).append(number)
        for cls in sequence[1:]:
            tails[cls] = tails.get(cls, 0) + 1
    start = 0  # all earlier sequences are merged
    while True:
        while start < len(sequences) and heads[start] == len(sequences[start]):
            start += 1
        if start == len(sequences):
            return result
        for number in range(start, len(sequences)):
            if heads[number] < len(sequences[number]):
                candidate = sequences[number][heads[number]]
                if not tails.get(candidate):
                    break
        else:
            return None
        result.append(candidate)
        for number in waiting.pop(candidate):
            heads[number] += 1
            if heads[number] < len(sequences[number]):
                head = sequences[number][heads[number]]
                tails[head] -= 1
                waiting.setdefault(head, []).append(number)
