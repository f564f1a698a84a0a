"""A run and the answers about it: its graph, coverage and difference from another run, and its marks on edges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from codeexplore.answers import blocks as b
from codeexplore.answers.blocks import Block, Line, Row, notes
from codeexplore.answers.data import Arc, Exports, Network, PlainData, Vertex, symbol_dict, vertex_of
from codeexplore.answers.graph import GraphAnswer, Mark
from codeexplore.answers.shown import Listing, Shown, place_of
from codeexplore.answers.wording import places, plural
from codeexplore.features.runs.call_tree_block import CallTree, Frame
from codeexplore.features.runs.comparison import (
    REASON_WORDS,
    STATUS_WORDS,
    STATUSES,
    ComparedEdge,
    Comparison,
    LineMap,
    MappedCodes,
    ObservedCall,
    Status,
    compare,
    map_codes,
    observed_calls,
)
from codeexplore.features.runs.records import OUTSIDE, Code, Trace, TreeNode, write_trace
from codeexplore.graph.build.rules import basis_of
from codeexplore.index.qualified_names import shown_name
from codeexplore.text.enumeration import shortened
from codeexplore.types import SCHEMA_VERSION, Edge, Reached, Subgraph, Symbol, Verdict
from codeexplore.types.certainty import certainty
from codeexplore.types.displayed import explain
from codeexplore.types.errors import TraceError
from codeexplore.types.rows import grouped

if TYPE_CHECKING:
    from codeexplore.answers.graph import MarkedView
    from codeexplore.graph.model import CodeGraph
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

    def absence(self, absence: Verdict, seeds: Collection[str], relation: str) -> Verdict:
        if relation != "callers":
            return absence
        called = sum(count for (_, target), count in self.calls.items() if target in seeds)
        said = f"But it was called {self._least}{plural(called, 'time')} there."
        said = said if called else "Nobody called it in this run either."
        kind = "possible" if called and absence.kind == "none" else absence.kind
        text = f"{absence.text} Run {self.title!r} is attached. {said}"
        return replace(absence, kind=kind, text=text)


@dataclass(frozen=True, slots=True, repr=False)
class ObservedGraph(Listing[ComparedEdge], Exports):
    """The calls of the graph and of a run, each with its status. Observed calls come first."""

    columns: ClassVar = ("calls", "caller", "callee", "where")
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
            rule = f"rule {item.rule} ({item.confidence:.2f})"
            parts.append(rule if explain() else f"{certainty(item.confidence)}{basis_of(item.rule)}")
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
        observed = grouped((item.source, item) for item in self.items if item.calls)
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
        edges = tuple(
            Edge(item.source, item.target, "CALLS", "call", item.rule or "observed", item.confidence, item.sites)
            for item in self.items
            if {item.source, item.target} <= reached.keys() and (item.calls or item.status == "caller ran")
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


_BRIEF = 12  # edges of each status in the display of a run; run.graph has all


class FunctionCoverage(NamedTuple):
    """A function that ran: the ids of its static callees, those that it called and those that it did not."""

    source: str
    called: tuple[str, ...]
    missed: tuple[str, ...]

    @property
    def share(self) -> float:
        return len(self.called) / (len(self.called) + len(self.missed))


@dataclass(frozen=True, slots=True, repr=False)
class CoverageAnswer(Listing[FunctionCoverage]):
    """For each function that ran, the share of its static callees that it called. The lowest share comes first."""

    columns: ClassVar = ("called", "function", "where")
    items: tuple[FunctionCoverage, ...]
    catalog: Catalog = field(repr=False, compare=False)

    @classmethod
    def of(cls, edges: Iterable[ComparedEdge], catalog: Catalog) -> CoverageAnswer:
        reached = grouped((edge.source, edge) for edge in edges if edge.status in ("observed", "caller ran"))
        items = [
            FunctionCoverage(
                source,
                tuple(edge.target for edge in some if edge.status == "observed"),
                tuple(edge.target for edge in some if edge.status == "caller ran"),
            )
            for source, some in reached.items()
        ]
        return cls(tuple(sorted(items, key=lambda item: (item.share, -len(item.missed), item.source))), catalog)

    @property
    def share(self) -> float:
        """Share of the static calls of all functions that ran; 0 if there are none."""
        called = sum(len(item.called) for item in self.items)
        total = called + sum(len(item.missed) for item in self.items)
        return called / total if total else 0.0

    @property
    def headline(self) -> str:
        return f"{self.share:.0%} of the static calls of {plural(len(self.items), 'function')} that ran were observed"

    def row(self, item: FunctionCoverage, number: int) -> Row:  # noqa: ARG002 - the rows are ordered, not numbered
        symbol = self.catalog.symbol(item.source)
        missed = [self.catalog.symbol(each).name for each in item.missed]
        below = (f"did not call {shortened(missed, _MOST_NAMED)}",) if missed else ()
        return Row((f"{len(item.called)} of {len(item.called) + len(item.missed)}", symbol, place_of(symbol)), below)

    def record(self, item: FunctionCoverage) -> dict[str, object]:
        symbol = symbol_dict(self.catalog.symbol(item.source))
        return {**symbol, "share": item.share, "called": list(item.called), "missed": list(item.missed)}


class ChangedCall(NamedTuple):
    """A call that one of two runs has. Names are qualified names; `before` and `after` are numbers of calls."""

    source: str
    target: str
    before: int
    after: int

    @property
    def change(self) -> str:
        return "vanished" if self.before else "appeared"


@dataclass(frozen=True, slots=True, repr=False)
class DiffAnswer(Listing[ChangedCall], Exports):
    """The calls that only one of two runs has. New calls come first."""

    columns: ClassVar = ("change", "caller", "callee", "before", "after")
    items: tuple[ChangedCall, ...]
    same: int = 0  # calls that both runs have

    @classmethod
    def of(cls, one: Mapping[tuple[str, str], int], two: Mapping[tuple[str, str], int]) -> DiffAnswer:
        items = [ChangedCall(*pair, one.get(pair, 0), two.get(pair, 0)) for pair in dict.fromkeys((*one, *two))]
        changed = [item for item in items if not item.before or not item.after]
        changed.sort(key=lambda item: (bool(item.before), -(item.before + item.after), item.source, item.target))
        return cls(tuple(changed), len(items) - len(changed))

    @property
    def appeared(self) -> tuple[ChangedCall, ...]:
        return tuple(item for item in self.items if not item.before)

    @property
    def vanished(self) -> tuple[ChangedCall, ...]:
        return tuple(item for item in self.items if not item.after)

    @property
    def headline(self) -> str:
        """``3 calls appear, 1 vanishes; 20 are in both runs``."""
        return f"{len(self.appeared):,} appear, {len(self.vanished):,} vanish; {self.same:,} are in both runs"

    def row(self, item: ChangedCall, number: int) -> Row:  # noqa: ARG002 - the rows are ordered, not numbered
        return Row((item.change, item.source, item.target, f"{item.before:,}", f"{item.after:,}"))

    def network(self) -> Network:
        names = dict.fromkeys(end for item in self.items for end in (item.source, item.target))
        position = {name: number for number, name in enumerate(names)}
        arcs = (
            Arc(position[item.source], position[item.target], "CALLS", item.change, count=item.before + item.after)
            for item in self.items
        )
        return Network(self.headline, tuple(Vertex(name, name, "function") for name in names), tuple(arcs))


class LoadedCode(NamedTuple):
    """The loaded repository, as a run needs it."""

    catalog: Catalog  # of the moment in which the run ended
    graph: Callable[[], CodeGraph]  # waits for the graph
    line_of: LineMap
    stale: tuple[str, ...] = ()  # the files whose text differs between the run and the index


class Entry(NamedTuple):
    """A function that code outside of the workspace called, without a function of the workspace below on the stack."""

    symbol: Symbol
    caller: str  # the outside function
    calls: int


class TraceRun(Shown, PlainData):
    """The calls of one run: of a block, a cell or a test suite. It can be used when the run has ended.

    `output` is the end of the output of a test suite; "" for other runs.
    """

    def __init__(self, title: str = "run") -> None:
        self.title, self.output = title, ""
        self._trace: Trace | None = None
        self._code: LoadedCode | None = None
        self._compared: tuple[CodeGraph, Comparison] | None = None

    @classmethod
    def of(cls, trace: Trace, code: LoadedCode, title: str = "run", output: str = "") -> TraceRun:
        run = cls(title)
        run.output = output
        run.finish(trace, code)
        return run

    def finish(self, trace: Trace, code: LoadedCode) -> None:
        self._trace, self._code = trace, code

    @property
    def trace(self) -> Trace:
        """The recorded calls, without symbols. Raises TraceError while the run goes on."""
        if self._trace is None:
            raise TraceError("the run has not ended yet; look at it after the with block")
        return self._trace

    @property
    def code(self) -> LoadedCode:
        _ = self.trace
        assert self._code is not None
        return self._code

    @cached_property
    def mapped(self) -> MappedCodes:
        return map_codes(self.trace.codes, self.code.catalog, self.code.line_of)

    # ----------------------------------------------------------------- what ran

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """The functions, classes and modules whose code ran; those that were called most come first."""
        counted = self.counts
        ran = {symbol.id: symbol for symbol in self.mapped.symbols if symbol is not None}
        return tuple(sorted(ran.values(), key=lambda symbol: (-counted[symbol.id], symbol.id)))

    @property
    def counts(self) -> Counter[str]:
        """Number of calls of each symbol, by its id."""
        counted: Counter[str] = Counter()
        for call in self.trace.calls:
            symbol = self.mapped.symbols[call.callee]
            if symbol is not None:
                counted[symbol.id] += call.calls
        return counted

    @property
    def calls(self) -> tuple[ObservedCall, ...]:
        """The observed calls between symbols, with places and bridges. Most frequent calls come first."""
        found = observed_calls(self.trace, self.mapped).values()
        return tuple(sorted(found, key=lambda call: (-call.calls, call.source, call.target)))

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The functions that outside code called: the cell, a test runner, a new thread."""
        found: Counter[tuple[str, str]] = Counter()
        for call in self.trace.calls:
            symbol = self.mapped.symbols[call.callee]
            if call.caller == OUTSIDE and symbol is not None:
                found[symbol.id, call.bridge.left] += call.calls
        catalog = self.code.catalog
        return tuple(Entry(catalog.symbol(key[0]), key[1], count) for key, count in found.most_common())

    @property
    def unmatched(self) -> tuple[Code, ...]:
        """Functions of the workspace's files that ran and match no symbol: code of ``exec``, or of an old file."""
        pairs = zip(self.trace.codes, self.mapped.symbols, strict=True)
        return tuple(code for code, symbol in pairs if symbol is None)

    @property
    def moved(self) -> tuple[Code, ...]:
        """Functions that were found by their name alone, because their line differs from the loaded text."""
        pairs = zip(self.trace.codes, self.mapped.matches, strict=True)
        return tuple(code for code, match in pairs if match == "moved")

    @property
    def stale(self) -> tuple[str, ...]:
        """Files that ran and differ from the loaded ones."""
        return self.code.stale

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences about everything that the run does not contain, and about stale files."""
        trace, stale = self.trace, self.stale
        said = list(trace.notes)
        if not trace.counted:
            said.append("Calls were recorded and not counted (counts=False): all numbers of calls are lower bounds.")
        if trace.ended_by:
            said.append(f"The run ended with {trace.ended_by}.")
        if stale:
            one = "file that ran differs from the loaded one"
            differ = one if len(stale) == 1 else "files that ran differ from the loaded ones"
            said.append(f"{len(stale):,} {differ}: {shortened(stale, _MOST_NAMED)}. ws.refresh() reads them.")
        if self.moved:
            said.append(f"{plural(len(self.moved), 'function')} found by name alone: the line is another one.")
        return tuple(said)

    # ----------------------------------------------------------------- beside the graph

    @property
    def comparison(self) -> Comparison:
        """The observed calls beside the edges of the graph. Waits for the graph. Raises GraphUnresolved."""
        return self.compared(self.code.graph())

    def compared(self, graph: CodeGraph) -> Comparison:
        """Return the observed calls beside the edges of `graph`, which may be that of a later snapshot."""
        if self._compared is None or self._compared[0] is not graph:
            code = self.code
            same = graph.catalog is code.catalog
            mapped = self.mapped if same else map_codes(self.trace.codes, graph.catalog, code.line_of)
            self._compared = graph, compare(self.trace, mapped, graph)
        return self._compared[1]

    def marks(self, view: MarkedView) -> ObservedMarks:
        return ObservedMarks.of(self.title, self.compared(view.graph).edges, counted=self.trace.counted)

    def marked(self, view: MarkedView) -> tuple[Symbol, ...]:  # noqa: ARG002 - the protocol's signature
        return self.symbols

    @property
    def graph(self) -> ObservedGraph:
        """Every call of the graph and of the run, with its status. Waits for the graph. Raises GraphUnresolved."""
        compared = self.comparison
        left = compared.unobservable
        note = (
            f"{plural(left, 'call')} of the graph cannot be observed: they make an instance of a class without a "
            "constructor of its own, or are not calls of Python functions."
        )
        return ObservedGraph(compared.edges, self.code.catalog, self.title, (note,) if left else ())

    def coverage(self) -> CoverageAnswer:
        """Return for each function that ran the share of its static callees that it called."""
        return CoverageAnswer.of(self.comparison.edges, self.code.catalog)

    def diff(self, other: TraceRun) -> DiffAnswer:
        """Return the calls that only this run or only `other` has. `other` may be of another version of the code.

        Calls are compared by the qualified names of their ends.
        """
        return DiffAnswer.of(_by_name(self), _by_name(other))

    # ----------------------------------------------------------------- outputs

    def save(self, path: str | Path) -> Path:
        """Write the run to a file of JSON lines, which ``ws.runs.open`` reads. Paths are relative; no source is in it.

        Raises TraceError if the file can't be written.
        """
        target = Path(path)
        write_trace(self.trace, target, self.title)
        return target

    @property
    def headline(self) -> str:
        """``1,204 calls of 23 functions in 0.31 s``."""
        trace = self.trace
        called = len({call.callee for call in trace.calls})
        least = "" if trace.counted else "at least "
        return f"{least}{plural(trace.n_calls, 'call')} of {plural(called, 'function')} in {trace.seconds:.2f} s"

    def to_dict(self) -> dict[str, object]:
        counted = self.counts
        return {
            "schema": SCHEMA_VERSION,
            "kind": "run",
            "title": self.title,
            "headline": self.headline,
            "counted": self.trace.counted,
            "symbols": [symbol_dict(symbol) | {"calls": counted[symbol.id]} for symbol in self.symbols],
            "calls": [_call_dict(call) for call in self.calls],
            "entries": [
                {"symbol": each.symbol.id, "caller": each.caller, "calls": each.calls} for each in self.entries
            ],
            "unmatched": [code._asdict() for code in self.unmatched],
            "notes": list(self.notes),
        }

    def blocks(self) -> list[Block]:
        if self._trace is None:
            return [b.Heading("The run has not ended yet; look at it after the with block.")]
        blocks: list[Block] = [b.Heading(self.headline)]
        if self.trace.tree:
            blocks.append(CallTree(self.title, self.frames(), self.trace.times))
        graph = self.graph
        drawn = graph.drawn([entry.symbol.id for entry in self.entries])
        blocks += [b.Drawing(drawn)] if len(drawn) else []
        blocks += graph.summary_blocks(_BRIEF)
        if self.unmatched:
            items = [f"{code.path}:{code.line} {code.qualname}" for code in self.unmatched]
            title = b.Words(f"{plural(len(items), 'function')} that ran and match no symbol")
            blocks.append(b.Items(title, items, "unmatched"))
        return [*blocks, *notes(self.notes)]

    def frames(self) -> tuple[Frame, ...]:
        symbols, codes = self.mapped.symbols, self.trace.codes
        return tuple(
            Frame(node.parent, symbols[node.code] or codes[node.code].qualname, node.calls, node.total, node.own)
            for node in self.trace.tree
        )

    def tree(self) -> tuple[TreeNode, ...]:
        """Return the nodes of the call tree, parents before children."""
        return self.trace.tree


def _call_dict(call: ObservedCall) -> dict[str, object]:
    sites = [
        site._asdict() | {"form": place.form, "through": str(bridge), "calls": calls}
        for site, place, bridge, calls in call.sites
    ]
    return {"source": call.source, "target": call.target, "calls": call.calls, "sites": sites}


def _by_name(run: TraceRun) -> dict[tuple[str, str], int]:
    catalog = run.code.catalog
    found: Counter[tuple[str, str]] = Counter()
    for call in run.calls:
        found[catalog.symbol(call.source).fqn, catalog.symbol(call.target).fqn] += call.calls
    return dict(found)
