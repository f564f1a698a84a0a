"""The hits of an answer in plain words: one bar and one sentence (`hit_sentence`) for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from codeexplore.answers import blocks as b
from codeexplore.answers.hit_sentence import lane_words, sentence
from codeexplore.answers.score_terms import Term, sum_line, terms
from codeexplore.answers.search import ranking_line
from codeexplore.answers.wording import plural

if TYPE_CHECKING:
    from codeexplore.answers.blocks import Block, Inline
    from codeexplore.answers.hit import SearchHit
    from codeexplore.answers.search import SearchAnswer


def plain_blocks(answer: SearchAnswer, paths: Sequence[Block] = ()) -> list[Block]:
    """Return the notices and `paths`, then each hit with its bar, its sentence and its source, without numbers."""
    blocks = answer.notice_blocks(paths)
    if not answer.hits:
        return blocks
    longest = answer.longest_bar
    rows = []
    for hit in answer:
        bar = b.Bar(_shares(hit, answer), longest, wide=True)
        shown = answer.hit_block(hit, longest)._replace(summands=list, sentence=sentence(hit))
        place = b.Place(hit.path, hit.start_line)
        rows.append(b.Row((str(hit.rank), hit.shown_name, b.Words(hit.kind), place, bar), blocks=(shown,)))
    bars = b.Column("why it is here", "html", title=_BAR)
    columns: tuple[str | b.Column, ...] = ("#", "symbol", "kind", b.Column("where", "text"), bars)
    caption = f"{plural(len(answer), 'hit')}, best first"
    dim = answer.confidence if answer.confidence != "answered" else ""
    return [*blocks, b.Table(caption, columns, rows, "spaced", dim=dim, brief=len(rows)), _legend(answer)]


def _shares(hit: SearchHit, answer: SearchAnswer) -> tuple[Term, ...]:
    """Return the share of each lane in a score, then that of all signals that raise it, and of those that lower it."""
    parts = terms(hit.fused, answer.result)
    lanes = [term for term in parts if term.kind == "lane"]
    signals = [term.value for term in parts if term.kind != "lane"]
    raised, lowered = sum(value for value in signals if value > 0), sum(value for value in signals if value < 0)
    return (*lanes, *(Term(_OTHER, "", value, "", "signal") for value in (raised, lowered) if value))


_OTHER = "other evidence"
_BAR = "The longer the bar, the higher the score. Each colour is the share of one kind of evidence"


def _legend(answer: SearchAnswer) -> b.Legend:
    line: list[Inline] = ["found by  "]
    for each in answer.rankings:
        line += [b.Tint("lane", each.lane, lane_words(each.lane)), "  ·  "]
    return b.Legend(((*line, b.Tint("signal", "", f"{_OTHER}: names, files, how well the text fits")),))


def score_blocks(answer: SearchAnswer) -> list[Block]:
    """Return the hits and time of each lane, then the sum that is each hit's score, which unfolds to its parts."""
    lanes: list[Inline] = []
    for ranking in answer.rankings:
        words = f"{lane_words(ranking.lane)} ({ranking.lane}) "
        lanes += [*(["  ·  "] if lanes else []), b.Tint("lane", ranking.lane, words), *ranking_line(ranking)]
    lines: list[Block] = [b.Text(tuple(lanes))]
    for hit in answer:
        title = (f"{hit.rank}. ", hit.shown_name, f"  {sum_line(hit.fused, answer.result, most=0)}")
        lines.append(b.Fold(title, tuple(answer.summands(hit))))
    return lines
