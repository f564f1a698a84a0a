"""Nodes of values that are known from the start: modules, types, functions without a name, receivers, outside names."""

from __future__ import annotations

from codeexplore.resolution import solver as h
from codeexplore.resolution.program import Program
from codeexplore.resolution.solver import UNKNOWN
from codeexplore.resolution.values import CLASS, INST, UNIT


class KnownNodes:
    """One node for each known value.

    `receivers` has the nodes of the keyword for the receiver, such as ``this``. The key is a pair: `INST` or `CLASS`,
    and the symbol of the type.
    """

    def __init__(self, program: Program) -> None:
        self.program, self.solver, self.entities = program, program.solver, program.entities
        self.receivers: dict[tuple[int, int], int] = {}
        self._fixed: dict[int, int] = {}  # entity → node
        self._made: dict[int, int] = {}  # constructor function → node
        self._eithers: dict[tuple[int, int], int] = {}

    def value(self, entity: int) -> int:
        """Return the node whose only value is the given entity."""
        node = self._fixed.get(entity)
        if node is None:
            node = self._fixed[entity] = self.solver.fixed(entity, h.SCOPE)
        return node

    def external(self, name: str) -> int:
        """Return the node of a name outside the repository."""
        return self.value(self.entities.external(name))

    def module(self, unit: int) -> int:
        """Return the node of a module, used as a value."""
        return self.value(self.entities.get(UNIT, unit))

    def type_itself(self, cls: int) -> int:
        """Return the node of a type, used as a value. All parts of a type have the same node."""
        return self.value(self.entities.get(CLASS, self.program.whole.get(cls, cls)))

    def receiver(self, kind: int, cls: int) -> int:
        """Return the node of the receiver in the methods of a type.

        The receiver is an instance of the type if `kind` is `INST`, and the type itself if `kind` is `CLASS`. It may
        also be a subtype.
        """
        node = self.receivers.get((kind, cls), -1)
        if node < 0:
            node = self.receivers[kind, cls] = self.solver.node()
            self.solver.add(node, self.entities.get(kind, cls, 1), h.SELF)
        return node

    def made_by(self, function: int) -> int:
        """Return the node of the objects that a constructor function makes."""
        node = self._made.get(function)
        if node is None:
            node = self._made[function] = self.solver.node()
            self.solver.add(node, self.entities.get(INST, function, 1), h.SCOPE)
        return node

    def either(self, one: int, other: int) -> int:
        """Return a node that has the values of both given nodes."""
        if UNKNOWN in (one, other) or one == other:
            return max(one, other)
        node = self._eithers.get((one, other), -1)
        if node < 0:
            node = self._eithers[one, other] = self.solver.node()
            self.solver.add_flow(one, node)
            self.solver.add_flow(other, node)
        return node
