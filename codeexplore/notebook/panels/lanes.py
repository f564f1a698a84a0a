"""The lanes of a search: which are searched, with which weight, and what each found in how many milliseconds."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import ipywidgets as widgets

from codeexplore.answers.html.show import health_html
from codeexplore.answers.plain_words import LANE_WORDS
from codeexplore.notebook.background import CallbackGuard
from codeexplore.notebook.panels.toolbar import checkbox, fraction, row
from codeexplore.types import LANES, LaneName, lane_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codeexplore.answers import SearchAnswer

_TOOLTIPS = {
    "bm25": "Find code that contains the question's words; rare words count more (lane bm25)",
    "embedding": "Find code whose words have a similar meaning (lane embedding)",
    "graph": "Find code that calls, or is called by, the symbols that the question is about (lane graph)",
}


class LanesPanel(widgets.HBox):
    """A checkbox and a status for each lane. `weight_row` has a box for the weight of each lane.

    The boxes show the planner's choice for the last question. If the user changes a lane, the user's choice applies to
    all further questions until `reset` is called.
    """

    def __init__(self, changed: Callable[[bool], None], guard: CallbackGuard) -> None:
        self._changed = changed
        self._showing = False
        self._chosen = False  # True if the user chose the lanes
        self._weighed: set[str] = set()  # lanes whose weight the user chose
        self._failed: set[str] = set()  # lanes whose status is shown in every view
        self._plain = False
        self.boxes = {lane: checkbox(lane, _TOOLTIPS[lane]) for lane in LANES}
        counts = "How much the lane {} counts in a score: with 2 twice as much as with 1, with 0 not at all"
        self.weights = {lane: fraction(f"{lane} weight", 1.0, 0.0, 100.0, 0.1, counts.format(lane)) for lane in LANES}
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

    def name_plainly(self, plain: bool) -> None:
        """Name the lanes by what they compare, or as Python does. Plain names show the status of failed lanes only."""
        self._plain = plain
        for lane, box in self.boxes.items():
            box.description = LANE_WORDS[lane] if plain else lane
        self._show_health()

    @property
    def mine(self) -> bool:
        return self._chosen or bool(self._weighed)

    def lanes(self) -> tuple[LaneName, ...] | None:
        return tuple(lane for lane in LANES if self.boxes[lane].value) if self._chosen else None

    def chosen_weights(self) -> tuple[tuple[str, float], ...]:
        """Return (lane, weight) for the lanes that will be searched, with the weights that the user chose."""
        return tuple((lane, self.weights[lane].value) for lane in LANES if lane in self._weighed and self._asked(lane))

    def show(self, answer: SearchAnswer) -> None:
        """Show the status of each lane, and the planner's choice for lanes that the user has not changed."""
        with self._quietly():
            for lane in LANES:
                if not self._chosen:
                    self.boxes[lane].value = lane in answer.plan.lanes
                if lane not in self._weighed:
                    self.weights[lane].value = answer.plan.lanes.get(lane, self.weights[lane].value)
                found = [ranking for ranking in answer.rankings if lane_of(ranking.lane) == lane]
                self.health[lane].value = health_html(lane, found)
                if all(ranking.status in ("ok", "empty") for ranking in found):
                    self._failed.discard(lane)
                else:
                    self._failed.add(lane)
        self._show_health()

    def clear(self) -> None:
        for lane in LANES:
            self.health[lane].value = ""

    def reset(self) -> None:
        self._chosen = False
        self._weighed.clear()

    def _show_health(self) -> None:
        for lane, health in self.health.items():
            health.layout.display = "none" if self._plain and lane not in self._failed else ""

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
            self.boxes[lane].value = True  # setting the weight of a lane selects the lane
            return
        self._changed(True)

    @contextmanager
    def _quietly(self) -> Iterator[None]:
        self._showing = True
        try:
            yield
        finally:
            self._showing = False
