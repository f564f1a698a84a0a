"""Evaluator of access paths: maps an expression to the node that has its values.

`Evaluator` composes the parts: the names of a `Program`, its `Hierarchy`, the roots of paths (`scopes.Roots`), and the
meaning of each step: `members` (``.name``), `calls` (``()``), `containers` (``[]``) and `annotations` (declared types).

A *passing* function returns one of its parameters unchanged. The result of calling it depends on the arguments of the
call.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

from codeexplore.resolution.access_paths import Parsed, parse
from codeexplore.resolution.annotations import Annotations
from codeexplore.resolution.builtin_models import LibraryModels
from codeexplore.resolution.calls import Argument, ArgumentFlow, Calls
from codeexplore.resolution.class_hierarchy import Hierarchy
from codeexplore.resolution.containers import Containers
from codeexplore.resolution.expected_types import Context
from codeexplore.resolution.generics import Generics
from codeexplore.resolution.members import ClassMembers, Members
from codeexplore.resolution.modules import Modules
from codeexplore.resolution.narrowing import Narrowing
from codeexplore.resolution.path_steps import Step, Steps
from codeexplore.resolution.program import Program
from codeexplore.resolution.scopes import Lookup, Roots
from codeexplore.resolution.solver import UNKNOWN
from codeexplore.types import Binding

_EMPTY = frozenset({"%dict", "%list"})
_SCALARS = frozenset({"%str", "%num", "%bool", "%char"})
MAX_STEPS = 60
MAX_PARSED = 50_000
"""Maximal number of cached parsed expressions. When it is exceeded, the cache is cleared."""


class Expression(NamedTuple):
    """A parsed access path."""

    root: str
    steps: tuple[Step, ...]
    lasts: bool  # True if its node depends on the root only, not on arguments or on the line
    passing: tuple[int, ...]  # indices of steps that call a name in `passing_names`


class Evaluator:
    """Maps expressions to nodes. Equal expressions in equal scopes share a node."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.solver = program.solver
        self.entities = program.entities
        self.rules = program.rules
        self.hierarchy = Hierarchy(program)
        self.modules = Modules(self)
        self.class_members = ClassMembers(self)
        self.members = Members(self)
        self.argument_flow = ArgumentFlow(self)
        self.calls = Calls(self)
        self.containers = Containers(self)
        self.effects = LibraryModels(self)
        self.annotations = Annotations(self)
        self.context = Context(self)
        self.generics = Generics(self)
        self.lookup = Lookup(self)
        self.narrowing = Narrowing(self)
        self.roots = Roots(self)
        self.root = self.roots.root
        self.stars: dict[int, list[int]] = {}  # module scope → nodes of the modules it star-imports
        self.steps = Steps(self)
        self.follow, self.existing = self.steps.follow, self.steps.existing
        self.passing_names: frozenset[str] = frozenset()  # names of passing functions
        self.passing_calls: dict[tuple[int, str, int], str] = {}  # (scope, callee, line) of their calls → ``(a, b)``
        self._parsed: dict[str, Expression] = {}
        self._known: dict[int, dict[str, int]] = {}  # scope → expression with the same node on every line → node

    def forget(self) -> None:
        """Drop all cached expressions, steps and names."""
        self.steps.forget()
        self._parsed.clear()
        self.forget_names()

    def freeze(self) -> None:
        """Drop the structures that are needed only while values flow. The final values can still be read."""
        self.solver.freeze()
        self.calls.forget()
        self._parsed.clear()
        self.passing_calls.clear()
        self.forget_paths()

    def forget_names(self) -> None:
        """Drop cached names and expressions, because more classes are known now."""
        self.roots.known.clear()
        self.forget_paths()

    def forget_paths(self) -> None:
        """Drop cached expressions, because another file begins or a type test was found."""
        self._known.clear()

    def separate_calls(self, names: frozenset[str]) -> None:
        """Evaluate each call of a passing function, given by `names`, with its own arguments.

        Otherwise a value passed through such a function in one call would be the result of all its calls.
        """
        self.passing_names = names
        self._parsed.clear()
        self.forget_paths()

    def passes_through(self, text: str) -> bool:
        """Return True if an expression ends with a call of a passing function."""
        if text[-2:] != "()" or not self.passing_names:
            return False
        callee = text[text.find("=") + 1 : -2]
        return callee[callee.rfind(".") + 1 :] in self.passing_names

    def record_passing_calls(self, file: int) -> None:
        """Record in `passing_calls` the arguments of each call of a passing function in a file.

        The key of a call is its scope, callee and line. An empty text is recorded if two calls on one line have the
        same key, or if the result of such a call is an argument of the same callee: the inner call may begin on another
        line. The arguments of such calls are then unknown.
        """
        self.passing_calls.clear()
        if not self.passing_names:
            return
        first = self.program.first[file]
        for scope, kind, path, line, args in self.program.references[file].fields(
            "scope", "kind", "path", "line", "args"
        ):
            if kind == "call" and path[path.rfind(".") + 1 :] in self.passing_names:
                key, given = (first + scope, path, line), f"({', '.join(args)})"
                alone = key not in self.passing_calls and f"{path}()" not in given
                self.passing_calls[key] = given if alone and args else ""

    # ----------------------------------------------------------------- paths

    def path(self, scope: int, text: str, line: int, called: bool = False) -> int:
        """Return the node of an expression in a scope on a line; `UNKNOWN` if nothing is known about it.

        `called` is True if the expression is the callee of a call.
        """
        if not text:
            return UNKNOWN
        called = called and self.rules.classes.methods_apart
        if not called and text.isidentifier() and text not in self.rules.classes.super_names:
            return self.root(scope, text, line)
        key = text + " ()" if called else text
        known = self._known.get(scope)
        if known is None:
            known = self._known[scope] = {}
        node = known.get(key)
        if node is None:
            expression = self._parsed.get(key) or self._parse(text, key, called)
            node = self._path(scope, expression, line)
            if expression.lasts and scope not in self.program.keyed and not self._varies(scope, expression.root):
                known[key] = node
        return node

    def _parse(self, text: str, key: str, called: bool) -> Expression:
        parsed = parse(text)
        if self.rules.classes.methods_apart:
            parsed = _methods_marked(parsed, called)
        root, texts = parsed
        steps = tuple(map(self.steps.named, texts))
        lasts = root not in self.rules.classes.super_names and not any(step.is_own for step in steps)
        passing = self._passing_steps(root, steps) if self.passing_names else ()
        if len(self._parsed) > MAX_PARSED:
            self._parsed.clear()
        told = self._parsed[key] = Expression(root, steps, lasts and not passing, passing)
        return told

    def _passing_steps(self, root: str, steps: tuple[Step, ...]) -> tuple[int, ...]:
        names = (root, *(step.inner for step in steps))
        return tuple(n for n, step in enumerate(steps) if step.text == "()" and names[n] in self.passing_names)

    def _with_arguments(self, scope: int, expression: Expression, line: int) -> tuple[Step, ...]:
        """Return the steps of an expression, in which calls of passing functions have their arguments."""
        steps = list(expression.steps)
        for place in expression.passing:
            callee = expression.root + "".join(step.text for step in expression.steps[:place])
            if arguments := self.passing_calls.get((scope, callee, line)):
                steps[place] = self.steps.named(arguments)
        return tuple(steps)

    def _varies(self, scope: int, root: str) -> bool:
        """Return True if a name may have different nodes on different lines of a scope."""
        names = self.roots.known.get(scope)
        node = names.get(root, UNKNOWN) if names is not None else UNKNOWN
        return node in self.narrowing.tests or node in self.program.versions or node in self.program.since

    def _path(self, scope: int, expression: Expression, line: int) -> int:
        root, steps = expression.root, expression.steps
        if expression.passing:
            steps = self._with_arguments(scope, expression, line)
        if len(steps) > MAX_STEPS:
            return UNKNOWN
        if root in self.rules.classes.super_names and self.program.bound(scope, root) < 0:
            return self.lookup.above(scope, tuple(step.text for step in steps), line)
        if steps and scope in self.program.keyed:
            steps, node = self._since_assigned(scope, root, steps, line)
        else:
            node = self.root(scope, root, line)
        if not steps:
            return node
        found = self.steps.along(node, steps, scope, line)
        hidden = self._hidden(scope, root, node) if self.rules.modules.absolute_mark else -1
        return self.roots.either(found, self.steps.along(hidden, steps, scope, line)) if hidden >= 0 else found

    def _hidden(self, scope: int, name: str, node: int) -> int:
        """Return the node of a module or type that a variable of the same name hides; -1 for none.

        Paths write ``::`` as a dot, so that ``name.x`` may mean the module too.
        """
        program = self.program
        outer = program.bound(program.first[program.file_of[scope]], name)
        return outer if outer != node and outer in program.type_names else -1

    def given(self, scope: int, row: Binding) -> int:
        """Return the node of a binding's value. An empty literal that gets a name is an object of its own."""
        if row.value in _EMPTY and self.rules.builtins.open_objects:
            place = f"{row.value}:{row.line}:{scope}.{row.name}"
            return self.containers.literal(self.program.file_of[scope], place, row.value[1:])
        return self.path(scope, row.value, row.line)

    def _since_assigned(
        self, scope: int, root: str, steps: tuple[Step, ...], line: int
    ) -> tuple[tuple[Step, ...], int]:
        """Return the node assigned to a prefix of an expression by straight-line code above, and the remaining steps.

        Such a prefix has constant keys: ``table[key]``. Without an assignment, the node of the root is returned.
        """
        text = root
        for place, step in enumerate(steps):
            if step.mark != "[" and not (self.rules.builtins.open_objects and step.mark == "."):
                break
            text += step.text
            assigned = self.program.keyed[scope].get(text, ())
            above = bisect_left(assigned, (line,))  # assignments are sorted by line
            if above:
                return steps[place + 1 :], assigned[above - 1][1]
        return steps, self.root(scope, root, line)

    def required(self, file: int, module: str) -> int:
        """Return the node of the result of ``require`` for a module string."""
        found = self.program.locator.locate(file, module)
        if found.unit < 0:
            return self.roots.constant(found.external) if found.external else UNKNOWN
        whole = self.modules.whole(found.unit)
        return whole if whole >= 0 else self.roots.unit_node(found.unit)

    def apply(self, callee: int, argument: int) -> int:
        """Return the node of the result of calling `callee` with one argument."""
        target = self.solver.node()
        given = (Argument(0, argument),)
        self.solver.on_value(callee, (self.calls.on_result, target, callee, given))
        self.solver.on_value(callee, (self.argument_flow.on_taken, given))
        return target

    def arguments(self, scope: int, paths: tuple[str, ...], line: int) -> tuple[Argument, ...]:
        """Return the arguments of a call as nodes. The text of string literals is kept, for ``getattr(x, 'name')``."""
        found = []
        for position, path in enumerate(paths):
            key: int | str = position
            text = path
            if path[:1] == "*":
                key = "**" if path[:2] == "**" else "*"
                text = path.lstrip("*")
            elif "=" in path:
                name, _, rest = path.partition("=")
                if name.isidentifier():
                    key, text = name, rest
            quoted = text[:1] in ("'", '"')
            plain = quoted or not text or text in _SCALARS
            node = UNKNOWN if plain else self.path(scope, text, line)
            if node != UNKNOWN or quoted:
                found.append(Argument(key, node, text[1:-1] if quoted else "", self.program.file_of[scope]))
        return tuple(found)


def _methods_marked(parsed: Parsed, called: bool) -> Parsed:
    """Return a path in which names that are called end in ``()``; see `ClassRules.methods_apart`."""
    root, steps = parsed
    last = len(steps) - 1
    marked = tuple(
        step + "()" if step[0] == "." and (steps[place + 1][0] == "(" if place < last else called) else step
        for place, step in enumerate(steps)
    )
    if root[:1] != "%" and root != "super" and (steps[0][0] == "(" if steps else called):
        root += "()"
    return root, marked
