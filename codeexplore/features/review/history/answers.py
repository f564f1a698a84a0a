"""Answers about the history: of the repository, of a file or symbol, and what changed together with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeAlias

from codeexplore.answers import blocks as b
from codeexplore.answers.blocks import Block, Line, Row
from codeexplore.answers.data import Arc, Exports, Network, Vertex, symbol_dict, vertex_of
from codeexplore.answers.shown import Listing, place_of
from codeexplore.answers.wording import plural
from codeexplore.types import Symbol

if TYPE_CHECKING:
    from codeexplore.index.catalog import Catalog

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


_COMMITS = 12  # in a terminal
_PEOPLE = 8
_ID = 10  # characters of a commit's id


class FileActivity(NamedTuple):
    """The number and dates of the changes of a file, and who changed it most often."""

    path: str
    commits: int
    last: str  # day of the newest commit
    authors: int
    most: str  # name of the author of most of its commits


@dataclass(frozen=True, slots=True, repr=False)
class RepositoryHistoryAnswer(Listing[FileActivity]):
    """The history of the repository: a sequence of `FileActivity`, the files that changed most often first."""

    columns: ClassVar = ("file", "commits", "last", "authors", "most by")
    items: tuple[FileActivity, ...]
    contributors: tuple[Contributor, ...]  # `lines` is 0: lines are compared for one file at a time
    commits: int
    merges: int
    first: str  # day of the oldest commit, and of the newest
    last: str
    notes: tuple[str, ...] = ()

    @property
    def headline(self) -> str:
        if not self.commits:
            return "The history has no commit that changed a file"
        people = plural(len(self.contributors), "author")
        merges = f", {plural(self.merges, 'merge')} left out" if self.merges else ""
        return f"{plural(self.commits, 'commit')} by {people} from {self.first} to {self.last}{merges}"

    def row(self, item: FileActivity, number: int) -> Row:  # noqa: ARG002 - they are ordered, not numbered
        return Row((item.path, str(item.commits), b.Words(item.last), str(item.authors), item.most))

    def to_dict(self) -> dict[str, object]:
        people = [{"name": each.name, "commits": each.commits, "last": each.last} for each in self.contributors]
        facts = {"commits": self.commits, "merges": self.merges, "first": self.first, "last": self.last}
        return {**Listing.to_dict(self), "kind": "repository history", **facts, "authors": people}

    def blocks(self) -> list[Block]:
        people: list[Line] = [
            (each.name, b.Piece(f"  {plural(each.commits, 'commit')}, last {each.last}", "dim"))
            for each in self.contributors
        ]
        shown: list[Block] = [b.Heading(self.headline)]
        if self.items:
            shown.append(b.Table("Files, those that changed most often first", self.columns, self.rows(), brief=20))
            shown.append(b.Items(b.Words("authors, by commits"), people, "contributors", brief=_PEOPLE))
        return [*shown, *b.notes(self.notes)]


@dataclass(frozen=True, slots=True, repr=False)
class HistoryAnswer(Listing[CommitOf]):
    """The history of a file or symbol: a sequence of `CommitOf`, newest first, and the people who know it."""

    columns: ClassVar = ("day", "commit", "author", "lines", "files")
    target: Target
    items: tuple[CommitOf, ...]
    contributors: tuple[Contributor, ...]  # who knows the target best first
    names: tuple[str, ...] = ()  # earlier paths of the file, the newest first
    notes: tuple[str, ...] = ()

    @property
    def headline(self) -> str:
        name = name_of(self.target)
        if not self.items:
            return f"No commit changed {name}"
        first, last = self.items[-1].day, self.items[0].day
        span = f"on {last}" if first == last else f"from {first} to {last}"
        return f"{name} changed in {plural(len(self.items), 'commit')} {span}"

    def row(self, item: CommitOf, number: int) -> Row:  # noqa: ARG002 - they are ordered, not numbered
        return Row((b.Words(item.day), item.id[:_ID], item.author, str(item.lines), str(item.files)))

    def to_dict(self) -> dict[str, object]:
        people = {"contributors": [each._asdict() for each in self.contributors]}
        return {**Listing.to_dict(self), **target_dict(self.target), **people, "earlier_names": list(self.names)}

    def blocks(self) -> list[Block]:
        shown: list[Block] = [b.Heading(self.headline)]
        if self.items:
            rows = [
                Row((each.name, f"{each.weight:.0%}", str(each.lines), str(each.commits), b.Words(each.last)))
                for each in self.contributors
            ]
            caption = "Who knows it: shares of the changed lines, each halved for every year of age"
            shown.append(b.Table(caption, ("author", "share", "lines", "commits", "last"), rows, brief=_PEOPLE))
            shown.append(b.Table("Commits, newest first", self.columns, self.rows(), brief=_COMMITS))
        if self.names:
            shown.append(b.Items(b.Words("earlier paths of the file"), self.names, "names", brief=4))
        return [*shown, *b.notes(self.notes)]


@dataclass(frozen=True, slots=True, repr=False)
class TogetherAnswer(Listing[Together], Exports):
    """Files or symbols that changed in the same commits as the target: a sequence of `Together`, strongest first."""

    target: Target
    items: tuple[Together, ...]
    commits: int  # of the target, that were counted
    total: int  # items before the limit
    catalog: Catalog = field(repr=False, compare=False)
    notes: tuple[str, ...] = ()

    @property
    def headline(self) -> str:
        name, what = name_of(self.target), "file" if isinstance(self.target, str) else "symbol"
        if not self.items:
            return f"Nothing changed together with {name} in {plural(self.commits, 'commit')}"
        cut = f"; the strongest {len(self.items):,}" if len(self.items) < self.total else ""
        return f"{plural(self.total, what)} changed together with {name} in {plural(self.commits, 'commit')}{cut}"

    @property
    def hidden(self) -> tuple[Together, ...]:
        """Hidden coupling: items that often changed together with the target and have no path to it in the graph."""
        return tuple(each for each in self.items if is_hidden(each))

    @property
    def columns(self) -> tuple[str, ...]:
        if isinstance(self.target, str):
            return "file", "together", "confidence", "last", "graph"
        return "symbol", "where", "together", "confidence", "last", "graph"

    def row(self, item: Together, number: int) -> Row:  # noqa: ARG002 - they are ordered, not numbered
        graph: Line = b.Words("connected") if item.connected else b.Piece("no path", "warning")
        if item.connected is None:
            graph = b.Words("")
        counts = f"{item.support} of {item.commits}", f"{item.confidence:.2f}"
        name: tuple[Line, ...] = (item.item,) if isinstance(item.item, str) else (item.item, place_of(item.item))
        return Row((*name, *counts, b.Words(item.last), graph))

    def record(self, item: Together) -> dict[str, object]:
        return together_dict(item)

    def to_dict(self) -> dict[str, object]:
        return {**Listing.to_dict(self), **target_dict(self.target), "commits": self.commits, "total": self.total}

    def network(self) -> Network:
        vertices = (_vertex(self.catalog, self.target), *(_vertex(self.catalog, each.item) for each in self.items))
        arcs = tuple(
            Arc(0, number, "TOGETHER", confidence=each.confidence, count=each.support)
            for number, each in enumerate(self.items, start=1)
        )
        return Network(self.headline, vertices, arcs)

    def blocks(self) -> list[Block]:
        shown: list[Block] = [b.Heading(self.headline)]
        if self.items:
            title = "Strongest first: recent commits and commits of few files count more"
            shown.append(b.Table(title, self.columns, self.rows()))
        return [*shown, *b.notes(self.notes)]


class HiddenCoupling(NamedTuple):
    """Code that often changed together with the start of an impact, without a path to it; added to that answer."""

    items: tuple[Together, ...]

    @property
    def key(self) -> str:
        return "hidden"

    def blocks(self) -> list[Block]:
        return hidden_blocks(self.items)

    def to_dict(self) -> list[dict[str, object]]:
        return list(map(together_dict, self.items))


LEAST_SUPPORT, LEAST_CONFIDENCE = 3, 0.5
"""Least support and confidence of hidden coupling: at least three times, and in half of the commits of the target."""


def is_hidden(item: Together) -> bool:
    """Return True for code that often changed together with the target and has no path to it in the graph."""
    return item.connected is False and item.support >= LEAST_SUPPORT and item.confidence >= LEAST_CONFIDENCE


def hidden_blocks(items: Sequence[Together]) -> list[Block]:
    """Return hidden coupling as a list: ``a.py  changed together 8 of 11 times, no path in the graph``."""
    return [b.Items(b.Words("hidden coupling"), [_hidden_line(item) for item in items], "hidden")] if items else []


def _hidden_line(item: Together) -> Line:
    place: tuple[b.Inline, ...] = (item.item,) if isinstance(item.item, str) else (item.item, "  ", place_of(item.item))
    times = f"  changed together {item.support} of {item.commits} times, no path in the graph"
    return (*place, b.Piece(f"{times}{item.target and f'; with {item.target}'}", "dim"))


def name_of(target: Target) -> str:
    return target if isinstance(target, str) else target.fqn


def target_dict(target: Target) -> dict[str, object]:
    return {"path": target} if isinstance(target, str) else {"symbol": symbol_dict(target)}


def together_dict(item: Together) -> dict[str, object]:
    counts = {"support": item.support, "commits": item.commits, "confidence": round(item.confidence, 3)}
    when = {"last": item.last, "weight": round(item.weight, 4), "connected": item.connected}
    return {**target_dict(item.item), **counts, **when, "hidden": is_hidden(item), "examples": list(item.examples)}


def _vertex(catalog: Catalog, target: Target) -> Vertex:
    if isinstance(target, Symbol):
        return vertex_of(target)
    symbols = catalog.in_file(target)
    return vertex_of(symbols[0]) if symbols else Vertex(target, target, "module", target)
