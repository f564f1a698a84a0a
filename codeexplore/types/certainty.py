"""The three words for how sure an answer is: certain, likely and possible.

Every display, export and tool says one of them, and takes it from `certainty`. Each word has one confidence of
edges, about the share of these edges that happened in traced runs (docs/call-graph.md), so the words have a measured
meaning. A guess has 0.5, which is no share.
"""

from __future__ import annotations

from collections import Counter
from typing import Final, Literal, TypeAlias

Certainty: TypeAlias = Literal["certain", "likely", "possible"]
CERTAINTIES: Final[tuple[Certainty, ...]] = ("certain", "likely", "possible")

CERTAIN: Final = 0.95
"""Confidence from which a statement is certain: it holds in at least 95 % of the measured cases."""

LIKELY: Final = 0.75
"""Confidence from which a statement is likely. Below it, and where only a name fits, a statement is possible."""


def certainty(confidence: float) -> Certainty:
    """Return the word for a confidence from 0 to 1. Stored confidences are rounded to single precision."""
    return "certain" if confidence >= CERTAIN - 1e-6 else "likely" if confidence >= LIKELY - 1e-6 else "possible"


def counted(words: Counter[Certainty]) -> str:
    """Return ``3 certain, 2 possible``."""
    return ", ".join(f"{words[word]:,} {word}" for word in CERTAINTIES if words[word])
