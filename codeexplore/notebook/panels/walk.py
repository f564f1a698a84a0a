"""Controls of a walk along the edges of the graph: start symbol, direction, depth and kinds of edges.

`Trail` has a button for each previous start of the walk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import ipywidgets as widgets

from codeexplore.answers.drawing.layout import label
from codeexplore.answers.wording import one_line, shorten
from codeexplore.graph.traversal import RELATING
from codeexplore.notebook.background import CallbackGuard
from codeexplore.notebook.config import ASK, LAB
from codeexplore.notebook.panels.toolbar import Fold, button, checkbox, choice, fraction, number, row
from codeexplore.notebook.requests import DEEP, PATH, WALKS, Walk
from codeexplore.types import Symbol, settings

if TYPE_CHECKING:
    from codeexplore.types import QueryPlan

_SHOWN = 6


class Trail(widgets.HBox):
    """Buttons for the previous start symbols of the walk. `go` is called with the symbol whose button is pressed."""

    def __init__(self, go: Callable[[Symbol], None], guard: CallbackGuard) -> None:
        self._go, self._guard = go, guard
        self.symbols: tuple[Symbol, ...] = ()
        super().__init__([])
        self.add_class("ce-trail")

    def start(self, symbol: Symbol | None) -> None:
        self.symbols = () if symbol is None else (symbol,)
        self._draw()

    def push(self, symbol: Symbol) -> None:
        if self.symbols[-1:] != (symbol,):
            self.symbols = (*self.symbols, symbol)
            self._draw()

    def back(self) -> None:
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
        back = button("Back", "Back to the previous start")
        back.on_click(self._guard(lambda _: self.back()))
        crumbs = [self._crumb(place, symbol) for place, symbol in earlier]
        here = widgets.Label(label(self.symbols[-1]))
        self.children = [row([back, *crumbs, here], "ce-crumbs")]

    def _crumb(self, place: int, symbol: Symbol) -> widgets.Button:
        made = button(f"{label(symbol)} ›", f"Back to {label(symbol)}")
        made.on_click(self._guard(lambda _: self._return(place)))
        return made


_LABEL_CHARS = 90
_KINDS = {
    "CALLS": "Follow edges from a symbol to one that it calls",
    "IMPLEMENTS": "Follow edges from a class to an interface that it implements",
    "EXTENDS": "Follow edges from a class to one that it inherits from",
    "OVERRIDES": "Follow edges from a method to the inherited method that it replaces",
    "USES": "Follow edges from a symbol to one that it mentions without a call",
}


class WalkPanel(widgets.VBox):
    """Controls of a walk: symbol, relation, depth, kinds of edges, confidence and tests.

    `changed` is called when the walk changes, `chosen` with the symbol that the user selects in the dropdown, and
    `draw` when the user requests the drawing to drag and zoom.
    """

    def __init__(
        self,
        changed: Callable[[], None],
        chosen: Callable[[Symbol], None],
        draw: Callable[[], None],
        guard: CallbackGuard,
    ) -> None:
        self._changed, self._showing, self._kinds_mine = changed, False, False
        self._symbols: dict[str, Symbol] = {}
        self._others: tuple[Symbol, ...] = ()  # further start symbols
        self.symbol = choice("Symbol", (), "The symbol at the centre of the graph")
        self.symbol.add_class("ce-wide")
        self._target: Symbol | None = None  # the end of the requested path
        self.walk = choice(
            "Show",
            tuple(WALKS),
            "Which symbols to draw around the symbol below; impact: all that depends on it, callers of callers too",
        )
        self.depth = number("Steps", 1, 1, 10, "How many steps to draw from the symbol; 2: the callers of callers too")
        self.confidence = fraction(
            "Minimum confidence",
            settings.RESOLVED_CONFIDENCE,
            0.0,
            1.0,
            0.05,
            "Leave out edges that are less certain, from 0 (a guess) to 1 (sure). Dashed edges may be wrong",
        )
        self.tests = checkbox("include tests", "Show uses in test files too", value=True)
        self.kinds = {kind: checkbox(kind, tooltip, value=False) for kind, tooltip in _KINDS.items()}
        self.draw_button = button("Drag and zoom", "Replace the picture by a drawing to drag and zoom")
        edges = row([widgets.Label("Edges"), *self.kinds.values()], "ce-edges")
        self.fold = Fold(
            "Graph options",
            "Kinds of edges, confidence, tests",
            [row([self.confidence, self.tests, self.draw_button]), edges],
        )
        self._first = row([self.walk], "ce-walk")
        self._second = row([self.symbol], "ce-walk-symbol")
        super().__init__([])
        self.arrange(ASK)
        self.symbol.observe(
            guard(lambda _: None if self._showing else chosen(self._symbols[self.symbol.value])), "value"
        )
        self.walk.observe(guard(self._other_walk), "value")
        for control in (self.depth, self.confidence, self.tests):
            control.observe(guard(self._touched), "value")
        for box in self.kinds.values():
            box.observe(guard(self._touched_kinds), "value")
        self.draw_button.on_click(guard(lambda _: draw()))
        self._show_kinds()

    def arrange(self, view: str) -> None:
        """Show the controls of a view: relation and symbol in Ask, all controls in Lab. They keep their values."""
        lab = view == LAB
        self._first.children = (self.walk, self.depth, self.fold.button) if lab else (self.walk,)
        self.children = (self._first, self._second, self.fold) if lab else (self._first, self._second)

    def offer(self, symbols: Sequence[Symbol], chosen: Symbol | None, others: tuple[Symbol, ...] = ()) -> None:
        """Show `symbols`, select `chosen`, and start at `others` too. `changed` is not called."""
        self._others = others
        with self._quietly(), self.symbol.hold_sync():
            first = () if chosen is None or chosen in symbols else (chosen,)
            self._symbols = {symbol.id: symbol for symbol in (*first, *symbols)}
            self.symbol.options = [(_label(symbol), symbol.id) for symbol in self._symbols.values()]
            ids = list(self._symbols)  # selected by index, because a dropdown that was empty selects nothing itself
            self.symbol.index = ids.index(chosen.id) if chosen is not None else None
            self.draw_button.disabled = not ids

    def follow(self, plan: QueryPlan, target: Symbol | None) -> None:
        """Select the relation for which the question asks, or callers if it asks for none. `changed` is not called.

        If the question asks for a path, `target` is the end of the path.
        """
        with self._quietly():
            self._target = target
            self.walk.options = (PATH, *WALKS) if target is not None else tuple(WALKS)
            self.walk.value = _walk_of(plan) if target is None else PATH
            asked_for = plan.relation is not None and self.walk.value in DEEP
            self.depth.value = max(1, min(10, plan.depth)) if asked_for else 1
            self._show_kinds()

    def chosen(self) -> Walk | None:
        """Return the walk that the controls describe; None if there is no start symbol."""
        symbol = self._symbols.get(self.symbol.value)
        if symbol is None:
            return None
        kinds = tuple(kind for kind, box in self.kinds.items() if box.value) if self._kinds_mine else None
        ends: tuple[Symbol | None, tuple[Symbol, ...]] = (None, self._others)
        if self.walk.value == PATH:
            ends = (self._target, ())
        walk, depth, confidence = self.walk.value, self.depth.value, self.confidence.value
        return Walk(symbol, walk, depth, confidence, bool(self.tests.value), kinds, *ends)

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        return tuple(self._symbols.values())

    def _other_walk(self, _: Any) -> None:
        if not self._showing:
            with self._quietly():
                self._show_kinds()
            self._changed()

    def _touched(self, _: Any) -> None:
        if not self._showing:
            self._changed()

    def _touched_kinds(self, _: Any) -> None:
        if not self._showing:
            self._kinds_mine = True
            self._changed()

    def _show_kinds(self) -> None:
        """Tick the kinds of edges that the relation follows by default, unless the user has changed a tick."""
        self._kinds_mine = False
        own = ("CALLS",) if self.walk.value == PATH else RELATING[WALKS[self.walk.value][0]].kinds
        with self._quietly():
            for kind, box in self.kinds.items():
                box.value = kind in own
        self.depth.disabled = self.walk.value not in DEEP

    @contextmanager
    def _quietly(self) -> Iterator[None]:
        before, self._showing = self._showing, True
        try:
            yield
        finally:
            self._showing = before


def _walk_of(plan: QueryPlan) -> str:
    """Return the name of the walk for a question's relation; "callers" if no walk shows the relation."""
    relation = plan.relation or "callers"
    if (relation, plan.direction) in (("callers", "out"), ("callees", "in")):
        relation = "callees" if relation == "callers" else "callers"
    return relation if relation in WALKS else "callers"


def _label(symbol: Symbol) -> str:
    return shorten(f"{one_line(symbol.fqn)}  ({symbol.kind}, {one_line(symbol.path)}:{symbol.line})", _LABEL_CHARS)
