"""The difference of two runs: the calls that only one of them has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from codeexplore.answers.blocks import Row
from codeexplore.answers.network import Arc, Network, Vertex
from codeexplore.answers.shown import Listing


class ChangedCall(NamedTuple):
    """A call that one of two runs has. Names are qualified names; `before` and `after` are numbers of calls."""

    source: str
    target: str
    before: int
    after: int

    @property
    def change(self) -> str:
        """``appeared`` or ``vanished``."""
        return "vanished" if self.before else "appeared"


@dataclass(frozen=True, slots=True, repr=False)
class DiffAnswer(Listing[ChangedCall]):
    """The calls that only one of two runs has. New calls come first."""

    items: tuple[ChangedCall, ...]
    titles: tuple[str, str] = ("run", "run")
    same: int = 0  # calls that both runs have

    @classmethod
    def of(
        cls, one: Mapping[tuple[str, str], int], two: Mapping[tuple[str, str], int], titles: tuple[str, str]
    ) -> DiffAnswer:
        """Return the difference of two runs, each given by its numbers of calls by (caller, callee)."""
        items = [ChangedCall(*pair, one.get(pair, 0), two.get(pair, 0)) for pair in dict.fromkeys((*one, *two))]
        changed = [item for item in items if not item.before or not item.after]
        changed.sort(key=lambda item: (bool(item.before), -(item.before + item.after), item.source, item.target))
        return cls(tuple(changed), titles, len(items) - len(changed))

    @property
    def appeared(self) -> tuple[ChangedCall, ...]:
        """The calls that only the other run has."""
        return tuple(item for item in self.items if not item.before)

    @property
    def vanished(self) -> tuple[ChangedCall, ...]:
        """The calls that only the first run has."""
        return tuple(item for item in self.items if not item.after)

    @property
    def headline(self) -> str:
        """``3 calls appear, 1 vanishes; 20 are in both runs``."""
        return f"{len(self.appeared):,} appear, {len(self.vanished):,} vanish; {self.same:,} are in both runs"

    @property
    def columns(self) -> tuple[str, ...]:
        """Headings of the columns."""
        return "change", "caller", "callee", "before", "after"

    def row(self, item: ChangedCall, number: int) -> Row:  # noqa: ARG002 - the rows are ordered, not numbered
        """Return a call as a row."""
        return Row((item.change, item.source, item.target, f"{item.before:,}", f"{item.after:,}"))

    def record(self, item: ChangedCall) -> dict[str, object]:
        """Return a call as plain data."""
        return dict(item._asdict())

    def network(self) -> Network:
        """Return the names as vertices and the calls as arcs."""
        names = dict.fromkeys(end for item in self.items for end in (item.source, item.target))
        position = {name: number for number, name in enumerate(names)}
        arcs = (
            Arc(position[item.source], position[item.target], "CALLS", item.change, count=item.before + item.after)
            for item in self.items
        )
        return Network(self.headline, tuple(Vertex(name, name, "function") for name in names), tuple(arcs))
