"""Scripts that a manifest declares. Manifests are pyproject.toml, setup.cfg, package.json and entry_points.txt.

The file entry_points.txt belongs to an installed package.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from glob import escape
from pathlib import Path
from typing import Any, NamedTuple

from codeexplore.languages.python.source_folders import parse_ini, parse_toml
from codeexplore.source.safe_io import read_regular

_MAX_BYTES = 1_000_000  # larger manifests are not read; real manifests are smaller

_OBJECT = re.compile(r"(?P<module>[\w.]+)\s*:\s*(?P<name>[\w.]+)")


class Script(NamedTuple):
    """A script that a manifest declares.

    It starts either an object, whose dotted name is `name`, or a whole file, whose path is `path`; `name` is then "".
    """

    script: str
    manifest: str
    name: str
    path: str = ""


def read_scripts(root: Path | None) -> tuple[Script, ...]:
    """Return the scripts that the manifests in the folder `root` declare. Manifests that cannot be read are ignored.

    If `root` is the folder of an installed package, scripts that its distribution (``NAME-VERSION.dist-info`` beside
    it) declares are included.
    """
    if root is None:
        return ()
    found: list[Script] = []
    for beside in sorted(root.parent.glob(f"{escape(root.name)}-*.dist-info")):
        found += _entry_points(_text(beside / "entry_points.txt"))
    for manifest, read in (("pyproject.toml", _pyproject), ("setup.cfg", _setup), ("package.json", _package)):
        text = _text(root / manifest)
        if text:
            found += read(text)
    return tuple(found)


def _text(path: Path) -> str:
    try:
        data = read_regular(path, _MAX_BYTES + 1)
    except OSError:
        return ""  # most repositories lack some of these files
    return data.decode("utf-8", "replace") if len(data) <= _MAX_BYTES else ""


def _pyproject(text: str) -> Iterator[Script]:
    project = _table(parse_toml(text), "project")
    groups = [_table(project, "scripts"), _table(project, "gui-scripts"), *_table(project, "entry-points").values()]
    for group in groups:
        if isinstance(group, dict):
            for script, target in group.items():
                yield from _object(script, str(target), "pyproject.toml")


def _setup(text: str) -> Iterator[Script]:
    parser = parse_ini(text)
    if parser.has_section("options.entry_points"):
        for group in parser["options.entry_points"].values():
            for line in group.strip().splitlines():
                script, _, target = line.partition("=")
                yield from _object(script.strip(), target, "setup.cfg")


def _entry_points(text: str) -> Iterator[Script]:
    parser = parse_ini(text)
    for group in parser.sections():
        for script, target in parser[group].items():
            yield from _object(script, target or "", "entry_points.txt")


def _object(script: str, target: str, manifest: str) -> Iterator[Script]:
    match = _OBJECT.match(target.strip())
    if match is not None:
        yield Script(script, manifest, f"{match['module']}.{match['name']}")


def _package(text: str) -> Iterator[Script]:
    try:
        package = json.loads(text)
    except (ValueError, RecursionError):
        return
    if not isinstance(package, dict):
        return
    started = package.get("bin")
    files = started if isinstance(started, dict) else {str(package.get("name", "bin")): started}
    for script, path in (*files.items(), ("main", package.get("main")), ("module", package.get("module"))):
        if isinstance(path, str) and path:
            yield Script(str(script), "package.json", "", path.removeprefix("./"))


def _table(values: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = values.get(key)
    return found if isinstance(found, dict) else {}
