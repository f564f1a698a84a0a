"""The explorer: a question box whose answer shows why, and the callers of what it finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import ipywidgets as widgets

from codeexplore.errors import QuestionError
from codeexplore.notebook.latest import Latest
from codeexplore.notebook.panels.callers import CallersPanel
from codeexplore.notebook.panels.message import Message
from codeexplore.notebook.panels.question import Asked, QuestionPanel
from codeexplore.render import parts
from codeexplore.render.html import tag
from codeexplore.render.result import answer_html
from codeexplore.types import Symbol
from codeexplore.views import SearchAnswer
from codeexplore.views.text import plural
from codeexplore.views.visible import cut, one_line

if TYPE_CHECKING:
    from codeexplore.workspace.workspace import Workspace

TYPING_PAUSE = 0.2
"""Seconds without a keystroke before a question is asked."""


class Explorer(widgets.VBox):
    """Ask, toggle lanes, see why, walk the callers.

    Parameters
    ----------
    workspace
        What is asked.
    question
        Asked at once when not empty.
    pause
        Seconds without a keystroke before the question is asked; Enter asks at once.

    Examples
    --------
    >>> explorer = ws.explore("how are expired sessions handled?")
    >>> explorer.result.hits[0]
    """

    def __init__(self, workspace: Workspace, question: str = "", *, pause: float = TYPING_PAUSE) -> None:
        self.workspace = workspace
        self._pause = pause
        self._result: SearchAnswer | None = None
        self._latest: Latest[Asked, tuple[SearchAnswer, str]] = Latest(self._search, self._show, self._fail)
        self.panel = QuestionPanel(question, self._changed)
        self.message = Message()
        self.results = widgets.HTML()
        self.callers = CallersPanel(workspace)
        super().__init__([self._heading(), self.panel, self.message, self.results, self.callers])
        self.add_class("codeexplore-explorer")
        if question:
            self._changed(True)
        else:
            self.message.tell("Type a question; the answer follows.")

    @property
    def result(self) -> SearchAnswer | None:
        """The answer on display; None before the first, and after an error."""
        return self._result

    @property
    def selected(self) -> Symbol | None:
        """The symbol chosen in the callers panel."""
        chosen = self.callers.symbol.value
        return None if chosen is None else self.workspace.catalog.symbol(chosen)

    def ask(self, question: str) -> None:
        """Put a question into the box and ask it at once. The answer comes in the background: see `settle`."""
        self.panel.question.value = question
        self._changed(True)

    def settle(self, timeout: float = 30.0) -> bool:
        """Wait until every answer that was asked for is on display; False when `timeout` seconds are over."""
        return self._latest.settle(timeout) and self.callers.settle(timeout)

    def close(self) -> None:
        """Remove the widget; answers that are under way are dropped."""
        self._latest.forget()
        self.callers.close()
        super().close()

    def _heading(self) -> widgets.HTML:
        summary = self.workspace.summary
        told = f"{plural(sum(summary.files.values()), 'file')}, {plural(sum(summary.symbols.values()), 'symbol')}"
        name = tag("b", cut(one_line(self.workspace.name), 80))
        return widgets.HTML(parts.page(tag("div", "Explore ", name, parts.dim(f" · {told}"))))

    def _changed(self, at_once: bool) -> None:
        asked = self.panel.asked()
        if not asked.question:
            self._latest.forget()
            self._clear()
            self.message.tell("Type a question; the answer follows.")
            return
        self._latest.ask(asked, 0.0 if at_once else self._pause)

    def _search(self, asked: Asked) -> tuple[SearchAnswer, str]:
        if asked.lanes == ():
            raise QuestionError("no lane is on: tick at least one of bm25, embedding and graph")
        answer = self.workspace.search(
            asked.question, top_k=asked.top_k, lanes=asked.lanes, rrf_k=asked.rrf_k, per_file=asked.per_file
        )
        return answer, answer_html(answer)

    def _show(self, outcome: tuple[SearchAnswer, str]) -> None:
        self._result, self.results.value = outcome
        answer = self._result
        self.message.tell(f"{plural(len(answer), 'hit')} in {answer.result.elapsed_ms:.0f} ms")
        found = (hit.symbol for hit in answer if hit.symbol is not None and hit.symbol.kind != "section")
        self.callers.offer(tuple(dict.fromkeys(found)))

    def _fail(self, error: Exception) -> None:
        self._clear()
        self.message.alert(error)

    def _clear(self) -> None:
        self._result = None
        self.results.value = ""
        self.callers.offer(())
