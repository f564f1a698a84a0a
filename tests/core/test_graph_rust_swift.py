"""What answers on Rust and Swift say of macros, types without a symbol, and other forms that few languages have."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from codeexplore import Workspace


def loaded(folder: Path, sources: dict[str, str]) -> Workspace:
    for name, text in sources.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(dedent(text).lstrip("\n"))
    return Workspace(folder, workers=0, cache=False)


def rust(folder: Path, text: str, **files: str) -> Workspace:
    return loaded(folder, {"Cargo.toml": '[package]\nname = "x"\n', "src/lib.rs": text, **files})


IN_MACRO = """
    trait R {
        fn r(&self) -> u8;
    }
    struct A;
    fn deep() -> u8 { 1 }
    fn calm(s: &A) {}
    macro_rules! m {
        ($n:expr) => {
            impl R for A {
                fn r(&self) -> u8 { deep() + $n }
            }
        };
    }
    m!(1);
    fn top(s: &dyn R) -> u8 { s.r() }
    """


def test_the_body_of_a_macro_may_implement_a_trait(tmp_path: Path) -> None:
    ws = rust(tmp_path, IN_MACRO)
    assert "1 other place mentions `R` (src/lib.rs:9)" in ws.implementors("R").verdict.text
    assert "1 place perhaps declares a subtype of `R`" in ws.overrides("R.r").verdict.text
    assert "what a macro makes at src/lib.rs:14 may lead there" in ws.paths("top", "deep").verdict.text
    assert ws.paths("calm", "deep").verdict.kind == "none"
    assert "Calls of methods of R may run what the macro crate::m writes" in str(ws.impact("deep"))


def test_references_and_pointers_to_a_parameter_are_no_types_with_its_bound(tmp_path: Path) -> None:
    ws = rust(
        tmp_path,
        """
        trait T { fn n(&self) -> u8; }
        struct D;
        impl T for D { fn n(&self) -> u8 { 1 } }
        impl<'a, A: T + ?Sized> T for &'a A { fn n(&self) -> u8 { (**self).n() } }
        """,
    )
    assert sorted(each.fqn for each in ws.overrides("lib.rs:1")) == ["crate::A::n", "crate::D::n"]


def test_each_outside_type_counts_as_an_implementor(tmp_path: Path) -> None:
    text = "trait P { fn p(self); }\nimpl<T> P for *const T { fn p(self) {} }\n"
    text += "mod other { impl<T> super::P for *mut T { fn p(self) {} } }\n"
    said = rust(tmp_path, text).implementors("P").verdict.text
    assert said.startswith("2 implementors of crate::P; 2 of them are types from outside (`*const T`, `*mut T`)")


def test_a_path_with_types_in_the_body_of_a_macro_is_a_use(tmp_path: Path) -> None:
    text = """
        mod generic;
        macro_rules! f { ($n:expr) => { fn u() -> u8 { generic::Fat::<u8, $n>::make(1) } }; }
        """
    fat = "pub struct Fat<T, const N: usize>(T);\nimpl<T, const N: usize> Fat<T, N> { pub fn make(n: T) -> T { n } }\n"
    ws = rust(tmp_path, text, **{"src/generic.rs": fat})
    assert [each.name for each in ws.callers("Fat.make")] == ["f"]
    assert [each.name for each in ws.uses("Fat")] == ["f"]


@pytest.mark.parametrize(
    ("dependency", "kind"),
    [('"=0.1.0"', "none"), ('{ version = "0.1" }', "none"), ('{ version = "0.2", path = ".." }', "found")],
)
def test_a_dependency_of_a_registry_is_not_the_package_of_this_name(tmp_path: Path, dependency: str, kind: str) -> None:
    ws = loaded(
        tmp_path,
        {
            "Cargo.toml": '[package]\nname = "my-lib"\nversion = "0.2.0"\n',
            "src/lib.rs": "pub fn new_thing() -> u8 { 1 }\n",
            "old/Cargo.toml": f'[package]\nname = "old"\n[dependencies]\nmy-lib = {dependency}\n',
            "old/src/main.rs": "fn main() { my_lib::new_thing(); }\n",
        },
    )
    assert ws.callers("new_thing").verdict.kind == kind


def test_two_traits_that_imply_each_other_are_told_apart(tmp_path: Path) -> None:
    ws = rust(
        tmp_path, "trait Base {}\ntrait Sub: Base {}\nstruct A;\nimpl<T: Base> Sub for T {}\nimpl Base for A {}\n"
    )
    assert "extends" not in str(ws.implementors("Sub"))
    assert "implements at line 4" not in str(ws.implementors("Base"))


def test_a_pointer_has_no_methods_of_its_target(tmp_path: Path) -> None:
    ws = rust(
        tmp_path,
        """
        trait Dist { fn distance(self) -> usize; }
        impl<T> Dist for *const T { fn distance(self) -> usize { 1 } }
        fn a(p: *const u8) -> usize { p.distance() }
        """,
    )
    assert "std.u8" not in str(ws.callees("a"))


def test_a_parameter_names_no_function(tmp_path: Path) -> None:
    ws = rust(
        tmp_path,
        """
        fn other(anchored: u8) -> u8 { anchored }
        fn target() -> u8 { 1 }
        mod t { pub fn anchored() -> u8 { super::target() } }
        """,
    )
    assert ws.paths("other", "target").verdict.kind == "none"


# --------------------------------------------------------------------------- Swift


@pytest.mark.parametrize(
    "text",
    [
        "func check(_ x: Int, at l: Loc = #_sourceLocation) {}\n",
        "func check(_ x: Int) throws(Failure) -> Int { 1 }\n",
        "struct Main { @Option() var name: String\nfunc check(_ x: Int) {} }\n",
        "func check(_ x: Int) async throws { for try await line in lines { use(line) } }\n",
        "func check(_ x: Int) async { if let a = try await one() { use(a) } else { two() } }\n",
        "func check(_ x: Int) async { if case .done(let a) = try? await one() { use(a) } }\n",
        "nonisolated(unsafe) private var most = 1\nfunc check(_ x: sending Box) { done(.success(())) }\n",
        "func check(by a: isolated Actor? = #isolation) { return () }\n",
        '#if os(macOS)\nfunc check(_ x: Int) {}\n#else\n#error("other platform")\n#endif\n',
    ],
)
def test_newer_syntax_of_swift_is_read(tmp_path: Path, text: str) -> None:
    ws = loaded(tmp_path, {"a.swift": text})
    assert ws.symbol("check").kind in ("function", "method")
    assert "could not be parsed" not in str(ws.status())


def test_each_outside_type_that_conforms_is_named(tmp_path: Path) -> None:
    text = "protocol P {}\nextension Int: P {}\nextension Foundation.Date: Mod.P {}\nstruct S: P {}\n"
    ws = loaded(tmp_path, {"Sources/Mod/a.swift": text})
    assert ws.implementors("P").verdict.text.startswith("3 implementors of Mod.P; 2 of them are types from outside")
    assert "(`Int`, `Foundation.Date`)" in ws.implementors("P").verdict.text


def test_a_default_implementation_is_overridden(tmp_path: Path) -> None:
    text = "protocol V { func check() }\nextension V {\n func check() {} }\nstruct S: V { func check() {} }\n"
    ws = loaded(tmp_path, {"a.swift": text})
    assert [each.fqn for each in ws.overrides("a.swift:3")] == ["S.check"]
    assert [each.fqn for each in ws.overrides("a.swift:1")] == ["S.check"]


def test_key_paths_read_properties(tmp_path: Path) -> None:
    text = """
        struct Info { var title: String { deep() } }
        struct Other { var title: String { "" } }
        func deep() -> String { "" }
        func some(infos: [Info]) { infos.map(\\.title) }
        func path() { use(\\Info.title) }
        """
    ws = loaded(tmp_path, {"a.swift": text})
    found = ws.callers("Info.title")
    assert [each.name for each in found] == ["path"]
    assert "(a.swift:4)" in found.verdict.text


def test_a_generic_type_qualifies_the_types_in_it(tmp_path: Path) -> None:
    text = """
        enum Tree<T> { enum Failure: Error { case twice(Int) } }
        func test(e: Error) -> Bool { e is Tree<[Int]>.Failure }
        func run() { do { try go() } catch Tree<Int>.Failure.twice(let c) { print(c) } }
        """
    ws = loaded(tmp_path, {"a.swift": text})
    assert [each.name for each in ws.uses("Tree.Failure")] == ["test", "run"]


def test_an_extension_of_another_file_or_with_other_labels_is_not_called(tmp_path: Path) -> None:
    use = "struct Q { var items: [Int] = []\nmutating func add() { items.append(1) }\n"
    use += "mutating func put() { items.put(1) } }\n"
    text = """
        extension Array { mutating func append(optional x: Element?) {} }
        extension Array { fileprivate mutating func put(_ x: Element) {} }
        struct R { var items: [Int] = []
        mutating func near() { items.put(2) } }
        """
    ws = loaded(tmp_path, {"a.swift": text, "b.swift": use})
    assert not list(ws.callers("Array.append"))
    assert [each.name for each in ws.callers("Array.put")] == ["near"]


def test_closures_after_a_call_have_labels(tmp_path: Path) -> None:
    text = """
        extension Suite {
            func add(_ name: String, run: () -> Void, setUp: () -> Void = {}, tearDown: () -> Void) {}
            func put(_ name: String, run: () -> Void, after: () -> Void) {}
        }
        func go(s: Suite) {
            s.add("a") { } tearDown: { }
            s.put("a") { } later: { }
        }
        """
    ws = loaded(tmp_path, {"a.swift": text})
    assert [each.name for each in ws.callers("Suite.add")] == ["go"]
    assert not list(ws.callers("Suite.put"))


def test_a_long_chain_over_an_uncertain_call_is_no_path(tmp_path: Path) -> None:
    calls = "".join(f"func f{n}() {{ f{n + 1}() }}\n" for n in range(10))
    sure = calls + "func f10() { f11() }\nfunc f11() { end() }\nfunc end() { target() }\nfunc target() {}\n"
    text = calls + "func f10() { Plat.exit(1) }\nenum Plat { static func exit(_ c: Int32) { Glibc.exit(c) } }\n"
    text += (
        "struct A {}\nextension A { static func exit(e: Int) { end() } }\nfunc end() { target() }\nfunc target() {}\n"
    )
    assert "No short path" in loaded(tmp_path, {"a.swift": sure}).paths("f0", "target").verdict.text
    said = loaded(tmp_path, {"a.swift": text}).paths("f0", "target").verdict.text
    assert "No certain path" in said
    assert "a path over uncertain calls has more than 12 symbols" in said


def test_a_called_variable_may_hold_a_closure(tmp_path: Path) -> None:
    text = """
        final class Comp {
            var handlers: [() -> Void] = []
            func fire() { for h in handlers { h() } }
            func still() { if handlers.isEmpty { print(1) } }
            func pass(body: () -> Void) { body() }
        }
        final class Tracker {
            func start(c: Comp) { c.handlers.append { self.flush() } }
            func plain(c: Comp) { if true { self.stop() } }
            func flush() {}
            func stop() {}
        }
        """
    ws = loaded(tmp_path, {"a.swift": text})
    assert "1 unresolved call may connect them (a.swift:3)" in ws.paths("Comp.fire", "Tracker.flush").verdict.text
    assert ws.paths("Comp.pass", "Tracker.flush").verdict.kind == "possible"
    assert ws.paths("Comp.still", "Tracker.flush").verdict.kind == "none"
    assert ws.paths("Comp.fire", "Tracker.stop").verdict.kind == "none"


def test_the_members_of_an_extension_of_an_outside_type_implement_its_protocol(tmp_path: Path) -> None:
    ws = loaded(
        tmp_path,
        {
            "Sources/A/a.swift": """
            protocol Shape { func area() -> Int }
            extension Int { func area() -> Int { 1 }
              func other() -> Int { 1 } }
            extension String { func area() -> Int { 2 } }
            extension Int: Shape {}
            func all(_ shape: Shape) -> Int { shape.area() }
            """
        },
    )
    assert [edge.source.partition(":")[2] for edge in ws.callers("Int.area").edges] == ["A.all"]
    for name in ("Int.other", "String.area"):
        absence = ws.callers(name).absence
        assert absence is not None
        assert absence.kind == "none"


def test_a_closure_behind_the_call_of_a_declaration_is_an_argument(tmp_path: Path) -> None:
    text = """
        struct H { let a: Int; let b: Int }
        extension H { init?(data: Int, with p: (Int) -> Int) { a = data; b = 0 } }
        func plain() { let h = H(data: 1) { $0 } }
        func tried() throws { let h = try H(data: 1) { $0 } }
        func bare() -> H? { H(data: 1) { $0 } }
        func member() { let h = H(a: 1, b: 2) }
        """
    ws = loaded(tmp_path, {"a.swift": text})
    callers = [edge.source.partition(":")[2] for edge in ws.callers("H.init").edges]
    assert sorted(callers) == ["bare", "plain", "tried"]


def test_self_is_the_outside_type_that_an_extension_extends(tmp_path: Path) -> None:
    text = """
        extension FixedWidthInteger {
          private init(pair v: Int) { self = 1 }
          private init(single v: Int) { self = 1 }
          static func made() -> Self { return Self(pair: 2) }
        }
        extension Shape { init(side: Int) {} }
        struct Square: Shape {}
        func square() { let s = Square(side: 1) }
        """
    ws = loaded(tmp_path, {"a.swift": text})
    called = {
        e.source.partition(":")[2]: e.target
        for e in map(ws.graph.edge, range(len(ws.graph.edges)))
        if e.kind == "CALLS"
    }
    assert called == {"FixedWidthInteger.made": "a.swift:FixedWidthInteger.init", "square": "a.swift:Shape.init"}
    assert ws.callers("a.swift:FixedWidthInteger.init#2").verdict.kind == "none"


def test_the_call_of_a_type_with_type_arguments_has_arguments(tmp_path: Path) -> None:
    text = """
        class Cache<K, V> { init(cost: Int) {}
          init(_ made: () -> Void) {} }
        func plain() { let c = Cache<Int, Int>(cost: 1) }
        """
    ws = loaded(tmp_path, {"a.swift": text})
    assert [edge.source.partition(":")[2] for edge in ws.callers("a.swift:Cache.init").edges] == ["plain"]
    assert not ws.callers("a.swift:Cache.init#2").edges


def test_a_method_with_the_associated_type_of_its_protocol_is_overridden(tmp_path: Path) -> None:
    names = ("of", "at", "like")
    given = "".join(
        f"struct T{n}: Module {{ func of(_ d: Int, in db: Int) {{}}\n"
        f" func at(_ e: Int) {{}}\n func like(_ o: T{n}) {{}} }}\n"
        for n in range(5)
    )
    text = """
        protocol Module { associatedtype Def
          func of(_ d: Def, in db: Int)
          func at(_ e: Def.Element)
          func like(_ o: Self) }
        func create<M: Module>(using module: M) { module.of(x, in: 2); module.at(y); module.like(module) }
        """
    ws = loaded(tmp_path, {"a.swift": text, "b.swift": given})
    for name in names:
        assert [edge.source.partition(":")[2] for edge in ws.callers(f"T4.{name}").edges] == ["create"], name


def test_values_of_an_iterator_of_the_repository_are_passed_to_closures(tmp_path: Path) -> None:
    source = """
    pub struct Raw {}
    impl Raw { fn each(&self) -> i32 { 1 } fn loops(&self) -> i32 { 1 } fn gone(&self) {} }
    pub struct All { inner: Vec<Raw> }
    impl Iterator for All { type Item = Raw; fn next(&mut self) -> Option<Self::Item> { self.inner.pop() } }
    fn main() {
        let all = All { inner: vec![] };
        all.filter_map(|raw| raw.each()).count();
        let more = All { inner: vec![] };
        for raw in more { raw.loops(); }
    }
    """
    (tmp_path / "main.rs").write_text(source, "utf-8")
    ws = Workspace(tmp_path, workers=0, cache=False)
    assert [ws.callers(f"Raw.{name}").verdict.kind for name in ("each", "loops")] == ["found", "found"]
    assert ws.callers("Raw.gone").verdict.kind == "none"


def test_a_method_of_a_type_that_is_not_found_is_not_denied(tmp_path: Path) -> None:
    flat = "macro_rules! flat { ($($name:ident)+) => { $( mod $name; pub use $name::*; )+ } }\n"
    base = "pub struct Parser {}\nimpl Default for Parser { fn default() -> Self { Parser {} } }\n"
    files = {
        "Cargo.toml": '[package]\nname = "p"\n',
        "src/main.rs": f"{flat}mod parser;\nfn main() {{ parser::Parser::default().go(); }}\n",
        "src/parser/mod.rs": "crate::flat!(base csi more);\n",
        "src/parser/base.rs": base,
        "src/parser/csi.rs": "use super::base::Parser;\nimpl Parser {\n pub fn go(&self) { self.report() }\n}\n",
        "src/parser/more.rs": "use crate::parser::Parser;\nimpl Parser { fn report(&self) {}\nfn gone(&self) {} }\n",
    }
    ws = loaded(tmp_path, files)
    assert [ws.callers(name).verdict.kind for name in ("Parser.report", "Parser.gone")] == ["possible", "none"]
