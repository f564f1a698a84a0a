"""Walks from a symbol, drawn and listed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import ipywidgets as widgets

from codeexplore.notebook.latest import Latest
from codeexplore.notebook.panels.message import Message
from codeexplore.types import Symbol
from codeexplore.views.visible import one_line, shorten

if TYPE_CHECKING:
    from codeexplore.workspace.workspace import Workspace

WALKS = ("callers", "callees", "implementors", "impact")
_DEEP = ("callers", "callees", "impact")  # those that take a depth
_LABEL_CHARS = 90


class Walk(NamedTuple):
    """What is to be drawn."""

    symbol: Symbol
    relation: str
    depth: int


class CallersPanel(widgets.VBox):
    """Choose one of the symbols found, a relation and a depth, and draw. Once drawn, changes draw anew."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._drawn = False
        self._symbols: dict[str, Symbol] = {}
        self._latest: Latest[Walk, str] = Latest(self._work, self._show, self._fail)
        auto = {"description_width": "auto"}
        self.symbol = widgets.Dropdown(
            options=(),
            description="Symbol",
            style=auto,
            layout=widgets.Layout(flex="1 1 240px", width="auto", min_width="0"),
        )
        self.relation = widgets.Dropdown(
            options=WALKS, description="Walk", style=auto, layout=widgets.Layout(width="auto", margin="2px 12px")
        )
        self.depth = widgets.BoundedIntText(
            value=1, min=1, max=10, description="Depth", style=auto, layout=widgets.Layout(width="110px")
        )
        self.draw = widgets.Button(
            description="Draw",
            tooltip="Draw the walk from this symbol",
            icon="sitemap",
            layout=widgets.Layout(width="auto"),
        )
        self.message = Message()
        self.graph = widgets.HTML()
        row = widgets.Layout(flex_flow="row wrap", align_items="center")
        controls = widgets.HBox([self.symbol, self.relation, self.depth, self.draw], layout=row)
        super().__init__([controls, self.message, self.graph])
        self.draw.on_click(lambda _: self.start())
        for control in (self.symbol, self.relation, self.depth):
            control.observe(self._again, "value")
        self.offer(())

    def offer(self, symbols: Sequence[Symbol]) -> None:
        """List these symbols; the one that was chosen stays so when it is among them. Draws nothing by itself."""
        chosen = self.symbol.value
        drawn, self._drawn = self._drawn, False
        self._symbols = {symbol.id: symbol for symbol in symbols}
        self.symbol.options = [(_label(symbol), symbol.id) for symbol in symbols]
        ids = list(self._symbols)  # a dropdown that was empty once selects nothing by itself
        self.symbol.index = ids.index(chosen) if chosen in self._symbols else 0 if ids else None
        self._drawn = drawn
        self.draw.disabled = not self._symbols

    def start(self) -> None:
        """Draw what is chosen, in the background."""
        symbol = self._symbols.get(self.symbol.value)
        if symbol is None:
            self.message.tell("Ask a question first: its symbols can be drawn.")
            return
        self._drawn = True
        self._latest.ask(Walk(symbol, self.relation.value, self.depth.value))

    def _again(self, _: object) -> None:
        if self._drawn:
            self.start()

    def settle(self, timeout: float = 30.0) -> bool:
        """Wait until what was started is drawn."""
        return self._latest.settle(timeout)

    def close(self) -> None:
        """Stop drawing."""
        self._latest.forget()
        super().close()

    def _work(self, walk: Walk) -> str:
        from codeexplore.render.graph import drawing_html
        from codeexplore.render.subgraph import graph_answer_html

        depth = {"depth": walk.depth} if walk.relation in _DEEP else {}
        answer = getattr(self._workspace, walk.relation)(walk.symbol, **depth)
        return graph_answer_html(answer, drawing_html(answer))

    def _show(self, markup: str) -> None:
        self.message.value = ""
        self.graph.value = markup

    def _fail(self, error: Exception) -> None:
        self.graph.value = ""
        self.message.alert(error)


def _label(symbol: Symbol) -> str:
    return shorten(f"{one_line(symbol.fqn)}  ({symbol.kind}, {one_line(symbol.path)}:{symbol.line})", _LABEL_CHARS)
