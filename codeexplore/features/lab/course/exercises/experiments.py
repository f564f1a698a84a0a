"""Exercises of notebook 8: ablation, tuning on one half, testing on the other, and one sentence."""

from __future__ import annotations

from codeexplore.features.lab.course.exercises.exercise import Conclusion, Exercise, Mistake, Number
from codeexplore.features.lab.course.material import TUNED, WEIGHTS, Material
from codeexplore.features.lab.evaluation import compare

_ABLATED = "bm25 signals=off"
_CHOSEN_ON = "on the development half. Did you look at other questions too?"
_NO_WEIGHT = "You compared with the setting without weights=. Write weights=embedding:1."


def weighted(weight: float) -> str:
    """Return the tuned setting with a weight of the embedding lane, in the text form of a setting."""
    return f"{TUNED} weights=embedding:{weight:g}"


def _gain(m: Material, half: str) -> float:
    """Return by how much the embedding lane raises the MRR beside BM25."""
    return m.mrr(TUNED, half) - m.mrr(_ABLATED, half)


def _ablation_mistakes(m: Material) -> list[Mistake]:
    with_both, alone = m.evaluation(TUNED, "development"), m.evaluation(_ABLATED, "development")
    with_signals = m.mrr("bm25+embedding", "development") - m.mrr("bm25", "development")
    return [
        Mistake(with_signals, "You left out signals=off in both settings."),
        Mistake(-_gain(m, "development"), "The sign: with the lane minus without it."),
        Mistake(_gain(m, "test"), "That is the test half. Keep it for the end."),
        Mistake(_gain(m, "all"), "That is over all questions. The test half must stay unseen."),
        Mistake(with_both.mean("mrr"), "That is the value with both lanes. Subtract the one without the lane."),
        Mistake(alone.mean("mrr"), "That is the value without the lane."),
        Mistake(with_both.mean("hit_at_1") - alone.mean("hit_at_1"), "That is hit@1. The MRR is asked."),
        Mistake(with_both.mean("mrr") / alone.mean("mrr"), "That is the ratio. The difference is asked."),
        Mistake(m.mrr("default", "development") - alone.mean("mrr"), "The default has signals and the graph lane too: "
                "then several things differ at once."),
    ]  # fmt: skip


def best_weight(m: Material, half: str = "development") -> float:
    """Return the weight with the highest MRR over a half; the smallest of equal ones."""
    return max(WEIGHTS, key=lambda weight: (m.mrr(weighted(weight), half), -weight))


def _weight_mistakes(m: Material) -> list[Mistake]:
    found = {weight: m.mrr(weighted(weight), "development") for weight in WEIGHTS}
    known = [
        *(
            Mistake(weight, "Several weights are equally good: take the smallest.")
            for weight in WEIGHTS
            if weight != best_weight(m) and found[weight] == found[best_weight(m)]
        ),
        Mistake(min(found, key=lambda weight: found[weight]), "That has the lowest MRR."),
        Mistake(max(found.values()), "That is the MRR. The weight that gives it is asked."),
        Mistake(1.0, "That is the weight before tuning."),
    ]
    # No hint says which weight is best on the test half: that is predicted and measured after this exercise.
    told = {best_weight(m), *(mistake.value for mistake in known)}
    others = (weight for weight in WEIGHTS if weight not in told)
    return [*known, *(Mistake(each, f"Another weight has a higher MRR {_CHOSEN_ON}") for each in others)]


def _tuned(m: Material, half: str = "test") -> float:
    return m.mrr(weighted(best_weight(m)), half) - m.mrr(weighted(1.0), half)


def _tuned_mistakes(m: Material) -> list[Mistake]:
    cheated = m.mrr(weighted(best_weight(m, "test")), "test") - m.mrr(weighted(1.0), "test")
    planned = m.mrr(weighted(best_weight(m)), "test") - m.mrr(TUNED, "test")
    return [
        Mistake(planned, _NO_WEIGHT),
        Mistake(_tuned(m, "development"), "That is the development half, on which the weight was chosen."),
        Mistake(_tuned(m, "all"), "That is over all questions: half of them chose the weight."),
        Mistake(-_tuned(m), "The sign: with your weight minus with weight 1."),
        Mistake(cheated, "You used the weight that is best on the test half."),
        Mistake(m.mrr(weighted(best_weight(m)), "test"), "That is the MRR itself. Subtract the one before tuning."),
        Mistake(
            m.mrr(weighted(best_weight(m)), "test") - m.mrr(_ABLATED, "test"),
            "That is the gain over BM25 alone. Compare with weight 1.",
        ),
    ]


def _chance(m: Material, half: str = "test", before: str = weighted(1.0)) -> float:
    found = compare(m.evaluation(before, half), m.evaluation(weighted(best_weight(m)), half))
    return next(each.chance.p_value for each in found.differences if each.measure.key == "mrr")


def _chance_mistakes(m: Material) -> list[Mistake]:
    found = compare(m.evaluation(weighted(1.0), "test"), m.evaluation(weighted(best_weight(m)), "test"))
    others = {each.measure.key: each.chance.p_value for each in found.differences if each.measure.key != "mrr"}
    return [
        Mistake(_chance(m, "development"), "That is the p-value of the development half, where it means nothing: the "
                "weight was chosen to make the difference large."),
        Mistake(_chance(m, "all"), "That is over all questions."),
        Mistake(_chance(m, before=TUNED), _NO_WEIGHT),
        Mistake(_tuned(m), "That is the difference. Its p-value is asked."),
        Mistake(abs(_tuned(m)), "That is the size of the difference. Its p-value is asked."),
        Mistake(1 - _chance(m), "That is 1 − p."),
        *(Mistake(p, f"That is the p-value of {key}, not of the MRR.") for key, p in others.items()),
    ]  # fmt: skip


def _numbers(m: Material) -> dict[str, float]:
    return {"n": len(m.test), "difference": _tuned(m), "p": _chance(m)}


EXPERIMENTS = (
    Exercise("8.1", "ablation on the development half", Number(3), lambda m: _gain(m, "development"),
             _ablation_mistakes,
             "signals=off stands in both settings. Evaluate both on lab.development, and subtract their means of mrr."),
    Exercise("8.2", "weight tuned on the development half", Number(), best_weight, _weight_mistakes,
             "Evaluate each weight of lab.weights on lab.development, and take the one with the highest MRR."),
    Exercise("8.3", "difference on the test half", Number(3), _tuned, _tuned_mistakes,
             "Evaluate weights=embedding:1 and your weight on lab.test, and subtract."),
    Exercise("8.4", "p-value on the test half", Number(), _chance, _chance_mistakes,
             "compare(before, after) prints the p-value of every measure; its data are in .differences."),
    Exercise("8.5", "one sentence of conclusion", Conclusion(), _numbers, lambda _: [],
             "It needs the number of test questions, the difference of 8.3 and the p-value of 8.4."),
)  # fmt: skip
