"""The command line: the same answers as the façade, as text or JSON, with an exit status that tells."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from codeexplore import cli, sample_repo
from codeexplore.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"
SHOP = str(sample_repo("webshop"))


def test_ask_prints_ranked_symbols_and_with_explain_their_arithmetic(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", SHOP, "validate_session", "--top-k", "3", "--explain", "all"]) == 0
    assert "1/(60+1)" in capsys.readouterr().out
    assert main(["ask", SHOP, "validate_session", "--top-k", "3"]) == 0
    shown = capsys.readouterr().out
    assert "SessionManager.validate_session" in shown
    assert "1/(60" not in shown


def test_ask_json_carries_its_schema_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", SHOP, "--format", "json", "--lanes", "bm25,graph", "what calls validate_session?"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["schema"] == 1
    assert len(answer["hits"]) > 1


def test_locate_reads_a_file_or_standard_input(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = b'  File "/srv/shop/webshop/storefront.py", line 1, in checkout\nValueError: ended \xff\n'
    (tmp_path / "issue.txt").write_bytes(b"Checkout fails\n\n" + trace)
    assert main(["locate", SHOP, str(tmp_path / "issue.txt"), "--format", "json"]) == 0
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
    assert main(["status", SHOP, "--format", "json"]) == 0
    assert '"schema"' in capsys.readouterr().out
    assert main(["demo"]) == 0
    assert "what calls validate_session?" in capsys.readouterr().out
    assert main(["demo", SHOP]) == 0


def test_the_demo_of_another_repository_asks_what_a_person_asks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "m.py").write_text(
        'def load_user_config():\n    """>>> load_user_config()"""\n\n\n'
        "class Store: pass\n\n\ndef main():\n    load_user_config()\n    Store()\n    __call__()\n"
    )
    assert main(["demo", str(tmp_path)]) == 0
    asked = [line.strip("─ ") for line in capsys.readouterr().out.splitlines() if line.startswith("── ")]
    assert asked == ["how does it load the user config?", "Store", "what calls load_user_config?"]


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


def test_every_command_is_documented() -> None:
    text = PAGE.read_text("utf-8")
    for _, commands in cli.groups():
        for command in commands:
            assert f"codeexplore {command.name}" in text, f"docs/cli.md does not show `codeexplore {command.name}`"


def test_the_core_is_one_screen(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(cli.CORE) <= 14
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert max(map(len, shown)) <= 100
    assert shown.index("others") > shown.index("commands")


def test_the_last_argument_is_the_question_and_those_before_it_are_paths(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(SHOP)
    assert main(["callers", "luhn_valid"]) == 0
    assert main(["callers", "-q", "luhn_valid", "webshop/payments"]) == 0
    assert "CardGateway.validate" in capsys.readouterr().out
    assert main(["callers", "webshop/sessions.py", "webshop/payments", "--depth", "2", "luhn_valid"]) == 0
    assert main(["ask", "how", "are", "sessions", "kept?"]) == 2
    assert "no folder, file, package or URL 'how'" in capsys.readouterr().err
    assert main(["ask", "."]) == 2
    assert "QUESTION is missing" in capsys.readouterr().err
    assert main(["ask"]) == 2
    assert main(["paths", "luhn_valid"]) == 2
    assert "TO is missing" in capsys.readouterr().err
    assert main(["paths", "-q", "Storefront.checkout", "-q", "luhn_valid"]) == 0
    assert main(["paths", ".", "Storefront.checkout", "luhn_valid"]) == 0


def test_the_module_is_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "codeexplore", "symbol", SHOP, "luhn_valid", "--verbose"],
        capture_output=True,
        check=True,
    )
    assert b"def luhn_valid" in done.stdout
    assert b"seconds" in done.stderr


def test_an_unknown_command_names_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calers", SHOP, "x"]) == 2
    assert "did you mean 'callers'?" in capsys.readouterr().err
    assert main(["deadcode", "."]) == 2
    assert "did you mean 'survey dead-code'?" in capsys.readouterr().err


def test_a_mistake_with_verbose_shows_its_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["callers", SHOP, "no_such_symbol_here", "--verbose"]) == 2
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_a_shell_completes_commands_and_options(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert "callers" in script
    assert "--min-confidence" in script
    assert "dead-code" in script


def test_symbol_shows_a_source_or_an_outline(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["symbol", SHOP, "webshop/sessions.py", "--outline"]) == 0
    assert "validate_session" in capsys.readouterr().out
    assert main(["symbol", SHOP, "luhn_valid", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["kind"] == "source"


def test_a_reader_that_leaves_early_is_no_error() -> None:
    command = [sys.executable, "-m", "codeexplore", "status", SHOP, "--skipped"]
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
    assert main(["status", SHOP, "--doctor"]) == 0
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
    assert "rank the definitions (symbols) that answer a question" in told
    assert "examples:" in told


def test_too_little_memory_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def full(_: list[str]) -> int:
        raise MemoryError

    monkeypatch.setattr("codeexplore.cli._run", full)
    assert main(["status", "."]) == 2
    assert "memory" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["ask", "grep", "callers", "status", "survey", "map", "pack", "tests", "history"])
def test_a_terminal_speaks_before_the_slow_imports(command: str) -> None:
    """What is imported until the first line decides how soon it comes, on any machine."""
    code = (
        "import sys; from codeexplore.workspace.progress import Line; from codeexplore.cli import main\n"
        "slow = {'numpy', 'tree_sitter_language_pack', 'igraph'}\n"
        "said = lambda text: text and sys.exit(str([text, *sys.modules.keys() & slow]))\n"
        "Line.tell = said; main(sys.argv[1:])"
    )
    words = {"survey": ["hubs", "."], "status": ["."], "map": ["."], "tests": ["."], "history": ["."]}
    given = [sys.executable, "-c", code, command, *words.get(command, [".", "put_row"])]
    found = subprocess.run(given, cwd=SHOP, capture_output=True, text=True, check=False)
    assert found.stderr.strip() == "['reading webshop …']"
