"""Results of an evaluation as records. Each number can be traced to the hits from which it was computed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from codeexplore.evaluation import metrics
from codeexplore.evaluation.fixtures import QUESTION_TYPES, Question
from codeexplore.evaluation.qrels import Judged, Problem
from codeexplore.evaluation.setting import Setting
from codeexplore.results.blocks import Block, Shown
from codeexplore.types import SCHEMA_VERSION

if TYPE_CHECKING:
    import pandas as pd


class Measure(NamedTuple):
    """A measure: its field in `Scores`, its label with a place for the cutoff k, and its meaning in plain words."""

    key: str
    label: str
    meaning: str

    def titled(self, cutoff: int) -> str:
        """Return the label for a cutoff, such as ``recall@10``."""
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
"""Every measure, in the order of displays. Each is 0 to 1, and higher is better."""


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores of one question by each measure, 0–1. The field names are the keys of `MEASURES`."""

    hit_at_1: float
    hit: float
    mrr: float
    recall: float
    ndcg: float


class Ranked(NamedTuple):
    """One hit: its rank from 1, the id of its document (see `qrels.document_of`), its name and its fused score."""

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
        """The question that was asked."""
        return self.judged.question

    def to_dict(self) -> dict[str, object]:
        """Return the result as plain data."""
        question, grades = self.question, self.judged.grades
        return {
            "id": question.id,
            "type": question.type,
            "query": question.query,
            "expected": list(question.expected),
            "top_k": question.top_k,
            "passed": self.passed,
            "first_rank": self.first_rank,
            "scores": None if self.scores is None else _plain(self.scores),
            "elapsed_ms": self.elapsed_ms,
            "ranking": [{**each._asdict(), "grade": grades.get(each.document, 0)} for each in self.ranked],
            "problems": [problem.message for problem in self.judged.problems],
        }


@dataclass(frozen=True, slots=True, repr=False)
class Evaluation(Shown):
    """The results of every question of a fixture file, asked with one setting."""

    workspace: str
    fixtures: str
    setting: Setting
    cutoff: int  # the k of hit@k, MRR@k, recall@k and nDCG@k
    results: tuple[QuestionResult, ...]
    warnings: tuple[str, ...] = ()  # lanes that failed or timed out

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
        """Return the mean of a measure, given by its key in `MEASURES`; NaN if no question could be scored."""
        return metrics.mean([getattr(result.scores, measure) for result in self.scored])

    @property
    def means(self) -> Mapping[str, float]:
        """Key of a measure → mean over the scored questions."""
        return {measure.key: self.mean(measure.key) for measure in MEASURES}

    @property
    def passed(self) -> int:
        """Number of questions that satisfy the rule of their type."""
        return sum(1 for result in self.results if result.passed)

    @property
    def by_type(self) -> Mapping[str, tuple[int, int]]:
        """Question type → (number passed, number scored). Types without questions are left out."""
        found: dict[str, tuple[int, int]] = {}
        for kind in QUESTION_TYPES:
            of_kind = [result for result in self.scored if result.question.type == kind]
            if of_kind:
                found[kind] = (sum(1 for result in of_kind if result.passed), len(of_kind))
        return found

    @property
    def median_ms(self) -> float:
        """Median time of a search in milliseconds."""
        return metrics.percentile([result.elapsed_ms for result in self.results], 0.5)

    @property
    def p95_ms(self) -> float:
        """95th percentile of the search times in milliseconds."""
        return metrics.percentile([result.elapsed_ms for result in self.results], 0.95)

    def to_dict(self) -> dict[str, Any]:
        """Return the evaluation as plain data for JSON."""
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
            "results": [result.to_dict() for result in self.results],
            "warnings": list(self.warnings),
        }

    def to_frame(self) -> pd.DataFrame:
        """Return a data frame with one row for each question.

        Its columns are id, type, query, passed, first_rank, every measure and elapsed_ms. Raises ImportError without
        pandas.
        """
        from codeexplore.results.frames import frame

        keys = tuple(measure.key for measure in MEASURES)
        rows = [
            {
                "id": result.question.id, "type": result.question.type, "query": result.question.query,
                "passed": result.passed, "first_rank": result.first_rank, "elapsed_ms": result.elapsed_ms,
                **(dict.fromkeys(keys) if result.scores is None else _plain(result.scores)),
            }
            for result in self.results
        ]  # fmt: skip
        return frame(("id", "type", "query", "passed", "first_rank", *keys, "elapsed_ms"), rows)

    def blocks(self) -> list[Block]:
        """Return the blocks that every display shows: terminal, Markdown and HTML."""
        from codeexplore.evaluation.report import evaluation_blocks

        return evaluation_blocks(self)


def _plain(scores: Scores) -> dict[str, float]:
    return {measure.key: getattr(scores, measure.key) for measure in MEASURES}
