"""Features: what the core imports without them, and one of another distribution, the example of docs/extending.md."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from codeexplore import sample_repo
from codeexplore.notebook.extension import magic_classes
from codeexplore.types import features

ROOT = Path(__file__).parents[2]
FEATURES = (
    "codeexplore.features.",
    *(
        f"codeexplore.{name}"
        for name in ["changes", "history", "tracing", "packs", "tours", "assistants", "evaluation", "lab"]
    ),
)


def ran(*command: str, path: Path | None = None) -> str:
    """The output of Python with the given arguments, with `path` among the folders that it imports from."""
    env = os.environ if path is None else {**os.environ, "PYTHONPATH": str(path)}
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, env=env, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "code",
    [
        "import codeexplore as ce; ws = ce.Workspace(path); ws.search('sessions'); ws.callers('Session.touch')",
        "from codeexplore.cli import main; main(['ask', path, 'expired sessions'])",
    ],
)
def test_questions_import_no_feature(code: str) -> None:
    shown = ran("-c", f"import sys; path = {str(sample_repo('webshop'))!r}\n{code}\nprint('\\n', *sys.modules)")
    loaded = shown.splitlines()[-1].split()
    assert "codeexplore.workspace.workspace" in loaded
    assert [name for name in loaded if name.startswith(FEATURES)] == []


def test_every_target_of_a_built_in_feature_exists() -> None:
    commands, names = set(), set()
    for feature in features.registered():
        targets = [feature.accessor, *feature.names, *feature.views.values(), feature.tools, feature.settings]
        targets += [each.add for each in feature.commands] + [each.make for each in (*feature.panels, *feature.actions)]
        for target in filter(None, targets):
            assert callable(feature.load(target)), target
        commands |= {command.name for command in feature.commands}
        for magics in feature.magics:
            made = feature.load(magics.target)
            assert {*made.magics["line"], *made.magics["cell"]} == set(magics.names)
            assert made in magic_classes()
            names |= set(magics.names)
    assert {"changes", "tour", "eval"} <= commands
    assert {"trace", "pack", "evaluate"} <= names


def test_an_answer_of_a_feature_reads_one_snapshot() -> None:
    """A refresh in another thread may replace the snapshot between two reads."""
    for feature in filter(lambda each: each.accessor, features.registered()):
        for name, method in inspect.getmembers(feature.load(feature.accessor), inspect.isfunction):
            views = re.findall(r"workspace\.view\(", inspect.getsource(inspect.unwrap(method)))
            assert len(views) <= 1, (feature.name, name)


def installed(folder: Path, name: str, module: str, code: str) -> None:
    """Write a distribution with one module and an entry point for it, as an installer does."""
    (folder / f"{module}.py").write_text(code, "utf-8")
    info = folder / f"{module}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text(f"[codeexplore.features]\n{name} = {module}:FEATURE\n", "utf-8")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with the installed example, and beside it a repository."""
    (tmp_path / "site").mkdir()
    (tmp_path / "repo").mkdir()
    text = "def tidy():\n    pass  # TODO sweep\n\n\n# TODO <b>paint</b>\n"
    (tmp_path / "repo" / "house.py").write_text(text, "utf-8")
    examples = re.findall(r"(?ms)^```python\n(.*?)^```", (ROOT / "docs" / "extending.md").read_text("utf-8"))
    (example,) = (each for each in examples if "FEATURE" in each)
    assert sum(1 for line in example.splitlines() if line.strip()) <= 40
    installed(tmp_path / "site", "to_do", "to_do", example)
    return tmp_path / "site"


EXPECTED = "2 lines with TODO\n\nby symbol\n  house.tidy  house.py:2\n  house  house.py:5"


def test_the_example_is_seen_in_python_and_on_the_command_line(site: Path) -> None:
    repo = str(site.parent / "repo")
    code = f"""import codeexplore
ws = codeexplore.Workspace({repo!r}, cache=False, workers=0)
assert ws.to_do is ws.to_do
assert "to_do" in dir(ws)
assert not hasattr(ws, "to_dos")
assert "house.tidy" in ws.to_do().to_markdown()
print(ws.to_do())"""
    assert ran("-c", code, path=site).strip() == EXPECTED
    assert ran("-m", "codeexplore", "to-do", repo, path=site).strip() == EXPECTED
    assert "list lines that ask for work" in ran("-m", "codeexplore", "--help", path=site)
    assert "--code-only" in ran("-m", "codeexplore", "to-do", "--help", path=site)
    (site.parent / "repo" / "house.py").write_text("def tidy(): ...\n", "utf-8")
    nothing = f"import sys; from codeexplore.cli import main; sys.exit(main(['to-do', {repo!r}]) != 1)"
    assert ran("-c", nothing, path=site).startswith("0 lines with TODO")


def test_the_example_is_seen_as_a_magic_and_in_the_explorer(site: Path) -> None:
    code = f"""from IPython.core.interactiveshell import InteractiveShell
from codeexplore import Workspace
shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "codeexplore")
ws = shell.user_ns["ws"] = Workspace({str(site.parent / "repo")!r}, cache=False, workers=0)
print(shell.run_line_magic("to_do", ""))
assert "1 lines with sweep" in str(shell.run_line_magic("to_do", "sweep -w ws"))
assert shell.user_ns["_answer"].blocks()
explorer = ws.explore()
heard = []
explorer.send = lambda message, buffers=None: heard.append(message)
explorer._heard(None, {{"id": "1", "kind": "view", "args": {{"key": "To do"}}}})
assert explorer.wait()
assert "lines with TODO" in heard[0]["html"], heard
explorer.close()
shell.run_line_magic("unload_ext", "codeexplore")
assert shell.find_line_magic("to_do") is None"""
    assert ran("-c", code, path=site).strip() == EXPECTED


def test_a_built_in_name_stays_and_what_cannot_be_imported_is_told(site: Path) -> None:
    installed(site, "review", "other", (site / "to_do.py").read_text("utf-8").replace('name="to_do"', 'name="review"'))
    installed(site, "broken", "broken", "import no_such_module")
    record = "from codeexplore.types.features import Feature\n"
    record += "FEATURE = Feature('halfway', 'half', 'half[all]', accessor='no_such_module:Half')\n"
    installed(site, "halfway", "halfway", record)
    code = f"""import warnings
from codeexplore import Workspace
ws = Workspace({str(site.parent / "repo")!r}, cache=False, workers=0)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    assert type(ws.review).__module__.startswith("codeexplore.")
    assert not caught  # entry points are not read for it
    status = ws.status()
print(*sorted(str(each.message) for each in caught), sep="\\n")
print(*sorted(each.what for each in status.problems if "feature" in each.what), sep="\\n")
try:
    ws.halfway
except ImportError as error:
    print(error)"""
    assert ran("-c", code, path=site).splitlines() == [
        "the feature 'broken' is not used: ModuleNotFoundError: No module named 'no_such_module'",
        "the feature 'review' is not used: another feature has the name 'review', which stays",
        "feature 'broken': ModuleNotFoundError: No module named 'no_such_module'",
        "feature 'review': another feature has the name 'review', which stays",
        "the feature 'halfway' can't be used: No module named 'no_such_module'; pip install 'half[all]'",
    ]


def test_names_views_tools_actions_and_settings_of_a_feature(site: Path) -> None:
    code = '''from traitlets import Int
from traitlets.config import Configurable
from codeexplore.types.features import Action, Feature, Tool

class Plain:
    """A value without blocks."""

class Numbers(Configurable):
    """Settings of the feature."""
    width = Int(7).tag(config=True)

def tools(workspace):
    words = {"word": {"type": "string", "description": "what to count"}}
    return [Tool("count", "Count a word.", words, lambda word, tokens: f"{word} in {workspace.name}, {tokens}\\x1b[m")]

def html(host):
    return f"<i>{host.workspace.name}</i>"

def opened(number):
    return number + 1

FEATURE = Feature(
    "all", "all hooks", names=("hooks:Plain",), views={"number": "hooks:opened"}, tools="hooks:tools",
    actions=(Action("Name", "hooks:html"),), settings="hooks:Numbers",
)
'''
    installed(site, "all", "hooks", code)
    code = f"""import codeexplore, hooks
from codeexplore.types.features import open_view
from IPython.core.interactiveshell import InteractiveShell
assert codeexplore.Plain is hooks.Plain and "Plain" in dir(codeexplore)
assert open_view("number", 1) == 2
ws = codeexplore.Workspace({str(site.parent / "repo")!r}, cache=False, workers=0)
count = ws.context.as_tools()[4]
assert count.__name__ == "count" and "what to count" in count.__doc__
assert count.schema["parameters"]["required"] == ["word"]
print(count(word="TODO", tokens=500))
print(count(other=1))
explorer = ws.explore()
explorer.send = lambda answer, _=None: print(answer["html"])
explorer._heard(None, {{"id": "1", "kind": "view", "args": {{"key": "Name"}}}})
assert explorer.wait()
shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "codeexplore")
shell.run_line_magic("config", "Numbers.width = 9")
assert [each.width for each in shell.configurables if isinstance(each, hooks.Numbers)] == [9]"""
    assert ran("-c", code, path=site).splitlines() == [
        "TODO in repo, 500⟨U+001B⟩[m",
        "Error: unknown argument 'other'; known are word, tokens",
        "<i>repo</i>",
    ]


def test_a_repository_registers_nothing(tmp_path: Path) -> None:
    """What is in the working folder may not even choose which installed module is imported."""
    installed(tmp_path, "own", "this", "")
    code = "import sys; from codeexplore.cli import main; main(['--help']); print('this' in sys.modules)"
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path, env=env
    )
    assert done.stdout.splitlines()[-1] == "False"
    assert done.stderr == ""
