"""Command ``codeexplore eval``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from codeexplore.cli.options import FOUND, NOTHING, add_format, print_answer
from codeexplore.source.samples import sample_names, sample_repo
from codeexplore.types.errors import FixtureError, QuestionError
from codeexplore.workspace.open import open_workspace

if TYPE_CHECKING:
    from codeexplore.features.lab.evaluation import Comparison, Evaluation, SettingsTable
    from codeexplore.workspace.workspace import Workspace

    Shown: TypeAlias = Evaluation | SettingsTable | Comparison

_EPILOG = """examples:
  codeexplore eval webshop                                a sample repository, with the questions beside it
  codeexplore eval . --fixtures questions.json            your repository, your questions
  codeexplore eval . --setting "bm25+embedding signals=off"
  codeexplore eval . --subsets                            every lane alone, every pair, all, and the default
  codeexplore eval . --ablate                             the default without each re-ranking signal in turn
  codeexplore eval . --compare "fusion=min-max" default   two settings: wins, losses, and whether it may be chance
  codeexplore eval . --commits v1.0 HEAD                  two commits: did the code become harder to find?
  codeexplore eval . --html report.html --trec runs/      a page; runs and qrels for trec_eval and its kin

A setting is words: lanes joined by +, fusion=NAME, rrf_k=N, per_file=N, signals=off, without=SIGNAL,
weights=LANE:NUMBER.
"""


def add(command: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    command.epilog, command.formatter_class = _EPILOG, argparse.RawDescriptionHelpFormatter
    command.add_argument(
        "path", nargs="?", default=".", metavar="PATH",
        help="a folder, an installed package, a git URL or a sample repository (default: the present folder)",
    )  # fmt: skip
    command.add_argument("--fixtures", metavar="FILE", help="the questions (default: PATH.eval.json beside the folder)")
    command.add_argument(
        "--top-k", type=int, default=10, metavar="K", help="the k of recall@k and similar measures (default 10)"
    )
    what = command.add_mutually_exclusive_group()
    what.add_argument("--setting", default="default", metavar="WORDS", help="how to ask (default: as `ask` does)")
    what.add_argument("--subsets", action="store_true", help="a table of every subset of lanes")
    what.add_argument("--ablate", action="store_true", help="a table of the default without each signal in turn")
    what.add_argument("--compare", nargs=2, metavar=("A", "B"), help="two settings")
    what.add_argument("--commits", nargs=2, metavar=("A", "B"), help="two commits of a local repository")
    command.add_argument(
        "--measure",
        default="ndcg",
        help="measure that decides wins: hit_at_1, hit, mrr, recall, ndcg (default)",
    )
    command.add_argument("--html", metavar="FILE", help="also write a page")
    command.add_argument("--trec", metavar="FOLDER", help="also write runs and qrels in TREC's formats")
    command.add_argument("--strict", action="store_true", help="exit 1 unless every question is scored and passed")
    add_format(command, "text", "json", "markdown")
    command.set_defaults(run=_evaluate)


def _evaluate(options: argparse.Namespace) -> int:
    from codeexplore.features.lab.evaluation import MEASURES

    if options.measure not in (known := [measure.key for measure in MEASURES]):
        raise QuestionError(f"unknown measure {options.measure!r}; known: {', '.join(known)}")
    shown, evaluations = _measured(options)
    print_answer(shown, options)
    _write(options, shown, evaluations)
    if not any(each.scored for each in evaluations):
        return NOTHING
    complete = all(each.passed == len(each.results) for each in evaluations)
    return NOTHING if options.strict and not complete else FOUND


def _measured(options: argparse.Namespace) -> tuple[Shown, tuple[Evaluation, ...]]:
    """Return the result that the options request, and every evaluation in it."""
    from codeexplore.features.lab.evaluation import (
        Setting,
        SettingsTable,
        compare,
        evaluate_commit,
        evaluate_settings,
        find_fixtures,
    )
    from codeexplore.features.lab.evaluation import load_fixtures as load
    from codeexplore.features.lab.evaluation.setting import ablations, lane_subsets

    given = load(options.fixtures) if options.fixtures else None  # report mistakes before the load
    asked = [Setting.parse(words) for words in options.compare or [options.setting]]
    if options.commits:
        root = _local(options.path)
        fixtures = given or load(find_fixtures(root))
        pair = tuple(evaluate_commit(root, each, fixtures, cutoff=options.top_k) for each in options.commits)
        names = [f"commit {each}" for each in options.commits]
        return compare(*pair, measure=options.measure, before_name=names[0], after_name=names[1]), pair
    workspace = _opened(options.path)
    fixtures = given or load(find_fixtures(workspace.root))
    if options.subsets or options.ablate:
        chosen = lane_subsets() if options.subsets else ablations(workspace.engine)
        rows = evaluate_settings(workspace, fixtures, chosen, cutoff=options.top_k)
        return SettingsTable(rows), rows
    evaluations = evaluate_settings(workspace, fixtures, asked, cutoff=options.top_k)
    if options.compare:
        return compare(*evaluations, measure=options.measure), evaluations
    return evaluations[0], evaluations


def _opened(where: str) -> Workspace:
    return open_workspace(str(sample_repo(where)) if _is_sample(where) else where)


def _local(where: str) -> Path:
    return sample_repo(where) if _is_sample(where) else Path(where).expanduser()


def _is_sample(where: str) -> bool:
    """Return True if `where` names a sample repository. A folder of that name has priority."""
    return not Path(where).expanduser().exists() and where in sample_names()


def _write(options: argparse.Namespace, shown: Shown, evaluations: Sequence[Evaluation]) -> None:
    from codeexplore.features.lab.evaluation import write_trec
    from codeexplore.features.lab.evaluation.report import document_html

    if options.html:
        title = f"{evaluations[0].workspace}: how good the answers are"
        try:
            Path(options.html).expanduser().write_text(document_html(title, shown), "utf-8")
        except OSError as error:
            raise FixtureError(f"can't write {options.html!r}: {error.strerror or error}") from error
        print(f"written: {options.html}", file=sys.stderr)
    if options.trec:
        for path in dict.fromkeys(path for each in evaluations for path in write_trec(each, options.trec)):
            print(f"written: {path}", file=sys.stderr)
