"""The graph lane: it walks from the seeds of a plan along its relation, and ranks the chunks of the reached symbols."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from codeexplore.graph.external import with_externals
from codeexplore.graph.model import CodeGraph
from codeexplore.graph.traversal import RELATING, WHOLE_HIERARCHY, Relating, Walk, relation_of, seeds_of, walk
from codeexplore.graph.usage.path_verdict import paths_between
from codeexplore.index.catalog import Catalog
from codeexplore.index.qualified_names import is_external
from codeexplore.types import settings
from codeexplore.types.graph import CallPath, Extent, PathsFound
from codeexplore.types.kinds import LaneName
from codeexplore.types.search import Hit, HitColumns, QueryPlan, Seed, SeedShare

if TYPE_CHECKING:
    from numpy.typing import NDArray

_REMEMBERED = 8  # plans whose walks are cached: a search, its explanation and its variants ask for the same ones


@dataclass(frozen=True, slots=True)
class _Answer:
    """The walk for one plan: vertices with their scores, best first, and the path to each vertex."""

    graph: CodeGraph
    scores: dict[int, float]
    walked: Walk
    chunks: dict[int, int]  # row of a chunk → the best vertex that it shows, best first
    extent: Extent
    found: PathsFound | None = None


class GraphLane:
    """Lane that retrieves the symbols with the requested relation to the seeds.

    Symbols that are fewer edges away come first, then symbols with higher confidence. Symbols that are only possible by
    name are last. A question without a relation walks in both directions, and its seeds are hits too.

    The score is halved with each edge of distance. The scores of a distance are in the upper half of its range, by
    confidence. If there are several seeds, a symbol's score is the sum of its scores for each seed, times the seed's
    weight.
    """

    lane: LaneName = "graph"

    def __init__(self, catalog: Catalog, graph: CodeGraph) -> None:
        self.catalog = catalog
        self.graph = graph
        self._answers: dict[tuple[object, ...], _Answer] = {}

    def prepare(self) -> None:
        self.graph.prepare()
        _ = self.graph.ranks
        _ = self.catalog.chunks.ids

    def retrieve(self, plan: QueryPlan, pool: int, allowed: NDArray[np.bool_] | None = None) -> Sequence[Hit]:
        """Return at most `pool` hits, best first. A plan without seeds has no hits."""
        if not plan.seeds:
            return []
        answer = self._answer(plan)
        passing = ((row, vertex) for row, vertex in answer.chunks.items() if allowed is None or allowed[row])
        found = list(islice(passing, pool))
        rows = np.array([row for row, _ in found], np.int64)
        scores = np.array([answer.scores[vertex] for _, vertex in found], np.float64)
        return HitColumns(rows, scores, self.catalog.chunks.ids)

    def way(self, plan: QueryPlan, chunk_id: str) -> CallPath | None:
        """Return the shortest path from a seed to a hit, of the most confident edges; None if there is no path."""
        answer = self._answer(plan) if plan.seeds else None
        vertex = None if answer is None else self._vertex(answer, chunk_id)
        return None if answer is None or vertex is None else _path_to(vertex, answer)

    def extent(self, plan: QueryPlan) -> Extent:
        return self._answer(plan).extent if plan.seeds else Extent()

    def between(self, plan: QueryPlan) -> PathsFound | None:
        return self._answer(plan).found if plan.seeds and plan.targets else None

    def shares(self, plan: QueryPlan, chunk_id: str) -> tuple[SeedShare, ...]:
        """Return the share of each seed in a hit's score, in the order of the seeds. The shares add up to the score."""
        answer = self._answer(plan) if plan.seeds else None
        vertex = None if answer is None else self._vertex(answer, chunk_id)
        if answer is None or vertex is None:
            return ()
        score = answer.scores[vertex]
        if plan.relation == "path":
            return (SeedShare(plan.seeds[0].symbol_id, 1.0, 0, 1.0, score, "1 / (place along the paths)"),)
        if vertex in answer.walked.seeds and plan.relation is None:
            weight = _weighted(answer.graph, plan.seeds, RELATING["around"])[vertex]
            formula = "the start itself: 1 + weight / largest weight"
            return (SeedShare(answer.graph.symbol(vertex).id, weight, 0, 1.0, score, formula),)
        if len(plan.seeds) == 1 and vertex in answer.walked.depth:
            seed = plan.seeds[0]
            return (_share(seed.symbol_id, 1.0, vertex, answer.walked, score),)
        found = []
        for seed, alone in _each_alone(answer.graph, plan):
            scores = _scores(alone)
            if vertex in scores:
                value = seed.weight * scores[vertex]
                found.append(_share(seed.symbol_id, seed.weight, vertex, alone, value))
        if found:
            return tuple(found)
        sure = answer.graph.edges.confidence[answer.walked.row[vertex]]
        nearest = answer.graph.symbol(answer.walked.via[vertex]).id
        return (SeedShare(nearest, 1.0, 1, float(sure), score, "confidence · half of the lowest resolved score"),)

    # ----------------------------------------------------------------- the walk

    def _answer(self, plan: QueryPlan) -> _Answer:
        key = (plan.seeds, plan.targets, plan.relation, plan.direction, plan.depth)
        known = self._answers.get(key)
        if known is None:
            outside = any(is_external(seed.symbol_id) for seed in (*plan.seeds, *plan.targets))
            graph = with_externals(self.graph) if outside else self.graph
            known = _between(graph, plan) if plan.relation == "path" else _around(graph, plan)
            if len(self._answers) >= _REMEMBERED:
                self._answers.pop(next(iter(self._answers)))
            self._answers[key] = known
        return known

    def _vertex(self, answer: _Answer, chunk_id: str) -> int | None:
        """Return the vertex that a chunk shows. Another lane may have found another part of a split symbol."""
        own = answer.chunks.get(self.catalog.chunk_row(chunk_id))
        parts = self.catalog.chunks_of(self.catalog.chunk(chunk_id).symbol or "") if own is None else ()
        rows = (self.catalog.chunk_row(part.id) for part in parts)
        return next((answer.chunks[row] for row in rows if row in answer.chunks), own)


def _made(
    graph: CodeGraph, scores: dict[int, float], walked: Walk, extent: Extent, found: PathsFound | None = None
) -> _Answer:
    chunks: dict[int, int] = {}
    for vertex, row in zip(scores, graph.catalog.chunk_rows_for(list(scores)), strict=True):
        if row >= 0:
            chunks.setdefault(row, vertex)
    return _Answer(graph, scores, walked, chunks, extent, found)


def _around(graph: CodeGraph, plan: QueryPlan) -> _Answer:
    relating = relation_of(graph, plan.relation or "around", [seed.symbol_id for seed in plan.seeds])
    seeds = _weighted(graph, plan.seeds, relating)
    starts = seeds if len(plan.seeds) < 2 else dict.fromkeys(seeds, 1.0)  # a path is as sure as its edges
    walked = walk(graph, starts, relating, depth=_depth(plan), direction=plan.direction)
    scores = _scores(walked) if len(plan.seeds) < 2 else _added_up(graph, plan)
    if plan.relation is None:
        top = max(seeds.values(), default=1.0)
        scores |= {vertex: 1.0 + weight / top for vertex, weight in seeds.items()}
        return _made(graph, _ordered(scores), walked, Extent())
    possible = _possible(graph, walked, relating, plan, scores)
    extent = Extent(len(scores), len(possible), walked.cut)
    return _made(graph, _ordered(scores | possible), walked, extent)


def _added_up(graph: CodeGraph, plan: QueryPlan) -> dict[int, float]:
    """Return vertex → weighted sum over seeds: a caller of several likely seeds ranks before a caller of one."""
    given: dict[int, list[float]] = defaultdict(list)
    for seed, alone in _each_alone(graph, plan):
        for vertex, score in _scores(alone).items():
            given[vertex].append(seed.weight * score)
    return {vertex: sum(scores) for vertex, scores in given.items()}


def _each_alone(graph: CodeGraph, plan: QueryPlan) -> Iterator[tuple[Seed, Walk]]:
    relating = relation_of(graph, plan.relation or "around", [seed.symbol_id for seed in plan.seeds])
    depth = _depth(plan)
    for seed in plan.seeds:
        starts = _weighted(graph, (seed,), relating)
        yield seed, walk(graph, starts, relating, depth=depth, direction=plan.direction)


def _weighted(graph: CodeGraph, seeds: Sequence[Seed], relating: Relating) -> dict[int, float]:
    found: dict[int, float] = {}
    for seed in seeds:
        for vertex in seeds_of(graph, (seed.symbol_id,), relating):
            found[vertex] = max(found.get(vertex, 0.0), seed.weight)
    return found


def _possible(
    graph: CodeGraph, walked: Walk, relating: Relating, plan: QueryPlan, scores: dict[int, float]
) -> dict[int, float]:
    """Return the symbols that are only reached by name, with scores below those of all resolved symbols."""
    found: dict[int, float] = {}
    direction = plan.direction or relating.direction
    floor = min(scores.values(), default=1.0) / 2
    for vertex in walked.seeds:
        for row in graph.incident(vertex, direction, relating.kinds):
            other = graph.other(row, vertex)
            sure = graph.edges.confidence[row]
            if sure < settings.RESOLVED_CONFIDENCE and other not in scores and other not in walked.seeds:
                found[other] = max(found.get(other, 0.0), floor * sure)
                walked.via.setdefault(other, vertex)
                walked.row.setdefault(other, row)
    return found


def _between(graph: CodeGraph, plan: QueryPlan) -> _Answer:
    """Return the symbols on the paths from a seed to a target, the symbols of shorter paths first."""
    found: PathsFound | None = None
    if plan.seeds and plan.targets:
        ends = ([seed.symbol_id for seed in some] for some in (plan.seeds, plan.targets))
        found = paths_between(graph, *ends, longest=max(plan.depth, 1) + 1)
    scores: dict[int, float] = {}
    for path in found.paths if found is not None else ():
        for symbol_id in path.symbol_ids:
            scores.setdefault(graph.vertex(symbol_id), 1.0 / (1 + len(scores)))
    return _made(graph, scores, Walk({}), Extent(len(scores)), found)


def _path_to(vertex: int, answer: _Answer) -> CallPath | None:
    symbol_id = answer.graph.symbol(vertex).id
    for path in answer.found.paths if answer.found is not None else ():
        if symbol_id in path.symbol_ids:
            return path
    walked = answer.walked
    chain, rows = [vertex], []
    while chain[-1] not in walked.seeds:
        row = walked.row.get(chain[-1], -1)
        if row < 0:
            return None
        rows.append(row)
        chain.append(walked.via[chain[-1]])
    ids = tuple(answer.graph.symbol(v).id for v in reversed(chain))
    return CallPath(ids, tuple(answer.graph.edge(row) for row in reversed(rows)))


def _scores(walked: Walk) -> dict[int, float]:
    """Return the score of every reached vertex except the seeds: by distance, then confidence."""
    return {
        vertex: 0.5 ** (depth - 1) * (0.5 + 0.5 * walked.confidence[vertex])
        for vertex, depth in walked.depth.items()
        if vertex not in walked.seeds
    }


_FORMULA = "weight · 0.5 ** (distance − 1) · (0.5 + 0.5 · confidence)"


def _share(seed: str, weight: float, vertex: int, walked: Walk, value: float) -> SeedShare:
    return SeedShare(seed, weight, walked.depth[vertex], walked.confidence[vertex], value, _FORMULA)


def _depth(plan: QueryPlan) -> int | None:
    """Return the number of levels to walk: as in the plan, but all levels for hierarchies of types."""
    return None if plan.relation in WHOLE_HIERARCHY else max(plan.depth, 1)


def _ordered(scores: dict[int, float]) -> dict[int, float]:
    return dict(sorted(scores.items(), key=lambda item: (-item[1], item[0])))
