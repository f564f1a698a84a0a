"""``codeexplore ask``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from codeexplore.cli.shared import FOUND, NOTHING, add_json, add_path, show
from codeexplore.workspace.opening import open_workspace

if TYPE_CHECKING:
    from codeexplore.cli.shared import Commands


def add(commands: Commands) -> None:
    """Add the command."""
    ask = commands.add_parser("ask", help="rank the symbols that answer a question")
    add_path(ask)
    ask.add_argument("question", nargs="+", help="an identifier, 'what calls …', or a description in plain words")
    ask.add_argument("--top-k", type=int, default=10, metavar="N", help="hits to show (default 10)")
    ask.add_argument("--lanes", metavar="A,B", help="only these lanes: bm25, embedding, graph")
    ask.add_argument("--rrf-k", type=int, default=60, metavar="N", help="constant of the fusion (default 60)")
    ask.add_argument("--per-file", type=int, metavar="N", help="at most N hits of one file")
    add_json(ask)
    ask.set_defaults(run=_ask)


def _ask(options: argparse.Namespace) -> int:
    workspace = open_workspace(options.path)
    lanes = tuple(lane.strip() for lane in options.lanes.split(",")) if options.lanes else None
    answer = workspace.search(
        " ".join(options.question), top_k=options.top_k, lanes=lanes, rrf_k=options.rrf_k, per_file=options.per_file
    )
    show(answer, options.json)
    return FOUND if answer.hits else NOTHING
