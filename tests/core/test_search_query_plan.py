"""The planner: what kind a question is, its names, relation, depth and lanes, and the reasons given."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeexplore import Workspace
from codeexplore.search.query.patterns import CUES
from codeexplore.search.query.planner import plan
from codeexplore.types import LANES, RELATIONS, Filters, settings
from codeexplore.types.errors import QuestionError

SYMBOLS = {
    "dumps", "get", "list", "session", "Session", "Handler", "load_user", "parser", "Storage", "main", "helper",
    "Validated", "validate", "code", "run",
}  # fmt: skip
known = SYMBOLS.__contains__


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("HTTPConnection", "identifier"),
        ("`get`", "identifier"),
        ("where is load_user defined?", "identifier"),
        ("what does parseConfig do?", "identifier"),
        ("Sinatra::Base", "identifier"),
        ("json.dumps", "identifier"),
        ("MAX_RETRY_COUNT", "identifier"),
        ("src/app.py:120", "identifier"),
        ("the Session class", "identifier"),
        ("session", "identifier"),
        ("who calls dumps", "structural"),
        ("what calls the code that loads the session?", "structural"),
        ("path from main to helper", "structural"),
        ("how are expired sessions handled?", "conceptual"),
        ("get the list of all users", "conceptual"),
        ("how do we get the list of users", "conceptual"),
        ("how does the client reach the server", "conceptual"),
        ("what happens if the token expires", "conceptual"),
        ("what implements retry with backoff", "conceptual"),
        ("find the implementation of the cache", "conceptual"),
        ("which file(s) hold e.g. the JavaScript APIs", "conceptual"),
        ("wo wird die Sitzung geladen?", "conceptual"),
        ("セッションはどこで読み込まれますか", "conceptual"),
        ("how applyMiddleware wraps dispatch", "mixed"),
        ("how Validated accumulates errors", "mixed"),
        ("Plug.Router for pattern-matched route dispatch", "mixed"),
    ],
)
def test_a_question_has_a_kind_and_says_why(question: str, kind: str) -> None:
    found = plan(question, known=known)
    assert found.kind == kind
    assert [r.why for r in found.reasons if r.choice == "kind"] != [""]


@pytest.mark.parametrize(
    ("question", "relation", "direction", "names"),
    [
        ("who calls dumps", "callers", "in", ["dumps"]),
        ("Who calls the parser?", "callers", "in", ["parser"]),
        ("callers of validate_session()", "callers", "in", ["validate_session"]),
        ("where is load_user called from?", "callers", "in", ["load_user"]),
        ("which tests call load_user", "callers", "in", ["load_user"]),
        ("what is load_user called by?", "callers", "in", ["load_user"]),
        ("is load_user ever called?", "callers", "in", ["load_user"]),
        ("who calls list", "callers", "in", ["list"]),
        ("what calls the dumps function?", "callers", "in", ["dumps"]),
        ("what does load_user call?", "callees", "out", ["load_user"]),
        ("which functions are called by load_user", "callees", "out", ["load_user"]),
        ("what implements Storage?", "implementors", "in", ["Storage"]),
        ("implementations of Storage", "implementors", "in", ["Storage"]),
        ("what does FileStorage implement", "implementors", "out", ["FileStorage"]),
        ("subclasses of Handler", "subclasses", "in", ["Handler"]),
        ("what extends Handler?", "subclasses", "in", ["Handler"]),
        ("base classes of Handler", "subclasses", "out", ["Handler"]),
        ("what uses `Session.get`?", "uses", "in", ["Session.get"]),
        ("where is Session used", "uses", "in", ["Session"]),
        ("everything of requests is used where?", "uses", "in", ["requests"]),
        ("where is anything from os.path used?", "uses", "in", ["os.path"]),
        ("what of requests do we use?", "uses", "in", ["requests"]),
        ("what is used of requests", "uses", "in", ["requests"]),
        ("what are the dependencies of Session?", "uses", "out", ["Session"]),
        ("what imports flask.app", "imports", "in", ["flask.app"]),
        ("what does flask.app import", "imports", "out", ["flask.app"]),
        ("what breaks if I change load_user", "impact", "in", ["load_user"]),
        ("what breaks if load_user changes?", "impact", "in", ["load_user"]),
        ("what is the impact of changing `Config.load`?", "impact", "in", ["Config.load"]),
        ("path from main to helper", "path", "out", ["main", "helper"]),
        ("show me the call chain from `a` to `b`", "path", "out", ["a", "b"]),
        ("path between main and helper", "path", "both", ["main", "helper"]),
        ("how does main reach helper?", "path", "out", ["main", "helper"]),
        ("how is helper reached from main", "path", "out", ["main", "helper"]),
        ("why does load_user call `helper`?", "path", "out", ["load_user", "helper"]),
        ("why is `helper` called by load_user", "path", "out", ["load_user", "helper"]),
        ("who calls never?", "callers", "in", ["never"]),
        ("how do I get from main to helper", "path", "out", ["main", "helper"]),
        ("where do we call load_user", "callers", "in", ["load_user"]),
        ("load_user callers", "callers", "in", ["load_user"]),
        ("give me the functions calling load_user", "callers", "in", ["load_user"]),
        ("list the functions load_user calls", "callees", "out", ["load_user"]),
        ("everything that uses Session", "uses", "in", ["Session"]),
        ("what depends on a change to Session", "impact", "in", ["Session"]),
        ("if I change load_user, what breaks?", "impact", "in", ["load_user"]),
        ("can I safely rename load_user", "impact", "in", ["load_user"]),
    ],
)
def test_a_relation_of_named_symbols_is_read(question: str, relation: str, direction: str, names: list[str]) -> None:
    found = plan(question, known=known)
    assert (found.kind, found.relation, found.direction) == ("structural", relation, direction)
    assert list(found.identifiers) == names
    assert found.description == ""


@pytest.mark.parametrize(
    ("question", "relation", "description"),
    [
        ("what calls the code that loads the session?", "callers", "loads the session"),
        ("who calls the function responsible for hashing passwords", "callers", "hashing passwords"),
        ("what functions call the code that recursively walks a folder", "callers", "recursively walks a folder"),
        ("what uses the connection pool?", "uses", "the connection pool"),
        ("what breaks if the token format changes?", "impact", "the token format"),
        ("what happens if I change the code that loads the session?", "impact", "loads the session"),
        ("classes implementing the blob storage interface", "implementors", "the blob storage interface"),
    ],
)
def test_described_symbols(question: str, relation: str, description: str) -> None:
    found = plan(question, known=known)
    assert (found.kind, found.relation, found.description) == ("structural", relation, description)
    assert found.identifiers == ()
    assert set(found.lanes) == set(LANES)


@pytest.mark.parametrize(
    "question",
    [
        "is multithreading used?",
        "are threads ever used?",
        "is caching called anywhere?",
        "why does it call home?",
        "what is never used?",
        "what does nothing call?",
        "which functions does nobody use?",
    ],
)
def test_a_word_that_is_no_name_is_no_subject_of_a_relation(question: str) -> None:
    assert plan(question, known=known).kind == "conceptual"


def test_a_path_may_have_described_ends() -> None:
    found = plan("call path from main to the code that writes the log", known=known)
    assert (found.identifiers, found.description, found.target_description) == (("main",), "", "writes the log")
    found = plan("call path from the request handler to helper", known=known)
    assert (found.identifiers, found.description) == (("helper",), "the request handler")


@pytest.mark.parametrize(
    ("question", "depth"),
    [
        ("who calls dumps", 1),
        ("all callers of dumps", 3),
        ("who calls dumps transitively?", 3),
        ("who eventually calls dumps", 3),
        ("who calls dumps within 2 hops", 2),
        ("callers of dumps up to depth 4", 4),
        ("what breaks if dumps changes", 3),
        ("path from main to helper", 11),
        ("what calls the code that recursively walks a folder", 1),
        ("how are lists flattened recursively", 1),
    ],
)
def test_a_depth_is_read_from_the_question(question: str, depth: int) -> None:
    found = plan(question, known=known)
    assert found.depth == depth
    assert any(r.choice == "depth" for r in found.reasons) == (depth != 1)


def test_without_knowledge_of_the_symbols_form_alone_decides() -> None:
    assert plan("who calls dumps").identifiers == ("dumps",)
    assert plan("who calls the parser").description == "the parser"
    assert plan("who calls the parser function").identifiers == ("parser",)
    assert plan("how Validated accumulates errors").kind == "conceptual"


def test_a_bare_word_after_a_cue_is_a_name_even_if_unknown() -> None:
    """So that the answer can say that no such symbol exists, with the nearest names."""
    assert plan("who calls dmups", known=known).identifiers == ("dmups",)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("compare `a b` with foo(x, y) and x->y", ["a b", "foo", "x->y"]),
        ("_private, __init__ and $scope", ["_private", "__init__", "$scope"]),
        ("IDs, APIs and URLs in O(1) or file(s)", []),
        ("see e.g. README.md or node.js on GitHub", []),
        ("Picker:find and Plug.Conn", ["Picker:find", "Plug.Conn"]),
        ("getHTTPResponse2 größeBerechnen _größe", ["getHTTPResponse2", "größeBerechnen", "_größe"]),
        ("lib/a-b/c.ts:7 and ::std::io", ["lib/a-b/c.ts:7", "::std::io"]),
        ("`x` and `x` again", ["x"]),
    ],
)
def test_names_as_written(question: str, names: list[str]) -> None:
    assert list(plan(question).identifiers) == names


def test_everything_can_be_overruled_and_says_so() -> None:
    found = plan(
        "how are sessions loaded",
        lanes=("graph", "bm25"),
        weights={"bm25": 3},
        depth=4,
        relation="callees",
        direction="both",
    )
    assert found.lanes == {"bm25": 3.0, "graph": 2.0}
    assert list(found.lanes) == ["bm25", "graph"]
    assert (found.kind, found.relation, found.direction, found.depth) == ("structural", "callees", "both", 4)
    assert found.description == "how are sessions loaded"
    for choice in ("relation", "direction", "depth", "lanes", "weights"):
        assert any(r.choice == choice and "was given" in r.why for r in found.reasons), choice


def test_weights_change_only_the_lanes_they_name() -> None:
    usual = plan("how are sessions loaded").lanes
    found = plan("how are sessions loaded", weights={"embedding": 0.25, "graph": 0})
    assert found.lanes == {"bm25": usual["bm25"], "embedding": 0.25}
    assert plan("`x`", weights={"embedding": 2}).lanes["embedding"] == 2.0
    assert plan("`x`", lanes="embedding").lanes == {"embedding": 1.0}


def test_filters_are_carried() -> None:
    assert plan("x", filters=Filters(tests=False)).filters == Filters(tests=False)


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\u3000"])
def test_an_empty_question_is_an_error(text: str) -> None:
    with pytest.raises(QuestionError, match="empty"):
        plan(text)


def test_a_question_that_is_no_string_is_an_error() -> None:
    with pytest.raises(QuestionError, match="not int"):
        plan(7)  # type: ignore[arg-type]


def test_a_long_question_is_cut_and_the_reason_says_so() -> None:
    found = plan("who calls dumps? " + "really " * 15_000)
    assert len(found.text) <= settings.MAX_QUESTION_CHARS
    assert "105,0" in next(r.why for r in found.reasons if r.choice == "text")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"lanes": ("bm25", "grep")}, "'grep'.*bm25, embedding, graph"),
        ({"lanes": ()}, "empty"),
        ({"weights": {"bm52": 1.0}}, "'bm52'"),
        ({"weights": {"bm25": -1.0}}, "bm25.*-1"),
        ({"weights": {"bm25": math.nan}}, "nan"),
        ({"weights": {"bm25": math.inf}}, "inf"),
        ({"weights": {"bm25": "1"}}, "'1'"),
        ({"weights": {"bm25": 0, "embedding": 0, "graph": 0}}, "no lane"),
        ({"relation": "calls"}, "'calls'.*callers"),
        ({"direction": "up"}, "'up'.*in, out, both"),
        ({"depth": 0}, "depth.*0"),
        ({"depth": 1.5}, "1.5"),
        ({"depth": True}, "True"),
    ],
)
def test_bad_options_are_named_and_what_is_known_is_listed(options: dict[str, object], message: str) -> None:
    with pytest.raises(QuestionError, match=message):
        plan("how are sessions loaded", **options)  # type: ignore[arg-type]


@given(st.text(min_size=1, max_size=300))
def test_any_text_gives_a_plan_or_is_empty(text: str) -> None:
    if not text.strip():
        return
    found = plan(text, known=known)
    assert found == plan(text, known=known)
    assert found.lanes
    assert all(name.strip("`") in found.text for name in found.identifiers)
    assert (found.kind == "structural") == (found.relation is not None)
    assert {r.choice for r in found.reasons} >= {"kind", "lanes"}


@pytest.mark.parametrize(
    "text",
    ["`" * 20_000, "path from " + "a to " * 4_000, "what " + "ly " * 6_000, "a." * 10_000, "," * 20_000, "f(" * 10_000],
)
def test_no_form_of_words_is_a_trap(text: str) -> None:
    """Patterns read each of these once or a few times: with one that backtracks, this test would not end."""
    assert plan(text).text


def test_every_relation_has_a_cue() -> None:
    assert {cue.relation for cue in CUES} == set(RELATIONS)


@pytest.mark.parametrize(
    "question",
    ["what happens when checkout is called?", "What happens when I run checkout", "what happens if checkout runs?"],
)
def test_what_happens_is_told_in_the_order_of_the_lines(tmp_path: Path, question: str) -> None:
    source = """
class Printer:
    def show(self, text): raise NotImplementedError

class Paper(Printer):
    def show(self, text): write(text)

def write(text): pass

def checkout(printer: Printer):
    made = second(first())
    printer.show("done")

def first(): return deep()

def second(given): pass

def deep(): pass
"""
    (tmp_path / "shop.py").write_text(source)
    answer = Workspace(tmp_path, workers=0, cache=False).search(question)
    told = [(step.level, step.symbol_id.rpartition(":")[2].removeprefix("shop.")) for step in answer.result.story]
    assert told == [(1, "first"), (2, "deep"), (1, "second"), (1, "Paper.show"), (2, "write")]
    assert "What runs, in the order of the lines" in repr(answer)
    changed = Workspace(tmp_path, workers=0, cache=False).search("what happens if I change checkout?")
    assert changed.plan.relation == "impact"


def test_a_deferred_call_comes_last_in_a_story(tmp_path: Path) -> None:
    (tmp_path / "go.mod").write_text("module shop\n")
    (tmp_path / "a.go").write_text(
        "package shop\n\nfunc run() {\n\tdefer func() {\n\t\tquit()\n\t\tclose()\n\t}()\n\tdefer flush()\n\topen()\n"
        "\tif true {\n\t\tquit()\n\t}\n\twork()\n}\n\nfunc open() {}\nfunc close() {}\nfunc quit() {}\n"
        "func flush() {}\nfunc work() {}\n"
    )
    answer = Workspace(tmp_path, workers=0, cache=False).search("what happens when run is called?")
    told = [(step.symbol_id.rpartition(".")[2], step.edge.sites[0].line) for step in answer.result.story]
    assert told == [("open", 9), ("quit", 11), ("work", 13), ("flush", 8), ("close", 6)]


def test_a_function_without_a_name_is_left_out_of_a_story(tmp_path: Path) -> None:
    source = """
def prepare(things):
    return each(things, lambda thing: weigh(thing))

def each(things, do):
    return [do(thing) for thing in things]

def weigh(thing): ...
"""
    (tmp_path / "shop.py").write_text(source)
    answer = Workspace(tmp_path, workers=0, cache=False).search("what happens when prepare is called?")
    told = [(step.level, step.symbol_id.rpartition(":")[2]) for step in answer.result.story]
    assert told == [(1, "shop.each"), (2, "shop.weigh")]


@pytest.mark.parametrize(
    "question", ["which functions are never called?", "what is dead code?", "any unused functions"]
)
def test_what_nothing_uses_is_told_by_the_survey(tmp_path: Path, question: str) -> None:
    (tmp_path / "shop.py").write_text("def _old():\n    return 1\n\n\ndef _new():\n    return 2\n\n\nprint(_new())\n")
    ws = Workspace(tmp_path, workers=0, cache=False)
    answer = ws.search(question)
    assert [hit.symbol.name for hit in answer if hit.symbol] == ["_old"]
    assert answer.notices[0] == f"{ws.dead_code().headline}: `shop._old`."
    (tmp_path / "test_shop.py").write_text("import shop\n")
    (tmp_path / "lib.py").write_text("def public():\n    return 3\n")
    ws.refresh()
    answer = ws.search(question)
    assert [(hit.name, answer.reason_of(hit)) for hit in answer] == [("shop._old", "part of the answer above")]
    assert answer.notices[0] == f"{ws.dead_code().headline}. With no sign of use: `shop._old`."
    assert (answer.confidence, answer.next_steps[0].call) == ("answered", "dead_code")
    assert "as a question about the whole repository" in repr(answer)


def test_programs_are_listed_before_functions_that_loading_runs(tmp_path: Path) -> None:
    (tmp_path / "go.mod").write_text("module shop\n")
    (tmp_path / "a.go").write_text("package main\n\nfunc init() {}\n")
    (tmp_path / "b.go").write_text("package main\n\nfunc main() {}\n")
    answer = Workspace(tmp_path, workers=0, cache=False).search("where are the entry points?")
    assert [hit.name for hit in answer] == ["main.main", "main.init"]


def test_a_function_without_a_name_is_counted_and_has_no_row(tmp_path: Path) -> None:
    source = "function run(each) { each() }\nfunction main() { run(() => go()); run(go) }\nfunction go() { }\n"
    (tmp_path / "a.js").write_text(source)
    ws = Workspace(tmp_path, workers=0, cache=False)
    answer = ws.search("what does main call?", depth=3)
    called = ws.callees("main", depth=3)
    nameless = [symbol for symbol in called.symbols if symbol.kind == "lambda"]
    assert len(nameless) == 1
    assert len([hit for hit in answer if hit.call_path and hit.name != "a.main"]) == len(called.symbols) - 1
    assert "1 symbol counted above is a function without a name, part of the code around." in answer.notices


def test_the_most_important_types_are_told_by_the_survey(tmp_path: Path) -> None:
    source = "class Cart:\n    pass\n\n\nclass Tea:\n    pass\n\n\ndef fill(cart: Cart):\n    return Cart()\n\n\n"
    (tmp_path / "shop.py").write_text(
        source + "def buy():\n    return fill(Cart())\n\n\ndef tea():\n    return Tea()\n"
    )
    answer = Workspace(tmp_path, workers=0, cache=False).search("what are the most important classes?")
    assert [hit.name for hit in answer] == ["shop.Cart", "shop.Tea"]
    assert answer.notices[0] == "The 2 most central symbols: `shop.Cart`, `shop.Tea`."
    assert answer.confidence == "answered"


@pytest.mark.parametrize("options", [{}, {"lanes": None}])  # the terminal gives every option
def test_rows_of_a_survey_are_in_its_order(tmp_path: Path, options: dict[str, None]) -> None:
    (tmp_path / "used.py").write_text(
        '"""Functions that are used, never unused."""\n\ndef _never_used():\n    return 1\n'
    )
    (tmp_path / "long.py").write_text("def _zap():\n    a = 1\n    b = 2\n    return a + b\n")
    ws = Workspace(tmp_path, workers=0, cache=False)
    answer = ws.search("which functions are never used?", **options)
    assert [hit.symbol for hit in answer] == list(ws.dead_code().symbols)
    assert [hit.symbol.name for hit in answer] == ["_zap", "_never_used"]


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        ("pyproject.toml", '[project]\ndescription = "Sells tea. And cups."', "pyproject.toml: Sells tea"),
        ("package.json", '{"description": "Sells tea"}', "package.json: Sells tea"),
        ("package.json", '{"description": ["Sells"]}', "README.md: Tealeaf is a shop for tea"),
        ("Cargo.toml", "[[[", "README.md: Tealeaf is a shop for tea"),
        ("setup.py", 'setup(name="tealeaf", description="Sells tea. And cups.")', "setup.py: Sells tea"),
        ("setup.py", "setup(description=read('README'))", "README.md: Tealeaf is a shop for tea"),
        ("setup.py", "setup(", "README.md: Tealeaf is a shop for tea"),
        (
            "README.md",
            "Tea\n===\n\n[![Build of all teas][a]][b] ![Picture of a large tea shop](tea.png)\n\n"
            "Tealeaf is a [shop](https://shop.org) for [many teas][c] of all colours.\n",
            "README.md: Tealeaf is a shop for many teas of all colours",
        ),
    ],
)
def test_what_a_project_is_for_is_told_by_its_manifest_or_readme(
    tmp_path: Path, path: str, text: str, said: str
) -> None:
    (tmp_path / "shop.py").write_text("def project_purpose(): ...\n")
    (tmp_path / "README.md").write_text(
        "# Tealeaf\n\nHere is a new version of the shop.\n\nTealeaf is a shop for tea.\n"
    )
    (tmp_path / path).write_text(text)
    ws = Workspace(tmp_path, workers=0, cache=False, name="tealeaf")
    for question in (
        "what is this project for?",
        "What does tealeaf do?",
        "tell me the purpose of the program",
        "what is this for?",
        "what's this about?",
        "what does it do?",
    ):
        assert ws.search(question).notices == (said,)
    assert ws.search("what does project_purpose do?").notices != (said,)


def test_a_name_within_another_name_is_not_mentioned() -> None:
    for one, other in (("Markup", "parseMarkup"), ("Cart.total", "total_of"), ("total_of", "total_of_all")):
        found = plan(f"how does {one} reach {other}?", known=lambda name: name[0].isupper())
        assert (found.relation, found.identifiers) == ("path", (one, other))


def test_a_story_tells_a_call_where_the_shortest_way_leads_to_it(tmp_path: Path) -> None:
    calls = {"checkout": "weigh() + pay()", "weigh": "lift()", "lift": "pay()", "pay": "sign()", "sign": "seal()"}
    source = "".join(f"def {name}():\n    return {body}\n\n\n" for name, body in calls.items())
    (tmp_path / "shop.py").write_text(f"{source}def seal(): ...\n")
    answer = Workspace(tmp_path, workers=0, cache=False).search("what happens when checkout is called?")
    told = [(step.level, step.symbol_id.rpartition(".")[2]) for step in answer.result.story]
    assert told == [(1, "weigh"), (2, "lift"), (1, "pay"), (2, "sign"), (3, "seal")]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("who calls total of Cart?", "Cart.total"),
        ("who uses the field size of the class Cart?", "Cart.size"),
        ("what breaks if I change the constant `LIMIT` of `Cart`?", "Cart.LIMIT"),
        ("who uses the attribute gone of Cart?", "Cart.gone"),
    ],
)
def test_a_member_of_a_type_is_named_with_it(question: str, name: str) -> None:
    has = {"Cart", "Cart.total", "Cart.size", "Cart.LIMIT", "total", "size"}
    assert plan(question, known=has.__contains__).identifiers == (name,)


@pytest.mark.parametrize("question", ["who calls the rest of Cart?", "who uses the size of Basket?"])
def test_of_may_be_prose(question: str) -> None:
    assert "." not in " ".join(plan(question, known={"Cart", "size"}.__contains__).identifiers)


@pytest.mark.parametrize(
    ("question", "relation", "names"),
    [
        ("which classes have the annotation Handler?", "uses", ("Handler",)),
        ("functions decorated with @Handler", "uses", ("Handler",)),
        ("is anything decorated with Handler?", "uses", ("Handler",)),
        ("who includes Storage?", "implementors", ("Storage",)),
        ("does Session implement Storage?", "implementors", ("Storage",)),
        ("is Session a subclass of Handler?", "subclasses", ("Handler",)),
        ("who rescues Tea::BrewError?", "uses", ("Tea::BrewError",)),
        ("where is Tea::BrewError raised?", "uses", ("Tea::BrewError",)),
        ("does load_user ever call dumps?", "path", ("load_user", "dumps")),
        ("is dumps called by load_user?", "path", ("load_user", "dumps")),
        ("is Session.Session(int) used anywhere?", "uses", ("Session.Session",)),
        ("who calls load_user(String...)?", "callers", ("load_user",)),
        ("is Session.timeout ever written?", "uses", ("Session.timeout",)),
        ("is Session.timeout read anywhere?", "uses", ("Session.timeout",)),
        ("who calls the constructor of Session?", "callers", ("Session",)),
        ("who calls Session's constructor?", "callers", ("Session",)),
        ("does anything call helper?", "callers", ("helper",)),
        ("what is Session for and is it dead code?", "uses", ("Session",)),
        ("is Session unused?", "uses", ("Session",)),
        ("can Session be safely removed?", "impact", ("Session",)),
        ("does load_user use Session?", "uses", ("Session",)),
        ("what breaks if validate fails?", "impact", ("validate",)),
        ("what happens when I change `Session`?", "impact", ("Session",)),
        ("what would happen if load_user was removed?", "impact", ("load_user",)),
        ("what happens if I rename the validate function", "impact", ("validate",)),
    ],
)
def test_a_relation_is_asked_for_in_many_words(question: str, relation: str, names: tuple[str, ...]) -> None:
    found = plan(question, known=known)
    assert (found.relation, found.identifiers, found.description) == (relation, names, "")


@pytest.mark.parametrize(
    "question",
    [
        "what happens when tea brew fails?",
        "what happens when I delete an account?",
        "what happens when I change my session?",
        "what happens if a user is removed",
        "what changes when I edit the run?",
        "what would happen if somebody renames files on disk?",
        "is the session set?",
        "where is the session written?",
        "does it call home?",
        "who includes sugar in the tea?",
        "which cups have the handle at the left?",
    ],
)
def test_a_description_with_the_verb_of_a_relation_is_none(question: str) -> None:
    assert plan(question, known=known).relation is None


def test_the_purpose_is_that_of_the_project_itself(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text("def sell(): ...\n")
    badge = "[![b](https://e.org/a.svg)](https://e.org)"
    (tmp_path / "README.md").write_text(
        f"# leaf\n{badge}\n\n**A shop for tea of all colours.**\n\n## Get\n\n[kettle](https://k.org) is a **pot**.\n"
    )
    ws = Workspace(tmp_path, workers=0, cache=False, name="leaf")
    assert ws.search("what is this project for?").notices == ("README.md: A shop for tea of all colours",)


def test_without_an_entry_point_what_is_public_is_named(tmp_path: Path) -> None:
    (tmp_path / "Shop.java").write_text(
        "package p;\npublic class Shop {\n    public void sell() { count(); }\n    private void count() { }\n}\n"
    )
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples" / "Try.java").write_text("class Try {\n    public static void main(String[] args) { }\n}\n")
    (tmp_path / "push.sh").write_text("#!/bin/sh\nsend() { scp a b; }\nsend\n")
    (tmp_path / "src" / "test" / "p").mkdir(parents=True)
    (tmp_path / "src" / "test" / "p" / "Bench.java").write_text(
        "class Bench {\n  public static void main(String[] a) { }\n  @Test void all() { }\n}\n"
    )
    ws = Workspace(tmp_path, workers=0, cache=False)
    (notice,) = ws.search("what happens when the program starts?").notices
    assert notice.endswith(
        "not called by name here: `p.Shop.sell`. Scripts: `push`. In tests and examples: `Try.main`, `Bench.main`."
    )
    assert ws.entry_points().headline == "2 entry points: main 1, module 1; 1 in tests and examples"
    (tmp_path / "third_party").mkdir()
    (tmp_path / "third_party" / "Zip.java").write_text("class Zip {\n    public static void main(String[] a) { }\n}\n")
    (notice,) = Workspace(tmp_path, workers=0, cache=False).search("what happens when the program starts?").notices
    assert "In tests, examples and vendored code: " in notice  # a copy of another project starts no program
    assert "`Zip.main`" in notice
    (tmp_path / "third_party" / "Zip.java").unlink()
    for path in (tmp_path / "examples" / "Try.java", tmp_path / "push.sh"):
        path.unlink()
    ws = Workspace(tmp_path, workers=0, cache=False)
    for question in ("where are the entry points?", "what happens when the program starts?"):
        answer = ws.search(question)
        assert answer.notices[0].startswith("No entry point was found, as in a library.")
        assert [hit.symbol.name for hit in answer.hits if hit.symbol] == ["sell"]


def test_tests_inside_of_source_files_are_no_entry_points(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "lib.rs").write_text(
        "pub fn sell() {}\n#[cfg(test)]\nmod tests {\n #[test]\n fn sells() {}\n}\n"
    )
    said = Workspace(tmp_path, workers=0, cache=False).search("what happens when the program starts?").notices[0]
    assert said.startswith("No entry point was found, as in a library.")
    assert "sells" not in said


def test_a_survey_is_no_answer_about_a_named_symbol(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text("class Shop:\n    def _idle(self): ...\n\n\ndef _sell():\n    return Shop()\n")
    ws = Workspace(tmp_path, workers=0, cache=False)
    assert not ws.search("is Shop unused, or which functions are never used?").result.whole
    assert ws.search("which functions are never used?").result.whole
    assert ws.search("are there circular imports?").notices[0].startswith("No cycles")
    assert ws.search("are there circular imports?").hits == ()


def test_links_to_headings_are_no_purpose(tmp_path: Path) -> None:
    links = "[What is it, and what is it for](#what-is-it)  \n[How to begin with the shop](#how-to-begin)\n"
    (tmp_path / "README.md").write_text(f"# Tealeaf\n\n{links}\n## What is it\n\nA shop for tea of all colours.\n")
    (tmp_path / "a.py").write_text("def go(): pass\n")
    ws = Workspace(tmp_path, cache=False, workers=0)
    assert ws.search("what is this project for?").notices == ("README.md: A shop for tea of all colours",)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("who uses the enum variant Target::Min?", "Target::Min"),
        ("who calls the old public accessor Cart.total?", "Cart.total"),
        ("what calls the code that wraps Cart.total?", ""),
        ("what calls the wrapper of Cart.total?", ""),
        ("what calls code wrapping Cart.total?", ""),
        ("who calls the accessor Cart.other?", ""),
    ],
)
def test_a_full_name_is_meant_whatever_noun_is_before_it(question: str, name: str) -> None:
    planned = plan(question, known={"Target::Min", "Cart.total"}.__contains__)
    assert planned.relation in ("uses", "callers")
    assert (planned.description == "") == bool(name)
    assert not name or planned.identifiers == (name,)


def test_functions_without_a_name_are_told_if_nothing_else_is_called(tmp_path: Path) -> None:
    (tmp_path / "m.go").write_text("package m\n\nfunc shut(f func()) {\n\tdefer func() { f() }()\n}\n")
    answer = Workspace(tmp_path, workers=0, cache=False).search("what happens when shut is called?")
    assert [step.symbol_id for step in answer.result.story] == ["m.go:m.shut.<lambda:4:7>"]
    assert [(hit.fused.role, hit.fused.path) for hit in answer.hits] == [("asked about", None)]


def test_a_function_with_the_name_of_a_verb_has_a_story(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text("def run():\n    step()\ndef step(): pass\n")
    ws = Workspace(tmp_path, workers=0, cache=False)
    for question in ("what happens when run is called?", "what happens when I call run?"):
        plan = ws.search(question).plan
        assert (plan.relation, plan.identifiers) == ("callees", ("run",))
