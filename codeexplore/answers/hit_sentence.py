"""Why a hit is where it is, in plain words, for readers who do not know the lanes.

The sentence is made from the parts of the hit's score, the same that `SearchAnswer.explain` shows, and from nothing
else: ``1st by meaning, 3rd by words; its name matches``.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from codeexplore.answers.wording import one_line

if TYPE_CHECKING:
    from codeexplore.answers.hit import SearchHit
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
    words = lane_words(ranking)
    return f"in the {words}" if words.startswith(LANE_WORDS["graph"]) else f"by {words}"


def lane_words(ranking: str) -> str:
    """Return ``words``, and for a part of a bug report ``words of the title``."""
    part, _, lane = ranking.rpartition("-")
    words = LANE_WORDS.get(lane, ranking)
    return f"{words} of the {part}" if part else words


def _evidence(signal: Adjustment) -> str:
    return _EVIDENCE.get(signal.signal) or one_line(signal.reason or signal.signal)


def _ordinal(number: int) -> str:
    suffix = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"
