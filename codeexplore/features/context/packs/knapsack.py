"""Choice of the levels of detail that fit in a budget: a greedy multiple-choice knapsack over shared lines.

Every item has levels of rising value, of which at most one is chosen. A step from one level to the next level on the
upper convex hull of (cost, value) is an *increment*. Increments are taken in the order of their value per token, as
Sinha and Zoltners (The Multiple-Choice Knapsack Problem, 1979) do for the linear relaxation of the problem. If an
increment does not fit, the best level of the item that fits is taken, and the other items continue.

Lines that two items share are counted once. The first line of a group (a file) also costs the group's heading. The
result is compared with the best single level, which may be worth more than many small levels, as in Lin and Bilmes
(Multi-document Summarization via Budgeted Maximization of Submodular Functions, 2010).

If two increments have the same value per token, the earlier item is first. So the result depends on the arguments only.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from codeexplore.types.rows import grouped

Place: TypeAlias = tuple[str, int]
"""Group and number of a line: a path and a line, 1-based."""


class Level(NamedTuple):
    """A level of detail: its value, and the number of tokens of each of its lines. A key is (group, line number)."""

    value: float
    lines: Mapping[Place, int]


_PART: Final = 4  # of the budget left, the most that a least level taken before the others may cost

Item: TypeAlias = Sequence[Level]
"""Levels of which at most one is chosen, ordered by rising cost."""


def choose(items: Sequence[Item], budget: int, headings: Mapping[str, int], first: int = 0) -> list[int]:
    """Return for each item the number of the chosen level, -1 for none. Together they cost at most `budget` tokens.

    `headings` maps each group to the tokens of its heading, which is counted with the group's first line. The `first`
    items get their least level before all others, unless it costs a large part of what is left.
    """
    chosen = _greedy(items, budget, headings, first)
    value = sum(item[level].value for item, level in zip(items, chosen, strict=True) if level >= 0)
    singles = [(level.value, -i, n) for i, item in enumerate(items) for n, level in enumerate(item)]
    best = max(
        (each for each in singles if each[0] > value and cost_of([items[-each[1]][each[2]]], headings) <= budget),
        default=None,
    )
    if best is None:
        return chosen
    return [best[2] if i == -best[1] else -1 for i in range(len(items))]


def cost_of(levels: Sequence[Level], headings: Mapping[str, int]) -> int:
    """Return the tokens of several levels together. Headings and lines count once, a line with its greatest length."""
    shown = _Shown(headings)
    return sum(shown.add(level) for level in levels)


class _Shown:
    """The lines and headings that are already chosen, and so cost nothing more."""

    def __init__(self, headings: Mapping[str, int]) -> None:
        self._headings = headings
        self._lines: dict[Place, int] = {}
        self.groups: set[str] = set()

    def cost(self, level: Level) -> int:
        more = sum(max(0, tokens - self._lines.get(place, 0)) for place, tokens in level.lines.items())
        return more + sum(self._headings[group] for group in self.opened(level))

    def opened(self, level: Level) -> list[str]:
        return sorted({group for group, _ in level.lines} - self.groups)

    def add(self, level: Level) -> int:
        cost = self.cost(level)
        for place, tokens in level.lines.items():
            self._lines[place] = max(tokens, self._lines.get(place, 0))
            self.groups.add(place[0])
        return cost


def _greedy(items: Sequence[Item], budget: int, headings: Mapping[str, int], first: int) -> list[int]:
    chosen, step = [-1] * len(items), [0] * len(items)  # the level of each item, and its place on the hull
    shown, left = _Shown(headings), budget
    left -= _taken_before(items[:first], chosen, shown, left)
    hulls = [
        _hull(item, budget, headings, item[level].value if level >= 0 else 0.0)
        for item, level in zip(items, chosen, strict=True)
    ]
    groups = ({place[0] for level in item for place in level.lines} for item in items)
    touching = grouped((group, i) for i, inside in enumerate(groups) for group in inside)
    queue: list[tuple[float, int, int]] = []

    def push(i: int) -> None:
        if step[i] < len(hulls[i]):
            before = items[i][chosen[i]].value if chosen[i] >= 0 else 0.0
            level = items[i][hulls[i][step[i]]]
            heapq.heappush(queue, (-(level.value - before) / max(1, shown.cost(level)), i, step[i]))

    for i in range(len(items)):
        push(i)
    while queue:
        _, i, place = heapq.heappop(queue)
        if place != step[i]:
            continue  # pushed again since, for its heading is paid for
        level = items[i][hulls[i][place]]
        cost = shown.cost(level)
        step[i] += 1
        taken = hulls[i][place] if cost <= left else _less(items[i], chosen[i], level.value, shown, left)
        if taken is not None:
            level = items[i][taken]
            opened = shown.opened(level)
            left -= shown.add(level)
            chosen[i] = taken
        push(i)
        if taken is None:
            continue
        for group in opened:
            for other in touching[group]:
                push(other)
    return chosen


def _taken_before(items: Sequence[Item], chosen: list[int], shown: _Shown, left: int) -> int:
    """Choose the least levels of some items. Return what they cost."""
    cost = 0
    for i, item in enumerate(items):
        if item and shown.cost(item[0]) <= (left - cost) / _PART:
            chosen[i] = 0
            cost += shown.add(item[0])
    return cost


def _less(item: Item, chosen: int, value: float, shown: _Shown, left: int) -> int | None:
    """Return the best level that costs at most `left`, and is worth more than `chosen` and less than `value`."""
    before = item[chosen].value if chosen >= 0 else 0.0
    fitting = [
        (level.value, -n) for n, level in enumerate(item) if before < level.value < value and shown.cost(level) <= left
    ]
    return -max(fitting)[1] if fitting else None


def _hull(item: Item, budget: int, headings: Mapping[str, int], taken: float) -> list[int]:
    """Return the levels on the upper convex hull of (cost, value), by rising cost, without those above the budget.

    The hull begins with the value that is `taken` already.
    """
    points = [(cost_of([level], headings), level.value, n) for n, level in enumerate(item)]
    points = [point for point in points if point[0] <= budget]
    hull: list[tuple[float, float, int]] = [(0.0, taken, -1)]
    for cost, value, n in sorted(points, key=lambda point: (point[0], -point[1])):
        if value <= hull[-1][1]:
            continue
        while len(hull) > 1 and _slope(hull[-2], hull[-1]) <= _slope(hull[-1], (cost, value, n)):
            hull.pop()
        hull.append((cost, value, n))
    return [n for _, _, n in hull[1:]]


def _slope(a: tuple[float, float, int], b: tuple[float, float, int]) -> float:
    return (b[1] - a[1]) / max(b[0] - a[0], 1e-9)
