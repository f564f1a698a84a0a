"""The question box: it searches on Enter and after a pause in typing, and suggests symbols and past questions."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import ipywidgets as widgets

from codeexplore.notebook.background import CallbackGuard

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
    because browsers remove the line breaks of text that is pasted into a box of one line. `changed` is called with True
    on Enter, with False while the user types.
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
            value=False,
            description="Paste a report",
            tooltip="Open a larger box for text of several lines, such as a bug report or a stack trace",
            layout=widgets.Layout(width="auto"),
        )
        self.report = widgets.Textarea(
            description="Bug report",
            style={"description_width": "auto"},
            placeholder="an issue, an error message or a stack trace",
            rows=8,
            layout=widgets.Layout(width="100%", display="none"),
        )
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
        return str(self.report.value if self.paste.value else self.box.value).strip()

    def remember(self, question: str) -> None:
        """Put an answered question first among the suggestions, without those saved while it was typed."""
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
