"""Refresh of a workspace after edits, when it is asked for (`Refresher`) or after each burst of edits (`Watch`)."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Self

from codeexplore.gc_pause import gc_paused
from codeexplore.source.changes import Changes
from codeexplore.source.discovery import Discovery
from codeexplore.types.errors import CodeExploreError, RootNotFound, SourceError
from codeexplore.types.visible import visible
from codeexplore.workspace.fingerprints import FingerprintDiff, drift
from codeexplore.workspace.pipeline import walk, with_pending, with_skipped
from codeexplore.workspace.progress import Progress

if TYPE_CHECKING:
    from codeexplore.workspace.snapshot import Index
    from codeexplore.workspace.snapshot_holder import SnapshotHolder

logger = logging.getLogger("codeexplore")

_JOIN_SECONDS = 10.0  # for the watching thread to begin, and to end: a check of the files takes no longer

SAVE_AFTER = 2.0
"""Seconds of resolution from which a refresh is stored in the cache; the next load repeats quicker ones."""


class Refresher:
    """Updates the index of a workspace when the files have changed. Only one refresh runs at a time.

    `portable` is True if the index comes from a saved file; then there may be no source files.
    """

    def __init__(self, holder: SnapshotHolder, *, portable: bool) -> None:
        self._holder, self._portable = holder, portable

    def refresh(self, background: bool, progress: Progress, *, again: bool = True) -> Changes:
        """Update the index and return the changes; see `Workspace.refresh`.

        With `again`, a graph that could not be built before is tried again, either in the background or now.
        """
        with self._holder.refreshing:
            return gc_paused(lambda: self._refreshed(background, progress, again))

    def refresh_quietly(self) -> Changes:
        """Refresh as `Workspace.watch` does: the graph in the background, and without a progress line."""
        return self.refresh(True, Progress(), again=False)

    def _refreshed(self, background: bool, progress: Progress, again: bool) -> Changes:
        from codeexplore.workspace.refresh import changes_between, refresh, resolved_anew

        started = time.perf_counter()
        holder = self._holder
        old = holder.current
        found, different = self._compared(old, progress)
        if not different:
            told = with_skipped(old, found, old.origin)
            if told is not old:
                holder.take(old, told)
            if not background:
                holder.finish(progress)
            elif again:
                holder.retry()
            return Changes()
        new = refresh(old, found, different, holder.options, progress, background=background)
        if not old.root.is_dir():  # then unreadable files are not changes
            raise RootNotFound(
                f"{str(old.root)!r} was removed while it was being read; the workspace keeps its previous state"
            )
        if not again and old.pending is not None and new.pending is not None:
            new = with_pending(new, new.pending._replace(reason=old.pending.reason))
        holder.take(None, new)
        resolved = new.pending is None and resolved_anew(old, new)
        if resolved and time.perf_counter() - started > SAVE_AFTER:
            holder.keep(new)
        return changes_between(old.origin, new.origin, different)

    def stale(self, index: Index) -> Changes:
        """Return the files that differ from `index`; see `Workspace.stale`."""
        _, different = self._compared(index, Progress())
        known = index.origin.seen
        changed = [candidate.path for candidate in different.changed]
        return Changes(
            tuple(path for path in changed if path not in known),
            tuple(path for path in changed if path in known),
            tuple(sorted(different.removed)),
        )

    def _compared(self, index: Index, progress: Progress) -> tuple[Discovery, FingerprintDiff]:
        """List the files of the folder and compare them with `index`. Raises the exceptions of `discover`."""
        found = walk(self.folder(), self._holder.options, progress)
        return found, drift(index.origin, found.root, found.candidates)

    def folder(self) -> Path:
        """Return the folder of the source files. Raises SourceError if there is none."""
        root = self._holder.current.root
        if not root.is_dir() and self._portable:
            raise SourceError(
                f"this index was saved from {str(root)!r}, which does not exist here: "
                "the index can be searched but not refreshed"
            )
        return root


class Watch:
    """A thread that calls `refresh` after each burst of edits below `root`. `Workspace.watch` makes it."""

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

    @property
    def end(self) -> Callable[[], None]:
        """A function that ends the watch soon, without waiting; it does not refer to the watch."""
        return self._stop.set

    def stop(self) -> None:
        """Stop watching. A refresh that is running is finished first."""
        self._stop.set()
        if threading.current_thread() is not self._thread:
            self._thread.join(_JOIN_SECONDS)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
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
    """Yield after each burst of changes, or at regular times if the system does not report changes."""
    from watchfiles import watch

    ready.set()
    yield None
    listening = False
    try:
        for changes in watch(
            root,
            watch_filter=None,
            stop_event=stop,
            step=max(1, int(debounce * 1000)),
            rust_timeout=500,
            yield_on_timeout=True,
            raise_interrupt=False,
            ignore_permission_denied=True,
        ):
            if changes or not listening:  # at its first message: changes before the watcher listened
                yield None
            listening = True
    except OSError as error:  # no watches left, a network file system
        logger.warning("the files can't be watched, so they are checked every %g seconds: %s", interval, error)
        yield None
        while not stop.wait(interval):
            yield None
