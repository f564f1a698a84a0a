"""The map of the packages in CONTRIBUTING.md and docs/architecture.md, made of the packages' docstrings.

``python docs/package_map.py`` writes it anew. The order is that of the layers in pyproject.toml.
"""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "CONTRIBUTING.md", ROOT / "docs" / "architecture.md")
_MAP = re.compile(r"(?<=<!-- packages -->\n).*?(?=<!-- /packages -->)", re.DOTALL)


def package_map() -> str:
    """Return a table of the packages and modules, the upper layers first, with the beginning of their docstrings."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    rows = ["| package | |", "|---|---|"]
    for layer in layers:
        for name in layer.split(" | "):
            rows.append(_row(ROOT / "codeexplore" / name, name))
            if name == "features":
                folders = sorted((ROOT / "codeexplore" / name).glob("*/__init__.py"))
                rows += [_row(path.parent, f"{name}/{path.parent.name}") for path in folders]
    return "\n".join(rows) + "\n"


def _row(path: Path, name: str) -> str:
    source, shown = (path / "__init__.py", f"{name}/") if path.is_dir() else (path.with_suffix(".py"), f"{name}.py")
    about = ast.get_docstring(ast.parse(source.read_bytes())) or ""
    first = " ".join(about.partition("\n\n")[0].replace("``", "`").split())
    return f"| `{shown}` | {first.replace('|', '&#124;')} |"


def with_map(text: str) -> str:
    """Return a page with the present map between its two marks."""
    return _MAP.sub(lambda _: package_map(), text)


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(with_map(page.read_text("utf-8")), "utf-8")
