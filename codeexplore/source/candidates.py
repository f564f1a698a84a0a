"""What a walk over folders meets: candidates, folders to look into, and what other entries are called."""

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
    """What discovery asks of `codeexplore.languages.registry`."""

    def by_path(self, path: str) -> Language | None:
        """The language of a file by its name."""

    def by_shebang(self, first_line: bytes) -> Language | None:
        """The language of a script by its first line."""


class Candidate(NamedTuple):
    """A file that is worth reading."""

    path: str  # relative to the root, POSIX separators
    size: int  # bytes
    mtime_ns: int  # nanoseconds since the epoch
    language: str  # a Language.name
    wanted: bool = False  # asked for by name: not left out for being generated or minified
    ctime_ns: int = 0  # nanoseconds since the epoch: when its inode changed; on Windows when it was made
    inode: int = 0  # 0 on Windows


class Folder(NamedTuple):
    """A folder to look into."""

    path: str  # relative to the root, "" or ending in a slash
    place: IgnoreScope  # of the folder it lies in
    beside: frozenset[str] = frozenset()
    wanted: bool = False  # looked into whatever it holds


def measured(path: str, state: os.stat_result, language: str, wanted: bool) -> Candidate:
    """A file as it was found."""
    return Candidate(path, state.st_size, state.st_mtime_ns, language, wanted, state.st_ctime_ns, state.st_ino)


def kind_of(mode: int) -> str:
    """What something that is no ordinary file is called."""
    kinds = {
        stat.S_IFIFO: "pipe",
        stat.S_IFSOCK: "socket",
        stat.S_IFCHR: "character device",
        stat.S_IFBLK: "block device",
        stat.S_IFLNK: "link",
    }
    return kinds.get(stat.S_IFMT(mode), "not an ordinary file")
