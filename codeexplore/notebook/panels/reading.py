"""How the question was read, in words, and the choices of the reading that may be overruled."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import ipywidgets as widgets

from codeexplore.notebook.guard import Guard
from codeexplore.notebook.panels.controls import button, choice, row
from codeexplore.render.reading import reading_page
from codeexplore.types import RELATIONS

if TYPE_CHECKING:
    from codeexplore.views import SearchAnswer

# values of a dropdown: None would mean that nothing is chosen
_AS_READ: tuple[str, Any] = ("as read", "")
_DIRECTIONS = (("to it", "in"), ("from it", "out"), ("both ways", "both"))


class ReadingPanel(widgets.VBox):
    """The planner's reading; relation, direction and depth may be chosen instead."""

    def __init__(self, changed: Callable[[bool], None], reset: Callable[[], None], guard: Guard) -> None:
        self._changed = changed
        self.words = widgets.HTML()
        self.relation = choice("Relation", [_AS_READ, *((name, name) for name in RELATIONS)], "What is asked of it")
        self.direction = choice("Direction", [_AS_READ, *_DIRECTIONS], "Which way edges are followed")
        self.depth = choice("Depth", [_AS_READ, *((str(n), n) for n in range(1, 11))], "Edges away")
        self.reset_button = button("As read", "Leave lanes, weights and these to the planner again")
        self.reset_button.on_click(guard(lambda _: reset()))
        controls = row([self.relation, self.direction, self.depth, self.reset_button], "ce-overrule")
        super().__init__([self.words, controls])
        self.add_class("ce-reading")
        for control in self._controls():
            control.observe(guard(lambda _: self._changed(True)), "value")

    @property
    def mine(self) -> bool:
        """Whether anything here was chosen by a person."""
        return any(control.value for control in self._controls())

    def chosen(self) -> dict[str, Any]:
        """Relation, direction and depth; None for those that are left to the planner."""
        return {
            "relation": self.relation.value or None,
            "direction": self.direction.value or None,
            "depth": self.depth.value or None,
        }

    def show(self, answer: SearchAnswer) -> None:
        """Tell how the question was read."""
        self.words.value = reading_page(answer.plan)

    def clear(self) -> None:
        """Tell nothing."""
        self.words.value = ""

    def leave(self) -> None:
        """Leave every choice to the planner again; asks as often as that changes something."""
        for control in self._controls():
            control.value = ""

    def _controls(self) -> tuple[Any, ...]:
        return self.relation, self.direction, self.depth
