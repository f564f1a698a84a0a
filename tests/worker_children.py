"""Records the child processes that a module of codeexplore starts."""

from __future__ import annotations

import subprocess
from types import ModuleType

import pytest

from codeexplore.workspace.workers import child_process


def recorded(monkeypatch: pytest.MonkeyPatch, module: ModuleType) -> list[subprocess.Popen[bytes]]:
    """Return the list to which each child that `module` starts is added."""
    started: list[subprocess.Popen[bytes]] = []
    real = child_process.start_worker

    def start(*given: int) -> subprocess.Popen[bytes]:
        started.append(real(*given))
        return started[-1]

    monkeypatch.setattr(module, "start_worker", start)
    return started
