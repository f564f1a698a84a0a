"""Clones of the repositories that are given as URLs."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.workspace.progress import Bar, ProgressHook

if TYPE_CHECKING:
    import threading


def is_remote(where: str) -> bool:
    """Return True if `where` names a remote repository: a URL, or the short form ``user@host:path`` of an ssh URL."""
    return "://" in where or where.startswith("git@")


def name_of(url: str) -> str:
    """Return the name of a repository, which is the last part of its URL."""
    return url.rstrip("/").rpartition("/")[2].removesuffix(".git") or url


def cloned(
    url: str,
    name: str,
    ref: str | None = None,
    *,
    progress: ProgressHook | None = None,
    cancel: threading.Event | None = None,
) -> Path:
    """Clone a repository and return its folder; see `Workspace.from_git`. Raises GitError and LoadCancelled."""
    from codeexplore.source.git_clone import clone

    with Bar(name) if progress is None else nullcontext(progress) as hook:
        return clone(url, ref, progress=hook, cancel=cancel)
