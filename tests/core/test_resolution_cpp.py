"""C and C++: macros, tables of functions, attributes, overloads, constructions, namespaces, tests made by macros."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from codeexplore import Workspace
from tests.resolved import Resolved

HANDLERS = "typedef int (*handler)(int);\nstruct route { const char* path; handler get; int flags; };\n"
SHAPES = (
    "struct Shape { Shape(int n) {} void draw() {} };\nstruct Round : Shape { Round() : Shape(1) {} };\n"
    "using Alias = Shape;\nenum class Mode { Fast };\n"
)


@pytest.mark.parametrize(
    ("text", "caller", "callees"),
    [
        ("static int sum(int a) { return a; }\n#define TOTAL(x) (sum(x) + 1)\nint go(void) { return TOTAL(2); }\n",
         "go", ["TOTAL", "c:sum"]),
        ("static int sum(int a) { return a; }\n#define APPLY(f, x) f(x)\nint go(void) { return APPLY(sum, 2); }\n",
         "go", ["APPLY", "c:sum"]),
        ("static int on_key(void) { return 1; }\n#define FIRE(event) on_##event()\n"
         "int go(void) { return FIRE(key); }\n",
         "go", ["FIRE", "c:on_key"]),
        ("static int sum(int a) { return a; }\n#define INNER(x) sum(x)\n#define OUTER(x) INNER(x)\n"
         "int go(void) { return OUTER(1); }\n", "go", ["OUTER", "c:sum"]),
        ("static int sum(int a) { return a; }\n#define ADD sum\nint go(void) { return ADD(1); }\n",
         "go", ["ADD", "c:sum"]),
        (HANDLERS + "static int home(int a) { return a; }\nstatic int about(int a) { return a; }\n"
         'static const struct route routes[] = { { "/", home, 0 }, { "/about", about, 1 } };\n'
         "int go(int i) { return routes[i].get(i); }\n", "go", ["c:about", "c:home"]),
        (HANDLERS + "static int home(int a) { return a; }\nint serve(struct route* r) { return r->get(1); }\n"
         "void set(struct route* r, handler f) { r->get = f; }\nvoid go(struct route* r) { set(r, home); }\n",
         "serve", ["c:home"]),
        ("static int one(int a) { return a; }\nstatic int two(int a) { return a; }\n"
         "static int (*const all[])(int) = { one, two };\nint go(int i) { return all[i](i); }\n",
         "go", ["c:one", "c:two"]),
        ("static int one(int a) { return a; }\nstatic int two(int a) { return a; }\n"
         "int go(int i) { int (*chosen)(int) = i ? one : two; return chosen(i); }\n", "go", ["c:one", "c:two"]),
        ("static int FUNC(one)(int a) { return a; }\nint (two)(int a) { return one(a); }\n", "two", ["c:one"]),
    ],
)  # fmt: skip
def test_c_macros_and_stored_functions_lead_to_what_runs(text: str, caller: str, callees: list[str]) -> None:
    assert Resolved({"a.c": text}).callees(f"a.c:{caller}") == [f"a.c:{callee}" for callee in callees]


@pytest.mark.parametrize(
    ("body", "callees"),
    [
        ("Shape s(n); s.draw();", ["Shape::Shape", "Shape::draw"]),
        ("Shape s(Mode::Fast), t(1);", ["Shape::Shape"]),
        ("Shape s{n};", ["Shape::Shape"]),
        ("Alias s(1); s.draw();", ["Shape::Shape", "Shape::draw"]),
        ("auto s = std::make_shared<Shape>(n); s->draw();", ["Shape::Shape", "Shape::draw"]),
        ("Round r; Shape* p = &r; p->draw();", ["Round::Round", "Shape::draw"]),
        ("Shape* none = nullptr; Shape& same = *none;", []),
        ("int Shape(int, int);", []),
    ],
)
def test_cpp_objects_are_constructed_however_they_are_declared(body: str, callees: list[str]) -> None:
    found = Resolved({"a.cpp": SHAPES + f"void go(int n) {{ {body} }}\n"})
    assert found.callees("a.cpp:go") == [f"a.cpp:{callee}" for callee in callees]


def test_cpp_initialisers_construct_bases_and_members_that_are_values() -> None:
    text = (
        "struct Car : Shape { Shape body; Shape* next; Mode mode; Car(Shape* next); Car(); };\n"
        "Car::Car(Shape* next) : Shape(2), body(3), next(next), mode(Mode::Fast) {}\nCar::Car() : Car(nullptr) {}\n"
        "Shape made() { return {4}; }\nstruct Next { Shape* next; Next(Shape* n) : next(n) {} };\n"
    )
    found = Resolved({"a.cpp": SHAPES + text})
    assert found.callees("a.cpp:Car::Car") == ["a.cpp:Shape::Shape"]
    assert found.callees("a.cpp:Car::Car#2") == ["a.cpp:Car::Car"]
    assert found.callees("a.cpp:made") == ["a.cpp:Shape::Shape"]
    assert found.callees("a.cpp:Next::Next") == []  # a pointer


@pytest.mark.parametrize(
    ("call", "chosen"),
    [
        ("put(1)", ["put"]), ("put(1.5)", ["put#2"]), ("put(true)", ["put"]), ('put("x")', ["put#4"]),
        ('put("x", 2)', ["put#4"]), ("put(1, 2, 3)", ["put#5"]), ("put(round)", ["put#3"]),
        ("put(unknown())", ["put", "put#2", "put#3", "put#4"]),
    ],
)  # fmt: skip
def test_cpp_functions_of_one_name_are_chosen_by_number_and_types(call: str, chosen: list[str]) -> None:
    text = (
        "struct Base {}; struct Round : Base {};\nvoid put(int a) {}\nvoid put(double a) {}\n"
        "void put(const Base& b) {}\n"
        "void put(const char* s, int n = 1) {}\nvoid put(int a, int b, int c) {}\n"
        f"void go(Round& round) {{ {call}; }}\n"
    )
    found = Resolved({"a.cpp": text})
    assert found.callees("a.cpp:go", 0.0) == [f"a.cpp:{each}" for each in chosen]
    assert (found.callees("a.cpp:go", 0.6) == []) == (len(chosen) > 1)


def test_of_variants_by_conditions_none_is_certain() -> None:
    text = "#ifdef A\nstatic int pick(void) { return 1; }\n#else\nstatic int pick(void) { return 2; }\n#endif\n"
    found = Resolved({"a.c": text + "int go(void) { return pick(); }\n"})
    assert found.callees("a.c:go", 0.5) == ["a.c:c:pick", "a.c:c:pick#2"]
    assert found.callees("a.c:go", 0.6) == []


@pytest.mark.parametrize(
    ("condition", "confidence"),
    [
        ("#if defined(_MSC_VER)", 0.5),
        ("#ifdef _WIN32", 0.5),
        ("#ifndef print", 1.0),
        ("#ifndef OWN_H\n#define OWN_H", 1.0),
    ],
)
def test_a_name_that_a_macro_has_in_some_builds_only_is_a_guess(condition: str, confidence: float) -> None:
    text = f"{condition}\n#define print _print\n#endif\nvoid run(void) {{ print(1); }}\n"
    assert [e.confidence for e in Resolved({"a.c": text}).edges(confidence=0.0)] == [confidence]


@pytest.mark.parametrize(
    ("body", "callee"),
    [
        ("void Gate::go() { ::open(); }", "open"),
        ("void Gate::go() { ::city::open(); }", "city::open"),
        ("void Gate::go() { open(); }", "Gate::open"),
        ("void go() { using namespace city; open(); }", "city::open"),
        ("namespace c = city; void go() { c::open(); }", "city::open"),
        ("void go() { using city::open; open(); }", "city::open"),
        ("using Door = city::old::Door; void go() { Door::shut(); }", "city::old::Door::shut"),
        ("namespace o = city::old; void go() { o::Door::shut(); }", "city::old::Door::shut"),
        ("void go() { auto [open, n] = pair(); open(); }", ""),
        ("void go() { for (auto& [open, n] : all()) open(); }", ""),
    ],
)
def test_cpp_names_are_looked_up_in_the_namespace_that_is_written(body: str, callee: str) -> None:
    found = Resolved({
        "gate.hpp": "void open() {}\nnamespace city { void open() {}\n"
                    "namespace old { struct Door { static void shut() {} }; } }\n"
                    "struct Gate { void open() {} void go(); };\n",
        "a.cpp": f'#include "gate.hpp"\n{body}\n',
    })  # fmt: skip
    named = "a.cpp:Gate::go" if "Gate" in body else "a.cpp:go"
    assert found.callees(named) == ([f"gate.hpp:{callee}"] if callee else [])


def test_a_test_that_a_macro_defines_has_its_own_name_and_the_members_of_its_fixture() -> None:
    found = Resolved({
        "a_test.cpp": "struct Fix { void check() {} };\nstatic void help() {}\n"
                      "TEST_F(Fix, One) { check(); }\nTEST_F(Fix, Two) { help(); }\n"
                      "BOOST_AUTO_TEST_CASE(solo) { help(); }\n",
    })  # fmt: skip
    assert found.callees("a_test.cpp:Fix::One") == ["a_test.cpp:Fix::check"]
    assert found.callees("a_test.cpp:Fix::Two") == found.callees("a_test.cpp:solo") == ["a_test.cpp:cpp:help"]


def unused(folder: Path, files: Mapping[str, str]) -> list[str]:
    """The names of the functions of a repository that no sign of use is known for."""
    for path, text in files.items():
        (folder / path).write_text(text, "utf-8")
    workspace = Workspace(folder, workers=0, cache=False, progress=lambda *step: None)
    return sorted(each.symbol_id.rpartition(":")[2] for each in workspace.dead_code() if each.kind == "unused")


def test_signs_of_use_in_c_and_functions_without_any(tmp_path: Path) -> None:
    text = (
        "#define LOG(text) log_at(text)\n#define RUN(name) cmd_##name\n#define TEST_OF(name) name##_test\n"
        "static void log_at(const char* text) { (void) text; }\n"
        "static void cmd_add(void) {}\nstatic void add_test(void) {}\n"
        "#define CAT(a, b) a##b\nstatic int run_all(void) { return 1; }\nint go(void) { return CAT(run_, all)(); }\n"
        "[[gnu::constructor]] static void at_start(void) {}\nstatic void at_end(void) __attribute__((destructor));\n"
        "static void at_end(void) {}\nstatic __attribute__((used)) void kept(void) {}\n"
        "#pragma weak woken\nstatic void woken(void) {}\n"
        "static __attribute__((noinline)) void slow(void) {}\nstatic int lonely(int a) { return a; }\n"
        'int main(void) { LOG(""); return 0; }\n'
    )
    assert unused(tmp_path, {"a.c": text}) == ["lonely", "slow"]


def test_a_declaration_and_a_missing_semicolon_are_no_uses(tmp_path: Path) -> None:
    text = (
        "static int lonely(int a);\nint open_it(int a) { return a; }\nstatic int lonely(int a) { return a; }\n"
        "static int called(int a);\nint main(void) { CHECK(1) open_it(1); return called(2); }\n"
        "static int called(int a) { return a; }\n"
    )
    header = "int far(int a);\nextern struct node *made(void);\n"
    files = {"a.h": header, "a.c": text, "b.c": "int far(int a) { return a; }\nstruct node *made(void) { return 0; }\n"}
    assert unused(tmp_path, files) == ["lonely"]
    workspace = Workspace(tmp_path, workers=0, cache=False, progress=lambda *step: None)
    for name in ("lonely", "far", "made"):
        assert (found := workspace.callers(name).absence) is not None
        assert found.kind == "none"


def test_cpp_operators_and_destructors_run_without_their_name(tmp_path: Path) -> None:
    text = (
        "class Reel { public: ~Reel() { cut(); } bool operator==(const Reel& o) const { return true; }\n"
        "operator bool() const { return true; } int* begin() { return 0; }\n"
        "int* end() { return 0; } private: void cut() {} void lonely() {} };\nReel reel;\n"
    )
    assert "~Reel" not in unused(tmp_path, {"a.cpp": text})
    workspace = Workspace(tmp_path, workers=0, cache=False, progress=lambda *step: None)
    kinds = {}
    for name in ("~Reel", "operator==", "operator bool", "begin", "lonely"):
        symbol = next(each for each in workspace.symbols if each.name == name)
        kinds[name] = (found := workspace.callers(symbol.id).absence) and found.kind
    assert kinds.pop("lonely") == "none"
    assert set(kinds.values()) == {"possible"}


def test_another_name_of_a_type_decides_no_overload() -> None:
    found = Resolved({
        "a.cpp": "using Held = int*;\ntemplate <typename It> void put(It a, int c) {}\n"
        "void put(Held b, int c) {}\nstruct S {};\nvoid run() { S s; put(s, 2); }\n"
    })  # fmt: skip
    assert found.callees("a.cpp:run", 0.6) == ["a.cpp:S"]
    assert found.callees("a.cpp:run", 0.5) == ["a.cpp:S", "a.cpp:put", "a.cpp:put#2"]


BOX = (
    "typedef UNKNOWN_CHAR letter;\ntypedef UNKNOWN_VIEW view;\nenum Mode { fast, slow };\n"
    "struct Box { Box(); void at(const letter* k); void at(view k); void set(Mode m);\n  void set(double d);"
    "  void set(float f); void put(long n); void put(double d);\n"
    "  template <typename T> void show(T a) {} void show(bool a) {} };\n"
    "Box::Box() {}\nvoid Box::at(const letter* k) {}\nvoid Box::at(view k) {}\nvoid Box::set(Mode m) {}\n"
    "void Box::set(double d) {}\nvoid Box::set(float f) {}\nvoid Box::put(long n) {}\nvoid Box::put(double d) {}\n"
)


@pytest.mark.parametrize(
    ("call", "certain", "possible"),
    [
        ('at("x")', [], ["at", "at#2"]),  # both types are other names of types that nobody defines
        ("set(fast)", ["set"], ["set"]),
        ("set(1.5f)", ["set#3"], ["set#3"]),
        ("set(1.5)", ["set#2"], ["set#2"]),
        ("put(2L)", ["put"], ["put"]),
        ("put(1.0L)", ["put#2"], ["put#2"]),
        ("show(3)", ["show"], ["show"]),
        ("show(true)", ["show#2"], ["show#2"]),
    ],
)
def test_arguments_choose_among_overloads(call: str, certain: list[str], possible: list[str]) -> None:
    found = Resolved({"a.cpp": f"{BOX}void run() {{ Box b; b.{call}; }}\n"})
    assert found.callees("a.cpp:run", 0.6) == ["a.cpp:Box::Box", *(f"a.cpp:Box::{name}" for name in certain)]
    assert found.callees("a.cpp:run", 0.5) == ["a.cpp:Box::Box", *(f"a.cpp:Box::{name}" for name in possible)]


NODE = (
    "enum Shade { dark };\nstruct Node { void load(const std::string& s) {} void load(std::istream& s) {}\n"
    "  void mark(const std::string& s) {} void mark(long n) {}\n"
    "  const Node* next(int n = 1) const; Node* next(int n = 1) { return this; } Node inner;\n"
    "  void peek() const { inner.next(); } void parse(); void parse(const char* text, int size = 9);\n"
    "  void put(long n) {} void put(double d) {} void keep(const Node& n) {} void keep(Node&& n) {} };\n"
    "const Node* Node::next(int n) const { return this; }\nvoid Node::parse() {}\n"
    "void Node::parse(const char* text, int size) {}\n"
)


@pytest.mark.parametrize(
    ("run", "called"),
    [
        ("void run(Node* n) { n->next(); }", ["next"]),
        ("void run(const Node* n) { n->next(); }", ["next#2"]),
        ("void run(const Node* n) { n->next()->next(); }", ["next#2"]),
        ("void run(void* n) { static_cast<const Node*>(n)->next(); }", ["next#2"]),
        ('void run(Node& n) { n.parse("x"); }', ["parse#2"]),  # the prototype has the default
        ("void run(Node& n, char c) { n.put(static_cast<long>(c)); }", ["put"]),
        ("void run(Node& n, char c) { n.put(double(c)); }", ["put#2"]),
        ("void run(Node& n, char c) { n.put((double)c); }", ["put#2"]),
        ("void run(Node& n, Node& m) { n.keep(m); }", ["keep"]),
        ("void run(Node& n, std::ifstream& f) { n.load(f); }", ["load#2"]),
        ("void run(Node& n) { n.mark(dark); }", ["mark#2"]),
        ("void run(Node& n, Node& m) { n.keep(std::move(m)); }", ["keep#2"]),
    ],
)
def test_receivers_casts_and_temporary_objects_choose_among_overloads(run: str, called: list[str]) -> None:
    found = Resolved({"a.cpp": NODE + run})
    assert found.callees("a.cpp:run", 0.9) == [f"a.cpp:Node::{name}" for name in called]


def test_a_field_is_constant_in_a_method_for_constant_objects() -> None:
    assert Resolved({"a.cpp": NODE}).callees("a.cpp:Node::peek", 0.9) == ["a.cpp:Node::next#2"]


def test_a_bundle_of_several_files_hides_no_function_of_these() -> None:
    parts = {
        f"{name}.hpp": f"namespace kit {{ inline int {name}(int n) {{ return n; }} }}\n"
        for name in ("cut", "fold", "glue")
    }
    called = {"run.cpp": "int go() { return kit::cut(1) + kit::fold(2); }\n"}
    found = Resolved({**parts, **called, "single/kit.hpp": "".join(parts.values())})
    assert found.callees("run.cpp:go", 0.9) == ["cut.hpp:kit::cut", "fold.hpp:kit::fold"]
    two = Resolved({**parts, **called, "other.hpp": parts["cut.hpp"]})  # not a bundle: either may be meant
    assert two.callees("run.cpp:go", 0.9) == ["fold.hpp:kit::fold"]


def test_variables_of_one_name_in_two_blocks_have_their_own_types() -> None:
    types = "struct A { void go() {} };\nstruct B { void go() {} };\n"
    text = types + "void run() {\n{ A x;\nx.go(); }\n{ B x;\nx.go(); }\n}\n"
    found = Resolved({"a.cpp": text}).edges(confidence=0.0)
    assert [(e.target, [site.line for site in e.sites]) for e in found if e.target.endswith("go")] == [
        ("a.cpp:A::go", [5]),
        ("a.cpp:B::go", [7]),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "int go(struct end *end) { struct end other = *end; return other.at; }\n",
        "int go(void) { struct end end = {.at = 0}; return end.at; }\n",
        "int go(void) { struct end end; return end.at; }\n",
    ],
)
@pytest.mark.parametrize("path", ["a.c", "a.cc"])
def test_a_variable_does_not_hide_the_type_of_its_name(path: str, text: str) -> None:
    assert {"end", "end.at"} <= used_in({path: "struct end { int at; };\n" + text}, f"{path}:go")


def used_in(files: Mapping[str, str], source: str) -> set[str]:
    """Return the names, without the file, of what a function uses."""
    found = [edge for edge in Resolved(dict(files)).edges("USES", 0.0) if edge.source == source]
    return {edge.target.removeprefix(source.partition(":")[0] + ":").replace("::", ".") for edge in found}


def test_a_local_in_one_branch_hides_no_macro_elsewhere() -> None:
    text = (
        "#ifdef OWN\n#define CHECK\n#else\n#define Round 1\n#endif\nint go(int x) {\n#ifdef OWN\nint Round;\n"
        "Round = 2;\n#endif\nif (Round == 1) return x;\nreturn x + Round; }\n"
    )
    found = [edge for edge in Resolved({"a.c": text}).edges("USES", 0.0) if edge.target.endswith("Round")]
    assert [(edge.source, [site.line for site in edge.sites]) for edge in found] == [("a.c:go", [11, 12])]


@pytest.mark.parametrize("given", ["limit, exact * scale", "exact * scale", "exact & scale, limit", "exact * scale, 1"])
def test_a_product_of_variables_is_an_argument_and_no_parameter(given: str) -> None:
    text = "struct Offset { Offset(double a, double b = 0) {} void go() {} };\n"
    text += f"void run(double limit, double exact) {{ double scale = 2;\nOffset off({given});\noff.go(); }}\n"
    assert Resolved({"a.cc": text}).callees("a.cc:run") == ["a.cc:Offset::Offset", "a.cc:Offset::go"]


def test_a_parameter_that_is_a_pointer_to_a_type_declares_a_function() -> None:
    text = "struct Offset { Offset(double a) {} };\nvoid run() { Offset off(Point *at, int); }\n"
    assert Resolved({"a.cc": text}).callees("a.cc:run") == []


def test_an_initialiser_of_a_member_with_a_class_constructs_it() -> None:
    text = "struct Wheel { Wheel(int n) {} };\nstruct Cart { Wheel wheel; Cart() : wheel(4) {} };\n"
    assert Resolved({"a.cc": text}).callees("a.cc:Cart::Cart") == ["a.cc:Wheel::Wheel"]


def test_a_macro_of_a_source_file_is_seen_there_and_where_the_file_is_included() -> None:
    use = "int {}(int x) {{ check(x); return x; }}\n"
    files = {"a.c": "#define check(x)\n" + use.format("one"), "b.c": "#include <check.h>\n" + use.format("two")}
    files["c.c"] = '#include "a.c"\n' + use.format("three")
    assert {source for source, target in Resolved(files).pairs() if target == "a.c:check"} == {"a.c:one", "c.c:three"}


LOW = "void low(int n) {}\nvoid high(int n) {}\n"


@pytest.mark.parametrize(
    ("header", "callees"),
    [
        ("#define USE(x) B(x)\n#define B(x) C(x)\n#define C(x) D((x))\n#define D(x) low(x)\n", ["low"]),  # of macros
        ("#define USE(x) a(x), b(x), c(x), d(x), low(x)\n", ["low"]),  # many calls
        ("#ifdef X\n#define USE(x) low(x)\n#else\n#define USE(x) high(x)\n#endif\n", ["high", "low"]),
        ("#define USE(x) B(x)\n#define B(x) USE(x), low(x)\n", ["low"]),  # the preprocessor does not repeat a macro
    ],
)
def test_a_use_of_a_macro_calls_what_its_bodies_call(header: str, callees: list[str]) -> None:
    files = {"a.h": header + LOW, "a.c": '#include "a.h"\nvoid go(void) { USE(2); }\n', "b.c": "#define USE(x)\n"}
    found = Resolved(files)
    assert [each for each in found.callees("a.c:go") if each != "a.h:USE"] == [f"a.h:{each}" for each in callees]


def test_a_function_that_a_macro_defines_calls_what_the_macro_calls() -> None:
    text = "#define START_TEST(name) static void name(void) { note(); {\n#define END_TEST }}\nvoid note(void) {}\n"
    for name in ("one", "two", "three"):
        text += f"START_TEST({name}) {{\n  int a;\n}}\nEND_TEST\n"
    found = Resolved({"a.c": text})
    assert {source for source, target in found.pairs() if target == "a.c:note"} == {
        "a.c:START_TEST", "a.c:one", "a.c:two", "a.c:three",
    }  # fmt: skip
    assert not any(target in ("a.c:one", "a.c:two", "a.c:three") for _, target in found.pairs())


PIMPL = (
    "namespace kit {\nclass Box {\npublic:\n  Box();\n  int size() const;\n  static int limit();\nprivate:\n"
    "  struct Data;\n  class Node;\n  KIT_NEEDS_NO_WARNING\n  std::unique_ptr<Data> d;\n  Node *first;\n};\n}\n"
)
NESTED = (
    "struct Box::Data {\n  int count() { return limit(); }\n};\nclass Box::Node {\npublic:\n"
    "  explicit Node(int n) : n(n) {}\n  int depth() const;\n  int n;\n};\n"
)
PIMPL_BODIES = (
    "int Box::Node::depth() const { return n; }\nint Box::limit() { return 1; }\n"
    "Box::Box() : d(new Data()), first(new Node(3)) {}\nint Box::size() const { return d->count() + first->depth(); }\n"
)


@pytest.mark.parametrize(
    ("before", "after", "name"),
    [("namespace kit {\n", "}\n", "kit::Box"), ("using namespace kit;\n", "", "Box")],
)
def test_a_class_is_defined_outside_of_the_class_around_it(before: str, after: str, name: str) -> None:
    found = Resolved({"box.hpp": PIMPL, "box.cpp": '#include "box.hpp"\n' + before + NESTED + PIMPL_BODIES + after})
    own = f"box.cpp:{name}"
    assert found.callees(f"{own}::size", 0.9) == [f"{own}::Data::count", f"{own}::Node::depth"]
    assert found.callees(f"{own}::Box", 0.9) == [f"{own}::Data", f"{own}::Node::Node"]
    assert found.callees(f"{own}::Data::count", 0.9) == [f"{own}::limit"]  # a name of the class around


def test_classes_of_one_name_inside_two_classes_are_told_apart() -> None:
    heads = "".join(f"class {name} {{\n  struct Data;\n  Data *d;\n  int go();\n}};\n" for name in ("A", "B"))
    bodies = "".join(
        f"struct {name}::Data {{\n  int run() {{ return 1; }}\n}};\nint {name}::go() {{ return d->run(); }}\n"
        for name in ("A", "B")
    )
    found = Resolved({"a.hpp": heads, "a.cpp": '#include "a.hpp"\n' + bodies})
    assert found.callees("a.cpp:A::go", 0.9) == ["a.cpp:A::Data::run"]
    assert found.callees("a.cpp:B::go", 0.9) == ["a.cpp:B::Data::run"]


def test_a_namespace_is_used_through_another_that_is_used() -> None:
    files = {
        "a.hpp": "namespace kit {\nnamespace inner {\nclass Box {\npublic:\n  int go();\n  int run();\n};\n}\n}\n",
        "a.cpp": '#include "a.hpp"\nusing namespace kit;\nusing namespace inner;\n'
        "int Box::run() { return 1; }\nint Box::go() { return run(); }\nint use(Box *box) { return box->go(); }\n",
    }
    assert Resolved(files).callees("a.cpp:Box::go", 0.9) == ["a.cpp:Box::run"]
    assert Resolved(files).callees("a.cpp:use", 0.9) == ["a.cpp:Box::go"]


@pytest.mark.parametrize("suffix", ["tcc", "txx", "icc"])
def test_a_template_has_its_bodies_in_a_file_of_its_own(suffix: str) -> None:
    files = {
        "list.hpp": f'template <class T> class List {{\npublic:\n  int size();\n}};\n#include "list.{suffix}"\n',
        f"list.{suffix}": "template <class T> int List<T>::size() { return 1; }\n",
        "use.cpp": '#include "list.hpp"\nint run(List<int> list) { return list.size(); }\n',
    }
    assert Resolved(files).callees("use.cpp:run", 0.9) == [f"list.{suffix}:List::size"]


@pytest.mark.parametrize(
    ("call", "callee"),
    [
        ("Text t;", "Text::Text"),
        ("Text t(raw);", "Text::Text#2"),
        ('Text t("a");', "Text::Text#3"),
        ("Text t(raw, 2);", "Text::Text#2"),
        ("shown.cut(1);", "Text::cut"),
        ("shown.cut(1, 2);", "Text::cut#2"),
        ("shown.cut(1, true);", "Text::cut"),
    ],
)
def test_default_values_of_prototypes_count_as_those_of_definitions(call: str, callee: str) -> None:
    head = (
        "struct Raw {};\nclass Text {\npublic:\n  Text();\n  Text(const Raw &raw, int kind = 1);\n"
        "  Text(const char *text, int kind = 1);\n  int cut(int from, bool all = true);\n"
        "  int cut(int from, int to);\n};\n"
    )
    bodies = (
        "Text::Text() {}\nText::Text(const Raw &raw, int kind) {}\nText::Text(const char *text, int kind) {}\n"
        "int Text::cut(int from, bool all) { return 1; }\nint Text::cut(int from, int to) { return 2; }\n"
        f"void go(Text &shown, Raw &raw) {{ {call} }}\n"
    )
    found = Resolved({"text.hpp": head, "text.cpp": '#include "text.hpp"\n' + bodies})
    assert found.callees("text.cpp:go", 0.9) == [f"text.cpp:{callee}"]


def test_a_free_function_has_the_default_values_of_its_prototype() -> None:
    head = "namespace kit { int put(int a, int b = 2); int put(const char *text, int a, int b); }\n"
    text = (
        '#include "a.hpp"\nnamespace kit {\nint put(int a, int b) { return a; }\n'
        "int put(const char *text, int a, int b) { return b; }\n}\nint go() { return kit::put(1); }\n"
    )
    assert Resolved({"a.hpp": head, "a.cpp": text}).callees("a.cpp:go", 0.9) == ["a.cpp:kit::put"]


def test_a_namespace_that_a_macro_opens_is_that_of_the_file() -> None:
    files = {
        "kit.hpp": "#define KIT_BEGIN_NAMESPACE namespace kit { inline namespace v1 {\n#define KIT_END_NAMESPACE }}\n"
        "#define KIT_IMPL_BEGIN namespace kit { namespace impl {\nKIT_BEGIN_NAMESPACE\nclass Box {\npublic:\n"
        "  int size() const;\n};\nint total(int a);\nKIT_END_NAMESPACE\n",
        "kit.cpp": '#include "kit.hpp"\nKIT_IMPL_BEGIN\nint size(int a) { return a; }\nKIT_END_NAMESPACE\n'
        "KIT_BEGIN_NAMESPACE\nint Box::size() const { return impl::size(3); }\n"
        "int total(int a) { return a; }\nKIT_END_NAMESPACE\n",
        "use.cpp": '#include "kit.hpp"\nint go(kit::Box &b) { kit::Box c; return kit::v1::total(b.size()); }\n',
    }
    found = Resolved(files)
    assert found.callees("kit.cpp:Box::size", 0.9) == ["kit.cpp:size"]
    assert found.callees("use.cpp:go", 0.9) == ["kit.cpp:Box::size", "kit.cpp:total", "kit.hpp:Box"]
    other = {**files, "use.cpp": '#include "kit.hpp"\nint go() { return other::total(1); }\n'}
    assert Resolved(other).callees("use.cpp:go", 0.9) == []


def test_an_included_header_is_not_another_header_of_its_name() -> None:
    found = Resolved({
        "lib/lib.h": '#include "lib.hpp"\n', "lib/lib.hpp": "inline int f() { return 1; }\n",
        "main.cpp": "#include <lib/lib.hpp>\nint main() { return f(); }\n",
    })  # fmt: skip
    assert ("main.cpp:", "lib.h:") not in found.pairs("IMPORTS", 0.0)
    assert ("main.cpp:", "lib.hpp:") in found.pairs("IMPORTS", 0.0)
    assert ("main.cpp:#2", "lib.hpp:f") in found.pairs()


def test_private_members_are_not_open_to_code_outside(tmp_path: Path) -> None:
    text = "class box {\n  int never() { return 1; }\n public:\n  int open() { return 2; }\n};\n"
    (tmp_path / "a.hpp").write_text(text, "utf-8")
    workspace = Workspace(tmp_path, workers=0, cache=False, progress=lambda *step: None)
    assert "Code outside" not in str(workspace.uses("box.never"))
    assert "Code outside" in str(workspace.uses("box.open"))


def test_a_program_whose_top_level_calls_nothing_has_a_main(tmp_path: Path) -> None:
    (tmp_path / "merger.cpp").write_text("int load() { return 1; }\nint main() { return load(); }\n", "utf-8")
    (tmp_path / "plain.cpp").write_text("int other() { return 1; }\n", "utf-8")
    workspace = Workspace(tmp_path, workers=0, cache=False, progress=lambda *step: None)
    assert "main (merger.cpp:2) may start it" in " ".join(str(workspace.callees("merger.cpp")).split())
    assert "start it" not in str(workspace.callees("plain.cpp"))


def test_a_template_of_a_variable_is_no_other_name_of_its_value(tmp_path: Path) -> None:
    text = "template <typename T> inline constexpr bool small = sizeof(T) == 1;\n"
    text += "template <typename T> inline constexpr bool own = small<T>;\n"
    text += "template <typename T> bool ask() { return own<T>; }\n"
    (tmp_path / "a.hpp").write_text(text, "utf-8")
    workspace = Workspace(tmp_path, workers=0, cache=False, progress=lambda *step: None)
    assert "1 use of own." in str(workspace.search("what uses own?"))


_SHAPES = "struct shape {{ {} }};\nstruct box : shape {{ {} }};\n"


@pytest.mark.parametrize(
    ("text", "overridden"),
    [
        (_SHAPES.format("virtual int area() { return 1; }", "int area() { return 2; }"), ["shape::area"]),
        (_SHAPES.format("int area() { return 1; }", "int area() { return 2; }"), []),
        (_SHAPES.format("virtual ~shape() = default;", "~box() override = default;"), ["shape::~shape"]),
        (_SHAPES.format("virtual ~shape();", "~box();") + "shape::~shape() {}\nbox::~box() {}\n", ["shape::~shape"]),
        (_SHAPES.format("~shape() {}", "~box() {}"), []),
        (_SHAPES.format("template <class T> int area() { return 1; }", "template <class T> int area() { return 2; }"),
         []),
        (_SHAPES.format("VIRTUAL int area() { return 1; }", "int area() override { return 2; }"), ["shape::area"]),
        (_SHAPES.format("virtual int area();", "int area();") + "int shape::area() { return 1; }\n"
         "int box::area() { return 2; }\n", ["shape::area"]),
        ("struct box : outside { int area() { return 1; } };\nstruct cube : box { int area() { return 2; } };\n",
         ["box::area"]),
        (_SHAPES.format("virtual int area() { return 1; }", "int area() { return 2; }")
         + "struct cube : box { int area() { return 3; } };\n", ["box::area", "shape::area"]),
    ],
)  # fmt: skip
def test_only_virtual_methods_are_overridden(text: str, overridden: list[str]) -> None:
    graph = Resolved({"a.cpp": text}).graph
    found = {graph.catalog.symbol(edge.target).fqn for edge in graph.edges if edge.kind == "OVERRIDES"}
    assert sorted(found) == overridden


def test_a_local_with_a_function_in_braces_is_no_function() -> None:
    text = (
        "struct R {};\nvoid log() {}\ntemplate <typename T> R setup(T&& p) {\n    int c = 3;\n"
        "    std::function<R(T)> run{[c](T a) {\n        if (c) { log(); }\n        return R{};\n    }};\n"
        "    return run(p);\n}\n"
    )
    made = Resolved({"a.cpp": text})
    assert {symbol.name for symbol in made.graph.catalog.symbols if symbol.kind == "function"} == {"log", "setup"}
    assert ("a.cpp:setup", "a.cpp:log") in made.pairs("CALLS")


def test_declarations_of_other_names_are_no_uses(tmp_path: Path) -> None:
    text = (
        "class Text;\nclass Text {\n  public:\n    Text(int size) {}\n    virtual ~Text() {}\n"
        "    Text& operator=(const Text& o) { return *this; }\n    bool operator==(const Text& o) const;\n"
        "};\nclass Own {\n  private:\n    Own() {}\n    ~Own() {}\n};\n"
    )
    (tmp_path / "a.h").write_text("class Text;\n", "utf-8")
    (tmp_path / "a.cpp").write_text(text, "utf-8")
    workspace = Workspace(tmp_path, workers=0, cache=False, progress=lambda *step: None)
    assert workspace.subclasses("a.cpp:2").verdict.kind == "none"
    assert workspace.overrides("Text.~Text").verdict.kind == "none"
    assert workspace.callers("a.cpp:6").mentions == ()
    assert not workspace.callers("a.cpp:11").mentions


def test_a_pointer_to_a_member_is_a_parameter_of_an_overload() -> None:
    made = Resolved({
        "a.cpp": """
            struct Sink {};
            struct M { void s(); };
            void log(long c, void (M::*m)()) {}
            void log(Sink* s) {}
            void go() { log(3L, &M::s); }
        """
    })  # fmt: skip
    assert made.callees("a.cpp:go") == ["a.cpp:log"]


REGISTER = (
    "#define TEST(a, b) static void a##_##b(); static int r_##a##b = enroll(a##_##b); static void a##_##b()\n"
    "int enroll(void (*f)());\n"
)


def test_a_definition_uses_the_macro_that_writes_it_and_the_file_calls_what_that_calls(tmp_path: Path) -> None:
    text = "int enroll(void (*f)()) { return 1; }\nvoid used() {}\n"
    text = '#include "t.h"\n' + text + "TEST(S, One) { used(); }\nTEST(S, Two) { used(); }\n"
    found = Resolved({"t.h": REGISTER, "t.cc": text})
    assert found.callees("t.cc:S::One") == ["t.cc:used"]
    assert found.callees("t.cc:") == ["t.cc:enroll"]
    uses = [(edge.source, edge.manner) for edge in found.edges("USES") if edge.target == "t.h:TEST"]
    assert uses == [("t.cc:S::One", "decorator"), ("t.cc:S::Two", "decorator")]
    (tmp_path / "t.h").write_text(REGISTER)
    (tmp_path / "t.cc").write_text(text)
    workspace = Workspace(tmp_path, workers=0, cache=False, progress=lambda *step: None)
    verdict = workspace.callers("TEST").verdict
    assert verdict is not None
    assert verdict.text.startswith("No callers found; 2 symbols use it without a call.")


def test_a_macro_writes_a_function_whose_parameters_are_behind_it() -> None:
    head = (
        "#define BENCH_F(B, M) class B##M : B { void Run(State&); }; void B##M::Run\nstruct Fix {};\nvoid used() {}\n"
    )
    found = Resolved({"a.cc": head + "BENCH_F(Fix, One)(State& s) { used(); }\nBENCH_F(Fix, Two, int)(Fix s) {}\n"})
    assert found.callees("a.cc:Fix::One") == ["a.cc:used"]
    assert {edge.target for edge in found.edges("USES") if edge.source == "a.cc:Fix::Two"} == {
        "a.cc:BENCH_F",
        "a.cc:Fix",
    }


@pytest.mark.parametrize(
    "line",
    [
        "#if defined(A)",
        "#if A(1)",
        "#define CHECK(a) \\\n  foo(a)",
        "CAPTURE_OF(f, void, char*, 42U);\nCAPTURE_OF((f<void, char*>), 42U);",
    ],
)
def test_what_is_above_a_macro_in_a_file_with_a_syntax_error_is_no_head_of_a_function(line: str) -> None:
    text = f"{line}\nTEST(S, Two) {{\n  used();\n}}\n{'#endif' * line.startswith('#if')}\nvoid used() {{}}\n"
    found = Resolved({"a.cc": text + "static void ATTR_NO f() {\n}\n"})
    assert found.pairs() == {("a.cc:S::Two", "a.cc:used")}


def test_macros_for_try_and_catch_are_statements_of_the_function_around_them() -> None:
    text = (
        "#if defined(N)\n#define L_TRY if ((1))\n#define L_CATCH_ALL if ((0))\n#define L_CATCH_ANON(type) if ((0))\n"
        "#else\n#define L_TRY try\n#define L_CATCH_ALL catch (...)\n#define L_CATCH_ANON(type) catch (type)\n#endif\n"
        "int low() { return 1; }\n"
        "template <typename T> int one(T e) { L_TRY { return 2; } L_CATCH_ALL { return low(); } }\n"
        "int two(int e) {\n  L_TRY { return 2; }\n  L_CATCH_ANON (Err const&) {\n    return low();\n  }\n}\n"
    )
    assert Resolved({"a.cc": text}).pairs() == {("a.cc:one", "a.cc:low"), ("a.cc:two", "a.cc:low")}


def test_a_declaration_in_the_body_of_a_macro_is_no_call() -> None:
    text = (
        "#define BUILT_IN(name) Value* name(State& s)\n#define GUARD(m) Lock lock(m); run(m)\n"
        "#define TIMES(f) 2 * f(2)\n"
        "struct Value {};\nvoid lock(int m) {}\nvoid run(int m) {}\nint twice(int a) { return a; }\n"
        "BUILT_IN(length);\nBUILT_IN(length) { return 0; }\nint go(int m) { GUARD(m); return TIMES(twice); }\n"
    )
    found = Resolved({"a.cc": text})
    assert found.callees("a.cc:go") == ["a.cc:GUARD", "a.cc:TIMES", "a.cc:run", "a.cc:twice"]
    assert not any(target == "a.cc:length" for _, target in found.pairs())


def test_a_call_that_a_macro_redirects_in_some_builds_only_is_a_guess() -> None:
    files = {
        "sock.h": "#ifdef _WIN32\nint win32_bind(int s);\n#define bind(s) win32_bind(s)\n#endif\n",
        "win.c": "int win32_bind(int s) { return s; }\n",
        "a.c": '#include "sock.h"\nint go(int s) { return bind(s); }\n',
    }
    found = [(e.target, e.confidence) for e in Resolved(files).edges(confidence=0.0) if e.source == "a.c:go"]
    assert found == [("sock.h:bind", 0.5)]


OWN_TYPES = (
    "struct ctx {{ {} }};\ntypedef {} num;\nenum mode {{ {} }};\nvoid {}(struct ctx* c, num n, enum mode m) {{}}\n"
)


@pytest.mark.parametrize("suffix", [".c", ".cpp"])
def test_a_source_file_sees_its_own_types_and_not_those_of_another(suffix: str) -> None:
    one, two = OWN_TYPES.format("int a;", "int", "Fast", "one"), OWN_TYPES.format("long a;", "long", "Slow", "two")
    files = {f"a{suffix}": one, f"b{suffix}": two}
    assert used_in(files, f"a{suffix}:one") == used_in(files, f"b{suffix}:two") == {"ctx", "num", "mode"}


def test_a_type_that_branches_of_a_condition_define_is_one_of_several() -> None:
    text = "#if X\ntypedef int T;\n#else\ntypedef long T;\n#endif\nT add(T a) { return a; }\n"
    found = Resolved({"a.c": text}).edges("USES", 0.0)
    assert [(edge.target, edge.confidence) for edge in found] == [("a.c:T", 0.5), ("a.c:T#2", 0.5)]


NODES = (
    "struct Node { int v; };\nvoid put(Node* p) {}\nvoid put(const Node& n) {}\n"
    "void show(int* p) {}\nvoid show(int n) {}\nclass Up { public: Up(const Up* above) {} };\n"
)


@pytest.mark.parametrize(
    ("body", "callee"),
    [
        ("put(&a);", "put"), ("put(a);", "put#2"), ("put(q);", "put"), ("put(*q);", "put#2"), ("put(&r);", "put"),
        ("show(&n);", "show"), ("show(n);", "show#2"), ("show(p);", "show"), ("show(*p);", "show#2"),
        ("Up b(u);", "Up"), ("Up b(&u);", "Up::Up"), ("Up b = Up(u);", "Up"), ("Up* b = new Up(&u);", "Up::Up"),
    ],
)  # fmt: skip
def test_a_pointer_and_an_object_are_arguments_of_different_overloads(body: str, callee: str) -> None:
    head = "void go(Node a, Node* q, Node& r, int n, int* p, const Up& u) {\n"
    assert Resolved({"a.cc": f"{NODES}{head}{body} }}\n"}).callees("a.cc:go", 0.9) == [f"a.cc:{callee}"]


@pytest.mark.parametrize(
    ("body", "callee"),
    [
        ("put(*--q);", "put#2"), ("put(++q);", "put"), ("put(*(q = p));", "put#2"), ("put(q = p);", "put"),
        ("const Node& n(a); put(n);", "put#2"), ("const Node& n(*q); put(n);", "put#2"),
        ("const Node& n(b->held[1]); put(n);", "put#2"), ("Node& n(*b->find(1)); put(n);", "put#2"),
        ("const Node& n(list.back()); put(n);", "put#2"),
    ],
)  # fmt: skip
def test_references_assignments_and_steps_have_types(body: str, callee: str) -> None:
    box = "struct Box { Node held[3]; Node* first; Node* find(int n); };\n"
    head = "void go(Node a, Node* p, Node* q, Box* b, std::vector<Node> list) {\n"
    found = Resolved({"a.cc": f"{NODES}{box}{head}  {body}\n}}\n"})
    assert found.callees("a.cc:go", 0.9) == [f"a.cc:{callee}"]


def test_a_receiver_may_be_an_assignment() -> None:
    text = "struct Node { void use() {} };\nvoid go(Node* p) { Node* q; (q = p)->use(); }\n"
    assert Resolved({"a.cc": text}).callees("a.cc:go") == ["a.cc:Node::use"]


@pytest.mark.parametrize(
    ("body", "callees"),
    [
        ("auto p = std::unique_ptr<Node>(new Node); p->use();", ["Node", "Node::use"]),
        ("std::shared_ptr<Node>(q)->use();", ["Node::use"]),
        ("auto n = q->number(); show(n);", ["Node::number", "show#2"]),
        ("auto* n = q->where(); show(n);", ["Node::where", "show"]),
    ],
)  # fmt: skip
def test_smart_pointers_and_auto_have_the_type_of_their_value(body: str, callees: list[str]) -> None:
    text = (
        "struct Node { void use() {} int number() { return 1; } int* where() { return 0; } };\n"
        f"void show(int* p) {{}}\nvoid show(int n) {{}}\nvoid go(Node* q) {{ {body} }}\n"
    )
    assert Resolved({"a.cc": text}).callees("a.cc:go", 0.9) == [f"a.cc:{callee}" for callee in callees]


@pytest.mark.parametrize(
    "call", ["inner::isEmpty(a)", "outer::inner::isEmpty(a)", "isEmpty(a)", "::outer::inner::isEmpty(a)"]
)
def test_a_namespace_in_the_head_of_another_is_one_of_its_own(call: str) -> None:
    files = {
        "a.hpp": "#pragma once\nnamespace outer::inner {\ninline bool isEmpty(float a) { return false; }\n"
        "class Config { public: void set(int a) {} };\ninline Config* made(int c) { return 0; }\n}\n",
        "b.cc": f'#include "a.hpp"\nnamespace outer::inner {{\nbool go(float a) {{ return {call}; }}\n}}\n',
        "c.cc": '#include "a.hpp"\nusing namespace outer;\nusing namespace outer::inner;\n'
        f"bool go(float a) {{ made(1)->set(2); new inner::Config(); return {call}; }}\n",
    }
    found = Resolved(files)
    empty = "a.hpp:outer::inner::isEmpty"
    assert found.callees("b.cc:outer::inner::go", 0.9) == [empty]
    config = [f"a.hpp:outer::inner::{name}" for name in ("Config", "Config::set")]
    assert found.callees("c.cc:go", 0.9) == [*config, empty, "a.hpp:outer::inner::made"]


@pytest.mark.parametrize("head", ["namespace a::b {", "namespace a { namespace b {"])
def test_a_long_file_in_namespaces_of_one_line_is_loaded(head: str, tmp_path: Path) -> None:
    text = f"{head}\nint go() {{ return 1; }}\n" + "\n" * 2100 + "}" * head.count("{") + "\n"
    (tmp_path / "a.cc").write_text(text, encoding="utf-8")
    ws = Workspace(tmp_path, cache=False, workers=0)
    assert [symbol.fqn for symbol in ws.symbols] == ["a", "a", "a::b", "a::b::go"]


def test_a_test_is_no_member_of_a_type_that_its_suite_is_called_like() -> None:
    made = Resolved({
        "opt.hpp": "struct Opt { float value() const { return 1; } };\n",
        "run.cc": '#include "opt.hpp"\nfloat use(Opt o) { return o.value(); }\n',
        "test.cc": "TEST(Opt, value) { use(Opt()); }\n",
    })  # fmt: skip
    assert made.callees("run.cc:use") == ["opt.hpp:Opt::value"]
    assert made.callees("test.cc:Opt::value") == ["opt.hpp:Opt", "run.cc:use"]


CONSTANT = (
    "struct Box { int& at() { return a; } const int& at() const { return a; } int a;\n"
    "  Box* next() { return 0; } const Box* last() { return 0; } };\n"
    "Box* of(int* p) { return 0; }\nconst Box* of(long* p) { return 0; }\n"
)


@pytest.mark.parametrize(
    ("body", "callees"),
    [
        ("const auto b = of(p); b->at();", []),
        ("auto b = q->last(); b->at();", ["Box::at#2", "Box::last"]),
        ("auto b = q->next(); b->at();", ["Box::at", "Box::next"]),
        ("{ const Box* b = q; b->at(); }", ["Box::at#2"]),
        ("{ const Box* b = q; }\n  for (auto b : all) {\n    b->at();\n  }", []),
    ],
)  # fmt: skip
def test_an_overload_for_constants_is_chosen_where_the_type_is_known(body: str, callees: list[str]) -> None:
    text = f"{CONSTANT}void go(int* p, Box* q, std::vector<Box*> all) {{\n  {body}\n}}\n"
    found = Resolved({"a.cc": text}).callees("a.cc:go", 0.9)
    assert [each for each in found if ":of" not in each] == [f"a.cc:{callee}" for callee in callees]


def test_a_declaration_as_the_condition_of_a_loop_hides_no_namespace() -> None:
    text = (
        "namespace out {\nnamespace {\nint number(const char* p) {\n"
        "  for (; const char* next = strchr(digits, *p); ++p) {\n    if (next) return 1;\n  }\n  return 0;\n}\n"
        "int other(const char* p) { return 1; }\n}  // namespace\n"
        "int go(const char* p) { return number(p) + other(p); }\n}\n"
    )
    assert Resolved({"a.cc": text}).callees("a.cc:out::go") == [
        "a.cc:cc:out::number",
        "a.cc:cc:out::other",
    ]


def test_macros_that_are_labels_hide_no_calls() -> None:
    text = (
        "#define CASE_CODE(name) case CODE_##name\nstatic void one(int a) {}\nstatic void two(int a) {}\n"
        "int run(int code) {\n  switch (code) {\n    CASE_CODE(ADD):\n    CASE_CODE(SUB):\n      code = code + 1;\n"
        "      one(code);\n      goto done;\n\n    CASE_CODE(END):\n      goto done;\n\n    done:\n"
        "      if (code) {\n        two(code);\n      }\n      break;\n  }\n  return code;\n}\n"
    )
    found = Resolved({"a.c": text})
    assert found.callees("a.c:run") == ["a.c:CASE_CODE", "a.c:c:one", "a.c:c:two"]
    places = {site.line for edge in found.edges() if edge.target.endswith("CASE_CODE") for site in edge.sites}
    assert places == {6, 7, 12}


def test_a_function_whose_end_a_syntax_error_hides_contains_no_other() -> None:
    text = "void a(int x) {\n#define LOCAL(x) f(x)\n  if (x) {\n}\nint b(void) { return LOCAL(1); }\n"
    found = Resolved({"a.c": text, "b.c": "int b(void);\nint main(void) { return b(); }\n"})
    assert found.pairs() == {("b.c:main", "a.c:b"), ("a.c:b", "a.c:LOCAL")}


def test_a_static_method_of_a_template_is_called_and_the_template_is_not_constructed() -> None:
    text = (
        "template <typename T> struct Load { Load() {} static void load(T* a) {} };\n"
        "template <typename A, typename B> struct Pair { static int make() { return 1; } };\n"
        "template <typename T> void use(T* a) { Load<T>::load(a); }\n"
        "int go() { return Pair<Load<int>, Pair<int, int>>::make(); }\n"
    )
    found = Resolved({"a.cc": text})
    assert (found.callees("a.cc:use"), found.callees("a.cc:go")) == (["a.cc:Load::load"], ["a.cc:Pair::make"])


def test_what_is_passed_to_a_parameter_of_any_type_chooses_no_overload() -> None:
    text = (
        "struct V { explicit V(int n) {} V(V&& o) {} };\n"
        "template <typename T> void push(T value) { V v(value); }\nvoid go(V w) { push(w); push(1); }\n"
    )
    found = Resolved({"a.cc": text})
    assert found.callees("a.cc:push", 0.6) == []
    assert found.callees("a.cc:push", 0.5) == ["a.cc:V::V", "a.cc:V::V#2"]


def test_a_macro_beside_an_operator_in_the_arguments_of_another_is_mentioned_there(tmp_path: Path) -> None:
    text = (
        "#define COMPARE(l, r) l <= r\nnamespace n {\n"
        "#define DO(op, text, compare) template <typename R> bool operator op(const R r) { return compare(lhs, r); }\n"
        'struct E {\n  int lhs;\n  DO(<=, " <= ", COMPARE)\n  DO(>, " > ", COMPARE)\n};\n}\n'
    )
    (tmp_path / "a.cc").write_text(text)
    workspace = Workspace(tmp_path, workers=0, cache=False, progress=lambda *step: None)
    assert [symbol.line for symbol in workspace.symbols if symbol.name == "COMPARE"] == [1]
    verdict = workspace.callers("COMPARE").verdict
    assert verdict is not None
    assert verdict.text == "No callers found; 2 other places mention `COMPARE` (a.cc:6, a.cc:7)."


@pytest.mark.parametrize(
    ("made", "confidence"), [("new Lines(v, 1)", 0.5), ("new Lines(v)", 1.0), ("new Many{v, 1}", 1.0)]
)
def test_the_only_known_constructor_is_a_guess_for_another_number_of_arguments(made: str, confidence: float) -> None:
    text = (
        "struct Lines { Lines(int n, int m, int o); Lines(long n) {} };\n"
        "struct Many { Many(std::initializer_list<long> all) {} };\n"
    )
    found = Resolved({"a.cc": f"{text}auto go(long v) {{ return {made}; }}\n"}).edges(confidence=0.0)
    assert [edge.confidence for edge in found] == [confidence]


def test_a_function_that_is_added_to_the_library_is_one_of_its_overloads() -> None:
    text = "struct J {};\nnamespace std { inline void swap(J& a, J& b) {} }\n"
    found = Resolved({"a.cc": text, "b.cc": '#include "a.cc"\nvoid go(int a, int b) { std::swap(a, b); }\n'})
    assert [edge.confidence for edge in found.edges(confidence=0.0)] == [0.5]


def test_a_type_and_no_method_of_its_name_has_the_static_method_that_is_called() -> None:
    text = (
        "class Tree { public: static int Make(int n) { return n; } int size; };\n"
        "struct Box {\n  int Tree() { return 2; }\n  int go() { return Tree::Make(1) + Tree(); }\n"
        "  int other() { Box Tree; return Tree.Tree(); }\n};\n"
    )
    found = Resolved({"a.cc": text})
    assert found.callees("a.cc:Box::go", 0.95) == ["a.cc:Box::Tree", "a.cc:Tree::Make"]
    assert found.callees("a.cc:Box::other") == ["a.cc:Box", "a.cc:Box::Tree"]


@pytest.mark.parametrize("parameters", ["Row<Row<X>> && v", "Row<lib::Row<X>> v, int n", "Row<Row<X>>"])
def test_a_constructor_begins_with_a_parameter_of_nested_templates(parameters: str) -> None:
    head = "int used() { return 1; }\nstruct X {};\nstruct B { B(int n) {} };\n"
    text = f"{head}struct A : B {{ A(lib::{parameters}); }};\nA::A(lib::{parameters}) : B(used()) {{ used(); }}\n"
    found = Resolved({"a.cc": text + "void later() { used(); }\n"})
    assert found.callees("a.cc:A::A") == ["a.cc:B::B", "a.cc:used"]
    assert found.callees("a.cc:later") == ["a.cc:used"]


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ("class Win : public QWidget { void paint(int e) override {} };\n", "extends QWidget from outside"),
        ("class Win : public QWidget { virtual void paint(int e) {} };\n", "extends QWidget from outside"),
        ("class Win : public QWidget {\n private slots:\n  void paint(int e) {}\n};\n", "extends QWidget from outside"),
        (
            "class Win : Grid<int> {\n  friend class lib::core;\n  void paint(int e) {}\n};\n",
            "extends Grid from outside",
        ),
        ("class Win { friend class lib::core; void paint(int e) {} };\n", "Code outside this repository may use it"),
        ("class Win : public QWidget { void paint(int e) {} };\n", ""),
        ("class Win { virtual void paint(int e) {} };\n", ""),
        ("namespace lib { class core {}; }\nclass Win { friend class lib::core; void paint(int e) {} };\n", ""),
    ],
)
def test_code_outside_calls_private_methods_that_override_and_those_of_friends(
    tmp_path: Path, text: str, clause: str
) -> None:
    (tmp_path / "a.cc").write_text("#include <lib.h>\n" + text)
    answer = Workspace(tmp_path, workers=0, cache=False, progress=lambda *step: None).callers("Win::paint")
    assert answer.verdict is not None
    said = " ".join((answer.verdict.text, *map(str, answer.notes)))
    assert clause in said
    assert ("may" in said) == bool(clause)


def test_a_macro_above_an_empty_line_is_no_part_of_what_follows() -> None:
    files = {
        "a.hpp": "LIB_NS\n\nclass Line {\n public:\n  Line() : size() {}\n  int size;\n};\n\nLIB_NS_END\n",
        "b.cc": '#include "a.hpp"\n\nLIB_NS\n\n// begin\n\nBox::Box(const Line& l) : l(l) {\n  Line();\n}\n\nLIB_END\n',
        "box.hpp": "class Box { Box(const Line& l); };\n",
    }
    assert Resolved(files).pairs() == {("b.cc:Box::Box", "a.hpp:Line::Line")}


def test_a_macro_is_no_variable_that_a_syntax_error_makes_of_its_call(tmp_path: Path) -> None:
    text = (
        "#define SIG(name, ...) x\n  reg)(Catch::invoke(F), INFO, Catch::Tags{__VA_ARGS__}); /* NOLINT \\\n  */   \\\n"
        "  SUPPRESS_GLOBALS \\\n  SUPPRESS_VARIADIC \\\n  SUPPRESS_TEMPLATE \\\n  SIG(F, REMOVE(Signature));   \\\n"
    )
    (tmp_path / "a.hpp").write_text(text)
    workspace = Workspace(tmp_path, workers=0, cache=False, progress=lambda *step: None)
    assert [symbol.kind for symbol in workspace.symbols if symbol.name == "SIG"] == ["function"]


@pytest.mark.parametrize(
    ("files", "confidence"),
    [
        ({"a.cc": '#include "gtest.h"\n#ifndef SKIP\n#define SKIP() return\n#endif\nvoid go() { SKIP(); }\n'}, 0.9),
        ({"a.h": "#ifndef SKIP\n#define SKIP() return\n#endif\ninline void go() { SKIP(); }\n"}, 1.0),
        ({"a.h": "#ifndef SKIP\n#define SKIP() return\n#endif\ninline void go() { SKIP(); }\n",
          "b.h": '#ifndef SKIP\n#define SKIP() (void)0\n#endif\n#include "a.h"\n'}, 0.9),
    ],
)  # fmt: skip
def test_a_macro_for_want_of_another_is_not_certain_where_another_may_be(
    files: Mapping[str, str], confidence: float
) -> None:
    found = [edge for edge in Resolved(files).edges("CALLS", 0.0) if edge.source.endswith(":go")]
    assert [edge.confidence for edge in found] == [confidence]


def test_a_pure_method_with_a_definition_is_one_function() -> None:
    files = {
        "a.h": "struct Store { virtual int put(int key) = 0; virtual int put(int key, int value) = 0; };\n",
        "a.cc": '#include "a.h"\nint Store::put(int key) { return 0; }\nvoid go(Store* store) { store->put(1); }\n',
    }
    found = [(edge.target, edge.confidence) for edge in Resolved(files).edges("CALLS", 0.0)]
    assert found == [("a.cc:Store::put", 0.9)]


ITEMS = (
    "struct Item { virtual ~Item() {} virtual void run() {} };\n"
    "struct Late : Item { void run() override {} void wait() {} };\n"
    "struct Box { Item* held; std::map<int, Item> named; std::vector<std::pair<int, Late>> pairs;\n"
    "  std::map<int, std::unique_ptr<Late>> owned; };\n"
)


@pytest.mark.parametrize(
    ("body", "callees"),
    [
        ("if (auto* late = dynamic_cast<Late*>(item)) late->wait();", ["Late::wait"]),
        ("while (const auto* late = (Late*)item) late->wait();", ["Late::wait"]),
        ("if (auto late = (Late*)item; late) late->wait();", ["Late::wait"]),
        ("item->Item::run();", ["Item::run"]),
        ("for (auto& entry : box.named) entry.second.run();", ["Item::run", "Late::run"]),
        ("for (auto& [key, value] : box.owned) value->wait();", ["Late::wait"]),
        ("auto it = box.owned.find(3); it->second->wait();", ["Late::wait"]),
        ("for (auto it = box.pairs.begin(); it != box.pairs.end(); ++it) (*it).second.wait();", ["Late::wait"]),
        ("std::pair<Late, int> both; both.first.wait();", ["Late::wait"]),
    ],
)
def test_conditions_casts_and_pairs_declare_what_methods_are_called_on(body: str, callees: list[str]) -> None:
    text = f"{ITEMS}void go(Item* item, Box& box) {{ {body} }}\n"
    assert Resolved({"a.cc": text}).callees("a.cc:go") == [f"a.cc:{callee}" for callee in callees]


def test_what_is_assigned_to_a_field_does_not_narrow_its_declared_type() -> None:
    text = ITEMS + "void set(Box& box, Late* late) { box.held = late; }\nvoid go(Box& box) { box.held->run(); }\n"
    found = [edge for edge in Resolved({"a.cc": text}).edges("CALLS", 0.0) if edge.source == "a.cc:go"]
    assert {edge.target: edge.confidence >= 0.9 for edge in found} == {"a.cc:Item::run": True, "a.cc:Late::run": False}


@pytest.mark.parametrize("name", ["String", "Any", "Unit"])
def test_a_class_may_have_the_name_of_a_type_of_another_language(name: str) -> None:
    text = (
        f"namespace lib {{ namespace type {{ struct {name} {{ {name}(int n) {{}} void trim() {{}} }}; }} }}\n"
        f"namespace lib {{ typedef lib::type::{name} {name}; void go() {{ {name} text(1); text.trim(); }} }}\n"
    )
    assert Resolved({"a.cc": text}).callees("a.cc:lib::go") == [
        f"a.cc:lib::type::{name}::{name}", f"a.cc:lib::type::{name}::trim"
    ]  # fmt: skip


@pytest.mark.parametrize("given", ["(100)", "{100}", "(kinds::CHEAP)"])
def test_the_definition_of_a_static_member_constructs_it(given: str) -> None:
    text = f"struct Item {{ Item(int n) {{}} static const Item best; }};\nconst Item Item::best{given};\n"
    assert Resolved({"a.cc": text}).pairs() == {("a.cc:", "a.cc:Item::Item")}


def test_the_type_of_a_field_of_another_object_chooses_an_overload() -> None:
    text = (
        "struct Text { Text(const char* s) {} Text(const std::string& s) {} };\nstruct Row { std::string name; };\n"
        "void go(Row* row) { Text text(row->name); }\n"
    )
    found = [edge for edge in Resolved({"a.cc": text}).edges("CALLS", 0.0) if edge.confidence >= 0.9]
    assert [edge.target for edge in found] == ["a.cc:Text::Text#2"]


@pytest.mark.parametrize("name", ["base", "parent", "super"])
def test_words_that_name_a_superclass_elsewhere_are_plain_names_in_cpp(name: str) -> None:
    text = f"struct N {{ void run() {{}} }};\nstruct A {{ N* {name}; int go() {{ {name}->run(); return 1; }} }};\n"
    text += f"struct B {{ int {name}() {{ return 1; }} char go() {{ return (char)({name}()); }} }};\n"
    found = Resolved({"a.cc": text})
    assert (found.callees("a.cc:A::go"), found.callees("a.cc:B::go")) == (["a.cc:N::run"], [f"a.cc:B::{name}"])


_BOXES = """
struct Key { int id() const { return 1; } };
struct Other { int id() const { return 2; } };
class Keys { public: const Key& operator[](int i) const { return *k; } Key& operator[](int i) { return *k; } Key* k; };
template <typename T> struct Box {
  T& operator[](int i) { return p[i]; }
  T& at(int i);
  T* find(int i) { return p; }
  T* p; T first;
  int size() const { return 1; }
};
template <typename T> T& Box<T>::at(int i) { return p[i]; }
template <int N, typename T> struct Row {
  using value_type = T;
  using reference = value_type&;
  reference operator[](int i) { return p[i]; }
  T p[N];
};
struct Own : Box<Key> {};
using Named = Box<Key>;
"""


@pytest.mark.parametrize(
    ("parameter", "body", "callees"),
    [
        ("Keys& b", "b[1].id();", ["Key::id"]),
        ("Keys* b", "(*b)[1].id();", ["Key::id"]),
        ("Box<Key>& b", "b[1].id();", ["Key::id"]),
        ("Box<Key>& b", "auto& k = b[1]; k.id();", ["Key::id"]),
        ("Box<Key>& b", "b.at(1).id();", ["Box::at", "Key::id"]),
        ("Box<Key>& b", "b.find(1)->id();", ["Box::find", "Key::id"]),
        ("Box<Key>& b", "b.first.id();", ["Key::id"]),
        ("Box<Key*>& b", "b[1]->id();", ["Key::id"]),
        ("Box<Box<Key>>& b", "b[1][2].id();", ["Key::id"]),
        ("Box<std::string>& b", "b[1].size();", []),  # not the size of the box
        ("Box<Key>* b", "b[1].size();", ["Box::size"]),  # one of several boxes
        ("Row<3, Key>& b", "b[1].id();", ["Key::id"]),
        ("Own& b", "b[1].id();", ["Key::id"]),
        ("Named& b", "b[1].id();", ["Key::id"]),
    ],
)
def test_an_element_of_an_own_class_is_what_its_operator_gives(parameter: str, body: str, callees: list[str]) -> None:
    found = Resolved({"a.cc": f"{_BOXES}void go({parameter}) {{ {body} }}\n"})
    assert found.callees("a.cc:go") == [f"a.cc:{each}" for each in callees]


def test_a_type_parameter_chooses_no_overload() -> None:
    text = "struct A {};\nvoid put(const char* a) {}\nvoid put(int a) {}\n"
    text += "template <typename Item> struct Box { Item* p; Item* get() { return p; }\n"
    text += "  void go() { put(p); put(get()); } };\n"
    found = Resolved({"a.cc": text})
    assert found.callees("a.cc:Box::go", 0.6) == ["a.cc:Box::get"]
    assert found.callees("a.cc:Box::go", 0.5) == ["a.cc:Box::get", "a.cc:put", "a.cc:put#2"]


_LENT = """
struct A { void reset() {} void swap(A& a) {} void go() {} int get() { return 1; } };
struct T { std::unique_ptr<A> p; T* t; void run(); };
"""


@pytest.mark.parametrize(
    ("parameter", "body", "callees"),
    [
        ("std::unique_ptr<A> q", "p.reset(q); p.swap(q); t->p.reset(); q.release();", []),
        ("std::shared_ptr<A> q", "q.swap(p); q.get();", []),
        ("std::optional<A> q", "q.reset();", []),
        ("A& q", "q.reset(); q.get();", ["A::get", "A::reset"]),
        ("A* q", "p->reset(); (*p).swap(*q);", ["A::reset", "A::swap"]),
        ("std::shared_ptr<A> q", "q.get()->go();", ["A::go"]),
        ("std::optional<A> q", "q.value().reset();", ["A::reset"]),
        ("std::weak_ptr<A> q", "q.lock()->go();", ["A::go"]),
    ],
)
def test_a_dot_behind_a_smart_pointer_means_the_pointer(parameter: str, body: str, callees: list[str]) -> None:
    text = f"{_LENT}void go({parameter});\nvoid T::run() {{}}\nstruct U : T {{ void go({parameter}) {{ {body} }} }};\n"
    found = Resolved({"a.cc": text})
    assert found.callees("a.cc:U::go", 0.5) == [f"a.cc:{each}" for each in callees]


@pytest.mark.parametrize("tail", ["= default;", "noexcept = default;", "=default ;"])
def test_a_constructor_may_be_defaulted_outside_of_its_class(tail: str) -> None:
    text = "namespace n {\nclass A { public: A(); A(int a); ~A(); };\n"
    text += f"A::A() {tail}\nA::A(int a) {{}}\nA::~A() {tail}\n}}\n"
    found = Resolved({"a.cc": f"{text}void go() {{ n::A a; }}\nvoid other() {{ n::A a(1); }}\n"})
    assert found.callees("a.cc:go", 0.5) == ["a.cc:n::A::A"]
    assert found.callees("a.cc:other", 0.5) == ["a.cc:n::A::A#2"]


@pytest.mark.parametrize("base", ["Small", "n::Small", "Plain", "Wheel<3>"])
def test_a_class_derives_from_what_another_name_of_a_type_means(base: str) -> None:
    head = "template <int N> class Wheel { public: int most() { return N; } };\n"
    head += "namespace n { using Small = Wheel<30>; typedef Wheel<2> Plain; }\nusing n::Plain;\nusing n::Small;\n"
    text = f'#include "a.hpp"\nclass Erat : public {base} {{ int run() {{ return most(); }} }};\n'
    found = Resolved({"a.hpp": head, "b.cc": f"{text}int go(Erat& e) {{ return e.most(); }}\n"})
    assert found.callees("b.cc:Erat::run") == found.callees("b.cc:go") == ["a.hpp:Wheel::most"]
    assert ("b.cc:Erat", "a.hpp:Wheel") in found.pairs("EXTENDS")


@pytest.mark.parametrize(
    ("declared", "callees"),
    [
        ("Item b;", ["n::Item::Item", "n::Item::run"]),
        ("n::Item b;", ["n::Item::Item", "n::Item::run"]),
        ("n::Item b(1);", ["n::Item::Item#2", "n::Item::run"]),
        ("Box<Item> b;", ["Box::Box", "Box::run"]),
        ("Item* b = all;", ["n::Item::run"]),
    ],
)
def test_a_macro_before_a_local_is_no_type(declared: str, callees: list[str]) -> None:
    head = "namespace n { struct Item { Item(); Item(int a); void run() {} }; }\nusing n::Item;\n"
    head += "template <typename T> struct Box { Box() {} void run() {} };\n"
    text = f'#include "a.hpp"\nvoid go(Item* all) {{\n    UNINITIALIZED {declared}\n    b.run();\n}}\n'
    found = Resolved({"a.hpp": head + "n::Item::Item() = default;\nn::Item::Item(int a) {}\n", "b.cc": text})
    assert found.callees("b.cc:go") == [f"a.hpp:{each}" for each in callees]


def test_a_field_with_the_name_of_a_pointers_method_is_read() -> None:
    text = "struct A { int value; };\nvoid put(int a) {}\nvoid put(const char* a) {}\n"
    found = Resolved({"a.cc": f"{text}void go(A& a) {{ put(a.value); }}\n"})
    assert found.callees("a.cc:go") == ["a.cc:put"]
    assert ("a.cc:go", "a.cc:A::value") in found.pairs("USES")
