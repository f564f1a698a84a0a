"""Commands ``codeexplore status`` and ``codeexplore doctor``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from codeexplore.cli.options import ERROR, FOUND, NOTHING, add_json, add_path, opened
from codeexplore.cli.output import print_json
from codeexplore.errors import CodeExploreError
from codeexplore.sanitize import visible_repr
from codeexplore.workspace.open import open_workspace

if TYPE_CHECKING:
    from codeexplore.cli.options import Commands


def add(commands: Commands) -> None:
    """Add the commands."""
    status = commands.add_parser("status", help="indexed files, and skipped files with reasons")
    add_path(status)
    status.add_argument("--skipped", action="store_true", help="list every skipped file with its reason")
    add_json(status)
    status.set_defaults(run=_status)
    doctor = commands.add_parser(
        "doctor",
        help="look for problems: lanes, model, cache, files; each with its next step",
        description="Exit status: 0 nothing serious, 1 something serious, 2 the repository can't be loaded.",
    )
    doctor.add_argument("path", metavar="PATH", nargs="?", help="a repository; without one the sample is used")
    add_json(doctor)
    doctor.set_defaults(run=_doctor)


def _status(options: argparse.Namespace) -> int:
    workspace = opened(options)
    if options.json:
        print_json(workspace.summary.to_dict())
        return FOUND
    print(workspace)
    if options.skipped:
        for item in workspace.summary.skipped_files:
            print(visible_repr(f"  {item.reason:<20} {item.path}  {item.detail}".rstrip()))
    return FOUND


def _doctor(options: argparse.Namespace) -> int:
    from codeexplore.samples import sample_repo

    try:
        workspace = open_workspace(options.path or str(sample_repo("webshop")))
        status = workspace.status()
    except CodeExploreError as error:
        if not options.json:
            raise
        print_json({"kind": "status", "healthy": False, "error": str(error)})
        return ERROR
    if options.json:
        print_json(status.to_dict())
    else:
        print(status)
    return FOUND if status.healthy else NOTHING
