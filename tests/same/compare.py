"""Compare two collections of rows: what changed, is missing or is new, beside a list of expected differences."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias

from tests.same.spellings import spelled

Collected: TypeAlias = dict[str, dict[str, str]]
_MOST_LINES = 12  # of one changed row


class Difference(NamedTuple):
    """One row that differs: `old` or `new` is None if this side has no such row."""

    repository: str
    kind: str
    row: str
    old: str | None
    new: str | None

    @property
    def sort(self) -> str:
        return "missing" if self.new is None else "new" if self.old is None else "changed"

    def lines(self) -> Iterator[str]:
        """Describe the row: its name, and the lines that changed."""
        yield f"  {self.sort}: {self.row!r}"
        if self.old is None or self.new is None:
            yield f"      {(self.old or self.new or '')[:200]!r}"
            return
        found = _diff(self)
        yield from (f"      {line[:240]}" for line in found[:_MOST_LINES])
        if len(found) > _MOST_LINES:
            yield f"      … {len(found) - _MOST_LINES} more lines"


class Expected(NamedTuple):
    """A difference that a change made on purpose: expressions for its repository, its kind, its row and its lines."""

    repository: str
    kind: str
    row: str
    lines: str

    def covers(self, difference: Difference) -> bool:
        """Return True if the expressions match all of the difference: with `lines`, each changed line."""
        if not all(map(re.fullmatch, self[:3], (difference.repository, difference.kind, difference.row))):
            return False
        return self.lines == ".*" or all(re.fullmatch(self.lines, line) for line in _changed_lines(difference))


def _diff(difference: Difference) -> list[str]:
    old, new = (difference.old or "").splitlines(), (difference.new or "").splitlines()
    return list(difflib.unified_diff(old, new, lineterm="", n=0))[2:]


def _changed_lines(difference: Difference) -> list[str]:
    return [line[1:] for line in _diff(difference) if line[0] in "+-"]


def expected_of(file: Path) -> list[Expected]:
    """Read expected differences: a line each, four expressions between ``|``; # begins a comment, which says why."""
    lines = [line.partition(" #")[0].strip() for line in file.read_text("utf-8").splitlines()]
    return [
        Expected(*(part.strip() for part in (line.split(" | ") + [".*"] * 4)[:4]))
        for line in lines
        if line and not line.startswith("#")
    ]


def differences(repository: str, old: Collected, new: Collected) -> Iterator[Difference]:
    """Yield the rows that differ, by kind."""
    for kind in (*old, *(kind for kind in new if kind not in old)):
        before, after = old.get(kind, {}), new.get(kind, {})
        for row in (*before, *(row for row in after if row not in before)):
            one, other = before.get(row), after.get(row)
            if one != other:
                one, other = (None if text is None else spelled(text) for text in (one, other))
            if one != other:
                yield Difference(repository, kind, row, one, other)


def report(found: Iterable[Difference], expected: Iterable[Expected] = (), first: int = 3) -> tuple[list[str], int]:
    """Return lines that describe the differences, the first few of each kind, and the number of unexpected ones."""
    known, groups, covered = list(expected), {}, 0
    for each in found:
        if any(one.covers(each) for one in known):
            covered += 1
        else:
            groups.setdefault((each.repository, each.kind), []).append(each)
    lines = [f"{covered} differences are expected"] if covered else []
    for (repository, kind), rows in groups.items():
        sorts = [row.sort for row in rows]
        told = ", ".join(f"{sorts.count(sort)} {sort}" for sort in ("changed", "missing", "new") if sort in sorts)
        lines += [f"{repository}: {kind}: {told}", *(line for row in rows[:first] for line in row.lines())]
        lines += [f"  … {len(rows) - first} more"] if len(rows) > first else []
    return lines, sum(map(len, groups.values()))
