"""PageRank of a whole graph from its columns of edges.

igraph has it too, but loading igraph and handing it the edges takes longer than this does, and where references are
resolved nothing else asks for igraph.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

TOLERANCE: Final = 1e-10
"""The walk ends when a round moves no larger part of all weight than this."""

MAX_ROUNDS: Final = 1000


def pagerank(
    n_vertices: int, source: Sequence[int], target: Sequence[int], weights: Sequence[float], damping: float
) -> list[float]:
    """PageRank over weighted directed edges (Brin and Page 1998); it adds up to 1.

    A vertex without outgoing weight passes on to all alike. That only scales the ranks: so what it would pass on is
    left out, and the ranks are scaled in the end (Del Corso, Gullì and Romani 2005).
    """
    import numpy as np

    if not n_vertices:
        return []
    sources, targets = np.asarray(source, np.int64), np.asarray(target, np.int64)
    weight = np.asarray(weights, np.float64)
    leaving = np.bincount(sources, weight, n_vertices)
    walked = np.flatnonzero(weight > 0.0)
    order = walked[np.argsort(targets[walked], kind="stable")]  # edges into one vertex stand together
    sources, targets = sources[order], targets[order]
    share = damping * weight[order] / leaving[sources]
    starts = np.flatnonzero(np.diff(targets, prepend=-1))
    entered = targets[starts]
    ranks = given = np.full(n_vertices, 1.0 / n_vertices)
    for _ in range(MAX_ROUNDS if len(order) else 0):
        following = given.copy()
        following[entered] += np.add.reduceat(ranks[sources] * share, starts)
        moved = np.abs(following - ranks).sum()
        ranks = following
        if moved <= TOLERANCE * ranks.sum():
            break
    found: list[float] = (ranks / ranks.sum()).tolist()
    return found
