"""First view of the explorer: example questions and the contents of the repository."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import ipywidgets as widgets

from codeexplore.notebook.background import CallbackGuard, LatestTask
from codeexplore.notebook.panels.toolbar import Message, button, row
from codeexplore.notebook.starters import starter_questions

if TYPE_CHECKING:
    from codeexplore.workspace.workspace import Workspace


class _Start(NamedTuple):
    questions: tuple[str, ...]
    markup: str


class StartersPanel(widgets.VBox):
    """A button for each starter question above the summary of the workspace.

    Parameters
    ----------
    ask
        Function that is called with the question of the pressed button.
    guard
        Wrapper of the callbacks.
    """

    def __init__(self, ask: Callable[[str], None], guard: CallbackGuard) -> None:
        self._ask, self._guard = ask, guard
        self.message = Message()
        self.summary = widgets.HTML()
        self._latest: LatestTask[Workspace, _Start] = LatestTask(_start, self._show, self.message.alert, guard.lock)
        super().__init__([])
        self.add_class("ce-starters")

    def show(self, workspace: Workspace) -> None:
        """Show example questions and a summary. They are computed in the background, because they need the graph."""
        self._latest.ask(workspace)

    def clear(self) -> None:
        """Remove the questions and the summary."""
        self._latest.forget()
        self.children = ()

    def wait(self, timeout: float = 30.0) -> bool:
        """Wait until the view is displayed. Return False if that takes longer than `timeout` seconds."""
        return self._latest.wait(timeout)

    def _show(self, start: _Start) -> None:
        self.summary.value = start.markup
        self.message.value = ""
        buttons = [self._button(question) for question in start.questions]
        heading = [widgets.Label("Questions to begin with:"), row(buttons)] if buttons else []
        self.children = (self.message, *heading, self.summary)

    def _button(self, question: str) -> widgets.Button:
        made = button(question, "Ask this question")
        made.on_click(self._guard(lambda _: self._ask(question)))
        return made


def _start(workspace: Workspace) -> _Start:
    from codeexplore.answers.html.show import brief_html

    return _Start(starter_questions(workspace), brief_html(workspace.summary))
