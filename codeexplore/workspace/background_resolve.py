"""Background resolution: the graph of an index that lacks it, made in a thread."""

from __future__ import annotations

import logging
import threading
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeAlias

from codeexplore.errors import GraphUnresolved, LoadCancelled
from codeexplore.workspace.graph_update import regraphed
from codeexplore.workspace.pipeline import LoadOptions, with_graph
from codeexplore.workspace.progress import Progress

if TYPE_CHECKING:
    from codeexplore.workspace.snapshot import Index

logger = logging.getLogger("codeexplore")


Make: TypeAlias = "Callable[[Progress], Index]"
"""Function that returns an index with its graph, or with the reason for its absence. Raises LoadCancelled."""


class ResolutionOwner(Protocol):
    """Owner of an index whose graph is being made; called from the thread."""

    def resolved(self, provisional: Index, index: Index) -> None:
        """Receive the index with its graph, in place of `provisional`."""

    def unresolved(self, provisional: Index, reason: str) -> None:
        """Receive the reason for the absence of the graph."""


class BackgroundResolution:
    """A thread that waits for the child which resolves references; `start` starts it.

    It ends early when its owner no longer exists, which it refers to weakly.
    """

    def __init__(self, owner: ResolutionOwner) -> None:
        self._cancel = threading.Event()
        self._ended = threading.Event()
        self._owner = weakref.ref(owner, lambda _: self._cancel.set())

    def start(self, index: Index, make: Make) -> None:
        """Begin: `index` lacks its graph, or has a provisional one; `make` returns it with its graph."""
        threading.Thread(target=self._run, args=(index, make), name="codeexplore-graph", daemon=True).start()

    def cancel(self) -> None:
        """Stop, because a newer state replaces this one."""
        self._cancel.set()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it has ended; False when it still runs after `timeout` seconds."""
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
        """Return the index, or the reason for its absence."""
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
    """Return an index whose outdated edges are resolved again. Raises LoadCancelled and GraphUnresolved."""
    if index.pending is None:
        return index
    with progress.stage("graph"):
        graph, warnings = regraphed(index, options, progress.check)
    return with_graph(index, graph, warnings, progress)
