"""Elements of containers that closures, tuples and properties get, in languages whose closures are no symbols."""

from __future__ import annotations

import pytest

from codeexplore.syntax.analyse import analyse
from codeexplore.types import SourceFile
from tests.graph_sources import edges, graph_of

KOTLIN = """\
package a
class Item(val n: Int) {
    val kids: List<Item> = listOf()
    fun same(): Item = this
    fun load() = true
}
class Other {
    fun load() = false
}
class S(private val items: List<Item>, private val table: Map<String, Item>, val names: List<String>) {
    fun f() {
        %s
    }
}
"""
SWIFT = """\
class Item { func load() -> Bool { return true }
  func same() -> Item { return self } }
class Other { func load() -> Bool { return true } }
class S {
  var items: [Item] = []
  var table: [String: Item] = [:]
  func f() {
    %s
  }
}
"""
CSHARP = """\
class Item { public bool Load() => true; public int N; public Item Same; }
class Other { public bool Load() => true; }
class S {
  List<Item> items; Dictionary<string, Item> table;
  void F() {
    %s
  }
}
"""
SCALA = """\
package a
class Item { def load() = true; def same: Item = this }
class Other { def load() = true }
class S(items: List[Item], table: Map[String, Item], one: Option[Item]) {
  def f = {
    %s
  }
}
"""


@pytest.mark.parametrize(
    ("path", "source", "line"),
    [
        ("a.kt", KOTLIN, "items.filter { it.n > 1 }.forEach { it.load() }"),
        ("a.kt", KOTLIN, "items.sortedBy { it.n }.firstOrNull()?.let { it.load() }"),
        ("a.kt", KOTLIN, "items.forEachIndexed { i, x -> x.load() }"),
        ("a.kt", KOTLIN, "items.any({ x -> x.load() })"),
        ("a.kt", KOTLIN, "for ((k, v) in table) v.load()"),
        ("a.kt", KOTLIN, "table.forEach { (k, v) -> v.load() }"),
        ("a.kt", KOTLIN, "table.values.forEach { it.load() }"),
        ("a.kt", KOTLIN, "table.entries.first().value.load()"),
        ("a.kt", KOTLIN, "items.groupBy { it.n }.values.first().first().load()"),
        ("a.kt", KOTLIN, "items.first().load()"),
        ("a.kt", KOTLIN, "val made = mutableListOf<Item>()\n        made.first().load()"),
        ("a.kt", KOTLIN, "val made = HashMap<String, Item>()\n        made[name]?.load()"),
        ("a.kt", KOTLIN, "items.map { it.same() }.forEach { it.load() }"),
        ("a.kt", KOTLIN, "items.map { x -> x.kids }.first().first().load()"),
        ("a.kt", KOTLIN, "items.flatMap { it.kids }.first().load()"),
        ("a.kt", KOTLIN, "names.map { Item(1) }.first().load()"),
        ("a.kt", KOTLIN, "table.map { it.value }.first().load()"),
        ("a.swift", SWIFT, "items.forEach { $0.load() }"),
        ("a.swift", SWIFT, "items.sorted { a, b in a.load() }"),
        ("a.swift", SWIFT, "items.filter({ (x) in x.load() })"),
        ("a.swift", SWIFT, "if let x = items.first { x.load() }"),
        ("a.swift", SWIFT, "guard let y = items.last else { return }\n    y.load()"),
        ("a.swift", SWIFT, "items[0].load()"),
        ("a.swift", SWIFT, "var made = [Item]()\n    made.first?.load()"),
        ("a.swift", SWIFT, "var made = [String: Item]()\n    made[name]?.load()"),
        ("a.swift", SWIFT, "var made = Array<Item>()\n    made.first?.load()"),
        ("a.swift", SWIFT, "for x in items.map({ $0.same() }) { x.load() }"),
        ("a.swift", SWIFT, "items.compactMap { $0 }.first?.load()"),
        ("a.swift", SWIFT, 'table["a"]?.load()'),
        ("a.swift", SWIFT, "for (i, v) in items.enumerated() { v.load() }"),
        ("a.cs", CSHARP, "items.Where(x => x.N > 1).OrderBy(x => x.N).First().Load();"),
        ("a.cs", CSHARP, "items.ForEach(x => x.Load());"),
        ("a.cs", CSHARP, "foreach (var pair in table) pair.Value.Load();"),
        ("a.cs", CSHARP, "foreach (var (k, v) in table) v.Load();"),
        ("a.cs", CSHARP, 'if (table.TryGetValue("a", out var v)) v.Load();'),
        ("a.cs", CSHARP, "items.Select(x => x.Same).First().Load();"),
        ("a.cs", CSHARP, "table.Select(p => p.Value).First().Load();"),
        ("a.cs", CSHARP, "var made = new List<Item>(); made[0].Load();"),
        ("a.cs", CSHARP, "var made = new Dictionary<string, Item>(); made[name].Load();"),
        ("a.cs", CSHARP, "table.Values.First().Load();"),
        ("a.scala", SCALA, "items.filter(_.load())"),
        ("a.scala", SCALA, "items.sortBy(x => x.load())"),
        ("a.scala", SCALA, "items(0).load()"),
        ("a.scala", SCALA, "items.map(_.same).head.load()"),
        ("a.scala", SCALA, "items.map(x => x.same).foreach(_.load())"),
        ("a.scala", SCALA, "items.head.load()"),
        ("a.scala", SCALA, "for ((k, v) <- table) v.load()"),
        ("a.scala", SCALA, "table.foreach { case (k, v) => v.load() }"),
        ("a.scala", SCALA, "one match { case Some(x) => x.load(); case None => false }"),
        ("a.scala", SCALA, "val (a, b) = items.partition(_.load())\n    a.head.load()"),
    ],
)
def test_an_element_has_the_type_of_the_container(path: str, source: str, line: str) -> None:
    graph = graph_of({path: source % line})
    found = {target.rpartition(".")[0]: e.confidence for (_, target), e in edges(graph).items() if "oad" in target}
    assert [name.rpartition(".")[2] for name, sure in found.items() if sure >= 0.9] == ["Item"]


@pytest.mark.parametrize(
    ("path", "source", "line"),
    [
        ("a.kt", KOTLIN, "run { it.load() }"),  # no closure of a container
        ("a.kt", KOTLIN, "items.withLock { it.load() }"),
        ("a.kt", KOTLIN, "items.forEachIndexed { i, x -> i.load() }"),
        ("a.kt", KOTLIN, "items.filter { other { it.load() } }"),  # `it` is that of the inner closure
        ("a.swift", SWIFT, "items.filter { other { $0.load() } }"),
        ("a.cs", CSHARP, "items.Use(x => x.Load());"),
        ("a.scala", SCALA, "items.filter(x => other(_.load()))"),
    ],
)
def test_another_closure_gets_no_element(path: str, source: str, line: str) -> None:
    graph = graph_of({path: source % line})
    assert not [target for (_, target), e in edges(graph).items() if "oad" in target and e.confidence >= 0.6]


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("a.kt", KOTLIN % "items.forEach { it.load() }\n        others.forEach { it.load() }"),
        ("a.kt", KOTLIN % "items.forEach { x -> x.load() }\n        others.forEach { x -> x.load() }"),
        (
            "a.java",
            "class Item { void load() {} }\nclass Other { void load() {} }\n"
            "class S { java.util.List<Item> items; java.util.List<Other> others;\n  void f() {\n"
            "    for (Item x : items) x.load();\n    for (Other x : others) x.load();\n  } }\n",
        ),
    ],
)
def test_locals_of_one_name_in_two_blocks_are_two(path: str, source: str) -> None:
    source = source.replace("table: Map<String, Item>", "others: List<Other>")
    found = {
        target.split(".")[-2]: e.sites for (_, target), e in edges(graph_of({path: source})).items() if "oad" in target
    }
    lines = {name: [site.line for site in sites] for name, sites in found.items()}
    first = lines["Item"][0]
    assert lines == {"Item": [first], "Other": [first + 1]}


@pytest.mark.parametrize(
    ("path", "source", "target"),
    [
        ("a.kt", "fun <T> List<T>.first(n: Int): T = get(n)\nfun use(xs: List<Int>) { xs.first(2) }\n", "first"),
        (
            "a.swift",
            "extension Sequence { func flatMap(_ n: Int) -> Int { return n } }\n"
            "func use(xs: [Int]) { xs.flatMap(3) }\n",
            "Sequence.flatMap",
        ),
        (
            "a.cs",
            "static class E { public static int First(this List<int> xs) => 1;\n"
            "  public static void Use(List<int> ys) { ys.First(); } }\n",
            "E.First",
        ),
    ],
)
def test_an_extension_may_have_the_name_of_a_built_in_method(path: str, source: str, target: str) -> None:
    found = {name: e.confidence for (_, name), e in edges(graph_of({path: source})).items()}
    assert found[target] == 0.9


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("kotlin", "fun f(a: A) { a%s.y() }" % (".map { it.x }" * 35)),
        ("swift", "func f(a: A) { a%s.y() }" % (".map { $0.x }" * 35)),
        ("csharp", "class C { void F(A a) { a%s.Y(); } }" % (".Select(x => x.Y)" * 35)),
        ("scala", "object O { def f(a: A) = a%s.y() }" % (".map(_.x)" * 300)),
        ("scala", "object O { def f(a: A) = " + "a.map(" * 200 + "_.x()" + ")" * 200 + " }"),
        ("scala", "object O { def f(a: A) = a.map(" + "_.map(" * 200 + "_.x()" + ")" * 201 + " }"),
    ],
)
def test_closures_of_long_chains_and_in_each_other_are_read_once(language: str, text: str) -> None:
    assert not analyse(SourceFile(f"v.{language}", language, text, "")).warnings


_NAMES = ", ".join(f"p{number}" for number in range(4_000))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("kotlin", "fun f(a: A) { a.map { " + _NAMES + " -> p0.x() } }"),
        ("kotlin", "fun f(a: A) { val (" + _NAMES + ") = a\n p0.x() }"),
        ("scala", "object O { def f(a: A) = { val (" + _NAMES + ") = a\n p0.x() } }"),
        ("csharp", "class C { void F(A a) { var (" + _NAMES + ") = a; p0.X(); } }"),
        ("php", "<?php\n" + "function f() { /** @var A $a */ $a->x(); }\n" * 4_000),
        ("php", "<?php function f() { /** @var " + "a" * 60_000 + " }"),
        ("php", "<?php function f($a) { " + "$m = $t[$k]; $a->$m();\n" * 4_000 + " }"),
        ("ruby", "def f(a)\nT.each { |" + _NAMES + "| " + "a.send(p1)\n" * 4_000 + " }\nend"),
    ],
)
def test_places_among_many_are_found(language: str, text: str) -> None:
    assert not analyse(SourceFile(f"v.{language}", language, text, "")).warnings
