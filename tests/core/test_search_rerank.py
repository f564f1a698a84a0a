"""Re-ranking: scores that add up exactly, an order that does not depend on top_k, grouping that changes no score."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeexplore.index.catalog import Catalog
from codeexplore.search.query.planner import plan
from codeexplore.search.ranking.fusion import FUSIONS, Fused, rrf
from codeexplore.search.ranking.rerank import Evidence, Pool, Words, rerank
from codeexplore.search.ranking.signals import SIGNALS
from codeexplore.types import LANES, FusedHit, Hit, Ranking, Seed
from tests.doubles import make_catalog, make_chunk, make_symbol, tiny_catalog

TINY = tiny_catalog()
IDS = [chunk.id for chunk in TINY.chunks]


def ranking(lane: str, ids: list[str]) -> Ranking:
    return Ranking(lane, tuple(Hit(chunk_id, rank, 1.0 / rank) for rank, chunk_id in enumerate(ids, start=1)))


class Push:
    """A signal that gives fixed values."""

    structural = True
    grouped = False

    def __init__(self, name: str, given: Mapping[str, float]) -> None:
        self.name, self.given = name, given

    def values(self, pool: Pool) -> Mapping[int, float]:
        return {pool.enter(chunk_id): value for chunk_id, value in self.given.items()}

    def reason(self, pool: Pool, position: int) -> str:
        return f"{self.name} says so"


def total(hit: FusedHit) -> float:
    return sum(c.value for c in hit.contributions) + sum(a.value for a in hit.adjustments)


lists = st.lists(st.sampled_from(IDS), unique=True)
values = st.dictionaries(st.sampled_from(IDS), st.floats(-0.1, 0.1, allow_subnormal=False))
questions = st.sampled_from(
    [
        "load the session",
        "Session",
        "`get`",
        "who calls load_session",
        "tests of sessions",
        "http",
        "how does Store.put work",
    ]
)


@st.composite
def cases(draw: st.DrawFn) -> tuple[Fused, Evidence]:
    lanes = [ranking(lane, draw(lists)) for lane in LANES]
    fusion = FUSIONS[draw(st.sampled_from(sorted(FUSIONS)))]
    named = tuple(Seed(f"{s.path}:{s.fqn}", "name") for s in draw(st.lists(st.sampled_from(TINY.symbols), max_size=3)))
    asked = replace(plan(draw(questions)), seeds=named)
    return fusion.fuse(lanes, {}, draw(st.integers(1, 100)), {}), Evidence(asked, TINY, Words(TINY))


@given(cases(), st.lists(values, max_size=3))
def test_every_score_is_exactly_its_sum(case: tuple[Fused, Evidence], given: list[dict[str, float]]) -> None:
    fused, evidence = case
    signals = (*SIGNALS, *(Push(f"push {n}", v) for n, v in enumerate(given)))
    answer = rerank(fused, evidence, signals)
    assert {hit.chunk_id for hit in answer} >= {hit.chunk_id for hit in fused}
    assert [hit.rank for hit in answer] == list(range(1, len(answer) + 1))
    for hit in answer:
        assert hit.score == total(hit)
        assert all(a.reason and a.signal for a in hit.adjustments)
        assert len({a.signal for a in hit.adjustments}) == len(hit.adjustments)
    assert [hit.score for hit in answer] == sorted((hit.score for hit in answer), reverse=True)


@given(cases(), st.integers(1, 12), st.integers(1, 3))
def test_the_order_does_not_depend_on_top_k(case: tuple[Fused, Evidence], top_k: int, per_file: int) -> None:
    whole, grouped = rerank(*case, SIGNALS), rerank(*case, SIGNALS, per_file=per_file)
    assert rerank(*case, SIGNALS, top_k=top_k) == whole[:top_k]
    assert rerank(*case, SIGNALS, top_k=top_k, per_file=per_file) == grouped[:top_k]


@given(cases(), st.integers(1, 3))
def test_grouping_orders_files_and_leaves_the_order_within_each(case: tuple[Fused, Evidence], per_file: int) -> None:
    whole, grouped = rerank(*case, SIGNALS), rerank(*case, SIGNALS, per_file=per_file)
    inside: dict[str, list[str]] = {}
    for hit in whole:
        inside.setdefault(TINY.chunk(hit.chunk_id).path, []).append(hit.chunk_id)
    for path, ids in inside.items():
        shown = [hit.chunk_id for hit in grouped if TINY.chunk(hit.chunk_id).path == path]
        assert shown == ids[:per_file]
    file_signals = {signal.name for signal in SIGNALS if signal.grouped}
    assert not file_signals & {a.signal for hit in whole for a in hit.adjustments}


def test_adjustments_come_in_the_order_of_the_signals_and_see_earlier_ones() -> None:
    seen: list[float] = []

    class Watch(Push):
        grouped = True  # only such signals read the scores

        def values(self, pool: Pool) -> Mapping[int, float]:
            seen.append(pool.scores[pool.enter(IDS[0])])
            return super().values(pool)

    fused = rrf([ranking("bm25", IDS[:2])])
    signals = (Push("a", {IDS[1]: 0.5, IDS[0]: 0.25}), Watch("b", {IDS[0]: -0.125}), Push("c", {IDS[0]: 0.0}))
    answer = rerank(fused, Evidence(plan("x"), TINY, Words(TINY)), signals, per_file=9)
    assert [hit.chunk_id for hit in answer] == [IDS[1], IDS[0]]
    assert [(a.signal, a.value, a.reason) for a in answer[1].adjustments] == [
        ("a", 0.25, "a says so"), ("b", -0.125, "b says so"),
    ]  # fmt: skip
    assert seen == [1 / 61 + 0.25]


def test_a_signal_can_bring_a_chunk_in() -> None:
    answer = rerank(
        rrf([ranking("bm25", IDS[:1])]), Evidence(plan("x"), TINY, Words(TINY)), [Push("in", {IDS[5]: 1.0})]
    )
    assert (answer[0].chunk_id, answer[0].contributions, answer[0].score) == (IDS[5], (), 1.0)


def test_equal_scores_keep_the_fused_order_and_newcomers_come_last() -> None:
    fused = rrf([ranking("bm25", IDS[:2])])
    level = fused[0].score - fused[1].score
    answer = rerank(fused, Evidence(plan("x"), TINY, Words(TINY)), [Push("p", {IDS[1]: level, IDS[7]: fused[0].score})])
    assert [hit.chunk_id for hit in answer] == [IDS[0], IDS[1], IDS[7]]


def evidence(question: str, *named: str, catalog: Catalog = TINY) -> Evidence:
    seeds = [Seed(symbol.id, "name") for name in named for symbol in catalog.find(name)]
    return Evidence(replace(plan(question), seeds=tuple(seeds)), catalog, Words(catalog))


def order(question: str, ids: list[str], *named: str, catalog: Catalog = TINY) -> list[str]:
    answer = rerank(rrf([ranking("bm25", ids)]), evidence(question, *named, catalog=catalog), SIGNALS)
    return [hit.chunk_id for hit in answer]


def chunk_of(name: str) -> str:
    found = TINY.chunk_for(TINY.resolve(name).id)
    assert found is not None
    return found.id


def test_a_named_definition_comes_first_wherever_it_ranked() -> None:
    definition = chunk_of("HTTPConnection")
    others = [chunk_id for chunk_id in IDS if chunk_id != definition]
    assert order("HTTPConnection", [*others, definition], "HTTPConnection")[0] == definition
    assert order("HTTPConnection", others, "HTTPConnection")[0] == definition


def test_every_definition_of_an_ambiguous_name_enters() -> None:
    got = order("`get`", [chunk_of("handle_request"), chunk_of("login")], "get")
    assert {chunk_of("Store.get"), chunk_of("util.get")} <= set(got)


def test_of_partial_definitions_the_one_in_the_file_of_that_name_is_first() -> None:
    symbols = [make_symbol("lib.Mapper", path=f"lib/{name}.cs", kind="class") for name in ("Cache", "Mapper", "Zip")]
    catalog = make_catalog(symbols, [make_chunk(symbol, text="partial class Mapper") for symbol in symbols])
    ids = [chunk.id for chunk in catalog.chunks]
    assert order("Mapper", ids, "Mapper", catalog=catalog)[0] == ids[1]
    assert order("Mapper", ids[::-1], "Mapper", catalog=catalog)[0] == ids[1]


def test_a_files_name_lifts_it_among_files_only() -> None:
    one = make_symbol("lib.cache.put", path="lib/cache.py")
    other = make_symbol("lib.zip.squeeze", path="lib/zip.py")
    catalog = make_catalog([one, other], [make_chunk(s, text="x") for s in (one, other)])
    ids = [chunk.id for chunk in catalog.chunks]
    fused = rrf([ranking("embedding", ids[::-1])])
    seen = Evidence(plan("keeping rows in a cache"), catalog, Words(catalog))
    assert [hit.chunk_id for hit in rerank(fused, seen, SIGNALS)] == ids[::-1]
    assert [hit.chunk_id for hit in rerank(fused, seen, SIGNALS, per_file=1)] == ids


def test_short_names_are_not_said_by_any_question() -> None:
    get, load = chunk_of("Store.get"), chunk_of("load_session")
    seen = Evidence(plan("get the session that was loaded"), TINY, Words(TINY))
    assert rerank(rrf([ranking("graph", [get, load])]), seen, SIGNALS)[0].chunk_id == load


def test_what_the_graph_answers_comes_before_what_shares_words() -> None:
    asked = replace(plan("who calls load_session?"), seeds=(Seed(TINY.resolve("load_session").id, "name"),))
    far, near = chunk_of("test_load_session"), chunk_of("load_session")
    fused = rrf([ranking("bm25", [near]), ranking("graph", [chunk_of("login"), far])], {"bm25": 2.0, "graph": 1.0})
    answer = rerank(fused, Evidence(asked, TINY, Words(TINY)), SIGNALS)
    assert [hit.chunk_id for hit in answer] == [chunk_of("login"), far, near]


def test_the_likeliest_described_symbol_stands_with_the_answer_about_it() -> None:
    asked = replace(
        plan("what calls the code that drops visits?"),
        seeds=(Seed(TINY.resolve("drop_expired").id, "description"), Seed(TINY.resolve("Store.put").id, "description")),
    )
    answer = rerank(rrf([ranking("graph", IDS[8:10])]), Evidence(asked, TINY, Words(TINY)), SIGNALS)
    shown = {hit.chunk_id: [a.signal for a in hit.adjustments] for hit in answer}
    assert shown[chunk_of("drop_expired")] == ["described symbol"]
    assert chunk_of("Store.put") not in shown
    assert "drops visits" in next(a.reason for hit in answer for a in hit.adjustments)


def test_tests_come_after_code_unless_asked_for() -> None:
    test, code = chunk_of("test_load_session"), chunk_of("load_session")

    def first(question: str) -> str:
        seen = Evidence(plan(question), TINY, Words(TINY))
        return rerank(rrf([ranking("graph", [test, code])]), seen, SIGNALS)[0].chunk_id

    assert first("load a session") == code
    assert first("fixtures for visits") == test


def test_filters_hold_for_definitions_that_signals_bring_in() -> None:
    import numpy as np

    nothing = evidence("`get`", "get")
    masked = Evidence(nothing.plan, TINY, Words(TINY), np.zeros(len(TINY.chunks), dtype=np.bool_))
    assert rerank(rrf(()), masked, SIGNALS) == ()


@pytest.mark.parametrize("question", ["`get`", "load the session", "who calls get"])
def test_an_empty_pool_stays_empty_or_holds_definitions(question: str) -> None:
    catalog = make_catalog([], [])
    assert rerank(rrf(()), evidence(question, catalog=catalog), SIGNALS) == ()


def test_parts_and_lone_chunks_are_no_trouble() -> None:
    symbol = make_symbol("a.b", end_line=300)
    chunks = [make_chunk(symbol, text="x", part=1), make_chunk(None, text="y", path="notes.txt")]
    catalog = make_catalog([symbol], chunks)
    answer = rerank(rrf([ranking("bm25", [c.id for c in chunks])]), evidence("x", catalog=catalog), SIGNALS)
    assert {hit.chunk_id for hit in answer} == {c.id for c in chunks}


WORDS = ("load", "session", "drop", "row", "parse", "http", "visit", "store", "get", "name")


def crowd(seed: int) -> tuple[Fused, Evidence]:
    """Many candidates with names of a few words: signals about names give most of them something."""
    chosen = random.Random(seed)
    owners = [make_symbol(f"a.{word}", path="a.py", kind="class") for word in WORDS]
    symbols = [
        make_symbol(
            f"a.{chosen.choice(WORDS)}_{chosen.choice(WORDS)}{n}",
            path=f"{chosen.choice(WORDS)}.py",
            parent=chosen.choice(owners).id,
        )
        for n in range(80)
    ]
    catalog = make_catalog([*owners, *symbols], [make_chunk(symbol, text="x") for symbol in symbols])
    lanes = []
    for lane in ("bm25", "embedding"):
        ids = chosen.sample([chunk.id for chunk in catalog.chunks], 50)
        scores = sorted((chosen.random() for _ in ids), reverse=True)
        numbered = enumerate(zip(ids, scores, strict=True), start=1)
        lanes.append(Ranking(lane, tuple(Hit(chunk_id, rank, score) for rank, (chunk_id, score) in numbered)))
    question = " ".join(chosen.sample(WORDS, chosen.randint(1, 4)))
    return rrf(lanes), Evidence(plan(question), catalog, Words(catalog))


@pytest.mark.parametrize("seed", range(15))
def test_the_first_of_many_do_not_depend_on_how_many_are_asked_for(seed: int) -> None:
    case = crowd(seed)
    whole = rerank(*case, SIGNALS)
    for top_k in (1, 2, 5, 10, 20, 40):
        assert rerank(*case, SIGNALS, top_k=top_k) == whole[:top_k]


def test_records_are_made_for_the_hits_that_are_shown() -> None:
    fused = rrf([ranking("bm25", IDS), ranking("graph", IDS[::-1])])
    assert fused[0] == next(iter(fused)) == fused[:1][0]
    assert fused[-1].rank == len(fused) == len(IDS)
    assert [hit.chunk_id for hit in fused] == list(fused.chunk_ids)
    assert fused != rrf([ranking("bm25", IDS)])
    with pytest.raises(IndexError):
        _ = fused[len(IDS)]
