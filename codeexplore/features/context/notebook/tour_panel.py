"""Panel "Tour" of the explorer: the order in which to read what answers the question, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import ipywidgets as widgets

from codeexplore.features.context.notebook.tour_view import TourView
from codeexplore.notebook.background import LatestTask
from codeexplore.notebook.panels.toolbar import Host, Message
from codeexplore.notebook.requests import EVERYTHING, call

if TYPE_CHECKING:
    from codeexplore.features.context.tours.tour import Tour
    from codeexplore.types import Filters
    from codeexplore.workspace.workspace import Workspace


class TourRequest(NamedTuple):
    """A repository and the question to make a tour of; "" for a tour of the whole repository."""

    workspace: Workspace
    question: str
    filters: Filters

    def options(self) -> dict[str, object]:
        """Return the arguments of ``ws.context.tour`` that differ from their defaults."""
        return {} if self.filters == EVERYTHING else {"filters": self.filters}

    def code(self, workspace: str) -> str:
        """Return the Python call of this tour, such as ``ws.context.tour('…')``."""
        tour = f"{workspace}.context.tour"
        return call(tour, self.question, self.options()) if self.question else f"{tour}()"


def request_of(host: Host) -> TourRequest | None:
    """Return what the tour is about: the question of the displayed answer, or else the whole repository."""
    if host.workspace is None:
        return None
    asked = host.asked
    return TourRequest(host.workspace, *(("", EVERYTHING) if asked is None else (asked.question, asked.filters)))


class TourPanel(widgets.VBox):
    """The tour of the displayed answer's question, or of the repository if nothing was asked.

    Parameters
    ----------
    host
        The explorer.
    """

    def __init__(self, host: Host) -> None:
        self._host = host
        self._request: TourRequest | None = None
        self._latest: LatestTask[TourRequest, Tour] = LatestTask(_work, self._show, self._fail, host.guard.lock)
        self.message = Message()
        self.view: TourView | None = None
        super().__init__([self.message])

    def start(self) -> None:
        """Make the tour in the background, and show it. A displayed tour stays."""
        request = request_of(self._host)
        if self.view is not None:
            return
        if request is None:
            self.message.show("Open a repository first.")
            return
        self.message.busy("Choosing the steps of the tour …")
        self._request = request
        self._latest.ask(request)

    def code(self, workspace: str) -> str:
        """Return the Python expression of the displayed tour; "" if none is displayed."""
        return "" if self.view is None or self._request is None else self._request.code(workspace)

    def clear(self) -> None:
        """Remove the tour, because it is of another question or repository."""
        self._latest.forget()
        self._replace(None)
        self.message.show("")

    def wait(self, timeout: float = 30.0) -> bool:
        """Wait until the requested tour is displayed. Return False if that takes longer than `timeout` seconds."""
        return self._latest.wait(timeout)

    def _show(self, tour: Tour) -> None:
        self.message.show("")
        self._replace(TourView(tour))
        self._host.update_code()

    def _fail(self, error: Exception) -> None:
        self._replace(None)
        self.message.alert(error)

    def _replace(self, view: TourView | None) -> None:
        if self.view is not None:
            self.view.close()
        self.view = view
        self.children = (self.message,) if view is None else (self.message, view)


def _work(request: TourRequest) -> Tour:
    tour: Tour = request.workspace.context.tour(request.question, filters=request.filters)
    return tour
