"""Demands for the values that names are bound to: assignments, parameters, fields and passed functions."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from codeexplore.graph.demand.facts_index import PARAMETERS, last_of, root_of, root_of_anonymous
from codeexplore.graph.demand.slice_state import CALL_KINDS, CONSTRUCTORS

if TYPE_CHECKING:
    from codeexplore.graph.demand.slice_part import SlicePart
    from codeexplore.graph.demand.slice_state import Demands, SliceState
    from codeexplore.types import Binding


class BoundValues:
    """Collector of what bindings depend on."""

    def __init__(self, state: SliceState, demands: Demands) -> None:
        self._state, self._demands = state, demands

    def local(self, part: SlicePart, scope: int, name: str, rows: Sequence[Binding]) -> None:
        """Demand the bindings `rows` of a name in a scope."""
        if (scope, name) in part.locals:
            return
        part.locals.add((scope, name))
        self._demands.include(part, scope)
        for binding in rows:
            self.binding(part, binding)

    def binding(self, part: SlicePart, binding: Binding) -> None:
        """Demand what a binding depends on."""
        if binding in part.bindings:
            return
        part.bindings.add(binding)
        self._state.spend(1)
        if (binding.scope, binding.name) in part.index.receivers:
            return
        if binding.value:
            around = part.index.parents[binding.scope] if binding.manner in PARAMETERS else binding.scope
            self._demands.path(part, max(around, 0), binding.value)  # a default is evaluated outside the function
        if binding.type:
            self._demands.path(part, binding.scope, binding.type)
        if binding.manner == "field" and part.index.is_type[binding.scope]:
            self._given_fields(part, binding.scope, binding.name)
        if binding.manner in PARAMETERS:
            self._arguments(part, binding.scope)
            if not binding.type and not binding.value:
                self._provider(part, binding.name)

    def _arguments(self, part: SlicePart, scope: int) -> None:
        """Demand the arguments of calls of a function in its own file, which decide its parameters.

        The parameters of an anonymous function are decided by the function to which it is passed.
        """
        index = part.index
        name = index.facts.symbols[scope].name
        if name in CONSTRUCTORS and index.parents[scope] >= 0:
            name = index.facts.symbols[index.parents[scope]].name
        if name in part.callers:
            return
        part.callers.add(name)
        root = root_of_anonymous(name) if name[0] == "<" else ""
        for row in index.passing.get(root, ()):
            self._state.later(partial(self._demands.reference, part, row))
            self._state.taking.add(last_of(index.facts.references[row].path))
        for row in index.references.get(name, ()):
            if index.facts.references[row].kind in CALL_KINDS:
                self._state.later(partial(self._demands.reference, part, row))

    def _given_fields(self, part: SlicePart, scope: int, name: str) -> None:
        """Demand the values that literals of a type in its own file give to a field: ``T{field: value}``."""
        references = part.index.facts.references
        for row in part.index.references.get(part.index.facts.symbols[scope].name, ()):
            given = [n for n, argument in enumerate(references[row].args) if argument.startswith(f"{name}=")]
            if given and references[row].kind in CALL_KINDS:
                self._state.later(partial(self._demands.reference, part, row, given))

    def _provider(self, part: SlicePart, name: str) -> None:
        """Demand the functions that provide a parameter by its name, such as the fixtures of pytest."""
        family = self._state.family
        rules = family.rules.decorators
        for path in family.defining(name) if rules.providing else ():
            if path != part.index.facts.path and posixpath.basename(path) not in rules.providing_files:
                continue
            other = self._state.part(path)
            for row in other.index.symbols.get(name, ()) if other is not None else ():
                if other is not None and other.index.facts.symbols[row].decorators:
                    self._demands.value(other, row)

    # ----------------------------------------------------------------- functions passed as arguments

    def follow_passed(self) -> None:
        """Demand the calls of the parameters of functions that are given a function.

        Parts are compared again only if they or the functions became more.
        """
        taking = self._state.taking
        for part in tuple(self._state.parts.values()):
            index, extent = part.index, (len(part.scopes), len(taking))
            if part.extent == extent:
                continue
            part.extent = extent
            for name in taking.intersection(index.symbols):
                for row in index.symbols[name]:
                    inner = index.inside.get(row, ()) if index.is_type[row] and row in part.scopes else ()
                    for scope in (row, *inner):
                        if scope in part.scopes and scope not in part.called and index.is_callable[scope]:
                            part.called.add(scope)
                            self._parameters_called(part, scope)

    def _parameters_called(self, part: SlicePart, scope: int) -> None:
        index = part.index
        held = index.in_scope.get(scope, {})
        names = {name for name, rows in held.items() if any(row.manner in PARAMETERS for row in rows)}
        for name in names:
            self.local(part, scope, name, held[name])  # its type may give the types of the parameters
        rows = []
        for row in (row for inner in index.below(scope) for row in index.by_scope.get(inner, ())):
            reference = index.facts.references[row]
            if any(argument.rpartition("=")[2] in names for argument in reference.args):  # passed on
                self._state.taking.add(last_of(reference.path))
                rows.append(row)
            elif root_of(reference.path) in names:
                rows.append(row)
        for binding in index.facts.bindings:
            if binding.scope == scope and "." in binding.name and binding.value in names:
                rows += index.references.get(last_of(binding.name), ())
        for row in rows:
            self._state.later(partial(self._demands.reference, part, row))
