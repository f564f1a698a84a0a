"""Awkward programs: rings, hierarchies wide, deep and crossed, broken files. Answers stay right, work stays bounded."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeexplore.graph import queries
from codeexplore.graph.build.resolve import resolve
from codeexplore.graph.model import CodeGraph
from codeexplore.graph.surveys import Cycles
from codeexplore.graph.traversal import PathSearch
from codeexplore.resolution.class_hierarchy import MAX_DESCENDANTS
from codeexplore.types import Edge, FileFacts
from tests.graph_shapes import SHAPES
from tests.graph_sources import edges, facts_of, graph_of, graph_of_facts
from tests.resolved import Resolved


def facts(name: str, number: int) -> list[FileFacts]:
    """The facts of a shape; manifests, which are no sources, are left out."""
    files = SHAPES[name][1](number)
    return facts_of({path: text for path, text in files.items() if not path.endswith((".mod", ".toml"))})


def shape(name: str, number: int) -> CodeGraph:
    """The graph of a shape."""
    return graph_of_facts(facts(name, number))


def calls(graph: CodeGraph, caller: str) -> dict[str, Edge]:
    """Resolved calls of one symbol, by the last parts of the callees' names."""
    return {
        callee.replace("::", ".").split("/")[-1].partition("#")[0]: edge
        for (source, callee), edge in edges(graph).items()
        if source.replace("::", ".").endswith(caller) and edge.confidence >= 0.6
    }


EXPECTED = [
    ("recursion", ".f3", ".f3"), ("recursion", ".f59", ".f0"), ("imports in a ring", ".own59", ".own1"),
    ("bases", ".use59", ".own59"), ("bases", ".use59", "B0.m"), ("chain", "C59.own59", "C59.m"),
    ("chain", "C59.m", "C58.m"), ("subclasses", ".use59", "Base.m"), ("ladder", "A60.m", "L59.m"),
    ("ladder", "L59.m", "R59.m"), ("conditional", ".use59", ".f"), ("recursion (TS)", ".f59", ".f0"),
    ("implementors (TS)", ".use59", "Store.put"), ("chain (TS)", "C59.m", "C58.m"),
    ("imports (JS)", "m59.own59", "m0.own0"),
    ("implementors (Go)", ".use59", "Store.Put"), ("interfaces (Go)", ".use59", "I59.M59"),
    ("implementors (Rust)", ".use59", "Store.put"), ("implementors (Rust)", ".use59", ".take59"),
    ("implementors (Java)", "Use.use59", "Store.put"), ("chain (Java)", "C59.m", "C58.m"),
    ("overloads (Java)", "Use.use59", "Use.put"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "caller", "callee"), EXPECTED)
def test_calls_in_awkward_shapes_are_known(name: str, caller: str, callee: str) -> None:
    found = calls(shape(name, 60), caller)
    assert [each for each in found if each.endswith(callee)], sorted(found)


def test_every_shape_is_expected_to_know_something() -> None:
    assert {name for name, *_ in EXPECTED} == set(SHAPES) - {"crossed"}


def test_bases_that_no_order_suits_are_looked_through_all_the_same() -> None:
    graph = shape("crossed", 12)
    assert any(callee.endswith("C11.m") for callee in calls(graph, "m"))


class Lines:
    """Counts the lines of Python that run: a measure of work that no other process disturbs."""

    def __init__(self) -> None:
        self.number = 0

    def __call__(self, _frame: FrameType, event: str, _what: Any) -> Lines:
        self.number += event == "line"
        return self


def work(name: str, number: int) -> int:
    """Lines run while a shape is resolved."""
    given, lines, before = facts(name, number), Lines(), sys.gettrace()
    sys.settrace(lines)
    try:
        resolve(given)
    finally:
        sys.settrace(before)
    return lines.number


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("recursion", 80),  # up to as many functions as a variable keeps, each of n variables may have n of them
        ("imports in a ring", 40),
        ("bases", 40),
        ("crossed", 40),
        ("recursion (TS)", 40),
        ("imports (JS)", 40),
    ],
)
def test_twice_as_much_is_about_twice_the_work(name: str, number: int) -> None:
    assert work(name, 2 * number) <= 2.6 * work(name, number)


@pytest.mark.parametrize("name", ["subclasses", "implementors (TS)", "implementors (Go)", "implementors (Java)"])
def test_a_thousand_implementors_do_not_multiply_with_a_thousand_calls(name: str) -> None:
    made = resolve(facts(name, 1000))
    assert 1000 * 10 <= len(made.edges) <= 1000 * (MAX_DESCENDANTS + 10)


def test_types_that_are_not_looked_through_are_told() -> None:
    below = "".join(f"class C{n}(Base):\n    def run(self): pass\n" for n in range(MAX_DESCENDANTS + 1))
    source = "class Base:\n    def run(self): pass\n" + below + "def use(each: Base): each.run()\n"
    (note,) = resolve(facts_of({"m.py": source})).notes
    assert note.startswith(f"python: more than {MAX_DESCENDANTS} types below m.Base; calls")
    fewer = source.replace(f"class C{MAX_DESCENDANTS}(Base)", "class Other")
    assert resolve(facts_of({"m.py": fewer})).notes == ()


def test_a_class_with_many_bases() -> None:
    """The nearest hundred are looked through. Of a thousand, the rest is told as left out, and nothing is invented."""
    found = calls(shape("bases", 90), ".use89")
    assert {callee.removeprefix("m.") for callee in found} == {"B89.own89", "B0.m"}
    graph = shape("bases", 1000)
    assert {callee.removeprefix("m.") for callee in calls(graph, ".use999")} <= {"B999.own999", "B0.m"}


def test_a_long_chain_of_classes() -> None:
    source = "class C0:\n    def first(self): pass\n" + "".join(f"class C{n}(C{n - 1}): pass\n" for n in range(1, 1000))
    graph = graph_of({"m.py": source + "def use(c: C90):\n    c.first()\n    c.missing()\n"})
    assert list(calls(graph, ".use")) == ["m.C0.first"]
    lowest = [symbol.id for symbol in graph.catalog.symbols if symbol.name == "C0"]
    assert queries.walk(graph, "subclasses", lowest).reached


@given(st.lists(st.booleans(), min_size=12, max_size=24), st.integers(0, 11))
@settings(max_examples=25, deadline=None)
def test_members_come_from_the_nearest_class_of_a_long_chain(defines: list[bool], asked: int) -> None:
    bodies = ["def m(self): pass" if each else f"def other{n}(self): pass" for n, each in enumerate(defines)]
    lines = [f"class C{n}({f'C{n - 1}' if n else ''}):\n    {body}\n" for n, body in enumerate(bodies)]
    uses = [f"def {name}(c: C{len(lines) - 1}, d: C{asked}): c.m(); d.m()\n" for name in ("use", "again")]
    graph = graph_of({"m.py": "".join([*lines, *uses])})
    nearest = [max((n for n in range(last + 1) if defines[n]), default=-1) for last in (len(lines) - 1, asked)]
    sure = {callee for callee, edge in calls(graph, ".use").items() if edge.confidence >= 0.9}
    assert sure == {f"m.C{n}.m" for n in nearest if n >= 0}


def test_a_ladder_of_two_hundred_diamonds() -> None:
    graph = shape("ladder", 200)
    assert set(calls(graph, "A200.m")) == {"m.L199.m"}
    assert set(calls(graph, "m.R199.m")) == {"m.A199.m"}


def test_questions_about_a_ring_and_a_ladder_end() -> None:
    ring, ladder = shape("recursion", 400), shape("ladder", 200)
    by_name = {symbol.fqn: symbol.id for symbol in ring.catalog.symbols}
    assert len(queries.walk(ring, "callers", [by_name["m.f0"]], depth=1000).reached) >= 200
    assert len(Cycles(ring).found()) == 1
    by_name = {symbol.fqn: symbol.id for symbol in ladder.catalog.symbols}
    assert PathSearch(ladder).paths_beside(by_name["m.A200.m"], by_name["m.A190.m"], limit=3)


BROKEN = {
    "a.py": """
        def before():
            target()

        def broken(:
            x = 3

        def target():
            y = = 4

        class A(

        def after():
            target()
        """,
    "a.js": """
        function before() { target() }

        function broken( {
          return [1, 2
        }

        function target() {}

        function after() { target() }
        """,
    "a.ts": """
        function before(): void { target() }

        let x: = <;

        function target(): void {}

        function after(): void { target() }
        """,
    "a.tsx": """
        function before() { target() }

        const x = <div></p>;

        function target() {}

        function after() { target() }
        """,
    "a.go": """
        package a

        func before() { target() }

        func broken( {
            x :=
        }

        func target() {}

        func after() { target() }
        """,
    "a.rs": """
        fn before() { target(); }

        fn broken( -> {
            let = 1;
        }

        fn target() {}

        fn after() { target(); }
        """,
    "A.java": """
        class A {
            void before() { target(); }

            int = ;

            void broken( { }

            void target() { }

            void after() { target(); }
        }
        """,
}


@pytest.mark.parametrize("path", BROKEN)
def test_what_stands_around_a_syntax_error_is_known(path: str) -> None:
    made = Resolved({path: BROKEN[path]})
    callers = {
        caller.replace(":", ".").rpartition(".")[2] for caller, callee in made.pairs() if callee.endswith("target")
    }
    assert callers >= {"before", "after"}


@pytest.mark.parametrize("path", BROKEN)
@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
def test_a_file_cut_off_anywhere_is_resolved(path: str, share: float) -> None:
    text = BROKEN[path]
    made = Resolved({path: text[: int(len(text) * share)]})
    assert made.symbols
