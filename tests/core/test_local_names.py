"""Locals hide outer names in their block only, and values that a language calls without their names are calls of them.

In each text the functions ``hidden…`` call a local, and the functions ``seen…`` call the outer function.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from codeexplore import Workspace
from tests.resolved import Resolved

KOTLIN = """
fun beep() {}
fun hidden1(x: Any) { when (val beep = x.hashCode()) { 1 -> beep() else -> 1 } }
fun hidden2() { try { go() } catch (beep: Exception) { beep() } }
fun hidden3(all: List<Pair<Int, Int>>) { all.map { (beep, b) -> beep() } }
fun hidden4(all: List<Int>) { all.map(fun(beep: Int): Int { return beep() }) }
fun hidden5(beep: () -> Unit) { beep() }
fun seen1(all: List<Int>) { all.map { beep -> beep() }; beep() }
fun seen2(x: Any) { if (x is Int) { val beep = 1 }; beep() }
fun seen3() { beep(); val beep = 2 }
fun seen4(x: Any) { when (val beep = beep()) { else -> 1 } }
fun seen5(all: List<Int>) { for (beep in all) { }
  beep() }
"""
SWIFT = """
func beep() {}
func hidden1(x: (() -> Void)?) { while let beep = x { beep() } }
func hidden2(all: [(() -> Void)?]) { for case let beep? in all { beep() } }
func hidden3(all: [() -> Void]) { for (i, beep) in all.enumerated() { beep() } }
func hidden4() { do { try go() } catch let beep as Bad { beep() } }
func hidden5(x: Event) { if case let .fire(beep, z) = x { beep() } }
func hidden6(beep: (() -> Void)?) { if let beep { beep() } }
func hidden7(s: Shop) { s.go { [beep = s] in beep() } }
func seen1(x: (() -> Void)?) { if let beep = x { beep() } else { beep() } }
func seen2(x: Event) { switch x { case .a(let beep): break; case .b: beep() } }
func seen3() { if let beep = beep() { } }
func seen4() { do { let beep = 1 }
 beep() }
"""
SCALA = """
object O {
  def beep() = 1
  def hidden1(x: Any) = x match { case (beep, b) => beep() }
  def hidden2(x: Any) = x match { case beep :: rest => beep() }
  def hidden3(x: Any) = x match { case beep @ Pair(a) if beep() => 1 }
  def hidden4(xs: List[Fun]) = for { beep <- xs; y = beep() } yield y
  def hidden5(xs: List[Fun]) = xs.foldLeft(0)((beep: Fun, c) => beep())
  def seen1(x: Any) = x match { case Some(beep) => 1; case None => beep() }
  def seen2(xs: List[Fun]) = for (beep <- beep()) yield 1
  def seen3(x: Any) = x match { case `beep` => beep() }
}
"""
GO = """
package a

func beep() func() { return nil }
func hidden1(xs []func()) { for _, beep := range xs { beep() } }
func hidden2(x any) { if beep := other(); beep != nil { beep() } else { beep() } }
func hidden3() { { f := func(beep func()) { beep() }; f(nil) } }
func seen1(k int) {
	switch k {
	case 1:
		beep := 2
		_ = beep
	default:
		beep()
	}
}
func seen2() { if beep := beep(); beep != nil { beep() } }
func seen3() { { beep := 1; _ = beep }; func() { beep() }() }
func other() func() { return nil }
"""


@pytest.mark.parametrize(("path", "text"), [("a.kt", KOTLIN), ("a.swift", SWIFT), ("a.scala", SCALA), ("a.go", GO)])
def test_a_local_hides_a_function_in_its_block_only(path: str, text: str) -> None:
    found = Resolved({path: text})
    callers = {source for source, target in found.pairs(confidence=0.0) if target.endswith("beep")}
    named = {name for name in map(found.short, found.symbols) if "seen" in name and "<lambda" not in name}
    assert {caller.partition(".<lambda")[0] for caller in callers} == named


def test_a_javas_field_is_meant_again_after_the_block() -> None:
    text = """
    class Log { void put() {} }
    class Tee { void put() {} }
    class D {
      Log log = new Log();
      void a() { for (Tee log : all()) { log.put(); } }
      void b() { for (Tee log : all()) { } log.put(); }
      void c() { try (Tee log = new Tee()) { log.put(); } catch (Exception e) { log.put(); } }
      void d() { Log log = log(); log.put(); }
      Log log() { return null; }
      Tee[] all() { return null; }
    }
    """
    found = Resolved({"D.java": text})
    puts = {(source[-1], target) for source, target in found.pairs() if target.endswith("put")}
    assert {(caller, target.partition(":")[2]) for caller, target in puts} == {
        ("a", "Tee.put"), ("b", "Log.put"), ("c", "Log.put"), ("c", "Tee.put"), ("d", "Log.put"),
    }  # fmt: skip
    assert "D.java:D.log#2" in found.callees("D.java:D.d")


@pytest.mark.parametrize(
    ("path", "text", "caller", "callee"),
    [
        ("a.kt", "fun String.slug() = this\nfun go(s: String?) = s?.slug()", "go", "slug"),
        ("a.kt", 'fun String.slug() = this\nfun go() = "a b".slug()', "go", "slug"),
        ("a.kt", "fun <T> Iterable<T>.third() = 1\nclass B(val xs: ArrayList<Int>)\nfun go(b: B) = b.xs.third()",
         "go", "third"),
        ("a.kt", "val String.big: Int get() = 1\nfun go(s: String) = s.big", "go", "big"),
        ("a.kt", "infix fun Int.upTo(o: Int) = 1\nfun go() = 3 upTo 4", "go", "upTo"),
        ("a.kt", "class R { operator fun set(i: Int, v: Int) {} }\nfun go(r: R) { r[1] = 2 }", "go", "R.set"),
        ("a.kt", "class R { operator fun plus(o: R) = o }\nfun go(p: R, q: R) = p + q", "go", "R.plus"),
        ("a.kt", "class R { operator fun component2() = 1 }\nfun go(r: R) { val (a, b) = r }", "go", "R.component2"),
        ("a.kt", "class R { fun open(id: Int): Int {\n  return read(id)\n }\n fun read(id: Int) = id }",
         "R.open", "R.read"),
        ("a.kt", "enum class E { A; fun run() = 1 }\nfun go() = E.A.run()", "go", "E.run"),
        ("a.kt", "interface L { fun hit() }\nfun make() = object : L { override fun hit() { help() }\n fun help() {} }",
         "make.<class:2:13>.hit", "make.<class:2:13>.help"),
        ("a.swift", "struct V { static func + (l: V, r: V) -> V { l } }\nfunc go(p: V, q: V) -> V { p + q }",
         "go", "V.+"),
        ("a.swift", "struct V { subscript(i: Int) -> Int { i } }\nfunc go(p: V) -> Int { p[1] }", "go", "V.subscript"),
        ("a.swift", "struct V { func callAsFunction() {} }\nfunc go(p: V) { p() }", "go", "V.callAsFunction"),
        ("a.swift", "extension Array { func third() {} }\nfunc go(xs: [Int]) { xs.third() }", "go", "Array.third"),
        ("a.swift", "struct P { init(a: Int) {}\n init(b: Int) {} }\nfunc go() { P(a: 1) }", "go", "P.init"),
        ("a.scala", "class B { def ::(o: Int) = this }\nobject U { def go(b: B) = 1 :: b }", "U.go", "B.::"),
        ("a.scala", "class B { def withFilter(f: Int) = this }\n"
                    "object U { def go(b: B) = for (i <- b if i > 1) yield i }", "U.go", "B.withFilter"),
        ("a.scala", "class B(n: Int)\nobject B { def unapply(b: B) = 1 }\n"
                    "object U { def go(x: Any) = x match { case B(n) => n } }", "U.go", "B.unapply"),
        ("a.scala", "class B { def size = 1\n def size_=(n: Int) = 2 }\nobject U { def go(b: B) = { b.size = 3 } }",
         "U.go", "B.size_="),
        ("a.scala", "enum E { case A\n def run() = 1 }\nobject U { def go() = E.A.run() }", "U.go", "E.run"),
    ],
)  # fmt: skip
def test_syntax_calls_a_function_without_its_name(path: str, text: str, caller: str, callee: str) -> None:
    found = Resolved({path: text})
    targets = [edge for edge in found.edges(confidence=0.9) if found.short(edge.source) == f"{path}:{caller}"]
    assert f"{path}:{callee}" in {found.short(edge.target) for edge in targets}


@pytest.mark.parametrize(
    ("path", "text", "caller", "callee"),
    [
        ("a.kt", "package p\nclass B { fun require(n: Long) {}\n fun go(n: Int) { require(n > 0) { 1 } } }",
         "B.go", "B.require"),
        ("a.swift", "func take(_ a: Int, case b: Int) {}\nfunc go() { take(1) }", "go", "take"),
        ("a.kt", "fun String.slug() = this\nclass Box { fun slug() = 1 }\nfun go(x: Box) = x.slug()", "go", "slug"),
    ],
)  # fmt: skip
def test_a_function_that_does_not_take_the_arguments_is_never_certain(
    path: str, text: str, caller: str, callee: str
) -> None:
    found = Resolved({path: text})
    certain = {(found.short(edge.source), found.short(edge.target)) for edge in found.edges(confidence=0.9)}
    assert (f"{path}:{caller}", f"{path}:{callee}") not in certain


def test_definitions_of_platforms_exclude_each_other() -> None:
    found = Resolved({
        "common/A.kt": "package p\nexpect class Clock() { fun now(): Int }\n",
        "common/C.kt": "package p\nfun go() = Clock()\n",
        "jvm/A.kt": "package p\nactual class Clock { actual fun now() = 1 }\n",
        "js/B.kt": "package p\nactual class Clock { actual fun now() = 2 }\n",
    })  # fmt: skip
    certain = {edge.target.partition(":")[0] for edge in found.edges(confidence=0.9)}
    assert certain == {"common/A.kt"}
    assert {edge.target.partition(":")[0] for edge in found.edges(confidence=0.5)} >= {"jvm/A.kt", "js/B.kt"}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("A.java", "class A { static final Object BASE = f();\n  boolean ok() { return BASE instanceof String; } }\n"),
        ("a.ts", "const BASE = f();\nexport function ok() { return BASE instanceof Map; }\n"),
    ],
)
def test_a_constant_whose_type_a_return_tests_is_no_local(tmp_path: Path, path: str, text: str) -> None:
    (tmp_path / path).write_text(text, "utf-8")
    assert "1 use of " in Workspace(tmp_path, workers=0, cache=False).uses("BASE").verdict.text
