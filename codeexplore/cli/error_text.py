"""Conversion of messages for the command line: Python calls in a message become commands.

Messages name the next step as a Python call, because they are written for notebooks.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

_COMMANDS = {"search": "ask", "entry_points": "entry-points", "dead_code": "dead-code"}
_STEPS: tuple[tuple[str, str], ...] = (
    (r"ws\.files lists the indexed files", "codeexplore status PATH --skipped lists the skipped files"),
    (r"ws\.summary\.\w+", "codeexplore status PATH"),
    (r"ws\.(?:wait_for_graph|refresh)\(\)", "the same command again"),
    (r"ws\.save\(path\)", "ws.save(path) in Python"),
    (r"Workspace\.from_package\((?:'([^']*)')?\) explores", r"\1 given as PATH explores"),
    (r"Workspace\.from_git\(url\) explores a repository by its URL", "a git URL given as PATH is cloned"),
    (r"Workspace\.from_\w+\(([^()]*)\)", r"\1 as PATH"),
    (
        r"(?:load (?:it|a local folder|the folder|the repository) with )?Workspace\((?:'path'|path)\)",
        "give the folder as PATH",
    ),
    (r"Workspace\(('[^']*')\)", r"\1 as PATH"),
    (r"give Workspace the folder", "give the folder"),
    (r"without regex=True", "without --regex"),
    (r"\bmin_confidence=(\d)", r"--min-confidence \1"),
    (r"\binclude_externals=True", "--externals"),
    (r"\btests=False", "--no-tests"),
)
_CALL = re.compile(r"ws\.(\w+)\(([^()]*)\)")
_SEPARATOR = re.compile(r",\s*(?=['\"-])")


def in_commands(message: str) -> str:
    """Return the message with commands instead of Python calls: ``ws.search('x')`` → ``codeexplore ask PATH 'x'``."""
    for step, command in _STEPS:
        message = re.sub(step, command, message)
    return _CALL.sub(_command, message)


def _command(call: re.Match[str]) -> str:
    name = _COMMANDS.get(call[1], call[1])
    return " ".join(["codeexplore", name, "PATH", *([_SEPARATOR.sub(" ", call[2])] if call[2] else [])])


def answer_in_commands(answer: Any) -> Any:
    """Return the answer with commands instead of Python calls in its notices.

    Answers without notices are returned unchanged.
    """
    from codeexplore.results import GraphAnswer, PathsAnswer, SearchAnswer

    if isinstance(answer, PathsAnswer):
        return replace(answer, **_in_commands(answer, "notes"))
    if isinstance(answer, GraphAnswer):
        return replace(answer, subgraph=replace(answer.subgraph, **_in_commands(answer.subgraph, "notes")))
    if isinstance(answer, SearchAnswer):
        return replace(answer, result=replace(answer.result, **_in_commands(answer.result, "notices")))
    return answer


def _in_commands(record: Any, notices: str) -> dict[str, Any]:
    said = {notices: tuple(map(in_commands, getattr(record, notices)))}
    absence = record.absence
    return said if absence is None else {**said, "absence": replace(absence, text=in_commands(absence.text))}
