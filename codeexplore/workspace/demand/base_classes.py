"""Edits that change supertypes. They change the members that a type and its subtypes inherit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from codeexplore.graph.incremental.affected_types import affected_symbols
from codeexplore.graph.incremental.edit_diff import Edited
from codeexplore.graph.merge import picked

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from codeexplore.graph.merge import EdgeBlock
    from codeexplore.workspace.partial_resolve import State
    from codeexplore.workspace.snapshot import Index


def with_changed_bases(
    old: Index, state: State, edited: Mapping[str, Edited], whole: EdgeBlock, went: NDArray[np.integer]
) -> tuple[Mapping[str, Edited], EdgeBlock]:
    """Extend an edit to every scope whose inherited members changed, and drop the edges that may no longer be valid.

    Returns the extended edit and the remaining edges.

    Parameters
    ----------
    whole
        All edges of the previous graph.
    went
        Old row of a symbol → its new row; -1 for a symbol that does not exist any more.
    """
    types = [old.catalog.symbol_rows_in(path)[scope] for path, each in edited.items() for scope in each.changed_bases]
    if not types:
        return edited, whole
    found = affected_symbols(whole, types, len(went))
    scopes: dict[str, set[int]] = defaultdict(set)
    rows = went[found.members]
    for row in rows[rows >= 0].tolist():
        path = state.sources.paths[state.catalog.symbols.path_numbers[row]]
        scopes[path].add(row - state.catalog.symbol_rows_in(path)[0])
    more = dict(edited)
    for path, held in scopes.items():
        known = edited.get(path) or Edited.untouched(state.files.facts(path))
        more[path] = replace(known, scopes=known.scopes | held)
    edges = whole.tables["edges"]
    kept = picked(edges, np.setdiff1d(np.arange(len(edges["source"])), found.stale))
    return more, whole._replace(tables={**whole.tables, "edges": kept})
