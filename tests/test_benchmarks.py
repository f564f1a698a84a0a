"""The benchmarks' scorers, on sets small enough to be checked by hand."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from codeexplore import Workspace, sample_repo
from codeexplore.features.context.packs.tokens import cl100k, counter_of
from codeexplore.features.lab.evaluation import Setting
from tests.git_repos import commit, git, repository, write

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))

import breaking_changes
import calibration
import cochange
import dev_sets
import growth
import localise
import measure_references
import packs
import peer_graphs
import report_latency
import search_latency
import test_selection
import tours
import traced_calls
import tracing
import weights

SHOP = {
    "shop/till.py": "def add_up(coins):\n    return sum(coins)\n\n\ndef close_till(coins):\n    return add_up(coins)\n",
    "shop/door.py": "def open_door(key):\n    return key.turn()\n",
}


def prepared(folder: Path, name: str, rows: object) -> Path:
    write(folder / "shop", SHOP)
    (folder / name).write_text(json.dumps(rows))
    return folder


def test_files_are_scored_by_ndcg(tmp_path: Path) -> None:
    till, door = {"path": "shop/till.py"}, {"path": "shop/door.py"}
    rows = [
        {"repo": "shop", "root": None, "query": "open_door", "relevant": [door], "secondary": []},
        {"repo": "shop", "root": None, "query": "open_door", "relevant": [till], "secondary": []},
        {"repo": "shop", "root": "shop", "query": "open_door", "relevant": [{"path": "no/such.py"}], "secondary": []},
    ]
    dev_set = dev_sets.retrieval(prepared(tmp_path, "tasks.json", rows))
    first, second, third = dev_sets.measured(dev_set, [Setting()], lambda told: None)["default"]
    assert first == (1.0,)
    assert second[0] < 1.0  # the other file stands first, if it stands at all
    assert third == (0.0,)


def test_symbols_are_scored_by_their_rank(tmp_path: Path) -> None:
    rows = [
        {"repo": "shop", "query": "add_up", "path": "shop/till.py", "line": 1, "end_line": 2},
        {"repo": "shop", "query": "add_up", "path": "shop/elsewhere.py", "line": 1, "end_line": 2},
    ]
    dev_set = dev_sets.symbols(prepared(tmp_path, "queries.json", rows))
    assert dev_sets.measured(dev_set, [Setting()], lambda told: None)["default"] == [(1.0, 1.0), (0.0, 0.0)]


def test_weights_of_signals_are_learned_by_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        {"repo": "shop", "query": query, "path": path, "line": 1, "end_line": 2}
        for query, path in (("add up the coins", "shop/till.py"), ("turn the key", "shop/door.py"), ("xyz", "a.py"))
    ]
    folder, out = prepared(tmp_path, "queries.json", rows), tmp_path / "figures.json"
    monkeypatch.setattr(sys, "argv", ["weights.py", "--files", str(folder), "--json", str(out)])
    weights.main()
    figures = json.loads(out.read_text())
    assert figures["sets"]["files"]["before"] == pytest.approx(2 / 3)
    assert set(figures["multipliers"]["all"].values()) == {1.0}  # nothing to gain: every multiplier stays
    assert "| files | 3 | 0.6667 | 0.6667 | 0.6667 | 0 | 0 |" in capsys.readouterr().out
    answers = weights.answers([("files", 1, dev_sets.files(folder).questions[0])])
    wrong = answers[0]._replace(
        hits=answers[0].hits[::-1], fused=answers[0].fused[::-1], adjusted=answers[0].adjusted[::-1]
    )
    assert wrong.score(np.ones(len(weights.NAMES))) == 1.0  # the order comes from the scores alone
    monkeypatch.setattr(sys, "argv", ["weights.py"])
    with pytest.raises(SystemExit):
        weights.main()


def test_multipliers_change_where_the_measure_gains(tmp_path: Path) -> None:
    """Two hits, of which one signal puts the wrong one first."""
    asked = dev_sets.Asked(tmp_path, "x", lambda hits: (1.0 if hits and hits[0] == "right" else 0.5,))
    adjusted = np.zeros((2, len(weights.NAMES)))
    adjusted[0, 3] = 0.5
    ranked = [weights.Ranked("files", asked, ["wrong", "right"], np.array([0.1, 0.2]), adjusted)]
    assert weights.ascend(ranked, ["files"])[3] == 0.0
    assert ranked[0].score(np.ones(len(weights.NAMES))) == 0.5


def test_callers_are_scored_by_recall(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seed = {"path": "shop/till.py", "line": 1, "end_line": 2}
    callers = [{"path": "shop/till.py", "line": 5, "end_line": 6}, {"path": "shop/nobody.py", "line": 1, "end_line": 2}]
    rows = [{"repo": "shop", "query": "what calls add_up?", "callers": callers, "seed": seed}]
    folder = prepared(tmp_path, "queries.json", rows)
    out = tmp_path / "figures.json"
    options = argparse.Namespace(retrieval=None, symbols=None, files=None, mixed=folder, json=out, short=False)
    dev_sets.run([Setting(), Setting(lanes=("graph",))], options)
    assert json.loads(out.read_text())["mixed"]["default"]["caller recall@10"] == 0.5
    assert "| default | 0.500 |" in capsys.readouterr().out


def test_questions_are_the_same_on_every_run(webshop: Workspace) -> None:
    questions = search_latency.questions_about(webshop, 40)
    assert questions == search_latency.questions_about(webshop, 40)
    assert len({question.kind for question in questions}) == 8
    times: search_latency.Times = {}
    search_latency.timed(webshop, questions[0], times, None, "search")
    assert search_latency.summary(times)["search"]["median"] == times["search"][0]


def test_first_contact_asks_for_names_that_importing_and_reading_tell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import first_contact

    package = write(
        tmp_path / "tiny",
        {
            "__init__.py": "from .core import run as start, Box\nfrom json import dumps\n",
            "core.py": "class Box:\n    pass\n\ndef run():\n    return helper()\n\ndef helper():\n    return 1\n"
            "\ndef _idle():\n    return 2\n",
        },
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    folder, names = first_contact.public_of_package(sys.executable, "tiny")
    assert folder == package
    assert names == {"tiny.Box": "tiny.core.Box", "tiny.start": "tiny.core.run"}
    contact = first_contact.meet("tiny", folder, {**names, "tiny.wrong": "", "tiny.core.run": "tiny.core.Box"}, 1)
    assert contact.asked == ["tiny.Box", "tiny.core.run", "tiny.start", "tiny.wrong"]
    assert [line.partition(":")[0] for line in contact.missing] == ["tiny.wrong"]
    assert [line.partition(":")[0] for line in contact.other] == ["tiny.core.run"]
    assert (contact.drawn, contact.kinds, contact.flat) == (1, {"callers": 1}, [])
    assert "0 by text: no call in the text" in "".join(contact.dead)
    assert "| tiny | 3 / 4 | 1 | 0 / 1 | callers 1 |" in first_contact.table([contact])
    sources = {
        "ts/package.json": '{"name": "shop"}',
        "ts/src/index.ts": "export { add as put } from './add'\nexport * from './more'\nexport class Cart {}\n",
        "ts/src/more.ts": "export const one = 1\n",
        "go/go.mod": "module example.com/kit\n",
        "go/kit.go": "package kit\n\nfunc New() {}\nfunc hidden() {}\n",
        "rust/Cargo.toml": '[package]\nname = "fast-io"\n',
        "rust/src/lib.rs": "pub use crate::net::{Stream, dial as call};\npub use std::fmt::Debug;\npub fn run() {}\n",
        "rust/src/net.rs": "pub struct Stream;\npub fn dial() {}\n",
        "java/A.java": "package org.shop;\npublic final class A {}\n",
    }
    write(tmp_path / "others", sources)
    told = {
        name: first_contact.public_of_repository(tmp_path / "others" / name) for name in ("ts", "go", "rust", "java")
    }
    assert told == {
        "ts": ["shop.Cart", "shop.one", "shop.put"],
        "go": ["example.com/kit.New", "kit.New"],
        "rust": ["fast_io::Stream", "fast_io::run"],
        "java": ["org.shop.A"],
    }
    monkeypatch.setattr(sys, "argv", ["first_contact.py", "--repositories", str(tmp_path / "others" / "go")])
    first_contact.main()
    assert "| go | 2 / 2 | 0 | 0 / 0 |" in capsys.readouterr().out


KIT = {
    "kit/__init__.py": "",
    "kit/base.py": """
def option(name):
    return property(lambda self: name)


class Shape:
    color = option("red")

    def __init__(self, size):
        self.size = size

    def __len__(self):
        return self.size

    def area(self):
        return len(self) * self.side()

    def side(self):
        return 1

    def parts(self):
        yield self.side()
""",
    "kit/use.py": """
from kit.base import Shape


class Square(Shape):
    def side(self):
        return self.size


def total(size, make=Square):
    shape = make(size)
    return shape.area() + sum(shape.parts()) + sum(map(lambda each: each, [size]))
""",
    "tests/test_total.py": """
from kit.use import total


def test_total():
    assert total(2) == 8
""",
}


def test_calls_of_a_test_run_are_recorded_and_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A class's body counts as its module; a generator and what C calls are external."""
    write(tmp_path / "kit", KIT)
    clean = tmp_path / "clean"
    clean.mkdir()
    (tmp_path / "kit" / "kit").rename(clean / "kit")
    said = traced_calls.run_tests(Path(sys.executable), tmp_path / "kit", clean, ["tests"], tmp_path / "edges.json", 60)
    assert said.startswith("1 passed")
    traced_calls.keep(tmp_path / "edges.json", clean, tmp_path / "traced" / "kit")
    record = json.loads((tmp_path / "traced" / "kit" / "edges.json").read_text())
    assert {tuple(row) for row in record["edges"]} == {
        ("kit.base", "kit.base.option", "named"),
        ("kit.base.Shape.area", "kit.base.Shape.__len__", "external"),
        ("kit.base.Shape.area", "kit.use.Square.side", "named"),
        ("kit.base.Shape.parts", "kit.use.Square.side", "named"),
        ("kit.use.total", "kit.base.Shape.__init__", "ctor"),
        ("kit.use.total", "kit.base.Shape.area", "named"),
        ("kit.use.total", "kit.base.Shape.parts", "external"),
        ("kit.use.total", "kit.use.total.<lambda>", "external"),
    }
    assert record["generators"] == ["kit.base.Shape.parts"]
    lines = KIT["kit/base.py"].splitlines()
    assert lines.index("        return len(self) * self.side()") + 1 in record["lines"]["kit/base.py"]
    assert lines.index("        return 1") + 1 not in record["lines"]["kit/base.py"]  # never reached
    package = traced_calls.measure(tmp_path / "traced" / "kit")
    assert (package.direct, sum(package.found.values())) == (5, 5)
    assert package.rules["scope"] == (2, 2)  # the call of `option` in the class's body is one of them
    assert sum((tally for tally in package.rules.values()), traced_calls.Tally()).share == 1.0
    assert traced_calls.packages_of([tmp_path / "traced"]) == []  # eight calls say little
    traced_calls.show(traced_calls.packages_of([tmp_path / "traced"], least=8), rules=True)
    assert "100.0 / 100.0" in capsys.readouterr().out


def test_a_run_that_records_nothing_says_what_the_tests_said(tmp_path: Path) -> None:
    write(tmp_path / "kit", {"tests/test_one.py": "import os\nos._exit(3)\n"})
    with pytest.raises(SystemExit, match="nothing was recorded"):
        traced_calls.run_tests(Path(sys.executable), tmp_path / "kit", tmp_path, ["tests"], tmp_path / "out.json", 60)


def test_confidences_are_checked_on_the_packages_that_did_not_set_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Three packages: ``scope`` is seen in 96 of 100, ``flow-several`` in none of one package and in all of two."""
    rows = [
        (f"p{n}", 100, {}, {}, {"scope": (96, 100), "flow-several": (0 if n == 0 else 100, 100), "name": (9, 9)})
        for n in range(3)
    ]
    (tmp_path / "scores.json").write_text(json.dumps(rows))
    monkeypatch.setattr(sys, "argv", ["calibration.py", str(tmp_path / "scores.json")])
    calibration.main()
    learned, given = capsys.readouterr().out.split("as they are")
    assert given.count(" of ") == 2  # `name` is on no level
    assert "0.65     200 of    300   66.7 %   +1.7 points" in given
    assert "1.00     288 of    300   96.0 %   -4.0 points" in given
    assert "0.65     200 of    200  100.0 %  +35.0 points" in learned  # with the other package in it, half are seen
    assert "1.00     288 of    400   72.0 %  -28.0 points" in learned  # both other packages set `flow-several` high


def test_reports_are_scored_by_files_and_functions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "trees" / "shop-1", SHOP)
    issue = {
        "id": "shop-1",
        "repo": "shop",
        "statement": "add_up counts foreign coins\n\nThe till sums up all coins.",
        "gold_files": ["shop/till.py"],
        "gold_functions": ["shop/till.py:add_up"],
    }
    missing = issue | {"id": "shop-2"}  # its folder is not there
    wrong = issue | {"gold_files": ["shop/door.py"], "gold_functions": []}
    found = localise.measured([issue, missing, wrong], localise.MODES, tmp_path / "trees", lambda told: None)
    first, second = found["default"]
    assert first.measures == {"file@1": 1, "file@5": 1, "file@10": 1, "func@5": 1, "func@10": 1, "MRR": 1}
    assert second.measures["file@1"] == 0.0
    assert "func@5" not in second.measures
    shown = localise.table(found)
    assert "without title" in shown
    assert " 1.000" in shown


def test_weights_of_reports_are_chosen_on_other_repositories() -> None:
    def row(repo: str, value: float) -> localise.Judged:
        return localise.Judged(repo, {"file@1": value}, 0.1)

    found = {
        "default": [row("a", 0.0), row("b", 1.0), row("c", 0.0)],
        "body × 2": [row("a", 1.0), row("b", 0.0), row("c", 1.0)],
        "another": [row("a", 1.0), row("b", 1.0), row("c", 1.0)],  # not among the choices
    }
    assert [(one.repo, one.measures["file@1"]) for one in localise.chosen_elsewhere(found)] == [
        ("a", 0.0),  # of b and c each mode has one
        ("b", 0.0),
        ("c", 0.0),
    ]


def test_published_names_of_functions_are_understood() -> None:
    hits = [("a/b.py", "a.b.Outer.Inner.run", "method"), ("a/b.py", "a.b.Outer.__init__", "method")]
    gold = {"gold_files": ["a/b.py"], "gold_functions": ["a/b.py:Inner.run", "a/b.py:Outer"]}
    assert localise.judged(gold, hits)["func@5"] == 1.0
    assert localise.judged(gold, hits[:1])["func@5"] == 0.0


def test_reports_of_a_size_are_made_from_the_repository(tmp_path: Path) -> None:
    write(tmp_path, SHOP)
    workspace = Workspace(tmp_path, cache=False)
    first, second = report_latency.reports_about(workspace, 2, 3_000)
    assert 2_900 < len(first) < 3_300
    assert first != second
    times = report_latency.measured(workspace, 2, 1_000)
    assert [len(each) for each in times.values()] == [2, 2]


def test_tours_are_judged_by_the_names_of_a_quickstart(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    (root / "docs").mkdir(parents=True)
    (root / "shop.py").write_text(
        "class Cart:\n    def add(self, x):\n        return x\n\n\n"
        "def pay(cart):\n    return cart.add(1)\n\n\ndef other():\n    pass\n"
    )
    text = "Start\n=====\n\n::\n\n    from shop import pay, Cart as C\n    cart = C()  # add\n    cart.add(other)\n"
    (root / "docs" / "quickstart.rst").write_text(text)
    library = tours.library_of(f"{root}:docs/quickstart.rst:shop")
    assert tours.gold_of(Workspace(root, workers=0, cache=False), library) == ["pay", "add"]
    found = tours.measured(library, 4)
    assert found["shop, with docs"]["first ten"] == 1.0
    assert found["shop, with docs"]["tau"] == 1.0
    assert set(found) == {"shop, with docs", "shop, without docs"}
    assert "mean, without docs" in tours.table(found)
    assert tours.tau(["a", "b", "c"], ["c", "b", "a"]) == -1.0
    assert tours.tau(["a"], ["a"]) is None


def test_packs_are_judged_by_the_lines_of_edited_functions(tmp_path: Path) -> None:
    write(tmp_path / "trees" / "shop-1", SHOP)
    issue = {
        "id": "shop-1",
        "repo": "shop",
        "statement": "The till adds up wrong coins\n\nWhen I close_till the sum is wrong.\n",
        "gold_functions": ["shop/till.py:add_up", "shop/till.py:no_such"],
    }
    other = issue | {"id": "shop-2"}  # its folder is not there
    peers = {"nothing": lambda folder, report, budgets: ["no code"] * len(budgets)}
    found = packs.measured([issue, other], tmp_path / "trees", [400], counter_of(None), peers, lambda told: None)
    ours, nothing = found["codeexplore 400"][0].measures, found["nothing 400"][0].measures
    assert (ours["body"], ours["callers"], nothing["body"], nothing["callers"]) == (1.0, 1.0, 0.0, 0.0)
    assert ours["tokens"] <= 400
    assert "codeexplore 400" in packs.table(found)


def test_texts_are_cut_at_whole_lines() -> None:
    assert packs.cut("one\ntwo\nthree\n", 8, counter_of(len)) == "one\ntwo\n"
    assert packs.cut("one\n", 0, counter_of(len)) == ""


def test_maps_and_counters_are_checked_against_the_text(tmp_path: Path) -> None:
    write(
        tmp_path / "a",
        {**SHOP, "shop/desk.py": "from shop.till import add_up\n\n\ndef pay():\n    return add_up([1])\n"},
    )
    assert packs.map_check(tmp_path / "a") == {"dependencies": 1.0, "words": 1.0, "imports": 1.0}
    (bias, error) = packs.counter_error([tmp_path / "a"], lambda text: 2 * cl100k(text))["a"]
    assert (bias, error) == (pytest.approx(-0.5), pytest.approx(0.5))


def test_breaking_changes_are_compared_by_symbol_and_category(tmp_path: Path) -> None:
    code = "def f(x=1):\n    return x\n\n\ndef g():\n    return 2\n"
    old = write(tmp_path / "old" / "p", {"__init__.py": "", "a.py": code})
    new = write(tmp_path / "new" / "p", {"__init__.py": "", "a.py": "def f(x):\n    return x\n"})
    theirs = [
        {"package": "p", "kind": kind, "path": path, "public": path, "parameter": parameter}
        for kind, path, parameter in (
            ("PARAMETER_CHANGED_REQUIRED", "p.a.f", "x"),
            ("PARAMETER_REMOVED", "p.a.f", "y"),
            ("OBJECT_REMOVED", "p.a.g", ""),
        )
    ]
    found, more = breaking_changes.compared(theirs, old, new)
    assert ([each.found for each in found], more) == ([True, False, True], 0)
    text = breaking_changes.table(found, breaking_changes.Counter(p=more))
    assert "| all | 3 | 66.7% | 0 |" in text
    assert "- PARAMETER_REMOVED p.a.f y: ours parameter x has no default any more" in text
    reasons = {"p.C": ["inherited go: no longer static: it needs an object", "inherited members removed: a, b"]}
    assert breaking_changes._inherited("p.C.b", reasons) == ["removed"]
    (static,) = breaking_changes._inherited("p.C.go", reasons)
    assert breaking_changes._is_same("PARAMETER_ADDED_REQUIRED", "self", static)
    assert not breaking_changes._is_same("PARAMETER_ADDED_REQUIRED", "x", "parameter y renamed to z")


@pytest.mark.skipif(sys.version_info < (3, 12), reason="sys.monitoring is new in Python 3.12")
def test_calls_are_recorded_for_each_test_and_shared_fixture(tmp_path: Path) -> None:
    write(tmp_path, {
        "m.py": "def one():\n    return [each() for each in [lambda: 1]]\n\n\ndef two():\n    return 2\n",
        "test_m.py": "import pytest\nfrom m import one, two\n\n\n@pytest.fixture(scope='module')\ndef shared():\n"
        "    return two()\n\n\ndef test_a(shared):\n    one()\n\n\ndef test_b(shared):\n    pass\n",
    })  # fmt: skip
    script = Path(test_selection.__file__).with_name("trace_tests.py")
    command = [sys.executable, str(script), str(tmp_path / "out.json"), str(tmp_path), str(tmp_path)]
    subprocess.run(
        command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)}, check=True, capture_output=True
    )
    ran = {name: row[1] for name, row in json.loads((tmp_path / "out.json").read_text())["functions"]["m.py"].items()}
    assert ran == {"one": ["test_m.py::test_a"], "two": ["test_m.py::test_a", "test_m.py::test_b"]}


def test_selected_tests_are_scored_against_traces(tmp_path: Path) -> None:
    code = "def one():\n    return {}\n\n\ndef two():\n    return 2\n"
    tests = "from m import one, two\n\n\ndef test_one():\n    one()\n\n\ndef test_two():\n    two()\n"
    repo = repository(tmp_path / "repo", {"m.py": code.format(1), "tests/test_m.py": tests})
    before = git(repo, "rev-parse", "HEAD").decode().strip()
    after = commit(repo, "second", {"m.py": code.format(11)})
    traces = tmp_path / "traces"
    traces.mkdir()
    (traces / "commits.json").write_text(json.dumps({"repo": str(repo), "pairs": [[before, after]]}))
    outcomes = {"tests/test_m.py::test_one": "passed", "tests/test_m.py::test_two": "passed"}
    for sha, fingerprint in ((before, "a"), (after, "b")):
        functions = {"one": [fingerprint, ["tests/test_m.py::test_one"], False]}
        trace = {"outcomes": outcomes, "modules": {"m.py": "x"}, "functions": {"m.py": functions}}
        (traces / f"{sha}.json").write_text(json.dumps(trace))
    (row,) = test_selection.measured(traces)
    assert row.truth.functions == row.certain == {"tests/test_m.py::test_one"}
    assert row.truth.traced
    kept = tmp_path / "rows.jsonl"
    kept.write_text(json.dumps(test_selection.stored(row)) + "\n")
    assert test_selection.read_rows(kept) == [row]
    assert list(test_selection.measured(traces, known=frozenset((after,)))) == []
    found = test_selection.figures([row])
    assert (found.precision, found.recall, found.complete, found.skipped) == (1.0, 1.0, 1.0, 0.0)
    assert "| all | 1 | 100.0% | 100.0% |" in test_selection.table([row])


def test_cochange_is_asked_of_earlier_commits_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of twelve commits, the newest two with several files are asked: one pair was seen before, one was not."""
    folder = repository(tmp_path / "repo", {"a.py": "0", "b.py": "0", "c.py": "0", "d.py": "0"})
    for number in range(8):
        commit(folder, "ab", {"a.py": f"{number + 1}", "b.py": f"{number + 1}"})
    commit(folder, "a", {"a.py": "alone"})
    commit(folder, "seen", {"a.py": "seen", "b.py": "seen"})
    commit(folder, "all new", {"d.py": "new", "c.py": "new", "e.py": "new"})
    cochange.main([str(folder)])
    rows = [line.split(" | ") for line in capsys.readouterr().out.splitlines()[2:]]
    assert [row[1:4] for row in rows] == [["2", "4", "association rules"], ["2", "4", "ws.review.together"]]
    assert all(row[4].startswith("1.000") for row in rows)  # the first commit has c.py and d.py together


# --------------------------------------------------------------------------- peers

ADAPTER = """import json, pathlib, sys, threading
assert pathlib.Path(sys.argv[1], ".git").is_dir() and sys.argv[2] == "asked"
print("a word of its own")
row = ["shop/till.py", 3, "shop/sums.py", 1, "add_up", 4]
print(json.dumps({"version": "1.0", "edges": [[*row, 0.9], [*row[:3], 3, "other", 4, 0.5]]}), flush=True)
"""


def test_tools_are_run_side_by_side(tmp_path: Path) -> None:
    root = write(tmp_path / "shop", SHOP)
    endings = {"tool": "", "endless": "threading.Event().wait()", "broken": "sys.exit('no disk')"}
    found = {}
    for name, ending in endings.items():
        (tmp_path / f"{name}.py").write_text(ADAPTER + ending)
        command = [sys.executable, str(tmp_path / f"{name}.py"), "|", "asked"]
        found[name] = peer_graphs.run(root, command, 3.0 if name == "endless" else 600.0)
    assert found["tool"]["version"] == "1.0"
    assert found["tool"]["peak_bytes"] > 0
    assert found["endless"]["ended_after"]
    assert "no disk" in found["broken"]["error"]


def test_calls_of_tools_are_held_against_a_trace_and_a_compiler(tmp_path: Path) -> None:
    text = (
        "from shop.sums import add_up, other\n\ndef close_till(items):\n    return add_up(items)\n"
        "class Till:\n    def __init__(self):\n        self.sum = (lambda: other(1))()\nclass Desk(Till):\n    pass\n"
        "def open_desk():\n    return Desk()\n"
    )
    sums = "def add_up(items):\n    return sum(items)\ndef other(items):\n    return 0\n"
    write(tmp_path / "p" / "src" / "shop", {"__init__.py": "", "till.py": text, "sums.py": sums})
    calls = [
        ["shop.till.close_till", "shop.sums.add_up", "named"],
        ["shop.till.open_desk", "shop.till.Till.__init__", "ctor"],
        ["shop.till.Till.__init__.<lambda>", "shop.sums.other", "aliased"],
        ["shop.till.open_desk", "shop.sums.other", "external"],
    ]
    functions = [name for row in calls for name in row[:2]]
    (tmp_path / "p" / "edges.json").write_text(json.dumps({"functions": functions, "edges": calls}))
    known = peer_graphs.Definitions(tmp_path / "p" / "src")
    row = ["shop/till.py", 3, "shop/sums.py"]
    edges = [
        [*row, 1, "add_up", 4, 0.9],
        [*row, 3, "other", 4, 0.5],  # wrong
        ["shop/till.py", 10, "shop/till.py", 8, "Desk", 11, 0.9],  # runs the constructor of its base
        ["shop/till.py", -1, "shop/sums.py", 3, "other", 7, 0.9],  # the caller is what is around line 7
    ]
    counts = peer_graphs.traced(tmp_path / "p", known, peer_graphs.predicted(known, {"edges": edges}))
    assert [counts[0.0][key] for key in ("direct", "found", "judged", "seen")] == [3, 3, 4, 3]
    assert [counts[0.9][key] for key in ("found", "judged", "seen", "found aliased")] == [3, 3, 3, 1]
    target = {"target": ["shop/sums.py", 1, "add_up", 1, 2], "state": "known", "form": "f()", "name": "add_up"}
    made = [{"site": ["shop/till.py", 4], "start": 4, **target}, {"site": ["shop/till.py", 7], "start": 7, **target}]
    truth = {"language": "python", "files": ["shop/till.py"], "supers": [], "calls": made[:1]}
    wrong = ["shop/till.py", 3, "shop/till.py", 3, "add_up", 4, 0.5]  # another function of that name
    counts = peer_graphs.compiled(truth, tmp_path / "p" / "src", [edges[0], wrong])
    assert [counts[0.0][key] for key in ("direct", "found", "judged", "seen")] == [1, 1, 2, 1]
    assert [counts[0.9][key] for key in ("found", "judged", "seen")] == [1, 1, 1]
    both = {"set": "python", "version": "1", "seconds": 1.0, "peak_bytes": 1e6, "counts": counts}
    shown = peer_graphs.tables({"codeexplore": [both], "jedi": [both | {"error": "none"}]}).splitlines()
    assert shown[2].startswith("| codeexplore 1 | 100.0 / 50.0 | – |")
    assert shown[4].endswith("| 1 | 1 (1 of 1 runs failed) |")


def test_traced_suites_are_mapped_and_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    till = "from shop.till import close_till\n\ndef test_till():\n    assert close_till([1, 2]) == 3\n"
    write(tmp_path / "repo", {**SHOP, "shop/__init__.py": "", "test_till.py": till})
    (row,) = tracing.suites([tmp_path / "repo"], sys.executable, ["plain", "edges", "counts"], [])
    assert row["frames"] == {"right": 3}
    assert row["reasons"] == {}
    assert row["statuses"] == {"observed": 2, "caller did not run": 0} or row["statuses"] == {"observed": 2}
    said = capsys.readouterr().out
    assert "100.00%" in said
    assert "1 passed" in said
    tracing.calls(1_000)
    assert "1,001 calls" in capsys.readouterr().out


def test_measures_equal_their_references() -> None:
    rows = measure_references.run(20)
    assert {"nDCG", "bpref", "judged"} <= {name for name, *_ in rows}
    assert all(equal and number for _, number, _, equal in rows)


def test_a_measure_that_differs_from_its_reference_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure_references.metrics, "bpref", lambda ranked, grades: 0.123)
    assert measure_references.main(["--inputs", "20"]) == 1


def test_growth_measures_each_stage_and_ends_above_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    row = growth.load(sample_repo("webshop"), limit=1e12)
    assert row["peak_bytes"] == max(row["peaks"].values()) > 1e6
    assert set(row["cpu"]) >= set(growth.STAGES) - {"words"}

    ended: list[int] = []
    monkeypatch.setattr(os, "_exit", ended.append)
    stages = growth.Stages(limit=1e6)
    stages.sample(2_000_000, [])
    assert ended == [growth.OVER_LIMIT]


def test_branch_switches_of_a_clone_are_measured_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("resource")
    import refresh

    source = repository(tmp_path / "source", SHOP)
    write(source, {"shop/till.py": SHOP["shop/till.py"].replace("add_up(coins)\n", "open_door(coins)\n")})
    commit(source, "edited")
    told = tmp_path / "told.json"
    monkeypatch.setattr(sys, "argv", ["refresh.py", "--clone", str(source), "--files", "1", "--json", str(told)])
    refresh.main()
    figures = json.loads(told.read_text())
    assert list(figures) == ["clone"]
    assert figures["clone"]["files"] == 2
    assert figures["clone"]["kinds"]["a branch switch, later"]["runs"] == 2
