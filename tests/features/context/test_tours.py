"""Tours: an order in which to read a repository. Its steps, their order, their sentences and their forms."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeexplore import Workspace
from codeexplore.answers.html.writer import shown_html
from codeexplore.cli import main
from codeexplore.features.context.notebook.panels import TourView
from codeexplore.features.context.tours.evidence import DocumentReader, code_lines, documents_of
from codeexplore.features.context.tours.tour import Tour, in_order
from codeexplore.languages.file_roles import PathRoles
from codeexplore.types import EDGE_KINDS
from codeexplore.types.errors import QuestionError
from tests.shells import refused, run

README = """
# Kettle

    from nothing import Teapot   # indented, but no block of this language

```python
from kettle import App, json as j

app = App(__name__)  # not Route

@app.route("/Tea")
def tea():
    return j.dumps({})

app.run()
```

Errors are `TeapotError`; see `Unknown`, and Route without quotes.
"""
GUIDE = """
Guide
=====

Use :class:`~kettle.Response`::

    response = app.make("x")
    response.text()

Route stands here in a sentence.

>>> from kettle.routing import Route
"""
SOURCE = {
    "README.md": README,
    "docs/guide.rst": GUIDE,
    "CHANGELOG.md": "```python\nimport kettle\nkettle.routing.Route()\n```\n",
    "kettle/__init__.py": "from kettle.app import App, Response, TeapotError\nfrom kettle import json\n",
    "kettle/json.py": 'def dumps(x):\n    """Write <b>JSON</b>.\n\n    More."""\n    return str(x)\n',
    "kettle/app.py": (
        "from kettle.routing import Route\n\n\n"
        "class TeapotError(Exception):\n    pass\n\n\n"
        "class Response:\n    def text(self):\n        return ''\n\n\n"
        "class Scaffold:\n"
        '    def route(self, path):\n        """Register a function. It takes a path."""\n'
        "        return Route(path)\n\n\n"
        "class App(Scaffold):\n    def __init__(self, name):\n        self.name = name\n\n"
        "    def run(self):\n        return _serve(self)\n\n"
        "    def make(self, x):\n        return Response()\n\n\n"
        "def _serve(app):\n    return app.make(1)\n"
    ),
    "kettle/routing.py": "class Route:\n    def __init__(self, path):\n        self.path = path\n",
    "tests/test_app.py": "from kettle import App\n\n\ndef test_it():\n    App('x').run()\n",
}


@pytest.fixture(scope="module")
def kettle(tmp_path_factory) -> Workspace:
    """A small library with documentation and a test."""
    root = tmp_path_factory.mktemp("tours") / "kettle"
    for path, text in SOURCE.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return Workspace(root, workers=0, cache=False)


def names(tour: Tour) -> list[str]:
    return [step.symbol.name for step in tour]


# --------------------------------------------------------------------------- documents


def test_code_in_documents_is_found_by_the_rules_of_each_format():
    found = [(number, code.strip(), example) for number, code, example in code_lines(GUIDE)]
    assert found == [
        (5, "kettle.Response", False), (7, 'response = app.make("x")', True), (8, "response.text()", True),
        (12, "from kettle.routing import Route", True),
    ]  # fmt: skip
    assert [code for _, code, _ in code_lines("a `b` c\n~~~\nd\n~~~\n``e f``")] == ["b", "d", "e f"]
    titled = "Brewing\n~~~~~~~\n\nPour `Cup`.\n\n~~~\nbrew()\n~~~\nrest"
    assert [(code, example) for _, code, example in code_lines(titled)] == [("Cup", False), ("brew()", True)]
    drawn = "```mermaid\nApp->>Route\n```\n.. code-block:: bash\n\n    Route -h\n\n```go\nApp()\n```"
    assert [code for _, code, _ in code_lines(drawn)] == ["App()"]
    listed = "[source,java]\n----\nnew App();\n```\n----\n\n[,bash]\n----\nApp -h\n----\n\n----\ntext\n----\n"
    listed += "[,go]\n----\n/*\nApp()\n*/\nd()\n----\n"
    assert [code for _, code, _ in code_lines(listed)] == ["new App();", "```", "d()"]
    assert [code for _, code, _ in code_lines("#+BEGIN_SRC lisp :tangle no\n(app)\n#+END_SRC\nApp")] == ["(app)"]


def test_documents_are_read_as_a_newcomer_reads_them(kettle):
    sources = {path: kettle.file(path) for path in kettle.files}
    assert documents_of(sources, PathRoles()) == ["README.md", "docs/guide.rst"]
    legal = ("NOTICE.md", "COPYING.txt", "LICENSE.md")
    assert documents_of(dict.fromkeys(legal, kettle.file("README.md")), PathRoles()) == []


def test_names_in_examples_lead_to_their_definitions(kettle):
    wanted = [symbol.id for symbol in kettle.symbols if symbol.path.startswith("kettle/")]
    reader = DocumentReader(kettle.graph, wanted)

    def shown(text: str) -> list[str]:
        found = [kettle.catalog.symbol(mention.symbol_id) for mention in reader.mentions("x", text)]
        return [symbol.fqn.removeprefix("kettle.") for symbol in found if symbol.kind != "module"]

    assert shown(README) == ["app.App", "app.Scaffold.route", "json.dumps", "app.App.run", "app.TeapotError"]
    assert shown(GUIDE) == ["app.Response", "app.Response.text", "routing.Route"]
    assert shown("```\nfrom kettle import App as A\nwith A('x') as it:\n    it.make(2).text()\n```") == [
        "app.App", "app.App.make", "app.Response.text",
    ]  # fmt: skip
    assert shown("```\nconst j = require('kettle/json.js')\nj.dumps(1)\n```") == ["json.dumps"]
    assert shown("```\nfrom kettle import App\nimport other\nother.run()\n```") == ["app.App"]
    assert shown("```\nfrom kettle import App\nclass Route(App):\n    pass\nRoute().run()\n```") == [
        "app.App",
        "app.App.run",
    ]
    assert shown("```\nfrom kettle import *\nclass Tea(App):\n    pass\nTea('x').make(1)\n```") == [
        "app.App",
        "app.App.make",
    ]
    assert shown("```\nothers.run()\nname.route\n```\n`make`") == []
    assert shown("```\nApp('x')\nfunc f(a []make, b map[string]run) {\n    c = run()\n```") == ["app.App"]


@given(st.text(alphabet="`~: .()[]\n\t\\\"'>#/=ab_", max_size=200))
def test_any_text_is_read(text):
    for number, code, _ in code_lines(text):
        assert 1 <= number <= text.count("\n") + 1
        assert "\n" not in code


# --------------------------------------------------------------------------- order

letters = st.lists(st.sampled_from("abcdefgh"), unique=True)


@given(letters, st.sets(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("abcdefgh"))), st.randoms())
def test_prerequisites_come_first(ids, pairs, random):
    earlier = {(a, b) for a, b in pairs if a < b}  # no circle
    before = {b: [a for a, c in sorted(earlier) if c == b] for b in "abcdefgh"}
    prefer = {(a, b): random.random() for a in ids for b in ids if a != b}
    placed = in_order(ids, before, prefer)
    assert sorted(placed) == sorted(ids)
    assert all(placed.index(a) < placed.index(b) for a, b in earlier if a in ids and b in ids)


@given(letters, st.permutations("abcdefgh"))
def test_preferences_that_agree_are_kept(ids, order):
    prefer = {(a, b): 1.0 for n, a in enumerate(order) for b in order[n + 1 :]}
    assert in_order(ids, {}, prefer) == [each for each in order if each in ids]


def test_a_circle_of_prerequisites_has_an_order():
    assert in_order(["a", "b", "c"], {"a": ["b"], "b": ["c"], "c": ["a"]}, {}) == ["c", "b", "a"]


# --------------------------------------------------------------------------- tours


def test_a_tour_follows_the_documentation_and_goes_inside(kettle):
    tour = kettle.context.tour()
    assert names(tour)[:3] == ["App", "Scaffold", "route"]  # a type comes before its members
    assert [step.part for step in tour] == sorted((step.part for step in tour), reverse=True)
    app = tour[0]
    assert app.why[:2] == ("README.md:7 shows it", "1 test or example uses it")
    assert app.said.startswith("No documentation: the class extends Scaffold and defines run and make")
    route = next(step for step in tour if step.symbol.name == "route")
    assert route.said == "Register a function"


def test_every_step_is_made_of_edges_and_quotations(webshop):
    tour = webshop.context.tour()
    assert [step.number for step in tour] == list(range(1, 16))
    assert len({step.symbol.id for step in tour}) == 15
    graph = webshop.graph
    for step in tour:
        assert step.why
        assert step.said.startswith("No documentation") or step.said.rstrip("…") in " ".join(step.symbol.doc.split())
        for lead in step.leads:
            assert lead.to > step.number
            assert lead.kind in EDGE_KINDS
            target = tour[lead.to - 1].symbol
            ends = {target.id, *(s.id for s in webshop.symbols if s.parent == target.id)}
            sources = {step.symbol.id, *(s.id for s in webshop.symbols if s.parent == step.symbol.id)}
            rows = [row for each in sources for row in graph.incident(graph.vertex(each), "out", (lead.kind,))]
            sites = [site for row in rows if graph.edge(row).target in ends for site in graph.edge(row).sites]
            assert lead.kind == "CONTAINS" or (lead.path, lead.line) in {(site.path, site.line) for site in sites}
    owners = {step.symbol.id: step.number for step in tour}
    assert all(owners.get(step.symbol.parent, 0) < step.number for step in tour)


PROGRAM = {
    "README.md": "# Brew\n\n```sh\nbrewer tea\n```\n",
    "pyproject.toml": '[project]\nname = "brewer"\nscripts = { brewer = "brewer.cli:main" }\n',
    "brewer/__init__.py": "",
    "brewer/cli.py": "from brewer.kettle import Kettle\n\n\ndef main():\n    Kettle().boil()\n",
    "brewer/kettle.py": (
        "from brewer import cache\n\n\nclass Kettle:\n    def boil(self):\n        self._heat()\n\n"
        "    def _heat(self):\n        self._measure()\n\n    def _measure(self):\n        return cache.get(1)\n"
    ),
    "brewer/cache.py": "def get(key):\n    return key\n\n\ndef clear():\n    pass\n",
    "tests/test_kettle.py": "from brewer import cache\nfrom brewer.kettle import Kettle\n\n\n"
    + "".join(f"def test_{n}():\n    cache.clear()\n    Kettle().boil()\n\n\n" for n in range(4)),
}
LIBRARY = {
    "README.md": "# Node\n\nThe `start` of a `Store`.\n\n```mermaid\nStore->>loop: step()\n```\n",
    "go.mod": "module example.org/node\n",
    "store.go": "package node\n\n// Store keeps.\ntype Store interface {\n\tGet() int\n}\n",
    "node.go": (
        "package node\n\n// Node runs.\ntype Node struct{ s Store }\n\n// New makes a node.\n"
        "func New(s Store) *Node {\n\tn := &Node{s}\n\tn.start()\n\treturn n\n}\n\n"
        "func (n *Node) start() { n.loop() }\n\nfunc (n *Node) loop() { step(n.s.Get()) }\n\nfunc step(i int) {}\n"
    ),
    "node_test.go": 'package node\n\nimport "testing"\n\nfunc TestNew(t *testing.T) {\n\tNew(nil)\n}\n',
}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (PROGRAM, ["main", "Kettle", "boil", "_heat", "_measure", "get"]),
        (LIBRARY, ["New", "Store", "Node", "start", "loop"]),
    ],
    ids=["program", "library"],
)
def test_a_tour_begins_where_the_main_calls_begin_if_no_example_shows_it(tmp_path, files, expected):
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    tour = Workspace(tmp_path, workers=0, cache=False).context.tour()
    placed = names(tour)
    assert [name for name in placed if name in expected] == expected
    assert placed[0] == expected[0]
    assert "the main calls begin here" in tour[0].why
    assert tour[placed.index(expected[3])].why[0] in ("one of the main calls", "step 3 defines it")
    assert "clear" not in placed[:5]


def test_a_tour_is_the_same_each_time(webshop):
    again = Workspace(webshop.root, workers=0, cache=False)
    assert json.dumps(again.context.tour().to_dict()) == json.dumps(webshop.context.tour().to_dict())
    assert (
        again.context.tour("expired sessions").to_codetour() == webshop.context.tour("expired sessions").to_codetour()
    )


def test_a_question_makes_a_tour_of_its_hits(webshop):
    tour = webshop.context.tour("how are expired sessions handled?", 8)
    assert tour.title.endswith(": how are expired sessions handled?")
    assert any("Session" in name for name in names(tour))
    assert any(why.startswith("hit 1 of the question") for step in tour for why in step.why)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"steps": 0}, "steps must be"),
        ({"steps": 51}, "steps must be at most 50, not 51"),
        ({"question": 3}, "the question must be a text, not 3"),
    ],
)
def test_bad_input_is_named(webshop, given, said):
    with pytest.raises(QuestionError, match=said):
        webshop.context.tour(**given)


def test_a_folder_without_code_has_no_tour(tmp_path):
    (tmp_path / "README.md").write_text("# Nothing\n\n`x`\n")
    tour = Workspace(tmp_path, workers=0, cache=False).context.tour()
    assert not tour
    assert "No function, method or type" in tour.notes[0]
    assert TourView(tour).step is None


def test_files_that_changed_are_named(kettle, tmp_path):
    root = tmp_path / "kettle"
    root.mkdir()
    (root / "a.py").write_text("def first():\n    return 1\n")
    ws = Workspace(root, workers=0, cache=False)
    (root / "a.py").write_text("def second():\n    return 1\n")
    assert "Outdated: files changed since the last load or refresh: a.py" in ws.context.tour().notes


# --------------------------------------------------------------------------- forms


def test_a_tour_file_names_files_and_lines_that_exist(kettle):
    made = json.loads(kettle.context.tour(steps=8).to_codetour())
    assert made["title"] == "Tour of kettle"
    for step in made["steps"]:
        lines = (kettle.root / step["file"]).read_text("utf-8").split("\n")
        assert step["title"].rpartition(".")[2] in lines[step["line"] - 1]
        assert step["description"]


def test_text_of_the_repository_is_escaped(tmp_path):
    (tmp_path / "a.py").write_text('def evil():\n    """<img src=x onerror=1> \x1b[31m\u202e `x`."""\n')
    tour = Workspace(tmp_path, workers=0, cache=False).context.tour()
    page = shown_html(tour)
    assert "<img src=x" not in page
    for text in (page, str(tour), tour.to_markdown(), tour.to_codetour(), TourView(tour).shown.value):
        assert "\x1b" not in text
        assert "\u202e" not in text


def test_the_command_writes_every_form(capsys, kettle):
    where = ["tour", str(kettle.root), "--steps", "6"]
    assert main(where) == 0
    assert capsys.readouterr().out.startswith("Tour of kettle  6 steps")
    assert main([*where, "--format", "codetour"]) == 0
    assert len(json.loads(capsys.readouterr().out)["steps"]) == 6
    assert main([*where, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["kind"] == "tour"
    assert main([*where, "--format", "markdown", "-q", "routes"]) == 0
    assert "hit 1 of the question" in capsys.readouterr().out


def test_the_magic_shows_a_tour(loaded, capsys):
    tour = run(loaded, "%tour -n 5 how are expired sessions handled?")
    assert isinstance(tour, Tour)  # a shell without a kernel is a terminal
    assert len(tour) == 5
    assert tour.question == "how are expired sessions handled?"
    assert "steps must be at most 50" in refused(loaded, capsys, "%tour -n 99")


def test_the_widget_goes_from_step_to_step(kettle):
    view = TourView(kettle.context.tour(steps=6))
    assert view.step.number == 1
    assert view.previous_button.disabled
    view.next_button.click()
    view.next_button.click()
    assert (view.step.number, view.list.value) == (3, 3)
    assert "step 3 of 6" in view.title.value
    assert view.step.symbol.name in view.shown.value
    assert "data:image/svg+xml" in view.drawing.value
    view.previous_button.click()
    assert view.step.number == 2
    view.number.value = 4
    assert view.step.number == 4
    view.go(99)
    assert view.step.number == 6
    assert view.number.value == 6
    assert view.next_button.disabled


def test_overloads_are_one_step_and_inner_functions_none(tmp_path):
    overloads = "".join(f"@overload\ndef pour(cup: {kind}) -> {kind}: ...\n\n\n" for kind in ("int", "str"))
    last = "def pour(cup):\n    def tilt():\n        return cup\n\n    return tilt()\n"
    code = f"from typing import overload\n\n\n{overloads}{last}"
    (tmp_path / "pour.py").write_text(code)  # a function with the name of its module is no constructor
    (tmp_path / "test_tea.py").write_text("from pour import pour\n\n\ndef test_pour():\n    assert pour(1)\n")
    tour = Workspace(tmp_path, workers=0, cache=False).context.tour()
    assert [(step.symbol.name, step.symbol.line) for step in tour] == [("pour", 12)]
