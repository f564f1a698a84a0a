"""HTML elements whose text is always escaped, and the colours of results.

Text is escaped unless it is `Html`, and only `tag` makes `Html`. Text of a repository is not trusted: file names,
identifiers and docstrings may contain markup.

Every meaning of a colour is also given in words. Static results have literal colours, since a notebook's sanitiser
drops style sheets and variables. These have a contrast of at least 4.3 with white and with JupyterLab's dark background
(#111) by WCAG's formula. Where a style sheet survives, theme.css replaces them with the colours of the theme.
"""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from codeexplore.types import lane_of
from codeexplore.types.certainty import Certainty
from codeexplore.types.visible import visible

_VOID = frozenset({"br", "img", "wbr"})


class Html(str):
    """Markup that is written to a page unchanged. Any other string is text and is escaped."""

    __slots__ = ()


def escape(text: str) -> Html:
    """Return text as escaped markup, with invisible characters made visible. `Html` is returned unchanged."""
    return text if isinstance(text, Html) else Html(html.escape(visible(text), quote=True))


def tag(name: str, *children: str, **attributes: str | int | bool | None) -> Html:
    """Return an element. Children that are not `Html` are escaped, and so are all attribute values.

    In attribute names, an underscore at the end is removed and other underscores become hyphens (``class_``,
    ``aria_label``). The value True gives an attribute without a value. None and False give no attribute.
    """
    written = "".join(_attribute(key, value) for key, value in attributes.items() if value is not None)
    if name in _VOID:
        return Html(f"<{name}{written}>")
    return Html(f"<{name}{written}>{join(children)}</{name}>")


def join(parts: Iterable[str], between: str = "") -> Html:
    """Return pieces of markup and text as one piece of markup. Text is escaped."""
    return Html(escape(between).join(escape(part) for part in parts))


def _attribute(key: str, value: str | int | bool) -> str:
    name = key.rstrip("_").replace("_", "-")
    if isinstance(value, bool):
        return f" {name}" if value else ""
    # a frame's document is half a megabyte of attribute: the rarer quote delimits it, and the other is not escaped
    # HTML would allow <, but an SVG document in an image is XML
    text = (str(value) if isinstance(value, Html | int) else visible(value)).replace("&", "&amp;").replace("<", "&lt;")
    if text.count('"') > text.count("'"):
        return f" {name}='{text.replace(chr(39), '&#39;')}'"
    return f' {name}="{text.replace(chr(34), "&quot;")}"'


DIM: Final = "#75787f"
PLACE: Final = "#318293"
WARNING: Final = "#e23333"
SIGNAL: Final = "#a258c7"
PANEL: Final = "rgba(127,127,127,0.10)"
LINE: Final = "rgba(127,127,127,0.35)"
MARK: Final = "rgba(255,193,7,0.28)"  # under a sought word

LANES: Final = MappingProxyType({"bm25": "#2773ed", "embedding": "#b56305", "graph": "#078968"})

# class of a piece of source → colour
CODE: Final = MappingProxyType(
    {
        "ck": "#a54be5",  # keywords
        "cs": "#0f8b39",  # strings
        "cc": "#727886",  # comments
        "cm": "#c75605",  # numbers and constants
        "cn": "#1773f3",  # names being defined
        "ct": "#048591",  # types and builtins
        "cd": "#da3085",  # decorators
    }
)

# backgrounds of white text: contrast 4.5 or more
SEED: Final = "#b4371f"
DEPTHS: Final = ("#1f63c9", "#0b7285", "#6f42c1", "#5f6672")

EDGES: Final = MappingProxyType(
    {
        "CALLS": "#5c7fb8",
        "IMPLEMENTS": "#0f8b39",
        "EXTENDS": "#0f8b39",
        "OVERRIDES": "#0f8b39",
        "USES": "#b56305",
        "IMPORTS": "#a258c7",
        "CONTAINS": "#75787f",
    }
)
# the marker at an edge's end, and its line: kinds are distinct without colours too
TIPS: Final = MappingProxyType(
    {
        "CALLS": "arrow",
        "IMPLEMENTS": "diamond",
        "EXTENDS": "diamond",
        "OVERRIDES": "diamond",
        "USES": "circle",
        "IMPORTS": "vee",
        "CONTAINS": "vee",
    }
)
DASHES: Final = MappingProxyType({"IMPLEMENTS": (8, 3), "OVERRIDES": (2, 3), "CONTAINS": (2, 3)})
POSSIBLE_DASHES: Final = (5, 4)

POSSIBLE: Final = "#75787f"
POSSIBLE_FILL: Final = "#f1f2f4"
POSSIBLE_TEXT: Final = "#4a4e57"


OBSERVED_ONLY: Final = "#d6338f"  # an edge that a run has and the graph lacks
STATIC_OPACITY: Final = 0.55  # of an edge that the attached run does not have
STATIC_DASHES: Final = (6, 5)


def observed_width(calls: int) -> float:
    """Return the width in pixels of an observed edge: one more for ten times as many calls, at most 6."""
    return min(6.0, 1.6 + math.log10(max(1, calls)))


def lane_colour(lane: str) -> str:
    """Return the colour of a lane, or of the lane to which a ranking belongs. Unknown lanes share one colour."""
    return LANES.get(lane_of(lane), SIGNAL)


EDGE_WIDTHS: Final[Mapping[Certainty, float]] = MappingProxyType({"certain": 1.8, "likely": 0.9, "possible": 1.4})
"""Width in pixels of an edge. A possible edge is also dashed."""


def edge_dashes(kind: str, certainty: Certainty) -> tuple[int, int] | None:
    """Return the lengths in pixels of an edge's dashes and gaps; None for an unbroken line."""
    return POSSIBLE_DASHES if certainty == "possible" else DASHES.get(kind)


def corner(depth: int) -> int:
    return (12, 6, 3, 0)[min(depth, 3)]


def depth_colour(depth: int) -> str:
    return SEED if depth == 0 else DEPTHS[min(depth, len(DEPTHS)) - 1]
