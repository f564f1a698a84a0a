"""Totals of many hits at once, held against what `sum` makes of one hit's shares."""

from __future__ import annotations

import sys

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from codeexplore.search.ranking.fusion import SUM_IS_COMPENSATED, CompensatedSum

SHARES = st.lists(st.floats(-1e6, 1e6) | st.just(0.0) | st.floats(-1e-9, 1e-9), max_size=6)


def test_python_is_known() -> None:
    assert (sys.version_info >= (3, 12)) == SUM_IS_COMPENSATED


@given(st.lists(SHARES, min_size=1, max_size=8))
def test_each_hit_gets_what_sum_gives(hits: list[list[float]]) -> None:
    """Each lane in turn, and only to those it has a share for; nothing, and zero, change nothing."""
    total = CompensatedSum(len(hits))
    for lane in range(6):
        at = [row for row, shares in enumerate(hits) if len(shares) > lane]
        total.add(np.array(at, np.int64), np.array([hits[row][lane] for row in at]))
        total.add(slice(None), np.zeros(len(hits)))
    assert total.sums().tolist() == [sum(shares) for shares in hits]
