"""Background resolution: a thread that adds the graph to an index without one."""

from __future__ import annotations

import logging
import threading
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeAlias

from codeexplore.errors import GraphUnresolved, LoadCancelled
from codeexplore.index.files import SourceTexts
from codeexplore.workspace.pipeline import LoadOptions, with_graph
from codeexplore.workspace.progress import Progress
from codeexplore.workspace.second_pass import complete_facts

if TYPE_CHECKING:
    from codeexplore.workspace.snapshot import Index

logger = logging.getLogger("codeexplore")


Make: TypeAlias = "Callable[[Progress], Index]"
"""Function that returns an index with its graph, or with the reason for its absence. Raises LoadCancelled."""


class ResolutionOwner(Protocol):
    """Owner of an index whose graph is being built. The background thread calls its methods."""

    def resolved(self, before: Index, index: Index) -> None:
        """Accept `index`, which has its graph, in place of `before`."""

    def unresolved(self, before: Index, reason: str) -> None:
        """Accept the reason why the graph of `before` could not be built."""


class BackgroundResolution:
    """A thread that waits until a child process has resolved all references.

    It has only a weak reference to its owner, and ends early if the owner no longer exists.
    """

    def __init__(self, owner: ResolutionOwner) -> None:
        self._cancel = threading.Event()
        self._ended = threading.Event()
        self._owner = weakref.ref(owner, lambda _: self._cancel.set())

    def start(self, index: Index, make: Make) -> None:
        """Start the thread. `index` has no graph, or an outdated one; `make` returns the index with its graph."""
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
    from codeexplore.workspace.graph_update import regraphed  # with the whole resolution, which no search needs

    if index.pending is None:
        return index
    told = complete_facts(index.sources, index.files.layout, options, progress)
    with progress.stage("graph"):
        graph, warnings = regraphed(index, options, progress.check)
    if isinstance(index.sources, SourceTexts):
        index.sources.drop_facts_text()
    return with_graph(index, graph, (*told, *warnings), progress)
