"""Background work for widgets, and callbacks that report their errors.

`LatestTask` works on the newest request only. Typing therefore never waits, and the answer to an old request never
replaces a newer answer. `CallbackGuard` runs callbacks of widgets one at a time and shows their errors in the widget,
because a browser has no other place for errors.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar


class CallbackGuard:
    """Wrapper for the callbacks of one explorer. It runs them one at a time and reports their exceptions.

    Depending on its version, a kernel calls callbacks from the main thread or from other threads. Therefore all
    callbacks and the results of background work (see `LatestTask`) use one lock. `alert` is called with an exception
    that a callback raises.
    """

    def __init__(self, alert: Callable[[Exception], None]) -> None:
        self.lock = threading.RLock()
        self._alert = alert

    def __call__(self, callback: Callable[..., Any]) -> Callable[..., None]:
        """Return a function that runs `callback` under the lock and passes its exceptions to `alert`."""

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
    """Background task that calls `work` for the newest request, in a thread of its own, and `show` with its result.

    If a newer request arrives before the result is shown, the result is dropped. `fail` gets an exception of `work` or
    `show`, because a widget has no other way to report it. Calls of `show` and `fail` hold the lock and never overlap.
    Several tasks and callbacks can share it; None makes a new lock.
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

    def ask(self, request: Request, wait: float = 0.0) -> None:
        """Start work on `request` after `wait` seconds, unless a newer request arrives. Returns at once."""
        with self._changed:
            self.forget()
            self._threads += 1
            number = self._newest
        threading.Thread(target=self._run, args=(number, request, wait), daemon=True).start()

    def forget(self) -> None:
        """Drop the waiting request, and drop the result of the request that is being worked on."""
        with self._changed:
            self._newest += 1
            self._changed.notify_all()

    def wait(self, timeout: float = 30.0) -> bool:
        """Wait until all requests are done. Return False if that takes longer than `timeout` seconds."""
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
                self._threads -= 1
                self._changed.notify_all()

    def _deliver(self, number: int, call: Callable[[Any], None], value: object) -> None:
        with self._changed:
            if self._newest != number:
                return
            try:
                call(value)
            except Exception as error:  # noqa: BLE001 - as above
                self._fail(error)
