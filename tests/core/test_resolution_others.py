"""Languages at the level of symbols: declared types, names that need no import, parts of types, properties."""

from __future__ import annotations

import re

import pytest

from tests.resolved import Resolved


@pytest.mark.parametrize(
    ("path", "text", "callee"),
    [
        ("a.cs", "class D { public void Go() {} }\nclass A { D _d; void M() { _d.Go(); } }", "D.Go"),
        ("a.cs", "class D { public void Go() {} }\nclass A { void M(D d) { d.Go(); } }", "D.Go"),
        ("a.cs", "class D { public void Go() {} }\nclass A { D Make() => null; void M() { Make().Go(); } }", "D.Go"),
        ("a.php", "<?php class D { function go() {} } class A { function __construct(private D $d) {}\n"
                  "function M() { $this->d->go(); } }", "D::go"),
        ("a.php", "<?php class D { function a(): self {} function go() {} } class A {\n"
                  "function M() { (new D())->a()->go(); } }", "D::go"),
        ("a.kt", "class D { fun go() {} }\nclass A(private val d: D) { fun M() { d.go() } }", "D.go"),
        ("a.kt", "class D\nfun D.go() {}\nclass A { fun M() { val d = D()\nd.go() } }", "go"),
        ("a.scala", "class D { def go(x: Int) = 1 }\nclass A(d: D) { def M() = d.go(1) }", "D.go"),
        ("a.swift", "class D { func go() {} }\nclass A { let d: any D\nfunc M() { self.d.go() } }", "D.go"),
        ("a.rb", "class D; def go?; end; end\n"
                 "class A; def initialize; @d = D.new; end; def M; @d.go?; end; end", "D#go?"),
        ("a.sol", "contract D { function go() public {} }\n"
                  "contract A { D d; function M() public { d.go(); } }", "D.go"),
        ("a.sol", "contract D { function go() public {} }\n"
                  "contract A { function M() public { D d = new D(); d.go{gas: 1}(); } }", "D.go"),
        ("a.cpp", "struct D { void go() {} };\nstruct A { std::unique_ptr<D> d; void M() { d->go(); } };", "D::go"),
        ("a.cpp", "struct D { void go() {} };\nstruct A { void M() { auto d = new D(); d->go(); } };", "D::go"),
    ],
)  # fmt: skip
def test_a_receivers_declared_type_is_followed(path: str, text: str, callee: str) -> None:
    found = Resolved({path: text})
    caller = next(source for source, target in found.pairs() if target == f"{path}:{callee}")
    assert caller in {f"{path}:A.M", f"{path}:A::M", f"{path}:A#M"}


@pytest.mark.parametrize(
    ("path", "text", "caller", "callee"),
    [
        ("a.php", "<?php class D { function go() {} } class E { function go() {} } class A {\n"
                  "function make() { return new D(); } function M() { $this->make()->go(); } }", "A::M", "D::go"),
        ("a.kt", "class D { fun go() {} }\nclass E { fun go() {} }\n"
                 "class A { fun make() = D()\nfun M() { make().go() } }", "A.M", "D.go"),
        ("a.kt", "class D { fun go() {} }\nclass E { fun go() {} }\n"
                 "class A { val made get() = D()\nfun M() { made.go() } }", "A.M", "D.go"),
    ],
)  # fmt: skip
def test_what_a_function_without_a_declared_result_returns_is_followed(
    path: str, text: str, caller: str, callee: str
) -> None:
    found = Resolved({path: text}).callees(f"{path}:{caller}", 0.9)
    assert f"{path}:{callee}" in found
    assert not any("E" in each for each in found)


def test_c_links_names_that_one_file_offers() -> None:
    found = Resolved({
        "src/a.c": "int only(void) { return 1; }\nstatic int hidden(void) { return 1; }\n"
                   "int twice(void) { return 1; }\n",
        "src/b.c": "int twice(void) { return 2; }\n",
        "src/c.c": "int use(void) { return only() + hidden() + twice(); }\n",
        "tests/d.c": "int helper(void) { return only(); }\n",
        "src/e.c": "int more(void) { return helper(); }\n",
    })  # fmt: skip
    assert found.callees("c.c:use") == ["a.c:only"]
    assert found.callees("d.c:helper") == ["a.c:only"]
    assert found.callees("e.c:more") == []  # a test's function is not linked with the sources


def test_a_static_function_is_called_by_its_name_in_its_own_file_only() -> None:
    text = "static int grow(void) { return 1; }\nint {0}(void) {{ return grow(); }}\n"
    found = Resolved(
        {f"src/{name}.c": text.replace("{0}", name).replace("{{", "{").replace("}}", "}") for name in "ab"}
    )
    assert found.callees("a.c:a") == ["a.c:c:grow"]
    assert found.callees("b.c:b") == ["b.c:c:grow"]


def test_a_function_that_is_handed_on_may_be_private() -> None:
    found = Resolved({
        "a.c": "static void mine(void) {}\nvoid start(void) { each(mine); }\n",
        "b.c": "void each(void (*go)(void)) { go(); }\n",
    })  # fmt: skip
    assert found.callees("b.c:each") == ["a.c:c:mine"]


def test_cpp_namespaces_are_open_and_members_stand_outside_of_their_class() -> None:
    found = Resolved({
        "k.hpp": "namespace n { class K { void m(); int f_; }; int helper(); }\n",
        "k.cpp": '#include "k.hpp"\nnamespace n { int helper() { return 1; } }\n'
                 "void n::K::m() { helper(); other(); }\n",
        "o.cpp": '#include "k.hpp"\nnamespace n { void other() { K k; } }\n',
    })  # fmt: skip
    assert found.callees("k.cpp:n::K::m") == ["k.cpp:n::helper", "o.cpp:n::other"]


def test_cpp_variables_are_made_by_constructors_and_deleted_ones_are_none() -> None:
    found = Resolved({
        "a.cpp": "struct K { K(); K(int a); K(const K&) = delete; };\n"
                 "K::K() {}\nK::K(int a) {}\nvoid f() { K a; }\nvoid g() { K b(1); }\n",
    })  # fmt: skip
    assert found.callees("a.cpp:f") == ["a.cpp:K::K"]
    assert found.callees("a.cpp:g") == ["a.cpp:K::K#2"]


def test_ruby_calls_without_receiver_and_arguments() -> None:
    found = Resolved({
        "help.rb": "module Help\n  def ready?; end\n  def go; end\nend\n",
        "a.rb": "class A\n  include Help\n  def run\n    go\n    stop = 1\n    stop\n    go if ready?\n  end\nend\n",
        "b.rb": "class A\n  def again; run; end\nend\ndef stop; end\n",
    })  # fmt: skip
    assert found.callees("a.rb:A#run") == ["help.rb:Help#go", "help.rb:Help#ready?"]
    assert found.callees("b.rb:A#again") == ["a.rb:A#run"]


def test_ruby_super_is_the_method_above() -> None:
    found = Resolved({"a.rb": "class A; def m; end; end\nclass B < A\n  def m\n    super\n  end\nend\n"})
    assert found.callees("a.rb:B#m") == ["a.rb:A#m"]


@pytest.mark.parametrize(
    ("path", "text", "caller", "callee"),
    [
        ("a.cs", "class D { public int N => 1; }\nclass A { int M(D d) { return d.N; } }", "A.M", "D.N"),
        (
            "a.swift",
            "class D { var n: Int { return 1 } }\nclass A { func m(d: D) -> Int { return d.n } }",
            "A.m",
            "D.n",
        ),
        ("a.swift", "struct D { static var n: Int { 1 }\n func m(a: Int = D.n) {} }", "D.m", "D.n"),
        ("a.kt", "class D { val n: Int get() = 1\n fun m() = n }", "D.m", "D.n"),
        ("a.kt", "class E { fun n() {} }\nclass D { val e get(): E = E() }\nfun m(d: D) = d.e.n()", "m", "E.n"),
        ("a.kt", "class D {\n val n: Int\n get() = m()\n fun m() = 1 }", "D.n", "D.m"),
        ("a.kt", "class D {\n var n: Int\n get() = 1\n set(v) { m() }\n fun m() = n }", "D.n", "D.m"),
        ("a.kt", "package p\nimport x.T\nval T.n: Int\n get() = 1\nfun m(t: T) = t.n", "m", "n"),
        ("a.cs", "class D { int N => Foo.Get(1);\nint M() { return N; } }", "D.M", "D.N"),  # no explicit member of Foo
        ("a.swift", "struct D { var n: Int { 1 }\nvar e: D\nvar m: Int { 2 + e.n } }", "D.m", "D.n"),
        ("a.swift", "struct D { var n: Bool { true }\nvar m: Bool { n * e.x }\nvar e: D }", "D.m", "D.n"),
        (
            "a.swift",
            "struct D { var n: Bool { true } }\nstruct A { var d: D\nfunc m() -> Bool { !d.n } }",
            "A.m",
            "D.n",
        ),
        ("a.swift", "var n: Int { 1 }\nfunc two(a: Int) {}\nfunc m() { two(a: n) }", "m", "n"),
        ("a.scala", "class D { def n(implicit x: Int): Int = 1 }\nclass A { def m(d: D) = d.n }", "A.m", "D.n"),
        ("a.scala", "object D { def n(c: Context) = c }\nclass A { def m[T]: T = macro D.n }", "A.m", "D.n"),
    ],
)
def test_what_is_read_to_be_called(path: str, text: str, caller: str, callee: str) -> None:
    assert f"{path}:{callee}" in Resolved({path: text}).callees(f"{path}:{caller}")


def test_csharp_parts_of_a_class_and_packages_around() -> None:
    found = Resolved({
        "a.cs": "namespace N;\npublic static partial class S { private static void One() {} }\n",
        "b.cs": "namespace N;\npublic static partial class S { static void Two() { One(); } }\n",
        "c.cs": "namespace N.Tests;\nclass T { void M() { S.Two(); } }\n",
    })  # fmt: skip
    assert found.callees("b.cs:S.Two") == ["a.cs:S.One"]
    assert found.callees("c.cs:T.M") == ["b.cs:S.Two"]


def test_scalas_objects_are_not_the_classes_beside_them() -> None:
    found = Resolved({
        "a.scala": "trait S { def make(x: Int): Int }\nobject S { def make(x: Int): Int = 1 }\n"
                   "class A { def m() = S.make(1)\n def n(s: S) = s.make(1) }\n",
    })  # fmt: skip
    assert found.callees("a.scala:A.m") == ["a.scala:S.make#2"]
    assert found.callees("a.scala:A.n") == ["a.scala:S.make"]


def test_a_call_stands_on_the_line_of_its_name() -> None:
    found = Resolved({"a.kt": "class A {\n fun one(): A = this\n fun two() {\n  this\n   .one()\n   .one()\n }\n}\n"})
    lines = [site.line for edge in found.edges() for site in edge.sites if edge.target.endswith("one")]
    assert sorted(lines) == [5, 6]


def test_kotlin_extensions_are_known_in_their_package_and_where_they_are_imported() -> None:
    resolved = Resolved({
        "b_.kt": "package b\nclass C\nfun put(n: Int) = n\nfun C.own() = put(1)\nfun C.near() = own()\n",
        "n_.kt": "package n\nimport b.C\nfun C.put(n: Int) = n\nfun C.mine() = put(1)\n",
        "m_.kt": "package m\nimport n.put\nfun b.C.named() = put(1)\n",
        "s_.kt": "package s\nimport n.*\nfun b.C.starred() = put(1)\n",
        "x_.kt": "fun b.C.none() = 1\n",
        "y_.kt": "import b.C\nfun C.plain() = none()\n",
    })  # fmt: skip
    put = "n_.kt:put"
    assert resolved.pairs() == {
        ("b_.kt:own", "b_.kt:put"), ("b_.kt:near", "b_.kt:own"), ("n_.kt:mine", put), ("m_.kt:named", put),
        ("s_.kt:starred", put), ("y_.kt:plain", "x_.kt:none"),
    }  # fmt: skip


def test_kotlin_private_extensions_stay_in_their_file() -> None:
    found = Resolved({
        "a.kt": "package p\nclass C\nprivate fun C.put() {}\nfun a(c: C) { c.put() }\n",
        "b.kt": "package p\nfun b(c: C) { c.put() }\n",
    })  # fmt: skip
    assert found.callees("a.kt:a") == ["a.kt:a.kt:p.put"]
    assert found.callees("b.kt:b", 0.0) == []


def test_a_star_import_of_a_function_ends_nothing() -> None:
    found = Resolved(
        {"a.scala": "package p\nobject K { def m(): Int = 1 }\n", "b.scala": "package q\nimport p.K.m._\n"}
    )
    assert found.pairs() == set()


def test_qualified_names_tell_what_only_a_file_sees() -> None:
    found = Resolved({
        "Sources/Queues/In/a.swift": "private func grow() {}\nstruct K { func m() { grow() } }\n",
        "src/a.c": "static int count;\nint all;\n",
        "a.cpp": "namespace n { namespace { int hidden() { return 1; } } int open() { return hidden(); } }\n",
        "a.kt": "package p\nprivate fun f() {}\n",
    })  # fmt: skip
    fqns = {symbol.fqn for symbol in found.symbols.values()}
    assert {
        "Sources/Queues/In/a.swift:grow",
        "Queues.K.m",
        "src/a.c:count",
        "all",
        "a.cpp:n::hidden",
        "n::open",
    } <= fqns
    assert "a.kt:p.f" in fqns
    assert found.pairs() == {
        ("a.swift:K.m", "a.swift:Sources/Queues/In/a.swift:grow"),
        ("a.cpp:n::open", "a.cpp:cpp:n::hidden"),
    }


def test_solidity_names_lead_through_imports_bases_modifiers_and_events() -> None:
    found = Resolved({
        "src/Owned.sol": "contract Owned { event Moved(); modifier owned() { _; } constructor(address a) {}\n"
                         "function give() internal virtual {} }",
        "src/libs/Sums.sol": "library Sums { function plus(uint a) internal {} }\nfunction free() {}",
        "src/Vault.sol": 'import {Owned as Base} from "./Owned.sol";\nimport {Sums, free} from "./libs/Sums.sol";\n'
                         "contract Vault is Base {\nconstructor() Base(msg.sender) {}\n"
                         "function give() internal override owned {\n"
                         "super.give(); emit Moved(); Sums.plus(1); free();\n}\n}",
    })  # fmt: skip
    called = {target for source, target in found.pairs() if source == "Vault.sol:Vault.give"}
    assert called == {
        "Owned.sol:Owned.owned", "Owned.sol:Owned.give", "Owned.sol:Owned.Moved",
        "Sums.sol:Sums.plus", "Sums.sol:free",
    }  # fmt: skip
    assert ("Vault.sol:Vault.constructor", "Owned.sol:Owned.constructor") in found.pairs()


def test_solidity_chooses_overloads_by_arguments() -> None:
    found = Resolved({
        "Map.sol": "struct Raw { uint n; }\nstruct Named { Raw inner; }\nlibrary Map {\n"
                   "function get(Raw storage map, uint key) internal returns (uint) {}\n"
                   "function get(Raw storage map, uint key, uint other) internal {}\n"
                   "function get(Named storage map, uint key) internal { return get(map.inner, key); }\n}",
    })  # fmt: skip
    assert found.pairs() == {("Map.sol:get#3", "Map.sol:get")}


@pytest.mark.parametrize(
    "body",
    [
        "q.async { [weak self] in self?.hit() }",
        "q.async { [unowned self, weak x] in self.hit() }",
        "q.async { [weak self] in guard let self else { return }; self.hit() }",
        "q.async { [weak self] in guard let strong = self else { return }; strong.hit() }",
    ],
)
def test_a_closure_keeps_the_receiver_that_it_captures(body: str) -> None:
    found = Resolved({"a.swift": f"class D {{\n func run() {{ {body} }}\n func hit() {{}}\n}}\n"})
    assert found.callees("a.swift:D.run", 1.0) == ["a.swift:D.hit"]


OBJECT = "package n\nobject Chain {\n  case class Con(x: Int)\n  def hid(x: Int) = x\n}\n"
IMPORTS = {
    "of an object beside the file": ("package n\nimport Chain.{Con, hid}\nclass A { %s }", OBJECT),
    "of an object of a package around": ("package n\npackage m\nimport Chain._\nclass A { %s }", OBJECT),
    "of an object by its whole name": ("package k\nimport n.Chain.*\nclass A { %s }", OBJECT),
    "in a type, of its companion": ("package n\nclass Chain {\n import Chain.*\n %s }\n" + OBJECT[10:], ""),
    "not needed in a package object": ("package object n { %s }", "package n\ncase class Con(x: Int)\n"),
}


@pytest.mark.parametrize(("using", "defining"), IMPORTS.values(), ids=IMPORTS)
def test_an_import_of_scala_is_seen_from_its_package(using: str, defining: str) -> None:
    found = Resolved({"a.scala": using % "def go = Con(hid(1))", "b.scala": defining})
    called = {re.split("[.:]", target)[-1] for source, target in found.pairs("CALLS", 1.0) if source.endswith("go")}
    assert called >= {"Con"} | ({"hid"} if "def hid" in using + defining else set())


CONN = "defmodule Plug.Conn do\n  def halt(conn), do: conn\n  def put(conn, a), do: conn\nend\n"
MODULES = {
    "the whole name": "Plug.Conn.halt(Plug.Conn.put(conn, 1))",
    "a pipe": "conn |> Plug.Conn.put(1) |> Plug.Conn.halt()",
    "an import": "import Plug.Conn\n    conn |> put(1) |> halt()",
    "an alias": "alias Plug.Conn\n    Conn.halt(Conn.put(conn, 1))",
    "another name": "alias Plug.Conn, as: C\n    C.halt(C.put(conn, 1))",
    "one of several aliases": "alias Plug.{Conn, Other}\n    Conn.halt(Conn.put(conn, 1))",
}


@pytest.mark.parametrize("body", MODULES.values(), ids=MODULES)
def test_a_module_of_elixir_is_found_by_its_name(body: str) -> None:
    *before, code = body.split("\n    ")
    text = f"defmodule Plug.Static do\n  {' '.join(before)}\n  def go(conn) do\n    {code}\n  end\nend\n"
    found = Resolved({"lib/conn.ex": CONN, "lib/static.ex": text})
    assert found.callees("static.ex:Plug.Static.go", 1.0) == ["conn.ex:Plug.Conn.halt", "conn.ex:Plug.Conn.put"]


def test_the_number_of_arguments_selects_a_function_of_elixir() -> None:
    found = Resolved({
        "a.ex": "defmodule A do\n  def put(a), do: a\n  def put(a, b \\\\ 1, c), do: a\n  def put!(a), do: a\n"
        "  def ok(a), do: put(a)\n  def pipe(a), do: a |> put(1) |> put\n  def bang(a), do: put!(a)\n"
        "  def block(a) do\n    put a, 1 do\n    end\n  end\nend\n"
        "defmodule B do\n  defdelegate put(a), to: A\n  defdelegate set(a, b), to: A, as: :put\nend\n"
    })  # fmt: skip
    assert {name: found.callees(f"a.ex:A.{name}", 1.0) for name in ("ok", "pipe", "bang", "block")} == {
        "ok": ["a.ex:A.put"],
        "pipe": ["a.ex:A.put", "a.ex:A.put#2"],
        "bang": ["a.ex:A.put!"],
        "block": ["a.ex:A.put#2"],
    }
    assert found.callees("a.ex:B.put", 1.0) == ["a.ex:A.put"]
    assert found.callees("a.ex:B.set", 1.0) == ["a.ex:A.put#2"]


def test_a_macro_in_an_argument_is_no_part_of_a_template() -> None:
    found = Resolved({
        "a.c": "#define PLACE_A(i) ((i) + 1)\nint three(int a, int b, int c);\nLIB_BROKEN int (x;\n"
        "int one(int i) { return three(1, PLACE_A(i), i); }\n"
    })  # fmt: skip
    assert "a.c:PLACE_A" in found.callees("a.c:one")


def test_a_qualified_name_means_no_local_of_rust() -> None:
    found = Resolved({
        "a.rs": "mod w { pub fn go(x: u8) {} }\nfn run() {\n {\n let w = 1;\n w::go(w);\n }\n w::go(2);\n}\n"
    })  # fmt: skip
    assert [site.line for edge in found.edges() for site in edge.sites] == [5, 7]


def test_what_an_outside_call_returns_may_have_an_extension() -> None:
    text = "package p\nimport x.y.get\nfun <V> V?.orElse(f: () -> Int): Int = f()\nfun run() = get(1).orElse { 3 }\n"
    assert ("a.kt:run", "a.kt:orElse") in Resolved({"a.kt": text}).pairs(confidence=0.6)


def test_an_extension_gives_an_outside_type_constructors() -> None:
    found = Resolved({
        "a.swift": "extension Bool {\n init?(yn: String) { self = true }\n init?(other: Int) { self = true }\n}\n"
        "func run(r: String) { let a = Bool(yn: r); let b = Bool(r) }\n"
    })  # fmt: skip
    assert found.callees("a.swift:run") == ["a.swift:Bool.init"]


def test_the_bound_of_a_type_parameter_is_the_receiver() -> None:
    found = Resolved({
        "a.kt": "interface Sink {\n fun write(x: Int)\n}\nfun <S : Sink> S.put(b: Int) {\n write(b)\n}\n"
    })  # fmt: skip
    assert found.callees("a.kt:put", 1.0) == ["a.kt:Sink.write"]


@pytest.mark.parametrize(
    ("path", "text", "callers"),
    [
        (
            "a.kt",
            "class N { fun go() {} }\nclass Box<Held>(val v: Held) { fun get(): Held = v }\n"
            "abstract class Base<Q> { abstract fun one(): Q }\nclass Mine : Base<N>() { fun h() { one().go() } }\n"
            "class M { fun <K : N> f(a: K) { a.go() }\n fun g(b: Box<N>) { b.get().go() }\n"
            " fun i(b: Box<N>) = b.v.go() }\n",
            ["M.f", "M.g", "M.i", "Mine.h"],
        ),
        (
            "a.cs",
            "class N { public void go() {} }\nclass Box<Held> { public Held V; public Held Get() => V; }\n"
            "abstract class Base<Q> { protected abstract Q One(); }\n"
            "class Mine : Base<N> { void h() { One().go(); } }\n"
            "class M { void f<K>(K a) where K : N, new() { a.go(); }\n void g(Box<N> b) { b.Get().go(); }\n"
            " void i(Box<N> b) { b.V.go(); } }\n",
            ["M.f", "M.g", "M.i", "Mine.h"],
        ),
        (
            "a.swift",
            "class N { func go() {} }\nclass Box<Held> { var v: Held\n func get() -> Held { return v } }\n"
            "class Base<Q> { func one() -> Q { fatalError() } }\nclass Mine : Base<N> { func h() { one().go() } }\n"
            "class M { func f<K: N>(a: K) { a.go() }\n func g(b: Box<N>) { b.get().go() }\n"
            " func i(b: Box<N>) { b.v.go() } }\n",
            ["M.f", "M.g", "M.i", "Mine.h"],
        ),
        (
            "a.scala",
            "class N { def go() = 1 }\nclass Box[+Held](val v: Held) {\n def get(): Held = v }\n"
            "class Base[Q] { def one(): Q = ??? }\nclass Mine extends Base[N] { def h() = { one().go() } }\n"
            "class M { def g(b: Box[N]) = { b.get().go() }\n def i(b: Box[N]) = { b.v.go() } }\n",
            ["M.g", "M.i", "Mine.h"],
        ),
        (
            "N.java",
            "class N { void go() {} }\nabstract class Base<Q> { abstract Q one(); }\n"
            "class Mine extends Base<N> { void h() { one().go(); } }\n",
            ["Mine.h"],
        ),
    ],
)
def test_values_of_type_parameters_have_the_type_arguments(path: str, text: str, callers: list[str]) -> None:
    found = Resolved({path: text}).pairs(confidence=0.6)
    assert sorted(one.partition(":")[2] for one, other in found if other == f"{path}:N.go") == callers


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", "from django.db import models\nclass U(models.Model):\n    def mail(self): pass\n"
                 "class V:\n    def mail(self): pass\ndef f():\n    u = U.objects.get(id=1)\n    u.mail()\n"),
        ("a.py", "from django.db import models\nclass U(models.Model):\n    def mail(self): pass\n"
                 "class V:\n    def mail(self): pass\ndef f():\n    for u in U.objects.filter(id=1).all(): u.mail()\n"),
        ("a.py", "from django.db import models\nclass U(models.Model):\n    def mail(self): pass\n"
                 "class V:\n    def mail(self): pass\ndef f():\n    u, _ = U.objects.get_or_create()\n    u.mail()\n"),
        ("a.py", "from pydantic import BaseModel\nclass U(BaseModel):\n    def mail(self): pass\n"
                 "class V:\n    def mail(self): pass\ndef f(d): return U.model_validate(d).mail()\n"),
        ("a.py", "from django.shortcuts import get_object_or_404\nclass U:\n    def mail(self): pass\n"
                 "class V:\n    def mail(self): pass\ndef f():\n    u = get_object_or_404(U, id=1)\n    u.mail()\n"),
        ("a.py", "from django.db import models\nclass U(models.Model):\n    def mail(self): pass\n"
                 "class V(models.Model):\n    u = models.ForeignKey(U)\n    def mail(self): pass\n"
                 "    def f(self): self.u.mail()\n"),
        ("a.rb", "class U < ApplicationRecord\n  def mail; end\nend\nclass V\n  def mail; end\nend\n"
                 "def f\n  @u = U.where(a: 1).find(2)\n  @u.mail\nend\n"),
        ("a.js", "import { Model } from 'sequelize'\nclass U extends Model { mail() {} }\nclass V { mail() {} }\n"
                 "async function f() { const [u, made] = await U.findOrCreate({}); u.mail() }\n"),
        ("a.php", "<?php\nuse Illuminate\\Database\\Eloquent\\Model;\nclass U extends Model { function mail() {} }\n"
                  "class V { function mail() {} }\nfunction f() { foreach (U::all()->get() as $u) $u->mail(); }"),
    ],
)  # fmt: skip
def test_outside_supertypes_make_instances(path: str, text: str) -> None:
    """What a member of a class returns that is defined outside may be instances of the class, and never is surely."""
    found = Resolved({path: text})
    made = [edge for edge in found.edges(confidence=0.0) if edge.rule == "related"]
    assert [re.search(r"\bU\W+mail$", found.short(edge.target)) is not None for edge in made] == [True]
    assert made[0].confidence < 0.75


def test_an_outside_member_of_an_instance_is_no_instance() -> None:
    """``self.client`` of a test case is another object, which has no method of the test case."""
    found = Resolved({"a.py": "from unittest import TestCase\nclass T(TestCase):\n    def get(self): pass\n"
                              "    def test(self): self.client.get()\n"})  # fmt: skip
    assert found.callees("a.py:T.test", 0.0) == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.cs", "interface I { string P { get; } }\nclass X : I { public string P => \"\"; }\n"
         "class Y : I { public string P { get; } }\nclass R { string Run(I i) { return i.P; } }\n"),
        ("a.kt", "interface I { val P: String }\nclass X : I { override val P: String get() = \"\" }\n"
         "class Y(override val P: String) : I\nclass R { fun Run(i: I) = i.P }\n"),
        ("a.swift", "protocol I { var P: String { get } }\nclass X: I { var P: String { return \"\" } }\n"
         "class Y: I { let P = \"\" }\nclass R { func Run(i: I) -> String { return i.P } }\n"),
        ("a.ts", "interface I { P: string }\nclass X implements I { get P() { return ''; } }\n"
         "class Y implements I { P = ''; }\nclass R { Run(i: I) { return i.P; } }\n"),
        ("a.py", "class I:\n    P: str\nclass X(I):\n    @property\n    def P(self): return ''\n"
         "class Y(I):\n    P = ''\nclass R:\n    def Run(self, i: I):\n        return i.P\n"),
    ],
)  # fmt: skip
def test_reading_a_declared_property_runs_the_properties_that_implement_it(path: str, text: str) -> None:
    found = Resolved({path: text})
    assert (f"{path}:R.Run", f"{path}:X.P") in found.pairs("CALLS")
    assert {target for source, target in found.pairs("USES") if source == f"{path}:R.Run"} >= {f"{path}:I.P"}
    assert not {target for _, target in found.pairs("CALLS")} & {f"{path}:I.P", f"{path}:Y.P"}
