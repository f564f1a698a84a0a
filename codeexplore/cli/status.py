"""``codeexplore status``."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from codeexplore.cli.shared import FOUND, add_json, add_path
from codeexplore.workspace.opening import open_workspace

if TYPE_CHECKING:
    from codeexplore.cli.shared import Commands


def add(commands: Commands) -> None:
    """Add the command."""
    status = commands.add_parser("status", help="what was indexed, what was skipped and why")
    add_path(status)
    status.add_argument("--skipped", action="store_true", help="list every skipped file with its reason")
    add_json(status)
    status.set_defaults(run=_status)


def _status(options: argparse.Namespace) -> int:
    workspace = open_workspace(options.path)
    if options.json:
        print(json.dumps(workspace.summary.to_dict(), ensure_ascii=False, indent=2))
        return FOUND
    print(workspace)
    if options.skipped:
        for item in workspace.summary.skipped_files:
            print(f"  {item.reason:<20} {item.path}  {item.detail}".rstrip())
    return FOUND
