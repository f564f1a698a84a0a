"""Evaluations as static HTML, for notebooks and for ``codeexplore eval --html``."""

from __future__ import annotations

import math
from collections.abc import Sequence

from codeexplore.evaluation import phrases as words
from codeexplore.evaluation.comparison import Comparison, Pair
from codeexplore.evaluation.metrics import ACCEPTED, DEMANDED
from codeexplore.evaluation.results import MEASURES, Evaluation, QuestionResult
from codeexplore.evaluation.settings_table import SettingsTable
from codeexplore.html import components
from codeexplore.html.elements import LANES, WARNING, Html, join, tag
from codeexplore.results.text.clip import cut, one_line
from codeexplore.results.text.phrases import plural

Shown = Evaluation | SettingsTable | Comparison

_BAR_PIXELS = 120
_QUERY_CHARS = 200
_NAME_CHARS = 160
_WHY_CHARS = 300
_MOST_LISTED = 30
_SIGNS = {DEMANDED: "expected", ACCEPTED: "accepted"}
_RIGHT, _WRONG = LANES["graph"], WARNING


def shown_html(shown: Shown) -> Html:
    """Any of them, as a fragment."""
    if isinstance(shown, Evaluation):
        return evaluation_html(shown)
    return table_html(shown) if isinstance(shown, SettingsTable) else comparison_html(shown)


def document_html(title: str, *shown: Shown) -> Html:
    """Return a self-contained page: no script, no external resources."""
    head = tag(
        "head",
        Html('<meta charset="utf-8"><meta name="viewport" content="width=device-width">'),
        tag("title", title),
    )
    style = "font-family:system-ui,sans-serif;margin:24px;background:#ffffff;color:#1c1d20"
    body = tag("body", tag("h1", title, style="font-size:18px"), *(shown_html(each) for each in shown), style=style)
    return join((Html("<!doctype html>\n"), tag("html", head, body, lang="en"), Html("\n")))


def evaluation_html(evaluation: Evaluation) -> Html:
    """One setting: the measures with bars and meanings, then each question with its ranking."""
    rows = [
        _measure_row("passed", _share(evaluation), "; ".join(words.passed_words(evaluation)), _passed_label(evaluation))
    ]
    rows += [
        _measure_row(m.titled(evaluation.cutoff), evaluation.mean(m.key), m.meaning.format(k=evaluation.cutoff))
        for m in MEASURES
    ]
    slow = f"median time of a search; 95 of 100 take at most {evaluation.p95_ms:.1f} ms"
    rows.append(components.row(("time", f"{evaluation.median_ms:.1f} ms", "", components.dim(slow)), unbroken=(0, 1)))
    questions = [_question_row(result) for result in evaluation.results]
    return components.page(
        tag("div", tag("b", words.headline(evaluation))),
        tag("div", components.dim(f"asked with: {words.described(evaluation)}")),
        *_warnings(evaluation),
        components.table("Measures", ("measure", "value", "", "what it says"), rows),
        components.table("Questions", ("", "question", "type", "first at", "recall", "nDCG", "ms"), questions),
    )


def table_html(table: SettingsTable) -> Html:
    """Settings beside each other, the best value of each measure in bold."""
    if not table.evaluations:
        return components.page(components.dim("no settings"))
    first = table.evaluations[0]
    header = ("setting", "passed", *(measure.titled(first.cutoff) for measure in MEASURES), "median ms", "p95 ms")
    rows = []
    for each in table.evaluations:
        means = [(each.mean(measure.key), table.best(measure.key)) for measure in MEASURES]
        cells = [
            tag("b", words.value_words(value)) if value >= best else words.value_words(value) for value, best in means
        ]
        times = [f"{each.median_ms:.1f}", f"{each.p95_ms:.1f}"]
        rows.append(components.row((tag("code", each.setting.name), _passed_label(each), *cells, *times)))
    note = "Bold is the best of a column. A small difference may be chance: compare two settings to know."
    return components.page(
        tag("div", tag("b", words.headline(first))),
        *_warnings(first),
        components.table("Settings", header, rows),
        tag("div", components.dim(note)),
    )


def comparison_html(comparison: Comparison) -> Html:
    """Two evaluations: each measure's difference with its chance, then wins and losses."""
    cutoff = comparison.before.cutoff
    rows = [components.row(words.difference_cells(each, cutoff)) for each in comparison.differences]
    chosen = next(each for each in comparison.differences if each.measure.key == comparison.measure)
    label = chosen.measure.titled(cutoff)
    left_out = words.left_out_words(comparison, _MOST_LISTED)
    return components.page(
        tag("div", tag("b", f"{plural(len(comparison.pairs), 'question')} asked twice")),
        tag("div", "A: ", tag("code", one_line(comparison.before_name))),
        tag("div", "B: ", tag("code", one_line(comparison.after_name))),
        components.table("Differences", ("measure", "A", "B", "B − A", "B wins", "loses", "ties", "p"), rows),
        tag("div", words.verdict(chosen, cutoff)),
        *_pair_table(f"B wins, by {label}", comparison.wins, comparison),
        *_pair_table(f"B loses, by {label}", comparison.losses, comparison),
        *([components.warning(left_out)] if left_out else []),
    )


# --------------------------------------------------------------------------- rows


def _measure_row(label: str, value: float, meaning: str, shown: str = "") -> Html:
    return components.row(
        (tag("b", label), shown or words.value_words(value), _bar(value), components.dim(meaning)), unbroken=(0, 1)
    )


def _bar(value: float) -> Html:
    """A bar of the value's length; the number beside it says the same."""
    share = 0.0 if math.isnan(value) else value
    frame = f"width:{_BAR_PIXELS}px;height:9px;border-radius:2px;background:rgba(127,127,127,0.18)"
    inner = f"width:{round(share * _BAR_PIXELS)}px;height:9px;border-radius:2px;background:{_RIGHT}"
    return tag("div", tag("div", style=inner), style=frame)


def _question_row(result: QuestionResult) -> Html:
    question, scores = result.question, result.scores
    colour = {"✓": _RIGHT, "✗": _WRONG}.get(words.mark(result), "inherit")
    cells = (
        tag("b", words.mark(result), style=f"color:{colour}"),
        join((components.folded(_asked(result), *_ranking(result)), *_troubles(result))),
        question.type,
        str(result.first_rank or "–"),
        words.value_words(scores.recall) if scores else "",
        words.value_words(scores.ndcg) if scores else "",
        f"{result.elapsed_ms:.1f}",
    )
    return components.row(cells, unbroken=(0, 2))


def _asked(result: QuestionResult) -> Html:
    question = result.question
    return join((cut(one_line(question.query), _QUERY_CHARS), " ", components.dim(one_line(question.id))))


def _ranking(result: QuestionResult) -> list[Html]:
    """Return the ranking with expected symbols marked, and the expected symbols that are missing."""
    grades = result.judged.grades
    items = []
    for each in result.ranked:
        sign = _SIGNS.get(grades.get(each.document, 0), "")
        noted = tag("b", f" {sign}", style=f"color:{_RIGHT}") if sign else ""
        items.append(tag("li", tag("code", cut(one_line(each.name), _NAME_CHARS)), noted, value=each.rank))
    found = {each.document for each in result.ranked}
    absent = [t for t in result.judged.targets if t.grade == DEMANDED and t.document not in found]
    missing = [tag("div", components.dim("not among them: "), tag("code", one_line(t.name))) for t in absent]
    return [tag("ol", *items, style="margin:0"), *missing]


def _troubles(result: QuestionResult) -> list[Html]:
    """Return the reason of a failure, and names that could not be judged; always shown."""
    why = words.failed_words(result)
    reasons = [tag("div", components.dim(cut(one_line(why), _WHY_CHARS)))] if why else []
    return [*reasons, *(components.warning(one_line(problem.message)) for problem in result.judged.problems)]


def _pair_table(title: str, pairs: Sequence[Pair], comparison: Comparison) -> list[Html]:
    if not pairs:
        return []
    rows = []
    for pair in pairs[:_MOST_LISTED]:
        difference = f"{pair.difference(comparison.measure):+.3f}"
        rows.append(components.row((difference, words.rank_words(pair), _asked(pair.after)), unbroken=(0, 1)))
    more = [tag("div", components.dim(f"and {len(pairs) - _MOST_LISTED} more"))] if len(pairs) > _MOST_LISTED else []
    return [components.table(title, ("difference", "first expected", "question"), rows), *more]


def _warnings(evaluation: Evaluation) -> list[Html]:
    return [components.warning(line) for line in words.warnings_of(evaluation)]


def _share(evaluation: Evaluation) -> float:
    return evaluation.passed / len(evaluation.scored) if evaluation.scored else float("nan")


def _passed_label(evaluation: Evaluation) -> str:
    return f"{evaluation.passed}/{len(evaluation.scored)}"
