"""Command ``codeexplore history``: how often and when something changed, who knows it, and what changes with it."""

from __future__ import annotations

import argparse

from codeexplore.cli.options import add_format, add_target, count, opened, print_answer, targets_of
from codeexplore.types.errors import QuestionError


def add(history: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_target(history, "TARGET", meaning="a symbol or the path of a file; without it, the repository", optional=True)
    history.add_argument("--together", action="store_true", help="list what changed in the same commits instead")
    history.add_argument("--top-k", type=count, default=20, metavar="N", help="items of --together (default 20)")
    add_format(history)
    history.set_defaults(run=_history)


def _history(options: argparse.Namespace) -> int:
    (target,) = targets_of(options) or (None,)
    if options.together and target is None:
        raise QuestionError("--together needs a target: the name of a symbol or the path of a file")
    workspace = opened(options)
    if options.together:
        return print_answer(workspace.review.together(target, options.top_k), options, workspace)
    return print_answer(workspace.review.history(target), options, workspace)
