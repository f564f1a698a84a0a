"""Short forms of the soak and of the load test: what they count must be right, and what they find must be nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from codeexplore import Workspace, sample_repo

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))

import random_edits
import soak
import threads

BENCHMARKS = Path(soak.__file__).parent


@pytest.fixture
def root(tmp_path: Path) -> Path:
    copy = tmp_path / "copy"
    assert random_edits.copied(sample_repo("webshop"), copy, 12) == 12
    return copy


def test_edits_come_back_to_the_tree_as_it_was(root: Path) -> None:
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    editor = random_edits.Editor(root, 5)
    kinds = {editor.edit() for _ in range(120)}
    assert {"restore", "line", "function", "word", "call", "base", "new", "rename", "delete", "break"} <= kinds
    editor._restore()
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before


def test_a_short_soak_tells_nothing_wrong_and_leaks_nothing(root: Path) -> None:
    result = soak.soak(root, queries=120, edits=12, checks=2, seed=3)
    assert result["wrong"] == []
    assert result["queries"] == 120
    middle, last = result["levels"][1:]
    assert last["files"] <= middle["files"]  # mapped files, pipes to children
    assert last["threads"] <= middle["threads"] + 4  # a lane begins one more when that of before has yet to rest
    assert last["objects"] < middle["objects"] * 1.3


def test_edges_of_an_edit_are_compared_with_those_that_follow(root: Path) -> None:
    later = soak.Later()
    result = soak.soak(root, queries=4, edits=8, checks=1, seed=2, later=later)
    assert result["wrong"] == []
    counts = later.count.values()
    assert sum(count["edits"] for count in counts) == 8
    assert any(count["new"] for count in counts)
    assert all(count["found"] <= count["new"] and count["stale"] <= count["gone"] for count in counts)
    assert all(count["missing"] >= count["new"] - count["found"] for count in counts)


def test_a_wrong_answer_would_be_noticed(root: Path) -> None:
    ws = Workspace(root, cache=False, workers=0)
    path = root / next(path for path in ws.files if path.endswith(".py"))
    path.write_text("def something_else_now(): pass\n")
    differing = soak.compared(ws, root, ["something else now"])
    assert {"symbols", "chunks", "? something else now"} <= set(differing)


def test_a_short_load_mixes_no_states(root: Path) -> None:
    rest, change, later = threads.measure(root, [3], 1.0, least=4)
    assert rest["asked"] > 3
    assert min(change["refreshes"], later["refreshes"]) > 1
    assert (rest["mixed"], change["mixed"], later["mixed"]) == (0, 0, 0)
    assert rest["errors"] == change["errors"] == later["errors"] == []


def test_a_mixture_would_be_noticed(root: Path) -> None:
    load = threads.Load(root)
    before = load.states[-1]
    load.refresh()
    after = load.states[-1]
    gone, come = next(iter(before.chunks - after.chunks)), next(iter(after.chunks - before.chunks))
    none: frozenset[str] = frozenset()
    assert load._of_one_state(threads.Asked(0, 1, frozenset({gone}), none, 0.0))
    assert load._of_one_state(threads.Asked(0, 1, frozenset({come}), none, 0.0))
    assert not load._of_one_state(threads.Asked(0, 1, frozenset({gone, come}), none, 0.0))
    assert not load._of_one_state(threads.Asked(1, 2, frozenset({gone}), none, 0.0))


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs /proc")
def test_closed_workspaces_give_their_mapped_files_back(tmp_path: Path) -> None:
    """An index is mapped while somebody holds it; whoever lets go of it gives the file back."""
    import gc

    shutil.copytree(sample_repo("webshop"), tmp_path / "repo")
    Workspace(tmp_path / "repo")

    def mapped() -> int:
        return sum("index-" in line for line in Path("/proc/self/maps").read_text().splitlines())

    gc.collect()
    before = mapped()
    for _ in range(5):
        ws = Workspace(tmp_path / "repo")
        ws.search("total")
        ws.callers("CartLine.total")
    assert mapped() > before
    del ws
    gc.collect()
    assert mapped() == before


@pytest.mark.slow
def test_the_scripts_run_from_the_command_line(root: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(BENCHMARKS.parent)}
    short = {
        "soak.py": ("--queries", "6", "--edits", "2", "--checks", "1"),
        "threads.py": ("--threads", "1", "--seconds", "0.3"),
    }
    for script, options in short.items():
        command = [sys.executable, str(BENCHMARKS / script), str(root), *options]
        told = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
        assert told.returncode == 0, told.stderr[-2_000:]
        assert "wrong" in told.stdout or "mixed" in told.stdout
