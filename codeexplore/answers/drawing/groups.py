"""Groups of the symbols of a long graph: by folder and file, or by distance from the start.

A first view has the finest groups that need at most as many boxes as a drawing may have. If a column is still too high
for a screen, its smallest groups share one box, *others*. An opened group is replaced by the groups, or the symbols, in
it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from codeexplore.answers.wording import one_line, plural

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
