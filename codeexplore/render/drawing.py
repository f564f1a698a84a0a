"""A traversal as boxes and lines with coordinates, before anything draws them.

Seeds stand in one column, what uses them to its left, what they use to its right, one column per depth; names read
from left to right, so a column holds many without overlap. Units are pixels at scale 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from codeexplore.catalog import name_parts
from codeexplore.graph.layout import ordered_columns
from codeexplore.settings import MAX_GRAPH_VERTICES
from codeexplore.types import Edge, Symbol
from codeexplore.views import GraphAnswer
from codeexplore.views.text import edge_words, whereabouts
from codeexplore.views.visible import cell_width, one_line, shorten

_LABEL_CHARS = 34
_CHAR = 7.3  # of the 12 px monospace type that labels are set in
_PADDING = 20
BOX_HEIGHT = 24
_ROW = 36
_GAP = 64  # between depths
_FOLD_GAP = 18  # between the parts of one depth
_MIN_ROWS = 16  # a column is folded when it is longer, and longer than suits a page twice as wide as high


@dataclass(frozen=True, slots=True)
class Box:
    """A symbol's place; `x` and `y` are its centre. `certain` is False when only names link it to the rest."""

    symbol_id: str
    label: str
    title: str
    x: float
    y: float
    width: float
    depth: int
    certain: bool


@dataclass(frozen=True, slots=True)
class Link:
    """An edge between two boxes, by their positions in `Drawing.boxes`."""

    source: int
    target: int
    kind: str
    title: str
    certain: bool


@dataclass(frozen=True, slots=True)
class Drawing:
    """Boxes and links around the origin; `width` and `height` contain them. `cut` symbols found no room."""

    title: str
    boxes: tuple[Box, ...]
    links: tuple[Link, ...]
    width: float
    height: float
    cut: int


def draw(answer: GraphAnswer, limit: int = MAX_GRAPH_VERTICES) -> Drawing:
    """Place at most `limit` symbols: those reached first, then those that are only possible by name."""
    depths = {reached.symbol_id: reached.depth for reached in answer.subgraph.reached}
    certain = set(depths) | set(answer.subgraph.seeds)
    columns = dict.fromkeys(answer.subgraph.seeds, 0) | _columns(answer)
    for edge in answer.possible:
        for symbol_id, column in ((edge.source, -1), (edge.target, 1)):
            columns.setdefault(symbol_id, column)
            depths.setdefault(symbol_id, 1)
    kept = dict(list(columns.items())[:limit])
    ends = [(_shown(edge.source, kept, answer), _shown(edge.target, kept, answer)) for edge in answer.edges]
    ends += [(edge.source, edge.target) for edge in answer.possible]
    places = _place(ordered_columns(kept, ends), answer)
    boxes = tuple(
        _box(answer.catalog.symbol(symbol_id), places[symbol_id], depths.get(symbol_id, 0), symbol_id in certain)
        for symbol_id in kept
    )
    position = {box.symbol_id: index for index, box in enumerate(boxes)}
    links: dict[tuple[int, int, str], Link] = {}
    for index, ((source, target), edge) in enumerate(zip(ends, (*answer.edges, *answer.possible), strict=True)):
        if source in position and target in position and not (source == target and edge.source != edge.target):
            link = Link(position[source], position[target], edge.kind, _told(edge), index < len(answer.edges))
            links.setdefault((link.source, link.target, link.kind), link)
    told = {(link.source, link.target) for link in links.values() if link.kind != "USES"}  # a call says "use" already
    shown = tuple(link for link in links.values() if link.kind != "USES" or (link.source, link.target) not in told)
    width = max((abs(box.x) + box.width / 2 for box in boxes), default=0.0) * 2
    height = max((abs(box.y) + BOX_HEIGHT / 2 for box in boxes), default=0.0) * 2
    return Drawing(one_line(answer.headline), boxes, shown, width, height, len(columns) - len(kept))


def label(symbol: Symbol) -> str:
    """What a box says: the last part of the name, for a member its owner's too."""
    parts = name_parts(symbol.fqn) or (symbol.name,)
    return shorten(one_line(".".join(parts[-2:] if symbol.kind in ("method", "field") else parts[-1:])), _LABEL_CHARS)


def _shown(symbol_id: str, kept: Mapping[str, int], answer: GraphAnswer) -> str:
    """The box that stands for a symbol: its own, else that of the nearest owner that has one (a seed's members)."""
    current: str | None = symbol_id
    while current is not None and current not in kept:
        current = answer.catalog.symbol(current).parent
    return symbol_id if current is None else current


def _columns(answer: GraphAnswer) -> dict[str, int]:
    """Each reached symbol's column: its depth, negative on the side of those that use the seeds."""
    forward = {(edge.source, edge.target) for edge in answer.edges}
    columns: dict[str, int] = {}
    for reached in answer.subgraph.reached:
        side = 1
        if reached.via is not None:
            from_seed = columns.get(reached.via, 0)
            side = (from_seed > 0) - (from_seed < 0) or (1 if (reached.via, reached.symbol_id) in forward else -1)
        columns[reached.symbol_id] = side * reached.depth
    return columns


def _place(columns: Sequence[Sequence[str]], answer: GraphAnswer) -> Mapping[str, tuple[float, float, float]]:
    """(x, y, width) of every symbol."""
    rows = max(_MIN_ROWS, round((3 * sum(map(len, columns))) ** 0.5))
    folds = [_fold(column, rows) for column in columns]
    folded = [part for parts in folds for part in parts]
    gaps = [gap for parts in folds for gap in [_FOLD_GAP] * (len(parts) - 1) + [_GAP]]
    widths = [
        max(cell_width(label(answer.catalog.symbol(symbol_id))) for symbol_id in column) * _CHAR + _PADDING
        for column in folded
    ]
    places = {}
    left = -(sum(widths) + sum(gaps[:-1])) / 2
    for column, width, gap in zip(folded, widths, gaps, strict=True):
        top = -(len(column) - 1) * _ROW / 2
        for index, symbol_id in enumerate(column):
            places[symbol_id] = (left + width / 2, top + index * _ROW, width)
        left += width + gap
    return places


def _fold(column: Sequence[str], rows: int) -> list[Sequence[str]]:
    """A column as several of even length when it has more than `rows`."""
    count = -(-len(column) // rows)
    size = -(-len(column) // count) if count else 1
    return [column[start : start + size] for start in range(0, len(column), size)]


def _box(symbol: Symbol, place: tuple[float, float, float], depth: int, certain: bool) -> Box:
    x, y, width = place
    how = f"depth {depth}" if depth else "start"
    title = f"{symbol.fqn}\n{symbol.kind} at {whereabouts(symbol)}, {how if certain else 'possible by name'}"
    lines = [shorten(one_line(line), 160) for line in title.split("\n")]
    return Box(symbol.id, label(symbol), "\n".join(lines), x, y, width, depth, certain)


def _told(edge: Edge) -> str:
    return shorten(one_line(edge_words(edge)), 200)
