"""``codeexplore changes`` and ``tests``, %changes and %%changes."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from codeexplore.cli import main
from tests.git_repos import git, repository, write
from tests.shells import refused, run

FILES = {
    "m.py": "def one(a):\n    return a + 1\n\n\ndef two(a):\n    return a + 2\n",
    "tests/test_m.py": "from m import one, two\n\n\ndef test_one():\n    one(1)\n\n\ndef test_two():\n    two(1)\n",
}


@pytest.fixture
def edited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CODEEXPLORE_CACHE", str(tmp_path / "cache"))
    folder = repository(tmp_path / "repo", FILES)
    return write(folder, {"m.py": FILES["m.py"].replace("a + 1", "a + 11")})


def test_tests_are_printed_for_xargs_and_the_exit_status_says_if_there_are_any(
    edited: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tests", str(edited)]) == 0
    assert capsys.readouterr().out == "tests/test_m.py::test_one\n"
    assert main(["tests", str(edited), "--format", "command", "--safe"]) == 0
    assert capsys.readouterr().out == "pytest tests/test_m.py::test_one\n"
    git(edited, "checkout", "-q", "-f", "HEAD")
    assert main(["tests", str(edited)]) == 1
    assert capsys.readouterr().out == ""
    assert main(["tests", str(edited), "--base", "nowhere"]) == 2
    assert "no commit" in capsys.readouterr().err


def test_changes_are_printed_in_every_format(edited: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["changes", str(edited)]) == 0
    assert "1 symbol changed since HEAD" in capsys.readouterr().out
    assert main(["changes", str(edited), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["symbols"][0]["new"]["fqn"] == "m.one"
    assert main(["changes", str(edited), "--format", "markdown"]) == 0
    assert "<details>" in capsys.readouterr().out
    assert main(["changes", str(edited), "--impact", "--depth", "1"]) == 0
    assert "tests.test_m.test_one" in capsys.readouterr().out


def test_a_patch_comes_from_a_file_or_standard_input(
    edited: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    patch = git(edited, "diff")
    file = edited.parent / "a.patch"
    file.write_bytes(patch)
    assert main(["tests", str(edited), "--patch", str(file)]) == 0
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(patch)))
    assert main(["tests", str(edited), "--patch", "-"]) == 0
    assert capsys.readouterr().out == "tests/test_m.py::test_one\n" * 2
    assert main(["tests", str(edited), "--patch", str(file.with_suffix(".no"))]) == 2
    assert "no file or folder" in capsys.readouterr().err


def test_the_magic_shows_changes_impact_and_tests(shell, edited: Path, capsys) -> None:  # type: ignore[no-untyped-def]
    run(shell, "%load_ext codeexplore")
    run(shell, f"from codeexplore import Workspace; ws = Workspace({str(edited)!r}, cache=False, workers=0)")
    assert [each.symbol.name for each in run(shell, "%changes")] == ["one"]
    assert run(shell, "%changes HEAD --tests --to mine").ids == ("tests/test_m.py::test_one",)
    assert run(shell, "mine").ids
    assert run(shell, "%changes --impact").headline.startswith("1 symbol affected")
    patch = git(edited, "diff").decode()
    assert [each.symbol.name for each in run(shell, "%%changes\n" + patch)] == ["one"]
    assert "no commit" in refused(shell, capsys, "%changes nowhere")
    assert "no patch" in refused(shell, capsys, "%%changes\nhello\n")
