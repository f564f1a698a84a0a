"""A hit of a ranked answer as two rows of a table: where it stands and what put it there, then all behind that."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from codeexplore.render import parts
from codeexplore.render.html import Html, join, tag
from codeexplore.render.palette import LINE, SIGNAL, WARNING, lane_colour
from codeexplore.render.source import MAX_FOLDED, MAX_LINES, source_html
from codeexplore.render.why import why_html
from codeexplore.search.roles import WORDS_ONLY
from codeexplore.views import SearchAnswer, SearchHit
from codeexplore.views.arithmetic import Term, number, terms
from codeexplore.views.visible import cut, one_line

_BAR_PIXELS = 84
_ROLE_CHARS = 120
_ROLE = f"border:1px solid {LINE};border-radius:8px;padding:0 6px;margin-right:8px;font-size:11.5px"
_COLOURED = 12  # lines of source in an answer that stays in a notebook: their markup is what makes it large
_LINE_MARKUP = 40  # characters of markup that a line of source without colours takes
_FOLDED_CHARS = 20_000  # of source that unfolds in one answer's output: a notebook must stay small

WORDS_ALONE = "shares words only"

LANE_WORDS = {
    "bm25": "the words of the question",
    "embedding": "the meaning of the question",
    "graph": "the call graph",
}
"""What each lane ranks by."""

# source and arithmetic stand beside each other where there is room
_BEFORE = "float:left;max-width:100%;margin-right:10px"  # the place stands on the line that opens the hit
_SIDE_BY_SIDE = "clear:both;display:flex;flex-wrap:wrap;gap:0 20px;align-items:flex-start"
_BESIDE = "flex:1 1 340px;min-width:0"


class Folding:
    """How much of an answer opens by itself, and how much source may unfold in all of it.

    Parameters
    ----------
    opened
        Hits that stand open.
    chars
        Characters of source that may unfold in the whole answer; None for no limit.
    """

    def __init__(self, opened: int = 0, chars: int | None = _FOLDED_CHARS) -> None:
        self.opened, self._chars = opened, chars

    @property
    def limit(self) -> int:
        """Lines of a hit's source in colour, in sight when it is open."""
        return _COLOURED if self.light else MAX_LINES

    @property
    def light(self) -> bool:
        """Whether source that unfolds goes without colours, to stay small."""
        return self._chars is not None

    def take(self, lines: Sequence[tuple[int, str]]) -> int:
        """Return how many lines of a hit's source may unfold, and count them as used."""
        count = 0
        for _, text in lines[self.limit : self.limit + MAX_FOLDED]:
            if self._chars is not None:
                self._chars -= len(text) + _LINE_MARKUP
                if self._chars < 0:
                    break
            count += 1
        return count


def header(answer: SearchAnswer) -> tuple[str, ...]:
    """The column headings: a column for each lane that was asked."""
    underlined = "border-bottom:2px solid {};padding-bottom:1px"
    lanes = (
        tag(
            "span",
            ranking.lane,
            Html("<br>"),
            "rank",
            style=underlined.format(lane_colour(ranking.lane)),
            title=f"Place in the ranking by {LANE_WORDS.get(ranking.lane, ranking.lane)}; – where it is not in it",
        )
        for ranking in answer.rankings
    )
    return ("#", "symbol", *lanes, "score", join(("parts of", Html("<br>"), "the score")))


def hit_rows(
    hit: SearchHit, answer: SearchAnswer, longest: float, sought: Collection[str], folding: Folding
) -> list[Html]:
    """The two rows of a hit. `longest` is the score that fills the bar's width, `sought` the tokens to be marked."""
    ranks = {share.lane: share.rank for share in hit.contributions}
    cells = (
        str(hit.rank),
        hit_name(hit, kind=False),
        *(_rank(ranks.get(ranking.lane)) for ranking in answer.rankings),
        number(hit.score),
        _bar(terms(hit.fused, answer.result), longest),
    )
    told = join((_role(hit, answer), "code, score"))
    lines = hit.numbered_lines()
    source = source_html(
        lines, hit.chunk.language, limit=folding.limit, folded=folding.take(lines), light=folding.light, sought=sought
    )
    content = tag(
        "div", tag("div", source, style=_BESIDE), tag("div", why_html(hit, answer), style=_BESIDE), style=_SIDE_BY_SIDE
    )
    place = parts.place(hit.path, hit.start_line, hit.end_line, copy=True)
    where = tag("div", parts.small(f"{hit.kind} "), place, style=_BEFORE)
    first = parts.row(cells, unbroken=(0, *range(2, len(cells))), wide=1)
    opened = hit.rank <= folding.opened
    return [first, parts.wide_row(join((where, parts.folded(told, content, opened=opened))), len(cells))]


def _role(hit: SearchHit, answer: SearchAnswer) -> Html:
    """What the hit is to the question, as the terminal says it: "caller, 2 steps away"."""
    said = answer.standing(hit)
    if not said:
        return join(())
    short = WORDS_ALONE if hit.role == WORDS_ONLY else cut(one_line(said), _ROLE_CHARS)
    return tag("span", short, class_="ce-role", style=_ROLE, title=said)


def longest_bar(hits: Sequence[SearchHit]) -> float:
    """The largest sum of what speaks for a hit."""
    return max((_positive(hit) for hit in hits), default=1.0) or 1.0


def hit_name(hit: SearchHit, *, kind: bool = True) -> Html:
    """The symbol's name, with its kind where that is wanted; the file's name for a hit that stands for no symbol."""
    if hit.symbol is None:
        return parts.name(hit.path.rpartition("/")[2], hit.kind if kind else "", title=hit.path)
    return parts.short_name(hit.symbol, kind=kind)


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
