"""Source, and the workspaces of a session, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeexplore.results.text.clip import cell_width, one_line, pad
from codeexplore.results.text.phrases import numbered, plural
from codeexplore.results.text.terminal import REPR_WIDTH, Paint, fit, widths

if TYPE_CHECKING:
    from codeexplore.results.source import SourceView
    from codeexplore.results.workspaces import WorkspaceList

MAX_LINES = 400
"""Lines of source shown at once; the view's `text` has them all."""


def source_text(view: SourceView, *, colour: bool = False, width: int = REPR_WIDTH) -> str:
    """Return the lines with their numbers, below a heading with the definition and its place."""
    paint = Paint(colour)
    place = one_line(f"{view.path}:{view.start_line}")
    if view.symbol is None:
        head = paint(fit(one_line(view.path), width), "bold")
    else:
        name = paint(fit(one_line(view.symbol.fqn), width), "bold")
        head = f"{name}  {view.symbol.kind}  {paint(fit(place, width), 'place')}"
    lines = view.numbered_lines()
    shown = numbered(lines, MAX_LINES, width, paint, blank=True)
    more = [paint(f"… {len(lines) - MAX_LINES:,} more lines", "dim")] if len(lines) > MAX_LINES else []
    return "\n".join(line.rstrip() for line in (head, *shown, *more))


def workspaces_text(listed: WorkspaceList, *, colour: bool = False, width: int = REPR_WIDTH) -> str:
    """A line for each workspace; * marks the one that magics ask."""
    if not len(listed):
        return "No workspaces"
    paint = Paint(colour)
    rows = [
        (
            "*" if each.current else " ",
            one_line(each.name),
            plural(sum(each.summary.files.values()), "file"),
            plural(sum(each.summary.symbols.values()), "symbol"),
            one_line(each.summary.name),
        )
        for each in listed
    ]
    across = widths(rows, width, {1: 12, 4: 12})
    lines = []
    for row in rows:
        mark, name, files, symbols, title = (fit(cell, each) for cell, each in zip(row, across, strict=True))
        lines.append(
            f"{mark} {paint(name, 'bold')}{' ' * (across[1] - cell_width(name))}  {pad(files, across[2])}  "
            f"{pad(symbols, across[3])}  {paint(title, 'dim')}"
        )
    return "\n".join(line.rstrip() for line in lines)
