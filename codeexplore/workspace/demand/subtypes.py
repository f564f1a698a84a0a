"""The types below some types, and what an interface asks of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeexplore.graph.demand.facts_index import last_of
from codeexplore.workspace.demand.name_uses import subtypes
from codeexplore.workspace.demand.places import Places

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from codeexplore.graph.demand.family import Family
    from codeexplore.graph.demand.program_slice import ProgramSlice
    from codeexplore.types import Symbol


def demand_subtypes(
    sliced: ProgramSlice, names: Collection[str], files_of: Callable[[Collection[str]], Iterable[str]]
) -> tuple[set[str], list[Places]]:
    """Demand the subtypes of the types with one of `names`, level by level.

    Returns `names` with those of the subtypes, and the files of each level. `files_of` returns the files that may
    contain subtypes of types with the given names.
    """
    seen, todo, levels = set[str](), set(names), []
    while todo:
        level = Places(files_of(todo))
        found = [(path, *each) for path, index in level.read(sliced) for each in subtypes(index, todo)]
        for path, scope, _ in found:
            sliced.define(path, (scope,))
        levels.append(level)
        seen |= todo
        todo = {name for _, _, name in found} - seen
    return seen, levels


def methods_asked(family: Family, interface: Symbol) -> set[str]:
    """Return the names of the methods of an interface, with those of the interfaces that it embeds."""
    found, seen, todo = set[str](), set[str](), [(interface.path, interface.name)]
    for path, name in todo:
        index = family.index(path)
        for row in index.symbols.get(name, ()):
            if index.facts.symbols[row].kind == "interface":
                found |= {
                    each.name
                    for each, parent in zip(index.facts.symbols, index.parents, strict=True)
                    if parent == row and each.kind in ("method", "function")
                }
                for base in (last_of(base.path) for base in index.bases.get(row, ())):
                    if base not in seen:
                        seen.add(base)
                        todo += [(other, base) for other in family.defining(base)]
    return found
