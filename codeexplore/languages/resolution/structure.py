"""Interfaces that types satisfy by having their methods (Go's, Python's protocols)."""

from __future__ import annotations

from codeexplore.languages.resolution.hierarchy import Hierarchy, Super
from codeexplore.languages.resolution.program import Program

MAX_SATISFYING = 200
"""Types that may satisfy one interface; one that asks for less than that says nothing."""


class Structure:
    """Relates types to the interfaces whose method names they all have."""

    def __init__(self, program: Program, hierarchy: Hierarchy) -> None:
        self.program = program
        self.hierarchy = hierarchy
        self.rules = program.rules

    def relate(self) -> None:
        """Add IMPLEMENTS for every type that has all methods of an interface."""
        methods = self._methods()
        having: dict[str, set[int]] = {}
        for cls, names in methods.items():
            for name in names:
                having.setdefault(name, set()).add(cls)
        for interface in self._interfaces():
            wanted = methods.get(interface, frozenset())
            if not wanted or all(name in self.rules.common_methods for name in wanted):
                continue
            rarest = min(wanted, key=lambda name: len(having[name]))
            satisfying = [cls for cls in sorted(having[rarest]) if cls != interface and wanted <= methods[cls]]
            for cls in satisfying[:MAX_SATISFYING]:
                self._add(cls, interface)

    def _interfaces(self) -> list[int]:
        symbols, outside = self.program.symbols, self.hierarchy.outside
        if self.rules.structural:
            return [number for number, symbol in enumerate(symbols) if symbol.kind == "interface"]
        bases = self.rules.structural_bases
        return [cls for cls in outside if any(base.rpartition(".")[2] in bases for base in outside[cls])]

    def _methods(self) -> dict[int, frozenset[str]]:
        """The names of all methods of every type, inherited and promoted ones included."""
        program = self.program
        own: dict[int, set[str]] = {}
        for function, cls in enumerate(program.own_class):
            if cls >= 0:
                own.setdefault(cls, set()).add(program.symbols[function].name)
        found: dict[int, frozenset[str]] = {}
        for cls in [number for number in range(len(program.symbols)) if program.is_class(number)]:
            names = frozenset().union(*(own.get(c, ()) for c in self.hierarchy.order(cls)))
            if names:
                found[cls] = names
        return found

    def _add(self, cls: int, interface: int) -> None:
        known = self.hierarchy.supers.setdefault(cls, [])
        if interface in self.hierarchy.order(cls) or cls in self.hierarchy.order(interface):
            return
        known.append(Super(interface, "satisfies", self.program.symbols[cls].line))
        self.hierarchy.below.setdefault(interface, []).append(cls)
