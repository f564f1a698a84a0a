"""Comparison of the displayed answer with another answer.

The other answer leaves out a lane, uses one lane alone, or uses another fusion. It may also be an earlier answer that
the user kept.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from codeexplore.answers.html import components
from codeexplore.answers.score_terms import lane_words
from codeexplore.answers.search import Comparison, compare
from codeexplore.notebook.requests import SearchRequest
from codeexplore.search.ranking.fusion import FUSIONS
from codeexplore.types import LANES, LaneName

if TYPE_CHECKING:
    from codeexplore.answers import SearchAnswer
    from codeexplore.workspace.workspace import Workspace

_EACH, KEPT = "each lane left out", "the answer you kept"
_WITHOUT = {f"without {lane_words(lane)}": lane for lane in LANES}
_ALONE = {f"{lane_words(lane)} alone": lane for lane in LANES}
_OTHERS = {f"fusion {name}": name for name in FUSIONS}
OTHERS = (_EACH, KEPT, *_WITHOUT, *_ALONE, *_OTHERS)
"""What an answer can be compared with."""

_DEEP = 50  # minimal number of ranks compared: "12" is more informative than "below 10"


class Compared(NamedTuple):
    """Input of a comparison: the displayed answer, its request, the chosen other settings, and the kept answer."""

    workspace: Workspace
    asked: SearchRequest
    answer: SearchAnswer
    other: str
    kept: tuple[SearchRequest, SearchAnswer] | None


def compared_html(compared: Compared) -> str:
    from codeexplore.answers.html.rank_changes import slope_html

    asked, answer = compared.asked, compared.answer
    if compared.other == _EACH:
        return _each_lane_left_out(compared)
    if compared.other == KEPT and compared.kept is not None:
        before, old = compared.kept
        titles, from_, to = (_title(before, asked), _title(asked, before)), old, answer
    else:
        titles, from_, to = ("now", compared.other), answer, _other(compared).search(compared.workspace)
    return components.page(slope_html(compare(from_, to), titles, max(len(from_), asked.top_k)))


def _each_lane_left_out(compared: Compared) -> str:
    from codeexplore.answers.html.rank_changes import whatif_html

    lanes = tuple(compared.answer.plan.lanes)
    if len(lanes) < 2:
        return components.page(
            components.dim(f"Only {lane_words(lanes[0])} was searched: without this lane there is no answer.")
        )
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
