"""Lookup tables that all answers about one snapshot share. They are computed once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from codeexplore.index.catalog import Catalog
from codeexplore.index.qualified_names import name_parts
from codeexplore.search.filters import allowed_chunks
from codeexplore.search.lanes.interface import KnowsWords
from codeexplore.search.ranking.candidates import Evidence, ReportWords, Words
from codeexplore.search.seeds import Corrector, definitions
from codeexplore.search.split_symbols import Parts
from codeexplore.types import TEXT_KINDS, LaneName, QueryPlan, Retriever, Site

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from codeexplore.graph.model import CodeGraph

_NAMES: Final = 4096
"""Number of names cached as a symbol's or not: a question asks several times."""


class Snapshot:
    """Symbols, graph and statistics of lanes, for planning, seed finding and signals. The graph may be None."""

    def __init__(self, catalog: Catalog, retrievers: Mapping[LaneName, Retriever], graph: CodeGraph | None) -> None:
        self.catalog = catalog
        self.retrievers = retrievers
        self.graph = graph
        self.words = Words(catalog)
        self.knows = lru_cache(maxsize=_NAMES)(  # headings of texts do not count
            lambda name: any(symbol.kind not in TEXT_KINDS for symbol in self.catalog.find(name))
        )
        self.allowed = lru_cache(maxsize=16)(lambda filters: allowed_chunks(filters, self.catalog))

    def names(self, name: str) -> bool:
        """Return True if `name`, or the end of it, means a symbol, a ``path:line`` or a name outside the repository."""
        return bool(definitions(name, self.catalog)[0] or self.outside(name))

    def outside(self, name: str) -> tuple[str, ...]:
        if self.graph is None:
            return ()
        from codeexplore.graph.external import named

        return named(self.graph, name)

    def used(self, name: str) -> tuple[Site, ...]:
        """Return the places where the last part of a name is used and no symbol is known that it means."""
        parts = name_parts(name)
        return () if self.graph is None or not parts else tuple(e.site for e in self.graph.unresolved.named(parts[-1]))

    def evidence(
        self,
        plan: QueryPlan,
        allowed: NDArray[np.bool_] | None,
        parts: Parts | None = None,
        report: ReportWords | None = None,
        *,
        plain: bool = False,
    ) -> Evidence:
        shown = (parts or self.parts).shown
        return Evidence(plan, self.catalog, self.words, allowed, shown, self.word_lane, report, plain)

    @cached_property
    def word_lane(self) -> KnowsWords | None:
        return next((lane for lane in self.retrievers.values() if isinstance(lane, KnowsWords)), None)

    @property
    def idf(self) -> Callable[[str], float]:
        """Function that returns the rarity of a token; all are equally rare if no lane knows words."""
        return (lambda _: 1.0) if self.word_lane is None else self.word_lane.idf

    @cached_property
    def corrector(self) -> Corrector:
        """The corrector of misspelt names. If no lane knows all words, it corrects only case and underscores."""
        holds = (lambda _: False) if self.word_lane is None else self.word_lane.holds
        return Corrector(self.catalog, holds, lambda name: bool(self.used(name) or self.outside(name)))

    @cached_property
    def parts(self) -> Parts:
        return Parts(self.catalog)

    @cached_property
    def parts_of_files(self) -> Parts:
        """The same for answers with one hit per file: the head of an overloaded function is evidence for its file."""
        return Parts(self.catalog, heads=False)

    @cached_property
    def chunk_importance(self) -> dict[str, float]:
        """Chunk id → PageRank of its symbol divided by the largest PageRank, 0–1; for the fusion `rrf_pagerank`."""
        if self.graph is None:
            return {}
        from codeexplore.graph.model import importance

        ranks = importance(self.graph)
        return {chunk.id: ranks.get(chunk.symbol or "", 0.0) for chunk in self.catalog.chunks}
