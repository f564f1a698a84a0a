"""Where the symbols of a drawing stand: one column per depth, ordered so that few edges cross.

The order is igraph's Sugiyama layout (Sugiyama, Tagawa and Toda 1981) over fixed layers; no forces, so a drawing of 200
symbols is laid out in milliseconds and comes out the same each time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

_SWEEPS = 100


def ordered_columns(depths: Mapping[str, int], links: Iterable[tuple[str, str]]) -> tuple[tuple[str, ...], ...]:
    """Ids by column: column d holds the ids of the d-th smallest depth, top to bottom.

    `depths` gives each id its depth; `links` are pairs of ids, direction irrelevant. Pairs with an id outside `depths`
    and links from an id to itself are ignored.
    """
    import igraph

    ids = tuple(depths)
    row = {symbol_id: index for index, symbol_id in enumerate(ids)}
    levels = sorted(set(depths.values()))
    layer = {depth: index for index, depth in enumerate(levels)}
    pairs = sorted({(row[a], row[b]) for a, b in links if a in row and b in row and a != b})
    graph = igraph.Graph(len(ids), pairs)
    layout = graph.layout_sugiyama(layers=[layer[depths[symbol_id]] for symbol_id in ids], maxiter=_SWEEPS)
    columns: dict[int, list[tuple[float, int, str]]] = defaultdict(list)
    for symbol_id, place in zip(ids, layout.coords, strict=False):  # after ours come igraph's helper vertices
        columns[layer[depths[symbol_id]]].append((place[0], row[symbol_id], symbol_id))
    return tuple(tuple(symbol_id for *_, symbol_id in sorted(columns[index])) for index in range(len(levels)))
