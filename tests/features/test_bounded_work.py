"""Input that is small and asks for much: patches, trees of git, pipes, handed-in answers, questions, key files."""

from __future__ import annotations

import gc
import os
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeexplore import Workspace
from codeexplore.features.lab.course.exercises.exercise import Count, Number
from codeexplore.features.review.code_tokens import FileCode
from codeexplore.features.review.patch import FilePatch, Hunk, applied
from codeexplore.types.errors import GitError, PatchError, SymbolNotFound
from tests.git_repos import git, repository

LINES = st.lists(st.sampled_from([b"a", b"b"]), max_size=12)


@given(LINES, st.lists(st.sampled_from([b"a", b"b"]), min_size=1, max_size=4), st.integers(1, 10**9))
def test_a_hunk_is_applied_at_the_nearest_place_that_fits(lines: list[bytes], old: list[bytes], start: int) -> None:
    patch = FilePatch("m", "m", [Hunk(start, tuple(old), (b"new",), start, 1)])
    data = b"".join(line + b"\n" for line in lines)
    fits = [n for n in range(len(lines) - len(old) + 1) if lines[n : n + len(old)] == old]
    if not fits:
        with pytest.raises(PatchError):
            applied(patch, data)
        return
    near = min(start - 1, len(lines))
    made = applied(patch, data).split(b"\n")[:-1]
    places = [n for n in fits if [*lines[:n], b"new", *lines[n + len(old) :]] == made]
    assert places
    assert min(abs(n - near) for n in places) == min(abs(n - near) for n in fits)


@pytest.mark.parametrize("line", ["100000000", "1" + "0" * 12, "9" * 5000])
def test_line_numbers_of_any_size_are_answered(tmp_path: Path, line: str) -> None:
    (tmp_path / "m.py").write_text("x = 1\n")
    ws = Workspace(tmp_path, cache=False)
    began = time.monotonic()
    try:
        ws.review.changes(f"--- a/m.py\n+++ b/m.py\n@@ -{line} +{line} @@\n-x = 1\n+x = 2\n")
    except PatchError:
        assert len(line) > 9
    assert time.monotonic() - began < 30  # it took minutes, or for ever
    with pytest.raises(SymbolNotFound):
        ws.symbol(f"m.py:{'9' * 5000}")


def test_each_line_of_a_long_file_is_placed_without_reading_those_before_it(tmp_path: Path) -> None:
    guarded = "def g(x):\n    if not x:\n        return 0\n    return x\n"
    (tmp_path / "m.py").write_text("".join(f"def f{n}(x):\n    return x\n\n" for n in range(3000)) + guarded)
    ws = Workspace(tmp_path, cache=False)
    code, functions = FileCode(ws.file("m.py")), [each for each in ws.symbols if each.kind == "function"]
    began = time.process_time()
    places = [code.place(each.span.end_line, each) for each in functions]
    assert time.process_time() - began < 10  # 4,500,000 statements took half a minute
    assert places == [*["always"] * 3000, "condition"]


@pytest.mark.parametrize("edited", ["a", "2 * a"])
def test_all_functions_of_a_file_renamed_are_renamed(tmp_path: Path, edited: str) -> None:
    body = "(a, b):\n    x = {0} + {1}\n    for i in range(x):\n        b += i * x\n    return x + b - {1}\n\n"
    for folder, prefix, value in (("old", "before", "a"), ("new", "after", edited)):
        (tmp_path / folder).mkdir()
        text = "".join(f"def {prefix}_{n}{body.format(value, n)}" for n in range(600))
        (tmp_path / folder / "m.py").write_text(text)
    found = Workspace(tmp_path / "new", cache=False).review.changes(tmp_path / "old").comparison.symbols
    assert [change.kind for change in found if change.symbol.kind == "function"] == ["renamed"] * 600
    assert all(c.old.name[7:] == c.new.name[6:] for c in found if c.old and c.new and c.kind == "renamed")


def test_a_tree_that_unfolds_is_refused(tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop", {"a.py": "def f():\n    return 1\n"})
    tree = git(shop, "rev-parse", "HEAD^{tree}").decode().strip()
    for _ in range(5):
        rows = "".join(f"040000 tree {tree}\td{n}\n" for n in range(8))
        tree = git(shop, "mktree", stdin=rows.encode()).decode().strip()
    many = git(shop, "commit-tree", tree, "-m", "many").decode().strip()
    with pytest.raises(GitError, match="repeat themselves"):
        Workspace(shop, cache=False).review.changes(many)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes")
@pytest.mark.parametrize("place", [".mailmap", ".git/shallow", ".git/info/attributes", "pipe"])
def test_git_never_waits_for_a_pipe(tmp_path: Path, place: str) -> None:
    shop = repository(tmp_path / "shop", {"a.py": "def f():\n    return 1\n"})
    (shop / place).parent.mkdir(exist_ok=True)
    (shop / place).unlink(missing_ok=True)
    os.mkfifo(shop / place)
    if place == "pipe":
        with (shop / ".git" / "config").open("a") as config:
            config.write("[include]\n\tpath = ../pipe\n")
    with pytest.raises(GitError, match="no ordinary file"):
        Workspace(shop, cache=False).review.changes()


@given(
    st.integers() | st.just(10**400) | st.just(-(10**400)) | st.floats() | st.text() | st.none() | st.lists(st.none())
)
def test_every_value_that_is_handed_in_is_described(value: object) -> None:
    for kind in (Number(), Number(3), Count()):
        if not kind.misfit(value):
            kind.equal(12, value)
            assert kind.difference(12, value)


@pytest.mark.parametrize("name", [".env", ".env.local", "id_rsa", "server.key", "credentials.json", "secrets.yaml"])
def test_files_that_hold_keys_are_left_out_and_counted(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.py").write_text("def f():\n    return 1\n")
    for each in (name, ".env.example"):
        (tmp_path / each).write_text('{"a": "wJalrXUtnFEMI"}\n' if name.endswith("json") else "A: wJalrXUtnFEMI\n")
    (tmp_path / "tests").mkdir()
    reasons = {each.path: each.reason for each in Workspace(tmp_path, cache=False).summary.skipped_files}
    assert reasons.get(name) in ("secrets", "unknown language")
    assert reasons.get(".env.example") != "secrets"
    notices = Workspace(tmp_path, cache=False).search(f"what is in config/{name}?").notices
    assert [each for each in notices if each.startswith(f"{name} was not read: ")]
    (tmp_path / ".codeexploreignore").write_text(f"!{name}\n")
    reasons = {each.path: each.reason for each in Workspace(tmp_path, cache=False).summary.skipped_files}
    assert reasons.get(name) != "secrets"


def test_a_watch_ends_with_its_workspace(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def f():\n    return 1\n")
    before = set(threading.enumerate())
    ws = Workspace(tmp_path, cache=False)
    ws.watch()
    mine = set(threading.enumerate()) - before
    assert mine
    del ws
    gc.collect()
    for thread in mine:
        thread.join(20)
    assert not any(thread.is_alive() for thread in mine)


def test_the_title_of_a_pack_is_no_markup(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def validate(img):\n    return img\n")
    pack = Workspace(tmp_path, cache=False).context.pack("validate <img src=x onerror=alert(1)> ![p](http://x)", 800)
    title = str(pack).splitlines()[0]
    assert "<img" not in title
    assert "![p" not in title
