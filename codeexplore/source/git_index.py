"""Tracked files and ignore settings of a git checkout, read without running git.

The repository is untrusted, and git inside a repository obeys the repository's configuration: ``core.fsmonitor``, for
example, names a program to start. Therefore only files are read: the index for the tracked files, two settings, and the
path of the exclude file.
"""

from __future__ import annotations

import bisect
import os
import re
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from codeexplore.source.safe_io import read_regular

MAX_INDEX_BYTES = 256 << 20
"""Bytes. The index of a repository with two million files; a larger one is not read."""

_GITLINK = 0o160000
_EXTENDED = 0x4000


class Tracked:
    """The paths in a git index, as bytes relative to the worktree. The path of a folder has no slash at its end."""

    def __init__(self, files: Iterable[bytes] = (), modules: Iterable[bytes] = ()) -> None:
        self._files = frozenset(files)
        self._modules = frozenset(modules)
        self._ordered = sorted(self._files | self._modules)

    def has(self, file: bytes) -> bool:
        return file in self._files

    def has_below(self, folder: bytes) -> bool:
        """Return True if git tracks a file below `folder`, or if `folder` is a submodule."""
        if folder in self._modules:
            return True
        below = folder + b"/"
        place = bisect.bisect_left(self._ordered, below)
        return place < len(self._ordered) and self._ordered[place].startswith(below)


class IndexFormatError(Exception):
    """Signals a git index that is damaged or in a format that is not supported."""


@dataclass(frozen=True)
class Worktree:
    """A git checkout. `top` is the folder that contains the ``.git`` folder or file."""

    top: Path
    git_dir: Path
    common_dir: Path  # the git folder of the main checkout, if this checkout is linked to it

    @property
    def exclude_file(self) -> Path:
        """Path of ``info/exclude``, which need not exist."""
        return self.common_dir / "info" / "exclude"

    @cached_property
    def ignore_case(self) -> bool:
        """Value of ``core.ignorecase``, which git sets if the file system ignores case."""
        return bool(re.search(rb"(?mi)^[ \t]*ignorecase[ \t]*(?:=[ \t]*(?:true|yes|on|1)[ \t\r]*)?$", self._config))

    @cached_property
    def tracked(self) -> Tracked:
        """Return the paths in the index. There are none before the first ``git add``.

        Raises IndexFormatError if the index exists and can't be read.
        """
        try:
            data = read_regular(self.git_dir / "index", MAX_INDEX_BYTES + 1)
        except FileNotFoundError:
            return Tracked()
        except OSError as error:
            raise IndexFormatError(error.strerror or str(error)) from error
        if len(data) > MAX_INDEX_BYTES:
            raise IndexFormatError(f"larger than {MAX_INDEX_BYTES:,} bytes")
        return parse_index(data, 32 if re.search(rb"(?mi)^\s*objectformat\s*=\s*sha256", self._config) else 20)

    @cached_property
    def _config(self) -> bytes:
        try:
            return read_regular(self.common_dir / "config", 1 << 20)
        except OSError:
            return b""


def worktree_at(top: Path) -> Worktree | None:
    """Return the checkout whose ``.git`` folder or file is in the folder `top`; None if there is none."""
    marker = top / ".git"
    try:
        if marker.is_dir():
            git_dir = marker
        else:
            pointer = read_regular(marker, 4_096)
            if not pointer.startswith(b"gitdir:"):
                return None
            git_dir = top / pointer[7:].strip().decode("utf-8", "surrogateescape")
        if not os.path.isfile(git_dir / "HEAD"):  # noqa: PTH113 - Path.is_file raises for a name that is too long
            return None
    except (OSError, ValueError):  # ValueError: a NUL in the name
        return None
    try:
        common = git_dir / read_regular(git_dir / "commondir", 4_096).strip().decode("utf-8", "surrogateescape")
    except (OSError, ValueError):
        common = git_dir
    # a name that no folder can have, with a NUL or too long, is not searched
    return Worktree(top, git_dir, common if os.path.isdir(common) else git_dir)  # noqa: PTH112 - for the same reason


def worktree_around(folder: Path) -> Worktree | None:
    """Return the innermost checkout around `folder`, an absolute path; None if there is none."""
    return next((found for top in (folder, *folder.parents) if (found := worktree_at(top)) is not None), None)


def parse_index(data: bytes, hash_bytes: int = 20) -> Tracked:
    """Return the paths in a git index, format versions 2 to 4 (gitformat-index(5)).

    Raises IndexFormatError if the index is damaged, has another version, or is split into a base and a difference.
    """
    try:
        magic, version, count = struct.unpack_from(">4sII", data)
        if magic != b"DIRC" or not 2 <= version <= 4:
            raise IndexFormatError(f"magic {magic!r}, version {version}")
        entries, at = _entries(data, version, count, hash_bytes)
        if data[at : at + 4] == b"link":
            raise IndexFormatError("a split index")
    except (struct.error, IndexError, ValueError) as error:
        raise IndexFormatError(str(error)) from error
    return Tracked(
        (path for path, mode in entries if mode != _GITLINK), (path for path, mode in entries if mode == _GITLINK)
    )


def _entries(data: bytes, version: int, count: int, hash_bytes: int) -> tuple[list[tuple[bytes, int]], int]:
    """Return (path, mode) of each entry in a git index, and the position after the entries.

    Raises ValueError or IndexError if the data is cut short.
    """
    fixed = 40 + hash_bytes + 2
    at, path = 12, b""
    room = 16 * len(data)  # limit for all paths: version 4 stores common prefixes only once
    found = []
    for _ in range(count):
        mode = int.from_bytes(data[at + 24 : at + 28], "big")
        start = at
        extended = data[at + fixed - 2] & (_EXTENDED >> 8)
        at += fixed + (2 if extended else 0)
        if version == 4:
            dropped, at = _varint(data, at)
            end = data.index(b"\0", at)
            path = path[: len(path) - dropped] + data[at:end]
            at = end + 1
        else:
            end = data.index(b"\0", at)
            path = data[at:end]
            at = start + (end - start + 8) // 8 * 8
        found.append((path.rstrip(b"/"), mode))
        room -= len(path)
        if room < 0:
            raise ValueError("paths that unpack to many times the index")
    return found, at


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return the number at position `at`, in the offset encoding of pack files, and the position after it."""
    byte = data[at]
    value = byte & 0x7F
    while byte & 0x80:
        at += 1
        byte = data[at]
        value = ((value + 1) << 7) | (byte & 0x7F)
    return value, at + 1
