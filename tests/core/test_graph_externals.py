"""Names outside the repository: who uses them, how they are found, and that nobody sees them unasked."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeexplore import Filters, SymbolNotFound, Workspace
from codeexplore.graph import queries
from codeexplore.graph.external import named, with_externals, with_prefix
from codeexplore.graph.model import CodeGraph
from codeexplore.index.qualified_names import EXTERNAL
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
    assert beyond.catalog.symbols[:count] == graph.catalog.symbols[:]
    assert list(beyond.edges)[: len(graph.edges)] == list(graph.edges)
    for symbol in beyond.catalog.symbols[count:]:
        assert (symbol.kind, symbol.path, symbol.line) == ("external", "", 0)
        assert graph.catalog.symbol(symbol.id) == symbol
        assert not graph.catalog.has_symbol(symbol.id)
        assert graph.catalog.chunk_for(symbol.id) is None
    assert all(edge.sites for edge in list(beyond.edges)[len(graph.edges) :])


# --------------------------------------------------------------------------- on a workspace


def test_a_workspace_takes_outside_names_as_targets(webshop: Workspace) -> None:
    answer = webshop.uses("json.dumps")
    assert {symbol.path for symbol in answer} == {"webshop/storage/jsonfile.py"}
    assert "json.dumps" in answer.headline
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


def test_imports_of_outside_names_are_answered(webshop: Workspace) -> None:
    assert {symbol.path for symbol in webshop.imports("json")} == {"webshop/storage/jsonfile.py"}
    found = webshop.imports("dataclasses.dataclass")
    assert found
    assert {edge.kind for edge in found.edges} == {"IMPORTS"}
    assert all(
        "dataclass" in webshop.source(edge.sites[0].path).split("\n")[edge.sites[0].line - 1] for edge in found.edges
    )


def test_what_nobody_uses_is_told(webshop: Workspace) -> None:
    with pytest.raises(SymbolNotFound, match=r"no symbol is called 'requests\.get'"):
        webshop.callers("requests.get")
    with pytest.raises(SymbolNotFound, match=r"nothing here uses the outside name 'requests\.get'"):
        webshop.callers("external:requests.get")
    with pytest.raises(SymbolNotFound, match=r"Used from outside: json\.dumps"):
        webshop.callers("orjson.dumps")


def test_search_answers_questions_about_outside_names(webshop: Workspace) -> None:
    answer = webshop.search("who uses json.dumps here?")
    assert answer.plan.relation == "uses"
    assert [seed.symbol_id for seed in answer.plan.seeds] == [EXTERNAL + "json.dumps"]
    assert answer[0].path == "webshop/storage/jsonfile.py"
    assert any("`json.dumps` is outside this repository" in notice for notice in answer.notices)
    assert "json.dumps" in repr(answer.explain(1))
    assert len(webshop.search("who calls json.dumps?", filters=Filters(paths=("tests/**",)), lanes=("graph",))) == 0


FORMS = {
    "a.py": """
        from requests import get as fetch
        import os.path as p, json
        import xml.etree.ElementTree as ET
        import requests
        from collections import OrderedDict
        class S(requests.Session):
            conn = json
            def run(self):
                fetch("x")
                p.join("a")
                ET.parse("f").getroot()
                j = self.conn
                j.dumps(1)
                s = requests.Session()
                s.get("u")
                print(s)
                self.get("v")
                g = requests.get
                g(1)
                cb(requests.post)
                return OrderedDict()
        @requests.hook
        def f(x: requests.Response) -> "OrderedDict": x.json()
        isinstance(1, OrderedDict); print(file=p)
        """,
    "a.ts": """
        import React, { useState as state } from 'react'
        import * as fs from 'node:fs'
        import type { Config } from 'vite'
        import axios = require('axios')
        const { join: j } = require('path')
        export class Box extends React.Component implements Config {
          load(c: Config) {
            state(1)
            fs.promises.readFile('x')
            axios.get('y').then(r => r.data)
            j('a')
            const s = React.useMemo(() => 1)
            return s.foo
          }
        }
        """,
    "a.go": """
        package a

        import (
            . "math"
            log "github.com/sirupsen/logrus"
            "net/http"
        )

        type Server struct{ http.Handler }

        func f(w http.ResponseWriter) error {
            log.WithField("a", 1).Info("x")
            c := http.Client{}
            r, err := c.Get("u")
            _ = Sqrt(2)
            defer r.Body.Close()
            g := http.Error
            g(w, "", 1)
            return err
        }
        """,
    "A.java": """
        package a;
        import java.util.*;
        import static java.util.Objects.requireNonNull;
        import com.google.common.collect.ImmutableList;
        class A extends AbstractList<String> implements Runnable {
          private final ImmutableList<String> all = ImmutableList.of();
          public void run() {
            requireNonNull(all);
            List<String> l = new ArrayList<>();
            l.add("x");
            l.forEach(System.out::println);
            Map.Entry<String, String> e = null;
            all.asList();
          }
        }
        """,
    "src/lib.rs": """
        use std::collections::HashMap as Map;
        use serde::{Serialize, de::{self, Deserializer}};
        use std::io;
        #[derive(Serialize)]
        pub struct A { m: Map<String, u32> }
        impl io::Write for A { fn flush(&mut self) -> io::Result<()> { Ok(()) } }
        pub fn f(a: &A) -> io::Result<()> {
            let m: Map<u8, u8> = Map::new();
            m.get(&1);
            std::mem::swap(1, 2);
            de::Error::custom("x");
            io::stdin().lock();
            a.m.len();
            Ok(())
        }
        """,
}
USED = [
    ("a.py", "requests.get", {1, 9, 18, 19}), ("a.py", "os.path.join", {10}), ("a.py", "json.dumps", {13}),
    ("a.py", "xml.etree.ElementTree.parse", {11}), ("a.py", "requests.Session", {6, 14, 15, 17}),
    ("a.py", "requests.post", {20}), ("a.py", "collections.OrderedDict", {5, 21, 23, 24}),
    ("a.py", "requests.hook", {22}), ("a.py", "os.path", {2, 10, 24}),
    ("a.ts", "react.useState", {1, 8}), ("a.ts", "react.useMemo", {12}), ("a.ts", "fs.promises.readFile", {9}),
    ("a.ts", "axios.get", {10}), ("a.ts", "path.join", {5, 11}), ("a.ts", "vite.Config", {3, 6, 7}),
    ("a.ts", "react.Component", {6}), ("a.go", "github.com/sirupsen/logrus.WithField", {12}),
    ("a.go", "net/http.Client.Get", {14}), ("a.go", "net/http.Error", {17, 18}), ("a.go", "net/http.Handler", {9}),
    ("A.java", "java.util.Objects.requireNonNull", {3, 8}), ("A.java", "java.util.ArrayList", {9}),
    ("A.java", "java.util.AbstractList", {5}), ("A.java", "java.lang.System.out.println", {11}),
    ("A.java", "com.google.common.collect.ImmutableList.of", {6}), ("A.java", "java.lang.Runnable", {5}),
    ("src/lib.rs", "std::collections::HashMap", {1, 5, 8, 9, 13}), ("src/lib.rs", "std::mem::swap", {10}),
    ("src/lib.rs", "serde::de::Error::custom", {11}), ("src/lib.rs", "std::io::Write", {6}),
]  # fmt: skip


@pytest.mark.parametrize(("path", "name", "lines"), USED)
def test_every_form_of_import_leads_outside(path: str, name: str, lines: set[int]) -> None:
    graph = graph_of({path: FORMS[path]})
    wanted = set(named(graph, name))
    found = {use.site & 0xFFFFFFFF for use in graph.externals if use.name in wanted}
    assert found == {line + 1 for line in lines}


BELOW = {
    "app/adapters.py": """
        import argparse
        from requests.adapters import HTTPAdapter
        class Adapter(HTTPAdapter): pass
        class Cached(Adapter): pass
        class Parser(
            argparse.ArgumentParser,
        ): pass
        def mount(): return HTTPAdapter()
        """,
    "src/lib.rs": "mod shown;\n\n\npub struct Theme;\npub fn f(shown: impl std::fmt::Display) {}\n",
    "src/shown.rs": "use std::fmt;\nuse crate::Theme;\nimpl fmt::Display for Theme {}\n",
    "src/View.java": "import java.util.*;\nclass View extends AbstractList<String> implements Runnable { }\n",
}


@pytest.mark.parametrize(
    ("relation", "name", "expected"),
    [
        ("subclasses", "HTTPAdapter", {"Adapter": ("EXTENDS", "app/adapters.py:4"), "Cached": ("", "")}),
        ("subclasses", "argparse.ArgumentParser", {"Parser": ("EXTENDS", "app/adapters.py:7")}),
        ("implementors", "fmt::Display", {"Theme": ("IMPLEMENTS", "src/shown.rs:3")}),
        ("subclasses", "AbstractList", {"View": ("EXTENDS", "src/View.java:2")}),
        ("implementors", "java.lang.Runnable", {"View": ("IMPLEMENTS", "src/View.java:2")}),
    ],
)
def test_types_below_a_type_outside(relation: str, name: str, expected: dict[str, tuple[str, str]]) -> None:
    graph = graph_of(BELOW)
    beyond = with_externals(graph)
    answer = queries.walk(beyond, relation, [EXTERNAL + each for each in named(graph, name)])
    assert {beyond.catalog.symbol(r.symbol_id).name for r in answer.reached if r.depth} == set(expected)
    assert answer.verdict is not None
    assert answer.verdict.kind == "found"
    for edge in answer.edges:
        if edge.target.startswith(EXTERNAL):
            where = f"{edge.sites[0].path}:{edge.sites[0].line}"
            assert (edge.kind, where) == expected[beyond.catalog.symbol(edge.source).name]


def test_a_name_outside_is_called_or_read() -> None:
    source = "import json\ndef f(): json.loads('1')\ndef g(): return json.loads\ndef h(x=json.loads): x(1)\n"
    graph = with_externals(graph_of({"m.py": source, "tests/test_m.py": "import json\njson.loads('')\n"}))
    found = {
        (edge.source.rpartition(".")[2], edge.kind, edge.manner, edge.in_test)
        for edge in graph.edges if edge.target == "external:json.loads"
    }  # fmt: skip
    assert found == {
        ("f", "CALLS", "call", False), ("g", "USES", "read", False), ("h", "CALLS", "call", False),
        ("py:m", "USES", "read", False), ("test_m", "CALLS", "call", True),
    }  # fmt: skip


def test_a_long_subclass_of_an_outside_type_is_certain_in_whichever_part_it_is_found(tmp_path: Path) -> None:
    methods = "".join(f"    def step_{number}(self):\n        return {number}\n\n" for number in range(120))
    other = "".join(f"    emitter_{number} = 'Emitter'\n" for number in range(40))
    (tmp_path / "shop.py").write_text(f"from events import Emitter\n\n\nclass Shop(Emitter):\n{methods}{other}")
    ws = Workspace(tmp_path, workers=0, cache=False)
    answer = ws.search("what extends Emitter?")
    found = answer[0]
    assert found.chunk.id == ws.catalog.chunks_of("shop.py:shop.Shop")[-1].id  # not the part that the graph shows
    assert found.role == "subclass"
    assert found.call_path is not None
    assert found.call_path.edges[-1].confidence == 1.0
    assert answer.explain(1).hit is found
