"""Manifest files, which define module names: go.mod, package.json, tsconfig.json, Cargo.toml."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from codeexplore.languages import registry
from codeexplore.source.project_settings import FILE as SETTINGS
from codeexplore.source.safe_io import read_regular

MAX_MANIFEST_BYTES = 1_000_000  # bytes; a file written by hand is smaller


def manifests_of(root: Path, files: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the manifests that apply to the given files: path relative to the root → text.

    `files` contains pairs of path and language, and each language has its own names of manifests. A manifest applies to
    the files in its folder and below.

    Each manifest is read only once. Therefore the stored fingerprint always belongs to the text that was used for
    resolution. A manifest that cannot be read is left out; imports that depend on it then count as external.
    """
    beside: dict[str, set[str]] = {}  # language → folders of its files
    for path, language in files:
        beside.setdefault(language, set()).add(path.rpartition("/")[0])
    placed: dict[str, set[str]] = {}  # name → folders
    for language, folders in beside.items():
        if names := registry.by_name(language).manifests:
            above = _with_those_above(folders)
            for name in names:
                placed.setdefault(name, set()).update(above)
    placed.setdefault(SETTINGS, set()).add("")  # the settings of the repository name folders of tests
    found: dict[str, str] = {}
    for name in sorted(placed):
        for folder in sorted(placed[name]):
            path = f"{folder}/{name}" if folder else name
            text = _read(root, path)
            if text is not None:
                found[path] = text
    return found


def _read(root: Path, path: str) -> str | None:
    place = f"{root}/{path}"
    if not os.access(place, os.F_OK):  # most folders have none, and an exception for each would take longer
        return None
    try:
        data = read_regular(place, MAX_MANIFEST_BYTES + 1)
    except OSError:
        return None
    return _text(data) if len(data) <= MAX_MANIFEST_BYTES else None


def _text(data: bytes) -> str:
    """Return the text of a manifest, in which every line ends with a line feed."""
    return data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")


def manifests_beside(texts: Mapping[str, str], paths: Iterable[str], names: Sequence[str]) -> dict[str, str]:
    """Return the manifests in `texts` (path → text) that have one of `names` and apply to one of `paths`.

    A manifest applies to a path if it is in the same folder or in a folder above.
    """
    if not texts or not names:
        return {}
    folders = _with_those_above({posixpath.dirname(path) for path in paths})
    places = (posixpath.join(folder, name) for folder in folders for name in names)
    return {path: texts[path] for path in places if path in texts}


def _with_those_above(folders: Iterable[str]) -> list[str]:
    seen = {""}
    for folder in folders:
        around = folder
        while around not in seen:
            seen.add(around)
            around = around.rpartition("/")[0]
    return sorted(seen)
