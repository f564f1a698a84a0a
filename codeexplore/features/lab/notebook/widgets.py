"""Widgets of the lab: `FusionLab` fuses the lanes of a question anew for each weight, `JudgeView` takes grades of hits.

`FusionLab` also measures a weight on a set of questions. A judge grades the hits of a pool by mouse or by keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import ipywidgets as widgets

from codeexplore.answers import SearchAnswer
from codeexplore.answers.blocks import Piece, Place, Source, Text
from codeexplore.answers.hit import summand_blocks
from codeexplore.answers.html.components import dim, explorer_style, page
from codeexplore.answers.html.elements import Html, join, tag
from codeexplore.answers.html.rank_changes import change, slope_svg
from codeexplore.answers.html.writer import Writer, shown_html
from codeexplore.answers.search import Comparison, Move, compare
from codeexplore.answers.wording import cut, one_line, plural
from codeexplore.features.lab.evaluation.fixtures import SUFFIX, Fixtures, Question
from codeexplore.features.lab.evaluation.judgements import GRADES, Item, Judgements, JudgingSession
from codeexplore.features.lab.evaluation.kappa import agreement
from codeexplore.features.lab.evaluation.pictures import PARAMETERS, sweep
from codeexplore.features.lab.evaluation.results import MEASURES, file_name
from codeexplore.features.lab.evaluation.setting import Setting
from codeexplore.notebook.controls import (
    CallbackGuard,
    Fold,
    LatestTask,
    Message,
    button,
    checkbox,
    choice,
    fraction,
    number,
    row,
    text,
)
from codeexplore.search.ranking.fusion import FUSIONS
from codeexplore.types import LANES, settings

if TYPE_CHECKING:
    from codeexplore.workspace.workspace import Workspace

# a constant, so no name of the repository is in a script
_SHOW_SCRIPT = (
    "const n=this.dataset.row;this.closest('.ce-fusion-chart').querySelectorAll('.ce-sum')"
    ".forEach(e=>{e.hidden=e.dataset.row!==n})"
)


def fusion_html(comparison: Comparison, titles: tuple[str, str], top_k: int) -> Html:
    """Return the chart of rank changes, and below it the sum of the first hit's score until another line is chosen."""
    moves = comparison.shown(top_k)
    if not moves:
        return tag("div", "neither answer has hits")
    first = next((n for n, move in enumerate(moves) if move.after == 1), 0)
    chart = slope_svg(moves, titles, top_k, inline=_SHOW_SCRIPT)
    hint = dim("Point at a line, or reach it with the Tab key, to see how the score of the hit is made.")
    sums = [
        tag("div", *_sum(move, comparison), class_="ce-sum", data_row=n, hidden=n != first)
        for n, move in enumerate(moves)
    ]
    scrolling = tag("div", chart, style="overflow-x:auto;max-width:100%")
    return tag("div", scrolling, tag("div", hint), *sums, class_="ce-fusion-chart")


def _sum(move: Move, comparison: Comparison) -> list[Html]:
    gone = move.after is None
    answer = comparison.before if gone else comparison.after
    hit = answer[(move.before if gone else move.after or 1) - 1]  # type: ignore[operator]
    said = (
        "not among the hits any more; its score in the default answer" if gone else f"rank {move.after}, {change(move)}"
    )
    head = tag("div", tag("b", cut(one_line(move.name), 200)), f": {said}")
    return [head, join(Writer().html(summand_blocks(hit, answer.result, None)))]


_SHOWN = 10  # ranks of the chart
_DEEP = 50  # ranks that are compared: "12" is more informative than "below 10"
_MOST_WEIGHT = 3.0


class Numbers(NamedTuple):
    """Values of the controls: the weights of the chosen lanes, the constant of RRF and the fusion."""

    question: str
    weights: dict[str, float]
    rrf_k: int
    fusion: str


class FusionLab(widgets.VBox):
    """Widget with boxes for weights and `rrf_k`; a slope chart shows how the ranks differ from the default answer.

    The mouse over a line of the chart, or the focus on it, shows the sum of the hit's score. With a set of questions,
    the widget also draws a measure against one of the numbers, for a development and a test half of the questions.
    Raises QuestionError if the question is empty.
    """

    def __init__(self, workspace: Workspace, question: str, questions: Fixtures | Sequence[Question] = ()) -> None:
        self._workspace, self._questions = workspace, questions
        self._default: SearchAnswer = workspace.search(question, top_k=_DEEP)
        self.answer = self._default
        self.message, self.chart = Message(), widgets.HTML()
        guard = CallbackGuard(self.message.alert)
        self._latest: LatestTask[Numbers, SearchAnswer] = LatestTask(self._search, self._show, self._fail, guard.lock)
        self.question = text("Question", "how are …?", "Its default answer is the left side of the chart")
        self.question.value = question
        self.question.add_class("ce-wide")
        self.lanes = {lane: checkbox(lane, f"Search with {lane}") for lane in LANES}
        # not ipywidgets' sliders: their handles have no name for screen readers
        self.weights = {
            lane: fraction(f"weight of {lane}", 1.0, 0.0, _MOST_WEIGHT, 0.05, "How much this lane counts, from 0 to 3")
            for lane in LANES
        }
        self.rrf_k = number("rrf_k", settings.RRF_K, 1, 200, "A small number makes first ranks count more (usual: 60)")
        for box in (*self.weights.values(), self.rrf_k):
            box.continuous_update = True  # each press of an arrow key shows the new ranks
        self.fusion = choice("Fusion", tuple(FUSIONS), "How the rankings of the lanes are merged")
        self.signals = checkbox("signals", "Bonuses after the fusion; without them both sides are the fused ranking")
        self.reset_button = button("Reset", "Go back to the numbers of the default answer")
        pairs = [row([self.lanes[lane], self.weights[lane]], "ce-lane") for lane in LANES]
        for lane, each in zip(LANES, pairs, strict=True):
            each.add_class(f"ce-lane-{lane}")
        numbers = row([self.rrf_k, self.fusion, self.signals, self.reset_button])
        parts = [widgets.HTML(explorer_style()), row([self.question]), row(pairs), numbers, self.message, self.chart]
        super().__init__([*parts, *self._curve_parts(guard)])
        self.add_class("codeexplore-explorer")
        self.add_class("ce-fusion")
        self._take_default()
        self._show(self._default)
        self.question.observe(guard(lambda _: self._ask()), "value")
        for each in (*self.lanes.values(), *self.weights.values(), self.rrf_k, self.fusion):
            each.observe(guard(lambda _: self._renew()), "value")
        self.signals.observe(guard(lambda _: self._ask()), "value")
        self.reset_button.on_click(guard(lambda _: self._reset()))

    def _curve_parts(self, guard: CallbackGuard) -> list[Any]:
        self.parameter = choice("Curve over", PARAMETERS, "The number that is varied")
        self.measure = choice(
            "Measure", [(each.titled(settings.TOP_K), each.key) for each in MEASURES], "What is drawn"
        )
        self.measure.value = "ndcg"
        self.curve_button = button("Draw curve", "Ask all questions for each value; this takes some seconds")
        self.curve_message, self.curve = Message(), widgets.HTML()
        self._curve_task: LatestTask[tuple[str, str], str] = LatestTask(
            self._swept, self._show_curve, self.curve_message.alert, guard.lock
        )
        self.curve_button.on_click(guard(lambda _: self._draw()))
        if not self._questions:
            return []
        return [row([self.parameter, self.measure, self.curve_button]), self.curve_message, self.curve]

    def wait(self, timeout: float = 30.0) -> bool:
        """Wait until everything requested is displayed. Return False if that takes longer than `timeout` seconds."""
        return self._latest.wait(timeout) and self._curve_task.wait(timeout)

    @property
    def numbers(self) -> Numbers:
        weights: dict[str, float] = {lane: self.weights[lane].value for lane in LANES if self.lanes[lane].value}
        return Numbers(self.question.value, weights, self.rrf_k.value, self.fusion.value)

    def _take_default(self) -> None:
        planned = self._default.plan.lanes
        for lane in LANES:
            self.lanes[lane].value = lane in planned
            self.weights[lane].value = min(_MOST_WEIGHT, planned.get(lane, 1.0))
        self.rrf_k.value, self.fusion.value = settings.RRF_K, "rrf"

    def _reset(self) -> None:
        self._take_default()
        self._latest.forget()
        self._show(self._default)

    def _searched(self, question: str, **options: Any) -> SearchAnswer:
        engine = Setting(signals=self.signals.value).engine(self._workspace.engine)
        return SearchAnswer.of(engine.search(question, top_k=_DEEP, **options), self._workspace.catalog, engine.derive)

    def _ask(self) -> None:
        self._default = self._searched(self.question.value)
        self._reset()

    def _renew(self) -> None:
        if any(self.numbers.weights.values()):
            self._latest.ask(self.numbers)
        else:
            self._latest.forget()
            self.message.show("Choose at least one lane with a weight above 0.")

    def _search(self, asked: Numbers) -> SearchAnswer:
        weights = {lane: weight for lane, weight in asked.weights.items() if weight}
        numbers = {"rrf_k": asked.rrf_k, "fusion": asked.fusion}
        return self._searched(asked.question, lanes=tuple(weights), weights=weights, **numbers)

    def _show(self, answer: SearchAnswer) -> None:
        self.answer = answer
        comparison = compare(self._default, answer)
        moved = sum(1 for move in comparison.shown(_SHOWN) if move.before != move.after)
        self.message.show(
            f"{moved} of the first hits change their rank." if moved else "The ranks are the default ones."
        )
        self.chart.value = page(fusion_html(comparison, ("default", "with these numbers"), _SHOWN))

    def _fail(self, error: Exception) -> None:
        self.chart.value = ""
        self.message.alert(error)

    def _draw(self) -> None:
        self.curve_message.busy(f"asking {len(self._questions)} questions for each value of {self.parameter.value}")
        self._curve_task.ask((self.parameter.value, self.measure.value))

    def _swept(self, asked: tuple[str, str]) -> str:
        parameter, measure = asked
        return shown_html(sweep(self._workspace, self._questions, parameter, measure=measure))

    def _show_curve(self, markup: str) -> None:
        self.curve_message.show("")
        self.curve.value = markup


_LINES = 40  # of the source in sight; the rest unfolds

# A box for text, because JupyterLab takes the keys of other elements as its own: 0 0 would restart the kernel. Each key
# clicks a button, so that keys that follow each other quickly stay in their order.
_KEY_SCRIPT = (
    "if(event.ctrlKey||event.altKey||event.metaKey||event.key.length>1)return;event.preventDefault();"
    "const k=event.key.toLowerCase();if(!/^[0-3unp]$/.test(k))return;"
    "const b=this.closest('.ce-judge').querySelector('.ce-key-'+k);if(b)b.click()"
)


class JudgeView(widgets.VBox):
    """Widget that shows one hit after the other and takes its grade.

    A grade is stored at once and the next hit without one is shown. In the box *Keys*, the keys 0 to 3 grade, U takes
    the last grade back, N and P go to the next and the previous hit. It does not show which lane or fusion found a hit,
    and it highlights no word of the question: both would influence the judge.

    >>> JudgeView(JudgingSession(make_pool(ws, ["where are carts stored?"]), "ada.jsonl", "ada"))
    """

    def __init__(self, session: JudgingSession) -> None:
        self.session = session
        self.message, self.title, self.question, self.hit = Message(), Message(), widgets.HTML(), widgets.HTML()
        guard = CallbackGuard(self.message.alert)
        self.grade_buttons = [button(f"{grade}  {meaning}", "") for grade, meaning in enumerate(GRADES)]
        self.undo_button = button("Undo (U)", "Take the last grade back")
        self.previous_button = button("◂ Previous (P)", "The hit before, without a grade")
        self.next_button = button("Next (N) ▸", "The hit after, without a grade")
        named = [("u", self.undo_button), ("p", self.previous_button), ("n", self.next_button)]
        for key, each in [*((str(n), each) for n, each in enumerate(self.grade_buttons)), *named]:
            each.add_class(f"ce-key-{key}")
        folds = self._folds(guard)
        super().__init__(
            [
                widgets.HTML(explorer_style()),
                row([self.title, widgets.HTML(_key_box())], "ce-heading"),
                self.question,
                row(self.grade_buttons, "ce-grades"),
                row([self.previous_button, self.next_button, self.undo_button]),
                self.message,
                self.hit,
                row([fold.button for fold in folds]),
                *folds,
            ]
        )
        self.add_class("codeexplore-explorer")
        self.add_class("ce-judge")
        for grade, each in enumerate(self.grade_buttons):
            each.on_click(guard(partial(self._grade, grade)))
        self.undo_button.on_click(guard(lambda _: self._undo()))
        self.previous_button.on_click(guard(lambda _: self._go(-1)))
        self.next_button.on_click(guard(lambda _: self._go(1)))
        self._show()

    def _folds(self, guard: CallbackGuard) -> list[Fold]:
        """Return the controls that save the grades, and those that compare them with another judge's."""
        name = file_name(self.session.pool.workspace) or "judged"
        self.qrels = text("qrels file", "", "Path of a file in TREC's format, for other tools")
        self.fixtures = text("question file", "", "Path of a file for codeexplore eval")
        self.other = text("file of the other judge", "ada.jsonl", "The file of grades, or a qrels file")
        self.qrels.value, self.fixtures.value = f"{name}.qrels", f"{name}{SUFFIX}"
        self.qrels_button = button("Write qrels", "Write all grades in TREC's format")
        self.fixtures_button = button("Write questions", "Write the judged questions for codeexplore eval")
        self.compare_button = button("Compare", "Show kappa and the disputed hits")
        self.agreement = widgets.HTML()
        self.qrels_button.on_click(guard(lambda _: self._write_qrels()))
        self.fixtures_button.on_click(guard(lambda _: self._write_fixtures()))
        self.compare_button.on_click(guard(lambda _: self._compare_judges()))
        export = [row([self.qrels, self.qrels_button]), row([self.fixtures, self.fixtures_button])]
        compare = [row([self.other, self.compare_button]), self.agreement]
        return [
            Fold("Export", "Write the grades for other tools", export),
            Fold("Compare judges", "Compare these grades with another judge's", compare),
        ]

    def _grade(self, grade: int, _: object) -> None:
        self.session.grade(grade)
        done, total = self.session.done, self.session.total
        self._show()
        if done == total:
            self.message.show("Every hit has a grade. Export writes them for other tools; Previous changes one.")

    def _undo(self) -> None:
        last = self.session.undo()
        self._show()
        self.message.show("There is no grade to take back." if last is None else f"Took the grade {last.grade} back.")

    def _go(self, by: int) -> None:
        self.session.go(by)
        self._show()

    def _write_qrels(self) -> None:
        self.message.show(f"Wrote {self.session.judgements.to_qrels(self.qrels.value)}.")

    def _write_fixtures(self) -> None:
        path = self.session.write_fixtures(self.fixtures.value)
        left_out = self.session.judgements.unanswered
        without = f" Left out, without a hit of grade 2 or 3: {', '.join(left_out)}." if left_out else ""
        self.message.show(f"Wrote {path}.{without}")

    def _compare_judges(self) -> None:
        path = self.other.value.strip()
        other = agreement(self.session.judgements, Judgements.load(path), pool=self.session.pool)
        self.agreement.value = shown_html(other)
        self.message.show("")

    def _show(self) -> None:
        session, item = self.session, self.session.current
        self.message.show("")
        for each in (*self.grade_buttons, self.previous_button, self.next_button):
            each.disabled = item is None
        self.undo_button.disabled = not session.judgements.entries
        if item is None:
            self.title.show("No lane found a hit for these questions: there is nothing to judge.")
            return
        self.title.show(f"Hit {item.number} of {session.total}, {plural(session.done, 'hit')} graded")
        self.previous_button.disabled, self.next_button.disabled = item.number == 1, item.number == session.total
        for grade, each in enumerate(self.grade_buttons):
            each.button_style = "primary" if item.grade == grade else ""
        self.question.value = page(tag("b", "Does this answer: "), cut(one_line(item.asked.question.query), 400))
        stored = tag("div", dim(f"Each grade is stored at once in {session.path}"))
        self.hit.value = page(_hit_html(item), stored)


def _hit_html(item: Item) -> Html:
    source = item.hit.source
    place = Place(source.path, source.start_line, source.end_line)
    graded = "" if item.grade is None else f"  graded {item.grade}"
    head = Text((Piece(item.hit.name, "code"), f"  {item.hit.kind}  ", place, Piece(graded, "strong")))
    return join(Writer().html([head, Source(source.numbered_lines(), source.language, limit=_LINES)]))


def _key_box() -> Html:
    label = "Keys: 0 to 3 grade, U undoes, N next, P previous"
    looks = {"class_": "ce-keys", "autocomplete": "off", "aria_label": label}
    box = tag("input", type_="text", size=4, onkeydown=Html(_KEY_SCRIPT), **looks)
    words = dim(" 0 to 3 grade, U undo, N next, P previous")
    return page(tag("label", "Keys ", box, words))
