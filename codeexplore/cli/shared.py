"""What the commands share: exit statuses, common arguments, printing an answer."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

FOUND, NOTHING, ERROR = 0, 1, 2


def add_path(command: argparse.ArgumentParser) -> None:
    """The repository a command is about."""
    command.add_argument("path", metavar="PATH", help="a folder, an installed package or a git URL")


def add_json(command: argparse.ArgumentParser) -> None:
    """The flag `show` takes."""
    command.add_argument("--json", action="store_true", help="print the answer as JSON with a schema version")


def show(answer: Any, as_json: bool) -> None:
    """Print an answer as text, or as the JSON of its to_dict()."""
    if as_json:
        print(json.dumps(answer.to_dict(), ensure_ascii=False, indent=2))
    else:
        from codeexplore.render.text import shown_text

        print(shown_text(answer))
