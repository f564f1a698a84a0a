"""Evaluations as an HTML page, for ``codeexplore eval --html``."""

from __future__ import annotations

from codeexplore.answers.html.elements import Html, join, tag
from codeexplore.answers.html.show import shown_html
from codeexplore.answers.shown import Shown


def document_html(title: str, *shown: Shown) -> str:
    """Return a self-contained page with the given evaluations, tables and comparisons: no script, no other resource."""
    head = tag(
        "head",
        Html('<meta charset="utf-8"><meta name="viewport" content="width=device-width">'),
        tag("title", title),
    )
    style = "font-family:system-ui,sans-serif;margin:24px;background:#ffffff;color:#1c1d20"
    body = tag("body", tag("h1", title, style="font-size:18px"), *map(shown_html, shown), style=style)
    return join((Html("<!doctype html>\n"), tag("html", head, body, lang="en"), Html("\n")))
