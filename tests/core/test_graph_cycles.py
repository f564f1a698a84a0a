"""Which cycles are shown first, by which way, and what of the edges counts."""

from __future__ import annotations

import pytest

from codeexplore.graph.model import CodeGraph
from codeexplore.graph.surveys import Cycles
from tests.graph_sources import graph_of


def ring(*names: str) -> str:
    return "".join(f"def {a}(): {b}()\n" for a, b in zip(names, (*names[1:], names[0]), strict=True))


def members(graph: CodeGraph, **more: bool) -> list[list[str]]:
    return [[each.rpartition(".")[2] for each in cycle.members] for cycle in Cycles(graph, **more).found()]


def way(graph: CodeGraph, kind: str = "CALLS") -> list[str]:
    (cycle,) = Cycles(graph, kind).found()
    assert [(e.source, e.target) for e in cycle.path.edges] == list(
        zip(cycle.path.symbol_ids, cycle.path.symbol_ids[1:], strict=False)
    )
    return [each.rpartition(".")[2] for each in cycle.path.symbol_ids]


def test_the_largest_come_first_then_the_more_important() -> None:
    users = "".join(f"def user{n}(): b1()\n" for n in range(5))
    graph = graph_of({"m.py": ring("a0", "a1") + ring("b0", "b1") + ring("c0", "c1", "c2") + users})
    assert [set(part) for part in members(graph)] == [{"c0", "c1", "c2"}, {"b0", "b1"}, {"a0", "a1"}]
    assert members(graph)[1] == ["b1", "b0"]  # who is called most comes first, and the way begins there


def test_equals_stay_in_the_order_of_the_files() -> None:
    graph = graph_of({"b.py": ring("x", "y"), "a.py": ring("u", "v")})
    assert members(graph) == [["x", "y"], ["u", "v"]]


def test_the_way_is_a_shortest_one() -> None:
    source = "def a():\n    b()\n    d()\ndef b(): c()\ndef c(): a()\ndef d():\n    a()\n" + "".join(
        f"def user{n}(): a()\n" for n in range(5)
    )
    assert way(graph_of({"m.py": source})) == ["a", "d", "a"]


def test_of_equally_short_ways_the_first_definition_leads() -> None:
    source = "def a():\n    c()\n    b()\ndef b(): a()\ndef c(): a()\n" + "".join(
        f"def user{n}(): a()\n" for n in range(5)
    )
    assert way(graph_of({"m.py": source})) == ["a", "b", "a"]


def test_symbols_that_call_themselves_the_more_important_first() -> None:
    users = "".join(f"def user{n}(): late()\n" for n in range(5))
    graph = graph_of({"m.py": "def early(): early()\ndef late(): late()\ndef plain(): early()\n" + users})
    cycles = Cycles(graph)
    assert [each.rpartition(".")[2] for each in cycles.recursive()] == ["late", "early"]
    assert cycles.found() == ()  # one alone is no cycle


def test_each_step_shows_its_surest_edge() -> None:
    source = """
        class A:
            def run(self): other()
        def other(a: A = None): a.run()
        """
    (cycle,) = Cycles(graph_of({"m.py": source})).found()
    assert len(cycle.path.edges) == 2
    imports = graph_of({"p/a.py": "from p.b import f\ndef g(): pass\n", "p/b.py": "from p.a import g\ndef f(): pass\n"})
    (cycle,) = Cycles(imports, "IMPORTS").found()
    surest = {}
    for edge in imports.edges:
        if edge.kind == "IMPORTS":
            pair = edge.source.partition(":")[0], edge.target.partition(":")[0]
            surest[pair] = max(surest.get(pair, 0.0), edge.confidence)
    shown = {(e.source.partition(":")[0], e.target.partition(":")[0]): e.confidence for e in cycle.path.edges}
    assert shown == surest


def test_tests_and_guesses_count_when_asked_for() -> None:
    sources = {"m.py": ring("a", "b"), "tests/test_m.py": ring("test_c", "d")}
    assert members(graph_of(sources)) == [["a", "b"], ["test_c", "d"]]
    assert members(graph_of(sources), tests=False) == [["a", "b"]]
    guessed = graph_of({"m.py": "class A:\n    def zap_all(self): go(1)\ndef go(x): x.zap_all()\n"})
    assert Cycles(guessed, minimum=0.9).found() == ()
    assert len(Cycles(guessed, minimum=0.0).found()) == 1


def test_a_module_that_imports_itself_is_no_cycle() -> None:
    graph = graph_of({"p/a.py": "from p.a import f\nimport p.b\ndef f(): pass\n", "p/b.py": "x = 1\n"})
    cycles = Cycles(graph, "IMPORTS")
    assert (cycles.found(), cycles.recursive()) == ((), ())


@pytest.mark.parametrize(("minimum", "number"), [(0.999, 1), (1.0, 1), (1.01, 0)])
def test_the_minimum_itself_is_sure_enough(minimum: float, number: int) -> None:
    graph = graph_of({"m.py": "class A:\n    def a(self): self.b()\n    def b(self): self.a()\n"})
    assert {edge.confidence for edge in graph.edges if edge.kind == "CALLS"} == {1.0}
    assert len(Cycles(graph, minimum=minimum).found()) == number
