"""Where lines went in an edit."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from codeexplore.text.line_map import REMOVED, aligned

TEXTS = st.lists(st.sampled_from([b"a", b"b", b"c", b"", b"    return x"]), max_size=12).map(b"\n".join)


@given(TEXTS, TEXTS)
def test_a_line_stands_for_one_that_says_the_same_in_the_same_order(old: bytes, new: bytes) -> None:
    found = aligned(old, new)
    one, other = old.split(b"\n"), new.split(b"\n")
    assert len(found) == len(one) + 1
    assert found[0] == 0
    kept = [(line, int(became)) for line, became in enumerate(found.tolist()) if line and became != REMOVED]
    assert all(one[line - 1] == other[became - 1] for line, became in kept)
    assert bool((np.diff([became for _, became in kept]) > 0).all())


@given(TEXTS)
def test_nothing_went_where_nothing_changed(text: bytes) -> None:
    assert aligned(text, text).tolist() == list(range(text.count(b"\n") + 2))


def test_edits_in_two_places_leave_what_is_between() -> None:
    old = b"import a\n\ndef f():\n    return 1\n\ndef g():\n    return 2\n"
    new = b"import b\n\ndef f():\n    return 1\n\n\ndef g():\n    return 3\n"
    assert aligned(old, new).tolist() == [0, REMOVED, 2, 3, 4, 5, 7, REMOVED, 9]


def test_a_text_made_of_other_lines_is_not_compared_for_ever() -> None:
    old = b"\n".join(b"a%d" % (n % 7) for n in range(20_000))
    new = b"\n".join(b"b%d" % (n % 5) for n in range(20_000))
    assert set(aligned(old, new)[1:].tolist()) == {REMOVED}


def test_the_end_of_a_long_text_is_matched_however_long_it_is() -> None:
    rest = b"\n".join(b"line %d" % n for n in range(5_000))
    assert aligned(b"first\n" + rest, b"another\nand more\n" + rest).tolist() == [0, REMOVED, *range(3, 5_003)]
    assert aligned(rest + b"\nlast", rest + b"\nx\ny").tolist() == [*range(5_001), REMOVED]
