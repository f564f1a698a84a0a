"""Why one symbol uses another, and what is known when it does not."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from codeexplore import Workspace
from codeexplore.answers import WhyAnswer
from codeexplore.answers.wording import edge_words
from codeexplore.graph.build.rules import RULES, basis_of
from codeexplore.graph.explain_edge import explain
from tests.graph_sources import edges, graph_of

SOURCES = {
    "m.py": """
        class Base:
            def run(self): pass
            @property
            def size(self): return 1
        class Child(Base):
            def run(self): super().run()
        class Many(Base):
            def run(self): pass
        def go(base: Base):
            base.run()
            return base.size
        def make(): return Child()
        def start(): go(make())
        def guess(x): x.only_here()
        class Odd:
            def only_here(self): pass
            def common(self): pass
        class Even:
            def common(self): pass
        class Third:
            def common(self): pass
        class Fourth:
            def common(self): pass
        def unsure(x): x.common()
        def lonely(): pass
        def loop(): loop()
        """,
}


@pytest.fixture(scope="module")
def answers():  # a function of two names
    graph = graph_of(SOURCES)
    text = dedent(SOURCES["m.py"])

    def ask(source: str, target: str) -> WhyAnswer:
        ids = [graph.catalog.resolve(f"m.{name}").id for name in (source, target)]
        return WhyAnswer(explain(graph, *ids, lambda path: text), graph.catalog)

    return ask


def test_an_edge_has_its_rule_in_words_and_its_lines(answers) -> None:
    answer = answers("go", "Base.run")
    assert answer
    assert answer.why.verdict == "edge"
    (because,) = answer.links
    assert because.words == RULES[because.edge.rule].words
    assert [line.text.strip() for line in because.lines] == ["base.run()"]
    assert repr(answer).count(because.words.split(":")[0]) == 1  # the reason is given once, at the edge
    assert " likely calls m.Base.run at 1 place" in answer.headline
    assert "confidence 0.90" in repr(answer)
    assert "base.run()" in repr(answer)
    assert "base.run()" in answer.to_markdown()


def test_a_property_read_is_a_call(answers) -> None:
    (because,) = [b for b in answers("go", "Base.size").links if b.edge.kind == "CALLS"]
    assert because.edge.manner == "property"
    assert "return base.size" in because.lines[0].text


def test_making_an_instance_uses_the_type(answers) -> None:
    assert answers("make", "Child").why.verdict == "edge"


def test_calling_a_member_of_a_type_uses_the_type(answers) -> None:
    answer = answers("go", "Base")
    assert answer.why.verdict == "edge"
    assert {each.edge.target.rpartition(":")[2] for each in answer.why.links} >= {"m.Base.run", "m.Base.size"}


def test_both_directions_are_told(answers) -> None:
    answer = answers("Base.run", "go")
    assert not answer
    assert answer.why.verdict == "back"
    assert [b.edge.kind for b in answer.why.back] == ["CALLS"]
    assert "m.go calls m.Base.run" in answer.headline
    assert "in the other direction" in repr(answer)


def test_a_longer_way_is_told(answers) -> None:
    answer = answers("start", "Base.run")
    assert answer.why.verdict == "path"
    assert "but likely reaches it through 2 calls" in answer.headline
    assert [s.rpartition(".")[2] for s in answer.why.path.symbol_ids] == ["start", "go", "run"]
    assert "but may reach it through 2 calls" in answers("start", "Many.run").headline


def test_a_name_that_may_mean_it_is_no_edge(answers) -> None:
    answer = answers("guess", "Odd.only_here")
    assert not answer
    assert answer.why.verdict == "possible"
    assert answer.headline == "m.guess may call m.Odd.only_here by name only"
    assert repr(answer).count("nothing is known about the receiver") == 1
    answer = answers("unsure", "Odd.common")
    assert answer.why.verdict == "possible"
    assert [u.name for u in answer.why.unresolved] == ["common"]
    assert "1 call of `common` in it could not be resolved" in answer.headline


def test_of_many_connections_of_two_types_the_first_are_explained(tmp_path: Path) -> None:
    members = "".join(f"    def read{n}(self):\n        return 1\n" for n in range(20))
    users = "".join(f"    def go{n}(self):\n        return self.read{n}()\n" for n in range(20))
    (tmp_path / "m.py").write_text(f"class Base:\n{members}\n\nclass User(Base):\n{users}")
    answer = Workspace(tmp_path, workers=0, cache=False).why("User", "Base")
    assert len(answer.links) > 20
    text = " ".join(repr(answer).split())
    assert f"{len(answer.links) - 12} more connections" in text
    assert text.count("confidence 1.00") == 12


def test_nothing_known_says_so(answers) -> None:
    answer = answers("lonely", "go")
    assert answer.why.verdict == "absent"
    assert answer.headline == (
        "No connection from m.lonely to m.go is known: "
        "there is no use of the second in the first, no line with its name, and no chain of calls"
    )
    assert answers("lonely", "lonely").why.verdict == "same"
    assert answers("loop", "loop").why.verdict == "edge"


def test_calls_through_an_override_are_told() -> None:
    overriding = "".join(f"class C{n}(B):\n    def run(self): pass\n" for n in range(12))
    graph = graph_of({"m.py": f"class B:\n    def run(self): pass\n{overriding}def go(b: B): b.run()\n"})
    source, target = (graph.catalog.resolve(name).id for name in ("m.go", "C3.run"))
    why = explain(graph, source, target, lambda path: "")
    assert why.verdict == "override"
    assert "m.go calls m.B.run, which m.C3.run overrides" in why.summary
    (path,) = why.through
    assert [edge.kind for edge in path.edges] == ["CALLS", "OVERRIDES"]


def test_an_answer_converts_to_data_and_graphs(answers) -> None:
    answer = answers("go", "Base.run")
    plain = answer.to_dict()
    assert (plain["kind"], plain["verdict"]) == ("why", "edge")
    assert plain["links"][0]["lines"][0]["text"].strip() == "base.run()"
    frame = answer.to_frame()
    assert list(frame["text"].str.strip()) == ["base.run()"]
    assert answer.to_igraph().es["kind"][0] == "CALLS"
    assert list(answers("lonely", "go").to_frame().columns) == list(frame.columns)


DECORATED = {
    "m.py": """
        import functools
        def log(x): pass
        def traced(function):
            @functools.wraps(function)
            def wrapper(*given):
                log(function)
                return function(*given)
            return wrapper
        def level(number):
            def decorate(function):
                def inner(*given):
                    log(number)
                    return function(*given)
                return inner
            return decorate
        def register(function):
            log(function)
            return function
        class Guard:
            def __init__(self, function): self.function = function
            def __call__(self): return self.check() or self.function()
            def check(self): pass
        @traced
        def one(): pass
        @level(3)
        def two(): pass
        @register
        def three(): pass
        @Guard
        def four(): pass
        class Type:
            @traced
            def method(self): pass
        def bare(): pass
        """,
}


@pytest.mark.parametrize(
    ("source", "target", "between"),
    [
        ("one", "log", "traced.wrapper"), ("two", "log", "level.decorate.inner"), ("three", "log", "register"),
        ("four", "Guard.check", "Guard.__call__"), ("Type.method", "log", "traced.wrapper"),
    ],
)  # fmt: skip
def test_what_a_decorator_calls_is_told(source: str, target: str, between: str) -> None:
    why = explain(graph_of(DECORATED), f"m.py:m.{source}", f"m.py:m.{target}", lambda _: dedent(DECORATED["m.py"]))
    assert why.verdict == "wrapped"
    assert why.through[0].symbol_ids == (f"m.py:m.{source}", f"m.py:m.{between}", f"m.py:m.{target}")
    assert f"m.{between}" in why.summary


def test_no_decorator_speaks_for_what_it_does_not_stand_over() -> None:
    graph = graph_of(DECORATED)
    for source, target in (("bare", "log"), ("one", "bare"), ("three", "Guard.check")):
        assert explain(graph, f"m.py:m.{source}", f"m.py:m.{target}", lambda _: "").verdict == "absent"


def test_a_mention_that_leads_elsewhere_is_shown() -> None:
    source = "class A:\n    def zap(self): pass\nclass B:\n    def zap(self): pass\ndef run(b: B):\n    b.zap()\n"
    graph = graph_of({"m.py": source})
    why = explain(graph, "m.py:m.run", "m.py:m.A.zap", lambda path: source)
    assert why.verdict == "possible"
    assert [(use.site.line, use.targets) for use in why.mentions] == [(6, ("m.B.zap",))]
    assert why.summary == "No edge from m.run to m.A.zap, but `zap` occurs at m.py:6, which resolves to m.B.zap"


def test_a_chain_in_the_other_direction_is_shown() -> None:
    source = "def a(): b()\ndef b(): c()\ndef c(): pass\n"
    why = explain(graph_of({"m.py": source}), "m.py:m.c", "m.py:m.a", lambda path: source)
    assert (why.verdict, why.summary) == ("back", "m.c does not use m.a; m.a reaches m.c through 2 calls")
    assert why.path is not None
    assert why.path.symbol_ids == ("m.py:m.c", "m.py:m.b", "m.py:m.a")


OVERLOADED = """\
struct Shape {};
void take(int x) {}
void take(Shape x) {}

void start() {
  take(1);
  take(missing());
}
"""


def test_each_line_of_an_edge_has_its_own_rule_and_confidence(tmp_path: Path) -> None:
    """The arguments decide one call of the overloaded function, and leave the other open."""
    (tmp_path / "a.cpp").write_text(OVERLOADED)
    ws = Workspace(tmp_path, workers=0, cache=False)
    target = next(symbol for symbol in ws.symbols if symbol.name == "take" and symbol.line == 2)
    answer = ws.callers(target)
    (edge,) = answer.edges
    assert [site.line for site in edge.sites] == [6, 7]
    assert edge.site_confidences == (1.0, 0.5)
    assert [(part.rule, [site.line for site in part.sites]) for part in edge.by_rule] == [
        ("scope", [6]),
        ("overload", [7]),
    ]
    assert "calls directly by name at line 6; possible at line 7" in repr(answer)
    assert [site["confidence"] for site in answer.to_dict()["edges"][0]["sites"]] == [1.0, 0.5]
    why = ws.why("start", target)
    assert why.why.summary == "start calls take at 1 place and may at 1 more"
    assert [(link.edge.rule, [line.line for line in link.lines]) for link in why.why.links] == [
        ("scope", [6]),
        ("overload", [7]),
    ]


def test_the_way_of_an_edge_says_what_is_true_of_decorators_and_missing_members() -> None:
    assert basis_of("decorated") == " behind its decorator"
    assert basis_of("wrapped") == " by a decorator"
    assert basis_of("missing") == " for a missing member"
    source = """
        from functools import cache
        from elsewhere import keep
        @keep
        def slow(): pass
        def run(): slow()
        def keep(function):
            def wrapper(): return function()
            return wrapper
        """
    edge = edges(graph_of({"m.py": source}))["m.run", "m.slow"]
    assert edge_words(edge) == "may call behind its decorator at m.py:6"


NAMED_ALIKE = """\
package p;
class Name {
  static Name get(String s) { return new Name(); }
  static Name get(int n) {
    return get("n");
  }
}
class Wrapper {
  Wrapper(String s) {}
}
class Writer {
  final Wrapper out;
  Writer() { out = new Wrapper("x"); }
}
class Spec {
  static Name two() { return Name.get(2); }
  void write() { new Writer(); }
  void write(int n) { Name.get("a"); }
}
"""


@pytest.mark.parametrize(
    ("source", "target", "summary"),
    [
        ("Spec.two", "Name.get", "p.Spec.two calls p.Name.get at 1 place"),
        ("Name.get", "Name.get", "p.Name.get calls p.Name.get at 1 place"),
        ("Spec.write", "Name.get", "p.Spec.write calls p.Name.get at 1 place"),
        ("get(String)", "get(int)", "p.Name.get does not use p.Name.get; p.Name.get CALLS p.Name.get"),
        ("Spec.write", "Wrapper", "p.Spec.write does not use p.Wrapper itself, but reaches it through 2 calls"),
        ("Spec", "Wrapper.Wrapper", "p.Spec does not use p.Wrapper.Wrapper itself, but reaches it through 2 calls"),
        ("Wrapper", "Spec", "p.Wrapper does not use p.Spec; p.Spec "),
    ],
)
def test_all_meanings_of_a_name_and_members_of_types_are_looked_at(
    tmp_path: Path, source: str, target: str, summary: str
) -> None:
    (tmp_path / "A.java").write_text(NAMED_ALIKE)
    answer = Workspace(tmp_path, workers=0, cache=False).why(source, target)
    assert answer.headline.lower().startswith(summary.lower())


def test_a_chain_of_uncertain_calls_is_told_and_the_line_of_the_head_is_read() -> None:
    source = "class A:\n    def only(self): return deep()\ndef deep(): pass\ndef run(x): x.only()\n"
    source += "def far(x): return x.deep\n"
    graph = graph_of({"m.py": source})
    why = explain(graph, "m.py:m.run", "m.py:m.deep", lambda path: source)
    assert (why.verdict, why.summary) == (
        "possible",
        "m.run does not use m.deep itself, but may reach it through 2 calls",
    )
    why = explain(graph, "m.py:m.far", "m.py:m.deep", lambda path: source)
    assert [use.site.line for use in why.mentions] == [5]


def test_a_module_is_used_by_what_uses_its_members(tmp_path: Path) -> None:
    (tmp_path / "tools.py").write_text("def helper(x): return x\n")
    (tmp_path / "app.py").write_text(
        "from tools import helper\n\n\nclass App:\n    def run(self):\n        return helper(1)\n"
    )
    ws = Workspace(tmp_path, workers=0, cache=False)
    for source in ("App", "App.run"):
        assert ws.why(source, "tools").headline == f"{ws.symbol(source).fqn} calls tools at 1 place"


def test_no_connection_is_denied_that_a_computed_name_may_make(tmp_path: Path) -> None:
    (tmp_path / "r.py").write_text(
        "class R:\n    def render(self, token):\n        func = getattr(self, token['type'])\n"
        "        return func(token)\n\n"
        "    def paragraph(self, token): ...\n"
    )
    headline = Workspace(tmp_path, workers=0, cache=False).why("R.render", "R.paragraph").headline
    assert headline == "No certain path from r.R.render to r.R.paragraph: 1 unresolved call may connect them (r.py:3)"
