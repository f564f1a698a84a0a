"""A drawing as a still picture, in an ``<img>``: it survives export, print, an untrusted notebook and a dead kernel."""

from __future__ import annotations

import base64

from codeexplore.render.drawing import BOX_HEIGHT, Box, Drawing, Link
from codeexplore.render.html import Html, join, tag
from codeexplore.render.palette import (
    EDGES,
    POSSIBLE,
    POSSIBLE_FILL,
    POSSIBLE_TEXT,
    TIPS,
    corner,
    depth_colour,
    edge_dashes,
)
from codeexplore.views.text import plural

FONT = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
_MARGIN = 24
_PAGE_WIDTH = 1100  # of a usual notebook; a wider drawing is shrunk to it, and so is its height
_MIN_HEIGHT = 230  # room for what a click tells
_MIN_WIDTH = 640  # a small graph is not blown up to the page's width


def picture_height(drawing: Drawing) -> int:
    """Pixels that a drawing gets in a page."""
    shrunk = min(1.0, _PAGE_WIDTH / (drawing.width + 2 * _MARGIN))
    return round(min(620, max(_MIN_HEIGHT, drawing.height * shrunk + 2 * _MARGIN)))


def picture_html(drawing: Drawing) -> Html:
    """The drawing as an ``<img>`` that fills the width it is given."""
    data = base64.b64encode(svg(drawing).encode()).decode("ascii")
    return tag(
        "img",
        src=f"data:image/svg+xml;base64,{data}",
        alt=f"{drawing.title}: {plural(len(drawing.boxes), 'symbol')}, {plural(len(drawing.links), 'edge')}",
        style=f"display:block;width:100%;height:{picture_height(drawing)}px;max-width:none",
    )


def svg(drawing: Drawing) -> Html:
    """The drawing as an SVG document, centred in its view."""
    width = max(_MIN_WIDTH, drawing.width + 2 * _MARGIN)
    height = max(picture_height(drawing), drawing.height + 2 * _MARGIN)
    return tag(
        "svg",
        tag("defs", *(_tip(*ends) for ends in sorted({_ends(link) for link in drawing.links}))),
        *(_line(link, drawing) for link in drawing.links),
        *(_rectangle(box) for box in drawing.boxes),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"{-width / 2:g} {-height / 2:g} {width:g} {height:g}",
        font_family=FONT,
        font_size=12,
    )


def _stroke(link: Link) -> str:
    return EDGES.get(link.kind, POSSIBLE) if link.certain else POSSIBLE


def _ends(link: Link) -> tuple[str, str]:
    """Shape and colour of what stands at a link's end."""
    return TIPS.get(link.kind, "arrow"), _stroke(link)


_SHAPES = {
    "arrow": "M0 0L8 4L0 8z",
    "diamond": "M0 4L4 0L8 4L4 8z",
    "circle": "M0 4a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
    "vee": "M0 0L8 4L0 8L3 4z",
}


def _tip(shape: str, colour: str) -> Html:
    outline = tag("path", d=_SHAPES[shape], fill=colour)
    size = {"markerWidth": 7, "markerHeight": 7, "refX": 8, "refY": 4}
    return tag("marker", outline, id=shape + colour[1:], orient="auto", viewBox="0 0 8 8", **size)


def _line(link: Link, drawing: Drawing) -> Html:
    stroke = _stroke(link)
    return tag(
        "path",
        d=_curve(drawing.boxes[link.source], drawing.boxes[link.target]),
        fill="none",
        stroke=stroke,
        stroke_width="1.4",
        stroke_dasharray=_dashes(edge_dashes(link.kind, link.certain)),
        marker_end=f"url(#{''.join(_ends(link)).replace('#', '')})",
    )


def _dashes(lengths: tuple[int, int] | None) -> str | None:
    return None if lengths is None else f"{lengths[0]} {lengths[1]}"


def _curve(source: Box, target: Box) -> str:
    """A curve that leaves and enters at the sides; a loop over a box that calls itself."""
    if source is target:
        right, top = source.x + source.width / 2, source.y - BOX_HEIGHT / 2
        return f"M{right - 24:.0f} {top:.0f}c0 -24 40 -24 24 {BOX_HEIGHT / 2:.0f}"
    if abs(source.x - target.x) < 1:  # one column: round its right side
        start, end = source.x + source.width / 2, target.x + target.width / 2
        out, back = start + 36, end + 36
    else:
        way = 1 if target.x > source.x else -1
        start, end = source.x + way * source.width / 2, target.x - way * target.width / 2
        bend = max(24.0, abs(end - start) / 2) * way
        out, back = start + bend, end - bend
    points = ((start, source.y), (out, source.y), (back, target.y), (end, target.y))
    first, *rest = (f"{x:.0f} {y:.0f}" for x, y in points)
    return f"M{first}C{' '.join(rest)}"


def _rectangle(box: Box) -> Html:
    colour = depth_colour(box.depth) if box.certain else POSSIBLE
    shape = tag(
        "rect",
        x=f"{box.x - box.width / 2:.1f}",
        y=f"{box.y - BOX_HEIGHT / 2:.1f}",
        width=f"{box.width:.1f}",
        height=BOX_HEIGHT,
        rx=corner(box.depth),
        fill=colour if box.certain else POSSIBLE_FILL,
        stroke=colour,
        stroke_dasharray=None if box.certain else _dashes(edge_dashes("", certain=False)),
    )
    text = tag(
        "text",
        box.label,
        x=f"{box.x:.1f}",
        y=f"{box.y + 4:.1f}",
        text_anchor="middle",
        fill="#ffffff" if box.certain else POSSIBLE_TEXT,
        font_weight="bold" if box.depth == 0 else None,
    )
    return join((shape, text))
