"""Results of an evaluation. Each number can be traced to the hits from which it was computed."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from codeexplore.answers.blocks import Block, Fold, Heading, Items, Line, Meter, Piece, Row, Table, Text
from codeexplore.answers.data import Frame, frame
from codeexplore.answers.html.elements import Html, join, tag
from codeexplore.answers.html.writer import shown_html
from codeexplore.answers.shown import Shown
from codeexplore.answers.wording import cut, one_line, plural, shorten
from codeexplore.features.lab.evaluation import metrics
from codeexplore.features.lab.evaluation.fixtures import QUESTION_TYPES, Judged, Problem, Question
from codeexplore.features.lab.evaluation.metrics import ACCEPTED, BEST, DEMANDED
from codeexplore.features.lab.evaluation.setting import Setting
from codeexplore.source.safe_io import given_path
from codeexplore.types import SCHEMA_VERSION
from codeexplore.types.errors import FixtureError


class Measure(NamedTuple):
    """A measure: its field in `Scores`, its label with a place for the cutoff k, and its meaning in plain words."""

    key: str
    label: str
    meaning: str

    def titled(self, cutoff: int) -> str:
        """Return the label for the given cutoff, such as ``recall@10``."""
        return self.label.format(k=cutoff)


MEASURES: Final = (
    Measure("hit_at_1", "hit@1", "share of questions whose first hit is an expected symbol"),
    Measure("hit", "hit@{k}", "share of questions with an expected symbol among the first {k} hits"),
    Measure(
        "mrr", "MRR@{k}", "mean of 1/rank of the first expected symbol: 1 is always first, 0.5 second, 0 below {k}"
    ),
    Measure("recall", "recall@{k}", "mean share of a question's expected symbols that are among the first {k}"),
    Measure(
        "ndcg", "nDCG@{k}", "how near the order is to the best one: higher ranks count more, accepted symbols half"
    ),
)
"""The usual measures, in the order of displays. Each is 0 to 1, and higher is better."""
FURTHER_MEASURES: Final = (
    Measure(
        "ndcg_exp", "nDCG@{k} (2^g − 1)", "nDCG with the gain 2^grade − 1: accepted symbols count a third of expected"
    ),
)
"""Measures that are shown if they are asked for: the other gain of nDCG, which some papers and tools take."""
POOL_MEASURES: Final = (
    Measure(
        "bpref", "bpref@{k}", "share of judged wrong symbols that each expected symbol of the first {k} stands above"
    ),
    Measure("judged", "judged@{k}", "share of the first {k} hits that somebody has judged; the others count as wrong"),
)
"""Measures for judgements that include wrong symbols (grade 0): they tell what nobody has judged."""


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores of one question by each measure, 0–1. The field names are the keys of all measures."""

    hit_at_1: float
    hit: float
    mrr: float
    recall: float
    ndcg: float
    bpref: float = 0.0
    judged: float = 0.0
    ndcg_exp: float = 0.0

    def to_dict(self, measures: Sequence[Measure] = MEASURES) -> dict[str, float]:
        return {measure.key: getattr(self, measure.key) for measure in measures}


class Ranked(NamedTuple):
    """One hit: its rank from 1, the id of its document (see `fixtures.document_of`), its name and its fused score."""

    rank: int
    document: str
    name: str
    score: float


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """One question with its ranking and scores.

    `scores` and `passed` are None if the question cannot be judged. `judged.problems` has the reasons.
    """

    judged: Judged
    ranked: tuple[Ranked, ...]
    scores: Scores | None
    passed: bool | None
    first_rank: int | None  # rank of the first expected symbol that was returned; None if there is none
    elapsed_ms: float

    @property
    def question(self) -> Question:
        return self.judged.question

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures for this question: with `POOL_MEASURES` if its judgements include wrong symbols."""
        return (*MEASURES, *POOL_MEASURES) if 0 in self.judged.grades.values() else MEASURES

    def to_dict(self, measures: Sequence[Measure] | None = None) -> dict[str, object]:
        """Return the result as plain data, with the scores by `measures`; None takes those of the question."""
        question, grades = self.question, self.judged.grades
        return {
            "id": question.id,
            "type": question.type,
            "query": question.query,
            "expected": list(question.expected),
            "top_k": question.top_k,
            "passed": self.passed,
            "first_rank": self.first_rank,
            "scores": None if self.scores is None else self.scores.to_dict(measures or self.measures),
            "elapsed_ms": self.elapsed_ms,
            "ranking": [{**each._asdict(), "grade": grades.get(each.document, 0)} for each in self.ranked],
            "problems": [problem.message for problem in self.judged.problems],
        }


def failed_words(result: QuestionResult) -> str:
    """Return in a few words why a question did not pass; "" if it passed."""
    if result.scores is None or result.passed:
        return ""
    shown = {each.document: each.rank for each in result.ranked}
    wanted = {t.document: t.name for t in result.judged.targets if t.grade >= DEMANDED}
    late = [f"{name} is {shown[doc]}" for doc, name in wanted.items() if shown.get(doc, 0) > result.question.top_k]
    absent = [name for doc, name in wanted.items() if doc not in shown]
    reasons = [f"not found: {', '.join(absent)}"] if absent else []
    reasons += [f"too low for top {result.question.top_k}: {', '.join(late)}"] if late else []
    first = result.ranked[0].name if result.ranked else "nothing"
    return f"{'; '.join(reasons)}; first is {first}"


def mark(result: QuestionResult) -> str:
    """Return ✓ for a passed question, ✗ for a failed one, ? for one without a score."""
    return "?" if result.passed is None else "✓" if result.passed else "✗"


def value_words(value: float) -> str:
    """Return the value of a measure with three digits; a dash for NaN."""
    return "–" if math.isnan(value) else f"{value:.3f}"


@dataclass(frozen=True, slots=True, repr=False)
class SettingsTable(Shown):
    """Table of evaluations: one row for each, in their order."""

    evaluations: tuple[Evaluation, ...]

    @property
    def measures(self) -> tuple[Measure, ...]:
        return min((each.measures for each in self.evaluations), key=len, default=MEASURES)

    def best(self, measure: str) -> float:
        """Return the highest mean of a measure among the rows; NaN if no question could be scored."""
        return max((each.mean(measure) for each in self.evaluations), default=float("nan"))

    def to_dict(self) -> dict[str, Any]:
        rows = [each.to_dict() for each in self.evaluations]
        return {"schema": SCHEMA_VERSION, "kind": "settings", "evaluations": rows}

    def to_frame(self) -> Frame:
        """Return a data frame with one row for each setting.

        Its columns are setting, passed, scored, the mean of every measure, median_ms and p95_ms. Raises ImportError
        without pandas.
        """
        keys = tuple(measure.key for measure in self.measures)
        columns = ("setting", "passed", "scored", *keys, "median_ms", "p95_ms")
        rows = []
        for each in self.evaluations:
            times = {"median_ms": each.median_ms, "p95_ms": each.p95_ms}
            counts = {"setting": each.setting.name, "passed": each.passed, "scored": len(each.scored)}
            rows.append({**counts, **{key: each.mean(key) for key in keys}, **times})
        return frame(columns, rows)

    def blocks(self) -> list[Block]:
        if not self.evaluations:
            return [Text("no settings")]
        first = self.evaluations[0]
        titles = (measure.titled(first.cutoff) for measure in self.measures)
        columns = ("setting", "passed", *titles, "median ms", "p95 ms")
        rows = []
        for each in self.evaluations:
            means = [(each.mean(measure.key), self.best(measure.key)) for measure in self.measures]
            values = (_marked(value, best) for value, best in means)
            times = (f"{each.median_ms:.1f}", f"{each.p95_ms:.1f}")
            rows.append(Row((Piece(each.setting.name, "code"), f"{each.passed}/{len(each.scored)}", *values, *times)))
        best = Piece("the best", "best")
        return [
            Heading(headline(first)),
            *warning_blocks(warnings_of(first)),
            Table("Settings", columns, rows, brief=len(rows)),
            Text((best, " of its column. A small difference may be chance: compare two settings to know."), "dim"),
        ]


def _marked(value: float, best: float) -> Piece:
    text = value_words(value)
    return Piece(text, "best") if value >= best else Piece(f"{text} ")  # a terminal's mark takes a column


PASSED_WHEN = {
    "needle": "one of the expected symbols is among the question's top k",
    "ranking": "the first expected symbol is among the question's top k",
    "expansion": "all expected symbols are among the question's top k",
}
"""Question type → the rule by which it passes."""
QUERY_CHARS = 90
"""Characters of a question in a table."""
_WHY_CHARS = 300
_SIGNS = {BEST: "expected (grade 3)", DEMANDED: "expected", ACCEPTED: "accepted"}


@dataclass(frozen=True, slots=True, repr=False)
class Evaluation(Shown):
    """The results for every question of a fixture file, searched with one setting."""

    workspace: str
    fixtures: str
    setting: Setting
    cutoff: int  # the k of hit@k, MRR@k, recall@k and nDCG@k
    results: tuple[QuestionResult, ...]
    warnings: tuple[str, ...] = ()  # lanes that failed or timed out
    documents: Mapping[str, str] = field(default_factory=dict)  # path → id in the collection of texts
    further: tuple[Measure, ...] = ()  # of `FURTHER_MEASURES`: those that are shown

    @property
    def scored(self) -> tuple[QuestionResult, ...]:
        """The results with scores. Means are computed over them."""
        return tuple(result for result in self.results if result.scores is not None)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Expected names that mean no symbol or several symbols, in the order of questions."""
        return tuple(problem for result in self.results for problem in result.judged.problems)

    @property
    def unscored(self) -> tuple[QuestionResult, ...]:
        """Results of questions whose symbols are missing or ambiguous. They never count as misses."""
        return tuple(result for result in self.results if result.scores is None)

    def mean(self, measure: str) -> float:
        """Return the mean of a measure, given by its key in `measures`; NaN if no question could be scored."""
        return metrics.mean([getattr(result.scores, measure) for result in self.scored])

    @property
    def measures(self) -> tuple[Measure, ...]:
        """`MEASURES` and `further`; with `POOL_MEASURES` if judgements include wrong symbols, as of `Lab.judge`."""
        found = max((result.measures for result in self.scored), key=len, default=MEASURES)
        return (*MEASURES, *self.further, *found[len(MEASURES) :])

    @property
    def means(self) -> Mapping[str, float]:
        """Mapping from a measure's key to its mean over the scored questions."""
        return {measure.key: self.mean(measure.key) for measure in self.measures}

    @property
    def passed(self) -> int:
        """Number of questions that satisfy the rule of their type."""
        return sum(1 for result in self.results if result.passed)

    @property
    def by_type(self) -> Mapping[str, tuple[int, int]]:
        """Mapping from a question type to (number passed, number scored). Types without questions are left out."""
        found: dict[str, tuple[int, int]] = {}
        for kind in QUESTION_TYPES:
            of_kind = [result for result in self.scored if result.question.type == kind]
            if of_kind:
                found[kind] = (sum(1 for result in of_kind if result.passed), len(of_kind))
        return found

    @property
    def median_ms(self) -> float:
        return metrics.percentile([result.elapsed_ms for result in self.results], 0.5)

    @property
    def p95_ms(self) -> float:
        return metrics.percentile([result.elapsed_ms for result in self.results], 0.95)

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA_VERSION,
            "kind": "evaluation",
            "workspace": self.workspace,
            "fixtures": self.fixtures,
            "setting": self.setting.name,
            "cutoff": self.cutoff,
            "questions": len(self.results),
            "scored": len(self.scored),
            "passed": self.passed,
            "means": {key: None if math.isnan(value) else value for key, value in self.means.items()},
            "latency_ms": {"median": self.median_ms, "p95": self.p95_ms},
            "results": [result.to_dict((*result.measures, *self.further)) for result in self.results],
            "warnings": list(self.warnings),
        }

    def to_frame(self) -> Frame:
        """Return a data frame with one row for each question.

        Its columns are id, type, query, passed, first_rank, every measure and elapsed_ms. Raises ImportError without
        pandas.
        """
        measures = self.measures
        keys = tuple(measure.key for measure in measures)
        rows = []
        for result in self.results:
            scores = dict.fromkeys(keys) if result.scores is None else result.scores.to_dict(measures)
            told = {key: getattr(result, key) for key in ("passed", "first_rank", "elapsed_ms")}
            rows.append({**{key: getattr(result.question, key) for key in ("id", "type", "query")}, **told, **scores})
        return frame(("id", "type", "query", "passed", "first_rank", *keys, "elapsed_ms"), rows)

    def blocks(self) -> list[Block]:
        cutoff, scored = self.cutoff, len(self.scored)
        share = self.passed / scored if scored else float("nan")
        rules = [f"{kind} {good}/{of}: {PASSED_WHEN[kind]}" for kind, (good, of) in self.by_type.items()]
        passed = "; ".join(rules) or "nothing could be scored"
        rows = [Row(("passed", f"{self.passed}/{scored}", Meter(share), Piece(passed, "dim")))]
        for each in self.measures:
            mean = self.mean(each.key)
            meaning = Piece(each.meaning.format(k=cutoff), "dim")
            rows.append(Row((each.titled(cutoff), value_words(mean), Meter(mean), meaning)))
        slow = f"median time of a search; 95 of 100 take at most {self.p95_ms:.1f} ms"
        rows.append(Row(("time", f"{self.median_ms:.1f} ms", "", Piece(slow, "dim"))))
        return [
            Heading(headline(self)),
            Text(f"asked with: {_described(self)}"),
            *warning_blocks(warnings_of(self)),
            Table("Measures", ("measure", "value", "", "what it says"), rows, "facts"),
            _questions(self),
        ]


def headline(evaluation: Evaluation) -> str:
    """Return the title of an evaluation, such as ``webshop: 33 questions of webshop.eval.json``."""
    count = plural(len(evaluation.results), "question")
    return f"{one_line(evaluation.workspace)}: {count} of {one_line(evaluation.fixtures)}"


def _described(evaluation: Evaluation) -> str:
    setting = evaluation.setting
    lanes = "the planner's choice of lanes" if setting.lanes is None else f"lanes {', '.join(setting.lanes)}"
    fusion = f"{setting.fusion} fusion" + (f" (rrf_k {setting.rrf_k})" if setting.fusion == "rrf" else "")
    signals = "all re-ranking signals" if setting.signals else "no re-ranking signals"
    without = f" but {', '.join(setting.without)}" if setting.without and setting.signals else ""
    grouped = f", at most {setting.per_file} a file" if setting.per_file else ""
    weights = ", ".join(f"{lane} {weight:g}" for lane, weight in setting.weights.items())
    weighted = f", weights {weights}" if weights else ""
    return f"{lanes}{weighted}, {fusion}, {signals}{without}{grouped}"


def warnings_of(evaluation: Evaluation) -> list[str]:
    """Return warnings about failed lanes, unscored questions and names without a symbol, one line each."""
    warnings = list(evaluation.warnings)
    if evaluation.unscored:
        ids = ", ".join(result.question.id for result in evaluation.unscored)
        counted = plural(len(evaluation.unscored), "question")
        warnings.append(f"{counted} not scored, their symbols are missing or ambiguous: {ids}")
    warnings += [f"{problem.question_id}: {problem.message}" for problem in evaluation.problems]
    return [one_line(text) for text in warnings]


def warning_blocks(said: Sequence[str]) -> list[Block]:
    return [Text(text, "warning") for text in said]


def _questions(evaluation: Evaluation) -> Table:
    rows = []
    for result in evaluation.results:
        question, scores = result.question, result.scores
        query = (shorten(one_line(question.query), QUERY_CHARS),)
        cells = (
            Piece(mark(result), "strong" if result.passed is None else "good" if result.passed else "bad"),
            Fold(query, tuple(_ranking(result)), aside=True),
            question.type,
            str(result.first_rank or "–"),
            value_words(scores.recall) if scores else "",
            value_words(scores.ndcg) if scores else "",
            f"{result.elapsed_ms:.1f}",
        )
        reasons: list[Line] = [cut(one_line(why), _WHY_CHARS)] if (why := failed_words(result)) else []
        rows.append(Row(cells, (*reasons, *(Piece(each.message, "warning") for each in result.judged.problems))))
    columns = ("", "question", "type", "first at", "recall", "nDCG", "ms")
    return Table("Questions", columns, rows, brief=len(rows))


def _ranking(result: QuestionResult) -> list[Block]:
    grades = result.judged.grades
    signs = {each.document: _SIGNS.get(grades.get(each.document, 0), "") for each in result.ranked}
    ranked: list[Line] = [
        (f"{each.rank}. ", Piece(each.name, "code"), Piece(f" {signs[each.document]}", "strong"))
        for each in result.ranked
    ]
    found = {each.document for each in result.ranked}
    absent = [t.name for t in result.judged.targets if t.grade >= DEMANDED and t.document not in found]
    missing = [Text((Piece("not among them: ", "dim"), Piece(name, "code"))) for name in absent]
    return [Text(Piece(result.question.id, "dim")), Items("", ranked), *missing]


_TOLD_APART = re.compile(r"[\s%]")
_NO_FILE_NAME = re.compile(r"[^\w.+=-]+")


class TrecFiles(NamedTuple):
    """Paths of the files that were written."""

    qrels: Path
    run: Path


def qrels_text(evaluation: Evaluation) -> str:
    """Return the grades of every scored question as qrels lines: 2 for expected, 1 for accepted, or graded ones."""
    given = ((result.question.id, *pair) for result in evaluation.scored for pair in result.judged.grades.items())
    return "".join(qrels_line(question, _id(evaluation, each), grade) for question, each, grade in given)


def _id(evaluation: Evaluation, document: str) -> str:
    """Return the id of a document in the collection that it came from; the document as it is without a collection."""
    return evaluation.documents.get(document.partition(":")[0], document)


def qrels_line(question: str, document: str, grade: int) -> str:
    return f"{_column(question)} 0 {_column(document)} {grade}\n"


def run_text(evaluation: Evaluation) -> str:
    """Return the ranking of every scored question as run lines, best first.

    Tools sort a run by its scores, and each tool breaks ties in its own way. Fused scores may tie, and re-ranked scores
    may be equal in all printed digits. The score written is therefore lower by one for each rank, so that every tool
    keeps the order.
    """
    tag = _column(evaluation.setting.name)
    lines = [
        f"{_column(result.question.id)} Q0 {_column(each)} {place} {len(result.ranked) + 1 - place} {tag}"
        for result in evaluation.scored
        for place, each in enumerate(dict.fromkeys(_id(evaluation, hit.document) for hit in result.ranked), 1)
    ]
    return "".join(line + "\n" for line in lines)


def write_trec(evaluation: Evaluation, folder: str | Path) -> TrecFiles:
    """Write ``NAME.qrels`` and ``NAME.SETTING.run`` into a folder, which is created if it does not exist.

    Raises FixtureError if the folder cannot be written.
    """
    folder = given_path(folder)
    name, setting = file_name(evaluation.workspace) or "evaluation", file_name(evaluation.setting.name)
    files = TrecFiles(folder / f"{name}.qrels", folder / f"{name}.{setting}.run")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        files.qrels.write_text(qrels_text(evaluation), "utf-8", newline="\n")
        files.run.write_text(run_text(evaluation), "utf-8", newline="\n")
    except OSError as error:
        raise FixtureError(f"can't write the TREC files into {str(folder)!r}: {error.strerror or error}") from error
    return files


def file_name(text: str) -> str:
    """Return a text as the name of a file; "" if nothing of it can be in one."""
    return _NO_FILE_NAME.sub("-", text).strip("-.")


def _column(text: str) -> str:
    return _TOLD_APART.sub(lambda match: "".join(f"%{byte:02X}" for byte in match[0].encode()), text) or "-"


def document_html(title: str, *shown: Shown) -> str:
    """Return a self-contained page with the given evaluations, tables and comparisons: no script, no other resource."""
    meta = Html('<meta charset="utf-8"><meta name="viewport" content="width=device-width">')
    head = tag("head", meta, tag("title", title))
    style = "font-family:system-ui,sans-serif;margin:24px;background:#ffffff;color:#1c1d20"
    body = tag("body", tag("h1", title, style="font-size:18px"), *map(shown_html, shown), style=style)
    return join((Html("<!doctype html>\n"), tag("html", head, body, lang="en"), Html("\n")))
