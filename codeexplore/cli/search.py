"""Commands ``codeexplore ask``, ``locate``, ``related``, ``grep`` and ``symbol``."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Final

from codeexplore.cli.options import add_filters, add_target, count, filters_of, opened, targets_of
from codeexplore.cli.output import FORMATS, FOUND, NOTHING, add_format, print_answer, show
from codeexplore.source.safe_io import read_regular
from codeexplore.types.errors import QuestionError
from codeexplore.types.settings import NUMBERS

_MOST_BYTES = 50_000_000  # of a report that are read: no log without end fills the memory


def add_grep(command: argparse.ArgumentParser) -> None:
    add_target(command, "PATTERN", meaning="a text to find exactly")
    command.add_argument("--regex", action="store_true", help="PATTERN is a regular expression (RE2)")
    command.add_argument("-i", "--ignore-case", action="store_true", help="ignore upper and lower case")
    command.add_argument("--top-k", type=int, default=20, metavar="N", help="symbols to show (default 20)")
    add_filters(command)
    add_format(command, *FORMATS)
    command.set_defaults(run=_grep)


def add_symbol(command: argparse.ArgumentParser) -> None:
    add_target(command, "NAME", meaning="a name, a qualified name, path:line, or the path of a file")
    command.add_argument("--outline", action="store_true", help="list the symbols of the file of NAME instead")
    add_format(command, *FORMATS)
    command.set_defaults(run=_symbol)


_RANKING: Final = {
    "ask": ("search", "QUESTION", "an identifier, 'what calls …', or a description in plain words"),
    "locate": ("localise", "REPORT", "a file with a bug report or stack trace; - reads standard input"),
    "related": ("related", "NAME", "a name, a qualified name or path:line"),
}
"""Command → method of a workspace, name of its argument, and meaning of the argument."""


def add_ranking(command: argparse.ArgumentParser) -> None:
    """Add the arguments of a command that ranks, which is the last word of the command."""
    method, subject, meaning = _RANKING[command.prog.rpartition(" ")[2]]
    add_target(command, subject, meaning=meaning)
    command.add_argument("--top-k", type=int, default=10, metavar="N", help="hits to show (default 10)")
    command.add_argument("--lanes", metavar="A,B", help="only these lanes: bm25, embedding, graph")
    command.add_argument("--fusion", default="rrf", metavar="NAME", help="how rankings are merged (default rrf)")
    command.add_argument("--rrf-k", type=int, default=60, metavar="N", help="constant of the fusion (default 60)")
    for name, said in NUMBERS.items():
        command.add_argument(f"--{name}", type=float, metavar="N", help=said)
    edges = "weights of kinds of edges in PageRank, such as CALLS:0.5,CONTAINS:0.2"
    command.add_argument("--edge-weights", metavar="KIND:N,…", help=edges)
    command.add_argument("--per-file", type=count, metavar="N", help="at most N hits of one file")
    command.add_argument(
        "--explain",
        type=_rank,
        metavar="RANK",
        help="show every number behind the hit of this rank; 'all' shows the formula of each hit",
    )
    add_filters(command)
    add_format(command, *FORMATS)

    def run(options: argparse.Namespace) -> int:
        (target,) = targets_of(options)
        filters, lanes = filters_of(options), _lanes(options)  # mistakes, before the load
        asked = read_report(target) if method == "localise" else target
        edges = _edge_weights(options.edge_weights)
        workspace = opened(options)
        chosen = {name: getattr(options, name) for name in ("top_k", "rrf_k", "fusion", "per_file")}
        chosen |= {name: value for name in NUMBERS if (value := getattr(options, name)) is not None}
        answer = getattr(workspace, method)(asked, **chosen, lanes=lanes, filters=filters, edge_weights=edges)
        one = options.explain not in (None, "all")
        print_answer(answer.explain(options.explain) if one else answer, options, workspace)
        return FOUND if answer.hits else NOTHING

    command.set_defaults(run=run)


def read_report(name: str) -> str:
    """Return the text of a file, or of standard input for "-". Raises QuestionError if it cannot be read."""
    try:
        if name == "-":
            return sys.stdin.buffer.read(_MOST_BYTES).decode("utf-8", "replace")
        return read_regular(os.path.realpath(name), _MOST_BYTES).decode("utf-8", "replace")
    except (OSError, ValueError) as error:
        raise QuestionError(f"the report {name!r} cannot be read: {error}; - reads standard input") from error


def _grep(options: argparse.Namespace) -> int:
    (pattern,) = targets_of(options)
    filters = filters_of(options)  # report a wrong option before the load
    workspace = opened(options)
    chosen = {name: getattr(options, name) for name in ("regex", "ignore_case", "top_k")}
    answer = workspace.grep(pattern, **chosen, filters=filters)
    return print_answer(answer, options, workspace)


def _symbol(options: argparse.Namespace) -> int:
    (target,) = targets_of(options)
    workspace = opened(options)
    if options.outline:
        for symbol in workspace.outline(workspace.source(target).view.path):
            show(symbol, options.format == "json", workspace)
        return FOUND
    return print_answer(workspace.source(target).view, options, workspace)


def _rank(text: str) -> int | str:
    if text != "all" and not text.lstrip("-").isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is no rank of a hit, and not 'all'")
    return text if text == "all" else int(text)


def _edge_weights(text: str | None) -> dict[str, float] | None:
    if not text:
        return None
    pairs = (part.strip().partition(":") for part in text.split(","))
    try:
        return {kind.upper(): float(weight) for kind, _, weight in pairs}
    except ValueError:
        raise QuestionError(f"--edge-weights: write KIND:NUMBER, such as CALLS:0.5, not {text!r:.80}") from None


def _lanes(options: argparse.Namespace) -> tuple[str, ...] | None:
    from codeexplore.search.options import check_lanes

    return check_lanes([lane.strip() for lane in options.lanes.split(",")]) if options.lanes else None
