from __future__ import annotations

import errno
import logging
import os
import shutil
import sys
from pathlib import Path

import pytest

from codeexplore import IndexFileError, NothingToIndex, SourceError, SourceNotIncluded, Workspace, sample_repo
from codeexplore.index import archive as archives
from codeexplore.index import cache as cache_folder
from codeexplore.types.errors import DamagedIndex
from tests.privileges import public_folder, without_privileges
from tests.same_index import assert_same

MAIN = "def total(cart):\n    return sum(price(item) for item in cart)\n\n\ndef price(item):\n    return item.price\n"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CODEEXPLORE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def repo(tmp_path: Path, cache: Path) -> Path:
    root = tmp_path / "repo"
    root.mkdir()
    (root / "shop.py").write_text(MAIN)
    (root / "README.md").write_text("# Shop\n\nAdds up the prices of the items in a cart.\n")
    (root / "logo.png").write_bytes(b"\x89PNG")
    return root


def stages(ws: Workspace) -> list[str]:
    return [stage.stage for stage in ws.summary.stages]


def indexes(cache: Path) -> list[Path]:
    return sorted(cache.glob("indexes/*/*/index-*.zip"))


@pytest.mark.parametrize("name", ["webshop", "chatservice", "ledger", "jobworker"])
def test_a_warm_load_answers_like_a_cold_one(name: str, cache: Path) -> None:
    cold = Workspace(sample_repo(name))
    assert "parse" in stages(cold)
    warm = Workspace(sample_repo(name))
    assert stages(warm) == ["discover", "open", "compare"]
    assert_same(cold, warm)
    assert_same(warm, Workspace(sample_repo(name), cache=False))
    some = cold.search("total").hits[0].symbol
    assert repr(cold.callers(some)) == repr(warm.callers(some))
    assert cold.source(some) == warm.source(some)
    assert cold.outline(some.path) == warm.outline(some.path)
    hit, other = (ws.search("expired session").hits[0] for ws in (cold, warm))
    assert hit == other


def test_without_cache_nothing_is_written(repo: Path, cache: Path) -> None:
    Workspace(repo, cache=False)
    assert not cache.exists()


def test_the_cache_is_private(repo: Path, cache: Path) -> None:
    Workspace(repo)
    (file,) = indexes(cache)
    if os.name == "posix":
        assert file.stat().st_mode & 0o077 == 0
        for folder in list(file.parents)[:3]:
            assert folder.stat().st_mode & 0o077 == 0


def test_other_options_have_another_index(repo: Path, cache: Path) -> None:
    Workspace(repo)
    assert Workspace(repo, max_file_bytes=80).files == ("README.md",)
    assert "shop.py" in Workspace(repo).files


def test_a_changed_file_is_taken_in(repo: Path, cache: Path) -> None:
    Workspace(repo)
    (repo / "shop.py").write_text(MAIN.replace("total", "whole"))
    changed = Workspace(repo)
    assert "shop.whole" in {symbol.fqn for symbol in changed.symbols}
    assert_same(changed, Workspace(repo, cache=False))
    assert stages(Workspace(repo)) == ["discover", "open", "compare"]
    assert len(indexes(cache)) == 1


def test_an_edit_that_keeps_size_and_time_is_noticed(repo: Path, cache: Path) -> None:
    file = repo / "shop.py"
    os.utime(file, ns=(10**18, 10**18))
    Workspace(repo)
    file.write_text(MAIN.replace("total", "whole"))
    os.utime(file, ns=(10**18, 10**18))
    assert "shop.whole" in {symbol.fqn for symbol in Workspace(repo).symbols}


def test_a_touched_file_is_no_change(repo: Path, cache: Path) -> None:
    Workspace(repo)
    os.utime(repo / "shop.py")
    assert stages(Workspace(repo)) == ["discover", "open", "compare"]


def test_a_file_of_no_language_changes_only_the_count(repo: Path, cache: Path) -> None:
    assert len(Workspace(repo).summary.skipped_files) == 1
    (repo / "more.png").write_bytes(b"\x89PNG")
    warm = Workspace(repo)
    assert stages(warm) == ["discover", "open", "compare"]
    assert len(warm.summary.skipped_files) == 2


def test_a_manifest_is_part_of_what_was_indexed(tmp_path: Path, cache: Path) -> None:
    root = tmp_path / "go"
    (root / "store").mkdir(parents=True)
    (root / "go.mod").write_text("module example.com/shop\n")
    (root / "main.go").write_text('package main\n\nimport "example.com/shop/store"\n\nfunc main() { store.Open() }\n')
    (root / "store" / "store.go").write_text("package store\n\nfunc Open() {}\n")
    assert len(Workspace(root).callers("Open"))
    (root / "go.mod").write_text("module example.com/other\n")
    changed = Workspace(root)
    assert_same(changed, Workspace(root, cache=False))
    assert not any(edge.rule for edge in changed.callers("Open").edges if edge.confidence >= 0.6)


# --------------------------------------------------------------------------- what must not be trusted


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.name == "codeexplore"]


def flip(file: Path, at: int) -> None:
    data = bytearray(file.read_bytes())
    data[at] ^= 0x40
    file.write_bytes(data)


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "text", "newer", "other code"])
def test_what_can_not_be_trusted_is_made_anew_with_one_line(
    repo: Path, cache: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    with monkeypatch.context() as patch:
        if damage == "newer":
            patch.setattr(archives, "FORMAT", archives.FORMAT + 1)
        if damage == "other code":
            other = {**cache_folder.index_versions(), "codeexplore": "0"}
            patch.setattr("codeexplore.workspace.cache.index_versions", lambda *_: other)
        cold = Workspace(repo)
    (file,) = indexes(cache)
    size = file.stat().st_size
    if damage == "cut":
        os.truncate(file, size // 2)
    elif damage == "flipped":
        flip(file, file.read_bytes().index(b"item.price"))
    elif damage == "empty":
        file.write_bytes(b"")
    elif damage == "text":
        file.write_text("no index at all")
    caplog.set_level(logging.WARNING, "codeexplore")
    again = Workspace(repo)
    (line,) = told(caplog)
    assert "\n" not in line
    assert "is indexed again" in line
    assert again.summary.warnings[-1] == line
    assert_same(cold, again)
    caplog.clear()
    assert stages(Workspace(repo)) == ["discover", "open", "compare"]
    assert told(caplog) == []


@pytest.mark.parametrize("workers", [0, 1])  # with a child, it is met by the thread that feeds it
def test_damage_that_only_a_refresh_meets_is_made_anew_too(
    workers: int, repo: Path, cache: Path, caplog: pytest.LogCaptureFixture
) -> None:
    Workspace(repo)
    (file,) = indexes(cache)
    data = file.read_bytes()
    flip(file, data.index(b"facts.jsonl.z") + 64 + 40)
    (repo / "new.py").write_text("def new(): pass\n")
    again = Workspace(repo, workers=workers)
    assert any("is indexed again" in line for line in told(caplog))
    assert_same(again, Workspace(repo, cache=False))


def test_a_full_disk_costs_only_the_cache(
    repo: Path, cache: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*args: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    ws = Workspace(repo)
    assert ws.search("total").hits
    assert any("No space left" in line for line in told(caplog))
    assert indexes(cache) == []
    assert list(cache.rglob("*.tmp")) == []


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX rights")
def test_a_folder_that_may_not_be_written_costs_only_the_cache(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with public_folder() as folder:
        (folder / "repo").mkdir()
        (folder / "repo" / "shop.py").write_text(MAIN)
        (folder / "locked").mkdir(mode=0o500)
        monkeypatch.setenv("CODEEXPLORE_CACHE", str(folder / "locked" / "cache"))
        Workspace(folder / "repo", cache=False)  # loads grammars, which another user may not read
        with without_privileges():
            assert Workspace(folder / "repo").search("total").hits
    assert len(told(caplog)) == 1


def test_a_cache_that_is_a_file_costs_only_the_cache(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CODEEXPLORE_CACHE", str(tmp_path / "file"))
    assert Workspace(repo).search("total").hits
    assert len(told(caplog)) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="platformdirs asks the system there")
def test_no_home_costs_only_the_cache(
    repo: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delenv("CODEEXPLORE_CACHE")
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # what Python says of a user without an entry
    ws = Workspace(repo)
    assert ws.search("total").hits
    (line,) = told(caplog)
    assert "no home folder; set CODEEXPLORE_CACHE" in line
    assert "no home folder; set CODEEXPLORE_CACHE" in ws.status().cache.problem
    with pytest.raises(OSError, match="no home folder; set CODEEXPLORE_CACHE"):
        cache_folder.entries()


# --------------------------------------------------------------------------- the whole cache


def test_the_cache_is_listed_verified_and_cleared(repo: Path, tmp_path: Path, cache: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(repo, other)
    Workspace(repo)
    Workspace(other)
    assert {entry.root for entry in cache_folder.entries()} == {str(repo), str(other)}
    assert [entry.problem for entry in cache_folder.entries(verify=True)] == ["", ""]
    (file,) = cache.glob("indexes/other-*/*/index-*.zip")
    flip(file, file.read_bytes().index(b"item.price"))
    assert sum("checksum" in entry.problem for entry in cache_folder.entries(verify=True)) == 1
    assert [entry.root for entry in cache_folder.clear(repo)] == [str(repo)]
    assert len(cache_folder.entries()) == 1
    cache_folder.clear()
    assert cache_folder.entries() == []


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX rights")
def test_what_can_not_be_read_hides_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    with public_folder() as folder:
        monkeypatch.setenv("CODEEXPLORE_CACHE", str(folder / "cache"))
        for name in ("good", "locked", "shut"):
            (folder / name).mkdir()
            (folder / name / "shop.py").write_text(MAIN)
            Workspace(folder / name)
        (locked,) = (folder / "cache" / "indexes").glob("locked-*")
        (shut,) = (folder / "cache" / "indexes").glob("shut-*/*")
        for each in (folder / "cache", folder / "cache" / "indexes", *(folder / "cache").glob("indexes/*")):
            each.chmod(0o755)
        for each in folder.glob("cache/indexes/good-*/*"):
            each.chmod(0o755)
        for each in folder.glob("cache/indexes/good-*/*/*"):
            each.chmod(0o644)
        assert len(cache_folder.entries()) == 3  # loads an encoding, which another user may not read
        for each in (locked, shut):
            each.chmod(0)
        with without_privileges():
            found = cache_folder.entries()
        assert [(entry.folder, entry.problem) for entry in found if not entry.root] == [
            (each, f"[Errno 13] Permission denied: {str(each)!r}") for each in (locked, shut)
        ]
        assert [(entry.root, entry.problem) for entry in found if entry.root] == [(str(folder / "good"), "")]
        locked.chmod(0o700)
        shut.chmod(0o700)


def test_a_shelf_that_stayed_empty_is_no_problem(repo: Path, monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    """A full disk leaves a lock; what a killed save left is told, for the room that it takes."""

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(cache_folder, "write_archive", full)
        ws = Workspace(repo)
    (folder,) = cache.glob("indexes/*/*")
    assert [file.name for file in folder.iterdir()] == ["lock"]
    assert cache_folder.entries(verify=True) == []
    assert ws.status().cache.problem == ""
    (folder / ".part-1.tmp").write_bytes(b"half")
    assert [entry.problem for entry in cache_folder.entries()] == ["holds no index"]
    assert "deletes all stored indexes" in next(
        each.next_step for each in ws.status().problems if each.what.startswith("cache:")
    )
    (folder / ".part-1.tmp").unlink()
    assert cache_folder.clear() == []
    assert not folder.exists()


# --------------------------------------------------------------------------- portable files


def test_a_saved_index_needs_no_repository(repo: Path, tmp_path: Path) -> None:
    ws = Workspace(repo)
    file = ws.save(tmp_path / "shop.codeexplore")
    shutil.rmtree(repo)
    opened = Workspace.open(file)
    assert_same(ws, opened)
    assert opened.name == "repo"
    assert opened.source("shop.price") == ws.source("shop.price")
    assert "price" in repr(opened.callers("price"))
    with pytest.raises(SourceError, match="searched but not refreshed"):
        opened.refresh()


def test_a_place_that_holds_no_file_is_told(repo: Path, tmp_path: Path) -> None:
    ws = Workspace(repo)
    with pytest.raises(IndexFileError, match=r"there is no folder '.*nowhere'; make it first"):
        ws.save(tmp_path / "nowhere" / "shop.codeexplore")
    with pytest.raises(IndexFileError, match="is a folder; give a file name"):
        ws.save(tmp_path)


def test_a_saved_index_can_leave_the_sources_out(repo: Path, tmp_path: Path) -> None:
    ws = Workspace(repo)
    file = ws.save(tmp_path / "shop.codeexplore", sources=False)
    assert b"item.price" not in file.read_bytes()
    opened = Workspace.open(file)
    answers = [each.search("price of an item").result for each in (ws, opened)]
    assert answers[0].hits == answers[1].hits
    assert opened.callers("price").symbols == ws.callers("price").symbols
    with pytest.raises(SourceNotIncluded, match="without its sources"):
        opened.source("price")
    with pytest.raises(SourceNotIncluded, match="sources=False"):
        opened.file("shop.py")


def test_a_saved_index_is_refreshed_where_its_repository_is(repo: Path, tmp_path: Path) -> None:
    file = Workspace(repo).save(tmp_path / "shop.codeexplore")
    (repo / "shop.py").write_text(MAIN.replace("total", "whole"))
    opened = Workspace.open(file)
    assert opened.refresh().changed == ("shop.py",)
    assert_same(opened, Workspace(repo, cache=False))


def test_bad_files_are_told(repo: Path, tmp_path: Path) -> None:
    with pytest.raises(IndexFileError, match=r"nothing\.codeexplore"):
        Workspace.open(tmp_path / "nothing.codeexplore")
    (tmp_path / "text").write_text("text")
    with pytest.raises(DamagedIndex):
        Workspace.open(tmp_path / "text")
    ws = Workspace(repo)
    with pytest.raises(IndexFileError, match="folder"):
        ws.save(tmp_path)
    with pytest.raises(IndexFileError, match="can't be saved"):
        ws.save(tmp_path / "no such folder" / "file")


def test_nothing_to_index_is_told_with_a_cache_too(repo: Path) -> None:
    Workspace(repo)
    (repo / "shop.py").unlink()
    (repo / "README.md").unlink()
    with pytest.raises(NothingToIndex):
        Workspace(repo)


def test_indexes_of_folders_that_are_gone_are_deleted_at_the_next_save(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEEXPLORE_CACHE", str(tmp_path / "cache"))
    for number in range(3):
        folder = tmp_path / f"repository{number}"
        folder.mkdir()
        (folder / "a.py").write_text(f"def f():\n    return {number}\n")
        Workspace(folder)
        if number < 2:
            shutil.rmtree(folder)
    assert [Path(entry.root).name for entry in cache_folder.entries()] == ["repository2"]
    monkeypatch.setattr(cache_folder, "MOST_BYTES", 0)
    assert [Path(entry.root).name for entry in cache_folder.clean()] == ["repository2"]
    assert cache_folder.entries() == []
