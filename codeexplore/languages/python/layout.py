"""Layout of a repository's Python modules: packages, import roots, source folders and namespace packages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from codeexplore.languages.python.declared import declared_roots
from codeexplore.resolution.module_tree import Units
from codeexplore.types import FileFacts

_SOURCES: Final = ("src", "lib")


class Layout:
    """Modules and folders as units, by their paths.

    If the root is a package or inside one, so that module names are longer than paths (``app.py`` is ``flask.app``),
    `outer` is a unit above the topmost folder from which those names start.
    """

    def __init__(self, files: Sequence[FileFacts], manifests: Mapping[str, str]) -> None:
        self.units = Units()
        self.top = self.units.add("")
        self.outer = -1
        self.unit: list[int] = []  # by file
        self.folder: list[int] = []  # by file: the unit that a relative import starts from
        self.start: list[int] = []  # by file: above its topmost package; for a file in none its folder
        self.roots: dict[int, None] = {}  # below which absolute names start: of packages, of projects, of sources
        self.sources: dict[int, list[int]] = defaultdict(list)  # folder → its source folders
        self.guessed: set[int] = set()  # roots that nothing shows but imports of files below
        self.inside: set[int] = set()  # folders without ``__init__.py`` that imports name as packages
        self.relative: set[int] = set()  # folders without ``__init__.py`` that contain relative imports
        roots = [self._add(index, facts) for index, facts in enumerate(files)]
        for folder, root in zip(self.folder, roots, strict=True):
            self.start.append(root if self.units.files[folder] else folder)
            self.roots[root] = None
        self.roots[self.top] = None
        self._note_sources(manifests)
        self._note_packages(files)

    def upwards(self, unit: int) -> Iterator[int]:
        """A folder and those above it, the nearest first."""
        if unit == self.outer:
            yield unit
            unit = self.top
        while unit >= 0:
            yield unit
            unit = self.units.parent[unit]

    def is_package(self, unit: int) -> bool:
        """Return True if a unit is a module or a folder with an ``__init__.py``."""
        return bool(self.units.files[unit])

    # ----------------------------------------------------------------- files

    def _add(self, index: int, facts: FileFacts) -> int:
        """Lay out a file; its root by its module's name."""
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
        """Return the unit from which a file's module name leads to its path."""
        depth, above = len(module), len(module) - len(parts)
        if module == parts[-depth:]:
            return self.units.walk(self.top, parts[: len(parts) - depth])
        if above < 1 or module[above:] != parts or module[-1] == "__init__":
            return self.top
        return self._above(module[:above])

    def _above(self, names: list[str]) -> int:
        """Return a unit from which the names of the packages around the topmost folder lead to it."""
        if self.outer < 0:
            self.outer = self.units.add("")
            around = self.units.make(self.outer, names[:-1])
            self.units.children[around][names[-1]] = self.top
        return self.outer

    # ----------------------------------------------------------------- roots

    def _note_sources(self, manifests: Mapping[str, str]) -> None:
        """Record source folders, by their names and by the manifests."""
        units = self.units
        for unit in range(len(units.files)):
            for name in _SOURCES:
                if (source := units.child(unit, name)) >= 0:
                    self._note_source(unit, source)
        for home, folder in declared_roots(manifests):
            above, source = (units.walk(self.top, each.split("/") if each else []) for each in (home, folder))
            if above >= 0 and source >= 0:
                self._note_source(above, source)

    def _note_source(self, above: int, source: int) -> None:
        if not self.is_package(source):
            self.roots[source] = None
            if source != above and source not in self.sources[above]:
                self.sources[above].append(source)

    def _note_packages(self, files: Sequence[FileFacts]) -> None:
        """Folders without ``__init__.py`` that imports name as packages, and the folders from where they do."""
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
        self.inside = {unit for unit in self.inside if not self._is_run(unit)}
        self.relative = {unit for unit in self.relative if not self.is_package(unit)}
        self.roots |= dict.fromkeys(sorted(self.guessed - self.roots.keys()))
        self.guessed -= {self.top}

    def _is_run(self, unit: int) -> bool:
        """Return True if a test runner puts a folder on the path: pytest does so for a test outside any package."""
        return any(name.startswith("test_") or name == "conftest" for name in self.units.children[unit])

    def _walk_through(self, start: int, module: str, member: str) -> None:
        """Record the folders of an import's path from the nearest folder from which it leads to a module."""
        units, parts = self.units, module.split(".")
        for above in self.upwards(start):
            end = units.walk(above, parts)
            if end >= 0 and (self.is_package(end) or units.child(end, member) >= 0):
                unit = units.child(above, parts[0])
                if not self.is_package(unit):
                    if above not in self.roots:
                        self.guessed.add(above)
                    for part in (*parts[1:], member):
                        self.inside.add(unit)  # no package: the loop ends at the first
                        unit = units.child(unit, part)
                        if unit < 0 or self.is_package(unit):
                            break
                return
