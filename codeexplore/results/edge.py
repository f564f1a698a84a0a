"""The explanation of the edge between two symbols."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from codeexplore.results.dicts import edge_dict, symbol_dict, unresolved_dict, use_dict
from codeexplore.results.network import Exports, Network, arcs_of, vertex_of
from codeexplore.types import SCHEMA_VERSION, CallPath, Symbol

if TYPE_CHECKING:
    import pandas as pd

    from codeexplore.graph.records import Because, Why
    from codeexplore.index.catalog import Catalog

_COLUMNS = ("source", "edge", "target", "manner", "rule", "confidence", "path", "line", "text")


@dataclass(frozen=True, slots=True, repr=False)
class WhyAnswer(Exports):
    """The edges between two symbols: rule in words, source lines and confidence of each. True if there are any."""

    why: Why
    catalog: Catalog = field(repr=False, compare=False)
    notes: tuple[str, ...] = ()  # further notices, in sentences

    @property
    def source(self) -> Symbol:
        """The symbol asked about first."""
        return self.catalog.symbol(self.why.source)

    @property
    def target(self) -> Symbol:
        """The symbol it may use."""
        return self.catalog.symbol(self.why.target)

    @property
    def headline(self) -> str:
        """The result in one sentence."""
        return self.why.summary

    @property
    def links(self) -> tuple[Because, ...]:
        """The edges from source to target with rule and lines, calls first."""
        return self.why.links

    @property
    def chains(self) -> tuple[CallPath, ...]:
        """Ways over overriding methods or decorators, else the shortest chain of calls."""
        return self.why.through or ((self.why.path,) if self.why.path is not None else ())

    def network(self) -> Network:
        """Both symbols, every edge between them, and the symbols on the chains."""
        edges = [b.edge for b in (*self.why.links, *self.why.back)] + [e for path in self.chains for e in path.edges]
        ids = dict.fromkeys((self.why.source, self.why.target, *(i for e in edges for i in (e.source, e.target))))
        vertices = tuple(vertex_of(self.catalog.symbol(i), seed=i in (self.why.source, self.why.target)) for i in ids)
        return Network(self.headline, vertices, tuple(arcs_of(dict.fromkeys(edges), vertices)))

    def to_dict(self) -> dict[str, object]:
        """The answer as plain data for JSON. `schema` names its format."""
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
        """One row per source line: source, edge, target, manner, rule, confidence, path, line, text."""
        from codeexplore.results.frames import frame

        rows: list[dict[str, object]] = [
            {
                "source": self.catalog.symbol(each.edge.source).fqn,
                "edge": each.edge.kind,
                "target": self.catalog.symbol(each.edge.target).fqn,
                "manner": each.edge.manner,
                "rule": each.edge.rule,
                "confidence": each.edge.confidence,
                "path": line.path,
                "line": line.line,
                "text": line.text,
            }
            for each in (*self.why.links, *self.why.back)
            for line in each.lines
        ]
        return frame(_COLUMNS, rows)

    def to_markdown(self) -> str:
        """The answer as Markdown with its lines of source."""
        from codeexplore.results.text.edge import why_markdown

        return why_markdown(self)

    def __bool__(self) -> bool:
        return self.why.verdict in ("edge", "override", "wrapped")

    def __repr__(self) -> str:
        from codeexplore.results.text.edge import why_text

        return why_text(self)


def _because_dict(because: Because) -> dict[str, object]:
    lines = [line._asdict() for line in because.lines]
    return {**edge_dict(because.edge), "words": because.words, "lines": lines}
