"""Builder of edges: collects uses of symbols one by one, and then groups all of them into edges at once.

A repository has about two uses for each edge. Sorting the columns once at the end is cheaper than a lookup for each
use.

A use is packed into three numbers:

- its source (`source_of`),
- its link (`pack_target`): the target, the kind of edge, the manner and the rule,
- its site: the number of the file << 32, plus the line.

The *manner* is the way of use, such as "call" or "read". Kind, manner and rule together are the *edge key*
(`pack_kind`).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WORD_BITS: Final = 10
"""Number of bits for the number of a manner or a rule."""

_WORD: Final = (1 << WORD_BITS) - 1
_KIND_BITS: Final = 3
_WAY_BITS: Final = _KIND_BITS + 2 * WORD_BITS
_ROW_BITS: Final = 32


def pack_kind(kind: int, manner: int, rule: int) -> int:
    """Return the edge key: the numbers of an edge's kind, manner and rule packed into one number.

    Raises ValueError if the number of the manner or of the rule needs more than `WORD_BITS` bits.
    """
    if max(manner, rule) > _WORD:
        raise ValueError(
            f"a table of edges has room for {_WORD + 1} manners and rules, not for number {max(manner, rule)}"
        )
    return (kind << WORD_BITS | manner) << WORD_BITS | rule


def source_of(source: int, in_test: bool) -> int:
    """Return the source of a use as one number: the row of the source symbol << 1, plus 1 in test files."""
    return source << 1 | in_test


def pack_target(target: int, way: int) -> int:
    """Return the link of a use as one number: the row of the target symbol, and the edge key `way`."""
    return target << _WAY_BITS | way


class Edges(NamedTuple):
    """Columns of edges, in the order of their first uses.

    The sites of an edge are in the order in which they were added.
    """

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    kind: NDArray[np.int8]
    manner: NDArray[np.int16]
    rule: NDArray[np.int16]
    in_test: NDArray[np.int8]
    site: NDArray[np.int64]
    n_sites: NDArray[np.int64]  # number of sites of each edge


class EdgeAccumulator:
    """Collector of uses, in the order in which they are added."""

    def __init__(self) -> None:
        self._source = array("q")
        self._link = array("q")
        self._site = array("q")

    def add(self, source: int, links: Sequence[int], site: int) -> None:
        """Add the uses that one source makes at one site.

        `source` is made by `source_of` and each link by `pack_target`. `site` is the number of the file << 32, plus the
        line.
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
        """Group the collected uses into edges, and discard the uses.

        There is one edge for each source, target and kind. An edge has the manner and the rule of its use with the
        highest confidence; of several such uses, the first.

        Parameters
        ----------
        confidence
            Confidence of each rule, by the number of the rule.
        """
        import numpy as np

        columns = self._source, self._link, self._site
        edge = _numbered(*(np.frombuffer(column, np.int64) for column in columns[:2]))
        order = np.argsort(edge, kind="stable")  # uses of one edge are adjacent
        source, link, site = (np.frombuffer(column, np.int64)[order] for column in columns)
        edge = edge[order]
        self._clear()
        starts = np.flatnonzero(np.diff(edge, prepend=-1))
        links = link[_surest(edge, starts, link & _WORD, confidence)]
        kept = _distinct(edge, site)
        return Edges(
            (source[starts] >> 1).astype(np.int32),
            (links >> _WAY_BITS).astype(np.int32),
            (links >> 2 * WORD_BITS & (1 << _KIND_BITS) - 1).astype(np.int8),
            (links >> WORD_BITS & _WORD).astype(np.int16),
            (links & _WORD).astype(np.int16),
            (source[starts] & 1).astype(np.int8),
            site[kept],
            np.bincount(edge[kept], minlength=len(starts)),
        )


def _numbered(source: NDArray[np.int64], link: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return the edge number of each use. Edges are numbered in the order of their first uses.

    `numpy.unique` would give the same result but needs twice the memory, and the resolver process has its memory peak
    here.
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
    """Return for each edge the position of its use with the highest confidence.

    If several uses have that confidence, the position of the first is returned, because its site is the first to be
    shown. The uses of one edge are adjacent; `starts` has the position of the first use of each edge.
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
    """Return a mask over the uses: True for the first use of an edge at a site, False for further uses at that site."""
    import numpy as np

    alike = np.lexsort((site, edge))  # uses with equal edge and site are adjacent, in the order they were added
    again = (np.diff(edge[alike]) == 0) & (np.diff(site[alike]) == 0)
    kept = np.ones(len(edge), dtype=np.bool_)
    kept[alike[1:][again]] = False
    return kept
