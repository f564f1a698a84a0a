"""``codeexplore callers``, ``callees`` and ``impact``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from codeexplore.cli.shared import FOUND, NOTHING, add_json, add_path, show
from codeexplore.workspace.opening import open_workspace

if TYPE_CHECKING:
    from codeexplore.cli.shared import Commands


def add(commands: Commands) -> None:
    """Add the commands."""
    for name, help_text in (
        ("callers", "what calls a symbol"),
        ("callees", "what a symbol calls"),
        ("impact", "what may break if a symbol changes"),
    ):
        walk = commands.add_parser(name, help=help_text)
        add_path(walk)
        walk.add_argument("name", metavar="NAME", help="a name, a qualified name or path:line")
        walk.add_argument("--depth", type=int, metavar="N", help="how many calls away")
        add_json(walk)
        walk.set_defaults(run=_walk)


def _walk(options: argparse.Namespace) -> int:
    workspace = open_workspace(options.path)
    depth = {} if options.depth is None else {"depth": options.depth}
    answer = getattr(workspace, options.command)(options.name, **depth)
    show(answer, options.json)
    return FOUND if len(answer) else NOTHING
