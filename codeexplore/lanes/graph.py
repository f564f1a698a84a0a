"""The graph lane: from a plan's seeds along its relation to chunks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codeexplore import settings
from codeexplore.catalog import Catalog
from codeexplore.graph.model import CodeGraph
from codeexplore.graph.queries import paths
from codeexplore.graph.rank import Nearness, nearness
from codeexplore.graph.traverse import RELATING, Relating, Walk, seeds_of, walk
from codeexplore.types import CallPath, Hit, LaneName, QueryPlan, Seed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_REMEMBERED = 8
_PATHS = 10


@dataclass(frozen=True, slots=True)
class _Answer:
    """One plan's walk: vertices best first with their scores, and how each was reached."""

    scores: dict[int, float]
    walked: Walk
    near: Nearness
    found: tuple[CallPath, ...] = ()


class GraphLane:
    """Retrieves what stands in the asked relation to the seeds.

    Order: fewer edges away, then surer, then nearer (personalised PageRank over PageRank); what is only possible by
    name comes last. A question without a relation walks both ways, and its seeds are hits themselves.

    Scores fall by half with each edge of distance and lie in the upper half of their distance's range by confidence.
    Several seeds each give their own scores, times their weights; these add up.
    """

    lane: LaneName = "graph"

    def __init__(self, catalog: Catalog, graph: CodeGraph) -> None:
        self.catalog = catalog
        self.graph = graph
        self._answers: dict[tuple[object, ...], _Answer] = {}

    def retrieve(self, plan: QueryPlan, pool: int, allowed: NDArray[np.bool_] | None = None) -> Sequence[Hit]:
        """At most `pool` hits, best first. Without seeds there are none."""
        if not plan.seeds:
            return []
        best: dict[str, float] = {}
        for vertex, score in self._answer(plan).scores.items():
            chunk = self.catalog.chunk_for(self.graph.symbol(vertex).id)
            if chunk is None or chunk.id in best:
                continue
            if allowed is None or bool(allowed[self.catalog.chunk_row(chunk.id)]):
                best[chunk.id] = score
                if len(best) == pool:
                    break
        return [Hit(chunk_id, rank, score) for rank, (chunk_id, score) in enumerate(best.items(), start=1)]

    def explain(self, plan: QueryPlan, chunk_id: str) -> CallPath | None:
        """The path that carried most weight from a seed to a hit; None when the lane did not reach it."""
        if not plan.seeds:
            return None
        answer = self._answer(plan)
        for vertex in answer.scores:
            chunk = self.catalog.chunk_for(self.graph.symbol(vertex).id)
            if chunk is not None and chunk.id == chunk_id:
                return self._path_to(vertex, answer)
        return None

    # ----------------------------------------------------------------- the walk

    def _answer(self, plan: QueryPlan) -> _Answer:
        key = (plan.seeds, plan.targets, plan.relation, plan.direction, plan.depth)
        known = self._answers.get(key)
        if known is None:
            known = self._between(plan) if plan.relation == "path" else self._around(plan)
            if len(self._answers) >= _REMEMBERED:
                self._answers.pop(next(iter(self._answers)))
            self._answers[key] = known
        return known

    def _around(self, plan: QueryPlan) -> _Answer:
        relating = RELATING[plan.relation or "around"]
        seeds = self._weighted(plan.seeds, relating)
        depth = None if relating.depth is None else max(plan.depth, 1)
        walked = walk(self.graph, seeds, relating, depth=depth, direction=plan.direction)
        near = nearness(self.graph, walked)
        scores = _scores(walked, near) if len(plan.seeds) < 2 else self._added_up(plan, relating, depth, near)
        if plan.relation is None:
            top = max(seeds.values(), default=1.0)
            scores |= {vertex: 1.0 + weight / top for vertex, weight in seeds.items()}
        else:
            scores |= self._possible(walked, relating, plan, scores)
        return _Answer(_ordered(scores), walked, near)

    def _added_up(
        self, plan: QueryPlan, relating: Relating, depth: int | None, near: Nearness
    ) -> dict[int, float]:  # fmt: skip
        """Scores from each seed alone, times its weight: a caller of several likely seeds is the likelier answer."""
        total: dict[int, float] = {}
        for seed in plan.seeds:
            alone = walk(self.graph, self._weighted((seed,), relating), relating, depth=depth, direction=plan.direction)
            for vertex, score in _scores(alone, near).items():
                total[vertex] = total.get(vertex, 0.0) + seed.weight * score
        return total

    def _weighted(self, seeds: Sequence[Seed], relating: Relating) -> dict[int, float]:
        found: dict[int, float] = {}
        for seed in seeds:
            for vertex in seeds_of(self.graph, (seed.symbol_id,), relating):
                found[vertex] = max(found.get(vertex, 0.0), seed.weight)
        return found

    def _possible(
        self, walked: Walk, relating: Relating, plan: QueryPlan, scores: dict[int, float]
    ) -> dict[int, float]:
        """What only a name leads to, below everything resolved."""
        found: dict[int, float] = {}
        direction = plan.direction or relating.direction
        floor = min(scores.values(), default=1.0) / 2
        for vertex in walked.seeds:
            for row in self.graph.incident(vertex, direction, relating.kinds):
                other = self.graph.other(row, vertex)
                sure = self.graph.edges.confidence[row]
                if sure < settings.RESOLVED_CONFIDENCE and other not in scores and other not in walked.seeds:
                    found[other] = max(found.get(other, 0.0), floor * sure)
                    walked.via.setdefault(other, vertex)
                    walked.row.setdefault(other, row)
        return found

    def _between(self, plan: QueryPlan) -> _Answer:
        """The symbols on the paths from the seeds to the targets, those of shorter paths first."""
        found: list[CallPath] = []
        for seed in plan.seeds[:3]:
            for target in plan.targets[:3]:
                found.extend(paths(self.graph, seed.symbol_id, target.symbol_id, limit=_PATHS))
        found.sort(key=lambda path: len(path.symbol_ids))
        scores: dict[int, float] = {}
        for path in found:
            for symbol_id in path.symbol_ids:
                scores.setdefault(self.graph.vertex(symbol_id), 1.0 / (1 + len(scores)))
        return _Answer(scores, Walk({}), Nearness({}, {}), tuple(found))

    def _path_to(self, vertex: int, answer: _Answer) -> CallPath | None:
        symbol_id = self.graph.symbol(vertex).id
        for path in answer.found:
            if symbol_id in path.symbol_ids:
                return path
        walked, carried = answer.walked, answer.near.carried
        chain, rows, current = [vertex], [], vertex
        while current not in walked.seeds:
            step = carried.get(current, (walked.via.get(current, -1), walked.row.get(current, -1)))
            if step[0] < 0 or step[0] in chain:
                return None
            current = step[0]
            chain.append(current)
            rows.append(step[1])
        ids = tuple(self.graph.symbol(v).id for v in reversed(chain))
        return CallPath(ids, tuple(self.graph.edge(row) for row in reversed(rows)))


def _scores(walked: Walk, near: Nearness) -> dict[int, float]:
    """A score for every vertex beyond the seeds: distance first, then confidence, then nearness."""
    top = max((near.ratio.get(v, 0.0) for v in walked.depth if v not in walked.seeds), default=0.0) or 1.0
    scores = {}
    for vertex, depth in walked.depth.items():
        if vertex in walked.seeds:
            continue
        share = 0.99 * walked.confidence[vertex] + 0.01 * near.ratio.get(vertex, 0.0) / top
        scores[vertex] = 0.5 ** (depth - 1) * (0.5 + 0.5 * share)
    return scores


def _ordered(scores: dict[int, float]) -> dict[int, float]:
    return dict(sorted(scores.items(), key=lambda item: (-item[1], item[0])))
