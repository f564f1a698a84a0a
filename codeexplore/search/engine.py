"""The steps from a question to an answer: plan, find seeds, search the lanes, fuse, re-rank.

`SearchEngine` runs the steps. `SeedFinder` finds the symbols that a question is about. `Stopwatch` measures the
milliseconds of each step.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple, Unpack

from codeexplore.index.catalog import Catalog
from codeexplore.search.confidence import NEAREST, confidence_of_relation, confidence_of_words, is_plain, words_meant
from codeexplore.search.context import Snapshot
from codeexplore.search.explain import Derivation, Engines, derive
from codeexplore.search.hit_roles import notices, with_roles, without_noise
from codeexplore.search.lane_runner import (
    LaneRequest,
    about,
    ask,
    ask_extra,
    ask_missing,
    asked_of,
    in_other_words,
    respelt,
    subject,
)
from codeexplore.search.lanes.interface import ExplainsWalk, KnowsMeaning, Preparable, Tunable
from codeexplore.search.options import CheckedOptions, SearchOptions, check_options
from codeexplore.search.query.bug_report import is_report
from codeexplore.search.query.planner import LANE_WEIGHTS, chosen_lanes
from codeexplore.search.query.planner import plan as make_plan
from codeexplore.search.ranking.fusion import rrf
from codeexplore.search.ranking.rerank import Evidence, ReportWords, Signal, rerank
from codeexplore.search.ranking.signals import SIGNALS, report_signals
from codeexplore.search.reports import Reading, ReportQuestions, confidence_of_report, report_plan
from codeexplore.search.seeds import (
    MAX_AROUND,
    MAX_DESCRIBED,
    as_seeds,
    describe_choice,
    described_seeds,
    named_seeds,
    of_language,
)
from codeexplore.text.tokens import fold, tokenize
from codeexplore.types.errors import QuestionError
from codeexplore.types.facts import Chunk, Symbol
from codeexplore.types.graph import Extent, PathsFound
from codeexplore.types.kinds import LANES, ConfidenceLevel, LaneName
from codeexplore.types.search import (
    USUAL_NUMBERS,
    Confidence,
    Filters,
    FusedHit,
    Hit,
    HitColumns,
    Numbers,
    QueryPlan,
    Ranking,
    Reason,
    Retriever,
    SearchResult,
    Seed,
    StageTime,
)

if TYPE_CHECKING:
    from codeexplore.graph.model import CodeGraph

TEXT_LANES: Final[tuple[LaneName, ...]] = ("bm25", "embedding")


class Stopwatch:
    """Time of each step since the object was made. `laps` has the finished steps in order."""

    def __init__(self) -> None:
        self._started = self._last = time.perf_counter()
        self.laps: list[StageTime] = []

    def lap(self, stage: str) -> None:
        now = time.perf_counter()
        self.laps.append(StageTime(stage, now - self._last))
        self._last = now

    @property
    def milliseconds(self) -> float:
        return (time.perf_counter() - self._started) * 1e3


class Asked(NamedTuple):
    """A plan, the rankings of all lanes that were searched, and the weight of each ranking."""

    plan: QueryPlan
    rankings: tuple[Ranking, ...]
    weights: Mapping[str, float]
    confidence: Confidence | None = None  # None where it depends on the graph's answer
    notices: tuple[str, ...] = ()
    report: ReportWords | None = None
    plain: bool = False  # words in names count less


class SeededPlan(NamedTuple):
    """A plan with its seeds, the rankings that were needed to find them, and notices about the choice."""

    plan: QueryPlan
    rankings: tuple[Ranking, ...] = ()
    notices: tuple[str, ...] = ()


_IN_CODE: Final = re.compile(r"\w[A-Z_\d]|[.:#/]\w").search
"""Finds that a name is none of a language: it describes nothing, and nothing but a symbol of this name is meant."""


class SeedFinder:
    """Finder of the symbols that a question is about. `signals` re-rank what a description may mean."""

    def __init__(self, snapshot: Snapshot, signals: Sequence[Signal]) -> None:
        self._snapshot = snapshot
        self._signals = signals

    def begin(self, plan: QueryPlan, given: Sequence[str | Seed], asking: LaneRequest) -> SeededPlan:
        """Return the plan with the symbols that the question names or describes, or with those in `given`."""
        snapshot = self._snapshot
        # "what calls the code that wraps Session.get?" asks about the described code, not about the name in it
        names = () if plan.description else plan.identifiers
        targets: tuple[str, ...] = ()
        if plan.relation == "path":
            targets = names[1:] if names else () if plan.target_description else plan.identifiers
            names = names[:1]
        catalog, used, local = snapshot.catalog, snapshot.used, snapshot.local
        found = named_seeds(names, catalog, plan.relation, snapshot.outside, used, local)
        ends = named_seeds(targets, catalog, plan.relation, lambda _: (), used, local)
        said = [*(() if given else found.notices), *ends.notices]  # with seeds, no name is followed
        seeds = as_seeds(given, plan) or found.seeds
        rankings: tuple[Ranking, ...] = ()
        if (
            not seeds
            and "graph" in plan.lanes
            and not (plan.relation is not None and any(map(self._is_code, found.unknown)))
        ):
            wanted = subject(plan)
            rankings, seeds = self._described(wanted, plan, asking)
            if seeds and plan.relation is not None:
                said.append(describe_choice(seeds, wanted.text, snapshot.catalog))
        target_seeds = ends.seeds
        unclear = plan.target_description or (ends.unknown and not any(map(_IN_CODE, ends.unknown)))
        if not target_seeds and unclear and "graph" in plan.lanes:
            wanted = about(plan, plan.target_description or " ".join(ends.unknown))
            _, target_seeds = self._described(wanted, plan, asking)
            if target_seeds:
                said.append(describe_choice(target_seeds, wanted.text, snapshot.catalog))
        return SeededPlan(replace(plan, seeds=seeds, targets=target_seeds), rankings, tuple(said))

    def _is_code(self, name: str) -> bool:
        snapshot = self._snapshot
        return bool(_IN_CODE(name) or snapshot.used(name) or of_language(name, snapshot.catalog))

    def _described(
        self, wanted: QueryPlan, plan: QueryPlan, asking: LaneRequest
    ) -> tuple[tuple[Ranking, ...], tuple[Seed, ...]]:
        """Return the rankings of the text lanes for a description, and the symbols that it may mean.

        The description is the text of `wanted`. Filters apply to the answer and may exclude the described symbol. In
        that case the rankings cannot be used for the answer, and none are returned.
        """
        snapshot = self._snapshot
        lanes = [lane for lane in TEXT_LANES if lane in snapshot.retrievers]
        everywhere = plan.relation is not None and asking.allowed is not None
        rankings = ask(lanes, wanted, asking._replace(allowed=None) if everywhere else asking)
        if plan.relation is None:  # the graph counts little here: the first hits are enough
            first = [replace(ranking, hits=_first(ranking.hits)) for ranking in rankings]
            fused = rrf(snapshot.parts.collapse(first))
            return rankings, described_seeds(fused, wanted.text, snapshot.catalog, MAX_AROUND)
        fused = rrf(snapshot.parts.collapse(rankings))
        conceptual = replace(wanted, kind="conceptual", relation=None)
        catalog, shown = snapshot.catalog, snapshot.parts.shown
        evidence = Evidence(conceptual, catalog, snapshot.words, None, shown, snapshot.word_lane)
        best = rerank(fused, evidence, self._signals, top_k=2 * MAX_DESCRIBED)
        return (() if everywhere else rankings), described_seeds(best, wanted.text, catalog, MAX_DESCRIBED)


def _first(hits: Sequence[Hit]) -> Sequence[Hit]:
    return hits.first(4 * MAX_AROUND) if isinstance(hits, HitColumns) else hits[: 4 * MAX_AROUND]


class SearchEngine:
    """Engine that answers questions about one snapshot.

    `retrievers` are the engines of the lanes. A lane without an engine is reported as failed when it is searched.
    `graph` is used for the importance of symbols, and may be None. `signals` are in the order of their application.
    `numbers` are those of the lanes and the graph.
    """

    def __init__(
        self,
        catalog: Catalog,
        retrievers: Mapping[LaneName, Retriever],
        graph: CodeGraph | None = None,
        *,
        signals: Sequence[Signal] = SIGNALS,
        numbers: Numbers = USUAL_NUMBERS,
    ) -> None:
        self.catalog = catalog
        self.retrievers = dict(retrievers)
        self.graph = graph
        self.signals = tuple(signals)
        self._numbers = numbers
        self._tuned: dict[object, SearchEngine] = {}
        self._snapshot = Snapshot(catalog, self.retrievers, graph)
        self._beginning = SeedFinder(self._snapshot, self.signals)

    def search(
        self,
        text: str,
        *,
        depth: int | None = None,
        relation: str | None = None,
        direction: str | None = None,
        seeds: Sequence[str | Seed] | None = None,
        **options: Unpack[SearchOptions],
    ) -> SearchResult:
        """Answer a question. A text in the form of a bug report is answered by `localise`.

        Parameters
        ----------
        text
            The question, or a name.
        depth, relation, direction
            Values that replace the planner's choices; see `query.plan`.
        seeds
            Symbols at which the graph lane starts, as ids or seeds, instead of the symbols that the question names or
            describes.
        **options
            The `SearchOptions`, which `options.SEARCH_OPTIONS` describes.

        Raises
        ------
        QuestionError
            The question is empty, or an option has a wrong value.
        """
        plain = relation is None and direction is None and depth is None and not seeds
        if plain and is_report(text):
            return self.localise(text, **options)
        watch, snapshot = Stopwatch(), self._snapshot
        chosen = check_options(**options)
        if (other := self._with(chosen.numbers)) is not self:
            return other.search(text, depth=depth, relation=relation, direction=direction, seeds=seeds, **options)
        plan = make_plan(
            text,
            known=snapshot.knows,
            nearly=snapshot.corrector.misspelt,
            lanes=chosen.lanes,
            weights=chosen.weights,
            depth=depth,
            relation=relation,
            direction=direction,
            filters=chosen.filters,
        )
        plan, corrected = (plan, ()) if seeds else snapshot.corrector.correct(plan)  # seeds stand for the names
        asking = LaneRequest(self.retrievers, snapshot.allowed(plan.filters), chosen.timeout)
        watch.lap("plan")
        begun = self._beginning.begin(plan, seeds or (), asking)
        watch.lap("seeds")
        answer = self._finish(begun._replace(notices=(*corrected, *begun.notices)), asking, chosen, watch)
        misspelt = answer.confidence.misspelt
        if not misspelt or not chosen.other_words:
            return answer
        begun = self._beginning.begin(respelt(plan, misspelt), seeds or (), asking)
        answer = self._finish(begun._replace(notices=(*corrected, *begun.notices)), asking, chosen, watch)
        return replace(answer, confidence=answer.confidence._replace(misspelt=misspelt))

    def localise(self, text: str, **options: Unpack[SearchOptions]) -> SearchResult:
        """Rank the symbols that a bug report is about. Each part gives a ranking, and all rankings are fused.

        The options are those of `search`. `lanes` are the lanes that search for the parts. `weights` may contain lanes
        and parts of the report (`reports.PARTS`). Raises QuestionError.
        """
        watch, snapshot = Stopwatch(), self._snapshot
        chosen = check_options(**options)
        if (other := self._with(chosen.numbers)) is not self:
            return other.localise(text, **options)
        read = Reading.of(text, self.catalog)
        plan = report_plan(read, chosen.filters, lanes=chosen.lanes, weights=chosen.weights)
        questions = ReportQuestions(plan, read, self.catalog, snapshot.idf, chosen.weights)
        asking = LaneRequest(self.retrievers, snapshot.allowed(plan.filters), chosen.timeout)
        watch.lap("plan")
        rankings = questions.ask(asking, snapshot.words.columns)
        watch.lap("lanes")
        confidence = confidence_of_report(questions, rankings, tuple(self.retrievers.values()))
        found = Asked(plan, rankings, questions.weights, confidence, report=questions.words)
        return self._ranked(found, asking, chosen, watch)

    def related(self, target: Symbol | Chunk, **options: Unpack[SearchOptions]) -> SearchResult:
        """Rank the symbols that are similar to `target`: by the meaning of their text, and by nearness in the graph.

        The options are those of `search`. The target and the symbols inside it are not among the hits.
        """
        import numpy as np

        watch = Stopwatch()
        chosen = check_options(**options)
        if (other := self._with(chosen.numbers)) is not self:
            return other.related(target, **options)
        chunks = _chunks_of_target(target, self.catalog)
        symbol = target if isinstance(target, Symbol) else self.catalog.symbol_of(target)
        plan = _likeness_plan(chunks, symbol, chosen.filters, lanes=chosen.lanes, weights=chosen.weights)
        passing = self._snapshot.allowed(plan.filters)
        allowed = np.ones(len(self.catalog.chunks), dtype=np.bool_) if passing is None else passing.copy()
        allowed[_rows_inside(symbol, chunks, self.catalog)] = False
        watch.lap("plan")
        return self._finish(SeededPlan(plan), LaneRequest(self.retrievers, allowed, chosen.timeout), chosen, watch)

    def _finish(self, begun: SeededPlan, asking: LaneRequest, chosen: CheckedOptions, watch: Stopwatch) -> SearchResult:
        """Search the remaining lanes, fuse the rankings, re-rank, and set the role of each hit."""
        plan, asked = begun.plan, ask_missing(begun.plan, begun.rankings, asking)
        watch.lap("lanes")
        confidence = None if plan.relation is not None else self._confidence(plan, asked, None, None)
        plain = chosen.other_words and confidence is not None and is_plain(confidence)
        usual = chosen.weights is None and plan.lanes == LANE_WEIGHTS["conceptual"]
        if plain and confidence is not None and confidence.meant and plan.lanes.keys() >= {*TEXT_LANES}:
            plan = in_other_words(plan, confidence.meant)
            asked = ask_missing(plan, [each for each in asked if each.lane not in TEXT_LANES], asking)
            watch.lap("other words")
        weights = {str(lane): weight for lane, weight in plan.lanes.items()}
        found = Asked(plan, asked, weights, confidence, begun.notices, plain=plain and usual)
        return self._ranked(found, asking, chosen, watch)

    def _ranked(self, found: Asked, asking: LaneRequest, chosen: CheckedOptions, watch: Stopwatch) -> SearchResult:
        """Search the lanes of the user's, fuse all rankings, re-rank, and set the role of each hit."""
        plan, asked, snapshot, fusion = found.plan, found.rankings, self._snapshot, chosen.fusion
        weights = {**found.weights, **{lane: weight for lane, (_, weight) in chosen.extra_lanes.items()}}
        if chosen.extra_lanes:
            asked = (*asked, *ask_extra([lane for lane, _ in chosen.extra_lanes.values()], plan, self.catalog, asking))
            watch.lap("extra lanes")
        per_file = chosen.per_file or fusion.per_file
        parts = snapshot.parts_of_files if per_file == 1 else snapshot.parts
        rankings = parts.collapse(asked)
        fused = fusion.fuse(rankings, weights, chosen.rrf_k, self._prior(fusion.name, rankings))
        watch.lap("fuse")
        words, lane = snapshot.words, snapshot.word_lane
        evidence = Evidence(plan, self.catalog, words, asking.allowed, parts.shown, lane, found.report, found.plain)
        signals = report_signals(self.signals) if plan.kind == "report" else self.signals
        if plan.relation is None and plan.lanes.keys() == {"graph"} and {s.source for s in plan.seeds} == {"object"}:
            signals = ()  # symbols that are given are ranked by their weights, and not by words of the question
        hits = rerank(fused, evidence, (*signals, *chosen.extra_signals), top_k=chosen.top_k, per_file=per_file)
        watch.lap("signals")
        answered = any(ranking.lane == "graph" and ranking.status in ("ok", "empty") for ranking in rankings)
        graph: object = self.retrievers.get("graph")
        hits = with_roles(hits, plan, graph, self.catalog, answered=answered)
        extent, paths = None, None  # unchanged where the graph did not answer
        if answered and plan.relation is not None and isinstance(graph, ExplainsWalk):
            extent, paths = graph.extent(plan), graph.between(plan) if plan.relation == "path" else None
        if extent is not None and extent.certain and (paths is None or paths.absence is None):
            hits = without_noise(hits, plan)
        confidence = found.confidence or self._confidence(plan, asked, extent, paths)
        nothing = asking.allowed is not None and not asking.allowed.any()
        said = (*notices(plan, rankings, extent, hits=hits, nothing_passes=nothing), *found.notices)
        watch.lap("finish")
        took = watch.milliseconds, tuple(watch.laps)
        answer = SearchResult(plan, fusion.name, chosen.rrf_k, rankings, hits, said, *took, confidence, extent, paths)
        return replace(answer, weights=weights, numbers=self._numbers)

    def _with(self, numbers: Numbers) -> SearchEngine:
        """Return the engine over the same snapshot with these numbers of BM25 and PageRank. The last one is kept."""
        if numbers == self._numbers:
            return self
        key = numbers, self.signals
        if key not in self._tuned:
            lanes = {
                name: lane.tuned(numbers) if isinstance(lane, Tunable) else lane
                for name, lane in self.retrievers.items()
            }
            graph = None if self.graph is None else self.graph.tuned(numbers.damping, numbers.edge_weights)
            self._tuned = {key: SearchEngine(self.catalog, lanes, graph, signals=self.signals, numbers=numbers)}
        return self._tuned[key]

    def _confidence(
        self, plan: QueryPlan, rankings: Sequence[Ranking], extent: Extent | None, paths: PathsFound | None
    ) -> Confidence:
        """Return the confidence of an answer. The rule depends on the kind of the question."""
        described = plan.relation is not None and any(seed.source == "description" for seed in plan.seeds)
        if plan.relation is not None and not described:
            return confidence_of_relation(plan, extent, paths, None)
        named = plan.kind == "identifier" and all(map(self._snapshot.names, plan.identifiers))
        if plan.kind == "related" or named:
            return Confidence("answered")
        found = confidence_of_words(asked_of("bm25", plan), rankings, tuple(self.retrievers.values()))
        lane: object = self.retrievers.get("embedding")
        if (found.level == "answered" and not is_plain(found)) or not isinstance(lane, KnowsMeaning):
            return found
        best = (self.catalog.chunk(hit.chunk_id) for ranking in rankings for hit in ranking.hits[:NEAREST])
        names = dict.fromkeys(symbol.name for chunk in best if (symbol := self.catalog.symbol_of(chunk)) is not None)
        absent = " ".join(word for word in found.absent if lane.knows_word(fold(word)))
        if found.level == "none" and not words_meant(absent, names, lane.word_similarities):
            return found
        level: ConfidenceLevel = "weak" if found.level == "none" else found.level
        return found._replace(level=level, meant=words_meant(plan.text, names, lane.word_similarities))

    def _prior(self, fusion: str, rankings: Sequence[Ranking]) -> Mapping[str, float]:
        if fusion == "rrf-pagerank":
            return self._snapshot.chunk_importance
        found = {ranking.lane: ranking for ranking in rankings}
        first = next((found[lane] for lane in (*LANES, *found) if lane in found), None)
        return self._snapshot.nearness(first) if fusion == "lexical-ppr" and first is not None else {}

    def derive(self, result: SearchResult, hit: FusedHit) -> Derivation:
        """Return every number behind the rank of `hit`, a hit of this engine. The numbers are computed by this call."""
        if (other := self._with(result.numbers)) is not self:
            return other.derive(result, hit)
        lanes: dict[str, object] = {str(lane): retriever for lane, retriever in self.retrievers.items()}
        asked: Callable[[str, QueryPlan], QueryPlan] = asked_of
        if result.plan.kind == "report":
            read = Reading.of_plan(result.plan.text, self.catalog)
            questions = ReportQuestions(result.plan, read, self.catalog, self._snapshot.idf)
            lanes, asked = questions.engines(self.retrievers), questions.asked
        return derive(result, hit, Engines(self.catalog, lanes, asked, self._prior(result.fusion, result.rankings)))

    def warm(self) -> None:
        """Compute the tables that the first question needs, so that it does not wait for them."""
        self._snapshot.knows("")
        _ = self._snapshot.parts
        for retriever in self.retrievers.values():
            if isinstance(retriever, Preparable):
                retriever.prepare()


# --------------------------------------------------------------------------- symbols similar to one

RELATED_WEIGHTS: Final[Mapping[LaneName, float]] = {"embedding": 1.0, "graph": 0.5}
"""Similar meaning first: a neighbour of a symbol in the graph need not be similar to it."""

RELATED_DEPTH: Final = 2
"""Edges: two symbols that call the same thing are two edges apart."""


def _chunks_of_target(target: Symbol | Chunk, catalog: Catalog) -> tuple[Chunk, ...]:
    """Return the indexed chunks of a symbol or chunk.

    A symbol without chunks of its own gets the chunk that contains it. Raises QuestionError if there is none.
    """
    symbol = target if isinstance(target, Symbol) else catalog.symbol_of(target)
    if symbol is None:
        return (target,) if isinstance(target, Chunk) else ()
    covering = catalog.chunk_for(symbol.id)
    chunks = catalog.chunks_of(symbol.id) or ((covering,) if covering is not None else ())
    if not chunks:
        raise QuestionError(f"nothing of {symbol.fqn} is indexed, so similar symbols can't be found")
    return chunks


def _rows_inside(symbol: Symbol | None, chunks: Sequence[Chunk], catalog: Catalog) -> list[int]:
    """Return the rows of the given chunks, and of the chunks of all symbols that are defined inside `symbol`."""
    rows = [catalog.chunk_row(chunk.id) for chunk in chunks]
    if symbol is not None and symbol.kind != "module":
        first, last = symbol.span.start_byte, symbol.span.end_byte
        for inner in catalog.in_file(symbol.path):
            if first <= inner.span.start_byte and inner.span.end_byte <= last:
                rows += [catalog.chunk_row(chunk.id) for chunk in catalog.chunks_of(inner.id)]
    return rows


def _likeness_plan(
    chunks: Sequence[Chunk],
    symbol: Symbol | None,
    filters: Filters,
    *,
    lanes: Collection[str] | None = None,
    weights: Mapping[str, float] | None = None,
) -> QueryPlan:
    """Return a plan for symbols that are similar to a symbol, or to a chunk without one. Raises QuestionError."""
    from codeexplore.search.lanes.embedding import embedded_text

    text = "\n".join(embedded_text(chunk) for chunk in chunks)
    name = symbol.fqn if symbol is not None else f"{chunks[0].path}:{chunks[0].start_line}"
    reasons = [Reason("kind", f"it asks for symbols similar to `{name}`, by meaning and by neighbours in the graph")]
    running = chosen_lanes(RELATED_WEIGHTS, lanes, weights, reasons)
    seeds = () if symbol is None else (Seed(symbol.id, "object", 1.0, "the symbol that the others are compared with"),)
    return QueryPlan(
        text=f"like {name}",
        kind="related",
        tokens=tuple(tokenize(text)),
        depth=RELATED_DEPTH,
        seeds=seeds,
        filters=filters,
        lanes=running,
        reasons=tuple(reasons),
        searched=text,
    )
