"""Declarations in Python (``...``, ``TYPE_CHECKING``, protocols, ``.pyi``) lead to what stands behind them."""

from __future__ import annotations

from codeexplore.types import settings
from tests.graph_sources import calls, edges, graph_of

MIXINS = """
    from typing import TYPE_CHECKING
    class Executable:
        if TYPE_CHECKING:
            def compile(self, dialect: str) -> "Compiled": ...
        def run(self): return self.compile("x")
    class Element:
        def compile(self, dialect): return Compiled()
    class Compiled:
        def text(self): pass
    class Select(Executable, Element): pass
    class Insert(Executable, Element): pass
    def use(statement: Executable): statement.compile("x").text()
    def made(): Select().compile("x")
    """


def test_a_declaration_leads_to_the_sibling_that_implements_it() -> None:
    """SQLAlchemy's statements are declared executable by one class and made so by another, which they also have."""
    found = edges(graph_of({"m.py": MIXINS}))
    resolved = {pair for pair, edge in found.items() if edge.confidence >= settings.RESOLVED_CONFIDENCE}
    assert {("m.use", "m.Element.compile"), ("m.Executable.run", "m.Element.compile")} <= resolved
    assert ("m.made", "m.Element.compile") in resolved
    assert ("m.use", "m.Compiled.text") in resolved
    assert not {pair for pair in resolved if pair[1] == "m.Executable.compile"}
    assert found["m.use", "m.Executable.compile"].rule == "declared"
    assert ("m.use", "m.Executable.compile") in edges(graph_of({"m.py": MIXINS}), "USES")


def test_a_declaration_that_nothing_implements_is_the_answer() -> None:
    found = calls("""
        class A:
            def hook(self): ...
        def use(a: A): a.hook()
        """)
    assert found["m.use", "m.A.hook"].rule == "type"


def test_a_protocol_s_method_leads_to_those_who_have_it() -> None:
    found = calls("""
        from typing import Protocol
        class Gateway(Protocol):
            def charge(self, amount: int) -> bool:
                '''Take money.'''
                ...
        class Card:
            def charge(self, amount): return True
        def pay(gateway: Gateway): gateway.charge(1)
        """)
    assert found["m.pay", "m.Card.charge"].rule == "override"
    assert found["m.pay", "m.Gateway.charge"].rule == "type"


def test_a_function_goes_before_its_declaration() -> None:
    found = calls("""
        from typing import TYPE_CHECKING
        def _fast(x): pass
        if TYPE_CHECKING:
            def work(x: int) -> int: ...
        else:
            work = _fast
        def use(): work(1)
        """)
    assert set(found) == {("m.use", "m._fast")}


PACKAGE = {
    "pk/__init__.py": "",
    "pk/a.py": """
        class A:
            def go(self): return unknown()
        class B:
            def end(self): pass
        def make(x): return x.y()
        """,
    "pk/a.pyi": """
        class A:
            def go(self) -> B: ...
        class B:
            def end(self) -> None: ...
        def make(x) -> A: ...
        """,
    "m.py": """
        from pk.a import A, make
        def use():
            A().go().end()
        def further():
            make(1).go()
        """,
}


def test_a_file_of_declarations_types_what_it_declares() -> None:
    graph = graph_of(PACKAGE)
    found = {(e.source, e.target) for e in graph.edges if e.kind == "CALLS"}
    assert {target for source, target in found if source == "m.py:m.use"} == {
        "pk/a.py:pk.a.A", "pk/a.py:pk.a.A.go", "pk/a.py:pk.a.B.end"
    }  # fmt: skip
    assert {target for source, target in found if source == "m.py:m.further"} == {
        "pk/a.py:pk.a.make", "pk/a.py:pk.a.A.go"
    }  # fmt: skip


def test_a_file_of_declarations_alone_is_the_answer() -> None:
    graph = graph_of({"pk/__init__.py": "", "pk/fast.pyi": "def work() -> None: ...\n",
                      "m.py": "from pk.fast import work\ndef use(): work()\n"})  # fmt: skip
    assert [e.target for e in graph.edges if e.kind == "CALLS"] == ["pk/fast.pyi:pk.fast.work"]
