"""Marks on the edges of answers about the graph: which were observed, how often, and which the graph lacks.

A feature knows what is observed. The answers, pictures and searches of the core ask these protocols.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

if TYPE_CHECKING:
    from codeexplore.graph.model import CodeGraph
    from codeexplore.index.catalog import Catalog
    from codeexplore.types import Edge, Symbol, Verdict

Mark = Literal["", "observed", "static", "new"]
"""How an edge is marked: not at all, observed, in the graph alone, or observed and not in the graph."""


class EdgeMarks(Protocol):
    """Marks of the edges of one graph."""

    def mark(self, edge: Edge) -> Mark:
        """Return the mark of an edge."""

    def count(self, edge: Edge) -> int:
        """Return how often an edge was observed."""

    def words(self, edge: Edge) -> str:
        """Return the mark in words, such as ``12 calls in run "checkout"``; "" for an edge without a mark."""

    def notes(self, seeds: Collection[str], direction: str, catalog: Catalog) -> tuple[str, ...]:
        """Return sentences on neighbours of the seeds that the graph lacks."""

    def absence(self, absence: Verdict, seeds: Collection[str], relation: str) -> Verdict:
        """Return the explanation of an empty answer, with what was observed."""


class MarkedView(Protocol):
    """A snapshot as a marker sees it."""

    @property
    def graph(self) -> CodeGraph:
        """The graph."""

    @property
    def catalog(self) -> Catalog:
        """The symbols."""


@runtime_checkable
class Marker(Protocol):
    """A source of marks on edges, such as a run; ``ws.mark(marker)`` shows its marks in later answers."""

    title: str

    def marks(self, view: MarkedView) -> EdgeMarks:
        """Return the marks of the edges of a snapshot."""

    def marked(self, view: MarkedView) -> Collection[Symbol]:
        """Return the symbols to which a search can be limited."""
