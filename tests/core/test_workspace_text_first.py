"""A large repository is opened after its first pass: symbols and chunks at once, facts in a second pass."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from codeexplore import GraphUnresolved, LoadCancelled, Workspace, sample_repo
from codeexplore.index import files as file_batch
from codeexplore.index.files import batch_result, extracted_facts
from codeexplore.languages.extraction.expressions import Layout
from codeexplore.source.discovery import discover
from codeexplore.source.read import read
from codeexplore.syntax.analyse import analyse, has_facts
from codeexplore.types import SourceFile
from codeexplore.workspace import load
from codeexplore.workspace.cache import members_of
from codeexplore.workspace.workers import child_process, pool
from tests.background import until
from tests.same_index import assert_same
from tests.worker_children import recorded

LANGUAGES = Path(__file__).parents[1] / "fixtures" / "languages"
SAMPLES = [sample_repo(name) for name in ("webshop", "chatservice", "ledger", "jobworker")]


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "BATCH_BYTES", 8_000)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """The second pass waits until the event is set."""
    going = threading.Event()
    extract = pool.AnalysisPool.extract

    def wait(*args: Any) -> Any:
        assert going.wait(120)
        return extract(*args)

    monkeypatch.setattr(pool.AnalysisPool, "extract", wait)
    yield going
    going.set()


@pytest.fixture
def children(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """The processes that analyse."""
    return recorded(monkeypatch, child_process.KEPT_BYTES)


def files_of(root: Path) -> tuple[list[SourceFile], Layout]:
    found = discover(root)
    files = [read(found.root, candidate) for candidate in found.candidates]
    layout = Layout(frozenset(candidate.path for candidate in found.candidates))
    return [file for file in files if isinstance(file, SourceFile)], layout


@pytest.mark.parametrize("root", [*SAMPLES, LANGUAGES], ids=lambda root: root.name)
def test_the_two_steps_of_an_analysis_give_what_the_analysis_gives(root: Path) -> None:
    files, layout = files_of(root)
    assert files
    for file in files:
        whole, first = analyse(file, layout), analyse(file, layout, outlined=True)
        second = analyse(file, layout, chunked=False)
        assert first.facts.symbols == whole.facts.symbols, file.path
        assert (first.chunks, first.warnings) == (whole.chunks, whole.warnings), file.path
        assert first.facts.errors == whole.facts.errors
        assert second.facts == whole.facts, file.path
        if not has_facts(file.language):
            assert first == whole


def test_a_load_in_two_passes_gives_what_a_load_at_once_gives(webshop: Workspace, held: threading.Event) -> None:
    ws = Workspace(sample_repo("webshop"), graph="background", workers=2, cache=False)
    index = ws._holder.current
    lacking = index.sources.lacking_facts()
    assert lacking
    assert ws.search("where is a refund paid?").hits
    for path in lacking[::7]:  # extracted when it is asked for, and kept
        assert index.files.facts(path) == webshop._holder.current.files.facts(path)
        assert path not in index.sources.lacking_facts()
    held.set()
    assert ws.wait_for_graph()
    assert not index.sources.lacking_facts()
    assert_same(ws, webshop)
    made, expected = members_of(ws._holder.current), members_of(webshop._holder.current)
    assert sorted(made) == sorted(expected)
    assert [
        n for n in made if bytes(memoryview(made[n])) != bytes(memoryview(expected[n])) and n != "origin.json"
    ] == []
    assert "facts" in {stage.stage for stage in ws.summary.stages}


def test_an_edit_during_the_second_pass_gives_what_a_load_gives(tmp_path: Path, held: threading.Event) -> None:
    for number in range(40):
        (tmp_path / f"m{number}.py").write_text(
            f"from m0 import f0\ndef f{number}():\n    return f0()\n" + "# x\n" * 99
        )
    ws = Workspace(tmp_path, graph="background", workers=2, cache=False)
    assert ws._holder.current.sources.lacking_facts()
    (tmp_path / "m3.py").write_text("from m1 import f1\ndef f3():\n    return f1()\n")
    ws.refresh(graph="background")
    assert ws.graph_state == "building"
    held.set()
    assert ws.wait_for_graph()
    assert_same(ws, Workspace(tmp_path, workers=0, cache=False))
    ws = Workspace(tmp_path, graph="background", workers=2, cache=False)
    (tmp_path / "m4.py").write_text("from m1 import f1\ndef f4():\n    return f1()\n")
    ws.refresh()
    assert_same(ws, Workspace(tmp_path, workers=0, cache=False))


class Leaving(Executor):
    """An executor that is shut down after the first pass."""

    def __init__(self) -> None:
        self._inner = ThreadPoolExecutor(2)

    def submit(self, task: Any, /, *args: Any, **options: Any) -> Future[Any]:
        if task is pool.extract_plain:
            raise RuntimeError("cannot schedule new futures after shutdown")
        return self._inner.submit(task, *args, **options)


@pytest.mark.parametrize("make", [lambda: ThreadPoolExecutor(2), Leaving], ids=["works", "is gone"])
def test_the_second_pass_uses_the_executor(make: Any, webshop: Workspace) -> None:
    ws = Workspace(sample_repo("webshop"), executor=make(), graph="background", cache=False)
    assert ws.wait_for_graph()
    assert any("after shutdown" in warning for warning in ws.summary.warnings) == (make is Leaving)
    assert_same(ws, webshop)


def test_a_worker_that_dies_in_the_second_pass_is_a_warning(
    webshop: Workspace, held: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    ws = Workspace(sample_repo("webshop"), graph="background", workers=2, cache=False)

    def dead(stream: object) -> bytes:
        raise ChildProcessError("exit status 9")

    monkeypatch.setattr(child_process, "read_frame", dead)
    held.set()
    assert ws.wait_for_graph()
    assert any("exit status 9" in warning for warning in ws.summary.warnings)
    assert_same(ws, webshop)


def test_facts_of_other_symbols_than_the_first_pass_found_are_left_out_with_a_warning() -> None:
    """The time limit of a parse may be reached in one pass and not in the other."""
    files, layout = files_of(sample_repo("webshop"))
    file = next(file for file in files if analyse(file, layout).facts.references)
    (row,) = batch_result([analyse(file, layout, outlined=True)], outlined=True).rows()
    assert row.lacks_facts
    facts, warning = extracted_facts(row, layout)
    assert warning == ""
    assert facts == batch_result([analyse(file, layout)]).rows()[0].facts
    facts, warning = extracted_facts(row._replace(outline=b"other"), layout)
    assert warning == f"{file.path}: no references (it was parsed twice with different results)"
    plain = file_batch.marshal.loads(facts)
    assert not any(plain[3:])
    unparsed = replace(analyse(file, layout, outlined=True), warnings=("parsing took longer than 10 s",))
    assert not batch_result([unparsed], outlined=True).rows()[0].lacks_facts


def test_a_cancelled_second_pass_is_done_again_when_the_graph_is_needed(
    webshop: Workspace, held: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    cancel, stopped, close = threading.Event(), threading.Event(), load.SecondPass.close

    def closed(second_pass: load.SecondPass) -> None:
        second_pass._stopped.set()
        stopped.set()
        close(second_pass)

    monkeypatch.setattr(load.SecondPass, "close", closed)
    ws = Workspace(sample_repo("webshop"), graph="background", workers=2, cache=False, cancel=cancel)
    cancel.set()
    ended = ws._holder.resolution
    assert stopped.wait(120)  # the thread that waits for the graph looks for a cancellation now and then
    held.set()
    assert ended is not None
    assert ended.wait(120)
    assert ws.graph_state == "failed"
    assert ws._holder.current.sources.lacking_facts()
    with pytest.raises(GraphUnresolved, match="cancelled"):
        ws.callers("webshop.cart.Cart")
    assert ws.wait_for_graph()
    assert_same(ws, webshop)


def test_workers_that_die_before_the_second_pass_leave_the_graph_whole(
    webshop: Workspace, held: threading.Event, children: list[subprocess.Popen[bytes]]
) -> None:
    ws = Workspace(sample_repo("webshop"), graph="background", workers=2, cache=False)
    for child in children:
        child.kill()
        child.wait(120)
    assert ws._holder.current.sources.lacking_facts()
    held.set()
    assert ws.wait_for_graph()
    assert_same(ws, webshop)


def test_a_workspace_that_is_dropped_ends_its_second_pass(
    held: threading.Event, children: list[subprocess.Popen[bytes]]
) -> None:
    ws = Workspace(sample_repo("webshop"), graph="background", workers=2, cache=False)
    assert [child.returncode for child in children] == [None, None]
    del ws
    gc.collect()
    held.set()
    for child in children:
        child.wait(120)


@pytest.mark.parametrize("error", [KeyboardInterrupt, LoadCancelled])
def test_a_load_that_ends_while_the_text_lanes_are_built_ends_its_second_pass(
    error: type[BaseException], children: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = threading.Event()
    extract = pool.extract_plain.__name__
    submit = child_process.ChildExecutor.submit

    def submitted(executor: Any, function: Any, *args: Any) -> Any:
        if function.__name__ == extract:
            begun.set()
        return submit(executor, function, *args)

    def end(stage: str, done: int, total: int) -> None:
        if stage == "bm25":
            assert begun.wait(120)  # the second pass begins before the first question can be asked
            raise error

    monkeypatch.setattr(child_process.ChildExecutor, "submit", submitted)
    with pytest.raises(error):
        Workspace(sample_repo("webshop"), graph="background", workers=2, cache=False, progress=end)
    assert [child.wait(120) is None for child in children] == [False, False]
    assert "codeexplore-facts" not in {thread.name for thread in threading.enumerate()}


@pytest.mark.skipif(sys.platform == "win32", reason="a process is killed by a signal")
@pytest.mark.parametrize("end", ["sys.exit()", "os.kill(os.getpid(), 9)"])
def test_a_process_that_ends_in_the_second_pass_leaves_no_child(end: str) -> None:
    code = f"""if True:
        import os, sys, psutil
        from codeexplore import Workspace, sample_repo
        from codeexplore.workspace.workers import pool
        pool.BATCH_BYTES = 8_000
        ws = Workspace(sample_repo("webshop"), graph="background", workers=2, cache=False)
        print(*(child.pid for child in psutil.Process().children()), flush=True)
        {end}
    """
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ended.stderr == ""
    children = [int(pid) for pid in ended.stdout.split()]
    assert children
    until(lambda: not any(psutil.pid_exists(pid) and _is_running(pid) for pid in children))


def _is_running(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
