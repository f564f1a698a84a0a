"""Clones in the cache: work folders, and the check that a clone is complete, unchanged and owned by this user.

A finished clone contains a seal file, which is written last. The file has the commit and two digests of the folder. The
first digest covers sizes, times and inodes, and costs one stat per file. If the first digest differs (after a copy of
the cache), the second digest, over contents, decides.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import secrets
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from stat import S_ISDIR, S_ISLNK, S_ISREG, S_IWRITE

logger = logging.getLogger("codeexplore")

_KEPT_SECONDS = 7 * 24 * 3600
_PREFIX_WORK = ".part-"
_PREFIX_CHANGED = ".changed-"  # of clones that somebody changed after they were made
_SEAL = "codeexplore-seal.json"
_MOST_SEAL_BYTES = 4_096
_OBJECTS = "objects"  # in .git: it is not indexed, so the digests leave it out


def seal(clone: Path, commit: str) -> None:
    """Mark a clone as complete by writing its seal file. Raises OSError."""
    found = {"commit": commit, "state": _digest(clone, contents=False), "contents": _digest(clone, contents=True)}
    (clone / ".git" / _SEAL).write_text(json.dumps(found), "utf-8")


def is_sealed(clone: Path) -> bool:
    """Return True if the clone has a seal file. Later changes to the clone are not checked."""
    return (clone / ".git" / _SEAL).is_file()


def is_unchanged(clone: Path, commit: str) -> bool:
    """Return True if the folder `clone` is a complete clone of `commit` and no file was changed since the checkout.

    The folder must be owned by this user, see `cache_dir.check_private`. Raises OSError for a file that cannot be read.
    """
    path = clone / ".git" / _SEAL
    try:
        if path.stat().st_size > _MOST_SEAL_BYTES:
            return False
        found = json.loads(path.read_text("utf-8"))
        if not isinstance(found, dict) or found.get("commit") != commit:
            return False
        if found.get("state") == _digest(clone, contents=False):
            return True
        if found.get("contents") != _digest(clone, contents=True):
            return False
    except (FileNotFoundError, NotADirectoryError, ValueError, RecursionError):
        return False
    seal(clone, commit)
    return True


def set_aside(clone: Path) -> Path:
    """Rename a changed clone and return its new path, so that a new clone can be made.

    The renamed clone is deleted a week later. Raises OSError.
    """
    place = Path(tempfile.mkdtemp(prefix=_PREFIX_CHANGED, dir=clone.parent))
    clone.rename(place / clone.name)
    os.utime(place)
    logger.warning(
        "the clone %s was changed or is incomplete: it is renamed to %s, and cloned again", clone, place / clone.name
    )
    return place / clone.name


def new_place(store: Path) -> Path:
    """Return the path of a new work folder, which does not exist yet.

    The caller knows the path before the folder is made, and can therefore always delete the folder.
    """
    return store / f"{_PREFIX_WORK}{secrets.token_hex(8)}"


def sweep(store: Path) -> None:
    """Delete work folders and changed clones that are older than `_KEPT_SECONDS`.

    A work folder is left from a process that was killed.
    """
    oldest = time.time() - _KEPT_SECONDS
    for folder in [*store.glob(f"{_PREFIX_WORK}*"), *store.glob(f"{_PREFIX_CHANGED}*")]:
        if folder.stat().st_mtime < oldest:
            remove(folder)


def remove(folder: Path) -> None:
    """Delete `folder`, which may contain read-only files (on Windows, git's packs are). A missing folder is ignored."""
    if not folder.exists():
        return

    def writable_then_again(again: Callable[..., object], path: str, _: object) -> None:
        Path(path).chmod(S_IWRITE)
        again(path)

    if sys.version_info >= (3, 12):
        shutil.rmtree(folder, onexc=writable_then_again)
    else:
        shutil.rmtree(folder, onerror=writable_then_again)


def _digest(clone: Path, *, contents: bool) -> str:
    """Return a digest of all files in a folder except the seal.

    It covers either their contents, or their names, modes, sizes, times and inodes.
    """
    digest = hashlib.blake2b(digest_size=16)
    for name, entry in _entries(clone):
        state = os.lstat(entry)
        mode = state.st_mode
        facts = [name, mode]
        if S_ISLNK(mode):
            facts.append(str(Path(entry).readlink()))
        elif S_ISREG(mode) and not contents:
            facts += [state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino]
        digest.update(json.dumps(facts).encode())
        if contents and S_ISREG(mode):
            with Path(entry).open("rb") as stream:
                digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()


def _entries(clone: Path) -> Iterator[tuple[str, str]]:
    """Yield (name, path) of the files and links below a folder, by name, without the seal and git's objects."""
    top, git = os.fspath(clone), os.fspath(clone / ".git")
    for folder, names, files in os.walk(top, onerror=_raise):
        if folder == git:
            names[:] = [name for name in names if name != _OBJECTS]
        names.sort()
        links = [name for name in names if not S_ISDIR(os.lstat(f"{folder}{os.sep}{name}").st_mode)]
        for name in sorted([*files, *links]):
            if folder != git or name != _SEAL:
                path = f"{folder}{os.sep}{name}"
                yield os.path.relpath(path, top), path


def _raise(error: OSError) -> None:
    raise error
