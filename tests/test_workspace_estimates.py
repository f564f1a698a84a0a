"""Answers about the graph that are given while it is being built."""

from __future__ import annotations

import random
import threading
from pathlib import Path
from typing import Any

import pytest

from codeexplore import Workspace, sample_repo
from codeexplore.graph.demand import slice_state
from codeexplore.graph.demand.family import Family
from codeexplore.html.show import shown_html
from codeexplore.index.files import FileFactsStore
from codeexplore.notebook.requests import Walk
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS

SAMPLES = ("webshop", "chatservice", "ledger", "jobworker")
RELATIONS = ("callers", "callees", "implementors", "uses")


def later(root: str | Path) -> Workspace:
    return Workspace(root, graph="background", workers=0, cache=False)


def keys(answer: Any) -> set[tuple[str, str, str]]:
    return {(edge.source, edge.target, edge.kind) for edge in answer.edges}


@pytest.mark.parametrize("name", SAMPLES)
def test_estimates_of_a_sample_are_the_edges_of_its_graph(name: str, going: threading.Event) -> None:
    ws = later(sample_repo(name))
    named = [s for s in ws.symbols if s.kind in CALLABLE_KINDS | TYPE_KINDS and s.kind != "lambda"]
    symbols = random.Random(name).sample(named, 20)
    soon = {(relation, symbol.id): getattr(ws, relation)(symbol) for relation in RELATIONS for symbol in symbols}
    assert ws.graph_state == "building"
    assert all("estimate" in answer.estimate for answer in soon.values())
    going.set()
    assert ws.wait_for_graph(60)
    right = {(relation, key): getattr(ws, relation)(key) for relation, key in soon}
    assert not any(answer.estimate for answer in right.values())
    total = sum(len(keys(answer)) for answer in right.values())
    found = sum(len(keys(soon[key]) & keys(right[key])) for key in right)
    wrong = sum(len(keys(soon[key]) - keys(right[key])) for key in right)
    assert total > 30
    assert found >= 0.8 * total  # the samples pass functions around on purpose; benchmarks/demand.py measures real code
    assert wrong <= 0.03 * total


DECORATED = """
export function Column(name: string): Function
export function Column(name: string, size?: number): Function {
    return function (target: object) { register(target) }
}
function register(target: object) {}
class Row { @Column("a") a = 1 }
"""
CALLED_BACK = """
class Manager { save() {} }
class Pool {
    manager = new Manager()
    within(run: (manager: Manager) => void) { run(this.manager) }
}
function both(pools: Pool[]) { pools.forEach((pool) => pool.within((manager) => manager.save())) }
"""
SUPER = "class Base { constructor() {} }\nclass Sub extends Base { constructor() { super() } }\n"
INTERFACE = """package a

type Named interface { Name() string; Size() int }
type Sized interface { Named }
type Box struct{}
func (Box) Name() string { return "" }
func (Box) Size() int { return 0 }
func show(n Sized) { n.Name() }
func all() { show(Box{}) }
"""
PASSED = """package a

type Writer interface { Write() }
type file struct{}
func (file) Write() {}
func stream(step func(w Writer)) { step(file{}) }
func run() { stream(func(w Writer) { w.Write() }) }
"""
MIXED = """
class Base:
    def check(self): pass
class Sender(Base):
    def check(self): pass
class Cases(Base):
    def run(self): self.check()
class SenderCases(Cases, Sender): pass
"""
PASSED_ON = """
def load(name): pass
def include(names, loader): _include(names, loader)
def _include(names, found): found(names[0])
def test(): include(["a"], load)
"""
CONSTANT = """package a;
class Reader {
    Factory factory;
    void read() { factory.create(); }
    static void print() { System.out.println(Factory.STRING); }
    public enum Factory {
        STRING { @Override public void create() {} };
        abstract void create();
    }
}
"""
FIELD = """package a

type listener struct { check func() }
func allow() {}
func open() *listener { return &listener{check: allow} }
func (l *listener) accept() { l.check() }
"""


DEFAULT = """def log(): pass
def close(log=log): log()
"""
OVERRIDDEN = """class Case:
    def check(self): pass
    def run(self): self.check()
class Slow(Case): pass
class Slower(Slow):
    def check(self): pass
"""


@pytest.mark.parametrize(
    ("file", "text", "relation", "name", "expected"),
    [
        ("a.ts", DECORATED, "callees", "a.Row", {"Column", "<lambda:4:11>"}),
        ("a.ts", CALLED_BACK, "callers", "a.Manager.save", {"<lambda:7:67>"}),
        ("a.ts", SUPER, "callers", "a.Base.constructor", {"constructor"}),
        ("a.go", INTERFACE, "callers", "a.Box.Name", {"show"}),
        ("a.go", PASSED, "callees", "a.run", {"stream", "Write"}),
        ("a.go", FIELD, "callees", "a.listener.accept", {"allow"}),
        ("a/Reader.java", CONSTANT, "callers", "a.Reader.Factory.STRING.create", {"read"}),
        ("a.py", MIXED, "callers", "a.Sender.check", {"run"}),
        ("a.py", PASSED_ON, "callers", "a.load", {"_include"}),
        ("a.py", DEFAULT, "callees", "a.close", {"log"}),
        ("a.py", OVERRIDDEN, "callees", "a.Case.run", {"check"}),
    ],
    ids=[
        "result of a decorator",
        "callback's parameter",
        "super",
        "embedded",
        "callback",
        "field",
        "constant of an enum",
        "mixin",
        "passed on",
        "default of a parameter",
        "overridden two types below",
    ],
)
def test_an_estimate_follows(
    file: str, text: str, relation: str, name: str, expected: set[str], going: threading.Event, tmp_path: Path
) -> None:
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_text(text)
    (tmp_path / "go.mod").write_text("module a\n")
    ws = later(tmp_path)
    soon = keys(getattr(ws, relation)(name))
    assert ws.graph_state == "building"
    going.set()
    assert ws.wait_for_graph(60)
    right = getattr(ws, relation)(name)
    assert {ws.symbol(s if relation == "callers" else t).name for s, t, _ in keys(right)} >= expected
    assert soon == keys(right)


def test_an_estimate_says_so_in_every_display(going: threading.Event) -> None:
    ws = later(sample_repo("webshop"))
    answer = ws.callers("webshop.cart.Cart")
    assert len(answer)
    assert answer.estimate.startswith("This is an estimate, because the graph is still being built.")
    shown = (str(answer), answer.to_markdown(), shown_html(answer), str(answer.to_dict()["estimate"]))
    assert all("estimate" in " ".join(text.split()) for text in shown)
    why = ws.why(answer.symbols[0], answer.seeds[0])
    assert why.links
    assert all("estimate" in text for text in (why.estimate, str(why), why.to_markdown(), shown_html(why)))
    assert ws.graph_state == "building"


def test_no_caller_found_is_no_claim(going: threading.Event, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def lonely():\n    pass\n")
    ws = later(tmp_path)
    answer = ws.callers("lonely")
    assert answer.absence is not None
    assert answer.absence.kind == "unknown"
    assert "so far" in str(answer.absence)
    going.set()
    assert ws.wait_for_graph(60)
    assert ws.callers("lonely").absence is not None
    assert "so far" not in str(ws.callers("lonely"))


def test_places_beyond_the_budget_are_counted(
    going: threading.Event, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.py").write_text("def run():\n    pass\n")
    for number in range(9):
        (tmp_path / f"b{number}.py").write_text("from a import run\n\n\ndef go():\n    run()\n")
    ws = later(tmp_path)
    assert len(ws.callers("a.run")) == 9
    assert "All files that may use run by their text were looked at (10)" in ws.callers("a.run").estimate
    monkeypatch.setattr(slice_state, "MOST_READ", 25)
    answer = ws.callers("a.run")
    assert 0 < len(answer) < 9
    assert "Of 10 files that may use run by their text, " in answer.estimate
    assert answer.estimate.endswith("There may be further edges.")


def test_interfaces_with_types_of_their_package_are_implemented_elsewhere(
    going: threading.Event, tmp_path: Path
) -> None:
    """A signature is compared with the packages of its types, so the slice contains these types."""
    files = {
        "go.mod": "module example.com/a\n",
        "kv/kv.go": "package kv\n\ntype Getter interface{ Get(option Option) }\n",
        "kv/option.go": "package kv\n\ntype Option int\n",
        "box/box.go": 'package box\n\nimport "example.com/a/kv"\n\ntype Box struct{}\n\n'
        "func (Box) Get(option kv.Option) {}\n",
        "use.go": 'package a\n\nimport "example.com/a/kv"\n\nfunc Use(g kv.Getter) { g.Get(1) }\n',
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    ws = later(tmp_path)
    soon = keys(ws.callees("a.Use"))
    assert {target for _, target, _ in soon} >= {"box/box.go:box.Box.Get"}
    going.set()
    assert ws.wait_for_graph(60)
    assert soon == keys(ws.callees("a.Use"))


def test_paths_of_modules_and_macros_are_followed(going: threading.Event, tmp_path: Path) -> None:
    """A macro needs no import, and ``block::wait`` begins with a module that the file declares."""
    files = {
        "Cargo.toml": '[package]\nname = "box"\n',
        "src/lib.rs": "#[macro_use]\nmod macros;\nmod future;\nmod user;\n",
        "src/macros.rs": "macro_rules! ready { () => {} }\n",
        "src/future/mod.rs": "mod block;\npub use block::wait;\n",
        "src/future/block.rs": "pub fn wait() {}\n",
        "src/user.rs": "pub fn go() {\n    crate::future::wait();\n    ready!();\n}\n",
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / path).write_text(text)
    ws = later(tmp_path)
    soon = ws.callees("go")
    assert {symbol.name for symbol in soon} == {"wait", "ready"}
    going.set()
    assert ws.wait_for_graph(60)
    assert keys(soon) == keys(ws.callees("go"))


def test_an_overriding_method_is_looked_for_below_the_receiver(
    going: threading.Event, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Types beside the receiver's, and files that only mention a type, are not read."""
    base = "class Case:\n    def check(self):\n        pass\n"
    (tmp_path / "a.py").write_text(base)
    (tmp_path / "b.py").write_text(
        "from a import Case\n\n\nclass Own(Case):\n    def run(self):\n        self.check()\n        super().check()\n"
    )
    below = "class {}:\n    def check(self):\n        pass\n"
    (tmp_path / "c.py").write_text("from b import Own\n\n\n" + below.format("Below(Own)"))
    (tmp_path / "d.py").write_text("from a import Case\n\n\n" + below.format("Beside(Case)"))
    (tmp_path / "e.py").write_text("from b import Own\n\n\n" + below.format("Other"))
    read: list[str] = []
    real = Family.index
    monkeypatch.setattr(Family, "index", lambda family, path: read.append(path) or real(family, path))
    soon = later(tmp_path).callees("b.Own.run")
    assert {symbol.fqn for symbol in soon} == {"a.Case.check", "c.Below.check"}
    assert set(read) == {"a.py", "b.py", "c.py"}


def test_an_instance_that_is_passed_on_is_not_followed(
    going: threading.Event, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The function that takes it does not call the class."""
    (tmp_path / "a.py").write_text("class Box:\n    pass\n")
    (tmp_path / "b.py").write_text("from a import Box\nfrom far import show\n\n\ndef go():\n    show(Box())\n")
    (tmp_path / "far.py").write_text("def show(box):\n    box.open()\n")
    read: list[str] = []
    real = Family.index
    monkeypatch.setattr(Family, "index", lambda family, path: read.append(path) or real(family, path))
    answer = later(tmp_path).callers("a.Box")
    assert [symbol.name for symbol in answer] == ["go"]
    assert set(read) == {"a.py", "b.py"}


@pytest.mark.parametrize("name", ["a.B", "a.B.__iter__"])
def test_the_types_below_a_type_come_before_other_files_with_its_name(
    name: str, going: threading.Event, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.py").write_text("class B:\n    def __iter__(self):\n        pass\n")
    for number in range(9):
        (tmp_path / f"b{number}.py").write_text("class Other:\n    def __iter__(self):\n        return B\n")
    method = "    def __iter__(self):\n        pass\n"
    (tmp_path / "c.py").write_text(f"from a import B\n\n\nclass C(B):\n{method}")
    (tmp_path / "d.py").write_text(f"from c import C\n\n\nclass D(C):\n{method}")
    ws = later(tmp_path)
    monkeypatch.setattr(slice_state, "MOST_READ", 40)
    soon = ws.implementors(name)
    assert "lead too far" in soon.estimate
    going.set()
    assert ws.wait_for_graph(60)
    assert keys(soon) == keys(ws.implementors(name))
    assert len(soon) == 2


@pytest.mark.parametrize(
    ("options", "answered"),
    [({}, True), ({"depth": 2}, False), ({"direction": "out"}, False), ({"direction": "both"}, True),
     ({"kinds": ("USES",)}, False), ({"include_externals": True}, False), ({"min_confidence": 0.3}, True)],
)  # fmt: skip
def test_what_a_slice_cannot_tell_waits(options: dict[str, Any], answered: bool, going: threading.Event) -> None:
    ws = later(sample_repo("webshop"))
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(ws.callers("webshop.cart.Cart", **options)))
    thread.start()
    if answered:
        thread.join(60)
    assert bool(found) is answered
    going.set()
    thread.join(60)
    assert bool(found[0].estimate) is answered


def test_the_explorer_knows_which_walks_are_estimated(webshop: Workspace) -> None:
    symbol = webshop.symbol("webshop.cart.Cart")
    walks = {
        name: Walk(symbol, name).has_estimate() for name in ("callers", "callers and callees", "impact", "imports")
    }
    assert walks == {"callers": True, "callers and callees": True, "impact": False, "imports": False}
    assert not Walk(symbol, "callers", depth=2).has_estimate()
    assert Walk(symbol, "callees", min_confidence=0.3, tests=False).has_estimate()


def test_an_interrupted_estimate_changes_nothing(going: threading.Event, monkeypatch: pytest.MonkeyPatch) -> None:
    ws = later(sample_repo("webshop"))
    expected = keys(ws.callers("webshop.cart.Cart"))
    ws._cache.forget_questions()
    real = FileFactsStore.facts
    calls = iter(range(99))

    def interrupted(store: FileFactsStore, path: str) -> Any:
        if next(calls) == 2:
            raise KeyboardInterrupt
        return real(store, path)

    monkeypatch.setattr(FileFactsStore, "facts", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ws.callers("webshop.cart.Cart")
    assert keys(ws.callers("webshop.cart.Cart")) == expected
    assert ws.graph_state == "building"


def test_an_edit_while_the_graph_is_built_is_in_the_estimate(going: threading.Event, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def run():\n    pass\n")
    ws = later(tmp_path)
    assert not ws.callers("a.run")
    (tmp_path / "b.py").write_text("from a import run\n\n\ndef go():\n    run()\n")
    ws.refresh(graph="background")
    assert ws.graph_state == "building"
    assert [symbol.name for symbol in ws.callers("a.run")] == ["go"]
