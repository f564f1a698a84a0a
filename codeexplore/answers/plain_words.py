"""Lanes and hits in plain words: why a hit is where it is, for readers who do not know the lanes.

The sentence is made from the parts of the hit's score, the same that `SearchAnswer.explain` shows, and from nothing
else: ``1st by meaning, 3rd by words; its name matches``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from codeexplore.answers import blocks as b
from codeexplore.answers.blocks import Inline
from codeexplore.answers.score_terms import LANE_WORDS, SIGNAL_WORDS, Term, lane_words, number, terms
from codeexplore.answers.wording import one_line, plural

if TYPE_CHECKING:
    from codeexplore.answers.hit import SearchHit
    from codeexplore.types import Adjustment, Ranking, SearchResult

_ORDER = {signal: place for place, signal in enumerate(SIGNAL_WORDS)}
_REPEATED = ("strength", "relation")  # they repeat what the ranks and the role of the hit say


def sentence(hit: SearchHit) -> str:
    """Return why a hit is where it is: its rank by each lane, best first, then what else raised or lowered it.

    >>> from codeexplore import Workspace, sample_repo
    >>> answer = Workspace(sample_repo("webshop"), progress=lambda *_: None).search("how are expired sessions handled?")
    >>> sentence(answer[0])
    '1st by meaning, 1st in the call graph, 3rd by words; its name matches'
    """
    ranks = sorted(hit.contributions, key=lambda share: share.rank)
    said = ", ".join(f"{_ordinal(share.rank)} {_by(share.lane)}" for share in ranks)
    raised = [each for each in hit.adjustments if each.value > 0 and each.signal not in _REPEATED]
    raised.sort(key=lambda each: _ORDER.get(each.signal, -1))
    parts = [said, "".join(map(_evidence, raised[:1]))]
    parts += [f"lower: {one_line(each.reason or each.signal)}" for each in hit.adjustments if each.value < 0]
    return "; ".join(filter(None, parts))


def _by(ranking: str) -> str:
    words = lane_words(ranking)
    return f"in the {words}" if words.startswith(LANE_WORDS["graph"]) else f"by {words}"


def _evidence(signal: Adjustment) -> str:
    return SIGNAL_WORDS.get(signal.signal) or one_line(signal.reason or signal.signal)


def _ordinal(number: int) -> str:
    suffix = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"


FINE = ("ok", "empty")
"""Status of a lane that answered."""


def ranking_line(ranking: Ranking) -> tuple[Inline, ...]:
    """Return ``54 hits 6 ms``, or the problem of the lane, as a line."""
    time = b.Piece(f" {ranking.elapsed_ms:.0f} ms", "dim")
    if ranking.status == "ok":
        return plural(len(ranking.hits), "hit"), time
    if ranking.status == "empty":
        return "0 hits", b.Piece(f": {ranking.reason}" if ranking.reason else "", "dim"), time
    if ranking.status == "waiting":
        return "not there yet", b.Piece(f": {ranking.reason}", "dim")
    return (b.Piece(f"{ranking.status}: {ranking.reason}", "warning"),)


def lane_line(rankings: Sequence[Ranking]) -> tuple[Inline, ...]:
    """Return ``204 hits 9 ms in 3 parts`` for the rankings of a lane, or its first problem, as a line."""
    problem = next((ranking for ranking in rankings if ranking.status not in FINE), None)
    if problem is not None or len(rankings) == 1:
        return ranking_line(problem or rankings[0])
    hits, time = sum(len(ranking.hits) for ranking in rankings), sum(ranking.elapsed_ms for ranking in rankings)
    return plural(hits, "hit"), b.Piece(f" {time:.0f} ms in {plural(len(rankings), 'part')}", "dim")


def plain_shares(hit: SearchHit, result: SearchResult) -> tuple[Term, ...]:
    """Return the share of each lane in a score, then that of all signals that raise it, and of those that lower it."""
    parts = terms(hit.fused, result)
    lanes = [term for term in parts if term.kind == "lane"]
    signals = [term.value for term in parts if term.kind != "lane"]
    raised, lowered = sum(value for value in signals if value > 0), sum(value for value in signals if value < 0)
    return (*lanes, *(Term(_OTHER, "", value, "", "signal") for value in (raised, lowered) if value))


def largest_part(hit: SearchHit, result: SearchResult) -> str:
    """Return which part of a score is the largest, in words, and its share: ``words: 0.0145 of 0.0324 (45%)``.

    If that is a lane, and the signals together are more, their sum is told too: a bar of the score shows it longer.
    """
    parts, whole = terms(hit.fused, result), hit.score or 1
    term = max(parts, key=lambda term: term.value)
    words = "" if term.kind == "lane" else SIGNAL_WORDS.get(term.source) or one_line(term.why)
    named = f"{term.source}, because {words}" if words else lane_words(term.source)
    said = f"{named}: {number(term.value)} of {number(hit.score)} ({term.value / whole:.0%})"
    together = sum(each.value for each in parts if each.kind != "lane" and each.value > 0)
    if term.kind == "lane" and together > term.value:
        said += f"; all other evidence together: {number(together)} ({together / whole:.0%})"
    return said


_OTHER = "other evidence"
BAR_TITLE = "The longer the bar, the higher the score. Each colour is the share of one kind of evidence"


def plain_legend(rankings: Sequence[Ranking]) -> b.Legend:
    line: list[Inline] = ["found by  "]
    for each in rankings:
        line += [b.Tint("lane", each.lane, lane_words(each.lane)), "  ·  "]
    return b.Legend(((*line, b.Tint("signal", "", f"{_OTHER}: names, files, how well the text fits")),))
