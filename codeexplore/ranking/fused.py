"""A fused ranking as columns: its hits become records when they are asked for, and few of hundreds are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, overload

from codeexplore.types import Adjustment, Contribution, FusedHit, Hit, HitColumns

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class LaneShares:
    """What one lane gave: a value for each of its hits, and where in the fused order these stand."""

    lane: str
    weight: float
    hits: Sequence[Hit]
    values: Sequence[float] | NDArray[np.float64]  # of each hit
    positions: NDArray[np.int64]  # of each hit, counted from 0; -1 for one that the fusion leaves out

    def scores(self) -> NDArray[np.float64]:
        """The lane's own score of each hit."""
        import numpy as np

        hits = self.hits
        return hits.scores if isinstance(hits, HitColumns) else np.array([hit.score for hit in hits], np.float64)

    def contribution(self, place: int) -> Contribution:
        """What the lane gave to one of its hits."""
        hits = self.hits
        if isinstance(hits, HitColumns):
            rank, score = place + 1, float(hits.scores[place])
        else:
            _, rank, score = hits[place]
        return Contribution(self.lane, rank, score, self.weight, float(self.values[place]))


class Fused(Sequence[FusedHit]):
    """Hits in fused order, best first.

    Parameters
    ----------
    chunk_ids
        In fused order.
    scores
        The sum of each one's contributions in the order of `lanes`: shape (n,).
    lanes
        Who gave what.
    rows
        The chunks' rows in the catalog, where the lanes told them: shape (n,).
    """

    def __init__(
        self,
        chunk_ids: Sequence[str],
        scores: NDArray[np.float64],
        lanes: Sequence[LaneShares],
        rows: NDArray[np.int64] | None = None,
    ) -> None:
        self.chunk_ids = chunk_ids
        self.scores = scores
        self.rows = rows
        self.lanes = tuple(lanes)
        self._told: dict[int, tuple[Contribution, ...]] = {}

    def contributions(self, position: int) -> tuple[Contribution, ...]:
        """The lanes' shares of a score, in the order in which they add up to it."""
        told = self._told.get(position)
        if told is None:
            each = [(shares, int(places[position])) for shares, places in zip(self.lanes, self._places, strict=True)]
            told = tuple([shares.contribution(place) for shares, place in each if place >= 0])
            self._told[position] = told
        return told

    @cached_property
    def _places(self) -> list[NDArray[np.int64]]:
        """For each lane, the place of each position's hit among its hits; -1 for none."""
        import numpy as np

        found = []
        for shares in self.lanes:
            places = np.full(len(self) + 1, -1)  # the last one takes what the fusion leaves out
            places[shares.positions] = np.arange(len(shares.positions))
            found.append(places[:-1])
        return found

    def hit(self, position: int, rank: int, score: float, adjustments: Sequence[Adjustment] = ()) -> FusedHit:
        """The record of a position, with the rank and score that it came to."""
        return FusedHit(self.chunk_ids[position], rank, score, self.contributions(position), tuple(adjustments))

    def __len__(self) -> int:
        return len(self.chunk_ids)

    @overload
    def __getitem__(self, position: int) -> FusedHit: ...
    @overload
    def __getitem__(self, position: slice) -> tuple[FusedHit, ...]: ...
    def __getitem__(self, position: int | slice) -> FusedHit | tuple[FusedHit, ...]:
        if isinstance(position, slice):
            return tuple([self[index] for index in range(*position.indices(len(self)))])
        index = range(len(self))[position]
        return self.hit(index, index + 1, float(self.scores[index]))

    def __iter__(self) -> Iterator[FusedHit]:
        return (self[index] for index in range(len(self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]
