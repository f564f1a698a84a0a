"""Commands on streams of every encoding, without a terminal, and on ones that close."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from codeexplore import Workspace, cli, sample_repo
from codeexplore.cli.output import LINKS, in_commands, linked
from codeexplore.types import NextStep

ENCODINGS = ("cp1252", "latin-1", "ascii", "cp437", "utf-8", "utf-16")
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("ask", "validate_session"), ("ask", "how are sessions kept?", "--explain", "1"), ("ask", "x", "--format", "json"),
    ("grep", "session"), ("related", "validate_session"), ("callers", "validate_session"),
    ("callers", "validate_session", "--format", "markdown"), ("callers", "validate_session", "--format", "json"),
    ("callers", "validate_session", "--format", "graphml"), ("why", "SessionManager", "validate_session"),
    ("paths", "SessionManager", "validate_session"), ("status",), ("status", "--skipped"), ("survey", "hubs"),
    ("survey", "dead-code"),
    ("survey", "entry-points"), ("survey", "modules"), ("status", "--doctor"),
)  # fmt: skip


class Stream(io.TextIOWrapper):
    """Standard output of an encoding, over bytes in memory; a terminal if it is told so."""

    def __init__(self, encoding: str, terminal: bool = False) -> None:
        self.written = io.BytesIO()
        self.terminal = terminal
        super().__init__(self.written, encoding=encoding)

    def isatty(self) -> bool:
        return self.terminal

    def text(self) -> str:
        self.flush()
        return self.written.getvalue().decode(self.encoding)


@cache
def loaded() -> Workspace:
    return Workspace(sample_repo("webshop"), cache=False, workers=0, progress=lambda *_: None)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run a command on the sample with standard output of an encoding; gives its exit status and what it wrote."""
    ready = loaded()
    monkeypatch.setattr(Workspace, "__init__", lambda self, *_, **__: vars(self).update(vars(ready)))

    def run(command: tuple[str, ...], encoding: str, terminal: bool = False) -> tuple[int, str]:
        out, errors = Stream(encoding, terminal), Stream(encoding)
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stdout", out)
            patched.setattr(sys, "stderr", errors)
            words = 2 if command[0] in ("survey", "types") else 1
            status = cli.main([*command[:words], str(sample_repo("webshop")), *command[words:]])
        return status, out.text() + errors.text()

    return run


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_writes_in_any_encoding(command: tuple[str, ...], run: Any) -> None:
    usual, text = run(command, "utf-8")
    for encoding in ENCODINGS:
        status, told = run(command, encoding)
        assert status == usual
        assert "\ufffd" not in told
        if "json" in command:
            assert json.loads(told).keys() == json.loads(text).keys()
        else:
            assert len(told.splitlines()) == len(text.splitlines())


def test_what_an_encoding_lacks_reads_alike(run: Any) -> None:
    assert "<U+" not in "".join(run(command, "ascii")[1] for command in COMMANDS)


@pytest.mark.parametrize("environment", [{"TERM": "dumb"}, {"NO_COLOR": "1"}, {"COLUMNS": "20"}, {LINKS: "0"}], ids=str)
def test_a_terminal_of_any_kind(environment: dict[str, str], run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TERM", "NO_COLOR", "COLUMNS", LINKS):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    for command in COMMANDS:
        status, told = run(command, "utf-8", terminal=True)
        assert status in (0, 1)
        assert ("\x1b[" in told) <= ("NO_COLOR" not in environment and "TERM" not in environment)
        assert ("\x1b]8" in told) <= (LINKS not in environment and "TERM" not in environment)


def test_places_are_links_on_a_terminal_only(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv(LINKS, raising=False)
    command = ("callers", "validate_session")
    _, told = run(command, "utf-8", terminal=True)
    assert f"\x1b]8;;file://{sample_repo('webshop').as_posix()}" in told
    assert "\x1b" not in run(command, "utf-8")[1]


def test_a_link_leads_to_a_known_file_in_the_form_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path("/a b")
    assert linked("x c.py:3, d.py:4 c.py:0", root, ["c.py"]) == (
        "x \x1b]8;;file:///a%20b/c.py#3\x1b\\c.py:3\x1b]8;;\x1b\\, d.py:4 c.py:0"
    )
    monkeypatch.setenv(LINKS, "vscode://file{path}:{line}")
    assert "vscode://file/a%20b/c.py:3\x1b" in linked("c.py:3", root, ["c.py"])
    monkeypatch.setenv(LINKS, "x\x07{path}")
    assert linked("c.py:3", root, ["c.py"]) == "c.py:3"


@pytest.mark.skipif(os.name == "nt", reason="a POSIX shell")
@pytest.mark.parametrize(
    ("line", "status"), [("{} | head -c 20", 0), ("{} >&-", 0), ("{} | true", 0), ("LC_ALL=C PYTHONUTF8=0 {}", 0)]
)
def test_streams_that_close_end_a_command_quietly(line: str, status: int) -> None:
    command = f"'{sys.executable}' -m codeexplore ask '{sample_repo('webshop')}' validate_session"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {line.format(command)}"], capture_output=True, check=False,
        env={**os.environ, "PYTHONCOERCECLOCALE": "0"},
    )  # fmt: skip
    assert (done.returncode, b"Traceback" in done.stderr, b"Exception" in done.stderr) == (status, False, False)


@pytest.mark.parametrize(
    ("step", "python", "command"),
    [
        (NextStep("search", "finds x"), "ws.search() finds x", "codeexplore ask PATH finds x"),
        (NextStep("search", "finds x", ("a b",)), "ws.search('a b') finds x", "codeexplore ask PATH 'a b' finds x"),
        (
            NextStep("paths", "lists it", ("a", "b"), (("min_confidence", 0.5), ("kinds", ("CALLS", "READS")))),
            "ws.paths('a', 'b', min_confidence=0.5, kinds=('CALLS', 'READS')) lists it",
            "codeexplore paths PATH a b --min-confidence 0.5 --kinds CALLS,READS lists it",
        ),
        (NextStep("", "adds x", options=(("tests", False),)), "tests=False adds x", "--no-tests adds x"),
        (NextStep("wait_for_graph", "waits"), "ws.wait_for_graph() waits", "the same command waits"),
        (NextStep("Workspace.from_git", "clones", ("u",)), "Workspace.from_git('u') clones", ""),
    ],
)
def test_a_next_step_is_a_call_or_a_command(step: NextStep, python: str, command: str) -> None:
    assert (str(step), in_commands(step)) == (python, command)


@pytest.mark.parametrize(
    "command",
    [
        ("callers", "zzzzqqqq"), ("callers", "no/such.py:3"), ("symbol", "x"), ("ask", "x", "--lanes", "bm52"),
        ("grep", ""), ("grep", "--regex", "("), ("related", "zzzzqqqq"), ("callers", "auth"), ("uses", "zzzzqqqq"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_no_error_of_a_command_speaks_python(command: tuple[str, ...], run: Any) -> None:
    try:
        status, told = run(command, "utf-8")
    except SystemExit as usage:
        status, told = int(str(usage.code)), ""
    assert status in (1, 2)
    assert "ws." not in told
    assert "Workspace" not in told


@pytest.mark.parametrize("path", ["no/such/folder", "https//x", "a\0b", "x" * 5_000, ""])
def test_a_path_that_is_no_folder_is_told_in_commands(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["status", path]) == 2
    told = capsys.readouterr().err
    assert told.startswith("codeexplore: ")
    assert "Workspace" not in told
    assert "ws." not in told
