"""Safe reading of one file.

It opens no pipe or device, follows no link, and reads at most the requested number of bytes.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from codeexplore.source import skip_reasons
from codeexplore.types import Skipped

SETTLED_NS = 2_000_000_000
"""Nanoseconds. The times of a file system have a resolution of two seconds at worst. A second write within this period
may leave the time unchanged."""

_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_NOFOLLOW", 0)  # a link put in the file's place after the folder was listed
    | getattr(os, "O_NONBLOCK", 0)  # a pipe put in its place: open returns at once instead of waiting for a writer
)


class NotRegular(OSError):
    """The entry at the path is not an ordinary file."""


def read_regular(path: str | Path, limit: int) -> bytes:
    """Return the first `limit` bytes of the ordinary file `path`.

    To notice a file that is too large, set `limit` to one byte more than the largest accepted size. Raises NotRegular
    if the path is a link, pipe, socket, device or folder, which is not opened, and OSError if the file can't be read.
    """
    if "\0" in os.fspath(path):  # a name out of the repository; Python would raise ValueError
        raise NotRegular(f"{os.fspath(path)!r:.80} is not a path")
    if not stat.S_ISREG(os.lstat(path).st_mode):
        raise NotRegular(f"{os.fspath(path)} is not an ordinary file")
    descriptor = os.open(path, _FLAGS)
    try:
        state = os.fstat(descriptor)
        if not stat.S_ISREG(state.st_mode):
            raise NotRegular(f"{os.fspath(path)} is not an ordinary file")
        return _read(descriptor, limit, state.st_size)
    finally:
        os.close(descriptor)


def _read(descriptor: int, limit: int, size: int) -> bytes:
    blocks = []
    wanted = limit
    # Ask for one byte more than the size: if the file grew meanwhile, the new bytes are read too.
    while wanted > 0 and (block := os.read(descriptor, min(wanted, size + 1))):
        blocks.append(block)
        wanted -= len(block)
        size = max(size - len(block), 1 << 16)
    return blocks[0] if len(blocks) == 1 else b"".join(blocks)


def failure(path: str, error: OSError) -> Skipped:
    """Return the skip that reports `error`, a system error on the file `path` (relative to the root)."""
    if isinstance(error, NotRegular):
        return Skipped(path, skip_reasons.SPECIAL, "no longer an ordinary file")
    if isinstance(error, (FileNotFoundError, NotADirectoryError)):
        return Skipped(path, skip_reasons.VANISHED, "deleted while the folder was read")
    if isinstance(error, PermissionError):
        return Skipped(path, skip_reasons.NO_PERMISSION, error.strerror or "")
    return Skipped(path, skip_reasons.UNREADABLE, error.strerror or str(error))


def printable(name: str) -> str:
    r"""Return the file name `name` as text that can be encoded to UTF-8. Undecodable bytes become ``\xff``."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")
