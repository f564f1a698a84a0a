"""Modules: the names that they define, export, and get by star imports, seen from other files.

A module offers names of its own, explicit exports, names from star imports, and its submodules.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cache

from codeexplore.resolution.parts import EvaluatorPart, Shared
from codeexplore.resolution.program import LinkedNames
from codeexplore.resolution.solver import CLASS, EXTERNAL, FUNC, SCOPE, UNIT, UNKNOWN

MANY_STARS = 8
"""Maximal number of star imports in a module that are searched one by one. For more, a table of names is built."""
MAX_DEPTH = 64
"""Maximal number of star imports followed from one module to the next. Each needs four Python frames."""
MANY_FILES = 16
"""Maximal number of files in a package that are all searched. Of more files, only those that may offer the name are."""


class Modules(EvaluatorPart):
    """Names and exports of modules. A package of several files is one module.

    `stars` maps the symbol of a module to the constraint variables of the modules that it imports by star.
    """

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared)
        self.linked = LinkedNames(self.program)
        self.stars: dict[int, list[int]] = {}
        self.only_modules = True  # False if a star import may give the members of a type: ``use Enum::*``
        self.passed: dict[int, int] = {}  # node of a member of a module, import or export → node of the name it means
        self.joined: dict[int, list[int]] = {}  # node of a name that several files define → their nodes
        self.floors: dict[int, int] = {}  # such a node → the best provenance of its values
        self._depth = 0  # number of star imports being followed
        # a name that is not found elsewhere is a type of an outside package: import java.util.*
        self._stars_give_types = self.rules.classes.methods_apart and self.rules.functions.functional
        self._exports: dict[tuple[int, str], int] = {}  # (file, name) → node of the export under a name
        self._exported: dict[int, list[str]] = {}  # file → exported names
        self.listed: dict[int, set[str]] = {}  # file → names that it lists; "" if the list is incomplete
        self.star_lines: dict[int, list[int]] = {}  # scope → lines of the star imports in `stars`
        self.conditional_stars: set[tuple[int, int]] = set()  # scope and module: others may bind the name instead
        self._lines_of_names = cache(self._find_lines_of_names)
        self._import_names = cache(self._find_import_names)
        self._star_names: dict[int, defaultdict[str, list[int]]] = {}  # scope → name → star imports that may bind it
        self.macro = cache(self._macro)
        self._unit_members: dict[tuple[int, str], int] = {}

    def of_unit(self, target: int, name: str, entity: int, evidence: int) -> None:
        unit = self.entities.payload[entity]
        if name in self.rules.modules.keywords:
            unit = self.program.units.parent[unit] if name == "super" else unit
            self.solver.add(target, self.entities.get(UNIT, max(unit, 0)), evidence)
            return
        node = self.in_unit(unit, name.removesuffix("()"))  # new a.b.C()
        if node >= 0:
            self.passed[target] = node
            self.solver.add_flow(node, target, evidence)
        elif (whole := self.whole(unit)) >= 0:  # module.exports = something
            self.solver.add_flow(self.steps.follow(whole, ("." + name,), 0, 0), target, evidence)

    def whole(self, unit: int) -> int:
        """Return the constraint variable of the single value that a module exports; -1 if it exports names."""
        files = self.program.units.files[unit]
        return self._exports.get((files[0], "="), -1) if len(files) == 1 else -1

    def default(self, unit: int) -> int:
        """Return the variable of the default export of a module, or of its single value; UNKNOWN for none."""
        default = self.rules.modules.default
        return max(self._named(unit, default) if default else -1, self.whole(unit), UNKNOWN)

    def required(self, file: int, module: str) -> int:
        """Return the constraint variable of the result of ``require(module)`` in a file."""
        found = self.program.locator.locate(file, module)
        if found.unit < 0:
            return self.known.external(found.external) if found.external else UNKNOWN
        whole = self.whole(found.unit)
        return whole if whole >= 0 else self.known.module(found.unit)

    def in_unit(self, unit: int, name: str) -> int:
        """Return the constraint variable of a name that a module offers, submodules included; -1 if it offers none."""
        node, child = self._named(unit, name), self.program.units.child(unit, name)
        blocks = self.program.units.blocks
        # a module and a function may share a name; a star import may give the module itself, or come too late
        if child >= 0 and (node < 0 or self.rules.modules.keywords or child in blocks or self._is_starred(unit, name)):
            submodule = self.known.module(child)
            return submodule if node < 0 else self.known.either(submodule, node)
        return self.macro(name, unit) if node < 0 and name in self.program.macros else node

    def _is_starred(self, unit: int, name: str) -> bool:
        """Return True if no file of a module binds a name itself."""
        return all(self.program.bound(self.program.first[file], name) < 0 for file in self.program.units.files[unit])

    def _named(self, unit: int, name: str) -> int:
        """Return the constraint variable of a name that the files of a module bind or export; -1 if none does."""
        key = (unit, name)
        known = self._unit_members.get(key)
        if known is not None:
            return known
        self._unit_members[key] = -1  # star imports may be cyclic
        found: list[int] = []
        for file in self._offering_files(unit, name):
            if found and file in self.program.left_out:
                break
            node = self._in_file(file, name, len(self.program.units.files[unit]) > 1)
            if node >= 0:
                found.append(node)
        block = self.program.units.blocks.get(unit)
        if block is not None:  # its parts share one scope of names
            node = self.program.bound(self.program.first[block[0]] + block[1], name)
            found += [node] if node >= 0 else []
        node = self._unit_members[key] = self.join(found)
        return node

    def _in_file(self, file: int, name: str, one_of_several: bool) -> int:
        """Return the constraint variable of a name that one file of a module binds or exports; -1 if it does not."""
        scope = self.program.first[file]
        node = self._exports.get((file, name), -1)
        if node < 0:
            node = self.program.bound(scope, name)
            if one_of_several and self._is_private(node):
                return -1
            if self.rules.modules.imports_apart:
                if node not in self.program.defined:
                    return node if node in self.program.constants else -1
                return self._own(file, name, node)
        if node < 0 or (self.rules.modules.default and name in self._import_names(file)):  # imports are not exported
            found = self.starred(scope, name)
            return found if found >= 0 else self._imported_by_getter(scope, name)
        again = self.rules.modules.stars_bind or node in self.program.module_names
        return self.rebound(scope, name, node) if again else node

    def _own(self, file: int, name: str, node: int) -> int:
        """Return the variable of what a file defines under a name, without what it imports under that name."""
        if name not in self._import_names(file):
            return node
        program, entities = self.program, self.entities
        found = program.defined[node]
        return self.join(
            [self.known.value(entities.get(CLASS if program.is_class(each) else FUNC, each)) for each in found]
        )

    def _find_import_names(self, file: int) -> frozenset[str]:
        facts = self.program.files[file]
        return frozenset(row.name for row in facts.imports if row.scope == 0).difference(
            row.name for row in facts.exports
        )

    def _imported_by_getter(self, scope: int, name: str) -> int:
        """Return the variable of a name that a module's function for missing names (``__getattr__``) binds; else -1."""
        for word in self.rules.special_methods.missing:
            getters = self.program.defined.get(self.program.bound(scope, word), ())
            for getter in getters:
                own = [parameter.name for parameter in self.program.parameters.get(getter, ())]
                if name not in own and (node := self.program.bound(getter, name)) >= 0:
                    return node
        return -1

    def rebound(self, scope: int, name: str, node: int) -> int:
        """Return the constraint variable `node` of a name, or that of a later star import which binds the name again.

        If a module and another thing share the name (``mod join; pub use join::*``), or the star import runs under a
        condition, the result has the values of both.
        """
        if scope not in self.stars:
            return node
        if node in self.program.module_names:
            beside = self.starred(scope, name)
            return self.known.either(node, beside) if beside >= 0 else node
        lines = self._lines_of_names(self.program.file_of[scope])
        again = self.starred(scope, name, lines[name], node) if name in lines else -1
        return again if again >= 0 else node

    def _find_lines_of_names(self, file: int) -> dict[str, int]:
        """Return the last line on which the module scope of a file binds each name, by name."""
        facts, lines = self.program.files[file], dict[str, int]()
        top = facts.symbols[0].id
        rows = [(symbol.name, symbol.line) for symbol in facts.symbols if symbol.parent == top]
        rows += [(row.name.partition(".")[0], row.line) for row in facts.imports if row.scope == 0]
        rows += [(row.name, row.line) for row in self.program.bindings[file] if row.scope == 0]
        for name, line in rows:
            lines[name] = max(line, lines.get(name, 0))
        return lines

    def _offering_files(self, unit: int, name: str) -> Sequence[int]:
        """Return the files of a module that may offer a name. Files that only some builds contain come last."""
        files: Sequence[int] = self.program.units.files[unit]
        if len(files) > MANY_FILES:
            names, first, stars, exports = self.program.names, self.program.first, self.stars, self._exports
            files = [f for f in files if name in (names[first[f]] or ()) or first[f] in stars or (f, name) in exports]
        left_out = self.program.left_out
        return sorted(files, key=left_out.__contains__) if left_out else files

    def _is_private(self, node: int) -> bool:
        defined = self.program.defined.get(node)
        return bool(defined) and all(symbol in self.program.private for symbol in defined or ())

    def _macro(self, name: str, unit: int) -> int:
        """Return the constraint variable of the macros that a name means in a module; -1 for none.

        A module sees the macros of the modules around it first. Then come other macros of its crate, because
        ``#[macro_use]`` is assumed, and then exported macros of other crates.
        """
        return self.join(list(dict.fromkeys(self._macros_in(name, unit))))

    def _macros_in(self, name: str, unit: int) -> list[int]:
        program = self.program
        known = [(program.locator.unit_of(program.file_of[own]), own, node) for own, node in program.macros[name]]
        around = self._ways(unit)
        crate = around[-1]
        own = [(place, node) for place, _, node in known if self._ways(place)[-1] == crate]
        for outer in around if own else ():
            if here := [node for place, node in own if place == outer]:
                return here
        exported = (node for _, each, node in known if "macro_export" in program.symbols[each].decorators)
        return [node for _, node in own] or list(exported)

    def _ways(self, unit: int) -> list[int]:
        """Return a module and the modules around it; its crate comes last."""
        parent, around = self.program.units.parent, [unit]
        while parent[around[-1]] > 0:
            around.append(parent[around[-1]])
        return around

    def join(self, nodes: list[int], floor: int = SCOPE) -> int:
        """Return a constraint variable with the values of all `nodes`, at best with the provenance `floor`."""
        if len(nodes) < 2:
            return nodes[0] if nodes else -1
        node = self.solver.node()
        for each in nodes:
            self.solver.add_flow(each, node, floor)
        self.floors[node] = floor
        self.joined[node] = nodes
        return node

    def exported(self, file: int, name: str) -> int:
        """Return the variable of a name that a file exports, created if missing."""
        node = self._exports.get((file, name))
        if node is None:
            self.program.bound_names.add(name)
            self.program.offered_names.add(name)
            node = self._exports[file, name] = self.solver.node()
            self._exported.setdefault(file, []).append(name)
        return node

    def starred(self, scope: int, name: str, line: int = 0, before: int = -1) -> int:
        """Return the variable of a name from a star import below `line`, or `before`, if it is conditional; else -1."""
        sources = self._sources(scope, name, line) if self._is_offered(name) else ()
        if not sources:
            return -1
        work = self.program.work
        if self._depth == MAX_DEPTH or not work.spend(len(sources)):
            work.leave_out(f"names behind more than {MAX_DEPTH} star imports of star imports", name)
            return -1
        self._depth += 1
        try:
            return self._starred(scope, name, sources, before)
        finally:
            self._depth -= 1

    def _is_offered(self, name: str) -> bool:
        """Return False if no module has a name, nor a type if it may be imported, so that none need be searched."""
        program, rules = self.program, self.rules
        if self._stars_give_types or rules.modules.stars_bind or name in program.units.child_names:
            return True
        if self.only_modules and not rules.special_methods.missing:
            return name in program.offered_names or name in program.macros
        return name in program.bound_names or name in program.field_names

    def _starred(self, scope: int, name: str, sources: Sequence[int], before: int) -> int:
        outside, found = "", -1
        for source in sources:
            for entity in self.solver.points_to(source):
                if self.entities.kind[entity] == UNIT:
                    node = self._starred_unit(self.entities.payload[entity], name)
                elif self.entities.kind[entity] == CLASS:  # import static a.B.*, use Enum::*
                    has = self.hierarchy.member_or_method(self.entities.payload[entity], name).node >= 0
                    node = self.steps.follow(source, ("." + name,), scope, 0) if has else -1
                else:
                    if not outside and self.entities.kind[entity] == EXTERNAL:
                        outside = self.entities.external_name(entity)
                    continue
                if node >= 0:
                    found = node if found < 0 else self.known.either(found, node)
                    if (scope, source) not in self.conditional_stars:
                        return found
        if found >= 0:
            return self.known.either(found, before) if before >= 0 else found
        is_type = self._stars_give_types and name[:1].isupper() and name not in self.rules.builtins.names
        return self.known.external(f"{outside}.{name}") if outside and is_type else -1  # import java.util.*

    def _sources(self, scope: int, name: str, line: int) -> Sequence[int]:
        """Return the star imports below `line` that may bind a name, the one that takes precedence first."""
        sources: Sequence[int] = self.stars.get(scope, ())
        if line:
            return [source for source, own in zip(sources, self.star_lines[scope], strict=True) if own > line]
        return self._offering(scope, name) if len(sources) > MANY_STARS else sources

    def _starred_unit(self, unit: int, name: str) -> int:
        """Return the constraint variable of a name that a star import of a module binds; -1 for none."""
        units, macros = self.program.units, self.program.macros
        if self._unit_members.get((unit, name)) == -1 and not units.children[unit] and name not in macros:
            return -1  # as `in_unit` would say; many files reach the same ones, and few offer the name
        if not self.rules.modules.lists_exports:
            return self.in_unit(unit, name)
        return self._named(unit, name) if self._offers(unit, name) else -1

    def _offering(self, scope: int, name: str) -> Sequence[int]:
        """Return the star imports of a scope that may bind a name, in order.

        A scope may have hundreds of star imports, of which few offer the name.
        """
        known = self._star_names.get(scope)
        if known is None:
            known = self._star_names[scope] = defaultdict(list)
            for place, source in enumerate(self.stars[scope]):
                for offered in self._names_of(source):
                    known[offered].append(place)
        sources = self.stars[scope]
        places = {*known.get(name, ()), *known.get("*", ())} if name != "*" else range(len(sources))
        return [sources[place] for place in sorted(places)]

    def _names_of(self, source: int) -> set[str]:
        """Return the names that a star import may bind; ``*`` among them means any name."""
        names: set[str] = set()
        for entity in self.solver.points_to(source):
            if self.entities.kind[entity] != UNIT:
                return {"*"}
            unit = self.entities.payload[entity]
            if self.program.units.children[unit]:
                return {"*"}
            for file in self.program.units.files[unit]:
                scope = self.program.first[file]
                if scope in self.stars:
                    return {"*"}
                names.update(self.program.names[scope] or ())
                names.update(self._exported.get(file, ()))
        return names

    def _offers(self, unit: int, name: str) -> bool:
        """Return True if a star import of a module binds a name: a listed one, or a public one if none are listed."""
        listed = [self.listed[file] for file in self.program.units.files[unit] if file in self.listed]
        if any(name in names for names in listed):
            return True
        return not name.startswith(self.rules.modules.private_prefix) and all("" in names for names in listed)
