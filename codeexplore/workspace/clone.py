"""Clone of a git URL into a folder, with a progress bar."""

from __future__ import annotations

import threading
from contextlib import nullcontext
from pathlib import Path

from codeexplore.workspace.progress import Bar, ProgressHook


def is_remote(where: str) -> bool:
    """Return True if a text names a remote repository: a URL, or git's short form of an ssh one."""
    return "://" in where or where.startswith("git@")


def name_of(url: str) -> str:
    """Return the name of a repository by its URL: its last part."""
    return url.rstrip("/").rpartition("/")[2].removesuffix(".git") or url


def cloned(
    url: str,
    name: str,
    ref: str | None = None,
    *,
    progress: ProgressHook | None = None,
    cancel: threading.Event | None = None,
) -> Path:
    """Return the folder of a clone; see `Workspace.from_git`. Raises GitError and LoadCancelled."""
    from codeexplore.source.git_clone import clone

    with Bar(name) if progress is None else nullcontext(progress) as hook:
        return clone(url, ref, progress=hook, cancel=cancel)
