"""The optional compiled form: what is compiled, that it can be, and that nothing takes one form for the other."""

from __future__ import annotations

import ast
import importlib.util
import sys
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from codeexplore import Workspace
from codeexplore.index import cache as index_cache
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


@cache
def _generators() -> set[str]:
    """Names of compiled functions that yield."""
    return {
        function.name
        for path in FILES
        for function in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(function, ast.FunctionDef)
        and any(isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(function))
    }


def _called(test: ast.Compare) -> set[str]:
    """Names of the functions whose result a comparison looks for a value in."""
    return {
        each.func.attr if isinstance(each.func, ast.Attribute) else each.func.id
        for operator, each in zip(test.ops, test.comparators, strict=True)
        if isinstance(operator, ast.In | ast.NotIn)
        and isinstance(each, ast.Call)
        and isinstance(each.func, ast.Attribute | ast.Name)
    }


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT / "codeexplore").as_posix())
def test_compiled_modules_hold_nothing_that_compiles_badly(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    generators = _generators()
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            assert len(node.bases) <= 1, f"{node.name}: compiled classes have one base"
        if isinstance(node, ast.FunctionDef):
            named = {decorator.id for decorator in node.decorator_list if isinstance(decorator, ast.Name)}
            assert "cached_property" not in named, f"{node.name}: compiled code would work it out on every access"
        if isinstance(node, ast.Compare):
            members = [part for each in node.comparators for part in getattr(each, "elts", ())]
            assert not any(isinstance(part, ast.Starred) for part in members), f"line {node.lineno}: mypyc fails at it"
            assert not _called(node) & generators, f"line {node.lineno}: compiled generators have no __contains__"
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


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The build hook, without hatchling, which only a build needs."""
    interface = ModuleType("hatchling.builders.hooks.plugin.interface")
    interface.BuildHookInterface = object  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, interface.__name__, interface)
    for name in ("hatchling", "hatchling.builders", "hatchling.builders.hooks", "hatchling.builders.hooks.plugin"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    spec = importlib.util.spec_from_file_location("hatch_build_of_the_test", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_wheel_is_compiled_where_there_is_a_compiler_and_nobody_says_otherwise(
    hook: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    compiler = tmp_path / ("cl.exe" if sys.platform == "win32" else "cc")
    compiler.write_text("#!/bin/sh\n")
    compiler.chmod(0o755)
    (tmp_path / "Python.h").write_text("")
    monkeypatch.setattr(hook.sysconfig, "get_path", lambda name: str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CC", "cc -pthread")
    for said, wanted in (("", True), ("0", False), ("1", True)):
        monkeypatch.setenv("CODEEXPLORE_COMPILED", said)
        assert hook.wanted() is wanted
        assert hook.required() is (said == "1")
    compiler.unlink()
    monkeypatch.setenv("CODEEXPLORE_COMPILED", "")
    assert not hook.wanted()
    monkeypatch.setenv("CODEEXPLORE_COMPILED", "1")
    assert hook.wanted()  # and then fails, with the compiler's own message


def test_mypyc_translates_every_listed_module(hook: ModuleType, tmp_path: Path) -> None:
    """A build falls back to plain Python without failing, so that nothing else would tell."""
    pytest.importorskip("setuptools", reason="mypyc needs it")
    extensions = hook.translated(ROOT, hook.modules(ROOT, PATTERNS), tmp_path)
    assert {extension.name for extension in extensions} >= {
        path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".") for path in FILES
    }


def test_compiling_that_fails_gives_a_plain_wheel_unless_it_is_required(
    hook: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    said: list[str] = []

    def failing(*given: object) -> dict[str, str]:
        raise SystemExit("solver.py: error")

    monkeypatch.setattr(hook, "_compiled", failing)
    monkeypatch.setattr(hook, "has_compiler", lambda: True)
    build = hook.CompileHook()
    build.root, build.config = str(ROOT), {"modules": PATTERNS}
    build.app = SimpleNamespace(display_warning=said.append)
    data: dict[str, object] = {"force_include": {}}
    monkeypatch.setenv("CODEEXPLORE_COMPILED", "")
    build.initialize("standard", data)
    build.finalize("standard", data, "")
    assert data == {"force_include": {}}
    assert "solver.py: error" in said[0]
    monkeypatch.setenv("CODEEXPLORE_COMPILED", "1")
    with pytest.raises(SystemExit):
        build.initialize("standard", data)
    build.finalize("standard", data, "")
    build.initialize("editable", data)  # a checkout is never compiled
    assert data == {"force_include": {}}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, str], None]]:
    """Function that makes an installation current: its folder, and the text of its one module."""

    def install(name: str, text: str) -> None:
        place = tmp_path / name
        model = place / "search" / "lanes" / "bundled"
        model.mkdir(parents=True, exist_ok=True)
        (model / "CHECKSUMS").write_text("")
        (place / "room.py").write_text(text)
        monkeypatch.setattr(index_cache, "_PACKAGE", place)
        for each in (index_cache.code_hash, index_cache.installation, index_cache.index_versions):
            each.cache_clear()

    yield install
    monkeypatch.undo()
    for each in (index_cache.code_hash, index_cache.installation, index_cache.index_versions):
        each.cache_clear()


def test_installations_of_the_same_sources_share_an_index(
    package: Callable[[str, str], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A compiled and a plain one too: the compiled modules are made from the sources, and give the same bytes."""
    monkeypatch.setenv("CODEEXPLORE_CACHE", str(tmp_path / "cache"))
    repository = tmp_path / "repository"
    repository.mkdir()
    (repository / "m.py").write_text("def f(): pass\n")

    def read() -> bool:
        return bool(Workspace(repository, workers=0, progress=lambda *_: None).status().cache.this)

    package("compiled", "")
    (tmp_path / "compiled" / "room.cpython-311-x86_64-linux-gnu.so").write_bytes(b"\x7fELF")
    package("plain", "x = 1\n")
    assert not read()
    package("compiled", "x = 1\n")
    assert read()
    package("plain", "x = 1\n")
    assert read()
    package("plain", "x = 2\n")
    assert not read()  # of the same size, as an edit may leave it


def test_the_status_says_which_form_runs(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text("def f(): pass\n")
    status = Workspace(tmp_path, cache=False, workers=0, progress=lambda *_: None).status()
    assert status.versions["form"] == ("Python" if str(solver.__file__).endswith(".py") else "compiled")
