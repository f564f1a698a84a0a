"""Demands for names of modules and packages: what imports, exports and shared scopes make of a name."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING

from codeexplore.graph.build.calls import MAX_BY_NAME
from codeexplore.resolution.module_tree import Located, imported
from codeexplore.types import Import

if TYPE_CHECKING:
    from codeexplore.graph.demand.bound_values import BoundValues
    from codeexplore.graph.demand.slice_part import SlicePart
    from codeexplore.graph.demand.slice_state import Demands, SliceState


class ModuleNames:
    """Collector of what names outside functions depend on."""

    def __init__(self, state: SliceState, demands: Demands, bound: BoundValues) -> None:
        self._state, self._demands, self._bound = state, demands, bound
        self._family = state.family
        classes, modules = self._family.rules.classes, self._family.rules.modules
        self._open_packages = classes.structural or classes.open_types  # methods of a type may be in other files
        self._shares_names = modules.linked or not modules.manifests  # names need no import
        self._units: set[int] = set()  # packages of several files from which members are taken

    def need(self, part: SlicePart, name: str) -> None:
        """Demand a name that no function around its use binds."""
        if name not in part.names:
            part.names.add(name)
            self._state.later(partial(self._global, part, name))

    def import_(self, part: SlicePart, row: Import, name: str) -> None:
        """Demand the target of an import that binds a name."""
        if row not in part.imports:
            part.imports.add(row)
            self._state.spend(1)
        if "." in row.name and not row.member:  # import a.b binds a
            self._located(part, row.module.partition(".")[0], "", name)
        self._located(part, row.module, row.member, name)

    def member_of(self, part: SlicePart, name: str) -> None:
        """Demand a member of a module, if it may have one with this name."""
        index = part.index
        stars = (*index.imports.get("*", ()), *index.exports.get("*", ()))
        if index.binds(name) or any(self._mentions(part, star.module, name) for star in stars):
            self.need(part, name)

    def member_of_packages(self, name: str) -> None:
        """Demand a member of each package of several files that is used as a value."""
        for unit in tuple(self._units):
            self._in_unit(unit, name)

    def open_package(self, part: SlicePart) -> None:
        """Take members of types also from the other files of the package, where the language allows it."""
        if self._open_packages:
            unit = self._family.locator.unit_of(part.number)
            if len(self._family.locator.units.files[unit]) > 1:
                self._open(unit)

    def path(self, part: SlicePart, path: str) -> None:
        """Demand what a path that begins with a keyword for a module means: ``crate.a.b``."""
        names = list(takewhile(str.isidentifier, path.split(".")))
        self._below(self._family.locator.locate(part.number, "::".join(names)))

    def _below(self, found: Located, further: Sequence[str] = ()) -> None:
        """Demand the value at a path of names below a module."""
        units, unit, rest = self._family.locator.units, found.unit, [*found.rest, *further]
        while unit >= 0 and rest and (child := units.child(unit, rest[0])) >= 0:
            unit, rest = child, rest[1:]
        if unit >= 0 and rest:
            self._in_unit(unit, rest[0])
        elif unit >= 0:
            self._open(unit)

    def _global(self, part: SlicePart, name: str) -> None:
        """Follow a name of a module: to definitions, imports, exports and other files."""
        index = part.index
        found = False
        for row in index.symbols.get(name, ()):
            found = True
            self._demands.value(part, row)
        for binding in index.bindings.get(name, ()):
            if not index.is_callable[binding.scope]:
                found = True
                self._demands.include(part, binding.scope)
                self._bound.binding(part, binding)
        for bound in index.imports.get(name, ()):
            found = True
            self._demands.include(part, bound.scope)
            self.import_(part, bound, name)
        for export in index.exports.get(name, ()):
            found = True
            self._export(part, export.module, export.target, name)
        if not found:
            self._stars(part, name)
            self._elsewhere(part, name)

    def _export(self, part: SlicePart, module: str, target: str, name: str) -> None:
        if not module:
            self._demands.path(part, 0, target)
            return
        self._located(part, module, target, name)

    def _stars(self, part: SlicePart, name: str) -> None:
        """Look for a name in modules all of whose names are imported or exported: in those that contain it, if any."""
        index = part.index
        stars = [*index.imports.get("*", ()), *index.exports.get("*", ())]
        near = [star for star in stars if self._mentions(part, star.module, name)]
        for star in near or stars:
            if isinstance(star, Import):
                self.import_(part, star, name)
            else:
                self._export(part, star.module, "*", name)

    def _mentions(self, part: SlicePart, module: str, name: str) -> bool:
        """Return True if the text of a module, as a file names it, contains a name."""
        locator, paths = self._family.locator, self._family.paths
        unit = imported(locator, part.number, module, "*")[0].unit
        files = locator.units.files[unit] if unit >= 0 else ()
        return any(self._family.mentions(paths[file], (name,)) for file in files)

    def _located(self, part: SlicePart, module: str, member: str, name: str) -> None:
        """Demand a member of a module, as an import of a file names both."""
        locator = self._family.locator
        found, member = imported(locator, part.number, module, member)
        if found.unit < 0:
            first, *further = [*module.split("::"), member]
            for row in part.index.imports.get(first, ()) if self._family.rules.modules.keywords else ():
                if "::" in row.module and not row.member:  # mod first; use first::member;
                    part.imports.add(row)
                    self._below(locator.locate(part.number, "/" + row.module), further)
            return
        wanted = name if member == "*" else member
        if wanted and (child := locator.units.child(found.unit, wanted)) >= 0:
            self._open(child)
        if wanted:
            self._in_unit(found.unit, wanted)
            for rest in found.rest:
                self._in_unit(found.unit, rest)
        if not member or member == "default":
            self._open(found.unit)

    def _open(self, unit: int) -> None:
        """Demand all needed members of a module that is used as a value."""
        files = self._family.locator.units.files[unit]
        if len(files) == 1:
            part = self._state.part(self._family.paths[files[0]])
            if part is not None and not part.opened:
                part.opened = True
                for name in ("=", "default", *self._state.members):
                    self.member_of(part, name)
        elif unit not in self._units:
            self._units.add(unit)
            for name in tuple(self._state.members):
                self._state.later(partial(self._in_unit, unit, name))

    def _in_unit(self, unit: int, name: str) -> None:
        """Demand a name of a module or package: in its only file, or in the files that define it."""
        files = self._family.locator.units.files[unit]
        paths = [self._family.paths[files[0]]] if len(files) == 1 else self._family.defining(name, files)
        for part in map(self._state.part, paths):
            if part is not None:
                self.need(part, name)

    def _elsewhere(self, part: SlicePart, name: str) -> None:
        """Demand a name that a file neither defines nor imports: from its package, or from the files that define it."""
        unit = self._family.locator.unit_of(part.number)
        files = self._family.locator.units.files[unit] if unit < len(self._family.locator.units.files) else ()
        paths = self._family.defining(name, files) if len(files) > 1 else []
        if not paths and self._shares_names:
            paths = self._family.defining(name)
            paths = paths if len(paths) <= MAX_BY_NAME else []
        for other in map(self._state.part, [*paths, *self._family.defining_macro(name)]):
            if other is not None and other is not part:
                self.need(other, name)
