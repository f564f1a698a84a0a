"""The questions of a `Workspace`: search."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from codeexplore import settings
from codeexplore.types import Filters, Seed
from codeexplore.workspace.loaded import Loaded
from codeexplore.workspace.targets import Target

if TYPE_CHECKING:
    from codeexplore.views import SearchAnswer


class Asking(Loaded):
    """What ranks symbols."""

    def search(
        self,
        question: str,
        *,
        top_k: int = settings.TOP_K,
        lanes: Collection[str] | None = None,
        weights: Mapping[str, float] | None = None,
        rrf_k: int = settings.RRF_K,
        fusion: str = "rrf",
        relation: str | None = None,
        direction: str | None = None,
        depth: int | None = None,
        per_file: int | None = None,
        seeds: Collection[Target] | None = None,
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
            How rankings are merged; "rrf" or one of `codeexplore.ranking.FUSIONS`.
        relation, direction, depth
            Overrule the planner's reading of a structural question.
        per_file
            At most so many hits of one file; changes no score.
        seeds
            Symbols the graph lane starts from, instead of those the question names.
        filters
            Restrict paths, languages, kinds, tests.
        timeout
            Seconds each lane may take.

        Raises
        ------
        QuestionError
            The question is empty, or an option is out of range or unknown.
        """
        from codeexplore.views import SearchAnswer

        chosen = None
        if seeds is not None:
            symbols = [self.symbol(target) for target in seeds]
            chosen = tuple(Seed(symbol.id, "object", 1.0, "given by the caller") for symbol in symbols)
        result = self._index.engine.search(
            question, top_k=top_k, lanes=lanes, weights=weights, rrf_k=rrf_k, fusion=fusion, relation=relation,
            direction=direction, depth=depth, per_file=per_file, seeds=chosen, filters=filters, timeout=timeout,
        )  # fmt: skip
        return SearchAnswer.of(result, self.catalog, self._index.engine.derive)
