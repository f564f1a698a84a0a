"""Differences that an edit makes in one file: scopes whose uses changed, and uses that are now on another line.

A *use* is a reference or an import. A *scope* is a symbol whose body contains uses; it is identified by its row among
the file's symbols, and row 0 is the module.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from codeexplore.graph.demand.facts_index import names_of
from codeexplore.graph.incremental.line_moves import with_lines
from codeexplore.resolution.access_paths import last_name
from codeexplore.types import FileFacts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    from codeexplore.types import Symbol

    _Use: TypeAlias = "tuple[str, str, str]"  # id of the scope, kind, path

REMOVED = -1
"""Marks a line that has no counterpart in the other version of the text."""


@dataclass(frozen=True, slots=True)
class Edited:
    """Changes in one file: its changed scopes, its changed names, and the new number of each line."""

    facts: FileFacts  # facts after the edit
    lines: NDArray[np.int64]  # new lines, ascending
    scopes: frozenset[int]  # scopes whose uses may have changed
    names: frozenset[str]  # names of added and removed symbols, and of imports with a changed target
    changed_bases: frozenset[int]  # types whose supertypes changed, as rows before the edit
    _removed_uses: Mapping[int, Sequence[_Use]]  # removed line → its uses before the edit
    _new_lines: Mapping[_Use, int]  # use → the last new line on which it occurs

    @classmethod
    def fresh(cls, facts: FileFacts, n_lines: int) -> Edited:
        """Return the changes for a new file: all its scopes and names."""
        names = frozenset(symbol.name for symbol in facts.symbols)
        return cls(facts, np.arange(1, n_lines + 1), frozenset(range(len(facts.symbols))), names, frozenset(), {}, {})

    @classmethod
    def untouched(cls, facts: FileFacts) -> Edited:
        """Return empty changes, for a file that was not edited but may be affected by an edit of another file."""
        return cls(facts, np.zeros(0, np.int64), frozenset(), frozenset(), frozenset(), {}, {})

    @classmethod
    def between(cls, before: FileFacts, after: FileFacts, lines: NDArray[np.int64], n_lines: int) -> Edited:
        """Return the changes between the facts `before` and `after` an edit of a file.

        Parameters
        ----------
        lines
            New number of each previous line, counted from 1; `REMOVED` for a removed line.
        n_lines
            Number of lines after the edit.
        """
        new = np.setdiff1d(np.arange(1, n_lines + 1), lines)
        line_of = dict(enumerate(lines.tolist()))
        added, removed = set(new.tolist()), {line for line, became in line_of.items() if became == REMOVED}
        ids = {symbol.id: row for row, symbol in enumerate(after.symbols)}
        previous_ids = [with_lines(symbol.id, line_of) for symbol in before.symbols]
        previous = dict(zip(previous_ids, before.symbols, strict=True))
        fresh = {row for each, row in ids.items() if not _is_same(previous.get(each), after.symbols[row])}
        names = {after.symbols[row].name for row in fresh}
        names |= {each.name for key, each in previous.items() if key not in ids or ids[key] in fresh}
        names |= _rebound(before, after)
        scopes = set(fresh)
        scopes |= {ids[previous_ids[scope]] for scope in _scopes_on(before, removed) if previous_ids[scope] in ids}
        scopes |= _scopes_on(after, added) | _scopes_using(after, names)
        uses = defaultdict(list)
        for line, use in _uses(before, previous_ids):
            if line in removed:
                uses[line].append(use)
        new_lines = {use: line for line, use in _uses(after, list(ids)) if line in added}
        other = _supertypes(before, previous_ids) ^ _supertypes(after, list(ids))
        changed_bases = frozenset(
            scope for scope, each in enumerate(previous_ids) if each in ids and each in {row[0] for row in other}
        )
        return cls(after, new, frozenset(_charged(after, scopes)), frozenset(names), changed_bases, uses, new_lines)

    def new_line_of(self, line: int, name: str) -> int:
        """Return the new line of a use whose old line does not exist any more; `REMOVED` if the use was removed too.

        Parameters
        ----------
        line
            Line of the use before the edit.
        name
            Name of the target of the use. If no use on that line has this name, all uses of the line must still exist.
        """
        uses = self._removed_uses.get(line, ())
        named = [use for use in uses if last_name(use[2])[0] == name]
        found = [self._new_lines.get(use, REMOVED) for use in named or uses]
        if not found or (not named and REMOVED in found):
            return REMOVED
        return max(found)


def _is_same(before: Symbol | None, after: Symbol) -> bool:
    """Return True if a symbol existed before an edit. With another kind, such as a variable, it is another symbol."""
    return before is not None and before.kind == after.kind


def _uses(facts: FileFacts, ids: Sequence[str]) -> Iterator[tuple[int, _Use]]:
    """Yield the references and imports of a file, each with its line: (line, use)."""
    for row in facts.references:
        yield row.line, (ids[row.scope], row.kind, row.path)
    for bound in facts.imports:
        yield bound.line, (ids[bound.scope], "import", f"{bound.module}.{bound.member}".rstrip("."))


def _supertypes(facts: FileFacts, ids: Sequence[str]) -> set[tuple[str, str]]:
    """Return (id of a type, supertype as written in the source) for each declared supertype."""
    return {(ids[row.scope], row.path) for row in facts.bases}


def _rebound(before: FileFacts, after: FileFacts) -> set[str]:
    """Return the names that are imported differently before and after the edit."""
    one, other = ({(row.scope, row.name, row.module, row.member) for row in facts.imports} for facts in (before, after))
    return {last_name(name)[0] for _, name, _, _ in one ^ other}


def _scopes_using(facts: FileFacts, names: AbstractSet[str]) -> set[int]:
    """Return the scopes that contain a reference whose path includes one of `names`."""
    if not names:
        return set()
    return {row.scope for row in facts.references if any(name in names for _, name in names_of(row.path))}


def _scopes_on(facts: FileFacts, lines: set[int]) -> set[int]:
    """Return the scopes that contain a fact on one of `lines`, or that begin or end on one of them."""
    found = {row for row, symbol in enumerate(facts.symbols) if row and not lines.isdisjoint(symbol.span[:2])}
    rows: Iterable[Iterable[tuple[int, int]]] = (
        ((row.scope, row.line) for row in facts.references),
        ((row.scope, row.line) for row in facts.bindings),
        ((row.scope, row.line) for row in facts.bases),
        ((row.scope, row.line) for row in facts.imports),
    )
    return found | {scope for each in rows for scope, line in each if line in lines}


def _charged(facts: FileFacts, scopes: set[int]) -> set[int]:
    """Return `scopes` and, for each lambda among them, the functions around it.

    Uses inside a lambda are attributed to the function around it.
    """
    rows = {symbol.id: row for row, symbol in enumerate(facts.symbols)}
    found = set(scopes)
    for row in scopes:
        symbol = facts.symbols[row]
        while symbol.kind == "lambda" and symbol.parent is not None:
            found.add(rows[symbol.parent])
            symbol = facts.symbols[rows[symbol.parent]]
    return found
