"""The graph of a `Workspace` whose state lacks it: made in the background, waited for, tried again."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from codeexplore.errors import GraphUnresolved
from codeexplore.workspace.base import WorkspaceBase
from codeexplore.workspace.pipeline import LoadOptions, with_pending
from codeexplore.workspace.progress import Bar, Progress

if TYPE_CHECKING:
    from codeexplore.workspace.background_resolve import BackgroundResolution, Make
    from codeexplore.workspace.snapshot import Index

GRAPH_STAGE = "waiting for the graph"
_POLL_SECONDS = 0.1  # between two checks for a cancelled refresh, or a finished graph


def is_background(graph: str) -> bool:
    """Return True if a graph is to be made in the background. Raises ValueError unless it is "now" or "background"."""
    if graph not in ("now", "background"):
        raise ValueError(f"graph={graph!r}: 'now' waits for the graph, 'background' resolves it in the background")
    return graph == "background"


class BackgroundGraph(WorkspaceBase):
    """A state and its graph, which may be added later."""

    _options: LoadOptions
    _cached: bool
    _swapping: threading.Lock
    _settling: BackgroundResolution | None

    @property
    def graph_pending(self) -> tuple[str, ...]:
        """The files whose edges are not known yet, or provisional since their last edit."""
        pending = self._current.pending
        return () if pending is None else pending.paths

    def wait_for_graph(self, timeout: float | None = None) -> bool:
        """Wait until the graph is as new as everything else, and stored in the cache; a line of progress appears.

        An interruption (Ctrl-C) stops only the waiting. A graph that could not be made is tried again.

        Parameters
        ----------
        timeout
            Seconds to wait at most; None for as long as it takes.

        Returns
        -------
        bool
            True if it is. False after `timeout`, and when resolving failed: `status` gives the reason.
        """
        until = None if timeout is None else time.monotonic() + timeout
        self._try_again()
        with Bar(self._current.name) as bar:
            while True:
                settling = self._settling
                if settling is None or settling.wait(0.0):
                    with self._swapping:
                        if self._settling is settling:  # no newer state took its place
                            return self._current.pending is None
                    continue
                left = _POLL_SECONDS if until is None else min(_POLL_SECONDS, until - time.monotonic())
                if not settling.wait(max(0.0, left)) and left <= 0.0:
                    return self._current.pending is None
                bar.waiting(GRAPH_STAGE)

    def _graph_there(self) -> Index:
        with Bar(self._current.name) as bar:
            while (index := self._current).pending is not None and index.pending.not_built:
                pending = index.pending
                if pending.reason:
                    raise GraphUnresolved(f"{pending.note}. {pending.next_step}")
                time.sleep(_POLL_SECONDS)
                bar.waiting(GRAPH_STAGE)
        return index

    def _try_again(self) -> None:
        """Start again a graph that could not be made."""
        index = self._current
        if index.pending is not None and index.pending.reason:
            self._take(index, with_pending(index, index.pending._replace(reason="")))

    def _finish(self, progress: Progress) -> None:
        """Wait for a graph that is being made, or make it here when that failed before. Raises LoadCancelled."""
        from codeexplore.workspace.background_resolve import resolve_pending

        failed = self._current.pending is not None and bool(self._current.pending.reason)
        while self._settling is not None and not self._settling.wait(_POLL_SECONDS):
            progress.check()
        old = self._current
        if old.pending is None or (old.pending.reason and not failed):
            return
        try:
            self._swap(None, resolve_pending(old, self._options, progress))
        except GraphUnresolved as error:
            self._unsettled(old, str(error))

    def _settled(self, provisional: Index, index: Index) -> None:
        """Use a resolved graph, unless its state was replaced."""
        if self._swap(provisional, index) and self._cached and index.pending is None:
            self._keep(index)

    def _unsettled(self, provisional: Index, reason: str) -> None:
        """Store the reason for the graph's absence, unless its state was replaced."""
        if provisional.pending is not None:
            self._swap(provisional, with_pending(provisional, provisional.pending._replace(reason=reason)))

    def _take(self, expected: Index | None, new: Index, make: Make | None = None) -> None:
        """Make an index the current one as `_swap` does, and start its graph where it lacks one.

        `make` returns the graph; by default the references that are not resolved yet are resolved.
        """
        from codeexplore.workspace.background_resolve import BackgroundResolution, resolve_pending

        options = self._options
        settling = None if new.pending is None or new.pending.reason else BackgroundResolution(self)
        with self._swapping:  # both at once: a waiting thread must not find one without the other
            if expected is not None and self._current is not expected:
                return
            if settling is not None:  # first: an interrupt must not leave one that is never started
                settling.start(new, make or (lambda progress: resolve_pending(new, options, progress)))
            before, self._current = self._settling, new
            self._settling = settling or before
        if before is not None:
            before.cancel()

    def _swap(self, expected: Index | None, index: Index) -> bool:
        """Make an index the current one, if `expected` is the current one; None for any."""
        with self._swapping:
            if expected is not None and self._current is not expected:
                return False
            self._current = index
            return True

    def _keep(self, index: Index) -> None:
        from codeexplore.workspace.cache import keep, slot_of

        keep(slot_of(index.root, self._options), index, self._options)
