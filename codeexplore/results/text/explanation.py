"""A hit's derivation as text: the sum, and below each summand the numbers it is made of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from codeexplore.results.score_terms import number
from codeexplore.results.text.clip import cut, one_line, pad, shorten
from codeexplore.results.text.phrases import edge_words
from codeexplore.results.text.terminal import REPR_WIDTH, Paint, wrap

if TYPE_CHECKING:
    from codeexplore.results.explanation import Explanation
    from codeexplore.search.explain import LaneDerivation
    from codeexplore.types import CallPath, SeedShare, TermScore, WordPair

_MOST_PAIRS = 8  # written out; `.pairs` has them all
_MOST_SEEDS = 5
_TEXT_CHARS = 300
_NAME_CHARS = 120
_WORD_CHARS = 40


def explanation_text(why: Explanation, *, colour: bool = False, width: int = REPR_WIDTH) -> str:
    """The derivation, a summand a line, its parts indented below it; `width` is in terminal columns."""
    paint = Paint(colour)
    hit = why.hit
    name, place = _short(hit.name), _short(hit.location)
    lines = [
        f"{paint(f'{why.rank}.', 'bold')} {paint(name, 'bold')}  {hit.kind}  {paint(place, 'place')}",
        f"for “{cut(one_line(why.question), _TEXT_CHARS)}”",
        "",
    ]
    lines += [f"{reason.choice}: {cut(one_line(reason.why), _TEXT_CHARS)}" for reason in why.reasons]
    lines += [
        f"start: {_short(why.name_of(seed.symbol_id))}, weight {seed.weight:.3g}, "
        f"{cut(one_line(seed.reason), _TEXT_CHARS)}"
        for seed in why.seeds[:_MOST_SEEDS]
    ]
    if len(why.seeds) > _MOST_SEEDS:
        lines.append(f"starts: {len(why.seeds) - _MOST_SEEDS} more")
    lines.append("")
    for lane in why.lanes:
        lines += _lane(lane, why, paint)
    for adjustment in why.adjustments:
        name = paint(adjustment.signal, adjustment.signal)
        lines.append(f"{_signed(adjustment.value)}  {name}: {cut(one_line(adjustment.reason), _TEXT_CHARS)}")
    lines.append(f"{_signed(why.score).replace('+', '=')}  {paint('score', 'bold')}, the sum of these")
    lines = [part for line in lines for part in _wrapped(line, width)]
    for reason in why.missing:
        lines += [
            paint(part, "dim") for part in _wrapped(f"nothing from {reason.choice}: {one_line(reason.why)}", width)
        ]
    return "\n".join(line.rstrip() for line in lines)


def _wrapped(line: str, width: int) -> list[str]:
    """A line as several that fit, those after the first indented a little more."""
    return wrap(line, width, " " * (len(line) - len(line.lstrip()) + 2)) or [""]


def _short(text: str) -> str:
    return shorten(one_line(text), _NAME_CHARS)


def _lane(lane: LaneDerivation, why: Explanation, paint: Paint) -> Iterator[str]:
    formula = lane.working.formula
    numbers = ", ".join(f"{name} {value:.6g}" for name, value in lane.working.inputs)
    yield f"{_signed(lane.value)}  {paint(lane.lane, lane.lane)}: {formula}, with {numbers}"
    if lane.chunk_id != why.hit.chunk.id:
        other = why.catalog.chunk(lane.chunk_id)
        yield f"         found by another part of it, lines {other.start_line} to {other.end_line}"
    if lane.terms:
        yield from _terms(lane.terms, lane.score)
    if lane.pairs:
        yield from _pairs(lane.pairs, lane.score)
    if lane.seeds:
        yield from _seeds(lane.seeds, lane.score, why)
    if lane.path is not None and lane.path.edges:
        yield from _path(lane.path, why)


def _terms(terms: tuple[TermScore, ...], score: float) -> Iterator[str]:
    found = [term for term in terms if term.score]
    width = max((len(cut(one_line(term.term), _WORD_CHARS)) for term in found), default=4)
    yield f"         its BM25 score {score:.4f} by terms:"
    yield f"         {pad('term', width)}    tf      df     idf    score"
    for term in found:
        numbers = f"{term.tf:>4}  {term.df:>6}  {term.idf:>6.3f}  {term.score:>7.4f}"
        yield f"         {pad(cut(one_line(term.term), _WORD_CHARS), width)}  {numbers}"
    absent = [cut(one_line(term.term), _WORD_CHARS) for term in terms if not term.score]
    if absent:
        yield f"         not in it: {', '.join(absent[:12])}{' …' if len(absent) > 12 else ''}"


def _pairs(pairs: tuple[WordPair, ...], score: float) -> Iterator[str]:
    yield f"         its cosine {score:.4f} by pairs of words, the question's × the chunk's:"
    for pair in pairs[:_MOST_PAIRS]:
        words = (cut(one_line(word), _WORD_CHARS) for word in (pair.query_word, pair.chunk_word))
        yield f"         {_signed(pair.value)}  {' × '.join(words)}"
    if len(pairs) > _MOST_PAIRS:
        rest = sum(pair.value for pair in pairs[_MOST_PAIRS:])
        yield f"         {_signed(rest)}  {len(pairs) - _MOST_PAIRS} more pairs"


def _seeds(shares: tuple[SeedShare, ...], score: float, why: Explanation) -> Iterator[str]:
    yield f"         its graph score {score:.4f}: {shares[0].formula}"
    for share in shares[:_MOST_SEEDS]:
        numbers = f"weight {share.weight:.3g}"
        if share.distance:
            numbers += f", distance {share.distance}, confidence {share.confidence:.2f}, nearness {share.nearness:.2f}"
        yield f"         {_signed(share.value)}  {_short(why.name_of(share.seed))}, {numbers}"
    if len(shares) > _MOST_SEEDS:
        rest = sum(share.value for share in shares[_MOST_SEEDS:])
        yield f"         {_signed(rest)}  {len(shares) - _MOST_SEEDS} more starts"


def _path(path: CallPath, why: Explanation) -> Iterator[str]:
    yield f"         by way of {_short(why.name_of(path.symbol_ids[0]))}"
    for symbol_id, edge in zip(path.symbol_ids[1:], path.edges, strict=True):
        arrow = "→" if edge.target == symbol_id else "←"
        yield f"           {arrow} {_short(why.name_of(symbol_id))}  {edge_words(edge)}"


def _signed(value: float) -> str:
    return f"{'' if value < 0 else '+'}{number(value)}"
