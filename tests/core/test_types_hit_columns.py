"""Hits as columns equal hits as records, in the lanes' answers, in fusion and where parts are made one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeexplore.search.context import Parts
from codeexplore.search.ranking.fusion import FUSIONS
from codeexplore.types import LANES, Hit, HitColumns, Ranking
from tests.doubles import make_catalog, make_chunk, make_symbol

IDS = [f"chunk {row}" for row in range(12)]
SCORES = st.lists(st.floats(0.01, 9.0), min_size=12, max_size=12)
ORDERS = st.lists(st.permutations(range(12)).flatmap(lambda rows: st.integers(0, 12).map(lambda n: rows[:n])),
                  min_size=1, max_size=3)  # fmt: skip


def columns(rows: list[int], scores: list[float]) -> HitColumns:
    return HitColumns(np.array(rows, np.int64), np.array(sorted(scores[: len(rows)], reverse=True)), IDS)


def test_columns_are_a_sequence_of_hits() -> None:
    hits = columns([3, 1, 2], [0.5, 0.25, 0.125])
    records = (Hit("chunk 3", 1, 0.5), Hit("chunk 1", 2, 0.25), Hit("chunk 2", 3, 0.125))
    assert hits[-1] == records[2]  # before all records are made
    assert (len(hits), tuple(hits), hits[1], hits[1:], repr(hits)) == (
        3,
        records,
        records[1],
        records[1:],
        repr(records),
    )
    assert hits == records
    assert records == hits
    assert hits == columns([3, 1, 2], [0.5, 0.25, 0.125])
    assert hits != records[:2]
    assert hits != "hits"
    assert hash(hits) == hash(records)
    assert hits.first(2) == records[:2]
    assert type(hits[0].score) is float
    with pytest.raises(IndexError):
        columns([3], [0.5])[1]
    assert not columns([], [])


@given(ORDERS, SCORES, st.sampled_from(list(FUSIONS)), st.sampled_from([60, 1, 7.5]))
def test_fusing_columns_gives_what_fusing_records_gives(
    orders: list[list[int]], scores: list[float], name: str, rrf_k: float
) -> None:
    of_columns = [Ranking(lane, columns(rows, scores)) for lane, rows in zip(LANES, orders, strict=False)]
    of_records = [Ranking(ranking.lane, tuple(ranking.hits)) for ranking in of_columns]
    weights, fuse = {"bm25": 0.7, "graph": 0.1}, FUSIONS[name].fuse
    found = fuse(of_columns, weights, rrf_k, {})
    assert found == fuse(of_records, weights, rrf_k, {})
    assert all(hit.score == sum(share.value for share in hit.contributions) for hit in found)
    assert all(type(share.value) is float for hit in found for share in hit.contributions)


SPLIT = [make_symbol("app.first", kind="class"), make_symbol("app.second", kind="class"), make_symbol("app.whole")]
CHUNKS = [
    *(make_chunk(SPLIT[0], text=f"first {part}", part=part) for part in (1, 2, 3)),
    *(make_chunk(SPLIT[1], text=f"second {part}", part=part) for part in (1, 2)),
    make_chunk(SPLIT[2], text="whole"),
]
CATALOG = make_catalog(SPLIT, CHUNKS)
SYMBOL = (0, 0, 0, 1, 1, 2)  # the symbol of each row


@given(st.lists(st.permutations(range(6)), min_size=1, max_size=3), st.integers(0, 6))
def test_parts_are_made_one_alike(orders: list[list[int]], cut: int) -> None:
    ids, falling = CATALOG.chunks.ids, np.arange(6.0, 0.0, -1.0)
    lanes = [
        Ranking(lane, HitColumns(np.array(rows[:cut]), falling[:cut], ids))
        for lane, rows in zip(LANES, orders, strict=False)
    ]
    parts = Parts(CATALOG)
    records = [Ranking(ranking.lane, tuple(ranking.hits)) for ranking in lanes]
    found = parts.collapse(lanes)
    assert found == parts.collapse(records)
    ranked = [rows[:cut] for rows in orders]
    best: dict[int, tuple[int, int, int]] = {}  # symbol → place, lane and row of its best part
    for lane, rows in enumerate(ranked):
        for place, row in enumerate(rows):
            best[SYMBOL[row]] = min(best.get(SYMBOL[row], (place, lane, row)), (place, lane, row))
    for rows, ranking in zip(ranked, found, strict=True):
        assert [hit.chunk_id for hit in ranking.hits] == list(dict.fromkeys(ids[best[SYMBOL[row]][2]] for row in rows))


def test_no_symbol_is_split() -> None:
    whole = make_catalog(SPLIT[2:], CHUNKS[5:])
    ranking = Ranking("bm25", HitColumns(np.array([0]), np.array([1.0]), whole.chunks.ids))
    assert Parts(whole).collapse([ranking, Ranking("graph", ())]) == (ranking, Ranking("graph", ()))
