"""Runs and qrels in the formats of TREC, for trec_eval, ir-measures, ranx and similar tools.

A qrels line is ``question 0 document grade``. A run line is ``question Q0 document rank score tag``. Columns are
separated by spaces. White space and percent signs in ids are therefore written as in URLs (``%20``).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from codeexplore.features.lab.evaluation.results import Evaluation
from codeexplore.types.errors import FixtureError

_TOLD_APART = re.compile(r"[\s%]")
_NO_FILE_NAME = re.compile(r"[^\w.+=-]+")


class TrecFiles(NamedTuple):
    """Paths of the files that were written."""

    qrels: Path
    run: Path


def qrels_text(evaluation: Evaluation) -> str:
    """Return the grades of every scored question as qrels lines: 2 for expected, 1 for accepted, or graded ones."""
    lines = [
        qrels_line(result.question.id, document, grade)
        for result in evaluation.scored
        for document, grade in result.judged.grades.items()
    ]
    return "".join(lines)


def qrels_line(question: str, document: str, grade: int) -> str:
    """Return one line of a qrels file."""
    return f"{_column(question)} 0 {_column(document)} {grade}\n"


def run_text(evaluation: Evaluation, tag: str = "") -> str:
    """Return the ranking of every scored question as run lines, best first.

    Tools sort a run by its scores, and each tool breaks ties in its own way. Fused scores may tie, and re-ranked scores
    may be equal in all printed digits. The score written is therefore lower by one for each rank, so that every tool
    keeps the order.
    """
    tag = _column(tag or evaluation.setting.name)
    lines = [
        f"{_column(result.question.id)} Q0 {_column(each.document)} {each.rank} {len(result.ranked) - place} {tag}"
        for result in evaluation.scored
        for place, each in enumerate(result.ranked)
    ]
    return "".join(line + "\n" for line in lines)


def write_trec(evaluation: Evaluation, folder: str | Path) -> TrecFiles:
    """Write ``NAME.qrels`` and ``NAME.SETTING.run`` into a folder, which is created if it does not exist.

    Raises
    ------
    FixtureError
        The folder cannot be written.
    """
    folder = Path(folder).expanduser()
    name = _NO_FILE_NAME.sub("-", evaluation.workspace).strip("-.") or "evaluation"
    setting = _NO_FILE_NAME.sub("-", evaluation.setting.name).strip("-.")
    files = TrecFiles(folder / f"{name}.qrels", folder / f"{name}.{setting}.run")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        files.qrels.write_text(qrels_text(evaluation), "utf-8", newline="\n")
        files.run.write_text(run_text(evaluation), "utf-8", newline="\n")
    except OSError as error:
        raise FixtureError(f"can't write the TREC files into {str(folder)!r}: {error.strerror or error}") from error
    return files


def _column(text: str) -> str:
    return _TOLD_APART.sub(lambda match: "".join(f"%{byte:02X}" for byte in match[0].encode()), text) or "-"
