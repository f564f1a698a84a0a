"""Comparison of the displayed answer with another answer.

The other answer leaves out a lane, uses one lane alone, or uses another fusion. It may also be an earlier answer that
the user kept.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import ipywidgets as widgets

from codeexplore.answers.comparison import Comparison, compare
from codeexplore.answers.html import components
from codeexplore.notebook.background import CallbackGuard, LatestTask
from codeexplore.notebook.panels.toolbar import Message, button, choice, row
from codeexplore.notebook.requests import SearchRequest
from codeexplore.search.ranking.fusion import FUSIONS
from codeexplore.types import LANES, LaneName

if TYPE_CHECKING:
    from codeexplore.answers import SearchAnswer
    from codeexplore.workspace.workspace import Workspace

_NOTHING, _EACH, _KEPT = "nothing", "each lane left out", "the answer you kept"
_WITHOUT = {f"without {lane}": lane for lane in LANES}
_ALONE = {f"{lane} alone": lane for lane in LANES}
_OTHERS = {f"fusion {name}": name for name in FUSIONS}
_DEEP = 50  # minimal number of ranks compared: "12" is more informative than "below 10"


class Compared(NamedTuple):
    """Input of a comparison: the displayed answer, its request, the chosen other settings, and the kept answer."""

    workspace: Workspace
    asked: SearchRequest
    answer: SearchAnswer
    other: str
    kept: tuple[SearchRequest, SearchAnswer] | None


class ComparePanel(widgets.VBox):
    """Panel that shows how ranks differ between the displayed answer and an answer with other settings.

    The user selects the other settings with `controls`, which the explorer displays among its options.
    """

    def __init__(self, guard: CallbackGuard) -> None:
        self._present: tuple[Workspace, SearchRequest, SearchAnswer] | None = None
        self._kept: tuple[Workspace, SearchRequest, SearchAnswer] | None = None
        self.message = Message()
        self._latest: LatestTask[Compared, str] = LatestTask(compared_html, self._show, self._fail, guard.lock)
        options = (_NOTHING, _EACH, _KEPT, *_WITHOUT, *_ALONE, *_OTHERS)
        self.other = choice(
            "Compare with",
            options,
            "Show above the hits which ranks they would have with other settings, such as without one of the lanes",
        )
        self.keep_button = button(
            "Keep to compare", "Compare later answers with this one, until you close the notebook; Pin saves an answer"
        )
        self.view = widgets.HTML()
        self.controls = row([self.other, self.keep_button], "ce-compare")
        super().__init__([self.message, self.view])
        self.other.observe(guard(lambda _: self._start()), "value")
        self.keep_button.on_click(guard(lambda _: self.keep_answer()))

    def offer(self, workspace: Workspace, asked: SearchRequest, answer: SearchAnswer) -> None:
        """Use `answer`, which is now displayed, for the comparison."""
        if self._kept is not None and self._kept[0] is not workspace:
            self._kept = None  # ranks in two repositories cannot be compared
        self._present = (workspace, asked, answer)
        self._start()

    def clear(self) -> None:
        self._latest.forget()
        self._present = None
        self.view.value = self.message.value = ""

    def keep_answer(self) -> None:
        """Keep the displayed answer, and compare later answers with it."""
        if self._present is None:
            self.message.show("Ask a question first: its answer can be kept.")
            return
        self._kept = self._present
        if self.other.value == _KEPT:
            self._start()
        else:
            self.other.value = _KEPT

    def wait(self, timeout: float = 30.0) -> bool:
        return self._latest.wait(timeout)

    def _start(self) -> None:
        if self.other.value == _NOTHING or self._present is None:
            self._latest.forget()
            self.view.value = self.message.value = ""
        elif self.other.value == _KEPT and self._kept is None:
            self._latest.forget()
            self.view.value = ""
            self.message.show("No answer is kept yet: “Keep to compare” keeps the displayed answer.")
        else:
            self.message.value = ""
            self.view.layout.visibility = "hidden"  # its space stays reserved, so that nothing below moves
            kept = None if self._kept is None else self._kept[1:]
            self._latest.ask(Compared(*self._present, self.other.value, kept))

    def _show(self, markup: str) -> None:
        self.view.value = markup
        self.view.layout.visibility = "visible"

    def _fail(self, error: Exception) -> None:
        self.view.value = ""
        self.message.alert(error)


def compared_html(compared: Compared) -> str:
    from codeexplore.answers.html.rank_changes import slope_html

    asked, answer = compared.asked, compared.answer
    if compared.other == _EACH:
        return _each_lane_left_out(compared)
    if compared.other == _KEPT and compared.kept is not None:
        before, old = compared.kept
        titles, from_, to = (_title(before, asked), _title(asked, before)), old, answer
    else:
        titles, from_, to = ("now", compared.other), answer, _other(compared).search(compared.workspace)
    return components.page(slope_html(compare(from_, to), titles, max(len(from_), asked.top_k)))


def _each_lane_left_out(compared: Compared) -> str:
    from codeexplore.answers.html.rank_changes import whatif_html

    lanes = tuple(compared.answer.plan.lanes)
    if len(lanes) < 2:
        return components.page(components.dim(f"Only {lanes[0]} was searched: without this lane there is no answer."))
    found: dict[str, Comparison] = {}
    for lane in lanes:
        other = _with_lanes(compared, tuple(other for other in lanes if other != lane))
        found[lane] = compare(compared.answer, other.search(compared.workspace))
    return components.page(whatif_html(compared.answer, found))


def _other(compared: Compared) -> SearchRequest:
    asked, lanes = compared.asked, tuple(compared.answer.plan.lanes)
    if compared.other in _OTHERS:
        return replace(asked, fusion=_OTHERS[compared.other], top_k=_deep(compared))
    if compared.other in _ALONE:
        return _with_lanes(compared, tuple(lane for lane in LANES if lane == _ALONE[compared.other]))
    return _with_lanes(compared, tuple(lane for lane in lanes if lane != _WITHOUT[compared.other]))


def _with_lanes(compared: Compared, lanes: tuple[LaneName, ...]) -> SearchRequest:
    """Return the request with these lanes. Leaving out a lane must not change the weight of another lane."""
    weights = tuple((lane, weight) for lane, weight in compared.answer.plan.lanes.items() if lane in lanes)
    return replace(compared.asked, lanes=lanes, weights=weights, top_k=_deep(compared))


def _deep(compared: Compared) -> int:
    return max(_DEEP, compared.asked.top_k)


def _title(asked: SearchRequest, other: SearchRequest) -> str:
    """Return the question of `asked`, or if `other` has the same question, the options that differ."""
    if asked.question != other.question:
        return asked.question
    mine, yours = asked.options(), other.options()
    differences = [f"{name} {value}" for name, value in mine.items() if yours.get(name) != value]
    differences += [f"usual {name}" for name in yours if name not in mine]
    return ", ".join(differences) or "the same settings"
