"""The graph of a run: the calls of the call graph and those that were observed, each with its status."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from codeexplore.answers import blocks as b
from codeexplore.answers.blocks import Block, Line, Row
from codeexplore.answers.graph import GraphAnswer
from codeexplore.answers.marks import Mark
from codeexplore.answers.network import Arc, Network, vertex_of
from codeexplore.answers.shown import Listing
from codeexplore.answers.wording import places, plural
from codeexplore.features.runs.comparison import REASON_WORDS, STATUS_WORDS, STATUSES, ComparedEdge, Status
from codeexplore.index.symbol_table import shown_name
from codeexplore.text.enumeration import shortened
from codeexplore.types import Absence, Edge, Reached, Subgraph
from codeexplore.types.errors import TraceError

if TYPE_CHECKING:
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
        if edge.kind != "CALLS":
            return ""
        pair = edge.source, edge.target
        return "new" if pair in self.new else "observed" if pair in self.calls else "static"

    def count(self, edge: Edge) -> int:
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


@dataclass(frozen=True, slots=True, repr=False)
class ObservedGraph(Listing[ComparedEdge]):
    """The calls of the graph and of a run, each with its status. Observed calls come first."""

    items: tuple[ComparedEdge, ...]
    catalog: Catalog = field(repr=False, compare=False)
    title: str = "run"
    notes: tuple[str, ...] = ()

    @property
    def headline(self) -> str:
        counted = self.statuses
        said = "; ".join(f"{counted[status]:,} {STATUS_WORDS[status]}" for status in STATUSES if counted[status])
        return f"Calls: {said}" if said else "No calls"

    @property
    def statuses(self) -> Counter[Status]:
        return Counter(item.status for item in self.items)

    @property
    def reasons(self) -> Counter[str]:
        """Number of calls that were only observed, by the likely reason why the graph does not have them."""
        return Counter(item.reason for item in self.items if item.status == "observed only")

    def only(self, *statuses: Status) -> ObservedGraph:
        """Return the calls of the given statuses: ``run.graph.only("observed only")``.

        Raises TraceError for an unknown status.
        """
        wrong = set(statuses) - set(STATUSES)
        if wrong:
            raise TraceError(f"unknown status {min(wrong)!r}: give some of {', '.join(map(repr, STATUSES))}")
        items = tuple(item for item in self.items if item.status in statuses)
        return ObservedGraph(items, self.catalog, self.title)

    @property
    def columns(self) -> tuple[str, ...]:
        return "calls", "caller", "callee", "where"

    def row(self, item: ComparedEdge, number: int) -> Row:  # noqa: ARG002 - the rows are ordered, not numbered
        source, target = self.catalog.symbol(item.source), self.catalog.symbol(item.target)
        where = b.Piece(places(item.sites, limit=2), "dim")
        return Row((f"{item.calls:,}" if item.calls else "–", source, target, where), (self._said(item),))

    def _said(self, item: ComparedEdge) -> Line:
        parts = [STATUS_WORDS[item.status]]
        if item.reason:
            parts.append(REASON_WORDS[item.reason])
        if item.wrapper:
            parts.append(f"through the wrapper {self.catalog.symbol(item.wrapper).name}")
        if item.bridges:
            parts.append(f"through {', '.join(str(bridge) for bridge in item.bridges[:2])}")
        if item.rule and item.status != "observed only":
            parts.append(f"rule {item.rule} ({item.confidence:.2f})")
        return "; ".join(parts)

    def record(self, item: ComparedEdge) -> dict[str, object]:
        return {
            "source": item.source,
            "target": item.target,
            "status": item.status,
            "calls": item.calls,
            "reason": item.reason,
            "through": [str(bridge) for bridge in item.bridges],
            "wrapper": item.wrapper,
            "rule": item.rule,
            "confidence": item.confidence,
            "sites": [f"{site.path}:{site.line}" for site in item.sites],
        }

    def network(self) -> Network:
        """Return symbols as vertices and calls as arcs. The status of a call is the manner of its arc."""
        ids = dict.fromkeys(end for item in self.items for end in (item.source, item.target))
        position = {symbol_id: number for number, symbol_id in enumerate(ids)}
        arcs = []
        for item in self.items:
            ends, sites = (position[item.source], position[item.target]), [f"{s.path}:{s.line}" for s in item.sites]
            said = item.rule or item.reason
            arcs.append(Arc(*ends, "CALLS", item.status, said, item.confidence, item.calls, " ".join(sites)))
        return Network(self.headline, tuple(vertex_of(self.catalog.symbol(each)) for each in ids), tuple(arcs))

    def drawn(self, starts: Sequence[str]) -> GraphAnswer:
        """Return the calls of the functions that ran as a walk along observed calls from `starts`, to be drawn.

        Calls that only the graph has are included between functions that ran, and to the functions next to them.
        """
        observed: dict[str, list[ComparedEdge]] = {}
        for item in self.items:
            if item.calls:
                observed.setdefault(item.source, []).append(item)
        called = {item.target for item in self.items if item.calls}
        seeds = tuple(dict.fromkeys(starts)) or tuple(source for source in observed if source not in called)
        reached = {seed: Reached(seed, 0, None, 1.0) for seed in seeds}
        waiting = list(seeds)
        for current in waiting:
            for item in observed.get(current, ()):
                if item.target not in reached:
                    reached[item.target] = Reached(item.target, reached[current].depth + 1, current, 1.0)
                    waiting.append(item.target)
        for item in self.items:
            if item.status == "caller ran" and item.source in reached and item.target not in reached:
                reached[item.target] = Reached(item.target, reached[item.source].depth + 1, item.source, 0.0)
        shown = [
            item
            for item in self.items
            if {item.source, item.target} <= reached.keys() and (item.calls or item.status == "caller ran")
        ]
        edges = tuple(
            Edge(item.source, item.target, "CALLS", "call", item.rule or "observed", item.confidence, item.sites)
            for item in shown
        )
        ordered = sorted(reached.values(), key=lambda each: (each.depth, -each.confidence))
        graph = Subgraph("run", seeds, tuple(ordered), edges, direction="out")
        return GraphAnswer(graph, self.catalog, observed=ObservedMarks.of(self.title, self.items))

    def summary_blocks(self, brief: int) -> list[Block]:
        """Return the number of calls of each status, and the first calls of those statuses that say most."""
        blocks: list[Block] = [b.Text(self.headline)]
        shown: tuple[Status, ...] = ("observed only", "observed", "caller ran")
        for status in shown:
            some = self.only(status).items
            if some:
                title = b.Words(f"{STATUS_WORDS[status]}: {len(some):,}")
                blocks.append(b.Items(title, [self._line(item) for item in some], "graph", brief=brief))
        return blocks

    def _line(self, item: ComparedEdge) -> Line:
        source, target = self.catalog.symbol(item.source), self.catalog.symbol(item.target)
        count = f"{item.calls:,} × " if item.calls else ""
        why = REASON_WORDS.get(item.reason, "")
        through = f"through {item.bridges[0]}" if item.bridges else ""
        said = "; ".join(part for part in (through, why) if part)
        return (count, source, " → ", target, b.Piece(f"  {said}" if said else "", "dim"))
