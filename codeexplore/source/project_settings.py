"""Settings of the explored repository: the table ``[tool.codeexplore]`` of the ``pyproject.toml`` in its root.

The file is untrusted: it is read as data, its size is bounded, and a value of a wrong type is reported and not used.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

from codeexplore.languages.python.locate import parse_toml
from codeexplore.source.safe_io import read_regular

FILE: Final = "pyproject.toml"
_MAX_BYTES: Final = 1_000_000  # a file written by hand is smaller
_MAX_ITEMS: Final = 1_000  # of a list
_KEYS: Final = ("ignore", "source-roots", "evaluation")


class ProjectSettings(NamedTuple):
    """The settings of a repository.

    ``source-roots`` are read with the other manifests of Python (`languages.python.source_folders`).
    """

    ignore: tuple[str, ...] = ()  # patterns as in a .codeexploreignore in the root
    evaluation: str = ""  # path of a file of questions, relative to the root, POSIX
    problems: tuple[str, ...] = ()  # what was not used, and why


def project_settings(root: Path) -> ProjectSettings:
    """Return the settings of the repository in the folder `root`, without any if it has none or they can't be read."""
    try:
        data = read_regular(root / FILE, _MAX_BYTES + 1)
    except OSError:
        return ProjectSettings()
    tools = parse_toml(data.decode("utf-8", "replace")).get("tool") if len(data) <= _MAX_BYTES else None
    table = tools.get("codeexplore") if isinstance(tools, dict) else None
    if table is None:
        return ProjectSettings()
    if not isinstance(table, dict):
        return ProjectSettings(problems=("[tool.codeexplore] is not a table",))
    problems = [f"[tool.codeexplore] has no setting {key!r:.100}" for key in table if key not in _KEYS]
    ignore, evaluation = table.get("ignore", []), table.get("evaluation", "")
    if not _is_list(ignore):
        problems.append("ignore is not a list of at most 1,000 patterns")
        ignore = []
    if not isinstance(evaluation, str) or Path(evaluation).is_absolute() or ".." in Path(evaluation).parts:
        problems.append("evaluation is not the path of a file below the root")
        evaluation = ""
    return ProjectSettings(tuple(ignore), evaluation, tuple(problems))


def _is_list(value: object) -> bool:
    return isinstance(value, list) and len(value) <= _MAX_ITEMS and all(isinstance(each, str) for each in value)
