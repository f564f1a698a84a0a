"""Everything that makes a question: its words, the lanes, the reading, the options."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import ipywidgets as widgets

from codeexplore.notebook.asked import Asked
from codeexplore.notebook.guard import Guard
from codeexplore.notebook.panels.lanes import LanesPanel
from codeexplore.notebook.panels.options import OptionsPanel
from codeexplore.notebook.panels.question import Complete, QuestionBox
from codeexplore.notebook.panels.reading import ReadingPanel

if TYPE_CHECKING:
    from codeexplore.views import SearchAnswer


class AskingPanel(widgets.VBox):
    """The controls of a search, and how the last one was read.

    Parameters
    ----------
    question
        What the box holds at first.
    changed
        Called on every change: with True when the answer should come at once, False while typing.
    complete
        Tells the names that begin with a text.
    """

    def __init__(self, question: str, changed: Callable[[bool], None], complete: Complete, guard: Guard) -> None:
        self._changed = changed
        self.question = QuestionBox(question, changed, complete, guard)
        self.lanes = LanesPanel(changed, guard)
        self.options = OptionsPanel(changed, guard)
        self.reading = ReadingPanel(changed, self._as_read, guard)
        super().__init__([self.question, self.lanes, self.options, self.reading])
        self.add_class("ce-asking")

    def asked(self) -> Asked:
        """What is asked at this moment."""
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
        self.reading.reset_button.disabled = not (self.lanes.mine or self.reading.mine)

    def clear(self) -> None:
        """Show no answer."""
        self.lanes.clear()
        self.reading.clear()

    def _as_read(self) -> None:
        self.lanes.reset()
        self.reading.leave()
        self._changed(True)
