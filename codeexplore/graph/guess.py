"""Definitions that share a call's name, for calls nothing else is known about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import islice

from codeexplore.resolution.class_hierarchy import Hierarchy
from codeexplore.resolution.program import Program
from codeexplore.types import Reference

MAX_BY_NAME = 3
"""More definitions of one name than this are no answer."""


class Guesses:
    """Functions and types of one family by their names."""

    def __init__(self, program: Program, hierarchy: Hierarchy) -> None:
        self.program = program
        self.hierarchy = hierarchy
        self.rules = program.rules
        self._functions: dict[str, list[int]] = defaultdict(list)
        self._methods: dict[str, list[int]] = defaultdict(list)
        self._outside_types: dict[str, list[int]] = defaultdict(list)  # functions that are no methods
        self._types: dict[str, list[int]] = defaultdict(list)
        self._implementations: dict[int, Sequence[int]] = {}
        for number, symbol in enumerate(program.symbols):
            if program.is_callable(number) and symbol.kind != "lambda":
                self._functions[symbol.name].append(number)
                (self._methods if program.own_class[number] >= 0 else self._outside_types)[symbol.name].append(number)
            elif program.is_class(number):
                self._types[symbol.name].append(number)

    def targets(self, row: Reference, name: str, receiver: str) -> Sequence[int]:
        """Definitions a call may mean by its name alone: methods for a receiver, functions (and types) for a bare name.

        None when there are too many, and none for names that built-in types use: there a name says nothing.
        """
        if name in self.rules.common_methods or (name.startswith("__") and name.endswith("__")):
            return ()
        if self.rules.linked and receiver in self.rules.super_names:  # above the type, which is known
            return ()
        if receiver:
            found = self._methods.get(name, [])
        elif not self.rules.bare_by_name:
            return ()
        else:
            found = self._types.get(name, [])
            if row.kind != "new" and len(found) <= MAX_BY_NAME:
                named = self._functions if self.rules.blocks_on_any else self._outside_types
                found = found + named.get(name, [])[: MAX_BY_NAME + 1]
        return found if len(found) <= MAX_BY_NAME else ()

    def _can_meet(self, cls: int, interface: int) -> bool:
        """Whether some type could extend the one and implement the other: not two that show in their own package only.

        A type outside of both packages sees neither, one inside sees one.
        """
        program = self.program
        heirs = (cls, *self.hierarchy.descendants(cls))
        if not (program.is_hidden(interface) and all(program.is_hidden(heir) for heir in heirs)):
            return True
        locate, file_of = program.locator.unit_of, program.file_of
        return locate(file_of[cls]) == locate(file_of[interface])

    def implementations(self, method: int) -> Sequence[int]:
        """Methods that may stand for one of an interface which nothing in the repository implements."""
        known = self._implementations.get(method)
        if known is None:
            known = self._implementations[method] = self._find_implementations(method)
        return known

    def _find_implementations(self, method: int) -> Sequence[int]:
        symbols, own, parameters = self.program.symbols, self.program.own_class, self.program.parameters
        name, number = symbols[method].name, len(parameters.get(method, ()))
        if symbols[own[method]].kind != "interface" or name in self.rules.common_methods:
            return ()
        methods = self._methods.get(name, ())
        if not self.program.work.spend(len(methods)):
            return ()
        same = (f for f in methods if symbols[own[f]].kind != "interface")
        open_ = (f for f in same if "final" not in symbols[own[f]].signature.split())  # what nobody can inherit from
        open_ = (f for f in open_ if self._can_meet(own[f], own[method]))
        found = list(islice((f for f in open_ if len(parameters.get(f, ())) == number), MAX_BY_NAME + 1))
        return found if len(found) <= MAX_BY_NAME else ()
