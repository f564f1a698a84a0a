"""The state of an explorer: what is displayed, selected and open, and what stays in the notebook."""

from __future__ import annotations

import threading
import time
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

import anywidget
import ipywidgets as widgets
import traitlets as t
from IPython.core.getipython import get_ipython
from IPython.display import HTML, display, update_display

from codeexplore.answers.html import components
from codeexplore.answers.html.elements import Html, join, tag
from codeexplore.answers.wording import cut, one_line, whereabouts
from codeexplore.notebook.config import ASK, checked_view
from codeexplore.notebook.controls import CallbackGuard
from codeexplore.notebook.pins import Pins, pinned_html
from codeexplore.notebook.requests import MOST_FOUND, call, code_of
from codeexplore.notebook.state import in_terminal
from codeexplore.text.enumeration import shortened
from codeexplore.types.errors import AmbiguousSymbol, CodeExploreError, LoadCancelled, QuestionError, SymbolNotFound
from codeexplore.types.features import registered

if TYPE_CHECKING:
    from codeexplore.answers import GraphAnswer, GrepAnswer, PathsAnswer, SearchAnswer
    from codeexplore.answers.source import SourceView
    from codeexplore.notebook.requests import SearchRequest, Walk
    from codeexplore.source.changes import Changes
    from codeexplore.types import Symbol
    from codeexplore.workspace.snapshot import GraphState
    from codeexplore.workspace.workspace import Workspace

_TITLE_CHARS = 80
_NAMED = 3
RENEW = "Bring up to date"


class Snapshot(NamedTuple):
    """State of the workspace when an answer was found.

    A refresh makes a new catalog. If the graph becomes ready later, there is a new search engine.
    """

    workspace: Workspace
    catalog: object
    engine: object
    graph: GraphState

    @classmethod
    def of(cls, workspace: Workspace) -> Snapshot:
        graph = workspace.graph_state  # read first, so that a graph that is ready in the meantime counts as newer
        return cls(workspace, workspace.catalog, workspace.engine, graph)

    def is_current(self) -> bool:
        return self.catalog is self.workspace.catalog and self.engine is self.workspace.engine

    def overtaken_by_graph(self) -> bool:
        """Return True if only the graph has changed since then: it was being built and is now ready."""
        return self.graph == "building" and self.catalog is self.workspace.catalog and not self.is_current()


class Answered(NamedTuple):
    """The displayed answer, its request, and the state of the workspace in which it was found."""

    asked: SearchRequest
    answer: SearchAnswer
    snapshot: Snapshot


class Walked(NamedTuple):
    """The displayed walk: its graph for the list and the picture, and the answer of the workspace."""

    walk: Walk
    graph: GraphAnswer
    answer: GraphAnswer | PathsAnswer


class Session(anywidget.AnyWidget):
    """State of an explorer, and what its notebook and its replies do with it."""

    _esm = files("codeexplore.notebook").joinpath("static/loader.js").read_text("utf-8")
    version = t.Unicode().tag(sync=True)
    title = t.Unicode().tag(sync=True)
    question = t.Unicode().tag(sync=True)
    options = t.Dict().tag(sync=True)
    place = t.Unicode().tag(sync=True)
    history = t.List(t.Unicode()).tag(sync=True)
    value = t.List(t.Unicode()).tag(sync=True)

    def __init__(self, workspace: Workspace | None, view: str, version: str, *, explain: bool = False) -> None:
        self.workspace = workspace
        self.answered: Answered | None = None
        self.walked: Walked | None = None
        self.kept: Answered | None = None
        self.cancel = threading.Event()
        self.panels: dict[str, Any] = {}
        self._where, self._opened = "", ""
        self._selected: Symbol | None = None
        self.found: GrepAnswer | None = None
        self._slow: list[threading.Thread] = []
        self._still = ""
        self._shown_panels: set[str] = set()
        self.pins = Pins()
        self.guard = CallbackGuard(self._alert)
        self._offered = {panel.key: (each, panel) for each in registered() for panel in each.panels}
        self._actions = {action.title: (each, action) for each in registered() for action in each.actions}
        shown = {"explain": True} if explain else {}
        super().__init__(version=version, options={"view": checked_view(view), **shown})
        self._name()

    # ----------------------------------------------------------------- for the notebook

    @property
    def result(self) -> SearchAnswer | None:
        """The displayed answer; None before the first answer and after an error."""
        return None if self.answered is None else self.answered.answer

    answer = result

    @property
    def asked(self) -> SearchRequest | None:
        """The question of the displayed answer, with its options; None without an answer."""
        return None if self.answered is None else self.answered.asked

    @property
    def selected(self) -> Symbol | None:
        """The symbol that was selected last: in the graph, or by opening its source."""
        return self._selected

    @selected.setter
    def selected(self, symbol: Symbol | None) -> None:
        self._selected = symbol
        self.value = [] if symbol is None else [symbol.id]

    @property
    def view(self) -> str:
        """The displayed view: "ask" or "lab". Set it to change the view."""
        return str(self.options.get("view", ASK))

    @view.setter
    def view(self, view: str) -> None:
        self.options = {**self.options, "view": checked_view(view)}

    def code(self, workspace: str | None = None) -> str:
        """Return Python statements that compute the displayed results again.

        They set the workspace, ``answer``, ``walk``, and a variable with the key of each panel, as far as these are
        displayed.

        Parameters
        ----------
        workspace
            Name of the variable that contains the workspace. By default such a variable of this notebook is searched.
            If there is none, the code opens the workspace.
        """
        with self.guard.lock:
            others = {key: panel.code for key, panel in self.panels.items()}
            if self.found is not None:
                found = self.found
                options = {"regex": found.regex, "ignore_case": found.ignore_case, "top_k": MOST_FOUND}
                others["found"] = lambda name: call(f"{name}.grep", found.pattern, options)
            if self._opened:
                others["source"] = lambda name: f"{name}.source({self._opened!r})"
            walk = None if self.walked is None else self.walked.walk
            return code_of(self.workspace, self.asked, walk, workspace, self._where, others)

    def pin(self) -> str:
        """Save the displayed answer, or without one the source, and the walk below the explorer, as HTML.

        Return why a further run of the cell will not have it, or "".
        """
        with self.guard.lock:
            shown: SearchAnswer | GrepAnswer | SourceView | None = self.found if self.result is None else self.result
            if shown is None and self._opened:
                shown = self.repository().source(self._opened).view
            walk = None if self.walked is None else self.walked.answer
            if shown is None and walk is None:
                raise QuestionError("There is nothing to pin yet: ask a question, or open a source.")
            return self.pins.pin(pinned_html(shown, walk))

    def unpin(self) -> None:
        """Remove the results that are saved below the explorer."""
        with self.guard.lock:
            self.pins.clear()

    def wait(self, timeout: float = 30.0) -> bool:
        """Wait until all requested work is done. Return False if that takes longer than `timeout` seconds."""
        end = time.monotonic() + timeout
        for thread in self._slow:
            thread.join(max(0.0, end - time.monotonic()))
        return not any(thread.is_alive() for thread in self._slow) and all(
            panel.wait(timeout) for panel in self.panels.values()
        )

    def close(self) -> None:
        """Remove the widget, and drop the work that is running."""
        self.cancel.set()
        for panel in self.panels.values():
            panel.clear()
        super().close()

    def _ipython_display_(self, **_: Any) -> None:
        if in_terminal(get_ipython()):
            from codeexplore.answers.show import shown_text

            hint = "The explorer is a widget: it needs JupyterLab, Notebook or another front end with ipywidgets.\n"
            hint += "As text: ws.search('how are …?'), ws.callers('name'), or %load_ext codeexplore and %ask how are …?"
            print(hint if self.result is None else f"{hint}\n\n{shown_text(self.result)}")  # noqa: T201 - no widgets
            return
        self._still = f"codeexplore-still-{self.model_id}"
        display(HTML(self.still()), display_id=self._still)
        bundle: Any = self._repr_mimebundle_()
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        display({**data, "text/plain": repr(self)}, raw=True, metadata=metadata)
        display(HTML(""), display_id=f"{self._still}-panel")
        self.pins.place()

    def __repr__(self) -> str:
        name = "nothing open" if self.workspace is None else one_line(self.workspace.name)
        return (
            f"<Explorer: {name}; needs a running kernel. ws.search(), %ask and its Pin button leave results that stay>"
        )

    # ----------------------------------------------------------------- for the replies

    def repository(self) -> Workspace:
        """Return the workspace. Raises QuestionError without one."""
        if self.workspace is None:
            raise QuestionError("no repository is open: “Open…” opens a folder, an installed package or a git URL")
        return self.workspace

    def needed(self) -> Answered:
        """Return the displayed answer. Raises QuestionError without one."""
        if self.answered is None:
            raise QuestionError("Ask a question first.")
        return self.answered

    @t.observe("question", "place")
    def _leave_source(self, change: Any) -> None:
        if change["name"] == "question":  # the source belongs to the answer before, and no reload brings it back
            self.place = ""
        if not self.place:
            self._opened = ""

    def forget(self) -> None:
        """Drop what is displayed, before another answer."""
        self.answered = self.walked = self.found = None
        for key in [key for key in self.panels if self._offered[key][1].of_answer]:
            self.panels.pop(key).close()
            if key in self._shown_panels:
                self._shown_panels.clear()
                self._show_panel(None)

    def open_place(self, place: str, symbol: Symbol | None) -> None:
        """Store the place whose source is displayed, and select its symbol."""
        self._opened = place.rpartition(":")[0] if symbol is None else place
        with self.hold_sync():
            self.place = place
            self.selected = symbol

    def own_outputs(self) -> None:
        """Raise QuestionError unless the explorer is a cell's own output, so that it has outputs beside it."""
        if not self._still:
            raise QuestionError(
                "this needs an output beside the explorer: in JupyterLab or Notebook, display the "
                "explorer itself at the end of a cell, not inside another widget"
            )

    def offered(self) -> list[dict[str, str]]:
        """Return the buttons that features add."""
        panels = [{"key": each.key, "title": each.title, "tip": each.tooltip} for _, each in self._offered.values()]
        return panels + [
            {"key": each.title, "title": each.title, "tip": each.tooltip} for _, each in self._actions.values()
        ]

    def show_view(self, key: str) -> str:
        """Return the HTML of a feature's action; show or hide a feature's panel and return ""."""
        if key in self._actions:
            feature, action = self._actions[key]
            return str(feature.load(action.make)(self))
        if key not in self._offered:
            raise QuestionError(f"no feature has the view {key!r}")
        self.own_outputs()
        shown = key in self._shown_panels
        self._shown_panels = set() if shown else {key}
        self._show_panel(None if shown else self.opened(key))
        return ""

    def opened(self, key: str) -> Any:
        """Return the panel of a feature, such as ``"changes"``. It is made at its first use."""
        if key not in self.panels:
            feature, offered = self._offered[key]
            self.panels[key] = feature.load(offered.make)(self)
        return self.panels[key]

    def _show_panel(self, panel: Any) -> None:
        if panel is not None:
            panel.start()
        if self._still:
            style = widgets.HTML(components.explorer_style())
            shown = HTML("") if panel is None else widgets.VBox([style, panel]).add_class("codeexplore-explorer")
            update_display(shown, display_id=f"{self._still}-panel")

    def update_code(self) -> None:
        """Tell the page that the code of a panel is another."""
        self.send({"event": "code"})

    def load(self, where: str) -> None:
        """Open another repository. The open one stays until the other is loaded, and after an error."""
        from codeexplore.workspace.open import open_workspace

        if not where.strip():
            raise QuestionError("name a folder, an installed package or a git URL")
        self.cancel.set()
        cancel = self.cancel = threading.Event()

        def report(stage: str, done: int, total: int) -> None:
            if not cancel.is_set():
                self.send({"event": "progress", "stage": stage, "done": done, "total": total})

        loaded = open_workspace(where.strip(), progress=report, cancel=cancel, graph="background")
        if cancel.is_set():
            raise LoadCancelled("the load was cancelled; the open repository stays open")
        with self.guard.lock:
            self.workspace, self._where = loaded, where.strip()
            self.forget()
            for panel in self.panels.values():
                panel.clear()
            self.kept, self._opened = None, ""
            with self.hold_sync():
                self.place, self.value, self.history = "", [], []
                self._name()

    def _name(self) -> None:
        self.title = "" if self.workspace is None else cut(one_line(self.workspace.name), _TITLE_CHARS)

    def _alert(self, error: Exception) -> None:
        self.send({"event": "failed", **failure(error)})

    # ----------------------------------------------------------------- the still picture

    def still(self) -> str:
        """Return the last state as HTML without a script. The live view hides it; exports and GitHub show it."""
        # an output "Error displaying widget" below it is hidden
        hidden = ".jp-OutputArea-child:has(.ce-still) + .jp-OutputArea-child:not(:has(.ce-explorer)){display:none}"
        heading = tag("b", f"Explorer of {self.title or 'nothing'}")
        question = self.question if self.answered is None else self.answered.asked.question
        asked = f": {cut(one_line(question), 120)}" if question else ""
        parts = [tag("div", heading, asked, components.dim(" · run the cell to use it"))]
        if self.answered is not None:
            rows = [
                tag(
                    "li",
                    tag("code", cut(one_line(hit.name), 120)),
                    " ",
                    components.dim(f"{hit.kind} {one_line(hit.path)}:{hit.line}"),
                )
                for hit in self.answered.answer
            ]
            parts.append(tag("ol", join(rows)))
        if self._opened and self.workspace is not None:
            text = cut(str(self.workspace.source(self._opened)), 4000)
            parts.append(tag("pre", text, style="max-height:300px;overflow:auto"))
        if self.walked is not None:
            from codeexplore.answers.drawing.vis_network import still_html

            parts.append(join((tag("b", self.walked.graph.headline), still_html(self.walked.graph) or "")))
        return str(tag("div", Html(f"<style>{hidden}</style>"), components.page(*parts), class_="ce-still"))

    def redraw(self) -> None:
        """Update the still picture."""
        if self._still:
            update_display(HTML(self.still()), display_id=self._still)


# --------------------------------------------------------------------------- what the page is told


def staleness(snapshot: Snapshot) -> dict[str, object]:
    """Return what is newer than an answer: `text` for the user, and `again` if the page repeats the question itself.

    `step` is the title of the button beside the text; "" if there is nothing to press.
    """
    workspace = snapshot.workspace
    if snapshot.overtaken_by_graph():
        return {"text": "", "again": True, "step": ""}
    if not snapshot.is_current():
        return {"text": "The workspace has been refreshed since this answer.", "again": False, "step": RENEW}
    if snapshot.graph == "building":
        return {"text": "The answer and the callers are updated when the graph is ready.", "again": False, "step": ""}
    try:
        changes = workspace.stale()
    except CodeExploreError as error:  # the files are not on this machine (any more): the answer is still valid
        said = f"It is not known whether this answer is up to date: {error}"
        return {"text": said, "again": False, "step": RENEW}
    missing = workspace.summary.graph if snapshot.graph == "failed" else ""
    said = " ".join(filter(None, (missing and f"{missing[0].upper()}{missing[1:]}.", changes_text(changes))))
    return {"text": said, "again": False, "step": ("Try again" if missing else RENEW) if said else ""}


def changes_text(changes: Changes) -> str:
    """Return a line that reports changed, added and removed files; "" if there are none."""
    if not changes:
        return ""
    counts = (("changed", changes.changed), ("added", changes.added), ("removed", changes.removed))
    numbers = ", ".join(f"{len(paths):,} {word}" for word, paths in counts if paths)
    paths = [path for _, group in counts for path in group]
    return f"This answer is older than the files: {numbers} ({shortened(paths, _NAMED)})."


def failure(error: Exception) -> dict[str, Any]:
    """Return an error for the page, with its next steps as requests."""
    known = isinstance(error, CodeExploreError)
    said = error.message if isinstance(error, CodeExploreError) else f"{type(error).__name__}: {error}"
    steps = [step_data(step) for step in error.next_steps] if isinstance(error, CodeExploreError) else []
    if isinstance(error, AmbiguousSymbol):
        steps += [{"label": whereabouts(each), "kind": "source", "argument": each.id} for each in error.choices[:6]]
    if isinstance(error, SymbolNotFound):
        steps += [{"label": name, "kind": "ask", "argument": name} for name in error.nearest[:4]]
    return {"ok": False, "error": said, "known": known, "steps": steps}


# method of the workspace → request of the page, and the words of its button
_CALLED = {
    "search": ("ask", "Ask “{}”"),
    "grep": ("grep", "Search the files for “{}”"),
    "source": ("source", "Open {}"),
    "symbol": ("ask", "Ask “{}”"),
    "refresh": ("refresh", "Load the changed files"),
}


def step_data(step: Any) -> dict[str, Any]:
    """Return a next step as a button: a request of the page in words, or the call in Python if the page has none."""
    argument = str(step.arguments[0]) if step.arguments else ""
    kind, words = _CALLED.get(step.call, ("", ""))
    label = words.format(one_line(argument)) if words else str(step)
    return {"label": label, "kind": kind, "argument": argument, "does": step.does}
