"""What a call may mean by its name alone: which definitions are offered, and which never could be meant."""

from __future__ import annotations

import pytest

from codeexplore.graph import queries
from tests.graph_sources import calls, edges, graph_of

HIDDEN = "package b;\nclass Other { public void go(int x) {} }\n"
FACE = "package a;\ninterface Face { void go(int x); }\nclass Use { void run(Face f) { f.go(1); } }\n"


@pytest.mark.parametrize(
    ("face", "path", "other", "meant"),
    [
        (FACE, "b/Other.java", HIDDEN, False),  # neither sees the other
        (FACE, "a/Other.java", "package a;\nclass Other { public void go(int x) {} }\n", True),
        (FACE, "b/Other.java", HIDDEN + "public class Heir extends Other {}\n", True),  # an heir may implement it
        (FACE.replace("interface", "public interface"), "b/Other.java", HIDDEN, True),
        (FACE, "a/Other.java", "package a;\nfinal class Other { public void go(int x) {} }\n", False),
        (FACE, "a/Other.java", "package a;\nclass Other { public void go(int x, int y) {} }\n", False),
        (FACE, "a/Other.java", "package a;\ninterface Other { void go(int x); }\n", False),
    ],
)  # fmt: skip
def test_who_may_stand_for_an_interface_that_nobody_implements(face: str, path: str, other: str, meant: bool) -> None:
    found = edges(graph_of({"a/Face.java": face, path: other}))
    package = path.partition("/")[0]
    assert found["a.Use.run", "a.Face.go"].confidence == pytest.approx(0.9)
    assert (("a.Use.run", f"{package}.Other.go") in found) == meant


def test_too_many_are_no_answer() -> None:
    def source(number: int) -> str:
        return "".join(f"class C{n}:\n    def zap_it(self): pass\n" for n in range(number)) + "def f(x): x.zap_it()\n"

    for number in (1, 2, 3):
        found = {target: edge for (start, target), edge in calls(source(number)).items() if start == "m.f"}
        assert sorted(found) == [f"m.C{n}.zap_it" for n in range(number)]
        assert all(edge.confidence <= 0.5 for edge in found.values())
    assert [pair for pair in calls(source(4)) if pair[0] == "m.f"] == []


@pytest.mark.parametrize("name", ["get", "__len__", "append"])
def test_names_that_built_in_types_have_say_nothing(name: str) -> None:
    assert calls(f"class C:\n    def {name}(self): pass\ndef f(x): x.{name}()\n") == {}


def test_a_receivers_method_is_no_function() -> None:
    assert calls("def zap_it(): pass\ndef f(x): x.zap_it()\n") == {}


@pytest.mark.parametrize(
    ("body", "rule"),
    [("raise NotImplementedError", "override"), ("raise NotImplementedError('later')", "override"),
     ("return 1", "override-below"), ("raise ValueError", "override-below")],
)  # fmt: skip
def test_a_method_that_only_refuses_is_there_to_be_overridden(body: str, rule: str) -> None:
    source = f"class B:\n    def m(self): {body}\nclass C(B):\n    def m(self): pass\ndef f(b: B): b.m()\n"
    assert calls(source)["m.f", "m.C.m"].rule == rule


def test_a_value_that_may_be_absent_is_tested_for_that() -> None:
    source = """
        class B:
            def __bool__(self): return True
            def own(self):
                if self: pass
        def given(b: B):
            if b: pass
        """
    found = calls(source)
    assert found["m.B.own", "m.B.__bool__"].rule == "implicit"
    assert found["m.given", "m.B.__bool__"].rule == "optional"


def test_the_surest_of_what_is_possible_comes_first() -> None:
    source = """
        class A:
            def early(self, x): x.zap_all()
            def zap_all(self): pass
            def own(self): self.zap_all()
        class D:
            def zap_all(self): pass
        def typed(a: A): a.zap_all()
        def guessed(x): x.zap_all()
        """
    answer = queries.walk(graph_of({"m.py": source}), "callers", ["m.py:m.A.zap_all"], minimum=1.1)
    assert [each.source.rpartition(".")[2] for each in answer.possible] == ["own", "typed", "early", "guessed"]
    assert queries.walk(graph_of({"m.py": source}), "callers", ["m.py:m.A.zap_all"], minimum=0.0).possible == ()


# --------------------------------------------------------------------------- the questions by depth


def test_uses_and_imports_by_depth() -> None:
    graph = graph_of({
        "base.py": "LIMIT = 3\n", "mid.py": "import base\ndef near(): return base.LIMIT\n",
        "top.py": "import mid\ndef far(): return mid.near\n",
    })  # fmt: skip

    def names(answer: object) -> list[tuple[str, int]]:
        return [(each.symbol_id.partition(":")[2], each.depth) for each in answer.reached[1:]]  # type: ignore[attr-defined]

    limit, module = ["base.py:base.LIMIT"], ["base.py:base"]
    assert names(queries.walk(graph, "uses", limit)) == [("mid.near", 1)]
    assert names(queries.walk(graph, "uses", limit, depth=2)) == [("mid.near", 1), ("top.far", 2)]
    assert names(queries.walk(graph, "imports", module)) == [("mid", 1)]
    assert names(queries.walk(graph, "imports", module, depth=2)) == [("mid", 1), ("top", 2)]


@pytest.mark.parametrize(
    ("body", "method", "rule"),
    [
        ("return str(b)", "__str__", "type"), ("return f'{b}'", "__str__", "shown"),
        ("for x in b: pass", "__iter__", "type"), ("return 1 in b", "__contains__", "type"),
    ],
)  # fmt: skip
def test_what_the_language_calls_is_as_sure_as_the_type_where_only_such_a_value_fits(
    body: str, method: str, rule: str
) -> None:
    methods = "".join(f"    def {name}(self, *x): pass\n" for name in ("__str__", "__iter__", "__contains__"))
    assert calls(f"class B:\n{methods}def f(b: B):\n    {body}\n")["m.f", f"m.B.{method}"].rule == rule


@pytest.mark.parametrize(("number", "confidence"), [(16, 0.65), (17, 0.5)])
def test_of_very_many_values_beside_a_surer_one_each_is_a_guess(number: int, confidence: float) -> None:
    functions = "".join(f"def f{n}(): pass\nrun(f{n})\n" for n in range(number))
    taking = "(given=None):\n    chosen = given or f0\n    chosen()\n"
    found = calls(f"{functions}def run{taking}def other{taking}other(f5)\n")
    assert found["m.run", "m.f0"].rule == "scope"
    assert found["m.run", "m.f5"].confidence == pytest.approx(confidence)


HUB = "def fire(call): call()\n" + "".join(f"def f{n}(): pass\nfire(f{n})\n" for n in range(12))


@pytest.mark.parametrize(
    ("path", "text", "rule"),
    [
        ("other.py", "", "flow-only"),
        ("other.py", "from m import f5\ndef again(): f5()\n", "many"),
        ("tests/test_m.py", "from m import f5\ndef test_f5(): f5()\n", "flow-only"),
    ],
)
def test_the_only_call_that_may_run_a_function_is_likely(path: str, text: str, rule: str) -> None:
    found = edges(graph_of({"m.py": HUB, path: text}))
    assert found["m.fire", "m.f5"].rule == rule


def test_the_name_of_a_decorated_function_does_not_call_it() -> None:
    kept = "def kept(f):\n    def run(): return f()\n    return run\n"
    functions = "".join(f"@kept\ndef f{n}(): pass\ndef g{n}(): f{n}()\n" for n in range(6))
    found = calls(kept + functions)
    assert found["m.g5", "m.f5"].rule == "decorated"
    assert found["m.kept.run", "m.f5"].rule == "flow-only"


TEMPLATE = """
class Base:
    def run(self):
        self.step()
        self.hook()
    def step(self): pass
    def hook(self): pass
class One(Base):
    def step(self): pass
class Two(Base):
    def step(self): pass
    def hook(self): pass
class Three(Two):
    def hook(self): pass
def use(base: Base): base.step()
"""


def test_an_overriding_method_that_only_its_template_calls_is_likely() -> None:
    found = calls(TEMPLATE)
    assert found["m.Base.run", "m.One.step"].rule == "override-self"  # `use` may call it, too
    assert found["m.Base.run", "m.Three.hook"].rule == "override-only"
    assert found["m.Base.run", "m.Two.hook"].rule == "override-below"  # nothing may make a class with subclasses
    assert found["m.Base.run", "m.Base.hook"].rule == "self-overridden"  # One inherits it


def test_a_method_of_the_own_class_that_each_last_subclass_replaces_is_possible() -> None:
    assert calls(TEMPLATE)["m.Base.run", "m.Base.step"].rule == "self-replaced"
    assert calls(TEMPLATE + "class Four(Base): pass\n")["m.Base.run", "m.Base.step"].rule == "self-overridden"


def test_the_only_call_of_a_method_that_the_known_class_lacks_is_likely() -> None:
    source = "class A:\n    def go(self): self.sub()\nclass B(A):\n    def sub(self): pass\n"
    assert calls(source)["m.A.go", "m.B.sub"].rule == "lacking-only"
    assert calls(source + "def use(b: B): b.sub()\n")["m.A.go", "m.B.sub"].rule == "lacking"
