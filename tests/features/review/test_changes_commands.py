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


def test_a_change_fails_on_what_the_options_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {"p/__init__.py": "", "p/a.py": "def f(x):\n    return x\n", "p/b.py": "from p.a import f\n"}
    repository(tmp_path, {**files, "test_a.py": "from p.a import f\n\ndef test_f():\n    assert f(1)\n"})
    write(tmp_path, {"p/a.py": "import p.b\n\ndef f(x, y):\n    return x\n\ndef alone():\n    return 1\n"})
    for gates, said in (
        ([], []),
        (["breaking"], ["breaking: p.a.f: parameter y added without a default"]),
        (["cycle"], ["cycle of IMPORTS: p.a, p.b"]),
        (["untested"], ["untested: p.a.alone (p/a.py:6)"]),
        (
            ["untested", "breaking"],
            ["breaking: p.a.f: parameter y added without a default", "untested: p.a.alone (p/a.py:6)"],
        ),
    ):
        status = main(["changes", str(tmp_path), *(word for gate in gates for word in ("--fail-on", gate))])
        lines = [line for line in capsys.readouterr().err.splitlines() if line.partition(":")[0].split()[0] in _GATES]
        assert (status, lines) == (3 if said else 0, said)
    git(tmp_path, "stash", "-q")
    assert main(["changes", str(tmp_path), "--base", "HEAD", "--fail-on", "breaking"]) == 0  # nothing changed


_GATES = ("breaking", "cycle", "untested")


def test_a_dry_run_tells_what_would_be_skipped_and_missed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    test = "from {0} import {0}\n\ndef test_{0}():\n    assert {0}(1)\n"
    files = {f"{name}.py": f"def {name}(x):\n    return x\n" for name in ("one", "two")}
    repository(tmp_path, {**files, **{f"tests/test_{name}.py": test.format(name) for name in ("one", "two")}})
    for name in ("two", "one"):
        write(tmp_path, {f"{name}.py": f"def {name}(x):\n    return x + 1\n"})
        git(tmp_path, "commit", "-qam", name)
    assert main(["tests", str(tmp_path), "--dry-run", "2"]) == 0
    assert "2 commits: 2 of 4 runs of test files would be skipped; no report" in capsys.readouterr().out
    case = '<testcase classname="tests.test_{0}" name="test_{0}">{1}</testcase>'
    older = git(tmp_path, "rev-parse", "HEAD~").decode().strip()
    report = f"<testsuite>{case.format('one', '<failure/>')}{case.format('two', '')}</testsuite>"
    write(tmp_path, {f"reports/{older}.xml": report})
    write(tmp_path, {".pytest_cache/v/cache/lastfailed": '{"tests/test_one.py::test_one[1]": true}'})
    assert main(["tests", str(tmp_path), "--dry-run", "2", "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["items"]
    assert [(row["failed"], row["missed"]) for row in rows] == [(1, []), (1, ["tests.test_one.test_one"])]
    write(tmp_path, {".pytest_cache/v/cache/lastfailed": "7"})
    (tmp_path / "reports/junit.xml").symlink_to(tmp_path / "gone.xml")
    assert main(["tests", str(tmp_path), "--dry-run", "2"]) == 0
    assert "2 reports can't be read and count for nothing: .pytest_cache/v/cache/lastfailed" in capsys.readouterr().out
