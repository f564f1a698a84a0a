"""A repository and its questions, as the exercises of the lab see them: documents, rankings, grades and evaluations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from codeexplore.features.lab.evaluation import Evaluation, Question, evaluate
from codeexplore.features.lab.evaluation.metrics import ACCEPTED, DEMANDED
from codeexplore.features.lab.evaluation.qrels import document_of, judge
from codeexplore.text.word_counts import indexed_text
from codeexplore.types import Chunk
from codeexplore.types.errors import LabError

if TYPE_CHECKING:
    from codeexplore.types import Ranking
    from codeexplore.workspace.workspace import Workspace

LISTED: Final = 10
"""Hits of each lane that the exercises look at."""

POOL_DEPTH: Final = 5
"""Hits of each lane that go into the pool of judgements."""

_HALVES: Final = {"all": slice(None), "development": slice(0, None, 2), "test": slice(1, None, 2)}


class Corpus:
    """One loaded repository with its questions.

    Names are unique: the qualified name of a symbol, or path and line for text that belongs to no symbol.

    Parameters
    ----------
    ws
        The loaded repository.
    questions
        Questions with known answers, in their order.
    rankings
        Rankings of lanes that are known already, as (question, lane) → (name, score) in order. Further ones are added.

    Raises
    ------
    LabError
        Fewer than four questions can be scored.
    """

    def __init__(
        self,
        ws: Workspace,
        questions: Sequence[Question],
        rankings: dict[tuple[str, str], list[tuple[str, float]]] | None = None,
    ) -> None:
        self.ws = ws
        catalog = ws.catalog
        judged = [judge(question, catalog) for question in questions]
        self.questions = tuple(each.question for each in judged if each.scorable)
        self.left_out = tuple(
            f"Question {each.question.id}{'' if each.scorable else ' is left out'}: {problem.message.rstrip('.')}."
            for each in judged
            for problem in each.problems
        )
        """Names of the questions that mean no symbol, each with the nearest names, and the questions left out."""
        if len(self.questions) < 4:
            found = f"{ws.name} has {len(self.questions)} questions that can be scored; the lab needs 4 or more"
            raise LabError(". ".join([found, *self.left_out]))
        self._rankings = {} if rankings is None else rankings
        self._evaluations: dict[str, Evaluation] = {}

    @cached_property
    def chunk_names(self) -> list[str]:
        """Name of each chunk. The parts of a long symbol are numbered from the second one."""
        seen: Counter[str] = Counter()
        found = []
        for chunk in self.ws.catalog.chunks:
            label = self._labels[document_of(chunk)]
            seen[label] += 1
            found.append(label if seen[label] == 1 else f"{label} #{seen[label]}")
        return found

    @cached_property
    def documents(self) -> dict[str, Counter[str]]:
        """Name of a chunk → its tokens with their numbers, for all chunks of the repository."""
        postings = self.ws.engine.retrievers["bm25"].postings  # type: ignore[attr-defined]
        counters: list[Counter[str]] = [Counter() for _ in range(len(postings.lengths))]
        for number, token in enumerate(postings.tokens):
            column = slice(int(postings.indptr[number]), int(postings.indptr[number + 1]))
            for row, times in zip(postings.rows[column].tolist(), postings.times[column].tolist(), strict=True):
                counters[row][token] = times
        return dict(zip(self.chunk_names, counters, strict=True))

    @cached_property
    def texts(self) -> dict[str, str]:
        """Name of a chunk → the text that is searched: its place, what is around it, and its source."""
        return {name: indexed_text(chunk) for name, chunk in zip(self.chunk_names, self.ws.catalog.chunks, strict=True)}

    def cosine(self, left: str, right: str) -> float:
        """Return the cosine of two texts, −1 to 1, with the model of the embedding lane."""
        encoder = self.ws.engine.retrievers["embedding"].encoder  # type: ignore[attr-defined]
        a, b = encoder.encode_texts([left, right])
        return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))

    def ranking(self, question: str, lane: str) -> list[tuple[str, float]]:
        """Return the hits of one lane as (name, score), best first, each symbol once."""
        key = (question, lane)
        if key not in self._rankings:
            result = self.ws.engine.search(question, lanes=(lane,), top_k=LISTED)
            found = next((each for each in result.rankings if each.lane == lane), None)
            self._rankings[key] = [] if found is None else self._named(found)
        return self._rankings[key]

    def listed(self, question: Question, lane: str) -> list[str]:
        """Return the names of the hits of one lane, best first."""
        return [name for name, _ in self.ranking(question.query, lane)]

    def rank(self, question: Question, lane: str) -> int | None:
        """Return the rank, from 1, of the first expected symbol in a lane; None if the lane does not find it."""
        expected = self.expected(question)
        return next((rank for rank, name in enumerate(self.listed(question, lane), 1) if name in expected), None)

    @cached_property
    def development(self) -> tuple[Question, ...]:
        """Every second question, from the first: for trying and tuning."""
        return self.questions[_HALVES["development"]]

    @cached_property
    def test(self) -> tuple[Question, ...]:
        """The other questions: asked once, at the end."""
        return self.questions[_HALVES["test"]]

    def evaluation(self, setting: str, half: str = "all") -> Evaluation:
        """Return the evaluation of a setting over the questions of a half: "development", "test" or "all".

        All questions are asked once for each setting, and each half is a part of that evaluation.
        """
        if setting not in self._evaluations:
            self._evaluations[setting] = evaluate(self.ws, self.questions, setting)
        found = self._evaluations[setting]
        return replace(found, results=found.results[_HALVES[half]])

    def mrr(self, setting: str, half: str = "all") -> float:
        """Return the mean reciprocal rank at 10 of a setting over the questions of a half."""
        return self.evaluation(setting, half).mean("mrr")

    def expected(self, question: Question) -> set[str]:
        """Return the names of the symbols that a question demands."""
        return {name for name, grade in self.grades_of(question).items() if grade >= DEMANDED}

    def grades_of(self, question: Question) -> dict[str, int]:
        """Return name → grade (2 expected, 1 accepted) for a question."""
        labels = self._labels
        return {
            labels[document]: grade
            for document, grade in judge(question, self.ws.catalog).grades.items()
            if document in labels and grade >= ACCEPTED
        }

    def name_of(self, document: str) -> str:
        """Return the name of a document of runs and qrels; the document itself if it is unknown."""
        return self._labels.get(document, document)

    @cached_property
    def _labels(self) -> dict[str, str]:
        """Document id → name."""
        labels: dict[str, str] = {}
        for chunk in self.ws.catalog.chunks:
            labels.setdefault(document_of(chunk), self._label(chunk))
        return labels

    def _label(self, chunk: Chunk) -> str:
        symbol = self.ws.catalog.symbol_of(chunk)
        return f"{chunk.path}:{chunk.start_line}" if symbol is None else symbol.fqn

    def _named(self, ranking: Ranking) -> list[tuple[str, float]]:
        catalog = self.ws.catalog
        named: dict[str, float] = {}
        for hit in ranking.hits:
            named.setdefault(self._labels[document_of(catalog.chunk(hit.chunk_id))], float(hit.score))
        return list(named.items())
