"""Module resolution of Python: relative imports by folders, absolute imports by the folders that may be on the path.

The import path depends on the folder in which a program is started. This folder is not known, so the import path is
inferred from the layout of the folders. An absolute name is searched in these places, in this order:

1. in the folder above the topmost package of the importing file; for a file outside any package, in its own folder; 2.
in each folder further up and its source folders: ``src``, ``lib``, and folders that a manifest declares; 3. beside the
importing file, as for scripts within packages; 4. in the roots of other packages and projects, the nearest first; 5.
for a file that changes ``sys.path``, in any folder, the nearest first.

If two folders in step 4 or 5 are equally near, the name is ambiguous and is not resolved. A folder that imports use as
a package is not an import root.

A name of the standard library is searched only in step 1 and in the top folder. It is never resolved to a folder
without ``__init__.py``, because Python finds the standard module first.

An import from a folder without ``__init__.py`` is resolved only if the folder contains the imported name. So ``from
docker import Client`` beside a folder ``docker`` without ``Client`` is outside the repository.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from codeexplore.file_roles import path_role
from codeexplore.languages.python.layout import Layout
from codeexplore.resolution.module_tree import NOWHERE, Located
from codeexplore.types import FileFacts

_APART: Final = frozenset({"test", "example", "benchmark", "docs"})
"""Roles of files whose packages are not imported by the other files of a repository."""


class PythonLocator:
    """Module resolver of Python. The module's docstring describes its rules.

    A *unit* is a module, a package or a folder, given by its number.
    """

    def __init__(self, files: Sequence[FileFacts], manifests: Mapping[str, str]) -> None:
        self._files = files
        self._layout = Layout(files, manifests)
        self.units = self._layout.units
        self._offering: dict[str, list[int]] = defaultdict(list)  # name → import roots that contain it
        for root in self._layout.roots:
            for name in self.units.children[root]:
                self._offering[name].append(root)
        self._names = {name for children in self.units.children for name in children}
        self._found: dict[tuple[int, str], Located] = {}  # by file
        self._found_above: dict[tuple[int, str], Located] = {}  # by folder
        self._named: dict[str, list[int]] = {}  # name → folders that contain it; computed when first needed

    def unit_of(self, file: int) -> int:
        """Return the unit of the module in `file`."""
        return self._layout.unit[file]

    def locate(self, file: int, module: str) -> Located:
        """Return the unit to which `module` refers, a name as written in an import of `file`."""
        dots = len(module) - len(module.lstrip("."))
        if dots:
            return self._relative(self._layout.folder[file], dots, module[dots:])
        known = self._found.get((file, module))
        if known is None:
            known = self._found[file, module] = self._absolute(file, module)
        return known

    def _absolute(self, file: int, module: str) -> Located:
        parts = module.split(".")
        if parts[0] not in self._names:
            return Located(-1, module)
        layout, own = self._layout, self.unit_of(file)
        key = (layout.start[file], module)
        known = self._found_above.get(key)
        if known is None:
            known = self._found_above[key] = self._above(key[0], parts)
        if parts[0] in sys.stdlib_module_names or (known.unit >= 0 and (known.unit != own or self.units.children[own])):
            return known
        unit = self.units.walk(layout.folder[file], parts)
        return self._located(unit) if unit >= 0 and unit != own else self._elsewhere(file, own, parts)

    def _relative(self, unit: int, dots: int, rest: str) -> Located:
        for _ in range(dots - 1):
            unit = self.units.parent[unit]
            if unit < 0:
                return NOWHERE
        found = self.units.walk(unit, rest.split(".")) if rest else unit
        return Located(found) if found >= 0 else NOWHERE

    def _above(self, start: int, parts: list[str]) -> Located:
        """Return the unit of an absolute name, searched in the folder `start` and in the folders above it.

        `parts` are the parts of the name. If none of the folders contains it, the result is a name outside the
        repository.
        """
        layout, folder_found = self._layout, -1
        standard = parts[0] in sys.stdlib_module_names
        for folder in layout.upwards(start):
            if standard and folder != start and (folder != layout.top or layout.outer >= 0):
                continue
            own = () if folder in layout.inside or (standard and folder in layout.relative) else (folder,)
            for root in (*own, *layout.sources.get(folder, ())):
                unit = self.units.walk(root, parts)
                if unit < 0 or (standard and not layout.is_package(self.units.child(root, parts[0]))):
                    continue
                if layout.is_package(unit):
                    return Located(unit)
                # a module in a folder further up has precedence
                folder_found = unit if folder_found < 0 else folder_found
        return self._located(folder_found) if folder_found >= 0 else Located(-1, ".".join(parts))

    def _located(self, unit: int) -> Located:
        return Located(unit, partial=not self._layout.is_package(unit))

    # ----------------------------------------------------------------- other folders

    def _elsewhere(self, file: int, own: int, parts: list[str]) -> Located:
        """Return the unit of an absolute name that is not in the folders above `file` or in their source folders."""
        apart = None
        ends: dict[int, int] = {}
        for root in self._offering.get(parts[0], ()):
            unit = self.units.walk(root, parts)
            if unit >= 0 and unit != own:
                apart = self._is_apart(file) if apart is None else apart
                if apart or not self._is_apart(self._some_file(unit)):
                    ends[root] = unit
        if not ends and (holding := self._folders_with(parts[0])) and self._changes_path(file):
            ends = {root: unit for root in holding if (unit := self.units.walk(root, parts)) >= 0 and unit != own}
        if not ends:
            return Located(-1, ".".join(parts))
        return self._nearest(self._layout.start[file], ends, len(parts) == 1 and not self._changes_path(file))

    def _nearest(self, start: int, ends: Mapping[int, int], plain: bool) -> Located:
        """Return the unit of a name under the import root that is nearest to `start`.

        `ends` maps each import root to the unit of the name under it. The result is `NOWHERE` if two roots are equally
        near. If `plain` is True, the name has no dots; it does not resolve to a module under a root that is only known
        from imports.
        """
        around = list(self._layout.upwards(start))
        guessed = self._layout.guessed

        def distance(root: int) -> tuple[int, bool]:
            return next(n for n, unit in enumerate((*around, root)) if unit in around_of[root]), root in guessed

        around_of = {root: {*self._layout.upwards(root)} for root in ends}
        least = min(map(distance, ends))
        nearest = [root for root in ends if distance(root) == least]
        found = self._located(ends[nearest[0]])
        if len(nearest) > 1 or (plain and least[1] and not found.partial):
            return NOWHERE
        return found

    def _is_apart(self, file: int) -> bool:
        return path_role(self._files[file].path) in _APART

    def _some_file(self, unit: int) -> int:
        """Return the number of a file in `unit`, or in a unit inside it."""
        while not self.units.files[unit]:
            unit = next(iter(self.units.children[unit].values()))
        return self.units.files[unit][0]

    def _changes_path(self, file: int) -> bool:
        return any(row.path.startswith("sys.path.") for row in self._files[file].references)

    def _folders_with(self, name: str) -> Iterable[int]:
        """Return the folders that contain a module or package called `name`."""
        if not self._named:
            named = defaultdict(list)
            for unit, parent in enumerate(self.units.parent):
                if parent >= 0 and not self._layout.is_package(parent):
                    named[self.units.name[unit]].append(parent)
            self._named = named
        return self._named.get(name, ())
