"""The BM25 lane: bm25s over the tokens of each chunk's text and context. Only this module imports bm25s.

bm25s scores eagerly: the score of each term for each chunk is computed when the index is built, and a query adds up
parts of a sparse matrix (Lù 2024, "BM25S: Orders of magnitude faster lexical search via eager sparse scoring"). The
indexing of bm25s loops over Python lists token by token. Here, NumPy computes the same numbers from the word counts,
and each distinct word is tokenised once. bm25s then answers the queries.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from codeexplore.index.catalog import Catalog
from codeexplore.lazy_import import lazy_package
from codeexplore.search.lanes.bm25_index import (
    Column,
    DeltaPostings,
    Postings,
    SharedPostings,
    base_of,
    lengths_of,
    norm_of,
    postings,
)
from codeexplore.search.lanes.top_k import best_rows
from codeexplore.settings import BM25_B, BM25_K1
from codeexplore.text.tokens import fold, question_words, stem, tokenize
from codeexplore.text.word_counts import indexed_text
from codeexplore.types import Hit, HitColumns, LaneName, QueryPlan, TermScore, WordCounts

if TYPE_CHECKING:
    import bm25s
    from numpy.typing import NDArray


_MAX_JOINED_CHARS = 1_000
"""Characters of a question whose neighbouring words are joined; a longer text is code or a document."""


_NO_ROWS, _NO_SCORES = np.zeros(0, np.int32), np.zeros(0, np.float32)


class Bm25Lane:
    """BM25 over all chunks of a catalog.

    The variant is Lucene's: idf = ln(1 + (N - df + 0.5) / (df + 0.5)) and tf / (tf + k1 · (1 - b + b · length / average
    length)). Its idf is always positive, and so is the score of every chunk that contains a term of the question;
    Robertson's own idf is not positive for terms that more than half of all chunks contain, such as ``self``.

    Parameters
    ----------
    catalog
        The chunks and their rows.
    counts
        The word counts of the chunks, in the order of the catalog.
    k1, b
        BM25's parameters, dimensionless.
    """

    lane: LaneName = "bm25"
    _file_norms: tuple[NDArray[np.integer], NDArray[Any]] | None = None  # an array of files, and the norms for it

    def __init__(self, catalog: Catalog, counts: WordCounts, k1: float = BM25_K1, b: float = BM25_B) -> None:
        if len(counts.indptr) - 1 != len(catalog.chunks):
            raise ValueError(f"{len(counts.indptr) - 1} rows of word counts for {len(catalog.chunks)} chunks")
        self._catalog = catalog
        self._whole: Postings | None = postings(counts, k1, b)
        self._patched: DeltaPostings | None = None
        self._n_chunks = len(catalog.chunks)
        self._k1, self._b = k1, b

    @classmethod
    def of_postings(cls, catalog: Catalog, found: Postings) -> Self:
        """Return a lane with the stored arrays `found` and the default parameters.

        They must be the result of `postings` for an equal catalog.
        """
        lane = cls.__new__(cls)
        lane._catalog, lane._whole, lane._patched, lane._n_chunks = catalog, found, None, found.n_chunks
        lane._k1, lane._b = BM25_K1, BM25_B
        return lane

    def renewed(self, catalog: Catalog, fresh: WordCounts, order: NDArray[np.int64]) -> Self:
        """Return the lane over the chunks after an edit, with the default parameters.

        Parameters
        ----------
        catalog
            The chunks after the edit.
        fresh
            Word counts of the new chunks.
        order
            For each new row the row from which its data is taken: an old row, or the number of old rows plus the row of
            a new chunk. Unchanged chunks keep their order.
        """
        found = (
            DeltaPostings(self._base, fresh, order) if self._patched is None else self._patched.renewed(fresh, order)
        )
        if found.is_large():
            return self.of_postings(catalog, found.postings())
        lane = type(self).__new__(type(self))
        lane._catalog, lane._whole, lane._patched, lane._n_chunks = catalog, None, found, found.n_chunks
        lane._k1, lane._b = BM25_K1, BM25_B
        return lane

    @cached_property
    def _base(self) -> SharedPostings:
        return base_of(self.postings, self._numbers)

    @property
    def postings(self) -> Postings:
        """Return all numbers of the lane as arrays."""
        if self._whole is not None:
            return self._whole
        assert self._patched is not None
        return self._patched.postings()

    def prepare(self) -> None:
        """Compute the tables that the first question needs."""
        import_bm25s()
        if self._patched is None:
            _ = self._numbers
        _ = self._chunk_ids

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """Mapping from a token to its number in the postings."""
        return {token: number for number, token in enumerate(self.postings.tokens)}

    def _column(self, token: str) -> Column:
        """Return the chunks that contain `token`, with their scores."""
        if self._patched is not None:
            return self._patched.column(token)
        number, found = self._numbers[token], self.postings
        column = slice(int(found.indptr[number]), int(found.indptr[number + 1]))
        return Column(found.rows[column], found.times[column], found.scores[column])

    def _serving(self, asked: Sequence[str]) -> tuple[bm25s.BM25, list[int]]:
        """Return an index of bm25s that contains only the tokens of the question, and their numbers in it.

        The index uses float64. With all tokens, it would be larger than the stored index itself.
        """
        tokens = [token for token in dict.fromkeys(asked) if self.holds(token)]
        columns = [self._column(token) for token in tokens]
        rows = np.concatenate([_NO_ROWS, *(column.rows for column in columns)])
        scores = np.concatenate([_NO_SCORES, *(column.scores for column in columns)])
        indptr = np.cumsum([0, *(len(column.rows) for column in columns)])
        index = _index(Postings(tokens, indptr, rows, rows, scores, self._n_chunks), self._k1, self._b)
        return index, index.get_tokens_ids(list(asked))

    def _df(self, token: str) -> int:
        """Return the number of chunks that contain `token`."""
        if self._patched is not None:
            return len(self._patched.column(token).rows)
        number, indptr = self._numbers.get(token), self.postings.indptr
        return 0 if number is None else int(indptr[number + 1] - indptr[number])

    @cached_property
    def _chunk_ids(self) -> Sequence[str]:
        return self._catalog.chunk_ids()

    def retrieve(self, plan: QueryPlan, pool: int, allowed: NDArray[np.bool_] | None = None) -> Sequence[Hit]:
        """Return the chunks with the highest scores for the tokens of the plan. A repeated token counts each time.

        A chunk without any token of the question is never a hit, even if there are few chunks.
        """
        index, ids = self._serving(self.asked(plan))
        if not ids:
            return ()
        scores = index.get_scores_from_ids(ids)
        rows = best_rows(scores, scores > 0, pool, allowed)
        return HitColumns(rows, scores[rows], self._chunk_ids)

    def idf(self, token: str) -> float:
        """Return the inverse document frequency of `token`, above 0. Unknown tokens have the largest value."""
        return _idf(self._df(token), self._n_chunks)

    def coverage(self, tokens: Sequence[str], rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return for each chunk in `rows` the share of `tokens` that it contains, weighted by idf, 0 to 1."""
        found, total = np.zeros(len(rows)), 0.0
        for token in tokens:
            weight = self.idf(token)
            total += weight
            if self.holds(token):
                # by a table, because the default way imports numpy.ma, which takes longer than the answer
                found[np.isin(rows, self._column(token).rows, kind="table")] += weight
        return found / total if total else found

    def file_scores(
        self, tokens: Sequence[str], files: NDArray[np.integer], n_files: int, *, repeats: bool = False
    ) -> NDArray[np.float64]:
        """Return BM25's scores of whole files: shape (n_files,).

        Parameters
        ----------
        tokens
            The tokens of the question.
        files
            The number of each chunk's file: shape (n_chunks,). Instead of files, these may be other
            groups of chunks, such as classes.
        n_files
            The number of files.
        repeats
            True to count a token as often as it is repeated, False to count it once.
        """
        distinct = Counter(tokens) if repeats else dict.fromkeys(tokens, 1)
        norm = self._norm_of_files(files, n_files)
        scores = np.zeros(n_files)
        for token, repeated in distinct.items():
            if self.holds(token):
                column = self._column(token)
                times = np.bincount(files[column.rows], weights=column.times, minlength=n_files)
                there = np.flatnonzero(times)
                held = times[there]
                scores[there] += repeated * _idf(len(there), n_files) * held / (held + norm[there])
        return scores

    def files_containing(self, tokens: Sequence[str], files: NDArray[np.integer], n_files: int) -> NDArray[np.float64]:
        """Return the share of the distinct tokens, by idf, that each file contains: shape (n_files,)."""
        contained, total = np.zeros(n_files), 0.0
        for token in dict.fromkeys(tokens):
            weight = self.idf(token)
            total += weight
            if self.holds(token):
                there = np.zeros(n_files, np.bool_)
                there[files[self._column(token).rows]] = True
                contained[there] += weight
        return contained / total if total else contained

    def _norm_of_files(self, files: NDArray[np.integer], n_files: int) -> NDArray[Any]:
        """Return the norms of the lengths of whole files; those of the last array of files are kept."""
        known = self._file_norms
        if known is None or known[0] is not files:
            lengths = np.bincount(files, weights=self._lengths, minlength=n_files)
            known = self._file_norms = (files, norm_of(lengths, self._k1, self._b))
        return known[1]

    @cached_property
    def _lengths(self) -> NDArray[Any]:
        """Return the length of each chunk in tokens."""
        if self._patched is not None:
            return self._patched.lengths
        return lengths_of(self.postings)

    def holds(self, token: str) -> bool:
        """Return True if any chunk contains `token`."""
        return self._patched.holds(token) if self._patched is not None else token in self._numbers

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
        """Return the score of the chunk at `row` for a token that occurs `times` times in the question."""
        df = self._df(term)
        if not df:
            return TermScore(term, tf, 0, 0.0, 0.0)
        column = self._column(term)
        place = int(np.searchsorted(column.rows, row))
        found = place < len(column.rows) and column.rows[place] == row
        score = times * float(column.scores[place]) if found else 0.0
        return TermScore(term, tf, df, _idf(df, self._n_chunks), score)


def _idf(df: int, n_chunks: int) -> float:
    return math.log1p((n_chunks - df + 0.5) / (df + 0.5))


@cache
def import_bm25s() -> Any:
    """Return bm25s, which is imported for the first question.

    SciPy, which bm25s needs only for its own indexing, is not imported before it is used.
    """
    with lazy_package("scipy.sparse"):
        import bm25s
    return bm25s


def _index(found: Postings, k1: float, b: float) -> bm25s.BM25:
    # float64 while scores are added up, so that an explanation of float32 terms adds up to the same sum; and so are the
    # terms, because NumPy adds twenty times faster when it need not convert
    index = import_bm25s().BM25(k1=k1, b=b, method="lucene", dtype="float64")
    index.scores = {
        "data": found.scores.astype(np.float64),
        "indices": found.rows,
        "indptr": found.indptr,
        "num_docs": found.n_chunks,
    }
    index.vocab_dict = {token: number for number, token in enumerate(found.tokens)}
    index.unique_token_ids_set = set(range(len(index.vocab_dict)))
    index.nonoccurrence_array = None
    served: bm25s.BM25 = index
    return served
