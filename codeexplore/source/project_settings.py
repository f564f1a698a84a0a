"""Settings of the explored repository: the table ``[tool.codeexplore]`` of the ``pyproject.toml`` in its root.

The file is untrusted: it is read as data, its size is bounded, and a value of a wrong type is reported and not used.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from codeexplore.languages.python.locate import parse_toml
from codeexplore.source.safe_io import read_regular

FILE: Final = "pyproject.toml"
_MAX_BYTES: Final = 1_000_000  # a file written by hand is smaller
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
    try:
        data = read_regular(root / FILE, _MAX_BYTES + 1)
    except OSError:
        return ProjectSettings()
    return _settings(data.decode("utf-8", "replace")) if len(data) <= _MAX_BYTES else ProjectSettings()


def test_folders(manifests: Mapping[str, str]) -> tuple[str, ...]:
    """Return the folders of tests that the settings name, given the texts of the manifests by path."""
    return _settings(manifests.get(FILE, "")).tests


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
