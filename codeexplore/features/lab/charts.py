"""The block `Chart`, and charts as data: bars, lines, points and heat maps, which matplotlib draws.

HTML shows a still picture in an ``<img>``: it remains visible after export, in print and without a kernel. Its
background is transparent, and all colours have a contrast of at least 3 with light and dark pages. Lines differ in
their dashes too. Names of the repository are never read as formulas.
"""

from __future__ import annotations

import base64
import io
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from codeexplore.answers.blocks import Own
from codeexplore.answers.html.components import small
from codeexplore.answers.html.elements import DIM, LANES, WARNING, Html, tag
from codeexplore.answers.wording import one_line, shorten

if TYPE_CHECKING:
    from codeexplore.answers.html.writer import Writer

COLOURS = (*LANES.values(), "#a258c7", "#d6338f", "#75787f", "#318293", "#9a6700")
"""Colours of groups that are not lanes, in their order; later groups use them again."""

_DASHES = ("-", "--", ":", "-.")
_LABEL_CHARS = 34
_GROUPS, _COLUMNS = 10, 3  # of a legend
_WIDTH, _HEIGHT, _ROW = 8.0, 4.6, 0.26  # inches
_STYLE: Any = {
    **dict.fromkeys(("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"), DIM),
    **dict.fromkeys(("axes.spines.top", "axes.spines.right", "legend.frameon", "text.parse_math"), False),
    "font.family": "monospace",
    "font.size": 10,
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "codeexplore",  # the same numbers give the same picture
}
_FACTS = dict.fromkeys(("Creator", "Date", "Format", "Type"))  # none of them is written


class Bar(NamedTuple):
    """One bar. Bars of equal `group` have the same colour."""

    label: str
    value: float
    group: str = ""


class Bars(NamedTuple):
    """Horizontal bars, the first one on top. Negative values go to the left."""

    axis: str
    bars: tuple[Bar, ...]

    @property
    def height(self) -> float:
        return 0.8 + _ROW * len(self.bars)

    def draw(self, axes: Any) -> None:
        colours = _colours(bar.group for bar in self.bars)
        places = range(len(self.bars))
        drawn = axes.barh(places, [bar.value for bar in self.bars], color=[colours[bar.group] for bar in self.bars])
        axes.bar_label(drawn, fmt=_number, padding=4)
        axes.axvline(0, color=DIM, linewidth=0.8)
        axes.set_yticks(places, [_label(bar.label) for bar in self.bars])
        axes.invert_yaxis()
        axes.margins(x=0.12)
        axes.set_xlabel(_label(self.axis))
        _legend(axes, colours)


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

    @property
    def height(self) -> float:
        return _HEIGHT

    def draw(self, axes: Any) -> None:
        colours, drawn = _colours(each.name for each in self.series), dict[str, Any]()
        for number, each in enumerate(self.series):
            xs, ys = ([point[side] for point in each.points] for side in (0, 1))
            look = {"color": colours[each.name], "linestyle": _DASHES[number % len(_DASHES)]}
            (drawn[each.name],) = axes.plot(xs, ys, linewidth=2, marker="o", markersize=4, **look)
            if each.low:
                axes.fill_between(xs, each.low, each.high, color=colours[each.name], alpha=0.16, linewidth=0)
        if self.mark is not None:
            axes.axvline(self.mark, color=DIM, linewidth=0.8, linestyle="--")
            axes.annotate(" default", (self.mark, 1), xycoords=("data", "axes fraction"), va="top")
        axes.set_xlabel(_label(self.x_axis))
        axes.set_ylabel(_label(self.y_axis))
        _legend(axes, drawn)


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

    @property
    def height(self) -> float:
        return _HEIGHT + 1.2

    def draw(self, axes: Any) -> None:
        plain = [point for point in self.points if not point.marked]
        colours = _colours(point.group for point in plain)
        looks = {"c": [colours[point.group] for point in plain], "s": 14, "alpha": 0.75, "linewidths": 0}
        axes.scatter([point.x for point in plain], [point.y for point in plain], **looks)
        for point in self.points:
            if point.marked:
                axes.plot([point.x], [point.y], "+", color=WARNING, markersize=16, markeredgewidth=3)
                axes.annotate(f"  {_label(point.label)}", (point.x, point.y), va="bottom", weight="bold")
        axes.set_aspect("equal", adjustable="datalim")
        axes.set_xlabel(_label(self.x_axis))
        axes.set_ylabel(_label(self.y_axis))
        _legend(axes, colours)


class HeatMap(NamedTuple):
    """A value for each pair of row and column. The darker a cell, the larger its absolute value."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]

    @property
    def height(self) -> float:
        return 2.0 + 1.2 * _ROW * len(self.rows)

    def draw(self, axes: Any) -> None:
        largest = max((abs(value) for line in self.values for value in line), default=0.0) or 1.0
        axes.set_xlim(0, len(self.columns) or 1)
        axes.set_ylim(len(self.rows) or 1, 0)
        for n, line in enumerate(self.values):
            for m, value in enumerate(line):
                share, colour = abs(value) / largest, LANES["embedding" if value >= 0 else "bm25"]
                axes.fill_between([m + 0.02, m + 0.98], n + 0.04, n + 0.96, color=colour, alpha=0.06 + 0.54 * share)
                if share >= 0.02:
                    axes.text(m + 0.5, n + 0.5, f"{value:.2f}".replace("0.", "."), ha="center", va="center")
        axes.set_xticks([n + 0.5 for n in range(len(self.columns))], map(_label, self.columns), rotation=45, ha="left")
        axes.set_yticks([n + 0.5 for n in range(len(self.rows))], map(_label, self.rows))
        axes.tick_params(top=True, labeltop=True, bottom=False, labelbottom=False, length=0)
        axes.spines[:].set_visible(False)


Figure: TypeAlias = Bars | Lines | Points | HeatMap


@dataclass(frozen=True, slots=True)
class Chart(Own):
    """A chart. Only HTML shows it; a table of its numbers is another block of the answer."""

    title: str
    figure: Figure

    def as_html(self, writer: Writer) -> Html:  # noqa: ARG002 - every block gets it
        return chart_html(self.title, self.figure)


def chart_html(title: str, figure: Figure) -> Html:
    """Return the chart as an ``<img>`` with the title as its alternative text; what to install without matplotlib."""
    try:
        data = base64.b64encode(chart_svg(figure).encode()).decode("ascii")
    except ImportError as error:
        return small(str(error))
    source = f"data:image/svg+xml;base64,{data}"
    style = "display:block;max-width:100%;height:auto"
    return tag("img", src=source, alt=f"chart: {one_line(title)}; the table has its numbers", style=style)


def chart_svg(figure: Figure) -> str:
    """Return the chart as an SVG document. Raises ImportError without matplotlib."""
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure as Drawing
    except ImportError as error:
        raise ImportError("charts need matplotlib: pip install 'jupyter-codeexplore[lab]'") from error
    written = io.StringIO()
    with rc_context(_STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # the page has a font for it
        drawing = Drawing(figsize=(_WIDTH, figure.height), layout="constrained")
        figure.draw(drawing.subplots())
        drawing.savefig(written, format="svg", transparent=True, metadata=_FACTS)
    return written.getvalue()


def _label(text: str) -> str:
    return shorten(one_line(text), _LABEL_CHARS)


def _colours(groups: Iterable[str]) -> dict[str, str]:
    """Return group → colour. A lane has its own colour."""
    different = dict.fromkeys(groups)
    others = iter(range(len(different)))
    return {group: LANES.get(group) or COLOURS[next(others) % len(COLOURS)] for group in different}


def _legend(axes: Any, groups: Mapping[str, Any]) -> None:
    """Add a legend of groups, each with its colour or what was drawn for it."""
    from matplotlib.patches import Patch

    named = [(_label(group), look) for group, look in groups.items() if group]
    handles = [Patch(facecolor=look) if isinstance(look, str) else look for _, look in named[:_GROUPS]]
    labels = [label for label, _ in named[:_GROUPS]]
    if len(named) > _GROUPS:
        handles, labels = [*handles, Patch(alpha=0)], [*labels, f"and {len(named) - _GROUPS} more"]
    if named:
        axes.figure.legend(handles, labels, loc="outside lower left", ncols=_COLUMNS)


def _number(value: float) -> str:
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"
