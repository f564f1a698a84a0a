"""Parts of HTML that several results share: the frame around them, tables, names and places."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache
from importlib.resources import files

from codeexplore.answers.html import links
from codeexplore.answers.html.elements import DIM, LINE, PLACE, WARNING, Html, join, tag
from codeexplore.answers.wording import cut, member_name, one_line, shorten
from codeexplore.index.qualified_names import shown_name
from codeexplore.types import Symbol

_JOINT = re.compile(r"(?<=[._:])(?=[^._:])")
_FOLDER = re.compile(r"(?<=/)")
_NAME_CHARS = 80
_LEAST_OWNER = 12  # characters kept of the owners' names before a very long one
_PATH_CHARS = 64

# Copies a button's text or, without one, the source beside it without its line numbers. The repository's text is in an
# attribute, never in the script. The old call works without https, where navigator.clipboard is missing.
COPY_SCRIPT = (
    "let t=this.dataset.copy;if(t===undefined){const c=this.parentElement.cloneNode(true);"
    "c.querySelectorAll('.ce-n').forEach(e=>e.remove());"
    "t=[...c.querySelectorAll('pre')].map(e=>e.textContent).join('\\n')}"
    "const a=document.createElement('textarea');a.value=t;document.body.append(a);a.select();"
    "document.execCommand('copy');a.remove();this.textContent='✓';event.preventDefault()"
)

# notebooks align cells to the right, stripe rows and fix column widths: all of it undone inline
CELL = "text-align:left;vertical-align:top;padding:3px 10px 3px 0;border:0;max-width:none"
_HEADING = "font-weight:600;font-size:12px;line-height:1.35;white-space:nowrap;vertical-align:bottom"
_CAPTION = f"caption-side:top;text-align:left;padding:2px 0;color:{DIM}"
_TABLE = "border-collapse:collapse;table-layout:auto;margin:4px 0;font-size:13px;border:0;width:100%;max-width:1100px"


@cache
def theme_style() -> Html:
    """Return the style sheet as an element. If a notebook removes it, the inline styles apply."""
    return _style("theme.css")


@cache
def explorer_style() -> Html:
    return _style("explorer.css")


def _style(sheet: str) -> Html:
    return Html(f"<style>{files('codeexplore.answers.html').joinpath(sheet).read_text('utf-8')}</style>")


def page(*children: str) -> Html:
    style = "font-size:13px;line-height:1.5;text-align:left;overflow-wrap:anywhere"
    return tag("div", theme_style(), *children, class_="codeexplore", style=style)


def table(caption: str, header: Sequence[str], rows: Sequence[Html], *, hidden: bool = False) -> Html:
    """Return a table. `rows` are ``<tr>`` elements. A `hidden` caption is only for screen readers."""
    head = tag("tr", *(tag("th", name, scope="col", style=f"{CELL};{_HEADING}") for name in header))
    title = None if hidden else tag("caption", caption, style=_CAPTION, class_="ce-dim")
    return tag(
        "table",
        *filter(None, (title,)),
        tag("thead", head, style=f"border:0;border-bottom:1px solid {LINE}"),
        tag("tbody", *rows),
        aria_label=caption if hidden else None,
        style=_TABLE,
    )


def row(cells: Sequence[str], *, unbroken: Collection[int] = (), wide: int | None = None) -> Html:
    """Return a table row. Cells at `unbroken` positions do not wrap; the cell at `wide` takes the remaining width."""
    given = dict.fromkeys(unbroken, ";white-space:nowrap") | ({} if wide is None else {wide: ";width:99%"})
    styles = (CELL + given.get(index, "") for index in range(len(cells)))
    columns = (tag("td", cell, style=style) for cell, style in zip(cells, styles, strict=True))
    return tag("tr", *columns, style=f"border-top:1px solid {LINE};background:transparent")


def wide_row(content: Html, columns: int) -> Html:
    """Return a row with a single cell, for the place below another row. It is indented under the second column."""
    empty = tag("td", style=CELL)
    return tag("tr", empty, tag("td", content, colspan=columns - 1, style=CELL), style="background:transparent")


def name(full_name: str, kind: str, *, last: str = "", title: str = "") -> Html:
    """Return a name in code type with its kind.

    Its end `last` is emphasised, and `title` is the tooltip. If the name is too long, the part before `last` is
    shortened first.
    """
    owner, end = _split(one_line(full_name), last)
    end = shorten(end, _NAME_CHARS)
    owner = shorten(owner, max(_LEAST_OWNER, _NAME_CHARS - len(end))) if owner else ""
    code = tag(
        "code",
        dim(breakable(owner)),
        tag("b", breakable(end)),
        style="background:transparent;color:inherit;padding:0",
        title=shorten(title or full_name, 400),
    )
    return join((code, tag("span", f" {kind}", class_="ce-dim", style=f"color:{DIM};font-size:12px"))) if kind else code


def _split(full_name: str, last: str) -> tuple[str, str]:
    start = len(full_name) - len(last)
    return (full_name[:start], last) if last and full_name.endswith(last) else ("", full_name)


def symbol_name(symbol: Symbol) -> Html:
    """Return the name of a symbol as `name` does, with its signature as tooltip."""
    return name(
        shown_name(symbol.fqn), symbol.kind, last=one_line(member_name(symbol)), title=symbol.signature or symbol.fqn
    )


def place(path: str, start: int, end: int | None = None, *, copy: bool = False) -> Html:
    """Return ``path:line`` or ``path:line–line``, as a link if possible, with a button that copies ``path:line``."""
    lines = f":{start}" if end is None or end == start else f":{start}–{end}"
    link = links.attributes_of(path, start)
    shown = tag(
        "a" if link else "span",
        breakable(shorten(path, _PATH_CHARS)),
        tag("span", lines, style="white-space:nowrap"),  # a narrow column would break within the number
        class_="ce-place",
        style=f"color:{PLACE};font-family:monospace;font-size:12px",
        title=shorten(path, 400),
        **link,
    )
    return join((shown, copy_button("path:line", f"{path}:{start}"))) if copy else shown


def copy_button(what: str, text: str | None = None) -> Html:
    """Return a button that copies `text`. Without `text`, it copies the source in the element around it.

    The button is visible only if the style sheet is kept, because notebooks that remove style sheets also remove
    scripts.
    """
    return tag(
        "button",
        "copy",
        type_="button",
        class_="ce-copy",
        title=f"Copy {what}",
        aria_label=f"Copy {what}",
        data_copy=text,
        onclick=COPY_SCRIPT,
        style="display:none",
    )


def breakable(text: str) -> Html:
    """Return a name that a narrow column breaks at its separators first, and a path at its folders."""
    return join((_FOLDER if "/" in text else _JOINT).split(text), Html("<wbr>"))


def dim(text: str) -> Html:
    return tag("span", text, class_="ce-dim", style=f"color:{DIM}")


def notes(said: Sequence[str]) -> list[Html]:
    """Return the notices of an answer, one line each."""
    return [tag("div", dim(cut(one_line(note), 600))) for note in said]


def small(text: str) -> Html:
    return tag("span", text, class_="ce-dim", style=f"color:{DIM};font-size:11.5px")


def warning(text: str) -> Html:
    return tag("div", "⚠ ", text, class_="ce-warning", style=f"color:{WARNING}")


def swatch(colour: str) -> Html:
    """Return a small square of a colour, as in a legend."""
    style = f"display:inline-block;width:10px;height:10px;border-radius:2px;background:{colour};margin-right:4px"
    return tag("span", style=style)


def folded(summary: str, *content: str, opened: bool = False) -> Html:
    """Return a ``<details>`` element."""
    return tag("details", tag("summary", summary), *content, open=opened, style="margin:2px 0")
