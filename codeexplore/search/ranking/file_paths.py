"""Relations between files that follow from their paths: old versions, and twins."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from typing import Final, NamedTuple


class Newer(NamedTuple):
    """Name of the folder of an old version, and of the newest version beside it, such as ``v1`` and ``v2``."""

    old: str
    new: str


_VERSION: Final = re.compile(r"v(\d{1,4})(?:(alpha|beta|rc)(\d{0,4}))?")


def superseded(paths: Iterable[str]) -> dict[str, Newer]:
    """Return path → folder of its old version and the newest version beside it, for each path in such a folder.

    Folders of versions have names such as ``v1``, ``v2``, ``v2beta1``. A release is newer than its beta versions.
    """
    newest: dict[str, tuple[tuple[int, int, str, int], str]] = {}  # folder → its newest version and that one's name
    found: list[tuple[str, str, str]] = []  # path, folder, and the name of the version in it
    for path in paths:
        if "/v" not in f"/{path}":  # few have such a folder, and matching every folder's name takes long
            continue
        parts = path.split("/")[:-1]
        for place, name in enumerate(parts):
            version = _version(name)
            if version is not None:
                folder = "/".join(parts[:place])
                found.append((path, folder, name))
                newest[folder] = max(newest.get(folder, (version, name)), (version, name))
    return {path: Newer(name, newest[folder][1]) for path, folder, name in found if newest[folder][1] != name}


def _version(name: str) -> tuple[int, int, str, int] | None:
    """Return a sort key for the version in a folder's name; None if the name is not that of a version."""
    match = _VERSION.fullmatch(name)
    if match is None:
        return None
    number, stage, step = match.groups()
    return int(number), stage is None, stage or "", int(step or 0)


_MOST_TWINS: Final = 4
"""A name that more files have is a convention of the language or the project: ``index``, ``mod``, ``__init__``."""


def twins(paths: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return path → its twins, in order, for each path that has twins.

    Twins have the same name up to its first dot. They are in one folder (``foo.h`` and ``foo.c``), or in folders whose
    paths differ in one place (``unix/fs.rs`` and ``windows/fs.rs``).
    """
    named: dict[str, list[str]] = {}
    for path in paths:
        named.setdefault(posixpath.basename(path).partition(".")[0], []).append(path)
    few = (alike for name, alike in named.items() if name and 1 < len(alike) <= _MOST_TWINS)
    found = {path: tuple(other for other in alike if _are_twins(path, other)) for alike in few for path in alike}
    return {path: others for path, others in found.items() if others}


def _are_twins(path: str, other: str) -> bool:
    """Return True if two paths with the same name are in one folder, or in folders that differ in one place."""
    folders, others = path.split("/")[:-1], other.split("/")[:-1]
    if path == other or len(folders) != len(others):
        return False
    return sum(one != two for one, two in zip(folders, others, strict=True)) < 2
