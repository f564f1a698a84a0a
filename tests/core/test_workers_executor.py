from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest

from codeexplore import LoadCancelled, Workspace, sample_repo
from codeexplore.workspace.workers import pool
from tests.same_index import assert_same


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "BATCH_BYTES", 8_000)


def processes() -> Executor:
    return ProcessPoolExecutor(2, mp_context=get_context("spawn"))


@pytest.mark.parametrize("make", [lambda: ThreadPoolExecutor(2), processes], ids=["threads", "processes"])
def test_an_executor_gives_the_same(make: Callable[[], Executor], webshop: Workspace) -> None:
    with make() as executor:
        ws = Workspace(sample_repo("webshop"), executor=executor, cache=False)
    assert ws.summary.warnings == webshop.summary.warnings
    assert_same(ws, webshop)


def test_a_dask_cluster_gives_the_same(webshop: Workspace) -> None:
    distributed = pytest.importorskip("distributed")
    with (
        # any free port: two runs of the tests may share a machine
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0") as cluster,
        distributed.Client(cluster) as client,
    ):
        ws = Workspace(sample_repo("webshop"), executor=client.get_executor(), cache=False)
    assert_same(ws, webshop)


class Failing(Executor):
    """Fails every second task."""

    def __init__(self) -> None:
        self.calls = 0

    def submit(self, task: Callable[..., Any], /, *args: Any, **options: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.calls += 1
        if self.calls % 2:
            future.set_exception(ConnectionError("the machine is gone"))
        else:
            future.set_result(task(*args, **options))
        return future


def test_what_fails_elsewhere_is_done_here_and_told(webshop: Workspace) -> None:
    executor = Failing()
    ws = Workspace(sample_repo("webshop"), executor=executor, cache=False)
    assert executor.calls > 2
    assert any("the machine is gone" in warning for warning in ws.summary.warnings)
    assert_same(ws, webshop)


def test_an_executor_is_left_when_the_load_is_cancelled() -> None:
    cancel = threading.Event()

    def stop(stage: str, done: int, total: int) -> None:
        if stage == "parse" and done == 1:
            cancel.set()

    with ThreadPoolExecutor(1) as executor, pytest.raises(LoadCancelled):
        Workspace(sample_repo("webshop"), executor=executor, cache=False, progress=stop, cancel=cancel)
