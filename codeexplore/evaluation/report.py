"""Evaluations as aligned plain text, every number with its meaning."""

from __future__ import annotations

from collections.abc import Sequence

from codeexplore.evaluation.comparison import Comparison, Pair
from codeexplore.evaluation.phrases import (
    described,
    difference_cells,
    failed_words,
    headline,
    left_out_words,
    mark,
    passed_words,
    rank_words,
    value_words,
    verdict,
    warnings_of,
)
from codeexplore.evaluation.results import MEASURES, Evaluation
from codeexplore.evaluation.settings_table import SettingsTable
from codeexplore.results.text.clip import cell_width, cut, one_line, pad, shorten
from codeexplore.results.text.phrases import plural
from codeexplore.results.text.terminal import REPR_WIDTH, Paint, wrap

_QUERY_COLUMNS = 52
_MOST_LISTED = 12


def shown_text(shown: Evaluation | SettingsTable | Comparison, *, colour: bool = False) -> str:
    """Any of them."""
    if isinstance(shown, Evaluation):
        return evaluation_text(shown, colour=colour)
    return (
        table_text(shown, colour=colour) if isinstance(shown, SettingsTable) else comparison_text(shown, colour=colour)
    )


def evaluation_text(evaluation: Evaluation, *, colour: bool = False, questions: bool = True) -> str:
    """One setting: the measures with their meanings, the questions without a score, then each question."""
    paint = Paint(colour)
    lines = [paint(headline(evaluation), "bold"), f"asked with: {described(evaluation)}", ""]
    passed = f"{evaluation.passed}/{len(evaluation.scored)}"
    rows = [
        ("passed" if not number else "", "" if number else passed, text)
        for number, text in enumerate(passed_words(evaluation))
    ]
    rows += [
        (m.titled(evaluation.cutoff), value_words(evaluation.mean(m.key)), m.meaning.format(k=evaluation.cutoff))
        for m in MEASURES
    ]
    slow = f"median time of a search; 95 of 100 take at most {evaluation.p95_ms:.1f} ms"
    rows.append(("ms", f"{evaluation.median_ms:.1f}", slow))
    lines += _aligned(rows, paint)
    lines += _warnings(warnings_of(evaluation), paint)
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
    lines += _warnings(warnings_of(first), paint)
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
    lines += _warnings([left_out_words(comparison, _MOST_LISTED)], paint)
    return "\n".join(line.rstrip() for line in lines)


# --------------------------------------------------------------------------- lines


def _warnings(warnings: Sequence[str], paint: Paint) -> list[str]:
    lines = [paint(f"! {text}", "warning") for text in warnings if text]
    return ["", *lines] if lines else []


def _questions(evaluation: Evaluation, paint: Paint) -> list[str]:
    rows = [["", "question", "type", "first at", "recall", "nDCG", "ms"]]
    for result in evaluation.results:
        scores = result.scores
        rows.append([
            mark(result), shorten(one_line(result.question.query), _QUERY_COLUMNS), result.question.type,
            str(result.first_rank or "–"), value_words(scores.recall) if scores else "",
            value_words(scores.ndcg) if scores else "", f"{result.elapsed_ms:.1f}",
        ])  # fmt: skip
    lines = _columns(rows, paint, left=3)
    shown = [lines[0]]
    for line, result in zip(lines[1:], evaluation.results, strict=True):
        shown.append(line)
        if why := failed_words(result):
            shown.append(paint(f"      {cut(one_line(why), REPR_WIDTH - 6)}", "dim"))
    return shown


def _pairs(pairs: Sequence[Pair], comparison: Comparison) -> list[str]:
    lines = [
        f"  {pair.difference(comparison.measure):+.3f}  {pad(rank_words(pair), 12)}  {pair.after.question.id}  "
        f"{shorten(one_line(pair.after.question.query), _QUERY_COLUMNS)}"
        for pair in pairs[:_MOST_LISTED]
    ]
    return [*lines, f"  … and {len(pairs) - _MOST_LISTED} more"] if len(pairs) > _MOST_LISTED else lines


def _aligned(rows: Sequence[tuple[str, str, str]], paint: Paint) -> list[str]:
    return [f"  {pad(label, 10)} {pad(value, 6)}  {paint(meaning, 'dim')}" for label, value, meaning in rows]


def _columns(rows: Sequence[Sequence[str]], paint: Paint, left: int = 1) -> list[str]:
    """A table with a dim heading; the first `left` columns are aligned left, numbers right."""
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


def _starred(value: float, best: float) -> str:
    return f"{value_words(value)}{'*' if value >= best else ' '}"
