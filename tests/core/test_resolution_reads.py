"""Uses of constants and fields by their bare names, and of fields through receivers, in each language."""

from __future__ import annotations

import re

import pytest

from tests.resolved import Resolved

PYTHON = {
    "conf.py": "LIMIT = 3\nsettings = {}\ndef own(LIMIT): return LIMIT + 1\ndef read(a): return a > LIMIT\n",
    "app.py": """
from conf import LIMIT, settings
from conf import LIMIT as L
import conf
def default(x, k=LIMIT): return k
def shown(): return f"{LIMIT}"
def root(): return settings.color
def again(x): return [L for _ in x]
def dotted(): return conf.LIMIT
def local(LIMIT): return not LIMIT
def inner():
    LIMIT = 4
    return lambda: LIMIT - 1
def given(f): return f(LIMIT)
def changed():
    global count
    count += 1
def stored():
    global count
    count = 2
count = 0
try:
    import fast
    FAST = True
except ImportError:
    FAST = False
def chosen(): return FAST
def bound(x): return starts.call(x)
def starts(): ...
""",
    "star.py": "from conf import *\ndef starred(): return LIMIT\n",
}
PYTHON_FIELDS = {
    "m.py": """
class A:
    size = 0
    def own(self): return self.size
class B(A):
    def inherited(self): return self.size
def typed(a: A): return a.size
def unknown(a): return a.size
def stored(a: A): a.size = 3
"""
}
SCRIPT = {
    "conf.js": """export const LIMIT = 3
let count = 0
export function bump() { count += 1 }
export function reset() { count = 0 }
export function shadow(LIMIT) { return LIMIT + 1 }
""",
    "index.js": "export { LIMIT as MOST } from './conf.js'\n",
    "app.js": """import { MOST } from './index.js'
export function condition(x) { return x > MOST ? x : 0 }
export function text() { return `${MOST}` }
export const short = () => ({ MOST })
export function local() { const MOST = 4; return MOST * 2 }
""",
}
GO = {
    "go.mod": "module x\n",
    "main.go": """package main
var strict bool
const limit = 3
func main() { if strict { run(limit) } }
func set() { strict = true }
""",
    "run.go": """package main
func run(n int) int { if !strict { return 0 }; return n + limit }
func write() { strict = false }
func other(limit int) int { return -limit }
type Box struct { size int }
func (b *Box) Size() int { return b.size }
func made() []Box { return []Box{{size: 1}} }
func (b *Box) Set() { b.size = 2 }
""",
}
JAVA = {
    "p/A.java": """package p; class A {
    static final int LIMIT = 3; int count;
    int go(int x) { return x > LIMIT ? count : 0; }
    void set() { count = 4; }
    int shadow(int count) { return count + 1; } }""",
    "p/B.java": "package p; class B extends A { int more(A a) { a.count = 1; return -LIMIT; } }",
}
RUST = {
    "src/main.rs": """const LIMIT: usize = 3;
mod inner { use super::*; fn deep() -> usize { LIMIT } }
fn main() { println!("{}", LIMIT); }
fn told(n: usize) { println!("{n:>TALL$} {TALL} {{TALL}}"); }
const TALL: usize = 5;
fn matched(x: usize) -> usize { match x { LIMIT => 1, _ => 0 } }
fn shadow(limit: usize) -> usize { limit }
fn inside() -> usize { const TINY: usize = 3; TINY + 1 }
struct Box2 { size: usize, weight: usize }
fn made(weight: usize) -> Box2 { Box2 { size: 1, weight } }
fn stored(b: &mut Box2) { b.size = 2; }
"""
}
C = {
    "conf.h": "#define MOST 3\nextern int verbose;\nstruct box { int width; };\n",
    "main.c": '#include "conf.h"\nint verbose = 0;\nint go(struct box *b) { return verbose ? MOST : b->width; }\n',
    "other.c": '#include "conf.h"\nvoid set(void) { verbose = 1; }\nint shadow(int verbose) { return verbose; }\n',
}
CSHARP = {
    "a.cs": """class A { const int Limit = 3; int count;
int Go(A o) { if (count > Limit) return 1; return 0; }
int Shadow(int count) { return count; } }"""
}
KOTLIN = {
    "a.kt": "const val LIMIT = 3\nclass A { val count = 0\n fun go() = count > LIMIT\n fun shadow(count: Int) = count }"
}
SWIFT = {"a.swift": "let limit = 3\nclass A { var count = 0\n func go(o: A) -> Bool { return o.count > limit } }"}
SCALA = {"a.scala": "object C { val Limit = 3 }\nclass A { val count = 0\n import C.Limit\n def go() = count > Limit }"}
RUBY = {
    "a.rb": "LIMIT = 3\nmodule M\n MAX = 4\n class A\n  def go; MAX > LIMIT; end\n  def far; M::MAX; end\n end\nend\n"
}
PHP = {
    "a.php": """<?php
const LIMIT = 3;
class A { const MAX = 4; private $count = 0; public static $all = [];
function go() { return $this->count > self::MAX; }
function every() { return [LIMIT, self::$all]; } }"""
}

CALLED = {
    "a.py": """
class Lost(Exception): ...
class Found(Lost): ...
def handle(x): return x
def caught():
    try: run()
    except Lost: pass
def annotated(x: Lost | None) -> None: ...
TABLE = {"x": handle}
def given(xs):
    return start(
        xs,
        key=handle,
    )
""",
    "a.c": """enum mode { SLOW };
enum mode mode = SLOW;
static int slow(void) { return 1; }
static const struct ops all = { .open = slow };
int now(void) { return mode; }
""",
    "b.c": "extern enum mode mode;\nint late(void) { return mode; }\n",
    "a.cpp": """namespace far { enum class Kind { Red }; int limit(int x) { return x; } struct S { void go(); }; }
int limit(int y) { return y; }
void far::S::go() {}
bool red(far::Kind k) { return k == far::Kind::Red && apply(far::limit); }
""",
    "a.go": """package a
func made() func() int { f := func() int { return 1 }; return f }
func kept(f func()) []func() { return []func(){f, again} }
func again() {}
""",
    "a.rs": """fn theme() -> u8 { 1 }
fn local(x: Option<u8>) -> u8 { match x { Some(theme) => theme, None => 0 } }
fn passed() -> Vec<fn() -> u8> { vec![theme] }
#[cfg(theme)]
fn other() { let theme = 3; drop(theme); }
""",
    "a.php": """<?php
namespace A;
interface Shape {}
class Round implements Shape {}
function is_round($x) { return $x instanceof Round; }
""",
    "a.rb": "class Page; end\nclass Site\n  def pages; { '/' => Page }; end\nend\n",
    "a.cs": "class A { static void Run() {} void Go() { Start(Run, typeof(B)); } }\nclass B {}\n",
    "a.kt": "val String.short get() = length < 3\nfun String.cut() = if (short) this else take(3)\n",
}


@pytest.mark.parametrize(
    ("files", "symbol", "users"),
    [
        (PYTHON, "conf.py:LIMIT", "again dotted given module read shown starred"),
        (PYTHON, "conf.py:settings", "root"),
        (PYTHON, "app.py:count", "changed stored"),
        (PYTHON, "app.py:FAST", "chosen"),
        (PYTHON, "app.py:starts", "bound"),
        (PYTHON_FIELDS, "m.py:A.size", "A.own B.inherited stored typed"),
        (SCRIPT, "conf.js:LIMIT", "condition short text"),
        (SCRIPT, "conf.js:count", "bump reset"),
        (GO, "main.go:strict", "main run set write"),
        (GO, "main.go:limit", "main run"),
        (GO, "run.go:Box.size", "Box.Set Box.Size made"),
        (JAVA, "A.java:A.LIMIT", "A.go B.more"),
        (JAVA, "A.java:A.count", "A.go A.set B.more"),
        (RUST, "main.rs:LIMIT", "inner::deep main matched"),
        (RUST, "main.rs:TALL", "told"),
        (RUST, "main.rs:inside::TINY", "inside"),
        (RUST, "main.rs:Box2::size", "made stored"),
        (RUST, "main.rs:Box2::weight", "made"),
        (C, "main.c:verbose", "go set"),
        (C, "conf.h:MOST", "go"),
        (C, "conf.h:box.width", "go"),
        (CSHARP, "a.cs:A.Limit", "A.Go"),
        (CSHARP, "a.cs:A.count", "A.Go"),
        (KOTLIN, "a.kt:LIMIT", "A.go"),
        (KOTLIN, "a.kt:A.count", "A.go"),
        (SWIFT, "a.swift:limit", "A.go"),
        (SWIFT, "a.swift:A.count", "A.go"),
        (SCALA, "a.scala:C.Limit", "A.go"),
        (SCALA, "a.scala:A.count", "A.go"),
        (RUBY, "a.rb:LIMIT", "M::A#go"),
        (RUBY, "a.rb:M::MAX", "M::A#far M::A#go"),
        (PHP, "a.php:LIMIT", "A::every"),
        (PHP, "a.php:A::MAX", "A::go"),
        (PHP, "a.php:A::count", "A::go"),
        (PHP, "a.php:A::all", "A::every"),
        (CALLED, "a.py:Lost", "annotated caught"),
        (CALLED, "a.py:handle", "given module"),
        (CALLED, "a.c:mode#2", "late now"),
        (CALLED, "a.c:mode", "module"),
        (CALLED, "a.c:c:slow", "module"),
        (CALLED, "a.cpp:far::limit", "red"),
        (CALLED, "a.cpp:far::Kind", "red"),
        (CALLED, "a.cpp:far::Kind::Red", "red"),
        (CALLED, "a.cpp:limit", ""),
        (CALLED, "a.cpp:far::S::go", ""),
        (CALLED, "a.go:made.<lambda:2:30>", "made"),
        (CALLED, "a.go:again", "kept"),
        (CALLED, "a.rs:theme", "passed"),
        (CALLED, "a.php:Shape", ""),
        (CALLED, "a.php:Round", "is_round"),
        (CALLED, "a.rb:Page", "Site#pages"),
        (CALLED, "a.cs:A.Run", "A.Go"),
        (CALLED, "a.cs:B", "A.Go"),
    ],
)
def test_a_symbol_is_used_where_its_name_means_it(files: dict[str, str], symbol: str, users: str) -> None:
    pairs = Resolved(files).pairs("USES")
    assert sorted({user.partition(":")[2] or "module" for user, target in pairs if target == symbol}) == users.split()


def test_an_argument_is_used_on_its_own_line() -> None:
    graph = Resolved(CALLED)
    edges = [e for kind in ("USES", "CALLS") for e in graph.edges(kind, 0) if graph.short(e.target) == "a.py:handle"]
    assert {(graph.short(e.source), site.line) for e in edges for site in e.sites} == {("a.py:", 9), ("a.py:given", 13)}


def test_the_values_of_a_typed_map_are_no_keys() -> None:
    graph = Resolved(
        {
            "a.py": """
            class Tool:
                def run(self): ...
            def every(tools: dict[str, Tool]):
                for tool in tools.values(): tool.run()
            def one(tools: dict[str, Tool]): return list(tools.values())[0].run()
            """,
            "a.ts": """
            class Tool { run() { return 1 } }
            export function every(tools: Map<string, Tool>) { for (const tool of tools.values()) tool.run() }
            """,
            "src/lib.rs": """
            pub struct Tool { n: u8 }
            impl Tool { fn run(&self) -> u8 { self.n } }
            pub fn every(tools: HashMap<String, Tool>) { for tool in tools.values() { tool.run(); } }
            pub fn entry(mut tools: HashMap<String, Tool>) { tools.entry("a").or_insert_with(make).run(); }
            """,
        }
    )
    callers = {source for source, target in graph.pairs() if target.endswith(("Tool.run", "Tool::run"))}
    assert callers == {"a.py:every", "a.py:one", "a.ts:every", "lib.rs:every", "lib.rs:entry"}


def test_the_name_of_a_type_alias_is_no_value() -> None:
    graph = Resolved({"a.ts": """
        type Error = NodeJS.ErrnoException
        interface Response { body: string }
        export class Wrapped extends Error { constructor() { super() } }
        export function make(e: Error): Response { return new Response() }
        """})  # fmt: skip
    assert not graph.pairs("EXTENDS") | graph.pairs("CALLS")
    assert ("a.ts:make", "a.ts:Error") in graph.pairs("USES")


def test_a_field_of_a_value_is_no_use_of_the_type_that_the_value_may_be() -> None:
    graph = Resolved({"a.py": """
        class Duck:
            size = 1
        def load(kind): return {"duck": Duck}[kind]
        def read():
            tool = load("duck")
            return tool.size
        """})  # fmt: skip
    assert {source for source, target in graph.pairs("USES") if target == "a.py:Duck"} == {"a.py:load"}


CHAINS = {
    "a.py": "ROWS = [3]\ndef first():\n    return (ROWS\n        .copy())\n",
    "a.ts": "export const ROWS = [3];\nexport function first() {\n  return ROWS\n    .map(x => x)\n    .sort();\n}\n",
    "a.go": "package a\nvar ROWS = B{}\nfunc first() B {\n\treturn ROWS.\n\t\tAdd().\n\t\tAdd()\n}\n",
    "a.rs": "const ROWS: [i32; 1] = [1];\nfn first() -> i32 {\n  ROWS // all\n    .iter()\n    .sum()\n}\n",
    "A.java": "class A {\n  static final L ROWS = f();\n  L first() {\n    return ROWS\n      .stream();\n  }\n}\n",
    "A.cs": "class A {\n  static L ROWS = f();\n  L First() {\n    return ROWS\n      .Where(x => x);\n  }\n}\n",
    "a.kt": "val ROWS = listOf(1)\nfun first() {\n    ROWS\n        .map { it }\n}\n",
    "a.swift": "let ROWS = [1]\nfunc first() {\n    ROWS\n        .map { $0 }\n}\n",
    "a.scala": "object S {\n  val ROWS = List(1)\n  def first() = ROWS\n      .map(x => x)\n}\n",
    "a.php": "<?php class P { public $ROWS;\n  function first() {\n    return $this->ROWS\n      ->map(); } }\n",
    "a.rb": "ROWS = [1]\ndef first\n  ROWS\n    .map { |x| x }\nend\n",
}


@pytest.mark.parametrize("path", CHAINS)
def test_a_chain_over_several_lines_uses_each_name_on_its_own_line(path: str) -> None:
    text = CHAINS[path]
    lines = [number for number, line in enumerate(text.split("\n"), 1) if "ROWS" in line]
    resolved = Resolved({path: text})
    sites = [s.line for e in resolved.edges("USES", 0) if e.target.endswith("ROWS") for s in e.sites]
    assert sites == lines[1:]


CASES = {
    "A.java": """class A {
  enum Color { RED, BLUE }
  static final int LOW = 1;
  Color kept;
  int f(Color c) {
    switch (c) { case RED: return 1; case BLUE: return 2; }
    return switch (kept) { case RED, BLUE -> 1; };
  }
  int g(int n) { switch (n) { case LOW: return 3; } }
}
""",
    "a.c": """enum mode { RED, BLUE };
struct s { enum { LOW } state; };
int f(enum mode m) { switch (m) { case RED: return 1; case BLUE: return 2; } }
int g(int n) { switch (n) { case LOW: return 3; } }
""",
    "a.cpp": """enum Mode { RED, BLUE };
struct S { enum Level { LOW }; int g(Level n) { switch (n) { case LOW: return 3; } } };
int f(Mode m) { switch (m) { case RED: return 1; case BLUE: return 2; } }
""",
    "a.swift": """enum Color { case RED, BLUE }
let LOW = 1
func f(c: Color) -> Int {
  switch c {
  case .RED: return 1
  case .BLUE: return 2
  }
}
func g(n: Int) -> Int { switch n { case LOW: return 3 } }
""",
    "a.scala": """object S {
  sealed trait Color
  case object RED extends Color
  case class BLUE(x: Int) extends Color
  val LOW = 1
  def f(c: Color) = c match { case RED => 1; case BLUE(x) => x }
  def g(n: Int) = n match { case LOW => 3 }
}
""",
}


@pytest.mark.parametrize("path", CASES)
def test_a_case_uses_the_constant_that_it_names(path: str) -> None:
    used = {e.target.rpartition(".")[2].rpartition(":")[2] for e in Resolved({path: CASES[path]}).edges("USES", 0.75)}
    assert {"RED", "BLUE", "LOW"} <= used


DECLARED = {
    "a.c": "struct other;\ntypedef struct { int x; } Rect;\nRect made(Rect given);\nstruct held { Rect field; };\n"
    "int take(Rect given) { return 1; }\nint keep(void) { Rect local; return 1; }\nRect give(void) { return 0; }\n",
    "a.cpp": "namespace n { class Rect { int x; }; class Below : Rect { int y; }; }\nstruct held { n::Rect field; };\n"
    "int take(const n::Rect& given) { return 1; }\nint keep() { n::Rect local; return 1; }\n"
    "n::Rect give() { return 0; }\n",
    "a.kt": "class Rect(val x: Int)\nclass held(val field: Rect)\nfun take(given: Rect) = 1\n"
    "fun keep(): Int { val local: Rect? = null\n return 1 }\nfun give(): Rect = made()\n",
    "a.swift": "struct Rect { var x: Int }\nstruct held { var field: Rect }\nfunc take(given: Rect) -> Int { 1 }\n"
    "func keep() -> Int { let local: Rect? = nil\n return 1 }\nfunc give() -> Rect { made() }\n",
    "a.scala": "class Rect(val x: Int)\nclass held(val field: Rect)\nobject S { def take(given: Rect) = 1\n"
    "def keep() = { val local: Rect = null\n 1 }\ndef give(): Rect = made() }\n",
    "a.php": "<?php\nclass Rect { public int $x; }\nclass held { private Rect $field; }\n"
    "function take(Rect $given) { return 1; }\nfunction keep(?Rect $local) { return 1; }\n"
    "function give(): Rect { return made(); }\n",
}


@pytest.mark.parametrize("path", DECLARED)
def test_a_declaration_uses_the_type_that_it_names(path: str) -> None:
    resolved = Resolved({path: DECLARED[path]})
    pairs = [pair for pair in resolved.pairs("USES") if re.search(r"\bRect$", pair[1])]
    users = {re.split(r"[.:#]", source)[-1] for source, _ in pairs} - {"a", ""}
    assert users == {"held", "take", "keep", "give"}


def test_receivers_and_qualifiers_are_types_in_use() -> None:
    source = (
        "class Box { class Item<T> }\nfun Box.open() = 1\nfun run(act: suspend Box.() -> Unit) = 1\n"
        "fun pick(x: Any) = x is Box.Item<Int>\n"
    )
    users = {user for user, target in Resolved({"a.kt": source}).pairs("USES") if target.endswith(":Box")}
    assert users == {"a.kt:open", "a.kt:run", "a.kt:pick"}


@pytest.mark.parametrize(
    ("path", "source", "users"),
    [
        ("a.kt", "class Box { interface Item }\nclass A : Box.Item\nclass B : Box.Item by made()\n", "A B"),
        ("a.kt", "open class Box<T> { open class Item }\nclass A : Box.Item()\nclass B : Box<Int>()\n", "A"),
        ("a.swift", "class Box { class Item {} }\nclass A: Box.Item {}\nclass B: Box {}\n", "A"),
        ("A.java", "class Box { interface Item {} }\nclass A implements Box.Item {}\nclass B extends Box {}\n", "A"),
        ("a.scala", "object Box { trait Item }\nclass A extends Box.Item\nclass B extends Box.Item\n", "A B"),
        ("a.cs", "class Box { public class Item {} }\nclass A : Box.Item {}\n", "A"),
        ("a.cpp", "class Box { public: class Item {}; };\nclass A : Box::Item {};\nclass B : Box {};\n", "A"),
        ("a.py", "class Box:\n    class Item: ...\nclass A(Box.Item): ...\nclass B(Box): ...\n", "A"),
    ],
)
def test_a_qualifier_of_a_supertype_is_in_use(path: str, source: str, users: str) -> None:
    found = {user for user, target in Resolved({path: source}).pairs("USES") if target.endswith(":Box")}
    assert {user.rpartition(":")[2] for user in found if not user.endswith("Item")} == set(users.split())


def test_class_literals_names_in_strings_and_assigned_members_of_kotlin_are_in_use() -> None:
    source = (
        "class Box { var held = 1 }\nfun lit() = take(Box::class)\nfun java() = Box::class.java\n"
        "@Opt(Box::class) fun marked() = 1\nfun compared(k: Any) = k == Box::class\nfun shadow(Box: Int) = Box::class\n"
        'class User(val box: Box) {\n fun told() = "a $box"\n fun own() = "$this"\n fun set() { box.held = 2 }\n'
        " fun safe(other: Box?) { other?.held = 2 }\n fun self(b: User) { this.name += 1 }\n var name = 0\n}\n"
    )
    resolved = Resolved({"a.kt": source})
    users = {user for user, target in resolved.pairs("USES", confidence=0.6) if target.endswith(":Box")}
    assert users >= {f"a.kt:{name}" for name in ("lit", "java", "marked", "compared")}
    assert "a.kt:shadow" not in users
    uses = resolved.pairs("USES", confidence=0.6)
    assert {("a.kt:User.told", "a.kt:User.box"), ("a.kt:User.set", "a.kt:Box.held")} <= uses
    assert {("a.kt:User.safe", "a.kt:Box.held"), ("a.kt:User.self", "a.kt:User.name")} <= uses
    assert not [pair for pair in uses if pair[0] == "a.kt:User.own"]


def test_a_call_in_a_macro_is_told_on_its_line() -> None:
    source = (
        "int one(int);\nint one(int a) { return a; }\n#define BAR(a) \\\n  do { \\\n    one(a); \\\n  } while (0)\n"
    )
    edges = Resolved({"a.c": source}).edges("CALLS", 0)
    assert [site.line for edge in edges if edge.target.endswith("one") for site in edge.sites] == [5]


def test_an_instance_variable_is_the_attribute_of_its_name() -> None:
    source = """class Entry
  attr_accessor :kind
  attr_reader :kind2
  def go; return 1 if @kind == 3; end
  def kind2; @kind2 ||= go; end
end
class Sub < Entry
  def more; @kind; end
end
class Apart
  def other; @kind; end
end
def set; Entry.new.kind = 3; end
"""
    resolved = Resolved({"a.rb": source})
    assert {s.rpartition(":")[2] for s, target in resolved.pairs("USES") if target.endswith("Entry#kind")} == {
        "Entry#go",
        "Sub#more",
        "set",
    }
    assert all(not target.endswith("kind2") for _, target in resolved.pairs("CALLS"))


def test_the_values_of_a_scoped_enum_keep_to_it() -> None:
    resolved = Resolved(
        {"a.cpp": "enum class Mode { RED };\nint f() { return RED; }\nint g() { return int(Mode::RED); }\n"}
    )
    assert {source for source, target in resolved.pairs("USES") if target.endswith("RED")} == {"a.cpp:g"}


def test_a_case_tells_the_switched_field_on_the_line_of_the_switch() -> None:
    edges = Resolved({"A.java": CASES["A.java"]}).edges("USES", 0)
    assert [s.line for e in edges if e.target.endswith("kept") for s in e.sites] == [7]


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("m.ts", "const base = 1\nexport function v(s) { if (s.has(base)) return base }\n"),
        ("m.js", "const base = 1\nexport function v(s) { return s.has(base) && base }\n"),
        ("m.py", "base = 'x'\ndef v(s):\n    if isinstance(base, str):\n        return base\n    return base + s\n"),
        (
            "M.java",
            "class M { static final Object base = 1;\n"
            "boolean v() { if (base instanceof String) return true; return base == null; } }",
        ),
    ],
)
def test_a_constant_whose_type_is_tested_is_used(path: str, source: str) -> None:
    pairs = Resolved({path: source}).pairs("USES")
    assert any(target.endswith("base") and user.endswith("v") for user, target in pairs)
