"""Steps of access paths: they lead from the constraint variable of an expression to that of a longer one.

Example: the step ``.get`` leads from ``self.pool`` to ``self.pool.get``.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable

from codeexplore.resolution.solver import UNKNOWN, PointsToSolver

PathNode = Callable[[int, str, int], int]
"""A function that returns the constraint variable of an expression, given its scope, its text and its line.

See `Evaluator.path`.
"""


class Step:
    """A step as written.

    `targets` maps the constraint variable of an expression to that of the expression which is longer by this step.
    """

    __slots__ = ("inner", "is_own", "mark", "targets", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.inner = text[1:] if text[0] == "." else text[1:-1]
        self.mark = text[0] if text[0] != "(" else text[:2]  # ``.``, ``[``, ``()``, or ``(`` and the next character
        self.is_own = self.mark[0] == "(" and self.mark != "()"  # a call with arguments: targets are not shared
        self.targets: dict[int, int] = {}


class Steps:
    """Constraint variables that steps lead to.

    Equal steps from one constraint variable lead to the same constraint variable, unless they have arguments. `watch`
    is called for each new step with the constraint variable before it, the step, the new constraint variable, the scope
    and the line. It must let the values that the step gives flow to the new constraint variable.
    """

    def __init__(self, solver: PointsToSolver, watch: Callable[[int, Step, int, int, int], None]) -> None:
        self.solver, self.watch = solver, watch
        self._steps: dict[str, Step] = {}
        self._before = array("i")  # node → node of the expression without the last step

    def forget(self) -> None:
        self._steps.clear()
        self._before = array("i")

    def forget_from(self, node: int) -> None:
        """Drop the targets of steps from the constraint variable `node` on, so that these steps are taken again."""
        for step in self._steps.values():
            if step.targets:
                step.targets = {start: target for start, target in step.targets.items() if target < node}

    def named(self, text: str) -> Step:
        step = self._steps.get(text)
        if step is None:
            step = self._steps[text] = Step(text)
        return step

    def before(self, node: int) -> int:
        """Return the variable of an expression without its last step; `UNKNOWN` if it has no steps."""
        return self._before[node] if node < len(self._before) else UNKNOWN

    def going_on(self, found: set[int]) -> set[int]:
        """Add to `found`, and return, the variables of all expressions that continue one of `found`."""
        for node, before in enumerate(self._before):  # the shorter expression has the smaller number
            if before and before in found:
                found.add(node)
        return found

    def follow(self, node: int, texts: tuple[str, ...], scope: int, line: int) -> int:
        return self.along(node, tuple(map(self.named, texts)), scope, line)

    def along(self, node: int, steps: tuple[Step, ...], scope: int, line: int) -> int:
        """Return the constraint variable that `steps` lead to from the constraint variable `node`."""
        for step in steps:
            if node == UNKNOWN:
                return UNKNOWN
            following = step.targets.get(node)
            node = self._take(node, step, scope, line) if following is None else following
        return node

    def existing(self, node: int, text: str) -> int:
        """Return the constraint variable that a step leads to from `node`; -1 if the step was not evaluated yet."""
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
