"""What names mean in Go."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from codeexplore import Workspace
from codeexplore.languages.go.extractor import is_left_out
from tests.git_repos import write
from tests.resolved import Resolved

MODULE = "module example.org/shop\n\ngo 1.21\n"


def go(root: Path, files: Mapping[str, str]) -> Resolved:
    return Resolved({"go.mod": MODULE, **files}, root)


# --------------------------------------------------------------------------- packages and scopes


def test_a_package_is_all_files_of_its_folder(tmp_path: Path) -> None:
    made = go(tmp_path, {
        "stock/a.go": "package stock\nfunc Take() { count() }\n",
        "stock/b.go": "package stock\nfunc count() { helper.Help() }\ntype helperType struct{}\nvar helper helperType\n"
        "func (helperType) Help() {}\n",
        "other/b.go": "package other\nfunc count() {}\n",
    })  # fmt: skip
    assert made.callees("a.go:Take", 0.9) == ["b.go:count"]
    assert made.callees("b.go:count", 0.9) == ["b.go:helperType.Help"]


def test_elements_of_an_array_whose_length_is_an_expression(tmp_path: Path) -> None:
    made = go(tmp_path, {
        "tree/tree.go": """
            package tree
            const last = 3
            type node struct { children [last + 1]nodes }
            type nodes []*node
            func (n *node) find() {}
            func (ns nodes) find() {}
            func walk(n *node) {
                for _, ns := range n.children { ns.find() }
            }
            func first(n *node) { n.children[0][0].find() }
            """,
    })  # fmt: skip
    assert made.callees("tree.go:walk", 0.9) == ["tree.go:nodes.find"]
    assert made.callees("tree.go:first", 0.9) == ["tree.go:node.find"]


def test_imports_by_module_path_alias_and_dot(tmp_path: Path) -> None:
    made = go(tmp_path, {
        "money/money.go": "package money\nfunc Round() {}\nfunc Add() {}\n",
        "deep/tax/tax.go": "package tax\nfunc Rate() {}\n",
        "main.go": """
            package main
            import (
                "fmt"
                m "example.org/shop/money"
                . "example.org/shop/deep/tax"
            )
            func main() { m.Round(); Rate(); fmt.Println() }
            """,
    })  # fmt: skip
    assert made.callees("main.go:main", 0.9) == ["money.go:Round", "tax.go:Rate"]
    assert "fmt.Println" in made.outside()


def test_external_test_packages_see_only_what_they_import(tmp_path: Path) -> None:
    made = go(tmp_path, {
        "cart/cart.go": "package cart\nfunc Total() {}\nfunc inner() {}\n",
        "cart/in_test.go": 'package cart\nimport "testing"\nfunc TestIn(t *testing.T) { Total(); inner() }\n',
        "cart/out_test.go": """
            package cart_test
            import (
                "testing"
                "example.org/shop/cart"
            )
            func Total() {}
            func TestOut(t *testing.T) { cart.Total(); Total() }
            """,
    })  # fmt: skip
    assert made.callees("in_test.go:TestIn") == ["cart.go:Total", "cart.go:inner"]
    assert made.callees("out_test.go:TestOut") == ["cart.go:Total", "out_test.go:Total"]


def test_a_variable_may_have_the_name_of_its_package_or_type(tmp_path: Path) -> None:
    made = go(tmp_path, {
        "job/job.go": "package job\ntype Job struct{}\nfunc New() *Job { return &Job{} }\nfunc (j *Job) Run() {}\n",
        "main.go": """
            package main
            import "example.org/shop/job"
            func one() { job := job.New(); job.Run() }
            func two(job job.Job) { job.Run() }
            """,
    })  # fmt: skip
    assert made.callees("main.go:one") == ["job.go:Job.Run", "job.go:New"]
    assert made.callees("main.go:two") == ["job.go:Job.Run"]


# --------------------------------------------------------------------------- methods and types

QUEUE = """
    package queue
    type Queue interface { Push(n int) error; Len() int }
    type Memory struct { items []int }
    func NewMemory() (*Memory, error) { return &Memory{}, nil }
    func (m *Memory) Push(n int) error { return m.check() }
    func (m Memory) Len() int { return 0 }
    func (m *Memory) check() error { return nil }
    type Journal struct { *Memory; path string }
    func (j *Journal) Push(n int) error { return j.Memory.Push(n) }
    type Wrong struct{}
    func (Wrong) Push(n string) error { return nil }
    func (Wrong) Len() int { return 0 }
    func fill(q Queue) { q.Push(1) }
    func use() {
        m, err := NewMemory()
        if err != nil { return }
        m.Push(1)
        j := &Journal{Memory: m}
        j.Len()
        j.check()
    }
    """


def test_receivers_embedding_and_several_results(tmp_path: Path) -> None:
    made = go(tmp_path, {"queue.go": QUEUE})
    assert made.callees("queue.go:Memory.Push") == ["queue.go:Memory.check"]
    assert made.callees("queue.go:Journal.Push") == ["queue.go:Memory.Push"]
    assert made.callees("queue.go:use") == [
        "queue.go:Memory.Len", "queue.go:Memory.Push", "queue.go:Memory.check", "queue.go:NewMemory",
    ]  # fmt: skip
    assert ("queue.go:Journal", "queue.go:Memory") in made.pairs("EXTENDS")


def test_interfaces_are_satisfied_by_method_sets(tmp_path: Path) -> None:
    made = go(tmp_path, {"queue.go": QUEUE})
    assert made.pairs("IMPLEMENTS") == {
        ("queue.go:Memory", "queue.go:Queue"), ("queue.go:Journal", "queue.go:Queue"),
    }  # fmt: skip
    assert made.callees("queue.go:fill") == ["queue.go:Journal.Push", "queue.go:Memory.Push", "queue.go:Queue.Push"]
    overrides = made.pairs("OVERRIDES")
    assert ("queue.go:Journal.Push", "queue.go:Queue.Push") in overrides
    assert ("queue.go:Journal.Push", "queue.go:Memory.Push") in overrides


def test_methods_in_lower_case_satisfy_only_in_their_package(tmp_path: Path) -> None:
    made = go(tmp_path, {
        "a/a.go": "package a\ntype sealed interface{ mark() }\ntype In struct{}\nfunc (In) mark() {}\n",
        "b/b.go": "package b\ntype Out struct{}\nfunc (Out) mark() {}\n",
    })  # fmt: skip
    assert made.pairs("IMPLEMENTS") == {("a.go:In", "a.go:sealed")}


def test_a_conversion_of_an_unknown_value_gives_the_interface(tmp_path: Path) -> None:
    made = go(tmp_path, {"a.go": """
        package a
        type Named interface { Name() }
        func run() { x := Named(&Missing{}); x.Name() }
        """})  # fmt: skip
    assert made.callees("a.go:run") == ["a.go:Named.Name"]


def test_an_embedded_interface_leads_to_what_satisfies_it(tmp_path: Path) -> None:
    made = go(tmp_path, {"a.go": """
        package a
        type Store interface { Save() }
        type Disk struct{}
        func (Disk) Save() {}
        type Guard struct { Store }
        func run(g Guard) { g.Save() }
        """})  # fmt: skip
    assert made.callees("a.go:run") == ["a.go:Disk.Save", "a.go:Store.Save"]


def test_elements_of_slices_maps_channels_and_defined_types(tmp_path: Path) -> None:
    made = go(tmp_path, {"a.go": """
        package a
        type Item struct{}
        func (i *Item) Ship() {}
        type Items []*Item
        type Book map[string]*Item
        func (b Book) All() { for _, i := range b { i.Ship() } }
        func slice(xs []*Item) { for _, x := range xs { x.Ship() } }
        func defined(xs Items) { for _, x := range xs { x.Ship() }; xs[0].Ship() }
        func table(m map[string]*Item) { if x, ok := m["a"]; ok { x.Ship() } }
        func channel(c chan *Item) { x := <-c; x.Ship() }
        func added() { var xs []*Item; xs = append(xs, &Item{}); xs[0].Ship() }
        """})  # fmt: skip
    for name in ("Book.All", "slice", "defined", "table", "channel", "added"):
        assert made.callees(f"a.go:{name}") == ["a.go:Item.Ship"], name


# --------------------------------------------------------------------------- function values


def test_function_values_method_values_and_defined_function_types(tmp_path: Path) -> None:
    made = go(tmp_path, {"a.go": """
        package a
        import "net/http"
        type Handler interface { Handle() }
        type HandlerFunc func()
        func (f HandlerFunc) Handle() { f() }
        func noop() {}
        func build() Handler { return HandlerFunc(noop) }
        var table = map[string]func(){"noop": noop}
        func named() { table["noop"]() }
        func passed(f func()) { f() }
        func pass() { passed(noop) }
        type Server struct{}
        func (s *Server) jobs(w http.ResponseWriter, r *http.Request) {}
        func routes(s *Server) { http.HandleFunc("/jobs", s.jobs) }
        func expression(s *Server) { f := (*Server).jobs; f(s, nil, nil) }
        """})  # fmt: skip
    assert made.callees("a.go:HandlerFunc.Handle") == ["a.go:noop"]
    assert made.callees("a.go:named") == ["a.go:noop"]
    assert made.callees("a.go:passed") == ["a.go:noop"]
    assert made.callees("a.go:routes") == ["a.go:Server.jobs"]
    assert made.callees("a.go:expression") == ["a.go:Server.jobs"]
    assert made.callees("a.go:build") == []


def test_assertions_and_type_switches(tmp_path: Path) -> None:
    made = go(tmp_path, {"a.go": """
        package a
        type Cat struct{}
        func (Cat) Purr() {}
        type Dog struct{}
        func (*Dog) Bark() {}
        func one(x any) { x.(Cat).Purr() }
        func two(x any) {
            switch v := x.(type) {
            case Cat: v.Purr()
            case *Dog: v.Bark()
            }
        }
        """})  # fmt: skip
    assert made.callees("a.go:one") == ["a.go:Cat.Purr"]
    assert made.callees("a.go:two") == ["a.go:Cat.Purr", "a.go:Dog.Bark"]


def test_generic_functions_and_bounds(tmp_path: Path) -> None:
    made = go(tmp_path, {"a.go": """
        package a
        type Shape interface { Area() int }
        type Square struct{}
        func (Square) Area() int { return 1 }
        func Sum[T Shape](xs []T) { for _, x := range xs { x.Area() } }
        func use() { Sum[Square]([]Square{}) }
        """})  # fmt: skip
    assert made.callees("a.go:Sum") == ["a.go:Shape.Area", "a.go:Square.Area"]
    assert made.callees("a.go:use") == ["a.go:Sum"]


def test_what_is_not_known_stays_unresolved(tmp_path: Path) -> None:
    made = go(tmp_path, {"a.go": """
        package a
        type A struct{}
        func (A) Close() {}
        func run(f unknown) { f.Close() }
        """})  # fmt: skip
    assert made.callees("a.go:run") == []
    assert "Close" in made.unresolved()


def test_each_case_of_a_type_switch_has_its_own_type(tmp_path: Path) -> None:
    made = go(tmp_path, {"a.go": """package shop

type Node interface { Pos() int }
type A struct{}
func (a *A) Pos() int { return 1 }
type B struct{}
func (b *B) Pos() int { return 1 }
type C struct{}
func (c C) Pos() int { return 1 }
func one(n Node) { switch n := n.(type) { case nil:
    case *A:
        n.Pos()
    default: } }
func two(n Node) { switch n := n.(type) {
    case *B, C:
        n.Pos()
    } }
func rest(n Node) { switch m := n.(type) {
    case *B:
    default:
        m.Pos()
    } }
func unnamed(x interface{}) { switch v := x.(type) {
    case []*A:
        v[0].Pos()
    case map[string]C:
        v["a"].Pos()
    } }
"""})  # fmt: skip
    assert made.callees("a.go:one") == ["a.go:A.Pos"]
    assert made.callees("a.go:two") == ["a.go:B.Pos", "a.go:C.Pos"]
    assert made.callees("a.go:rest") == ["a.go:A.Pos", "a.go:B.Pos", "a.go:C.Pos", "a.go:Node.Pos"]
    assert made.callees("a.go:unnamed") == ["a.go:A.Pos", "a.go:C.Pos"]


VARIANTS = {
    "labels/plain.go": """//go:build !sliced && !deduped

package labels

type Labels struct{}
func (l Labels) Get() int { return 1 }
func Make() Labels { return Labels{} }
func (c *Common) grow() {}
""",
    "labels/sliced.go": """// Copyright

//go:build sliced

package labels

type Labels struct{}
func (l Labels) Get() int { return 2 }
func Make() Labels { return Labels{} }
func (c *Common) grow() {}
func onlySliced() {}
func inside() { Make().Get() }
""",
    "labels/common.go": """package labels

type Common struct{}
type Getter interface { Get() int }
func use(x Labels, c *Common, g Getter) { x.Get(); Make(); c.grow(); onlySliced() }
func dispatched(g Getter) { g.Get() }
""",
}


def test_files_that_only_tags_compile_stand_back(tmp_path: Path) -> None:
    made = go(tmp_path, VARIANTS)
    assert made.callees("common.go:use") == [
        "plain.go:Common.grow", "plain.go:Labels.Get", "plain.go:Make", "sliced.go:onlySliced",
    ]  # fmt: skip
    assert made.callees("common.go:dispatched") == ["common.go:Getter.Get", "plain.go:Labels.Get"]
    assert made.callees("sliced.go:inside") == ["sliced.go:Labels.Get", "sliced.go:Make"]


@pytest.mark.parametrize(
    ("constraint", "left_out"),
    [
        ("ignore", True), ("linux", False), ("!windows", False), ("linux && integration", True),
        ("go1.18 && gc", False), ("!go1.18", True), ("(linux || darwin) && !race", False),
        ("race || tools // why", True), ("", False),
        ("linux || integration", False), ("!(a || b)", False), ("((", False), ("a &&", True),
    ],
)  # fmt: skip
def test_build_constraints(constraint: str, left_out: bool) -> None:
    assert is_left_out(f"// text\n\n//go:build {constraint}\n\npackage a\n".encode()) is left_out


@pytest.mark.parametrize(
    ("lines", "left_out"),
    [
        ("// +build ignore", True), ("//+build binary_log", True), ("// +build !binary_log", False),
        ("// +build linux,integration", True), ("// +build linux integration", False), ("// +build a,b c", True),
        ("// +build linux\n// +build tools", True), ("// +build linux\n// +build !tools", False),
        ("//go:build linux\n// +build ignore", False), ("// about +build ignore", False),
    ],
)  # fmt: skip
def test_build_constraints_of_older_sources(lines: str, left_out: bool) -> None:
    assert is_left_out(f"{lines}\n\npackage a\n".encode()) is left_out
    assert is_left_out(f"{lines}\r\n\r\npackage a\r\n".encode()) is left_out


def test_a_constraint_stands_above_the_package_clause() -> None:
    assert not is_left_out(b"package a\n\n//go:build ignore\n")
    assert not is_left_out(b"// +build ignore\npackage a\n")


def test_a_function_that_other_builds_have_is_not_said_to_be_unused(tmp_path: Path) -> None:
    write(tmp_path, {
        "log/json.go": "// +build !binary\n\npackage log\n\nfunc add() {}\n",
        "log/cbor.go": "// +build binary\n\npackage log\n\nfunc add() {}\n\nfunc lost() {}\n",
        "log/event.go": "package log\n\nfunc Write() { add() }\n",
    })  # fmt: skip
    ws = Workspace(tmp_path, cache=False, workers=0)
    assert [each.symbol_id.rpartition(".")[2] for each in ws.dead_code(["unused"])] == ["lost"]


def test_a_variable_that_a_tag_defines_again(tmp_path: Path) -> None:
    """The file without a tag gives the variable its value."""
    variant = '// +build {tag}\n\npackage log\n\nimport "m/{name}"\n\nvar enc = {name}.Encoder{{}}\n'
    coded = "package {name}\n\ntype Encoder struct{{}}\n\nfunc (Encoder) Append() {{}}\n"
    made = go(tmp_path, {
        "go.mod": "module m\n",
        "log/json.go": variant.format(tag="!binary", name="json"),
        "log/cbor.go": variant.format(tag="binary", name="cbor"),
        "log/event.go": "package log\n\nfunc write() { enc.Append() }\n",
        "json/json.go": coded.format(name="json"),
        "cbor/cbor.go": coded.format(name="cbor"),
    })  # fmt: skip
    assert made.callees("event.go:write") == ["json.go:Encoder.Append"]


def test_a_function_put_into_a_field_of_a_parameter(tmp_path: Path) -> None:
    made = go(tmp_path, {"a.go": """package shop

type S struct { cb func() }
func work() {}
func run(s *S) { s.cb = work; s.cb() }
"""})  # fmt: skip
    assert made.callees("a.go:run") == ["a.go:work"]


def test_vendored_packages(tmp_path: Path) -> None:
    made = go(tmp_path, {
        "vendor/github.com/x/lib/lib.go": "package lib\n\nfunc Do() {}\n",
        "main.go": 'package main\n\nimport "github.com/x/lib"\n\nfunc run() { lib.Do() }\n',
    })  # fmt: skip
    assert made.callees("main.go:run") == ["lib.go:Do"]


def test_a_conversion_to_an_interface_keeps_the_value() -> None:
    graph = Resolved({"m.go": """
        package m
        type I interface { Run() }
        type T struct{}
        func (t *T) Run() {}
        type U struct{}
        func (u U) Run() {}
        func literal() {
          w := I(&T{})
          w.Run()
        }
        func value() { I(U{}).Run() }
        func variable(t *T) {
          w := I(t)
          w.Run()
        }
        """})  # fmt: skip
    assert graph.callees("m.go:literal") == ["m.go:I.Run", "m.go:T.Run"]
    assert graph.rule("m.go:literal", "m.go:T.Run") == "type"
    assert graph.callees("m.go:value") == ["m.go:I.Run", "m.go:U.Run"]
    assert "m.go:T.Run" in graph.callees("m.go:variable")


@pytest.mark.parametrize(
    ("manifest", "expected"),
    [
        ("module shop.org/app\nreplace shop.org/kit => ../fork\n", ["fork.go:Make"]),
        ("module shop.org/app\nreplace (\n\tshop.org/kit v1.2.0 => ../fork // ours\n)\n", ["fork.go:Make"]),
        ('module shop.org/app\nreplace "shop.org/kit" => "shop.org/copy" v1.0.0\n', ["fork.go:Make"]),
        ("module shop.org/app\nreplace shop.org/kit => ../missing\n", []),
        ("module shop.org/app\n// replace shop.org/kit => ../fork\n", ["kit.go:Make"]),
        ("module shop.org/app\nreplace shop.org/kit/v2 => ../fork\n", ["kit.go:Make"]),
    ],
)
def test_a_replaced_module_is_the_folder_that_replaces_it(tmp_path: Path, manifest: str, expected: list[str]) -> None:
    files = {
        "app/go.mod": manifest,
        "app/main.go": 'package main\nimport "shop.org/kit/part"\nfunc main() { part.Make() }\n',
        "kit/go.mod": "module shop.org/kit\n",
        "kit/part/kit.go": "package part\nfunc Make() {}\n",
        "fork/go.mod": "module shop.org/copy\n",
        "fork/part/fork.go": "package part\nfunc Make() {}\n",
    }
    assert Resolved(files, tmp_path).callees("main.go:main") == expected


def test_a_workspace_may_replace_modules_of_all_its_members(tmp_path: Path) -> None:
    files = {
        "go.work": "go 1.22\nuse (\n\t./app\n)\nreplace shop.org/kit v1.0.0 => ./fork\n",
        "app/go.mod": "module shop.org/app\n",
        "app/main.go": 'package main\nimport "shop.org/kit"\nfunc main() { kit.Make() }\n',
        "fork/fork.go": "package kit\nfunc Make() {}\n",
    }
    assert Resolved(files, tmp_path).callees("main.go:main") == ["fork.go:Make"]


def test_a_declared_result_is_as_certain_after_several_returns(tmp_path: Path) -> None:
    made = go(tmp_path, {"a.go": """package a
        type Page struct{}
        func (p *Page) Turn() {}
        type Book struct{ pages []*Page }
        func (b *Book) at(n int) (*Page, error) {
            if n > 3 { return &Page{}, nil }
            if n > 2 { return fresh(), nil }
            return b.pages[n], nil
        }
        func fresh() *Page { return new(Page) }
        func read(b *Book) { p, _ := b.at(1); p.Turn() }
        """})  # fmt: skip
    assert made.callees("a.go:read", 0.9) == ["a.go:Book.at", "a.go:Page.Turn"]


def test_a_generic_function_is_called_with_its_type_arguments(tmp_path: Path) -> None:
    made = go(tmp_path, {
        "a.go": 'package a\nimport "example.org/shop/kit"\n'
        "type K struct{}\nfunc (K) Go() {}\nfunc make1[T any]() T { var t T; return t }\n"
        "func run() { make1[*K](); make1[[]K](); kit.New[K](); ops[0]() }\nvar ops = []func(){op}\nfunc op() {}\n",
        "kit/kit.go": "package kit\nfunc New[T any]() *T { return nil }\n",
    })  # fmt: skip
    assert made.callees("a.go:run", 0.9) == ["a.go:make1", "a.go:op", "kit.go:New"]


def test_a_method_expression_of_an_interface_runs_the_methods_that_satisfy_it(tmp_path: Path) -> None:
    made = go(tmp_path, {"a.go": """package a
        type Sound interface{ Play() }
        type Bell struct{}
        func (Bell) Play() {}
        func all(s Sound) { Sound.Play(s) }
        func one(b Bell) { Bell.Play(b) }
        """})  # fmt: skip
    assert made.callees("a.go:all") == ["a.go:Bell.Play", "a.go:Sound.Play"]
    assert made.callees("a.go:one") == ["a.go:Bell.Play"]


@pytest.mark.parametrize(
    ("code", "calls"),
    [
        ("tell := func() {}; tell()", False),
        ("var tell func(); tell()", False),
        ("tell := tell(); tell.Go()", True),
        ("if tell := slot(); tell != nil { tell() }", False),
        ("if tell := slot(); tell != nil { tell() }; tell()", True),
        ("for _, tell := range all { tell() }", False),
        ("for tell := first; ; { tell() }", False),
        ("switch tell := x.(type) { case func(): tell() }", False),
        ("select { case tell := <-ch: tell() }", False),
        ("func(tell func()) { tell() }(nil)", False),
        ("if a { tell := one; tell() }; if b { tell := two; tell() }; tell()", True),
    ],
)
def test_a_declaration_on_one_line_hides_a_function(tmp_path: Path, code: str, calls: bool) -> None:
    made = go(tmp_path, {"a.go": f"package a\nfunc tell() any {{ return nil }}\nfunc run() {{ {code} }}\n"})
    assert ("a.go:tell" in made.callees("a.go:run", 0.0)) is calls


@pytest.mark.parametrize(
    ("path", "clause", "named"),
    [("v1", "v1", "v1"), ("kit/v2", "kit", "kit"), ("v3", "three", "three"), ("impl", "api", "api")],
)
def test_the_package_clause_names_an_import(tmp_path: Path, path: str, clause: str, named: str) -> None:
    files = {
        "go.mod": "module shop.org/app\n",
        "main.go": f'package main\nimport "shop.org/app/{path}"\nfunc main() {{ {named}.Make() }}\n',
        f"{path}/kit.go": f"package {clause}\nfunc Make() {{}}\n",
        "aside/aside.go": f'package aside\nimport other "shop.org/app/{path}"\nfunc run() {{ other.Make() }}\n',
    }
    found = Resolved(files, tmp_path)
    assert found.callees("main.go:main", 1.0) == found.callees("aside.go:run", 1.0) == ["kit.go:Make"]


@pytest.mark.parametrize(("package", "fits"), [("golang.org/x/net/context", True), ("x.org/other", False)])
def test_outside_types_of_equal_packages_and_names_are_equal(tmp_path: Path, package: str, fits: bool) -> None:
    name = package.rpartition("/")[2]
    files = {
        "a/a.go": f'package a\nimport "{package}"\ntype R interface {{\n\tFetch(ctx {name}.Context) error\n}}\n',
        "b/b.go": 'package b\nimport "context"\ntype T int\nfunc (t T) Fetch(c context.Context) error { return nil }\n',
    }
    assert bool(Resolved(files, tmp_path).pairs("IMPLEMENTS")) is fits


def test_a_literal_of_an_unknown_struct_is_no_unresolved_call(tmp_path: Path) -> None:
    found = Resolved({"a.go": 'package a\nimport "x.org/kit"\nfunc run() { _ = kit.Conf{}; other() }\n'}, tmp_path)
    assert [row.name for row in found.graph.unresolved] == ["other"]


def test_a_key_of_a_map_or_an_array_is_read(tmp_path: Path) -> None:
    found = Resolved({"a.go": """package a
        const Added, Gone = 1, 2
        type S struct{ Added int }
        func one() { _ = map[int]*S{Added: {Added: 1}} }
        func two() { _ = [...]string{Gone: "b"} }
        func no() { _ = []S{{Added: 2}}; _ = struct{ Gone int }{Gone: 3} }
        """}, tmp_path)  # fmt: skip
    constants = {pair for pair in found.pairs("USES") if pair[1] in ("a.go:Added", "a.go:Gone")}
    assert constants == {("a.go:one", "a.go:Added"), ("a.go:two", "a.go:Gone")}


def test_a_type_defined_by_a_struct_has_its_fields_and_embedded_types_but_not_its_methods(tmp_path: Path) -> None:
    found = go(tmp_path, {"a.go": """package a
        type base struct{ name string }
        func (base) show() {}
        type key struct {
            base
            code int
            run  func()
        }
        func (key) own() {}
        type press key
        type again press
        type loop other
        type other loop
        func read(p press, m any) {
            _ = p.code
            _ = p.name
            p.show()
            p.own()
            switch m := m.(type) { case again: _ = m.code }
        }
        func call(p press) { p.run() }
        func target() {}
        func wire() { call(press{run: target}) }
        func no(l loop) { _ = l.code }
        """})  # fmt: skip
    fields = {pair for pair in found.pairs("USES") if pair[1] in ("a.go:key.code", "a.go:base.name", "a.go:key.run")}
    reads = {("a.go:read", "a.go:key.code"), ("a.go:read", "a.go:base.name")}
    assert fields == {*reads, ("a.go:call", "a.go:key.run"), ("a.go:wire", "a.go:key.run")}
    assert found.callees("a.go:read") == ["a.go:base.show"]
    assert found.callees("a.go:call") == ["a.go:target"]


def test_an_outside_type_may_complete_an_interface(tmp_path: Path) -> None:
    found = go(tmp_path, {"a.go": """package a
        import ("os/exec"; "sync")
        type Runner interface { Run() error; Dir(string) }
        type Hidden interface { run() error; Dir(string) }
        type Large interface { Run(); Stop(); Dir(string) }
        type Typed interface { Run(); Dir(int) }
        type Lock interface { Lock(); Unlock() }
        type wrap struct{ *exec.Cmd }
        func (w *wrap) Dir(d string) {}
        type alone struct{}
        func (alone) Dir(d string) {}
        type locker struct{ sync.Mutex }
        func (locker) Dir(d string) {}
        """})  # fmt: skip
    related = {(e.rule, *map(found.short, (e.source, e.target))) for e in found.edges("IMPLEMENTS", 0.0)}
    assert related == {
        ("interface-part", "a.go:wrap", "a.go:Runner"),
        ("interface", "a.go:locker", "a.go:Lock"),
    }
    assert {e.rule for e in found.edges("OVERRIDES", 0.0)} == {"interface-part"}


def test_a_type_parameter_hides_a_type_of_its_name(tmp_path: Path) -> None:
    found = go(tmp_path, {"a.go": """package a
        type T struct{}
        type gen[T any] interface{ Make() T }
        type plain interface{ Make() T }
        type made struct{}
        func (made) Make() int { return 1 }
        """})  # fmt: skip
    assert found.pairs("IMPLEMENTS") == {("a.go:made", "a.go:gen")}


def test_conversions_and_comparisons_of_structs_use_their_fields(tmp_path: Path) -> None:
    found = go(tmp_path, {"a.go": """package a
        type one struct{ left, right int }
        type two struct{ left, right int }
        type outer struct{ in inner }
        type inner struct{ deep int }
        type apart struct{ far int }
        type number int
        func convert(o one) two { return two(o) }
        func same(a, b outer) bool { return a != b }
        func no(a, b int, p apart, n number) bool { _ = number(a); return a == b || p == (apart{}) && n == 1 }
        func keys(m map[int]apart, n int) { for k := range m { _ = k == n } }
        func show(p apart) { print(p) }
        func pass() { show(apart{}) }
        """})  # fmt: skip
    uses = {(e.rule, *map(found.short, (e.source, e.target))) for e in found.edges("USES", 0.0)}
    fields = {f"a.go:{name}" for name in ("one.left", "one.right", "two.left", "two.right")}
    assert {row for row in uses if row[0] == "converted"} == {("converted", "a.go:convert", each) for each in fields}
    assert {row for row in uses if row[0] == "compared"} == {
        ("compared", "a.go:same", "a.go:outer.in"),
        ("compared", "a.go:same", "a.go:inner.deep"),
        ("compared", "a.go:no", "a.go:apart.far"),
    }


def test_a_made_outside_type_is_no_function_of_the_package(tmp_path: Path) -> None:
    text = 'package a\nimport "net"\nfunc f() *net.IPMask { return new(net.IPMask) }\nfunc IPMask() int { return 1 }\n'
    assert not [edge for edge in go(tmp_path, {"a.go": text}).edges("USES", 0.0) if edge.target.endswith(".IPMask")]


def test_a_value_tested_for_a_type_of_the_repository_has_no_members_of_an_outside_type(tmp_path: Path) -> None:
    found = go(tmp_path, {"a.go": """package a
        import "x.org/tea"
        type failed struct{ code int }
        type shape interface{ Area() int }
        func one(msg tea.Msg) { switch msg := msg.(type) { case failed: _ = msg.code; msg.Say() } }
        func two(msg tea.Msg) { switch msg := msg.(type) { case shape: msg.Say() } }
        func three(msg tea.Msg) { msg.Say() }
        """})  # fmt: skip
    outside = {symbol_id.rpartition(".")[2]: name for symbol_id, name, _ in found.graph.externals.users("Say")}
    assert set(outside) == {"two", "three"}


def test_a_constant_that_several_files_define_is_read_in_each(tmp_path: Path) -> None:
    found = go(tmp_path, {
        "a_linux.go": "package a\nconst able = true\n",
        "a_windows.go": "package a\nconst able = false\n",
        "b.go": "package a\nfunc run() bool { return able }\nfunc no() bool { able := true; return able }\n",
    })  # fmt: skip
    users = {pair for pair in found.pairs("USES") if pair[1].endswith("able")}
    assert users == {("b.go:run", "a_linux.go:able"), ("b.go:run", "a_windows.go:able")}


def test_a_type_of_an_outside_package_is_known(tmp_path: Path) -> None:
    found = go(tmp_path, {"a.go": 'package a\nimport "bytes"\nfunc run(b bytes.Buffer) { b.WriteRune(1) }\n'})
    assert not [*found.graph.unresolved]
    assert [full for _, full, _ in found.graph.externals.users("WriteRune")] == ["bytes.Buffer.WriteRune"]


def test_names_of_parameters_and_other_names_of_types_make_no_other_signature(tmp_path: Path) -> None:
    found = go(tmp_path, {"a.go": """package a
        type Prog interface {
            Set(func(uint64, uint64))
            Each() (n int, err error)
            Get(m map[string]func(k int) byte)
        }
        type same struct{}
        func (same) Set(f func(done, total uint64)) {}
        func (same) Each() (int, error) { return 1, nil }
        func (same) Get(m map[string]func(other int) uint8) {}
        type other struct{ same }
        func (other) Set(f func(done, total uint32)) {}
        """})  # fmt: skip
    assert {pair for pair in found.pairs("IMPLEMENTS") if pair[1] == "a.go:Prog"} == {("a.go:same", "a.go:Prog")}


def test_types_that_underlie_each_other_by_conversion_or_by_mistake(tmp_path: Path) -> None:
    """Without end before: a value was stored into a type, so into the type below it, which was the first again."""
    found = go(tmp_path, {"a.go": """package a
        type Code string
        type Name string
        func (c Code) show() {}
        func set(c Code, n Name) {
            x := Code(Name(Code(c)))
            y := Name(Code(Name(n)))
            x[0] = y
            y[0] = x
            x.show()
        }
        type F func()
        type G func()
        func hello() {}
        func run() {
            f := F(G(hello))
            f()
        }
        type A B
        type B A
        func circle(a A, b B) {
            a[0] = b
            b(a)
            for _, each := range a { each() }
            a.hello()
        }
        """})  # fmt: skip
    assert found.callees("a.go:set", 0.9) == ["a.go:Code.show"]
    assert "a.go:hello" in found.callees("a.go:run")


def test_a_method_may_stand_before_its_type_at_the_end_of_the_last_file(tmp_path: Path) -> None:
    found = go(tmp_path, {
        "a.go": "package a\nfunc run(f fake) { f.Show() }\n",
        "b_test.go": "package a\nfunc (fake) Show() {}\nfunc other() {}\ntype fake struct{}\n",
    })  # fmt: skip
    assert found.callees("a.go:run", 0.9) == ["b_test.go:fake.Show"]


@pytest.mark.parametrize("name", ["new", "make", "append", "len", "copy", "min"])
def test_a_function_of_the_package_hides_the_one_of_the_language(tmp_path: Path, name: str) -> None:
    found = go(tmp_path, {
        "a.go": f"""
            package a
            type Cart struct{{}}
            func (c *Cart) Add() {{}}
            type Line struct{{}}
            func (l *Line) Add() {{}}
            func {name}(from string) *Cart {{ return &Cart{{}} }}
            func run(given string) {{
                cart := {name}(given)
                cart.Add()
            }}
            func short(given string) {{ {name}(given).Add() }}
            """,
    })  # fmt: skip
    assert found.callees("a.go:run", 0.9) == found.callees("a.go:short", 0.9) == ["a.go:Cart.Add", f"a.go:{name}"]
