"""Access paths: the parser splits a path into its root and its steps, and each step leads to a constraint variable.

`FileFacts` describes the form of paths. A step begins with the character that shows its kind: ``.name``, ``()``, ``(a,
b)`` for the few calls whose arguments are kept, ``[]``, ``[key]``, ``[*]``. The step ``.get`` leads from the constraint
variable of ``self.pool`` to that of ``self.pool.get``; see `Steps`.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable

from codeexplore.resolution.solver import UNKNOWN, PointsToSolver

Parsed = tuple[str, tuple[str, ...]]
_NAME = r"[^.\[(]+|\[\]=?"  # the names ``[]`` and ``[]=`` are Ruby's
_PLAIN = re.compile(rf"(?:\.(?:{_NAME})|\(\)|\[[^\]\[]*\])*")
_STEP = re.compile(rf"\.(?:{_NAME})|\(\)|\[[^\]\[]*\]")
_ROOT = re.compile(r"[^.\[(]*")
_MEMBER = re.compile(_NAME)
_QUOTES = "\"'`"
_OPEN, _CLOSE = "([{<", ")]}>"
EMPTY: Parsed = ("", ())


def parse(path: str) -> Parsed:
    """Split a path into its root and steps. A malformed path gives ``("", ())``, as the empty path does."""
    if "(" not in path and "[" not in path:
        root, *names = path.split(".")
        return (root, tuple([f".{name}" for name in names])) if all(names) else EMPTY
    found = _ROOT.match(path)
    end = found.end() if found else 0
    root = path[:end]
    if root == "%type":
        end = closing(path, end)
        root = path[:end]
    if end == len(path):
        return root, ()
    if _PLAIN.fullmatch(path, end):
        return root, tuple(_STEP.findall(path, end))
    return _parse_nested(path, root, end)


def _parse_nested(path: str, root: str, position: int) -> Parsed:
    """Split a path whose steps contain nested brackets. `position` is the end of its root."""
    steps = []
    while position < len(path):
        if path[position] == ".":
            found = _MEMBER.match(path, position + 1)
            end = found.end() if found else position
        elif path[position] in "([":
            end = closing(path, position)
        else:
            return EMPTY
        if end <= position:
            return EMPTY
        steps.append(path[position:end])
        position = end
    return root, tuple(steps)


def closing(path: str, position: int) -> int:
    """Return the index after the bracket that closes the bracket at `position`; -1 if it is not closed."""
    depth, quote = 0, ""
    for index in range(position, len(path)):
        char = path[index]
        if quote:
            quote = "" if char == quote else quote
        elif char in _QUOTES:
            quote = char
        elif char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
            if depth == 0:
                return index + 1
    return -1


def split_arguments(step: str) -> tuple[str, ...]:
    """Return the arguments of a call step ``(a, b=c)``, without surrounding white space."""
    return split_top(step[1:-1])


def split_top(text: str) -> tuple[str, ...]:
    """Split a text at commas outside of brackets and quotes, into stripped parts; () for an empty text."""
    if not text.strip():
        return ()
    parts, depth, start, quote = [], 0, 0, ""
    previous = ""
    for index, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in '"`' or (char == "'" and "'" in text[index + 1 :]):
            quote = char
        elif char in _OPEN:
            depth += 1
        elif char in _CLOSE:
            depth -= previous not in "-=" or char != ">"  # not the arrow of a function type
        elif char == "," and depth == 0:
            parts.append(text[start:index].strip())
            start = index + 1
        previous = char
    parts.append(text[start:].strip())
    return tuple(parts)


def _member(step: str) -> tuple[str, str]:
    """Return the name in a step ``.name@Trait``, and the trait. A name may begin with the mark: Ruby's ``.@name``."""
    name, _, trait = step[2:].partition("@")
    return step[1] + name, trait


def last_name(path: str) -> tuple[str, str]:
    """Return the last name of a path and the part before it: ``a.b().run`` gives ``("run", "a.b()")``.

    Trailing calls and subscripts are skipped; a path without a name gives ``("", path)``.
    """
    if path.isidentifier():
        return path, ""
    root, steps = parse(path)
    for index in range(len(steps) - 1, -1, -1):
        if steps[index][0] == ".":
            return _member(steps[index])[0], root + "".join(steps[:index])
    return (root.removeprefix("::"), "") if root and root[0] != "%" else ("", path)


PathNode = Callable[[int, str, int], int]
"""A function that returns the constraint variable of an expression, given its scope, its text and its line.

See `Evaluator.path`.
"""


class Step:
    """A step as written.

    `trait` is the trait whose method is meant: ``.f@Trait``, for Rust's ``<T as Trait>::f``; it is ``*`` where a smart
    pointer itself may have the method. `targets` maps the constraint variable of an expression to that of the
    expression which is longer by this step.
    """

    __slots__ = ("inner", "is_own", "mark", "targets", "text", "trait")

    def __init__(self, text: str) -> None:
        self.text = text
        self.inner, self.trait = text[1:-1], ""
        if text[0] == ".":
            self.inner, self.trait = _member(text)
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

    def going_on(self, found: dict[int, int]) -> dict[int, int]:
        """Add to `found`, and return, all expressions that continue one of them, with the value of the shorter one."""
        for node, before in enumerate(self._before):  # the shorter expression has the smaller number
            if before and before in found:
                found.setdefault(node, found[before])
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
