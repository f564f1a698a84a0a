"""Edges of an edit, resolved beside the few files it most likely leads to, until all references are resolved anew.

A whole resolution takes seconds. What an edited function uses follows, most often, from the names in it, from the files
that define them, and from what is inherited and given back there. So those files are chosen by the names, trimmed to
what matters, and resolved together with the edited ones by the same rules. What comes out is provisional: values that
would arrive from further away are missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any

import numpy as np

from codeexplore.graph.amending import chosen
from codeexplore.graph.edited import Edited
from codeexplore.graph.families import family_of
from codeexplore.graph.joining import Renumbering, piece_of, renumbered
from codeexplore.graph.partial import Part, names_from_elsewhere, names_used, part_of
from codeexplore.graph.resolve import resolve
from codeexplore.workspace.resolving import quick_facts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from codeexplore.graph.joining import Piece
    from codeexplore.workspace.index import Index
    from codeexplore.workspace.parcel import FileRow
    from codeexplore.workspace.regraphing import State

MOST_USES = 4_000
"""References in edited scopes. An edit with more of them waits for the whole resolution."""

MOST_ROWS = 1_500
"""Rows of facts that are taken from files around an edit."""

MOST_FILES = 8
"""Files around an edit that are looked into."""

_MOST_CANDIDATES = 200
_MOST_NAMESAKES = 24  # a name that more symbols have does not tell where to look
_ELSEWHERE = 2.0  # how much a name counts that an edited file has from elsewhere, where another counts 1
_GIVEN = 0.3  # how much a name counts that stands in what a file nearby gives back
_LEAST = 0.25  # how much the names that a file defines must count


def edits(
    old: Index, state: State, changed: Mapping[str, FileRow], lines: Mapping[str, NDArray[np.int64]]
) -> dict[str, Edited]:
    """What changed in each edited file.

    Parameters
    ----------
    old, state
        The index before, and the files and symbols after the edit.
    changed
        The edited files.
    lines
        Where the lines of each file went that was there before.
    """
    made = {}
    for path, row in changed.items():
        facts = quick_facts(row, state.catalog.in_file(path))
        n_lines = bytes(state.sources.data(path)).count(b"\n") + 1
        if path in lines:
            made[path] = Edited.between(old.files.facts(path), facts, lines[path], n_lines)
        else:
            made[path] = Edited.fresh(facts, n_lines)
    return made


def edges_nearby(old: Index, state: State, edited: Mapping[str, Edited]) -> Piece | None:
    """The rows of the edited scopes as far as files nearby tell; None where there are none, or too many."""
    uses = sum(row.scope in each.scopes for each in edited.values() for row in each.facts.references)
    if uses > MOST_USES or not any(each.scopes for each in edited.values()):
        return None
    moved = frozenset().union(*(each.names for each in edited.values()))
    names: set[str] = set()
    held = {}
    for path, each in edited.items():
        used = names_used(each.facts, each.scopes)
        held[path], told = part_of(each.facts, used, each.scopes, moved)
        names |= used | told
    held |= _Around(old, state, edited).parts(names, moved)
    return _chosen(state, edited, _resolved(state, held))


def _resolved(state: State, held: Mapping[str, Part]) -> Piece:
    """Rows of some files, resolved by themselves."""
    numbers = [number for number, path in enumerate(state.sources.paths) if path in held]
    parts = [held[state.sources.paths[number]] for number in numbers]
    rows = [np.array(state.catalog.symbol_rows_in(part.facts.path), np.int64)[part.rows] for part in parts]
    found = resolve([part.facts for part in parts], root=state.root)
    return renumbered(piece_of(found), Renumbering(np.concatenate(rows), np.array(numbers)))


def _chosen(state: State, edited: Mapping[str, Edited], piece: Piece) -> Piece:
    """The rows that start from edited scopes or lead to them."""
    scopes = np.zeros(len(state.catalog.symbols), np.bool_)
    number = {path: place for place, path in enumerate(state.sources.paths) if path in edited}
    places = []
    for path, each in edited.items():
        scopes[np.array(state.catalog.symbol_rows_in(path), np.int64)[sorted(each.scopes)]] = True
        places.append(number[path] << 32 | each.lines)
    return chosen(piece, scopes, np.concatenate(places))


class _Around:
    """The files around an edit, likeliest first: where it led before, and what defines names it has from elsewhere."""

    def __init__(self, old: Index, state: State, edited: Mapping[str, Edited]) -> None:
        self._old, self._state, self._edited = old, state, edited
        self._number = {path: number for number, path in enumerate(state.sources.paths)}
        self._old_number = {path: number for number, path in enumerate(old.sources.paths)}
        self._families = {family_of(each.facts.language) for each in edited.values()}
        self._held: dict[str, frozenset[str]] = {}  # the names of the symbols of each candidate
        self._spread: Counter[str] = Counter()  # in how many candidates a name is defined

    def parts(self, names: AbstractSet[str], moved: AbstractSet[str]) -> dict[str, Part]:
        """What files say of some names, and of what they give back in turn.

        Calls of what the edit moved are among it.
        """
        for path in self._edited:
            self._reach(path)
        elsewhere = set[str]().union(*(names_from_elsewhere(each.facts, names) for each in self._edited.values()))
        self._reach_named(elsewhere)
        weight = dict.fromkeys(names, 1.0) | dict.fromkeys(elsewhere, _ELSEWHERE)
        found: dict[str, Part] = {}
        left = MOST_ROWS
        while left > 0 and len(found) < MOST_FILES:
            path = self._likeliest(weight, found)
            if not path:
                break
            part, told = part_of(self._state.files.facts(path), weight.keys(), frozenset(), moved)
            found[path] = part
            left -= part.size
            self._reach(path)
            for name in told:
                weight.setdefault(name, _GIVEN)
        return found

    def _likeliest(self, weight: Mapping[str, float], found: Mapping[str, Part]) -> str:
        """The candidate that defines most of some names that few others define; "" when none defines any."""
        best, most = "", _LEAST
        for path, held in self._held.items():
            if path not in found:
                score = sum(weight[name] / self._spread[name] for name in held & weight.keys())
                if score > most:
                    best, most = path, score
        return best

    def _reach(self, path: str) -> None:
        """Make candidates of the files to which one led before."""
        number = self._old_number.get(path)
        if number is not None:
            files, edges = self._old.catalog.symbols.path_numbers, self._old.graph.edges
            first, stop = np.searchsorted(files, [number, number + 1])
            source, target = _array(edges.source), _array(edges.target)
            led = np.unique(files[target[(source >= first) & (source < stop)]])
            for each in led.tolist():
                self._add(self._old.sources.paths[each])

    def _reach_named(self, names: AbstractSet[str]) -> None:
        """Make candidates of the files that define names of which there are few."""
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


def _array(column: Any) -> NDArray[np.int32]:
    """A column of a table, not copied."""
    return np.frombuffer(column, np.int32) if len(column) else np.zeros(0, np.int32)
