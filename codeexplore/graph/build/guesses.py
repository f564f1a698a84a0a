"""Definitions that a call may mean by its name alone, for calls of which nothing else is known."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from itertools import islice

from codeexplore.resolution.class_hierarchy import Hierarchy
from codeexplore.resolution.program import Program
from codeexplore.types import Reference

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
