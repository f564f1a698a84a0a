"""Generics: values of declared types that name a type parameter ``T``.

In a method's result, ``T`` depends on the receiver, which carries its type arguments (see `annotations`). A subclass of
a generic type passes type arguments to its supertype. In a function's result, ``T`` depends on the argument for the
parameter whose type names ``T`` too: the result is this argument, an instance of it, or an element of it.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

from codeexplore.resolution import solver as h
from codeexplore.resolution.annotations import FIRST, Annotations, Nodes
from codeexplore.resolution.class_hierarchy import Hierarchy
from codeexplore.resolution.path_steps import PathNode, Steps
from codeexplore.resolution.program import Parameter, Program
from codeexplore.resolution.type_syntax import TypeExpr, read_type
from codeexplore.resolution.values import CLASS, INST
from codeexplore.types import Base


class Passing(NamedTuple):
    """A parameter that determines a function's result.

    The result is the argument itself, an instance of it (if it is a class), or an element of it.
    """

    parameter: Parameter
    how: str  # "itself", "instance", "element"


class Generics:
    """Declarations that name type parameters, and the values that they have for given type arguments."""

    def __init__(
        self, program: Program, hierarchy: Hierarchy, annotations: Annotations, steps: Steps, path: PathNode
    ) -> None:
        self.program, self.hierarchy, self.annotations = program, hierarchy, annotations
        self.solver, self.entities = program.solver, program.entities
        self.steps, self.path = steps, path
        self.parameters: dict[int, list[str]] = {}  # type → names of its type parameters
        self.free: set[str] = set()  # names that are type parameters everywhere (TypeVar)
        self.results: dict[int, TypeExpr] = {}  # method → declared result that names a type parameter
        self.fields: dict[int, tuple[int, TypeExpr]] = {}  # node of a field → (its scope, declared type)
        self.passing: dict[int, list[Passing]] = {}  # function → parameters that determine its result
        self.above: dict[tuple[int, int], tuple[int, tuple[TypeExpr, ...]]] = {}  # (class, supertype) → type arguments
        self._mapped: dict[tuple[int, int], Nodes] = {}
        self._substituted: dict[tuple[int, int], int] = {}

    # ----------------------------------------------------------------- collection of generic declarations

    def learn_all(self) -> None:
        """Record the generic declarations of all files: first type parameters, then types that name them."""
        for file in range(len(self.program.files)):
            self._learn(file)
        for file in range(len(self.program.files)):
            self._learn_declared(file)

    def _learn(self, file: int) -> None:
        first = self.program.first[file]
        for scope, name, manner, value in self.program.bindings[file].fields("scope", "name", "manner", "value"):
            if manner == "type":
                self.note_parameter(first + scope, name)
            elif value.endswith("TypeVar()"):
                self.free.add(name)

    def _learn_declared(self, file: int) -> None:
        """Record the supertypes with type arguments in a file, and the declared results that name a type parameter."""
        first, facts = self.program.first[file], self.program.files[file]
        for base in facts.bases:
            if base.arguments and not base.type:
                self._note_base(first + base.scope, base)
        told = {back.scope for back in facts.returns if back.manner != "type" and back.value}
        for back in facts.returns:
            if back.manner == "type":
                self.note_result(first + back.scope, read_type(back.value), back.scope in told)

    def _note_base(self, cls: int, base: Base) -> None:
        arguments = tuple(read_type(text) for text in base.arguments)
        for argument in arguments:
            if argument.name in self.free and not argument.args:
                self.note_parameter(cls, argument.name)
        node = self.path(max(self.program.parent[cls], 0), base.path, base.line)
        for entity in self.solver.points_to(node):
            if self.entities.kind[entity] == CLASS:
                self.above[cls, self.entities.payload[entity]] = (cls, arguments)

    def note_parameter(self, cls: int, name: str) -> None:
        known = self.parameters.setdefault(cls, [])
        if name not in known:
            known.append(name)

    def note_result(self, function: int, expr: TypeExpr, told: bool = False) -> None:
        """Record the declared result of a function.

        `told` is True if the function returns values in its body. Then the body decides the result, because a decorator
        may declare the type of its argument as its result and return a wrapper.
        """
        own = self.program.own_class[function]
        if own >= 0 and self._mentions(expr, self._names_of(own)):
            self.results[function] = expr
        names = self.free.union(self.parameters.get(function, ()))
        if not names:
            return
        wanted = self._plain(expr)
        if wanted not in names:
            return
        for parameter in self.program.parameters.get(function, ()):
            how = self._how(read_type(parameter.type), wanted)
            if how and not (told and how == "itself"):
                self.passing.setdefault(function, []).append(Passing(parameter, how))

    def note_field(self, node: int, cls: int, scope: int, text: str) -> None:
        """Record the declared type of a field of the class `cls`, if the type names a type parameter of the class."""
        names = self._names_of(cls)
        if names and self._mentions(read_type(text), names):
            self.fields[node] = (scope, read_type(text))

    def _names_of(self, cls: int) -> frozenset[str]:
        return frozenset(self.parameters.get(cls, ()))

    def _mentions(self, expr: TypeExpr, names: frozenset[str]) -> bool:
        return expr.name in names or any(self._mentions(part, names) for part in expr.args)

    def _plain(self, expr: TypeExpr) -> str:
        """Return the name of a type without arguments, or of ``T`` for ``Optional[T]``; "" for other types."""
        role = self.annotations.role(expr)
        if role == "same" and expr.args:
            return self._plain(expr.args[0])
        if role == "union":
            named = [part for part in expr.args if part.name not in ("None", "null", "undefined")]
            return self._plain(named[0]) if len(named) == 1 else ""
        return "" if expr.args else expr.name

    def _how(self, expr: TypeExpr, wanted: str) -> str:
        if self._plain(expr) == wanted:
            return "itself"
        role = self.annotations.role(expr)
        if role == "class" and expr.args and expr.args[0].name == wanted:
            return "instance"
        if role in ("sequence", "map") and expr.args and expr.args[-1].name == wanted:
            return "element"
        return ""

    # ----------------------------------------------------------------- substitution of type arguments

    def _mapping(self, receiver: int, owner: int) -> Nodes:
        """Return the type arguments that an instance has for the type parameters of the class `owner`.

        The keys are names of type parameters, the values constraint variables. `receiver` is the abstract value of an
        instance of `owner` or of a subtype.
        """
        key = (receiver, owner)
        known = self._mapped.get(key)
        if known is None:
            self._mapped[key] = {}  # the hierarchy may be cyclic
            known = self._mapped[key] = self._map(receiver, owner)
        return known

    def _map(self, receiver: int, owner: int) -> Nodes:
        cls, extra = self.entities.payload[receiver], self.entities.extra[receiver]
        given = self.annotations.arguments(extra)
        current: Nodes = dict(zip(self.parameters.get(cls, ()), given, strict=False))
        chain = self._chain(cls, owner)
        for below, above in itertools.pairwise(chain):
            scope, arguments = self.above.get((below, above), (below, ()))
            nodes = [self.annotations.evaluated(scope, part, 0, current) for part in arguments]
            names = self.parameters.get(above, [])
            following = dict(zip(names, nodes, strict=False))
            current = following or {name: current[name] for name in names if name in current}
        return current

    def _chain(self, cls: int, owner: int) -> list[int]:
        """Return the classes from `cls` up to its supertype `owner`, both included, along a shortest path."""
        came: dict[int, int] = {cls: -1}
        pending = [cls]
        for current in pending:
            if current == owner:
                break
            for known in self.hierarchy.supers.get(current, ()):
                if known.parent not in came:
                    came[known.parent] = current
                    pending.append(known.parent)
        chain = [owner] if owner in came else []
        while chain and came[chain[-1]] >= 0:
            chain.append(came[chain[-1]])
        return chain[::-1]

    def add_result(self, function: int, receiver: int, target: int, evidence: int) -> bool:
        """Let the result for a generic receiver flow to `target`; True if its type arguments determine it."""
        expr = self.results.get(function)
        if expr is None or self.entities.kind[receiver] != INST:
            return False
        self.solver.add_flow(self._node(function, function, expr, receiver), target, max(evidence, h.RETURN))
        return self._is_fixed(expr, receiver, function)

    def _is_fixed(self, expr: TypeExpr, receiver: int, scope: int) -> bool:
        """Return True if the type `expr` is a type parameter, and the receiver has a type argument for it."""
        if expr.args or self.entities.extra[receiver] < FIRST or not self.program.rules.functions.results_exact:
            return False
        return expr.name in self._mapping(receiver, self.program.class_around(scope))

    def add_field(self, field: int, receiver: int, target: int, evidence: int) -> bool:
        """Let a field of a generic receiver flow to `target`; True if its type arguments determine it."""
        known = self.fields.get(field)
        if known is None or self.entities.kind[receiver] != INST:
            return False
        self.solver.add_flow(self._node(~field, known[0], known[1], receiver), target, max(evidence, h.TYPE))
        return self._is_fixed(known[1], receiver, known[0])

    def _node(self, key: int, scope: int, expr: TypeExpr, receiver: int) -> int:
        node = self._substituted.get((key, receiver))
        if node is None:
            owner = self.program.class_around(scope)
            if owner >= 0:
                node = self.annotations.evaluated(scope, expr, 0, self._mapping(receiver, owner))
            else:
                node = self.solver.node()
            self._substituted[key, receiver] = node
        return node

    def pass_on(self, function: int, argument: int, parameter: Parameter, target: int, evidence: int) -> None:
        """Let the result of a generic function flow to `target`, as far as one argument determines it."""
        for passing in self.passing.get(function, ()):
            if passing.parameter is not parameter:
                continue
            if passing.how == "itself":
                self.solver.add_flow(argument, target, max(evidence, h.RETURN))
            elif passing.how == "instance":
                self.solver.on_value(argument, (self.annotations.on_type, target, 0))
            else:
                self.solver.add_flow(self.steps.follow(argument, ("[*]",), 0, 0), target, max(evidence, h.ELEMENT))
