"""The hits of an answer in plain words: one bar and one sentence for each, for readers who do not know the lanes.

The sentence is made from the parts of the hit's score, the same that `SearchAnswer.explain` shows, and from nothing
else: ``1st by meaning, 3rd by words; its name matches``.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from codeexplore.answers import blocks as b
from codeexplore.answers.score_terms import Term, sum_line, terms
from codeexplore.answers.search import ranking_line
from codeexplore.answers.wording import one_line, plural

if TYPE_CHECKING:
    from codeexplore.answers.blocks import Block, Inline
    from codeexplore.answers.hit import SearchHit
    from codeexplore.answers.search import SearchAnswer
    from codeexplore.types import Adjustment

LANE_WORDS: Mapping[str, str] = MappingProxyType({"bm25": "words", "embedding": "meaning", "graph": "call graph"})
"""The name of each lane for people who have not met the lanes."""

# signal → its words, the most telling first: a sentence has only one of them, but every reason why a hit was lowered
_EVIDENCE: Mapping[str, str] = MappingProxyType(
    {
        "name match": "its name matches",
        "owner match": "the name of its class or module matches",
        "signature match": "its signature matches",
        "definition": "it defines the name in the question",
        "described symbol": "it fits the description best",
        "file coverage": "its file has words of the question",
        "file name": "the name of its file matches",
        "file text": "the text of its file matches",
        "file agreement": "other hits are in its file",
        "file twin": "the file of the same name beside it was found too",
        "whole file": "the text of its file matches the report",
        "whole class": "the text of its class matches the report",
    }
)
_ORDER = {signal: place for place, signal in enumerate(_EVIDENCE)}
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
    parts += [f"score lowered: {one_line(each.reason or each.signal)}" for each in hit.adjustments if each.value < 0]
    return "; ".join(filter(None, parts))


def _by(ranking: str) -> str:
    words = _lane_words(ranking)
    return f"in the {words}" if words.startswith(LANE_WORDS["graph"]) else f"by {words}"


def _lane_words(ranking: str) -> str:
    """Return ``words``, and for a part of a bug report ``words of the title``."""
    part, _, lane = ranking.rpartition("-")
    words = LANE_WORDS.get(lane, ranking)
    return f"{words} of the {part}" if part else words


def _evidence(signal: Adjustment) -> str:
    return _EVIDENCE.get(signal.signal) or one_line(signal.reason or signal.signal)


def _ordinal(number: int) -> str:
    suffix = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"


def plain_blocks(answer: SearchAnswer) -> list[Block]:
    """Return the notices, then each hit with its bar, its sentence and its source, without numbers."""
    blocks = answer.notice_blocks()
    if not answer.hits:
        return blocks
    longest = answer.longest_bar
    rows = []
    for hit in answer:
        bar = b.Bar(_shares(hit, answer), longest, wide=True)
        shown = answer.hit_block(hit, longest)._replace(summands=list, sentence=sentence(hit))
        rows.append(b.Row((str(hit.rank), hit.shown_name, bar), blocks=(shown,)))
    columns = ("#", b.Column("symbol", "html"), b.Column("why it is here", "html", title=_BAR))
    caption = f"{plural(len(answer), 'hit')}, best first"
    dim = answer.confidence if answer.confidence != "answered" else ""
    return [*blocks, b.Table(caption, columns, rows, dim=dim, brief=len(rows)), _legend(answer)]


def _shares(hit: SearchHit, answer: SearchAnswer) -> tuple[Term, ...]:
    """Return the share of each lane in a score, then that of all signals that raise it, and of those that lower it."""
    parts = terms(hit.fused, answer.result)
    lanes = [term for term in parts if term.kind == "lane"]
    signals = [term.value for term in parts if term.kind != "lane"]
    raised, lowered = sum(value for value in signals if value > 0), sum(value for value in signals if value < 0)
    return (*lanes, *(Term(_OTHER, "", value, "", "signal") for value in (raised, lowered) if value))


_OTHER = "other evidence"
_BAR = "The longer the bar, the higher the score. Each colour is the share of one kind of evidence"


def _legend(answer: SearchAnswer) -> b.Legend:
    line: list[Inline] = ["found by  "]
    for each in answer.rankings:
        line += [b.Tint("lane", each.lane, _lane_words(each.lane)), "  ·  "]
    return b.Legend(((*line, b.Tint("signal", "", f"{_OTHER}: names, files, how well the text fits")),))


def score_blocks(answer: SearchAnswer) -> list[Block]:
    """Return the hits and time of each lane, then the sum that is each hit's score, which unfolds to its parts."""
    lanes: list[Inline] = []
    for ranking in answer.rankings:
        words = f"{_lane_words(ranking.lane)} ({ranking.lane}) "
        lanes += [*(["  ·  "] if lanes else []), b.Tint("lane", ranking.lane, words), *ranking_line(ranking)]
    lines: list[Block] = [b.Text(tuple(lanes))]
    for hit in answer:
        title = (f"{hit.rank}. ", hit.shown_name, f"  {sum_line(hit.fused, answer.result, most=0)}")
        lines.append(b.Fold(title, tuple(answer.summands(hit))))
    return lines
