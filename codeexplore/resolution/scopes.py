"""Scopes: the constraint variables of the names that code in a scope can see, extension methods among them.

A name is searched in the scopes from the inside out, with inherited members. After that it may be a keyword for the
receiver or for a module. At last it is searched in other files (`modules`), and among the names that the language
defines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from codeexplore.resolution.access_paths import split_arguments
from codeexplore.resolution.class_hierarchy import Member
from codeexplore.resolution.modules import Modules
from codeexplore.resolution.parts import EvaluatorPart, Shared
from codeexplore.resolution.program import OF_CLASS, STATIC
from codeexplore.resolution.solver import CLASS, INST, SUPER, UNIT, UNKNOWN
from codeexplore.resolution.type_syntax import simple


class Scopes(EvaluatorPart):
    """Searches names. `evaluator.Roots` caches the results."""

    def __init__(self, shared: Shared, modules: Modules) -> None:
        super().__init__(shared)
        self.modules, self.linked = modules, modules.linked

    def name(self, scope: int, name: str) -> int:
        """Return the constraint variable of a name seen from a scope; `UNKNOWN` if nothing binds it.

        The name is searched in the scopes from the inside out, then among keywords, then in other files. A name that
        ends in ``()`` is that of a called method; see `ClassRules.methods_apart`. A name after ``::`` is global.
        """
        mark = self.rules.modules.global_mark
        if mark and name.startswith(mark):
            return self._from_top(scope, name.removeprefix(mark))
        mark = self.rules.classes.instance_mark
        if mark and name[:1] == mark != name[1:2] and self.program.class_around(scope) >= 0:
            return self.steps.follow(self.instance(scope), ("." + name,), scope, 0)
        if name[:2] == "::":
            return self.name(self.program.first[self.program.file_of[scope]], name[2:])
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
        if name in self.rules.classes.late_type_names:
            cls = self.program.class_around(scope)
            return self.known.receiver(CLASS, cls) if cls >= 0 else UNKNOWN
        if name in self.rules.modules.keywords:
            return max(self.module_root(scope, name), UNKNOWN)
        return self._beyond(scope, name)

    def _from_top(self, scope: int, name: str) -> int:
        """Return the constraint variable of a name of the global namespace: a package, or what a file outside offers.

        A name that no file offers is outside of the repository. The mark of a global name may have no name behind it.
        """
        if not name:
            return UNKNOWN
        program, file = self.program, self.program.file_of[scope]
        unit, node = program.units.child(0, name), self.linked.find(file, name)
        if unit >= 0:
            return self.known.either(self.known.module(unit), node) if node >= 0 else self.known.module(unit)
        if node < 0 and not self.linked.offers(name):
            return self.known.external(name)
        return max(node, UNKNOWN)

    def _around(self, scope: int, name: str, called: bool) -> int:
        """Return the constraint variable of a name in the innermost scope that binds it; -1 for none.

        `called` is True if the name is that of a called method.
        """
        program, current = self.program, scope
        outer = False  # a class around the innermost one, whose methods are not visible if types have own methods
        while current >= 0:
            is_class = program.is_class(current)
            if is_class and self.rules.classes.singleton_mark:
                found = self._in_open_type(current, name, scope, outer)
                if found >= 0:
                    return found
                outer, current = True, program.parent[current]
                continue
            found = self._inherited(current, name) if called and is_class else -1
            if found < 0 and (current == scope or self.rules.scopes.members_visible or not is_class):
                found = self._in_scope(current, name, is_class)
                if found >= 0 and (self.rules.modules.stars_bind or found in program.module_names):
                    found = self.modules.rebound(current, name, found)
            if found < 0 and current in self.modules.stars and program.parent[current] >= 0:
                found = self.modules.starred(current, name)
            if found < 0 and self.rules.scopes.members_visible:
                own, apart = program.own_class[current], not program.is_class(program.parent[current])
                if own >= 0 and (apart or current in program.extended) and not self._is_unseen(scope, own, name):
                    # a method or type defined outside of its type, or in another one, whose members come after it
                    found = self._around(own, name, called) if apart else self._in_scope(own, name, True)
            if found >= 0:
                return found
            current = program.parent[current]
        return -1

    def _is_unseen(self, scope: int, cls: int, name: str) -> bool:
        """Return True if only extensions give a class a name, all of packages of which a file imports no such name."""
        program, facts = self.program, self.program.files[self.program.file_of[scope]]
        named = self.rules.functions.extensions == "named"
        defined = program.defined.get(program.bound(cls, name), ()) if named else ()
        seen = {facts.module, *(row.module for row in facts.imports if row.member in ("*", name))} if defined else ()
        homes = [program.files[program.file_of[each]] for each in defined if each in program.extended]
        apart = [home for home in homes if home.module not in seen and home.module != home.path.rpartition(".")[0]]
        return len(apart) == len(defined) > 0

    def _in_open_type(self, cls: int, name: str, scope: int, outer: bool) -> int:
        """Return the variable of a bare name in a type whose own methods have separate names; -1 for none.

        Code in the body of the type, and in its own methods, calls these.
        """
        cls = self.program.whole.get(cls, cls)
        itself = self._is_in_static(scope)
        key = self.hierarchy.name_in_type(cls, name) if itself else name
        member = self.hierarchy.member(cls, key) if key else Member(-1, -1, (), "")
        if not member.fields and (member.node < 0 or self.hierarchy.function_at(member.node) < 0):
            return self._in_scope(cls, name, True) if key else -1
        if outer:
            return -1
        receiver = self.known.receiver(CLASS if itself else INST, cls)
        return self.steps.follow(receiver, ("." + name,), cls, 0)

    def _in_scope(self, scope: int, name: str, is_class: bool) -> int:
        found = self.program.bound(scope, name)
        if is_class and self.rules.scopes.members_apart:
            # code in the type uses a type parameter or a member of an enum without a receiver
            return found if found in self.program.type_names or self.program.symbols[scope].kind == "enum" else -1
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
        cls = self.program.whole.get(cls, cls)  # another part may name the supertype
        member = self.hierarchy.member(cls, name)
        if member.node < 0 and not member.fields:
            return -1
        return self.steps.follow(self.known.receiver(INST, cls), ("." + name,), cls, 0)

    def _beyond(self, scope: int, name: str) -> int:
        """Return the variable of a name from the module's other files, star imports or built-in names."""
        program = self.program
        file = program.file_of[scope]
        unit = self.unit_around(scope)
        found = self._in_packages(file, unit, name)
        if found >= 0:
            return found
        found = self.modules.starred(program.first[file], name)
        if found >= 0:
            return found
        if name in program.macros and (found := self.modules.macro(name, unit)) >= 0:
            return found
        if name == self.rules.modules.itself:
            return self.known.module(unit)
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

    def _in_packages(self, file: int, unit: int, name: str) -> int:
        """Return the variable of a name that the module `unit` or, by the language, one around it offers; else -1."""
        units, outer = self.program.units, self.rules.modules.outer_packages
        found = -1
        if outer or len(units.files[unit]) > 1 or (self.rules.modules.global_mark and units.children[unit]):
            found = self.modules.in_unit(unit, name)
        while found < 0 and outer and (unit := units.parent[unit]) >= 0:
            found = self.modules.in_unit(unit, name)
        if found < 0 and outer and self.rules.modules.linked:  # the global namespace
            found = self.linked.find(file, name)
        return found

    def unit_around(self, scope: int) -> int:
        """Return the innermost module around a scope: a namespace inside the file, or that of the file."""
        program, file = self.program, self.program.file_of[scope]
        while program.units.of_block and scope > program.first[file]:
            unit = program.units.of_block.get((file, scope - program.first[file]), -1)
            if unit >= 0:
                return unit
            scope = program.parent[scope]
        return program.locator.unit_of(file)

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
            if outer != program.first[file]:
                return self.known.type_itself(outer)
            return self.known.module(program.locator.unit_of(file))
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
        apart = self.rules.scopes.members_apart or self.rules.classes.singleton_mark
        while apart and scope >= 0 and not self.program.is_class(scope):
            if self.program.own_class[scope] >= 0:
                return bool(self.program.roles[scope] & (STATIC | OF_CLASS))
            scope = self.program.parent[scope]
        return bool(self.rules.classes.singleton_mark) and scope >= 0 and self.program.is_class(scope)

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
        node = self.known.made_by(scope)
        program.receivers.setdefault(node, scope)
        return node

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
            for named in split_arguments(steps[0])[:1]:
                found = self.program.held(self.path(scope, named, line), CLASS)
                cls = found[0] if len(found) == 1 else cls
            steps = steps[1:]
        receiver = self.entities.get(CLASS if self._is_in_static(scope) else INST, cls, 1)
        node = self.known.value(self.entities.get(SUPER, cls, receiver))
        return self.steps.follow(node, steps, scope, line)

    def _first_above(self, cls: int) -> int:
        for known in self.hierarchy.supers.get(cls, ()):
            return self.known.type_itself(known.parent)
        for outside in self.hierarchy.outside.get(cls, ()):
            return self.known.external(outside)
        return UNKNOWN


class Extensions(EvaluatorPart):
    """The extension methods of a program, by name: static functions, called as methods of their first parameter's type.

    C#'s ``static int Size(this Box box)`` is called as ``box.Size()``, if no method of ``Box`` fits and code there sees
    the namespace of the function (C# specification, 12.8.10.3).
    """

    def __init__(self, shared: Shared, scopes: Scopes) -> None:
        super().__init__(shared)
        self.modules, self.scopes = scopes.modules, scopes
        self._named: dict[str, list[int]] = {}
        self._seen = cache(lambda file: frozenset(self._modules_seen(file)))

    def note_all(self) -> None:
        """Find the extension methods. The parameters of all functions must be known."""
        program = self.program
        pattern = program.rules.functions.extension_signature
        if pattern is None:
            return
        for function, symbol in enumerate(program.symbols):
            if program.own_class[function] >= 0 and pattern.search(symbol.signature):
                parameters = program.parameters.get(function)
                if parameters:
                    program.extending.add(function)
                    self._named.setdefault(symbol.name, []).append(function)
                    if program.result_types.get(function) == parameters[0].type:
                        program.returns_receiver.add(function)

    def named(self, name: str) -> Sequence[int]:
        return self._named.get(name, ())

    def of_class(self, cls: int, name: str) -> Iterator[int]:
        """Yield the extension methods called `name` that instances of a class have."""
        found = self._named.get(name)
        if found:
            above = self.hierarchy.order(cls)
            outside = (base for each in above for base in self.hierarchy.outside.get(each, ()))
            types = {*(self.program.symbols[each].name for each in above), *(b.rpartition(".")[2] for b in outside)}
            yield from (
                function for function in found if self.extends_any(function) or self.extended(function) in types
            )

    def extended(self, function: int) -> str:
        """Return the simple name of the type that an extension method extends."""
        return simple(self.program.parameters[function][0].type)

    def extends_any(self, function: int) -> bool:
        """Return True if an extension method extends every type."""
        name = self.extended(function)
        return name in ("object", "dynamic", "Any") or self.program.rules.overloading.is_variable(name)

    def sees(self, scope: int, function: int) -> bool:
        """Return True if code in a scope sees the namespace of an extension method."""
        seen = self._seen(self.program.file_of[scope])
        unit = self.scopes.unit_around(function)
        return unit in seen or self.program.units.parent[unit] < 0 or self.scopes.unit_around(scope) == unit

    def _modules_seen(self, file: int) -> Iterator[int]:
        """Yield the modules whose names the code of a file sees."""
        program, parents = self.program, self.program.units.parent
        first = program.first[file]
        units = [program.locator.unit_of(file)]
        for scope in range(first, first + len(program.files[file].symbols)):
            for node in self.modules.stars.get(scope, ()):
                yield from program.held(node, UNIT)
            if (unit := program.units.of_block.get((file, scope - first), -1)) >= 0:
                units.append(unit)
        for unit in units:
            around = unit
            while around >= 0:
                yield around
                around = parents[around]
