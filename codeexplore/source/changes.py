"""Comparison of two states of a folder: files that were added, changed, removed or moved."""

from __future__ import annotations

import posixpath
from collections import defaultdict, deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple


class Move(NamedTuple):
    """A file whose path changed and whose content did not."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Changes:
    """Paths of the files that changed between two states, sorted. Each path is in at most one field.

    A file whose path and content both changed is in `removed` with the old path and in `added` with the new one.
    """

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    moved: tuple[Move, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        return (*self.added, *self.changed, *self.removed, *(move.new for move in self.moved))

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed or self.moved)


def compare(old: Mapping[str, str], new: Mapping[str, str]) -> Changes:
    """Return the changes between two states, which map each file's path to the digest of its content."""
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
    """Return pairs of a removed and an added file with the same content, as moves.

    Files with the same name are paired first, then the other files in the order of their paths.
    """
    moved: list[Move] = []
    old_paths, new_paths = dict(removed), dict(added)
    for keep_name in (True, False):
        waiting: dict[tuple[str, str], deque[str]] = defaultdict(deque)
        for path in sorted(new_paths):
            waiting[new_paths[path], posixpath.basename(path) if keep_name else ""].append(path)
        pairs = []
        for path in sorted(old_paths):
            alike = waiting[old_paths[path], posixpath.basename(path) if keep_name else ""]
            if alike:
                pairs.append(Move(path, alike.popleft()))
        for pair in pairs:
            del old_paths[pair.old], new_paths[pair.new]
        moved += pairs
    return sorted(moved)
