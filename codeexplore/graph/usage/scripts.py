"""Manifests that start or register code: scripts of packages, programs of crates, plug-ins."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterable, Iterator
from glob import escape
from pathlib import Path
from typing import Any, Final, NamedTuple

from codeexplore.languages.python.entry_points import entry_points
from codeexplore.languages.python.locate import parse_toml
from codeexplore.source.manifests import MAX_MANIFEST_BYTES, manifests_of
from codeexplore.source.safe_io import read_regular

_ORDER: Final = ("pyproject.toml", "setup.cfg", "setup.py", "package.json", "Cargo.toml")
_PROGRAMS: Final = frozenset({"console_scripts", "gui_scripts"})
_PROGRAM_TABLES: Final = ("bin", "example", "bench")  # of Cargo.toml; each has a `main`, or a macro in its place
_RUN: Final = re.compile(
    r"(?:^|[\s;&|])(?:node|nodemon|tsx|ts-node|bun|deno run|python3?)\s+(?:-\S+\s+)*(?:\./)?([\w./-]+\.\w+)"
)
"""A command of a package's ``scripts`` that runs a file."""


class Script(NamedTuple):
    """A script that a manifest declares.

    It starts either an object, whose dotted name is `name`, or a whole file, whose path is `path`; `name` is then "".
    """

    script: str
    manifest: str
    name: str
    path: str = ""
    group: str = ""  # of plug-ins; "" for a program

    @property
    def said(self) -> str:
        """Clause on what the manifest does with the object or the file."""
        if self.group:
            return f"{self.manifest} registers it as {self.script} ({self.group})"
        return f"{self.manifest} {'starts it' if self.name else 'names its file'} as {self.script}"


def read_scripts(root: Path | None, files: Iterable[tuple[str, str]]) -> tuple[Script, ...]:
    """Return the scripts that manifests below `root` declare: those at the root first, then by the folders' depth.

    `files` contains pairs of path and language; a manifest is read in the folders of the files and above. One that
    cannot be read is ignored. If `root` is the folder of an installed package, scripts that its distribution
    (``NAME-VERSION.dist-info`` beside it) declares are included.
    """
    if root is None:
        return ()
    found: list[Script] = []
    for beside in sorted(root.parent.glob(f"{escape(root.name)}-*.dist-info")):
        found += _of_python("entry_points.txt", _text(beside / "entry_points.txt"))
    texts = {path: text for path, text in manifests_of(root, files).items() if posixpath.basename(path) in _ORDER}
    for path in sorted(texts, key=lambda path: (path.count("/"), _ORDER.index(posixpath.basename(path)), path)):
        name = posixpath.basename(path)
        read = _of_package if name == "package.json" else _of_crate if name == "Cargo.toml" else _of_python
        found += read(path, texts[path])
    names: dict[tuple[str, str, str, str], list[str]] = {}
    for each in found:
        names.setdefault((each.manifest, each.name, each.path, each.group), []).append(each.script)
    return tuple(Script(" and ".join(scripts), *started) for started, scripts in names.items())


def _text(path: Path) -> str:
    try:
        data = read_regular(path, MAX_MANIFEST_BYTES + 1)
    except OSError:
        return ""
    return data.decode("utf-8", "replace") if len(data) <= MAX_MANIFEST_BYTES else ""


def _of_python(manifest: str, text: str) -> Iterator[Script]:
    for each in entry_points(manifest, text) if text else ():
        group = "" if each.group in _PROGRAMS else each.group
        yield Script(each.name, manifest, f"{each.module}.{each.attribute}", group=group)


def _of_package(manifest: str, text: str) -> Iterator[Script]:
    try:
        package = json.loads(text)
    except (ValueError, RecursionError):
        return
    if not isinstance(package, dict):
        return
    started, commands = package.get("bin"), package.get("scripts")
    files = started if isinstance(started, dict) else {str(package.get("name", "bin")): started}
    for script, path in (*files.items(), ("main", package.get("main")), ("module", package.get("module"))):
        yield from _of_file(str(script), manifest, path)
    for script, command in commands.items() if isinstance(commands, dict) else ():
        for run in _RUN.finditer(str(command)):
            yield from _of_file(f"npm run {script}", manifest, run[1])


def _of_crate(manifest: str, text: str) -> Iterator[Script]:
    crate = parse_toml(text)
    for table in _PROGRAM_TABLES:
        rows = crate.get(table)
        for row in rows if isinstance(rows, list) else ():
            if isinstance(row, dict):
                yield from _of_file(str(row.get("name", table)), manifest, row.get("path"))


def _of_file(script: str, manifest: str, path: Any) -> Iterator[Script]:
    if isinstance(path, str) and path:
        yield Script(script, manifest, "", posixpath.normpath(posixpath.join(posixpath.dirname(manifest), path)))
