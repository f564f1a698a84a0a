"""How the question was read, in words, and the choices of the reading that may be overruled."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import ipywidgets as widgets

from codeexplore.html.search import reading_page
from codeexplore.notebook.guard import Guard
from codeexplore.notebook.panels.controls import button, choice, row
from codeexplore.types import RELATIONS

if TYPE_CHECKING:
    from codeexplore.results import SearchAnswer

# values of a dropdown: None would mean that nothing is chosen
_PLANNED: tuple[str, Any] = ("automatic", "")
_DIRECTIONS = (("towards it", "in"), ("away from it", "out"), ("both", "both"))


class ReadingPanel(widgets.VBox):
    """How the question was understood. `controls` choose relation, direction and depth instead of the planner."""

    def __init__(self, changed: Callable[[bool], None], reset: Callable[[], None], guard: Guard) -> None:
        self._changed = changed
        self.words = widgets.HTML()
        self.relation = choice(
            "Relation", [_PLANNED, *((name, name) for name in RELATIONS)], "The relation that the question asks for"
        )
        self.direction = choice("Direction", [_PLANNED, *_DIRECTIONS], "Which way edges of the graph are followed")
        self.depth = choice(
            "Depth", [_PLANNED, *((str(n), n) for n in range(1, 11))], "How many edges away from the start"
        )
        self.reset_button = button("Reset to automatic", "Let the planner choose lanes, weights and relation again")
        self.reset_button.add_class("ce-reset")
        self.reset_button.on_click(guard(lambda _: reset()))
        self.controls = row([self.relation, self.direction, self.depth], "ce-overrule")
        super().__init__([self.words])
        self.add_class("ce-reading")
        for control in self._controls():
            control.observe(guard(lambda _: self._changed(True)), "value")

    @property
    def mine(self) -> bool:
        """Return whether a person chose anything here."""
        return any(control.value for control in self._controls())

    def chosen(self) -> dict[str, Any]:
        """Relation, direction and depth; None for those that are left to the planner."""
        return {
            "relation": self.relation.value or None,
            "direction": self.direction.value or None,
            "depth": self.depth.value or None,
        }

    def show(self, answer: SearchAnswer) -> None:
        """Show how the question was understood."""
        self.words.value = reading_page(answer.plan)

    def clear(self) -> None:
        """Show nothing."""
        self.words.value = ""

    def leave(self) -> None:
        """Leave every choice to the planner again; asks as often as that changes something."""
        for control in self._controls():
            control.value = ""

    def _controls(self) -> tuple[Any, ...]:
        return self.relation, self.direction, self.depth
