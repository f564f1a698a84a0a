"""Members that the language, its runtime or a manifest uses without a call in the source: they are never "unused"."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeexplore import Workspace
from codeexplore.graph.records import DEAD_KINDS
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


def test_a_function_with_the_name_of_an_enum_lists_no_constants(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(
        "enum code { LOW, HIGH };\nenum code code(const int *e) { return (enum code)*e; }\n"
        "int go(const int *e) { return code(e) == HIGH; }\n"
    )
    ws = Workspace(tmp_path, workers=0, cache=False)
    assert "goes through all constants" not in str(ws.uses("LOW"))


def test_a_static_function_of_a_header_is_offered_like_the_others(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text("static inline int twice(int x) { return x + x; }\n")
    (tmp_path / "b.c").write_text("static int thrice(int x) { return x + x + x; }\n")
    ws = Workspace(tmp_path, workers=0, cache=False)
    assert "Code outside this repository may use it" in str(ws.callers("twice"))
    assert "Code outside this repository may use it" not in str(ws.callers("thrice"))


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


_LISTED = "code goes through all constants of {} at"
HEDGED = {
    "serialisation": (
        "A.java", "class A { private static final long serialVersionUID = 1L; }", "serialVersionUID", "special name"),
    "names that Python reads": ("a.py", "__all__ = []\n", "__all__", "special name"),
    "enum of Java": (
        "A.java", "class A { A() { B.values(); } }\nenum B {\n  LOW\n}", "LOW", _LISTED.format("B")),
    "enum of Java that lists itself": (
        "A.java", "enum B {\n  LOW;\n  static B at(int n) { return values()[n]; }\n}", "LOW", _LISTED.format("B")),
    "enum of Python": (
        "a.py", "import enum\nclass B(enum.IntEnum):\n    LOW = 1\nprint([b for b in B])", "LOW", _LISTED.format("B")),
    "enum of Python, by its value": (
        "a.py", "import enum\nclass B(enum.Enum):\n    LOW = 1\nprint(B(number))", "LOW", _LISTED.format("B")),
    "enum of TypeScript": (
        "a.ts", "enum B { LOW }\nconsole.log(Object.values(B))", "LOW", _LISTED.format("B")),
    "enum of PHP": ("a.php", "<?php\nenum B: int { case LOW = 1; }\nshow(B::cases());", "LOW", _LISTED.format("B")),
    "enum of Swift": (
        "a.swift", "enum B: CaseIterable { case low }\nfunc f() { print(B.allCases) }", "low", _LISTED.format("B")),
    "enum of C#": (
        "a.cs", "enum B { Low }\nclass A { object F() => Enum.GetValues<B>(); }", "Low", _LISTED.format("B")),
    "derived code": (
        "src/a.rs", "#[derive(Deserialize)]\nenum B { Low }", "Low", "the attribute of B (Deserialize)"),
    "derived code of a field": (
        "src/a.rs", "#[derive(Deserialize)]\nstruct B { low: u8 }", "low", "the attribute of B (Deserialize)"),
    "example of Python": (
        "a.py", 'def twice(n):\n    """Double.\n\n    >>> twice(1)\n    2\n    """\n', "twice", "an example in its"),
    "example of Elixir": (
        "a.ex", 'defmodule A do\n  @doc """\n  Adds.\n\n      iex> A.up(1)\n      2\n  """\n  def up(x), do: x\nend',
        "up", "an example in its"),
    "example of Rust": (
        "src/a.rs", "/// Doubles.\n/// ```\n/// twice(1);\n/// ```\nfn twice(n: u8) {}", "twice", "an example in its"),
    "completion of a shell": (
        "a.fish", 'function listed\n    echo 1\nend\ncomplete -c x -a "(listed)"\n', "listed",
        "mentions `listed` (a.fish:4)"),
    "hook of a test runner": (
        "tests/conftest.py", "def pytest_report_header(): ...\n", "pytest_report_header", "runner"),
    "type of the global scope": (
        "env.d.ts", "interface ImportMeta { env: string }\n", "ImportMeta", "the global scope"),
    "constructor of a type that declares a variable": (
        "a.cpp", "int f() {\n  struct Tester {\n    Tester() {}\n  } tester;\n  return 0;\n}\n",
        "a.cpp:3", "its definition declares a variable"),
    "setter by its property": (
        "A.java", "class B {\n  void setName(String s) {}\n}\nclass A {\n  Object f(Class<?> c, String p) {\n"
        '    return c.getMethod("set" + p.substring(0, 1).toUpperCase() + p.substring(1));\n  }\n}',
        "setName", "begin with set are built at A.java:6"),
    "function in a macro": (
        "src/a.rs", 'mod checks {\n  own_cases! {\n    // a } in a comment, and "}"\n    fn twice(x: u8) -> u8 { x }\n'
        "    fn holds(x: u8) -> bool { true }\n  }\n}\n",
        "holds", "its macro (own_cases!) may register or call it"),
    "field of a Go literal by position": (
        "a.go", "package a\ntype point struct {\n\tx, low int\n}\nvar all = []point{{\n\t1, 2}}\n",
        "low", "point gets values in the order of its fields at a.go:5"),
    "field of a C initialiser": (
        "a.c", 'struct opt {\n  int low;\n};\nstatic struct opt all[] = { {1}, {2} };\n',
        "low", "opt gets values in the order of its fields at a.c:4"),
    "field of a C++ aggregate": (
        "a.cpp", "struct opt {\n  int low;\n};\nopt make() { return opt{1}; }\n",
        "low", "opt gets values in the order of its fields at a.cpp:4"),
    "field of a named tuple": (
        "a.py", "from typing import NamedTuple\nclass Opt(NamedTuple):\n    low: int\nall = Opt(1)\n",
        "low", "Opt gets values in the order of its fields at a.py:4"),
    "field of a data class": (
        "a.kt", "data class Opt(val low: Int)\nval all = Opt(1)\n",
        "low", "Opt gets values in the order of its fields at a.kt:2"),
    "field of a class that makes itself": (
        "a.kt", "class Opt(private val low: Int) {\n  companion object {\n    fun of(n: Int) = Opt(n)\n  }\n}\n",
        "low", "Opt gets values in the order of its fields at a.kt:3"),
    "component of a record": (
        "A.java", "class A {\n  Object o = new Opt(1);\n}\nrecord Opt(int low) {}\n",
        "low", "Opt gets values in the order of its fields at A.java:2"),
    "promoted parameter": (
        "a.php", "<?php\nclass Opt {\n  function __construct(public int $low) {}\n}\nfunction f() { new Opt(1); }",
        "low", "Opt gets values in the order of its fields at a.php:5"),
    "default export by another name": (
        "app/fresh.js", 'import other from "@alias/fresh";\nexport default function press() {}\n',
        "press", "its file may be imported at app/fresh.js:1"),
    "field with an annotation": (
        "A.java", 'class A {\n  @JsonProperty("x") private int low;\n}', "low", "its annotation (JsonProperty)"),
    "field with an attribute of C#": (
        "a.cs", "class A {\n  [DataMember] public int Low;\n}", "Low", "its attribute (DataMember) may use it"),
    "property with an attribute of PHP": (
        "a.php", "<?php\nclass A {\n  #[Column] private $low;\n}", "low", "its attribute (Column) may use it"),
    "field of the items of a map": (
        "a.go", "package a\ntype opt struct{ x, low int }\nvar all = map[string]opt{\n\t\"a\": {1, 2},\n}\n",
        "low", "opt gets values in the order of its fields at a.go:3"),
    "field with a tag": (
        "a.go", "package a\ntype opt struct {\n\tlow int `json:\"x\"`\n}\n", "low", "`low` has a tag, by which"),
    "field with a tag without a key": (
        "a.go", "package a\ntype opt struct {\n\tlow int `@Ident \"=\"`\n}\n", "low", "`low` has a tag, by which"),
    "static of Rust that is kept": ("src/a.rs", "#[used]\nstatic LOW: u8 = 1;\n", "LOW", "its attribute (used)"),
    "variable of C in a section": (
        "a.c", '__attribute__((section(".init"))) static int low = 2;\n', "low", "its attribute (section) may use it"),
    "field for an outside supertype": (
        "a.py", "from conan import ConanFile\nclass A(ConanFile):\n    low = 1\n", "low", "A extends ConanFile from"),
    "property for an outside supertype": (
        "a.php", "<?php\nclass A extends Model {\n  protected $low = 1;\n}\n", "low", "A extends Model from outside"),
    "property that overrides an outside one": (
        "a.kt", "class A : Base() {\n  override val low = 1\n}\n", "low", "A extends Base from outside"),
    "attribute of Ruby": (
        "a.rb", "class A\n  attr_reader :low\nend\ndef set(a)\n  a.instance_variable_set(:@low, 1)\nend\n",
        "low", "1 other place mentions `low` (a.rb:5)"),
    "pasted constant": (
        "a.c", "#define VAL_low 0\n#define GIVEN(a) VAL_##a\nint f(void) { return GIVEN(low); }\n",
        "VAL_low", "names that begin with VAL_ are built at a.c:2"),
    "operator behind unknown macros": (
        "a.cpp", "namespace d {\nstruct A {};\nPOP_A\nPOP_B\nbool A::operator==(const A& o) { return true; }\n}\n",
        "a.cpp:5", "operator==` is a special"),
    "name that pytest reads": ("tests/test_a.py", "pytestmark = 1\n", "pytestmark", "the language or its tools read"),
    "hook of IPython": ("a.py", "def load_ipython_extension(ip): ...\n", "load_ipython_extension", "its tools call"),
    "settings of Sphinx": ("docs/conf.py", 'html_theme = "x"\n', "html_theme", "reads the names of docs/conf.py"),
    "hook of Sphinx": ("docs/conf.py", "def setup(app): ...\n", "setup", "a tool reads the names of docs/conf.py"),
    "manifest of Swift": ("Package.swift", 'let package = Package(name: "X")\n', "package", "names of Package.swift"),
    "settings of a bundler": ("vite.config.js", "export const low = 1;\n", "low", "names of vite.config.js"),
    "exported variable": ("a.sh", "export LOW=1\n", "LOW", "`LOW` is exported, and programs that the script starts"),
    "variable that the shell reads": ("a.sh", "PROMPT_COMMAND=true\n", "PROMPT_COMMAND", "the language or its tools"),
}  # fmt: skip


@pytest.mark.parametrize(("path", "text", "name", "clause"), HEDGED.values(), ids=HEDGED)
def test_uses_without_the_name_are_not_denied(tmp_path: Path, path: str, text: str, name: str, clause: str) -> None:
    (tmp_path / path).parent.mkdir(exist_ok=True)
    (tmp_path / path).write_text(text)
    verdict = Workspace(tmp_path, workers=0, cache=False).uses(name).verdict
    assert verdict.kind == "possible"
    assert clause in verdict.text


def test_an_annotation_that_renames_for_java_is_no_registration(tmp_path: Path) -> None:
    (tmp_path / "a.kt").write_text('class A { @JvmName("other") fun low() {} }\n')
    ws = Workspace(tmp_path, workers=0, cache=False)
    assert not ws.entry_points(kinds=("registered",))
    assert "a library or another platform may call `low`" in ws.callers("low").verdict.text


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        ("A.java", "class A { B f() { return B.HIGH; } }\nenum B {\n  LOW, HIGH\n}", "LOW"),  # the enum is not listed
        ("a.py", "class B:\n    LOW = 1\nprint(B(1))", "LOW"),  # no enum
        ("src/a.rs", "#[derive(Clone)]\nstruct B { low: u8 }", "low"),  # reads no field by its name
        ("a.py", 'def twice(n):\n    """Double; see twice."""\n', "twice"),  # no example
        ("a.fish", "function alone\n    echo 1\nend\necho 2\n", "alone"),
        ("src/a.java", "class A { private void setName() {} }\n", "setName"),
        ("tests/conftest.py", "def report_header(): ...\n", "report_header"),
        ("env.d.ts", "interface Meta { env: string }\nexport {};\n", "Meta"),
        ("src/a.rs", "own! { fn other() {} }\nfn beside() {}", "beside"),
        ("src/a.rs", "macro_rules! own { ($($i:item)*) => { $($i)* } }\nown! {\n  fn alone() {}\n}\n", "alone"),
        ("a.go", "package a\ntype opt struct {\n\tx, low int\n}\nvar all = opt{\n\tx: 1,\n}\n", "low"),
        ("a.go", 'package a\ntype opt struct{ x, low int }\nvar all = map[string]opt{\n\t"a": {x: 1},\n}\n', "low"),
        ("a.c", "struct opt {\n  int x, low;\n};\nstruct opt one = {.x = 1}, none = {0};\n", "low"),
        ("a.py", "class Opt:\n    low: int\n    def __init__(self, x): ...\nall = Opt(1)\n", "low"),
        ("a.kt", "data class Opt(val x: Int, val low: Int = 1)\nval all = Opt(x = 1)\n", "low"),
        ("app/a.js", 'import other from "@alias/second";\nexport default function press() {}\n', "press"),
        ("a.sh", "LOW=1\n", "LOW"),
        ("docs/conf.py", "def setup():\n    low = 1\nclass A:\n    low = 1\n", "conf.A.low"),
        ("config.js", "export const low = 1;\n", "low"),
        ("A.java", "class A extends Base {\n  @Deprecated int low;\n}", "low"),  # a field hides others
        ("a.go", "package a\ntype opt struct {\n\tlow int\n}\n", "low"),
        ("a.kt", "class A : Base() {\n  val low = 1\n}\n", "low"),
        ("a.py", "class A:\n    low = 1\n", "low"),
        ("a.c", "#define LOW_a 0\n#define GIVEN(a) VAL_##a\n", "LOW_a"),
    ],
)
def test_other_values_are_denied(tmp_path: Path, path: str, text: str, name: str) -> None:
    (tmp_path / path).parent.mkdir(exist_ok=True)
    (tmp_path / path).write_text(text)
    # setters are found by name in another file, but no private ones
    (tmp_path / "Bean.java").write_text(
        'class Bean { Object f(Class<?> c, String p) { return c.getMethod("set" + capitalized(p)); } }\n'
    )
    assert Workspace(tmp_path, workers=0, cache=False).uses(name).verdict.kind == "none"


def test_uses_in_other_files_are_not_denied(tmp_path: Path) -> None:
    texts = {
        "one.cs": "public static partial class Exts\n{ public static int Foo(this string s) => 1; }\n",
        "two.cs": "public static partial class Exts\n{ public static int Other(this string s) => 1; }\n",
        "user.cs": 'class M { int F() => "a".Foo(); }\n',
        "mock.c": "void mockA_Init(void) {}\nvoid mockA_Alone(void) {}\n",
        "make.rb": 'def go(out, mock)\n  out.puts("  #{mock}_Init();")\nend\n',
        "tool.rb": "def from_a_rakefile\nend\n",
        "test/rakefile": "task :x do\n  from_a_rakefile\nend\n",
        "twin.cpp": "namespace d {\ntemplate <bool C> struct Maker {};\ntemplate <> struct Maker<true> {};\n"
        "template <typename T> struct Str : d::Maker<(sizeof(T) > 1)> {};\n}\n",
    }
    for path, text in texts.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    ws = Workspace(tmp_path, workers=0, cache=False)
    assert "`Foo` perhaps at user.cs:1" in " ".join(ws.uses("two.cs:1").notes)  # of another part of the type
    assert "end with _Init are built at make.rb:2" in ws.uses("mockA_Init").verdict.text
    assert ws.uses("mockA_Alone").verdict.kind == "none"
    assert ws.callers("from_a_rakefile").verdict.kind != "none"
    assert "twin.cpp:4" in ws.subclasses("twin.cpp:3").verdict.text


def test_names_in_braces_and_listed_methods_are_not_denied(tmp_path: Path) -> None:
    texts = {
        "a.ts": "export interface Opts { low: number; mid: number; high: number; none: number }\n"
        "export function f({ low, mid = 2 }: Opts) { return low + mid; }\n"
        "export function g() { const high = 1; return { high }; }\n"
        "export function h() { const none = 1; return none; }\n",
        "b.d.ts": "export function twin(x: string): number;\nexport function alone(x: string): number;\n",
        "b.js": 'export function twin(x) { return 1; }\nexport function alone(x) { return 1; }\nconst y = twin("a");\n',
        "src/a.rs": "struct Foo { inner: u8, outer: u8 }\n"
        "fn f(x: Foo) -> u8 {\n    let Foo { inner, .. } = x;\n    inner\n}\n"
        "fn h() {\n    let outer = 1;\n    f(outer);\n}\n",
        "B.java": "class B {\n  void scan(Class<?> c) {\n    for (var m : c.getMethods()) use(m.getName().startsWith("
        '"find"));\n  }\n}\n'
        "class Bean {\n  public int findLow() { return 1; }\n  public int takeLow() { return 1; }\n}\n",
    }
    for path, text in texts.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    ws = Workspace(tmp_path, workers=0, cache=False)
    for name in ("Opts.low", "Opts.mid", "Opts.high", "Foo::inner", "b.d.ts:1", "findLow"):
        assert ws.uses(name).verdict.kind != "none", name
    for name in ("Opts.none", "Foo::outer", "b.d.ts:2", "takeLow"):
        assert ws.uses(name).verdict.kind == "none", name


def test_a_function_without_a_name_may_lead_on(tmp_path: Path) -> None:
    text = (
        "fn start() {\n    build();\n}\nfn build() -> Vec<String> {\n"
        '    (0..3).map(|i| format!("{}", Leaf(i).name())).collect()\n}\n'
        "struct Leaf(u8);\nimpl Leaf {\n    fn name(&self) -> String {\n        alone()\n    }\n}\nfn alone() {}\n"
    )
    (tmp_path / "a.rs").write_text(text)
    ws = Workspace(tmp_path, workers=0, cache=False)
    assert ws.paths("start", "Leaf::name").verdict.kind != "none"
    assert ws.paths("alone", "start").verdict.kind == "none"


def test_an_outside_interface_calls_only_the_methods_that_it_has(tmp_path: Path) -> None:
    (tmp_path / "A.java").write_text(
        "class Name implements Comparable<Name> {\n"
        "  public int compareTo(Name o) { return 0; }\n"
        "  int guess() { return 1; }\n}\n"
    )
    ws = Workspace(tmp_path, workers=0, cache=False)
    assert "Comparable" not in str(ws.callers("Name.guess"))
    assert "compareTo" in str(ws.callers("Name.compareTo"))


def test_a_collection_initializer_may_call_add(tmp_path: Path) -> None:
    (tmp_path / "a.cs").write_text("class Bag : IEnumerable { public void Add(int x) {} }", "utf-8")
    verdict = Workspace(tmp_path, workers=0, cache=False).callers("Bag.Add").verdict
    assert "`new X { a, b }` calls `Add`" in verdict.text


def test_declared_methods_are_listed_by_reflection(tmp_path: Path) -> None:
    text = "class Shop { void Sell() {} void Go() { Run(typeof(Shop).GetTypeInfo().DeclaredMethods); } }"
    (tmp_path / "a.cs").write_text(text, "utf-8")
    assert Workspace(tmp_path, workers=0, cache=False).uses("Shop.Sell").verdict.kind == "possible"


def test_an_initializer_of_a_new_without_a_type_uses_the_properties(tmp_path: Path) -> None:
    text = "class Options { internal int Limit; }\nclass B { void M() { Options p = new() { Limit = 1 }; } }"
    (tmp_path / "a.cs").write_text(text, "utf-8")
    assert "1 use of Options.Limit" in Workspace(tmp_path, workers=0, cache=False).uses("Options.Limit").verdict.text


@pytest.mark.parametrize(
    ("call", "found"),
    [
        ("Take(new() { Limit = 1 })", "1 use of Options.Limit"),
        ("Take(n: 2, o: new() { Limit = 1 })", "1 use of Options.Limit"),
        ("new B(new() { Limit = 1 })", "1 use of Options.Limit"),
        ("Other(new() { Limit = 1 })", "No uses in this repository"),
    ],
)
def test_an_initializer_of_an_argument_uses_the_properties_of_the_parameter(
    tmp_path: Path, call: str, found: str
) -> None:
    text = "class Options { internal int Limit { get; set; } }\nclass More { internal int Limit; }\n"
    text += "class B { B(Options o) {} void Take(Options o, int n = 1) {} void Other(More o) {}\n"
    (tmp_path / "a.cs").write_text(f"{text}  void M() {{ {call}; }} }}", "utf-8")
    assert found in Workspace(tmp_path, workers=0, cache=False).uses("Options.Limit").verdict.text


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("typeof(T).GetProperties()", {"Size"}),
        ("kind.GetFields()", {"Count"}),
        ("kind.GetMethods(BindingFlags.Public | BindingFlags.Instance)", {"Move"}),
        ("kind.GetMembers(BindingFlags.NonPublic)", {"Size", "Count", "Move", "Inner"}),
        ("kind.GetTypeInfo().DeclaredFields", {"Count", "Inner"}),
        ("kind.GetType().GetProperty(name)", {"Size"}),
        ("kind.GetProperty(name)", set()),  # perhaps of JSON
        ('kind.GetProperty("Name")', set()),
        ("typeof(Other).GetProperties()", set()),
        ("typeof(Math).GetTypeInfo().GetMethod(name)", set()),
        ("new Other(kind.GetMethods())", {"Move"}),
        ("typeof(Data).GetProperties()", {"Size"}),
    ],
)
def test_reflection_reaches_all_members_of_a_kind(tmp_path: Path, code: str, found: set[str]) -> None:
    data = "class Data { public int Size { get; set; } public int Count; public void Move() {} internal int Inner; }"
    text = f"{data}\nclass Other {{ }}\nclass R {{ object Go<T>(Type kind, string name) => {code}; }}\n"
    (tmp_path / "a.cs").write_text(text, "utf-8")
    ws = Workspace(tmp_path, workers=0, cache=False)
    names = ("Size", "Count", "Move", "Inner")
    assert {each for each in names if ws.uses(f"Data.{each}").verdict.kind != "none"} == found


def test_fields_are_used_by_the_layout_of_their_type(tmp_path: Path) -> None:
    text = "[StructLayout(LayoutKind.Sequential)]\nstruct Rect { int left; }\nstruct Free { int right; }\n"
    (tmp_path / "a.cs").write_text(text, "utf-8")
    ws = Workspace(tmp_path, workers=0, cache=False)
    assert "StructLayout" in ws.uses("Rect.left").verdict.text
    assert [ws.uses(each).verdict.kind for each in ("Rect", "Free.right")] == ["none", "none"]


def kinds_of(root: Path, text: str, names: str) -> list[str]:
    """Kinds of the dead-code candidates of these names in a C# file; "" for a name that is no candidate."""
    (root / "a.cs").write_text(text, "utf-8")
    found = Workspace(root, workers=0, cache=False).dead_code(DEAD_KINDS)
    kinds = {each.symbol_id.partition(":")[2]: each.kind for each in found}
    return [kinds.get(name, "") for name in names.split()]


def test_methods_of_a_com_interface_are_used_by_their_places(tmp_path: Path) -> None:
    text = "[ComImport]\ninterface IDevice { void First(); void Last(); }\ninterface IPlain { void Other(); }\n"
    text += "class U { static void Main() { IDevice d; d.Last(); IPlain p; } }\n"
    assert kinds_of(tmp_path, text, "IDevice.First IPlain.Other") == ["dynamic", "unused"]


def test_a_generated_part_may_call_a_partial_method(tmp_path: Path) -> None:
    here = "partial void Known();\npartial void Known() { }\nprivate void Alone() { }"
    text = f"partial class S {{ partial void OnSizeSet(int n) => n = 1; {here} }}\n"
    text += "class U { static void Main() { new S(); } }\n"
    assert kinds_of(tmp_path, text, "S.OnSizeSet S.Known S.Alone") == ["dynamic", "unused", "unused"]


def test_angular_calls_its_hooks(tmp_path: Path) -> None:
    text = "function f() {\n@NgModule({})\nclass Root {\nngDoBootstrap() {}\nngOnly() {}\n}\nreturn Root }\nf();\n"
    (tmp_path / "a.ts").write_text(text, "utf-8")
    ws = Workspace(tmp_path, workers=0, cache=False)
    assert "hook" in ws.callers("Root.ngDoBootstrap").verdict.text
    assert ws.callers("Root.ngOnly").verdict.kind == "none"


@pytest.mark.parametrize("name", ["onModuleInit", "componentWillLoad", "connectedCallback", "beforeUnmount"])
def test_frameworks_call_hooks_of_classes_with_their_decorators(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.ts").write_text(f"@Injectable()\nclass Root {{ {name}() {{}} }}\n", "utf-8")
    assert "hook" in Workspace(tmp_path, workers=0, cache=False).callers(f"Root.{name}").verdict.text


def test_words_of_every_day_are_hooks_of_a_framework_only_in_its_objects(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"private": true}')
    (tmp_path / "a.vue").write_text("<script>\nexport default { created() {} }\n</script>\n")
    (tmp_path / "b.ts").write_text("class Ship { created() {} mounted() {} }\nnew Ship()\n")
    (tmp_path / "c.ts").write_text("import Vue from 'vue'\nclass Page extends Vue { created() {} }\nnew Page()\n")
    found = Workspace(tmp_path, workers=0, cache=False).dead_code(["unused", "mentioned"])
    assert {each.symbol_id.partition(":")[2] for each in found} == {"b.Ship.created", "b.Ship.mounted"}


def test_a_static_method_is_no_accessor_of_a_property_by_the_end_of_its_type(tmp_path: Path) -> None:
    methods = ("GetKind(JObject o)", "GetSize(Box b)", "GetDock(DependencyObject d)")
    code = " ".join(f"static int {method} {{ return 1; }}" for method in methods)
    (tmp_path / "a.cs").write_text(f"class Dock {{ {code} }} class M {{ static void Main() {{ new Dock(); }} }}\n")
    found = Workspace(tmp_path, workers=0, cache=False).dead_code(["unused"])
    assert {symbol.name for symbol in found.symbols} == {"GetKind", "GetSize"}


def test_a_field_or_result_gives_an_object_of_a_private_module(tmp_path: Path) -> None:
    (tmp_path / "pk/_in").mkdir(parents=True)
    names = ("Held", "Hidden", "Made")
    (tmp_path / "pk/_in/parts.py").write_text(
        "".join(f"class {n}:\n    def go{n}(self):\n        ...\n" for n in names)
    )
    init = "    def __init__(self):\n        self.held = Held()\n        self._hidden = Hidden()\n"
    make = "    def make(self):\n        return Made()\n"
    (tmp_path / "pk/_in/box.py").write_text(f"from .parts import *\nclass Box:\n{init}{make}")
    (tmp_path / "pk/_in/__init__.py").write_text("")
    (tmp_path / "pk/__init__.py").write_text("from ._in.box import Box\n")
    found = {
        each.symbol_id.rpartition(".")[2]: each.kind for each in Workspace(tmp_path, cache=False).dead_code(DEAD_KINDS)
    }
    assert [found[f"go{name}"] for name in names] == ["exported", "unused", "exported"]


def test_code_may_look_up_members_of_a_field_by_computed_names(tmp_path: Path) -> None:
    run = "    def run(self, name):\n        return getattr(self.f, name)()\n"
    app = (
        f"from a import Store\nclass App:\n    def __init__(self):\n        self.f = Store()\n{run}App().run(input())\n"
    )
    (tmp_path / "a.py").write_text("class Store:\n    def load(self): ...\nclass Free:\n    def gone(self): ...\n")
    (tmp_path / "b.py").write_text(app)
    ws = Workspace(tmp_path, workers=0, cache=False)
    assert [ws.callers(name).verdict.kind for name in ("Store.load", "Free.gone")] == ["possible", "none"]


@pytest.mark.parametrize(("made", "kind"), [("importlib.import_module(name)", "none"), ("open_box(name)", "possible")])
def test_names_computed_for_a_module_mean_no_members(tmp_path: Path, made: str, kind: str) -> None:
    (tmp_path / "a.py").write_text("class Store:\n    def load(self): ...\n")
    load = f"def load(name, key):\n    box = {made}\n    return getattr(box, key)\n"
    (tmp_path / "b.py").write_text(f"import importlib\nfrom a import Store\n{load}\nStore(), load('x', input())\n")
    assert Workspace(tmp_path, workers=0, cache=False).callers("Store.load").verdict.kind == kind


def test_a_property_with_the_name_of_its_type_is_not_denied(tmp_path: Path) -> None:
    text = (
        "public class Theme { public void Paint() { } }\nclass Api {\nTheme Theme => Made();\nTheme Made() => null;\n"
    )
    text += "void Paint() { Theme.Paint(); }\nstatic void Main() { new Api().Paint(); }\n}\n"
    assert kinds_of(tmp_path, text, "Api.Theme") == ["mentioned"]


def test_a_field_with_the_name_of_a_method_may_hold_it(tmp_path: Path) -> None:
    text = "public class A {\nprivate final Consumer<String> moved = this::moved;\npublic void go() { add(moved); }\n"
    text += "private void moved(String s) { }\nButton prev;\nprivate void prev() { }\nprivate void gone() { }\n"
    (tmp_path / "A.java").write_text(f"{text}public void make() {{\nprev = new Button(this::prev);\n}}\n}}\n")
    found = Workspace(tmp_path, workers=0, cache=False).dead_code(["unused"])
    assert [each.symbol_id for each in found] == ["A.java:A.gone"]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.cs", "class A { int P => 1; int Q => 2; void F() { G(nameof(P)); G(nameof(this.P)); G(Q); }\n"
         "void G(int s) { } }"),
        ("a.rb", "class A\n  def p; end\n  def q; end\n  def f\n    q if defined?(p)\n  end\nend"),
        ("a.cpp", "int P();\nint Q();\nint F() { decltype(P()) x = sizeof(P()) + noexcept(P()); return Q(); }\n"
         "int P() { return 1; }\nint Q() { return 1; }"),
        ("a.kt", "class A {\n  val P: Int get() = 1\n  val Q: Int get() = 2\n  fun F() { g(::P, A::P.name, Q) }\n}"),
    ],
)  # fmt: skip
def test_code_that_is_only_named_does_not_run(tmp_path: Path, path: str, text: str) -> None:
    (tmp_path / path).write_text(text + "\n")
    ws = Workspace(tmp_path, workers=0, cache=False)
    edges = {(e.kind, e.target[-1].upper()) for e in ws.graph.edges if e.source[-1] in "Ff" and e.kind != "CONTAINS"}
    assert edges >= {("USES", "P"), ("CALLS", "Q")}
    assert ("CALLS", "P") not in edges
    assert "P" not in {symbol.name.upper() for symbol in ws.dead_code(["unused"]).symbols}


def test_tags_and_attached_properties_of_xaml_name_code(tmp_path: Path) -> None:
    page = '<Page xmlns:my="clr-namespace:N"\n my:Brush.Back="Red"><my:Card/><my.Row\n>Lone words</my.Row></Page>\n'
    (tmp_path / "A.xaml").write_text(page)
    (tmp_path / "a.cs").write_text(
        "class Brush {\npublic static void SetBack(DependencyObject o, int v) { }\nstatic void SetFront(int o) { }\n}\n"
        "class Card { }\nclass Row { }\nclass Lone { }\n"
    )
    ws = Workspace(tmp_path, workers=0, cache=False)
    assert {symbol.name for symbol in ws.dead_code(["unused"]).symbols} == {"SetFront", "Lone"}


def test_an_assignment_to_a_member_of_what_may_be_null_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.cs").write_text(
        "public class A {\nB b;\npublic void Load() { b?.Click += OnClick; b?.c?.Text ??= T(); Init(); }\n"
        "void Init() { }\nvoid OnClick() { }\nstring T() => null;\nvoid Lone() { }\n}\n"
    )
    ws = Workspace(tmp_path, workers=0, cache=False)
    assert [symbol.name for symbol in ws.dead_code(["unused"]).symbols] == ["Lone"]
    assert {symbol.name for symbol in ws.callees("A.Load").symbols} == {"T", "Init"}


def test_outside_code_calls_what_a_documented_interface_of_it_has(tmp_path: Path) -> None:
    text = "/** {} */\nclass {} {{ run() {{}} }}\n"
    made = (text.format("@implements {lib.Reader}", "A"), text.format("@extends {Base<T>}", "B"), text.format("a", "C"))
    (tmp_path / "a.js").write_text("\n".join(made) + "[new A(), new B(), new C()];\n")
    ws = Workspace(tmp_path, workers=0, cache=False)
    said = [ws.callers(f"{name}.run").verdict.text for name in "ABC"]
    assert ["may call it" in each for each in said] == [True, True, False]


@pytest.mark.parametrize(
    ("path", "text", "unused"),
    [
        (
            "a.py",
            "import lib\nclass _A:\n    def on(self): ...\nclass _B(_A):\n    def off(self): ...\n"
            "class _C:\n    def on2(self): ...\n"
            "class _D:\n    def lone(self): ...\ndef _make():\n    return _C()\ndef take(x): ...\n"
            "_kept = [_D()]\nprint(_kept, _D())\ntake(_D())\nlib.use(_B(), key=_make)\n",
            {"lone"},
        ),
        (
            "a.ts",
            "import lib from 'lib';\nclass A { on() {} private own() {} }\nclass B { on2() {} }\n"
            "class C { lone() {} }\nclass D { on3() {} }\nfunction take(x) {}\nconst a = { list: [new D()] };\n"
            "lib.start(a, () => new A(),\n  B);\ntake(new C());\nconsole.log(new C());\n",
            {"own", "lone"},
        ),
        (
            "b.ts",
            "class A { on() {} }\nclass B { on2() {} }\nclass C { on3() {} }\nclass D { lone() {} }\n"
            "export default { made(a) { return new A() }, one: new B(), more: () => new C() }\n"
            "console.log([1].map((a) => new D()))\n",
            {"lone"},
        ),
    ],
)
def test_code_outside_calls_methods_of_objects_that_it_is_given(
    tmp_path: Path, path: str, text: str, unused: set[str]
) -> None:
    (tmp_path / path).write_text(text)
    ws = Workspace(tmp_path, workers=0, cache=False)
    assert {symbol.name for symbol in ws.dead_code(["unused"]).symbols if symbol.kind == "method"} == unused


def test_a_use_beside_syntax_errors_may_look_like_a_definition(tmp_path: Path) -> None:
    text = "class A {\nvoid F() { x ?.= ?? 3; }}}\n Inner();\n}\nprivate void Inner() { }\nprivate void Lone() { }\n}\n"
    (tmp_path / "a.cs").write_text(text)
    ws = Workspace(tmp_path, workers=0, cache=False)
    assert "Inner" not in {symbol.name for symbol in ws.dead_code(["unused"]).symbols}


def test_derived_code_calls_functions_of_a_module_that_an_attribute_names(tmp_path: Path) -> None:
    (tmp_path / "Cargo.toml").write_text("[package]\n")
    head = "pub fn {0}<'de, D>(r: i32, {0}r: D) -> Result<i32, D::Error> {{}}\n"
    text = f"mod days {{\n{head.format('serialize')}{head.format('deserialize')}pub fn lone() {{}}\n}}\n"
    (tmp_path / "main.rs").write_text(
        f'{text}struct A {{\n#[serde(with = "days")]\nday: i32 }}\nfn main() {{ A::of(); }}\n'
    )
    ws = Workspace(tmp_path, workers=0, cache=False)
    assert {symbol.name for symbol in ws.dead_code(["unused"]).symbols} == {"lone"}


def test_a_call_before_a_function_is_assigned_to_its_name_is_not_denied(tmp_path: Path) -> None:
    start = "  const start = () => {\n    stop();\n    stop = () => h();\n  };\n  return start;\n"
    text = f"export const use = () => {{\n  let stop = () => {{}};\n  let lone = () => {{}};\n{start}}};\n"
    (tmp_path / "a.ts").write_text(text)
    ws = Workspace(tmp_path, workers=0, cache=False)
    assert [symbol.name for symbol in ws.dead_code(["unused"]).symbols] == ["lone"]


def test_a_section_of_a_template_calls_a_function(tmp_path: Path) -> None:
    (tmp_path / "a.mustache").write_text('<p>\n{{#tag}}app{{/tag}}\n</p>\n<script src="{{#at}}a.js{{/at}}"></script>\n')
    text = "module A\n  def self.in(x)\n    def tag; end\n    def at; end\n    def lone; end\n  end\nend\n"
    (tmp_path / "a.rb").write_text(text)
    ws = Workspace(tmp_path, workers=0, cache=False)
    assert [symbol.name for symbol in ws.dead_code(["unused"]).symbols] == ["lone"]


def test_a_call_of_a_member_may_mean_that_of_an_interface_that_its_object_fits(tmp_path: Path) -> None:
    text = (
        "interface Tour { start: (id: string) => void\n  lone: () => void }\n"
        "const start = (id: string) => {};\nconst tour = { start };\nconst made: Tour = tour as any;\n"
        "const { start: begin } = tour;\nbegin('a'); start('b'); made;\n"
    )
    (tmp_path / "a.ts").write_text(text)
    ws = Workspace(tmp_path, workers=0, cache=False)
    assert {symbol.name for symbol in ws.dead_code(["unused"]).symbols} == {"lone"}


def test_macros_of_libraries_that_define_something_paste_names(tmp_path: Path) -> None:
    (tmp_path / "a.cxx").write_text(
        "G_DEFINE_TYPE(Button, my_button, GTK_TYPE_BOX)\nstatic void my_button_init(Button *b) {}\n"
        "static void my_button_class_init(ButtonClass *c) { c->size = my_button_size; }\n"
        "static void my_button_size(int w) {}\nstatic void my_button_lone(int w) {}\n"
        "static int power_show(int x) { return 1; }\nstatic DEVICE_ATTR_RO(power);\n"
        "static int power_lone(int x) { return 1; }\n"
        "static DEFINE_MUTEX(queue);\nstatic void queue_lone(int w) {}\n"
    )
    ws = Workspace(tmp_path, workers=0, cache=False)
    lone = {"my_button_lone", "power_lone", "queue_lone"}
    assert {symbol.name for symbol in ws.dead_code(["unused"]).symbols} == lone


def test_a_file_that_a_build_writes_uses_what_is_declared_above_its_include(tmp_path: Path) -> None:
    (tmp_path / "own.h").write_text("int x;\n")
    (tmp_path / "a.c").write_text(
        '#include "config.h"\nstatic int glued(int x);\n#include "glue.h"\nstatic int glued(int x) { return 1; }\n'
        '#include "own.h"\nstatic int lone(int x) { return 1; }\n'
    )
    ws = Workspace(tmp_path, workers=0, cache=False)
    assert {symbol.name for symbol in ws.dead_code(["unused"]).symbols} == {"lone"}


@pytest.mark.parametrize(
    ("call", "kind"),
    [("logging.info('%s', item)", ""), ("render(item)", "code outside gets"), ("render(Item().size())", "")],
)
def test_code_that_gets_no_object_or_only_formats_it_calls_no_method(tmp_path: Path, call: str, kind: str) -> None:
    code = "import logging\nfrom shop import render\n\nclass Item:\n    def lone(self): ...\n    def size(self): ...\n"
    code += "\ndef main():\n    item = Item()\n"
    (tmp_path / "a.py").write_text(f"{code}    {call}\n\nif __name__ == '__main__':\n    main()\n")
    found = Workspace(tmp_path, workers=0, cache=False).dead_code(DEAD_KINDS)
    (reasons,) = (each.reasons for each in found if each.symbol_id.endswith(".lone"))
    assert any(reason.startswith(kind or "code outside gets") for reason in reasons) == bool(kind)
