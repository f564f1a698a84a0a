"""The scores of an answer, for readers who do not know the lanes: each hit with the sum that is its score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeexplore.answers import blocks as b
from codeexplore.answers.plain_words import lane_words, ranking_line
from codeexplore.answers.score_terms import sum_line

if TYPE_CHECKING:
    from codeexplore.answers.blocks import Block, Inline
    from codeexplore.answers.search import SearchAnswer


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
