"""Markup that can't be made by accident: text is escaped unless it is `Html`, and only `tag` makes `Html`.

A repository's text is hostile until escaped: file names, identifiers and docstrings may hold markup of their own.
"""

from __future__ import annotations

import html
from collections.abc import Iterable

from codeexplore.views.visible import visible

_VOID = frozenset({"br", "img", "wbr"})


class Html(str):
    """Markup that may stand in a page as it is. Any other string is text."""

    __slots__ = ()


def escape(text: str) -> Html:
    """Text as markup: what it says is what is seen, its invisible characters included. `Html` passes unchanged."""
    return text if isinstance(text, Html) else Html(html.escape(visible(text), quote=True))


def tag(name: str, *children: str, **attributes: str | int | bool | None) -> Html:
    """An element. Children that are no `Html` are escaped, and attribute values always.

    A trailing underscore of an attribute's name goes and others become hyphens (``class_``, ``aria_label``). True gives
    a bare attribute; None and False none.
    """
    written = "".join(_attribute(key, value) for key, value in attributes.items() if value is not None)
    if name in _VOID:
        return Html(f"<{name}{written}>")
    return Html(f"<{name}{written}>{join(children)}</{name}>")


def join(parts: Iterable[str], between: str = "") -> Html:
    """Pieces of markup and text as one, each piece of text escaped."""
    return Html(escape(between).join(escape(part) for part in parts))


def _attribute(key: str, value: str | int | bool) -> str:
    name = key.rstrip("_").replace("_", "-")
    if isinstance(value, bool):
        return f" {name}" if value else ""
    # a frame's document is half a megabyte of attribute: the rarer quote delimits it, and only & and that are escaped
    text = (str(value) if isinstance(value, Html | int) else visible(value)).replace("&", "&amp;")
    if text.count('"') > text.count("'"):
        return f" {name}='{text.replace(chr(39), '&#39;')}'"
    return f' {name}="{text.replace(chr(34), "&quot;")}"'
