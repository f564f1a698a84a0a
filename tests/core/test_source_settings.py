"""Settings that a repository has in its pyproject.toml: used where they are right, reported where they are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeexplore import Workspace
from codeexplore.features.lab.evaluation import find_fixtures
from codeexplore.source.discovery import discover
from codeexplore.source.manifests import ProjectSettings, project_settings
from codeexplore.types.errors import FixtureError
from tests.git_repos import write


def test_ignore_patterns_leave_files_out_and_a_change_of_them_is_seen(tmp_path: Path) -> None:
    files = {"a.py": "", "old/b.py": "", "old/keep.py": "", "gen_x.py": ""}
    write(tmp_path, {**files, "pyproject.toml": '[tool.codeexplore]\nignore = ["old/*", "!old/keep.py", "gen_*"]\n'})
    found = discover(tmp_path)
    assert [each.path for each in found.candidates] == ["a.py", "old/keep.py", "pyproject.toml"]
    assert {(each.path, each.detail) for each in found.skipped} == {
        ("old/b.py", "old/*  (pyproject.toml)"),
        ("gen_x.py", "gen_*  (pyproject.toml)"),
    }
    write(tmp_path, {"pyproject.toml": '[tool.codeexplore]\nignore = ["a.py"]\n'})
    again = discover(tmp_path)
    assert [each.path for each in again.candidates] == ["gen_x.py", "old/b.py", "old/keep.py", "pyproject.toml"]


def test_an_own_ignore_file_has_precedence(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"a.py": "", "pyproject.toml": '[tool.codeexplore]\nignore = ["a.py"]\n', ".codeexploreignore": "!a.py\n"},
    )
    assert "a.py" in [each.path for each in discover(tmp_path).candidates]


def test_source_roots_resolve_imports(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "pyproject.toml": '[tool.codeexplore]\nsource-roots = ["backend/code"]\n',
            "backend/code/shop/money.py": "def total(): pass\n",
            "tools/report.py": "from shop.money import total\n\ndef report(): total()\n",
        },
    )
    callers = Workspace(tmp_path, cache=False, workers=0).callers("total")
    assert [symbol.name for symbol in callers] == ["report"]


CHECKED = {
    "shop.py": "def total(): return 1\n",
    "checks/limits.py": "from shop import total\n\ndef test_total(): assert total() == 1\n\ndef helper(): total()\n",
}
SETTINGS = '[tool.codeexplore]\ntests = ["checks/"]\n'


def test_folders_of_tests_are_tests_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEEXPLORE_CACHE", str(tmp_path / "cache"))
    root = write(tmp_path / "repo", {**CHECKED, "pyproject.toml": SETTINGS})
    for _ in range(2):  # the second one is read from the cache
        workspace = Workspace(root, workers=0, progress=lambda *step: None)
        assert [test.name for test in workspace.impact("shop.total").tests] == ["test_total"]
        assert list(workspace.callers("shop.total", tests=False)) == []
        assert all(edge.in_test for edge in workspace.callers("shop.total").edges)
        assert "checks/limits.py:checks.limits.test_total" in {
            each.symbol_id for each in workspace.entry_points(("test",))
        }
        patch = "--- a/shop.py\n+++ b/shop.py\n@@ -1 +1 @@\n-def total(): return 1\n+def total(): return 2\n"
        assert workspace.review.changes(patch).tests().ids == ("checks/limits.py::test_total",)
    write(root, {"pyproject.toml": "[tool.codeexplore]\n"})
    workspace.refresh()
    assert workspace.impact("shop.total").tests == ()
    assert not any(edge.in_test for edge in workspace.callers("shop.total").edges)


MIT = "MIT License\n\nCopyright (c) 2019{}\n\nPermission is hereby granted\n"
GPL = """GNU GENERAL PUBLIC LICENSE\n\n Copyright (C) 2007 Free Software Foundation, Inc. <https://fsf.org/>
  "Copyright" also means copyright-like laws\n    Copyright (C) <year>  <name of author>\n"""


def test_a_folder_with_the_licence_of_others_is_vendored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEEXPLORE_CACHE", str(tmp_path / "cache"))
    folders = ("libs/mail", "libs/own", "libs/gnu", "app")
    root = write(
        tmp_path / "repo",
        {
            **{f"{folder}/code/sender.py": "def send(): ...\n" for folder in folders},
            "LICENSE": MIT.format(" Ada Byron"),
            "libs/mail/LICENSE.txt": MIT.format("-2021 by Fay Post <fay@post.org>"),
            "libs/own/LICENSE": MIT.format(", Acme Ltd. and Ada Byron"),
            "libs/gnu/COPYING": GPL,
        },
    )
    for _ in range(2):  # the second one is read from the cache
        workspace = Workspace(root, workers=0, progress=lambda *step: None)
        roles = {folder: workspace.catalog.roles.of(f"{folder}/code/sender.py") for folder in folders}
        assert roles == {"libs/mail": "vendored", "libs/own": "source", "libs/gnu": "source", "app": "source"}
        assert workspace.search("send", top_k=4)[3].path == "libs/mail/code/sender.py"
    write(root, {"LICENSE": MIT.format(" Ada Byron and Fay Post")})
    workspace.refresh()
    assert workspace.catalog.roles.of("libs/mail/code/sender.py") == "source"
    write(root, {"LICENSE": GPL})
    workspace.refresh()
    assert workspace.catalog.roles.vendored == ("libs/mail", "libs/own")
    (root / "LICENSE").unlink()
    workspace.refresh()
    assert workspace.catalog.roles.vendored == ()


def test_the_evaluation_file_is_found(tmp_path: Path) -> None:
    write(tmp_path, {"qa/q.json": "{}", "pyproject.toml": '[tool.codeexplore]\nevaluation = "qa/q.json"\n'})
    assert find_fixtures(tmp_path) == tmp_path.resolve() / "qa" / "q.json"
    (tmp_path / "out").symlink_to(tmp_path.parent)
    write(tmp_path, {"pyproject.toml": '[tool.codeexplore]\nevaluation = "out/q.json"\n'})
    with pytest.raises(FixtureError, match="leads out of"):
        find_fixtures(tmp_path)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[tool]\ncodeexplore = 3\n", "is not a table"),
        ("[tool.codeexplore]\nignored = []\n", "no setting 'ignored'"),
        ("[tool.codeexplore]\nignore = 'a'\n", "ignore is not a list"),
        ("[tool.codeexplore]\nignore = [1]\n", "ignore is not a list"),
        ("[tool.codeexplore]\ntests = 'checks'\n", "tests is not a list of at most 1,000 folders"),
        ("[tool.codeexplore]\ntests = [3]\n", "tests is not a list of at most 1,000 folders"),
        ("[tool.codeexplore]\ntests = ['../other', 'a']\n", "tests names '../other', which is not a folder below"),
        ("[tool.codeexplore]\nevaluation = '/etc/passwd'\n", "evaluation is not the path"),
        ("[tool.codeexplore]\nevaluation = '../q.json'\n", "evaluation is not the path"),
    ],
)
def test_a_wrong_setting_is_reported(text: str, problem: str, tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": text, "a.py": ""})
    assert any(problem in each for each in project_settings(tmp_path).problems)
    assert any(problem in each.detail for each in discover(tmp_path).skipped)
    assert "a.py" in [each.path for each in discover(tmp_path).candidates]


@pytest.mark.parametrize("data", [b"", b"\xff\x00", b"[tool.codeexplore", b"x = " + b"[" * 100_000, b"a" * 2_000_000])
def test_a_file_that_is_not_toml_has_no_settings(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_bytes(data)
    assert project_settings(tmp_path) == ProjectSettings()
