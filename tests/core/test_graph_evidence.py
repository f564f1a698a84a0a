"""What speaks for symbols that no edge leads to: lists made at run time, subclasses, compiled code, ambient blocks."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from codeexplore.graph.usage.dead_code import DeadCode
from codeexplore.graph.usage.evidence import UsageEvidenceTable
from codeexplore.graph.usage.visibility import blocks
from tests.graph_sources import graph_of, standings_of


def kinds(sources: Mapping[str, str]) -> dict[str, str]:
    """The kind of every candidate, by its name after its file's."""
    usage_evidence = standings_of(sources)
    found = DeadCode(usage_evidence.graph, usage_evidence).found()
    return {usage_evidence.graph.catalog.symbol(each.symbol_id).fqn.partition(".")[2]: each.kind for each in found}


@pytest.mark.parametrize(
    ("listing", "kind"),
    [
        ("__all__ = ['other']", "unused"),
        ("__all__ = [  # the face\n    'other',\n    'more']", "unused"),
        ("__all__ = ['open']", "exported"),
        ("__all__ = [name for name in dir() if name[:1] != '_']", "exported"),
        ("__all__ = ['other'] + more.__all__", "exported"),
        ("__all__ = ['other']\n__all__ += more.__all__", "exported"),
    ],
)
def test_a_list_of_public_names_counts_when_it_is_all_there_is(listing: str, kind: str) -> None:
    assert kinds({"m.py": f"{listing}\ndef open(): pass\n"}) == {"open": kind}


def test_a_private_name_may_be_listed() -> None:
    assert kinds({"m.py": "__all__ = ['_open']\ndef _open(): pass\ndef _shut(): pass\n"}) == {
        "_open": "exported",
        "_shut": "unused",
    }


def test_members_are_public_where_a_public_class_inherits_them() -> None:
    source = """
        class _View:
            def scroll(self): pass
            def _own(self): pass
        class _Alone:
            def lonely(self): pass
        class Text(_View): pass
        """
    assert kinds({"m.py": source}) == {
        "_View.scroll": "exported", "_View._own": "unused", "_Alone": "unused", "Text": "exported",
    }  # fmt: skip


def test_a_function_that_an_outer_variable_gets_is_no_candidate() -> None:
    inner = "  function setup() {\n    stop = () => 1\n  }\n"
    text = f"function all() {{\n  let stop = () => {{}}\n{inner}  setup()\n  stop()\n}}\nall()\n"
    assert "all.setup.stop" not in kinds({"m.js": text})


def test_compiled_code_may_call_its_packages_functions() -> None:
    found = kinds({
        "pack/__init__.py": "from _speed import match\ndef _expand(): pass\nclass A:\n    def _inner(self): pass\n",
        "pack/more.py": "def _late(): pass\n",
        "alone.py": "try:\n    import _alone\nexcept ImportError: pass\ndef _hidden(): pass\n",
        "thread.py": "import _shared\ndef _first(): pass\n",
        "queue.py": "from _shared import lock\ndef _second(): pass\n",
        "own.py": "from _pure import x\ndef _third(): pass\n",
        "named.py": "import speed as _speedy, fast as _fast\ndef _fourth(): pass\n",
        "typed.py": "from _typeshed import Incomplete\ndef _fifth(): pass\n",
        "threads.py": "import _thread\ndef _sixth(): pass\n",
        "heapq.py": "from _heapq import heappop\ndef _seventh(): pass\n",
        "ssl_tools.py": "import OpenSSL._util as util\ndef _eighth(): pass\n",  # of another package
        "inner/__init__.py": "from inner._core import run\ndef _ninth(): pass\n",
        "_pure.py": "x = 1\n",
        "tests/test_pack.py": "import _speed\n",
    })  # fmt: skip
    assert found["_expand"] == found["more._late"] == found["_hidden"] == "dynamic"
    assert found["_first"] == found["_second"] == "dynamic"
    assert found["_third"] == "unused"
    assert found["_fourth"] == found["_fifth"] == found["_sixth"] == found["_eighth"] == "unused"
    assert found["_ninth"] == "dynamic"
    assert found["_seventh"] == "dynamic"  # a module of Python's own library
    assert found["A"] == "exported"


def test_what_a_block_declares_for_everyone_is_public() -> None:
    source = """
        declare global {
          interface SymbolConstructor { readonly observable: symbol }
        }
        declare module 'vue' {
          interface Props { own: string }  // }
        }
        interface Mine { a: string }
        export const x = 1
        """
    assert kinds({"a.ts": source}) == {"SymbolConstructor": "exported", "vue.Props": "exported", "Mine": "unused"}


def test_a_block_may_be_one_line() -> None:
    source = "interface Before {}\ndeclare module 'vue' { interface Props { own: string } }\ninterface After {}\n"
    assert kinds({"a.ts": source}) == {"Before": "unused", "After": "unused", "vue.Props": "exported"}


def test_members_of_a_rust_trait_are_as_visible_as_the_trait() -> None:
    source = "pub trait Open { fn late(&self) {} }\ntrait Closed { fn late_too(&self) {} }\n"
    evidence = standings_of({"src/lib.rs": source})
    found = {s.name: evidence.of(s).exported for s in evidence.graph.catalog.symbols if s.kind == "method"}
    assert found == {"late": "declared pub", "late_too": ""}


@pytest.mark.parametrize(
    ("module", "said"), [("crate::gone", "(it may be crate::b::Runner)"), ("other", "from outside")]
)
def test_a_supertype_that_is_here_is_not_outside(module: str, said: str) -> None:
    source = f"use {module}::Runner;\nstruct Own;\nimpl Runner for Own {{ fn run(&self) {{}} }}\n"
    trait = "pub trait Runner { fn run(&self); }\n"
    evidence = standings_of({"src/lib.rs": "mod a;\nmod b;\n", "src/a.rs": source, "src/b.rs": trait})
    own = next(each for each in evidence.graph.catalog.symbols if each.name == "run" and each.path == "src/a.rs")
    assert said in evidence.outside.from_above(own)


def test_a_supertype_with_the_name_of_its_subtype_is_outside() -> None:
    """A type cannot extend itself, so ``Rack.Request`` is none of this repository."""
    source = "module Shop\n  class Request < Rack::Request\n    def path\n      1\n    end\n  end\nend\n"
    evidence = standings_of({"lib/request.rb": source})
    own = next(each for each in evidence.graph.catalog.symbols if each.name == "path")
    assert evidence.outside.from_above(own).startswith("Request extends Rack.Request from outside this repository")


def test_a_part_of_a_type_has_the_supertypes_of_all_parts() -> None:
    parts = {
        "A.cs": "partial class A : IShop { public override int Own() => 1; }\n",
        "B.cs": "partial class A {" + "\n" * 9 + "}\n",
    }
    evidence = standings_of({**parts, "C.cs": "interface IShop { int Sell(); }\n"})
    own = next(each for each in evidence.graph.catalog.symbols if each.name == "Own")
    assert evidence.outside.from_above(own) == ""


def test_members_that_a_script_closes_are_nobody_elses() -> None:
    source = "export class A {\n  private hid() {}\n  _own() {}\n  #deep() {}\n  open() {}\n}\nclass B { open() {} }\n"
    usage_evidence = standings_of({"a.ts": source})
    told = {
        s.fqn.removeprefix("a."): usage_evidence.of(s).exported
        for s in usage_evidence.graph.catalog.symbols
        if s.kind == "method"
    }
    assert told == {
        "A.hid": "", "A._own": "", "A.#deep": "", "A.open": "a public member of A (exported by a.ts)", "B.open": "",
    }  # fmt: skip


def test_a_type_that_an_exported_class_only_names_is_no_supertype_of_it() -> None:
    source = "class Base { hooks() {} }\nclass Given { hooks() {} }\n"
    source += "export class Shop extends Base { constructor(given: Given) { super(); } }\n"
    usage_evidence = standings_of({"a.ts": source})
    told = {s.fqn: usage_evidence.of(s).exported for s in usage_evidence.graph.catalog.symbols if s.name == "hooks"}
    assert told["a.Base.hooks"] == "a public member of Shop, a subtype of Base (exported by a.ts)"
    assert told["a.Given.hooks"] == "a public member of Given, which Shop names (exported by a.ts)"


def test_blocks_end_at_their_own_brace() -> None:
    text = 'declare global {\n  const a: "}" // }\n  interface B { c: `}` }\n}\ndeclare module "m" {\n  /* } */ }\nx\n'
    assert [tuple(each) for each in blocks(text)] == [(1, 4, "the global scope"), (5, 6, 'module "m"')]
    assert [each.last for each in blocks("declare global {\n a\n")] == [3]


def test_a_block_of_declarations_is_found_whatever_its_length_and_indentation() -> None:
    late = "".join(f"function late{number}(): void;\n" for number in range(2_100))
    text = f"""export {{}}
declare global {{
{late}}}
declare module "m" {{
  interface D {{ e: string }}
}}
function free() {{}}
"""
    evidence = standings_of({"file.ts": text})
    told = {each.name: evidence.visibility.added_to(each) for each in evidence.graph.catalog.symbols}
    assert told["late0"] == told["late2099"] == "the global scope"
    assert told["D"] == told["e"] == 'module "m"'
    assert told["free"] == ""


# --------------------------------------------------------------------------- supertypes outside


ABOVE = {
    "m.py": """
        import lib
        import ui
        from typing import Generic
        class Widget(lib.Base):
            def paint(self): pass
            def __len__(self): return 1
        class Inner(Widget, ui.Drawn):
            def draw(self): pass
        class Near(Inner): pass
        class Plain(object):
            def rest(self): pass
        class Kept(Generic, Exception, Plain): pass
        class Named(Plain): pass
        class Ring(Circle): pass
        class Circle(Ring): pass
        class Outer:
            class Nested(lib.Other):
                def deep(self): pass
            def method(self): pass
        class Table(dict[str, int]):
            def sort(self): pass
            def update(self): pass
        """,
    "other.py": "import m\nclass Far(m.Near, m.Widget, lib.Last): pass\nclass Base: pass\n",
}


@pytest.mark.parametrize(
    ("name", "outside"),
    [
        ("Widget", ("lib.Base",)), ("Inner", ("ui.Drawn", "lib.Base")), ("Near", ("ui.Drawn", "lib.Base")),
        ("other.Far", ("lib.Last", "lib.Base", "ui.Drawn")), ("Plain", ()), ("Kept", ()), ("Named", ()), ("Ring", ()),
        ("Nested", ("lib.Other",)), ("Outer", ()), ("other.Base", ()),
    ],
)  # fmt: skip
def test_supertypes_outside_nearest_first(name: str, outside: tuple[str, ...]) -> None:
    usage_evidence = standings_of(ABOVE)
    symbol = usage_evidence.graph.catalog.resolve(name)
    assert usage_evidence.supertypes.outside(symbol.id) == outside
    assert usage_evidence.supertypes.outside(symbol.id) == outside  # and again, remembered


def test_without_facts_no_supertype_is_known() -> None:
    graph = graph_of(ABOVE)
    assert UsageEvidenceTable(graph).supertypes.outside(graph.catalog.resolve("Widget").id) == ()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Widget.paint", ("Widget extends lib.Base from outside this repository, which may call it",)),
        ("Inner.draw", ("Inner extends ui.Drawn from outside this repository, which may call it",)),
        ("Widget.__len__", ()),
        ("Plain.rest", ()),
        ("Outer.method", ()),
        ("Table.sort", ()),
        ("Table.update", ("Table extends dict from outside this repository, which may call it",)),
        ("Widget", ("Widget extends lib.Base from outside this repository, which may find it",)),
        ("Plain", ()),
    ],
)
def test_who_may_call_a_method_from_above(name: str, said: tuple[str, ...]) -> None:
    usage_evidence = standings_of(ABOVE)
    assert usage_evidence.of(usage_evidence.graph.catalog.resolve(name)).dynamic == said


@pytest.mark.parametrize(
    ("path", "source", "name", "said"),
    [
        ("m.py", "class A:\n    def __len__(self): pass\n", "__len__",
         "`__len__` is a special method, which the language calls"),
        ("m.py", "class A:\n    def ____(self): pass\n", "____", ""),  # nothing between its underscores
        ("m.py", "def test_it(): pass\n", "test_it", ""),  # in no test file
        ("m.py", "@pytest.mark.test\ndef it(): pass\n", "it", "a test runner finds it by its name or decorator"),
        ("tests/m.py", "def setup_module(): pass\n", "setup_module", "a test runner finds it by its name or decorator"),
        ("tests/m.py", "def teardown_all(): pass\n", "teardown_all", "a test runner finds it by its name or decorator"),
        ("tests/m.py", "def attest(): pass\n", "attest", ""),
        ("m.go", "package m\nfunc init() {}\n", "init", "the language or a launcher calls it by its name"),
        ("m.go", "package m\ntype T struct{}\nfunc (t *T) init() {}\n", "init", ""),  # a method
        ("m.py", "def init(): pass\n", "init", ""),
        ("m_test.go", "package m\nfunc BenchmarkIt() {}\n", "BenchmarkIt",
         "a test runner finds it by its name or decorator"),
        ("m_test.go", "package m\nfunc ExampleIt() {}\n", "ExampleIt",
         "a test runner finds it by its name or decorator"),
        ("m_test.go", "package m\nfunc FuzzIt() {}\n", "FuzzIt", "a test runner finds it by its name or decorator"),
        ("src/a.rs", "#[tokio::test]\nfn works() {}\n", "works", "a test runner finds it by its name or decorator"),
        ("A.java", "class A {\n @BeforeEach\n void ready() {}\n}\n", "ready",
         "a test runner finds it by its name or decorator"),
    ],
)  # fmt: skip
def test_who_starts_a_function_by_its_name(path: str, source: str, name: str, said: str) -> None:
    usage_evidence = standings_of({path: source})
    assert usage_evidence.of(usage_evidence.graph.catalog.resolve(name)).started == said


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("@app.route('/')\n@once()\ndef f(): pass\n", "its decorator (app.route, once) may register or call it"),
        ("@property\n@app.hook\ndef f(): pass\n", "its decorator (app.hook) may register or call it"),
        ("@functools.cache\ndef f(): pass\n", ""),
        ("@staticmethod\ndef f(): pass\n", ""),
        ("@app.hook\nclass f: pass\n", "its decorator (app.hook) may register or call it"),
    ],
)
def test_decorators_that_may_register(source: str, said: str) -> None:
    usage_evidence = standings_of({"m.py": source})
    assert usage_evidence.of(usage_evidence.graph.catalog.resolve("m.f")).registered == said


def test_places_are_counted_beyond_three() -> None:
    sources = {f"m{n}.py": 'x = "spare"\n' for n in range(5)} | {"a.py": "def spare(): pass\n"}
    usage_evidence = standings_of(sources)
    (said,) = usage_evidence.of(usage_evidence.graph.catalog.resolve("spare")).dynamic
    assert said == "its name is in strings: m0.py:1, m1.py:1, m2.py:1 and 2 more"
    assert usage_evidence.of(usage_evidence.graph.catalog.resolve("spare")).notes == (
        "Code outside this repository may use it: its name is public",
        "Its name is in strings: m0.py:1, m1.py:1, m2.py:1 and 2 more",
    )


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("m.py", "def f(:\n    f()\n\ndef g(x):\n    return g\n)))\n"),
        ("a.rs", "macro_rules! all { ($i:item) => { $i } }\n#[all]\nfn f() {}\n"),
        ("a.cs", "static class E { public static int F(this A a) { return 1; } }\n"),
    ],
)
def test_an_index_without_texts_gives_no_evidence_from_them(path: str, source: str) -> None:
    told = standings_of({path: source})
    without = UsageEvidenceTable(told.graph, told.files, None, {})
    for symbol in told.graph.catalog.symbols:
        assert {*without.unnamed(symbol)} <= {*told.unnamed(symbol)}


def test_an_outside_superclass_of_ruby_may_call_private_methods() -> None:
    source = "class P < Devise::X\n  private\n\n  def after_reset(x)\n    1\n  end\nend\nclass Q\n  private\n\n"
    source += "  def alone(x)\n    2\n  end\nend\n"
    usage_evidence = standings_of({"a.rb": source})
    found = {each.symbol_id: each.kind for each in DeadCode(usage_evidence.graph, usage_evidence).found()}
    assert found["a.rb:P#after_reset"] != "unused"
    assert found["a.rb:Q#alone"] == "unused"


def test_a_librarys_type_that_is_opened_again_may_call_what_it_gets() -> None:
    private = "  private\n\n  def take\n    1\n  end\nend\n"
    sources = {
        "Gemfile": "gem 'liquid', '~> 4.0'\ngem \"own_gem\"\n",
        "a.rb": f"require 'net/http'\nmodule Liquid\n class T\n{private}end\nclass Net::HTTP\n{private}",
        "lib/own_gem.rb": f"module OwnGem\n class T\n{private}end\nmodule Liquid\n class Mine < Object\n{private}end\n",
    }
    usage_evidence = standings_of(sources)
    found = DeadCode(usage_evidence.graph, usage_evidence).found()
    reasons = {each.symbol_id: (each.kind, each.reasons[0]) for each in found if each.symbol_id.endswith("#take")}
    assert reasons["a.rb:Liquid::T#take"] == (
        "dynamic", "`Liquid` may be the library's that Gemfile:1 names, which may call it"
    )  # fmt: skip
    assert reasons["a.rb:Net::HTTP#take"][1].startswith("`Net` may be the library's that a.rb:1 names")
    assert reasons["lib/own_gem.rb:OwnGem::T#take"][0] == "unused"
    assert reasons["lib/own_gem.rb:Liquid::Mine#take"][0] == "unused"


def test_marks_for_tools_above_definitions_of_go_register_them() -> None:
    source = """package a

// What a search takes.
//
// swagger:parameters search
type asked struct{}

// See https://example.org.
//
//nolint:unused
type plain struct{}

type (
	// +kubebuilder:object:root=true
	inner struct{}
)

//counterfeiter:generate . Foo
func made() {}
"""
    usage_evidence = standings_of({"a.go": source})
    found = DeadCode(usage_evidence.graph, usage_evidence).found()
    reasons = {each.symbol_id.rpartition(".")[2]: each.reasons[0] for each in found}
    assert reasons["asked"] == "its directive (swagger:parameters) may register or call it"
    assert reasons["inner"] == "its directive (+kubebuilder:object:root) may register or call it"
    assert reasons["made"] == "its directive (counterfeiter:generate) may register or call it"
    assert reasons["plain"].startswith("nothing uses it")


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        ("this[kind](x)", "dynamic"),
        ("this[x.type](x)", "dynamic"),
        ("this[kinds[x.type]].call(this, x)", "dynamic"),
        ("this['other'](x)", "unused"),
        ("this[Symbol.iterator](x)", "unused"),
        ("this.table[x.type](x)", "unused"),
    ],
)
def test_a_method_may_be_called_by_a_computed_name_in_brackets(call: str, kind: str) -> None:
    source = f"export class A {{\n  run(x) {{ return {call}; }}\n  private quote(x) {{ return x; }}\n}}\n"
    assert kinds({"a.ts": source})["A.quote"] == kind


def test_an_outside_trait_may_call_private_methods_of_the_class_that_uses_it() -> None:
    source = """<?php
use Vendor\\Helps;
trait Mine { function x() {} }
class A extends Vendor\\B { private function above() {} }
class C { use Helps; private function hook() {} }
class D { use Mine; private function lonely() {} }
"""
    usage_evidence = standings_of({"a.php": source})
    found = {
        each.symbol_id.rpartition("::")[2]: (each.kind, each.reasons[0])
        for each in DeadCode(usage_evidence.graph, usage_evidence).found()
    }
    assert found["hook"] == ("dynamic", "C extends Helps from outside this repository, which may call it")
    assert found["lonely"][0] == found["above"][0] == "unused"


def test_a_type_that_an_attribute_names_is_given_to_code_outside() -> None:
    source = """[assembly: System.Reflection.Metadata.MetadataUpdateHandler(typeof(App.Reloading))]
namespace App {
    internal static class Reloading {
        internal static void UpdateApplication() {}
        private static void Mine() {}
    }
    internal static class Other { internal static void Lonely() {} }
}
namespace System.Runtime.CompilerServices { internal static class IsExternalInit {} }
namespace System.Numbers { internal static class Spare {} }
"""
    found = kinds({"a.cs": source})
    assert found == {
        "Reloading.UpdateApplication": "dynamic",
        "Reloading.Mine": "unused",
        "Other": "unused",
        "Runtime.CompilerServices.IsExternalInit": "registered",
        "Numbers.Spare": "unused",
    }


def test_code_above_a_subtype_may_call_a_method_of_a_mixin() -> None:
    source = (
        "import smtplib\nclass Printing:\n    def _print_debug(self): pass\nclass Mail(Printing, smtplib.SMTP): pass\n"
        "class Alone:\n    def _print_debug(self): pass\nclass Below(Alone): pass\n"
    )
    usage_evidence = standings_of({"m.py": source})
    table = {each.symbol_id: each for each in DeadCode(usage_evidence.graph, usage_evidence).found()}
    said = table["m.py:m.Printing._print_debug"].reasons
    assert said == ("Mail extends smtplib.SMTP from outside this repository, which may call it",)
    assert table["m.py:m.Alone._print_debug"].kind == "unused"


@pytest.mark.parametrize(
    ("use", "kind"),
    [
        ("std::any::made::<Content>(text)?.migrate()", "mentioned"),
        ("std::any::made::<Content>(text)\n        .migrate()", "mentioned"),
        ("std::any::migrate()", "unused"),
    ],
)
def test_what_an_outside_call_gives_may_be_of_any_type(use: str, kind: str) -> None:
    source = "struct Content;\nimpl Content {\n    fn migrate(self) {}\n}\npub fn load(text: &str) {\n"
    usage_evidence = standings_of({"src/lib.rs": f"{source}    {use};\n}}\n"})
    found = {
        each.symbol_id: each.kind
        for each in DeadCode(usage_evidence.graph, usage_evidence).found(("unused", "mentioned"))
    }
    assert next(found[each] for each in found if each.endswith("migrate")) == kind


def test_a_blank_before_the_arguments_of_an_annotation_hides_no_annotation_of_kotlin() -> None:
    source = "@Composable\n@Preview (true)\nprivate fun Shown () {}\n@Preview\nprivate fun Other() {}\n"
    source += "private fun lonely() {}\n"
    usage_evidence = standings_of({"a.kt": source})
    found = {e.symbol_id.rpartition(":")[2]: e.kind for e in DeadCode(usage_evidence.graph, usage_evidence).found()}
    assert found == {"Shown": "registered", "Other": "registered", "lonely": "unused"}
