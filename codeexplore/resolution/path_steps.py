"""Steps of access paths: each leads from one node to another."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from codeexplore.resolution.access_paths import split_arguments
from codeexplore.resolution.solver import UNKNOWN

if TYPE_CHECKING:
    from codeexplore.resolution.evaluator import Evaluator


class Step:
    """One step as written, and where it leads from every node from which it has been taken."""

    __slots__ = ("inner", "is_own", "mark", "targets", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.inner = text[1:] if text[0] == "." else text[1:-1]
        self.mark = text[0] if text[0] != "(" else text[:2]  # one of ``.``, ``[``, ``()``, ``(`` and a character
        self.is_own = self.mark[0] == "(" and self.mark != "()"  # every place takes it for itself: arguments count
        self.targets: dict[int, int] = {}


class Steps:
    """Takes steps. Equal steps from one node lead to the same node."""

    def __init__(self, flow: Evaluator) -> None:
        self.flow = flow
        self.solver = flow.solver
        self._steps: dict[str, Step] = {}
        self._before = array("i")  # by node: the node of the expression that it continues
        self._on_attribute, self._on_result = flow.members.on_attribute, flow.calls.on_result
        self._on_iterate, self._on_element = flow.containers.on_iterate, flow.containers.on_element

    def forget(self) -> None:
        """Drop the cached results of expressions."""
        self._steps.clear()
        self._before = array("i")

    def named(self, text: str) -> Step:
        """Return the step of a text."""
        step = self._steps.get(text)
        if step is None:
            step = self._steps[text] = Step(text)
        return step

    def before(self, node: int) -> int:
        """Return the node of the expression that a node's expression continues; `UNKNOWN` for none."""
        return self._before[node] if node < len(self._before) else UNKNOWN

    def going_on(self, found: set[int]) -> set[int]:
        """`found` with all nodes that go on from them."""
        for node, before in enumerate(self._before):  # the node that a node continues was made before it
            if before and before in found:
                found.add(node)
        return found

    def follow(self, node: int, texts: tuple[str, ...], scope: int, line: int) -> int:
        """Take steps from a node, as they are written."""
        return self.along(node, tuple(map(self.named, texts)), scope, line)

    def along(self, node: int, steps: tuple[Step, ...], scope: int, line: int) -> int:
        """Take steps from a node."""
        for step in steps:
            if node == UNKNOWN:
                return UNKNOWN
            following = step.targets.get(node)
            node = self._take(node, step, scope, line) if following is None else following
        return node

    def existing(self, node: int, text: str) -> int:
        """Return the node that a step leads to, -1 if the step has not been evaluated yet."""
        return self.named(text).targets.get(node, -1)

    def _take(self, node: int, step: Step, scope: int, line: int) -> int:
        target, mark = self.solver.node(), step.mark
        missing = target - len(self._before)
        if missing:
            self._before.frombytes(bytes(missing * self._before.itemsize))
        self._before.append(node)
        if step.is_own:
            arguments = self.flow.arguments(scope, split_arguments(step.text), line)
            self.solver.on_value(node, (self._on_result, target, node, arguments))
            return target
        step.targets[node] = target
        if mark == ".":
            self.solver.on_value(node, (self._on_attribute, target, step.inner))
        elif mark == "()":
            self.solver.on_value(node, (self._on_result, target, node, None))
        elif step.text == "[*]":
            self.solver.on_value(node, (self._on_iterate, target))
        else:
            self.solver.on_value(node, (self._on_element, target, step.inner))
        return target
