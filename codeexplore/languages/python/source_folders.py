"""Source folders that a Python project declares in the settings of build tools, test runners and type checkers.

An *import root* is a folder in which Python looks for absolute names.
"""

from __future__ import annotations

import configparser
import posixpath
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

_BUILDING: Final = ("pyproject.toml", "setup.cfg", "setup.py")
_FOLDERS: Final = (
    ("codeexplore", "source-roots"),
    ("setuptools", "packages", "find", "where"),
    ("pytest", "ini_options", "pythonpath"),
    ("pytest", "pythonpath"),
    ("mypy", "mypy_path"),
    ("pyright", "extraPaths"),
    ("basedpyright", "extraPaths"),
    ("hatch", "build", "sources"),
    ("hatch", "build", "targets", "wheel", "sources"),
    ("pdm", "build", "package-dir"),
    ("maturin", "python-source"),
    ("uv", "build-backend", "module-root"),
    ("ruff", "src"),
    ("isort", "src_paths"),
)
_SECTIONS: Final = (
    ("options.packages.find", "where"),
    ("tool:pytest", "pythonpath"),
    ("pytest", "pythonpath"),
    ("mypy", "mypy_path"),
)
_MAX_INI: Final = 100_000
"""Characters of an INI file. A longer file is not parsed: the time that configparser takes to report errors grows with
the square of the invalid lines."""
_KEY_PART: Final = r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')"""
_LONG_KEY: Final = re.compile(rf"(?<![\w-]){_KEY_PART}(?:[ \t]*\.[ \t]*{_KEY_PART}){{64}}")
"""A dotted key of TOML with more parts than anybody writes: tomllib's time grows with the square of their number."""
# characters of patterns and of references to other settings, which are not evaluated
_UNREAD: Final = frozenset("*$%{}")
_SETUP: Final = re.compile(
    r"""package_dir\s*=\s*\{\s*["']{2}\s*:\s*["']([^"']+)["']|find(?:_namespace)?_packages\(\s*(?:where\s*=\s*)?["']([^"']+)["']"""
)


def declared_roots(manifests: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield (folder of a manifest, source folder that it declares). Both are relative to the root of the repository.

    A pair may occur twice. If a manifest builds a package, its own folder is a source folder too. An unreadable
    manifest declares only its own folder.
    """
    for path, text in manifests.items():
        home, name = posixpath.split(path)
        if name in _BUILDING:
            yield home, home
        for folder in _READERS.get(name, _ini_folders)(text):
            place = posixpath.normpath(posixpath.join(home, folder.replace("\\", "/")))
            if not place.startswith(("..", "/")):
                yield home, "" if place == "." else place


def parse_ini(text: str) -> configparser.RawConfigParser:
    """Parse an INI file, such as setup.cfg. For a malformed or too long file, return a parser without sections."""
    parser = configparser.RawConfigParser(strict=False)
    if len(text) <= _MAX_INI:
        try:
            parser.read_string(text)
        except configparser.Error:
            return configparser.RawConfigParser()
    return parser


def parse_toml(text: str) -> dict[str, Any]:
    """Parse a TOML file, such as pyproject.toml.

    The result is {} if it is malformed or has a key with too many parts.
    """
    if _LONG_KEY.search(text):
        return {}
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):  # not TOML, a number with too many digits for Python, or nested too deeply
        return {}


def _setup_folders(text: str) -> Iterator[str]:
    for found in _SETUP.finditer(text):
        yield found[1] or found[2]


def _toml_folders(text: str) -> Iterator[str]:
    tools = parse_toml(text).get("tool", {})
    for keys in _FOLDERS:
        yield from _listed(_at(tools, keys))
    yield from _mapped(_at(tools, ("setuptools", "package-dir")))
    for each in _items(_at(tools, ("poetry", "packages"))):
        if isinstance(each, Mapping):
            yield from _listed(each.get("from"))
    for each in _listed(_at(tools, ("hatch", "build", "targets", "wheel", "packages"))):
        yield posixpath.dirname(each)


def _ini_folders(text: str) -> Iterator[str]:
    reader = parse_ini(text)
    for section, key in _SECTIONS:
        yield from _listed(reader.get(section, key, fallback=""))
    for line in reader.get("options", "package_dir", fallback="").splitlines():
        package, equals, folder = line.partition("=")
        if equals:
            yield from _mapped({package.strip(): folder.strip()})


def _mapped(folders: object) -> Iterator[str]:
    """Yield the import roots that `folders` implies, a mapping from packages to folders.

    The key "" means that all packages are in the folder. If a package is in a folder of its own name, the import root
    is the parent of this folder.
    """
    for package, folder in folders.items() if isinstance(folders, Mapping) else ():
        parts = package.split(".") if package else []
        found = posixpath.normpath(folder).split("/") if isinstance(folder, str) and folder else []
        if found[len(found) - len(parts) :] == parts:
            yield "/".join(found[: len(found) - len(parts)]) or "."


def _at(tools: object, keys: Iterable[str]) -> object:
    for key in keys:
        tools = tools.get(key) if isinstance(tools, Mapping) else None
    return tools


def _items(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _listed(value: object) -> Iterator[str]:
    """Yield the folders in `value`: a list, or a text in which commas, colons or white space separate the folders."""
    each = re.split(r"[,:\s]+", value) if isinstance(value, str) else _items(value)
    yield from (folder for folder in each if isinstance(folder, str) and folder and not _UNREAD & set(folder))


_READERS: Final = {"pyproject.toml": _toml_folders, "setup.py": _setup_folders}
