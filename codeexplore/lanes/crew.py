"""Threads that wait for work: starting one for each question would take longer than most lanes do."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable

Task = Callable[[], None]


class Crew:
    """Daemon threads, as many as are busy at once.

    A thread can't be killed. One whose task never ends stays busy, and others take its place; it holds up neither them
    nor the interpreter's exit.
    """

    def __init__(self) -> None:
        self._idle: list[_Worker] = []
        self._lock = threading.Lock()

    def run(self, task: Task) -> None:
        """Begin a task in a thread of its own. A task must not raise."""
        with self._lock:
            worker = self._idle.pop() if self._idle else None
        if worker is None or not worker.is_alive():  # threads don't live on in a forked process
            worker = _Worker(self._rest)
            worker.start()
        worker.tasks.put(task)

    def _rest(self, worker: _Worker) -> None:
        with self._lock:
            self._idle.append(worker)


class _Worker(threading.Thread):
    def __init__(self, rest: Callable[[_Worker], None]) -> None:
        super().__init__(name="codeexplore-lane", daemon=True)
        self.tasks: queue.SimpleQueue[Task] = queue.SimpleQueue()
        self._rested = rest

    def run(self) -> None:
        while True:
            task = self.tasks.get()
            task()
            del task  # what it holds must not outlive it
            self._rested(self)
