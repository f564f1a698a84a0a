"""A save that is killed at any byte or step leaves the old index or the new one; no disk, home or right costs more."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from codeexplore import Workspace
from codeexplore.index import cache as caches
from tests.privileges import public_folder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs fork, setrlimit and POSIX rights")

MAIN = "def total(cart):\n    return sum(price(item) for item in cart)\n\n\ndef price(item):\n    return item.price\n"

# Saves an index again and again, each time in a child that dies at one point. `sys.argv`: the folder of the index, a
# file that holds the new index, and the points: bytes of the file, or "before/after STEP". After each death the index
# must be the old or the new one to the byte, must be found by the next process, and the next save must succeed.
DRIVER = """
import os, resource, signal, sys
from pathlib import Path
from codeexplore.index import archive as archives, cache as caches
from codeexplore.index.archive import Archive

folder, made, full = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3] == "full"
source = Archive(made)
meta = dict(source.meta)
members = {name: bytes(source.bytes(name)) for name in source.members() if name != archives.MANIFEST}
slot = caches.CacheSlot.__new__(caches.CacheSlot)
slot.folder = folder
old, new = slot.newest().read_bytes(), made.read_bytes()

def dying(owner, name, when):
    real = getattr(owner, name)
    def step(*arguments, **options):
        if when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        real(*arguments, **options)
        os.kill(os.getpid(), signal.SIGKILL)
    setattr(owner, name, step)

STEPS = {"fsync": (os, "fsync"), "rename": (Path, "replace"), "folder sync": (archives, "_sync_folder"),
         "delete": (Path, "unlink"), "lock": (caches, "locked"), "write": (archives, "_write")}
seen = {"old": 0, "new": 0}
for point in sys.argv[4:]:
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if point.isdigit():
            if not full:
                signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_FSIZE, (int(point), int(point)))
        else:
            when, step = point.split(" ", 1)
            dying(*STEPS[step], when)
        try:
            slot.put(meta, members)
        except OSError:
            os._exit(28)
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    found = slot.newest().read_bytes()
    assert found in (old, new), f"{point}: a mixture of {len(found)} bytes"
    Archive(slot.newest()).verify()
    parts = list(folder.glob(".part-*"))
    if full and point.isdigit():
        assert not parts, f"{point}: something was left behind"
        assert os.waitstatus_to_exitcode(status) in (0, 28), status
    assert (found == new) >= (os.waitstatus_to_exitcode(status) == 0), f"{point}: done, but the old one is found"
    seen["new" if found == new else "old"] += 1
    for file in (*parts, *folder.glob("index-*.zip")):
        file.unlink()
    (folder / "index-000007.zip").write_bytes(old)
print(seen["old"], seen["new"])
"""


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CODEEXPLORE_CACHE", str(tmp_path / "cache"))
    root = tmp_path / "repo"
    root.mkdir()
    (root / "shop.py").write_text(MAIN)
    return root


@pytest.fixture
def saves(repo: Path, tmp_path: Path) -> tuple[Path, Path]:
    """The folder that holds the old index, and a file with the new one."""
    Workspace(repo)
    (old,) = (tmp_path / "cache").glob("indexes/*/*/index-*.zip")
    (repo / "shop.py").write_text(MAIN.replace("total", "whole"))
    new = Workspace(repo, cache=False).save(tmp_path / "new.zip")
    return old.parent, new


def edges(file: Path) -> set[int]:
    """The bytes around the beginning and end of every fourth member and of the last, and around the file's ends."""
    size = file.stat().st_size
    with zipfile.ZipFile(file) as archive:
        members = [*archive.infolist()[::4], archive.infolist()[-1]]
        starts = {info.header_offset for info in members}
        ends = {info.header_offset + 30 + len(info.filename) + info.file_size for info in members}
    found = {place + by for place in starts | ends | {0, archive.start_dir, size} for by in (-1, 0, 1)}
    return {place for place in found if 0 <= place <= size + 1}


def run(folder: Path, new: Path, way: str, points: list[str]) -> tuple[int, int]:
    """How often the old and the new index were found."""
    done = subprocess.run(
        [sys.executable, "-c", DRIVER, str(folder), str(new), way, *points], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    old, made = done.stdout.split()
    return int(old), int(made)


def test_a_save_killed_at_any_byte_leaves_the_old_or_the_new_index(saves: tuple[Path, Path]) -> None:
    size = saves[1].stat().st_size
    points = sorted({*range(0, size, size // 50), *edges(saves[1])})
    assert len(points) > 150
    old, new = run(*saves, "kill", [str(point) for point in points])
    assert (old, new) == (sum(point < size for point in points), sum(point >= size for point in points))


def test_a_save_killed_between_any_two_steps_leaves_the_old_or_the_new_index(saves: tuple[Path, Path]) -> None:
    steps = ("lock", "write", "fsync", "rename", "folder sync", "delete")
    old, new = run(*saves, "kill", [f"{when} {step}" for step in steps for when in ("before", "after")])
    assert old + new == 2 * len(steps)
    assert old >= 6  # up to the rename
    assert new >= 4  # from it on


def test_a_disk_that_is_full_at_any_byte_leaves_the_old_index_and_nothing_else(saves: tuple[Path, Path]) -> None:
    size = saves[1].stat().st_size
    points = sorted({*range(0, size, size // 25), size - 1, size})
    old, new = run(*saves, "full", [str(point) for point in points])
    assert (old, new) == (len(points) - 1, 1)


def test_what_a_killed_save_left_is_swept_when_it_is_old(saves: tuple[Path, Path], repo: Path) -> None:
    folder = saves[0]
    for name, age in (("fresh", 0.0), ("stale", 2 * caches.STALE_SECONDS)):
        part = folder / f".part-{name}.tmp"
        part.write_bytes(b"PK")
        os.utime(part, (part.stat().st_mtime - age,) * 2)
    ws = Workspace(repo)
    assert ws.symbol("whole")
    assert sorted(path.name for path in folder.glob(".part-*")) == [".part-fresh.tmp"]
    assert len(list(folder.glob("index-*.zip"))) == 1


def test_a_small_disk_costs_only_the_cache(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=16k", "none", str(disk)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("no right to mount a file system")
    try:
        monkeypatch.setenv("CODEEXPLORE_CACHE", str(disk / "cache"))
        ws = Workspace(repo)
        assert ws.search("total").hits
        assert any("No space left" in line for line in ws.summary.warnings)
        assert not [path for path in disk.rglob("*") if path.suffix in (".tmp", ".zip")]
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True, capture_output=True)
        ws = Workspace(repo)
        assert ws.search("total").hits
        assert any("Read-only" in line for line in ws.summary.warnings)
    finally:
        subprocess.run(["umount", str(disk)], check=True)


HOMELESS = """
import os, sys
from codeexplore import Workspace
from platformdirs import user_cache_path
user_cache_path("codeexplore"), Workspace(sys.argv[1], cache=False).search("total")
# what another user may not be allowed to read is loaded now: Python, its packages or this checkout
if os.getuid() == 0:
    os.setgid(54321)
    os.setuid(54321)
ws = Workspace(sys.argv[1], progress=lambda *_: None)
assert ws.search("total").hits
print("\\n".join(ws.summary.warnings))
"""


@pytest.mark.parametrize("home", ["none", "missing", "locked"])
def test_no_usable_home_costs_only_the_cache(home: str) -> None:
    with public_folder() as folder:
        (folder / "repo").mkdir()
        (folder / "repo" / "shop.py").write_text(MAIN)
        (folder / "locked").mkdir(mode=0o500)
        unset = ("CODEEXPLORE_CACHE", "XDG_CACHE_HOME", "HOME")
        environment = {name: value for name, value in os.environ.items() if name not in unset}
        if home != "none":
            environment["HOME"] = "/dev/null/home" if home == "missing" else str(folder / home / "home")
        if home == "none" and os.getuid() != 0:
            pytest.skip("this user's home is known to the system")
        command = [sys.executable, "-c", HOMELESS, str(folder / "repo")]
        told = subprocess.run(command, check=False, capture_output=True, text=True, env=environment, cwd=Path.cwd())
        assert told.returncode == 0, told.stderr[-2_000:]
        (line,) = told.stdout.splitlines()
        assert line.startswith("no cache: ") or "could not be stored" in line
        assert not list(folder.glob("**/index-*.zip"))
        (folder / "locked").chmod(0o700)
