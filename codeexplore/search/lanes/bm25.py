"""The BM25 lane, over the tokens of each chunk's text and context. Only this module imports bm25s.

bm25s adds up the scores of a question's tokens, from a sparse matrix with a column for each token (Lù 2024, "BM25S:
Orders of magnitude faster lexical search via eager sparse scoring"). The counts of tokens, and the scores of the
columns that a question needs, are arrays of ours. bm25s computes all scores when it makes its index, and has no update:
an edit changes the document frequencies and the mean length, and with them every score. On Python's standard library
(63,327 chunks, 2.6 million pairs of chunk and token) tokenising all texts and its ``index`` take 26 s, of which 3 s are
left if it gets numbers of tokens; the arrays here take 6 s, from word counts that the embeddings need too. After an
edit of one file, a question waits 20 ms for them. bm25s is the reference of the tests.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from codeexplore.index.catalog import Catalog
from codeexplore.lazy_import import lazy_package
from codeexplore.search.lanes.rows import best_rows
from codeexplore.text.tokens import analyze, fold, question_words, stem, tokenize
from codeexplore.text.word_counts import WordMap, indexed_text, project
from codeexplore.types import ChunkLength, Hit, HitColumns, LaneName, QueryPlan, TermScore, WordCounts
from codeexplore.types.search import Numbers
from codeexplore.types.settings import BM25_B, BM25_K1

if TYPE_CHECKING:
    import bm25s
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Postings:
    """The counts of all tokens as a sparse matrix by columns (CSC): shape (n_chunks, n_tokens)."""

    tokens: Sequence[str]
    indptr: NDArray[np.int64]  # (n_tokens + 1,)
    rows: NDArray[np.int32]  # (nnz,) chunk rows, ascending within a token
    times: NDArray[np.int32]  # (nnz,) occurrences of the token in the chunk
    lengths: NDArray[np.int32]  # (n_chunks,) tokens of each chunk

    @cached_property
    def numbers(self) -> dict[str, int]:
        return {token: number for number, token in enumerate(self.tokens)}

    def renewed(self, fresh: WordCounts, order: NDArray[np.int64]) -> Postings:
        """Return the postings after an edit.

        `fresh` are the word counts of the new chunks. For each chunk, `order` has its row here, or the number of rows
        here plus its row in `fresh`.
        """
        numbered, n_old = NumberedTokens(), len(self.lengths)
        numbered.number = dict(self.numbers)
        found = token_counts(fresh, numbered)
        row_of = np.full(n_old + found.n_chunks, -1, np.int32)  # -1: the chunk was removed
        row_of[order] = np.arange(len(order), dtype=np.int32)
        old_terms = np.repeat(np.arange(len(self.tokens), dtype=np.int32), np.diff(self.indptr))
        terms = np.concatenate([old_terms, found.terms])
        rows = row_of[np.concatenate([self.rows, found.rows + n_old])]
        by_term = np.argsort(terms * np.int64(len(order)) + rows, kind="stable")  # fast: the old part is sorted
        by_term = by_term[rows[by_term] >= 0]
        terms = terms[by_term]
        sizes = np.bincount(terms, minlength=len(numbered.number))
        tokens = [token for token, size in zip(numbered.number, sizes.tolist(), strict=True) if size]
        times = np.concatenate([self.times, found.times])[by_term]
        lengths = np.concatenate([self.lengths, _lengths(found.rows, found.times, found.n_chunks)])[order]
        return Postings(tokens, _pointers(sizes[sizes > 0]), rows[by_term], times, lengths)


class NumberedTokens(WordMap):
    """The tokens of words, by number. Each distinct word is analysed once, and new tokens get the next numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.number: dict[str, int] = {}

    def _look_up(self, words: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        number = self.number
        of_word = [[number.setdefault(token, len(number)) for token in analyze(word)] for word in words]
        indptr = np.cumsum([0, *map(len, of_word)])
        return indptr, np.fromiter(itertools.chain.from_iterable(of_word), np.int64, int(indptr[-1]))


class TokenCounts(NamedTuple):
    """The tokens of some consecutive chunks: three arrays with one value for each pair of chunk and token, by row."""

    tokens: NDArray[np.int64]  # the numbers of the distinct tokens, in the order of their words
    rows: NDArray[np.int32]
    terms: NDArray[np.int32]  # numbers of tokens
    times: NDArray[np.int32]
    n_chunks: int


def token_counts(counts: WordCounts, tokens: NumberedTokens) -> TokenCounts:
    """Return the tokens of chunks for their word counts. `tokens` may know the words of other parts."""
    mapped = tokens.of(counts.words)
    indptr, terms, times = project(counts.indptr, counts.word_ids, counts.counts, *mapped, len(tokens.number))
    n_chunks = len(indptr) - 1
    rows = np.repeat(np.arange(n_chunks, dtype=np.int32), np.diff(indptr))
    return TokenCounts(_distinct(mapped[1]), rows, terms, times, n_chunks)


def _distinct(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    values, first = np.unique(numbers, return_index=True)
    return values[np.argsort(first)]


def postings_of(parts: list[TokenCounts], tokens: NumberedTokens) -> Postings:
    """Return the postings of the chunks in `parts` together. They equal those for the counts of all their words.

    The list is emptied to free memory. `tokens` numbered the tokens of the parts, which may have come in any order.
    """
    firsts = np.cumsum([0, *(part.n_chunks for part in parts)]).astype(np.int32)
    none = np.zeros(0, np.int32)
    order = _distinct(np.concatenate([none, *(part.tokens for part in parts)]))
    names = list(tokens.number)
    number = np.zeros(len(names), np.int32)
    number[order] = np.arange(len(order), dtype=np.int32)
    terms = np.concatenate([none, *(number[part.terms] for part in parts)])
    rows = np.concatenate([none, *(part.rows + first for first, part in zip(firsts[:-1], parts, strict=True))])
    times = np.concatenate([none, *(part.times for part in parts)])
    parts.clear()
    by_term = np.argsort(terms, kind="stable")
    indptr = _pointers(np.bincount(terms, minlength=len(order)))
    del terms
    rows, times = rows[by_term], times[by_term]
    return Postings([names[each] for each in order.tolist()], indptr, rows, times, _lengths(rows, times, firsts[-1]))


def _lengths(rows: NDArray[np.int32], times: NDArray[np.int32], n_chunks: int) -> NDArray[np.int32]:
    return np.bincount(rows, weights=times, minlength=n_chunks).astype(np.int32)


def _pointers(sizes: NDArray[np.integer]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def idf_of(df: int, n_chunks: int) -> float:
    """Return Lucene's inverse document frequency, which is always above 0."""
    return math.log1p((n_chunks - df + 0.5) / (df + 0.5))


def norm_of(lengths: NDArray[np.integer], k1: float, b: float) -> NDArray[np.float64]:
    """Return for each chunk the part of BM25's denominator that depends on its length: shape (n_chunks,)."""
    average = lengths.mean() if lengths.any() else 1.0
    return np.asarray(k1 * (1 - b + b * lengths / average))


class Column(NamedTuple):
    """The chunks that contain one token, their counts of it, and their scores for it. The rows are ascending."""

    rows: NDArray[np.int32]
    times: NDArray[np.int32]
    scores: NDArray[np.float32]


_REMEMBERED = 512
"""Tokens whose columns are cached."""


_MAX_JOINED_CHARS = 1_000
"""Characters of a question whose neighbouring words are joined; a longer text is code or a document."""


class Bm25Lane:
    """BM25 over all chunks of a catalog.

    The variant is Lucene's: idf = ln(1 + (N - df + 0.5) / (df + 0.5)) and tf / (tf + k1 · (1 - b + b · length / average
    length)). Its idf is always positive, and so is the score of every chunk that contains a term of the question;
    Robertson's own idf is not positive for terms that more than half of all chunks contain, such as ``self``.

    `found` is the result of `postings_of` for the chunks, in the order of the catalog. `k1` and `b` are
    BM25's parameters, dimensionless.
    """

    lane: LaneName = "bm25"
    _file_norms: tuple[NDArray[np.integer], NDArray[Any]] | None = None  # an array of files, and the norms for it

    def __init__(self, catalog: Catalog, found: Postings, k1: float = BM25_K1, b: float = BM25_B) -> None:
        self._catalog, self.postings, self._k1, self._b = catalog, found, k1, b
        self._n_chunks = len(found.lengths)
        if self._n_chunks != len(catalog.chunks):
            raise ValueError(f"word counts of {self._n_chunks} chunks for a catalog of {len(catalog.chunks)}")
        self._columns: dict[str, Column] = {}

    def renewed(self, catalog: Catalog, fresh: WordCounts, order: NDArray[np.int64]) -> Self:
        """Return the lane over the chunks after an edit; see `Postings.renewed`."""
        return type(self)(catalog, self.postings.renewed(fresh, order))

    def tuned(self, numbers: Numbers) -> Self:
        """Return the lane with other parameters, over the same postings."""
        return type(self)(self._catalog, self.postings, numbers.k1, numbers.b)

    def prepare(self) -> None:
        """Compute the tables that the first question needs."""
        import_bm25s()
        _ = self.postings.numbers, self._catalog.chunks.ids

    def retrieve(self, plan: QueryPlan, pool: int, allowed: NDArray[np.bool_] | None = None) -> Sequence[Hit]:
        """Return the chunks with the highest scores above 0. A token that the question repeats counts each time."""
        scores = self.word_scores(self.asked(plan))
        rows = best_rows(scores, scores > 0, pool, allowed)
        return HitColumns(rows, scores[rows], self._catalog.chunks.ids)

    def word_scores(self, tokens: Sequence[str]) -> NDArray[np.float64]:
        held = [token for token in tokens if self.holds(token)]
        if not held:
            return np.zeros(self._n_chunks)
        scores: NDArray[np.float64] = self._columns_of(held).get_scores(held)
        return scores

    def _columns_of(self, tokens: Sequence[str]) -> bm25s.BM25:
        """Return an index of bm25s that contains only the given tokens.

        It adds in float64, so that an explanation of float32 terms adds up to the same sum; and so are the terms,
        because NumPy adds twenty times faster when it need not convert.
        """
        number = {token: number for number, token in enumerate(dict.fromkeys(tokens))}
        columns = [self._column(token) for token in number]
        index: bm25s.BM25 = import_bm25s().BM25(method="lucene", dtype="float64")
        index.vocab_dict, index.nonoccurrence_array = number, None
        index.scores = {
            "data": np.concatenate([column.scores for column in columns]).astype(np.float64),
            "indices": np.concatenate([column.rows for column in columns]),
            "indptr": np.cumsum([0, *(len(column.rows) for column in columns)]),
            "num_docs": self._n_chunks,
        }
        return index

    def idf(self, token: str) -> float:
        return idf_of(self._df(token), self._n_chunks)

    def coverage(self, tokens: Sequence[str], rows: NDArray[np.int64]) -> NDArray[np.float64]:
        # by a table, because the default way imports numpy.ma, which takes longer than the answer
        return self._covered(tokens, len(rows), lambda held: np.isin(rows, held, kind="table"))

    def files_containing(self, tokens: Sequence[str], files: NDArray[np.integer], n_files: int) -> NDArray[np.float64]:
        return self._covered(dict.fromkeys(tokens), n_files, lambda held: files[held])

    def _covered(
        self, tokens: Iterable[str], size: int, places: Callable[[NDArray[np.int32]], NDArray[Any]]
    ) -> NDArray[np.float64]:
        """Return the share of the tokens, by idf, at each of `size` places. `places` are those of a token's chunks."""
        found, total = np.zeros(size), 0.0
        for token in tokens:
            weight = self.idf(token)
            total += weight
            if self.holds(token):
                found[places(self._column(token).rows)] += weight  # a place that is there twice gets it once
        return found / total if total else found

    def file_scores(self, tokens: Sequence[str], files: NDArray[np.integer], n_files: int) -> NDArray[np.float64]:
        norm = self._norm_of_files(files, n_files)
        scores = np.zeros(n_files)
        for token, repeated in Counter(tokens).items():
            if self.holds(token):
                column = self._column(token)
                times = np.bincount(files[column.rows], weights=column.times, minlength=n_files)
                there = np.flatnonzero(times)
                held = times[there]
                scores[there] += repeated * idf_of(len(there), n_files) * held / (held + norm[there])
        return scores

    def _norm_of_files(self, files: NDArray[np.integer], n_files: int) -> NDArray[Any]:
        known = self._file_norms
        if known is None or known[0] is not files:
            lengths = np.bincount(files, weights=self.postings.lengths, minlength=n_files)
            known = self._file_norms = (files, norm_of(lengths, self._k1, self._b))
        return known[1]

    def holds(self, token: str) -> bool:
        return token in self.postings.numbers

    def _place(self, token: str) -> slice:
        """Return the place of a token's counts among those of all tokens."""
        number, indptr = self.postings.numbers.get(token), self.postings.indptr
        return slice(0, 0) if number is None else slice(int(indptr[number]), int(indptr[number + 1]))

    def _df(self, token: str) -> int:
        place = self._place(token)
        return int(place.stop - place.start)

    def _column(self, token: str) -> Column:
        """Return the chunks that contain `token`, with their scores."""
        known = self._columns.get(token)
        if known is None:
            place = self._place(token)
            rows, times = self.postings.rows[place], self.postings.times[place]
            scores = idf_of(len(rows), self._n_chunks) * times / (times + self._norm[rows])
            if len(self._columns) >= _REMEMBERED:
                self._columns = {}
            known = self._columns[token] = Column(rows, times, scores.astype(np.float32))
        return known

    @cached_property
    def _norm(self) -> NDArray[np.float64]:
        return norm_of(self.postings.lengths, self._k1, self._b)

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
        if not (df := self._df(term)):
            return TermScore(term, tf, 0, 0.0, 0.0, times)
        column = self._column(term)
        place = int(np.searchsorted(column.rows, row))
        found = place < len(column.rows) and column.rows[place] == row
        return TermScore(term, tf, df, self.idf(term), times * float(column.scores[place]) if found else 0.0, times)

    def length_of(self, chunk_id: str) -> ChunkLength:
        """Return the numbers of the chunk's *K*. Raises KeyError for an unknown chunk."""
        lengths = self.postings.lengths
        length = int(lengths[self._catalog.chunk_row(chunk_id)])
        return ChunkLength(self._n_chunks, length, float(lengths.mean()), self._k1, self._b)


@cache
def import_bm25s() -> Any:
    """Return bm25s, imported without SciPy, which it needs only for indexing of its own."""
    with lazy_package("scipy.sparse"):
        import bm25s
    return bm25s
