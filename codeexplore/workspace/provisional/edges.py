"""Provisional edges of an edit, resolved with the few files to which the edited files most likely refer.

A full resolution takes seconds. Usually the targets of an edited function follow from the names in it, from the files
that define these names, and from the types that their definitions inherit and return. Such files are selected by the
names and reduced to the relevant facts. They are resolved together with the edited files, by the same rules. The result
is provisional, because values that come from other files are missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from codeexplore.graph.build.resolve import resolve
from codeexplore.graph.incremental.edit_diff import Edited
from codeexplore.graph.incremental.provisional import select_edges
from codeexplore.graph.incremental.slice import MOST_USES, FactsSlice, names_used, slice_facts, uses_in
from codeexplore.graph.merge import RowMap, piece_of, remap
from codeexplore.workers.resolve_request import quick_facts
from codeexplore.workspace.provisional.related_files import RelatedFiles

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from codeexplore.graph.merge import EdgeBlock
    from codeexplore.index.file_batch import AnalysedFile
    from codeexplore.workspace.partial_resolve import State
    from codeexplore.workspace.snapshot import Index


def edits(
    old: Index, state: State, changed: Mapping[str, AnalysedFile], lines: Mapping[str, NDArray[np.int64]]
) -> dict[str, Edited]:
    """Return the changes in each edited file, by path.

    Parameters
    ----------
    old, state
        The index before the edit, and the files and symbols after the edit.
    changed
        The edited files.
    lines
        The new positions of the lines of each file that existed before.
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


def edges_nearby(old: Index, state: State, edited: Mapping[str, Edited]) -> EdgeBlock | None:
    """Return the edges and other references of the edited scopes, as far as related files decide them.

    None is returned if no scope was edited, or if the edited scopes contain too many uses.
    """
    if sum(uses_in(each.facts, each.scopes) for each in edited.values()) > MOST_USES or not any(
        each.scopes for each in edited.values()
    ):
        return None
    moved = frozenset().union(*(each.names for each in edited.values()))
    names: set[str] = set()
    held = {}
    for path, each in edited.items():
        used = names_used(each.facts, each.scopes)
        held[path], told = slice_facts(each.facts, used, each.scopes, moved)
        names |= used | told
    held |= RelatedFiles(old, state, edited).parts(names, moved)
    return _chosen(state, edited, _resolved(state, held))


def _resolved(state: State, held: Mapping[str, FactsSlice]) -> EdgeBlock:
    """Return the edges and other references of some files, resolved without the rest of the repository."""
    numbers = [number for number, path in enumerate(state.sources.paths) if path in held]
    parts = [held[state.sources.paths[number]] for number in numbers]
    rows = [np.array(state.catalog.symbol_rows_in(part.facts.path), np.int64)[part.rows] for part in parts]
    found = resolve([part.facts for part in parts], manifests=state.manifests)
    return remap(piece_of(found), RowMap(np.concatenate(rows), np.array(numbers)))


def _chosen(state: State, edited: Mapping[str, Edited], piece: EdgeBlock) -> EdgeBlock:
    """Return the edges in `piece` that start in edited scopes or lead to them."""
    scopes = np.zeros(len(state.catalog.symbols), np.bool_)
    number = {path: place for place, path in enumerate(state.sources.paths) if path in edited}
    places = []
    for path, each in edited.items():
        scopes[np.array(state.catalog.symbol_rows_in(path), np.int64)[sorted(each.scopes)]] = True
        places.append(number[path] << 32 | each.lines)
    return select_edges(piece, scopes, np.concatenate(places))
