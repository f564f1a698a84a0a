"""Exercises of notebooks 6 and 7: pools, agreement, measures and significance."""

from __future__ import annotations

import itertools
import math
import statistics
from collections import Counter

from codeexplore.features.lab.course.exercises.exercise import OTHER, Count, Exercise, Judgements, Mistakes, Number
from codeexplore.features.lab.course.material import LISTED, POOL_DEPTH, Material
from codeexplore.features.lab.evaluation import cohen_kappa, metrics
from codeexplore.features.lab.evaluation.metrics import randomisation_test


def _pool(m: Material) -> list[str]:
    return sorted(set(itertools.chain.from_iterable(m.tops.values())))


def _pool_mistakes(m: Material) -> Mistakes:
    sets = [set(names) for names in m.tops.values()]
    deeper = {name for lane in m.tops for name, _ in m.ranking(m.question, lane)[:LISTED]}
    yield sum(len(names) for names in sets), "That counts hits that several lanes found more than once."
    yield len(set.intersection(*sets)), "Those are the hits that all lanes found. The pool is the union."
    yield len(sets[0]), "That is one lane alone."
    yield from ((len(set().union(*others)), "One lane is missing.") for others in itertools.combinations(sets, 2))
    yield len(deeper), f"The pool takes the first {POOL_DEPTH} hits of each lane."
    yield len(m.tops), "Those are the lanes."
    yield OTHER, "Put the hits of all lanes in lab.tops into one set."


def _pairs(m: Material) -> list[tuple[int, int]]:
    careful, hasty = m.judges
    return [(grade, hasty[name]) for name, grade in careful.items()]


def _observed(m: Material) -> float:
    return statistics.fmean(a == b for a, b in _pairs(m))


def _expected(m: Material) -> float:
    pairs = _pairs(m)
    left, right = (Counter(pair[side] for pair in pairs) for side in (0, 1))
    return sum(left[grade] * right[grade] for grade in (0, 1)) / len(pairs) ** 2


def _observed_mistakes(m: Material) -> Mistakes:
    pairs = _pairs(m)
    yield 1 - _observed(m), "That is the share of disagreements."
    yield sum(a == b for a, b in pairs), "That is the number of agreements. Divide it by the number of hits."
    yield statistics.fmean(a == b == 1 for a, b in pairs), "Agreeing on 0 is agreement too."
    yield statistics.fmean(a == b == 0 for a, b in pairs), "Agreeing on 1 is agreement too."
    yield statistics.fmean(a for a, _ in pairs), "That is how often one judge says relevant."
    yield _expected(m), "That is the agreement expected by chance."
    yield OTHER, "Count the names with equal grades in both dicts of lab.judges."


def _kappa(m: Material) -> float:
    first, second = zip(*_pairs(m), strict=True)
    return cohen_kappa(first, second)


def _kappa_mistakes(m: Material) -> Mistakes:
    observed, expected, pairs = _observed(m), _expected(m), _pairs(m)
    share = statistics.fmean(grade for pair in pairs for grade in pair)
    pooled = share**2 + (1 - share) ** 2
    left, right = (statistics.fmean(pair[side] for pair in pairs) for side in (0, 1))
    yield observed, "That is the observed agreement. What would two judges reach who guess?"
    yield (observed - left * right) / (1 - left * right), "Expected agreement has two parts: both say 1, or both say 0."
    yield expected, "That is the agreement expected by chance. Kappa compares the observed one with it."
    yield observed - expected, "Divide by what chance leaves to gain, 1 − expected."
    yield (observed - expected) / expected, "Below the line stands 1 − expected."
    yield (observed - 0.5) / 0.5, "Chance is not one half: it depends on how often each judge says relevant."
    hint = "You used one common share for both judges (Scott's pi). Cohen's kappa takes each judge's own."
    yield (observed - pooled) / (1 - pooled), hint
    yield OTHER, "Expected agreement: the product of the shares of 1, plus the product of the shares of 0."


def _deep(m: Material) -> list[str]:
    return [name for name, _ in m.ranking(m.question, "embedding")[:LISTED]]


def _judged(m: Material) -> float:
    return statistics.fmean(name in _pool(m) for name in _deep(m))


def _judged_mistakes(m: Material) -> Mistakes:
    deep, pool = _deep(m), set(_pool(m))
    expected = {name for question in m.questions if question.query == m.question for name in m.expected(question)}
    own = set(m.tops["embedding"])
    yield 1 - _judged(m), "That is the share without a judgement: the holes."
    yield len(pool & set(deep)), "That is the number. Divide it by the hits looked at."
    yield len(pool & set(deep)) / len(pool), "Divide by the ten hits, not by the size of the pool."
    yield len(expected & set(deep)) / len(deep), "That is the share of right hits. Judged as wrong is judged too."
    yield len(own & set(deep)) / len(deep), "Hits that other lanes brought into the pool are judged too."
    yield 0.0, "lab.ranking gives pairs (name, score): compare the names."
    yield 1.0, f"The pool has {POOL_DEPTH} hits of this lane, and the ranking ten."
    yield OTHER, "How many of the first ten hits of the embedding lane are in the pool of 6.1?"


def _grade_mistakes(m: Material) -> Mistakes:
    yield dict.fromkeys(m.tops["bm25"], 1), "Those are the hits of one lane."
    yield dict.fromkeys(m.tops["embedding"], 1), "Those are the hits of one lane."
    yield OTHER, "Every name of the pool gets one grade."


JUDGING = (
    Exercise("6.1", "size of the pool", Count(), lambda m: len(_pool(m)), _pool_mistakes),
    Exercise("6.2", "your judgements", Judgements(), _pool, _grade_mistakes),
    Exercise("6.3", "observed agreement", Number(), _observed, _observed_mistakes),
    Exercise("6.4", "Cohen's kappa", Number(), _kappa, _kappa_mistakes),
    Exercise("6.5", "judged@10", Number(), _judged, _judged_mistakes),
)


# --------------------------------------------------------------------------- notebook 7


def _relevant(m: Material) -> set[str]:
    return {name for name, grade in m.grades.items() if grade == metrics.DEMANDED}


def _found(m: Material, cutoff: int = POOL_DEPTH) -> int:
    return len(_relevant(m) & set(m.ranked[:cutoff]))


def _precision_mistakes(m: Material) -> Mistakes:
    hint = "That is recall: divided by what there is to find. Precision divides by what was looked at."
    yield _found(m) / len(_relevant(m)), hint
    yield _found(m, LISTED) / LISTED, f"That is over ten hits. Look at the first {POOL_DEPTH}."
    yield _found(m), "That is the number of right hits. Divide it."
    yield _found(m) / LISTED, f"Right hits among {POOL_DEPTH}, but divided by ten."
    yield _found(m, LISTED) / POOL_DEPTH, f"Right hits among ten, but divided by {POOL_DEPTH}."
    yield 1 - _found(m) / POOL_DEPTH, "That is the share of wrong hits."
    yield OTHER, "How many of the first five names of lab.ranked have grade 2, divided by five?"


def _recall_mistakes(m: Material) -> Mistakes:
    hint = "That is precision: divided by what was looked at. Recall divides by what there is to find."
    yield _found(m) / POOL_DEPTH, hint
    yield _found(m, LISTED) / len(_relevant(m)), f"That is over ten hits. Look at the first {POOL_DEPTH}."
    yield 1 - _found(m) / len(_relevant(m)), "That is the share that was missed."
    yield _found(m), "That is the number of right hits. Divide it."
    yield _found(m) / (_found(m) or 1), "You divided by what was found. How many are there to find?"
    yield len(_relevant(m)), "That is how many there are to find."
    yield OTHER, "The same count, divided by the number of names with grade 2."


def _mrr(m: Material) -> float:
    return sum(1 / rank for rank in m.first_ranks if rank) / len(m.first_ranks)


def _mrr_mistakes(m: Material) -> Mistakes:
    ranks = m.first_ranks
    found = [rank for rank in ranks if rank is not None]
    reciprocal = [1 / rank for rank in found]
    from_zero = [1 / (rank - 1) for rank in found if rank > 1]
    yield sum(reciprocal) / len(found), "You left out the questions without an answer. They count as 0."
    yield 1 / statistics.fmean(found), "That is 1 over the mean rank. Take the mean of 1/rank."
    yield statistics.fmean(found), "That is the mean rank. Take the mean of 1/rank."
    yield sum(reciprocal), "That is the sum. Divide by the number of questions."
    yield sum(1 / (rank + 1) for rank in found) / len(ranks), "Your ranks are one too high: the first is 1."
    yield sum(from_zero) / len(ranks), "Your ranks count from 0."
    yield sum(rank == 1 for rank in found) / len(ranks), "That counts first places only (hit@1)."
    yield OTHER, "One number for each question: 1/rank, or 0 for None. Then the mean over all questions."


def _dcg(gains: list[float], shift: int = 1) -> float:
    return sum(gain / math.log2(place + shift) for place, gain in enumerate(gains, 1) if place + shift > 1)


def _by_rank(gains: list[float]) -> float:
    return sum(gain / place for place, gain in enumerate(gains, 1))


def _ndcg_mistakes(m: Material) -> Mistakes:
    gains = [float(m.grades.get(name, 0)) for name in m.ranked[:POOL_DEPTH]]
    ideal = sorted(map(float, m.grades.values()), reverse=True)[:POOL_DEPTH]
    own_best = sorted(gains, reverse=True)
    natural = sum(gain / math.log(place + 1) for place, gain in enumerate(gains, 1))
    yield _dcg(gains), "That is DCG. Divide it by the DCG of the best possible order."
    yield _dcg(ideal), "That is the DCG of the best order."
    hint = "Your best order has only what was found. It needs all right symbols of lab.grades."
    yield _dcg(gains) / _dcg(own_best), hint
    yield natural, "That is DCG with the natural logarithm, not divided by the best order yet."
    yield _by_rank(gains) / _by_rank(ideal), "You divide by the rank. DCG divides by log2(rank + 1)."
    yield sum(gains) / sum(ideal), "The ranks do not count in that: divide each grade by log2(rank + 1)."
    yield _dcg(gains, 0) / _dcg(ideal, 0), "log2(rank) is 0 for the first rank: it is log2(rank + 1)."
    yield _dcg(gains, 2) / _dcg(ideal, 2), "Your discount is log2(rank + 2): does the first have rank 1?"
    yield metrics.ndcg(m.ranked, m.grades, LISTED), f"That is over ten hits. Look at the first {POOL_DEPTH}."
    yield OTHER, "Write dcg(grades) first; then divide the one of the ranking by the one of the best order."


def _chances(values: list[float]) -> list[float]:
    """Return the sums of the values with signs assigned in all ways."""
    return [
        sum(s * value for s, value in zip(signs, values, strict=True))
        for signs in itertools.product((1, -1), repeat=len(values))
    ]


def _p(m: Material) -> float:
    return randomisation_test(m.differences).p_value


def _p_mistakes(m: Material) -> Mistakes:
    sums, observed = _chances(m.differences), sum(m.differences)
    slack = 1e-12
    hint = "That is one side. A difference as large in the other direction counts too: compare abs(sum)."
    yield statistics.fmean(total >= abs(observed) - slack for total in sums), hint
    hint = "As large also counts, not only larger: sums of floats need a small tolerance."
    yield statistics.fmean(abs(total) > abs(observed) + slack for total in sums), hint
    hint = "Equal sums were lost by float rounding: compare with >= abs(observed) - 1e-12."
    yield statistics.fmean(abs(total) >= abs(observed) for total in sums), hint
    hint = "That is 1 − p: you counted the smaller ones."
    yield 1 - statistics.fmean(abs(total) >= abs(observed) - slack for total in sums), hint
    hint = "That is the number of assignments. Divide by all of them."
    yield sum(abs(total) >= abs(observed) - slack for total in sums), hint
    yield 1 / len(sums), "That is one assignment of all. How many are at least as far from 0?"
    yield statistics.fmean(m.differences), "That is the mean difference. How likely is one so large by chance?"
    yield statistics.fmean(value > 0 for value in m.differences), "That is the share of wins."
    yield OTHER, "itertools.product((1, -1), repeat=n) gives all signs; sum the signed differences for each."


_Z_BOTH = 1.96 + 0.84
"""Quantiles of the normal distribution, for a two-sided test at 5 % that finds a true difference in 80 % of cases."""

_WORTHWHILE = 0.1
"""Difference of reciprocal ranks that the exercise wants to find."""


def _needed(m: Material) -> int:
    return math.ceil((_Z_BOTH * statistics.stdev(m.differences) / _WORTHWHILE) ** 2)


def _needed_mistakes(m: Material) -> Mistakes:
    deviation = statistics.stdev(m.differences)
    yield _needed(m) - 1, "Round up: with one question less it is not enough."
    hint = "The whole fraction is squared: half the difference needs four times the questions."
    yield math.ceil(_Z_BOTH * deviation / _WORTHWHILE), hint
    hint = "Without the 0.84 you find a true difference in half of all cases only."
    yield math.ceil((1.96 * deviation / _WORTHWHILE) ** 2), hint
    hint = "That has the variance in it. The deviation is its square root."
    yield math.ceil((_Z_BOTH * deviation**2 / _WORTHWHILE) ** 2), hint
    yield math.ceil((_Z_BOTH / _WORTHWHILE) ** 2), "The deviation of the differences is missing."
    hint = "These questions are a sample: divide the squares by n − 1 (statistics.stdev)."
    yield math.ceil((_Z_BOTH * statistics.pstdev(m.differences) / _WORTHWHILE) ** 2), hint
    yield len(m.differences), "Those are the questions you have."
    yield OTHER, "Put the deviation of lab.differences and the difference 0.1 into the formula, square, round up."


MEASURES = (
    Exercise("7.1", "precision at 5", Number(), lambda m: _found(m) / POOL_DEPTH, _precision_mistakes),
    Exercise("7.2", "recall at 5", Number(), lambda m: _found(m) / len(_relevant(m)), _recall_mistakes),
    Exercise("7.3", "mean reciprocal rank", Number(), _mrr, _mrr_mistakes),
    Exercise("7.4", "nDCG at 5", Number(), lambda m: metrics.ndcg(m.ranked, m.grades, POOL_DEPTH), _ndcg_mistakes),
    Exercise("7.5", "p-value of a paired randomisation test", Number(), _p, _p_mistakes),
    Exercise(
        "7.6", "questions needed", Count(fraction="Round up to a whole number (math.ceil)."), _needed, _needed_mistakes
    ),
)
