"""Commands ``codeexplore ask``, ``locate``, ``related`` and ``grep``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.cli.options import FOUND, NOTHING, add_filters, add_json, add_path, filters_of, opened, show

if TYPE_CHECKING:
    from codeexplore.cli.options import Commands


def add(commands: Commands) -> None:
    """Add the commands."""
    ask = commands.add_parser("ask", help="rank the symbols that answer a question")
    add_path(ask)
    ask.add_argument("question", nargs="+", help="an identifier, 'what calls …', or a description in plain words")
    _add_ranking(ask)
    ask.add_argument("--explain", type=int, metavar="RANK", help="show every number behind the hit of this rank")
    add_filters(ask)
    add_json(ask)
    ask.set_defaults(run=_ask)

    locate = commands.add_parser("locate", help="rank the places that a bug report or stack trace is about")
    add_path(locate)
    locate.add_argument("report", metavar="FILE", help="a file with the report; - reads standard input")
    _add_ranking(locate)
    locate.add_argument("--explain", type=int, metavar="RANK", help="show every number behind the hit of this rank")
    add_filters(locate)
    add_json(locate)
    locate.set_defaults(run=_locate)

    related = commands.add_parser("related", help="rank the symbols similar to a given one")
    add_path(related)
    related.add_argument("name", metavar="NAME", help="a name, a qualified name or path:line")
    _add_ranking(related)
    related.add_argument("--explain", type=int, metavar="RANK", help="show every number behind the hit of this rank")
    add_filters(related)
    add_json(related)
    related.set_defaults(run=_related)

    grep = commands.add_parser("grep", help="find a text or a regular expression, by the symbols that contain it")
    add_path(grep)
    grep.add_argument("pattern", metavar="PATTERN", help="a text to find exactly")
    grep.add_argument("--regex", action="store_true", help="PATTERN is a regular expression (RE2)")
    grep.add_argument("-i", "--ignore-case", action="store_true", help="ignore upper and lower case")
    grep.add_argument("--top-k", type=int, default=20, metavar="N", help="symbols to show (default 20)")
    add_filters(grep)
    add_json(grep)
    grep.set_defaults(run=_grep)


def _add_ranking(command: argparse.ArgumentParser) -> None:
    command.add_argument("--top-k", type=int, default=10, metavar="N", help="hits to show (default 10)")
    command.add_argument("--lanes", metavar="A,B", help="only these lanes: bm25, embedding, graph")
    command.add_argument("--fusion", default="rrf", metavar="NAME", help="how rankings are merged (default rrf)")
    command.add_argument("--rrf-k", type=int, default=60, metavar="N", help="constant of the fusion (default 60)")
    command.add_argument("--per-file", type=int, metavar="N", help="at most N hits of one file")


def _ask(options: argparse.Namespace) -> int:
    filters = filters_of(options)  # report a wrong option before the load
    lanes = _lanes(options)
    workspace = opened(options)
    answer = workspace.search(
        " ".join(options.question), top_k=options.top_k, lanes=lanes, rrf_k=options.rrf_k,
        fusion=options.fusion, per_file=options.per_file, filters=filters,
    )  # fmt: skip
    show(answer if options.explain is None else answer.explain(options.explain), options.json, workspace)
    return FOUND if answer.hits else NOTHING


_MOST_BYTES = 50_000_000  # of a report that are read: no log without end fills the memory


def _locate(options: argparse.Namespace) -> int:
    filters = filters_of(options)  # report a wrong option before the load
    lanes = _lanes(options)
    report = read_report(options.report)
    workspace = opened(options)
    answer = workspace.localise(
        report, top_k=options.top_k, lanes=lanes, rrf_k=options.rrf_k, fusion=options.fusion,
        per_file=options.per_file, filters=filters,
    )  # fmt: skip
    show(answer if options.explain is None else answer.explain(options.explain), options.json, workspace)
    return FOUND if answer.hits else NOTHING


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


def _related(options: argparse.Namespace) -> int:
    filters = filters_of(options)  # report a wrong option before the load
    lanes = _lanes(options)
    workspace = opened(options)
    answer = workspace.related(
        options.name, top_k=options.top_k, lanes=lanes, rrf_k=options.rrf_k, fusion=options.fusion,
        per_file=options.per_file, filters=filters,
    )  # fmt: skip
    show(answer if options.explain is None else answer.explain(options.explain), options.json, workspace)
    return FOUND if answer.hits else NOTHING


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
