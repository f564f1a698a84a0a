"""Where the symbols of a drawing stand: one column per depth, ordered so that few edges cross.

The order is igraph's Sugiyama layout (Sugiyama, Tagawa and Toda 1981) over fixed layers; no forces, so a drawing of 200
symbols is laid out in milliseconds and comes out the same each time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from codeexplore.graph.model import layered_order


def ordered_columns(depths: Mapping[str, int], links: Iterable[tuple[str, str]]) -> tuple[tuple[str, ...], ...]:
    """Ids by column: column d holds the ids of the d-th smallest depth, top to bottom.

    `depths` gives each id its depth; `links` are pairs of ids, direction irrelevant. Pairs with an id outside `depths`
    and links from an id to itself are ignored.
    """
    ids = tuple(depths)
    row = {symbol_id: index for index, symbol_id in enumerate(ids)}
    layer_of = {depth: index for index, depth in enumerate(sorted(set(depths.values())))}
    layers = [layer_of[depths[symbol_id]] for symbol_id in ids]
    pairs = sorted({(row[a], row[b]) for a, b in links if a in row and b in row and a != b})
    columns: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for index, place in enumerate(layered_order(layers, pairs)):
        columns[layers[index]].append((place, index))
    return tuple(tuple(ids[index] for _, index in sorted(columns[layer])) for layer in range(len(layer_of)))
