"""The chain over small real lanes: seeds, isolation of lanes, filters, options, answers that don't change."""

from __future__ import annotations

import math
import subprocess
import sys
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeexplore.search.engine import SearchEngine
from codeexplore.search.lanes.bm25 import Bm25Lane
from codeexplore.search.ranking.fusion import FUSIONS
from codeexplore.text.tokens import tokenize
from codeexplore.types import Filters, LaneName, Retriever, SearchResult, Seed
from codeexplore.types.errors import QuestionError
from tests.doubles import FixedLane, WordLane, make_catalog, make_chunk, make_symbol, tiny_catalog
from tests.lane_chunks import postings
from tests.lane_clock import LaneClock

TINY = tiny_catalog()
IDS = [chunk.id for chunk in TINY.chunks]


def engine(**lanes: Retriever) -> SearchEngine:
    given: dict[LaneName, Retriever] = {
        "bm25": WordLane("bm25", TINY), "embedding": WordLane("embedding", TINY), "graph": FixedLane("graph"),
    }  # fmt: skip
    given.update(lanes)  # type: ignore[arg-type]
    return SearchEngine(TINY, given)


def names(result: SearchResult) -> list[str]:
    return [TINY.chunk(hit.chunk_id).symbol.rpartition(".")[2] for hit in result.hits]  # type: ignore[union-attr]


def test_a_name_finds_its_definition_first() -> None:
    result = engine().search("HTTPConnection")
    assert names(result)[0] == "HTTPConnection"
    assert result.plan.kind == "identifier"
    assert [seed.source for seed in result.plan.seeds] == ["name"]
    assert (result.fusion, result.rrf_k) == ("rrf", 60)


def test_the_rankings_are_those_of_the_plan_in_order() -> None:
    result = engine(graph=FixedLane("graph", IDS[:2])).search("how are visits dropped")
    assert [ranking.lane for ranking in result.rankings] == ["bm25", "embedding", "graph"]
    assert all(ranking.elapsed_ms >= 0 for ranking in result.rankings)
    assert result.elapsed_ms >= 0
    for hit in result.hits:
        by_lane = {c.lane: c for c in hit.contributions}
        for ranking in result.rankings:
            here = [h for h in ranking.hits if h.chunk_id == hit.chunk_id]
            assert [(h.rank, h.score) for h in here] == [
                (c.rank, c.score) for c in by_lane.values() if c.lane == ranking.lane
            ]  # fmt: skip


# --------------------------------------------------------------------------- seeds


def test_a_structural_question_hands_its_named_symbol_to_the_graph() -> None:
    graph = FixedLane("graph", [IDS[8], IDS[9]])
    result = engine(graph=graph).search("who calls load_session?")
    assert graph.asked[0].seeds[0].symbol_id == TINY.resolve("load_session").id
    assert (graph.asked[0].relation, graph.asked[0].direction) == ("callers", "in")
    assert names(result)[:2] == ["handle_request", "login"]
    assert [hit.role for hit in result.hits[:2]] == ["caller", "caller"]
    assert {hit.role for hit in result.hits[2:]} >= {"asked about"}
    assert "The other results only share words with your question." in result.notices


def test_the_text_lanes_look_for_the_symbol_not_for_the_words_of_the_relation() -> None:
    words = FixedLane("bm25")
    engine(bm25=words).search("who calls load_session?")
    assert words.asked[0].tokens == engine().search("load_session").plan.tokens


def test_a_described_symbol_is_found_by_the_text_lanes_first() -> None:
    graph, words = FixedLane("graph", [IDS[9]]), WordLane("bm25", TINY)
    result = engine(graph=graph, bm25=words).search("what calls the code that deletes visits that are over?")
    seeds = graph.asked[0].seeds
    assert seeds[0].symbol_id == TINY.resolve("drop_expired").id
    assert {seed.source for seed in seeds} == {"description"}
    assert [seed.weight for seed in seeds] == sorted((seed.weight for seed in seeds), reverse=True)
    assert any("drop_expired" in notice for notice in result.notices)


@pytest.mark.parametrize("besides", [" before load_session finds them", " (app.load_sesion)", " like app.load_session"])
def test_a_name_within_a_description_is_not_the_symbol_asked_about(besides: str) -> None:
    graph, words = FixedLane("graph", [IDS[9]]), WordLane("bm25", TINY)
    question = f"what calls the code that deletes visits that are over{besides}?"
    engine(graph=graph, bm25=words).search(question)
    assert TINY.resolve("drop_expired").id in [seed.symbol_id for seed in graph.asked[0].seeds]
    assert {seed.source for seed in graph.asked[0].seeds} == {"description"}


def test_a_notice_never_calls_the_graphs_own_hits_words() -> None:
    graph = FixedLane("graph", [IDS[8], IDS[9]])
    mixed = engine(graph=graph).search("who calls load_session?")
    assert {"caller", "shares words"} <= {hit.role for hit in mixed.hits}
    assert mixed.notices[0].endswith("The other results only share words with your question.")
    alone = engine(graph=graph).search("who calls load_session?", lanes=["graph"])
    assert {hit.role for hit in alone.hits} == {"caller"}
    assert not any("share words" in said for said in alone.notices)


def test_a_plain_question_gives_the_graph_its_best_hits() -> None:
    graph = FixedLane("graph", [IDS[9]])
    result = engine(graph=graph).search("deletes visits that are over")
    assert graph.asked[0].seeds[0].symbol_id == TINY.resolve("drop_expired").id
    assert graph.asked[0].relation is None
    assert result.notices == ()


def test_an_ambiguous_name_starts_from_all_its_definitions_and_says_so() -> None:
    graph = FixedLane("graph", [IDS[8]])
    result = engine(graph=graph).search("who calls get?")
    assert {seed.symbol_id for seed in graph.asked[0].seeds} == {s.id for s in TINY.find("get")}
    assert [seed.weight for seed in graph.asked[0].seeds] == [0.5, 0.5]
    assert any("may mean 2 symbols" in notice for notice in result.notices)


def test_a_misspelt_name_is_read_as_the_name_and_the_answer_says_so() -> None:
    graph, words = FixedLane("graph", [IDS[8]]), FixedLane("bm25")
    result = engine(graph=graph, bm25=words).search("who calls load_sesion?")
    assert result.plan.identifiers == ("load_session",)
    assert graph.asked[0].seeds[0].symbol_id == TINY.resolve("load_session").id
    assert words.asked[0].text == "load_session"
    assert [n for n in result.notices if "`load_sesion`" in n and "`load_session` was taken instead" in n]
    assert any(reason.choice == "identifiers" for reason in result.plan.reasons)


def test_a_misspelt_name_in_a_sentence_is_corrected_for_the_text_lanes() -> None:
    words = FixedLane("bm25")
    engine(bm25=words).search("how does drop_expird delete visits that are over")
    assert words.asked[0].text == "how does drop_expired delete visits that are over"


@pytest.mark.parametrize(("typed", "meant"), [("LoadSession", "load_session"), ("HTTPConection", "HTTPConnection")])
def test_case_and_one_letter_are_forgiven(typed: str, meant: str) -> None:
    assert names(engine().search(typed))[0] == meant


def test_a_word_that_stands_in_the_code_is_no_misspelling() -> None:
    chunks = [*TINY.chunks, make_chunk(text="load_sessions is somebody else's", path="notes.md")]
    catalog = make_catalog(TINY.symbols, chunks)
    lane = Bm25Lane(catalog, postings(chunks))
    result = SearchEngine(catalog, {"bm25": lane}).search("who calls load_sessionz?", lanes=("bm25",))
    assert result.plan.identifiers == ("load_session",)
    result = SearchEngine(catalog, {"bm25": lane}).search("who calls login_sessions?", lanes=("bm25",))
    assert result.plan.identifiers == ("login_sessions",)


def test_an_unknown_name_far_from_all_is_said_and_searched_as_words() -> None:
    result = engine(graph=FixedLane("graph", [IDS[8]])).search("who calls visit_keeper_row?")
    assert any("No symbol is called `visit_keeper_row`" in notice for notice in result.notices)
    assert result.hits


def test_a_sentence_that_mentions_an_unknown_name_is_searched_whole() -> None:
    words = FixedLane("bm25", [IDS[3]])
    result = engine(bm25=words).search("how does VisitKeeper delete visits that are over")
    assert result.plan.kind == "mixed"
    assert words.asked[0].text == result.plan.text
    assert len(words.asked) == 1


def test_the_end_of_an_unknown_qualified_name_may_be_known() -> None:
    result = engine().search("Shop::Store::put")
    assert names(result)[0] == "put"
    assert "the end of" in result.plan.seeds[0].reason


def test_a_place_in_a_file_is_a_name() -> None:
    line = TINY.resolve("login").line
    result = engine().search(f"http.py:{line + 1}")
    assert names(result)[0] == "login"


def test_the_callers_seeds_replace_those_of_the_question() -> None:
    graph = FixedLane("graph", [IDS[0]])
    mine = TINY.resolve("Store.put").id
    result = engine(graph=graph).search("who calls load_session?", seeds=(mine,))
    assert [(s.symbol_id, s.source) for s in result.plan.seeds] == [(mine, "object")]
    given = Seed(mine, "object", 0.5, "because")
    assert engine(graph=graph).search("get", seeds=(given,)).plan.seeds == (given,)


def test_a_path_has_two_ends() -> None:
    graph = FixedLane("graph", [IDS[8]])
    engine(graph=graph).search("path from handle_request to Store.get")
    asked = graph.asked[0]
    assert [s.symbol_id for s in asked.seeds] == [TINY.resolve("handle_request").id]
    assert [s.symbol_id for s in asked.targets] == [TINY.resolve("Store.get").id]
    engine(graph=graph).search("path from the code that checks a password to Store.get")
    asked = graph.asked[1]
    assert asked.seeds[0].symbol_id == TINY.resolve("login").id
    assert [s.symbol_id for s in asked.targets] == [TINY.resolve("Store.get").id]


def test_without_seeds_the_graph_is_empty_with_a_reason() -> None:
    result = engine().search("zebra")
    graph = result.rankings[-1]
    assert (graph.status, graph.hits) == ("empty", ())
    assert "no symbol" in graph.reason
    assert result.hits == ()


# --------------------------------------------------------------------------- isolation


@pytest.mark.parametrize("error", [ValueError("broken"), MemoryError(), SystemExit(3), KeyboardInterrupt()])
def test_a_lane_that_fails_is_shown_and_the_others_answer(error: BaseException) -> None:
    result = engine(embedding=FixedLane("embedding", error=error)).search("load a session")
    status = {ranking.lane: ranking.status for ranking in result.rankings}
    assert status["embedding"] == "failed"
    assert status["bm25"] == "ok"
    assert result.hits
    assert any("embedding lane failed" in n and type(error).__name__ in n for n in result.notices)


def test_a_lane_that_is_too_slow_is_left_behind(lane_clock: LaneClock) -> None:
    held = threading.Event()

    class Held(FixedLane):
        def retrieve(self, *args: object, **options: object) -> list[object]:  # type: ignore[override]
            lane_clock.stuck.set()
            held.wait(60)
            return []

    started = time.monotonic()
    result = engine(embedding=Held("embedding")).search("load a session", timeout=0.2)
    assert time.monotonic() - started < 30  # the wait itself is 60 s
    held.set()
    slow = next(ranking for ranking in result.rankings if ranking.lane == "embedding")
    assert (slow.status, slow.hits) == ("timed out", ())
    assert "0.2 s" in slow.reason
    assert names(result)[0] == "load_session"


def test_a_lane_left_behind_does_not_hold_up_the_interpreter() -> None:
    script = """
import time
from codeexplore.search.lane_runner import Job, run_lanes
print(run_lanes({"bm25": Job(lambda: time.sleep(600))}, 0.05)[0].status)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.strip() == "timed out"


def test_lanes_run_at_the_same_time() -> None:
    meeting = threading.Barrier(2, timeout=30)

    class Meets(FixedLane):
        def retrieve(self, *args: object, **options: object) -> list[object]:  # type: ignore[override]
            meeting.wait()
            return []

    result = engine(bm25=Meets("bm25"), embedding=Meets("embedding")).search("load", lanes=("bm25", "embedding"))
    assert [ranking.status for ranking in result.rankings] == ["empty", "empty"]


def test_a_lane_the_workspace_lacks_is_shown_as_failed() -> None:
    result = SearchEngine(TINY, {"bm25": WordLane("bm25", TINY)}).search("load a session")
    assert {r.lane: r.status for r in result.rankings} == {"bm25": "ok", "embedding": "failed", "graph": "failed"}
    assert result.hits


def test_all_lanes_may_fail() -> None:
    broken = {lane: FixedLane(lane, error=OSError("gone")) for lane in ("bm25", "embedding", "graph")}  # type: ignore[arg-type]
    result = engine(**broken).search("load a session")
    assert result.hits == ()
    assert len(result.notices) == 2  # the graph had no seed to start from


# --------------------------------------------------------------------------- parts


def test_the_parts_of_a_split_function_are_one_hit() -> None:
    long = make_symbol("a.long", end_line=300)
    other = make_symbol("a.other", start_line=301, end_line=303)
    parts = [make_chunk(long, text="x", part=n) for n in (1, 2, 3)]
    lone = make_chunk(other, text="y")
    catalog = make_catalog([long, other], [*parts, lone])
    lanes: dict[LaneName, Retriever] = {
        "bm25": FixedLane("bm25", [lone.id, parts[0].id, parts[2].id]),
        "embedding": FixedLane("embedding", [parts[1].id, parts[0].id, lone.id]),
    }
    result = SearchEngine(catalog, lanes, signals=()).search("x y z", lanes=("bm25", "embedding"))
    assert [[h.chunk_id for h in r.hits] for r in result.rankings] == [[lone.id, parts[1].id], [parts[1].id, lone.id]]
    assert [[h.rank for h in r.hits] for r in result.rankings] == [[1, 2], [1, 2]]
    assert {hit.chunk_id for hit in result.hits} == {parts[1].id, lone.id}


# --------------------------------------------------------------------------- options and filters


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(paths=("app/store.py",)), {"app/store.py"}),
        (Filters(paths=("store.py", "util.py")), {"app/store.py", "app/util.py"}),
        (Filters(paths=("app",)), {"app/sessions.py", "app/store.py", "app/http.py", "app/util.py"}),
        (Filters(paths=("**/test_*.py",)), {"tests/test_sessions.py"}),
        (Filters(paths=("*/s*",)), {"app/sessions.py", "app/store.py"}),
        (Filters(kinds=("method",)), {"app/sessions.py", "app/store.py"}),
        (Filters(tests=False), {"app/sessions.py", "app/store.py", "app/http.py", "app/util.py"}),
        (Filters(languages=("markdown",)), set()),
    ],
)
def test_filters_apply_before_the_pools(filters: Filters, expected: set[str]) -> None:
    question = "Session load_session get put row visit HTTP mapping test load"
    result = engine().search(question, filters=filters, top_k=50)
    assert {TINY.chunk(hit.chunk_id).path for hit in result.hits} == expected
    assert any("No chunk passes the filters: language 'markdown'" in each for each in result.notices) == (not expected)


def test_a_question_without_a_word_is_told_where_signs_are_found() -> None:
    (said,) = engine().search("-> ?").notices
    assert "has no word" in said
    assert "grep" in said


def test_filters_are_about_the_answer_not_about_what_a_description_means() -> None:
    graph = FixedLane("graph", [IDS[9]])
    question = "what calls the code that deletes visits that are over?"
    result = engine(graph=graph).search(question, filters=Filters(paths=("app/http.py",)))
    assert graph.asked[0].seeds[0].symbol_id == TINY.resolve("drop_expired").id
    assert {TINY.chunk(hit.chunk_id).path for hit in result.hits} == {"app/http.py"}


def test_a_relation_without_answer_in_the_graph_is_said() -> None:
    result = engine().search("who calls login?")
    assert "The results below only share words with your question." in result.notices
    assert result.confidence.level == "weak"


def test_rare_words_weigh_more() -> None:
    lane = Bm25Lane(TINY, postings(TINY.chunks))
    rare, common = tokenize("password")[0], tokenize("session")[0]
    assert lane.idf("zebra") > lane.idf(rare) > lane.idf(common) > 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"top_k": 0}, "top_k.*0"),
        ({"top_k": 2.5}, "2.5"),
        ({"rrf_k": 0}, "rrf_k.*0"),
        ({"rrf_k": -1}, "-1"),
        ({"rrf_k": math.nan}, "nan"),
        ({"per_file": 0}, "per_file.*0"),
        ({"timeout": 0}, "timeout.*0"),
        ({"fusion": "sum"}, "'sum'.*rrf"),
        ({"lanes": ("bm52",)}, "'bm52'.*bm25"),
        ({"weights": {"bm25": -1}}, "-1"),
        ({"filters": Filters(languages=("pyton",))}, "'pyton'.*python"),
        ({"filters": Filters(kinds=("klass",))}, "'klass'.*class"),
        ({"relation": "father"}, "'father'.*callers"),
    ],
)
def test_bad_options_are_named(options: dict[str, object], message: str) -> None:
    with pytest.raises(QuestionError, match=message):
        engine().search("load a session", **options)  # type: ignore[arg-type]


def test_an_empty_question_is_an_error() -> None:
    with pytest.raises(QuestionError, match="empty"):
        engine().search("  ")


def test_a_huge_question_is_cut_with_a_notice() -> None:
    result = engine().search("load the session " * 6_000)
    assert any("101,999" in notice for notice in result.notices)
    assert result.hits


# --------------------------------------------------------------------------- the same answer, always

questions = st.sampled_from(
    [
        "load a session",
        "get",
        "`Store`",
        "who calls load_session",
        "visits over",
        "row key",
        "path from login to Store.get",
    ]
)


@given(questions, st.integers(1, 12), st.sampled_from([None, 1, 2]), st.sampled_from(sorted(FUSIONS)))
def test_the_first_hits_do_not_depend_on_top_k(question: str, top_k: int, per_file: int | None, fusion: str) -> None:
    search = engine(graph=FixedLane("graph", IDS[6:10])).search
    whole = search(question, top_k=100, per_file=per_file, fusion=fusion)
    some = search(question, top_k=top_k, per_file=per_file, fusion=fusion)
    assert some.hits == whole.hits[:top_k]
    for hit in whole.hits:
        assert hit.score == sum(c.value for c in hit.contributions) + sum(a.value for a in hit.adjustments)
