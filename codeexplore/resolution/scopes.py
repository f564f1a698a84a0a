"""Scopes: the constraint variables of the names that code in a scope can see.

A name is searched in the scopes from the inside out, with inherited members. After that it may be a keyword for the
receiver or for a module. At last it is searched in other files, and among the names that the language defines.
"""

from __future__ import annotations

from codeexplore.resolution.access_paths import split_arguments
from codeexplore.resolution.class_hierarchy import Hierarchy
from codeexplore.resolution.known_nodes import KnownNodes
from codeexplore.resolution.modules import Modules
from codeexplore.resolution.path_steps import PathNode, Steps
from codeexplore.resolution.program import NAMESPACES, STATIC, Program
from codeexplore.resolution.solver import UNKNOWN
from codeexplore.resolution.values import CLASS, INST, SUPER


class LinkedNames:
    """Top-level definitions of files without a package, by name; see `ModuleRules.linked`."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._found: dict[tuple[bool, str], int] = {}
        self._offers: dict[str, list[tuple[int, int]]] | None = None  # name → (file, node), computed at the first use

    def find(self, file: int, name: str) -> int:
        """Return the constraint variable that a name has for code in a file, if only one file defines it; else -1.

        A type or namespace whose parts are in several files counts as one definition.
        """
        if self._offers is None:
            self._offers = self._find_offers()
        apart = self.program.apart
        key = (apart[file], name)
        known = self._found.get(key)
        if known is None:
            offers = self._offers.get(name, ())
            known = self._found[key] = self._sole([node for other, node in offers if apart[file] or not apart[other]])
        return known

    def _sole(self, nodes: list[int]) -> int:
        if len(nodes) > 1 and not all(self._is_joined(node) for node in nodes):
            return -1
        return nodes[0] if nodes else -1

    def _is_joined(self, node: int) -> bool:
        """Return True if a name belongs to a type or namespace that may have parts in other files."""
        program = self.program
        return program.rules.classes.open_types and all(
            program.symbols[symbol].kind in NAMESPACES for symbol in program.defined.get(node, ())
        )

    def _find_offers(self) -> dict[str, list[tuple[int, int]]]:
        """Return (file, variable) of each top-level definition that all files can see, by name."""
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


class Scopes:
    """Searches names. `evaluator.Roots` caches the results."""

    def __init__(
        self,
        program: Program,
        hierarchy: Hierarchy,
        known: KnownNodes,
        modules: Modules,
        linked: LinkedNames,
        steps: Steps,
        path: PathNode,
    ) -> None:
        self.program, self.rules = program, program.rules
        self.solver, self.entities = program.solver, program.entities
        self.hierarchy, self.known = hierarchy, known
        self.modules, self.linked = modules, linked
        self.steps, self.path = steps, path

    def name(self, scope: int, name: str) -> int:
        """Return the constraint variable of a name seen from a scope; `UNKNOWN` if nothing binds it.

        The name is searched in the scopes from the inside out, then among keywords, then in other files. A name that
        ends in ``()`` is that of a called method; see `ClassRules.methods_apart`.
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
            return self.known.type_itself(cls) if cls >= 0 else UNKNOWN
        if name in self.rules.modules.keywords:
            return max(self.module_root(scope, name), UNKNOWN)
        return self._beyond(scope, name)

    def _around(self, scope: int, name: str, called: bool) -> int:
        """Return the constraint variable of a name in the innermost scope that binds it; -1 for none.

        `called` is True if the name is that of a called method.
        """
        program, current = self.program, scope
        while current >= 0:
            is_class = program.is_class(current)
            found = self._inherited(current, name) if called and is_class else -1
            if found < 0 and (current == scope or self.rules.scopes.members_visible or not is_class):
                found = self._in_scope(current, name, is_class)
                if found >= 0 and (self.rules.modules.stars_bind or found in program.module_names):
                    found = self.modules.rebound(current, name, found)
            if found < 0 and current in self.modules.stars and program.parent[current] >= 0:
                found = self.modules.starred(current, name)
            if found < 0 and self.rules.scopes.members_visible:
                own = program.own_class[current]
                if own >= 0 and not is_class and not program.is_class(program.parent[current]):
                    found = self._around(own, name, called)  # a method defined outside of its type
            if found >= 0:
                return found
            current = program.parent[current]
        return -1

    def _names_in_body(self, cls: int, node: int) -> bool:
        """Return True for a type parameter or a member of an enum, which code in the type uses without a receiver."""
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
        """Return the variable of ``name()`` if no type around has the method: a constructor or an imported one."""
        if name in self.rules.classes.instance_names:  # this(…): another constructor
            cls = self.program.class_around(scope)
            return self.known.type_itself(cls) if cls >= 0 else UNKNOWN
        while not name[:1].isupper() and self.program.is_callable(scope):  # a local variable is not a method
            scope = self.program.parent[scope]
        return self.name(scope, name)

    def _inherited(self, cls: int, name: str) -> int:
        """Return the constraint variable of an inherited member that a bare name in a class means; -1 for none."""
        member = self.hierarchy.member(cls, name)
        if member.node < 0 and not member.fields:
            return -1
        return self.steps.follow(self.known.receiver(INST, cls), ("." + name,), cls, 0)

    def _beyond(self, scope: int, name: str) -> int:
        """Return the variable of a name from the module's other files, star imports or built-in names."""
        program = self.program
        file = program.file_of[scope]
        unit = program.locator.unit_of(file)
        if len(program.units.files[unit]) > 1:
            found = self.modules.in_unit(unit, name)
            if found >= 0:
                return found
        if self.rules.modules.outer_packages:
            while (unit := program.units.parent[unit]) >= 0:
                if program.units.files[unit] and (found := self.modules.in_unit(unit, name)) >= 0:
                    return found
        found = self.modules.starred(program.first[file], name)
        if found >= 0:
            return found
        if name in program.macros and (found := self.modules.macro(name, unit)) >= 0:
            return found
        if name in self.rules.builtins.names:
            module = self.rules.builtins.module
            return self.known.external(f"{module}.{name}" if module else name)
        if self.rules.modules.absolute_mark:
            crate = program.locator.locate(file, self.rules.modules.absolute_mark + name)
            if crate.unit >= 0:
                return self.known.module(crate.unit)
            return self.known.external(crate.external) if crate.external else UNKNOWN
        if self.rules.modules.linked and (found := self.linked.find(file, name)) >= 0:
            return found
        return UNKNOWN

    def module_root(self, scope: int, name: str, local: bool = True) -> int:
        """Return the constraint variable of the module that the first name of a path means; -1 for none.

        See `ModuleRules.keywords`. If `local` is False, names bound in the file do not count.
        """
        program = self.program
        file = program.file_of[scope]
        inline = scope
        while inline != program.first[file] and program.symbols[inline].kind != "module":
            inline = program.parent[inline]
        if name == "self" and inline != program.first[file]:
            return self.known.type_itself(inline)
        if name == "super" and inline != program.first[file]:
            outer = program.parent[inline]
            return (
                self.known.type_itself(outer)
                if outer != program.first[file]
                else self.known.module(program.locator.unit_of(file))
            )
        if local and name not in self.rules.modules.keywords:
            node = self.name(scope, name)
            if node != UNKNOWN:
                return node
        found = program.locator.locate(file, name)
        if found.unit >= 0:
            return self.known.module(found.unit)
        return self.known.external(found.external) if found.external else -1

    def instance(self, scope: int) -> int:
        """Return the constraint variable of the receiver keyword (``this``) in a scope."""
        cls = self.program.class_around(scope)
        if cls < 0:
            return self._owner_of(scope)
        if self._is_in_static(scope):
            return self.known.receiver(CLASS, cls)
        is_new = (INST, cls) not in self.known.receivers
        node = self.known.receiver(INST, cls)
        if is_new:
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
        """Return ``this`` in a function outside of types: the object literal around, or what a constructor makes."""
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
        return self.known.made_by(scope)

    def above(self, scope: int, steps: tuple[str, ...], line: int) -> int:
        """Return the constraint variable of ``super().name`` or ``super.name``.

        It is a member of the supertypes of the class around the scope. `steps` are the steps after the word ``super``.
        """
        cls = self.program.class_around(scope)
        if cls < 0:
            return UNKNOWN
        if not self.rules.classes.super_called:
            if not steps or steps[0][0] == "(":  # super(…) calls the constructor of the supertype
                return self.steps.follow(self._first_above(cls), steps, scope, line)
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
        node = self.known.value(self.entities.get(SUPER, cls, receiver))
        return self.steps.follow(node, steps, scope, line)

    def _first_above(self, cls: int) -> int:
        for known in self.hierarchy.supers.get(cls, ()):
            return self.known.type_itself(known.parent)
        for outside in self.hierarchy.outside.get(cls, ()):
            return self.known.external(outside)
        return UNKNOWN

    def _is_class_method(self, function: int) -> bool:
        parameters = self.program.parameters.get(function)
        if not parameters:
            return False
        held = self.solver.points_to(parameters[0].node)
        return any(self.entities.kind[entity] == CLASS for entity in held)

    def _named_class(self, scope: int, name: str, line: int) -> int:
        held = self.solver.points_to(self.path(scope, name, line))
        found = [self.entities.payload[e] for e in held if self.entities.kind[e] == CLASS]
        return found[0] if len(found) == 1 else -1
