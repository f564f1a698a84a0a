"""Go: what its declarations, values and imports become."""

from __future__ import annotations

import pytest

from tests.language_facts import Said


def said(text: str, path: str = "internal/queue/queue.go", clause: str = "queue") -> Said:
    return Said("go", f"package {clause}\n" + text, path)


def in_function(body: str) -> Said:
    return said("func f() {\n" + body + "\n}\n")


# --------------------------------------------------------------------------- symbols


def test_every_kind_of_definition_is_a_symbol() -> None:
    file = said("""
        const Max, min = 10, 1
        const (
            A Kind = iota
            B
        )
        var ErrFull = errors.New("full")
        var (
            x, y int
            _ = x
        )
        type Kind int
        type Alias = Kind
        type (
            Handler func(int) error
            Pair[K comparable, V any] struct { key K; first, second V }
        )
        type Store interface {
            io.Reader
            Get(key string) (*Item, error)
        }
        func New() *Pair[int, int] { return nil }
        func (p *Pair[K, V]) Swap() {}
        func init() {}
        """)
    assert file.symbols() == {
        "Max": "constant", "min": "constant", "A": "constant", "B": "constant", "ErrFull": "constant",
        "x": "constant", "y": "constant", "Kind": "type", "Alias": "type", "Handler": "type", "Pair": "struct",
        "Pair.key": "field", "Pair.first": "field", "Pair.second": "field", "Store": "interface",
        "Store.Get": "method", "New": "function", "Pair.Swap": "method", "init": "function",
    }  # fmt: skip
    assert file.facts.errors == 0


def test_a_method_belongs_to_its_type_when_both_stand_in_the_file() -> None:
    file = said("func (q *Queue) Push() {}\ntype Queue struct{}\nfunc (o Other) Run() {}\n")
    assert file.parent("Queue.Push") == "Queue"
    assert file.parent("Other.Run") == ""
    assert file.symbol("Other.Run").fqn == "internal/queue.Other.Run"
    assert file.bindings("Queue.Push") == [("q", "Queue", "")]
    assert [b.manner for b in file.facts.bindings] == ["receiver", "receiver"]


def test_two_functions_of_one_name_have_two_ids() -> None:
    file = said("func init() {}\nfunc init() {}\n")
    ids = [s.id for s in file.facts.symbols[1:]]
    assert ids == ["internal/queue/queue.go:internal/queue.init", "internal/queue/queue.go:internal/queue.init#2"]


@pytest.mark.parametrize(
    ("path", "clause", "module", "name"),
    [
        ("internal/queue/queue.go", "queue", "internal/queue", "queue"),
        ("cmd/app/main.go", "main", "cmd/app", "main"),
        ("cobra.go", "cobra", "cobra", "cobra"),
        ("cobra_test.go", "cobra_test", "cobra_test", "cobra_test"),
        ("queue/queue_test.go", "queue", "queue", "queue"),
        ("queue/api_test.go", "queue_test", "queue_test", "queue_test"),
        ("go-yaml/y.go", "yaml", "go-yaml", "yaml"),
    ],
)
def test_the_module_is_the_folder_and_its_symbol_has_the_packages_name(
    path: str, clause: str, module: str, name: str
) -> None:
    file = said("", path, clause)
    assert file.facts.module == module
    assert file.facts.symbols[0].name == name


def test_docs_come_from_the_comments_above_without_directives() -> None:
    file = Said(
        "go",
        """\
        // Copyright somebody.

        // Package queue holds
        // items.
        package queue

        // Push adds.
        //
        // It never blocks.
        //go:noinline
        func Push() {}

        const (
            // Max is how many.
            Max = 1
            Min = 2 // not this one's
        )

        // not for it

        type Queue struct{}
        """,
        "queue/q.go",
    )
    assert file.facts.symbols[0].doc == "Package queue holds\nitems."
    assert file.symbol("Push").doc == "Push adds.\n\nIt never blocks."
    assert file.symbol("Max").doc == "Max is how many."
    assert file.symbol("Queue").doc == ""


def test_signatures_are_heads_on_one_line() -> None:
    file = said("""
        func Push(
            item Item,
            more ...Item,
        ) (n int, err error) {
            return
        }
        type Queue[T any] struct {
            items []T
        }
        type Store interface {
            Get(
                key string,
            ) error
        }
        type Handler func(int) error
        var table = map[string]int{
            "a": 1,
        }
        """)
    assert file.symbol("Push").signature == "func Push( item Item, more ...Item, ) (n int, err error)"
    assert file.symbol("Queue").signature == "type Queue[T any] struct"
    assert file.symbol("Queue.items").signature == "items []T"
    assert file.symbol("Store").signature == "type Store interface"
    assert file.symbol("Store.Get").signature == "Get( key string, ) error"
    assert file.symbol("Handler").signature == "type Handler func(int) error"
    assert file.symbol("table").signature == "var table = map[string]int"


def test_a_lone_declaration_is_its_symbols_span_and_a_grouped_one_only_its_line() -> None:
    file = said("type A struct {\n}\ntype (\n\tB struct {\n\t}\n\tC int\n)\n")
    spans = {name: file.symbol(name).span[:2] for name in ("A", "B", "C")}
    assert spans == {"A": (2, 3), "B": (5, 6), "C": (7, 7)}
    start, end = file.symbol("A").span[2:]
    assert file.file.file.text.encode()[start:end] == b"type A struct {\n}"


# --------------------------------------------------------------------------- types


def test_fields_and_embedding() -> None:
    file = said("type Q struct {\n\t*Base\n\tpkg.Other\n\tmu sync.Mutex `x`\n\ta, b []*Item\n}\n")
    assert file.bindings("Q", "field") == [
        ("Base", "Base", ""), ("Other", "pkg.Other", ""), ("mu", "sync.Mutex", ""), ("a", "[]*Item", ""),
        ("b", "[]*Item", ""),
    ]  # fmt: skip
    assert file.bases() == [("Q", "embeds", "Base"), ("Q", "embeds", "pkg.Other")]


def test_interfaces_embed_interfaces_but_not_type_sets() -> None:
    file = said("type S interface {\n\tio.Reader\n\tGen[int]\n\t~int | ~string\n}\n")
    assert file.bases() == [("S", "embeds", "io.Reader"), ("S", "embeds", "Gen")]


@pytest.mark.parametrize("value", ["(*Queue)(nil)", "Queue{}", "&Queue{}", "new(Queue)"])
def test_a_blank_variable_asserts_an_implementation(value: str) -> None:
    assert said(f"var _ Store = {value}\n").bases() == [("Queue", "implements", "Store")]


def test_aliases_and_defined_types() -> None:
    file = said("type A = *pkg.Item\ntype L []Item\n")
    assert file.bindings("", "type") == [("A", "*pkg.Item", "pkg.Item")]
    assert file.bindings("L", "type") == [("%underlying", "[]Item", "")]


def test_type_parameters_are_bound_and_no_uses() -> None:
    file = said("func Map[T any, U Number](xs []T) U { var u U; return u }\nfunc (q *Q[V]) Get() V { return q.v }\n")
    assert file.bindings("Map", "type") == [("T", "any", ""), ("U", "Number", "")]
    assert file.bindings("Q.Get", "type") == [("V", "", "")]
    assert file.references("type") == ["Number"]


# --------------------------------------------------------------------------- functions


def test_parameters_and_results() -> None:
    file = said("func F(a, b int, _ string, fs ...func() error) (n int, err error) { return }\n")
    assert [(b.name, b.manner, b.type) for b in file.facts.bindings] == [
        ("a", "parameter", "int"), ("b", "parameter", "int"), ("_2", "parameter", "string"),
        ("fs", "rest", "[]func() error"), ("n", "variable", "int"), ("err", "variable", "error"),
    ]  # fmt: skip
    assert file.returns("F") == [("type", "(int, error)")]


def test_unnamed_parameters_keep_their_places() -> None:
    file = said("type S interface { Do(context.Context, string) error }\n")
    assert file.bindings("S.Do") == [("_0", "context.Context", ""), ("_1", "string", "")]
    assert file.returns("S.Do") == [("type", "error")]


def test_returned_values() -> None:
    file = said("func F() any { return New() }\nfunc G() (func(), error) { return func() {}, nil }\n")
    assert file.returns("F") == [("type", "any"), ("return", "New()")]
    assert file.returns("G") == [("type", "(func(), error)"), ("return", "%tuple:3:27")]
    assert file.bindings("G") == [("%tuple:3:27[0]", "", "%fn:3:34")]


def test_function_literals_are_lambdas_with_their_own_scope() -> None:
    file = in_function("go run(func(n int) error { return g(n) })\ndefer func() { h() }()")
    assert list(file.symbols(lambdas=True)) == ["f", "f.<lambda:3:7>", "f.<lambda:4:6>"]
    assert file.references("call", "f") == ["run", "%fn:4:6"]
    assert file.references("call", "f.<lambda:3:7>") == ["g"]
    assert file.args("run") == ("%fn:3:7",)
    assert file.bindings("f.<lambda:3:7>") == [("n", "int", "")]


# --------------------------------------------------------------------------- names and values


@pytest.mark.parametrize(
    ("statement", "bound"),
    [
        ("a, err := g()", [("a", "", "g()[0]"), ("err", "", "g()[1]")]),
        ("a, b := x, y.z", [("a", "", "x"), ("b", "", "y.z")]),
        ("v, ok := m[k]", [("v", "", "m[]"), ("ok", "", "%bool")]),
        ("v, ok := <-ch", [("v", "", "ch[]"), ("ok", "", "%bool")]),
        ("v, ok := x.(*Item)", [("v", "", "%type(*Item)"), ("ok", "", "%bool")]),
        ("v := x.(fmt.Stringer)", [("v", "", "%type(fmt.Stringer)")]),
        ("q := &Queue{}", [("q", "", "Queue()")]),
        ("q := pkg.Queue[int]{A: 1}", [("q", "", "pkg.Queue()")]),
        ("q := new(Queue)", [("q", "", "Queue()")]),
        ("ch := make(chan *Job, 3)", [("ch", "", "%type(chan *Job)")]),
        ("xs := []Item{{A: 1}}", [("xs", "", "%type([]Item)")]),
        ("b := []byte(s)", [("b", "", "%type([]byte)")]),
        ("r := Map[int](xs)", [("r", "", "Map()")]),
        ("var z, w = g(), 3", [("z", "", "g()"), ("w", "", "%num")]),
        ("var s Store = nil", [("s", "Store", "")]),
        ("f := q.Push", [("f", "", "q.Push")]),
        ("q.handler = run", [("q.handler", "", "run")]),
        ('m["x"] = run', [('m["x"]', "", "run")]),
        ("xs = append(xs, run, 1)", [("xs[]", "", "run")]),
        ("x := *(&y)", [("x", "", "y")]),
        ("x := ys[1:2]", [("x", "", "ys")]),
        ("_ = g()", []),
        ("a += b", []),
    ],
)
def test_values_have_paths(statement: str, bound: list[tuple[str, str, str]]) -> None:
    assert sorted(in_function(statement).bindings("f")) == sorted(bound)


def test_range_binds_elements() -> None:
    file = in_function("for i, x := range q.items {}\nfor job := range ch {}\nfor range 3 {}")
    assert [(b.name, b.manner, b.value) for b in file.facts.bindings] == [
        ("i", "variable", ""), ("x", "element", "q.items"), ("job", "element", "ch"),
    ]  # fmt: skip


def test_type_switches_narrow_by_case_and_select_receives() -> None:
    file = in_function(
        "switch t := x.(type) {\ncase *Item, Foo:\n\tt.Do()\ncase nil:\n}\nselect {\ncase m := <-ch:\n\tm.X()\n}"
    )
    assert file.bindings("f") == [("t", "", "x"), ("t", "*Item | Foo", ""), ("m", "", "ch[]")]
    assert [(b.line, b.sure) for b in file.facts.bindings if b.manner == "pattern"] == [(4, 5)]  # the case's lines
    assert file.references("call") == ["t.Do", "m.X"]


def test_constants_repeat_the_type_above_them() -> None:
    file = said("const (\n\tA Kind = iota\n\tB\n\tC = 3\n\tD\n)\n")
    assert file.bindings("") == [("A", "Kind", "%num"), ("B", "Kind", ""), ("C", "", "%num"), ("D", "", "")]


def test_literals_that_hold_functions_are_containers_with_fields() -> None:
    file = in_function(
        't := map[string]func(){"a": run, "b": func() {}}\nl := []Step{first, q.second}\nn := []int{1, 2}'
    )
    assert file.bindings("f", "variable") == [
        ("t", "", "%dict:3:5"), ("l", "", "%list:4:5"), ("n", "", "%type([]int)"),
    ]  # fmt: skip
    assert file.bindings("f", "field") == [
        ('%dict:3:5["a"]', "", "run"), ('%dict:3:5["b"]', "", "%fn:3:38"),
        ("%list:4:5[0]", "", "first"), ("%list:4:5[1]", "", "q.second"),
    ]  # fmt: skip


# --------------------------------------------------------------------------- uses


def test_constructions_tell_what_goes_into_which_field() -> None:
    file = in_function("use(&Queue{store: s, size: 3, run: q.Run}, Point{x, 2}, []Cmd{{Run: go1}, {Name: n}})")
    assert file.references("new") == ["Queue", "Point", "Cmd", "Cmd"]
    assert file.args("Queue") == ("store=s", "run=q.Run")
    assert file.args("Point") == ("x", "%num")
    assert file.args("Cmd") == ("Run=go1",)
    assert file.args("use") == ("Queue()", "Point()", "%type([]Cmd)")


@pytest.mark.parametrize(
    ("statement", "calls"),
    [
        ("q.mu.Lock()", ["q.mu.Lock"]),
        ("defer q.Close()", ["q.Close"]),
        ("a.b().c(d())", ["a.b().c", "a.b", "d"]),
        ("x.(*Item).Do()", ["%type(*Item).Do"]),
        ("(&Item{}).Do()", ["Item().Do"]),
        ("xs[0].Do()", ["xs[].Do"]),
        ("Map[int, string](xs, fn)", ["Map"]),
        ("pkg.Map[int](xs)", ["pkg.Map"]),
        ("append(xs, f)[0].Do()", ["xs[].Do"]),
        ("new(Item).Do()", ["Item().Do"]),
        ("F(args...)", ["F"]),
    ],
)
def test_calls_have_paths(statement: str, calls: list[str]) -> None:
    assert in_function(statement).references("call") == calls


def test_reads_are_told_once_and_calls_are_no_reads() -> None:
    file = in_function("if q.size > Max && q.a.b() { use(pkg.Const, q.items[i]) }\nswitch k { case A: }")
    assert file.references("read") == ["q.size", "pkg.Const", "q.items"]
    assert file.references("access") == ["Max", "i", "k", "A"]
    assert file.args("use") == ("pkg.Const", "q.items[]")


def test_spread_arguments_carry_a_star() -> None:
    assert in_function("F(a, bs...)").args("F") == ("a", "*bs")


def test_types_in_signatures_belong_to_the_function() -> None:
    file = said("func F(a map[string]*Item) (pkg.Out, error) { return nil, nil }\ntype T struct { s Store }\n")
    assert file.references("type", "F") == ["Item", "pkg.Out"]
    assert file.references("type", "T") == ["Store"]
    assert file.references("type", "") == []


def test_imports() -> None:
    file = said("""
        import "context"
        import (
            nethttp "net/http"
            . "fmt"
            _ "embed"
            "example.com/m/v2"
            "gopkg.in/yaml.v3"
            "example.com/go-toml/v2"
        )
        """)
    assert file.imports() == [
        ("context", "context", ""), ("nethttp", "net/http", ""), ("*", "fmt", "*"), ("_", "embed", ""),
        ("m", "example.com/m/v2", ""), ("yaml", "gopkg.in/yaml.v3", ""),
        ("toml", "example.com/go-toml/v2", ""),
    ]  # fmt: skip


# --------------------------------------------------------------------------- what the grammar does not know


@pytest.mark.parametrize(
    "value",
    [
        "uint64(10)",
        "m.id()",
        '"text"',
        "10",
        "-1",
        "true",
        "list[0]",
        "list[n].id",
        "list[n].id()",
        "a + b",
        "T{a: 1}",
        "x[T](y)",
    ],
)
def test_new_of_a_value(value: str) -> None:
    file = in_function(f"one := new({value})\nother := run(one)\nstop()")
    assert file.facts.errors == 0
    assert [name for name, _, _ in file.bindings("f") if not name.startswith("%")] == ["one", "other"]
    assert file.references("call")[-2:] == ["run", "stop"]


def test_new_of_a_type_stays_beside_new_of_a_value() -> None:
    file = in_function(
        "a, b := new(T), new(find())\nc := new(func() error)\nd := new(struct{ x int })\ne := new(map[K]V)"
    )
    assert file.facts.errors == 0
    assert file.references("new") == ["T"]
    assert file.references("call") == ["find"]


# --------------------------------------------------------------------------- depth


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("(", ")"), ("f(", ")"), ("func() { ", "}()"), ("[]T{", "}"), ("T{a: ", "}"), ("append(", ", x)"), ("&", ""),
        ("<-", ""), ("x.(T).", "y"), ("a.b().", "c()"), ("new(", ")"), ("Foo[int](", ")"), ("[", ")"),
    ],
)  # fmt: skip
def test_deep_expressions_are_read_without_recursion(opening: str, closing: str) -> None:
    file = in_function(f"x := {opening * 1500}x{closing * 1500}\n}}\nfunc last() {{")
    assert {"f", "last"} & set(file.symbols())
