"""Records of a walk over folders: candidate files, folders to enter, and names for the other entries."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from codeexplore.languages.base import Language
    from codeexplore.source.ignore_scope import IgnoreScope

NOTEBOOK = "notebook"
"""Language name of Jupyter notebooks."""


class Languages(Protocol):
    """The part of `codeexplore.languages.registry` that discovery needs."""

    def by_path(self, path: str) -> Language | None:
        """Return the language of a file by its name."""

    def by_shebang(self, first_line: bytes) -> Language | None:
        """Return the language of a script by its first line."""


class Candidate(NamedTuple):
    """A file that is worth reading."""

    path: str  # relative to the root, POSIX separators
    size: int  # bytes
    mtime_ns: int  # nanoseconds since the epoch
    language: str  # a Language.name
    wanted: bool = False  # named by the caller: not left out as generated or minified
    ctime_ns: int = 0  # nanoseconds since the epoch: when its inode changed; on Windows when it was made
    inode: int = 0  # 0 on Windows


class Folder(NamedTuple):
    """A folder to enter."""

    path: str  # relative to the root, "" or ending in a slash
    ignore_scope: IgnoreScope  # of the folder around it
    beside: frozenset[str] = frozenset()
    wanted: bool = False  # entered whatever it contains


def measured(path: str, state: os.stat_result, language: str, wanted: bool) -> Candidate:
    """Return the candidate for a file with this status."""
    return Candidate(path, state.st_size, state.st_mtime_ns, language, wanted, state.st_ctime_ns, state.st_ino)


def kind_of(mode: int) -> str:
    """Return the name for an entry that is not an ordinary file."""
    kinds = {
        stat.S_IFIFO: "pipe",
        stat.S_IFSOCK: "socket",
        stat.S_IFCHR: "character device",
        stat.S_IFBLK: "block device",
        stat.S_IFLNK: "link",
    }
    return kinds.get(stat.S_IFMT(mode), "not an ordinary file")
