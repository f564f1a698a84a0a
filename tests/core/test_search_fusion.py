"""Fusion: the literature's example, sums that hold, ties that are total, and the fusions of others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeexplore.search.ranking.fusion import FUSIONS, rrf
from codeexplore.types import LANES, Hit, Ranking


def ranking(lane: str, ids: str | list[str], scores: list[float] | None = None) -> Ranking:
    given_scores = scores or [1.0 / rank for rank in range(1, len(ids) + 1)]
    hits = [Hit(i, rank, score) for rank, (i, score) in enumerate(zip(ids, given_scores, strict=True), start=1)]
    return Ranking(lane, tuple(hits))


LITERATURE = [ranking("bm25", "ABCD"), ranking("embedding", "BAEF"), ranking("graph", "AGBH")]


def test_the_worked_example_of_the_literature() -> None:
    fused = {hit.chunk_id: hit for hit in rrf(LITERATURE, rrf_k=60)}
    assert fused["A"].score == pytest.approx(1 / 61 + 1 / 62 + 1 / 61)
    assert fused["B"].score == pytest.approx(1 / 62 + 1 / 61 + 1 / 63)
    assert fused["G"].score == pytest.approx(1 / 62)
    assert round(fused["A"].score, 4) == 0.0489
    assert round(fused["B"].score, 4) == 0.0484
    assert round(fused["G"].score, 4) == 0.0161
    assert [hit.chunk_id for hit in rrf(LITERATURE)] == ["A", "B", "G", "C", "E", "D", "F", "H"]


def test_each_lane_gives_its_own_term_in_the_fixed_order() -> None:
    weights = {"bm25": 0.5, "embedding": 2.0, "graph": 1.0}
    top = next(hit for hit in rrf(LITERATURE[::-1], weights, rrf_k=10) if hit.chunk_id == "A")
    assert [(c.lane, c.rank, c.weight) for c in top.contributions] == [
        ("bm25", 1, 0.5), ("embedding", 2, 2.0), ("graph", 1, 1.0),
    ]  # fmt: skip
    assert [c.value for c in top.contributions] == [0.5 / 11, 2.0 / 12, 1.0 / 11]
    assert top.score == sum(c.value for c in top.contributions)


def test_ties_go_by_best_rank_then_lane_then_id() -> None:
    same = rrf([ranking("graph", "zy"), ranking("bm25", "ba")])
    assert [hit.chunk_id for hit in same] == ["b", "z", "a", "y"]  # rank 1 of bm25, of graph, rank 2 of bm25, of graph
    other = rrf([ranking("x", ["q"]), ranking("y", ["p"])])
    assert [hit.chunk_id for hit in other] == ["q", "p"]  # lanes that are not ours: in the order given


def test_nothing_in_nothing_out() -> None:
    empty = [Ranking("bm25", ()), Ranking("graph", (), status="failed", reason="broken")]
    for fusion in FUSIONS.values():
        assert fusion.fuse(empty, {}, 60, {}) == ()
        assert fusion.fuse([], {}, 60, {}) == ()


def test_weighted_sum_min_max_and_z_score_by_hand() -> None:
    lanes = [ranking("bm25", "abc", [4.0, 2.0, 0.0]), ranking("embedding", "bd", [0.9, 0.5])]
    weights = {"bm25": 1.0, "embedding": 2.0}
    scores = {name: {h.chunk_id: h.score for h in FUSIONS[name].fuse(lanes, weights, 60, {})} for name in FUSIONS}
    assert scores["weighted-sum"] == pytest.approx({"a": 4.0, "b": 2.0 + 1.8, "c": 0.0, "d": 1.0})
    assert scores["min-max"] == pytest.approx({"a": 1.0, "b": 0.5 + 2.0, "c": 0.0, "d": 0.0})
    deviation = (8 / 3) ** 0.5
    expected = {"a": 2 + 2 / deviation, "b": 2 + 2 * 3, "c": 2 - 2 / deviation, "d": 2 * 1}
    assert scores["z-score"] == pytest.approx(expected)


def test_equal_scores_have_no_spread_to_divide_by() -> None:
    flat = [ranking("bm25", "ab", [1.0, 1.0])]
    assert [h.score for h in FUSIONS["min-max"].fuse(flat, {}, 60, {})] == [1.0, 1.0]
    assert [h.score for h in FUSIONS["z-score"].fuse(flat, {}, 60, {})] == [2.0, 2.0]


def test_lexical_ppr_shows_lexical_hits_only() -> None:
    lanes = [ranking("bm25", "abc"), ranking("embedding", "xa"), ranking("graph", "cz", [0.5, 0.25])]
    scores = {h.chunk_id: h.score for h in FUSIONS["lexical-ppr"].fuse(lanes, {}, 60, {"c": 1.0, "z": 1.0})}
    assert scores == pytest.approx({"a": 0.6, "b": 0.3, "c": 0.2 + 0.4})


def test_rrf_pagerank_multiplies_by_importance() -> None:
    lanes = [ranking("bm25", "ab"), ranking("embedding", "ab")]
    scores = {h.chunk_id: h.score for h in FUSIONS["rrf-pagerank"].fuse(lanes, {}, 60, {"b": 1.0, "a": 0.0})}
    assert scores == pytest.approx({"a": 2 / 61, "b": 1.1 * 2 / 62})
    assert FUSIONS["rrf-pagerank"].per_file == 3


ids = st.lists(st.sampled_from([f"c{n}" for n in range(40)]), unique=True, max_size=30)
scores = st.floats(min_value=0.0, max_value=1e3, allow_subnormal=False)


@st.composite
def rankings(draw: st.DrawFn) -> list[Ranking]:
    made = []
    for lane in draw(st.lists(st.sampled_from(LANES), unique=True)):
        names = draw(ids)
        values = sorted(draw(st.lists(scores, min_size=len(names), max_size=len(names))), reverse=True)
        made.append(ranking(lane, names, values))
    return made


weights_of = st.dictionaries(st.sampled_from(LANES), st.floats(min_value=0.01, max_value=10.0))


@pytest.mark.parametrize("name", sorted(FUSIONS))
@given(lanes=rankings(), weights=weights_of, rrf_k=st.integers(1, 100), data=st.data())
def test_sums_hold_and_the_order_is_total(
    name: str, lanes: list[Ranking], weights: dict[str, float], rrf_k: int, data: st.DataObject
) -> None:
    prior = {f"c{n}": n / 40 for n in range(40)}
    fused = FUSIONS[name].fuse(lanes, weights, rrf_k, prior)
    assert [hit.rank for hit in fused] == list(range(1, len(fused) + 1))
    assert len({hit.chunk_id for hit in fused}) == len(fused)
    for hit in fused:
        assert hit.score == sum(c.value for c in hit.contributions)
    assert [hit.score for hit in fused] == sorted((hit.score for hit in fused), reverse=True)
    if name != "lexical-ppr":
        assert {hit.chunk_id for hit in fused} == {hit.chunk_id for lane in lanes for hit in lane.hits}
    shuffled = data.draw(st.permutations(lanes))
    assert FUSIONS[name].fuse(shuffled, weights, rrf_k, prior) == fused
