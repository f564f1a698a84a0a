"""What each hit's rank would be without one of the lanes."""

from __future__ import annotations

from collections.abc import Mapping

from codeexplore.render import parts
from codeexplore.render.hits import hit_name
from codeexplore.render.html import Html, join, tag
from codeexplore.render.palette import lane_colour
from codeexplore.render.slope import change, change_colour
from codeexplore.views import SearchAnswer
from codeexplore.views.compare import Comparison


def whatif_html(answer: SearchAnswer, without: Mapping[str, Comparison]) -> Html:
    """A row for each hit, a column for each lane; `without` compares with the answer that lacks the lane."""
    lanes = list(without)
    headings = [join(("without ", parts.swatch(lane_colour(lane)), lane)) for lane in lanes]
    moves = {lane: {move.before: move for move in comparison.moves} for lane, comparison in without.items()}
    rows = []
    for hit in answer:
        cells = [str(hit.rank), hit_name(hit)]
        for lane in lanes:
            move = moves[lane][hit.rank]
            told = "gone" if move.after is None else f"{move.after}"
            mark = "" if move.after is None else tag("span", f" {change(move)}", style=f"color:{change_colour(move)}")
            cells.append(join((told, mark)))
        rows.append(parts.row(cells, unbroken=(0, *range(2, len(cells)))))
    return parts.table("Ranks if a lane were left out, everything else the same", ("#", "symbol", *headings), rows)
