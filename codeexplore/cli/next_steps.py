"""Next steps of errors and empty answers, written as commands."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from codeexplore.types.next_step import NextStep, with_steps

if TYPE_CHECKING:
    from codeexplore.types import Absence

_COMMANDS: Final = {"search": "ask"}
_WRITTEN: Final = {
    "files": "codeexplore status PATH --skipped lists the skipped files",
    "save": "ws.save('path') in Python writes an index",
}
_LOADS: Final = ("Workspace", "Workspace.from_git", "Workspace.from_package")
"""A command loads whatever PATH is: a folder, a URL or the name of a package. It has no step beside that."""


def in_commands(step: NextStep) -> str:
    """Return the command of a step, ``codeexplore ask PATH 'x y' finds its uses``; "" if no command does the same."""
    if step.call in _LOADS:
        return ""
    if step.call == "wait_for_graph":
        return f"the same command {step.does}"
    if step.call in _WRITTEN:
        return _WRITTEN[step.call]
    words = [word for name, value in step.options for word in _option(name, value)]
    if step.call:
        words = ["codeexplore", _COMMANDS.get(step.call, step.call), "PATH", *map(str, step.arguments or ()), *words]
    return f"{shlex.join(words)} {step.does}"


def _option(name: str, value: object) -> tuple[str, ...]:
    if name == "tests":
        return ("--no-tests",)
    if name == "include_externals":
        return ("--externals",)
    return f"--{name.replace('_', '-')}", ",".join(value) if isinstance(value, tuple) else str(value)


def answer_in_commands(answer: Any) -> Any:
    """Return the answer with its next steps as commands in its texts. Other answers are returned unchanged."""
    from codeexplore.results import GraphAnswer, PathsAnswer, SearchAnswer

    if isinstance(answer, PathsAnswer):
        return replace(answer, absence=_told(answer.absence))
    if isinstance(answer, GraphAnswer):
        return replace(answer, subgraph=replace(answer.subgraph, absence=_told(answer.absence)))
    if isinstance(answer, SearchAnswer):
        found = answer.result
        notices = (*found.notices, *(f"{step}." for step in map(in_commands, answer.next_steps) if step))
        paths = found.paths and replace(found.paths, absence=_told(found.paths.absence))
        return replace(answer, result=replace(found, absence=_told(found.absence), paths=paths, notices=notices))
    return answer


def _told(absence: Absence | None) -> Absence | None:
    if absence is None:
        return None
    return replace(absence, text=with_steps(absence.text, absence.next_steps, in_commands), next_steps=())
