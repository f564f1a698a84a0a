"""The scopes that an edit changed, file by file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from codeexplore.graph.incremental.edit_diff import Edited

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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
        facts = row.quick_facts(state.catalog.in_file(path))
        n_lines = bytes(state.sources.data(path)).count(b"\n") + 1
        if path in lines:
            made[path] = Edited.between(old.files.facts(path), facts, lines[path], n_lines)
        else:
            made[path] = Edited.fresh(facts, n_lines)
    return made
