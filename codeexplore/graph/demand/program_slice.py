"""Demand-driven program slices: the facts on which a few uses depend, collected by following names.

A resolution of the whole repository evaluates every expression. The targets of one call depend on few of them: on the
values of the names in its path, on the imports, definitions and assignments that bind these names, on the results of
the functions among them, and on the supertypes of the types. `ProgramSlice` follows these dependences backwards from
the uses in question, nearest first, until nothing new appears or a budget is spent. The resolver then solves the slice
as if it were the whole program. This is demand-driven analysis (Heintze and Tardieu 2001) with names as demands: names
find more than values do, and the resolver drops the rest.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from codeexplore.graph.demand.dependences import Dependences
from codeexplore.graph.demand.facts_index import PARAMETERS, FactsIndex, last_of
from codeexplore.graph.demand.slice_state import CALL_KINDS, SliceState

if TYPE_CHECKING:
    from codeexplore.graph.demand.family import Family
    from codeexplore.graph.demand.slice_part import SlicedFile
    from codeexplore.types import Import, Reference


class ProgramSlice:
    """The facts on which some uses depend.

    Parameters
    ----------
    family
        The files of one language family.
    """

    def __init__(self, family: Family) -> None:
        self.family = family
        self._state = SliceState(family)
        self._dependences = Dependences(self._state)

    def read(self, path: str) -> FactsIndex | None:
        """Return the facts of a file, which is then part of the slice; None if the budget is spent."""
        part = self._state.part(path)
        return None if part is None else part.index

    def use(
        self, path: str, rows: Iterable[int], *, dispatch: bool = False, passed: Collection[str] | None = None
    ) -> None:
        """Demand the values of references, given by their rows among the references of a file.

        Parameters
        ----------
        dispatch
            True to follow calls of a method also to the methods that override it, but not calls by syntax (too many
            types have methods such as ``__iter__``).
        passed
            Last names of the arguments that may be the answer. By default these are the arguments that are no calls:
            they may be functions.
        """
        part = self._state.part(path)
        if part is not None:
            for row in rows:
                reference = part.index.facts.references[row]
                positions = self._needed_arguments(reference, passed)
                self._state.later(partial(self._dependences.reference, part, row, positions))
                if dispatch and reference.kind in CALL_KINDS:
                    self._dependences.members.dispatch(part, reference)

    def _needed_arguments(self, reference: Reference, passed: Collection[str] | None) -> list[int]:
        """Return the positions of the arguments on which the targets of a reference depend."""
        rules = self.family.rules
        if rules.overloading.decides or reference.path in rules.special_methods.protocols:
            return list(range(len(reference.args)))
        values = (argument.rpartition("=")[2] for argument in reference.args)
        return [
            position
            for position, value in enumerate(values)
            if value[-1:] != ")" and (passed is None or last_of(value) in passed)
        ]

    def define(self, path: str, scopes: Iterable[int]) -> None:
        """Demand definitions: their supertypes, results and members as far as they are named."""
        part = self._state.part(path)
        if part is not None:
            for scope in scopes:
                self._dependences.include(part, scope)

    def imports(self, path: str, rows: Iterable[Import]) -> None:
        """Demand the targets of imports of a file."""
        part = self._state.part(path)
        if part is not None:
            for row in rows:
                self._state.later(partial(self._dependences.modules.import_, part, row, row.name))

    def member(self, name: str) -> None:
        """Demand the members with this name of every type in the slice."""
        self._dependences.members.member(name)

    def follow_passed(self, callees: Iterable[str]) -> None:
        """Demand the calls of the parameters of functions with these names, and of fields in which they are stored.

        A function that is passed as an argument is called there.
        """
        self._state.taking.update(callees)

    def allow(self, rows: int) -> None:
        """Extend the budgets by facts that are in question themselves."""
        self._state.allow(rows)

    def grow(self) -> None:
        """Follow the demands until nothing new appears or a budget is spent."""
        self._dependences.bound.follow_passed()
        while self._state.take_steps():
            self._dependences.bound.follow_passed()

    @property
    def has_read_half(self) -> bool:
        """True if at least half of the facts that a slice may read are read."""
        return self._state.has_read_half

    @property
    def cut(self) -> bool:
        """True if a budget ended the slice, so that something that it depends on is missing."""
        return self._state.cut

    def asks_arguments(self, path: str, scopes: Iterable[int]) -> bool:
        """Return True if the slice needs the values of a parameter of one of these functions."""
        part = self._state.parts.get(path)
        wanted = set(scopes)
        return part is not None and any(
            row.manner in PARAMETERS and row.scope in wanted and (row.scope, row.name) not in part.index.receivers
            for row in part.bindings
        )

    def above(self, index: FactsIndex, scope: int) -> Iterator[tuple[FactsIndex, int]]:
        """Yield a type and the types of the slice with the names of its supertypes, each with the facts of its file."""
        todo, seen = [(index, scope)], set[str]()
        for each in todo:
            yield each
            names = {last_of(base.path) for base in each[0].bases.get(each[1], ())} - seen
            seen |= names
            for part in self._state.parts.values():
                rows = (row for name in names for row in part.index.symbols.get(name, ()))
                todo += [(part.index, row) for row in rows if row in part.scopes and part.index.is_type[row]]

    def files(self) -> dict[str, SlicedFile]:
        """Return the sliced facts of each file, by path."""
        all_imports = self.family.rules.classes.structural  # signatures are compared with the modules they name
        return {path: part.sliced(all_imports) for path, part in self._state.parts.items()}
