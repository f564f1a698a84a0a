"""Constants and fields read through a type or module: ``Color.RED``, ``limits.MAX``, ``K::SIZE``."""

from __future__ import annotations

import re

from codeexplore.resolution.language_rules import imported
from codeexplore.resolution.solve_family import FamilyAnalysis
from codeexplore.resolution.solver import CLASS, UNIT, UNKNOWN
from codeexplore.types import Import, Reference

_MOST_FILES = 8  # most files of one module in which a constant is searched
_MOST_EXPORTS = 6  # most modules that export a constant again
_MADE = re.compile(r"[^=]*=\s*[\w.$]+\(").match  # the declaration of a constant whose value a call returns


class StaticMembers:
    """Finder of the symbols that a dotted name reads: a constant, and the type that contains it."""

    def __init__(self, solved: FamilyAnalysis) -> None:
        self.program, self.evaluator = solved.program, solved.evaluator
        self.entities, self.points_to = self.evaluator.entities, self.evaluator.solver.points_to
        self._known: dict[int, tuple[int, ...]] = {}  # node of a dotted name → symbols
        self._imports: dict[int, dict[str, Import]] = {}  # file → imports by name
        self._made: dict[tuple[int, str], int] = {}  # (file, called name) → constant

    def read(self, path: str, node: int) -> tuple[int, ...]:
        """Return the symbols that a dotted name reads; none if a part of it is not a type or module."""
        found = self._known.get(node)
        if found is None:
            found = self._known[node] = self._find(path, node)
        return found

    def received(self, path: str, node: int) -> tuple[int, ...]:
        """Return the symbols read by the receiver of `path`: ``Limits.DEFAULT`` in ``Limits.DEFAULT.check``."""
        receiver = path.rpartition(".")[0]
        before = self.evaluator.steps.before(node) if "." in receiver else UNKNOWN
        return self.read(receiver, before) if before != UNKNOWN else ()

    def _find(self, path: str, node: int) -> tuple[int, ...]:
        name = path.rpartition(".")[2]
        before = self.evaluator.steps.before(node) if name.isidentifier() else UNKNOWN
        found: dict[int, None] = {}
        for entity in self.points_to(before) if before != UNKNOWN else ():
            kind, payload = self.entities.kind[entity], self.entities.payload[entity]
            if kind == CLASS:
                constant = self.program.constants.get(self.evaluator.hierarchy.member(payload, name).node, -1)
                if constant >= 0:
                    found[constant] = None
                    found[payload] = None
            elif kind == UNIT:
                constant = self._in_unit(payload, name)
                if constant >= 0:
                    found[constant] = None
        return tuple(found)

    def called(self, scope: int, row: Reference, node: int) -> int:
        """Return the constant that a call names, which may be imported: ``search()``, ``lib.search()``; -1 for none."""
        constant = self.program.constants.get(node, -1)
        if constant < 0 and row.path.count(".") == 1:
            constant = next(iter(self.read(row.path, node)), -1)
        elif constant < 0:
            constant = self._bound(self.program.file_of[scope], row.path)
        return constant if constant >= 0 and self.program.symbols[constant].kind == "constant" else -1

    def made(self, scope: int, row: Reference, node: int) -> int:
        """Return the constant that a call names, if a call made its value: ``on_send = hook(first)``; -1 for none."""
        file = self.program.file_of[scope]
        if row.path.partition(".")[0] not in self._imports_of(file) and node not in self.program.constants:
            return -1
        known = self._made.get((file, row.path))
        if known is None:
            constant = self.called(scope, row, node)
            made = constant >= 0 and _MADE(self.program.symbols[constant].signature) is not None
            known = self._made[file, row.path] = constant if made else -1
        return known

    def _imports_of(self, file: int) -> dict[str, Import]:
        rows = self._imports.get(file)
        if rows is None:
            rows = self._imports[file] = {each.name: each for each in self.program.files[file].imports}
        return rows

    def _bound(self, file: int, name: str, depth: int = 0) -> int:
        """Return the constant that an import of a file binds to a name; -1 for none."""
        found = self._imports_of(file).get(name)
        return self._imported(file, found.module, found.member, depth) if found is not None else -1

    def _imported(self, file: int, module: str, member: str, depth: int) -> int:
        found, member = imported(self.program.locator, file, module, member)
        return self._in_unit(found.unit, member, depth) if found.unit >= 0 and member and not found.rest else -1

    def _in_unit(self, unit: int, name: str, depth: int = 0) -> int:
        """Return the constant that a module offers under a name, its own or one that it exports again; -1 for none."""
        constant = self.program.constants.get(self.evaluator.modules.in_unit(unit, name), -1)
        for file in self.program.units.files[unit][:_MOST_FILES] if constant < 0 and depth < _MOST_EXPORTS else ():
            again = (row for row in self.program.files[file].exports if row.name == name and row.module)
            if (row := next(again, None)) is not None:
                constant = self._imported(file, row.module, row.target, depth + 1)
            else:
                constant = self._bound(file, name, depth + 1)
            if constant >= 0:
                break
        return constant
