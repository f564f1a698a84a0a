"""Why a hit stands where it does: each summand of its score, and below it what that is made of."""

from __future__ import annotations

from codeexplore.render import parts
from codeexplore.render.html import Html, tag
from codeexplore.render.palette import DIM, SIGNAL, lane_colour
from codeexplore.views import SearchAnswer, SearchHit
from codeexplore.views.arithmetic import number, terms
from codeexplore.views.visible import cut, one_line

_REASON_CHARS = 300


def why_html(hit: SearchHit, answer: SearchAnswer) -> Html:
    """One line per summand, with where it comes from."""
    lines = []
    for term in terms(hit.fused, answer.result):
        colour = lane_colour(term.source) if term.kind == "lane" else SIGNAL
        value = number(term.value) if term.formula == number(term.value) else f"{term.formula} = {number(term.value)}"
        lines.append(
            tag(
                "div",
                parts.swatch(colour),
                f"{value}  ",
                tag("b", term.source),
                f": {cut(one_line(term.why), _REASON_CHARS)}",
            )
        )
    return tag("div", *lines, style=f"color:{DIM};font-size:12px;margin:2px 0", class_="ce-dim")
