"""The call graph around a symbol: the choice of a walk, its drawing, and the list of its symbols.

A new walk can start at each listed symbol. `Choices` has buttons for the symbols of an ambiguous name, `GraphTools` the
controls of a long graph.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import ipywidgets as widgets

from codeexplore.answers.drawing.groups import GROUPINGS, Group
from codeexplore.answers.drawing.layout import grouped, label
from codeexplore.answers.wording import cut, one_line, plural, shorten
from codeexplore.notebook.background import CallbackGuard, LatestTask
from codeexplore.notebook.panels.reached_list import MOST_ROWS, ReachedList, rows_of
from codeexplore.notebook.panels.toolbar import Message, button, choice, row
from codeexplore.notebook.panels.walk import Trail, WalkPanel
from codeexplore.notebook.requests import Walk, graph_of
from codeexplore.types import TEXT_KINDS, Symbol

if TYPE_CHECKING:
    from codeexplore.answers import GraphAnswer, PathsAnswer, SearchAnswer
    from codeexplore.index.catalog import Catalog
    from codeexplore.workspace.workspace import Workspace

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
    then shown as such a drawing too. `changed` is called when another walk, or no walk, is displayed.
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
        self.graph = widgets.HTML()
        calls = (self._find, self._next_match, lambda _: self._regroup())
        self.tools = GraphTools(*calls, self.open_group, self._open_row, self._regroup, guard)
        self.reached = ReachedList(self.reseed, guard)
        self._mark = widgets.HTML()  # style that outlines the box of the symbol selected in the list
        self._mark_class = f"ce-graph-{secrets.token_hex(4)}"
        above = (self.controls, self.choices, self.trail, self.message, self.tools)
        super().__init__([*above, self.graph, self.reached, self._mark])
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
        self._latest.forget()
        self.controls.offer((), None)
        self.choices.offer((), ())
        self.trail.start(None)
        self._clear_graph()

    def start(self) -> None:
        walk = self.controls.chosen()
        if walk is None or self._workspace is None:
            self.message.show("Ask a question first: its symbols can be drawn.")
            return
        if self._workspace.graph_state == "building" and not walk.is_by_name():  # repeated when the graph is ready
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

    def reseed(self, symbol: Symbol) -> None:
        """Start a walk at another symbol. The trail has a button to go back."""
        self.trail.push(symbol)
        self._go(symbol)

    def then(self, call: Callable[[], None]) -> None:
        """Run `call` as soon as the requested walk is displayed; at once if it is displayed already."""
        self._latest.then(call)

    def wait(self, timeout: float = 30.0) -> bool:
        return self._latest.wait(timeout)

    def close(self) -> None:
        self._latest.forget()
        super().close()

    def _begin_at(self, symbols: tuple[Symbol, ...]) -> None:
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
        self.message.value = ""  # the drawing says if the answer is by name
        self.reached.show(walked.answer, walked.groups)
        long = len(self.reached.list.options) > MOST_ROWS
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
        self.graph.value = self.message.value = ""
        self.reached.show(None)
        self.tools.offer(find=False, grouped=False, opened=False)


def _work(walking: Walking) -> Walked:
    from codeexplore.answers import PathsAnswer
    from codeexplore.answers.drawing.vis_network import drawing_html, inline_html
    from codeexplore.answers.html.show import drawn_html, shown_html

    found = walking.known or walking.walk.answer(walking.workspace)
    if isinstance(found, PathsAnswer):
        return Walked(walking.walk, graph_of(found), shown_html(found), found)
    groups = grouped(found, walking.by, walking.opened)
    rows = rows_of(found, groups)
    drawing = drawing_html(found, rows, groups) if walking.live else inline_html(found, rows, groups)
    return Walked(walking.walk, found, drawn_html(found, drawing, listed=False), found, groups)


_MOST = 8  # maximal number of buttons; the dropdown lists all symbols
_NAME_CHARS = 60


class Choices(widgets.VBox):
    """Buttons for the symbols that an ambiguous name may mean. `start` gets the chosen symbols."""

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


class GraphTools(widgets.VBox):
    """A box to find symbols in the graph, and buttons for its groups. Each is visible only for a graph that needs it.

    `find` gets the typed text and returns the number of symbols that match, and `following` chooses the next of them.
    `group` gets the way to group. `open_group` opens the group of the chosen symbol, `open_row` the group in a row of
    the list, and `close_groups` closes all.
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
            description="Find in graph",
            placeholder="part of a name or path",
            style={"description_width": "auto"},
            layout=widgets.Layout(width="auto"),
            tooltip="Mark the symbols whose name or file path contains this text",
        )
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
