"""The call graph around a symbol: a drawing, and a list of its symbols.

The list makes the symbols accessible to keyboards and screen readers. A new walk can start at each of them.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import ipywidgets as widgets

from codeexplore.html.drawing.groups import Group
from codeexplore.html.drawing.layout import grouped, label
from codeexplore.html.symbol_details import details_html, details_of, group_html
from codeexplore.notebook.background import CallbackGuard, LatestTask
from codeexplore.notebook.panels.choices import Choices
from codeexplore.notebook.panels.graph_tools import GraphTools
from codeexplore.notebook.panels.toolbar import Message, button, row
from codeexplore.notebook.panels.walk import Trail, WalkPanel
from codeexplore.notebook.requests import Walk, graph_of
from codeexplore.results.text.clip import one_line, shorten
from codeexplore.types import TEXT_KINDS, Symbol

if TYPE_CHECKING:
    from codeexplore.index.catalog import Catalog
    from codeexplore.results import GraphAnswer, PathsAnswer, SearchAnswer
    from codeexplore.workspace.workspace import Workspace


_PATH_CHARS = 40
_MOST_ROWS = 12


class ReachedList(widgets.VBox):
    """List of the symbols of a walk, with the source of the selected symbol.

    It lists the start, then the reached symbols by depth, then the symbols that are possible by name only.

    Parameters
    ----------
    reseed
        Function that is called with the symbol at which the next walk starts.
    """

    def __init__(self, reseed: Callable[[Symbol], None], guard: CallbackGuard) -> None:
        self._answer: GraphAnswer | None = None
        self._groups: dict[str, Group] = {}
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
        """The symbol selected in the list; None if none is selected."""
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
        """List the groups and the symbols of a graph. With None the list is empty.

        The selected symbol stays selected if `answer` was listed before, with other groups.
        """
        before = self.list.value if answer is self._answer else None
        self._answer, self._groups = answer, {group.id: group for group in groups}
        options = [] if answer is None else _options(answer, groups)
        ids = [each for _, each in options]
        with self.list.hold_sync():  # sent as one message: a selection between two messages would be lost
            self.list.options = options
            self.list.rows = max(2, min(_MOST_ROWS, len(options)))
            self.list.index = (ids.index(before) if before in ids else 0) if options else None
        self.children = [self._whole] if options else []
        self._show_details()

    def matches(self, text: str) -> list[int]:
        """Return the rows of the symbols whose label in the list contains `text`, ignoring case."""
        sought = text.casefold()
        rows = enumerate(self.list.options)
        return [row for row, (label, each) in rows if sought in label.casefold() and each not in self._groups]

    def start_here(self) -> None:
        """Start a walk at the selected symbol."""
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
    """Return the id of a symbol or group → row in the list that shows `answer`."""
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


_COMING = "The call graph is still being built; it is shown here when it is ready."


class Walking(NamedTuple):
    """A requested walk, its workspace, the kind of drawing, and the groups to open in it.

    `known` is the answer of the same walk, if it is displayed already: then only the drawing is new.
    """

    workspace: Workspace
    walk: Walk
    live: bool
    by: str
    opened: frozenset[str] = frozenset()
    known: GraphAnswer | PathsAnswer | None = None


class Walked(NamedTuple):
    """The result of a walk: its graph, and the HTML that shows it."""

    walk: Walk
    answer: GraphAnswer
    markup: str
    pinned: GraphAnswer | PathsAnswer  # the answer of the workspace, which for paths is a PathsAnswer
    groups: tuple[Group, ...] = ()


class CallersPanel(widgets.VBox):
    """Panel to choose a symbol and a walk, and to see its graph.

    Each walk is shown as a picture. The user can replace the picture by a drawing to drag and zoom. Later walks are
    then shown as such a drawing too.

    Parameters
    ----------
    changed
        Function that is called when another walk, or no walk, is displayed.
    guard
        Wrapper of the callbacks.
    """

    def __init__(self, changed: Callable[[], None], guard: CallbackGuard) -> None:
        self._changed = changed
        self._workspace: Workspace | None = None
        self._catalog: Catalog | None = None  # catalog of the displayed answer
        self._live = False
        self._question = ""
        self._walked: Walked | None = None
        self._opened: frozenset[str] = frozenset()
        self._matches: list[int] = []  # rows of the list that the search found
        self._latest: LatestTask[Walking, Walked] = LatestTask(_work, self._show, self._fail, guard.lock)
        self.controls = WalkPanel(self.start, self._begin, self.draw, guard)
        self.trail = Trail(self._go, guard)
        self.choices = Choices(self._begin_at, guard)
        self.message = Message()
        self.lower_button = button(
            "Show less certain paths",
            "Lower the minimum confidence, so that chains of less certain calls are drawn too",
        )
        self.lower_button.on_click(guard(lambda _: self.lower()))
        self._lower = row([self.lower_button])
        self.graph = widgets.HTML()
        self.tools = GraphTools(
            self._find,
            self._next_match,
            lambda _: self._regroup(),
            self.open_group,
            self._open_row,
            self._regroup,
            guard,
        )
        self.reached = ReachedList(self.reseed, guard)
        self._mark = widgets.HTML()  # style that outlines the box of the symbol selected in the list
        self._offer_lower(None)
        self._mark_class = f"ce-graph-{secrets.token_hex(4)}"
        parts = [
            self.controls,
            self.choices,
            self.trail,
            self.message,
            self._lower,
            self.tools,
            self.graph,
            self.reached,
            self._mark,
        ]
        super().__init__(parts)
        self.add_class("ce-callers")
        self.add_class(self._mark_class)
        self.reached.list.observe(guard(lambda _: self._mark_chosen()), "index")
        self.controls.offer((), None)

    @property
    def walked(self) -> Walked | None:
        """The displayed walk; None while a walk is being computed."""
        return self._walked

    @property
    def selected(self) -> Symbol | None:
        """The symbol selected in the list; if none is selected, the symbol at which the walk started."""
        if self._walked is not None and self.reached.chosen is not None:
            return self.reached.chosen
        walk = self.controls.chosen()
        return None if walk is None else walk.symbol

    def offer(self, workspace: Workspace, answer: SearchAnswer) -> None:
        """Start a walk at the main symbol of a new answer: the symbol named in the question, or else the best hit.

        If the same question was asked with other options, the chosen symbol is kept.
        """
        self._workspace = workspace
        self._catalog = workspace.catalog if answer.source is None else answer.source.catalog
        seeds = [self._catalog.symbol(seed.symbol_id) for seed in answer.plan.seeds if answer.plan.relation is not None]
        found = [hit.symbol for hit in answer if hit.symbol is not None and hit.symbol.kind not in TEXT_KINDS]
        symbols = tuple(dict.fromkeys((*seeds, *found)))
        before = self.controls.chosen() if answer.question == self._question else None
        self._question = answer.question
        if before is None:
            ends = answer.plan.targets if answer.plan.relation == "path" else ()
            self.controls.follow(answer.plan, self._catalog.symbol(ends[0].symbol_id) if ends and seeds else None)
        named = [seed for seed in answer.plan.seeds if seed.source == "name"]
        self.choices.offer(answer.plan.identifiers, [self._catalog.symbol(seed.symbol_id) for seed in named])
        kept = before.symbol if before is not None and (before.symbol in symbols or self.trail.symbols[1:]) else None
        self._from(kept or next(iter(symbols), None), symbols)

    def clear(self) -> None:
        """Remove the walk, because no answer is displayed."""
        self._latest.forget()
        self.controls.offer((), None)
        self.choices.offer((), ())
        self.trail.start(None)
        self._clear_graph()

    def start(self) -> None:
        """Run the chosen walk in the background."""
        walk = self.controls.chosen()
        if walk is None or self._workspace is None:
            self.message.show("Ask a question first: its symbols can be drawn.")
            return
        if self._workspace.graph_state == "building" and not walk.has_estimate():  # repeated when the graph is ready
            self._latest.forget()
            self._clear_graph()
            self.message.show(_COMING)
            return
        self._opened = frozenset()
        self._draw(walk, None)

    def open_group(self) -> None:
        """Replace the group that is chosen, or that has the chosen symbol, by what it contains."""
        self._open(self.reached.group)

    def _open_row(self, row: int) -> None:
        rows = self.reached.list.options
        self._open(self.reached.group_of(rows[row][1]) if row < len(rows) else None)

    def _open(self, group: Group | None) -> None:
        if group is not None:
            self._regroup(self._opened | {group.id})

    def _regroup(self, opened: frozenset[str] = frozenset()) -> None:
        """Draw the displayed walk again with these groups open. Nothing is walked again."""
        if self._walked is not None:
            self._opened = opened
            self._draw(self._walked.walk, self._walked.pinned)

    def _draw(self, walk: Walk, known: GraphAnswer | PathsAnswer | None) -> None:
        if self._workspace is None:
            return
        self.message.busy("Drawing …")
        self._latest.ask(Walking(self._workspace, walk, self._live, self.tools.by.value, self._opened, known))

    def _find(self, text: str) -> int:
        self._matches = self.reached.matches(text) if text else []
        if self._matches and self.reached.list.index not in self._matches:
            self.reached.list.index = self._matches[0]
        self._mark_chosen()
        return len(self._matches)

    def _next_match(self) -> None:
        if self._matches:
            now = self.reached.list.index
            self.reached.list.index = next((row for row in self._matches if row > now), self._matches[0])

    def draw(self) -> None:
        """From now on, show walks as a drawing to drag and zoom."""
        self._live = True
        if self._walked is None:
            self.start()
        else:
            self._draw(self._walked.walk, self._walked.pinned)

    def lower(self) -> None:
        """Show the paths that exist at a lower confidence, if there are such paths."""
        confidence = None if self._walked is None else _lower_confidence(self._walked.pinned)
        if confidence is not None:
            self.controls.lower(confidence)

    def reseed(self, symbol: Symbol) -> None:
        """Start a walk at another symbol. The trail has a button to go back."""
        self.trail.push(symbol)
        self._go(symbol)

    def then(self, call: Callable[[], None]) -> None:
        """Run `call` as soon as the requested walk is displayed; at once if it is displayed already."""
        self._latest.then(call)

    def wait(self, timeout: float = 30.0) -> bool:
        """Wait until the requested walk is displayed. Return False if that takes longer than `timeout` seconds."""
        return self._latest.wait(timeout)

    def close(self) -> None:
        """Drop the walk in work and remove the widget."""
        self._latest.forget()
        super().close()

    def _begin_at(self, symbols: tuple[Symbol, ...]) -> None:
        """Start a walk at all of `symbols`, which an ambiguous name may mean."""
        self.trail.start(symbols[0])
        self.controls.offer(self.controls.symbols, symbols[0], symbols[1:])
        self.start()

    def _begin(self, symbol: Symbol) -> None:
        self.trail.start(symbol)
        self.start()

    def _go(self, symbol: Symbol) -> None:
        self.controls.offer(self.controls.symbols, symbol)
        self.start()

    def _from(self, symbol: Symbol | None, symbols: Sequence[Symbol]) -> None:
        if symbol is None:
            self.clear()
            return
        self.controls.offer(symbols, symbol)
        if self.trail.symbols[-1:] != (symbol,):
            self.trail.start(symbol)
        if not self._fits():
            self._fade()
        self.start()

    def _fits(self) -> bool:
        """Return True if the displayed walk is the walk that the controls describe, in the current catalog."""
        return (
            self._walked is not None
            and self._walked.walk == self.controls.chosen()
            and self._walked.answer.catalog is self._catalog
        )

    def _show(self, walked: Walked) -> None:
        self._walked = walked
        self._unfade()
        self.message.value = ""  # the drawing says if the answer is an estimate
        self._offer_lower(_lower_confidence(walked.pinned))
        self.reached.show(walked.answer, walked.groups)
        long = len(self.reached.list.options) > _MOST_ROWS
        self.tools.offer(find=long, grouped=bool(walked.groups or self._opened), opened=bool(self._opened))
        self.graph.value = walked.markup  # after the list: a click on a box chooses a row of it
        self._changed()

    def _fail(self, error: Exception) -> None:
        self._clear_graph()
        self.message.alert(error)
        self._changed()

    def _mark_chosen(self) -> None:
        index = self.reached.list.index
        rows = [self._box_of(row) for row in (*self._matches, *([] if index is None else [index]))]
        boxes = [f".{self._mark_class} .ce-box[data-row='{row}'] rect" for row in dict.fromkeys(rows)]
        rules = [f"{box} {{stroke:#f2a600;stroke-width:{4 if box == boxes[-1] else 3}}}" for box in boxes]
        self._mark.value = f"<style>{''.join(rules)}</style>" if rules else ""

    def _box_of(self, row: int) -> int:
        """Return the row of the box that shows the symbol in a row of the list: its own, or that of its group."""
        each = self.reached.list.options[row][1]
        groups = () if self._walked is None else self._walked.groups
        ids = {symbol_id: group.id for group in groups for symbol_id in group.symbols}
        if each not in ids:
            return row
        return next(place for place, (_, other) in enumerate(self.reached.list.options) if other == ids[each])

    def _offer_lower(self, confidence: float | None) -> None:
        self._lower.layout.display = "none" if confidence is None else ""
        if confidence is not None:
            self.lower_button.description = f"Show less certain paths (confidence {confidence:g} or higher)"

    def _fade(self) -> None:
        """Dim the displayed graph, because it belongs to the previous answer. The next graph replaces it."""
        self._walked = None
        for part in (self.graph, self.reached):
            part.add_class("ce-old")

    def _unfade(self) -> None:
        for part in (self.graph, self.reached):
            part.remove_class("ce-old")

    def _clear_graph(self) -> None:
        self._walked = None
        self._unfade()
        self._offer_lower(None)
        self.graph.value = self.message.value = ""
        self.reached.show(None)
        self.tools.offer(find=False, grouped=False, opened=False)


def _lower_confidence(answer: GraphAnswer | PathsAnswer) -> float | None:
    """Return the confidence at which paths exist if `answer` has no paths; None if there is no such confidence."""
    return None if answer.absence is None else answer.absence.min_confidence


def _work(walking: Walking) -> Walked:
    from codeexplore.html.drawing.vis_network import drawing_html, inline_html
    from codeexplore.html.show import drawn_html, shown_html
    from codeexplore.results import PathsAnswer

    found = walking.known or walking.walk.answer(walking.workspace)
    if isinstance(found, PathsAnswer):
        return Walked(walking.walk, graph_of(found), shown_html(found), found)
    groups = grouped(found, walking.by, walking.opened)
    rows = rows_of(found, groups)
    drawing = drawing_html(found, rows, groups) if walking.live else inline_html(found, rows, groups)
    return Walked(walking.walk, found, drawn_html(found, drawing, listed=False), found, groups)
