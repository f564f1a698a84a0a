"""``codeexplore``: the same calls as the magics, for a terminal.

Exit status: 0 an answer, 1 nothing found, 2 a usage error or an error that was told.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from codeexplore.errors import CodeExploreError
from codeexplore.workspace.opening import open_workspace

if TYPE_CHECKING:
    from codeexplore.workspace.workspace import Workspace

FOUND, NOTHING, ERROR = 0, 1, 2

_EPILOG = """examples:
  codeexplore ask . "how are expired sessions handled?"
  codeexplore ask networkx "what calls shortest_path?" --top-k 5
  codeexplore callers . validate_session --depth 2
  codeexplore status path/to/repo

PATH is a folder, the name of an installed package, or a git URL.
"""


def parser() -> argparse.ArgumentParser:
    """The command line; a test checks that the README documents every command."""
    main_parser = argparse.ArgumentParser(
        prog="codeexplore",
        description="Explore an unfamiliar codebase: ask, see why, walk the callers.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    from codeexplore import __version__

    main_parser.add_argument("--version", action="version", version=f"codeexplore {__version__}")
    commands = main_parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    ask = commands.add_parser("ask", help="rank the symbols that answer a question")
    _add_path(ask)
    ask.add_argument("question", nargs="+", help="an identifier, 'what calls …', or a description in plain words")
    ask.add_argument("--top-k", type=int, default=10, metavar="N", help="hits to show (default 10)")
    ask.add_argument("--lanes", metavar="A,B", help="only these lanes: bm25, embedding, graph")
    ask.add_argument("--rrf-k", type=int, default=60, metavar="N", help="constant of the fusion (default 60)")
    ask.add_argument("--per-file", type=int, metavar="N", help="at most N hits of one file")
    _add_json(ask)

    for name, help_text in (
        ("callers", "what calls a symbol"),
        ("callees", "what a symbol calls"),
        ("impact", "what may break if a symbol changes"),
    ):
        walk = commands.add_parser(name, help=help_text)
        _add_path(walk)
        walk.add_argument("name", metavar="NAME", help="a name, a qualified name or path:line")
        walk.add_argument("--depth", type=int, metavar="N", help="how many calls away")
        _add_json(walk)

    status = commands.add_parser("status", help="what was indexed, what was skipped and why")
    _add_path(status)
    status.add_argument("--skipped", action="store_true", help="list every skipped file with its reason")
    _add_json(status)

    demo = commands.add_parser("demo", help="three questions to a sample repository, or to yours")
    demo.add_argument("path", nargs="?", metavar="PATH", help="a repository of your own")
    return main_parser


def _add_path(command: argparse.ArgumentParser) -> None:
    command.add_argument("path", metavar="PATH", help="a folder, an installed package or a git URL")


def _add_json(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="print the answer as JSON with a schema version")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit status."""
    options = parser().parse_args(arguments)
    try:
        status = _COMMANDS[options.command](options)
        sys.stdout.flush()
        return status
    except CodeExploreError as error:
        print(f"codeexplore: {error}", file=sys.stderr)
        return ERROR
    except KeyboardInterrupt:
        print("codeexplore: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader, `head` say, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nor is there one for what is still buffered
        return FOUND


def _show(answer: Any, as_json: bool) -> None:
    """Print an answer as text, or as the JSON of its to_dict()."""
    if as_json:
        print(json.dumps(answer.to_dict(), ensure_ascii=False, indent=2))
    else:
        from codeexplore.render.text import shown_text

        print(shown_text(answer))


def _ask(options: argparse.Namespace) -> int:
    workspace = open_workspace(options.path)
    lanes = tuple(lane.strip() for lane in options.lanes.split(",")) if options.lanes else None
    answer = workspace.search(
        " ".join(options.question), top_k=options.top_k, lanes=lanes, rrf_k=options.rrf_k, per_file=options.per_file
    )
    _show(answer, options.json)
    return FOUND if answer.hits else NOTHING


def _walk(options: argparse.Namespace) -> int:
    workspace = open_workspace(options.path)
    depth = {} if options.depth is None else {"depth": options.depth}
    answer = getattr(workspace, options.command)(options.name, **depth)
    _show(answer, options.json)
    return FOUND if len(answer) else NOTHING


def _status(options: argparse.Namespace) -> int:
    workspace = open_workspace(options.path)
    if options.json:
        print(json.dumps(workspace.summary.to_dict(), ensure_ascii=False, indent=2))
        return FOUND
    print(workspace)
    if options.skipped:
        for item in workspace.summary.skipped_files:
            print(f"  {item.reason:<20} {item.path}  {item.detail}".rstrip())
    return FOUND


def _demo(options: argparse.Namespace) -> int:
    """Load a repository, ask three questions of different kinds, show the arithmetic and the callers."""
    from codeexplore.samples import sample_repo
    from codeexplore.workspace.workspace import Workspace

    workspace = open_workspace(options.path) if options.path else Workspace(sample_repo("webshop"))
    print(workspace)
    name, described = ("validate_session", "how are expired sessions handled?") if not options.path else _own(workspace)
    for kind, question in (
        ("an identifier", name),
        ("a structural question", f"what calls {name}?"),
        ("a description in plain words", described),
    ):
        answer = workspace.search(question, top_k=5)
        print(f"\n── {kind} " + "─" * max(4, 76 - len(kind)))
        print(answer)
    print(f"\n── callers of {name} " + "─" * max(4, 66 - len(name)))
    print(workspace.callers(name))
    return FOUND


def _own(workspace: Workspace) -> tuple[str, str]:
    """The most called function of a repository, and what the longest-documented other one says it does."""
    from collections import Counter

    from codeexplore.types import EDGE_KINDS

    catalog, calls = workspace.catalog, EDGE_KINDS.index("CALLS")
    edges = workspace.graph.edges
    rows = zip(edges.target, edges.kind, edges.in_test, strict=True)
    counts = Counter(target for target, kind, in_test in rows if kind == calls and not in_test)
    called = [catalog.symbols[row] for row, _ in counts.most_common(200)]
    called = [s for s in called if not s.name.startswith("__")] or called  # nobody asks who calls __init__
    named = next((s for s in called if len(catalog.find(s.fqn)) == 1), catalog.symbols[0])
    documented = max((s for s in called if s is not named), key=lambda s: min(len(s.doc), 400), default=named)
    sentence = documented.doc.split("\n\n")[0].replace("\n", " ").strip()[:160]
    return named.fqn, sentence or f"where is {documented.name.replace('_', ' ')} done?"


_COMMANDS = {
    "ask": _ask,
    "callers": _walk,
    "callees": _walk,
    "impact": _walk,
    "status": _status,
    "demo": _demo,
}

if __name__ == "__main__":
    sys.exit(main())
