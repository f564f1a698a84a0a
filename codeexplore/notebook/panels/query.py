"""Controls of a search: question, lanes, query plan and options, in one of two views.

The question box starts a search on Enter and after a pause in typing. It suggests symbols and past questions. Each lane
shows its weight, its number of hits and its time in milliseconds. The query plan is shown in words, and the user can
change parts of it. The options set numbers, fusion and filters. The view Ask has the question and the lanes; the view
Lab has all controls, in the order of the steps of a search.

The parameter `changed` of the panels is called when a control changes. Its argument is True to search at once, False
while the user types.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import ipywidgets as widgets

from codeexplore import settings
from codeexplore.html.show import health_html, reading_html
from codeexplore.notebook.background import CallbackGuard
from codeexplore.notebook.panels.chain import ChainPanel
from codeexplore.notebook.panels.toolbar import Fold, button, checkbox, choice, fraction, number, row, text
from codeexplore.notebook.requests import SearchRequest
from codeexplore.notebook.views import ASK, LAB
from codeexplore.results.plain_answer import LANE_WORDS
from codeexplore.search.ranking.fusion import FUSIONS
from codeexplore.types import LANES, RELATIONS, Filters, LaneName, lane_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codeexplore.results import SearchAnswer


ALL_LANGUAGES = ""


class OptionsPanel:
    """Options of a search: number of hits, rrf_k, fusion, one hit per file, and filters (paths, language, tests).

    `merging_row` has the options of the fusion, and `finding_row` the others.
    """

    def __init__(self, changed: Callable[[bool], None], guard: CallbackGuard) -> None:
        self.top_k = number("hits", settings.TOP_K, 1, 200, "How many hits to show")
        self.rrf_k = number(
            "rrf_k",
            settings.RRF_K,
            1,
            1000,
            "Constant of reciprocal rank fusion (rrf): a lane adds weight / (rrf_k + rank); usual: 60",
        )
        self.fusion = choice(
            "fusion",
            [(name, name) for name in FUSIONS],
            "How the rankings become one: rrf (default) adds up weight / (rrf_k + rank)",
        )
        self.one_per_file = checkbox("one per file", "At most one hit of each file", value=False)
        self.paths = text(
            "file paths",
            "src/**, *_api.py",
            "Only files whose path matches one of these patterns; put commas between them",
        )
        self.language = choice("language", [("all", ALL_LANGUAGES)], "Only files of this language")
        self.tests = checkbox("include tests", "Include test files in the results", value=True)
        merging, ranking = [self.rrf_k, self.fusion], [self.top_k, self.one_per_file]
        finding = [self.paths, self.language, self.tests]
        self.merging_row = row(merging, "ce-options")
        self.finding_row = row(ranking + finding, "ce-options")
        for control in (*merging, *ranking, *finding):
            control.observe(guard(lambda _: changed(True)), "value")

    def offer_languages(self, languages: Sequence[tuple[str, str]]) -> None:
        """Set the languages in the dropdown, given as (title, name)."""
        options = [("all", ALL_LANGUAGES), *languages]
        if list(self.language.options) != options:
            self.language.options = options

    def filters(self) -> Filters:
        """Return the filters that the controls select."""
        globs = (glob.strip() for glob in str(self.paths.value).split(","))
        languages = (self.language.value,) if self.language.value else ()
        return Filters(paths=tuple(filter(None, globs)), languages=languages, tests=bool(self.tests.value))

    def merging(self) -> dict[str, Any]:
        """Return the chosen top_k, rrf_k, fusion and per_file."""
        per_file = 1 if self.one_per_file.value else None
        return {
            "top_k": self.top_k.value,
            "rrf_k": self.rrf_k.value,
            "fusion": self.fusion.value,
            "per_file": per_file,
        }


Complete = Callable[[str], tuple[str, ...]]
"""Function that returns the names that begin with the given text."""

_NAME = re.compile(r"\w+$")
_LEAST = 2  # minimal number of typed letters for suggestions
_OFFERED = 12
_REMEMBERED = 50
_LONGEST = 120  # maximal number of characters of a suggestion


class QuestionBox(widgets.HBox):
    """A text box that suggests past questions and the symbols whose names begin with the typed name.

    The button *Paste a report* opens a second box of several lines for a bug report or a stack trace. It is needed
    because browsers remove the line breaks of text that is pasted into a box of one line.

    Parameters
    ----------
    question
        Initial text of the box.
    changed
        Function that is called on every change: with True on Enter, with False while the user types.
    complete
        Function that returns the names that begin with a given text.
    """

    def __init__(
        self, question: str, changed: Callable[[bool], None], complete: Complete, guard: CallbackGuard
    ) -> None:
        self._changed, self._complete = changed, complete
        self.history: list[str] = []
        self.box = widgets.Combobox(
            description="Question",
            placeholder="a name, “what calls …?”, or a description in plain words",
            continuous_update=True,
            ensure_option=False,
            style={"description_width": "auto"},
            layout=widgets.Layout(width="auto", flex="1 1 320px"),
        )
        self.paste = widgets.ToggleButton(
            value=False, description="Paste a report",
            tooltip="Open a larger box for text of several lines, such as a bug report or a stack trace",
            layout=widgets.Layout(width="auto"),
        )  # fmt: skip
        self.report = widgets.Textarea(
            description="Bug report", style={"description_width": "auto"},
            placeholder="an issue, an error message or a stack trace", rows=8,
            layout=widgets.Layout(width="100%", display="none"),
        )  # fmt: skip
        layout = widgets.Layout(flex_flow="row wrap")
        super().__init__([self.box, self.paste, self.report], layout=layout)
        self.add_class("ce-question")
        self.show(question)
        self.box.observe(guard(self._typed), "value")
        self.box.on_msg(guard(self._entered))
        self.paste.observe(guard(self._opened), "value")
        self.report.observe(guard(self._typed), "value")

    def show(self, question: str) -> None:
        """Show `question` in the box. A question of several lines is shown in the box for reports."""
        several = "\n" in question.strip()
        (self.report if several else self.box).value = question
        self.paste.value = several
        self._unfold()

    @property
    def question(self) -> str:
        """The question, without surrounding white space."""
        return str(self.report.value if self.paste.value else self.box.value).strip()

    def remember(self, question: str) -> None:
        """Put an answered question first among the suggestions.

        Earlier suggestions with which the question begins are removed, because they were saved while it was typed.
        """
        if self.paste.value:
            return  # a box of one line cannot hold it
        kept = [old for old in self.history if old != question and not question.startswith(old)]
        self.history = [question, *kept][:_REMEMBERED]
        self._offer()

    def _opened(self, _: Any) -> None:
        self._unfold()
        self._changed(True)

    def _unfold(self) -> None:
        self.report.layout.display = "" if self.paste.value else "none"
        self.box.disabled = self.paste.value

    def _typed(self, _: Any) -> None:
        self._offer()
        self._changed(False)

    def _entered(self, _: Any, content: dict[str, Any], __: Any) -> None:
        if content.get("event") == "submit":  # the message behind Text.on_submit, which is deprecated
            self._changed(True)

    def _offer(self) -> None:
        typed = str(self.box.value)
        name = _NAME.search(typed)
        found: tuple[str, ...] = ()
        if name is not None and len(name[0]) >= _LEAST:
            found = tuple(typed[: name.start()] + full for full in self._complete(name[0])[:_OFFERED])
        offered = [each for each in (*found, *self.history) if len(each) <= _LONGEST and each != typed]
        self.box.options = tuple(dict.fromkeys(offered))


# values of a dropdown are "" instead of None, which would mean that nothing is selected
_PLANNED: tuple[str, Any] = ("automatic", "")
_DIRECTIONS = (("towards it", "in"), ("away from it", "out"), ("both", "both"))


class ReadingPanel(widgets.VBox):
    """The query plan in words.

    With `controls` the user changes the relation, direction and depth that the planner chose.
    """

    def __init__(self, changed: Callable[[bool], None], reset: Callable[[], None], guard: CallbackGuard) -> None:
        self._changed = changed
        self.words = widgets.HTML()
        self.relation = choice(
            "Relation",
            [_PLANNED, *((name, name) for name in RELATIONS)],
            "What the lane graph looks for, such as callers; impact: all that depends on it; path: a chain of calls",
        )
        self.direction = choice(
            "Direction", [_PLANNED, *_DIRECTIONS], "Towards the symbol: who uses it; away from it: what it uses"
        )
        steps = [_PLANNED, *((str(n), n) for n in range(1, 11))]
        self.depth = choice("Depth", steps, "How many steps to search from the symbol; 2: the callers of callers too")
        self.reset_button = button(
            "Reset to automatic", "Undo your choices: the program chooses for each question again"
        )
        self.reset_button.add_class("ce-reset")
        self.reset_button.on_click(guard(lambda _: reset()))
        self.controls = row([self.relation, self.direction, self.depth], "ce-overrule")
        super().__init__([self.words])
        self.add_class("ce-reading")
        for control in self._controls():
            control.observe(guard(lambda _: self._changed(True)), "value")

    @property
    def mine(self) -> bool:
        """True if the user has changed the planner's choice in this panel."""
        return any(control.value for control in self._controls())

    def chosen(self) -> dict[str, Any]:
        """Return the relation, direction and depth that the user chose. None means that the planner decides."""
        return {
            "relation": self.relation.value or None,
            "direction": self.direction.value or None,
            "depth": self.depth.value or None,
        }

    def show(self, answer: SearchAnswer) -> None:
        """Show the query plan of an answer."""
        self.words.value = reading_html(answer.result)

    def clear(self) -> None:
        """Remove the displayed plan."""
        self.words.value = ""

    def leave(self) -> None:
        """Let the planner choose relation, direction and depth again.

        `changed` is called for each control that changes.
        """
        for control in self._controls():
            control.value = ""

    def _controls(self) -> tuple[Any, ...]:
        return self.relation, self.direction, self.depth


_TOOLTIPS = {
    "bm25": "Find code that contains the question's words; rare words count more (lane bm25)",
    "embedding": "Find code whose words have a similar meaning (lane embedding)",
    "graph": "Find code that calls, or is called by, the symbols that the question is about (lane graph)",
}


class LanesPanel(widgets.HBox):
    """A checkbox and a status for each lane. `weight_row` has a box for the weight of each lane.

    The boxes show the planner's choice for the last question. If the user changes a lane, the user's choice applies to
    all further questions until `reset` is called.
    """

    def __init__(self, changed: Callable[[bool], None], guard: CallbackGuard) -> None:
        self._changed = changed
        self._showing = False
        self._chosen = False  # True if the user chose the lanes
        self._weighed: set[str] = set()  # lanes whose weight the user chose
        self._failed: set[str] = set()  # lanes whose status is shown in every view
        self._plain = False
        self.boxes = {lane: checkbox(lane, _TOOLTIPS[lane]) for lane in LANES}
        self.weights = {
            lane: fraction(
                f"{lane} weight", 1.0, 0.0, 100.0, 0.1,
                f"How much the lane {lane} counts; with fusion rrf it adds weight / (rrf_k + rank) to a score",
            )
            for lane in LANES
        }  # fmt: skip
        self.weight_row = row(list(self.weights.values()))
        self.health = {lane: widgets.HTML() for lane in LANES}
        parts = [row([self.boxes[lane], self.health[lane]], f"ce-lane-{lane}") for lane in LANES]
        for part in parts:
            part.add_class("ce-lane")
        super().__init__(parts)
        self.layout.flex_flow = "row wrap"
        self.add_class("ce-lanes")
        for lane in LANES:
            self.boxes[lane].observe(guard(self._ticked), "value")
            self.weights[lane].observe(guard(lambda _, lane=lane: self._weigh(lane)), "value")

    def name_plainly(self, plain: bool) -> None:
        """Name the lanes by what they compare (words, meaning, call graph), or else as Python does.

        With plain names, the status is shown only of a lane that failed.
        """
        self._plain = plain
        for lane, box in self.boxes.items():
            box.description = LANE_WORDS[lane] if plain else lane
        self._show_health()

    @property
    def mine(self) -> bool:
        """True if the user has chosen lanes or weights."""
        return self._chosen or bool(self._weighed)

    def lanes(self) -> tuple[LaneName, ...] | None:
        """Return the lanes that the user chose; None if the planner decides."""
        return tuple(lane for lane in LANES if self.boxes[lane].value) if self._chosen else None

    def chosen_weights(self) -> tuple[tuple[str, float], ...]:
        """Return (lane, weight) for the lanes that will be searched, with the weights that the user chose."""
        return tuple((lane, self.weights[lane].value) for lane in LANES if lane in self._weighed and self._asked(lane))

    def show(self, answer: SearchAnswer) -> None:
        """Show the status of each lane, and the planner's choice for lanes that the user has not changed."""
        with self._quietly():
            for lane in LANES:
                if not self._chosen:
                    self.boxes[lane].value = lane in answer.plan.lanes
                if lane not in self._weighed:
                    self.weights[lane].value = answer.plan.lanes.get(lane, self.weights[lane].value)
                found = [ranking for ranking in answer.rankings if lane_of(ranking.lane) == lane]
                self.health[lane].value = health_html(lane, found)
                if all(ranking.status in ("ok", "empty") for ranking in found):
                    self._failed.discard(lane)
                else:
                    self._failed.add(lane)
        self._show_health()

    def clear(self) -> None:
        """Remove the status of the lanes."""
        for lane in LANES:
            self.health[lane].value = ""

    def reset(self) -> None:
        """Let the planner decide lanes and weights again."""
        self._chosen = False
        self._weighed.clear()

    def _show_health(self) -> None:
        for lane, health in self.health.items():
            health.layout.display = "none" if self._plain and lane not in self._failed else ""

    def _asked(self, lane: LaneName) -> bool:
        return not self._chosen or bool(self.boxes[lane].value)

    def _ticked(self, _: Any) -> None:
        if not self._showing:
            self._chosen = True
            self._changed(True)

    def _weigh(self, lane: LaneName) -> None:
        if self._showing:
            return
        self._weighed.add(lane)
        if self._chosen and not self.boxes[lane].value:
            self.boxes[lane].value = True  # setting the weight of a lane selects the lane
            return
        self._changed(True)

    @contextmanager
    def _quietly(self) -> Iterator[None]:
        self._showing = True
        try:
            yield
        finally:
            self._showing = False


class AskingPanel(widgets.VBox):
    """All controls of a search, in one of two views.

    `found_fold` has what the view Ask folds away; the explorer places it.

    Parameters
    ----------
    question
        Initial text of the question box.
    changed
        Function that is called on every change: with True to search at once, with False while the user types.
    complete
        Function that returns the names that begin with a given text.
    more
        Further controls of the last step of the view Lab.
    """

    def __init__(
        self,
        question: str,
        changed: Callable[[bool], None],
        complete: Complete,
        guard: CallbackGuard,
        more: Sequence[widgets.Widget] = (),
    ) -> None:
        self._changed = changed
        self.question = QuestionBox(question, changed, complete, guard)
        self.lanes = LanesPanel(changed, guard)
        self.options = OptionsPanel(changed, guard)
        self.reading = ReadingPanel(changed, self._reset, guard)
        self.lane_row = row([self.lanes], "ce-lane-row")
        self.scores = widgets.HTML()
        self.found_fold = Fold(
            "How it was found",
            "Show how the question was understood and how each score adds up, and choose where to search",
            [self.reading, self.options.finding_row, self.scores],
        )
        self.found_fold.add_class("ce-found-fold")
        self.chain = ChainPanel(
            {
                "reading": [self.reading, self.reading.controls],
                "lanes": [self.lane_row, self.lanes.weight_row],
                "fusion": [self.options.merging_row],
                "ranking": [self.options.finding_row, *more],
            }
        )
        self._answer: SearchAnswer | None = None
        super().__init__([])
        self.add_class("ce-asking")
        self._show_reset()
        self.arrange(ASK)

    def arrange(self, view: str) -> None:
        """Show the controls of a view. They keep their values."""
        self._lab = view == LAB
        self.lanes.name_plainly(not self._lab)
        self.children = (self.question, self.chain if self._lab else self.lane_row)
        self._show_chain()

    def asked(self) -> SearchRequest:
        """Return the request that the controls describe."""
        return SearchRequest(
            question=self.question.question,
            lanes=self.lanes.lanes(),
            weights=self.lanes.chosen_weights(),
            filters=self.options.filters(),
            **self.reading.chosen(),
            **self.options.merging(),
        )

    def show(self, answer: SearchAnswer) -> None:
        """Show the query plan of `answer`, the status of its lanes, and the numbers of the steps."""
        self._answer = answer
        self.question.remember(answer.question)
        self.lanes.show(answer)
        self.reading.show(answer)
        self._show_chain()
        self._show_reset()

    def clear(self) -> None:
        """Remove the query plan, the status of the lanes, and the numbers of the steps."""
        self._answer = None
        self.lanes.clear()
        self.reading.clear()
        self.chain.clear()
        self.scores.value = ""

    def _show_chain(self) -> None:
        if self._lab and self._answer is not None:
            self.chain.show(self._answer)

    def _show_reset(self) -> None:
        """Show the button "Reset to automatic" if the user has changed a choice of the planner."""
        mine = self.lanes.mine or self.reading.mine
        self.reading.reset_button.disabled = not mine
        self.lane_row.children = (self.lanes, self.reading.reset_button) if mine else (self.lanes,)

    def _reset(self) -> None:
        self.lanes.reset()
        self.reading.leave()
        self._changed(True)
