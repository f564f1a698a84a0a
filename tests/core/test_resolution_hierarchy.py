"""Classes above and below each other, in the language's own order, at any size."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from codeexplore.graph.build.resolve import resolve
from codeexplore.languages.python.resolve import rules
from codeexplore.resolution.class_hierarchy import MAX_ORDER
from codeexplore.resolution.solve_family import FamilyAnalysis
from tests.graph_sources import calls, edges, facts_of, graph_of


def solved(source: str) -> FamilyAnalysis:
    return FamilyAnalysis(facts_of({"m.py": source}), rules())


@st.composite
def hierarchies(draw: st.DrawFn) -> list[list[int]]:
    """Parents by class: each class names some of those before it."""
    number = draw(st.integers(1, 8))
    return [draw(st.lists(st.integers(0, i - 1), unique=True, max_size=3)) if i else [] for i in range(number)]


@settings(max_examples=60, deadline=None)
@given(hierarchies())
def test_the_order_is_pythons_own(parents: list[list[int]]) -> None:
    made: list[type] = []
    for number, above in enumerate(parents):
        try:
            made.append(type(f"C{number}", tuple(made[p] for p in above), {}))
        except TypeError:  # Python refuses this hierarchy: any order will do, but there must be one
            parents = parents[:number]
            break
    lines = [f"class C{n}({', '.join(f'C{p}' for p in above)}): pass" for n, above in enumerate(parents)]
    found = solved("\n".join(lines))
    numbers = {symbol.name: number for number, symbol in enumerate(found.program.symbols)}
    for cls in made:
        order = [found.program.symbols[c].name for c in found.evaluator.hierarchy.order(numbers[cls.__name__])]
        assert order == [c.__name__ for c in cls.__mro__[:-1]]


def test_a_refused_hierarchy_still_has_an_order() -> None:
    found = solved("class A: pass\nclass B(A): pass\nclass C(A, B): pass\n")
    assert [found.program.symbols[c].name for c in found.evaluator.hierarchy.order(3)] == ["C", "A", "B"]


def test_classes_above_each_other_in_a_circle_end() -> None:
    found = calls("class A(B):\n    def f(self): self.g()\nclass B(A):\n    def g(self): self.f()\n")
    assert ("m.A.f", "m.B.g") in found
    assert ("m.B.g", "m.A.f") in found


def test_a_class_that_extends_itself_ends() -> None:
    assert ("m.A.f", "m.A.g") in calls("class A(A):\n    def f(self): self.g()\n    def g(self): pass\n")


def _line(length: int) -> str:
    lines = ["class C0:\n    def deep(self): pass\n"]
    lines += [f"class C{n}(C{n - 1}): pass\n" for n in range(1, length)]
    return "".join([*lines, f"def use():\n    C{length - 1}().deep()\n"])


def test_a_hundred_parents() -> None:
    assert calls(_line(MAX_ORDER))["m.use", "m.C0.deep"].rule == "type"


def test_of_a_thousand_parents_only_the_nearest_are_looked_through() -> None:
    resolution = resolve(facts_of({"m.py": _line(1_000)}))
    assert any("too many supertypes" in note for note in resolution.notes)


def test_a_thousand_children() -> None:
    lines = ["class A:\n    def f(self): pass\n    def g(self): self.f()\n"]
    lines += [f"class C{n}(A):\n    def f(self): pass\n" for n in range(1000)]
    found = calls("".join(lines))
    assert found["m.A.g", "m.A.f"].rule == "self-replaced"
    assert [target for source, target in found if source == "m.A.g"] == ["m.A.f"]  # the others are too many to tell


def test_a_diamond_looks_left_to_right() -> None:
    found = calls("""
        class A:
            def f(self): pass
        class B(A): pass
        class C(A):
            def f(self): pass
        class D(B, C):
            def g(self): self.f()
            def h(self): super().f()
        """)
    assert ("m.D.g", "m.C.f") in found
    assert ("m.D.h", "m.C.f") in found
    assert ("m.D.g", "m.A.f") not in found


def test_super_in_a_mixin_reaches_its_sibling() -> None:
    found = calls("""
        class Base:
            def save(self): pass
        class Mixin:
            def save(self): super().save()
        class Both(Mixin, Base): pass
        """)
    assert found["m.Mixin.save", "m.Base.save"].rule == "element"


def test_extends_and_overrides_are_edges() -> None:
    graph = graph_of({"m.py": "class A:\n    def f(self): pass\nclass B(A):\n    def f(self): pass\n"})
    assert edges(graph, "EXTENDS").keys() == {("m.B", "m.A")}
    assert edges(graph, "OVERRIDES").keys() == {("m.B.f", "m.A.f")}


def test_protocols_are_implemented_by_having_their_methods() -> None:
    graph = graph_of(
        {
            "m.py": """
        from typing import Protocol
        class Sink(Protocol):
            def emit_all(self, text): ...
        class File:
            def emit_all(self, text): pass
        class Other:
            def unlike(self): pass
        def use(sink: Sink): sink.emit_all("x")
        """
        }
    )
    assert edges(graph, "IMPLEMENTS").keys() == {("m.File", "m.Sink")}
    found = edges(graph)
    assert found["m.use", "m.Sink.emit_all"].confidence == 0.9
    assert found["m.use", "m.File.emit_all"].rule == "override"


def test_a_protocol_of_usual_names_needs_the_same_parameters() -> None:
    graph = graph_of(
        {
            "m.py": """
        from typing import Protocol
        class Plugin(Protocol):
            def __call__(self, md: "Page") -> None: ...
        class Bold:
            def __call__(self, md: Page, size=1) -> None: pass
        class Wide(Bold): pass
        class More:
            def __call__(self, md: Page, more) -> None: pass
        class Text:
            def __call__(self, md: str) -> None: pass
        """
        }
    )
    assert edges(graph, "IMPLEMENTS").keys() == {("m.Bold", "m.Plugin"), ("m.Wide", "m.Plugin")}


def test_a_method_implements_a_property_of_a_type_of_functions() -> None:
    graph = graph_of({
        "m.ts": """
            export interface Reporter { log: (text: string) => void; level?: number; make: () => Part }
            export class Part { show() {} }
            class Basic implements Reporter {
                log(text: string) {}
                make() { return new Part(); }
            }
            function emit(reporter: Reporter) { reporter.log("a"); reporter.make().show(); }
            """,
    })  # fmt: skip
    assert ("m.Basic.log", "m.Reporter.log") in edges(graph, "OVERRIDES")
    called = {target for user, target in edges(graph) if user == "m.emit"}
    assert called == {"m.Reporter.log", "m.Basic.log", "m.Reporter.make", "m.Basic.make", "m.Part.show"}
    kinds = {symbol.name: symbol.kind for symbol in graph.catalog.symbols if symbol.fqn.startswith("m.Reporter.")}
    assert kinds == {"log": "method", "level": "field", "make": "method"}
