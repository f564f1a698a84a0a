"""Names and texts that would move a terminal's cursor, recolour it or turn what follows: shown as what they are."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from codeexplore import cli, errors
from codeexplore.errors import CodeExploreError, SymbolNotFound
from codeexplore.workspace import progress
from codeexplore.workspace.workspace import Workspace
from tests.git_repos import write

HARM = "\x1b[31m\x1b]0;owned\x07\u202e"
FORBIDDEN = set("\x1b\x07\x08\r\u202e\u200b")

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
            f"tests/test_{HARM}.py": "def test_x(): pass\n",
            "app.js": f"export function go() {{ eval('{HARM}') }}\n",
            "package.json": '{"name": "x", "bin": {"x\\u001b[31m": "./app.js"}}',
        },
    )


@pytest.mark.parametrize(
    "command",
    [
        ("ask", "danger"), ("ask", "what calls danger?"), ("grep", "danger"), ("callers", "danger"),
        ("related", "danger"), ("impact", "danger"), ("why", "main", "danger"), ("paths", "main", "danger"),
        ("cycles",), ("dead-code",),
        ("entry-points",), ("hubs",), ("modules",), ("status",), ("callers", f"nothing{HARM}"), ("callers", "red"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_no_command_passes_them_on(command: tuple[str, ...], hostile: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name, *rest = command
    cli.main([name, str(hostile), *rest])
    told = capsys.readouterr()
    assert told.out + told.err
    assert not FORBIDDEN & set(told.out + told.err)


def test_errors_spell_them_out(hostile: Path) -> None:
    ws = Workspace(hostile, cache=False, workers=0, progress=lambda *_: None)
    with pytest.raises(SymbolNotFound) as found:
        ws.callers(f"runs{HARM}")
    assert any("\x1b" in name for name in found.value.nearest)  # as they are, to be asked for
    assert "⟨U+001B⟩" in str(found.value)
    assert not FORBIDDEN & set(str(found.value))


def test_every_error_is_shown_so_and_travels_as_it_is() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, CodeExploreError)]
    assert len(kinds) > 10
    for kind in kinds:
        error = kind(f"no {HARM} here\nnext line")
        assert str(error) == "no ⟨U+001B⟩[31m⟨U+001B⟩]0;owned⟨U+0007⟩⟨U+202E⟩ here\nnext line"
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), again.args) == (kind, error.args)


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

    monkeypatch.setattr(progress, "_tqdm", lambda: Line)
    Workspace(write(tmp_path / f"{HARM}repo", {"a.py": "def f(): pass\n"}), cache=False, workers=0)
    assert shown
    assert not FORBIDDEN & set("".join(shown))
