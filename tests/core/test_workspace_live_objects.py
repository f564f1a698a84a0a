"""Live Python objects as targets: looked at, never called."""

import functools
import importlib.util
import math
import sys
from pathlib import Path

import pytest

from codeexplore import SymbolNotFound, Workspace

SOURCE = """\
import functools
from contextlib import contextmanager


def noisy(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args)
    return wrapper


@noisy
@functools.lru_cache(maxsize=None)
def decorated(x):
    return x


@contextmanager
def opened():
    yield


@functools.singledispatch
def shown(x):
    return str(x)


class Base:
    limit: int = 3

    def run(self):
        return decorated(1)

    @property
    def size(self):
        raise AssertionError("a target is never called")

    @functools.cached_property
    def cached(self):
        raise AssertionError("a target is never called")

    @classmethod
    def make(cls):
        return cls()

    @staticmethod
    def pure(x):
        return x

    part = functools.partialmethod(run)

    class Inner:
        def deep(self): ...


class Child(Base):
    def run(self):
        return super().run()


def __getattr__(name):
    raise AssertionError("a module's attributes are not asked for")
"""


@pytest.fixture(scope="module")
def shapes(tmp_path_factory):
    """(workspace, its module imported)."""
    root = tmp_path_factory.mktemp("live")
    (root / "shapes.py").write_text(SOURCE, "utf-8")
    spec = importlib.util.spec_from_file_location("shapes", root / "shapes.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["shapes"] = module
    spec.loader.exec_module(module)
    yield Workspace(root, workers=0, progress=lambda *_: None), module
    del sys.modules["shapes"]


@pytest.mark.parametrize(
    ("pick", "fqn"),
    [
        (lambda m: m.Base, "shapes.Base"),
        (lambda m: m.Base.Inner, "shapes.Base.Inner"),
        (lambda m: m.Base.Inner.deep, "shapes.Base.Inner.deep"),
        (lambda m: m.Base.run, "shapes.Base.run"),
        (lambda m: m.Base().run, "shapes.Base.run"),
        (lambda m: m.Child().run, "shapes.Child.run"),
        (lambda m: m.Child().make, "shapes.Base.make"),
        (lambda m: m.Base.pure, "shapes.Base.pure"),
        (lambda m: vars(m.Base)["make"], "shapes.Base.make"),
        (lambda m: vars(m.Base)["pure"], "shapes.Base.pure"),
        (lambda m: m.Base.size, "shapes.Base.size"),
        (lambda m: m.Base.cached, "shapes.Base.cached"),
        (lambda m: vars(m.Base)["part"], "shapes.Base.run"),
        (lambda m: functools.partial(functools.partial(m.decorated, 1)), "shapes.decorated"),
        (lambda m: m.decorated, "shapes.decorated"),
        (lambda m: m.opened, "shapes.opened"),
        (lambda m: m.shown, "shapes.shown"),
        (lambda m: m, "shapes"),
    ],
)
def test_a_live_object_means_its_definition(shapes, pick, fqn):
    workspace, module = shapes
    assert workspace.symbol(pick(module)).fqn == fqn
    assert workspace.source(pick(module))


def test_walks_take_live_objects(shapes):
    workspace, module = shapes
    assert [symbol.fqn for symbol in workspace.callers(module.decorated)] == ["shapes.noisy.wrapper", "shapes.Base.run"]
    assert workspace.callers(module.Child().run).seeds[0].fqn == "shapes.Child.run"


def refused(workspace, target):
    with pytest.raises(SymbolNotFound) as caught:
        workspace.symbol(target)
    return str(caught.value)


def test_what_was_made_at_a_prompt_is_told(shapes):
    workspace, _ = shapes
    namespace = {"__name__": "__main__"}
    exec(compile("def decorated(): ...\ndef mine(): ...\nclass Own: ...", "<ipython-input-3-abc>", "exec"), namespace)
    assert "mine is defined in this session, in a cell or at a prompt" in refused(workspace, namespace["mine"])
    assert "Own is defined in this session" in refused(workspace, namespace["Own"])
    assert "the repository has shapes.decorated: give that name" in refused(workspace, namespace["decorated"])


def test_what_is_compiled_or_no_definition_is_told(shapes):
    workspace, module = shapes
    assert "math.sqrt is compiled" in refused(workspace, math.sqrt)
    assert "str.join is compiled" in refused(workspace, str.join)
    assert "asks about Base" in refused(workspace, module.Base())
    assert "an object of type int is not a function, class or module" in refused(workspace, 3)
    assert "Workspace.from_package()" in refused(workspace, Path.read_text)


def test_a_chain_of_wrappers_that_goes_round_ends(shapes):
    workspace, _ = shapes

    def round_and_round(): ...

    round_and_round.__wrapped__ = round_and_round
    assert "round_and_round" in refused(workspace, round_and_round)


def test_a_workspace_of_a_module_that_is_loaded():
    import json

    assert Workspace.from_package(json).symbol(json.dumps).fqn == "json.dumps"


def test_no_attribute_of_a_live_object_is_asked_for(shapes):
    class Curious:
        def __getattr__(self, name):
            raise AssertionError(f"{name} was asked for")

    class Bare:
        __slots__ = ()
        __getattr__ = Curious.__getattr__

    workspace, _ = shapes
    for ask in (workspace.symbol, workspace.callers, workspace.related, workspace.source):
        for target in (Curious(), Bare()):
            with pytest.raises(SymbolNotFound):
                ask(target)
