"""A hit of a ranked answer as two rows of a table: where it stands and what put it there, then all behind that."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from codeexplore.render import parts
from codeexplore.render.html import Html, join, tag
from codeexplore.render.palette import SIGNAL, WARNING, lane_colour
from codeexplore.render.source import source_html
from codeexplore.render.why import why_html
from codeexplore.views import SearchAnswer, SearchHit
from codeexplore.views.arithmetic import Term, number, sum_line, terms

_BAR_PIXELS = 110
_MOST_SIGNALS = 2  # written out before a hit is unfolded

# source and arithmetic stand beside each other where there is room
_SIDE_BY_SIDE = "display:flex;flex-wrap:wrap;gap:0 20px;align-items:flex-start"
_BESIDE = "flex:1 1 340px;min-width:0"


def header(answer: SearchAnswer) -> tuple[str, ...]:
    """The column headings: a column for each lane that was asked."""
    underlined = "border-bottom:2px solid {};padding-bottom:1px"
    lanes = (
        tag("span", ranking.lane, style=underlined.format(lane_colour(ranking.lane))) for ranking in answer.rankings
    )
    return ("#", "symbol", *lanes, "score", "made of")


def hit_rows(hit: SearchHit, answer: SearchAnswer, longest: float, sought: Collection[str], opened: bool) -> list[Html]:
    """The two rows of a hit. `longest` is the score that fills the bar's width, `sought` the tokens to be marked."""
    ranks = {share.lane: share.rank for share in hit.contributions}
    cells = (
        str(hit.rank),
        hit_name(hit),
        *(_rank(ranks.get(ranking.lane)) for ranking in answer.rankings),
        number(hit.score),
        _bar(terms(hit.fused, answer.result), longest),
    )
    sum_ = sum_line(hit.fused, answer.result, most=_MOST_SIGNALS)
    told = join((parts.place(hit.path, hit.start_line, hit.end_line), parts.small("\u2002" + sum_)))
    source = tag("div", source_html(hit.numbered_lines(), hit.chunk.language, sought=sought), style=_BESIDE)
    content = tag("div", source, tag("div", why_html(hit, answer), style=_BESIDE), style=_SIDE_BY_SIDE)
    first = parts.row(cells, unbroken=(0, *range(2, len(cells))), wide=1)
    return [first, parts.wide_row(parts.folded(told, content, opened=opened), len(cells))]


def longest_bar(hits: Sequence[SearchHit]) -> float:
    """The largest sum of what speaks for a hit."""
    return max((_positive(hit) for hit in hits), default=1.0) or 1.0


def hit_name(hit: SearchHit) -> Html:
    """The symbol's name; the file's for a hit that stands for none."""
    if hit.symbol is None:
        return parts.name(hit.path.rpartition("/")[2], hit.kind, title=hit.path)
    return parts.short_name(hit.symbol)


def _rank(rank: int | None) -> Html | str:
    return parts.dim("–") if rank is None else str(rank)


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
