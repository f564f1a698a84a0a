"""Watch of a workspace's files, in a thread of its own."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Self

from codeexplore.errors import CodeExploreError
from codeexplore.sanitize import visible
from codeexplore.source.changes import Changes

if TYPE_CHECKING:
    from types import TracebackType

logger = logging.getLogger("codeexplore")

_JOIN_SECONDS = 10.0  # for the watching thread to begin, and to end: a check of the files takes no longer


class Watch:
    """A thread that calls `refresh` after each burst of edits below `root`. `Workspace.watch` makes it.

    Attributes
    ----------
    refreshes
        Number of refreshes that found a change.
    """

    def __init__(
        self,
        refresh: Callable[[], Changes],
        root: Path,
        then: Callable[[Changes], None] | None,
        debounce: float,
        interval: float,
    ) -> None:
        self.refreshes = 0
        self._not_refreshed = self._not_told = ""
        self._refresh, self._root, self._then = refresh, root, then
        self._stop = threading.Event()
        self._ready = threading.Event()
        bursts = _bursts(root, self._stop, debounce, interval, self._ready)
        self._thread = threading.Thread(target=self._run, args=(bursts,), name="codeexplore-watch", daemon=True)
        try:
            self._thread.start()
            self._ready.wait(_JOIN_SECONDS)
        except BaseException:  # interrupted: no caller could end it
            self._stop.set()
            raise

    def __repr__(self) -> str:
        """Return one line for notebooks and shells."""
        where, told = visible(str(self._root)), f"; {self.error}" if self.error else ""
        if self.running:
            return f"<watching {where}, refreshed {self.refreshes} times{told}; .stop() ends it>"
        return f"<no longer watching {where}, refreshed {self.refreshes} times{told}>"

    @property
    def running(self) -> bool:
        """True while the files are watched."""
        return self._thread.is_alive()

    @property
    def error(self) -> str:
        """The error of the last refresh, or of the function that is called after it, as text; "" if there was none."""
        return self._not_refreshed or self._not_told

    def stop(self) -> None:
        """Stop watching. A refresh that is running is finished first."""
        self._stop.set()
        if threading.current_thread() is not self._thread:
            self._thread.join(_JOIN_SECONDS)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _run(self, bursts: Iterator[None]) -> None:
        for _ in bursts:
            try:
                changes = self._refresh()
            except Exception as error:  # noqa: BLE001 - half a branch switch, say: reported; the next burst tries again
                self._not_refreshed = _said("not refreshed", error)
                continue
            self._not_refreshed = ""
            if changes:
                self.refreshes += 1
                self._not_told = self._tell(changes)

    def _tell(self, changes: Changes) -> str:
        """Call the user's function after a refresh. Return its error as text; "" if there was none."""
        if self._then is not None:
            try:
                self._then(changes)
            except Exception as error:  # noqa: BLE001 - the caller's own code; the files are still followed
                return _said("the function called after a refresh failed", error)
        return ""


def _said(what: str, error: Exception) -> str:
    known = isinstance(error, (CodeExploreError, OSError))
    words = visible(str(error) if known else f"{type(error).__name__}: {error}")
    logger.warning("%s: %s", what, words)
    return words


def _bursts(
    root: Path, stop: threading.Event, debounce: float, interval: float, ready: threading.Event
) -> Iterator[None]:
    """Yield after each burst of changes below `root`.

    If the system does not report changes, yield at regular times.
    """
    from watchfiles import watch

    ready.set()
    yield None
    listening = False
    try:
        for changes in watch(
            root, watch_filter=None, stop_event=stop, step=max(1, int(debounce * 1000)), rust_timeout=500,
            yield_on_timeout=True, raise_interrupt=False, ignore_permission_denied=True,
        ):  # fmt: skip
            if changes or not listening:  # at its first message: changes before the watcher listened
                yield None
            listening = True
    except OSError as error:  # no watches left, a network file system
        logger.warning("the files can't be watched, so they are checked every %g seconds: %s", interval, error)
        yield from _ticks(stop, interval)


def _ticks(stop: threading.Event, interval: float) -> Iterator[None]:
    yield None
    while not stop.wait(interval):
        yield None
