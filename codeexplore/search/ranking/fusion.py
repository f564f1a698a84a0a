"""Fusion of the rankings of several lanes: reciprocal rank fusion, and other published methods for comparison.

Every fusion returns the share of each lane in a score, so that a fused score is the sum of its contributions, in the
fixed order of the lanes. `CompensatedSum` adds up the shares of many hits with the arithmetic of Python's `sum`, so
that each sum is exact to the last bit. `Fused` is a fused ranking as columns. A record of a hit is made only when it is
requested, and few of hundreds are.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, overload

import numpy as np

from codeexplore.types import LANES, Adjustment, Contribution, FusedHit, HitColumns, Ranking, settings
from codeexplore.types.errors import QuestionError

if TYPE_CHECKING:
    from numpy.typing import NDArray


SUM_IS_COMPENSATED: Final = sum([0.1] * 10) == 1.0
"""True if `sum` compensates for rounding, as it does since Python 3.12."""


class CompensatedSum:
    """A sum for each of `size` hits, zero at first. The first added value counts as the first argument of `sum`.

    Source: A. Neumaier, Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen, ZAMM 54 (1974), in the
    form that CPython has. Before Python 3.12 it is a plain running total.
    """

    def __init__(self, size: int) -> None:
        self._high, self._lost = np.zeros(size), np.zeros(size)

    def add(self, at: NDArray[np.int64] | slice, values: NDArray[np.float64]) -> None:
        """Add one value to the sum of each hit at the positions `at`, which are all different."""
        before = self._high[at]
        after = before + values
        if SUM_IS_COMPENSATED:
            larger = np.abs(before) >= np.abs(values)
            self._lost[at] += np.where(larger, (before - after) + values, (values - after) + before)
        self._high[at] = after

    def sums(self) -> NDArray[np.float64]:
        return self._high + self._lost


@dataclass(frozen=True, slots=True)
class LaneShares:
    """Shares of one lane: a value for each of its hits, and the positions of these hits in the fused order."""

    lane: str
    weight: float
    scores: NDArray[np.float64]  # of each hit, the lane's own
    values: Sequence[float] | NDArray[np.float64]  # of each hit
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

    def __iter__(self) -> Iterator[FusedHit]:
        return (self[index] for index in range(len(self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]


Weights: TypeAlias = Mapping[str, float]
"""Lane → weight; a lane that is missing weighs 1."""

Prior: TypeAlias = Mapping[str, float]
"""Chunk id → importance, independent of the question, 0–1 (PageRank divided by its maximum); 0 when missing."""

Fuse: TypeAlias = Callable[[Sequence[Ranking], Weights, int, Prior], Fused]

_Terms: TypeAlias = "Callable[[Ranking, float], Sequence[float] | NDArray[np.float64]]"
"""A ranking and its lane's weight → the value of each of its hits, in order."""

TermsOfLane: TypeAlias = Callable[[Ranking, float], Sequence[float]]
"""A fusion of the user's: one lane's ranking and its weight → a number for each of its hits, in order."""

_NO_PRIOR: Final[Prior] = MappingProxyType({})
_EQUAL: Final[Weights] = MappingProxyType({})


def rrf(
    rankings: Sequence[Ranking],
    weights: Weights = _EQUAL,
    rrf_k: int = settings.RRF_K,
    prior: Prior = _NO_PRIOR,  # noqa: ARG001 — all fusions have the same arguments
) -> Fused:
    """Fuse by reciprocal rank fusion: score = Σ over lanes of weight / (rrf_k + rank), with ranks from 1.

    Hits with equal scores are ordered by their best rank in any lane, then by the position of that lane in the order of
    lanes.

    Source: Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning
    Methods", SIGIR 2009; there without weights and with rrf_k = 60.
    """

    def terms(ranking: Ranking, weight: float) -> NDArray[np.float64]:
        return weight / (float(rrf_k) + np.arange(1.0, len(ranking.hits) + 1.0))

    return _merge(rankings, weights, terms)


def weighted_sum(rankings: Sequence[Ranking], weights: Weights, *_: object) -> Fused:
    """Fuse by the sum of the lanes' own scores: Σ weight · score. The lane with the largest numbers decides.

    Source: Fox and Shaw, "Combination of Multiple Searches", TREC-2, 1994 (CombSUM).
    """
    return _merge(rankings, weights, lambda ranking, weight: [weight * hit.score for hit in ranking.hits])


def min_max(rankings: Sequence[Ranking], weights: Weights, *_: object) -> Fused:
    """Fuse by the sum of scores that are scaled to 0–1 in each lane: Σ weight · (score − min) / (max − min).

    If all scores of a lane are equal, they count as 1.

    Source: Lee, "Analyses of Multiple Evidence Combination", SIGIR 1997.
    """

    def terms(ranking: Ranking, weight: float) -> list[float]:
        scores = [hit.score for hit in ranking.hits]
        low, high = min(scores), max(scores)
        return [weight * ((score - low) / (high - low) if high > low else 1.0) for score in scores]

    return _merge(rankings, weights, terms)


def z_score(rankings: Sequence[Ranking], weights: Weights, *_: object) -> Fused:
    """Fuse by the sum of standard scores, shifted by 2 in each lane: Σ weight · (2 + (score − mean) / deviation).

    Hits that a lane did not return get 0. The shift places them two standard deviations below the lane's mean.

    Source: Montague and Aslam, "Relevance Score Normalization for Metasearch", CIKM 2001 (2MUV).
    """

    def terms(ranking: Ranking, weight: float) -> list[float]:
        scores = [hit.score for hit in ranking.hits]
        mean, deviation = statistics.fmean(scores), statistics.pstdev(scores)
        return [weight * (2.0 + ((score - mean) / deviation if deviation > 0.0 else 0.0)) for score in scores]

    return _merge(rankings, weights, terms)


def lexical_ppr(rankings: Sequence[Ranking], weights: Weights, *_: object) -> Fused:
    """Fuse the lexical rank with personalised PageRank: 0.6 / (rank + 1) + 0.4 · PPR, with ranks from 0.

    The lexical lane is the first lane. The score of the graph lane, divided by its maximum, is used as personalised
    PageRank. Hits that the lexical lane did not return are never shown. Other lanes add nothing.

    Source: CKB (github.com/SimplyLiz/CodeMCP), its search ranking.
    """
    ordered = _in_lane_order(rankings)
    lexical = {hit.chunk_id for hit in ordered[0].hits} if ordered else set()
    first = ordered[0].lane if ordered else ""

    def terms(ranking: Ranking, weight: float) -> list[float]:
        if ranking.lane == first:
            return [weight * 0.6 / hit.rank for hit in ranking.hits]
        top = max(hit.score for hit in ranking.hits)
        share = 0.4 * weight / top if ranking.lane == "graph" and top > 0.0 else 0.0
        return [share * hit.score for hit in ranking.hits]

    return _merge(ordered, weights, terms, only=lexical)


def rrf_pagerank(rankings: Sequence[Ranking], weights: Weights, rrf_k: int, prior: Prior) -> Fused:
    """Fuse by RRF × (1 + 0.1 · PageRank). The term of each lane is multiplied by the factor.

    At most three chunks of a file are shown.

    Source: sverklo (github.com/sverklo/sverklo), its hybrid search.
    """

    def terms(ranking: Ranking, weight: float) -> list[float]:
        return [(1.0 + 0.1 * prior.get(hit.chunk_id, 0.0)) * weight / (rrf_k + hit.rank) for hit in ranking.hits]

    return _merge(rankings, weights, terms)


class Fusion(NamedTuple):
    """A method of fusion, with its formula in words. `per_file` limits the hits from one file."""

    name: str
    fuse: Fuse
    formula: str
    per_file: int | None = None


FUSIONS: Final[Mapping[str, Fusion]] = MappingProxyType(
    {
        fusion.name: fusion
        for fusion in (
            Fusion("rrf", rrf, "Σ weight / (rrf_k + rank)"),
            Fusion("weighted-sum", weighted_sum, "Σ weight · score"),
            Fusion("min-max", min_max, "Σ weight · (score − min) / (max − min)"),
            Fusion("z-score", z_score, "Σ weight · (2 + (score − mean) / deviation)"),
            Fusion("lexical-ppr", lexical_ppr, "0.6 / rank + 0.4 · PPR, over lexical hits"),
            Fusion("rrf-pagerank", rrf_pagerank, "Σ weight / (rrf_k + rank) · (1 + 0.1 · PageRank)", per_file=3),
        )
    }
)
"""Every fusion by name."""


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

    def terms(ranking: Ranking, weight: float) -> list[float]:
        values = [float(value) for value in chosen(ranking, weight)]
        if len(values) != len(ranking.hits) or not all(map(math.isfinite, values)):
            raise QuestionError(
                f"the fusion {name} must give one finite number for each of the {len(ranking.hits)} hits of "
                f"{ranking.lane}, not {len(values)}: {values[:3]!r}"
            )
        return values

    return Fusion(name, lambda rankings, weights, *_: _merge(rankings, weights, terms), f"Σ {name}(ranking, weight)")


# --------------------------------------------------------------------------- shared by all fusions


def _in_lane_order(rankings: Sequence[Ranking]) -> list[Ranking]:
    """Return the rankings of the known lanes in their fixed order, then the other rankings in the given order."""
    places: dict[str, int] = {lane: place for place, lane in enumerate(LANES)}
    return sorted(rankings, key=lambda ranking: places.get(ranking.lane, len(LANES)))


def _merge(rankings: Sequence[Ranking], weights: Weights, terms: _Terms, only: set[str] | None = None) -> Fused:
    """Return the fused ranking, with the hits in `only` if it is given. Rows are used if all hits are columns."""
    ordered = [ranking for ranking in _in_lane_order(rankings) if ranking.hits]
    columns = [ranking.hits for ranking in ordered if isinstance(ranking.hits, HitColumns)]
    by_row = bool(columns) and len(columns) == len(ordered)
    if not by_row:
        number_of: dict[str, int] = {}
        numbered = [[number_of.setdefault(hit.chunk_id, len(number_of)) for hit in each.hits] for each in ordered]
        scored = [np.array([hit.score for hit in ranking.hits], np.float64) for ranking in ordered]
        columns = [
            HitColumns(np.array(rows), scores, list(number_of)) for rows, scores in zip(numbered, scored, strict=True)
        ]
    ids, rows = columns[0].chunk_ids if columns else (), [hits.rows for hits in columns]
    distinct, number = np.unique(np.concatenate([np.zeros(0, np.int64), *rows]), return_inverse=True)
    total, best = CompensatedSum(len(distinct)), np.full(len(distinct), np.iinfo(np.int64).max)
    shares, end = [], 0
    for lane, ranking in enumerate(ordered):
        weight = weights.get(ranking.lane, 1.0)
        values = terms(ranking, weight)
        at, end = number[end : end + len(ranking.hits)], end + len(ranking.hits)
        total.add(at, np.asarray(values, np.float64))
        best[at] = np.minimum(best[at], np.arange(1, len(at) + 1) * len(ordered) + lane)  # rank and lane as one number
        shares.append(LaneShares(ranking.lane, weight, columns[lane].scores, values, at))
    scores = total.sums()
    order = np.lexsort((best, -scores))
    if only is not None:
        order = order[[ids[row] in only for row in distinct[order].tolist()]]
    position = np.full(len(distinct), -1)
    position[order] = np.arange(len(order))
    moved = [replace(share, positions=position[share.positions]) for share in shares]
    chunk_ids = [ids[row] for row in distinct[order].tolist()]
    return Fused(chunk_ids, scores[order], moved, distinct[order] if by_row else None)
