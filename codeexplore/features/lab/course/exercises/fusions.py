"""Exercises of notebooks 5 and 8: fusions by hand; ablation, tuning on one half, testing on the other, a sentence."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping

from codeexplore.features.lab.course.exercises.exercise import OTHER, Conclusion, Exercise, Mistakes, Names, Number
from codeexplore.features.lab.course.material import TUNED, WEIGHTS, Material
from codeexplore.features.lab.evaluation import compare
from codeexplore.types.settings import RRF_K

_OUTLIER = 10.0
"""Factor by which the best score of BM25 is multiplied in exercise 5.5."""


def _ranks(m: Material) -> dict[str, dict[str, int]]:
    """Return lane → name → rank from 1."""
    return {lane: {name: rank for rank, (name, _) in enumerate(hits, 1)} for lane, hits in m.lanes.items()}


def _fused(m: Material, term: Callable[[int], float]) -> dict[str, float]:
    fused: dict[str, float] = {}
    for ranks in _ranks(m).values():
        for name, rank in ranks.items():
            fused[name] = fused.get(name, 0.0) + term(rank)
    return fused


def _rrf(m: Material) -> dict[str, float]:
    return _fused(m, lambda rank: 1 / (RRF_K + rank))


def _rrf_mistakes(m: Material) -> Mistakes:
    ranks = [ranks[m.hit] for ranks in _ranks(m).values()]
    scores = [dict(hits)[m.hit] for hits in m.lanes.values()]
    yield sum(1 / (RRF_K + rank - 1) for rank in ranks), "Your ranks count from 0. The first hit has rank 1."
    yield sum(1 / (RRF_K + score) for score in scores), "You put scores where ranks belong."
    yield sum(1 / rank for rank in ranks), "The constant rrf_k is missing below the line."
    yield from ((1 / (RRF_K + rank), "That is the share of one lane: add the other.") for rank in ranks)
    yield 1 / (RRF_K + sum(ranks)), "Each lane has a fraction of its own; then they are added."
    yield sum(1 / (RRF_K + rank) for rank in ranks) / len(ranks), "That is the mean. RRF adds the shares."
    yield sum(1 / (RRF_K * rank) for rank in ranks), "rrf_k is added to the rank, not multiplied by it."
    yield OTHER, "Find the rank of lab.hit in each lane, from 1. Each lane adds 1 / (60 + rank)."


def _first(values: Mapping[str, float], count: int = 3, *, descending: bool = True) -> list[str]:
    sign = -1 if descending else 1
    return sorted(values, key=lambda name: (sign * values[name], name))[:count]


def _order_mistakes(m: Material) -> Mistakes:
    by_score: dict[str, float] = {}
    for hits in m.lanes.values():
        for name, score in hits:
            by_score[name] = by_score.get(name, 0.0) + score
    borda = {name: sum(float(lane.get(name, len(lane) + 1)) for lane in _ranks(m).values()) for name in _rrf(m)}
    bm25, embedding = ([name for name, _ in hits[:3]] for hits in m.lanes.values())
    yield bm25, "That is the order of BM25 alone."
    yield embedding, "That is the order of the embedding lane alone."
    yield _first(by_score), "You added the scores. BM25's numbers are larger, so it decides."
    yield _first(_fused(m, lambda rank: 1 / rank)), "That is with rrf_k = 0: the first place of a lane weighs too much."
    hint = "You added ranks. A hit that a lane does not list then costs nothing."
    yield _first(_fused(m, float), descending=False), hint
    yield _first(borda, descending=False), "You added ranks. RRF adds 1 / (60 + rank)."
    yield _first(_rrf(m), descending=False), "That is the lowest first. A larger sum is better."
    yield _first(_rrf(m))[::-1], "That is the lowest first. A larger sum is better."
    yield _first(_rrf(m), len(_rrf(m))), "Give the first three."
    yield OTHER, "Sum the shares in a dict over both lanes, sort from the largest; equal sums by name."


def _scores(m: Material) -> list[float]:
    return [score for _, score in m.lanes["bm25"]]


def _own(m: Material) -> float:
    return dict(m.lanes["bm25"])[m.hit]


def _min_max(score: float, scores: list[float]) -> float:
    return (score - min(scores)) / (max(scores) - min(scores))


def _min_max_mistakes(m: Material) -> Mistakes:
    scores, own = _scores(m), _own(m)
    other = [score for _, score in m.lanes["embedding"]]
    yield own / max(scores), "Divided by the largest score, the smallest is not 0: subtract the minimum first."
    yield (own - min(scores)) / max(scores), "Below the line stands the range, largest minus smallest."
    yield 1 - _min_max(own, scores), "Turned round: the largest score must become 1."
    yield (own - statistics.fmean(scores)) / (max(scores) - min(scores)), "Subtract the minimum, not the mean."
    yield _min_max(dict(m.lanes["embedding"])[m.hit], other), "That is the score in the embedding lane."
    yield own / sum(scores), "That is the share of the sum of all scores."
    yield own, "That is the score as it is."
    yield OTHER, "Take the ten BM25 scores: smallest becomes 0, largest 1."


def _z(m: Material) -> float:
    scores = _scores(m)
    return (_own(m) - statistics.fmean(scores)) / statistics.pstdev(scores)


def _z_mistakes(m: Material) -> Mistakes:
    scores, own = _scores(m), _own(m)
    mean = statistics.fmean(scores)
    hint = "You divided the squares by n − 1. Here the ten scores are all there are: divide by n (statistics.pstdev)."
    yield (own - mean) / statistics.stdev(scores), hint
    yield (own - mean) / statistics.pvariance(scores), "That is divided by the variance. Take its square root."
    yield own - mean, "That is the distance from the mean: divide it by the standard deviation."
    yield (own - min(scores)) / statistics.pstdev(scores), "Subtract the mean, not the minimum."
    yield (own - statistics.median(scores)) / statistics.pstdev(scores), "Subtract the mean, not the median."
    yield 2 + _z(m), "That has the shift by 2 of the fusion in it. The standard score itself is asked."
    yield _min_max(own, scores), "That is the min-max form."
    yield OTHER, "Mean and standard deviation of the ten BM25 scores; then (score − mean) / deviation."


def _outlier(m: Material) -> list[float]:
    scores = _scores(m)
    return [scores[0] * _OUTLIER, *scores[1:]]


def _outlier_mistakes(m: Material) -> Mistakes:
    scores, own = _scores(m), _own(m)
    yield _min_max(own, scores), "That is the value without the outlier: is the first score changed?"
    hint = "You multiplied all scores. Only the first one is an outlier."
    yield _min_max(own * _OUTLIER, [score * _OUTLIER for score in scores]), hint
    yield 1.0, "1 is the outlier itself. The value of lab.hit is asked."
    yield own / max(_outlier(m)), "Subtract the minimum first."
    yield (own - min(scores)) / max(_outlier(m)), "Below the line stands the range, largest minus smallest."
    yield 1 - _min_max(own, _outlier(m)), "Turned round: the largest score must become 1."
    yield OTHER, "Copy the list of scores, multiply its first by 10, and repeat 5.3."


FUSIONS = (
    Exercise("5.1", "reciprocal rank fusion of one hit", Number(), lambda m: _rrf(m)[m.hit], _rrf_mistakes),
    Exercise("5.2", "the first three by RRF", Names(), lambda m: _first(_rrf(m)), _order_mistakes),
    Exercise("5.3", "min-max score", Number(), lambda m: _min_max(_own(m), _scores(m)), _min_max_mistakes),
    Exercise("5.4", "standard score", Number(), _z, _z_mistakes),
    Exercise("5.5", "min-max beside an outlier", Number(), lambda m: _min_max(_own(m), _outlier(m)), _outlier_mistakes),
)


# --------------------------------------------------------------------------- notebook 8


_ABLATED = "bm25 signals=off"
_NO_WEIGHT = "You compared with the setting without weights=. Write weights=embedding:1."


def weighted(weight: float) -> str:
    """Return the tuned setting with a weight of the embedding lane, in the text form of a setting."""
    return f"{TUNED} weights=embedding:{weight:g}"


def _gain(m: Material, half: str) -> float:
    """Return by how much the embedding lane raises the MRR beside BM25."""
    return m.mrr(TUNED, half) - m.mrr(_ABLATED, half)


def _gain_mistakes(m: Material) -> Mistakes:
    with_both, alone = m.evaluation(TUNED, "development"), m.evaluation(_ABLATED, "development")
    with_signals = m.mrr("bm25+embedding", "development") - m.mrr("bm25", "development")
    yield with_signals, "You left out signals=off in both settings."
    yield -_gain(m, "development"), "The sign: with the lane minus without it."
    yield _gain(m, "test"), "That is the test half. Keep it for the end."
    yield _gain(m, "all"), "That is over all questions. The test half must stay unseen."
    yield with_both.mean("mrr"), "That is the value with both lanes. Subtract the one without the lane."
    yield alone.mean("mrr"), "That is the value without the lane."
    yield with_both.mean("hit_at_1") - alone.mean("hit_at_1"), "That is hit@1. The MRR is asked."
    yield with_both.mean("mrr") / alone.mean("mrr"), "That is the ratio. The difference is asked."
    hint = "The default has signals and the graph lane too: then several things differ at once."
    yield m.mrr("default", "development") - alone.mean("mrr"), hint
    hint = "signals=off stands in both settings. Evaluate both on lab.development, and subtract their means of mrr."
    yield OTHER, hint


def best_weight(m: Material, half: str = "development") -> float:
    """Return the weight with the highest MRR over a half; the smallest of equal ones."""
    return max(WEIGHTS, key=lambda weight: (m.mrr(weighted(weight), half), -weight))


def _weight_mistakes(m: Material) -> Mistakes:
    found = {weight: m.mrr(weighted(weight), "development") for weight in WEIGHTS}
    best, lowest = best_weight(m), min(found, key=lambda weight: found[weight])
    equal = [weight for weight in WEIGHTS if weight != best and found[weight] == found[best]]
    yield from ((weight, "Several weights are equally good: take the smallest.") for weight in equal)
    yield lowest, "That has the lowest MRR."
    yield max(found.values()), "That is the MRR. The weight that gives it is asked."
    yield 1.0, "That is the weight before tuning."
    # No hint says which weight is best on the test half: that is predicted and measured after this exercise.
    told = {best, *equal, lowest, max(found.values()), 1.0}
    hint = "Another weight has a higher MRR on the development half. Did you look at other questions too?"
    yield from ((weight, hint) for weight in WEIGHTS if weight not in told)
    yield OTHER, "Evaluate each weight of lab.weights on lab.development, and take the one with the highest MRR."


def _tuned(m: Material, half: str = "test") -> float:
    return m.mrr(weighted(best_weight(m)), half) - m.mrr(weighted(1.0), half)


def _tuned_mistakes(m: Material) -> Mistakes:
    cheated = m.mrr(weighted(best_weight(m, "test")), "test") - m.mrr(weighted(1.0), "test")
    planned = m.mrr(weighted(best_weight(m)), "test") - m.mrr(TUNED, "test")
    yield planned, _NO_WEIGHT
    yield _tuned(m, "development"), "That is the development half, on which the weight was chosen."
    yield _tuned(m, "all"), "That is over all questions: half of them chose the weight."
    yield -_tuned(m), "The sign: with your weight minus with weight 1."
    yield cheated, "You used the weight that is best on the test half."
    yield m.mrr(weighted(best_weight(m)), "test"), "That is the MRR itself. Subtract the one before tuning."
    hint = "That is the gain over BM25 alone. Compare with weight 1."
    yield m.mrr(weighted(best_weight(m)), "test") - m.mrr(_ABLATED, "test"), hint
    yield OTHER, "Evaluate weights=embedding:1 and your weight on lab.test, and subtract."


def _chance(m: Material, half: str = "test", before: str = weighted(1.0)) -> float:
    found = compare(m.evaluation(before, half), m.evaluation(weighted(best_weight(m)), half))
    return next(each.chance.p_value for each in found.differences if each.measure.key == "mrr")


def _chance_mistakes(m: Material) -> Mistakes:
    found = compare(m.evaluation(weighted(1.0), "test"), m.evaluation(weighted(best_weight(m)), "test"))
    others = {each.measure.key: each.chance.p_value for each in found.differences if each.measure.key != "mrr"}
    hint = (
        "That is the p-value of the development half, where it means nothing: the weight was chosen to make the "
        "difference large."
    )
    yield _chance(m, "development"), hint
    yield _chance(m, "all"), "That is over all questions."
    yield _chance(m, before=TUNED), _NO_WEIGHT
    yield _tuned(m), "That is the difference. Its p-value is asked."
    yield abs(_tuned(m)), "That is the size of the difference. Its p-value is asked."
    yield 1 - _chance(m), "That is 1 − p."
    yield from ((p, f"That is the p-value of {key}, not of the MRR.") for (key, p) in others.items())
    yield OTHER, "compare(before, after) prints the p-value of every measure; its data are in .differences."


def _sentence(m: Material) -> dict[str, float]:
    return {"n": len(m.test), "difference": _tuned(m), "p": _chance(m)}


def _sentence_mistakes(_: Material) -> Mistakes:
    yield OTHER, "It needs the number of test questions, the difference of 8.3 and the p-value of 8.4."


EXPERIMENTS = (
    Exercise("8.1", "ablation on the development half", Number(3), lambda m: _gain(m, "development"), _gain_mistakes),
    Exercise("8.2", "weight tuned on the development half", Number(), best_weight, _weight_mistakes),
    Exercise("8.3", "difference on the test half", Number(3), _tuned, _tuned_mistakes),
    Exercise("8.4", "p-value on the test half", Number(), _chance, _chance_mistakes),
    Exercise("8.5", "one sentence of conclusion", Conclusion(), _sentence, _sentence_mistakes),
)
