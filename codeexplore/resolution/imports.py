"""Links of names before values flow: imports, exports, receivers, aliases and supertypes.

To *link* a name is to let the values that it means flow into its constraint variable.
"""

from __future__ import annotations

from collections.abc import Sequence

from codeexplore.resolution import solver as h
from codeexplore.resolution.definitions import Definitions
from codeexplore.resolution.evaluator import Evaluator
from codeexplore.resolution.module_tree import Located, imported
from codeexplore.resolution.solver import UNKNOWN
from codeexplore.resolution.type_syntax import read_type
from codeexplore.resolution.values import CLASS, FUNC, INST
from codeexplore.types import METACLASS, Base, Import


class Naming:
    """Links the names of all files."""

    def __init__(self, evaluator: Evaluator, definitions: Definitions) -> None:
        self.program, self.rules = evaluator.program, evaluator.rules
        self.solver, self.entities = evaluator.solver, evaluator.entities
        self.definitions, self.hierarchy, self.known = definitions, evaluator.hierarchy, evaluator.known
        self.modules, self.scopes, self.annotations = evaluator.modules, evaluator.scopes, evaluator.annotations
        self.steps, self.path, self.forget_names = evaluator.steps, evaluator.path, evaluator.forget_names

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

    def link_stars(self, file: int) -> None:
        """Link the star imports and star exports of a file. They must be known before names are looked up."""
        program, first = self.program, self.program.first[file]
        facts = program.files[file]
        rows = [row for row in facts.imports if row.name == "*"]
        rows += [Import(0, "*", row.module, row.target, row.line) for row in facts.exports if row.name == "*"]
        if self.rules.modules.stars_bind:
            rows.sort(key=lambda row: -row.line)
        for row in rows:
            source = self._imported(file, row)
            if source != UNKNOWN:
                self.modules.stars.setdefault(first + row.scope, []).append(source)
                self.modules.star_lines.setdefault(first + row.scope, []).append(row.line)

    def link_imports(self, file: int) -> None:
        """Let the imported values flow into the names that the imports of a file bind."""
        program, first = self.program, self.program.first[file]
        for row in program.files[file].imports:
            if row.name == "*":
                continue
            source = self._imported(file, row)
            if f"{row.member}!" in program.macros:  # a macro has a name of its own
                self._import_macro(file, row)
            if source != UNKNOWN and row.name:
                name = row.name.partition(".")[0]
                last = program.bound(first + row.scope, name)
                self.solver.add_flow(source, program.at_line(last, row.line + 1))

    def _import_macro(self, file: int, row: Import) -> None:
        source = self._imported(file, row._replace(name=row.name + "!", member=row.member + "!"))
        if source != UNKNOWN:
            self.solver.add_flow(source, self.program.variable(self.program.first[file] + row.scope, row.name + "!"))

    def _imported(self, file: int, row: Import) -> int:
        """Return the constraint variable of the value that the import `row` binds."""
        module, member = row.module, row.member
        if self.rules.modules.keywords:
            return self._imported_path(file, row)
        if "." in row.name and not member:  # import a.b binds a
            found = self._outermost(file, module)
        else:
            found, member = imported(self.program.locator, file, module, member)
        if found.unit < 0:
            if not found.external:
                return UNKNOWN
            outside = found.external if member in ("", "*") else f"{found.external}.{member}"
            return self.known.external(outside)
        node = self.known.module(found.unit)
        if found.rest:
            node = self.steps.follow(node, tuple("." + name for name in found.rest), 0, 0)
        whole = self.modules.whole(found.unit)
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
        return (
            self.steps.follow(root, tuple("." + part for part in parts[1:]), scope, row.line) if root >= 0 else UNKNOWN
        )

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

    def attach_receivers(self) -> None:
        """Make methods that are defined outside of their types members of these types."""
        program = self.program
        waiting, traits = [], []
        for function, row in program.receiving:
            outer = max(program.parent[function], 0)
            name = read_type(row.type).name.replace("::", ".")
            waiting.append((function, row, self.annotations.type_path(outer, name, row.line)))
            if row.value:
                traits.append((function, self.annotations.type_path(outer, row.value, row.line)))
        self.solver.solve()
        for function, row, node in waiting:
            for entity in self.solver.points_to(node):
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
            known = [e for e in self.solver.points_to(node) if self.entities.kind[e] == CLASS]
            hierarchy.of_trait[function] = self.entities.payload[known[0]] if known else -1
        hierarchy.shadow()
        hierarchy.forget()
        self.forget_names()

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

    def link_bases(self) -> None:
        """Record every resolved supertype.

        The expressions of supertypes are evaluated again where they are used: a base such as ``self.handler_class`` was
        read here before the subclasses that assign it were known. A supertype may be a member that the class around
        inherits. Therefore those not found are searched again, as long as a search finds more.
        """
        program, unused = self.program, self.solver.node()
        metaclasses = [
            (first + row.scope, self.path(max(program.parent[first + row.scope], first), row.value, row.line))
            for first, rows in zip(program.first, program.bindings, strict=True)
            for row in (rows if self.rules.classes.metaclasses else ())
            if row.name == METACLASS
        ]
        rows = [(first, row) for first, facts in zip(program.first, program.files, strict=True) for row in facts.bases]
        left = self._link_some_bases(rows)
        for cls, node in metaclasses:
            for entity in self.solver.points_to(node):
                if self.entities.kind[entity] == CLASS:
                    self.hierarchy.metaclasses[cls] = self.entities.payload[entity]
        while self.rules.scopes.members_visible and len(left) < len(rows):
            self.hierarchy.forget()
            self.forget_names()
            rows, left = left, self._link_some_bases(left)
        self.steps.forget_from(unused)

    def _link_some_bases(self, rows: Sequence[tuple[int, Base]]) -> list[tuple[int, Base]]:
        """Record the supertypes in `rows`, with the first scope of their files. Return the rows that are not found."""
        program, found = self.program, list[tuple[int, int]]()  # node of the subtype, node of the supertype
        for first, row in rows:
            scope = first + row.scope
            around = program.parent[scope] if program.is_class(scope) else scope
            own = self.path(scope, row.type, row.line) if row.type else self.known.type_itself(scope)
            found.append((own, self.path(max(around, first), row.path, row.line)))
        self.solver.solve()
        for (own, node), (_, row) in zip(found, rows, strict=True):
            for sub in self.solver.points_to(own):
                if self.entities.kind[sub] == CLASS or (
                    self.rules.classes.prototype and self.entities.kind[sub] == FUNC
                ):
                    for entity in self.solver.points_to(node):
                        self.hierarchy.add(self.entities.payload[sub], entity, row.manner, row.line)
        return [row for row, (_, node) in zip(rows, found, strict=True) if not self.solver.points_to(node)]
