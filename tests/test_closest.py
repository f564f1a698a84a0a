"""The nearest names are exactly those of difflib, ties included."""

from __future__ import annotations

import difflib

from hypothesis import given
from hypothesis import strategies as st

from codeexplore.text.similar_names import ClosestNames

words = st.text(alphabet="abcde_ß日", max_size=12)


@given(st.lists(words, unique=True, max_size=40), words, st.integers(1, 6), st.sampled_from([0.2, 0.6, 0.9]))
def test_they_are_difflibs(names: list[str], typed: str, limit: int, cutoff: float) -> None:
    assert ClosestNames(names).find(typed, limit, cutoff) == difflib.get_close_matches(typed, names, limit, cutoff)


def test_long_names_are_compared_as_difflib_does() -> None:
    names = ["a" * 250, "ab" * 120, "b" * 199]
    for typed in ("a" * 200, "ab" * 100):
        assert ClosestNames(names).find(typed, 3) == difflib.get_close_matches(typed, names, 3)
