"""Files that other programs read: workflows, hooks and templates of issues are valid and name what exists."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_may_read_only_and_names_what_exists(path: Path) -> None:
    workflow = yaml.safe_load(path.read_text("utf-8"))
    assert workflow["permissions"] == {"contents": "read"}
    targets = set(re.findall(r"(?m)^([a-z]+):", (ROOT / "Makefile").read_text("utf-8")))
    for name, job in workflow["jobs"].items():
        assert job.get("permissions", {}) == ({"id-token": "write"} if name == "publish" else {})
        assert "timeout-minutes" in job
        assert set(job.get("needs", [])) <= set(workflow["jobs"])
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step)
            command = step.get("run", "")
            assert "${{" not in command  # text of a branch's name would become part of the script
            assert set(re.findall(r"\bmake (\w+)", command)) <= targets
            assert set(re.findall(r"\.\[(\w+)\]", command)) <= set(EXTRAS)
    assert "secrets." not in path.read_text("utf-8")


def test_every_python_of_every_system_is_tested() -> None:
    matrix = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text("utf-8"))["jobs"]["matrix"]["strategy"]
    assert matrix["matrix"]["os"] == ["ubuntu-latest", "macos-latest", "windows-latest"]
    assert matrix["matrix"]["python"] == ["3.11", "3.12", "3.13", "3.14"]
    built = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["cibuildwheel"]["build"]
    assert built.split() == ["cp" + version.replace(".", "") + "-*" for version in matrix["matrix"]["python"]]


def test_the_two_commands_are_tried_where_there_is_only_git_make_and_python() -> None:
    job = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text("utf-8"))["jobs"]["bare"]
    assert job["container"].startswith("debian:12")
    commands = "\n".join(step.get("run", "") for step in job["steps"])
    (installed,) = re.findall(r"apt-get install --yes (.*)", commands)
    assert set(installed.split()) == {"git", "make", "python3", "python3-venv"}
    assert re.findall(r"\bmake (\w+)", commands) == ["demo", "test"]


def test_hooks_and_templates_are_complete() -> None:
    (repository,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"]
    assert repository["repo"] == "local"
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for hook in repository["hooks"]:
        assert hook["language"] == "system"
        tool = re.sub(r"^\.venv/bin/(python -m )?|( check|--check| --.*)$", "", hook["entry"]).split()[0]
        assert tool in makefile
    for form in ("bug", "answer", "proposal"):
        body = yaml.safe_load((ROOT / f".github/ISSUE_TEMPLATE/{form}.yml").read_text("utf-8"))["body"]
        assert all(part["type"] == "markdown" or part["attributes"]["label"] for part in body)


def test_every_page_installs_the_distribution_by_its_name() -> None:
    """The package index refuses `codeexplore`: `code-explore` exists there."""
    assert tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["name"] == "jupyter-codeexplore"
    folders = ("codeexplore", "docs", "benchmarks", "notebooks", "fuzz", "binder", ".github")
    texts = [*ROOT.glob("*.md"), *(path for name in folders for path in (ROOT / name).rglob("*") if path.is_file())]
    texts = [path for path in texts if "node_modules" not in path.parts]
    kinds = (".md", ".py", ".yml", ".ipynb", "")
    other = re.compile(
        r"(?:pip|pipx|uv|uvx) (?:install|run|add) (?:-\S+ )*['\"]?codeexplore\b|[^-]\bcodeexplore\[\w+\]['\"]"
    )
    pages = [path for path in texts if path.suffix in kinds and other.search(path.read_text("utf-8"))]
    assert [path.relative_to(ROOT).as_posix() for path in pages] == []
