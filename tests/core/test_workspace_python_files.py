"""Files of Python programs that are not where, or not written as, most are: links, mapped folders, notebooks, lines."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from codeexplore import Workspace


def opened(root: Path, files: Mapping[str, str]) -> Workspace:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode())
    return Workspace(root, cache=False, workers=0, progress=lambda *_: None)


def callers(ws: Workspace, name: str) -> list[str]:
    return sorted(symbol.fqn for symbol in ws.callers(name))


PACKAGE = {
    "code/impl/__init__.py": "",
    "code/impl/core.py": "def mix(): pass\n",
    "code/impl/deep.py": "from . import core\n",
}
USE = {"use.py": "import sound.core\nfrom sound.core import mix\ndef run():\n    mix()\n    sound.core.mix()\n"}


@pytest.mark.parametrize(
    ("manifest", "text"),
    [
        ("setup.py", "from setuptools import setup\nsetup(package_dir={'sound': 'code/impl'})\n"),
        ("setup.py", "DIRS = {'': 'lib', 'sound': './code/impl'}\nsetup(name='x', package_dir=DIRS)\n"),
        ("setup.cfg", "[options]\npackage_dir =\n    sound = code/impl\n"),
        ("pyproject.toml", '[tool.setuptools.package-dir]\nsound = "code/impl"\n'),
        ("pyproject.toml", '[tool.hatch.build.targets.wheel.sources]\n"code/impl" = "sound"\n'),
    ],
)
def test_a_package_is_found_in_the_folder_to_which_a_manifest_maps_it(tmp_path: Path, manifest: str, text: str) -> None:
    ws = opened(tmp_path, {manifest: text, **PACKAGE, **USE})
    assert callers(ws, "impl.core.mix") == ["use.run"]


@pytest.mark.parametrize(
    "text", ["setup(package_dir=dirs())\n", "setup(package_dir={'sound': '../out'})", "(" * 5000, "\0"]
)
def test_a_mapping_that_is_not_literal_maps_nothing(tmp_path: Path, text: str) -> None:
    ws = opened(tmp_path, {"setup.py": text, **PACKAGE, **USE})
    assert callers(ws, "impl.core.mix") == []


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege")
def test_links_are_modules_by_another_name(tmp_path: Path) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "alias.py").symlink_to("../real/core.py")
    (tmp_path / "linked").symlink_to("real")
    (tmp_path / "out.py").symlink_to("/etc/hostname")
    (tmp_path / "loop.py").symlink_to("loop.py")
    use = "from pkg import alias\nfrom linked.core import go\nimport out, loop\ndef run():\n    alias.go()\n"
    files = {
        "real/core.py": "def go(): pass\n",
        "pkg/__init__.py": "",
        "use.py": use,
        "other.py": use + "def more(): go()\n",
    }
    assert callers(opened(tmp_path, files), "core.go") == ["other.more", "other.run", "use.run"]


def test_a_checkout_without_links_has_files_with_their_targets(tmp_path: Path) -> None:
    files = {"real/core.py": "def go(): pass\n", "alias.py": "real/core.py", "real/same.py": "core.py"}
    use = "import alias\nfrom real import same\ndef run(): alias.go()\ndef more(): same.go()\n"
    assert callers(opened(tmp_path, {**files, "use.py": use}), "core.go") == ["use.more", "use.run"]


def test_every_line_end_ends_a_line(tmp_path: Path) -> None:
    text = "def one():\r    return 1\r\rdef two():\r\n    return one()\n\n@mark\rdef three(): pass\r"
    ws = opened(tmp_path, {"m.py": text})
    assert [(s.name, s.line) for s in ws.symbols if s.kind == "function"] == [("one", 1), ("two", 4), ("three", 8)]
    assert [edge.sites[0].line for edge in ws.callers("one").edges] == [5]


def test_names_are_equal_if_their_normal_forms_are(tmp_path: Path) -> None:
    text = "class Ａ:\n    def ﬁll(self): pass\n    µ = 'ﬁ'\ndef use(a: A):\n    a.fill()\n    return A.μ\n"
    ws = opened(tmp_path, {"m.py": text, "other.py": "from m import A as B\ndef go(): B().ﬁll()\n"})
    assert callers(ws, "m.A.fill") == ["m.use", "other.go"]
    assert [s.name for s in ws.symbols if s.kind == "field"] == ["μ"]


def notebook(cells: Sequence[str]) -> str:
    made = [{"cell_type": "code", "source": cell, "metadata": {}, "outputs": []} for cell in cells]
    return json.dumps({"cells": made, "metadata": {"kernelspec": {"language": "python"}}, "nbformat": 4})


def test_cells_of_notebooks_call(tmp_path: Path) -> None:
    first = (
        "%matplotlib inline\nfrom tools import Mixer, mix\nclass Own(Mixer):\n    def go(self):\n        self.mix()\n"
    )
    second = "%%timeit -n 3\nout = !ls\nOwn().go()\nmix?\n%time mix()"
    third = "%%bash\nmix()\n"
    tools = "class Mixer:\n    def mix(self): pass\ndef mix(): pass\n"
    ws = opened(
        tmp_path,
        {"work.ipynb": notebook([first, second, third]), "tools.py": tools, "lib.py": "import work\nwork.go()\n"},
    )
    assert callers(ws, "tools.mix") == ["work"]
    assert callers(ws, "tools.Mixer.mix") == ["work.Own.go"]
    assert [edge.sites[0].line for edge in ws.callers("work.Own.go").edges] == [8]
    assert ws.graph.externals.users("work.go")  # a notebook is no module


@pytest.mark.parametrize(
    "init",
    [
        "T = {'mend': '.repair', 'repair': '.repair'}\ndef __getattr__(name): return load(T[name])\n",
        "T = {'mend': ('kit.repair', 'mend')}\ndef __getattr__(name): return load(*T[name])\n",
        "T = {'mend': 'kit.repair.mend'}\ndef __getattr__(name): return load(T[name])\n",
        "T = {'mend': 'kit.repair:mend'}\ndef __getattr__(name): return load(T[name])\n",
        "T = {'repair': ['mend', 'tear']}\ndef __getattr__(name): return load(f'.{T[name]}')\n",
        "import lazy_loader as lz\n__getattr__, __dir__, _ = lz.attach(__name__, submod_attrs={'repair': ['mend']})\n",
        "def __getattr__(name):\n    if name == 'mend':\n        from .repair import mend\n        return mend\n",
    ],
)
def test_names_that_a_module_imports_when_asked(tmp_path: Path, init: str) -> None:
    use = "import kit\nfrom kit import mend\ndef run(): mend()\ndef again(): kit.mend()\n"
    ws = opened(tmp_path, {"kit/__init__.py": init, "kit/repair.py": "def mend(): pass\n", "use.py": use})
    assert callers(ws, "kit.repair.mend") == ["use.again", "use.run"]


def test_a_table_is_no_import_without_a_function_that_reads_it(tmp_path: Path) -> None:
    files = {"kit/__init__.py": "T = {'mend': '.repair'}\n", "kit/repair.py": "def mend(): pass\n"}
    ws = opened(tmp_path, {**files, "use.py": "from kit import mend\ndef run(): mend()\n"})
    assert callers(ws, "kit.repair.mend") == []
