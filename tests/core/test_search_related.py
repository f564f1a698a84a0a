"""Symbols like a symbol, and names that were mistyped."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeexplore import Filters, QuestionError, Workspace
from codeexplore.text.similar_names import Spelling, most_similar
from codeexplore.types import Chunk


def test_the_target_and_what_it_holds_are_left_out(webshop: Workspace) -> None:
    cart = webshop.symbol("Cart")
    answer = webshop.related("Cart", top_k=50, timeout=60)
    assert answer.plan.kind == "related"
    assert {ranking.lane for ranking in answer.rankings} == {"embedding", "graph"}
    inside = [h for h in answer if h.path == cart.path and cart.span.start_line <= h.start_line <= cart.span.end_line]
    assert inside == []
    assert any(hit.name == "webshop.cart.CartLine" for hit in answer[:5])


def test_where_nothing_else_is_nothing_is_like_it(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Alone\nwords\n")
    answer = Workspace(tmp_path).related("a.md:1")
    assert (answer.hits, answer.notices) == ((), ("There is nothing else to rank.",))


@pytest.mark.parametrize("form", ["name", "place", "symbol", "chunk", "hit"])
def test_any_form_of_target_gives_the_same_answer(webshop: Workspace, form: str) -> None:
    symbol = webshop.symbol("Cart.validate")
    target = {
        "name": "Cart.validate",
        "place": f"{symbol.path}:{symbol.line}",
        "symbol": symbol,
        "chunk": webshop.catalog.chunks_of(symbol.id)[0],
        "hit": next(hit for hit in webshop.search("Cart.validate") if hit.symbol == symbol),
    }[form]
    assert webshop.related(target, timeout=60).result.hits == webshop.related(symbol, timeout=60).result.hits


def test_a_chunk_without_a_symbol_will_do(webshop: Workspace) -> None:
    lone = next((chunk for chunk in webshop.catalog.chunks if chunk.symbol is None), None)
    if lone is None:
        lone = webshop.catalog.chunks[0]
    assert isinstance(lone, Chunk)
    assert lone.id not in {hit.chunk.id for hit in webshop.related(lone, timeout=60)}


def test_every_rank_of_a_likeness_is_explained(webshop: Workspace) -> None:
    answer = webshop.related("Cart.validate", top_k=20, timeout=60)
    for hit in answer:
        why = answer.explain(hit.rank)
        assert why.score == sum(lane.value for lane in why.lanes) + sum(a.value for a in why.adjustments)
        assert all(abs(lane.rounding) <= 1e-6 for lane in why.lanes)
    assert any(pair.value for lane in answer.explain(1).lanes for pair in lane.pairs)


def test_filters_and_options_hold(webshop: Workspace) -> None:
    answer = webshop.related("Cart", filters=Filters(kinds=("class",), tests=False), top_k=30)
    assert {hit.kind for hit in answer} == {"class"}
    assert webshop.related("Cart", lanes=("embedding",), timeout=60).rankings[0].lane == "embedding"
    assert (
        webshop.related("Cart", top_k=3, timeout=60).result.hits
        == webshop.related("Cart", top_k=30, timeout=60).result.hits[:3]
    )
    with pytest.raises(QuestionError, match=r"'smell'.*bm25"):
        webshop.related("Cart", lanes=("smell",), timeout=60)
    with pytest.raises(QuestionError, match=r"'sum'.*rrf"):
        webshop.related("Cart", fusion="sum", timeout=60)


def test_filters_take_single_strings_and_titles(webshop: Workspace) -> None:
    one = webshop.search("cart", filters=Filters(paths="webshop/cart.py", languages="Python", kinds="method"))  # type: ignore[arg-type]
    assert one
    assert {(hit.path, hit.kind) for hit in one} == {("webshop/cart.py", "method")}


# --------------------------------------------------------------------------- typing errors

NAMES = ["load_session", "drop_expired", "HTTPConnection", "Store", "get", "Session", "handle_request", "login"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("load_sesion", "load_session"),
        ("laod_session", "load_session"),
        ("loadSession", "load_session"),
        ("HTTPConnecton", "HTTPConnection"),
        ("httpconection", "HTTPConnection"),
        ("handel_reqest", "handle_request"),
        ("Sesion", "Session"),
        ("logn", "login"),
    ],
)
def test_a_name_with_one_or_two_errors_is_found(typed: str, meant: str) -> None:
    found = Spelling(NAMES).nearest(typed)
    assert found is not None
    assert found.name == meant


@pytest.mark.parametrize("typed", ["gte", "Shop", "load_user", "request", "connection", "", "___", "zebra"])
def test_other_names_are_no_misspellings(typed: str) -> None:
    assert Spelling(NAMES).nearest(typed) is None


def test_nothing_is_near_where_nothing_is() -> None:
    assert Spelling([]).nearest("load_session") is None
    assert Spelling(["___"]).nearest("load_session") is None


@given(st.lists(st.text(min_size=1, max_size=12), max_size=8), st.text(max_size=12))
def test_any_script_may_be_spelt(names: list[str], typed: str) -> None:
    found = Spelling(names).nearest(typed)
    assert found is None or (found.name in names and 0 < found.similarity <= 1)
    assert set(most_similar(typed, names, 3)) <= set(names)
