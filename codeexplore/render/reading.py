"""How a question was read, in words, and how each lane did."""

from __future__ import annotations

from codeexplore.render import parts
from codeexplore.render.html import Html, join, tag
from codeexplore.render.palette import WARNING, lane_colour
from codeexplore.types import QueryPlan, Ranking
from codeexplore.views.text import plural
from codeexplore.views.visible import cut, one_line

_REASON_CHARS = 300
_NAME_CHARS = 60


def reading_page(plan: QueryPlan) -> Html:
    """`reading_html` by itself."""
    return parts.page(reading_html(plan))


def reading_html(plan: QueryPlan) -> Html:
    """``structural `validate_session` → bm25 × 0.5 + graph × 2: callers, depth 1``; it opens to the reasons."""
    reasons = [
        tag("li", tag("i", reason.choice), ": ", cut(one_line(reason.why), _REASON_CHARS)) for reason in plan.reasons
    ]
    if not reasons:
        return tag("div", "read as ", _words(plan))
    told = join(("read as ", _words(plan)))
    return parts.folded(told, tag("ul", *reasons, style="margin:2px 0"))


def _words(plan: QueryPlan) -> Html:
    subjects = [tag("code", cut(one_line(name), _NAME_CHARS), style=_CODE) for name in plan.identifiers[:3]]
    described = (plan.description, plan.target_description)
    subjects += [join(("“", cut(one_line(what), _NAME_CHARS), "”")) for what in described if what]
    lanes = join((_weighted(lane, weight) for lane, weight in plan.lanes.items()), " + ")
    way = ""
    if plan.relation is not None:
        pieces: list[str] = [plan.relation]
        if plan.direction is not None:
            pieces.append({"in": "to it", "out": "from it", "both": "both ways"}[plan.direction])
        way = f": {', '.join(pieces)}, depth {plan.depth}"
    return join((tag("b", plan.kind), " ", join(subjects, ", "), " → " if lanes else "", lanes, way))


_CODE = "background:transparent;color:inherit;padding:0"


def _weighted(lane: str, weight: float) -> Html:
    times = "" if weight == 1.0 else f" × {weight:g}"
    return join((parts.swatch(lane_colour(lane)), f"{lane}{times}"))


def health_html(lane: str, ranking: Ranking | None) -> Html:
    """A lane's hits and milliseconds, or what is wrong with it; None when it was not asked."""
    mark = parts.swatch(lane_colour(lane))
    if ranking is None:
        return parts.page(mark, parts.dim("not asked"))
    return parts.page(mark, ranking_html(ranking))


def ranking_html(ranking: Ranking) -> Html:
    """``54 hits 6 ms``; what went wrong as a warning."""
    if ranking.status == "ok":
        return join((plural(len(ranking.hits), "hit"), parts.dim(f" {ranking.elapsed_ms:.0f} ms")))
    if ranking.status == "empty":
        why = f": {cut(one_line(ranking.reason), _REASON_CHARS)}" if ranking.reason else ""
        return join(("0 hits", parts.dim(f"{why} {ranking.elapsed_ms:.0f} ms")))
    if ranking.status == "waiting":
        return join(("not there yet", parts.dim(f": {cut(one_line(ranking.reason), _REASON_CHARS)}")))
    told = f"⚠ {ranking.status}: {cut(one_line(ranking.reason), _REASON_CHARS)}"
    return tag("span", told, class_="ce-warning", style=f"color:{WARNING}")
