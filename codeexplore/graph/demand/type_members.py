"""Demands for types: their supertypes, constructors, members as far as they are named, and overriding members."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from codeexplore.graph.demand.facts_index import FactsIndex, last_of, names_of, root_of
from codeexplore.graph.demand.slice_state import CONSTRUCTORS

if TYPE_CHECKING:
    from codeexplore.graph.demand.bound_values import BoundValues
    from codeexplore.graph.demand.module_names import ModuleNames
    from codeexplore.graph.demand.slice_part import SlicePart
    from codeexplore.graph.demand.slice_state import Demands, SliceState
    from codeexplore.types import Binding, Reference


class TypeMembers:
    """Collector of what types and their members depend on."""

    def __init__(self, state: SliceState, demands: Demands, bound: BoundValues, modules: ModuleNames) -> None:
        self._state, self._demands, self._bound, self._modules = state, demands, bound, modules
        self._rules = state.family.rules
        self._making = CONSTRUCTORS.union(self._rules.special_methods.subclass)
        self._dispatched: set[str] = set()
        self._overridden: set[tuple[str, str]] = set()
        state.when_added.append(self._members_of_new)

    def dispatch(self, part: SlicePart, call: Reference) -> None:
        """Follow a call of a method also to the methods that override it.

        A method that is called on the receiver is overridden below the type around the call. Constructors and methods
        of ``super()`` are not followed: their type is known.
        """
        name, root = last_of(call.path), root_of(call.path)
        is_direct = [is_member for is_member, _ in names_of(call.path)] == [False, True]
        if name in self._making or (is_direct and root in self._rules.classes.super_names):
            return
        scope = part.index.type_of_receiver(call.scope, root) if is_direct else -1
        if scope < 0:
            self._dispatched.add(name)
        else:
            self._state.later(partial(self._below, part, scope, name))

    def member(self, name: str) -> None:
        """Demand the members with this name of every type in the slice."""
        if name not in self._state.members:
            self._state.members.add(name)
            self._state.later(partial(self._everywhere, name))

    def type_(self, part: SlicePart, scope: int) -> None:
        """Demand the supertypes of a type, its constructors and its needed members."""
        index = part.index
        for base in index.bases.get(scope, ()):
            self._demands.path(part, scope, base.path)
        for name, rows in index.in_scope.get(scope, {}).items():
            if name[:1] == "%":  # the metaclass, the type that another is made of
                self._bound.local(part, scope, name, rows)
        for name in self._state.members.intersection(index.bindings):
            for binding in index.bindings[name]:
                if _is_member(index, binding) and index.type_of(binding) == scope:
                    self._demands.include(part, binding.scope)
                    self._bound.binding(part, binding)
        symbols = index.facts.symbols
        for row in index.inside.get(scope, ()):
            name = symbols[row].name
            if name in self._making or name == symbols[scope].name or name in self._state.members:
                self._demands.value(part, row)
            if self._rules.classes.structural and symbols[scope].kind == "interface":
                self._demands.value(part, row)
                self.member(name)  # a type without one of these methods does not implement the interface
                for rows in index.in_scope.get(row, {}).values():
                    for parameter in rows:  # nor a type with other signatures
                        self._demands.path(part, row, parameter.type)
        self._modules.open_package(part)

    def overriding(self, part: SlicePart, scope: int) -> None:
        """Demand the methods that override a method, if calls of its name are followed to them."""
        name = part.index.facts.symbols[scope].name
        if name in self._dispatched and part.index.in_type(scope):
            self._state.later(partial(self._below, part, part.index.parents[scope], name))

    def _below(self, part: SlicePart, scope: int, name: str) -> None:
        """Demand the overriding members in the subtypes of a type: a call on the type may run them."""
        symbol = part.index.facts.symbols[scope]
        if (symbol.id, name) in self._overridden:
            return
        self._overridden.add((symbol.id, name))
        names, paths = self._state.family.types_below(symbol.name) if symbol.kind == "class" else ({symbol.name}, None)
        structural = self._rules.classes.structural and symbol.kind == "interface"
        for path in self._state.family.defining(name):
            if structural:  # each type with the method may implement the interface without naming it
                other = self._state.part(path)
                for row in other.index.symbols.get(name, ()) if other is not None else ():
                    if other is not None:
                        self._demands.value(other, row)
                continue
            named = self._state.family.mentions(path, names) if paths is None else path in paths
            other = self._state.part(path) if named or path in self._state.parts else None
            for below, bases in other.index.bases.items() if other is not None else ():
                for base in bases:
                    if other is not None and last_of(base.path) in names:
                        self._demands.include(other, below)
                        if base.type:
                            self._demands.path(other, below, base.type)

    def _members_of_new(self, part: SlicePart) -> None:
        for name in self._state.members.intersection(part.index.symbols.keys() | part.index.bindings.keys()):
            self._state.later(partial(self._member_in, part, name))

    def _everywhere(self, name: str) -> None:
        for part in tuple(self._state.parts.values()):
            self._member_in(part, name)
        self._modules.member_of_packages(name)

    def _member_in(self, part: SlicePart, name: str) -> None:
        index = part.index
        for row in index.symbols.get(name, ()):
            if not index.in_type(row) or index.parents[row] in part.scopes:
                self._demands.value(part, row)
        for binding in index.bindings.get(name, ()):
            if _is_member(index, binding):
                owner = index.type_of(binding)
                may_be_below = index.is_type[binding.scope] and self._rules.classes.attributes_below
                if owner < 0 or owner in part.scopes or may_be_below:
                    self._demands.include(part, binding.scope)
                    self._bound.binding(part, binding)
        if part.opened:
            self._modules.member_of(part, name)


def _is_member(index: FactsIndex, binding: Binding) -> bool:
    """Return True if a binding assigns a member: it is of a path, or in the body of a type."""
    return "." in binding.name or index.is_type[binding.scope]
