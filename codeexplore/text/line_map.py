"""Map from the lines of a text to their positions after an edit."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

REMOVED = -1
"""Marks a line that has no counterpart in the other version of the text."""

_MOST_COMPARED = 2_000
"""Lines between the first and the last that differ: more of them are not compared one by one."""


def aligned(old: bytes | memoryview, new: bytes | memoryview) -> NDArray[np.int64]:
    """Return for each line of the text `old` its position in the text `new`.

    Equal lines at the beginning and the end are matched first, then the blocks that `difflib` finds between them.

    Returns
    -------
    NDArray[np.int64]
        Shape (lines of `old` + 1,). Lines count from 1, and entry 0 is 0. A line that does not exist any more has the
        value `REMOVED`. The other values are ascending.
    """
    one, other = bytes(old).split(b"\n"), bytes(new).split(b"\n")
    shorter = min(len(one), len(other))
    before = 0
    while before < shorter and one[before] == other[before]:
        before += 1
    after = 0
    while after < shorter - before and one[-1 - after] == other[-1 - after]:
        after += 1
    made = np.full(len(one) + 1, REMOVED, np.int64)
    made[: before + 1] = np.arange(before + 1)
    made[len(one) + 1 - after :] = np.arange(len(other) + 1 - after, len(other) + 1)
    between = one[before : len(one) - after], other[before : len(other) - after]
    if max(map(len, between)) <= _MOST_COMPARED:
        for left, right, size in SequenceMatcher(None, *between).get_matching_blocks():
            made[before + 1 + left : before + 1 + left + size] = before + 1 + right + np.arange(size)
    return made
