"""Names and texts that would move a terminal's cursor, recolour it or turn what follows: shown as what they are."""

from __future__ import annotations

import json
import pickle
import unicodedata
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from codeexplore import cli
from codeexplore.cli.output import GRAPH_FORMATS
from codeexplore.types import errors
from codeexplore.types.errors import CodeExploreError, SymbolNotFound
from codeexplore.workspace import progress
from codeexplore.workspace.workspace import Workspace
from tests.git_repos import write

HARM = "\x1b[31m\x1b]0;owned\x07\u202e"
WORSE = f"{HARM}\x9b2J\x85\x7f\u2066\u200b"
ALLOWED = set("\n\t")


def forbidden(text: str) -> set[str]:
    """Control, format and surrogate characters, and separators of lines, in a text."""
    return {char for char in text if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")} - ALLOWED


pytestmark = pytest.mark.skipif("os.name == 'nt'", reason="Windows has no such names")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(
        tmp_path_factory.mktemp("hostile"),
        {
            f"{HARM}red.py": f'"""{HARM}"""\n@deco("{HARM}")\ndef danger(x="{HARM}"):\n    """{HARM} x."""\n'
            f"    return danger(x)  # {HARM}\n\n\ndef main():\n    return danger(1)\n",
            "a\rb.py": "def other(): danger()\n# \x1b[2J\ndef (((\n",
            f"dir{HARM}/README.md": f"# Title {HARM}\n\ntext {HARM}\n",
            f"run{HARM}.sh": f"#!/bin/sh {HARM}\nls\n",
            f"z{WORSE}.py": f"import json as z\ndef worse():\n    '{WORSE}'\n    return danger(2)\n",
            f"skipped.{WORSE}": "x",
            f"ignored{WORSE}.log": "x",
            ".gitignore": f"*{WORSE}.log\n",
            f"tests/test_{HARM}.py": "def test_x(): pass\n",
            "app.js": f"export function go() {{ eval('{HARM}') }}\n",
            "package.json": '{"name": "x", "bin": {"x\\u001b[31m": "./app.js"}}',
        },
    )


ASKED: tuple[tuple[str, ...], ...] = (
    ("ask", "danger"), ("ask", "what calls danger?"), ("ask", "worse", "--explain", "1"), ("grep", "danger"),
    ("related", "danger"), ("related", "worse", "--explain", "1"), ("status",), ("status", "--doctor"),
)  # fmt: skip
WALKED: tuple[tuple[str, ...], ...] = (
    ("callers", "danger"), ("callees", "worse"), ("uses", "json"), ("impact", "danger"),
    ("types", "subclasses", "json"),
    ("why", "main", "danger"), ("why", "danger", "main"), ("paths", "main", "danger"), ("survey", "cycles"),
    ("survey", "dead-code"),
    ("survey", "entry-points"), ("survey", "hubs"), ("survey", "modules"), ("survey", "communities"),
)  # fmt: skip
COMMANDS = (
    *ASKED, *((*command, "--format", "json") for command in ASKED), ("status", "--skipped"),
    *((*command, "--format", form) for command in WALKED for form in GRAPH_FORMATS),
    ("callers", f"nothing{HARM}"), ("callers", "red"), ("callers", f"a{WORSE}.py:99"), ("callers", f"x{WORSE}.py"),
    ("ask", WORSE), ("ask", f"what calls {WORSE}?"), ("grep", WORSE), ("grep", "--regex", f"({WORSE}"),
    ("cache", "list"), ("cache", "list", "--format", "json"),
)  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(map(ascii, command)))
def test_no_command_passes_them_on(
    command: tuple[str, ...], hostile: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Workspace, "__init__", already_loaded(hostile))
    words = 2 if command[0] in ("survey", "types") else 1
    cli.main([*command[:words], *([] if command[0] == "cache" else [str(hostile)]), *command[words:]])
    told = capsys.readouterr()
    assert told.out + told.err
    assert not forbidden(told.out + told.err)
    if command[-2:] == ("--format", "json"):
        json.loads(told.out)


@cache
def loaded(folder: Path) -> Workspace:
    return Workspace(folder, cache=False, workers=0, progress=lambda *_: None)


def already_loaded(folder: Path) -> Any:
    """An `__init__` that takes over a workspace, so that a hundred commands cost one load."""
    ready = loaded(folder)
    return lambda self, *_, **__: vars(self).update(vars(ready))


def test_no_repr_passes_them_on(hostile: Path) -> None:
    ws = loaded(hostile)
    answer, grepped, walked = ws.search("what calls danger?"), ws.grep("danger"), ws.callers("danger")
    shown: list[object] = [ws, ws.summary, answer, *answer, *answer.notices, grepped, *grepped, walked, *walked.edges]
    shown += [answer.explain(1), ws.status(), ws.paths("main", "danger"), ws.why("main", "danger"), ws.files]
    shown += [ws.dead_code(), ws.entry_points(), ws.hubs(), ws.modules(), ws.cycles(), ws.communities()]
    shown += [*ws.symbols, *ws.catalog.chunks, list(ws.symbols), *map(ws.file, ws.files), *map(ws.outline, ws.files)]
    shown += [ws.source(symbol) for symbol in ws.symbols if symbol.kind == "function"]
    for each in shown:
        assert not forbidden(repr(each)), type(each)
    for text in (answer.to_markdown(), walked.to_json(), walked.to_graphml(), walked.to_dot(), walked.to_mermaid()):
        assert not forbidden(text)
    assert json.loads(walked.to_json()) == json.loads(json.dumps(walked.to_dict()))


def test_logs_and_warnings_spell_them_out(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder = write(tmp_path / f"r{WORSE}", {f"a{WORSE}.py": "def f(: pass\n", f"n{WORSE}.ipynb": "{"})
    ws = Workspace(folder, cache=False, workers=0)
    assert not forbidden(caplog.text)
    assert not forbidden("".join(map(str, ws.status().problems)))


def test_errors_spell_them_out(hostile: Path) -> None:
    ws = Workspace(hostile, cache=False, workers=0, progress=lambda *_: None)
    with pytest.raises(SymbolNotFound) as found:
        ws.callers(f"runs{HARM}")
    assert any("\x1b" in name for name in found.value.nearest)  # as they are, to be asked for
    assert "⟨U+001B⟩" in str(found.value)
    assert not forbidden(str(found.value))


def test_every_error_is_shown_so_and_travels_as_it_is() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, CodeExploreError)]
    assert len(kinds) > 10
    for kind in kinds:
        error = kind(f"no {HARM} here\nnext line")
        assert str(error) == "no ⟨U+001B⟩[31m⟨U+001B⟩]0;owned⟨U+0007⟩⟨U+202E⟩ here\nnext line"
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), again.args) == (kind, error.args)
        assert type(kind.__new__(kind)) is kind  # so do some picklers rebuild it


def test_a_bar_spells_out_the_name_of_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []

    class Line:
        n = 0

        def __init__(self, desc: str, **_: object) -> None:
            shown.append(desc)

        def update(self, _: int) -> None:
            pass

        def close(self) -> None:
            pass

        @staticmethod
        def tell(_: str) -> None:
            pass

    monkeypatch.setattr(progress, "Line", Line)
    Workspace(write(tmp_path / f"{HARM}repo", {"a.py": "def f(): pass\n"}), cache=False, workers=0)
    assert shown
    assert not forbidden("".join(shown))
