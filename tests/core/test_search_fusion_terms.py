"""The formula that is shown for a lane's share, with the numbers that are shown, gives that share exactly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeexplore.search.explain import working
from codeexplore.search.ranking.fusion import FUSIONS, Lane
from codeexplore.types import LANES, Hit, Ranking

IDS = [f"c{number}" for number in range(8)]
PRIOR = {chunk_id: number / 8 for number, chunk_id in enumerate(IDS)}
SCORES = st.floats(min_value=0.0, max_value=100.0, allow_subnormal=False)


@st.composite
def lanes(draw: st.DrawFn) -> list[Ranking]:
    made = []
    for lane in draw(st.lists(st.sampled_from(LANES), min_size=1, unique=True)):
        names = draw(st.lists(st.sampled_from(IDS), unique=True, min_size=1))
        scores = draw(
            st.one_of(st.just([1.5] * len(names)), st.lists(SCORES, min_size=len(names), max_size=len(names)))
        )
        scores = sorted(scores, reverse=True)
        hits = [Hit(name, rank, score) for rank, (name, score) in enumerate(zip(names, scores, strict=True), 1)]
        made.append(Ranking(lane, tuple(hits)))
    return made


def worked_out(formula: str, inputs: tuple[tuple[str, float], ...]) -> float:
    """What a reader with a calculator gets."""
    plain = formula.replace("·", "*").replace("−", "-")
    return float(eval(plain, {"__builtins__": {}}, dict(inputs)))


@pytest.mark.parametrize("fusion", sorted(FUSIONS))
@given(
    rankings=lanes(), weights=st.dictionaries(st.sampled_from(LANES), st.floats(0.01, 10.0)), rrf_k=st.integers(1, 90)
)
def test_the_formula_gives_the_share(
    fusion: str, rankings: list[Ranking], weights: dict[str, float], rrf_k: int
) -> None:
    of_lane = {ranking.lane: ranking for ranking in rankings}
    first = next(lane for lane in LANES if lane in of_lane)
    for hit in FUSIONS[fusion].fuse(rankings, weights, rrf_k, PRIOR):
        for share in hit.contributions:
            lane = Lane(of_lane[share.lane], share.weight, rrf_k, PRIOR, share.lane == first)
            shown = working(fusion, share, lane)
            assert worked_out(shown.formula, shown.inputs) == share.value
            names = [name for name, _ in shown.inputs]
            assert len(set(names)) == len(names)
            assert all(name in shown.formula for name in names)


def test_the_formulas_are_those_of_the_fusions() -> None:
    ranking = Ranking("bm25", (Hit("c1", 1, 4.0), Hit("c2", 2, 2.0)))
    shown = {}
    for name in FUSIONS:
        share = FUSIONS[name].fuse([ranking], {"bm25": 2.0}, 10, PRIOR)[0].contributions[0]
        shown[name] = working(name, share, Lane(ranking, 2.0, 10, PRIOR, first=True))
    assert {name: (each.formula, dict(each.inputs)) for name, each in shown.items()} == {
        "rrf": ("weight / (rrf_k + rank)", {"weight": 2.0, "rrf_k": 10.0, "rank": 1.0}),
        "rrf-pagerank": (
            "(1 + 0.1 · PageRank) · weight / (rrf_k + rank)",
            {"PageRank": 0.125, "weight": 2.0, "rrf_k": 10.0, "rank": 1.0},
        ),
        "weighted-sum": ("weight · score", {"weight": 2.0, "score": 4.0}),
        "min-max": (
            "weight · ((score − min) / (max − min))", {"weight": 2.0, "score": 4.0, "min": 2.0, "max": 4.0},
        ),
        "z-score": (
            "weight · (2 + (score − mean) / deviation)", {"weight": 2.0, "score": 4.0, "mean": 3.0, "deviation": 1.0},
        ),
        "lexical-ppr": ("weight · (0.6 / rank + 0.4 · PPR)", {"weight": 2.0, "rank": 1.0, "PPR": 0.125}),
    }  # fmt: skip


def test_lanes_without_spread_or_say() -> None:
    flat = Ranking("graph", (Hit("c1", 1, 0.0), Hit("c2", 2, 0.0)))
    lexical = Ranking("bm25", (Hit("c1", 1, 4.0),))
    share = FUSIONS["min-max"].fuse([flat], {}, 10, {})[0].contributions[0]
    assert working("min-max", share, Lane(flat, 1.0, 10, {}, first=True)) == ("weight · 1", (("weight", 1.0),))
    share = FUSIONS["z-score"].fuse([flat], {}, 10, {})[0].contributions[0]
    assert working("z-score", share, Lane(flat, 1.0, 10, {}, first=True)) == ("weight · 2", (("weight", 1.0),))
    _, share = FUSIONS["lexical-ppr"].fuse([lexical, flat], {}, 10, {})[0].contributions
    assert working("lexical-ppr", share, Lane(flat, 1.0, 10, {}, first=False)) == ("0", ())
