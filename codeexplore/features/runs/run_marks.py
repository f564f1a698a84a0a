"""Marks of a run on answers about the graph: which edges were observed, how often, and which the graph lacks."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from codeexplore.answers.marks import Mark
from codeexplore.answers.wording import plural
from codeexplore.index.qualified_names import shown_name
from codeexplore.text.enumeration import shortened
from codeexplore.types import Absence, Edge

if TYPE_CHECKING:
    from codeexplore.features.runs.comparison import ComparedEdge
    from codeexplore.index.catalog import Catalog

_MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class ObservedMarks:
    """The calls of a run by the ids of their ends.

    `calls` has every observed call, also through the wrapper of a decorator. `new` are those that the graph lacks.
    """

    title: str
    calls: Mapping[tuple[str, str], int]
    new: frozenset[tuple[str, str]]
    counted: bool = True

    @classmethod
    def of(cls, title: str, edges: Collection[ComparedEdge], *, counted: bool = True) -> ObservedMarks:
        """Return the marks of a compared run. If it is not `counted`, its numbers of calls are lower bounds."""
        observed = {(edge.source, edge.target): edge.calls for edge in edges if edge.calls}
        new = frozenset((edge.source, edge.target) for edge in edges if edge.status == "observed only")
        return cls(title, observed, new, counted)

    def mark(self, edge: Edge) -> Mark:
        """Return the mark of an edge. Only calls can be observed."""
        if edge.kind != "CALLS":
            return ""
        pair = edge.source, edge.target
        return "new" if pair in self.new else "observed" if pair in self.calls else "static"

    def count(self, edge: Edge) -> int:
        """Return the number of observed calls along an edge."""
        return self.calls.get((edge.source, edge.target), 0) if edge.kind == "CALLS" else 0

    def words(self, edge: Edge) -> str:
        """Return ``12 calls in run "checkout"``; "" for an edge that is no call."""
        if edge.kind != "CALLS":
            return ""
        count = self.count(edge)
        said = f"{self._least}{plural(count, 'call')}" if count else "no call"
        return f"{said} in run {self.title!r}"

    @property
    def _least(self) -> str:
        return "" if self.counted else "at least "

    def notes(self, seeds: Collection[str], direction: str, catalog: Catalog) -> tuple[str, ...]:
        """Return a sentence on observed callers (direction "in") or callees of the seeds that the graph lacks."""
        own, other = (1, 0) if direction == "in" else (0, 1)
        missing = sorted({pair[other] for pair in self.new if pair[own] in seeds and catalog.has_symbol(pair[other])})
        if not missing:
            return ()
        shown = shortened([shown_name(catalog.symbol(each).fqn) for each in missing], _MOST_NAMED)
        noun = "caller" if direction == "in" else "callee"
        return (f"Run {self.title!r} has {plural(len(missing), noun)} that the graph lacks: {shown}.",)

    def absence(self, absence: Absence, seeds: Collection[str], relation: str) -> Absence:
        """Return the explanation of an empty answer about callers, with what the run knows."""
        if relation != "callers":
            return absence
        called = sum(count for (_, target), count in self.calls.items() if target in seeds)
        said = (
            f"But it was called {self._least}{plural(called, 'time')} there."
            if called
            else "Nobody called it in this run either."
        )
        kind = "possible" if called and absence.kind == "none" else absence.kind
        text = f"{absence.text} Run {self.title!r} is attached. {said}"
        return replace(absence, kind=kind, text=text)
