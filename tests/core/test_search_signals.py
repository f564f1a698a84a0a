"""What each signal gives, to the number, and why it says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from codeexplore import Workspace
from codeexplore.index.catalog import Catalog
from codeexplore.search.lane_runner import in_other_words
from codeexplore.search.query.planner import plan
from codeexplore.search.ranking.fusion import FUSIONS, rrf
from codeexplore.search.ranking.rerank import Evidence, Pool, Words, listed, rerank
from codeexplore.search.ranking.signals import (
    Definition,
    FileAgreement,
    FileCoverage,
    FileName,
    InRelation,
    NameMatch,
    OutsideDefinitions,
    OwnerMatch,
    Role,
    Section,
    Strength,
    Understood,
)
from codeexplore.types import Hit, QueryPlan, Ranking, Seed
from tests.doubles import make_catalog, make_chunk, make_symbol

CACHE = make_symbol("lib.Cache", path="lib/cache.py", kind="class")
PUT = make_symbol(
    "lib.Cache.put_row", path="lib/cache.py", kind="method", parent=CACHE.id, signature="def put_row(self, key, expiry)"
)
NEW = make_symbol("lib.Cache.Cache", path="lib/cache.py", kind="method", parent=CACHE.id, signature="Cache(key)")
MAKE = make_symbol("lib.cache", path="lib/cache.py")
OTHER = make_symbol("app.Cache", path="app/store_cache.py", kind="class")
CLONE = make_symbol("app.cache", path="app/store_cache.py")
TEST = make_symbol("tests.test_cache", path="tests/test_cache.py")
GUIDE = make_symbol("docs.guide#Rows", path="docs/guide.md", kind="section", language="markdown")
MODULE = make_symbol("lib.cache_module", path="lib/row_cache.py", kind="module")
PAGE = make_symbol("docs.page", path="docs/page.md", kind="module", language="markdown")
SYMBOLS = (CACHE, PUT, NEW, MAKE, OTHER, CLONE, TEST, GUIDE, MODULE, PAGE)
CATALOG = make_catalog(SYMBOLS, [make_chunk(symbol, text="x") for symbol in SYMBOLS])
ID = {symbol.id: chunk.id for symbol, chunk in zip(SYMBOLS, CATALOG.chunks, strict=True)}


def ranked(lane: str, *symbols: Any, scores: tuple[float, ...] = ()) -> Ranking:
    given = scores or tuple(1.0 / rank for rank in range(1, len(symbols) + 1))
    hits = [Hit(ID[symbol.id], rank, score) for rank, (symbol, score) in enumerate(zip(symbols, given, strict=True), 1)]
    return Ranking(lane, tuple(hits))


def evidence(question: str | QueryPlan, *seeds: Seed, allowed: list[bool] | None = None) -> Evidence:
    asked_for = plan(question) if isinstance(question, str) else question
    mask = None if allowed is None else np.array(allowed)
    return Evidence(replace(asked_for, seeds=seeds), CATALOG, Words(CATALOG), allowed=mask)


def pool(about: Evidence, *rankings: Ranking, weight: float = 1.0) -> Pool:
    """Candidates whose best fused score is `weight` / 2 where each lane ranks others."""
    return Pool(rrf(rankings, {ranking.lane: weight for ranking in rankings}, rrf_k=1), about)


def given(signal: Any, candidates: Pool) -> dict[str, float]:
    """Symbol id → value, where there is one."""
    values = signal.values(candidates)
    pairs = values.items() if isinstance(values, Mapping) else enumerate(values.tolist())
    symbols = {chunk_id: symbol_id for symbol_id, chunk_id in ID.items()}
    return {symbols[candidates.chunk_ids[position]]: value for position, value in pairs if value}


def reason(signal: Any, candidates: Pool, symbol: Any) -> str:
    return signal.reason(candidates, candidates.chunk_ids.index(ID[symbol.id]))


def by_name(symbol: Any, source: str = "name") -> Seed:
    return Seed(symbol.id, source)


@pytest.mark.parametrize("weight", [0.5, 1.0, 4.0])
def test_signals_are_worth_shares_of_the_best_score(weight: float) -> None:
    assert pool(evidence("x"), ranked("bm25", PUT, TEST), weight=weight).unit == weight / 2
    assert pool(evidence("x"), ranked("bm25", PUT), weight=0.0).unit == 1.0
    assert pool(evidence("x")).unit == 1.0


# --------------------------------------------------------------------------- files


@pytest.mark.parametrize("weight", [1.0, 6.0])
@pytest.mark.parametrize(
    ("question", "last"), [("put a row", True), ("(tests) of a row", False), ("“put”, with `fixtures`?", False)]
)
def test_roles_that_are_not_asked_for_come_last(question: str, last: bool, weight: float) -> None:
    candidates = pool(evidence(question), ranked("bm25", PUT, TEST, GUIDE), weight=weight)
    assert given(Role(), candidates) == ({TEST.id: -weight / 2} if last else {})
    assert "it is test code" in reason(Role(), candidates, TEST)


def test_parts_of_the_program_and_callers_in_tests_lose_less() -> None:
    symbols = [
        make_symbol(f"m.f{at}", path=path) for at, path in enumerate(("3rd-party/a.py", "src/compat.py", "b.py"))
    ]
    catalog = make_catalog(symbols, [make_chunk(symbol, text="x") for symbol in symbols])
    ranking = Ranking("bm25", tuple(Hit(chunk.id, at, 1.0) for at, chunk in enumerate(catalog.chunks, 1)))
    candidates = Pool(rrf([ranking], {}, 1), Evidence(plan("put a row"), catalog, Words(catalog)))
    assert Role().values(candidates).tolist() == [-0.5, -0.15, 0.0]  # a copy of another project is no part of this one
    callers = evidence("who calls put_row?", by_name(PUT))
    assert given(Role(), pool(callers, ranked("graph", TEST, MAKE))) == {TEST.id: -0.15}


def test_what_is_like_a_test_is_a_test() -> None:
    related = replace(plan("cache"), kind="related")
    lanes = ranked("embedding", PUT, TEST)
    assert given(Role(), pool(evidence(related, by_name(TEST)), lanes)) == {}
    assert given(Role(), pool(evidence(related, by_name(PUT)), lanes)) == {TEST.id: -0.15}
    assert given(Role(), pool(evidence("put a row", by_name(TEST)), lanes)) == {TEST.id: -0.5}  # named, not likened to
    wanted = evidence(replace(plan("benchmark of cache"), kind="related"), by_name(TEST))
    assert Role()._asked(wanted) >= {"test", "benchmark"}


@pytest.mark.parametrize("weight", [1.0, 6.0])
def test_a_files_name_counts_by_how_much_of_it_is_said(weight: float) -> None:
    candidates = pool(evidence("keep in a cache"), ranked("bm25", PUT, MODULE, GUIDE), weight=weight)
    unit = weight / 2
    assert given(FileName(), candidates) == pytest.approx({PUT.id: 0.7 * unit, MODULE.id: 0.7 * unit / 2})
    assert reason(FileName(), candidates, MODULE).startswith("the file's name contains the question's “cache”")
    table = dict.fromkeys(CATALOG.chunk_files()[0], 0.0) | {PUT.path: 0.25, MODULE.path: 1.0}
    known = replace(evidence("keep in a cache"), text_of_files=WholeFiles(table))
    candidates = pool(known, ranked("bm25", PUT, MODULE, GUIDE), weight=weight)
    assert given(FileName(), candidates) == pytest.approx({PUT.id: 0.7 * unit / 2, MODULE.id: 0.7 * unit / 2})
    assert reason(FileName(), candidates, PUT).endswith(
        f"25% of the question: 0.7 · {unit:g} (the best fused score) · 1/1 · √0.25"
    )


def test_two_of_three_words_of_a_files_name() -> None:
    symbol = make_symbol("a.b", path="lib/lru_row_cache.py")
    catalog = make_catalog([symbol], [make_chunk(symbol, text="x")])
    candidates = Pool(
        rrf([Ranking("bm25", (Hit(catalog.chunks[0].id, 1, 1.0),))], {}, 1),
        Evidence(plan("which row does a cache keep?"), catalog, Words(catalog)),
    )
    assert FileName().values(candidates)[0] == pytest.approx(0.7 * 0.5 * 2 / 3)


@pytest.mark.parametrize("weight", [1.0, 6.0])
def test_hits_of_one_file_agree(weight: float) -> None:
    candidates = pool(evidence("x"), ranked("bm25", OTHER, PUT, CACHE, TEST), weight=weight)
    candidates.enter(ID[MAKE.id])  # what a signal brings in is no hit
    sums = {CACHE.path: weight / 3 + weight / 4, OTHER.path: weight / 2, TEST.path: weight / 5}
    top = sums[CACHE.path]
    values = given(FileAgreement(), candidates)
    best = {OTHER.id: OTHER.path, PUT.id: PUT.path, TEST.id: TEST.path}
    assert values == pytest.approx({symbol: 0.4 * weight / 2 * sums[path] / top for symbol, path in best.items()})
    assert reason(FileAgreement(), candidates, PUT) == "2 candidates are in cache.py"
    assert FileAgreement().values(pool(evidence("x"))) == {}
    assert FileAgreement().values(pool(evidence("x"), ranked("bm25", PUT), weight=0.0)) == {}
    small = pool(evidence("x"), ranked("bm25", PUT), weight=0.02)
    assert given(FileAgreement(), small) == pytest.approx({PUT.id: 0.004})


# --------------------------------------------------------------------------- symbols


@pytest.mark.parametrize("weight", [1.0, 6.0])
def test_definitions_by_place_and_kind(weight: float) -> None:
    named = [by_name(symbol) for symbol in (CACHE, MAKE, OTHER, CLONE)]
    about = evidence("Cache", *named, by_name(TEST, "description"))
    candidates = pool(about, ranked("bm25", TEST), weight=weight)
    assert about.plan.kind == "identifier"
    expected = {CACHE.id: 2.0, MAKE.id: 1.8, OTHER.id: 1.6, CLONE.id: 1.44}
    assert given(Definition(), candidates) == pytest.approx({id_: v * weight / 2 for id_, v in expected.items()})
    said = "defines `Cache`, which the question names; one of 4 definitions of this name"
    assert reason(Definition(), candidates, CACHE) == said


def test_a_mask_lets_through_what_it_allows() -> None:
    allowed = [symbol is CACHE for symbol in SYMBOLS]
    about = evidence("Cache", by_name(CACHE), by_name(OTHER), allowed=allowed)
    assert given(Definition(), pool(about, ranked("bm25", TEST))) == {CACHE.id: 1.0}
    assert about.allows(ID[CACHE.id])
    assert not about.allows(ID[OTHER.id])


@pytest.mark.parametrize("weight", [1.0, 6.0])
def test_the_described_symbol(weight: float) -> None:
    question = plan("what calls the code that puts rows?")
    lanes = ranked("graph", TEST)
    for allowed, expected in ((None, {PUT.id: 0.6 * weight / 2}), ([symbol is not PUT for symbol in SYMBOLS], {})):
        about = evidence(question, by_name(PUT, "description"), by_name(MAKE, "description"), allowed=allowed)
        assert given(Understood(), pool(about, lanes, weight=weight)) == expected
    candidates = pool(evidence(question, by_name(PUT, "description")), lanes)
    Understood().values(candidates)
    assert reason(Understood(), candidates, PUT) == f"the likeliest to be meant by “{question.description}”"
    plain = pool(evidence(replace(question, description=""), by_name(PUT, "description")), lanes)
    assert Understood().reason(plain, 0) == f"the likeliest to be meant by “{question.text}”"


def test_a_described_symbol_without_a_chunk_is_no_trouble() -> None:
    lone = make_symbol("lib.lone")
    catalog = make_catalog([lone], [make_chunk(None, text="x", path="notes.txt")])
    question = replace(plan("what calls the code that puts rows?"), seeds=(Seed(lone.id, "description"),))
    assert Understood().values(Pool(rrf([]), Evidence(question, catalog, Words(catalog)))) == {}


@pytest.mark.parametrize("weight", [1.0, 6.0])
def test_what_the_graph_answers(weight: float) -> None:
    about = evidence("who calls put_row?", by_name(PUT))
    candidates = pool(about, ranked("bm25", CACHE), ranked("graph", TEST, MAKE), weight=weight)
    assert given(InRelation(), candidates) == {TEST.id: weight / 2, MAKE.id: weight / 2}
    assert given(InRelation(), pool(about, ranked("graph", TEST), weight=weight)) == {TEST.id: weight / 2}
    assert (
        given(InRelation(), pool(evidence("who calls put_row?", by_name(PUT, "description")), ranked("graph", TEST)))
        == {}
    )


@pytest.mark.parametrize("weight", [1.0, 6.0])
def test_words_in_names_and_owners(weight: float) -> None:
    candidates = pool(evidence("put the row of a cache key"), ranked("bm25", PUT, CACHE, MODULE), weight=weight)
    unit = weight / 2
    names = {PUT.id: 0.5 * unit * 2 / 3, CACHE.id: 0.5 * unit / 2, MODULE.id: 0.5 * unit * 2 / 3}
    assert given(NameMatch(), candidates) == pytest.approx(names)
    assert given(OwnerMatch(), candidates) == pytest.approx({PUT.id: 0.3 * unit / 2})
    assert candidates.asked == {"put", "row", "cach", "key"}
    best = f"{unit:g} (the best fused score)"
    said = "`put_row` contains the question's “put, row”, 2 of its 2 parts: "
    assert reason(NameMatch(), candidates, PUT) == f"{said}0.5 · {best} · 2/(2 + 1)"
    assert reason(NameMatch(), candidates, MODULE).startswith("`row_cache` contains the question's “row, cache”")
    said = "it belongs to `Cache`, which contains the question's “cache”, 1 of its 1 part: "
    assert reason(OwnerMatch(), candidates, PUT) == f"{said}0.3 · {best} · 1/(1 + 1)"
    assert reason(OwnerMatch(), candidates, CACHE) == ""


def test_a_reason_says_which_words_were_added() -> None:
    asked = in_other_words(plan("keep a row somewhere"), ["cache"])
    candidates = pool(evidence(asked), ranked("bm25", MODULE))
    told = reason(NameMatch(), candidates, MODULE)
    assert told.startswith("`row_cache` contains the question's “row” and the added word “cache”, 2 of its 2 parts")
    assert reason(FileName(), candidates, MODULE).startswith(
        "the file's name contains the question's “row” and the added"
    )


def test_a_name_counts_once_where_the_questions_words_are_not_those_of_the_code() -> None:
    lanes = ranked("bm25", MAKE, CLONE, PUT)  # two functions have the name `cache`
    about = evidence("how is the cache put away?")
    named = {MAKE.id, PUT.id}
    assert given(NameMatch(), pool(about, lanes)).keys() == {*named, CLONE.id}
    plain = given(NameMatch(), pool(replace(about, plain=True), lanes))
    assert plain.keys() == named
    assert plain[MAKE.id] == pytest.approx(given(NameMatch(), pool(about, lanes))[MAKE.id] / 2)


def test_a_chunk_without_a_symbol_matches_nothing() -> None:
    catalog = make_catalog([], [make_chunk(None, text="put row", path="notes.txt")])
    candidates = Pool(
        rrf([Ranking("bm25", (Hit(catalog.chunks[0].id, 1, 1.0),))]), Evidence(plan("put row"), catalog, Words(catalog))
    )
    for signal in (NameMatch(), OwnerMatch()):
        assert signal.values(candidates) == {}
    assert NameMatch().reason(candidates, 0) == OwnerMatch().reason(candidates, 0) == ""


@pytest.mark.parametrize("weight", [1.0, 6.0])
def test_strength_is_the_place_between_the_last_and_the_best_of_a_lane(weight: float) -> None:
    lanes = [
        ranked("bm25", PUT, CACHE, TEST, scores=(10.0, 6.0, 2.0)),
        ranked("embedding", PUT, MAKE, scores=(0.9, 0.5)),
        ranked("graph", OTHER, scores=(7.0,)),
    ]
    candidates = pool(evidence("x"), *lanes, weight=weight)
    unit = candidates.unit
    assert given(Strength(), candidates) == pytest.approx({PUT.id: 0.8 * unit, CACHE.id: 0.2 * unit})
    assert reason(Strength(), candidates, PUT) == (
        f"0.4 · {unit:.4g} (the best fused score) · [(10 − 2)/(10 − 2) in bm25 + (0.9 − 0.5)/(0.9 − 0.5) in embedding]"
    )
    assert given(Strength(), pool(evidence("x"), ranked("bm25", PUT, CACHE, scores=(3.0, 3.0)))) == {}
    assert given(Strength(), pool(evidence("x"))) == {}


@pytest.mark.parametrize("weight", [1.0, 6.0])
def test_sections_of_texts_come_after_code(weight: float) -> None:
    lanes = ranked("bm25", GUIDE, PUT, PAGE)
    assert given(Section(), pool(evidence("x"), lanes, weight=weight)) == {GUIDE.id: -weight / 2, PAGE.id: -weight / 2}
    asked_for = pool(evidence("the readme"), lanes, weight=weight)
    assert given(Section(), asked_for) == {GUIDE.id: -weight / 4, PAGE.id: -weight / 4}
    assert reason(Section(), asked_for, GUIDE) == "it is part of a text, not a definition"


class WholeFiles:
    """A lane that gives whole files the shares of a table."""

    def __init__(self, table: Mapping[str, float]) -> None:
        self._table = table

    def files_containing(self, tokens: Any, files: Any, n_files: int) -> Any:
        paths = CATALOG.chunk_files()[0]
        assert len(paths) == n_files
        return np.array([self._table[path] for path in paths])


def test_lines_outside_of_definitions_come_after_them_unless_a_name_is_asked_for() -> None:
    """In a relation the signal is silent: a call outside of all functions is a call."""
    fused = rrf([ranked("graph", MODULE, PUT)], {}, 1)
    for question, first in (
        ("where is a row kept?", PUT),
        ("row_cache", MODULE),
        ("who calls put_row?", MODULE),
    ):
        answer = rerank(fused, evidence(plan(question)), (OutsideDefinitions(),))
        assert answer[0].chunk_id == ID[first.id], question
    assert reason(OutsideDefinitions(), pool(evidence("a row"), ranked("bm25", MODULE)), MODULE)


def test_whole_files_raise_their_hits() -> None:
    table = dict.fromkeys(CATALOG.chunk_files()[0], 0.0) | {PUT.path: 0.75, TEST.path: 0.5}
    about = replace(evidence("x"), text_of_files=WholeFiles(table))
    candidates = pool(about, ranked("bm25", PUT, CACHE, TEST))
    unit = candidates.unit
    assert given(FileCoverage(), candidates) == pytest.approx(
        {PUT.id: 0.3 * unit, CACHE.id: 0.3 * unit, TEST.id: 0.2 * unit}
    )
    assert reason(FileCoverage(), candidates, TEST).startswith(f"0.4 · {unit:g} (the best fused score) · 0.5, the part")
    assert given(FileCoverage(), pool(evidence("x"), ranked("bm25", PUT, TEST))) == {}  # no lane knows files
    assert given(FileCoverage(), pool(about)) == {}


# --------------------------------------------------------------------------- together


def test_of_equals_the_earlier_is_a_files_best_and_what_no_lane_found_has_no_hit() -> None:
    flat = rrf([ranked("bm25", PUT), ranked("graph", CACHE)], {}, 1)
    candidates = Pool(flat, evidence("x"))
    assert candidates.best_of_files() == {"lib/cache.py": 0}
    entered = candidates.enter(ID[TEST.id])
    assert (entered, candidates.contributions(entered)) == (2, ())
    assert candidates.contributions(1) == flat[1].contributions
    assert Strength().reason(candidates, entered) == ""


def many(count: int, lanes: int = 1) -> tuple[Catalog, list[Ranking]]:
    symbols = [make_symbol(f"m.name_{number}", path=f"m{number}.py") for number in range(count)]
    catalog = make_catalog(symbols, [make_chunk(symbol, text="x") for symbol in symbols])
    ids = [chunk.id for chunk in catalog.chunks]
    names = ("bm25", "embedding", "graph")[:lanes]
    return catalog, [Ranking(lane, tuple(Hit(i, n, 1.0) for n, i in enumerate(ids[at::lanes], 1)))
                     for at, lane in enumerate(names)]  # fmt: skip


def test_many_ties_keep_the_order_of_ranks_and_lanes() -> None:
    catalog, rankings = many(60, lanes=3)
    fused = rrf(rankings, {}, 5)
    expected = [hits[n].chunk_id for n in range(20) for hits in [ranking.hits for ranking in rankings]]
    assert [hit.chunk_id for hit in fused] == expected
    flat = FUSIONS["min-max"].fuse(rankings, {}, 5, {})  # all scores are 1
    assert [hit.chunk_id for hit in flat] == expected
    about = Evidence(plan("zzz"), catalog, Words(catalog))
    assert [hit.chunk_id for hit in rerank(flat, about, ())] == expected
    assert [hit.chunk_id for hit in rerank(flat, about, (NameMatch(),), top_k=7)] == expected[:7]


@pytest.mark.parametrize("weight", [0.01, 1.0, 50.0])
@pytest.mark.parametrize("top_k", [1, 3, 8])
def test_what_could_still_come_first_is_looked_at(weight: float, top_k: int) -> None:
    """A name far down that the question says comes up, whatever the scores' size."""
    symbols = [make_symbol(f"m.other_{number}", path=f"m{number}.py") for number in range(80)]
    symbols[55] = make_symbol("m.put_row_back", path="m55.py", signature="def put_row_back(row)")
    catalog = make_catalog(symbols, [make_chunk(symbol, text="x") for symbol in symbols])
    ranking = Ranking("bm25", tuple(Hit(c.id, n, 80.0 - n) for n, c in enumerate(catalog.chunks, 1)))
    for rrf_k in (1, 60, 2_000):
        fused = rrf([ranking], {"bm25": weight}, rrf_k)
        about = Evidence(plan("put the row back"), catalog, Words(catalog))
        signals = (NameMatch(), OwnerMatch(), Strength())
        assert rerank(fused, about, signals, top_k=top_k) == rerank(fused, about, signals)[:top_k]


def test_signals_about_words_are_silent_on_relations_and_likeness_the_others_go_on() -> None:
    fused = rrf([ranked("graph", PUT, GUIDE)], {}, 1)
    signals = (NameMatch(), Section())
    related = replace(plan("put a row"), kind="related")
    for question, silent in ((plan("put a row"), False), (related, True), (plan("who calls put_row?"), True)):
        answer = rerank(fused, evidence(question), signals)
        told = {adjustment.signal for hit in answer for adjustment in hit.adjustments}
        assert told == ({"text section"} if silent else {"name match", "text section"})


def test_a_list_for_a_reason_is_cut_behind_four() -> None:
    assert listed("abcd") == "a, b, c, d"
    assert listed("abcde") == "a, b, c, d and 1 more"
    assert listed("ab", 1) == "a and 1 more"
    assert listed("") == ""


def test_a_module_is_called_like_its_file() -> None:
    words = Words(CATALOG)
    names = [words.names_at(CATALOG.chunk_row(ID[symbol.id]))[0] for symbol in (MODULE, PUT)]
    assert [name and name.name for name in names] == ["row_cache", "put_row"]


def test_fusions_of_others_take_weights() -> None:
    lanes = [ranked("bm25", PUT, TEST), ranked("graph", PUT, scores=(0.5,))]
    prior = {ID[PUT.id]: 1.0}
    found = {hit.chunk_id: hit for hit in FUSIONS["lexical-ppr"].fuse(lanes, {"bm25": 4.0}, 60, prior)}
    assert [c.value for c in found[ID[PUT.id]].contributions] == [4.0, 0.0]
    shown = {hit.chunk_id: hit.score for hit in FUSIONS["rrf-pagerank"].fuse(lanes[:1], {"bm25": 3.0}, 9, prior)}
    assert shown == pytest.approx({ID[PUT.id]: 0.33, ID[TEST.id]: 3 / 11})


def test_a_constructor_is_credited_once_with_the_name_of_its_class() -> None:
    """The lanes find its class's name in its own name, its qualified name and its signature: signals add nothing."""
    about = evidence("where does the cache keep a key?")
    candidates = pool(about, ranked("bm25", NEW, PUT, CACHE))
    assert NEW.id not in given(NameMatch(), candidates)
    assert CACHE.id in given(NameMatch(), candidates)
    assert NEW.id not in given(OwnerMatch(), candidates)
    assert PUT.id in given(OwnerMatch(), candidates)


def test_a_method_outside_of_its_type_belongs_to_the_type(tmp_path: Path) -> None:
    (tmp_path / "cache.h").write_text("class Cache {\n public:\n  Cache();\n  ~Cache();\n  int put(int row);\n};\n")
    bodies = "Cache::Cache() { open(); }\nCache::~Cache() { close(); }\nint Cache::put(int row) { return row; }\n"
    (tmp_path / "store.cc").write_text('#include "cache.h"\n' + bodies)
    catalog = Workspace(tmp_path, cache=False, workers=0, progress=lambda *_: None).catalog
    words = Words(catalog)
    rows = {chunk.symbol: row for row, chunk in enumerate(catalog.chunks) if chunk.path == "store.cc"}
    owners = {catalog.symbol(symbol).name: words.names_at(row)[1] for symbol, row in rows.items() if symbol}
    assert {name: owner and owner.name for name, owner in owners.items() if name in ("Cache", "~Cache", "put")} == {
        "Cache": None,
        "~Cache": None,
        "put": "Cache",
    }
