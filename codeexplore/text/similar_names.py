"""Search for names that are similar to a name that a user typed, by rapidfuzz."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from codeexplore.text.tokens import fold

LONG: Final = 8
"""Letters. In names of at least this length, two typing errors are accepted; in shorter names only one, because two
edits can turn a short name into another existing name."""

MIN_LETTERS: Final = 4
"""Letters. A shorter name is not corrected, because it is similar to too many other names."""


def most_similar(name: str, names: Sequence[str], limit: int, cutoff: float = 0.6) -> list[str]:
    """Return the names that are most similar to `name`, best first, at most `limit`.

    The similarity of two names is 2 · common / all. Here `common` is the length of their longest common subsequence and
    `all` the sum of their lengths. Names with a similarity below `cutoff` (0–1) are left out.
    """
    from rapidfuzz import fuzz, process  # only a name that is missing needs it

    found = process.extract(name, names, scorer=fuzz.ratio, limit=limit, score_cutoff=100 * cutoff)
    return [similar for similar, _, _ in found]


class Near(NamedTuple):
    """An existing name; its similarity (0–1) to the typed name is 1 minus the edits per letter of the longer one."""

    name: str
    similarity: float


class Spelling:
    """Correction of misspelt names to names that exist. These may repeat.

    Names are compared without case and underscores, by their optimal string alignment distance (Damerau 1964). It is
    the number of edits: a letter removed, added, changed, or swapped with its neighbour. One edit is accepted, or two
    edits in names of at least `LONG` letters.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._written: dict[str, list[str]] = {}
        for name in dict.fromkeys(names):
            if folded := _folded(name):
                self._written.setdefault(folded, []).append(name)
        self._folded = tuple(self._written)

    def nearest(self, typed: str) -> Near | None:
        """Return the existing name with the fewest edits from `typed`; None if every name needs too many edits.

        If several names need equally few edits, the first in alphabetical order is returned.
        """
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        wanted = _folded(typed)
        if wanted in self._written:
            return Near(self._most_alike(wanted, typed), 1.0)
        if len(wanted) < MIN_LETTERS:
            return None
        most = 2 if len(wanted) >= LONG else 1
        found = process.extract(wanted, self._folded, scorer=OSA.distance, score_cutoff=most, limit=None)
        if not found:
            return None
        folded, edits, _ = min(found, key=lambda each: (each[1], each[0]))
        return Near(self._most_alike(folded, typed), 1.0 - edits / max(len(wanted), len(folded)))

    def _most_alike(self, folded: str, typed: str) -> str:
        """Return the name most similar to `typed` of those that equal `folded` without case and underscores."""
        from rapidfuzz.distance import OSA

        return min(self._written[folded], key=lambda name: (OSA.distance(typed, name), name))


def _folded(name: str) -> str:
    return fold(name).replace("_", "")
