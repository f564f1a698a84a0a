"""One journey of a person in a plain IPython terminal and in a shell: what a terminal shows, by a pseudo-terminal."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from codeexplore import sample_repo

pexpect = pytest.importorskip("pexpect")
pytestmark = pytest.mark.skipif(os.name == "nt", reason="pexpect needs a pseudo-terminal")

_CODES = re.compile(r"\x1b(?:\[[0-9;?]*[a-zA-Z]|\][^\x07\x1b]*(?:\x07|\x1b\\))")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "webshop"
    shutil.copytree(sample_repo("webshop"), folder)
    for command in (
        ["init", "-q"],
        ["add", "-A"],
        ["-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qm", "all"],
    ):
        subprocess.run(["git", *command], cwd=folder, check=True, capture_output=True)
    source = folder / "webshop" / "sessions.py"
    source.write_text(source.read_text("utf-8") + "\n\ndef purge_all():\n    return 0\n", "utf-8")
    return folder


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    home = str(tmp_path / "home")
    return {**os.environ, "HOME": home, "CODEEXPLORE_CACHE": str(tmp_path / "cache"), "TERM": "xterm", "NO_COLOR": "1"}


@pytest.fixture
def shell(repository: Path, environment: dict[str, str]) -> Iterator[Callable[[str], str]]:
    arguments = ["-m", "IPython", "--no-banner", "--simple-prompt", "--colors=NoColor", "--no-confirm-exit"]
    child = pexpect.spawn(
        sys.executable,
        arguments,
        cwd=str(repository),
        env=environment,
        encoding="utf-8",
        timeout=120,
        dimensions=(50, 160),
    )
    child.expect(r"In \[\d+\]: ")

    def run(line: str) -> str:
        child.sendline(line)
        child.expect(r"In \[\d+\]: ")
        return _CODES.sub("", child.before)

    yield run
    child.sendline("exit")
    child.close(force=True)


def test_a_journey_in_plain_ipython(shell: Callable[[str], str]) -> None:
    assert "Error" not in shell("%load_ext codeexplore")
    assert "webshop" in shell("%explore . --as ws")
    asked = shell("%ask how are expired sessions handled?")
    assert "webshop/sessions.py:" in asked
    assert "True" in shell("ws.wait_for_graph()")
    assert "requires_session" in shell("%callers validate_session")
    why = shell("%why requires_session validate_session")
    assert "webshop/decorators.py:" in why
    assert "purge_all" in shell("%changes HEAD")
    assert "Traceback" not in shell("ws.callers('validate_session')")


def test_a_first_load_speaks_before_it_answers(repository: Path, environment: dict[str, str]) -> None:
    arguments = ["-m", "codeexplore", "ask", str(repository), "who calls validate_session?"]
    child = pexpect.spawn(
        sys.executable, arguments, env=environment, encoding="utf-8", timeout=120, dimensions=(50, 160)
    )
    child.expect_exact("reading webshop …")
    child.expect_exact("webshop: reading files")
    child.expect_exact("requires_session")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
