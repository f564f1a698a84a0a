"""Access paths become nodes; what flows into them says what they mean.

`Flow` joins the parts: the names of a `Program`, its `Hierarchy`, and the meaning of each step of an access path:
`members` (``.name``), `calls` (``()``), `containers` (``[]``), `annotations` (declared types).
"""

from __future__ import annotations

from codeexplore.languages.resolution import heap as h
from codeexplore.languages.resolution.annotations import Annotations
from codeexplore.languages.resolution.calls import Argument, Calls
from codeexplore.languages.resolution.containers import Containers
from codeexplore.languages.resolution.context import Context
from codeexplore.languages.resolution.entities import CLASS, EXT, FUNC, INST, SUPER, UNIT
from codeexplore.languages.resolution.heap import DEAD
from codeexplore.languages.resolution.generics import Generics
from codeexplore.languages.resolution.hierarchy import Hierarchy
from codeexplore.languages.resolution.members import Members
from codeexplore.languages.resolution.paths import Parsed, parse, split_arguments
from codeexplore.languages.resolution.program import STATIC, Program

_CONTAINERS = frozenset({"%list", "%dict", "%set", "%tuple", "%object"})
MAX_STEPS = 60


class Flow:
    """The meaning of expressions. Nodes of equal expressions in equal scopes are shared."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.heap = program.heap
        self.entities = program.entities
        self.rules = program.rules
        self.hierarchy = Hierarchy(program)
        self.members = Members(self)
        self.calls = Calls(self)
        self.containers = Containers(self)
        self.annotations = Annotations(self)
        self.context = Context(self)
        self.generics = Generics(self)
        self.stars: dict[int, list[int]] = {}  # module scope → nodes of the modules it star-imports
        self._steps: dict[tuple[int, str], int] = {}
        self._parsed: dict[str, Parsed] = {}
        self._roots: dict[tuple[int, str], int] = {}
        self._constants: dict[str, int] = {}
        self._special: dict[tuple[str, int], int] = {}

    def forget_names(self) -> None:
        """Look names up anew: more has become known about classes since."""
        self._roots.clear()

    # ----------------------------------------------------------------- paths

    def path(self, scope: int, text: str, line: int, called: bool = False) -> int:
        """The node of an expression that stands in a scope on a line; `DEAD` when nothing can be known about it.

        `called` says that the expression is what a call calls.
        """
        if not text:
            return DEAD
        called = called and self.rules.methods_apart
        key = text + " ()" if called else text
        parsed = self._parsed.get(key)
        if parsed is None:
            parsed = parse(text)
            if self.rules.methods_apart:
                parsed = _methods_marked(parsed, called)
            self._parsed[key] = parsed
        root, steps = parsed
        if len(steps) > MAX_STEPS:
            return DEAD
        if root in self.rules.super_names and self.program.bound(scope, root) < 0:
            return self._super_path(scope, steps, line)
        if steps and scope in self.program.keyed:
            steps, node = self._since_assigned(scope, root, steps, line)
        else:
            node = self.root(scope, root, line)
        return self.follow(node, steps, scope, line) if steps else node

    def _since_assigned(self, scope: int, root: str, steps: tuple[str, ...], line: int) -> tuple[tuple[str, ...], int]:
        """Start from what straight-line code above has stored under a constant key: ``table[key]``."""
        text = root
        for place, step in enumerate(steps):
            if step[0] != "[":
                break
            text += step
            assigned = [node for start, node in self.program.keyed[scope].get(text, ()) if start < line]
            if assigned:
                return steps[place + 1 :], assigned[-1]
        return steps, self.root(scope, root, line)

    def follow(self, node: int, steps: tuple[str, ...], scope: int, line: int) -> int:
        """Take steps from a node."""
        known = self._steps
        for step in steps:
            if node == DEAD:
                return DEAD
            following = known.get((node, step), -1)
            if following < 0:
                following = self._step(node, step, scope, line)
            node = following
        return node

    def existing(self, node: int, step: str) -> int:
        """The node that a step leads to, -1 when nobody has taken it yet."""
        return self._steps.get((node, step), -1)

    def _step(self, node: int, step: str, scope: int, line: int) -> int:
        target = self.heap.node()
        mark = step[0]
        if mark == ".":
            self._steps[node, step] = target
            self.heap.watch(node, (self.members.on_attribute, target, step[1:]))
        elif step == "()":
            self._steps[node, step] = target
            self.heap.watch(node, (self.calls.on_result, target, node, None))
        elif mark == "(":
            arguments = self.arguments(scope, split_arguments(step), line)
            self.heap.watch(node, (self.calls.on_result, target, node, arguments))
        elif step == "[*]":
            self._steps[node, step] = target
            self.heap.watch(node, (self.containers.on_iterate, target))
        else:
            self._steps[node, step] = target
            self.heap.watch(node, (self.containers.on_element, target, step[1:-1]))
        return target

    def required(self, file: int, module: str) -> int:
        """The node of what ``require`` gives for a module string."""
        found = self.program.locator.locate(file, module)
        if found.unit < 0:
            return self.constant(found.external) if found.external else DEAD
        whole = self.members.whole(found.unit)
        return whole if whole >= 0 else self.unit_node(found.unit)

    def apply(self, callee: int, argument: int) -> int:
        """The node of what calling `callee` with one argument gives back."""
        target = self.heap.node()
        given = (Argument(0, argument),)
        self.heap.watch(callee, (self.calls.on_result, target, callee, given))
        self.heap.watch(callee, (self.calls.on_taken, given))
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
            node = DEAD if quoted or not text else self.path(scope, text, line)
            if node != DEAD or quoted:
                found.append(Argument(key, node, text[1:-1] if quoted else "", self.program.file_of[scope]))
        return tuple(found)

    # ----------------------------------------------------------------- roots

    def root(self, scope: int, name: str, line: int) -> int:
        """The node of a name seen from a scope, on a line."""
        if name[:1] == "%" and not name.startswith("%import:"):
            return self._literal(scope, name)
        node = self._roots.get((scope, name), -1)
        if node < 0:
            node = self._roots[scope, name] = self._look_up(scope, name)
        if node in self.program.versions and self.program.bound(scope, name) == node:
            return self.program.at_line(node, line)
        if node in self.program.since and line <= self.program.since[node] and self.program.bound(scope, name) == node:
            around = self.root(self.program.parent[scope], name, line)
            return around if around != DEAD else node
        return node

    def type_path(self, scope: int, text: str, line: int) -> int:
        """The node of a type's name: variables and fields of the same name do not hide it where rules say so."""
        if self.rules.types_apart:
            root = text.partition(".")[0]
            program = self.program
            while program.parent[scope] >= 0 and program.symbols[scope].kind != "module":
                node = program.bound(scope, root)
                if node >= 0 and (node in program.type_names or program.defines_type(node)):
                    break
                scope = program.parent[scope]
        return self.path(scope, text, line)

    def _look_up(self, scope: int, name: str) -> int:
        program = self.program
        current = scope
        method = name[-2:] == "()"
        while current >= 0:
            names = program.names[current]
            if method and program.is_class(current):
                found = self._inherited(current, name)
                if found >= 0:
                    return found
            visible = current == scope or self.rules.class_scope_visible or not program.is_class(current)
            if visible:
                if names is not None and name in names:
                    return names[name]
                if self.rules.class_scope_visible and program.is_class(current):
                    found = self._inherited(current, name)
                    if found >= 0:
                        return found
            if current in self.stars and program.parent[current] >= 0:
                found = self.members.starred(current, name)
                if found >= 0:
                    return found
            current = program.parent[current]
        if method:
            return self._made_or_imported(scope, name[:-2])
        if name in self.rules.instance_names:
            return self.instance(scope)
        if name in self.rules.own_type_names:
            cls = program.class_around(scope)
            return self.own(cls) if cls >= 0 else DEAD
        if name in self.rules.module_words:
            return max(self.module_root(scope, name), DEAD)
        return self._beyond(scope, name)

    def _made_or_imported(self, scope: int, name: str) -> int:
        """What ``name()`` means where no type around has such a method: a constructor, or an imported method."""
        if name in self.rules.instance_names:  # this(…): another constructor
            cls = self.program.class_around(scope)
            return self.own(cls) if cls >= 0 else DEAD
        while not name[:1].isupper() and self.program.is_callable(scope):  # a local variable is no method
            scope = self.program.parent[scope]
        return self._look_up(scope, name)

    def _inherited(self, cls: int, name: str) -> int:
        """A member that a bare name in a class means, where members need no receiver."""
        member = self.hierarchy.member(cls, name)
        if member.node < 0 and not member.fields:
            return -1
        node = self._special.get(("this", cls), -1)
        if node < 0:
            node = self._special["this", cls] = self.heap.node()
            self.heap.add(node, self.entities.get(INST, cls, 1), h.SELF)
        return self.follow(node, ("." + name,), cls, 0)

    def _beyond(self, scope: int, name: str) -> int:
        """A name no scope of the file binds: the rest of the module, star imports, built-ins."""
        program = self.program
        file = program.file_of[scope]
        unit = program.locator.unit_of(file)
        if len(program.units.files[unit]) > 1:
            found = self.members.in_unit(unit, name)
            if found >= 0:
                return found
        found = self.members.starred(program.first[file], name)
        if found >= 0:
            return found
        if name in program.macros:
            return self.members.macro(name)
        if name in self.rules.builtins:
            return self.constant(f"{self.rules.builtin_module}.{name}" if self.rules.builtin_module else name)
        if self.rules.absolute_mark:
            crate = program.locator.locate(file, self.rules.absolute_mark + name)
            return self.unit_node(crate.unit) if crate.unit >= 0 else self.constant(crate.external) if crate.external else DEAD
        return DEAD

    def module_root(self, scope: int, name: str, local: bool = True) -> int:
        """The node of the module that the first name of a path means; -1 for none. See `Rules.module_words`."""
        program = self.program
        file = program.file_of[scope]
        inline = scope
        while inline != program.first[file] and program.symbols[inline].kind != "module":
            inline = program.parent[inline]
        if name == "self" and inline != program.first[file]:
            return self.own(inline)
        if name == "super" and inline != program.first[file]:
            outer = program.parent[inline]
            return self.own(outer) if outer != program.first[file] else self.unit_node(program.locator.unit_of(file))
        if local and name not in self.rules.module_words:
            node = self._look_up(scope, name)
            if node != DEAD:
                return node
        found = program.locator.locate(file, name)
        if found.unit >= 0:
            return self.unit_node(found.unit)
        return self.constant(found.external) if found.external else -1

    def constant(self, name: str) -> int:
        """The node of a name outside the repository."""
        node = self._constants.get(name)
        if node is None:
            node = self._constants[name] = self.heap.node()
            self.heap.add(node, self.entities.external(name), h.SCOPE)
        return node

    def unit_node(self, unit: int) -> int:
        """The node that holds a module itself."""
        node = self._special.get(("unit", unit))
        if node is None:
            node = self._special["unit", unit] = self.heap.node()
            self.heap.add(node, self.entities.get(UNIT, unit), h.SCOPE)
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
            return self._held(("fn", symbol), self.entities.get(what, symbol))
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
        return self._held(("entity", entity), entity)

    def _held(self, key: tuple[str, int], entity: int) -> int:
        node = self._special.get(key)
        if node is None:
            node = self._special[key] = self.heap.node()
            self.heap.add(node, entity, h.SCOPE)
        return node

    # ----------------------------------------------------------------- instances

    def instance(self, scope: int) -> int:
        """The node of the keyword for a method's receiver (``this``)."""
        cls = self.program.class_around(scope)
        if cls < 0:
            return self._owner_of(scope)
        node = self._special.get(("this", cls), -1)
        if node < 0:
            node = self._special["this", cls] = self.heap.node()
            self.heap.add(node, self.entities.get(INST, cls, 1), h.SELF)
            self.program.receivers[node] = cls
        return node

    def _owner_of(self, scope: int) -> int:
        """The node of the object literal that holds a function, or of what a constructor function makes."""
        program = self.program
        while scope >= 0 and program.symbols[scope].kind not in ("function", "method"):
            scope = program.parent[scope]
        if scope < 0:
            return DEAD
        if scope in program.outer_receivers:
            return program.outer_receivers[scope]
        around = program.parent[scope]
        if around >= 0 and program.symbols[around].kind == "constant":
            return program.variable(program.parent[around], program.symbols[around].name)
        return self._held(("made", scope), self.entities.get(INST, scope, 1))

    def _super_path(self, scope: int, steps: tuple[str, ...], line: int) -> int:
        """``super().name`` or ``super.name``: members are looked for above the class around."""
        cls = self.program.class_around(scope)
        if cls < 0:
            return DEAD
        if not self.rules.super_called:
            if not steps or steps[0][0] == "(":  # super(…) makes the part that belongs to the type above
                return self.follow(self._above(cls), steps, scope, line)
        else:
            if not steps or steps[0][0] != "(":
                return DEAD
            named = split_arguments(steps[0])
            if named and self._named_class(scope, named[0], line) >= 0:
                cls = self._named_class(scope, named[0], line)
            steps = steps[1:]
        function = self.program.function_around(scope)
        of_class = function >= 0 and self.program.roles[function] & ~STATIC and self._is_class_method(function)
        receiver = self.entities.get(CLASS if of_class else INST, cls, 1)
        node = self._held(("super", receiver), self.entities.get(SUPER, cls, receiver))
        return self.follow(node, steps, scope, line)

    def own(self, cls: int) -> int:
        """The node that holds a type itself."""
        return self._held(("class", cls), self.entities.get(CLASS, cls))

    def _above(self, cls: int) -> int:
        """The node of the first supertype of a class."""
        for known in self.hierarchy.supers.get(cls, ()):
            return self.own(known.parent)
        for outside in self.hierarchy.outside.get(cls, ()):
            return self.constant(outside)
        return DEAD

    def _is_class_method(self, function: int) -> bool:
        parameters = self.program.parameters.get(function)
        if not parameters:
            return False
        held = self.heap.values[parameters[0].node] or {}
        return any(self.entities.kind[entity] == CLASS for entity in held)

    def _named_class(self, scope: int, name: str, line: int) -> int:
        held = self.heap.values[self.path(scope, name, line)] or {}
        found = [self.entities.payload[e] for e in held if self.entities.kind[e] == CLASS]
        return found[0] if len(found) == 1 else -1

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
