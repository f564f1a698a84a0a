"""Access paths become nodes; what flows into them says what they mean.

`Flow` joins the parts: the names of a `Program`, its `Hierarchy`, and the meaning of each step of an access path:
`members` (``.name``), `calls` (``()``), `containers` (``[]``), `annotations` (declared types).
"""

from __future__ import annotations

from typing import NamedTuple

from codeexplore.languages.resolution import heap as h
from codeexplore.languages.resolution.annotations import Annotations
from codeexplore.languages.resolution.argument_flow import ArgumentFlow
from codeexplore.languages.resolution.arguments import Argument
from codeexplore.languages.resolution.calls import Calls
from codeexplore.languages.resolution.class_members import ClassMembers
from codeexplore.languages.resolution.containers import Containers
from codeexplore.languages.resolution.context import Context
from codeexplore.languages.resolution.effects import Effects
from codeexplore.languages.resolution.entities import CLASS, EXT, FUNC, UNIT
from codeexplore.languages.resolution.generics import Generics
from codeexplore.languages.resolution.heap import DEAD
from codeexplore.languages.resolution.hierarchy import Hierarchy
from codeexplore.languages.resolution.lookup import Lookup
from codeexplore.languages.resolution.members import Members
from codeexplore.languages.resolution.modules import Modules
from codeexplore.languages.resolution.narrowing import Narrowing
from codeexplore.languages.resolution.paths import Parsed, parse
from codeexplore.languages.resolution.program import Program
from codeexplore.languages.resolution.steps import Step, Steps
from codeexplore.types import Binding

_CONTAINERS = frozenset({"%list", "%dict", "%set", "%tuple", "%object"})
_EMPTY = frozenset({"%dict", "%list"})
_SCALARS = frozenset({"%str", "%num", "%bool", "%char"})
MAX_STEPS = 60
MAX_PARSED = 50_000
"""Expressions whose parts are remembered."""


class Expression(NamedTuple):
    """An access path, taken apart."""

    root: str
    steps: tuple[Step, ...]
    lasts: bool  # whether it means the same each time, as far as its root does


class Flow:
    """The meaning of expressions. Nodes of equal expressions in equal scopes are shared."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.heap = program.heap
        self.entities = program.entities
        self.rules = program.rules
        self.hierarchy = Hierarchy(program)
        self.modules = Modules(self)
        self.class_members = ClassMembers(self)
        self.members = Members(self)
        self.argument_flow = ArgumentFlow(self)
        self.calls = Calls(self)
        self.containers = Containers(self)
        self.effects = Effects(self)
        self.annotations = Annotations(self)
        self.context = Context(self)
        self.generics = Generics(self)
        self.lookup = Lookup(self)
        self.narrowing = Narrowing(self)
        self.stars: dict[int, list[int]] = {}  # module scope → nodes of the modules it star-imports
        self.steps = Steps(self)
        self.follow, self.existing = self.steps.follow, self.steps.existing
        self._parsed: dict[str, Expression] = {}
        self._known: dict[int, dict[str, int]] = {}  # scope → expression that means the same on every line → its node
        self._roots: dict[int, dict[str, int]] = {}  # scope → name → its node
        self._constants: dict[str, int] = {}
        self._eithers: dict[tuple[int, int], int] = {}
        self.special: dict[tuple[str, int], int] = {}

    def forget(self) -> None:
        """Give up what is remembered of expressions."""
        self.steps.forget()
        self._parsed.clear()
        self.forget_names()

    def forget_names(self) -> None:
        """Look names up anew: more has become known about classes since."""
        self._roots.clear()
        self.forget_paths()

    def forget_paths(self) -> None:
        """Read expressions anew: another file begins, or a test has become known that narrows names."""
        self._known.clear()

    # ----------------------------------------------------------------- paths

    def path(self, scope: int, text: str, line: int, called: bool = False) -> int:
        """The node of an expression that stands in a scope on a line; `DEAD` when nothing can be known about it.

        `called` says that the expression is what a call calls.
        """
        if not text:
            return DEAD
        called = called and self.rules.methods_apart
        if not called and text.isidentifier() and text not in self.rules.super_names:
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
        if self.rules.methods_apart:
            parsed = _methods_marked(parsed, called)
        root, texts = parsed
        steps = tuple(map(self.steps.named, texts))
        lasts = root not in self.rules.super_names and not any(step.is_own for step in steps)
        if len(self._parsed) > MAX_PARSED:
            self._parsed.clear()
        told = self._parsed[key] = Expression(root, steps, lasts)
        return told

    def _varies(self, scope: int, root: str) -> bool:
        """Whether a name may mean something else on another line of a scope."""
        names = self._roots.get(scope)
        node = names.get(root, DEAD) if names is not None else DEAD
        return node in self.narrowing.tests or node in self.program.versions or node in self.program.since

    def _path(self, scope: int, expression: Expression, line: int) -> int:
        root, steps, _ = expression
        if len(steps) > MAX_STEPS:
            return DEAD
        if root in self.rules.super_names and self.program.bound(scope, root) < 0:
            return self.lookup.above(scope, tuple(step.text for step in steps), line)
        if steps and scope in self.program.keyed:
            steps, node = self._since_assigned(scope, root, steps, line)
        else:
            node = self.root(scope, root, line)
        if not steps:
            return node
        found = self.steps.along(node, steps, scope, line)
        hidden = self._hidden(scope, root, node) if self.rules.absolute_mark else -1
        return self._either(found, self.steps.along(hidden, steps, scope, line)) if hidden >= 0 else found

    def _hidden(self, scope: int, name: str, node: int) -> int:
        """The node of a module or type that a variable of its name does not hide: no path tells ``::`` from a dot."""
        program = self.program
        outer = program.bound(program.first[program.file_of[scope]], name)
        return outer if outer != node and outer in program.type_names else -1

    def _either(self, one: int, other: int) -> int:
        """A node of what either of two holds."""
        if DEAD in (one, other) or one == other:
            return max(one, other)
        node = self._eithers.get((one, other), -1)
        if node < 0:
            node = self._eithers[one, other] = self.heap.node()
            self.heap.copy(one, node)
            self.heap.copy(other, node)
        return node

    def given(self, scope: int, row: Binding) -> int:
        """The node of a binding's value; an empty literal that gets a name is an object to put things in."""
        if row.value in _EMPTY and self.rules.open_objects:
            place = f"{row.value}:{row.line}:{scope}.{row.name}"
            return self.containers.literal(self.program.file_of[scope], place, row.value[1:])
        return self.path(scope, row.value, row.line)

    def _since_assigned(
        self, scope: int, root: str, steps: tuple[Step, ...], line: int
    ) -> tuple[tuple[Step, ...], int]:
        """Start from what straight-line code above has stored under a constant key: ``table[key]``."""
        text = root
        for place, step in enumerate(steps):
            if step.mark != "[" and not (self.rules.open_objects and step.mark == "."):
                break
            text += step.text
            assigned = [node for start, node in self.program.keyed[scope].get(text, ()) if start < line]
            if assigned:
                return steps[place + 1 :], assigned[-1]
        return steps, self.root(scope, root, line)

    def required(self, file: int, module: str) -> int:
        """The node of what ``require`` gives for a module string."""
        found = self.program.locator.locate(file, module)
        if found.unit < 0:
            return self.constant(found.external) if found.external else DEAD
        whole = self.modules.whole(found.unit)
        return whole if whole >= 0 else self.unit_node(found.unit)

    def apply(self, callee: int, argument: int) -> int:
        """The node of what calling `callee` with one argument gives back."""
        target = self.heap.node()
        given = (Argument(0, argument),)
        self.heap.watch(callee, (self.calls.on_result, target, callee, given))
        self.heap.watch(callee, (self.argument_flow.on_taken, given))
        return target

    def arguments(self, scope: int, paths: tuple[str, ...], line: int) -> tuple[Argument, ...]:
        """Arguments as nodes. Literal text is kept beside, for ``getattr(x, 'name')``."""
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
            node = DEAD if plain else self.path(scope, text, line)
            if node != DEAD or quoted:
                found.append(Argument(key, node, text[1:-1] if quoted else "", self.program.file_of[scope]))
        return tuple(found)

    # ----------------------------------------------------------------- roots

    def root(self, scope: int, name: str, line: int) -> int:
        """The node of a name seen from a scope, on a line."""
        if name[:1] == "%" and not name.startswith("%import:"):
            return self._literal(scope, name)
        names = self._roots.get(scope)
        known = names.get(name) if names is not None else None
        node = self.unversioned(scope, name) if known is None else known
        if node in self.narrowing.tests:
            return self.narrowing.at(node, self._in_force(node, scope, name, line), scope, line)
        if node in self.program.versions or node in self.program.since:
            return self._in_force(node, scope, name, line)
        return node

    def unversioned(self, scope: int, name: str) -> int:
        """The node of a name seen from a scope, whatever the line; that of its last version when it has several."""
        node = self.lookup.name(scope, name)
        self._roots.setdefault(scope, {})[name] = node
        return node

    def _in_force(self, node: int, scope: int, name: str, line: int) -> int:
        """The version of a name that a reader on a line sees."""
        if node in self.program.versions and self.program.bound(scope, name) == node:
            return self.program.at_line(node, line)
        if node in self.program.since and line <= self.program.since[node] and self.program.bound(scope, name) == node:
            around = self.root(self.program.parent[scope], name, line)
            return self._either(around, node) if line == self.program.since[node] or around == DEAD else around
        return node

    def type_path(self, scope: int, text: str, line: int) -> int:
        """The node of a type's name: variables and fields of the same name do not hide it where rules say so."""
        root = text.partition(".")[0]
        if self.rules.types_apart and root not in self.rules.own_type_names:
            program = self.program
            while program.parent[scope] >= 0 and program.symbols[scope].kind != "module":
                node = program.bound(scope, root)
                if node >= 0 and (node in program.type_names or program.defines_type(node)):
                    break
                scope = program.parent[scope]
        return self.path(scope, text, line)

    def constant(self, name: str) -> int:
        """The node of a name outside the repository."""
        node = self._constants.get(name)
        if node is None:
            node = self._constants[name] = self.heap.fixed(self.entities.external(name), h.SCOPE)
        return node

    def unit_node(self, unit: int) -> int:
        """The node that holds a module itself."""
        node = self.special.get(("unit", unit))
        if node is None:
            node = self.special["unit", unit] = self.heap.fixed(self.entities.get(UNIT, unit), h.SCOPE)
        return node

    def _literal(self, scope: int, name: str) -> int:
        """The node of a literal, an anonymous function or a type written as a value."""
        kind, _, place = name.partition(":")
        file = self.program.file_of[scope]
        if kind in ("%fn", "%class"):
            symbol = self.program.anonymous.get((file, name[1:]), -1)
            if symbol < 0:
                return DEAD
            what = CLASS if self.program.is_class(symbol) else FUNC
            return self.held_as(("fn", symbol), self.entities.get(what, symbol))
        if kind in _CONTAINERS:
            if not place:
                return self.containers.bare(kind[1:])
            return self.containers.literal(file, name, kind[1:])
        if kind.startswith("%type("):
            return self.annotations.node(scope, name[6:-1], 0)
        outside = self.rules.literals.get(kind)
        return self.constant(outside) if outside else DEAD

    def held(self, entity: int) -> int:
        """A node that holds one value."""
        return self.held_as(("entity", entity), entity)

    def held_as(self, key: tuple[str, int], entity: int) -> int:
        """The node of one value, by a key of its own."""
        node = self.special.get(key)
        if node is None:
            node = self.special[key] = self.heap.fixed(entity, h.SCOPE)
        return node

    def own(self, cls: int) -> int:
        """The node that holds a type itself."""
        cls = self.program.whole.get(cls, cls)
        return self.held_as(("class", cls), self.entities.get(CLASS, cls))

    def externals_of(self, node: int) -> list[str]:
        """The outside names a node may hold."""
        held = self.heap.values[node] or {}
        return [self.entities.external_name(e) for e in held if self.entities.kind[e] == EXT]


def _methods_marked(parsed: Parsed, called: bool) -> Parsed:
    """Names that are called, marked by ``()``; see `Rules.methods_apart`."""
    root, steps = parsed
    last = len(steps) - 1
    marked = tuple(
        step + "()" if step[0] == "." and (steps[place + 1][0] == "(" if place < last else called) else step
        for place, step in enumerate(steps)
    )
    if root[:1] != "%" and root != "super" and (steps[0][0] == "(" if steps else called):
        root += "()"
    return root, marked
