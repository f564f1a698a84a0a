"""Judging: one judge grades the hits of a pool, one after the other. The notebook widget and the command use it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from codeexplore.features.lab.evaluation.fixtures import Fixtures
from codeexplore.features.lab.evaluation.judgements import Judgement, JudgementFile, Judgements, write_text
from codeexplore.features.lab.evaluation.metrics import BEST
from codeexplore.features.lab.evaluation.pool import Pool, PooledHit, PooledQuestion
from codeexplore.types.errors import QuestionError


class Item(NamedTuple):
    """One hit to grade, with its question. Its number counts over all questions, from 1."""

    number: int
    asked: PooledQuestion
    hit: PooledHit
    grade: int | None  # None if it has no grade yet


class JudgingSession:
    """The work of one judge on a pool. Each grade is stored at once, and a new session continues where the last ended.

    Parameters
    ----------
    pool
        The hits to grade. Each judge sees those of a question in another order; the order depends on `seed` and the
        judge's name alone.
    path
        The file of the judge's grades; see `judgements.default_file`.
    judge
        Name of the judge.
    seed
        Another number gives another order.

    Raises
    ------
    FixtureError
        The file is not usable, or belongs to another judge or repository.

    Examples
    --------
    >>> session = JudgingSession(make_pool(ws, ["where are carts stored?"]), "ada.jsonl", "ada")
    >>> session.current.hit.name
    >>> session.grade(2)
    """

    def __init__(self, pool: Pool, path: str | Path, judge: str = "judge", seed: int = 0) -> None:
        self.pool = pool.shuffled(f"{seed}\0{judge}")
        self._file = JudgementFile(path, judge, pool.workspace)
        self._hits = [(asked, hit) for asked in self.pool for hit in asked.hits]
        self._at = 0
        self._next_without_grade()

    @property
    def path(self) -> Path:
        """The file of the grades."""
        return self._file.path

    @property
    def judge(self) -> str:
        """Name of the judge."""
        return self.judgements.judge

    @property
    def judgements(self) -> Judgements:
        """All grades of the file, with those of hits that are not in this pool."""
        return self._file.judgements

    @property
    def current(self) -> Item | None:
        """The hit to grade now; None if the pool is empty."""
        if not self._hits:
            return None
        asked, hit = self._hits[self._at]
        return Item(self._at + 1, asked, hit, self._grades().get(asked.question.id, {}).get(hit.document))

    @property
    def total(self) -> int:
        """Number of hits in the pool."""
        return len(self._hits)

    @property
    def done(self) -> int:
        """Number of hits in the pool that have a grade."""
        grades = self._grades()
        return sum(1 for asked, hit in self._hits if hit.document in grades.get(asked.question.id, {}))

    @property
    def finished(self) -> bool:
        """True if all hits of the pool have a grade."""
        return self.done == self.total

    def grade(self, grade: int) -> None:
        """Grade the current hit with 0 to 3, store the grade, and go to the next hit without one.

        Raises
        ------
        QuestionError
            The grade is not 0 to 3, or the pool is empty.
        FixtureError
            The file can't be written; the grade is not taken.
        """
        if type(grade) is not int or not 0 <= grade <= BEST:
            raise QuestionError(f"the grade must be a whole number from 0 to {BEST}, not {grade!r:.40}")
        item = self.current
        if item is None:
            raise QuestionError("there is no hit to grade: no setting found anything for these questions")
        question = item.asked.question
        self._file.add([Judgement(question.id, question.query, item.hit.document, grade)])
        self._next_without_grade()

    def undo(self) -> Judgement | None:
        """Take the last grade back and go to its hit. Return what was taken back; None if there is no grade.

        A hit that was graded twice has its earlier grade again. Raises FixtureError if the file can't be written.
        """
        last = self._file.undo()
        if last is not None:
            places = (at for at, (q, hit) in enumerate(self._hits) if (q.question.id, hit.document) == _place(last))
            self._at = next(places, self._at)  # a hit outside this pool is not shown
        return last

    def go(self, by: int) -> None:
        """Go forward by some hits, or back for a negative number, without a grade. It stops at both ends."""
        self._at = max(0, min(len(self._hits) - 1, self._at + by))

    def import_judgements(self, given: Judgements) -> int:
        """Store the grades of `given` that differ from those of this judge, and return their number.

        Raises FixtureError if the file can't be written.
        """
        own, queries = self._grades(), {each.question.id: each.question.query for each in self.pool}
        entries = [
            Judgement(question, queries.get(question, given.queries[question]), document, grade)
            for question, graded in given.grades.items()
            for document, grade in graded.items()
            if own.get(question, {}).get(document) != grade
        ]
        self._file.add(entries)
        self._next_without_grade()
        return len(entries)

    def to_fixtures(self) -> Fixtures:
        """Return the judged questions for `evaluate`; see `Judgements.to_fixtures`. Raises FixtureError."""
        return self.judgements.to_fixtures(each.question for each in self.pool)

    def write_fixtures(self, path: str | Path) -> Path:
        """Write the judged questions for ``codeexplore eval`` and return the path. Raises FixtureError."""
        return write_text(path, self.judgements.fixtures_text(each.question for each in self.pool))

    def _grades(self) -> Mapping[str, Mapping[str, int]]:
        return self.judgements.grades

    def _next_without_grade(self) -> None:
        """Go to the next hit without a grade: from the current one on, then from the start. Stay if there is none."""
        grades = self._grades()
        places = [*range(self._at, len(self._hits)), *range(self._at)]
        for at in places:
            asked, hit = self._hits[at]
            if hit.document not in grades.get(asked.question.id, {}):
                self._at = at
                return


def _place(judgement: Judgement) -> tuple[str, str]:
    return judgement.question, judgement.document
