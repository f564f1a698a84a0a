"""Accumulator of symbol uses: collected one by one, then grouped into edges all at once.

A repository has twice as many uses as edges. Uses of one edge are grouped by sorting columns at the end, not by a
lookup for each use.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WORD_BITS: Final = 10
"""Manners and rules have numbers below 2 to the power of this."""

_WORD: Final = (1 << WORD_BITS) - 1
_KIND_BITS: Final = 3
_WAY_BITS: Final = _KIND_BITS + 2 * WORD_BITS
_ROW_BITS: Final = 32


def pack_kind(kind: int, manner: int, rule: int) -> int:
    """Return the kind of an edge, the number of its manner and the number of its rule, packed into one number.

    Raises ValueError if a number has more bits than its field.
    """
    if max(manner, rule) > _WORD:
        raise ValueError(
            f"a table of edges has room for {_WORD + 1} manners and rules, not for number {max(manner, rule)}"
        )
    return (kind << WORD_BITS | manner) << WORD_BITS | rule


def source_of(source: int, in_test: bool) -> int:
    """Return the source of a use as one number: the row of the source, and whether it is in a test."""
    return source << 1 | in_test


def pack_target(target: int, way: int) -> int:
    """Return a use without its source and site, packed into one number: the row of its target, and its edge key."""
    return target << _WAY_BITS | way


class Edges(NamedTuple):
    """Edges as columns, in the order of their first uses, and the sites of each in order of arrival."""

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    kind: NDArray[np.int8]
    manner: NDArray[np.int16]
    rule: NDArray[np.int16]
    in_test: NDArray[np.int8]
    site: NDArray[np.int64]
    n_sites: NDArray[np.int64]  # by edge


class EdgeAccumulator:
    """Uses as they come."""

    def __init__(self) -> None:
        self._source = array("q")
        self._link = array("q")
        self._site = array("q")

    def add(self, source: int, links: Sequence[int], site: int) -> None:
        """Uses that one source makes at one site; see `source_of` and `pack_target`.

        `site` is the file's number << 32, plus the line.
        """
        if len(links) == 1:
            self._source.append(source)
            self._link.append(links[0])
            self._site.append(site)
        else:
            self._source.extend([source] * len(links))
            self._link.extend(links)
            self._site.extend([site] * len(links))

    def _clear(self) -> None:
        for column in (self._source, self._link, self._site):
            del column[:]

    def edges(self, confidence: NDArray[np.float64]) -> Edges:
        """Group the uses into edges, one for each source, target and kind; the collected uses are discarded.

        Manner and rule are those of the use with the highest confidence, of several the first.

        Parameters
        ----------
        confidence
            By the number of the rule.
        """
        import numpy as np

        came = self._source, self._link, self._site
        edge = _numbered(*(np.frombuffer(column, np.int64) for column in came[:2]))
        order = np.argsort(edge, kind="stable")  # uses of one edge are adjacent
        source, link, site = (np.frombuffer(column, np.int64)[order] for column in came)
        edge = edge[order]
        self._clear()
        starts = np.flatnonzero(np.diff(edge, prepend=-1))
        told = link[_surest(edge, starts, link & _WORD, confidence)]
        kept = _distinct(edge, site)
        return Edges(
            (source[starts] >> 1).astype(np.int32),
            (told >> _WAY_BITS).astype(np.int32),
            (told >> 2 * WORD_BITS & (1 << _KIND_BITS) - 1).astype(np.int8),
            (told >> WORD_BITS & _WORD).astype(np.int16),
            (told & _WORD).astype(np.int16),
            (source[starts] & 1).astype(np.int8),
            site[kept],
            np.bincount(edge[kept], minlength=len(starts)),
        )


def _numbered(source: NDArray[np.int64], link: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return the number of each use's edge; edges count in the order of their first uses.

    Same result as `numpy.unique` in half the memory: the resolving process reaches its peak memory here.
    """
    import numpy as np

    pairs = (source >> 1) << (_ROW_BITS + _KIND_BITS) | link >> 2 * WORD_BITS
    order = np.argsort(pairs, kind="stable")
    starts = np.flatnonzero(np.diff(pairs[order], prepend=-1))
    first = order[starts]
    number = np.empty(len(first), np.int32)
    number[np.argsort(first)] = np.arange(len(first))
    edge = np.empty(len(pairs), np.int32)
    edge[order] = np.repeat(number, np.diff(starts, append=len(pairs)))
    return edge


def _surest(
    edge: NDArray[np.int32], starts: NDArray[np.int64], rule: NDArray[np.int64], confidence: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Return the position of each edge's surest use, of several the first: its site is the first that is shown.

    Uses of one edge are adjacent, from `starts` on.
    """
    import numpy as np

    if not len(starts):
        return starts
    sure = confidence[rule]
    most = np.repeat(np.maximum.reduceat(sure, starts), np.diff(starts, append=len(sure)))
    places = np.flatnonzero(sure == most)
    first: NDArray[np.int64] = places[np.flatnonzero(np.diff(edge[places], prepend=-1))]
    return first


def _distinct(edge: NDArray[np.int32], site: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return a mask of the uses that are the first of their edge at their site."""
    import numpy as np

    alike = np.lexsort((site, edge))  # equal ones are adjacent, in order of arrival
    again = (np.diff(edge[alike]) == 0) & (np.diff(site[alike]) == 0)
    kept = np.ones(len(edge), dtype=np.bool_)
    kept[alike[1:][again]] = False
    return kept
