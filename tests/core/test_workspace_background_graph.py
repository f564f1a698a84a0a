"""A load whose graph comes later: what is answered until then, what waits, and that the end is the same."""

from __future__ import annotations

import gc
import inspect
import json
import re
import shutil
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from codeexplore import GraphUnresolved, LoadCancelled, Workspace, sample_repo
from codeexplore.answers.html.writer import shown_html
from codeexplore.workspace import progress
from codeexplore.workspace.cache import _meta, members_of
from codeexplore.workspace.workers import child_process, resolver_process
from tests.background import until
from tests.same_index import assert_same

SAMPLES = ("webshop", "chatservice", "ledger", "jobworker")
ABOUT_THE_GRAPH: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(("imports", "impact", "callers", "callees", "uses"), ("webshop.cart.Cart",)),
    **dict.fromkeys(("implementors", "subclasses", "overrides"), ("webshop.cart.Cart",)),
    **dict.fromkeys(("paths", "path", "why"), ("Storefront.checkout", "luhn_valid")),
    **dict.fromkeys(("cycles", "entry_points", "dead_code", "hubs", "modules", "communities", "externals"), ()),
    **dict.fromkeys(("context.map", "context.tour"), ()),
    **dict.fromkeys(("review.changes", "review.compare"), (sample_repo("webshop"),)),
}  # fmt: skip


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the Python sample, and a cache of its own."""
    monkeypatch.setenv("CODEEXPLORE_CACHE", str(tmp_path / "cache"))
    return shutil.copytree(sample_repo("webshop"), tmp_path / "webshop")


def later(root: Path, **options: Any) -> Workspace:
    return Workspace(root, graph="background", **{"workers": 0, "cache": False, **options})


def kept_bytes(ws: Workspace) -> tuple[dict[str, Any], dict[str, bytes]]:
    """What would be kept of a workspace: its manifest without times, and every member."""
    index = ws._holder.current
    meta = json.loads(json.dumps(_meta(index, ws._holder.options), default=str))
    meta.pop("taken_ns")
    meta["summary"].pop("stages")
    members = members_of(index)
    return meta, {
        name: each.tobytes() if isinstance(each, np.ndarray) else bytes(each) for name, each in members.items()
    }


def in_background(call: Callable[[], Any]) -> tuple[threading.Thread, list[Any]]:
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(call()), daemon=True)
    thread.start()
    return thread, found


# --------------------------------------------------------------------------- the end is the same


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("workers", [0, 1])
def test_what_was_waited_for_is_what_a_load_gives(name: str, workers: int) -> None:
    ws = later(sample_repo(name), workers=workers)
    assert ws.wait_for_graph()
    assert ws.graph_state == "ready"
    now = Workspace(sample_repo(name), workers=workers, cache=False)
    assert_same(ws, now)
    meta, members = kept_bytes(ws)
    other_meta, other_members = kept_bytes(now)
    assert meta == other_meta
    assert sorted(members) == sorted(other_members)
    assert [each for each in members if members[each] != other_members[each] and each != "origin.json"] == []
    assert [stage.stage for stage in ws.summary.stages] == [stage.stage for stage in now.summary.stages]


def test_texts_have_no_graph_to_wait_for(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# Notes\n\nNothing is called here.\n")
    ws = later(tmp_path)
    assert ws.graph_state == "ready"
    assert not ws.cycles()


def test_other_words_are_refused(repo: Path) -> None:
    with pytest.raises(ValueError, match="give 'now' to wait for the graph"):
        Workspace(repo, graph="soon")  # type: ignore[arg-type]


def test_a_package_and_a_clone_take_the_option(repo: Path, tmp_path: Path) -> None:
    ws = Workspace.from_package("shutil", graph="background", cache=False, workers=0)
    assert ws.wait_for_graph()
    assert ws.callers("shutil.copyfile")


# --------------------------------------------------------------------------- until then


def test_a_search_answers_by_words_and_says_so(repo: Path, going: threading.Event) -> None:
    ws = later(repo)
    assert ws.graph_state == "building"
    assert "webshop/cart.py" in ws.graph_pending
    for question in ("how are expired sessions handled?", "what calls validate_session?", "validate_session"):
        answer = ws.search(question, lanes=("bm25", "embedding", "graph"))
        assert answer.hits
        for hit in answer.result.hits:
            shares = sum(each.value for each in hit.contributions)
            assert hit.score == shares + sum(each.value for each in hit.adjustments)
            assert "graph" not in {each.lane for each in hit.contributions}
        ranking = next(each for each in answer.result.rankings if each.lane == "graph")
        assert (ranking.status, len(ranking.hits)) == ("waiting", 0)
        assert any("the graph is still being built: calls, uses" in said for said in answer.notices)
        assert "still being built" in str(answer.explain(1))
        shown = repr(answer) + shown_html(answer) + json.dumps(answer.to_dict()) + answer.to_markdown()
        for lie in ("no caller", "the graph has no", "nothing calls"):
            assert lie not in shown
    assert any("still being built" in said for said in ws.related("validate_session").notices)
    (only,) = ws.search("what calls validate_session?", lanes=["graph"]).result.rankings
    assert only.status == "waiting"
    going.set()
    assert ws.wait_for_graph(60)
    answer = ws.search("what calls validate_session?")
    assert not any("being built" in said for said in answer.notices)
    assert answer.result.hits[0].contributions[0].lane == "graph" or answer.hits[0].role


def test_an_answer_says_in_every_display_what_it_was_made_without(repo: Path, going: threading.Event) -> None:
    ws, question = later(repo), "how are expired sessions handled?"
    early = ws.search(question)
    said = "made without the graph lane: the graph is still being built"
    assert any(said in notice for notice in early.notices)
    displays = (str(early), early.to_markdown(), shown_html(early), json.dumps(early.to_dict()))
    for shown in displays:
        assert said in " ".join(shown.split())
        assert "wait=True" in shown
    asked = [
        partial(ws.search, question),
        partial(ws.related, "Cart"),
        partial(ws.localise, "sessions expire too early"),
    ]
    waiting = [in_background(partial(ask, wait=True)) for ask in asked]
    assert not any(found for _, found in waiting)
    going.set()
    for ask, (thread, found) in zip(asked, waiting, strict=True):
        thread.join(60)
        first, second = found[0], ask(wait=True)
        assert first.result.hits == second.result.hits
        assert first.result.notices == second.result.notices
        assert [ranking.status for ranking in first.result.rankings].count("waiting") == 0
    assert not any("made without" in notice for notice in ws.search(question).notices)


def test_everything_tells_that_the_graph_is_coming(repo: Path, going: threading.Event) -> None:
    ws = later(repo)
    status = ws.status()
    assert status.healthy
    assert [lane.status for lane in status.lanes] == ["ok", "ok", "waiting"]
    assert any(problem.next_step == "ws.wait_for_graph() waits for it" for problem in status.problems)
    assert "edges not known" in repr(status)
    assert "edges not known" in str(ws)
    assert "still being built" in str(ws)
    assert "still being built" in shown_html(ws)
    assert not ws.wait_for_graph(0.0)
    going.set()
    assert ws.wait_for_graph(60)
    assert "being built" not in str(ws) + repr(ws.status()) + shown_html(ws)


def test_questions_about_the_graph_wait_for_it(
    repo: Path, going: threading.Event, webshop: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    ws = later(repo)
    waiting: set[int] = set()
    monkeypatch.setattr(progress.Bar, "waiting", lambda *_: waiting.add(threading.get_ident()))
    asked = {
        name: in_background(partial(attrgetter(name)(ws), *arguments)) for name, arguments in ABOUT_THE_GRAPH.items()
    }
    until(lambda: waiting >= {thread.ident for thread, _ in asked.values()})
    assert not any(found for _, found in asked.values())
    going.set()
    roots = re.compile("|".join(map(re.escape, (str(repo), str(webshop.root)))))
    for name, (thread, found) in asked.items():
        thread.join(60)
        expected = attrgetter(name)(webshop)(*ABOUT_THE_GRAPH[name])
        assert roots.sub("", repr(found[0])).split() == roots.sub("", repr(expected)).split(), name


def test_no_question_about_the_graph_is_forgotten() -> None:
    asking = {name: inspect.unwrap(method).__code__.co_names
              for name, method in inspect.getmembers(Workspace, inspect.isfunction)}  # fmt: skip
    waiting = {name for name, used in asking.items() if {"view", "graph"} & set(used)}
    assert waiting | {"path"} == {name for name in ABOUT_THE_GRAPH if "." not in name}  # `path` asks `paths`


def test_an_interrupted_wait_changes_nothing(
    repo: Path, going: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    ws = later(repo)
    before = ws._holder.current

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(progress.Bar, "waiting", interrupt)
        for wait in (lambda: ws.impact("validate_session"), ws.wait_for_graph, lambda: ws.graph):
            with pytest.raises(KeyboardInterrupt):
                wait()
    assert ws._holder.current is before
    assert ws.search("sessions")
    going.set()
    assert ws.wait_for_graph(60)
    assert ws.callers("validate_session")


# --------------------------------------------------------------------------- what happens meanwhile


def test_only_a_whole_index_is_kept(repo: Path, going: threading.Event, tmp_path: Path) -> None:
    ws = later(repo, cache=True)
    assert not list((tmp_path / "cache").rglob("index-*.zip"))
    going.set()
    assert ws.wait_for_graph(60)
    again = later(repo, cache=True)
    assert again.graph_state == "ready"
    assert again.status().cache.this
    assert_same(again, ws)


def test_a_kept_index_is_brought_up_to_date_later(repo: Path, going: threading.Event) -> None:
    going.set()
    Workspace(repo, workers=0)
    going.clear()
    (repo / "webshop/more.py").write_text("from webshop.cart import Cart\n\n\ndef more():\n    return Cart()\n")
    ws = later(repo, cache=True)
    assert ws.graph_state == "outdated"
    assert ws.graph_pending == ("webshop/more.py",)
    going.set()
    assert ws.wait_for_graph(60)
    assert_same(ws, Workspace(repo, cache=False, workers=0))


@pytest.mark.parametrize("how", ["now", "background", "watch"])
def test_edits_meanwhile_are_taken_in(how: str, repo: Path, going: threading.Event) -> None:
    ws = later(repo)
    (repo / "webshop/more.py").write_text("from webshop.cart import Cart\n\n\ndef more():\n    return Cart()\n")
    (repo / "webshop/shipping.py").unlink(missing_ok=True)
    if how == "now":
        thread, found = in_background(ws.refresh)
        going.set()
        thread.join(60)
        assert found[0].added == ("webshop/more.py",)
    elif how == "background":
        assert ws.refresh(graph="background").added == ("webshop/more.py",)
        assert ws.graph_state == "building"
        going.set()
    else:
        taken = threading.Event()
        with ws.watch(lambda _: taken.set(), debounce=0.05, interval=0.05):
            assert taken.wait(60)
        assert ws.graph_state == "building"
        going.set()
    assert ws.wait_for_graph(60)
    assert ws.callees("more")
    assert_same(ws, Workspace(repo, cache=False, workers=0))


def test_a_save_waits(repo: Path, going: threading.Event, tmp_path: Path) -> None:
    ws = later(repo)
    thread, found = in_background(lambda: ws.save(tmp_path / "shop.codeexplore"))
    assert not (tmp_path / "shop.codeexplore").exists()
    going.set()
    thread.join(60)
    assert_same(Workspace.open(found[0]), ws)


def test_a_second_load_is_another_one(repo: Path, going: threading.Event) -> None:
    one, other = later(repo, cache=True), later(repo, cache=True)
    going.set()
    assert one.wait_for_graph(60)
    assert other.wait_for_graph(60)
    assert_same(one, other)


def test_a_workspace_that_is_dropped_ends_its_child(
    repo: Path, going: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    children: list[subprocess.Popen[bytes]] = []

    begin = child_process.start_worker

    def start(kept: int) -> subprocess.Popen[bytes]:
        children.append(begin(kept))
        return children[-1]

    monkeypatch.setattr(child_process, "start_worker", start)
    ws = later(repo, workers=1)
    gone = threading.Event()
    weakref.finalize(ws, gone.set)
    (child,) = children
    assert child.returncode is None
    del ws
    gc.collect()
    assert gone.wait(60)
    child.wait(60)
    assert child.returncode is not None


def test_cancelling_ends_the_making_too(repo: Path, going: threading.Event) -> None:
    cancel = threading.Event()
    ws = later(repo, cancel=cancel)
    cancel.set()
    ended = ws._holder.resolution
    assert ended is not None
    assert ended.wait(60)
    assert ws.graph_state == "failed"
    with pytest.raises(GraphUnresolved, match="it was cancelled"):
        ws.callers("validate_session")
    going.set()
    assert ws.wait_for_graph(60)
    assert ws.callers("validate_session")


def test_a_load_that_is_cancelled_leaves_nothing(repo: Path) -> None:
    cancel = threading.Event()

    def stop(stage: str, done: int, total: int) -> None:
        if stage == "bm25":
            cancel.set()

    with pytest.raises(LoadCancelled):
        later(repo, cancel=cancel, progress=stop)


# --------------------------------------------------------------------------- a graph that can't be made


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """No reference can be resolved."""

    def fail(*_: object) -> None:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(resolver_process, "resolved", fail)
        yield patch


@pytest.mark.parametrize("how", ["now", "background"])
def test_a_graph_that_cannot_be_made_is_told_by_everything(
    how: str, repo: Path, failing: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ws = Workspace(repo, workers=0, graph=how)  # type: ignore[arg-type]
    if ws._holder.resolution is not None:
        assert ws._holder.resolution.wait(60)
    assert ws.graph_state == "failed"
    for name, given in ABOUT_THE_GRAPH.items():
        with pytest.raises(GraphUnresolved, match=r"references were not resolved, so calls, uses.*not enough memory"):
            attrgetter(name)(ws)(*given)
    with pytest.raises(GraphUnresolved, match=r"ws\.wait_for_graph\(\) tries again.*only="):
        _ = ws.graph
    with pytest.raises(GraphUnresolved):
        ws.save(tmp_path / "shop.codeexplore")
    answer = ws.search("what calls validate_session?")
    assert answer.hits
    assert any("The graph lane failed: references were not resolved" in said for said in answer.notices)
    assert "no caller" not in repr(answer) + shown_html(answer)
    status = ws.status()
    assert not status.healthy
    assert all("not enough memory" in " ".join(repr(each).split()) for each in (status, ws))
    assert not list((tmp_path / "cache").rglob("index-*.zip"))
    failing.undo()
    assert ws.wait_for_graph(60)
    assert_same(ws, Workspace(repo, workers=0))
    assert list((tmp_path / "cache").rglob("index-*.zip"))


def test_only_who_asks_for_it_tries_again(repo: Path, failing: pytest.MonkeyPatch) -> None:
    ws = Workspace(repo, workers=0, cache=False)
    assert ws._holder.resolution is None
    taken = threading.Event()
    with ws.watch(lambda _: taken.set(), debounce=0.05, interval=0.05):
        (repo / "webshop/more.py").write_text("def more(): ...\n")
        assert taken.wait(60)
    assert ws._holder.resolution is None
    assert ws.graph_state == "failed"
    failing.undo()
    ws.refresh(graph="background")
    assert ws.wait_for_graph(60)
    assert_same(ws, Workspace(repo, workers=0, cache=False))


def test_a_refresh_without_memory_takes_the_texts_in(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ws = Workspace(repo, workers=0, cache=False)

    def fail(*_: object) -> None:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(resolver_process, "resolved", fail)
        (repo / "webshop/more.py").write_text("from webshop.cart import Cart\n\n\ndef more():\n    return Cart()\n")
        assert ws.refresh().added == ("webshop/more.py",)
        assert str(ws.graph_state) == "outdated"
        assert any("not enough memory" in note for note in ws.callers("webshop.cart.Cart").notes)
        assert not ws.refresh()
        assert not ws.status().healthy
    ws.refresh()
    assert ws.graph_state == "ready"
    assert_same(ws, Workspace(repo, workers=0, cache=False))


def test_the_line_of_progress_goes_on(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(progress, "_PAUSE", 0.0)
    with progress.Bar("shop") as bar:
        for _ in range(3):
            bar.waiting("waiting for the graph")
    shown = capsys.readouterr().err
    assert shown.count("shop: waiting for the graph") >= 2
    assert shown.endswith("\r")  # the line is cleared
