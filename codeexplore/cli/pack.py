"""Command ``codeexplore pack``: context for a language model, or a map of the repository."""

from __future__ import annotations

import argparse

from codeexplore.cli.formats import count
from codeexplore.cli.options import FOUND, add_filters, add_path, filters_of, opened
from codeexplore.cli.search import read_report

_FORMS = ("markdown", "xml", "json")


def add(pack: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_path(pack)
    pack.add_argument("names", nargs="*", metavar="NAME", help="symbols: a name, a qualified name or path:line")
    pack.add_argument("-q", "--question", metavar="TEXT", help="a question; without it and names, a map is written")
    pack.add_argument("--report", metavar="FILE", help="a file with a bug report; - reads standard input")
    pack.add_argument("--tokens", type=count, default=4_000, metavar="N", help="the budget (default 4000)")
    pack.add_argument("--form", choices=_FORMS, default="markdown", help="form of the text (default markdown)")
    pack.add_argument("--json", action="store_const", const="json", dest="form", help="the same as --form json")
    pack.add_argument("--counter", metavar="NAME", help="an encoding of tiktoken instead of an estimate: cl100k_base …")
    add_filters(pack)
    pack.set_defaults(run=_pack)


def _pack(options: argparse.Namespace) -> int:
    from codeexplore.errors import QuestionError

    chosen = [each for each in (options.question, options.report, options.names or None) if each is not None]
    if len(chosen) > 1:
        raise QuestionError("give names, -q or --report, not several of them")
    filters = filters_of(options)  # report a wrong option before the load
    what = read_report(options.report) if options.report is not None else (chosen or [None])[0]
    workspace = opened(options)
    print(workspace.context.pack(what, options.tokens, counter=options.counter, form=options.form, filters=filters))
    return FOUND
