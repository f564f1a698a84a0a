"""Layout of a drawing: the symbols and edges of a walk as boxes and links with coordinates.

Seeds, the symbols at which the walk started, are in one column. Their users are to the left and the symbols that they
use to the right, with one column for each depth. Names are written horizontally, so a column has space for many names
without overlap. Units are pixels at scale 1.

The symbols of a long graph are in groups: by folder and file, or by distance from the start. A first view has the
finest groups that need at most as many boxes as a drawing may have. If a column is still too high for a screen, its
smallest groups share one box, *others*. An opened group is replaced by the groups, or the symbols, in it.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from codeexplore.answers import GraphAnswer
from codeexplore.answers.graph import EdgeMarks, Mark
from codeexplore.answers.wording import cell_width, edge_words, one_line, plural, shorten, whereabouts
from codeexplore.graph.traversal import ordered_columns
from codeexplore.index.qualified_names import name_parts
from codeexplore.types import Edge, Symbol
from codeexplore.types.certainty import Certainty

MODULE: Final = "module"
DISTANCE: Final = "distance"
GROUPINGS: Final = (MODULE, DISTANCE)
"""Ways to group: by folder and file of the symbols at each distance, or by distance alone."""


MOST_ROWS: Final = 20
"""Boxes in one column of a drawing; a longer column would be higher than a screen."""

_OTHERS, _TESTS = "", "\0tests"  # a path has no such components, so these name the others and the tests


class Group(NamedTuple):
    """Symbols that share one box. `depth` is their distance from the start, `column` has its sign."""

    id: str
    label: str
    title: str
    column: int
    symbols: tuple[str, ...]


def folded_tests(
    columns: Mapping[str, int], tests: Collection[str], certain: Collection[str], opened: Collection[str]
) -> tuple[Group, ...]:
    """Return a group for the tests at each distance, unless there is only one or the reader has opened it."""
    found: dict[_Key, list[str]] = {}
    for each in tests:
        if columns[each]:
            found.setdefault(_Key(columns[each], each in certain, (_TESTS,)), []).append(each)
    those = [(key, members) for key, members in found.items() if len(members) > 1 and _id(key) not in opened]
    return tuple(_named(those))


class _Key(NamedTuple):
    column: int
    certain: bool
    folders: tuple[str, ...]  # the beginning of the paths of the symbols


def groups_of(
    columns: Mapping[str, int],
    paths: Mapping[str, str],
    certain: Collection[str],
    by: str,
    opened: Collection[str],
    limit: int,
) -> tuple[Group, ...]:
    """Return the groups of the symbols; a symbol that is in none has a box of its own.

    `columns` and `paths` map the id of a symbol to its column and to the path of its file. Symbols in column 0, where
    the walk started, are never grouped. Symbols that are not `certain` are in groups of their own. `by` is one of
    `GROUPINGS`, `opened` has the ids of the groups that the reader has opened, and `limit` is the maximal number of
    boxes while no group is open.
    """
    parts = {each: tuple(paths[each].split("/")) for each, column in columns.items() if column}
    keys = {each: (columns[each], each in certain) for each in parts}
    level = _level(keys, parts, limit) if by == MODULE else 0
    found: dict[_Key, list[str]] = {}
    for each, (column, sure) in keys.items():
        found.setdefault(_Key(column, sure, parts[each][:level]), []).append(each)
    found = _without_small(found, opened)
    split = [pair for key, members in found.items() for pair in _opened(key, members, parts, opened)]
    return tuple(_named(split))


def _without_small(found: Mapping[_Key, list[str]], opened: Collection[str]) -> dict[_Key, list[str]]:
    """Return the groups, at most `MOST_ROWS` in each column; the smallest are merged unless they were opened."""
    kept: dict[_Key, list[str]] = {}
    for column, sure in dict.fromkeys((key.column, key.certain) for key in found):
        keys = [key for key in found if (key.column, key.certain) == (column, sure)]
        others = _Key(column, sure, (_OTHERS,))
        keys.sort(key=lambda key: -len(found[key]))
        most = len(keys) if len(keys) <= MOST_ROWS or _id(others) in opened else MOST_ROWS - 1
        kept.update((key, found[key]) for key in keys[:most])
        if rest := [each for key in keys[most:] for each in found[key]]:
            kept[others] = rest
    return kept


def _level(keys: Mapping[str, tuple[int, bool]], parts: Mapping[str, tuple[str, ...]], limit: int) -> int:
    """Return the number of path components by which groups differ: the largest that needs at most `limit` boxes.

    If that is none, or it puts all symbols of a distance into one box, the groups are those of the first component.
    """
    deepest = max(map(len, parts.values()), default=0)
    for level in range(deepest, 0, -1):
        boxes = {(*keys[each], parts[each][:level]) for each in parts}
        if len(boxes) <= limit and len(boxes) > len(set(keys.values())):
            return level
    return 1


def _opened(
    key: _Key, members: Sequence[str], parts: Mapping[str, tuple[str, ...]], opened: Collection[str]
) -> Iterator[tuple[_Key, Sequence[str]]]:
    """Yield the closed groups inside a group: itself, or those of the next component that separates its symbols."""
    if len(members) < 2:
        return
    if _id(key) not in opened:
        yield key, members
        return
    for level in range(len(key.folders) + 1, max(len(parts[each]) for each in members) + 1):
        inside: dict[_Key, list[str]] = {}
        for each in members:
            inside.setdefault(key._replace(folders=parts[each][:level]), []).append(each)
        if len(inside) > 1:
            for inner, those in inside.items():
                yield from _opened(inner, those, parts, opened)
            return


def _named(split: Sequence[tuple[_Key, Sequence[str]]]) -> Iterator[Group]:
    lasts = Counter((key.column, key.certain, key.folders[-1:]) for key, _ in split)
    for key, members in split:
        column, sure, folders = key
        shown = folders[-1:] if lasts[column, sure, folders[-1:]] == 1 else folders[-2:]
        steps = plural(abs(column), "step")
        name = one_line("/".join(shown)) or (steps if sure else "possible")
        where = f" in {one_line('/'.join(folders))}" if folders else ""
        if folders == (_OTHERS,):
            name, where = "others", " in other files and folders"
        if folders == (_TESTS,):
            name, where = "tests", " in tests"
        title = f"{plural(len(members), 'symbol')}{where}, {steps if sure else 'possible'}"
        yield Group(_id(key), f"{name} · {len(members)}", title, column, tuple(members))


def _id(key: _Key) -> str:
    """Return an id that no symbol has: a path has no NUL."""
    return f"\0{key.column} {key.certain:d} {'/'.join(key.folders)}"


MOST_DRAWN = 40
"""Symbols in a drawing. With more, names are too small to read at the width of a page; the list beside it has all."""

_LABEL_CHARS = 30
_SHORT_LABEL_CHARS = 24  # in a drawing for a narrow column
_CHAR = 7.3  # of the 12 px monospace type that labels are set in
_PADDING = 20
BOX_HEIGHT = 24
_ROW = 36
_GAP = 56  # between depths
_FOLD_GAP = 18  # between the parts of one depth


@dataclass(frozen=True, slots=True)
class Box:
    """The box of a symbol. `x` and `y` are its centre. `certain` is False if the symbol is only possible by name."""

    symbol_id: str
    label: str
    title: str
    depth: int
    certain: bool
    x: float
    y: float
    width: float
    left: float  # the left edge of the columns of its depth
    right: float  # their right edge
    members: int = 0  # symbols of a group; 0 for the box of one symbol


@dataclass(frozen=True, slots=True)
class Link:
    """An edge between two boxes, which are given by their positions in `Drawing.boxes`."""

    source: int
    target: int
    kind: str
    title: str
    certainty: Certainty
    mark: Mark = ""  # of the attached run
    calls: int = 0  # observed in the run


@dataclass(frozen=True, slots=True)
class Drawing:
    """Boxes and links around the origin. `width` and `height` contain all of them.

    `cut` is the number of symbols that are left out. `left_out` counts them by file, largest number first.
    """

    title: str
    boxes: tuple[Box, ...]
    links: tuple[Link, ...]
    width: float
    height: float
    cut: int
    left_out: tuple[tuple[str, int], ...] = ()


class Columns(NamedTuple):
    """The columns of a graph's symbols (0 for the start, negative for those that use it), and their depths."""

    columns: Mapping[str, int]
    depths: Mapping[str, int]
    certain: frozenset[str]  # symbols that are not only possible by name


def columns_of(answer: GraphAnswer) -> Columns:
    """Return the columns of the start, of the reached symbols and of those that are only possible by name."""
    depths = {reached.symbol_id: reached.depth for reached in answer.subgraph.reached}
    certain = set(depths) | set(answer.subgraph.seeds)
    columns = dict.fromkeys(answer.subgraph.seeds, 0) | _columns(answer)
    for edge in answer.possible:
        for symbol_id, column in ((edge.source, -1), (edge.target, 1)):
            columns.setdefault(symbol_id, column)
            depths.setdefault(symbol_id, 1)
    return Columns(columns, depths, frozenset(certain))


def grouped(answer: GraphAnswer, by: str, opened: Collection[str], *, fold_tests: bool = False) -> tuple[Group, ...]:
    """Return the groups of a graph with more than `MOST_DRAWN` symbols; see `groups_of`.

    A smaller graph has none, but with `fold_tests` the tests at each distance share a box.
    """
    columns, _, certain = columns_of(answer)
    symbols, roles = {symbol_id: answer.catalog.symbol(symbol_id) for symbol_id in columns}, answer.catalog.roles
    tests = [each for each in columns if roles.is_test_symbol(symbols[each])] if fold_tests else ()
    folded = folded_tests(columns, tests, certain, opened)
    inside = {each for group in folded for each in group.symbols}
    rest = {each: column for each, column in columns.items() if each not in inside}
    if len(rest) + len(folded) <= MOST_DRAWN:
        return folded
    paths = {symbol_id: symbol.path for symbol_id, symbol in symbols.items()}
    return (*folded, *groups_of(rest, paths, certain, by, opened, MOST_DRAWN - len(folded)))


def draw(answer: GraphAnswer, groups: Sequence[Group] = (), width: float = math.inf) -> Drawing:
    """Return a drawing with at most `MOST_DRAWN` symbols. If it is wider than `width`, its labels are shorter.

    Symbols outside tests are drawn first, then tests, then symbols that are only possible by name. With `groups`, the
    symbols of each group share a box, and all symbols are drawn. Edges from a group to a box at the same distance are
    left out.
    """
    found = columns_of(answer)
    columns = found.columns
    if groups:
        group_of = {symbol_id: group for group in groups for symbol_id in group.symbols}
        kept = {group_of[each].id if each in group_of else each: column for each, column in columns.items()}
        left_out: Counter[str] = Counter()
    else:
        group_of = {}
        kept, left_out = _most_telling(found, answer)

    def box_of(symbol_id: str) -> str:
        own = _shown(symbol_id, columns if groups else kept, answer)
        return group_of[own].id if own in group_of else own

    ends = [(box_of(edge.source), box_of(edge.target)) for edge in answer.edges]
    ends += [(box_of(edge.source), box_of(edge.target)) for edge in answer.possible]
    order = ordered_columns(kept, ends)
    for chars in (_LABEL_CHARS, _SHORT_LABEL_CHARS):
        boxes = _boxes(kept, order, chars, groups, found, answer)
        if _width(boxes) <= width:
            break
    position = {box.symbol_id: index for index, box in enumerate(boxes)}
    links: dict[tuple[int, int, str], Link] = {}
    closed = {group.id for group in groups}
    for index, ((source, target), edge) in enumerate(zip(ends, (*answer.edges, *answer.possible), strict=True)):
        if {source, target} & closed and kept.get(source) == kept.get(target):
            continue  # between groups at one distance, such edges would hide those that lead to the start
        if source in position and target in position and not (source == target and edge.source != edge.target):
            marks = answer.observed
            seen: tuple[Mark, int] = ("", 0) if marks is None else (marks.mark(edge), marks.count(edge))
            sure = edge.certainty if index < len(answer.edges) else "possible"
            link = Link(position[source], position[target], edge.kind, _tooltip(edge, marks), sure, *seen)
            links.setdefault((link.source, link.target, link.kind), link)
    # a call implies a use
    explained = {(link.source, link.target) for link in links.values() if link.kind != "USES"}
    shown = tuple(link for link in links.values() if link.kind != "USES" or (link.source, link.target) not in explained)
    return _drawing(answer.headline, boxes, shown, left_out)


def _boxes(
    kept: Iterable[str],
    columns: Sequence[Sequence[str]],
    chars: int,
    groups: Sequence[Group],
    found: Columns,
    answer: GraphAnswer,
) -> tuple[Box, ...]:
    """Return a box for each symbol or group in `kept`, with a label of at most `chars` characters.

    `columns` has the same ids, in the order in which they are drawn.
    """
    by_id = {group.id: group for group in groups}
    own = labels_of([answer.catalog.symbol(each) for each in kept if each not in by_id], chars)
    labels = {each: shorten(by_id[each].label, chars) if each in by_id else own[each] for each in kept}
    places = _place(columns, {each: _label_width(text) for each, text in labels.items()})
    boxes = []
    for each, text in labels.items():
        group = by_id.get(each)
        if group is None:
            depth, sure = found.depths.get(each, 0), each in found.certain
            boxes.append(_box(answer.catalog.symbol(each), text, places[each], depth, sure))
        else:
            depth, sure = abs(group.column), group.symbols[0] in found.certain
            boxes.append(Box(each, text, group.title, depth, sure, *places[each], len(group.symbols)))
    return tuple(boxes)


def draw_path(
    title: str, symbols: Sequence[Symbol], links: Sequence[tuple[int, int, str, str]], current: int
) -> Drawing:
    """Return a drawing of symbols, numbered from 1, each to the right of those that lead to it.

    `links` are (position, later position, kind of the edge, tooltip); positions count from 0. The symbol at `current`
    is emphasised.
    """
    column: dict[int, int] = {}
    for position in range(len(symbols)):
        column[position] = 1 + max((column[a] for a, b, *_ in links if b == position), default=-1)
    ids = [symbol.id for symbol in symbols]
    own = labels_of(symbols)
    labels = [f"{number} {own[symbol.id]}" for number, symbol in enumerate(symbols, 1)]
    widths = {symbol_id: _label_width(text) for symbol_id, text in zip(ids, labels, strict=True)}
    columns = ordered_columns({ids[n]: column[n] for n in column}, [(ids[a], ids[b]) for a, b, *_ in links])
    places = _place(columns, widths)
    boxes = [
        _box(symbol, labels[number], places[symbol.id], int(number != current), certain=True)
        for number, symbol in enumerate(symbols)
    ]
    shown = tuple(Link(a, b, kind, one_line(tip), "certain") for a, b, kind, tip in links)
    return _drawing(title, boxes, shown)


def _width(boxes: Sequence[Box]) -> float:
    return max((abs(box.x) + box.width / 2 for box in boxes), default=0.0) * 2


def _drawing(title: str, boxes: Sequence[Box], links: Sequence[Link], left_out: Counter[str] | None = None) -> Drawing:
    """Return a drawing that contains all boxes. `left_out` counts the symbols without a box, by file."""
    height = max((abs(box.y) + BOX_HEIGHT / 2 for box in boxes), default=0.0) * 2
    missing = left_out or Counter()
    parts = one_line(title), tuple(boxes), tuple(links)
    return Drawing(*parts, _width(boxes), height, missing.total(), tuple(missing.most_common()))


def label(symbol: Symbol, chars: int = _LABEL_CHARS) -> str:
    """Return the label of a symbol: the last part of the name. For a member, the name of its owner is before it.

    It has at most `chars` characters. The name of the owner is shortened first.
    """
    *owner, name = map(one_line, _name_parts(symbol)[1])
    left = chars - len(name) - 1
    return shorten(".".join([*(shorten(each, max(1, left)) for each in owner), name]), chars)


def labels_of(symbols: Iterable[Symbol], chars: int = _LABEL_CHARS) -> dict[str, str]:
    """Return the labels of the symbols in one picture, by id.

    Equal labels are completed by names of what contains the symbols, until they differ: ``retry in Client.get``.
    """
    alike: dict[str, dict[str, Symbol]] = defaultdict(dict)
    for symbol in symbols:
        alike[label(symbol, chars)][symbol.id] = symbol
    found: dict[str, str] = {}
    for text, same in alike.items():
        found |= dict.fromkeys(same, text) if len(same) == 1 else _told_apart(same.values(), chars)
    return found


def _told_apart(symbols: Collection[Symbol], chars: int) -> dict[str, str]:
    for number in range(1, 1 + max(len(_name_parts(symbol)[0]) for symbol in symbols)):
        texts = {}
        for symbol in symbols:
            outer, own = _name_parts(symbol)
            within = f" in {'.'.join(outer[-number:])}" if outer else ""
            texts[symbol.id] = shorten(one_line(".".join(own) + within), chars)
        if len(set(texts.values())) == len(symbols):
            return texts
    return {symbol.id: shorten(one_line(f"{symbol.name} in {symbol.path}:{symbol.line}"), chars) for symbol in symbols}


def _name_parts(symbol: Symbol) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the parts of the qualified name: those of what contains the symbol, and those of its label."""
    parts = name_parts(symbol.fqn) or (symbol.name,)
    number = 2 if symbol.kind in ("method", "field") else 1
    return parts[:-number], parts[-number:]


def _most_telling(found: Columns, answer: GraphAnswer) -> tuple[dict[str, int], Counter[str]]:
    """Return the symbols to draw with their columns, and the number of symbols left out, by file."""
    columns, depths, certain = found
    if len(columns) <= MOST_DRAWN:
        return dict(columns), Counter()
    symbols, is_test = {each: answer.catalog.symbol(each) for each in columns}, answer.catalog.roles.is_test_symbol
    order = sorted(columns, key=lambda each: (each not in certain, depths.get(each, 0), is_test(symbols[each])))
    drawn = set(order[:MOST_DRAWN])
    kept = {symbol_id: column for symbol_id, column in columns.items() if symbol_id in drawn}
    return kept, Counter(symbols[symbol_id].path for symbol_id in order[MOST_DRAWN:])


def _shown(symbol_id: str, kept: Mapping[str, int], answer: GraphAnswer) -> str:
    """Return the box in which a symbol is drawn: its own, or that of its nearest owner, as for members of a seed."""
    current: str | None = symbol_id
    while current is not None and current not in kept:
        current = answer.catalog.symbol(current).parent
    return symbol_id if current is None else current


def _columns(answer: GraphAnswer) -> dict[str, int]:
    """Return the depth of each reached symbol, negative for symbols on the side of those that use the seeds."""
    forward = {(edge.source, edge.target) for edge in answer.edges}
    columns: dict[str, int] = {}
    for reached in answer.subgraph.reached:
        side = 1
        if reached.via is not None:
            from_seed = columns.get(reached.via, 0)
            side = (from_seed > 0) - (from_seed < 0) or (1 if (reached.via, reached.symbol_id) in forward else -1)
        columns[reached.symbol_id] = side * reached.depth
    return columns


class _Place(NamedTuple):
    x: float
    y: float
    width: float
    left: float  # of all columns of its depth
    right: float


def _place(columns: Sequence[Sequence[str]], widths: Mapping[str, float]) -> Mapping[str, _Place]:
    """Return the coordinates of every symbol. `widths` are those of the boxes, by symbol id.

    If a depth has two columns, the second is half a row lower, so that an edge from the first column passes between the
    boxes of the second.
    """
    depths = [[(part, max(widths[each] for each in part)) for part in _fold(column)] for column in columns]
    spans = [sum(width for _, width in depth) + _FOLD_GAP * (len(depth) - 1) for depth in depths]
    left = -(sum(spans) + _GAP * (len(spans) - 1)) / 2
    places = {}
    for depth, span in zip(depths, spans, strict=True):
        x = left
        top = -(max(len(part) for part, _ in depth) - 1) * _ROW / 2 - (_ROW / 4 if len(depth) > 1 else 0)
        for number, (part, width) in enumerate(depth):
            for index, symbol_id in enumerate(part):
                y = top + index * _ROW + (number % 2) * _ROW / 2
                places[symbol_id] = _Place(x + width / 2, y, width, left, left + span)
            x += width + _FOLD_GAP
        left += span + _GAP
    return places


def _label_width(text: str) -> float:
    return cell_width(text) * _CHAR + _PADDING


def _fold(column: Sequence[str]) -> list[Sequence[str]]:
    """Return a column as several columns of equal length, if it has more than `MOST_ROWS` rows."""
    count = -(-len(column) // MOST_ROWS)
    size = -(-len(column) // count) if count else 1
    return [column[start : start + size] for start in range(0, len(column), size)]


def _box(symbol: Symbol, text: str, place: _Place, depth: int, certain: bool) -> Box:
    how = f"depth {depth}" if depth else "start"
    title = f"{symbol.fqn}\n{symbol.kind} at {whereabouts(symbol)}, {how if certain else 'possible'}"
    title = "\n".join(shorten(one_line(line), 160) for line in title.split("\n"))
    return Box(symbol.id, text, title, depth, certain, *place)


def _tooltip(edge: Edge, marks: EdgeMarks | None) -> str:
    seen = "" if marks is None else marks.words(edge)
    return shorten(one_line(f"{edge_words(edge)}{', ' if seen else ''}{seen}"), 200)
