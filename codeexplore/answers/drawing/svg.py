"""A drawing as a still picture in an ``<img>``.

It remains visible after export, in print, in an untrusted notebook and without a kernel.
"""

from __future__ import annotations

import base64

from codeexplore.answers.drawing.layout import BOX_HEIGHT, Box, Drawing, Link
from codeexplore.answers.html import elements as look
from codeexplore.answers.html.elements import Html, join, tag
from codeexplore.answers.wording import plural

FONT = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
_MARGIN = 12
_PAGE_WIDTH = 1100  # of a usual notebook; a wider drawing is shrunk to it, and so is its height
_MIN_HEIGHT = 230  # of a live drawing: space for the details of a clicked symbol
_LEAST_SCALE = 0.82  # of a picture: below it 12 px type is hard to read, so a wide picture scrolls instead
_ALWAYS_FITS = 340  # pixels that the graph's column has in a window of 1,400 with JupyterLab's side bar


def picture_height(drawing: Drawing) -> int:
    shrunk = min(1.0, _PAGE_WIDTH / (drawing.width + 2 * _MARGIN))
    return round(min(620, max(_MIN_HEIGHT, drawing.height * shrunk + 2 * _MARGIN)))


def picture_html(drawing: Drawing) -> Html:
    """Return the drawing as an ``<img>`` for the place behind a live drawing, which has a fixed height."""
    style = f"display:block;width:100%;height:{picture_height(drawing)}px;max-width:none"
    return tag("img", src=address(svg(drawing)), alt=_alt(drawing), style=style)


def still_picture_html(drawing: Drawing) -> Html:
    """Return the drawing as an ``<img>``. A large drawing is made smaller as far as it is readable, and scrolls.

    It scrolls sideways, and begins at the side where the start symbols are.
    """
    width = round(_width(drawing))
    size = f"width:100%;max-width:{width}px;min-width:{round(_LEAST_SCALE * width)}px;height:auto"
    fitting = f"display:block;direction:ltr;{size}"  # names read from left to right, whichever side is in sight first
    picture = tag("img", src=address(svg(drawing)), alt=_alt(drawing), style=fitting)
    if _LEAST_SCALE * _width(drawing) <= _ALWAYS_FITS:
        return picture
    ends_right = any(box.x > 0 for box in drawing.boxes if box.depth == 0)
    from_right = "direction:rtl;" if ends_right else ""
    style = f"{from_right}overflow-x:auto;max-width:100%"
    return tag("div", picture, style=style, tabindex=0, role="group", aria_label="drawing")


def _width(drawing: Drawing) -> float:
    return drawing.width + 2 * _MARGIN


def address(document: Html) -> str:
    """Return an SVG document as the address of an image."""
    return f"data:image/svg+xml;base64,{base64.b64encode(document.encode()).decode('ascii')}"


def _alt(drawing: Drawing) -> str:
    symbols = sum(box.members or 1 for box in drawing.boxes)
    return f"{drawing.title}: {plural(symbols, 'symbol')}, {plural(len(drawing.links), 'edge')}"


def svg(drawing: Drawing) -> Html:
    """Return the drawing as an SVG document."""
    loops = any(link.source == link.target for link in drawing.links)
    width, height = _width(drawing), drawing.height + 2 * _MARGIN + (BOX_HEIGHT if loops else 0)
    return document(
        f"{-width / 2:g} {-height / 2:g} {width:g} {height:g}",
        tag("defs", *(_tip(*ends) for ends in sorted({_ends(link) for link in drawing.links}))),
        *(_line(link, drawing) for link in drawing.links),
        *(_rectangle(box) for box in drawing.boxes),
    )


def document(box: str, *children: str, **attributes: str) -> Html:
    """Return an SVG document. `box` are its left and upper edge, its width and its height."""
    width, height = box.split()[2:]
    page = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": box, "width": width, "height": height}
    return tag("svg", *children, **page, font_family=FONT, font_size=12, **attributes)


def stroke(link: Link) -> str:
    if link.mark == "new":
        return look.OBSERVED_ONLY
    return look.POSSIBLE if link.certainty == "possible" else look.EDGES.get(link.kind, look.POSSIBLE)


def dashes_of(link: Link) -> tuple[int, int] | None:
    return look.STATIC_DASHES if link.mark == "static" else look.edge_dashes(link.kind, link.certainty)


def _ends(link: Link) -> tuple[str, str]:
    return look.TIPS.get(link.kind, "arrow"), stroke(link)


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
    return tag(
        "path",
        d=_curve(drawing.boxes[link.source], drawing.boxes[link.target]),
        fill="none",
        stroke=stroke(link),
        stroke_width=f"{look.observed_width(link.calls) if link.calls else look.EDGE_WIDTHS[link.certainty]:.1f}",
        stroke_dasharray=_dashes(dashes_of(link)),
        stroke_opacity=f"{look.STATIC_OPACITY}" if link.mark == "static" else None,
        marker_end=f"url(#{''.join(_ends(link)).replace('#', '')})",
    )


def _dashes(lengths: tuple[int, int] | None) -> str | None:
    return None if lengths is None else f"{lengths[0]} {lengths[1]}"


def _curve(source: Box, target: Box) -> str:
    """Return the curve of a link between two boxes. It leaves and enters at their sides.

    It only bends between the columns of two depths, and is straight beside the other columns of a depth, where it
    passes between boxes. For a box that calls itself it is a loop over the box.
    """
    if source is target:
        right, top = source.x + source.width / 2, source.y - BOX_HEIGHT / 2
        return f"M{right - 24:.0f} {top:.0f}c0 -24 40 -24 24 {BOX_HEIGHT / 2:.0f}"
    if abs(source.left - target.left) < 1:  # one depth: round its right side
        start, end = source.x + source.width / 2, target.x + target.width / 2
        out = max(start, end) + _MARGIN + 2  # the curve goes out by three quarters of this: it stays in the picture
        return f"M{start:.0f} {source.y:.0f}C{out:.0f} {source.y:.0f} {out:.0f} {target.y:.0f} {end:.0f} {target.y:.0f}"
    way = 1 if target.x > source.x else -1
    start, end = source.x + way * source.width / 2, target.x - way * target.width / 2
    leave = source.right if way > 0 else source.left
    enter = target.left if way > 0 else target.right
    bend = max(20.0, abs(enter - leave) / 2) * way
    return (
        f"M{start:.0f} {source.y:.0f}H{leave:.0f}"
        f"C{leave + bend:.0f} {source.y:.0f} {enter - bend:.0f} {target.y:.0f} {enter:.0f} {target.y:.0f}H{end:.0f}"
    )


def _rectangle(box: Box) -> Html:
    colour = look.depth_colour(box.depth) if box.certain else look.POSSIBLE
    shape = tag(
        "rect",
        x=f"{box.x - box.width / 2:.1f}",
        y=f"{box.y - BOX_HEIGHT / 2:.1f}",
        width=f"{box.width:.1f}",
        height=BOX_HEIGHT,
        rx=look.corner(box.depth),
        fill=colour if box.certain else look.POSSIBLE_FILL,
        stroke=colour,
        stroke_dasharray=None if box.certain else _dashes(look.edge_dashes("", "possible")),
    )
    text = tag(
        "text",
        box.label,
        x=f"{box.x:.1f}",
        y=f"{box.y + 4:.1f}",
        text_anchor="middle",
        fill="#ffffff" if box.certain else look.POSSIBLE_TEXT,
        font_weight="bold" if box.depth == 0 else None,
    )
    return join((shape, text))
