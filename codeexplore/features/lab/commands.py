"""Command ``codeexplore eval``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from codeexplore.cli.options import (
    FOUND,
    NOTHING,
    add_format,
    add_target,
    count,
    opened,
    print_answer,
    show,
    targets_of,
)
from codeexplore.source.safe_io import given_path, is_given
from codeexplore.source.samples import sample_names, sample_repo
from codeexplore.types.errors import FixtureError, LabError, QuestionError
from codeexplore.workspace.open import open_workspace

if TYPE_CHECKING:
    from codeexplore.features.lab.evaluation import Comparison, Evaluation, SettingsTable
    from codeexplore.workspace.workspace import Workspace

    Shown: TypeAlias = Evaluation | SettingsTable | Comparison
    from codeexplore.features.lab.evaluation import JudgingSession
    from codeexplore.features.lab.evaluation.judgements import Item

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
    what.add_argument("--commits", nargs=2, metavar=("A", "B"), help="two commits of a local repository")
    measures = "measure that decides wins: hit_at_1, hit, mrr, recall, ndcg (default)"
    command.add_argument("--measure", default="ndcg", help=measures)
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
    return sample_repo(where) if _is_sample(where) else given_path(where)


def _is_sample(where: str) -> bool:
    """Return True if `where` names a sample repository. A folder of that name has priority."""
    return not is_given(where) and where in sample_names()


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


_HELP = "0 to 3 grades, u undoes, n and p go to the next and the previous hit, q ends"
_LINES = 40  # of a hit's source


def add_judge(judge: argparse.ArgumentParser) -> None:
    add_target(judge, "QUESTION", meaning="a question to judge; -q may be repeated", optional=True, many=True)
    judge.add_argument("--fixtures", metavar="FILE", help="a file of questions instead")
    judge.add_argument("--depth", type=count, default=10, metavar="N", help="hits of each setting (default 10)")
    judge.add_argument("--judge", default="judge", metavar="NAME", help="who judges (default: judge)")
    judge.add_argument("--file", metavar="FILE", help="file of the grades (default: one in the cache folder)")
    judge.add_argument("--qrels", metavar="FILE", help="at the end, write all grades in TREC's format")
    judge.add_argument(
        "--questions", metavar="FILE", help="at the end, write the judged questions for codeexplore eval"
    )
    judge.set_defaults(run=_judge)


def add_agreement(agreement: argparse.ArgumentParser) -> None:
    agreement.add_argument("files", nargs="+", metavar="FILE", help="files of grades; .qrels files are TREC's")
    add_format(agreement, "text", "json", "markdown")
    agreement.set_defaults(run=_agreement)


def _judge(options: argparse.Namespace) -> int:
    from codeexplore.features.lab.evaluation import JudgingSession, make_pool
    from codeexplore.features.lab.evaluation.judgements import default_file

    questions = targets_of(options)
    if bool(questions) == bool(options.fixtures):
        raise QuestionError("give questions with -q, or a file of them with --fixtures")
    workspace = opened(options)
    pool = make_pool(workspace, Path(options.fixtures) if options.fixtures else questions, options.depth)
    path = options.file or default_file(workspace.root, options.judge)
    session = JudgingSession(pool, path, options.judge)
    print(f"{session.done} of {session.total} hits graded; each grade is stored at once in {session.path}\n{_HELP}")
    _ask(session)
    if options.qrels:
        print(f"wrote {session.judgements.to_qrels(options.qrels)}")
    if options.questions:
        print(f"wrote {session.write_fixtures(options.questions)}")
    return FOUND if session.total else NOTHING


def _agreement(options: argparse.Namespace) -> int:
    from codeexplore.features.lab.evaluation import Judgements, agreement

    print_answer(agreement(*map(Judgements.load, options.files)), options)
    return FOUND


def _ask(session: JudgingSession) -> None:
    """Show hits and take grades until all have one, the user ends, or the input does."""
    while not session.finished:
        item = session.current
        if item is None:
            break
        _print_hit(item, session)
        try:
            key = input("grade: ").strip().lower()
        except EOFError:
            break
        if key == "q":
            break
        _apply(key, session)
    print(f"{session.done} of {session.total} hits graded")


def _apply(key: str, session: JudgingSession) -> None:
    if key in ("n", "p"):
        session.go(1 if key == "n" else -1)
    elif key == "u":
        session.undo()
    elif key in ("0", "1", "2", "3"):
        session.grade(int(key))
    else:
        print(_HELP)


def _print_hit(item: Item, session: JudgingSession) -> None:
    from codeexplore.answers.blocks import Piece, Place, Source, Text
    from codeexplore.answers.terminal import written

    source = item.hit.source
    place = Place(source.path, source.start_line, source.end_line)
    graded = "" if item.grade is None else f"  graded {item.grade}"
    head = Text((Piece(item.hit.name, "code"), f"  {item.hit.kind}  ", place, graded), apart=True)
    lines = Source(source.numbered_lines(), source.language, brief=_LINES)
    print(f"\nhit {item.number} of {session.total}")
    print(written([Text(f"Does this answer: {item.asked.question.query}"), head, lines]))


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

    folder, questions, (documents, asked, left_out) = write_corpus(read_texts(options.source), options.folder)
    print(f"{documents:,} documents in {folder}, {asked:,} questions in {questions}")
    if left_out:
        print(f"{left_out:,} questions without a relevant document were left out")
    print(f"next: codeexplore eval {folder}")
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
