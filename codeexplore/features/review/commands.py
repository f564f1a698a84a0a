"""Commands ``codeexplore changes`` and ``codeexplore tests``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codeexplore.cli.options import FOUND, NOTHING, add_format, add_paths, count, opened, print_answer
from codeexplore.types.visible import visible

if TYPE_CHECKING:
    from codeexplore.features.review.answers import ChangesAnswer


def add_changes(changes: argparse.ArgumentParser) -> None:
    """Add the arguments of ``changes``."""
    _add_base(changes)
    changes.add_argument("--impact", action="store_true", help="list what the change may affect instead")
    changes.add_argument("--history", action="store_true", help="with --impact: add what changed together in the past")
    changes.add_argument("--depth", type=count, metavar="N", help="steps of --impact (default any)")
    add_format(changes, "text", "json", "markdown")
    changes.set_defaults(run=_changes)


def add_tests(tests: argparse.ArgumentParser) -> None:
    """Add the arguments of ``tests``."""
    _add_base(tests)
    tests.add_argument("--safe", action="store_true", help="add the test files that only import a changed file")
    add_format(tests, "ids", "command", "text", "json", "markdown")
    tests.set_defaults(run=_tests)


def _add_base(command: argparse.ArgumentParser) -> None:
    add_paths(command)
    command.add_argument("--base", default="HEAD", metavar="REF",
                         help="a branch, tag or commit to compare with the files, a range such as main...feature, or a "
                         "folder (default HEAD)")  # fmt: skip
    command.add_argument("--patch", metavar="FILE", help="a patch instead; - reads it from standard input")
    command.add_argument("--no-untracked", dest="untracked", action="store_false",
                         help="leave out files that git does not track")  # fmt: skip


def _answer(options: argparse.Namespace) -> tuple[ChangesAnswer, Any]:
    workspace = opened(options)
    base: str | Path = options.base
    if options.patch == "-":
        base = sys.stdin.buffer.read().decode("utf-8", "surrogateescape") + "\n"
    elif options.patch is not None:
        base = Path(options.patch)
    return workspace.review.changes(base, untracked=options.untracked), workspace


def _changes(options: argparse.Namespace) -> int:
    changes, workspace = _answer(options)
    wanted = options.impact or options.depth or options.history
    print_answer(changes.impact(options.depth, history=options.history) if wanted else changes, options, workspace)
    return FOUND if len(changes) or changes.files else NOTHING


def _tests(options: argparse.Namespace) -> int:
    changes, workspace = _answer(options)
    answer = changes.tests(safe=options.safe)
    if options.format == "ids":
        for each in answer.ids:
            print(visible(each))
    elif options.format == "command":
        for command in answer.selection.commands:
            print(visible(command.line))
    else:
        print_answer(answer, options, workspace)
    return FOUND if len(answer) else NOTHING
