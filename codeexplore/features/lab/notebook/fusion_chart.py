"""Slope chart in the page itself: the line under the mouse, or with the focus, shows the sum of its hit's score."""

from __future__ import annotations

from codeexplore.answers.comparison import Comparison, Move
from codeexplore.answers.explanation import summand_blocks
from codeexplore.answers.html.components import dim
from codeexplore.answers.html.elements import Html, join, tag
from codeexplore.answers.html.rank_changes import change, slope_svg
from codeexplore.answers.html.writer import Writer
from codeexplore.answers.wording import cut, one_line

# a constant, so no name of the repository is in a script
_SHOW_SCRIPT = (
    "const n=this.dataset.row;this.closest('.ce-fusion-chart').querySelectorAll('.ce-sum')"
    ".forEach(e=>{e.hidden=e.dataset.row!==n})"
)


def fusion_html(comparison: Comparison, titles: tuple[str, str], top_k: int) -> Html:
    """Return the chart of rank changes, and below it the sum of the first hit's score until another line is chosen."""
    moves = comparison.shown(top_k)
    if not moves:
        return tag("div", "neither answer has hits")
    first = next((n for n, move in enumerate(moves) if move.after == 1), 0)
    chart = slope_svg(moves, titles, top_k, inline=_SHOW_SCRIPT)
    hint = dim("Point at a line, or reach it with the Tab key, to see how the score of the hit is made.")
    sums = [
        tag("div", *_sum(move, comparison), class_="ce-sum", data_row=n, hidden=n != first)
        for n, move in enumerate(moves)
    ]
    scrolling = tag("div", chart, style="overflow-x:auto;max-width:100%")
    return tag("div", scrolling, tag("div", hint), *sums, class_="ce-fusion-chart")


def _sum(move: Move, comparison: Comparison) -> list[Html]:
    gone = move.after is None
    answer = comparison.before if gone else comparison.after
    hit = answer[(move.before if gone else move.after or 1) - 1]  # type: ignore[operator]
    said = (
        "not among the hits any more; its score in the default answer" if gone else f"rank {move.after}, {change(move)}"
    )
    head = tag("div", tag("b", cut(one_line(move.name), 200)), f": {said}")
    return [head, join(Writer().html(summand_blocks(hit, answer.result, None)))]
