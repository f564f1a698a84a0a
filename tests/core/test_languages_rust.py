"""Rust: what its items, patterns, values and use trees become."""

from __future__ import annotations

import pytest

from tests.language_facts import Said


def said(text: str, path: str = "src/queue.rs", others: tuple[str, ...] = ("Cargo.toml",)) -> Said:
    return Said("rust", text, path, others)


def in_function(body: str) -> Said:
    return said("fn f() {\n" + body + "\n}\n")


# --------------------------------------------------------------------------- symbols


def test_every_kind_of_definition_is_a_symbol() -> None:
    file = said("""
        pub mod inner { pub fn deep() {} }
        pub struct Queue<T> { pub items: Vec<T>, r#type: u8 }
        struct Unit;
        struct Tuple(pub i32);
        union Either { a: i32, b: f32 }
        enum Kind { A, B(i32), C { x: i32 } }
        trait Store { const N: usize; fn get(&self) -> i32; fn all(&self) {} }
        type Alias = Kind;
        pub const MAX: usize = 10;
        static NAME: &str = "q";
        const _: () = ();
        macro_rules! shout { ($x:expr) => { $x } }
        extern "C" { fn outside(x: i32); }
        impl<T> Queue<T> { pub const ZERO: i32 = 0; pub fn new() -> Self { todo!() } }
        impl Iterator for Tuple { type Item = i32; fn next(&mut self) -> Option<i32> { None } }
        impl Elsewhere { fn run(&self) {} }
        """)
    assert file.symbols() == {
        "inner": "module", "inner::deep": "function", "Queue": "struct", "Queue::items": "field",
        "Queue::type": "field", "Unit": "struct", "Tuple": "struct", "Either": "struct", "Either::a": "field",
        "Either::b": "field", "Kind": "enum", "Kind::A": "constant", "Kind::B": "constant", "Kind::C": "constant",
        "Store": "trait", "Store::N": "constant", "Store::get": "method", "Store::all": "method", "Alias": "type",
        "MAX": "constant", "NAME": "constant", "shout": "function", "outside": "function", "Queue::ZERO": "constant",
        "Queue::new": "method", "Tuple::next": "method", "Elsewhere::run": "method",
    }  # fmt: skip
    assert file.facts.errors == 0
    assert file.symbol("Queue::new").fqn == "crate::queue::Queue::new"


def test_an_impls_methods_belong_to_its_type_when_both_stand_in_the_file() -> None:
    file = said("""
        impl Queue { fn push(&self) {} }
        struct Queue;
        impl Other { fn run(&self) {} }
        mod inner {
            struct Queue;
            impl Queue { fn pop(&self) {} }
            impl super::Tree { fn grow(&self) {} }
        }
        struct Tree;
        """)
    assert file.parent("Queue::push") == "Queue"
    assert file.parent("Other::run") == ""
    assert file.parent("inner::Queue::pop") == "inner::Queue"
    assert file.parent("Tree::grow") == "Tree"


def test_receivers_name_the_type_and_the_trait() -> None:
    file = said("""
        impl<T: Item> fmt::Display for Queue<T> { fn fmt(&self) {} }
        impl Queue { fn new() -> Self { Queue } fn boxed(self: Box<Self>) {} }
        trait Store { fn get(&self); fn open() -> Self; }
        """)
    rows = [(file.scope(b.scope), b.name, b.type, b.value) for b in file.facts.bindings if b.manner == "receiver"]
    assert rows == [
        ("Queue::fmt", "self", "Queue", "fmt.Display"), ("Queue::new", "", "Queue", ""),
        ("Queue::boxed", "self", "Queue", ""), ("Store::get", "self", "Store", ""), ("Store::open", "", "Store", ""),
    ]  # fmt: skip
    assert file.bindings("Queue::fmt", "type") == [("T", "Item", "")]


def test_twins_of_different_traits_have_two_ids() -> None:
    file = said("struct Q;\nimpl Debug for Q { fn fmt(&self) {} }\nimpl Display for Q { fn fmt(&self) {} }\n")
    assert [s.id for s in file.facts.symbols[2:]] == [
        "src/queue.rs:crate::queue::Q::fmt", "src/queue.rs:crate::queue::Q::fmt#2",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("path", "module"),
    [
        ("src/lib.rs", "crate"),
        ("src/queue.rs", "crate::queue"),
        ("src/net/mod.rs", "crate::net"),
        ("src/net/tcp.rs", "crate::net::tcp"),
        ("src/main.rs", "crate::main"),  # beside lib.rs
        ("src/bin/tool.rs", "crate::bin::tool"),
        ("build.rs", "crate::build"),
        ("tests/api.rs", "crate::tests::api"),
        ("tests/common/mod.rs", "crate::tests::common"),
        ("my-util/src/lib.rs", "my_util"),
        ("my-util/src/main.rs", "my_util"),
        ("my-util/src/codec/framed.rs", "my_util::codec::framed"),
        ("my-util/examples/chat/main.rs", "my_util::examples::chat"),
    ],
)
def test_modules_follow_files_and_crates_their_folders(path: str, module: str) -> None:
    layout = ("Cargo.toml", "src/lib.rs", "my-util/Cargo.toml")
    assert said("", path, layout).facts.module == module


def test_without_a_manifest_the_folder_above_src_is_the_crate() -> None:
    assert said("", "engine/src/a.rs", ()).facts.module == "engine::a"


def test_docs_and_attributes_belong_to_what_stands_below_them() -> None:
    file = said("""\
        //! The queue.
        //!
        //! More.
        #![allow(dead_code)]

        /// A queue
        /// of items.
        #[derive(Debug, serde::Serialize)]
        #[repr(C)]
        // not for users
        pub struct Queue;

        /** Pushes. */ #[inline] fn push() {}

        mod inner {
            //! Inside.

            fn f() {}
        }
        """)
    queue = file.symbol("Queue")
    assert file.facts.symbols[0].doc == "The queue.\n\nMore."
    assert queue.doc == "A queue\nof items.\nnot for users"
    assert queue.decorators == ("Debug", "serde.Serialize", "repr")
    assert queue.span[:2] == (8, 11)
    assert queue.line == 11
    assert file.symbol("push").decorators == ("inline",)
    assert file.symbol("inner").doc == "Inside."
    assert file.symbol("inner::f").doc == ""
    assert file.bases() == [("Queue", "implements", "serde.Serialize")]


def test_signatures_are_heads_on_one_line() -> None:
    file = said("""
        pub async fn push<T>(
            &self,
            item: T,
        ) -> Result<(), Full>
        where
            T: Item,
        {
        }
        pub struct Queue<T> where T: Item { items: Vec<T> }
        struct Tuple(pub i32, String);
        trait Store: Send { fn get(&self, key: &str) -> Option<i32>; }
        const MAX: usize = 10;
        macro_rules! shout { () => {} }
        """)
    assert file.symbol("push").signature == (
        "pub async fn push<T>( &self, item: T, ) -> Result<(), Full> where T: Item,"
    )
    assert file.symbol("Queue").signature == "pub struct Queue<T> where T: Item"
    assert file.symbol("Tuple").signature == "struct Tuple(pub i32, String)"
    assert file.symbol("Store").signature == "trait Store: Send"
    assert file.symbol("Store::get").signature == "fn get(&self, key: &str) -> Option<i32>"
    assert file.symbol("MAX").signature == "const MAX: usize = 10"
    assert file.symbol("shout").signature == "macro_rules! shout"


# --------------------------------------------------------------------------- types


def test_fields_and_variants() -> None:
    file = said("struct Q { a: Vec<T>, b: i32 }\nstruct P(i32, String);\nenum K { A, B(i32), C { x: Item } }\n")
    assert file.bindings("Q") == [("a", "Vec<T>", ""), ("b", "i32", "")]
    assert file.bindings("P") == [("0", "i32", ""), ("1", "String", "")]
    assert file.bindings("K") == [
        ("A", "K", ""), ("B", "K", ""), ("B.0", "i32", ""), ("C", "K", ""), ("C.x", "Item", ""),
    ]  # fmt: skip


def test_supertypes() -> None:
    file = said("""
        trait Store: Send + Base<T> { type Item: Clone; }
        impl io::Read for Queue { type Output = Vec<Item>; }
        impl<T: Store> Store for &T {}
        impl dyn Store { fn close(&self) {} }
        """)
    assert file.bases() == [
        ("Store", "extends", "Send"), ("Store", "extends", "Base"), ("Queue", "implements", "io.Read"),
        ("&T", "implements", "Store"),
    ]  # fmt: skip
    assert file.bindings("Store", "type") == [("Item", "Clone", "")]
    assert file.bindings("", "type") == [("Queue.Output", "Vec<Item>", "Vec")]
    assert file.parent("Store::close") == "Store"


def test_bounds_bind_type_parameters_and_are_no_uses_of_types_of_that_name() -> None:
    file = said("fn f<T: Store, U>(x: T) -> U where U: From<T> + 'static { x.into() }\n")
    assert file.bindings("f", "type") == [("T", "Store", ""), ("U", "", ""), ("U", "From<T> + 'static", "")]
    assert file.references("type") == ["Store", "From"]


# --------------------------------------------------------------------------- functions


def test_parameters_take_patterns_apart() -> None:
    file = said("fn f(a: i32, mut b: Vec<T>, (c, d): (X, Y), Point { x, y: z }: Point, _: u8) {}\n")
    assert file.bindings("f", "parameter") == [
        ("a", "i32", ""), ("b", "Vec<T>", ""), ("_2", "(X, Y)", ""), ("_3", "Point", ""), ("_4", "u8", ""),
    ]  # fmt: skip
    assert file.bindings("f", "variable") == [
        ("c", "", "_2[0]"), ("d", "", "_2[1]"), ("x", "", "Point.x"), ("z", "", "Point.y"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("body", "values"),
    [
        ("self.a", ["self.a"]),
        ("Ok(Queue::new()?)", ["Queue.new()"]),
        ("Some(Arc::new(Mutex::new(q)))", ["q"]),
        ("Err(Full)", []),
        ("if a { b } else { c.d() }", ["b", "c.d()"]),
        ("match x { A => b, _ => { g(); c } }", ["b", "c"]),
        ("return early; x", ["early", "x"]),
        ("unsafe { ptr.read() }", ["ptr.read()"]),
        ("g();", []),
        ("let x = 1;", []),
        ("Queue { items }", ["Queue()"]),
        ("|x| x + 1", ["%fn:2:0"]),
    ],
)
def test_values_given_back(body: str, values: list[str]) -> None:
    file = said("fn f() -> X {\n" + body + "\n}\n")
    assert file.returns("f") == [("type", "X"), *(("return", value) for value in values)]


def test_a_function_without_a_result_gives_nothing_back() -> None:
    assert said("fn f() { g() }").returns("f") == []


def test_closures_are_lambdas() -> None:
    file = in_function("xs.map(|x| x.run()).each(move |(i, y): (u8, Item)| -> u8 { y.go() })")
    assert list(file.symbols(lambdas=True)) == ["f", "f::<lambda:2:7>", "f::<lambda:2:25>"]
    assert file.returns("f::<lambda:2:7>") == [("return", "x.run()")]
    assert file.bindings("f::<lambda:2:25>") == [
        ("_0", "(u8, Item)", ""), ("i", "", "_0[0]"), ("y", "", "_0[1]"),
    ]  # fmt: skip
    assert file.references("call", "f::<lambda:2:25>") == ["y.go"]
    assert file.args("xs.map") == ("%fn:2:7",)


# --------------------------------------------------------------------------- names and values


@pytest.mark.parametrize(
    ("statement", "bound"),
    [
        ("let x = a.b()?.c().await;", [("x", "", "a.b().c()")]),
        ("let x: Foo<T> = Default::default();", [("x", "Foo<T>", "Default.default()")]),
        ("let x = &mut *q.items;", [("x", "", "q.items")]),
        ("let x = Vec::<i32>::new();", [("x", "", "Vec.new()")]),
        ("let x = parse::<i32>(s);", [("x", "", "parse()")]),
        ("let x = <Foo as Bar>::make();", [("x", "", "Foo.make()")]),
        ("let x = ::std::mem::align_of(y);", [("x", "", "std.mem.align_of()")]),
        ("let x = q.items[0].y;", [("x", "", "q.items[].y")]),
        ("let x = t.0;", [("x", "", "t.0")]),
        ("let (a, Some(b)) = f();", [("a", "", "f()[0]"), ("b", "", "f()[1]")]),
        ("let (a, b): (X, Y) = f();", [("a", "", "%type((X, Y))[0]"), ("b", "", "%type((X, Y))[1]")]),
        ("let Some(v) = opt else { return };", [("v", "", "opt")]),
        ("let Point { x, y: ref z, .. } = p;", [("x", "", "Point.x"), ("z", "", "Point.y")]),
        ("let [first, ..] = xs;", [("first", "", "xs[]")]),
        ("let v = if a { b } else { c };", [("v", "", "b"), ("v", "", "c")]),
        ("let v = vec![1];", [("v", "", "%list")]),
        ("let t = (run, 1);", [("t", "", "%tuple:2:8"), ("%tuple:2:8[0]", "", "run")]),
        ("let r#type = 1;", [("type", "", "%num")]),
        ("if let Some(w) = q.pop() {}", [("w", "", "q.pop()")]),
        ("while let Ok(m) = rx.recv() {}", [("m", "", "rx.recv()")]),
        ("if let Err(e) = go() {}", [("e", "", "")]),
        ("match k { Kind::B(n, _) => 1, MAX => 2, e @ Kind::A => 3, _ => 4 };", [
            ("n", "", "Kind.B.0"), ("e", "", "k"),
        ]),
        ("match (a, b) { (Some(x), None) => 1, (_, y) => 2 };", [
            ("x", "", "%tuple:2:6[0]"), ("y", "", "%tuple:2:6[1]"),
            ("%tuple:2:6[0]", "", "a"), ("%tuple:2:6[1]", "", "b"),
        ]),
        ("for x in q.items {}", [("x", "", "q.items")]),
        ("for (k, v) in map {}", [("k", "", "map[*][0]"), ("v", "", "map[*][1]")]),
        ("a.x = run;", [("a.x", "", "run")]),
        ('table["k"] = run;', [('table["k"]', "", "run")]),
        ("x = 1;", []),
        ("x += y;", []),
    ],
)  # fmt: skip
def test_values_have_paths(statement: str, bound: list[tuple[str, str, str]]) -> None:
    assert sorted(in_function(statement).bindings("f")) == sorted(bound)


def test_an_assignment_that_always_runs_says_so() -> None:
    file = in_function("let x = a();\nif y {\n    let x = b();\n}\nlet x =\n    c();")
    assert [(b.value, b.line, b.sure) for b in file.facts.bindings] == [("a()", 2, 2), ("b()", 4, 0), ("c()", 6, 7)]


# --------------------------------------------------------------------------- uses


@pytest.mark.parametrize(
    ("statement", "calls"),
    [
        ("self.items[0].run(x);", ["self.items[].run"]),
        ("Queue::new(1).push(2);", ["Queue.new().push", "Queue.new"]),
        ("crate::a::run();", ["crate.a.run"]),
        ("(q.handler)(1);", ["q.handler"]),
        ("Some(go());", ["go"]),
        ("println!(\"{}\", q.len());", ["println!", "q.len"]),
        ("assert_eq!(Foo::new(a(1))?, self.b().c(), \"f(x)\");", [
            "assert_eq!", "Foo.new", "a", "self.b", "self.b().c",
        ]),
        ("tokio::select! { x = q.recv() => go(x) };", ["tokio.select!", "q.recv", "go"]),
    ],
)  # fmt: skip
def test_calls_have_paths(statement: str, calls: list[str]) -> None:
    assert in_function(statement).references("call") == calls


def test_a_macros_own_tokens_are_no_calls() -> None:
    file = said("macro_rules! m { ($x:expr, $f:ident) => { $f(1); $x.go(); fn inner(a: u8) {} $crate::run($x) } }\n")
    assert file.references("call") == ["crate.run"]


def test_constructions_tell_what_goes_into_which_field() -> None:
    file = in_function(
        "use_it(Queue { items, size: 3, run: go, ..base });\nlet k = Kind::C { x: y };\nSelf { a: b() };"
    )
    assert file.references("new") == ["Queue", "Kind.C", "Self"]
    assert file.args("Queue") == ("items=items", "run=go", "*base")
    assert file.args("use_it") == ("Queue()",)
    assert file.args("Self") == ("a=b()",)


def test_reads_are_told_once() -> None:
    file = in_function("let x = self.a.b;\nif n > MAX { g(Kind::A) }\nmatch k { Kind::B(_) => 1, LIMIT => 2, _ => 3 };")
    assert file.references("read") == ["self.a.b", "Kind.A", "Kind.B"]
    assert file.references("access") == ["n", "MAX", "k", "LIMIT"]
    assert file.args("g") == ("Kind.A",)


def test_types_in_signatures_belong_to_the_function() -> None:
    file = said("fn f(a: &HashMap<u8, Item>) -> io::Result<Out> { g() }\nimpl Show for Item {}\n")
    assert file.references("type", "f") == ["HashMap", "Item", "io.Result", "Out"]
    assert file.references("type", "") == []


# --------------------------------------------------------------------------- modules


def test_use_trees_are_flat_rows() -> None:
    file = said("""
        use std::collections::{HashMap, hash_map::{self, Entry as E}};
        use crate::a::*;
        pub use self::b::C as D;
        pub(crate) use super::x;
        pub use inner::*;
        use foo;
        extern crate serde as s;
        mod m { use super::*; }
        """)
    assert file.imports() == [
        ("HashMap", "std::collections", "HashMap"), ("hash_map", "std::collections", "hash_map"),
        ("E", "std::collections::hash_map", "Entry"), ("*", "crate::a", "*"), ("D", "self::b", "C"),
        ("x", "super", "x"), ("*", "inner", "*"), ("foo", "foo", ""), ("s", "serde", ""), ("*", "super", "*"),
    ]  # fmt: skip
    assert [e[:3] for e in file.facts.exports] == [("D", "C", "self::b"), ("x", "x", "super"), ("*", "*", "inner")]
    assert [file.scope(i.scope) for i in file.facts.imports][-1] == "m"
    assert file.references("read") == []


@pytest.mark.parametrize(
    ("path", "child", "module"),
    [
        ("src/lib.rs", "src/net.rs", "crate::net"),
        ("src/lib.rs", "src/net/mod.rs", "crate::net"),
        ("src/a.rs", "src/a/net.rs", "crate::a::net"),
        ("src/a/mod.rs", "src/a/net.rs", "crate::a::net"),
        ("tests/api.rs", "tests/net/mod.rs", "crate::tests::net"),
    ],
)
def test_a_mod_line_names_the_module_of_the_file_it_means(path: str, child: str, module: str) -> None:
    assert said("mod net;", path, ("Cargo.toml", child)).imports() == [("net", module, "")]


# --------------------------------------------------------------------------- macros around definitions


def test_macros_that_wrap_definitions_are_looked_into() -> None:
    file = said("""
        cfg_rt! {
            /// Spawns.
            pub fn spawn() { run() }
            cfg_time! {
                pub mod time { pub struct Sleep; }
            }
        }
        impl Handle {
            cfg_io! { pub fn read(&self) {} }
        }
        flags! { struct Bits: u32 { const A = 1; } }
        fn last() {}
        """)
    assert list(file.symbols()) == ["spawn", "time", "time::Sleep", "Handle::read", "last"]
    assert file.symbol("spawn").doc == "Spawns."
    assert file.symbol("spawn").line == 4
    assert file.references("call") == ["run", "flags!"]
    assert file.facts.errors == 0


# --------------------------------------------------------------------------- depth


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("(", ")"), ("f(", ")"), ("{ ", " }"), ("|x| ", ""), ("Some(", ")"), ("Box::new(", ")"), ("if x { ", " }"),
        ("match x { _ => ", " }"), ("&", ""), ("*", ""), ("a?.b().", "c()"), ("T { a: ", " }"), ("[", "]"),
        ("m!(", ")"), ("fn a() { ", " }"), ("impl T { fn f() { ", " } }"),
    ],
)  # fmt: skip
def test_deep_expressions_are_read_without_recursion(opening: str, closing: str) -> None:
    file = said(f"fn f() -> X {{ let y = {opening * 1500}x{closing * 1500}; y }}\nfn last() {{}}\n")
    assert {"f", "last"} & set(file.symbols())
