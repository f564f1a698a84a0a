"""Lines that differ between two versions of a file, and the place of lines in another version.

A symbol is followed through the versions of its file by its lines, in the manner of ``git log -L``. No old version is
parsed: a comparison of lines takes a millisecond, an analysis of a long file 50.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz.distance import Indel

MOST_LINES = 20_000
"""Lines of both versions together that are compared. The comparison needs a bit of memory for each pair of lines."""


class Lines(NamedTuple):
    """Consecutive lines, from `first` to `last`, counted from 1. There are none if `last` is `first` - 1."""

    first: int
    last: int

    def __bool__(self) -> bool:
        return self.last >= self.first


class Hunk(NamedTuple):
    """Lines that a version replaced by others. One of the two may be empty."""

    old: Lines
    new: Lines


class Versions(NamedTuple):
    """The hunks between two versions of a file, in order."""

    hunks: tuple[Hunk, ...]

    @property
    def added(self) -> int:
        return sum(hunk.new.last - hunk.new.first + 1 for hunk in self.hunks)

    def within(self, lines: Lines) -> list[Hunk]:
        """Return the hunks that touch these lines of the new version, or delete lines between two of them."""

        def touches(new: Lines) -> bool:
            if not new:
                return lines.first < new.first <= lines.last
            return max(new.first, lines.first) <= min(new.last, lines.last)

        return [hunk for hunk in self.hunks if touches(hunk.new)]

    def kept(self, lines: Lines) -> list[Lines]:
        """Return the places in the new version of those lines of the old one that are unchanged."""
        found: list[Lines] = []
        shift, at = 0, lines.first
        for hunk in (*self.hunks, Hunk(Lines(lines.last + 1, lines.last), Lines(0, -1))):
            end = min(hunk.old.first - 1, lines.last)
            if at <= end:
                found.append(Lines(at + shift, end + shift))
            if hunk.old.first > lines.last:
                break
            shift, at = hunk.new.last - hunk.old.last, max(at, hunk.old.last + 1)
        return found

    def before(self, lines: Lines) -> Lines:
        """Return the place in the old version of lines of the new one. It is empty if all of them were added."""
        return _carried(lines, [(hunk.new, hunk.old) for hunk in self.hunks])


def compared(old: bytes, new: bytes) -> Versions | None:
    """Compare two versions by the longest common subsequence of their lines; line ends make no difference.

    None if a version is binary, or if both have more than `MOST_LINES` lines.
    """
    if b"\0" in old[:8000] or b"\0" in new[:8000]:
        return None
    before, after = _lines(old), _lines(new)
    if len(before) + len(after) > MOST_LINES:
        return None
    codes: dict[bytes, int] = {}
    numbers = [[codes.setdefault(line, len(codes)) for line in lines] for lines in (before, after)]
    hunks: list[Hunk] = []
    for step in Indel.opcodes(*numbers):
        if step.tag == "equal":
            continue
        hunk = Hunk(Lines(step.src_start + 1, step.src_end), Lines(step.dest_start + 1, step.dest_end))
        if hunks and hunks[-1].old.last + 1 == hunk.old.first and hunks[-1].new.last + 1 == hunk.new.first:
            last = hunks.pop()
            hunk = Hunk(Lines(last.old.first, hunk.old.last), Lines(last.new.first, hunk.new.last))
        hunks.append(hunk)
    return Versions(tuple(hunks))


def _lines(data: bytes) -> list[bytes]:
    lines = data.replace(b"\r\n", b"\n").split(b"\n")
    return lines[:-1] if not lines[-1] else lines


def _carried(lines: Lines, hunks: Sequence[tuple[Lines, Lines]]) -> Lines:
    """Return the place of lines in another version. `hunks` are pairs (lines in this version, in the other), in order.

    The lines of a hunk that is inside are all carried over. Of a hunk that reaches beyond an end, as many lines are
    carried over from that side as are inside.
    """
    ends: list[int] = []
    shift, at = 0, lines.first  # unchanged lines from `at` on are `shift` later in the other version
    for here, there in hunks:
        if here.first > lines.last:
            break
        if at < here.first and at <= lines.last:
            ends += [at + shift, min(here.first - 1, lines.last) + shift]
        first = there.first if here.first >= lines.first else max(there.first, there.last - (here.last - lines.first))
        last = there.last if here.last <= lines.last else min(there.last, there.first + (lines.last - here.first))
        overlaps = here.last >= lines.first if here else here.first > lines.first
        if overlaps and first <= last:
            ends += [first, last]
        shift = there.last - here.last
        at = max(at, here.last + 1)
    if at <= lines.last:
        ends += [at + shift, lines.last + shift]
    return Lines(min(ends), max(ends)) if ends else Lines(1, 0)
