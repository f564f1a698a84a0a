"""Rank changes as HTML: between two answers as a slope chart, and without each of the lanes as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from codeexplore.answers import SearchAnswer
from codeexplore.answers.drawing.svg import address, document
from codeexplore.answers.html import components
from codeexplore.answers.html.elements import DIM, LANES, WARNING, Html, join, lane_colour, tag
from codeexplore.answers.html.writer import Writer
from codeexplore.answers.search import Comparison, Move
from codeexplore.answers.wording import cell_width, cut, one_line, shorten

ROSE, FELL, STAYED = LANES["graph"], WARNING, DIM
_ROW = 22
_CHAR = 7.3  # of the 12 px monospace type
_LABEL_CHARS = 44
_TITLE_CHARS = 60
_GAP = 150
_BEYOND = 1.6  # rows below the last rank at which lines of hidden hits end
_MARGIN = 10


def slope_html(comparison: Comparison, titles: tuple[str, str], top_k: int) -> Html:
    moves = comparison.shown(top_k)
    if not moves:
        return tag("div", "neither answer has hits")
    changed = [move for move in moves if move.before != move.after]
    image = tag(
        "img",
        src=address(slope_svg(moves, titles, top_k)),
        alt=f"{len(moves)} hits from “{cut(titles[0], _TITLE_CHARS)}” to “{cut(titles[1], _TITLE_CHARS)}”: "
        f"{len(changed)} change their rank; the list below names them",
        style="display:block;max-width:100%;height:auto",
    )
    if not changed:
        return join((image, tag("div", "no hit changes its rank")))
    items = [tag("li", _move(move, top_k)) for move in changed]
    words = components.folded(f"{len(changed)} of {len(moves)} hits change their rank", tag("ul", *items, style=_LIST))
    return join((image, words))


_LIST = "margin:2px 0;font-size:12px"


def change(move: Move) -> str:
    """Return the change of a rank: ``▲ 2``, ``▼ 5``, ``=``, ``new`` or ``gone``."""
    if move.before is None or move.after is None:
        return "new" if move.before is None else "gone"
    risen = move.before - move.after
    return "=" if not risen else f"{'▲' if risen > 0 else '▼'} {abs(risen)}"


def change_colour(move: Move) -> str:
    before, after = move.before or 10**6, move.after or 10**6
    return ROSE if after < before else FELL if after > before else STAYED


def slope_svg(moves: Sequence[Move], titles: tuple[str, str], top_k: int, *, inline: str = "") -> Html:
    """Return the chart as an SVG document.

    With `inline`, return a part of a page: each line can have the focus, and runs this script when it gets the focus or
    the mouse. Its number, from 0, is in ``this.dataset.row``.
    """
    labels = [shorten(one_line(move.name), _LABEL_CHARS) for move in moves]
    widest = max(cell_width(label) for label in labels) * _CHAR
    left, right = _MARGIN + widest + 34, _MARGIN + widest + 34 + _GAP
    width, height = right + 34 + widest + _MARGIN, _y(top_k + _BEYOND) + _ROW
    marks = [_mark(move, label, left, right, top_k) for move, label in zip(moves, labels, strict=True)]
    named: dict[str, str] = {}
    if inline:
        said = (f"{one_line(move.name)}: {_rank(move.before, top_k)} to {_rank(move.after, top_k)}" for move in moves)
        marks = [_chosen(mark, row, each, inline) for row, (mark, each) in enumerate(zip(marks, said, strict=True))]
        named = {"role": "group", "aria_label": "ranks before and after"}
    heads = [
        tag(
            "text",
            shorten(one_line(title), _TITLE_CHARS),
            x=f"{x:g}",
            y=14,
            text_anchor=anchor,
            fill=DIM,
            font_weight="bold",
        )
        for title, x, anchor in ((titles[0], left, "end"), (titles[1], right, "start"))
    ]
    return document(f"0 0 {width:.0f} {height:.0f}", *heads, *marks, **named)


def _chosen(mark: Html, row: int, said: str, script: str) -> Html:
    handler = Html(script)
    on = {"onmouseenter": handler, "onfocus": handler}
    return tag("g", mark, class_="ce-move", data_row=row, tabindex=0, role="button", aria_label=said, **on)


def _mark(move: Move, label: str, left: float, right: float, top_k: int) -> Html:
    colour = change_colour(move)
    start, end = (_place(rank, top_k) for rank in (move.before, move.after))
    line = tag(
        "line", x1=f"{left + 24:g}", y1=start, x2=f"{right - 24:g}", y2=end, stroke=colour, **{"stroke-width": "1.6"}
    )
    pieces: list[Html] = [line]
    for rank, x, anchor, side in ((move.before, left, "end", -1), (move.after, right, "start", 1)):
        if rank is not None and rank <= top_k:
            y = f"{_y(rank) + 4:g}"
            pieces.append(tag("text", str(rank), x=f"{x - side * 8:g}", y=y, text_anchor="middle", fill=colour))
            pieces.append(tag("text", label, x=f"{x + side * 4:g}", y=y, text_anchor=anchor, fill=DIM))
    return join(pieces)


def _place(rank: int | None, top_k: int) -> str:
    return f"{_y(rank if rank is not None and rank <= top_k else top_k + _BEYOND):g}"


def _y(rank: float) -> float:
    return 16 + rank * _ROW


def _move(move: Move, top_k: int) -> Html:
    before, after = (_rank(rank, top_k) for rank in (move.before, move.after))
    mark = tag("span", change(move), style=f"color:{change_colour(move)}")
    return join((cut(one_line(move.name), 120), f": {before} → {after} ", mark))


def _rank(rank: int | None, top_k: int) -> str:
    return f"below {top_k}" if rank is None else str(rank)


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
