"""The cache folder: the package's own files between sessions."""

from __future__ import annotations

import os
from pathlib import Path

VARIABLE = "CODEEXPLORE_CACHE"
"""Environment variable that names another cache folder."""


def cache_folder() -> Path:
    """The cache folder of this user, which need not exist: $CODEEXPLORE_CACHE, else the platform's usual place.

    Raises OSError for a user without a home.
    """
    override = os.environ.get(VARIABLE, "").strip()
    try:
        if override:
            return Path(override).expanduser().absolute()
        from platformdirs import user_cache_path

        folder = user_cache_path("codeexplore", appauthor=False)
    except RuntimeError:  # pathlib, and platformdirs from some version on
        folder = Path("~")
    if not folder.is_absolute():
        raise OSError(f"this user has no home folder; set {VARIABLE} to a folder for the cache")
    return folder


def make_private(folder: Path) -> Path:
    """Create a folder and its parents, open to this user only where the system knows such rights. Raises OSError."""
    missing = [folder]
    while not missing[-1].parent.exists():
        missing.append(missing[-1].parent)
    for each in reversed(missing):
        each.mkdir(mode=0o700, exist_ok=True)
    return folder


def check_private(folder: Path) -> None:
    """Refuse a folder of the cache into which another user could have put something.

    Looks at every folder from below the cache folder down to this one; those that do not exist are in order. The cache
    folder itself may be shared. Windows knows no such rights here.

    Raises
    ------
    PermissionError
        One of them belongs to somebody else, or others may write to it.
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
            raise PermissionError(f"other users may write to {str(each)!r}: chmod 700 it if all it holds is yours")
