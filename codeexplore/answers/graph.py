"""Answers of graph traversals: the reached symbols, the edges by which each of them was reached, and marks on edges.

A feature knows which edges were observed. The answers, pictures and searches of the core ask its `EdgeMarks`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol, runtime_checkable

from codeexplore.answers import blocks as b
from codeexplore.answers.blocks import Block, Inline, Line, notes, where
from codeexplore.answers.data import (
    Exports,
    Network,
    arcs_of,
    edge_dict,
    frame,
    symbol_dict,
    unresolved_dict,
    use_dict,
    verdict_dict,
    vertex_of,
)
from codeexplore.answers.shown import ShownRows
from codeexplore.answers.wording import edge_words, one_line, plural
from codeexplore.graph.build.rules import are_named
from codeexplore.text.enumeration import shortened
from codeexplore.types import (
    SCHEMA_VERSION,
    CallPath,
    Edge,
    PossibleUse,
    Reached,
    Subgraph,
    Symbol,
    Unresolved,
    Verdict,
)

if TYPE_CHECKING:
    import pandas as pd

    from codeexplore.graph.model import CodeGraph
    from codeexplore.index.catalog import Catalog


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


class Addition(Protocol):
    """Part of an answer that a feature adds. In plain data, it has the key `key`."""

    @property
    def key(self) -> str:
        """Name of the addition."""

    def blocks(self) -> list[Block]:
        """Return the addition for every display."""

    def to_dict(self) -> object:
        """Return the addition as plain data."""


class IncomingEdges:
    """Lookup of the edges by which a walk reached each symbol.

    `edges` are the resolved edges among what `walked` reached, with the symbols at which the walk started (seeds).
    """

    def __init__(self, edges: Iterable[Edge], walked: Subgraph, catalog: Catalog) -> None:
        self._catalog, self._direction = catalog, walked.direction
        self._depths: dict[str | None, int] = {each.symbol_id: each.depth for each in walked.reached}
        self._seeds: set[str | None] = {each for each, depth in self._depths.items() if not depth}
        self._touching: dict[str, list[Edge]] = defaultdict(list)
        for edge in edges:
            if edge.source != edge.target:
                self._touching[edge.source].append(edge)
                self._touching[edge.target].append(edge)

    def of(self, reached: Reached) -> tuple[Edge, ...]:
        """Return the edges by which a symbol was reached, the most confident first.

        These are the edges between the symbol and the previous symbol of the walk (`reached.via`), or any of the seeds
        if that is one, or the constructor of the previous symbol. If there are none, all edges between the symbol and
        symbols nearer to the start are returned, or those of its declaration. A member has the distance of the type
        that was reached.

        An edge is left out if others of its kind, as sure as it is, have its sites, as for overloads; so is a USES edge
        if others of any kind have them: a call also uses a name.
        """
        own, via = reached.symbol_id, reached.via
        previous = self._seeds if via in self._seeds else {via}
        touching = self._touching.get(own, ())
        joining = [e for e in touching if not previous.isdisjoint((e.source, e.target)) or self._makes(e, via)]
        if not joining:
            joining = [e for e in touching if self._depth(e.target if e.source == own else e.source) < reached.depth]
        if not joining and via is not None:  # it is a constant, in whose declaration a module uses the previous symbol
            symbol = self._catalog.symbol(own)
            lines = range(symbol.span.start_line, symbol.span.end_line + 1)
            sites = {e: [at.line for at in e.sites if at.path == symbol.path] for e in self._touching.get(via, ())}
            joining = [e for e, at in sites.items() if e.target == via and any(line in lines for line in at)]
        along = [e for e in joining if (e.source if self._direction == "in" else e.target) == own]
        joining = along if along and self._direction != "both" else joining  # two traits may imply each other
        found: list[Edge] = []
        for edge in sorted(joining, key=lambda edge: (-edge.confidence, edge.kind == "USES")):
            kinds = {edge.kind} if edge.kind != "USES" else {each.kind for each in found} - {"USES"}
            told = {site for each in found if each.kind in kinds for site in each.sites}
            if not edge.sites or not told.issuperset(edge.sites):
                found.append(edge)
        return tuple(found)

    def _makes(self, edge: Edge, owner: str | None) -> bool:
        """Return True if the edge is a call of the constructor of the type `owner`."""
        return owner is not None and edge.manner == "new" and self._catalog.symbol(edge.target).parent == owner

    def _depth(self, symbol_id: str) -> int:
        """Return the steps from the seeds to a symbol, or to the nearest owner of a member that was not reached."""
        current: str | None = symbol_id
        while current is not None and current not in self._depths:
            current = self._catalog.symbol(current).parent
        return 0 if current is None else self._depths[current]


_MOST_EDGES = 2  # shown of one symbol; `incoming` returns all
_COLUMNS = (
    "depth", "symbol", "kind", "path", "start_line", "end_line", "via", "edge", "rule", "confidence", "certainty",
    "sites",
)  # fmt: skip


@dataclass(frozen=True, slots=True, repr=False)
class GraphAnswer(ShownRows[Symbol], Exports):
    """The result of a walk over the graph: a sequence of the reached symbols, by depth, then confidence.

    The seeds, at which the walk started, are not in the sequence.
    """

    _records_in: ClassVar[str] = "symbols"

    subgraph: Subgraph
    catalog: Catalog = field(repr=False, compare=False)
    choice: str = ""  # a note about the symbol chosen for an ambiguous name
    observed: EdgeMarks | None = field(default=None, repr=False, compare=False)  # of the attached run
    additions: tuple[Addition, ...] = ()  # what features add to the answer

    @property
    def seeds(self) -> tuple[Symbol, ...]:
        """The symbols at which the walk started."""
        return tuple(self.catalog.symbol(symbol_id) for symbol_id in self.subgraph.seeds)

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """The reached symbols without the seeds, in order."""
        return tuple(self.catalog.symbol(reached.symbol_id) for reached in self.reached)

    @property
    def reached(self) -> tuple[Reached, ...]:
        """Depth, previous symbol and confidence of each of `symbols`."""
        seeds = set(self.subgraph.seeds)
        return tuple(reached for reached in self.subgraph.reached if reached.symbol_id not in seeds)

    @property
    def edges(self) -> tuple[Edge, ...]:
        """The resolved edges among seeds and symbols."""
        return self.subgraph.edges

    @property
    def possible(self) -> tuple[Edge, ...]:
        """Edges found by name alone. Some may be wrong, so they never count as resolved."""
        return self.subgraph.possible

    @property
    def unresolved(self) -> tuple[Unresolved, ...]:
        """Unresolved references that have the name of a seed."""
        return self.subgraph.unresolved

    @property
    def mentions(self) -> tuple[PossibleUse, ...]:
        """The places that may be more than what was found."""
        return self.subgraph.mentions

    @property
    def verdict(self) -> Verdict | None:
        """The verdict: the found symbols, what else there may be, and the sentence that every display shows."""
        return self.subgraph.verdict

    @property
    def absence(self) -> Verdict | None:
        """The explanation of an empty answer; None for other answers.

        Its `kind` is "none" if nothing in the repository can match, "possible" if some places may match (`mentions`
        lists them), and "unknown" if the index cannot decide. ``str()`` returns its text.
        """
        return self.subgraph.absence

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on other ways in which the seeds may be used: exported, registered, named in strings."""
        marks, seeds = self.observed, self.subgraph.seeds
        missing = () if marks is None else marks.notes(seeds, self.subgraph.direction, self.catalog)
        return (*((self.choice,) if self.choice else ()), *missing, *self.subgraph.notes)

    @property
    def tests(self) -> tuple[Symbol, ...]:
        """The tests that an impact reaches: test functions if they are known, otherwise files."""
        return tuple(self.catalog.symbol(symbol_id) for symbol_id in self.subgraph.tests)

    @property
    def in_tests(self) -> tuple[Symbol, ...]:
        """The symbols of tests. Displays fold them if there are others."""
        return tuple(filter(self.catalog.roles.is_test_symbol, self.symbols))

    @property
    def heading(self) -> str:
        """The verdict as far as a heading says it; its headline if the rest is a sentence of its own."""
        return self.headline if self.verdict is None else self.verdict.heading or self.headline

    @property
    def headline(self) -> str:
        """The answer in one line: ``3 callers of app.session.validate``."""
        from codeexplore.graph.usage.verdict import headline

        said = "" if self.verdict is None else self.verdict.headline
        return said or headline(self.subgraph.relation, self.subgraph.direction, self.seeds, len(self))

    def __or__(self, other: GraphAnswer) -> GraphAnswer:
        """Return this walk, continued by another that starts at its symbols: ``ws.callers("f") | ws.callers("g")``.

        Depths are counted from the start of this walk. A start of the other that this walk has not is another start.
        """
        mine, more = self.subgraph, other.subgraph
        reached = {each.symbol_id: each for each in mine.reached}
        seeds = [seed for seed in more.seeds if seed not in reached]
        for each in more.reached:
            before = reached.get(each.via or more.seeds[0])
            depth, sure = (
                (0, 1.0) if before is None or each.symbol_id in seeds else (before.depth + 1, before.confidence)
            )
            found = each._replace(depth=depth, confidence=min(sure, each.confidence))
            reached.setdefault(each.symbol_id, found)
        edges = {(edge.source, edge.target, edge.kind): edge for edge in (*mine.edges, *more.edges)}
        verdict = mine.verdict
        if verdict is not None and more.verdict is not None:
            headline = f"{self.headline}; {other.headline}"
            verdict = replace(verdict, text=f"{verdict.text} {more.verdict.text}", headline=headline)
        grown = replace(
            mine,
            seeds=(*mine.seeds, *seeds),
            reached=tuple(sorted(reached.values(), key=lambda each: each.depth)),
            edges=tuple(edges.values()),
            possible=tuple(dict.fromkeys((*mine.possible, *more.possible))),
            verdict=verdict,
        )
        return replace(self, subgraph=grown)

    def incoming(self) -> IncomingEdges:
        """Return a lookup of the edges by which each symbol was reached. For many symbols, call this method once."""
        return IncomingEdges(self.edges, self.subgraph, self.catalog)

    def path_to(self, symbol: Symbol | str) -> CallPath:
        """Return the path by which a symbol was reached: from a seed to the symbol, over the most confident edges.

        Raises KeyError if the symbol was not reached.
        """
        reached = {each.symbol_id: each for each in self.subgraph.reached}
        ids = [symbol if isinstance(symbol, str) else symbol.id]
        edges: list[Edge] = []
        incoming = self.incoming()
        while (via := reached[ids[-1]].via) is not None:
            edges += incoming.of(reached[ids[-1]])[:1]
            ids.append(via)
        return CallPath(tuple(reversed(ids)), tuple(reversed(edges)))

    def network(self) -> Network:
        """Return the answer as vertices and arcs.

        The vertices are seeds, reached symbols and the ends of all edges. Edges found by name alone are uncertain arcs.
        """
        depths = {reached.symbol_id: reached.depth for reached in self.subgraph.reached}
        edges = (*self.edges, *self.possible)
        ids = dict.fromkeys((*self.subgraph.seeds, *depths, *(end for e in edges for end in (e.source, e.target))))
        seeds = set(self.subgraph.seeds)
        vertices = tuple(
            vertex_of(self.catalog.symbol(symbol_id), depth=depths.get(symbol_id, -1), seed=symbol_id in seeds)
            for symbol_id in ids
        )
        arcs = (*arcs_of(self.edges, vertices), *arcs_of(self.possible, vertices, certain=False))
        return Network(self.headline, vertices, arcs)

    def to_dict(self) -> dict[str, object]:
        """Return the answer as plain data for JSON. `schema` names its format."""
        way = {reached.symbol_id: reached for reached in self.subgraph.reached}
        return {
            "schema": SCHEMA_VERSION,
            "kind": "subgraph",
            "relation": self.subgraph.relation,
            "direction": self.subgraph.direction,
            "seeds": list(self.subgraph.seeds),
            "symbols": [
                symbol_dict(symbol)
                | {"depth": way[symbol.id].depth, "via": way[symbol.id].via, "certainty": way[symbol.id].certainty}
                for symbol in (*self.seeds, *self.symbols)
                if symbol.id in way
            ],
            "edges": [edge_dict(edge) for edge in self.edges],
            "possible": [edge_dict(edge) for edge in self.possible],
            "unresolved": [unresolved_dict(reference) for reference in self.unresolved],
            "mentions": [use_dict(use) for use in self.mentions],
            "verdict": verdict_dict(self.verdict),
            "absence": verdict_dict(self.absence),
            "notes": list(self.notes),
            "tests": list(self.subgraph.tests),
            "all_tests": self.subgraph.all_tests,
            "cut": self.subgraph.cut,
            **{each.key: each.to_dict() for each in self.additions},
        }

    def to_frame(self) -> pd.DataFrame:
        """Return a row per symbol: depth, symbol, kind, path, lines, via, edge, rule, confidence, certainty, sites.

        `possible` edges are left out. Raises ImportError without pandas.
        """
        rows = []
        incoming = self.incoming()
        for symbol, reached in zip(self.symbols, self.reached, strict=True):
            edges = _once(incoming.of(reached), symbol.path)
            lines = symbol.span.start_line, symbol.span.end_line
            via = None if reached.via is None else self.catalog.symbol(reached.via).fqn
            edge = (edges[0].kind, edges[0].rule) if edges else (None, None)
            sites = [f"{site.path}:{site.line}" for edge in edges for site in edge.sites]
            sure = reached.confidence, reached.certainty
            rows.append((reached.depth, symbol.fqn, symbol.kind, symbol.path, *lines, via, *edge, *sure, sites))
        return frame(_COLUMNS, rows)

    def blocks(self, to_list_more: str = "a higher top_k (--top-k) lists them") -> list[Block]:
        """Return the symbols by depth with the edges to each symbol, then uncertain edges, tests and other uses.

        `to_list_more` says how the user gets the symbols that are left out.
        """
        blocks = verdict_blocks(self.verdict, self.headline)
        if self.subgraph.cut:
            left = plural(self.subgraph.cut, "more symbol")
            blocks.append(b.Text(f"{left} not listed; {to_list_more}", "notice"))
        blocks.append(b.Drawing(self))
        incoming = self.incoming()
        folded, rows, tested = set(in_tests(self.symbols, self.seeds, self.catalog)), list[b.Row](), list[Line]()
        for symbol, reached in zip(self.symbols, self.reached, strict=True):
            how = self._how(symbol, reached, incoming)
            if symbol in folded:
                tested.append((symbol, "  ", where(symbol), "  ", *how))
            else:
                rows.append(b.Row((_level(reached), symbol, b.Words(symbol.kind), where(symbol)), (how,)))
        columns = ("depth", "symbol", "kind", "where")
        if rows:
            blocks.append(b.Table("By depth, then confidence", columns, rows, "grouped", "reached by", brief=len(rows)))
        if tested:
            title = b.Words(f"{len(tested):,} of these {len(self):,} {'is' if len(tested) == 1 else 'are'} in tests")
            blocks.append(b.Items(title, tested, "in_tests", brief=0))
        added = [block for each in self.additions for block in each.blocks()]
        return [*blocks, *self._uncertain(), *self._tests(), *added, *notes(self.notes)]

    def _how(self, symbol: Symbol, reached: Reached, incoming: IncomingEdges) -> tuple[Inline, ...]:
        edges = _once(incoming.of(reached), symbol.path)
        line: list[Inline] = []
        for edge in edges[:_MOST_EDGES]:
            said, whole = edge_words(edge, symbol.path), edge_words(edge, symbol.path, len(edge.sites))
            line += ["; " if line else "", b.Tint("edge", edge.kind, said, whole)]
            if self.observed is not None and (seen := self.observed.words(edge)):
                line += [", ", b.Piece(seen, "good" if self.observed.count(edge) else "dim")]
        if len(edges) > _MOST_EDGES:
            rest = "".join(f"; {edge_words(edge, symbol.path, len(edge.sites))}" for edge in edges[_MOST_EDGES:])
            line.append(b.Tint("edge", edges[-1].kind, f" and {len(edges) - _MOST_EDGES} more", rest))
        if reached.depth > 1 and reached.via is not None:
            line.append(b.Piece(f" via {one_line(self.catalog.symbol(reached.via).name)}", "dim"))
        return tuple(line)

    def _uncertain(self) -> list[Block]:
        blocks: list[Block] = []
        if self.possible:
            rows = dict[tuple[str, ...], Line]()  # overloads, which have one name, are one row
            for edge in self.possible:
                ends, how = (self.catalog.symbol(edge.source), self.catalog.symbol(edge.target)), edge_words(edge)
                row = (ends[0], " → ", ends[1], "  ", b.Piece(how, "dim"))
                rows.setdefault((*(end.fqn for end in ends), how), row)
            items = list(rows.values())
            title = b.Words(
                f"possible{', by name only' if are_named(self.possible) else ''}: {plural(len(items), 'edge')}"
            )
            blocks.append(b.Items(title, items, "possible", brief=50))
        if self.mentions:
            title = b.Words(f"{plural(len(self.mentions), 'place')} that may be more")
            blocks.append(b.Items(title, use_items(self.mentions, "or"), "mentions", brief=4))
        return blocks

    def _tests(self) -> list[Block]:
        if not self.subgraph.all_tests:
            return []
        number = len(self.tests)
        further = self.subgraph.all_tests - number
        more = f", and {further:,} more may by less certain steps" if further > 0 else ""
        title = b.Words(f"{plural(number, 'test')} {'reaches' if number == 1 else 'reach'} it{more}")
        rows = [(where(test),) if test.kind == "module" else (test, "  ", where(test)) for test in self.tests]
        return [b.Items(title, rows, "tests", brief=6)]

    def __len__(self) -> int:
        return len(self.reached)


def _level(reached: Reached) -> b.Tint:
    """Return the depth of a symbol, with the word for its certainty unless it is certain."""
    word = "" if reached.certainty == "certain" else f", {reached.certainty}"
    return b.Tint("depth", str(reached.depth), f"{reached.depth}{word}")


def in_tests(found: Sequence[Symbol], seeds: Iterable[Symbol], catalog: Catalog) -> tuple[Symbol, ...]:
    """Return the symbols of tests; none if all are, or all seeds."""
    tested = [each for each in found if catalog.roles.is_test_symbol(each)]
    only = len(tested) == len(found) or all(catalog.roles.is_test_symbol(seed) for seed in seeds)
    return () if only else tuple(tested)


def _once(edges: Iterable[Edge], path: str) -> list[Edge]:
    """Return the edges without those that are told in the same words, such as edges to several overloads."""
    return list({edge_words(edge, path): edge for edge in edges}.values())


def unresolved_items(references: Sequence[Unresolved]) -> list[Line]:
    return [
        (b.Piece(f"{each.receiver}.{each.name}" if each.receiver else each.name, "code"), "  ", each.site)
        for each in references
    ]


def use_items(uses: Sequence[PossibleUse], word: str = "→") -> list[Line]:
    """Return places that may be uses, each with its source line and the symbols that the name means there."""
    return [
        (use.site, "  ", b.Piece(use.text, "code"), f"  {word} {shortened(use.targets, 2)}" if use.targets else "")
        for use in uses
    ]


def verdict_blocks(verdict: Verdict | None, headline: str) -> list[Block]:
    """Return the heading; for an empty answer its explanation, then the places that may be uses."""
    if verdict is None:
        return [b.Heading(headline)]
    blocks: list[Block] = [b.Heading(verdict.heading or headline)]
    if verdict.kind == "found":
        return blocks
    if verdict.heading == verdict.headline or verdict.next_steps:
        blocks.append(b.Text(str(verdict)))
    title = b.Words(f"{plural(len(verdict.mentions), 'place')} to look at")
    places = b.Items(title, use_items(verdict.mentions), "absence.mentions", opened=True, apart=False)
    return [*blocks, *([places] if verdict.mentions and not any(verdict.counts) else [])]


def step_blocks(paths: Sequence[CallPath], catalog: Catalog) -> list[Block]:
    return [
        b.Steps(
            number,
            tuple(map(catalog.symbol, path.symbol_ids)),
            tuple("→" if e.target == end else "←" for e, end in zip(path.edges, path.symbol_ids[1:], strict=True)),
            tuple(b.Tint("edge", edge.kind, edge_words(edge)) for edge in path.edges),
        )
        for number, path in enumerate(paths, 1)
    ]
