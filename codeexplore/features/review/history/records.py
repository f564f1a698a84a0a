"""Records of the history of a file or symbol."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from codeexplore.types import Symbol

Target: TypeAlias = "Symbol | str"
"""A symbol, or the path of a file."""


class Together(NamedTuple):
    """Something that changed in the same commits as the target.

    `support` commits changed both. `confidence` is their share of the commits of the target that were counted
    (`commits`), as in an association rule target ⇒ item. `weight` is the number by which the items are sorted.
    """

    item: Target
    support: int
    commits: int
    confidence: float  # support / commits, 0 to 1
    last: str  # day of the newest commit that changed both: "2024-05-31"
    weight: float
    connected: bool | None = None  # the graph has a path between the two; None if this was not asked
    examples: tuple[str, ...] = ()  # ids of the newest commits that changed both
    target: str = ""  # name of the target, if several were asked for


class Contributor(NamedTuple):
    """An author of the target. Addresses are never part of the name."""

    name: str
    commits: int
    lines: int  # added or changed by the author, as far as commits were compared
    last: str  # day of the newest commit
    weight: float  # share of all authors' lines, each line halved for every year of age, 0 to 1


class CommitOf(NamedTuple):
    """A commit that changed the target."""

    id: str
    day: str  # in UTC: "2024-05-31"
    author: str
    files: int  # that it changed
    lines: int  # of the target that it added or changed; 0 if it was not compared


class TargetHistory(NamedTuple):
    """The number, dates and authors of the changes of a file or symbol."""

    commits: tuple[CommitOf, ...]  # newest first
    contributors: tuple[Contributor, ...]  # who knows most first
    names: tuple[str, ...] = ()  # earlier paths of the file, the newest first
    notes: tuple[str, ...] = ()
