"""Answers about the whole graph as text, Markdown, HTML, frames and JSON, hostile names included."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from codeexplore import Workspace
from codeexplore.answers import (
    CommunitiesAnswer,
    CyclesAnswer,
    DeadCodeAnswer,
    EntryPointsAnswer,
    HubsAnswer,
    ModulesAnswer,
    WhyAnswer,
)
from codeexplore.answers.data import Exports, frame
from codeexplore.answers.html.writer import MAX_ROWS, shown_html
from codeexplore.answers.show import shown_text
from codeexplore.answers.shown import Listing
from codeexplore.graph.records import (
    Because,
    Community,
    Cycle,
    DeadCandidate,
    Entry,
    Hub,
    ModuleEdge,
    ModuleNode,
    SourceLine,
    Why,
)
from codeexplore.types import CallPath, Edge, Site, Unresolved
from codeexplore.types.errors import QuestionError
from tests.answers import HOSTILE, symbols_of
from tests.core.test_html_pages import only_ours
from tests.doubles import make_catalog


def listings(names: tuple[str, ...]) -> list[Listing[Any]]:
    """One listing of each kind over three symbols."""
    symbols = symbols_of(names)
    a, b, c = (symbol.id for symbol in symbols[:3])
    catalog = make_catalog(symbols, ())
    site = (Site(symbols[0].path, 3),)
    edges = (Edge(a, b, "CALLS", "call", "scope", 1.0, site), Edge(b, a, "CALLS", "call", "self", 1.0, site))
    cycle = Cycle("CALLS", (a, b, c), CallPath((a, b, a), edges))
    nodes = (ModuleNode(names[0], 3, 1), ModuleNode(names[1], 1, 1))
    return [
        CyclesAnswer((cycle,), catalog, recursive=(c,)),
        HubsAnswer((Hub(a, 1.0, 3, 4, 2), Hub(b, 0.5, 0, 1, 1)), catalog),
        ModulesAnswer((ModuleEdge(names[0], names[1], 3, {"CALLS": 2, "USES": 1}),), catalog, nodes=nodes),
        CommunitiesAnswer((Community(names[0], (a, b, c), (a,), 0.75, {names[1]: 3}),), catalog),
        DeadCodeAnswer((DeadCandidate(a, "unused", (f"nothing uses {names[0]}",), 4),), catalog),
        EntryPointsAnswer((Entry(a, "script", f"pyproject.toml starts it as {names[0]}"),), catalog),
    ]


def why_answer(names: tuple[str, ...]) -> WhyAnswer:
    symbols = symbols_of(names)
    a, b, c = (symbol.id for symbol in symbols[:3])
    edge = Edge(a, b, "CALLS", "call", "scope", 1.0, (Site(symbols[0].path, 3),), in_test=True)
    back = Edge(b, a, "USES", "read", "scope", 0.4, ())
    line = SourceLine(symbols[0].path, 3, f"    {names[1]}()")
    path = CallPath((a, c, b), (Edge(a, c, "CALLS", "call", "scope", 1.0), Edge(b, c, "OVERRIDES", "x", "self", 1.0)))
    unresolved = (Unresolved(a, names[1], names[2], "call", Site(symbols[0].path, 9)),)
    why = Why(
        a, b, "edge", f"{names[0]} calls {names[1]}", (Because(edge, "because", (line,)),), (Because(back, "b", ()),),
        (path,), None, unresolved,
    )  # fmt: skip
    return WhyAnswer(why, make_catalog(symbols, ()))


@pytest.mark.parametrize("listing", listings(("app.one", "app.two", "app.three")), ids=lambda each: type(each).__name__)
def test_each_shows_itself_everywhere(listing: Listing[Any]) -> None:
    text = repr(listing)
    assert text.startswith(listing.headline)
    assert shown_text(listing).startswith(listing.headline)
    assert shown_html(listing).count("<tr") >= 1 + len(listing)
    assert listing.to_markdown().startswith("## `")
    assert len(listing.to_frame()) == len(listing) == len(list(listing))
    plain = json.loads(listing.to_json())
    assert plain["schema"] == 1
    assert len(plain["items"]) == len(listing)
    assert listing[0] == listing[:1][0]
    assert isinstance(listing, Exports) == isinstance(listing, CyclesAnswer | ModulesAnswer)
    if isinstance(listing, Exports):  # the others have no edges
        assert listing.to_igraph().ecount() == len(listing.network().arcs) > 0
    for row in listing.rows():
        assert len(row.cells) == len(listing.columns)


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t=", " =", "＝"])
def test_no_text_of_a_frame_is_a_formula(start: str) -> None:
    names = (f"{start}cmd|' /C calc'!A0", "app.two", "app.three")
    frames = [answer.to_frame() for answer in (*listings(names), why_answer(names))]
    cells = [cell for each in frames for row in each.to_numpy() for cell in row if isinstance(cell, str)]
    assert any("cmd" in cell for cell in cells)
    assert not [cell for cell in cells if cell.strip()[:1] in set("=+-@＝")]
    assert "app.two" in set(listings(names)[1].to_frame()["fqn"])
    assert list(frame(("n", "gain"), [(-1, "-2"), (2, "x")])["n"]) == [-1, 2]


def test_headlines_count() -> None:
    cycles, hubs, modules, groups, dead, entries = listings(("app.one", "app.two", "app.three"))
    assert cycles.headline == "1 cycle of calls; 1 function calls itself"
    assert "also in it: app.three" in repr(cycles)
    assert hubs.headline == "The 2 most central symbols"
    assert modules.headline == "2 files, 1 dependency between them"
    assert groups.headline == "1 community of 3 symbols"
    assert dead.headline == "1 function or type without a known use: 1 with no sign of use"
    assert entries.headline == "1 entry point: script 1"
    assert dead.only("exported").headline == "No unused function or type was found"
    assert len(dead.only("unused")) == len(entries.only("script")) == 1
    assert groups.of(dead.symbols[0]) == groups[0]
    assert groups.of("nowhere") is None


@pytest.mark.parametrize("number", range(len(HOSTILE)))
def test_hostile_names_stay_text(number: int) -> None:
    names = HOSTILE[number:] + HOSTILE[:number]
    for listing in listings(names):
        assert only_ours(shown_html(listing))
        assert "\x1b" not in repr(listing)
        assert "\u202e" not in listing.to_markdown()
        if isinstance(listing, Exports):
            listing.to_dot(), listing.to_mermaid(), listing.to_graphml()
    answer = why_answer(names)
    assert only_ours(shown_html(answer))
    assert "\x1b" not in repr(answer)
    assert "\u202e" not in answer.to_markdown()


def test_long_listings_are_folded_and_counted() -> None:
    symbols = symbols_of(tuple(f"app.f{n}" for n in range(200)))
    catalog = make_catalog(symbols, ())
    listing = DeadCodeAnswer(tuple(DeadCandidate(s.id, "unused", (), 1) for s in symbols), catalog)
    assert "and 150 more" in repr(listing)
    assert f"{200 - MAX_ROWS} more" in shown_html(listing)
    assert len(shown_html(listing)) < 400_000


def test_why_shows_its_lines_everywhere() -> None:
    answer = why_answer(("app.one", "app.two", "app.three"))
    for shown in (repr(answer), answer.to_markdown(), shown_html(answer)):
        assert "because (rule scope, call, confidence 1.00, in a test)" in shown
        assert "in the other direction" in shown.lower()
    steps = [line.split()[:2] for line in repr(answer).splitlines() if line.startswith("   ")]
    assert [step for step in steps if step[0] in "→←"] == [["→", "app.three"], ["←", "app.two"]]


def test_a_workspace_answers_and_refuses(webshop) -> None:
    assert webshop.cycles().of == "calls"
    assert webshop.cycles("imports").items[0].kind == "IMPORTS"
    assert len(webshop.hubs(3)) == 3
    assert {item.kind for item in webshop.entry_points()} <= {"main", "script", "module", "registered"}
    assert {item.kind for item in webshop.dead_code("exported")} == {"exported"}
    assert webshop.modules(1).level == "1"
    assert webshop.communities() == webshop.communities()
    for call, said in (
        (lambda: webshop.cycles("classes"), "unknown kind of cycle 'classes'; known: calls, imports"),
        (lambda: webshop.entry_points(("door",)), "unknown kind 'door'"),
        (lambda: webshop.dead_code(("old",)), "known: unused, dynamic"),
        (lambda: webshop.hubs(0), "top_k must be a whole number"),
        (lambda: webshop.modules("planet"), "unknown level 'planet'; known: file, folder"),
        (lambda: webshop.callers("luhn_valid", min_confidence=2), "min_confidence must be a number from 0 to 1"),
        (lambda: webshop.callers("luhn_valid", kinds=("SHOUTS",)), "unknown kind of edge 'SHOUTS'"),
        (lambda: webshop.callers("luhn_valid", kinds=()), "kinds is empty"),
        (lambda: webshop.callers("luhn_valid", direction="up"), "unknown direction 'up'"),
        (lambda: webshop.callers("luhn_valid", top_k=0), "top_k must be a whole number"),
        (lambda: webshop.paths("main", "luhn_valid", min_confidence=-1), "min_confidence"),
    ):
        with pytest.raises(QuestionError, match=re.escape(said)):
            call()


def test_walks_take_their_options(webshop) -> None:
    everyone = webshop.callers("Money", depth=3)
    assert all(not symbol.path.startswith("tests/") for symbol in webshop.callers("Money", depth=3, tests=False))
    assert {symbol.id for symbol in webshop.callers("Money", min_confidence=1.0)} <= {symbol.id for symbol in everyone}
    up = webshop.subclasses("CardGateway", direction="out")
    assert [symbol.name for symbol in up] == ["PaymentGateway"]
    assert up.headline.startswith("1 supertype of")
    users = webshop.callers("Money", kinds=("USES",))
    assert {edge.kind for edge in users.edges} == {"USES"}
    assert (
        webshop.path("Storefront.checkout", "luhn_valid").paths
        == webshop.paths("Storefront.checkout", "luhn_valid").paths[:1]
    )
    over = webshop.overrides("PaymentGateway.validate")
    assert {symbol.name for symbol in over} == {"validate"}
    answer = webshop.impact("luhn_valid")
    for symbol in answer:
        path = answer.path_to(symbol)
        assert (path.symbol_ids[0], path.symbol_ids[-1]) == (answer.seeds[0].id, symbol.id)
        assert len(path.edges) == len(path.symbol_ids) - 1
    assert answer.tests
    assert all(test.path.startswith("tests/") for test in answer.tests)
    assert webshop.impact("luhn_valid", tests=False).tests == ()
    assert "reach it" in repr(answer)


def test_the_headline_of_dead_code_counts_what_it_does_not_list(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def _errorf(text): pass\n\n\ndef _spare(): pass\n")
    (tmp_path / "b.py").write_text("import log\n\nlog.made()._errorf('x')\n")
    (tmp_path / "C.java").write_text("class C {\n    C() { }\n}\n")
    ws = Workspace(tmp_path, workers=0, cache=False)
    dead = ws.dead_code()
    assert dead.headline == (
        "2 functions and types without a known use: 2 with no sign of use; "
        "1 more of the kind `mentioned`, whose names are used elsewhere"
    )
    assert [symbol.name for symbol in ws.dead_code(["mentioned"]).symbols] == ["_errorf"]
    assert "more" not in ws.dead_code(["mentioned"]).headline
    assert {item.reasons[0] for item in dead} == {"nothing uses it, and its name occurs nowhere else"}


def test_dead_code_says_which_files_it_does_not_search(tmp_path: Path) -> None:
    (tmp_path / "main.go").write_text("package main\n\nfunc main() {}\n")
    (tmp_path / "test").mkdir()
    (tmp_path / "test" / "tab.go").write_text("package main\n\nfunc Load() int { return 1 }\n")
    headline = Workspace(tmp_path, workers=0, cache=False).dead_code().headline
    assert headline == "No unused function or type was found; symbols in tests are left out"
