"""The rules by which the lab chooses questions: each returns the questions that fit an exercise, the best first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeexplore.features.lab.course.corpus import LISTED, POOL_DEPTH
from codeexplore.search.seed_finder import TEXT_LANES

if TYPE_CHECKING:
    from codeexplore.features.lab.course.corpus import Corpus
    from codeexplore.features.lab.evaluation import Question


def answered(corpus: Corpus) -> list[Question]:
    """Return the questions that both text lanes answer, at different ranks: those of the type needle first."""

    def fits(question: Question) -> bool:
        ranks = [corpus.rank(question, lane) for lane in TEXT_LANES]
        return None not in ranks and ranks[0] != ranks[1]

    return sorted(filter(fits, corpus.questions), key=lambda question: question.type != "needle")


def fusible(corpus: Corpus) -> list[Question]:
    """Return answered questions with a hit in both lists; if possible, those whose lists begin with different hits."""
    fitting, unlike = [], []
    for question in answered(corpus):
        first, second = (corpus.ranking(question.query, lane)[:LISTED] for lane in TEXT_LANES)
        if len({score for _, score in first}) > 1 and dict(first[1:-1]).keys() & dict(second).keys():
            fitting.append(question)
            if first[0][0] != second[0][0]:  # else it is plain which hit wins
                unlike.append(question)
    return unlike or fitting


def paraphrases(corpus: Corpus) -> list[Question]:
    """Return the needles that the embedding lane answers earlier than BM25, those with the largest lead first."""

    def lead(question: Question) -> int:
        late = corpus.rank(question, "bm25") or len(corpus.chunk_names)
        return late - (corpus.rank(question, "embedding") or len(corpus.chunk_names))

    found = sorted((each for each in corpus.questions if each.type == "needle"), key=lead, reverse=True)
    return [question for question in found if lead(question) > 0]


def measurable(corpus: Corpus) -> list[Question]:
    """Return the questions with three or more expected symbols, of which BM25 lists some, but not all it could, early.

    Questions with two grades among the first hits come first, so that nDCG needs both.
    """

    def fits(question: Question) -> bool:
        expected = corpus.expected(question)
        early = expected.intersection(corpus.listed(question, "bm25")[:POOL_DEPTH])
        return len(expected) >= 3 and 1 <= len(early) < min(len(expected), POOL_DEPTH)

    def equal_grades(question: Question) -> bool:
        grades = corpus.grades_of(question)
        return len({grades.get(name) for name in corpus.listed(question, "bm25")[:POOL_DEPTH]} - {None}) < 2

    return sorted(filter(fits, corpus.questions), key=equal_grades)
