"""BM25's numbers after an edit: the arrays of the state before, and beside them the chunks that came.

Document frequencies and lengths are everybody's, so one edit changes all scores. They are worked out for a token when
it is asked for, with the formula and in the types of `postings`, to the same bit; the arrays stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from codeexplore.lanes.postings import Postings, held, norm_of, renewed, scores_of
from codeexplore.text.word_counts import merge, selected
from codeexplore.types import WordCounts

if TYPE_CHECKING:
    from numpy.typing import NDArray

FEW = 1_000
"""So many may always lie there."""

_MOST_BESIDE = 0.05
"""Share of chunks that may lie beside the arrays; then these are made anew."""

_REMEMBERED = 512
"""Tokens whose scores are kept."""


class Column(NamedTuple):
    """The chunks that hold a token, rows ascending, and what they score for it."""

    rows: NDArray[np.int32]
    scores: NDArray[np.float32]


_NOTHING = Column(np.zeros(0, np.int32), np.zeros(0, np.float32))


class Base(NamedTuple):
    """Arrays that several states share."""

    postings: Postings
    numbers: Mapping[str, int]  # token → its number
    lengths: NDArray[Any]  # of each chunk, in tokens


def base_of(found: Postings, numbers: Mapping[str, int]) -> Base:
    """What renewed states share of some postings."""
    return Base(found, numbers, np.bincount(found.rows, weights=found.times, minlength=found.n_chunks))


class Patched:
    """Postings of which some chunks went and others came.

    Parameters
    ----------
    base
        The arrays before.
    fresh
        Word counts of the chunks that came.
    order
        Where each chunk's row comes from: a row of `base`, or the number of its rows plus that of a fresh one.
    """

    def __init__(self, base: Base, fresh: WordCounts, order: NDArray[np.int64]) -> None:
        self.base, self.fresh, self.order = base, fresh, order
        self.n_chunks = len(order)
        self._columns: dict[str, Column] = {}

    def renewed(self, fresh: WordCounts, order: NDArray[np.int64]) -> Patched:
        """The state after one more edit; `order` counts through this one's chunks first."""
        n, m = self.base.postings.n_chunks, len(self.fresh.indptr) - 1
        all_fresh = merge([self.fresh, fresh])
        places = np.concatenate([self.order, np.arange(len(fresh.indptr) - 1) + n + m])[order]
        used = np.unique(places[places >= n])
        places = np.where(places < n, places, n + np.searchsorted(used, places))
        return Patched(self.base, selected(all_fresh, used - n), places)

    def is_large(self) -> bool:
        """Whether so much lies beside the arrays that they had better be made anew."""
        return len(self.fresh.indptr) - 1 > max(FEW, _MOST_BESIDE * self.base.postings.n_chunks)

    def postings(self) -> Postings:
        """Arrays of this state."""
        found = renewed(self.base.postings, self.fresh, self.order)
        if found is None:
            raise ValueError("chunks that stayed have changed their order")
        return found

    def holds(self, token: str) -> bool:
        """Whether any chunk holds a token."""
        return len(self.column(token).rows) > 0

    def column(self, token: str) -> Column:
        """The chunks that hold a token, with their scores."""
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
        return Column(all_rows, scores_of(df, terms, all_rows, all_times, self._norm))

    @cached_property
    def _row(self) -> NDArray[np.int32]:
        """The row of each chunk of `base`, then of each fresh one; -1 for those that went."""
        made = np.full(self.base.postings.n_chunks + len(self.fresh.indptr) - 1, -1, np.int32)
        made[self.order] = np.arange(self.n_chunks, dtype=np.int32)
        return made

    @cached_property
    def _held(self) -> tuple[list[str], NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
        number: dict[str, int] = {}
        rows, terms, times = held(self.fresh, number)
        return list(number), rows, terms, times

    @cached_property
    def _beside(self) -> dict[str, tuple[NDArray[np.int32], NDArray[np.int32]]]:
        """Token → fresh chunks and how often they hold it."""
        tokens, rows, terms, times = self._held
        by_term = np.argsort(terms, kind="stable")
        rows, times = rows[by_term], times[by_term]
        starts = np.searchsorted(terms[by_term], np.arange(len(tokens) + 1)).tolist()
        return {
            token: (rows[start:stop], times[start:stop])
            for token, start, stop in zip(tokens, starts, starts[1:], strict=False)
        }

    @cached_property
    def _norm(self) -> NDArray[np.float64]:
        _, rows, _, times = self._held
        fresh = np.bincount(rows, weights=times, minlength=len(self.fresh.indptr) - 1)
        lengths = np.concatenate([self.base.lengths, fresh])[self.order]
        return norm_of(lengths)
