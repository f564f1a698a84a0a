"""Two versions compared: archives, folders and references; interface, structure, and the uses of other code."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeexplore import Workspace
from codeexplore.answers.html.writer import shown_html
from codeexplore.cli import main
from codeexplore.features.review import archive
from codeexplore.features.review.archive import Alignment, aligned, read_archive
from codeexplore.features.review.versions import VersionsAnswer
from codeexplore.types.errors import GitError, SourceError
from tests.git_repos import commit, git, repository, write
from tests.shells import refused, run

OLD_TILL = """from shop.door import open_door


class Till:
    def close(self):
        return open_door(1)

    def count(self, notes):
        return notes

    def tip(self):
        return 0
"""
OLD_DOOR = (
    "def open_door(key):\n    return key\n\n\ndef lock(key):\n    return key\n\n\ndef ring():\n    return lock(1)\n"
)
NEW_TILL = """class Box:
    def tip(self):
        return 0


class Till(Box):
    def close(self):
        return 2

    def count(self, notes, coins):
        return notes + coins


def make():
    return Till()
"""
NEW_DOOR = """from shop.till import make


def open_door(key):
    return make(), key


def lock(key):
    return key
"""
OLD = {
    "shop/__init__.py": "from shop.till import Till\n\n__all__ = ['Till']\n",
    "shop/till.py": OLD_TILL,
    "shop/door.py": OLD_DOOR,
    "tests/test_till.py": "from shop import Till\n\n\ndef test_till():\n    Till().close()\n",
}
NEW = OLD | {"shop/till.py": NEW_TILL, "shop/door.py": NEW_DOOR}
USER = {
    "app.py": """import shop
from shop.door import ring


def go():
    till = shop.Till()
    till.tip()
    return till.count(1)


def bell():
    ring()
""",
}


def loaded(folder: Path, **options: object) -> Workspace:
    return Workspace(folder, cache=False, workers=0, progress=lambda *step: None, **options)  # type: ignore[arg-type]


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return repository(tmp_path / "old", OLD)


def sdist(folder: Path, files: dict[str, str], name: str = "shop-2.0") -> Path:
    path = folder / f"{name}.tar.gz"
    with tarfile.open(path, "w:gz") as made:
        for inner, text in files.items():
            info = tarfile.TarInfo(f"{name}/src/{inner}" if inner.startswith("shop") else f"{name}/{inner}")
            info.size = len(text.encode())
            made.addfile(info, io.BytesIO(text.encode()))
    return path


def wheel(folder: Path, files: dict[str, str]) -> Path:
    path = folder / "shop-2.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for inner, text in files.items():
            if inner.startswith("shop"):
                made.writestr(inner, text)
        made.writestr("shop-2.0.dist-info/METADATA", "Name: shop\n")
    return path


def interface(answer: VersionsAnswer) -> set[tuple[str, str, bool]]:
    return {(each.kind, each.symbol.fqn, bool(each.breaking)) for each in answer}


EXPECTED = {
    ("changed", "shop.till.Till.count", True), ("removed", "shop.door.ring", True), ("added", "shop.till.Box", False),
    ("added", "shop.till.make", False), ("changed", "shop.till.Till", False),
}  # fmt: skip


def test_every_form_of_the_other_version_gives_the_same_answer(old: Path, tmp_path: Path) -> None:
    ws = loaded(old)
    git(old, "tag", "v1")
    folder = write(tmp_path / "new", NEW)
    answers = {
        "folder": ws.review.compare(folder, newer=True),
        "sdist": ws.review.compare(sdist(tmp_path, NEW), newer=True),
        "wheel": ws.review.compare(wheel(tmp_path, NEW), newer=True),
        "workspace": ws.review.compare(loaded(folder), newer=True),
        "backwards": loaded(folder).review.compare(ws),
    }
    write(old, NEW)
    answers["reference"] = loaded(old).review.compare("v1")
    commit(old, "v2", NEW)
    answers["range"] = ws.review.compare("v1..main")
    for name, answer in answers.items():
        assert interface(answer) == EXPECTED, name
        made = answer.structure
        assert [(each.source, each.target) for each in made.turned] == [("shop/till.py", "shop/door.py")], name
        assert {each.symbol_id for each in made.dead} <= {"shop/door.py:shop.door.open_door"}, name
        removed = {(edge.source.split(":")[1], edge.target.split(":")[1]) for edge in made.edges_removed.edges}
        assert ("shop.till.Till.close", "shop.door.open_door") in removed, name
    assert answers["folder"][0].breaking  # breaking changes are first
    assert not ws.review.compare(ws)
    assert "the same" in ws.review.compare(ws).headline


def test_members_that_moved_to_a_supertype_are_not_removed(old: Path, tmp_path: Path) -> None:
    answer = loaded(old).review.compare(sdist(tmp_path, NEW), newer=True)
    gone = {each.old.fqn for each in answer.changes.comparison.symbols if each.kind == "removed" and each.old}
    assert not any(each.symbol.fqn == "shop.till.Till.tip" for each in answer)
    assert "shop.door.ring" in gone


def test_new_cycles_and_hubs(old: Path, tmp_path: Path) -> None:
    new = OLD | {
        "shop/door.py": OLD["shop/door.py"].replace(
            "return key\n\n\ndef lock", "from shop.till import Till\n    return Till()\n\n\ndef lock"
        )
    }
    made = loaded(old).review.compare(wheel(tmp_path, new), newer=True).structure
    assert [(each.kind, set(each.members)) for each in made.cycles if each.kind == "IMPORTS"] == [
        ("IMPORTS", {"shop/door.py:shop.door", "shop/till.py:shop.till"})
    ]
    assert not made.turned  # both directions now: that is a cycle


def test_a_renamed_file_is_no_difference_of_the_structure(old: Path, tmp_path: Path) -> None:
    new = {path.replace("till.py", "cash.py"): text.replace("shop.till", "shop.cash") for path, text in OLD.items()}
    made = loaded(old).review.compare(write(tmp_path / "new", new), newer=True).structure
    assert made.edges_added == made.edges_removed == ((), 0)
    assert not made.hubs
    assert not made.cycles
    assert not made.dead
    assert not made.turned


def test_uses_of_what_changed(old: Path, tmp_path: Path) -> None:
    user = loaded(write(tmp_path / "user", USER), name="mine")
    answer = loaded(old).review.compare(sdist(tmp_path, NEW), newer=True).uses_in(user)
    found = {each.change.symbol.fqn: [symbol.name for symbol in each.users] for each in answer}
    assert found["shop.till.Till.count"] == ["go"]
    assert "bell" in found["shop.door.ring"]
    assert "shop.till.Till.tip" not in found
    assert "shop.door.lock" not in found
    assert answer.headline.startswith("mine uses")
    assert {each.change.symbol.name for each in answer.breaking} == {"count", "ring"}
    assert "app.py" in str(answer)
    json.dumps(answer.to_dict())
    assert len(answer.to_frame()) >= 2
    assert "nothing that changed" in loaded(old).review.compare(loaded(old)).uses_in(user).headline


def test_displays(old: Path, tmp_path: Path) -> None:
    new = NEW | {"shop/<script>.py": "def f(a='<script>alert(1)</script>'):\n    return a\n"}
    answer = loaded(old).review.compare(sdist(tmp_path, new, "shop-\x1b[31m<b>"), newer=True)
    text, html = str(answer), shown_html(answer)
    assert "dependencies that turned: 1" in text
    assert "\x1b" not in text
    assert "<script>" not in html
    assert answer.to_markdown()
    assert len(answer.to_frame()) == len(answer)
    assert json.loads(json.dumps(answer.to_dict()))["kind"] == "versions"
    assert answer.network().arcs
    assert answer.to_mermaid()


def test_commands_and_magics(old: Path, tmp_path: Path, shell, capsys, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv("CODEEXPLORE_CACHE", str(tmp_path / "cache"))
    git(old, "tag", "v1")
    user = write(tmp_path / "user", USER)
    made = sdist(tmp_path, NEW)
    assert main(["compare", str(old), str(made)]) == 0
    assert "may break" in capsys.readouterr().out
    assert main(["compare", str(old), "v1", "HEAD"]) == 1
    assert "the same" in capsys.readouterr().out
    assert main(["compare", str(made), str(old), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["kind"] == "versions"
    assert main(["compare", str(old), str(made), "--uses-in", str(user)]) == 0
    assert "app.py" in capsys.readouterr().out
    assert main(["compare", str(made), str(made)]) == 2
    assert main(["compare", "v1", str(made)]) == 2
    assert main(["compare", str(old), "v9"]) == 2
    capsys.readouterr()
    run(shell, "%load_ext codeexplore")
    run(shell, f"from codeexplore import Workspace; ws = Workspace({str(old)!r}, cache=False, workers=0)")
    run(shell, f"mine = Workspace({str(user)!r}, cache=False, workers=0)")
    assert len(run(shell, f"%compare {made} --newer -w ws")) == len(EXPECTED)
    assert run(shell, f"%compare {made} --newer -w ws --uses-in mine").breaking
    assert "no commit" in refused(shell, capsys, "%compare v9 -w ws")
    assert "needs a version" in refused(shell, capsys, "%compare")


# --------------------------------------------------------------------------- archives


def test_no_name_of_an_archive_leaves_it(tmp_path: Path) -> None:
    hostile = ["../up.py", "/abs.py", "a/../../b.py", "c:\\d.py", "a\\b.py", "x//y.py", "nul\0.py"]
    zipped, tarred = tmp_path / "a.zip", tmp_path / "a.tar"
    with zipfile.ZipFile(zipped, "w") as made:
        for name in (*hostile, "good.py"):
            made.writestr(zipfile.ZipInfo("x"), "") if "\0" in name else made.writestr(name, "1")
        link = zipfile.ZipInfo("link.py")
        link.external_attr = 0o120777 << 16
        made.writestr(link, "/etc/passwd")
    with tarfile.open(tarred, "w") as packed:
        for name in (*hostile, "good.py", "./also/good.py"):
            info = tarfile.TarInfo(name.replace("\0", ""))
            info.size = 1
            packed.addfile(info, io.BytesIO(b"1"))
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE):
            special = tarfile.TarInfo(f"special{kind!r}.py")
            special.type, special.linkname = kind, "/etc/passwd"
            packed.addfile(special)
    first = read_archive(zipped, lambda name: name.endswith(".py"), 1_000)
    assert set(first.files) == {"good.py"}
    assert first.left_out["links and special files"] == 1
    second = read_archive(tarred, lambda name: name.endswith(".py"), 1_000)
    assert set(second.files) - {"nul.py"} == {"good.py", "also/good.py"}
    assert second.left_out["links and special files"] == 4


def test_sizes_are_limited_by_what_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = b"0" * 3_000_000
    zipped, tarred = tmp_path / "a.zip", tmp_path / "a.tgz"
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("a.py", bomb)
        made.writestr("b.py", "1")
    with tarfile.open(tarred, "w:gz") as packed:
        info = tarfile.TarInfo("a.txt")
        info.size = len(bomb)
        packed.addfile(info, io.BytesIO(bomb))
    assert read_archive(zipped, lambda name: True, 1_000) == ({"b.py": b"1"}, {"files of more than 1,000 bytes": 1})
    monkeypatch.setattr(archive, "MOST_TOTAL_BYTES", 1_000_000)
    with pytest.raises(SourceError, match="unpack it"):
        read_archive(tarred, lambda name: False, 1_000)
    with pytest.raises(SourceError, match="unpack it"):
        read_archive(zipped, lambda name: True, 1 << 30)
    monkeypatch.setattr(archive, "MOST_ARCHIVE_BYTES", 10)
    with pytest.raises(SourceError, match="unpack it"):
        read_archive(zipped, lambda name: True, 1_000)
    monkeypatch.undo()
    monkeypatch.setattr(archive, "MOST_MEMBERS", 1)
    with pytest.raises(SourceError, match="more than 1 files"):
        read_archive(zipped, lambda name: True, 1_000)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300), st.integers(0, 3_000), st.sampled_from(["a.zip", "a.tar", "a.tar.gz", "a.tar.xz"]))
def test_a_damaged_archive_is_an_error_or_a_part_of_the_files(
    tmp_path_factory: pytest.TempPathFactory, noise: bytes, at: int, name: str
) -> None:
    folder = tmp_path_factory.mktemp("damaged")
    good = wheel(folder, OLD) if name == "a.zip" else sdist(folder, OLD)
    data = good.read_bytes()
    path = folder / name
    path.write_bytes(data[:at] + noise + data[at + len(noise) :])
    with suppress(SourceError):
        read = read_archive(path, lambda _: True, 10_000)
        assert all(not each.startswith("/") and ".." not in each.split("/") for each in read.files)


def test_paths_are_aligned() -> None:
    known = ["flask/app.py", "flask/json/tag.py", "flask/json/__init__.py"]
    inside = [f"flask-3.0/src/{path}" for path in known]
    assert aligned(known, [*inside, "flask-3.0/setup.py"]) == Alignment("flask-3.0/src/", "")
    assert aligned(inside, known) == Alignment("", "flask-3.0/src/")
    assert aligned(known, known) == aligned([], []) == Alignment("", "")
    assert Alignment("a/", "b/").of("a/c.py") == "b/c.py"
    assert Alignment("a/", "b/").of("c.py") is None


def test_bad_input_is_refused(old: Path, tmp_path: Path) -> None:
    ws = loaded(old)
    with pytest.raises(GitError, match="no commit"):
        ws.review.compare("v9")
    other = sdist(tmp_path, {"quite/different.py": "x = 1\n"}, "other-1.0")
    with pytest.raises(SourceError, match="another project"):
        ws.review.compare(other)
    broken = tmp_path / "broken.whl"
    broken.write_bytes(b"PK")
    with pytest.raises(SourceError, match=r"broken\.whl.*can't be read"):
        ws.review.compare(broken)
