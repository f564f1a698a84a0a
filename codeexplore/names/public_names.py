"""Public names: finds the meaning of ``flask.Flask``, ``nx.shortest_path`` or ``zod.string`` in a repository."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import PurePosixPath
from typing import Final

from codeexplore.index.catalog import Catalog
from codeexplore.index.qualified_names import STUBS, name_parts
from codeexplore.languages import registry
from codeexplore.languages.file_roles import PACKAGE_FILES
from codeexplore.names.lookup import Definition, Family, Lookup, Module, Thing
from codeexplore.types import TEXT_KINDS, FileFacts, Symbol

_REMEMBERED: Final = 1_024
_NESTED: Final = frozenset({"field", "lambda", "module"}) | TEXT_KINDS
_JOINT: Final = re.compile(r"::|[./#:]")
_MOST_PARTS: Final = 20
"""Maximal number of parts of a name."""
_ALIASES_READ: Final = 60
"""Maximal number of files that are read to find the meaning of an alias such as ``nx``."""
_MOST_OWNERS: Final = 20
"""Maximal number of types with the same name whose members completion offers."""
_MOST_FRONTS: Final = 20
"""Maximal number of packages of a language that are asked for a name."""
_APART: Final = frozenset({"test", "example", "benchmark", "docs", "vendored", "generated", "migration", "compat"})


class PublicNames:
    """Finds symbols by their public names.

    `facts` returns the facts of the file at a path, and may raise DamagedIndex. `text` returns its text, "" if the
    index has none. `manifests` returns the texts of files that name packages; see `source.manifests.manifests_of`.
    """

    def __init__(
        self,
        catalog: Catalog,
        facts: Callable[[str], FileFacts],
        text: Callable[[str], str],
        manifests: Callable[[Iterable[tuple[str, str]]], Mapping[str, str]],
    ) -> None:
        self._catalog, self._facts, self._text, self._manifests = catalog, facts, text, manifests
        self.find = lru_cache(maxsize=_REMEMBERED)(self._find)
        self.find_loosely = lru_cache(maxsize=_REMEMBERED)(self._find_loosely)
        self._rank_as = lru_cache(maxsize=None)(self._rank)
        self._at_front = lru_cache(maxsize=_REMEMBERED)(self._offered_at_front)

    @cached_property
    def _families(self) -> list[Family]:
        groups: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
        rules = {}
        for path in self._catalog.paths():
            module = self._catalog.symbols[self._catalog.symbol_rows_in(path)[0]]
            spoken = registry.rules_of(module.language)
            if spoken is not None:
                rules[spoken.family] = spoken
                groups[spoken.family].append((path, module.language, module.fqn))
        return [Family(rules[name], files, self._facts, self._manifests) for name, files in groups.items()]

    # ----------------------------------------------------------------- meaning of a name

    def _find(self, name: str) -> tuple[Symbol, ...]:
        """Return the symbols that `name` means if it begins with the whole name of a module or package."""
        ways = ((head, rest, family) for head, rest in splits(name) for family in self._families)
        return self._first((_modules(family, family.modules(head)), rest) for head, rest, family in ways)

    def _first(self, ways: Iterable[tuple[Sequence[Thing], Sequence[str]]]) -> tuple[Symbol, ...]:
        """Return the symbols of the first of some ways to read a name: things, and the names that follow from them."""
        found = (self._symbols(self._lookup.answer(things, rest)) for things, rest in ways if things)
        return next(filter(None, found), ())

    def _find_loosely(self, name: str) -> tuple[Symbol, ...]:
        """Return the symbols that `name` means if its beginning is not the whole name of a module.

        It may begin with the end of a module's name, with a type, or with an alias of a module.
        """
        parts = name_parts(name)
        return self._first(self._loose_ways(name)) or (self.renamed(parts) if len(parts) > 1 else ())

    def _loose_ways(self, name: str) -> Iterator[tuple[Sequence[Thing], Sequence[str]]]:
        for head, rest in splits(name):
            for family in self._families:
                first, _, further = head.partition("::")
                ending = further if first in family.rules.modules.keywords else head  # crate::a of any crate
                yield _modules(family, family.modules_ending(ending)), rest
        for head, rest in splits(name):
            owners = (self._place(symbol) for symbol in self._catalog.find(head) if symbol.kind not in TEXT_KINDS)
            yield [owner for owner in owners if owner is not None], rest
        parts = name_parts(name)
        for family in self._families if len(parts) > 1 else ():
            yield _modules(family, self._called(family, parts[0])), parts[1:]

    def renamed(self, parts: Sequence[str]) -> tuple[Symbol, ...]:
        """Return what a name means whose first part imports give to a thing: ``from b import run as start_it``."""
        aliased = ((family, self._aliased(family, parts[0])) for family in (self._families if parts else ()))
        meant = ((family, unit, members) for family, found in aliased for unit, members in found)
        return self._first(([Module(family, unit)], (*members, *parts[1:])) for family, unit, members in meant)

    def _called(self, family: Family, name: str) -> Sequence[int]:
        """Return the modules whose files declare this name: ``package redis`` of Go in a folder go-redis."""
        modules = (symbol for symbol in self._catalog.named(name) if symbol.kind == "module" and symbol.name == name)
        files = (family.numbers[module.path] for module in modules if module.path in family.numbers)
        return list(dict.fromkeys(map(family.locator.unit_of, files)))

    def _aliased(self, family: Family, alias: str) -> Sequence[tuple[int, tuple[str, ...]]]:
        """Return the module, and the names in it, that most imports of the repository call `alias`."""
        if not alias.isidentifier():
            return ()
        word = rf"\b{re.escape(alias)}\b"
        imports = re.compile(rf"\b(?:import|as|use|using|require)\b.{{0,200}}{word}|{word}.{{0,200}}\brequire\b")
        counted: Counter[tuple[int, tuple[str, ...]]] = Counter()
        read = 0
        for file, (path, _, _) in enumerate(family.files):
            text = self._text(path)
            if alias not in text or not imports.search(text):
                continue
            for row in family.facts(file).imports:
                renamed = row.name == alias != row.member
                if renamed and (found := family.locator.locate(file, row.module)).unit >= 0:
                    counted[found.unit, (*found.rest, *filter(None, (row.member,)))] += 1
            read += 1
            if read == _ALIASES_READ:
                break
        return [meant for meant, _ in counted.most_common(1)]

    @cached_property
    def _lookup(self) -> Lookup:
        return Lookup(self._catalog, self._place, self._text)

    def _place(self, symbol: Symbol) -> Definition | None:
        """Return the definition of a symbol; None for a symbol of a text file."""
        for family in self._families:
            file = family.numbers.get(symbol.path)
            if file is not None:
                for scope, each in enumerate(family.facts(file).symbols):
                    if each.id == symbol.id:
                        return Definition(family, file, scope)
        return None

    def _symbols(self, things: Sequence[Thing]) -> tuple[Symbol, ...]:
        found: dict[str, Symbol] = {}
        for thing in things:
            if isinstance(thing, Definition):
                found[thing.symbol.id] = thing.symbol
            elif isinstance(thing, Module):
                for file in thing.family.locator.units.files[thing.unit]:
                    module = self._catalog.in_file(thing.family.files[file][0])[0]
                    found[module.id] = module
        return tuple(found.values())

    def named_by(self, symbol: Symbol) -> tuple[Symbol, ...]:
        """Return what a constant or field is another name of; the symbol if it is none, or has a chunk of its own."""
        row = self._catalog.chunk_row_for(symbol.id) if symbol.kind in ("constant", "field") else None
        alias = row is not None and self._catalog.chunks[row].symbol != symbol.id
        place = self._place(symbol) if alias else None
        found = [] if place is None else self._lookup.named_by(place)
        return self._symbols(found) or (symbol,)

    def in_some_builds(self, symbol: Symbol) -> bool:
        """Return True if only some builds contain the symbol's file; other symbols of its name come first."""
        place = self._place(symbol)
        return place is not None and place.family.is_second(place.file)

    # ----------------------------------------------------------------- completion

    def offered(self, head: str) -> Sequence[str]:
        """Return, sorted, the names that the module or type `head` offers; empty if there is no such module or type."""
        things: list[Thing] = []
        for family in self._families:
            things += _modules(family, family.modules(head))
        if not things:
            placed = (self._place(symbol) for symbol in self._catalog.find(head)[:_MOST_OWNERS])
            things = [place for place in placed if place is not None]
        names: set[str] = set()
        for thing in things:
            names |= self._lookup.names(thing)
        return sorted(name for name in names if name.isidentifier())

    # ----------------------------------------------------------------- order of several answers

    def rank(self, symbol: Symbol, name: str = "") -> tuple[bool, bool, bool, int, int]:
        """Return the sort key of `_rank`; `name` is the name in question, if it is not the symbol's own."""
        return self._rank_as(symbol, name or symbol.name)

    def _rank(self, symbol: Symbol, name: str) -> tuple[bool, bool, bool, int, int]:
        """Return a sort key for several symbols that `name` may mean.

        What a package offers under the name comes first, then public definitions, then private definitions, then
        definitions in tests, examples and the like. Among equals, definitions of outer scopes and with shorter names
        come first.
        """
        parts = name_parts(symbol.fqn)
        private = any(part.startswith("_") and not part.endswith("__") for part in parts)
        nested = symbol.kind in _NESTED or symbol.parent is None
        apart = self._catalog.roles.of(symbol.path) in _APART
        offered = symbol.id in self._at_front(name)
        inner = int(nested) + (symbol.kind == "method") + (symbol.name != name)
        return (apart, not offered, private, inner, len(parts))

    @cached_property
    def _fronts(self) -> list[Thing]:
        """The packages that users import: the outermost modules of one file, where there are files for packages."""
        fronts: list[Thing] = []
        for family in self._families:
            depths: dict[tuple[bool, int], list[Thing]] = defaultdict(list)
            for file, (path, _, name) in enumerate(family.files):
                unit = family.locator.unit_of(file)
                sources = [f for f in family.locator.units.files[unit] if not family.files[f][0].endswith(STUBS)]
                if self._catalog.roles.of(path) not in _APART and sources == [file]:
                    is_package = PurePosixPath(path).stem in PACKAGE_FILES
                    depths[not is_package, len(name_parts(name))].append(Module(family, unit))
            fronts += depths[min(depths)][:_MOST_FRONTS] if depths else []
        return fronts

    def _offered_at_front(self, name: str) -> frozenset[str]:
        """Return the ids of the symbols that ``from package import name`` gives."""
        return frozenset(s.id for front in self._fronts for s in self._symbols(self._lookup.answer([front], (name,))))


def _modules(family: Family, units: Iterable[int]) -> list[Thing]:
    return [Module(family, unit) for unit in units]


def splits(name: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each way to split a name into a beginning and further names, longest beginning first."""
    name = name.strip().removesuffix("()")
    joints = list(_JOINT.finditer(name))[:_MOST_PARTS]
    for joint in reversed(joints):
        head, rest = name[: joint.start()], name_parts(name[joint.end() :])
        if head and rest:
            yield head, rest
