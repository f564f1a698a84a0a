"""A hit is explained in words for readers who do not know the lanes."""

from __future__ import annotations

from codeexplore.answers.score_terms import SIGNAL_WORDS
from codeexplore.search.ranking.signals import REPORT_SIGNALS, SIGNALS

LOWERING = {"text section", "outside definitions", "role"}
"""Signals that lower hits: their reasons are sentences already."""


def test_each_signal_has_plain_words() -> None:
    names = {signal.name for signal in (*SIGNALS, *REPORT_SIGNALS)}
    assert names - LOWERING <= set(SIGNAL_WORDS)
