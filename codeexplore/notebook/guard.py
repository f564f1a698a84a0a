"""Callbacks of widgets, one at a time and with their errors shown: a browser has no other place for them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any


class Guard:
    """Wraps callbacks of one explorer.

    Kernels call them from the main thread or from others, as the version has it; all of them, and the deliveries of
    work done in the background (see `Latest`), hold one lock.
    """

    def __init__(self, alert: Callable[[Exception], None]) -> None:
        self.lock = threading.RLock()
        self._alert = alert

    def __call__(self, callback: Callable[..., Any]) -> Callable[..., None]:
        """The callback, holding the lock; what it raises goes to the alert line."""

        def guarded(*given: Any) -> None:
            with self.lock:
                try:
                    callback(*given)
                except Exception as error:  # noqa: BLE001 - shown in the alert line
                    self._alert(error)

        return guarded
