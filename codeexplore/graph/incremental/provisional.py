"""Provisional edges after an edit, merged into the edge tables of the previous graph.

Provisional edges come from resolving only the edited scopes. They are used until the full resolution is ready. The
previous tables may already contain some of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from codeexplore.graph.incremental.edit_diff import REMOVED
from codeexplore.graph.merge import LINE, EdgeBlock, picked

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from codeexplore.graph.incremental.edit_diff import Edited
    from codeexplore.graph.merge import RowMap, TableColumns

NameOf: TypeAlias = "Callable[[int], str]"


def select_edges(piece: EdgeBlock, scopes: NDArray[np.bool_], places: NDArray[np.int64]) -> EdgeBlock:
    """Return the edges from or to the symbols marked in `scopes`, and the references without an edge at `places`.

    References without an edge are unresolved references and uses of outside names. `places` are sites.
    """
    edges = piece.tables["edges"]
    tables = {"edges": picked(edges, np.flatnonzero(scopes[edges["source"]] | scopes[edges["target"]]))}
    for name in ("unresolved", "externals"):
        columns = piece.tables[name]
        tables[name] = picked(columns, np.flatnonzero(np.isin(columns["site"], places)))
    return EdgeBlock(tables, piece.words)


def carry_over(
    piece: EdgeBlock, edited: Mapping[int, Edited], lines: Mapping[int, NDArray[np.int64]], how: RowMap, name: NameOf
) -> EdgeBlock:
    """Return, at their new sites, the edges of uses that still exist although their old lines do not.

    Parameters
    ----------
    piece
        All edges and other references of the previous graph.
    edited
        Previous number of a file → its changes.
    lines
        Previous number of a file → new line of each previous line.
    how
        New rows of symbols and new numbers of files.
    name
        Function that returns the name of a symbol for its old row.
    """
    edges = piece.tables["edges"]
    first, sites = edges["first_site"], edges["site"]
    found: dict[int, list[int]] = defaultdict(list)
    for file, became in lines.items():
        places = np.flatnonzero((sites >= file << 32) & (sites < (file + 1) << 32))
        places = places[became[np.minimum(sites[places] & LINE, len(became) - 1)] == REMOVED]
        rows = np.searchsorted(first, places, "right") - 1
        for row, site in zip(rows.tolist(), sites[places].tolist(), strict=True):
            line = edited[file].new_line_of(site & LINE, name(int(edges["target"][row])))
            if line != REMOVED and how.symbols[edges["source"][row]] >= 0 and how.symbols[edges["target"][row]] >= 0:
                found[row].append(int(how.files[file]) << 32 | line)
    made = picked(edges, np.array(sorted(found), np.int64))
    made |= {end: how.symbols[made[end]].astype(made[end].dtype) for end in ("source", "target")}
    none = {key: picked(piece.tables[key], np.zeros(0, np.int64)) for key in ("unresolved", "externals")}
    moved = _with_sites(made, [found[row] for row in sorted(found)])
    return EdgeBlock({**none, "edges": moved}, piece.words)


def merge_edges(pieces: Sequence[EdgeBlock], newer: EdgeBlock) -> list[EdgeBlock]:
    """Return blocks that together contain each edge once.

    If `newer` and an older block contain the same edge, the edge of `newer` is kept, with the sites of both.
    """
    others = newer.tables["edges"]
    row_of = {key: row for row, key in enumerate(_keys(others).tolist())}
    sources = np.unique(others["source"])
    first, places = others["first_site"].tolist(), others["site"].tolist()
    sites = [places[start:stop] for start, stop in pairwise(first)]
    made = []
    for piece in pieces:
        edges = piece.tables["edges"]
        kept = np.ones(len(edges["source"]), np.bool_)
        rows = np.flatnonzero(np.isin(edges["source"], sources))
        for row, key in zip(
            rows.tolist(), _keys({end: edges[end][rows] for end in ("source", "target", "kind")}).tolist(), strict=True
        ):
            own = row_of.get(key)
            if own is not None:
                before = edges["site"][edges["first_site"][row] : edges["first_site"][row + 1]]
                sites[own] = sorted({*sites[own], *before.tolist()})
                kept[row] = False
        left = edges if bool(kept.all()) else picked(edges, np.flatnonzero(kept))
        made.append(piece._replace(tables={**piece.tables, "edges": left}))
    return [*made, newer._replace(tables={**newer.tables, "edges": _with_sites(others, sites)})]


def _with_sites(edges: TableColumns, sites: Sequence[Sequence[int]]) -> TableColumns:
    """Return the edges with other sites: `sites` gives the sites of each row."""
    return {
        **edges,
        "site": np.array([site for row in sites for site in row], np.int64),
        "first_site": np.cumsum([0, *map(len, sites)]).astype(edges["first_site"].dtype),
    }


def _keys(edges: TableColumns) -> NDArray[np.int64]:
    """Return for each edge one number that packs its source, target and kind."""
    source, target = edges["source"].astype(np.int64), edges["target"].astype(np.int64)
    keys: NDArray[np.int64] = (source << 31 | target) << 3 | edges["kind"]
    return keys
