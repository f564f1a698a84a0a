"""A graph that a child resolved is the one that this process resolves."""

from __future__ import annotations

import subprocess
import threading
from pathlib import Path

import pytest

from codeexplore import LoadCancelled, Workspace, sample_repo
from codeexplore.workspace import pipes, resolving
from tests.same_index import assert_same


@pytest.fixture
def children(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """The children that resolve."""
    started: list[subprocess.Popen[bytes]] = []

    def start() -> subprocess.Popen[bytes]:
        started.append(pipes.start_worker())
        return started[-1]

    monkeypatch.setattr(resolving, "start_worker", start)
    return started


@pytest.mark.parametrize("name", ["webshop", "chatservice", "ledger", "jobworker"])
def test_a_child_resolves_the_same(name: str, children: list[subprocess.Popen[bytes]]) -> None:
    apart = Workspace(sample_repo(name), workers=1, cache=False)
    assert [child.poll() is not None for child in children] == [True]
    here = Workspace(sample_repo(name), workers=0, cache=False)
    assert len(children) == 1
    assert apart.summary.warnings == here.summary.warnings
    assert_same(apart, here)


def test_a_dead_child_is_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, webshop: Workspace) -> None:
    broken = tmp_path / "codeexplore"  # what the child will import instead of the package
    broken.mkdir()
    (broken / "__init__.py").write_text("")
    (broken / "_worker.py").write_text("raise SystemExit(3)\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    ws = Workspace(sample_repo("webshop"), workers=1, cache=False)
    assert any("the graph was resolved in this process" in warning for warning in ws.summary.warnings)
    assert_same(ws, webshop)


def test_a_child_that_cannot_be_started_is_a_warning(monkeypatch: pytest.MonkeyPatch, webshop: Workspace) -> None:
    def refuse() -> None:
        raise OSError("no more processes")

    monkeypatch.setattr(resolving, "start_worker", refuse)
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
