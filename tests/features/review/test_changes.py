"""What a change touches: symbols of two states matched, their impact, and the tests to run."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeexplore import Workspace
from codeexplore.answers.html.writer import shown_html
from codeexplore.features.review.answers import ChangesAnswer
from codeexplore.features.review.patch import applied, parse_patch
from codeexplore.features.review.signatures import breaking, parameters, written_type
from codeexplore.languages.registry import by_name
from codeexplore.types import Span, Symbol
from codeexplore.types.errors import GitError, PatchError, QuestionError, RootNotFound, SourceNotIncluded
from tests.git_repos import commit, git, repository, write

TILL = '''"""The till."""

import math


def add_up(coins, start=0):
    """Return the sum."""
    total = start
    for coin in coins:
        total += coin
    return math.floor(total)


def count_notes(notes):
    return add_up(notes) * 100


class Till:
    """Holds money."""

    def __init__(self):
        self.coins = []

    def close(self):
        return add_up(self.coins)

    def open(self):
        return None
'''
TESTS = """import pytest

from shop.till import Till, count_notes


@pytest.fixture
def till():
    return Till()


def test_notes():
    assert count_notes([1]) == 100


class TestTill:
    def test_close(self, till):
        assert till.close() == 0

    def test_open(self):
        assert Till().open() is None
"""
DOOR = "def open_door(key):\n    return key.turn()\n"
SHOP = {
    "shop/__init__.py": "", "shop/till.py": TILL, "shop/door.py": DOOR, "tests/test_till.py": TESTS,
    "tests/test_door.py": "from shop import door\n\n\ndef test_door():\n    assert door\n",
}  # fmt: skip


def loaded(folder: Path, **options: object) -> Workspace:
    return Workspace(folder, cache=False, workers=0, progress=lambda *step: None, **options)  # type: ignore[arg-type]


def after(folder: Path, files: dict[str, str], base: str = "HEAD") -> ChangesAnswer:
    """Return the changes that writing some files makes."""
    write(folder, files)
    return loaded(folder).review.changes(base)


def said(answer: ChangesAnswer) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(each.kind, each.symbol.fqn, each.change.aspects) for each in answer]


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return repository(tmp_path / "repo", SHOP)


# --------------------------------------------------------------------------- symbols


def test_each_part_of_a_symbol_that_differs_is_named(shop: Path) -> None:
    text = (
        TILL.replace("start=0", "start=1").replace("Return the sum", "Return the total").replace("* 100", "* 101")
        .replace('    """Holds money."""\n', '    """Holds all money."""\n')
    )  # fmt: skip
    answer = after(shop, {"shop/till.py": text})
    assert said(answer) == [
        ("changed", "shop.till.add_up", ("signature", "documentation")),
        ("changed", "shop.till.count_notes", ("body",)),
        ("changed", "shop.till.Till", ("documentation",)),
    ]
    assert "start=0" in answer[0].before
    assert "start=1" in answer[0].after
    assert answer.headline == ("3 symbols changed since HEAD: 3 changed; 1 may break code outside of the repository")


def test_comments_and_layout_are_no_change(shop: Path) -> None:
    text = TILL.replace("    total = start\n", "    # begin\n\n    total  =  start   # here\n").replace(
        "\n\n\nclass", "\n\n\n\n\nclass"
    )
    answer = after(shop, {"shop/till.py": text})
    assert said(answer) == []
    assert answer.headline == "No symbol changed since HEAD"
    assert not answer.tests()


@pytest.mark.parametrize(
    ("path", "before", "after_it"),
    [
        ("m.py", "def one(a):\n    return f'{a} b'\n", "def one(a):\n    return f'{a} {a} b'\n"),
        ("m.py", "def one(a):\n    return f'{a} '\n", "def one(a):\n    return f'{a}'\n"),
        ("m.py", "SEPARATOR = ' '\n", "SEPARATOR = ''\n"),
        ("m.js", "const one = (a) => { return `${a} ${a}` }\n", "const one = (a) => { return `${a}${a}` }\n"),
        ("m.go", 'package m\n\nfunc One() string { return " " }\n', 'package m\n\nfunc One() string { return "" }\n'),
        ("m.rs", 'pub fn one() -> &str { " " }\n', 'pub fn one() -> &str { "" }\n'),
        ("A.java", 'class A { String one() { return " "; } }\n', 'class A { String one() { return ""; } }\n'),
        ("a.rb", 'def one = " "\n', 'def one = ""\n'),
    ],
)
def test_blanks_in_texts_are_code(tmp_path: Path, path: str, before: str, after_it: str) -> None:
    repository(tmp_path, {path: before})
    assert [each.kind for each in after(tmp_path, {path: after_it})] == ["changed"]


@pytest.mark.parametrize(
    ("path", "before", "more", "comment"),
    [
        ("m.py", "import os\n\n\ndef one():\n    return os\n", "\n\ndef two(a):\n    return a + 1\n", "# c"),
        ("m.ts", "export function one() { return 1 }\n", "export const two = (a) => { return a + 1 }\n", "// c"),
        ("m.js", "class A { one() { return 1 } }\n", "export default function two(a) { return a + 1 }\n", "/* c */"),
        ("m.go", "package m\n\nfunc One() int { return 1 }\n", "\nfunc two(a int) int { return a + 1 }\n", "// c"),
        ("m.rs", "pub fn one() -> i32 { 1 }\n", "pub fn two(a: i32) -> i32 { a + 1 }\n", "// c"),
        ("A.java", "class A { int one() { return 1; } }\n", "class B { int two(int a) { return a + 1; } }\n", "// c"),
    ],
)  # fmt: skip
def test_a_new_function_and_a_comment_change_nothing_around_them(
    tmp_path: Path, path: str, before: str, more: str, comment: str
) -> None:
    repository(tmp_path, {path: before})
    answer = after(tmp_path, {path: before + more + comment + "\n"})
    assert {each.kind for each in answer} == {"added"}
    assert answer[0].symbol.name in ("two", "B")


def test_a_renamed_function_is_found_by_its_body(shop: Path) -> None:
    answer = after(shop, {"shop/till.py": TILL.replace("add_up", "sum_up")})
    renamed = next(each for each in answer if each.kind == "renamed")
    assert (renamed.change.old and renamed.change.old.name, renamed.symbol.name) == ("add_up", "sum_up")
    assert "100% of" in renamed.change.evidence
    assert renamed.breaking == ("renamed to sum_up",)
    assert answer[0] is renamed  # breaking changes are first


def test_short_functions_of_other_names_are_not_taken_for_renamed(tmp_path: Path) -> None:
    repository(tmp_path, {"m.py": "def a(x):\n    return x\n"})
    assert {each.kind for each in after(tmp_path, {"m.py": "def b(y):\n    return y\n"})} == {"added", "removed"}


def test_a_function_moved_within_a_test_file_selects_the_file(tmp_path: Path) -> None:
    text = (
        "class Till:\n    def key(coin, note):\n        return coin + note * 2\n\n\ndef test_till():\n    assert Till\n"
    )
    moved = (
        "def key(coin, note):\n    return coin + note * 2\n\n\nclass Till:\n    pass\n\n\n"
        + text.partition("\n\n\n")[2]
    )
    path = write(tmp_path / "old", {"test_till.py": text})
    found = loaded(write(tmp_path / "new", {"test_till.py": moved})).review.changes(path)
    assert "test_till.py" in {test.path for test in found.tests(safe=True)}


def test_an_added_overload_is_no_change_of_the_others(tmp_path: Path) -> None:
    old = "class Till:\n    def send(self, coin: int) -> bytes | None:\n        return None\n"
    new = (
        "from typing import overload\n\n\nclass Till:\n    @overload\n    def send(self, coin: None) -> None: ...\n"
        "    @overload\n    def send(self, coin: int) -> bytes: ...\n" + old.partition("\n")[2]
    )
    java = "class A {\n  void f(int a) { g(a); }\n  void f(int a, int b) { g(b); }\n}\n"
    path = write(tmp_path / "old", {"till.py": old, "A.java": java})
    later = write(
        tmp_path / "new", {"till.py": new, "A.java": java.replace("{\n", "{\n  void f(String s) { g(s); }\n", 1)}
    )
    found = loaded(later).review.changes(path)
    assert [each.kind for each in found if each.symbol.name in ("send", "f")] == ["added", "added", "added"]
    assert not found.breaking


def test_a_moved_function_and_a_renamed_file_are_moves(shop: Path) -> None:
    door = DOOR + "\n\n" + TILL[TILL.index("def add_up") : TILL.index("def count_notes")]
    rest = TILL.replace(TILL[TILL.index("def add_up") : TILL.index("def count_notes")], "").replace(
        "import math", "from shop.door import add_up"
    )
    answer = after(shop, {"shop/door.py": "import math\n\n\n" + door, "shop/till.py": rest})
    moved = next(each for each in answer if each.symbol.name == "add_up")
    assert moved.kind == "moved"
    assert moved.breaking == ()  # its old module imports it
    git(shop, "checkout", "-q", "-f", "HEAD")
    (shop / "shop" / "till.py").rename(shop / "shop" / "register.py")
    answer = after(shop, {"shop/register.py": TILL.replace("* 100", "* 99")})
    assert said(answer) == [
        ("moved", "shop.register", ()),
        ("changed", "shop.register.count_notes", ("body",)),
    ]
    changed = next(each for each in answer if each.symbol.name == "count_notes")
    assert changed.change.aspects == ("body",)
    assert "file shop/till.py was renamed" in changed.change.evidence


def test_untracked_files_are_part_of_the_working_tree_unless_left_out(shop: Path) -> None:
    write(shop, {"shop/new.py": "def fresh():\n    return 1\n"})
    workspace = loaded(shop)
    assert [each.symbol.name for each in workspace.review.changes()] == ["new", "fresh"] or [
        each.symbol.name for each in workspace.review.changes()
    ] == ["new"]
    assert not workspace.review.changes(untracked=False)


def test_the_difference_of_an_added_symbol_takes_nothing_away(shop: Path) -> None:
    answer = after(shop, {"shop/door.py": DOOR + "\n\ndef bell():\n    return 1\n"})
    added = next(each for each in answer if each.symbol.name == "bell")
    assert added.diff().split("\n")[1:] == ["+def bell():", "+    return 1"]


def test_the_members_of_an_added_type_are_not_listed_one_by_one(shop: Path) -> None:
    answer = after(shop, {"shop/door.py": DOOR + "\n\nclass Lock:\n    def turn(self):\n        return 1\n"})
    assert [each.symbol.name for each in answer] == ["Lock"]
    assert {c.symbol.name for c in answer.comparison.symbols} == {"Lock", "turn"}


# --------------------------------------------------------------------------- the state that is not loaded


def test_the_state_of_a_commit_equals_a_load_of_it(shop: Path, tmp_path: Path) -> None:
    old = loaded(shop)
    files = {
        "shop/till.py": TILL.replace("add_up", "sum_up").replace("class Till", "class Till(Box)"),
        "shop/inner/__init__.py": "", "shop/inner/box.py": "class Box:\n    def open(self): return self.close()\n",
    }  # fmt: skip
    (shop / "shop" / "door.py").unlink()
    new = after(shop, files)
    side = new.comparison.old
    assert list(side.catalog.symbols.ids) == list(old.catalog.symbols.ids)
    edges = [{(e.source, e.target, e.kind, e.rule) for e in map(graph.edge, range(len(graph.edges.kind)))}
             for graph in (side.graph, old.graph)]  # fmt: skip
    assert edges[0] == edges[1]


def test_two_commits_and_the_commits_since_a_branch_left(shop: Path) -> None:
    git(shop, "checkout", "-q", "-b", "feature")
    commit(shop, "feature", {"shop/door.py": DOOR + "\n\ndef lock():\n    return 1\n"})
    git(shop, "checkout", "-q", "main")
    commit(shop, "main", {"shop/till.py": TILL.replace("* 100", "* 10")})
    workspace = loaded(shop)
    assert said(workspace.review.changes("main...feature")) == [("added", "shop.door.lock", ())]
    assert {each.symbol.name for each in workspace.review.changes("main..feature")} == {"lock", "count_notes"}
    assert said(workspace.review.changes("..feature")) == said(workspace.review.changes("HEAD..feature"))
    git(shop, "checkout", "-q", "--detach", "feature")
    assert said(loaded(shop).review.changes("main~1")) == [("added", "shop.door.lock", ())]


def test_a_folder_below_the_top_compares_its_own_files(shop: Path) -> None:
    write(shop, {"shop/till.py": TILL.replace("* 100", "* 10"), "tests/test_door.py": "def test_x(): pass\n"})
    assert [each.symbol.name for each in loaded(shop / "shop").review.changes()] == ["count_notes"]


def test_an_earlier_folder_is_compared(shop: Path, tmp_path: Path) -> None:
    before = write(tmp_path / "before", {**SHOP, "shop/door.py": DOOR.replace("turn", "push")})
    answer = loaded(shop).review.changes(before)
    assert said(answer) == [("changed", "shop.door.open_door", ("body",))]
    assert answer.comparison.old.label == str(before)


# --------------------------------------------------------------------------- impact


def test_the_callers_of_a_removed_function_are_found_in_the_old_graph(shop: Path) -> None:
    answer = after(shop, {"shop/till.py": TILL.replace(TILL[TILL.index("def count_notes") : TILL.index("class")], "")})
    assert said(answer) == [("removed", "shop.till.count_notes", ())]
    assert answer[0].breaking == ("removed",)
    impact = answer.impact()
    found = next(each for each in impact if each.symbol.name == "test_notes")
    assert (found.certainty, found.before, [s.name for s in found.way]) == (
        "certain",
        True,
        ["count_notes", "test_notes"],
    )
    assert found.edges[0].kind == "CALLS"
    assert [test.id for test in answer.tests()] == ["tests/test_till.py::test_notes"]


def test_an_impact_has_ways_distances_and_classes(shop: Path) -> None:
    write(shop, {"app.py": "import shop.till\n\n\ndef run(box):\n    box.count_notes_of(1)\n"})
    commit(shop, "app")
    answer = after(shop, {"shop/till.py": TILL.replace("total = start", "total = start + 0")})
    impact = answer.impact()
    by_name = {each.symbol.name: each for each in impact}
    assert by_name["close"].depth == 1
    assert by_name["test_close"].depth == 2
    assert [symbol.name for symbol in by_name["test_close"].way] == ["add_up", "close", "test_close"]
    assert by_name["test_close"].confidence == min(edge.confidence for edge in by_name["test_close"].edges)
    assert (by_name["app"].certainty, by_name["app"].edges) == ("by import", ())
    assert "test_close" not in {each.symbol.name for each in answer.impact(1)}
    with pytest.raises(QuestionError, match="depth"):
        answer.impact(0)


# --------------------------------------------------------------------------- tests


def test_tests_have_reasons_and_a_command(shop: Path) -> None:
    tests = after(shop, {"shop/till.py": TILL.replace("total = start", "total = start + 0")}).tests()
    reasons = {each.id: each.reason for each in tests}
    assert reasons == {
        "tests/test_till.py::test_notes": "calls shop.till.add_up via count_notes",
        "tests/test_till.py::TestTill::test_close": "calls shop.till.add_up via close",
    }
    assert tests.command == "pytest tests/test_till.py::TestTill::test_close tests/test_till.py::test_notes"
    assert tests.skipped_files == 1


def test_a_changed_fixture_selects_its_users(shop: Path) -> None:
    tests = after(shop, {"tests/test_till.py": TESTS.replace("return Till()", "return Till() or None")}).tests()
    assert [(each.id, each.reason) for each in tests] == [
        ("tests/test_till.py::TestTill::test_close", "uses the fixture till, which changed itself")
    ]


def test_fixtures_of_conftest_reach_through_other_fixtures_and_marks(tmp_path: Path) -> None:
    conftest = (
        "import pytest\n\n\n@pytest.fixture\ndef base():\n    return 1\n\n\n@pytest.fixture(name='shown')\n"
        "def _shown(base):\n    return base\n\n\n@pytest.fixture(autouse=True)\ndef always():\n    pass\n"
    )
    tests = (
        "import pytest\n\n\ndef test_a(shown): pass\n\n\n@pytest.mark.usefixtures('base')\nclass TestB:\n"
        "    def test_b(self): pass\n\n\ndef test_c(): pass\n"
    )
    repository(
        tmp_path,
        {"tests/conftest.py": conftest, "tests/test_x.py": tests, "other/test_y.py": "def test_d(shown): pass\n"},
    )
    found = after(tmp_path, {"tests/conftest.py": conftest.replace("return 1", "return 2")}).tests()
    assert set(found.ids) == {"tests/test_x.py::test_a", "tests/test_x.py::TestB::test_b"}
    found = after(tmp_path, {"tests/conftest.py": conftest.replace("    pass", "    print()")}).tests()
    assert set(found.ids) == {"tests/test_x.py::test_a", "tests/test_x.py::TestB::test_b", "tests/test_x.py::test_c"}


def test_tests_that_subclasses_inherit_and_setup_methods_are_collected_by_class(tmp_path: Path) -> None:
    base = (
        "class Base:\n    def setUp(self):\n        self.x = make()\n\n    def test_x(self):\n        assert self.x\n"
    )
    repository(tmp_path, {
        "m.py": "def make():\n    return 1\n",
        "tests/test_m.py": "import unittest\nfrom m import make\n\n\n" + base
        + "\n\nclass OneTest(Base, unittest.TestCase):\n    pass\n\n\nclass TestTwo(Base):\n    pass\n",
    })  # fmt: skip
    found = after(tmp_path, {"m.py": "def make():\n    return 2\n"}).tests()
    assert set(found.ids) == {"tests/test_m.py::OneTest::test_x", "tests/test_m.py::TestTwo::test_x"}


def test_a_setup_method_leads_to_inherited_tests_and_not_to_those_of_classes_that_override_it(tmp_path: Path) -> None:
    tests = (
        "import unittest\nfrom m import make\n\n\nclass Common:\n    def test_x(self):\n        assert self.x\n\n\n"
        "class FirstTest(Common, unittest.TestCase):\n    def setUp(self):\n        self.x = make()\n\n\n"
        "class SecondTest(FirstTest):\n    pass\n\n\n"
        "class ThirdTest(FirstTest):\n    def setUp(self):\n        self.x = 1\n"
    )
    repository(tmp_path, {"m.py": "def make():\n    return 1\n", "tests/test_m.py": tests})
    found = after(tmp_path, {"m.py": "def make():\n    return 2\n"}).tests()
    certain = {test.id for test in found if test.certainty == "certain"}
    assert certain == {"tests/test_m.py::FirstTest::test_x", "tests/test_m.py::SecondTest::test_x"}


def test_a_test_runner_in_the_repository_does_not_connect_all_tests(tmp_path: Path) -> None:
    tests = (
        "from runner import run\nfrom m import make\n\n\nclass TestOne:\n    def setup_method(self):\n"
        "        self.x = make()\n\n    def test_x(self):\n        pass\n\n\n"
        "class TestTwo:\n    def setup_method(self):\n        pass\n\n    def test_x(self):\n        pass\n\n\n"
        "def test_runner():\n    cases = [TestOne, TestTwo]\n    run(cases[1]())\n"
    )
    repository(tmp_path, {
        "m.py": "def make():\n    return 1\n", "runner.py": "def run(case):\n    case.setup_method()\n",
        "tests/test_m.py": tests,
    })  # fmt: skip
    found = after(tmp_path, {"m.py": "def make():\n    return 2\n"}).tests()
    assert [test.id for test in found if test.certainty == "certain"] == ["tests/test_m.py::TestOne::test_x"]


def test_a_test_is_certain_if_it_makes_the_object_whose_changed_method_runs(tmp_path: Path) -> None:
    code = (
        "class Job:\n    def go(self):\n        return self.step()\n\n    def step(self):\n        raise ValueError\n"
    )
    code += "".join(f"\n\nclass {name}(Job):\n    def step(self):\n        return {{}}\n" for name in "ABCD")
    tests = (
        "from jobs import A, B, C, D\nimport pytest\n\n\n"
        "class Cases:\n    def test_kind(self):\n        self.kind().go()\n"
        + "".join(f"\n\nclass Test{name}(Cases):\n    kind = {name}\n" for name in "ABCD")
        + "\n\ndef run(job):\n    return job.go()\n\n\n@pytest.fixture\ndef job():\n    return A()\n\n\n"
        "def test_given(job):\n    run(job)\n\n\ndef test_other():\n    run(B())\n"
    )
    again = "from tests.test_jobs import TestA, test_other\n"  # pytest runs imported tests, too
    files = {"jobs.py": code.format(1, 2, 3, 4), "tests/test_jobs.py": tests, "tests/test_again.py": again}
    changes = after(repository(tmp_path / "repo", files), {"jobs.py": code.format(11, 2, 3, 4)})
    selected = changes.tests()
    assert [test.id for test in selected if test.certainty == "certain"] == [
        "tests/test_again.py::TestA::test_kind", "tests/test_jobs.py::TestA::test_kind",
        "tests/test_jobs.py::test_given",
    ]  # fmt: skip
    assert {"tests/test_again.py::test_other", "tests/test_jobs.py::TestB::test_kind"} <= set(selected.ids)


def test_an_object_says_nothing_about_one_of_many_functions_that_its_class_stores(tmp_path: Path) -> None:
    names = ("low", "high", "mean", "mode", "sum")
    code = "class Property:\n    def __init__(self, make):\n        self.make = make\n\n"
    code += "    def value(self, owner):\n        return self.make(owner)\n\n\nclass Stats:\n"
    code += "".join(
        f"    def _{name}(self):\n        return {{}}\n\n    {name} = Property(_{name})\n\n" for name in names
    )
    tests = "from m import Stats\n\n\ndef test_low():\n    stats = Stats()\n    Stats.low.value(stats)\n"
    folder = repository(tmp_path / "repo", {"m.py": code.format(*range(5)), "tests/test_m.py": tests})
    selected = after(folder, {"m.py": code.format(0, 1, 2, 33, 4)}).tests()
    assert [(test.id, test.certainty) for test in selected] == [("tests/test_m.py::test_low", "possible")]


def test_a_function_that_another_one_only_stores_makes_no_test_certain(tmp_path: Path) -> None:
    code = "def made():\n    def clear():\n        return {}\n\n    def call():\n        return 1\n\n"
    code += "    call.clear = clear\n    return call\n"
    tests = "from m import made\n\n\ndef test_made():\n    made()\n"
    files = {"m.py": code.format(1), "tests/test_m.py": tests}
    selected = after(repository(tmp_path / "repo", files), {"m.py": code.format(2)}).tests()
    assert [(test.id, test.certainty) for test in selected] == [("tests/test_m.py::test_made", "possible")]


def test_a_use_that_seldom_runs_makes_no_test_certain(tmp_path: Path) -> None:
    code = (
        "from typing import NoReturn\n\n\ndef main(words):\n    if words:\n        some(words)\n"
        "    try:\n        tried(words)\n"
        "    except KeyError:\n        handled(words)\n    if not words:\n        raise KeyError(shown(words))\n"
        "    if words == 3:\n        stop(words)\n    elif words:\n        other(words)\n"
        "    if words > 3:\n        both(words, 3)\n    else:\n        both(words, 4)\n"
        "    return given(passed, words)\n\n\n"
        "def given(call, words):\n    return call\n\n\ndef stop(words) -> NoReturn:\n    raise OSError({})\n"
    )
    names = ("some", "tried", "handled", "shown", "passed", "other", "both")
    code += "".join(f"\n\ndef {name}(words, more=0):\n    return {{}}\n" for name in names)
    tests = (
        "import pytest\nfrom m import main\n\n\ndef test_main():\n    with pytest.raises(KeyError):\n        main([])\n"
    )
    old = code.format("stop", *names)
    folder = repository(tmp_path / "repo", {"m.py": old, "tests/test_m.py": tests})
    found = {}
    for name in ("stop", *names):
        value = f"({name})" if name == "stop" else f"return {name}\n"
        (test,) = after(folder, {"m.py": old.replace(value, value.replace(name, "33"))}).tests()
        found[name] = test.certainty
    assert found == {
        "stop": "possible", "some": "certain", "tried": "certain", "handled": "possible", "shown": "possible",
        "passed": "possible", "other": "possible", "both": "certain",
    }  # fmt: skip


def test_safe_adds_the_files_that_import_a_changed_file(shop: Path) -> None:
    answer = after(shop, {"shop/door.py": "print(3)\n" + DOOR})
    assert answer.tests(safe=True).ids == ("tests/test_door.py",)
    assert answer.tests(safe=True)[0].reason == "imports shop.door"
    assert answer.tests(safe=True)[0].certainty == "by import"
    assert not answer.tests()


def test_safe_takes_all_tests_of_a_package_that_pytest_imports(tmp_path: Path) -> None:
    code = "def f():\n    return 1\n"
    files = {"pluggy/__init__.py": code, "tests/test_a.py": "def test_a():\n    pass\n"}
    changes = after(repository(tmp_path / "repo", files), {"pluggy/__init__.py": code.replace("1", "2")})
    assert changes.tests().ids == ()
    assert "pytest itself imports pluggy, so the change may affect every test." in changes.tests().escapes
    assert changes.tests(safe=True).ids == ("tests/test_a.py",)


def test_a_changed_data_file_selects_the_tests_that_name_it(tmp_path: Path) -> None:
    repository(tmp_path, {
        "data/prices.bin": "1",
        "m.py": "def load():\n    return open('data/prices.bin')\n\n\ndef other():\n    return 2\n",
        "tests/test_m.py": "from m import load, other\n\n\ndef test_load():\n    load()\n\n\n"
        "def test_other():\n    other()\n",
    })  # fmt: skip
    answer = after(tmp_path, {"data/prices.bin": "2"})
    assert [(file.path, file.kind) for file in answer.files] == [("data/prices.bin", "changed")]
    assert [(each.id, each.certainty) for each in answer.tests()] == [("tests/test_m.py::test_load", "possible")]
    assert any("prices.bin" in each for each in answer.tests().escapes)


@pytest.mark.parametrize(
    ("files", "edit", "command"),
    [
        (
            {"go.mod": "module m\n", "a/a.go": "package a\n\nfunc One() int { return 1 }\n",
             "a/a_test.go": 'package a\n\nimport "testing"\n\nfunc TestOne(t *testing.T) { One() }\n'},
            ("a/a.go", "return 1", "return 2"), "go test ./a -run '^(TestOne)$'",
        ),
        (
            {"package.json": '{"devDependencies": {"vitest": "1"}}', "a.ts": "export function one() { return 1 }\n",
             "a.test.ts": 'import { one } from "./a"\ntest("one", () => { one() })\n'},
            ("a.ts", "return 1", "return 2"), "npx vitest run a.test.ts",
        ),
        (
            {"Cargo.toml": '[package]\nname = "m"\n',
             "src/lib.rs": "pub fn one() -> i32 { 1 }\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n"
             "    fn is_one() { assert_eq!(one(), 1); }\n}\n"},
            ("src/lib.rs", "{ 1 }", "{ 2 }"), "cargo test -- tests::is_one",
        ),
        (
            {"pom.xml": "<project/>",
             "src/main/java/p/A.java": "package p;\npublic class A { public static int one() { return 1; } }",
             "src/test/java/p/ATest.java": "package p;\nclass ATest { @Test void isOne() { A.one(); } }\n"},
            ("src/main/java/p/A.java", "return 1", "return 2"), "mvn test '-Dtest=p.ATest#isOne'",
        ),
    ],
)  # fmt: skip
def test_each_runner_gets_its_command(
    tmp_path: Path, files: dict[str, str], edit: tuple[str, str, str], command: str
) -> None:
    repository(tmp_path, files)
    path, old, new = edit
    tests = after(tmp_path, {path: files[path].replace(old, new)}).tests()
    assert tests.command.replace("-Dtest='", "'-Dtest=") == command


# --------------------------------------------------------------------------- breaking changes


def function(signature: str, language: str = "python", kind: str = "function") -> Symbol:
    return Symbol("m:f", "m.f", "f", kind, "m", Span(1, 1, 0, 1), 1, language, None, signature)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("old", "new", "clauses"),
    [
        ("def f(a)", "def f(a, b)", ("parameter b added without a default",)),
        ("def f(a)", "def f(a, b=1, *, c=2, **k)", ()),
        ("def f(a, b=1)", "def f(a)", ("parameter b removed",)),
        ("def f(a, b=1)", "def f(a, b)", ("parameter b has no default any more",)),
        ("def f(a, b)", "def f(b, a)", ("parameters in another order",)),
        ("def f(a)", "def f(*, a)", ("parameter a is keyword-only now",)),
        ("def f(a)", "def f(a, /)", ("parameter a is positional-only now",)),
        ("def f(a)", "def f(c)", ("parameter a renamed to c",)),
        ("def f(a, /)", "def f(c, /)", ()),
        ("def f(a, b=2)", "def f(x=1, a=None, b=2)", ("parameter x added before others",)),
        ("def f(self, a) -> int", "def f(self, a) -> str", ("result type changed from int to str",)),
        ("def f(a)", "def f(a) -> int", ()),
        ("def f(a) -> str:", "def f(a) -> int:", ("result type changed from str to int",)),
        (
            "def f(a=(1, 2), b: dict[str, int] = {})",
            "def f(a=(1, 3), b: dict[str, int] = {})",
            ("default of parameter a changed from (1,2) to (1,3)",),
        ),
    ],
)
def test_signatures_that_break_callers(old: str, new: str, clauses: tuple[str, ...]) -> None:
    assert breaking(function(old), function(new)) == clauses


def test_signatures_of_other_languages_are_read() -> None:
    read = [
        [(each.name, each.required) for each in parameters(function(signature, language))]
        for signature, language in [
            ("function f(a: number, b?: string, c = 3, ...r: any[]): string", "typescript"),
            ("func (r *R) f(a, b int, c ...string) (int, error)", "go"),
            ("public static <T> List<T> f(Map<String, T> a, int b)", "java"),
            ("pub fn f(&self, a: &str, b: Option<i32>) -> i32", "rust"),
        ]
    ]
    assert read[0] == [("a", True), ("b", False), ("c", False), ("r", False)]
    assert read[1] == [("a", True), ("b", True), ("c", False)]
    assert read[2] == [("a", True), ("b", True)]
    assert [name for name, _ in read[3]] == ["a", "b"]


def test_private_names_and_tests_break_nothing(shop: Path) -> None:
    write(shop, {"shop/hidden.py": "def _f(a):\n    return a\n"})
    commit(shop, "hidden")
    answer = after(
        shop, {"shop/hidden.py": "def _f():\n    return 1\n", "tests/test_door.py": "def test_other(): pass\n"}
    )
    assert answer.breaking == ()


# --------------------------------------------------------------------------- patches


def test_a_patch_is_applied_or_undone(shop: Path) -> None:
    new = TILL.replace("* 100", "* 10").replace("def open", "def unlock")
    write(shop, {"shop/till.py": new})
    patch = git(shop, "diff").decode()
    undone = loaded(shop).review.changes(patch)
    assert undone.comparison.old.label == "before the patch"
    git(shop, "checkout", "-q", "-f", "HEAD")
    applied_to = loaded(shop).review.changes(patch)
    assert applied_to.comparison.new.label == "after the patch"
    assert said(undone) == said(applied_to) == said(after(shop, {"shop/till.py": new}))
    file = write(shop, {"../a.patch": patch}) / ".." / "a.patch"
    git(shop, "checkout", "-q", "-f", "HEAD")
    assert said(loaded(shop).review.changes(file)) == said(applied_to)
    assert {each.symbol.name for each in loaded(shop / "shop").review.changes(patch)} >= {"count_notes"}


def test_patches_that_add_rename_delete_and_touch_binary_files(shop: Path) -> None:
    git(shop, "mv", "shop/door.py", "shop/gate.py")
    (shop / "tests" / "test_door.py").unlink()
    write(shop, {"shop/new ä.py": "def fresh():\n    return 1\n", "shop/x.bin": b"\0\1\2"})
    git(shop, "add", "-A")
    patch = git(shop, "diff", "--cached", "-M").decode()
    answer = loaded(shop).review.changes(patch)
    kinds = {each.symbol.name: each.kind for each in answer}
    assert kinds["gate"] == "moved"
    assert kinds["test_door"] == "removed"
    assert "added" in kinds.values()
    assert [(file.path, file.note) for file in answer.files] == [("shop/x.bin", "binary")]


@pytest.mark.parametrize(
    ("patch", "message"),
    [
        ("hello\nworld\n", "no patch"),
        ("--- a/m.py\n\udfbe", "half a character"),
        ("--- a/shop/door.py\n+++ b/shop/door.py\n@@ -1,2 +1,2 @@\n-def shut():\n+def x():\n  1\n", "does not apply"),
        ("--- a/no/such.py\n+++ b/no/such.py\n@@ -1 +1 @@\n-a\n+b\n", "no file 'no/such.py'"),
        ("--- a/../../etc/passwd\n+++ b/../../etc/passwd\n@@ -1 +1 @@\n-a\n+b\n", "not a path inside"),
        ("--- /etc/passwd\n+++ /etc/passwd\n@@ -1 +1 @@\n-a\n+b\n", "not a path inside"),
        ("diff --cc m.py\n--- a/m.py\n+++ b/m.py\n@@@ -1 -1 +1 @@@\n", "merge"),
        ("--- a/shop/door.py\n+++ b/shop/door.py\n@@ -1,9 +1,9 @@\n def open_door(key):", "ends inside the hunk"),
        ("--- a/shop/door.py\n+++ b/shop/door.py\n@@ nonsense @@\n", "no hunk header"),
    ],
)  # fmt: skip
def test_patches_that_cannot_be_used_say_why(shop: Path, patch: str, message: str) -> None:
    with pytest.raises(PatchError, match=message):
        loaded(shop).review.changes(patch)


LINES = st.lists(st.sampled_from(["a", "b", "", "  c", "-d", "+e", "@@ x", "--- f"]), max_size=12)


@settings(max_examples=25, deadline=None)
@given(LINES, LINES)
def test_a_patch_of_git_gives_the_file_that_git_had(
    tmp_path_factory: pytest.TempPathFactory, old: list[str], new: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("patch")
    one, other = ("".join(f"{line}\n" for line in lines).encode() for lines in (old, new))
    write(folder, {"one": one, "other": other})
    patch = git(folder, "diff", "--no-index", "one", "other", allowed=(0, 1))
    if one == other:
        return
    (found,) = parse_patch(patch)
    assert applied(found, one) == other
    assert applied(found, other, backwards=True) == one


# --------------------------------------------------------------------------- bad input


@pytest.mark.parametrize("base", ["no-such-branch", "HEAD~99", "--upload-pack=x", "main..nowhere", " ", "a\0b"])
def test_an_unknown_reference_is_named_with_the_next_step(shop: Path, base: str) -> None:
    with pytest.raises(GitError, match="commit"):
        loaded(shop).review.changes(base)


def test_folders_without_git_without_commits_and_without_files(tmp_path: Path, shop: Path) -> None:
    workspace = loaded(write(tmp_path / "plain", SHOP))
    with pytest.raises(GitError, match="not in a git repository"):
        workspace.review.changes()
    with pytest.raises(RootNotFound, match="no file or folder"):
        workspace.review.changes(tmp_path / "nowhere")
    with pytest.raises(QuestionError, match="base must be"):
        workspace.review.changes(3)  # type: ignore[arg-type]
    unborn = repository(tmp_path / "unborn", SHOP, message=None)
    with pytest.raises(GitError, match="no commit yet"):
        loaded(unborn).review.changes()
    git(tmp_path, "clone", "-q", "--bare", str(shop), "bare")
    write(tmp_path / "bare", {"m.py": "x = 1\n"})
    with pytest.raises(GitError, match="bare"):
        loaded(tmp_path / "bare").review.changes()


def test_a_shallow_clone_says_that_it_is(tmp_path: Path, shop: Path) -> None:
    commit(shop, "second", {"shop/door.py": DOOR.replace("turn", "push")})
    git(tmp_path, "clone", "-q", "--depth", "1", shop.as_uri(), "shallow")
    workspace = loaded(tmp_path / "shallow")
    assert not workspace.review.changes()
    with pytest.raises(GitError, match="unshallow"):
        workspace.review.changes("HEAD~1")


def test_an_index_without_sources_cannot_be_compared(shop: Path, tmp_path: Path) -> None:
    saved = loaded(shop).save(tmp_path / "x.codeexplore", sources=False)
    with pytest.raises(SourceNotIncluded):
        Workspace.open(saved).review.changes()


def test_a_missing_object_is_an_error_and_nothing_is_fetched(shop: Path) -> None:
    commit(shop, "second", {"shop/door.py": DOOR.replace("turn", "push")})
    name = git(shop, "rev-parse", "HEAD~1:shop/door.py").decode().strip()
    (shop / ".git" / "objects" / name[:2] / name[2:]).unlink()
    marker = shop / "fetched"
    git(shop, "config", "extensions.partialClone", "origin")
    git(shop, "config", "remote.origin.promisor", "true")
    git(shop, "config", "remote.origin.url", f"ext::sh -c touch% {marker}")
    git(shop, "config", "protocol.ext.allow", "always")
    with pytest.raises(GitError, match=r"can't (list the files|read the object)"):
        loaded(shop).review.changes("HEAD~1")
    assert not marker.exists()


def test_no_hook_filter_or_monitor_of_the_repository_runs(shop: Path) -> None:
    marker = shop / "ran"
    for key in (
        "core.fsmonitor",
        "filter.x.clean",
        "filter.x.smudge",
        "diff.x.textconv",
        "diff.external",
        "core.pager",
    ):
        git(shop, "config", key, f"touch {marker}")
    write(shop, {".gitattributes": "* filter=x diff=x\n", "shop/door.py": DOOR.replace("turn", "push")})
    hook = shop / ".git" / "hooks" / "post-index-change"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {marker}\n")
    hook.chmod(0o755)
    before = (shop / ".git" / "index").read_bytes()
    answer = loaded(shop).review.changes()
    assert [each.symbol.name for each in answer] == ["open_door"]
    assert [file.path for file in answer.files] == [".gitattributes"]
    assert not marker.exists()
    assert (shop / ".git" / "index").read_bytes() == before


def test_conflict_markers_are_reported(shop: Path) -> None:
    conflict = "<<<<<<< HEAD\ndef a(): pass\n=======\ndef b(): pass\n>>>>>>> other\n"
    answer = after(shop, {"shop/door.py": DOOR + conflict})
    assert any("Merge conflicts are not resolved in shop/door.py" in note for note in answer.notes)


def test_submodules_are_named_and_their_files_left_alone(shop: Path, tmp_path: Path) -> None:
    inner = repository(tmp_path / "inner", {"lib.py": "def lib():\n    return 1\n"})
    git(shop, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "vendored")
    commit(shop, "submodule")
    answer = loaded(shop).review.changes()
    assert not answer
    assert any("Files of submodules are not compared: vendored" in note for note in answer.notes)
    new = commit(inner, "second", {"lib.py": "def lib():\n    return 2\n"})
    git(shop, "update-index", "--cacheinfo", f"160000,{new},vendored")
    git(shop, "commit", "-q", "-m", "moved on")
    moved = loaded(shop).review.changes("HEAD~1..HEAD")
    assert [file.path for file in moved.files if "submodule" in file.note] == ["vendored"]


def test_hostile_names_in_a_commit_stay_text(shop: Path) -> None:
    blob = git(shop, "hash-object", "-w", "--stdin", stdin=b"def f():\n    return 1\n").decode().strip()
    rows = [
        f"100644 blob {blob}\t{name}".encode()
        for name in ("a\nb.py", "<script>alert(1).py", "..%2f.py", "\x1b[31mred.py", "c'`$(x).py")
    ]
    tree = git(
        shop, "mktree", "-z", stdin=b"\0".join([*rows, f"100644 blob {blob}\t".encode() + b"\xff\xfe.py"]) + b"\0"
    )
    made = git(shop, "commit-tree", "-m", "x", tree.decode().strip()).decode().strip()
    answer = loaded(shop).review.changes(made)
    assert {"a\nb.py", "\x1b[31mred.py"} <= {each.symbol.path for each in answer}
    assert any("not UTF-8" in note for note in answer.notes)
    assert "\x1b" not in repr(answer)
    tags: list[str] = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attributes: tags.append(tag)  # type: ignore[method-assign]
    parser.feed(shown_html(answer))
    assert "table" in tags
    assert "script" not in tags
    assert "\x1b" not in answer.to_markdown()
    assert sorted(path.name for path in shop.iterdir()) == [".git", "shop", "tests"]


def test_binary_and_generated_files_of_a_commit_are_counted(shop: Path) -> None:
    commit(shop, "binary", {"shop/data.py": b"\0\1\2", "shop/made.py": "# Code generated by x. DO NOT EDIT.\nx = 1\n"})
    (shop / "shop" / "data.py").unlink()
    (shop / "shop" / "made.py").unlink()
    answer = loaded(shop).review.changes()
    assert any("Not compared, binary: shop/data.py" in note for note in answer.notes)
    assert any("shop/made.py" in note for note in answer.notes)


def test_files_edited_since_the_load_are_reported(shop: Path) -> None:
    workspace = loaded(shop)
    write(shop, {"shop/door.py": DOOR.replace("turn", "push")})
    answer = workspace.review.changes()
    assert not answer
    assert any("changed since they were loaded" in note for note in answer.notes)


# --------------------------------------------------------------------------- displays


def test_a_comment_for_a_pull_request_has_at_most_sixty_lines(tmp_path: Path) -> None:
    files = {f"m{n}.py": f"def f{n}(a):\n    return a + {n}\n" for n in range(40)}
    tests = {f"tests/test_m{n}.py": f"from m{n} import f{n}\n\n\ndef test_{n}(): f{n}(1)\n" for n in range(40)}
    repository(tmp_path, {**files, **tests, "a`|b.txt": "x"})
    answer = after(tmp_path, {**{p: t.replace("(a)", "(b, a)") for p, t in files.items()}, "a`|b.txt": "y"})
    comment = answer.to_markdown()
    assert len(comment.splitlines()) <= 60
    assert comment.count("<details>") == comment.count("</details>") == 3
    assert "- [ ] `tests/test_m0.py::test_0`" in comment
    assert "28 more" in comment or "29 more" in comment


def test_html_has_both_sides_and_a_checklist(shop: Path) -> None:
    answer = after(shop, {"shop/till.py": TILL.replace("* 100", "* 10")})
    page = shown_html(answer)
    assert "before and after" in page
    assert "* 100" in page
    assert "* 10" in page
    checklist = shown_html(answer.tests())
    assert 'type="checkbox"' in checklist
    assert 'data-copy="tests/test_till.py::test_notes"' in checklist
    assert "-    return add_up(notes) * 100" in repr(answer[0])
    assert "ce-" in shown_html(answer.impact())


def test_answers_are_plain_data(shop: Path) -> None:
    answer = after(shop, {"shop/till.py": TILL.replace("* 100", "* 10")})
    for each in (answer, answer.impact(), answer.tests()):
        plain = json.loads(each.to_json())
        assert plain["headline"] == each.headline
        assert len(each.to_frame()) == len(each)
    assert json.loads(answer.to_json())["symbols"][0]["aspects"] == ["body"]
    assert {vertex.label for vertex in answer.impact().network().vertices} >= {"shop.till.count_notes"}
    assert "count_notes" in answer.impact().to_mermaid()


def test_a_name_that_is_still_imported_where_it_was_breaks_nothing(shop: Path) -> None:
    add_up = TILL[TILL.index("def add_up") : TILL.index("def count")]
    moved, sums = TILL.replace(add_up, ""), f"import math\n\n\n{add_up}"
    left = after(shop, {"shop/till.py": moved, "shop/sums.py": sums})
    assert [each.breaking for each in left if each.symbol.name == "add_up"] == [("moved to shop.sums.add_up",)]
    kept = after(shop, {"shop/till.py": moved.replace("import math", "from shop.sums import add_up")})
    assert [(each.kind, each.breaking) for each in kept if each.symbol.name == "add_up"] == [("moved", ())]


def test_removed_modules_kinds_and_special_methods_of_a_package_may_break_code(tmp_path: Path) -> None:
    repository(tmp_path, {
        "shop/__init__.py": "", "shop/old.py": "def f():\n    return 1\n", "shop/_own.py": "def g():\n    return 2\n",
        "shop/a.py": "def Till(coins):\n    return coins\n\n\nclass Door:\n    def __init__(self, key=1):\n"
        "        self.key = key\n",
        "tools/run.py": "def h():\n    return 3\n",
    })  # fmt: skip
    for path in ("shop/old.py", "shop/_own.py", "tools/run.py"):
        (tmp_path / path).unlink()
    answer = after(tmp_path, {"shop/a.py": "class Till:\n    pass\n\n\nclass Door:\n    def __init__(self, key):\n"
                                           "        self.key = key\n"})  # fmt: skip
    said = {each.change.old.fqn: each.breaking for each in answer.breaking if each.change.old is not None}
    assert said == {
        "shop.old": ("removed",), "shop.a.Till": ("kind changed from function to class",),
        "shop.a.Door.__init__": ("parameter key has no default any more",),
    }  # fmt: skip


def test_names_that_are_still_assigned_and_other_names_of_a_supertype_break_nothing(tmp_path: Path) -> None:
    compat = "import sys\nif sys.version_info[0] == 2:\n    text_type = unicode\nelse:\n    text_type = str\n"
    repository(tmp_path, {
        "m/__init__.py": "", "m/compat.py": compat, "m/version.py": "version = 'a'\nnumber = 1\nlost = 2\n",
        "m/a.py": "from m import compat\n\n\nclass Text(compat.text_type):\n    pass\n\n\n"
        "class Other(compat.text_type):\n    pass\n",
    })  # fmt: skip
    answer = after(tmp_path, {
        "m/version.py": "__version__ = version = 'b'\nif version:\n    number = 2\n",
        "m/a.py": "class Text(str):\n    pass\n\n\nclass Other(bytes):\n    pass\n",
    })  # fmt: skip
    assert {each.symbol.fqn: each.breaking for each in answer.breaking} == {
        "m.a.Other": ("supertype removed: compat.text_type",), "m.version.lost": ("removed",)
    }  # fmt: skip


def test_a_package_that_no_longer_exports_a_name_may_break_code(tmp_path: Path) -> None:
    repository(tmp_path, {
        "m/__init__.py": "import os\nfrom os import path\nfrom m.a import f, g, h\nfrom m._b import gone\n",
        "m/all/__init__.py": "from os import path, sep\nfrom m.a import f\n__all__ = ['f', 'sep']\n",
        "m/a.py": "def f():\n    pass\n\n\ndef g(*args, **k):\n    pass\n\n\ndef h(*args):\n    pass\n",
        "m/_b.py": "def gone():\n    pass\n",
    })  # fmt: skip
    answer = after(tmp_path, {
        "m/__init__.py": "from m.a import g, h\n", "m/all/__init__.py": "", "m/_b.py": "",
        "m/a.py": "def f():\n    pass\n\n\ndef g(a, b=1, **k):\n    pass\n\n\ndef h():\n    pass\n",
    })  # fmt: skip
    assert {each.symbol.fqn: each.breaking for each in answer.breaking} == {
        "m": ("attribute f removed",), "m.all": ("attribute f removed", "attribute sep removed"),
        "m.a.h": ("parameter args removed",), "m._b.gone": ("removed",),
    }  # fmt: skip


def test_attributes_under_a_condition_and_constructors_made_of_fields_may_break_code(tmp_path: Path) -> None:
    code = "import sys\nfrom dataclasses import dataclass\nfrom typing import ClassVar\n\n\n"
    code += (
        "class Bad:\n    names = [1, 2]\n    if sys.version_info < (3,):\n        text = str\n        _own = 1\n\n\n"
    )
    code += "@dataclass\nclass Node:\n    kind: ClassVar[int] = 1\n    key: str\n    gap = ': '\n    end: str = ', '\n"
    repository(tmp_path, {"m.py": code})
    new = code.replace("    if sys.version_info < (3,):\n        text = str\n        _own = 1\n", "    size = 1\n")
    answer = after(tmp_path, {"m.py": new.replace("gap =", "gap: str =").replace("names = [1, 2]", "names = {'a': 1}")})
    assert {each.symbol.name: each.breaking for each in answer.breaking} == {
        "Bad": ("attribute text removed",), "Node": ("parameter gap added before others",),
    }  # fmt: skip


def test_a_member_that_is_used_in_another_way_breaks_code(tmp_path: Path) -> None:
    read = "    @property\n    def {0}(self):\n        return self._{0}\n\n"
    called = "    def {0}(self):\n        return 1\n\n"
    code = "class A:\n" + read.format("stop") + called.format("go") + read.format("zone")
    code += "    @zone.setter\n    def zone(self, zone):\n        self._zone = zone\n\n"
    code += read.format("stamp") + called.format("size")
    code += "    def __get__(self, obj, type):\n        return 1\n\n    def __nonzero__(self):\n        return True\n"
    new = "class A:\n    def __init__(self, stop=1, go=1):\n        self.stop = stop\n        self.go = go\n\n"
    new += read.format("zone") + called.format("stamp") + read.format("size")
    new += "    def __get__(self, instance, owner):\n        return 1\n"
    repository(tmp_path, {"m.py": code})
    answer = after(tmp_path, {"m.py": new})
    assert {each.symbol.name: each.breaking for each in answer.breaking} == {
        "go": ("kind changed from method to attribute",), "zone": ("can no longer be assigned",),
        "stamp": ("kind changed from property to method",), "size": ("kind changed from method to property",),
    }  # fmt: skip


def test_a_default_or_definition_that_may_be_the_same_breaks_nothing(tmp_path: Path) -> None:
    code = "import six\n\n\ndef same(a=six.b(''), b=text_t, c=(Mapping, string_t), d=PY3):\n    pass\n\n\n"
    code += "def other(a=1, b=None, c=SLOW, d=[1, 'x']):\n    pass\n\n\nencode = same\n\n\n"
    code += "class Node:\n    @property\n    def name(self):\n        return self._name\n"
    repository(tmp_path, {"m.py": code})
    new = code.replace("a=six.b(''), b=text_t, c=(Mapping, string_t), d=PY3", "a=b'', b=str, c=(Mapping, str), d=True")
    new = new.replace("a=1, b=None, c=SLOW, d=[1, 'x']", "a=2, b=Base, c=FAST, d=[1, 'y']")
    new = new.replace("encode = same", "def encode(a=1):\n    return a")
    new = new.replace("    @property\n    def name(self):\n        return self._name\n", "    name = 'node'\n")
    answer = after(tmp_path, {"m.py": new})
    assert {each.symbol.name: each.breaking for each in answer.breaking} == {
        "other": (
            "default of parameter a changed from 1 to 2", "default of parameter b changed from None to Base",
            "default of parameter c changed from SLOW to FAST",
            """default of parameter d changed from [1,"x"] to [1,"y"]""",
        ),
    }  # fmt: skip


def test_a_stub_beside_its_module_is_no_interface_of_its_own(tmp_path: Path) -> None:
    source, stub = (
        "class N:\n    def go(self, a):\n        return 1\n",
        "class N:\n    def go(self, a: int) -> int: ...\n",
    )
    repository(tmp_path, {"m/__init__.py": "", "m/a.py": source, "m/a.pyi": stub, "m/b.pyi": stub})
    (tmp_path / "m/a.pyi").unlink()
    (tmp_path / "m/b.pyi").unlink()
    answer = after(tmp_path, {"m/a.py": source.replace("return 1", "return 2")})
    assert {each.symbol.fqn: each.breaking for each in answer.breaking} == {"m.b": ("removed",)}


def test_a_subclass_that_takes_a_removed_member_from_elsewhere_keeps_it(tmp_path: Path) -> None:
    code = "class Mixin:\n    def kind(self):\n        return 1\n\n\nclass Base:\n    pass\n\n\n"
    code += "class Request(Mixin, Base):\n    pass\n\n\nclass Other(Mixin):\n    pass\n"
    repository(tmp_path, {"m.py": code})
    new = code.replace("    def kind(self):\n        return 1\n", "    pass\n")
    new = new.replace(
        "class Base:\n    pass", "class Base:\n    size = 3\n\n    def kind(self):\n        return [2, 3]"
    )
    answer = after(tmp_path, {"m.py": new})
    assert [each.breaking[1:] for each in answer.breaking] == [("also for the subclass Other",)]


def test_members_that_a_class_inherits_may_break_code_too(tmp_path: Path) -> None:
    code = (
        "class _Old:\n    def __repr__(self):\n        return ''\n\n    def show(self):\n        return ''\n\n"
        "    def drop(self, now):\n        return self\n\n\n"
        "class _New:\n    def drop(self, now, why):\n        return self\n\n\nclass _Base(_Old):\n    base = 1\n\n\n"
        "class Top:\n    def draw(self, pen):\n        return pen\n\n"
        "    @staticmethod\n    def load(path):\n        return path\n\n\n"
        "class Mid(Top):\n    def draw(self, pen):\n        return [pen]\n"
    )
    other = "from m import Mid, _Base\n\n\nclass Low(Mid):\n    pass\n\n\nclass Far(_Base):\n    pass\n"
    other += "\n\nclass Farther(Far):\n    pass\n"
    repository(tmp_path, {"m.py": code, "far.py": other})
    new = code.replace("class _Base(_Old)", "class _Base(_New)").replace(
        "    @staticmethod\n    def load(", "    def load(self, "
    )
    new = new.replace("class Mid(Top):\n    def draw(self, pen):\n        return [pen]", "class Mid(Top):\n    pass")
    answer = after(tmp_path, {"m.py": new})
    assert {each.symbol.fqn: each.breaking for each in answer.breaking} == {  # Mid inherits draw, which is the same
        "m.Top.load": ("no longer static: it needs an object", "also for the subclasses Mid, Low"),
        "far.Far": ("inherited drop: parameter why added without a default", "inherited members removed: show"),
    }  # every object has __repr__
    far = next(each for each in answer if each.symbol.name == "Far")
    assert (far.kind, far.what) == ("changed", "inherited members")
    assert "far.Far" in {each.symbol.fqn for each in answer.impact()}


def test_files_left_out_by_a_sparse_checkout_are_not_removed(shop: Path) -> None:
    commit(shop, "data", {"other/data.bin": "1", "other/m.py": "def f():\n    return 1\n"})
    git(shop, "sparse-checkout", "set", "shop", "tests")
    assert not (shop / "other").exists()
    answer = after(shop, {"shop/door.py": DOOR.replace("turn", "push")})
    assert [each.symbol.fqn for each in answer] == ["shop.door.open_door"]
    assert answer.files == ()
    assert any("2 files that the sparse checkout leaves out" in note for note in answer.notes)
    git(shop, "commit", "-qam", "third")
    assert "1 removed" not in loaded(shop).review.changes("HEAD~1..HEAD").headline


TYPES = st.recursive(
    st.sampled_from(["int", "str", "a.B", "None"]),
    lambda inner: st.one_of(
        st.tuples(st.just("Optional"), inner),
        st.tuples(st.just("List"), inner),
        st.tuples(st.just("Union"), inner, inner),
    ),
    max_leaves=6,
)


def _old_spelling(made: object) -> str:
    return made if isinstance(made, str) else f"typing.{made[0]}[{', '.join(map(_old_spelling, made[1:]))}]"


def _new_spelling(made: object) -> str:
    if isinstance(made, str):
        return made
    name, *inner = made
    parts = [_new_spelling(each) for each in inner]
    return f"list[{parts[0]}]" if name == "List" else " | ".join([*parts, *(["None"] if name == "Optional" else [])])


@given(TYPES)
def test_two_spellings_of_a_type_are_one(made: object) -> None:
    old, new = _old_spelling(made), _new_spelling(made)
    read = [written_type(text, by_name("python")) for text in (old, new, f"'{new}'")]
    assert read[0].alternatives == read[1].alternatives == read[2].alternatives
    within = [written_type(f"dict[{key}, {old}]", by_name("python")) for key in ("str", "bytes")]
    assert within[0].alternatives != within[1].alternatives


@given(st.text(alphabet="aB.[](){}<>|,'\"?&= ", max_size=60), st.sampled_from(["python", "rust", "typescript", "go"]))
def test_any_text_is_read_as_a_type(text: str, language: str) -> None:
    assert written_type(text, by_name(language)) == written_type(text, by_name(language))


SAME_TYPES = [  # ending, before, after
    (".py", "import a\ndef f(x) -> a.Foo: ...", "from a import Foo as F\ndef f(x) -> F: ..."),
    (".py", "import typing as t\ndef f(x) -> t.Optional[t.List[int]]: ...", "def f(x) -> 'list[int] | None': ..."),
    (
        ".py",
        "from typing import Sized\ndef f(x) -> Sized: ...",
        "from collections.abc import Sized\ndef f(x) -> Sized: ...",
    ),
    (".py", "from numpy import ndarray\ndef f() -> ndarray: ...", "import numpy as np\ndef f() -> 'np.ndarray': ..."),
    (".py", "def f(x, \\\n    y=1) -> \\\r\n        int: ...", "def f(x, y=1) -> int: ..."),
    (".py", "def f(x) -> int: ...", "def f(  # one\n    x) -> \\\n        int: ..."),
    (".py", "def f() -> 'int | str': ...", "def f() -> str: ..."),  # the caller gets less
    (".py", "def f(x, *a, **kw): ...", "def f(x, *args, **kwargs): ..."),
    (".py", "def f(x, y=1, *a, **kw): ...", "def f(x, *args, **kwargs): ..."),
    (".py", "class A(object):\n    x = 1", "class A:\n    x = 1"),
    (".py", "class B: ...\nclass A(B): ...", "class B: ...\nclass C(B): ...\nclass A(C): ..."),
    (".py", "T = TypeVar('T')\ndef f(x: T) -> T: ...", "T = TypeVar('T')\ndef f[T: (str, bytes)](x: T) -> T: ..."),
    (".ts", "export function f(a: Array<X>): Array<A|B> {}", "export function f(a: X[]): (B | A)[] {}"),
    (".ts", "export function f(a?: X): void {}", "export function f(a?: X | undefined): void {}"),
    (".ts", "export function f(a: X): string {}", "export function f(a: X | null): string {}"),
    (
        ".ts",
        "import {A} from 'm';\nexport function f(a: A): A {}",
        "import {A as Q} from 'm';\nexport function f(a: Q): Q {}",
    ),
    (
        ".ts",
        "export function f(a: (x: X) => Y): ReadonlyArray<X> {}",
        "export function f(a: (x: X) => Y): readonly X[] {}",
    ),
    (".go", "package p\nfunc F(a map[string]interface{}) []byte {}", "package p\nfunc F(a map[string]any) []uint8 {}"),
    (".go", "package p\nfunc F(a, b int) (int, error) {}", "package p\nfunc F(a int, b int) (n int, err error) {}"),
    (".go", 'package p\nimport "x/y"\nfunc F(a y.T) {}', 'package p\nimport z "x/y"\nfunc F(a z.T) {}'),
    (
        ".java",
        "package p; import java.util.List; public class A { public List<B> f(@Nullable int a, List<B> b) {} }",
        "package p; public class A { public java.util.List<B> f(final int a, final java.util.List<B> b) {} }",
    ),
    (".rs", "pub fn f<'a>(a: &'a str) -> &'a str {}", "pub fn f(a: &str) -> &str {}"),
    (
        ".rs",
        "use std::io::Result;\npub fn f(mut a: B<'_>) -> Result<u8> {}",
        "pub fn f(a: B) -> std::io::Result<u8> {}",
    ),
    (
        ".cs",
        "namespace N { public class A { public int? F(int? a) {} } }",
        "namespace N { public class A { public Nullable<int> F(System.Nullable<System.Int32> a) {} } }",
    ),
    (
        ".py",
        "from typing import TypeVar\n_T = TypeVar('_T')\ndef f(x: _T) -> list[_T]: ...",
        "def f[T](x: T) -> list[T]: ...",
    ),
    (".py", "Row = dict[str, int]\ndef f() -> Row: ...", "Row = dict[str, int]\ndef f() -> dict[str, int]: ..."),
    (".py", "def f() -> dict: ...", "def f() -> dict[str, int]: ..."),
    (".py", "def f(x): ...", "def f(\n    x,  # not (y, z\n): ..."),
    (".ts", "export function f(a: X): X {}", "export function f(\n  a: X, // b, c\n  /* d */): X {}"),
    (".py", "def f(x=u''): ...", 'def f(x=""): ...'),
    (".go", "package p\nfunc F[K any](a K) []K {}", "package p\nfunc F[T any](a T) []T {}"),
    (".java", "public class A { public <T> T f(T a) {} }", "public class A { public <U> U f(U a) {} }"),
    (".kt", "fun f(a: String): Int = 1", "fun f(a: String?): Int = 1"),
]
OTHER_TYPES = [
    (".py", "import a, b\ndef f(x) -> a.Foo: ...", "import a, b\ndef f(x) -> b.Foo: ..."),
    (".py", "from a import Foo\ndef f(x) -> dict[str, Foo]: ...", "from b import Foo\ndef f(x) -> dict[str, Foo]: ..."),
    (".py", "def f() -> str: ...", "def f() -> 'int | str': ..."),
    (".py", "from a import B\nclass A(B): ...", "from c import B\nclass A(B): ..."),
    (".py", "class A:\n    def __init__(self): self.x = 1", "class A:\n    def __init__(self): self.y = 1"),
    (".ts", "export function f(a: X): string {}", "export function f(a: Y): string {}"),
    (".ts", "export function f(a: X | null): string {}", "export function f(a: X): string {}"),
    (
        ".ts",
        "import {A} from 'm';\nexport function f(a: A): A {}",
        "import {A} from 'n';\nexport function f(a: A): A {}",
    ),
    (".ts", "export function f(a: X): Map<string, X> {}", "export function f(a: X): Map<string, Y> {}"),
    (".go", "package p\nfunc F(a, b int) {}", "package p\nfunc F(a, b string) {}"),
    (".go", 'package p\nimport "x/y"\nfunc F(a y.T) {}', 'package p\nimport "z/y"\nfunc F(a y.T) {}'),
    (
        ".java",
        "package p; import java.util.Date; public class A { public void f(Date a) {} }",
        "package p; import java.sql.Date; public class A { public void f(Date a) {} }",
    ),
    (".java", "package p; public class A { public int f() {} }", "package p; public class A { public long f() {} }"),
    (".rs", "use std::io::Result;\npub fn f() -> Result<u8> {}", "use fmt::Result;\npub fn f() -> Result<u8> {}"),
    (".cs", "public class A { public int F(int a) {} }", "public class A { public int F(string a) {} }"),
    (".kt", "fun f(a: String?): Int = 1", "fun f(a: String): Int = 1"),
]


def test_signatures_are_compared_as_types(tmp_path: Path) -> None:
    table = [*SAME_TYPES, *OTHER_TYPES]
    for number, (ending, old, new) in enumerate(table):
        write(tmp_path, {f"old/p{number}/m{ending}": old + "\n", f"new/p{number}/m{ending}": new + "\n"})
    answer = loaded(tmp_path / "new").review.changes(tmp_path / "old")
    found = {int(each.symbol.path.partition("/")[0][1:]) for each in answer.breaking}
    assert found == set(range(len(SAME_TYPES), len(table)))


def test_types_alone_make_no_test_certain(tmp_path: Path) -> None:
    old = """from typing import Optional, overload
@overload
def twice(value: int) -> int: ...
def twice(value):
    return value * 2
def half(value: Optional[int], by=2) -> float:
    rest: int = value % by
    return value / by - rest
LIMIT: int = 3
"""
    test = "from m import half, twice\n\ndef test_half():\n    assert half(4) == twice(1)\n"
    repository(tmp_path, {"m.py": old, "test_m.py": test})
    new = old.replace("Optional[int], by", "'int | None', by: int").replace("rest: int", "rest: 'int'")
    new = new.replace("value: int) -> int: ...", "value: float) -> float: ...").replace("LIMIT: int", "LIMIT: float")
    answer = after(tmp_path, {"m.py": new})
    assert [(each.symbol.name, each.change.aspects) for each in answer if each.symbol.kind != "module"] == [
        ("twice", ("types only",)),
        ("half", ("types only",)),
        ("LIMIT", ("types only",)),
    ]
    assert {(test.id, test.certainty) for test in answer.tests()} == {("test_m.py::test_half", "possible")}
    assert {test.certainty for test in after(tmp_path, {"m.py": new.replace("% by", "% 2")}).tests()} == {"certain"}


def test_forms_of_a_property_are_one_thing_and_long_heads_are_compared(tmp_path: Path) -> None:
    many = ", ".join(f"parameter_number_{n}: dict[str, list[int]] = None" for n in range(14))
    old = f"""class C:
    def get_x(self):
        return 1
    x = property(get_x)

def f({many}, last=3):
    return 1

def g(a, h, k=False):
    return a
"""
    new = f"""from typing import Callable
class C:
    def get_x(self):
        return 1
    @property
    def x(self):
        return 1

def f({many}):
    return 1

def g(a, h: Callable[..., int], k=False):
    return a
"""
    for name, text in (("old", old), ("new", new)):
        write(tmp_path / name, {"m.py": text})
    found = Workspace(tmp_path / "new", cache=False).review.changes(tmp_path / "old").comparison.symbols
    assert {change.symbol.fqn: change.breaking for change in found if change.breaking} == {
        "m.f": ("parameter last removed",)
    }
    assert {change.kind for change in found} == {"changed"}
