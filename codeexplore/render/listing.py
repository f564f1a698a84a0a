"""Answers about the whole graph as HTML: a table with details that fold under their rows."""

from __future__ import annotations

from collections.abc import Sequence

from codeexplore.render import parts
from codeexplore.render.html import Html, tag
from codeexplore.render.links import linked
from codeexplore.types import Symbol
from codeexplore.views.listing import AnyListing, Cell, Row
from codeexplore.views.visible import cut, one_line

MAX_ROWS = 60
"""Rows in sight; others are folded."""

MAX_FOLDED = 400
"""Rows that are folded; a notebook must stay a file that can be opened. The answer has all."""

_DETAIL_CHARS = 400
_UNBROKEN = 12


@linked
def listing_html(listing: AnyListing) -> Html:
    """The headline, a table, the rest of it folded, and the notes."""
    blocks = [tag("div", tag("b", cut(one_line(listing.headline), 400)))]
    rows = listing.rows()
    if rows:
        blocks.append(_table("", listing.columns, rows[:MAX_ROWS]))
    rest = rows[MAX_ROWS : MAX_ROWS + MAX_FOLDED]
    if rest:
        blocks.append(parts.folded(f"{len(rows) - MAX_ROWS} more", _table("The rest", listing.columns, rest)))
    if len(rows) > MAX_ROWS + MAX_FOLDED:
        blocks.append(parts.warning(f"{len(rows) - MAX_ROWS - MAX_FOLDED} rows not shown; the answer has them all"))
    return parts.page(*blocks, *parts.notes(listing.notes))


def _table(caption: str, columns: Sequence[str], rows: Sequence[Row]) -> Html:
    shown = [number for number, column in enumerate(columns) if column != "kind"]  # names carry it
    marked: list[Html] = []
    for row in rows:
        cells = [row.cells[number] for number in shown]
        short = [place for place, cell in enumerate(cells) if isinstance(cell, str) and len(cell) <= _UNBROKEN]
        marked.append(parts.row([_cell(cell) for cell in cells], unbroken=short))
        if row.details:
            lines = (tag("div", parts.dim(cut(one_line(detail), _DETAIL_CHARS))) for detail in row.details)
            marked.append(parts.wide_row(tag("div", *lines), len(shown)))
    return parts.table(caption, [columns[number] for number in shown], marked)


def _cell(cell: Cell) -> str:
    if isinstance(cell, Symbol):
        return parts.symbol_name(cell)
    if isinstance(cell, str):
        return cut(one_line(cell), 200)
    return parts.place(cell.path, cell.line)
