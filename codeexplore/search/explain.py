"""Explanation of a hit's rank: every number of its score.

The numbers of each level add up to a number of the level above.

`derive` asks each lane again for the parts of its score; a search computes none of them. ``score == sum(lane.value for
lane in lanes) + sum(a.value for a in adjustments)`` holds exactly. A lane's own score is the sum of its parts plus
`rounding`. The parts are terms for BM25, word pairs for embeddings, and shares of seeds for the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from codeexplore.search.lanes.interface import ExplainsText, ExplainsWalk, KnowsWords
from codeexplore.types import (
    LANES,
    Adjustment,
    CallPath,
    ChunkLength,
    Contribution,
    FusedHit,
    QueryPlan,
    Ranking,
    Reason,
    SearchResult,
    Seed,
    SeedShare,
    TermScore,
    WordPair,
)

if TYPE_CHECKING:
    from codeexplore.index.catalog import Catalog
    from codeexplore.search.ranking.fusion import Lane


class Working(NamedTuple):
    """A formula in words, and its inputs by name. The formula with these inputs gives a lane's share exactly."""

    formula: str
    inputs: tuple[tuple[str, float], ...]


def working(fusion: str, share: Contribution, lane: Lane) -> Working:
    """Return the formula and the inputs that give `share`, one lane's contribution to a hit.

    `fusion` is a name in `fusion.FUSIONS`, or the name of the function that was given instead.
    """
    from codeexplore.search.ranking.fusion import FUSIONS

    if fusion not in FUSIONS:  # a function of the user's: only it knows its formula
        inputs = (("weight", share.weight), ("rank", float(share.rank)), ("score", share.score))
        return Working(f"{fusion}(ranking, weight)", inputs)
    worked, place = FUSIONS[fusion].shares(lane), share.rank - 1
    given = worked.inputs.items()
    return Working(
        worked.formula, tuple((name, each if isinstance(each, float) else float(each[place])) for name, each in given)
    )


@dataclass(frozen=True, slots=True)
class LaneDerivation:
    """One lane's share of a hit's score, and the parts of the lane's own score.

    Exactly one of `terms`, `pairs` and `seeds` is not empty, depending on the lane.
    """

    lane: str
    rank: int
    score: float  # the lane's own
    weight: float
    value: float  # the share of the fused score
    working: Working  # from rank and score to the share
    chunk_id: str  # the chunk that the lane scored: a long symbol's lanes may have found different parts of it
    terms: tuple[TermScore, ...] = ()
    pairs: tuple[WordPair, ...] = ()
    seeds: tuple[SeedShare, ...] = ()
    path: CallPath | None = None  # from a seed to the symbol
    rounding: float = 0.0  # score − sum of the parts; below 1e-6
    length: ChunkLength | None = None  # of a lane with terms: the other numbers of its formula

    @property
    def parts(self) -> tuple[float, ...]:
        """The numbers that add up to `score`, together with `rounding`."""
        values = [term.score for term in self.terms] + [pair.value for pair in self.pairs]
        return (*values, *(share.value for share in self.seeds))


@dataclass(frozen=True, slots=True)
class Derivation:
    """The computation of a hit's rank: the plan for the question, the share of each lane, the change by each signal."""

    chunk_id: str
    rank: int  # in the answer, from 1
    score: float  # fused
    fusion: str
    reasons: tuple[Reason, ...]  # for the choices of the plan
    seeds: tuple[Seed, ...]  # the symbols at which the graph lane started
    lanes: tuple[LaneDerivation, ...]
    adjustments: tuple[Adjustment, ...]  # by each signal, with its reason
    missing: tuple[Reason, ...]  # lanes of the plan that did not return this hit, and the reason


_CLOSE = 1e-6
"""Tolerance of the sum of a lane's parts; the parts of another chunk are accepted only if its score is the same."""


class Engines(NamedTuple):
    catalog: Catalog
    retrievers: Mapping[str, object]  # the engine of each ranking
    asked: Callable[[str, QueryPlan], QueryPlan]  # the plan as a lane got it
    prior: Mapping[str, float]  # chunk id → importance, for the fusion that uses it


def derive(result: SearchResult, hit: FusedHit, engines: Engines) -> Derivation:
    rankings = {ranking.lane: ranking for ranking in result.rankings}
    first = next((lane for lane in (*LANES, *rankings) if lane in rankings), "")
    lanes = tuple(_lane(share, rankings[share.lane], result, hit, first, engines) for share in hit.contributions)
    given = {share.lane for share in hit.contributions}
    missing = tuple(
        Reason(r.lane, f"not among its {len(r.hits)} hits" if r.status == "ok" else f"{r.status}: {r.reason}")
        for r in result.rankings
        if r.lane not in given
    )
    plan = result.plan
    return Derivation(
        hit.chunk_id, hit.rank, hit.score, result.fusion, plan.reasons, plan.seeds, lanes, hit.adjustments, missing
    )


def _lane(
    share: Contribution, ranking: Ranking, result: SearchResult, hit: FusedHit, first: str, engines: Engines
) -> LaneDerivation:
    from codeexplore.search.ranking.fusion import Lane

    lane = Lane(ranking, share.weight, result.rrf_k, engines.prior, ranking.lane == first)
    how = working(result.fusion, share, lane)
    retriever = engines.retrievers.get(share.lane)
    asked = engines.asked(share.lane, result.plan)
    found = LaneDerivation(share.lane, share.rank, share.score, share.weight, share.value, how, hit.chunk_id)
    for chunk_id in _parts(hit.chunk_id, engines.catalog):
        tried = _of_chunk(found, retriever, asked, chunk_id)
        if abs(tried.rounding) <= _CLOSE:
            return tried
    return _of_chunk(found, retriever, asked, hit.chunk_id)


def _of_chunk(lane: LaneDerivation, retriever: object, asked: QueryPlan, chunk_id: str) -> LaneDerivation:
    terms: list[TermScore] = []
    pairs: list[WordPair] = []
    seeds: tuple[SeedShare, ...] = ()
    path: CallPath | None = None
    if isinstance(retriever, ExplainsWalk):
        path, seeds = retriever.way(asked, chunk_id), retriever.shares(asked, chunk_id)
    elif isinstance(retriever, ExplainsText):
        for part in retriever.explain(asked, chunk_id):
            if isinstance(part, TermScore):
                terms.append(part)
            else:
                pairs.append(part)
    length = retriever.length_of(chunk_id) if isinstance(retriever, KnowsWords) else None
    told = replace(
        lane, chunk_id=chunk_id, terms=tuple(terms), pairs=tuple(pairs), seeds=seeds, path=path, length=length
    )
    return replace(told, rounding=told.score - sum(told.parts)) if told.parts else told


def _parts(chunk_id: str, catalog: Catalog) -> tuple[str, ...]:
    """Return all chunks of the symbol and its overloads, this one first: each may have contributed to the score."""
    chunk = catalog.chunk(chunk_id)
    if chunk.symbol is None:
        return (chunk_id,)
    symbol = catalog.symbol(chunk.symbol)
    parts = (part.id for each in (symbol, *catalog.overloads([symbol])[0]) for part in catalog.chunks_of(each.id))
    return tuple(dict.fromkeys((chunk_id, *parts)))
