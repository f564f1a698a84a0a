"""Workspaces that many tests ask: loaded once."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable, Generator, Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from codeexplore import Workspace, sample_repo
from codeexplore.faults import STRICT
from codeexplore.search.options import check_options
from codeexplore.types.displayed import explain
from codeexplore.workspace import graph_update
from codeexplore.workspace.workers import resolver_process
from tests.lane_clock import LaneClock

# a busy machine is no failure: nothing here depends on times
# `--hypothesis-profile thorough` tries as many examples as Hypothesis itself would, four times as many
_CALM = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("codeexplore", _CALM, max_examples=25)
settings.register_profile("thorough", _CALM)
settings.load_profile("codeexplore")


BROWSER = "tests/browser/"
os.environ[STRICT] = "1"  # in child processes, too

check_options.__kwdefaults__["timeout"] = 60.0  # three seconds are enough for people, not to be sure


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One process more than there are processors: the browser tests mostly wait for pages and kernels."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object:
    """Send the browser tests to one process, where one JupyterLab serves them all.

    The tests of a file with a fixture for the whole file are in one process too, and those that one function makes.

    pytest-xdist's own groups (3.8) do nothing under pytest 9.2.
    """
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file, function = nodeid.partition("::")[0], nodeid.partition("[")[0]
            return BROWSER if file.startswith(BROWSER) else file if _shares(config, file) else function

    config.option.loadscopereorder = False  # see `pytest_collection_modifyitems`
    return Scheduling(config, log)


@cache
def _shares(config: pytest.Config, file: str) -> bool:
    """Whether a file has a fixture for all of its tests."""
    return 'scope="module"' in (config.rootpath / file).read_text("utf-8")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let the processes of pytest-xdist begin with what takes longest, so that all of them end together.

    First the browser tests, then the slow ones, whole files, the files that start processes, and those of the folders.
    """

    def place(item: pytest.Item) -> tuple[object, ...]:
        file, slow = item.nodeid.partition("::")[0], item.get_closest_marker("slow") is not None
        return not file.startswith(BROWSER), not slow, not _shares(config, file), file.count("/"), file

    if hasattr(config, "workerinput"):
        items.sort(key=place)


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A cache folder of the tests' own: what a person keeps is neither used nor touched."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CODEEXPLORE_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def webshop() -> Workspace:
    """The Python sample repository, loaded."""
    return Workspace(sample_repo("webshop"))


def _held_back(monkeypatch: pytest.MonkeyPatch, of: type[Any]) -> Iterator[threading.Event]:
    """`of.result` waits for an event."""
    going = threading.Event()
    real = of.result

    def wait(self: object, check: Callable[[], None]) -> object:
        while not going.wait(0.01):
            check()
        return real(self, check)

    monkeypatch.setattr(of, "result", wait)
    yield going
    going.set()


@pytest.fixture
def unsettled(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """No graph is resolved anew until the event is set."""
    yield from _held_back(monkeypatch, graph_update.PartialResolution)


@pytest.fixture
def lane_clock(monkeypatch: pytest.MonkeyPatch) -> LaneClock:
    """The time that limits of lanes go by."""
    clock = LaneClock()
    clock.put_in(monkeypatch)
    return clock


@pytest.fixture
def going(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """No graph is made at all, of a load neither, until the event is set."""
    yield from _held_back(monkeypatch, resolver_process.ResolverProcess)


@pytest.fixture
def shell(tmp_path, monkeypatch):
    """An IPython shell without a kernel, its files in a folder of its own."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    config = Config()
    config.HistoryManager.enabled = False
    started = InteractiveShell.instance(config=config)
    yield started
    if "codeexplore" in started.extension_manager.loaded:
        started.extension_manager.unload_extension("codeexplore")
    InteractiveShell.clear_instance()


@pytest.fixture
def loaded(shell, webshop):
    """A shell with the extension and one workspace called ws."""
    assert shell.run_line_magic("load_ext", "codeexplore") is None
    shell.push({"ws": webshop})
    return shell


def pytest_collection_finish() -> None:
    """Leave the imported modules and the collected tests out of later garbage collections."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, None, None]:
    """After a file of tests, leave the modules that it imported out of later garbage collections."""
    yield
    if nextitem is None or nextitem.path != item.path:
        gc.collect()
        gc.freeze()


def pytest_unconfigure() -> None:
    """Let the process end at once: each shell that a test made collects all garbage on its way out, a second each."""
    gc.freeze()


@pytest.fixture
def explaining() -> None:
    """Let answers show formulas and names of rules."""
    explain(True)


@pytest.fixture(autouse=True)
def _no_later_test_explains() -> Iterator[None]:
    yield
    explain(False)
