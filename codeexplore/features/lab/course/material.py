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
from dataclasses import replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from codeexplore.features.lab.evaluation import Evaluation, Fixtures, Question, evaluate
from codeexplore.features.lab.evaluation.fixtures import document_of, judge, name_of
from codeexplore.features.lab.evaluation.metrics import ACCEPTED, DEMANDED
from codeexplore.search.engine import TEXT_LANES
from codeexplore.text.tokens import fold, stem, tokenize, tokenize_question, words
from codeexplore.text.word_counts import indexed_text
from codeexplore.types import EDGE_KINDS, LANES
from codeexplore.types.errors import LabError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from codeexplore.answers.hit import Explanation
    from codeexplore.types import Ranking, TermScore
    from codeexplore.workspace.workspace import Workspace

LISTED: Final = 10
"""Hits of each lane that the exercises look at."""
POOL_DEPTH: Final = 5
"""Hits of each lane that go into the pool of judgements."""
_HALVES: Final = {"all": slice(None), "development": slice(0, None, 2), "test": slice(1, None, 2)}
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
N_VERTICES: Final = 7
"""Vertices of the graph that is computed by hand."""


class SmallGraph(NamedTuple):
    """Seven functions and the calls between them."""

    start: str
    vertices: list[str]
    """The start first, then in the order of a breadth-first walk."""
    calls: list[tuple[str, str]]
    """Edges (caller, callee), each once."""


def find_small_graph(ws: Workspace) -> SmallGraph:
    """Return the graph around the first function, by name, that has three or four neighbours.

    The graph has a circle, so that a walk on it is not that on a tree. Raises LabError if there is none.
    """
    edges, symbols = ws.graph.edges, ws.catalog.symbols
    call = EDGE_KINDS.index("CALLS")
    rows = zip(edges.source, edges.target, edges.kind, edges.in_test, strict=True)
    pairs = sorted(
        {
            (symbols[source].fqn, symbols[target].fqn)
            for source, target, kind, in_test in rows
            if kind == call and not in_test and source != target
        }
    )
    near: dict[str, set[str]] = {}
    for source, target in pairs:
        near.setdefault(source, set()).add(target)
        near.setdefault(target, set()).add(source)
    callers, callees = ({pair[side] for pair in pairs} for side in (1, 0))
    for start in sorted(callers & callees):
        if 3 <= len(near[start]) <= 4 and len(chosen := _walk(start, near)) == N_VERTICES:
            inside = [pair for pair in pairs if set(pair) <= set(chosen)]
            if len(inside) > N_VERTICES:
                return SmallGraph(start, chosen, inside)
    raise LabError(f"{ws.name} has no function whose calls make a graph of {N_VERTICES} vertices")


def _walk(start: str, near: Mapping[str, set[str]]) -> list[str]:
    """Return the first seven vertices of a breadth-first walk; neighbours in the order of their names."""
    found = [start]
    for vertex in found:
        for other in sorted(near[vertex]):
            if other not in found and len(found) < N_VERTICES:
                found.append(other)
    return found


def pagerank(
    vertices: Sequence[str],
    pairs: Iterable[tuple[str, str]],
    reset: Mapping[str, float],
    damping: float,
    steps: int = 200,
) -> dict[str, float]:
    """Return personalised PageRank by power iteration; each pair is an edge from its first vertex to its second.

    The walk begins at the distribution `reset`. A vertex without an edge out returns to it.
    """
    place = {vertex: number for number, vertex in enumerate(vertices)}
    matrix: NDArray[np.float64] = np.zeros((len(place), len(place)))
    for source, target in pairs:
        matrix[place[target], place[source]] += 1.0
    start = np.array([reset.get(vertex, 0.0) for vertex in vertices])
    start /= start.sum()
    out = matrix.sum(axis=0)
    matrix[:, out > 0] /= out[out > 0]
    matrix[:, out == 0] = start[:, None]
    ranks = start
    for _ in range(steps):
        ranks = (1.0 - damping) * start + damping * (matrix @ ranks)
    return dict(zip(vertices, ranks.tolist(), strict=True))


def answered(m: Material) -> list[Question]:
    """Return the questions that both text lanes answer, at different ranks: those of the type needle first."""

    def fits(question: Question) -> bool:
        ranks = [m.rank(question, lane) for lane in TEXT_LANES]
        return None not in ranks and ranks[0] != ranks[1]

    return sorted(filter(fits, m.questions), key=lambda question: question.type != "needle")


def fusible(m: Material) -> list[Question]:
    """Return answered questions with a hit in both lists; if possible, those whose lists begin with different hits."""
    fitting, unlike = [], []
    for question in answered(m):
        first, second = (m.ranking(question.query, lane)[:LISTED] for lane in TEXT_LANES)
        if len({score for _, score in first}) > 1 and dict(first[1:-1]).keys() & dict(second).keys():
            fitting.append(question)
            if first[0][0] != second[0][0]:  # else it is plain which hit wins
                unlike.append(question)
    return unlike or fitting


def paraphrases(m: Material) -> list[Question]:
    """Return the needles that the embedding lane answers earlier than BM25, those with the largest lead first."""

    def lead(question: Question) -> int:
        late = m.rank(question, "bm25") or len(m.chunk_names)
        return late - (m.rank(question, "embedding") or len(m.chunk_names))

    found = sorted((each for each in m.questions if each.type == "needle"), key=lead, reverse=True)
    return [question for question in found if lead(question) > 0]


def measurable(m: Material) -> list[Question]:
    """Return the questions with three or more expected symbols, of which BM25 lists some, but not all it could, early.

    Questions with two grades among the first hits come first, so that nDCG needs both.
    """

    def fits(question: Question) -> bool:
        expected = m.expected(question)
        early = expected.intersection(m.listed(question, "bm25")[:POOL_DEPTH])
        return len(expected) >= 3 and 1 <= len(early) < min(len(expected), POOL_DEPTH)

    def equal_grades(question: Question) -> bool:
        grades = m.grades_of(question)
        return len({grades.get(name) for name in m.listed(question, "bm25")[:POOL_DEPTH]} - {None}) < 2

    return sorted(filter(fits, m.questions), key=equal_grades)


class Material:
    """Material of the exercises: a loaded repository, and the questions, documents, names and vertices chosen from it.

    Names are unique: the qualified name of a symbol, or path and line for text that belongs to no symbol.

    Raises LabError if fewer than four questions can be scored, a chosen question does not exist, or the repository has
    nothing that fits an exercise. It is also raised later, when an attribute is read for the first time.

    Parameters
    ----------
    ws, questions
        The loaded repository, and questions with known answers in their order.
    coincidences
        Function that counts the typical mistakes that give the right answer, in the exercises that use a question:
        `codeexplore.features.lab.course.exercises.coincidences`.
    chosen
        Ids of questions that replace those chosen by rule: ``question``, ``paraphrase``, ``fused`` and ``measured``.
    rankings
        Rankings of lanes that are known already, as (question, lane) → (name, score) in order. Further ones are added.
    """

    def __init__(
        self,
        ws: Workspace,
        questions: Sequence[Question],
        coincidences: Callable[[Material, str], int],
        chosen: Mapping[str, str] | None = None,
        rankings: dict[tuple[str, str], list[tuple[str, float]]] | None = None,
    ) -> None:
        self.ws = ws
        catalog = ws.catalog
        judged = [judge(question, catalog) for question in questions]
        self.questions = tuple(each.question for each in judged if each.scorable)
        self._asked = Fixtures("questions", self.questions, getattr(questions, "documents", {}))
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
        self._evaluated = cache(lambda setting: evaluate(ws, self._asked, setting))
        self._coincidences, self._chosen = coincidences, dict(chosen or {})
        known = {question.id for question in self.questions}
        for use, wanted in self._chosen.items():
            if wanted not in known:
                raise LabError(f"the question {wanted!r} for {use!r} is not among {', '.join(sorted(known))}")

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
        found = self._evaluated(setting)
        return replace(found, results=found.results[_HALVES[half]])

    def mrr(self, setting: str, half: str = "all") -> float:
        """Return the mean reciprocal rank at 10 of a setting over the questions of a half."""
        return self.evaluation(setting, half).mean("mrr")

    def expected(self, question: Question) -> set[str]:
        """Return the names of the symbols that a question demands."""
        return {name for name, grade in self.grades_of(question).items() if grade >= DEMANDED}

    def grades_of(self, question: Question) -> dict[str, int]:
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
            labels.setdefault(document_of(chunk), name_of(chunk, self.ws.catalog))
        return labels

    def _named(self, ranking: Ranking) -> list[tuple[str, float]]:
        catalog = self.ws.catalog
        named: dict[str, float] = {}
        for hit in ranking.hits:
            named.setdefault(self._labels[document_of(catalog.chunk(hit.chunk_id))], float(hit.score))
        return list(named.items())

    # ------------------------------------------------------------------ words

    @property
    def question(self) -> str:
        """Question of notebooks 1, 2 and 6: both text lanes find its answer, at different ranks."""
        return self.asked.query

    @cached_property
    def asked(self) -> Question:
        """The same question with its known answers."""
        return self._fitting("question", answered(self), "both text lanes answer, at different ranks")

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
        return max(held, key=lambda each: (each.times == 1, each.tf > 1, each.score))

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
        listed = self.listed(self._paraphrase, "embedding")
        return min(self.expected(self._paraphrase) & set(listed), key=listed.index)

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
        """For each question, the rank of its first expected symbol in BM25's first ten hits, or None."""
        ranks = (self.rank(question, "bm25") for question in self.questions)
        return [rank if rank is not None and rank <= LISTED else None for rank in ranks]

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
