"""Ctrl-C at any instant leaves nothing behind: short forms of the scripts `interrupts` and `refresh_equals_load`."""

from __future__ import annotations

import gc
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from itertools import count, product
from pathlib import Path

import psutil
import pytest

from codeexplore import IndexFileError, Workspace, sample_repo
from codeexplore.index.archive import write_archive
from codeexplore.index.cache import locked
from codeexplore.interrupts import interrupts_first
from codeexplore.languages import registry
from codeexplore.search.lanes.rows import ThreadPool
from codeexplore.source import git_clone
from codeexplore.source.git_command import Child
from codeexplore.syntax import analyse as analysing
from codeexplore.syntax import parse
from codeexplore.types import SourceFile
from tests import git_repos
from tests.same_index import assert_same

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import interrupts
import refresh_equals_load

# a file that an interrupt takes from its user is closed by Python, and so told
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

TEXTS = {
    "python": "class Old{0}:\n    def method_{0}(self, x):\n        return [x for y in range({0}) if y]\n",
    "ruby": "class Old{0}\n  attr_reader :a{0}\n  def method_{0}(x)\n    x.map {{ |y| y }}\n  end\nend\n",
    "typescript": "export class Old{0} {{ method{0}(x: number) {{ return [x].map((y) => y) }} }}\n",
}


def quiet(*_: object) -> None:
    """Show no bar."""


def source(language: str, text: str) -> SourceFile:
    return SourceFile("a." + registry.by_name(language).extensions[0].lstrip("."), language, text, "x", "utf-8")


@pytest.mark.parametrize("language", TEXTS)
def test_an_interrupt_at_any_point_of_an_analysis_leaves_the_next_one_right(language: str) -> None:
    old = source(language, "".join(TEXTS[language].format(number) for number in range(120)))
    new = source(language, "".join(TEXTS[language].format(number) for number in range(3)))
    truth = analysing.analyse(new)
    points = interrupts.at_point(lambda: analysing.analyse(old))[1]
    early = range(1, 60, 3)  # while the parser reads, for the most part
    for at in (*early, *range(60, points, points // 12)):
        # Python drops what is raised while it closes a generator; then the next point is taken
        assert any(interrupts.at_point(lambda: analysing.analyse(old), at + more)[0] for more in range(2))
        assert analysing.analyse(new) == truth, at


def test_what_a_parser_is_told_through_its_callbacks_comes_out_as_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """The binding calls a callback after another one raised, and Python then makes a SystemError of the exception."""
    loaded = parse.grammar(registry.by_name("python"))
    data = TEXTS["python"].format(1).encode() * 2_000

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    def stop_in_c(*_: object) -> None:
        """A call of C that an interrupt made fail, as Python 3.13 tells it."""
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as error:
            raise SystemError("<built-in function len> returned a result with an exception set") from error

    for name, how, at in product(("over", "passed"), (stop, stop_in_c), (1, 3)):
        owner, calls = parse.Reader if name == "over" else parse.Deadline, count(1)
        real = getattr(owner, name)

        def later(*given: object, calls=calls, at=at, how=how, real=real) -> object:  # type: ignore[no-untyped-def]
            return how() if next(calls) >= at else real(*given)

        with monkeypatch.context() as patch:
            patch.setattr(owner, name, later)
            with pytest.raises(KeyboardInterrupt):
                parse.parse(loaded, data)
    assert parse.parse(loaded, b"x = 1\n").root_node.end_byte == 6


def test_the_cache_keeps_nothing_of_a_load_that_was_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A load of one repository, cut short, and then one of another, kept and opened again."""
    monkeypatch.setenv("CODEEXPLORE_CACHE", str(tmp_path / "cache"))
    one, two = tmp_path / "one", tmp_path / "two"
    for folder, number in ((one, 20), (two, 3)):
        folder.mkdir()
        for language, text in TEXTS.items():
            name = "a." + registry.by_name(language).extensions[0].lstrip(".")
            (folder / name).write_text("".join(text.format(each) for each in range(number)))

    def load(folder: Path) -> Workspace:
        return Workspace(folder, workers=0, progress=quiet)

    truth = tuple(Workspace(two, workers=0, cache=False, progress=quiet).catalog.symbols)
    points = interrupts.at_point(lambda: load(one))[1]
    for at in range(points // 20, points, points // 5):
        shutil.rmtree(tmp_path / "cache")
        assert interrupts.at_point(lambda: load(one), at)[0]
        assert tuple(load(two).catalog.symbols) == truth
        kept = load(two)
        assert "parse" not in {stage.stage for stage in kept.summary.stages}
        assert tuple(kept.catalog.symbols) == truth


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(interrupts.signal, "setitimer"), reason="the way 'main' needs an interval timer")
def test_interrupts_leave_answers_cache_and_process_as_they_should_be() -> None:
    # in a process of its own: the threads that other tests leave behind are none of what an interrupt leaves
    code = "import interrupts, json; print(json.dumps(interrupts.run(6, 3, ['main', 'exact', 'thread']), default=str))"
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=Path(interrupts.__file__).parent, capture_output=True, text=True, check=True
    )
    result = json.loads(told.stdout.splitlines()[-1])
    assert result["wrong"] == []
    assert result["interrupted"] == 6


@pytest.mark.slow
def test_a_refresh_tells_what_a_load_tells_interrupted_or_not() -> None:
    result = refresh_equals_load.run(sample_repo("webshop"), 10, 5, 4)
    assert result["wrong"] == []
    assert result["interrupted"] > 0


def at_many_points(job: Callable[[], object], after: Callable[[], None]) -> None:
    """Interrupt a short job at its first, its last and points in between, fifty at most, and look after each."""
    points = interrupts.at_point(job)[1]
    for at in sorted({*range(1, points + 1, max(1, points // 40)), *range(max(1, points - 9), points + 1)}):
        interrupts.at_point(job, at)
        after()


def test_an_interrupted_refresh_leaves_no_lock_held() -> None:
    ws = Workspace(sample_repo("webshop"), cache=False, progress=quiet)

    def after() -> None:
        assert gc.isenabled()
        assert not ws._holder.refreshing.locked()
        assert not ws._holder.swapping.locked()

    at_many_points(ws._refresher.refresh_quietly, after)


def test_no_file_is_left_half_written_and_no_lock_held(tmp_path: Path) -> None:
    def write() -> None:
        write_archive(tmp_path / "index", {}, {"a": b"x" * 1000})

    def nothing_left() -> None:
        assert {path.name for path in tmp_path.iterdir()} <= {"index", "lock"}
        with locked(tmp_path / "lock", 0.0):
            pass

    at_many_points(write, nothing_left)
    at_many_points(lambda: locked(tmp_path / "lock", 5.0).close(), nothing_left)


def test_an_interrupt_of_a_save_comes_out_as_itself(tmp_path: Path) -> None:
    """`zipfile` raises another exception when it has to close an archive whose member is half written."""

    def write() -> None:
        write_archive(tmp_path / "index", {}, {"a": b"x" * 1000})

    write()
    whole = (tmp_path / "index").read_bytes()
    points = range(1, interrupts.at_point(write)[1] + 1)
    hits = 0
    for at in points:
        hits += interrupts.at_point(write, at)[0]
        assert (tmp_path / "index").read_bytes() == whole
        assert list(tmp_path.iterdir()) == [tmp_path / "index"]
    assert hits > len(points) * 0.9  # all but those in what Python cleans up by itself, where it drops exceptions


def test_an_error_behind_an_interrupt_is_the_interrupt_and_one_after_it_is_not(tmp_path: Path) -> None:
    def closing() -> None:
        try:
            raise KeyboardInterrupt
        finally:
            raise ValueError("half written")

    def calling_back() -> None:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as error:
            raise SystemError("a callback raised") from error

    for job in (closing, calling_back):
        with pytest.raises(KeyboardInterrupt), interrupts_first():
            job()
    with pytest.raises(ValueError, match="no interrupt"), interrupts_first():
        raise ValueError("no interrupt")
    ws = Workspace(sample_repo("jobworker"), cache=False, progress=quiet)
    try:
        raise KeyboardInterrupt
    except KeyboardInterrupt:  # what a script does on its way out
        with pytest.raises(IndexFileError):
            ws.save(tmp_path / "missing" / "index")


def test_a_command_that_is_being_started_is_ended() -> None:
    command = [sys.executable, "-c", "import threading; threading.Event().wait()"]

    def interrupted(at: int) -> int:
        child = Child(command, dict(os.environ))
        try:
            return interrupts.at_point(child.start, at)[1]
        finally:
            child.end()

    def running() -> list[psutil.Process]:
        return [each for each in psutil.Process().children() if each.status() != psutil.STATUS_ZOMBIE]

    before = running()
    for at in range(1, interrupted(0) + 1):
        interrupted(at)
        assert running() == before


def test_an_interrupted_clone_leaves_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEEXPLORE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(git_clone, "_fetch", lambda *_: "0" * 40)  # without git's own time
    repository = git_repos.repository(tmp_path / "origin", {"a.py": ""}, "one")

    def nothing_left() -> None:
        assert not list((tmp_path / "cache").glob("clones/*/.*"))
        shutil.rmtree(tmp_path / "cache", ignore_errors=True)

    at_many_points(lambda: git_clone.clone(str(repository), "1" * 40), nothing_left)


def test_an_interrupted_question_loses_no_thread_of_a_crew() -> None:
    crew, done = ThreadPool(), threading.Semaphore(0)
    points = interrupts.at_point(lambda: crew.run(done.release))[1]
    assert done.acquire(timeout=60)
    for at in range(1, points + 1):
        interrupts.at_point(lambda: crew.run(done.release), at)
        crew.run(done.release)
        assert done.acquire(timeout=60)
    while done.acquire(timeout=0.2):  # those of interrupted calls that came as far
        pass
    alive = [each for each in threading.enumerate() if getattr(each, "_rests", None) == crew._rests]
    assert len(alive) <= points + 1
    assert sorted(map(id, crew._idle)) == sorted(map(id, alive))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_process_has_locks_of_its_own(tmp_path: Path) -> None:
    shutil.copytree(sample_repo("webshop"), tmp_path / "repo")
    ws = Workspace(tmp_path / "repo", cache=False, progress=quiet)
    ws.search("total")
    with ws._holder.refreshing, ws._holder.swapping:  # as another thread may hold them
        process = os.fork()
        if process == 0:
            status = 1
            try:
                interrupts.signal.alarm(120)
                ws.refresh()
                ws.search("total")
                Workspace(tmp_path / "repo", cache=False, progress=quiet, workers=0)
                status = 0
            finally:
                os._exit(status)
    assert os.waitpid(process, 0)[1] == 0


def test_manifests_that_change_while_references_are_resolved_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another branch, and this one again, while a load runs: what was resolved with is what is remembered."""
    monkeypatch.setenv("CODEEXPLORE_CACHE", str(tmp_path / "cache"))
    root = tmp_path / "repo"
    for path, text in {
        "go.mod": "module example.org/x\n",
        "a/a.go": 'package a\nimport "example.org/x/b"\nfunc F() { b.G() }\n',
        "b/b.go": "package b\nfunc G() { }\n",
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)

    def switch(stage: str, done: int, total: int) -> None:
        if stage == "words":
            (root / "go.mod").write_text("module example.org/other\n")
        if stage == "graph" and done == total:
            (root / "go.mod").write_text("module example.org/x\n")

    for workers in (0, 1):
        shutil.rmtree(tmp_path / "cache", ignore_errors=True)
        ws = Workspace(root, progress=switch, workers=workers)
        ws.refresh(progress=quiet)
        cold = Workspace(root, cache=False, progress=quiet, workers=0)
        assert_same(ws, cold, ())
        assert_same(Workspace(root, progress=quiet), cold, ())
        assert [symbol.name for symbol in cold.callers("G").symbols] == ["F"]


def test_outside_uses_of_two_families_stand_in_the_order_of_a_load(tmp_path: Path) -> None:
    go = 'package m\nimport "fmt"\nimport "{0}"\nfunc {1}() {{ fmt.Println({0}.X) }}\n'
    python = "import os\nimport {0}\n\n\ndef {1}():\n    return {0}.x(os.sep)\n"
    texts = {
        "a.py": (python, "sys", "f"),
        "m.go": (go, "os", "G"),
        "z.py": (python, "re", "g"),
        "z.go": (go, "io", "H"),
    }
    for path, (text, *words) in texts.items():
        (tmp_path / path).write_text(text.format(*words))
    ws = Workspace(tmp_path, cache=False, progress=quiet)
    for path, text in (("m.go", go.format("bytes", "G")), ("a.py", python.format("json", "f"))):
        (tmp_path / path).write_text(text)
        ws.refresh(progress=quiet)
        anew = Workspace(tmp_path, cache=False, progress=quiet).graph.externals
        assert list(ws.graph.externals) == list(anew)
        assert ws.graph.externals.names() == anew.names()
