"""Members that the language, its runtime or a manifest uses without a call in the source: they are never "unused"."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeexplore import Workspace
from codeexplore.graph.usage.dead_code import DeadCode
from codeexplore.graph.usage.entry_points import entry_points
from tests.graph_sources import graph_of, standings_of

USED = {
    "private constructor": ("a.java", "public final class A { private A() {} public static int up() { return 1; } }"),
    "private constructor that throws": (
        "a.cs", "public class A { private A() { throw new E(); } public static void Up() {} "
        "}"),
    "private constructor of TypeScript": (
        "a.ts", "export class A { private constructor() {} static up() { return 1; } "
        "}"),
    "static constructor": (
        "a.cs", "public static class A { static A() { Fill(); } private static void Fill() {} public static "
        "int X; }"),
    "finalizer": ("a.cs", "public class A { ~A() { Free(); } private void Free() {} }"),
    "operator": (
        "a.cs", "public struct A { internal static A operator +(A a, A b) { return Sum(a, b); } static A Sum(A "
        "a, A b) => a; }"),
    "indexer": (
        "a.cs", "public class A { internal int this[int i] { get { return At(i); } } private int At(int i) => "
        "i; }"),
    "main": (
        "a.cs", "class A { static int Main(string[] args) { return new B().Go(); } }\nclass B { internal int "
        "Go() => 1; }"),
    "asynchronous main": (
        "a.cs", "class A { static async System.Threading.Tasks.Task Main() { new B(); } }\nclass B { "
        "}"),
    "main of an interface": (
        "a.java", "interface A { static void main(String[] args) { new B().go(); } }\nclass B { void go() {} "
        "}"),
    "agent": (
        "a.java", "class A { public static void premain(String args) { new B().go(); } }\nclass B { void go() {} "
        "}"),
    "constructor of a supertype": (
        "a.java", "public abstract class A { A() {} public static A make() { return new B(1); } }\nclass B "
        "extends A { B(int x) {} }"),
    "member that an interface requires": (
        "a.cs", "public interface I { void Go(); }\n"
        "public class A : I { void I.Go() { } public static I One = new A(); }"),
    "constant of an enum": (
        "a.java", "public enum A { ONE { int up() { return 1; } };\nint up() { return 2; }\n"
        "public static int all() { return values()[0].up(); } }"),
    "operator of Kotlin": ("a.kt", "class B { private operator fun plus(o: B) = help()\nprivate fun help() = 1 }"),
    "definition of a platform": ("a.kt", "private actual fun now() = 1"),
    "operator of Swift": ("a.swift", "public struct B { private static func + (l: B, r: B) -> B { l } }"),
    "result builder": (
        "a.swift", "public struct R { static func buildArray(_ p: [Int]) -> Int { pack() }\n"
        "private static func pack() -> Int { 1 } }"),
    "extractor": ("a.scala", "class B { private def unapply(o: B) = o }"),
    "conversion": ("a.scala", "class B { private implicit def toText(n: Int): String = null }"),
    "module initializer": ("a.cs", "static class A { [ModuleInitializer] internal static void Boot() { } }"),
}  # fmt: skip


def unused(path: str, text: str) -> list[str]:
    graph = graph_of({path: text})
    found = DeadCode(graph, standings_of({path: text})).found()
    return [each.symbol_id.rpartition(".")[2] for each in found if each.kind == "unused"]


@pytest.mark.parametrize(("path", "text"), USED.values(), ids=USED)
def test_what_the_language_uses_is_not_unused(path: str, text: str) -> None:
    assert unused(path, text) == []


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        ("a.java", "public class A { private static void gone() {} }", "gone"),
        ("a.cs", "public class A { private void Gone() {} }", "Gone"),
        ("a.kt", "class A { private fun gone() = 1 }", "gone"),
        ("a.swift", "public struct A { private func gone() {} }", "gone"),
        ("a.scala", "class A { private def gone = 1 }", "gone"),
        ("a.cs", "public class A { private static void Main(int x) {} }", "Main"),  # no signature of an entry point
    ],
)
def test_a_private_member_without_a_use_stays_unused(path: str, text: str, name: str) -> None:
    assert unused(path, text) == [name]


def test_a_finalizer_is_no_entry_point() -> None:
    sources = {"a.cs": "public class A { ~A() { } static void Main() { } }"}
    found = entry_points(graph_of(sources), standings_of(sources), ("main",))
    assert [each.symbol_id for each in found] == ["a.cs:A.Main"]


@pytest.mark.parametrize(
    ("path", "source", "name", "number"),
    [
        ("Sums.cs", "class Checks {\n  Checks() { }\n  [Fact]\n  public void Adds() { }\n}\n", "Checks", 2),
        ("src/test/java/A.java", "class Checks {\n  Checks() {}\n  @Test void adds() {}\n}\n", "Checks", 2),
        ("tests/test_shop.py", "class TestShop:\n    def test_it(self): ...\n", "TestShop", 1),
    ],
)
def test_a_test_runner_makes_instances_of_a_class_of_tests(
    tmp_path: Path, path: str, source: str, name: str, number: int
) -> None:
    (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / path).write_text(source)
    ws = Workspace(tmp_path, workers=0, cache=False)
    found = [each for each in ws.catalog.symbols if each.name == name]  # the class, and its constructor
    assert len(found) == number
    for symbol in found:
        assert "a test runner makes instances of the type, whose methods are tests" in str(ws.callers(symbol))
