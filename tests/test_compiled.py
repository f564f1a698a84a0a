"""The optional compiled form: what is compiled, that it can be, and that nothing takes one form for the other."""

from __future__ import annotations

import ast
import os
import tomllib
from pathlib import Path

import pytest

from codeexplore.index import cache
from codeexplore.resolution import solver

ROOT = Path(__file__).parent.parent
HOOK = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"][
    "hooks"
]
PATTERNS = HOOK["custom"]["modules"]
FILES = sorted({path for pattern in PATTERNS for path in ROOT.glob(pattern) if path.name != "__init__.py"})


@pytest.mark.parametrize("pattern", PATTERNS)
def test_every_pattern_names_modules_of_the_package(pattern: str) -> None:
    found = list(ROOT.glob(pattern))
    assert found
    assert all(path.is_relative_to(ROOT / "codeexplore") for path in found)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT / "codeexplore").as_posix())
def test_compiled_modules_hold_nothing_that_compiles_badly(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            assert len(node.bases) <= 1, f"{node.name}: compiled classes have one base"
        if isinstance(node, ast.FunctionDef):
            named = {decorator.id for decorator in node.decorator_list if isinstance(decorator, ast.Name)}
            assert "cached_property" not in named, f"{node.name}: compiled code would work it out on every access"
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            assert not isinstance(node.left, ast.Tuple), f"line {node.lineno}: a tuple of so many fields in C"


def test_subclasses_of_compiled_classes_are_compiled_too() -> None:
    bodies = [node for path in FILES for node in ast.parse(path.read_text("utf-8")).body]
    compiled = {node.name for node in bodies if isinstance(node, ast.ClassDef)}
    assert "PointsToSolver" in compiled
    for path in (ROOT / "codeexplore").rglob("*.py"):
        if path in FILES:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                bases = {base.id for base in node.bases if isinstance(base, ast.Name)}
                assert not bases & compiled, f"{path.name}: {node.name} could not be made of a compiled class"


def test_an_index_tells_which_form_made_it() -> None:
    compiled = not str(solver.__file__).endswith(".py")
    assert cache.index_versions()["form"] == ("compiled" if compiled else "Python")


def test_a_compiled_module_changes_what_an_index_was_made_by(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "room.py").write_text("x = 1\n")
    os.utime(tmp_path / "room.py", ns=(1, 1))
    monkeypatch.setattr(cache, "_PACKAGE", tmp_path)
    before = cache._code()
    assert cache._code() == before
    (tmp_path / "room.cpython-311-x86_64-linux-gnu.so").write_bytes(b"\x7fELF")
    assert cache._code() != before
