"""What questions say about Ruby: blocks, reopened modules, mixins into a receiver, templates and operators."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from codeexplore import Workspace
from codeexplore.answers import GraphAnswer
from codeexplore.types.certainty import LIKELY
from tests.same_index import assert_same


def _loaded(folder: Path, files: Mapping[str, str]) -> Workspace:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return Workspace(folder, workers=0, cache=False)


def _said(answer: object) -> str:
    return " ".join(str(answer).split())


def _names(answer: GraphAnswer) -> list[str]:
    return [answer.catalog.symbol(each.symbol_id).fqn for each in answer.reached]


HANDED = "class Store\n  def flush; 1; end\n  def keep(h)\n    {}\n  end\nend\n"
"""A class with a block, or with none, that calls the target."""


@pytest.mark.parametrize("block", ["h << -> { flush }", "on(:x) { flush }", "on(:x) do |e|\n      flush\n    end"])
@pytest.mark.parametrize(
    "call",
    ["block.call", "block.()", "yield", "[1].each(&block)", "@h[n].call", "eval(s)", "ERB.new(t).result(binding)"],
)
def test_the_call_of_a_block_may_run_any_block_that_is_handed_on(tmp_path: Path, block: str, call: str) -> None:
    run = f"class Run\n  def go(n, s, t, &block)\n    {call}\n  end\nend\n"
    ws = _loaded(tmp_path, {"a.rb": run, "b.rb": HANDED.format(block)})
    assert "1 unresolved call may connect them (a.rb:3)" in _said(ws.paths("Run#go", "Store#flush"))


@pytest.mark.parametrize(
    ("call", "block"),
    [
        ("1", "on(:x) { flush }"),
        ("yield", "flush"),
        ("yield", "on(:x) { 1 }\n    flush"),
        ("yield", "on { |x|\n    }\n    flush"),
    ],
)
def test_without_a_block_or_its_call_nothing_connects(tmp_path: Path, call: str, block: str) -> None:
    run = f"class Run\n  def go\n    {call}\n  end\nend\n"
    ws = _loaded(tmp_path, {"a.rb": run, "b.rb": HANDED.format(block)})
    assert "no unresolved call connects them" in _said(ws.paths("Run#go", "Store#flush"))


def test_a_block_of_another_caller_is_not_run(tmp_path: Path) -> None:
    run = "class Run\n  def go\n    each { 1 }\n  end\n  def each\n    yield\n  end\nend\n"
    ws = _loaded(tmp_path, {"a.rb": run, "b.rb": HANDED.format("on(:x) { flush }")})
    assert "no unresolved call connects them" in _said(ws.paths("Run#go", "Store#flush"))
    assert "1 unresolved call may connect them (a.rb:6)" in _said(ws.paths("Run#each", "Store#flush"))


@pytest.mark.parametrize("at", ["b.rb:1", "Job", "a/c.rb:1"])
def test_all_parts_of_a_reopened_module_answer_for_it(tmp_path: Path, at: str) -> None:
    part = "module Job\n  module %s; end\nend\n"
    job = "module Job\n  def run; end\nend\nclass A\n  include Job\nend\n"
    ws = _loaded(tmp_path, {"a.rb": job, "b.rb": part % "Extra", "a/c.rb": part % "More"})
    assert [each.fqn for each in ws.implementors(at).symbols] == ["A"]
    assert [each.fqn for each in ws.uses(at).symbols] == ["A"]


def test_many_parts_of_a_module_are_one_name(tmp_path: Path) -> None:
    ws = _loaded(tmp_path, {f"{n}.rb": "module Job\n  X = 1\nend\n" for n in range(25)})
    assert "No implementors in this repository" in _said(ws.implementors("Job"))


MIXED = """
class Client
  def push(x); x; end
end
module Fake
  def push(x); super; end
  def pull; end
end
def use(client)
  {}
end
{}
"""


@pytest.mark.parametrize(
    ("mixing", "call"),
    [
        ("Client.prepend Fake", "Client.new.pull"),
        ("Client.include(Fake)", "Client.new.pull"),
        ("Client.extend Fake", "Client.pull"),
        ("Client.singleton_class.prepend Fake", "Client.pull"),
        ("Client.send(:include, Fake)", "Client.new.pull"),
        ("class Client\n  prepend Fake\nend", "Client.new.pull"),
    ],
)
def test_a_module_is_mixed_into_the_type_that_is_told(tmp_path: Path, mixing: str, call: str) -> None:
    ws = _loaded(tmp_path, {"a.rb": MIXED.format(call, mixing)})
    assert [each.fqn for each in ws.implementors("Fake").symbols] == ["Client"]
    assert [each.fqn for each in ws.callers("Fake#pull").symbols] == ["use"]
    before = ["Fake#push"] if "prepend" in mixing and "singleton" not in mixing else []
    assert [each.fqn for each in ws.overrides("Client#push").symbols] == before


def test_a_comparison_does_not_run_when_its_type_is_loaded(tmp_path: Path) -> None:
    ws = _loaded(tmp_path, {"a.rb": "class V; def <=>(o)=0; end\n"})
    assert "is loaded" not in _said(ws.callers("V#<=>"))


def test_an_empty_list_names_no_operator(tmp_path: Path) -> None:
    lists = "class L\n  def stop\n    @data[:selected] = []\n  end\nend\n"
    ws = _loaded(tmp_path, {"a.rb": lists, "b.rb": "class S\n  def [](k); late; end\n  def late; end\nend\n"})
    assert "No calls lead from L#stop to S#late" in _said(ws.paths("L#stop", "S#late"))


def test_a_translation_declares_no_subtype(tmp_path: Path) -> None:
    ws = _loaded(tmp_path, {"a.rb": "class Process\n  def stop; end\nend\n", "en.yml": "en:\n  Process: Process\n"})
    assert "perhaps" not in _said(ws.overrides("Process#stop"))


def test_a_template_may_call_a_method_beside_its_known_callers(tmp_path: Path) -> None:
    helpers = "module Helpers\n  def sorted; []; end\n  def other; sorted; end\nend\n"
    pages = {"v.html.erb": "<% sorted.each do |x| %>\n", "w.html.erb": "<p>it is sorted</p>\n"}
    ws = _loaded(tmp_path, {"h.rb": helpers} | pages)
    assert "1 caller of Helpers#sorted; 1 more place mentions `sorted` (v.html.erb:1)" in _said(ws.callers("sorted"))


def test_a_use_of_another_definition_of_its_name_has_the_line_of_that(tmp_path: Path) -> None:
    used = "<?php\nclass A { function go() {} }\nfunction f() { $a = new A(); $a->go(); }\n"
    ws = _loaded(tmp_path, {"a.php": "<?php\nclass A {\nfunction go() {} }\n", "b.php": used})
    assert "1 use of `go` resolves to A::go at b.php:2 (b.php:3)" in _said(ws.callers("a.php:3"))


CART = """\
class Pen
  def price; 1; end
end
class Box
  def price; 2; end
end
class Cart
  attr_reader :pen
  attr_accessor :box
  def initialize(pen)
    @pen = pen
  end
  def lid=(given)
    @lid = given
  end
  def total
    {}
  end
end
def fill
  cart = Cart.new(Pen.new)
  cart.box = Box.new
  cart.lid = Box.new
end
"""


@pytest.mark.parametrize(
    ("call", "called"),
    [
        ("@pen.price", "Pen#price"),
        ("pen.price", "Pen#price"),
        ("self.pen.price", "Pen#price"),
        ("@box.price", "Box#price"),
        ("box.price", "Box#price"),
        ("@lid.price", "Box#price"),
    ],
)
def test_a_variable_of_an_instance_has_what_is_stored_into_it(tmp_path: Path, call: str, called: str) -> None:
    ws = _loaded(tmp_path, {"a.rb": CART.replace("{}", call)})
    assert _names(ws.callees("Cart#total")) == [called]
    assert all(edge.confidence >= LIKELY for edge in ws.callees("Cart#total").edges)


def test_an_attribute_of_another_object_has_its_value(tmp_path: Path) -> None:
    ws = _loaded(tmp_path, {"a.rb": CART + "def pay\n  cart = Cart.new(Pen.new)\n  cart.pen.price\nend\n"})
    assert "Pen#price" in _names(ws.callees("pay"))
    assert "Box#price" not in _names(ws.callees("pay"))


SHELF = "class Shelf\n  def [](place)\n  end\n  def []=(place, thing)\n  end\n  def self.[](*all)\n  end\nend\n"


@pytest.mark.parametrize(
    ("code", "called"),
    [
        ("Shelf.new[1]", {"Shelf#[]"}),
        ("s = Shelf.new\n  s[1] = 2", {"Shelf#[]="}),
        ("s = Shelf.new\n  s[1] ||= 2", {"Shelf#[]", "Shelf#[]="}),
        ("Shelf[1, 2]", {"Shelf.[]"}),
    ],
)
def test_brackets_call_methods(tmp_path: Path, code: str, called: set[str]) -> None:
    ws = _loaded(tmp_path, {"a.rb": f"{SHELF}def use\n  {code}\nend\n"})
    assert {each for each in _names(ws.callees("use")) if "[" in each} == called


def test_a_class_calls_the_hook_of_its_superclass(tmp_path: Path) -> None:
    above = "class Base\n  def self.inherited(child)\n    child.prepare\n  end\n  def self.prepare; end\nend\n"
    ws = _loaded(tmp_path, {"a.rb": above, "b.rb": "class Own < Base\nend\n"})
    assert _names(ws.callers("Base.inherited")) == ["b"]
    assert "Base.prepare" in _names(ws.callees("Base.inherited"))


def test_a_module_that_extends_a_class_comes_before_its_superclass(tmp_path: Path) -> None:
    above = "class Base\n  def self.field(n); end\nend\nmodule More\n  def field(n); end\nend\n"
    below = "class Own < Base\n  extend More\nend\nclass Other < Base\nend\n"
    use = "def own\n  Own.field(1)\nend\ndef other\n  Other.field(1)\nend\n"
    ws = _loaded(tmp_path, {"a.rb": above, "b.rb": below + use})
    assert _names(ws.callees("own")) == ["More#field"]
    assert _names(ws.callees("other")) == ["Base.field"]


def test_variables_outside_of_classes_are_those_of_the_file(tmp_path: Path) -> None:
    pen = "class Pen\n  def price; end\nend\nclass Box\n  def price; end\nend\n"
    spec = "describe Pen do\n  before { @pen = Pen.new }\n  it { @pen.price }\nend\n"
    ws = _loaded(tmp_path, {"pen.rb": pen, "pen_spec.rb": spec})
    assert "pen_spec" in _names(ws.callers("Pen#price"))
    assert not ws.callers("Box#price").reached


@pytest.mark.parametrize(
    "body",
    [
        "Pen.new",
        "@pen ||= Pen.new",
        "return Pen.new",
        "x = Pen.new\n    x",
        "if a\n      Pen.new\n    elsif b\n      nil\n    end",
        "a ? Pen.new : nil",
        "case a\n    when 1 then Pen.new\n    end",
        "@pen ||= begin\n      Pen.new\n    end",
        "go\n  rescue Bad\n    Pen.new",
        "a || Pen.new",
        "inner",
    ],
)
def test_a_method_returns_its_last_value(tmp_path: Path, body: str) -> None:
    types = "class Pen\n  def price; end\nend\nclass Box\n  def price; end\nend\n"
    cart = f"class Cart\n  def pen(a, b)\n    {body}\n  end\n  def inner\n    Pen.new\n  end\n"
    use = "  def total\n    pen(1, 2).price\n  end\nend\n"
    ws = _loaded(tmp_path, {"a.rb": types + cart + use})
    assert "Pen#price" in _names(ws.callees("Cart#total"))
    assert "Box#price" not in _names(ws.callees("Cart#total"))


def test_a_name_alone_is_what_its_method_returns(tmp_path: Path) -> None:
    types = "class Pen\n  def price; end\nend\nclass Box\n  def price; end\nend\n"
    cart = "class Cart\n  def pen\n    Pen.new\n  end\n  def total\n    pen.price\n  end\nend\n"
    ws = _loaded(tmp_path, {"a.rb": types + cart})
    assert {"Cart#pen", "Pen#price"} == set(_names(ws.callees("Cart#total")))


@pytest.mark.parametrize("line", ["expect(list).to include(Pen)", "it { is_expected.to include(Pen) }"])
def test_a_matcher_is_no_mixin(tmp_path: Path, line: str) -> None:
    ws = _loaded(tmp_path, {"pen.rb": "module Pen\nend\n", "pen_spec.rb": f"describe Pen do\n  {line}\nend\n"})
    assert not ws.implementors("Pen").reached


def test_a_method_that_includes_declares_no_subtype(tmp_path: Path) -> None:
    ws = _loaded(tmp_path, {"a.rb": "module Pen\nend\nclass T\n  def t\n    include(Pen)\n  end\nend\n"})
    assert not ws.implementors("Pen").reached


MADE = """class Shop
  def open; end
end
module Loud
  def shout; end
end
Late = Class.new(Shop) do
  include Loud
  def open; shout; end
end
Point = Data.define(:x) do
  def norm; scale; end
  def scale; x; end
  def self.origin; new(0); end
end
Talk = Module.new do
  def talk; end
end
class Line < Struct.new(:a) do
  def size; a; end
end
  include Talk
  def long?; size > 1 && talk; end
end
def make
  shop = Class.new(Shop) { def close; end }
  shop.new.close
end
def use
  Late.new.open
  Point.origin.norm
end
"""
"""Types that calls make, with a name and without one."""


@pytest.mark.parametrize(
    ("called", "callers"),
    [
        ("Late#open", ["use"]),
        ("Loud#shout", ["Late#open"]),
        ("Point#norm", ["use"]),
        ("Point#scale", ["Point#norm"]),
        ("Point.origin", ["use"]),
        ("Talk#talk", ["Line#long?"]),
        ("a.rb:20", ["Line#long?"]),
        ("a.rb:26", ["make"]),
    ],
)
def test_a_call_makes_a_type_with_the_methods_of_its_block(tmp_path: Path, called: str, callers: list[str]) -> None:
    assert _names(_loaded(tmp_path, {"a.rb": MADE}).callers(called)) == callers


def test_types_that_calls_make_are_subtypes(tmp_path: Path) -> None:
    ws = _loaded(tmp_path, {"a.rb": MADE, "b.rb": "x = 1\n" * 25 + "  shop = Class.new { def close; end }\n"})
    assert set(_names(ws.subclasses("Shop"))) == {"Late", "make::<class:26:9>"}
    assert _names(ws.implementors("Loud")) == ["Late"]
    assert _names(ws.overrides("Shop#open")) == ["Late#open"]
    assert ws.callers("b.rb:26").verdict.kind == "possible"  # another type at the same place of its file


@pytest.mark.parametrize("hook", ["def self.inherited(kind)\n  end", "extend Hooks"])
@pytest.mark.parametrize("asked", ["Own", "Own#initialize"])
def test_a_hook_for_subclasses_may_use_them(tmp_path: Path, hook: str, asked: str) -> None:
    above = f"module Hooks\n  def inherited(kind); end\nend\nclass Base\n  {hook}\nend\n"
    below = "class Own < Base\n  def initialize; end\n  private\n  def hidden; end\nend\n"
    ws = _loaded(tmp_path, {"a.rb": above + below})
    assert "has a hook that runs when Own is defined" in _said(ws.uses(asked))
    assert ws.callers("Own#hidden").verdict.kind == "none"


def test_classes_of_one_name_with_other_superclasses_are_of_programs_apart(tmp_path: Path) -> None:
    script = "class App < Base{0}\n  def run; go; end\nend\nclass Base{0}\n  def go; end\nend\nApp.new.run\n"
    third = "class Own < App\n  def self.make; App.new.run; end\nend\n"
    ws = _loaded(tmp_path, {"a.rb": script.format(1), "b.rb": script.format(2), "c.rb": third})
    assert _names(ws.callers("Base2#go")) == ["App#run"]
    assert _names(ws.callees("b.rb:2")) == ["Base2#go"]
    assert _names(ws.callers("b.rb:2")) == ["b"]
    assert "1 other place mentions `App` (c.rb:1)" in _said(ws.subclasses("b.rb:1"))
    again = "class App\n  def more; go; end\nend\n"  # a part, which names no superclass
    ws = _loaded(tmp_path / "n", {"a.rb": script.format(1), "b.rb": again})
    assert _names(ws.callees("App#more")) == ["Base1#go"]


@pytest.mark.parametrize("own", ["extend self", "module_function", "module_function :step"])
def test_a_module_with_its_own_methods_calls_them_before_others(tmp_path: Path, own: str) -> None:
    other = "module Other\n  def step; end\n  def more; end\nend\n"
    text = f"module Own\n  extend Other\n  {own}\n  def step; end\nend\ndef use\n  Own.step\n  Own.more\nend\n"
    ws = _loaded(tmp_path, {"a.rb": other + text})
    assert set(_names(ws.callees("use"))) == {"Own#step", "Other#more"}


@pytest.mark.parametrize(
    ("call", "verdict"),
    [
        ("eval(code)", "possible"),
        ("instance_eval code", "possible"),
        ("binding.eval code", "possible"),
        ("helper", "possible"),
        ("class_eval { 1 }", "none"),
        ("eval '1 + 1'", "none"),
        ("# eval code", "none"),
    ],
)
def test_a_text_that_runs_may_call_anything(tmp_path: Path, call: str, verdict: str) -> None:
    run = f"def run(code)\n  {call}\nend\ndef helper(code)\n  module_eval(code)\nend\ndef target; end\n"
    assert _loaded(tmp_path, {"a.rb": run}).paths("run", "target").verdict.kind == verdict


@pytest.mark.parametrize("own", ["def self.new(a); super; end", "class << self\n    def new(a); super; end\n  end"])
def test_a_method_new_of_the_type_itself_runs_in_place_of_the_constructor(tmp_path: Path, own: str) -> None:
    text = f"class Con\n  {own}\n  def initialize(a); end\nend\ndef use\n  Con.new(1)\nend\n"
    ws = _loaded(tmp_path, {"a.rb": text})
    assert _names(ws.callees("use")) == ["Con.new"]
    assert _names(ws.callers("Con#initialize")) == ["Con.new"]


def test_none_of_two_constructors_of_one_type_is_certain(tmp_path: Path) -> None:
    script = "class App\n  def initialize; end\nend\nApp.new\n"
    ws = _loaded(tmp_path, {"a.rb": script, "b.rb": script})
    assert ws.callers("a.rb:2").verdict.kind == ws.callers("b.rb:2").verdict.kind == "possible"


@pytest.mark.parametrize("mixing", ["Out::Form.prepend self", "end\nOut::Form.include Over\nmodule Other"])
def test_an_outside_type_may_call_what_is_mixed_into_it(tmp_path: Path, mixing: str) -> None:
    ws = _loaded(tmp_path, {"a.rb": f"module Over\n  def pending; end\n  {mixing}\nend\n"})
    assert "the members of Over are added to objects" in _said(ws.callers("pending"))


def test_a_superclass_is_no_module_around(tmp_path: Path) -> None:
    text = (
        "module Kra\n  module Parser\n    class Smart < Kra::Parser::Kra\n      def parse; end\n    end\n  end\nend\n"
    )
    ws = _loaded(tmp_path, {"a.rb": text})
    assert "Smart extends Kra.Parser.Kra" in _said(ws.callers("parse"))


@pytest.mark.parametrize("make", ["def copy; self.class.new; end", "def self.make; new; end"])
def test_a_type_may_make_its_subtypes_by_its_own_new(tmp_path: Path, make: str) -> None:
    below = "class Leaf < Base; end\nclass Own < Base\n  def initialize; end\nend\n"
    ws = _loaded(tmp_path, {"a.rb": f"class Base\n  {make}\nend\n{below}"})
    assert all(ws.uses(each).verdict.kind == "found" for each in ("Leaf", "Own", "Own#initialize"))


@pytest.mark.parametrize(
    ("used", "called"),
    [
        ("@f.send(name.tr('-', '_'), 1)", {"F#one", "F#two", "F#own"}),
        ("@f.public_send(name)", {"F#one", "F#two"}),
        ("F.send(name)", {"F.made"}),
        ("name.send(@f)", set()),
    ],
)
def test_a_computed_name_may_be_any_of_an_object_in_another_file(tmp_path: Path, used: str, called: set[str]) -> None:
    functions = "class F\n  def initialize; end\n  def one(s); end\n  def two; end\n  def self.made; end\n"
    functions += "  private\n  def own; end\nend\n"
    user = f"class User\n  def initialize; @f = F.new; end\n  def run(name); {used}; end\nend\n"
    ws = _loaded(tmp_path, {"f.rb": functions, "user.rb": user})
    kinds = {each: ws.callers(each).verdict.kind for each in ("F#one", "F#two", "F#own", "F.made")}
    assert kinds == {each: "possible" if each in called else "none" for each in kinds}
    assert len(ws.callers("F#initialize").reached) == 1


@pytest.mark.parametrize("start", ["config.ru", "config/environment.rb"])
def test_programs_of_one_repository_have_their_own_classes(tmp_path: Path, start: str) -> None:
    store = "class Store\n  def keep; 1; end\nend\nmodule Kit\n  def self.help; end\nend\n"
    app = "class App\n  def run_{0}; go; Store.new.keep; Kit.help; Kit.more; end\n  def go; end\nend\n"
    files = {f"{each}/{start}": "App.new\n" for each in ("one", "two")}
    files |= {f"{each}/app.rb": app.format(each) + store for each in ("one", "two")}
    ws = _loaded(tmp_path, files | {"lib/kit.rb": "module Kit\n  def self.more; end\nend\n"})
    for each, other in (("one", "two"), ("two", "one")):
        assert ws.callers(f"{each}/app.rb:3", min_confidence=0.9).verdict.kind == "found"
        called = ws.callees(f"App#run_{each}", min_confidence=0.9)
        assert {(s.path, s.name) for s in (called.catalog.symbol(r.symbol_id) for r in called.reached)} >= {
            (f"{each}/app.rb", "go"),
            (f"{each}/app.rb", "keep"),
            ("lib/kit.rb", "more"),
        }
        assert not any(called.catalog.symbol(row.symbol_id).path.startswith(other) for row in called.reached)


def test_a_method_that_is_defined_for_an_object_may_be_called_by_the_language(tmp_path: Path) -> None:
    text = "def make\n  Object.new.tap { |o| o.define_singleton_method(:to_ary) { [1] } }\nend\n"
    own = "class A\n  define_singleton_method(:build) { 2 }\n  def self.make; build; end\nend\n"
    ws = _loaded(tmp_path, {"a.rb": text, "b.rb": own})
    assert "calls `to_ary`" in _said(ws.callers("to_ary"))
    assert _names(ws.callees("A.make")) == ["A.build"]


def test_a_reopened_type_from_outside_has_no_name_in_the_scope_around(tmp_path: Path) -> None:
    reopened = "class ::H::Jar\n    def more; end\n  end"
    text = f"class M\n  class Jar < ::H::Jar; end\n  {reopened}\n  def go; Jar.new; end\nend\n"
    ws = _loaded(tmp_path, {"a.rb": text, "b.rb": "class Foo::Bar\n  def x; y; end\n  def y; end\nend\nBar.new\n"})
    assert _names(ws.callees("M#go")) == ["M::Jar"]
    assert _names(ws.callees("Foo::Bar#x")) == ["Foo::Bar#y"]
    assert not ws.callees("b.rb", min_confidence=0.9).reached


@pytest.mark.parametrize("opened", ["class << x\n{}\nend", "Kit.class_eval do\n  class << self\n{}\n  end\nend"])
def test_a_method_of_one_object_is_no_function_of_the_file(tmp_path: Path, opened: str) -> None:
    ws = _loaded(tmp_path, {"a.rb": opened.format("  def get(a); end"), "b.rb": "get '/'\n"})
    assert not ws.callers("get", min_confidence=0.9).reached
    assert "a member of an object" in _said(ws.callers("get"))


def test_a_module_makes_no_instance(tmp_path: Path) -> None:
    text = "module Far\n  class X; end\nend\ndef a; Far.new(1); end\ndef b; Far::X.new; end\n"
    ws = _loaded(tmp_path, {"a.rb": text})
    assert _names(ws.callees("a")) == []
    assert _names(ws.callees("b")) == ["Far::X"]


APP = """class App < Sinatra::Base
  LIMIT = 3
  before { forbid }
  get '/edit/*' do
    forbid if LIMIT
    [1].each { |x| edit(x) }
  end
  namespace "/api" do
    get %r{/list} do
      edit(2)
    end
    def inner; end
  end
  scope :active, -> { edit(3) }
  def edit(x)
    each { forbid }
  end
  def forbid; end
end
"""
TASKS = "task :build => :compile do\n  build\nend\n[1].each do |x| build end\ndef build; end\n"


def test_the_block_of_a_call_is_named_by_it_and_has_its_own_uses(tmp_path: Path) -> None:
    ws = _loaded(
        tmp_path, {"app.rb": APP, "lib.rake": TASKS, "app_test.rb": "class T\n  test 'a' do\n    App\n  end\nend\n"}
    )
    blocks = {s.fqn: (s.line, s.parent) for s in ws.symbols if s.kind == "lambda"}
    app = "app.rb:App"
    assert blocks == {
        "App::before": (3, app), 'App::get "/edit/*"': (4, app), 'App::namespace "/api"': (8, app),
        'App::namespace "/api"::get %r{/list}': (9, 'app.rb:App::namespace "/api"'),
        "App::scope :active": (14, app), "task :build": (1, "lib.rake:lib"),
    }  # fmt: skip
    assert ws.symbol("App#inner").parent == app  # a definition in a block belongs to the type
    called = {(e.source.partition(":")[2], e.target.rpartition(":")[2]) for e in ws.graph.edges if e.kind == "CALLS"}
    assert {each for each in called if each[1] in ("App#edit", "App#forbid", "build")} == {
        ("App::before", "App#forbid"), ('App::get "/edit/*"', "App#forbid"), ('App::get "/edit/*"', "App#edit"),
        ('App::namespace "/api"::get %r{/list}', "App#edit"), ("App::scope :active", "App#edit"),
        ("App#edit", "App#forbid"), ("task :build", "build"), ("lib", "build"),
    }  # fmt: skip
    handed = {(edge.target.partition(":")[2], edge.source) for edge in ws.graph.edges if edge.rule == "block"}
    assert handed == {(fqn, parent) for fqn, (_, parent) in blocks.items()}
    unused = {ws.catalog.symbol(each.symbol_id).name for each in ws.dead_code()}
    assert unused <= {"inner"}


def test_the_block_of_a_call_is_a_row_of_search(tmp_path: Path) -> None:
    ws = _loaded(tmp_path, {"app.rb": APP, "lib.rake": TASKS})
    assert 'get "/edit/*"' in [hit.symbol.name for hit in ws.search("get /edit")][:2]
    lines = {ws.catalog.symbol(c.symbol).name: [(s.start_line, s.end_line) for s in c.spans] for c in ws.catalog.chunks}
    assert lines['get "/edit/*"'] == [(4, 7)]
    assert lines['namespace "/api"'] == [(8, 8), (13, 13)]
    assert lines["App"] == [(1, 4), (8, 8), (12, 12), (14, 15), (18, 19)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[1].each", "# moved\n    [1].each"),
        ("edit(2)", "forbid"),
        ("get '/edit/*'", "get '/change/*'"),
        ("  def forbid; end", "  def forbid; edit(1); end"),
    ],
)
def test_a_refresh_after_an_edit_keeps_the_uses_of_blocks(tmp_path: Path, old: str, new: str) -> None:
    ws = _loaded(tmp_path, {"app.rb": APP, "lib.rake": TASKS})
    (tmp_path / "app.rb").write_text(APP.replace(old, new, 1))
    ws.refresh()
    assert_same(ws, Workspace(tmp_path, workers=0, cache=False))
