"""Numbers and words of answers, to the letter: what a limit left out, whom a name means, how overrides come about."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeexplore import Workspace
from codeexplore.answers.show import shown_text
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
     (2, "nothing uses it; elsewhere its name only occurs as that of the other definition"),
     (3, "nothing uses it; elsewhere its name only occurs as that of one of 2 other definitions")],
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


def test_edges_to_all_meanings_of_a_name_are_told_once_a_line(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(
        "class A:\n    @property\n    def key(self): return 1\n    @key.setter\n    def key(self, value): pass\n"
        "def use(a: A):\n    print(a.key)\n    a.key = 2\n"
    )
    (tmp_path / "B.java").write_text("class B {\n void f(int a) {}\n void f(B b) {}\n void g() { f(1); f(this); }\n}\n")
    ws = Workspace(tmp_path, cache=False)
    told = {
        each.fqn: [site.line for edge in answer.incoming().of(reached) for site in edge.sites]
        for answer in (ws.uses("A.key"), ws.callers("B.f"))
        for each, reached in zip(answer.symbols, answer.reached, strict=True)
    }
    assert sorted(told["m.use"]) == [7, 8]
    assert told["B.g"] == [4]


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


NAMES = {
    "app.py": """
class Base:
    def load(self): return 1
class Sub(Base):
    pass
class Other:
    def load(self): return 2
def one(): return Sub().load()
def main(): return other.main()
def hook(): return {"main": 1}
if __name__ == "__main__":
    main
"""
    + "".join(f"def user_{n}(): return one()\n" for n in range(30)),
    "app.go": "package app\nfunc main() {}\n",
}


@pytest.fixture
def named(tmp_path: Path) -> Workspace:
    for path, text in NAMES.items():
        (tmp_path / path).write_text(text)
    return Workspace(tmp_path, cache=False, workers=0, progress=lambda *_: None)


def test_an_inherited_member_is_said_to_be(named: Workspace) -> None:
    said = "`Sub.load` is inherited: it is `app.Base.load`"
    assert said in named.callers("Sub.load").notes
    assert f"{said}." in named.search("who calls Sub.load?").notices
    for owner in ("Base", "Other"):
        assert not any("inherited" in note for note in named.callers(f"{owner}.load").notes)


def test_a_member_that_a_type_has_not_is_said_to_be_looked_up_by_its_end(named: Workspace) -> None:
    first, second = named.search("who calls Sub.one?").notices[1:3]
    assert first == "No symbol is called `Sub.one`, so only its end was looked up: `one`."
    assert "Sub.one" not in second


def test_a_ranked_answer_says_how_many_of_the_relation_it_leaves_out(named: Workspace) -> None:
    asked = "who calls one?"
    assert "20 more from the call graph not listed; a higher top_k (--top-k) lists them" in shown_text(
        named.search(asked, top_k=10)
    )
    assert "not listed" not in shown_text(named.search(asked, top_k=40))


def test_a_verdict_is_not_repeated_by_a_note(named: Workspace) -> None:
    answer = named.callers("app.go:2", min_confidence=1.0)
    assert answer.verdict is not None
    assert "a launcher calls it by its name" in answer.verdict.text
    assert not [note for note in answer.notes if "launcher" in note]


def test_possible_edges_to_overloads_of_one_name_are_one_row(tmp_path: Path) -> None:
    types = "class T { T(int a) {} T(String a) {} T(Long a) {} }\n"
    (tmp_path / "U.java").write_text(f"import x.Y;\n{types}class U {{ void f() {{ new T(Y.any()); }} }}\n")
    answer = Workspace(tmp_path, cache=False, workers=0, progress=lambda *_: None).uses("T")
    calls = [edge for edge in answer.possible if edge.kind == "CALLS"]
    assert len(calls) > 1
    rows = [line for line in shown_text(answer).splitlines() if "U.f → " in line]
    assert len(rows) == len({edge.kind for edge in answer.possible})
