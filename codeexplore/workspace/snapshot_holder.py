"""The current index of a workspace. Only this module replaces it, and waits for its graph, in a thread or at once."""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
import weakref
from functools import cached_property
from typing import TYPE_CHECKING
from weakref import WeakSet

from codeexplore.index.files import SourceTexts
from codeexplore.types.errors import GraphUnresolved, LoadCancelled, QuestionError
from codeexplore.workspace.graph_update import regraphed
from codeexplore.workspace.load import Make, complete_facts
from codeexplore.workspace.pipeline import LoadOptions, with_graph, with_pending
from codeexplore.workspace.progress import Bar, Progress

if TYPE_CHECKING:
    from codeexplore.workspace.snapshot import Index

logger = logging.getLogger("codeexplore")

GRAPH_STAGE = "waiting for the graph"
_POLL_SECONDS = 0.1  # between two checks for a cancelled refresh, or a finished graph


def is_background(graph: str) -> bool:
    """Return True for "background", False for "now". Raises QuestionError for other values."""
    if graph not in ("now", "background"):
        raise QuestionError(
            f"graph={graph!r} is unknown: "
            "give 'now' to wait for the graph, or 'background' to build it in the background"
        )
    return graph == "background"


class BackgroundResolution:
    """A thread that waits until a child process has resolved all references.

    It has only a weak reference to its owner, and ends early if the owner no longer exists.
    """

    def __init__(self, owner: SnapshotHolder) -> None:
        self._cancel = threading.Event()
        self._ended = threading.Event()
        self._owner = weakref.ref(owner, lambda _: self._cancel.set())

    def start(self, index: Index, make: Make) -> None:
        threading.Thread(target=self._run, args=(index, make), name="codeexplore-graph", daemon=True).start()

    def cancel(self) -> None:
        """Stop the thread, because a newer index replaces this one."""
        self._cancel.set()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the thread has ended. Return False if it still runs after `timeout` seconds."""
        return self._ended.wait(timeout)

    def _run(self, index: Index, make: Make) -> None:
        try:
            made = self._made(make)
            owner = self._owner()
            if owner is None:
                return
            if isinstance(made, str):
                owner.unresolved(index, made)
            else:
                owner.resolved(index, made)
        finally:
            self._ended.set()

    def _made(self, make: Make) -> Index | str:
        """Return the index with its graph, or the reason why there is none."""
        progress = Progress(None, self._cancel)
        try:
            made = make(progress)
        except LoadCancelled:
            return "it was cancelled"
        except Exception as error:  # noqa: BLE001 - every answer reports it, and the next request for the graph retries
            said = str(error) if isinstance(error, GraphUnresolved) else f"{type(error).__name__}: {error}"
            logger.warning("the graph was not resolved: %s", said)
            return said
        return made


def resolve_pending(index: Index, options: LoadOptions, progress: Progress) -> Index:
    """Return `index` with its outdated edges resolved again. Raises LoadCancelled and GraphUnresolved."""
    if index.pending is None:
        return index
    told = complete_facts(index.sources, index.files.layout, options, progress)
    with progress.stage("graph"):
        graph, warnings = regraphed(index, options, progress.check)
    if isinstance(index.sources, SourceTexts):
        index.sources.drop_facts_text()
    return with_graph(index, graph, (*told, *warnings), progress)


class SnapshotHolder:
    """The current index, the locks around its replacement, and the background thread that adds its graph.

    Attributes
    ----------
    current
        The index that new calls use. It is always replaced as a whole, and it is complete or has `Index.pending`.
    refreshing
        The lock of a refresh, so that only one runs at a time.
    swapping
        The lock around a replacement of `current` and `resolution`, which change together.
    resolution
        The background thread of `current`, which may have ended. None if there was no such thread.
    cached
        True if complete indexes are stored in the cache.
    """

    def __init__(self, index: Index, options: LoadOptions, *, cached: bool, make: Make | None = None) -> None:
        self.current = index
        self.options = options
        self.refreshing, self.swapping = threading.Lock(), threading.Lock()
        self.resolution: BackgroundResolution | None = None
        self.cached = cached
        _holders.add(self)
        if index.pending is not None:
            self.take(None, index, make)

    # ----------------------------------------------------------------- the graph

    def with_graph(self) -> Index:
        """Wait for the graph if it is being built, and return the index. Raises GraphUnresolved."""
        index = self.current
        if index.pending is None or not index.pending.not_built:
            return index
        with Bar(index.name) as bar:
            while (index := self.current).pending is not None and index.pending.not_built:
                if index.pending.reason:
                    raise GraphUnresolved(f"{index.pending.note}.", next_steps=index.pending.next_steps)
                time.sleep(_POLL_SECONDS)
                bar.waiting(GRAPH_STAGE)
        return index

    def wait_for_graph(self, timeout: float | None = None) -> bool:
        """Wait until the graph is as new as everything else and is stored; see `Workspace.wait_for_graph`."""
        until = None if timeout is None else time.monotonic() + timeout
        self.retry()
        with Bar(self.current.name) as bar:
            while True:
                resolution = self.resolution
                if resolution is None or resolution.wait(0.0):
                    with self.swapping:
                        if self.resolution is resolution:  # no newer state took its place
                            return self.current.pending is None
                    continue
                left = _POLL_SECONDS if until is None else min(_POLL_SECONDS, until - time.monotonic())
                if not resolution.wait(max(0.0, left)) and left <= 0.0:
                    return self.current.pending is None
                bar.waiting(GRAPH_STAGE)

    def complete(self) -> Index:
        """Wait for the graph and return the index. No refresh runs meanwhile. Raises GraphUnresolved."""
        if self.current.pending is not None:
            with self.refreshing:
                self.wait_for_graph()
        index = self.current
        if index.pending is not None:
            raise GraphUnresolved(f"{index.pending.note}.", next_steps=index.pending.next_steps)
        return index

    def finish(self, progress: Progress) -> None:
        """Wait for a graph that is being built. If an earlier attempt failed, build the graph in this thread.

        Raises LoadCancelled.
        """
        failed = self.current.pending is not None and bool(self.current.pending.reason)
        while self.resolution is not None and not self.resolution.wait(_POLL_SECONDS):
            progress.check()
        old = self.current
        if old.pending is None or (old.pending.reason and not failed):
            return
        try:
            self._swap(None, resolve_pending(old, self.options, progress))
        except GraphUnresolved as error:
            self.unresolved(old, str(error))

    def retry(self) -> None:
        """Start the background thread again if the graph could not be built."""
        index = self.current
        if index.pending is not None and index.pending.reason:
            self.take(index, with_pending(index, index.pending._replace(reason="")))

    def resolved(self, before: Index, index: Index) -> None:
        """Use the resolved graph of `index`, unless `before` was replaced meanwhile."""
        if self._swap(before, index) and index.pending is None:
            self.keep(index)

    def unresolved(self, before: Index, reason: str) -> None:
        """Record the reason why there is no graph, unless `before` was replaced meanwhile."""
        if before.pending is not None:
            self._swap(before, with_pending(before, before.pending._replace(reason=reason)))

    # ----------------------------------------------------------------- replacement

    def take(self, expected: Index | None, new: Index, make: Make | None = None) -> None:
        """Make `new` the current index if `expected` is still current, and start to build its missing graph.

        If `expected` is None, any current index is replaced. `make` returns the index with its graph. By default, the
        references that are not resolved yet are resolved.
        """
        options = self.options
        resolution = None if new.pending is None or new.pending.reason else BackgroundResolution(self)
        with self.swapping:  # both at once: a waiting thread must not find one without the other
            if expected is not None and self.current is not expected:
                return
            if resolution is not None:  # first: an interrupt must not leave one that is never started
                resolution.start(new, make or (lambda progress: resolve_pending(new, options, progress)))
            before, self.current = self.resolution, new
            self.resolution = resolution or before
        if before is not None:
            before.cancel()

    def _swap(self, expected: Index | None, index: Index) -> bool:
        """Make `index` current if `expected` is, or in any case if it is None. Return True if it was done."""
        with self.swapping:
            if expected is not None and self.current is not expected:
                return False
            self.current = index
            return True

    def keep(self, index: Index) -> None:
        from codeexplore.workspace.cache import keep, slot_of

        if self.cached:
            keep(slot_of(index.root, self.options), index, self.options)

    def continue_after_fork(self) -> None:
        """Make new locks in a forked process, in which only the forking thread exists."""
        self.refreshing, self.swapping = threading.Lock(), threading.Lock()
        self.resolution = None
        pending = self.current.pending
        if pending is not None and not pending.reason:
            reason = "references are resolved by the process from which this process was forked"
            self.current = with_pending(self.current, pending._replace(reason=reason))


_holders: WeakSet[SnapshotHolder] = WeakSet()


def _after_fork() -> None:
    """Make new locks in a forked process; `multiprocessing` forks on Linux.

    Another thread may have taken a lock at the moment of the fork. This thread does not exist in the new process, so it
    never releases the lock.
    """
    for holder in list(_holders):
        holder.continue_after_fork()
    if sys.version_info < (3, 12):  # where a lock belongs to each cached_property, for all instances
        for name, module in list(sys.modules.items()):
            if name.startswith("codeexplore."):
                _renew_in(list(vars(module).values()))


def _renew_in(values: list[object]) -> None:
    for cls in values:
        for value in vars(cls).values() if isinstance(cls, type) else ():
            if isinstance(value, cached_property) and hasattr(value, "lock"):
                value.lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
