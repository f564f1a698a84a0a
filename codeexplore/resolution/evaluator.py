"""Evaluator of access paths: maps an expression to the constraint variable that has its values.

`Evaluator` makes the parts that give each root and each step its meaning: `Roots`, `class_members` (``.name``, ``[]``),
`calls` (``()``) and the parts that these need; see `parts`.

On the lines where a type test is true, a name has only values that pass the test (`TypeTests`): in the body of ``if
isinstance(x, Circle):`` the name ``x`` has instances of ``Circle`` only.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import attrgetter
from typing import NamedTuple

from codeexplore.resolution import solver as h
from codeexplore.resolution.access_paths import Parsed, Step, Steps, parse, split_arguments
from codeexplore.resolution.builtin_models import LibraryModels
from codeexplore.resolution.calls import RESULT, SPREAD, SPREAD_NAMES, Argument, Calls
from codeexplore.resolution.class_hierarchy import Hierarchy
from codeexplore.resolution.class_members import Members
from codeexplore.resolution.declared_types import Annotations, ExpectedTypes, Generics
from codeexplore.resolution.modules import Modules
from codeexplore.resolution.parts import Containers, EvaluatorPart, KnownNodes, Shared
from codeexplore.resolution.program import Program
from codeexplore.resolution.scopes import Extensions, Scopes
from codeexplore.resolution.solver import BOUND, CLASS, EXTERNAL, FUNC, INST, MAX_VALUES, OBJECT, UNKNOWN, Watcher
from codeexplore.types import GUARD, NOT, Binding


class TypeTest(NamedTuple):
    """A test of a name's type, and the lines of its file on which it is true."""

    first: int
    last: int
    declared: int  # node of values of the tested type
    is_own: bool = False  # True if the name has exactly the values of `declared` on these lines
    excludes: bool = False  # True if the name has none of these values


MAX_TESTS = 64
"""Maximal number of tests of a name that are searched for the one that is true on a line: the last that begin above."""


def holding(tests: Sequence[TypeTest], line: int) -> Iterator[TypeTest]:
    """Yield those of `tests`, sorted by their first lines, that are true on a line, the innermost first."""
    end = bisect_right(tests, line, key=attrgetter("first"))
    return (test for test in reversed(tests[max(0, end - MAX_TESTS) : end]) if test.last >= line)


class TypeTests(EvaluatorPart):
    """Type tests of all files.

    `of_node` maps the constraint variable of a tested name to its tests, by file and sorted by their first lines.
    """

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared)
        self.of_node: dict[int, dict[int, list[TypeTest]]] = {}
        self.passing: dict[tuple[int, int], int] = {}  # (node, declared) → node of the values that pass
        self.others: dict[tuple[int, frozenset[int]], int] = {}  # (node, nodes of types) → node of the other values

    def add(self, node: int, scope: int, test: TypeTest) -> None:
        known = self.of_node.setdefault(node, {}).setdefault(self.program.file_of[scope], [])
        insort(known, test, key=attrgetter("first"))

    def narrowed(self, node: int, version: Callable[[int], int], scope: int, line: int) -> int:
        """Return the constraint variable with the values that a tested name has on a line.

        `node` is the constraint variable of the name, and `version` returns that of its version on a line. The version
        is returned if no test is true on the line. Otherwise the innermost test counts: the result has the values that
        pass the test, or exactly the tested values (`TypeTest.is_own`). Then all excluded types are taken away
        (`TypeTest.excludes`), except those that were tested for earlier versions.
        """
        now = seen = version(line)
        excluded = set()
        for test in holding(self.of_node[node].get(self.program.file_of[scope], ()), line):
            if not test.excludes:
                seen = test.declared if test.is_own else self._passing(seen, test.declared)
                break
            if version(test.first) == now:
                excluded.add(test.declared)
        return self._others(seen, frozenset(excluded)) if excluded else seen

    def _others(self, node: int, declared: frozenset[int]) -> int:
        """Return a variable with the values of `node` that have none of the tested types of the repository."""
        target = self.others.get((node, declared))
        if target is None:
            excluded = frozenset(cls for each in declared for cls in self.program.held(each, INST))
            target = self.others[node, declared] = self.solver.node() if excluded else node
            if excluded:
                self.solver.on_value(node, (self.on_other, target, excluded))
        return target

    def on_other(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a value of a tested name: add it unless it is an instance of an excluded class or of a class below."""
        _, target, excluded = watcher
        if self.entities.kind[entity] != INST or excluded.isdisjoint(
            self.hierarchy.order(self.entities.payload[entity])
        ):
            self.solver.add(target, entity, evidence)

    def _passing(self, node: int, declared: int) -> int:
        """Return a variable with the values of `node` that have the tested type, whose instances are `declared`."""
        target = self.passing.get((node, declared))
        if target is None:
            target = self.passing[node, declared] = self.solver.node()
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
            functional = self.rules.functions.functional
            closed = bool(wanted) and not outside and all(map(self.program.is_sealed, wanted))  # it is no outside value
            plain = kind not in (OBJECT, FUNC) and not (closed and kind == EXTERNAL)
            passes = outside or plain or functional
        if passes:
            self.solver.add(target, entity, evidence)


class PassingCalls:
    """Names of passing functions, and the arguments of their calls in the current file.

    A *passing* function returns one of its parameters unchanged. The result of calling it depends on the arguments of
    the call. If all its calls shared one constraint variable, a value passed in one call would be the result of every
    call.

    The keys of `arguments` are (scope, callee, line). The values are texts such as ``(a, b)``; "" means that the
    arguments of a call are not known.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.names: frozenset[str] = frozenset()
        self.arguments: dict[tuple[int, str, int], str] = {}
        self._of_file: dict[int, dict[tuple[int, str, int], str]] = {}

    def forget(self) -> None:
        self.arguments = {}
        self._of_file.clear()

    def passes_through(self, text: str) -> bool:
        """Return True if an expression ends with a call of a passing function, which returns one of its parameters."""
        if text[-2:] != "()" or not self.names:
            return False
        callee = text[text.find("=") + 1 : -2]
        return callee[callee.rfind(".") + 1 :] in self.names

    def steps_of(self, root: str, steps: tuple[Step, ...]) -> tuple[int, ...]:
        """Return the indices of the steps of an expression that call a passing function."""
        if not self.names:
            return ()
        found, callee = [], root
        for place, step in enumerate(steps):
            if step.text == "()" and callee.removesuffix("()") in self.names:
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
                key, given = (first + scope, path, line), f"({', '.join(arg.lstrip('&') for arg in args)})"
                alone = key not in self.arguments and f"{path}()" not in given
                self.arguments[key] = given if alone and args else ""


NAMES_WITHOUT = ("%import:", "%or:")
"""Prefixes of generated names for values that have no name in the source."""
_CONTAINERS = frozenset({"%list", "%dict", "%set", "%tuple", "%object"})


class Roots(EvaluatorPart):
    """Constraint variables of names and literals, as code in a scope sees them on its line.

    `names` caches the last versions of names, by scope and name.
    """

    def __init__(self, shared: Shared, scopes: Scopes, tests: TypeTests, annotations: Annotations) -> None:
        super().__init__(shared)
        self.scopes, self.tests, self.annotations = scopes, tests, annotations
        self.names: dict[int, dict[str, int]] = {}  # scope → name → its node

    def root(self, scope: int, name: str, line: int) -> int:
        """Return the constraint variable of a name seen from a scope on a line."""
        names = self.names.get(scope)
        known = names.get(name) if names is not None else None
        if known is None and name[:1] == "%" and not name.startswith(NAMES_WITHOUT):
            return self._literal(scope, name)
        node = self.unversioned(scope, name) if known is None else known
        if node in self.tests.of_node:
            return self.tests.narrowed(node, partial(self._in_force, node, scope, name), scope, line)
        if node in self.program.versions or node in self.program.since:
            return self._in_force(node, scope, name, line)
        return node

    def unversioned(self, scope: int, name: str) -> int:
        """Return the constraint variable of the last version of a name, whatever the line of the reader."""
        node = self.scopes.name(scope, name)
        self.names.setdefault(scope, {})[name] = node
        return node

    def varies(self, scope: int, name: str) -> bool:
        """Return True if a name may have different variables on different lines of a scope."""
        names = self.names.get(scope)
        node = names.get(name, UNKNOWN) if names is not None else UNKNOWN
        return node in self.tests.of_node or node in self.program.versions or node in self.program.since

    def _in_force(self, node: int, scope: int, name: str, line: int) -> int:
        """Return the version that a line sees of the name whose last version is `node`."""
        if node in self.program.versions and self.program.bound(scope, name) == node:
            return self.program.at_line(node, line)
        if node in self.program.since and line <= self.program.since[node] and self.program.bound(scope, name) == node:
            around = self.root(self.program.parent[scope], name, line)
            return self.known.either(around, node) if line == self.program.since[node] or around == UNKNOWN else around
        return node

    def _literal(self, scope: int, name: str) -> int:
        """Return the constraint variable of a literal, an anonymous function or a type written as a value."""
        kind, _, place = name.partition(":")
        file = self.program.file_of[scope]
        if kind in ("%fn", "%class"):
            symbol = self.program.anonymous.get((file, name[1:]), -1)
            if symbol < 0:
                return UNKNOWN
            return self.known.value(self.entities.get(CLASS if self.program.is_class(symbol) else FUNC, symbol))
        if kind in _CONTAINERS and place:
            return self.containers.literal(file, name, kind[1:])
        if kind.startswith("%type("):
            return self.annotations.node(scope, name[6:-1], 0)
        outside = self.rules.builtins.literals.get(kind)
        return self.known.external(outside) if outside else UNKNOWN


_VARIABLES = re.compile(r"\{((?!\d)[\w$]+)\}")
_EMPTY = frozenset({"%dict", "%list"})
_MAKING = frozenset({"sequence", "map", "filled", "callitems"})  # effects of functions that make containers
_SCALARS = frozenset({"%str", "%num", "%bool", "%char"})
MAX_STEPS = 60
MAX_PARSED = 50_000
"""Maximal number of cached parsed expressions. When it is exceeded, the cache is cleared."""


class Expression(NamedTuple):
    """A parsed access path."""

    root: str
    steps: tuple[Step, ...]
    lasts: bool  # True if its node depends on the root only, not on arguments or on the line
    passing: tuple[int, ...]  # indices of steps that call a passing function
    made: bool  # True if the name of a member is built: ``[?visit_{kind}]``


class Evaluator:
    """Maps expressions to constraint variables. Equal expressions in equal scopes share one constraint variable."""

    def __init__(self, program: Program) -> None:
        self.program, self.rules = program, program.rules
        self.solver, self.entities = program.solver, program.entities
        modelled = self.rules.builtins.functions.items()
        self._makers = {name.rpartition(".")[2] for name, effect in modelled if effect.partition(":")[0] in _MAKING}
        self._made: dict[tuple[int, str, int], int] = {}  # scope, name and line → variable of a container made there
        self.passing_calls = PassingCalls(program)
        self.hierarchy, self.known = Hierarchy(program), KnownNodes(program)
        self.containers, self.steps = Containers(program, self.known), Steps(self.solver, self._watch)
        self.shared = shared = Shared(program, self.hierarchy, self.known, self.containers, self.steps, self.path)
        self.annotations, self.expected = Annotations(shared), ExpectedTypes(shared)
        self.generics, self.modules = Generics(shared, self.annotations), Modules(shared)
        self.scopes = Scopes(shared, self.modules)
        self.extensions = Extensions(shared, self.scopes)
        self.type_tests = TypeTests(shared)
        self.roots = Roots(shared, self.scopes, self.type_tests, self.annotations)
        self.members = members = Members(shared, self.generics, self.extensions)
        self.calls = calls = Calls(shared, members)
        self.argument_flow = calls.argument_flow
        self.models = LibraryModels(shared, calls)  # which are added to the handlers of calls
        self._on_attribute, self._on_result = members.on_attribute, calls.on_result  # each access makes an object
        self._on_iterate, self._on_element = members.on_iterate, members.on_element
        self._methods_apart, self._super_names = self.rules.classes.methods_apart, self.rules.classes.super_names
        self._parsed: dict[str, Expression] = {}
        self._known: dict[int, dict[str, int]] = {}  # scope → expression with the same node on every line → node

    def forget(self) -> None:
        self.steps.forget()
        self._parsed.clear()
        self.forget_names()

    def freeze(self) -> None:
        """Drop the structures that are needed only while values flow. The final values can still be read."""
        self.solver.freeze()
        self.steps.going_on(self.solver.cut)
        self.calls.forget()
        self._parsed.clear()
        self._made.clear()
        self.passing_calls.forget()
        self.forget_paths()

    def forget_names(self) -> None:
        """Drop cached names and expressions, because more classes are known now."""
        self.roots.names.clear()
        self.forget_paths()

    def forget_paths(self) -> None:
        """Drop cached expressions, because another file begins or a type test was found."""
        self._known.clear()

    def separate_calls(self, names: frozenset[str]) -> None:
        """Evaluate each call of a function with one of these names with its own arguments; see `PassingCalls`."""
        self.passing_calls.names = names
        self._parsed.clear()
        self.forget_paths()

    # ----------------------------------------------------------------- paths

    def path(self, scope: int, text: str, line: int, called: bool = False) -> int:
        """Return the constraint variable of an expression in a scope on a line; `UNKNOWN` if nothing is known about it.

        `called` is True if the expression is the callee of a call.
        """
        if not text:
            return UNKNOWN
        called = called and self._methods_apart
        if not called and text.isidentifier() and text not in self._super_names:
            return self.roots.root(scope, text, line)
        key = text + " ()" if called else text
        known = self._known.get(scope)
        if known is None:
            known = self._known[scope] = {}
        node = known.get(key)
        if node is None:
            expression = self._parsed.get(key) or self._parse(text, key, called)
            node = self._path(scope, expression, line)
            if expression.lasts and scope not in self.program.keyed and not self.roots.varies(scope, expression.root):
                known[key] = node
        return node

    def _parse(self, text: str, key: str, called: bool) -> Expression:
        parsed = parse(text)
        if self.rules.classes.methods_apart:
            parsed = _methods_marked(parsed, called, self.rules.scopes.members_visible)
        root, texts = parsed
        steps = tuple(map(self.steps.named, texts))
        made = "[?" in text
        lasts = not made and root not in self.rules.classes.super_names and not any(step.is_own for step in steps)
        passing = self.passing_calls.steps_of(root, steps)
        if len(self._parsed) > MAX_PARSED:
            self._parsed.clear()
        told = self._parsed[key] = Expression(root, steps, lasts and not passing, passing, made)
        return told

    def _path(self, scope: int, expression: Expression, line: int) -> int:
        root, steps = expression.root, expression.steps
        if expression.passing:
            steps = self._with_arguments(scope, expression, line)
        if expression.made:
            steps = tuple(
                self.steps.named(self._numbered(scope, each.text, line)) if each.text[:2] == "[?" else each
                for each in steps
            )
        if len(steps) > MAX_STEPS:
            return UNKNOWN
        if root in self.rules.classes.super_names and self.program.bound(scope, root) < 0:
            return self.scopes.above(scope, tuple(step.text for step in steps), line)
        if steps and scope in self.program.keyed:
            steps, node = self._since_assigned(scope, root, steps, line)
        else:
            node = self.roots.root(scope, root, line)
            if self.rules.scopes.types_apart and steps and steps[0].text[:1] in ".(":
                node = self._type_or(node, scope, root, line, made=steps[0].text == "()")
        while node == UNKNOWN and root in self.program.opened and steps and steps[0].text[1:].isidentifier():
            root, steps = steps[0].text[1:], steps[1:]  # the names in such a namespace are those of the file
            node = self.roots.root(self.program.first[self.program.file_of[scope]], root, line)
        is_table = root in self.rules.builtins.name_tables and len(steps) > 1 and steps[0].text == "()"
        if is_table and steps[1].mark == "[":
            node, steps = self._in_table(scope, root, steps[1].inner, line), steps[2:]
        if not steps:
            return node
        found = self.steps.along(node, steps, scope, line)
        hidden = self._hidden(scope, root, node) if self.rules.modules.absolute_mark else -1
        if hidden >= 0:  # into the node found, which keeps the fields that it reads
            self.solver.add_flow(self.steps.along(hidden, steps, scope, line), found)
        return found

    def _type_or(self, node: int, scope: int, name: str, line: int, made: bool) -> int:
        """Return the variable of the type `name` if `node` is a member of this name that can't be meant.

        ``new T()``, for which `made` is True, makes no property, and a method has no members: ``T::name``.
        """
        cls = self.program.class_around(scope)
        member = self.hierarchy.member(cls, name) if cls >= 0 else None
        if member is None or (member.node < 0 and not member.fields) or self.program.defines_type(member.node):
            return node
        function = self.hierarchy.function_at(member.node) if member.node >= 0 else -1
        called = function >= 0 and not self.program.is_read(function)
        if called == made or (called and self.program.bound(scope, name) >= 0):
            return node
        found = self.annotations.type_path(scope, name, line)
        return found if found >= 0 and self.program.defines_type(found) else node

    def _in_table(self, scope: int, table: str, key: str, line: int) -> int:
        """Return the variable of ``globals()[key]`` or ``locals()[key]``.

        In `key`, a star stands for any text, and ``{name}`` for the texts of a variable.
        """
        home = scope if self.rules.builtins.name_tables[table] else self.program.first[self.program.file_of[scope]]
        if "*" not in key and "{" not in key:
            return self.roots.root(home, key, line) if key else UNKNOWN
        found = self.solver.node()

        def add(pattern: str) -> None:
            fits = re.compile(re.escape(pattern).replace(r"\*", r"\w*")).fullmatch
            for name in [name for name in self.program.names[home] or () if fits(name)][:MAX_VALUES]:
                self.solver.add_flow(self.roots.root(home, name, line), found, h.ELEMENT)

        self.argument_flow.on_names(self._numbered(scope, key, line), add)
        return found

    def _numbered(self, scope: int, text: str, line: int) -> str:
        """Return a text with the constraint variables of the variables in it: ``visit_{12}`` for ``visit_{kind}``."""
        return _VARIABLES.sub(lambda found: f"{{{self.path(scope, found[1], line)}}}", text)

    def _with_arguments(self, scope: int, expression: Expression, line: int) -> tuple[Step, ...]:
        """Return the steps of an expression. Calls of passing functions among them have their arguments."""
        steps = list(expression.steps)
        for place in expression.passing:
            callee = expression.root + "".join(step.text for step in expression.steps[:place])
            if self.rules.classes.methods_apart:
                callee = _unmarked(expression, place)
            if arguments := self.passing_calls.arguments.get((scope, callee, line)):
                steps[place] = self.steps.named(arguments)
        return tuple(steps)

    def _watch(self, node: int, step: Step, target: int, scope: int, line: int) -> None:
        """Let the values that a step gives for the values of `node` flow to `target`."""
        if step.is_own:
            arguments = self.arguments(scope, split_arguments(step.text), line)
            self.solver.on_value(node, (self._on_result, target, node, arguments))
        elif step.trait == "*":
            self.solver.on_value(node, (self.members.on_lent, target, step.inner, node))
        elif step.trait:
            self.solver.on_value(node, (self.members.on_method_of_trait, target, step.inner, step.trait))
        elif step.mark == ".":
            self.solver.on_value(node, (self._on_attribute, target, step.inner))
        elif step.mark == "()":
            self.solver.on_value(node, (self._on_result, target, node, None))
        elif step.mark == "[" and step.text[:2] == "[*":  # [*] or [*async]
            self.solver.on_value(node, (self._on_iterate, target, step.text == "[*async]"))
        elif step.text[:2] == "[?":
            self.models.add_made_member(_VARIABLES.sub("*", step.inner[1:]), node, target)
            self.solver.on_value(node, (self._on_element, target, ""))
        elif step.text == "[&]":
            self.solver.on_value(node, (self.members.on_run_on, target))
        elif step.text == "[+]":
            self.solver.on_value(node, (self.members.on_operand, target))
        elif step.text == "[.]":
            self.solver.on_value(node, (self._on_element, target, ""))
        else:
            handler = self.members.on_pointed if node in self.program.pointing else self._on_element
            self.solver.on_value(node, (handler, target, step.inner))

    def _hidden(self, scope: int, name: str, node: int) -> int:
        """Return the constraint variable of a module or type that a variable of the same name hides; -1 for none.

        Paths write ``::`` as a dot, so ``name.x`` may mean the hidden module too.
        """
        program = self.program
        outer = program.bound(program.first[program.file_of[scope]], name)
        return outer if outer != node and outer in program.type_names else -1

    def given(self, scope: int, row: Binding) -> int:
        """Return the constraint variable of the value that a binding assigns.

        An empty container that gets a name is one of its own, because elements are added to it later: ``dict()``, and
        in JavaScript an empty literal.
        """
        if row.value in _EMPTY and self.rules.builtins.open_objects:
            place = f"{row.value}:{row.line}:{scope}.{row.name}"
            return self.containers.literal(self.program.file_of[scope], place, row.value[1:])
        if row.value[-2:] == "()" and row.value[row.value.rfind(".") + 1 : -2] in self._makers:
            key = scope, row.name, row.line
            if key not in self._made:
                self._made[key] = self.path(scope, f"{row.value[:-1]} )", row.line)
            return self._made[key]
        return self.path(scope, row.value, row.line)

    def note_test(self, scope: int, row: Binding) -> None:
        """Record a type test: a binding of the kind `pattern`, which is valid up to the line `row.sure`."""
        node = self.roots.unversioned(scope, row.name)
        if row.value:
            value = self.given(scope, row)
            if node != UNKNOWN:
                self.type_tests.add(node, scope, TypeTest(row.line, row.sure, value, True))
                self.forget_paths()
            return
        text = row.type.removeprefix(NOT)
        declared = self.annotations.node(scope, text, row.line) if text[: len(GUARD)] != GUARD else UNKNOWN
        if declared == UNKNOWN:
            declared = self._guarded(self.path(scope, text[len(GUARD) :], row.line, True))
        kinds = self.entities.kind
        held = self.solver.points_to(declared)
        if node != UNKNOWN and held and all(kinds[entity] in (INST, EXTERNAL) for entity in held):
            self.type_tests.add(node, scope, TypeTest(row.line, row.sure, declared, excludes=text != row.type))
            self.forget_paths()

    def _guarded(self, callee: int) -> int:
        """Return the variable of the type for which a called function tests its argument; UNKNOWN if it tests none."""
        for entity in self.solver.points_to(callee):
            function = self.entities.payload[entity]
            text = self.program.result_types.get(function, "") if self.entities.kind[entity] in (FUNC, BOUND) else ""
            if text.startswith("boolean is "):
                return self.annotations.node(function, text.removeprefix("boolean is "), 0)
        return UNKNOWN

    def _since_assigned(
        self, scope: int, root: str, steps: tuple[Step, ...], line: int
    ) -> tuple[tuple[Step, ...], int]:
        """Return the steps of an expression that remain after its longest assigned prefix, and the prefix's value.

        A prefix has constant keys, such as ``table[key]``, and straight-line code above assigns it. The second item of
        the result is a constraint variable. Without such an assignment, it is that of the root, and all steps remain.
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
        return steps, self.roots.root(scope, root, line)

    def arguments(self, scope: int, paths: tuple[str, ...], line: int) -> tuple[Argument, ...]:
        """Return the arguments of a call, with their constraint variables.

        The text of a string literal is kept too, because ``getattr(x, 'name')`` needs it.
        """
        found = []
        for position, path in enumerate(paths):
            key: int | str = position
            text = path.lstrip("&*") if self.rules.classes.pointers else path
            place = position if text[:1] == SPREAD else 0
            if text[:1] == SPREAD:
                key = SPREAD_NAMES if path[:2] == SPREAD_NAMES else SPREAD
                text = path.lstrip("*")
            elif "=" in path:
                name, _, rest = path.partition("=")
                if name.isidentifier():
                    key, text = position if self.rules.functions.labels else name, rest
            if text[:2] == RESULT:
                key, text = RESULT, text[2:]
            quoted = text[:1] in ("'", '"')
            if quoted and "{" in text:  # a name that is built of variables
                text = self._numbered(scope, text, line)
            plain = quoted or not text or text in _SCALARS
            node = UNKNOWN if plain else self.path(scope, text, line)
            if node != UNKNOWN or quoted:
                found.append(Argument(key, node, text[1:-1] if quoted else "", self.program.file_of[scope], place))
        return tuple(found)


def _unmarked(expression: Expression, place: int) -> str:
    """Return the text of an expression up to its step `place`, without the marks that `_methods_marked` sets."""
    texts = [step.text.removesuffix("()") or "()" for step in expression.steps[:place]]
    called = expression.steps[:1] and expression.steps[0].mark[0] == "("
    return (expression.root.removesuffix("()") if called else expression.root) + "".join(texts)


def _methods_marked(parsed: Parsed, called: bool, members_visible: bool) -> Parsed:
    """Return a parsed path in which the names that are called end in ``()``; see `ClassRules.methods_apart`.

    The first name may be that of a method only if code in a type uses members by their bare names. A step such as
    ``.name@Trait`` names a method anyway, and so does ``.name&``, which is not called.
    """
    root, steps = parsed
    following = (*(step[0] == "(" for step in steps[1:]), called)
    marked = tuple(
        f"{step.removesuffix('&')}()" if step[0] == "." and "@" not in step and (is_called or step[-1] == "&") else step
        for step, is_called in zip(steps, following, strict=False)
    )
    if members_visible and root[:1] != "%" and root != "super" and (steps[0][0] == "(" if steps else called):
        root += "()"
    return root, marked
