"""A fused score as a sum of named terms, and as a sentence for readers who do not know the lanes.

The sentence is made from the terms, which `SearchAnswer.explain` shows, and from nothing else: ``1st by meaning, 3rd
by words; its name matches``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from codeexplore.answers import blocks as b
from codeexplore.answers.blocks import Inline
from codeexplore.answers.wording import one_line, plural

if TYPE_CHECKING:
    from codeexplore.answers.hit import SearchHit
    from codeexplore.types import Adjustment, FusedHit, Ranking, SearchResult


LANE_WORDS: Mapping[str, str] = MappingProxyType({"bm25": "words", "embedding": "meaning", "graph": "call graph"})
"""The name of each lane for people who have not met the lanes."""

# signal → its words, the most telling first: a sentence has only one of them, but every reason why a hit was lowered
SIGNAL_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "name match": "its name matches",
        "owner match": "the name of its class or module matches",
        "definition": "it defines the name in the question",
        "described symbol": "it fits the description best",
        "telling words": "it has the telling words of the question",
        "file coverage": "its file has words of the question",
        "file name": "the name of its file matches",
        "file agreement": "other hits are in its file",
        "whole file": "the text of its file matches the report",
        "whole class": "the text of its class matches the report",
        "strength": "its words and meaning fit better than those of other hits",
        "relation": "the call graph has the relation asked for",
    }
)


def lane_words(ranking: str) -> str:
    """Return ``words``, and for a part of a bug report ``words of the title``."""
    part, _, lane = ranking.rpartition("-")
    words = LANE_WORDS.get(lane, ranking)
    return f"{words} of the {part}" if part else words


class Term(NamedTuple):
    """One term of the sum that is a fused score."""

    source: str  # the lane or signal it comes from
    formula: str  # "1/(60+2)", or the value itself when there is no formula
    value: float
    why: str  # "rank 2, score 11.3", or the signal's reason
    kind: str  # "lane" or "signal"


def terms(hit: FusedHit, result: SearchResult) -> tuple[Term, ...]:
    """Return the terms of a hit's score in the order in which they were added: lanes, then signals."""
    lanes = [
        Term(
            contribution.lane,
            rrf_formula(contribution.weight, result.rrf_k, contribution.rank)
            if result.fusion == "rrf"
            else number(contribution.value),
            contribution.value,
            f"rank {contribution.rank}, score {contribution.score:.4g}",
            "lane",
        )
        for contribution in hit.contributions
    ]
    signals = [Term(a.signal, number(a.value), a.value, a.reason, "signal") for a in hit.adjustments]
    return (*lanes, *signals)


def rrf_formula(weight: float, rrf_k: int, rank: int) -> str:
    """Return one lane's share under reciprocal rank fusion as text: ``weight/(rrf_k+rank)``."""
    return f"{weight:g}/({rrf_k}+{rank})"


def number(value: float) -> str:
    """Return a score with four decimals, with a minus sign (−) instead of a hyphen."""
    return f"{value:.4f}".replace("-", "−")


def sum_line(hit: FusedHit, result: SearchResult) -> str:
    """Return the sum as a line: ``1/(60+2) bm25 + 1/(60+1) embedding + 0.0010 definition = 0.0335``."""
    return "".join(text for text, _ in sum_parts(hit, result))


def sum_parts(hit: FusedHit, result: SearchResult, *, most: int = 99) -> list[tuple[str, str]]:
    """Return the line of `sum_line` as parts: (text, style).

    The style of a lane's or signal's name is the name itself; other parts have the style "". If there are more than
    `most` signals, the others are added up into one term.
    """
    summands = terms(hit, result)
    if len(hit.adjustments) > most:
        total = sum(adjustment.value for adjustment in hit.adjustments)
        folded = Term(f"from {len(hit.adjustments)} signals", number(total), total, "", "signal")
        summands = (*summands[: len(hit.contributions)], folded)
    parts: list[tuple[str, str]] = []
    for term in summands:
        minus = term.formula.startswith("−")
        joint = (" − " if minus else " + ") if parts else ("−" if minus else "")
        parts += [(f"{joint}{term.formula.removeprefix('−')} ", ""), (one_line(term.source), term.source)]
    return [*(parts or [("0", "")]), (f" = {number(hit.score)}", "")]


def signed(value: float, plus: str = "+") -> str:
    """Return a number with its sign: ``+0.0164``, ``−0.0020``."""
    return number(value) if value < 0 else f"{plus}{number(value)}"


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
