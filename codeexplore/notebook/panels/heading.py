"""The explorer's first line: the open repository, and buttons for the whole view."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import ipywidgets as widgets

from codeexplore.html import components
from codeexplore.html.code import source_html
from codeexplore.html.elements import tag
from codeexplore.notebook.guard import Guard
from codeexplore.notebook.panels.controls import button, row
from codeexplore.results.text.clip import cut, one_line
from codeexplore.results.text.phrases import plural

if TYPE_CHECKING:
    from codeexplore.workspace.workspace import Workspace


class Heading(widgets.VBox):
    """Name and size of the repository; buttons to open another one, pin the answer, show its Python code."""

    def __init__(self, load: Any, pin: Callable[[], None], code: Callable[[], str], guard: Guard) -> None:
        self._load, self._code = load, code
        self.title = widgets.HTML()
        self.title.add_class("ce-title")
        self.open_button = button("Open…", "Open another repository")
        self.pin_button = button("Pin", "Save this answer below, as part of the notebook")
        self.code_button = button("Code", "Show the Python code for this view")
        self.shown_code = widgets.HTML()
        style = widgets.HTML(components.explorer_style())
        buttons = (self.open_button, self.code_button, self.pin_button)
        super().__init__([style, row([self.title, *buttons], "ce-heading")])
        self.open_button.on_click(guard(lambda _: self._toggle(self._load)))
        self.pin_button.on_click(guard(lambda _: pin()))
        self.code_button.on_click(guard(lambda _: self._toggle_code()))

    def show(self, workspace: Workspace | None) -> None:
        """Show what is open; when nothing is, the box that opens a repository."""
        if workspace is None:
            self.title.value = components.page(tag("b", "Explore"), components.dim(" · nothing open"))
            self._with(self._load, True)
            return
        summary = workspace.summary
        told = f"{plural(sum(summary.files.values()), 'file')}, {plural(sum(summary.symbols.values()), 'symbol')}"
        name = tag("b", cut(one_line(workspace.name), 80))
        self.title.value = components.page("Explore ", name, components.dim(f" · {told}"))
        self._with(self._load, False)

    def renew_code(self) -> None:
        """Something else is on display: where code is shown, show the code of that."""
        if self.shown_code in self._shown():
            self._write_code()

    def _toggle_code(self) -> None:
        self._write_code()
        self._toggle(self.shown_code)

    def _write_code(self) -> None:
        lines = list(enumerate(self._code().split("\n"), 1))
        self.shown_code.value = components.page(source_html(lines, "python"))

    def _toggle(self, part: Any) -> None:
        self._with(part, part not in self._shown())

    def _with(self, part: Any, shown: bool) -> None:
        others = [child for child in self._shown() if child is not part]
        self.children = [*others, part] if shown else others

    def _shown(self) -> list[Any]:
        children: Any = self.children
        return list(children)
