from __future__ import annotations

import ast
import errno
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
import threading
import weakref
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
import watchfiles
from hypothesis import given, settings
from hypothesis import strategies as st

from codeexplore import LoadCancelled, NothingToIndex, RootNotFound, Workspace
from codeexplore.answers.html.writer import drawn_html, shown_html
from codeexplore.answers.shown import Listing
from codeexplore.source.changes import Changes
from codeexplore.types import Edge
from codeexplore.workspace import graph_update, refresh
from codeexplore.workspace.workers import resolver_process
from tests.background import until
from tests.same_index import assert_same

PYTHON = [
    "from .base import Base\n\n\nclass Cart(Base):\n"
    "    def total(self):\n        return sum(map(self.price, self.items))\n"
    "\n    def price(self, item):\n        return item.price\n",
    "class Base:\n    items = []\n\n    def price(self, item):\n        return 0\n\n\n"
    "TABLE = {'a': Base, 'b': [1, 2]}\n",
    "import pkg.base as base\n\n\ndef run(cart=None):\n    # adds up\n    handler = {'x': lambda c: c.total()}\n"
    "    handler['x'](cart or base.Base())\n    return unknown.thing(cart)\n",
    "def load_session(token):\n    '''Loads the session of a token.'''\n    return store.get(token)\n",
    "import json\nfrom pkg.mod import run\n\nfor item in json.loads('[]'):\n    run(item)\n",
]
SCRIPT = [
    "import { total } from './cart';\n\nexport const shown = () => total([1, 2]).map((x) => x.price);\n",
    "export function total(items) {\n  return items.reduce((sum, item) => sum + price(item), 0);\n}\n\n"
    "const price = (item) => item.price;\n",
]
GO = ["package shop\n\nfunc Total(c Cart) int { return c.Price() }\n", "package shop\n\ntype Cart struct{}\n\n"
      "func (c Cart) Price() int { return 1 }\n"]  # fmt: skip
TEXT = ["# Shop\n\nAdds up the price of the items in a cart.\n", "# Notes\n\nA token is checked first.\n"]
PATHS = {
    "pkg/mod.py": PYTHON, "pkg/base.py": PYTHON, "pkg/sub/deep.py": PYTHON, "main.py": PYTHON, "pkg/__init__.py": [""],
    "web/cart.js": SCRIPT, "web/view.ts": SCRIPT, "shop/shop.go": GO, "shop/cart.go": GO, "README.md": TEXT,
    "package.json": ['{"name": "web"}', '{"name": "other", "main": "web/cart.js"}'], "logo.png": ["x"],
}  # fmt: skip


def insert_lines(text: str, at: int, what: str) -> str:
    lines = text.split("\n")
    return "\n".join([*lines[: at % len(lines)], what, *lines[at % len(lines) :]])


def make(root: Path) -> None:
    for number, (path, contents) in enumerate(PATHS.items()):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(contents[number % len(contents)])


def edit(root: Path, data: st.DataObject) -> None:
    """One random change of the tree."""
    kind = data.draw(st.sampled_from(["write", "shift", "shift", "remove", "rename", "restore"]))
    present = sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())
    if kind in ("write", "restore") or len(present) < 3:
        path = data.draw(st.sampled_from(sorted(PATHS)))
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(data.draw(st.sampled_from(PATHS[path])))
        return
    path = data.draw(st.sampled_from(present))
    if kind == "shift":
        what = data.draw(st.sampled_from(["", "# a comment", "    # deeper", "x = {'k': 1}", "'''text", "  "]))
        text = (root / path).read_text()
        (root / path).write_text(insert_lines(text, data.draw(st.integers(0, 12)), what))
    elif kind == "remove":
        (root / path).unlink()
    else:
        other = data.draw(st.sampled_from(["pkg/moved.py", "elsewhere/mod.py", "web/moved.ts"]))
        (root / other).parent.mkdir(parents=True, exist_ok=True)
        (root / path).rename(root / other)


@settings(max_examples=5, deadline=None)
@given(st.data())
def test_a_refresh_equals_a_load_from_nothing(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    root = tmp_path_factory.mktemp("repo")
    make(root)
    ws = Workspace(root, cache=False)
    for _ in range(data.draw(st.integers(1, 4))):
        for _ in range(data.draw(st.integers(1, 2))):
            edit(root, data)
        try:
            fresh = Workspace(root, cache=False)
        except NothingToIndex:
            with pytest.raises(NothingToIndex):
                ws.refresh()
            continue
        ws.refresh()
        assert_same(ws, fresh)
        assert not ws.refresh()
        assert not ws.stale()


@settings(max_examples=5, deadline=None)
@given(st.data())
def test_a_graph_that_comes_later_equals_a_load_from_nothing(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    root = tmp_path_factory.mktemp("repo")
    make(root)
    ws = Workspace(root, cache=False, workers=0)
    for _ in range(data.draw(st.integers(1, 4))):
        edit(root, data)
        edit(root, data)
        try:
            fresh = Workspace(root, cache=False)
        except NothingToIndex:
            continue
        ws.refresh(graph="background")
        assert tuple(ws.catalog.chunks) == tuple(fresh.catalog.chunks)
        assert ws.catalog.symbols.ids == fresh.catalog.symbols.ids
        assert_well_formed(ws)
        if data.draw(st.booleans()):
            assert ws.wait_for_graph(60)
            assert ws.graph_pending == ()
            assert_same(ws, fresh)
        elif data.draw(st.booleans()):
            ws.refresh()
            assert_same(ws, fresh)


def test_edges_of_before_are_told_until_new_ones_are_there(repo: Path, unsettled: threading.Event) -> None:
    ws = Workspace(repo, cache=False, workers=0)
    (repo / "pkg/base.py").write_text("class Base:\n    def first(self):\n        return self.second()\n\n"
                                      "    def second(self):\n        return 1\n")  # fmt: skip
    assert ws.refresh(graph="background").changed == ("pkg/base.py",)
    assert ws.graph_pending == ("pkg/base.py",)
    assert [hit.symbol.name for hit in ws.search("second").hits[:1] if hit.symbol] == ["second"]
    assert not ws.callers("pkg.base.Base.second")  # its call is in a new line
    assert any("older than pkg/base.py" in note for note in ws.callers("pkg.base.Base.second").notes)
    assert any("older than pkg/base.py" in said for said in ws.search("what calls second?").notices)
    assert any("it is being updated" in problem.what for problem in ws.status().problems)
    for answer in about_the_graph(ws):
        assert any("older than pkg/base.py" in note for note in answer.notes), answer.headline
        for shown in (repr(answer), answer.to_markdown(), answer_html(answer), json.dumps(answer.to_dict())):
            assert "it is being updated" in re.sub(r"\s+", " ", shown), shown
    assert not ws.wait_for_graph(0.01)
    unsettled.set()
    assert ws.wait_for_graph(60)
    assert ws.graph_pending == ()
    assert [symbol.name for symbol in ws.callers("pkg.base.Base.second")] == ["first"]
    answers = (ws.callers("pkg.base.Base.second"), *about_the_graph(ws))
    assert not any("older than" in note for answer in answers for note in answer.notes)
    assert_same(ws, Workspace(repo, cache=False))


def test_a_graph_comes_also_when_only_skipped_files_changed_since(repo: Path, unsettled: threading.Event) -> None:
    ws = Workspace(repo, cache=False, workers=0)
    (repo / "main.py").write_text("from pkg.base import Base\n\nBase().price(1)\n")
    ws.refresh(graph="background")
    (repo / "more.png").write_bytes(b"x")
    assert not ws.refresh(graph="background")
    assert ws.graph_pending == ("main.py",)
    unsettled.set()
    assert ws.wait_for_graph(60)
    assert_same(ws, Workspace(repo, cache=False))


def assert_well_formed(ws: Workspace) -> None:
    """An outdated graph names what is there, at lines that are there, and tells of each edge once."""
    n_lines = {path: ws.file(path).text.count("\n") + 1 for path in ws.catalog.paths()}
    for kept in (*ws.graph.edges, *ws.graph.unresolved):
        assert ws.catalog.has_symbol(kept.source)
        for site in kept.sites if isinstance(kept, Edge) else (kept.site,):
            assert 0 < site.line <= n_lines[site.path], kept
    keys = [(edge.source, edge.target, edge.kind) for edge in ws.graph.edges]
    assert len(keys) == len(set(keys))
    assert all(ws.catalog.has_symbol(target) for _, target, _ in keys)


def about_the_graph(ws: Workspace) -> list[Any]:
    """An answer of every kind that rests on the graph."""
    base = "pkg.base.Base"
    return [
        ws.callers(base), ws.impact(base), ws.why(base, f"{base}.second"), ws.paths(base, f"{base}.second"),
        ws.paths(f"{base}.first", "pkg.base"), ws.cycles(), ws.entry_points(), ws.dead_code(),
        ws.dead_code().only("unused"), ws.hubs(), ws.modules(), ws.communities(least=1),
    ]  # fmt: skip


def answer_html(answer: Any) -> str:
    """An answer as a notebook shows it."""
    if isinstance(answer, Listing):
        return shown_html(answer)
    shown = {"GraphAnswer": drawn_html, "PathsAnswer": shown_html, "WhyAnswer": shown_html}
    return str(shown[type(answer).__name__](answer))


def test_a_graph_that_fails_in_the_background_is_told_and_tried_again(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: graph_update.PartialResolution, check: Callable[[], None]) -> object:
        raise MemoryError("too much")

    ws = Workspace(repo, cache=False, workers=0)
    with monkeypatch.context() as patch:
        patch.setattr(graph_update.PartialResolution, "result", fail)
        (repo / "main.py").write_text("def other(): pass\n")
        ws.refresh(graph="background")
        assert not ws.wait_for_graph(60)
        assert any("too much" in problem.what for problem in ws.status().problems)
    assert not ws.refresh()
    assert ws.graph_pending == ()
    assert_same(ws, Workspace(repo, cache=False))


def test_an_edit_of_one_family_resolves_no_other(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []
    real = resolver_process.resolved

    def note(root: Path, parts: Iterable[resolver_process.Part]) -> object:
        held = list(parts)
        asked.append([file.path for part in held for file in part.files])
        return real(root, held)

    (repo / "a.sh").write_text("echo nothing\n")  # a family without edges, before the others
    ws = Workspace(repo, cache=False)
    monkeypatch.setattr(resolver_process, "resolved", note)
    (repo / "web/view.ts").write_text("import { total } from './cart';\nexport const more = () => total([]);\n")
    ws.refresh()
    assert asked == [["web/cart.js", "web/view.ts"]]
    assert_same(ws, Workspace(repo, cache=False))
    asked.clear()
    (repo / "NOTES.md").write_text("# Notes\n\nNobody calls this.\n")
    (repo / "README.md").unlink()
    ws.refresh()
    assert asked == []
    assert_same(ws, Workspace(repo, cache=False))


@settings(max_examples=4, deadline=None)
@given(st.data())
def test_a_stored_index_is_refreshed_alike(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    root = tmp_path_factory.mktemp("repo")
    make(root)
    Workspace(root)
    stored = Workspace(root)
    edit(root, data)
    edit(root, data)
    stored.refresh()
    assert_same(stored, Workspace(root, cache=False))
    assert_same(stored, Workspace(root))


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    make(tmp_path / "repo")
    return tmp_path / "repo"


def test_changes_are_told(repo: Path) -> None:
    ws = Workspace(repo, cache=False)
    assert not ws.refresh()
    (repo / "pkg" / "new.py").write_text("def new(): pass\n")
    (repo / "main.py").write_text("def main(): pass\n")
    (repo / "README.md").unlink()
    (repo / "shop" / "cart.go").rename(repo / "shop" / "basket.go")
    stale = ws.stale()
    assert stale.changed == ("main.py",)
    assert stale.removed == ("README.md", "shop/cart.go")
    before = ws.search("total")
    changes = ws.refresh()
    assert changes.added == ("pkg/new.py",)
    assert changes.changed == ("main.py",)
    assert changes.removed == ("README.md",)
    assert [tuple(move) for move in changes.moved] == [("shop/cart.go", "shop/basket.go")]
    assert not ws.stale()
    assert [hit.symbol for hit in before.hits]  # an answer keeps the state it was given for


def git(root: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


def test_another_branch_is_taken_in(repo: Path) -> None:
    git(repo, "init", "-q")
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "one")
    git(repo, "checkout", "-qb", "other")
    shutil.rmtree(repo / "web")
    (repo / "main.py").write_text("def only_here(): pass\n")
    git(repo, "commit", "-qam", "two")
    ws = Workspace(repo, cache=False)
    for branch in ("main", "other"):
        git(repo, "checkout", "-q", branch)
        assert ws.refresh()
        assert_same(ws, Workspace(repo, cache=False))


def test_a_cancelled_refresh_keeps_the_old_state(repo: Path) -> None:
    ws = Workspace(repo, cache=False)
    (repo / "main.py").write_text("def other(): pass\n")
    cancel = threading.Event()

    def stop(stage: str, done: int, total: int) -> None:
        if stage == "graph":
            cancel.set()

    with pytest.raises(LoadCancelled):
        ws.refresh(progress=stop, cancel=cancel)
    assert ws.stale().changed == ("main.py",)
    assert "other" not in {symbol.name for symbol in ws.symbols}


def test_every_call_works_on_one_snapshot(repo: Path) -> None:
    """The file always defines one function that calls the other; only their names change, together."""
    source = "def {0}_outer():\n    return {0}_inner()\n\n\ndef {0}_inner():\n    return 1\n"
    (repo / "main.py").write_text(source.format("first"))
    ws = Workspace(repo, cache=False)
    stop = threading.Event()
    wrong: list[str] = []
    asked = [0]

    def ask() -> None:
        while not stop.is_set():
            answer = ws.search("inner outer", top_k=50, timeout=60.0)
            names = {hit.symbol.name for hit in answer.hits if hit.symbol and hit.symbol.path == "main.py"}
            names -= {"main"}
            if len({name.split("_")[0] for name in names}) != 1:
                wrong.append(f"{names}")
            for name in ("first", "second"):
                try:
                    callers = ws.callers(f"main.{name}_inner")
                except LookupError:
                    continue
                if [symbol.name for symbol in callers.symbols] != [f"{name}_outer"]:
                    wrong.append(f"{name}: {callers}")
            asked[0] += 1

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for turn in range(6):
        (repo / "main.py").write_text(source.format(("second", "first")[turn % 2]))
        ws.refresh()
    try:
        until(lambda: asked[0] > 3 * len(threads))
    finally:
        stop.set()
        for thread in threads:
            thread.join(60)
    assert not wrong


def test_every_method_reads_one_snapshot() -> None:
    """A refresh in another thread may replace the current snapshot between two reads."""
    classes = [each for each in Workspace.__mro__ if each.__module__.startswith("codeexplore.workspace.")]
    members = [member for each in classes for member in vars(each).items()]
    parts = {name for name, each in members if isinstance(each, property) or inspect.isfunction(each)}
    trees = [ast.parse(textwrap.dedent(inspect.getsource(each))).body[0] for each in classes]
    read = {}
    for method in (each for tree in trees for each in ast.iter_child_nodes(tree) if isinstance(each, ast.FunctionDef)):
        reads = [node.attr for node in ast.walk(method) if isinstance(node, ast.Attribute)
                 and isinstance(node.value, ast.Name) and node.value.id == "self" and node.attr in parts]  # fmt: skip
        reads += [node.attr for node in ast.walk(method) if isinstance(node, ast.Attribute) and node.attr == "current"]
        read[method.name] = reads
    assert len(read) > 60
    assert {name for name, reads in read.items() if len(reads) > 1} == set()
    assert read["callers"] == ["view"]
    assert read["hubs"] == ["view"]


def no_watches_left(*roots: Path, **options: Any) -> Any:
    """The system's watcher where the system refuses it: the files are looked at instead."""
    raise OSError(errno.ENOSPC, "OS file watch limit reached")


@pytest.mark.parametrize("polled", [False, True])
def test_edits_are_followed(repo: Path, monkeypatch: pytest.MonkeyPatch, polled: bool) -> None:
    if polled:
        monkeypatch.setattr(watchfiles, "watch", no_watches_left)
    ws = Workspace(repo, cache=False)
    seen = list[Changes]()
    with ws.watch(seen.append, debounce=0.05, interval=0.05) as watch:
        (repo / "main.py").write_text("def followed(): pass\n")
        until(lambda: "followed" in {symbol.name for symbol in ws.symbols})  # half of it is a change, too
        until(lambda: seen)
        assert watch.running
        assert repr(watch).startswith(f"<watching {ws.root}, refreshed ")
    assert not watch.running
    assert repr(watch) == f"<no longer watching {ws.root}, refreshed {watch.refreshes} times>"
    assert watch.refreshes >= 1
    assert "followed" in {symbol.name for symbol in ws.symbols}


def test_a_watch_that_is_interrupted_before_anyone_has_it_ends(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    ws = Workspace(repo, cache=False)
    monkeypatch.setattr(weakref, "finalize", interrupt)
    with pytest.raises(KeyboardInterrupt):
        ws.watch(interval=0.01)
    assert "codeexplore-watch" not in {thread.name for thread in threading.enumerate()}


def test_an_edit_while_the_watcher_is_being_set_up_is_followed(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = watchfiles.watch

    def late(*roots: Path, **options: Any) -> Any:
        """The system's watcher: after the look at the files at the start, and an edit that this one missed."""
        (repo / "main.py").write_text("def followed(): pass\n")
        return real(*roots, **options)

    monkeypatch.setattr(watchfiles, "watch", late)
    ws = Workspace(repo, cache=False)
    with ws.watch(debounce=0.05):
        until(lambda: "followed" in {symbol.name for symbol in ws.symbols})


def test_a_callback_that_fails_is_told_and_ends_nothing(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchfiles, "watch", no_watches_left)
    ws, seen = Workspace(repo, cache=False), list[Changes]()

    def fail(changes: Changes) -> None:
        seen.append(changes)
        raise KeyError("of the caller")

    with ws.watch(fail, interval=0.01) as watch:
        for number in (1, 2):
            new = repo.with_name("new.py")
            new.write_text(f"def followed_{number}(): pass\n")
            new.replace(repo / "main.py")  # at once: half of it would be a change, too
            until(lambda: len(seen) == number)  # noqa: B023 - asked within the turn
            until(lambda: watch.error)
            assert watch.error == "KeyError: 'of the caller'"
            assert watch.running
    assert [changes.changed for changes in seen] == [("main.py",)] * 2
    assert "followed_2" in {symbol.name for symbol in ws.symbols}


def test_a_tree_that_goes_while_it_is_read_leaves_what_was(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ws = Workspace(repo, cache=False)
    before = len(ws.symbols)
    (repo / "main.py").write_text("def edited(): pass\n")
    real = refresh.pipeline.analyse_candidates

    def then_gone(*given: Any) -> Any:
        made = real(*given)
        repo.rename(repo.with_name("away"))
        return made

    monkeypatch.setattr(refresh.pipeline, "analyse_candidates", then_gone)
    with pytest.raises(RootNotFound, match="was removed while it was being read"):
        ws.refresh()
    assert len(ws.symbols) == before


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX pipes; an open folder can't be renamed")
def test_a_tree_that_goes_and_comes_back_otherwise_is_followed(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchfiles, "watch", no_watches_left)
    ws = Workspace(repo, cache=False)
    before = len(ws.symbols)
    with ws.watch(interval=0.01) as watch:
        away = repo.with_name("away")
        repo.rename(away)
        until(lambda: watch.error)
        assert str(repo) in watch.error
        assert len(ws.symbols) == before
        (away / "main.py").unlink()
        os.mkfifo(away / "main.py")  # reading it would wait for ever
        shutil.rmtree(away / "pkg")
        (away / "pkg").write_text("no folder any more\n")
        (away / "new.py").write_text("def come(): pass\n")
        away.rename(repo)
        until(lambda: "come" in {symbol.name for symbol in ws.symbols})
        assert ws.wait_for_graph(60)
    assert watch.error == ""
    assert_same(ws, Workspace(repo, cache=False))
