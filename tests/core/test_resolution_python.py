"""What Python's names mean: scopes, imports, instances, properties, values in variables, containers, decorators."""

from __future__ import annotations

import pytest

from tests.graph_sources import calls, edges, graph_of
from tests.resolved import Resolved

# ---------------------------------------------------------------- where names lead


def test_a_name_is_looked_for_from_the_inside_out() -> None:
    found = calls("""
        def f(): pass
        class A:
            def f(self): pass
            def g(self): f()
        def outer():
            def f(): pass
            f()
        """)
    assert set(found) == {("m.A.g", "m.f"), ("m.outer", "m.outer.f")}


def test_global_and_nonlocal_names_live_further_out() -> None:
    found = calls("""
        def one(): pass
        def two(): pass
        hook = None
        def install():
            global hook
            hook = one
        def use(): hook()
        def outer():
            inner = None
            def fill():
                nonlocal inner
                inner = two
            fill()
            inner()
        """)
    assert ("m.use", "m.one") in found
    assert ("m.outer", "m.two") in found


def test_straight_line_assignments_replace_and_conditional_ones_add() -> None:
    found = calls("""
        def a(): pass
        def b(): pass
        def replaced():
            f = a
            f = b
            f()
        def added(flag):
            f = a
            if flag:
                f = b
            f()
        def before():
            f = a
            f()
            f = b
        """)
    assert {t for s, t in found if s == "m.replaced"} == {"m.b"}
    assert {t for s, t in found if s == "m.added"} == {"m.a", "m.b"}
    assert {t for s, t in found if s == "m.before"} == {"m.a"}


@pytest.mark.parametrize(
    ("importing", "use"),
    [
        ("import pkg.b", "pkg.b.f()"),
        ("import pkg.b as x", "x.f()"),
        ("from pkg import b", "b.f()"),
        ("from pkg.b import f", "f()"),
        ("from pkg.b import f as g", "g()"),
        ("from pkg.b import *", "f()"),
        ("from pkg import again", "again()"),
        ("from pkg import *", "again()"),
        ("import pkg", "pkg.again()"),
    ],
)
def test_every_form_of_import_leads_to_the_function(importing: str, use: str) -> None:
    graph = graph_of(
        {
            "pkg/__init__.py": "from .b import f as again\n",
            "pkg/b.py": "def f(): pass\n",
            "main.py": f"{importing}\ndef use():\n    {use}\n",
        }
    )
    assert ("main.use", "pkg.b.f") in edges(graph)


def test_relative_imports_and_a_package_that_imports_its_own_module() -> None:
    graph = graph_of(
        {
            "pkg/__init__.py": "from pkg import tools\ndef run(): tools.help()\n",
            "pkg/tools.py": "def help(): pass\n",
            "pkg/sub/__init__.py": "",
            "pkg/sub/deep.py": "from ..tools import help\nfrom . import beside\ndef f():\n    help()\n    beside.g()\n",
            "pkg/sub/beside.py": "def g(): pass\n",
        }
    )
    assert set(edges(graph)) == {
        ("pkg.run", "pkg.tools.help"), ("pkg.sub.deep.f", "pkg.tools.help"), ("pkg.sub.deep.f", "pkg.sub.beside.g"),
    }  # fmt: skip
    imported = edges(graph, "IMPORTS")
    assert ("pkg.sub.deep", "pkg.tools.help") in imported
    assert ("pkg.sub.deep", "pkg.tools") in imported


def test_a_src_folder_and_a_scripts_neighbour_are_roots() -> None:
    graph = graph_of(
        {
            "src/app/__init__.py": "",
            "src/app/core.py": "def f(): pass\n",
            "tests/test_core.py": "from app.core import f\ndef test_f(): f()\n",
            "scripts/run.py": "import helper\ndef main(): helper.g()\n",
            "scripts/helper.py": "def g(): pass\n",
        }
    )
    found = edges(graph)
    assert found["tests.test_core.test_f", "app.core.f"].in_test
    assert not found["scripts.run.main", "scripts.helper.g"].in_test


def test_modules_that_import_each_other_and_stars_in_a_circle() -> None:
    graph = graph_of(
        {
            "a.py": "from b import *\ndef f(): g()\n",
            "b.py": "from a import *\ndef g(): f()\n",
        }
    )
    assert set(edges(graph)) == {("a.f", "b.g"), ("b.g", "a.f")}


def test_conditional_definitions_are_both_meant() -> None:
    found = calls("""
        try:
            def f(): pass
        except ImportError:
            def f(): pass
        def use(): f()
        """)
    assert {t for s, t in found if s == "m.use"} == {"m.f", "m.f#2"}


# ---------------------------------------------------------------- instances and types


def test_self_properties_and_constructors() -> None:
    found = calls("""
        class Pool:
            def take(self): pass
        class A:
            def __init__(self, size):
                self.pool = Pool()
                self.size = size
            @property
            def name(self): return self.size
            @name.setter
            def name(self, value): self.pool.take()
            def run(self):
                self.pool.take()
                self.name = 3
                return self.name
        def main():
            a = A(1)
            a.run()
            print(a.name)
        """)
    assert found["m.A.run", "m.Pool.take"].rule == "type"
    assert found["m.A.run", "m.A.name"].manner == "property"
    assert found["m.A.run", "m.A.name#2"].manner == "property"
    assert found["m.main", "m.A.__init__"].manner == "new"
    assert found["m.main", "m.A.name"].confidence == 0.9


def test_an_augmented_assignment_calls_getter_and_setter() -> None:
    found = calls("""
        class Pool:
            def take(self): pass
        class A:
            items = []
            @property
            def size(self): return 1
            @size.setter
            def size(self, value): pass
            def grow(self):
                self.size += 1
                self.items += [Pool()]
                self.items[0].take()
        def main(a: A):
            a.size -= 1
        """)
    for user in ("m.A.grow", "m.main"):
        assert found[user, "m.A.size"].manner == "property"
        assert found[user, "m.A.size#2"].manner == "property"


def test_annotations_tell_types() -> None:
    found = calls("""
        from __future__ import annotations
        from typing import Optional, Union, Dict, List
        class A:
            def a(self): pass
        class B:
            def b(self): pass
        def one(x: A): x.a()
        def two(x: "Optional[A]"): x.a()
        def three(x: A | B | None):
            x.a()
            x.b()
        def four(xs: List[A], by: Dict[str, B]):
            for x in xs: x.a()
            by["k"].b()
            for key, value in by.items(): value.b()
        def five(kind: type[A]): kind().a()
        Alias = Union[A, B]
        def six(x: Alias): x.b()
        def seven(make: "Callable[[int], A]"): make(1).a()
        """)
    for caller in ("one", "two", "three", "four", "five"):
        assert (f"m.{caller}", "m.A.a") in found, caller
    for caller in ("three", "four", "six"):
        assert (f"m.{caller}", "m.B.b") in found, caller


def test_a_parameter_that_is_any_class_is_not_the_function_type() -> None:
    found = calls("""
        class Link:
            def beat(self): return self.plug.beat()
            @property
            def plug(self): return plug_class()(client=self)
        def plug_class() -> type | None: ...
        """)
    edge = found.get(("m.Link.beat", "m.Link.beat"))
    assert edge is None or edge.confidence <= 0.5  # by name only; `type(self)` would be its class


def test_results_tell_types() -> None:
    found = calls("""
        class A:
            def a(self): return self
            @classmethod
            def make(cls): return cls()
        class B(A):
            def b(self): pass
        def make(): return A()
        def declared() -> A: ...
        def first(x): return x
        def use():
            make().a().a()
            declared().a()
            A.make().a()
            B.make().b()
            first(B()).b()
        """)
    assert {t for s, t in found if s == "m.use"} >= {"m.A.a", "m.B.b", "m.A.make", "m.make", "m.declared"}
    assert found["m.use", "m.B.b"].confidence >= 0.8


def test_type_parameters_are_what_the_receiver_says() -> None:
    found = calls("""
        from typing import Generic, TypeVar, Iterator
        T = TypeVar("T")
        class Repo(Generic[T]):
            def load(self) -> T: ...
            def __iter__(self) -> Iterator[T]: ...
        class Memory(Repo[T]): pass
        class Users(Repo["User"]): pass
        class User:
            def greet(self): pass
        class Order:
            def ship(self): pass
        def one(users: Repo[User]): users.load().greet()
        def two(orders: Memory[Order]): orders.load().ship()
        def three(users: Users): users.load().greet()
        def four(orders: Repo[Order]):
            for order in orders: order.ship()
        def make(kind: type[T]) -> T: ...
        def five(): make(User).greet()
        """)
    for caller, target in (
        ("one", "User.greet"),
        ("two", "Order.ship"),
        ("three", "User.greet"),
        ("four", "Order.ship"),
        ("five", "User.greet"),
    ):
        assert (f"m.{caller}", f"m.{target}") in found, caller
    assert ("m.two", "m.User.greet") not in found


def test_descriptors_and_missing_attributes() -> None:
    found = calls("""
        class Field:
            def __get__(self, obj, kind): return 1
        class A:
            x = Field()
            def __getattr__(self, name): pass
        def use():
            a = A()
            a.x
            a.unknown
        """)
    assert found["m.use", "m.Field.__get__"].manner == "property"
    assert found["m.use", "m.A.__getattr__"].rule == "missing"


def test_syntax_calls_special_methods_of_known_types() -> None:
    found = calls("""
        class A:
            def __enter__(self): return self
            def __exit__(self, *args): pass
            def __iter__(self): return iter([])
            def __getitem__(self, key): pass
            def __setitem__(self, key, value): pass
            def __len__(self): return 0
            def __add__(self, other): return self
            def __contains__(self, x): return False
            def __eq__(self, other): return True
            def __str__(self): return ""
            def __call__(self): pass
        def use(a: A, unknown):
            with a: pass
            for x in a: pass
            a[1]
            a[2] = 3
            len(a)
            a + a
            1 in a
            a == 2
            f"{a}"
            a()
            len(unknown)
            unknown + 1
        """)
    manners = {t.rpartition(".")[2]: e.manner for (s, t), e in found.items() if s == "m.use"}
    assert manners == {
        "__enter__": "with", "__exit__": "with", "__iter__": "for", "__getitem__": "subscript",
        "__setitem__": "subscript", "__len__": "len", "__add__": "operator", "__contains__": "in", "__eq__": "operator",
        "__str__": "str", "__call__": "call",
    }  # fmt: skip


# ---------------------------------------------------------------- values


def test_functions_travel_as_values() -> None:
    found = calls("""
        def f(): pass
        def g(): pass
        def h(): pass
        def k(): pass
        def apply(function): function()
        def by_key(table): table["a"]()
        class Bus:
            def __init__(self): self.listeners = []
            def listen(self, function): self.listeners.append(function)
            def fire(self):
                for listener in self.listeners: listener()
        def main():
            apply(f)
            by_key({"a": g, "b": h})
            Bus().listen(k)
            (lambda: h())()
        """)
    assert found["m.apply", "m.f"].rule == "flow"
    assert ("m.by_key", "m.g") in found
    assert ("m.by_key", "m.h") not in found
    assert ("m.Bus.fire", "m.k") in found
    assert any(s.startswith("m.main.<lambda") and t == "m.h" for s, t in found)


def test_functions_handed_to_built_in_ones_are_called() -> None:
    found = calls("""
        def key(x): return x
        def handler(): pass
        def use(xs):
            sorted(xs, key=key)
            schedule(handler)
        """)
    assert found["m.use", "m.key"].manner == "callback"
    assert ("m.use", "m.handler") not in found


def test_a_decorated_name_leads_to_the_function_and_its_wrapper() -> None:
    found = calls("""
        import functools
        def plain(f): return f
        def wrapping(f):
            @functools.wraps(f)
            def wrapper(*args): return f(*args)
            return wrapper
        @plain
        def one(): pass
        @wrapping
        def two(): pass
        @functools.lru_cache
        def three(): pass
        def use():
            one()
            two()
            three()
        """)
    assert found["m", "m.wrapping"].manner == "decorator"
    assert found["m.use", "m.one"].rule == "scope"
    assert found["m.use", "m.wrapping.wrapper"].rule == "wrapped"
    assert found["m.use", "m.two"].rule == "decorated"
    assert ("m.wrapping.wrapper", "m.two") in found
    assert ("m.wrapping.wrapper", "m.one") not in found
    assert found["m.use", "m.three"].rule == "scope"


def test_dispatch_by_type_and_test_fixtures() -> None:
    graph = graph_of(
        {
            "m.py": """
            from functools import singledispatch
            @singledispatch
            def show(x): pass
            @show.register
            def show_int(x: int): pass
            def use(): show(1)
            """,
            "shop.py": "class Shop:\n    def buy(self): pass\n",
            "tests/conftest.py": """
                import pytest
                from shop import Shop
                @pytest.fixture
                def shop():
                    yield Shop()
                @pytest.fixture(name="market", scope="session")
                def made_market():
                    return Shop()
                """,
            "tests/test_market.py": """
                def test_sell(market): market.buy()
                def test_no_name(made_market): made_market.buy()
                """,
            "tests/test_shop.py": "def test_buy(shop): shop.buy()\n",
            "other/test_shop.py": "def test_buy(shop): shop.sell()\n",
        }
    )
    found = edges(graph)
    assert {("m.use", "m.show"), ("m.use", "m.show_int")} <= set(found)
    assert found["tests.test_shop.test_buy", "shop.Shop.buy"].in_test
    assert found["tests.test_market.test_sell", "shop.Shop.buy"].confidence >= 0.9
    assert found["tests.test_market.test_no_name", "shop.Shop.buy"].confidence <= 0.5  # by the name `buy` alone


# ---------------------------------------------------------------- what is not known


def test_a_unique_name_is_possible_and_never_resolved() -> None:
    found = calls("""
        class A:
            def transmogrify(self): pass
            def get(self): pass
        class B:
            def twice(self): pass
        class C:
            def twice(self): pass
        def use(x):
            x.transmogrify()
            x.get()
            x.twice()
        """)
    assert found["m.use", "m.A.transmogrify"].rule == "name"
    assert found["m.use", "m.A.transmogrify"].confidence <= 0.5
    assert found["m.use", "m.B.twice"].rule == "name-few"
    assert ("m.use", "m.A.get") not in found


def test_an_unresolved_call_goes_to_no_definition() -> None:
    graph = graph_of({"m.py": "def run(): pass\ndef use(x):\n    x.run()\n    nowhere()\n"})
    assert edges(graph) == {}
    assert {(u.name, u.receiver, u.site.line) for u in graph.unresolved} == {("run", "x", 3), ("nowhere", "", 4)}


def test_what_lies_outside_is_kept_by_name() -> None:
    graph = graph_of(
        {
            "m.py": """
        import os.path
        from requests import get as fetch
        import requests
        def use(name):
            os.path.join("a", name)
            fetch(name).json()
            requests.get(name)
            len(name)
            "x".upper()
        """
        }
    )
    assert {name for _, name, _ in graph.externals.users("requests.get")} == {"requests.get"}
    assert {site.line for _, _, site in graph.externals.users("requests.get")} >= {7, 8}
    assert {"os.path.join", "requests.get().json", "builtins.len", "builtins.str.upper"} <= set(graph.externals.names())


def test_uses_are_edges_too() -> None:
    graph = graph_of(
        {
            "m.py": """
        LIMIT = 3
        class A: pass
        def f(): pass
        def use(x: A):
            table = [f]
            g = f
            start(f)
            return table
        class B:
            other: "A" = None
        """
        }
    )
    uses = edges(graph, "USES")
    assert uses["m.use", "m.A"].manner == "type"
    assert ("m.B", "m.A") in uses
    assert ("m.use", "m.f") in uses


@pytest.mark.parametrize(
    "source",
    [
        "x = x\nx.f()\n",
        "x = x.y\ny = x[0]\nx = y()\nx()\n",
        "def f(): return f\nf()()()\n",
        "def f(g): return g(f)\nf(f)\n",
        "class A:\n    a = a\n    def a(self): return self.a\nA.a.a.a()\n",
        "import m\nm.m.m.f()\n",
        "from m import m as m\nm()\n",
        "def f(*args, **kwargs): return f(*args, **kwargs)\n",
        "xs = [xs]\nfor xs in xs: xs()\n",
        "d = {}\nd['a'] = d\nd['a']['a']()\n",
        "class A(A.B):\n    class B(A): pass\n",
        "def f(:\n  x.\nclass\n",
        "lambda: (yield)\nx = lambda x: x(x)\nx(x)\n",
    ],
)
def test_whatever_refers_to_itself_comes_to_rest(source: str) -> None:
    graph = graph_of({"m.py": source})
    assert graph.notes == ()


def test_isinstance_narrows_where_it_holds() -> None:
    found = calls("""
        class A:
            def only(self): pass
            def both(self): pass
        class B:
            def both(self): pass
        def tell(x):
            if isinstance(x, A):
                x.both()
                return
            x.both()
        def ask(x):
            if not isinstance(x, B):
                raise TypeError
            x.both()
        tell(A()); tell(B()); ask(A()); ask(B())
        """)
    assert [site.line for site in found["m.tell", "m.A.both"].sites] == [9]
    assert [site.line for site in found["m.tell", "m.B.both"].sites] == [11]
    assert ("m.ask", "m.A.both") not in found


@pytest.mark.parametrize(
    "body",
    [
        "if isinstance(x, B): return\n    x.both()",
        "if isinstance(x, B):\n        x.other()\n    else:\n        x.both()",
        "if not isinstance(x, B):\n        x.both()",
    ],
)
def test_the_rest_of_a_union_is_left_where_a_test_fails(body: str) -> None:
    source = "class A:\n    def both(self): pass\nclass B:\n    def both(self): pass\n    def other(self): pass\n"
    found = calls(f"{source}def tell(x: A | B):\n    {body}\n")
    assert [callee for caller, callee in found if callee.endswith("both")] == ["m.A.both"]


def test_an_instance_in_the_place_of_a_function_is_called_through() -> None:
    found = calls("""
        from functools import partial
        class dispatch:
            def __new__(cls, func=None, *, name=""):
                if func is None:
                    return partial(dispatch, name=name)
                self = object.__new__(cls)
                self.func = func
                return self
            def __call__(self): return self.func()
        @dispatch(name="x")
        def work(): pass
        def use(): work()
        """)
    assert (found["m.use", "m.work"].rule, found["m.use", "m.work"].manner) == ("decorated", "through")
    assert found["m.use", "m.dispatch.__call__"].rule == "wrapped"
    assert ("m", "m.dispatch.__call__") not in found


def test_a_function_that_gives_a_parameter_back_keeps_its_calls_apart() -> None:
    """What one call passes through comes out of that call alone: by line, as an argument, through a local variable."""
    made = Resolved({
        "m.py": """
            from n import chosen
            UNSET = object()
            def first(value, other):
                return other if value is UNSET else value
            class A:
                def go(self): pass
            class B:
                def go(self): pass
            def use_a():
                a = first(A(), 1)
                a.go()
            def use_b():
                b = first(2, B())
                b.go()
            class Job:
                def __init__(self, one=A(), two=B()):
                    self.one = one
                    self.two = two
                def copy(self, one=UNSET, two=UNSET):
                    return Job(
                        one=first(one, self.one),
                        two=first(two, self.two),
                    )
                def run_one(self): self.one.go()
            def use_chosen():
                c = chosen(A())
                c.go()
            def use_chosen_b():
                c = chosen(B())
                c.go()
            def nested():
                d = first(
                    first(A(), 1), 2
                )
                d.go()
        """,
        "n.py": """
            class Default:
                def go(self): pass
            def chosen(value=None):
                if value:
                    found = value
                else:
                    found = Default()
                return found
        """,
    })  # fmt: skip
    called = {name: [c for c in made.callees(f"m.py:{name}") if c.endswith(".go")] for name in (
        "use_a", "use_b", "Job.run_one", "use_chosen", "use_chosen_b", "nested"
    )}  # fmt: skip
    assert called == {
        "use_a": ["m.py:A.go"],
        "use_b": ["m.py:B.go"],
        "Job.run_one": ["m.py:A.go"],
        "use_chosen": ["m.py:A.go", "n.py:Default.go"],
        "use_chosen_b": ["m.py:B.go", "n.py:Default.go"],
        "nested": ["m.py:A.go", "m.py:B.go"],  # given what another call of the same gives: not told apart
    }


def test_properties_of_what_comes_by_an_argument_are_weaker_than_its_methods() -> None:
    made = Resolved({
        "m.py": """
            class A:
                @property
                def size(self): return 1
                def go(self): pass
            def use(x):
                x.go()
                x.size
            use(A())
        """
    })  # fmt: skip
    assert made.rule("m.py:use", "m.py:A.go") == "flow"
    assert made.rule("m.py:use", "m.py:A.size") == "flow-read"


def test_a_property_is_not_that_of_the_only_class_beside_a_class_with_a_field_of_its_name() -> None:
    made = Resolved({
        "m.py": """
            class A:
                @property
                def size(self): return 1
            class B:
                def __init__(self): self.size = 2
            def use(x): x.size
            use(A())
            use(B())
        """
    })  # fmt: skip
    assert made.rule("m.py:use", "m.py:A.size") == "flow-read-several"


def test_a_property_of_a_declared_result_is_surer_than_what_flows_beside_it() -> None:
    made = Resolved({
        "m.py": """
            class Store[T]:
                def __init__(self): self.items = {}
                def add(self, item: T): self.items[item.id] = item
                def require(self, key) -> T: return self.items[key]
            class A:
                @property
                def size(self): return 1
            class B: pass
            class C: pass
            class D: pass
            class Service:
                def __init__(self, store: Store[A]): self.store = store
                def get(self, key) -> A: return self.store.require(key)
            def fill(a: Store[A], b: Store[B], c: Store[C], d: Store[D]):
                a.add(A()); b.add(B()); c.add(C()); d.add(D())
            def use(service: Service): return service.get(1).size
        """
    })  # fmt: skip
    assert made.rule("m.py:use", "m.py:A.size") == "return"


def test_a_loop_over_a_literal_in_its_header_runs_the_items() -> None:
    found = calls("""
        def a(): pass
        def b(): pass
        def listed():
            for f in [a, b]:
                f()
        def paired():
            for name, f in (("a", a), ("b", b)):
                f()
        """)
    assert {t for s, t in found if s == "m.listed"} == {"m.a", "m.b"}
    assert {t for s, t in found if s == "m.paired"} == {"m.a", "m.b"}


def test_delegation_and_spreading_iterate_and_functions_convert() -> None:
    found = calls("""
        import copy, os
        class Box:
            def __iter__(self): return iter(())
            def __copy__(self): return self
            def __fspath__(self): return ""
        def delegates():
            yield from Box()
        def spreads():
            return [*Box()], (1, *Box())
        def plain():
            yield Box()
        def zips():
            return zip(Box(), ())
        def copies():
            return copy.copy(Box()), os.fspath(Box())
        """)
    iterate = {s for s, t in found if t == "m.Box.__iter__"}
    assert iterate == {"m.delegates", "m.spreads", "m.zips"}
    assert {t for s, t in found if s == "m.copies"} >= {"m.Box.__copy__", "m.Box.__fspath__"}


@pytest.mark.parametrize("written", ["Shown", "'Shown'", "'Shown[P, R]'", "'list[Shown]'"])
def test_a_cast_keeps_the_function_that_it_is_given(written: str) -> None:
    found = calls(f"""
        import typing
        class Shown:
            def __call__(self): pass
        def shown(f) -> "Shown":
            def inner(): f()
            return typing.cast({written}, inner)
        @shown
        def run(): pass
        def go(): run()
        """)
    assert ("m.go", "m.shown.inner") in found


@pytest.mark.parametrize(
    "declared", ["Any", "object", "type", "Callable", "typing.Callable", "typing.Optional[Any]", "type[Any]"]
)
def test_a_value_that_may_be_a_class_has_the_members_of_any_class(declared: str) -> None:
    text = f"""
import typing
from typing import Any
from collections.abc import Callable
class Thing:
    def build(self): pass
def find() -> {declared}: pass
def given(kind: {declared}): return kind.build()
def found(): return find().build()
"""
    made = Resolved({"m.py": text})
    assert made.callees("m.py:given", 0.5) == ["m.py:Thing.build"]
    assert "m.py:Thing.build" in made.callees("m.py:found", 0.5)
    assert not [name for name in made.outside() if name.endswith(".build")]


def test_an_item_of_a_container_is_not_the_container() -> None:
    text = "class Thing:\n    def build(self): pass\ndef first(xs: list): return xs[0].build()\n"
    assert Resolved({"m.py": text}).callees("m.py:first", 0.5) == ["m.py:Thing.build"]
