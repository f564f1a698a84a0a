"""Functions and classes that Python programs keep in tables, attributes and objects, and call from there."""

from __future__ import annotations

import pytest

from codeexplore.types import settings
from tests.graph_sources import calls


def resolved(source: str) -> set[tuple[str, str]]:
    """Callers and callees of the edges that count as resolved."""
    sure = settings.RESOLVED_CONFIDENCE - 1e-6
    return {pair for pair, edge in calls(source).items() if edge.confidence >= sure}


# ---------------------------------------------------------------- tables


def test_a_map_that_makes_what_it_lacks() -> None:
    found = resolved("""
        from collections import defaultdict
        class Hub:
            def __init__(self): self.listeners = defaultdict(list)
            def on(self, name, f): self.listeners[name].append(f)
            def fire(self, name):
                for f in self.listeners[name]: f()
        def heard(): pass
        Hub().on("x", heard)
        """)
    assert ("m.Hub.fire", "m.heard") in found


@pytest.mark.parametrize(
    "filled",
    ["T = dict(x=a)", "T = {}\nT.update(x=a)", "T = dict({'x': a})", "T = dict([('x', a)])", "T = dict((('x', a),))"],
)
def test_a_table_filled_by_name(filled: str) -> None:
    assert ("m.run", "m.a") in resolved(f"def a(): pass\n{filled}\ndef run(k): T[k]()\n")


@pytest.mark.parametrize(
    "kept",
    [
        "import queue\nq = queue.Queue()\nq.put(Job())\ndef go(): q.get().run()",
        "import asyncio\nq = asyncio.Queue()\nasync def go():\n    await q.put(Job())\n    (await q.get()).run()",
        "import heapq\nq = []\nheapq.heappush(q, Job())\ndef go(): heapq.heappop(q).run()",
        "import heapq as h\nq = []\nh.heappush(q, (1, Job()))\ndef go():\n    _, j = h.heappop(q)\n    j.run()",
        "import bisect\nq = []\nbisect.insort(q, Job(), key=id)\ndef go(): q[0].run()",
        "import itertools\ndef go():\n    for j in itertools.chain([], [Job()]): j.run()",
        "import itertools\ndef go():\n    for j in itertools.takewhile(bool, [Job()]): j.run()",
        "import random\ndef go(): random.choice([Job()]).run()",
        "import weakref\nd = weakref.WeakValueDictionary()\nd['x'] = Job()\ndef go(k): d[k].run()",
        "from collections import ChainMap\nd = ChainMap({})\nd.update({Job: Job()})\ndef go(): d[Job].run()",
        "from types import MappingProxyType\nd = MappingProxyType({'x': Job()})\ndef go(k): d[k].run()",
    ],
)
def test_containers_of_the_standard_library(kept: str) -> None:
    assert ("m.go", "m.Job.run") in resolved(f"class Job:\n    def run(self): pass\n{kept}\n")


@pytest.mark.parametrize(
    "code",
    [
        "import itertools\ndef go(rows): return tuple(itertools.filterfalse(test, rows.keys()))",
        "import functools\ndef go(rows): return sorted(rows, key=functools.cmp_to_key(test))",
        "import heapq\ndef go(rows): return list(heapq.merge(rows, rows, key=test))",
        "import threading\ndef go(rows): threading.Timer(1, test, rows).start()",
    ],
)
def test_functions_that_the_standard_library_calls(code: str) -> None:
    assert ("m.go", "m.test") in resolved(f"def test(x): return True\n{code}\n")


@pytest.mark.parametrize("made", ["dict()", "OrderedDict()", "defaultdict()"])
def test_empty_containers_are_not_shared(made: str) -> None:
    found = resolved(f"""
        from collections import OrderedDict, defaultdict
        class A:
            def go(self): pass
        class B:
            def go(self): pass
        def one(k):
            x = {made}
            x[k] = A()
            x[k].go()
        class Two:
            def __init__(self): self.y = {made}
            def put(self, k): self.y[k] = B()
            def run(self, k): self.y[k].go()
        """)
    assert {pair for pair in found if pair[1].endswith("go")} == {("m.one", "m.A.go"), ("m.Two.run", "m.B.go")}


def test_a_table_of_many_functions_is_followed_whole() -> None:
    functions = "".join(f"def f{n}(): pass\n" for n in range(50))
    table = "T = {" + ", ".join(f"'f{n}': f{n}" for n in range(50)) + "}\n"
    found = calls(functions + table + "def find(k): return T.get(k)\ndef run(k):\n    f = find(k)\n    f()\n")
    assert {callee for caller, callee in found if caller == "m.run"} >= {f"m.f{n}" for n in range(50)}


def test_classes_that_register_as_they_are_defined() -> None:
    found = resolved("""
        class Base:
            known = {}
            def __init_subclass__(cls, **options):
                cls.known[cls.__name__] = cls
        class A(Base):
            def __init__(self): pass
            def go(self): pass
        def make(name):
            Base.known[name]().go()
        """)
    assert {("m.make", "m.A.__init__"), ("m.make", "m.A.go")} <= found


def test_an_attribute_that_a_class_below_gives_another_value() -> None:
    found = resolved("""
        class Plain:
            def __init__(self): pass
        class Fancy:
            def __init__(self): pass
        class App:
            response_class = Plain
            def make(self): return self.response_class()
        class FancyApp(App):
            response_class = Fancy
        """)
    assert {("m.App.make", "m.Plain.__init__"), ("m.App.make", "m.Fancy.__init__")} <= found


def test_members_by_a_name_that_is_put_together() -> None:
    found = calls("""
        class Visitor:
            def visit(self, node): return getattr(self, "visit_" + node.kind, None)(node)
            def visit_by_variable(self, node):
                method = f"visit_{node.kind}"
                visitor = getattr(self, method, self.other)
                return visitor(node)
            def other(self, node): pass
        class Printer(Visitor):
            def visit_name(self, node): pass
            def visit_call(self, node): pass
            def print_all(self): pass
        """)
    for caller in ("m.Visitor.visit", "m.Visitor.visit_by_variable"):
        assert {"m.Printer.visit_name", "m.Printer.visit_call"} <= {callee for call, callee in found if call == caller}
        assert (caller, "m.Printer.print_all") not in found
    assert ("m.Visitor.visit_by_variable", "m.Visitor.other") in found


def test_a_name_of_another_function_s_variable_is_not_put_together() -> None:
    found = calls("""
        class A:
            def one(self, x):
                name = "on_" + x
                return name
            def two(self, name): return getattr(self, name)()
            def on_start(self): pass
        """)
    assert ("m.A.two", "m.A.on_start") not in found


# ---------------------------------------------------------------- one of several values


def test_one_of_several_values_as_an_argument_and_as_a_receiver() -> None:
    found = resolved("""
        class A:
            def go(self): pass
        def a(): pass
        def b(): pass
        def run(f, key=None): f(); key()
        def main(x=None):
            run(a if x else b, key=a if x else None)
            (x or A()).go()
        """)
    assert {("m.run", "m.a"), ("m.run", "m.b"), ("m.main", "m.A.go")} <= found


# ---------------------------------------------------------------- properties, constructors


def test_properties_made_by_calls() -> None:
    found = resolved("""
        def make(name):
            def getter(self): return None
            return property(getter)
        class A:
            def _get(self): pass
            def _set(self, value): pass
            def _other(self): pass
            x = property(_get, _set)
            y = property(fget=_other)
            z = make("z")
        def read(a: A): return a.x
        def write(a: A): a.x = 3
        def other(a: A): return a.y
        def made(a: A): return a.z
        """)
    assert {pair for pair in found if pair[0] in ("m.read", "m.write", "m.other", "m.made")} == {
        ("m.read", "m.A._get"), ("m.write", "m.A._set"), ("m.other", "m.A._other"), ("m.made", "m.make.getter"),
    }  # fmt: skip


def test_making_an_instance_calls_both_of_its_constructors() -> None:
    found = calls("""
        class Both:
            def __new__(cls, f):
                self = super().__new__(cls)
                return self
            def __init__(self, f): self.f = f
            def run(self): self.f()
        def work(): pass
        def use():
            Both(work).run()
        """)
    assert {callee for caller, callee in found if caller == "m.use"} == {
        "m.Both.__new__", "m.Both.__init__", "m.Both.run"
    }  # fmt: skip
    assert ("m.Both.run", "m.work") in found


def test_a_decorator_that_makes_its_instance_by_hand() -> None:
    found = resolved("""
        class Task:
            def __new__(cls, f=None, **options):
                self = super().__new__(cls)
                self.f = f
                return self
            def __call__(self, *args): return self.f(*args)
        @Task
        def work(): pass
        def use(): work()
        """)
    assert {("m.use", "m.Task.__call__"), ("m.Task.__call__", "m.work")} <= found


# ---------------------------------------------------------------- what operators and containers ask

KEY = """
    class Key:
        def __hash__(self): return 1
        def __eq__(self, other): return True
    class Table:
        def __getitem__(self, key): return key
    """


@pytest.mark.parametrize(
    "use", ["d[k]", "d[k] = 1", "del d[k]", "k in d", "d.get(k)", "s = set(); s.add(k)", "{k}", "{k: 1}"]
)
def test_a_key_is_hashed_and_compared(use: str) -> None:
    found = calls(KEY + f"\n    def use(k: Key, d: dict): {use}\n")
    assert {("m.use", "m.Key.__hash__"), ("m.use", "m.Key.__eq__")} <= set(found)


def test_a_class_with_a_way_of_its_own_hashes_nothing() -> None:
    found = calls(KEY + "\n    def use(k: Key, d: Table): return d[k]\n")
    assert set(found) == {("m.use", "m.Table.__getitem__")}


def test_operators_on_what_calls_pass() -> None:
    found = calls("""
        class V:
            def __add__(self, other): return self
            def __radd__(self, other): return self
            def __eq__(self, other): return True
        def add(a, b): return a + b
        def same(a, b): return a == b
        def main():
            add(V(), V())
            same(V(), 1)
        """)
    assert {("m.add", "m.V.__add__"), ("m.same", "m.V.__eq__")} <= set(found)
    assert ("m.add", "m.V.__radd__") not in found
    assert found["m.add", "m.V.__add__"].rule == "asked"


# ---------------------------------------------------------------- members that are missing


def test_what_answers_for_missing_members_hides_nothing_below() -> None:
    found = calls("""
        class P:
            def __call__(self): pass
        class A:
            def __getattr__(self, name): return P()
            def go(self): return self.sub()
        class B(A):
            def sub(self): pass
        def use(a: A): a.anything()
        """)
    assert found["m.A.go", "m.B.sub"].rule == "lacking-only"  # `use` gets what `__getattr__` gives
    assert found["m.use", "m.P.__call__"].confidence < settings.RESOLVED_CONFIDENCE


def test_missing_members_are_those_of_what_is_wrapped() -> None:
    found = resolved("""
        class File:
            def read(self): pass
        class Wrapper:
            def __init__(self): self.inner = File()
            def __getattr__(self, name): return getattr(self.inner, name)
        def use(): Wrapper().read()
        """)
    assert ("m.use", "m.File.read") in found


@pytest.mark.parametrize(("number", "rule"), [(2, "type"), (4, "many")])
def test_one_of_many_getters_that_an_attribute_may_have_is_uncertain(number: int, rule: str) -> None:
    getters = "".join(f"    def get{n}(self): return {n}\n" for n in range(number))
    values = "".join(f"    if C == {n}: size = property(get{n})\n" for n in range(number))
    found = calls(f"C = 1\nclass Request:\n{getters}{values}def use(): Request().size\ndef again(): Request().size\n")
    assert {found["m.use", f"m.Request.get{n}"].rule for n in range(number)} == {rule}


def test_items_of_classes_that_extend_a_container() -> None:
    found = calls("""
        class Arg:
            def show(self): pass
            @property
            def value(self): return 1
        class Table(dict):
            def __getitem__(self, key): return super().__getitem__(key)
        class Below(Table): pass
        class Row(list): pass
        class Other(list): pass
        def fill():
            table = Below()
            table["x"] = Arg()
            return table["y"].value
        def each(table: Below):
            for one in table.values(): one.show()
        def add(row: Row): row.append(Arg())
        def rows(row: Row):
            for one in row: one.show()
        def others(other: Other):
            for one in other: one.show()
        """)
    sure = {pair for pair, edge in found.items() if edge.confidence >= 0.9 - 1e-6}
    assert {("m.fill", "m.Arg.value"), ("m.each", "m.Arg.show"), ("m.rows", "m.Arg.show")} <= sure
    assert ("m.others", "m.Arg.show") not in sure


def test_values_of_a_dict_are_not_its_keys() -> None:
    found = resolved("""
        class Key:
            def show(self): pass
        class Arg:
            def show(self): pass
        def run():
            table = {}
            table[Key()] = Arg()
            for one in table.values(): one.show()
        """)
    assert ("m.run", "m.Arg.show") in found
    assert ("m.run", "m.Key.show") not in found


def test_a_container_of_the_language_iterates_and_compares_itself() -> None:
    found = resolved("""
        class Track(list):
            def __getitem__(self, index): return Track()
            def __eq__(self, other): return True
            def __iadd__(self, other): return self
            def show(self):
                for one in self: one.show()
        class Pages:
            def __getitem__(self, index): return Pages()
            def __eq__(self, other): return True
            def show(self):
                for one in self: one.show()
        def differ(one: Track, other: Pages): return one != 1, other != 1
        """)
    assert not {("m.Track.show", "m.Track.__getitem__"), ("m.Track.show", "m.Track.show")} & found
    assert {("m.Pages.show", "m.Pages.__getitem__"), ("m.Pages.show", "m.Pages.show")} <= found
    assert ("m.differ", "m.Pages.__eq__") in found
    assert ("m.differ", "m.Track.__eq__") not in found


def test_methods_that_a_table_names() -> None:
    found = calls("""
        TABLE = {"a": "run_a", "b": "run_b"}
        class Plain:
            def run_a(self): pass
            def run_b(self): pass
            def run_c(self): pass
            def go(self, key): getattr(self, TABLE[key])()
        class Parser:
            loaders = {"json": "load_json", "form": "load_form"}
            def load_json(self): pass
            def load_form(self): pass
            def load_none(self): pass
            def find(self, key):
                name = self.loaders.get(key)
                if isinstance(name, str):
                    return getattr(self, name)
                return name
            def load(self, key): self.find(key)()
            def mixed(self, key):
                known = {"x": "load_json", "y": 3}
                getattr(self, known[key])()
        """)
    assert {pair for pair in found if pair[0] == "m.Plain.go"} == {
        ("m.Plain.go", "m.Plain.run_a"), ("m.Plain.go", "m.Plain.run_b"),
    }  # fmt: skip
    assert {pair for pair in found if pair[0] == "m.Parser.load"} == {
        ("m.Parser.load", "m.Parser.find"), ("m.Parser.load", "m.Parser.load_json"),
        ("m.Parser.load", "m.Parser.load_form"),
    }  # fmt: skip
    assert not {pair for pair in found if pair[0] == "m.Parser.mixed"}
