"""The small graph of calls in notebook 4, and personalised PageRank on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from codeexplore.types import EDGE_KINDS
from codeexplore.types.errors import LabError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from codeexplore.workspace.workspace import Workspace

N_VERTICES: Final = 7
"""Vertices of the graph that is computed by hand."""


class SmallGraph(NamedTuple):
    """Seven functions and the calls between them."""

    start: str
    vertices: list[str]
    """The start first, then in the order of a breadth-first walk."""
    calls: list[tuple[str, str]]
    """Edges (caller, callee), each once."""


def find_small_graph(ws: Workspace) -> SmallGraph:
    """Return the graph around the first function, by name, that has three or four neighbours.

    The graph has a circle, so that a walk on it is not that on a tree. Raises LabError if there is none.
    """
    edges, symbols = ws.graph.edges, ws.catalog.symbols
    call = EDGE_KINDS.index("CALLS")
    rows = zip(edges.source, edges.target, edges.kind, edges.in_test, strict=True)
    pairs = sorted(
        {
            (symbols[source].fqn, symbols[target].fqn)
            for source, target, kind, in_test in rows
            if kind == call and not in_test and source != target
        }
    )
    near: dict[str, set[str]] = {}
    for source, target in pairs:
        near.setdefault(source, set()).add(target)
        near.setdefault(target, set()).add(source)
    callers, callees = ({pair[side] for pair in pairs} for side in (1, 0))
    for start in sorted(callers & callees):
        if 3 <= len(near[start]) <= 4 and len(chosen := _walk(start, near)) == N_VERTICES:
            inside = [pair for pair in pairs if set(pair) <= set(chosen)]
            if len(inside) > N_VERTICES:
                return SmallGraph(start, chosen, inside)
    raise LabError(f"{ws.name} has no function whose calls make a graph of {N_VERTICES} vertices")


def _walk(start: str, near: Mapping[str, set[str]]) -> list[str]:
    """Return the first seven vertices of a breadth-first walk; neighbours in the order of their names."""
    found = [start]
    for vertex in found:
        for other in sorted(near[vertex]):
            if other not in found and len(found) < N_VERTICES:
                found.append(other)
    return found


def pagerank(
    vertices: Sequence[str],
    pairs: Iterable[tuple[str, str]],
    reset: Mapping[str, float],
    damping: float,
    steps: int = 200,
) -> dict[str, float]:
    """Return personalised PageRank by power iteration; each pair is an edge from its first vertex to its second.

    The walk begins at the distribution `reset`. A vertex without an edge out returns to it.
    """
    place = {vertex: number for number, vertex in enumerate(vertices)}
    matrix: NDArray[np.float64] = np.zeros((len(place), len(place)))
    for source, target in pairs:
        matrix[place[target], place[source]] += 1.0
    start = np.array([reset.get(vertex, 0.0) for vertex in vertices])
    start /= start.sum()
    out = matrix.sum(axis=0)
    matrix[:, out > 0] /= out[out > 0]
    matrix[:, out == 0] = start[:, None]
    ranks = start
    for _ in range(steps):
        ranks = (1.0 - damping) * start + damping * (matrix @ ranks)
    return dict(zip(vertices, ranks.tolist(), strict=True))
