"""Refresh, staleness, status and watching of a `Workspace`, and its portable file."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Self

from codeexplore.errors import CodeExploreError, GraphUnresolved, RootNotFound, SourceError
from codeexplore.gc_pause import gc_paused
from codeexplore.source.changes import Changes
from codeexplore.workspace.fingerprints import drift
from codeexplore.workspace.fork import renewed_after_fork
from codeexplore.workspace.graph_wait import BackgroundGraph, is_background
from codeexplore.workspace.pipeline import LoadOptions, Scan, walk, with_pending
from codeexplore.workspace.progress import Progress, ProgressHook

if TYPE_CHECKING:
    from codeexplore.results.status import WorkspaceStatus
    from codeexplore.source.walk_cache import ScanCache
    from codeexplore.workspace.background_resolve import Make
    from codeexplore.workspace.snapshot import Index
    from codeexplore.workspace.watch import Watch

SAVE_AFTER = 2.0
"""Seconds of resolution from which a refresh is stored in the cache; the next load repeats quicker ones."""


class RefreshMethods(BackgroundGraph):
    """Methods that follow changes of the files."""

    _portable: bool
    _refreshing: threading.Lock  # one refresh at a time
    _memory: ScanCache | None  # of the last walk; any thread may replace it

    def refresh(
        self,
        *,
        graph: Literal["now", "background"] = "now",
        progress: ProgressHook | None = None,
        cancel: threading.Event | None = None,
    ) -> Changes:
        """Bring everything up to date with the files: edits, renames, deletions, moves, another branch.

        The result equals that of a load from nothing. Other threads use the old state until the new one is complete,
        and existing answers keep theirs.

        Parameters
        ----------
        graph
            ``"now"`` returns when the whole graph is new too. ``"background"`` returns when texts, symbols and sources
            are, and the edges of edited functions as far as nearby files give them; changes by values from further away
            are resolved in the background. `graph_pending` lists the files that wait for that, answers say so, and
            `wait_for_graph` waits for the end.

        Returns
        -------
        Changes
            The files that were added, changed, removed and moved; empty when nothing had to be done.

        Raises
        ------
        RootNotFound, NothingToIndex
            The files no longer exist; the workspace keeps its state.
        LoadCancelled
            `cancel` was set; the workspace keeps its state.
        """
        return self._refresh(is_background(graph), Progress(progress, cancel))

    def _refresh(self, background: bool, reporting: Progress, *, again: bool = True) -> Changes:
        """Refresh; with `again`, a graph that could not be made is tried again, now or later."""
        with self._refreshing:
            return gc_paused(lambda: self._refreshed(background, reporting, again))

    def _refreshed(self, background: bool, reporting: Progress, again: bool) -> Changes:
        from codeexplore.workspace.refresh import changes_between, refresh, resolved_anew
        from codeexplore.workspace.unchanged import with_skipped

        started = time.perf_counter()
        old = self._current
        walked = self._listed(old, reporting)
        different = drift(old.origin, walked.found.root, walked.found.candidates)
        if not different:
            told = with_skipped(old, walked.found, old.origin)
            if told is not old:
                self._take(old, told)
            if not background:
                self._finish(reporting)
            elif again:
                self._try_again()
            return Changes()
        new = refresh(old, walked, different, self._options, reporting, background=background)
        if not old.root.is_dir():  # then unreadable files are not changes
            raise RootNotFound(f"{str(old.root)!r} was removed while it was read; the workspace keeps what it has")
        if not again and old.pending is not None and new.pending is not None:
            new = with_pending(new, new.pending._replace(reason=old.pending.reason))
        self._take(None, new)
        resolved = new.pending is None and resolved_anew(old, new)
        if self._cached and resolved and time.perf_counter() - started > SAVE_AFTER:
            self._keep(new)
        return changes_between(old.origin, new.origin, different)

    def _listed(self, index: Index, progress: Progress) -> Scan:
        """List the files, unchanged folders from the cache of the last walk. Raises the exceptions of `discover`."""
        walked = walk(self._place(index), self._options, progress, self._memory)
        self._memory = walked.found.memory
        return walked

    def _place(self, index: Index) -> Path:
        """Return the folder of the sources. Raises SourceError when there is none."""
        if not index.root.is_dir() and self._portable:
            raise SourceError(
                f"this index was saved from {str(index.root)!r}, which is not here: it can be searched, not refreshed"
            )
        return index.root

    def stale(self) -> Changes:
        """List the files that `refresh` would read: added, changed and removed since, by size, times and content."""
        index = self._current
        walked = self._listed(index, Progress())
        different = drift(index.origin, walked.found.root, walked.found.candidates)
        known = index.origin.seen
        changed = [candidate.path for candidate in different.changed]
        return Changes(
            tuple(path for path in changed if path not in known),
            tuple(path for path in changed if path in known),
            tuple(sorted(different.removed)),
        )

    def status(self) -> WorkspaceStatus:
        """Report the health of this workspace: age against the files, contents, each lane, model, cache, versions.

        Each lane is asked for a symbol that it must know. A problem is reported with the next step.
        """
        from codeexplore.workspace.health import status_of

        index = self._current
        try:
            stale, why = self.stale(), ""
        except CodeExploreError as error:
            stale, why = None, str(error)
        return status_of(index, stale, why)

    def watch(
        self,
        then: Callable[[Changes], None] | None = None,
        *,
        debounce: float = 0.3,
        interval: float = 1.0,
    ) -> Watch:
        """Follow the files in the background and refresh after each burst of edits, the graph later if needed.

        Parameters
        ----------
        then
            Called after each refresh, from the watching thread, with the changes. The graph may still be outdated then;
            see `graph_pending` and `wait_for_graph`.
        debounce
            Seconds of quiet that end a burst.
        interval
            Seconds between two checks of the files where the system can't report edits: on network file systems, say.

        Returns
        -------
        Watch
            ``stop()`` ends it, as does leaving ``with ws.watch():``; `error` contains the last problem, if any.
        """
        from codeexplore.workspace.watch import Watch

        return Watch(self, self._place(self._current), then, debounce, interval)

    def save(self, path: str | Path, *, sources: bool = True) -> Path:
        """Write the whole index to one file, which `Workspace.open` reads without the repository.

        Parameters
        ----------
        path
            The file; ``.codeexplore`` is a good ending. It is replaced in one step.
        sources
            True to include the source texts. Without them all questions are answered, and no source is shown.

        Raises
        ------
        IndexFileError
            It can't be written there.
        GraphUnresolved
            The graph, which is part of the file, could not be made.
        """
        from codeexplore.workspace.cache import save_portable

        if self._current.pending is not None:
            with self._refreshing:
                self.wait_for_graph()
        index = self._current
        if index.pending is not None:
            raise GraphUnresolved(f"{index.pending.note}. {index.pending.next_step}")
        return save_portable(index, Path(path), self._options, sources=sources)

    @classmethod
    def open(cls, path: str | Path, *, model: str | Path | None = None) -> Self:
        """Return a workspace from a file that `save` wrote; the repository need not exist.

        Parameters
        ----------
        path
            The file.
        model
            The embedding model that it was made with, if that was not the bundled one.

        Raises
        ------
        IndexFileError
            There is no such file, or this version cannot read it; the message gives the reason.
        """
        from codeexplore.workspace.cache import open_portable

        index, options = open_portable(path, model)
        workspace = cls.__new__(cls)
        workspace._begin(index, options, cached=False, portable=True)
        return workspace

    def to_code(self) -> str:
        """Return the Python call that makes this workspace again: ``Workspace('/path', include_ignored=True)``."""
        usual, own, index = LoadOptions(), self._options, self._current
        names = ("model",) if self._portable else ("only", "max_file_bytes", "include_ignored", "model")
        chosen = {name: getattr(own, name) for name in names if getattr(own, name) != getattr(usual, name)}
        if not self._portable and index.name != index.root.name:
            chosen["name"] = index.name
        written = [f"{name}={(str(value) if name == 'model' else value)!r}" for name, value in chosen.items()]
        function, place = ("Workspace.open", index.stored) if self._portable else ("Workspace", str(index.root))
        return f"{function}({', '.join((repr(place), *written))})"

    def _begin(
        self, index: Index, options: LoadOptions, *, cached: bool, portable: bool = False, make: Make | None = None
    ) -> None:
        """Start with an index; `make` as for `_take`."""
        self._current = index
        self._options, self._cached, self._portable = options, cached, portable
        self._refreshing, self._swapping = threading.Lock(), threading.Lock()
        self._settling = None
        self._memory = None
        renewed_after_fork(self)
        if index.pending is not None:
            self._take(None, index, make)

    def _forked(self) -> None:
        """Continue in a process that was forked: only the thread that forked exists there."""
        self._refreshing, self._swapping = threading.Lock(), threading.Lock()
        self._settling = None
        pending = self._current.pending
        if pending is not None and not pending.reason:
            reason = "the process that resolves references is the one that this was forked from"
            self._current = with_pending(self._current, pending._replace(reason=reason))
