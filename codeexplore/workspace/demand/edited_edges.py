"""The edges of edited scopes, resolved before the whole graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from codeexplore.graph.demand.program_slice import ProgramSlice
from codeexplore.graph.incremental.provisional import select_edges
from codeexplore.workspace.demand.places import Places

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from codeexplore.graph.incremental.edit_diff import Edited
    from codeexplore.graph.merge import EdgeBlock
    from codeexplore.index.catalog import Catalog
    from codeexplore.workspace.demand.slice_edges import SliceEdges

MOST_EDITED: Final = 60_000
"""Facts of edited scopes that are resolved before the whole graph, about 2 s of processor time."""


def edges_of_edits(resolver: SliceEdges, catalog: Catalog, edits: Mapping[str, Edited]) -> EdgeBlock:
    """Return the edges of edited scopes of one language family, and of uses of names that an edit defines anew."""
    family = resolver.family(next(iter(edits.values())).facts.language)
    sliced = ProgramSlice(family)
    marked, sites = np.zeros(len(catalog.symbols), np.bool_), []

    def mark(path: str, scopes: Iterable[int]) -> None:
        marked[np.array(catalog.symbol_rows_in(path), np.int64)[sorted(scopes)]] = True

    left = MOST_EDITED
    for path, each in edits.items():
        if left > 0:
            left -= _demand(sliced, path, each)
        mark(path, each.scopes)
        sites.append(resolver.file_number[path] << 32 | each.lines)
    sliced.grow()
    names = frozenset().union(*(each.names for each in edits.values()))
    for path, index in Places(family.mentioning(names) if names else ()).read(sliced):
        rows = [row for name in sorted(index.references.keys() & names) for row in index.references[name]]
        sliced.use(path, rows)
        sliced.grow()
        mark(path, {index.facts.references[row].scope for row in rows})
    return select_edges(resolver.of(sliced), marked, np.concatenate(sites))


def _demand(sliced: ProgramSlice, path: str, edited: Edited) -> int:
    """Demand the uses of edited scopes of a file, and extend the budgets by their facts. Return the number of these."""
    index = sliced.read(path)
    if index is None:
        return 0
    rows = [row for scope in sorted(edited.scopes) for row in index.by_scope.get(scope, ())]
    facts = len(edited.scopes) + 2 * len(rows) + sum(row.scope in edited.scopes for row in index.facts.bindings)
    sliced.allow(facts)
    sliced.define(path, sorted(edited.scopes))
    sliced.use(path, rows, dispatch=True)
    new = set(edited.lines.tolist())
    sliced.imports(path, (row for row in index.facts.imports if row.line in new))
    return facts
