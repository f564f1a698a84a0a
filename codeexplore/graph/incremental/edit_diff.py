"""Differences made by an edit in one file: scopes with other uses now, and uses that were kept on another line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from codeexplore.graph.incremental.line_moves import with_lines
from codeexplore.graph.incremental.slice import scopes_using
from codeexplore.resolution.access_paths import last_name
from codeexplore.types import FileFacts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    _Use: TypeAlias = "tuple[str, str, str]"  # id of the scope, kind, path

REMOVED = -1
"""Marks a line that has no counterpart in the other version of the text."""


@dataclass(frozen=True, slots=True)
class Edited:
    """One file of an edit, with its changed scopes, names and lines."""

    facts: FileFacts  # after it
    lines: NDArray[np.int64]  # that are new, ascending
    scopes: frozenset[int]  # whose uses may have changed
    names: frozenset[str]  # of added and removed symbols, and of imports with another target
    changed_bases: frozenset[int]  # types that still exist with other supertypes, by their previous scopes
    _went: Mapping[int, Sequence[_Use]]  # uses by previous line, for lines that have no counterpart
    _again: Mapping[_Use, int]  # the last new line of each use

    @classmethod
    def fresh(cls, facts: FileFacts, n_lines: int) -> Edited:
        """Return the changes of a new file."""
        names = frozenset(symbol.name for symbol in facts.symbols)
        return cls(facts, np.arange(1, n_lines + 1), frozenset(range(len(facts.symbols))), names, frozenset(), {}, {})

    @classmethod
    def untouched(cls, facts: FileFacts) -> Edited:
        """Return an unchanged file that an edit of another file may affect."""
        return cls(facts, np.zeros(0, np.int64), frozenset(), frozenset(), frozenset(), {}, {})

    @classmethod
    def between(cls, before: FileFacts, after: FileFacts, lines: NDArray[np.int64], n_lines: int) -> Edited:
        """Return the changes of an edited file.

        Parameters
        ----------
        lines
            For each previous line (from 1) its new number, or `REMOVED`.
        n_lines
            The lines that it has now.
        """
        new = np.setdiff1d(np.arange(1, n_lines + 1), lines)
        line_of = dict(enumerate(lines.tolist()))
        came, went = set(new.tolist()), {line for line, became in line_of.items() if became == REMOVED}
        ids = {symbol.id: row for row, symbol in enumerate(after.symbols)}
        were = [with_lines(symbol.id, line_of) for symbol in before.symbols]
        names = {after.symbols[ids[each]].name for each in ids.keys() - set(were)}
        names |= {symbol.name for each, symbol in zip(were, before.symbols, strict=True) if each not in ids}
        names |= _rebound(before, after)
        scopes = {ids[each] for each in ids.keys() - set(were)}
        scopes |= {ids[were[scope]] for scope in _standing_on(before, went) if were[scope] in ids}
        scopes |= _standing_on(after, came) | scopes_using(after, names)
        uses = defaultdict(list)
        for line, use in _uses(before, were):
            if line in went:
                uses[line].append(use)
        again = {use: line for line, use in _uses(after, list(ids)) if line in came}
        other = _supertypes(before, were) ^ _supertypes(after, list(ids))
        changed_bases = frozenset(
            scope for scope, each in enumerate(were) if each in ids and each in {row[0] for row in other}
        )
        return cls(after, new, frozenset(_charged(after, scopes)), frozenset(names), changed_bases, uses, again)

    def new_line_of(self, line: int, name: str) -> int:
        """Return the new line of a use whose line was removed; `REMOVED` if the use was removed too.

        Parameters
        ----------
        name
            Name of the target of the use. If no use on that line has this name, all of them must still exist.
        """
        uses = self._went.get(line, ())
        named = [use for use in uses if last_name(use[2])[0] == name]
        found = [self._again.get(use, REMOVED) for use in named or uses]
        if not found or (not named and REMOVED in found):
            return REMOVED
        return max(found)


def _uses(facts: FileFacts, ids: Sequence[str]) -> Iterator[tuple[int, _Use]]:
    """References and imports with their lines."""
    for row in facts.references:
        yield row.line, (ids[row.scope], row.kind, row.path)
    for bound in facts.imports:
        yield bound.line, (ids[bound.scope], "import", f"{bound.module}.{bound.member}".rstrip("."))


def _supertypes(facts: FileFacts, ids: Sequence[str]) -> set[tuple[str, str]]:
    """Return pairs of a type's id and a supertype as written."""
    return {(ids[row.scope], row.path) for row in facts.bases}


def _rebound(before: FileFacts, after: FileFacts) -> set[str]:
    """Return the names whose imports differ."""
    one, other = ({(row.scope, row.name, row.module, row.member) for row in facts.imports} for facts in (before, after))
    return {last_name(name)[0] for _, name, _, _ in one ^ other}


def _standing_on(facts: FileFacts, lines: set[int]) -> set[int]:
    """Return the scopes with a row of facts, or their own first or last line, on one of some lines."""
    found = {row for row, symbol in enumerate(facts.symbols) if row and not lines.isdisjoint(symbol.span[:2])}
    rows: Iterable[Iterable[tuple[int, int]]] = (
        ((row.scope, row.line) for row in facts.references),
        ((row.scope, row.line) for row in facts.bindings),
        ((row.scope, row.line) for row in facts.bases),
        ((row.scope, row.line) for row in facts.imports),
    )
    return found | {scope for each in rows for scope, line in each if line in lines}


def _charged(facts: FileFacts, scopes: set[int]) -> set[int]:
    """Return some scopes, and the functions around lambdas among them, to which uses in lambdas are attributed."""
    rows = {symbol.id: row for row, symbol in enumerate(facts.symbols)}
    found = set(scopes)
    for row in scopes:
        symbol = facts.symbols[row]
        while symbol.kind == "lambda" and symbol.parent is not None:
            found.add(rows[symbol.parent])
            symbol = facts.symbols[rows[symbol.parent]]
    return found
