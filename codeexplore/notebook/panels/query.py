"""All controls of a search, arranged in one of two views.

The view Ask has the question and the lanes; the view Lab has all controls, in the order of the steps of a search.

The parameter `changed` of the panels of a search is called when a control changes. Its argument is True to search at
once, False while the user types.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import ipywidgets as widgets

from codeexplore.answers.html.show import blocks_html
from codeexplore.answers.search import reading
from codeexplore.notebook.background import CallbackGuard
from codeexplore.notebook.config import ASK, LAB
from codeexplore.notebook.panels.chain import ChainPanel
from codeexplore.notebook.panels.lanes import LanesPanel
from codeexplore.notebook.panels.question_box import Complete, QuestionBox
from codeexplore.notebook.panels.toolbar import Fold, button, checkbox, choice, number, row, text
from codeexplore.notebook.requests import SearchRequest
from codeexplore.search.ranking.fusion import FUSIONS
from codeexplore.types import RELATIONS, Filters, settings

if TYPE_CHECKING:
    from codeexplore.answers import SearchAnswer


class AskingPanel(widgets.VBox):
    """All controls of a search, in one of two views.

    `complete` returns the names that begin with a given text, and `more` are further controls of the last step of the
    view Lab. `found_fold` has what the view Ask folds away; the explorer places it.
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
        self.reading = QueryPlanPanel(changed, self._reset, guard)
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
        self._lab = view == LAB
        self.lanes.name_plainly(not self._lab)
        self.children = (self.question, self.chain if self._lab else self.lane_row)
        self._show_chain()

    def asked(self) -> SearchRequest:
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
            "Small: the first ranks of each lane count much more than later ones; large: nearly the same. Usual: 60",
        )
        self.fusion = choice(
            "fusion",
            [(name, name) for name in FUSIONS],
            "How the rankings of the lanes become one; rrf, the default, adds up weight / (rrf_k + rank)",
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
        options = [("all", ALL_LANGUAGES), *languages]
        if list(self.language.options) != options:
            self.language.options = options

    def filters(self) -> Filters:
        globs = (glob.strip() for glob in str(self.paths.value).split(","))
        languages = (self.language.value,) if self.language.value else ()
        return Filters(paths=tuple(filter(None, globs)), languages=languages, tests=bool(self.tests.value))

    def merging(self) -> dict[str, Any]:
        per_file = 1 if self.one_per_file.value else None
        return {"top_k": self.top_k.value, "rrf_k": self.rrf_k.value, "fusion": self.fusion.value, "per_file": per_file}


# values of a dropdown are "" instead of None, which would mean that nothing is selected
_PLANNED: tuple[str, Any] = ("automatic", "")
_DIRECTIONS = (("towards it", "in"), ("away from it", "out"), ("both", "both"))


class QueryPlanPanel(widgets.VBox):
    """The query plan in words.

    With `controls` the user changes the relation, direction and depth that the planner chose.
    """

    def __init__(self, changed: Callable[[bool], None], reset: Callable[[], None], guard: CallbackGuard) -> None:
        self._changed = changed
        self.words = widgets.HTML()
        self.relation = choice(
            "Relation",
            [_PLANNED, *((name, name) for name in RELATIONS)],
            "What to look for around a symbol, such as callers; impact: all that depends on it; path: a chain of calls",
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
        return any(control.value for control in self._controls())

    def chosen(self) -> dict[str, Any]:
        """Return the relation, direction and depth that the user chose. None means that the planner decides."""
        return {
            "relation": self.relation.value or None,
            "direction": self.direction.value or None,
            "depth": self.depth.value or None,
        }

    def show(self, answer: SearchAnswer) -> None:
        self.words.value = blocks_html([reading(answer.result, "Read: ")])

    def clear(self) -> None:
        self.words.value = ""

    def leave(self) -> None:
        """Let the planner choose again. `changed` is called for each control that changes."""
        for control in self._controls():
            control.value = ""

    def _controls(self) -> tuple[Any, ...]:
        return self.relation, self.direction, self.depth
