"""`Workspace`: one repository, loaded, for questions and graph walks."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from codeexplore import settings
from codeexplore.errors import AmbiguousSymbol, QuestionError, SymbolNotFound
from codeexplore.results.source import SourceText, SourceView
from codeexplore.sanitize import visible
from codeexplore.types import SourceFile, Symbol, WorkspaceSummary
from codeexplore.workspace.cache import load
from codeexplore.workspace.clone import cloned, is_remote, name_of
from codeexplore.workspace.consistent_reads import consistent
from codeexplore.workspace.graph_api import GraphQueries
from codeexplore.workspace.graph_wait import is_background
from codeexplore.workspace.pipeline import LoadOptions
from codeexplore.workspace.progress import Bar, Progress, ProgressHook
from codeexplore.workspace.refresh_api import RefreshMethods
from codeexplore.workspace.search_api import SearchMethods
from codeexplore.workspace.targets import Target

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from types import ModuleType

_MOST_KEYS = 2_000  # IPython looks at each at every Tab; our own completion, where it is loaded, knows them all


@consistent
class Workspace(SearchMethods, GraphQueries, RefreshMethods):
    """A repository loaded into symbols, chunks, three lanes and a call graph.

    Parameters
    ----------
    path
        The repository's folder; or the URL of a git repository, as for `from_git`.
    model
        A model2vec model to use instead of the bundled one: a folder, or a name on a hub.
    max_file_bytes
        Larger files are skipped (and counted).
    include_ignored
        Also index what .gitignore leaves out, and folders that look like build results.
    only
        Files and folders below `path` to which the load is limited; one may be given as it is.
    workers
        Child processes that parse. None uses as many as pay off, 0 none.
    progress
        Called with (stage, done, total). None shows a bar in notebooks and terminals.
    cancel
        Set it from another thread to stop the load.
    name
        Name in displays; the folder's name when None.
    cache
        Keep the index in the user's cache folder (or the one that CODEEXPLORE_CACHE names) and use it again: the next
        load reads the parts that are still valid. False neither reads nor writes there.
    executor
        Parses the files instead of child processes: a thread or process pool, Dask's ``client.get_executor()``, loky's
        or Ray's. The files' bytes travel with the work; results are the same. It needs the same versions elsewhere.
    graph
        ``"now"`` returns when the whole graph is there. ``"background"`` returns when texts and symbols can be
        searched, for a large repository in three fifths of the time; references are resolved in the background. Until
        then searches answer by words and meaning and say so, questions about the graph wait for it, and
        `wait_for_graph` waits too.

    Raises
    ------
    RootNotFound, RootNotAFolder, NothingToIndex
        There is nothing at `path` that could be explored.
    ModelError
        The embedding model can't be had.
    LoadCancelled
        `cancel` was set.

    Examples
    --------
    >>> ws = Workspace("path/to/repo")
    >>> ws.search("how are expired sessions handled?")
    >>> ws.callers("validate_session", depth=2)

    Wherever a symbol is asked for, a name, a fully qualified name, a `Symbol`, a hit, ``"path:line"`` or a live Python
    object will do.
    """

    def __init__(
        self,
        path: str | Path = ".",
        *,
        model: str | Path | None = None,
        max_file_bytes: int = settings.MAX_FILE_BYTES,
        include_ignored: bool = False,
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
            path = cloned(path, name, progress=progress, cancel=cancel)
        named = (only,) if isinstance(only, str) else tuple(only)
        options = LoadOptions(max_file_bytes, include_ignored, named, model, workers, executor)
        title, background = name or Path(path).expanduser().resolve().name or str(path), is_background(graph)
        with Bar(title) if progress is None else nullcontext(progress) as hook:
            loaded = load(Path(path), title, options, Progress(hook, cancel), cache=cache, background=background)
        try:
            self._begin(loaded.made, options, cached=cache, make=loaded.make)
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
            The URL is refused, or git failed; the message says which forms work.
        LoadCancelled
            `cancel` was set; the data that git has fetched is kept for the next attempt.
        """
        name = name_of(url)
        folder = cloned(url, name, ref, progress=options.get("progress"), cancel=options.get("cancel"))
        return cls(folder, **{"name": name, **options})

    @classmethod
    def from_package(cls, package: str | ModuleType, **options: Any) -> Workspace:
        """Load the installed sources of an importable package or module, without importing it.

        Parameters
        ----------
        package
            A name ("networkx") or a module object.
        **options
            As for `Workspace`.

        Raises
        ------
        PackageNotFound
            Nothing of that name is installed, or it has no Python sources.
        """
        from codeexplore.source.package import find_package

        found = find_package(package)
        return cls(found.root, name=found.name, only=found.only, **options)

    # ----------------------------------------------------------------- the loaded parts

    @property
    def name(self) -> str:
        """The name of this workspace in displays."""
        return self._index.name

    @property
    def summary(self) -> WorkspaceSummary:
        """Files, languages, symbols, chunks, edges; skipped files and the reasons; seconds per stage."""
        return self._index.summary

    @property
    def files(self) -> tuple[str, ...]:
        """Paths of the indexed files, relative to the root, sorted."""
        return self._index.catalog.paths()

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """Every symbol, by file in source order."""
        return tuple(self._index.catalog.symbols)

    def __repr__(self) -> str:
        summary = self.summary
        held = (("files", summary.files), ("symbols", summary.symbols), ("edges", summary.edges))
        counts = ", ".join(f"{sum(n.values()):,} {what}" for what, n in held)
        pending = self._index.pending
        lacks = f"; {visible(pending.note)}" if pending is not None else ""
        return f"<Workspace {visible(self.name)}: {counts}{lacks}>"

    def __str__(self) -> str:
        from codeexplore.results.text.show import summary_text

        return summary_text(self.summary)

    # ----------------------------------------------------------------- symbols

    def __iter__(self) -> Iterator[Symbol]:
        """The symbols, by file in source order."""
        return iter(self.symbols)

    def __contains__(self, target: Target) -> bool:
        """Return True if a name, a symbol or a live object means a symbol of this repository, or several."""
        try:
            self.symbol(target)
        except AmbiguousSymbol:
            return True
        except SymbolNotFound:
            return False
        return True

    def __getitem__(self, name: str) -> Symbol:
        """Return the symbol of ``ws["Flask.run"]``: the same as `symbol`, with completion in IPython."""
        return self.symbol(name)

    def _ipython_key_completions_(self) -> list[str]:
        return list(self.catalog.names_with_prefix("", limit=_MOST_KEYS))

    def symbol_at(self, path: str, line: int) -> Symbol:
        """Return the innermost symbol that covers a line (1-based) of a file.

        Raises
        ------
        SymbolNotFound
            The file is not indexed, or has no such line.
        """
        return self.symbol(f"{path}:{line}")

    def outline(self, path: str) -> tuple[Symbol, ...]:
        """Return the symbols of a file in source order, its module first.

        Raises
        ------
        SymbolNotFound
            No indexed file has this path, or several end in it.
        """
        return tuple(s for s in self.catalog.in_file(self._path(path)) if s.kind != "lambda")

    def source(self, target: Target) -> SourceText:
        """Return the source text of a symbol, decorators included; of a file when a path is given.

        It is a `str`; a notebook shows it as code, with the numbers of its lines (`SourceText.view`).

        Raises
        ------
        SymbolNotFound, AmbiguousSymbol
            The target does not mean one symbol.
        SourceNotIncluded
            The workspace was opened from a file that was saved without sources.
        """
        if isinstance(target, str) and len(self.catalog.find_paths(target)) == 1:
            file = self.file(target)
            return SourceText.of(SourceView(file.path, 1, file.text, file.language))
        symbol = self.symbol(target)
        data = self._sources[symbol.path].text.encode("utf-8", "replace")
        text = data[symbol.span.start_byte : symbol.span.end_byte].decode("utf-8", "replace")
        return SourceText.of(SourceView(symbol.path, symbol.span.start_line, text, symbol.language, symbol))

    def file(self, path: str) -> SourceFile:
        """Return one indexed file with its text; the end of its path is enough. Raises the exceptions of `source`."""
        return self._sources[self._path(path)]

    def _path(self, path: str) -> str:
        found = self.catalog.find_paths(path)
        if len(found) == 1:
            return found[0]
        if found:
            raise SymbolNotFound(f"{path!r} may be {', '.join(found[:8])}; give a longer path", found)
        why = next((s for s in self.summary.skipped_files if s.path == path), None)
        reason = f"it was skipped: {why.reason} {why.detail}".rstrip() if why else "ws.files lists those that are"
        raise SymbolNotFound(f"no indexed file has the path {path!r}; {reason}")

    # ----------------------------------------------------------------- the widget

    def explore(self, question: str = "") -> Any:
        """Return a widget to ask, toggle lanes, see reasons and walk the callers. Raises QuestionError."""
        if not isinstance(question, str):
            raise QuestionError(f"the question must be a text, not {question!r:.80}")
        from codeexplore.notebook.explorer import Explorer

        return Explorer(self, question=question)
