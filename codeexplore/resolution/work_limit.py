"""Limit on the steps of a resolution, with a record of the work that was left out.

A step is a value that moves, a class that is searched, or an edge that is written. Steps are counted instead of
seconds, so that the same files give the same graph on every machine.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from codeexplore.text.enumeration import shortened

STEPS_PER_FACT: Final = 100
"""Maximal number of steps for each fact (symbol, binding, reference …) of a family.

The repositories that we measured need at most 8."""

LEAST_STEPS: Final = 200_000
"""Number of steps that a family may take whatever its number of facts. They take a second or less."""

_NAMED: Final = 3
_SPENT: Final = "steps was reached; edges may be missing anywhere"


class Work:
    """A counter of steps with a limit, and the names that were left out.

    Parameters
    ----------
    facts
        Number of facts of the family.
    """

    def __init__(self, facts: int) -> None:
        self.facts = facts
        self.steps = 0
        self.limit = LEAST_STEPS + STEPS_PER_FACT * facts
        self.left_out: dict[str, set[str]] = {}  # description of a limit → names that it left out

    @property
    def is_spent(self) -> bool:
        """True if the limit is reached. The rest of the work is then done in the cheapest way."""
        return self.steps > self.limit

    def spend(self, steps: int) -> bool:
        self.steps += steps
        return self.steps <= self.limit

    def leave_out(self, limit: str, name: str) -> None:
        self.left_out.setdefault(limit, set()).add(name)

    def notes(self, family: str) -> list[str]:
        """Return a sentence for each limit about the work that was left out."""
        notes = []
        for limit, names in self.left_out.items():
            notes.append(f"{family}: {limit}: {shortened(sorted(names), _NAMED)}")
        if self.is_spent:
            notes.append(f"{family}: the limit of {self.limit:,} {_SPENT}")
        return notes


def cut_short(notes: Iterable[str]) -> str:
    """Return the notes that state that any edge may be missing, as one sentence; "" if there are none."""
    return "; ".join(note for note in notes if note.endswith(_SPENT))
