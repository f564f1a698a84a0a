"""Work folders of clones that were interrupted, and their reuse by the next attempt.

An attempt takes over such a folder by renaming it. Only one process can succeed, so no lock is needed.
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
    """Return the path of a new work folder. The caller knows it before the folder exists, and can always delete it."""
    return store / f".part-{secrets.token_hex(8)}"


def take(part: Path, commit: str) -> None:
    """Create the work folder, from an earlier attempt at this commit or empty. Raises OSError."""
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

    Without a commit, or if no objects were fetched, delete the folder.
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

    They were left by cancelled attempts and killed processes.
    """
    oldest = time.time() - KEPT_SECONDS
    for folder in [*store.glob(".left-*"), *store.glob(".part-*"), *store.glob(f"{PREFIX_CHANGED}*")]:
        if folder.stat().st_mtime < oldest:
            remove(folder)


def remove(folder: Path) -> None:
    """Delete a folder that may contain read-only files, as git's packs are on Windows; a missing folder is ignored."""
    if not folder.exists():
        return

    def writable_then_again(again: Callable[..., object], path: str, _: object) -> None:
        Path(path).chmod(stat.S_IWRITE)
        again(path)

    if sys.version_info >= (3, 12):
        shutil.rmtree(folder, onexc=writable_then_again)
    else:
        shutil.rmtree(folder, onerror=writable_then_again)
