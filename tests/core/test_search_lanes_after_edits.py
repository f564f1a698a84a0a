"""Lanes that are renewed after edits give what lanes over the new chunks give, to the last bit."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from codeexplore.search.lanes.bm25 import Bm25Lane
from codeexplore.search.lanes.embedding import EmbeddingLane
from codeexplore.search.query.planner import plan
from codeexplore.text.word_counts import count_words
from codeexplore.types import Chunk, Span
from tests.doubles import make_catalog
from tests.lane_chunks import postings

TEXTS = ["load session token", "session store", "token token token", "parse header of request", "", "parse_header load"]
WORDS = ["session", "token", "parse", "header", "load", "request", "absent"]


def chunk(number: int, text: str) -> Chunk:
    return Chunk(f"c{number}", "a.py", (Span(1, 1, 0, len(text)),), text, "python", None)


edits = st.lists(
    st.tuples(
        st.lists(st.sampled_from(TEXTS), max_size=3), st.lists(st.integers(0, 20), max_size=3), st.integers(0, 9)
    ),
    min_size=1,
    max_size=4,
)


def after(chunks: list[Chunk], come: list[str], gone: list[int], at: int, first: int) -> tuple[list[Chunk], list[int]]:
    """The chunks after an edit, and where each comes from."""
    stayed = [row for row in range(len(chunks)) if row not in gone]
    order = [*stayed[:at], *range(len(chunks), len(chunks) + len(come)), *stayed[at:]]
    fresh = [chunk(first + number, text) for number, text in enumerate(come)]
    both = [*chunks, *fresh]
    return [both[row] for row in order], order


@settings(deadline=None)
@given(edits)
def test_bm25_after_edits_is_bm25_over_the_new_chunks(edits: list[tuple[list[str], list[int], int]]) -> None:
    chunks = [chunk(number, text) for number, text in enumerate(TEXTS)]
    lane = Bm25Lane(make_catalog((), chunks), postings(chunks))
    first = len(chunks)
    for come, gone, at in edits:
        chunks, order = after(chunks, come, gone, at, first)
        fresh = count_words([chunk(first + number, text) for number, text in enumerate(come)])
        first += len(come)
        catalog = make_catalog((), chunks)
        lane = lane.renewed(catalog, fresh, np.array(order, np.int64))
        anew = Bm25Lane(catalog, postings(chunks))
        for word in WORDS:
            assert lane.holds(word) == anew.holds(word)
            assert lane.idf(word) == anew.idf(word)
            asked = plan(f"{word} token")
            assert lane.retrieve(asked, 10) == anew.retrieve(asked, 10)
            if chunks:
                assert lane.explain(asked, chunks[-1].id) == anew.explain(asked, chunks[-1].id)
        kept = Bm25Lane(catalog, lane.postings)
        assert kept.retrieve(plan("session token"), 10) == anew.retrieve(plan("session token"), 10)


@settings(deadline=None)
@given(edits)
def test_vectors_after_edits_are_those_of_the_new_rows(edits: list[tuple[list[str], list[int], int]]) -> None:
    chance = np.random.default_rng(1)
    chunks = [chunk(number, text) for number, text in enumerate(TEXTS)]
    rows = chance.normal(size=(len(chunks), 4)).astype(np.float32)
    encoder: Any = SimpleNamespace(dim=4)
    lane = EmbeddingLane(make_catalog((), chunks), rows, lambda: encoder)
    first = len(chunks)
    for come, gone, at in edits:
        fresh = chance.normal(size=(len(come), 4)).astype(np.float32)
        chunks, order = after(chunks, come, gone, at, first)
        first += len(come)
        rows = np.concatenate([rows, fresh])[order]
        lane = lane.renewed(make_catalog((), chunks), fresh, np.array(order, np.int64))
        assert np.array_equal(lane.embeddings, rows)
