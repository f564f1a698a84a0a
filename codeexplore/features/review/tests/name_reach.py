"""Definitions that the code of a test file can reach by the names that it mentions.

`name_closure` follows names from a change to the files that mention them, with a class as one unit. This module follows
them the other way, from each test file, and looks at each method alone: a method runs only if reached code mentions its
name, and its class or a subclass. That is a name-based form of rapid type analysis (Bacon and Sweeney 1996).

All files are followed together: each word and each definition has a bit set of the files that reach it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from codeexplore.features.review.tests.name_units import Unit


class NameReach:
    """The definitions and words that each of some test files can reach.

    Parameters
    ----------
    units
        All top-level statements of the repository.
    files
        Paths of the test files.
    importers
        Path → files that import it, directly or through others.
    is_called_from_outside
        Tells if Python or a library may call a method of a class without its name in the repository.
    """

    def __init__(
        self, units: Iterable[Unit], files: Sequence[str], importers: Callable[[str], frozenset[str]],
        is_called_from_outside: Callable[[Unit, Unit], bool],
    ) -> None:  # fmt: skip
        self._importers, self._is_called = importers, is_called_from_outside
        self._bits = {path: 1 << number for number, path in enumerate(files)}
        self._importing: dict[str, int] = {}
        self._defining: dict[str, list[Unit]] = defaultdict(list)  # name → units at the top level
        self._methods: dict[str, list[tuple[int, Unit]]] = defaultdict(list)  # name → id of the class, method
        self._words: dict[str, int] = defaultdict(int)
        self._quoted: dict[str, int] = defaultdict(int)
        self._reached: dict[int, int] = defaultdict(int)  # id of a unit → files
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

    def files(self, bits: int) -> frozenset[str]:
        """Return the files of a bit set."""
        return frozenset(path for path, bit in self._bits.items() if bits & bit)

    def to_definition(self, path: str, name: str, method: str = "") -> int:
        """Return the files that reach a definition at the top level of a file, or a method of a class.

        A definition that does not exist any more is reached by its name.
        """
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
        """Return the files that reach code of a file which mentions a word.

        With `lent`, also the files that reach the word and import the file.
        """
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

    # ----------------------------------------------------------------- names followed

    def _follow(self) -> None:
        for unit in self._units:
            own = self._bits.get(unit.path, 0)
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

    def _imports(self, path: str) -> int:
        if path not in self._importing:
            found = self._bits.get(path, 0)
            for each in self._importers(path):
                found |= self._bits.get(each, 0)
            self._importing[path] = found
        return self._importing[path]
