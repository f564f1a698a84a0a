"""The public names, and what importing them costs."""

from __future__ import annotations

import pydoc
import re
import subprocess
import sys
from pathlib import Path

import pytest

import codeexplore


def test_all_names_exist_and_are_documented() -> None:
    for name in codeexplore.__all__:
        value = getattr(codeexplore, name)
        assert name == "__version__" or value.__doc__, f"{name} has no docstring"
    assert sorted(codeexplore.__all__) == codeexplore.__all__
    assert set(codeexplore.__all__) <= set(dir(codeexplore))


_PROJECT = Path(codeexplore.__file__).parents[1]
_PAGES = [
    *(_PROJECT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")),
    *(_PROJECT / name for name in ("benchmarks/RESULTS.md", "training/README.md")),
    *sorted((_PROJECT / "docs").glob("*.md")),
]


@pytest.mark.parametrize("page", _PAGES, ids=lambda page: page.relative_to(_PROJECT).as_posix())
def test_pages_name_modules_that_exist(page: Path) -> None:
    folders = ("codeexplore", "tests", "benchmarks", "fuzz", "training", "docs", "notebooks", "sample_repos", "binder")
    modules = [
        *(f"/{path.name}" for path in _PROJECT.glob("*.py")),
        *(f"/{path.relative_to(_PROJECT).as_posix()}" for name in folders for path in (_PROJECT / name).rglob("*.py")),
        "/setup.py",  # of an explored repository
        *("/to_do.py", "/gleam_language.py"),  # of the worked examples
    ]
    text = page.read_text("utf-8")
    paths = r"\b(?:codeexplore|benchmarks|fuzz|training|docs|notebooks)/[\w/]+\.py\b"  # also in commands
    named = {*re.findall(r"`([\w/]+\.py)`", text), *re.findall(paths, text)}
    assert [name for name in sorted(named) if not any(each.endswith(f"/{name}") for each in modules)] == []
    inside = [
        f"/{path.relative_to(_PROJECT).as_posix()}/" for name in folders for path in (_PROJECT / name).rglob("*/")
    ]
    there = [*inside, *(f"/{name}/" for name in folders), "/src/"]  # one of explored repositories
    named = set(re.findall(r"`([\w/]+/)`", text))
    assert [name for name in sorted(named) if not any(each.endswith(f"/{name}") for each in there)] == []
    dotted = re.findall(r"`(codeexplore(?:\.\w+)+)(?<!\.json)`", text)
    assert [name for name in dotted if pydoc.locate(name) is None] == []


def test_unknown_names_raise_attribute_error() -> None:
    assert not hasattr(codeexplore, "Worksapce")


def loaded_after(code: str) -> set[str]:
    """Top-level modules in a fresh interpreter after running `code`."""
    script = f"{code}\nimport sys\nprint(' '.join(sorted({{name.partition('.')[0] for name in sys.modules}})))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


HEAVY = {
    "IPython", "bm25s", "igraph", "ipywidgets", "matplotlib", "model2vec", "networkx", "numpy", "pandas", "pathspec",
    "pygments", "pyvis", "re2", "scipy", "tokenizers", "torch", "tqdm", "tree_sitter", "tree_sitter_language_pack",
}  # fmt: skip


def test_importing_the_package_loads_no_engine() -> None:
    assert not loaded_after("import codeexplore") & HEAVY


def test_a_script_that_searches_loads_no_notebook_nor_torch() -> None:
    code = "from codeexplore import Workspace, sample_repo; Workspace(sample_repo('webshop'), workers=0).search('cart')"
    unwanted = {
        "IPython", "ipywidgets", "torch", "transformers", "pyvis", "networkx", "jupyterlab", "model2vec",
    }  # fmt: skip
    assert not loaded_after(code) & unwanted


def test_the_version_is_that_of_the_installed_package() -> None:
    from importlib.metadata import version

    assert codeexplore.__version__ == version("jupyter-codeexplore")
