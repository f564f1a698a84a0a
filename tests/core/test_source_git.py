"""Clones: what is fetched, what is refused, and that a repository can run nothing and leave nothing behind."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeexplore.source import git_clone, git_command
from codeexplore.source.git_clone import clone
from codeexplore.source.git_command import Git
from codeexplore.source.git_url import check_ref, hidden, parse_remote
from codeexplore.source.safe_io import cache_folder
from codeexplore.types.errors import GitError, LoadCancelled
from tests.git_repos import commit, git, repository, write


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of our own, and none of the settings of whoever runs the tests."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("CODEEXPLORE_CACHE", str(folder))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(write(tmp_path, {"gitconfig": ""}) / "gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    return folder


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    """Two commits, a tag on the first, a branch of its own."""
    folder = repository(tmp_path / "some where" / "ürsprung", {"a.py": "x = 1\n"}, "one")
    git(folder, "tag", "-a", "v1", "-m", "first")
    git(folder, "checkout", "-q", "-b", "feature/x")
    commit(folder, "side", {"side.py": ""})
    git(folder, "checkout", "-q", "main")
    commit(folder, "two", {"a.py": "x = 2\n", "b.py": ""})
    return folder


def head(folder: Path, name: str = "HEAD") -> str:
    return git(folder, "rev-parse", f"{name}^{{commit}}").decode().strip()


def left_behind(cache: Path) -> list[str]:
    """Folders below the cache that are no finished clone."""
    return [str(folder) for folder in cache.glob("clones/*/*") if not (folder / ".git/index").is_file()]


# --------------------------------------------------------------------------- what is fetched


def test_a_local_repository_is_cloned_without_its_history(origin: Path, cache: Path) -> None:
    folder = clone(str(origin))
    assert folder == cache / "clones" / folder.parent.name / head(origin)
    assert sorted(path.name for path in folder.iterdir()) == [".git", "a.py", "b.py"]
    assert git(folder, "rev-list", "--count", "HEAD").strip() == b"1"
    assert clone(origin.as_uri()) == folder


@pytest.mark.parametrize(
    ("ref", "text"),
    [
        ("main", "x = 2\n"),
        ("v1", "x = 1\n"),
        ("feature/x", "x = 1\n"),
        ("refs/heads/feature/x", "x = 1\n"),
        ("refs/tags/v1", "x = 1\n"),
    ],
)
def test_a_ref_is_a_branch_or_a_tag(origin: Path, ref: str, text: str) -> None:
    folder = clone(str(origin), ref)
    assert (folder / "a.py").read_text() == text
    assert folder.name == head(origin, ref)
    assert (folder / "side.py").exists() is ("feature" in ref)


@pytest.mark.parametrize("digits", [40, 12, 7])
def test_a_ref_is_a_commit(origin: Path, digits: int) -> None:
    first = head(origin, "v1")
    folder = clone(str(origin), first[:digits])
    assert (folder.name, (folder / "a.py").read_text()) == (first, "x = 1\n")


def test_a_commit_that_no_branch_holds_directly_is_fetched(origin: Path) -> None:
    git(origin, "config", "uploadpack.allowAnySHA1InWant", "false")
    git(origin, "config", "uploadpack.allowReachableSHA1InWant", "false")
    git(origin, "tag", "-d", "v1")
    first = git(origin, "rev-list", "--max-parents=0", "main").decode().strip()
    assert (clone(str(origin), first) / "a.py").read_text() == "x = 1\n"


def test_a_branch_wins_over_a_tag_of_its_name(origin: Path) -> None:
    git(origin, "tag", "main", "v1")
    assert (clone(str(origin), "main") / "a.py").read_text() == "x = 2\n"


def test_a_clone_of_a_known_commit_needs_no_remote(origin: Path) -> None:
    folder = clone(str(origin))
    address = origin.as_uri()
    origin.rename(origin.parent / "gone")
    assert clone(address, folder.name) == folder


def test_a_new_commit_makes_a_new_clone(origin: Path) -> None:
    before = clone(str(origin))
    commit(origin, "three", {"a.py": "x = 3\n"})
    after = clone(str(origin))
    assert [(folder / "a.py").read_text() for folder in (before, after)] == ["x = 2\n", "x = 3\n"]


def test_git_is_not_tied_to_another_repository(origin: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = repository(tmp_path / "other", {"z.py": ""})
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git/index"))
    assert (clone(str(origin)) / "b.py").exists()


def test_the_cache_folder_is_the_platforms_or_ones_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert cache_folder() == tmp_path / "cache"
    monkeypatch.delenv("CODEEXPLORE_CACHE")
    assert cache_folder().name == "codeexplore" or "codeexplore" in cache_folder().parts


@pytest.mark.skipif(sys.platform == "win32", reason="platformdirs asks the system there")
def test_a_user_without_a_home_is_told_where_to_put_clones(
    origin: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CODEEXPLORE_CACHE")
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    with pytest.raises(GitError, match=r"there is no folder for clones: .*no home folder; set CODEEXPLORE_CACHE"):
        clone(str(origin))
    with pytest.raises(GitError, match="Check the network"):
        clone("https://localhost:1/owner/name")


@pytest.mark.skipif(sys.platform == "win32", reason="such rights are POSIX's")
def test_the_cache_is_private(origin: Path, cache: Path) -> None:
    folder = clone(str(origin))
    assert [path.stat().st_mode & 0o077 for path in (folder, folder.parent)] == [0, 0]


# --------------------------------------------------------------------------- what is kept is used only as it was made


def edited(folder: Path) -> None:
    (folder / "a.py").write_text("edited = 1\n")


def added(folder: Path) -> None:
    (folder / "new.py").write_text("")


def deleted(folder: Path) -> None:
    (folder / "b.py").unlink()


def edited_in_its_old_clothes(folder: Path) -> None:
    before = (folder / "a.py").stat()
    (folder / "a.py").write_text("x = 3\n")
    os.utime(folder / "a.py", ns=(before.st_atime_ns, before.st_mtime_ns))


def without_its_index(folder: Path) -> None:
    (folder / ".git/index").unlink()


def without_its_objects(folder: Path) -> None:
    shutil.rmtree(folder / ".git/objects")


def with_settings(folder: Path) -> None:
    (folder / ".git/config").write_text("[core]\n\tfsmonitor = /bin/false\n")


def with_another_head(folder: Path) -> None:
    (folder / ".git/HEAD").write_text("ref: refs/heads/main\n")


def replaced_by_a_link(folder: Path) -> None:
    folder.rename(folder.parent.parent / "elsewhere")
    folder.symlink_to(folder.parent.parent / "elsewhere")
    edited(folder)


def with_an_ignored_file(folder: Path) -> None:
    (folder / ".git/info/exclude").write_text("build\n")
    (folder / "build").mkdir()
    (folder / "build/b.py").write_text("")


CHANGES = [edited, added, deleted, edited_in_its_old_clothes, without_its_index, without_its_objects, with_settings]
CHANGES += [with_another_head, with_an_ignored_file, replaced_by_a_link]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_clone_that_was_changed_is_moved_aside_and_made_anew(change: Any, origin: Path) -> None:
    folder = clone(str(origin))
    change(folder)
    assert clone(str(origin)) == folder
    assert {path.name: path.read_text() for path in folder.glob("*.py")} == {"a.py": "x = 2\n", "b.py": ""}
    assert not folder.is_symlink()
    assert len(list(folder.parent.glob(".changed-*"))) == 1  # somebody may want what was edited


def test_a_copied_cache_is_used(origin: Path, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = clone(str(origin))
    shutil.copytree(cache, tmp_path / "copied")
    monkeypatch.setenv("CODEEXPLORE_CACHE", str(tmp_path / "copied"))
    mark = tmp_path / "copied" / folder.relative_to(cache) / ".git/objects/copied"
    mark.write_text("")
    assert clone(str(origin)) / ".git/objects/copied" == mark
    assert mark.exists()


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no owners on this system")
def test_a_cache_that_others_may_write_to_is_refused(origin: Path, cache: Path) -> None:
    folder = clone(str(origin))
    folder.parent.chmod(0o777)
    with pytest.raises(GitError, match="other users may write"):
        clone(str(origin))
    folder.parent.chmod(0o700)
    cache.chmod(0o777)  # a shared cache with folders of this user's own
    assert clone(str(origin)) == folder


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give files away")
def test_a_clone_that_another_user_planted_is_refused(origin: Path, cache: Path) -> None:
    folder = clone(str(origin))
    os.chown(folder, 65534, 65534)
    with pytest.raises(GitError, match="belongs to another user"):
        clone(str(origin))


# --------------------------------------------------------------------------- nothing is run


def test_no_hook_filter_or_submodule_of_anyone_is_run(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = tmp_path / "was-run"
    script = f"#!/bin/sh\ntouch '{mark}'\ncat\n"
    inner = repository(tmp_path / "inner", {"x.py": ""})
    origin = repository(
        tmp_path / "origin",
        {"a.py": "", "big.bin": "pointer\n", ".gitattributes": "*.bin filter=lfs diff=lfs -text\n*.py filter=own\n"},
    )
    git(origin, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "inner")
    commit(origin, "submodule")
    for folder in ("template/hooks", "hooks"):
        for hook in ("post-checkout", "reference-transaction", "post-index-change"):
            write(tmp_path, {f"{folder}/{hook}": script})
            (tmp_path / folder / hook).chmod(0o755)
    write(tmp_path, {"filter": script})
    (tmp_path / "filter").chmod(0o755)
    write(
        tmp_path,
        {
            "gitconfig": f"[init]\n\ttemplateDir = {tmp_path}/template\n"
            f"[core]\n\thooksPath = {tmp_path}/hooks\n\tfsmonitor = {tmp_path}/filter\n"
            f'[filter "own"]\n\tsmudge = {tmp_path}/filter\n\tprocess = {tmp_path}/filter\n\trequired = true\n'
            f'[filter "lfs"]\n\tsmudge = {tmp_path}/filter\n\trequired = true\n'
            '[submodule]\n\trecurse = true\n[protocol "ext"]\n\tallow = always\n'
        },
    )
    folder = clone(str(origin))
    assert not mark.exists()
    assert (folder / "big.bin").read_text() == "pointer\n"
    assert list((folder / "inner").iterdir()) == []


def test_no_login_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_ASKPASS", "/bin/false")
    monkeypatch.delenv("GIT_SSH_COMMAND", raising=False)
    environment = Git(parse_remote("https://localhost/a/b"), 1.0)._environment
    assert environment["GIT_TERMINAL_PROMPT"] == "0"
    assert (environment["GIT_ASKPASS"], environment["SSH_ASKPASS"]) == ("", "")
    assert environment["GIT_ALLOW_PROTOCOL"] == "https:ssh:file"
    assert environment["GIT_SSH_COMMAND"] == "ssh -oBatchMode=yes"


# --------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    "url",
    [
        "ext::sh -c 'touch pwned'", "ext::file:///x", "fd::7", "xtì::sh -c x", "-oProxyCommand=touch pwned", "-u",
        "--upload-pack=touch pwned",
        "https://-oProxyCommand=x/a", "ssh://-oProxyCommand=touch%20pwned/a", "ssh://-user@host/a", "-x@host:a",
        "host:-path", "-host:path", "http://github.com/a/b", "git://github.com/a/b", "ftp://host/a", "file://host/a",
        "file://", "file:///", "https://", "https:///a/b", "https://host", "https://host:port/a", "ssh://host:99999/a",
        "https://ho st/a", "https://host/a\n--upload-pack=x", "host:path\nx", "https://host/\0",
        "https://host/\udfbe", "", "  ", "javascript://x/y",
        "https://[::1/a", "no-such-folder", "./no-such-folder", "C:", "x" * 5_000,
    ],
)  # fmt: skip
def test_other_urls_are_refused_with_the_forms_that_work(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(git_command.subprocess, "Popen", lambda *_, **__: pytest.fail("git was run"))
    with pytest.raises(GitError, match="https://host/owner/name"):
        clone(url)
    assert not (tmp_path / "pwned").exists()
    assert not cache.exists()


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/pallets/flask", "https://github.com/pallets/flask.git", "https://user:token@host:8443/a/b",
        "ssh://git@host:22/a/b.git", "git@github.com:pallets/flask.git", "host.example:a/b", "user.name@[::1]:a/b",
        "file:///srv/a", "file://localhost/srv/a", "HTTPS://github.com/a/b",
    ],
)  # fmt: skip
def test_the_forms_that_work_are_taken(url: str) -> None:
    remote = parse_remote(url)
    assert remote.url == url
    assert "token" not in remote.shown + remote.folder
    assert set(remote.folder) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")


def test_a_page_of_a_repository_names_the_repository_and_the_ref() -> None:
    with pytest.raises(GitError, match=r"give 'https://github.com/pallets/flask' and ref='3.0.x'"):
        parse_remote("https://github.com/pallets/flask/tree/3.0.x/src/flask")


@given(st.text(max_size=60))
def test_any_text_is_a_remote_or_refused(url: str) -> None:
    try:
        remote = parse_remote(url)
    except GitError:
        return
    assert not remote.url.startswith("-")
    assert "::" not in remote.url.split("/", 1)[0] or "[" in remote.url


def test_different_urls_have_different_folders() -> None:
    urls = [
        "https://h/a/b",
        "https://h/a-b",
        "https://h/A/b",
        "ssh://h/a/b",
        "h:a/b",
        "https://h/" + "x" * 200,
        "https://h/" + "x" * 201,
    ]
    assert len({parse_remote(url).folder for url in urls}) == len(urls)
    assert parse_remote("https://user:one@h/a/b").folder == parse_remote("https://h/a/b").folder


@pytest.mark.parametrize(
    "ref",
    [
        "", "-x", "--upload-pack=x", "a b", "a..b", "a:b", "+a:b", "a^", "a~1", "a@{1}", "a*",
        "a\n", "a\0", "a\udfbe", "/a", "a/", "a.",
        "a.lock", ".a", "a//b", "a\\b", "x" * 300,
    ],
)  # fmt: skip
def test_refs_that_git_could_take_for_more_are_refused(origin: Path, ref: str) -> None:
    with pytest.raises(GitError, match="can't be the name of a branch, tag or commit"):
        clone(str(origin), ref)


@pytest.mark.parametrize("ref", ["main", "v1.0-rc.1", "feature/x_y", "refs/pull/12/head", "a@b", "été", "0" * 40])
def test_ordinary_refs_are_taken(ref: str) -> None:
    assert check_ref(ref) == ref


# --------------------------------------------------------------------------- what fails


def test_a_bad_ref_names_those_alike(origin: Path, cache: Path) -> None:
    with pytest.raises(GitError, match=r"has no branch, tag or commit 'featur/x'. Similar names: feature/x"):
        clone(str(origin), "featur/x")
    assert left_behind(cache) == []


@pytest.mark.parametrize("ref", ["deadbeef", "d" * 40])
def test_an_unknown_commit_says_so_and_leaves_nothing(origin: Path, cache: Path, ref: str) -> None:
    with pytest.raises(GitError, match=f"has no branch, tag or commit '{ref}'"):
        clone(str(origin), ref)
    assert left_behind(cache) == []


def test_a_repository_without_commits_says_so(tmp_path: Path) -> None:
    with pytest.raises(GitError, match="no commits on its default branch"):
        clone(str(repository(tmp_path / "fresh", {}, None)))


def test_a_folder_that_is_no_repository_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    with pytest.raises(GitError, match="does not appear to be a git repository"):
        clone(str(tmp_path / "plain"))


def test_no_network_is_said_clearly_without_credentials(origin: Path, cache: Path) -> None:
    url = "https://someone:s3cret-token@localhost:1/owner/name"
    with pytest.raises(GitError) as caught:
        clone(url)
    assert "Check the network" in str(caught.value)
    assert "https://***@localhost:1/owner/name" in str(caught.value)
    assert "s3cret" not in str(caught.value) + repr(caught.value.__cause__) + repr(caught.value.__context__)
    assert left_behind(cache) == []


def test_without_a_network_an_earlier_clone_is_named(cache: Path) -> None:
    url = "https://localhost:1/owner/name"
    write(cache, {f"clones/{parse_remote(url).folder}/{'a' * 40}/.git/HEAD": ""})
    with pytest.raises(GitError, match=rf"An earlier clone is here: '.*{'a' * 40}'"):
        clone(url)


def test_git_missing_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitError, match="git is not installed, or not on PATH"):
        clone("https://localhost:1/owner/name")


def test_a_cache_that_cannot_be_written_says_what_to_do(
    origin: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"file": ""})
    monkeypatch.setenv("CODEEXPLORE_CACHE", str(tmp_path / "file"))
    with pytest.raises(GitError, match="Set CODEEXPLORE_CACHE to a folder that can be written"):
        clone(str(origin))


def _slow_git(folder: Path, monkeypatch: pytest.MonkeyPatch, pid_file: Path) -> None:
    """A git on PATH whose child sleeps while holding git's output open."""
    write(folder, {"git": f"#!/bin/sh\nsleep 600 &\necho $! > '{pid_file}'\nwait\n"})
    (folder / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not (stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z")


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script stands for git")
def test_a_git_that_hangs_is_ended_with_all_it_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pid_file = tmp_path / "pid"
    _slow_git(tmp_path / "bin", monkeypatch, pid_file)
    seconds = 1.0
    while not (pid_file.exists() and pid_file.read_text().strip()):  # a busy machine takes longer to begin
        monkeypatch.setattr(git_clone, "TIMEOUT", seconds)
        with pytest.raises(GitError, match=f"took longer than {seconds:g} seconds"):
            clone("https://localhost:1/owner/name")
        seconds *= 2
    child = int(pid_file.read_text())
    end = time.monotonic() + 60
    while _alive(child) and time.monotonic() < end:
        time.sleep(0.05)
    assert not _alive(child)


def test_a_cancelled_clone_leaves_nothing_and_the_next_one_starts_anew(origin: Path, cache: Path) -> None:
    commit(origin, "many", {f"src/f{number}.py": f"x = {number}\n" for number in range(20)})
    stop = threading.Event()
    with pytest.raises(LoadCancelled, match="the clone was cancelled"):
        clone(origin.as_uri(), progress=lambda *_: stop.set(), cancel=stop)
    assert list(cache.glob("clones/*/*")) == []
    folder = clone(origin.as_uri())
    assert {path.name for path in folder.iterdir()} == {".git", "a.py", "b.py", "src"}
    assert (folder / "src/f7.py").read_text() == "x = 7\n"
    assert git(folder, "status", "--porcelain") == b""
    assert [each.name for each in folder.parent.iterdir()] == [folder.name]


def test_the_settings_of_a_clone_hold_no_url(origin: Path) -> None:
    folder = clone(origin.as_uri())
    assert origin.as_uri() not in (folder / ".git/config").read_text()
    assert git(folder, "fsck", "--connectivity-only") == b""


def test_an_interrupt_leaves_nothing(origin: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Git.run

    def interrupted(self: Git, *words: str, **options: Any) -> str:
        if "checkout" in words:
            raise KeyboardInterrupt
        return real(self, *words, **options)

    with monkeypatch.context() as patched:
        patched.setattr(Git, "run", interrupted)
        with pytest.raises(KeyboardInterrupt):
            clone(str(origin))
    assert list(cache.glob("clones/*/*")) == []
    folder = clone(str(origin))
    assert (folder / "a.py").read_text() == "x = 2\n"
    assert list(cache.glob("clones/*/*")) == [folder]


def test_what_was_left_long_ago_is_deleted(origin: Path, cache: Path) -> None:
    folder = clone(str(origin))
    for name in (".changed-0", ".part-1", ".part-2"):
        (folder.parent / name).mkdir()
    for name in (".changed-0", ".part-1"):
        os.utime(folder.parent / name, (0, 0))
    commit(origin, "three", {"c.py": ""})
    clone(str(origin))
    assert {each.name for each in folder.parent.glob(".*")} == {".part-2"}


def test_a_clone_that_another_process_finished_first_is_used(
    origin: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Git.run

    def overtaken(self: Git, *words: str, folder: Path | None = None, **options: Any) -> str:
        done = real(self, *words, folder=folder, **options)
        if "checkout" in words and folder is not None:
            monkeypatch.setattr(Git, "run", real)
            write(clone(str(origin)), {".git/objects/theirs": ""})
        return done

    monkeypatch.setattr(Git, "run", overtaken)
    folder = clone(str(origin))
    assert (folder / ".git/objects/theirs").exists()
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def test_credentials_are_hidden_wherever_they_stand() -> None:
    assert hidden("fatal: 'https://u:p@h/a' and ssh://git@h/b") == "fatal: 'https://***@h/a' and ssh://***@h/b"
    assert hidden("git@github.com:a/b a@b.c") == "git@github.com:a/b a@b.c"
    assert hidden("git@host:path@v1") == "git@host:path@v1"


@pytest.mark.parametrize(
    "text",
    ["https://h:8443/a/b@v1", "'https://h:1/x/': Failed to connect to h port 1", "https://[::1]:80/a",
     "ssh://***@h:path/a", "could not read 'https://h:80': it is closed", "https://h: no"],
)  # fmt: skip
def test_what_is_no_password_is_shown(text: str) -> None:
    assert hidden(text) == text


@pytest.mark.parametrize("url", ["https://h:port/a", "https://h:99999/a", "https://[::1/a", "http://h/a", "git://h/a"])
def test_a_refusal_is_a_sentence(url: str) -> None:
    with pytest.raises(GitError, match=r"is refused: it (has a host or a port that can't be read|uses)") as caught:
        parse_remote(url)
    assert "port" not in url or "h:***" in str(caught.value)


@pytest.mark.parametrize(
    "mistyped",
    ["https://u ser:secret@h/a", "https://u:secr@secret@h/a", "https:u:secret@h/a", "https:/u:secret@h/a",
     "https://\x1cu:secret@h", "u:secret@h/a", "https:///u:secret@h/a", "https://u:secret/a", "https://u:secret",
     "https://u:se#cret/x@h/a", "https://u:1secret/x@h/a", "https://u:secret#1@h/a", "ssh://u:secret:1/a"],
)  # fmt: skip
def test_a_password_is_hidden_in_a_mistyped_url_too(mistyped: str) -> None:
    assert "secret" not in hidden(mistyped)
    try:
        shown = parse_remote(mistyped).shown
    except GitError as error:
        shown = str(error)
    assert "secret" not in shown


def test_a_home_folder_that_does_not_exist_is_refused() -> None:
    with pytest.raises(GitError, match="home"):
        clone("~nobody-of-this-name/repo")


def test_a_slow_command_gets_all_of_its_input(origin: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More than a pipe holds, to a command that is asked for its output again and again."""
    monkeypatch.setattr(git_command, "POLL_SECONDS", 0.0005)
    given = b"x" * 3_000_000
    status, output, _ = Git(parse_remote(str(origin)), 20.0).read("hash-object", "--stdin", folder=origin, given=given)
    assert (status, output.strip()) == (0, hashlib.sha1(b"blob %d\0" % len(given) + given).hexdigest().encode())
