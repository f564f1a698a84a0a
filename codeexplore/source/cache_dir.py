"""The cache folder, in which the package keeps its own files between sessions."""

from __future__ import annotations

import os
from pathlib import Path

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
