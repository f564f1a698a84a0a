"""The files that name modules and are no source: go.mod, package.json, tsconfig.json, Cargo.toml."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from pathlib import Path

from codeexplore.types import FileFacts

MAX_MANIFEST_BYTES = 1_000_000


def read_manifests(root: Path | None, files: Iterable[FileFacts], names: Iterable[str]) -> dict[str, str]:
    """Texts by path relative to the root, of every named file that stands beside a source file or above one.

    One that can't be read is left out: imports through it then count as leading outside.
    """
    names = tuple(names)
    if root is None or not names:
        return {}
    found: dict[str, str] = {}
    for folder in _folders(files):
        for name in names:
            path = posixpath.join(folder, name)
            place = root / path
            try:
                if place.is_file() and place.stat().st_size <= MAX_MANIFEST_BYTES:
                    found[path] = place.read_text("utf-8", errors="replace")
            except OSError:
                continue
    return found


def _folders(files: Iterable[FileFacts]) -> list[str]:
    seen = {""}
    for facts in files:
        folder = posixpath.dirname(facts.path)
        while folder not in seen:
            seen.add(folder)
            folder = posixpath.dirname(folder)
    return sorted(seen)
