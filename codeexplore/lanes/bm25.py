"""The BM25 lane: bm25s over the tokens of chunk text and context. The only door to bm25s.

bm25s scores eagerly: what a term gives to a chunk is computed when the index is built, and a query adds up parts of a
sparse matrix (Lù 2024, "BM25S: Orders of magnitude faster lexical search via eager sparse scoring"). Its own indexing
walks Python lists token by token; here the same numbers come from the word counts with NumPy, each distinct word being
tokenised once, and bm25s serves the queries.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Self

import bm25s
import numpy as np

from codeexplore.catalog import Catalog
from codeexplore.lanes.pool import best_rows
from codeexplore.settings import BM25_B, BM25_K1
from codeexplore.tokens import analyze, fold, question_words, stem, tokenize
from codeexplore.types import Hit, LaneName, QueryPlan, TermScore, WordCounts
from codeexplore.words import indexed_text, project

if TYPE_CHECKING:
    from numpy.typing import NDArray


_MAX_JOINED_CHARS = 1_000
"""Characters of a question whose neighbouring words are joined; a longer text is code or a document."""


class Bm25Scores(NamedTuple):
    """The score of every (token, chunk) pair, as a sparse matrix by token (CSC): shape (n_chunks, n_tokens)."""

    tokens: Sequence[str]
    indptr: NDArray[np.int64]  # (n_tokens + 1,)
    rows: NDArray[np.int32]  # (nnz,) chunk rows, ascending within a token
    data: NDArray[np.float32]  # (nnz,)
    n_chunks: int


class Bm25Lane:
    """BM25 over all chunks of a catalog.

    The variant is Lucene's: idf = ln(1 + (N - df + 0.5) / (df + 0.5)) and tf / (tf + k1 · (1 - b + b · length / average
    length)). Its idf is always positive, and so is the score of every chunk that holds a term of the question;
    Robertson's own idf gives up on terms that half of all chunks hold, such as ``self``.

    Parameters
    ----------
    catalog
        The chunks, and their rows.
    counts
        Their words, in the catalog's order.
    k1, b
        BM25's parameters, dimensionless.
    """

    lane: LaneName = "bm25"

    def __init__(self, catalog: Catalog, counts: WordCounts, k1: float = BM25_K1, b: float = BM25_B) -> None:
        if len(counts.indptr) - 1 != len(catalog.chunks):
            raise ValueError(f"{len(counts.indptr) - 1} rows of word counts for {len(catalog.chunks)} chunks")
        self._catalog = catalog
        self._index = _build(counts, k1, b)

    @classmethod
    def of_scores(cls, catalog: Catalog, scores: Bm25Scores) -> Self:
        """The lane whose `scores` these were, over an equal catalog."""
        lane = cls.__new__(cls)
        lane._catalog = catalog
        lane._index = _index(scores)
        return lane

    @property
    def scores(self) -> Bm25Scores:
        """What a query adds up."""
        matrix = self._index.scores
        tokens = list(self._index.vocab_dict)
        return Bm25Scores(tokens, matrix["indptr"], matrix["indices"], matrix["data"], matrix["num_docs"])

    def retrieve(self, plan: QueryPlan, pool: int, allowed: NDArray[np.bool_] | None = None) -> Sequence[Hit]:
        """The chunks with the highest scores for the plan's tokens; a token that occurs twice counts twice.

        A chunk that holds no token of the question is no hit, however small the corpus.
        """
        ids = self._index.get_tokens_ids(self.asked(plan))
        if not ids:
            return ()
        scores = self._index.get_scores_from_ids(ids)
        rows = best_rows(scores, scores > 0, pool, allowed)
        chunks = self._catalog.chunks
        return tuple(
            Hit(chunks[row].id, rank, score)
            for rank, (row, score) in enumerate(zip(rows.tolist(), scores[rows].tolist(), strict=True), 1)
        )

    def idf(self, token: str) -> float:
        """Inverse document frequency of a token, above 0; that of a token which no chunk holds is the largest."""
        number = self._index.vocab_dict.get(token)
        matrix = self._index.scores
        df = 0 if number is None else int(matrix["indptr"][number + 1] - matrix["indptr"][number])
        return _idf(df, matrix["num_docs"])

    def holds(self, token: str) -> bool:
        """Whether any chunk holds a token."""
        return token in self._index.vocab_dict

    def explain(self, plan: QueryPlan, chunk_id: str) -> tuple[TermScore, ...]:
        """What each distinct token of the question gave to a chunk, in the order of the question.

        The scores add up to the chunk's score. Tokens that the chunk lacks, or the whole repository (df 0), are listed
        with score 0. Raises KeyError for an unknown chunk.
        """
        row = self._catalog.chunk_row(chunk_id)
        held = Counter(tokenize(indexed_text(self._catalog.chunks[row])))
        return tuple(
            self._term_score(term, times, row, held[term]) for term, times in Counter(self.asked(plan)).items()
        )

    def asked(self, plan: QueryPlan) -> list[str]:
        """The plan's tokens, and neighbouring words of its text joined where a chunk holds them so.

        "load session" in a question is ``loadsession``, ``load_session`` and ``LoadSession`` in code.
        """
        found = question_words(plan.text) if len(plan.text) <= _MAX_JOINED_CHARS else []
        joined = [stem(fold(one + other)) for one, other in itertools.pairwise(found)]
        there = set(plan.tokens)
        return [*plan.tokens, *(token for token in dict.fromkeys(joined) if token not in there and self.holds(token))]

    def _term_score(self, term: str, times: int, row: int, tf: int) -> TermScore:
        """What a token that the question holds `times` times gave to a row."""
        number = self._index.vocab_dict.get(term)
        if number is None:
            return TermScore(term, tf, 0, 0.0, 0.0)
        matrix = self._index.scores
        begin, end = matrix["indptr"][number : number + 2].tolist()
        place = begin + int(np.searchsorted(matrix["indices"][begin:end], row))
        found = place < end and matrix["indices"][place] == row
        score = times * float(matrix["data"][place]) if found else 0.0
        return TermScore(term, tf, end - begin, _idf(end - begin, matrix["num_docs"]), score)


def _idf(df: int, n_chunks: int) -> float:
    return math.log1p((n_chunks - df + 0.5) / (df + 0.5))


def _build(counts: WordCounts, k1: float, b: float) -> bm25s.BM25:
    """A bm25s index with the score of every (term, chunk) pair, by term (CSC), rows ascending within a term."""
    number: dict[str, int] = {}
    of_word = [[number.setdefault(token, len(number)) for token in analyze(word)] for word in counts.words]
    map_indptr = np.cumsum([0, *map(len, of_word)])
    map_ids = np.fromiter((token for tokens in of_word for token in tokens), np.int64, int(map_indptr[-1]))
    indptr, terms, tf = project(counts.indptr, counts.word_ids, counts.counts, map_indptr, map_ids, len(number))

    n_chunks = len(indptr) - 1
    rows = np.repeat(np.arange(n_chunks, dtype=np.int32), np.diff(indptr))
    lengths = np.bincount(rows, weights=tf, minlength=n_chunks)
    df = np.bincount(terms, minlength=len(number))
    idf = np.log1p((n_chunks - df + 0.5) / (df + 0.5))
    norm = k1 * (1 - b + b * lengths / (lengths.mean() if lengths.any() else 1.0))
    scores = (idf[terms] * tf / (tf + norm[rows])).astype(np.float32)

    by_term = np.argsort(terms.astype(np.int32), kind="stable")
    indptr = np.concatenate([[0], np.cumsum(df)])
    return _index(Bm25Scores(list(number), indptr, rows[by_term], scores[by_term], n_chunks), k1, b)


def _index(scores: Bm25Scores, k1: float = BM25_K1, b: float = BM25_B) -> bm25s.BM25:
    # float64 while scores are added up, so that an explanation of float32 terms adds up to the same sum
    index = bm25s.BM25(k1=k1, b=b, method="lucene", dtype="float64")
    index.scores = {
        "data": scores.data,
        "indices": scores.rows,
        "indptr": scores.indptr,
        "num_docs": scores.n_chunks,
    }
    index.vocab_dict = {token: number for number, token in enumerate(scores.tokens)}
    index.unique_token_ids_set = set(range(len(index.vocab_dict)))
    index.nonoccurrence_array = None
    return index
