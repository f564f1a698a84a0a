"""All controls of a search, arranged in one of two views.

The view Ask has the question and the lanes; the view Lab has all controls, in the order of the steps of a search.

The parameter `changed` of the panels of a search is called when a control changes. Its argument is True to search at
once, False while the user types.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import ipywidgets as widgets

from codeexplore.notebook.background import CallbackGuard
from codeexplore.notebook.panels.chain import ChainPanel
from codeexplore.notebook.panels.lanes import LanesPanel
from codeexplore.notebook.panels.options import OptionsPanel
from codeexplore.notebook.panels.query_plan import QueryPlanPanel
from codeexplore.notebook.panels.question_box import Complete, QuestionBox
from codeexplore.notebook.panels.toolbar import Fold, row
from codeexplore.notebook.requests import SearchRequest
from codeexplore.notebook.views import ASK, LAB

if TYPE_CHECKING:
    from codeexplore.answers import SearchAnswer


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
