"""Commands ``codeexplore cycles``, ``dead-code``, ``entry-points``, ``hubs``, ``modules`` and ``communities``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from codeexplore.cli.formats import add_edge_options, add_format, count, edge_kinds, given, names_of, print_answer
from codeexplore.cli.options import add_path, opened
from codeexplore.graph.records import DEAD_KINDS, ENTRY_KINDS

if TYPE_CHECKING:
    from codeexplore.cli.options import Commands

_EDGES = ("min_confidence", "tests")


def add(commands: Commands) -> None:
    """Add the commands."""
    cycles = _command(commands, "cycles", "cycles of calls or imports", *_EDGES)
    cycles.add_argument("--of", choices=("calls", "imports"), help="calls between functions, or imports of modules")
    add_edge_options(cycles)
    dead = _command(commands, "dead-code", "symbols that nothing seems to use, with the evidence", "kinds", "tests")
    dead.add_argument("--only", dest="kinds", type=names_of(DEAD_KINDS), metavar="A,B", help=", ".join(DEAD_KINDS))
    dead.add_argument("--no-tests", dest="tests", action="store_const", const=False, help="do not count use by tests")
    entries = _command(commands, "entry-points", "the entry points of the program, with the evidence", "kinds")
    entries.add_argument("--only", dest="kinds", type=names_of(ENTRY_KINDS), metavar="A,B", help=", ".join(ENTRY_KINDS))
    hubs = _command(commands, "hubs", "the most central symbols", "top_k", *_EDGES)
    hubs.add_argument("--top-k", type=count, metavar="N", help="symbols to show (default 20)")
    add_edge_options(hubs, tests=False)
    modules = _command(commands, "modules", "how files or folders depend on each other", "level", "kinds", *_EDGES)
    modules.add_argument(
        "--level", type=_level, metavar="L", help="file, folder, or a number of folders (default file)"
    )
    modules.add_argument("--kinds", type=edge_kinds, metavar="A,B", help="edges to count: calls, uses, imports …")
    add_edge_options(modules, tests=False)
    groups = _command(commands, "communities", "groups of symbols that belong together", "least", *_EDGES)
    groups.add_argument("--least", type=count, metavar="N", help="least number of members of a group (default 3)")
    add_edge_options(groups, tests=False)


def _command(commands: Commands, name: str, help_text: str, *options: str) -> argparse.ArgumentParser:
    command = commands.add_parser(name, help=help_text)
    add_path(command)
    add_format(command)
    command.set_defaults(run=_run, method=name.replace("-", "_"), passed=("of", *options))
    return command


def _run(options: argparse.Namespace) -> int:
    workspace = opened(options)
    ask = getattr(workspace, options.method)
    return print_answer(ask(**given(options, *options.passed)), options, workspace)


def _level(text: str) -> str:
    if text not in ("file", "folder") and not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is neither file nor folder nor a number of folders")
    return text if text in ("file", "folder") else str(count(text))
