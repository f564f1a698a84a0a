"""Values that Python programs hand on: by ``*args``, items, defaults, tables of functions, fields of subclasses."""

from __future__ import annotations

import pytest

from codeexplore.types import settings
from tests.graph_sources import calls

CLASSES = """
class A:
    def run(self): pass
class B:
    def run(self): pass
"""


def resolved(source: str) -> set[tuple[str, str]]:
    """Callers and callees of the edges that count as resolved."""
    sure = settings.RESOLVED_CONFIDENCE - 1e-6
    return {pair for pair, edge in calls(source).items() if edge.confidence >= sure}


# ---------------------------------------------------------------- spread arguments


@pytest.mark.parametrize(
    "call",
    [
        "items = (A(), B())\nuse(*items)",
        "use(A(), *[B()])",
        "use(**{'first': A(), 'second': B()})",
        "use(*(A(),), **dict(second=B()))",
        "def on(*args, **kwargs): use(*args, **kwargs)\non(A(), second=B())",
        "def on(first, *args): use(first, *args)\non(A(), B())",
        "def on(*args): inner(*args)\ndef inner(*args): use(*args)\non(A(), B())",
    ],
)
def test_each_spread_argument_reaches_its_parameter(call: str) -> None:
    use = "def use(first, second):\n    one(first)\n    two(second)\ndef one(x): x.run()\ndef two(y): y.run()\n"
    found = resolved(f"{CLASSES}\n{use}{call}\n")
    assert {pair for pair in found if pair[1].endswith("run")} == {("m.one", "m.A.run"), ("m.two", "m.B.run")}


def test_items_of_unknown_position_may_be_any_argument() -> None:
    found = resolved(f"{CLASSES}\ndef use(first, second): second.run()\ndef go(k):\n    use(*[A() for _ in k])\n")
    assert ("m.use", "m.A.run") in found


def test_a_constructor_that_hands_on_what_it_gets() -> None:
    found = resolved(f"""{CLASSES}
class Base:
    def __init__(self, part, other=None):
        self.part, self.other = part, other
    def one(self): self.part.run()
    def two(self): self.other.run()
class Sub(Base):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
Sub(A(), other=B())
""")
    assert {pair for pair in found if pair[1].endswith("run")} == {
        ("m.Base.one", "m.A.run"),
        ("m.Base.two", "m.B.run"),
    }


def test_a_wrapper_does_not_mix_the_arguments_of_what_it_wraps() -> None:
    found = calls(f"""{CLASSES}
def wrap(f):
    def inner(*args): return f(*args)
    return inner
@wrap
def one(x): x.run()
@wrap
def two(x): x.run()
one(A())
two(B())
""")
    assert {pair for pair in found if pair[1].endswith("run")} == {("m.one", "m.A.run"), ("m.two", "m.B.run")}


@pytest.mark.parametrize(
    "made",
    [
        "chain(*[[A()], [A()]])",
        "Items(A())",
        "Table({'x': A()}).known.values()",
        "Table(x=A()).known.values()",
        "Late({'x': A()}).known.values()",
    ],
)
def test_containers_made_of_spread_arguments(made: str) -> None:
    found = resolved(f"""from itertools import chain
{CLASSES}
class Items:
    def __init__(self, *parts): self.parts = list(parts)
    def __iter__(self): return iter(self.parts)
class Table:
    def __init__(self, *args, **kwargs): self.known = dict(*args, **kwargs)
class Late:
    def __init__(self, *args):
        self.known = dict()
        self.known.update(*args)
def go():
    for each in {made}: each.run()
""")
    assert ("m.go", "m.A.run") in found


@pytest.mark.parametrize(
    "loop",
    [
        "for key, some in itertools.groupby([A()], kind):\n        for each in some: each.run()",
        "for one, each in itertools.pairwise([A()]): each.run()",
        "for one, each in itertools.product([B()], [A()]): each.run()",
        "for each in itertools.tee([A()])[0]: each.run()",
    ],
)
def test_items_that_itertools_puts_in_groups(loop: str) -> None:
    assert ("m.go", "m.A.run") in resolved(f"import itertools\n{CLASSES}\ndef kind(x): pass\ndef go():\n    {loop}\n")


def test_a_function_that_makes_the_keys_of_groups() -> None:
    found = resolved(f"""from itertools import groupby
{CLASSES}
def key(x):
    x.run()
    return B()
def go():
    for key_of_group, items in groupby([A()], key): key_of_group.run()
""")
    assert {("m.key", "m.A.run"), ("m.go", "m.B.run")} <= found


# ---------------------------------------------------------------- items and parameters


def test_an_item_is_handed_to_the_method_that_stores_it() -> None:
    found = resolved(f"""{CLASSES}
class Registry:
    def __init__(self): self.known = {{}}
    def __setitem__(self, key, value):
        value.run()
        self.known[key.lower()] = value
    def __getitem__(self, key): return self.known[key.lower()]
def go(registry: Registry, key): registry[key].run()
def fill(registry: Registry, key): registry[key] = A()
""")
    assert {("m.Registry.__setitem__", "m.A.run"), ("m.go", "m.A.run")} <= found
    assert ("m.go", "m.B.run") not in found


@pytest.mark.parametrize("test", ["if part is None: part = A()", "if not part:\n        part = A()"])
def test_a_parameter_that_gets_a_default_and_is_returned(test: str) -> None:
    found = resolved(f"""{CLASSES}
def made(part=None):
    {test}
    return part
def go(): made().run()
def other(): made(B()).run()
""")
    assert {("m.go", "m.A.run"), ("m.other", "m.A.run"), ("m.other", "m.B.run")} <= found


# ---------------------------------------------------------------- tables of functions


def test_many_functions_that_a_decorator_registers_are_called_in_one_place() -> None:
    functions = "".join(f"@register('f{n}')\ndef f{n}(): pass\n" for n in range(40))
    found = resolved(f"""
class Entry:
    def __init__(self, function): self.function = function
    def execute(self): self.function()
known = {{}}
def register(name):
    def add(function):
        known[name] = Entry(function)
        return function
    return add
{functions}
""")
    assert {callee for caller, callee in found if caller == "m.Entry.execute"} == {f"m.f{n}" for n in range(40)}


def test_the_same_method_of_many_receivers_stays_likely() -> None:
    classes = "".join(f"class C{n}(Base): pass\n" for n in range(40))
    made = "".join(f"use(C{n}())\n" for n in range(40))
    found = calls(f"class Base:\n    def run(self): pass\n{classes}\ndef use(x): x.run()\n{made}")
    assert found["m.use", "m.Base.run"].confidence == pytest.approx(0.9)


# ---------------------------------------------------------------- fields of subclasses


def test_a_method_reads_a_field_that_a_subclass_assigns() -> None:
    found = resolved(f"""{CLASSES}
class Base:
    def __init__(self): self.part = A()
    def go(self): self.part.run()
class Sub(Base):
    def start(self): self.part = B()
class Other:
    def start(self): self.part = Other()
    def run(self): pass
""")
    assert {pair for pair in found if pair[1].endswith("run")} == {("m.Base.go", "m.A.run"), ("m.Base.go", "m.B.run")}
