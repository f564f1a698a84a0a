"""Fusion of the rankings of several lanes: reciprocal rank fusion, and other published methods for comparison.

Every fusion returns the share of each lane in a score, so that a fused score is the sum of its contributions, in the
fixed order of the lanes. `totals` adds up the shares of many hits with the arithmetic of Python's `sum`, so that each
sum is exact to the last bit. `Fused` is a fused ranking as columns. A record of a hit is made only when it is
requested, and few of hundreds are.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, overload

import numpy as np

from codeexplore.types import LANES, Adjustment, Contribution, FusedHit, HitColumns, Ranking, settings
from codeexplore.types.errors import QuestionError

if TYPE_CHECKING:
    from numpy.typing import NDArray


def totals(columns: Sequence[NDArray[np.float64]], size: int) -> NDArray[np.float64]:
    """Return for each of `size` hits the sum of its values in `columns`, with the arithmetic of Python's `sum`.

    It compensates for rounding since Python 3.12, which NumPy's sums do not.
    """
    rows = zip(*(column.tolist() for column in columns), strict=True) if columns else [()] * size
    return np.fromiter(map(sum, rows), np.float64, size)


@dataclass(frozen=True, slots=True)
class LaneShares:
    """Shares of one lane: a value for each of its hits, and the positions of these hits in the fused order."""

    lane: str
    weight: float
    scores: NDArray[np.float64]  # of each hit, the lane's own
    values: NDArray[np.float64]  # of each hit
    positions: NDArray[np.int64]  # of each hit, counted from 0; -1 for one that the fusion leaves out

    def contribution(self, place: int) -> Contribution:
        score, value = float(self.scores[place]), float(self.values[place])
        return Contribution(self.lane, place + 1, score, self.weight, value)


class Fused(Sequence[FusedHit]):
    """Hits in fused order, best first.

    `scores` has the sum of the contributions of each hit, in the order of `lanes`: shape (n,). `rows` are the rows of
    the chunks in the catalog, if the lanes returned rows.
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
        """Return the shares of the lanes in the score at `position`, in the order in which they are added."""
        told = self._told.get(position)
        if told is None:
            each = [(shares, int(places[position])) for shares, places in zip(self.lanes, self._places, strict=True)]
            told = tuple([shares.contribution(place) for shares, place in each if place >= 0])
            self._told[position] = told
        return told

    @cached_property
    def _places(self) -> list[NDArray[np.int64]]:
        """For each lane, the place of the hit at each position among the lane's hits; -1 if it is not among them."""
        found = []
        for shares in self.lanes:
            places = np.full(len(self) + 1, -1)  # the last one takes the hits that the fusion leaves out
            places[shares.positions] = np.arange(len(shares.positions))
            found.append(places[:-1])
        return found

    def hit(self, position: int, rank: int, score: float, adjustments: Sequence[Adjustment] = ()) -> FusedHit:
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

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]


Weights: TypeAlias = Mapping[str, float]
"""Lane → weight; a lane that is missing weighs 1."""

Prior: TypeAlias = Mapping[str, float]
"""Chunk id → PageRank divided by its maximum, of the whole graph or from the lexical hits, 0–1; 0 when missing."""

TermsOfLane: TypeAlias = Callable[[Ranking, float], Sequence[float]]
"""A fusion of the user's: one lane's ranking and its weight → a number for each of its hits, in order."""

_NO_PRIOR: Final[Prior] = MappingProxyType({})
_EQUAL: Final[Weights] = MappingProxyType({})


class Lane(NamedTuple):
    """Input of a fusion: one of the fused rankings, which has hits, with all that its shares may depend on."""

    ranking: Ranking
    weight: float
    rrf_k: int
    prior: Prior
    first: bool  # in the order of lanes

    @property
    def scores(self) -> NDArray[np.float64]:
        hits = self.ranking.hits
        return hits.scores if isinstance(hits, HitColumns) else np.array([hit.score for hit in hits], np.float64)

    @property
    def ranks(self) -> NDArray[np.float64]:
        return np.arange(1.0, len(self.ranking.hits) + 1.0)

    @property
    def priors(self) -> NDArray[np.float64]:
        return np.array([self.prior.get(hit.chunk_id, 0.0) for hit in self.ranking.hits])


Inputs: TypeAlias = "Mapping[str, float | NDArray[np.float64]]"


class Worked(NamedTuple):
    """The shares of a lane in the scores of its hits, and the formula that gives them.

    `inputs` are the numbers in the formula by name, each the same for all hits, or one for each hit. The formula is
    written in the order of its computation, so that the numbers give each share exactly.
    """

    formula: str
    values: NDArray[np.float64]
    inputs: Inputs


def _rrf(lane: Lane) -> Worked:
    """Reciprocal rank fusion.

    Source: Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning
    Methods", SIGIR 2009; there without weights and with rrf_k = 60.
    """
    inputs: Inputs = {"weight": lane.weight, "rrf_k": float(lane.rrf_k), "rank": lane.ranks}
    return Worked("weight / (rrf_k + rank)", lane.weight / (float(lane.rrf_k) + lane.ranks), inputs)


def _weighted_sum(lane: Lane) -> Worked:
    """Sum of the lanes' own scores. The lane with the largest numbers decides.

    Source: Fox and Shaw, "Combination of Multiple Searches", TREC-2, 1994 (CombSUM).
    """
    return Worked("weight · score", lane.weight * lane.scores, {"weight": lane.weight, "score": lane.scores})


def _min_max(lane: Lane) -> Worked:
    """Sum of scores that are scaled to 0–1 in each lane. If all scores of a lane are equal, they count as 1.

    Source: Lee, "Analyses of Multiple Evidence Combination", SIGIR 1997.
    """
    weight, scores = lane.weight, lane.scores
    low, high = float(scores.min()), float(scores.max())
    if high <= low:
        return Worked("weight · 1", np.full(len(scores), weight), {"weight": weight})
    inputs: Inputs = {"weight": weight, "score": scores, "min": low, "max": high}
    return Worked("weight · ((score − min) / (max − min))", weight * ((scores - low) / (high - low)), inputs)


def _z_score(lane: Lane) -> Worked:
    """Sum of standard scores, shifted by 2 in each lane.

    Hits that a lane did not return get 0. The shift places them two standard deviations below the lane's mean.

    Source: Montague and Aslam, "Relevance Score Normalization for Metasearch", CIKM 2001 (2MUV).
    """
    weight, scores = lane.weight, lane.scores
    mean, deviation = statistics.fmean(scores.tolist()), statistics.pstdev(scores.tolist())
    if deviation <= 0.0:
        return Worked("weight · 2", np.full(len(scores), weight * 2.0), {"weight": weight})
    inputs: Inputs = {"weight": weight, "score": scores, "mean": mean, "deviation": deviation}
    values = weight * (2.0 + (scores - mean) / deviation)
    return Worked("weight · (2 + (score − mean) / deviation)", values, inputs)


def _lexical_ppr(lane: Lane) -> Worked:
    """The lexical rank with personalised PageRank: 0.6 / (rank + 1) + 0.4 · PPR, with ranks from 0.

    The lexical lane is the first lane, and its hits are where the walks of PageRank begin. Hits that it did not return
    are never shown. Other lanes add nothing.

    Source: CKB (github.com/SimplyLiz/CodeMCP), its search ranking.
    """
    if not lane.first:
        return Worked("0", np.zeros(len(lane.ranking.hits)), {})
    inputs: Inputs = {"weight": lane.weight, "rank": lane.ranks, "PPR": lane.priors}
    values = lane.weight * (0.6 / lane.ranks + 0.4 * lane.priors)
    return Worked("weight · (0.6 / rank + 0.4 · PPR)", values, inputs)


def _rrf_pagerank(lane: Lane) -> Worked:
    """Reciprocal rank fusion, in which a factor multiplies each share. At most three chunks of a file are shown.

    Source: sverklo (github.com/sverklo/sverklo), its hybrid search.
    """
    prior = lane.priors
    inputs: Inputs = {"PageRank": prior, "weight": lane.weight, "rrf_k": float(lane.rrf_k), "rank": lane.ranks}
    values = (1.0 + 0.1 * prior) * lane.weight / (float(lane.rrf_k) + lane.ranks)
    return Worked("(1 + 0.1 · PageRank) · weight / (rrf_k + rank)", values, inputs)


class Fusion(NamedTuple):
    """A method of fusion, with its formula in words. `per_file` limits the hits from one file."""

    name: str
    shares: Callable[[Lane], Worked]
    formula: str
    per_file: int | None = None
    of_first: bool = False  # only hits of the first lane are shown

    def fuse(self, rankings: Sequence[Ranking], weights: Weights, rrf_k: int, prior: Prior) -> Fused:
        """Return the fused ranking, in which a score is the sum of the shares of its lanes.

        Hits with equal scores are ordered by their best rank in any lane, then by the position of that lane in the
        order of lanes: the known lanes in their fixed order, then the others in the given order. Rows are used if all
        hits are columns.
        """
        places: dict[str, int] = {lane: place for place, lane in enumerate(LANES)}
        every = sorted(rankings, key=lambda ranking: places.get(ranking.lane, len(LANES)))
        ordered = [
            Lane(ranking, float(weights.get(ranking.lane, 1.0)), rrf_k, prior, ranking is every[0])
            for ranking in every
            if ranking.hits
        ]
        columns = [lane.ranking.hits for lane in ordered if isinstance(lane.ranking.hits, HitColumns)]
        by_row = bool(columns) and len(columns) == len(ordered)
        if by_row:
            ids, rows = columns[0].chunk_ids, [hits.rows for hits in columns]
        else:
            first: dict[str, int] = {}
            rows = [np.array([first.setdefault(hit[0], len(first)) for hit in lane.ranking.hits]) for lane in ordered]
            ids = list(first)
        distinct, number = np.unique(np.concatenate([np.zeros(0, np.int64), *rows]), return_inverse=True)
        given = np.zeros((len(ordered), len(distinct)))
        best = np.full(len(distinct), np.iinfo(np.int64).max)
        shares, end = [], 0
        for place, lane in enumerate(ordered):
            values, size = self.shares(lane).values, len(lane.ranking.hits)
            at, end = number[end : end + size], end + size
            given[place, at] = values
            best[at] = np.minimum(best[at], np.arange(1, size + 1) * len(ordered) + place)  # rank and lane
            shares.append(LaneShares(lane.ranking.lane, lane.weight, lane.scores, values, at))
        scores = totals(list(given), len(distinct))
        order = np.lexsort((best, -scores))
        if self.of_first:
            kept = {hit.chunk_id for hit in every[0].hits} if every else set()
            order = order[[ids[row] in kept for row in distinct[order].tolist()]]
        position = np.full(len(distinct), -1)
        position[order] = np.arange(len(order))
        moved = [replace(share, positions=position[share.positions]) for share in shares]
        chunk_ids = [ids[row] for row in distinct[order].tolist()]
        return Fused(chunk_ids, scores[order], moved, distinct[order] if by_row else None)


FUSIONS: Final[Mapping[str, Fusion]] = MappingProxyType(
    {
        fusion.name: fusion
        for fusion in (
            Fusion("rrf", _rrf, "Σ weight / (rrf_k + rank)"),
            Fusion("weighted-sum", _weighted_sum, "Σ weight · score"),
            Fusion("min-max", _min_max, "Σ weight · (score − min) / (max − min)"),
            Fusion("z-score", _z_score, "Σ weight · (2 + (score − mean) / deviation)"),
            Fusion("lexical-ppr", _lexical_ppr, "0.6 / rank + 0.4 · PPR, over lexical hits", of_first=True),
            Fusion("rrf-pagerank", _rrf_pagerank, "Σ weight / (rrf_k + rank) · (1 + 0.1 · PageRank)", per_file=3),
        )
    }
)
"""Every fusion by name."""


def rrf(rankings: Sequence[Ranking], weights: Weights = _EQUAL, rrf_k: int = settings.RRF_K) -> Fused:
    """Fuse by reciprocal rank fusion: score = Σ over lanes of weight / (rrf_k + rank), with ranks from 1."""
    return FUSIONS["rrf"].fuse(rankings, weights, rrf_k, _NO_PRIOR)


def fusion_of(chosen: str | TermsOfLane) -> Fusion:
    """Return the fusion with the given name. For a function, return a fusion that calls it and has its name.

    Raises QuestionError for an unknown name, and later if the function does not return a finite number for each hit.
    """
    if isinstance(chosen, str):
        if chosen not in FUSIONS:
            known = ", ".join(FUSIONS)
            raise QuestionError(f"unknown fusion {chosen!r:.80}; known: {known}, or give a function")
        return FUSIONS[chosen]
    if not callable(chosen):
        raise QuestionError(f"fusion must be a name or a function of a ranking and its weight, not {chosen!r:.80}")
    name = str(getattr(chosen, "__name__", type(chosen).__name__))

    def shares(lane: Lane) -> Worked:
        ranking = lane.ranking
        values = [float(value) for value in chosen(ranking, lane.weight)]
        if len(values) != len(ranking.hits) or not all(map(math.isfinite, values)):
            raise QuestionError(
                f"the fusion {name} must give one finite number for each of the {len(ranking.hits)} hits of "
                f"{ranking.lane}, not {len(values)}: {values[:3]!r}"
            )
        inputs: Inputs = {"weight": lane.weight, "rank": lane.ranks, "score": lane.scores}
        return Worked(f"{name}(ranking, weight)", np.array(values, np.float64), inputs)

    return Fusion(name, shares, f"Σ {name}(ranking, weight)")
