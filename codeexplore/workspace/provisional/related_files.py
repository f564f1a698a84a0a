"""Selection of the files that most likely decide the edges of an edit.

They are the files to which the edited files had edges, the files that define the names in the edit, and the files that
re-export these names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any

import numpy as np

from codeexplore.graph.families import family_of, rules_of
from codeexplore.graph.incremental.slice import (
    FactsSlice,
    names_from_elsewhere,
    names_imported,
    passing_on,
    slice_facts,
)
from codeexplore.source.manifests import manifests_beside
from codeexplore.types import FileFacts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from codeexplore.graph.incremental.edit_diff import Edited
    from codeexplore.resolution.language_rules import Rules
    from codeexplore.resolution.module_tree import ModuleResolver
    from codeexplore.workspace.partial_resolve import State
    from codeexplore.workspace.snapshot import Index

MOST_ROWS = 1_500
"""Rows of facts that are taken from files around an edit."""

MOST_FILES = 8
"""Files around an edit that are read."""

MOST_PASSING = 24
"""Files that only pass names on, of those read; they are in addition, being short."""

_MOST_PASSING_SEEN = 48
_FEW = 4  # most symbols, its module among them, of a file that only passes names on
_MOST_CANDIDATES = 200
_MOST_NAMESAKES = 24  # a name that more symbols have does not help to choose a file
_ELSEWHERE = 2.0  # weight of a name that an edited file uses and does not define; other names have 1
_IMPORTED = 6.0  # weight of a name that it imports
_GIVEN = 0.3  # weight of a name in the values that a file nearby returns
_LEAST = 0.25  # least weight of the names that a file defines


class RelatedFiles:
    """The files that are related to an edit, the most likely first."""

    def __init__(self, old: Index, state: State, edited: Mapping[str, Edited]) -> None:
        self._old, self._state, self._edited = old, state, edited
        self._number = {path: number for number, path in enumerate(state.sources.paths)}
        self._old_number = {path: number for number, path in enumerate(old.sources.paths)}
        self._families = {family_of(each.facts.language) for each in edited.values()}
        self._held: dict[str, frozenset[str]] = {}  # the names of the symbols of each candidate
        self._spread: Counter[str] = Counter()  # in how many candidates a name is defined
        self._locator: ModuleResolver | None = None  # made for the first package name
        self._places: dict[str, int] = {}  # of the paths that it knows
        self._seen = 0  # number of these that were read
        self._passing: list[str] = []  # candidates that may pass names on, not yet looked into

    def parts(self, names: AbstractSet[str], moved: AbstractSet[str]) -> dict[str, FactsSlice]:
        """Return those facts of other files that resolve `names`, as a part of each file, by path.

        They are the definitions of the names, the values that these definitions return, and the calls of the symbols in
        `moved`.
        """
        for path, each in self._edited.items():
            self._reach(path)
            if len(each.lines):
                known = (
                    {row.module for row in self._old.files.facts(path).imports} if path in self._old_number else set()
                )
                written = {row.module for row in each.facts.imports} - known
                self._reach_written(each.facts, written | passing_on(each.facts, names))
        elsewhere = set[str]().union(*(names_from_elsewhere(each.facts, names) for each in self._edited.values()))
        self._reach_named(elsewhere)
        weight = dict.fromkeys(names, 1.0) | dict.fromkeys(elsewhere, _ELSEWHERE)
        for each in self._edited.values():
            weight |= dict.fromkeys(names_imported(each.facts, names), _IMPORTED)
        found: dict[str, FactsSlice] = {}
        passing: dict[str, FactsSlice] = {}
        left = MOST_ROWS
        while left > 0 and len(found) < MOST_FILES:
            self._follow(weight, moved, passing)
            path = self._likeliest(weight, found)
            if not path:
                break
            part, told = slice_facts(self._state.files.facts(path), weight.keys(), frozenset(), moved)
            found[path] = part
            left -= part.size
            self._reach(path)
            for name in told:
                weight.setdefault(name, _GIVEN)
        return passing | found

    def _follow(self, weight: dict[str, float], moved: AbstractSet[str], passing: dict[str, FactsSlice]) -> None:
        """Read candidates that may re-export one of the names.

        The files from which they import the name become candidates.
        """
        while self._passing and len(passing) < MOST_PASSING and self._seen < _MOST_PASSING_SEEN:
            path = self._passing.pop(0)
            self._seen += 1
            facts = self._state.files.facts(path)
            modules = passing_on(facts, weight.keys())
            if modules:
                passing[path], told = slice_facts(facts, weight.keys(), frozenset(), moved)
                for name in told:
                    weight.setdefault(name, _GIVEN)
                self._reach_written(facts, modules)
                self._reach(path)

    def _likeliest(self, weight: Mapping[str, float], found: Mapping[str, FactsSlice]) -> str:
        """Return the candidate that defines the most of the names in `weight`.

        The result is "" if no candidate defines enough of them.

        A name counts less if several candidates define it.
        """
        best, most = "", _LEAST
        for path, held in self._held.items():
            if path not in found:
                score = sum(weight[name] / self._spread[name] for name in held & weight.keys())
                if score > most:
                    best, most = path, score
        return best

    def _reach(self, path: str) -> None:
        """Add the files to which the file `path` had edges before the edit as candidates."""
        number = self._old_number.get(path)
        if number is not None:
            files, edges = self._old.catalog.symbols.path_numbers, self._old.graph.edges
            first, stop = np.searchsorted(files, [number, number + 1])
            source, target = _array(edges.source), _array(edges.target)
            led = np.unique(files[target[(source >= first) & (source < stop)]])
            for each in led.tolist():
                self._add(self._old.sources.paths[each])

    def _reach_written(self, facts: FileFacts, modules: AbstractSet[str]) -> None:
        """Add the files of `modules` as candidates. The modules are written as in the imports of a file."""
        rules = rules_of(facts.language)
        if rules is not None and rules.modules.beside is not None:
            for module in sorted(modules):
                near = rules.modules.beside(facts.path, module, self._number)
                self._add(near if module.startswith(".") else self._located(rules, facts.path, module))

    def _located(self, rules: Rules, path: str, module: str) -> str:
        """Return the file to which the module name `module` refers, by the manifests; "" for an external module."""
        if self._locator is None:
            sources = self._state.sources
            paths = (each for each in sources.paths if family_of(sources.language(each)) == rules.family)
            self._places = {each: place for place, each in enumerate(paths)}
            files = [FileFacts(each, "", "", ()) for each in self._places]
            self._locator = rules.modules.locator(
                files, manifests_beside(self._state.manifests, self._places, rules.modules.manifests)
            )
        unit = self._locator.locate(self._places[path], module).unit
        return self._locator.units.name[unit] if unit >= 0 else ""

    def _reach_named(self, names: AbstractSet[str]) -> None:
        """Add the files that define one of `names` as candidates. Names that many symbols have are left out."""
        symbols = self._state.catalog.symbols
        for name in sorted(names):  # always the same ones where there are too many
            rows = symbols.rows_named(name)
            if len(rows) <= _MOST_NAMESAKES:
                for number in set(symbols.path_numbers[rows].tolist()):
                    self._add(self._state.sources.paths[number])

    def _add(self, path: str) -> None:
        if path in self._held or path in self._edited or len(self._held) >= _MOST_CANDIDATES:
            return
        if path in self._number and family_of(self._state.sources.language(path)) in self._families:
            rows = self._state.catalog.symbol_rows_in(path)
            held = frozenset(self._state.catalog.symbols.names_in(rows[0], rows[-1] + 1)) if rows else frozenset()
            self._held[path] = held
            self._spread.update(held)
            if len(rows) <= _FEW:
                self._passing.append(path)


def _array(column: Any) -> NDArray[np.int32]:
    """Return a column of a table as an array, without copying it."""
    return np.frombuffer(column, np.int32) if len(column) else np.zeros(0, np.int32)
