"""What an empty answer says: nothing there, nothing resolved, the wrong question; and where the name stands else."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from codeexplore import Workspace
from codeexplore.graph import queries
from codeexplore.graph.traversal import MAX_POSSIBLE
from codeexplore.graph.usage.path_verdict import paths_between
from codeexplore.types import CallPath, Subgraph
from tests.graph_sources import graph_of, standings_of

PLACES = {
    "m.py": """
        LIMIT = 3
        class Alone:
            def spare(self): pass
        class Twin:
            def zap(self): pass
        class Brother:
            def zap(self): pass
        def loop(n):
            return loop(n - 1)
        def unseen(): pass
        def once(): pass
        def twice(): pass
        def thrice():
            thrice = 1
        def short():
            # short is told here
            pass
        table = ["once", twice]
        """,
    "other.py": "x = y.twice\nx.thrice = 1\nx.thrice += 2\nx.thrice += 3\n" + "\n" * 12 + "x.short\n",
    "third.py": "x.zap_it\nobj.once\n",
    "quiet.py": "def calm(): pass\n",
}


def _leads_along(path: CallPath) -> bool:
    """Every step of `path` is a call from a symbol to the next one."""
    steps = zip(path.edges, path.symbol_ids, strict=False)
    return all(edge.kind == "CALLS" and edge.source == symbol_id for edge, symbol_id in steps)


def asked(relation: str, *names: str, sources: dict[str, str] = PLACES, told: bool = True) -> Subgraph:
    usage_evidence = standings_of(sources)
    ids = [usage_evidence.graph.catalog.resolve(name).id for name in names]
    return queries.walk(usage_evidence.graph, relation, ids, usage_evidence=usage_evidence if told else None)


NOWHERE = "the name `{}` occurs nowhere else in its code"
NOT_ONE = "every place in its code that has the name `{}` is something else"


@pytest.mark.parametrize(
    ("relation", "names", "kind", "said"),
    [
        ("callers", ["unseen"], "none", f"No callers in this repository: {NOWHERE.format('unseen')}."),
        ("uses", ["unseen"], "none", f"No uses in this repository: {NOWHERE.format('unseen')}."),
        ("impact", ["unseen"], "none", f"No callers or users in this repository: {NOWHERE.format('unseen')}."),
        ("callees", ["unseen"], "none", "No callees in this repository."),
        ("uses", ["LIMIT"], "none", f"No uses in this repository: {NOWHERE.format('LIMIT')}."),
        (
            "callers", ["LIMIT"], "none",
            "A constant has no callers of its own: a call of its value is one of its uses; ask for its uses.",
        ),
        ("callees", ["LIMIT"], "none", "A constant calls nothing; ask for its uses."),
        ("callers", ["quiet"], "none", "A module is not called; ask what imports it."),
        ("callees", ["quiet"], "none", "Its top level calls nothing."),
        (
            "callers", ["quiet", "LIMIT"], "none",
            "A module or constant has no callers of its own: a call of its value is one of its uses; ask for its uses.",
        ),
        (
            "callers", ["LIMIT", "unseen"], "none",  # one of them may well be called
            "No callers in this repository: these names occur nowhere else in its code, "
            "or certainly mean something else.",
        ),
        (
            "implementors", ["unseen"], "none",
            "A function has no implementors; ask for the implementors of a type, or for the overrides of a method.",
        ),
        ("subclasses", ["Alone"], "none", f"No subclasses in this repository: {NOT_ONE.format('Alone')}."),
        ("callers", ["loop"], "none", "No callers in this repository but itself: it is recursive."),
        ("imports", ["quiet"], "none", f"No imports in this repository: {NOT_ONE.format('quiet')}."),
    ],
)  # fmt: skip
def test_an_empty_answer_says_what_it_means(relation: str, names: list[str], kind: str, said: str) -> None:
    found = asked(relation, *names).absence
    assert found is not None
    assert (found.kind, found.text, found.mentions) == (kind, said, ())


@pytest.mark.parametrize(
    ("name", "said", "lines"),
    [
        (
            "once", "1 other place mentions `once` (third.py:2); 1 string is exactly `once` (m.py:19)",
            {"m.py:19": "string", "third.py:2": "name"},
        ),
        (
            "thrice", "3 other places mention `thrice` (other.py:2, other.py:3 and 1 more)",
            {"other.py:2": "name", "other.py:3": "name", "other.py:4": "name"},
        ),
        # a line of its span, but of another file
        ("short", "1 other place mentions `short` (other.py:17)", {"other.py:17": "name"}),
    ],
)  # fmt: skip
def test_mentions_of_a_name_make_its_callers_possible(name: str, said: str, lines: dict[str, str]) -> None:
    found = asked("callers", f"m.{name}").absence
    assert found is not None
    assert (found.kind, found.text) == ("possible", f"No callers found; {said}.")
    assert {f"{use.site.path}:{use.site.line}": use.form for use in found.mentions} == lines


def kind_of(name: str, source: str, relation: str = "callers", **more: str) -> str:
    sources = {"m.py": source, **{f"{module}.py": text for module, text in more.items()}}
    found = asked(relation, name, sources=sources).absence
    assert found is not None
    return found.kind


def test_other_definitions_of_the_name_are_no_uses() -> None:
    source = "".join(f"class C{n}:\n    def zap(self): pass\n" for n in range(3))
    assert kind_of("C1.zap", source) == "none"


@pytest.mark.parametrize(
    ("why", "name", "source", "kind"),
    [
        ("a call on a receiver of another type", "A.zap",
         "class A:\n    def zap(self): pass\nclass B:\n    def zap(self): pass\ndef f(): B().zap()\n", "possible"),
        ("the own object's method", "A.zap",
         "class A:\n    def zap(self): pass\nclass B:\n    def zap(self): pass\n    def f(self): self.zap()\n", "none"),
        ("a bare name bound to another definition", "A.zap",
         "class A:\n    def zap(self): pass\ndef zap(): pass\ndef f(): zap()\n", "none"),
        ("a decorator that may register it", "m.zap", "import web\n@web.route('/')\ndef zap(): pass\n", "possible"),
        ("a computed name", "A.on_zap",
         "class A:\n    def on_zap(self): pass\n    def run(self, o, n): getattr(o, 'on_' + n)()\n", "possible"),
        ("a base from outside", "A._zap", "import lib\nclass A(lib.Base):\n    def _zap(self): pass\n", "possible"),
        ("handed on as a value", "m.zap", "def zap(): pass\ntable = {1: zap}\n", "possible"),
        ("code in a comment line", "m.zap", "def zap(): pass\n# zap()\n", "none"),
    ],
)  # fmt: skip
def test_nobody_is_said_only_where_no_reference_could_be_one(why: str, name: str, source: str, kind: str) -> None:
    assert kind_of(name, source) == kind, why


@pytest.mark.parametrize(
    ("path", "source", "said"),
    [
        ("m.ts", "export const make = () => {\n  return async function make2(c) {}\n}\n",
         "it is a function expression, and any code that gets its value may use it"),
        ("m.js", "app.get('/', [\n  async function make2(c) {},\n  done\n])\n",
         "it is a function expression, and any code that gets its value may use it"),
        ("m.ts", "const guarded = (read) =>\n  function make2(c) {\n    return read(c)\n  }\nexport default guarded\n",
         "it is a function expression, and any code that gets its value may use it"),
        ("m.ts", "function setup() {\n  global.make2 = (c) => run(c)\n}\n",
         "it is a function expression, and any code that gets its value may use it"),
        ("m.py", "def make2():\n    x = (1,\n    make2.(\n",
         "m.py could not be parsed everywhere, which may hide uses"),
        ("m.go", "package m\ntype Stats struct{}\nfunc (Stats) Make2() {}\n",
         "code outside this repository may call it through an interface that `Stats` satisfies"),
        ("M.java", "class M implements Serializable { Object readResolve() { return null; } }\n",
         "serialisation calls `readResolve`"),
        ("E.java", "class M { private static class E extends Exception {\n"
         " public synchronized Throwable fillInStackTrace() { return this; } } }\n",
         "making or printing an exception calls `fillInStackTrace`"),
        ("N.java", "class M extends Number { private Object writeReplace() { return null; } }\n",
         "serialisation calls `writeReplace`"),
        ("Made.java", "class M { int n; M() { n = 1; } static M of(Class<M> type) throws Exception {\n"
         " return type.getDeclaredConstructor().newInstance(); } }\n",
         "code that makes instances of types that it is given may call it (Made.java:2)"),
        ("M.cs", "class G : IIncrementalGenerator {}\nclass Printer {}\n",
         "source code that is generated may use it (M.cs:1)"),
        ("m.rs", "include!(concat!(env!(\"OUT_DIR\"), \"/a.rs\"));\nfn make2() {}\n",
         "source code that is generated may use it (m.rs:1)"),
        ("N.cs", "class Startup { public void Configure(App app) {} }\n",
         "`Configure` has the form of a hook, which a library may call"),
        ("m.swift", "struct A {}\nextension A: Decoder { public typealias Make2 = Int }\n",
         "A extends Decoder from outside this repository, which may call it"),
        ("m.rb", "module Fast\n  def make2; end\nend\nCLIENT.dup.extend(Fast)\n",
         "the members of Fast are added to objects at m.rb:4"),
        ("m.ex", "defmodule A do\n  defmacro m do\n    quote do\n      defp make2, do: 1\n    end\n  end\nend\n",
         "`make2` is a member of m, which the language or other code uses"),
    ],
)  # fmt: skip
def test_nobody_is_not_said_of_what_other_code_may_call(path: str, source: str, said: str) -> None:
    names = {"M.java": "readResolve", "m.go": "Make2", "M.cs": "Printer", "m.swift": "Make2", "N.cs": "Configure"}
    name = (names | {"N.java": "writeReplace", "E.java": "fillInStackTrace", "Made.java": "Made.java:M.M"}).get(
        path, "make2"
    )
    found = asked("callers", name, sources={path: source}).absence
    assert found is not None
    assert found.kind == "possible"
    assert found.text == f"No callers found, but {said}."


def test_a_note_on_one_overload_says_which() -> None:
    source = "public class A {\n  public void lone(int x) {}\n  protected void lone() {}\n  void lone(A a) {}\n}\n"
    found = asked("callers", *(f"A.java:A.lone{each}" for each in ("", "#2", "#3")), sources={"A.java": source})
    said = "Code outside this repository may use it: declared"
    assert found.notes == (f"{said} public (A.java:2)", f"{said} protected (A.java:3)")


def test_a_module_that_types_include_may_have_implementors() -> None:
    hook = "  def self.included(base)\n    base.extend Own\n  end\n"
    source = f"module Uses\n{hook}  module Own\n    def make2; end\n  end\nend\nmodule Alone; end\n"
    below = asked("implementors", "Own", sources={"m.rb": source}).reached
    assert [each.symbol_id for each in below if each.depth] == ["m.rb:Uses"]
    found = asked("implementors", "Alone", sources={"m.rb": source}).absence
    assert found is not None
    assert (
        found.text
        == "No implementors in this repository: every place in its code that has the name `Alone` is something else."
    )
    found = asked("callers", "make2", sources={"m.rb": source}).absence  # the hook adds it to no object of unknown type
    assert found is not None
    assert found.text == "No callers in this repository: the name `make2` occurs nowhere else in its code."


@pytest.mark.parametrize(
    ("path", "source", "name", "base", "said"),
    [
        ("M.java", "class M implements {} {{ void close() {{}} }}", "close", "AutoCloseable", "with resources calls"),
        ("M.java", "class M implements {} {{ int compareTo() {{}} }}", "compareTo", "Comparable", "collections call"),
        ("M.kt", "class M : {} {{\n  fun iterator() = 1\n}}", "iterator", "Iterable<Int>", "over the object calls"),
        ("M.cs", "class M : {} {{ void Dispose() {{}} }}", "Dispose", "IDisposable", "`using` calls"),
        ("M.swift", "struct M {{}}\nextension M: {} {{ func next() {{}} }}", "next", "IteratorProtocol", "`for` calls"),
    ],
)
def test_a_protocol_calls_only_methods_of_its_types(path: str, source: str, name: str, base: str, said: str) -> None:
    for given in (base, "Marker"):
        answer = asked("callers", name, sources={path: source.format(given) + "\n"})
        assert (f"{said} `{name}`" in str(answer.absence)) == (given == base)


@pytest.mark.parametrize(
    ("root", "declared", "seen"),
    [
        ("src/lib.rs", "pub mod a;", True),
        ("src/lib.rs", "mod a;", False),
        ("src/lib.rs", "pub(crate) mod a;", False),
        ("src/lib.rs", "mod a;\npub use a::{\n  lone as other,\n};", True),
        ("src/lib.rs", "mod a;\npub use crate::a::*;", True),
        ("src/lib.rs", "mod a;\npub use a::more;\nuse a::lone;", False),
        ("src/main.rs", "pub mod a;\nfn main() {}", False),
        ("src/app/main.rs", "pub mod a;\nfn main() {}", False),
    ],
)
def test_code_outside_uses_what_the_root_of_a_rust_library_offers(root: str, declared: str, seen: bool) -> None:
    path = f"{root.rpartition('/')[0]}/a.rs"
    sources = {root: declared + "\n", path: "pub fn lone() {}\npub fn more() {}\n", "Cargo.toml": "[package]\n"}
    said = ("Code outside this repository may use it: declared pub",)
    assert asked("callers", "lone", sources=sources).notes == (said if seen else ())


def test_a_rust_library_beside_a_program_offers_what_its_root_does() -> None:
    sources = {
        "Cargo.toml": "[package]\n",
        "src/lib.rs": "pub mod a;\nmod b;\n",
        "src/main.rs": "fn main() {}\n",
        "src/a.rs": "pub struct A;\nimpl A { pub fn lone(&self) {} }\n",
        "src/b.rs": "pub fn inner() {}\n",
    }
    notes = [asked("callers", name, sources=sources).notes for name in ("lone", "inner")]
    assert notes == [("Code outside this repository may use it: declared pub",), ()]


@pytest.mark.parametrize(
    ("path", "source", "seen"),
    [
        ("A.java", "class A { public void lone() {} }", False),
        ("A.java", "public class A { private static class In { public void lone() {} } }", False),
        ("A.java", "public class A { protected static class In { public void lone() {} } }", True),
        ("A.java", "class A { public void lone() {} }\npublic class B extends A {}", True),
        ("A.cs", "class A { public void lone() {} }", False),
        ("A.cs", "partial class A { public void lone() {} }\npublic partial class A { }", True),
        ("A.kt", "internal class A {\n  fun lone() {}\n}", False),
        ("A.kt", "class A {\n  fun lone() {}\n}", True),
        ("A.swift", "struct A { public func lone() {} }", False),
        ("A.swift", "public struct A { public func lone() {} }", True),
        ("A.swift", "public struct A {}\npublic extension A { func lone() {} }", True),
        ("A.swift", "public struct A {}\npublic extension A { private func lone() {} }", False),
        ("a.zig", "pub fn lone() void {}", True),
        ("a.zig", "fn lone() void {}", False),
        ("a.zig", "const A = struct {\n    pub fn lone() void {}\n};", False),
        ("a.zig", "pub const A = struct {\n    pub fn lone() void {}\n};", True),
        ("A.scala", "package p\nprivate[p] class A { def lone() = 1 }", False),
        ("a.ts", "class A { lone() {} }\nexport function made(): A { return new A() }", True),
        ("a.ts", "class A { lone() {} }\nfunction made(): A { return new A() }", False),
        ("a.ts", "export namespace A { export function lone() {} }", True),
        ("a.ts", "namespace A { export function lone() {} }", False),
        ("a/a.go", "package a\ntype a struct{}\nfunc (x a) Lone() {}", False),
        ("a/a.go", "package a\ntype a struct{}\nfunc (x a) Lone() {}\nfunc New() *a { return &a{} }", True),
        ("a/a.go", "package a\ntype a struct{}\nfunc (x a) Lone() {}\ntype B struct { a }", True),
        ("a/a.go", "package main\nfunc main() {}\nfunc Lone() {}", False),
    ],
)
def test_code_outside_uses_a_member_only_if_it_gets_the_type(path: str, source: str, seen: bool) -> None:
    found = asked("callers", "Lone" if path.endswith(".go") else "lone", sources={path: source + "\n"})
    assert any(note.startswith("Code outside this repository may use it") for note in found.notes) == seen


@pytest.mark.parametrize(
    ("path", "name", "source"),
    [
        ("a.py", "Box.show", "class Box:\n def show(self): pass\ndef go():\n Box().show()\n (a + b).show()\n"),
        ("a.rs", "Box::show", "struct Box;\nimpl Box { fn show(&self) {} }\n"
         "fn go(b: Box) {\n b.show();\n (a + b).show();\n}\n"),
        ("A.java", "Box.show", "class Box { void show() {} }\n"
         "class A { void go(Box b) {\nb.show();\n(x + y).show();\n} }"),
        ("a.py", "Box.show", "import far\nclass Box:\n def show(self): pass\n"
         "def go():\n Box().show()\n far.find().show()\n"),
        ("a.js", "Box.show", 'import { find } from "far";\nclass Box { show() {} }\nfunction go() {\n'
         "  new Box().show();\n  find().show();\n}\n"),
    ],
)  # fmt: skip
def test_a_call_on_an_expression_may_be_one_more(path: str, name: str, source: str) -> None:
    verdict = asked("callers", name, sources={path: source}).verdict
    assert verdict is not None
    assert "1 more call of `show` may mean it too" in verdict.text


def test_a_lambda_may_implement_an_interface_of_one_method() -> None:
    one = "interface Job { void run(); default void twice() { run(); } }\nclass A { Job job() { return () -> {}; } }\n"
    found = asked("implementors", "Job", sources={"A.java": one}).absence
    assert found is not None
    assert (found.kind, "a lambda or a reference to a method may implement" in found.text) == ("unknown", True)
    two = asked(
        "implementors", "Job", sources={"A.java": one.replace("default void twice() { run(); }", "void stop();")}
    )
    assert two.absence is not None
    assert two.absence.kind == "none"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.c", "typedef int (*Reader)(void *);\ntypedef int Number;\n"),
        ("a.go", "package a\ntype Reader func(int) int\ntype Number int\n"),
        ("a.rs", "pub type Reader = fn(i32) -> i32;\npub type Number = i32;\n"),
    ],
)
def test_functions_of_its_parameters_may_implement_a_type_of_functions(tmp_path: Path, path: str, text: str) -> None:
    ws = loaded(tmp_path, {path: text})
    assert "`Reader` is a type of functions" in str(ws.implementors("Reader").verdict)
    assert "is a type of functions" not in str(ws.implementors("Number").verdict)


def test_methods_of_one_name_override_a_member_of_an_outside_type() -> None:
    source = "class A { @Override public String toString() { return a; } }\n"
    sources = {"A.java": source, "B.java": source.replace("class A", "class B")}
    found = asked("overrides", "A.toString", "B.toString", sources=sources).absence
    assert found is not None
    said = "2 methods of this name override a member of an outside type (A.toString, B.toString)"
    assert (found.kind, found.text) == ("possible", f"No overrides found; {said}.")


@pytest.mark.parametrize(
    ("path", "source", "above", "below"),
    [
        ("a.py", "class A:\n    def m(self): ...\nclass B:\n    def m(self): ...\nclass C(B, A): pass\n", "A.m", "B.m"),
        (
            "A.java",
            "interface A { int m(int i); }\nclass B { int m(String s) { return 1; } int m(int i) { return 2; } }\n"
            "class C extends B implements A { }\n",
            "A.m",
            "B.m",
        ),
        (
            "a.php",
            "<?php\ninterface A { function m(); }\ntrait B { function m() {} }\nclass C implements A { use B; }\n",
            "A::m",
            "B::m",
        ),
        (
            "a.php",
            "<?php\ninterface A { function m(); }\ntrait T { abstract function m(); }\n"
            "class B implements A { use T; function m() {} }\n",
            "A::m",
            "B::m",
        ),
        (
            "a.rb",
            "module B\n  def m; 1; end\nend\nclass A\n  def m; 2; end\nend\nclass C < A\n  prepend B\nend\n",
            "A#m",
            "B#m",
        ),
    ],
)
def test_a_method_overrides_those_of_every_supertype(path: str, source: str, above: str, below: str) -> None:
    found = asked("overrides", above, sources={path: source})
    assert [below in each.symbol_id for each in found.reached if each.depth] == [True]


@pytest.mark.parametrize(
    ("path", "source", "name", "said"),
    [
        ("A.java", "interface F { int run(); }\nclass U { F f = () -> 3; }\n", "F.run", "a lambda"),
        ("a.kt", "fun interface F { fun run(): Int }\nval f = F { 3 }\n", "F", "a lambda"),
        ("a.kt", "fun interface F { fun run(): Int }\nval f = F { 3 }\n", "F.run", "a lambda"),
        ("a.scala", "trait F { def run(): Int }\nobject U { val f: F = () => 4 }\n", "F.run", "a lambda"),
        (
            "src/lib.rs",
            "trait T { fn m(&self); }\nmacro_rules! i { ($t:ty) => { impl T for $t { fn m(&self) {} } } }\ni!(u8);\n",
            "T::m",
            "1 place perhaps declares a subtype of `T` (src/lib.rs:2)",
        ),
        ("a.py", "class T:\n    def m(self): ...\nW = type('W', (T,), {})\n", "T.m", "a subtype of `T` (a.py:3)"),
        (
            "a.py",
            "class T:\n    def m(self): ...\nW = type(\n    'W', (T,), {}\n)\n",
            "T.m",
            "a subtype of `T` (a.py:4)",
        ),
    ],
)
def test_subtypes_that_do_not_name_the_type_may_override(path: str, source: str, name: str, said: str) -> None:
    found = asked("overrides", name, sources={path: source}).absence
    assert found is not None
    assert said in found.text


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("a.kt", "interface F { fun run(): Int }\nfun f(x: F) = x.run()\n"),
        ("a.php", "<?php\nclass F { function run() {} }\nfunction f($x) { $x->make(F::class)->y(new F()); }\n"),
        ("src/lib.rs", "pub struct F;\nimpl F { pub fn run(&self) { let x = F; x.go(); } }\n"),
        ("a.py", "class F:\n    def run(self): ...\nALL = (\n    F, 1,\n)\n"),
    ],
)
def test_uses_of_a_type_are_no_subtypes(path: str, source: str) -> None:
    for name in ("F", "F.run"):
        found = asked("overrides" if "." in name else "implementors", name, sources={path: source}).absence
        assert found is not None
        assert found.kind == "none"


def test_a_possible_read_of_an_overridden_attribute_is_a_place_to_look_at() -> None:
    source = (
        "class A:\n    tag = 'b'\n    def show(self): return self.tag\n"
        "class B(A): tag = 'w'\nclass C(A): tag = 's'\nB().show(); C().show()\n"
    )
    found = asked("uses", "B.tag", sources={"m.py": source}).absence
    assert found is not None
    assert found.text == "No uses found; 1 other place mentions `tag` (m.py:3)."


@pytest.mark.parametrize(
    ("sources", "name", "said"),
    [
        (
            {"a.rb": "class A\n  def go; wide; end\n  def wide; 1; end\nend\ndef f(a)\n  def a.wide() 3 end\nend\n"},
            "a.rb:6",
            "it is a member of an object",
        ),
        (
            {
                "named.ts": "export const label = () => 1;\n",
                "named.browser.ts": "export const label = () => {};\n",
                "b.ts": "import { label } from './named';\nlabel();\n",
            },
            "named.browser.ts:1",
            "its file may be loaded in place of named.ts",
        ),
        ({"a.php": "<?php\nclass ABench { function benchOne() {} }\n"}, "a.php:2", "has the form of a hook"),
        (
            {"a.php": "<?php\nclass W {\n\n function url_stat() {}\n}\nstream_wrapper_register('g', W::class);\n"},
            "a.php:4",
            "a class that is registered as a stream wrapper",
        ),
    ],
)
def test_what_runs_in_place_of_another_is_not_denied(
    tmp_path: Path, sources: dict[str, str], name: str, said: str
) -> None:
    workspace = loaded(tmp_path, sources)
    path, _, line = name.partition(":")
    symbol = next(
        s for s in workspace.symbols if s.path == path and s.line == int(line) and s.kind in ("function", "method")
    )
    verdict = workspace.callers(symbol).verdict
    assert verdict is not None
    assert said in verdict.text


def test_a_trait_uses_private_fields_of_the_classes_that_mix_it_in(tmp_path: Path) -> None:
    trait = "<?php\ntrait Deco {\n function init($s) { $this->stream = $s; }\n}\n"
    sources = {"Deco.php": trait, "None.php": "<?php\nfinal class None {\n use Deco;\n private $stream;\n}\n"}
    verdict = loaded(tmp_path, sources).uses("None.stream").verdict
    assert verdict is not None
    assert verdict.text == "No uses found; 1 other place mentions `stream` (Deco.php:3)."


def test_other_capitals_of_php_mention_a_function_and_no_value() -> None:
    text = "<?php\nclass Keys { const EXPECT = 'a'; }\nfunction expect() {}\n$a['expect'] = Expect($expect);\n"
    absence = asked("uses", "Keys::EXPECT", sources={"a.php": text}).absence
    assert absence is not None
    assert absence.kind == "none"
    assert asked("callers", "expect", sources={"a.php": text}).absence is None


def test_a_word_in_a_string_declares_no_subtype() -> None:
    source = "<?php\nclass Stream { function size() {} }\nclass M { const T = ['class' => 'Stream class']; }\n"
    found = asked("overrides", "Stream::size", sources={"a.php": source}).absence
    assert found is not None
    assert found.kind == "none"


def test_a_path_leads_to_the_making_of_an_object_whose_constructor_is_inherited(tmp_path: Path) -> None:
    text = "class Base:\n    def __init__(self, m): ...\nclass Sub(Base): pass\n"
    text += "def make(): return Sub(1)\ndef go(): make()\n"
    found = loaded(tmp_path, {"a.py": text})
    assert "go → make → Sub" in str(found.paths("go", "Sub"))
    assert found.paths("make", "Sub").verdict.kind == "found"


def test_constants_that_are_looked_up_and_scripts_that_call_are_not_denied(tmp_path: Path) -> None:
    text = "class Color\n  RED = 1\n  def look(n)\n    self.class.const_get(n.upcase)\n  end\nend\nRunner.start\n"
    found = loaded(tmp_path, {"color.rb": text})
    assert "code finds constants by names that it computes at color.rb:4" in str(found.uses("Color::RED"))
    assert "1 reference could not be resolved" in str(found.callees("color.rb"))


def test_overrides_of_kotlin_are_no_other_symbols(tmp_path: Path) -> None:
    text = "abstract class A { abstract val konst: Int; fun f(): Int { return konst } }\n"
    text += "internal class B : A() { override val konst: Int get() = 3 }\n"
    text += "abstract class N<BufferT> { abstract fun str(b: BufferT): String; fun g(b: BufferT) = str(b) }\n"
    text += 'internal class W : N<String>() { override fun str(b: String): String = "x" }\n'
    found = loaded(tmp_path, {"a.kt": text})
    assert "A.f  method  a.kt:1  may call by an overriding method at line 1" in str(found.uses("B.konst"))
    assert [symbol.fqn for symbol in found.overrides("N.str")] == ["W.str"]
    assert [symbol.fqn for symbol in found.callers("W.str")] == ["N.g"]


def test_required_methods_of_two_supertypes_do_not_override_one_another() -> None:
    source = "interface A { int m(); }\ninterface B { int m(); }\nabstract class C implements A, B { }\n"
    assert not any(each.depth for each in asked("overrides", "A.m", "B.m", sources={"A.java": source}).reached)


def test_an_impl_of_an_outside_trait_is_an_override_itself() -> None:
    source = "struct A;\nstruct B;\nimpl From<A> for B {\n    fn from(_: A) -> B { B }\n}\nimpl B { fn plain() {} }\n"
    found = asked("overrides", "B::from", sources={"src/m.rs": source}).absence
    assert found is not None
    said = "crate::m::B::from itself overrides a member of an outside type"
    assert (found.kind, found.text) == ("possible", f"No overrides found; {said}.")
    other = asked("overrides", "B::plain", sources={"src/m.rs": source}).absence
    assert other is not None
    assert other.kind == "none"


def test_a_special_method_overrides_an_outside_member_only_below_an_outside_type() -> None:
    source = "class Plain:\n    def __call__(self): ...\nclass Table(Base):\n    def __missing__(self, key): ...\n"
    plain, table = (
        asked("overrides", name, sources={"m.py": f"from other import Base\n{source}"}).absence
        for name in ("m.Plain.__call__", "m.Table.__missing__")
    )
    assert plain is not None
    assert plain.kind == "none"
    assert table is not None
    assert "m.Table.__missing__ itself overrides a member of an outside type" in table.text


def test_objects_with_the_members_of_a_type_may_override_them() -> None:
    source = "export type Plugin = { setup?(): void };\nexport class Plain { stop() {} }\n"
    found = {
        name: asked("overrides", name, sources={"a.ts": source}).absence for name in ("Plugin.setup", "Plain.stop")
    }
    said = "There may be some: a value that fits `Plugin` need not name it."
    assert [(each.kind, said in each.text) for each in found.values() if each] == [("unknown", True), ("none", False)]


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "No callers in this repository"),
        ({"build/names.rs": "pub const TEXT: &str = \"fn f() { make2() }\";\n"},
         "generated may use it (src/m.rs:1): its generator or data have the name (build/names.rs:1)"),
        ({"data/map.toml": "target = \"make2\"\n"},
         "generated may use it (src/m.rs:1): its generator or data have the name (data/map.toml:1)"),
        ({"src/other.rs": "// make2\n"}, "No callers in this repository"),
    ],
)  # fmt: skip
def test_generated_code_uses_only_names_that_its_generator_has(files: dict[str, str], said: str) -> None:
    sources = {
        "src/m.rs": 'include!(concat!(env!("OUT_DIR"), "/a.rs"));\nfn make2() {}\n',
        "build/main.rs": 'fn main() { write(std::env::var("OUT_DIR").unwrap()) }\n',
    }
    found = asked("callers", "make2", sources=sources | files)
    assert found.absence is not None
    assert said in " ".join((found.absence.text, *found.notes))


def test_a_place_that_resolves_elsewhere_says_where_it_leads() -> None:
    source = "class A:\n    def zap(self): pass\nclass B:\n    def zap(self): pass\ndef f(): B().zap()\n"
    found = asked("callers", "A.zap", sources={"m.py": source}).absence
    assert found is not None
    assert [(use.site.line, use.targets, use.receiver) for use in found.mentions] == [(5, ("m.B.zap",), True)]
    assert found.text == "No callers found; 1 use of `zap` resolves to m.B.zap (m.py:5)."


def test_without_texts_an_absence_is_unknown() -> None:
    found = asked("callers", "once", told=False).absence
    assert found is not None
    assert found.kind == "unknown"


def test_no_seed_is_reported() -> None:
    graph = graph_of(PLACES)
    found = queries.walk(graph, "callers", []).absence
    assert found is not None
    assert found.text == "There is no symbol to start from."


@pytest.mark.parametrize("number", [1, 3, MAX_POSSIBLE + 5])
def test_calls_on_unknown_receivers_are_counted_and_listed(number: int) -> None:
    calls = "".join(f"def f{n}(x): x.zap_all()\n" for n in range(number))
    answer = asked("callers", "A.zap_all", sources={"m.py": f"class A:\n    def zap_all(self): pass\n{calls}"})
    found = answer.absence
    assert found is not None
    assert found.kind == "possible"
    assert len(found.mentions) == number
    calls = "1 call" if number == 1 else f"{number} calls"
    assert found.text.startswith(
        f"No callers found; {calls} of `.zap_all` on receivers of unknown type may mean it (m.py:3"
    )


def test_callees_that_are_not_resolved_are_possible() -> None:
    found = asked("callees", "m.f", sources={"m.py": "import os\ndef f(x):\n    x.zap()\n    os.getcwd()\n"}).absence
    assert found is not None
    assert found.kind == "possible"
    assert [use.site.line for use in found.mentions] == [3]
    assert "outside names used: os.getcwd" in found.text


def test_other_places_with_the_name_of_a_value_are_listed_beside_its_uses() -> None:
    sources = {
        "a.py": "import m\ndef late(): return m.LIMIT + 1\n",
        "m.py": "LIMIT = {1}\ndef one(): return LIMIT[0]\ndef two(x): x.LIMIT = 2\ndef three(x): return x in LIMIT\n",
    }
    found = asked("uses", "m.LIMIT", sources=sources)
    assert [edge.source.split(":")[1] for edge in found.edges] == ["a.late", "m.one", "m.three"]
    assert [(use.site.path, use.site.line) for use in found.mentions] == [("m.py", 3)]
    assert asked("callers", "m.one", sources=sources).mentions == ()
    assert asked("uses", "m.LIMIT", sources=sources, told=False).mentions == ()


def test_a_constant_may_be_called() -> None:
    sources = {"m.ts": "export const both = dual(2, (a, b) => a)\nexport const limit = 3\n",
               "use.ts": "import { both, limit } from './m'\nfunction run() { both(1); read(limit) }\n"}  # fmt: skip
    assert [edge.source for edge in asked("callers", "m.both", sources=sources).edges] == ["use.ts:use.run"]
    found = asked("callers", "m.limit", sources=sources).absence
    assert found is not None
    assert (found.kind, found.text) == (
        "none", "A constant has no callers of its own: a call of its value is one of its uses; ask for its uses.",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("path", "source", "kind"),
    [
        ("m.ts", "const idle = globalThis.idle\nfunction run() { idle(1) }\n", "CALLS"),
        ("m.py", "import other\nidle = other.idle\ndef run(): idle()\n", "USES"),
    ],
)
def test_a_call_of_a_constants_value_may_be_a_use_of_the_constant(path: str, source: str, kind: str) -> None:
    """A function of the repository is called itself, and the constant is read; of an unknown value, it is called."""
    sources = {path: source, "other.py": "def idle(): pass\n"}
    usage_evidence = standings_of(sources)
    constant = next(s for s in usage_evidence.graph.catalog.symbols if s.kind == "constant")
    found = queries.walk(usage_evidence.graph, "uses", [constant.id], usage_evidence=usage_evidence)
    assert [(edge.kind, edge.source) for edge in found.edges] == [(kind, f"{path}:m.run")]


@pytest.mark.parametrize(
    ("name", "kind", "said"),
    [
        ("Own.stop", "possible", "No uses found; 1 use of `stop` resolves to m.Base.stop (m.py:2)."),
        ("Far.stop", "possible", "No uses found; 1 use of `stop` resolves to m.Base.stop (m.py:2)."),
        ("Apart.stop", "none", "everywhere else the name `stop` certainly means something else"),
        (
            "pack.tool.Found",
            "possible",
            "1 call of `Found` may mean it (bench/run.py:2); 1 other place mentions",
        ),
        ("other.Found", "none", "everywhere else the name `Found` certainly means something else"),
    ],
)
def test_what_may_be_another_definition_is_not_excluded(name: str, kind: str, said: str) -> None:
    found = asked("uses", name, sources={
        "m.py": """class Base:
            def go(self): later(self.stop)
            def stop(self): pass
        class Own(Base):
            def stop(self): pass
        class Far(Own):
            def stop(self): pass
        class Apart:
            def stop(self): pass
        """,
        "pack/__init__.py": "", "pack/tool.py": "class Found: pass\n", "other.py": "class Found: pass\n",
        "bench/run.py": "from tool import Found\nFound()\n",
    }).absence  # fmt: skip
    assert found is not None
    assert found.kind == kind
    assert said in found.text


@pytest.mark.parametrize(
    ("path", "source", "lines"),
    [
        (
            "m.py",
            "class A:\n    @property\n    def n(self): return 1\n    @n.setter\n    def n(self, value): pass\n"
            "    def more(self): self.n += 1\n",
            [6],
        ),
        ("m.js", "class A {\n  get n() { return 1 }\n  set n(value) {}\n  more() { this.n++ }\n}\n", [4]),
    ],
)
def test_accessors_of_a_property_are_used_together(path: str, source: str, lines: list[int]) -> None:
    evidence = standings_of({path: source})
    graph = evidence.graph
    accessors = [symbol for symbol in graph.catalog.symbols if symbol.name == "n" and symbol.kind == "method"]
    assert len(accessors) == 2
    for symbol in accessors:
        found = queries.walk(graph, "callers", [symbol.id], usage_evidence=evidence)
        places = [] if found.absence is None else [use.site.line for use in found.absence.mentions]
        assert places == lines or found.edges


@pytest.mark.parametrize(
    ("name", "kind", "said"),
    [
        ("m.A", "none", "No supertypes in this repository."),
        ("m.B", "none", "No supertypes in this repository; from outside: lib.Base."),
        ("m.C", "possible", "No supertypes found in this repository; make().A could not be resolved for certain."),
    ],
)
def test_supertypes_that_the_source_names_are_told(name: str, kind: str, said: str) -> None:
    source = "import lib\ndef make(): return lib\nclass A: pass\nclass B(lib.Base): pass\nclass C(make().A): pass\n"
    evidence = standings_of({"m.py": source})
    ids = [evidence.graph.catalog.resolve(name).id]
    found = queries.walk(evidence.graph, "subclasses", ids, direction="out", usage_evidence=evidence).absence
    assert found is not None
    assert (found.kind, found.text) == (kind, said)


# --------------------------------------------------------------------------- beside an answer


NOTED = {"m.py": "".join(f"def f{n}(): pass\n" for n in range(4)), "m.go": "package m\nfunc main() {}\n"}


def test_what_may_use_a_symbol_is_told_of_few_seeds_only() -> None:
    public = "Code outside this repository may use it: its name is public"
    assert asked("callers", "f1", sources=NOTED).notes == (public,)
    assert asked("impact", "f0", sources=NOTED).notes == (public,)
    started = asked("uses", "f1", "f2", "main", sources=NOTED)
    assert started.notes == (public,)  # the verdict has the other one
    assert started.absence is not None
    assert "the language or a launcher calls it by its name" in started.absence.text
    assert asked("callers", "f0", "f1", "f2", "f3", sources=NOTED).notes == ()


@pytest.mark.parametrize("relation", ["callees", "imports", "implementors"])
def test_who_may_use_a_symbol_belongs_to_questions_about_users(relation: str) -> None:
    assert asked(relation, "f1", sources=NOTED).notes == ()


def test_who_may_use_a_symbol_is_not_told_against_the_relation() -> None:
    known = standings_of(NOTED)
    answer = queries.walk(known.graph, "callers", ["m.py:m.f1"], direction="out", usage_evidence=known)
    assert answer.notes == ()


USED = {
    "kinds.py": """
        class Held:
            pass
        class Loose:
            pass
        def handed():
            pass
        def taken():
            pass
        """,
    "users.py": """
        from kinds import Held, Loose, handed, taken
        def holds(each: Held) -> None:
            table = [handed]
        def holds_too(each: Held) -> None:
            x.Held = 1
        """,
}


@pytest.mark.parametrize(
    ("relation", "name", "said"),
    [
        (
            "callers", "Held",
            "1 other place mentions `Held` (users.py:6); 2 symbols use it without a call; 1 module imports it. "
            "ws.uses() lists what uses it; ws.imports() lists what imports it",
        ),
        (
            "callers", "handed",
            "1 symbol uses it without a call; 1 module imports it. ws.uses() lists what uses it; "
            "ws.imports() lists what imports it",
        ),
        ("callers", "taken", "1 module imports it. ws.imports() lists what imports it"),
        ("uses", "Loose", "1 module imports it. ws.imports() lists what imports it"),
    ],
)  # fmt: skip
def test_other_uses_are_reported_beside_an_absence(relation: str, name: str, said: str) -> None:
    found = asked(relation, name, sources=USED)
    assert found.absence is not None
    assert (found.absence.kind, str(found.absence)) == ("possible", f"No {relation} found; {said}.")


# --------------------------------------------------------------------------- no path

JOINED = {
    "m.py": """
        def start(x): middle(x)
        def middle(x): x.serve()
        class Server:
            def serve(self): finish()
        class Other:
            def serve(self): pass
        def finish(): pass
        def apart(): pass
        def typed(): Other().serve()
        def guess(x): x.only_one()
        class One:
            def only_one(self): finish()
        """
}


@pytest.mark.parametrize(
    ("source", "kind", "lines"),
    [
        ("start", "possible", [3]),  # on the way, a call on a receiver of unknown type
        ("typed", "none", []),  # the receiver has another class
        ("guess", "possible", [11]),  # an edge by name alone
        ("apart", "none", []),
    ],
)
def test_no_calls_lead_there_is_said_only_where_it_is_known(source: str, kind: str, lines: list[int]) -> None:
    graph = graph_of(JOINED)
    ends = [graph.catalog.resolve(f"m.{name}").id for name in (source, "finish")]
    found = paths_between(graph, ends[:1], ends[1:]).verdict
    assert found is not None
    assert found.kind == kind
    assert [use.site.line for use in found.mentions] == lines


def test_paths_over_uncertain_calls_are_called_possible() -> None:
    sources = {
        "m.py": """
            def start(x): x.only_one()
            class One:
                def only_one(self): self.go()
                def go(self): finish()
            def finish(): pass
            def apart(): pass
            """
    }
    graph = graph_of(sources)
    start, finish, apart = (graph.catalog.resolve(f"m.{name}").id for name in ("start", "finish", "apart"))
    found = paths_between(graph, [start], [finish])
    assert found.verdict is not None
    assert (found.verdict.kind, found.verdict.min_confidence) == ("possible", 0.5)
    assert found.verdict.headline == "1 possible path from m.start to m.finish"
    text = "it has 3 calls, start → only_one → go → finish; uncertain (m.py:2)."
    assert found.verdict.text == f"{found.verdict.headline}: {text}"
    assert [_leads_along(path) for path in found.paths] == [True]
    known = paths_between(graph, [start], [apart]).verdict
    assert known is not None
    assert (known.kind, known.min_confidence) == ("none", None)


HANDED = {
    "Reader.java": "package a;\ninterface Reader { int read(int n); }\n",
    "Gate.java": """
        package a;
        class Gate {
            Reader reader;
            int open() { return reader.read(2); }
            void put(Object made) { reader = made instanceof Reader one ? one : null; }
            <T> T make(Class<T> type) throws Exception { return type.getDeclaredConstructor().newInstance(); }
        }
        """,
    "Use.java": """
        package a;
        class Use {
            int n;
            Use() { n = 1; }
            static int low(int n) { return n; }
            void set(Gate gate) { gate.put((Reader) n -> low(n)); }
        }
        """,
    "Main.java": """
        package a;
        class Main {
            int run() { return new Gate().open(); }
            Object made() throws Exception { return new Gate().make(null); }
            int other() { return 1; }
        }
        """,
}


@pytest.mark.parametrize(
    ("source", "target", "said"),
    [
        ("run", "low", "calls of a.Reader.read may run a function without a name that leads there (Use.java:7)."),
        ("other", "low", ""),  # nothing calls a method that a lambda may implement
        ("made", "Use", "1 unresolved call may connect them (Gate.java:7)."),
        ("other", "Use", ""),
    ],
)
def test_no_path_is_denied_through_what_a_lambda_implements_or_reflection_makes(
    source: str, target: str, said: str, tmp_path: Path
) -> None:
    for path, text in HANDED.items():
        (tmp_path / path).write_text(dedent(text), "utf-8")
    workspace = Workspace(tmp_path, workers=0, cache=False, progress=lambda *step: None)
    found = workspace.paths(f"a.Main.{source}", f"Use.java:a.Use.{target}").verdict
    assert found is not None
    assert found.kind == ("possible" if said else "none")
    assert found.text.endswith(said)


# Two functions of one name in four languages: only the second leads to the end, over a call of unknown target.
TWINS = {
    "python": {
        "bench.py": """
            def main(): stamp()
            def stamp(): pass
            """,
        "app.py": """
            from core import finish
            def main(x): x.only_here()
            class Worker:
                def only_here(self): finish()
            """,
        "core.py": "def finish(): pass",
    },
    "javascript": {
        "bench.js": """
            export function main() { stamp(); }
            function stamp() {}
            """,
        "app.js": """
            import { finish } from './core.js';
            export function main(x) { x.onlyHere(); }
            class Worker { onlyHere() { finish(); } }
            """,
        "core.js": "export function finish() {}",
    },
    "go": {
        "bench/bench.go": """
            package main
            func main() { stamp() }
            func stamp() {}
            """,
        "app/app.go": """
            package main
            func main() { made().onlyHere() }
            type Worker struct{}
            func (w Worker) onlyHere() { finish() }
            func finish() {}
            """,
    },
    "cpp": {
        "bench.cpp": """
            void stamp() {}
            int main() { stamp(); }
            """,
        "app.cpp": """
            void finish() {}
            struct Worker { void only_here() { finish(); } };
            int main() { auto x = made(); x.only_here(); }
            """,
    },
}


@pytest.mark.parametrize("language", TWINS)
def test_every_meaning_of_a_name_is_tried_before_a_path_is_denied(language: str) -> None:
    graph = graph_of(TWINS[language])
    ends = [
        [s.id for s in graph.catalog.symbols if s.name == name and s.kind == "function"] for name in ("main", "finish")
    ]
    assert len(ends[0]) == 2
    for order in (ends[0], ends[0][::-1]):
        found = paths_between(graph, order, ends[1])
        assert found.paths
        assert "app" in found.source
        assert found.verdict is not None
        assert found.verdict.headline.startswith("1 possible path from ")
        assert all(map(_leads_along, found.paths))


def test_a_function_that_is_handed_on_may_be_called() -> None:
    sources = {
        "m.py": """
            TABLE = {}
            def start(args): args.run(fill)
            def fill(): TABLE["x"] = command
            def command(): finish()
            def finish(): pass
            def alone(args): print(args)
            """
    }
    graph = graph_of(sources)
    start, finish, alone = ([graph.catalog.resolve(f"m.{name}").id] for name in ("start", "finish", "alone"))
    found, none = paths_between(graph, start, finish).verdict, paths_between(graph, alone, finish).verdict
    assert found is not None
    assert none is not None
    assert (found.kind, found.text) == (
        "possible",
        "No certain path from m.start to m.finish: 1 unresolved call may connect them (m.py:3).",
    )
    assert none.kind == "none"


def loaded(root: Path, files: dict[str, str]) -> Workspace:
    for name, text in files.items():
        (root / name).write_text(text)
    return Workspace(root, workers=0, cache=False)


@pytest.mark.parametrize(
    ("path", "hook"),
    [("a.c", "static int (*hook)(int);"), ("a.c", "int (*hook)(int) = 0;"), ("a.cc", "static int (*hook)(int);")],
)
@pytest.mark.parametrize("call", ["hook(x)", "(*hook)(x)"])
def test_a_called_variable_may_hold_a_function_that_is_handed_on(
    tmp_path: Path, path: str, hook: str, call: str
) -> None:
    text = f"{hook}\nint run(int x) {{ return {call}; }}\nvoid set(int (*f)(int)) {{ hook = f; }}\n"
    text += "static int mine(int x) { return x + 1; }\nint alone(int x) { return x; }\n"
    ws = loaded(tmp_path, {path: text + "int main(void) { set(mine); return run(1); }\n"})
    assert f"1 unresolved call may connect them ({path}:2)" in str(ws.paths("run", "mine"))
    assert "no unresolved call connects them" in str(ws.paths("alone", "mine").absence)


def test_a_property_that_is_read_on_an_unknown_receiver_may_connect(tmp_path: Path) -> None:
    text = "class Node { val place: Int\n get() = far() }\nfun far() = 1\n"
    text += "fun go(all: Map) { for ((a, b) in all) a.place }\n"
    ws = loaded(tmp_path, {"a.kt": text})
    verdict = ws.paths("go", "far").verdict
    assert verdict is not None
    assert verdict.kind == "possible"


def test_one_meaning_of_a_name_may_call_another(tmp_path: Path) -> None:
    source = "class Query:\n    def run(self): pass\n\nclass Cmd:\n    def run(self, q: Query): q.run()\n"
    answer = loaded(tmp_path, {"a.py": source}).search("who calls run?")
    assert answer.verdict is not None
    assert answer.verdict.kind == "found"
    assert answer.verdict.text.startswith("1 caller of ")


@pytest.mark.parametrize(
    ("name", "text", "target"),
    [
        ("a.cpp", "struct B { B() {} };\nstruct C : B { C() {} };\n", "C::C"),
        ("a.d.ts", "export declare class A { go(): void; }\n", "A.go"),
    ],
)
def test_what_the_text_does_not_show_may_be_called(tmp_path: Path, name: str, text: str, target: str) -> None:
    absence = loaded(tmp_path, {name: text}).callees(target).absence
    assert absence is not None
    assert absence.kind == "unknown"


@pytest.mark.parametrize(
    ("name", "text", "caller", "kind", "said"),
    [
        ("a.py", "class A:\n    def go(self): pass\nclass B:\n    def go(self): pass\n", "A.go", "none", ""),
        (
            "a.py",
            "def go(): return lambda: g(1)\ndef g(x): pass\n",
            "go",
            "possible",
            "functions without a name in it call 1",
        ),
        (
            "a.swift",
            "struct A: P { var n: Int\n func go() -> Int { n + title } }\n",
            "A.go",
            "found",
            "1 symbol called by A.go",
        ),
        (
            "a.php",
            "<?php class Log { function start() {} }\n"
            "class Box implements ArrayAccess { static function get(): self {} }\n"
            "function go() { Box::get()->log->start(); }\n",
            "go",
            "found",
            "1 more call in it could not be resolved (a.php:3)",
        ),
        (
            "a.php",
            "<?php class HttpError extends RuntimeException { function title() {} }\n"
            "class A { function go(Throwable $e) { if ($e instanceof HttpError) { $e->title(); } } }\n",
            "A::go",
            "possible",
            "1 reference could not be resolved",
        ),
    ],
    ids=[
        "its own head",
        "a closure",
        "a property of a supertype",
        "the value of a field",
        "a subtype of an outside type",
    ],
)
def test_callees_are_complete_or_say_so(
    tmp_path: Path, name: str, text: str, caller: str, kind: str, said: str
) -> None:
    beside = {"b.swift": "protocol P { var n: Int { get } }\nextension P { var title: Int { 1 } }\n"}
    verdict = loaded(tmp_path, {name: text} | (beside if name == "a.swift" else {})).callees(caller).verdict
    assert verdict is not None
    assert verdict.kind == kind
    assert said in verdict.text


@pytest.mark.parametrize(
    ("path", "base", "one", "users", "method", "callers"),
    [
        ("m.py", "class A:\n    def zap(self): pass\n", "class {}(A):\n    def zap(self): pass\n",
         "def f(a: A): a.zap()\ndef g(a: A): a.zap()\n", "m.A.zap", "m.f, m.g"),
        ("m.ts", "interface A { zap(): void }\n", "class {} implements A {{ zap() {{}} }}\n",
         "function f(a: A) { a.zap() }\nfunction g(a: A) { a.zap() }\n", "m.A.zap", "m.f, m.g"),
        ("M.java", "interface A { void zap(); }\n", "class {} implements A {{ public void zap() {{}} }}\n",
         "class C { void f(A a) { a.zap(); }\n void g(A a) { a.zap(); } }\n", "A.zap", "C.f, C.g"),
    ],
)  # fmt: skip
def test_no_callers_names_the_method_that_is_called_instead(
    path: str, base: str, one: str, users: str, method: str, callers: str
) -> None:
    source = base + "".join(one.format(f"B{number}") for number in range(9)) + users
    found = asked("callers", method.replace("A.", "B1."), sources={path: source}).absence
    assert found is not None
    assert found.kind == "possible"
    assert found.text == f"No callers found; it may be called through {method}, which has 2 callers ({callers})."


def test_a_name_behind_an_escape_in_a_string_may_be_a_use(tmp_path: Path) -> None:
    source = 'def tool(): ...\n\n\ndef run(vm):\n    vm.eval("\\ntool()\\n")\n'
    (tmp_path / "shop.py").write_text(source)
    ws = Workspace(tmp_path, workers=0, cache=False)
    assert "1 other place mentions `tool` (shop.py:5)" in str(ws.callers("tool"))
    assert "shop.tool" not in {each.symbol_id.partition(":")[2] for each in ws.dead_code(("unused",))}


def test_a_variable_read_by_its_bare_name_is_not_denied(tmp_path: Path) -> None:
    (tmp_path / "shop.lua").write_text("LIMIT = 3\n\nfunction check(number)\n  return number > LIMIT\nend\n")
    said = str(Workspace(tmp_path, workers=0, cache=False).uses("LIMIT"))
    assert "Reads by the bare name are not followed; 1 other place mentions `LIMIT` (shop.lua:4)." in said
    assert "No uses found" not in said


def test_a_function_with_the_name_of_its_file_is_no_expression(tmp_path: Path) -> None:
    (tmp_path / "shop.js").write_text("export function shop(item) { return item }\n")
    ws = Workspace(tmp_path, workers=0, cache=False)
    assert "expression" not in str(ws.callers("shop.js:1"))


def test_a_call_that_is_listed_is_not_said_to_be_unresolved(tmp_path: Path) -> None:
    source = """package main

import "example.com/tea"

type Node struct{}

func (n *Node) HasChildren() bool { return true }

type model struct{ head *Node }

func (m *model) at() *Node { return m.head }

func (m *model) handle(msg tea.Msg) bool {
	m.head = msg.node
	n := m.at()
	return n.HasChildren()
}
"""
    (tmp_path / "go.mod").write_text("module example.com/shop\n")
    (tmp_path / "main.go").write_text(source)
    answer = Workspace(tmp_path, workers=0, cache=False).callees("model.handle")
    assert "HasChildren" in {symbol.name for symbol in answer.symbols}
    assert "could not be resolved" not in str(answer)


def test_words_of_documentation_are_no_unresolved_calls(tmp_path: Path) -> None:
    source = """class Link:
    @property
    def plug(self):
        return 1

    def beat(self):
        \"""Send a beat.

        Allow the plug to perform periodic tasks.
        \"""
        print(plug)
"""
    (tmp_path / "shop.py").write_text(source)
    assert "could not be resolved" not in str(Workspace(tmp_path, workers=0, cache=False).callees("Link.beat"))


def test_a_type_of_an_outside_package_is_not_the_one_with_its_letters(tmp_path: Path) -> None:
    source = (
        'package main\n\nimport "example.com/tea"\n\ntype model struct{}\n\nfunc start() tea.Model { return model{} }\n'
    )
    (tmp_path / "main.go").write_text(source)
    answer = Workspace(tmp_path, workers=0, cache=False).search("who implements tea.Model?")
    assert "taken instead" not in " ".join(answer.notices)


def test_a_property_read_on_a_receiver_of_unknown_type_may_be_a_call(tmp_path: Path) -> None:
    source = (
        "class Command:\n    @property\n    def parts(self):\n        return []\n\n\n"
        "def known():\n    return Command().parts\n\n\ndef unknown(command):\n    return command.parts\n"
    )
    (tmp_path / "shop.py").write_text(source)
    said = str(Workspace(tmp_path, workers=0, cache=False).callers("Command.parts"))
    assert "1 caller of shop.Command.parts" in said
    assert "shop.py:12" in said


READ = """
    class Settings(dict):
        def __getattr__(self, name):
            return self[name]

    class Pair:
        def __add__(self, other): return self

    def unknown(): return UNKNOWN[0]

    def run(settings: Settings):
        return settings.colour

    def total(pairs):
        return unknown() + pairs

    def plainly(one):
        return one.__add__(2)
    """


def test_code_that_runs_a_special_method_is_not_counted_as_calls_of_its_name() -> None:
    found = asked("callers", "m.Settings.__getattr__", sources={"m.py": READ})
    assert found.verdict is not None
    assert "1 place may run `__getattr__` without naming it (m.py:12)" in found.verdict.text
    assert [use.form for use in found.verdict.mentions] == ["implicit"]
    named = asked("callers", "m.Pair.__add__", sources={"m.py": READ})
    assert named.verdict is not None
    assert "1 call of `.__add__`" in named.verdict.text
    assert "m.py:18" in named.verdict.text


HIERARCHY = """
    from abc import abstractmethod
    class Base:
        def run(self): pass
        @abstractmethod
        def must(self): pass
    class Child(Base):
        def run(self): pass
        def must(self): pass
    """


@pytest.mark.parametrize("relation", ["implementors", "overrides"])
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("m.Base.run", "1 override of m.Base.run"),
        ("m.Base.must", "1 {} of m.Base.must"),
        ("m.Child.run", "No overrides of m.Child.run"),
    ],
)
def test_a_method_is_overridden_and_an_abstract_one_implemented(relation: str, name: str, said: str) -> None:
    found = asked(relation, name, sources={"m.py": HIERARCHY})
    assert found.verdict is not None
    assert found.verdict.headline == said.format(relation.removesuffix("s"))


def test_a_question_calls_an_overriding_method_an_override(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(dedent(HIERARCHY))
    workspace = Workspace(tmp_path, cache=False, workers=0)
    roles = {name: workspace.search(f"what overrides {name}?")[0].role for name in ("Base.run", "Base.must")}
    assert roles == {"Base.run": "override", "Base.must": "implementor"}


def test_imports_and_locals_are_not_listed_beside_the_uses_of_a_constant(tmp_path: Path) -> None:
    (tmp_path / "conf.py").write_text("LIMIT = 3\n\n\ndef own(LIMIT):\n    return LIMIT + 1\n")
    (tmp_path / "app.py").write_text("from conf import LIMIT\n\n\ndef run(x):\n    return x > LIMIT or x.LIMIT\n")
    (tmp_path / "data.py").write_text('def read(found):\n    return getattr(found, "LIMIT")\n')
    answer = Workspace(tmp_path, workers=0, cache=False).uses("conf.LIMIT")
    assert [edge.source for edge in answer.edges] == ["app.py:app.run"]
    assert [(use.site.path, use.site.line) for use in answer.mentions] == [("data.py", 2)]


REQUIRED = {
    "a.py": """
        from abc import ABC, abstractmethod

        class Shape(ABC):
            @abstractmethod
            def area(self): ...
            def name(self): return 1

        class Square(Shape):
            def area(self): return side()
            def name(self): return other()

        def side(): return 2
        def other(): return 3
        def apart(): return 4
        """
}


def test_a_required_method_calls_what_its_overrides_call() -> None:
    absent = asked("callees", "Shape.area", sources=REQUIRED).absence
    assert absent is not None
    assert (absent.kind, "calls of it run what overrides it (a.Square.area)" in absent.text) == ("possible", True)
    defined = asked("callees", "Shape.name", sources=REQUIRED).absence
    assert defined is not None
    assert defined.kind == "none"  # its body calls nothing


def test_a_path_may_begin_in_an_override() -> None:
    usage_evidence = standings_of(REQUIRED)
    ids = {
        name: usage_evidence.graph.catalog.resolve(name).id for name in ("Shape.area", "Shape.name", "side", "other")
    }

    def kind(source: str, target: str) -> tuple[str, str]:
        found = paths_between(usage_evidence.graph, [ids[source]], [ids[target]], usage_evidence=usage_evidence).verdict
        assert found is not None
        return found.kind, found.text

    for source, target, override in (("area", "side", "Square.area"), ("name", "other", "Square.name")):
        found, text = kind(f"Shape.{source}", target)
        assert found == "possible"
        assert f"a.{override}, which overrides it, leads there" in text
    assert kind("Shape.area", "other")[0] == "none"


def test_a_call_after_an_inherited_outside_method_may_mean_the_own_class(tmp_path: Path) -> None:
    """The inherited method may return the object itself, as those of routers do."""
    (tmp_path / "app.js").write_text(
        "import Router from 'router'\nexport class App extends Router {\n  listen() { return 1 }\n}\n"
        "export default () => new App()\n"
    )
    (tmp_path / "use.js").write_text("import app from './app.js'\napp().get('/').listen()\n")
    answer = Workspace(tmp_path, workers=0, cache=False).callers("App.listen")
    assert "1 use of `listen` resolves to router.default.get().listen (use.js:2)" in str(answer)


def test_why_of_a_function_without_a_name_is_that_of_the_code_it_counts_for(tmp_path: Path) -> None:
    (tmp_path / "go.mod").write_text("module x\n")
    (tmp_path / "main.go").write_text(
        "package main\n\nvar run = func() {\n\tensure()\n}\n\nfunc ensure() {}\n\nfunc main() { run() }\n"
    )
    assert "main.go:4  ensure()" in str(Workspace(tmp_path, workers=0, cache=False).why("main.go:4", "ensure"))


def test_each_type_of_one_name_in_a_file_has_its_own_outside_supertypes(tmp_path: Path) -> None:
    part = (
        "pub mod {} {{\n use serde::de;\n struct V;\n impl de::Visitor for V {{ fn visit(self) -> i32 {{ 1 }} }}\n}}\n"
    )
    (tmp_path / "lib.rs").write_text(part.format("one") + part.format("two"))
    workspace = Workspace(tmp_path, workers=0, cache=False)
    for name in ("one::V::visit", "two::V::visit"):
        assert "V extends de.Visitor from outside this repository, which may call it" in str(workspace.callers(name))


def test_what_registers_a_method_may_make_instances(tmp_path: Path) -> None:
    (tmp_path / "a.cs").write_text(
        "class Bench {\n Bench() { }\n [Benchmark] int Run() => 1;\n}\nclass Plain { Plain() { } }\n"
    )
    workspace = Workspace(tmp_path, workers=0, cache=False)
    assert "(Benchmark) registers may make instances" in str(workspace.callers("Bench.Bench"))
    assert "may make instances" not in str(workspace.callers("Plain.Plain"))


def test_a_field_may_be_read_by_the_supertype_whose_field_it_overrides(tmp_path: Path) -> None:
    source = "class Base:\n    kind = None\n\n    def make(self):\n        return self.kind()\n\n\n"
    (tmp_path / "m.py").write_text(source + "class Child(Base):\n    kind = int\n")
    said = str(Workspace(tmp_path, workers=0, cache=False).uses("Child.kind"))
    assert "No uses found; 1 use of `kind` resolves to m.Base.kind (m.py:5)" in said


def test_a_path_to_a_type_leads_to_its_constructor(tmp_path: Path) -> None:
    (tmp_path / "a.ts").write_text("class Box { constructor() {} }\nexport function make() { return new Box() }\n")
    found = Workspace(tmp_path, workers=0, cache=False).paths("make", "Box")
    assert str(found).startswith("1 path from a.make to a.Box.constructor")


def test_a_library_may_run_what_its_decorator_or_the_value_of_a_constant_registers(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(
        "from ui import App, on\nclass Main(App):\n    def submit(self): self.post('x')\n    @on('x')\n"
        "    def handle(self): self.work()\n    def work(self): ...\n"
    )
    (tmp_path / "go.mod").write_text("module x\nrequire github.com/spf13/cobra v1.8.0\n")
    (tmp_path / "main.go").write_text(
        'package main\nimport "github.com/spf13/cobra"\nvar root = &cobra.Command{\n\tRunE: execute,\n}\n'
        "func main() { root.Execute() }\nfunc execute() { work2() }\nfunc work2() {}\n"
    )
    workspace = Workspace(tmp_path, workers=0, cache=False)
    decorated, handed = workspace.paths("submit", "work"), workspace.paths("main.main", "work2")
    assert "app.Main.work may be called without its name, since Main extends App" in " ".join(str(decorated).split())
    passed = (
        "passes main.execute on as a value, and `github.com/spf13/cobra`, a package that both ends use, may call it"
    )
    assert passed in " ".join(str(handed).split())


def test_a_result_of_an_outside_method_may_be_the_object_itself(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(
        "from ui import Widget\nclass Box(Widget):\n    def fill(self): ...\n"
        "class App:\n    def make(self): self.box = Box().bind(1)\n    def go(self): self.box.fill()\n"
    )
    answer = Workspace(tmp_path, workers=0, cache=False).callers("Box.fill", min_confidence=0.0)
    assert str(answer).startswith("1 caller of app.Box.fill, possible")


def test_uses_of_a_field_that_a_notebook_names(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text("class A:\n    size = 1\n")
    cells = '[{"cell_type": "markdown", "metadata": {}, "source": ["the size\\n"]}]'
    (tmp_path / "a.ipynb").write_text(f'{{"cells": {cells}, "metadata": {{}}, "nbformat": 4, "nbformat_minor": 5}}')
    assert "Uses of m.A.size\nNo uses found" in str(Workspace(tmp_path, workers=0, cache=False).uses("A.size"))


def test_fields_of_subtypes_are_named_as_overrides(tmp_path: Path) -> None:
    (tmp_path / "a.ts").write_text(
        "export class Base { code = 'A'; run() { return this.code } }\nexport class Middle extends Base {}\n"
        "export class Below extends Middle { override code = 'B' }\nclass Other { code = 1 }\n"
    )
    said = " ".join(str(Workspace(tmp_path, workers=0, cache=False).overrides("Base.code")).split())
    assert "No overrides found; 1 field of its subtypes has its name (a.Below.code)" in said


def test_constructors_of_subtypes_are_named_as_overrides(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("class A:\n    def __init__(self): ...\nclass B(A):\n    def __init__(self): ...\n")
    said = str(Workspace(tmp_path, workers=0, cache=False).overrides("A.__init__"))
    assert "1 method of its subtypes has its name (a.B.__init__)" in said


def test_a_file_with_syntax_errors_may_hide_an_implementor(tmp_path: Path) -> None:
    (tmp_path / "Cargo.toml").write_text('[package]\nname = "x"\n')
    (tmp_path / "src").mkdir()
    (tmp_path / "src/lib.rs").write_text("mod kind;\npub trait Show {}\npub struct A;\nimpl Show for A {}\n")
    broken = "use crate::Show;\n{% for kind in kinds %}\nimpl {% if kind.shown %}Show for{% endif %} {{ kind }} {}\n"
    (tmp_path / "src/kind.rs").write_text(broken)
    said = str(Workspace(tmp_path, workers=0, cache=False).implementors("Show")).splitlines()[0]
    assert said == "1 implementor of crate::Show; 1 more place mentions `Show` (src/kind.rs:3)"


def test_a_call_that_may_mean_several_methods_resolves_to_none(tmp_path: Path) -> None:
    (tmp_path / "a.rb").write_text(
        "class Disk\n  def spin; end\nend\nclass Tape\n  def spin; end\nend\n"
        "def go(list)\n  list.each { |t| t.spin }\nend\nDisk.new.spin\n"
    )
    said = " ".join(str(Workspace(tmp_path, workers=0, cache=False).callers("Tape#spin")).split())
    assert "1 call of `.spin` on receivers of unknown type may mean it (a.rb:8)" in said
    assert "1 use of `spin` resolves to Disk#spin (a.rb:10)" in said


def test_a_call_by_another_name_is_not_quoted_as_one_by_the_name(tmp_path: Path) -> None:
    (tmp_path / "go.mod").write_text("module m\n")
    (tmp_path / "a.go").write_text(
        "package a\ntype B struct{ action func() }\ntype C struct{ action func() }\ntype V struct{}\n"
        "func (v *V) open() {}\nfunc (v *V) make() *B { return &B{action: v.open} }\n"
        "func (b *B) run() { b.action() }\n"
    )
    found = Workspace(tmp_path, workers=0, cache=False)
    said = " ".join(str(found.callers("V.open")).split())
    assert "`.open`" not in said
    assert "without its name may run it (a.go:7)" in said or "B.run" in said


def test_a_slice_of_another_type_makes_no_values_by_position(tmp_path: Path) -> None:
    (tmp_path / "go.mod").write_text("module m\n")
    for name, text in {
        "v/v.go": "package v\n\ntype Tree struct{ heard []int }\n",
        "f/f.go": "package f\ntype Tree struct{ low int }\nvar c = Tree{1}\nvar a, b *Tree\nvar all = []*Tree{a, b}\n",
    }.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text)
    found = Workspace(tmp_path, workers=0, cache=False)
    assert "by position" not in str(found.uses("v.Tree.heard"))
    assert "Tree gets values in the order of its fields at f/f.go:3." in str(found.uses("f.Tree.low"))


def test_a_function_in_a_field_of_another_type_may_be_called_by_its_readers(tmp_path: Path) -> None:
    (tmp_path / "go.mod").write_text("module shop\n")
    (tmp_path / "mux.go").write_text(
        """package shop
import "net/http"
type Mux struct { handler http.Handler; other http.Handler }
func (m *Mux) Serve(w http.ResponseWriter, r *http.Request) { m.handler.ServeHTTP(w, r) }
func (m *Mux) update() {
	m.handler = http.HandlerFunc(m.route)
	m.other = http.HandlerFunc(m.apart)
}
func (m *Mux) route(w http.ResponseWriter, r *http.Request) {}
func (m *Mux) apart(w http.ResponseWriter, r *http.Request) {}
"""
    )
    workspace = Workspace(tmp_path, cache=False, workers=0)
    for handed in ("route", "apart"):  # both go to code of net/http, which may run them
        found = " ".join(str(workspace.paths("Mux.Serve", f"Mux.{handed}")).split())
        assert (
            f"passes shop.Mux.{handed} on as a value, and `net/http`, a package that both ends use, may call it"
            in found
        )


@pytest.mark.parametrize(
    ("name", "text", "source", "target", "said"),
    [
        (
            "a.php",
            "<?php class Bag implements ArrayAccess {\n function offsetSet($o, $v): void { $this->check($v); }\n"
            " private function check($v) {}\n function add($v) { $this[] = $v; }\n}\n",
            "Bag.add",
            "Bag.check",
            "Bag::offsetSet may be called without its name, since Bag extends ArrayAccess",
        ),
        (
            "a.py",
            "class R:\n    def render(self, t):\n        func = getattr(self, t['type'])\n        return func(t)\n"
            "    def paragraph(self, t):\n        return marked(t)\n\n\ndef marked(t): ...\n",
            "R.render",
            "marked",
            "1 unresolved call may connect them (a.py:3)",
        ),
        (
            "a.php",
            "<?php\nclass A {\n    // from p->{name}\n    function alone($n) { return $this->$n(); }\n"
            "    function go($n) { return $this->{'p' . $n}(); }\n    function pOne() {}\n}\n",
            "go",
            "pOne",
            "1 unresolved call may connect them (a.php:5)",
        ),
        (
            "a.rb",
            'class A\n  def first(o, x) = o.send("make_#{x}")\n  def go(o, x) = o.send("make_#{x}")\n'
            "  def make_one; end\nend\n",
            "go",
            "make_one",
            "1 unresolved call may connect them (a.rb:3)",
        ),
        (
            "a.rs",
            "struct A;\nstruct B;\nimpl From<A> for B {\n"
            "    fn from(_: A) -> B {\n        helper();\n        B\n    }\n}\n"
            "fn helper() {}\nfn start() {\n    let _b: B = A.into();\n}\n",
            "start",
            "helper",
            "B::from may be called without its name",
        ),
        (
            "a.py",
            "def parse(text):\n    return emit({'type': 'heading'})\n\n\ndef emit(token): ...\n\n\n"
            "def heading(token): ...\n",
            "parse",
            "heading",
            "1 string is exactly the name of what leads there (a.py:2)",
        ),
        *(
            (
                "a.go",
                f"package m\n{other}\nfunc work() int {{ return 1 }}\nfunc pick() func() int {{ return work }}\n"
                "func handle(ch chan func() int) {\n\tcmd := <-ch\n\tcmd()\n}\n"
                "func run() {\n\tch := make(chan func() int, 1)\n\tch <- pick()\n\thandle(ch)\n}\n",
                "handle",
                "work",
                "1 unresolved call may connect them (a.go:7)",
            )
            for other in ("type other struct{ cmd int }", "type other int; func (other) cmd() {}", "func cmd() {}")
        ),
    ],
    ids=[
        "syntax on an object",
        "a computed name",
        "a computed name below others and a comment",
        "a name built in several places",
        "a conversion",
        "a string",
        "like a field",
        "a method",
        "a function",
    ],
)
def test_no_path_is_denied_over_what_may_be_called_without_its_name(
    tmp_path: Path, name: str, text: str, source: str, target: str, said: str
) -> None:
    verdict = loaded(tmp_path, {name: text}).paths(source, target).verdict
    assert verdict is not None
    assert verdict.kind == "possible"
    assert said in verdict.text


@pytest.mark.parametrize(
    ("name", "text", "source", "target", "said"),
    [
        (
            "a.go",
            "package main\n\nfunc work() int { return 1 }\n\nfunc call(f func() int) int { return f() }\n\n"
            "func main() { call(func() int { return work() }) }\n",
            "call",
            "work",
            "a function without a name that it reaches may lead there (a.go:7)",
        ),
        (
            "a.py",
            "".join(f"def f{n}(): ...\n" for n in range(80))
            + f"TABLE = {{{', '.join(f'{n}: f{n}' for n in range(80))}}}\n"
            + "def run(table, key): return table[key]()\nrun(TABLE, 3)\n",
            "run",
            "f79",
            "",
        ),
        (
            "a.ts",
            "export function make(cmd: any) { return () => run(cmd) }\nfunction run(cmd: any) { return cmd.go?.() }\n",
            "make",
            "run",
            "a lambda in a.make, line 1, which is defined in it, leads there",
        ),
        (
            "a.rs",
            "pub struct Name(String);\nimpl Name { fn text(&self) -> &str { &self.0 } }\n"
            "impl std::ops::Deref for Name { type Target = str; fn deref(&self) -> &str { self.text() } }\n"
            "pub struct User { name: Name }\nimpl User { fn width(&self) { apart(|| self.name.len()); } }\n",
            "<lambda:5:36>",
            "Name::text",
            "Name::deref may be called without its name",
        ),
        (
            "a.rs",
            "macro_rules! make { ($f:ident) => { fn $f() { leaf() } } }\nmake!(alpha);\n"
            "fn leaf() {}\nfn go() { alpha() }\n",
            "go",
            "leaf",
            "what a macro makes at a.rs:2 may lead there",
        ),
        (
            "a.rs",
            "struct P;\nmacro_rules! op { ($f:ident, $g:ident) => { fn $f(&self) { self.$g() } } }\nimpl P {\n"
            "  op!(first, second);\n  fn second(&self) {}\n  fn start(&self) { self.first() }\n}\n",
            "P::start",
            "P::second",
            "what a macro makes at a.rs:4 may lead there",
        ),
        (
            "a.go",
            "package a\n\ntype Middle func(n int) int\n\nfunc (m Middle) Do(n int) int { return m(n) }\n\n"
            "func Make() Middle { return func(n int) int { return n } }\n",
            "Middle.Do",
            "a.Make.<lambda:7:28>",
            "1 unresolved call may connect them (a.go:5)",
        ),
        (
            "a.go",
            "package a\n\nfunc All() {\n\tcases := []struct{ f func() }{{func() {}}}\n"
            "\tfor _, c := range cases {\n\t\tstart(func() { c.f() })\n\t}\n}\n\nfunc start(f func()) { f() }\n",
            "a.All.<lambda:6:8>",
            "a.All.<lambda:4:32>",
            "1 unresolved call may connect them (a.go:6)",
        ),
        (
            "a.go",
            'package a\n\nimport "net/http"\n\nfunc Wrap(next http.Handler) {\n\thttp.Handle("/a", http.HandlerFunc(\n'
            "\t\tfunc(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(w, r) }))\n}\n\nfunc Serve() {\n"
            '\thttp.HandleFunc("/b", func(w http.ResponseWriter, r *http.Request) {})\n}\n',
            "a.Wrap.<lambda:7:2>",
            "a.Serve.<lambda:11:23>",
            "passes a.Serve.<lambda:11:23> on as a value, and `net/http`, a package that both ends use, may call it",
        ),
    ],
    ids=[
        "inside a lambda of another",
        "values that were cut",
        "a returned lambda",
        "from a lambda",
        "a function that a macro makes",
        "a method that a macro makes of a name",
        "a call of the receiver",
        "a call in a lambda",
        "outside code in a lambda",
    ],
)
def test_no_path_is_denied_over_values_and_lambdas(
    tmp_path: Path, name: str, text: str, source: str, target: str, said: str
) -> None:
    verdict = loaded(tmp_path, {name: text}).paths(source, target).verdict
    assert verdict is None or (verdict.kind == "possible" and said in verdict.text)
    assert verdict is not None or not said


def test_a_word_of_a_sentence_in_a_string_names_no_function(tmp_path: Path) -> None:
    source = "static int trim(char *s) { return s[0]; }\nstatic void generate(char *s) { trim(s); }\n"
    source += 'static void usage(void) { puts("-G generate a new key pair"); }\nint main() { usage(); generate(""); }\n'
    verdict = loaded(tmp_path, {"a.c": source}).paths("usage", "trim").verdict
    assert verdict is not None
    assert verdict.kind == "none"


def test_a_macro_makes_no_path_where_every_call_is_known(tmp_path: Path) -> None:
    made = "macro_rules! make { ($f:ident) => { fn $f() { leaf() } } }\nmake!(alpha);\nfn leaf() {}\n"
    known = made + "fn go() { other() }\nfn other() {}\n"
    verdict = loaded(tmp_path, {"a.rs": known}).paths("go", "leaf").verdict
    assert verdict is not None
    assert verdict.kind == "none"


def test_what_the_code_around_a_lambda_calls_is_no_path_from_the_lambda(tmp_path: Path) -> None:
    text = "export function all(x: any) {\n  x.go();\n  [1].map(\n    (n) => n + 1,\n  );\n  return () => 3\n}\n"
    verdict = loaded(tmp_path, {"a.ts": text}).paths("a.all.<lambda:4:4>", "a.all.<lambda:6:9>").verdict
    assert verdict is not None
    assert verdict.kind == "none"


def test_a_function_that_calls_itself_says_so_beside_others() -> None:
    sources = {"m.py": "def walk(n):\n    walk(n - 1)\n    leaf()\ndef leaf(): pass\ndef alone(): alone()\nwalk(3)\n"}
    said = {(r, n): asked(r, n, sources=sources).verdict.text for r in ("callers", "callees") for n in ("walk", "leaf")}
    assert said["callers", "walk"].endswith("caller of m.walk; it calls itself.")
    assert said["callees", "walk"].endswith("symbol called by m.walk; it calls itself.")
    assert "itself" not in said["callers", "leaf"]
    empty = asked("callees", "alone", sources=sources).absence
    assert empty is not None
    assert empty.text == "No callees in this repository but itself: it is recursive."


def test_the_receivers_of_a_types_own_methods_are_no_implementors() -> None:
    sources = {
        "m.go": "package m\n\ntype pen struct{}\n\nfunc (p *pen) Draw(r rune) {}\n",
        "lib.rs": "struct Tree;\nimpl Tree { fn grow(&self) {} }\n",
    }
    places = {
        name: [each.site.line for each in found.mentions]
        for name in ("pen", "Tree")
        if (found := asked("implementors", name, sources=sources).absence)
    }
    assert places == {"pen": [], "Tree": []}


def test_a_var_of_a_package_is_called_a_variable() -> None:
    sources = {"m.go": "package m\n\nvar Face = load()\n\nconst Width = 3\n"}
    said = {name: asked("callers", name, sources=sources).verdict.text for name in ("Face", "Width")}
    assert (said["Face"].split()[1], said["Width"].split()[1]) == ("variable", "constant")


@pytest.mark.parametrize(
    ("path", "line", "said"),
    [
        ("A.java", 'return "a" + ".tally(b)";', "1 other place mentions `tally`"),
        ("A.java", 'return "a" + b.tally();', "1 call of `.tally` on receivers of unknown type may mean it"),
        ("A.kt", 'return "a ${b.tally()}"', "1 call of `.tally` on receivers of unknown type may mean it"),
        ("A.kt", 'return "a b.tally()"', "1 other place mentions `tally`"),
    ],
)
def test_the_text_of_a_string_is_no_call(tmp_path: Path, path: str, line: str, said: str) -> None:
    kotlin = path.endswith(".kt")
    head, other = (
        ("fun tally() {}", "fun go(b: Absent): String") if kotlin else ("void tally() {}", "String go(Absent b)")
    )
    (tmp_path / path).write_text(f"class A {{\n  {head}\n}}\nclass B {{\n  {other} {{\n    {line}\n  }}\n}}\n")
    assert said in str(Workspace(tmp_path, workers=0, cache=False).callers("A.tally"))


def test_paths_of_overloads_are_those_of_all_shortest_first(tmp_path: Path) -> None:
    (tmp_path / "A.java").write_text("""
class Name {
  static Name get(String s) { return get(s, 1); }
  static Name get(String s, int n) { return null; }
}
class Spec {
  static Name over(String s, int n) { return over(s); }
  static Name over(String s) { return between(s); }
  static Name over(int n) { return Name.get("a", n); }
  static Name between(String s) { return Name.get(s); }
}
""")
    found = Workspace(tmp_path, workers=0, cache=False).paths("Spec.over", "Name.get")
    assert [[each.rpartition(".")[2] for each in path.symbol_ids] for path in found] == [
        ["over#3", "get#2"],
        ["over#2", "between", "get"],
    ]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Runner.Run", "a type may have methods of an outside type that it embeds (m.wrap embeds exec.Cmd)"),
        ("Other", "a type may have methods of an outside type that it embeds (m.wrap embeds exec.Cmd)"),
        ("Lock.Lock", "a type may have methods of an outside type that it embeds (m.locker embeds sync.Mutex)"),
        ("Private", "No implementors in this repository"),
    ],
)
def test_an_implementor_by_an_embedded_outside_type_is_not_denied(tmp_path: Path, name: str, said: str) -> None:
    source = """package m
import ("os/exec"; "sync")
type Runner interface { Run() error; Dir(string) }
type Other interface { Wait() error }
type Private interface { wait() error }
type Lock interface { Lock(); Unlock() }
type wrap struct{ *exec.Cmd }
func (w *wrap) Dir(d string) {}
type locker struct{ sync.Mutex }
"""
    assert said in str(loaded(tmp_path, {"a.go": source}).implementors(name))


def test_what_a_go_type_embeds_does_not_call_its_methods(tmp_path: Path) -> None:
    source = """package m
import "fmt"
type KeyMsg interface { fmt.Stringer; Key() int }
type press struct{ fmt.Stringer }
func (p press) Key() int { return 1 }
func (p press) extra() int { return 2 }
"""
    found = loaded(tmp_path, {"a.go": source})
    assert found.callers("press.extra").verdict.kind == "none"
    said = "it implements m.KeyMsg.Key, whose name is exported (capitalised)"
    assert f"Code outside this repository may use it: {said}" in " ".join(str(found.callers("press.Key")).split())


def test_a_name_at_the_start_of_a_sentence_keeps_its_letters(tmp_path: Path) -> None:
    found = loaded(tmp_path, {"a.ts": "class box extends Outer { open() {} }\nnew box().open()\n"})
    assert "\nbox extends Outer" in str(found.callers("open"))


def test_a_comparison_of_structs_may_use_a_field_without_its_name(tmp_path: Path) -> None:
    text = "package m\ntype point struct{ x, a int }\nfunc max(a, b point) bool { return a == b }\n"
    found = loaded(tmp_path, {"a.go": text})
    assert "1 place may use `x` without naming it (a.go:3)" in str(found.uses("point.x"))
    assert found.impact("point.x").verdict.kind == "possible"


def test_an_annotation_in_quotes_is_no_name_in_a_string(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(
        "class Entry: ...\n\ndef show(entry: 'Entry') -> list['Entry']: ...\n\nclass Page: ...\n\n"
        "def load(page: 'Page', names=('Entry', )): ...\n"
    )
    workspace = Workspace(tmp_path, workers=0, cache=False)
    assert "in strings: app.py:7" in str(workspace.impact("Entry"))
    assert "in strings" not in str(workspace.impact("Page"))


def test_a_bare_name_means_no_method_of_go(tmp_path: Path) -> None:
    source = """package m
type Key struct{ code int }
func (k Key) text() string { return "" }
type press Key
func (p press) Key() int { return 1 }
func convert(p press) string { return Key(p).text() }
type one struct{}
func (o one) Show(s string) {}
type two struct{}
func (o two) Show() {}
type shower interface{ Show() error }
func chain() {
	undefined.
		Show()
}
"""
    found = loaded(tmp_path, {"a.go": source})
    assert "No callers found, but code outside this repository may call it through an interface" in str(
        found.callers("press.Key")
    )
    verdict = found.callers("one.Show").verdict
    assert [use.site.line for use in verdict.mentions] == [14]
    assert "No callees" not in str(found.callees("convert"))
    assert not [*found.graph.unresolved.named("Key")]


def test_programs_use_nothing_of_each_other(tmp_path: Path) -> None:
    made = "package main\nfunc main() {}\nfunc Run() {}\ntype Box struct{}\nfunc (Box) Show() {}\n"
    calls = "func use() {\n\tRun()\n\tundefined.Show()\n}\n"
    sources = {"a/a.go": made, "b/b.go": f"package main\nfunc main() {{}}\n{calls}", "c/c.go": f"package c\n{calls}"}
    for folder in "abc":
        (tmp_path / folder).mkdir()
    found = loaded(tmp_path, sources)
    assert found.callers("a.Run").verdict.kind == "none"
    assert [use.site.path for use in found.callers("a.Box.Show").verdict.mentions] == ["c/c.go"]


@pytest.mark.parametrize(
    ("around", "kind"),
    [
        ("  /*\n{}\n  */\n", "none"),
        ("  /* old:\n\n    {} */\n", "none"),
        ("  /* old */\n{}\n  /* new */\n", "possible"),
        ("  /*/\n{}\n  /*/\n", "none"),
        ('  String all = "/*";\n{}\n  String none = "*/";\n', "possible"),
    ],
)
def test_code_in_a_block_comment_uses_nothing(around: str, kind: str) -> None:
    code = 'Object old() { return f.add("spare"); }'
    sources = {"A.java": f"class F {{ void add() {{ }}\n class spare {{ }} }}\nclass M {{\n{around.format(code)}}}\n"}
    for name in ("F.add", "spare"):
        verdict = asked("uses", name, sources=sources).verdict
        assert verdict is not None
        assert verdict.kind == kind


def test_a_builtin_type_that_both_ends_use_runs_nothing(tmp_path: Path) -> None:
    """`str.format` gets the class, and the other end formats a text, too."""
    source = "class Cli:\n    def __init__(self):\n        load()\n\n\ndef load():\n    return 1\n\n\n"
    source += "def show(text):\n    return 'x'.format(text)\n\n\nprint('{0}'.format(Cli))\n"
    (tmp_path / "m.py").write_text(source)
    found = Workspace(tmp_path, workers=0, cache=False).paths("show", "load")
    assert found.headline == "No calls lead from m.show to m.load"


def test_a_call_on_another_object_may_be_one_of_the_method_itself() -> None:
    listeners = "import java.util.*;\nclass All implements Heard {{\n  List<Heard> all;\n{}}}\n"
    own = "  public void heard() { for (Heard each : all) { each.heard(); } }\n"
    heard = {"Heard.java": "interface Heard { void heard(); }\n", "All.java": listeners.format(own)}
    assert "No callers found except perhaps itself; it may be called" in str(
        asked("callers", "All.heard", sources=heard).verdict
    )
    called = {**heard, "User.java": "class User { void go(All all) { all.heard(); } }\n"}
    assert "; it may call itself." in str(asked("callers", "All.heard", sources=called).verdict)
    through = own.replace("each.heard()", "this.heard()")
    answer = asked("callers", "All.heard", sources={"All.java": listeners.format(through)})
    assert "itself: it is recursive" in str(answer.verdict)


def test_a_conversion_by_another_name_where_its_types_are_used() -> None:
    source = """
        use std::str::FromStr;
        pub struct Args { a: u16 }
        pub struct Options { a: u16 }
        impl From<Args> for Options { fn from(args: Args) -> Self { Self { a: args.a } } }
        impl FromStr for Args { type Err = u8; fn from_str(text: &str) -> Result<Self, u8> { Ok(Args { a: 1 }) } }
        enum Failure { #[from] Text, }
        fn run(options: Options) {}
        fn other(text: &str) -> u64 { text.parse().unwrap() + into(2).into() }
        fn start(args: Args) { run(args.into()) }
        fn read(text: &str) { let args: Args = text.parse::<Args>().unwrap(); }
        """
    for name, line in ("Options.from", 10), ("Args.from_str", 11):
        found = asked("callers", name, sources={"src/lib.rs": source}).verdict
        assert [(use.site.line, use.form) for use in found.mentions] == [(line, "implicit")]


def test_code_in_pages_may_be_more_beside_certain_uses(tmp_path: Path) -> None:
    sources = {
        "lib.ts": "export class Log { wrap() { return 1; } }\nexport const log = new Log();\n",
        "use.ts": 'import { log } from "./lib"; log.wrap();\n',
        "index.html": '<p>wrap</p>\n<script type="module">\nimport { log } from "./lib.js";\nlog.wrap();\n</script>\n',
    }
    for relation, name, line in (("callers", "Log.wrap", 4), ("uses", "lib.log", 3), ("imports", "lib", 3)):
        found = asked(relation, name, sources=sources)
        assert found.edges
        assert {at.site.line for at in found.verdict.mentions if at.site.path == "index.html"} >= {line}, relation
        assert not any(at.site.line == 1 for at in found.verdict.mentions)
    for path, text in sources.items():
        (tmp_path / path).write_text(text, encoding="utf-8")
    why = Workspace(tmp_path, cache=False).why("index.html", "lib.ts")
    assert "`lib` occurs at index.html:3" in str(why)


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        ("lib.cjs", 'const made = require("../dist/made.cjs");\nmodule.exports = made;\n', "../dist/made.cjs"),
        ("start.py", "import one\nfrom two import three\n", "one, two"),
    ],
)
def test_a_module_without_calls_says_what_it_imports(path: str, text: str, said: str) -> None:
    found = asked("callees", path.partition(".")[0], sources={path: text})
    assert found.absence is not None
    assert found.absence.text == f"Its top level calls nothing. It imports {said}."


def test_an_object_literal_with_the_key_may_set_the_field_of_an_interface() -> None:
    text = """
        export interface Options { throttle: number; pace?: number }
        export function run(o: Partial<Options>) { return o.throttle; }
        run({ throttle: 5 });
        run({
            pace: 2,
            "throttle": 7,
        });
        const other = slow ? throttle : pace;
        """
    found = asked("uses", "Options.throttle", sources={"m.ts": text})
    assert found.edges
    lines = {use.site.line for use in found.verdict.mentions}
    assert {4, 7} <= lines
    assert 6 not in lines


@pytest.mark.parametrize(
    ("files", "ends", "apart", "said"),
    [
        (
            {
                "a.ts": "import EventEmitter from 'events3';\nexport class Q extends EventEmitter {\n"
                "  setup() { this.on('next', () => { this.update(); }); }\n  update() {}\n"
                "  clear() { this.emit('next'); }\n  size() { return 1; }\n}\n",
                "package.json": '{"name": "q", "dependencies": {"events3": "1"}}',
            },
            ("Q.clear", "Q.update"),
            "Q.size",
            "and `events3.default`, a package that both ends use, may call it",
        ),
        (
            {
                "go.mod": "module m\n",
                "a.go": 'package m\n\nimport "io"\n\ntype w struct{}\n\n'
                "func (w) Write(p []byte) (int, error) { return count(p), nil }\n"
                "func count(p []byte) int { return len(p) }\nfunc dump(out io.Writer) { out.Write(nil) }\n"
                "func lone(n int) int         { return n }\n",
            },
            ("dump", "count"),
            "lone",
            "code outside this repository may call it through an interface that `w` satisfies",
        ),
        (
            {
                "a.py": "import functools\n\n\ndef guarded(func):\n    @functools.wraps(func)\n    def wrapper(user):\n"
                "        check(user)\n        return func(user)\n    return wrapper\n\n\ndef check(user): ...\n\n\n"
                "@guarded\ndef page(user): ...\n\n\ndef bare(user): ...\n"
            },
            ("page", "check"),
            "bare",
            "a.guarded.wrapper, which decorates it, leads there",
        ),
        (
            {
                "Cargo.toml": "[package]\nname = 'm'\n",
                "lib.rs": "struct Sim;\nimpl Sim { pub fn run(&mut self, cb: &mut dyn FnMut(u8)) { cb(1); } }\n"
                "pub fn twice(cb: &mut dyn FnMut(u8)) {\n    let mut s = Sim;\n    s.run(cb);\n}\nfn leaf(x: u8) {}\n"
                "pub fn top() {\n    twice(&mut |x| leaf(x));\n}\npub fn bare(x: u8) -> u8 { x }\n",
            },
            ("twice", "leaf"),
            "bare",
            "may",
        ),
        (
            {
                "a.py": "class Proxy:\n    def __len__(self): return self.count()\n    def count(self): return 1\n\n\n"
                "def process(data):\n    return len(data)\n\n\ndef other(data):\n    return data.real\n"
            },
            ("process", "Proxy.count"),
            "other",
            "1 unresolved call may connect them (a.py:7)",
        ),
        (
            {
                "a.py": "class Reader:\n    names = dict(json='load_json')\n\n    def load(self, where):\n"
                "        return getattr(self, self.names[where])()\n\n    def load_json(self): ...\n\n\n"
                "def other(reader):\n    reader.load('json')\n\n\ndef last(x): return x\n"
            },
            ("other", "Reader.load_json"),
            "last",
            "may connect them",
        ),
    ],
    ids=[
        "an event",
        "an outside interface",
        "a decorator",
        "a callback handed on",
        "syntax on a parameter",
        "a computed name of another",
    ],
)
def test_a_path_is_denied_if_no_place_leads_back(
    tmp_path: Path, files: dict[str, str], ends: tuple[str, str], apart: str, said: str
) -> None:
    ws = loaded(tmp_path, files)
    found, none = ws.paths(*ends).verdict, ws.paths(apart, ends[1]).verdict
    assert found is not None
    assert none is not None
    assert (found.kind, none.kind) == ("possible", "none")
    assert said in found.text


def test_a_decorator_of_an_object_is_no_function_of_its_last_name(tmp_path: Path) -> None:
    wrapper = "import functools\ndef route(func):\n    @functools.wraps(func)\n    def inner(): return func()\n"
    files = {
        "ann.py": wrapper + "    return inner\n@route\ndef own(): ...\n",
        "app.py": "from flask import Flask\napp = Flask(__name__)\n@app.route('/p')\ndef page(): ...\n",
    }
    ws = loaded(tmp_path, files)
    assert "its decorator (app.route) may register or call it" in str(ws.callers("page"))
    assert "may register" not in str(ws.callers("own"))


def test_words_in_a_string_are_no_call(tmp_path: Path) -> None:
    text = "export class Q { cap(): void {} }\nconsole.log('the cap (see issue)');\n"
    found = loaded(tmp_path, {"a.ts": text}).callers("Q.cap").verdict
    assert found is not None
    assert "1 other place mentions `cap` (a.ts:2)" in found.text


def test_a_method_of_a_type_without_a_name_may_run_for_a_method_above(tmp_path: Path) -> None:
    text = (
        "class Files\n  def serve; size; end\n  def size; end\nend\n"
        "def run\n  Class.new(Files) do\n    def size; end\n  end.new.serve\nend\n"
        "def held\n  def inner; end\nend\n"
    )
    ws = loaded(tmp_path, {"a.rb": text})
    assert [each.fqn for each in ws.callers("a.rb:7").symbols] == ["Files#serve"]
    assert ws.callers("held::inner").verdict.kind == "none"


@pytest.mark.parametrize("line", [4, 6, 7])
def test_the_head_of_an_overload_is_asked_as_its_function(tmp_path: Path, line: int) -> None:
    head = "    @overload\n    def get(self, x: {}) -> {}: ...\n"
    text = f"from typing import overload\nclass A:\n{head.format('int', 'int')}{head.format('str', 'str')}"
    own = "    def get(self, x): return x\nclass B(A):\n    def get(self, x): return 2\n"
    ws = loaded(tmp_path, {"a.py": text + own})
    assert [each.line for each in ws.overrides(f"a.py:{line}").symbols] == [9]
