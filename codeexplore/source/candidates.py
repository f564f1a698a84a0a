"""Records of a walk over folders: candidate files, and folders to enter."""

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
    """The functions of `codeexplore.languages.registry` that discovery needs."""

    def by_path(self, path: str) -> Language | None:
        """Return the language of a file by its name; None if it is unknown."""

    def by_default(self, path: str) -> Language | None:
        """Return the language of a file that no other language claims; None to leave it out."""

    def by_shebang(self, first_line: bytes) -> Language | None:
        """Return the language of a script by its first line; None if it is unknown."""


class Candidate(NamedTuple):
    """A file that discovery has chosen for reading."""

    path: str  # relative to the root, POSIX separators
    size: int  # bytes
    mtime_ns: int  # nanoseconds since the epoch
    language: str  # a Language.name
    wanted: bool = False  # asked for by the user: not left out as generated or minified
    ctime_ns: int = 0  # nanoseconds since the epoch: last change of the inode; on Windows, creation of the file
    inode: int = 0  # 0 on Windows


class Folder(NamedTuple):
    """A folder that the walk will enter."""

    path: str  # relative to the root, "" or ending in a slash
    ignore_scope: IgnoreScope  # the scope of the parent folder
    beside: frozenset[str] = frozenset()  # names of the entries in the parent folder
    wanted: bool = False  # asked for by the user: entered even if its content marks it as a build directory


def measured(path: str, state: os.stat_result, language: str, wanted: bool) -> Candidate:
    return Candidate(path, state.st_size, state.st_mtime_ns, language, wanted, state.st_ctime_ns, state.st_ino)


def kind_of(mode: int) -> str:
    """Return a word such as "pipe" for an entry that is not an ordinary file. `mode` is the mode of its status."""
    kinds = {
        stat.S_IFIFO: "pipe",
        stat.S_IFSOCK: "socket",
        stat.S_IFCHR: "character device",
        stat.S_IFBLK: "block device",
        stat.S_IFLNK: "link",
    }
    return kinds.get(stat.S_IFMT(mode), "not an ordinary file")
