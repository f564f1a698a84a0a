"""Steps of access paths: a step leads from the node of an expression to the node of the longer expression."""

from __future__ import annotations

from array import array
from collections.abc import Callable

from codeexplore.resolution.solver import UNKNOWN, PointsToSolver

PathNode = Callable[[int, str, int], int]
"""A function that returns the node of an expression, given the scope, the text and the line; see `Evaluator.path`."""


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
    """Nodes reached by steps. Equal steps from one node lead to the same node, unless they have arguments.

    `watch` is called for each new step with the node before it, the step, the new node, the scope and the line. It must
    let the values that the step gives flow to the new node.
    """

    def __init__(self, solver: PointsToSolver, watch: Callable[[int, Step, int, int, int], None]) -> None:
        self.solver, self.watch = solver, watch
        self._steps: dict[str, Step] = {}
        self._before = array("i")  # node → node of the expression without the last step

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
        target = self.solver.node()
        missing = target - len(self._before)
        if missing:
            self._before.frombytes(bytes(missing * self._before.itemsize))
        self._before.append(node)
        if not step.is_own:
            step.targets[node] = target
        self.watch(node, step, target, scope, line)
        return target
