"""Command ``codeexplore status``: what was loaded, and with ``--doctor`` the problems with their next steps."""

from __future__ import annotations

import argparse

from codeexplore.cli.options import ERROR, FOUND, NOTHING, add_format, add_paths, opened, show
from codeexplore.cli.output import print_json
from codeexplore.types.errors import CodeExploreError
from codeexplore.types.visible import visible_repr


def add_status(command: argparse.ArgumentParser) -> None:
    """Add the arguments of ``status``."""
    add_paths(command)
    command.add_argument("--skipped", action="store_true", help="list every skipped file with its reason")
    command.add_argument(
        "--doctor", action="store_true", help="look for problems of lanes, model, cache, files; status 1 if serious"
    )
    add_format(command, "text", "json")
    command.set_defaults(run=_status)


def _status(options: argparse.Namespace) -> int:
    if options.doctor:
        return _doctor(options)
    workspace = opened(options)
    if options.format == "json":
        print_json(workspace.summary.to_dict())
        return FOUND
    show(workspace, False, everything=options.everything)
    if options.skipped:
        for item in workspace.summary.skipped_files:
            print(visible_repr(f"  {item.reason:<20} {item.path}  {item.detail}".rstrip()))
    return FOUND


def _doctor(options: argparse.Namespace) -> int:
    try:
        status = opened(options).status()
    except CodeExploreError as error:
        if options.format != "json":
            raise
        print_json({"kind": "status", "healthy": False, "error": str(error)})
        return ERROR
    show(status, options.format == "json", everything=options.everything)
    return FOUND if status.healthy else NOTHING
