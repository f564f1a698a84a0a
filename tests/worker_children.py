"""Records the child processes that a module of codeexplore starts."""

from __future__ import annotations

import subprocess

import pytest

from codeexplore.workspace.workers import child_process


def recorded(monkeypatch: pytest.MonkeyPatch, kept: int) -> list[subprocess.Popen[bytes]]:
    """Return the list to which each child that is started with `kept` is added: `LARGE_BLOCK` to resolve."""
    started: list[subprocess.Popen[bytes]] = []
    real = child_process.start_worker

    def start(given: int) -> subprocess.Popen[bytes]:
        child = real(given)
        if given == kept:
            started.append(child)
        return child

    monkeypatch.setattr(child_process, "start_worker", start)
    return started
