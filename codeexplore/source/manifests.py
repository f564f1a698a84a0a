"""Manifest files, which define module names: go.mod, package.json, tsconfig.json, Cargo.toml."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from codeexplore.languages import registry
from codeexplore.languages.base import LINKS
from codeexplore.source.project_settings import FILE as SETTINGS
from codeexplore.source.safe_io import read_regular

_MAX_LINKS = 1_000  # of one folder
_MAX_PATH_BYTES = 200
_LINKED = (".py",)  # endings of files that are read although they may be no links
_PATH = re.compile(r"[\w.-]+(?:/[\w.-]+)*\.py")
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
            text = _read(root, path) if name != LINKS else _links(root, folder)
            if text is not None:
                found[path] = text
    return found


def _links(root: Path, folder: str) -> str | None:
    """Return the symbolic links in a folder that lead to files or folders below `root`; see `LINKS`.

    A checkout without symbolic links has a small file in place of each, whose text is the path.
    """
    found, top = [], os.path.realpath(root)
    try:
        with os.scandir(root / folder) as entries:
            links = sorted((entry.name, _written_path(entry)) for entry in entries)
    except OSError:
        return None  # the folder is gone
    for name, written in [link for link in links if link[1]][:_MAX_LINKS]:
        target = Path(os.path.realpath(root / folder / written))
        if target.is_relative_to(top) and os.path.lexists(target):
            found.append(f"{name}\t{target.relative_to(top).as_posix()}\n")
    return "".join(found) or None


def _written_path(entry: os.DirEntry[str]) -> str:
    """Return the name of a link, or the path that a file in place of a link contains; "" for any other entry."""
    if entry.is_symlink():
        return entry.name
    small = entry.name.endswith(_LINKED) and entry.is_file() and entry.stat().st_size < _MAX_PATH_BYTES
    text = read_regular(entry.path, _MAX_PATH_BYTES).decode("utf-8", "replace") if small else ""
    return text if _PATH.fullmatch(text) and text != entry.name else ""


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
