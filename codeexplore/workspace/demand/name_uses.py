"""Facts of one file that may use some names: references, aliases, constructor calls, supertypes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from codeexplore.graph.demand.facts_index import last_of

if TYPE_CHECKING:
    from codeexplore.graph.demand.facts_index import FactsIndex


def aliases(index: FactsIndex, names: Collection[str]) -> set[str]:
    """Return `names` and the names by which a file imports or binds values with these names."""
    found = {*names, *(row.name for rows in index.imports.values() for row in rows if row.member in names)}
    for rows in index.bindings.values():
        found |= {last_of(row.name) for row in rows if row.value[-1:] not in (")", "]") and last_of(row.value) in found}
    return found


def using(index: FactsIndex, names: Collection[str]) -> tuple[list[int], list[int]]:
    """Return the references whose last name is one of `names`, with those that pass such a value as an argument.

    The latter are also returned alone.
    """
    found = {row for name in names for row in index.references.get(name, ())}
    passing = [
        row
        for row, reference in enumerate(index.facts.references)
        if any(argument[-1:] != ")" and last_of(argument.rpartition("=")[2]) in names for argument in reference.args)
    ]
    return sorted(found.union(passing)), passing


def stored_as(index: FactsIndex, names: Collection[str]) -> set[str]:
    """Return the members of a file to which one of `names` is assigned: then other files use it by these names."""
    return {
        last_of(row.name)
        for rows in index.bindings.values()
        for row in rows
        if row.value in names and "." in row.name and row.name[0] != "%"
    }


def types_around(index: FactsIndex, rows: Iterable[int]) -> set[int]:
    """Return the types whose methods call members of their own instance in one of the references `rows`."""
    found = set()
    for row in rows:
        reference = index.facts.references[row]
        root, _, rest = reference.path.partition(".")
        if rest and (scope := index.type_of_receiver(reference.scope, root)) >= 0:
            found.add(scope)
    return found


def constructor_calls(index: FactsIndex, names: Collection[str], words: Collection[str]) -> list[int]:
    """Return the references that call a constructor by one of `words` (``super(…)``, ``this(…)``).

    They are in the types with one of `names` and in their subtypes.
    """
    types = {row for name in names for row in index.symbols.get(name, ()) if index.is_type[row]}
    types.update(scope for scope, _ in subtypes(index, names))
    rows = [row for word in words for row in index.references.get(word, ())]
    return [row for row in rows if not types.isdisjoint(index.chain(index.facts.references[row].scope))]


def subtypes(index: FactsIndex, names: Collection[str]) -> Iterator[tuple[int, str]]:
    """Yield (scope, name of the subtype) for each supertype in a file whose name is one of `names`."""
    known = set(names) | {row.name for rows in index.imports.values() for row in rows if row.member in names}
    for scope, bases in index.bases.items():
        for base in bases:
            if last_of(base.path) in known:
                yield scope, last_of(base.type) if base.type else index.facts.symbols[scope].name
