"""Texts that are runs of other texts: what an edit leaves of a column, without copying it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from codeexplore.persistence.strings import Strings

MOST_RUNS = 64
"""More runs than this are copied into one text: looking one up takes time, and what went is still held."""


class Run(NamedTuple):
    """Consecutive rows of one part."""

    part: int
    start: int
    stop: int


class Pieces(Strings):
    """Runs of rows of several texts, which are joined when all of them are asked for.

    Parameters
    ----------
    parts
        Texts in one piece each.
    runs
        The rows that are taken, in their order.
    """

    def __init__(self, parts: Sequence[Strings], runs: Sequence[Run]) -> None:
        self._parts, self.runs = parts, runs
        self._starts = [0]
        for _, start, stop in runs:
            self._starts.append(self._starts[-1] + stop - start)

    @cached_property
    def joined(self) -> Strings:
        """The same in one piece."""
        pieces, offsets, at = [], [np.zeros(1, np.int64)], 0
        for part, start, stop in self.runs:
            data, starts = self._parts[part].data, self._parts[part].offsets
            first, last = int(starts[start]), int(starts[stop])
            pieces.append(data[first:last])
            offsets.append(starts[start + 1 : stop + 1] + (at - first))
            at += last - first
        return Strings(memoryview(b"".join(pieces)), np.concatenate(offsets))

    def raw(self, row: int) -> memoryview:
        """The UTF-8 of one text."""
        at = bisect_right(self._starts, row) - 1
        part, start, _ = self.runs[at]
        return self._parts[part].raw(start + row - self._starts[at])

    def __len__(self) -> int:
        return self._starts[-1]

    def all(self) -> list[str]:
        """Every text."""
        return self.joined.all()

    def within(self, start: int, stop: int) -> list[tuple[Strings, int, int]]:
        """The runs behind some consecutive rows: a text in one piece, and its rows."""
        found = []
        at = bisect_right(self._starts, start) - 1
        while start < stop:
            part, first, _ = self.runs[at]
            end = min(stop, self._starts[at + 1])
            if end > start:
                shift = first - self._starts[at]
                found.append((self._parts[part], start + shift, end + shift))
            start, at = end, at + 1
        return found


def in_one_piece(texts: Strings) -> Strings:
    """The same texts with their bytes in a row."""
    return texts.joined if isinstance(texts, Pieces) else texts


def taken_from(parts: Sequence[Strings], runs: Sequence[Run]) -> Strings:
    """Rows of several texts as one, copied only where it would consist of too many runs."""
    flat: list[tuple[Strings, int, int]] = []
    for part, start, stop in runs:
        held = parts[part]
        found = held.within(start, stop) if isinstance(held, Pieces) else [(held, start, stop)] if stop > start else []
        for text, first, last in found:
            if flat and flat[-1][0] is text and flat[-1][2] == first:
                flat[-1] = (text, flat[-1][1], last)
            else:
                flat.append((text, first, last))
    number: dict[int, int] = {}
    for text, _, _ in flat:
        number.setdefault(id(text), len(number))
    held_parts = list({id(text): text for text, _, _ in flat}.values())
    made = Pieces(held_parts, [Run(number[id(text)], first, last) for text, first, last in flat])
    return made.joined if len(flat) > MOST_RUNS or not flat else made
