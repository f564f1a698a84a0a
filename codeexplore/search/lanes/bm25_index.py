"""BM25's numbers as arrays ("postings"): for each token, the chunks that contain it, how often, and their scores.

`postings` makes the arrays from word counts with NumPy; each distinct word is tokenised once. `renewed` makes the
arrays after an edit. It joins the rows of unchanged and of new chunks, and computes all scores again, because document
frequencies and lengths depend on all chunks.

`DeltaPostings` is cheaper for a small edit: it keeps the previous arrays and stores the new chunks beside them. The
scores of a token are computed when a question contains it, with the same formula and types. All three give the same
numbers to the last bit.

After an edit, *order* gives for each chunk's row the row from which its data is taken: an old row, or the number of old
rows plus the row of a new chunk.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from codeexplore.settings import BM25_B, BM25_K1
from codeexplore.text.tokens import analyze
from codeexplore.text.word_counts import WordMap, merge, project, selected
from codeexplore.types import WordCounts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from codeexplore.types import WordCounts


_NO_TERMS = np.zeros(0, np.int32)

_BLOCK = 1 << 17
"""Pairs that are scored at once, so that intermediate results stay within a processor's cache."""


class Postings(NamedTuple):
    """The score of every (token, chunk) pair, as a sparse matrix by columns (CSC): shape (n_chunks, n_tokens)."""

    tokens: Sequence[str]
    indptr: NDArray[np.int64]  # (n_tokens + 1,)
    rows: NDArray[np.int32]  # (nnz,) chunk rows, ascending within a token
    times: NDArray[np.int32]  # (nnz,) occurrences of the token in the chunk
    scores: NDArray[np.float32]  # (nnz,)
    n_chunks: int


class NumberedTokens(WordMap):
    """The tokens of words, by number. Each distinct word is analysed once.

    Attributes
    ----------
    number : dict
        The number of each token. New tokens get the next free numbers.
    """

    def __init__(self, number: dict[str, int] | None = None) -> None:
        super().__init__()
        self.number = {} if number is None else number

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
    return TokenCounts(_distinct(mapped[1]), *_pairs(counts, mapped, tokens), len(counts.indptr) - 1)


def _distinct(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the distinct numbers in the order of their first occurrence."""
    values, first = np.unique(numbers, return_index=True)
    return values[np.argsort(first)]


def postings(counts: WordCounts, k1: float = BM25_K1, b: float = BM25_B) -> Postings:
    """Return the postings for word counts. Tokens are numbered in the order of their words."""
    tokens = NumberedTokens()
    return postings_of([token_counts(counts, tokens)], tokens, k1, b)


def postings_of(
    parts: list[TokenCounts], tokens: NumberedTokens, k1: float = BM25_K1, b: float = BM25_B
) -> Postings:  # fmt: skip
    """Return the postings of the chunks in `parts` together. They equal those for the counts of all their words.

    The list is emptied to free memory. `tokens` numbered the tokens of the parts, which may have come in any order.
    """
    firsts = np.cumsum([0, *(part.n_chunks for part in parts)]).astype(np.int32)
    n_chunks = int(firsts[-1])
    order = _distinct(np.concatenate([np.zeros(0, np.int64), *(part.tokens for part in parts)]))
    names = list(tokens.number)
    number = np.zeros(len(names), np.int32)
    number[order] = np.arange(len(order), dtype=np.int32)
    terms = np.concatenate([_NO_TERMS, *(number[part.terms] for part in parts)])
    rows = np.concatenate([_NO_TERMS, *(part.rows + first for first, part in zip(firsts[:-1], parts, strict=True))])
    times = np.concatenate([_NO_TERMS, *(part.times for part in parts)])
    parts.clear()
    by_term = np.argsort(terms, kind="stable")
    terms = terms[by_term]  # one array after the other, so that only one exists twice at a time
    rows = rows[by_term]
    times = times[by_term]
    del by_term
    return _scored([names[each] for each in order.tolist()], terms, rows, times, n_chunks, k1, b)


def renewed(
    old: Postings, fresh: WordCounts, order: NDArray[np.int64], k1: float = BM25_K1, b: float = BM25_B
) -> Postings | None:
    """Return the postings after an edit that removed some chunks and added others.

    Parameters
    ----------
    old
        The postings before the edit.
    fresh
        Word counts of the new chunks.
    order
        For each chunk's row the row from which its data is taken: an old row, or the number of old rows plus the
        row of a new chunk.

    Returns
    -------
    Postings
        Equal to `postings` for the chunks after the edit, except for the numbers of tokens. None if unchanged
        chunks are now in another order, which is not supported.
    """
    n_chunks = len(order)
    new_row = np.full(old.n_chunks + len(fresh.indptr) - 1, -1, np.int32)
    new_row[order] = np.arange(n_chunks, dtype=np.int32)
    stayed = new_row[: old.n_chunks]
    if bool((np.diff(stayed[stayed >= 0]) < 0).any()):
        return None
    number = {token: index for index, token in enumerate(old.tokens)}
    rows, terms, times = held(fresh, NumberedTokens(number))
    rows = new_row[old.n_chunks :][rows]
    come = np.lexsort((rows, terms))
    rows, terms, times = rows[come], terms[come], times[come]

    old_rows = stayed[old.rows]
    keep = old_rows >= 0
    old_terms = np.repeat(np.arange(len(old.tokens), dtype=np.int32), np.diff(old.indptr))[keep]
    old_rows, old_times = old_rows[keep], old.times[keep]
    stride = np.int64(max(n_chunks, 1))
    at = np.searchsorted(old_terms * stride + old_rows, terms * stride + rows)
    all_terms = np.insert(old_terms, at, terms)
    tokens = list(number)
    used = np.bincount(all_terms, minlength=len(tokens)) > 0
    if not used.all():
        all_terms = (np.cumsum(used, dtype=np.int32) - 1)[all_terms]
        tokens = [token for token, held in zip(tokens, used.tolist(), strict=True) if held]
    return _scored(tokens, all_terms, np.insert(old_rows, at, rows), np.insert(old_times, at, times), n_chunks, k1, b)


def held(counts: WordCounts, tokens: NumberedTokens) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """Return (row, token number, count) of every pair of chunk and token, as three arrays, by row."""
    return _pairs(counts, tokens.of(counts.words), tokens)


def _pairs(
    counts: WordCounts, mapped: tuple[NDArray[np.int64], NDArray[np.int64]], tokens: NumberedTokens
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    indptr, terms, times = project(counts.indptr, counts.word_ids, counts.counts, *mapped, len(tokens.number))
    rows = np.repeat(np.arange(len(indptr) - 1, dtype=np.int32), np.diff(indptr))
    return rows, terms, times


def _scored(
    tokens: Sequence[str],
    terms: NDArray[np.int32],
    rows: NDArray[np.int32],
    times: NDArray[np.int32],
    n_chunks: int,
    k1: float,
    b: float,
) -> Postings:
    """Return the postings with all scores. The pairs are sorted by token, and by row within a token."""
    norm = norm_of(np.bincount(rows, weights=times, minlength=n_chunks), k1, b)
    df = np.bincount(terms, minlength=len(tokens))
    scores = scores_of(df, terms, rows, times, norm)
    indptr = np.concatenate([[0], np.cumsum(df)]).astype(np.int64)
    return Postings(tokens, indptr, rows, times, scores, n_chunks)


def norm_of(lengths: NDArray[Any], k1: float = BM25_K1, b: float = BM25_B) -> NDArray[np.float64]:
    """Return for each chunk the part of BM25's denominator that depends on its length: shape (n_chunks,)."""
    average = lengths.mean() if lengths.any() else 1.0
    return np.asarray(k1 * (1 - b + b * lengths / average))


def scores_of(
    df: NDArray[np.integer],
    terms: NDArray[np.integer],
    rows: NDArray[np.integer],
    times: NDArray[np.integer],
    norm: NDArray[np.float64],
) -> NDArray[np.float32]:
    """Return the score of each pair of a token (index into `df`) and a chunk (index into `norm`)."""
    idf = np.log1p((len(norm) - df + 0.5) / (df + 0.5))
    scores = np.empty(len(terms), np.float32)
    for begin in range(0, len(terms), _BLOCK):
        block = slice(begin, begin + _BLOCK)
        scores[block] = idf[terms[block]] * times[block] / (times[block] + norm[rows[block]])
    return scores


FEW = 1_000
"""Chunks that may always be outside the arrays."""

_MOST_BESIDE = 0.05
"""Share of chunks that may be outside the arrays; beyond it the arrays are rebuilt."""

_REMEMBERED = 512
"""Tokens whose scores are cached."""


class Column(NamedTuple):
    """The chunks that contain one token, their counts of it, and their scores for it. The rows are ascending."""

    rows: NDArray[np.int32]
    times: NDArray[np.int32]
    scores: NDArray[np.float32]


_NOTHING = Column(np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0, np.float32))


class SharedPostings(NamedTuple):
    """The arrays that several states share."""

    postings: Postings
    numbers: Mapping[str, int]  # token → its number
    lengths: NDArray[Any]  # of each chunk, in tokens


def base_of(found: Postings, numbers: Mapping[str, int]) -> SharedPostings:
    """Return the part of the postings `found` that later states share."""
    return SharedPostings(found, numbers, lengths_of(found))


def lengths_of(found: Postings) -> NDArray[Any]:
    """Return the length of each chunk in tokens: shape (n_chunks,)."""
    return np.bincount(found.rows, weights=found.times, minlength=found.n_chunks)


class DeltaPostings:
    """Postings after edits that removed some chunks and added others.

    Parameters
    ----------
    base
        The previous arrays.
    fresh
        Word counts of the new chunks.
    order
        For each chunk's row the row from which its data is taken: a row of `base`, or the number of rows in `base`
        plus the row of a new chunk.
    """

    def __init__(self, base: SharedPostings, fresh: WordCounts, order: NDArray[np.int64]) -> None:
        self.base, self.fresh, self.order = base, fresh, order
        self.n_chunks = len(order)
        self._columns: dict[str, Column] = {}

    def renewed(self, fresh: WordCounts, order: NDArray[np.int64]) -> DeltaPostings:
        """Return the postings after one more edit.

        In `order`, rows of these postings come first, then the new chunks.
        """
        n, m = self.base.postings.n_chunks, len(self.fresh.indptr) - 1
        all_fresh = merge([self.fresh, fresh])
        places = np.concatenate([self.order, np.arange(len(fresh.indptr) - 1) + n + m])[order]
        used = np.unique(places[places >= n])
        places = np.where(places < n, places, n + np.searchsorted(used, places))
        return DeltaPostings(self.base, selected(all_fresh, used - n), places)

    def is_large(self) -> bool:
        """True if so many chunks are outside the arrays that the arrays should be built again."""
        return len(self.fresh.indptr) - 1 > max(FEW, _MOST_BESIDE * self.base.postings.n_chunks)

    def postings(self) -> Postings:
        """Return the arrays of this state."""
        found = renewed(self.base.postings, self.fresh, self.order)
        if found is None:
            raise ValueError("chunks that stayed have changed their order")
        return found

    def holds(self, token: str) -> bool:
        """Return True if any chunk contains `token`."""
        return len(self.column(token).rows) > 0

    def column(self, token: str) -> Column:
        """Return the chunks that contain `token`, with their scores."""
        known = self._columns.get(token)
        if known is None:
            known = self._column(token)
            if len(self._columns) >= _REMEMBERED:
                self._columns = {}
            self._columns[token] = known
        return known

    def _column(self, token: str) -> Column:
        rows, times = [], []
        number, found = self.base.numbers.get(token), self.base.postings
        if number is not None:
            begin, end = int(found.indptr[number]), int(found.indptr[number + 1])
            rows.append(self._row[found.rows[begin:end]])
            times.append(found.times[begin:end])
        beside = self._beside.get(token)
        if beside is not None:
            rows.append(self._row[beside[0] + found.n_chunks])
            times.append(beside[1])
        if not rows:
            return _NOTHING
        all_rows, all_times = np.concatenate(rows), np.concatenate(times)
        there = all_rows >= 0
        all_rows, all_times = all_rows[there], all_times[there]
        if not len(all_rows):
            return _NOTHING
        by_row = np.argsort(all_rows, kind="stable")
        all_rows, all_times = all_rows[by_row], all_times[by_row]
        df = np.array([len(all_rows)])
        terms = np.zeros(len(all_rows), np.int32)
        return Column(all_rows, all_times, scores_of(df, terms, all_rows, all_times, self._norm))

    @cached_property
    def _row(self) -> NDArray[np.int32]:
        """Row of each chunk of `base`, then of each new chunk; -1 for removed chunks."""
        made = np.full(self.base.postings.n_chunks + len(self.fresh.indptr) - 1, -1, np.int32)
        made[self.order] = np.arange(self.n_chunks, dtype=np.int32)
        return made

    @cached_property
    def _held(self) -> tuple[list[str], NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
        tokens = NumberedTokens()
        rows, terms, times = held(self.fresh, tokens)
        return list(tokens.number), rows, terms, times

    @cached_property
    def _beside(self) -> dict[str, tuple[NDArray[np.int32], NDArray[np.int32]]]:
        """Mapping from a token to (rows of the new chunks that contain it, its count in each)."""
        tokens, rows, terms, times = self._held
        by_term = np.argsort(terms, kind="stable")
        rows, times = rows[by_term], times[by_term]
        starts = np.searchsorted(terms[by_term], np.arange(len(tokens) + 1)).tolist()
        return {
            token: (rows[start:stop], times[start:stop])
            for token, start, stop in zip(tokens, starts, starts[1:], strict=False)
        }

    @cached_property
    def lengths(self) -> NDArray[Any]:
        """Length of each chunk in tokens: shape (n_chunks,)."""
        _, rows, _, times = self._held
        fresh = np.bincount(rows, weights=times, minlength=len(self.fresh.indptr) - 1)
        return np.concatenate([self.base.lengths, fresh])[self.order]

    @cached_property
    def _norm(self) -> NDArray[np.float64]:
        return norm_of(self.lengths)
