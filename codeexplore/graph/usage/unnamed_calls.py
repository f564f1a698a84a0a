"""Calls whose line does not have the name of what runs: syntax, built-in functions, and what variables hold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from functools import cache, cached_property
from typing import Final

from codeexplore.graph.model import CodeGraph
from codeexplore.graph.usage.name_uses import VALUE_KINDS
from codeexplore.languages.registry import rules_of
from codeexplore.resolution.access_paths import last_name
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, FileIndex, Site, Symbol, Unresolved

_RUNNING: Final = frozenset({"Invoke", "InvokeAsync", "DynamicInvoke", "invoke", "call"})
"""Methods that call the function that their object is."""


class UnnamedCalls:
    """Sites that may run a special method or a function that is used as a value.

    The facts of all `files` are read at the first question about a special method. `bound_in` returns the names that
    the lines of a symbol bind.
    """

    def __init__(
        self, graph: CodeGraph, files: Mapping[str, FileIndex], bound_in: Callable[[Symbol], Collection[str]]
    ) -> None:
        self.graph, self.files, self._bound_in = graph, files, cache(bound_in)

    def of_special(self, symbol: Symbol) -> list[Site] | None:
        """Return the sites of syntax and built-in functions that may run a special method; None if they are not known.

        ``with pool:`` runs ``__enter__``, and ``len(pool)`` runs ``__len__``.
        """
        rules = rules_of(symbol.language)
        special = rules.special_methods if rules is not None and symbol.kind == "method" else None
        if special is None or not special.protocols:
            return None
        if symbol.name in special.call:
            return [each.site for each in self.of_values]
        asking, names = self.functions_running(symbol), {symbol.name, *_before(symbol.name, special.fallbacks)}
        if not asking and names.isdisjoint(self._implicit_sites):
            return None
        found = [site for name in names for site in self._implicit_sites.get(name, ())]
        return found + [site for each in asking for _, _, site in self.graph.externals.users(each)]

    def functions_running(self, symbol: Symbol) -> list[str]:
        """Return the built-in functions that run a special method: ``len`` runs ``__len__``."""
        rules = rules_of(symbol.language)
        special = rules.special_methods if rules is not None else None
        if special is None:
            return []
        names = {symbol.name, *_before(symbol.name, special.fallbacks)}
        return [function for function, methods in special.protocols.items() if names & {*methods}]

    @cached_property
    def _implicit_sites(self) -> Mapping[str, list[Site]]:
        """Name of a special method → the sites whose syntax runs a method of this name."""
        found = defaultdict[str, list[Site]](list)
        for path, file in self.files.items():
            for row in file.facts.references:
                if row.kind == "implicit":
                    found[last_name(row.path)[0]].append(Site(path, row.line))
        return found

    @cached_property
    def of_values(self) -> tuple[Unresolved, ...]:
        """The calls of what a variable, member or element holds, which is not known.

        Their names are those of no function, or of a variable too.
        """
        catalog, found = self.graph.catalog, list[Unresolved]()
        for each in (each for each in self.graph.unresolved if each.kind == "call"):
            kinds = {symbol.kind for symbol in catalog.named(each.name)}
            held = kinds.isdisjoint((*CALLABLE_KINDS, *TYPE_KINDS)) or not kinds.isdisjoint(VALUE_KINDS)
            if not held:
                held = each.name in (_RUNNING if each.receiver else self._bound_in(catalog.symbol(each.source)))
            if held:
                found.append(each)
        return tuple(found)


def _before(name: str, fallbacks: Mapping[str, Collection[str]]) -> list[str]:
    """Return the special methods instead of which Python runs the one called `name`, if a class lacks them."""
    found = [first for first, others in fallbacks.items() if name in others]
    return [*found, *(first for first, others in fallbacks.items() if not {*found}.isdisjoint(others))]
