"""The chain from a question to an answer: plan, find seeds, ask the lanes, fuse, re-rank.

`SearchEngine` runs the chain, `SearchOptions` are its checked options that no lane reads, and `Stopwatch` measures the
milliseconds of each step.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from codeexplore import settings
from codeexplore.index.catalog import Catalog
from codeexplore.search.confidence import BEST, at_least_weak, confidence_of_relation, confidence_of_words
from codeexplore.search.context import Snapshot
from codeexplore.search.explain import Derivation, Engines, derive
from codeexplore.search.lane_queries import asked_of
from codeexplore.search.lane_runner import LaneRequest, Preparable, ask_missing
from codeexplore.search.query.options import check_count, check_filters, check_positive
from codeexplore.search.query.planner import plan as make_plan
from codeexplore.search.query.report import is_report
from codeexplore.search.ranking.fusion import Fusion, TermsOfLane, fusion_of
from codeexplore.search.ranking.rerank import Signal, rerank
from codeexplore.search.ranking.signals import SIGNALS, report_signals
from codeexplore.search.reports import Reading, ReportQuestions, confidence_of_report, report_plan
from codeexplore.search.roles import KnowsReach, notices, with_roles, without_noise
from codeexplore.search.seed_finder import SeededPlan, SeedFinder
from codeexplore.search.similar import chunks_of_target, likeness_plan, rows_inside
from codeexplore.text.tokens import analyze
from codeexplore.types import (
    Chunk,
    Confidence,
    Extent,
    Filters,
    FusedHit,
    LaneName,
    PathsFound,
    QueryPlan,
    Ranking,
    Retriever,
    SearchResult,
    Seed,
    StageTime,
    Symbol,
)

if TYPE_CHECKING:
    from codeexplore.graph.model import CodeGraph


class SearchOptions(NamedTuple):
    """The checked options."""

    top_k: int
    per_file: int | None
    fusion: Fusion
    rrf_k: int
    timeout: float


def check_options(
    top_k: int, per_file: int | None, fusion: str | TermsOfLane, rrf_k: int, timeout: float
) -> SearchOptions:
    """Check the options. Raises QuestionError, which names the value and the known ones."""
    check_positive("rrf_k", rrf_k)
    limit = per_file if per_file is None else check_count("per_file", per_file)
    return SearchOptions(
        check_count("top_k", top_k), limit, fusion_of(fusion), rrf_k, check_positive("timeout", timeout)
    )


def checked(filters: Filters | None) -> Filters:
    """Return filters with known languages and kinds; None restricts nothing. Raises QuestionError."""
    return Filters() if filters is None else check_filters(filters)


class Stopwatch:
    """Time of each step since the object was made; `laps` are the steps so far, in order."""

    def __init__(self) -> None:
        self._started = self._last = time.perf_counter()
        self.laps: list[StageTime] = []

    def lap(self, stage: str) -> None:
        """End a step."""
        now = time.perf_counter()
        self.laps.append(StageTime(stage, now - self._last))
        self._last = now

    @property
    def milliseconds(self) -> float:
        """Return the milliseconds from the beginning until now."""
        return (time.perf_counter() - self._started) * 1e3


class Asked(NamedTuple):
    """A plan with the rankings of all it asked, and the weight of each ranking."""

    plan: QueryPlan
    rankings: tuple[Ranking, ...]
    weights: Mapping[str, float]
    confidence: Confidence | None = None  # None where it depends on the graph's answer
    notices: tuple[str, ...] = ()
    all_tokens: tuple[str, ...] = ()  # of a bug report


class SearchEngine:
    """Answers questions over one snapshot.

    Parameters
    ----------
    catalog
        The symbols and chunks.
    retrievers
        The lanes' engines. A lane without one is reported as failed when it is asked.
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
        self._snapshot = Snapshot(catalog, self.retrievers, graph)
        self._beginning = SeedFinder(self._snapshot, self.signals)
        self._report_signals = report_signals(self.signals)

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
        fusion: str | TermsOfLane = "rrf",
        filters: Filters | None = None,
        seeds: Sequence[str | Seed] | None = None,
        timeout: float = settings.LANE_TIMEOUT,
    ) -> SearchResult:
        """Answer a question. A text with the shape of a bug report is answered by `localise`.

        Parameters
        ----------
        text
            The question, or a name.
        top_k
            Hits wanted, at least 1. The order does not depend on it.
        lanes, weights, depth, relation, direction
            Overrule the planner, see `query.plan`.
        rrf_k
            Ranks; a larger number makes the value of a rank fall more slowly.
        per_file
            At most so many hits of one file; groups the answer and changes no score.
        fusion
            A name of `search.ranking.fusion.FUSIONS`, or a function; see `search.ranking.fusion.TermsOfLane`.
        filters
            Restrictions of the hits.
        seeds
            Symbols that the graph starts from, ids or seeds, instead of those the question names or describes.
        timeout
            Seconds a lane may take.

        Raises
        ------
        QuestionError
            The question is empty, or an option is not usable.
        """
        plain = relation is None and direction is None and depth is None and not seeds
        if plain and is_report(text):
            return self.localise(
                text, top_k=top_k, lanes=lanes, rrf_k=rrf_k, weights=weights, per_file=per_file, fusion=fusion,
                filters=filters, timeout=timeout,
            )  # fmt: skip
        watch, snapshot = Stopwatch(), self._snapshot
        shape = check_options(top_k, per_file, fusion, rrf_k, timeout)
        plan = make_plan(
            text, known=snapshot.knows, nearly=snapshot.corrector.misspelt, lanes=lanes, weights=weights, depth=depth,
            relation=relation, direction=direction, filters=checked(filters),
        )  # fmt: skip
        plan, corrected = snapshot.corrector.correct(plan)
        asking = LaneRequest(self.retrievers, snapshot.allowed(plan.filters), shape.timeout)
        watch.lap("plan")
        begun = self._beginning.begin(plan, seeds or (), asking)
        watch.lap("seeds")
        return self._finish(begun._replace(notices=(*corrected, *begun.notices)), asking, shape, watch)

    def localise(
        self,
        text: str,
        *,
        top_k: int = settings.TOP_K,
        lanes: Collection[str] | None = None,
        rrf_k: int = settings.RRF_K,
        weights: Mapping[str, float] | None = None,
        per_file: int | None = None,
        fusion: str | TermsOfLane = "rrf",
        filters: Filters | None = None,
        timeout: float = settings.LANE_TIMEOUT,
    ) -> SearchResult:
        """Rank the symbols that a bug report is about: one ranking for each of its parts, all fused.

        The options are those of `search`; `lanes` and `weights` are about the lanes that are asked about the parts, and
        `weights` also about the parts (`reports.PARTS`).

        Raises
        ------
        QuestionError
            The report is empty, or an option is not usable.
        """
        watch, snapshot = Stopwatch(), self._snapshot
        shape = check_options(top_k, per_file, fusion, rrf_k, timeout)
        read = Reading.of(text, self.catalog)
        plan = report_plan(read, checked(filters), lanes=lanes, weights=weights)
        questions = ReportQuestions(plan, read, self.catalog, snapshot.idf, weights)
        asking = LaneRequest(self.retrievers, snapshot.allowed(plan.filters), shape.timeout)
        watch.lap("plan")
        rankings = questions.ask(asking, snapshot.words.columns)
        watch.lap("lanes")
        confidence = confidence_of_report(questions, rankings, tuple(self.retrievers.values()))
        found = Asked(plan, rankings, questions.weights, confidence, all_tokens=questions.all_tokens)
        return self._ranked(found, asking, shape, watch)

    def related(
        self,
        target: Symbol | Chunk,
        *,
        top_k: int = settings.TOP_K,
        lanes: Collection[str] | None = None,
        rrf_k: int = settings.RRF_K,
        weights: Mapping[str, float] | None = None,
        per_file: int | None = None,
        fusion: str | TermsOfLane = "rrf",
        filters: Filters | None = None,
        timeout: float = settings.LANE_TIMEOUT,
    ) -> SearchResult:
        """Rank the symbols similar to a symbol or chunk: by the meaning of its text, and by nearness in the graph.

        The options are those of `search`. The target and the symbols inside it are not among the hits.
        """
        import numpy as np

        watch = Stopwatch()
        shape = check_options(top_k, per_file, fusion, rrf_k, timeout)
        chunks = chunks_of_target(target, self.catalog)
        symbol = target if isinstance(target, Symbol) else self.catalog.symbol_of(target)
        plan = likeness_plan(chunks, symbol, checked(filters), lanes=lanes, weights=weights)
        passing = self._snapshot.allowed(plan.filters)
        allowed = np.ones(len(self.catalog.chunks), dtype=np.bool_) if passing is None else passing.copy()
        allowed[rows_inside(symbol, chunks, self.catalog)] = False
        watch.lap("plan")
        return self._finish(SeededPlan(plan), LaneRequest(self.retrievers, allowed, shape.timeout), shape, watch)

    def _finish(self, begun: SeededPlan, asking: LaneRequest, shape: SearchOptions, watch: Stopwatch) -> SearchResult:
        """Ask the remaining lanes, fuse, re-rank, and set the role of each hit."""
        asked = ask_missing(begun.plan, begun.rankings, asking)
        watch.lap("lanes")
        weights = {str(lane): weight for lane, weight in begun.plan.lanes.items()}
        return self._ranked(Asked(begun.plan, asked, weights, None, begun.notices), asking, shape, watch)

    def _ranked(self, found: Asked, asking: LaneRequest, shape: SearchOptions, watch: Stopwatch) -> SearchResult:
        """Fuse rankings, re-rank, and set the role of each hit."""
        plan, asked, snapshot, fusion = found.plan, found.rankings, self._snapshot, shape.fusion
        per_file = shape.per_file or fusion.per_file
        parts = snapshot.parts_of_files if per_file == 1 else snapshot.parts
        rankings = parts.collapse(asked)
        fused = fusion.fuse(rankings, found.weights, shape.rrf_k, self._prior(fusion.name))
        watch.lap("fuse")
        evidence = snapshot.evidence(plan, asking.allowed, parts, found.all_tokens)
        signals = self._report_signals if plan.kind == "report" else self.signals
        hits = rerank(fused, evidence, signals, top_k=shape.top_k, per_file=per_file)
        watch.lap("signals")
        answered = any(ranking.lane == "graph" and ranking.status in ("ok", "empty") for ranking in rankings)
        graph: object = self.retrievers.get("graph")
        hits = with_roles(hits, plan, graph, self.catalog, answered=answered)
        extent, paths = None, None  # unchanged where the graph did not answer
        if answered and plan.relation is not None and isinstance(graph, KnowsReach):
            extent, paths = graph.extent(plan), graph.between(plan) if plan.relation == "path" else None
        if extent is not None and extent.certain and (paths is None or paths.absence is None):
            hits = without_noise(hits, plan)
        confidence = found.confidence or self._confidence(plan, asked, extent, paths)
        nothing = asking.allowed is not None and not asking.allowed.any()
        said = (
            *notices(plan, rankings, extent, paths, self.catalog, hits=hits, nothing_passes=nothing),
            *found.notices,
        )
        watch.lap("finish")
        return SearchResult(
            plan, fusion.name, shape.rrf_k, rankings, hits, said, watch.milliseconds, tuple(watch.laps), confidence,
            extent, paths, weights=found.weights,
        )  # fmt: skip

    def _confidence(
        self, plan: QueryPlan, rankings: Sequence[Ranking], extent: Extent | None, paths: PathsFound | None
    ) -> Confidence:
        """Return the confidence of an answer, by the kind of its question."""
        described = plan.relation is not None and any(seed.source == "description" for seed in plan.seeds)
        if plan.relation is not None and not described:
            return confidence_of_relation(plan, extent, paths, None)
        named = plan.kind == "identifier" and all(map(self._snapshot.names, plan.identifiers))
        if plan.kind == "related" or named:
            return Confidence("answered")
        found = confidence_of_words(asked_of("bm25", plan), rankings, tuple(self.retrievers.values()))
        named = found.level == "none" and not found.absent and self._is_named(plan, rankings)
        return at_least_weak(found) if named else found

    def _is_named(self, plan: QueryPlan, rankings: Sequence[Ranking]) -> bool:
        """Return True if the name of a symbol among a lane's best hits consists of words of the question."""
        asked, catalog = frozenset(plan.tokens), self.catalog
        best = (catalog.chunk(hit.chunk_id) for ranking in rankings for hit in ranking.hits[:BEST])
        names = {symbol.name for chunk in best if (symbol := catalog.symbol_of(chunk)) is not None}
        return any(tokens and asked.issuperset(tokens) for tokens in map(analyze, names))

    def _prior(self, fusion: str) -> Mapping[str, float]:
        return self._snapshot.chunk_importance if fusion == "rrf-pagerank" else {}

    def derive(self, result: SearchResult, hit: FusedHit) -> Derivation:
        """Return every number behind the rank of one of this engine's hits, computed now."""
        lanes: dict[str, object] = {str(lane): retriever for lane, retriever in self.retrievers.items()}
        asked: Callable[[str, QueryPlan], QueryPlan] = asked_of
        if result.plan.kind == "report":
            read = Reading.of_plan(result.plan.text, self.catalog)
            questions = ReportQuestions(result.plan, read, self.catalog, self._snapshot.idf)
            lanes, asked = questions.engines(self.retrievers), questions.asked
        return derive(result, hit, Engines(self.catalog, lanes, asked, self._prior(result.fusion)))

    def warm(self) -> None:
        """Compute now the tables that the first question would otherwise wait for."""
        self._snapshot.knows("")
        _ = self._snapshot.parts
        for retriever in self.retrievers.values():
            if isinstance(retriever, Preparable):
                retriever.prepare()
