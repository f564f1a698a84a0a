"""Ruby: methods of types and of instances, mixins, aliases, writers, and names of methods given as symbols."""

from __future__ import annotations

import pytest

from tests.resolved import Resolved

SHOP = """
class Base
  def self.open(path); new(path); end
  def self.inherited(kind); end
  def initialize(path); end
  def close; end
end
module Loud
  def shout; end
  def open; end
end
module Quiet
  def shout; end
end
class Shop < Base
  include Quiet
  include Loud
  def self.title; end
  def title; end
  def title=(text); end
  def tidy; end
  def <=>(other); end
  alias sweep tidy
  alias_method :wipe, :tidy
  private def secret; end
  def self.run; %s; end
  def run(other, all); %s; end
end
"""


@pytest.mark.parametrize(
    ("own", "code", "expected"),
    [
        (False, "title", ["Shop#title"]),
        (False, "self.title", ["Shop#title"]),
        (False, "self.class.title", ["Shop.title"]),
        (False, "Shop.title", ["Shop.title"]),
        (True, "title", ["Shop.title"]),
        (True, "self.title", ["Shop.title"]),
        (True, "tidy", []),  # a method of instances
        (True, "open('a')", ["Base.open"]),
        (True, "new('a')", ["Base#initialize"]),
        (False, "self.title = 'a'", ["Shop#title="]),
        (False, "self.title ||= 'a'", ["Shop#title", "Shop#title="]),
        (False, "text = self.title", ["Shop#title"]),
        (False, "shop = Shop.new('a'); shop.title = 1", ["Base#initialize", "Shop#title="]),
        (False, "sweep; wipe", ["Shop#tidy"]),
        (False, "send(:secret, 1)", ["Shop#secret"]),
        (False, "public_send('tidy')", ["Shop#tidy"]),
        (False, "shout", ["Loud#shout"]),  # the module that is included last
        (False, "all.map(&:secret)", ["Shop#secret"]),
        (False, "open", ["Loud#open"]),
        (False, "all.each { |tidy| tidy }", []),
        (False, "all.each { |tidy| tidy }; tidy", ["Shop#tidy"]),
        (False, "tidy = 1; two { tidy }", []),
        (False, "go = ->(tidy) { tidy }; tidy", ["Shop#tidy"]),
        (False, "one = Shop.new('a'); one <=> one; 1 <=> 2", ["Base#initialize", "Shop#<=>"]),
    ],
)  # fmt: skip
def test_a_call_runs_the_method_that_ruby_finds(own: bool, code: str, expected: list[str]) -> None:
    found = Resolved({"a.rb": SHOP % ((code, "") if own else ("", code))})
    least = 0.5 if "&:" in code else 0.6  # by name only, because the elements are not known
    assert found.callees(f"a.rb:Shop{'.' if own else '#'}run", least) == [f"a.rb:{name}" for name in expected]


def test_a_method_that_is_taken_as_a_value_is_used() -> None:
    found = Resolved({"a.rb": SHOP % ("", "all.each(&method(:tidy))")})
    assert ("a.rb:Shop#run", "a.rb:Shop#tidy") in found.pairs("USES")


def test_of_two_definitions_in_reopened_types_none_is_certain() -> None:
    found = Resolved({
        "a.rb": "class A\n  def go; 1; end\nend\n",
        "b.rb": "class A\n  def go; 2; end\n  def run; go; end\nend\n",
    })  # fmt: skip
    assert found.callees("b.rb:A#run", 0.5) == ["a.rb:A#go", "b.rb:A#go"]
    assert found.callees("b.rb:A#run", 0.6) == []


@pytest.mark.parametrize("first", ["a.rb", "c.rb"])
def test_every_part_of_a_reopened_type_inherits(first: str) -> None:
    found = Resolved({"b.rb": "class Base\n  def go; end\nend\n", "b2.rb": "class A\n  def run; go; end\nend\n"} | {
        first: "class A < Base\n  def start; go; end\nend\n"
    })  # fmt: skip
    assert found.callees("b2.rb:A#run", 1.0) == ["b.rb:Base#go"]
    assert found.callees(f"{first}:A#start", 1.0) == ["b.rb:Base#go"]


def test_a_name_after_colons_is_searched_from_the_top() -> None:
    found = Resolved({
        "a.rb": "module K\n  class Base\n    def go; end\n  end\n  module Loud\n    def shout; end\n  end\nend\n",
        "b.rb": "module L\n  class K < ::K::Base\n    include ::K::Loud\n"
        "    def run; go; shout; ::K::Base.new; end\n  end\nend\n",
    })  # fmt: skip
    assert found.callees("b.rb:L::K#run", 1.0) == ["a.rb:K::Base", "a.rb:K::Base#go", "a.rb:K::Loud#shout"]


def test_the_class_of_an_object_with_a_module_is_unknown() -> None:
    found = Resolved({"a.rb": "module M\n  def limit; end\n  def run; self.class.limit; limit; end\nend\n"})
    assert found.edges("CALLS", 1.0)[0].sites[0].line == 3
    assert found.rule("a.rb:M#run", "a.rb:M#limit") == "self"
    alone = Resolved({"a.rb": "module M\n  def limit; end\n  def run; self.class.limit; end\nend\n"})
    assert alone.callees("a.rb:M#run", 0.6) == []


def test_a_type_with_a_qualified_name_belongs_to_the_type_that_it_names() -> None:
    found = Resolved({
        "a.rb": "module K\n  class Field < Hash; end\nend\n",
        "b.rb": "module K\n  class Field::Plain\n    def self.reg; end\n    def drop?; end\n  end\nend\n",
        "c.rb": "module K\n  class Field::Aes < Field::Plain\n    reg\n    def drop?; end\n  end\n"
        "  class User < Plain; end\n  module Deep\n    class Field::More < Field::Plain; end\n  end\nend\n",
    })  # fmt: skip
    plain = "b.rb:K::Field::Plain"
    assert found.pairs("EXTENDS") == {("c.rb:K::Deep::Field::More", plain), ("c.rb:K::Field::Aes", plain)}
    assert found.pairs("OVERRIDES") == {("c.rb:K::Field::Aes#drop?", f"{plain}#drop?")}
    assert ("c.rb:K::Field::Aes", f"{plain}.reg") in found.pairs("CALLS")


@pytest.mark.parametrize(
    "code",
    [
        "def self.go; one = new; one.go; end",
        "def self.go; one = self.new; one.go; end",
        "class << self; def go(a); new(a).go; end; end",
        "class << self; def go; new.go; end; end",
    ],
)
def test_new_without_a_receiver_makes_an_instance_in_a_method_of_the_type(code: str) -> None:
    found = Resolved({"a.rb": f"class Twin\n  {code}\n  def go; end\nend\n"})
    assert "a.rb:Twin#go" in found.callees("a.rb:Twin.go", 0.9)
    assert "a.rb:Twin.go" not in found.callees("a.rb:Twin.go", 0.0)


def test_a_variable_called_new_is_no_instance() -> None:
    found = Resolved({"a.rb": "class Twin\n  def self.go(new); new.go; one = new; one.go; end\n  def go; end\nend\n"})
    assert found.pairs("CALLS") == set()


def test_each_method_has_the_word_that_holds_where_it_is() -> None:
    words = ("private", "protected", "public") * 20
    source = "class A\n" + "".join(f"  {word}\n  def m{n}; end\n" for n, word in enumerate(words)) + "end\n"
    symbols = Resolved({"a.rb": source}).symbols.values()
    said = [each.signature.partition(" ")[0] for each in symbols if each.kind == "method"]
    assert said == ["def" if word == "public" else word for word in words]


def test_private_methods_say_so_in_their_signature() -> None:
    code = """
        class Job
          def late; end
          def self.make; end
          private_class_method :make
          private :late
          private def one; end
          def run; end
          Other.send(:include, Job)
          Other.private_class_method :open
          private
          attr_reader :hidden
          def two; end
          def self.open; end
          public
          def three; end
          protected
          def four; end
          private(*%i[three])
          class << self
            def six; end
            private
            def seven; end
          end
        end
        """
    symbols = Resolved({"a.rb": code}).symbols.values()
    closed = {each.name for each in symbols if each.signature.startswith(("private ", "protected "))}
    assert closed == {"late", "make", "one", "hidden", "two", "three", "four", "seven"}


@pytest.mark.parametrize(
    ("second", "confidence"),
    [("Other", 0.9), ("build(io)", 0.9), ("nil", 0.9), ("io ? 1 : io.kind", 0.9), ("Null", 0.9)],
)
def test_values_of_a_variable_of_an_instance_are_likely(second: str, confidence: float) -> None:
    classes = "class Null\n  def self.read; end\nend\nclass Other\n  def self.read; end\nend\n"
    methods = f"def initialize; @in = Null; end\n  def open(io); @in = {second}; end\n  def run; @in.read; end"
    found = Resolved({"a.rb": f"{classes}class S\n  {methods}\nend\n"})
    edge = next(e for e in found.edges("CALLS") if found.short(e.target) == "a.rb:Null.read")
    assert edge.confidence == pytest.approx(confidence)


def test_a_type_with_a_name_from_the_top_belongs_to_no_type_around() -> None:
    found = Resolved({
        "a.rb": "module HTTP\n  def self.go; end\nend\n",
        "b.rb": "module M\n  module HTTP; end\n  class ::HTTP::Jar\n    def add; end\n  end\nend\n",
        "c.rb": "def run; HTTP::Jar.new.add; end\n",
    })  # fmt: skip
    jar = next(each for each in found.symbols.values() if each.name == "Jar")
    assert jar.fqn == "HTTP::Jar"
    assert [target for _, target in found.pairs("CALLS", 0.9) if target.endswith("add")] == ["b.rb:HTTP::Jar#add"]


@pytest.mark.parametrize("alias", ["alias other go", "alias_method :other, :go"])
def test_a_type_with_a_qualified_name_has_aliases(alias: str) -> None:
    code = f"module M; module N; end; end\nclass M::N::Job\n  def go; end\n  {alias}\n  def run; x = other; end\nend\n"
    assert Resolved({"a.rb": code}).callees("a.rb:M::N::Job#run", 0.9) == ["a.rb:M::N::Job#go"]


LENT = """
module Base
  %s
  module ClassMethods
    def start; fetch; end
    def fetch; end
  end
  def fetch; end
end
class Tool
  include Base
  class << self
    def fetch; super; end
  end
end
class Other
  include Greeting
  def self.greet; end
end
module Greeting
  def greet; end
end
def run; Tool.start; end
"""


@pytest.mark.parametrize(
    "hook",
    [
        "def self.included(base)\n    base.extend ClassMethods\n  end",
        "def self.included(base) base.extend(ClassMethods); end",
        "class << self\n    def included(kind)\n      kind.send :extend, ClassMethods\n    end\n  end",
        "extend ActiveSupport::Concern",
    ],
)
def test_a_module_lends_methods_to_the_types_that_include_it(hook: str) -> None:
    found = Resolved({"a.rb": LENT % hook})
    assert found.callees("a.rb:run", 0.9) == ["a.rb:Base::ClassMethods#start"]
    assert sorted(found.callees("a.rb:Base::ClassMethods#start", 0.3)) == [
        "a.rb:Base::ClassMethods#fetch",
        "a.rb:Tool.fetch",
    ]
    assert found.callees("a.rb:Tool.fetch", 0.3) == ["a.rb:Base::ClassMethods#fetch"]
    assert found.pairs("OVERRIDES", 0.3) == {("a.rb:Tool.fetch", "a.rb:Base::ClassMethods#fetch")}


def test_a_hook_of_another_receiver_lends_nothing() -> None:
    hook = "def self.included(base)\n    other.extend ClassMethods\n  end"
    found = Resolved({"a.rb": LENT % hook})
    assert found.callees("a.rb:run", 0.9) == []
    assert found.pairs("OVERRIDES", 0.3) == set()


def test_a_method_in_an_evaluated_block_belongs_to_the_evaluating_type() -> None:
    code = """
        class Job
          def one; two; end
        end
        Job.class_eval do
          def two; one; end
        end
        Job.instance_eval do
          def three; end
        end
        self.instance_eval { def four; end }
        def run; three; four; end
        """
    found = Resolved(
        {"a.rb": code, "b.rb": "Job.class_eval do\n  def five; one; end\nend\ndef go; Job.new.five; end\n"}
    )
    assert found.callees("a.rb:Job#one", 0.9) == ["a.rb:Job#two"]
    assert found.callees("a.rb:Job#two", 0.9) == ["a.rb:Job#one"]
    assert found.callees("b.rb:go", 0.6) == ["a.rb:Job", "b.rb:Job#five"]
    assert found.callees("a.rb:run", 0.6) == []


def test_a_name_that_a_text_builds_means_the_methods_of_the_object_that_fit() -> None:
    code = """
        class Reader
          def each(kind) = send("read_#{kind}", 1)
          def later(kind)
            name = :"read_#{kind}"
            self.public_send(name)
          end
          def plain(kind)
            name = kind ? "tidy" : "read_line"
            name = "tidy"
            send(name)
          end
          def unknown(kind) = send("#{kind}")
          def joined(kind) = send("read_" + kind.to_s)
          def read_line(size = 0); end
          def tidy; end
        end
        class Deep < Reader
          def read_page; end
        end
        class Other
          def read_other; end
        end
        """
    found = Resolved({"a.rb": code})
    for name in ("each", "later", "joined"):
        assert found.callees(f"a.rb:Reader#{name}", 0.9) == ["a.rb:Deep#read_page", "a.rb:Reader#read_line"], name
    assert found.callees("a.rb:Reader#plain", 0.9) == ["a.rb:Reader#tidy"]
    assert found.callees("a.rb:Reader#unknown", 0.0) == []


def test_a_name_that_a_text_builds_in_a_mixin_means_methods_of_its_users() -> None:
    code = """
        module Steps
          def run(kind) = send("step_#{kind}")
        end
        class Job
          include Steps
          def step_one; end
        end
        """
    assert Resolved({"a.rb": code}).callees("a.rb:Steps#run", 0.6) == ["a.rb:Job#step_one"]


@pytest.mark.parametrize(
    "code",
    [
        "send(TABLE[k])",
        "m = TABLE.fetch(k); public_send(m, 1)",
        "NAMES.each { |n| send(n) }",
        "%i[one two].each do |n| public_send(n) end",
        "TABLE.each { |key, n| self.send(n, key) }",
    ],
)
def test_a_method_that_a_table_names(code: str) -> None:
    text = f"""
        class K
          TABLE = {{ a: :one, "b" => :two }}.freeze
          NAMES = %w[one two]
          def one; end
          def two; end
          def other; end
          def run(k)
            {code}
          end
        end
        """
    assert Resolved({"a.rb": text}).callees("a.rb:K#run", 0.5) == ["a.rb:K#one", "a.rb:K#two"]


@pytest.mark.parametrize(
    ("code", "called"),
    [
        ("Post.find(1).user.greet", "User#greet"),
        ("Post.first.writer.greet", "User#greet"),
        ("u = User.find_by(x: 1); u.posts.where(a: 1).last.greet", "Post#greet"),
        ("u = User.find_by(x: 1); u.posts.each(&:greet)", "Post#greet"),
        ("User.new.category.greet", "Category#greet"),
    ],
)
def test_relations_of_records_give_instances(code: str, called: str) -> None:
    text = f"""
        class Post < ApplicationRecord
          belongs_to :user
          belongs_to :writer, class_name: "User"
          def greet; end
        end
        class User < ApplicationRecord
          has_many :posts
          has_many :categories
          has_one :category
          def greet; end
          def newest = posts.first.greet
        end
        class Category < ApplicationRecord
          def greet; end
        end
        class S
          def go
            {code}
          end
        end
        """
    made = Resolved({"a.rb": text})
    assert [each for each in made.callees("a.rb:S#go", 0.5) if "greet" in each] == [f"a.rb:{called}"]
    assert made.callees("a.rb:User#newest", 0.5) == ["a.rb:Post#greet"]
    assert made.callees("a.rb:S#go", 0.6).count(f"a.rb:{called}") == 0
