"""The commits of a workspace: read from git once, and kept in memory and in the cache until HEAD moves."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.features.review.git_objects import GitObjects
from codeexplore.features.review.history.git_log import list_commits, read_log
from codeexplore.features.review.history.log import History
from codeexplore.index.archive import Archive, write_archive
from codeexplore.source.cache_dir import make_private
from codeexplore.types.errors import DamagedIndex
from codeexplore.workspace.cache import slot_of

if TYPE_CHECKING:
    from codeexplore.workspace.pipeline import LoadOptions
    from codeexplore.workspace.progress import Progress

logger = logging.getLogger(__name__)

_FILE = "history.zip"


class HistoryStore:
    """The history of one workspace. It is read again when HEAD has moved."""

    def __init__(self, options: LoadOptions, *, cached: bool) -> None:
        self._options, self._cached = options, cached
        self._known: History | None = None

    def read(self, root: Path, progress: Progress) -> tuple[History, GitObjects]:
        """Return the history up to HEAD, and the objects of the repository.

        Raises GitError and LoadCancelled.
        """
        objects = GitObjects(root, progress.cancel, otherwise="")
        head = objects.commit("HEAD")
        known = self._known
        if known is None or known.head != head:
            known = self._stored(root, head)
        if known is None:
            commits = list_commits(objects, head)
            with progress.stage("history", len(commits.ids)) as report:
                known = History.of(commits, read_log(objects, commits.ids, report))
            self._store(root, known)
        self._known = known
        return known, objects

    def _stored(self, root: Path, head: str) -> History | None:
        if not self._cached:
            return None
        try:
            path = slot_of(root, self._options).folder / _FILE
            history = History.stored(Archive(path))
        except FileNotFoundError:
            return None
        except (OSError, DamagedIndex, ValueError) as error:
            logger.warning("the stored history is not used, so it is read again: %s", error)
            return None
        return history if history.head == head else None

    def _store(self, root: Path, history: History) -> None:
        if not self._cached:
            return
        try:
            folder = slot_of(root, self._options).folder
            make_private(folder)
            write_archive(folder / _FILE, {"root": str(root), **history.meta()}, history.members())
        except OSError as error:
            logger.warning("the history could not be stored in the cache: %s", error)
