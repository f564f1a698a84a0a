"""The list of the symbols of a walk, with the source of the selected symbol.

The list makes the symbols of a drawing accessible to keyboards and screen readers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import ipywidgets as widgets

from codeexplore.answers.drawing.groups import Group
from codeexplore.answers.drawing.layout import label
from codeexplore.answers.html.symbol_details import details_html, details_of, group_html
from codeexplore.answers.wording import one_line, shorten
from codeexplore.notebook.background import CallbackGuard
from codeexplore.notebook.panels.toolbar import button, row
from codeexplore.types import Symbol

if TYPE_CHECKING:
    from codeexplore.answers import GraphAnswer

_PATH_CHARS = 40
MOST_ROWS = 12
"""Rows that the list shows without scrolling."""


class ReachedList(widgets.VBox):
    """List of the symbols of a walk, with the source of the selected symbol.

    It lists the start, then the reached symbols by depth, then the symbols that are possible by name only. `reseed` is
    called with the symbol at which the next walk starts.
    """

    def __init__(self, reseed: Callable[[Symbol], None], guard: CallbackGuard) -> None:
        self._answer: GraphAnswer | None = None
        self._groups: dict[str, Group] = {}
        self._reseed = reseed
        self.list = widgets.Select(
            options=(),
            description="Symbols in the graph",
            rows=3,
            style={"description_width": "auto"},
            layout=widgets.Layout(width="auto"),
        )
        self.list.add_class("ce-list")
        self.details = widgets.HTML()
        self.details.add_class("ce-details")
        self.start_button = button("Start here", "Show the graph around the chosen symbol")
        self.start_button.on_click(guard(lambda _: self.start_here()))
        # JupyterLab uses the arrow keys of a focused list itself: Ctrl and an arrow, or these buttons, move in it
        self.previous_button = button("Previous in list", "Choose the row above in the list")
        self.next_button = button("Next in list", "Choose the row below in the list")
        self.previous_button.on_click(guard(lambda _: self._step(-1)))
        self.next_button.on_click(guard(lambda _: self._step(1)))
        self.list.observe(guard(lambda _: self._show_details()), "value")
        left = widgets.VBox([self.list, row([self.start_button, self.previous_button, self.next_button])])
        left.add_class("ce-reached-list")
        super().__init__([])
        self._whole = widgets.HBox([left, self.details], layout=widgets.Layout(flex_flow="row wrap"))
        self.add_class("ce-reached")

    @property
    def chosen(self) -> Symbol | None:
        if self._answer is None or self.list.value is None or self.list.value in self._groups:
            return None
        return self._answer.catalog.symbol(self.list.value)

    @property
    def group(self) -> Group | None:
        """The group that is selected in the list, or that has the selected symbol; None if there is none."""
        return self.group_of(self.list.value)

    def group_of(self, each: str | None) -> Group | None:
        """Return the group with an id, or that has the symbol with that id; None if there is none."""
        return self._groups.get(each or "") or next(
            (group for group in self._groups.values() if each in group.symbols), None
        )

    def show(self, answer: GraphAnswer | None, groups: Sequence[Group] = ()) -> None:
        """List the groups and symbols of a graph. A selected symbol stays if `answer` was listed with other groups."""
        before = self.list.value if answer is self._answer else None
        self._answer, self._groups = answer, {group.id: group for group in groups}
        options = [] if answer is None else _options(answer, groups)
        ids = [each for _, each in options]
        with self.list.hold_sync():  # sent as one message: a selection between two messages would be lost
            self.list.options = options
            self.list.rows = max(2, min(MOST_ROWS, len(options)))
            self.list.index = (ids.index(before) if before in ids else 0) if options else None
        self.children = [self._whole] if options else []
        self._show_details()

    def matches(self, text: str) -> list[int]:
        """Return the rows of the symbols whose label in the list contains `text`, ignoring case."""
        sought = text.casefold()
        rows = enumerate(self.list.options)
        return [row for row, (label, each) in rows if sought in label.casefold() and each not in self._groups]

    def start_here(self) -> None:
        chosen = self.chosen
        if chosen is not None:
            self._reseed(chosen)

    def _step(self, by: int) -> None:
        if self.list.index is not None:
            self.list.index = max(0, min(len(self.list.options) - 1, self.list.index + by))

    def _show_details(self) -> None:
        chosen, group = self.chosen, self._groups.get(self.list.value or "")
        self.start_button.disabled = chosen is None
        if group is not None and self._answer is not None:
            self.details.value = group_html(self._answer, group)
            return
        if chosen is None or self._answer is None:
            self.details.value = ""
            return
        self.start_button.disabled = chosen in self._answer.seeds
        self.details.value = details_html(details_of(self._answer, chosen.id))


def rows_of(answer: GraphAnswer, groups: Sequence[Group] = ()) -> dict[str, int]:
    return {each: row for row, (_, each) in enumerate(_options(answer, groups))}


def _options(answer: GraphAnswer, groups: Sequence[Group] = ()) -> list[tuple[str, str]]:
    """Return (label, id) of each row of the list: the start, the groups, then the symbols by depth."""
    rows = [("start", symbol) for symbol in answer.seeds]
    rows += [(str(reached.depth), symbol) for symbol, reached in zip(answer.symbols, answer.reached, strict=True)]
    listed = {symbol.id for _, symbol in rows}
    for edge in answer.possible:
        for end in (edge.source, edge.target):
            if end not in listed:
                listed.add(end)
                rows.append(("possible", answer.catalog.symbol(end)))
    listed_symbols = [(f"{depth}  {label(symbol)}  {_place(symbol)}", symbol.id) for depth, symbol in rows]
    listed_groups = [(f"group  {shorten(group.label, _PATH_CHARS)}", group.id) for group in groups]
    starts = len(answer.seeds)
    return [*listed_symbols[:starts], *listed_groups, *listed_symbols[starts:]]


def _place(symbol: Symbol) -> str:
    return shorten(f"{one_line(symbol.path)}:{symbol.line}", _PATH_CHARS)
