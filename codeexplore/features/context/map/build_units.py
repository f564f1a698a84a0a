"""Build units: the folders that a manifest such as go.mod, package.json or pom.xml makes a package of their own."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from codeexplore.languages.python.source_folders import parse_toml

if TYPE_CHECKING:
    from codeexplore.types import SourceFile

_GO_MODULE: Final = re.compile(r"^module\s+\"?([^\s\"]+)", re.MULTILINE)
_POM_PARENT: Final = re.compile(r"<parent>.*?</parent>", re.DOTALL)
_POM_NAME: Final = re.compile(r"<artifactId>\s*([^<\s]+)\s*</artifactId>")


class BuildUnit(NamedTuple):
    """A package that is built on its own: its name, its folder ("" for the root) and the path of its manifest."""

    name: str
    folder: str
    manifest: str


def build_units(sources: Mapping[str, SourceFile]) -> dict[str, BuildUnit]:
    """Return the build units by folder. A manifest that names no package makes no unit, except in Gradle."""
    found: dict[str, BuildUnit] = {}
    for path in sorted(sources):
        folder, file = posixpath.split(path)
        named = _NAMES.get(file)
        name = named(sources[path].text, folder) if named is not None else ""
        if name and folder not in found:
            found[folder] = BuildUnit(name, folder, path)
    return found


def unit_of(path: str, units: Mapping[str, BuildUnit]) -> BuildUnit | None:
    """Return the unit of the nearest folder at or above a path; None if there is none."""
    around = path
    while around not in units:
        if not around:
            return None
        around = posixpath.dirname(around)
    return units[around]


def _go(text: str, _: str) -> str:
    match = _GO_MODULE.search(text)
    return match[1] if match else ""


def _package(text: str, _: str) -> str:
    try:
        package = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    return _text(package, "name")


def _cargo(text: str, _: str) -> str:
    return _text(parse_toml(text).get("package"), "name")


def _pyproject(text: str, _: str) -> str:
    values = parse_toml(text)
    tool = values.get("tool")
    poetry = tool.get("poetry") if isinstance(tool, dict) else None
    return _text(values.get("project"), "name") or _text(poetry, "name")


def _pom(text: str, _: str) -> str:
    match = _POM_NAME.search(_POM_PARENT.sub("", text))
    return match[1] if match else ""


def _gradle(_: str, folder: str) -> str:
    return posixpath.basename(folder)


def _text(table: Any, key: str) -> str:
    value = table.get(key) if isinstance(table, dict) else None
    return value if isinstance(value, str) else ""


_NAMES: Final[Mapping[str, Callable[[str, str], str]]] = {
    "go.mod": _go, "package.json": _package, "Cargo.toml": _cargo, "pyproject.toml": _pyproject, "pom.xml": _pom,
    "build.gradle": _gradle, "build.gradle.kts": _gradle,
}  # fmt: skip
"""Name of a manifest → function that returns the name of the package from the manifest's text and folder."""
