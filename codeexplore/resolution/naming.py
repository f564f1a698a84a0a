"""Naming: imports, exports, receivers and aliases, before values flow.

To *link* a name is to let the values that it means flow into its constraint variable.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import groupby
from posixpath import commonpath, dirname
from typing import Final

from codeexplore.resolution import solver as h
from codeexplore.resolution.definitions import Definitions
from codeexplore.resolution.evaluator import Evaluator
from codeexplore.resolution.language_rules import CONSTRUCTOR, Located, imported
from codeexplore.resolution.parts import EvaluatorPart
from codeexplore.resolution.solver import CLASS, EXTERNAL, FUNC, INST, UNIT, UNKNOWN
from codeexplore.resolution.type_syntax import read_type, simple
from codeexplore.types import STAR, Binding, Export, Import

_MAX_OPENED: Final = 50  # most namespaces of a file through which others are used
_MAX_DEPTH: Final = 8  # classes around a class that is defined outside of them, after which the order is not told


def _bound(signature: str, name: str) -> str:
    """Return the bound of the type parameter `name` in a signature: ``fun <S : Sink> S.write()``; else `name`."""
    parameters = signature.partition("(")[0].partition("<")[2]
    bound = re.search(rf"\b{re.escape(name)}\s*:\s*([\w.]+)", parameters) if name.isidentifier() else None
    return bound[1] if bound is not None else name


class Naming(EvaluatorPart):
    """Links the names of all files."""

    def __init__(self, evaluator: Evaluator, definitions: Definitions) -> None:
        super().__init__(evaluator.shared)
        self.definitions, self.forget_names = definitions, evaluator.forget_names
        self.modules, self.scopes, self.annotations = evaluator.modules, evaluator.scopes, evaluator.annotations
        self._everywhere = cache(self._find_everywhere)
        self._opened: dict[int, list[str]] = {}  # file → namespaces whose names it sees
        symbols = self.program.symbols if self.rules.modules.linked else ()
        self._namespaces = frozenset(symbol.fqn for symbol in symbols if symbol.kind == "module" and symbol.parent)

    def lay_out_imports(self, file: int) -> None:
        """Make the constraint variables of the names that the imports of a file bind."""
        program, first = self.program, self.program.first[file]
        for row in program.files[file].imports:
            if row.name and row.name != "*":
                node = program.variable(first + row.scope, row.name.partition(".")[0])
                program.sole[node] = -1
                program.type_names.add(node)
                if self.rules.modules.keywords and not row.member and "::" in row.module:  # mod name;
                    program.module_names.add(node)

    def lay_out_exports(self, file: int) -> None:
        """Make the constraint variables of the names that a file exports.

        In languages where a file only lists the names that it exports (``__all__``), record the listed names instead.
        """
        for row in self.program.files[file].exports:
            if self.rules.modules.lists_exports:
                self.modules.listed.setdefault(file, set()).add(row.target)
            elif row.name != "*":
                self.modules.exported(file, row.name)

    def _find_everywhere(self, folder: str) -> list[Export]:
        """Return the exports of all files as they hold in `folder`: those of the nearest folders first."""
        files = [each for each in self.program.files if each.exports]
        files.sort(key=lambda each: -len(commonpath((folder, each.path))))
        return list(dict.fromkeys(row for each in files for row in each.exports))

    def link_stars(self, file: int) -> None:
        """Link the star imports and star exports of a file. They must be known before names are looked up."""
        program, first = self.program, self.program.first[file]
        facts = program.files[file]
        rows = [row for row in facts.imports if row.name == "*"]
        exports = self._everywhere(dirname(facts.path)) if self.rules.modules.stars_everywhere else facts.exports
        rows += [Import(0, "*", row.module, row.target, row.line) for row in exports if row.name == "*"]
        if self.rules.modules.stars_bind:
            rows.sort(key=lambda row: -row.line)
        ends = {(row.scope, row.line): row.sure for row in program.bindings[file] if row.name == STAR}
        for row in rows:
            source = self._imported(file, row)
            if source != UNKNOWN:
                held = next(iter(self.solver.points_to(source)), -1) if self.solver.is_fixed(source) else -1
                self.modules.only_modules &= held >= 0 and self.entities.kind[held] in (EXTERNAL, UNIT)
                end = ends.get((row.scope, row.line), 0)
                self.modules.stars.setdefault(first + row.scope, []).append(source)
                self.modules.star_lines.setdefault(first + row.scope, []).append(end + 1 if end else row.line)
                if end:
                    self.modules.conditional_stars.add((first + row.scope, source))

    def link_imports(self, file: int) -> None:
        """Let the imported values flow into the names that the imports of a file bind."""
        program, first = self.program, self.program.first[file]
        for row in program.files[file].imports:
            if row.name == "*":
                continue
            source = self._imported(file, row)
            if f"{row.member}!" in program.macros:  # a macro has a name of its own
                named = row._replace(name=row.name + "!", member=row.member + "!")
                if (macro := self._imported(file, named)) != UNKNOWN:
                    self.solver.add_flow(macro, program.variable(first + row.scope, named.name))
            if source != UNKNOWN and row.name:
                name = row.name.partition(".")[0]
                last = program.bound(first + row.scope, name)
                self.modules.passed[last] = source
                self.solver.add_flow(source, program.at_line(last, row.line + 1))

    def _imported(self, file: int, row: Import) -> int:
        """Return the constraint variable of the value that the import `row` binds."""
        module, member = row.module, row.member
        if self.rules.modules.keywords:
            return self._imported_path(file, row)
        if module[:2] == "::":
            return self.in_namespace(file, row)
        if "." in row.name and not member:  # import a.b binds a
            found = self._outermost(file, module)
        else:
            found, member = imported(self.program.locator, file, module, member)
        if found.unit < 0:
            if not found.external:
                return UNKNOWN
            outside = found.external if member in ("", "*") else f"{found.external}.{member}"
            return self.known.external(outside)
        if found.beside:
            units = (found.unit, *found.beside)
            return self.modules.join([self._member(file, Located(unit), member) for unit in units], h.ELEMENT)
        return self._member(file, found, member)

    def _member(self, file: int, found: Located, member: str) -> int:
        """Return the constraint variable of a member that a file imports from a module."""
        node = self.known.module(found.unit)
        if found.rest:
            node = self.steps.follow(node, tuple("." + name for name in found.rest), 0, 0)
        whole, default = self.modules.whole(found.unit), self.rules.modules.default
        if whole < 0 and default == member != "" and not found.rest and self.modules.in_unit(found.unit, member) < 0:
            return node  # exports.a = … and no value of its own: CommonJS
        if member in ("", "*") and whole < 0:
            return node
        if member == "" or (member == "default" and whole >= 0):  # its names and its value
            both = self.solver.node()
            self.solver.add_flow(node, both)
            self.solver.add_flow(whole, both)
            return both
        child = self.program.units.child(found.unit, member)
        if child >= 0 and found.unit == self.program.locator.unit_of(file):  # a package imports one of its own modules
            return self.known.module(child)
        return self.steps.follow(node, ("." + member,), 0, 0)

    def in_namespace(self, file: int, row: Import) -> int:
        """Return the constraint variable of ``::a::b::member``, whose first name is a namespace or type in scope."""
        parts = [part for part in (*row.module.split("::"), row.member) if part not in ("", "*")] or ["?"]
        opened = self._opened.setdefault(file, [])
        around = next((each for each in opened if f"{each}::{parts[0]}" in self._namespaces), "")
        parts[:0] = around.split("::") if around else ()  # using namespace lib; using namespace inner;
        if row.name == "*" and len(opened) < _MAX_OPENED and (path := "::".join(parts)) in self._namespaces:
            opened.append(path)
        scope, node = self.program.first[file] + row.scope, -1
        while scope >= 0 and node < 0 and len(parts) > (parts[:1] == [row.name]):
            node, scope = self.program.bound(scope, parts[0]), self.program.parent[scope]
        node = self.scopes.linked.find(file, parts[0]) if node < 0 else node
        steps = tuple("." + name for name in parts[1:])
        return self.steps.follow(node, steps, 0, 0) if node >= 0 else self.known.external(".".join(parts))

    def _outermost(self, file: int, module: str) -> Located:
        """Return the target of the first part of a dotted module name."""
        first, locator = module.partition(".")[0], self.program.locator
        found = locator.locate(file, first)
        if not found.partial:
            return found
        unit = locator.locate(file, module).unit
        for _ in range(module.count(".") if unit >= 0 else 0):
            unit = self.program.units.parent[unit]
        return Located(unit) if unit >= 0 else Located(-1, first)

    def _imported_path(self, file: int, row: Import) -> int:
        """Return the constraint variable of an import that is a path of names: ``use crate::a::B``."""
        parts = [*row.module.split("::"), *([row.member] if row.member not in ("", "*") else [])]
        scope = self.program.first[file] + row.scope
        own = len(parts) == 1 and parts[0] == row.name  # use other_crate;
        if len(parts) > 1 and not row.member:  # mod name; the path is the declared module itself
            found = self.program.locator.locate(file, "/" + row.module)  # from the top: not the name of a crate
            return self.known.module(found.unit) if found.unit >= 0 and not found.rest else UNKNOWN
        if row.name == "*" and row.scope == 0 and parts[0] in self.rules.modules.keywords:
            found = self.program.locator.locate(file, row.module)  # resolved now: the module is needed for star imports
            if found.unit >= 0 and not found.rest:
                return self.known.module(found.unit)
        root = self.scopes.module_root(scope, parts[0], local=not own)
        steps = tuple("." + part for part in parts[1:])
        return self.steps.follow(root, steps, scope, row.line) if root >= 0 else UNKNOWN

    def link_exports(self, file: int) -> None:
        """Link the names that a file exports under other names, or from other modules."""
        program, first = self.program, self.program.first[file]
        for row in program.files[file].exports if not self.rules.modules.lists_exports else ():
            if row.name == "*":
                continue
            if row.module:
                source = self._imported(file, Import(0, row.name, row.module, row.target, row.line))
            else:
                source = self.path(first, row.target, 1 << 30)
            node = self.modules.exported(file, row.name)
            if source not in (UNKNOWN, node):
                self.solver.add_flow(source, node)
                self.modules.passed[node] = source
                if source in program.constants:
                    program.constants.setdefault(node, program.constants[source])

    def attach_receivers(self) -> None:
        """Make types and methods that are defined outside of their types members of these types."""
        program = self.program
        waiting, traits = [], []
        for function, row in self._attach_types():
            outer = max(program.parent[function], 0)
            bound = _bound(program.symbols[function].signature, row.type)
            name = read_type(bound).name.replace("::", ".")
            waiting.append((function, row, bound, self.annotations.type_path(outer, name, row.line)))
            if row.value:
                traits.append((function, self.annotations.type_path(outer, row.value, row.line)))
        self.solver.solve()
        constructors, extensions = self.rules.construction.constructors, self.rules.functions.extensions
        if extensions in ("named", "everywhere"):
            program.extended.update((function, extended) for function, _, extended, _ in waiting)
        for function, row, extended, node in waiting:
            held = self.solver.points_to(node)
            if extensions and not any(self.entities.kind[entity] == CLASS for entity in held):
                name = program.symbols[function].name
                program.extensions.setdefault(name, []).append((function, extended))
                if name in constructors:
                    program.added_constructors.setdefault(simple(extended), []).append(function)
            for entity in held:
                kind, cls = self.entities.kind[entity], self.entities.payload[entity]
                if kind == CLASS:
                    self.definitions.attach(function, cls)
                elif kind == FUNC:
                    program.makes_instances.add(cls)
                if kind in (CLASS, FUNC) and row.name:
                    receiver = program.variable(function, row.name)
                    program.receivers[receiver] = cls
                    program.outer_receivers[function] = receiver
                    self.solver.add(receiver, self.entities.get(INST, cls, 1), h.SELF)
        hierarchy = self.hierarchy
        for function, node in traits:
            hierarchy.of_trait[function] = next(iter(program.held(node, CLASS)), -1)
        hierarchy.shadow()
        hierarchy.forget()
        self.forget_names()

    def _attach_types(self) -> list[tuple[int, Binding]]:
        """Make types that are defined outside of the types around them members of these: ``class Box::Node {}``.

        Return the other rows of `Program.receiving`.
        """
        program = self.program

        def depth(each: tuple[int, Binding]) -> int:
            return min(each[1].type.count("."), _MAX_DEPTH)

        left = sorted(((own, row) for own, row in program.receiving if program.is_class(own)), key=depth)
        for _, some in groupby(left, depth):  # the outer types first
            paths = [(own, self.annotations.type_path(program.parent[own], row.type, row.line)) for own, row in some]
            self.solver.solve()
            for own, node in paths:
                found = program.held(node, CLASS)
                for cls in found:
                    self.definitions.attach(own, cls)
                if not found:
                    self.definitions.define_type(program.parent[own], own)
            self.hierarchy.forget()
            self.forget_names()
        return (
            [(own, row) for own, row in program.receiving if not program.is_class(own)] if left else program.receiving
        )

    def give_defaults(self) -> None:
        """Give the parameters of functions the default values that their prototypes have."""
        program = self.program
        for scope, text in program.prototypes:
            name, *types = text.split(";")
            making = self.rules.construction.constructor_is_class and program.symbols[scope].name == name
            node = program.bound(scope, CONSTRUCTOR if making and program.is_class(scope) else name)
            node = self.scopes.linked.find(program.file_of[scope], name) if node < 0 else node
            fitting = [f for f in program.defined.get(node, ()) if len(program.parameters.get(f, ())) == len(types)]
            plain = [simple(each.rstrip("=")) for each in types]
            same = [f for f in fitting if [simple(each.type) for each in program.parameters[f]] == plain]
            for function in same or (fitting if len(fitting) == 1 else ()):
                pairs = zip(program.parameters[function], types, strict=True)
                program.parameters[function] = [p._replace(optional=p.optional or t[-1:] == "=") for p, t in pairs]

    def link_aliases(self, file: int, written: Sequence[int]) -> None:
        """Link names to which other names are assigned outside of functions. Such a name may be a base class.

        `written` has the constraint variable of each binding of the file, in order.
        """
        program, first = self.program, self.program.first[file]
        rows = program.bindings[file].fields("scope", "manner", "value", "line")
        for (scope, manner, value, line), node in zip(rows, written, strict=True):
            plain = node >= 0 and value and manner == "variable" and "(" not in value
            if plain and not program.is_callable(first + scope):
                self.solver.add_flow(self.path(first + scope, value, line), node)

    def link_type_names(self, file: int, written: Sequence[int]) -> None:
        """Let other names of types mean these: ``using Small = Wheel<30>``. Such a name may be a base class.

        `written` has the constraint variable of each binding of the file, in order.
        """
        program, first = self.program, self.program.first[file]
        rows = program.bindings[file].fields("scope", "manner", "type", "line")
        for (scope, manner, text, line), node in zip(rows, written, strict=True):
            if manner == "type" and text and program.names_type(node):
                expr = read_type(text)
                if self.annotations.role(expr) == "":
                    named = self.annotations.type_path(first + scope, expr.name.replace("::", "."), line)
                    if named not in (UNKNOWN, node):
                        self.solver.add_flow(named, node, h.TYPE)

    def inherit_overloads(self) -> None:
        """Let the name of a method also mean the overloads that its type inherits."""
        for cls in self.hierarchy.supers if self.rules.overloading.decides else ():
            for function, node in self.hierarchy.inherited_overloads(cls):
                self.program.sole[node] = -1
                self.solver.add(node, self.entities.get(FUNC, function), h.SCOPE)
