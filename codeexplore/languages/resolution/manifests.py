"""The files that name modules and are no source: go.mod, package.json, tsconfig.json, Cargo.toml."""

from __future__ import annotations

import os
import posixpath
import stat
from collections.abc import Iterable
from pathlib import Path

MAX_MANIFEST_BYTES = 1_000_000  # nobody writes a larger one


def read_manifests(root: Path | None, paths: Iterable[str], names: Iterable[str]) -> dict[str, str]:
    """Texts by path relative to the root, of every named file that stands beside one of `paths` or above one.

    One that can't be read is left out: imports through it then count as leading outside.
    """
    names = tuple(names)
    if root is None or not names:
        return {}
    found: dict[str, str] = {}
    for folder in _folders(paths):
        for name in names:
            path = f"{folder}/{name}" if folder else name
            try:
                state = os.lstat(f"{root}/{path}")  # a link may lead out of the repository; a pipe would be waited for
                if stat.S_ISREG(state.st_mode) and state.st_size <= MAX_MANIFEST_BYTES:
                    found[path] = (root / path).read_text("utf-8", errors="replace")
            except OSError:
                continue
    return found


def _folders(paths: Iterable[str]) -> list[str]:
    seen = {""}
    for path in paths:
        folder = posixpath.dirname(path)
        while folder not in seen:
            seen.add(folder)
            folder = posixpath.dirname(folder)
    return sorted(seen)
