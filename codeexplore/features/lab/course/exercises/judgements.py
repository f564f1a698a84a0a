"""Exercises of notebooks 6 and 7: pools, agreement, measures and significance."""

from __future__ import annotations

import itertools
import math
import statistics
from collections import Counter

from codeexplore.features.lab.course.exercises.exercise import Count, Exercise, Judgements, Mistake, Number
from codeexplore.features.lab.course.material import LISTED, POOL_DEPTH, Material
from codeexplore.features.lab.evaluation import cohen_kappa, metrics
from codeexplore.features.lab.evaluation.metrics import randomisation_test


def _pool(m: Material) -> list[str]:
    return sorted(set(itertools.chain.from_iterable(m.tops.values())))


def _pool_mistakes(m: Material) -> list[Mistake]:
    sets = [set(names) for names in m.tops.values()]
    deeper = {name for lane in m.tops for name, _ in m.ranking(m.question, lane)[:LISTED]}
    return [
        Mistake(sum(len(names) for names in sets), "That counts hits that several lanes found more than once."),
        Mistake(len(set.intersection(*sets)), "Those are the hits that all lanes found. The pool is the union."),
        Mistake(len(sets[0]), "That is one lane alone."),
        *(Mistake(len(set().union(*others)), "One lane is missing.") for others in itertools.combinations(sets, 2)),
        Mistake(len(deeper), f"The pool takes the first {POOL_DEPTH} hits of each lane."),
        Mistake(len(m.tops), "Those are the lanes."),
    ]


def _pairs(m: Material) -> list[tuple[int, int]]:
    careful, hasty = m.judges
    return [(grade, hasty[name]) for name, grade in careful.items()]


def _observed(m: Material) -> float:
    return statistics.fmean(a == b for a, b in _pairs(m))


def _expected(m: Material) -> float:
    pairs = _pairs(m)
    left, right = (Counter(pair[side] for pair in pairs) for side in (0, 1))
    return sum(left[grade] * right[grade] for grade in (0, 1)) / len(pairs) ** 2


def _observed_mistakes(m: Material) -> list[Mistake]:
    pairs = _pairs(m)
    return [
        Mistake(1 - _observed(m), "That is the share of disagreements."),
        Mistake(sum(a == b for a, b in pairs), "That is the number of agreements. Divide it by the number of hits."),
        Mistake(statistics.fmean(a == b == 1 for a, b in pairs), "Agreeing on 0 is agreement too."),
        Mistake(statistics.fmean(a == b == 0 for a, b in pairs), "Agreeing on 1 is agreement too."),
        Mistake(statistics.fmean(a for a, _ in pairs), "That is how often one judge says relevant."),
        Mistake(_expected(m), "That is the agreement expected by chance."),
    ]


def _kappa(m: Material) -> float:
    first, second = zip(*_pairs(m), strict=True)
    return cohen_kappa(first, second)


def _kappa_mistakes(m: Material) -> list[Mistake]:
    observed, expected, pairs = _observed(m), _expected(m), _pairs(m)
    share = statistics.fmean(grade for pair in pairs for grade in pair)
    pooled = share**2 + (1 - share) ** 2
    left, right = (statistics.fmean(pair[side] for pair in pairs) for side in (0, 1))
    return [
        Mistake(observed, "That is the observed agreement. What would two judges reach who guess?"),
        Mistake((observed - left * right) / (1 - left * right), "Expected agreement has two parts: "
                "both say 1, or both say 0."),
        Mistake(expected, "That is the agreement expected by chance. Kappa compares the observed one with it."),
        Mistake(observed - expected, "Divide by what chance leaves to gain, 1 − expected."),
        Mistake((observed - expected) / expected, "Below the line stands 1 − expected."),
        Mistake((observed - 0.5) / 0.5, "Chance is not one half: it depends on how often each judge says relevant."),
        Mistake((observed - pooled) / (1 - pooled), "You used one common share for both judges (Scott's pi). Cohen's "
                "kappa takes each judge's own."),
    ]  # fmt: skip


def _deep(m: Material) -> list[str]:
    return [name for name, _ in m.ranking(m.question, "embedding")[:LISTED]]


def _judged(m: Material) -> float:
    return statistics.fmean(name in _pool(m) for name in _deep(m))


def _judged_mistakes(m: Material) -> list[Mistake]:
    deep, pool = _deep(m), set(_pool(m))
    expected = {name for question in m.questions if question.query == m.question for name in m.expected(question)}
    own = set(m.tops["embedding"])
    return [
        Mistake(1 - _judged(m), "That is the share without a judgement: the holes."),
        Mistake(len(pool & set(deep)), "That is the number. Divide it by the hits looked at."),
        Mistake(len(pool & set(deep)) / len(pool), "Divide by the ten hits, not by the size of the pool."),
        Mistake(len(expected & set(deep)) / len(deep), "That is the share of right hits. Judged as wrong is judged "
                "too."),
        Mistake(len(own & set(deep)) / len(deep), "Hits that other lanes brought into the pool are judged too."),
        Mistake(0.0, "lab.ranking gives pairs (name, score): compare the names."),
        Mistake(1.0, f"The pool has {POOL_DEPTH} hits of this lane, and the ranking ten."),
    ]  # fmt: skip


JUDGING = (
    Exercise("6.1", "size of the pool", Count(), lambda m: len(_pool(m)), _pool_mistakes,
             "Put the hits of all lanes in lab.tops into one set."),
    Exercise("6.2", "your judgements", Judgements(), _pool,
             lambda m: [Mistake(dict.fromkeys(m.tops["bm25"], 1), "Those are the hits of one lane."),
                        Mistake(dict.fromkeys(m.tops["embedding"], 1), "Those are the hits of one lane.")],
             "Every name of the pool gets one grade."),
    Exercise("6.3", "observed agreement", Number(), _observed, _observed_mistakes,
             "Count the names with equal grades in both dicts of lab.judges."),
    Exercise("6.4", "Cohen's kappa", Number(), _kappa, _kappa_mistakes,
             "Expected agreement: the product of the shares of 1, plus the product of the shares of 0."),
    Exercise("6.5", "judged@10", Number(), _judged, _judged_mistakes,
             "How many of the first ten hits of the embedding lane are in the pool of 6.1?"),
)  # fmt: skip


# --------------------------------------------------------------------------- notebook 7


def _relevant(m: Material) -> set[str]:
    return {name for name, grade in m.grades.items() if grade == metrics.DEMANDED}


def _found(m: Material, cutoff: int = POOL_DEPTH) -> int:
    return len(_relevant(m) & set(m.ranked[:cutoff]))


def _precision_mistakes(m: Material) -> list[Mistake]:
    return [
        Mistake(_found(m) / len(_relevant(m)), "That is recall: divided by what there is to find. Precision divides by "
                "what was looked at."),
        Mistake(_found(m, LISTED) / LISTED, f"That is over ten hits. Look at the first {POOL_DEPTH}."),
        Mistake(_found(m), "That is the number of right hits. Divide it."),
        Mistake(_found(m) / LISTED, f"Right hits among {POOL_DEPTH}, but divided by ten."),
        Mistake(_found(m, LISTED) / POOL_DEPTH, f"Right hits among ten, but divided by {POOL_DEPTH}."),
        Mistake(1 - _found(m) / POOL_DEPTH, "That is the share of wrong hits."),
    ]  # fmt: skip


def _recall_mistakes(m: Material) -> list[Mistake]:
    return [
        Mistake(_found(m) / POOL_DEPTH, "That is precision: divided by what was looked at. Recall divides by what "
                "there is to find."),
        Mistake(_found(m, LISTED) / len(_relevant(m)), f"That is over ten hits. Look at the first {POOL_DEPTH}."),
        Mistake(1 - _found(m) / len(_relevant(m)), "That is the share that was missed."),
        Mistake(_found(m), "That is the number of right hits. Divide it."),
        Mistake(_found(m) / (_found(m) or 1), "You divided by what was found. How many are there to find?"),
        Mistake(len(_relevant(m)), "That is how many there are to find."),
    ]  # fmt: skip


def _mrr_mistakes(m: Material) -> list[Mistake]:
    ranks = m.first_ranks
    found = [rank for rank in ranks if rank is not None]
    reciprocal = [1 / rank for rank in found]
    from_zero = [1 / (rank - 1) for rank in found if rank > 1]
    return [
        Mistake(sum(reciprocal) / len(found), "You left out the questions without an answer. They count as 0."),
        Mistake(1 / statistics.fmean(found), "That is 1 over the mean rank. Take the mean of 1/rank."),
        Mistake(statistics.fmean(found), "That is the mean rank. Take the mean of 1/rank."),
        Mistake(sum(reciprocal), "That is the sum. Divide by the number of questions."),
        Mistake(sum(1 / (rank + 1) for rank in found) / len(ranks), "Your ranks are one too high: the first is 1."),
        Mistake(sum(from_zero) / len(ranks), "Your ranks count from 0."),
        Mistake(sum(rank == 1 for rank in found) / len(ranks), "That counts first places only (hit@1)."),
    ]


def _dcg(gains: list[float], shift: int = 1) -> float:
    return sum(gain / math.log2(place + shift) for place, gain in enumerate(gains, 1) if place + shift > 1)


def _by_rank(gains: list[float]) -> float:
    return sum(gain / place for place, gain in enumerate(gains, 1))


def _ndcg_mistakes(m: Material) -> list[Mistake]:
    gains = [float(m.grades.get(name, 0)) for name in m.ranked[:POOL_DEPTH]]
    ideal = sorted(map(float, m.grades.values()), reverse=True)[:POOL_DEPTH]
    own_best = sorted(gains, reverse=True)
    natural = sum(gain / math.log(place + 1) for place, gain in enumerate(gains, 1))
    return [
        Mistake(_dcg(gains), "That is DCG. Divide it by the DCG of the best possible order."),
        Mistake(_dcg(ideal), "That is the DCG of the best order."),
        Mistake(_dcg(gains) / _dcg(own_best), "Your best order has only what was found. It needs all right symbols "
                "of lab.grades."),
        Mistake(natural, "That is DCG with the natural logarithm, not divided by the best order yet."),
        Mistake(_by_rank(gains) / _by_rank(ideal), "You divide by the rank. DCG divides by log2(rank + 1)."),
        Mistake(sum(gains) / sum(ideal), "The ranks do not count in that: divide each grade by log2(rank + 1)."),
        Mistake(_dcg(gains, 0) / _dcg(ideal, 0), "log2(rank) is 0 for the first rank: it is log2(rank + 1)."),
        Mistake(_dcg(gains, 2) / _dcg(ideal, 2), "Your discount is log2(rank + 2): does the first have rank 1?"),
        Mistake(metrics.ndcg(m.ranked, m.grades, LISTED), f"That is over ten hits. Look at the first {POOL_DEPTH}."),
    ]  # fmt: skip


def _chances(values: list[float]) -> list[float]:
    """Return the sums of the values with signs assigned in all ways."""
    return [
        sum(s * value for s, value in zip(signs, values, strict=True))
        for signs in itertools.product((1, -1), repeat=len(values))
    ]


def _p_mistakes(m: Material) -> list[Mistake]:
    sums, observed = _chances(m.differences), sum(m.differences)
    slack = 1e-12
    return [
        Mistake(statistics.fmean(total >= abs(observed) - slack for total in sums), "That is one side. A difference "
                "as large in the other direction counts too: compare abs(sum)."),
        Mistake(statistics.fmean(abs(total) > abs(observed) + slack for total in sums), "As large also counts, not "
                "only larger: sums of floats need a small tolerance."),
        Mistake(statistics.fmean(abs(total) >= abs(observed) for total in sums), "Equal sums were lost by float "
                "rounding: compare with >= abs(observed) - 1e-12."),
        Mistake(1 - statistics.fmean(abs(total) >= abs(observed) - slack for total in sums), "That is 1 − p: you "
                "counted the smaller ones."),
        Mistake(sum(abs(total) >= abs(observed) - slack for total in sums), "That is the number of assignments. "
                "Divide by all of them."),
        Mistake(1 / len(sums), "That is one assignment of all. How many are at least as far from 0?"),
        Mistake(statistics.fmean(m.differences), "That is the mean difference. How likely is one so large by chance?"),
        Mistake(statistics.fmean(value > 0 for value in m.differences), "That is the share of wins."),
    ]  # fmt: skip


_Z_BOTH = 1.96 + 0.84
"""Quantiles of the normal distribution, for a two-sided test at 5 % that finds a true difference in 80 % of cases."""

_WORTHWHILE = 0.1
"""Difference of reciprocal ranks that the exercise wants to find."""


def _needed(m: Material) -> float:
    return (_Z_BOTH * statistics.stdev(m.differences) / _WORTHWHILE) ** 2


def _needed_mistakes(m: Material) -> list[Mistake]:
    deviation = statistics.stdev(m.differences)
    return [
        Mistake(math.floor(_needed(m)), "Round up: with one question less it is not enough."),
        Mistake(math.ceil(_Z_BOTH * deviation / _WORTHWHILE), "The whole fraction is squared: half the difference "
                "needs four times the questions."),
        Mistake(math.ceil((1.96 * deviation / _WORTHWHILE) ** 2), "Without the 0.84 you find a true difference in "
                "half of all cases only."),
        Mistake(math.ceil((_Z_BOTH * deviation**2 / _WORTHWHILE) ** 2), "That has the variance in it. The deviation "
                "is its square root."),
        Mistake(math.ceil((_Z_BOTH / _WORTHWHILE) ** 2), "The deviation of the differences is missing."),
        Mistake(math.ceil((_Z_BOTH * statistics.pstdev(m.differences) / _WORTHWHILE) ** 2), "These questions are a "
                "sample: divide the squares by n − 1 (statistics.stdev)."),
        Mistake(len(m.differences), "Those are the questions you have."),
    ]  # fmt: skip


MEASURES = (
    Exercise("7.1", "precision at 5", Number(), lambda m: _found(m) / POOL_DEPTH, _precision_mistakes,
             "How many of the first five names of lab.ranked have grade 2, divided by five?"),
    Exercise("7.2", "recall at 5", Number(), lambda m: _found(m) / len(_relevant(m)), _recall_mistakes,
             "The same count, divided by the number of names with grade 2."),
    Exercise("7.3", "mean reciprocal rank", Number(),
             lambda m: sum(1 / rank for rank in m.first_ranks if rank) / len(m.first_ranks), _mrr_mistakes,
             "One number for each question: 1/rank, or 0 for None. Then the mean over all questions."),
    Exercise("7.4", "nDCG at 5", Number(), lambda m: metrics.ndcg(m.ranked, m.grades, POOL_DEPTH), _ndcg_mistakes,
             "Write dcg(grades) first; then divide the one of the ranking by the one of the best order."),
    Exercise("7.5", "p-value of a paired randomisation test", Number(),
             lambda m: randomisation_test(m.differences).p_value, _p_mistakes,
             "itertools.product((1, -1), repeat=n) gives all signs; sum the signed differences for each."),
    Exercise("7.6", "questions needed", Count("Round up to a whole number (math.ceil)."),
             lambda m: math.ceil(_needed(m)), _needed_mistakes,
             "Put the deviation of lab.differences and the difference 0.1 into the formula, square, round up."),
)  # fmt: skip
