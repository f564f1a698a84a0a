"""Every command and snippet of the documentation runs, on a sample repository.

Blocks of `python` run in one namespace for each page, lines of `ipython` in one shell, lines of `sh` as commands.
Commands that install, build, or measure for minutes are checked for their targets, scripts and options instead.
"""

from __future__ import annotations

import doctest
import io
import json
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from codeexplore import sample_repo
from codeexplore.cli import main
from tests.git_repos import git, repository
from tests.shells import run

ROOT = Path(__file__).parents[1]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "benchmarks" / "RESULTS.md",
    ROOT / "benchmarks" / "LABBOOK.md",
    *sorted((ROOT / "docs").glob("*.md")),
]
_BLOCK = re.compile(r"(?ms)^```(\w*)\n(.*?)^```")
_TOOLS = ("git ", "pip ", "python -m pip", "python -m venv", "peer/", "ir_measures ", "mutmut ", "pipx ")
"""Commands of other programs: they need a network, or files that other commands make."""
_SERVER = "codeexplore mcp . --http"  # runs until it is stopped


def blocks(path: Path, language: str) -> list[str]:
    return [code for name, code in _BLOCK.findall(path.read_text("utf-8")) if name == language]


def commands(path: Path) -> Iterator[str]:
    for block in blocks(path, "sh"):
        for line in block.replace("\\\n", " ").splitlines():
            if line.strip() and not line.startswith("#"):
                yield line.strip()


def with_language(language: str) -> list[Any]:
    """The pages with such blocks; the commands of the evaluation page, which load several commits, are slow."""
    pages = [path for path in PAGES if blocks(path, language)]
    slow = {path for path in pages if language == "sh" and path.stem == "evaluation"}
    return [pytest.param(path, id=path.stem, marks=[pytest.mark.slow] if path in slow else []) for path in pages]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A git repository with a few questions in it and beside it."""
    folder, shop = tmp_path_factory.mktemp("checkout") / "webshop", sample_repo("webshop")
    shutil.copytree(shop, folder, ignore=shutil.ignore_patterns(".*"))
    questions = json.loads((shop.parent / "webshop.eval.json").read_text("utf-8"))
    questions["questions"] = questions["questions"][:3]
    for target in (folder / "q.json", folder.parent / "webshop.eval.json"):
        target.write_text(json.dumps(questions), "utf-8")
    repository(folder, {}, "Begin")
    git(folder, "tag", "v1.0")
    return folder


def with_sample(text: str) -> str:
    """A snippet with the sample repository in the place of the reader's."""
    return re.sub(r"\bpath/to/repo\b|\bsample_repos/webshop\b", sample_repo("webshop").as_posix(), text)


def test_every_block_names_its_language() -> None:
    for path in PAGES:
        named = {name for name, _ in _BLOCK.findall(path.read_text("utf-8"))}
        assert named <= {"python", "ipython", "sh", "json", "text", "scheme"}, path.name


@pytest.mark.parametrize("path", [page for page in with_language("python") if page.id != "call-graph"])
def test_python_blocks_run(path: Path, checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(checkout)
    text = with_sample("\n".join(blocks(path, "python")))
    if ">>> " in text:
        example = doctest.DocTestParser().get_doctest(text, {}, path.name, str(path), 0)
        failures: list[str] = []
        assert doctest.DocTestRunner(verbose=False).run(example, out=failures.append).failed == 0, "".join(failures)
    else:
        exec(compile(text, str(path), "exec"), {"__name__": "page", "__file__": str(path)})


@pytest.mark.parametrize("path", with_language("ipython"))
def test_magics_run(path: Path, checkout: Path, monkeypatch: pytest.MonkeyPatch, shell: Any) -> None:
    monkeypatch.chdir(checkout)
    for block in blocks(path, "ipython"):
        for line in with_sample(block).splitlines():
            run(shell, line)


@pytest.mark.parametrize("path", with_language("sh"))
def test_commands_run(path: Path, checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = ROOT if path.stem == "CONTRIBUTING" else checkout
    monkeypatch.chdir(here)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"Checkout fails\n\nfor an expired session\n")))
    targets = set(re.findall(r"(?m)^([a-z]+):", (ROOT / "Makefile").read_text("utf-8")))
    for command in commands(path):
        if command.startswith((*_TOOLS, _SERVER)):
            continue
        program, *arguments = shlex.split(with_sample(command).partition(" | ")[0], comments=True)
        if program == "codeexplore":
            assert main(arguments) in (0, 1), command
        elif program == "make":
            assert {each for each in arguments if "=" not in each} <= targets, command
        else:
            assert program in ("python", ".venv/bin/python"), command
            script = (
                ROOT / arguments[0] if arguments[0] != "-m" else next(ROOT.glob(arguments[1].replace(".", "/") + "*"))
            )
            source = script.read_text("utf-8") if script.is_file() else ""
            for option in (each for each in arguments if each.startswith("--")):
                assert option in source, f"{command}: {script.name} has no {option}"
