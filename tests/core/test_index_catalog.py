"""Symbols are found by exact name, by suffix at a separator, by place; errors name what is near."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeexplore.index.catalog import Catalog
from codeexplore.index.qualified_names import name_parts
from codeexplore.syntax.analyse import analyse
from codeexplore.types import SourceFile
from codeexplore.types.errors import AmbiguousSymbol, SymbolNotFound
from tests.doubles import make_catalog, make_symbol


def catalog(**files: str) -> Catalog:
    found = [analyse(SourceFile(f"{name}.py", "python", text, "")) for name, text in files.items()]
    return make_catalog([s for f in found for s in f.facts.symbols], [c for f in found for c in f.chunks])


SESSIONS = """
class Session:
    def get(self):
        def inner():
            pass
        return inner

def validate_session():
    pass
"""
CACHE = """
class Cache:
    def get(self):
        pass
"""


@pytest.fixture(scope="module")
def two() -> Catalog:
    return catalog(sessions=SESSIONS, cache=CACHE)


def test_exact_and_suffix(two: Catalog) -> None:
    assert two.resolve("validate_session").fqn == "sessions.validate_session"
    assert two.resolve("sessions.validate_session").fqn == "sessions.validate_session"
    assert two.resolve("Session.get").fqn == "sessions.Session.get"
    assert two.resolve("Session::get()").fqn == "sessions.Session.get"
    assert two.resolve("sessions.py:sessions.Session").fqn == "sessions.Session"


def test_a_whole_name_in_a_test_does_not_hide_other_symbols_of_this_name() -> None:
    ours, test = make_symbol("crate::main", path="src/main.rs"), make_symbol("main", path="tests/a.c", language="c")
    alone = make_symbol("main", path="src/a.c", language="c")
    assert set(make_catalog([ours, test], []).find("main")) == {ours, test}
    assert make_catalog([ours, alone], []).find("main") == (alone,)


def test_a_suffix_ends_at_a_separator(two: Catalog) -> None:
    with pytest.raises(SymbolNotFound):
        two.resolve("session")
    with pytest.raises(SymbolNotFound):
        two.resolve("ession.get")


def test_ambiguity_lists_the_candidates_with_their_place(two: Catalog) -> None:
    with pytest.raises(
        AmbiguousSymbol, match=r"(?s)sessions\.Session\.get.*sessions\.py:3.*cache\.Cache\.get"
    ) as caught:
        two.resolve("get")
    assert set(caught.value.candidates) == {"sessions.py:sessions.Session.get", "cache.py:cache.Cache.get"}


def test_an_unknown_name_lists_the_nearest(two: Catalog) -> None:
    with pytest.raises(SymbolNotFound, match=r"sessions\.validate_session") as caught:
        two.resolve("validate_sesion")
    assert caught.value.nearest[0] == "sessions.validate_session"


def test_a_redefinition_means_the_last_one() -> None:
    found = catalog(m="def f(): return 1\ndef f(): return 2\n")
    assert found.resolve("f").line == 2


def test_a_definition_wins_over_what_it_contains_and_a_source_over_its_stub() -> None:
    facts = analyse(SourceFile("pkg/run.py", "python", "class run:\n    def run(self): pass\n", "")).facts
    found = make_catalog(facts.symbols, [])
    assert found.resolve("run").kind == "class"
    assert [symbol.kind for symbol in found.find("run")] == ["module", "class", "method"]
    stub = analyse(SourceFile("n.pyi", "python", "def f() -> int: ...\n", ""))
    source = analyse(SourceFile("n.py", "python", "def f():\n    return 1\n", ""))
    both = make_catalog([*stub.facts.symbols, *source.facts.symbols], [])
    assert both.resolve("f").path == "n.py"


def test_at_finds_the_innermost_symbol(two: Catalog) -> None:
    found = two.at("sessions.py", 5)
    assert found is not None
    assert found.name == "inner"
    assert two.at("sessions.py", 999) is None
    assert two.at("nowhere.py", 1) is None


def test_a_symbol_without_a_chunk_is_answered_by_the_one_around_it(two: Catalog) -> None:
    chunk = two.chunk_for("sessions.py:sessions.Session.get.inner")
    assert chunk is not None
    assert chunk.symbol == "sessions.py:sessions.Session.get"


def test_prefixes_for_completion(two: Catalog) -> None:
    assert two.names_with_prefix("val") == ("validate_session",)
    assert "get" in two.names_with_prefix("")


def test_a_path_is_found_by_its_name_not_by_a_part_of_it(two: Catalog) -> None:
    assert two.paths() == ("cache.py", "sessions.py")
    assert two.find_paths("cache.py") == ("cache.py",)
    assert two.find_paths("ache.py") == ()


@given(
    st.lists(st.text("abc_", min_size=1, max_size=4), min_size=1, max_size=5),
    st.sampled_from([".", "::", "/", "#", "->"]),
)
def test_name_parts_joins_back(parts: list[str], separator: str) -> None:
    assert name_parts(separator.join(parts)) == tuple(parts)


def test_a_package_of_many_files_is_meant_by_its_own_file() -> None:
    paths = ("internal/queue/journal.go", "internal/queue/memory.go", "internal/queue/queue.go")
    symbols = [
        symbol
        for path in paths
        for symbol in analyse(SourceFile(path, "go", "package queue\nfunc f() {}\n", "")).facts.symbols
    ]
    assert make_catalog(symbols, []).resolve("internal/queue").path == "internal/queue/queue.go"
    assert make_catalog(symbols[:4], []).resolve("internal/queue").path == "internal/queue/journal.go"


def test_two_packages_of_one_name_are_two_candidates() -> None:
    places = [("a/queue/a.go", "a"), ("a/queue/b.go", "b"), ("b/queue/c.go", "c")]
    facts = [analyse(SourceFile(path, "go", f"package queue\nfunc {name}() {{}}\n", "")) for path, name in places]
    both = make_catalog([symbol for each in facts for symbol in each.facts.symbols], [])
    assert both.resolve("a/queue").path == "a/queue/a.go"
    with pytest.raises(AmbiguousSymbol) as told:
        both.resolve("queue")
    assert [both.symbol(each).path for each in told.value.candidates] == ["a/queue/a.go", "b/queue/c.go"]


def test_overloads_share_file_and_qualified_name(two: Catalog) -> None:
    put, get = "def put():\n    pass\n", "def get():\n    pass\n"
    twice = catalog(one=put + put, other=put + get)
    first, second, other = twice.find("put")
    (single,) = twice.find("get")
    assert twice.overloads([second, other, first, single]) == [(first,), (), (second,), ()]
    assert two.overloads([]) == []


@given(st.lists(st.sampled_from(["a", "b", "a.b", "b.a"]), max_size=8))
def test_overloads_are_what_a_look_through_the_file_finds(names: list[str]) -> None:
    placed = [make_symbol(f"m.{name}", path=f"m{number % 2}.py") for number, name in enumerate(names)]
    symbols = [replace(symbol, id=f"{symbol.id}#{number}") for number, symbol in enumerate(placed)]
    every = make_catalog(symbols, [])
    looked = [tuple(o for o in every.in_file(s.path) if o.fqn == s.fqn and o.id != s.id) for s in symbols]
    assert every.overloads(symbols) == looked
