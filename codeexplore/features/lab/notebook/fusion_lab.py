"""Widget that fuses the lanes of one question anew for each weight, and measures a weight on a set of questions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import ipywidgets as widgets

from codeexplore.answers import SearchAnswer
from codeexplore.answers.explanation import summand_blocks
from codeexplore.answers.html.components import dim, explorer_style, page
from codeexplore.answers.html.elements import Html, join, tag
from codeexplore.answers.html.rank_changes import change, slope_svg
from codeexplore.answers.html.show import shown_html
from codeexplore.answers.html.writer import Writer
from codeexplore.answers.search import Comparison, Move, compare
from codeexplore.answers.wording import cut, one_line
from codeexplore.features.lab.evaluation.fixtures import Fixtures, Question, find_fixtures, load_fixtures
from codeexplore.features.lab.evaluation.parameter_sweep import PARAMETERS, sweep
from codeexplore.features.lab.evaluation.results import MEASURES
from codeexplore.features.lab.evaluation.setting import Setting
from codeexplore.notebook.background import CallbackGuard, LatestTask
from codeexplore.notebook.controls import Message, button, checkbox, choice, fraction, number, row, text
from codeexplore.search.ranking.fusion import FUSIONS
from codeexplore.types import LANES, settings
from codeexplore.types.errors import FixtureError, QuestionError

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

    def __init__(
        self, workspace: Workspace, question: str, questions: Fixtures | Sequence[Question] | None = None
    ) -> None:
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
        self.curve_message.busy(
            f"asking {len(self._questions or ())} questions for each value of {self.parameter.value}"
        )
        self._curve_task.ask((self.parameter.value, self.measure.value))

    def _swept(self, asked: tuple[str, str]) -> str:
        parameter, measure = asked
        return shown_html(sweep(self._workspace, self._questions or (), parameter, measure=measure))

    def _show_curve(self, markup: str) -> None:
        self.curve_message.show("")
        self.curve.value = markup


def fusion_lab(
    workspace: Workspace, question: str, questions: Fixtures | Sequence[Question] | str | Path | None
) -> FusionLab:
    if not isinstance(question, str):
        raise QuestionError(f"the question must be a text, not {question!r:.80}")
    if isinstance(questions, str | Path):
        return FusionLab(workspace, question, load_fixtures(questions))
    if questions is None:
        try:
            path = find_fixtures(workspace.root)
        except FixtureError:  # there are no questions, so there is no curve
            return FusionLab(workspace, question)
        questions = load_fixtures(path)
    return FusionLab(workspace, question, questions)
