"""Panel to open another repository: a folder, an installed package or a git URL.

The previous repository stays open until the new one is loaded.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import ipywidgets as widgets

from codeexplore.answers.html import components
from codeexplore.answers.html.elements import tag
from codeexplore.notebook.background import CallbackGuard, LatestTask
from codeexplore.notebook.panels.toolbar import Message, TextEntry, button, row
from codeexplore.types.errors import LoadCancelled, QuestionError

if TYPE_CHECKING:
    from codeexplore.workspace.workspace import Workspace


class Opening(NamedTuple):
    """A requested load, with the event that cancels it."""

    where: str
    cancel: threading.Event


class LoadPanel(widgets.VBox):
    """Controls to load a repository: a text box for its place, buttons Load and Cancel, and the progress.

    `loaded` is called with the workspace and the path, package or URL from which it was opened.
    """

    def __init__(self, loaded: Callable[[Workspace, str], None], guard: CallbackGuard) -> None:
        self._loaded, self._lock = loaded, guard.lock
        self._opening: Opening | None = None
        self._latest: LatestTask[Opening, Workspace] = LatestTask(self._work, self._show, self._fail, guard.lock)
        self.where = TextEntry("Load", "Load this repository", self.start, guard)
        self.where.show("Repository", "a folder, an installed package, or a git URL")
        self.cancel_button = button("Cancel", "Stop loading; the open repository stays open")
        self.cancel_button.disabled = True
        self.message = Message()
        super().__init__([row([self.where, self.cancel_button]), self.message])
        self.add_class("ce-load")
        self.cancel_button.on_click(guard(lambda _: self.stop()))

    def start(self, where: str) -> None:
        """Load a repository in the background. A running load is cancelled."""
        self.stop()
        self._opening = Opening(where.strip(), threading.Event())
        self.cancel_button.disabled = False
        self._report("starting", 0, 1)
        self._latest.ask(self._opening)

    def stop(self) -> None:
        """Cancel the running load. It stops before its next step."""
        if self._opening is not None:
            self._opening.cancel.set()
            self.cancel_button.disabled = True

    def wait(self, timeout: float = 60.0) -> bool:
        return self._latest.wait(timeout)

    def close(self) -> None:
        self.stop()
        self._latest.forget()
        super().close()

    def _work(self, opening: Opening) -> Workspace:
        from codeexplore.workspace.open import open_workspace

        def report(stage: str, done: int, total: int) -> None:
            with self._lock:
                if self._opening is opening and not opening.cancel.is_set():
                    self._report(stage, done, total)

        if not opening.where:
            raise QuestionError("name a folder, an installed package or a git URL")
        return open_workspace(opening.where, progress=report, cancel=opening.cancel, graph="background")

    def _report(self, stage: str, done: int, total: int) -> None:
        share = done / total if total else 0.0
        style = (
            f"display:inline-block;height:8px;width:{round(160 * share)}px;background:currentColor;border-radius:2px"
        )
        frame = (
            "display:inline-block;width:160px;border:1px solid currentColor;border-radius:3px;line-height:0;padding:1px"
        )
        bar = tag("span", tag("span", style=style), style=frame, aria_hidden="true")
        count = f" {done} of {total}" if total > 1 else ""
        self.message.value = components.page(tag("div", bar, f"\u2002{stage}{count}", role="status", aria_live="off"))

    def _show(self, workspace: Workspace) -> None:
        if self._opening is not None and self._opening.cancel.is_set():  # cancelled after the last step
            self._fail(LoadCancelled("the load was cancelled; the open repository stays open"))
            return
        where = self._opening.where if self._opening is not None else ""
        self._opening = None
        self.cancel_button.disabled = True
        self.message.value = ""
        self._loaded(workspace, where)

    def _fail(self, error: Exception) -> None:
        self._opening = None
        self.cancel_button.disabled = True
        if isinstance(error, LoadCancelled):
            self.message.show(str(error))
        else:
            self.message.alert(error)
