"""Formula of a fusion, and the numbers in it that give one lane's share of a fused score.

Each formula is written in the order of its computation, from left to right, so that the numbers give the share exactly.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import NamedTuple

from codeexplore.types import Contribution, Ranking


class Working(NamedTuple):
    """A formula in words, and its inputs by name. The formula with these inputs gives `value`."""

    formula: str
    inputs: tuple[tuple[str, float], ...]
    value: float


def working(
    fusion: str, share: Contribution, ranking: Ranking, rrf_k: int, *, prior: float = 0.0, first: str = ""
) -> Working:
    """Return the formula and the inputs that give `share`.

    Parameters
    ----------
    fusion
        A name in `fusion.FUSIONS`, or the name of the function that was given instead.
    share
        One lane's contribution to a hit.
    ranking
        The whole ranking of this lane.
    rrf_k
        The constant of reciprocal rank fusion, in ranks.
    prior
        The importance of the chunk, which does not depend on the question, 0–1.
    first
        The first of the fused lanes, which alone decides the hits of ``lexical-ppr``.
    """
    weight = ("weight", share.weight)
    places = (("rrf_k", float(rrf_k)), ("rank", float(share.rank)))
    if fusion == "rrf":
        return Working("weight / (rrf_k + rank)", (weight, *places), share.value)
    if fusion == "rrf-pagerank":
        return Working(
            "(1 + 0.1 · PageRank) · weight / (rrf_k + rank)", (("PageRank", prior), weight, *places), share.value
        )
    score = ("score", share.score)
    scores = [hit.score for hit in ranking.hits]
    if fusion == "weighted-sum":
        return Working("weight · score", (weight, score), share.value)
    if fusion == "min-max":
        return _min_max(share, scores, (weight, score))
    if fusion == "z-score":
        mean, deviation = statistics.fmean(scores), statistics.pstdev(scores)
        if deviation > 0.0:
            inputs = (weight, score, ("mean", mean), ("deviation", deviation))
            return Working("weight · (2 + (score − mean) / deviation)", inputs, share.value)
        return Working("weight · 2", (weight,), share.value)
    if fusion != "lexical-ppr":  # a function of the user's: only it knows its formula
        return Working(f"{fusion}(ranking, weight)", (weight, places[1], score), share.value)
    if share.lane == first:
        return Working("weight · 0.6 / rank", (weight, places[1]), share.value)
    top = max(scores)
    if ranking.lane == "graph" and top > 0.0:
        return Working("0.4 · weight / max · score", (weight, ("max", top), score), share.value)
    return Working("0", (), share.value)


def _min_max(share: Contribution, scores: Sequence[float], inputs: tuple[tuple[str, float], ...]) -> Working:
    low, high = min(scores), max(scores)
    if high > low:
        scaled = (*inputs, ("min", low), ("max", high))
        return Working("weight · ((score − min) / (max − min))", scaled, share.value)
    return Working("weight · 1", inputs[:1], share.value)
