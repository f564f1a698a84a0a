"""The score of a hit: each summand, and below it the numbers from which the summand is computed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from codeexplore.html import components
from codeexplore.html.elements import DIM, SIGNAL, Html, lane_colour, tag
from codeexplore.results.score_terms import Term, number, terms
from codeexplore.results.text.clip import cell_width, cut, one_line, pad
from codeexplore.results.text.phrases import plural

if TYPE_CHECKING:
    from codeexplore.results import SearchAnswer, SearchHit
    from codeexplore.results.explanation import Explanation
    from codeexplore.search.explain import LaneDerivation
    from codeexplore.types import SearchResult, TermScore, WordPair

EXPLAINED = 20
"""Hits of an answer whose lanes are explained down to terms and word pairs; `answer.explain(rank)` has the others."""

_REASON_CHARS = 300
_WORD_CHARS = 32
_MOST_PAIRS = 6
_MOST_TERMS = 12
_MOST_SEEDS = 4


def why_html(hit: SearchHit, answer: SearchAnswer) -> Html:
    """Return one line per summand of the score; that of a lane unfolds to the parts of the lane's own score."""
    why = answer.explain(hit.rank) if answer.source is not None and hit.rank <= EXPLAINED else None
    return summands_html(hit, answer.result, why)


def summands_html(hit: SearchHit, result: SearchResult, why: Explanation | None, *, opened: bool = False) -> Html:
    """Return a hit's summands; those of lanes unfold to `why`, and are unfolded at first when `opened`."""
    lanes = {} if why is None else {lane.lane: lane for lane in why.lanes}
    lines = []
    for term in terms(hit.fused, result):
        lane = lanes.get(term.source) if term.kind == "lane" else None
        if why is not None and lane is not None:
            lines.append(components.folded(_summand(term), _lane(lane, why), opened=opened))
        else:
            lines.append(tag("div", _summand(term), style="padding-left:1.1em"))
    if why is not None:
        lines += [
            tag("div", f"nothing from {reason.choice}: {_shortened(reason.why)}", style="padding-left:1.1em")
            for reason in why.missing
        ]
    lines.append(tag("div", tag("b", f"{_signed(hit.score, '=')}  score"), style="padding-left:1.1em"))
    return tag("div", *lines, style=f"color:{DIM};font-size:12px;margin:2px 0", class_="ce-dim ce-why")


def _summand(term: Term) -> Html:
    colour = lane_colour(term.source) if term.kind == "lane" else SIGNAL
    formula = "" if term.formula == number(term.value) else f" = {term.formula}"
    reason = f"{formula}: {_shortened(term.why)}"
    return tag("span", components.swatch(colour), f"{_signed(term.value)}  ", tag("b", term.source), reason)


def _lane(lane: LaneDerivation, why: Explanation) -> Html:
    """Return the parts of a lane's own score."""
    blocks: list[str] = []
    if lane.chunk_id != why.hit.chunk.id:
        other = why.catalog.chunk(lane.chunk_id)
        blocks.append(f"found by another part of it, lines {other.start_line} to {other.end_line}")
    if why.derivation.fusion != "rrf":
        given = ", ".join(f"{name} {value:.6g}" for name, value in lane.working.inputs)
        blocks.append(f"{lane.value:.4f} = {lane.working.formula}, with {given}")
    if lane.terms:
        blocks.append("\n".join(_terms(lane.terms, lane.score)))
    if lane.pairs:
        blocks.append("\n".join(_pairs(lane.pairs, lane.score)))
    if lane.seeds:
        blocks.append("\n".join(_seeds(lane, why)))
    return tag("pre", "\n".join(blocks), style=_PRE)


_PRE = (
    "margin:2px 0 4px 1.1em;padding:0;background:transparent;color:inherit;border:0;font-family:monospace;"
    "font-size:12px;line-height:1.4;white-space:pre-wrap;overflow-wrap:anywhere;text-align:left"
)


def _terms(scores: Sequence[TermScore], total: float) -> Iterable[str]:
    found = sorted((term for term in scores if term.score), key=lambda term: -term.score)
    shown = [(_word(term.term), term) for term in found[:_MOST_TERMS]]
    width = max((cell_width(name) for name, _ in shown), default=4)
    yield f"{pad('term', width)}   tf     df    idf   score"
    for name, term in shown:
        yield f"{pad(name, width)} {term.tf:>4} {term.df:>6} {term.idf:>6.2f} {term.score:>7.4f}"
    if len(found) > len(shown):
        rest = sum(term.score for term in found[len(shown) :])
        yield f"{pad(plural(len(found) - len(shown), 'more term'), width + 18)} {rest:>8.4f}"
    absent = [_word(term.term) for term in scores if not term.score]
    yield f"{pad('BM25 score, their sum', width + 18)} {total:>8.4f}"
    if absent:
        yield f"not in it: {', '.join(absent[:_MOST_TERMS])}{' …' if len(absent) > _MOST_TERMS else ''}"


def _pairs(pairs: Sequence[WordPair], total: float) -> Iterable[str]:
    shown = [(f"{_word(pair.query_word)} × {_word(pair.chunk_word)}", pair.value) for pair in pairs[:_MOST_PAIRS]]
    if len(pairs) > len(shown):
        rest = sum(pair.value for pair in pairs[len(shown) :])
        shown.append((plural(len(pairs) - len(shown), "more pair"), rest))
    shown.append(("cosine, their sum", total))
    width = max(cell_width(name) for name, _ in shown)
    yield from (
        f"{pad(name, width)} {_signed(value, '' if name.startswith('cosine') else '+'):>9}" for name, value in shown
    )


def _seeds(lane: LaneDerivation, why: Explanation) -> Iterable[str]:
    for share in lane.seeds[:_MOST_SEEDS]:
        far = f"{plural(share.distance, 'hop')}: " if share.distance else ""  # the formula names the start itself
        yield f"{share.value:.4f} from {_word(why.name_of(share.seed), 80)}, {far}{share.formula}"
    if len(lane.seeds) > _MOST_SEEDS:
        rest = sum(share.value for share in lane.seeds[_MOST_SEEDS:])
        yield f"{rest:.4f} from {plural(len(lane.seeds) - _MOST_SEEDS, 'more start')}"
    yield f"{lane.score:.4f} graph score, {'their sum' if len(lane.seeds) > 1 else 'that of its one start'}"
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


def _shortened(text: str) -> str:
    return cut(one_line(text), _REASON_CHARS)


def _signed(value: float, plus: str = "+") -> str:
    return number(value) if value < 0 else f"{plus}{number(value)}"
