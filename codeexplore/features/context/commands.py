"""Commands ``codeexplore pack`` and ``map``: context for a language model, and a map of the repository."""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from functools import partial

from codeexplore.cli.options import add_filters, add_paths, add_target, count, filters_of, opened, targets_of
from codeexplore.cli.output import FOUND, add_format, print_answer
from codeexplore.cli.search import read_report
from codeexplore.types.errors import QuestionError
from codeexplore.workspace.open import open_workspace


def add_pack(pack: argparse.ArgumentParser) -> None:
    add_target(pack, "QUESTION", meaning="a question, or a symbol; without it, a map", optional=True, many=True)
    pack.add_argument("--report", metavar="FILE", help="a file with a bug report; - reads standard input")
    _add_budget(pack)
    add_filters(pack)
    pack.set_defaults(run=_pack)


def add_map(command: argparse.ArgumentParser) -> None:
    add_paths(command)
    _add_budget(command)
    command.set_defaults(run=_map)


def _add_budget(command: argparse.ArgumentParser) -> None:
    command.add_argument("--tokens", type=count, default=4_000, metavar="N", help="the budget (default 4000)")
    command.add_argument(
        "--counter", metavar="NAME", help="an encoding of tiktoken instead of cl100k_base, which is counted by default"
    )
    add_format(command, "markdown", "xml", "json")


def _pack(options: argparse.Namespace) -> int:
    targets = targets_of(options)
    if targets and options.report is not None:
        raise QuestionError("give a question or --report, not both")
    filters = filters_of(options)  # report a wrong option before the load
    asked: str | tuple[str, ...] | None = read_report(options.report) if options.report is not None else None
    workspace = opened(options)
    if targets:  # several are symbols, one is a symbol or a question
        asked = targets if len(targets) > 1 or targets[0] in workspace else targets[0]
    chosen = {"counter": options.counter, "form": options.format, "filters": filters}
    print(workspace.context.pack(asked, options.tokens, **chosen))
    return FOUND


def _map(options: argparse.Namespace) -> int:
    print(opened(options).context.map(options.tokens, counter=options.counter, form=options.format))
    return FOUND


def add_mcp(server: argparse.ArgumentParser) -> None:
    server.add_argument("paths", nargs="+", metavar="PATH", help="folders or installed packages; nothing else is read")
    way = server.add_mutually_exclusive_group()
    way.add_argument(
        "--http", type=count, metavar="PORT", help="serve by HTTP on 127.0.0.1, with a token, not on stdio"
    )
    way.add_argument(
        "--print-config",
        choices=("claude", "cursor", "vscode"),
        help="print what to put into its configuration, and end",
    )
    server.set_defaults(run=_serve)


def _serve(options: argparse.Namespace) -> int:
    from codeexplore.features.context.assistants.server import CONFIGS, HOST, config_of, serve
    from codeexplore.source.git_url import is_remote
    from codeexplore.types.errors import GitError

    for path in options.paths:
        if is_remote(path):
            raise GitError(f"{path!r} is a URL, and the server opens no connection; clone it and give the folder")
    if options.print_config:
        print(f"{CONFIGS[options.print_config][0]}:", file=sys.stderr)
        print(config_of(options.print_config, options.paths))
        return FOUND
    token = os.environ.get("CODEEXPLORE_TOKEN") or secrets.token_urlsafe(24)
    if options.http:
        print(f"http://{HOST}:{options.http}/mcp\nAuthorization: Bearer {token}", file=sys.stderr, flush=True)
    load = partial(open_workspace, graph="background", progress=lambda *_: None)
    serve(tuple(options.paths), load, options.http, token)
    return FOUND


def add_tour(tour: argparse.ArgumentParser) -> None:
    add_target(tour, "QUESTION", meaning="a question to answer; without it, the whole repository", optional=True)
    tour.add_argument("--steps", type=count, default=15, metavar="N", help="maximal number of steps (default 15)")
    add_filters(tour)
    add_format(tour, "text", "json", "markdown", "codetour")
    tour.set_defaults(run=_tour)


def _tour(options: argparse.Namespace) -> int:
    (question,) = targets_of(options) or ("",)
    filters = filters_of(options)  # report a wrong option before the load
    workspace = opened(options)
    return print_answer(workspace.context.tour(question, options.steps, filters=filters), options, workspace)
