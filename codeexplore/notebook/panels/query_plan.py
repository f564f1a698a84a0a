"""The query plan in words, and controls that change parts of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import ipywidgets as widgets

from codeexplore.answers.html.show import reading_html
from codeexplore.notebook.background import CallbackGuard
from codeexplore.notebook.panels.toolbar import button, choice, row
from codeexplore.types import RELATIONS

if TYPE_CHECKING:
    from codeexplore.answers import SearchAnswer

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
