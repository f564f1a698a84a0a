"""Answers about two symbols: the paths between them, and the edges from one to the other with their reasons."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, ClassVar, Final

from codeexplore.answers.blocks import Block, Fold, Heading, Inline, Items, Source, Text, Tint, Words, notes
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
from codeexplore.answers.graph import step_blocks, unresolved_items, use_items, verdict_blocks
from codeexplore.answers.shown import Shown, ShownRows
from codeexplore.answers.wording import plural
from codeexplore.types import SCHEMA_VERSION, CallPath, Edge, Symbol, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from codeexplore.graph.records import Because, Why
    from codeexplore.index.catalog import Catalog


@dataclass(frozen=True, slots=True, repr=False)
class PathsAnswer(ShownRows[CallPath], Exports):
    """Paths between two symbols, shortest first.

    If no resolved calls lead from source to target, `absence` explains this. The paths are then only possible, or else
    they lead in the opposite direction or over other relations. `verdict` says which case it is.
    """

    _records_in: ClassVar[str] = "paths"

    paths: tuple[CallPath, ...]
    source: Symbol
    target: Symbol
    catalog: Catalog = field(repr=False, compare=False)
    verdict: Verdict | None = None
    notes: tuple[str, ...] = ()  # further notices, in sentences

    @property
    def absence(self) -> Verdict | None:
        """The verdict on paths that are not there, or are only possible; None for paths of resolved calls."""
        return None if self.verdict is None or self.verdict.kind == "found" else self.verdict

    @property
    def heading(self) -> str:
        """The verdict as far as a heading says it; its headline if the rest is a sentence of its own."""
        return self.headline if self.verdict is None else self.verdict.heading or self.headline

    @property
    def headline(self) -> str:
        """The answer in one line: the verdict without its details."""
        count = plural(len(self.paths), "path")
        return f"{count} from {self.source.fqn} to {self.target.fqn}" if self.verdict is None else self.verdict.headline

    def symbols(self, path: CallPath) -> tuple[Symbol, ...]:
        """Return the symbols along `path`."""
        return tuple(self.catalog.symbol(symbol_id) for symbol_id in path.symbol_ids)

    def network(self) -> Network:
        """Return the symbols on all paths and the edges between them, as vertices and arcs."""
        ids = dict.fromkeys(symbol_id for path in self.paths for symbol_id in path.symbol_ids)
        ends = (self.source.id, self.target.id)
        vertices = tuple(
            vertex_of(self.catalog.symbol(symbol_id), seed=symbol_id in ends)
            for symbol_id in ids or dict.fromkeys(ends)
        )
        edges = {(e.source, e.target, e.kind): e for path in self.paths for e in path.edges}
        return Network(self.headline, vertices, tuple(arcs_of(edges.values(), vertices)))

    def to_dict(self) -> dict[str, object]:
        """Return the paths as plain data for JSON. `schema` names its format."""
        return {
            "schema": SCHEMA_VERSION,
            "kind": "paths",
            "source": self.source.id,
            "target": self.target.id,
            "paths": [
                {
                    "symbols": [symbol_dict(symbol) for symbol in self.symbols(path)],
                    "edges": [edge_dict(edge) for edge in path.edges],
                }
                for path in self.paths
            ],
            "verdict": verdict_dict(self.verdict),
            "absence": verdict_dict(self.absence),
            "notes": list(self.notes),
        }

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each step: path number, step, from, edge, to, rule, confidence. Needs pandas."""
        fqn = {each.id: each.fqn for path in self.paths for each in self.symbols(path)}
        rows = [
            (number, step, fqn[edge.source], edge.kind, fqn[edge.target], edge.rule, edge.confidence)
            for number, path in enumerate(self.paths, 1)
            for step, edge in enumerate(path.edges, 1)
        ]
        return frame(("call_path", "step", "source", "edge", "target", "rule", "confidence"), rows)

    def blocks(self) -> list[Block]:
        """Return the paths, one line for each step with its edge, rule, confidence and place."""
        paths = step_blocks(self.paths, self.catalog)
        return [*verdict_blocks(self.verdict, self.headline), *paths, *notes(self.notes)]


_SHOWN: Final = 12
"""Connections that are explained in full. Two types may have hundreds, one for each member."""
_COLUMNS = ("source", "edge", "target", "manner", "rule", "confidence", "path", "line", "text")


@dataclass(frozen=True, slots=True, repr=False)
class WhyAnswer(Shown, Exports):
    """The edges between two symbols, each with its rule in words, its source lines and its confidence.

    As a truth value it is True if there are any edges.
    """

    why: Why
    catalog: Catalog = field(repr=False, compare=False)
    notes: tuple[str, ...] = ()  # further notices, in sentences

    @property
    def source(self) -> Symbol:
        """The first symbol of the question, which may use the second."""
        return self.catalog.symbol(self.why.source)

    @property
    def target(self) -> Symbol:
        """The second symbol of the question, which the first may use."""
        return self.catalog.symbol(self.why.target)

    @property
    def headline(self) -> str:
        """The result in one sentence."""
        return self.why.summary

    @property
    def links(self) -> tuple[Because, ...]:
        """The edges from source to target, each with its rule and source lines, calls first."""
        return self.why.links

    @property
    def chains(self) -> tuple[CallPath, ...]:
        """Indirect paths over overriding methods or decorators; if there are none, the shortest chain of calls."""
        return self.why.through or ((self.why.path,) if self.why.path is not None else ())

    def network(self) -> Network:
        """Return both symbols, every edge between them, and the symbols on the chains, as vertices and arcs."""
        edges = [b.edge for b in (*self.why.links, *self.why.back)] + [e for path in self.chains for e in path.edges]
        ids = dict.fromkeys((self.why.source, self.why.target, *(i for e in edges for i in (e.source, e.target))))
        vertices = tuple(vertex_of(self.catalog.symbol(i), seed=i in (self.why.source, self.why.target)) for i in ids)
        return Network(self.headline, vertices, tuple(arcs_of(dict.fromkeys(edges), vertices)))

    def to_dict(self) -> dict[str, object]:
        """Return the answer as plain data for JSON. `schema` names its format."""
        why = self.why
        return {
            "schema": SCHEMA_VERSION,
            "kind": "why",
            "source": symbol_dict(self.source),
            "target": symbol_dict(self.target),
            "verdict": why.verdict,
            "summary": why.summary,
            "links": [_because_dict(because) for because in why.links],
            "back": [_because_dict(because) for because in why.back],
            "through": [[edge_dict(edge) for edge in path.edges] for path in why.through],
            "path": [edge_dict(edge) for edge in why.path.edges] if why.path is not None else None,
            "mentions": [use_dict(use) for use in why.mentions],
            "unresolved": [unresolved_dict(reference) for reference in why.unresolved],
            "notes": list(self.notes),
        }

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each source line: source, edge, target, manner, rule, confidence, path, line, text."""
        rows = []
        for edge, lines in ((each.edge, each.lines) for each in (*self.why.links, *self.why.back)):
            ends = self.catalog.symbol(edge.source).fqn, edge.kind, self.catalog.symbol(edge.target).fqn
            rows += [
                (*ends, edge.manner, edge.rule, edge.confidence, each.path, each.line, each.text) for each in lines
            ]
        return frame(_COLUMNS, rows)

    def blocks(self) -> list[Block]:
        """Return the summary, the edges with their source, the indirect paths, and places with the target's name."""
        why = self.why
        blocks: list[Block] = [Heading(self.headline)]
        for because in why.links[:_SHOWN]:
            blocks += self._edge(because)
        if more := why.links[_SHOWN:]:
            lines = [(*self._ends(each.edge), "  ", *each.edge.sites[:1]) for each in more]
            blocks.append(Items(Words(plural(len(more), "more connection")), lines, "links", brief=0))
        blocks += step_blocks(self.chains, self.catalog)
        if why.mentions:
            blocks.append(Items(Words("lines that contain the name:"), use_items(why.mentions), opened=True))
        if why.unresolved:
            title = Words(f"calls of the name that could not be resolved: {len(why.unresolved)}")
            blocks.append(Items(title, unresolved_items(why.unresolved), brief=8, opened=True))
        if why.back:
            blocks.append(
                Fold(Words("in the other direction:"), tuple(b for each in why.back for b in self._edge(each)))
            )
        return [*blocks, *notes(self.notes)]

    def _edge(self, because: Because) -> list[Block]:
        edge = because.edge
        test = ", in a test" if edge.in_test else ""
        rule = f"{because.words} (rule {edge.rule}, {edge.manner}, confidence {edge.confidence:.2f}{test})"
        title = Text(self._ends(edge), apart=True)
        blocks: list[Block] = [title, Text(("  ", rule), "dim")]
        for path, group in groupby(because.lines, key=lambda line: line.path):
            lines = [(line.line, line.text) for line in group]
            blocks.append(Source(lines, self.catalog.symbol(edge.source).language, path=path))
        shown = {(line.path, line.line) for line in because.lines}
        left = [(site,) for site in sorted(set(edge.sites)) if (site.path, site.line) not in shown]
        return [*blocks, *([Items(Words(plural(len(left), "more place")), left, "", brief=0)] if left else [])]

    def _ends(self, edge: Edge) -> tuple[Inline, ...]:
        source, target = self.catalog.symbol(edge.source), self.catalog.symbol(edge.target)
        return source, " ", Tint("edge", edge.kind, edge.kind), " ", target

    def __bool__(self) -> bool:
        return self.why.verdict in ("edge", "override", "wrapped")


def _because_dict(because: Because) -> dict[str, object]:
    lines = [line._asdict() for line in because.lines]
    return {**edge_dict(because.edge), "words": because.words, "lines": lines}
