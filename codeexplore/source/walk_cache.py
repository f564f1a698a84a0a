"""Cache of directory listings, so that the next walk lists only folders that changed.

Adding, removing or renaming an entry changes the times of its folder. Therefore a folder whose times and inode are
unchanged has the same entries as before. Its files are still examined one by one, because an edit changes only the
times of the file. Decisions of ignore files and of git's index remain valid while these files are unchanged.

Times of less than two seconds before the walk are not trusted, because the entry may change again without getting a new
time. Only file systems that are known to maintain times are trusted. Git's untracked cache works in the same way.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from codeexplore.source.gitignore import GITIGNORE, OWN
from codeexplore.source.project_settings import FILE as SETTINGS
from codeexplore.source.safe_io import SETTLED_NS
from codeexplore.types import Skipped

if TYPE_CHECKING:
    from codeexplore.source.candidates import Candidate, Folder
    from codeexplore.source.git_index import Worktree
    from codeexplore.source.ignore_scope import IgnoreScope

RULE_NAMES = frozenset({GITIGNORE, OWN, SETTINGS, ".git"})
"""Names of entries that influence which files are chosen."""

_MARKS = (".git", ".git/HEAD")
"""Paths in a folder that make it a git checkout."""

_TRUSTED = frozenset({"ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "tmpfs", "overlay", "zfs", "bcachefs", "jfs"})

Stamp: TypeAlias = "tuple[int, int, int, int, int]"
"""Device, inode, time of the last change of content and of the inode (nanoseconds), size (bytes; 0 for folders)."""

Watched: TypeAlias = "tuple[str, Stamp | None]"
"""A path that rules were read from, and its stamp; None if it did not exist."""


def stamp_of(state: os.stat_result, *, sized: bool = False) -> Stamp:
    """Return the stamp of a file or folder, which changes with it; `sized` includes the size."""
    return state.st_dev, state.st_ino, state.st_mtime_ns, state.st_ctime_ns, state.st_size if sized else 0


def is_reliable(stamp: Stamp | None, taken_ns: int) -> bool:
    """Return True if any change after the time `taken_ns` gives the file or folder a stamp other than `stamp`."""
    return stamp is None or max(stamp[2], stamp[3]) <= taken_ns - SETTLED_NS


class Listing(NamedTuple):
    """The entries of one folder as a walk classified them. The lists are not changed after they are cached."""

    folder: Folder
    names: frozenset[str]
    ignore_scope: IgnoreScope  # the scope inside the folder
    files: list[Candidate]
    others: list[str]  # paths to examine in every walk: links, scripts without an extension, large files
    skipped: list[Skipped]  # the other entries
    inner: list[Folder]  # the folders in it that are entered
    problems: list[Skipped]  # lines of its ignore files that could not be used
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class ScanCache:
    """Directory listings of one walk. The next walk over the same root with the same settings uses them."""

    key: tuple[object, ...]
    outside: tuple[IgnoreScope, list[Skipped]]  # result of `scope_of_root`
    rules: tuple[Watched, ...]
    listings: Mapping[str, Listing] = field(repr=False)  # by path of the folder

    def is_valid(self, key: tuple[object, ...]) -> bool:
        """Return True if the settings `key` are the same and every file with ignore rules is unchanged."""
        return self.key == key and all(_stamp_at(path) == stamp for path, stamp in self.rules)


def snapshot(
    root: Path,
    key: tuple[object, ...],
    outside: tuple[IgnoreScope, list[Skipped]],
    listings: Mapping[str, Listing],
    taken_ns: int,
) -> ScanCache | None:
    """Return the cache of a walk that began at `taken_ns`; None if the file system's times are not reliable."""
    if "" not in listings or not mtime_is_reliable(root):
        return None
    rules = tuple((path, _stamp_at(path)) for path in sorted(_rule_paths(root, outside[0], listings.values())))
    if not all(is_reliable(stamp, taken_ns) for _, stamp in rules):
        return None
    device = listings[""].stamp[0]
    kept = {
        path: listing
        for path, listing in listings.items()
        if listing.stamp[0] == device and is_reliable(listing.stamp, taken_ns)
    }
    return ScanCache(key, outside, rules, kept)


def _stamp_at(path: str) -> Stamp | None:
    try:
        state = os.lstat(path)
    except (OSError, ValueError):
        return None
    if stat.S_ISDIR(state.st_mode):
        # Each git command creates a lock file in .git and so changes the times of the folder: compare the inode only.
        return state.st_dev, state.st_ino, 0, 0, 0
    return stamp_of(state, sized=True)


def _rule_paths(root: Path, outside: IgnoreScope, listings: Iterable[Listing]) -> set[str]:
    """Return every path whose content determines the ignore rules, outside the root and inside it."""
    above = [root, *root.parents]
    paths = {str(folder / name) for folder in above for name in _MARKS}
    if outside.worktree is not None:
        top = outside.worktree.top
        paths |= {str(folder / name) for folder in above if folder.is_relative_to(top) for name in (GITIGNORE, OWN)}
        paths |= _git_paths(outside.worktree)
    for listing in listings:
        rule_names = listing.names & RULE_NAMES
        paths |= {str(root / listing.folder.path / name) for name in rule_names}
        paths |= {str(root / listing.folder.path / name) for name in _MARKS if ".git" in rule_names}
        if ".git" in rule_names and listing.ignore_scope.worktree is not None:
            paths |= _git_paths(listing.ignore_scope.worktree)
    return paths


def _git_paths(worktree: Worktree) -> set[str]:
    inside = {str(worktree.git_dir / name) for name in ("HEAD", "commondir", "index")}
    return inside | {str(worktree.common_dir / "config"), str(worktree.exclude_file), str(worktree.top / ".git")}


def mtime_is_reliable(root: Path) -> bool:
    """Return True if a folder on the root's file system always gets a new time when its entries change."""
    if sys.platform == "darwin":
        return True
    if sys.platform != "linux":
        return False  # Windows writes them late, and FAT not at all
    try:
        rows = Path("/proc/self/mountinfo").read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return False
    best, kind = -1, ""
    for row in rows:
        before, _, after = row.partition(" - ")
        point = before.split(" ")[4].replace("\\040", " ")
        if root.is_relative_to(point) and len(point) >= best:
            best, kind = len(point), after.split(" ")[0]
    return kind in _TRUSTED
