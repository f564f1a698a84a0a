"""Names that need no import, because a linker finds them in any file of the program."""

from __future__ import annotations

from codeexplore.resolution.program import NAMESPACES, Program


class LinkedNames:
    """Top-level definitions of files without a package, by name; see `ModuleRules.linked`."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._found: dict[tuple[bool, str], int] = {}
        self._apart: list[bool] = []  # file → True if it is a separate program: other files do not see it
        self._offers: dict[str, list[tuple[int, int]]] | None = None  # name → (file, node), computed at the first use

    def find(self, file: int, name: str) -> int:
        """Return the constraint variable that a name has for code in a file, if only one file defines it; else -1.

        A type or namespace whose parts are in several files counts as one definition.
        """
        if self._offers is None:
            is_apart = self.program.rules.modules.linked or (lambda _: False)
            self._apart = [is_apart(facts.path) for facts in self.program.files]
            self._offers = self._find_offers()
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
        """Return True if the name of `node` belongs to a type or namespace that may have parts in other files."""
        program = self.program
        return program.rules.classes.open_types and all(
            program.symbols[symbol].kind in NAMESPACES for symbol in program.defined.get(node, ())
        )

    def _find_offers(self) -> dict[str, list[tuple[int, int]]]:
        """Return the top-level definitions that all files can see.

        A name maps to pairs of a file and the constraint variable of the name in this file.
        """
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
