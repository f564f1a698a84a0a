"""Conversion of messages for assistants: Python calls in a message become calls of the tools, or are left out.

Messages name the next step as a Python call, because they are written for notebooks. A tool call has no workspace `ws`.
"""

from __future__ import annotations

import re
from typing import Final

_STEPS: Final[tuple[tuple[str, str], ...]] = (
    (r"ws\.files lists the indexed files", "map lists the modules"),
    (r"ws\.search\(\) finds", "ask finds"),
    (r"ws\.(uses|imports)\(\) lists them", r"walk \1 lists them"),
    (r"ws\.grep\(\) and `codeexplore grep` find signs and operators", "Give words, or read a file"),
    (r" ws\.paths\((?:[^()]|\([^()]*\))*\) lists (?:it|them)\.", ""),  # the tool has no minimum of confidence
    (r"; ws\.refresh\(\) reads them", ""),
    (r"ws\.wait_for_graph\(\) tries again; Workspace\(path, only=…\) loads", "The user can load"),
)


def in_tools(message: str) -> str:
    """Return a message of the library with what the tools offer in place of Python calls; it never gets longer."""
    for step, offered in _STEPS:
        message = re.sub(step, offered, message)
    return message
