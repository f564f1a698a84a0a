"""Manifest files, which define module names (go.mod, package.json, tsconfig.json, Cargo.toml), settings, licences.

The settings are the table ``[tool.codeexplore]`` of the ``pyproject.toml`` in the root. All these files are untrusted:
they are read as data, their size is bounded, and a value of a wrong type is reported and not used.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from codeexplore.languages import registry
from codeexplore.languages.base import LINKS, words
from codeexplore.languages.file_roles import PathRoles
from codeexplore.languages.python.locate import parse_toml
from codeexplore.source.safe_io import read_regular

FILE: Final = "pyproject.toml"
_MAX_ITEMS: Final = 1_000  # of a list
_KEYS: Final = ("ignore", "source-roots", "tests", "evaluation")


class ProjectSettings(NamedTuple):
    """The settings of a repository.

    ``source-roots`` are read with the other manifests of Python (`languages.python.locate`).
    """

    ignore: tuple[str, ...] = ()  # patterns as in a .codeexploreignore in the root
    tests: tuple[str, ...] = ()  # folders of tests, relative to the root, POSIX
    evaluation: str = ""  # path of a file of questions, relative to the root, POSIX
    problems: tuple[str, ...] = ()  # what was not used, and why


def project_settings(root: Path) -> ProjectSettings:
    """Return the settings of the repository in the folder `root`, without any if it has none or they can't be read."""
    return _settings(read_manifest(root, FILE) or "")


def path_roles(manifests: Mapping[str, str]) -> PathRoles:
    """Return the roles of a repository's files, given the texts of its manifests by path."""
    return PathRoles(_settings(manifests.get(FILE, "")).tests, _others_folders(manifests))


_LICENCES: Final = (
    "LICENSE", "LICENSE.md", "LICENSE.txt", "LICENSE.rst", "LICENSE-MIT", "LICENSE.MIT", "License.txt", "license.txt",
    "LICENCE", "COPYING",
)  # fmt: skip
_LICENCE_CHARS: Final = 20_000
_LICENCE_LINE: Final = 300  # characters
_HOLDER = re.compile(r"\W*copyright\W*(?:\(c\)|©|\d{4})(?:\W|\d|present|by\b)*(.+)", re.IGNORECASE)
_ADDRESS = re.compile(r"<[^<>\n]*>|\S*(?:://|@)\S*")
_NAME = re.compile(r"[^\W\d_]{3,}")
_OF_ANYBODY: Final = words(
    "all rights reserved the and its inc ltd llc gmbh company corporation free software foundation project team authors"
    " contributors developers others"
)


def _others_folders(manifests: Mapping[str, str]) -> list[str]:
    """Return the folders whose licence names other holders than the repository's: copies of others' libraries."""
    holders: dict[str, set[str]] = {}  # folder → words of names
    for path, text in manifests.items():
        folder, _, name = path.rpartition("/")
        if name in _LICENCES:
            lines = (_ADDRESS.sub(" ", line[:_LICENCE_LINE]) for line in text[:_LICENCE_CHARS].splitlines())
            named = " ".join(held[1] for line in lines if (held := _HOLDER.match(line)) is not None)
            found = {*_NAME.findall(named.casefold())} - _OF_ANYBODY
            holders.setdefault(folder, set()).update(found)
    own = holders.pop("", None)
    others = (folder for folder, found in holders.items() if own is not None and found and found.isdisjoint(own))
    return sorted(others)


def _settings(text: str) -> ProjectSettings:
    tools = parse_toml(text).get("tool") if "codeexplore" in text else None
    table = tools.get("codeexplore") if isinstance(tools, dict) else None
    if table is None:
        return ProjectSettings()
    if not isinstance(table, dict):
        return ProjectSettings(problems=("[tool.codeexplore] is not a table",))
    problems = [f"[tool.codeexplore] has no setting {key!r:.100}" for key in table if key not in _KEYS]
    ignore, tests, evaluation = table.get("ignore", []), table.get("tests", []), table.get("evaluation", "")
    if not _is_list(ignore):
        problems.append("ignore is not a list of at most 1,000 patterns")
        ignore = []
    if not _is_list(tests):
        problems.append("tests is not a list of at most 1,000 folders")
        tests = []
    wrong = [each for each in tests if not _is_below(each)]
    problems += [f"tests names {each!r:.100}, which is not a folder below the root" for each in wrong]
    if not _is_below(evaluation):
        problems.append("evaluation is not the path of a file below the root")
        evaluation = ""
    folders = (posixpath.normpath(each) for each in tests if _is_below(each))
    return ProjectSettings(tuple(ignore), tuple(folders), evaluation, tuple(problems))


def _is_below(path: Any) -> bool:
    return isinstance(path, str) and not Path(path).is_absolute() and ".." not in Path(path).parts


def _is_list(value: object) -> bool:
    return isinstance(value, list) and len(value) <= _MAX_ITEMS and all(isinstance(each, str) for each in value)


_MAX_LINKS = 1_000  # of one folder
_MAX_PATH_BYTES = 200
_LINKED = (".py",)  # endings of files that are read although they may be no links
_PATH = re.compile(r"[\w.-]+(?:/[\w.-]+)*\.py")
MAX_MANIFEST_BYTES = 1_000_000  # bytes; a file written by hand is smaller


def manifests_of(root: Path, files: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the manifests that apply to the given files: path relative to the root → text.

    `files` contains pairs of path and language, and each language has its own names of manifests. A manifest applies to
    the files in its folder and below, and so does a licence.

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
    placed.setdefault(FILE, set()).add("")  # the settings of the repository name folders of tests
    everywhere = _with_those_above(set().union(*beside.values()))
    for name in _LICENCES:
        placed.setdefault(name, set()).update(everywhere)
    found: dict[str, str] = {}
    for name in sorted(placed):
        for folder in sorted(placed[name]):
            path = f"{folder}/{name}" if folder else name
            text = read_manifest(root, path) if name != LINKS else _links(root, folder)
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


def read_manifest(root: Path, path: str) -> str | None:
    """Return the text of a manifest; None for one that is missing, too large or cannot be read."""
    place = f"{root}/{path}"
    if not os.access(place, os.F_OK):  # most folders have none, and an exception for each would take longer
        return None
    try:
        data = read_regular(place, MAX_MANIFEST_BYTES + 1)
    except OSError:
        return None
    text = data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    return text if len(data) <= MAX_MANIFEST_BYTES else None


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
