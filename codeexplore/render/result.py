"""A ranked answer as HTML: what was found, and the arithmetic that put it where it stands."""

from __future__ import annotations

from codeexplore.render import parts
from codeexplore.render.hits import LANE_WORDS, Folding, header, hit_name, hit_rows, longest_bar
from codeexplore.render.html import Html, join, tag
from codeexplore.render.links import linked
from codeexplore.render.marks import sought_tokens
from codeexplore.render.palette import SIGNAL, lane_colour
from codeexplore.render.reading import ranking_html, reading_html
from codeexplore.render.source import source_html
from codeexplore.render.subgraph import absence_html, path_lists
from codeexplore.types import Ranking
from codeexplore.views import SearchAnswer, SearchHit
from codeexplore.views.arithmetic import number
from codeexplore.views.text import confidence_words, plural
from codeexplore.views.visible import cut, one_line

_QUESTION_CHARS = 300
_REASON_CHARS = 300


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
    return parts.page(heading, tag("div", lanes), reading_html(answer.plan), *_found(answer, Folding(opened)))


@linked
def found_html(answer: SearchAnswer) -> Html:
    """The hits and their notices for the explorer, which shows the question and how it was read itself."""
    return parts.page(*_found(answer, Folding(chars=None)))


def _found(answer: SearchAnswer, folding: Folding) -> list[Html]:
    blocks = parts.notes([note for note in (confidence_words(answer), *answer.notices) if note])
    if answer.absence is not None and answer.absence.mentions:
        blocks += absence_html(answer.absence)[1:]
    if answer.paths is not None and folding.light:  # the explorer shows them beside the ranking
        blocks += path_lists(answer.paths)
    if answer.hits:
        longest, sought = longest_bar(answer), sought_tokens(answer.plan)
        rows = [row for hit in answer for row in hit_rows(hit, answer, longest, sought, folding)]
        listed = parts.table(f"{plural(len(answer), 'hit')}, best first", header(answer), rows, hidden=True)
        unsure = answer.confidence != "answered"
        blocks.append(tag("div", listed, class_=f"ce-{answer.confidence}", style="opacity:.6") if unsure else listed)
        blocks.append(_legend(answer))
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


def _legend(answer: SearchAnswer) -> Html:
    """What the colours of the bars mean, and how a score is made."""
    entries = [
        join((parts.swatch(lane_colour(ranking.lane)), f"{ranking.lane}: by {LANE_WORDS.get(ranking.lane, '')}"))
        for ranking in answer.rankings
    ]
    entries.append(join((parts.swatch(SIGNAL), "signals: name, definition, agreement of files and others")))
    return tag(
        "div", parts.small(join(entries, "\u2003")), tag("div", parts.small(_formula(answer))), style="margin:4px 0"
    )


def _formula(answer: SearchAnswer) -> str:
    if answer.result.fusion == "rrf":
        return f"score = Σ weight/({answer.result.rrf_k} + rank in lane) + signals"
    return f"score = contributions by {answer.result.fusion} + signals"
