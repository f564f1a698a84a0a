"""A graph that a child resolved is the one that this process resolves."""

from __future__ import annotations

import errno
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO, Literal

import pytest

from codeexplore import GraphUnresolved, LoadCancelled, Workspace, sample_repo
from codeexplore.workspace.workers import child_process, resolver_process
from tests.same_index import assert_same
from tests.worker_children import recorded


@pytest.fixture
def children(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """The children that resolve."""
    return recorded(monkeypatch, child_process.LARGE_BLOCK)


@pytest.mark.parametrize("name", ["webshop", "chatservice", "ledger", "jobworker"])
def test_a_child_resolves_the_same(name: str, children: list[subprocess.Popen[bytes]]) -> None:
    apart = Workspace(sample_repo(name), workers=1, cache=False)
    assert [child.poll() is not None for child in children] == [True]
    here = Workspace(sample_repo(name), workers=0, cache=False)
    assert len(children) == 1
    assert apart.summary.warnings == here.summary.warnings
    assert_same(apart, here)


def test_a_dead_child_is_a_warning(monkeypatch: pytest.MonkeyPatch, webshop: Workspace) -> None:
    monkeypatch.setattr(child_process, "_MAIN", "raise SystemExit(3)")
    ws = Workspace(sample_repo("webshop"), workers=1, cache=False)
    assert any("the graph was resolved in this process" in warning for warning in ws.summary.warnings)
    assert_same(ws, webshop)


def test_a_child_that_cannot_be_started_is_a_warning(monkeypatch: pytest.MonkeyPatch, webshop: Workspace) -> None:
    def refuse(*_: object) -> None:
        raise OSError("no more processes")

    monkeypatch.setattr(child_process, "start_worker", refuse)
    ws = Workspace(sample_repo("webshop"), workers=1, cache=False)
    assert any("no more processes" in warning for warning in ws.summary.warnings)
    assert_same(ws, webshop)


@pytest.mark.parametrize("at", ["bm25", "graph"])
def test_a_cancelled_load_ends_the_child(at: str, children: list[subprocess.Popen[bytes]]) -> None:
    cancel = threading.Event()

    def stop(stage: str, done: int, total: int) -> None:
        if stage == at:
            cancel.set()

    with pytest.raises(LoadCancelled):
        Workspace(sample_repo("webshop"), workers=1, cache=False, progress=stop, cancel=cancel)
    assert [child.poll() is not None for child in children] == [True]


# --------------------------------------------------------------------------- killed, or out of memory

LIMITED = """
import resource, sys
import codeexplore.graph.build.resolve, codeexplore.workspace.workers.resolver_process
from codeexplore.languages import registry
registry.by_name("python").rules()
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + 1_000_000,) * 2)
from codeexplore.workspace.workers.__main__ import main
main()
"""


def assert_unresolved(ws: Workspace, why: str, cache: Path) -> None:
    """Nobody is told that nothing calls something, and nothing is kept."""
    assert ws.graph_state == "failed"
    for ask in (ws.dead_code, ws.cycles, ws.entry_points, lambda: ws.callers("validate_session")):
        with pytest.raises(GraphUnresolved, match=why):
            ask()
    answer = ws.search("what calls validate_session?")
    assert answer.hits
    assert any(re.search(why, said) for said in answer.notices)
    assert re.search(why, ws.summary.graph)
    assert not list(cache.rglob("index-*.zip"))


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CODEEXPLORE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How often this process resolved by itself."""
    counted: list[int] = []

    def count(*_: object) -> None:
        counted.append(1)
        raise AssertionError("what killed the child would kill this process")

    monkeypatch.setattr(resolver_process, "resolved", count)
    return counted


@pytest.mark.skipif(os.name == "nt", reason="signals end no process there")
@pytest.mark.parametrize("graph", ["now", "background"])
def test_a_killed_child_is_not_followed_by_this_process(
    graph: Literal["now", "background"],
    cache: Path,
    here: list[int],
    monkeypatch: pytest.MonkeyPatch,
    webshop: Workspace,
) -> None:
    real, killing = child_process.write_frame, [True]

    def write(stream: IO[bytes], data: bytes) -> None:
        real(stream, data)
        if b"resolve_received" in data and killing:  # it has everything and is at work
            os.kill(started[-1].pid, signal.SIGKILL)

    started: list[subprocess.Popen[bytes]] = []

    begin = child_process.start_worker

    def start(kept: int) -> subprocess.Popen[bytes]:
        started.append(begin(kept))
        return started[-1]

    monkeypatch.setattr(child_process, "start_worker", start)
    monkeypatch.setattr(child_process, "write_frame", write)
    ws = Workspace(sample_repo("webshop"), workers=1, graph=graph)
    if ws._holder.resolution is not None:
        assert ws._holder.resolution.wait(60)
    assert_unresolved(ws, "ended by SIGKILL, most likely for lack of memory", cache)
    assert not ws.wait_for_graph(60)  # tries again, and is killed again
    assert len(started) == 2
    killing.clear()
    assert ws.wait_for_graph(60)
    assert not here
    assert_same(ws, webshop)


@pytest.mark.skipif(os.name == "nt", reason="signals end no process there")
def test_a_child_killed_while_it_is_fed_is_told_too(
    cache: Path, here: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = child_process.start_worker

    def start(kept: int) -> subprocess.Popen[bytes]:
        child = begin(kept)
        child.kill()
        return child

    monkeypatch.setattr(child_process, "start_worker", start)
    ws = Workspace(sample_repo("webshop"), workers=1)
    assert_unresolved(ws, "ended by SIGKILL", cache)
    assert not here


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="limits of memory are set by Linux")
def test_a_child_without_memory_says_so(cache: Path, here: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    def start(*_: object) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        command = [sys.executable, "-c", LIMITED]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)

    monkeypatch.setattr(child_process, "start_worker", start)
    ws = Workspace(sample_repo("webshop"), workers=1)
    # which allocation fails first differs from run to run: one of Python or one of tree-sitter, which aborts
    assert_unresolved(ws, "not enough memory|SIGABRT, most likely for lack of memory", cache)
    assert not here


def test_no_memory_for_a_child_is_none_for_this_process(
    cache: Path, here: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOMEM, "Cannot allocate memory")

    monkeypatch.setattr(child_process, "start_worker", refuse)
    assert_unresolved(Workspace(sample_repo("webshop"), workers=1), "not enough memory", cache)
    assert not here


@pytest.mark.parametrize(
    ("error", "lacking"),
    [(MemoryError(), True), (OSError(errno.ENOMEM, "Cannot allocate memory"), True), (OSError(errno.EPIPE, "x"), False),
     (SystemError("<function f> returned NULL without setting an exception"), True),
     (SystemError("error return without exception set"), True), (SystemError("bad call"), False)],
)  # fmt: skip
def test_a_lack_of_memory_is_known_by_its_errors(error: Exception, lacking: bool) -> None:
    assert child_process.is_lack_of_memory(error) is lacking


@pytest.mark.parametrize(
    ("status", "told"),
    [(0, ""), (1, ""), (3, ""), (None, ""), (child_process.OUT_OF_MEMORY, "not enough memory"), (-9, "SIGKILL"),
     (-6, "SIGABRT, most likely for lack of memory"), (-11, "SIGSEGV"), (-99, "signal 99"), (0xC0000017, "0xc0000017")],
)  # fmt: skip
def test_what_the_end_of_a_child_tells(status: int | None, told: str) -> None:
    found = child_process.fatal_reason(status)
    assert told in found
    assert bool(told) == bool(found)
