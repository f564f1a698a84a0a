"""A fused score as a sum of named terms, in the words that every display uses."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from codeexplore.answers.wording import one_line

if TYPE_CHECKING:
    from codeexplore.types import FusedHit, SearchResult


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
