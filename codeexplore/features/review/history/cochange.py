"""Co-change: what changed in the same commits as a file.

Support and confidence are those of association rules over commits, as in ROSE (Zimmermann, Weißgerber, Diehl, Zeller:
Mining Version Histories to Guide Software Changes, ICSE 2004). The order differs: a shared commit counts less if it
changed many files, and less the more commits of the target came after it. `benchmarks/cochange.py` compares the orders.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple, TypeVar

from codeexplore.features.review.history.log import History

MOST_FILES = 30
"""Files of a commit that counts. A larger one is a mass change (a new licence header, a formatter), which says nothing
about any two of its files. The bound is that of ROSE."""

HALF_LIFE = 20
"""Commits of the target after which a shared commit counts half."""

T = TypeVar("T", bound=Hashable)


class Shared(NamedTuple):
    """The commits that an item shares with the target: their rows, newest first, and their weight."""

    rows: tuple[int, ...]
    weight: float


def counted(history: History, rows: Iterable[int], most: int = MOST_FILES) -> list[int]:
    """Return the rows of commits that count: those that changed at most `most` files."""
    return [int(row) for row in rows if history.sizes[row] <= most]


def shared(commits: Sequence[tuple[int, Iterable[T]]]) -> dict[T, Shared]:
    """Return item → what it shares with the target, the heaviest first.

    Parameters
    ----------
    commits
        (row, items that it changed besides the target) of each commit of the target, newest first.
    """
    weights: dict[T, float] = defaultdict(float)
    rows: dict[T, list[int]] = defaultdict(list)
    for age, (row, items) in enumerate(commits):
        others = list(items)
        for item in others:
            weights[item] += 0.5 ** (age / HALF_LIFE) / len(others)
            rows[item].append(row)
    order = sorted(weights, key=lambda item: (-weights[item], -len(rows[item])))
    return {item: Shared(tuple(rows[item]), weights[item]) for item in order}


def files_together(history: History, file: int, most: int = MOST_FILES) -> tuple[dict[int, Shared], int]:
    """Return number of a file → what it shares with `file`, the heaviest first, and the number of commits counted."""
    rows = counted(history, history.rows_of(file), most)
    commits = [(row, [int(each) for each in history.files_of(row) if each != file]) for row in rows]
    return shared(commits), len(rows)
