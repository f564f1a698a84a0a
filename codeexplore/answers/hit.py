"""One hit of an answer: a ranked symbol with its chunk and the parts of its score."""

from __future__ import annotations

from dataclasses import dataclass

from codeexplore.answers import blocks as b
from codeexplore.answers.blocks import Block
from codeexplore.answers.score_terms import number
from codeexplore.answers.shown import Shown
from codeexplore.answers.wording import member_name
from codeexplore.index.qualified_names import shown_name
from codeexplore.types import Adjustment, CallPath, Chunk, Contribution, FusedHit, Span, Symbol
from codeexplore.types.visible import visible_repr

COLUMNS = ("rank", "score", "symbol", "kind", "path", "start_line", "end_line", "chunk_id")
"""Columns of a table of hits; those of lanes and signals follow."""


@dataclass(frozen=True, slots=True, repr=False)
class SearchHit(Shown):
    """One ranked symbol with the parts of its score. A chunk of a file that belongs to no symbol can be a hit too.

    ``score == sum(c.value for c in contributions) + sum(a.value for a in adjustments)``.
    """

    fused: FusedHit
    chunk: Chunk
    symbol: Symbol | None

    @property
    def rank(self) -> int:
        """Rank in the answer, from 1."""
        return self.fused.rank

    @property
    def score(self) -> float:
        """The fused score. Scores of different answers cannot be compared."""
        return self.fused.score

    @property
    def contributions(self) -> tuple[Contribution, ...]:
        """The contribution of each lane."""
        return self.fused.contributions

    @property
    def adjustments(self) -> tuple[Adjustment, ...]:
        """The amount that each re-ranking signal added or subtracted."""
        return self.fused.adjustments

    @property
    def role(self) -> str:
        """The role of the hit in a question about a relation: "caller", "asked about" …; "" for other questions.

        Hits with the role "shares words" are not part of the answer. They follow it, because some calls leave no trace
        in the source.
        """
        return self.fused.role

    @property
    def call_path(self) -> CallPath | None:
        """The path in the graph from a seed to this hit; None if there is none."""
        return self.fused.path

    @property
    def path(self) -> str:
        """Path of the file, relative to the root, with ``/``."""
        return self.chunk.path

    @property
    def span(self) -> Span:
        """The symbol's span; for a hit without a symbol, the lines of the chunk from first to last."""
        if self.symbol is not None:
            return self.symbol.span
        first, last = self.chunk.spans[0], self.chunk.spans[-1]
        return Span(first.start_line, last.end_line, first.start_byte, last.end_byte)

    @property
    def start_line(self) -> int:
        """First line of `span`, 1-based."""
        return self.span.start_line

    @property
    def end_line(self) -> int:
        """Last line of `span`, 1-based, inclusive."""
        return self.span.end_line

    @property
    def line(self) -> int:
        """The line of the symbol's own definition, below its decorators; without a symbol, `start_line`."""
        return self.start_line if self.symbol is None else self.symbol.line

    @property
    def text(self) -> str:
        """The source text of the chunk."""
        return self.chunk.text

    @property
    def kind(self) -> str:
        """The symbol's kind; "text" for a chunk without a symbol."""
        return "text" if self.symbol is None else self.symbol.kind

    @property
    def name(self) -> str:
        """The symbol's qualified name; ``path:line`` for a chunk without a symbol."""
        return self.location if self.symbol is None else self.symbol.fqn

    @property
    def location(self) -> str:
        """``path:line``. Every call that takes a symbol accepts this form."""
        return f"{self.path}:{self.line}"

    def numbered_lines(self) -> tuple[tuple[int, str], ...]:
        """Return (number, text) of each line of the chunk. A gap in the numbers means lines of other chunks."""
        numbers = (line for span in self.chunk.spans for line in span.lines)
        return tuple(zip(numbers, self.chunk.text.split("\n"), strict=False))

    def to_dict(self) -> dict[str, object]:
        """Return the hit as plain data."""
        symbol = self.symbol
        return {
            "rank": self.rank,
            "score": self.score,
            "symbol": None if symbol is None else {"id": symbol.id, "fqn": symbol.fqn, "kind": symbol.kind},
            "path": self.path,
            "start_line": self.start_line,
            "end_line": self.end_line,
            "chunk_id": self.chunk.id,
            "role": self.role,
            "call_path": None if self.call_path is None else list(self.call_path.symbol_ids),
            "text": self.text,
            "contributions": [c._asdict() for c in self.contributions],
            "adjustments": [a._asdict() for a in self.adjustments],
        }

    def row(self) -> dict[str, object]:
        """Return the hit as a row of a table, without the shares of lanes and signals."""
        found = (self.rank, self.score, self.name, self.kind, self.path, self.start_line, self.end_line, self.chunk.id)
        return dict(zip(COLUMNS, found, strict=True))

    def shares(self) -> dict[str, float]:
        """Return the amount of each lane and signal, by the name of its column in a table."""
        shares: dict[str, float] = {}
        for contribution in self.contributions:
            shares[f"lane_{contribution.lane}"] = contribution.value
        for adjustment in self.adjustments:  # a signal may speak twice, for two reasons
            column = f"signal_{adjustment.signal.replace(' ', '_')}"
            shares[column] = shares.get(column, 0.0) + adjustment.value
        return shares

    @property
    def shown_name(self) -> b.Name:
        if self.symbol is None:
            return b.Name(self.path, self.kind, self.path.rpartition("/")[2])
        return b.Name(shown_name(self.symbol.fqn), self.kind, member_name(self.symbol))

    def blocks(self) -> list[Block]:
        """Return the hit's name, place and shares, then its source."""
        place = b.Place(self.path, self.line, self.end_line)
        shares = [f"{number(each.value)} {each.lane}" for each in self.contributions]
        shares += [f"{number(each.value)} {each.signal}" for each in self.adjustments]
        total = " + ".join(shares).replace("+ −", "− ") or "0"
        return [
            b.Text((f"{self.rank}. ", self.shown_name, b.Piece(f"  {self.kind}  ", "kind"), place)),
            b.Text(f"{total} = {number(self.score)}"),
            b.Source(self.numbered_lines(), self.chunk.language, brief=12),
        ]

    def __repr__(self) -> str:
        return visible_repr(f"<SearchHit {self.rank}: {self.name} ({self.kind}, {self.location}) {self.score:.4f}>")
