"""Commands ``codeexplore judge`` and ``codeexplore agreement``: grade hits in a terminal, and compare judges."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.cli.options import FOUND, NOTHING, add_format, add_target, count, opened, print_answer, targets_of
from codeexplore.types.errors import QuestionError

if TYPE_CHECKING:
    from codeexplore.features.lab.evaluation import JudgingSession
    from codeexplore.features.lab.evaluation.judging_session import Item

_HELP = "0 to 3 grades, u undoes, n and p go to the next and the previous hit, q ends"
_LINES = 40  # of a hit's source


def add_judge(judge: argparse.ArgumentParser) -> None:
    """Add the arguments of ``judge``."""
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
    """Add the arguments of ``agreement``."""
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

    given = (Judgements.from_qrels(f) if f.endswith(".qrels") else Judgements.load(f) for f in options.files)
    print_answer(agreement(*given), options)
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
