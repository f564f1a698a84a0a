"""The block `Chart`, and charts as data: bars, lines, points and heat maps.

HTML shows a still picture in an ``<img>``: it remains visible after export, in print and without a kernel.

All colours have a contrast of at least 3 with a light and with a dark background. Lines differ in their dashes too.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from codeexplore.answers.blocks import Own
from codeexplore.answers.drawing.svg import FONT
from codeexplore.answers.html.elements import DIM, LANES, Html, join, tag
from codeexplore.answers.wording import cut, one_line, shorten

if TYPE_CHECKING:
    from codeexplore.answers.html.writer import Writer as HtmlWriter
    from codeexplore.answers.markdown import Writer as MarkdownWriter
    from codeexplore.answers.terminal import Writer as TextWriter

COLOURS = (*LANES.values(), "#a258c7", "#d6338f", "#75787f", "#318293", "#9a6700")
"""Colours of groups that are not lanes, in their order; later groups use them again."""

_DASHES = (None, "6 3", "2 3", "8 3 2 3")
_WIDTH = 640
_ROW = 20
_LABEL_CHARS = 34
_CHAR = 7.3  # width in pixels of the 12 px monospace type
_PLOT_HEIGHT = 260
_LEGEND_GROUPS = 10


class Bar(NamedTuple):
    """One bar. Bars of equal `group` have the same colour."""

    label: str
    value: float
    group: str = ""


class Bars(NamedTuple):
    """Horizontal bars, the first one on top. Negative values go to the left."""

    axis: str
    bars: tuple[Bar, ...]


class Series(NamedTuple):
    """One line through (x, y) in ascending x. `low` and `high` have the limits of a band, as many as points."""

    name: str
    points: tuple[tuple[float, float], ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()


class Lines(NamedTuple):
    """Lines over a common axis; `mark` is an x with a vertical line, such as the default value."""

    x_axis: str
    y_axis: str
    series: tuple[Series, ...]
    mark: float | None = None


class Point(NamedTuple):
    """One point. Points of equal `group` have the same colour; a `marked` one is drawn as a large cross."""

    x: float
    y: float
    label: str
    group: str = ""
    marked: bool = False


class Points(NamedTuple):
    """Points in a plane. Both axes have the same scale."""

    x_axis: str
    y_axis: str
    points: tuple[Point, ...]


class HeatMap(NamedTuple):
    """A value for each pair of row and column. The darker a cell, the larger its absolute value."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]


Figure: TypeAlias = Bars | Lines | Points | HeatMap


@dataclass(frozen=True, slots=True)
class Chart(Own):
    """A chart. Only HTML shows it; a table of its numbers is another block of the answer."""

    title: str
    figure: Figure

    def as_text(self, writer: TextWriter) -> list[str]:  # noqa: ARG002 - every block gets it
        return []

    def as_markdown(self, writer: MarkdownWriter) -> list[str]:  # noqa: ARG002 - every block gets it
        return []

    def as_html(self, writer: HtmlWriter) -> Html:  # noqa: ARG002 - every block gets it
        return chart_html(self.title, self.figure)


def chart_html(title: str, figure: Figure) -> Html:
    """Return the chart as an ``<img>`` with the title as its alternative text."""
    data = base64.b64encode(chart_svg(figure).encode()).decode("ascii")
    source = f"data:image/svg+xml;base64,{data}"
    style = "display:block;max-width:100%;height:auto"
    return tag("img", src=source, alt=f"chart: {one_line(title)}; the table has its numbers", style=style)


def chart_svg(figure: Figure) -> Html:
    match figure:
        case Bars():
            return _bars(figure)
        case HeatMap():
            return _heat_map(figure)
        case Lines():
            return _lines(figure)
        case Points():
            return _points(figure)


def _document(width: float, height: float, *parts: Html) -> Html:
    size = {"width": f"{width:.0f}", "height": f"{height:.0f}", "viewBox": f"0 0 {width:.0f} {height:.0f}"}
    return tag("svg", *parts, xmlns="http://www.w3.org/2000/svg", font_family=FONT, font_size=12, **size)


def _text(x: float, y: float, text: str, anchor: str = "start", **more: str) -> Html:
    shown = one_line(text)
    return tag("text", shown, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor, **{"fill": DIM, **more})


def _line(x1: float, y1: float, x2: float, y2: float, **more: str) -> Html:
    ends = {"x1": f"{x1:.1f}", "y1": f"{y1:.1f}", "x2": f"{x2:.1f}", "y2": f"{y2:.1f}"}
    return tag("line", **ends, **{"stroke": DIM, "stroke_opacity": "0.5", **more})


def _rectangle(x: float, y: float, width: float, height: float, **more: str) -> Html:
    size = {"x": f"{x:.1f}", "y": f"{y:.1f}", "width": f"{width:.1f}", "height": f"{height:.1f}"}
    return tag("rect", **size, **more)


def _colours(groups: Sequence[str]) -> dict[str, str]:
    """Return group → colour. A lane has its own colour."""
    others = iter(range(len(groups)))
    return {group: LANES.get(group) or COLOURS[next(others) % len(COLOURS)] for group in dict.fromkeys(groups)}


def _legend(colours: dict[str, str], y: float) -> list[Html]:
    named = [(group, colour) for group, colour in colours.items() if group]
    parts, x = [], 8.0
    for group, colour in named[:_LEGEND_GROUPS]:
        label = shorten(one_line(group), _LABEL_CHARS)
        if x + (len(label) + 3) * _CHAR > _WIDTH and x > 8.0:
            x, y = 8.0, y + 18
        parts += [_rectangle(x, y - 9, 10, 10, fill=colour), _text(x + 14, y, label)]
        x += (len(label) + 3) * _CHAR
    if len(named) > _LEGEND_GROUPS:
        parts.append(_text(8, y + 18, f"and {len(named) - _LEGEND_GROUPS} more"))
    return parts


def _legend_height(colours: dict[str, str]) -> float:
    named = [group for group in colours if group]
    if not named:
        return 0
    chars = sum(min(len(group), _LABEL_CHARS) + 3 for group in named[:_LEGEND_GROUPS])
    lines = math.ceil(chars * _CHAR / (_WIDTH - 100)) + (len(named) > _LEGEND_GROUPS)
    return 18.0 * lines + 8


def _bars(figure: Bars) -> Html:
    labels = [shorten(one_line(bar.label), _LABEL_CHARS) for bar in figure.bars]
    left = max((len(label) for label in labels), default=0) * _CHAR + 16
    low = min(0.0, *(bar.value for bar in figure.bars), 0.0)
    high = max(0.0, *(bar.value for bar in figure.bars), 0.0)
    per = (_WIDTH - left - 80) / ((high - low) or 1.0)
    zero = left - low * per
    colours = _colours([bar.group for bar in figure.bars])
    parts = []
    for number, (bar, label) in enumerate(zip(figure.bars, labels, strict=True)):
        y = 4 + number * _ROW
        start, end = sorted((zero, zero + bar.value * per))
        parts += [
            _text(left - 8, y + 14, label, "end"),
            _rectangle(start, y + 3, max(end - start, 1), _ROW - 6, fill=colours[bar.group]),
            _text(end + 6, y + 14, _number(bar.value)),
        ]
    bottom = 4 + len(labels) * _ROW
    parts += [_line(zero, 2, zero, bottom), _text(left, bottom + 16, figure.axis), *_legend(colours, bottom + 38)]
    return _document(_WIDTH, bottom + 26 + _legend_height(colours), *parts)


def _heat_map(figure: HeatMap) -> Html:
    rows = [shorten(one_line(name), _LABEL_CHARS) for name in figure.rows]
    columns = [shorten(one_line(name), 18) for name in figure.columns]
    left = max((len(name) for name in rows), default=0) * _CHAR + 16
    top = max((len(name) for name in columns), default=0) * _CHAR * 0.72 + 16
    wide, high = 46.0, 24.0
    largest = max((abs(value) for line in figure.values for value in line), default=0.0) or 1.0
    parts = [_text(left - 8, top + (n + 0.5) * high + 4, name, "end") for n, name in enumerate(rows)]
    for n, name in enumerate(columns):
        x, y = left + (n + 0.5) * wide, top - 6
        parts.append(_text(x, y, name, transform=f"rotate(-45 {x:.1f} {y:.1f})"))
    for n, line in enumerate(figure.values):
        for m, value in enumerate(line):
            x, y = left + m * wide, top + n * high
            colour = LANES["embedding"] if value >= 0 else LANES["bm25"]
            share = abs(value) / largest
            opacity = f"{0.06 + 0.54 * share:.2f}"
            parts.append(_rectangle(x, y, wide - 2, high - 2, fill=colour, fill_opacity=opacity))
            if share >= 0.02:
                parts.append(_text(x + wide / 2 - 1, y + 15, f"{value:.2f}".replace("0.", "."), "middle"))
    width = left + len(columns) * wide + top
    return _document(width, top + len(rows) * high + 8, *parts)


class _Scale:
    """From values to pixels of a plot, with round values for the marks of both axes."""

    def __init__(self, xs: Sequence[float], ys: Sequence[float], right: float) -> None:
        self.left, self.top, self.right, self.bottom = 56.0, 12.0, _WIDTH - right, 12.0 + _PLOT_HEIGHT
        self.x_low, self.x_high = min(xs, default=0.0), max(xs, default=1.0)
        margin = 0.06 * (max(ys, default=1.0) - min(ys, default=0.0)) or 0.05
        self.y_low, self.y_high = min(ys, default=0.0) - margin, max(ys, default=1.0) + margin

    def at(self, x: float, y: float) -> tuple[float, float]:
        share_x = (x - self.x_low) / ((self.x_high - self.x_low) or 1.0)
        share_y = (y - self.y_low) / ((self.y_high - self.y_low) or 1.0)
        return self.left + share_x * (self.right - self.left), self.bottom - share_y * (self.bottom - self.top)

    def axes(self, x_axis: str, y_axis: str) -> list[Html]:
        parts = [
            _line(self.left, self.bottom, self.right, self.bottom),
            _line(self.left, self.top, self.left, self.bottom),
        ]
        for value in _round_values(self.x_low, self.x_high):
            x, _ = self.at(value, self.y_low)
            parts += [_line(x, self.bottom, x, self.bottom + 4), _text(x, self.bottom + 18, _number(value), "middle")]
        for value in _round_values(self.y_low, self.y_high):
            _, y = self.at(self.x_low, value)
            parts += [_line(self.left - 4, y, self.left, y), _text(self.left - 8, y + 4, _number(value), "end")]
        middle, x = (self.top + self.bottom) / 2, 12.0
        parts.append(_text((self.left + self.right) / 2, self.bottom + 36, x_axis, "middle"))
        parts.append(_text(x, middle, y_axis, "middle", transform=f"rotate(-90 {x:.1f} {middle:.1f})"))
        return parts


def _lines(figure: Lines) -> Html:
    xs = [x for series in figure.series for x, _ in series.points]
    ys = [y for series in figure.series for y in (*(y for _, y in series.points), *series.low, *series.high)]
    scale = _Scale(xs, ys, 20.0)
    colours = _colours([series.name for series in figure.series])
    parts = scale.axes(figure.x_axis, figure.y_axis)
    if figure.mark is not None and scale.x_low <= figure.mark <= scale.x_high:
        x, _ = scale.at(figure.mark, scale.y_low)
        parts += [_line(x, scale.top, x, scale.bottom, stroke_dasharray="3 3"), _text(x + 4, scale.top + 10, "default")]
    for number, series in enumerate(figure.series):
        parts.append(_series(series, scale, colours[series.name], _DASHES[number % len(_DASHES)]))
    bottom = scale.bottom + 58
    return _document(_WIDTH, bottom + _legend_height(colours) - 14, *parts, *_legend(colours, bottom))


def _series(series: Series, scale: _Scale, colour: str, dashes: str | None) -> Html:
    places = [scale.at(*point) for point in series.points]
    parts = []
    if series.low:
        xs = [x for x, _ in series.points]
        edge = [scale.at(x, y) for x, y in zip(xs, series.high, strict=True)]
        edge += [scale.at(x, y) for x, y in reversed(list(zip(xs, series.low, strict=True)))]
        parts.append(tag("polygon", points=_joined(edge), fill=colour, fill_opacity="0.16"))
    line = {"fill": "none", "stroke": colour, "stroke_width": "2", "stroke_dasharray": dashes}
    parts.append(tag("polyline", points=_joined(places), **line))
    for (x, y), (value, height) in zip(places, series.points, strict=True):
        dot = tag("title", f"{series.name}: {_number(height)} at {_number(value)}")
        parts.append(tag("circle", dot, cx=f"{x:.1f}", cy=f"{y:.1f}", r=3, fill=colour))
    return join(parts)


def _points(figure: Points) -> Html:
    scale = _Scale([point.x for point in figure.points], [point.y for point in figure.points], 20.0)
    _same_scale(scale)
    colours = _colours([point.group for point in figure.points if not point.marked])
    parts = scale.axes(figure.x_axis, figure.y_axis)
    ordered = sorted(figure.points, key=lambda point: point.marked)
    parts += [_point(point, *scale.at(point.x, point.y), colours) for point in ordered]
    bottom = scale.bottom + 58
    return _document(_WIDTH, bottom + _legend_height(colours), *parts, *_legend(colours, bottom))


def _same_scale(scale: _Scale) -> None:
    """Widen one axis, so that a distance is as long in each direction."""
    wide, high = scale.right - scale.left, scale.bottom - scale.top
    per_x, per_y = (scale.x_high - scale.x_low) / wide, (scale.y_high - scale.y_low) / high
    if per_x < per_y:
        more = (per_y * wide - (scale.x_high - scale.x_low)) / 2
        scale.x_low, scale.x_high = scale.x_low - more, scale.x_high + more
    else:
        more = (per_x * high - (scale.y_high - scale.y_low)) / 2
        scale.y_low, scale.y_high = scale.y_low - more, scale.y_high + more


def _point(point: Point, x: float, y: float, colours: dict[str, str]) -> Html:
    title = tag("title", cut(one_line(point.label), 200))
    if not point.marked:
        place = {"cx": f"{x:.1f}", "cy": f"{y:.1f}", "r": "3.5"}
        return tag("circle", title, **place, fill=colours[point.group], fill_opacity="0.75")
    cross = f"M{x - 8:.1f} {y:.1f}h16M{x:.1f} {y - 8:.1f}v16"
    mark = tag("path", title, d=cross, stroke="#e23333", stroke_width=3, fill="none")
    return join((mark, _text(x + 10, y - 8, shorten(one_line(point.label), _LABEL_CHARS), font_weight="bold")))


def _joined(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)


def _round_values(low: float, high: float) -> list[float]:
    """Return about five round values between two limits."""
    if not high > low:
        return [low]
    rough = (high - low) / 5
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * size for factor in (1, 2, 5, 10) if factor * size >= rough)
    first = math.ceil(low / step)
    return [n * step for n in range(first, math.floor(high / step + 1e-9) + 1)]


def _number(value: float) -> str:
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"
