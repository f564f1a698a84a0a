"""Workspaces that many tests ask: loaded once."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable, Generator, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from codeexplore import Workspace, sample_repo
from codeexplore.answers.wording import explain
from codeexplore.search.options import check_options
from codeexplore.workspace import graph_update
from codeexplore.workspace.workers import resolver_process
from tests.lane_clock import LaneClock

# a busy machine is no failure: nothing here depends on times
# `--hypothesis-profile thorough` tries as many examples as Hypothesis itself would, four times as many
_CALM = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("codeexplore", _CALM, max_examples=25)
settings.register_profile("thorough", _CALM)
settings.load_profile("codeexplore")


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

    @cache
    def shares(file: str) -> bool:
        return 'scope="module"' in (config.rootpath / file).read_text("utf-8")

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            together = file if shares(file) else nodeid.partition("[")[0]
            return "browser" if file.startswith("tests/browser/") else together

    return Scheduling(config, log)


@pytest.hookimpl(tryfirst=True)
def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Dir | None:
    """Let each process of pytest-xdist begin with other files, so that each file is compiled by one and not by all."""
    if not hasattr(parent.config, "workerinput"):
        return None
    folder: pytest.Dir = Turned.from_parent(parent, path=path)
    return folder


class Turned(pytest.Dir):
    """A folder of tests that the second of three processes reads from its second third on."""

    def collect(self) -> list[pytest.Item | pytest.Collector]:
        """Return what is in the folder, beginning with the share of this process."""
        found = list(super().collect())
        given = self.config.workerinput  # type: ignore[attr-defined]
        first = len(found) * int(given["workerid"].removeprefix("gw")) // given["workercount"]
        return found[first:] + found[:first]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Bring the tests of each process of pytest-xdist into one order: the slow ones first, so that none is the last."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: (item.get_closest_marker("slow") is None, item.path))


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
