"""What every answer about one snapshot looks things up in, worked out once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final, Protocol, runtime_checkable

from codeexplore.index.catalog import Catalog
from codeexplore.search.filters import allowed_chunks
from codeexplore.search.ranking.candidates import Evidence, Words, equally_rare
from codeexplore.search.seeds import definitions
from codeexplore.search.spelling import Corrector, KnowsWords
from codeexplore.search.split_symbols import Parts
from codeexplore.types import Filters, LaneName, QueryPlan, Retriever

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from codeexplore.graph.model import CodeGraph

_NAMES: Final = 4096
"""Names of which it is remembered whether they are a symbol's: a question asks several times."""


@runtime_checkable
class KnowsTokens(Protocol):
    """A lane that can tell how rare a token is."""

    def idf(self, token: str) -> float:
        """Inverse document frequency of a token, above 0."""
        ...


class Snapshot:
    """The symbols, the graph and what the lanes know, as planning, seeds and signals need them.

    Parameters
    ----------
    catalog
        The symbols and chunks.
    retrievers
        The lanes' engines.
    graph
        The code graph; None when there is none.
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
        """Whether a name is a symbol's; headings of texts don't count."""
        return any(symbol.kind != "section" for symbol in self.catalog.find(name))

    def names(self, name: str) -> bool:
        """Whether a name, or the end of it, means a symbol, a place or something outside the repository."""
        return bool(definitions(name, self.catalog)[0] or self.outside(name))

    def _allowed(self, filters: Filters) -> NDArray[np.bool_] | None:
        """Which chunks pass the filters; those of the last few are remembered."""
        return allowed_chunks(filters, self.catalog)

    def outside(self, name: str) -> tuple[str, ...]:
        """The names outside the repository that a name means."""
        if self.graph is None:
            return ()
        from codeexplore.graph.external import named

        return named(self.graph, name)

    def evidence(self, plan: QueryPlan, allowed: NDArray[np.bool_] | None) -> Evidence:
        """What signals may look at for a plan."""
        return Evidence(plan, self.catalog, self.words, allowed, self.idf)

    @cached_property
    def idf(self) -> Callable[[str], float]:
        """How rare a token is, as the first lane that knows tells it."""
        knowing = (lane for lane in self.retrievers.values() if isinstance(lane, KnowsTokens))
        return next((lane.idf for lane in knowing), equally_rare)

    @cached_property
    def corrector(self) -> Corrector:
        """Tells typing errors in names; without a lane that knows which words there are, only case and underscores."""
        knowing = (lane for lane in self.retrievers.values() if isinstance(lane, KnowsWords))
        return Corrector(self.catalog, next((lane.holds for lane in knowing), _unknown_word))

    @cached_property
    def parts(self) -> Parts:
        """Which chunks are parts of a split symbol."""
        return Parts(self.catalog)

    @cached_property
    def chunk_importance(self) -> dict[str, float]:
        """Chunk id → PageRank of its symbol divided by the largest, 0–1; for the fusion that uses it."""
        if self.graph is None:
            return {}
        from codeexplore.graph.ranking import importance

        ranks = importance(self.graph)
        return {chunk.id: ranks.get(chunk.symbol or "", 0.0) for chunk in self.catalog.chunks}


def _unknown_word(token: str) -> bool:  # noqa: ARG001 — stands for a lane that knows
    return False
