"""Narrowing: on the lines where a type test is true, the tested name has only values that pass the test."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from codeexplore.resolution import solver as h
from codeexplore.resolution.solver import UNKNOWN, Watcher
from codeexplore.resolution.values import EXTERNAL, FUNC, INST, OBJECT

if TYPE_CHECKING:
    from codeexplore.resolution.evaluator import Evaluator
    from codeexplore.types import Binding


class Test(NamedTuple):
    """A test of a name's type, and the lines of its file on which it is true."""

    first: int
    last: int
    declared: int  # node of values of the tested type
    is_own: bool = False  # whether the name has only the declared node there, regardless of its other values


class Tests:
    """The tests of one name in one file, in the order of their first lines, each with the one around it.

    A test ends before or with the test around it, so that the innermost one on a line is found by going outwards from
    the last one that begins above: n reads of a name that is tested n times look at few tests each.
    """

    def __init__(self) -> None:
        self._tests: list[Test] = []
        self._firsts: list[int] = []
        self._around: list[
            int
        ] = []  # by position, the position of the last earlier test that is still true where this one begins

    def add(self, test: Test) -> None:
        """Add a test; of two that begin on one line the later one counts as the inner one."""
        place = bisect_right(self._firsts, test.first)
        self._tests.insert(place, test)
        self._firsts.insert(place, test.first)
        del self._around[place:]
        for each in self._tests[place:]:  # one, where tests come in the order of lines
            self._around.append(self._outwards(len(self._around) - 1, each.first))

    def on(self, line: int) -> Test | None:
        """Return the innermost test that is true on a line."""
        place = self._outwards(bisect_right(self._firsts, line) - 1, line)
        return self._tests[place] if place >= 0 else None

    def _outwards(self, place: int, line: int) -> int:
        """Return the first position, from one outwards, whose test is still true on a line; -1 for none."""
        while place >= 0 and self._tests[place].last < line:
            place = self._around[place]
        return place


class Narrowing:
    """Tests by the node of the tested name."""

    def __init__(self, flow: Evaluator) -> None:
        self.flow = flow
        self.program = flow.program
        self.solver = flow.solver
        self.entities = flow.entities
        self.tests: dict[int, dict[int, Tests]] = {}  # node of a tested name → file → its tests there
        self._made: dict[tuple[int, int], int] = {}  # (node, declared) → node of the values that pass

    def note(self, scope: int, row: Binding) -> None:
        """Record a binding of manner `pattern` that is valid up to a line: only readers on these lines see it."""
        node = self.flow.roots.unversioned(scope, row.name)
        if row.value:
            value = self.flow.given(scope, row)
            if node != UNKNOWN:
                self._add(node, scope, Test(row.line, row.sure, value, True))
            return
        declared = self.flow.annotations.node(scope, row.type, row.line)
        kinds = self.entities.kind
        held = self.solver.points_to(declared)
        if node != UNKNOWN and held and all(kinds[entity] in (INST, EXTERNAL) for entity in held):
            self._add(node, scope, Test(row.line, row.sure, declared))

    def _add(self, node: int, scope: int, test: Test) -> None:
        self.tests.setdefault(node, {}).setdefault(self.program.file_of[scope], Tests()).add(test)
        self.flow.forget_paths()

    def at(self, node: int, seen: int, scope: int, line: int) -> int:
        """Return the node of the values of `node` on a line; `seen` is its version there, the innermost test counts."""
        tests = self.tests[node].get(self.program.file_of[scope])
        found = None if tests is None else tests.on(line)
        if found is None:
            return seen
        return found.declared if found.is_own else self._passing(seen, found.declared)

    def _passing(self, node: int, declared: int) -> int:
        """Return a node of the values of `node` that the tested type admits."""
        target = self._made.get((node, declared))
        if target is None:
            target = self._made[node, declared] = self.solver.node()
            held = self.solver.points_to(declared)
            kinds, payloads = self.entities.kind, self.entities.payload
            wanted = frozenset(payloads[entity] for entity in held if kinds[entity] == INST)
            outside = any(kinds[entity] != INST for entity in held)
            self.solver.add_flow(declared, target, h.TYPE)
            self.solver.on_value(node, (self.on_value, target, wanted, outside))
        return target

    def on_value(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Watcher (handler, target, tested classes, whether outside types are tested for too)."""
        target, wanted, outside = watcher[1], watcher[2], watcher[3]
        kind, payload = self.entities.kind[entity], self.entities.payload[entity]
        if kind == INST:
            hierarchy = self.flow.hierarchy
            passes = hierarchy.stands_for(payload, wanted)
            if not passes and outside:
                passes = any(above in hierarchy.outside for above in hierarchy.order(payload))
        else:
            passes = kind == EXTERNAL or outside or (kind not in (OBJECT, FUNC)) or self.flow.rules.functions.functional
        if passes:
            self.solver.add(target, entity, evidence)
