"""Type tests: on the lines where a test is true, a name has only values that pass the test.

Example: in the body of ``if isinstance(x, Circle):`` the name ``x`` has instances of ``Circle`` only.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from codeexplore.resolution import solver as h
from codeexplore.resolution.class_hierarchy import Hierarchy
from codeexplore.resolution.program import Program
from codeexplore.resolution.solver import Watcher
from codeexplore.resolution.values import EXTERNAL, FUNC, INST, OBJECT


class TypeTest(NamedTuple):
    """A test of a name's type, and the lines of its file on which it is true."""

    first: int
    last: int
    declared: int  # node of values of the tested type
    is_own: bool = False  # True if the name has exactly the values of `declared` on these lines


class TestsOfName:
    """The tests of one name in one file, sorted by first line. Each test knows the test that encloses it.

    A test ends before or together with the enclosing test. The innermost test on a line is therefore found quickly: the
    search begins at the last test that starts above the line and goes on to enclosing tests.
    """

    def __init__(self) -> None:
        self._tests: list[TypeTest] = []
        self._firsts: list[int] = []
        self._around: list[int] = []  # index of a test → index of the enclosing test, -1 for none

    def add(self, test: TypeTest) -> None:
        """Add a test. If two tests begin on one line, the later one counts as the inner test."""
        place = bisect_right(self._firsts, test.first)
        self._tests.insert(place, test)
        self._firsts.insert(place, test.first)
        del self._around[place:]
        for each in self._tests[place:]:  # only one, if tests are added in the order of lines
            self._around.append(self._outwards(len(self._around) - 1, each.first))

    def on(self, line: int) -> TypeTest | None:
        """Return the innermost test that is true on a line; None if there is none."""
        place = self._outwards(bisect_right(self._firsts, line) - 1, line)
        return self._tests[place] if place >= 0 else None

    def _outwards(self, place: int, line: int) -> int:
        """Return the innermost test, from the test `place` outwards, that is true on a line; -1 for none."""
        while place >= 0 and self._tests[place].last < line:
            place = self._around[place]
        return place


class TypeTests:
    """Type tests of all files.

    `of_node` maps the constraint variable of a tested name to its tests, by file.
    """

    def __init__(self, program: Program, hierarchy: Hierarchy) -> None:
        self.program, self.hierarchy = program, hierarchy
        self.solver, self.entities = program.solver, program.entities
        self.of_node: dict[int, dict[int, TestsOfName]] = {}
        self._made: dict[tuple[int, int], int] = {}  # (node, declared) → node of the values that pass

    def add(self, node: int, scope: int, test: TypeTest) -> None:
        self.of_node.setdefault(node, {}).setdefault(self.program.file_of[scope], TestsOfName()).add(test)

    def narrowed(self, node: int, seen: int, scope: int, line: int) -> int:
        """Return the constraint variable with the values that a tested name has on a line.

        `node` is the constraint variable of the name, and `seen` that of its version on the line. `seen` is returned if
        no test is true on the line. Otherwise the innermost test counts: the result has the values of `seen` that pass
        the test, or exactly the tested values (`TypeTest.is_own`).
        """
        tests = self.of_node[node].get(self.program.file_of[scope])
        found = None if tests is None else tests.on(line)
        if found is None:
            return seen
        return found.declared if found.is_own else self._passing(seen, found.declared)

    def _passing(self, node: int, declared: int) -> int:
        """Return a variable with the values of `node` that have the tested type, whose instances are `declared`."""
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
        """Handle a value of a tested name: add it if it is of a wanted class, or of an outside type if these pass."""
        _, target, wanted, outside = watcher
        kind, payload = self.entities.kind[entity], self.entities.payload[entity]
        if kind == INST:
            hierarchy = self.hierarchy
            passes = hierarchy.stands_for(payload, wanted)
            if not passes and outside:
                passes = any(above in hierarchy.outside for above in hierarchy.order(payload))
        else:
            functional = self.program.rules.functions.functional
            passes = kind == EXTERNAL or outside or kind not in (OBJECT, FUNC) or functional
        if passes:
            self.solver.add(target, entity, evidence)
