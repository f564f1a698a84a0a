"""Uses of constants through the type or module that holds them, in every language that has such."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeexplore.syntax.analyse import analyse
from codeexplore.types import SourceFile
from tests.graph_sources import edges, graph_of
from tests.resolved import Resolved

PYTHON = {
    "app/limits.py": "MAX = 3\nclass Bounds:\n    LOW = 1\n    DEFAULT = None\n",
    "app/use.py": """
from app import limits
from app.limits import Bounds
def module(): return limits.MAX
def member(x): return x > Bounds.LOW
def through(): Bounds.DEFAULT.check()
def value(bounds: Bounds): return bounds.LOW
""",
}
JAVA = {
    "a/Scope.java": "package a; class Scope { static final int EMPTY = 1; static Scope ONE; enum Kind { A } }",
    "a/User.java": """package a; class User {
        int member(int top) { if (top == Scope.EMPTY) return 1; return 0; }
        void through() { Scope.ONE.toString(); }
        Object variant() { return Scope.Kind.A; } }""",
}
RUST = {
    "src/lib.rs": """enum Color { Red } struct K;
impl K { const LIMIT: u32 = 3; }
fn member() -> u32 { K::LIMIT }
fn variant() -> Color { Color::Red }
"""
}
TYPESCRIPT = {
    "m.ts": "enum Color { Red }\nclass K { static LIMIT = 3 }\nfunction member() { return [K.LIMIT, Color.Red] }"
}


@pytest.mark.parametrize(
    ("files", "source", "used"),
    [
        (PYTHON, "use.py:module", ["limits.py:MAX"]),
        (PYTHON, "use.py:member", ["limits.py:Bounds", "limits.py:Bounds.LOW"]),
        (PYTHON, "use.py:through", ["limits.py:Bounds", "limits.py:Bounds.DEFAULT"]),
        (PYTHON, "use.py:value", ["limits.py:Bounds", "limits.py:Bounds.LOW"]),
        (JAVA, "User.java:User.member", ["Scope.java:Scope", "Scope.java:Scope.EMPTY"]),
        (JAVA, "User.java:User.through", ["Scope.java:Scope", "Scope.java:Scope.ONE"]),
        (JAVA, "User.java:User.variant", ["Scope.java:Scope", "Scope.java:Scope.Kind", "Scope.java:Scope.Kind.A"]),
        (RUST, "lib.rs:member", ["lib.rs:K", "lib.rs:K::LIMIT"]),
        (TYPESCRIPT, "m.ts:member", ["m.ts:Color", "m.ts:Color.Red", "m.ts:K", "m.ts:K.LIMIT"]),
    ],
)
def test_constants_of_types_and_modules_are_used(files: dict[str, str], source: str, used: list[str]) -> None:
    made = Resolved(files)
    assert sorted(target for user, target in made.pairs("USES") if user == source) == used


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("a.py", "class Box:\n    @classmethod\n    def of(cls): return cls()\n\ndef go():\n    return Box.of()\n"),
        ("A.java", "class Box { static Box of() { return null; } }\nclass A { Box go() { return Box.of(); } }\n"),
        ("a.rb", "class Box\n  def self.of\n    1\n  end\nend\ndef go\n  Box.of\nend\n"),
        ("a.rs", "struct Box1;\nimpl Box1 { fn of() -> u8 { 1 } }\nfn go() -> u8 { Box1::of() }\n"),
        ("a.php", "<?php\nclass Box { static function of() { return 1; } }\nfunction go() { return Box::of(); }\n"),
        ("a.cs", "class Box { static int Of() => 1; }\nclass A { int go() { return Box.Of(); } }\n"),
    ],
)
def test_a_type_is_used_where_a_member_is_called_through_it(path: str, source: str) -> None:
    used = {
        (user.rpartition(".")[2][-2:], target.rpartition(":")[2])
        for user, target in Resolved({path: source}).pairs("USES")
    }
    assert any(user == "go" and target.endswith(("Box", "Box1")) for user, target in used)


def test_constants_of_a_go_package_are_used(tmp_path: Path) -> None:
    made = Resolved(
        {
            "go.mod": "module example.org/app\n",
            "limits/limits.go": "package limits\n\nconst Max = 3\n\nvar Default = 1\n",
            "main.go": 'package main\n\nimport "example.org/app/limits"\n\nfunc run() int { return limits.Max + '
            "limits.Default }\n",
        },
        tmp_path,
    )
    used = sorted(target for user, target in made.pairs("USES") if user == "main.go:run")
    assert used == ["limits.go:Default", "limits.go:Max"]


@pytest.mark.parametrize(
    "used",
    ["return (o as Text).fallback;", "(o as Text).fallback = 'x';", "if ((<Text>o).fallback) { g(o); }"],
)
def test_a_member_of_what_is_cast_is_used(used: str) -> None:
    text = (
        "export interface Text { fallback?: string }\nexport interface Other { initial?: string }\n"
        f"export function ask(o: Text | Other) {{ {used} }}\nexport function g(o: unknown) {{}}\n"
    )
    graph = graph_of({"a.ts": text})
    assert edges(graph, "USES")["a.ask", "a.Text.fallback"].certainty == "likely"


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("m.go", 'package m\ntype Box struct { kept map[string]int }\nfunc put(b *Box) { b.kept["a"] = 1 }\n'),
        ("m.go", "package m\ntype Box struct { kept []int }\nfunc put(b *Box) { b.kept[0], _ = 1, 2 }\n"),
        ("Box.java", "class Box { int[] kept; static void put(Box b) { b.kept[0] = 1; } }"),
        ("src/lib.rs", "struct Box { kept: [i32; 4] }\nfn put(b: &mut Box) { b.kept[0] = 1; }\n"),
        ("m.ts", "class Box { kept: number[] = [] }\nfunction put(b: Box) { b.kept[0] = 1 }\n"),
    ],
)
def test_a_member_of_which_an_element_is_set_is_used(path: str, source: str) -> None:
    used = [target for user, target in Resolved({path: source}).pairs("USES") if user.endswith("put")]
    assert any(target.endswith("kept") for target in used)


def test_a_keyword_that_makes_a_record_uses_the_field_of_its_name() -> None:
    text = """
from dataclasses import dataclass
from pydantic import BaseModel
@dataclass
class Point:
    x: int
    y: int = 0
    def __post_init__(self): self.check(self.y)
@dataclass(init=False)
class Own:
    x: int
    def __init__(self, x): pass
class Base(BaseModel): pass
class Model(Base):
    width: int
class Plain:
    x = 1
def made(n, found): found.append(Point(x=n + 1, y=f(n), z=n))
def own(n): return Own(x=n), Plain(x=n), f(x=n)
def model(n): return Model(width=-n)
"""
    pairs = sorted(Resolved({"m.py": text}).pairs("USES"))
    fields = [target[5:] for source, target in pairs if source in ("m.py:made", "m.py:own", "m.py:model")]
    assert [field for field in fields if "." in field] == ["Point.x", "Point.y", "Model.width"]


def test_code_in_other_code_that_never_runs_does_not_end_it() -> None:
    text = "int f() { return sizeof(sizeof(1 + one()) + two()) + run(); }\n"
    facts = analyse(SourceFile("a.c", "c", text, "")).facts
    kinds = {row.path: row.kind for row in facts.references if row.path in ("one", "two", "run")}
    assert kinds == {"one": "name", "two": "name", "run": "call"}
