"""Source by itself, and the workspaces of a session, as HTML."""

from __future__ import annotations

from codeexplore.render import parts
from codeexplore.render.html import Html, tag
from codeexplore.render.source import source_html
from codeexplore.views.listed import MAX_LINES
from codeexplore.views.source import SourceText, SourceView
from codeexplore.views.text import counts, plural
from codeexplore.views.visible import cut, one_line
from codeexplore.views.workspaces import WorkspaceList

_WORKSPACES_HEADER = ("", "variable", "name", "files", "symbols")


def source_view_html(view: SourceView) -> Html:
    """What the lines define and where, then the lines."""
    where = parts.place(view.path, view.start_line, view.end_line)
    heading = tag("div", where) if view.symbol is None else tag("div", parts.symbol_name(view.symbol), "\u2002", where)
    return parts.page(heading, source_html(view.numbered_lines(), view.language, limit=MAX_LINES))


def source_text_html(text: SourceText) -> Html:
    """The same of a text that knows its place."""
    return source_view_html(text.view)


def workspaces_html(listed: WorkspaceList) -> Html:
    """A row for each workspace; the one that magics ask is marked."""
    rows = [
        parts.row(
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
    return parts.page(parts.table(caption, _WORKSPACES_HEADER, rows))
