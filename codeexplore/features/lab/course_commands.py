"""Commands ``codeexplore lab``: copy the lab, grade saved answers, list the right answers."""

from __future__ import annotations

import argparse
from pathlib import Path

from codeexplore.cli.options import FOUND, NOTHING, add_format, show
from codeexplore.types.errors import LabError


def add(lab: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    actions = lab.add_subparsers(dest="action", required=True, metavar="ACTION")

    init = actions.add_parser("init", help="copy the notebooks and their corpus into a new folder")
    init.add_argument("folder", type=Path, metavar="FOLDER", help="a new or empty folder")
    init.add_argument("--corpus", type=Path, metavar="PATH", help="another repository, with --questions")
    init.add_argument("--questions", type=Path, metavar="FILE", help="questions with known answers about it")
    init.add_argument("--student", default="", metavar="NAME", help="name for the report (default: the folder's)")
    init.add_argument("--solutions", action="store_true", help="copy the solutions too")
    init.set_defaults(run=_init)

    check = actions.add_parser("check", help="grade the saved answers of one or several folders; runs no notebook")
    check.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="a folder in which the lab was done")
    check.add_argument("--against", type=Path, metavar="FOLDER", help="the lab as it was handed out decides for all")
    add_format(check, "text", "json", "csv")
    check.set_defaults(run=_check)

    key = actions.add_parser("key", help="list the right answers of a lab, for its teacher")
    key.add_argument("folder", type=Path, metavar="FOLDER", help="the folder of a lab")
    key.set_defaults(run=_key)


def _init(options: argparse.Namespace) -> int:
    from codeexplore.features.lab.course.folder import copy_lab

    notebooks = copy_lab(
        options.folder, corpus=options.corpus, questions=options.questions, student=options.student,
        solutions=options.solutions,
    )  # fmt: skip
    print(f"{len(notebooks)} notebooks in {options.folder}\nstart with: jupyter lab {notebooks[0]}")
    return FOUND


def _check(options: argparse.Namespace) -> int:
    from codeexplore.features.lab.course.report import grade

    report = grade(options.folders, options.against)
    if options.format == "csv":
        print(report.to_csv(), end="")
    else:
        show(report, options.format == "json")
    if missing := [folder for folder in options.folders if not folder.is_dir()]:
        raise LabError(f"there is no folder {', '.join(map(str, missing))}")
    return FOUND if any(each.answered for each in report.students) else NOTHING


def _key(options: argparse.Namespace) -> int:
    from codeexplore.features.lab.course.report import answer_key
    from codeexplore.types.visible import visible

    key = answer_key(options.folder)
    for problem in key.left_out:
        print(visible(problem))
    for number, title, right, unnoticed in key.answers:
        shown = f"cannot be set with this corpus: {right}" if isinstance(right, LabError) else right
        print(visible(f"{number}  {title}: {shown}"))
        for hint in unnoticed:
            print(visible(f"     not noticed with this corpus: {hint}"))
    return FOUND
