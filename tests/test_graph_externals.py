"""Names outside the repository: who uses them, how they are found, and that nobody sees them unasked."""

from __future__ import annotations

import pytest

from codeexplore import Filters, SymbolNotFound, Workspace
from codeexplore.catalog import EXTERNAL
from codeexplore.graph import queries
from codeexplore.graph.externals import named, with_externals, with_prefix
from codeexplore.graph.model import CodeGraph
from tests.graph_sources import graph_of

SOURCES = {
    "app/web.py": """
        import os.path
        import requests
        from requests import Session, post as send
        def fetch(url): return requests.get(url)
        def store(url): send(url)
        def both(url):
            fetch(url)
            return os.path.join(url, "x")
        def session():
            s = Session()
            return s.get("x")
        def get(x): return x
        """,
    "app/view.js": "import React, { useState } from 'react'\nexport function View() { useState(1); React.memo(1) }\n",
    "tests/test_web.py": "import requests\ndef test_it(): requests.get('x')\n",
}


@pytest.fixture(scope="module")
def graph() -> CodeGraph:
    return graph_of(SOURCES)


def users(graph: CodeGraph, *names: str, **options: object) -> set[str]:
    beyond = with_externals(graph)
    answer = queries.walk(beyond, "callers", [EXTERNAL + name for name in names], **options)
    return {beyond.catalog.symbol(r.symbol_id).name for r in answer.reached if r.depth}


def test_callers_of_an_outside_function(graph: CodeGraph) -> None:
    assert users(graph, "requests.get") == {"fetch", "test_it"}
    assert users(graph, "requests.get", tests=False) == {"fetch"}
    assert users(graph, "requests.get", depth=2) == {"fetch", "test_it", "both"}
    assert users(graph, "os.path.join") == {"both"}


def test_a_name_means_itself_or_all_below_it(graph: CodeGraph) -> None:
    assert named(graph, "requests.get") == ("requests.get",)
    below = named(graph, "requests")
    assert below[0] == "requests"
    assert {"requests.get", "requests.post", "requests.Session"} <= set(below)
    assert named(graph, "path.join") == ("os.path.join",)
    assert named(graph, "useState") == named(graph, "react.useState") == ("react.useState",)
    assert named(graph, "react.memo") == ("react.default.memo",)
    assert named(graph, "nosuch.thing") == named(graph, "") == ()
    assert named(graph, "requests::get") == ("requests.get",)
    assert "requests.get" in with_prefix(graph, "requests.g")
    assert with_prefix(graph, "zzz") == ()


def test_values_that_come_back_from_outside_are_no_names(graph: CodeGraph) -> None:
    assert not any(name.endswith("()") for name in named(graph, "requests"))


def test_they_are_hidden_unless_asked_for(graph: CodeGraph) -> None:
    seed = [graph.catalog.resolve("both").id]
    plain = queries.walk(graph, "callees", seed)
    assert [graph.catalog.symbol(r.symbol_id).name for r in plain.reached[1:]] == ["fetch"]
    shown = queries.walk(with_externals(graph), "callees", seed)
    assert {r.symbol_id for r in shown.reached[1:]} >= {EXTERNAL + "os.path.join"}


def test_the_repositorys_own_rows_stay(graph: CodeGraph) -> None:
    beyond = with_externals(graph)
    count = len(graph.catalog.symbols)
    assert beyond.catalog.symbols[:count] == graph.catalog.symbols
    assert beyond.edges[: len(graph.edges)] == graph.edges[:]
    for symbol in beyond.catalog.symbols[count:]:
        assert (symbol.kind, symbol.path, symbol.line) == ("external", "", 0)
        assert graph.catalog.symbol(symbol.id) == symbol
        assert not graph.catalog.has_symbol(symbol.id)
        assert graph.catalog.chunk_for(symbol.id) is None
    assert all(edge.sites for edge in beyond.edges[len(graph.edges) :])


# --------------------------------------------------------------------------- on a workspace


def test_a_workspace_takes_outside_names_as_targets(webshop: Workspace) -> None:
    answer = webshop.uses("json.dumps")
    assert {symbol.path for symbol in answer} == {"webshop/storage/jsonfile.py"}
    assert answer.headline.endswith("json.dumps")
    assert webshop.callers(answer.seeds[0]).seeds == answer.seeds
    assert {symbol.id for symbol in webshop.uses("collections")} >= {
        symbol.id for symbol in webshop.uses("defaultdict")
    }
    assert webshop.why("JsonFileRepository._flush", "json.dumps").why.verdict == "edge"
    assert len(webshop.paths("JsonFileRepository.add", "json.dumps")) > 0
    assert "json.dumps" in webshop.externals("json.")
    shown = webshop.callees("JsonFileRepository._flush", include_externals=True)
    assert "json.dumps" in [symbol.fqn for symbol in shown]
    assert all(symbol.kind != "external" for symbol in webshop.callees("JsonFileRepository._flush"))


def test_what_nobody_uses_is_told(webshop: Workspace) -> None:
    with pytest.raises(SymbolNotFound, match=r"no symbol is called 'requests\.get'"):
        webshop.callers("requests.get")
    with pytest.raises(SymbolNotFound, match=r"nothing here uses 'requests\.get' from outside"):
        webshop.callers("external:requests.get")
    with pytest.raises(SymbolNotFound, match=r"Used from outside: json\.dumps"):
        webshop.callers("orjson.dumps")


def test_search_answers_questions_about_outside_names(webshop: Workspace) -> None:
    answer = webshop.search("who uses json.dumps here?")
    assert answer.plan.relation == "uses"
    assert [seed.symbol_id for seed in answer.plan.seeds] == [EXTERNAL + "json.dumps"]
    assert answer[0].path == "webshop/storage/jsonfile.py"
    assert any("`json.dumps` lies outside this repository" in notice for notice in answer.notices)
    assert "json.dumps" in repr(answer.explain(1))
    assert len(webshop.search("who calls json.dumps?", filters=Filters(paths=("tests/**",)), lanes=("graph",))) == 0
