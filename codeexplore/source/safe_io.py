"""Safe reading and writing of one file: all files that somebody else may have written are opened here.

No pipe or device is opened or waited for, no link is followed, and a bounded number of bytes is read. The cache folder,
in which the package keeps its own files between sessions, is private to its user.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO

from codeexplore.source import skip_reasons
from codeexplore.types import Skipped

SETTLED_NS = 2_000_000_000
"""Nanoseconds. The times of a file system have a resolution of two seconds at worst. A second write within this period
may leave the time unchanged."""

LARGEST = 1 << 26
"""Bytes of a file that a user named, or that was loaded before."""

_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_NOFOLLOW", 0)  # a link put in the file's place after the folder was listed
    | getattr(os, "O_NONBLOCK", 0)  # a pipe put in its place: open returns at once instead of waiting for a writer
)


class NotRegular(OSError):
    """The entry at the path is not an ordinary file."""


def read_regular(path: str | Path, limit: int, within: Path | None = None) -> bytes:
    """Return the first `limit` bytes of the ordinary file `path`.

    To notice a file that is too large, set `limit` to one byte more than the largest accepted size. Raises NotRegular
    if the path is a link, pipe, socket, device or folder, which is not opened, or if its folder is not `within` another
    one, and OSError if the file can't be read.
    """
    if within is not None and not Path(os.path.realpath(Path(_possible(path)).parent)).is_relative_to(within.resolve()):
        raise NotRegular(f"{os.fspath(path)} is outside of {within}")
    descriptor = _opened(path)
    try:
        return _read(descriptor, limit, os.fstat(descriptor).st_size)
    finally:
        os.close(descriptor)


def read_given(path: str | Path, limit: int = LARGEST) -> bytes:
    """Return the content of a file that a user named, which may be a link. Raises OSError above `limit` bytes."""
    data = read_regular(os.path.realpath(_possible(path)), limit + 1)
    if len(data) > limit:
        raise OSError(errno.EFBIG, f"it has more than {limit:,} bytes")
    return data


def open_given(path: str | Path) -> IO[bytes]:
    """Open an ordinary file that a user named, which may be a link."""
    return os.fdopen(_opened(os.path.realpath(_possible(path))), "rb")


def write_whole(path: Path, parts: Iterable[str]) -> None:
    """Write the parts of a text to a file of another name, and rename it: a reader never sees some of them.

    A link at `path` is replaced, not followed. Raises OSError, and then an existing file is as before.
    """
    other = path.with_name(f".{path.name}.{secrets.token_hex(6)}.part")
    try:
        with other.open("x", encoding="utf-8", newline="\n") as stream:
            stream.writelines(parts)
        other.replace(path)
    finally:
        other.unlink(missing_ok=True)


def given_path(path: str | os.PathLike[str]) -> Path:
    """Return a path that a user named, with the home folder for ``~``. The name of an unknown user stays."""
    return Path(os.path.expanduser(path))  # noqa: PTH111 - Path.expanduser raises RuntimeError for an unknown user


def is_given(path: str | Path, kind: Callable[[Path], bool] = Path.exists) -> bool:
    """Return `kind` of a path that a user named; False for a name that no file can have."""
    try:
        return kind(given_path(path))
    except (OSError, ValueError):
        return False


def _possible(path: str | Path) -> str | Path:
    """Return a path that a file may have. Raises NotRegular for others, where Python would raise ValueError."""
    try:
        if b"\0" not in os.fsencode(path):
            return path
    except UnicodeEncodeError:  # a surrogate that stands for no byte
        pass
    raise NotRegular(f"{os.fspath(path)!r:.80} is not a path")


def _opened(path: str | Path) -> int:
    if not stat.S_ISREG(os.lstat(_possible(path)).st_mode):
        raise NotRegular(f"{os.fspath(path)} is not an ordinary file")
    descriptor = os.open(path, _FLAGS)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise NotRegular(f"{os.fspath(path)} is not an ordinary file")
    return descriptor


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


VARIABLE = "CODEEXPLORE_CACHE"
"""Environment variable that selects another cache folder."""


def cache_folder() -> Path:
    """Return the path of this user's cache folder, which may not exist yet.

    It is $CODEEXPLORE_CACHE if this variable is set, otherwise the usual folder of the platform. Raises OSError for a
    user without a home folder.
    """
    override = os.environ.get(VARIABLE, "").strip()
    try:
        if override:
            return Path(override).expanduser().absolute()
        from platformdirs import user_cache_path

        folder = user_cache_path("codeexplore", appauthor=False)
    except RuntimeError:  # raised by pathlib and by newer versions of platformdirs
        folder = Path("~")
    if not folder.is_absolute():
        raise OSError(f"this user has no home folder; set {VARIABLE} to a folder for the cache")
    return folder


def make_private(folder: Path) -> Path:
    """Create `folder` and its parents, so that only this user may open them where possible. Raises OSError."""
    missing = [folder]
    while not missing[-1].parent.exists():
        missing.append(missing[-1].parent)
    for each in reversed(missing):
        each.mkdir(mode=0o700, exist_ok=True)
    return folder


def check_private(folder: Path) -> None:
    """Raise an error if another user could have written to `folder`, a folder in the cache.

    The check covers each folder from the cache folder (exclusive) down to `folder`. Folders that do not exist pass the
    check. The cache folder itself may be shared. Windows has no such permissions, so the check does nothing there.
    Raises PermissionError if one of the folders belongs to another user, or other users may write to it.
    """
    if not hasattr(os, "getuid"):
        return
    top, me = cache_folder(), os.getuid()
    for each in reversed([folder, *folder.parents]):
        if top not in each.parents or not os.path.lexists(each):
            continue
        if each.lstat().st_uid != me or each.stat().st_uid != me:
            raise PermissionError(f"{str(each)!r} belongs to another user")
        if each.stat().st_mode & 0o022:
            raise PermissionError(
                f"other users may write to {str(each)!r}: run chmod 700 on it if all its files are yours"
            )
