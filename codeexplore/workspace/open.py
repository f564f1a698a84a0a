"""Opening of a repository that is given as one word, as on a command line or in a magic."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codeexplore.source.discovery import resolve_root
from codeexplore.source.git_url import is_remote
from codeexplore.types.errors import SourceError

if TYPE_CHECKING:
    from codeexplore.workspace.workspace import Workspace


def open_workspace(where: str, **options: Any) -> Workspace:
    """Return the workspace that `where` means: an existing folder first, then a git URL, then an installed package.

    `options` are those of `Workspace`. Raises the exceptions of its constructors.
    """
    from codeexplore.workspace.workspace import Workspace

    if not where.strip() or "\0" in where:
        resolve_root(where)  # raises the reason that it cannot be a folder
    if exists(where):
        return Workspace(where, **options)
    if is_remote(where):
        return Workspace.from_git(where, **options)
    if all(part.isidentifier() for part in where.split(".")):
        try:
            return Workspace.from_package(where, **options)
        except SourceError as error:
            raise type(error)(f"there is no folder {where!r}, and no package either: {error}") from error
    return Workspace(where, **options)


def exists(where: str) -> bool:
    """Return True if there is a file or folder at `where`. A name that no file can have (NUL, too long) gives False."""
    try:
        return os.path.lexists(Path(where).expanduser())
    except (RuntimeError, ValueError):  # a user without a home
        return False


def can_open(where: str) -> bool:
    """Return True if `open_workspace` finds something: a folder or file, a git URL, or an installed package."""
    from codeexplore.source.package import find_package

    if exists(where) or is_remote(where):
        return True
    if not all(part.isidentifier() for part in where.split(".")):
        return False
    try:
        find_package(where)
    except SourceError:
        return False
    return True
