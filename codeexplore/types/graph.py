"""Edges between symbols, and the results of traversals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from codeexplore.types.brief import brief_repr
from codeexplore.types.kinds import Direction, EdgeKind

AbsenceKind: TypeAlias = Literal["none", "possible", "unknown"]
UseForm: TypeAlias = Literal["call", "name", "string"]


class Site(NamedTuple):
    """A place in the source, `line` 1-based."""

    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Edge:
    """A resolved use: `source` uses `target` (both Symbol ids); `kind` is the kind of use."""

    source: str
    target: str
    kind: EdgeKind
    manner: str  # call, new, property, decorator, with, callback, type, read, base, import, definition …
    rule: str  # the resolution rule that made it, a key of graph.build.rules
    confidence: float  # 0–1; below settings.RESOLVED_CONFIDENCE the edge is only "possible by name"
    sites: tuple[Site, ...] = ()
    in_test: bool = False


class Unresolved(NamedTuple):
    """A reference no rule could resolve, kept so that questions about absence can be answered honestly."""

    source: str  # Symbol id of the scope that contains it
    name: str  # last name of the access path
    receiver: str  # the text before it, "" for a bare name
    kind: str
    site: Site


class PossibleUse(NamedTuple):
    """A place in the source that may use a symbol although no resolved edge says so.

    `form` is "call" for a name with arguments, "string" for a name that is a whole string, else "name". `receiver`
    is True if the name is a member: ``x.name``. `text` is the source line without its indentation, at most
    200 characters. `targets` are the qualified names to which this place resolves instead; empty where it resolves to
    nothing.
    """

    site: Site
    form: UseForm
    receiver: bool
    text: str
    targets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Absence:
    """Meaning of an empty answer.

    `kind` is "none" if no reference in the repository can be a use of the symbol; "possible" if some may be, listed in
    `mentions` as far as they are places in the source; "unknown" if the index lacks the facts to decide. `text` is the
    same as a sentence. `min_confidence` is the highest value of that option with which the same request has an answer;
    None where there is none, or none is known.
    """

    kind: AbsenceKind
    text: str
    mentions: tuple[PossibleUse, ...] = ()
    min_confidence: float | None = None

    def __str__(self) -> str:
        return self.text


class Reached(NamedTuple):
    """A symbol of a traversal, with its distance from the nearest seed and the symbol it was reached from."""

    symbol_id: str
    depth: int
    via: str | None
    confidence: float  # of the weakest edge on the way


@dataclass(frozen=True, slots=True)
class CallPath:
    """A chain of symbols, each linked to the next by one edge: ``len(edges) == len(symbol_ids) - 1``.

    `edges[i]` joins `symbol_ids[i]` and `symbol_ids[i + 1]`, in either direction (compare its source).
    """

    symbol_ids: tuple[str, ...]
    edges: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class PathsFound:
    """Paths between two symbols (ids). `absence` is None if there is a call path from source to target."""

    source: str
    target: str
    paths: tuple[CallPath, ...] = ()
    absence: Absence | None = None


class Extent(NamedTuple):
    """Number of symbols that a relation reaches from its seeds, without the seeds.

    `certain` are reached over resolved edges, `possible` by names alone. `left_out` were not followed because of the
    size limit of a traversal: if it is not 0, the numbers are lower bounds.
    """

    certain: int = 0
    possible: int = 0
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Subgraph:
    """Result of a traversal. `reached` starts with the seeds (depth 0) and is ordered by depth, then confidence.

    `possible` are edges below the confidence of a resolved one: never counted as resolved. `unresolved` are references
    that share a seed's name and resolve to nothing. `absence` is the meaning of an empty answer, else None. `notes`
    list other possible uses of the seeds: they are exported, or their names occur in strings. `tests` are the tests
    among all symbols of an impact, those that were cut included.
    """

    __repr__ = brief_repr

    relation: str
    seeds: tuple[str, ...]
    reached: tuple[Reached, ...]
    edges: tuple[Edge, ...]
    possible: tuple[Edge, ...] = ()
    unresolved: tuple[Unresolved, ...] = ()
    absence: Absence | None = None
    cut: int = 0  # symbols left out because of the size limit
    direction: Direction = "in"  # of the traversal: against the edges, along them, or both
    notes: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()  # ids
