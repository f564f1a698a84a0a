"""A repository that tries to run in every way a Python environment offers, opened in every way: nothing of it runs."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.git_repos import commit, git, repository, write

MODULES = (
    # of the standard library: what is imported late, by us or by what we import
    "__future__", "ast", "asyncio", "bz2", "concurrent", "configparser", "csv", "dataclasses", "difflib", "email",
    "graphlib", "gzip", "hashlib", "html", "json", "logging", "lzma", "multiprocessing", "pickle", "platform",
    "queue", "random", "secrets", "select", "shutil", "socket", "sqlite3", "statistics", "subprocess", "tempfile",
    "textwrap", "tomllib", "typing", "unicodedata", "urllib", "uuid", "xml", "zipfile", "zlib",
    # our dependencies, and what they would use where it is installed
    "bm25s", "cairo", "igraph", "jax", "jinja2", "joblib", "matplotlib", "model2vec", "networkx", "numba", "numpy",
    "orjson", "pandas", "platformdirs", "plotly", "pygments", "pyvis", "re2", "safetensors", "scipy", "sklearn",
    "Stemmer", "texttable", "tokenizers", "torch", "tqdm", "tree_sitter", "tree_sitter_language_pack", "watchfiles",
    # what Python, its tools and plugins look for
    "sitecustomize", "usercustomize", "conftest", "setup", "noxfile", "workers", "settings", "evil",
)  # fmt: skip
ENTRY_POINTS = (
    "console_scripts", "pytest11", "pygments.lexers", "pygments.formatters", "pygments.styles", "matplotlib.backend",
    "networkx.backends", "networkx.plugins", "jupyter_serverproxy_servers", "traitlets.plugins", "codeexplore",
)  # fmt: skip

USED = """
import sys
from codeexplore import Workspace
from codeexplore.answers.html.writer import shown_html
if __name__ == "__main__":
    ws = Workspace({root!r}, workers=1, cache=False, progress=lambda *_: None)
    assert not ws.summary.warnings, ws.summary.warnings
    answer = ws.search("what calls total?")
    answer.to_markdown(), shown_html(answer), answer.explain(1)
    ws.callers("total").to_markdown(), ws.grep("total"), ws.dead_code(), ws.cycles(), ws.communities(), ws.status()
    ws.callers("total").to_frame(), ws.hubs(), ws.graph
    open({root!r} + "/more.py", "w").write("from pkg.shop import total\\n\\n\\ndef more():\\n    return total()\\n")
    with ws.watch():
        ws.refresh()
    assert [symbol.name for symbol in ws.callers("total").symbols].count("more") == 1
    ws.save({saved!r})
    Workspace.open({saved!r}).search("total")
    print("used")
"""

WATCHED = """
import time
from codeexplore import Workspace
if __name__ == "__main__":
    ws = Workspace({root!r}, workers=1, cache=False, progress=lambda *_: None)
    with ws.watch(debounce=0.01, interval=0.05) as watch:
        open({root!r} + "/more.py", "w").write("from pkg.shop import total\\n\\n\\ndef more():\\n    return total()\\n")
        until = time.monotonic() + 120
        while not watch.refreshes and time.monotonic() < until:
            time.sleep(0.01)
    assert not watch.error, watch.error
    ws.wait_for_graph()
    assert [symbol.name for symbol in ws.callers("total").symbols].count("more") == 1
    print("used")
"""


def hostile(folder: Path, mark: Path) -> Path:
    """The repository. Whatever of it runs leaves its name in a file."""

    def harm(name: str) -> str:
        return f"open({str(mark)!r}, 'a').write({name!r} + ' ran\\n')\n"

    def shell(name: str) -> str:
        return f"#!/bin/sh\necho {name} ran >> {mark}\ncat\n"

    entries = "".join(f"[{group}]\npython = evil:run\n" for group in ENTRY_POINTS)
    files: dict[str, str] = {
        **{f"{name}.py": harm(name) for name in MODULES},
        "__main__.py": harm("__main__"),
        "evil.pth": f"import os; {harm('pth')}",
        "plugin-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: plugin\nVersion: 1.0\n",
        "plugin-1.0.dist-info/entry_points.txt": entries,
        "ipython_config.py": harm("ipython_config"),
        ".ipython/profile_default/startup/00.py": harm("ipython startup"),
        "pytest.ini": "[pytest]\naddopts = -p evil\n",
        "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n[project.scripts]\nshop = "evil:run"\n',
        "package.json": f'{{"name": "shop", "scripts": {{"postinstall": "echo npm ran >> {mark}"}}}}',
        "pkg/__init__.py": harm("pkg"),
        "pkg/shop.py": harm("pkg.shop") + "def total():\n    return 1\n\n\ndef basket():\n    return total()\n",
        "pkg/view.ts": "export function view() { return 1 }\n",
        "tool": shell("tool"),
        ".gitattributes": "*.py filter=evil diff=evil merge=evil\n",
        ".envrc": f"echo direnv ran >> {mark}\n",
        ".vscode/tasks.json": '{"tasks": [{"command": "./tool", "runOptions": {"runOn": "folderOpen"}}]}',
        ".vimrc": ":!./tool\n",
        ".editorconfig": "root = true\n",
    }
    root = repository(folder, files, None)
    with zipfile.ZipFile(root / "lib.zip", "w") as archive:
        for name in MODULES:
            archive.writestr(f"{name}.py", harm(f"{name} in a zip"))
    commit(root, "all")
    tool = root / "tool"
    tool.chmod(0o755)
    settings = {
        "core.fsmonitor": str(tool), "core.pager": str(tool), "core.sshCommand": str(tool), "core.editor": str(tool),
        "core.hooksPath": str(root / "hooks"), "diff.evil.textconv": str(tool), "filter.evil.smudge": str(tool),
        "filter.evil.clean": str(tool), "diff.external": str(tool), "credential.helper": f"!{tool}",
        "uploadpack.packObjectsHook": str(tool), "core.alternateRefsCommand": str(tool), "gpg.program": str(tool),
        "merge.evil.driver": str(tool), "core.askPass": str(tool), "core.gitProxy": str(tool),
    }  # fmt: skip
    for name, value in settings.items():
        git(root, "config", name, value)
    hooks = (
        "post-checkout",
        "pre-commit",
        "post-merge",
        "post-index-change",
        "reference-transaction",
        "fsmonitor-watchman",
    )
    for name in hooks:
        for place in (root / "hooks" / name, root / ".git" / "hooks" / name):
            write(place.parent, {name: shell(name)})
            place.chmod(0o755)
    mark.unlink(missing_ok=True)
    return root


class Opened:
    """A process in which the repository is opened in one way.

    Parameters
    ----------
    folder
        Of the test.
    """

    def __init__(self, folder: Path) -> None:
        self.mark, self.elsewhere = folder / "ran", folder / "elsewhere"
        self.root = hostile(folder / "repo", self.mark)
        self.elsewhere.mkdir()
        self.used = USED.format(root=str(self.root), saved=str(self.elsewhere / "saved"))
        self.environment = os.environ | {"CODEEXPLORE_CACHE": str(folder / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}

    def ran(self) -> list[str]:
        """What of the repository has run."""
        return [line.removesuffix(" ran") for line in self.mark.read_text().splitlines()] if self.mark.exists() else []

    def python(self, *words: str, folder: Path, given: str = "") -> str:
        """What Python prints. It must end well."""
        done = subprocess.run(
            [sys.executable, *words], cwd=folder, input=given, env=self.environment,
            capture_output=True, text=True, check=False, timeout=250,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-2_000:]
        return done.stdout


def a_script_inside_it(way: Opened) -> str:
    write(way.root, {"explore_it.py": way.used})
    return way.python(str(way.root / "explore_it.py"), folder=way.elsewhere)


def a_script_that_puts_it_first(way: Opened) -> str:
    """Itself, and a zip in it."""
    first = f"import sys\nsys.path[:0] = [{str(way.root / 'lib.zip')!r}, {str(way.root)!r}]\n"
    write(way.elsewhere, {"explore_it.py": first + way.used})
    return way.python(str(way.elsewhere / "explore_it.py"), folder=way.elsewhere)


def python_m(way: Opened) -> str:
    return way.python("-m", "codeexplore", "ask", ".", "what calls total?", folder=way.root) and "used"


def a_prompt_in_it(way: Opened) -> str:
    """What the prompt itself imports from the folder, before it reads a line, has to be taken away."""
    while way.python("-q", "-i", folder=way.root, given="\n") or way.ran():
        for name in way.ran():
            (way.root / f"{name}.py").unlink()
        way.mark.unlink(missing_ok=True)
    lines = way.used.replace('if __name__ == "__main__":\n', "if True:\n")
    return way.python("-q", "-i", folder=way.root, given=lines + "\n\n")


def from_git(way: Opened) -> str:
    """Also of an address that git reaches by ssh, from inside the repository: its settings name the ssh to run."""
    again = "Workspace.from_git({!r}, workers=0, cache=False, progress=lambda *_: None).search('total')\n"
    code = (
        "from codeexplore import GitError, Workspace\n" + again.format(str(way.root)) + "try:\n"
        "    Workspace.from_git('ssh://nobody@localhost:1/none.git', progress=lambda *_: None)\n"
        "except GitError:\n    print('used')\n"
    )  # fmt: skip
    return way.python("-P", "-c", code, folder=way.root)


def a_watch_inside_it(way: Opened) -> str:
    write(way.root, {"watch_it.py": WATCHED.format(root=str(way.root))})
    return way.python(str(way.root / "watch_it.py"), folder=way.root)


def a_notebook_in_it(way: Opened) -> str:
    """What the kernel itself imports from the folder, before and for a cell that does nothing, is not looked at."""
    from jupyter_client.manager import start_new_kernel

    printed: list[str] = []
    manager, client = start_new_kernel(kernel_name="python3", cwd=str(way.elsewhere), env=way.environment)
    try:
        cells = (
            f"import os, sys; os.chdir({str(way.root)!r}); sys.path.insert(0, {str(way.root)!r})",
            "pass",
            f"open({str(way.mark)!r}, 'w').close()",
            f"{way.used}\nshown = Workspace({str(way.root)!r}, cache=False).explore()\nshown",
            "answer",
        )
        for cell in cells:
            client.execute_interactive(
                cell,
                timeout=250,
                allow_stdin=False,
                output_hook=lambda message: printed.append(str(message["content"])),
            )
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    return "".join(printed)


WAYS: tuple[Callable[[Opened], str], ...] = (
    a_script_inside_it, a_script_that_puts_it_first, python_m, a_prompt_in_it, from_git, a_watch_inside_it,
    a_notebook_in_it,
)  # fmt: skip


@pytest.mark.skipif(os.name == "nt", reason="hooks and filters are shell scripts")
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_nothing_of_a_repository_runs(way: Callable[[Opened], str], tmp_path: Path) -> None:
    opened = Opened(tmp_path)
    said = way(opened)
    assert "used" in said, said
    assert opened.ran() == []


def test_the_repository_runs_where_nobody_keeps_it_from_that(tmp_path: Path) -> None:
    """So that the tests above can fail."""
    opened = Opened(tmp_path)
    opened.python("-c", "import json, tree_sitter", folder=opened.root)
    git(opened.root, "status")
    assert {"json", "tree_sitter", "tool"} <= set(opened.ran())


def test_what_is_called_back_imports_as_ever(tmp_path: Path) -> None:
    """A script's own modules, which lie beside it, from a function that a load calls."""
    write(tmp_path, {
        "repo/a.py": "def f():\n    return 1\n",
        "mine.py": "said = 'mine'\n",
        "helper.py": "def hook(*_):\n    import mine\n    print(mine.said)\n",
        "script.py": "from codeexplore import Workspace\nimport helper\n"
        f"Workspace({str(tmp_path / 'repo')!r}, cache=False, progress=helper.hook)\n",
    })  # fmt: skip
    done = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("mine"), done.stderr


def test_the_path_of_a_child_holds_what_is_installed_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from codeexplore import trusted_imports
    from codeexplore.workspace.workers import child_process

    away = [tmp_path / name for name in ("repo", "repo/src", "neither")]
    for folder in away:
        folder.mkdir()
        monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setattr(trusted_imports, "_explored", {str(tmp_path.resolve() / "repo")})
    monkeypatch.chdir(tmp_path)
    first, others = trusted_imports.search_path()
    assert str(tmp_path / "neither") in others
    assert not {str(away[0]), str(away[1]), str(tmp_path)} & {*first, *others}
    assert not {str(folder) for folder in away} & set(child_process._folders())
