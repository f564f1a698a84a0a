"""Phrases about an evaluation, for text and HTML: settings, meanings of numbers, reasons of failed questions."""

from __future__ import annotations

import math

from codeexplore.evaluation.comparison import Comparison, Difference, Pair
from codeexplore.evaluation.metrics import DEMANDED
from codeexplore.evaluation.results import Evaluation, QuestionResult
from codeexplore.results.text.clip import one_line
from codeexplore.results.text.phrases import plural

PASSED_WHEN = {
    "needle": "one of the expected symbols is among the question's top k",
    "ranking": "the first expected symbol is among the question's top k",
    "expansion": "all expected symbols are among the question's top k",
}
"""Question type → the rule by which it passes."""

_LIKELY = ((0.01, "that is hardly chance"), (0.05, "that is probably not chance"), (2.0, "that may well be chance"))


def headline(evaluation: Evaluation) -> str:
    """Return the title of an evaluation, such as ``webshop: 33 questions of webshop.eval.json``."""
    count = plural(len(evaluation.results), "question")
    return f"{one_line(evaluation.workspace)}: {count} of {one_line(evaluation.fixtures)}"


def described(evaluation: Evaluation) -> str:
    """Return a description of the evaluation's setting."""
    setting = evaluation.setting
    lanes = "the planner's choice of lanes" if setting.lanes is None else f"lanes {', '.join(setting.lanes)}"
    fusion = f"{setting.fusion} fusion" + (f" (rrf_k {setting.rrf_k})" if setting.fusion == "rrf" else "")
    signals = "all re-ranking signals" if setting.signals else "no re-ranking signals"
    without = f" but {', '.join(setting.without)}" if setting.without and setting.signals else ""
    grouped = f", at most {setting.per_file} a file" if setting.per_file else ""
    weighted = (
        f", weights {', '.join(f'{lane} {weight:g}' for lane, weight in setting.weights.items())}"
        if setting.weights
        else ""
    )
    return f"{lanes}{weighted}, {fusion}, {signals}{without}{grouped}"


def passed_words(evaluation: Evaluation) -> list[str]:
    """Return for each type of question the number of passed questions and the rule for passing."""
    if not evaluation.by_type:
        return ["nothing could be scored"]
    return [f"{kind} {good}/{of}: {PASSED_WHEN[kind]}" for kind, (good, of) in evaluation.by_type.items()]


def difference_cells(each: Difference, cutoff: int) -> list[str]:
    """Return a measure's row in a comparison: label, A, B, difference, wins, losses, ties, p."""
    numbers = [str(count) for count in (each.wins, each.losses, each.ties)]
    means = [value_words(each.before), value_words(each.after), f"{each.value:+.3f}"]
    return [each.measure.titled(cutoff), *means, *numbers, p_words(each.chance.p_value)]


def p_words(p_value: float) -> str:
    """Return a p-value with three digits. It is never shown as zero, which no test can prove."""
    return f"{p_value:.3f}" if p_value >= 0.001 else "<0.001"


def _equals(p_value: float) -> str:
    """Return ``= 0.031``, or ``≈ 0.0001`` if three digits would show zero."""
    return f"= {p_value:.3f}" if p_value >= 0.001 else f"≈ {p_value:.1g}"


def verdict(difference: Difference, cutoff: int) -> str:
    """Return a sentence on the meaning of the p-value."""
    label, chance = difference.measure.titled(cutoff), difference.chance
    if not difference.wins and not difference.losses:
        return f"By {label} every question is answered equally well."
    how = f"all {chance.trials:,}" if chance.exact else f"{chance.trials:,} random"
    better = "A and B are equal on average"
    if difference.value:
        better = f"{'B' if difference.value > 0 else 'A'} is better ({difference.value:+.3f})"
    likely = next(words for limit, words in _LIKELY if chance.p_value < limit)
    return (
        f"By {label} {better}, and {likely}: were both equally good, {how} ways of swapping A and B within "
        f"questions would give a difference this large with p {_equals(chance.p_value)}."
    )


def failed_words(result: QuestionResult) -> str:
    """Return the reason why a question did not pass, in a few words; "" if it passed."""
    if result.scores is None or result.passed:
        return ""
    shown = {each.document: each.rank for each in result.ranked}
    wanted = {t.document: t.name for t in result.judged.targets if t.grade == DEMANDED}
    late = [f"{name} is {shown[doc]}" for doc, name in wanted.items() if shown.get(doc, 0) > result.question.top_k]
    absent = [name for doc, name in wanted.items() if doc not in shown]
    reasons = [f"not found: {', '.join(absent)}"] if absent else []
    reasons += [f"too low for top {result.question.top_k}: {', '.join(late)}"] if late else []
    first = result.ranked[0].name if result.ranked else "nothing"
    return f"{'; '.join(reasons)}; first is {first}"


def warnings_of(evaluation: Evaluation) -> list[str]:
    """Return warnings about failed lanes, unscored questions and names without a symbol, one line each."""
    warnings = list(evaluation.warnings)
    if evaluation.unscored:
        ids = ", ".join(result.question.id for result in evaluation.unscored)
        counted = plural(len(evaluation.unscored), "question")
        warnings.append(f"{counted} not scored, their symbols are missing or ambiguous: {ids}")
    for problem in evaluation.problems:
        where = f"line {problem.line}, " if problem.line else ""
        warnings.append(f"{where}{problem.question_id}: {problem.message}")
    return [one_line(text) for text in warnings]


def left_out_words(comparison: Comparison, limit: int) -> str:
    """Return a text about the questions that a comparison leaves out; "" if there are none."""
    if not comparison.left_out:
        return ""
    listed = ", ".join(comparison.left_out[:limit]) + (" …" if len(comparison.left_out) > limit else "")
    return one_line(f"{plural(len(comparison.left_out), 'question')} not scored in both, left out: {listed}")


def mark(result: QuestionResult) -> str:
    """Return ✓ for a passed question, ✗ for a failed one, ? for one without a score."""
    return "?" if result.passed is None else "✓" if result.passed else "✗"


def rank_words(pair: Pair) -> str:
    """Return the previous and the new rank of the first expected symbol: ``rank 4 → 1``."""
    return f"rank {pair.before.first_rank or '–'} → {pair.after.first_rank or '–'}"


def value_words(value: float) -> str:
    """Return the value of a measure with three digits; a dash for NaN."""
    return "–" if math.isnan(value) else f"{value:.3f}"
