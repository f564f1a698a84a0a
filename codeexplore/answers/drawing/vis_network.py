"""A drawing that can be dragged and zoomed. Only this module uses pyvis.

pyvis provides nodes, edges and the vis-network script. The page is our own: for three boxes, that of pyvis 0.3.2 has
700 kB instead of 179 kB and takes 300 ms instead of 1 ms, requests Bootstrap from a server even with the resources
"in_line", and writes titles that contain "href" as HTML. Our page uses no network and no physics (coordinates are
given), and shows titles as text. It is in a sandboxed frame over the still picture, which remains visible if frames are
not allowed.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise

from codeexplore.answers import GraphAnswer
from codeexplore.answers.drawing.layout import BOX_HEIGHT, MODULE, Box, Drawing, Link, draw, grouped
from codeexplore.answers.drawing.svg import FONT, dashes_of, picture_height, picture_html, still_picture_html, stroke
from codeexplore.answers.html import elements as look
from codeexplore.answers.html.components import dim, notes, swatch
from codeexplore.answers.html.elements import Html, join, tag
from codeexplore.answers.html.symbol_details import MAX_LINES, details_data, details_of
from codeexplore.answers.wording import plural
from codeexplore.types.certainty import Certainty

_DETAILS_CHARS = 100_000
"""Source that a drawing carries with it; many symbols get fewer lines each, so that a notebook stays small."""

_TIP = 16  # pixels between a depth and the bend of an edge: space for the arrow
_FILES_NAMED = 5  # of those whose symbols are not drawn
_PACKED_FROM = 30_000  # characters of a graph's data; short ones stay readable


def _options() -> dict[str, object]:
    return {
        "physics": {"enabled": False},
        "layout": {"improvedLayout": False},
        # a wheel over a notebook scrolls the notebook; the page's buttons zoom
        "interaction": {"hover": True, "zoomView": False, "keyboard": {"enabled": False}, "tooltipDelay": 120},
        "nodes": {
            "shape": "box",
            "margin": 5,
            "borderWidth": 1,
            "font": {"face": FONT, "size": 12, "color": "#ffffff", "multi": False},
            "heightConstraint": {"minimum": BOX_HEIGHT - 10},
            "shapeProperties": {"borderRadius": 4},
        },
        "groups": {group: _group(group) for group in ("d0", "d1", "d2", "d3", "d4", "possible")},
        "edges": {
            "arrows": {"to": {"enabled": True, "scaleFactor": 0.5}},
            "smooth": {"enabled": True, "type": "cubicBezier", "forceDirection": "horizontal", "roundness": 0.5},
            "width": 1.4,
            "selectionWidth": 2,
        },
    }


def _group(group: str) -> dict[str, object]:
    certain = group != "possible"
    border = look.depth_colour(int(group[1:])) if certain else look.POSSIBLE
    fill = border if certain else look.POSSIBLE_FILL
    style: dict[str, object] = {
        "color": {
            "background": fill,
            "border": border,
            "highlight": {"background": fill, "border": "#111111"},
            "hover": {"background": fill, "border": "#888888"},
        }
    }
    if certain:
        style["shapeProperties"] = {"borderRadius": look.corner(int(group[1:]))}
    else:
        dashes = {"borderRadius": 4, "borderDashes": list(look.POSSIBLE_DASHES)}
        style |= {"font": {"color": look.POSSIBLE_TEXT}, "shapeProperties": dashes}
    return style


def drawing_html(answer: GraphAnswer) -> Html | None:
    """Return the picture, the live page over it and a legend; None if only seeds would be drawn."""
    if (drawing := _drawn(answer)) is None:
        return None
    height = picture_height(drawing)
    frame = tag(
        "iframe",
        title=drawing.title,
        sandbox="allow-scripts",
        srcdoc=Html(graph_page(drawing, _details(answer, drawing))),
        style=f"position:absolute;top:0;left:0;width:100%;height:{height}px;border:0;color-scheme:light;"
        "background:var(--jp-layout-color0,var(--vscode-editor-background,#fff))",
    )
    stack = tag("div", picture_html(drawing), frame, style=f"position:relative;height:{height}px;max-width:1400px")
    return join((stack, *_below(drawing)))


def still_html(answer: GraphAnswer) -> Html | None:
    """Return the picture and its legend, without the live page. This takes a hundredth of the size."""
    drawing = _drawn(answer)
    return None if drawing is None else join((still_picture_html(drawing), *_below(drawing)))


def _drawn(answer: GraphAnswer) -> Drawing | None:
    """Return the drawing, in which tests share a box where the answer folds them; None for a single box."""
    drawing = draw(answer, grouped(answer, MODULE, (), fold_tests=True) if answer.in_tests else ())
    return drawing if len(drawing.boxes) > 1 or drawing.links else None


def _below(drawing: Drawing) -> list[Html]:
    blocks = [_legend(drawing)]
    if drawing.cut:
        shown = drawing.left_out[:_FILES_NAMED]
        named = ", ".join(f"{path} ({count})" for path, count in shown)
        left = len(drawing.left_out) - len(shown)
        more = f" and {plural(left, 'more file')}" if left else ""
        total = len(drawing.boxes) + drawing.cut
        blocks += notes([f"{len(drawing.boxes)} of {total} symbols are drawn. The others are in {named}{more}."])
    return blocks


def _details(answer: GraphAnswer, drawing: Drawing) -> list[dict[str, object]]:
    """Return the details that a click on each box shows, with as many source lines as the size limit allows."""
    found: list[dict[str, object]] = []
    for lines in (MAX_LINES, MAX_LINES // 2, MAX_LINES // 4, 0):
        found = [
            {"name": box.label, "where": box.title, "links": [], "code": [], "more": 0}
            if box.members
            else details_data(details_of(answer, box.symbol_id, lines=lines))
            for box in drawing.boxes
        ]
        if len(json.dumps(found)) <= _DETAILS_CHARS:
            break
    return found


def graph_page(drawing: Drawing, details: Sequence[dict[str, object]] = ()) -> str:
    """Return a whole HTML page that draws the graph without a network. Titles and labels are data in it, never markup.

    `details` (`symbol_details.details_data`) are shown after a click on a box.
    """
    from pyvis.network import Network

    network = Network(directed=True, cdn_resources="in_line")
    for index, box in enumerate(drawing.boxes):
        network.add_node(index, **_node(box))
    joints: dict[tuple[int, int], int] = {}  # box and side → vertex
    for link in drawing.links:
        leave, enter = _sides(link, drawing)
        beside = [(link.source, leave), (link.target, enter)]
        ends = [(link.source, 0), *(each for each in beside if each[1]), (link.target, 0)]
        for at, side in ends:
            if side and (at, side) not in joints:
                joints[at, side] = len(drawing.boxes) + len(joints)
                network.add_node(joints[at, side], **_joint(drawing.boxes[at], side))
        for one, other in pairwise(ends):
            straight = one[0] == other[0] and one[1] != other[1]
            style = _edge(link, drawing) | ({"smooth": False} if straight else {})
            if other != ends[-1]:
                style["arrows"] = {"to": {"enabled": False}}
            network.add_edge(joints.get(one, one[0]), joints.get(other, other[0]), **style)
    data: dict[str, object] = {"nodes": network.nodes, "edges": network.edges, "options": _options()}
    data["details"] = list(details)
    template = files("codeexplore.answers.drawing").joinpath("page.html").read_text("utf-8")
    start, _, rest = template.partition("/*VIS*/")
    middle, _, end = rest.partition("/*DATA*/null")
    return "".join((start, _vis_network(), middle, _script_data(data), end))


def _node(box: Box) -> dict[str, object]:
    return {
        "label": box.label,
        "title": box.title,
        "x": round(box.x, 1),
        "y": round(box.y, 1),
        "shape": "box",
        "group": f"d{min(box.depth, 4)}" if box.certain else "possible",
        "widthConstraint": {"minimum": round(box.width) - 10, "maximum": round(box.width)},
    }


def _sides(link: Link, drawing: Drawing) -> tuple[int, int]:
    """Return the sides at which a link leaves its source and enters its target: -1 left, 1 right, 0 within a depth.

    As in the picture, a link is straight inside the columns of a depth and bends between depths only. Therefore it
    passes between the boxes of a depth and not behind them. vis-network alone would bend it from the centre of one box
    to the centre of the other.
    """
    source, target = drawing.boxes[link.source], drawing.boxes[link.target]
    if abs(source.left - target.left) < 1:
        return 0, 0
    way = 1 if target.x > source.x else -1
    return way, -way


def _joint(box: Box, side: int) -> dict[str, object]:
    """Return an invisible vertex beside the columns of a box's depth, at the height of the box."""
    x = box.right + _TIP if side > 0 else box.left - _TIP
    clear = {"shape": "dot", "size": 1, "color": "rgba(0,0,0,0)", "fixed": True}
    return {"label": " ", "title": box.title, "x": round(x, 1), "y": round(box.y, 1), **clear}


def _edge(link: Link, drawing: Drawing) -> dict[str, object]:
    colour: object = stroke(link)
    if link.mark == "static":
        colour = {"color": colour, "opacity": look.STATIC_OPACITY}
    dashes = dashes_of(link)
    edge: dict[str, object] = {"title": link.title, "color": colour, "dashes": list(dashes) if dashes else False}
    if link.calls or link.certainty == "likely":
        edge["width"] = round(look.observed_width(link.calls) if link.calls else look.EDGE_WIDTHS["likely"], 1)
    if (tip := look.TIPS.get(link.kind, "arrow")) != "arrow":
        edge["arrows"] = {"to": {"enabled": True, "scaleFactor": 0.5, "type": tip}}
    if drawing.boxes[link.source].left == drawing.boxes[link.target].left:  # one column: bend round the boxes between
        edge["smooth"] = {"enabled": True, "type": "curvedCW", "roundness": 0.6}
    return edge


def _script_data(data: object) -> str:
    """Return data as JSON that cannot end its script element. It is compressed if it is long."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    if len(text) > _PACKED_FROM:
        return f'JSON.parse(unpack("{_pressed(text.encode())}", {len(text)}))'
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _pressed(data: bytes) -> str:
    """Return bytes as base64 of raw DEFLATE, which unpack.js reads."""
    press = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    return base64.b64encode(press.compress(data) + press.flush()).decode("ascii")


@cache
def _vis_network() -> str:
    """Return the newest vis-network script that the installed pyvis contains."""
    library = files("pyvis").joinpath("templates", "lib")
    folders = sorted(
        (entry for entry in library.iterdir() if entry.name.startswith("vis-")), key=lambda e: _version(e.name)
    )
    return packed(folders[-1].joinpath("vis-network.min.js").read_bytes())


def packed(script: bytes) -> str:
    """Return a script that unpacks and runs another. Uncompressed, vis-network takes 470 kB in every saved graph."""
    unpack = files("codeexplore.answers.drawing").joinpath("unpack.js").read_text("utf-8")
    return unpack.replace("/*PACKED*/", _pressed(script)).replace("/*SIZE*/0", str(len(script)))


def _version(folder: str) -> tuple[int, ...]:
    return tuple(int(part) for part in folder.removeprefix("vis-").split(".") if part.isdigit())


def _legend(drawing: Drawing) -> Html:
    entries = [join((swatch(look.SEED), dim("start")))]
    depths = sorted({box.depth for box in drawing.boxes if box.certain and box.depth})
    entries += [join((swatch(look.depth_colour(depth)), dim(f"depth {depth}"))) for depth in depths[:4]]
    kinds = [
        kind for kind in look.EDGES if any(link.kind == kind and link.certainty != "possible" for link in drawing.links)
    ]
    entries += [join((_dash(kind, "certain"), dim(kind))) for kind in kinds]
    words = {link.certainty for link in drawing.links}
    if "likely" in words:
        entries.append(join((_line("solid", look.EDGES["CALLS"], 1), dim("thin: likely"))))
    if "possible" in words:
        entries.append(join((_dash("", "possible"), dim("possible"))))
    marks = {link.mark for link in drawing.links}
    for mark, (line, colour, width, meaning) in _MARKS.items():
        entries += [join((_line(line, colour, width), dim(meaning)))] if mark in marks else []
    return tag("div", join(entries, "\u2003"), style="font-size:12px;margin:2px 0 6px")


# mark → line, colour, width and meaning
_MARKS = {
    "observed": ("solid", look.EDGES["CALLS"], 3, "observed: wider for more calls"),
    "static": ("dashed", look.EDGES["CALLS"], 1, "in the graph, not observed"),
    "new": ("solid", look.OBSERVED_ONLY, 3, "observed, not in the graph"),
}


def _line(line: str, colour: str, width: int) -> Html:
    style = (
        f"display:inline-block;width:18px;border-top:{width}px {line} {colour};vertical-align:middle;margin-right:4px"
    )
    return tag("span", style=style)


_GLYPHS = {"arrow": "▸", "diamond": "◆", "circle": "●", "vee": "➤"}


def _dash(kind: str, certainty: Certainty) -> Html:
    """Return a sample of an edge as it is drawn: its colour, its line, its end."""
    colour = look.POSSIBLE if certainty == "possible" else look.EDGES[kind]
    lengths = look.edge_dashes(kind, certainty)
    line = "solid" if lengths is None else "dashed" if lengths[0] > 2 else "dotted"
    style = f"display:inline-block;width:18px;border-top:2px {line} {colour};vertical-align:middle"
    glyph = tag("span", _GLYPHS[look.TIPS.get(kind, "arrow")], style=f"color:{colour};margin-right:4px;font-size:10px")
    return join((tag("span", style=style), glyph))
