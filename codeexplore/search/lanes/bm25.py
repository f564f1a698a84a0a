"""The BM25 lane, over the tokens of each chunk's text and context. Only this module imports bm25s.

bm25s adds up the scores of a question's tokens, from a sparse matrix with a column for each token (Lù 2024, "BM25S:
Orders of magnitude faster lexical search via eager sparse scoring"). `bm25_index` makes the columns, and tells why.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from codeexplore.index.catalog import Catalog
from codeexplore.lazy_import import lazy_package
from codeexplore.search.lanes.bm25_index import Bm25Index, Postings, idf_of, norm_of, postings
from codeexplore.search.lanes.top_k import best_rows
from codeexplore.text.tokens import fold, question_words, stem, tokenize
from codeexplore.text.word_counts import indexed_text
from codeexplore.types import Hit, HitColumns, LaneName, QueryPlan, TermScore, WordCounts
from codeexplore.types.settings import BM25_B, BM25_K1

if TYPE_CHECKING:
    import bm25s
    from numpy.typing import NDArray


_MAX_JOINED_CHARS = 1_000
"""Characters of a question whose neighbouring words are joined; a longer text is code or a document."""


class Bm25Lane:
    """BM25 over all chunks of a catalog.

    The variant is Lucene's: idf = ln(1 + (N - df + 0.5) / (df + 0.5)) and tf / (tf + k1 · (1 - b + b · length / average
    length)). Its idf is always positive, and so is the score of every chunk that contains a term of the question;
    Robertson's own idf is not positive for terms that more than half of all chunks contain, such as ``self``.

    `counts` are the word counts of the chunks, in the order of the catalog.
    """

    lane: LaneName = "bm25"
    _file_norms: tuple[NDArray[np.integer], NDArray[Any]] | None = None  # an array of files, and the norms for it

    def __init__(self, catalog: Catalog, counts: WordCounts, k1: float = BM25_K1, b: float = BM25_B) -> None:
        if len(counts.indptr) - 1 != len(catalog.chunks):
            raise ValueError(f"{len(counts.indptr) - 1} rows of word counts for {len(catalog.chunks)} chunks")
        self._catalog, self._index = catalog, Bm25Index(postings(counts), k1, b)

    @classmethod
    def of_postings(cls, catalog: Catalog, found: Postings) -> Self:
        """Return a lane with the arrays `found`, which must be the result of `postings` for an equal catalog."""
        return cls._of_index(catalog, Bm25Index(found))

    @classmethod
    def _of_index(cls, catalog: Catalog, index: Bm25Index) -> Self:
        lane = cls.__new__(cls)
        lane._catalog, lane._index = catalog, index
        return lane

    def renewed(self, catalog: Catalog, fresh: WordCounts, order: NDArray[np.int64]) -> Self:
        """Return the lane over the chunks after an edit; see `Bm25Index.renewed`."""
        return self._of_index(catalog, self._index.renewed(fresh, order))

    @property
    def postings(self) -> Postings:
        return self._index.postings()

    def prepare(self) -> None:
        """Compute the tables that the first question needs."""
        import_bm25s()
        _ = self._index.base.numbers, self._index.lengths, self._chunk_ids

    @cached_property
    def _chunk_ids(self) -> Sequence[str]:
        return self._catalog.chunk_ids()

    def retrieve(self, plan: QueryPlan, pool: int, allowed: NDArray[np.bool_] | None = None) -> Sequence[Hit]:
        """Return the chunks with the highest scores above 0. A token that the question repeats counts each time."""
        tokens = [token for token in self.asked(plan) if self.holds(token)]
        if not tokens:
            return ()
        scores = self._columns_of(tokens).get_scores(tokens)
        rows = best_rows(scores, scores > 0, pool, allowed)
        return HitColumns(rows, scores[rows], self._chunk_ids)

    def _columns_of(self, tokens: Sequence[str]) -> bm25s.BM25:
        """Return an index of bm25s that contains only the given tokens.

        It adds in float64, so that an explanation of float32 terms adds up to the same sum; and so are the terms,
        because NumPy adds twenty times faster when it need not convert.
        """
        number = {token: number for number, token in enumerate(dict.fromkeys(tokens))}
        columns = [self._index.column(token) for token in number]
        index: bm25s.BM25 = import_bm25s().BM25(method="lucene", dtype="float64")
        index.vocab_dict, index.nonoccurrence_array = number, None
        index.scores = {
            "data": np.concatenate([column.scores for column in columns]).astype(np.float64),
            "indices": np.concatenate([column.rows for column in columns]),
            "indptr": np.cumsum([0, *(len(column.rows) for column in columns)]),
            "num_docs": self._index.n_chunks,
        }
        return index

    def idf(self, token: str) -> float:
        return idf_of(self._index.df(token), self._index.n_chunks)

    def coverage(self, tokens: Sequence[str], rows: NDArray[np.int64]) -> NDArray[np.float64]:
        found, total = np.zeros(len(rows)), 0.0
        for token in tokens:
            weight = self.idf(token)
            total += weight
            if self.holds(token):
                # by a table, because the default way imports numpy.ma, which takes longer than the answer
                found[np.isin(rows, self._index.column(token).rows, kind="table")] += weight
        return found / total if total else found

    def file_scores(
        self, tokens: Sequence[str], files: NDArray[np.integer], n_files: int, *, repeats: bool = False
    ) -> NDArray[np.float64]:
        distinct = Counter(tokens) if repeats else dict.fromkeys(tokens, 1)
        norm = self._norm_of_files(files, n_files)
        scores = np.zeros(n_files)
        for token, repeated in distinct.items():
            if self.holds(token):
                column = self._index.column(token)
                times = np.bincount(files[column.rows], weights=column.times, minlength=n_files)
                there = np.flatnonzero(times)
                held = times[there]
                scores[there] += repeated * idf_of(len(there), n_files) * held / (held + norm[there])
        return scores

    def files_containing(self, tokens: Sequence[str], files: NDArray[np.integer], n_files: int) -> NDArray[np.float64]:
        contained, total = np.zeros(n_files), 0.0
        for token in dict.fromkeys(tokens):
            weight = self.idf(token)
            total += weight
            if self.holds(token):
                there = np.zeros(n_files, np.bool_)
                there[files[self._index.column(token).rows]] = True
                contained[there] += weight
        return contained / total if total else contained

    def _norm_of_files(self, files: NDArray[np.integer], n_files: int) -> NDArray[Any]:
        known = self._file_norms
        if known is None or known[0] is not files:
            lengths = np.bincount(files, weights=self._index.lengths, minlength=n_files)
            known = self._file_norms = (files, norm_of(lengths, self._index.k1, self._index.b))
        return known[1]

    def holds(self, token: str) -> bool:
        return self._index.holds(token)

    def explain(self, plan: QueryPlan, chunk_id: str) -> tuple[TermScore, ...]:
        """Return the score of each distinct token of the question for a chunk, in the order of the question.

        The scores add up to the chunk's score. Tokens that the chunk does not contain are listed with the score 0. If
        no chunk contains a token, its `df` is 0. Raises KeyError for an unknown chunk.
        """
        row = self._catalog.chunk_row(chunk_id)
        held = Counter(tokenize(indexed_text(self._catalog.chunks[row])))
        return tuple(
            self._term_score(term, times, row, held[term]) for term, times in Counter(self.asked(plan)).items()
        )

    def asked(self, plan: QueryPlan) -> list[str]:
        """Return the tokens of the plan, and pairs of neighbouring words of its text that chunks contain as one word.

        "load session" in a question is ``loadsession``, ``load_session`` or ``LoadSession`` in code.
        """
        found = question_words(plan.text) if len(plan.text) <= _MAX_JOINED_CHARS else []
        joined = [stem(fold(one + other)) for one, other in itertools.pairwise(found)]
        there = set(plan.tokens)
        return [*plan.tokens, *(token for token in dict.fromkeys(joined) if token not in there and self.holds(token))]

    def _term_score(self, term: str, times: int, row: int, tf: int) -> TermScore:
        if not (df := self._index.df(term)):
            return TermScore(term, tf, 0, 0.0, 0.0)
        column = self._index.column(term)
        place = int(np.searchsorted(column.rows, row))
        found = place < len(column.rows) and column.rows[place] == row
        return TermScore(term, tf, df, self.idf(term), times * float(column.scores[place]) if found else 0.0)


@cache
def import_bm25s() -> Any:
    """Return bm25s, imported without SciPy, which it needs only for indexing of its own."""
    with lazy_package("scipy.sparse"):
        import bm25s
    return bm25s
