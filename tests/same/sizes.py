"""Print how many lines and files each package has: ``python tests/same/sizes.py [FOLDER]``, a checkout of any version.

*doc* is the share of docstring lines, *head* that of the lines before a module's first function, class or constant.
Features are the packages in ``features/``; before it existed, those that only a feature needs.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent
BEFORE = frozenset(("assistants", "changes", "evaluation", "history", "lab", "packs", "tours", "tracing"))
"""Packages of features in versions without the folder ``features``."""
_DOCUMENTED = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_DEFINITIONS = (*_DOCUMENTED[1:], ast.Assign, ast.AnnAssign)


class Size(NamedTuple):
    """Numbers of files and lines."""

    files: int = 0
    lines: int = 0
    doc: int = 0
    head: int = 0

    def plus(self, other: Size) -> Size:
        return Size(*(one + another for one, another in zip(self, other, strict=True)))

    def row(self, name: str) -> str:
        per_file, share = self.lines / max(1, self.files), 100 / max(1, self.lines)
        counts = f"{self.lines:>8,} {self.files:>6} {per_file:>9.0f}"
        return f"{name:<22}{counts} {share * self.doc:>6.1f} % {share * self.head:>6.1f} %"


def size_of(file: Path) -> Size:
    """Return the size of one module. A module without a definition has no head."""
    text = file.read_text("utf-8")
    tree = ast.parse(text)
    doc = 0
    for node in ast.walk(tree):
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            doc += (node.body[0].end_lineno or 0) - node.body[0].lineno + 1
    first = next((node for node in tree.body if isinstance(node, _DEFINITIONS)), None)
    head = 0 if first is None else min(each.lineno for each in (first, *getattr(first, "decorator_list", ()))) - 1
    return Size(1, len(text.splitlines()), doc, head)


def package_of(path: Path) -> str:
    """Return the name of a module's row, from its path below the package."""
    if path.parts[0] == "features" and len(path.parts) > 2:
        return f"features/{path.parts[1]}"
    return path.parts[0] if len(path.parts) > 1 else "(modules)"


def sizes(checkout: Path) -> dict[str, Size]:
    """Return package → size, and the plugin of pytest, which belongs to the features."""
    found: dict[str, Size] = defaultdict(Size)
    for file in sorted((checkout / "codeexplore").rglob("*.py")):
        name = package_of(file.relative_to(checkout / "codeexplore"))
        found[name] = found[name].plus(size_of(file))
    found["codeexplore_pytest.py"] = size_of(checkout / "codeexplore_pytest.py")
    return found


def main(checkout: Path = ROOT) -> None:
    """Print the table."""
    found = sizes(checkout)
    print(f"{'':<22}{'lines':>8} {'files':>6} {'per file':>9} {'doc':>8} {'head':>8}")
    feature = {name for name in found if name in BEFORE or name.startswith(("features", "codeexplore_pytest"))}
    for title, names in (("core", [name for name in found if name not in feature]), ("features", sorted(feature))):
        total = Size()
        for name in sorted(names, key=lambda name: -found[name].lines):
            print(found[name].row(name))
            total = total.plus(found[name])
        print(total.row(f"= {title}"), end="\n\n")
    whole = Size()
    for each in found.values():
        whole = whole.plus(each)
    print(whole.row("= all"))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
