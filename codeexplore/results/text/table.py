"""Listings as aligned text and as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from codeexplore.index.qualified_names import shown_name
from codeexplore.results.frames import code_span, markdown_table
from codeexplore.results.text.clip import cell_width, one_line, pad
from codeexplore.results.text.phrases import plural
from codeexplore.results.text.terminal import REPR_WIDTH, Paint, fit, fit_end, widths, wrap
from codeexplore.types import Symbol

if TYPE_CHECKING:
    from codeexplore.results.table import AnyListing, Cell, Row

MAX_ROWS = 50
"""Rows that a display writes out; the listing itself has them all."""

_LEAST = 8  # columns to which a wide one may shrink


def listing_text(listing: AnyListing, *, colour: bool = False, width: int = REPR_WIDTH) -> str:
    """The headline, a row for each item with its details below, and the notes."""
    paint = Paint(colour)
    lines = [paint(line, "bold") for line in wrap(one_line(listing.headline), width, "  ")]
    rows = listing.rows()
    shown = rows[:MAX_ROWS]
    if shown:
        texts = [listing.columns, *(tuple(cell_text(cell) for cell in row.cells) for row in shown)]
        longest = [max(map(cell_width, column)) for column in zip(*texts, strict=True)]
        giving = {number: _LEAST for number, columns in enumerate(longest) if columns > _LEAST}
        across = widths(texts, width - 2, giving)
        heads = (pad(fit(head, wide), wide) for head, wide in zip(listing.columns, across, strict=True))
        lines += ["", paint(("  " + "  ".join(heads)).rstrip(), "dim")]
        for row, cells in zip(shown, texts[1:], strict=True):
            lines.append(_line(row, cells, across, paint))
            for detail in row.details:
                lines += [paint(part, "dim") for part in wrap("      " + one_line(detail), width, "        ")]
    if len(rows) > MAX_ROWS:
        lines.append(paint(f"  … and {len(rows) - MAX_ROWS} more; the answer is a sequence of all {len(rows)}", "dim"))
    for note in listing.notes:
        lines += ["", *wrap(one_line(note), width)]
    return "\n".join(line.rstrip() for line in lines)


def _line(row: Row, cells: Sequence[str], across: Sequence[int], paint: Paint) -> str:
    painted = []
    for cell, text, width in zip(row.cells, cells, across, strict=True):
        style = "bold" if isinstance(cell, Symbol) else "" if isinstance(cell, str) else "place"
        fitted = fit(text, width) if isinstance(cell, str) else fit_end(text, width)
        painted.append((paint(fitted, style) if style else fitted) + " " * (width - cell_width(fitted)))
    return "  " + "  ".join(painted)


def cell_text(cell: Cell) -> str:
    """A cell as one line of text."""
    if isinstance(cell, str):
        return one_line(cell)
    return one_line(shown_name(cell.fqn) if isinstance(cell, Symbol) else f"{cell.path}:{cell.line}")


def listing_markdown(listing: AnyListing, limit: int = 500) -> str:
    """A table with the details in its last column."""
    parts = [f"## {code_span(listing.headline)}"]
    rows = listing.rows()
    details = any(row.details for row in rows)
    table = [
        (
            *(code_span(cell_text(cell)) if cell else "" for cell in row.cells),
            *((", ".join(code_span(detail) for detail in row.details),) if details else ()),
        )
        for row in rows[:limit]
    ]
    if table:
        parts.append(markdown_table((*listing.columns, *(("details",) if details else ())), table))
    if len(rows) > limit:
        parts.append(f"{plural(len(rows) - limit, 'row')} more.")
    parts += [code_span(note) for note in listing.notes]
    return "\n\n".join(parts) + "\n"
