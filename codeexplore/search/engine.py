"""The chain: plan the question, find where the graph starts, ask the lanes, fuse, re-rank."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from codeexplore import settings
from codeexplore.catalog import Catalog
from codeexplore.query import plan as make_plan
from codeexplore.ranking.fuse import FUSIONS, rrf
from codeexplore.ranking.matching import Words
from codeexplore.ranking.pool import Evidence, equally_rare
from codeexplore.ranking.rerank import Signal, rerank
from codeexplore.ranking.signals import SIGNALS
from codeexplore.search.correct import Corrector, KnowsWords
from codeexplore.search.derivation import Derivation
from codeexplore.search.expand import with_methods
from codeexplore.search.explain import Engines, derive
from codeexplore.search.filters import allowed_chunks
from codeexplore.search.lanes import Job, collapse_parts, run_lanes
from codeexplore.search.likeness import chunks_of_target, likeness_plan, rows_inside
from codeexplore.search.notices import notices
from codeexplore.search.roles import with_roles
from codeexplore.search.seeds import MAX_AROUND, MAX_DESCRIBED, as_seeds, describe_choice, described_seeds, named_seeds
from codeexplore.search.shape import Shape, checked, shape_of
from codeexplore.search.subject import about, asked_of, subject
from codeexplore.types import (
    Chunk,
    Filters,
    FusedHit,
    LaneName,
    QueryPlan,
    Ranking,
    Retriever,
    SearchResult,
    Seed,
    Symbol,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from codeexplore.graph.model import CodeGraph

TEXT_LANES: tuple[LaneName, ...] = ("bm25", "embedding")


@runtime_checkable
class KnowsTokens(Protocol):
    """A lane that can tell how rare a token is."""

    def idf(self, token: str) -> float:
        """Inverse document frequency of a token, above 0."""
        ...


class _Asking(NamedTuple):
    """What stays the same while one question is answered."""

    allowed: NDArray[np.bool_] | None
    timeout: float


class _Started(NamedTuple):
    """A plan with its seeds, the rankings that were needed to find them, and what is to be said."""

    plan: QueryPlan
    rankings: tuple[Ranking, ...]
    notices: tuple[str, ...]


class SearchEngine:
    """Answers questions over one snapshot.

    Parameters
    ----------
    catalog
        The symbols and chunks.
    retrievers
        The lanes' engines. A lane without one shows as failed when it is asked.
    graph
        The code graph, for the importance of symbols; None when there is none.
    signals
        The re-ranking signals, in the order in which they are applied.
    """

    def __init__(
        self,
        catalog: Catalog,
        retrievers: Mapping[LaneName, Retriever],
        graph: CodeGraph | None = None,
        *,
        signals: Sequence[Signal] = SIGNALS,
    ) -> None:
        self.catalog = catalog
        self.retrievers = dict(retrievers)
        self.graph = graph
        self.signals = tuple(signals)
        self._words = Words(catalog)

    def search(
        self,
        text: str,
        *,
        top_k: int = settings.TOP_K,
        lanes: Collection[str] | None = None,
        rrf_k: int = settings.RRF_K,
        weights: Mapping[str, float] | None = None,
        depth: int | None = None,
        relation: str | None = None,
        direction: str | None = None,
        per_file: int | None = None,
        fusion: str = "rrf",
        filters: Filters | None = None,
        seeds: Sequence[str | Seed] | None = None,
        timeout: float = settings.LANE_TIMEOUT,
    ) -> SearchResult:
        """Answer a question.

        Parameters
        ----------
        text
            The question, or a name.
        top_k
            Hits wanted, at least 1. The order does not depend on it.
        lanes, weights, depth, relation, direction
            Overrule the planner, see `query.plan`.
        rrf_k
            Ranks; how slowly the value of a rank falls.
        per_file
            At most so many hits of one file; groups the answer and changes no score.
        fusion
            A name of `ranking.fuse.FUSIONS`.
        filters
            What may be returned.
        seeds
            Symbols that the graph starts from, ids or seeds, instead of those the question names or describes.
        timeout
            Seconds a lane may take.

        Raises
        ------
        QuestionError
            The question is empty, or an option is not usable.
        """
        started = time.perf_counter()
        shape = shape_of(top_k, per_file, fusion, rrf_k, timeout)
        plan = make_plan(
            text, known=self._known, nearly=self._corrector.misspelt, lanes=lanes, weights=weights, depth=depth,
            relation=relation, direction=direction, filters=checked(filters),
        )  # fmt: skip
        plan, corrected = self._corrector.correct(plan)
        asking = _Asking(self._allowed(plan.filters), shape.timeout)
        begun = self._start(plan, seeds or (), asking)
        return self._finish(begun._replace(notices=(*corrected, *begun.notices)), asking, shape, started)

    def related(
        self,
        target: Symbol | Chunk,
        *,
        top_k: int = settings.TOP_K,
        lanes: Collection[str] | None = None,
        rrf_k: int = settings.RRF_K,
        weights: Mapping[str, float] | None = None,
        per_file: int | None = None,
        fusion: str = "rrf",
        filters: Filters | None = None,
        timeout: float = settings.LANE_TIMEOUT,
    ) -> SearchResult:
        """Rank the symbols like a symbol or chunk: by the meaning of its text, and by nearness in the graph.

        The options are those of `search`. The target and what it holds are not among the hits.
        """
        import numpy as np

        started = time.perf_counter()
        shape = shape_of(top_k, per_file, fusion, rrf_k, timeout)
        chunks = chunks_of_target(target, self.catalog)
        symbol = target if isinstance(target, Symbol) else self.catalog.symbol_of(target)
        plan = likeness_plan(chunks, symbol, checked(filters), lanes=lanes, weights=weights)
        passing = self._allowed(plan.filters)
        allowed = np.ones(len(self.catalog.chunks), dtype=np.bool_) if passing is None else passing.copy()
        allowed[rows_inside(symbol, chunks, self.catalog)] = False
        return self._finish(_Started(plan, (), ()), _Asking(allowed, shape.timeout), shape, started)

    def _finish(self, begun: _Started, asking: _Asking, shape: Shape, started: float) -> SearchResult:
        """Ask the lanes that have not been asked, fuse, re-rank, and say what each hit is."""
        plan = begun.plan
        rankings = collapse_parts(self._rankings(plan, begun.rankings, asking), self._parts)
        prior = self._chunk_importance if shape.fusion == "sverklo" else {}
        lane_weights = {str(lane): weight for lane, weight in plan.lanes.items()}
        fusion = FUSIONS[shape.fusion]
        fused = fusion.fuse(rankings, lane_weights, shape.rrf_k, prior)
        evidence = Evidence(plan, self.catalog, self._words, self.importance, asking.allowed, self._idf)
        hits = rerank(fused, evidence, self.signals, top_k=shape.top_k, per_file=shape.per_file or fusion.per_file)
        hits = with_roles(hits, plan, self.retrievers.get("graph"), self.catalog)
        nothing = asking.allowed is not None and not asking.allowed.any()
        said = (*notices(plan, rankings, nothing_passes=nothing), *begun.notices)
        elapsed = (time.perf_counter() - started) * 1e3
        return SearchResult(plan, shape.fusion, shape.rrf_k, rankings, hits, said, elapsed)

    def derive(self, result: SearchResult, hit: FusedHit) -> Derivation:
        """Every number behind the rank of one of this engine's hits, worked out now."""
        prior = self._chunk_importance if result.fusion == "sverklo" else {}
        engines = Engines(self.catalog, {str(lane): each for lane, each in self.retrievers.items()}, asked_of, prior)
        return derive(result, hit, engines)

    def warm(self) -> None:
        """Compute now what the first question would otherwise wait for: the graph's arrays, ranks, names."""
        self._known("")
        if self.graph is not None and self.catalog.symbols:
            self.graph.incident(0, "both")  # builds igraph's structure
            _ = self.importance, self.graph.weights

    # ----------------------------------------------------------------- seeds

    def _start(self, plan: QueryPlan, given: Sequence[str | Seed], asking: _Asking) -> _Started:
        """Find the symbols the question is about; run the text lanes first where only they can tell."""
        names = plan.identifiers
        targets: tuple[str, ...] = ()
        if plan.relation == "path":
            names, targets = (names[:1], names[1:]) if not plan.description else ((), names)
        found = named_seeds(names, self.catalog, plan.relation, self._outside)
        ends = named_seeds(targets, self.catalog, plan.relation)
        said = [*found.notices, *ends.notices]
        seeds = as_seeds(given, plan) or with_methods(found.seeds, plan.relation, self.graph)
        rankings: tuple[Ranking, ...] = ()
        if not seeds and "graph" in plan.lanes:
            wanted = subject(plan)
            rankings, seeds = self._described(wanted, plan, asking)
            if seeds and plan.relation is not None:
                said.append(describe_choice(seeds, wanted.text, self.catalog))
        target_seeds = ends.seeds
        if not target_seeds and (plan.target_description or ends.unknown) and "graph" in plan.lanes:
            wanted = about(plan, plan.target_description or " ".join(ends.unknown))
            _, target_seeds = self._described(wanted, plan, asking)
            if target_seeds:
                said.append(describe_choice(target_seeds, wanted.text, self.catalog))
        return _Started(replace(plan, seeds=seeds, targets=target_seeds), rankings, tuple(said))

    def _described(
        self, wanted: QueryPlan, plan: QueryPlan, asking: _Asking
    ) -> tuple[tuple[Ranking, ...], tuple[Seed, ...]]:  # fmt: skip
        """The text lanes' rankings for a description (`wanted`'s text), and the symbols it may mean.

        What a relation starts from may lie outside the filters, which are about the answer: then the rankings are none.
        """
        lanes = [lane for lane in TEXT_LANES if lane in self.retrievers]
        everywhere = plan.relation is not None and asking.allowed is not None
        rankings = self._ask(lanes, wanted, asking._replace(allowed=None) if everywhere else asking)
        if plan.relation is None:  # the graph is a small voice beside the same rankings: their first hits will do
            first = [replace(ranking, hits=ranking.hits[: 4 * MAX_AROUND]) for ranking in rankings]
            fused = rrf(collapse_parts(first, self._parts))
            return rankings, described_seeds(fused, wanted.text, self.catalog, MAX_AROUND)
        fused = rrf(collapse_parts(rankings, self._parts))
        conceptual = replace(wanted, kind="conceptual", relation=None)
        evidence = Evidence(conceptual, self.catalog, self._words, self.importance, None, self._idf)
        best = rerank(fused, evidence, self.signals, top_k=2 * MAX_DESCRIBED)
        return (() if everywhere else rankings), described_seeds(best, wanted.text, self.catalog, MAX_DESCRIBED)

    def _outside(self, name: str) -> tuple[str, ...]:
        """The names outside the repository that a name means."""
        if self.graph is None:
            return ()
        from codeexplore.graph.externals import named

        return named(self.graph, name)

    def _known(self, name: str) -> bool:
        return any(symbol.kind != "section" for symbol in self.catalog.find(name))

    # ----------------------------------------------------------------- lanes

    def _rankings(self, plan: QueryPlan, early: Sequence[Ranking], asking: _Asking) -> tuple[Ranking, ...]:
        """The rankings of the plan's lanes: those already there for the same words, the others asked at once."""
        there = {ranking.lane: ranking for ranking in early}
        missing = [lane for lane in plan.lanes if lane not in there]
        there |= {ranking.lane: ranking for ranking in self._ask(missing, plan, asking)}
        return tuple(there[lane] for lane in plan.lanes)

    def _ask(self, lanes: Sequence[LaneName], plan: QueryPlan, asking: _Asking) -> tuple[Ranking, ...]:
        jobs = {}
        answered: dict[str, Ranking] = {}
        for lane in lanes:
            retriever = self.retrievers.get(lane)
            asked = asked_of(lane, plan)
            if retriever is None:
                answered[lane] = Ranking(lane, (), 0.0, "failed", "this workspace has no such lane")
            elif lane == "graph" and not plan.seeds:
                answered[lane] = Ranking(lane, (), 0.0, "empty", "no symbol to start from was found")
            else:
                jobs[lane] = _job(retriever, asked, asking)
        answered |= {ranking.lane: ranking for ranking in run_lanes(jobs, asking.timeout)}
        return tuple(answered[lane] for lane in lanes)

    @cached_property
    def importance(self) -> Mapping[str, float]:
        """Symbol id → PageRank divided by the largest, 0–1; empty without a graph."""
        if self.graph is None:
            return {}
        from codeexplore.graph.rank import importance

        return importance(self.graph)

    @cached_property
    def _idf(self) -> Callable[[str], float]:
        """How rare a token is, as the first lane that knows tells it."""
        knowing = (lane for lane in self.retrievers.values() if isinstance(lane, KnowsTokens))
        return next((lane.idf for lane in knowing), equally_rare)

    @cached_property
    def _corrector(self) -> Corrector:
        """Tells typing errors in names; without a lane that knows which words there are, only case and underscores."""
        knowing = (lane for lane in self.retrievers.values() if isinstance(lane, KnowsWords))
        return Corrector(self.catalog, next((lane.holds for lane in knowing), _unknown_word))

    def _allowed(self, filters: Filters) -> NDArray[np.bool_] | None:
        """Which chunks pass the filters; those of the last few are remembered."""
        return self._masks(filters)

    @cached_property
    def _masks(self) -> Callable[[Filters], NDArray[np.bool_] | None]:
        return lru_cache(maxsize=16)(lambda filters: allowed_chunks(filters, self.catalog))

    @cached_property
    def _parts(self) -> dict[str, str]:
        """Chunk id → symbol id of the chunks that are parts of a split symbol."""
        return self.catalog.chunk_parts()

    @cached_property
    def _chunk_importance(self) -> dict[str, float]:
        return {chunk.id: self.importance.get(chunk.symbol or "", 0.0) for chunk in self.catalog.chunks}


def _unknown_word(token: str) -> bool:  # noqa: ARG001 — stands for a lane that knows
    return False


def _job(retriever: Retriever, plan: QueryPlan, asking: _Asking) -> Job:
    return lambda: retriever.retrieve(plan, settings.POOL, asking.allowed)
