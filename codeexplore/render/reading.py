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
    """``How it was found: callers of `f`, 1 step by bm25 × 0.5 + graph × 2``; it opens to the reasons."""
    reasons = [
        tag("li", tag("i", reason.choice), ": ", cut(one_line(reason.why), _REASON_CHARS)) for reason in plan.reasons
    ]
    if not reasons:
        return tag("div", "How it was found: ", _words(plan))
    told = join(("How it was found: ", _words(plan)))
    return parts.folded(told, tag("ul", *reasons, style="margin:2px 0"))


def _words(plan: QueryPlan) -> Html:
    subjects = [tag("code", cut(one_line(name), _NAME_CHARS), style=_CODE) for name in plan.identifiers[:3]]
    described = (plan.description, plan.target_description)
    subjects += [join(("“", cut(one_line(what), _NAME_CHARS), "”")) for what in described if what]
    lanes = join((_weighted(lane, weight) for lane, weight in plan.lanes.items()), " + ")
    if plan.relation is not None:
        steps = "" if plan.relation == "path" else f", {plural(plan.depth, 'step')}"
        way = f"{plan.relation} of " if subjects else plan.relation
        if plan.relation == "path":
            way = "path between "
        return join((way, join(subjects, " and "), steps, " by " if lanes else "", lanes))
    about = join((" ", join(subjects, ", "))) if subjects else ""
    return join((_KINDS.get(plan.kind, plan.kind), about, " by " if lanes else "", lanes))


_KINDS = {
    "identifier": "as the name",
    "conceptual": "as a description in plain words",
    "mixed": "as a description that names",
    "structural": "as a question about the graph:",
}

_CODE = "background:transparent;color:inherit;padding:0"


def _weighted(lane: str, weight: float) -> Html:
    times = "" if weight == 1.0 else f" × {weight:g}"
    return join((parts.swatch(lane_colour(lane)), f"{lane}{times}"))


def health_html(lane: str, ranking: Ranking | None) -> Html:
    """A lane's hits and milliseconds, or what is wrong with it; None when the question did not use it."""
    mark = parts.swatch(lane_colour(lane))
    if ranking is None:
        return parts.page(mark, parts.dim("not used"))
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
