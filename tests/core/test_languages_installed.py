"""Languages of other packages: the example of docs/extending.md, installed from outside the repository."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.git_repos import write

PAGE = (Path(__file__).parents[2] / "docs" / "extending.md").read_text("utf-8").partition("## A language")[2]
MODULE, QUERY, PROJECT = (
    re.search(rf"(?ms)^```{name}\n(.*?)^```", PAGE)[1]  # type: ignore[index]
    for name in ("python", "scheme", "text")
)
ENTRY = "".join(re.findall(r"(?m)^\[project\.entry-points\..*\n.+\n", PROJECT))
REPOSITORY = {
    "src/shop/cart.gleam": (
        "/// Adds up the prices of a cart.\n"
        "pub fn total(prices: List(Int)) -> Int {\n  add(prices, 0)\n}\n\n"
        "fn add(prices: List(Int), sum: Int) -> Int {\n  sum\n}\n\n"
        "pub type Cart {\n  Cart(prices: List(Int))\n}\n"
    ),
    "src/shop/till.gleam": "import shop/cart\n\npub fn receipt(prices) {\n  cart.total(prices)\n}\n",
    "test/till_test.gleam": "import shop/till\n\npub fn receipt_test() {\n  till.receipt([])\n}\n",
    "notes.unheard": "text\n",
}
PROGRAM = """
import json, sys, warnings
caught = warnings.catch_warnings(record=True).__enter__()
warnings.simplefilter("always")
from codeexplore import Workspace
from codeexplore.languages import registry
ws = Workspace(sys.argv[1], progress=lambda *_: None)
print(json.dumps({
    "symbols": {symbol.fqn: symbol.kind for symbol in ws.symbols},
    "doc": next((symbol.doc for symbol in ws.symbols if symbol.name == "total"), ""),
    "callers": [symbol.fqn for symbol in ws.callers("total")] if "Gleam" in ws.summary.files else [],
    "files": ws.summary.files,
    "problems": [problem.what for problem in ws.status().problems],
    "warnings": [str(each.message) for each in caught if each.category is RuntimeWarning],
}))
"""


def install(folder: Path, name: str, entry: str, modules: dict[str, str]) -> None:
    """Write what an installer would: modules and the folder with metadata."""
    info = f"codeexplore_{name}-1.0.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: codeexplore-{name}\nVersion: 1.0\n"
    entry = entry.replace('"', "").replace("project.entry-points.", "")
    write(folder, {**modules, f"{info}/METADATA": metadata, f"{info}/entry_points.txt": entry})


def explored(repository: Path, folder: Path, cache: Path) -> dict[str, Any]:
    environment = {**os.environ, "PYTHONPATH": str(folder), "CODEEXPLORE_CACHE": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(repository)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def test_the_example_finds_symbols_and_answers_callers_and_its_edits_are_seen(tmp_path: Path) -> None:
    assert len([line for text in (MODULE, QUERY, ENTRY) for line in text.splitlines()]) <= 40
    repository, packages, cache = write(tmp_path / "repo", REPOSITORY), tmp_path / "packages", tmp_path / "cache"
    install(packages, "gleam", ENTRY, {"gleam_language.py": MODULE, "gleam.scm": QUERY})
    found = explored(repository, packages, cache)
    assert found["files"]["Gleam"] == 3
    assert found["symbols"]["src/shop/cart.total"] == "function"
    assert found["symbols"]["src/shop/cart.Cart"] == "type"
    assert found["doc"] == "Adds up the prices of a cart."
    assert found["callers"] == ["src/shop/till.receipt"]
    assert not [line for line in found["problems"] if "gleam" in line]
    assert explored(repository, packages, cache)["symbols"] == found["symbols"]  # from the stored index
    write(packages, {"gleam.scm": QUERY.replace("@definition.type", "@definition.class")})
    assert explored(repository, packages, cache)["symbols"]["src/shop/cart.Cart"] == "class"
    names = 'names={"type_definition": ("<type_name", "name")},'
    assert names in MODULE
    write(packages, {"gleam_language.py": MODULE.replace(names, "")})
    assert "src/shop/cart.Cart" not in explored(repository, packages, cache)["symbols"]


WRONG = {
    "raises": ("raise RuntimeError('broken')", "RuntimeError: broken"),
    "nothing": ("GLEAM = None", "TypeError: nothing:GLEAM is not a codeexplore.languages.base.Language"),
    "taken": (MODULE.replace('name="gleam"', 'name="python"'), "there is another language with the name 'python'"),
    "missing": (MODULE.replace("gleam.scm", "missing.scm"), "FileNotFoundError"),
    "misspelt": (MODULE.replace("gleam.scm", "wrong.scm"), "its query captures @commnt, which nothing handles"),
}


def test_a_package_that_cannot_be_used_is_a_line_of_the_status(tmp_path: Path) -> None:
    repository = write(tmp_path / "repo", {**REPOSITORY, "shop.py": "def total(): ...\n"})
    wrong = f"{QUERY}\n(comment) @commnt  ; a misspelt capture\n"
    for name, (module, _) in WRONG.items():
        entry = ENTRY.replace("gleam_language", name).replace("gleam =", f"{name} =")
        install(tmp_path / "packages", name, entry, {f"{name}.py": module, "gleam.scm": QUERY, "wrong.scm": wrong})
    found = explored(repository, tmp_path / "packages", tmp_path / "cache")
    assert found["symbols"]["shop.total"] == "function"
    assert "Gleam" not in found["files"]
    for lines in (found["problems"], found["warnings"]):
        for name, (_, problem) in WRONG.items():
            told = [line for line in lines if f"language {name} of codeexplore-{name} 1.0" in line]
            assert [problem in line for line in told] == [True], name


def test_no_package_of_the_explored_repository_is_used(tmp_path: Path) -> None:
    repository = write(tmp_path / "repo", REPOSITORY)
    install(repository, "gleam", ENTRY, {"gleam_language.py": MODULE, "gleam.scm": QUERY})
    done = subprocess.run(
        [sys.executable, "-m", "codeexplore", "status", str(repository)],
        cwd=repository,
        env={**os.environ, "CODEEXPLORE_CACHE": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert "Gleam" not in done.stdout + done.stderr
