"""Targets of a call besides the values of the called expression: overriding methods, and definitions of its name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from itertools import islice

from codeexplore.graph.build.edge_writer import DeclarationEdges
from codeexplore.resolution import solver as h
from codeexplore.resolution.class_hierarchy import Hierarchy
from codeexplore.resolution.program import ABSTRACT, BODILESS, EXPLICIT, PROPERTY, Program
from codeexplore.resolution.solve_family import FamilyAnalysis
from codeexplore.types import Reference

_REFUSING = ("NotImplementedError", "NotImplementedException", "UnsupportedOperationException")
_REFUSING_INITIALS = frozenset(name[0] for name in _REFUSING)
_RUNNING = frozenset({"call", "new", "implicit"})
_MAKING = frozenset({"new", "read", "decorator"})  # kinds of references that may instantiate a class


class Dispatch:
    """Finder of the overriding methods in subtypes of a receiver's type.

    A method is not a target if no instance can run it. This is decided for types that are private to their package
    (`ClassRules.opening_words`): if nothing in the repository instantiates such a type, its methods only run on
    instances of subtypes that inherit them.
    """

    def __init__(self, solved: FamilyAnalysis, declarations: DeclarationEdges) -> None:
        self._made, self._refusing = cache(self._find_made), cache(self._find_refusing)
        self.program, self.loader, self.declarations = solved.program, solved.loader, declarations
        self.hierarchy, self.rules = solved.evaluator.hierarchy, solved.program.rules
        self.entities, self.points_to = solved.evaluator.entities, solved.evaluator.solver.points_to
        self._overriding: dict[tuple[int, int], tuple[int, ...]] = {}
        self._accessors: dict[int, tuple[int, ...]] = {}
        self._replaced: dict[tuple[int, int], bool] = {}
        self._owners: dict[tuple[int, str], frozenset[int]] = {}  # class, name → types that define the method run

    def overriding(self, function: int, cls: int) -> tuple[int, ...]:
        """Return the methods of subtypes of `cls` that a call of its method `function` may run instead."""
        if self.rules.classes.structural and self.program.is_sealed(cls):  # the method of an embedded interface
            cls = self.program.own_class[function]
        key = (function, cls)
        targets = self._overriding.get(key)
        if targets is None:
            below = [f for f in self._below(function, cls) if not self.is_idle(f, cls)]
            targets = self._overriding[key] = (*below, *self.declarations.fitting.get(function, ()))
        return targets

    def _below(self, function: int, cls: int) -> tuple[int, ...]:
        """Return the functions in subtypes of `cls` that have the name of `function`, without `function` itself.

        In languages where overloads differ in parameters, the functions override `function`.
        """
        name = self.program.symbols[function].name
        if not self.rules.overloading.decides:
            name = self.program.member_name(self.program.symbols[function])
            return self.hierarchy.overriders(cls, name, function)
        program, hierarchy, key = self.program, self.hierarchy, self.program.method_name(name)
        keys = [each for each in (key, EXPLICIT + key) if each in program.bound_names]
        below = hierarchy.descendants(cls)
        nodes = dict.fromkeys(hierarchy.member(child, each).node for child in below for each in keys)
        named = dict.fromkeys(f for node in nodes for f in program.defined.get(node, ()) if program.is_callable(f))
        return tuple(f for f in named if f != function and hierarchy.overrides(f, function))

    def accessors(self, field: int) -> tuple[int, ...]:
        """Return the properties of subtypes by which an access to `field` runs code: ``string P { get; }``."""
        found = self._accessors.get(field)
        if found is None:
            program, cls = self.program, self.program.parent[field]
            below = cls >= 0 and program.symbols[field].kind == "field" and self.hierarchy.descendants(cls)
            named = self.hierarchy.overriders(cls, program.symbols[field].name, field) if below else ()
            found = self._accessors[field] = tuple(each for each in named if program.roles[each] & PROPERTY)
        return found

    def is_replaced(self, function: int, cls: int) -> bool:
        """Return True if no class that ends a line of subclasses of `cls` inherits its method `function`."""
        key = (function, cls)
        found = self._replaced.get(key)
        if found is None:
            name, hierarchy = self.program.member_name(self.program.symbols[function]), self.hierarchy
            ends = [each for each in hierarchy.descendants(cls) if not hierarchy.descendants(each)]
            found = self._replaced[key] = all(hierarchy.method(each, name) != function for each in ends)
        return found

    def is_bodiless(self, function: int) -> bool:
        """Return True if a member exists only to be overridden: it is abstract, of an interface, or always raises."""
        program = self.program
        own = program.own_class[function] if program.is_callable(function) else program.parent[function]
        if own >= 0 and (program.symbols[own].kind in BODILESS or self._is_protocol(own)):
            return True
        if function in program.stubs:
            return True
        abstract = program.roles[function] & ABSTRACT or "abstract" in program.symbols[function].signature.split()[:4]
        return bool(abstract) or function in self._refusing()

    def _is_protocol(self, cls: int) -> bool:
        bases = self.hierarchy.outside.get(cls, ())
        return any(base.rpartition(".")[2] in self.rules.classes.structural_bases for base in bases)

    def is_idle(self, function: int, cls: int) -> bool:
        """Return True if no instance of `cls` or its subtypes runs `function`; False where none is known to exist."""
        own = self.program.own_class[function]
        if own < 0 or not self.program.is_hidden(own) or self.program.symbols[own].kind == "interface":
            return False
        name = self.program.symbols[function].name
        owners = self._owners.get((cls, name))
        if owners is None:
            alive = [c for c in (cls, *self.hierarchy.descendants(cls)) if self._has_instances(c)]
            owners = self._owners[cls, name] = frozenset([self._owner(c, name) for c in alive])
        return bool(owners) and own not in owners

    def _has_instances(self, cls: int) -> bool:
        return cls in self._made() or not self.program.is_hidden(cls)

    def _find_refusing(self) -> frozenset[int]:
        """Return the functions that do nothing but raise an error such as ``NotImplementedError``."""
        found, busy = dict[int, tuple[int, int]](), dict[int, tuple[int, int]]()  # function → first place (line, row)
        for rows, first in zip(self.program.references, self.program.first, strict=True):
            if not any(
                path[:1] in _REFUSING_INITIALS and path.startswith(_REFUSING) for (path,) in rows.fields("path")
            ):
                continue
            for number, (scope, kind, path, line) in enumerate(rows.fields("scope", "kind", "path", "line")):
                refuses = path[:1] in _REFUSING_INITIALS and path.startswith(_REFUSING)
                if refuses or kind in _RUNNING:
                    places, place = found if refuses else busy, (line, number)
                    places[first + scope] = min(place, places.get(first + scope, place))
        return frozenset(own for own, place in found.items() if busy.get(own, place) >= place)

    def _owner(self, cls: int, name: str) -> int:
        function = self.hierarchy.method(cls, name)
        return self.program.own_class[function] if function >= 0 else -1

    def _find_made(self) -> frozenset[int]:
        """Return the types that are instantiated or used as values, enums, and types with decorators."""
        symbols, kinds, payloads = self.program.symbols, self.entities.kind, self.entities.payload
        found = {n for n, s in enumerate(symbols) if s.decorators or s.kind == "enum" or s.name[:1] == "<"}
        for rows, used in zip(self.program.references, self.loader.used, strict=True):
            for (kind,), node in zip(rows.fields("kind"), used, strict=True):
                values = self.points_to(node) if kind in _MAKING else ()
                called = [payloads[e] if kinds[e] == h.CONTAINER_PART else e for e in values]  # T::new
                found.update(payloads[e] for e in called if kinds[e] == h.CLASS)
        return frozenset(found)


MAX_BY_NAME = 3
"""Maximal number of definitions with one name. If there are more, no guess is made."""


class Guesses:
    """Functions and types of one language family, found by their names."""

    def __init__(self, program: Program, hierarchy: Hierarchy) -> None:
        self.program = program
        self.hierarchy = hierarchy
        self.rules = program.rules
        self._functions: dict[str, list[int]] = defaultdict(list)
        self._methods: dict[str, list[int]] = defaultdict(list)
        self._outside_types: dict[str, list[int]] = defaultdict(list)  # functions that are not methods
        self._types: dict[str, list[int]] = defaultdict(list)
        self.implementations = cache(self._find_implementations)
        for number, symbol in enumerate(program.symbols):
            if program.is_callable(number) and symbol.kind != "lambda":
                self._functions[symbol.name].append(number)
                member = program.own_class[number] >= 0 or (self.rules.classes.prototype and symbol.kind == "method")
                (self._methods if member else self._outside_types)[symbol.name].append(number)
            elif program.is_class(number):
                self._types[symbol.name].append(number)

    def targets(self, row: Reference, name: str, receiver: str) -> Sequence[int]:
        """Return the definitions that a call may mean, judged by the called `name` alone.

        For a call on a receiver the definitions are methods; otherwise they are functions and types. The result is
        empty in two cases: more than `MAX_BY_NAME` definitions have the name, or methods of built-in types have it. In
        both cases the name is no evidence.
        """
        if name in self.rules.builtins.common_methods or (name.startswith("__") and name.endswith("__")):
            return ()
        if self.rules.modules.linked and receiver in self.rules.classes.super_names:  # the supertype is known
            return ()
        if receiver:
            found = self._methods.get(name, [])
        elif not self.rules.scopes.bare_by_name:
            return ()
        else:
            found = self._types.get(name, [])
            if row.kind != "new" and len(found) <= MAX_BY_NAME:
                named = self._functions if self.rules.scopes.blocks_on_any else self._outside_types
                found = found + named.get(name, [])[: MAX_BY_NAME + 1]
        return found if len(found) <= MAX_BY_NAME else ()

    def _can_meet(self, cls: int, interface: int) -> bool:
        """Return True if one type could both extend `cls` and implement `interface`.

        The result is False if `cls`, with all its subtypes, and `interface` are private to different packages: no file
        can name both.
        """
        program = self.program
        heirs = (cls, *self.hierarchy.descendants(cls))
        if not (program.is_hidden(interface) and all(program.is_hidden(heir) for heir in heirs)):
            return True
        locate, file_of = program.locator.unit_of, program.file_of
        return locate(file_of[cls]) == locate(file_of[interface])

    def _find_implementations(self, method: int) -> Sequence[int]:
        """Return methods with the name and number of parameters of `method`, whose interface has no known subtype."""
        symbols, own, parameters = self.program.symbols, self.program.own_class, self.program.parameters
        name, number = symbols[method].name, len(parameters.get(method, ()))
        if symbols[own[method]].kind != "interface" or name in self.rules.builtins.common_methods:
            return ()
        methods = self._methods.get(name, ())
        if not self.program.work.spend(len(methods)):
            return ()
        same = (f for f in methods if symbols[own[f]].kind != "interface")
        open_ = (f for f in same if "final" not in symbols[own[f]].signature.split())  # final types cannot be extended
        open_ = (f for f in open_ if self._can_meet(own[f], own[method]))
        found = list(islice((f for f in open_ if len(parameters.get(f, ())) == number), MAX_BY_NAME + 1))
        return found if len(found) <= MAX_BY_NAME else ()
