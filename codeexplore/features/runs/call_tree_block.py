"""The block `CallTree`: the heaviest branches as a list, and in HTML a flame graph (Gregg 2016).

Callers are above callees, as wide as their share of calls or time. The flame graph is one ``<img>`` that uses no
network. Its script replaces it by the SVG document that it shows. Then a click or Enter enlarges a branch, the arrow
keys move between functions, and Escape shows the whole tree. Where a notebook removes scripts and SVG elements, the
picture remains.
"""

from __future__ import annotations

import base64
import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from codeexplore.answers import blocks as b
from codeexplore.answers.drawing.svg import FONT
from codeexplore.answers.html import components
from codeexplore.answers.html.elements import DEPTHS, POSSIBLE, Html, tag
from codeexplore.answers.markdown import line_of
from codeexplore.answers.wording import member_name, one_line, plural
from codeexplore.index.qualified_names import shown_name
from codeexplore.types import Symbol

if TYPE_CHECKING:
    from codeexplore.answers.html.writer import Writer as HtmlWriter
    from codeexplore.answers.markdown import Writer as MarkdownWriter
    from codeexplore.answers.terminal import Writer as TextWriter

_WIDTH, _ROW = 1_100, 20
_CHAR = 7.0  # of the 11.5 px monospace type
_MOST_FRAMES = 1_500  # each takes 400 bytes of the notebook
_MOST_ROWS = 40
_LEAST = 0.5 / _WIDTH  # share of the width below which a frame is not drawn

_HELP = "Click or Enter: enlarge. Arrow keys: caller, callee, neighbour. Escape: the whole tree."


class Frame(NamedTuple):
    """A function in a call tree. `parent` is the position of its caller, -1 at the top. Times are in nanoseconds."""

    parent: int
    name: Symbol | str
    calls: int
    total: int = 0
    own: int = 0


@dataclass(frozen=True, slots=True)
class CallTree(b.Own):
    """A call tree, parents before children. HTML draws it as a flame graph, other displays show the longest branches.

    Widths are times if they were measured (`times`), else numbers of calls.
    """

    title: str
    frames: Sequence[Frame]
    times: bool = False
    brief: int = 12  # functions that a terminal shows

    def as_text(self, writer: TextWriter) -> list[str]:
        lines = [""]
        for depth, number in heaviest(self.frames, self.brief, times=self.times):
            frame = self.frames[number]
            name = frame.name if isinstance(frame.name, str) else shown_name(frame.name.fqn)
            said: b.Line = (b.Piece(one_line(name), "strong"), "  ", b.Piece(measure(frame, times=self.times), "dim"))
            lines += writer.flow(said, "  " * depth, "  " * depth + "    ")
        left = len(self.frames) - len(lines) + 1
        return [*lines, writer.paint(f"… {left:,} more functions in .tree()", "dim")] if left > 0 else lines

    def as_markdown(self, writer: MarkdownWriter) -> list[str]:  # noqa: ARG002 - every block gets it
        lines = []
        for depth, number in heaviest(self.frames, self.brief, times=self.times):
            frame = self.frames[number]
            lines.append(f"{'  ' * depth}- {line_of((frame.name, b.Words(' ' + measure(frame, times=self.times))))}")
        return ["\n".join(lines)]

    def as_html(self, writer: HtmlWriter) -> Html:  # noqa: ARG002 - every block gets it
        return flame_html(self)


def flame_html(tree: CallTree) -> Html:
    drawn, depth = _frames(tree)
    left = len(tree.frames) - len(drawn)
    height = (depth + 1) * _ROW + 2
    drawing = tag(
        "svg",
        *drawn,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_WIDTH} {height}",
        width=_WIDTH,
        height=height,
        font_family=FONT,
        font_size="11.5",
        class_="ce-flame",
        tabindex=0,
        role="img",
        aria_label=f"call tree of {one_line(tree.title)}, {plural(len(tree.frames), 'function')}. {_HELP}",
        data_width=_WIDTH,
        style=_FITTING,
    )
    data = base64.b64encode(drawing.encode()).decode("ascii")
    picture = tag(
        "img",
        src=f"data:image/svg+xml;base64,{data}",
        alt=f"call tree of {one_line(tree.title)}, {plural(len(tree.frames), 'function')}; .tree() lists it",
        style=_FITTING,
        onload=_script(),
    )
    said = tag("div", Html("&nbsp;"), class_="ce-flame-said", aria_live="polite", style=_SAID)
    measured = "time" if tree.times else "calls"
    note = f"Width: share of {measured}. {_HELP}"
    if left:
        note += f" {plural(left, 'small or deep function')} not drawn; .tree() has all."
    scrolling = tag("div", picture, style="overflow-x:auto;max-width:100%")
    return tag("div", scrolling, said, tag("div", components.small(note)), style="margin:6px 0")


_FITTING = f"display:block;width:100%;max-width:{_WIDTH}px;min-width:500px;height:auto"
_SAID = "font-size:12px;min-height:18px;font-family:monospace"


@cache
def _script() -> Html:
    """Return the handler of the image's load. It is constant: no name of the repository is in it."""
    return Html(files("codeexplore.features.runs").joinpath("flame.js").read_text("utf-8").replace("\n", ""))


def _frames(tree: CallTree) -> tuple[list[Html], int]:
    weight, children = weights(tree.frames, times=tree.times), children_of(tree.frames)
    total = sum(weight[number] for number in children[-1])
    drawn: list[Html] = []
    deepest = 0
    waiting: list[tuple[float, int, int, float]] = []  # as (share, depth, position, left edge)

    def place(numbers: list[int], depth: int, left: float) -> None:
        for number in sorted(numbers, key=lambda each: -weight[each]):
            share = weight[number] / total if total else 0.0
            if share >= _LEAST and depth < _MOST_ROWS:
                waiting.append((share, depth, number, left))
            left += share

    place(children[-1], 0, 0.0)
    while waiting and len(drawn) < _MOST_FRAMES:
        batch = sorted(waiting, reverse=True)
        waiting.clear()
        for share, depth, number, left in batch[: _MOST_FRAMES - len(drawn)]:
            drawn.append(_frame(tree, number, share, depth, left))
            deepest = max(deepest, depth)
            place(children[number], depth + 1, left)
    return drawn, deepest


def _frame(tree: CallTree, number: int, share: float, depth: int, left: float) -> Html:
    frame = tree.frames[number]
    symbol = frame.name
    if isinstance(symbol, Symbol):
        label, full = one_line(member_name(symbol)), f"{symbol.fqn} ({symbol.path}:{symbol.line})"
        fill, dashes = DEPTHS[sum(map(ord, symbol.path)) % len(DEPTHS)], None  # functions of one file have one colour
    else:
        label, full, fill, dashes = one_line(symbol), f"{symbol} (no symbol)", POSSIBLE, "3 3"
    title = f"{one_line(full)}: {measure(frame, times=tree.times)}, {share:.1%}"
    x, width, y = left * _WIDTH, share * _WIDTH, depth * _ROW
    chars = int((width - 8) / _CHAR)
    shown = "" if width < 26 else label if len(label) <= chars else label[: max(1, chars - 1)] + "…"
    rectangle = tag(
        "rect",
        x=f"{x:.1f}",
        y=y + 1,
        width=f"{max(0.5, width - 0.5):.1f}",
        height=_ROW - 1,
        rx=2,
        fill=fill,
        stroke="#f2a600",
        stroke_width=0,
        stroke_dasharray=dashes,
    )
    text = tag("text", shown, x=f"{x + 4:.1f}", y=y + 14, fill="#ffffff", data_l=label)
    whole: dict[str, str | int] = {"class_": "ce-f", "data_n": number, "data_p": frame.parent}
    return tag("g", rectangle, text, tag("title", title), **whole, data_x=f"{left:.6f}", data_w=f"{share:.6f}")


def weights(frames: Sequence[Frame], *, times: bool) -> list[int]:
    """Return the weight of each frame: its nanoseconds, or the number of calls in its branch. It contains its children.

    A frame may have less time than its children, because a generator runs inside of different callers. It gets theirs.
    """
    own = [frame.total if times else frame.calls for frame in frames]
    inner = [0] * len(frames)
    for number in range(len(frames) - 1, -1, -1):
        if not times:
            own[number] += inner[number]
        own[number] = max(own[number], inner[number])
        if (parent := frames[number].parent) >= 0:
            inner[parent] += own[number]
    return own


def children_of(frames: Sequence[Frame]) -> list[list[int]]:
    """Return the positions of the children of each frame. The last entry has the frames without a parent."""
    found: list[list[int]] = [[] for _ in range(len(frames) + 1)]
    for number, frame in enumerate(frames):
        found[frame.parent].append(number)  # -1 is the last entry
    return found


def heaviest(frames: Sequence[Frame], limit: int, *, times: bool) -> list[tuple[int, int]]:
    """Return at most `limit` frames of the heaviest branches, callers before callees, as (depth, position)."""
    weight, children = weights(frames, times=times), children_of(frames)
    heap = [(-weight[number], number, 0) for number in children[-1]]
    heapq.heapify(heap)
    chosen: dict[int, int] = {}
    while heap and len(chosen) < limit:
        _, number, depth = heapq.heappop(heap)
        chosen[number] = depth
        for child in children[number]:
            heapq.heappush(heap, (-weight[child], child, depth + 1))
    found: list[tuple[int, int]] = []
    waiting = [number for number in reversed(_ordered(children[-1], weight)) if number in chosen]
    while waiting:
        number = waiting.pop()
        found.append((chosen[number], number))
        waiting += [child for child in reversed(_ordered(children[number], weight)) if child in chosen]
    return found


def _ordered(numbers: Sequence[int], weight: Sequence[int]) -> list[int]:
    return sorted(numbers, key=lambda number: -weight[number])


def measure(frame: Frame, *, times: bool) -> str:
    """Return the calls of a frame and, if times were measured, its time: ``12 calls, 3.1 ms, own 0.4 ms``."""
    calls = plural(frame.calls, "call") if frame.calls else "goes on"
    if not times:
        return calls
    return f"{calls}, {frame.total / 1e6:,.1f} ms, own {frame.own / 1e6:,.1f} ms"
