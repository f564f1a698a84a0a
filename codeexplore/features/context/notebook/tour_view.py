"""Widget that shows a tour step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ipywidgets as widgets

from codeexplore.answers.drawing.layout import draw_path
from codeexplore.answers.drawing.svg import still_picture_html
from codeexplore.answers.html.components import dim, explorer_style, page
from codeexplore.answers.html.elements import Html
from codeexplore.answers.html.links import linked
from codeexplore.answers.html.show import shown_html
from codeexplore.answers.html.writer import Writer
from codeexplore.answers.wording import member_name, one_line, plural
from codeexplore.notebook.panels.toolbar import button, number, row

if TYPE_CHECKING:
    from codeexplore.features.context.tours.tour import Step, Tour

_MOST_ROWS = 15


class TourView(widgets.VBox):
    """Widget with the steps of a tour, the source of one of them, and a drawing of the steps up to it.

    In the box with the number of the step, the arrow keys go to the next and to the previous step. A list would not do:
    JupyterLab takes its arrow keys to go from cell to cell. The list is for the mouse, and *Previous* and *Next* too.

    Parameters
    ----------
    tour
        The tour, from `Context.tour`.

    Examples
    --------
    >>> TourView(ws.context.tour("how are expired sessions handled?"))
    """

    def __init__(self, tour: Tour) -> None:
        self.tour = tour
        names = [(f"{step.number}. {one_line(member_name(step.symbol))}", step.number) for step in tour]
        self.previous_button = button("◂ Previous", "The step before")
        self.next_button = button("Next ▸", "The next step")
        self.list = widgets.Select(
            options=names, value=1 if names else None, rows=max(2, min(len(names), _MOST_ROWS)),
            tooltip="Steps of the tour", layout=widgets.Layout(width="auto", max_width="280px"),
        )  # fmt: skip
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
        """The step that is shown; None if the tour has no steps."""
        number: Any = self.list.value
        return None if number is None else self.tour[number - 1]

    def go(self, by: int) -> None:
        """Go forward by some steps, or back for a negative number, as far as there are steps."""
        if self.step is not None:
            self.go_to(self.step.number + by)

    def go_to(self, number: int) -> None:
        """Go to the step with a number, or to the first or last step if there is none."""
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
        """Return the drawing of the steps up to `step`."""
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
    """Return one step of a tour, with the source of its symbol."""
    return page(*Writer().html(tour.step_blocks(step, opened=True)))
