"""Work folders of interrupted clones, which the next attempt uses again.

An attempt takes such a folder over by renaming it. Only one process can succeed in this, so no lock is needed.
"""

from __future__ import annotations

import secrets
import shutil
import stat
import sys
import time
from collections.abc import Callable
from pathlib import Path

KEPT_SECONDS = 7 * 24 * 3600
"""Seconds after which a partial clone is not resumed."""

PREFIX_CHANGED = ".changed-"
"""Prefix of folders with clones that somebody changed after they were made."""


def place(store: Path) -> Path:
    """Return the path of a new work folder, which does not exist yet.

    The caller knows the path before the folder is made, and can therefore always delete the folder.
    """
    return store / f".part-{secrets.token_hex(8)}"


def take(part: Path, commit: str) -> None:
    """Create the work folder `part`. Raises OSError.

    It is the folder of an earlier attempt at this commit, or an empty folder.
    """
    _sweep(part.parent)
    left = _left(part.parent, commit)
    if commit and left.is_dir():
        try:
            left.replace(part)
        except OSError:  # another process took it first
            part.mkdir(mode=0o700)
    else:
        part.mkdir(mode=0o700)


def leave(part: Path, commit: str) -> None:
    """Keep the work folder of a failed clone for the next attempt at this commit.

    If `commit` is "" or no objects were fetched, the folder is deleted.
    """
    if not part.exists():
        return
    if commit and any(part.glob(".git/objects/pack/*.pack")):
        try:
            part.replace(_left(part.parent, commit))
        except OSError:  # another attempt has kept its folder already
            remove(part)
        return
    remove(part)


def _left(store: Path, commit: str) -> Path:
    return store / f".left-{commit}"


def _sweep(store: Path) -> None:
    """Delete partial clones that are older than `KEPT_SECONDS`.

    They are left from cancelled attempts and from processes that were killed.
    """
    oldest = time.time() - KEPT_SECONDS
    for folder in [*store.glob(".left-*"), *store.glob(".part-*"), *store.glob(f"{PREFIX_CHANGED}*")]:
        if folder.stat().st_mtime < oldest:
            remove(folder)


def remove(folder: Path) -> None:
    """Delete `folder`, which may contain read-only files (on Windows, git's packs are). A missing folder is ignored."""
    if not folder.exists():
        return

    def writable_then_again(again: Callable[..., object], path: str, _: object) -> None:
        Path(path).chmod(stat.S_IWRITE)
        again(path)

    if sys.version_info >= (3, 12):
        shutil.rmtree(folder, onexc=writable_then_again)
    else:
        shutil.rmtree(folder, onerror=writable_then_again)
