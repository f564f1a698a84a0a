"""The numbers and names of the lab, computed from one repository and its questions.

The notebooks and the checks read the same `Material`. A teacher changes the repository, and every exercise follows.
The rules by which questions and symbols are chosen are deterministic: the first one in the order of the question file,
or of qualified names, that fits the exercise.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from codeexplore.features.lab.course.corpus import LISTED, POOL_DEPTH, Corpus
from codeexplore.features.lab.course.small_graph import SmallGraph, find_small_graph
from codeexplore.features.lab.evaluation import Question
from codeexplore.search.seed_finder import TEXT_LANES
from codeexplore.text.tokens import fold, stem, tokenize, tokenize_question, words
from codeexplore.types import LANES
from codeexplore.types.errors import LabError

if TYPE_CHECKING:
    from codeexplore.answers.explanation import Explanation
    from codeexplore.types import TermScore
    from codeexplore.workspace.workspace import Workspace


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


WEIGHTS: Final = (0.25, 0.5, 1.0, 2.0, 4.0)
"""Weights of the embedding lane that are tried on the development half."""
TUNED: Final = "bm25+embedding signals=off"
"""Setting whose weight is tuned."""
IDENTIFIER: Final = "parseHTTPResponse2xx_retryCount"
"""Name that is split by hand: camel case, an acronym, a digit and an underscore."""
SENTENCES: Final[Mapping[str, tuple[str, str]]] = {
    "A": ("the customer pays the shop", "the shop pays the customer"),
    "B": ("delete the file", "never delete the file"),
    "C": ("give the money back", "refund a payment"),
}
"""Pairs of sentences: the same words in another order, a negation, and two ways to say the same thing."""
VECTORS: Final = ((3.0, 4.0, 0.0), (0.0, 1.0, 2.0))
"""Two vectors whose cosine is computed by hand."""
_SHELF = 6
_POOLED_QUESTIONS = 6
_LISTED_DIFFERENCES = 8


class Material(Corpus):
    """Material of the exercises: a corpus, and the questions, documents, names and vertices chosen from it.

    Parameters
    ----------
    ws
        The loaded repository.
    questions
        Questions with known answers, in their order.
    coincidences
        Function that counts the typical mistakes that give the right answer, in the exercises that use a question:
        `codeexplore.features.lab.course.exercises.coincidences`.
    chosen
        Ids of questions that replace those chosen by rule: ``question``, ``paraphrase``, ``fused`` and ``measured``.
    rankings
        Rankings of lanes that are known already, as (question, lane) → (name, score) in order. Further ones are added.

    Raises
    ------
    LabError
        A chosen question does not exist, or the repository has nothing that fits an exercise. It is also raised later,
        when an attribute is read for the first time.
    """

    def __init__(
        self,
        ws: Workspace,
        questions: Sequence[Question],
        coincidences: Callable[[Material, str], int],
        chosen: Mapping[str, str] | None = None,
        rankings: dict[tuple[str, str], list[tuple[str, float]]] | None = None,
    ) -> None:
        super().__init__(ws, questions, rankings)
        self._coincidences, self._chosen = coincidences, dict(chosen or {})
        known = {question.id for question in self.questions}
        for use, wanted in self._chosen.items():
            if wanted not in known:
                raise LabError(f"the question {wanted!r} for {use!r} is not among {', '.join(sorted(known))}")

    # ------------------------------------------------------------------ words

    @cached_property
    def question(self) -> str:
        """Question of notebooks 1, 2 and 6: both text lanes find its answer, at different ranks."""
        return self._main.query

    @property
    def asked(self) -> Question:
        """The same question with its known answers."""
        return self._main

    @cached_property
    def shelf(self) -> dict[str, list[str]]:
        """Six small documents as lists of tokens, for an inverted index by hand; some contain the term."""
        small = sorted(self.documents, key=lambda name: self.documents[name].total())
        held = [name for name in small if self.term in self.documents[name]][:_SHELF]
        held.sort(key=lambda name: self.term in name.casefold())  # first those whose name does not betray it
        some = held[: _SHELF // 2]
        others = [name for name in small if self.term not in self.documents[name]][: _SHELF - len(some)]
        return {name: list(self.documents[name].elements()) for name in sorted([*some, *others])}

    @cached_property
    def term(self) -> str:
        """Token of the question whose share in the score is computed by hand."""
        return self.term_score.term

    @cached_property
    def word(self) -> str:
        """Word of the question from which the term was made."""
        for word in words(self.question):
            if stem(fold(word)) == self.term:
                return word
        raise LabError(f"no word of {self.question!r} gives the token {self.term!r}")

    @cached_property
    def document(self) -> str:
        """Name of the document whose BM25 score is computed by hand."""
        return self._explained[0]

    @property
    def explanation(self) -> Explanation:
        """The library's explanation of the score of the document."""
        return self._explained[2]

    @cached_property
    def terms(self) -> tuple[TermScore, ...]:
        """Terms of the question with tf, df, idf and score in the document."""
        return self._explained[1]

    @cached_property
    def term_score(self) -> TermScore:
        """Numbers of the term."""
        own = set(tokenize_question(self.question)) & {stem(fold(word)) for word in words(self.question)}
        held = [each for each in self.terms if each.tf and each.term in own]
        return max(held, key=lambda each: (each.tf > 1, each.score))

    @cached_property
    def names(self) -> list[str]:
        """Eight names: some share a token with the question, some only letters.

        All but one are of the repository. One is made of a word of the question with letters in front, since not
        every repository has such a name.
        """
        asked = set(tokenize_question(self.question))
        beginnings = tuple(token[:3] for token in asked)
        found = sorted({symbol.name for symbol in self.ws.catalog.symbols if symbol.name.isidentifier()})
        sharing = [name for name in found if asked & set(tokenize(name))]
        unlike = [name for name in found if name not in sharing]
        alike = [name for name in unlike if any(token.startswith(beginnings) for token in tokenize(name))]
        rest = [name for name in unlike if name not in alike]
        some = [f"pre{self.word.casefold()}", *alike[:2]]
        for token in sorted(asked):  # names of every token, not only of the most frequent one
            some += [name for name in sharing if name not in some and token in tokenize(name)][:2]
        return sorted([*some[:7], *rest[: 8 - len(some[:7])]])

    # ------------------------------------------------------------------ vectors

    @cached_property
    def paraphrase(self) -> str:
        """Question of notebook 3: the embedding lane finds its answer, and BM25 finds it later or never."""
        return self._paraphrase.query

    @cached_property
    def wanted(self) -> str:
        """The expected symbol of the paraphrase that the embedding lane ranks first."""
        return min(self.expected(self._paraphrase) & set(self.listed(self._paraphrase, "embedding")),
                   key=self.listed(self._paraphrase, "embedding").index)  # fmt: skip

    # ------------------------------------------------------------------ graph

    @cached_property
    def start(self) -> str:
        """Vertex at which the random walk starts: the first function, by name, with a caller and a callee."""
        return self._small_graph.start

    @cached_property
    def vertices(self) -> list[str]:
        """The seven vertices of the small graph, the start first, then in the order of a breadth-first walk."""
        return self._small_graph.vertices

    @cached_property
    def calls(self) -> list[tuple[str, str]]:
        """Edges (caller, callee) between the seven vertices, each once."""
        return self._small_graph.calls

    @cached_property
    def neighbour(self) -> str:
        """Neighbour of the start that has another degree than the start, if there is one."""
        degrees = Counter(itertools.chain.from_iterable(self.calls))
        near = [vertex for vertex in self.vertices if {(self.start, vertex), (vertex, self.start)} & set(self.calls)]
        return next((vertex for vertex in near if degrees[vertex] != degrees[self.start]), near[0])

    # ------------------------------------------------------------------ fusion

    @property
    def fused(self) -> str:
        """Question of notebook 5: both text lanes answer it, and a wrong way to fuse them gives another result."""
        return self._fused.query

    @cached_property
    def lanes(self) -> dict[str, list[tuple[str, float]]]:
        """Lane → its first hits for the question `fused` as (name, score), best first, for the two text lanes."""
        return {lane: self.ranking(self.fused, lane)[:LISTED] for lane in TEXT_LANES}

    @cached_property
    def hit(self) -> str:
        """Name of a hit that both text lanes list, at different ranks, not first in BM25."""
        ranks = {lane: [name for name, _ in listed] for lane, listed in self.lanes.items()}
        both = [name for name in ranks["bm25"][1:-1] if name in ranks["embedding"]]
        different = [name for name in both if ranks["bm25"].index(name) != ranks["embedding"].index(name)]
        if not both:
            raise LabError(f"the lanes share no hit for {self.fused!r}: name another question as 'fused' in lab.json")
        return (different or both)[0]

    # ------------------------------------------------------------------ judging

    @cached_property
    def tops(self) -> dict[str, list[str]]:
        """Lane → its first five hits for the question, for three lanes."""
        return {lane: [name for name, _ in self.ranking(self.question, lane)[:POOL_DEPTH]] for lane in LANES}

    @cached_property
    def judges(self) -> tuple[dict[str, int], dict[str, int]]:
        """Judgements of two judges (1 relevant, 0 not) for the pools of six questions.

        The first judge knows the answers of the question file. The second is hasty: a hit is relevant if its name
        contains a word of the question.
        """
        careful: dict[str, int] = {}
        hasty: dict[str, int] = {}
        needles = [question for question in self.questions if question.type == "needle"] or list(self.questions)
        for question in needles[:_POOLED_QUESTIONS]:
            grades, asked = self.grades_of(question), set(tokenize_question(question.query))
            for name in sorted({name for lane in TEXT_LANES for name in self.listed(question, lane)[:POOL_DEPTH]}):
                key = f"{question.id} {name}"
                careful[key] = int(grades.get(name, 0) > 0)
                hasty[key] = int(bool(asked & set(tokenize(name.rpartition(".")[2]))))
        return careful, hasty

    # ------------------------------------------------------------------ measures

    @cached_property
    def measured(self) -> str:
        """Question of notebook 7: several symbols are expected, and BM25 finds some of them early."""
        return self._measured.query

    @cached_property
    def ranked(self) -> list[str]:
        """The first ten hits of BM25 for the measured question."""
        return self.listed(self._measured, "bm25")[:LISTED]

    @cached_property
    def grades(self) -> dict[str, int]:
        """Name → grade for the measured question: 2 expected, 1 accepted. Names that are missing have grade 0."""
        return self.grades_of(self._measured)

    @cached_property
    def first_ranks(self) -> list[int | None]:
        """Rank of the first expected symbol in the top ten of BM25, for each question; None if there is none."""
        found: list[int | None] = []
        for question in self.questions:
            listed, expected = self.listed(question, "bm25")[:LISTED], self.expected(question)
            found.append(next((rank for rank, name in enumerate(listed, 1) if name in expected), None))
        return found

    @cached_property
    def differences(self) -> list[float]:
        """Reciprocal rank of the embedding lane minus that of BM25, for the first eight questions that differ."""
        before, after = (self.evaluation(f"{lane} signals=off") for lane in TEXT_LANES)
        pairs = zip(before.scored, after.scored, strict=True)
        changed = [round(b.scores.mrr - a.scores.mrr, 3) for a, b in pairs if a.scores and b.scores]
        return [value for value in changed if value][:_LISTED_DIFFERENCES]

    # ------------------------------------------------------------------ the choice of questions

    def _by_id(self, use: str) -> Question | None:
        return next((question for question in self.questions if question.id == self._chosen.get(use)), None)

    def _fitting(self, use: str, found: Iterable[Question], rule: str) -> Question:
        chosen = self._by_id(use) or next(iter(found), None)
        if chosen is None:
            raise LabError(f"no question of {self.ws.name} is one that {rule}; name one as {use!r} in lab.json")
        return chosen

    def _clearest(self, use: str, found: Iterable[Question], rule: str) -> Question:
        """Return the question for which the fewest typical mistakes give the right answer; the first of equal ones."""
        if (chosen := self._by_id(use)) is not None:
            return chosen

        def unnoticed(question: Question) -> int:
            chosen = self._chosen | {use: question.id}
            return self._coincidences(
                Material(self.ws, self.questions, self._coincidences, chosen, self._rankings), use
            )

        return self._fitting(use, sorted(found, key=unnoticed), rule)

    @cached_property
    def _main(self) -> Question:
        return self._fitting("question", answered(self), "both text lanes answer, at different ranks")

    @cached_property
    def _fused(self) -> Question:
        rule = "both text lanes answer, at different ranks, and that has a hit in both lists"
        return self._clearest("fused", fusible(self), rule)

    @cached_property
    def _paraphrase(self) -> Question:
        return self._fitting("paraphrase", paraphrases(self), "the embedding lane answers earlier than BM25")

    @cached_property
    def _measured(self) -> Question:
        rule = "has 3 or more expected symbols, of which BM25 lists some in its top 5"
        return self._clearest("measured", measurable(self), rule)

    # ------------------------------------------------------------------ the choice of a document and of a graph

    @cached_property
    def _explained(self) -> tuple[str, tuple[TermScore, ...], Explanation]:
        """The hit of BM25 whose score is computed by hand, the numbers of its terms, and its explanation.

        It is one of the first ten, contains two terms of the question or more, and its length differs most from the
        mean, so that the part of the length in the formula can be seen.
        """
        answer = self.ws.search(self.question, lanes=["bm25"], top_k=LISTED)
        mean = sum(tokens.total() for tokens in self.documents.values()) / len(self.documents)
        found = []
        for hit in answer:
            explanation = answer.explain(hit.rank)
            for lane in explanation.lanes:
                name = self.chunk_names[self.ws.catalog.chunk_row(lane.chunk_id)]
                unusual = abs(math.log(max(self.documents[name].total(), 1) / mean))
                found.append((min(sum(1 for term in lane.terms if term.tf), 2), unusual, name, lane.terms, explanation))
        if not found:
            raise LabError(f"BM25 finds nothing for {self.question!r}: choose another question in lab.json")
        return max(found, key=lambda each: each[:3])[2:]

    @cached_property
    def _small_graph(self) -> SmallGraph:
        return find_small_graph(self.ws)
