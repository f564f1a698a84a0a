"""Symbols that changed supertypes affect: the members of the changed types and of their subtypes."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from codeexplore.types import EDGE_KINDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from codeexplore.graph.merge import EdgeBlock, TableColumns

_LINEAGE = (EDGE_KINDS.index("EXTENDS"), EDGE_KINDS.index("IMPLEMENTS"))
_WITHIN = (EDGE_KINDS.index("CONTAINS"),)
_NAMED = frozenset({"definition", "import", "base", "scope"})
"""Rules of edges that do not depend on supertypes, because the use names its target."""

MOST_TYPES = 200
"""Maximal number of changed types and subtypes. If there are more, the subtypes are not updated."""


class AffectedSymbols(NamedTuple):
    """Symbols and edges that changed supertypes affect, as rows of the graph."""

    members: NDArray[np.int64]  # rows of the changed types, their subtypes and everything defined inside
    stale: NDArray[np.int64]  # rows of edges from `members` to inherited members, which may be invalid now


def affected_symbols(piece: EdgeBlock, types: Collection[int], n: int) -> AffectedSymbols:
    """Return the symbols and edges that are affected because the supertypes of `types` changed.

    Parameters
    ----------
    piece
        All edges of the previous graph.
    types
        Rows of the types whose supertypes changed.
    n
        Number of symbols.
    """
    edges = piece.tables["edges"]
    below = _reached(edges, _mask(types, n), _LINEAGE, ("target", "source"))
    if np.count_nonzero(below) > MOST_TYPES:
        below = _mask(types, n)
    above = _reached(edges, _mask(types, n), _LINEAGE, ("source", "target")) & ~_mask(types, n)
    members = _reached(edges, below, _WITHIN, ("source", "target"))
    inherited = _reached(edges, above, _WITHIN, ("source", "target")) & ~members
    named = np.array([word in _NAMED for word in piece.words["edges"]], np.bool_)
    stale = members[edges["source"]] & inherited[edges["target"]] & ~named[edges["rule"]]
    return AffectedSymbols(np.flatnonzero(members), np.flatnonzero(stale))


def _mask(rows: Collection[int], n: int) -> NDArray[np.bool_]:
    mask = np.zeros(n, np.bool_)
    mask[list(rows)] = True
    return mask


def _reached(
    edges: TableColumns, start: NDArray[np.bool_], kinds: tuple[int, ...], way: tuple[str, str]
) -> NDArray[np.bool_]:
    """Return a mask over the symbols: True for `start` and for the symbols that edges of `kinds` reach from `start`.

    `way` names the columns that give the direction: ("source", "target") follows edges forwards.
    """
    rows = np.flatnonzero(np.isin(edges["kind"], kinds))
    ends, others = edges[way[0]][rows], edges[way[1]][rows]
    reached = start.copy()
    while True:
        fresh = others[reached[ends]]
        fresh = fresh[~reached[fresh]]
        if not len(fresh):
            return reached
        reached[fresh] = True
