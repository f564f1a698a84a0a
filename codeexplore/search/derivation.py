"""The records of a hit's derivation: every number behind its rank, each level adding up to the one above.

``score == sum(lane.value for lane in lanes) + sum(a.value for a in adjustments)``, exactly. A lane's own score is the
sum of its parts plus `rounding`: terms for BM25, word pairs for embeddings, seeds' shares for the graph.
"""

from __future__ import annotations

from dataclasses import dataclass

from codeexplore.ranking.working import Working
from codeexplore.types import Adjustment, CallPath, Reason, Seed, SeedShare, TermScore, WordPair


@dataclass(frozen=True, slots=True)
class LaneDerivation:
    """One lane's share of a hit's score, and how the lane came to its own score.

    Exactly one of `terms`, `pairs` and `seeds` says something, according to the lane.
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

    @property
    def parts(self) -> tuple[float, ...]:
        """The numbers that add up, with `rounding`, to `score`."""
        values = [term.score for term in self.terms] + [pair.value for pair in self.pairs]
        return (*values, *(share.value for share in self.seeds))


@dataclass(frozen=True, slots=True)
class Derivation:
    """Where a hit's rank comes from: how the question was read, what each lane gave, what each signal changed."""

    chunk_id: str
    rank: int
    score: float
    fusion: str
    reasons: tuple[Reason, ...]  # of the plan
    seeds: tuple[Seed, ...]
    lanes: tuple[LaneDerivation, ...]
    adjustments: tuple[Adjustment, ...]
    missing: tuple[Reason, ...] = ()  # lanes of the plan that gave this hit nothing, and why
