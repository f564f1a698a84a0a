"""Limits of memory: a load that will not fit says so, and never ends the process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from codeexplore import NotEnoughMemory, Workspace, memory
from codeexplore.workspace.workers.pool import PARALLEL_BYTES, default_workers

resource = pytest.importorskip("resource")
LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits are read on Linux")


@LINUX
@pytest.mark.parametrize("megabytes", [250, 400])
def test_a_limit_of_addresses_is_told_before_a_library_ends_the_process(tmp_path: Path, megabytes: int) -> None:
    (tmp_path / "a.js").write_text("".join(f"function f{n}(){{}}\n" for n in range(50_000))[:999_000])
    limit = megabytes << 20
    found = subprocess.run(
        [sys.executable, "-m", "codeexplore", "status", str(tmp_path)], capture_output=True, text=True, timeout=120,
        env={"CODEEXPLORE_CACHE": str(tmp_path / "cache"), "PATH": ""}, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )  # fmt: skip
    assert found.returncode in (0, 2)
    assert "Traceback" not in found.stderr
    if megabytes < 400:
        assert "needs 400 MB of addresses" in found.stderr


@LINUX
def test_a_control_group_bounds_loads_and_children(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limit, usage = tmp_path / "memory.max", tmp_path / "memory.current"
    usage.write_text(f"{100 << 20}\n")
    (tmp_path / "memory.stat").write_text(f"anon 5\ninactive_file {10 << 20}\n")
    monkeypatch.setattr(memory, "_control_group", lambda: ((limit, usage),))
    monkeypatch.setattr(memory, "_last", 0.0)
    limit.write_text("max\n")
    assert memory.left() is None
    limit.write_text(f"{1124 << 20}\n")
    assert memory.left() == 1034 << 20
    assert default_workers(PARALLEL_BYTES) <= 3
    limit.write_text(f"{130 << 20}\n")  # 40 MB are left
    assert default_workers(PARALLEL_BYTES) == 0
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo/m.py").write_text("def f():\n    pass\n")
    with pytest.raises(NotEnoughMemory, match=r"40 are left|only 40 MB are left"):
        Workspace(tmp_path / "repo", cache=False)
    assert issubclass(NotEnoughMemory, MemoryError)
