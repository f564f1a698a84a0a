"""The block `Difference`: source before and after a change, as a diff or side by side."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType

from codeexplore.answers.blocks import Own
from codeexplore.answers.html import components
from codeexplore.answers.html.elements import DIM, PANEL, Html, join, tag
from codeexplore.answers.html.writer import LINE_MARKUP
from codeexplore.answers.html.writer import Writer as HtmlWriter
from codeexplore.answers.markdown import Writer as MarkdownWriter
from codeexplore.answers.markdown import code_block
from codeexplore.answers.terminal import LEAST_CODE, fit
from codeexplore.answers.terminal import Writer as TextWriter
from codeexplore.answers.wording import code_text, cut
from codeexplore.types.visible import visible

CONTEXT = 3
"""Unchanged lines around each changed one."""

MAX_ROWS = 120
"""Rows of one difference; the rest is counted."""

_LINE_CHARS = 200
_REMOVED, _ADDED = "rgba(220,60,60,0.16)", "rgba(50,160,80,0.18)"  # visible on light and dark pages
_NUMBER = f"color:{DIM};text-align:right;padding:0 8px 0 4px;border:0;vertical-align:top;user-select:none"
_TEXT = (
    "white-space:pre-wrap;overflow-wrap:anywhere;font-family:monospace;font-size:12px;line-height:1.4;"
    "text-align:left;padding:0 6px;border:0;vertical-align:top;width:50%"
)
_TABLE = f"border-collapse:collapse;width:100%;max-width:1100px;margin:4px 0;background:{PANEL};table-layout:auto"


_SIGNS = MappingProxyType({"+": "good", "-": "bad", "@": "dim"})


@dataclass(frozen=True, slots=True)
class Difference(Own):
    """Lines of source before and after a change. `aside` ones are in HTML alone, where they unfold."""

    old: Sequence[str]
    new: Sequence[str]
    old_start: int  # number of the first line, 1-based
    new_start: int
    language: str
    aside: bool = False

    def diff_lines(self) -> list[str]:
        """Return the lines of a unified diff, each with its sign, hunks with their headers; no header of a file."""
        found = list(difflib.unified_diff(self.old, self.new, lineterm="", n=3))
        return found[2:]

    def as_text(self, writer: TextWriter) -> list[str]:
        if self.aside:
            return []
        room = max(LEAST_CODE, writer.width)
        return [writer.paint(fit(code_text(line), room), _SIGNS.get(line[:1], "")) for line in self.diff_lines()]

    def as_markdown(self, writer: MarkdownWriter) -> list[str]:
        if self.aside:
            return []
        lines, most = [visible(line) for line in self.diff_lines()], writer.max_lines
        more = [f"… {len(lines) - most:,} more lines"] if len(lines) > most else []
        return [code_block("\n".join(lines[:most]), "diff"), *more]

    def as_html(self, writer: HtmlWriter) -> Html:
        """Return both sides beside each other, within the budget of an answer that stays in a notebook."""
        fits = writer.fits(sum(len(line) + LINE_MARKUP for line in (*self.old, *self.new)))
        if self.aside and not fits:
            return join(())
        beside = difference_html(self)
        return components.folded("before and after", beside) if self.aside else beside


def difference_html(block: Difference) -> Html:
    """Return a table of four columns: number and text before, number and text after."""
    found, gap = _rows(block.old, block.new), tag("tr", tag("td", "⋮", colspan=4, style=_NUMBER))
    rows = [gap if kind == "gap" else _row(block, kind, old, new) for kind, old, new in found[:MAX_ROWS]]
    if len(found) > MAX_ROWS:
        rows.append(tag("tr", tag("td", f"{len(found) - MAX_ROWS:,} more rows", colspan=4, style=_NUMBER)))
    header = tag(
        "tr", *(tag("th", name, colspan=2, scope="col", style=f"{_TEXT};color:{DIM}") for name in ("before", "after"))
    )
    return tag("table", tag("thead", header), tag("tbody", *rows), class_="ce-difference", style=_TABLE)


def _rows(old: Sequence[str], new: Sequence[str]) -> list[tuple[str, int | None, int | None]]:
    """Return (kind of row, position before, position after), unchanged lines far from a change as one gap."""
    found: list[tuple[str, int | None, int | None]] = []
    groups = difflib.SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(CONTEXT)
    for number, group in enumerate(groups):
        if number:
            found.append(("gap", None, None))
        for kind, first, last, start, end in group:
            for place in range(max(last - first, end - start)):
                one = first + place if first + place < last else None
                other = start + place if start + place < end else None
                found.append((kind, one, other))
    return found


def _row(block: Difference, kind: str, old: int | None, new: int | None) -> Html:
    changed = kind != "equal"
    return tag(
        "tr",
        *_cells(block.old, old, block.old_start, _REMOVED if changed else ""),
        *_cells(block.new, new, block.new_start, _ADDED if changed else ""),
    )


def _cells(lines: Sequence[str], place: int | None, start: int, colour: str) -> tuple[Html, Html]:
    if place is None:
        return tag("td", style=_NUMBER), tag("td", style=_TEXT)
    style = f"{_TEXT};background:{colour}" if colour else _TEXT
    text = cut(visible(lines[place]).expandtabs(4), _LINE_CHARS)
    return tag("td", str(start + place), class_="ce-n", style=_NUMBER), tag("td", text, style=style)
