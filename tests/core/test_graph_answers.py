"""Numbers and words of answers, to the letter: what a limit left out, whom a name means, how overrides come about."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeexplore import Workspace
from codeexplore.graph import queries
from codeexplore.graph.usage.dead_code import DeadCode
from tests.graph_sources import calls, graph_of, standings_of


@pytest.mark.parametrize(("limit", "reached", "cut"), [(2, 2, 3), (5, 5, 0), (9, 5, 0)])
def test_what_a_limit_leaves_out_is_counted(limit: int, reached: int, cut: int) -> None:
    graph = graph_of({"m.py": "def core(): pass\n" + "".join(f"def f{n}(): core()\n" for n in range(5))})
    answer = queries.walk(graph, "callers", ["m.py:m.core"], limit=limit)
    assert (len(answer.reached) - 1, answer.cut) == (reached, cut)


@pytest.mark.parametrize(
    ("number", "words"),
    [(1, "nothing uses it, and its name occurs nowhere else"),
     (2, "nothing uses it; everywhere else its name means the other definition"),
     (3, "nothing uses it; everywhere else its name means one of 2 other definitions")],
)  # fmt: skip
def test_what_nothing_uses_says_whom_its_name_means(number: int, words: str) -> None:
    sources = {f"m{n}.go": f"package m{n}\n\nfunc spare() {{}}\n" for n in range(number)}
    for n in range(1, number):
        sources[f"m{n}.go"] += "\nfunc Use() { spare() }\n"
    usage_evidence = standings_of(sources)
    (found,) = DeadCode(usage_evidence.graph, usage_evidence).found(("unused",))
    assert (found.symbol_id, found.reasons) == ("m0.go:m0.spare", (words,))


def test_what_runs_when_its_type_is_loaded_is_not_dead() -> None:
    usage_evidence = standings_of({"A.java": "public class A {\n static { go(); }\n private static void go() {}\n}\n"})
    assert DeadCode(usage_evidence.graph, usage_evidence).found(("unused",)) == ()


def test_an_override_is_one_by_its_definition() -> None:
    source = "class A:\n    def m(self): pass\nclass B(A):\n    def m(self): pass\n"
    edge = calls(source, "OVERRIDES")["m.B.m", "m.A.m"]
    assert (edge.manner, edge.rule, [site.line for site in edge.sites]) == ("definition", "self", [4])


def test_who_calls_an_overload_calls_the_function_with_the_body(tmp_path: Path) -> None:
    source = "function f(a: string): string;\nfunction f(a: any) { return a; }\nexport function use() { f('x'); }\n"
    (tmp_path / "a.ts").write_text(source)
    ws = Workspace(tmp_path, workers=0, cache=False)
    for target in ("f", "a.ts:1", ws.symbol("a.ts:1"), "a.ts:2"):
        assert [symbol.name for symbol in ws.callers(target)] == ["use"]
    assert not ws.dead_code(["unused"])
