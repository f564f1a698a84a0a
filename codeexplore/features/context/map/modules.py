"""Modules of the map: purpose, role, build unit and dependencies of each source file or folder."""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from codeexplore.answers.wording import README_NAMES, first_sentence, plural, readme_sentence
from codeexplore.features.context.map.material import MOST_NAMES, MOST_ROWS, NAMED, PRODUCT, Detail, counted, row
from codeexplore.features.context.tours.evidence import documents_of
from codeexplore.graph.surveys import DEPENDING, module_graph
from codeexplore.languages.file_roles import PACKAGE_FILES
from codeexplore.languages.javascript.spec import read_loose_json
from codeexplore.languages.python.locate import parse_toml
from codeexplore.source.skip_reasons import GENERATED
from codeexplore.text.enumeration import shortened
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS
from codeexplore.types.certainty import LIKELY
from codeexplore.types.rows import grouped

if TYPE_CHECKING:
    from codeexplore.features.context.map.material import FileRole, Material
    from codeexplore.graph.records import ModuleEdge
    from codeexplore.types import Skipped, SourceFile, Symbol

_POM_PARENT: Final = re.compile(r"<parent>.*?</parent>", re.DOTALL)
_MANIFESTS: Final[Mapping[str, re.Pattern[str] | Sequence[tuple[str, ...]]]] = {
    "go.mod": re.compile(r"^module\s+\"?([^\s\"]+)", re.MULTILINE),
    "pom.xml": re.compile(r"<artifactId>\s*([^<\s]+)\s*</artifactId>"),
    "package.json": [("name",)],
    "Cargo.toml": [("package", "name")],
    "pyproject.toml": [("project", "name"), ("tool", "poetry", "name")],
    "build.gradle": [],
    "build.gradle.kts": [],
}
"""Manifest → where it names its package: a pattern, or the keys to the name; none in Gradle, where it is the folder."""


class BuildUnit(NamedTuple):
    """A package that is built on its own: its name, its folder ("" for the root) and the path of its manifest."""

    name: str
    folder: str
    manifest: str


def build_units(sources: Mapping[str, SourceFile]) -> dict[str, BuildUnit]:
    """Return the build units by folder. A manifest that names no package makes no unit, except in Gradle."""
    found: dict[str, BuildUnit] = {}
    for path in sorted(sources):
        folder, file = posixpath.split(path)
        if file in _MANIFESTS and folder not in found and (name := _name_in(file, sources[path].text, folder)):
            found[folder] = BuildUnit(name, folder, path)
    return found


def unit_of(path: str, units: Mapping[str, BuildUnit]) -> BuildUnit | None:
    around = path
    while around not in units:
        if not around:
            return None
        around = posixpath.dirname(around)
    return units[around]


def _name_in(file: str, text: str, folder: str) -> str:
    """Return the name that a manifest gives to its package; "" if it gives none."""
    places = _MANIFESTS[file]
    if isinstance(places, re.Pattern):
        match = places.search(_POM_PARENT.sub("", text))
        return match[1] if match else ""
    table = parse_toml(text) if file.endswith(".toml") else read_loose_json(text) if places else {}
    for keys in places:
        value: Any = table
        for key in keys:
            value = value.get(key) if isinstance(value, dict) else None
        if isinstance(value, str) and value:
            return value
    return "" if places else posixpath.basename(folder)


_MOST_FILES: Final = 40  # source files up to which the modules of the map are files; above, they are folders
_OUTLINED: Final = 8  # files
_STARS: Final = (0.5, 0.2)  # shares of the PageRank of the first file from which a file has one star more
_FOLDER_PARTS: Final = 2  # of the paths of tests, examples and so on, which the map only counts


class Module(NamedTuple):
    """A source file or folder. `depends` is (module that it needs, number of edges), most edges first."""

    path: str
    purpose: str  # the first sentence of its documentation; "" if it has none
    symbols: int
    files: int
    importance: float  # share of the PageRank
    depends: tuple[tuple[str, int], ...]
    role: FileRole  # that of most of its definitions
    unit: BuildUnit | None
    documented_at: str = ""  # path of the file with the purpose
    defines: tuple[str, ...] = ()  # its most important definitions outside of others
    first: str = ""  # the first sentence of the documentation of the first of `defines` that has one, with its name


class Modules:
    def __init__(self, material: Material) -> None:
        self._material = material

    @cached_property
    def level(self) -> str:
        return "file" if len(self._material.files) <= _MOST_FILES else "folder"

    def place(self, path: str) -> str:
        """Return the module of a file: the file, or its folder. Folders with a third of the code are shown by file."""
        folder = posixpath.dirname(path) or "."
        return path if self.level == "file" or folder in self._opened else folder

    @cached_property
    def _opened(self) -> frozenset[str]:
        defined = Counter(
            posixpath.dirname(symbol.path) or "."
            for symbol in self._material.graph.catalog.symbols
            if symbol.path in self._material.files and symbol.kind in CALLABLE_KINDS | TYPE_KINDS
        )
        return frozenset(folder for folder, count in defined.items() if count > defined.total() / 3)

    @cached_property
    def dependencies(self) -> tuple[ModuleEdge, ...]:
        """The dependencies between source modules over certain edges, most edges first.

        Edges from a method to its possible overrides do not count: they lead from a base class to a subclass, and the
        base class does not depend on it.
        """
        _, edges = module_graph(self._material.graph, self.place, kinds=DEPENDING, minimum=LIKELY, tests=False)
        known = self._members
        return tuple(edge for edge in edges if edge.source in known and edge.target in known)

    @cached_property
    def _members(self) -> Mapping[str, list[Symbol]]:
        found: dict[str, list[Symbol]] = defaultdict(list)
        for path, members in self._material.members_by_path.items():
            found[self.place(path)] += members
        return found

    @cached_property
    def found(self) -> tuple[Module, ...]:
        """Every source module. Those of the product come first, the most important first."""
        ranks = self._material.graph.ranks
        needs = grouped((edge.source, (edge.target, edge.count)) for edge in self.dependencies)
        found = []
        for path, members in self._members.items():
            purpose, where = self._purpose(path, members)
            rank = sum(ranks[self._material.graph.vertex(symbol.id)] for symbol in members)
            defined = sum(symbol.kind in CALLABLE_KINDS | TYPE_KINDS and symbol.kind != "lambda" for symbol in members)
            unit = unit_of("" if path == "." else path, self._units)
            needed, role = tuple(needs[path]), self._role(members)
            files = len({symbol.path for symbol in members})
            found.append(
                Module(path, purpose, defined, files, rank, needed, role, unit, where, *self._defines(members))
            )
        return tuple(sorted(found, key=lambda module: (module.role not in PRODUCT, -module.importance, module.path)))

    @cached_property
    def product(self) -> frozenset[str]:
        """The paths of the modules that belong to the product; of all modules if none does."""
        return frozenset(each.path for each in self.found if each.role in PRODUCT) or frozenset(self._members)

    @cached_property
    def product_dependencies(self) -> tuple[ModuleEdge, ...]:
        return tuple(e for e in self.dependencies if e.source in self.product and e.target in self.product)

    def _role(self, members: Sequence[Symbol]) -> FileRole:
        roles = Counter(self._material.roles[symbol.path] for symbol in members)
        return max(roles, key=lambda role: (roles[role], role))

    def _defines(self, members: Sequence[Symbol]) -> tuple[tuple[str, ...], str]:
        """Return the most important top-level definitions, public ones first, and the sentence `Module.first`."""
        material = self._material
        kinds = (CALLABLE_KINDS | TYPE_KINDS) - {"lambda"}
        top = [s for s in members if s.kind in kinds and material.is_top(s)]
        public = material.evidence.visibility.reason
        top.sort(key=lambda symbol: (not public(symbol), material.by_importance(symbol)))
        shown = list({symbol.name: symbol for symbol in reversed(top)}.values())[::-1][:NAMED]
        said = ((symbol.name, first_sentence(symbol.doc)) for symbol in shown if symbol.doc)
        first = next((text if text.startswith(name) else f"{name}: {text}" for name, text in said), "")
        return tuple(symbol.name for symbol in shown), first

    def _purpose(self, path: str, members: Sequence[Symbol]) -> tuple[str, str]:
        """Return the first sentence of a module's documentation, and the path of the file that contains it.

        For a folder, this is the documentation of its package file, such as ``__init__.py``, or its README.
        Documentation of other files in the folder is not used, because it does not describe the folder.
        """
        documented = [s for s in members if s.kind == "module" and s.doc]
        if path in self._material.files:
            return (first_sentence(documented[0].doc), path) if documented else ("", "")
        own = {*PACKAGE_FILES, posixpath.basename(path)}
        for symbol in documented:
            if posixpath.basename(symbol.path).partition(".")[0] in own:
                return first_sentence(symbol.doc), symbol.path
        return self.readme("" if path == "." else path)

    @cached_property
    def _readmes(self) -> Mapping[str, Sequence[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for name in README_NAMES:
            for path in self._material.sources:
                if posixpath.basename(path).lower() == name:
                    found[posixpath.dirname(path)].append(path)
        found[""] = found[""] or documents_of(self._material.sources, self._material.graph.catalog.roles)[:1]
        return found

    def readme(self, folder: str) -> tuple[str, str]:
        """Return the sentence that says what a folder is for, and the path of its README, or "" twice.

        The first page of the documentation stands for a missing README of the root.
        """
        said = (
            (readme_sentence(self._material.sources[path].text, folder.rpartition("/")[2]), path)
            for path in self._readmes.get(folder, ())
        )
        return next((each for each in said if each[0]), ("", ""))

    def rows(self, skipped: Sequence[Skipped]) -> list[Detail]:
        shown = [each for each in self.found if each.symbols or each.purpose or each.depends]
        rows = [*map(self._row, shown[:MOST_ROWS]), *self._other_rows()]
        if made := sorted(each.path for each in skipped if each.reason == GENERATED):
            total = f"generated, not indexed: {plural(len(made), 'file')}"
            rows.append(row(total, f"{total}: {shortened(made, NAMED)}"))
        return rows

    def _row(self, module: Module) -> Detail:
        name = module.path
        if module.role != "library":
            name += f" [{module.role}]"
        counted_here = plural(module.symbols, "definition")
        if module.path not in self._material.files:
            counted_here = f"{plural(module.files, 'file')}, {counted_here}"
        brief = f"{name}: {counted_here}"
        defines = f"defines {', '.join(module.defines)}" if module.defines else ""
        said = f"{name} ({counted_here}): {module.purpose or defines}" if module.purpose or defines else brief
        more = defines if module.purpose else module.first
        full = f"{said}; {more}" if more else said
        if not module.depends:
            return row(brief, said, full)
        number = plural(len(module.depends), "module")  # without it, a cut row would say that nothing is needed
        needs = shortened([f"{path} {count}" for path, count in module.depends], NAMED)
        return row(f"{brief} → {number}", f"{said} → {number}", f"{said} → {needs}", f"{full} → {needs}")

    def outline_rows(self) -> list[Detail]:
        """Return the outlines of the most important files: definitions with the number of symbols that use each."""
        material, ranks = self._material, self._material.graph.ranks
        of_file = {
            path: [s for s in symbols if s.kind in CALLABLE_KINDS | TYPE_KINDS and s.kind != "lambda"]
            for path, symbols in material.members_by_path.items()
            if path in material.product
        }
        of_file = {path: symbols for path, symbols in of_file.items() if symbols}
        rank = {path: sum(ranks[material.graph.vertex(s.id)] for s in symbols) for path, symbols in of_file.items()}
        rows = []
        for path in sorted(rank, key=lambda each: (-rank[each], each))[:_OUTLINED]:
            stars = "★" * (1 + sum(rank[path] >= share * max(rank.values()) for share in _STARS))
            users = {s.id: material.users(s, "CALLS", "USES") for s in of_file[path]}
            several = {s.fqn: s for s in sorted(of_file[path], key=lambda s: users[s.id])}  # overloads: the most used
            listed = sorted(several.values(), key=lambda s: (-users[s.id], s.line))
            named = [f"{s.name} {users[s.id]}" for s in listed]
            rows.append(row(*(f"{stars} {path}: {shortened(named, most)}" for most in (NAMED, MOST_NAMES))))
        return rows

    def _other_rows(self) -> Iterator[Detail]:
        """Yield a row for the tests, the examples and so on that are no modules of the map: folders and file counts."""
        folders: dict[str, Counter[str]] = defaultdict(Counter)
        for path, role in self._material.roles.items():
            if path not in self._material.files:
                folder = "/".join(posixpath.dirname(path).split("/")[:_FOLDER_PARTS]) or "."
                folders[role][folder] += 1
        for name, each in sorted(folders.items()):
            total = f"{name}: {plural(each.total(), 'file')}"
            yield row(total, f"{total} in {counted(each)}")

    @cached_property
    def _units(self) -> Mapping[str, BuildUnit]:
        return build_units(self._material.sources)

    @cached_property
    def units(self) -> Mapping[str, list[Module]]:
        """Folder of each build unit → its modules."""
        return grouped((module.unit.folder, module) for module in self.found if module.unit is not None)

    def unit_rows(self) -> list[Detail]:
        if len(self.units) < 2:
            return []
        unit = {module.path: folder for folder, modules in self.units.items() for module in modules}
        needs: dict[str, Counter[str]] = defaultdict(Counter)
        for edge in self.dependencies:
            source, target = unit.get(edge.source), unit.get(edge.target)
            if source is not None and target is not None and source != target:
                needs[source][target or "."] += edge.count
        sizes = {folder: sum(module.symbols for module in modules) for folder, modules in self.units.items()}
        rows = []
        for folder in sorted(sizes, key=lambda each: (-sizes[each], each)):
            unit_here = self._units[folder]
            roles = Counter(module.role for module in self.units[folder])
            most = max(roles, key=lambda each: (roles[each], each))
            said = (
                f"{unit_here.manifest}: {unit_here.name}, {most}, {plural(len(self.units[folder]), 'module')}, "
                f"{plural(sizes[folder], 'definition')}"
            )
            rows.append(row(said, f"{said} → {counted(needs[folder])}") if needs[folder] else row(said))
        return rows
