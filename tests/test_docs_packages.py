"""CONTRIBUTING.md: its map of the packages is made from their docstrings.

``python -m tests.test_docs_packages`` writes the map anew.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "CONTRIBUTING.md"
MAP = re.compile(r"(?s)(<!-- packages: [^\n]*-->\n).*?(<!-- /packages -->)")


def layers() -> list[str]:
    """The modules and packages below `codeexplore`, from the top layer of the import contract to the lowest."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    return [name for layer in contracts[0]["layers"] for name in layer.split(" | ")]


def packages() -> Iterator[tuple[str, Path]]:
    """Yield (path from the package, file with the docstring) of each module and package in the map."""
    for name in layers():
        folder = ROOT / "codeexplore" / name
        if not folder.is_dir():
            yield f"{name}.py", folder.with_suffix(".py")
            continue
        for file in sorted(folder.rglob("__init__.py")):
            yield f"{file.parent.relative_to(ROOT / 'codeexplore').as_posix()}/", file


def described(file: Path) -> tuple[str, str]:
    """The first sentence of a docstring, and its sentence that begins with "Change it to"."""
    text = " ".join((ast.get_docstring(ast.parse(file.read_text("utf-8"))) or "").split("\n\n")[0].split())
    whole = " ".join((ast.get_docstring(ast.parse(file.read_text("utf-8"))) or "").split())
    change = re.search(r"Change it to (.*?)\.(?: |$)", whole)
    return text.split(". ")[0].rstrip("."), change[1] if change else ""


def package_map() -> str:
    rows = [f"| `{name}` | {what} | {change} |" for name, file in packages() for what, change in [described(file)]]
    return "\n".join(["| package | what it is | change it to |", "|---|---|---|", *rows]) + "\n"


def written(page: str) -> str:
    return MAP.sub(lambda match: match[1] + package_map() + match[2], page)


def test_the_map_is_that_of_the_docstrings() -> None:
    page = PAGE.read_text("utf-8")
    assert MAP.search(page)
    assert written(page) == page, "python -m tests.test_docs_packages"


def test_every_package_says_what_it_is() -> None:
    assert [name for name, file in packages() if len(described(file)[0]) < 15] == []


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text("utf-8")), "utf-8", newline="\n")
