"""Order of a tour: prerequisites first, and otherwise as the examples do."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TypeAlias

Preference: TypeAlias = Mapping[tuple[str, str], float]
"""(a, b) → how strongly a should come before b. It is negative if b should come first."""


def in_order(ids: Sequence[str], prerequisites: Mapping[str, Collection[str]], prefer: Preference) -> list[str]:
    """Return the ids in an order in which prerequisites come first and few preferences are violated.

    The next id is the one that wins most against the remaining ids (the greedy order of Cohen, Schapire and Singer,
    Learning to Order Things, 1999, whose agreement is at least half of the best possible). Its prerequisites come
    directly before it. Ties are decided by the given order. If prerequisites form a circle, the one that closes the
    circle is ignored.

    Parameters
    ----------
    prerequisites
        id → the ids that come before it. Ids that are not in `ids` are ignored.
    """
    wins = {a: sum(prefer.get((a, b), 0.0) - prefer.get((b, a), 0.0) for b in ids if b != a) for a in ids}
    waiting, placed = dict.fromkeys(ids), list[str]()

    def place(best: str) -> None:
        del waiting[best]
        for before in sorted(prerequisites.get(best, ()), key=lambda a: -wins.get(a, 0.0)):
            if before in waiting:
                place(before)
        placed.append(best)
        for a in waiting:
            wins[a] -= prefer.get((a, best), 0.0) - prefer.get((best, a), 0.0)

    while waiting:
        place(max(waiting, key=lambda a: wins[a]))  # the first of equal ones
    return placed
