"""A notice that the displayed answer is older than the files or the workspace, with a button to update it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import ipywidgets as widgets

from codeexplore.notebook.background import CallbackGuard, LatestTask
from codeexplore.notebook.panels.toolbar import Message, button, row
from codeexplore.text.enumeration import shortened
from codeexplore.types.errors import CodeExploreError

if TYPE_CHECKING:
    from codeexplore.source.changes import Changes
    from codeexplore.workspace.snapshot import GraphState
    from codeexplore.workspace.workspace import Workspace

FIRST_PAUSE, LONGEST_PAUSE = 2.0, 30.0
"""Seconds between two checks of the files; each pause is twice the previous, and twenty times as long as a check."""

GRAPH_PAUSE = 0.25
"""Seconds between two looks whether the graph is there."""

_NAMED = 3
_RENEW = "Bring up to date"
_COMING = "The answer and the callers are updated when the graph is ready."


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


class _Look(NamedTuple):
    """Request to check the files after a pause. If `renew` is True, the workspace is refreshed instead."""

    snapshot: Snapshot
    pause: float
    renew: bool = False


class _Seen(NamedTuple):
    look: _Look
    text: str  # message for the user; "" if the answer is up to date
    seconds: float
    again: bool = False  # True: repeat the question without a click


class FreshnessPanel(widgets.VBox):
    """A line that appears when the files, the workspace or the graph are newer than the answer.

    `again` repeats the question.
    """

    children: tuple[Any, ...]  # ipywidgets' trait

    def __init__(self, again: Callable[[], None], guard: CallbackGuard) -> None:
        self._again, self._pause = again, FIRST_PAUSE
        self._snapshot: Snapshot | None = None
        self.message = Message()
        self.button = button(_RENEW, "Load the changed files and ask again")
        self.line = row([self.message, self.button], "ce-freshness")
        self._latest: LatestTask[_Look, _Seen] = LatestTask(_look, self._show, self._fail, guard.lock)
        super().__init__([])
        self.button.on_click(guard(lambda _: self.renew()))

    def offer(self, snapshot: Snapshot) -> None:
        """Watch a new answer. `snapshot` is the state of the workspace in which it was found."""
        self.children = ()
        self.button.disabled = False
        self._snapshot = snapshot
        self.button.description = "Try again" if snapshot.graph == "failed" else _RENEW
        self._latest.ask(_Look(snapshot, self._pause), self._pause if snapshot.graph == "ready" else 0.0)

    def clear(self) -> None:
        self._latest.forget()
        self._snapshot = None
        self.children = ()
        self.button.disabled = False

    def renew(self) -> None:
        """Refresh the workspace in the background, then repeat the question. The graph may be ready later."""
        if self._snapshot is not None:
            self.button.disabled = True
            self._latest.ask(_Look(self._snapshot, self._pause, renew=True))

    def _show(self, seen: _Seen) -> None:
        if seen.again:  # the line stays until the new answer is displayed
            self._again()
            return
        self.button.disabled = False
        coming = seen.text == _COMING
        if seen.text:
            self.message.show(seen.text)
            self.children = (self.message if coming else self.line,)
        else:
            self.children = ()
        if coming:
            self._latest.ask(seen.look, GRAPH_PAUSE)
            return
        pause = min(max(2 * seen.look.pause, 20 * seen.seconds), LONGEST_PAUSE)
        self._latest.ask(seen.look._replace(pause=pause), pause)

    def _fail(self, error: Exception) -> None:
        """Show the error of a check or refresh. Checks begin again with the next answer."""
        self.button.disabled = False
        self.message.alert(error)
        self.children = (self.line,)


def _look(look: _Look) -> _Seen:
    workspace = look.snapshot.workspace
    if look.renew:
        workspace.refresh(graph="background", progress=lambda *_: None)
        return _Seen(look, "", 0.0, again=True)
    if look.snapshot.overtaken_by_graph():
        return _Seen(look, "", 0.0, again=True)
    if not look.snapshot.is_current():
        return _Seen(look, "The workspace has been refreshed since this answer.", 0.0)
    if look.snapshot.graph == "building":
        return _Seen(look, _COMING, 0.0)
    started = time.perf_counter()
    try:
        changes = workspace.stale()
    except CodeExploreError as error:  # the files are not on this machine (any more): the answer is still valid
        return _Seen(look, f"It is not known whether this answer is up to date: {error}", time.perf_counter() - started)
    missing = workspace.summary.graph if look.snapshot.graph == "failed" else ""
    said = " ".join(filter(None, (missing and f"{missing[0].upper()}{missing[1:]}.", changes_text(changes))))
    return _Seen(look, said, time.perf_counter() - started)


def changes_text(changes: Changes) -> str:
    """Return a line that reports changed, added and removed files; "" if there are none."""
    if not changes:
        return ""
    counts = (("changed", changes.changed), ("added", changes.added), ("removed", changes.removed))
    numbers = ", ".join(f"{len(paths):,} {word}" for word, paths in counts if paths)
    paths = [path for _, group in counts for path in group]
    return f"This answer is older than the files: {numbers} ({shortened(paths, _NAMED)})."
