"""Calls of passing functions, each with its own arguments.

A *passing* function returns one of its parameters unchanged. The result of calling it depends on the arguments of the
call. If all its calls shared one constraint variable, a value passed in one call would be the result of every call.
"""

from __future__ import annotations

from codeexplore.resolution.path_steps import Step
from codeexplore.resolution.program import Program


class PassingCalls:
    """Names of passing functions, and the arguments of their calls in the current file.

    The keys of `arguments` are (scope, callee, line). The values are texts such as ``(a, b)``; "" means that the
    arguments of a call are not known.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.names: frozenset[str] = frozenset()
        self.arguments: dict[tuple[int, str, int], str] = {}
        self._of_file: dict[int, dict[tuple[int, str, int], str]] = {}

    def forget(self) -> None:
        """Drop the arguments of all files."""
        self.arguments = {}
        self._of_file.clear()

    def passes_through(self, text: str) -> bool:
        """Return True if an expression ends with a call of a passing function, which returns one of its parameters."""
        if text[-2:] != "()" or not self.names:
            return False
        callee = text[text.find("=") + 1 : -2]
        return callee[callee.rfind(".") + 1 :] in self.names

    def steps_of(self, root: str, steps: tuple[Step, ...]) -> tuple[int, ...]:
        """Return the indices of the steps of an expression that call a passing function.

        A passing function returns one of its parameters unchanged.
        """
        if not self.names:
            return ()
        found, callee = [], root
        for place, step in enumerate(steps):
            if step.text == "()" and callee in self.names:
                found.append(place)
            callee = step.inner
        return tuple(found)

    def record(self, file: int) -> None:
        """Record the arguments of the calls of passing functions in a file, instead of those in the file before.

        The arguments of a call are unknown if another call on its line has the same key. They are also unknown if the
        result of the call is an argument of the same callee, because the inner call may begin on another line.
        """
        known = self._of_file.get(file)
        if known is not None:
            self.arguments = known
            return
        self.arguments = self._of_file[file] = {}
        if not self.names:
            return
        first = self.program.first[file]
        for scope, kind, path, line, args in self.program.references[file].fields(
            "scope", "kind", "path", "line", "args"
        ):
            if kind == "call" and path[path.rfind(".") + 1 :] in self.names:
                key, given = (first + scope, path, line), f"({', '.join(args)})"
                alone = key not in self.arguments and f"{path}()" not in given
                self.arguments[key] = given if alone and args else ""
