"""Constants and fields read through the type or module that holds them: ``Color.RED``, ``limits.MAX``, ``K::SIZE``."""

from __future__ import annotations

from codeexplore.resolution.solve_family import Solved
from codeexplore.resolution.solver import DEAD
from codeexplore.resolution.values import CLASS, UNIT


class StaticMembers:
    """Finds what a dotted name reads: the constant, and the type that holds it."""

    def __init__(self, solved: Solved) -> None:
        self.program, self.flow = solved.program, solved.flow
        self.entities, self.held = self.flow.entities, self.flow.heap.held
        self._known: dict[int, tuple[int, ...]] = {}  # node of a dotted name → symbols

    def read(self, path: str, node: int) -> tuple[int, ...]:
        """Symbols that the dotted name of a node uses; empty when it goes through values, whose fields are not told."""
        found = self._known.get(node)
        if found is None:
            found = self._known[node] = self._find(path, node)
        return found

    def received(self, path: str, node: int) -> tuple[int, ...]:
        """The same for what stands before the last name of a path, as in ``Limits.DEFAULT.check``."""
        receiver = path.rpartition(".")[0]
        before = self.flow.steps.before(node) if "." in receiver else DEAD
        return self.read(receiver, before) if before != DEAD else ()

    def _find(self, path: str, node: int) -> tuple[int, ...]:
        name = path.rpartition(".")[2]
        before = self.flow.steps.before(node) if name.isidentifier() else DEAD
        found: dict[int, None] = {}
        for entity in self.held(before) if before != DEAD else ():
            kind, payload = self.entities.kind[entity], self.entities.payload[entity]
            if kind == CLASS:
                constant = self.program.constants.get(self.flow.hierarchy.member(payload, name).node, -1)
                if constant >= 0:
                    found[constant] = None
                    found[payload] = None
            elif kind == UNIT:
                constant = self.program.constants.get(self.flow.modules.in_unit(payload, name), -1)
                if constant >= 0:
                    found[constant] = None
        return tuple(found)
