"""Where the walks have been: a button for each start so far, the last one being the present."""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets as widgets

from codeexplore.html.drawing.layout import label
from codeexplore.notebook.guard import Guard
from codeexplore.notebook.panels.controls import button, row
from codeexplore.types import Symbol

_SHOWN = 6


class Trail(widgets.HBox):
    """The starts that led here. `go` is called with the one that is gone back to."""

    def __init__(self, go: Callable[[Symbol], None], guard: Guard) -> None:
        self._go, self._guard = go, guard
        self.symbols: tuple[Symbol, ...] = ()
        super().__init__([])
        self.add_class("ce-trail")

    def start(self, symbol: Symbol | None) -> None:
        """Begin anew."""
        self.symbols = () if symbol is None else (symbol,)
        self._draw()

    def push(self, symbol: Symbol) -> None:
        """Go on to a symbol."""
        if self.symbols[-1:] != (symbol,):
            self.symbols = (*self.symbols, symbol)
            self._draw()

    def back(self) -> None:
        """Go back one step, if there is one."""
        if len(self.symbols) > 1:
            self._return(len(self.symbols) - 2)

    def _return(self, place: int) -> None:
        self.symbols = self.symbols[: place + 1]
        self._draw()
        self._go(self.symbols[-1])

    def _draw(self) -> None:
        earlier = list(enumerate(self.symbols[:-1]))[-_SHOWN:]
        if not earlier:
            self.children = []
            return
        back = button("Back", "Back to the start before")
        back.on_click(self._guard(lambda _: self.back()))
        crumbs = [self._crumb(place, symbol) for place, symbol in earlier]
        here = widgets.Label(label(self.symbols[-1]))
        self.children = [row([back, *crumbs, here], "ce-crumbs")]

    def _crumb(self, place: int, symbol: Symbol) -> widgets.Button:
        made = button(f"{label(symbol)} ›", f"Back to {label(symbol)}")
        made.on_click(self._guard(lambda _: self._return(place)))
        return made
