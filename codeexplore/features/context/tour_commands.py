"""Command ``codeexplore tour``: an order in which to read a repository."""

from __future__ import annotations

import argparse

from codeexplore.cli.options import (
    FOUND,
    NOTHING,
    add_filters,
    add_format,
    add_target,
    count,
    filters_of,
    opened,
    print_answer,
    targets_of,
)


def add(tour: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_target(tour, "QUESTION", meaning="a question to answer; without it, the whole repository", optional=True)
    tour.add_argument("--steps", type=count, default=15, metavar="N", help="maximal number of steps (default 15)")
    add_filters(tour)
    add_format(tour, "text", "json", "markdown", "codetour")
    tour.set_defaults(run=_tour)


def _tour(options: argparse.Namespace) -> int:
    (question,) = targets_of(options) or ("",)
    filters = filters_of(options)  # report a wrong option before the load
    workspace = opened(options)
    tour = workspace.context.tour(question, options.steps, filters=filters)
    if options.format == "codetour":
        print(tour.to_codetour())
    else:
        print_answer(tour, options, workspace)
    return FOUND if tour.steps else NOTHING
