"""Changes between two states of a folder."""

from __future__ import annotations

import posixpath
from collections import defaultdict, deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple


class Move(NamedTuple):
    """A file that has another path and the same content."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Changes:
    """Paths, each in at most one place, all sorted. A file that moved and changed is removed here and added there."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    moved: tuple[Move, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed or self.moved)


def compare(old: Mapping[str, str], new: Mapping[str, str]) -> Changes:
    """Return the changes from one state to another; a state is the digest of each file's content by path."""
    changed = sorted(path for path in old.keys() & new.keys() if old[path] != new[path])
    removed, added = old.keys() - new.keys(), new.keys() - old.keys()
    moved = _moves({path: old[path] for path in removed}, {path: new[path] for path in added})
    return Changes(
        tuple(sorted(added - {move.new for move in moved})),
        tuple(changed),
        tuple(sorted(removed - {move.old for move in moved})),
        tuple(moved),
    )


def _moves(removed: Mapping[str, str], added: Mapping[str, str]) -> list[Move]:
    """Pair removed with added files of the same content: first those that kept their name, then in order of paths."""
    moved: list[Move] = []
    gone, come = dict(removed), dict(added)
    for keep_name in (True, False):
        waiting: dict[tuple[str, str], deque[str]] = defaultdict(deque)
        for path in sorted(come):
            waiting[come[path], posixpath.basename(path) if keep_name else ""].append(path)
        pairs = []
        for path in sorted(gone):
            alike = waiting[gone[path], posixpath.basename(path) if keep_name else ""]
            if alike:
                pairs.append(Move(path, alike.popleft()))
        for pair in pairs:
            del gone[pair.old], come[pair.new]
        moved += pairs
    return sorted(moved)
