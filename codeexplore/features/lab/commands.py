"""Command ``codeexplore eval``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from codeexplore.answers.wording import plural
from codeexplore.cli.output import FOUND, NOTHING, add_format, print_answer
from codeexplore.source.safe_io import given_path, is_given
from codeexplore.source.samples import sample_names, sample_repo
from codeexplore.types.errors import FixtureError, LabError, QuestionError
from codeexplore.types.visible import visible
from codeexplore.workspace.open import open_workspace

if TYPE_CHECKING:
    from codeexplore.features.lab.evaluation import Comparison, Evaluation, SettingsTable

    Shown: TypeAlias = Evaluation | SettingsTable | Comparison

_EPILOG = """examples:
  codeexplore eval webshop                                a sample repository, with the questions beside it
  codeexplore eval . --fixtures questions.json            your repository, your questions
  codeexplore eval . --setting "bm25+embedding signals=off"
  codeexplore eval . --subsets                            every lane alone, every pair, all, and the default
  codeexplore eval . --ablate                             the default without each re-ranking signal in turn
  codeexplore eval . --compare "fusion=min-max" default   two settings: wins, losses, and whether it may be chance
  codeexplore eval . --html report.html --trec runs/      a page; runs and qrels for trec_eval and its kin

A setting is words: lanes joined by +, fusion=NAME, rrf_k=N, per_file=N, k1=N, b=N, damping=N,
signals=off, without=SIGNAL, weights=LANE:NUMBER, edge_weights=KIND:NUMBER.
"""


def add(command: argparse.ArgumentParser) -> None:
    command.epilog, command.formatter_class = _EPILOG, argparse.RawDescriptionHelpFormatter
    where = "a folder, an installed package, a git URL or a sample repository (default: the present folder)"
    command.add_argument("path", nargs="?", default=".", metavar="PATH", help=where)
    command.add_argument("--fixtures", metavar="FILE", help="the questions (default: PATH.eval.json beside the folder)")
    command.add_argument(
        "--top-k", type=int, default=10, metavar="K", help="the k of recall@k and similar measures (default 10)"
    )
    what = command.add_mutually_exclusive_group()
    what.add_argument("--setting", default="default", metavar="WORDS", help="how to ask (default: as `ask` does)")
    what.add_argument("--subsets", action="store_true", help="a table of every subset of lanes")
    what.add_argument("--ablate", action="store_true", help="a table of the default without each signal in turn")
    what.add_argument("--compare", nargs=2, metavar=("A", "B"), help="two settings")
    measures = "measure that decides wins: hit_at_1, hit, mrr, recall, ndcg (default), ndcg_exp (gain 2^grade − 1)"
    command.add_argument("--measure", default="ndcg", help=measures)
    command.add_argument("--html", metavar="FILE", help="also write a page")
    command.add_argument("--trec", metavar="FOLDER", help="also write runs and qrels in TREC's formats")
    command.add_argument("--strict", action="store_true", help="exit 1 unless every question is scored and passed")
    add_format(command, "text", "json", "markdown")
    command.set_defaults(run=_evaluate)


def _evaluate(options: argparse.Namespace) -> int:
    from codeexplore.features.lab.evaluation import FURTHER_MEASURES, MEASURES

    if options.measure not in (known := [measure.key for measure in (*MEASURES, *FURTHER_MEASURES)]):
        raise QuestionError(f"unknown measure {options.measure!r}; known: {', '.join(known)}")
    shown, evaluations = _measured(options)
    print_answer(shown, options)
    _write(options, shown, evaluations)
    if not any(each.scored for each in evaluations):
        return NOTHING
    complete = all(each.passed == len(each.results) for each in evaluations)
    return NOTHING if options.strict and not complete else FOUND


def _measured(options: argparse.Namespace) -> tuple[Shown, tuple[Evaluation, ...]]:
    from codeexplore.features.lab.evaluation import Setting, find_fixtures, load_fixtures
    from codeexplore.features.lab.evaluation.run import measured

    given = load_fixtures(options.fixtures) if options.fixtures else None  # report mistakes before the load
    asked = [Setting.parse(words) for words in options.compare or [options.setting]]
    is_sample = not is_given(options.path) and options.path in sample_names()  # a folder of that name has priority
    workspace = open_workspace(str(sample_repo(options.path)) if is_sample else options.path)
    chosen = {key: getattr(options, key) for key in ("subsets", "ablate", "measure")}
    fixtures = given or load_fixtures(find_fixtures(workspace.root))
    return measured(workspace, fixtures, asked, cutoff=options.top_k, **chosen)


def _write(options: argparse.Namespace, shown: Shown, evaluations: Sequence[Evaluation]) -> None:
    from codeexplore.features.lab.evaluation import write_trec
    from codeexplore.features.lab.evaluation.results import document_html

    if options.html:
        title = f"{evaluations[0].workspace}: how good the answers are"
        try:
            given_path(options.html).write_text(document_html(title, shown), "utf-8")
        except OSError as error:
            raise FixtureError(f"can't write {options.html!r}: {error.strerror or error}") from error
        print(f"written: {options.html}", file=sys.stderr)
    if options.trec:
        for path in dict.fromkeys(path for each in evaluations for path in write_trec(each, options.trec)):
            print(f"written: {path}", file=sys.stderr)


def add_agreement(agreement: argparse.ArgumentParser) -> None:
    agreement.add_argument("files", nargs="+", metavar="FILE", help="files of grades; .qrels files are TREC's")
    add_format(agreement, "text", "json", "markdown")
    agreement.set_defaults(run=_agreement)


def _agreement(options: argparse.Namespace) -> int:
    from codeexplore.features.lab.evaluation import Judgements, agreement

    print_answer(agreement(*map(Judgements.load, options.files)), options)
    return FOUND


def add_lab(lab: argparse.ArgumentParser) -> None:
    lab.set_defaults(nested=True)
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

    texts = actions.add_parser("texts", help="make a corpus of plain texts with questions and judgements (BEIR, TREC)")
    texts.add_argument("source", metavar="SOURCE", help="a folder in one of these forms, or fables, which comes along")
    texts.add_argument("folder", type=Path, metavar="FOLDER", help="a new or empty folder for the corpus")
    texts.set_defaults(run=_texts)

    key = actions.add_parser("key", help="list the right answers of a lab, for its teacher")
    key.add_argument("folder", type=Path, metavar="FOLDER", help="the folder of a lab")
    key.set_defaults(run=_key)


def _init(options: argparse.Namespace) -> int:
    from codeexplore.features.lab.course.folder import copy_lab

    given = {key: getattr(options, key) for key in ("corpus", "questions", "student", "solutions")}
    notebooks = copy_lab(options.folder, **given)
    print(f"{len(notebooks)} notebooks in {options.folder}\nstart with: jupyter lab {notebooks[0]}")
    return FOUND


def _texts(options: argparse.Namespace) -> int:
    from codeexplore.features.lab.evaluation.texts import read_texts, write_corpus

    folder, questions, (documents, asked, left_out) = write_corpus(texts := read_texts(options.source), options.folder)
    print(f"{documents:,} documents in {folder}, {asked:,} questions in {questions}")
    if left_out:
        print(f"left out: {plural(left_out, 'question')} without a relevant document")
    if texts.problems:
        print(f"not used, {plural(len(texts.problems), 'problem')}:", *map(visible, texts.problems[:20]), sep="\n  ")
    print(f"next: codeexplore eval {folder}")
    return FOUND


def _check(options: argparse.Namespace) -> int:
    from codeexplore.features.lab.course.report import grade

    report = grade(options.folders, options.against)
    print_answer(report, options)
    if missing := [folder for folder in options.folders if not folder.is_dir()]:
        raise LabError(f"there is no folder {', '.join(map(str, missing))}")
    return FOUND if any(each.answered for each in report.students) else NOTHING


def _key(options: argparse.Namespace) -> int:
    from codeexplore.features.lab.course.report import answer_key

    key = answer_key(options.folder)
    for problem in key.left_out:
        print(visible(problem))
    for number, title, right, unnoticed in key.answers:
        shown = f"cannot be set with this corpus: {right}" if isinstance(right, LabError) else right
        print(visible(f"{number}  {title}: {shown}"))
        for hint in unnoticed:
            print(visible(f"     not noticed with this corpus: {hint}"))
    return FOUND
