from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import threading
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from codeexplore.index import archive as archives
from codeexplore.index.archive import Archive, write_archive
from codeexplore.index.cache import locked
from codeexplore.index.columns import Strings, packed
from codeexplore.index.symbol_table import check_lines, check_parents
from codeexplore.types.errors import DamagedIndex

MEMBERS = {
    "numbers": np.arange(1000, dtype=np.int32),
    "empty": np.zeros((0, 4), np.float32),
    "columns": np.asfortranarray(np.arange(12, dtype=np.float64).reshape(3, 4)),
    "lines.jsonl": b'{"a": 1}\n{"a": 2}\n',
    **packed("texts", ["", "plain", "größe \u202e", "\ud800 alone", "日本"]),
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "index.zip"
    write_archive(path, {"name": "demo", "list": [1, "größe"]}, MEMBERS)
    return path


def test_what_is_written_is_read(file: Path) -> None:
    archive = Archive(file)
    archive.verify()
    assert archive.meta == {"name": "demo", "list": [1, "größe"]}
    for name in ("numbers", "empty", "columns"):
        found = archive.array(name)
        assert np.array_equal(found, MEMBERS[name])
        assert found.dtype == MEMBERS[name].dtype
        assert not (found.size and found.flags.writeable)
    assert archive.array("columns").flags.f_contiguous
    assert bytes(archive.bytes("lines.jsonl")) == MEMBERS["lines.jsonl"]
    texts = Strings.of(archive, "texts")
    assert texts.all() == list(texts[:]) == ["", "plain", "größe \u202e", "\ud800 alone", "日本"]
    assert texts[-1] == "日本"
    with pytest.raises(IndexError):
        texts[5]


def test_arrays_lie_aligned_and_numpy_reads_them(file: Path) -> None:
    assert Archive(file).array("numbers").ctypes.data % 64 == 0
    with np.load(file, allow_pickle=False) as loaded:
        assert np.array_equal(loaded["numbers"], MEMBERS["numbers"])
    with zipfile.ZipFile(file) as readable:
        assert readable.testzip() is None


def test_objects_are_never_stored(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="objects"):
        write_archive(tmp_path / "a.zip", {}, {"objects": np.array([object()])})
    assert list(tmp_path.iterdir()) == []


def test_a_file_cut_off_anywhere_is_told(file: Path, tmp_path: Path) -> None:
    whole = file.read_bytes()
    for size in {0, 1, 50, len(whole) - 1, *range(0, len(whole), 97)}:
        cut = tmp_path / "cut.zip"
        cut.write_bytes(whole[:size])
        with pytest.raises(DamagedIndex):
            Archive(cut).verify()


@given(st.data())
def test_a_flipped_bit_is_told_or_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.getbasetemp()
    path = folder / "flipped.zip"
    write_archive(path, {"name": "demo"}, MEMBERS)
    whole = bytearray(path.read_bytes())
    at = data.draw(st.integers(0, len(whole) - 1))
    whole[at] ^= 1 << data.draw(st.integers(0, 7))
    path.write_bytes(whole)
    try:
        archive = Archive(path)
        archive.verify()
    except DamagedIndex:
        return
    assert archive.meta == {"name": "demo"}
    assert np.array_equal(archive.array("numbers"), MEMBERS["numbers"])
    assert Strings.of(archive, "texts").all() == ["", "plain", "größe \u202e", "\ud800 alone", "日本"]


@given(st.binary(max_size=300))
@example(b"PK\x05\x06")  # the start of a directory alone
def test_any_bytes_are_refused_with_words(tmp_path_factory: pytest.TempPathFactory, junk: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "junk.zip"
    path.write_bytes(junk)
    with pytest.raises(DamagedIndex, match="junk"):
        Archive(path)


@pytest.mark.parametrize(("version", "age"), [(archives.FORMAT + 1, "newer"), (0, "older"), ("x", "older")])
def test_another_format_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: object, age: str) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(archives, "FORMAT", version)
        write_archive(tmp_path / "other.zip", {}, MEMBERS)
    with pytest.raises(DamagedIndex, match=age):
        Archive(tmp_path / "other.zip")


def test_a_foreign_archive_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "foreign.zip"
    with zipfile.ZipFile(path, "w") as foreign:
        foreign.writestr("manifest.json", json.dumps({"kind": "something else"}))
    with pytest.raises(DamagedIndex, match="not an index"):
        Archive(path)


def test_a_pickled_array_is_not_read(tmp_path: Path) -> None:
    import io

    stream = io.BytesIO()
    np.save(stream, np.array([{"code": 1}], dtype=object), allow_pickle=True)
    write_archive(tmp_path / "p.zip", {}, {"evil.npy": stream.getvalue()})
    with pytest.raises(DamagedIndex, match="evil"):
        Archive(tmp_path / "p.zip").array("evil")


@pytest.mark.parametrize(
    "header",
    [
        b"{'descr': '<i4', 'fortran_order': False, 'shape': (1,",
        b"{'descr': '<i4', 'fortran_order': False, 'shape': (99999999999999999999,), }",
        b"{'descr': '<i4', 'fortran_order': False, 'shape': (4294967296, 4294967296,), }",
        b"{'descr': '<i4', 'fortran_order': False, 'shape': (-1,), }",
        b"{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
        b"{'descr': '<i3', 'fortran_order': False, 'shape': (1,), }",
        b"(" * 5_000,
    ],
)
def test_a_forged_array_is_refused(tmp_path: Path, header: bytes) -> None:
    data = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + bytes(64)
    write_archive(tmp_path / "a.zip", {}, {"forged.npy": data})
    with pytest.raises(DamagedIndex, match="forged"):
        Archive(tmp_path / "a.zip").array("forged")


# --------------------------------------------------------------------------- crashes


_SAVE = """
import resource, signal, sys
from pathlib import Path
import numpy as np
from codeexplore.index.archive import write_archive
limit = int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
if sys.argv[3] == "kill":
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # the kernel kills the process at this byte of the file
write_archive(Path(sys.argv[1]), {"name": "new"}, {"numbers": np.full(50_000, 2, np.int32)})
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs setrlimit")
@pytest.mark.parametrize("limit", [0, 1, 4_096, 100_000, 200_100, 200_500, 200_900])
def test_a_crash_at_any_byte_leaves_the_old_file(tmp_path: Path, limit: int) -> None:
    path = tmp_path / "index.zip"
    write_archive(path, {"name": "old"}, {"numbers": np.full(10, 1, np.int32)})
    command = [sys.executable, "-c", _SAVE, str(path), str(limit), "kill"]
    died = subprocess.run(command, check=False, capture_output=True)
    archive = Archive(path)
    archive.verify()
    if died.returncode == 0:
        assert limit > 200_000
        assert archive.meta["name"] == "new"
        assert (archive.array("numbers") == 2).all()
    else:
        assert died.returncode == -signal.SIGXFSZ
        assert archive.meta["name"] == "old"


@pytest.mark.skipif(sys.platform == "win32", reason="needs setrlimit")
def test_a_full_disk_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "index.zip"
    write_archive(path, {"name": "old"}, {})
    command = [sys.executable, "-c", _SAVE, str(path), "100000", "full"]
    failed = subprocess.run(command, check=False, capture_output=True, text=True)
    assert f"[Errno {errno.EFBIG}]" in failed.stderr
    assert Archive(path).meta["name"] == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["index.zip"]


# --------------------------------------------------------------------------- the lock


def test_a_lock_is_held_by_one_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with locked(path, 1.0), pytest.raises(TimeoutError, match="another process"), locked(path, 0.1):
        pass
    with locked(path, 0.1):
        pass
    order = []

    def later() -> None:
        with locked(path, 60.0):
            order.append("later")

    with locked(path, 1.0):
        thread = threading.Thread(target=later)
        thread.start()
        time.sleep(0.1)
        order.append("first")
    thread.join(60)
    assert order == ["first", "later"]


def test_a_lock_dies_with_its_process(tmp_path: Path) -> None:
    script = "import os, sys; from pathlib import Path; from codeexplore.index.cache import locked\n"
    script += "with locked(Path(sys.argv[1]), 1.0): os._exit(3)"
    died = subprocess.run([sys.executable, "-c", script, str(tmp_path / "lock")], check=False, env=os.environ)
    assert died.returncode == 3
    with locked(tmp_path / "lock", 0.1):
        pass


# --------------------------------------------------------------------------- columns that fit no text


@pytest.mark.parametrize("parents", [[0], [1, 0], [-1, 3, 1, 2], [-1, 0, 1, 2, 4]])
def test_a_symbol_that_lies_within_itself_is_refused(parents: list[int]) -> None:
    """Who looks for what holds it would go up for ever."""
    with pytest.raises(ValueError, match="within themselves"):
        check_parents(np.array(parents, np.int32))


@pytest.mark.parametrize(
    "parents", [[], [-1], [1, 2, 3, -1], [-1, 0, 1, 2, 3, 4, 5, 6, 7], [8, 0, 1, 2, 3, 4, 5, 6, -1]]
)
def test_parents_may_stand_anywhere(parents: list[int]) -> None:
    """A method may stand before its type."""
    check_parents(np.array(parents, np.int32))


@pytest.mark.parametrize(
    "span", [(0, 1, 0, 9), (2, 1, 0, 9), (-(2**31) + 1, 1, 0, 29), (1, 2**31 - 1, 0, 29), (1, 1, -1, 4), (1, 3, 5, 6)]
)
def test_lines_that_no_text_has_are_refused(span: tuple[int, int, int, int]) -> None:
    """A list of them would fill the memory."""
    with pytest.raises(ValueError, match="no text has"):
        check_lines(np.array([(1, 1, 0, 0), span], np.int32))


def test_lines_of_a_text() -> None:
    check_lines(np.zeros((0, 4), np.int32))
    check_lines(np.array([(1, 1, 0, 0), (1, 3, 5, 7), (9, 9, 70, 90)], np.int32))
