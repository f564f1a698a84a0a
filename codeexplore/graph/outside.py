"""Mentions of what lies outside the repository, told from variables that hold instances of it."""

from __future__ import annotations

from codeexplore.graph.writer import EdgeWriter
from codeexplore.resolution.solve_family import Solved
from codeexplore.resolution.values import EXT
from codeexplore.types import Reference

_BEFORE_NAMES = ("", ".", "/", ":")  # what stands before the last name of an outside one


class OutsideUses:
    """Writes uses of outside names. An outside type and its instances are one value: how it is written tells them."""

    def __init__(self, solved: Solved, writer: EdgeWriter) -> None:
        self.program, self.flow = solved.program, solved.flow
        self.entities, self.held = self.flow.entities, self.flow.heap.held
        self.writer = writer
        self._imports: dict[int, frozenset[str]] = {}

    def use(self, scope: int, entity: int, path: str, site: int) -> None:
        """One mention, if `path` ends in the name of what it leads to, or is bound by an import."""
        outside, name = self.entities.external_name(entity), path.rpartition(".")[2]
        named = outside.endswith(name) and outside[-len(name) - 1 : -len(name)] in _BEFORE_NAMES
        if named or path in self._imported(self.program.file_of[scope]):
            self.writer.outside(scope, outside, False, site)

    def arguments(self, scope: int, row: Reference, site: int) -> None:
        """Imported names that a call is given: ``isinstance(x, timedelta)``."""
        imported = self._imported(self.program.file_of[scope])
        for argument in row.args if imported else ():
            marked = "=" in argument or argument[:1] == "*"
            name = argument.rpartition("=")[2].lstrip("*") if marked else argument
            if name in imported and name.isidentifier():
                for entity in self.held(self.flow.root(scope, name, row.line)):
                    if self.entities.kind[entity] == EXT:
                        self.writer.outside(scope, self.entities.external_name(entity), False, site)

    def _imported(self, file: int) -> frozenset[str]:
        """The names that a file's imports bind."""
        known = self._imports.get(file)
        if known is None:
            known = self._imports[file] = frozenset(row.name for row in self.program.files[file].imports)
        return known
