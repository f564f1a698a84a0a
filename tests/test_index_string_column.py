"""Texts that are runs of other texts say what copies of them would say."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeexplore.index import string_column
from codeexplore.index.columns import Columns
from codeexplore.index.string_column import (
    MOST_RUNS,
    NamesInRuns,
    Pieces,
    Run,
    Strings,
    in_one_piece,
    names_from,
    packed,
    taken_from,
)


def strings(texts: list[str]) -> Strings:
    return Strings.of(Columns(packed("texts", texts)), "texts")


def check(held: Strings, expected: list[str]) -> None:
    assert len(held) == len(expected)
    assert [held[row] for row in range(len(held))] == expected
    assert held[1:] == expected[1:]
    assert held.all() == list(held) == expected
    stored = Columns({}, {"texts": held})
    assert Strings.of(stored, "texts") is held
    whole = Strings(stored.bytes("texts.txt"), stored.array("texts.offsets"))
    assert whole.all() == expected
    assert not isinstance(in_one_piece(held), Pieces)


def drawn_runs(data: st.DataObject, *parts: list[str]) -> tuple[list[Run], list[str]]:
    """Some runs of rows of two lists, and the rows."""
    runs: list[Run] = []
    rows: list[str] = []
    for _ in range(data.draw(st.integers(0, 5))):
        part = data.draw(st.integers(0, 1))
        start = data.draw(st.integers(0, len(parts[part])))
        stop = data.draw(st.integers(start, len(parts[part])))
        runs.append(Run(part, start, stop))
        rows += parts[part][start:stop]
    return runs, rows


@given(st.data())
def test_runs_of_runs(data: st.DataObject) -> None:
    texts = st.lists(st.text(max_size=4), min_size=1, max_size=6)
    expected = data.draw(texts)
    held = strings(expected)
    for _ in range(data.draw(st.integers(1, 4))):  # edit after edit: what was there, and what came
        fresh = data.draw(texts)
        runs, made = drawn_runs(data, expected, fresh)
        held, expected = taken_from([held, strings(fresh)], runs), made
        check(held, expected)
        if not expected:
            return


def test_what_consists_of_many_runs_is_copied() -> None:
    old, new = [f"old {row}" for row in range(MOST_RUNS)], [f"new {row}" for row in range(MOST_RUNS)]
    runs = [Run(part, row, row + 1) for row in range(MOST_RUNS) for part in (0, 1)]
    few = taken_from([strings(old), strings(new)], runs[:MOST_RUNS])
    many = taken_from([strings(old), strings(new)], runs)
    assert isinstance(few, Pieces)
    assert not isinstance(many, Pieces)
    assert many.all() == [text for pair in zip(old, new, strict=True) for text in pair]


def test_rows_that_follow_each_other_are_one_run() -> None:
    held = taken_from([strings(["a", "b", "c"])], [Run(0, 0, 1), Run(0, 1, 1), Run(0, 1, 3)])
    assert isinstance(held, Pieces)
    assert held.runs == [Run(0, 0, 3)]


@given(st.data())
def test_runs_of_lists(data: st.DataObject) -> None:
    names = st.lists(st.sampled_from("abcd"), min_size=1, max_size=6)
    expected = data.draw(names)
    held: Sequence[str] = expected
    for _ in range(data.draw(st.integers(1, 4))):
        fresh = data.draw(names)
        runs, made = drawn_runs(data, expected, fresh)
        before, held = held, names_from([held, fresh], runs)
        if held is before:
            assert made == expected
        expected = made
        assert len(held) == len(expected)
        assert [held[row] for row in range(len(held))] == expected
        if data.draw(st.booleans()):
            assert held == expected
            assert list(held) == expected
            assert held[1:] == expected[1:]
        with pytest.raises(IndexError):
            held[len(held)]
        if not expected:
            return


def test_a_list_that_says_the_same_is_the_same() -> None:
    old = ["a", "b", "c"]
    assert names_from([old, ["b"]], [Run(0, 0, 1), Run(1, 0, 1), Run(0, 2, 3)]) is old
    assert names_from([old, ["x"]], [Run(0, 0, 1), Run(1, 0, 1), Run(0, 2, 3)]) == ["a", "x", "c"]
    assert names_from([old], [Run(0, 0, 2)]) == ["a", "b"]


def test_names_that_are_asked_often_become_a_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(string_column, "_MANY", 3)
    held = names_from([["a", "b"], ["c"]], [Run(1, 0, 1), Run(0, 0, 2)])
    assert isinstance(held, NamesInRuns)
    assert [held[at] for at in (0, 1, 2, 0, 1, 2)] == ["c", "a", "b"] * 2
    assert held[-1] == "b"
