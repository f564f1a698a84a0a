"""Exports of modules: names of their own, explicit exports, and names from star imports.

A *unit* is the number of a module; see `module_tree`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from codeexplore.resolution.class_hierarchy import Hierarchy
from codeexplore.resolution.known_nodes import KnownNodes
from codeexplore.resolution.path_steps import Steps
from codeexplore.resolution.program import Program
from codeexplore.resolution.solver import UNKNOWN
from codeexplore.resolution.values import CLASS, EXTERNAL, UNIT

MANY_STARS = 8
"""Maximal number of star imports in a module that are searched one by one. For more, a table of names is built."""

MAX_DEPTH = 64
"""Maximal number of star imports followed from one module to the next. Each needs four Python frames."""

MANY_FILES = 16
"""Maximal number of files in a package that are all searched. Of more files, only those that may offer the name are."""


class Modules:
    """Names and exports of modules. A package of several files is one module.

    `stars` maps the symbol of a module to the constraint variables of the modules that it imports by star.
    """

    def __init__(self, program: Program, hierarchy: Hierarchy, known: KnownNodes, steps: Steps) -> None:
        self.program, self.rules = program, program.rules
        self.solver, self.entities = program.solver, program.entities
        self.hierarchy, self.known, self.steps = hierarchy, known, steps
        self.stars: dict[int, list[int]] = {}
        self._depth = 0  # number of star imports being followed
        self._exports: dict[tuple[int, str], int] = {}  # (file, name) → node of the export under a name
        self._exported: dict[int, list[str]] = {}  # file → exported names
        self.listed: dict[int, set[str]] = {}  # file → names that it lists; "" if the list is incomplete
        self.star_lines: dict[int, list[int]] = {}  # scope → lines of the star imports in `stars`
        self._last_lines: dict[int, dict[str, int]] = {}  # module scope → name → the last line that binds it
        self._star_names: dict[int, defaultdict[str, list[int]]] = {}  # scope → name → star imports that may bind it
        self._macros: dict[tuple[str, int], int] = {}  # (name, unit) → node of the macros
        self._unit_members: dict[tuple[int, str], int] = {}

    def of_unit(self, target: int, name: str, entity: int, evidence: int) -> None:
        unit = self.entities.payload[entity]
        if name in self.rules.modules.keywords:
            unit = self.program.units.parent[unit] if name == "super" else unit
            self.solver.add(target, self.entities.get(UNIT, max(unit, 0)), evidence)
            return
        node = self.in_unit(unit, name)
        if node >= 0:
            self.solver.add_flow(node, target, evidence)
        elif (whole := self.whole(unit)) >= 0:  # module.exports = something
            self.solver.add_flow(self.steps.follow(whole, ("." + name,), 0, 0), target, evidence)

    def whole(self, unit: int) -> int:
        """Return the constraint variable of the single value that a module exports; -1 if it exports names."""
        files = self.program.units.files[unit]
        return self._exports.get((files[0], "="), -1) if len(files) == 1 else -1

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
        if child >= 0 and (node < 0 or self.rules.modules.keywords):  # a module and a function may share a name
            submodule = self.known.module(child)
            return submodule if node < 0 else self.known.either(submodule, node)
        return self.macro(name, unit) if node < 0 and name in self.program.macros else node

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
        node = self._unit_members[key] = self._joined(found)
        return node

    def _in_file(self, file: int, name: str, one_of_several: bool) -> int:
        """Return the constraint variable of a name that one file of a module binds or exports; -1 if it does not."""
        scope = self.program.first[file]
        node = self._exports.get((file, name), -1)
        if node < 0:
            node = self.program.bound(scope, name)
            if one_of_several and self._is_private(node):
                return -1
        if node < 0:
            return self.starred(scope, name)
        again = self.rules.modules.stars_bind or node in self.program.module_names
        return self.rebound(scope, name, node) if again else node

    def rebound(self, scope: int, name: str, node: int) -> int:
        """Return the constraint variable `node` of a name, or that of a later star import which binds the name again.

        If a module and another thing share the name (``mod join; pub use join::*``), the result has the values of both.
        """
        if scope not in self.stars:
            return node
        if node in self.program.module_names:
            beside = self.starred(scope, name)
            return self.known.either(node, beside) if beside >= 0 else node
        lines = self._last_lines.get(scope)
        if lines is None:
            lines = self._last_lines[scope] = self._lines_of_names(self.program.file_of[scope])
        again = self.starred(scope, name, lines[name]) if name in lines else -1
        return again if again >= 0 else node

    def _lines_of_names(self, file: int) -> dict[str, int]:
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

    def macro(self, name: str, unit: int) -> int:
        """Return the constraint variable of the macros that a name means in a module; -1 for none.

        A module sees the macros of the modules around it first. Then come other macros of its crate, because
        ``#[macro_use]`` is assumed, and then exported macros of other crates.
        """
        node = self._macros.get((name, unit))
        if node is None:
            node = self._macros[name, unit] = self._joined(list(dict.fromkeys(self._macros_in(name, unit))))
        return node

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

    def _joined(self, nodes: list[int]) -> int:
        if len(nodes) < 2:
            return nodes[0] if nodes else -1
        node = self.solver.node()
        for each in nodes:
            self.solver.add_flow(each, node)
        return node

    def exported(self, file: int, name: str) -> int:
        """Return the variable of a name that a file exports, created if missing."""
        node = self._exports.get((file, name))
        if node is None:
            node = self._exports[file, name] = self.solver.node()
            self._exported.setdefault(file, []).append(name)
        return node

    def starred(self, scope: int, name: str, line: int = 0) -> int:
        """Return the variable of a name from a star import below `line`; -1 for none."""
        sources = self._sources(scope, name, line)
        if not sources:
            return -1
        work = self.program.work
        if self._depth == MAX_DEPTH or not work.spend(len(sources)):
            work.leave_out(f"names behind more than {MAX_DEPTH} star imports of star imports", name)
            return -1
        self._depth += 1
        try:
            return self._starred(scope, name, sources)
        finally:
            self._depth -= 1

    def _starred(self, scope: int, name: str, sources: Sequence[int]) -> int:
        outside = ""
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
                    return node
        if self.rules.modules.stars_bind:
            return self._starred_submodule(sources, name)
        if (
            outside
            and self.rules.classes.methods_apart
            and name[:1].isupper()
            and name not in self.rules.builtins.names
        ):
            # import java.util.*
            return self.known.external(f"{outside}.{name}")
        return -1

    def _sources(self, scope: int, name: str, line: int) -> Sequence[int]:
        """Return the star imports below `line` that may bind a name, the one that takes precedence first."""
        sources: Sequence[int] = self.stars.get(scope, ())
        if line:
            return [source for source, own in zip(sources, self.star_lines[scope], strict=True) if own > line]
        return self._offering(scope, name) if len(sources) > MANY_STARS else sources

    def _starred_unit(self, unit: int, name: str) -> int:
        """Return the constraint variable of a name that a star import of a module binds; -1 for none."""
        if not self.rules.modules.lists_exports:
            return self.in_unit(unit, name)
        return self._named(unit, name) if self._offers(unit, name) else -1

    def _starred_submodule(self, sources: Sequence[int], name: str) -> int:
        """Return the variable of a submodule that a star import binds, because something imported it; else -1."""
        for source in sources:
            for entity in self.solver.points_to(source):
                if self.entities.kind[entity] == UNIT and self._offers(unit := self.entities.payload[entity], name):
                    child = self.program.units.child(unit, name)
                    if child >= 0:
                        return self.known.module(child)
        return -1

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
