"""Exercises of notebook 8: ablation, tuning on one half, testing on the other, and one sentence."""

from __future__ import annotations

from codeexplore.features.lab.course.exercises.exercise import OTHER, Conclusion, Exercise, Mistakes, Number
from codeexplore.features.lab.course.material import TUNED, WEIGHTS, Material
from codeexplore.features.lab.evaluation import compare

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


def _numbers(m: Material) -> dict[str, float]:
    return {"n": len(m.test), "difference": _tuned(m), "p": _chance(m)}


def _sentence_mistakes(_: Material) -> Mistakes:
    yield OTHER, "It needs the number of test questions, the difference of 8.3 and the p-value of 8.4."


EXPERIMENTS = (
    Exercise("8.1", "ablation on the development half", Number(3), lambda m: _gain(m, "development"), _gain_mistakes),
    Exercise("8.2", "weight tuned on the development half", Number(), best_weight, _weight_mistakes),
    Exercise("8.3", "difference on the test half", Number(3), _tuned, _tuned_mistakes),
    Exercise("8.4", "p-value on the test half", Number(), _chance, _chance_mistakes),
    Exercise("8.5", "one sentence of conclusion", Conclusion(), _numbers, _sentence_mistakes),
)
