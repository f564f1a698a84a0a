"""Lanes and signals of the user's, beside the built-in ones."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from codeexplore import Workspace, sample_repo
from codeexplore.search.ranking.rerank import Pool, Signal
from codeexplore.types import Filters, Hit, QueryPlan
from codeexplore.types.errors import QuestionError

QUESTION = "how are expired sessions handled?"
REPORT = "Sessions never expire\n\nA session that is older than a day is still valid after a restart of the shop.\n" * 2


class Fixed:
    """A lane that always has the same hits."""

    def __init__(self, lane: str, chunk_ids: Sequence[str], score: float = 1.0) -> None:
        self.lane, self.chunk_ids, self.score = lane, chunk_ids, score

    def retrieve(self, plan: QueryPlan, pool: int, allowed: object = None) -> list[Hit]:
        return [Hit(chunk_id, rank, self.score / rank) for rank, chunk_id in enumerate(self.chunk_ids, 1)]


class Favoured(Signal):
    name = "favoured"

    def values(self, pool: Pool) -> dict[int, float]:
        return {len(pool) - 1: 3 * pool.unit}

    def reason(self, pool: Pool, position: int) -> str:
        return "the last shall be first"


@pytest.fixture(scope="module")
def ws() -> Workspace:
    return Workspace(sample_repo("webshop"), progress=lambda *step: None)


def chunk_ids(ws: Workspace, *names: str) -> list[str]:
    return [str(ws.catalog.chunk_id_for(ws.symbol(name).id)) for name in names]


def test_a_lane_counts_with_its_weight(ws: Workspace) -> None:
    lane = Fixed("mine", chunk_ids(ws, "Quote.total", "purge_expired"))
    for answer in (
        ws.search(QUESTION, extra_lanes=[lane], weights={"mine": 3.0, "bm25": 0.5}, top_k=100),
        ws.localise(REPORT, extra_lanes=[lane], weights={"mine": 3.0}, top_k=100),
        ws.related("MemoryRepository.get", extra_lanes=[lane], weights={"mine": 3.0}, top_k=100),
    ):
        for hit in answer:
            parts = (*hit.contributions, *hit.adjustments)
            assert hit.score == pytest.approx(sum(part.value for part in parts), abs=1e-12)
        total = next(hit for hit in answer if hit.symbol is not None and hit.symbol.name == "total")
        mine = next(each for each in total.contributions if each.lane == "mine")
        assert (mine.rank, mine.weight, mine.value) == (1, 3.0, 3.0 / 61)
        assert "mine" in str(answer.explain(total.rank))
    assert all(each.weight == 0.5 for hit in ws.search(QUESTION, extra_lanes=[lane], weights={"bm25": 0.5})
               for each in hit.contributions if each.lane == "bm25")  # fmt: skip


def test_filters_apply_to_a_lane_that_ignores_them(ws: Workspace) -> None:
    lane = Fixed("mine", chunk_ids(ws, "Quote.total", "purge_expired"))
    answer = ws.search(QUESTION, extra_lanes=[lane], filters=Filters(paths=("*sessions.py",)))
    ranking = next(each for each in answer.result.rankings if each.lane == "mine")
    assert [(hit.chunk_id, hit.rank) for hit in ranking.hits] == [(chunk_ids(ws, "purge_expired")[0], 1)]


@pytest.mark.parametrize(
    ("ids", "score", "reason"),
    [(["unknown"], 1.0, "KeyError"), (["same", "same"], 1.0, "each chunk once"), (["same"], float("nan"), "finite")],
)
def test_a_wrong_lane_is_left_out(ws: Workspace, ids: list[str], score: float, reason: str) -> None:
    known = chunk_ids(ws, "Quote.total")[0]
    lane = Fixed("mine", [known if each == "same" else each for each in ids], score)
    answer = ws.search(QUESTION, extra_lanes=[lane])
    ranking = next(each for each in answer.result.rankings if each.lane == "mine")
    assert ranking.status == "failed"
    assert reason in ranking.reason
    assert [hit.score for hit in answer] == [hit.score for hit in ws.search(QUESTION)]
    assert any("mine" in notice for notice in answer.result.notices)


@pytest.mark.parametrize("lanes", [[Fixed("bm25", [])], [Fixed("a", []), Fixed("a", [])], [Fixed("", [])], ["bm25"]])
def test_a_lane_needs_a_name_of_its_own(ws: Workspace, lanes: list[Fixed]) -> None:
    with pytest.raises(QuestionError, match="lane"):
        ws.search(QUESTION, extra_lanes=lanes)  # type: ignore[arg-type]


def test_a_signal_moves_hits_with_its_reason(ws: Workspace) -> None:
    for answer in (
        ws.search(QUESTION, extra_signals=[Favoured()]),
        ws.localise(REPORT, extra_signals=[Favoured()]),
    ):
        given = answer[0].adjustments[-1]
        assert (given.signal, given.reason) == ("favoured", "the last shall be first")
        assert "the last shall be first" in str(answer.explain(1))
    assert all(each.signal != "favoured" for hit in ws.search(QUESTION) for each in hit.adjustments)
