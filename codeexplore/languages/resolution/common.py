"""Names that need no import: what the linker, or a language without file scopes, finds by the name alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeexplore.languages.paths import path_role
from codeexplore.languages.resolution.program import NAMESPACES

if TYPE_CHECKING:
    from codeexplore.languages.resolution.program import Program

_APART = frozenset({"test", "example", "benchmark"})
"""Roles of files that are programs of their own: others do not see what they define."""


class Common:
    """What the files without a package define at their top, by name; see `Rules.linked`."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._found: dict[tuple[bool, str], int] = {}
        self._apart_known: list[bool] | None = None  # found when it is first asked for
        self._offers_known: dict[str, list[tuple[int, int]]] | None = None  # found when it is first asked for

    def find(self, file: int, name: str) -> int:
        """The node of a name that only one file offers, or of a type or namespace that several make up; else -1."""
        apart = self._apart[file]
        key = (apart, name)
        known = self._found.get(key)
        if known is None:
            offers = self._offers.get(name, ())
            known = self._found[key] = self._sole([node for other, node in offers if apart or not self._apart[other]])
        return known

    def _sole(self, nodes: list[int]) -> int:
        if len(nodes) > 1 and not all(self._is_joined(node) for node in nodes):
            return -1
        return nodes[0] if nodes else -1

    def _is_joined(self, node: int) -> bool:
        """Whether a node is that of a type or namespace of which other files have parts."""
        program = self.program
        return program.rules.open_types and all(
            program.symbols[symbol].kind in NAMESPACES for symbol in program.defined.get(node, ())
        )

    @property
    def _apart(self) -> list[bool]:
        if self._apart_known is None:
            self._apart_known = self._find_apart()
        return self._apart_known

    def _find_apart(self) -> list[bool]:
        return [path_role(facts.path) in _APART for facts in self.program.files]

    @property
    def _offers(self) -> dict[str, list[tuple[int, int]]]:
        """Name → (file, node) of what is defined at the top of a file for all to see."""
        if self._offers_known is None:
            self._offers_known = self._find_offers()
        return self._offers_known

    def _find_offers(self) -> dict[str, list[tuple[int, int]]]:
        program = self.program
        found: dict[str, list[tuple[int, int]]] = {}
        for file, facts in enumerate(program.files):
            names = program.names[program.first[file]] or {}
            if facts.module not in (facts.path, facts.path.rpartition(".")[0]):
                continue
            for name, node in names.items():
                symbols = program.defined.get(node)
                if symbols and not all(symbol in program.private for symbol in symbols):
                    found.setdefault(name, []).append((file, node))
        return found
