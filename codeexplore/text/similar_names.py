"""Existing names most similar to a missing one, by difflib's ratio, without comparing every name in full."""

from __future__ import annotations

import difflib
import heapq
import itertools
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class ClosestNames:
    """Finds the result of `difflib.get_close_matches`, a hundred times faster among 50,000 names.

    Two bounds limit a ratio: the letters in common in any order (difflib's "quick ratio"), and the letters in common in
    the same order. The first is computed for all names at once. The second is computed in descending order of the
    first, and a name is compared in full only if its second bound allows it to be among the best.

    Parameters
    ----------
    names
        The names that exist, no repeats.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names

    def find(self, name: str, limit: int, cutoff: float = 0.6) -> list[str]:
        """Return the names with the highest ratios of at least `cutoff` (0–1), at most `limit`, best first."""
        import numpy as np

        bound = self._bound(name)
        able = np.flatnonzero(bound >= cutoff)
        able = able[np.argsort(-bound[able], kind="stable")]
        matcher = difflib.SequenceMatcher()
        matcher.set_seq2(name)
        best: list[tuple[float, str]] = []  # a heap
        places = _places(name)
        for row, most in zip(able.tolist(), bound[able].tolist(), strict=True):
            if len(best) == limit and most < best[0][0]:
                break
            other = self._names[row]
            least = best[0][0] if len(best) == limit else cutoff
            together = len(name) + len(other)
            if together and 2.0 * _in_order(places, len(name), other) / together < least:
                continue
            matcher.set_seq1(other)
            ratio = matcher.ratio()
            if ratio >= cutoff:
                heapq.heappush(best, (ratio, other))
                if len(best) > limit:
                    heapq.heappop(best)
        return [found for _, found in sorted(best, reverse=True)]

    def _bound(self, name: str) -> NDArray[np.float64]:
        """Return the upper bound of each name's ratio: shape (n_names,)."""
        import numpy as np

        held, lengths = self._letters
        common = np.zeros(len(self._names), np.int64)
        for letter in set(name):
            if (among := held.get(ord(letter))) is not None:
                rows, counts = among
                common[rows] += np.minimum(counts, name.count(letter))
        together = lengths + len(name)
        return np.where(together > 0, 2.0 * common / np.maximum(together, 1), 1.0)  # two empty names are alike

    @cached_property
    def _letters(self) -> tuple[dict[int, tuple[NDArray[np.int64], NDArray[np.int64]]], NDArray[np.int64]]:
        """Return for every letter the names that contain it and how often, and each name's length."""
        import numpy as np

        letters = np.frombuffer("".join(self._names).encode("utf-32-le", "surrogatepass"), np.uint32)
        n_names = max(len(self._names), 1)
        lengths = np.fromiter(map(len, self._names), np.int64, len(self._names))
        keys = np.sort(letters.astype(np.int64) * n_names + np.repeat(np.arange(len(self._names)), lengths))
        first = np.flatnonzero(np.diff(keys, prepend=-1))
        counts = np.diff(first, append=len(keys))
        letter, rows = np.divmod(keys[first], n_names)
        starts = np.flatnonzero(np.diff(letter, prepend=-1)).tolist()
        return {
            int(letter[start]): (rows[start:stop], counts[start:stop])
            for start, stop in itertools.pairwise([*starts, len(letter)])
        }, lengths


def _places(name: str) -> dict[str, int]:
    """Return the positions of each letter, as bits."""
    found: dict[str, int] = {}
    for place, letter in enumerate(name):
        found[letter] = found.get(letter, 0) | 1 << place
    return found


def _in_order(places: dict[str, int], length: int, other: str) -> int:
    """Return the length of the longest common subsequence of a name, given by its `_places`, and another.

    Bit-parallel, Hyyrö, "Bit-Parallel LCS-length Computation Revisited", 2004: bits become 0 where the row of the
    dynamic programme grows.
    """
    everything = (1 << length) - 1
    row = everything
    for letter in other:
        met = row & places.get(letter, 0)
        row = (row + met | row - met) & everything
    return length - row.bit_count()
