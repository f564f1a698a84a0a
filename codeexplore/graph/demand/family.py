"""The files of one language family as a slice needs them: facts on demand, modules, files that contain a name."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING, Final

import numpy as np

from codeexplore.graph.demand.facts_index import FactsIndex
from codeexplore.languages.registry import family_of
from codeexplore.source.manifests import manifests_beside
from codeexplore.types import TYPE_KINDS, FileFacts

if TYPE_CHECKING:
    from codeexplore.index.catalog import Catalog
    from codeexplore.index.files import SourceTexts
    from codeexplore.index.sources import StoredSources
    from codeexplore.resolution.language_rules import Rules
    from codeexplore.resolution.module_tree import ModuleResolver

MOST_KEPT: Final = 100_000
"""Facts that are kept for the next question, about 40 MB: what the last one or two large questions have read."""


MANY_NAMES: Final = 50
"""From so many names on, splitting a text into words once is faster than a search for each name."""

_IN_WORD: Final = re.compile(rb"[\w$]")
_NAME: Final = re.compile(r"[\w$]+")
_WORD: Final = re.compile(rb"[\w$\x80-\xff]+")


class Family:
    """The files of one language family.

    Parameters
    ----------
    rules
        The rules of the family.
    sources
        All files of the repository, with their texts.
    facts
        Function that returns the facts of a file.
    catalog
        The symbols of all files.
    manifests
        Texts of the manifests that name modules, by path.

    Attributes
    ----------
    paths, number
        The paths of the family's files in their order, and the place of each path in it.
    """

    def __init__(
        self,
        rules: Rules,
        sources: SourceTexts | StoredSources,
        facts: Callable[[str], FileFacts],
        catalog: Catalog,
        manifests: Mapping[str, str],
    ) -> None:
        self.rules, self._sources, self._facts, self._catalog = rules, sources, facts, catalog
        self._manifests = manifests
        self.paths = [path for path in sources.paths if family_of(sources.language(path)) == rules.family]
        self.number = {path: number for number, path in enumerate(self.paths)}
        self._kept: dict[str, FactsIndex] = {}
        self._left = MOST_KEPT

    @cached_property
    def locator(self) -> ModuleResolver:
        """The modules of the family."""
        manifests = manifests_beside(self._manifests, self.paths, self.rules.modules.manifests)
        return self.rules.modules.locator(self.modules, manifests)

    @cached_property
    def modules(self) -> list[FileFacts]:
        """The facts of each file reduced to its module symbol: enough to find modules by their names."""
        symbols, found = self._catalog.symbols, []
        for path in self.paths:
            module = symbols[self._catalog.symbol_rows_in(path)[0]]
            found.append(FileFacts(path, module.language, module.fqn, (module,)))
        return found

    def index(self, path: str) -> FactsIndex:
        """Return the facts of a file. Raises KeyError and DamagedIndex."""
        found = self._kept.get(path)
        if found is None:
            found = FactsIndex(self._facts(path))
            self._left -= found.rows
            if self._left < 0:
                self._kept, self._left = {}, MOST_KEPT - found.rows
            self._kept[path] = found
        return found

    def defining(self, name: str, files: Sequence[int] | None = None) -> list[str]:
        """Return the files that define a symbol with this name, of all files or of the given ones."""
        paths = dict.fromkeys(self._definitions(name))
        if files is None:
            return [path for path in paths if path in self.number]
        wanted = {self.paths[file] for file in files}
        return [path for path in paths if path in wanted]

    def defining_macro(self, name: str) -> list[str]:
        """Return the files that define a macro with this name. Its use needs no import."""
        sign, symbols = self.rules.functions.macro_signature, self._catalog.symbols
        rows = self._catalog.names().get(name, ()) if sign else ()
        paths = (symbols.paths[symbols.path_numbers[row]] for row in rows if symbols.signature(row).startswith(sign))
        return [path for path in dict.fromkeys(paths) if path in self.number]

    def _definitions(self, name: str) -> list[str]:
        """Return the file of each symbol with this name."""
        symbols = self._catalog.symbols
        return [symbols.paths[symbols.path_numbers[row]] for row in self._catalog.names().get(name, ())]

    def mentions(self, path: str, names: Collection[str]) -> bool:
        """Return True if the text of a file contains one of `names` as a whole word."""
        return _contains(bytes(self._sources.data(path)), names)

    def mentioning(self, names: Collection[str], near: Collection[str] = (), around: str = "") -> list[str]:
        """Return the files whose text contains one of `names` as a whole word, besides definitions of that name.

        Those that also contain one of `near` come first. If the names are defined more than once, those in the nearest
        folders of the path `around` follow, because others may mean another definition; otherwise those that contain
        the names most often.
        """
        wanted = set(names)
        defined = Counter(path for name in wanted for path in self._definitions(name))
        is_ambiguous = defined.total() > len(wanted)
        words = [name.encode("utf-8", "replace") for name in wanted]
        found = {}
        for path in self.paths:
            data = bytes(self._sources.data(path))
            uses = _count(data, words) - defined[path]
            if uses > 0:
                is_near = any(name.encode("utf-8", "replace") in data for name in near)
                steps = _steps(path, around)
                found[path] = (not is_near, steps, -uses) if is_ambiguous else (not is_near, -uses, steps)
        return sorted(found, key=found.__getitem__)

    def naming_in_types(self, names: Collection[str], around: str) -> list[str]:
        """Return the files with a type whose signature contains one of `names`, nearest to the path `around` first.

        Most languages write the supertypes there.
        """
        paths = {path for name in names for path, _ in self._types_naming.get(name, ())}
        return sorted(paths, key=lambda path: (_steps(path, around), self.number[path]))

    def types_below(self, name: str) -> tuple[set[str], set[str]]:
        """Return the names and files of the types whose signature contains a name, and of those below, with the name.

        These are the subtypes of a class in most languages. A trait may be implemented in a block of its own.
        """
        names, paths, todo = {name}, set[str](), [name]
        for each in todo:
            for path, other in self._types_naming.get(each, ()):
                paths.add(path)
                if other not in names:
                    names.add(other)
                    todo.append(other)
        return names, paths

    @cached_property
    def _types_naming(self) -> dict[str, list[tuple[str, str]]]:
        """Word → path and name of each type whose signature contains it."""
        symbols, found = self._catalog.symbols, defaultdict[str, list[tuple[str, str]]](list)
        for row in np.flatnonzero(symbols.of_kinds(TYPE_KINDS)).tolist():
            name, _, path = symbols.name(row)
            if path in self.number:
                for word in set(_NAME.findall(symbols.signature(row))):
                    found[word].append((path, name))
        return found


def _contains(data: bytes, names: Collection[str]) -> bool:
    """Return True if a text contains one of `names` as a whole word."""
    for word in (name.encode("utf-8", "replace") for name in names):
        place = data.find(word) if word else -1
        while place >= 0:
            if not _IN_WORD.match(data[place - 1 : place]) and not _IN_WORD.match(data, place + len(word)):
                return True
            place = data.find(word, place + len(word))
    return False


def _count(data: bytes, words: Sequence[bytes]) -> int:
    """Return how often a text contains one of `words` as a whole word."""
    if len(words) >= MANY_NAMES:
        found = Counter(_WORD.findall(data))
        return sum(found[word] for word in words)
    # A pattern that begins with the word itself is searched quickly; the character before is compared afterwards.
    matches = (
        match for word in words if word and word in data for match in re.finditer(re.escape(word) + rb"(?![\w$])", data)
    )
    return sum(not _IN_WORD.match(data[match.start() - 1 : match.start()]) for match in matches)


def _steps(path: str, other: str) -> int:
    """Return the number of steps between the folders of two paths."""
    one, two = path.split("/")[:-1], other.split("/")[:-1]
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, two, strict=False)))
    return len(one) + len(two) - 2 * shared
