"""Python test files that a change can affect, by imports and by the names that code mentions.

A test file that imports a package depends on all of its modules if ``__init__.py`` imports them. Few of these tests can
run changed code, because code runs only if something names it. So a file counts as affected if two things are true: it
imports the changed file, directly or through others, and it mentions the changed name, or the name of a definition that
mentions it, and so on. The unit is a definition at the top level of a module. A class is one unit: its methods run only
if something creates an instance, which needs the name of the class or of a subclass. Of these files, those remain that
also reach the changed definition if each method is looked at alone (`NameReach`). Dotted names in strings count, and
other words in strings of files that look up names at run time.

Code that passes a module on as a value (``inspect.getmembers(text)``, ``doctest.testmod(text)``), or names it in a
string, may use any of its definitions.

Code that runs when a module is imported affects all files that import the module: statements that define no name,
definitions with a decorator that may register them, and subclasses of a class that registers them.

The closure over names is that of name-based call graphs (Reif et al., "Judge", 2019); the limit to imported files is
the "firewall" of regression test selection. What escapes: names that are built at run time, and code that other
programs start.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache, cached_property
from itertools import takewhile
from typing import Literal, NamedTuple, TypeAlias

from codeexplore.features.review.impact import ImportedFiles
from codeexplore.features.review.public_interface import EMPTY_BASES
from codeexplore.features.review.records import Comparison, Side, SymbolChange
from codeexplore.features.review.tests.name_units import (
    HARMLESS,
    LOADERS,
    NameUnits,
    Unit,
    imports_of,
    names_module,
    passes_on,
    words_in,
)
from codeexplore.types import Symbol, SymbolKind
from codeexplore.types.rows import grouped

_REGISTERS = frozenset({"__init_subclass__", "__subclasses__", "metaclass"})
Reach: TypeAlias = Literal["file", "importers", "all"]
"""Files in which a word can mean a changed name: the defining one, also those that import it, or all of them. Code that
calls a method need not import its class."""


class _Seed(NamedTuple):
    """A name that a change affects, and the file that defines it."""

    path: str
    name: str
    reach: Reach = "importers"
    runs: bool = False  # the import of the file itself changed
    word: bool = False  # no definition, but a name that the file imports


class NameClosure:
    """The Python files that a comparison can affect. See the module's documentation."""

    def __init__(self, comparison: Comparison, imported: ImportedFiles) -> None:
        self._comparison, self._side = comparison, comparison.new
        self._units = NameUnits(comparison.new.sources)
        self._depends_on = cache(imported.all_importers)  # files that import a file, directly or through others
        self._closure = cache(self._followed)
        self._passing_on = cache(self._units_passing_on)

    def affected(self, starts: Iterable[str]) -> frozenset[str]:
        """Return those of `starts` that a change can affect: paths of files, or ``path::name`` for a definition."""
        wanted, found, followed = defaultdict[str, set[str]](set), set[str](), []
        for start in starts:
            wanted[start.partition("::")[0]].add(start)
        for seeds, named in self._named:
            near = set[str]().union(*(wanted[path] for path in named & wanted.keys()))
            if any(seed.runs or self._runs(seed) for seed in seeds):  # each file that imports the changed one
                found |= near
            elif near:
                followed.append((seeds, near))
        if followed:
            reach = self._reach(set[str]().union(*(near for _, near in followed)))
            for seeds, near in followed:
                found |= near & (self._reaching(reach, seeds) | wanted[seeds[0].path])
        return frozenset(found)

    def loading(self, starts: Collection[str]) -> frozenset[str]:
        """Return those of `starts` that can reach code which loads definitions by names from elsewhere."""
        if not any(map(self._units.mentioning, LOADERS)):
            return frozenset()
        reach = self._reach(starts)
        return reach.starts(reach.loaders)

    @cached_property
    def _named(self) -> list[tuple[tuple[_Seed, ...], frozenset[str]]]:
        """The names of each change, all of them necessary, and the files that mention names which lead to them."""
        return [
            (seeds, frozenset.intersection(*(self._closure(seed) for seed in seeds)))
            for change in self._comparison.symbols
            for seeds in self._seeds(change)
        ]

    @staticmethod
    def _reaching(reach: NameReach, seeds: Sequence[_Seed]) -> frozenset[str]:
        first, *others = seeds
        if first.word:
            bits = reach.to_word(first.path, first.name, lent=first.reach == "importers")
        else:
            bits = reach.to_definition(first.path, first.name, *(each.name for each in others))
        return reach.starts(bits)

    def _reach(self, starts: Iterable[str]) -> NameReach:
        units = [
            unit._replace(runs=unit.runs or any(self._starts_itself(unit.path, name) for name in unit.names))
            for unit in self._units.every()
        ]
        return NameReach(units, sorted(starts), self._depends_on, self._is_called)

    def _starts_itself(self, path: str, name: str) -> bool:
        """Return True for hooks of pytest and for classes that register themselves."""
        hook = posixpath.basename(path) == "conftest.py" and name.startswith("pytest_")
        return hook or name in self._registering

    def _is_called(self, owner: Unit, method: Unit) -> bool:
        """Return True if Python or a library may call a method, or if its definition is not clear."""
        classes = self._methods_by_class.get((owner.path, owner.names[0]), [])
        found = [each for each in classes if each[1].name == method.names[0]]
        return not found or any(self._is_called_from_outside(*each) for each in found)

    @cached_property
    def _methods_by_class(self) -> dict[tuple[str, str], list[tuple[Symbol, Symbol]]]:
        classes = {symbol.id: symbol for symbol in self._classes}
        owned = ((classes[s.parent], s) for s in self._of_kind("method") if s.parent in classes)
        return grouped(((method.path, owner.name), (owner, method)) for owner, method in owned)

    def _seeds(self, change: SymbolChange) -> Iterator[tuple[_Seed, ...]]:
        for side, symbol in ((self._comparison.old, change.old), (self._comparison.new, change.new)):
            if symbol is None or symbol.language != "python":
                continue
            if symbol.kind != "module":
                if change.is_code:
                    yield self._names(side, symbol)
                    for unit in self._passing_on(side.catalog.in_file(symbol.path)[0]):
                        yield from ((_Seed(unit.path, name, runs=unit.runs),) for name in unit.names or ("",))
            elif change.kind in ("added", "removed") or "body" in change.aspects:
                yield (_Seed(symbol.path, "", runs=True),)
            elif "imports" in change.aspects and change.old is not None and change.new is not None:
                before = _imported_words(self._comparison.old, change.old.path)
                after = _imported_words(self._comparison.new, change.new.path)
                for word in sorted(before.keys() ^ after.keys()):
                    lends = (before.get(word) or after.get(word)) and self._is_taken(symbol.path, word)
                    reach: Reach = "importers" if lends else "file"
                    yield (_Seed(symbol.path, word, reach, word=True),)

    def _names(self, side: Side, symbol: Symbol) -> tuple[_Seed, ...]:
        """Return the names that code must mention to run a symbol: that of its class too, for a method."""
        around = _top_level(side, symbol)
        own = _Seed(symbol.path, around.name)
        if symbol.kind != "method" or around.id != symbol.parent or self._is_called_from_outside(around, symbol):
            return (own,)
        return own, _Seed(symbol.path, symbol.name, "all")

    def _units_passing_on(self, module: Symbol) -> list[Unit]:
        """Return the statements that pass a module on as a value, by an imported name, or name it in a string."""
        last, found = module.fqn.rpartition(".")[2], list[Unit]()
        for path in {unit.path for unit in self._units.mentioning(last)} - {module.path}:
            text = self._side.sources[path].text
            imports = self._side.files.facts(path).imports if path in self._depends_on(module.path) else ()
            names = {row.name for row in imports if last in (row.member, row.member or row.module.rpartition(".")[2])}
            if imports and "." in module.fqn:
                names.add(module.fqn)  # import pkg; vars(pkg.text)
            words = {name.rpartition(".")[2] for name in names if passes_on(text, name)}
            quoted = {last} if names_module(text, module.fqn) else frozenset()
            found += [unit for unit in self._units.of(path) if words & unit.words or quoted & unit.quoted]
        return found

    def _is_called_from_outside(self, owner: Symbol, method: Symbol) -> bool:
        """Return True if Python or a library may call a method without its name in the repository."""
        if method.name.startswith("__") or not self._units.mentioning(method.name):
            return True
        if any(each.partition("(")[0].rpartition(".")[2] not in HARMLESS for each in method.decorators):
            return True
        bases = frozenset(words_in(owner.signature.partition("(")[2]))
        return bool(bases - self._class_names - EMPTY_BASES)

    def _is_taken(self, path: str, word: str) -> bool:
        """Return True if other code may take a name from a file that imports it: ``from file import word``."""
        name = posixpath.basename(path)
        if name == "__init__.py":
            return True
        both = {name.removesuffix(".py"), word}
        if any(both <= unit.words for unit in self._units.mentioning(word)):  # file.word
            return True
        importing = [self._side.sources[each].text for each in self._depends_on(path) if each in self._units]
        return any(
            both <= (words := set(words_in(statement))) or (both - words == {word} and "*" in statement)
            for text in importing
            for statement in imports_of(text)
        )

    def _followed(self, start: _Seed) -> frozenset[str]:
        """Return the files that a changed name can affect."""
        files, running, seen, waiting = {start.path}, set[str](), {start}, [start]
        while waiting:
            seed = waiting.pop()
            if seed.runs or self._runs(seed):
                running.add(seed.path)
            for unit in self._mentions(seed):
                files.add(unit.path)
                if unit.runs:
                    running.add(unit.path)
                more = {_Seed(unit.path, name) for name in unit.names} - seen
                seen |= more
                waiting += more
        return frozenset(files).union(*map(self._depends_on, running))

    def _mentions(self, seed: _Seed) -> Iterator[Unit]:
        """Yield the units that may mean the seed by a word."""
        near = self._depends_on(seed.path) if seed.reach == "importers" else frozenset()
        for unit in self._units.mentioning(seed.name):
            quoted = seed.reach == "importers" and seed.name in unit.quoted
            if unit.path == seed.path or unit.path in near or quoted or seed.reach == "all":
                yield unit

    def _runs(self, seed: _Seed) -> bool:
        """Return True if importing the file runs the definition, or if pytest does."""
        return self._starts_itself(seed.path, seed.name) or seed.name in self._units.running(seed.path)

    def _of_kind(self, kind: SymbolKind) -> list[Symbol]:
        catalog = self._side.catalog
        symbols = (catalog.symbols[row] for row, each in enumerate(catalog.symbols.kinds) if each == kind)
        return [symbol for symbol in symbols if symbol.language == "python"]

    @cached_property
    def _classes(self) -> list[Symbol]:
        return self._of_kind("class")

    @cached_property
    def _class_names(self) -> frozenset[str]:
        return frozenset(symbol.name for symbol in self._classes)

    @cached_property
    def _registering(self) -> frozenset[str]:
        """Names of classes that register their subclasses, and of these subclasses."""
        found = {name for word in _REGISTERS for unit in self._units.mentioning(word) for name in unit.names}
        found &= self._class_names
        bases = [(symbol.name, frozenset(words_in(symbol.signature.partition("(")[2]))) for symbol in self._classes]
        grown = True
        while grown:
            more = {name for name, words in bases if words & found} - found
            found |= more
            grown = bool(more)
        return frozenset(found)


def _top_level(side: Side, symbol: Symbol) -> Symbol:
    """Return the definition at the top level of the module around a symbol."""
    around = takewhile(lambda each: each.kind != "module", side.catalog.all_around(symbol))
    return [symbol, *around][-1]


def _imported_words(side: Side, path: str) -> dict[str, bool]:
    """Return the words of the imports of a file, and for each if other files can import it from there again."""
    found: dict[str, bool] = {}
    for statement in imports_of(side.sources[path].text):
        for word in words_in(statement):
            found[word] = found.get(word, False) or statement.lstrip().startswith("from")
    return found


class NameReach:
    """The definitions and words that each of some test files, or definitions in them, can reach by mentioned names.

    `NameClosure` follows names from a change to the files that mention them, with a class as one unit. This class
    follows them the other way, from each test file, and looks at each method alone: a method runs only if reached code
    mentions its name, and its class or a subclass. That is a name-based form of rapid type analysis (Bacon and Sweeney
    1996). All are followed together: each word and each definition has a bit set of the starts that reach it.

    `importers` returns the files that import a path, directly or through others. `is_called` tells if Python or a
    library may call a method of a class without its name in the repository.
    """

    def __init__(
        self,
        units: Iterable[Unit],
        starts: Sequence[str],
        importers: Callable[[str], frozenset[str]],
        is_called: Callable[[Unit, Unit], bool],
    ) -> None:
        self._importers, self._is_called = importers, is_called
        self._bits = {start: 1 << number for number, start in enumerate(starts)}
        self._whole: dict[str, int] = defaultdict(int)  # path → the bits of all starts in the file
        for start, bit in self._bits.items():
            self._whole[start.partition("::")[0]] |= bit
        self._imports = cache(self._files_importing)
        self._defining: dict[str, list[Unit]] = defaultdict(list)  # name → units at the top level
        self._methods: dict[str, list[tuple[int, Unit]]] = defaultdict(list)  # name → id of the class, method
        self._words: dict[str, int] = defaultdict(int)
        self._quoted: dict[str, int] = defaultdict(int)
        self._reached: dict[int, int] = defaultdict(int)  # id of a unit → files
        self.loaders = 0  # starts that reach code which loads definitions by names from elsewhere
        self._loading = 0  # files that import others at run time
        self._to_load = 0  # such files, before what they load is followed
        self._pending: dict[str, None] = {}  # words with new files
        self._units = list(units)
        for unit in self._units:
            for name in unit.names:
                self._defining[name].append(unit)
            for method in unit.members:
                self._methods[method.names[0]].append((id(unit), method))
        self._follow()

    def starts(self, bits: int) -> frozenset[str]:
        return frozenset(start for start, bit in self._bits.items() if bits & bit)

    def to_definition(self, path: str, name: str, method: str = "") -> int:
        """Return the files that reach a definition or a method. One that is gone is reached by its name."""
        units = [unit for unit in self._defining.get(name, ()) if unit.path == path]
        found = self._named(path, name) if not units else 0
        for unit in units:
            own = [each for each in unit.members if method and each.names[0] == method]
            if not method:
                found |= self._reached[id(unit)]
            for each in own:
                found |= self._reached[id(each)]
            if method and not own:
                found |= self._reached[id(unit)] & self._words[method]
        return found & self._words[method] if method and not units else found

    def to_word(self, path: str, word: str, *, lent: bool) -> int:
        """Return the files that reach code of a file that mentions a word; with `lent`, also those that import it."""
        found = self._named(path, word) if lent else 0
        for unit in self._units:
            if unit.path != path or word not in unit.words:
                continue
            if unit.runs:
                found |= self._imports(path)
            elif not unit.members or word in unit.own:
                found |= self._reached[id(unit)]
            for method in unit.members:
                if word in method.words:
                    found |= self._reached[id(method)]
        return found

    def _follow(self) -> None:
        for unit in self._units:
            own = self._bits.get(unit.path, 0)
            for name in unit.names:
                own |= self._bits.get(f"{unit.path}::{name}", 0)
            runs = self._imports(unit.path) if unit.runs else 0
            self._reach(unit, own | runs)
            for method in unit.members:
                self._reach(method, own)
        while self._pending or self._to_load:
            if not self._pending:  # at the end, because files that load others need all words again
                self._loading |= self._to_load
                self._to_load = 0
                self._pending.update(dict.fromkeys(self._words))
            word, _ = self._pending.popitem()
            for unit in self._defining.get(word, ()):
                self._reach(unit, self._named(unit.path, word))
            for owner, method in self._methods.get(word, ()):
                self._reach(method, self._reached[owner] & self._words[word])

    def _reach(self, unit: Unit, bits: int) -> None:
        """Add files that reach a unit; they reach its words, too."""
        new = bits & ~self._reached[id(unit)]
        if not new:
            return
        self._reached[id(unit)] |= new
        if not LOADERS.isdisjoint(unit.own if unit.members else unit.words):
            self.loaders |= new
        for word in unit.own if unit.members else unit.words:
            quoted = new if word in unit.quoted else 0
            if new & ~self._words[word] or quoted & ~self._quoted[word]:
                self._words[word] |= new
                self._quoted[word] |= quoted
                self._pending[word] = None
        for method in unit.members:
            named = -1 if self._is_called(unit, method) else self._words[method.names[0]]
            self._reach(method, new & named)

    def _named(self, path: str, word: str) -> int:
        """Return the files that reach a word and import a file, or reach the word in a string.

        A file that reaches code by a string imports it at run time, and with it any other file.
        """
        quoted, imports = self._quoted[word], self._imports(path)
        self._to_load |= quoted & ~imports & ~self._loading
        return self._words[word] & (imports | self._loading | quoted)

    def _files_importing(self, path: str) -> int:
        found = self._whole.get(path, 0)
        for each in self._importers(path):
            found |= self._whole.get(each, 0)
        return found
