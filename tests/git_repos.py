"""Real git for tests: repositories made from scratch, untouched by the settings of whoever runs them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

ENVIRONMENT = {
    **{key: value for key, value in os.environ.items() if not key.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_AUTHOR_DATE": "2024-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2024-01-01T00:00:00Z",
}


def git(folder: Path | str, *words: str, stdin: bytes = b"", allowed: tuple[int, ...] = (0,)) -> bytes:
    """Run git in a folder and return what it prints."""
    command = ["git", "-C", str(folder), *words]
    done = subprocess.run(command, input=stdin, capture_output=True, env=ENVIRONMENT, check=False)
    assert done.returncode in allowed, done.stderr.decode("utf-8", "replace")
    return done.stdout


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files, given by path, below a folder."""
    for path, content in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def repository(folder: Path, files: Mapping[str, str | bytes], message: str | None = "all") -> Path:
    """A repository with these files, committed unless the message is None."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q", "-b", "main", "--template=")
    write(folder, files)
    if message is not None:
        commit(folder, message)
    return folder


def commit(folder: Path, message: str, files: Mapping[str, str | bytes] | None = None) -> str:
    """Commit everything, after writing these files; returns the commit."""
    write(folder, files or {})
    git(folder, "add", "-A", "-f")
    git(folder, "commit", "-q", "--allow-empty", "-m", message)
    return git(folder, "rev-parse", "HEAD").decode().strip()
