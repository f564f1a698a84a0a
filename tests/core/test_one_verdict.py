"""Every surface words the same verdict on the same question."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from codeexplore import Workspace, sample_repo
from codeexplore.answers.html.writer import shown_html
from codeexplore.answers.show import shown_text
from codeexplore.cli import main
from codeexplore.features.context.assistants.tools import as_functions
from codeexplore.notebook import replies
from codeexplore.notebook.explorer import Explorer
from codeexplore.types import Symbol, Verdict

REPOSITORIES = ("webshop", "chatservice", "jobworker", "ledger")  # Python, TypeScript, Go, Java
_EACH = 8
_ASKED = {
    "callers": "who calls {}?",
    "impact": "what breaks if I change {}?",
    "callees": "what does {} call?",
    "uses": "what uses {}?",
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
    return " ".join(
        unescape(re.sub(r"</?(?!lambda:|class:)[a-z][^>]*>", "", text)).replace("`", "").replace("\\|", "|").split()
    )


class Surfaces:
    """All places that show an answer about one workspace. Each is asked for the texts that a user reads."""

    def __init__(self, workspace: Workspace, shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
        self.workspace, self.shell, self.capsys = workspace, shell, capsys
        self.tools = {each.__name__: each for each in as_functions(workspace)}
        self.explorer = Explorer(workspace)

    def forms(self, answer: Any) -> Iterator[str]:
        yield shown_text(answer)
        yield answer.to_markdown()
        yield shown_html(answer)

    def ran(self, *arguments: str) -> str:
        """Return what a command prints."""
        main(list(arguments))
        return self.capsys.readouterr().out

    def asked(self, question: str) -> Iterator[str]:
        """Yield the texts that a question gets: of the answer, the command, the magic, the assistants, the explorer."""
        answer = self.workspace.search(question)
        yield answer.notices[0]
        yield json.loads(answer.to_json())["verdict"]["text"]
        yield from self.forms(answer)
        yield self.ran("ask", ".", question)
        yield repr(self.shell.run_line_magic("ask", question))
        yield self.tools["ask"](question=question)
        found, _ = replies.search(self.explorer, question)
        yield found["verdict"]["text"]
        if found["walk"] in ("callers", "callees", "impact", "path"):
            shown = {"target": found["target"]} if found["walk"] == "path" else {}
            drawn, _ = replies.graph(self.explorer, found["start"], found["walk"], found["depth"], **shown)
            yield drawn["said"]


@pytest.fixture
def surfaces(
    loaded: dict[str, Workspace],
    shell: Any,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Iterator[Callable[[str], Surfaces]]:
    made: list[Surfaces] = []

    def of(name: str) -> Surfaces:
        monkeypatch.setattr("codeexplore.workspace.open.open_workspace", lambda *_, **__: loaded[name])
        shell.run_line_magic("load_ext", "codeexplore")
        shell.push({"ws": loaded[name]})
        made.append(Surfaces(loaded[name], shell, capsys))
        return made[-1]

    yield of
    for each in made:
        each.explorer.close()


def agree(verdict: Verdict | None, texts: Iterable[str]) -> None:
    assert verdict is not None
    said = plain(verdict.text).removesuffix(".")
    for text in texts:
        assert said in plain(text)


@pytest.mark.parametrize("relation", _ASKED)
@pytest.mark.parametrize("name", REPOSITORIES)
def test_every_surface_says_the_same(name: str, relation: str, surfaces: Callable[[str], Surfaces]) -> None:
    shown, checked = surfaces(name), 0
    for symbol in targets(shown.workspace):
        depth = 3 if relation == "impact" else 1  # as the planner chooses
        answer = getattr(shown.workspace, relation)(symbol.name, depth=depth)
        texts = [*shown.forms(answer), json.loads(answer.to_json())["verdict"]["text"]]
        steps = [] if relation == "uses" else ["--depth", str(depth)]
        texts.append(shown.ran(relation, *steps, ".", symbol.name))
        texts.append(repr(shown.shell.run_line_magic(relation, " ".join([symbol.name, *steps]))))
        texts.append(shown.tools["walk"](symbol=symbol.name, relation=relation, depth=depth))
        agree(answer.verdict, [*texts, *shown.asked(_ASKED[relation].format(symbol.name))])
        checked += 1
    assert checked >= _EACH - 1


@pytest.mark.parametrize("name", REPOSITORIES)
def test_every_surface_says_the_same_of_a_way(name: str, surfaces: Callable[[str], Surfaces]) -> None:
    shown = surfaces(name)
    named = list(targets(shown.workspace))
    kinds = set()
    for start, end in zip(named, [*named[3:], *named[:3]], strict=True):
        called = [each.name for each in shown.workspace.callees(start, depth=3)]
        for goal in (end.name, *called[-1:]):  # most have no way to another one, but each to what it calls
            if len(shown.workspace.catalog.named(goal)) > 1 or goal == start.name:
                continue
            answer = shown.workspace.paths(start.name, goal)
            texts = [*shown.forms(answer), json.loads(answer.to_json())["verdict"]["text"]]
            texts.append(shown.ran("paths", ".", start.name, goal))
            texts.append(repr(shown.shell.run_line_magic("paths", f"{start.name} {goal}")))
            texts.append(shown.tools["walk"](symbol=start.name, relation="path", to=goal))
            agree(answer.verdict, [*texts, *shown.asked(f"how does {start.name} reach {goal}?")])
            kinds.add(answer.verdict and answer.verdict.kind)
    assert {"found", "none"} & kinds


@pytest.mark.parametrize("name", REPOSITORIES)
def test_an_edge_a_dead_symbol_and_a_test_are_those_of_the_callers(
    name: str, surfaces: Callable[[str], Surfaces]
) -> None:
    """`why` explains each caller, nothing that has a caller is unused, and the tests are those of the impact."""
    shown = surfaces(name)
    workspace = shown.workspace
    unused = workspace.dead_code(["unused"]).symbols
    for symbol in targets(workspace):
        callers = list(workspace.callers(symbol))
        assert symbol not in unused or not callers
        for other in [*callers[:2], *targets(workspace)][:4]:
            if other.id != symbol.id:
                why = workspace.why(other, symbol)
                assert (why.to_dict()["verdict"] == "edge") or other not in callers
                for text in (*shown.forms(why), shown.ran("why", ".", other.id, symbol.id)):
                    assert plain(why.headline) in plain(text)
        impact = workspace.impact(symbol)
        listed = [each.fqn for each in impact.tests]
        assert [end.split(":")[-1] for end in json.loads(impact.to_json())["tests"]] == listed
        said = f"{len(listed)} test{' reaches' if len(listed) == 1 else 's reach'} it"
        for text in (*shown.forms(impact), shown.ran("impact", ".", symbol.id)):
            assert (said in plain(text)) is bool(listed)


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


NAMED = {
    "app.py": """
class Job:
    def go(self): ...
    def stop(self): ...
def sure(job: Job):
    job.stop()
    return job.go()
def unknown(x):
    return run(x.go)
def local(go):
    return run(go)
""",
    "app.ts": """
class Job { go() {} }
function sure(job: Job) { job.go() }
function unknown(x) { return run(x.go) }
function local(go) { return run(go) }
""",
    "app.go": """package app
type Job struct{}
func (j Job) go_() {}
func (j Job) Go() {}
func sure(job Job) { job.Go() }
func unknown(x any) { run(other(x).Go) }
func local(Go func()) { run(Go) }
""",
    "app.rs": """
pub struct Job;
impl Job { pub fn go(&self) {} }
pub fn sure(job: &Job) { job.go(); }
pub fn unknown() { assert!(parse(x => (1, 2)[0].go())); }
pub fn local(go: fn()) { assert!(run(go)); }
""",
}


@pytest.mark.parametrize("file", NAMED)
def test_a_certain_use_removes_no_mention_from_what_may_be(file: str, tmp_path: Path) -> None:
    (tmp_path / file).write_text(NAMED[file])
    workspace = Workspace(tmp_path, cache=False, workers=0, progress=lambda *_: None)
    answer = workspace.uses(next(s for s in workspace.catalog.symbols if s.name.lower() == "go"))
    assert [symbol.name for symbol in answer] == ["sure"]
    lines = NAMED[file].splitlines()
    named = [use.site.line for use in answer.mentions]
    assert named == [number for number, line in enumerate(lines, 1) if re.search(r"x\.go|\)\.Go|\]\.go", line)]


def test_a_line_of_a_macro_and_a_method_beside_a_field_of_its_name(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(
        "enum mode { SLOW, FAST };\n#define PICK(x) do { \\\n  (x)->mode = SLOW; \\\n} while (0)\n"
        'int sure(void) { return SLOW; } // SLOW\nconst char *text = "it is SLOW";\n'
    )
    (tmp_path / "b.rs").write_text(
        "struct Box { low: u8 }\nimpl Box {\n  fn low(&self) -> u8 { self.low }\n}\n"
        "fn sure(b: &Box) -> u8 { b.low() }\nfn make(low: u8) -> Box { Box { low } }\n"
        "fn taken(Box { low }: Box) -> u8 { 1 }\n"
    )
    workspace = Workspace(tmp_path, cache=False, workers=0)
    assert [use.site.line for use in workspace.uses("SLOW").mentions] == [3]
    method = next(s for s in workspace.catalog.symbols if s.name == "low" and s.kind == "method")
    answer = workspace.callers(method)
    assert ([symbol.name for symbol in answer], answer.mentions) == (["sure"], ())
    field = workspace.uses(next(s for s in workspace.catalog.symbols if s.name == "low" and s.kind == "field"))
    assert "taken" in {symbol.name for symbol in field}  # a pattern


BARE = {
    "a.swift": "struct Node { static var key: Node { Node() } }\nfunc sure() { use(Node.key) }\n"
    "func other(keys: [Node]) -> Bool { keys.contains(.key) }\n",
    "a.rb": "class Reader\n  def key; end\n  def sure; key; end\nend\nclass Wrap\n  delegate [:key] => :@file\nend\n",
}


@pytest.mark.parametrize("file", BARE)
def test_a_member_without_a_receiver_may_be_named(file: str, tmp_path: Path) -> None:
    (tmp_path / file).write_text(BARE[file])
    answer = Workspace(tmp_path, cache=False, workers=0).uses("key")
    assert [symbol.name for symbol in answer] == ["sure"]
    line = next(n for n, text in enumerate(BARE[file].splitlines(), 1) if re.search(r"\(\.key|:key|\(key\)", text))
    assert [use.site.line for use in answer.mentions] == [line]


def test_an_extension_of_an_outside_type_may_be_called_on_its_values(tmp_path: Path) -> None:
    (tmp_path / "a.kt").write_text(
        "import far.Flow\nimport far.flowOf\nfun <T> Flow<T>.check(act: () -> Unit) = act()\n"
        "fun sure(flow: Flow<Int>) = flow.check { }\nfun one() = flowOf(1).check { }\n"
        "fun two() = flowOf<Int> { throw x }.check { }\n"
    )
    answer = Workspace(tmp_path, cache=False, workers=0).callers("check")
    told = {use.site.line for use in answer.mentions} | {site.line for edge in answer.edges for site in edge.sites}
    assert told == {4, 5, 6}


def test_callers_tell_who_hands_the_function_on(tmp_path: Path) -> None:
    source = "def base(x): ...\ndef one(): base(1)\ndef two(): return start(base)\ndef start(f): return f\n"
    (tmp_path / "m.py").write_text(source)
    verdict = Workspace(tmp_path, cache=False, workers=0).callers("base").verdict
    assert verdict is not None
    assert verdict.text == "1 caller of m.base; 1 more symbol uses `base` without a call (m.py:3)."


def test_calls_that_all_mean_another_are_no_places(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(
        "class A:\n    def go(self): ...\nclass B:\n    def go(self): ...\n"
        "def one(a: A): a.go()\n"
        "def two(b: B, c: B): return b.go() + c.go()\n"
        "def three(b: B, c): return b.go() + c.go()\n"
    )
    answer = Workspace(tmp_path, cache=False, workers=0).callers("A.go")
    places = {use.site.line for use in answer.mentions} | {site.line for edge in answer.possible for site in edge.sites}
    assert places == {7}


def test_definitions_in_modules_far_apart_are_no_alternatives(tmp_path: Path) -> None:
    files = {
        "src/lib.rs": "mod helper;\nmod cli;\n",
        "src/helper.rs": "pub fn clamp(x: u8) -> u8 { x }\nfn own() { clamp(1); }\n",
        "src/cli/mod.rs": "pub mod commands;\n",
        "src/cli/commands.rs": "fn clamp(x: u8) -> u8 { x }\nfn other() { clamp(2); }\n",
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    assert Workspace(tmp_path, cache=False, workers=0).callers("crate::helper::clamp").mentions == ()


def test_a_higher_confidence_moves_callers_to_what_may_be(loaded: dict[str, Workspace]) -> None:
    usual, strict = (loaded["webshop"].callers("luhn_valid", min_confidence=least) for least in (0.6, 1.0))
    assert usual.verdict is not None
    assert strict.verdict is not None
    assert usual.verdict.text == strict.verdict.text  # all are certain
    callers = loaded["webshop"].callers("validate_session", min_confidence=1.0)
    assert callers.absence is not None
    assert callers.absence.kind == "possible"
    assert len(callers.absence.mentions) == len(loaded["webshop"].callers("validate_session"))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("m.py", "class Meta:\n    tint: str = ''\n\n\ndef show(m):\n    tint = m.tint\n    return tint\n"),
        ("m.py", "class Meta:\n    tint: str = ''\n\n\ndef show(tint, m):\n    return tint + m.tint\n"),
        (
            "m.ts",
            "export class Meta { tint = '' }\n"
            "export function show(m: any) {\n  const tint = m.tint\n  return tint\n}\n",
        ),
    ],
)
def test_a_member_beside_a_local_of_its_name_may_be_a_use(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    verdict = Workspace(tmp_path, workers=0, cache=False).uses("Meta.tint").verdict
    assert verdict is not None
    assert verdict.kind == "possible"
