"""The list beside a drawing: what the drawing shows, for keyboards and screen readers, and the way to a new start."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import ipywidgets as widgets

from codeexplore.html.drawing.layout import label
from codeexplore.html.symbol_details import details_html, details_of
from codeexplore.notebook.guard import Guard
from codeexplore.notebook.panels.controls import button, row
from codeexplore.results.text.clip import one_line, shorten
from codeexplore.types import Symbol

if TYPE_CHECKING:
    from codeexplore.results import GraphAnswer

_PATH_CHARS = 40
_MOST_ROWS = 12


class ReachedList(widgets.VBox):
    """The start, the symbols that were reached by depth, then those possible by name; the source of the chosen one.

    Parameters
    ----------
    reseed
        Called with the symbol that the next walk is to start from.
    """

    def __init__(self, reseed: Callable[[Symbol], None], guard: Guard) -> None:
        self._answer: GraphAnswer | None = None
        self._reseed = reseed
        self.list = widgets.Select(
            options=(), description="Symbols in the graph", rows=3, style={"description_width": "auto"},
            layout=widgets.Layout(width="auto"),
        )  # fmt: skip
        self.list.add_class("ce-list")
        self.details = widgets.HTML()
        self.details.add_class("ce-details")
        self.start_button = button("Start here", "Show the graph around the chosen symbol")
        self.start_button.on_click(guard(lambda _: self.start_here()))
        # JupyterLab takes the plain arrow keys of a focused list for itself; Ctrl and an arrow, or these, move in it
        self.previous_button = button("Previous", "Choose the previous symbol")
        self.next_button = button("Next", "Choose the next symbol")
        self.previous_button.on_click(guard(lambda _: self._step(-1)))
        self.next_button.on_click(guard(lambda _: self._step(1)))
        self.list.observe(guard(lambda _: self._tell()), "value")
        left = widgets.VBox([self.list, row([self.start_button, self.previous_button, self.next_button])])
        left.add_class("ce-reached-list")
        super().__init__([])
        self._whole = widgets.HBox([left, self.details], layout=widgets.Layout(flex_flow="row wrap"))
        self.add_class("ce-reached")

    @property
    def chosen(self) -> Symbol | None:
        """The symbol chosen in the list."""
        if self._answer is None or self.list.value is None:
            return None
        return self._answer.catalog.symbol(self.list.value)

    def show(self, answer: GraphAnswer | None) -> None:
        """List what a walk reached; nothing for None."""
        self._answer = answer
        options = [] if answer is None else _options(answer)
        with self.list.hold_sync():  # one message: a choice made in between would be lost
            self.list.options = options
            self.list.rows = max(2, min(_MOST_ROWS, len(options)))
            self.list.index = 0 if options else None
        self.children = [self._whole] if options else []
        self._tell()

    def start_here(self) -> None:
        """Walk from the chosen symbol."""
        chosen = self.chosen
        if chosen is not None:
            self._reseed(chosen)

    def _step(self, by: int) -> None:
        if self.list.index is not None:
            self.list.index = max(0, min(len(self.list.options) - 1, self.list.index + by))

    def _tell(self) -> None:
        chosen = self.chosen
        if chosen is None or self._answer is None:
            self.details.value = ""
            return
        self.start_button.disabled = chosen in self._answer.seeds
        self.details.value = details_html(details_of(self._answer, chosen.id))


def rows_of(answer: GraphAnswer) -> dict[str, int]:
    """Return the row of every symbol in the list of an answer, by symbol id."""
    return {symbol_id: row for row, (_, symbol_id) in enumerate(_options(answer))}


def _options(answer: GraphAnswer) -> list[tuple[str, str]]:
    """(label, symbol id) of each symbol; in the order of the list."""
    rows = [("start", symbol) for symbol in answer.seeds]
    rows += [(str(reached.depth), symbol) for symbol, reached in zip(answer.symbols, answer.reached, strict=True)]
    listed = {symbol.id for _, symbol in rows}
    for edge in answer.possible:
        for end in (edge.source, edge.target):
            if end not in listed:
                listed.add(end)
                rows.append(("possible", answer.catalog.symbol(end)))
    return [(f"{depth}  {label(symbol)}  {_place(symbol)}", symbol.id) for depth, symbol in rows]


def _place(symbol: Symbol) -> str:
    return shorten(f"{one_line(symbol.path)}:{symbol.line}", _PATH_CHARS)
