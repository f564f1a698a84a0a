"""Agreement of judges: kappa over the hits that all of them graded, and the hits about which they disagree.

A kappa is 1 for equal grades and 0 for the agreement that chance alone gives to judges who use each grade as often as
these did. Below 0 they agree less than by chance.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, NamedTuple

from codeexplore.answers.blocks import Block, Fold, Heading, Inline, Items, Piece, Row, Source, Table, Text, Words
from codeexplore.answers.data import Frame, frame
from codeexplore.answers.shown import Shown
from codeexplore.answers.wording import one_line, plural, shorten
from codeexplore.features.lab.evaluation.judgements import GRADES, Judgements, Pool, PooledHit
from codeexplore.features.lab.evaluation.metrics import DEMANDED, mean
from codeexplore.features.lab.evaluation.results import QUERY_CHARS, value_words
from codeexplore.types import SCHEMA_VERSION
from codeexplore.types.errors import QuestionError

_MOST_LISTED = 20  # disputed hits that a terminal shows
_SCALE = (
    "1: equal grades; 0: no better than chance. “weighted” counts near grades as a small disagreement; "
    "“right or wrong” counts only 0–1 against 2–3."
)


def cohen_kappa(
    first: Sequence[int], second: Sequence[int], weights: Literal["none", "linear", "quadratic"] = "none"
) -> float:
    """Return Cohen's kappa of two judges who graded the same hits, at most 1.

    It is NaN without hits, and if both judges gave all hits the same one grade. Raises QuestionError if the numbers of
    grades differ, or `weights` is unknown.

    Source: Cohen, "A coefficient of agreement for nominal scales", 1960; weights: Cohen, "Weighted kappa", 1968.

    Parameters
    ----------
    first, second
        Grades of the judges, in the same order of hits.
    weights
        "none": two grades are equal or not. "linear": a disagreement counts as the distance of the grades, so 3
        against 2 is less than 3 against 0. "quadratic": as the square of the distance.
    """
    if len(first) != len(second):
        raise QuestionError(f"both judges must grade the same hits: {len(first)} and {len(second)} grades")
    powers = {"none": 0, "linear": 1, "quadratic": 2}
    if weights not in powers:
        raise QuestionError(f"unknown weights {weights!r:.40}; known: {', '.join(powers)}")

    def cost(one: int, other: int) -> float:
        return float(abs(one - other) ** powers[weights]) if one != other else 0.0

    observed = math.fsum(cost(*pair) for pair in zip(first, second, strict=True)) * len(first)
    ones, others = Counter(first), Counter(second)
    by_chance = math.fsum(n * m * cost(one, other) for one, n in ones.items() for other, m in others.items())
    return 1.0 - observed / by_chance if by_chance else math.nan


def fleiss_kappa(rows: Sequence[Sequence[int]]) -> float:
    """Return Fleiss' kappa of any number of judges, at most 1.

    `rows` has the grades of each hit, one for each judge; shape (hits, judges). The kappa is NaN without hits, for a
    single judge, and if all grades are the same. Raises QuestionError if the numbers of grades differ between hits.

    Source: Fleiss, "Measuring nominal scale agreement among many raters", 1971.
    """
    judges = {len(row) for row in rows}
    if len(judges) > 1:
        raise QuestionError(f"every hit needs a grade of every judge; there are hits with {sorted(judges)} grades")
    n = max(judges, default=0)
    if n < 2:
        return math.nan
    counts = [Counter(row) for row in rows]
    equal_pairs = math.fsum(count * (count - 1) for each in counts for count in each.values())
    observed = equal_pairs / (len(rows) * n * (n - 1))
    totals = Counter(grade for row in rows for grade in row)
    by_chance = math.fsum((total / (len(rows) * n)) ** 2 for total in totals.values())
    return (observed - by_chance) / (1.0 - by_chance) if len(totals) > 1 else math.nan


class Dispute(NamedTuple):
    """A hit that got different grades. `grades` has one for each judge, in their order."""

    question: str  # id
    query: str
    document: str
    grades: tuple[int, ...]
    hit: PooledHit | None  # None if the agreement was computed without its pool

    @property
    def distance(self) -> int:
        return max(self.grades) - min(self.grades)


@dataclass(frozen=True, slots=True, repr=False)
class Agreement(Shown):
    """Agreement of two or more judges over the hits that all of them graded."""

    judges: tuple[str, ...]
    rows: tuple[Dispute, ...]  # all shared hits, with equal grades too
    left_out: int  # hits that not all judges graded

    @property
    def columns(self) -> tuple[tuple[int, ...], ...]:
        """The grades of each judge, in the order of `rows`."""
        return tuple(tuple(row.grades[place] for row in self.rows) for place in range(len(self.judges)))

    @property
    def observed(self) -> float:
        """Share of equal grades over all pairs of judges, 0 to 1."""
        pairs = list(combinations(self.columns, 2))
        return mean([float(one == other) for pair in pairs for one, other in zip(*pair, strict=True)])

    @property
    def cohen(self) -> Mapping[tuple[str, str], float]:
        return self._pairs()

    @property
    def weighted(self) -> Mapping[tuple[str, str], float]:
        """Cohen's kappa with quadratic weights of each pair of judges: near grades are a small disagreement."""
        return self._pairs("quadratic")

    @property
    def binary(self) -> Mapping[tuple[str, str], float]:
        """Cohen's kappa of each pair of judges if only the difference between 0–1 (wrong) and 2–3 (right) counts."""
        return self._pairs(columns=[[int(grade >= DEMANDED) for grade in grades] for grades in self.columns])

    @property
    def fleiss(self) -> float:
        return fleiss_kappa([row.grades for row in self.rows])

    @property
    def disputed(self) -> tuple[Dispute, ...]:
        """The hits with different grades, the largest distance first."""
        return tuple(sorted((row for row in self.rows if row.distance), key=lambda row: -row.distance))

    @property
    def _kappas(self) -> dict[str, Mapping[tuple[str, str], float]]:
        return {"cohen": self.cohen, "weighted": self.weighted, "binary": self.binary}

    def _pairs(
        self, weights: Literal["none", "quadratic"] = "none", columns: Sequence[Sequence[int]] | None = None
    ) -> dict[tuple[str, str], float]:
        pairs = combinations(zip(self.judges, columns or self.columns, strict=True), 2)
        return {(a, b): cohen_kappa(one, other, weights) for (a, one), (b, other) in pairs}

    def to_dict(self) -> dict[str, Any]:
        """Return the agreement as plain data for JSON. A kappa that is not defined is None."""

        def plain(value: float) -> float | None:
            return None if math.isnan(value) else value

        return {
            "schema": SCHEMA_VERSION,
            "kind": "agreement",
            "judges": list(self.judges),
            "hits": len(self.rows),
            "left_out": self.left_out,
            "observed": plain(self.observed),
            "fleiss": plain(self.fleiss),
            "pairs": [
                {"judges": list(pair), **{kind: plain(kappas[pair]) for kind, kappas in self._kappas.items()}}
                for pair in self.cohen
            ],
            "disputed": [
                {"question": each.question, "document": each.document, "grades": list(each.grades)}
                for each in self.disputed
            ],
        }

    def to_frame(self) -> Frame:
        """Return a data frame with one row for each shared hit: question, document and a column for each judge.

        Raises ImportError without pandas.
        """
        rows = [
            {"question": row.question, "document": row.document, **dict(zip(self.judges, row.grades, strict=True))}
            for row in self.rows
        ]
        return frame(("question", "document", *self.judges), rows)

    def blocks(self) -> list[Block]:
        many = len(self.judges) > 2
        rows = [
            Row((", ".join(map(one_line, pair)), *(value_words(kappas[pair]) for kappas in self._kappas.values())))
            for pair in self.cohen
        ]
        together = [Text(f"Fleiss' kappa of all judges: {value_words(self.fleiss)}")]
        named = ", ".join(one_line(judge) for judge in self.judges)
        equal = "–" if math.isnan(self.observed) else f"{self.observed:.0%}"
        left_out = f"; {plural(self.left_out, 'hit')} not graded by all, left out" if self.left_out else ""
        return [
            Heading(Words(f"{plural(len(self.rows), 'hit')} graded by {len(self.judges)} judges: {named}{left_out}")),
            Text(f"equal grades: {equal} of all pairs of grades"),
            Table("Cohen's kappa", ("judges", "kappa", "weighted", "right or wrong"), rows, brief=len(rows)),
            *(together if many or self.rows else []),
            Text(_SCALE, "dim"),
            *self._disputes(),
        ]

    def _disputes(self) -> list[Block]:
        disputed = self.disputed
        if not disputed:
            return [Text("No hit is disputed.")] if self.rows else []
        rows = []
        for each in disputed:
            query = shorten(one_line(each.query), QUERY_CHARS)
            name: tuple[Inline, ...] = (Piece(one_line(each.document), "code"),)
            if each.hit is not None:
                source = each.hit.source
                block = Source(source.numbered_lines(), source.language)
                name = (Fold((Piece(one_line(each.hit.name), "code"),), (block,), aside=True),)
            rows.append(Row((*map(str, each.grades), name, query)))
        columns = (*map(one_line, self.judges), "hit", "question")
        title = f"{plural(len(disputed), 'disputed hit')}, the largest distance first"
        meanings = [f"{grade}: {meaning}" for grade, meaning in enumerate(GRADES)]
        return [Text("", apart=True), Table(title, columns, rows, brief=_MOST_LISTED), Items("grades", meanings)]


def agreement(*judgements: Judgements, pool: Pool | None = None) -> Agreement:
    """Compare the grades of two or more judges; `pool` is what they graded, to show the source of disputed hits.

    Raises QuestionError if there are fewer than two judges, two have the same name, or no hit has a grade of all of
    them.

    >>> agreement(Judgements.load("ada.jsonl"), Judgements.load("grace.jsonl"))
    """
    names = tuple(each.judge for each in judgements)
    if len(names) < 2:
        raise QuestionError("agreement needs the judgements of at least two judges")
    if len(set(names)) < len(names):
        raise QuestionError(f"the judges need different names: {', '.join(names)}")
    grades = [
        {(q, document): grade for q, graded in each.grades.items() for document, grade in graded.items()}
        for each in judgements
    ]
    shared = [place for place in grades[0] if all(place in other for other in grades)]
    if not shared:
        raise QuestionError("no hit was graded by all judges: did they judge the same questions?")
    queries = judgements[0].queries
    rows = []
    for place in shared:
        hit = None if pool is None else pool.hit(*place)
        rows.append(Dispute(place[0], queries[place[0]], place[1], tuple(each[place] for each in grades), hit))
    return Agreement(names, tuple(rows), len(set().union(*grades)) - len(shared))
