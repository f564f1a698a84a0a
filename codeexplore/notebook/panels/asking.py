"""The controls of a search: question, lanes, how it was understood, and options that unfold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import ipywidgets as widgets

from codeexplore.notebook.asked import Asked
from codeexplore.notebook.guard import Guard
from codeexplore.notebook.panels.controls import Fold, row
from codeexplore.notebook.panels.lanes import LanesPanel
from codeexplore.notebook.panels.options import OptionsPanel
from codeexplore.notebook.panels.question import Complete, QuestionBox
from codeexplore.notebook.panels.reading import ReadingPanel

if TYPE_CHECKING:
    from codeexplore.results import SearchAnswer


class AskingPanel(widgets.VBox):
    """The controls of a search; `reading` shows how the last question was understood, wherever it is placed.

    Parameters
    ----------
    question
        What the box holds at first.
    changed
        Called on every change: with True when the answer should come at once, False while typing.
    complete
        Returns the names that begin with a text.
    more
        Further controls for the options that unfold.
    """

    def __init__(
        self,
        question: str,
        changed: Callable[[bool], None],
        complete: Complete,
        guard: Guard,
        more: Sequence[widgets.Widget] = (),
    ) -> None:
        self._changed = changed
        self.question = QuestionBox(question, changed, complete, guard)
        self.lanes = LanesPanel(changed, guard)
        self.options = OptionsPanel(changed, guard)
        self.reading = ReadingPanel(changed, self._reset, guard)
        controls = [self.lanes.weight_row, self.options, self.reading.controls, *more]
        self.fold = Fold("Options", "Weights, fusion, filters, relation and comparison of rankings", controls)
        self.fold.add_class("ce-options-fold")
        self.lane_row = row([self.lanes], "ce-lane-row")
        top = row([self.question, self.fold.button], "ce-top")
        super().__init__([top, self.lane_row, self.fold])
        self.add_class("ce-asking")
        self._show_reset()

    def asked(self) -> Asked:
        """Return what is asked at this moment."""
        return Asked(
            question=self.question.question,
            lanes=self.lanes.lanes(),
            weights=self.lanes.chosen_weights(),
            filters=self.options.filters(),
            **self.reading.chosen(),
            **self.options.merging(),
        )

    def show(self, answer: SearchAnswer) -> None:
        """Show how an answer came about."""
        self.question.remember(answer.question)
        self.lanes.show(answer)
        self.reading.show(answer)
        self._show_reset()

    def clear(self) -> None:
        """Show no answer."""
        self.lanes.clear()
        self.reading.clear()

    def _show_reset(self) -> None:
        """Show the way back to the planner's choice while a person's applies."""
        mine = self.lanes.mine or self.reading.mine
        self.reading.reset_button.disabled = not mine
        self.lane_row.children = (self.lanes, self.reading.reset_button) if mine else (self.lanes,)

    def _reset(self) -> None:
        self.lanes.reset()
        self.reading.leave()
        self._changed(True)
