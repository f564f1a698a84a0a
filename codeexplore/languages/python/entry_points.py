"""Entry points that manifests of Python packages declare: objects that scripts and plug-in loaders start by name."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from codeexplore.languages.python.locate import parse_ini, parse_toml, setup_values

_OBJECT: Final = re.compile(r"(?P<module>[\w.]+)\s*:\s*(?P<name>[\w.]+)")


class EntryPoint(NamedTuple):
    group: str
    name: str
    module: str
    attribute: str  # dotted name in the module


def entry_points(path: str, text: str) -> Iterator[EntryPoint]:
    """Yield the entry points in the text of a manifest; none if it is malformed."""
    name = posixpath.basename(path)
    if name == "pyproject.toml":
        document = parse_toml(text)
        project, poetry = _table(document, "project"), _table(_table(document, "tool"), "poetry")
        yield from _grouped({"console_scripts": project.get("scripts"), "gui_scripts": project.get("gui-scripts")})
        yield from _grouped(_table(project, "entry-points"))
        yield from _grouped({"console_scripts": poetry.get("scripts"), **_table(poetry, "plugins")})
    elif name == "setup.py":
        for value in setup_values(text, "entry_points"):
            yield from _grouped(value) if isinstance(value, dict) else _of_ini(str(value))
    elif name == "setup.cfg":
        parser = parse_ini(text)
        if parser.has_section("options.entry_points"):
            yield from _grouped(dict(parser["options.entry_points"]))
    elif name == "entry_points.txt":
        yield from _of_ini(text)


def _of_ini(text: str) -> Iterator[EntryPoint]:
    parser = parse_ini(text)
    yield from _grouped({group: dict(parser[group]) for group in parser.sections()})


def _grouped(groups: Mapping[str, Any]) -> Iterator[EntryPoint]:
    """Yield the entry points of groups. A group is a mapping, a list of lines ``name = object``, or a text of lines."""
    for group, given in groups.items():
        lines = given.splitlines() if isinstance(given, str) else given
        pairs = given.items() if isinstance(given, dict) else (str(line).partition("=")[::2] for line in lines or ())
        for name, target in pairs:
            found = _OBJECT.match(str(target).strip())
            if found is not None:
                yield EntryPoint(str(group), str(name).strip(), found["module"], found["name"])


def _table(values: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = values.get(key)
    return found if isinstance(found, dict) else {}
