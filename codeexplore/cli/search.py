"""Commands ``codeexplore ask``, ``locate``, ``related`` and ``grep``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.cli.options import FOUND, NOTHING, add_filters, add_json, add_path, filters_of, opened, show

if TYPE_CHECKING:
    from codeexplore.cli.options import Commands
    from codeexplore.results import SearchAnswer
    from codeexplore.workspace.workspace import Workspace


def add(commands: Commands) -> None:
    """Add the commands."""
    ask = _ranking(commands, "ask", _ask, "rank the symbols that answer a question")
    ask.add_argument("question", nargs="+", help="an identifier, 'what calls …', or a description in plain words")
    locate = _ranking(commands, "locate", _locate, "rank the places that a bug report or stack trace is about")
    locate.add_argument("report", metavar="FILE", help="a file with the report; - reads standard input")
    related = _ranking(commands, "related", _related, "rank the symbols similar to a given one")
    related.add_argument("name", metavar="NAME", help="a name, a qualified name or path:line")

    grep = commands.add_parser("grep", help="find a text or a regular expression, by the symbols that contain it")
    add_path(grep)
    grep.add_argument("pattern", metavar="PATTERN", help="a text to find exactly")
    grep.add_argument("--regex", action="store_true", help="PATTERN is a regular expression (RE2)")
    grep.add_argument("-i", "--ignore-case", action="store_true", help="ignore upper and lower case")
    grep.add_argument("--top-k", type=int, default=20, metavar="N", help="symbols to show (default 20)")
    add_filters(grep)
    add_json(grep)
    grep.set_defaults(run=_grep)


def _ranking(
    commands: Commands, name: str, run: Callable[[argparse.Namespace], int], help_text: str
) -> argparse.ArgumentParser:
    """Add a command that ranks, with its path and the options that all of them share."""
    command = commands.add_parser(name, help=help_text)
    add_path(command)
    command.add_argument("--top-k", type=int, default=10, metavar="N", help="hits to show (default 10)")
    command.add_argument("--lanes", metavar="A,B", help="only these lanes: bm25, embedding, graph")
    command.add_argument("--fusion", default="rrf", metavar="NAME", help="how rankings are merged (default rrf)")
    command.add_argument("--rrf-k", type=int, default=60, metavar="N", help="constant of the fusion (default 60)")
    command.add_argument("--per-file", type=int, metavar="N", help="at most N hits of one file")
    command.add_argument("--explain", type=int, metavar="RANK", help="show every number behind the hit of this rank")
    add_filters(command)
    add_json(command)
    command.set_defaults(run=run)
    return command


def _ask(options: argparse.Namespace) -> int:
    return _ranked(options, " ".join(options.question), lambda workspace: workspace.search)


def _locate(options: argparse.Namespace) -> int:
    return _ranked(options, read_report(options.report), lambda workspace: workspace.localise)


def _related(options: argparse.Namespace) -> int:
    return _ranked(options, options.name, lambda workspace: workspace.related)


def _ranked(
    options: argparse.Namespace, subject: str, method: Callable[[Workspace], Callable[..., SearchAnswer]]
) -> int:
    """Show the answer of a method of the workspace, or the explanation of one hit."""
    filters = filters_of(options)  # report a wrong option before the load
    lanes = _lanes(options)
    workspace = opened(options)
    answer = method(workspace)(
        subject, top_k=options.top_k, lanes=lanes, rrf_k=options.rrf_k, fusion=options.fusion,
        per_file=options.per_file, filters=filters,
    )  # fmt: skip
    show(answer if options.explain is None else answer.explain(options.explain), options.json, workspace)
    return FOUND if answer.hits else NOTHING


_MOST_BYTES = 50_000_000  # of a report that are read: no log without end fills the memory


def read_report(name: str) -> str:
    """Return the text of a file, or of standard input for "-". Raises QuestionError if it cannot be read."""
    from codeexplore.errors import QuestionError

    try:
        if name == "-":
            return sys.stdin.buffer.read(_MOST_BYTES).decode("utf-8", "replace")
        with Path(name).open("rb") as file:
            return file.read(_MOST_BYTES).decode("utf-8", "replace")
    except (OSError, ValueError) as error:
        raise QuestionError(f"the report {name!r} cannot be read: {error}; - reads standard input") from error


def _grep(options: argparse.Namespace) -> int:
    filters = filters_of(options)  # report a wrong option before the load
    workspace = opened(options)
    answer = workspace.grep(
        options.pattern, regex=options.regex, ignore_case=options.ignore_case, top_k=options.top_k,
        filters=filters,
    )  # fmt: skip
    show(answer, options.json, workspace)
    return FOUND if answer.hits else NOTHING


def _lanes(options: argparse.Namespace) -> tuple[str, ...] | None:
    from codeexplore.search.query.options import check_lanes

    return check_lanes([lane.strip() for lane in options.lanes.split(",")]) if options.lanes else None
