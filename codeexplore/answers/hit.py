"""One hit of an answer: a ranked symbol with its chunk, and the explanation of its rank with all numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Literal, Self

from codeexplore.answers import blocks as b
from codeexplore.answers.blocks import Block, Fold, Inline, Items, Line, Piece, Place, Plain, Text, Tint
from codeexplore.answers.score_terms import SIGNAL_WORDS, Term, lane_words, number, signed, terms
from codeexplore.answers.shown import Shown
from codeexplore.answers.wording import cell_width, cut, member_name, one_line, pad, plural
from codeexplore.index.qualified_names import shown_name
from codeexplore.search.explain import Derivation
from codeexplore.types import SCHEMA_VERSION, Adjustment, CallPath, Chunk, Contribution, FusedHit, Span, Symbol
from codeexplore.types.visible import visible_repr

if TYPE_CHECKING:
    from codeexplore.index.catalog import Catalog
    from codeexplore.search.explain import LaneDerivation
    from codeexplore.types import ChunkLength, SearchResult, TermScore, WordPair


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


EXPLAINED = 20
"""Hits of an answer whose lanes are explained down to terms and word pairs; `answer.explain(rank)` has the others."""

_WORD_CHARS = 32
_MOST_PAIRS = 6
_MOST_TERMS = 12
_MOST_SEEDS = 4
_MOST_STARTS = 5


@dataclass(frozen=True, slots=True, repr=False)
class Explanation(Shown, Derivation):
    """The computation of a hit's score and rank: the choices of the plan, each lane's share, the change by each signal.

    ``score == sum(lane.value for lane in lanes) + sum(a.value for a in adjustments)`` holds exactly. In each lane,
    ``lane.score == sum(lane.parts) + lane.rounding``, with a rounding below 1e-6.
    """

    hit: SearchHit
    result: SearchResult = field(compare=False)
    catalog: Catalog = field(compare=False)

    @classmethod
    def of(cls, derivation: Derivation, hit: SearchHit, result: SearchResult, catalog: Catalog) -> Self:
        own = {each.name: getattr(derivation, each.name) for each in fields(derivation)}
        return cls(**own, hit=hit, result=result, catalog=catalog)

    @property
    def question(self) -> str:
        """The question as the user wrote it."""
        return self.result.plan.text

    def name_of(self, symbol_id: str) -> str:
        """Return the qualified name of a symbol on a path, or of a seed."""
        return self.catalog.symbol(symbol_id).fqn

    def to_dict(self) -> dict[str, object]:
        """Return the explanation as plain data for JSON. `schema` names its format."""
        return {
            "schema": SCHEMA_VERSION,
            "kind": "explanation",
            "question": self.question,
            "rank": self.rank,
            "score": self.score,
            "symbol": None if self.hit.symbol is None else self.hit.symbol.id,
            "path": self.hit.path,
            "start_line": self.hit.start_line,
            "end_line": self.hit.end_line,
            "fusion": self.fusion,
            "plan": {
                "kind": self.result.plan.kind,
                "reasons": [reason._asdict() for reason in self.reasons],
                "seeds": [seed._asdict() for seed in self.seeds],
            },
            "lanes": [_lane_dict(lane) for lane in self.lanes],
            "missing": [reason._asdict() for reason in self.missing],
            "adjustments": [adjustment._asdict() for adjustment in self.adjustments],
        }

    def blocks(self) -> list[Block]:
        """Return the choices of the plan, then each summand of the score with the numbers of which it consists."""
        hit = self.hit
        place = Place(hit.path, hit.line, hit.end_line)
        said: list[Line] = [(Piece(f"{each.choice}: ", "dim"), each.why) for each in self.reasons]
        said += [
            (Piece("start: ", "dim"), self.name_of(seed.symbol_id), f", weight {seed.weight:.3g}, {seed.reason}")
            for seed in self.seeds[:_MOST_STARTS]
        ]
        if len(self.seeds) > _MOST_STARTS:
            said.append(f"and {len(self.seeds) - _MOST_STARTS} more starts")
        return [
            Text((Piece(f"{self.rank}. ", "strong"), hit.shown_name, Piece(f"  {hit.kind}  ", "kind"), place)),
            Text(("for “", Piece(self.result.subject, "strong"), "”")),
            Items("", said, brief=len(said)),
            Text("", apart=True),
            *summand_blocks(hit, self.result, self, opened=True),
        ]


def summand_blocks(
    hit: SearchHit, result: SearchResult, why: Explanation | None, *, opened: bool = False
) -> Iterator[Block]:
    """Yield the summands of a hit's score, the largest first, and their sum.

    That of a lane unfolds to the parts of the lane's score.
    """
    lanes = {} if why is None else {lane.lane: lane for lane in why.lanes}
    for term in sorted(terms(hit.fused, result), key=lambda term: -term.value):
        formula = "" if term.formula == number(term.value) else f" = {term.formula}"
        family: Literal["lane", "signal"] = "lane" if term.kind == "lane" else "signal"
        title = (f"{signed(term.value)}  ", Tint(family, term.source, ""), *_named(term), f"{formula}: {term.why}")
        lane = lanes.get(term.source) if term.kind == "lane" else None
        parts = (Plain(list(_lane_lines(lane, why))),) if why is not None and lane is not None else ()
        yield Fold(title, parts, opened)
    for reason in why.missing if why is not None else ():
        yield Fold(f"nothing from {lane_words(reason.choice)} ({reason.choice}): {reason.why}", ())
    rounded = _rounded((term.value for term in terms(hit.fused, result)), hit.score)
    yield Fold((Piece(signed(hit.score, "="), "strong"), "  ", Piece("score", "strong"), rounded), ())


def _rounded(parts: Iterable[float], total: float) -> str:
    """Return a note where the shown parts, with four decimals each, do not add up to the shown total; else ""."""
    shown = sum(round(part, 4) for part in parts)
    return f" (the parts are rounded: as shown, they give {number(shown)})" if number(shown) != number(total) else ""


def _named(term: Term) -> tuple[Inline, ...]:
    """Return the name of a signal, or that of a lane in plain words with its technical name beside it."""
    if term.kind != "lane":
        words = SIGNAL_WORDS.get(term.source)
        return Piece(term.source, "strong"), Piece(f" ({words})" if words else "", "dim")
    return Piece(lane_words(term.source), "strong"), Piece(f" ({term.source})", "dim")


def _lane_lines(lane: LaneDerivation, why: Explanation) -> Iterator[str]:
    if lane.chunk_id != why.hit.chunk.id:
        other = why.catalog.chunk(lane.chunk_id)
        yield f"found by another part of the symbol, lines {other.start_line} to {other.end_line}"
    if why.fusion != "rrf":
        given = ", ".join(f"{name} {value:.6g}" for name, value in lane.working.inputs)
        yield f"{lane.value:.4f} = {lane.working.formula}, with {given}"
    if lane.terms:
        yield from _terms(lane.terms, lane.score)
    if lane.length is not None:
        yield from _length(lane.length, repeated=any(term.times > 1 for term in lane.terms))
    if lane.pairs:
        yield from _pairs(lane.pairs, lane.score)
    if lane.seeds:
        yield from _seeds(lane, why)


def _terms(scores: Sequence[TermScore], total: float) -> Iterable[str]:
    found = sorted((term for term in scores if term.score), key=lambda term: -term.score)
    shown = [(_word(term.term), term) for term in found[:_MOST_TERMS]]
    width = max((cell_width(name) for name, _ in shown), default=4)
    repeated = any(term.times > 1 for term in scores)
    times = 7 if repeated else 0  # width of the column that says how often a term is searched
    yield f"{pad('term', width)}   tf     df      idf{'  times' if repeated else ''}   score"
    for name, term in shown:
        factor = f"{f'× {term.times}':>{times}}" if repeated else ""
        yield f"{pad(name, width)} {term.tf:>4} {term.df:>6} {term.idf:>8.4f}{factor} {term.score:>7.4f}"
    values = [term.score for _, term in shown]
    if len(found) > len(shown):
        values.append(sum(term.score for term in found[len(shown) :]))
        yield f"{pad(plural(len(found) - len(shown), 'more term'), width + 20 + times)} {values[-1]:>8.4f}"
    absent = [_word(term.term) for term in scores if not term.score]
    yield f"{pad('BM25 score, their sum', width + 20 + times)} {total:>8.4f}{_rounded(values, total)}"
    if absent:
        yield f"not in it: {', '.join(absent[:_MOST_TERMS])}{' …' if len(absent) > _MOST_TERMS else ''}"


def _length(of: ChunkLength, *, repeated: bool) -> Iterable[str]:
    k = of.k1 * (1 - of.b + of.b * of.length / of.average)
    yield f"score of a term = {'times · ' if repeated else ''}idf · tf / (tf + K)"
    yield f"K = k1 · (1 − b + b · length / average length) = {of.k1:g} · (1 − {of.b:g} + {of.b:g} · {of.length} / " + (
        f"{of.average:.3f}) = {k:.4f}"
    )
    yield f"idf = ln(1 + (N − df + 0.5) / (df + 0.5)), N = {of.n_chunks} chunks; lengths in tokens"


def _pairs(pairs: Sequence[WordPair], total: float) -> Iterable[str]:
    shown = [(f"{_word(pair.query_word)} × {_word(pair.chunk_word)}", pair.value) for pair in pairs[:_MOST_PAIRS]]
    if len(pairs) > len(shown):
        rest = sum(pair.value for pair in pairs[len(shown) :])
        shown.append((plural(len(pairs) - len(shown), "more pair"), rest))
    shown.append(("cosine, their sum", total))
    width = max(cell_width(name) for name, _ in shown)
    yield from (
        f"{pad(name, width)} {signed(value, '' if name.startswith('cosine') else '+'):>9}" for name, value in shown
    )


def _seeds(lane: LaneDerivation, why: Explanation) -> Iterable[str]:
    for share in lane.seeds[:_MOST_SEEDS]:
        far = f"{plural(share.distance, 'hop')}: " if share.distance else ""  # the formula names the start itself
        given = f", weight {share.weight:.4g}"
        given += f", confidence {share.confidence:.4g}" if "confidence" in share.formula else ""
        yield f"{share.value:.4f} from {_word(why.name_of(share.seed), 80)}, {far}{share.formula}{given}"
    if len(lane.seeds) > _MOST_SEEDS:
        rest = sum(share.value for share in lane.seeds[_MOST_SEEDS:])
        yield f"{rest:.4f} from {plural(len(lane.seeds) - _MOST_SEEDS, 'more start')}"
    one = "the start itself" if not lane.seeds[0].distance else "from the only start that leads to it"
    yield f"{lane.score:.4f} graph score, {'their sum' if len(lane.seeds) > 1 else one}"
    path = lane.path
    if path is not None and path.edges:
        words = [_word(why.name_of(path.symbol_ids[0]), 80)]
        for symbol_id, edge in zip(path.symbol_ids[1:], path.edges, strict=True):
            forward = edge.target == symbol_id
            words.append(f"{'→' if forward else '←'} {edge.kind.lower()} {'→' if forward else '←'}")
            words.append(_word(why.name_of(symbol_id), 80))
        yield f"way: {' '.join(words)}, {plural(len(path.edges), 'hop')}"


def _word(text: str, limit: int = _WORD_CHARS) -> str:
    return cut(one_line(text), limit)


def _lane_dict(lane: LaneDerivation) -> dict[str, object]:
    return {
        "lane": lane.lane,
        "rank": lane.rank,
        "score": lane.score,
        "weight": lane.weight,
        "value": lane.value,
        "formula": lane.working.formula,
        "inputs": dict(lane.working.inputs),
        "chunk_id": lane.chunk_id,
        "terms": [term._asdict() for term in lane.terms],
        "pairs": [pair._asdict() for pair in lane.pairs],
        "seeds": [share._asdict() for share in lane.seeds],
        "path": None if lane.path is None else asdict(lane.path),
        "rounding": lane.rounding,
    }
