"""Grep answers, listings, source, workspaces and single symbols as HTML.

A grep answer lists the symbols that contain a text, each with its lines and highlighted matches. A listing is a table
with details that fold under their rows.
"""

from __future__ import annotations

from collections.abc import Sequence

from codeexplore.html import components
from codeexplore.html.code import source_html
from codeexplore.html.elements import MARK, PANEL, Html, join, tag
from codeexplore.html.links import linked
from codeexplore.results import GrepAnswer, GrepHit
from codeexplore.results.source import SourceText, SourceView
from codeexplore.results.table import AnyListing, Cell, Row
from codeexplore.results.text.clip import cut, one_line, visible
from codeexplore.results.text.phrases import counts, plural
from codeexplore.results.text.source import MAX_LINES
from codeexplore.results.workspaces import WorkspaceList
from codeexplore.types import Symbol

_WORKSPACES_HEADER = ("", "variable", "name", "files", "symbols")


def source_view_html(view: SourceView) -> Html:
    """Return a heading with the definition and its place, then the lines."""
    where = components.place(view.path, view.start_line, view.end_line)
    heading = (
        tag("div", where) if view.symbol is None else tag("div", components.symbol_name(view.symbol), "\u2002", where)
    )
    return components.page(heading, source_html(view.numbered_lines(), view.language, limit=MAX_LINES))


def source_text_html(text: SourceText) -> Html:
    """The same of a text that knows its place."""
    return source_view_html(text.view)


def workspaces_html(listed: WorkspaceList) -> Html:
    """A row for each workspace; the one that magics ask is marked."""
    rows = [
        components.row(
            (
                "▸" if each.current else "",
                tag("code", cut(one_line(each.name), 80), style="background:transparent;color:inherit"),
                cut(one_line(each.summary.name), 80),
                cut(f"{plural(sum(each.summary.files.values()), 'file')} · {counts(each.summary.files)}", 200),
                plural(sum(each.summary.symbols.values()), "symbol"),
            ),
            unbroken=(0, 4),
        )
        for each in listed
    ]
    caption = "Workspaces; magics ask the one marked ▸" if any(each.current for each in listed) else "Workspaces"
    return components.page(components.table(caption, _WORKSPACES_HEADER, rows))


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
        blocks.append(components.folded(f"{len(rows) - MAX_ROWS} more", _table("The rest", listing.columns, rest)))
    if len(rows) > MAX_ROWS + MAX_FOLDED:
        blocks.append(
            components.warning(f"{len(rows) - MAX_ROWS - MAX_FOLDED} rows not shown; the answer has them all")
        )
    return components.page(*blocks, *components.notes(listing.notes))


def _table(caption: str, columns: Sequence[str], rows: Sequence[Row]) -> Html:
    shown = [number for number, column in enumerate(columns) if column != "kind"]  # names carry it
    marked: list[Html] = []
    for row in rows:
        cells = [row.cells[number] for number in shown]
        short = [place for place, cell in enumerate(cells) if isinstance(cell, str) and len(cell) <= _UNBROKEN]
        marked.append(components.row([_cell(cell) for cell in cells], unbroken=short))
        if row.details:
            lines = (tag("div", components.dim(cut(one_line(detail), _DETAIL_CHARS))) for detail in row.details)
            marked.append(components.wide_row(tag("div", *lines), len(shown)))
    return components.table(caption, [columns[number] for number in shown], marked)


def _cell(cell: Cell) -> str:
    if isinstance(cell, Symbol):
        return components.symbol_name(cell)
    if isinstance(cell, str):
        return cut(one_line(cell), 200)
    return components.place(cell.path, cell.line)


_DOC_CHARS = 2000


def symbol_html(symbol: Symbol) -> Html:
    """Name, kind, place, signature and documentation."""
    span = symbol.span
    blocks = [
        tag("div", components.symbol_name(symbol), " ", components.place(symbol.path, span.start_line, span.end_line))
    ]
    if symbol.signature:
        blocks.append(tag("div", tag("code", cut(symbol.signature, 400), style="background:transparent;color:inherit")))
    if symbol.doc:
        style = f"white-space:pre-wrap;margin:4px 0;padding:6px 8px;background:{PANEL};border-radius:4px"
        blocks.append(tag("div", cut(visible(symbol.doc), _DOC_CHARS), style=style))
    return components.page(*blocks)


_LINES = 5  # of a symbol before it is unfolded
_MOST_LINES = 60
_LINE_CHARS = 200
_BEFORE = 60  # characters kept before the first match of a long line
_TEXT_CHARS = 300
_MATCHES_HEADER = ("#", "symbol", "where", "matches")
_PRE = (
    f"margin:2px 0;padding:4px 8px;overflow-wrap:anywhere;background:{PANEL};color:inherit;border-radius:4px;border:0;"
    "font-family:monospace;font-size:12px;line-height:1.45;white-space:pre-wrap;text-align:left"
)
_MARK = f"background:{MARK};color:inherit;border-radius:2px"


def grep_html(answer: GrepAnswer) -> Html:
    """The symbols best first, each with its first lines."""
    blocks = [
        tag("div", tag("b", cut(one_line(answer.headline), _TEXT_CHARS))),
        *(components.warning(cut(one_line(notice), _TEXT_CHARS)) for notice in answer.notices),
    ]
    if answer.hits:
        rows = [row for hit in answer for row in _rows(hit)]
        blocks.append(components.table("Definitions first, then by number of matches", _MATCHES_HEADER, rows))
    return components.page(*blocks)


def grep_hit_html(hit: GrepHit) -> Html:
    """Return one symbol."""
    where = components.place(hit.path, hit.start_line)
    return components.page(tag("div", f"{hit.rank}. ", _name(hit), " ", where), _lines(hit, 0, _MOST_LINES))


def _rows(hit: GrepHit) -> list[Html]:
    matches = join(
        (plural(hit.count, "match").replace("matchs", "matches"), components.dim(" defines it" if hit.defines else ""))
    )
    cells = (str(hit.rank), _name(hit), components.place(hit.path, hit.start_line), matches)
    content = _lines(hit, 0, _LINES)
    if len(hit.lines) > _LINES:
        rest = _lines(hit, _LINES, _MOST_LINES)
        content = join((content, components.folded(f"{len(hit.lines) - _LINES} more lines", rest)))
    return [components.row(cells, unbroken=(0, 3)), components.wide_row(content, len(_MATCHES_HEADER))]


def _name(hit: GrepHit) -> Html:
    if hit.symbol is None:
        return components.name(hit.path.rpartition("/")[2], hit.kind, title=hit.path)
    return components.symbol_name(hit.symbol)


def _lines(hit: GrepHit, start: int, stop: int) -> Html:
    shown = hit.lines[start:stop]
    width = len(str(shown[-1].line)) if shown else 1
    rows = [join((components.dim(f"{each.line:>{width}}  "), _marked(each.text, each.spans))) for each in shown]
    if len(hit.lines) > stop >= _MOST_LINES:
        rows.append(components.dim(f"{len(hit.lines) - stop} more"))
    return tag("pre", join(rows, "\n"), style=_PRE)


def _marked(text: str, spans: tuple[tuple[int, int], ...]) -> Html:
    """A line with its matches set off; of a long one the stretch around the first."""
    begin = max(0, spans[0][0] - _BEFORE) if spans and len(text) > _LINE_CHARS else 0
    end = begin + _LINE_CHARS
    pieces: list[str] = ["…"] if begin else []
    position = begin
    for first, last in spans:
        if first >= end:
            break
        pieces.append(_shown_text(text[position:first]))
        pieces.append(tag("mark", _shown_text(text[first : min(last, end)]), style=_MARK))
        position = last
    pieces.append(_shown_text(text[position:end]))
    if len(text) > end:
        pieces.append("…")
    return join(pieces)


def _shown_text(text: str) -> str:
    return visible(text).expandtabs(4)
