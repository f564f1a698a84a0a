"""The command line: the same answers as the façade, as text or JSON, with an exit status that tells."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from codeexplore import sample_repo
from codeexplore.cli import main, parser

README = Path(__file__).parent.parent / "README.md"
SHOP = str(sample_repo("webshop"))


def test_ask_prints_ranked_symbols_with_their_arithmetic(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", SHOP, "validate_session", "--top-k", "3"]) == 0
    shown = capsys.readouterr().out
    assert "SessionManager.validate_session" in shown
    assert "1/(60+1)" in shown


def test_ask_json_carries_its_schema_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", SHOP, "what", "calls", "validate_session?", "--json", "--lanes", "bm25,graph"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["schema"] == 1
    assert len(answer["hits"]) > 1


def test_locate_reads_a_file_or_standard_input(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = b'  File "/srv/shop/webshop/storefront.py", line 1, in checkout\nValueError: ended \xff\n'
    (tmp_path / "issue.txt").write_bytes(b"Checkout fails\n\n" + trace)
    assert main(["locate", SHOP, str(tmp_path / "issue.txt"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["hits"][0]["symbol"]["fqn"].endswith("Storefront.checkout")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(trace)))
    assert main(["locate", SHOP, "-", "--explain", "1"]) == 0
    assert "storefront.py:1 checkout" in capsys.readouterr().out
    assert main(["locate", SHOP, str(tmp_path / "missing.txt")]) == 2
    assert "cannot be read" in capsys.readouterr().err
    (tmp_path / "empty.txt").touch()
    assert main(["locate", SHOP, str(tmp_path / "empty.txt")]) == 2
    assert "the report is empty" in capsys.readouterr().err


def test_callers_status_and_demo(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["callers", SHOP, "validate_session", "--depth", "2"]) == 0
    assert main(["status", SHOP, "--skipped"]) == 0
    assert main(["status", SHOP, "--json"]) == 0
    assert '"schema"' in capsys.readouterr().out
    assert main(["demo"]) == 0
    assert "an identifier" in capsys.readouterr().out
    assert main(["demo", SHOP]) == 0


def test_the_demo_of_another_repository_asks_for_no_special_method(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", SHOP]) == 0
    asked = [line for line in capsys.readouterr().out.splitlines() if line.startswith("── callers of ")]
    assert len(asked) == 1
    assert "__" not in asked[0]


def test_nothing_found_and_errors_have_their_own_status(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["callers", SHOP, "webshop.cli.main", "--depth", "1"]) in (0, 1)
    assert main(["ask", str(tmp_path / "nowhere"), "x"]) == 2
    assert main(["ask", SHOP, ""]) == 2
    assert main(["ask", SHOP, "x", "--lanes", "bm52"]) == 2
    assert main(["callers", SHOP, "no_such_symbol_here"]) == 2
    told = capsys.readouterr().err
    assert "nowhere" in told
    assert "bm52" in told
    assert "no_such_symbol_here" in told


def test_every_command_is_in_the_readme() -> None:
    text = README.read_text("utf-8")
    (commands,) = (action.choices for action in parser()._actions if isinstance(action.choices, dict))
    for name in commands:
        assert name in text, f"the README does not mention `codeexplore {name}`"


def test_a_reader_that_leaves_early_is_no_error() -> None:
    command = [sys.executable, "-m", "codeexplore.cli", "status", SHOP, "--skipped"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.close()
        assert b"Traceback" not in child.stderr.read()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows says of a file on the way that nothing is there")
def test_a_cache_that_is_no_folder_costs_only_the_cache(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a file"
    file.write_text("not a folder")
    monkeypatch.setenv("CODEEXPLORE_CACHE", str(file))
    assert main(["ask", SHOP, "validate_session"]) == 0
    assert "SessionManager.validate_session" in capsys.readouterr().out
    for action, done in (("list", "listed"), ("verify", "verified"), ("clear", "cleared")):
        assert main(["cache", action]) == 2
        told = capsys.readouterr().err
        assert f"can't be {done}" in told
        assert str(file) in told
        assert "CODEEXPLORE_CACHE sets another folder" in told
    assert main(["doctor", SHOP]) == 0
    words = capsys.readouterr().out.split()  # lines are wrapped, and how depends on the length of the path
    assert "CODEEXPLORE_CACHE sets another folder" in " ".join(words)


def test_clearing_what_is_not_kept_says_so(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEEXPLORE_CACHE", str(tmp_path))
    assert main(["cache", "clear", "no/such/repository"]) == 1
    assert "no index of 'no/such/repository' is stored" in capsys.readouterr().out
    assert main(["cache", "clear"]) == 0


def test_without_a_command_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    told = capsys.readouterr().err
    assert "rank the symbols that answer a question" in told
    assert "examples:" in told
