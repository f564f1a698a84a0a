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

import ast
import configparser
import posixpath
import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from codeexplore.languages.base import LINKS
from codeexplore.languages.file_roles import path_role
from codeexplore.resolution.language_rules import NOWHERE, Located, Units
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
        self._add_names(manifests)
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
        names = [*parts[:-1], posixpath.basename(facts.path)] if facts.path.endswith(".ipynb") else parts
        unit = self.units.make(self.top, names)  # nothing can import a notebook, whose name has a dot
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

    def _add_names(self, manifests: Mapping[str, str]) -> None:
        """Record the other names of modules: of packages that a manifest finds in other folders, and of links."""
        units = self.units
        for home, name, place in declared_packages(manifests):
            end = units.walk(self.top, _parts(place))
            above = units.make(self.top, _parts(home)) if end >= 0 else -1
            for part in name[:-1] if end >= 0 else ():
                above = units.make(above, [part])
            if end >= 0:
                units.children[above].setdefault(name[-1], end)
        for home, name, place in links_in(manifests):  # a file in place of a link is not the module
            above, end = units.walk(self.top, _parts(home)), units.walk(self.top, _parts(place))
            if above >= 0 and end >= 0:
                units.children[above][name[0]] = end

    def _add_source(self, above: int, source: int) -> None:
        if not self.is_package(source):
            self.roots[source] = None
            if source != above and source not in self.sources[above]:
                self.sources[above].append(source)

    def _add_namespace_packages(self, files: Sequence[FileFacts]) -> None:
        """Record the folders without ``__init__.py`` that imports use as packages, and their import roots."""
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
        self.inside = {  # but not a folder with a test, which pytest puts on the import path
            unit
            for unit in self.inside
            if not any(name.startswith("test_") or name == "conftest" for name in units.children[unit])
        }
        self.relative = {unit for unit in self.relative if not self.is_package(unit)}
        self.roots |= dict.fromkeys(sorted(self.guessed - self.roots.keys()))
        self.guessed -= {self.top}

    def _walk_through(self, start: int, module: str, member: str) -> None:
        """Record the folders through which an import leads, from the nearest folder upwards that leads to a module."""
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
        self._absolute, self._above = cache(self._find_absolute), cache(self._find_above)
        self._named: dict[str, list[int]] = {}  # name → folders that contain it; computed when first needed

    def unit_of(self, file: int) -> int:
        return self._layout.unit[file]

    def locate(self, file: int, module: str) -> Located:
        dots = len(module) - len(module.lstrip("."))
        if dots:
            return self._relative(self._layout.folder[file], dots, module[dots:])
        return self._absolute(file, module)

    def _find_absolute(self, file: int, module: str) -> Located:
        parts = module.split(".")
        if parts[0] not in self._names:
            return Located(-1, module)
        layout, own = self._layout, self.unit_of(file)
        known = self._above(layout.start[file], module)
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

    def _find_above(self, start: int, module: str) -> Located:
        """Return the unit of an absolute name in the folder `start` or above it; else a name outside the repository."""
        layout, folder_found, parts = self._layout, -1, module.split(".")
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
        return self._located(folder_found) if folder_found >= 0 else Located(-1, module)

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
        while not self.units.files[unit]:
            unit = next(iter(self.units.children[unit].values()))
        return self.units.files[unit][0]

    def _changes_path(self, file: int) -> bool:
        return any(row.path.startswith("sys.path.") for row in self._files[file].references)

    def _folders_with(self, name: str) -> Iterable[int]:
        if not self._named:
            named = defaultdict(list)
            for unit, parent in enumerate(self.units.parent):
                if parent >= 0 and not self._layout.is_package(parent):
                    named[self.units.name[unit]].append(parent)
            self._named = named
        return self._named.get(name, ())


_BUILDING: Final = ("pyproject.toml", "setup.cfg", "setup.py")
_FOLDERS: Final = (
    ("codeexplore", "source-roots"),
    ("setuptools", "packages", "find", "where"),
    ("pytest", "ini_options", "pythonpath"),
    ("pytest", "pythonpath"),
    ("mypy", "mypy_path"),
    ("pyright", "extraPaths"),
    ("basedpyright", "extraPaths"),
    ("hatch", "build", "sources"),
    ("hatch", "build", "targets", "wheel", "sources"),
    ("pdm", "build", "package-dir"),
    ("maturin", "python-source"),
    ("uv", "build-backend", "module-root"),
    ("ruff", "src"),
    ("isort", "src_paths"),
)
_SECTIONS: Final = (
    ("options.packages.find", "where"),
    ("tool:pytest", "pythonpath"),
    ("pytest", "pythonpath"),
    ("mypy", "mypy_path"),
)
_MAX_INI: Final = 100_000
"""Characters of an INI file. A longer file is not parsed: the time that configparser takes to report errors grows with
the square of the invalid lines."""
_MAX_SETUP: Final = 100_000
"""Characters of a setup.py that is parsed."""
_KEY_PART: Final = r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')"""
_LONG_KEY: Final = re.compile(rf"(?<![\w-]){_KEY_PART}(?:[ \t]*\.[ \t]*{_KEY_PART}){{64}}")
"""A dotted key of TOML with more parts than anybody writes: tomllib's time grows with the square of their number."""
# characters of patterns and of references to other settings, which are not evaluated
_UNREAD: Final = frozenset("*$%{}")
_PACKAGE_DIR: Final = "package_dir"


def declared_packages(manifests: Mapping[str, str]) -> Iterator[tuple[str, list[str], str]]:
    """Yield (folder of a manifest, parts of a package's name, the package's folder), as manifests map them."""
    for path, text in manifests.items():
        home, name = posixpath.split(path)
        if name not in _BUILDING:
            continue
        for package, folder in _mappings(name, text):
            parts, place = package.split("."), posixpath.normpath(posixpath.join(home, folder.replace("\\", "/")))
            if all(map(str.isidentifier, parts)) and not place.startswith(("..", "/")):
                yield home, parts, place


def _mappings(manifest: str, text: str) -> Iterator[tuple[str, str]]:
    """Yield (name of a package, its folder) from the text of one manifest."""
    found: list[object] = []
    if manifest == "pyproject.toml":
        tools = parse_toml(text).get("tool", {})
        found.append(_at(tools, ("setuptools", "package-dir")))
        for keys in (("hatch", "build", "sources"), ("hatch", "build", "targets", "wheel", "sources")):
            sources = _at(tools, keys)  # folder → package
            found += [{to: folder} for folder, to in sources.items()] if isinstance(sources, Mapping) else []
    elif manifest == "setup.cfg":
        lines = parse_ini(text).get("options", _PACKAGE_DIR, fallback="").splitlines()
        pairs = (line.partition("=") for line in lines)
        found.append({package.strip(): folder.strip() for package, _, folder in pairs})
    else:
        found += setup_values(text, _PACKAGE_DIR)
    for each in found:
        for package, folder in each.items() if isinstance(each, Mapping) else ():
            if isinstance(package, str) and isinstance(folder, str):
                yield package.strip("/").replace("/", "."), folder


def links_in(manifests: Mapping[str, str]) -> Iterator[tuple[str, list[str], str]]:
    """Yield (folder, name of a module, the path to which it leads) of the symbolic links in `manifests`."""
    for path, text in manifests.items():
        home, name = posixpath.split(path)
        for line in text.splitlines() if name == LINKS else ():
            link, _, place = line.partition("\t")
            if link.endswith(".py") == place.endswith(".py") and link.removesuffix(".py").isidentifier():
                yield home, [link.removesuffix(".py")], place.removesuffix(".py").removesuffix("/__init__")


def _parts(path: str) -> list[str]:
    return path.split("/") if path not in ("", ".") else []


def setup_values(text: str, keyword: str) -> Iterator[Any]:
    """Yield the literals that a setup.py gives to a keyword argument, which may be a variable."""
    try:
        tree = ast.parse(text if len(text) <= _MAX_SETUP else "")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return  # not Python, or nested too deeply
    values: dict[str, ast.expr] = {}
    given: list[ast.expr] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            values[node.targets[0].id] = node.value
        elif isinstance(node, ast.keyword) and node.arg == keyword:
            given.append(node.value)
    for value in given:
        try:
            yield ast.literal_eval(values.get(value.id, value) if isinstance(value, ast.Name) else value)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            continue  # not a literal: it is computed when the file runs


_SETUP: Final = re.compile(
    r"""package_dir\s*=\s*\{\s*["']{2}\s*:\s*["']([^"']+)["']|find(?:_namespace)?_packages\(\s*(?:where\s*=\s*)?["']([^"']+)["']"""
)


def declared_roots(manifests: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield (folder of a manifest, source folder that it declares). Both are relative to the root of the repository.

    A pair may occur twice. If a manifest builds a package, its own folder is a source folder too. An unreadable
    manifest declares only its own folder.
    """
    for path, text in manifests.items():
        home, name = posixpath.split(path)
        if name in _BUILDING:
            yield home, home
        for folder in _READERS.get(name, _ini_folders)(text):
            place = posixpath.normpath(posixpath.join(home, folder.replace("\\", "/")))
            if not place.startswith(("..", "/")):
                yield home, "" if place == "." else place


def parse_ini(text: str) -> configparser.RawConfigParser:
    """Parse an INI file, such as setup.cfg. For a malformed or too long file, return a parser without sections."""
    parser = configparser.RawConfigParser(strict=False)
    if len(text) <= _MAX_INI:
        try:
            parser.read_string(text)
        except configparser.Error:
            return configparser.RawConfigParser()
    return parser


def parse_toml(text: str) -> dict[str, Any]:
    """Parse a TOML file; {} if it is malformed or has a key with too many parts."""
    if _LONG_KEY.search(text):
        return {}
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):  # not TOML, a number with too many digits for Python, or nested too deeply
        return {}


def _setup_folders(text: str) -> Iterator[str]:
    return (found[1] or found[2] for found in _SETUP.finditer(text))


def _toml_folders(text: str) -> Iterator[str]:
    tools = parse_toml(text).get("tool", {})
    for keys in _FOLDERS:
        yield from _listed(_at(tools, keys))
    yield from _mapped(_at(tools, ("setuptools", "package-dir")))
    for each in _items(_at(tools, ("poetry", "packages"))):
        if isinstance(each, Mapping):
            yield from _listed(each.get("from"))
    for each in _listed(_at(tools, ("hatch", "build", "targets", "wheel", "packages"))):
        yield posixpath.dirname(each)


def _ini_folders(text: str) -> Iterator[str]:
    reader = parse_ini(text)
    for section, key in _SECTIONS:
        yield from _listed(reader.get(section, key, fallback=""))
    for line in reader.get("options", "package_dir", fallback="").splitlines():
        package, equals, folder = line.partition("=")
        if equals:
            yield from _mapped({package.strip(): folder.strip()})


def _mapped(folders: object) -> Iterator[str]:
    """Yield the import roots that `folders` implies, a mapping from packages to folders.

    The key "" means that all packages are in the folder. If a package is in a folder of its own name, the import root
    is the parent of this folder.
    """
    for package, folder in folders.items() if isinstance(folders, Mapping) else ():
        parts = package.split(".") if package else []
        found = posixpath.normpath(folder).split("/") if isinstance(folder, str) and folder else []
        if found[len(found) - len(parts) :] == parts:
            yield "/".join(found[: len(found) - len(parts)]) or "."


def _at(tools: object, keys: Iterable[str]) -> object:
    for key in keys:
        tools = tools.get(key) if isinstance(tools, Mapping) else None
    return tools


def _items(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _listed(value: object) -> Iterator[str]:
    """Yield the folders in `value`: a list, or a text in which commas, colons or white space separate the folders."""
    each = re.split(r"[,:\s]+", value) if isinstance(value, str) else _items(value)
    yield from (folder for folder in each if isinstance(folder, str) and folder and not _UNREAD & set(folder))


_READERS: Final = {"pyproject.toml": _toml_folders, "setup.py": _setup_folders}


_OBJECT: Final = re.compile(r"(?P<module>[\w.]+)\s*:\s*(?P<name>[\w.]+)")
_SCRIPTS: Final = (
    ("console_scripts", ("project", "scripts")),
    ("gui_scripts", ("project", "gui-scripts")),
    ("console_scripts", ("tool", "poetry", "scripts")),
)


class EntryPoint(NamedTuple):
    """An object that a manifest declares, which scripts and plug-in loaders start by its name."""

    group: str
    name: str
    module: str
    attribute: str  # dotted name in the module


def entry_points(path: str, text: str) -> Iterator[EntryPoint]:
    """Yield the entry points in the text of a manifest; none if it is malformed."""
    name = posixpath.basename(path)
    if name == "pyproject.toml":
        document = parse_toml(text)
        for group, keys in _SCRIPTS:
            yield from _grouped({group: _at(document, keys)})
        for keys in (("project", "entry-points"), ("tool", "poetry", "plugins")):
            yield from _grouped(_at(document, keys))
    elif name == "setup.py":
        for value in setup_values(text, "entry_points"):
            yield from _grouped(value) if isinstance(value, dict) else _of_ini(str(value))
    elif name == "setup.cfg":
        parser = parse_ini(text)
        if parser.has_section("options.entry_points"):
            yield from _grouped(dict(parser["options.entry_points"]))
    elif name == "entry_points.txt":
        yield from _of_ini(text)


def _of_ini(text: str) -> Iterator[EntryPoint]:
    parser = parse_ini(text)
    yield from _grouped({group: dict(parser[group]) for group in parser.sections()})


def _grouped(groups: object) -> Iterator[EntryPoint]:
    """Yield the entry points of groups. A group is a mapping, a list of lines ``name = object``, or a text of lines."""
    for group, given in groups.items() if isinstance(groups, Mapping) else ():
        lines = given.splitlines() if isinstance(given, str) else given if isinstance(given, (list, tuple, set)) else ()
        pairs = given.items() if isinstance(given, dict) else (str(line).partition("=")[::2] for line in lines)
        for name, target in pairs:
            found = _OBJECT.match(str(target).strip())
            if found is not None:
                yield EntryPoint(str(group), str(name).strip(), found["module"], found["name"])
