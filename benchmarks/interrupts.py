"""Ctrl-C at any instant: what the same process answers next, beside a fresh process.

usage: python benchmarks/interrupts.py [--interrupts N] [--seed N] [--ways main,exact,thread,kernel] [--json OUT]

A job (a load, a load from the cache, a refresh, a watch, a search, a walk, a save, a clone; a comparison, a change with
its tests, a history, a pack, a map, a tour, a report, a trace of a block and of tests) is interrupted, in one of four
ways:

- main: by a signal in the main thread, after a random time;
- exact: at the n-th point at which Python looks for signals within codeexplore's own code, `subprocess` and `zipfile`
  (a function begins, a call of C has returned), n drawn from all of them. It is reached by a profile function that
  raises;
- thread: in another thread, by PyThreadState_SetAsyncExc, after a random time;
- kernel: in an IPython kernel, as Jupyter's stop button does.

Then the same process must answer as a fresh one does: about another repository, about the one of the job, from the
cache, from the saved file and the clone. No child, no thread at work, no held lock, no temporary file may be left, the
garbage collector must be on and no snapshot pinned. A job must end with the interrupt, not with another exception.
An interrupt after the end of its job counts as "too late".
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import faulthandler
import gc
import hashlib
import importlib.util
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Empty
from types import FrameType
from typing import Any

import psutil

import codeexplore
from codeexplore import Workspace
from codeexplore.index.cache import locked
from codeexplore.search.lanes import rows as crew

WAYS = {"main": 0.35, "exact": 0.35, "thread": 0.2, "kernel": 0.1}
"""Ways to interrupt, each with its share."""

SLOW = {"load by children": 0.3, "clone": 0.3, "trace of tests": 0.3}
"""Shares of jobs that start processes, beside those of the others."""

VERBOSE = bool(os.environ.get("VERBOSE"))

QUESTIONS = ("where is a price computed?", "what calls helper_1?")
REPORT = 'TypeError in Basket1.price\n\nhelper_1 fails when a price is missing:\n\n  File "m1.py", line 9, in price\n'
PACKAGE = str(Path(codeexplore.__file__).parent)
WITHIN = (PACKAGE, subprocess.__file__, str(Path(zipfile.__file__).with_suffix("")), zipfile.__file__)
"""Code within which exact points lie: ours, and of the standard library what has state to clean up."""

HANG_SECONDS = 600
REPLY_SECONDS = 60
LEFT_SECONDS = 60.0  # in which children and threads that were told to end must have ended
KEPT_THREADS = 24
"""Idle threads of the lanes that may be there: those of lanes that were left behind at an interrupt come back, too."""

_PYTHON = """import os


class Basket{0}(dict):
    def total_{0}(self, prices):
        # version {1}
        return sum(self.price(each) for each in prices) + helper_{0}({1})

    def price(self, item):
        return os.path.getsize(item)


def helper_{0}(n):
    return Basket{0}().total_{0}([n]){2}
"""
_GO = """package shop

import "fmt"

type Basket struct{{}}

func (b Basket) Total{0}() int {{ return Price{0}({1}) }}

func Price{0}(n int) int {{ fmt.Println(n); return Basket{{}}.Total{0}() }}
"""


_WHO = ("AUTHOR", "COMMITTER")
_TEST = """from m0 import Basket0


def test_price(tmp_path):
    assert Basket0().price(tmp_path) > 0
"""


def write(root: Path, version: int, files: int) -> None:
    """Write a small repository of two languages."""
    root.mkdir(parents=True, exist_ok=True)
    for number in range(files):
        changed = version if number % 2 == 0 else 0
        more = f" + helper_{(number + 1) % files}(1)" if changed else ""
        imported = f"from m{(number + 1) % files} import helper_{(number + 1) % files}\n" if changed else ""
        (root / f"m{number}.py").write_text(imported + _PYTHON.format(number, changed, more))
    (root / "go.mod").write_text(f"module example.org/shop{version}\n")
    (root / "shop.go").write_text(_GO.format(version, version))


def silent(stage: str, done: int, total: int) -> None:
    """Show no bar."""


def load(root: Path, **options: Any) -> Workspace:
    """A load without a bar."""
    return Workspace(root, **{"workers": 0, "cache": False, "progress": silent, **options})


Digest = dict[str, str]


def digest(ws: Workspace) -> Digest:
    """All that a workspace tells, each part hashed."""
    told: dict[str, Any] = {
        "files": ws.files, "symbols": tuple(ws.catalog.symbols), "chunks": tuple(ws.catalog.chunks),
        "edges": list(ws.graph.edges), "unresolved": list(ws.graph.unresolved),
        "externals": list(ws.graph.externals), "what is pending": ws.graph_pending,
    }  # fmt: skip
    for question in QUESTIONS:
        found = ws.search(question, timeout=120.0).result
        for each in found.rankings:
            told[f"{each.lane} ({each.status} {each.reason}) of {question!r}"] = each.hits
        told[f"hits of {question!r}"] = found.hits
    told["callers"] = ws.callers("helper_1", depth=2).symbols
    return {part: hashlib.sha256(repr(each).encode("utf-8", "replace")).hexdigest() for part, each in told.items()}


def digest_of_features(ws: Workspace) -> Digest:
    """What the features tell of a repository with two commits, each part hashed."""
    review, context = ws.review, ws.context
    told = {
        "compare": review.compare("HEAD~1").to_dict(), "changes": review.changes("HEAD~1").to_dict(),
        "tests": review.changes("HEAD~1").tests().to_dict(), "history": review.history().to_dict(),
        "together": review.together("m0.py").to_dict(), "pack": str(context.pack(REPORT)), "map": str(context.map()),
        "tour": context.tour().to_markdown(), "report": ws.localise(REPORT, timeout=120.0).result.hits,
    }  # fmt: skip
    return {part: hashlib.sha256(repr(each).encode("utf-8", "replace")).hexdigest() for part, each in told.items()}


def difference(found: Digest, truth: Digest) -> str:
    """The parts in which two digests differ, "" for none."""
    return ", ".join(sorted({part for part, _ in found.items() ^ truth.items()}))


def fresh(root: Path, features: bool = False) -> Digest:
    """The digest that a fresh process finds."""
    command = [sys.executable, __file__, "--tell", str(root), *(["--features"] if features else [])]
    told: Digest = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return told


class Bench:
    """Jobs over repositories in a folder, and what must hold after each.

    Parameters
    ----------
    folder
        Where everything is written, the cache included.
    truths
        What fresh processes tell, by repository and version; None has them asked.
    """

    def __init__(self, folder: Path, truths: dict[str, Digest] | None = None) -> None:
        os.environ["CODEEXPLORE_CACHE"] = str(folder / "cache")
        self.root, self.other, self.source = folder / "one", folder / "other", folder / "source"
        self.saved = folder / "saved" / "index.codeexplore"
        self.version, self.watching = 0, None
        if truths is None:
            truths = self._begin()
        self.truths = truths
        write(self.root, 0, 3)
        self.ws = load(self.root)
        self.reviewed = load(self.source)
        self.features: dict[str, Callable[[], object]] = {
            "compare": lambda: self.reviewed.review.compare("HEAD~1"),
            "changes": lambda: self.reviewed.review.changes("HEAD~1").tests().command,
            "history": self._history,
            "pack": lambda: str(self.reviewed.context.pack(REPORT)),
            "map": lambda: str(self.reviewed.context.map()),
            "tour": lambda: self.reviewed.context.tour().to_markdown(),
            "localise": lambda: self.reviewed.localise(REPORT),
            "trace": self._trace,
            "trace of tests": lambda: self.reviewed.runs.trace_tests("-q", "-p", "no:cacheprovider"),
        }
        self.jobs: dict[str, Callable[[], object]] = self.features | {
            "load": lambda: load(self.root),
            "load and keep": lambda: load(self.root, cache=True),
            "load by children": lambda: load(self.root, workers=1),
            "warm load": lambda: load(self.root, cache=True),
            "refresh": self.ws.refresh,
            "watch": self._watch,
            "refresh later": lambda: (self.ws.refresh(graph="background"), self.ws.wait_for_graph()),
            "search": lambda: [self.ws.search(question) for question in QUESTIONS],
            "walk": lambda: (
                self.ws.callers("Basket1.price", depth=2),
                self.ws.impact("helper_1"),
                self.ws.dead_code(),
            ),
            "save": lambda: self.ws.save(self.saved),
            "clone": lambda: Workspace.from_git(str(self.source), cache=False, workers=0, progress=silent),
        }

    def _begin(self) -> dict[str, str]:
        truths = {}
        for version in (0, 1):
            write(self.root, version, 3)
            truths[f"one {version}"] = fresh(self.root)
        write(self.other, 1, 2)
        for version in (1, 0):
            write(self.source, version, 3)
            (self.source / "test_shop.py").write_text(_TEST)
            for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", f"version {version}"]):
                given = {"GIT_CONFIG_GLOBAL": os.devnull}
                given |= {f"GIT_{who}_{what}": "a@example.org" for who in _WHO for what in ("NAME", "EMAIL")}
                given |= {f"GIT_{who}_DATE": f"2026-01-0{2 - version} 12:00:00 +0000" for who in _WHO}
                subprocess.run(["git", "-C", str(self.source), *words], check=True, env=os.environ | given)
        self.saved.parent.mkdir()
        truths["features"] = fresh(self.source, features=True)
        return truths | {"other": fresh(self.other), "source": fresh(self.source)}

    def _history(self) -> None:
        """Read the commits anew, and ask twice."""
        reviewed = load(self.source)
        reviewed.review.history()
        reviewed.review.together("m0.py")

    def _trace(self) -> None:
        """Record a block that calls functions of the repository."""
        spec = importlib.util.spec_from_file_location("m0", self.source / "m0.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)  # written by `write`
        with self.reviewed.runs.trace() as run:
            for _ in range(200):
                module.Basket0().price(self.source)
        assert run.trace.n_calls

    def _watch(self) -> None:
        """Follow the files until an edit is noticed. `check` ends it again, as a person whose stop was cut short."""
        self.watching = self.ws.watch(debounce=0.01, interval=0.01)
        write(self.root, self.version, 3)
        while not self.watching.refreshes:
            time.sleep(0.001)
        self.watching.stop()

    def prepare(self, name: str) -> None:
        """Bring about the state in which a job starts."""
        if name.startswith(("refresh", "watch")):
            self.version = 1 - self.version
        if name.startswith("refresh"):
            write(self.root, self.version, 3)
        if name == "load and keep":
            shutil.rmtree(self._cache / "indexes", ignore_errors=True)
        if name == "clone":
            shutil.rmtree(self._cache / "clones", ignore_errors=True)

    @property
    def _cache(self) -> Path:
        return Path(os.environ["CODEEXPLORE_CACHE"])

    def check(self, name: str) -> list[str]:
        """What is wrong after a job that was interrupted."""
        if self.watching is not None:
            self.watching.stop()
        if name == "watch":
            write(self.root, self.version, 3)  # the interrupt may have come before, or between two files
        wrong = self._left()
        truth = self.truths[f"one {self.version}"]

        def compare(what: str, found: Workspace, expected: Digest) -> None:
            if parts := difference(digest(found), expected):
                wrong.append(f"{what} is told wrongly ({parts})")

        compare("another repository", load(self.other), self.truths["other"])
        self.ws.refresh()
        compare("the workspace after a refresh", self.ws, truth)
        if "keep" in name or "load" in name:
            for which in ("first", "second"):  # from what is kept, or anew; then from what is kept
                compare(f"the {which} load with the cache", load(self.root, cache=True), truth)
        if name == "save" and self.saved.exists():
            compare("the saved file", Workspace.open(self.saved), truth)
        if name in self.features and (parts := difference(digest_of_features(self.reviewed), self.truths["features"])):
            wrong.append(f"the features tell wrongly ({parts})")
        if name == "clone":
            compare("the clone", self.jobs["clone"](), self.truths["source"])  # type: ignore[arg-type]
        self.saved.unlink(missing_ok=True)
        return wrong

    def _left(self) -> list[str]:
        """What an interrupt has left behind."""
        wrong = []
        until = time.monotonic() + LEFT_SECONDS
        while (busy := self._busy()) and time.monotonic() < until:
            time.sleep(0.05)
        wrong += busy
        parts = [path for place in (self._cache, self.saved.parent) for path in place.rglob(".part-*")]
        wrong += [f"{path.name} is left" for path in parts]
        if sys.getprofile() is not None:
            wrong.append("a trace still records")
        if not gc.isenabled():
            wrong.append("the garbage collector is off")
        for lock in (self.ws._holder.refreshing, self.ws._holder.swapping):
            if lock.locked():
                wrong.append("a lock of the workspace is held")
        for file in self._cache.rglob("lock"):
            with contextlib.suppress(TimeoutError), locked(file, 0.0):
                continue
            wrong.append("the lock of the cache is held")
        return wrong

    def _busy(self) -> list[str]:
        """Children, and threads at work."""
        children = [child for child in psutil.Process().children() if _is_ours(child)]
        threads = [each for each in threading.enumerate() if _is_at_work(each)]
        idle = [each for each in threading.enumerate() if isinstance(each, crew._Worker)]
        many = [f"{len(idle)} idle threads"] if len(idle) > KEPT_THREADS else []
        return [f"a child: {child}" for child in children] + [f"a thread: {each.name}" for each in threads] + many


def _is_ours(child: psutil.Process) -> bool:
    """Whether a child is one that runs; what has ended is taken leave of by the next start of one."""
    try:
        return child.status() != psutil.STATUS_ZOMBIE and "ipykernel" not in " ".join(child.cmdline())
    except psutil.NoSuchProcess:
        return False


def _is_at_work(thread: threading.Thread) -> bool:
    code = getattr(getattr(thread, "_target", None), "__code__", None)
    ours = code is not None and code.co_filename.startswith(PACKAGE)
    return ours or thread.name.startswith(("codeexplore-graph", "codeexplore-watch", "codeexplore-captures"))


# --------------------------------------------------------------------------- ways to interrupt


def by_signal(job: Callable[[], object], seconds: float) -> bool:
    """Run a job; after a time a signal raises KeyboardInterrupt in the main thread. Whether it came in time."""
    wanted = [True]

    def interrupt(*_: object) -> None:
        if wanted:  # a signal may reach its process, through another thread, after the timer was taken back
            raise KeyboardInterrupt

    signal.signal(signal.SIGALRM, interrupt)
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-5))
            job()
        finally:
            wanted.clear()
    except KeyboardInterrupt:
        return True
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return False


class Counted:
    """A profile function that counts the points at which a signal may arrive, and raises at one of them."""

    def __init__(self, at: int = -1) -> None:
        self.seen, self.at = 0, at

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        """Called by Python at each of its events."""
        if event in ("call", "c_return") and frame.f_code.co_filename.startswith(WITHIN):
            self.seen += 1
            if self.seen == self.at:
                raise KeyboardInterrupt


def at_point(job: Callable[[], object], at: int = -1) -> tuple[bool, int]:
    """Run a job and interrupt it at a point, by number from 1; whether it was, and how many points it passed."""
    counted = Counted(at)
    try:
        sys.setprofile(counted)
        job()
    except KeyboardInterrupt:
        return True, counted.seen
    except SystemError as error:  # Python 3.13 makes it of an exception of the profile function, behind a call of C
        if not isinstance(error.__cause__, KeyboardInterrupt):
            raise
        return True, counted.seen
    finally:
        sys.setprofile(None)
    return False, counted.seen


def in_thread(job: Callable[[], object], seconds: float) -> bool:
    """Run a job in a thread; after a time KeyboardInterrupt is raised there. Whether it came in time."""
    ended: list[BaseException | None] = []

    def run() -> None:
        try:
            job()
            ended.append(None)
        except BaseException as error:  # noqa: BLE001 - told below
            ended.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(seconds)
    assert thread.ident is not None
    while threading._limbo:  # type: ignore[attr-defined] # a thread that begins bears the number of the one that starts it
        time.sleep(0)
    if not ended:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(KeyboardInterrupt))
    thread.join(HANG_SECONDS)
    if not ended:  # it came outside of the `try`
        return True
    if ended[0] is not None and not isinstance(ended[0], KeyboardInterrupt):
        raise ended[0]
    return ended[0] is not None


class Kernel:
    """A real IPython kernel with a bench of its own."""

    def __init__(self, folder: Path, truths: dict[str, Digest]) -> None:
        from jupyter_client.manager import start_new_kernel

        self.manager, self.client = start_new_kernel(kernel_name="python3", extra_arguments=[], cwd=str(folder))
        begin = (
            f"import sys; sys.path.append({str(Path(__file__).parent)!r}); import interrupts, json, pathlib\n"
            f"bench = interrupts.Bench(pathlib.Path({str(folder)!r}), {truths!r})"
        )
        self.value(begin)

    def value(self, code: str) -> str:
        """What a cell prints. Raises RuntimeError when it fails."""
        printed: list[str] = []

        def hear(message: dict[str, Any]) -> None:
            content = message["content"]
            if message["msg_type"] == "stream":
                printed.append(content["text"])
            elif message["msg_type"] == "error":
                raise RuntimeError("\n".join(content["traceback"]))

        self.client.execute_interactive(code, timeout=HANG_SECONDS, output_hook=hear, allow_stdin=False)
        return "".join(printed)

    def prepare(self, name: str) -> None:
        """Bring about the state in which a job starts."""
        self.value(f"bench.prepare({name!r})")

    def interrupted(self, name: str, seconds: float) -> bool:
        """Run a job and press stop after a time; whether it came in time."""
        # stop_on_error: a kernel refuses the next cell for a moment after an error, with an empty reply
        number = self.client.execute(f"bench.jobs[{name!r}](); None", allow_stdin=False, stop_on_error=False)
        time.sleep(seconds)
        self.manager.interrupt_kernel()
        while True:
            try:
                reply = self.client.get_shell_msg(timeout=REPLY_SECONDS)
            except Empty:  # the interrupt hit the kernel's own code, which drops the request then
                self.value("pass")
                return False
            if reply["parent_header"].get("msg_id") == number:
                break
        time.sleep(0.2)  # one that came too late must not hit the next cell
        content = reply["content"]
        if content["status"] == "error" and content["ename"] != "KeyboardInterrupt":
            raise RuntimeError("\n".join(content["traceback"]))
        return bool(content["status"] == "error")

    def check(self, name: str) -> list[str]:
        """What is wrong in the kernel."""
        wrong: list[str] = json.loads(self.value(f"print(json.dumps(bench.check({name!r})))"))
        return wrong

    def close(self) -> None:
        """End the kernel."""
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


@contextlib.contextmanager
def benches(ways: list[str]) -> Iterator[tuple[Bench, Kernel | None]]:
    """A bench here, and one in a kernel where one is wanted, in temporary folders."""
    with tempfile.TemporaryDirectory() as here, tempfile.TemporaryDirectory() as there:
        bench, kernel = Bench(Path(here).resolve()), None
        if "kernel" in ways:
            Bench(Path(there).resolve())  # writes what the kernel's is to find
            os.environ["CODEEXPLORE_CACHE"] = str(Path(here).resolve() / "cache")
            kernel = Kernel(Path(there).resolve(), bench.truths)
        try:
            yield bench, kernel
        finally:
            if kernel is not None:
                kernel.close()


def run(interrupts: int, seed: int, ways: list[str]) -> dict[str, Any]:
    """Interrupt jobs so many times; what came of it."""
    chance, count = random.Random(seed), Counter[str]()
    wrong: list[str] = []
    with benches(ways) as (bench, kernel):
        points, seconds = _measured(bench)
        started = time.monotonic()
        while count["interrupted"] < interrupts:
            trials = count["interrupted"] + count["too late"]
            way = chance.choices(ways, [WAYS[each] for each in ways])[0]
            name = chance.choices(list(bench.jobs), [SLOW.get(each, 1.0) for each in bench.jobs])[0]
            if way == "exact" and name == "trace":
                way = "main"  # a trace on Python 3.11 needs the profile function
            after = chance.uniform(0.0, seconds[name])
            faulthandler.dump_traceback_later(HANG_SECONDS, exit=True)
            if VERBOSE:
                print(f"{trials} {way} {name}", flush=True)
            job = bench.jobs[name]
            place = kernel if kernel is not None and way == "kernel" else bench
            place.prepare(name)
            found = []
            try:
                if way == "kernel" and kernel is not None:
                    hit = kernel.interrupted(name, after)
                elif way == "exact":
                    hit = at_point(job, chance.randint(1, points[name]))[0]
                else:
                    hit = by_signal(job, after) if way == "main" else in_thread(job, after)
            except Exception as error:  # noqa: BLE001 - told: the interrupt itself should have come out
                hit, found = True, [f"it ended with {type(error).__name__}: {error}"]
            found += place.check(name)
            faulthandler.cancel_dump_traceback_later()
            count["interrupted" if hit else "too late"] += 1
            if hit:
                count[f"way {way}"] += 1
                count[f"job {name}"] += 1
            seconds[name] *= 1.02 if hit else 0.98  # so that most come in time, on a busy machine, too
            if found:
                wrong.append(f"{way}, {name}, number {trials}: {'; '.join(found)}")
                print(wrong[-1], flush=True)
        elapsed = time.monotonic() - started
    return {"python": sys.version.split()[0], **count, "wrong": wrong, "seconds": round(elapsed)}


def _measured(bench: Bench) -> tuple[dict[str, int], dict[str, float]]:
    """How many points each job passes, and how many seconds it takes."""
    points, seconds = {}, {}
    for name, job in bench.jobs.items():
        bench.prepare(name)
        points[name] = at_point(job)[1] if name != "trace" else 1
        bench.prepare(name)
        began = time.perf_counter()
        job()
        seconds[name] = time.perf_counter() - began
    if bench.check("load"):
        raise SystemExit(f"wrong without any interrupt: {bench.check('load')}")
    return points, seconds


def main(arguments: list[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--interrupts", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--json", type=Path)
    parser.add_argument("--tell", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--features", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.tell is not None:
        print(json.dumps((digest_of_features if given.features else digest)(load(given.tell))))
        return
    result = run(given.interrupts, given.seed, given.ways.split(","))
    print(json.dumps(result, indent=2))
    if given.json is not None:
        given.json.write_text(json.dumps(result, indent=2) + "\n")
    if result["wrong"]:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
