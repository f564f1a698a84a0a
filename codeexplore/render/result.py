"""A ranked answer as HTML: what was found, and the arithmetic that put it where it stands."""

from __future__ import annotations

from codeexplore.render import parts
from codeexplore.render.html import Html, join, tag
from codeexplore.render.palette import DIM, SIGNAL, WARNING, lane_colour
from codeexplore.render.source import source_html
from codeexplore.types import Ranking
from codeexplore.views import SearchAnswer, SearchHit
from codeexplore.views.arithmetic import Term, number, sum_line, terms
from codeexplore.views.text import plural
from codeexplore.views.visible import cut, one_line

_BAR_PIXELS = 130
_QUESTION_CHARS = 300
_REASON_CHARS = 300
_MOST_SIGNALS = 2  # written out before a hit is unfolded
_HEADER = ("#", "symbol", "where", "score", "made of")


def answer_html(answer: SearchAnswer, *, opened: int = 1) -> Html:
    """The whole answer; the first `opened` hits show their source unasked."""
    count = len(answer)
    heading = tag(
        "div",
        tag("b", f"{count or 'No'} hit{'' if count == 1 else 's'}"),
        " for “",
        tag("b", cut(one_line(answer.question), _QUESTION_CHARS)),
        "”",
    )
    blocks = [
        heading,
        _reading(answer),
        *(parts.warning(cut(one_line(notice), _REASON_CHARS)) for notice in answer.notices),
    ]
    if answer.hits:
        longest = max(_positive(hit) for hit in answer) or 1.0
        rows = [row for hit in answer for row in _rows(hit, answer, longest, hit.rank <= opened)]
        blocks.append(parts.table(_caption(answer), _HEADER, rows))
    return parts.page(*blocks)


def hit_html(hit: SearchHit) -> Html:
    """One hit by itself: its name, place and source. Its arithmetic needs the answer around it."""
    shares = [f"{number(share.value)} {share.lane}" for share in hit.contributions]
    shares += [f"{number(adjustment.value)} {adjustment.signal}" for adjustment in hit.adjustments]
    return parts.page(
        tag("div", f"{hit.rank}. ", _name(hit), " ", parts.place(hit.path, hit.start_line, hit.end_line)),
        tag("div", " + ".join(shares), f" = {number(hit.score)}"),
        source_html(hit.numbered_lines(), hit.chunk.language),
    )


def _reading(answer: SearchAnswer) -> Html:
    """How the question was read and what each lane said."""
    lanes = join((_lane(ranking) for ranking in answer.rankings), "\u2002")
    reasons = [
        tag("li", tag("i", reason.choice), ": ", cut(one_line(reason.why), _REASON_CHARS))
        for reason in answer.plan.reasons
    ]
    if not reasons:
        return tag("div", f"read as {answer.plan.kind}\u2002", lanes)
    return tag("div", lanes, parts.folded(f"read as {answer.plan.kind}", tag("ul", *reasons, style="margin:2px 0")))


def _lane(ranking: Ranking) -> Html:
    if ranking.status in ("ok", "empty"):
        told = f"{ranking.lane} {plural(len(ranking.hits), 'hit')}"
        return join((parts.swatch(lane_colour(ranking.lane)), told, parts.dim(f" {ranking.elapsed_ms:.0f} ms")))
    told = f"⚠ {ranking.lane} {ranking.status}: {cut(one_line(ranking.reason), _REASON_CHARS)}"
    return tag("span", told, class_="ce-warning", style=f"color:{WARNING}")


def _caption(answer: SearchAnswer) -> str:
    if answer.result.fusion == "rrf":
        return f"score = Σ weight/({answer.result.rrf_k} + rank in lane) + signals"
    return f"score = contributions by {answer.result.fusion} + signals"


def _rows(hit: SearchHit, answer: SearchAnswer, longest: float, opened: bool) -> list[Html]:
    cells = (
        str(hit.rank),
        _name(hit),
        parts.place(hit.path, hit.start_line, hit.end_line),
        number(hit.score),
        _bar(terms(hit.fused, answer.result), longest),
    )
    why = sum_line(hit.fused, answer.result, most=_MOST_SIGNALS)
    content = join((_shares(hit, answer), source_html(hit.numbered_lines(), hit.chunk.language)))
    details = parts.folded(why, content, opened=opened)
    return [parts.row(cells, unbroken=(0, 3, 4)), parts.wide_row(details, len(_HEADER))]


def _name(hit: SearchHit) -> Html:
    if hit.symbol is None:
        return parts.name(hit.path.rpartition("/")[2], hit.kind, title=hit.path)
    return parts.symbol_name(hit.symbol)


def _shares(hit: SearchHit, answer: SearchAnswer) -> Html:
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


def _bar(summands: tuple[Term, ...], longest: float) -> Html:
    """The summands as lengths, subtractions hollow and last. The sum in words stands below it."""
    segments = []
    for term in sorted(summands, key=lambda summand: summand.value < 0):
        pixels = max(2, round(_BAR_PIXELS * abs(term.value) / longest))
        colour = lane_colour(term.source) if term.kind == "lane" else SIGNAL
        fill = f"background:{colour}" if term.value >= 0 else f"border:1px dashed {WARNING};box-sizing:border-box"
        style = f"display:inline-block;height:10px;width:{pixels}px;margin-right:1px;{fill}"
        segments.append(tag("span", style=style, title=f"{term.source} {number(term.value)}"))
    return tag("div", *segments, aria_hidden="true", style="white-space:nowrap;line-height:1;padding-top:5px")


def _positive(hit: SearchHit) -> float:
    values = [share.value for share in hit.contributions] + [adjustment.value for adjustment in hit.adjustments]
    return sum(value for value in values if value > 0)
