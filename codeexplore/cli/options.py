"""Parts that all commands share: exit statuses, common arguments, and printing of an answer."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from codeexplore.cli.output import has_links, linked, print_json

if TYPE_CHECKING:
    from codeexplore.types import Filters
    from codeexplore.workspace.workspace import Workspace

    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

FOUND, NOTHING, ERROR = 0, 1, 2


def add_path(command: argparse.ArgumentParser) -> None:
    """Add the argument for the repository."""
    command.add_argument("path", metavar="PATH", help="a folder, an installed package or a git URL")
    command.add_argument("--code-only", action="store_true", help="leave out files that are not code")


def opened(options: argparse.Namespace) -> Workspace:
    """Return the workspace for the arguments of `add_path`. Raises the exceptions of `open_workspace`."""
    from codeexplore.workspace.open import open_workspace

    return open_workspace(options.path, resources=not options.code_only)


def add_json(command: argparse.ArgumentParser) -> None:
    """Add the option ``--json``, whose value is an argument of `show`."""
    command.add_argument("--json", action="store_true", help="print the answer as JSON with a schema version")


def add_filters(command: argparse.ArgumentParser) -> None:
    """Add the options that `filters_of` reads. Each option may be given several times."""
    command.add_argument("--path", action="append", default=[], dest="paths", metavar="GLOB",
                         help="only files whose path matches a glob: 'src/**/*.py', 'tests', '*.md'")  # fmt: skip
    command.add_argument("--lang", action="append", default=[], dest="languages", metavar="NAME",
                         help="only this language: python, go, typescript …")  # fmt: skip
    command.add_argument("--kind", action="append", default=[], dest="kinds", metavar="KIND",
                         help="only this kind of symbol: function, method, class …")  # fmt: skip
    command.add_argument("--no-tests", action="store_true", help="leave out test files")


def filters_of(options: argparse.Namespace) -> Filters:
    """Return the filters that the command line gives. Raises QuestionError for an unknown language or kind."""
    from codeexplore.search.query.options import check_filters
    from codeexplore.types import Filters

    return check_filters(
        Filters(tuple(options.paths), tuple(options.languages), tuple(options.kinds), not options.no_tests)
    )


def show(answer: Any, as_json: bool, workspace: Workspace | None = None) -> None:
    """Print an answer as text, or as JSON of its to_dict().

    On a terminal, file positions in `workspace` are links.
    """
    if as_json:
        print_json(answer.to_dict())
        return
    from codeexplore.cli.next_steps import answer_in_commands
    from codeexplore.results.show import shown_text

    text = shown_text(answer_in_commands(answer))
    if workspace is not None and has_links(sys.stdout):
        text = linked(text, workspace.root, workspace.files)
    print(text)
