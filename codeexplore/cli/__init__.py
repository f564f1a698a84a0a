"""Command line ``codeexplore``: the same calls as the magics, for a terminal.

`main` runs a command line and `parser` describes it. Each module has a group of commands and adds them with its
function ``add``. Features register theirs (`types.features.Command`), and only the called one is imported.

In a checkout of the repository::

    $ codeexplore callers sample_repos/webshop validate_session
    2 callers of webshop.sessions.SessionManager.validate_session
    ...

Exit status: 0 for an answer, 1 if nothing was found, 2 for a usage error or another reported error.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from codeexplore.cli import cache, demo, graph, search, status, surveys
from codeexplore.cli.next_steps import in_commands
from codeexplore.cli.options import ERROR, FOUND
from codeexplore.cli.output import prepare_streams
from codeexplore.errors import CodeExploreError
from codeexplore.sanitize import visible
from codeexplore.types.features import FeatureUnavailable, find, registered
from codeexplore.types.next_step import with_steps
from codeexplore.version import __version__

_EPILOG = """examples:
  codeexplore ask . "how are expired sessions handled?"
  codeexplore ask networkx "what calls shortest_path?" --top-k 5
  codeexplore callers . validate_session --depth 2
  codeexplore uses . requests.get
  codeexplore modules . --level folder --format mermaid
  codeexplore pack . --tokens 4000 -q "how are expired sessions handled?"
  codeexplore tour . -q "how does routing work?"
  codeexplore changes . --base main
  codeexplore tests . --base main | xargs pytest
  codeexplore status path/to/repo

PATH is a folder, the name of an installed package, or a git URL.
"""


def parser(called: str | None = None) -> argparse.ArgumentParser:
    """Return the parser of the command line. A test checks that the README documents every command.

    With `called`, commands of features that are not called have no arguments: their modules are not imported.
    """
    main_parser = argparse.ArgumentParser(
        prog="codeexplore",
        description="Explore an unfamiliar codebase: ask, see why, walk the callers.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    main_parser.add_argument("--version", action="version", version=f"codeexplore {__version__}")
    commands = main_parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for each in (search, graph, surveys, status, cache, demo):
        each.add(commands)
    if called in commands.choices:
        return main_parser
    given = find(lambda each: next(((each, c) for c in each.commands if c.name == called), None)) if called else None
    for feature, command in [given] if given else [(each, c) for each in registered() for c in each.commands]:
        if command.name not in commands.choices:
            added = commands.add_parser(command.name, help=command.help)
            if given or called is None:
                feature.load(command.add)(added)
    return main_parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status. Without a command, print the help."""
    given = sys.argv[1:] if arguments is None else arguments
    prepare_streams()
    if not given:
        parser("").print_help(sys.stderr)
        return ERROR
    try:
        options = parser(given[0]).parse_args(given)
        exit_status: int = options.run(options)
        sys.stdout.flush()
        return exit_status
    except CodeExploreError as error:
        print(f"codeexplore: {with_steps(error.message, error.next_steps, in_commands)}", file=sys.stderr)
        return ERROR
    except FeatureUnavailable as error:
        print(f"codeexplore: {visible(str(error))}", file=sys.stderr)
        return ERROR
    except KeyboardInterrupt:
        print("codeexplore: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reading program, such as `head`, has ended
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # discard the rest of the buffer
        return FOUND
