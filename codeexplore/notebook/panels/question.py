"""The question and how it is to be answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import ipywidgets as widgets

from codeexplore import settings
from codeexplore.types import LANES, LaneName


@dataclass(frozen=True, slots=True)
class Asked:
    """What the panel says at one moment. `lanes` is None when all are on: the planner then weighs them."""

    question: str
    lanes: tuple[LaneName, ...] | None
    top_k: int
    rrf_k: int
    per_file: int | None


class QuestionPanel(widgets.VBox):
    """Question box, lane checkboxes and numbers.

    Parameters
    ----------
    question
        What the box holds at first.
    changed
        Called on every change with True when the answer should come at once (Enter, a checkbox), False while typing.
    """

    def __init__(self, question: str, changed: Callable[[bool], None]) -> None:
        self._changed = changed
        self.question = widgets.Text(
            value=question,
            description="Question",
            placeholder="a name, “what calls …?”, or a description in plain words",
            continuous_update=True,
            layout=widgets.Layout(width="auto", flex="1 1 320px"),
        )
        self.lanes = {lane: _checkbox(lane, f"Use the {lane} lane") for lane in LANES}
        self.one_per_file = _checkbox("one per file", "At most one hit of each file", value=False)
        self.top_k = _number("hits", settings.TOP_K, 1, 100)
        self.rrf_k = _number("rrf_k", settings.RRF_K, 1, 1000)
        row = widgets.Layout(flex_flow="row wrap", align_items="center")
        lanes = widgets.HBox([widgets.Label("Lanes"), *self.lanes.values()], layout=row)
        numbers = widgets.HBox([self.one_per_file, self.top_k, self.rrf_k], layout=row)
        super().__init__([widgets.HBox([self.question]), widgets.HBox([lanes, numbers], layout=row)])
        self.question.observe(lambda _: self._changed(False), "value")
        self.question.on_msg(self._entered)
        for control in (*self.lanes.values(), self.one_per_file, self.top_k, self.rrf_k):
            control.observe(lambda _: self._changed(True), "value")

    def asked(self) -> Asked:
        """The panel's present state."""
        chosen = tuple(lane for lane, box in self.lanes.items() if box.value)
        return Asked(
            question=self.question.value.strip(),
            lanes=None if len(chosen) == len(LANES) else chosen,
            top_k=self.top_k.value,
            rrf_k=self.rrf_k.value,
            per_file=1 if self.one_per_file.value else None,
        )

    def _entered(self, _: Any, content: dict[str, Any], __: Any) -> None:
        if content.get("event") == "submit":  # Text.on_submit is deprecated; this is the message behind it
            self._changed(True)


def _checkbox(label: str, tooltip: str, *, value: bool = True) -> Any:
    return widgets.Checkbox(
        value=value,
        description=label,
        tooltip=tooltip,
        indent=False,
        layout=widgets.Layout(width="auto", margin="2px 12px"),
    )


def _number(label: str, value: int, low: int, high: int) -> Any:
    return widgets.BoundedIntText(
        value=value,
        min=low,
        max=high,
        description=label,
        style={"description_width": "auto"},
        layout=widgets.Layout(width="auto", max_width="130px", margin="2px 12px 2px 0"),
    )
