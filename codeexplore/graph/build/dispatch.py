"""Dynamic dispatch: methods that a call on a receiver of known type may run.

The method found in the receiver's known type is the *static target*. If the receiver is an instance of a subtype, a
method that overrides the static target may run instead.
"""

from __future__ import annotations

from codeexplore.graph.build.declarations import DeclarationEdges
from codeexplore.resolution.program import ABSTRACT
from codeexplore.resolution.solve_family import FamilyAnalysis
from codeexplore.resolution.values import CLASS, CONTAINER_PART

_BODILESS = frozenset({"interface", "trait"})
_REFUSING = ("NotImplementedError", "NotImplementedException", "UnsupportedOperationException")
_REFUSING_INITIALS = frozenset(name[0] for name in _REFUSING)
_MAKING = frozenset({"new", "read", "decorator"})  # kinds of references that may instantiate a class


class Dispatch:
    """Finder of the overriding methods in subtypes of a receiver's type.

    A method is not a target if no instance can run it. This is decided for types that are private to their package
    (`ClassRules.opening_words`): if nothing in the repository instantiates such a type, its methods only run on
    instances of subtypes that inherit them.
    """

    def __init__(self, solved: FamilyAnalysis, declarations: DeclarationEdges) -> None:
        self.program, self.loader, self.declarations = solved.program, solved.loader, declarations
        self.hierarchy, self.rules = solved.evaluator.hierarchy, solved.program.rules
        self.entities, self.points_to = solved.evaluator.entities, solved.evaluator.solver.points_to
        self._overriding: dict[tuple[int, int], tuple[int, ...]] = {}
        self._owners: dict[tuple[int, str], frozenset[int]] = {}  # class, name → types that define the method run
        self._refusing_known: frozenset[int] | None = None  # computed at the first use
        self._made_known: frozenset[int] | None = None  # computed at the first use

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

        A subtype may have several overloads of the name. Only overloads with the same number of parameters as
        `function` are returned. If some of these overloads also have the same parameter types, only they are returned.
        """
        name = self.program.symbols[function].name
        if not self.rules.construction.constructor_is_class:
            return self.hierarchy.overriders(cls, name, function)
        types = self._types(function)
        found: dict[int, None] = {}
        for child in self.hierarchy.descendants(cls):
            node = self.hierarchy.member(child, self.program.method_name(name)).node
            named = [f for f in self.program.defined.get(node, ()) if self.program.is_callable(f)]
            fitting = [f for f in named if len(self._types(f)) == len(types)] if len(named) > 1 else named
            same = [f for f in fitting if self._types(f) == types]
            found.update(dict.fromkeys(f for f in same or fitting if f != function))
        return tuple(found)

    def _types(self, function: int) -> tuple[str, ...]:
        return tuple(parameter.type for parameter in self.program.parameters.get(function, ()))

    def is_bodiless(self, function: int) -> bool:
        """Return True if a method exists only to be overridden: it is abstract, of an interface, or always raises."""
        program, own = self.program, self.program.own_class[function]
        if own >= 0 and (program.symbols[own].kind in _BODILESS or self._is_protocol(own)):
            return True
        if function in program.stubs:
            return True
        abstract = program.roles[function] & ABSTRACT or "abstract" in program.symbols[function].signature.split()[:4]
        return bool(abstract) or function in self._refusing

    def _is_protocol(self, cls: int) -> bool:
        bases = self.hierarchy.outside.get(cls, ())
        return any(base.rpartition(".")[2] in self.rules.classes.structural_bases for base in bases)

    def is_idle(self, function: int, cls: int) -> bool:
        """Return True if no instance of `cls` or of its subtypes can run `function`.

        If no type is known to have instances, the result is False.
        """
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
        return cls in self._made or not self.program.is_hidden(cls)

    @property
    def _refusing(self) -> frozenset[int]:
        """Functions that mention an error such as ``NotImplementedError``."""
        if self._refusing_known is None:
            self._refusing_known = self._find_refusing()
        return self._refusing_known

    def _find_refusing(self) -> frozenset[int]:
        return frozenset(
            first + scope
            for rows, first in zip(self.program.references, self.program.first, strict=True)
            for scope, path in rows.fields("scope", "path")
            if path[:1] in _REFUSING_INITIALS and path.startswith(_REFUSING)
        )

    def _owner(self, cls: int, name: str) -> int:
        function = self.hierarchy.method(cls, name)
        return self.program.own_class[function] if function >= 0 else -1

    @property
    def _made(self) -> frozenset[int]:
        """Types that may have instances.

        They are types that are instantiated or used as values, enums, and types with decorators.
        """
        if self._made_known is None:
            self._made_known = self._find_made()
        return self._made_known

    def _find_made(self) -> frozenset[int]:
        symbols, kinds, payloads = self.program.symbols, self.entities.kind, self.entities.payload
        found = {n for n, s in enumerate(symbols) if s.decorators or s.kind == "enum" or s.name[:1] == "<"}
        for rows, used in zip(self.program.references, self.loader.used, strict=True):
            for (kind,), node in zip(rows.fields("kind"), used, strict=True):
                values = self.points_to(node) if kind in _MAKING else ()
                called = [payloads[e] if kinds[e] == CONTAINER_PART else e for e in values]  # T::new
                found.update(payloads[e] for e in called if kinds[e] == CLASS)
        return frozenset(found)
