"""Names whose type a condition has tested: on the lines where it holds, they have what passes the test."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from codeexplore.languages.resolution import heap as h
from codeexplore.languages.resolution.entities import EXT, FUNC, INST, OBJ
from codeexplore.languages.resolution.heap import DEAD, Watcher

if TYPE_CHECKING:
    from codeexplore.languages.resolution.flow import Flow
    from codeexplore.types import Binding


class Test(NamedTuple):
    """A test of a name's type, and the lines of its file on which it holds."""

    file: int
    first: int
    last: int
    declared: int  # node of values of the tested type
    is_own: bool = False  # whether the name stands for that node alone there, whatever it is elsewhere


class Narrowing:
    """Tests by the node of the tested name."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.program = flow.program
        self.heap = flow.heap
        self.entities = flow.entities
        self.tests: dict[int, list[Test]] = {}
        self._made: dict[tuple[int, int], int] = {}  # (node, declared) → node of what passes

    def note(self, scope: int, row: Binding) -> None:
        """A binding of manner `pattern` that holds up to a line: only readers on these lines see it."""
        node = self.flow.roots.unversioned(scope, row.name)
        if row.value:
            value = self.flow.given(scope, row)
            if node != DEAD:
                test = Test(self.program.file_of[scope], row.line, row.sure, value, True)
                self.tests.setdefault(node, []).append(test)
                self.flow.forget_paths()
            return
        declared = self.flow.annotations.node(scope, row.type, row.line)
        kinds = self.entities.kind
        held = self.heap.held(declared)
        if node != DEAD and held and all(kinds[entity] in (INST, EXT) for entity in held):
            self.tests.setdefault(node, []).append(Test(self.program.file_of[scope], row.line, row.sure, declared))
            self.flow.forget_paths()

    def at(self, node: int, seen: int, scope: int, line: int) -> int:
        """What a reader of `node`, whose version in force is `seen`, sees on a line: the innermost test counts."""
        file, found = self.program.file_of[scope], None
        for test in self.tests[node]:
            if test.first <= line <= test.last and test.file == file:
                found = test
        if found is None:
            return seen
        return found.declared if found.is_own else self._passing(seen, found.declared)

    def _passing(self, node: int, declared: int) -> int:
        """The node of what `node` holds and the tested type admits."""
        target = self._made.get((node, declared))
        if target is None:
            target = self._made[node, declared] = self.heap.node()
            held = self.heap.held(declared)
            kinds, payloads = self.entities.kind, self.entities.payload
            wanted = frozenset(payloads[entity] for entity in held if kinds[entity] == INST)
            outside = any(kinds[entity] != INST for entity in held)
            self.heap.copy(declared, target, h.TYPE)
            self.heap.watch(node, (self.on_value, target, wanted, outside))
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
            passes = kind == EXT or outside or (kind not in (OBJ, FUNC)) or self.flow.rules.functional
        if passes:
            self.heap.add(target, entity, evidence)
