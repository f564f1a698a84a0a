"""Arguments that all commands share.

One grammar: the last argument is the question or target, all before it are paths, and without a path the present folder
is meant. ``-q TEXT`` gives the question or target too; all other arguments are then paths.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches as close
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codeexplore.source.safe_io import given_path, is_given
from codeexplore.types.errors import QuestionError
from codeexplore.types.visible import visible

if TYPE_CHECKING:
    from codeexplore.types import Filters
    from codeexplore.workspace.workspace import Workspace

# --------------------------------------------------------------------------- paths and targets


def add_paths(command: argparse.ArgumentParser) -> None:
    """Add the arguments of a command without a question: paths only. `targets_of` reads them."""
    add_target(command, meaning="")


def add_target(
    command: argparse.ArgumentParser, *names: str, meaning: str, optional: bool = False, many: bool = False
) -> None:
    """Add the arguments for paths and, after them, a question or target for each of `names`.

    If a target is `optional`, one argument alone is the path if it is a folder. With `many`, ``-q`` may be given any
    number of times.
    """
    shown = " ".join(f"[{name}]" if optional else name for name in names)
    command.usage = f"{command.prog} [options] [PATH ...] {shown}".rstrip()
    help_text = "PATH: folders or files, an installed package or a git URL (default: the present folder)"
    words = command.add_argument(
        "words",
        nargs="*",
        metavar=f"PATH {shown}".rstrip(),
        help=f"{shown}: {meaning}. {help_text}" if names else help_text,
    )
    if names:
        title = "question or target" if len(names) == 1 else " and ".join(names)
        command.add_argument(
            "-q",
            action="append",
            default=[],
            dest="targets",
            metavar="TEXT",
            help=f"the {title}; all other arguments are then paths",
        )
    command.add_argument("--code-only", action="store_true", help="leave out files that are not code")
    command.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="print counts and seconds to standard error, and the traceback of an error",
    )
    command.set_defaults(names=names, optional=optional, many=many, positional=words)


def choice_of(options: argparse.Namespace) -> str:
    """Take one of ``options.choices`` out of the command line: it stands before the target, or before the paths.

    Raises QuestionError if there is none.
    """
    names = 0 if getattr(options, "targets", ()) else len(options.names)
    words, known = options.words, options.choices
    at = next((at for at in reversed(range(max(0, len(words) - names))) if words[at] in known), None)
    if at is None:
        near = next((f"{word!r} is none, did you mean {n!r}? " for word in words for n in close(word, known, 1)), "")
        usage = options.usage.replace("[options] ", "", 1)
        raise QuestionError(f"say what to list. {near}Usage: {usage}")
    options.words = [*words[:at], *words[at + 1 :]]
    return str(words[at])


def targets_of(options: argparse.Namespace) -> tuple[str, ...]:
    """Return the targets of the command line, and leave the paths in ``options.paths``.

    The result is empty if the target is optional and missing. Raises QuestionError for a missing target, and for a path
    that does not exist: a word of a question is never taken for one.
    """
    words, names = list(options.words), options.names
    targets: tuple[str, ...] = tuple(getattr(options, "targets", ()))
    if targets and len(targets) != len(names) and not options.many:
        raise QuestionError(f"-q must be given {len(names)} times here: {' and '.join(names)}")
    if not targets and names:
        cut = max(0, len(words) - len(names))
        words, targets = words[:cut], tuple(words[cut:])
        if options.optional and not words and targets and is_given(targets[0], Path.is_dir):
            words, targets = [targets[0]], ()
        elif len(targets) < len(names) and not options.optional:
            raise QuestionError(f"{names[len(targets)]} is missing: give it as the last argument, or with -q")
        elif (
            len(names) == 1
            and targets
            and not words
            and is_given(targets[0], Path.is_dir)
            and not targets[0].isidentifier()
        ):
            raise QuestionError(f"{names[0]} is missing: {targets[0]!r} is a folder")
    _tell(words)
    from codeexplore.workspace.open import can_open

    for word in words if names else ():
        if not can_open(word):
            raise QuestionError(
                f"there is no folder, file, package or URL {word!r}. The last argument is the {names[-1]}, and those "
                f"before it are paths: put quotes around a {names[-1]} of several words, or give it with -q"
            )
    options.paths = words
    return targets


def _tell(paths: Sequence[str]) -> None:
    """Say in a terminal that the command begins: the imports take as long as a small load."""
    from codeexplore.workspace.progress import Line

    where = paths[0] if paths else "."
    Line.tell(f"reading {visible(Path(where).absolute().name or where)} …")


def opened(options: argparse.Namespace) -> Workspace:
    """Return the workspace for the paths of the command line. Raises the exceptions of `open_workspace`.

    Several paths, or a file, are loaded alone from the folder that contains them all.
    """
    if not hasattr(options, "paths"):
        targets_of(options)
    where, only = _root_of(options.paths)
    from codeexplore.workspace.open import open_workspace

    given: dict[str, Any] = {"only": only} if only else {}
    workspace = open_workspace(where, resources=not options.code_only, **given)
    if options.verbose:
        print(workspace, file=sys.stderr)
    return workspace


def _root_of(paths: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    if len(paths) < 2 and not (paths and is_given(paths[0], Path.is_file)):
        return (paths[0] if paths else "."), ()
    for given in paths:
        if not is_given(given, Path.exists):
            raise QuestionError(f"{given!r:.200} is no folder or file; only these can be given together")
    found = [given_path(path).resolve() for path in paths]
    root = Path(os.path.commonpath([path if path.is_dir() else path.parent for path in found]))
    only = tuple(path.relative_to(root).as_posix() for path in found)
    return str(root), () if "." in only else only


# --------------------------------------------------------------------------- filters and edges


def add_filters(command: argparse.ArgumentParser) -> None:
    """Add the options that `filters_of` reads. Each option may be given several times."""
    for option, name, metavar, help_text in (
        ("--path", "globs", "GLOB", "only files whose path matches a glob: 'src/**/*.py', 'tests', '*.md'"),
        ("--lang", "languages", "NAME", "only this language: python, go, typescript …"),
        ("--kind", "symbol_kinds", "KIND", "only this kind of symbol: function, method, class …"),
    ):
        command.add_argument(option, action="append", default=[], dest=name, metavar=metavar, help=help_text)
    command.add_argument("--no-tests", action="store_true", help="leave out tests")


def filters_of(options: argparse.Namespace) -> Filters:
    """Return the filters that the command line gives. Raises QuestionError for an unknown language or kind."""
    from codeexplore.search.options import check_filters
    from codeexplore.types import Filters

    kinds = tuple(options.symbol_kinds)
    return check_filters(Filters(tuple(options.globs), tuple(options.languages), kinds, not options.no_tests))


def add_edge_options(command: argparse.ArgumentParser) -> None:
    """Add the options that select edges."""
    command.add_argument("--min-confidence", type=confidence, metavar="X", help="edges below X don't count, 0 to 1")
    command.add_argument("--no-tests", dest="tests", action="store_const", const=False, help="leave out tests")


def given(options: argparse.Namespace, *names: str) -> dict[str, Any]:
    """Return name → value for those options in `names` that the command line contains."""
    found = {name: getattr(options, name, None) for name in names}
    return {name: value for name, value in found.items() if value is not None}


# --------------------------------------------------------------------------- parsers of option values


def confidence(text: str) -> float:
    """Parse a number from 0 to 1."""
    from codeexplore.search.options import check_confidence

    try:
        return check_confidence(float(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to 1") from error


def count(text: str) -> int:
    """Parse a whole number of at least 1."""
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return int(text)
