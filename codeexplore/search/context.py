"""Lookup tables that all answers about one snapshot share. They are computed once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final, Protocol, runtime_checkable

from codeexplore.index.catalog import Catalog
from codeexplore.search.filters import allowed_chunks
from codeexplore.search.ranking.candidates import Evidence, ReportWords, ScoresFiles, Words, equally_rare
from codeexplore.search.seeds import definitions
from codeexplore.search.spelling import Corrector, KnowsWords
from codeexplore.search.split_symbols import Parts
from codeexplore.types import TEXT_KINDS, Filters, LaneName, QueryPlan, Retriever

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from codeexplore.graph.model import CodeGraph

_NAMES: Final = 4096
"""Number of names cached as a symbol's or not: a question asks several times."""


@runtime_checkable
class KnowsTokens(Protocol):
    """A lane that can report the rarity of tokens."""

    def idf(self, token: str) -> float:
        """Return the inverse document frequency of `token`, above 0."""
        ...


class Snapshot:
    """The symbols, the graph and the statistics of the lanes, which planning, seed finding and signals need.

    Parameters
    ----------
    catalog
        The symbols and chunks.
    retrievers
        The engines of the lanes.
    graph
        The code graph, or None if there is none.
    """

    def __init__(
        self, catalog: Catalog, retrievers: Mapping[LaneName, Retriever], graph: CodeGraph | None
    ) -> None:  # fmt: skip
        self.catalog = catalog
        self.retrievers = retrievers
        self.graph = graph
        self.words = Words(catalog)
        self.knows = lru_cache(maxsize=_NAMES)(self._knows)
        self.allowed = lru_cache(maxsize=16)(self._allowed)

    def _knows(self, name: str) -> bool:
        """Return True if a symbol has this name. Headings of texts do not count."""
        return any(symbol.kind not in TEXT_KINDS for symbol in self.catalog.find(name))

    def names(self, name: str) -> bool:
        """Return True if `name`, or the end of it, means a symbol, a ``path:line`` or a name outside the repository."""
        return bool(definitions(name, self.catalog)[0] or self.outside(name))

    def _allowed(self, filters: Filters) -> NDArray[np.bool_] | None:
        """Return the mask of the chunks that pass the filters. It is cached for the last few filters."""
        return allowed_chunks(filters, self.catalog)

    def outside(self, name: str) -> tuple[str, ...]:
        """Return the external names that `name` means."""
        if self.graph is None:
            return ()
        from codeexplore.graph.external import named

        return named(self.graph, name)

    def evidence(
        self,
        plan: QueryPlan,
        allowed: NDArray[np.bool_] | None,
        parts: Parts | None = None,
        report: ReportWords | None = None,
    ) -> Evidence:
        """Return the evidence that signals may read for a plan, and for a bug report."""
        scoring = (lane for lane in self.retrievers.values() if isinstance(lane, ScoresFiles))
        return Evidence(
            plan,
            self.catalog,
            self.words,
            allowed,
            self.idf,
            (parts or self.parts).shown,
            next(scoring, None),
            report,
        )

    @cached_property
    def idf(self) -> Callable[[str], float]:
        """The function from token to idf, taken from the first lane that has one."""
        knowing = (lane for lane in self.retrievers.values() if isinstance(lane, KnowsTokens))
        return next((lane.idf for lane in knowing), equally_rare)

    @cached_property
    def corrector(self) -> Corrector:
        """The corrector of misspelt names.

        If no lane knows all words, it corrects only case and underscores.
        """
        knowing = (lane for lane in self.retrievers.values() if isinstance(lane, KnowsWords))
        return Corrector(self.catalog, next((lane.holds for lane in knowing), _unknown_word))

    @cached_property
    def parts(self) -> Parts:
        """The chunks that are parts of split symbols."""
        return Parts(self.catalog)

    @cached_property
    def parts_of_files(self) -> Parts:
        """The chunks that are parts of split symbols, for answers with one hit per file.

        Here the heads of overloaded functions are not parts, because each head is evidence for its file.
        """
        return Parts(self.catalog, heads=False)

    @cached_property
    def chunk_importance(self) -> dict[str, float]:
        """Mapping from chunk id to importance: PageRank of its symbol divided by the largest PageRank, 0–1.

        Only the fusion `rrf_pagerank` uses it.
        """
        if self.graph is None:
            return {}
        from codeexplore.graph.importance import importance

        ranks = importance(self.graph)
        return {chunk.id: ranks.get(chunk.symbol or "", 0.0) for chunk in self.catalog.chunks}


def _unknown_word(token: str) -> bool:  # noqa: ARG001 — in place of a lane that knows
    return False
