"""Importance of symbols by PageRank, and their nearness to the seeds of a walk by personalised PageRank."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from codeexplore.graph.model import CodeGraph
from codeexplore.graph.traversal import Walk

_cache: WeakKeyDictionary[CodeGraph, list[float]] = WeakKeyDictionary()
_by_id: WeakKeyDictionary[CodeGraph, dict[str, float]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Nearness:
    """Nearness of the vertices of a walk to the vertices at which the walk starts (its seeds).

    `ratio` maps a vertex to its personalised PageRank divided by its PageRank. The ratio is high for vertices that are
    near the seeds but not central in the whole graph.
    """

    ratio: Mapping[int, float]


def importance_of(graph: CodeGraph) -> list[float]:
    """Return the PageRank of each vertex, computed once for each graph."""
    known = _cache.get(graph)
    if known is None:
        known = _cache[graph] = graph.pagerank()
    return known


def remember_importance(graph: CodeGraph, ranks: list[float]) -> None:
    """Set the PageRank of `graph` to the stored values `ranks`, so that it is not computed again."""
    _cache[graph] = ranks


def keep_importance(graph: CodeGraph, other: CodeGraph) -> None:
    """Copy the PageRank of `other` to `graph`. Both graphs must have the same edges."""
    remember_importance(graph, importance_of(other))
    if other in _by_id and graph.catalog.symbol_ids() == other.catalog.symbol_ids():
        _by_id[graph] = _by_id[other]


def importance(graph: CodeGraph) -> Mapping[str, float]:
    """Return a mapping from symbol id to importance: PageRank divided by the largest PageRank, 0–1."""
    if graph not in _by_id:
        _by_id[graph] = _importance(graph)
    return _by_id[graph]


def _importance(graph: CodeGraph) -> dict[str, float]:
    ranks = importance_of(graph)
    top = max(ranks, default=0.0)
    if top <= 0.0:
        return {}
    return {symbol_id: rank / top for symbol_id, rank in zip(graph.catalog.symbol_ids(), ranks, strict=True)}


def nearness(graph: CodeGraph, walked: Walk) -> Nearness:
    """Return the nearness of each vertex of the walk `walked` to the seeds of the walk.

    Personalised PageRank follows edges between vertices of the walk only. It restarts at the seeds, in proportion to
    their weights.
    """
    vertices = list(walked.depth)
    if not any(weight > 0.0 for weight in walked.seeds.values()):
        return Nearness({})
    near = dict(zip(vertices, graph.personalised(vertices, walked.rows, walked.seeds), strict=True))
    everywhere = importance_of(graph)
    ratio = {vertex: value / everywhere[vertex] if everywhere[vertex] > 0.0 else 0.0 for vertex, value in near.items()}
    return Nearness(ratio)
