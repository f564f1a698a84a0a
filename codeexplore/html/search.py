"""Ranked answers and explanations of hits as HTML.

An answer shows the query plan in words, the state of each lane, and two rows per hit: rank, name and score, then its
source and the summands of the score. An explanation shows one hit with every number behind its score.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from codeexplore.html import components
from codeexplore.html.code import MAX_FOLDED, MAX_LINES, sought_tokens, source_html
from codeexplore.html.elements import DIM, LINE, SIGNAL, WARNING, Html, join, lane_colour, tag
from codeexplore.html.graph import absence_html, path_lists
from codeexplore.html.links import linked
from codeexplore.html.score_terms import summands_html, why_html
from codeexplore.results import Explanation, SearchAnswer, SearchHit
from codeexplore.results.score_terms import Term, number, terms
from codeexplore.results.text.clip import cut, one_line
from codeexplore.results.text.phrases import confidence_words, plural
from codeexplore.search.roles import WORDS_ONLY
from codeexplore.types import QueryPlan, Ranking

_REASON_CHARS = 300
_NAME_CHARS = 60


def reading_page(plan: QueryPlan) -> Html:
    """Return `reading_html` as a page of its own."""
    return components.page(reading_html(plan))


def reading_html(plan: QueryPlan) -> Html:
    """``How it was found: callers of `f`, 1 step by bm25 × 0.5 + graph × 2``; it opens to the reasons."""
    reasons = [
        tag("li", tag("i", reason.choice), ": ", cut(one_line(reason.why), _REASON_CHARS)) for reason in plan.reasons
    ]
    if not reasons:
        return tag("div", "How it was found: ", _words(plan))
    heading = join(("How it was found: ", _words(plan)))
    return components.folded(heading, tag("ul", *reasons, style="margin:2px 0"))


def _words(plan: QueryPlan) -> Html:
    names = () if plan.description and plan.relation != "path" else plan.identifiers[:3]  # part of the description
    subjects = [tag("code", cut(one_line(name), _NAME_CHARS), style=_CODE) for name in names]
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
    return join((components.swatch(lane_colour(lane)), f"{lane}{times}"))


def health_html(lane: str, ranking: Ranking | None) -> Html:
    """Return a lane's hits and milliseconds, or its problem; None when the question did not use it."""
    mark = components.swatch(lane_colour(lane))
    if ranking is None:
        return components.page(mark, components.dim("not used"))
    return components.page(mark, ranking_html(ranking))


def ranking_html(ranking: Ranking) -> Html:
    """Return ``54 hits 6 ms``; a failure is a warning."""
    if ranking.status == "ok":
        return join((plural(len(ranking.hits), "hit"), components.dim(f" {ranking.elapsed_ms:.0f} ms")))
    if ranking.status == "empty":
        why = f": {cut(one_line(ranking.reason), _REASON_CHARS)}" if ranking.reason else ""
        return join(("0 hits", components.dim(f"{why} {ranking.elapsed_ms:.0f} ms")))
    if ranking.status == "waiting":
        return join(("not there yet", components.dim(f": {cut(one_line(ranking.reason), _REASON_CHARS)}")))
    message = f"⚠ {ranking.status}: {cut(one_line(ranking.reason), _REASON_CHARS)}"
    return tag("span", message, class_="ce-warning", style=f"color:{WARNING}")


_BAR_PIXELS = 84
_ROLE_CHARS = 120
_ROLE = (
    f"border:1px solid {LINE};border-radius:8px;padding:0 6px;margin-right:8px;font-size:11.5px;display:inline-block"
)
_COLOURED = 12  # lines of source in an answer kept in a notebook: their markup makes it large
_LINE_MARKUP = 40  # characters of markup that a line of source without colours takes
_FOLDED_CHARS = 20_000  # of source that unfolds in one answer's output: a notebook must stay small

WORDS_ALONE = "shares words only"

LANE_WORDS = {
    "bm25": "the words of the question",
    "embedding": "the meaning of the question",
    "graph": "the call graph",
}
"""The measure by which each lane ranks."""

# source and arithmetic are beside each other where the width allows it
_BEFORE = "float:left;max-width:100%;margin-right:10px"  # the place is on the line that unfolds the hit
_SIDE_BY_SIDE = "clear:both;display:flex;flex-wrap:wrap;gap:0 20px;align-items:flex-start"
_BESIDE = "flex:1 1 340px;min-width:0"


class Folding:
    """Limits of an answer: hits that are unfolded at first, and source that may unfold in total.

    Parameters
    ----------
    opened
        Hits that are unfolded at first.
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
        """True if source that unfolds has no colours, so that the page stays small."""
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
    heading = join((_role(hit, answer), "code, score"))
    lines = hit.numbered_lines()
    source = source_html(
        lines, hit.chunk.language, limit=folding.limit, folded=folding.take(lines), light=folding.light, sought=sought
    )
    content = tag(
        "div", tag("div", source, style=_BESIDE), tag("div", why_html(hit, answer), style=_BESIDE), style=_SIDE_BY_SIDE
    )
    place = components.place(hit.path, hit.start_line, hit.end_line, copy=True)
    where = tag("div", components.small(f"{hit.kind} "), place, style=_BEFORE)
    first = components.row(cells, unbroken=(0, *range(2, len(cells))), wide=1)
    opened = hit.rank <= folding.opened
    return [first, components.wide_row(join((where, components.folded(heading, content, opened=opened))), len(cells))]


def _role(hit: SearchHit, answer: SearchAnswer) -> Html:
    """Return the role of the hit in the words of the terminal: "caller, 2 steps away"."""
    said = answer.role_of(hit)
    if not said:
        return join(())
    short = WORDS_ALONE if hit.role == WORDS_ONLY else cut(one_line(said), _ROLE_CHARS)
    return tag("span", short, class_="ce-role", style=_ROLE, title=said)


def longest_bar(hits: Sequence[SearchHit]) -> float:
    """Return the largest sum of the positive summands of a hit."""
    return max((_positive(hit) for hit in hits), default=1.0) or 1.0


def hit_name(hit: SearchHit, *, kind: bool = True) -> Html:
    """Return the symbol's name, with its kind if `kind`; the file's name for a hit without a symbol."""
    if hit.symbol is None:
        return components.name(hit.path.rpartition("/")[2], hit.kind if kind else "", title=hit.path)
    return components.short_name(hit.symbol, kind=kind)


def _rank(rank: int | None) -> Html | str:
    return components.dim("–") if rank is None else str(rank)


def _bar(summands: tuple[Term, ...], longest: float) -> Html:
    """Return the summands as lengths, subtractions hollow and last. The sum is written below the bar."""
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


_TEXT_CHARS = 300
_MOST_SEEDS = 5


@linked
def explanation_html(why: Explanation) -> Html:
    """All of it, nothing folded."""
    hit = why.hit
    heading = tag(
        "div",
        tag("b", f"{why.rank}. "),
        hit_name(hit),
        "\u2002",
        components.place(hit.path, hit.start_line, hit.end_line),
    )
    asked = tag("div", "for “", tag("b", cut(one_line(why.question), _TEXT_CHARS)), "”")
    return components.page(heading, asked, _reading(why), summands_html(hit, why.result, why, opened=True))


def _reading(why: Explanation) -> Html:
    items = [tag("li", tag("i", each.choice), ": ", cut(one_line(each.why), _TEXT_CHARS)) for each in why.reasons]
    items += [
        tag(
            "li",
            tag("i", "start"),
            ": ",
            cut(one_line(why.name_of(seed.symbol_id)), 120),
            f", weight {seed.weight:.3g}, ",
            cut(one_line(seed.reason), _TEXT_CHARS),
        )
        for seed in why.seeds[:_MOST_SEEDS]
    ]
    if len(why.seeds) > _MOST_SEEDS:
        items.append(tag("li", f"and {len(why.seeds) - _MOST_SEEDS} more starts"))
    if not items:
        return join(())
    return tag("ul", *items, style=f"margin:2px 0 6px;color:{DIM};font-size:12px", class_="ce-dim")


_QUESTION_CHARS = 300


@linked
def answer_html(answer: SearchAnswer, *, opened: int = 0) -> Html:
    """The whole answer as it stays in a notebook; the first `opened` hits show their source unasked."""
    count = len(answer)
    heading = tag(
        "div",
        tag("b", f"{count or 'No'} hit{'' if count == 1 else 's'}"),
        " for “",
        tag("b", cut(one_line(answer.question), _QUESTION_CHARS)),
        "”",
    )
    lanes = join((_lane(ranking) for ranking in answer.rankings), "\u2002")
    return components.page(heading, tag("div", lanes), reading_html(answer.plan), *_found(answer, Folding(opened)))


@linked
def found_html(answer: SearchAnswer) -> Html:
    """The hits and their notices for the explorer, which shows the question and how it was read itself."""
    return components.page(*_found(answer, Folding(chars=None)))


def _found(answer: SearchAnswer, folding: Folding) -> list[Html]:
    blocks = components.notes([note for note in (confidence_words(answer), *answer.notices) if note])
    if answer.absence is not None and answer.absence.mentions:
        blocks += absence_html(answer.absence)[1:]
    if answer.paths is not None and folding.light:  # the explorer shows them beside the ranking
        blocks += path_lists(answer.paths)
    if answer.hits:
        longest, sought = longest_bar(answer), sought_tokens(answer.plan)
        rows = [row for hit in answer for row in hit_rows(hit, answer, longest, sought, folding)]
        listed = components.table(f"{plural(len(answer), 'hit')}, best first", header(answer), rows, hidden=True)
        unsure = answer.confidence != "answered"
        blocks.append(tag("div", listed, class_=f"ce-{answer.confidence}", style="opacity:.6") if unsure else listed)
        blocks.append(_legend(answer))
    return blocks


def hit_html(hit: SearchHit) -> Html:
    """Return one hit: its name, place and source. The summands of its score need the whole answer."""
    shares = [f"{number(share.value)} {share.lane}" for share in hit.contributions]
    shares += [f"{number(adjustment.value)} {adjustment.signal}" for adjustment in hit.adjustments]
    return components.page(
        tag("div", f"{hit.rank}. ", hit_name(hit), " ", components.place(hit.path, hit.start_line, hit.end_line)),
        tag("div", " + ".join(shares), f" = {number(hit.score)}"),
        source_html(hit.numbered_lines(), hit.chunk.language),
    )


def _lane(ranking: Ranking) -> Html:
    return join((components.swatch(lane_colour(ranking.lane)), f"{ranking.lane} ", ranking_html(ranking)))


def _legend(answer: SearchAnswer) -> Html:
    """Return the meaning of the colours of the bars, and the formula of a score."""
    entries = [
        join((components.swatch(lane_colour(ranking.lane)), f"{ranking.lane}: by {LANE_WORDS.get(ranking.lane, '')}"))
        for ranking in answer.rankings
    ]
    entries.append(join((components.swatch(SIGNAL), "signals: name, definition, agreement of files and others")))
    return tag(
        "div",
        components.small(join(entries, "\u2003")),
        tag("div", components.small(_formula(answer))),
        style="margin:4px 0",
    )


def _formula(answer: SearchAnswer) -> str:
    if answer.result.fusion == "rrf":
        return f"score = Σ weight/({answer.result.rrf_k} + rank in lane) + signals"
    return f"score = contributions by {answer.result.fusion} + signals"
