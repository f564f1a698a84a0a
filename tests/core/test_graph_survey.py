"""The graph as a whole: entry points, dead code, hubs, modules, communities, cycles of imports."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeexplore.graph import queries
from codeexplore.graph.records import DEAD_KINDS, ENTRY_KINDS, DeadCandidate
from codeexplore.graph.surveys import Cycles, communities, hubs, module_graph
from codeexplore.graph.usage.dead_code import DeadCode
from codeexplore.graph.usage.entry_points import entry_points
from codeexplore.graph.usage.starts import read_scripts
from codeexplore.types import EDGE_KINDS
from tests.graph_sources import graph_of, standings_of

SHOP = {
    "shop/__init__.py": "from .cart import Cart\n__all__ = ['Cart']\n",
    "shop/cart.py": """
        import functools
        import abc
        from .money import _round, Money

        class Cart:
            def add(self, item): return _round(item)
            def _spare(self): pass

        class Visitor:
            def visit(self, other, kind): return getattr(other, "visit_" + kind)()
            def visit_line(self): pass
            def _strings(self): pass

        class Handler(abc.Outer):
            def handle(self): return _called_by_name

        def _lonely(): return _only_lonely()
        def _only_lonely(): return 1
        def _commented(): pass  # see _hidden
        # _commented is nice
        def _other(x): return x._mentioned
        class _Thing:
            @property
            def _mentioned(self): return 1
        def _called_by_name(): pass

        def wrapping(f):
            @functools.wraps(f)
            def inner(*args): return f(*args)
            return inner

        @wrapping
        def _wrapped(): pass

        @registry.register
        def _registered(): pass

        TABLE = {"_strings": 1}
        _other(_Thing)
        Visitor().visit("line")
        Handler()
        """,
    "shop/money.py": """
        from . import cart
        class Money: pass
        def _round(x): return x
        def main(): return Money()
        if __name__ == "__main__":
            main()
        """,
    "tests/test_shop.py": """
        from shop.cart import _tested
        def test_it(): _tested()
        """,
    "shop/tested.py": "def _tested(): pass\n",
}


@pytest.fixture(scope="module")
def dead() -> dict[str, DeadCandidate]:
    usage_evidence = standings_of(SHOP)
    found = DeadCode(usage_evidence.graph, usage_evidence).found()
    return {item.symbol_id.rpartition(".")[2]: item for item in found}


def test_only_what_nothing_speaks_for_is_unused(dead: dict[str, DeadCandidate]) -> None:
    unused = {name for name, item in dead.items() if item.kind == "unused"}
    assert unused >= {"_lonely", "_only_lonely", "_commented", "_spare"}
    assert unused.isdisjoint(
        {"add", "_round", "Money", "main", "_called_by_name", "visit", "_other", "_Thing", "inner"}
    )


def test_what_only_unused_code_uses_says_so(dead: dict[str, DeadCandidate]) -> None:
    assert dead["_only_lonely"].reasons == ("only shop.cart._lonely uses it, and it is unused too",)
    assert dead["_lonely"].reasons == ("nothing uses it, and its name occurs nowhere else",)


def test_a_long_chain_of_dead_code_is_followed_to_its_end() -> None:
    """Each use is looked at once; looking at all that is left after each find would take its square."""
    n = 3_000
    calls = "".join(f"def _f{number}(): return _f{number + 1}()\n" for number in range(n))
    usage_evidence = standings_of({"m.py": f"__all__ = []\n{calls}def _f{n}(): pass\n"})
    assert len(DeadCode(usage_evidence.graph, usage_evidence).found(["unused"])) == n + 1


@pytest.mark.parametrize(
    ("name", "kind", "reason"),
    [
        ("visit_line", "dynamic", "names that begin with visit_ are built at shop/cart.py:"),
        ("_strings", "dynamic", "its name is in strings: shop/cart.py:"),
        ("handle", "exported", "Handler extends abc.Outer from outside this repository, which may call it"),
        ("_registered", "registered", "its decorator (registry.register) may register or call it"),
    ],
)
def test_what_speaks_for_a_candidate_is_told_apart(
    dead: dict[str, DeadCandidate], name: str, kind: str, reason: str
) -> None:
    expected = "exported" if name == "visit_line" else kind  # public members of public classes come first
    assert dead[name].kind == expected
    assert any(said.startswith(reason) for said in dead[name].reasons), dead[name].reasons


def test_a_wrapper_of_the_repository_registers_nothing(dead: dict[str, DeadCandidate]) -> None:
    assert "_wrapped" not in dead or dead["_wrapped"].kind == "unused"


@pytest.mark.parametrize(
    ("path", "source", "unused"),
    [
        ("lib.d.cts", "declare class A { f(): void }\nexport = A;\n", set()),
        ("a.js", "class _A { [Symbol.iterator]() {} [Symbol.x]() {} spare() {} }\nnew _A();\n", {"spare"}),
        (
            "a.js",
            "function f() { return function inner() {}; }\nfunction spare() { function in2() {} }\nf()();\n",
            {"spare"},
        ),
        ("a.js", "function _h() { _h = function () { return 1; }; return _h(); }\n_h();\n", set()),
        ("a.js", "function part$1() {}\nfunction part$2() {}\nconst x = {};\nx.part = part$1;\n", {"part$2"}),
        (
            "_m.py",
            "class _A:\n    @property\n    def _b(self): return 1\n    @_b.setter\n    def _b(self, x): pass\n"
            "    def go(self): self._b += 1\n_A().go()\n",
            set(),
        ),
        (
            "_m.py",
            "class _A:\n    def _repr_png_(self): pass\n    def from_param(self): pass\n"
            "    def _spare(self): pass\n_A()\n",
            {"_spare"},
        ),
    ],
)  # fmt: skip
def test_what_is_used_without_its_name_is_not_unused(path: str, source: str, unused: set[str]) -> None:
    standings = standings_of({path: source})
    found = DeadCode(standings.graph, standings).found(["unused"])
    assert {standings.graph.catalog.symbol(item.symbol_id).name for item in found} == unused


def test_a_method_whose_name_is_in_a_string_is_looked_up_perhaps() -> None:
    sources = {
        "base.py": "class Base:\n    def run(self, name): return getattr(self, name)()\n",
        "m.py": """
            from operator import attrgetter
            from base import Base
            class Rules(Base):
                def maybe(self): pass
                def never(self): pass
            class Node:
                def key(self): pass
                def other(self): pass
            def go(nodes):
                Rules().run(chosen("maybe"))
                print({"other": 1})
                return sorted(nodes, key=attrgetter("key"))
            """,
    }
    standings = standings_of(sources)
    found = {item.symbol_id.rpartition(".")[2]: item for item in DeadCode(standings.graph, standings).found(DEAD_KINDS)}
    in_strings = {name for name, item in found.items() if any("in strings" in said for said in item.reasons)}
    assert in_strings == {"maybe", "key"}


def test_entry_points_of_an_installed_package_are_scripts(tmp_path: Path) -> None:
    (tmp_path / "pack-1.0.dist-info").mkdir()
    (tmp_path / "pack-1.0.dist-info" / "entry_points.txt").write_text("[tool]\nhook = pack._hooks:dirs\n")
    assert [script.name for script in read_scripts(tmp_path / "pack", ())] == ["pack._hooks.dirs"]
    assert read_scripts(tmp_path / "other", ()) == ()


def test_tests_count_unless_told_otherwise() -> None:
    sources = {"a.py": "def _f(): pass\ndef _g(): pass\n_g()\n", "tests/test_a.py": "import a\ndef test_f(): a._f()\n"}
    usage_evidence = standings_of(sources)
    assert DeadCode(usage_evidence.graph, usage_evidence).found() == ()
    (found,) = DeadCode(usage_evidence.graph, usage_evidence, tests=False).found()
    assert (found.symbol_id, found.kind) == ("a.py:a._f", "unused")
    assert "outside tests" in found.reasons[0]


def test_an_unresolved_call_of_that_name_is_a_possible_use() -> None:
    usage_evidence = standings_of(
        {"a.py": "class A:\n    def _zap(self): pass\n    def _zip(self): pass\ndef f(x): x._zap()\nf(1)\n"}
    )
    names = {
        item.symbol_id.rpartition(".")[2] for item in DeadCode(usage_evidence.graph, usage_evidence).found(("unused",))
    }
    assert "_zap" not in names


@pytest.mark.parametrize(
    ("path", "source", "unused"),
    [
        ("a.go", "package main\nfunc main() { f() }\nfunc f() {}\nfunc g() {}\nfunc Open() {}\n", {"g", "Open"}),
        ("lib.go", "package lib\nfunc spare() {}\nfunc Public() {}\n", {"spare"}),
        ("src/lib.rs", "pub fn open() { used() }\nfn used() {}\nfn spare() {}\n", {"spare"}),
        ("A.java", "public class A {\n public void f() { g(); }\n private void g() {}\n void x() {}\n}\n", {"x"}),
        ("a.js", "export function f() { g() }\nfunction g() {}\nfunction spare() {}\n", {"spare"}),
        ("a.ts", "function g() {}\nfunction spare() {}\nexport { g as f }\n", {"spare"}),
    ],
)  # fmt: skip
def test_public_is_what_each_language_says(path: str, source: str, unused: set[str]) -> None:
    usage_evidence = standings_of({path: source})
    found = DeadCode(usage_evidence.graph, usage_evidence).found(("unused",))
    assert {usage_evidence.graph.catalog.symbol(item.symbol_id).name for item in found} == unused


def test_dead_code_is_ordered_by_what_speaks_for_it() -> None:
    usage_evidence = standings_of(SHOP)
    kinds = [item.kind for item in DeadCode(usage_evidence.graph, usage_evidence).found()]
    assert kinds == sorted(kinds, key=DEAD_KINDS.index)


# --------------------------------------------------------------------------- entry points


def test_entry_points_and_what_says_so(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "shop"\n[project.scripts]\nshop = "shop.cli:run"\n')
    sources = {
        "shop/cli.py": "import click\ndef run(): helper()\ndef helper(): pass\n@click.command()\ndef serve(): pass\n",
        "shop/__main__.py": "from shop.cli import run\nrun()\n",
        "tool.py": "def main(): pass\nif __name__ == '__main__':\n    main()\n",
        "tests/test_a.py": "def test_a(): pass\n",
    }
    usage_evidence = standings_of(sources, tmp_path)
    found = entry_points(usage_evidence.graph, usage_evidence, ENTRY_KINDS)
    told = {(item.symbol_id.rpartition(":")[2], item.kind): item.reason for item in found}
    assert told["shop.cli.run", "script"] == "pyproject.toml starts it as shop"
    assert told["shop.__main__", "module"] == "python -m starts it"
    assert ("tool", "module") in told
    assert ("tool.main", "main") not in told  # the file calls it, not the language
    assert told["shop.cli.serve", "registered"].startswith("its decorator (click.command)")
    assert ("tests.test_a.test_a", "test") in told
    assert not any(name == "shop.cli.helper" for name, _ in told)


def test_scripts_of_other_manifests(tmp_path: Path) -> None:
    (tmp_path / "setup.cfg").write_text("[options.entry_points]\nconsole_scripts =\n    go = a.b:start\n")
    (tmp_path / "package.json").write_text('{"name": "x", "bin": {"x": "./bin/x.js"}, "main": "index.js"}')
    usage_evidence = standings_of({"a/b.py": "def start(): pass\n", "bin/x.js": "run()\n", "index.js": "1\n"}, tmp_path)
    found = entry_points(usage_evidence.graph, usage_evidence, ("script",))
    assert {item.reason for item in found} == {
        "setup.cfg starts it as go", "package.json names its file as x", "package.json names its file as main",
    }  # fmt: skip


def test_broken_manifests_start_nothing(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project\n")
    (tmp_path / "package.json").write_text('{"bin": 3,')
    (tmp_path / "setup.cfg").write_text("no section\n")
    assert standings_of({"a.py": "def f(): pass\n"}, tmp_path).starts.scripts == ()


# --------------------------------------------------------------------------- from afar


def test_hubs_are_what_much_leads_to() -> None:
    sources = {"m.py": "def core(): pass\n" + "".join(f"def f{n}(): core()\n" for n in range(5)) + "f0()\n",
               "tests/test_m.py": "import m\ndef test(): m.f1()\ndef test2(): m.f1()\n"}  # fmt: skip
    best, *_ = hubs(graph_of(sources), 3, ("function",), tests=False)
    assert best.symbol_id == "m.py:m.core"
    assert (best.score, best.callers, best.files) == (1.0, 5, 1)
    everyone = {hub.symbol_id: hub.callers for hub in hubs(graph_of(sources), 10, ("function",))}
    assert everyone["m.py:m.f1"] == 2


def test_modules_by_file_and_by_folder() -> None:
    sources = {
        "app/a.py": "from lib.deep.b import g, G\ndef f():\n    g()\n    g()\n    return G()\n",
        "lib/deep/b.py": "def g(): pass\nclass G: pass\n",
        "tests/test_a.py": "from app.a import f\ndef test(): f()\n",
    }
    graph = graph_of(sources)
    nodes, edges = module_graph(graph, tests=False)
    assert {node.path for node in nodes} == {"app/a.py", "lib/deep/b.py"}
    (edge,) = edges
    assert (edge.source, edge.target) == ("app/a.py", "lib/deep/b.py")
    assert edge.count == sum(edge.kinds.values())
    assert edge.kinds["IMPORTS"] >= 2
    assert [(e.source, e.target) for e in module_graph(graph, "folder", tests=False)[1]] == [("app", "lib/deep")]
    assert [(e.source, e.target) for e in module_graph(graph, "1", tests=False)[1]] == [("app", "lib")]
    assert ("tests", "app") in [(e.source, e.target) for e in module_graph(graph, "1")[1]]


def test_a_type_does_not_depend_on_an_interface_that_it_does_not_name() -> None:
    sources = {
        "a.go": "package m\ntype Bell struct{}\nfunc (b *Bell) Ring() { Sound() }\nfunc Sound() {}\n",
        "b/b.go": "package b\ntype Ringer interface { Ring() }\n",
    }
    graph = graph_of(sources)
    assert "IMPLEMENTS" in {EDGE_KINDS[kind] for kind in graph.edges.kind}
    assert not module_graph(graph)[1]


def test_communities_are_the_same_each_time_and_cover_their_own() -> None:
    half = "def {p}0():\n    {p}1()\n    {p}2()\ndef {p}1():\n    {p}2()\n    {p}3()\n"
    half += "def {p}2(): {p}3()\ndef {p}3(): {p}0()\n"
    sources = {
        "a.py": half.format(p="a"),
        "b.py": half.format(p="b") + "from a import a0\ndef join():\n    b0()\n    a0()\n",
    }
    graph = graph_of(sources)
    found = communities(graph)
    assert found == communities(graph_of(sources))
    groups = [{each.rpartition(".")[2] for each in group.members} for group in found]
    assert any(group >= {"a0", "a1", "a2", "a3"} for group in groups)
    assert any(group >= {"b0", "b1", "b2", "b3"} for group in groups)
    for group in found:
        assert set(group.central) <= set(group.members)
        assert 0.0 <= group.inside <= 1.0
        assert sum(group.folders.values()) == len(group.members)


def test_import_cycles_are_between_modules() -> None:
    graph = graph_of(
        {"p/a.py": "from p.b import f\n", "p/b.py": "def f():\n    import p.a\n", "p/c.py": "import p.a\n"}
    )
    (cycle,) = Cycles(graph, "IMPORTS").found()
    assert {graph.catalog.symbol(each).path for each in cycle.members} == {"p/a.py", "p/b.py"}
    assert cycle.path.symbol_ids[0] == cycle.path.symbol_ids[-1]


def test_an_empty_graph_has_none_of_it() -> None:
    graph = graph_of({})
    assert (Cycles(graph).found(), hubs(graph, 5, ("function",)), communities(graph)) == ((), (), ())
    assert module_graph(graph) == ((), ())


def test_magic_methods_of_php_are_no_candidates() -> None:
    names = ("__invoke", "__clone", "__isset", "__set", "__debugInfo")
    methods = "".join(f"  public function {name}($n = 1, $v = 2) {{}}\n" for name in names)
    source = f"<?php\nclass Box {{\n{methods}  public function spare() {{}}\n}}\nnew Box();\n"
    standings = standings_of({"a.php": source})
    found = {item.symbol_id.rpartition("::")[2] for item in DeadCode(standings.graph, standings).found(DEAD_KINDS)}
    assert found == {"spare"}


def test_a_type_that_an_alias_names_is_used_by_the_alias() -> None:
    source = (
        "typedef struct Key_ { int n; } Key;\nint use(const Key *k) { return k->n; }\nint main() { return use(0); }\n"
    )
    standings = standings_of({"a.c": source})
    assert not DeadCode(standings.graph, standings).found(DEAD_KINDS)
    verdict = queries.walk(standings.graph, "uses", ["a.c:Key.Key_"], usage_evidence=standings).verdict
    assert verdict is not None
    assert verdict.text == "No uses found, but `Key` is another name of it."
