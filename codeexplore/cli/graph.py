"""Commands ``codeexplore callers``, ``callees`` and the other walks; ``paths`` and ``why``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from codeexplore.cli.formats import add_edge_options, add_format, count, edge_kinds, given, print_answer
from codeexplore.cli.options import add_path, opened

if TYPE_CHECKING:
    from codeexplore.cli.options import Commands

_WALKS = (
    ("callers", "what calls a symbol, or an outside name such as requests.get"),
    ("callees", "what a symbol calls"),
    ("implementors", "what implements an interface or trait, or extends a class"),
    ("subclasses", "the subtypes of a type"),
    ("overrides", "the methods that override a method"),
    ("uses", "everything that uses a symbol, or an outside name such as os.path"),
    ("imports", "what imports a module or symbol"),
    ("impact", "what may break if a symbol changes, and the tests that reach it"),
)
_ANY_DEPTH = ("implementors", "subclasses", "overrides", "impact")
_OPTIONS = ("depth", "direction", "min_confidence", "tests", "kinds", "top_k", "include_externals")


def add(commands: Commands) -> None:
    """Add the commands."""
    for name, help_text in _WALKS:
        walk = commands.add_parser(name, help=help_text)
        add_path(walk)
        walk.add_argument("name", metavar="NAME", help="a name, a qualified name or path:line")
        usual = "any" if name in _ANY_DEPTH else "1"
        walk.add_argument("--depth", type=count, metavar="N", help=f"how many steps away (default {usual})")
        walk.add_argument("--direction", choices=("in", "out", "both"), help="follow edges in the opposite direction")
        add_edge_options(walk)
        walk.add_argument(
            "--kinds", type=edge_kinds, metavar="A,B", help="kinds of edges to follow: calls, uses, extends …"
        )
        walk.add_argument("--top-k", type=count, metavar="N", help="maximal number of symbols (default 200)")
        walk.add_argument("--externals", action="store_const", const=True, dest="include_externals",
                          help="also show symbols outside the repository")  # fmt: skip
        add_format(walk)
        walk.set_defaults(run=_walk)
    _add_between(commands)


def _add_between(commands: Commands) -> None:
    paths = commands.add_parser("paths", help="how one symbol reaches another")
    paths.add_argument("--top-k", type=count, metavar="N", help="maximal number of paths (default 10)")
    add_edge_options(paths)
    paths.add_argument("--kinds", type=edge_kinds, metavar="A,B", help="edges to follow (default calls)")
    why = commands.add_parser("why", help="explain the edge between two symbols, or why there is none")
    for command in (paths, why):
        add_path(command)
        command.add_argument("source", metavar="FROM", help="a name, a qualified name or path:line")
        command.add_argument("target", metavar="TO", help="the same")
        add_format(command)
    paths.set_defaults(run=_paths)
    why.set_defaults(run=_why)


def _walk(options: argparse.Namespace) -> int:
    workspace = opened(options)
    walk = getattr(workspace, options.command)
    return print_answer(walk(options.name, **given(options, *_OPTIONS)), options, workspace)


def _paths(options: argparse.Namespace) -> int:
    chosen = given(options, "top_k", "min_confidence", "tests", "kinds")
    workspace = opened(options)
    return print_answer(workspace.paths(options.source, options.target, **chosen), options, workspace)


def _why(options: argparse.Namespace) -> int:
    workspace = opened(options)
    return print_answer(workspace.why(options.source, options.target), options, workspace)
