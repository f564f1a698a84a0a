"""Panel "Tour" of the explorer: the order in which to read what answers the question, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import ipywidgets as widgets

from codeexplore.answers.drawing.layout import draw_path
from codeexplore.answers.drawing.svg import still_picture_html
from codeexplore.answers.html import components
from codeexplore.answers.html.components import dim, explorer_style, page
from codeexplore.answers.html.elements import Html
from codeexplore.answers.html.links import linked
from codeexplore.answers.html.writer import Writer, shown_html
from codeexplore.answers.wording import member_name, one_line, plural
from codeexplore.notebook.controls import Host, LatestTask, Message, button, number, row
from codeexplore.notebook.requests import EVERYTHING, call

if TYPE_CHECKING:
    from codeexplore.features.context.tours.tour import Step, Tour
    from codeexplore.types import Filters
    from codeexplore.workspace.workspace import Workspace

_MOST_ROWS = 15


class TourView(widgets.VBox):
    """Widget with the steps of a tour, the source of one of them, and a drawing of the steps up to it.

    In the box with the number of the step, the arrow keys go to the next and to the previous step. A list would not do:
    JupyterLab takes its arrow keys to go from cell to cell. The list is for the mouse, and *Previous* and *Next* too.

    >>> TourView(ws.context.tour("how are expired sessions handled?"))
    """

    def __init__(self, tour: Tour) -> None:
        self.tour = tour
        names = [(f"{step.number}. {one_line(member_name(step.symbol))}", step.number) for step in tour]
        self.previous_button = button("◂ Previous", "The step before")
        self.next_button = button("Next ▸", "The next step")
        rows, width = max(2, min(len(names), _MOST_ROWS)), widgets.Layout(width="auto", max_width="280px")
        first = 1 if names else None
        self.list = widgets.Select(options=names, value=first, rows=rows, tooltip="Steps of the tour", layout=width)
        self.list.add_class("ce-list")
        self.number = number("Step", 1, 1, max(1, len(names)), "The arrow keys go from step to step")
        self.title, self.shown, self.drawing = widgets.HTML(), widgets.HTML(), widgets.HTML()
        self.shown.layout.flex = "1 1 320px"  # on a narrow page it is below the list
        self.shown.layout.min_width = "0"
        columns = widgets.HBox([self.list, self.shown], layout=widgets.Layout(flex_flow="row wrap"))
        heading = row([self.title, self.number, self.previous_button, self.next_button], "ce-heading")
        super().__init__([widgets.HTML(explorer_style()), heading, columns, self.drawing])
        self.add_class("ce-tour")
        self.previous_button.on_click(lambda _: self.go(-1))
        self.next_button.on_click(lambda _: self.go(1))
        self.list.observe(lambda _: self._show(), "value")
        self.number.observe(lambda _: self.go_to(self.number.value), "value")
        self._show()

    @property
    def step(self) -> Step | None:
        number: Any = self.list.value
        return None if number is None else self.tour[number - 1]

    def go(self, by: int) -> None:
        if self.step is not None:
            self.go_to(self.step.number + by)

    def go_to(self, number: int) -> None:
        if self.step is not None:
            self.list.value = min(len(self.tour), max(1, number))

    def _show(self) -> None:
        step, size = self.step, len(self.tour)
        at = f"step {step.number} of {size}" if step is not None else plural(size, "step")
        self.title.value = page(self.tour.title, dim(f" · {at}"))
        self.number.value = 1 if step is None else step.number
        self.previous_button.disabled = step is None or step.number == 1
        self.next_button.disabled = step is None or step.number == size
        self.shown.value = shown_html(self.tour) if step is None else step_html(self.tour, step)
        self.drawing.value = "" if step is None else page(self._drawn(step))

    def _drawn(self, step: Step) -> str:
        symbols = [each.symbol for each in self.tour[: step.number]]
        links = [
            (each.number - 1, lead.to - 1, lead.kind, f"{lead.kind} at {lead.path}:{lead.line}")
            for each in self.tour[: step.number]
            for lead in each.leads
            if lead.to <= step.number
        ]
        return still_picture_html(draw_path(self.tour.title, symbols, links, step.number - 1))


@linked
def step_html(tour: Tour, step: Step) -> Html:
    return page(*Writer().html(tour.step_blocks(step, opened=True)))


class TourRequest(NamedTuple):
    """A repository and the question to make a tour of; "" for a tour of the whole repository."""

    workspace: Workspace
    question: str
    filters: Filters

    def tour(self) -> Tour:
        tour: Tour = self.workspace.context.tour(self.question, filters=self.filters)
        return tour

    def code(self, workspace: str) -> str:
        tour = f"{workspace}.context.tour"
        options = {} if self.filters == EVERYTHING else {"filters": self.filters}
        return call(tour, self.question, options) if self.question else f"{tour}()"


class TourPanel(widgets.VBox):
    """The tour of the displayed answer's question, or of the repository if nothing was asked."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._request: TourRequest | None = None
        self._latest: LatestTask[TourRequest, Tour] = LatestTask(
            TourRequest.tour, self._show, self._fail, host.guard.lock
        )
        self.message = Message()
        self.view: TourView | None = None
        super().__init__([self.message])

    def start(self) -> None:
        workspace, asked = self._host.workspace, self._host.asked
        if self.view is not None:
            return
        if workspace is None:
            self.message.show("Open a repository first.")
            return
        self.message.busy("Choosing the steps of the tour …")
        about = ("", EVERYTHING) if asked is None else (asked.question, asked.filters)
        self._request = TourRequest(workspace, *about)
        self._latest.ask(self._request)

    def code(self, workspace: str) -> str:
        return "" if self.view is None or self._request is None else self._request.code(workspace)

    def clear(self) -> None:
        self._latest.forget()
        self._replace(None)
        self.message.show("")

    def wait(self, timeout: float = 30.0) -> bool:
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


def packed_html(host: Host) -> str:
    if host.workspace is None or host.answer is None:
        return components.page(components.dim("Ask a question first: its answer can be packed."))
    return shown_html(host.workspace.context.pack(host.answer))
