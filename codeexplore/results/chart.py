"""Charts as data: bars, lines, points and heat maps. `html.charts` draws them; other displays show their table."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias


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


Figure: TypeAlias = "Bars | Lines | Points | HeatMap"
