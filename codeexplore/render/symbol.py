"""A symbol by itself, as HTML."""

from __future__ import annotations

from codeexplore.render import parts
from codeexplore.render.html import Html, tag
from codeexplore.render.palette import PANEL
from codeexplore.types import Symbol
from codeexplore.views.visible import cut, visible

_DOC_CHARS = 2000


def symbol_html(symbol: Symbol) -> Html:
    """Name, kind, place, signature and documentation."""
    span = symbol.span
    blocks = [tag("div", parts.symbol_name(symbol), " ", parts.place(symbol.path, span.start_line, span.end_line))]
    if symbol.signature:
        blocks.append(tag("div", tag("code", cut(symbol.signature, 400), style="background:transparent;color:inherit")))
    if symbol.doc:
        style = f"white-space:pre-wrap;margin:4px 0;padding:6px 8px;background:{PANEL};border-radius:4px"
        blocks.append(tag("div", cut(visible(symbol.doc), _DOC_CHARS), style=style))
    return parts.page(*blocks)
