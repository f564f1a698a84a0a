"""Ask several lanes at once, each on its own: what one of them does can't harm the others."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from codeexplore.lanes.crew import Crew
from codeexplore.types import LANES, Hit, HitColumns, LaneName, Ranking

READY_TIMEOUT: Final = 60.0
"""Seconds a lane may take to get ready (to load its model, say) and to get a thread, before its time is counted."""

_CREW: Final = Crew()


class Job(NamedTuple):
    """What a lane does for a question."""

    answer: Callable[[], Sequence[Hit]]
    prepare: Callable[[], None] | None = None  # what must be there first, and is there from the second question on


class _Answers:
    """What lanes have answered. Whoever waits is woken once: waking costs more than most lanes take."""

    def __init__(self, expected: int) -> None:
        self._missing = expected
        self._found: dict[str, Ranking] = {}
        self._lock, self._complete = threading.Lock(), threading.Lock()
        self._complete.acquire()

    def put(self, ranking: Ranking) -> None:
        """One lane's answer."""
        with self._lock:
            self._found[ranking.lane] = ranking
            self._missing -= 1
            if not self._missing:
                self._complete.release()

    def wait(self, seconds: float) -> bool:
        """Whether all have answered within a time."""
        return self._complete.acquire(timeout=min(max(seconds, 0.0), threading.TIMEOUT_MAX))

    def so_far(self) -> dict[str, Ranking]:
        """Lane → answer."""
        with self._lock:
            return dict(self._found)


class _Running:
    """A lane at work."""

    def __init__(self, lane: LaneName, job: Job, answers: _Answers) -> None:
        self.lane = lane
        self._job, self._answers = job, answers
        self.asked = time.perf_counter()
        self.started: float | None = None  # when it was ready

    def deadline(self, timeout: float) -> float:
        return self.asked + READY_TIMEOUT if self.started is None else self.started + timeout

    def late(self, timeout: float) -> Ranking:
        """What stands for an answer that did not come."""
        why = f"no answer within {timeout:g} s" if self.started is not None else f"not ready after {READY_TIMEOUT:g} s"
        return Ranking(self.lane, (), (time.perf_counter() - (self.started or self.asked)) * 1e3, "timed out", why)

    def __call__(self) -> None:
        self._answers.put(self._answered())

    def _answered(self) -> Ranking:
        started = time.perf_counter()
        try:
            if self._job.prepare is not None:
                self._job.prepare()
            self.started = started = time.perf_counter()
            answer = self._job.answer()
            hits = answer if isinstance(answer, HitColumns) else tuple(answer)
        except BaseException as error:  # noqa: BLE001 — whatever a lane raises is shown as its failure
            reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            return Ranking(self.lane, (), (time.perf_counter() - started) * 1e3, "failed", reason)
        elapsed = (time.perf_counter() - started) * 1e3
        answered = Ranking(self.lane, hits, elapsed)
        return answered if hits else replace(answered, status="empty", reason="nothing matched")


def _is_interpreted(task: _Running) -> bool:
    """Whether a lane keeps the interpreter's lock: what lets go of it for most of its time had better begin first."""
    return task.lane != "embedding"


def run_lanes(jobs: Mapping[LaneName, Job], timeout: float) -> tuple[Ranking, ...]:
    """Run every lane's job in a thread of its own and collect the rankings, in the order of lanes.

    A lane that has not answered `timeout` seconds after it was ready is left behind: Python can't kill a thread, so it
    works on as a daemon, which holds up neither the answer nor the interpreter's exit, and what it finds is dropped.
    """
    answers = _Answers(len(jobs))
    running = [_Running(lane, job, answers) for lane, job in jobs.items()]
    for task in sorted(running, key=_is_interpreted):
        _CREW.run(task)
    pause = timeout
    while running and not answers.wait(pause):
        now, found = time.perf_counter(), answers.so_far()
        left = [task.deadline(timeout) - now for task in running if task.lane not in found]
        if max(left, default=0.0) <= 0.0:
            break
        pause = min([each for each in left if each > 0.0] + [timeout])  # a lane that gets ready gets its deadline
    found = answers.so_far()
    late = {task.lane: task.late(timeout) for task in running if task.lane not in found}
    return tuple([(found | late)[lane] for lane in LANES if lane in jobs])
