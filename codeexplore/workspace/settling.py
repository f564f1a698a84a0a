"""The graph of a provisional index, resolved in the background."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from codeexplore.errors import LoadCancelled
from codeexplore.workspace.build import LoadOptions, with_graph
from codeexplore.workspace.edits import regraphed
from codeexplore.workspace.progress import Progress

if TYPE_CHECKING:
    from codeexplore.workspace.index import Index

logger = logging.getLogger("codeexplore")


class Settling:
    """A thread that waits for the child which resolves references; `start` starts it.

    Parameters
    ----------
    index
        Has a provisional graph.
    options
        How the repository is loaded.
    done
        Told the index with its graph, from the thread.
    """

    def __init__(self, index: Index, options: LoadOptions, done: Callable[[Index, Index], None]) -> None:
        self.error = ""
        self._index, self._options, self._done = index, options, done
        self._cancel = threading.Event()
        self._ended = threading.Event()

    def start(self) -> None:
        """Begin."""
        threading.Thread(target=self._run, name="codeexplore-graph", daemon=True).start()

    def cancel(self) -> None:
        """Stop it: a newer state is under way."""
        self._cancel.set()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it has ended; False when it still runs after `timeout` seconds."""
        return self._ended.wait(timeout)

    def _run(self) -> None:
        progress = Progress(None, self._cancel)
        try:
            self._done(self._index, settled(self._index, self._options, progress))
        except LoadCancelled:
            self.error = "a newer state took its place"
        except Exception as error:  # noqa: BLE001 - told by `status`, and raised by a refresh that waits for the graph
            self.error = f"{type(error).__name__}: {error}"
            logger.warning("the graph was not resolved: %s", self.error)
        finally:
            self._ended.set()


def settled(index: Index, options: LoadOptions, progress: Progress) -> Index:
    """An index with its graph resolved where it was from before. Raises LoadCancelled."""
    if index.pending is None:
        return index
    with progress.stage("graph"):
        graph, warnings = regraphed(index, options, progress.check)
        made = with_graph(index, graph, progress)
    return replace(made, summary=replace(made.summary, warnings=(*made.summary.warnings, *warnings)))
