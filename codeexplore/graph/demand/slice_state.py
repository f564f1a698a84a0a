"""State that the collectors of a program slice share: parts of files, names asked for, steps to take, budgets."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Protocol

from codeexplore.graph.demand.slice_part import SlicePart

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codeexplore.graph.demand.family import Family

MOST_ROWS: Final = 12_000
"""Facts that one slice resolves. 1,000 of them take about 40 ms of processor time."""

MOST_READ: Final = 60_000
"""Facts of all files that one slice reads. 1,000 of them take about 10 ms, or 25 ms if they are not extracted yet."""

CONSTRUCTORS: Final = frozenset({"__init__", "__new__", "__call__", "__post_init__", "constructor", "<init>", "new"})
CALL_KINDS: Final = frozenset({"call", "new"})
"""Kinds of references that call something."""


class Demands(Protocol):
    """Demands that each collector of a slice makes of the others."""

    def reference(self, part: SlicePart, row: int, arguments: Iterable[int] | None = None) -> None:
        """Demand the value of a reference and those of its arguments at some positions, by default of all."""

    def include(self, part: SlicePart, scope: int) -> None:
        """Demand a scope and those around it."""

    def value(self, part: SlicePart, scope: int) -> None:
        """Demand a scope that is used as a value."""

    def path(self, part: SlicePart, scope: int, path: str) -> None:
        """Demand the names in an access path or type, as code in a scope means them."""


class SliceState:
    """The state of a slice.

    Parameters
    ----------
    family
        The files of one language family.

    Attributes
    ----------
    parts
        The parts of the files that are read, by path.
    members
        Last names of the members that are asked for, of every type in the slice.
    taking
        Last names of the functions that are given a function as an argument.
    when_added
        Functions that are called with each new part.
    cut
        True if a budget ended the slice, so that something that it depends on is missing.
    """

    def __init__(self, family: Family) -> None:
        self.family = family
        self.parts: dict[str, SlicePart] = {}
        self.members: set[str] = set()
        self.taking: set[str] = set()
        self.when_added: list[Callable[[SlicePart], None]] = []
        self.cut = False
        self._rows, self._read = MOST_ROWS, MOST_READ
        self._steps: deque[Callable[[], None]] = deque()

    def part(self, path: str) -> SlicePart | None:
        """Return the part of a file, which is then read; None if the budget is spent."""
        part = self.parts.get(path)
        if part is None and self._rows >= 0:
            number = self.family.number.get(path)
            if number is None:
                return None
            if self._read < 0:  # what depends on the files at hand is still followed
                self.cut = True
                return None
            index = self.family.index(path)
            self._read -= index.rows
            part = self.parts[path] = SlicePart(index, number)
            for added in self.when_added:
                added(part)
        return part

    def spend(self, rows: int) -> None:
        """Count facts that the slice resolves."""
        self._rows -= rows
        if self._rows < 0:
            self.cut = True

    def allow(self, rows: int) -> None:
        """Extend the budgets by facts that are in question themselves."""
        self._rows += rows
        self._read += rows

    @property
    def has_read_half(self) -> bool:
        """True if at least half of the facts that a slice may read are read."""
        return 2 * self._read <= MOST_READ

    def later(self, step: Callable[[], None]) -> None:
        """Append a step."""
        self._steps.append(step)

    def take_steps(self) -> bool:
        """Take all steps, also those that they append. Return True if one was taken.

        When the budget is spent, the rest is dropped.
        """
        taken = False
        while self._steps and self._rows >= 0:
            self._steps.popleft()()
            taken = True
        self._steps.clear()
        return taken
