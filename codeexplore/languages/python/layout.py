"""Layout of a repository's Python modules: packages, import roots, source folders and namespace packages.

A *unit* is a module, a package or a folder, given by its number. An *import root* is a folder in which Python looks for
absolute names. A *source folder* is a folder such as ``src`` that contains packages.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from codeexplore.languages.python.source_folders import declared_roots
from codeexplore.resolution.module_tree import Units
from codeexplore.types import FileFacts

_SOURCES: Final = ("src", "lib")


class Layout:
    """Modules and folders of a repository as units, found by their paths.

    If the repository's root is a package or inside a package, module names are longer than paths: ``app.py`` is
    ``flask.app``. Then `outer` is a unit above the root folder, and such names are looked up from there.
    """

    def __init__(self, files: Sequence[FileFacts], manifests: Mapping[str, str]) -> None:
        self.units = Units()
        self.top = self.units.add("")
        self.outer = -1
        self.unit: list[int] = []  # by file
        self.folder: list[int] = []  # by file: the unit at which a relative import starts
        # by file: the folder above its topmost package; for a file outside any package its folder
        self.start: list[int] = []
        self.roots: dict[int, None] = {}  # import roots: folders above packages, folders of projects, source folders
        self.sources: dict[int, list[int]] = defaultdict(list)  # folder → its source folders
        self.guessed: set[int] = set()  # import roots for which imports in files below are the only evidence
        self.inside: set[int] = set()  # folders without ``__init__.py`` that imports name as packages
        self.relative: set[int] = set()  # folders without ``__init__.py`` that contain relative imports
        roots = [self._add(index, facts) for index, facts in enumerate(files)]
        for folder, root in zip(self.folder, roots, strict=True):
            self.start.append(root if self.units.files[folder] else folder)
            self.roots[root] = None
        self.roots[self.top] = None
        self._add_sources(manifests)
        self._add_namespace_packages(files)

    def upwards(self, unit: int) -> Iterator[int]:
        """Yield the folder `unit` and the folders above it, the nearest first."""
        if unit == self.outer:
            yield unit
            unit = self.top
        while unit >= 0:
            yield unit
            unit = self.units.parent[unit]

    def is_package(self, unit: int) -> bool:
        """Return True if `unit` is a module or a folder with an ``__init__.py``."""
        return bool(self.units.files[unit])

    # ----------------------------------------------------------------- files

    def _add(self, index: int, facts: FileFacts) -> int:
        """Add a file, and return the import root that follows from its path and its module name."""
        parts = facts.path.rsplit(".", 1)[0].split("/")
        package = parts[-1] == "__init__"
        if package:
            parts.pop()
        unit = self.units.make(self.top, parts)
        self.units.files[unit].append(index)
        self.unit.append(unit)
        self.folder.append(unit if package else max(self.units.parent[unit], 0))
        return max(self._root_of(parts, facts.module.split(".") if facts.module else []), 0)

    def _root_of(self, parts: list[str], module: list[str]) -> int:
        """Return the import root of a file: looking up the name `module` from this unit gives the path `parts`."""
        depth, above = len(module), len(module) - len(parts)
        if module == parts[-depth:]:
            return self.units.walk(self.top, parts[: len(parts) - depth])
        if above < 1 or module[above:] != parts or module[-1] == "__init__":
            return self.top
        return self._above(module[:above])

    def _above(self, names: list[str]) -> int:
        """Return a unit above the root folder. The package names `names` lead from this unit to the root folder."""
        if self.outer < 0:
            self.outer = self.units.add("")
            around = self.units.make(self.outer, names[:-1])
            self.units.children[around][names[-1]] = self.top
        return self.outer

    # ----------------------------------------------------------------- roots

    def _add_sources(self, manifests: Mapping[str, str]) -> None:
        """Record the source folders: folders called ``src`` or ``lib``, and folders that manifests declare."""
        units = self.units
        for unit in range(len(units.files)):
            for name in _SOURCES:
                if (source := units.child(unit, name)) >= 0:
                    self._add_source(unit, source)
        for home, folder in declared_roots(manifests):
            above, source = (units.walk(self.top, each.split("/") if each else []) for each in (home, folder))
            if above >= 0 and source >= 0:
                self._add_source(above, source)

    def _add_source(self, above: int, source: int) -> None:
        if not self.is_package(source):
            self.roots[source] = None
            if source != above and source not in self.sources[above]:
                self.sources[above].append(source)

    def _add_namespace_packages(self, files: Sequence[FileFacts]) -> None:
        """Record the folders without ``__init__.py`` that imports use as packages.

        The import roots of these imports are recorded too.
        """
        units = self.units
        spaces = {units.name[unit] for unit, held in enumerate(units.files) if not held}
        known: set[tuple[int, str, str]] = set()
        for file, facts in enumerate(files):
            folder = self.folder[file]
            for row in facts.imports:
                if row.module[:1] == ".":
                    self.relative.add(folder)
                elif row.module.partition(".")[0] in spaces:
                    key = (self.start[file], row.module, row.member)
                    if key not in known:
                        known.add(key)
                        self._walk_through(*key)
        self.inside = {unit for unit in self.inside if not self._is_on_test_path(unit)}
        self.relative = {unit for unit in self.relative if not self.is_package(unit)}
        self.roots |= dict.fromkeys(sorted(self.guessed - self.roots.keys()))
        self.guessed -= {self.top}

    def _is_on_test_path(self, unit: int) -> bool:
        """Return True if a test runner puts the folder `unit` on the import path.

        pytest does this for a folder that is outside any package and contains a test.
        """
        return any(name.startswith("test_") or name == "conftest" for name in self.units.children[unit])

    def _walk_through(self, start: int, module: str, member: str) -> None:
        """Record the folders through which the import of `member` from `module` leads.

        The search begins in `start` and goes upwards, to the nearest folder from which the import leads to a module.
        """
        units, parts = self.units, module.split(".")
        for above in self.upwards(start):
            end = units.walk(above, parts)
            if end >= 0 and (self.is_package(end) or units.child(end, member) >= 0):
                unit = units.child(above, parts[0])
                if not self.is_package(unit):
                    if above not in self.roots:
                        self.guessed.add(above)
                    for part in (*parts[1:], member):
                        self.inside.add(unit)  # never a package: the loop ends at the first one
                        unit = units.child(unit, part)
                        if unit < 0 or self.is_package(unit):
                            break
                return
