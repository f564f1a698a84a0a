"""What answers on Scala and Kotlin say of names that mean several things: companions, named arguments, extensions."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeexplore import Workspace
from tests.resolved import Resolved


def loaded(folder: Path, name: str, text: str) -> Workspace:
    (folder / name).write_text(text)
    return Workspace(folder, workers=0, cache=False)


def users(graph: Resolved, target: str, kind: str = "USES") -> list[str]:
    return sorted(user for user, used in graph.pairs(kind, 0.9) if used == target)


def test_a_named_argument_of_scala_is_no_use_of_a_member_of_its_name() -> None:
    found = Resolved({
        "a.scala": "package p\nobject O {\n def check(x: Int) = 1\n val most = 3\n def f(check: Int, most: Int) = 1\n"
                   " def g(x: Int) = f(check = x, most = most)\n def h() = f(check = 1, 2)\n}\n",
    })  # fmt: skip
    assert users(found, "a.scala:O.check", "CALLS") == users(found, "a.scala:O.check") == []
    assert users(found, "a.scala:O.most") == ["a.scala:O.g"]


def test_a_class_of_scala_and_its_companion_are_used_apart() -> None:
    found = Resolved({
        "a.scala": "package p\nsealed trait Box\nobject Box {\n val step = 1\n case object Few extends Box\n}\n"
                   "object U {\n def a(b: Box) = 1\n def b() = Box.step\n def c(): Any = Box\n def d() = Box.Few\n}\n",
    })  # fmt: skip
    assert users(found, "a.scala:Box") == ["a.scala:U.a"]
    assert users(found, "a.scala:Box#2") == ["a.scala:U.b", "a.scala:U.c", "a.scala:U.d"]
    above = {(kind, target) for kind in ("EXTENDS", "IMPLEMENTS") for _, target in found.pairs(kind)}
    assert above == {("IMPLEMENTS", "a.scala:Box")}


@pytest.mark.parametrize(
    ("suffix", "star", "body"), [("scala", "_", "class K { def m() = hid(1) }"), ("kt", "*", "fun m() = hid(1)")]
)
def test_an_import_binds_names_in_its_own_file_only(suffix: str, star: str, body: str) -> None:
    made = {
        "scala": "package q\nobject C { def hid(x: Int) = x }\n",
        "kt": "package q\nobject C { fun hid(x: Int) = x }\n",
    }
    found = Resolved({
        f"a.{suffix}": made[suffix],
        f"b.{suffix}": f"package p\nimport q.C.{star}\n{body}\n",
        f"c.{suffix}": f"package p\n{body}\n".replace("K", "L").replace("m()", "n()"),
    })  # fmt: skip
    assert [caller[:1] for caller in users(found, f"a.{suffix}:C.hid", "CALLS")] == ["b"]


def test_an_imported_object_of_scala_is_used_after_its_whole_name_was() -> None:
    found = Resolved({
        "a.scala": "package p\nobject C { object Few { def w = 1 } }\n",
        "b.scala": "package p\nobject R { def r(): Any = p.C.Few }\n",
        "c.scala": "package p\nimport p.C._\nobject S { def g(): Any = Few }\n",
    })  # fmt: skip
    assert users(found, "a.scala:C.Few") == ["b.scala:R.r", "c.scala:S.g"]


def test_a_definition_of_scala_ends_before_the_blank_lines_behind_it(tmp_path: Path) -> None:
    text = (
        "object P {\n  def first =\n    a\n      .b\n  def second(x: Int) = {\n    x\n\n\n\n  }\n"
        "  val third =\n    a\n\n  def fourth = 4\n}\n"
    )
    ws = loaded(tmp_path, "a.scala", text)
    assert [ws.symbol(f"a.scala:{line}").name for line in (4, 5, 12, 14)] == ["first", "second", "third", "fourth"]


EXTENSIONS = """package p
import lib.Group
import lib.Thread
private val Thread.idle: Int
    get() = 1
class K {
    fun a(t: Thread) = t.idle
    fun b(t: Thread) = "x ${t.group.calm}"
    fun c(t: Thread) = if (t.busy) 1 else 2
    companion object {
        private val Thread.busy get() = true
    }
}
private val Group.calm: Int
    get() = 1
private val Group.gone: Int
    get() = 1
"""


@pytest.mark.parametrize(("name", "caller"), [("idle", "K.a"), ("calm", "K.b"), ("busy", "K.c")])
def test_a_property_that_extends_an_outside_type_is_called_where_it_is_read(
    tmp_path: Path, name: str, caller: str
) -> None:
    answer = loaded(tmp_path, "a.kt", EXTENSIONS).callers(name)
    assert [edge.source.rpartition(":p.")[2] for edge in answer.edges] == [caller]


def test_nobody_reads_a_property_that_no_code_names(tmp_path: Path) -> None:
    answer = loaded(tmp_path, "a.kt", EXTENSIONS).callers("gone")
    assert answer.absence is not None
    assert answer.absence.kind == "none"


def test_an_extension_is_not_denied_where_its_name_seems_an_outside_member(tmp_path: Path) -> None:
    text = "import lib.Thread\nfun f(t: Thread) = t.Group.calm\nprivate val Thread.calm: Int\n    get() = 1\n"
    ws = loaded(tmp_path, "a.kt", text)
    absence = ws.callers("calm").absence
    assert absence is None or absence.kind == "possible"


def test_a_class_and_an_object_in_two_files_are_of_two_platforms() -> None:
    found = Resolved({
        "two/m.scala": "package p\nclass M(val c: C) { def make(x: Int) = x }\n",
        "three/m.scala": "package p\nobject M { def make(x: String)(y: Int) = x\n def own() = make(1)(2) }\n",
        "two/n.scala": "package p\nobject N { def n(x: T): T = macro M.make }\n",
        "two/o.scala": "package p\nclass O\nobject O { def one(x: Int) = x }\nclass P { def p() = O.one(1) }\n",
    })  # fmt: skip
    assert found.callees("n.scala:N.n", 0.9) == []
    assert found.callees("n.scala:N.n", 0.5) == ["m.scala:M.make"]
    assert found.callees("o.scala:P.p", 1.0) == ["o.scala:O.one"]
    assert found.callees("m.scala:M.own", 1.0) == ["m.scala:M.make"]


def test_a_property_of_kotlin_is_read_and_the_method_of_its_name_called() -> None:
    found = Resolved({
        "a.kt": "class Box(val size: Int) {\n val total: Int = 1\n fun total(): Int = 2\n fun size(x: Int) = x\n"
                " fun a() = total + 1\n fun b() = total()\n}\nfun c(b: Box) = b.total\n"
                "fun d(b: Box) = b.size(b.size)\n",
    })  # fmt: skip
    assert users(found, "a.kt:Box.total") == ["a.kt:Box.a", "a.kt:c"]
    assert users(found, "a.kt:Box.total#2", "CALLS") == ["a.kt:Box.b"]
    assert users(found, "a.kt:Box.total#2") == []
    assert users(found, "a.kt:Box.size#2", "CALLS") == ["a.kt:d"]
    assert "a.kt:d" in users(found, "a.kt:Box.size")


def test_a_function_of_kotlin_is_called_and_not_the_interface_of_its_name() -> None:
    made = Resolved({
        "Ref.kt": "package a\ninterface Ref { val x: Int }\nclass Own(override val x: Int) : Ref\n"
                  "fun Ref(y: Int): Ref = Own(y)\n",
        "Use.kt": "package b\nimport a.Ref\nfun use() = Ref(2)\n",
    })  # fmt: skip
    assert made.callees("Use.kt:use") == ["Ref.kt:Ref#2"]


@pytest.mark.parametrize("made", ["M(1) with R", "M[Int](1) with R[Int]", "M(1) with Q with R[Int]", "M with R"])
def test_a_type_without_a_name_has_all_its_supertypes(made: str) -> None:
    text = "trait R[T] { def rest: Int }\ntrait Q\nclass M[T](x: Int) { def go = inner; protected def inner = 1 }\n"
    found = Resolved({
        "a.scala": f"{text}object X {{ val a = new {made} {{ override protected def inner = 2; def rest = 3 }} }}\n"
    })  # fmt: skip
    above = {target for kind in ("EXTENDS", "IMPLEMENTS") for source, target in found.pairs(kind) if "<class" in source}
    assert above >= {"a.scala:M", "a.scala:R"}
    assert {target.rpartition(".")[2] for source, target in found.pairs("OVERRIDES")} == {"inner", "rest"}
    assert not users(found, "a.scala:R", "CALLS")


def test_a_bare_name_of_kotlin_means_a_member_of_the_innermost_receiver() -> None:
    found = Resolved({
        "a.kt": "package p\nclass C {\n fun run(n: Int) {}\n fun go() {}\n}\n"
                "class F {\n fun C.run(n: Int, s: String) { run(n) }\n fun C.ext() { go(); own() }\n fun go() {}\n"
                " fun own() {}\n"
                " fun with1(c: C) { with(c) { go() } }\n fun apply1(c: C) { c.apply { own(); go() } }\n"
                " fun on(block: suspend C.() -> Unit) {}\n fun on1() { on { go() } }\n"
                " fun each(block: (C) -> Unit) {}\n fun each1() { each { go() } }\n"
                " fun local1(c: C) { val go = { 1 }; c.apply { go() } }\n}\n",
    })  # fmt: skip
    assert users(found, "a.kt:C.run", "CALLS") == ["a.kt:F.run"]
    assert users(found, "a.kt:F.run", "CALLS") == []
    assert users(found, "a.kt:C.go", "CALLS") == ["a.kt:F.apply1", "a.kt:F.ext", "a.kt:F.on1", "a.kt:F.with1"]
    assert users(found, "a.kt:F.go", "CALLS") == ["a.kt:F.each1"]
    assert users(found, "a.kt:F.own", "CALLS") == ["a.kt:F.apply1", "a.kt:F.ext"]


CASTS = {
    "if": "if (r is Local) r.open()",
    "else": "if (r !is Local) { 1 } else {\n r.open()\n }",
    "not": "if (!(r is Local)) return\n r.open()",
    "leaves": "if (r !is Local || x) {\n return }\n r.open()",
    "joined": "val y = r is Local && r.open()",
    "when": "when (r) {\n is Other, is Local -> r.open()\n else -> 1\n }",
    "named": "when (val s = r.next()) { is Local -> s.open() }",
    "case": "when {\n r is Local -> r.open()\n }",
    "as": "r as Local\n r.open()",
    "as?": "val y = r as? Local ?: return\n r.open()",
    "require": "require(r is Local)\n r.open()",
    "while": "while (r is Local) {\n r.open()\n }",
}


@pytest.mark.parametrize("body", CASTS.values(), ids=CASTS)
def test_a_parameter_of_an_outside_type_has_the_type_that_kotlin_tests(tmp_path: Path, body: str) -> None:
    head = "import com.outside.Single\nabstract class Local { open fun open() = true }\nclass Other\n"
    ws = loaded(tmp_path, "a.kt", f"{head}fun f(r: Single, x: Boolean) {{\n {body}\n}}\n")
    assert [edge.source.partition(":")[2] for edge in ws.callers("Local.open").edges] == ["f"]


@pytest.mark.parametrize(
    "body",
    [
        "if (r is Local) x()\n r.open()",
        "when (r) {\n is Local -> 1\n else -> r.open()\n }",
        "val y = r as? Local\n r.open()",
        "if (r !is Local) {\n r.open()\n }",
    ],
)
def test_a_parameter_of_an_outside_type_has_it_where_no_test_is_true(tmp_path: Path, body: str) -> None:
    head = "import com.outside.Single\nprivate class Local { fun open() = true }\n"
    ws = loaded(tmp_path, "a.kt", f"{head}fun f(r: Single, x: () -> Unit) {{\n {body}\n}}\n")
    assert ws.callers("Local.open").verdict.kind == "none"


def test_the_constructor_of_kotlin_is_an_overload_of_the_functions_of_its_name() -> None:
    found = Resolved({
        "a.kt": "package p\nsealed interface Dim {\n object Un : Dim\n class Px(val n: Int) : Dim\n}\n"
                "data class Size(\n val w: Dim,\n val h: Dim,\n)\nfun Size(w: Dim, h: Int) = Size(w, Dim.Px(h))\n"
                "fun mixed() = Size(Dim.Un, 2)\nfun both(d: Dim) = Size(d, d)\nfun unknown() = Size(o1(), o2())\n"
                "fun <K> Map2(n: Int = 1): Any = n\nprivate class Map2(val l: List<Int>)\n",
        "b.kt": "package p\nfun map() = Map2<Int>()\n",
    })  # fmt: skip
    assert users(found, "a.kt:Size", "CALLS") == ["a.kt:Size#2", "a.kt:both"]
    assert users(found, "a.kt:Size#2", "CALLS") == ["a.kt:mixed"]
    assert {used for user, used in found.pairs("CALLS", 0.9) if user == "b.kt:map"} == {"a.kt:Map2"}


def test_a_class_of_kotlin_is_not_the_one_that_its_file_imports_under_its_name() -> None:
    found = Resolved({
        "a.kt": "package q\nclass B(val n: Int)\n",
        "b.kt": "package p\nimport q.B\nclass B(val m: Int) : X by B(m, g(m)) {\n private var k = 1\n"
                " constructor() : this(1)\n fun f() = h()\n fun h() = 1\n fun g(n: Int) = B(n)\n}\n",
        "c.kt": "package p\nfun use() = B(2)\n",
    })  # fmt: skip
    assert {used for user, used in found.pairs("CALLS") if user == "c.kt:use"} == {"b.kt:B"}
    assert users(found, "b.kt:B.h", "CALLS") == ["b.kt:B.f"]
    assert not {used for user, used in found.pairs("CALLS", 0.9) if user == "b.kt:B.g"}


def test_a_name_that_ends_with_a_space_is_found_by_its_id(tmp_path: Path) -> None:
    ws = loaded(tmp_path, "a.kt", "class T {\n fun `it works ` () {}\n}\n")
    method = next(symbol for symbol in ws.symbols if symbol.kind == "method")
    assert method.name == "it works "
    assert ws.symbol(method.id) == method


@pytest.mark.parametrize("kind", ["interface", "internal abstract class", "internal object", "sealed interface"])
@pytest.mark.parametrize("marks", ["@Entry\n@In(One::class)", "@In(1)\n@Entry", "@Entry @In(a = [1], b = Two(3))"])
def test_kotlin_a_type_with_several_annotations_keeps_its_members_and_them(
    tmp_path: Path, marks: str, kind: str
) -> None:
    ws = loaded(tmp_path, "a.kt", f"package p\n\nimport q.Entry\n\n{marks}\n{kind} Point {{\n    fun make(): Int\n}}\n")
    assert ws.symbol("Point.make").parent == ws.symbol("Point").id
    assert sorted(ws.symbol("Point").decorators) == ["Entry", "In"]


def test_kotlin_an_entry_of_when_may_begin_with_in(tmp_path: Path) -> None:
    entries = "1 -> one()\n      in 2..3 -> two()\n      !in other.of -> three()\n      else -> four()"
    names = ("one", "two", "three", "four")
    functions = "\n".join(f"  private fun {name}() {{}}" for name in names)
    text = f"class C {{\n  fun go(k: Int) {{\n    when (k) {{\n      {entries}\n    }}\n  }}\n{functions}\n}}\n"
    ws = loaded(tmp_path, "a.kt", text)
    assert [edge.confidence for name in names for edge in ws.callers(name).edges] == [1.0] * 4


@pytest.mark.parametrize(
    ("code", "called"),
    [
        ("l.forEach { it.go() }", "A"),
        ("l.forEach { x -> x.go() }", "A"),
        ("b?.let { it.go() }", "B"),
        ("b?.also { x -> x.go() }", "B"),
        ("l.forEach {\n            b?.let { it.go() }\n        }", "B"),
        ("b?.let { l.forEach { it.go() } }", "A"),
        ("l.forEach { it.go(); bs.forEach { x -> it.go() } }", "A"),
        ("val x = b\n        l.forEach { x -> x.go() }", "A"),
    ],
)
def test_kotlin_a_function_without_a_name_gets_an_element_or_the_object(code: str, called: str) -> None:
    head = "class A { fun go() {} }\nclass B { fun go() {} }\n"
    text = f"{head}class V(val l: List<A>, val bs: List<B>) {{\n    fun f(b: B?) {{\n        {code}\n    }}\n}}\n"
    assert Resolved({"a.kt": text}).callees("a.kt:V.f", 0.5) == [f"a.kt:{called}.go"]


def test_kotlin_a_property_does_not_hide_the_function_of_its_name() -> None:
    found = Resolved({
        "a.kt": "package p\nclass V(val run: (Int) -> Unit) {\n val rows: Int = rows(1)\n fun f() { rows(2) }\n"
                " fun g() { val rows = rows(3) }\n fun h(rows: (Int) -> Unit) { rows(4) }\n fun i() { run(1) }\n}\n"
                "fun rows(n: Int): Int = n\nfun run(n: Int) {}\n",
    })  # fmt: skip
    for name in ("", ".f", ".g"):
        assert found.callees(f"a.kt:V{name}") == ["a.kt:rows"], name
    assert found.callees("a.kt:V.h", 0) == found.callees("a.kt:V.i", 0) == []
