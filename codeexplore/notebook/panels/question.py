"""The question box: Enter asks at once, typing after a pause; it completes symbols and remembers questions."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import ipywidgets as widgets

from codeexplore.notebook.guard import Guard

Complete = Callable[[str], tuple[str, ...]]
"""The beginning of a name → names that begin so."""

_NAME = re.compile(r"\w+$")
_LEAST = 2  # letters of a name before it is completed
_OFFERED = 12
_REMEMBERED = 50
_LONGEST = 120  # characters of a question or name that is offered


class QuestionBox(widgets.HBox):
    """A text box whose suggestions are the past questions and, while a name is typed, the symbols it may become.

    Parameters
    ----------
    question
        What the box holds at first.
    changed
        Called on every change: with True when the answer should come at once (Enter), False while typing.
    complete
        Tells the names that begin with a text.
    """

    def __init__(self, question: str, changed: Callable[[bool], None], complete: Complete, guard: Guard) -> None:
        self._changed, self._complete = changed, complete
        self.history: list[str] = []
        self.box = widgets.Combobox(
            value=question,
            description="Question",
            placeholder="a name, “what calls …?”, or a description in plain words",
            continuous_update=True,
            ensure_option=False,
            style={"description_width": "auto"},
            layout=widgets.Layout(width="auto", flex="1 1 320px"),
        )
        super().__init__([self.box])
        self.add_class("ce-question")
        self.box.observe(guard(self._typed), "value")
        self.box.on_msg(guard(self._entered))

    @property
    def question(self) -> str:
        """What is asked, without the space around it."""
        return str(self.box.value).strip()

    def remember(self, question: str) -> None:
        """Put a question that was answered first among the suggestions; the stages of typing it are not kept."""
        kept = [old for old in self.history if old != question and not question.startswith(old)]
        self.history = [question, *kept][:_REMEMBERED]
        self._offer()

    def _typed(self, _: Any) -> None:
        self._offer()
        self._changed(False)

    def _entered(self, _: Any, content: dict[str, Any], __: Any) -> None:
        if content.get("event") == "submit":  # Text.on_submit is deprecated; this is the message behind it
            self._changed(True)

    def _offer(self) -> None:
        typed = str(self.box.value)
        name = _NAME.search(typed)
        found: tuple[str, ...] = ()
        if name is not None and len(name[0]) >= _LEAST:
            found = tuple(typed[: name.start()] + full for full in self._complete(name[0])[:_OFFERED])
        offered = [each for each in (*found, *self.history) if len(each) <= _LONGEST and each != typed]
        self.box.options = tuple(dict.fromkeys(offered))
