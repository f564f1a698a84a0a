"""Steps of access paths: a step leads from the node of an expression to the node of the longer expression."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from codeexplore.resolution.access_paths import split_arguments
from codeexplore.resolution.solver import UNKNOWN

if TYPE_CHECKING:
    from codeexplore.resolution.evaluator import Evaluator


class Step:
    """One step as written, with the target node for each node from which it was evaluated."""

    __slots__ = ("inner", "is_own", "mark", "targets", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.inner = text[1:] if text[0] == "." else text[1:-1]
        self.mark = text[0] if text[0] != "(" else text[:2]  # ``.``, ``[``, ``()``, or ``(`` and the next character
        self.is_own = self.mark[0] == "(" and self.mark != "()"  # a call with arguments: targets are not shared
        self.targets: dict[int, int] = {}


class Steps:
    """Evaluates steps. Equal steps from one node lead to the same node, unless they have arguments."""

    def __init__(self, flow: Evaluator) -> None:
        self.flow = flow
        self.solver = flow.solver
        self._steps: dict[str, Step] = {}
        self._before = array("i")  # node → node of the expression without the last step
        self._on_attribute, self._on_result = flow.members.on_attribute, flow.calls.on_result
        self._on_iterate, self._on_element = flow.containers.on_iterate, flow.containers.on_element

    def forget(self) -> None:
        """Drop all steps and their targets."""
        self._steps.clear()
        self._before = array("i")

    def named(self, text: str) -> Step:
        """Return the step with this text."""
        step = self._steps.get(text)
        if step is None:
            step = self._steps[text] = Step(text)
        return step

    def before(self, node: int) -> int:
        """Return the node of the expression without its last step; `UNKNOWN` if the expression has no steps."""
        return self._before[node] if node < len(self._before) else UNKNOWN

    def going_on(self, found: set[int]) -> set[int]:
        """Return `found` with all nodes of expressions that continue an expression of `found`. The set is changed."""
        for node, before in enumerate(self._before):  # the shorter expression has the smaller number
            if before and before in found:
                found.add(node)
        return found

    def follow(self, node: int, texts: tuple[str, ...], scope: int, line: int) -> int:
        """Return the node reached from `node` by steps, given as texts."""
        return self.along(node, tuple(map(self.named, texts)), scope, line)

    def along(self, node: int, steps: tuple[Step, ...], scope: int, line: int) -> int:
        """Return the node reached from `node` by `steps`."""
        for step in steps:
            if node == UNKNOWN:
                return UNKNOWN
            following = step.targets.get(node)
            node = self._take(node, step, scope, line) if following is None else following
        return node

    def existing(self, node: int, text: str) -> int:
        """Return the node to which a step leads from `node`; -1 if the step was not evaluated yet."""
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
