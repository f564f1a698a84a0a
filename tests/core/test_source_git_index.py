"""Git's index, read without git: all its versions, and any damage."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeexplore.source import skip_reasons
from codeexplore.source.ignore_scope import IndexFormatError, Tracked, parse_index, worktree_around, worktree_at
from tests.git_repos import git, repository, write
from tests.source_languages import AnyLanguage, discover, paths

FILES = {
    "a.py": "1",
    "pkg/b.py": "2",
    "pkg/deep/c.py": "3",
    "pkg-x/d.py": "4",
    "é/ü.py": "5",
    "a/" + "x" * 200 + ".py": "6",
}


def _tracked(folder: Path) -> Tracked:
    worktree = worktree_at(folder)
    assert worktree is not None
    return worktree.tracked


@pytest.mark.parametrize("version", ["2", "3", "4"])
@pytest.mark.parametrize("objects", ["sha1", "sha256"])
def test_every_version_of_the_index_is_read(tmp_path: Path, version: str, objects: str) -> None:
    git(tmp_path, "init", "-q", "--template=", f"--object-format={objects}")
    write(tmp_path, FILES)
    git(tmp_path, "add", "-A")
    write(tmp_path, {"later.py": ""})
    git(tmp_path, "add", "-N", "later.py")  # intent to add: an extended entry, which only versions 3 and 4 have
    git(tmp_path, "update-index", "--index-version", version)
    tracked = _tracked(tmp_path)
    assert all(tracked.has(path.encode()) for path in [*FILES, "later.py"])
    assert [tracked.has_below(folder) for folder in (b"pkg", b"pkg/deep", b"pk", b"pkg-", b"a", b"a.py")] == [
        True, True, False, False, True, False,
    ]  # fmt: skip


def test_a_submodule_counts_as_a_tracked_folder(tmp_path: Path) -> None:
    inner = repository(tmp_path / "inner", {"x.py": ""})
    outer = repository(tmp_path / "outer", {"a.py": "", ".gitignore": "lib/\n"})
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "-f", str(inner), "lib/inner")
    tracked = _tracked(outer)
    assert tracked.has_below(b"lib/inner")
    assert not tracked.has(b"lib/inner")
    assert "lib/inner/x.py" in paths(discover(outer, languages=AnyLanguage()))


def test_no_index_yet_is_nothing_tracked(tmp_path: Path) -> None:
    repository(tmp_path, {"a.py": ""}, None)
    assert not _tracked(tmp_path).has(b"a.py")


@pytest.mark.parametrize("damage", ["split", "cut", "version", "pipe"])
def test_an_index_that_cannot_be_read_is_counted_and_the_walk_goes_on(tmp_path: Path, damage: str) -> None:
    repository(tmp_path, {".gitignore": "gen/\n", "a.py": "", "gen/b.py": ""})
    index = tmp_path / ".git/index"
    data = index.read_bytes()
    if damage == "split":
        git(tmp_path, "update-index", "--split-index")
    elif damage == "pipe":
        index.unlink()
        index.mkdir()
    else:
        index.write_bytes(data[:100] if damage == "cut" else data.replace(b"DIRC\0\0\0\2", b"DIRC\0\0\0\7"))
    found = discover(tmp_path, languages=AnyLanguage())
    assert paths(found) == [".gitignore", "a.py"]
    assert (".git/index", skip_reasons.UNREADABLE) in {(entry.path, entry.reason) for entry in found.skipped}


def test_an_index_cut_at_any_byte_is_refused(tmp_path: Path) -> None:
    repository(tmp_path, FILES, None)
    git(tmp_path, "add", "-A")
    data = (tmp_path / ".git/index").read_bytes()
    last_path = data.index(b"\xc3\xa9/\xc3\xbc.py")
    for end in range(last_path):
        with pytest.raises(IndexFormatError):
            parse_index(data[:end])


@given(st.binary(max_size=400), st.integers(2, 4), st.integers(0, 50))
def test_any_bytes_are_read_or_refused(data: bytes, version: int, count: int) -> None:
    header = b"DIRC" + version.to_bytes(4, "big") + count.to_bytes(4, "big")
    try:
        found: object = parse_index(header + data)
    except IndexFormatError as error:
        found = error
    assert isinstance(found, (Tracked, IndexFormatError))


def test_paths_that_unpack_to_more_than_memory_are_refused() -> None:
    entry = bytes(62)
    first = entry + b"\0" + b"x" * 60_000 + b"\0"
    more = b"".join(entry + b"\0" + b"y\0" for _ in range(5_000))
    with pytest.raises(IndexFormatError, match="unpack"):
        parse_index(b"DIRC" + (4).to_bytes(4, "big") + (5_001).to_bytes(4, "big") + first + more)


@pytest.mark.parametrize("content", ["gitdir: /nowhere\n", "gitdir: \0\n", "nonsense", "", "gitdir: ."])
def test_a_git_file_that_leads_nowhere_is_no_checkout(tmp_path: Path, content: str) -> None:
    write(tmp_path, {".git": content, "a.py": ""})
    assert worktree_at(tmp_path) is None
    assert paths(discover(tmp_path, languages=AnyLanguage())) == [".git", "a.py"]


def test_the_innermost_checkout_around_a_folder_is_found(tmp_path: Path) -> None:
    repository(tmp_path, {"a.py": "", "sub/deep/b.py": ""})
    repository(tmp_path / "sub", {})
    found = worktree_around(tmp_path / "sub/deep")
    assert found is not None
    assert found.top == tmp_path / "sub"


@pytest.mark.parametrize(
    ("line", "expected"), [("ignorecase = true", True), ("ignoreCase", True), ("ignorecase = false", False)]
)
def test_ignorecase_is_gits_setting(tmp_path: Path, line: str, expected: bool) -> None:
    repository(tmp_path, {".gitignore": "Gen/\n", "gen/a.py": ""}, None)
    write(tmp_path, {".git/config": f"[core]\n\t{line}\n"})
    assert ("gen/a.py" not in paths(discover(tmp_path, languages=AnyLanguage()))) is expected
