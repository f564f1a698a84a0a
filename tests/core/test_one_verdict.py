"""Every surface words the same verdict on the same question."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from codeexplore import Workspace, sample_repo
from codeexplore.answers.html.show import shown_html
from codeexplore.answers.show import shown_text
from codeexplore.cli import main
from codeexplore.features.context.assistants.tools import as_functions
from codeexplore.types import Symbol

REPOSITORIES = ("webshop", "chatservice", "jobworker", "ledger")  # Python, TypeScript, Go, Java
_EACH = 8
_ASKED = {
    "callers": "who calls {}?",
    "impact": "what breaks if I change {}?",
    "callees": "what does {} call?",
}


@pytest.fixture(scope="module")
def loaded() -> dict[str, Workspace]:
    options = {"cache": False, "workers": 0}
    return {name: Workspace(sample_repo(name), progress=lambda *_: None, **options) for name in REPOSITORIES}


def targets(workspace: Workspace) -> Iterator[Symbol]:
    """Yield functions and methods with a name of their own, evenly spread over the repository."""
    catalog = workspace.catalog
    named = [s for s in catalog.symbols if s.kind in ("function", "method") and len(catalog.named(s.name)) == 1]
    named = [symbol for symbol in named if re.fullmatch(r"[A-Za-z_]\w{3,}", symbol.name)]
    yield from named[:: max(1, len(named) // _EACH)][:_EACH]


def plain(text: str) -> str:
    """Return text without markup, code marks and line breaks."""
    return " ".join(unescape(re.sub(r"<[^>]*>", "", text)).replace("`", "").replace("\\|", "|").split())


@pytest.mark.parametrize("relation", _ASKED)
@pytest.mark.parametrize("name", REPOSITORIES)
def test_every_surface_says_the_same(
    name: str,
    relation: str,
    loaded: dict[str, Workspace],
    shell,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    workspace = loaded[name]
    monkeypatch.setattr("codeexplore.workspace.open.open_workspace", lambda *_, **__: workspace)
    shell.run_line_magic("load_ext", "codeexplore")
    shell.push({"ws": workspace})
    walk = next(each for each in as_functions(workspace) if each.__name__ == "walk")
    checked = 0
    for symbol in targets(workspace):
        depth = 3 if relation == "impact" else 1  # as the planner chooses
        answer = getattr(workspace, relation)(symbol.name, depth=depth)
        assert answer.verdict is not None
        said = plain(answer.verdict.text).removesuffix(".")

        def agrees(text: str, said: str = said) -> None:
            assert said in plain(text)

        agrees(shown_text(answer))
        agrees(answer.to_markdown())
        agrees(shown_html(answer))
        agrees(json.loads(answer.to_json())["verdict"]["text"])
        asked = workspace.search(_ASKED[relation].format(symbol.name))
        assert asked.verdict is not None
        agrees(asked.notices[0])
        agrees(shown_text(asked))
        agrees(shown_html(asked))
        main([relation, "--depth", str(depth), ".", symbol.name])
        agrees(capsys.readouterr().out)
        agrees(repr(shell.run_line_magic(relation, f"{symbol.name} --depth {depth}")))
        agrees(walk(symbol=symbol.name, relation=relation, depth=depth))
        checked += 1
    assert checked >= _EACH - 1


# A call on an object whose members are found at run time, in two languages: a guess leads it to what finds the members.
GUESSED = {
    "app.py": """
class Proxy:
    def __getattr__(self, name): return lambda: None
class Server:
    def serve(self): finish()
class Other:
    def serve(self): pass
class Third:
    def serve(self): pass
class Fourth:
    def serve(self): pass
def finish(): pass
def start():
    app = Proxy()
    app.serve()
def sure(): Server().serve()
def other(): Other().serve()
""",
    "app.rb": """
class Proxy
  def method_missing(name)
  end
end
class Server
  def serve
    finish
  end
end
class Other
  def serve
  end
end
class Third
  def serve
  end
end
class Fourth
  def serve
  end
end
def finish
end
def start
  app = Proxy.new
  app.serve
end
def sure
  app = Server.new
  app.serve()
end
""",
}


@pytest.mark.parametrize("file", GUESSED)
def test_a_guess_removes_no_place_from_what_may_be(file: str, tmp_path: Path) -> None:
    (tmp_path / file).write_text(GUESSED[file])
    workspace = Workspace(tmp_path, cache=False, workers=0, progress=lambda *_: None)
    line = next(n for n, text in enumerate(GUESSED[file].splitlines(), 1) if "Proxy" in text and "=" in text) + 1
    server = next(s for s in workspace.catalog.symbols if s.name == "serve" and "Server" in s.fqn)
    answer = workspace.callers(server)
    assert [symbol.name for symbol in answer] == ["sure"]
    places = {use.site.line for use in answer.mentions} | {site.line for edge in answer.possible for site in edge.sites}
    assert line in places
    if file == "app.py":
        assert line + 2 not in places  # a call of another method, on an object of known type
        found = workspace.paths("start", "finish")
        assert found.verdict is not None
        assert found.verdict.kind == "possible"
        assert line in {use.site.line for use in found.verdict.mentions}


def test_a_higher_confidence_moves_callers_to_what_may_be(loaded: dict[str, Workspace]) -> None:
    usual, strict = (loaded["webshop"].callers("luhn_valid", min_confidence=least) for least in (0.6, 1.0))
    assert usual.verdict is not None
    assert strict.verdict is not None
    assert usual.verdict.text == strict.verdict.text  # all are certain
    callers = loaded["webshop"].callers("validate_session", min_confidence=1.0)
    assert callers.absence is not None
    assert callers.absence.kind == "possible"
    assert len(callers.absence.mentions) == len(loaded["webshop"].callers("validate_session"))
