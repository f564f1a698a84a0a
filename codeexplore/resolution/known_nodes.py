"""Constraint variables of known values: modules, types, anonymous functions, receivers, outside names."""

from __future__ import annotations

from codeexplore.resolution import solver as h
from codeexplore.resolution.program import Program
from codeexplore.resolution.solver import UNKNOWN
from codeexplore.resolution.values import CLASS, INST, UNIT


class KnownNodes:
    """Constraint variables with known values. There is only one for each value, and it is made when it is first used.

    `receivers` has the constraint variables of receivers (``self``, ``this``). A key is (`INST` or `CLASS`, number of
    the type): the receiver is an instance of the type, or the type itself.
    """

    def __init__(self, program: Program) -> None:
        self.program, self.solver, self.entities = program, program.solver, program.entities
        self.receivers: dict[tuple[int, int], int] = {}
        self._fixed: dict[int, int] = {}  # entity → node
        self._made: dict[int, int] = {}  # constructor function → node
        self._eithers: dict[tuple[int, int], int] = {}

    def value(self, entity: int) -> int:
        """Return the constraint variable whose only value is the abstract value `entity`."""
        node = self._fixed.get(entity)
        if node is None:
            node = self._fixed[entity] = self.solver.fixed(entity, h.SCOPE)
        return node

    def external(self, name: str) -> int:
        return self.value(self.entities.external(name))

    def module(self, unit: int) -> int:
        return self.value(self.entities.get(UNIT, unit))

    def type_itself(self, cls: int) -> int:
        """Return the variable of a type that is used as a value. All parts of a type share it."""
        return self.value(self.entities.get(CLASS, self.program.whole.get(cls, cls)))

    def receiver(self, kind: int, cls: int) -> int:
        """Return the constraint variable of the receiver in the methods of a type.

        The receiver is an instance of the type or of a subtype if `kind` is `INST`. It is the type itself, or a
        subtype, if `kind` is `CLASS`.
        """
        node = self.receivers.get((kind, cls), -1)
        if node < 0:
            node = self.receivers[kind, cls] = self.solver.node()
            self.solver.add(node, self.entities.get(kind, cls, 1), h.SELF)
        return node

    def made_by(self, function: int) -> int:
        node = self._made.get(function)
        if node is None:
            node = self._made[function] = self.solver.node()
            self.solver.add(node, self.entities.get(INST, function, 1), h.SCOPE)
        return node

    def either(self, one: int, other: int) -> int:
        """Return a constraint variable that has the values of both given constraint variables."""
        if UNKNOWN in (one, other) or one == other:
            return max(one, other)
        node = self._eithers.get((one, other), -1)
        if node < 0:
            node = self._eithers[one, other] = self.solver.node()
            self.solver.add_flow(one, node)
            self.solver.add_flow(other, node)
        return node
