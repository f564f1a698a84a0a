"""Things that a name may mean: modules, definitions, literals, and instances of definitions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import NamedTuple, TypeAlias

from codeexplore.index.qualified_names import STUBS, name_parts
from codeexplore.resolution.language_rules import ModuleResolver, Rules
from codeexplore.types import CALLABLE_KINDS, LEFT_OUT, TYPE_KINDS, FileFacts, Symbol


class Family:
    """Files of one language family, whose names are resolved together: (path, language, module name) of each.

    `facts` returns the facts of the file at a path. `manifests` maps (path, language) pairs to the texts, by path, of
    the files beside or above them that name packages.
    """

    def __init__(
        self,
        rules: Rules,
        files: Sequence[tuple[str, str, str]],
        facts: Callable[[str], FileFacts],
        manifests: Callable[[Iterable[tuple[str, str]]], Mapping[str, str]],
    ) -> None:
        self.rules = rules
        self.files = files
        self._manifests = manifests
        self.facts = cache(lambda file: facts(files[file][0]))
        self.numbers = {path: number for number, (path, _, _) in enumerate(files)}

    @cached_property
    def locator(self) -> ModuleResolver:
        """Resolver of module names, built from paths, module names and manifests. It needs no facts."""
        stubs = [FileFacts(path, language, module, ()) for path, language, module in self.files]
        return self.rules.modules.locator(stubs, self._manifests((path, language) for path, language, _ in self.files))

    @cached_property
    def _by_module(self) -> Mapping[tuple[str, ...], Sequence[int]]:
        found: dict[tuple[str, ...], dict[int, None]] = defaultdict(dict)
        for file, (_, _, module) in enumerate(self.files):
            found[name_parts(module)][self.locator.unit_of(file)] = None
        return {parts: tuple(units) for parts, units in found.items()}

    @cached_property
    def _by_last(self) -> Mapping[str, Sequence[tuple[str, ...]]]:
        found: dict[str, list[tuple[str, ...]]] = defaultdict(list)
        for parts in self._by_module:
            if parts:
                found[parts[-1]].append(parts)
        return found

    def modules(self, name: str) -> Sequence[int]:
        """Return the modules with exactly this name, else the module that an import of this name would mean."""
        if exact := self._by_module.get(name_parts(name)):
            return exact
        if not self.files or not name.strip("./:#"):
            return ()
        found = self.locator.locate(0, name)
        return () if found.unit < 0 or found.rest else (self._implementation(found.unit),)

    def _implementation(self, unit: int) -> int:
        """Return the module beside a stub file (``.d.ts``) of the same name; the module itself if there is none."""
        files = self.locator.units.files[unit]
        path = self.files[files[0]][0] if len(files) == 1 else ""
        stub = next((ending for ending in STUBS if path.endswith(ending)), "")
        if not stub:
            return unit
        stem = path.removesuffix(stub) + "."
        beside = (n for p, n in self.numbers.items() if p.startswith(stem) and not p.endswith(STUBS))
        return next(
            (self.locator.unit_of(file) for file in beside if "/" not in self.files[file][0][len(stem) :]), unit
        )

    def is_second(self, file: int) -> bool:
        """Return True for stubs and files of some builds: definitions in other files of the module come first."""
        path = self.files[file][0]
        return path.endswith(STUBS) or any(row.name == LEFT_OUT for row in self.facts(file).bindings)

    def modules_ending(self, name: str) -> Iterator[int]:
        """Yield the numbers of the modules whose names end in `name`, after a separator."""
        parts = name_parts(name)
        for whole in self._by_last.get(parts[-1], ()) if parts else ():
            if whole[-len(parts) :] == parts:
                yield from self._by_module[whole]


class Module(NamedTuple):
    """A module, package or namespace of a family. `unit` is its number."""

    family: Family
    unit: int


class Definition(NamedTuple):
    """A symbol, by its family, its file and its position in the facts of the file."""

    family: Family
    file: int
    scope: int  # index of the symbol in the facts of its file

    @property
    def symbol(self) -> Symbol:
        return self.family.facts(self.file).symbols[self.scope]

    @property
    def around(self) -> int:
        """The index of the symbol around it; 0, that of the module, if there is none."""
        symbols, parent = self.family.facts(self.file).symbols, self.symbol.parent
        return next((n for n, symbol in enumerate(symbols) if symbol.id == parent), 0)


class Literal(NamedTuple):
    """A dictionary or object literal whose entries have names.

    `root` is its name in the facts, such as ``%dict:3:8``.
    """

    family: Family
    file: int
    scope: int
    root: str


class Instance(NamedTuple):
    """A value made by calling a type or function, or declared with a type."""

    of: Definition


Thing: TypeAlias = "Module | Definition | Literal | Instance"


def is_code(thing: Thing) -> bool:
    return isinstance(thing, Definition) and thing.symbol.kind in (TYPE_KINDS | CALLABLE_KINDS)


def distinct(things: Iterable[Thing]) -> list[Thing]:
    return list(dict.fromkeys(things))
