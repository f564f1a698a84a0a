"""Work in the background of which only the newest counts: typing never waits, nor is it overtaken by its past.

Callbacks of widgets, one at a time and with their errors shown: a browser has no other place for them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar


class CallbackGuard:
    """Wraps callbacks of one explorer.

    Kernels call them from the main thread or from others, depending on the version. All callbacks, and the deliveries
    of background work (see `LatestTask`), take one lock.
    """

    def __init__(self, alert: Callable[[Exception], None]) -> None:
        self.lock = threading.RLock()
        self._alert = alert

    def __call__(self, callback: Callable[..., Any]) -> Callable[..., None]:
        """Return the callback, run under the lock; its exceptions go to the alert line."""

        def guarded(*given: Any) -> None:
            with self.lock:
                try:
                    callback(*given)
                except Exception as error:  # noqa: BLE001 - shown in the alert line
                    self._alert(error)

        return guarded


Request = TypeVar("Request")
Outcome = TypeVar("Outcome")


class LatestTask(Generic[Request, Outcome]):
    """Runs `work` for the newest request, and shows its outcome unless there is a newer request.

    Parameters
    ----------
    work
        Called in a thread of its own with the request.
    show
        Called with the outcome. Calls of `show` and `fail` never overlap.
    fail
        Called with the exception that `work` or `show` raised: a widget's callback cannot report it otherwise.
    lock
        Locked while `show` and `fail` run, so that several tasks and callbacks take turns; a new lock if None.
    """

    def __init__(
        self,
        work: Callable[[Request], Outcome],
        show: Callable[[Outcome], None],
        fail: Callable[[Exception], None],
        lock: threading.RLock | None = None,
    ) -> None:
        self._work, self._show, self._fail = work, show, fail
        self._changed = threading.Condition(lock or threading.RLock())
        self._newest = 0
        self._threads = 0
        self._then: list[Callable[[], None]] = []

    def ask(self, request: Request, wait: float = 0.0) -> None:
        """Start on a request after `wait` seconds, unless there is a newer one by then. Return at once."""
        with self._changed:
            self.forget()
            self._threads += 1
            number = self._newest
        threading.Thread(target=self._run, args=(number, request, wait), daemon=True).start()

    def forget(self) -> None:
        """Drop the request that is waiting, and the outcome of the one that is being worked on."""
        with self._changed:
            self._newest += 1
            self._changed.notify_all()

    def then(self, call: Callable[[], None]) -> None:
        """Call as soon as nothing is waiting or being worked on, holding the lock: at once when that is so now."""
        with self._changed:
            if self._threads == 0:
                call()
            else:
                self._then.append(call)

    def wait(self, timeout: float = 30.0) -> bool:
        """Wait until nothing is waiting or being worked on; False when that took longer than `timeout` seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: self._threads == 0, timeout)

    def _run(self, number: int, request: Request, wait: float) -> None:
        try:
            with self._changed:
                if self._changed.wait_for(lambda: self._newest != number, wait):
                    return
            try:
                outcome = self._work(request)
            except Exception as error:  # noqa: BLE001 - shown by the caller
                self._deliver(number, self._fail, error)
            else:
                self._deliver(number, self._show, outcome)
        finally:
            with self._changed:
                if self._threads == 1:  # the last thread: a caller who waits for its end finds this done, too
                    self._call_waiting()
                self._threads -= 1
                self._changed.notify_all()

    def _call_waiting(self) -> None:
        waiting, self._then = self._then, []
        for call in waiting:
            try:
                call()
            except Exception as error:  # noqa: BLE001 - shown by the caller
                self._fail(error)

    def _deliver(self, number: int, call: Callable[[Any], None], value: object) -> None:
        with self._changed:
            if self._newest != number:
                return
            try:
                call(value)
            except Exception as error:  # noqa: BLE001 - as above
                self._fail(error)
