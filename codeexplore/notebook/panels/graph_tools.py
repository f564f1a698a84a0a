"""Controls of a long graph: search for a symbol in it, and groups to open and close."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ipywidgets as widgets

from codeexplore.answers.drawing.groups import GROUPINGS
from codeexplore.answers.wording import plural
from codeexplore.notebook.background import CallbackGuard
from codeexplore.notebook.panels.toolbar import Message, button, choice, row


class GraphTools(widgets.VBox):
    """A box to find symbols in the graph, and buttons for its groups. Each is visible only for a graph that needs it.

    Parameters
    ----------
    find
        Function that is called with the typed text when it changes, and returns the number of symbols that match.
    following
        Function that is called to choose the next match.
    group
        Function that is called with the way to group when the user changes it.
    open_group, close_groups
        Functions that are called to open the group of the chosen symbol, and to close all groups.
    open_row
        Function that is called with a row of the list to open the group in it.
    """

    def __init__(
        self,
        find: Callable[[str], int],
        following: Callable[[], None],
        group: Callable[[str], None],
        open_group: Callable[[], None],
        open_row: Callable[[int], None],
        close_groups: Callable[[], None],
        guard: CallbackGuard,
    ) -> None:
        self._find = find
        self.found = Message()
        self.text = widgets.Text(
            description="Find in graph", placeholder="part of a name or path", style={"description_width": "auto"},
            layout=widgets.Layout(width="auto"), tooltip="Mark the symbols whose name or file path contains this text",
        )  # fmt: skip
        self.text.add_class("ce-text")
        self.next_button = button("Next match", "Choose the next symbol that matches")
        self.by = choice(
            "Group by",
            GROUPINGS,
            "What shares a box: symbols of one file or folder (module), or all at one distance from the start",
        )
        self.open_button = button("Open group", "Show what is in the group that is chosen in “Symbols in the graph”")
        self.close_button = button("Close groups", "Show the groups of the first view again")
        self.clicked = widgets.Text(layout=widgets.Layout(display="none"))  # row of the group whose box was clicked
        self.clicked.add_class("ce-open-group")
        self.finding = row([self.text, self.next_button, self.found])
        self.grouping = row([self.by, self.open_button, self.close_button, self.clicked])
        self._shown: list[Any] = []
        super().__init__([])
        self.add_class("ce-graph-tools")
        self.text.observe(guard(lambda _: self._search()), "value")
        self.text.on_msg(guard(lambda _, content, __: following() if content.get("event") == "submit" else None))
        self.next_button.on_click(guard(lambda _: following()))
        self.by.observe(guard(lambda change: group(change["new"])), "value")
        self.open_button.on_click(guard(lambda _: open_group()))
        self.close_button.on_click(guard(lambda _: close_groups()))
        self.clicked.observe(guard(lambda change: self._open_clicked(change["new"], open_row)), "value")

    def offer(self, *, find: bool, grouped: bool, opened: bool) -> None:
        """Show the controls that a graph needs. `opened` is True if a group is open."""
        shown: list[Any] = [*([self.finding] if find else []), *([self.grouping] if grouped else [])]
        if self._shown != shown:
            self.children = self._shown = shown
        self.close_button.disabled = not opened
        self._search()

    def _open_clicked(self, row: str, open_row: Callable[[int], None]) -> None:
        if row:
            self.clicked.value = ""  # so that the next click on this row is a change too
            open_row(int(row))

    def _search(self) -> None:
        text = str(self.text.value).strip()
        count = self._find(text)
        self.next_button.disabled = count < 2
        self.found.show(f"{plural(count, 'symbol')} found" if text else "")
