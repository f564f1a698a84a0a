"""Buttons for the symbols that an ambiguous name may mean: one for each symbol, and one for all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ipywidgets as widgets

from codeexplore.answers.clip import cut, one_line, shorten
from codeexplore.answers.drawing.layout import label
from codeexplore.notebook.background import CallbackGuard
from codeexplore.notebook.panels.toolbar import button, row
from codeexplore.types import Symbol

_MOST = 8  # maximal number of buttons; the dropdown lists all symbols
_NAME_CHARS = 60


class Choices(widgets.VBox):
    """Row of buttons to choose among the symbols of an ambiguous name. It is empty if the name means one symbol.

    Parameters
    ----------
    start
        Function that is called with the chosen symbols, at which the walk starts.
    guard
        Wrapper of the callbacks.
    """

    children: tuple[Any, ...]  # ipywidgets' trait

    def __init__(self, start: Callable[[tuple[Symbol, ...]], None], guard: CallbackGuard) -> None:
        self._start, self._guard = start, guard
        super().__init__([])
        self.add_class("ce-choices")

    def offer(self, names: Sequence[str], symbols: Sequence[Symbol]) -> None:
        """Show a button for each symbol that the name in a question may mean. `names` are the names in the question."""
        distinct = tuple(dict.fromkeys(symbols))
        if len(names) != 1 or len(distinct) < 2:
            self.children = ()
            return
        shown = [self._button(_title(symbol), one_line(symbol.fqn), (symbol,)) for symbol in distinct[:_MOST]]
        everything = self._button(f"All {len(distinct)}", "Show the graph around all of them", distinct)
        label = widgets.Label(f"{cut(one_line(names[0]), _NAME_CHARS)} may mean:")
        self.children = (row([label, *shown, everything]),)

    def _button(self, title: str, tooltip: str, symbols: tuple[Symbol, ...]) -> Any:
        made = button(title, tooltip)
        made.on_click(self._guard(lambda _: self._start(symbols)))
        return made


def _title(symbol: Symbol) -> str:
    return f"{label(symbol)} ({shorten(one_line(symbol.path), 30)}:{symbol.line})"
