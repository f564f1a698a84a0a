"""Where the package keeps files of its own between sessions."""

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
