"""PHP: names by the rules of the manual (absolute, relative, imported, grouped), ``self`` and ``static``, traits."""

from __future__ import annotations

import pytest

from tests.resolved import Resolved

BOOKS = {
    "src/Store.php": """<?php
        namespace Shop\\Data;
        class Store {
            public function __construct() {}
            public static function open(): static { return new static(); }
            public static function copy() { return new self(); }
            public function read() {}
        }
        """,
    "src/more.php": "<?php\nnamespace Shop;\nfunction tally() {}\nfunction count($x) {}\nconst MOST = 3;\n",
    "plain.php": "<?php\nfunction tally() {}\nclass Store { function read() {} }\n",
}


@pytest.mark.parametrize(
    ("uses", "code", "expected"),
    [
        ("", "\\Shop\\tally();", ["more.php:tally"]),
        ("", "\\tally();", ["plain.php:tally"]),
        ("", "\\strlen('a'); \\count([]);", []),  # functions of PHP, whatever a namespace defines
        ("", "\\Shop\\Data\\Store::open();", ["Store.php:Store::open"]),
        ("", "(new \\Shop\\Data\\Store())->read();", ["Store.php:Store::__construct", "Store.php:Store::read"]),
        ("", "$x = fn(\\Shop\\Data\\Store $s) => 1; return namespace\\own();", ["Page.php:own"]),
        ("use Shop\\Data;", "Data\\Store::open();", ["Store.php:Store::open"]),
        ("use Shop\\Data\\Store as Kept;", "Kept::open();", ["Store.php:Store::open"]),
        ("use Store as Plain;", "(new Plain())->read();", ["plain.php:Store", "plain.php:Store::read"]),
        ("use Shop\\{Data\\Store, function tally as total};", "Store::copy(); total();",
         ["Store.php:Store::copy", "more.php:tally"]),
        ("use function Shop\\{tally, count};", "tally(); count(1);", ["more.php:count", "more.php:tally"]),
        ("use function Shop\\tally, Shop\\count as number;", "tally(); number(1);",
         ["more.php:count", "more.php:tally"]),
        ("use Shop\\Data\\Store;", "$tally = fn() => 1; $tally(); $store = Store::open(); $store->read();",
         ["Store.php:Store::open", "Store.php:Store::read"]),
        ("use Shop\\Data\\Store;", "$kind = Store::class; $made = new $kind(); $made->read();",
         ["Store.php:Store::__construct", "Store.php:Store::read"]),
    ],
)  # fmt: skip
def test_names_mean_what_the_rules_of_php_say(uses: str, code: str, expected: list[str]) -> None:
    page = f"<?php\nnamespace Web;\n{uses}\nfunction own() {{}}\nfunction page() {{ {code} }}\n"
    assert Resolved(BOOKS | {"Page.php": page}).callees("Page.php:page") == expected


def test_documentation_may_name_an_absolute_container_or_only_the_mark_of_one() -> None:
    page = """<?php
        namespace Web;
        class Page {
            /** @return \\Generator<\\Shop\\Data\\Store> */
            function all() { yield opened(); }
            /** @return \\\\Store */
            function none() { return opened(); }
            function shown() { foreach ($this->all() as $one) { $one->read(); } }
            function lost() { $this->none(); }
        }
        """
    resolved = Resolved(BOOKS | {"Page.php": page})
    assert resolved.callees("Page.php:Page::shown") == ["Page.php:Page::all", "Store.php:Store::read"]
    assert resolved.callees("Page.php:Page::lost") == ["Page.php:Page::none"]


def test_types_and_supertypes_may_be_absolute_names() -> None:
    page = """<?php
        namespace Web;
        class Page extends \\Shop\\Data\\Store {
            function own(\\Shop\\Data\\Store $a, ?\\Store $b, \\Closure $parent) {
                $a->read(); $b->read(); $parent->read(); }
            function above() { parent::read(); }
        }
        """
    found = Resolved(BOOKS | {"Page.php": page})
    assert found.callees("Page.php:Page::own", 0.9) == ["Store.php:Store::read", "plain.php:Store::read"]
    assert found.callees("Page.php:Page::above", 0.9) == ["Store.php:Store::read"]
    assert ("Page.php:Page", "Store.php:Store") in found.pairs("EXTENDS")


def test_an_anonymous_class_has_members_of_its_own() -> None:
    text = """<?php
        interface Step { function run(); }
        class Base { function up() {} }
        class Outer {
            function make() {
                $step = new class(1) extends Base implements Step {
                    function __construct($n) {}
                    function run() { $this->help(); parent::up(); }
                    private function help() {}
                };
                $step->run();
                return $step;
            }
            private function help() {}
        }
        function drive(Step $step) { $step->run(); }
        """
    found = Resolved({"a.php": text})
    own = "a.php:Outer::make\\<class:6:28>"
    assert found.callees(f"{own}::run", 0.9) == ["a.php:Base::up", f"{own}::help"]
    assert found.callees("a.php:Outer::make", 0.9) == [f"{own}::__construct", f"{own}::run"]
    assert found.callees("a.php:drive", 0.6) == [f"{own}::run", "a.php:Step::run"]


def test_a_file_may_have_several_namespaces() -> None:
    found = Resolved({
        "a.php": "<?php\nnamespace A;\nclass X { static function f() {} }\n"
                 "namespace B;\nclass Y { static function g() { \\A\\X::f(); namespace\\h(); } }\nfunction h() {}\n",
        "b.php": "<?php\nnamespace C { function k() { \\B\\Y::g(); } }\nnamespace { function top() { C\\k(); } }\n",
    })  # fmt: skip
    assert found.callees("a.php:B\\Y::g", 0.9) == ["a.php:A\\X::f", "a.php:B\\h"]
    assert found.callees("b.php:C\\k", 0.9) == ["a.php:B\\Y::g"]
    assert found.callees("b.php:top", 0.9) == ["b.php:C\\k"]


def test_a_method_that_an_array_names_is_used() -> None:
    text = """<?php
        class A {
            function step() {} static function open() {} function data() {}
            function run() { array_map([$this, 'step'], []); $f = [A::class, 'open']; $g = ['data', 'step']; }
        }
        """
    assert Resolved({"a.php": text}).pairs("USES") >= {
        ("a.php:A::run", "a.php:A::step"),
        ("a.php:A::run", "a.php:A::open"),
    }
    assert ("a.php:A::run", "a.php:A::data") not in Resolved({"a.php": text}).pairs("USES")


def test_self_static_and_parent_make_instances() -> None:
    text = """<?php
        class Shape {
            protected function __construct() {}
            static function make() { return new static(); }
            static function plain() { return new self; }
        }
        class Round extends Shape {
            protected function __construct() {}
            static function above() { return new parent(); }
        }
        """
    found = Resolved({"a.php": text})
    assert found.callees("a.php:Shape::make") == ["a.php:Round::__construct", "a.php:Shape::__construct"]
    assert found.callees("a.php:Shape::plain", 0.9) == ["a.php:Shape::__construct"]
    assert found.callees("a.php:Round::above", 0.9) == ["a.php:Shape::__construct"]


def test_a_static_method_may_run_that_of_a_subclass_only_through_static() -> None:
    text = """<?php
        class Base {
            static function name() {}
            static function late() { static::name(); }
            static function early() { self::name(); }
        }
        class Sub extends Base { static function name() {} }
        """
    found = Resolved({"a.php": text})
    assert found.callees("a.php:Base::late") == ["a.php:Base::name", "a.php:Sub::name"]
    assert found.callees("a.php:Base::early", 0.0) == ["a.php:Base::name"]


def test_traits_hide_what_is_inherited_and_give_methods_other_names() -> None:
    text = """<?php
        trait Walks { function go() {} function stop() {} private function rest() {} }
        trait Rides { function go() {} }
        class Animal { function go() {} function eat() {} }
        class Horse extends Animal {
            use Walks, Rides { Rides::go insteadof Walks; Walks::go as protected walk; rest as public; stop as halt; }
            function day() { $this->go(); $this->walk(); $this->halt(); $this->rest(); $this->eat(); }
        }
        class Dog extends Animal { use Walks; function day() { $this->go(); } }
        class Cat extends Animal { use Walks; function go() {} function day() { $this->go(); } }
        """
    found = Resolved({"a.php": text})
    assert found.callees("a.php:Horse::day", 0.9) == [
        "a.php:Animal::eat", "a.php:Rides::go", "a.php:Walks::go", "a.php:Walks::rest", "a.php:Walks::stop",
    ]  # fmt: skip
    assert found.callees("a.php:Dog::day", 0.9) == ["a.php:Walks::go"]
    assert found.callees("a.php:Cat::day", 0.9) == ["a.php:Cat::go"]


def test_a_declared_static_is_of_the_class_of_each_call() -> None:
    made = Resolved({
        "a.php": """<?php
            class Base {
              static function make(): static { return new static(); }
              function go() {} }
            class Head extends Base { function go() {} }
            function one() { Head::make()->go(); }
        """
    })  # fmt: skip
    assert made.callees("a.php:one", 0.5) == ["a.php:Base::make", "a.php:Head::go"]


def test_a_bare_call_is_that_of_a_function_never_of_a_method() -> None:
    text = """<?php
        namespace App;
        use function count;
        class Bag {
            private array $held = [];
            function count(): int { return count($this->held); }
            function size(): int { return tally() + $this->count(); }
            function tally() {}
        }
        """
    found = Resolved({"a.php": text})
    assert found.callees("a.php:Bag::count", 0.0) == []
    assert found.callees("a.php:Bag::size", 0.0) == ["a.php:Bag::count"]


def test_the_parameter_of_a_closure_has_its_type_there_only() -> None:
    text = """<?php
        class Bar { function name() {} }
        class Baz { function name() {} }
        function brief($all) { return array_map(fn (Bar $item): string => $item->name(), $all); }
        function whole($all) { return array_map(function (?Bar $item) { return $item->name(); }, $all); }
        function both(Baz $item, $all) { array_map(fn (Bar $item) => $item, $all); return $item->name(); }
        function taken(Bar $item) { return function (Baz $other) use ($item) { return $item->name(); }; }
        """
    found = Resolved({"a.php": text})
    for name, type_name in (("brief", "Bar"), ("whole", "Bar"), ("both", "Baz"), ("taken", "Bar")):
        assert found.callees(f"a.php:{name}", 0.9) == [f"a.php:{type_name}::name"], name


def test_a_name_that_a_text_builds_means_the_methods_of_the_object_that_fit() -> None:
    text = """<?php
        abstract class Printer {
            function one($kind) { return $this->{'print' . $kind->name()}(); }
            function two($kind) { return $this->{"print{$kind}"}(); }
            function three($kind) { $name = 'print' . ucfirst($kind); return $this->$name(); }
            function four($kind) { return static::{"make$kind"}(); }
            function five($kind) { return $this->$kind(); }
            function printLine() {}
            static function makeLine() {}
        }
        class Plain extends Printer { function printPage() {} }
        class Other { function printOther() {} }
        """
    found = Resolved({"a.php": text})
    for name in ("one", "two", "three"):
        both = ["a.php:Plain::printPage", "a.php:Printer::printLine"]
        assert found.callees(f"a.php:Printer::{name}", 0.9) == both, name
    assert found.callees("a.php:Printer::four", 0.9) == ["a.php:Printer::makeLine"]
    assert found.callees("a.php:Printer::five", 0.0) == []


def test_a_method_of_a_trait_gives_way_to_one_with_a_body() -> None:
    text = """<?php
        trait Needs { abstract function held(); function all() { $this->held(); } }
        trait Has { function held() {} }
        class First { use Needs; use Has; function go() { $this->held(); } }
        class Last { use Has; use Needs; function go() { $this->held(); } }
        class Own { use Needs; function held() {} function go() { $this->held(); } }
        """
    found = Resolved({"a.php": text})
    for name, owner in (("First", "Has"), ("Last", "Has"), ("Own", "Own")):
        assert found.callees(f"a.php:{name}::go", 0.0) == [f"a.php:{owner}::held"], name
    assert {"a.php:Has::held", "a.php:Own::held"} <= set(found.callees("a.php:Needs::all", 0.6))


def test_a_property_and_a_method_of_one_name_are_two_members() -> None:
    text = """<?php
        class Tree {
            private $size = 1;
            function __construct(private array $rows, private ?Closure $step = null) {}
            function size() { return $this->size; }
            function rows() { return $this->rows; }
            function both() { return $this->size() + count($this->rows) + ($this->step)(); }
            function given() { return array_map([$this, 'both'], $this->rows()); }
        }
        """
    found = Resolved({"a.php": text})
    uses = {(source.partition("Tree::")[2], target.partition("Tree::")[2]) for source, target in found.pairs("USES")}
    properties = {("size#2", "size"), ("rows#2", "rows"), ("both", "rows"), ("both", "step"), ("given", "both")}
    assert uses == properties
    assert found.callees("a.php:Tree::both") == ["a.php:Tree::size#2"]
    assert found.callees("a.php:Tree::given", 0.6) == ["a.php:Tree::rows#2"]


def test_a_method_of_a_supertype_outside_has_its_plain_name() -> None:
    text = "<?php\nclass Wrong extends \\Lib\\Fault { function __construct() { parent::__construct(); } }\n"
    names = Resolved({"a.php": text}).outside()
    assert any(name.endswith("Fault.__construct") for name in names)
    assert not any(name.endswith("()") for name in names)


CAPITALS = {
    "a.php": "<?php\nnamespace App\\Core;\nclass Shop { function open() {} static function make() {} }\n",
    "b.php": "<?php\nnamespace Box;\nfunction Total() {}\nclass Date {}\n",
}


@pytest.mark.parametrize(
    ("code", "called"),
    [
        ("use app\\core\\SHOP; function go(SHOP $x) { $x->OPEN(); }", ["a.php:Shop::open"]),
        ("use App\\Core\\Shop; function go() { shop::MAKE(); }", ["a.php:Shop::make"]),
        ("use App\\Core\\Shop; function go() { $x = new SHOP(); $x->open(); }", ["a.php:Shop", "a.php:Shop::open"]),
        ("function go() { \\APP\\Core\\shop::make(); }", ["a.php:Shop::make"]),
        ("use Box; function go() { BOX\\total(); }", ["b.php:Total"]),
        ("use Box\\Date; function go() { date(); }", []),  # the function of PHP
    ],
)
def test_names_may_have_other_capitals_than_their_definitions(code: str, called: list[str]) -> None:
    found = Resolved({**CAPITALS, "c.php": f"<?php\n{code}\n"})
    assert [each.replace("App\\Core\\", "").replace("Box\\", "") for each in found.callees("c.php:go", 0.9)] == called


def test_subtypes_may_name_a_type_with_other_capitals() -> None:
    text = (
        "<?php\nclass Shop {}\ninterface Sold {}\ntrait Kept {}\nclass Own extends SHOP implements sold { use KEPT; }\n"
    )
    found = Resolved({"a.php": text})
    above = [*found.pairs("EXTENDS"), *found.pairs("IMPLEMENTS")]
    assert sorted(target for _, target in above) == ["a.php:Kept", "a.php:Shop", "a.php:Sold"]


def test_an_array_with_a_name_means_a_method_beside_a_property_of_this_name() -> None:
    text = "<?php\nclass Box { private $size; function size() {} function go() { return [$this, 'size']; } }\n"
    assert ("a.php:Box::go", "a.php:Box::size#2") in Resolved({"a.php": text}).pairs("USES")


def test_the_name_of_an_argument_is_that_of_a_parameter() -> None:
    text = """<?php
        class Cat { function go() {} }
        class Dog { function go() {} }
        class Pen { function __construct(public $ink, $size) {} }
        class Big { public $size; function __construct($size) {} }
        function size() {}
        function run($one, $size) { $size->go(); }
        function use_() { run(size: new Cat(), one: new Dog()); new Pen(ink: 1, size: 2); new Big(size: 1); }
        """
    found = Resolved({"a.php": text})
    assert found.callees("a.php:run", 0.6) == ["a.php:Cat::go"]
    used = {target for source, target in found.pairs("USES") if source == "a.php:use_"}
    assert "a.php:Pen::ink" in used
    assert not {"a.php:size", "a.php:Big::size"} & used


@pytest.mark.parametrize(
    "call",
    [
        "$this->f->$n(1)",
        "[$this->f, $n](1)",
        "call_user_func([$this->f, $n])",
        "\\call_user_func_array([$this->f, $n], [])",
    ],
)
def test_a_method_named_by_a_variable_may_be_any_of_a_known_object(call: str) -> None:
    made = Resolved({
        "kept.php": "<?php\nclass F { function __construct() {} function one() {} private function two() {} }",
        "user.php": "<?php\nclass P { private F $f;\n"
        f"function go($n, $x) {{ {call}; $x->$n(); return [$this->f, $n]; }} }}",
    })  # fmt: skip
    assert made.callees("user.php:P::go", 0.5) == ["kept.php:F::one"]
    assert made.callees("user.php:P::go") == []


def test_types_that_only_documentation_tells() -> None:
    made = Resolved({
        "c.php": "<?php\nnamespace App\\Models;\nclass Chapter { function show() {} }\n"
        "class Other { function show() {} }",
        "page.php": """<?php
namespace App;
use App\\Models\\{Chapter, Other};
/**
 * @property Chapter|null $chapter
 * @property-read Collection<int, Chapter> $all
 */
class Page {
  /** @var Chapter[] of the page */
  private $items;
  /** @var array<string, Chapter> */
  private array $map = [];
  private Chapter $typed;
  /**
   * @param Chapter $c the one
   * @param \\App\\Models\\Chapter[] $cs
   * @param Other $t
   * @return Chapter|null
   */
  function one($c, array $cs, Chapter $t) { $c->show(); }
  function each($x) { foreach ($this->items as $i) { $i->show(); } }
  function mapped() { foreach ($this->map as $i) { $i->show(); } }
  function held() { $this->chapter->show(); }
  function all() { foreach ($this->all as $a) { $a->show(); } }
  function given() { $this->one()->show(); }
  /** @param iterable<Chapter> $cs */
  function many(iterable $cs) { foreach ($cs as $c) { $c->show(); } }
  /** @param Other $t */
  function sure(Chapter $t) { $t->show(); }
  function local() { /** @var Chapter $z */ $z = f(); $z->show(); }
}""",
    })  # fmt: skip
    for name in ("one", "each", "mapped", "held", "all", "given", "many", "sure", "local"):
        called = [each for each in made.callees(f"page.php:Page::{name}", 0.9) if each.endswith("show")]
        assert called == ["c.php:Chapter::show"], name


@pytest.mark.parametrize(
    "code",
    [
        "app(Post::class)->send();",
        "$p = resolve(\\App\\Post::class); $p->send();",
        "$this->box->get(Post::class)->send();",
        "app()->make(Post::class)->send();",
        "foreach ($u->posts as $p) { $p->send(); }",
        "$u->last->send();",
        "$u->posts()->where('a', 1)->first()->send();",
        "User::find(1)->last->send();",
    ],
)
def test_instances_that_a_framework_makes_of_a_named_type_are_possible(code: str) -> None:
    made = Resolved({"a.php": f"""<?php
namespace App;
use Illuminate\\Database\\Eloquent\\Model;
class Post extends Model {{ function send() {{}} }}
class Mail {{ function send() {{}} }}
class User extends Model {{
  function posts() {{ return $this->hasMany(Post::class); }}
  function last() {{ return $this->hasOne(Post::class); }}
}}
class S {{ function go(User $u) {{ {code} }} }}
"""})  # fmt: skip
    called = {
        edge.target.rpartition(":")[2]: edge.confidence for edge in made.edges("CALLS", 0) if "send" in edge.target
    }
    assert called == {"send": 0.5}
    assert "a.php:Mail::send" not in made.callees("a.php:S::go", 0.5)


@pytest.mark.parametrize(
    "code",
    [
        "$this->{$this->map[$k]}();",
        "$m = self::NAMES[$k]; $this->$m();",
        "call_user_func([$this, $this->map[$k]]);",
        "foreach (['one', 'two'] as $m) { $this->$m(); }",
        "foreach ($this->map as $k => $m) { $this->$m(1); }",
    ],
)
def test_a_method_that_a_table_names(code: str) -> None:
    made = Resolved({"a.php": f"""<?php class K {{
  private $map = ['a' => 'one', 'b' => 'two'];
  const NAMES = ['one', 'two'];
  function one() {{}} function two() {{}} function other() {{}}
  function run($k) {{ {code} }}
}}"""})  # fmt: skip
    assert made.callees("a.php:K::run", 0.5) == ["a.php:K::one", "a.php:K::two"]


def test_an_array_holds_what_is_stored_into_it() -> None:
    made = Resolved({"a.php": """<?php
class Item { function go() {} }
class Other { function go() {} }
class K {
  private $items = []; private $more = []; private $any = [];
  function add() { $this->items[] = new Item(); }
  function put($k, Item $i, $x) { $this->more[$k] = $i; $this->any[] = $x; }
  function all() { foreach ($this->items as $i) $i->go(); }
  function one() { $this->more['x']->go(); }
  function local() { $l = []; $l[] = new Item(); foreach ($l as $k => $i) { $i->go(); } }
  function unknown() { foreach ($this->any as $i) $i->go(); }
}"""})  # fmt: skip
    for name in ("all", "one", "local"):
        assert "a.php:Item::go" in made.callees(f"a.php:K::{name}", 0.9)
        assert "a.php:Other::go" not in made.callees(f"a.php:K::{name}", 0)
    assert made.callees("a.php:K::unknown", 0.6) == []


@pytest.mark.parametrize("accessor", ["return Log::class;", "return 'log';"])
def test_a_facade_stands_for_an_instance_of_the_type_that_it_names(accessor: str) -> None:
    doc = "/** @mixin \\App\\Log */" if "'" in accessor else ""
    made = Resolved({
        "log.php": "<?php\nnamespace App;\nclass Log { function write() {} }\nclass Other { function write() {} }\n",
        "facade.php": "<?php\nnamespace App\\Facades;\nuse App\\Log;\nuse Illuminate\\Support\\Facades\\Facade;\n"
        f"{doc}\n"
        f"class Logs extends Facade {{ protected static function getFacadeAccessor() {{ {accessor} }} }}\n",
        "use.php": "<?php\nnamespace App;\nuse App\\Facades\\Logs;\nfunction go() { Logs::write(); Logs::fake(); }\n",
    })  # fmt: skip
    assert made.callees("use.php:go", 0.9) == ["log.php:Log::write"]


def test_a_mark_of_global_names_alone_names_nothing() -> None:
    text = "<?php\n/** @return \\ */\nfunction f() { return 1; }\nfunction g() { f()->run(); return \\ ; }\n"
    assert Resolved({"a.php": text}).callees("a.php:g") == ["a.php:f"]
