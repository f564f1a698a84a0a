"""Uses of outside names, where an expression means the name itself and not a value of it."""

from __future__ import annotations

from functools import cache

from codeexplore.graph.build.edge_writer import EdgeWriter
from codeexplore.resolution import solver as h
from codeexplore.resolution.solve_family import FamilyAnalysis
from codeexplore.types import Reference

_BEFORE_NAMES = ("", ".", "/", ":")  # separators before the last name of an outside path


class ExternalUses:
    """Writer of uses of outside names.

    The resolver represents an outside type and its instances by one value. The text of a use decides whether the type
    or an instance is used.
    """

    def __init__(self, solved: FamilyAnalysis, writer: EdgeWriter) -> None:
        self.program, self.evaluator = solved.program, solved.evaluator
        self.entities, self.points_to = self.evaluator.entities, self.evaluator.solver.points_to
        self.writer = writer
        self._imported = cache(lambda file: frozenset(row.name for row in self.program.files[file].imports))

    def use(self, scope: int, entity: int, path: str, site: int) -> None:
        """Write a use if the expression `path` means the outside name itself, and not a value of it."""
        outside, name = self.entities.external_name(entity), path.rpartition(".")[2]
        named = outside.endswith(name) and outside[-len(name) - 1 : -len(name)] in _BEFORE_NAMES
        if named or path in self._imported(self.program.file_of[scope]):
            self.writer.outside(scope, outside, "USES", site)

    def arguments(self, scope: int, row: Reference, site: int) -> None:
        """Write uses of imported names that are arguments: ``timedelta`` in ``isinstance(x, timedelta)``."""
        imported = self._imported(self.program.file_of[scope])
        for argument in row.args if imported else ():
            name = argument
            if name not in imported and ("=" in argument or argument[:1] == "*"):
                name = argument.rpartition("=")[2].lstrip("*")
            if name in imported and name.isidentifier():
                for entity in self.points_to(self.evaluator.roots.root(scope, name, row.line)):
                    if self.entities.kind[entity] == h.EXTERNAL:
                        self.writer.outside(scope, self.entities.external_name(entity), "USES", site)
