"""Records of answers about single edges and about the whole graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from codeexplore.types import CallPath, Edge, EdgeKind, PossibleUse, Unresolved

Verdict: TypeAlias = Literal["edge", "possible", "override", "wrapped", "back", "path", "absent", "same"]
DeadKind: TypeAlias = Literal["unused", "mentioned", "dynamic", "registered", "exported"]
DEAD_KINDS: tuple[DeadKind, ...] = ("unused", "dynamic", "registered", "exported", "mentioned")
CANDIDATE_KINDS: tuple[DeadKind, ...] = ("unused", "dynamic", "registered", "exported")
"""Kinds of dead code listed unless others are asked for."""
EntryKind: TypeAlias = Literal["main", "script", "module", "registered", "test", "exported"]
ENTRY_KINDS: tuple[EntryKind, ...] = ("main", "script", "module", "registered", "test", "exported")


class SourceLine(NamedTuple):
    """One line of source, `line` 1-based, `text` without its line end."""

    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Because:
    """One edge, its rule in words and the source lines of its sites (the first ones)."""

    edge: Edge
    words: str
    lines: tuple[SourceLine, ...]


@dataclass(frozen=True, slots=True)
class Why:
    """The known facts about how one symbol uses another.

    `links` are the edges from source to target, surest first, those by name alone included; `back` those the other way
    round. Without a resolved edge `through` leads over a method that the target overrides, implements or is overridden
    by, or over a decorator of the source that calls the target, and `path` is the shortest chain of calls. `unresolved`
    are references in the source that share the target's name; `mentions` are lines of the source that contain the name,
    each with the symbols it resolves to instead. `verdict` is the strongest finding, `summary` states it in words.
    """

    source: str
    target: str
    verdict: Verdict
    summary: str
    links: tuple[Because, ...] = ()
    back: tuple[Because, ...] = ()
    through: tuple[CallPath, ...] = ()
    path: CallPath | None = None
    unresolved: tuple[Unresolved, ...] = ()
    mentions: tuple[PossibleUse, ...] = ()


@dataclass(frozen=True, slots=True)
class Cycle:
    """A strongly connected component: each of `members` leads to every other. `path` is a shortest cycle in it.

    `path` starts and ends at its most important member; members come by importance.
    """

    kind: EdgeKind  # CALLS or IMPORTS
    members: tuple[str, ...]
    path: CallPath


@dataclass(frozen=True, slots=True)
class Entry:
    """A symbol that is started from outside the repository, and the evidence for it."""

    symbol_id: str
    kind: EntryKind
    reason: str


@dataclass(frozen=True, slots=True)
class DeadCandidate:
    """A symbol that no edge and no unresolved reference leads to. `reasons` say why it has its kind.

    unused: nothing can use it. dynamic: strings, computed names or supertypes outside may reach it. registered: a
    decorator may. exported: code outside may use it. mentioned: its name is used in the repository, in a way that may
    mean it, so it is a candidate on request only.
    """

    symbol_id: str
    kind: DeadKind
    reasons: tuple[str, ...]
    lines: int  # of source


@dataclass(frozen=True, slots=True)
class Hub:
    """A symbol that many others use: PageRank over resolved calls, uses and supertypes; the highest has 1.0."""

    symbol_id: str
    score: float
    callers: int  # distinct symbols
    users: int  # distinct symbols, callers included
    files: int  # number of distinct files


@dataclass(frozen=True, slots=True)
class ModuleNode:
    """A module or folder: its path, its number of symbols and of files."""

    path: str
    symbols: int
    files: int


@dataclass(frozen=True, slots=True)
class ModuleEdge:
    """All resolved edges from one module or folder to another, counted by kind."""

    source: str
    target: str
    count: int
    kinds: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Community:
    """Symbols with more edges among each other than to the rest; named by its most central ones."""

    name: str
    members: tuple[str, ...]  # by centrality
    central: tuple[str, ...]
    inside: float  # share of the weight of its members' edges that stays inside, 0–1
    folders: Mapping[str, int] = field(default_factory=dict)  # folder → members, most first
