"""Name lookup: the node of a name or literal, seen from a scope.

`Lookup` searches scopes from the inside out, inherited members, keywords for instances and modules, and then other
files. `Common` has names that need no import, because a linker or a language without file scopes finds them by name
alone. `Roots` evaluates the root of an access path: a name, a literal, or a known entity. Known entities are modules,
classes, functions without a name and outside names; each has one node.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeexplore.file_roles import path_role
from codeexplore.resolution import solver as h
from codeexplore.resolution.access_paths import split_arguments
from codeexplore.resolution.program import NAMESPACES, STATIC
from codeexplore.resolution.solver import UNKNOWN
from codeexplore.resolution.values import CLASS, FUNC, INST, SUPER, UNIT

if TYPE_CHECKING:
    from codeexplore.resolution.evaluator import Evaluator
    from codeexplore.resolution.program import Program


_APART = frozenset({"test", "example", "benchmark"})
"""Roles of files that are separate programs. Their definitions are not visible to other files."""


class Common:
    """Top-level definitions of files without a package, by name; see `ModuleRules.linked`."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._found: dict[tuple[bool, str], int] = {}
        self._apart_known: list[bool] | None = None  # computed at the first use
        self._offers_known: dict[str, list[tuple[int, int]]] | None = None  # computed at the first use

    def find(self, file: int, name: str) -> int:
        """Return the node of a name that only one file offers; else -1.

        A type or namespace with parts in several files counts as one.
        """
        apart = self._apart[file]
        key = (apart, name)
        known = self._found.get(key)
        if known is None:
            offers = self._offers.get(name, ())
            known = self._found[key] = self._sole([node for other, node in offers if apart or not self._apart[other]])
        return known

    def _sole(self, nodes: list[int]) -> int:
        if len(nodes) > 1 and not all(self._is_joined(node) for node in nodes):
            return -1
        return nodes[0] if nodes else -1

    def _is_joined(self, node: int) -> bool:
        """Return True if a node belongs to a type or namespace that may have parts in other files."""
        program = self.program
        return program.rules.classes.open_types and all(
            program.symbols[symbol].kind in NAMESPACES for symbol in program.defined.get(node, ())
        )

    @property
    def _apart(self) -> list[bool]:
        if self._apart_known is None:
            self._apart_known = self._find_apart()
        return self._apart_known

    def _find_apart(self) -> list[bool]:
        return [path_role(facts.path) in _APART for facts in self.program.files]

    @property
    def _offers(self) -> dict[str, list[tuple[int, int]]]:
        """Name → (file, node) of the top-level definitions that are visible to all files."""
        if self._offers_known is None:
            self._offers_known = self._find_offers()
        return self._offers_known

    def _find_offers(self) -> dict[str, list[tuple[int, int]]]:
        program = self.program
        found: dict[str, list[tuple[int, int]]] = {}
        for file, facts in enumerate(program.files):
            names = program.names[program.first[file]] or {}
            if facts.module not in (facts.path, facts.path.rpartition(".")[0]):
                continue
            for name, node in names.items():
                symbols = program.defined.get(node)
                if symbols and not all(symbol in program.private for symbol in symbols):
                    found.setdefault(name, []).append((file, node))
        return found


NAMES_WITHOUT = ("%import:", "%or:")
"""Prefixes of generated names for values that have no name in the source."""

_CONTAINERS = frozenset({"%list", "%dict", "%set", "%tuple", "%object"})


class Roots:
    """Nodes of names, literals and known entities."""

    def __init__(self, flow: Evaluator) -> None:
        self.flow = flow
        self.program = flow.program
        self.solver = flow.solver
        self.entities = flow.entities
        self.rules = flow.rules
        self.lookup = flow.lookup
        self.narrowing = flow.narrowing
        self.known: dict[int, dict[str, int]] = {}  # scope → name → its node
        self.special: dict[tuple[str, int], int] = {}  # (kind, number) of a known entity → node
        self._constants: dict[str, int] = {}
        self._eithers: dict[tuple[int, int], int] = {}

    # ----------------------------------------------------------------- names

    def root(self, scope: int, name: str, line: int) -> int:
        """Return the node of a name seen from a scope on a line."""
        if name[:1] == "%" and not name.startswith(NAMES_WITHOUT):
            return self._literal(scope, name)
        names = self.known.get(scope)
        known = names.get(name) if names is not None else None
        node = self.unversioned(scope, name) if known is None else known
        if node in self.narrowing.tests:
            return self.narrowing.narrowed(node, self._in_force(node, scope, name, line), scope, line)
        if node in self.program.versions or node in self.program.since:
            return self._in_force(node, scope, name, line)
        return node

    def unversioned(self, scope: int, name: str) -> int:
        """Return the node of a name seen from a scope, independent of the line: its last version."""
        node = self.lookup.name(scope, name)
        self.known.setdefault(scope, {})[name] = node
        return node

    def _in_force(self, node: int, scope: int, name: str, line: int) -> int:
        """Return the version of the name `node` that is valid on a line."""
        if node in self.program.versions and self.program.bound(scope, name) == node:
            return self.program.at_line(node, line)
        if node in self.program.since and line <= self.program.since[node] and self.program.bound(scope, name) == node:
            around = self.root(self.program.parent[scope], name, line)
            return self.either(around, node) if line == self.program.since[node] or around == UNKNOWN else around
        return node

    def type_path(self, scope: int, text: str, line: int) -> int:
        """Return the node of a type's name. With `ScopeRules.types_apart`, variables and fields do not hide it."""
        root = text.partition(".")[0]
        if self.rules.scopes.types_apart and root not in self.rules.classes.own_type_names:
            program = self.program
            while program.parent[scope] >= 0 and program.symbols[scope].kind != "module":
                node = program.bound(scope, root)
                if node >= 0 and (node in program.type_names or program.defines_type(node)):
                    break
                scope = program.parent[scope]
        return self.flow.path(scope, text, line)

    # ----------------------------------------------------------------- known entities

    def constant(self, name: str) -> int:
        """Return the node of a name outside the repository."""
        node = self._constants.get(name)
        if node is None:
            node = self._constants[name] = self.solver.fixed(self.entities.external(name), h.SCOPE)
        return node

    def unit_node(self, unit: int) -> int:
        """Return the node of a module as a value."""
        node = self.special.get(("unit", unit))
        if node is None:
            node = self.special["unit", unit] = self.solver.fixed(self.entities.get(UNIT, unit), h.SCOPE)
        return node

    def _literal(self, scope: int, name: str) -> int:
        """Return the node of a literal, an anonymous function or a type written as a value."""
        kind, _, place = name.partition(":")
        file = self.program.file_of[scope]
        if kind in ("%fn", "%class"):
            symbol = self.program.anonymous.get((file, name[1:]), -1)
            if symbol < 0:
                return UNKNOWN
            what = CLASS if self.program.is_class(symbol) else FUNC
            return self.held_as(("fn", symbol), self.entities.get(what, symbol))
        if kind in _CONTAINERS:
            if not place:
                return self.flow.containers.bare(kind[1:])
            return self.flow.containers.literal(file, name, kind[1:])
        if kind.startswith("%type("):
            return self.flow.annotations.node(scope, name[6:-1], 0)
        outside = self.rules.builtins.literals.get(kind)
        return self.constant(outside) if outside else UNKNOWN

    def held(self, entity: int) -> int:
        """Return a node whose only value is `entity`."""
        return self.held_as(("entity", entity), entity)

    def held_as(self, key: tuple[str, int], entity: int) -> int:
        """Return the node for `key`, whose only value is `entity`."""
        node = self.special.get(key)
        if node is None:
            node = self.special[key] = self.solver.fixed(entity, h.SCOPE)
        return node

    def own(self, cls: int) -> int:
        """Return the node of a type as a value."""
        cls = self.program.whole.get(cls, cls)
        return self.held_as(("class", cls), self.entities.get(CLASS, cls))

    def either(self, one: int, other: int) -> int:
        """Return a node with the values of both nodes."""
        if UNKNOWN in (one, other) or one == other:
            return max(one, other)
        node = self._eithers.get((one, other), -1)
        if node < 0:
            node = self._eithers[one, other] = self.solver.node()
            self.solver.add_flow(one, node)
            self.solver.add_flow(other, node)
        return node


class Lookup:
    """Looks up names. `Evaluator` caches the results."""

    def __init__(self, flow: Evaluator) -> None:
        self.flow = flow
        self.program = flow.program
        self.solver = flow.solver
        self.entities = flow.entities
        self.rules = flow.rules
        self.hierarchy = flow.hierarchy
        self.common = Common(flow.program)

    def name(self, scope: int, name: str) -> int:
        """Return the node of a name seen from a scope.

        The name is searched in the scopes from the inside out, then among keywords, then in other files.
        """
        called = name[-2:] == "()"
        found = self._around(scope, name, called)
        if found >= 0:
            return found
        if called:
            return self._made_or_imported(scope, name[:-2])
        if name in self.rules.classes.instance_names:
            return self.instance(scope)
        if name in self.rules.classes.own_type_names:
            cls = self.program.class_around(scope)
            return self.flow.roots.own(cls) if cls >= 0 else UNKNOWN
        if name in self.rules.modules.keywords:
            return max(self.module_root(scope, name), UNKNOWN)
        return self._beyond(scope, name)

    def _around(self, scope: int, name: str, called: bool) -> int:
        """Return the node of a name in the innermost scope that binds it; -1 for none."""
        program, current = self.program, scope
        while current >= 0:
            is_class = program.is_class(current)
            found = self._inherited(current, name) if called and is_class else -1
            if found < 0 and (current == scope or self.rules.scopes.members_visible or not is_class):
                found = self._in_scope(current, name, is_class)
                if found >= 0 and (self.rules.modules.stars_bind or found in program.module_names):
                    found = self.flow.modules.rebound(current, name, found)
            if found < 0 and current in self.flow.stars and program.parent[current] >= 0:
                found = self.flow.modules.starred(current, name)
            if found < 0 and self.rules.scopes.members_visible:
                own = program.own_class[current]
                if own >= 0 and not is_class and not program.is_class(program.parent[current]):
                    found = self._around(own, name, called)  # a method defined outside of its type
            if found >= 0:
                return found
            current = program.parent[current]
        return -1

    def _names_in_body(self, cls: int, node: int) -> bool:
        """Return True if the body of a type uses a name without receiver: a type parameter, or a member of an enum."""
        return node in self.program.type_names or self.program.symbols[cls].kind == "enum"

    def _in_scope(self, scope: int, name: str, is_class: bool) -> int:
        found = self.program.bound(scope, name)
        if is_class and self.rules.scopes.members_apart:
            return found if self._names_in_body(scope, found) else -1
        if not is_class or not self.rules.scopes.members_visible:
            return found
        if found < 0:
            return self._inherited(scope, name)
        if not self.rules.classes.methods_apart and self.hierarchy.function_at(found) >= 0:
            return max(self._inherited(scope, name), found)  # a subtype's method may replace it
        return found

    def _made_or_imported(self, scope: int, name: str) -> int:
        """Return the node of ``name()`` if no type around has such a method: a constructor or an imported method."""
        if name in self.rules.classes.instance_names:  # this(…): another constructor
            cls = self.program.class_around(scope)
            return self.flow.roots.own(cls) if cls >= 0 else UNKNOWN
        while not name[:1].isupper() and self.program.is_callable(scope):  # a local variable is not a method
            scope = self.program.parent[scope]
        return self.name(scope, name)

    def _inherited(self, cls: int, name: str) -> int:
        """Return the node of an inherited member that a bare name in a class means; -1 for none."""
        member = self.hierarchy.member(cls, name)
        if member.node < 0 and not member.fields:
            return -1
        node = self.flow.roots.special.get(("this", cls), -1)
        if node < 0:
            node = self.flow.roots.special["this", cls] = self.solver.node()
            self.solver.add(node, self.entities.get(INST, cls, 1), h.SELF)
        return self.flow.follow(node, ("." + name,), cls, 0)

    def _beyond(self, scope: int, name: str) -> int:
        """Return the node of a name that no scope of the file binds.

        It comes from the module's other files, star imports or built-in names.
        """
        program = self.program
        file = program.file_of[scope]
        unit = program.locator.unit_of(file)
        if len(program.units.files[unit]) > 1:
            found = self.flow.modules.in_unit(unit, name)
            if found >= 0:
                return found
        if self.rules.modules.outer_packages:
            while (unit := program.units.parent[unit]) >= 0:
                if program.units.files[unit] and (found := self.flow.modules.in_unit(unit, name)) >= 0:
                    return found
        found = self.flow.modules.starred(program.first[file], name)
        if found >= 0:
            return found
        if name in program.macros and (found := self.flow.modules.macro(name, unit)) >= 0:
            return found
        if name in self.rules.builtins.names:
            module = self.rules.builtins.module
            return self.flow.roots.constant(f"{module}.{name}" if module else name)
        if self.rules.modules.absolute_mark:
            crate = program.locator.locate(file, self.rules.modules.absolute_mark + name)
            if crate.unit >= 0:
                return self.flow.roots.unit_node(crate.unit)
            return self.flow.roots.constant(crate.external) if crate.external else UNKNOWN
        if self.rules.modules.linked and (found := self.common.find(file, name)) >= 0:
            return found
        return UNKNOWN

    def module_root(self, scope: int, name: str, local: bool = True) -> int:
        """Return the node of the module that the first name of a path means; -1 for none.

        See `ModuleRules.keywords`.
        """
        program = self.program
        file = program.file_of[scope]
        inline = scope
        while inline != program.first[file] and program.symbols[inline].kind != "module":
            inline = program.parent[inline]
        if name == "self" and inline != program.first[file]:
            return self.flow.roots.own(inline)
        if name == "super" and inline != program.first[file]:
            outer = program.parent[inline]
            return (
                self.flow.roots.own(outer)
                if outer != program.first[file]
                else self.flow.roots.unit_node(program.locator.unit_of(file))
            )
        if local and name not in self.rules.modules.keywords:
            node = self.name(scope, name)
            if node != UNKNOWN:
                return node
        found = program.locator.locate(file, name)
        if found.unit >= 0:
            return self.flow.roots.unit_node(found.unit)
        return self.flow.roots.constant(found.external) if found.external else -1

    def instance(self, scope: int) -> int:
        """Return the node of the receiver keyword (``this``) in a scope."""
        cls = self.program.class_around(scope)
        if cls < 0:
            return self._owner_of(scope)
        if self._is_in_static(scope):
            node = self.flow.roots.special.get(("this class", cls), -1)
            if node < 0:
                node = self.flow.roots.special["this class", cls] = self.solver.node()
                self.solver.add(node, self.entities.get(CLASS, cls, 1), h.SELF)
            return node
        node = self.flow.roots.special.get(("this", cls), -1)
        if node < 0:
            node = self.flow.roots.special["this", cls] = self.solver.node()
            self.solver.add(node, self.entities.get(INST, cls, 1), h.SELF)
            self.program.receivers[node] = cls
        return node

    def _is_in_static(self, scope: int) -> bool:
        """Return True if the method around a scope is static, so that its receiver is the type itself."""
        while self.rules.scopes.members_apart and scope >= 0 and not self.program.is_class(scope):
            if self.program.own_class[scope] >= 0:
                return bool(self.program.roles[scope] & STATIC)
            scope = self.program.parent[scope]
        return False

    def _owner_of(self, scope: int) -> int:
        """Return the node for ``this`` in a function outside of types.

        It is the object literal around the function. Without an object literal, it is the objects that a constructor
        function makes.
        """
        program = self.program
        while scope >= 0 and not program.has_receiver(scope):
            scope = program.parent[scope]
        if scope < 0:
            return UNKNOWN
        if scope in program.outer_receivers:
            return program.outer_receivers[scope]
        around = program.parent[scope]
        if around >= 0 and program.symbols[around].kind == "constant":
            return program.variable(program.parent[around], program.symbols[around].name)
        return self.made_by(scope)

    def made_by(self, function: int) -> int:
        """Return the node of the objects that a constructor function makes."""
        node = self.flow.roots.special.get(("made", function))
        if node is None:
            node = self.flow.roots.special["made", function] = self.solver.node()
            self.solver.add(node, self.entities.get(INST, function, 1), h.SCOPE)
        return node

    def above(self, scope: int, steps: tuple[str, ...], line: int) -> int:
        """Return the node of ``super().name`` or ``super.name``: a member of the supertypes of the class around."""
        cls = self.program.class_around(scope)
        if cls < 0:
            return UNKNOWN
        if not self.rules.classes.super_called:
            if not steps or steps[0][0] == "(":  # super(…) calls the constructor of the supertype
                return self.flow.follow(self._first_above(cls), steps, scope, line)
        else:
            if not steps or steps[0][0] != "(":
                return UNKNOWN
            named = split_arguments(steps[0])
            if named and self._named_class(scope, named[0], line) >= 0:
                cls = self._named_class(scope, named[0], line)
            steps = steps[1:]
        function = self.program.function_around(scope)
        of_class = self._is_in_static(scope) or (
            function >= 0 and self.program.roles[function] & ~STATIC and self._is_class_method(function)
        )
        receiver = self.entities.get(CLASS if of_class else INST, cls, 1)
        node = self.flow.roots.held_as(("super", receiver), self.entities.get(SUPER, cls, receiver))
        return self.flow.follow(node, steps, scope, line)

    def _first_above(self, cls: int) -> int:
        """Return the node of the first supertype of a class."""
        for known in self.hierarchy.supers.get(cls, ()):
            return self.flow.roots.own(known.parent)
        for outside in self.hierarchy.outside.get(cls, ()):
            return self.flow.roots.constant(outside)
        return UNKNOWN

    def _is_class_method(self, function: int) -> bool:
        parameters = self.program.parameters.get(function)
        if not parameters:
            return False
        held = self.solver.points_to(parameters[0].node)
        return any(self.entities.kind[entity] == CLASS for entity in held)

    def _named_class(self, scope: int, name: str, line: int) -> int:
        held = self.solver.points_to(self.flow.path(scope, name, line))
        found = [self.entities.payload[e] for e in held if self.entities.kind[e] == CLASS]
        return found[0] if len(found) == 1 else -1
