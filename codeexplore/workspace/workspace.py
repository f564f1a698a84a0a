"""`Workspace`: a loaded repository that answers questions and follows the edges of its graph."""

from __future__ import annotations

import weakref
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from codeexplore.source.discovery import resolve_root
from codeexplore.source.git_url import is_remote, name_of
from codeexplore.types import settings
from codeexplore.types.displayed import Displayed
from codeexplore.types.errors import AmbiguousSymbol, QuestionError, SymbolNotFound
from codeexplore.types.features import find, open_view, registered
from codeexplore.types.visible import visible
from codeexplore.workspace.cache import load, open_portable, save_portable
from codeexplore.workspace.graph_questions import GraphQuestions
from codeexplore.workspace.pipeline import LoadOptions, opening_code
from codeexplore.workspace.progress import Bar, Progress, ProgressHook
from codeexplore.workspace.searches import Searches
from codeexplore.workspace.snapshot import GraphState, Index, state_of
from codeexplore.workspace.snapshot_holder import SnapshotHolder, is_background
from codeexplore.workspace.view import Target
from codeexplore.workspace.watch import Refresher, Watch

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Executor
    from types import ModuleType
    from typing import Self

    from codeexplore.answers.source import SourceText
    from codeexplore.answers.status import WorkspaceStatus
    from codeexplore.graph.model import CodeGraph
    from codeexplore.index.catalog import Catalog
    from codeexplore.search.engine import SearchEngine
    from codeexplore.source.changes import Changes
    from codeexplore.types import SourceFile, Symbol, WorkspaceSummary

_MOST_KEYS = 2_000  # IPython looks at each at every Tab; our own completion, where it is loaded, knows them all


class Workspace(Searches, GraphQuestions, Displayed):
    """A repository loaded into symbols, chunks, three lanes and a call graph.

    Parameters
    ----------
    path
        The repository's folder, or the URL of a git repository, as for `from_git`.
    model
        A model2vec model to use instead of the bundled one: a folder, or a name on a hub.
    max_file_bytes
        Larger files are skipped and counted.
    include_ignored
        Also index files that .gitignore leaves out, and folders that look like build results.
    resources
        Also index files that are not code: configuration, schemas, templates, styles, build files and other text. They
        rank below code, except for questions about them. False leaves them out and counts them.
    only
        Load only these files and folders below `path`. A single one may be given as a string.
    workers
        Number of child processes that parse files. None chooses the number, 0 uses no child process.
    progress
        Function that is called with (stage, done, total). None shows a bar in notebooks and terminals.
    cancel
        Event that stops the load when another thread sets it.
    name
        Name in displays. None takes the folder's name.
    cache
        Store the index in the user's cache folder, or in the folder that CODEEXPLORE_CACHE names. The next load
        reads the parts that are still valid. With False, the cache is neither read nor written.
    executor
        Executor that parses the files instead of child processes: a thread or process pool, Dask's
        ``client.get_executor()``, loky's or Ray's. It gets the bytes of the files, and the results are the same.
        All its machines need the same versions of Python and packages.
    graph
        ``"now"`` returns when the graph is complete. ``"background"`` returns when texts and symbols can be
        searched, for a large repository in three fifths of the time; references are then resolved in the
        background. Meanwhile, searches use words and meaning only and say so, and questions about the graph wait for
        it, as `wait_for_graph` does.

    Raises
    ------
    RootNotFound, RootNotAFolder, NothingToIndex
        There is no folder at `path`, or it contains no file that could be indexed.
    ModelError
        The embedding model cannot be loaded.
    LoadCancelled
        `cancel` was set.

    Examples
    --------
    >>> ws = Workspace("path/to/repo")
    >>> ws.search("how are expired sessions handled?")
    >>> ws.callers("validate_session", depth=2)

    Every method that takes a symbol accepts a name, a fully qualified name, a `Symbol`, a hit, ``"path:line"``
    or a live Python object.
    """

    def __init__(
        self,
        path: str | Path = ".",
        *,
        model: str | Path | None = None,
        max_file_bytes: int = settings.MAX_FILE_BYTES,
        include_ignored: bool = False,
        resources: bool = True,
        workers: int | None = None,
        progress: ProgressHook | None = None,
        cancel: threading.Event | None = None,
        name: str | None = None,
        only: str | Sequence[str] = (),
        cache: bool = True,
        executor: Executor | None = None,
        graph: Literal["now", "background"] = "now",
    ) -> None:
        if isinstance(path, str) and is_remote(path):
            name = name or name_of(path)
            path = _cloned(path, name, None, progress, cancel)
        named = (only,) if isinstance(only, str) else tuple(only)
        options = LoadOptions(max_file_bytes, include_ignored, named, model, workers, executor, resources)
        title, background = name or resolve_root(Path(path)).name or str(path), is_background(graph)
        with Bar(title) if progress is None else nullcontext(progress) as hook:
            loaded = load(Path(path), title, options, Progress(hook, cancel), cache=cache, background=background)
        try:
            self._begin(SnapshotHolder(loaded.made, options, cached=cache, make=loaded.make))
        except BaseException:
            loaded.drop()
            raise

    @classmethod
    def from_git(cls, url: str, ref: str | None = None, **options: Any) -> Workspace:
        """Clone a repository (shallow, into the cache folder) and load it.

        Parameters
        ----------
        url
            An https, ssh or file URL, or a local path.
        ref
            A branch, tag or commit; None for the default branch.
        **options
            As for `Workspace`.

        Raises
        ------
        GitError
            The URL is refused, or git failed. The message lists the accepted forms of URLs.
        LoadCancelled
            `cancel` was set.
        """
        name = name_of(url)
        folder = _cloned(url, name, ref, options.get("progress"), options.get("cancel"))
        return cls(folder, **{"name": name, **options})

    @classmethod
    def from_package(cls, package: str | ModuleType, **options: Any) -> Workspace:
        """Load the installed sources of a package or module, without importing it.

        Parameters
        ----------
        package
            A name ("networkx") or a module object.
        **options
            As for `Workspace`.

        Raises
        ------
        PackageNotFound
            No package or module with this name is installed, or it has no Python sources.
        """
        from codeexplore.source.package import find_package

        found = find_package(package)
        return cls(found.root, name=found.name, only=found.only, **options)

    @classmethod
    def open(cls, path: str | Path, *, model: str | Path | None = None) -> Self:
        """Return a workspace from a file that `save` wrote. The repository itself is not needed.

        Parameters
        ----------
        path
            The file.
        model
            The embedding model with which the file was made, if it was not the bundled model.

        Raises
        ------
        IndexFileError
            There is no such file, or this version cannot read it. The message gives the reason.
        """
        index, options = open_portable(path, model)
        workspace = cls.__new__(cls)
        workspace._begin(SnapshotHolder(index, options, cached=False), portable=True)
        return workspace

    def _begin(self, holder: SnapshotHolder, *, portable: bool = False) -> None:
        self._holder, self._portable = holder, portable
        self._refresher = Refresher(holder, portable=portable)

    # ----------------------------------------------------------------- features

    def __getattr__(self, name: str) -> Any:
        """Return the accessor of the feature `name`, as in ``ws.review.changes()``. It is made once."""
        feature = None if name.startswith("_") else find(lambda each: each if each.name == name else None)
        if feature is None or not feature.accessor:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
        made = self.__dict__[name] = feature.load(feature.accessor)(self)
        return made

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *(each.name for each in registered() if each.accessor)})

    @property
    def load_options(self) -> LoadOptions:
        """The options with which the repository was loaded."""
        return self._holder.options

    @property
    def portable(self) -> bool:
        """True if the workspace was opened from a file that `save` wrote."""
        return self._portable

    @property
    def cached(self) -> bool:
        """True if the cache folder is read and written."""
        return self._holder.cached

    # ----------------------------------------------------------------- the loaded parts

    @property
    def name(self) -> str:
        """The name of this workspace in displays."""
        return self._holder.current.name

    @property
    def root(self) -> Path:
        """The repository's folder."""
        return self._holder.current.root

    @property
    def summary(self) -> WorkspaceSummary:
        """Counts of files, languages, symbols, chunks and edges; skipped files with reasons; seconds for each stage."""
        return self._holder.current.summary

    @property
    def files(self) -> tuple[str, ...]:
        """Paths of the indexed files, relative to the root, sorted."""
        return self._view.catalog.paths()

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """Every symbol, ordered by file and, within a file, in source order."""
        return tuple(self._view.catalog.symbols)

    @property
    def catalog(self) -> Catalog:
        """The catalog of every symbol and chunk, which finds them by id, name and place."""
        return self._view.catalog

    @property
    def engine(self) -> SearchEngine:
        """The search engine over the current snapshot, for experiments with its parts. For questions, use `search`."""
        return self._holder.current.engine

    @property
    def graph(self) -> CodeGraph:
        """The graph of symbols with typed edges. Waits while it is being built. Raises GraphUnresolved."""
        return self.view().graph

    @property
    def index(self) -> Index:
        """The current snapshot: everything that answers are computed from, as one immutable record.

        Waits while the graph is being built. Raises GraphUnresolved.
        """
        return self.view().index

    @property
    def graph_state(self) -> GraphState:
        """State of the graph.

        - "ready": it is complete.
        - "outdated": it is older than the last edits, and is being updated. Its edges are at their new lines.
        - "building": it is still being built. Questions about one symbol are answered by name, others wait.
        - "failed": references could not be resolved, and questions about the graph raise GraphUnresolved.
        """
        return state_of(self._holder.current.pending)

    def __repr__(self) -> str:
        index = self._holder.current
        held = (("files", index.summary.files), ("symbols", index.summary.symbols), ("edges", index.summary.edges))
        counts = ", ".join(f"{sum(n.values()):,} {what}" for what, n in held)
        lacks = f"; {visible(index.pending.note)}" if index.pending is not None else ""
        return f"<Workspace {visible(index.name)}: {counts}{lacks}>"

    def __str__(self) -> str:
        from codeexplore.answers.show import summary_blocks
        from codeexplore.answers.terminal import written

        return written(summary_blocks(self.summary))

    # ----------------------------------------------------------------- symbols and source

    def __iter__(self) -> Iterator[Symbol]:
        """Iterate over the symbols, by file in source order."""
        return iter(self.symbols)

    def __contains__(self, target: Target) -> bool:
        """Return True if a name, a symbol or a live object means at least one symbol of this repository."""
        try:
            self._view.symbol(target)
        except AmbiguousSymbol:
            return True
        except SymbolNotFound:
            return False
        return True

    def __getitem__(self, name: str) -> Symbol:
        """Return the symbol called `name`: ``ws["Flask.run"]``. IPython completes such names."""
        return self.symbol(name)

    def _ipython_key_completions_(self) -> list[str]:
        return list(self._view.catalog.names_with_prefix("", limit=_MOST_KEYS))

    def symbol(self, target: Target) -> Symbol:
        """Return the one symbol that `target` means.

        Raises
        ------
        SymbolNotFound
            There is no such symbol. The message lists the most similar names.
        AmbiguousSymbol
            Several symbols have this name. The message lists them.
        """
        view = self._view
        try:
            return view.symbol(target)
        except SymbolNotFound as error:
            raise view.undefined(error, target) from None

    def symbol_at(self, path: str, line: int) -> Symbol:
        """Return the innermost symbol that contains the given line of a file. Lines count from 1.

        Raises
        ------
        SymbolNotFound
            The file is not indexed, or has no such line.
        """
        return self._view.symbol(f"{path}:{line}")

    def outline(self, path: str) -> tuple[Symbol, ...]:
        """Return the symbols of a file in source order, its module first.

        Raises
        ------
        SymbolNotFound
            No indexed file has this path, or several end in it.
        """
        view = self._view
        return tuple(s for s in view.catalog.in_file(view.path(path)) if s.kind != "lambda")

    def source(self, target: Target) -> SourceText:
        """Return the source text of a symbol, with its decorators. For a path, return the text of the file.

        The result is a `str`. A notebook shows it as code with line numbers (`SourceText.view`).

        Raises
        ------
        SymbolNotFound, AmbiguousSymbol
            The target does not mean one symbol.
        SourceNotIncluded
            The workspace was opened from a file that was saved without sources.
        """
        return self._view.source(target)

    def file(self, path: str) -> SourceFile:
        """Return one indexed file with its text. The end of its path is enough. Raises the exceptions of `source`."""
        return self._view.file(path)

    # ----------------------------------------------------------------- changes of the files

    def refresh(
        self,
        *,
        graph: Literal["now", "background"] = "now",
        progress: ProgressHook | None = None,
        cancel: threading.Event | None = None,
    ) -> Changes:
        """Update the workspace to the present files, after edits, renames, deletions, moves or a change of branch.

        The result equals that of a new load. Other threads use the old state until the new state is complete. Existing
        answers do not change.

        Parameters
        ----------
        graph
            ``"now"`` returns when the graph is up to date too. ``"background"`` returns when texts, symbols and sources
            are up to date. Until the graph is resolved in the background, the edges of before are shown, at their new
            lines. `graph_pending` lists the files that wait for this, answers mention it, and `wait_for_graph`
            waits until it is done.

        Returns
        -------
        Changes
            The files that were added, changed, removed and moved. It is empty if nothing changed.

        Raises
        ------
        RootNotFound, NothingToIndex
            The files no longer exist. The workspace keeps its state.
        LoadCancelled
            `cancel` was set. The workspace keeps its state.
        """
        return self._refresher.refresh(is_background(graph), Progress(progress, cancel))

    @property
    def graph_pending(self) -> tuple[str, ...]:
        """The files whose edges are not known yet, or are older than their last edit."""
        pending = self._holder.current.pending
        return () if pending is None else pending.paths

    def wait_for_graph(self, timeout: float | None = None) -> bool:
        """Wait until the graph is up to date and stored in the cache. A progress line is shown.

        An interruption (Ctrl-C) stops only the waiting. If the graph could not be built before, it is tried again.

        Parameters
        ----------
        timeout
            Maximal number of seconds to wait. None waits as long as necessary.

        Returns
        -------
        bool
            True if the graph is up to date. False after `timeout`, or if references cannot be resolved; `status` gives
            the reason.
        """
        return self._holder.wait_for_graph(timeout)

    def stale(self) -> Changes:
        """List the files that `refresh` would update: added, changed and removed files, by size, times and content."""
        return self._refresher.stale(self._holder.current)

    def status(self) -> WorkspaceStatus:
        """Report the health of this workspace: changed files, contents, each lane, model, cache, versions.

        Each lane is tested with a symbol that it must find. Every problem is reported with the next step.
        """
        from codeexplore.workspace.health import status

        return status(self._holder.current, self._refresher.stale)

    def watch(
        self, then: Callable[[Changes], None] | None = None, *, debounce: float = 0.3, interval: float = 1.0
    ) -> Watch:
        """Watch the files in the background, and refresh after each burst of edits. The graph may follow later.

        Parameters
        ----------
        then
            Function that is called with the changes after each refresh, in the watching thread. The graph may still be
            outdated then; see `graph_pending` and `wait_for_graph`.
        debounce
            Seconds without an edit after which a burst has ended.
        interval
            Seconds between two checks of the files if the system cannot report edits, as on network file systems.

        Returns
        -------
        Watch
            The watch. ``stop()``, leaving ``with ws.watch():`` and the end of the workspace end it. Its `error`
            describes the last problem.
        """
        watch = Watch(self._refresher.refresh_quietly, self._refresher.folder(), then, debounce, interval)
        try:
            weakref.finalize(self, watch.end)
        except BaseException:  # interrupted: no caller could end it
            watch.stop()
            raise
        return watch

    def save(self, path: str | Path, *, sources: bool = True) -> Path:
        """Write the whole index to one file, which `Workspace.open` reads without the repository.

        Parameters
        ----------
        path
            The file, usually ending in ``.codeexplore``. An existing file is replaced in one step.
        sources
            True includes the source texts. Without them, all questions are answered but no source is shown.

        Raises
        ------
        IndexFileError
            The file cannot be written.
        GraphUnresolved
            The graph, which is part of the file, could not be built.
        """
        return save_portable(self._holder.complete(), Path(path), self._holder.options, sources=sources)

    def to_code(self) -> str:
        """Return the Python call that opens this workspace again: ``Workspace('/path', include_ignored=True)``."""
        return opening_code(self._holder.current, self._holder.options, portable=self._portable)

    # ----------------------------------------------------------------- the widget

    def explore(self, question: str = "", *, view: str = "ask", explain: bool = False) -> Any:
        """Return a widget to ask questions, switch lanes, see reasons and walk the callers.

        Parameters
        ----------
        question
            Question that is asked at once, if not empty.
        view
            "ask" for question, answer and call graph; "lab" for every step of the search with its numbers and controls.
            A switch in the widget changes it.
        explain
            Show the arithmetic of every hit from the beginning.

        Raises
        ------
        QuestionError
            The question is not a text, or there is no such view.
        """
        if not isinstance(question, str):
            raise QuestionError(f"the question must be a text, not {question!r:.80}")
        return open_view("explore", self, question, view=view, explain=explain)


def _cloned(
    url: str, name: str, ref: str | None, progress: ProgressHook | None, cancel: threading.Event | None
) -> Path:
    """Clone a repository and return its folder; see `Workspace.from_git`. Raises GitError and LoadCancelled."""
    from codeexplore.source.git_clone import clone

    with Bar(name) if progress is None else nullcontext(progress) as hook:
        return clone(url, ref, progress=hook, cancel=cancel)
