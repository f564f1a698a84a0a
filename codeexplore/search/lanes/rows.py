"""Passes over the rows of all chunks: the best of many scores, and work that two threads share.

`best_rows` selects a lane's hits, equal scores by row. `ThreadPool` runs tasks in threads that wait for work, because
starting a thread for each question would take longer than most lanes. `in_two` divides a pass over many rows.
"""

from __future__ import annotations

import math
import os
import queue
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


_STEP: Final = 8
"""One score of so many is in the sample."""


def best_rows(
    scores: NDArray[np.floating], candidates: NDArray[np.bool_], pool: int, allowed: NDArray[np.bool_] | None
) -> NDArray[np.int64]:
    """Return the rows with the highest scores among allowed candidates, best first. Equal scores are ordered by row.

    `scores` has no NaN, and `candidates` is True for chunks for which the lane has a score. `allowed` is applied before
    the best `pool` rows are selected. The first n rows are the same for every pool of at least n.
    """
    rows = np.flatnonzero(candidates if allowed is None else candidates & allowed)
    if pool <= 0 or not len(rows):
        return rows[:0]
    values = scores[rows]
    if len(rows) > pool:
        threshold = least_of_best(values, pool)
        above = np.flatnonzero(values > threshold)
        equal = np.flatnonzero(values == threshold)[: pool - len(above)]
        kept = np.concatenate([above, equal])
        rows, values = rows[kept], values[kept]
    return rows[np.lexsort((rows, -values))]


def least_of_best(scores: NDArray[np.floating], pool: int) -> float:
    """Return the `pool`-th highest score; minus infinity if there are not more than `pool` scores.

    A sample gives a bound that is higher than nearly all scores. Only scores above this bound are sorted.
    """
    if pool >= len(scores):
        return -math.inf
    sample = scores[::_STEP]
    place = len(sample) - min(2 * pool // _STEP + 8, len(sample))
    high = scores[scores >= np.partition(sample, place)[place]]
    if len(high) < pool:
        high = scores
    return float(np.partition(high, len(high) - pool)[len(high) - pool])


Task = Callable[[], None]


class ThreadPool:
    """Daemon threads, as many as are busy at the same time.

    A thread cannot be killed. If its task never ends, the thread remains busy and another thread takes its place. It
    delays neither other threads nor the exit of the interpreter. Threads do not exist in a forked process, which gets a
    pool of its own.
    """

    def __init__(self) -> None:
        self._begin()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._begin)

    def _begin(self) -> None:
        self._idle: list[_Worker] = []
        self._lock = threading.Lock()

    def run(self, task: Task) -> None:
        """Start a task in a thread of its own. A task must not raise exceptions."""
        with self._lock:
            worker = self._idle[-1] if self._idle else None
            if worker is not None:
                worker.tasks.put(task)
                self._idle.pop()  # an interrupt may leave this to the worker
                return
        worker = _Worker(self._works, self._rests)
        worker.tasks.put(task)
        worker.start()

    def _works(self, worker: _Worker) -> None:
        with self._lock:
            if worker in self._idle:
                self._idle.remove(worker)

    def _rests(self, worker: _Worker) -> None:
        with self._lock:
            self._idle.append(worker)


class _Worker(threading.Thread):
    def __init__(self, works: Callable[[_Worker], None], rests: Callable[[_Worker], None]) -> None:
        super().__init__(name="codeexplore-lane", daemon=True)
        self.tasks: queue.SimpleQueue[Task] = queue.SimpleQueue()
        self._works, self._rests = works, rests

    def run(self) -> None:
        while True:
            task = self.tasks.get()
            self._works(self)
            task()
            del task  # objects that it refers to must not outlive it
            self._rests(self)


FEW: Final = 16_000
"""Rows that one thread has finished before another would have begun."""

_ENDS: Final = (0.5, 0.75, 1.0)
"""Ends of the stretches, as shares of the rows. A free thread takes the first one left, so that a helper that begins
late, or never, costs little: it finds less to do, or nothing."""

THREADS: Final = ThreadPool()


def in_two(work: Callable[[int, int], object], n: int) -> None:
    """Call `work(begin, end)` for ranges that together are ``range(n)``.

    If there are many rows, one of two ranges is processed in another thread. This is faster if `work` releases the
    interpreter's lock. An error of `work` is raised here.
    """
    if n < FEW or (os.cpu_count() or 1) < 2:
        work(0, n)
        return
    ends = [int(share * n) for share in _ENDS]
    stretches = iter(list(zip([0, *ends], ends, strict=False)))  # a list's iterator returns each item to one thread
    helping, failed = threading.Lock(), list[BaseException]()

    def take() -> None:
        for begin, end in stretches:
            work(begin, end)

    def help_along() -> None:
        with helping:
            try:
                take()
            except BaseException as error:  # noqa: BLE001 — raised in the calling thread
                failed.append(error)

    THREADS.run(help_along)
    take()
    with helping:  # the helper's last stretch
        if failed:
            raise failed[0]
