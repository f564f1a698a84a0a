"""Table of the ranks that hits would have without one of the lanes."""

from __future__ import annotations

from collections.abc import Mapping

from codeexplore.answers import SearchAnswer
from codeexplore.answers.comparison import Comparison
from codeexplore.answers.html import components
from codeexplore.answers.html.elements import Html, join, lane_colour, tag
from codeexplore.answers.html.rank_changes import change, change_colour
from codeexplore.answers.html.writer import Writer


def whatif_html(answer: SearchAnswer, without: Mapping[str, Comparison]) -> Html:
    """Return a row for each hit and a column for each lane. `without` compares with the answer without that lane."""
    lanes = list(without)
    headings = [join(("without ", components.swatch(lane_colour(lane)), lane)) for lane in lanes]
    moves = {lane: {move.before: move for move in comparison.moves} for lane, comparison in without.items()}
    rows = []
    for hit in answer:
        cells = [str(hit.rank), Writer().line(hit.shown_name)]
        for lane in lanes:
            move = moves[lane][hit.rank]
            new_rank = "gone" if move.after is None else f"{move.after}"
            mark = "" if move.after is None else tag("span", f" {change(move)}", style=f"color:{change_colour(move)}")
            cells.append(join((new_rank, mark)))
        rows.append(components.row(cells, unbroken=(0, *range(2, len(cells)))))
    return components.table("Ranks if a lane were left out, everything else the same", ("#", "symbol", *headings), rows)
