"""Imports that spare what nobody needs: what they leave out, and that nobody else can tell."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from codeexplore import Workspace, sample_repo


def told(script: str) -> list[str]:
    """What a script prints in a process of its own, line by line; warnings are errors."""
    done = subprocess.run([sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_question_loads_neither_drawing_nor_sparse_matrices(tmp_path: Path) -> None:
    kept = tmp_path / "ledger.zip"
    Workspace(sample_repo("ledger"), cache=False, progress=lambda *_: None).save(kept)
    lines = told(
        "import sys\n"
        "from codeexplore import Workspace\n"
        f"ws = Workspace.open({str(kept)!r})\n"
        "print(len(ws.search('what calls the code that reads a ledger?').hits) > 0)\n"
        "print([lane.status for lane in ws.search('how is a balance computed?').result.rankings])\n"
        "print([m for m in ('matplotlib', 'igraph', 'igraph._igraph', 'scipy.sparse', 'model2vec', 'joblib')"
        " if m in sys.modules])\n"
    )
    assert lines == ["True", "['ok', 'ok', 'ok']", "[]"]


def test_igraph_comes_whole_after_its_core() -> None:
    lines = told(
        "from codeexplore.lazy_import import import_submodule\n"
        "core = import_submodule('igraph', '_igraph')\n"
        "alone = core.GraphBase(3, [(0, 1), (1, 2)], True).personalized_pagerank(reset=[1, 0, 0])\n"
        "import igraph, sys\n"
        "graph = igraph.Graph(3, [(0, 1), (1, 2)], directed=True)\n"
        "print(graph.personalized_pagerank(reset=[1, 0, 0]) == alone)\n"
        "print(igraph.GraphBase is core.GraphBase, igraph._igraph is core, sys.modules['igraph._igraph'] is core)\n"
        "print(igraph.split_join_distance([0, 0, 1], [0, 1, 1]), import_submodule('igraph', '_igraph') is core)\n"
    )
    assert lines == ["True", "True True True", "(1, 1) True"]


def test_a_package_that_runs_already_gives_its_own_part() -> None:
    lines = told(
        "import igraph\n"
        "from codeexplore.lazy_import import import_submodule\n"
        "print(import_submodule('igraph', '_igraph') is igraph._igraph)\n"
    )
    assert lines == ["True"]


def test_parts_of_packages_that_are_not_there() -> None:
    from codeexplore.lazy_import import import_submodule

    with pytest.raises(ImportError):
        import_submodule("no_such_package", "part")
    with pytest.raises(ImportError):
        import_submodule("json", "no_such_part")


_PACKAGE = "import sys\nsys.path.insert(0, {folder!r})\nfrom codeexplore.lazy_import import lazy_package\n"


def test_a_stand_in_leads_to_the_package_and_is_gone(tmp_path: Path) -> None:
    folder = _outer(tmp_path)
    lines = told(
        _PACKAGE.format(folder=folder) + "with lazy_package('outer.heavy'):\n"
        "    import outer.heavy as held\n"
        "print('outer.heavy' in sys.modules, hasattr(sys.modules['outer'], 'heavy'))\n"
        "print(held.VALUE)\n"
        "import outer.heavy\n"
        "print(outer.heavy is held, outer.heavy.VALUE, held.VALUE, outer.heavy.__file__.endswith('__init__.py'))\n"
    )
    assert lines == ["False False", "heavy runs", "7", "False 7 7 True"]


def test_a_look_inside_while_it_is_postponed_imports_it(tmp_path: Path) -> None:
    lines = told(
        _PACKAGE.format(folder=_outer(tmp_path)) + "with lazy_package('outer.heavy'):\n"
        "    from outer.heavy import VALUE\n"
        "    import outer.heavy.part\n"
        "print(VALUE, outer.heavy.part.VALUE, type(outer.heavy).__name__)\n"
    )
    assert lines == ["heavy runs", "7 8 module"]


@pytest.mark.parametrize("name", ["outer.heavy", "no_such_package", "no_such_package.part", "json"])
def test_nothing_to_postpone(tmp_path: Path, name: str) -> None:
    lines = told(
        _PACKAGE.format(folder=_outer(tmp_path)) + "import json, outer.heavy as before\n"
        "held = dict(sys.modules)\n"
        f"with lazy_package({name!r}):\n"
        "    print(sys.modules == held)\n"
        "print(sys.modules['outer.heavy'] is before)\n"
    )
    assert lines == ["heavy runs", "True", "True"]


def _outer(tmp_path: Path) -> str:
    heavy = tmp_path / "outer" / "heavy"
    heavy.mkdir(parents=True)
    (heavy.parent / "__init__.py").write_text("")
    (heavy / "__init__.py").write_text("print('heavy runs')\nVALUE = 7\n")
    (heavy / "part.py").write_text("VALUE = 8\n")
    return str(heavy.parents[1])
