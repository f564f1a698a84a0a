"""Python classes and methods that calls, decorators and assignments make, and names that are built at run time."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.graph_sources import calls, edges, graph_of, standings_of

WRAPPER = """
def noted(f):
    def wrapper(*args):
        return f(*args)
    return wrapper
"""


@pytest.mark.parametrize(
    ("source", "expected", "absent"),
    [
        pytest.param(
            WRAPPER
            + """
class Log:
    def __setattr__(self, name, value): pass
def sealed(strict):
    def wrap(cls):
        return build(cls, strict)
    return wrap
def build(cls, strict):
    class Sealed(Log, cls):
        @noted
        def __init__(self, *args):
            super().__init__(*args)
        def show(self): self.text()
    return Sealed
@sealed(True)
class Note:
    def __init__(self, text): self.value = text
    def text(self): pass
class Long(Note): pass
def write(): Long("x").show()
""",
            {
                ("write", "noted.wrapper"): 0.7,
                ("noted.wrapper", "build.Sealed.__init__"): 0.7,
                ("build.Sealed.__init__", "Note.__init__"): 0.7,
                ("Note.__init__", "Log.__setattr__"): 0.7,
                ("write", "build.Sealed.show"): 0.9,
                ("build.Sealed.show", "Note.text"): 0.4,
            },
            {("write", "Note.__init__"): 0.9},
            id="a class decorator with options returns a subclass",
        ),
        pytest.param(
            WRAPPER
            + """
def traced(cls):
    setattr(cls, "run", noted(cls.run))
    cls.stop = noted(cls.stop)
    return cls
@traced
class Job:
    def run(self): pass
    def stop(self): pass
    def wait(self): pass
def go(job: Job):
    job.run(); job.stop(); job.wait()
""",
            {("go", "noted.wrapper"): 0.7, ("noted.wrapper", "Job.run"): 0.7, ("go", "Job.wait"): 0.9},
            {("go", "Job.run"): 0.9, ("go", "Job.stop"): 0.9, ("noted.wrapper", "noted.wrapper"): 0.1},
            id="a class decorator replaces methods",
        ),
        pytest.param(
            """
def boxed(cls):
    class Box:
        def __init__(self): self.inner = cls()
        def open(self): return self.inner.open()
    return Box
@boxed
class Gift:
    def __init__(self): pass
    def open(self): pass
def unwrap(): Gift().open()
""",
            {
                ("unwrap", "boxed.Box.__init__"): 0.7,
                ("unwrap", "boxed.Box.open"): 0.7,
                ("boxed.Box.open", "Gift.open"): 0.7,
            },
            {("unwrap", "Gift.__init__"): 0.9},
            id="a class decorator wraps the class in another one",
        ),
        pytest.param(
            """
def same(cls): return cls
@same
class Plain:
    def __init__(self): pass
    def go(self): pass
def use(): Plain().go()
""",
            {("use", "Plain.__init__"): 1.0, ("use", "Plain.go"): 0.9},
            {},
            id="a class decorator that returns the class changes nothing",
        ),
        pytest.param(
            """
class Server:
    def __init__(self):
        self.commands = {m.replace("do_", ""): getattr(self, m) for m in dir(self) if m.startswith("do_")}
    def handle(self, command): self.commands[command]()
    def loop(self):
        for name in dir(self):
            if name.startswith("do_") and callable(name):
                getattr(self, name)()
            else:
                getattr(self, name)()
    def every(self):
        for name in dir(self):
            getattr(self, name)()
    def do_get(self): pass
    def undo(self): pass
""",
            {("Server.handle", "Server.do_get"): 0.65, ("Server.loop", "Server.do_get"): 0.65},
            {
                ("Server.handle", "Server.undo"): 0.1,
                ("Server.loop", "Server.undo"): 0.1,
                ("Server.every", "Server.do_get"): 0.1,
            },
            id="names that a test says begin with a text",
        ),
        pytest.param(
            """
class Walker:
    def walk(self): return self.step()
class Stepper:
    def step(self): self.stop()
class Kind(type): pass
def stop(self): pass
Robot = Kind("Robot", (Walker, Stepper), {"stop": stop})
class Better(Robot): pass
def parts():
    return type("Parts", (Stepper, Walker), {})
def main():
    Robot().walk()
    Better().walk()
    parts()().step()
""",
            {("main", "Walker.walk"): 0.7, ("Walker.walk", "Stepper.step"): 0.7, ("Stepper.step", "stop"): 0.7}
            | {("main", "Stepper.step"): 0.7},
            {},
            id="classes made by calls of metaclasses",
        ),
        pytest.param(
            """
class Doc:
    def text(self): return ""
    __str__ = __repr__ = text
    def put(self, key, value): pass
    __setitem__ = put
    __call__ = lambda self: shown()
def shown(): pass
class Page(Doc):
    def text(self): return "p"
    open = Doc.text
def use(d: Doc, p: Page):
    str(d)
    d["a"] = 1
    d()
    p.open()
""",
            {("use", "Doc.text"): 0.7, ("use", "Doc.put"): 0.9, ("use", "Doc.<lambda:7:15>"): 0.9},
            {},
            id="methods under other names",
        ),
        pytest.param(
            """
class Both:
    def __iter__(self): return iter([Plain()])
    def __aiter__(self): return self
    async def __anext__(self): return Later()
    def __enter__(self): return Plain()
    def __exit__(self, *e): pass
    async def __aenter__(self): return Later()
    async def __aexit__(self, *e): pass
class Plain:
    def go(self): pass
class Later:
    def go(self): pass
async def waits(b: Both):
    async for x in b: x.go()
    async with b as y: y.go()
    return [z async for z in b]
def direct(b: Both):
    for x in b: x.go()
    with b as y: y.go()
class Only:
    async def __aenter__(self): return self
    async def __aexit__(self, *e): pass
def wrong(o: Only):
    with o: pass
""",
            {("waits", f"Both.__{name}__"): 0.7 for name in ("aiter", "anext", "aenter", "aexit")}
            | {("direct", f"Both.__{name}__"): 0.7 for name in ("iter", "enter", "exit")}
            | {("waits", "Later.go"): 0.7, ("direct", "Plain.go"): 0.7},
            {("waits", f"Both.__{name}__"): 0.1 for name in ("iter", "enter", "exit")}
            | {("direct", f"Both.__{name}__"): 0.1 for name in ("aiter", "anext", "aenter", "aexit")}
            | {("waits", "Plain.go"): 0.1, ("direct", "Later.go"): 0.1, ("wrong", "Only.__aenter__"): 0.1},
            id="protocols of asynchronous statements",
        ),
        pytest.param(
            """
class Knob:
    def __get__(self, box, owner): return 1
    def __set__(self, box, value): pass
class Panel:
    left = Knob()
    right: Knob
    both: Knob = Knob()
Panel.late = Knob()
def turn(p: Panel):
    p.left
def leave(p: Panel):
    p.right
    p.right = 1
def later(p: Panel):
    p.late
    p.both = 2
""",
            {("turn", "Knob.__get__"): 0.9, ("later", "Knob.__get__"): 0.9, ("later", "Knob.__set__"): 0.9},
            {("leave", "Knob.__get__"): 0.1, ("leave", "Knob.__set__"): 0.1},
            id="descriptors are values of classes",
        ),
        pytest.param(
            """
class Ink:
    def draw(self): pass
class Oil:
    def draw(self): pass
class Wax:
    def draw(self): pass
class Art:
    TOOLS = (Ink,)
    NAMED = {"ink": Ink}
    def make(self):
        for tool in self.TOOLS: tool().draw()
    def pick(self, name): self.NAMED[name]().draw()
class Painting(Art):
    TOOLS = Art.TOOLS + (Oil,)
    NAMED = {**Art.NAMED, "oil": Oil}
class Batik(Painting):
    TOOLS = Painting.TOOLS
    TOOLS += (Wax,)
    NAMED = Painting.NAMED | {"wax": Wax}
""",
            {(f"Art.{how}", f"{tool}.draw"): 0.7 for how in ("make", "pick") for tool in ("Ink", "Oil", "Wax")},
            {},
            id="containers that subclasses extend",
        ),
        pytest.param(
            """
PREFIX = "on_"
class Hub:
    def fire(self, kind):
        self.call("mouse", kind)
    def call(self, device, kind):
        getattr(self, f"{device}_{kind}")()
    def other(self, name):
        getattr(self, PREFIX + name + "_done")()
        getattr(self, "%s_%s" % ("key", name))()
    def mouse_up(self): pass
    def pen_up(self): pass
    def on_save_done(self): pass
    def on_save(self): pass
    def key_up(self): pass
def serve_a(): pass
def serve_b(): pass
def rest(): pass
def run(name):
    globals()["serve_" + name]()
    def inner(): pass
    locals()["inner"]()
""",
            {
                ("Hub.call", "Hub.mouse_up"): 0.5,
                ("Hub.other", "Hub.on_save_done"): 0.5,
                ("Hub.other", "Hub.key_up"): 0.5,
            }
            | {("run", "serve_a"): 0.5, ("run", "serve_b"): 0.5, ("run", "run.inner"): 0.5},
            {("Hub.call", "Hub.pen_up"): 0.5, ("Hub.other", "Hub.on_save"): 0.5, ("run", "rest"): 0.1},
            id="names built of parts",
        ),
        pytest.param(
            """
from functools import lru_cache
class Shelf:
    def __init__(self): self._find = lru_cache(maxsize=8)(self._search)
    def _search(self, key): return Book()
    def get(self, key): return self._find(key).open()
class Book:
    def open(self): pass
    def __eq__(self, other): return True
    def __hash__(self): return 1
    def __gt__(self, other): return True
def same(b: Book, known: dict):
    "x" == b
    1 < b
def listed(b: Book):
    b in [1, 2]
def keyed(b: Book, known: dict):
    b in known
""",
            {("Shelf.get", "Shelf._search"): 0.7, ("Shelf.get", "Book.open"): 0.7}
            | {("same", "Book.__eq__"): 0.9, ("same", "Book.__gt__"): 0.9}
            | {("listed", "Book.__eq__"): 0.5, ("keyed", "Book.__hash__"): 0.5},
            {("listed", "Book.__hash__"): 0.1},
            id="cached methods and comparisons",
        ),
        pytest.param(
            """
class opened:
    def __init__(self, option): pass
    def __call__(self, cls):
        class Opened(cls):
            def run(self): return super().run()
        return Opened
@opened(1)
class Box:
    def run(self): pass
def kept(cls):
    old = cls.__init__
    def __init__(self, *args):
        old(self, *args)
    cls.__init__ = __init__
    return cls
@kept
class Tin:
    def __init__(self, size): pass
class Kind(type): pass
class Walker:
    def walk(self): self.step()
class Stepper:
    def step(self): pass
bases = (Walker, Stepper)
Robot = Kind("Robot", bases, {})
class Menu:
    def pick(self, name, prefix="do_"): getattr(self, prefix + name)()
    def tell(self, name): getattr(self, "_".join(["on", name]))()
    def do_a(self): pass
    def on_a(self): pass
Menu.__call__ = Menu.pick
def use(menu: Menu):
    Box().run(); Tin(1); Robot().walk(); menu("a")
""",
            {
                ("use", "opened.__call__.Opened.run"): 0.7,
                ("opened.__call__.Opened.run", "Box.run"): 0.7,
                ("use", "kept.__init__"): 0.7,
                ("kept.__init__", "Tin.__init__"): 0.7,
                ("Walker.walk", "Stepper.step"): 0.7,
                ("Menu.pick", "Menu.do_a"): 0.5,
                ("Menu.tell", "Menu.on_a"): 0.5,
                ("use", "Menu.pick"): 0.9,
            },
            {("use", "Tin.__init__"): 0.9, ("Menu.pick", "Menu.on_a"): 0.5},
            id="more forms of the same",
        ),
        pytest.param(
            """
class Base:
    def run(self): self.one(); self.two()
    def one(self):
        'Told.'
        raise NotImplementedError(f"{type(self).__name__} has no one")
    def two(self):
        if self.three(): raise NotImplementedError
    def three(self): pass
"""
            + "".join(f"class C{n}(Base):\n    def one(self): pass\n    def two(self): pass\n" for n in range(18)),
            {("Base.run", "C0.one"): 0.4, ("Base.run", "C17.one"): 0.4},
            {("Base.run", "C0.two"): 0.1},
            id="many override a method that only raises",
        ),
    ],
)
def test_what_calls_run(
    source: str, expected: dict[tuple[str, str], float], absent: dict[tuple[str, str], float]
) -> None:
    found = {(a.removeprefix("m."), b.removeprefix("m.")): e.confidence for (a, b), e in calls(source).items()}
    assert {pair for pair, least in expected.items() if found.get(pair, 0) < least - 1e-6} == set()
    assert {pair for pair, most in absent.items() if found.get(pair, 0) >= most - 1e-6} == set()


@pytest.mark.parametrize(
    "code",
    [
        'for point in entry_points(group="my-app.tools"): point.load()()',
        'for point in entry_points().select(group="my-app.tools"): point.load()()',
        'entry_points()["my-app.tools"][0].load()()',
        "{point.name: point.load() for point in entry_points()}['x']()",
    ],
)
@pytest.mark.parametrize(
    ("manifest", "text"),
    [
        ("pyproject.toml", '[project.entry-points."my-app.tools"]\nx = "tools.saw:cut"\n'),
        ("setup.cfg", "[options.entry_points]\nmy-app.tools =\n    x = tools.saw:cut\n"),
        ("setup.py", "from setuptools import setup\nsetup(entry_points={'my-app.tools': ['x = tools.saw:cut']})\n"),
        ("setup.py", "E = '[my-app.tools]\\nx = tools.saw:cut'\nsetup(entry_points=E)\n"),
    ],
)
def test_entry_points_of_the_manifests_are_loaded(tmp_path: Path, manifest: str, text: str, code: str) -> None:
    (tmp_path / manifest).write_text(text)
    main = f"from importlib.metadata import entry_points\ndef main():\n    {code}\n"
    graph = graph_of({"app.py": main, "tools/__init__.py": "", "tools/saw.py": "def cut(): pass\n"}, tmp_path)
    assert edges(graph)["app.main", "tools.saw.cut"].confidence >= 0.7


@pytest.mark.parametrize(
    "loaded",
    [
        'import_module(f"app.cmds.{name}")',
        'import_module("app.cmds." + name)',
        'import_module("app.cmds.%s" % name)',
        'import_module(f"{PACKAGE}{name}")',
        'import_module(f".{name}", "app.cmds")',
        'import_module(f".cmds.{name}", package=__package__)',
        'import_module("app.cmds.s_" + name)',
    ],
)
def test_a_module_whose_name_is_built_may_be_each_of_its_package(loaded: str) -> None:
    sources = {
        "app/__init__.py": "",
        "app/cmds/__init__.py": "",
        "app/cmds/s_open.py": "def main(): pass\n",
        "app/cmds/s_close.py": "def main(): pass\n",
        "app/other.py": "def main(): pass\n",
        "app/run.py": "from importlib import import_module\nPACKAGE = 'app.cmds.'\n"
        f"def run(name):\n    mod = {loaded}\n    return getattr(mod, 'main')()\n",
    }
    found = edges(graph_of(sources))
    assert {("app.run.run", "app.cmds.s_open.main"), ("app.run.run", "app.cmds.s_close.main")} <= set(found)
    assert ("app.run.run", "app.other.main") not in found


def test_entry_points_of_another_group_are_not_loaded(tmp_path: Path) -> None:
    (tmp_path / "setup.cfg").write_text("[options.entry_points]\nothers =\n    x = tools:cut\n")
    main = 'from importlib.metadata import entry_points\ndef main():\n    entry_points(group="mine")[0].load()()\n'
    graph = graph_of({"app.py": main, "tools.py": "def cut(): pass\n"}, tmp_path)
    assert ("app.main", "tools.cut") not in edges(graph)


PROXY = """
class Proxy:
    def __getattr__(self, name): return getattr(self._current(), name)
    def _current(self): return object.__getattribute__(self, "x")()
class Lazy:
    def __getattr__(self, name): return lambda: None
""" + "".join(f"class C{n}:\n    def send(self): pass\n" for n in range(5))


@pytest.mark.parametrize(
    "call",
    [
        "Proxy().send()",
        "Proxy().conf.send()",
        "Lazy().send()",
        "MagicMock().send()",
        "C0().send()",
    ],
)
def test_a_placeholder_is_not_the_end_of_a_call(call: str) -> None:
    graph = graph_of({"m.py": f"from unittest.mock import MagicMock\n{PROXY}def use(): {call}\n"})
    assert [each.name for each in graph.unresolved if each.source == "m.py:m.use"] == ([] if "C0" in call else ["send"])


@pytest.mark.parametrize(
    ("source", "symbol", "reason"),
    [
        (
            "class A:\n    def _x_on(self): pass\nclass B(A):\n    def go(self, k): getattr(self, k + '_on')()",
            "A._x_on",
            "",
        ),
        (
            "def go(o, k): getattr(o, '_{0}_{1}'.format(k, k))\nclass A:\n    def _a_b(self): pass",
            "A._a_b",
            "names that look",
        ),
        (
            "def go(o, k): getattr(o, 'get' + k)\nclass A:\n    def getX(self): pass",
            "A.getX",
            "names that begin with get",
        ),
        ("def go(k): globals()[k]()\ndef _run(): pass", "_run", "code looks up what its file defines"),
        ("class M(type): pass\nclass A(metaclass=M):\n    def _f(self): pass", "A._f", "M is the metaclass of A"),
        ("class B:\n    def __init_subclass__(cls): pass\nclass _C(B): pass", "_C", "B has a hook"),
        (
            "from abc import abstractmethod\nclass B:\n    @abstractmethod\n    def f(self): pass\n"
            "class _C(B):\n    def f(self): pass",
            "_C.f",
            "B declares a method",
        ),
    ],
)
def test_signs_of_use(source: str, symbol: str, reason: str) -> None:
    table = standings_of({"m.py": source + "\n"})
    found = table.of(table.graph.catalog.resolve(f"m.{symbol}"))
    assert any(reason in said for said in found.dynamic), found


@pytest.mark.parametrize(
    "source",
    [
        "class A:\n    def go(self, k): getattr(self, 'do_' + k)()\n    def _x(self): pass",
        "from abc import ABCMeta\nclass A(metaclass=ABCMeta):\n    def _x(self): pass",
        "def go(o, k): getattr(o, 'name')\nclass A:\n    def _x(self): pass",
    ],
)
def test_nothing_speaks_for_a_method_that_nobody_uses(source: str) -> None:
    table = standings_of({"m.py": source + "\n"})
    assert not table.of(table.graph.catalog.resolve("m.A._x")).notes


def test_a_function_that_is_passed_itself_calls_itself() -> None:
    source = "def other(): pass\n\ndef run(a=other): a()\n\ndef start(a, b=run): a(b)\n\nstart(a=run, b=other)\n"
    assert ("run", "run") in {tuple(end.rpartition(".")[2] for end in ends) for ends in calls(source)}


@pytest.mark.parametrize("look", ["getattr", "object.__getattribute__"])
@pytest.mark.parametrize("name", ["x", "_x"])
def test_a_computed_name_may_mean_any_member(look: str, name: str) -> None:
    source = f"class A:\n    def go(self, k): return {look}(self, k)()\n    def {name}(self): pass\n"
    table = standings_of({"m.py": source})
    notes = table.of(table.graph.catalog.resolve(f"m.A.{name}")).notes
    assert any("by names that it computes at m.py:2" in note for note in notes)


@pytest.mark.parametrize(
    "run",
    [
        "def run(k):\n    for n in ('start', 'stop'): getattr(k, n)()",
        "NAMES = ['start', 'stop']\ndef run(k):\n    for n in NAMES: getattr(k, n)()",
        "def run(k):\n    names = {'start', 'stop'}\n    return [getattr(k, n)() for n in names]",
        "def run(k):\n    for n in ('art', 'op'): getattr(k, 'st' + n)()",
    ],
)
def test_a_loop_over_names(run: str) -> None:
    methods = "".join(f"    def {name}(self): pass\n" for name in ("start", "stop", "step"))
    source = f"class K:\n{methods}{run}\nrun(K())\n"
    found = {callee for caller, callee in calls(source) if caller == "m.run"}
    assert found == {"m.K.start", "m.K.stop"}


def test_a_text_that_a_caller_passes() -> None:
    source = "class K:\n    def start(self): pass\n    def call(self, name): getattr(self, name)()\nK().call('start')\n"
    assert ("m.K.call", "m.K.start") in calls(source)


def test_a_variable_with_one_text() -> None:
    source = "class K:\n    def start(self): pass\ndef run(k):\n    n = 'start'\n    getattr(k, n)()\nrun(K())\n"
    assert ("m.run", "m.K.start") in calls(source)


def test_a_loop_over_names_of_a_module() -> None:
    source = "__all__ = ['Bold', 'Link']\n" + "".join(
        f"class {name}:\n    def start(self): pass\n" for name in ("Bold", "Link", "Other")
    )
    source += "kinds = [globals()[name] for name in __all__]\ndef run():\n    for kind in kinds: kind.start()\n"
    found = {callee for caller, callee in calls(source) if caller == "m.run"}
    assert found == {"m.Bold.start", "m.Link.start"}


@pytest.mark.parametrize(
    "source",
    [
        "def reset():\n    global kind\n    kind = K\ndef run(): kind()\nkind = None\nreset()\n",
        "def run():\n kind = None\n def reset():\n  nonlocal kind\n  kind = K\n reset()\n kind()\n",
    ],
)
def test_a_function_assigns_a_name_of_an_outer_scope(source: str) -> None:
    assert ("m.run", "m.K.__init__") in calls(f"class K:\n    def __init__(self): pass\n{source}")
