"""A ranked answer as HTML: what was found, and the arithmetic that put it where it stands."""

from __future__ import annotations

from codeexplore.render import parts
from codeexplore.render.hits import header, hit_name, hit_rows, longest_bar
from codeexplore.render.html import Html, join, tag
from codeexplore.render.marks import sought_tokens
from codeexplore.render.palette import lane_colour
from codeexplore.render.reading import ranking_html, reading_html
from codeexplore.render.source import source_html
from codeexplore.render.subgraph import absence_html, path_lists
from codeexplore.types import Ranking
from codeexplore.views import SearchAnswer, SearchHit
from codeexplore.views.arithmetic import number
from codeexplore.views.text import confidence_words
from codeexplore.views.visible import cut, one_line

_QUESTION_CHARS = 300
_REASON_CHARS = 300


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
    lanes = join((_lane(ranking) for ranking in answer.rankings), "\u2002")
    return parts.page(heading, tag("div", lanes), reading_html(answer.plan), *_found(answer, opened))


def found_html(answer: SearchAnswer, *, opened: int = 1) -> Html:
    """The hits and what is to be said about them, where something else tells the question and how it was read."""
    return parts.page(*_found(answer, opened))


def _found(answer: SearchAnswer, opened: int) -> list[Html]:
    said = (confidence_words(answer), *answer.notices)
    blocks = [parts.warning(cut(one_line(notice), _REASON_CHARS)) for notice in said if notice]
    if answer.absence is not None and answer.absence.mentions:
        blocks += absence_html(answer.absence)[1:]
    if answer.paths is not None:
        blocks += path_lists(answer.paths)
    if answer.hits:
        longest, sought = longest_bar(answer), sought_tokens(answer.plan)
        rows = [row for hit in answer for row in hit_rows(hit, answer, longest, sought, hit.rank <= opened)]
        listed = parts.table(_caption(answer), header(answer), rows)
        unsure = answer.confidence != "answered"
        blocks.append(tag("div", listed, class_=f"ce-{answer.confidence}", style="opacity:.6") if unsure else listed)
    return blocks


def hit_html(hit: SearchHit) -> Html:
    """One hit by itself: its name, place and source. Its arithmetic needs the answer around it."""
    shares = [f"{number(share.value)} {share.lane}" for share in hit.contributions]
    shares += [f"{number(adjustment.value)} {adjustment.signal}" for adjustment in hit.adjustments]
    return parts.page(
        tag("div", f"{hit.rank}. ", hit_name(hit), " ", parts.place(hit.path, hit.start_line, hit.end_line)),
        tag("div", " + ".join(shares), f" = {number(hit.score)}"),
        source_html(hit.numbered_lines(), hit.chunk.language),
    )


def _lane(ranking: Ranking) -> Html:
    return join((parts.swatch(lane_colour(ranking.lane)), f"{ranking.lane} ", ranking_html(ranking)))


def _caption(answer: SearchAnswer) -> str:
    if answer.result.fusion == "rrf":
        return f"score = Σ weight/({answer.result.rrf_k} + rank in lane) + signals"
    return f"score = contributions by {answer.result.fusion} + signals"
