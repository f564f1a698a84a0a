"""The questions of a `Workspace` that rank or find symbols: search, related, grep."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from codeexplore import settings
from codeexplore.types import Filters, Seed
from codeexplore.workspace.base import WorkspaceBase
from codeexplore.workspace.consistent_reads import consistent
from codeexplore.workspace.targets import Target

if TYPE_CHECKING:
    from codeexplore.results import GrepAnswer, SearchAnswer
    from codeexplore.search.ranking.fusion import TermsOfLane
    from codeexplore.types import Absence, Chunk, SearchResult, Symbol


@consistent
class SearchMethods(WorkspaceBase):
    """Methods that rank symbols."""

    def search(
        self,
        question: str,
        *,
        top_k: int = settings.TOP_K,
        lanes: Collection[str] | None = None,
        weights: Mapping[str, float] | None = None,
        rrf_k: int = settings.RRF_K,
        fusion: str | TermsOfLane = "rrf",
        relation: str | None = None,
        direction: str | None = None,
        depth: int | None = None,
        per_file: int | None = None,
        seeds: Collection[Target] | None = None,
        tests: bool | None = None,
        filters: Filters | None = None,
        timeout: float = settings.LANE_TIMEOUT,
    ) -> SearchAnswer:
        """Rank the symbols that answer a question, and keep the arithmetic behind each rank.

        Parameters
        ----------
        question
            An identifier, "what calls …", a description in plain words, or a mixture.
        top_k
            Hits to return; the first ones are the same whatever it is.
        lanes
            Some of "bm25", "embedding", "graph"; None lets the planner choose.
        weights
            Weight of a lane's contributions, by lane.
        rrf_k
            The constant of reciprocal rank fusion, in ranks.
        fusion
            How rankings are merged; a name of `codeexplore.search.ranking.fusion.FUSIONS`, or a function of your own:
            given one lane's `Ranking` and weight, it returns a number for each of the ranking's hits, in their order; a
            hit's score is the sum of its numbers.
        relation, direction, depth
            Overrule the planner's reading of a structural question.
        per_file
            At most so many hits of one file; changes no score.
        seeds
            Symbols the graph lane starts from, instead of those the question names.
        tests
            False leaves out test files, as in walks; None leaves it to `filters`, which keep them.
        filters
            Restrict paths, languages, kinds, tests.
        timeout
            Seconds each lane may take.

        Raises
        ------
        QuestionError
            The question is empty, or an option is out of range or unknown.
        """
        from codeexplore.results import SearchAnswer
        from codeexplore.search.confidence import confidence_of_relation

        chosen = None
        if seeds is not None:
            symbols = [self.symbol(target) for target in seeds]
            chosen = tuple(Seed(symbol.id, "object", 1.0, "given by the caller") for symbol in symbols)
        result = self._index.engine.search(
            question, top_k=top_k, lanes=lanes, weights=weights, rrf_k=rrf_k, fusion=fusion, relation=relation,
            direction=direction, depth=depth, per_file=per_file, seeds=chosen, filters=_filtered(filters, tests),
            timeout=timeout,
        )  # fmt: skip
        if (absence := self._absence_of(result)) is not None:
            notices = result.notices if result.paths is not None else (absence.text, *result.notices)
            confidence = confidence_of_relation(result.plan, result.extent, result.paths, absence)
            result = replace(result, absence=absence, notices=notices, confidence=confidence)
        if "graph" in result.plan.lanes and (said := self._graph_note()):
            result = replace(result, notices=(*result.notices, said))
        return SearchAnswer.of(result, self.catalog, self._index.engine.derive)

    def related(
        self,
        target: Target,
        *,
        top_k: int = settings.TOP_K,
        lanes: Collection[str] | None = None,
        weights: Mapping[str, float] | None = None,
        rrf_k: int = settings.RRF_K,
        fusion: str | TermsOfLane = "rrf",
        per_file: int | None = None,
        tests: bool | None = None,
        filters: Filters | None = None,
        timeout: float = settings.LANE_TIMEOUT,
    ) -> SearchAnswer:
        """Rank the symbols that are similar to one: in the meaning of their text, and by nearness in the graph.

        Parameters
        ----------
        target
            A name, ``"path:line"``, a symbol, a chunk, a hit, or a live Python object.
        top_k, lanes, weights, rrf_k, fusion, per_file, tests, filters, timeout
            As for `search`; the default lanes are "embedding" and, at half its weight, "graph".

        Raises
        ------
        SymbolNotFound, AmbiguousSymbol
            The target does not mean one symbol.
        QuestionError
            An option is out of range or unknown.
        """
        from codeexplore.results import SearchAnswer

        result = self._index.engine.related(
            self._likened(target), top_k=top_k, lanes=lanes, weights=weights, rrf_k=rrf_k, fusion=fusion,
            per_file=per_file, filters=_filtered(filters, tests), timeout=timeout,
        )  # fmt: skip
        if "graph" in result.plan.lanes and (said := self._graph_note()):
            result = replace(result, notices=(*result.notices, said))
        return SearchAnswer.of(result, self.catalog, self._index.engine.derive)

    def grep(
        self,
        pattern: str,
        *,
        regex: bool = False,
        ignore_case: bool = False,
        top_k: int = settings.GREP_TOP_K,
        tests: bool | None = None,
        filters: Filters | None = None,
    ) -> GrepAnswer:
        """Search every file for an exact text, such as an error message or an operator, or for a regular expression.

        Matches are grouped by the innermost symbol around them. The definition of the matched name is first, then code
        before compatibility code, documentation and tests, then more matches before fewer.

        Parameters
        ----------
        pattern
            A text; with `regex` a regular expression as RE2 reads it (no look-around, no backreferences, linear time),
            where ``^`` and ``$`` are the ends of lines.
        ignore_case
            Upper and lower case are alike.
        top_k
            Symbols to return; totals count all.
        tests
            False leaves out test files; None leaves it to `filters`, which keep them.
        filters
            Restrict paths, languages, kinds, tests. With kinds, a match belongs to the innermost symbol of those kinds.

        Raises
        ------
        QuestionError
            The pattern is empty or not a regular expression, or an option is out of range or unknown.
        """
        import time

        from codeexplore.results import GrepAnswer
        from codeexplore.search.grep import compile_pattern, grep
        from codeexplore.search.query.options import check_count, check_filters

        started = time.perf_counter()
        wanted = check_count("top_k", top_k)
        filters = _filtered(filters, tests)
        chosen = Filters() if filters is None else check_filters(filters)
        find = compile_pattern(pattern, regex=regex, ignore_case=ignore_case)
        files = self._sources.values()
        result = grep(files, self.catalog, find, chosen, wanted)
        elapsed = (time.perf_counter() - started) * 1e3
        return GrepAnswer.of(
            result, self.catalog, pattern, chosen, regex=regex, ignore_case=ignore_case, elapsed_ms=elapsed
        )  # fmt: skip

    def _absence_of(self, result: SearchResult) -> Absence | None:
        """Return the meaning of a graph without a certain answer to a structural question about a named symbol."""
        plan, extent = result.plan, result.extent
        if extent is None or extent.certain or plan.relation in (None, "path") or not plan.seeds:
            return None if result.paths is None else result.paths.absence
        if any(seed.source == "description" for seed in plan.seeds):
            return None
        from codeexplore.graph import queries
        from codeexplore.graph.external import is_external, with_externals

        ids = [seed.symbol_id for seed in plan.seeds]
        graph = with_externals(self.graph) if any(map(is_external, ids)) else self.graph
        found = queries.walk(graph, plan.relation, ids, direction=plan.direction, standings=self._usage_evidence)
        if found.absence is None:
            return None
        return self._as_far_as_known(found.absence, [graph.catalog.symbol(symbol_id) for symbol_id in ids])

    def _likened(self, target: Target) -> Symbol | Chunk:
        """Return the symbol that a target means, or a chunk without a symbol."""
        from codeexplore.results import SearchHit
        from codeexplore.types import Chunk

        chunk = target.chunk if isinstance(target, SearchHit) else target  # no attribute of a live object is read
        if isinstance(chunk, Chunk) and chunk.symbol is None:
            return self.catalog.chunk(chunk.id)
        return self.symbol(target)


def _filtered(filters: Filters | None, tests: bool | None) -> Filters | None:
    """Return the filters with the value of `tests`."""
    if tests is None or not isinstance(filters, Filters | None):
        return filters
    return replace(filters or Filters(), tests=tests)
