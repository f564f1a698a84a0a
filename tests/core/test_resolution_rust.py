"""What names mean in Rust."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.resolved import Resolved


def rust(root: Path, files: Mapping[str, str]) -> Resolved:
    return Resolved({"Cargo.toml": '[package]\nname = "shop"\n', **files}, root)


# --------------------------------------------------------------------------- modules


def test_use_trees_renames_globs_and_reexports(tmp_path: Path) -> None:
    made = rust(tmp_path, {
        "src/lib.rs": "pub mod money;\nmod cart;\npub use money::{round, Price as Cost};\nuse money::tax::*;\n"
        "pub fn run() { round(); rate(); Cost::free(); crate::cart::add(); self::cart::add(); }\n",
        "src/money/mod.rs": "pub mod tax;\npub fn round() {}\npub struct Price;\nimpl Price { pub fn free() {} }\n",
        "src/money/tax.rs": "pub fn rate() { super::round(); super::super::run(); }\n",
        "src/cart.rs": "use crate::{round, Cost};\nuse super::money::tax as t;\n"
        "pub fn add() { round(); Cost::free(); t::rate(); }\n",
    })  # fmt: skip
    assert made.callees("lib.rs:run", 0.9) == ["cart.rs:add", "mod.rs:Price::free", "mod.rs:round", "tax.rs:rate"]
    assert made.callees("tax.rs:rate", 0.9) == ["lib.rs:run", "mod.rs:round"]
    assert made.callees("cart.rs:add", 0.9) == ["mod.rs:Price::free", "mod.rs:round", "tax.rs:rate"]


def test_inline_modules_and_tests(tmp_path: Path) -> None:
    made = rust(tmp_path, {"src/lib.rs": """
        fn helper() {}
        mod inner { pub fn go() { super::helper(); } pub mod deep { pub fn down() {} } }
        pub fn run() { inner::go(); inner::deep::down(); }
        #[cfg(test)]
        mod tests { use super::*; #[test] fn works() { helper(); run(); } }
        """})  # fmt: skip
    assert made.callees("lib.rs:inner::go") == ["lib.rs:helper"]
    assert made.callees("lib.rs:run") == ["lib.rs:inner::deep::down", "lib.rs:inner::go"]
    assert made.callees("lib.rs:tests::works") == ["lib.rs:helper", "lib.rs:run"]


def test_crates_of_a_workspace_by_package_name(tmp_path: Path) -> None:
    made = Resolved({
        "core-lib/Cargo.toml": '[package]\nname = "shop-core"\n[dependencies]\nrand = "1"\n',
        "core-lib/src/lib.rs": "pub mod stock;\npub use stock::take;\npub fn roll() { rand::random(); }\n",
        "core-lib/src/stock.rs": "pub fn take() {}\n",
        "app/Cargo.toml": '[package]\nname = "app"\n',
        "app/src/main.rs": "use shop_core::stock;\nfn main() { stock::take(); shop_core::take(); }\n",
        "app/tests/it.rs": "#[test]\nfn t() { shop_core::take(); }\n",
    }, tmp_path)  # fmt: skip
    assert made.callees("main.rs:main", 0.9) == ["stock.rs:take"]
    assert made.callees("it.rs:t", 0.9) == ["stock.rs:take"]
    assert "rand.random" in made.outside()


def test_binaries_and_tests_have_a_root_of_their_own(tmp_path: Path) -> None:
    made = rust(tmp_path, {
        "src/lib.rs": "pub mod config;\n",
        "src/config.rs": "pub fn load() {}\npub mod tests { pub fn check() { crate::config::load(); } }\n",
        "src/bin/shop/main.rs": "mod app;\nmod config;\npub fn version() {}\n"
        "fn main() { crate::app::start(); shop::config::load(); }\n",
        "src/bin/shop/app.rs": "use crate::{config::{read, write}, version};\n"
        "pub fn start() { read(); write(); version(); }\n",
        "src/bin/shop/config.rs": "pub fn read() {}\npub fn write() {}\n",
        "src/bin/one.rs": "mod helper;\nfn run() { crate::helper::help(); crate::own(); }\nfn own() {}\n",
        "src/bin/helper.rs": "pub fn help() {}\n",
        "tests/api.rs": "fn made() {}\n#[test]\nfn t() { crate::made(); shop::config::load(); }\n",
    })  # fmt: skip
    assert made.callees("app.rs:start", 0.9) == ["config.rs:read", "config.rs:write", "main.rs:version"]
    assert made.callees("main.rs:main", 0.9) == ["app.rs:start", "config.rs:load"]
    assert made.callees("one.rs:run", 0.9) == ["helper.rs:help", "one.rs:own"]
    assert made.callees("api.rs:t", 0.9) == ["api.rs:made", "config.rs:load"]
    assert made.callees("config.rs:tests::check", 0.9) == ["config.rs:load"]


def test_a_program_in_a_folder_of_its_own_has_a_root_of_its_own(tmp_path: Path) -> None:
    made = rust(tmp_path, {
        "Cargo.toml": '[package]\nname = "shop"\n[[bin]]\nname = "shop"\npath = "src/cli/main.rs"\n',
        "src/lib.rs": "pub mod output;\n",
        "src/output.rs": "pub fn show() {}\n",
        "src/cli/main.rs": "mod output;\nmod run;\nfn main() { run::go(); }\n",
        "src/cli/output.rs": "pub fn print() { shop::output::show(); }\n",
        "src/cli/run.rs": "use crate::output::print;\npub fn go() { print(); }\n",
    })  # fmt: skip
    assert made.callees("run.rs:go", 0.9) == ["output.rs:print"]
    assert made.callees("output.rs:print", 0.9) == ["output.rs:show"]


def test_a_module_is_not_hidden_by_a_variable(tmp_path: Path) -> None:
    made = rust(tmp_path, {
        "src/lib.rs": "mod clock;\nuse clock::Clock;\nfn run() { let clock = clock::now(); clock.tick(); }\n"
        "fn again(clock: Clock) { clock::now(); clock.tick(); }\n",
        "src/clock.rs": "pub struct Clock;\nimpl Clock { pub fn tick(&self) {} }\npub fn now() -> Clock { Clock }\n",
    })  # fmt: skip
    for name in ("run", "again"):
        assert made.callees(f"lib.rs:{name}") == ["clock.rs:Clock::tick", "clock.rs:now"], name


def test_a_variable_with_the_name_of_a_module_reads_fields(tmp_path: Path) -> None:
    made = rust(tmp_path, {
        "src/lib.rs": "mod clock;\nuse clock::Clock;\nfn run(clock: Clock) -> u8 { clock.hour }\n",
        "src/clock.rs": "pub struct Clock { pub hour: u8 }\n",
    })  # fmt: skip
    assert ("lib.rs:run", "clock.rs:Clock::hour") in made.pairs("USES")


def test_macros_by_name(tmp_path: Path) -> None:
    made = rust(tmp_path, {
        "src/macros.rs": "macro_rules! ready { ($e:expr) => { $e } }\n",
        "src/lib.rs": '#[macro_use]\nmod macros;\nfn run() { ready!(1); println!("x"); }\n',
    })  # fmt: skip
    assert made.callees("lib.rs:run") == ["macros.rs:ready"]


# --------------------------------------------------------------------------- methods

SHAPES = """
    pub trait Shape {
        fn area(&self) -> u32;
        fn twice(&self) -> u32 { self.area() * 2 }
        fn make() -> Self where Self: Sized;
    }
    pub struct Square { side: u32 }
    impl Square { pub fn new(side: u32) -> Self { Self { side } } fn area_of(&self) -> u32 { self.side } }
    impl Shape for Square { fn area(&self) -> u32 { self.area_of() } fn make() -> Self { Square::new(1) } }
    pub struct Circle;
    impl Shape for Circle { fn area(&self) -> u32 { 3 } fn make() -> Self { Circle } }
    fn exact() { let s = Square::new(2); s.area(); s.twice(); }
    fn bound<T: Shape>(x: &T) { x.area(); }
    fn clause<T>(x: T) where T: Shape { x.area(); }
    fn dynamic(xs: Vec<Box<dyn Shape>>) { for x in xs.iter() { x.area(); } }
    fn opaque(x: impl Shape) { x.area(); }
    """


def test_inherent_and_trait_methods(tmp_path: Path) -> None:
    made = rust(tmp_path, {"src/lib.rs": SHAPES})
    assert made.callees("lib.rs:exact") == ["lib.rs:Shape::twice", "lib.rs:Square::area", "lib.rs:Square::new"]
    assert made.callees("lib.rs:Square::area") == ["lib.rs:Square::area_of"]
    assert made.pairs("IMPLEMENTS") == {("lib.rs:Square", "lib.rs:Shape"), ("lib.rs:Circle", "lib.rs:Shape")}
    assert ("lib.rs:Circle::area", "lib.rs:Shape::area") in made.pairs("OVERRIDES")


LISTENING = """
    pub trait Listen { fn poll(&mut self) -> u32; fn addr(&self) -> u32; }
    pub trait Named { fn addr(&self) -> u32; }
    impl Listen for Tcp { fn poll(&mut self) -> u32 { Self::poll(self) } fn addr(&self) -> u32 { 2 } }
    impl Named for Tcp { fn addr(&self) -> u32 { 3 } }
    fn direct(t: Tcp) { t.poll(); }
    fn bound<T: Listen>(mut t: T) { t.poll(); }
    fn named(t: &dyn Named) { t.addr(); }
    """


@pytest.mark.parametrize("apart", [False, True])
def test_a_types_own_method_stands_before_those_of_traits(tmp_path: Path, apart: bool) -> None:
    own = "pub struct Tcp { n: u32 }\nimpl Tcp { pub fn poll(&self) -> u32 { 1 } }\n"
    files = {"src/lib.rs": "mod tcp;\nuse crate::tcp::Tcp;\n" + LISTENING, "src/tcp.rs": own}
    made = rust(tmp_path, files if apart else {"src/lib.rs": own + LISTENING})
    poll = "tcp.rs:Tcp::poll" if apart else "lib.rs:Tcp::poll"
    of_listen, of_named = "lib.rs:Tcp::poll" + "#2" * (not apart), "lib.rs:Tcp::addr#2"
    assert made.callees("lib.rs:direct") == [poll]
    assert made.callees(of_listen) == [poll]
    assert made.callees("lib.rs:bound") == sorted(["lib.rs:Listen::poll", of_listen])
    assert made.callees("lib.rs:named") == ["lib.rs:Named::addr", of_named]
    assert made.pairs("OVERRIDES") == {
        (of_listen, "lib.rs:Listen::poll"), ("lib.rs:Tcp::addr", "lib.rs:Listen::addr"),
        (of_named, "lib.rs:Named::addr"),
    }  # fmt: skip


def test_methods_join_the_type_that_is_named_with_its_module(tmp_path: Path) -> None:
    made = rust(tmp_path, {
        "src/lib.rs": "mod chan; mod bounded; mod unbounded;",
        "src/bounded.rs": "pub struct Sem { n: u32 }\nfn f(s: Sem) { use crate::chan::Sem as _; s.idle(); }",
        "src/unbounded.rs": "pub struct Sem(u32);",
        "src/chan.rs": """
            use crate::{bounded, unbounded};
            pub trait Sem { fn idle(&self) -> bool; }
            impl Sem for bounded::Sem { fn idle(&self) -> bool { true } }
            impl Sem for unbounded::Sem { fn idle(&self) -> bool { true } }
            mod inner { pub struct In; }
            impl inner::In { fn go(&self) {} }
            fn g(x: inner::In) { x.go(); }""",
    })  # fmt: skip
    assert made.callees("bounded.rs:f") == ["chan.rs:Sem::idle#2"]
    assert made.callees("chan.rs:g") == ["chan.rs:inner::In::go"]


def test_a_field_is_what_its_type_parameter_stands_for(tmp_path: Path) -> None:
    made = rust(tmp_path, {"src/lib.rs": """
        trait Kill { fn kill(&self); }
        struct Guard<T: Kill> { inner: T }
        struct Child; struct Mock;
        impl Kill for Child { fn kill(&self) {} }
        impl Kill for Mock { fn kill(&self) {} }
        fn known(g: Guard<Child>) { g.inner.kill(); }
        fn open<T: Kill>(g: Guard<T>) { g.inner.kill(); }
        impl<T: Kill> Guard<T> { fn get(&self) -> &T { &self.inner } }
        fn given(g: &Guard<Child>) { g.get().kill(); }
        fn made() { let g = Guard { inner: Mock }; g.get().kill(); }
        """})  # fmt: skip
    assert made.callees("lib.rs:known") == ["lib.rs:Child::kill"]
    assert made.callees("lib.rs:given") == ["lib.rs:Child::kill", "lib.rs:Guard::get"]
    assert "lib.rs:Mock::kill" in made.callees("lib.rs:made")
    assert made.callees("lib.rs:open") == ["lib.rs:Child::kill", "lib.rs:Kill::kill", "lib.rs:Mock::kill"]


def test_a_result_of_an_outside_type_is_none_of_ours(tmp_path: Path) -> None:
    made = rust(tmp_path, {"src/lib.rs": """
        use std::process::Child as StdChild;
        trait Wait { fn try_wait(&self); }
        struct Mock; impl Wait for Mock { fn try_wait(&self) {} }
        struct Reaper<W: Wait> { inner: W }
        impl<W: Wait> Reaper<W> { fn inner_mut(&mut self) -> &mut W { &mut self.inner } }
        struct Own { reaper: Reaper<StdChild> }
        impl Own {
            fn std_child(&mut self) -> &mut StdChild { self.reaper.inner_mut() }
            fn wait(&mut self) { self.std_child().try_wait() }
            fn boxed(&self) -> Box<dyn Wait> { Box::new(Mock) }
            fn given(&self) { self.boxed().try_wait() }
        }
        """})  # fmt: skip
    assert made.callees("lib.rs:Own::wait") == ["lib.rs:Own::std_child"]
    assert "lib.rs:Mock::try_wait" in made.callees("lib.rs:Own::given")


def test_modules_whose_file_an_attribute_names(tmp_path: Path) -> None:
    made = rust(tmp_path, {
        "src/process/mod.rs": """
            #[path = "unix/mod.rs"]
            #[cfg(unix)]
            mod imp;
            #[path = "../windows.rs"]
            #[cfg(windows)]
            mod imp;
            #[path = "nowhere.rs"]
            mod gone;
            fn build_child() { imp::build_child(); gone::go(); }""",
        "src/process/unix/mod.rs": "pub fn build_child() {}", "src/windows.rs": "pub fn build_child() {}",
        "src/lib.rs": "mod process;", "src/imp.rs": "pub fn build_child() {}",
    })  # fmt: skip
    reached = {made.symbols[e.target].path for e in made.edges() if e.source.endswith("::build_child")}
    assert reached == {"src/process/unix/mod.rs", "src/windows.rs"}


def test_chains_in_the_tokens_of_a_macro(tmp_path: Path) -> None:
    made = rust(tmp_path, {"src/lib.rs": """
        pub enum Kind { Yes, No }
        pub struct Hue { pub width: u32 }
        impl Hue {
            pub fn from(x: f64) -> Hue { Hue { width: 1 } }
            pub fn to(&self, x: f64) -> Hue { Hue::from(x) }
            pub fn value(&self) -> f64 { 1.0 }
        }
        fn width() {}
        fn one() { assert_eq!(1.0, Hue::from(2.0).to(half(3.0)).value()); }
        fn two(h: &Hue) { println!("{} {}", matches!(pick(), Kind::Yes), h
            .width); }
        fn half(x: f64) -> f64 { x }
        macro_rules! pick { ($name:ident) => { Kind::$name } }
        const MOST: u8 = 3;
        fn most() { assert_eq!(MOST, (1, 2).0); }
        """})  # fmt: skip
    assert {("lib.rs:pick", "lib.rs:Kind"), ("lib.rs:most", "lib.rs:MOST")} <= made.pairs("USES")
    assert made.callees("lib.rs:one") == ["lib.rs:Hue::from", "lib.rs:Hue::to", "lib.rs:Hue::value", "lib.rs:half"]
    used = {target: sites for source, target, sites in (
        (made.short(e.source), made.short(e.target), [s.line for s in e.sites]) for e in made.edges("USES")
    ) if source == "lib.rs:two"}  # fmt: skip
    assert set(used) == {"lib.rs:Hue", "lib.rs:Hue::width", "lib.rs:Kind", "lib.rs:Kind::Yes"}
    assert used["lib.rs:Hue::width"] == [used["lib.rs:Kind::Yes"][0] + 1]


def test_macros_that_take_a_call_apart_do_not_make_it(tmp_path: Path) -> None:
    made = rust(tmp_path, {"src/lib.rs": """
        macro_rules! delegate {
            ($self:ident.$method:ident($($args:ident),+)) => { match $self { E::A(a) => a.$method($($args),+) } }
        }
        macro_rules! check { ($e:expr) => { $e } }
        enum E { A(u32) }
        impl E {
            fn poll(&self, n: u32) { delegate!(self.poll(n)) }
            fn two(&self) { check!(self.poll(3)); }
        }
        """})  # fmt: skip
    assert made.callees("lib.rs:E::poll") == ["lib.rs:delegate"]
    assert made.callees("lib.rs:E::two") == ["lib.rs:E::poll", "lib.rs:check"]


def test_bounds_and_trait_objects_reach_every_impl(tmp_path: Path) -> None:
    made = rust(tmp_path, {"src/lib.rs": SHAPES})
    everywhere = ["lib.rs:Circle::area", "lib.rs:Shape::area", "lib.rs:Square::area"]
    for name in ("bound", "clause", "dynamic", "opaque", "Shape::twice"):
        assert made.callees(f"lib.rs:{name}") == everywhere, name
    assert made.rule("lib.rs:bound", "lib.rs:Circle::area") == "override"


def test_wrappers_give_what_they_wrap(tmp_path: Path) -> None:
    made = rust(tmp_path, {"src/lib.rs": """
        use std::sync::{Arc, Mutex};
        use std::collections::HashMap;
        pub struct Job { next: Option<Box<Job>> }
        impl Job { fn run(&self) {} fn parse(s: &str) -> Result<Job, String> { Ok(Job { next: None }) } }
        struct Pool { jobs: HashMap<String, Arc<Job>>, shared: Arc<Mutex<Job>> }
        impl Pool {
            fn get(&self) { if let Some(job) = self.jobs.get("a") { job.run(); } }
            fn locked(&self) { self.shared.lock().unwrap().run(); }
        }
        fn question() -> Result<(), String> { let job = Job::parse("x")?; job.run(); Ok(()) }
        fn chained(job: Job) { job.next.as_ref().unwrap().run(); }
        fn closure(job: Option<Job>) { job.map(|j| j.run()); }
        fn cloned(job: Arc<Job>) { let other = Arc::clone(&job); other.clone().run(); }
        """})  # fmt: skip
    for name in ("Pool::get", "Pool::locked", "chained", "closure", "cloned"):
        assert made.callees(f"lib.rs:{name}") == ["lib.rs:Job::run"], name
    assert made.callees("lib.rs:question") == ["lib.rs:Job::parse", "lib.rs:Job::run"]


def test_enums_their_variants_and_patterns(tmp_path: Path) -> None:
    made = rust(tmp_path, {"src/lib.rs": """
        struct Email; impl Email { fn send(&self) {} }
        struct Sms; impl Sms { fn text(&self) {} }
        enum Task { Mail(Email), Phone { sms: Sms }, Idle }
        impl Task {
            fn run(&self) {
                match self { Task::Mail(m) => m.send(), Task::Phone { sms } => sms.text(), Task::Idle => {} }
            }
        }
        fn make() { Task::Mail(Email).run(); let t = Task::Idle; t.run(); }
        """})  # fmt: skip
    assert made.callees("lib.rs:Task::run") == ["lib.rs:Email::send", "lib.rs:Sms::text"]
    assert made.callees("lib.rs:make") == ["lib.rs:Task::run"]


def test_methods_named_through_their_type_take_the_receiver_first(tmp_path: Path) -> None:
    made = rust(tmp_path, {"src/lib.rs": """
        struct Tool; impl Tool { fn apply(&self, f: fn()) { f() } }
        fn act() {}
        fn run(tool: &Tool) { Tool::apply(tool, act); }
        """})  # fmt: skip
    assert made.callees("lib.rs:run") == ["lib.rs:Tool::apply"]
    assert made.callees("lib.rs:Tool::apply") == ["lib.rs:act"]


WORKSPACE = {
    "Cargo.toml": '[workspace]\nmembers = ["core", "app"]\n',
    "core/Cargo.toml": '[package]\nname = "my-core"\n',
    "core/src/lib.rs": "mod shapes;\npub mod util;\npub use shapes::{Shape as Figure, Square};\n"
    "pub use self::util::*;\n",
    "core/src/shapes.rs": """
        pub trait Shape { fn area(&self) -> u32; }
        pub struct Square;
        impl Shape for Square { fn area(&self) -> u32 { 1 } }
        """,
    "core/src/util.rs": "pub fn helper() {}\npub mod deep { pub fn down() { super::helper(); } }",
    "app/Cargo.toml": '[package]\nname = "app"\n[dependencies]\nold = { package = "my-core", path = "../core" }\n',
    "app/src/main.rs": """
        use my_core::{helper, util::deep, Figure, Square};
        fn names() { helper(); deep::down(); old::helper(); }
        fn types(s: Square, f: &dyn Figure) { s.area(); f.area(); }
        """,
}


@pytest.mark.parametrize("star", ["self::util::*", "crate::util::*", "util::*"])
def test_crates_of_a_workspace_whatever_their_folders_are_called(tmp_path: Path, star: str) -> None:
    library = WORKSPACE["core/src/lib.rs"].replace("self::util::*", star)
    made = rust(tmp_path, {**WORKSPACE, "core/src/lib.rs": library})
    assert made.callees("main.rs:names") == ["util.rs:deep::down", "util.rs:helper"]
    assert made.callees("main.rs:types") == ["shapes.rs:Shape::area", "shapes.rs:Square::area"]
    assert not {name for name in made.outside() if name.startswith(("shapes", "core"))}


def test_self_as_a_declared_type(tmp_path: Path) -> None:
    made = rust(tmp_path, {"src/lib.rs": """
        pub struct Job;
        impl Job { fn run(&self) {} fn find() -> Option<Self> { todo!() } fn all() -> Vec<Self> { todo!() } }
        fn one() { Job::find().unwrap().run(); }
        fn each() { for job in Job::all() { job.run(); } }
        fn through() { Job::find().map(|job| job).unwrap().run(); }
        """})  # fmt: skip
    assert made.callees("lib.rs:one") == ["lib.rs:Job::find", "lib.rs:Job::run"]
    assert made.callees("lib.rs:each") == ["lib.rs:Job::all", "lib.rs:Job::run"]
    assert made.callees("lib.rs:through") == ["lib.rs:Job::find", "lib.rs:Job::run"]


def test_what_a_type_derefs_to_gives_what_it_lacks(tmp_path: Path) -> None:
    made = rust(tmp_path, {"src/lib.rs": """
        use std::ops::Deref;
        struct Inner; impl Inner { fn work(&self) {} fn own(&self) {} }
        struct Outer { inner: Inner } impl Outer { fn own(&self) {} }
        impl Deref for Outer { type Target = Inner; fn deref(&self) -> &Self::Target { &self.inner } }
        fn f(o: Outer) { o.work(); o.own(); }
        """})  # fmt: skip
    assert made.callees("lib.rs:f") == ["lib.rs:Inner::work", "lib.rs:Outer::own"]


def test_types_that_an_implementation_of_an_outside_trait_gives(tmp_path: Path) -> None:
    made = rust(tmp_path, {"src/lib.rs": """
        use outside::Widget;
        trait Part { type State; fn part(&self, state: &Self::State); }
        struct State; impl State { fn first(&self) {} fn second(&self) {} fn third(&self) {} }
        struct Table;
        impl Widget for Table { type State = State; fn draw(&self, state: &mut Self::State) { state.first(); } }
        struct Row;
        impl Part for Row { type State = State; fn part(&self, state: &Self::State) { state.second(); } }
        fn any<W: Widget>(state: &W::State) { state.third(); }
        """})  # fmt: skip
    assert made.callees("lib.rs:Table::draw") == ["lib.rs:State::first"]
    assert made.callees("lib.rs:Row::part") == ["lib.rs:State::second"]
    assert not [name for name in made.outside() if name.endswith("third")]


def test_traits_for_all_types_of_another_trait(tmp_path: Path) -> None:
    made = rust(tmp_path, {"src/lib.rs": """
        trait Read { fn poll(&self); }
        trait ReadExt: Read { fn all(&self) { self.poll(); } }
        impl<R: Read + ?Sized> ReadExt for R {}
        trait Show { fn show(&self); }
        impl<T> Show for T where T: Read { fn show(&self) { self.poll(); } }
        struct File; impl Read for File { fn poll(&self) {} }
        fn f(file: File) { file.all(); file.show(); }
        """})  # fmt: skip
    assert "lib.rs:ReadExt::all" in made.callees("lib.rs:f")
    assert "lib.rs:Read::show" in made.callees("lib.rs:f")
    assert "lib.rs:File::poll" in made.callees("lib.rs:Read::show")


# --------------------------------------------------------------------------- macros, modules and functions of one name


def test_macros_of_one_name_belong_to_their_crates(tmp_path: Path) -> None:
    macro = "macro_rules! check { ($x:expr) => { NAME($x) } }\nfn NAME(x: u8) {}\n"
    graph = Resolved(
        {
            "a/Cargo.toml": "[package]\nname = 'a'",
            "a/src/lib.rs": "#[macro_export]\n"
            + macro.replace("NAME", "one")
            + "pub fn of_a() { check!(1); }\nmod inner;",
            "a/src/inner.rs": macro.replace("NAME", "inner_one") + "pub fn of_inner() { check!(1); }",
            "b/Cargo.toml": "[package]\nname = 'b'",
            "b/src/lib.rs": macro.replace("NAME", "two") + "mod other;\npub fn of_b() { check!(1); }",
            "b/src/other.rs": "pub fn of_other() { check!(2); }\npub fn by_path() { a::check!(3); }",
            "c/Cargo.toml": "[package]\nname = 'c'",
            "c/src/lib.rs": "use a::check;\npub fn of_c() { check!(1); }",
        },
        tmp_path,
    )
    places = {edge.source.rpartition("::")[2]: edge.target for edge in graph.edges() if edge.target.endswith("check")}
    assert {caller: place.partition(":")[0] for caller, place in places.items()} == {
        "of_a": "a/src/lib.rs", "of_inner": "a/src/inner.rs", "of_b": "b/src/lib.rs", "of_other": "b/src/lib.rs",
        "by_path": "a/src/lib.rs", "of_c": "a/src/lib.rs",
    }  # fmt: skip


def test_what_only_keeps_a_closure_does_not_call_it() -> None:
    graph = Resolved({"src/lib.rs": """
        fn kept() -> Box<dyn Fn()> { Box::new(|| { step(); }) }
        fn called() { let f: Box<dyn Fn()> = Box::new(|| { step(); }); f(); }
        fn handed() { std::thread::spawn(|| { step(); }); }
        fn step() {}
        """})  # fmt: skip
    closures = {source: graph.rule(source, target) for source, target in graph.pairs() if "<lambda" in target}
    assert closures == {"lib.rs:called": "scope", "lib.rs:handed": "callback"}


def test_a_module_and_a_function_of_one_name() -> None:
    graph = Resolved(
        {
            "src/lib.rs": """
            mod join;
            mod select;
            pub use join::join;
            pub use select::*;
            fn test() { join(); crate::join::help(); select(); crate::select(); select::rest(); }
            """,
            "src/join.rs": "pub fn join() {}\npub fn help() {}",
            "src/select.rs": "pub fn select() {}\npub fn rest() {}",
            "src/other.rs": "use crate::join;\nuse crate::join::help;\nfn test() { join(); help(); join::help(); }",
        }
    )
    helped = ["join.rs:help", "join.rs:join"]
    assert graph.callees("lib.rs:test") == [*helped, "select.rs:rest", "select.rs:select"]
    assert graph.callees("other.rs:test") == helped


def test_arms_that_bind_one_name_are_told_apart() -> None:
    graph = Resolved({"src/lib.rs": """
        struct A; impl A { fn go(&self) {} }
        struct B; impl B { fn go(&self) {} }
        enum E { X(A), Y(B), Z }
        fn test(e: E) {
            match e {
                E::X(v) => v.go(),
                E::Y(v) => {
                    let f = || v.go();
                    f();
                }
                E::Z => {}
            }
        }
        fn both(e: E) { match e { E::X(v) => v.go(), E::Y(v) => v.go(), E::Z => {} } }
        """})  # fmt: skip
    lines = {graph.short(e.target): {site.line for site in e.sites} for e in graph.edges() if e.target.endswith("go")
             and graph.short(e.source) == "lib.rs:test"}  # fmt: skip
    assert lines == {"lib.rs:A::go": {7}, "lib.rs:B::go": {9}}
    assert graph.callees("lib.rs:both") == ["lib.rs:A::go", "lib.rs:B::go"]  # on one line both are possible


def test_a_module_in_a_file_passes_on_what_it_takes_by_a_star(tmp_path: Path) -> None:
    made = rust(tmp_path, {
        "src/lib.rs": "pub mod inner;\npub mod prelude { pub use super::inner::*; }",
        "src/inner.rs": "pub fn helper() {}",
        "src/other.rs": "fn test() { crate::prelude::helper(); }",
    })  # fmt: skip
    assert made.callees("other.rs:test") == ["inner.rs:helper"]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("fn run<T: Sound>(t: &T) { T::play(t); }", ["Bell::play", "Horn::play", "Sound::play"]),
        ("fn run<T>() -> T where T: Sound { T::make() }", ["Bell::make", "Horn::make", "Sound::make"]),
        ("fn run(t: &Bell) { Sound::play(t); }", ["Bell::play", "Horn::play", "Sound::play"]),
        ("fn run<T: Sound + Other>(t: &T) { <T as Sound>::play(t); }", ["Bell::play", "Horn::play", "Sound::play"]),
        ("fn run<T: Sound + Other>(t: &T) { <T as Other>::play(t); }", ["Bell::play#2", "Other::play"]),
        ("fn run() { <Bell as Sound>::make(); }", ["Bell::make"]),
        ("fn run() { <Bell as Other>::make(); }", ["Bell::make#2"]),
        ("fn run() { Horn::make(); Horn::note(); Bell::note(); }", ["Horn::make", "Horn::note", "Sound::note"]),
        ("fn run<T: Sound>(all: Vec<T>) { all.iter().for_each(T::play); }",
         ["Bell::play", "Horn::play", "Sound::play"]),
        ("fn run(t: impl Sound) { t.play(); }", ["Bell::play", "Horn::play", "Sound::play"]),
        ("struct W<T>(T); impl<T: Sound> W<T> { fn run() { T::note(); } }", ["Horn::note", "Sound::note"]),
        ("struct W<'a, T>(&'a T); impl<'a, S> W<'a, S> where S: Sound { fn run(&self) { self.0.play(); } }",
         ["Bell::play", "Horn::play", "Sound::play"]),
        ("struct W<T> { t: Vec<T> } impl<T: Sound> W<T> { fn run(&self) { self.t[0].play(); } }",
         ["Bell::play", "Horn::play", "Sound::play"]),
    ],
)  # fmt: skip
def test_a_path_through_a_bound_leads_to_the_implementations(tmp_path: Path, code: str, expected: list[str]) -> None:
    traits = """
        pub struct Bell;
        pub struct Horn;
        pub trait Sound { fn play(&self); fn make() -> Self where Self: Sized; fn note() {} }
        pub trait Other { fn make() -> u8; fn play(&self); }
        impl Sound for Bell { fn play(&self) {} fn make() -> Self { Bell } }
        impl Sound for Horn { fn play(&self) {} fn make() -> Self { Horn } fn note() {} }
        impl Other for Bell { fn make() -> u8 { 1 } fn play(&self) {} }
        """
    made = rust(tmp_path, {"src/lib.rs": traits + code})
    runner = "W::run" if "W::run" in {name.partition(":")[2] for name, _ in made.pairs()} else "run"
    assert made.callees(f"lib.rs:{runner}") == [f"lib.rs:{name}" for name in expected]


def test_of_several_impls_of_a_trait_with_arguments_none_is_certain(tmp_path: Path) -> None:
    made = rust(tmp_path, {"src/lib.rs": """
        struct A; struct B; struct Fault;
        impl From<A> for Fault { fn from(_: A) -> Fault { Fault } }
        impl From<B> for Fault { fn from(_: B) -> Fault { Fault } }
        fn known(a: A) { Fault::from(a); }
        fn unknown() { Fault::from(outside::thing()); }
        """})  # fmt: skip
    assert made.callees("lib.rs:known", 0.9) == ["lib.rs:Fault::from"]
    assert made.callees("lib.rs:unknown", 0.5) == ["lib.rs:Fault::from", "lib.rs:Fault::from#2"]
    assert made.callees("lib.rs:unknown", 0.6) == []


@pytest.mark.parametrize(
    ("code", "calls"),
    [
        ("let tell = || {}; tell();", False),
        ("{ let tell = || {}; tell(); } tell();", True),
        ("let tell = tell(); tell();", True),  # the value is still the function outside
        ("if let Some(tell) = slot { tell(); }", False),
        ("if let Some(tell) = slot { tell(); } else { tell(); }", True),
        ("while let Some(tell) = slot { tell(); }", False),
        ("let Some(tell) = slot else { return }; tell();", False),
        ("for tell in all { tell(); }", False),
        ("match slot { Some(tell) => tell(), None => {} }", False),
        ("match slot { Some(tell) if tell() => {}, _ => {} }", False),
        ("match slot { Some(tell) => tell(), None => tell() }", True),
        ("let (one, tell) = pair; tell(); let Pair { tell, .. } = made; tell();", False),
        ("let go = |tell: fn()| tell(); go(one);", False),
        ("let go = || tell(); go();", True),
    ],
)
def test_a_pattern_hides_a_function_from_its_binding_to_the_end_of_its_block(
    tmp_path: Path, code: str, calls: bool
) -> None:
    made = rust(tmp_path, {"src/lib.rs": f"fn tell() {{}}\nfn run() {{ {code} }}\n"})
    assert ("lib.rs:tell" in made.callees("lib.rs:run", 0.0)) is calls


def test_a_last_expression_may_be_a_local_that_hides_a_function(tmp_path: Path) -> None:
    made = rust(tmp_path, {"src/lib.rs": """
        struct K; impl K { fn go(&self) {} }
        fn make() -> K { K }
        fn read() -> impl Sized { let make = make(); make }
        fn run() { read().go(); }
        """})  # fmt: skip
    assert made.callees("lib.rs:run", 0.7) == ["lib.rs:K::go", "lib.rs:read"]


def test_methods_of_a_type_without_a_definition_are_found() -> None:
    graph = Resolved(
        {
            "Cargo.toml": '[package]\nname = "x"\n',
            "src/lib.rs": """
            mod ext;
            use ext::Cut;
            include!(concat!(env!("OUT_DIR"), "/kind.rs"));
            impl Kind {
                pub fn parse(self, text: &[u8]) -> u32 { self.lines(text.cut()) }
                fn lines(self, text: &[u8]) -> u32 { 1 }
            }
            impl Show for Kind { fn show(&self) -> u32 { 1 } }
            pub trait Show { fn show(&self) -> u32; }
            fn start(kind: Kind) -> u32 { kind.parse(b"x") }
            """,
            "src/ext.rs": """
            pub trait Cut { fn cut(&self) -> &Self; }
            impl Cut for [u8] { fn cut(&self) -> &[u8] { self } }
            impl From<String> for Vec<u8> { fn from(text: String) -> Self { vec![] } }
            """,
            "tests/a.rs": "fn other(kind: Kind) -> u32 { kind.parse(b'x') }",
        }
    )
    calls = graph.pairs("CALLS", 0)
    assert {target for source, target in calls if source == "lib.rs:start"} == {"lib.rs:Kind::parse"}
    assert {target for source, target in calls if source == "lib.rs:Kind::parse"} == {
        "lib.rs:Kind::lines", "ext.rs:[u8]::cut",
    }  # fmt: skip
    assert not {pair for pair in calls if pair[0] == "a.rs:other"}, "another crate, which names no trait"
    assert graph.pairs("IMPLEMENTS") == {("lib.rs:", "lib.rs:Show"), ("ext.rs:", "ext.rs:Cut")}
    assert graph.pairs("OVERRIDES") == {
        ("lib.rs:Kind::show", "lib.rs:Show::show"), ("ext.rs:[u8]::cut", "ext.rs:Cut::cut"),
    }  # fmt: skip


def test_a_let_in_a_closure_hides_its_parameter() -> None:
    graph = Resolved({"src/lib.rs": """
        use outside::Entry;
        pub struct Language { n: u8 }
        impl Language { pub fn mark(&self) {} }
        pub fn run() {
            let f = |(entry, name): (Entry, u8)| {
                let entry = Language { n: 1 };
                entry.mark();
            };
            f();
        }
        """})  # fmt: skip
    assert ("lib.rs:run", "lib.rs:Language::mark") in graph.pairs()
    assert not graph.graph.externals.users("outside.Entry.mark")


def test_imports_of_an_inline_module_of_the_library(tmp_path: Path) -> None:
    made = rust(tmp_path, {
        "src/lib.rs": "mod csv;\npub mod offered { pub use crate::csv::Config; }\npub mod more { pub struct Deep; }\n",
        "src/csv.rs": "pub struct Config;\n",
        "benches/b.rs": "use crate_name::offered::{Config};\nuse crate_name::more::*;\nfn main() { let c = Config; }\n",
        "Cargo.toml": "[package]\nname = 'crate_name'\n",
    })  # fmt: skip
    imported = {target for source, target in made.pairs("IMPORTS") if source.startswith("b.rs:")}
    assert {"lib.rs:offered", "lib.rs:more"} <= imported


def test_a_loop_calls_the_iterator_of_a_known_type() -> None:
    text = """
        struct Walk { n: u32 }
        struct Steps { n: u32 }
        impl IntoIterator for Walk {
            type IntoIter = Steps;
            fn into_iter(self) -> Steps { Steps { n: 1 } }
        }
        impl Iterator for Steps { type Item = u32; fn next(&mut self) -> Option<u32> { None } }
        fn count(w: Walk) { for x in w { drop(x); } }
        fn direct(s: Steps) { for x in s { drop(x); } }
        fn apart(v: Vec<u32>) { for x in v { drop(x); } }
        """
    found = Resolved({"src/lib.rs": text})
    called = {pair for pair in found.pairs("CALLS") if pair[0].endswith((":count", ":direct", ":apart"))}
    assert called == {
        ("lib.rs:count", "lib.rs:Steps::next"),
        ("lib.rs:count", "lib.rs:Walk::into_iter"),
        ("lib.rs:direct", "lib.rs:Steps::next"),
    }


def test_a_field_and_a_method_of_one_name_are_apart() -> None:
    """Without brackets behind it, ``x.size`` is the field; with them, ``x.size()`` is the method."""
    found = Resolved({"src/lib.rs": """
        trait Named { fn label(&self) -> String; }
        struct Entry { size: u64, label: String, run: fn() -> u64 }
        impl Entry {
            fn size(&self) -> u64 { counted() }
            fn fields(&self) -> u64 { drop(&self.label); self.size }
            fn method(&self) -> u64 { self.size() }
            fn value(&self) { pass(Entry::size); }
            fn stored(&self) -> u64 { (self.run)() }
        }
        impl Named for Entry { fn label(&self) -> String { self.label.clone() } }
        fn counted() -> u64 { 1 }
        fn pass(_: fn(&Entry) -> u64) {}
        fn over(n: &dyn Named) -> String { n.label() }
        fn made() -> Entry { Entry { size: 1, label: String::new(), run: counted } }
        fn whole() -> u64 { made().method() + made().stored() }
        """})  # fmt: skip
    field = {edge.source for edge in found.edges("USES") if edge.target == "src/lib.rs:crate::Entry::size"}
    method = {edge.source for edge in found.edges("USES") if edge.target == "src/lib.rs:crate::Entry::size#2"}
    assert {each.rpartition("::")[2] for each in field} == {"fields", "made"}
    assert {each.rpartition("::")[2] for each in method} == {"value"}
    assert found.callees("lib.rs:Entry::fields") == []
    assert found.callees("lib.rs:Entry::method") == ["lib.rs:Entry::size#2"]
    assert found.callees("lib.rs:Entry::stored") == ["lib.rs:counted"]
    assert found.callees("lib.rs:over") == ["lib.rs:Entry::label#2", "lib.rs:Named::label"]


def test_a_pattern_uses_the_fields_that_it_names() -> None:
    found = Resolved({"src/lib.rs": """
        struct Point { x: u8, y: u8, z: u8 }
        enum Shape { Dot { at: Point } }
        fn short(p: Point) -> u8 { let Point { x, .. } = p; x }
        fn long(p: &Point) -> bool { match p { Point { y: 1, .. } => true, _ => false } }
        fn given(Point { z: deep, .. }: Point) -> u8 { deep }
        fn inner(s: Shape) -> u8 { match s { Shape::Dot { at: Point { x: left, .. } } => left } }
        impl Point { fn own(&self) -> u8 { let Self { y, .. } = self; *y } }
        """})  # fmt: skip
    fields = {"lib.rs:Point::x", "lib.rs:Point::y", "lib.rs:Point::z"}
    assert {pair for pair in found.pairs("USES") if pair[1] in fields} == {
        ("lib.rs:short", "lib.rs:Point::x"),
        ("lib.rs:inner", "lib.rs:Point::x"),
        ("lib.rs:long", "lib.rs:Point::y"),
        ("lib.rs:Point::own", "lib.rs:Point::y"),
        ("lib.rs:given", "lib.rs:Point::z"),
    }


def test_a_pattern_gives_the_values_of_fields() -> None:
    found = Resolved({"src/lib.rs": """
        struct Count(u8);
        impl Count { fn inner(self) -> u8 { self.0 } }
        struct Offset { value: Count }
        fn run(o: Option<Offset>) -> u8 { if let Some(Offset { value }) = o { value.inner() } else { 0 } }
        """})  # fmt: skip
    assert found.callees("lib.rs:run", 0.9) == ["lib.rs:Count::inner"]


def test_a_star_from_outside_hides_no_type_of_the_repository() -> None:
    found = Resolved({"src/lib.rs": """
        struct Local;
        impl Local { fn made() -> Local { Local } }
        fn run() { use outside::*; Local::made(); }
        """})  # fmt: skip
    assert found.callees("lib.rs:run") == ["lib.rs:Local::made"]


def test_calls_with_types_in_the_tokens_of_a_macro(tmp_path: Path) -> None:
    made = rust(tmp_path, {"src/lib.rs": """
        pub fn read<T>(x: i32) -> bool { true }
        pub struct Row; impl Row { pub fn get<T>(&self) -> Row { Row } pub fn len(&self) -> i32 { 0 } }
        pub fn plain() { assert!(read::<i32>(3)); }
        pub fn nested() { assert!(!read::<Vec<&'static [u8]>>(3), "no"); }
        pub fn chained(row: Row) { assert!(row.get::<u8>().len() > 0); }
        """})  # fmt: skip
    assert made.callees("lib.rs:plain", 0.9) == made.callees("lib.rs:nested", 0.9) == ["lib.rs:read"]
    assert made.callees("lib.rs:chained", 0.9) == ["lib.rs:Row::get", "lib.rs:Row::len"]


def test_macros_of_the_language_call_methods_of_their_first_argument(tmp_path: Path) -> None:
    made = rust(tmp_path, {"src/lib.rs": """
        pub struct Out; impl Out { pub fn write_fmt(&mut self, a: std::fmt::Arguments) {} }
        pub struct Page { out: Out }
        impl Page { pub fn show(&mut self) { writeln!(self.out, "{}", 1); } }
        impl PartialEq for Page { fn eq(&self, other: &Page) -> bool { true } }
        impl PartialEq<str> for Page { fn eq(&self, other: &str) -> bool { true } }
        pub fn to(out: &mut Out) { write!(out, "x"); }
        pub fn compare(page: &Page, other: Page, text: &str) { assert_eq!(*page, other); }
        pub fn compare_text(page: &Page, text: &str) { assert_ne!(page, text, "equal"); }
        pub fn elsewhere(f: &mut std::fmt::Formatter, n: i32) { write!(f, "x"); assert_eq!(n, 3); }
        """})  # fmt: skip
    assert made.callees("lib.rs:Page::show", 0.9) == made.callees("lib.rs:to", 0.9) == ["lib.rs:Out::write_fmt"]
    assert made.callees("lib.rs:compare", 0.9) == ["lib.rs:Page::eq"]
    assert made.callees("lib.rs:compare_text", 0.9) == ["lib.rs:Page::eq#2"]
    assert made.callees("lib.rs:elsewhere") == []


def test_operators_call_the_methods_of_the_first_operand(tmp_path: Path) -> None:
    made = rust(tmp_path, {"src/lib.rs": """
        use std::ops::{AddAssign, Index, IndexMut, Neg};
        pub struct Node(usize);
        pub struct Edge(usize);
        pub struct Graph;
        impl Index<Node> for Graph { type Output = i32; fn index(&self, n: Node) -> &i32 { &0 } }
        impl Index<Edge> for Graph { type Output = i32; fn index(&self, e: Edge) -> &i32 { &0 } }
        impl IndexMut<Node> for Graph { fn index_mut(&mut self, n: Node) -> &mut i32 { todo!() } }
        impl AddAssign<i32> for Graph { fn add_assign(&mut self, n: i32) {} }
        impl Neg for Graph { type Output = Graph; fn neg(self) -> Graph { self } }
        impl PartialOrd for Graph { fn partial_cmp(&self, o: &Graph) -> Option<Ordering> { None } }
        pub fn by_node(g: &Graph, n: Node) -> i32 { g[n] }
        pub fn by_edge(g: &Graph, e: Edge) -> i32 { g[e] }
        pub fn set(g: &mut Graph, n: Node) { g[n] = 1; }
        pub fn borrow(g: &mut Graph, n: Node) { swap(&mut g[n]); }
        pub fn others(mut g: Graph, h: Graph) -> bool { g += 1; let i = -g; h < h }
        pub fn numbers(a: i32, v: Vec<i32>) -> bool { v[a] == -a }
        """})  # fmt: skip
    assert made.callees("lib.rs:by_node", 0.9) == ["lib.rs:Graph::index"]
    assert made.callees("lib.rs:by_edge", 0.9) == ["lib.rs:Graph::index#2"]
    assert made.callees("lib.rs:set", 0.9) == made.callees("lib.rs:borrow", 0.9) == ["lib.rs:Graph::index_mut"]
    assert made.callees("lib.rs:others", 0.9) == [
        "lib.rs:Graph::add_assign", "lib.rs:Graph::neg", "lib.rs:Graph::partial_cmp"
    ]  # fmt: skip
    assert made.callees("lib.rs:numbers") == []


@pytest.mark.parametrize("written", ["&[u8]", "&'a mut [u8]", "&str", "&Vec<u8>", "Record"])
def test_no_value_of_another_type_is_passed_where_a_type_of_the_language_is_declared(
    tmp_path: Path, written: str
) -> None:
    made = rust(tmp_path, {"src/lib.rs": f"""
        pub struct Record(Vec<u8>);
        impl Record {{ fn len(&self) -> usize {{ 0 }} }}
        fn width<'a>(of: {written}) -> usize {{ of.len() }}
        pub fn all<T: AsRef<[u8]>>(record: Record) {{ each(record); }}
        fn each<T: AsRef<[u8]>>(record: T) {{ width(record.as_ref()); }}
        """})  # fmt: skip
    assert made.callees("lib.rs:width", 0.6) == (["lib.rs:Record::len"] if written == "Record" else [])


def test_a_guard_from_outside_lends_the_methods_of_its_argument(tmp_path: Path) -> None:
    text = """
        use parking_lot::{ReentrantMutex, ReentrantMutexGuard};
        pub struct Raw;
        impl Raw {
            fn mark(&self) {}
            fn held(&self) {}
            fn unused(&self) {}
        }
        pub struct Held(ReentrantMutexGuard<'static, Raw>);
        impl std::ops::Deref for Held {
            type Target = Raw;
            fn deref(&self) -> &Self::Target { &self.0 }
        }
        pub struct Lua { raw: ReentrantMutex<Raw> }
        impl Lua {
            fn lock(&self) -> ReentrantMutexGuard<'_, Raw> { self.raw.lock() }
            pub fn run(&self) { self.lock().mark(); }
            pub fn field(&self) { self.raw.lock().mark(); }
            pub fn through(held: &Held) { held.held(); }
        }
    """
    made = rust(tmp_path, {"src/lib.rs": text})
    assert "lib.rs:Raw::mark" in made.callees("lib.rs:Lua::run", 0.0)
    assert "lib.rs:Raw::mark" in made.callees("lib.rs:Lua::field", 0.0)
    assert made.callees("lib.rs:Lua::through") == ["lib.rs:Raw::held"]


def test_a_trait_for_all_that_have_an_outside_trait_is_one_of_each(tmp_path: Path) -> None:
    made = rust(tmp_path, {
        "Cargo.toml": '[package]\nname = "shop"\n[dependencies]\nserde = "1"\n',
        "src/lib.rs": "mod load;\nuse load::{Conf, Load, Other};\n"
        "pub fn run() { Conf::load(1); Conf::parse(1).show(); }\npub fn other() { Other::load(1); }\n",
        "src/load.rs": "use serde::Deserialize;\n"
        "pub trait Load: Sized { fn parse(c: i32) -> Self; fn load(c: i32) -> Self { Self::parse(c) } }\n"
        "impl<'a, T: Deserialize<'a> + Default> Load for T { fn parse(c: i32) -> Self { T::default() } }\n"
        "#[derive(Deserialize)]\npub struct Conf;\nimpl Conf { pub fn show(&self) {} }\npub struct Other;\n",
    })  # fmt: skip
    assert made.callees("lib.rs:run", 0.9) == ["load.rs:Conf::show", "load.rs:Load::load", "load.rs:Load::parse"]
    assert made.callees("lib.rs:other", 0.9) == []
