"""What Python's classes are made of: metaclasses, hooks, descriptors, enumerations; and the patterns that test them."""

from __future__ import annotations

import pytest

from tests.graph_sources import calls
from tests.resolved import Resolved


def python(text: str) -> Resolved:
    return Resolved({"m.py": text})


def test_metaclasses() -> None:
    made = python("""
        class Meta(type):
            def __call__(cls, *args): return super().__call__(*args)
            def make(cls): return cls()
        class Base(metaclass=Meta):
            def go(self): pass
        class Child(Base):
            def __init__(self): pass
        def new(): Child()
        def through(): Child.make()
""")
    assert made.callees("m.py:new") == ["m.py:Child.__init__", "m.py:Meta.__call__"]
    assert made.callees("m.py:through") == ["m.py:Meta.make"]


def test_defining_a_class_calls_hooks() -> None:
    made = python("""
        class Field:
            def __set_name__(self, owner, name): pass
        class Base:
            def __init_subclass__(cls, **options): pass
        class Child(Base):
            title = Field()
        def make():
            class Inner(Base): pass
""")
    assert made.callees("m.py:") == ["m.py:Base.__init_subclass__", "m.py:Field.__set_name__"]
    assert made.callees("m.py:make") == ["m.py:Base.__init_subclass__"]


def test_assigning_to_a_descriptor() -> None:
    made = python("""
        class Positive:
            def __set__(self, obj, value): value.check()
        class Item:
            price = Positive()
            def __init__(self, price): self.price = price
        class Price:
            def check(self): pass
        Item(Price())
""")
    assert made.callees("m.py:Item.__init__") == ["m.py:Positive.__set__"]
    assert made.callees("m.py:Positive.__set__") == ["m.py:Price.check"]


def test_patterns_of_match() -> None:
    made = python("""
        class Circle:
            def area(self): pass
        class Square:
            centre: Circle
            def area(self): pass
        class Mode:
            ON = 1
        def by_class(shape):
            match shape:
                case Circle(): shape.area()
        def either(shape):
            match shape:
                case Circle() | Square(): shape.area()
        def part(shape):
            match shape:
                case Square(centre=inner): inner.area()
        def named(shapes):
            match shapes:
                case [Square() as first, *_]: first.area()
        def value(mode):
            match mode:
                case Mode.ON: pass
""")
    assert made.callees("m.py:by_class") == ["m.py:Circle.area"]
    assert made.callees("m.py:either") == ["m.py:Circle.area", "m.py:Square.area"]
    assert made.callees("m.py:part") == ["m.py:Circle.area"]
    assert made.callees("m.py:named") == ["m.py:Square.area"]
    assert ("m.py:value", "m.py:Mode.ON") in made.pairs("USES")
    assert ("m.py:by_class", "m.py:Circle") in made.pairs("USES")


def test_iterating_an_enumeration_and_awaiting_tasks() -> None:
    made = python("""
        import asyncio, enum
        class Color(enum.Enum):
            RED = 1
            def shade(self): pass
        def each():
            for color in Color: color.shade()
        async def make(): return Color.RED
        async def wait():
            task = asyncio.create_task(make())
            (await task).shade()
""")
    assert made.callees("m.py:each") == ["m.py:Color.shade"]
    assert made.callees("m.py:wait") == ["m.py:Color.shade", "m.py:make"]


def test_decorators_that_are_roles_are_not_unresolved() -> None:
    made = python("""
        import functools
        class C:
            @property
            def size(self): pass
            @size.setter
            def size(self, value): pass
        @functools.singledispatch
        def show(x): pass
        @show.register
        def _(x: int): pass
        @show.register(str)
        def show_text(x): pass
        @unknown.register
        def other(): pass
""")
    assert made.unresolved() == {"register"}
    assert [row.receiver for row in made.graph.unresolved] == ["unknown"]


def test_the_declared_type_of_collected_arguments_is_that_of_each() -> None:
    made = python("""
        class Repo:
            def __iter__(self): yield 1
            def snapshot(self): pass
        def each(*repos: Repo):
            for repo in repos: repo.snapshot()
        def named(**repos: Repo):
            for name, repo in repos.items(): repo.snapshot()
        """)
    assert made.callees("m.py:each") == ["m.py:Repo.snapshot"]
    assert made.callees("m.py:named") == ["m.py:Repo.snapshot"]


BELOW = """
        class Base:
            def __init__(self): pass
            def __call__(self): return 1
            @property
            def size(self): return 1
            @staticmethod
            def made(): return 1
            def __setattr__(self, name, value): pass
        class Part(Base):
            def __init__(self): pass
            def __call__(self): return 2
            @property
            def size(self): return 2
            @staticmethod
            def made(): return 2
            def __setattr__(self, name, value): pass
        def use(base: Base): {}
        def copy(base: type[Base]): base()
"""


@pytest.mark.parametrize(
    ("code", "method"),
    [
        ("base()", "__call__"),
        ("base.size", "size"),
        ("base.made()", "made"),
        ("base.color = 1", "__setattr__"),
        ("type(base)()", "__init__"),
    ],
)
def test_a_class_below_the_known_one_may_override_whatever_is_used(code: str, method: str) -> None:
    """Instances that are called, properties, static methods through an instance, attributes set, classes called."""
    made = python(BELOW.format(code))
    assert made.callees("m.py:use") == [f"m.py:Base.{method}", f"m.py:Part.{method}"]
    assert made.rule("m.py:use", f"m.py:Part.{method}") == "override-below"


@pytest.mark.parametrize("known", ["base: Base", "base: Base | None"])
def test_a_value_that_may_be_of_a_subclass_may_be_so_where_it_is_passed(known: str) -> None:
    made = python(f"""
        class Base:
            def size(self): return 1
        class Part(Base):
            def size(self): return 2
        def measured(item): item.size()
        def measure({known}): measured(base)
        def made(): sized(Base())
        def sized(item): item.size()
    """)
    assert made.callees("m.py:measured") == ["m.py:Base.size", "m.py:Part.size"]
    assert made.rule("m.py:measured", "m.py:Part.size") == "override-below"
    assert made.callees("m.py:sized") == ["m.py:Base.size"]


@pytest.mark.parametrize(
    ("decorator", "fields"),
    [
        ("attr.s", "limit = 3\n    first = attr.ib()\n    second = attr.ib(default=None)"),
        ("dataclass", "limit = 3\n    first: object\n    second: object = field(default=None)"),
        ("attr.define", "limit = 3\n    first: object = attr.field()\n    second: object = None"),
    ],
)
def test_what_is_no_field_of_a_record_takes_no_argument(decorator: str, fields: str) -> None:
    made = python(
        f"import attr\nfrom dataclasses import dataclass, field\n@{decorator}\nclass Pair:\n    {fields}\n"
        "    def go(self):\n        self.first.begin()\n        self.second.end()\n"
        "class A:\n    def begin(self): pass\n    def end(self): pass\n"
        "class B:\n    def begin(self): pass\n    def end(self): pass\n"
        "Pair(A(), B())\n"
    )
    assert made.callees("m.py:Pair.go") == ["m.py:A.begin", "m.py:B.end"]
    assert made.rule("m.py:Pair.go", "m.py:A.begin") == "flow"


def test_a_static_method_called_through_self_in_a_superclass() -> None:
    made = python("""
        class Field:
            def load(self, value): return self.parse(value, 1)
            @staticmethod
            def parse(value, form): raise NotImplementedError
        class Date(Field):
            @staticmethod
            def parse(value, form): form.go()
        class Form:
            def go(self): pass
        Date.parse(0, Form())
        Date().parse(0, Form())
""")
    assert made.callees("m.py:Field.load") == ["m.py:Date.parse", "m.py:Field.parse"]
    assert made.callees("m.py:Date.parse") == ["m.py:Form.go"]


def test_of_many_overriding_methods_none_is_told() -> None:
    """More than 16, unless the known method does nothing but raise: then one of them must run."""
    below = "".join(f"class C{n}(Base):\n    def f(self): pass\n    def h(self): pass\n" for n in range(17))
    made = python(
        "class Base:\n    def f(self): pass\n    def g(self): self.f(); self.h()\n"
        "    def h(self): raise NotImplementedError\n"
        "    def f2(self):\n        if self.f(): raise NotImplementedError\n"
        + below.replace("def f(", "def f2(self): pass\n    def f(")
        + "def use(x: Base):\n    x.f()\ndef ask(x: Base):\n    x.h()\n"
    )
    assert len(made.callees("m.py:Base.g", 0.0)) == 19
    assert made.callees("m.py:use", 0.0) == ["m.py:Base.f"]
    assert len(made.callees("m.py:ask", 0.0)) == 18
    assert {(use.name, use.site.line) for use in made.graph.unresolved} == {("f", 3), ("f", 6), ("f", 76)}


def test_an_attribute_that_subclasses_assign_is_known_although_it_is_a_base_too() -> None:
    made = python("""
        class Mixin:
            made_class = None
            def go(self): self.made_class().run()
            def derived(self):
                class Derived(self.made_class): pass
        class Worker:
            def run(self): pass
        class Case(Mixin):
            made_class = Worker
""")
    assert made.callees("m.py:Mixin.go") == ["m.py:Worker", "m.py:Worker.run"]


def test_values_that_a_subclass_gives_an_attribute_are_as_sure_as_items() -> None:
    made = python("""
        class Whole: pass
        class Month:
            def __init__(self): pass
        class Field:
            PARTS = [Whole]
            def parse(self):
                for part in self.PARTS: part()
        class MonthField(Field):
            PARTS = Field.PARTS + [Month]
""")
    assert made.callees("m.py:Field.parse", 0.9) == ["m.py:Month.__init__", "m.py:Whole"]


def test_the_method_that_stores_members_calls_setters() -> None:
    found = calls("""
        class Plain:
            @property
            def host(self): return 1
            @host.setter
            def host(self, value): pass
            def fill(self): self.host = 1
        class Stored(Plain):
            def __setattr__(self, name, value):
                if name: super().__setattr__(name, value)
            def move(self): self.host = 2
        class Held(Plain):
            def __setattr__(self, name, value): self.__dict__[name] = value
            def move(self): self.host = 2
        """)
    assert {("m.Plain.fill", "m.Plain.host#2"), ("m.Stored.move", "m.Stored.__setattr__")} <= found.keys()
    assert ("m.Stored.__setattr__", "m.Plain.host#2") in found
    assert not {("m.Stored.move", "m.Plain.host#2"), ("m.Held.move", "m.Plain.host#2")} & found.keys()


def test_a_class_body_reads_a_name_before_it_defines_it() -> None:
    found = calls("""
        def named(): pass
        def late(): pass
        class Schema:
            early = named
            def named(self): self.early()
            def last(self): self.other()
            other = last
            late = late
            def run(self): self.late()
        """)
    assert ("m.Schema.named", "m.named") in found
    assert ("m.Schema.named", "m.Schema.named") not in found
    assert ("m.Schema.last", "m.Schema.last") in found
    assert ("m.Schema.run", "m.late") in found


def test_a_member_of_the_language_is_not_missing() -> None:
    found = calls("""
        class Tree(dict):
            def __getattr__(self, name): return Tree
            def __init__(self): self.own = 1
        def known(tree: Tree): return tree.items(), tree.leaf
        def given(text): return text.isidentifier()
        given(Tree())
        """)
    assert found["m.known", "m.Tree.__getattr__"].sites[0].line == 5
    for_leaf = calls("""
        class Tree(dict):
            def __getattr__(self, name): return Tree
        def known(tree: Tree): return tree.items()
        """)
    assert ("m.known", "m.Tree.__getattr__") not in for_leaf
    assert ("m.given", "m.Tree.__init__") not in found


def test_a_value_beside_a_container_is_only_possible() -> None:
    found = calls("""
        class Table:
            def get(self, key): pass
        def one(table): table.get(1)
        def two(table): table.get(1)
        one(Table())
        two(Table())
        two({})
        """)
    assert found["m.one", "m.Table.get"].rule == "flow"
    assert found["m.two", "m.Table.get"].confidence < 0.7


def test_in_calls_the_operand_of_a_known_class() -> None:
    found = calls("""
        class Table:
            def __contains__(self, key): pass
            def has(self, key): return key in self
        def known(table: Table): return 1 in table
        """)
    assert {found["m.Table.has", "m.Table.__contains__"].rule, found["m.known", "m.Table.__contains__"].rule} == {
        "self",
        "type",
    }


@pytest.mark.parametrize("made", ["Base.view()", "Base().copy()", "Base().twin()"])
def test_a_new_object_of_the_receivers_class_has_the_class_of_each_call(made: str) -> None:
    source = """
        class Base:
            @classmethod
            def view(cls):
                found = cls()
                found.rows = []
                return found
            def copy(self): return self.__class__()
            def twin(self): return type(self)()
            def go(self): pass
        class Head(Base):
            def go(self): pass
        def use(): Head.view().go()
        """
    found = calls(source.replace("Head.view()", made.replace("Base", "Head")))
    assert found["m.use", "m.Head.go"].confidence >= 0.9
    assert ("m.use", "m.Base.go") not in found
    found = calls(source.replace("Head.view()", made))
    assert found["m.use", "m.Base.go"].confidence >= 0.9
    assert ("m.use", "m.Head.go") not in found


def test_a_descriptor_read_on_an_instance_is_not_its_value() -> None:
    found = calls("""
        class Trait:
            def __get__(self, obj, cls=None):
                if obj is None:
                    return self
                return obj.values[self]
            def error(self): pass
        class Other:
            def error(self): pass
        class App:
            log = Trait()
            def use(self): self.log.error()
        def on_class(): App.log.error()
        """)
    assert found["m.App.use", "m.Trait.error"].rule == "name-few"  # nothing is known about the value
    assert found["m.on_class", "m.Trait.error"].confidence >= 0.9


def test_an_attribute_of_an_instance_comes_before_a_descriptor_without_a_setter() -> None:
    source = """
        from dataclasses import dataclass, field
        class Lazy:
            def __init__(self, get): self.get = get
            def __get__(self, obj, cls=None): return self.get(obj)
        class Region:
            @Lazy
            def backend(self): pass
            def use(self): self.backend
        @dataclass
        class Row:
            lazy: "Lazy | None" = field(compare=False)
            def use(self): self.lazy
        """
    found = calls(source)
    assert found["m.Region.use", "m.Lazy.__get__"].confidence >= 0.9
    assert ("m.Row.use", "m.Lazy.__get__") not in found
    source = source.replace("def use(self): self.backend", "def use(self): self.backend = self.backend.wrap()")
    assert calls(source)["m.Region.use", "m.Lazy.__get__"].confidence <= 0.5
    source = source.replace("class Region", "    def __set__(self, obj, value): pass\n        class Region")
    assert calls(source)["m.Region.use", "m.Lazy.__get__"].confidence >= 0.9


def test_a_declared_self_is_of_the_class_of_each_call() -> None:
    found = calls("""
        from typing import Self
        class Base:
            def __enter__(self) -> Self: ...
            def chain(self) -> "Self": return self
            @classmethod
            def load(cls, text) -> Self: return parsed(text)
            def go(self): pass
        class Head(Base):
            def go(self): pass
        def one():
            with Head() as head: head.go()
        def two(): Head().chain().go()
        def three(): Head.load("").go()
        """)
    for caller in ("one", "two", "three"):
        assert found[f"m.{caller}", "m.Head.go"].confidence >= 0.9
        assert (f"m.{caller}", "m.Base.go") not in found


@pytest.mark.parametrize("made", ["type(self)()", "self.__class__()"])
def test_a_call_of_the_own_class_may_make_each_subclass(made: str) -> None:
    text = f"class Base:\n    def copy(self):\n        return {made}\nclass Leaf(Base): pass\nclass Other: pass\n"
    uses = Resolved({"m.py": text}).pairs("USES")
    assert {("m.py:Base.copy", "m.py:Base"), ("m.py:Base.copy", "m.py:Leaf")} <= uses
    assert ("m.py:Base.copy", "m.py:Other") not in uses


def test_a_union_with_any_names_no_outside_type() -> None:
    text = (
        "from typing import Any, Union\nclass A:\n    def walk(self): pass\n"
        "def one(x: Union[int, Any]): x.walk()\ndef two(x: int): x.walk()\ndef three(x: Union[A, Any]): x.walk()\n"
    )
    found = Resolved({"m.py": text})
    assert found.callees("m.py:one", 0.0) == ["m.py:A.walk"]
    assert found.callees("m.py:two", 0.0) == []
    assert found.callees("m.py:three", 0.9) == ["m.py:A.walk"]


def test_an_instance_of_a_metaclass_is_a_class_that_it_makes() -> None:
    made = python("""
        class Options:
            def keep(self, owner): self.owner = owner
            def run(self): return self.owner._made()
        class Meta(type):
            def __new__(mcs, name, bases, attrs):
                made = super().__new__(mcs, name, bases, attrs)
                Options().keep(made)
                return made
            def __call__(cls, **given): return cls.build(**given)
            def label(cls): return cls.missing()
        class Base:
            @classmethod
            def build(cls): pass
            @classmethod
            def _made(cls): pass
        class Model(Base, metaclass=Meta): pass
        class Other(Model):
            @classmethod
            def build(cls): pass
        class Plain:
            @classmethod
            def build(cls): pass
            def missing(self): pass
""")
    assert made.callees("m.py:Meta.__call__") == ["m.py:Base.build", "m.py:Other.build"]
    assert made.callees("m.py:Options.run") == ["m.py:Base._made"]
    assert "m.py:Plain.missing" not in made.callees("m.py:Meta.label")


def test_super_in_a_class_to_be_mixed_in_calls_what_the_classes_below_put_behind_it() -> None:
    made = python("""
        class Base:
            def __init__(self): pass
        class Mixin(Base):
            def __init__(self): super().__init__()
        class Threaded(Base):
            def __init__(self): super().__init__()
        class Controller(Mixin, Threaded): pass
        class Single(Base):
            def __init__(self): super().__init__()
        class Alone(Single): pass
        class Both(Single, Threaded): pass
""")
    assert made.callees("m.py:Mixin.__init__", 0.9) == ["m.py:Threaded.__init__"]
    assert made.callees("m.py:Threaded.__init__", 1.0) == ["m.py:Base.__init__"]
    assert made.callees("m.py:Single.__init__", 0.9) == ["m.py:Base.__init__", "m.py:Threaded.__init__"]
    assert made.callees("m.py:Single.__init__", 1.0) == []
