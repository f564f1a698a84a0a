"""Which tests run for a change, and which an impact reaches: small repositories of many languages and test runners."""

from __future__ import annotations

import difflib
import random
from collections.abc import Mapping
from pathlib import Path

import pytest

from codeexplore import Workspace
from tests.git_repos import write

# name → files, and what is asked: the tests of an impact, or the ids for an edit (path, text before, text after)
CASES = {
    "kt-impact": (
        """
== src/main/kotlin/P.kt
package p
class Price { fun rounded() = 1 }
== src/test/kotlin/PT.kt
package p
class PT {
 @Test
 fun `rounds up`() { Price().rounded() }
 fun helper() { Price().rounded() }
}
""",
        ("impact", "p.Price.rounded", ["rounds up"]),
    ),
    "cs-impact": (
        """
== src/P.cs
namespace P { public class Price { public int Rounded() { return 1; } } }
== test/PriceTests.cs
namespace P { public class PriceTests {
 [Fact] public void Up() { new Price().Rounded(); }
 [Xunit.Theory] [InlineData(1)] public void Th(int a) { new Price().Rounded(); }
 [TestMethod] public void Ms() { new Price().Rounded(); }
 void TestHelper() { new Price().Rounded(); } } }
""",
        ("impact", "P.Price.Rounded", ["Ms", "Th", "Up"]),
    ),
    "junit3-java": (
        """
== src/main/java/w/P.java
package w; public class P { public int r() { return 1; } }
== src/test/java/w/OldTest.java
package w; public class OldTest extends junit.framework.TestCase {
 public void testR() { new P().r(); }
 void helper() { new P().r(); }
}
== src/test/java/w/NewTest.java
package w; class NewTest {
 void testData() { new P().r(); }
 @ParameterizedTest void each() { testData(); }
}
""",
        ("impact", "w.P.r", ["each", "testR"]),
    ),
    "php-impact": (
        r"""
== src/P.php
<?php
namespace A; class P { public function r() { return 1; } }
== tests/PTest.php
<?php
namespace A\Tests; use A\P; class PTest extends TestCase {
 #[Test] public function rounds() { (new P())->r(); }
 public function testUp() { (new P())->r(); }
}
""",
        ("impact", "A\\P::r", ["rounds", "testUp"]),
    ),
    "swift-impact": (
        """
== Sources/A/P.swift
struct P { func r() -> Int { 1 } }
== Tests/ATests/PTests.swift
import Testing
@testable import A
@Test func rounds() { P().r() }
class PTests: XCTestCase { func testUp() { P().r() }
 func helper() { P().r() } }
""",
        ("impact", "P.r", ["rounds", "testUp"]),
    ),
    "go-impact": (
        """
== a/a.go
package a
func R() int { return 1 }
== a/a_test.go
package a
func TestR(t *testing.T) { R() }
func BenchmarkR(b *testing.B) { R() }
func helper() { R() }
""",
        ("impact", "R", ["BenchmarkR", "TestR"]),
    ),
    "spock-scala": (
        """
== src/main/scala/T.scala
package t
object T { def rate: Int = 2 }
== src/test/scala/TaxSpec.scala
package t
class TaxSpec extends AnyFlatSpec {
  "rate" should "be" in { assert(T.rate == 2) }
}
== src/test/scala/Helpers.scala
package t
object Helpers { def x = 1 }
""",
        ("ids", "src/main/scala/T.scala", "Int = 2", "Int = 3", ["src/test/scala/TaxSpec.scala"]),
    ),
    "const-java": (
        """
== src/main/java/w/L.java
package w; public class L { public static final int MAX = 3;
 static boolean over(int n) { return n > MAX; } }
== src/test/java/w/LTest.java
package w; class LTest {
 @Test void over() { L.over(4); }
 @Test void value() { assert L.MAX == 3; }
 @Test void other() { assert 1 == 1; }
}
""",
        ("ids", "src/main/java/w/L.java", "MAX = 3", "MAX = 4", ["w.LTest#over", "w.LTest#value"]),
    ),
    "const-go": (
        """
== a/l.go
package a
const Max = 3
== a/o.go
package a
func Over(n int) bool { return n > Max }
== a/l_test.go
package a
func TestOver(t *testing.T) { Over(4) }
func TestMax(t *testing.T) { if Max != 3 { t.Fail() } }
func TestOther(t *testing.T) { }
== b/b.go
package b
const Max = 9
== b/b_test.go
package b
func TestB(t *testing.T) { if Max != 9 { t.Fail() } }
""",
        ("ids", "a/l.go", "Max = 3", "Max = 4", ["a TestMax", "a TestOver"]),
    ),
    "const-ts": (
        """
== src/l.ts
export const LIMIT = 3;
export function over(n: number) { return n > LIMIT; }
== src/l.test.ts
import { over } from './l';
test('over', () => { over(4); });
== src/v.test.ts
import { LIMIT } from './l';
test('v', () => { expect(LIMIT).toBe(3); });
== src/o.test.ts
const LIMIT = 7;
test('o', () => { expect(LIMIT).toBe(7); });
""",
        ("ids", "src/l.ts", "LIMIT = 3", "LIMIT = 4", ["src/l.test.ts", "src/v.test.ts"]),
    ),
    "const-rust": (
        """
== Cargo.toml
[package]
name = "probe"
== src/lib.rs
pub const LIMIT: u8 = 3;
pub fn over(n: u8) -> bool { n > LIMIT }
#[cfg(test)]
mod tests {
 use super::*;
 #[test]
 fn o() { over(4); }
 #[test]
 fn v() { assert_eq!(LIMIT, 3); }
 #[test]
 fn other() {}
}
== tests/w.rs
#[test]
fn whole() { assert!(probe::LIMIT == 3); }
""",
        ("ids", "src/lib.rs", "u8 = 3", "u8 = 4", ["--test w whole", "tests::o", "tests::v"]),
    ),
    "const-derived": (
        """
== pkg/__init__.py
== pkg/a.py
BASE = 3
TWICE = BASE * 2


class Conf:
    size = TWICE
== pkg/b.py
from .a import Conf


def area(): return Conf.size ** 2
== tests/test_a.py
from pkg.b import area
from pkg import a


def test_area(): assert area() == 36


def test_twice(): assert a.TWICE == 6


def test_none(): pass
""",
        ("ids", "pkg/a.py", "BASE = 3", "BASE = 4", ["tests/test_a.py::test_area", "tests/test_a.py::test_twice"]),
    ),
    "const-call": (
        """
== pkg/__init__.py
== pkg/a.py
def make(): return 3


DEFAULT = make()
== tests/test_a.py
from pkg.a import DEFAULT


def test_default(): assert DEFAULT == 3


def test_none(): pass
""",
        ("ids", "pkg/a.py", "return 3", "return 4", ["tests/test_a.py::test_default"]),
    ),
    "param-names": (
        """
== pkg/__init__.py
== pkg/ops.py
def double(x): return 2 * x
== tests/test_o.py
import pytest
from pkg import ops
from pkg.ops import double

CASES = [(double, 2)]


@pytest.mark.parametrize(('f', 'w'), CASES)
def test_each(f, w): assert f(1) == w


@pytest.fixture(params=[ops.double])
def fn(request): return request.param


def test_fn(fn): assert fn(1) == 2


@pytest.mark.parametrize('f', [double])
class TestC:
    def test_c(self, f): assert f(1)


def test_none(): pass
""",
        (
            "ids",
            "pkg/ops.py",
            "2 * x",
            "x + x",
            ["tests/test_o.py::TestC::test_c", "tests/test_o.py::test_each", "tests/test_o.py::test_fn"],
        ),
    ),
    "param-java": (
        """
== src/main/java/w/Ops.java
package w; public class Ops { public static int twice(int x) { return 2 * x; } }
== src/test/java/w/OpsTest.java
package w; import java.util.function.*; class OpsTest {
 static Stream<IntUnaryOperator> cases() { return Stream.of(Ops::twice); }
 @ParameterizedTest
 @MethodSource("cases")
 void each(IntUnaryOperator f) { f.applyAsInt(1); }
 @Test void other() { }
}
""",
        ("ids", "src/main/java/w/Ops.java", "2 * x", "x + x", ["w.OpsTest#each"]),
    ),
    "param-cs": (
        """
== src/Ops.cs
namespace W { public class Ops { public static int Twice(int x) { return 2 * x; } } }
== test/OpsTests.cs
namespace W { public class OpsTests {
 public static IEnumerable<object[]> Cases() { yield return new object[] { Ops.Twice(1) }; }
 [Theory]
 [MemberData(nameof(Cases))]
 public void Each(int f) { }
 [Fact] public void Other() { } } }
""",
        ("ids", "src/Ops.cs", "2 * x", "x + x", ["W.OpsTests#Each"]),
    ),
    "param-ts": (
        """
== src/ops.ts
export function twice(x: number) { return 2 * x; }
== src/ops.test.ts
import { twice } from './ops';
it.each([[twice, 2]])('%s', (f, w) => { expect(f(1)).toBe(w); });
""",
        ("ids", "src/ops.ts", "2 * x", "x + x", ["src/ops.test.ts"]),
    ),
    "param-rust": (
        """
== Cargo.toml
[package]
name = "probe"
== src/lib.rs
pub fn twice(x: u8) -> u8 { 2 * x }
== tests/o.rs
use probe::twice;
#[rstest]
#[case(twice)]
fn each(#[case] f: fn(u8) -> u8) { f(1); }
#[test]
fn other() {}
""",
        ("ids", "src/lib.rs", "2 * x", "x + x", ["--test o each"]),
    ),
    "fix-names": (
        """
== pkg/__init__.py
== pkg/s.py
def connect(): return 1
== tests/conftest.py
import pytest
from pkg.s import connect


@pytest.fixture(name='db')
def _db(): return connect()


@pytest.fixture(params=['db'])
def backend(request): return request.getfixturevalue(request.param)
== tests/test_s.py
import pytest

NAMES = ['db']


def test_backend(backend): assert backend


@pytest.mark.parametrize('n', NAMES)
def test_n(request, n): assert request.getfixturevalue(n)


@pytest.mark.parametrize('n', ['db'])
def test_m(request, n): assert request.getfixturevalue(n)


@pytest.mark.usefixtures('db')
def test_used(): pass


def test_none(request): assert request.getfixturevalue('tmp_path')
""",
        (
            "ids",
            "pkg/s.py",
            "return 1",
            "return 2",
            [
                "tests/test_s.py::test_backend",
                "tests/test_s.py::test_m",
                "tests/test_s.py::test_n",
                "tests/test_s.py::test_used",
            ],
        ),
    ),
    "setup-marks": (
        """
== src/main/java/w/P.java
package w; public class P { public int r() { return 1; } }
== src/test/java/w/PTest.java
package w; class PTest {
 @BeforeEach void init() { new P().r(); }
 @Test void one() { }
}
== src/test/java/w/QTest.java
package w; class QTest {
 QTest() { new P().r(); }
 @Test void two() { }
}
""",
        ("ids", "src/main/java/w/P.java", "return 1", "return 2", ["w.PTest#one", "w.QTest#two"]),
    ),
    "intro": (
        """
== pkg/__init__.py
== pkg/text.py
def clean(l):
    return l.strip()
== tests/test_vars.py
import pkg.text


def test_v():
    for n in vars(pkg.text): pass
== tests/test_dict.py
import pkg.text as t


def test_d():
    assert t.__dict__
== tests/test_suite.py
import doctest


def load_tests(loader, tests, ignore):
    tests.addTests(doctest.DocTestSuite('pkg.text'))
    return tests
== tests/test_member.py
import pkg.text


def test_m():
    assert pkg.text.other
""",
        (
            "safe",
            "pkg/text.py",
            "l.strip()",
            "l.rstrip()",
            ["tests/test_dict.py", "tests/test_suite.py", "tests/test_vars.py"],
        ),
    ),
    "ids-rust": (
        """
== Cargo.toml
[workspace]
members = ['crates/a']
== crates/a/Cargo.toml
[package]
name = "a"
== crates/a/src/lib.rs
pub mod m;
== crates/a/src/m.rs
pub fn f(a: u8) -> u8 { a - 1 }
#[cfg(test)]
mod tests { use super::*; #[test] fn unit() { f(1); } }
== crates/a/tests/api.rs
mod inner { #[test] fn nested() { a::m::f(2); } }
== crates/a/tests/multi/main.rs
#[test] fn top() { a::m::f(2); }
""",
        (
            "ids",
            "crates/a/src/m.rs",
            "a - 1",
            "a - 2",
            ["--test api inner::nested", "--test multi top", "m::tests::unit"],
        ),
    ),
    "ids-scala-kt": (
        """
== src/main/kotlin/S.kt
package s
fun plus(a: Int) = a + 1
== src/test/kotlin/ST.kt
package s
class ST {
 @Nested inner class When {
 @Test fun `adds (two) #3, ok`() { plus(1) }
 }
}
""",
        ("ids", "src/main/kotlin/S.kt", "a + 1", "a + 2", ["s.ST.When#adds (two) #3, ok"]),
    ),
    "ids-cpp": (
        """
== src/a.cc
#include "a.h"
int f(int a) { return a + 1; }
== src/a.h
int f(int a);
== test/a_test.cc
#include "../src/a.h"
TEST(Suite, Adds) { f(1); }
TEST_F(Fix, Other) { f(2); }
TEST(Suite, None) { }
""",
        ("ids", "src/a.cc", "a + 1", "a + 2", ["Fix.Other", "Suite.Adds"]),
    ),
    "kotest": (
        """
== src/main/kotlin/S.kt
package s
fun plus(a: Int) = a + 1
== src/test/kotlin/PlusSpec.kt
package s
class PlusSpec : StringSpec({
 "adds" { plus(1) }
})
""",
        ("ids", "src/main/kotlin/S.kt", "a + 1", "a + 2", ["src/test/kotlin/PlusSpec.kt"]),
    ),
    "minitest": (
        """
== lib/p.rb
class P
  def r
    1
  end
end
== test/p_test.rb
require_relative '../lib/p'
class PTest < Minitest::Test
  def test_r
    P.new.r
  end
end
== test/q_test.rb
require_relative '../lib/p'
class QTest < ActiveSupport::TestCase
  test 'r' do
    P.new.r
  end
end
""",
        ("ids", "lib/p.rb", "    1", "    2", ["PTest#test_r", "test/q_test.rb"]),
    ),
    "exunit": (
        """
== lib/p.ex
defmodule P do
  def r(a) do
    a + 1
  end
end
== test/p_test.exs
defmodule PTest do
  use ExUnit.Case
  test "r" do
    assert P.r(1) == 2
  end
end
""",
        ("ids", "lib/p.ex", "a + 1", "a + 2", ["test/p_test.exs"]),
    ),
    "yaml": (
        """
== pkg/__init__.py
== pkg/ops.py
def double(x): return 2 * x
== pkg/run.py
import yaml


def load(p='conf/handlers.yaml'):
    return yaml.safe_load(open(p))
== conf/handlers.yaml
handlers:
  twice: pkg.ops.double
== tests/test_r.py
from pkg.run import load


def test_load(): assert load()
== tests/cases.yml
- call: pkg.ops:double
  want: 2
== tests/test_cases.py
from pathlib import Path


def test_cases(): assert Path('tests/cases.yml').read_text()
== tests/test_none.py
def test_none(): pass
""",
        ("ids", "pkg/ops.py", "2 * x", "x + x", ["tests/test_cases.py::test_cases", "tests/test_r.py::test_load"]),
    ),
    "json-ts": (
        """
== src/ops.ts
export function twice(x: number) { return 2 * x; }
== src/handlers.json
{"twice": "./ops.ts"}
== src/run.test.ts
import h from './handlers.json';
test('x', async () => { const m = await import(h.twice); m.twice(1); });
""",
        ("ids", "src/ops.ts", "2 * x", "x + x", ["src/run.test.ts"]),
    ),
}


def files_of(text: str) -> dict[str, str]:
    """Return the files of a case, each after a line ``== path``."""
    parts = (part.partition("\n") for part in ("\n" + text).split("\n== ")[1:])
    return {path: f"{code}\n" if code and not code.endswith("\n") else code for path, _, code in parts}


def loaded(root: Path, files: Mapping[str, str]) -> Workspace:
    write(root, files)
    return Workspace(root, cache=False, workers=0, progress=lambda *step: None)


def patch(path: str, old: str, new: str) -> str:
    assert old != new
    return "".join(difflib.unified_diff(old.splitlines(True), new.splitlines(True), f"a/{path}", f"b/{path}"))


def assert_safe_has_all(workspace: Workspace, diff: str) -> None:
    safe = set(workspace.review.changes(diff).tests(safe=True).ids)
    assert set(workspace.review.changes(diff).tests().ids) <= safe


@pytest.mark.parametrize("name", CASES)
def test_a_change_runs_the_tests_of_its_language(name: str, tmp_path: Path) -> None:
    files, (kind, *given) = files_of(CASES[name][0]), CASES[name][1]
    workspace = loaded(tmp_path, files)
    if kind == "impact":
        target, expected = given
        assert sorted(test.name for test in workspace.impact(target).tests) == expected
        return
    path, before, after, expected = given
    diff = patch(path, files[path], files[path].replace(before, after, 1))
    assert sorted(workspace.review.changes(diff).tests(safe=kind == "safe").ids) == expected
    assert_safe_has_all(workspace, diff)


def test_each_runner_gets_its_command(tmp_path: Path) -> None:
    commands = {}
    for name in ("const-rust", "minitest", "exunit", "param-cs", "spock-scala", "rspec"):
        text, (_, path, before, after, *_) = {**CASES, "rspec": RSPEC}[name]
        files = files_of(text)
        diff = patch(path, files[path], files[path].replace(before, after, 1))
        commands[name] = loaded(tmp_path / name, files).review.changes(diff).tests().command
    assert commands.pop("minitest").endswith(" test/p_test.rb test/q_test.rb")
    assert commands == {
        "const-rust": "cargo test -- tests::o tests::v\ncargo test --test w -- whole",
        "exunit": "mix test test/p_test.exs",
        "param-cs": "dotnet test --filter Each",
        "spock-scala": "mvn test -Dtest=TaxSpec",
        "rspec": "bundle exec rspec spec/p_spec.rb",
    }


RSPEC = """
== lib/p.rb
class P
  def r
    1
  end
end
== spec/p_spec.rb
RSpec.describe P do
  it('r') { expect(P.new.r).to eq 1 }
end
""", ("ids", "lib/p.rb", "    1", "    2")  # fmt: skip


def test_what_the_selection_can_not_see_is_said(tmp_path: Path) -> None:
    files = {
        "pkg/ops.py": "def double(x): return 2 * x\n",
        "tests/conftest.py": "def ask(request, name): return request.getfixturevalue(name)\n",
        "tests/test_o.py": "from pkg.ops import double\n\n\ndef test_double(): assert double(1) == 2\n",
    }
    diff = patch("pkg/ops.py", files["pkg/ops.py"], "def double(x): return x + x\n")
    escapes = loaded(tmp_path, files).review.changes(diff).tests().escapes
    assert "1 file may get fixtures by names built at run time (tests/conftest.py)." in escapes


# --------------------------------------------------------------------------- safe selections

BODIES = (
    "return {0}()",
    "return Registry.known['{0}']()",
    "return getattr(MODULE, '{0}')()",
    "return LIMIT",
    "return 1",
)


def generated(seed: int) -> tuple[dict[str, str], str]:
    """Return the files of a repository and the path of one to change: calls, values, tables, data and fixtures."""
    draw = random.Random(seed)
    names = [f"f{number}" for number in range(6)]
    files = {"pkg/__init__.py": draw.choice(["", "from pkg.m0 import *\n"])}
    for number in range(3):
        code = "import sys\nfrom importlib.metadata import entry_points\nMODULE = sys.modules[__name__]\n"
        code += f"LIMIT = {number}\n\n\nclass Registry:\n    known = {{}}\n    size = LIMIT\n\n"
        code += f"    def run(self): return {draw.choice(names)}\n"
        for name in names[number * 2 : number * 2 + 2]:
            body = draw.choice(BODIES).format(draw.choice(names))
            code += f"\n\n{draw.choice(['', '@Registry.known.setdefault'])}\n" * draw.randrange(2)
            code += f"def {name}(size=LIMIT):\n    {body}\n"
        others = ", ".join(names[: number * 2])
        files[f"pkg/m{number}.py"] = (f"from pkg.m{draw.randrange(number)} import {others}\n" if others else "") + code
    files["pkg/data.yaml"] = f"run: pkg.m1.{draw.choice(names)}\nbare: {draw.choice(names)}\n"
    files["tests/conftest.py"] = (
        f"import pytest\nfrom pkg import m0\n\n\n@pytest.fixture\ndef fix():\n    return m0.{draw.choice(names)}()\n"
    )
    uses = (
        "def test_{0}(fix):\n    assert fix\n", "def test_{0}(request):\n    request.getfixturevalue('fix')\n",
        "def test_{0}():\n    m.{1}()\n", "def test_{0}(x=m.LIMIT):\n    assert m.Registry().run()\n",
        "def test_{0}():\n    open('pkg/data.yaml')\n", "def test_{0}():\n    vars(m)\n",
        "@pytest.mark.parametrize('f', [m.{1}])\ndef test_{0}(f):\n    f()\n",
        "class Test{0}:\n    def test_it(self):\n        for each in m.entry_points(): each.run()\n",
    )  # fmt: skip
    for number in range(3):
        code = f"import pytest\nfrom pkg import m{draw.randrange(3)} as m\n"
        for place in range(4):
            code += "\n\n" + draw.choice(uses).format(place, draw.choice(names))
        files[f"tests/test_{number}.py"] = code
    return files, draw.choice(["pkg/m0.py", "pkg/m1.py", "pkg/m2.py", "tests/conftest.py", "tests/test_0.py"])


@pytest.mark.parametrize("seed", range(24))
def test_a_safe_selection_contains_the_other_one(seed: int, tmp_path: Path) -> None:
    files, path = generated(seed)
    lines = files[path].splitlines(True)
    workspace, draw = loaded(tmp_path, files), random.Random(seed)
    for _ in range(3):
        place = draw.choice([n for n, line in enumerate(lines) if line.strip() and line[0] not in "@cd"])
        line = lines[place].rstrip("\n").replace("return ", "return 0 or ") + " or 0\n"
        changed = [*lines[:place], line, *lines[place + 1 :]]
        if draw.random() < 0.3:
            changed = lines[:place] + lines[place + 1 :]
        assert_safe_has_all(workspace, patch(path, files[path], "".join(changed)))


def test_functions_that_are_passed_and_properties_by_literal_names_are_sure(tmp_path: Path) -> None:
    code = """from functools import partial
def apply(f, x):
    return f(x)
def maybe(f, x):
    if x:
        return f(x)
    else:
        return x
def twice(x):
    return x * 2
def run(x):
    return apply(twice, x)
def later(x):
    return partial(twice, x)()
def thrice(x):
    return x * 3
def each(x):
    for step in [thrice, twice]:
        x = step(x)
    return x
def kept():
    return [thrice, twice]
def sorted_by(x):
    return sorted([x, 2], key=twice)
class Box:
    @property
    def area(self):
        return twice(3)
    @property
    def name(self):
        return 1
"""
    test = """from m import *
def test_apply():
    apply(twice, 1)
def test_run():
    run(1)
def test_maybe():
    maybe(twice, 1)
def test_later():
    later(1)
def test_each():
    each(1)
def test_kept():
    kept()
def test_area():
    for each in ("area", "name"):
        getattr(Box(), each)
def test_name():
    getattr(Box(), "name")
def test_builtin():
    list(map(twice, [1]))
def test_key():
    sorted_by(1)
def test_unused():
    bool(twice)
"""
    write(tmp_path / "old", {"m.py": code, "test_m.py": test})
    write(tmp_path / "new", {"m.py": code.replace("x * 2", "x + x").replace("twice(3)", "twice(4)"), "test_m.py": test})
    ws = Workspace(tmp_path / "new", cache=False, workers=0, progress=lambda *step: None)
    found = {each.id.split("::")[1]: each.certainty for each in ws.review.changes(tmp_path / "old").tests()}
    sure = {name for name, certainty in found.items() if certainty in ("certain", "likely")}
    assert sure == {"test_apply", "test_run", "test_later", "test_each", "test_area", "test_builtin", "test_key"}
    assert found["test_maybe"] == found["test_kept"] == found["test_unused"] == "possible"


def test_a_way_over_typed_receivers_is_certain_if_it_has_one_condition_at_most(tmp_path: Path) -> None:
    code = """class Box:
    def size(self):
        return 1
def plain(box: Box):
    return box.size()
def early(box: Box, x):
    if x is None:
        return 0
    return plain(box)
def nested(box: Box, x):
    if x:
        return early(box, x)
TABLE = {"a": 1}
def look(key):
    return TABLE[key]
def fallback():
    return 1
class Stored:
    def __init__(self, call=None):
        self.call = call or fallback
"""
    test = """from m import *
def test_plain(): assert plain(Box())
def test_early(): assert early(Box(), 1)
def test_nested(): assert nested(Box(), 1)
def test_look(): assert look("a")
def test_stored(): Stored()
"""
    write(tmp_path / "old", {"m.py": code, "test_m.py": test})
    write(
        tmp_path / "new", {"m.py": code.replace("return 1", "return 2").replace('"a": 1', '"a": 2'), "test_m.py": test}
    )
    ws = Workspace(tmp_path / "new", cache=False, workers=0, progress=lambda *step: None)
    found = {each.id.split("::")[1]: each.certainty for each in ws.review.changes(tmp_path / "old").tests()}
    assert found == {
        "test_plain": "certain",
        "test_early": "certain",
        "test_nested": "likely",
        "test_look": "likely",
        "test_stored": "possible",
    }


def test_what_a_test_calls_by_a_name_that_means_one_definition_is_sure(tmp_path: Path) -> None:
    code = """import functools
def builder(func):
    @functools.wraps(func)
    def wrapper(*args):
        return func(*args)
    return wrapper
class Query:
    @builder
    def where(self, x):
        return build(x)
class Box:
    def pack_all(self):
        return build(1)
class Bag:
    def pack_some(self):
        return build(1)
class Sack:
    def pack_some(self):
        return 1
def build(x):
    return 1
def pack(thing):
    return thing.pack_all()
"""
    test = """from m import *
def test_where(): assert Query().where(1)
def test_one(outside): outside.pack_all()
def test_two(outside): outside.pack_some()
def test_other(outside): pack(outside)
"""
    write(tmp_path / "old", {"m.py": code, "test_m.py": test})
    write(tmp_path / "new", {"m.py": code.replace("(x):\n    return 1", "(x):\n    return 2"), "test_m.py": test})
    ws = Workspace(tmp_path / "new", cache=False, workers=0, progress=lambda *step: None)
    found = {each.id.split("::")[1]: each.certainty for each in ws.review.changes(tmp_path / "old").tests()}
    assert found == {
        "test_where": "certain", "test_one": "certain", "test_two": "possible", "test_other": "possible",
    }  # fmt: skip


def test_safe_takes_texts_whose_examples_pytest_runs(tmp_path: Path) -> None:
    files = {
        "pyproject.toml": '[tool.pytest.ini_options]\naddopts = "--doctest-glob=*.md -v"\n',
        "m.py": "def one():\n    return 1\n",
        "docs/use.md": "# Use\n\n>>> from m import one\n", "docs/plain.md": "# Plain\n", "docs/other.rst": ">>> 1\n",
    }  # fmt: skip
    write(tmp_path / "old", files)
    write(tmp_path / "new", {**files, "m.py": "def one():\n    return 2\n"})
    ws = Workspace(tmp_path / "new", cache=False, workers=0, progress=lambda *step: None)
    tests = ws.review.changes(tmp_path / "old").tests(safe=True)
    assert [each.id for each in tests] == ["docs/use.md"]
    assert tests.command == "pytest docs/use.md"


def test_a_removed_file_with_values_does_no_harm(tmp_path: Path) -> None:
    test = "from m import f\ndef test_f(): assert f()\n"
    write(tmp_path / "old", {"m.py": "def f(): return 1\n", "old.py": "LIMIT = 3\n", "test_m.py": test})
    write(tmp_path / "new", {"m.py": "def f(): return 2\n", "test_m.py": test})
    ws = Workspace(tmp_path / "new", cache=False, workers=0, progress=lambda *step: None)
    assert ws.review.changes(tmp_path / "old").tests(safe=True).ids == ("test_m.py::test_f",)


def test_shared_code_runs_a_test_for_itself_alone(tmp_path: Path) -> None:
    test = "def each(f):\n    def run(): return f()\n    return run\n"
    test += "".join(f"@each\ndef test_{name}(): assert {name!r}\n" for name in "abcd")
    write(tmp_path / "old", {"test_m.py": test})
    write(tmp_path / "new", {"test_m.py": test.replace("assert 'b'", "assert 'b' * 2")})
    ws = Workspace(tmp_path / "new", cache=False, workers=0, progress=lambda *step: None)
    assert ws.review.changes(tmp_path / "old").tests().ids == ("test_m.py::test_b",)


def test_a_removed_value_whose_name_is_left_does_no_harm(tmp_path: Path) -> None:
    test = "from m import f\ndef test_f(): assert f()\n"
    write(tmp_path / "old", {"m.py": "limit = 3\ndef f(): return 1\n", "test_m.py": test})
    write(tmp_path / "new", {"m.py": "def f():\n    limit = 2\n    return limit\n", "test_m.py": test})
    ws = Workspace(tmp_path / "new", cache=False, workers=0, progress=lambda *step: None)
    assert ws.review.changes(tmp_path / "old").tests().ids == ("test_m.py::test_f",)
