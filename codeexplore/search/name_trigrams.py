"""Symbol names similar to a typed name, by the trigrams that they share."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from codeexplore.text.tokens import fold

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

THRESHOLD: Final = 0.4
"""Similarity that a name needs to be a candidate. Of names with one typing error 97 % find their own, of names of eight
letters with two 93 %; of other packages' names, which occur nowhere, 0.2 to 4 % find one (9 % among the 49,000 names of
the standard library). At 0.6 two errors find 75 %, and half as many others."""

LONG: Final = 8
"""Letters from which two typing errors are accepted instead of one: shorter words differ by too few edits."""

MIN_LETTERS: Final = 4
"""Letters. Shorter words are similar to too many others."""

_CANDIDATES: Final = 50  # names compared letter by letter


class Near(NamedTuple):
    """A name and its similarity to the typed one, 0–1."""

    name: str
    similarity: float


class Spelling:
    """Finder of names by trigrams.

    A name's trigrams are those of its letters without case and underscores, with two blanks before it and one after it,
    as in PostgreSQL's pg_trgm: a name's beginning counts more than its end. Similarity is Dice's coefficient, 2 ·
    common / (all of the one + all of the other).

    Parameters
    ----------
    names
        The names that exist, repeats allowed.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._spelt: dict[str, list[str]] = {}
        for name in dict.fromkeys(names):
            if folded := _folded(name):
                self._spelt.setdefault(folded, []).append(name)

    def nearest(self, typed: str, limit: int = 3) -> tuple[Near, ...]:
        """Return the names that `typed` may be meant for: fewest edits first, then most similar, then by name."""
        wanted = _folded(typed)
        if wanted in self._spelt:
            return tuple(Near(name, 1.0) for name in self._as_written(wanted, typed)[:limit])
        if len(wanted) < MIN_LETTERS or not self._spelt:
            return ()
        most = 2 if len(wanted) >= LONG else 1
        found = [(edits(wanted, key, most), -similarity, key) for key, similarity in self._candidates(wanted)]
        best = sorted(each for each in found if each[0] <= most)
        near = (Near(name, -lost) for _, lost, key in best for name in self._as_written(key, typed))
        return tuple(islice(near, limit))

    def _as_written(self, folded: str, typed: str) -> list[str]:
        """Return the names equal without case and underscores, those written most like `typed` first."""
        return sorted(self._spelt[folded], key=lambda name: (edits(typed, name, len(typed)), name))

    def _candidates(self, wanted: str) -> list[tuple[str, float]]:
        """Return folded names with their similarity, those above the threshold."""
        import numpy as np

        codes = np.unique(_trigrams([wanted])[0])
        trigrams, starts, rows, sizes = self._index
        places = np.searchsorted(trigrams, codes)
        places = places[places < len(trigrams)]
        places = places[np.isin(trigrams[places], codes)]
        if not len(places):
            return []
        common = np.bincount(np.concatenate([rows[starts[p] : starts[p + 1]] for p in places]), minlength=len(sizes))
        similarity = 2.0 * common / (sizes + len(codes))
        good = np.flatnonzero(similarity >= THRESHOLD)
        good = good[np.lexsort((good, -similarity[good]))][:_CANDIDATES]
        return [(self._folded_names[row], float(similarity[row])) for row in good]

    @cached_property
    def _folded_names(self) -> list[str]:
        return list(self._spelt)

    @cached_property
    def _index(self) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]:
        """Return distinct trigrams ascending, the start of each one's rows, names by trigram, trigrams by name."""
        import numpy as np

        codes, rows = _trigrams(self._folded_names)
        order = np.lexsort((rows, codes))
        codes, rows = codes[order], rows[order]
        distinct = np.append(True, (codes[1:] != codes[:-1]) | (rows[1:] != rows[:-1]))
        trigrams, first = np.unique(codes[distinct], return_index=True)
        of_name = rows[distinct].astype(np.int32)
        sizes = np.bincount(of_name, minlength=len(self._folded_names))
        return trigrams, np.append(first, len(of_name)), of_name, sizes


def edits(one: str, other: str, most: int) -> int:
    """Return the letters removed, added, changed, or swapped with a neighbour between two words; `most` + 1 for more.

    The optimal string alignment distance (Damerau 1964).
    """
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    above = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        row = [i]
        for j, against in enumerate(other, 1):
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (letter != against))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == against:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before, above = above, row
        if min(row) > most + 1:
            return most + 1
    return min(above[-1], most + 1)


def _folded(name: str) -> str:
    return fold(name).replace("_", "")


def _trigrams(names: list[str]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return every trigram as a number, and the name that contains it: shapes (n_trigrams,)."""
    import numpy as np

    letters = np.frombuffer("".join(f"  {name} " for name in names).encode("utf-32-le"), np.uint32).astype(np.uint64)
    lengths = np.fromiter((len(name) + 3 for name in names), np.int64, len(names))
    owners = np.repeat(np.arange(len(names)), lengths)
    codes = (letters[:-2] << np.uint64(42)) | (letters[1:-1] << np.uint64(21)) | letters[2:]
    within = owners[:-2] == owners[2:]
    return codes[within], owners[:-2][within]
