"""Totals of many hits at once, held against what `sum` makes of one hit's shares."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from codeexplore.search.ranking.fusion import totals

SHARES = st.lists(st.floats(-1e6, 1e6) | st.just(0.0) | st.floats(-1e-9, 1e-9), max_size=6)


@given(st.lists(SHARES, max_size=8))
def test_each_hit_gets_what_sum_gives(hits: list[list[float]]) -> None:
    """Each lane in turn; where a hit has no share it gets zero, which changes nothing."""
    lanes = [np.array([shares[lane] if len(shares) > lane else 0.0 for shares in hits]) for lane in range(6)]
    assert totals(lanes, len(hits)).tolist() == [sum(shares) for shares in hits]
    assert totals([], len(hits)).tolist() == [0.0] * len(hits)
