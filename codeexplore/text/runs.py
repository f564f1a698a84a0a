"""Runs of consecutive numbers, such as lines: pairs of the first and the last one."""

from __future__ import annotations

from collections.abc import Iterable


def joined(runs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return runs in ascending order. Adjacent and overlapping runs are joined."""
    found: list[tuple[int, int]] = []
    for first, last in sorted(runs):
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(last, found[-1][1]))
        else:
            found.append((first, last))
    return found
