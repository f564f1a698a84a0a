"""``ws.review``: changes, versions and the history of a workspace."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Unpack

from codeexplore.features.review.history.answers import HiddenCoupling
from codeexplore.features.review.history.log import HistoryStore
from codeexplore.features.review.history.view import HistoryView
from codeexplore.workspace import graph_questions
from codeexplore.workspace.graph_questions import WalkOptions, takes_walk_options
from codeexplore.workspace.progress import Bar, Progress, ProgressHook
from codeexplore.workspace.snapshot import Index
from codeexplore.workspace.view import SnapshotView
from codeexplore.workspace.workspace import Workspace

if TYPE_CHECKING:
    import threading
    from collections.abc import Sequence

    from codeexplore.answers import GraphAnswer
    from codeexplore.features.review.answers import ChangesAnswer, TestsAnswer
    from codeexplore.features.review.history.answers import (
        HistoryAnswer,
        RepositoryHistoryAnswer,
        Together,
        TogetherAnswer,
    )
    from codeexplore.features.review.history.replacement import ReplacedAnswer
    from codeexplore.features.review.tests.dry_run import DryRunAnswer
    from codeexplore.features.review.versions import VersionsAnswer
    from codeexplore.workspace.view import Target


class Review:
    """Questions about what differs and about the commits. It keeps the history of its workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._history = HistoryStore(workspace.load_options, cached=workspace.cached)

    def _reader(
        self, view: SnapshotView, progress: ProgressHook | None = None, cancel: threading.Event | None = None
    ) -> HistoryView:
        """Return the history for one call. Raises GitError and LoadCancelled."""
        with Bar(view.index.name) if progress is None else nullcontext(progress) as hook:
            history, objects = self._history.read(view.index.root, Progress(hook, cancel))
        return HistoryView(history, objects, view, lambda: self._workspace.view().graph, Progress(progress, cancel))

    def changes(
        self,
        base: str | PathLike[str] = "HEAD",
        *,
        untracked: bool = True,
        progress: ProgressHook | None = None,
        cancel: threading.Event | None = None,
    ) -> ChangesAnswer:
        """List the symbols that differ between two states: added, removed, changed, renamed and moved ones.

        Comments and layout are no difference. The answer's `impact` lists what the change may affect, and its `tests`
        the tests to run. Commits are read from git's objects: the work tree stays as it is, and nothing of the
        repository runs.

        Parameters
        ----------
        base
            A branch, tag or commit, to compare with the loaded files; a range, ``main..feature`` for two commits or
            ``main...feature`` for what happened since they parted; the text of a patch; or a `Path`: a patch file, or
            a folder with an earlier version.
        untracked
            False leaves out files that git does not track.
        progress, cancel
            As for `Workspace`.

        Returns
        -------
        ChangesAnswer
            A sequence of `ChangedSymbol`, breaking changes first.

        Raises
        ------
        GitError
            The folder is in no git repository, or has no such commit.
        PatchError
            The patch can't be read, or does not fit the loaded files, neither as they are nor as they were before it.
        RootNotFound, SourceError
            The file or folder can't be read.
        SourceNotIncluded
            The workspace was opened from a file that was saved without sources.
        LoadCancelled
            `cancel` was set.

        Examples
        --------
        >>> ws.review.changes("main").tests().command
        """
        from codeexplore.features.review.answers import ChangesAnswer
        from codeexplore.features.review.states import compared

        workspace, view = self._workspace, self._workspace.view()
        _ = view.sources  # raises SourceNotIncluded
        found = compared(view.index, base, workspace.load_options, Progress(progress, cancel), untracked=untracked)
        stale = () if workspace.portable else workspace.stale().paths
        notes = (f"{len(stale)} files changed since they were loaded; ws.refresh() reads them.",) if stale else ()
        found = found._replace(notes=(*found.notes, *notes, *view.graph_notes))

        def hidden_of(paths: Sequence[str]) -> tuple[Together, ...]:
            return self._reader(view, progress, cancel).hidden_coupling(paths)

        return ChangesAnswer(found, hidden_of)

    def compare(
        self,
        other: str | PathLike[str] | Workspace,
        *,
        newer: bool = False,
        progress: ProgressHook | None = None,
        cancel: threading.Event | None = None,
    ) -> VersionsAnswer:
        """Compare this version with another one: public interface, edges, dependencies, hubs, cycles, dead code.

        Only files that differ are analysed, and all references of the other version are resolved. An archive is read in
        memory: nothing is unpacked, installed or run. The answer is the changes of the public interface, those that may
        break code first. Its `uses_in` lists what a workspace uses of them.

        `progress` and `cancel` are as for `Workspace`. Raises GitError, RootNotFound, SourceError, SourceNotIncluded
        and LoadCancelled as `changes` does, SourceError also if no file is in common with this version, and
        GraphUnresolved if a graph could not be made.

        Parameters
        ----------
        other
            The older version: a branch, tag or commit; a `Path` to a wheel, an sdist or a folder; or a `Workspace`. A
            range, ``v1..v2``, gives both versions. Folders around the files may have other names.
        newer
            True if `other` is the newer version, as for an upgrade of an installed package.

        >>> upgrade = Workspace.from_package("flask").review.compare(Path("flask-3.1.0.tar.gz"), newer=True)
        >>> upgrade.uses_in(ws)
        """
        from codeexplore.features.review.answers import ChangesAnswer
        from codeexplore.features.review.states import compared
        from codeexplore.features.review.versions import Structure, VersionsAnswer

        view = self._workspace.view()
        base = other.index if isinstance(other, Workspace) else other
        if isinstance(base, Index):
            _ = SnapshotView(base).sources  # raises SourceNotIncluded
        _ = view.sources
        steps = Progress(progress, cancel)
        found = compared(view.index, base, self._workspace.load_options, steps, untracked=False, newer=newer)
        changes = ChangesAnswer(found._replace(notes=(*found.notes, *view.graph_notes)))
        return VersionsAnswer(changes, Structure(found, view.index.root))

    def history(
        self,
        target: Target | None = None,
        *,
        progress: ProgressHook | None = None,
        cancel: threading.Event | None = None,
    ) -> RepositoryHistoryAnswer | HistoryAnswer:
        """Report how often and when a file or symbol changed, and who knows it, from the commits of git.

        The commits that lead to HEAD are read once, without merges, and kept in the cache. Renamed files are followed.
        Authors have the names that .mailmap gives them; addresses are never shown. Nothing of the repository runs, and
        nothing is fetched.

        `target` is a symbol, as for the other methods, or the path of any file, even of a deleted one. The answer has
        its commits, the newest first, and its `contributors`. None is the whole repository: the answer has the files,
        those that changed most often first. `progress` and `cancel` are as for `Workspace`.

        Raises GitError if the folder is in no git repository or has no commit, or an object can't be read;
        SymbolNotFound or AmbiguousSymbol if the target means no file and not one symbol; LoadCancelled.

        >>> ws.review.history("Session.get").contributors
        """
        reader = self._reader(self._workspace.view(graph=False), progress, cancel)
        return reader.whole() if target is None else reader.of(reader.target(target))

    def together(
        self,
        target: Target,
        top_k: int = 20,
        *,
        progress: ProgressHook | None = None,
        cancel: threading.Event | None = None,
    ) -> TogetherAnswer:
        """List what changed in the same commits as a file or symbol, with support and confidence, strongest first.

        For a path, the answer lists files. For a symbol, it lists symbols. Merges and commits of more than 30 files are
        left out. Items of code that the graph does not connect with the target are marked; `hidden` has those that
        changed together with it in at least three commits and in half of its commits.

        `top_k` is the maximal number of items; the other parameters are those of `history`. Raises the exceptions of
        `history`, and GraphUnresolved if the graph could not be made.

        >>> ws.review.together("src/session.py").hidden
        """
        reader = self._reader(self._workspace.view(graph=False), progress, cancel)
        return reader.together(reader.target(target), top_k)

    def replaced(
        self, name: str, *, progress: ProgressHook | None = None, cancel: threading.Event | None = None
    ) -> ReplacedAnswer:
        """List what replaced a definition that was deleted, from the commit that deleted it.

        A renamed or moved definition is followed to its present name. For any other one, the answer has what its users
        use in its place, and what its documentation named. Raises GitError if there is no history.

        >>> ws.review.replaced("Session.fetch")
        """
        from codeexplore.features.review.answers import ChangesAnswer
        from codeexplore.features.review.history.replacement import replaced
        from codeexplore.features.review.states import compared

        view, options = self._workspace.view(graph=False), self._workspace.load_options
        steps = Progress(progress, cancel)

        def compare(commits: str) -> ChangesAnswer:
            return ChangesAnswer(compared(view.index, commits, options, steps, untracked=False, breaking=False))

        return replaced(self._reader(view, progress, cancel), name, compare)

    def dry_run(
        self,
        commits: int = 20,
        *,
        safe: bool = False,
        progress: ProgressHook | None = None,
        cancel: threading.Event | None = None,
    ) -> DryRunAnswer:
        """Select the tests of the last commits, to see what that skips, and which known failures it misses.

        Failures are those in JUnit files of the folder and in the cache of pytest: a file whose path contains the id of
        a commit belongs to it, any other one to the newest commit. Nothing is run. `safe` is as for
        `ChangesAnswer.tests`. Raises GitError if there is no history.

        >>> ws.review.dry_run(50, safe=True)
        """
        from codeexplore.features.review.tests.dry_run import dry_run

        view = self._workspace.view(graph=False)
        history = self._reader(view, progress, cancel).history
        rows = range(min(commits, len(history.ids)))

        def tests(commit: str) -> TestsAnswer:
            return self.changes(f"{commit}~..{commit}", progress=progress, cancel=cancel).tests(safe=safe)

        with_parent = [(history.ids[row], history.date(row)) for row in rows]
        return dry_run(view.index.root, with_parent, tests)

    @takes_walk_options
    def impact(self, target: Target, depth: int | None = None, **options: Unpack[WalkOptions]) -> GraphAnswer:
        """List the symbols that a change of a symbol may break, as `Workspace.impact`, and what changed with it.

        The answer's `additions` have what often changed together with the symbol although the graph has no path between
        the two, see `together`. Raises GitError if there is no history.

        >>> ws.review.impact("Session.get", depth=3)
        """
        view = self._workspace.view()
        answer = graph_questions.walk(view, "impact", target, depth, **options)
        starts = tuple(each.path if each.kind == "module" else each for each in answer.seeds if each.path)
        found = HiddenCoupling(self._reader(view).hidden_coupling(starts))
        return replace(answer, additions=(*answer.additions, found))
