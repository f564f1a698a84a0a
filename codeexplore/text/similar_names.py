"""Names that are similar to a typed one, by rapidfuzz."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from codeexplore.text.tokens import fold

LONG: Final = 8
"""Letters from which two typing errors are accepted instead of one: shorter words differ by too few edits."""

MIN_LETTERS: Final = 4
"""Letters. Shorter words are similar to too many others."""


def most_similar(name: str, names: Sequence[str], limit: int, cutoff: float = 0.6) -> list[str]:
    """Return the most similar names, best first, at most `limit`.

    The similarity of two names is 2 · common / all: the letters of their longest common subsequence, and the letters of
    both. It is at least `cutoff` (0–1) for the names in the result.
    """
    from rapidfuzz import fuzz, process  # only a name that is missing needs it

    found = process.extract(name, names, scorer=fuzz.ratio, limit=limit, score_cutoff=100 * cutoff)
    return [similar for similar, _, _ in found]


class Near(NamedTuple):
    """A name and its similarity to the typed one: 1 minus the edits per letter of the longer one, 0–1."""

    name: str
    similarity: float


class Spelling:
    """Finder of the name that a typed one is a misspelling of.

    Names are compared without case and underscores by their optimal string alignment distance (Damerau 1964): the
    number of letters removed, added, changed, or swapped with a neighbour. One such edit is accepted, and two in names
    of `LONG` letters or more.

    Parameters
    ----------
    names
        The names that exist, repeats allowed.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._written: dict[str, list[str]] = {}
        for name in dict.fromkeys(names):
            if folded := _folded(name):
                self._written.setdefault(folded, []).append(name)
        self._folded = tuple(self._written)

    def nearest(self, typed: str) -> Near | None:
        """Return the name with the fewest edits, of several the first one by name; None if all have too many."""
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
        """Return the name, of those equal without case and underscores, that is written most like `typed`."""
        from rapidfuzz.distance import OSA

        return min(self._written[folded], key=lambda name: (OSA.distance(typed, name), name))


def _folded(name: str) -> str:
    return fold(name).replace("_", "")
