"""Limit on the steps of a resolution, with a record of the work left out to stay within it.

A step is a value that moves, a class looked through, an edge written: the things that a construct can multiply. Steps
are counted instead of seconds, so that the same files give the same graph on every machine.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

STEPS_PER_FACT: Final = 100
"""Steps for each fact (symbol, binding, reference …) of a family. The repositories that we measured take at most 8."""

LEAST_STEPS: Final = 200_000
"""Steps that any family may take: a second or less."""

_NAMED: Final = 3
_SPENT: Final = "steps was reached; edges may be missing anywhere"


class Work:
    """A count of steps with a limit, and the names that limits left out.

    Parameters
    ----------
    facts
        Number of facts of the family.
    """

    def __init__(self, facts: int) -> None:
        self.facts = facts
        self.steps = 0
        self.limit = LEAST_STEPS + STEPS_PER_FACT * facts
        self.left_out: dict[str, set[str]] = {}  # limit, in words → names that it concerns

    @property
    def is_spent(self) -> bool:
        """Return True if the limit is reached: the rest is done in the cheapest way."""
        return self.steps > self.limit

    def spend(self, steps: int) -> bool:
        """Count some steps; return False if the limit is reached."""
        self.steps += steps
        return self.steps <= self.limit

    def leave_out(self, limit: str, name: str) -> None:
        """Record that a limit left out something, by its name."""
        self.left_out.setdefault(limit, set()).add(name)

    def notes(self, family: str) -> list[str]:
        """Return the work that was left out, a sentence for each limit."""
        notes = []
        for limit, names in self.left_out.items():
            listed = sorted(names)
            more = f" and {len(listed) - _NAMED} more" if len(listed) > _NAMED else ""
            notes.append(f"{family}: {limit}: {', '.join(listed[:_NAMED])}{more}")
        if self.is_spent:
            notes.append(f"{family}: the limit of {self.limit:,} {_SPENT}")
        return notes


def cut_short(notes: Iterable[str]) -> str:
    """Return the notes of a graph which state that any of its edges may be missing, as one sentence; "" for none."""
    return "; ".join(note for note in notes if note.endswith(_SPENT))
