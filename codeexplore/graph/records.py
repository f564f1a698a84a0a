"""Records in answers about single edges and in answers about the whole graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from codeexplore.types import CallPath, Edge, EdgeKind, PossibleUse, Unresolved

Finding: TypeAlias = Literal["edge", "possible", "override", "wrapped", "back", "path", "absent", "same"]
DeadKind: TypeAlias = Literal["unused", "mentioned", "dynamic", "registered", "exported"]
DEAD_KINDS: tuple[DeadKind, ...] = ("unused", "dynamic", "registered", "exported", "mentioned")
CANDIDATE_KINDS: tuple[DeadKind, ...] = ("unused", "dynamic", "registered", "exported")
"""Kinds of dead code listed unless others are asked for."""
EntryKind: TypeAlias = Literal["main", "script", "module", "registered", "test", "exported"]
ENTRY_KINDS: tuple[EntryKind, ...] = ("main", "script", "module", "registered", "test", "exported")


class SourceLine(NamedTuple):
    """One source line. `line` is 1-based; `text` has no line end."""

    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Because:
    """Explanation of one edge: the edge, a description of its rule, and the source lines of its first sites."""

    edge: Edge
    words: str
    lines: tuple[SourceLine, ...]


@dataclass(frozen=True, slots=True)
class Why:
    """The known facts about how one symbol uses another.

    `through` are indirect paths, if no resolved edge exists. Such a path leads over a method that overrides the target
    or that the target overrides or implements, or over a decorator of the source that calls the target. `path` is the
    shortest chain of calls, if neither a resolved edge nor an indirect path exists.
    """

    source: str
    target: str
    verdict: Finding  # the strongest finding
    summary: str  # the finding as a sentence
    links: tuple[Because, ...] = ()  # edges from source to target, most confident first, also those by name alone
    back: tuple[Because, ...] = ()  # edges from target to source
    through: tuple[CallPath, ...] = ()
    path: CallPath | None = None
    unresolved: tuple[Unresolved, ...] = ()  # references in the source that have the target's name
    mentions: tuple[PossibleUse, ...] = ()  # lines of the source with the target's name, and what it means there


@dataclass(frozen=True, slots=True)
class Cycle:
    """A strongly connected component: every member can be reached from every other member.

    `members` are ordered by importance. `path` is a shortest cycle that starts and ends at the most important member.
    """

    kind: EdgeKind  # CALLS or IMPORTS
    members: tuple[str, ...]
    path: CallPath


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry point: a symbol that is started from outside the repository. `reason` is the evidence for this."""

    symbol_id: str
    kind: EntryKind
    reason: str


@dataclass(frozen=True, slots=True)
class DeadCandidate:
    """A symbol to which no edge and no unresolved reference leads. `reasons` explain the candidate's kind.

    Kinds:

    - unused: nothing can use it.
    - dynamic: strings, names built at run time, or supertypes outside the repository may reach it.
    - registered: a decorator may register or call it.
    - exported: code outside the repository may use it.
    - mentioned: its name occurs at places that may use it. Such candidates are listed only on request.
    """

    symbol_id: str
    kind: DeadKind
    reasons: tuple[str, ...]
    lines: int  # number of source lines


@dataclass(frozen=True, slots=True)
class Hub:
    """A symbol that many other symbols use.

    `score` is its PageRank over resolved calls, uses and supertypes, divided by the highest PageRank.
    """

    symbol_id: str
    score: float
    callers: int  # distinct symbols
    users: int  # distinct symbols, callers included
    files: int  # number of distinct files


@dataclass(frozen=True, slots=True)
class ModuleNode:
    """A module or folder: its path, the number of its symbols and the number of its files."""

    path: str
    symbols: int
    files: int


@dataclass(frozen=True, slots=True)
class ModuleEdge:
    """All resolved edges from one module or folder to another.

    `count` is the number of edges, and `kinds` maps each kind to its number of edges.
    """

    source: str
    target: str
    count: int
    kinds: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Community:
    """Group of symbols that have more edges to each other than to other symbols.

    `name` lists the names of `central`.
    """

    name: str
    members: tuple[str, ...]  # most central first
    central: tuple[str, ...]  # ids of the most central members
    inside: float  # weight of edges between members / weight of all edges that touch a member, 0–1
    folders: Mapping[str, int] = field(default_factory=dict)  # folder → number of members, largest first
