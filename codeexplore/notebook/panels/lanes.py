"""The lanes: which are asked and what each weighs, beside what each answered and how long it took."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import ipywidgets as widgets

from codeexplore.html.search import health_html
from codeexplore.notebook.guard import Guard
from codeexplore.notebook.panels.controls import checkbox, fraction, row
from codeexplore.types import LANES, LaneName

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codeexplore.results import SearchAnswer


_TOLD = {
    "bm25": "bm25: finds code that contains the question's words, rare words first",
    "embedding": "embedding: finds code whose words have a similar meaning",
    "graph": "graph: follows calls and uses from the symbols that the question is about",
}


class LanesPanel(widgets.HBox):
    """A checkbox and a line of health for each lane; `weight_row` holds a weight for each.

    They show the planner's choice for the last question. Once one is changed, that choice applies to all further
    questions until `reset`.
    """

    def __init__(self, changed: Callable[[bool], None], guard: Guard) -> None:
        self._changed = changed
        self._showing = False
        self._chosen = False  # whether a person chose the lanes
        self._weighed: set[str] = set()  # lanes whose weight a person chose
        self.boxes = {lane: checkbox(lane, _TOLD[lane]) for lane in LANES}
        self.weights = {
            lane: fraction(
                f"{lane} weight", 1.0, 0.0, 100.0, 0.1,
                f"The {lane} lane adds weight / (rrf_k + rank) to a hit's score under rrf",
            )
            for lane in LANES
        }  # fmt: skip
        self.weight_row = row(list(self.weights.values()))
        self.health = {lane: widgets.HTML() for lane in LANES}
        parts = [row([self.boxes[lane], self.health[lane]], f"ce-lane-{lane}") for lane in LANES]
        for part in parts:
            part.add_class("ce-lane")
        super().__init__(parts)
        self.layout.flex_flow = "row wrap"
        self.add_class("ce-lanes")
        for lane in LANES:
            self.boxes[lane].observe(guard(self._ticked), "value")
            self.weights[lane].observe(guard(lambda _, lane=lane: self._weigh(lane)), "value")

    @property
    def mine(self) -> bool:
        """Whether anything here was chosen by a person."""
        return self._chosen or bool(self._weighed)

    def lanes(self) -> tuple[LaneName, ...] | None:
        """The lanes to ask; None leaves them to the planner."""
        return tuple(lane for lane in LANES if self.boxes[lane].value) if self._chosen else None

    def chosen_weights(self) -> tuple[tuple[str, float], ...]:
        """The weights that a person chose, of lanes that are asked."""
        return tuple((lane, self.weights[lane].value) for lane in LANES if lane in self._weighed and self._asked(lane))

    def show(self, answer: SearchAnswer) -> None:
        """Show how the lanes answered, and the planner's choice where a person made none."""
        rankings = {ranking.lane: ranking for ranking in answer.rankings}
        with self._quietly():
            for lane in LANES:
                if not self._chosen:
                    self.boxes[lane].value = lane in answer.plan.lanes
                if lane not in self._weighed:
                    self.weights[lane].value = answer.plan.lanes.get(lane, self.weights[lane].value)
                self.health[lane].value = health_html(lane, rankings.get(lane))

    def clear(self) -> None:
        """Show no answer of the lanes."""
        for lane in LANES:
            self.health[lane].value = ""

    def reset(self) -> None:
        """Leave lanes and weights to the planner again."""
        self._chosen = False
        self._weighed.clear()

    def _asked(self, lane: LaneName) -> bool:
        return not self._chosen or bool(self.boxes[lane].value)

    def _ticked(self, _: Any) -> None:
        if not self._showing:
            self._chosen = True
            self._changed(True)

    def _weigh(self, lane: LaneName) -> None:
        if self._showing:
            return
        self._weighed.add(lane)
        if self._chosen and not self.boxes[lane].value:
            self.boxes[lane].value = True  # to weigh a lane is to ask it
            return
        self._changed(True)

    @contextmanager
    def _quietly(self) -> Iterator[None]:
        self._showing = True
        try:
            yield
        finally:
            self._showing = False
