"""The dependences of references and scopes, which lead to bindings, members of types and names of modules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeexplore.graph.demand.bound_values import BoundValues
from codeexplore.graph.demand.facts_index import last_of, names_of
from codeexplore.graph.demand.module_names import ModuleNames
from codeexplore.graph.demand.type_members import TypeMembers

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codeexplore.graph.demand.slice_part import SlicePart
    from codeexplore.graph.demand.slice_state import SliceState


class Dependences:
    """Collector of what references and scopes depend on.

    Attributes
    ----------
    bound, modules, members
        The collectors for bindings, for names of modules and for members of types.
    """

    def __init__(self, state: SliceState) -> None:
        self._state, self._rules = state, state.family.rules
        self.bound = BoundValues(state, self)
        self.modules = ModuleNames(state, self, self.bound)
        self.members = TypeMembers(state, self, self.bound, self.modules)

    def reference(self, part: SlicePart, row: int, arguments: Iterable[int] | None = None) -> None:
        """Demand the value of a reference and those of its arguments at some positions, by default of all."""
        reference = part.index.facts.references[row]
        is_new = row not in part.references
        known = part.references.setdefault(row, set())
        for position in set(range(len(reference.args)) if arguments is None else arguments) - known:
            known.add(position)
            if reference.args[position]:
                self.path(part, reference.scope, reference.args[position])
        if not is_new:
            return
        self._state.spend(2)
        self.include(part, reference.scope)
        self.path(part, reference.scope, reference.path)
        special = self._rules.special_methods
        for name in special.protocols.get(reference.path, ()):  # len(x) calls x.__len__
            self.members.member(name)
        if reference.kind == "implicit":
            for name in special.fallbacks.get(last_of(reference.path), ()):
                self.members.member(name)

    def include(self, part: SlicePart, scope: int) -> None:
        """Add a scope and those around it, with the supertypes, constructors and needed members of a type."""
        index = part.index
        for each in index.chain(scope):
            if each in part.scopes:
                continue
            part.scopes.add(each)
            self._state.spend(1)
            symbol = index.facts.symbols[each]
            for decorator in symbol.decorators:
                self.path(part, max(index.parents[each], 0), decorator)
            if index.is_type[each]:
                self.members.type_(part, each)
            if each in index.receiver_of:
                self.path(part, each, index.receiver_of[each])

    def value(self, part: SlicePart, scope: int) -> None:
        """Add a scope that is used as a value: also its results, and the methods that override it if asked for."""
        self.include(part, scope)
        if scope not in part.results:
            part.results.add(scope)
            self.members.overriding(part, scope)
            for value in part.index.returns.get(scope, ()):
                self._state.spend(1)
                self.path(part, scope, value)

    def path(self, part: SlicePart, scope: int, path: str) -> None:
        """Demand the names in an access path or type."""
        first, _, rest = path.partition(".")
        if rest and first in self._rules.modules.keywords and part.index.type_of_receiver(scope, first) < 0:
            self.modules.path(part, path)
        for is_member, name in names_of(path):
            if is_member:
                self.members.member(name)
            else:
                self._name(part, scope, name)

    def _name(self, part: SlicePart, scope: int, name: str) -> None:
        """Demand a name as code in a scope means it."""
        index = part.index
        if name[0] == "%":
            for row in index.symbols.get(name, ()):
                self.value(part, row)
            for binding in index.bindings.get(name, ()):  # a function that is a value is bound in its own scope
                self.bound.local(part, binding.scope, name, index.in_scope[binding.scope][name])
            for bound in index.imports.get(name, ()):
                self.modules.import_(part, bound, name)
            return
        for each in index.chain(scope):
            if each == 0:
                break
            held = index.in_scope.get(each)
            if held is not None and name in held:
                self.bound.local(part, each, name, held[name])
                if index.is_callable[each] and not self._rules.classes.methods_apart:
                    return
        if name not in index.builtins and name not in index.instance_names:
            self.modules.need(part, name)
