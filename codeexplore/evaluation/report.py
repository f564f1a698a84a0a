"""Evaluations as blocks, in which each measure has its meaning, and as a page for ``codeexplore eval --html``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from codeexplore.evaluation import phrases as words
from codeexplore.evaluation.metrics import ACCEPTED, DEMANDED
from codeexplore.evaluation.results import MEASURES, Evaluation, QuestionResult
from codeexplore.results.blocks import Block, Fold, Heading, Inline, Items, Line, Meter, Piece, Row, Table, Text, Words
from codeexplore.results.text.clip import cut, one_line, shorten
from codeexplore.results.text.phrases import plural

if TYPE_CHECKING:
    from codeexplore.evaluation.comparison import Comparison, Pair
    from codeexplore.evaluation.settings_table import SettingsTable

_QUERY_CHARS = 90
_WHY_CHARS = 300
_MOST_LISTED = 20
_SIGNS = {DEMANDED: "expected", ACCEPTED: "accepted"}


def document_html(title: str, *shown: Evaluation | SettingsTable | Comparison) -> str:
    """Return a self-contained page: no script, no external resources."""
    from codeexplore.html.elements import Html, join, tag
    from codeexplore.html.show import shown_html

    head = tag(
        "head",
        Html('<meta charset="utf-8"><meta name="viewport" content="width=device-width">'),
        tag("title", title),
    )
    style = "font-family:system-ui,sans-serif;margin:24px;background:#ffffff;color:#1c1d20"
    body = tag("body", tag("h1", title, style="font-size:18px"), *map(shown_html, shown), style=style)
    return join((Html("<!doctype html>\n"), tag("html", head, body, lang="en"), Html("\n")))


def evaluation_blocks(evaluation: Evaluation) -> list[Block]:
    """Return the blocks of an evaluation: measures with meanings, questions without a score, each question."""
    cutoff, scored = evaluation.cutoff, len(evaluation.scored)
    share = evaluation.passed / scored if scored else float("nan")
    passed = "; ".join(words.passed_words(evaluation))
    rows = [Row(("passed", f"{evaluation.passed}/{scored}", Meter(share), Piece(passed, "dim")))]
    for each in MEASURES:
        mean = evaluation.mean(each.key)
        meaning = Piece(each.meaning.format(k=cutoff), "dim")
        rows.append(Row((each.titled(cutoff), words.value_words(mean), Meter(mean), meaning)))
    slow = f"median time of a search; 95 of 100 take at most {evaluation.p95_ms:.1f} ms"
    rows.append(Row(("time", f"{evaluation.median_ms:.1f} ms", "", Piece(slow, "dim"))))
    return [
        Heading(words.headline(evaluation)),
        Text(f"asked with: {words.described(evaluation)}"),
        *_warnings(words.warnings_of(evaluation)),
        Table("Measures", ("measure", "value", "", "what it says"), rows, "facts"),
        _questions(evaluation),
    ]


def _questions(evaluation: Evaluation) -> Table:
    rows = []
    for result in evaluation.results:
        question, scores = result.question, result.scores
        query = (shorten(one_line(question.query), _QUERY_CHARS),)
        cells = (
            Piece(words.mark(result), "strong" if result.passed is None else "good" if result.passed else "bad"),
            Fold(query, tuple(_ranking(result)), aside=True),
            question.type,
            str(result.first_rank or "–"),
            words.value_words(scores.recall) if scores else "",
            words.value_words(scores.ndcg) if scores else "",
            f"{result.elapsed_ms:.1f}",
        )
        reasons: list[Line] = [cut(one_line(why), _WHY_CHARS)] if (why := words.failed_words(result)) else []
        rows.append(Row(cells, (*reasons, *(Piece(each.message, "warning") for each in result.judged.problems))))
    columns = ("", "question", "type", "first at", "recall", "nDCG", "ms")
    return Table("Questions", columns, rows, brief=len(rows))


def _ranking(result: QuestionResult) -> list[Block]:
    """Return the ranking with expected symbols marked, and the expected symbols that are missing."""
    grades = result.judged.grades
    ranked: list[Line] = [
        (
            f"{each.rank}. ",
            Piece(each.name, "code"),
            Piece(f" {_SIGNS.get(grades.get(each.document, 0), '')}", "strong"),
        )
        for each in result.ranked
    ]
    found = {each.document for each in result.ranked}
    absent = [t.name for t in result.judged.targets if t.grade == DEMANDED and t.document not in found]
    missing = [Text((Piece("not among them: ", "dim"), Piece(name, "code"))) for name in absent]
    return [Text(Piece(result.question.id, "dim")), Items("", ranked), *missing]


def settings_blocks(table: SettingsTable) -> list[Block]:
    """Return the blocks of a table of settings, with the best value of each measure marked."""
    if not table.evaluations:
        return [Text("no settings")]
    first = table.evaluations[0]
    columns = ("setting", "passed", *(measure.titled(first.cutoff) for measure in MEASURES), "median ms", "p95 ms")
    rows = []
    for each in table.evaluations:
        means = [(each.mean(measure.key), table.best(measure.key)) for measure in MEASURES]
        values = (_marked(value, best) for value, best in means)
        passed = f"{each.passed}/{len(each.scored)}"
        rows.append(
            Row((Piece(each.setting.name, "code"), passed, *values, f"{each.median_ms:.1f}", f"{each.p95_ms:.1f}"))
        )
    best = Piece("the best", "best")
    return [
        Heading(words.headline(first)),
        *_warnings(words.warnings_of(first)),
        Table("Settings", columns, rows, brief=len(rows)),
        Text((best, " of its column. A small difference may be chance: compare two settings to know."), "dim"),
    ]


def _marked(value: float, best: float) -> Piece:
    text = words.value_words(value)
    return Piece(text, "best") if value >= best else Piece(f"{text} ")  # a terminal's mark takes a column


def comparison_blocks(comparison: Comparison) -> list[Block]:
    """Return the blocks of a comparison: each measure's difference with its p-value, then wins and losses."""
    cutoff = comparison.before.cutoff
    rows = [Row(tuple(words.difference_cells(each, cutoff))) for each in comparison.differences]
    chosen = next(each for each in comparison.differences if each.measure.key == comparison.measure)
    label = chosen.measure.titled(cutoff)
    left_out = words.left_out_words(comparison, _MOST_LISTED)
    return [
        Heading(Words(f"{plural(len(comparison.pairs), 'question')} asked twice")),
        Text(("  A  ", Piece(comparison.before_name, "code"))),
        Text(("  B  ", Piece(comparison.after_name, "code"))),
        Table("Differences", ("measure", "A", "B", "B − A", "B wins", "loses", "ties", "p"), rows),
        Text(words.verdict(chosen, cutoff), apart=True),
        *_pairs(f"B wins, by {label}", comparison.wins, comparison),
        *_pairs(f"B loses, by {label}", comparison.losses, comparison),
        *_warnings([left_out] if left_out else []),
    ]


def _pairs(title: str, pairs: Sequence[Pair], comparison: Comparison) -> list[Block]:
    rows = [
        Row((f"{pair.difference(comparison.measure):+.3f}", words.rank_words(pair), _asked(pair.after)))
        for pair in pairs[:_MOST_LISTED]
    ]
    more = [Text(f"and {len(pairs) - _MOST_LISTED} more", "dim")] if len(pairs) > _MOST_LISTED else []
    columns = ("difference", "first expected", "question")
    return [Table(title, columns, rows), *more] if rows else []


def _asked(result: QuestionResult) -> tuple[Inline, ...]:
    query = shorten(one_line(result.question.query), _QUERY_CHARS)
    return f"{query} ", Piece(result.question.id, "dim")


def _warnings(said: Sequence[str]) -> list[Block]:
    return [Text(text, "warning") for text in said]
