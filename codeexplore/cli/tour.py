"""Command ``codeexplore tour``: an order in which to read a repository."""

from __future__ import annotations

import argparse

from codeexplore.cli.formats import count
from codeexplore.cli.options import FOUND, NOTHING, add_filters, add_path, filters_of, opened, show

_FORMS = ("text", "markdown", "codetour", "json")


def add(tour: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_path(tour)
    tour.add_argument("-q", "--question", default="", metavar="TEXT", help="explain this instead of the repository")
    tour.add_argument("--steps", type=count, default=15, metavar="N", help="maximal number of steps (default 15)")
    tour.add_argument("--form", choices=_FORMS, default="text", help="codetour is the .tour file of that extension")
    tour.add_argument("--json", action="store_const", const="json", dest="form", help="the same as --form json")
    add_filters(tour)
    tour.set_defaults(run=_tour)


def _tour(options: argparse.Namespace) -> int:
    filters = filters_of(options)  # report a wrong option before the load
    workspace = opened(options)
    tour = workspace.context.tour(options.question, options.steps, filters=filters)
    if options.form == "codetour":
        print(tour.to_codetour())
    elif options.form == "markdown":
        print(tour.to_markdown())
    else:
        show(tour, options.form == "json", workspace)
    return FOUND if tour.steps else NOTHING
