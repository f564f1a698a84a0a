"""A walk that knows what the last one found gives what a walk from nothing gives."""

from __future__ import annotations

import os
import shutil
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeexplore.source import walk_cache
from codeexplore.source.discovery import discover
from codeexplore.source.walk_cache import ScanCache, mtime_is_reliable
from tests.git_repos import git, repository, write

_QUIET = 0.03  # seconds; longer than the grain of the kernel's clock

FOLDERS = ("", "a/", "a/b/", "build/", "c/")
NAMES = ("one.py", "two.js", "script", "data.bin", "big.py", ".gitignore", ".codeexploreignore", "setup.py")
TEXTS = ("x = 1\n", "*.py\n", "!one.py\n/a/\n", "#!/usr/bin/env python3\n", "y = 2\n" * 40, "build/\n")


@pytest.fixture(autouse=True)
def quick_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walk_cache, "SETTLED_NS", int(_QUIET * 1e9))
    monkeypatch.setattr(walk_cache, "mtime_is_reliable", lambda root: sys.platform != "win32")


def make(root: Path) -> None:
    write(root, {f"{folder}{name}": "x = 1\n" for folder in FOLDERS for name in NAMES[:5]})
    repository(root, {})


def change(root: Path, data: st.DataObject) -> None:
    """One change of a tree, of the kinds that decide what a walk finds."""
    path = root / (data.draw(st.sampled_from(FOLDERS)) + data.draw(st.sampled_from(NAMES)))
    kinds = [
        "write",
        "write",
        "remove",
        "rename",
        "link",
        "pipe",
        "track",
        "exclude",
        "checkout",
        "pointer",
        "folder",
        "go",
    ]
    kind = data.draw(st.sampled_from(kinds))
    path.parent.mkdir(parents=True, exist_ok=True)
    present = os.path.lexists(path)
    if kind == "write" and not path.is_symlink() and (path.is_file() or not present):
        path.write_text(data.draw(st.sampled_from(TEXTS)))
    elif kind == "remove" and present:
        path.unlink()
    elif kind == "rename" and path.is_file():
        path.rename(path.with_name(data.draw(st.sampled_from(NAMES))))
    elif kind == "link" and not present:
        path.symlink_to(data.draw(st.sampled_from(["one.py", "/etc/passwd", "nowhere"])))
    elif kind == "pipe" and not present:
        os.mkfifo(path)
    elif kind == "track":
        git(root, "add", "-A", "-f", "--ignore-errors", allowed=(0, 1, 128))  # it refuses pipes and broken checkouts
    elif kind == "exclude":
        write(root, {".git/info/exclude": data.draw(st.sampled_from(TEXTS))})
    elif kind == "checkout":
        write(root, {f"c/.git/{data.draw(st.sampled_from(['config', 'HEAD', 'info/exclude']))}": "two.js\n"})
    elif kind == "pointer":
        write(root, {"build/.git": data.draw(st.sampled_from(["gitdir: ../c/.git\n", "gitdir: ../nowhere.git\n"]))})
    elif kind == "folder":
        (root / data.draw(st.sampled_from(["d/e", "node_modules", "c/pkg"]))).mkdir(parents=True, exist_ok=True)
    elif kind == "go" and path.parent != root:
        shutil.rmtree(path.parent)


@pytest.mark.skipif(sys.platform == "win32", reason="times of folders are not trusted there")
@settings(max_examples=12, deadline=None)
@given(st.data())
def test_a_walk_that_remembers_equals_one_from_nothing(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    root = tmp_path_factory.mktemp("repo")
    make(root)
    ignored = data.draw(st.booleans())
    memory: ScanCache | None = None
    for _ in range(6):
        for _ in range(data.draw(st.integers(0, 2))):
            change(root, data)
        if data.draw(st.integers(0, 3)):
            time.sleep(2 * _QUIET)
        found = discover(root, before=memory, max_bytes=200, include_ignored=ignored)
        assert found == discover(root, max_bytes=200, include_ignored=ignored)
        memory = found.memory


@pytest.mark.skipif(sys.platform == "win32", reason="times of folders are not trusted there")
def test_only_folders_that_changed_are_listed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path)
    time.sleep(2 * _QUIET)
    memory = discover(tmp_path).memory
    assert memory is not None
    listed: list[str] = []
    real = os.scandir

    def scandir(path: str) -> object:
        listed.append(os.path.relpath(path, tmp_path))
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    (tmp_path / "a/one.py").write_text("edited = 1\n")
    assert {each.size for each in discover(tmp_path, before=memory).candidates if each.path == "a/one.py"} == {11}
    assert listed == []
    discover(tmp_path / "c", before=memory)
    assert listed == ["c"]  # another root: nothing is known of it
    listed.clear()
    (tmp_path / "c/new.py").write_text("new = 1\n")
    assert "c/new.py" in {each.path for each in discover(tmp_path, before=memory).candidates}
    assert listed == ["c"]
    listed.clear()
    write(tmp_path, {".git/info/exclude": "a/\n"})  # rules changed: nothing is sure
    assert "a/one.py" in {each.path for each in discover(tmp_path, before=memory).candidates}  # git tracks it
    assert len(listed) > 3


@pytest.mark.skipif(sys.platform == "win32", reason="times of folders are not trusted there")
def test_times_that_are_put_back_hide_nothing(tmp_path: Path) -> None:
    """Anybody may set a folder's or a file's time of change; nobody that of its inode."""
    write(tmp_path, {"a/one.py": "x = 1\n", "a/two.py": "x = 2\n", "out/secret.py": "y = 1\n", "b/c/in.py": "z = 1\n"})
    time.sleep(2 * _QUIET)
    before = {path: path.stat() for path in (tmp_path, *tmp_path.rglob("*"))}
    memory = discover(tmp_path).memory
    assert memory is not None
    (tmp_path / "a/one.py").rename(tmp_path / "a/new.py")
    (tmp_path / "a/two.py").write_text("x = 3\n")  # as long as before
    shutil.move(tmp_path / "b/c", tmp_path / "b/d")
    (tmp_path / "b/c").symlink_to(tmp_path / "out")
    for path, state in before.items():
        if path.exists():
            os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    found = discover(tmp_path, before=memory)
    assert found == discover(tmp_path)
    assert [each.path for each in found.candidates] == ["a/new.py", "a/two.py", "b/d/in.py", "out/secret.py"]
    two = next(each for each in found.candidates if each.path == "a/two.py")
    assert two.mtime_ns == before[tmp_path / "a/two.py"].st_mtime_ns
    assert two.ctime_ns > before[tmp_path / "a/two.py"].st_ctime_ns


def test_what_was_written_just_now_is_not_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walk_cache, "SETTLED_NS", int(3_600e9))  # however long the machine takes for the next lines
    write(tmp_path, {"a.py": ""})
    found = discover(tmp_path)
    assert found.memory is None or "" not in found.memory.listings


@pytest.mark.skipif(sys.platform != "linux", reason="reads Linux's table of mounts")
def test_only_known_file_systems_are_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    table = (
        "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n"
        "30 27 0:30 / /mnt/share\\040one rw shared:1 - cifs //host/share rw\n"
    )
    monkeypatch.setattr(Path, "read_text", lambda *_: table)
    assert mtime_is_reliable(Path("/home/someone"))
    assert not mtime_is_reliable(Path("/mnt/share one/repo"))
    assert mtime_is_reliable(Path("/mnt/share"))


def test_a_root_that_goes_away_during_a_walk_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = write(tmp_path / "repo", {"a.py": "x = 1\n"})

    def away(_: Path) -> bool:
        root.rename(tmp_path / "elsewhere")
        return True

    monkeypatch.setattr(walk_cache, "mtime_is_reliable", away)  # asked when all folders are listed
    assert [candidate.path for candidate in discover(root).candidates] == ["a.py"]
