"""Evaluations as aligned plain text, every number with what it means."""

from __future__ import annotations

import math
from collections.abc import Sequence

from codeexplore.evaluation.comparing import Comparison, Difference, Pair
from codeexplore.evaluation.metrics import DEMANDED
from codeexplore.evaluation.records import MEASURES, Evaluation, QuestionResult
from codeexplore.evaluation.table import SettingsTable
from codeexplore.views.columns import REPR_WIDTH, wrap
from codeexplore.views.paint import Paint
from codeexplore.views.text import plural
from codeexplore.views.visible import cell_width, cut, one_line, pad, shorten

_QUERY_COLUMNS = 52
_NAME_COLUMNS = 44
_MOST_LISTED = 12

PASSED_WHEN = {
    "needle": "one of the expected symbols is among the question's top k",
    "ranking": "the first expected symbol is among the question's top k",
    "expansion": "all expected symbols are among the question's top k",
}
"""Question type → the rule by which it passes."""
_LIKELY = ((0.01, "that is hardly chance"), (0.05, "that is probably not chance"), (2.0, "that may well be chance"))


def shown_text(shown: Evaluation | SettingsTable | Comparison, *, colour: bool = False) -> str:
    """Any of them."""
    if isinstance(shown, Evaluation):
        return evaluation_text(shown, colour=colour)
    return (
        table_text(shown, colour=colour) if isinstance(shown, SettingsTable) else comparison_text(shown, colour=colour)
    )


def evaluation_text(evaluation: Evaluation, *, colour: bool = False, questions: bool = True) -> str:
    """One setting: the measures with their meanings, what could not be scored, then each question."""
    paint = Paint(colour)
    lines = [paint(headline(evaluation), "bold"), f"asked with: {described(evaluation)}", ""]
    passed = f"{evaluation.passed}/{len(evaluation.scored)}"
    rows = [
        ("passed" if not number else "", "" if number else passed, told)
        for number, told in enumerate(passed_words(evaluation))
    ]
    rows += [
        (m.titled(evaluation.cutoff), _value(evaluation.mean(m.key)), m.meaning.format(k=evaluation.cutoff))
        for m in MEASURES
    ]
    rows.append(
        (
            "ms",
            f"{evaluation.median_ms:.1f}",
            f"median time of a search; 95 of 100 take at most {evaluation.p95_ms:.1f} ms",
        )
    )
    lines += _aligned(rows, paint)
    lines += warnings_of(evaluation, paint)
    if questions:
        lines += ["", *_questions(evaluation, paint)]
    return "\n".join(line.rstrip() for line in lines)


def table_text(table: SettingsTable, *, colour: bool = False) -> str:
    """Settings beside each other, the best value of each measure starred."""
    paint = Paint(colour)
    if not table.evaluations:
        return "no settings"
    first = table.evaluations[0]
    header = ["setting", "passed", *(measure.titled(first.cutoff) for measure in MEASURES), "median ms", "p95 ms"]
    rows = [header]
    for each in table.evaluations:
        means = [_starred(each.mean(m.key), table.best(m.key)) for m in MEASURES]
        times = [f"{each.median_ms:.1f}", f"{each.p95_ms:.1f}"]
        rows.append([each.setting.name, f"{each.passed}/{len(each.scored)}", *means, *times])
    lines = [
        paint(
            f"{one_line(first.workspace)}: {plural(len(first.scored), 'question')} of {one_line(first.fixtures)}",
            "bold",
        )
    ]
    lines += _columns(rows, paint)
    lines.append(
        paint("* the best of its column. A small difference may be chance: compare two settings to know.", "dim")
    )
    lines += warnings_of(first, paint)
    return "\n".join(line.rstrip() for line in lines)


def comparison_text(comparison: Comparison, *, colour: bool = False) -> str:
    """Two evaluations: each measure's difference and how likely it is by chance, then wins and losses."""
    paint = Paint(colour)
    lines = [
        paint(f"{plural(len(comparison.pairs), 'question')} asked twice", "bold"),
        f"  A  {one_line(comparison.before_name)}",
        f"  B  {one_line(comparison.after_name)}",
        "",
    ]
    cutoff = comparison.before.cutoff
    rows = [["", "A", "B", "B − A", "B wins", "loses", "ties", "p"]]
    rows += [difference_cells(each, cutoff) for each in comparison.differences]
    lines += _columns(rows, paint)
    chosen = next(each for each in comparison.differences if each.measure.key == comparison.measure)
    lines += ["", *wrap(verdict(chosen, cutoff), REPR_WIDTH)]
    label = chosen.measure.titled(cutoff)
    for title, pairs in ((f"B wins, by {label}", comparison.wins), (f"B loses, by {label}", comparison.losses)):
        if pairs:
            lines += ["", paint(title, "bold"), *_pairs(pairs, comparison)]
    if comparison.left_out:
        listed = ", ".join(comparison.left_out[:_MOST_LISTED]) + (
            " …" if len(comparison.left_out) > _MOST_LISTED else ""
        )
        lines += [
            "",
            paint(
                f"! {plural(len(comparison.left_out), 'question')} not scored in both, left out: {listed}", "warning"
            ),
        ]
    return "\n".join(line.rstrip() for line in lines)


# --------------------------------------------------------------------------- words that HTML shares


def headline(evaluation: Evaluation) -> str:
    """``webshop: 33 questions of webshop.eval.json``."""
    count = plural(len(evaluation.results), "question")
    return f"{one_line(evaluation.workspace)}: {count} of {one_line(evaluation.fixtures)}"


def described(evaluation: Evaluation) -> str:
    """A setting in words."""
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
    """For each type of question how many passed, and by which rule."""
    if not evaluation.by_type:
        return ["nothing could be scored"]
    return [f"{kind} {good}/{of}: {PASSED_WHEN[kind]}" for kind, (good, of) in evaluation.by_type.items()]


def difference_cells(each: Difference, cutoff: int) -> list[str]:
    """A measure's row in a comparison: label, A, B, difference, wins, losses, ties, p."""
    numbers = [str(count) for count in (each.wins, each.losses, each.ties)]
    means = [_value(each.before), _value(each.after), f"{each.value:+.3f}"]
    return [each.measure.titled(cutoff), *means, *numbers, p_words(each.chance.p_value)]


def p_words(p_value: float) -> str:
    """A p-value to three digits; never a zero, which no test can give."""
    return f"{p_value:.3f}" if p_value >= 0.001 else "<0.001"


def verdict(difference: Difference, cutoff: int) -> str:
    """What a p-value says, in words."""
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
        f"questions would give a difference this large in {100 * chance.p_value:.2g} of 100 cases."
    )


def failed_words(result: QuestionResult) -> str:
    """Why a question did not pass, in a few words; "" when it did."""
    if result.scores is None or result.passed:
        return ""
    shown = {each.document: each.rank for each in result.ranked}
    wanted = {t.document: t.name for t in result.judged.targets if t.grade == DEMANDED}
    late = [f"{name} is {shown[doc]}" for doc, name in wanted.items() if shown.get(doc, 0) > result.question.top_k]
    absent = [name for doc, name in wanted.items() if doc not in shown]
    told = [f"not found: {', '.join(absent)}"] if absent else []
    told += [f"too low for top {result.question.top_k}: {', '.join(late)}"] if late else []
    first = result.ranked[0].name if result.ranked else "nothing"
    return f"{'; '.join(told)}; first is {first}"


def warnings_of(evaluation: Evaluation, paint: Paint) -> list[str]:
    """Failed lanes, unscored questions and stale names, a line each."""
    told = list(evaluation.warnings)
    if evaluation.unscored:
        ids = ", ".join(result.question.id for result in evaluation.unscored)
        told.append(f"{plural(len(evaluation.unscored), 'question')} not scored, their symbols can't be told: {ids}")
    for problem in evaluation.problems:
        where = f"line {problem.line}, " if problem.line else ""
        told.append(f"{where}{problem.question_id}: {problem.message}")
    return ["", *(paint("! " + one_line(text), "warning") for text in told)] if told else []


# --------------------------------------------------------------------------- lines


def _questions(evaluation: Evaluation, paint: Paint) -> list[str]:
    rows = [["", "question", "type", "first at", "recall", "nDCG", "ms"]]
    for result in evaluation.results:
        scores = result.scores
        rows.append([
            mark(result), shorten(one_line(result.question.query), _QUERY_COLUMNS), result.question.type,
            str(result.first_rank or "–"), _value(scores.recall) if scores else "",
            _value(scores.ndcg) if scores else "", f"{result.elapsed_ms:.1f}",
        ])  # fmt: skip
    lines = _columns(rows, paint, left=3)
    told = [lines[0]]
    for line, result in zip(lines[1:], evaluation.results, strict=True):
        told.append(line)
        if why := failed_words(result):
            told.append(paint(f"      {cut(one_line(why), REPR_WIDTH - 6)}", "dim"))
    return told


def mark(result: QuestionResult) -> str:
    """✓ passed, ✗ not, ? not scored."""
    return "?" if result.passed is None else "✓" if result.passed else "✗"


def _pairs(pairs: Sequence[Pair], comparison: Comparison) -> list[str]:
    lines = [
        f"  {pair.difference(comparison.measure):+.3f}  {pad(rank_words(pair), 12)}  {pair.after.question.id}  "
        f"{shorten(one_line(pair.after.question.query), _QUERY_COLUMNS)}"
        for pair in pairs[:_MOST_LISTED]
    ]
    return [*lines, f"  … and {len(pairs) - _MOST_LISTED} more"] if len(pairs) > _MOST_LISTED else lines


def rank_words(pair: Pair) -> str:
    """``rank 4 → 1``: where the first expected symbol stood and stands."""
    return f"rank {pair.before.first_rank or '–'} → {pair.after.first_rank or '–'}"


def _aligned(rows: Sequence[tuple[str, str, str]], paint: Paint) -> list[str]:
    return [f"  {pad(label, 10)} {pad(value, 6)}  {paint(meaning, 'dim')}" for label, value, meaning in rows]


def _columns(rows: Sequence[Sequence[str]], paint: Paint, left: int = 1) -> list[str]:
    """A table with a dim heading; the first `left` columns stand to the left, numbers to the right."""
    widths = [max(cell_width(cell) for cell in column) for column in zip(*rows, strict=True)]
    lines = []
    for number, row in enumerate(rows):
        cells = [
            pad(cell, width) if place < left else " " * (width - cell_width(cell)) + cell
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        line = "  " + "  ".join(cells)
        lines.append(paint(line, "dim") if number == 0 else line)
    return lines


def _value(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.3f}"


def _starred(value: float, best: float) -> str:
    return f"{_value(value)}{'*' if value >= best else ' '}"
