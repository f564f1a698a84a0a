import itertools
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeexplore.text import word_counts as words_module
from codeexplore.text.tokens import words
from codeexplore.text.word_counts import count_words, indexed_text, project
from codeexplore.types import Chunk, Span, WordCounts


def chunk(text: str, context: str = "") -> Chunk:
    return Chunk(
        id=text, path="a.py", spans=(Span(1, 1, 0, 1),), text=text, language="python", symbol=None, context=context
    )


def as_counters(counts: WordCounts) -> list[Counter[str]]:
    return [
        Counter(
            {
                counts.words[i]: n
                for i, n in zip(counts.word_ids[a:b].tolist(), counts.counts[a:b].tolist(), strict=True)
            }
        )
        for a, b in zip(counts.indptr[:-1].tolist(), counts.indptr[1:].tolist(), strict=True)
    ]


def assert_same(left: WordCounts, right: WordCounts) -> None:
    assert left.words == right.words
    for name in ("indptr", "word_ids", "counts"):
        np.testing.assert_array_equal(getattr(left, name), getattr(right, name))
        assert getattr(left, name).dtype == getattr(right, name).dtype


def test_counts_text_and_context_together() -> None:
    counts = count_words([chunk("return cache[key]  # cache", context="lru cache.py")])
    assert as_counters(counts) == [Counter(cache=4, lru=2, py=2, key=1, **{"return": 1})]  # the context counts twice
    assert counts.words == ("lru", "cache", "py", "return", "key")  # in the order of their first occurrence
    assert indexed_text(chunk("a")) == "a"
    assert indexed_text(chunk("a", "b")) == "b\nb\na"


def test_context_and_text_do_not_grow_together() -> None:
    assert count_words([chunk("def", context="abc")]).words == ("abc", "def")
    assert count_words([chunk("abc"), chunk("def")]).words == ("abc", "def")


@pytest.mark.parametrize("texts", [[], [""], ["", "…", ""], ["a", "", "b"], ["…", "größe"]])
def test_chunks_without_words_keep_their_row(texts: list[str]) -> None:
    counts = count_words(map(chunk, texts))
    assert as_counters(counts) == [Counter(words(text)) for text in texts]
    assert len(counts.indptr) == len(texts) + 1


def test_long_words_are_told_apart_by_every_byte() -> None:
    stem = "x" * 63
    texts = [
        "abcdefgh",
        "abcdefghi",
        "abcdefgh_",
        stem,
        stem + "a",
        stem + "ab",
        stem + "ac",
        stem * 9 + "a",
        stem * 9 + "b",
    ]
    assert count_words(map(chunk, texts)).words == tuple(texts)


def test_odd_characters() -> None:
    texts = [
        "a\0b",
        "tab\tnew\nline\r",
        "half \ud800 pair",
        "naïve—test «größe»",
        "e\u0301te\u0301",
        "हिन्दी",
        "𝒳 日本語",
        "\ufeffbom",
    ]
    assert as_counters(count_words(map(chunk, texts))) == [Counter(words(text)) for text in texts]


def test_more_words_than_slots(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [" ".join(f"word{i % 97} other{i}" for i in range(start, start + 50)) for start in range(0, 2000, 50)]
    expected = count_words(map(chunk, texts))
    monkeypatch.setattr(words_module, "_SLOTS", 8)
    monkeypatch.setattr(words_module, "_BLOCK_BYTES", 1000)
    assert_same(count_words(map(chunk, texts)), expected)
    assert as_counters(expected) == [Counter(words(text)) for text in texts]


CODE = st.text(alphabet="abAB_01 .\n(é日\u0301—", max_size=40)


@given(st.lists(st.one_of(CODE, st.text(max_size=40)), max_size=20))
def test_counts_are_those_of_the_split_words(texts: list[str]) -> None:
    counts = count_words(map(chunk, texts))
    assert as_counters(counts) == [Counter(words(text)) for text in texts]
    assert list(counts.words) == list(dict.fromkeys(word for text in texts for word in words(text)))
    for a, b in itertools.pairwise(counts.indptr.tolist()):
        assert (np.diff(counts.word_ids[a:b]) > 0).all()


@given(st.data())
def test_project_is_a_matrix_product(data: st.DataObject) -> None:
    n_rows, n_items, n_targets = (data.draw(st.integers(1, 6)) for _ in range(3))
    matrix = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n_rows * n_items, max_size=n_rows * n_items)))
    matrix = matrix.reshape(n_rows, n_items)
    maps = [data.draw(st.lists(st.integers(0, n_targets - 1), max_size=4)) for _ in range(n_items)]
    rows, ids = np.nonzero(matrix)
    indptr = np.searchsorted(rows, np.arange(n_rows + 1))
    map_indptr = np.cumsum([0, *map(len, maps)])
    map_ids = np.array([target for targets in maps for target in targets], np.int64)
    out_indptr, out_ids, out_counts = project(indptr, ids, matrix[rows, ids], map_indptr, map_ids, n_targets)
    dense = np.zeros((n_rows, n_targets), np.int64)
    for row in range(n_rows):
        a, b = out_indptr[row], out_indptr[row + 1]
        assert (np.diff(out_ids[a:b]) > 0).all()
        dense[row, out_ids[a:b]] = out_counts[a:b]
    mapping = np.array([np.bincount(targets, minlength=n_targets) for targets in maps], np.int64)
    np.testing.assert_array_equal(dense, matrix @ mapping)


def test_project_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = count_words(chunk(" ".join(f"w{i * k % 31}" for k in range(i % 7))) for i in range(60))
    n = len(counts.words)
    arguments = (counts.indptr, counts.word_ids, counts.counts, np.arange(n + 1) * 2, np.arange(2 * n) % 5, 5)
    expected = project(*arguments)
    monkeypatch.setattr(words_module, "_BLOCK_ENTRIES", 3)
    for left, right in zip(project(*arguments), expected, strict=True):
        np.testing.assert_array_equal(left, right)


def test_chunk_fields_that_are_not_indexed_change_nothing() -> None:
    one = chunk("a b", "c")
    assert_same(count_words([one]), count_words([replace(one, path="elsewhere.py", id="other", language="go")]))
