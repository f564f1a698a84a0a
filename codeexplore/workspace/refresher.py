"""Refresh of a workspace: it compares the files with the current index, and makes a new index if they differ."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from codeexplore.errors import RootNotFound, SourceError
from codeexplore.gc_pause import gc_paused
from codeexplore.source.changes import Changes
from codeexplore.workspace.fingerprints import FingerprintDiff, drift
from codeexplore.workspace.pipeline import Scan, walk, with_pending
from codeexplore.workspace.progress import Progress

if TYPE_CHECKING:
    from pathlib import Path

    from codeexplore.source.walk_cache import ScanCache
    from codeexplore.workspace.snapshot import Index
    from codeexplore.workspace.snapshot_holder import SnapshotHolder

SAVE_AFTER = 2.0
"""Seconds of resolution from which a refresh is stored in the cache; the next load repeats quicker ones."""


class Refresher:
    """Updates the index of a workspace when the files have changed.

    Parameters
    ----------
    holder
        Holder of the current index. Its lock `refreshing` is held during a refresh, so that only one runs at a time.
    portable
        True if the index comes from a file that `Workspace.save` wrote. Then there may be no source files.
    """

    def __init__(self, holder: SnapshotHolder, *, portable: bool) -> None:
        self._holder, self._portable = holder, portable
        self._memory: ScanCache | None = None  # of the last walk; any thread may replace it

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
        from codeexplore.workspace.skipped_update import with_skipped

        started = time.perf_counter()
        holder = self._holder
        old = holder.current
        walked, different = self._compared(old, progress)
        if not different:
            told = with_skipped(old, walked.found, old.origin)
            if told is not old:
                holder.take(old, told)
            if not background:
                holder.finish(progress)
            elif again:
                holder.retry()
            return Changes()
        new = refresh(old, walked, different, holder.options, progress, background=background)
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

    def _compared(self, index: Index, progress: Progress) -> tuple[Scan, FingerprintDiff]:
        """List the files of the folder and compare them with `index`.

        Folders that did not change are listed from the cache of the last walk. Raises the exceptions of `discover`.
        """
        walked = walk(self.folder(), self._holder.options, progress, self._memory)
        self._memory = walked.found.memory
        return walked, drift(index.origin, walked.found.root, walked.found.candidates)

    def folder(self) -> Path:
        """Return the folder of the source files. Raises SourceError if there is none."""
        root = self._holder.current.root
        if not root.is_dir() and self._portable:
            raise SourceError(
                f"this index was saved from {str(root)!r}, which does not exist here: "
                "the index can be searched but not refreshed"
            )
        return root
