"""Output formats of graph answers: text, or a format for other programs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from codeexplore.cli.options import FOUND, NOTHING, show
from codeexplore.sanitize import visible

if TYPE_CHECKING:
    from codeexplore.types import EdgeKind
    from codeexplore.workspace.workspace import Workspace

FORMATS = ("text", "json", "markdown", "dot", "mermaid", "graphml")


def add_format(command: argparse.ArgumentParser) -> None:
    """Add the options that `print_answer` reads."""
    command.add_argument("--format", choices=FORMATS, default="text", help="how to print the answer (default text)")
    command.add_argument("--json", action="store_const", const="json", dest="format", help="the same as --format json")


def add_edge_options(command: argparse.ArgumentParser, *, tests: bool = True) -> None:
    """Add the options that select edges. `tests` is True if edges from tests count by default."""
    command.add_argument("--min-confidence", type=confidence, metavar="X", help="edges below X don't count, 0 to 1")
    if tests:
        command.add_argument("--no-tests", dest="tests", action="store_const", const=False, help="leave out tests")
    else:
        command.add_argument(
            "--tests", dest="tests", action="store_const", const=True, help="count edges from tests too"
        )


def given(options: argparse.Namespace, *names: str) -> dict[str, Any]:
    """Return name → value for those options in `names` that the command line contains."""
    found = {name: getattr(options, name, None) for name in names}
    return {name: value for name, value in found.items() if value is not None}


def print_answer(answer: Any, options: argparse.Namespace, workspace: Workspace | None = None) -> int:
    """Print an answer in the requested format, and return the exit status; see `options.show`."""
    if options.format in ("text", "json"):
        show(answer, options.format == "json", workspace)
    else:
        print(visible(getattr(answer, f"to_{options.format}")().rstrip("\n")))
    return FOUND if _found(answer) else NOTHING


def _found(answer: Any) -> bool:
    return bool(answer) if not hasattr(type(answer), "__len__") else len(answer) > 0


# --------------------------------------------------------------------------- parsers of option values


def confidence(text: str) -> float:
    """Parse a number from 0 to 1."""
    from codeexplore.search.query.options import check_confidence

    try:
        return check_confidence(float(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to 1") from error


def count(text: str) -> int:
    """Parse a whole number of at least 1."""
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return int(text)


def edge_kinds(text: str) -> tuple[EdgeKind, ...]:
    """Parse kinds of edges, separated by commas."""
    from codeexplore.errors import QuestionError
    from codeexplore.search.query.options import check_edge_kinds

    try:
        return check_edge_kinds([kind.strip() for kind in text.split(",") if kind.strip()])
    except QuestionError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def names_of(known: tuple[str, ...]) -> Any:
    """Return a parser for names from `known`, separated by commas."""

    def names(text: str) -> tuple[str, ...]:
        wanted = tuple(name.strip() for name in text.split(",") if name.strip())
        for name in wanted:
            if name not in known:
                raise argparse.ArgumentTypeError(f"unknown {name!r}; known: {', '.join(known)}")
        return wanted

    return names
