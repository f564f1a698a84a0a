"""Discovery: what is found, what is skipped and why, and that no folder can break or block it."""

from __future__ import annotations

import os
import random
import shutil
import socket
import sys
from pathlib import Path

import pytest

from codeexplore.languages.base import Language
from codeexplore.source import skip_reasons
from codeexplore.source.discovery import Walk, nothing_to_index
from codeexplore.types import Skipped
from codeexplore.types.errors import NothingToIndex, RootNotAFolder, RootNotFound, SourceError
from tests.git_repos import repository, write
from tests.privileges import public_folder, without_privileges
from tests.source_languages import AnyLanguage, FewLanguages, discover, paths, why

posix = pytest.mark.skipif(sys.platform == "win32", reason="pipes, sockets and permissions are POSIX's")
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux takes any bytes as a name")


# --------------------------------------------------------------------------- what is found


def test_candidates_carry_path_size_time_and_language(tmp_path: Path) -> None:
    write(
        tmp_path, {"pkg/a.py": "x = 1\n", "README.md": "# Title\n", "run": "#!/usr/bin/env python3\n", "data.bin": "x"}
    )
    found = discover(tmp_path, languages=FewLanguages())
    assert [(c.path, c.size, c.language, c.wanted) for c in found.candidates] == [
        ("README.md", 8, "markdown", False),
        ("pkg/a.py", 6, "python", False),
        ("run", 23, "python", False),
    ]
    assert found.candidates[1].mtime_ns == (tmp_path / "pkg/a.py").stat().st_mtime_ns
    assert found.skipped == (Skipped("data.bin", skip_reasons.NO_LANGUAGE, ".bin"),)
    assert found.root == tmp_path.resolve()


def test_the_registry_is_the_default(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "", "b.png": ""})
    assert [(c.path, c.language) for c in discover(tmp_path).candidates] == [("a.py", "python")]


def test_the_order_does_not_depend_on_the_file_system(tmp_path: Path) -> None:
    names = [
        f"{folder}{name}.py" for folder in ("", "a/", "a-b/", "B/", "a/é/") for name in ("z", "A", "a b", "10", "9")
    ]
    for seed in range(3):
        random.Random(seed).shuffle(names)
        root = write(tmp_path / str(seed), dict.fromkeys(names, ""))
        assert paths(discover(root, languages=AnyLanguage())) == sorted(names)


def test_files_of_no_known_language_are_counted_by_extension(tmp_path: Path) -> None:
    write(tmp_path, {"a.PNG": "", "b.tar.gz": "", "LICENSE": "text", ".hidden": "", "empty": ""})
    found = discover(tmp_path, languages=FewLanguages())
    assert {(entry.path, entry.detail) for entry in found.skipped} == {
        ("a.PNG", ".png"), ("b.tar.gz", ".gz"), (".hidden", ".hidden"), ("LICENSE", "no extension"),
        ("empty", "no extension"),
    }  # fmt: skip


def test_large_files_are_skipped_and_the_limit_can_be_set(tmp_path: Path) -> None:
    write(tmp_path, {"small.py": "x" * 100, "large.py": "x" * 101, "note.ipynb": "x" * 200})
    found = discover(tmp_path, max_bytes=100, languages=FewLanguages())
    assert paths(found) == ["note.ipynb", "small.py"]
    assert found.skipped == (Skipped("large.py", skip_reasons.TOO_LARGE, "101 bytes, the limit is 100"),)
    assert paths(discover(tmp_path, max_bytes=101, languages=FewLanguages())) == ["large.py", "note.ipynb", "small.py"]


def test_every_reason_is_explained() -> None:
    named = {value for name, value in vars(skip_reasons).items() if name.isupper() and isinstance(value, str)}
    assert named == set(skip_reasons.EXPLANATIONS)


def test_counts_are_by_frequency_then_name() -> None:
    rows = [Skipped("a", "b"), Skipped("b", "c"), Skipped("c", "c"), Skipped("d", "a")]
    assert list(skip_reasons.counts(rows).items()) == [("c", 2), ("a", 1), ("b", 1)]


# --------------------------------------------------------------------------- roots that are none


def test_a_missing_path_says_so(tmp_path: Path) -> None:
    with pytest.raises(RootNotFound, match=r"no folder .*nowhere.* current folder"):
        discover(tmp_path / "nowhere")
    with pytest.raises(FileNotFoundError):
        discover(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("given", "next_step"),
    [
        ("https://github.com/pallets/flask", "from_git"),
        ("git@github.com:pallets/flask.git", "from_git"),
        ("networkx", "from_package"),
        ("xml.etree", "from_package"),
        ("", r"'\.' for the current folder"),
        ("  ", r"'\.' for the current folder"),
        ("a\0b", "can't be a folder"),
        ("x" * 5_000, "can't be a folder"),
    ],
)
def test_what_is_no_path_names_the_next_step(
    given: str, next_step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RootNotFound, match=next_step):
        discover(given)


def test_a_file_instead_of_a_folder_names_the_folder(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": ""})
    with pytest.raises(RootNotAFolder, match="is a file; give its folder"):
        discover(tmp_path / "a.py")


def test_a_root_that_is_a_link_in_a_circle(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(RootNotFound, match="can't be a folder"):
        discover(tmp_path / "loop")


def test_an_empty_folder_finds_nothing_and_the_error_says_why(tmp_path: Path) -> None:
    found = discover(tmp_path, languages=FewLanguages())
    assert (found.candidates, found.skipped) == ((), ())
    assert "is empty" in str(nothing_to_index(found.root, found.skipped))


def test_a_folder_without_source_says_what_it_holds(tmp_path: Path) -> None:
    write(tmp_path, {"a.png": "", "b.png": "", "node_modules/x.js": ""})
    found = discover(tmp_path, languages=FewLanguages())
    error = nothing_to_index(found.root, found.skipped)
    assert isinstance(error, NothingToIndex)
    assert "unknown language: 2, build results: 1" in str(error)
    assert "include_ignored=True" in str(error)
    assert "max_file_bytes" not in str(error)  # nothing was too large
    packed = nothing_to_index(found.root, [Skipped("a.js", skip_reasons.MINIFIED, "")])
    assert "!path in .codeexploreignore" in str(packed)


@posix
def test_a_root_without_permission() -> None:
    with public_folder() as folder:
        locked = folder / "locked"
        locked.mkdir(mode=0o000)
        with without_privileges(), pytest.raises(SourceError, match=r"can't be listed: Permission denied"):
            discover(locked, languages=AnyLanguage())


# --------------------------------------------------------------------------- entries that can't be read


@posix
def test_folders_and_scripts_without_permission_are_counted() -> None:
    with public_folder() as folder:
        write(folder, {"a.py": "", "locked/b.py": "", "script": "#!/usr/bin/python\n"})
        (folder / "locked").chmod(0o000)
        (folder / "script").chmod(0o000)
        with without_privileges():
            found = discover(folder, languages=FewLanguages())
    assert paths(found) == ["a.py"]
    assert why(found) == {"locked/": skip_reasons.NO_PERMISSION, "script": skip_reasons.NO_PERMISSION}


class Deleting(AnyLanguage):
    """Deletes what it is told to when it is first asked about a file: the walk has listed it by then."""

    def __init__(self, *victims: Path) -> None:
        self.victims = victims

    def by_path(self, path: str) -> Language | None:
        for victim in self.victims:
            if victim.is_dir():
                shutil.rmtree(victim)
            elif victim.exists():
                victim.unlink()
        return super().by_path(path)


def test_what_is_deleted_during_the_walk_is_counted(tmp_path: Path) -> None:
    write(tmp_path, {f"{name}.py": "" for name in "abc"} | {"sub/x.py": "", "sub2/y.py": ""})
    found = discover(tmp_path, languages=Deleting(*(tmp_path / f"{name}.py" for name in "abc"), tmp_path / "sub"))
    assert paths(found) == ["sub2/y.py"]
    assert why(found) == dict.fromkeys(["a.py", "b.py", "c.py", "sub/"], skip_reasons.VANISHED)


@posix
@pytest.mark.parametrize("name", ["a.py", "script", ".gitignore", ".codeexploreignore", ".git"])
def test_pipes_and_sockets_are_never_opened(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"b.py": "", "sub/c.py": ""})
    os.mkfifo(tmp_path / name)
    monkeypatch.chdir(tmp_path / "sub")  # a socket's path must be short
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(name)
    found = discover(tmp_path, languages=AnyLanguage())
    listener.close()
    assert paths(found) == ["b.py", "sub/c.py"]
    special = {(entry.path, entry.detail) for entry in found.skipped if entry.reason == skip_reasons.SPECIAL}
    assert special == {(name, "pipe"), (f"sub/{name}", "socket")}


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="no such device here")
def test_a_device_is_never_opened() -> None:
    found = discover("/dev", only=["null"], languages=AnyLanguage())
    assert found.skipped == (Skipped("null", skip_reasons.SPECIAL, "character device"),)


@linux
def test_names_that_are_no_utf8_are_counted_under_a_readable_name(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": ""})
    (tmp_path / os.fsdecode(b"b\xff.py")).touch()
    (tmp_path / os.fsdecode(b"dir\xe9")).mkdir()
    found = discover(tmp_path, languages=AnyLanguage())
    assert paths(found) == ["a.py"]
    assert why(found) == {r"b\xff.py": skip_reasons.NAME, r"dir\xe9": skip_reasons.NAME}


@posix
def test_strange_but_lawful_names_are_found(tmp_path: Path) -> None:
    names = [
        "-rf.py",
        "<img src=x onerror=alert(1)>.py",
        "a\nb.py",
        "x" * 252 + ".py",
        "\u202etxt.py",
        "a\\b.py",
        " .py",
        "*.py",
    ]
    write(tmp_path, dict.fromkeys(names, ""))
    assert paths(discover(tmp_path, languages=AnyLanguage())) == sorted(names)


@linux
def test_a_tree_deeper_than_the_longest_path_is_counted(tmp_path: Path) -> None:
    descriptor = os.open(tmp_path, os.O_RDONLY)
    for _ in range(430):
        os.mkdir("d" * 10, dir_fd=descriptor)
        deeper = os.open("d" * 10, os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = deeper
    os.close(descriptor)
    write(tmp_path, {"a.py": ""})
    found = discover(tmp_path, languages=AnyLanguage())
    assert paths(found) == ["a.py"]
    assert [(entry.reason, entry.detail) for entry in found.skipped] == [
        (skip_reasons.UNREADABLE, "File name too long")
    ]


# --------------------------------------------------------------------------- links


def test_links_are_never_followed(tmp_path: Path) -> None:
    outside = write(tmp_path / "outside", {"secret.py": ""})
    root = write(tmp_path / "root", {"a.py": "", "pkg/b.py": ""})
    for name, target in {
        "again.py": "a.py",
        "away.py": str(outside / "secret.py"),
        "away": str(outside),
        "broken.py": "nowhere.py",
        "self.py": "self.py",
        "pkg/up": "..",
        "other": "pkg",
    }.items():
        (root / name).symlink_to(target)
    found = discover(root, languages=AnyLanguage())
    assert paths(found) == ["a.py", "pkg/b.py"]
    assert {entry.path: entry.detail for entry in found.skipped} == {
        "again.py": "leads to a.py",
        "away.py": "leads out of the root",
        "away": "leads out of the root",
        "broken.py": "leads nowhere, or in a circle",
        "self.py": "leads nowhere, or in a circle",
        "pkg/up": "leads to .",
        "other": "leads to pkg",
    }
    assert set(why(found).values()) == {skip_reasons.SYMLINK}


def test_a_root_that_is_a_link_is_explored(tmp_path: Path) -> None:
    write(tmp_path / "real", {"a.py": ""})
    (tmp_path / "link").symlink_to("real")
    found = discover(tmp_path / "link", languages=AnyLanguage())
    assert (found.root, paths(found)) == ((tmp_path / "real").resolve(), ["a.py"])


def test_a_folder_is_walked_once_however_it_is_reached(tmp_path: Path) -> None:
    write(tmp_path, {"sub/a.py": ""})
    walk = Walk(tmp_path.resolve(), 1_000, include_ignored=False)
    walk.everything()
    walk.everything()
    assert [candidate.path for candidate in walk.candidates] == ["sub/a.py"]
    assert walk.skipped == [Skipped("", skip_reasons.SYMLINK, "the same folder as one already walked")]


# --------------------------------------------------------------------------- artefacts


@pytest.mark.parametrize(
    "folder",
    [
        ".git", ".hg", "node_modules", ".venv", "site-packages", "__pycache__", ".tox", ".mypy_cache",
        ".ipynb_checkpoints", "deep/er/node_modules",
    ],
)  # fmt: skip
def test_folders_with_one_meaning_are_left_out(tmp_path: Path, folder: str) -> None:
    write(tmp_path, {"a.py": "", f"{folder}/b.py": ""})
    found = discover(tmp_path, languages=AnyLanguage())
    assert paths(found) == ["a.py"]
    assert why(found) == {f"{folder}/": skip_reasons.ARTEFACTS}


@pytest.mark.parametrize(
    ("files", "left_out"),
    [
        ({"venv/pyvenv.cfg": "", "venv/x.py": ""}, "venv/"),
        ({"py311/pyvenv.cfg": "", "py311/x.py": ""}, "py311/"),
        ({"conda/conda-meta/history": "", "conda/x.py": ""}, "conda/"),
        ({"target/CACHEDIR.TAG": "", "target/x.py": ""}, "target/"),
        ({"setup.py": "", "build/lib/x.py": ""}, "build/"),
        ({"package.json": "", "dist/x.js": ""}, "dist/"),
        ({"sub/pom.xml": "", "sub/target/x.py": ""}, "sub/target/"),
        ({"go.mod": "", "vendor/x.go": ""}, "vendor/"),
        ({"vendor/modules.txt": "", "vendor/x.go": ""}, "vendor/"),
    ],
)
def test_ambiguous_folders_with_evidence_are_left_out(tmp_path: Path, files: dict[str, str], left_out: str) -> None:
    found = discover(write(tmp_path, files), languages=FewLanguages())
    assert not any(path.startswith(left_out) for path in paths(found))
    assert why(found)[left_out] == skip_reasons.ARTEFACTS


@pytest.mark.parametrize(
    "files",
    [
        {"venv/x.py": ""},  # an ordinary folder of that name
        {"src/build/x.py": ""},  # not beside a project file
        {"setup.py": "", "build/__init__.py": "", "build/x.py": ""},  # a package
        {"package.json": "", ".gitignore": "dist/\n", "build/x.js": ""},  # the project names its own results
        {"shop/vendor/models.py": "", "manage.py": ""},
        {"target/x.py": "", "setup.py": ""},  # no tool of this project fills it
    ],
)
def test_ambiguous_folders_without_evidence_are_explored(tmp_path: Path, files: dict[str, str]) -> None:
    found = discover(write(tmp_path, files), languages=FewLanguages())
    assert paths(found) == sorted(path for path in files if path.endswith((".py", ".js")))
    assert skip_reasons.ARTEFACTS not in why(found).values()


def test_what_git_tracks_is_no_build_result_but_vendored_code_is_foreign(tmp_path: Path) -> None:
    repository(tmp_path, {"setup.py": "", "build/x.py": "", "go.mod": "", "vendor/modules.txt": "", "vendor/a.go": ""})
    found = discover(tmp_path, languages=FewLanguages())
    assert paths(found) == ["build/x.py", "setup.py"]
    assert why(found)["vendor/"] == skip_reasons.ARTEFACTS


@pytest.mark.parametrize(
    "inside", ["venv/lib/python3.11/site-packages/networkx", "node_modules/left", "build", ".venv"]
)
def test_a_root_inside_an_artefact_folder_is_explored(tmp_path: Path, inside: str) -> None:
    write(tmp_path, {"venv/pyvenv.cfg": "", "setup.py": "", f"{inside}/a.py": "", f"{inside}/__pycache__/b.py": ""})
    found = discover(tmp_path / inside, languages=FewLanguages())
    assert paths(found) == ["a.py"]


# --------------------------------------------------------------------------- only


def test_only_takes_what_is_named_whatever_hides_it(tmp_path: Path) -> None:
    write(
        tmp_path, {".gitignore": "six.py\nlib/\n", "six.py": "", "a.py": "", "lib/b.py": "", "lib/__pycache__/c.py": ""}
    )
    write(tmp_path, {"node_modules/x/d.js": "", "node_modules/y/e.js": ""})
    found = discover(tmp_path, only=["six.py", "lib", "node_modules/x", "lib/b.py"], languages=FewLanguages())
    assert paths(found) == ["lib/b.py", "node_modules/x/d.js", "six.py"]
    assert [c.path for c in found.candidates if c.wanted] == ["six.py"]
    assert why(found) == {"lib/__pycache__/": skip_reasons.ARTEFACTS}


def test_only_obeys_the_rules_of_the_folders_on_the_way(tmp_path: Path) -> None:
    write(
        tmp_path,
        {".gitignore": "*.log\n", "a/.gitignore": "gen/\n", "a/b/x.log": "", "a/b/gen/y.py": "", "a/b/z.py": ""},
    )
    assert paths(discover(tmp_path, only=["a/b/"], languages=AnyLanguage())) == ["a/b/z.py"]


@pytest.mark.parametrize("entry", ["nowhere.py", "a.py/b.py"])
def test_only_with_what_is_not_there(tmp_path: Path, entry: str) -> None:
    write(tmp_path, {"a.py": ""})
    with pytest.raises(RootNotFound, match=f"there is no '{entry}'"):
        discover(tmp_path, only=[entry])


def test_a_pattern_among_the_named_is_told_what_only_takes(tmp_path: Path) -> None:
    with pytest.raises(
        RootNotFound, match=r"there is no 'src/\*\.py' in .*; only= takes files and folders, no patterns"
    ):
        discover(tmp_path, only=["src/*.py"])


@pytest.mark.parametrize("entry", ["../x", "a/../../x", "/etc", "", "."])
def test_only_never_leads_out_of_the_root(tmp_path: Path, entry: str) -> None:
    with pytest.raises(SourceError, match="is outside of"):
        discover(tmp_path, only=[entry])


def test_only_never_follows_a_link_out_of_the_root(tmp_path: Path) -> None:
    write(tmp_path, {"outside/x.py": "", "root/a.py": ""})
    (tmp_path / "root/link").symlink_to(tmp_path / "outside")
    with pytest.raises(SourceError, match="leads out"):
        discover(tmp_path / "root", only=["link/x.py"])
