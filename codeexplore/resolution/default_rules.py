"""Rules for languages without rules of their own: imports and includes, scopes, the enclosing type, unique names."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from codeexplore.resolution.language_rules import (
    CONSTRUCTOR,
    FUNCTION,
    BuiltinModels,
    ClassRules,
    ConstructionRules,
    Effect,
    Located,
    ModuleRules,
    Overloading,
    Rules,
    ScopeRules,
    TypeRole,
    Units,
)
from codeexplore.types import FileFacts

_SEPARATORS: Final = re.compile(r"::|\\|/|\.")
_HEADERS: Final = frozenset({".h", ".hpp", ".hh", ".hxx", ".h++"})
_COMMON_METHODS = """
to_s to_string toString ToString equals Equals hashCode GetHashCode size length count Count get set add Add remove
Remove push pop append insert find contains Contains map filter each forEach begin end empty clear close Close open Open
read Read write Write first last join split trim format Format print run call apply let also next new init update delete
start stop reset name value data key keys values copy clone Dispose dispose initialize main test setUp tearDown
"""
_COMMON: Final = frozenset(_COMMON_METHODS.split())


class PlainLocator:
    """Module resolver that finds packages by name, and included files without a package by the end of their path.

    Files that name a package form one module. Every other file is a module of its own. The module of a header also
    offers the names of source files beside it with the same stem.
    """

    def __init__(self, files: Sequence[FileFacts], manifests: Mapping[str, str]) -> None:
        self.units = Units()
        self._top = self.units.add("")
        self._unit: list[int] = []
        self._folder = [posixpath.dirname(facts.path) for facts in files]
        self._ending: dict[str, list[int]] = {}  # name, with and without suffix → files without a package
        self._paths = [facts.path for facts in files]
        for index, facts in enumerate(files):
            stem = facts.path.rpartition(".")[0]
            if facts.module and facts.module not in (stem, facts.path):
                unit = self.units.make(self._top, _parts(facts.module))
            else:
                unit = self.units.add(facts.path)
                name = posixpath.basename(facts.path)
                for ending in {name, name.rpartition(".")[0]}:
                    self._ending.setdefault(ending, []).append(index)
            self.units.files[unit].append(index)
            self._unit.append(unit)
        self._headers: dict[int, int] = {}
        self._located = cache(self._locate)

    def unit_of(self, file: int) -> int:
        """Return the number of the module to which a file belongs: its package, or the file itself."""
        return self._unit[file]

    def locate(self, file: int, module: str) -> Located:
        """Return the package or file that `module` names, or a type inside a package."""
        return self._located(self._folder[file], module)

    def _locate(self, folder: str, module: str) -> Located:
        text = module.strip("\"'<>")
        found = self._by_path(folder, text)
        if found >= 0:
            return Located(self._offering(found))
        unit, parts = self._top, _parts(text)
        for place, part in enumerate(parts):
            child = self.units.child(unit, part)
            if child < 0:
                return Located(unit, "", tuple(parts[place:])) if place else Located(-1, text)
            unit = child
        return Located(unit) if parts else Located(-1, text)

    def _by_path(self, folder: str, text: str) -> int:
        """Return the file whose path ends in `text`: relative to the folder, else the only such file; -1 for none."""
        plain = posixpath.normpath(posixpath.join(folder, text))
        candidates = self._ending.get(posixpath.basename(text), [])
        wanted = posixpath.normpath(text).lstrip("./")
        matching = [f for f in candidates if f"/{self._paths[f]}".rpartition(".")[0].endswith("/" + wanted)]
        matching += [f for f in candidates if f"/{self._paths[f]}".endswith("/" + wanted)]
        for file in matching:
            if plain in (self._paths[file], self._paths[file].rpartition(".")[0]):
                return file
        return matching[0] if len(set(matching)) == 1 else -1

    def _offering(self, file: int) -> int:
        """Return the number of the module whose names an included file offers.

        For a header, this module includes the source files that implement it.
        """
        stem, suffix = posixpath.splitext(self._paths[file])
        if suffix not in _HEADERS:
            return self._unit[file]
        unit = self._headers.get(file)
        if unit is None:
            unit = self._headers[file] = self.units.add(self._paths[file])
            beside = self._ending.get(posixpath.basename(stem), ())
            sources = (f for f in beside if posixpath.splitext(self._paths[f])[1] not in _HEADERS)
            self.units.files[unit] += [file, *(f for f in sources if self._paths[f].startswith(stem + "."))]
        return unit


class NamespaceLocator(PlainLocator):
    """Module resolver for languages in which a file may have several namespaces, and imports may be relative (C#)."""

    def __init__(self, files: Sequence[FileFacts], manifests: Mapping[str, str]) -> None:
        super().__init__(files, manifests)
        for file, facts in enumerate(files):
            for place, symbol in enumerate(facts.symbols):
                if symbol.kind == "module" and symbol.parent is not None:
                    unit = self.units.make(self._top, _parts(symbol.fqn))
                    self.units.blocks.setdefault(unit, (file, place))
                    self.units.of_block[file, place] = unit

    def locate(self, file: int, module: str) -> Located:
        """Return the namespace that `module` names, or a type in it, as seen from the namespace of the file."""
        found, around = self._locate("", module), self._unit[file]
        while found.unit < 0 and (around := self.units.parent[around]) > self._top:
            unit = self.units.walk(around, _parts(module))
            found = Located(unit) if unit >= 0 else found
        return found


class RelativeLocator(NamespaceLocator):
    """Module resolver for packages and objects that are named as seen from the package of a file (Scala)."""

    def __init__(self, files: Sequence[FileFacts], manifests: Mapping[str, str]) -> None:
        super().__init__(files, manifests)
        tops = ({s.name for s in facts.symbols[1:] if s.parent == facts.symbols[0].id} for facts in files)
        self._offered: dict[int, set[str]] = {}  # package → names of its definitions
        for unit, names in zip(self._unit, tops, strict=True):
            self._offered.setdefault(unit, set()).update(names)

    def locate(self, file: int, module: str) -> Located:
        """Return the package that `module` begins with, or the package around the file that defines its first name."""
        (first, *rest), around = _parts(module) or [""], self._unit[file]
        while around >= 0:
            unit = self.units.child(around, first)
            if unit >= 0:
                while rest and (child := self.units.child(unit, rest[0])) >= 0:
                    unit = child
                    rest.pop(0)
                return Located(unit, "", tuple(rest))
            if first in self._offered.get(around, ()):
                return Located(around, "", (first, *rest))
            around = self.units.parent[around]
        return Located(-1, module)


class WholeNameLocator(PlainLocator):
    """Module resolver that finds packages by their whole names only: an import never means a file."""

    def _locate(self, folder: str, module: str) -> Located:
        unit = self.units.walk(self._top, _parts(module))
        return Located(unit) if unit >= 0 else Located(-1, module)


def _parts(module: str) -> list[str]:
    return [part for part in _SEPARATORS.split(module) if part]


_SAME = """
unique_ptr shared_ptr weak_ptr optional Optional Nullable Lazy Task ValueTask reference_wrapper atomic Deferred Future
"""
_SEQUENCES = """
vector list set deque array span unordered_set List IList Array Set HashSet Seq Vector IEnumerable ICollection
IReadOnlyList IReadOnlyCollection Iterable Iterator Collection Sequence MutableList MutableSet ArrayList Option Queue
Stack IAsyncEnumerable Flow
"""
_MAPS = """
map unordered_map Map Dictionary IDictionary IReadOnlyDictionary ConcurrentDictionary HashMap MutableMap LinkedHashMap
"""
_NOTHING = "void int bool string Unit Any Int String Boolean Bool"
TYPES: Final[Mapping[str, TypeRole]] = MappingProxyType(
    {
        **dict.fromkeys(_SAME.split(), "same"),
        **dict.fromkeys(_SEQUENCES.split(), "sequence"),
        **dict.fromkeys(_MAPS.split(), "map"),
        **dict.fromkeys(_NOTHING.split(), "nothing"),
    }
)
_METHODS: Final[Mapping[Effect, str]] = {
    "element": """
        front back at first last firstOrNull lastOrNull getOrNull single singleOrNull elementAt elementAtOrNull find
        findLast random randomOrNull randomElement min max minBy maxBy minOrNull maxOrNull minByOrNull maxByOrNull head
        removeFirst removeLast removeFirstOrNull removeLastOrNull removeAt popFirst popLast pop peek poll get getValue
        First FirstOrDefault Last LastOrDefault Single SingleOrDefault ElementAt ElementAtOrDefault Find FindLast MinBy
        MaxBy Peek Pop Dequeue Current GetValueOrDefault
        """,
    "else": "getOrElse getOrDefault getOrPut orElse",
    "same": """
        filter filterNot filterNotNull sorted sortedBy sortedByDescending sortedWith sortedDescending sortBy reversed
        reverse asReversed shuffled take takeLast takeWhile drop dropLast dropWhile dropFirst prefix suffix distinct
        distinctBy distinctUntilChanged toList toMutableList toSet toMutableSet toSeq toVector toArray toTypedArray
        asSequence asIterable toIndexedSeq onEach iterator lazy tail init subList slice plus minus associateBy
        filterValues filterKeys toSortedMap toMap toMutableMap headOption lastOption Where OrderBy OrderByDescending
        ThenBy ThenByDescending Skip SkipLast SkipWhile Take TakeLast TakeWhile Distinct DistinctBy Reverse ToList
        ToArray ToHashSet AsEnumerable AsQueryable AsParallel AsNoTracking Concat Union Except Intersect DefaultIfEmpty
        ToImmutableArray ToImmutableList AsReadOnly GetRange FindAll Include ThenInclude
        """,
    "values": "values Values valuesIterator",
    "pairs": "withIndex enumerated",
    "iterated": "entries",
    "entries": "groupBy GroupBy chunked windowed partition grouped Chunk span",
    "each": """
        forEach forEachIndexed foreach ForEach any all none exists forall contains allSatisfy removeAll removeIf
        retainAll count sumOf sumBy indexOfFirst indexOfLast firstIndex lastIndex joinToString associate associateWith
        Any All Count Sum Max Min Average RemoveAll Exists TrueForAll FindIndex ToDictionary mapValues mapKeys ToLookup
        TryGetValue TryPeek TryDequeue TryPop TryTake TryRemove
    """,
    "map": "map mapNotNull mapIndexed compactMap collect Select ConvertAll",
    "call": "Invoke flatMap SelectMany firstNotNullOf firstNotNullOfOrNull",
    "compare": "sort sortWith Sort",
    "fold": "reduce fold foldLeft foldRight Aggregate",
    "key": "key Key _1 component1",
    "value": "value Value _2 component2 second",
}
METHODS: Final = MappingProxyType({name: effect for effect, names in _METHODS.items() for name in names.split()})
"""Methods and properties of containers, in the languages that have no rules of their own; see `Effect`."""


_VARIABLE: Final = re.compile(r"[A-Z]\d?|T[A-Z]\w*")
"""Usual form of a type parameter: ``T``, ``K2``, ``TValue``."""


def _fit_among(supers: Mapping[str, Container[str]]) -> Callable[[str, str], float]:
    """Return the function `Overloading.fit` for a language whose built-in types have these supertypes."""
    built_in = frozenset((*supers, FUNCTION))

    def fit(wanted: str, given: str) -> float:
        if wanted == given:
            return 2.0
        if wanted in supers.get(given, ()) or wanted == "Any":
            return 1.0
        return -1.0 if wanted in supers and given in built_in else 0.0

    return fit


def plain(
    family: str,
    *,
    constructors: tuple[str, ...] = ("initialize", "__construct", "constructor", "init"),
    overloads: bool = False,
    namespaces: bool = False,
    types: Mapping[str, TypeRole] = MappingProxyType({}),
    **changes: Mapping[str, Any],
) -> Rules:
    """Return default rules for a family of languages, changed in some fields.

    Without `constructors`, they are written with the name of their type. `overloads` are chosen by the types of
    arguments, `types` are special names of types. With `namespaces`, a file may have several of them. `changes` maps
    the name of a group of `Rules` to the fields that differ in it.
    """
    rules = Rules(
        family=family,
        modules=ModuleRules(locator=NamespaceLocator if namespaces else PlainLocator),
        scopes=ScopeRules(members_visible=True, bare_by_name=True),
        classes=ClassRules(
            instance_names=frozenset({"this", "self", "$this", "@"}), super_names=frozenset({"super", "base", "parent"})
        ),
        construction=ConstructionRules(
            constructors=constructors or (CONSTRUCTOR,), constructor_is_class=not constructors, constructor_word="new"
        ),
        builtins=BuiltinModels(
            common_methods=_COMMON,
            types=MappingProxyType({**TYPES, **types}),
            map_gives="pairs",
            container_methods=METHODS,
        ),
        overloading=Overloading(decides=overloads, is_variable=lambda name: _VARIABLE.fullmatch(name) is not None),
    )
    groups = {group: replace(getattr(rules, group), **fields) for group, fields in changes.items()}
    rules = replace(rules, **groups)
    if supers := rules.overloading.outside_supers:
        rules = replace(rules, overloading=replace(rules.overloading, fit=_fit_among(supers)))
    return rules
