"""Lanes in waiting threads: limits that begin when a lane is ready, threads used again, stuck ones replaced."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from codeexplore.search.lane_runner import Job, run_lanes
from codeexplore.search.lanes.rows import ThreadPool
from codeexplore.types import Hit
from codeexplore.workspace.workspace import Workspace
from tests.doubles import FixedLane, tiny_catalog
from tests.lane_clock import LaneClock


def hit(chunk_id: str = "c") -> list[Hit]:
    return [Hit(chunk_id, 1, 1.0)]


def test_getting_ready_is_not_counted(lane_clock: LaneClock) -> None:
    def prepare() -> None:
        assert lane_clock.looked.wait(60)  # the limit is over, and whoever waits has seen that
        lane_clock.now += 0.6

    [answer] = run_lanes({"embedding": Job(hit, prepare)}, 0.25)
    assert lane_clock.looked.is_set()
    assert (answer.status, answer.hits) == ("ok", tuple(hit()))
    assert answer.elapsed_ms < 600


def test_a_lane_that_is_never_ready_is_left_behind(lane_clock: LaneClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codeexplore.search.lane_runner.READY_TIMEOUT", 0.1)
    held = threading.Event()

    def prepare() -> None:
        lane_clock.stuck.set()
        held.wait(60)

    answers = run_lanes({"bm25": Job(hit), "embedding": Job(hit, prepare)}, 0.2)
    held.set()
    assert [(a.lane, a.status) for a in answers] == [("bm25", "ok"), ("embedding", "timed out")]
    assert "not ready after 0.1 s" in answers[1].reason


def test_a_lane_that_cannot_get_ready_fails_with_its_reason() -> None:
    def prepare() -> None:
        raise OSError("no such model")

    [answer] = run_lanes({"embedding": Job(hit, prepare)}, 1.0)
    assert (answer.status, answer.reason) == ("failed", "OSError: no such model")


def test_what_comes_late_is_dropped_and_the_next_question_is_answered() -> None:
    held, late = threading.Event(), threading.Event()

    def slow() -> list[Hit]:
        held.wait(60)
        late.set()
        return hit("late")

    [first] = run_lanes({"bm25": Job(slow)}, 0.05)
    held.set()
    assert late.wait(60)
    [second] = run_lanes({"bm25": Job(lambda: hit("soon"))}, 60.0)
    assert (first.status, first.hits) == ("timed out", ())
    assert second.hits[0].chunk_id == "soon"


def test_threads_are_used_again() -> None:
    crew, seen = ThreadPool(), set()
    for _ in range(20):
        done = threading.Event()

        def task(done: threading.Event = done) -> None:
            seen.add(threading.get_ident())
            done.set()

        crew.run(task)
        assert done.wait(60)
        while not crew._idle:  # until the thread has let go of the task
            time.sleep(0.001)
    assert len(seen) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_gets_threads_of_its_own() -> None:
    script = """
import os, warnings
from codeexplore.search.lane_runner import Job, run_lanes
from codeexplore.types import Hit
ask = lambda: run_lanes({"bm25": Job(lambda: [Hit("c", 1, 1.0)])}, 20.0)[0].status
print(ask(), flush=True)
warnings.simplefilter("ignore")
child = os.fork()
if not child:
    print(ask(), flush=True)
    os._exit(0)
os.waitpid(child, 0)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.split() == ["ok", "ok"]


def test_a_question_says_how_long_its_steps_took() -> None:
    from codeexplore.search.engine import SearchEngine

    catalog = tiny_catalog()
    result = SearchEngine(catalog, {"bm25": FixedLane("bm25", [catalog.chunks[0].id])}).search("load", lanes=("bm25",))
    assert [stage.stage for stage in result.stages] == ["plan", "seeds", "lanes", "fuse", "signals", "finish"]
    assert all(stage.seconds >= 0 for stage in result.stages)
    assert sum(stage.seconds for stage in result.stages) * 1e3 <= result.elapsed_ms


PYTHON_OVERLOADS = """
from typing import overload

@overload
def parse_number(text: str) -> int: ...
@overload
def parse_number(text: bytes, base: int) -> int: ...
def parse_number(text, base=10):
    '''Parse digits into a number.'''
    return int(text, base)

class Clock:
    @property
    def minute(self): return 1
    @minute.setter
    def minute(self, value): self.x = value
"""
TYPESCRIPT_OVERLOADS = """
export function parseNumber(text: string): number;
export function parseNumber(text: Uint8Array, base: number): number;
export function parseNumber(text: any, base = 10): number {
  return Number.parseInt(text, base);
}
export class Clock {
  get minute() { return 1; }
  set minute(value) { this.x = value; }
}
"""


@pytest.mark.parametrize(
    ("path", "source", "implementation"),
    [("m.py", PYTHON_OVERLOADS, 8), ("m.ts", TYPESCRIPT_OVERLOADS, 4), ("m.tsx", TYPESCRIPT_OVERLOADS, 4)],
)
def test_an_overloaded_function_is_one_hit(path: str, source: str, implementation: int, tmp_path: Path) -> None:
    (tmp_path / path).write_text(source)
    ws = Workspace(tmp_path, cache=False, workers=0, progress=lambda *_: None)
    for question in ("how are bytes with a base parsed into a number?", "parse_number", "parseNumber"):
        answer = ws.search(question, timeout=60)
        lines = [hit.start_line for hit in answer if hit.symbol.name in ("parse_number", "parseNumber")]
        assert lines == [implementation]
        for hit in answer:
            for lane in answer.explain(hit.rank).lanes:
                assert abs(lane.rounding) < 1e-6
    minutes = [hit for hit in ws.search("minute", timeout=60) if hit.symbol.name == "minute"]
    assert len(minutes) == 2  # a getter and a setter are two functions
