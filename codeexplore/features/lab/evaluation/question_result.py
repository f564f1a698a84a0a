"""The result of one question: its ranking, its scores by each measure, and the reason why it did not pass."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from codeexplore.features.lab.evaluation.fixtures import Question
from codeexplore.features.lab.evaluation.metrics import DEMANDED
from codeexplore.features.lab.evaluation.qrels import Judged


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
"""Every measure, in the order of displays. Each is 0 to 1, and higher is better."""

POOL_MEASURES: Final = (
    Measure(
        "bpref", "bpref@{k}", "share of judged wrong symbols that each expected symbol of the first {k} stands above"
    ),
    Measure("judged", "judged@{k}", "share of the first {k} hits that somebody has judged; the others count as wrong"),
)
"""Measures for judgements that include wrong symbols (grade 0): they tell what nobody has judged."""


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores of one question by each measure, 0–1. The field names are the keys of `MEASURES` and `POOL_MEASURES`."""

    hit_at_1: float
    hit: float
    mrr: float
    recall: float
    ndcg: float
    bpref: float = 0.0
    judged: float = 0.0

    def to_dict(self, measures: Sequence[Measure] = MEASURES) -> dict[str, float]:
        """Return key of a measure → score."""
        return {measure.key: getattr(self, measure.key) for measure in measures}


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

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures for this question: with `POOL_MEASURES` if its judgements include wrong symbols."""
        return (*MEASURES, *POOL_MEASURES) if 0 in self.judged.grades.values() else MEASURES

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
            "scores": None if self.scores is None else self.scores.to_dict(self.measures),
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
