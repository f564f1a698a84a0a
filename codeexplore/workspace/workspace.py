"""`Workspace`: a loaded repository that answers questions and follows the edges of its graph."""

from __future__ import annotations

from contextlib import nullcontext
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack

from codeexplore import settings
from codeexplore.errors import AmbiguousSymbol, QuestionError, SymbolNotFound
from codeexplore.sanitize import visible
from codeexplore.workspace import packs, searches, surveys, tours, walks
from codeexplore.workspace.cache import load, open_portable, save_portable
from codeexplore.workspace.clone import cloned, is_remote, name_of
from codeexplore.workspace.coupling import hidden_coupling
from codeexplore.workspace.graph_status import GraphState, state_of
from codeexplore.workspace.history import (
    history_of,
    reader_of,
    repository_history,
    together_with,
    with_hidden_coupling,
)
from codeexplore.workspace.history_store import HistoryStore
from codeexplore.workspace.keyword_hints import suggests_keywords
from codeexplore.workspace.opening_code import opening_code
from codeexplore.workspace.pipeline import LoadOptions
from codeexplore.workspace.progress import Bar, Progress, ProgressHook
from codeexplore.workspace.refresher import Refresher
from codeexplore.workspace.snapshot import Index
from codeexplore.workspace.snapshot_holder import SnapshotHolder, is_background
from codeexplore.workspace.surveys import HUB_KINDS
from codeexplore.workspace.targets import Target
from codeexplore.workspace.view import SnapshotView, ViewCache
from codeexplore.workspace.walk_options import WalkOptions, takes_walk_options

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from concurrent.futures import Executor
    from types import ModuleType
    from typing import Self

    from codeexplore.graph.model import CodeGraph
    from codeexplore.history.records import Together
    from codeexplore.index.catalog import Catalog
    from codeexplore.packs import Pack
    from codeexplore.results import (
        CommunitiesAnswer,
        CyclesAnswer,
        DeadCodeAnswer,
        EntryPointsAnswer,
        GraphAnswer,
        GrepAnswer,
        HubsAnswer,
        ModulesAnswer,
        PathsAnswer,
        SearchAnswer,
        WhyAnswer,
    )
    from codeexplore.results.changes import ChangesAnswer
    from codeexplore.results.history import HistoryAnswer, RepositoryHistoryAnswer, TogetherAnswer
    from codeexplore.results.source import SourceText
    from codeexplore.results.status import WorkspaceStatus
    from codeexplore.results.trace import TraceRun
    from codeexplore.results.versions import VersionsAnswer
    from codeexplore.search.engine import SearchEngine
    from codeexplore.search.ranking.fusion import TermsOfLane
    from codeexplore.source.changes import Changes
    from codeexplore.tours import Tour
    from codeexplore.types import EdgeKind, Filters, SourceFile, Symbol, WorkspaceSummary
    from codeexplore.workspace.traces import TraceBlock
    from codeexplore.workspace.watch import Watch

_MOST_KEYS = 2_000  # IPython looks at each at every Tab; our own completion, where it is loaded, knows them all
_CONFIDENT = settings.RESOLVED_CONFIDENCE
_CYCLES = 0.8  # values that flow far meet in wrappers, and every wrapper would close a cycle
_CALLS: tuple[EdgeKind, ...] = ("CALLS",)


@suggests_keywords
class Workspace:
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
        background. Meanwhile, searches use words and meaning only and say so, questions about one symbol list the
        places that have its name and say so, and other questions about the graph wait for it, as `wait_for_graph` does.

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
            path = cloned(path, name, progress=progress, cancel=cancel)
        named = (only,) if isinstance(only, str) else tuple(only)
        options = LoadOptions(max_file_bytes, include_ignored, named, model, workers, executor, resources)
        title, background = name or Path(path).expanduser().resolve().name or str(path), is_background(graph)
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
        folder = cloned(url, name, ref, progress=options.get("progress"), cancel=options.get("cancel"))
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
        self._cache = ViewCache()
        self._history = HistoryStore(holder.options, cached=holder.cached)
        self._run: TraceRun | None = None

    @property
    def _view(self) -> SnapshotView:
        """Return a view of the current snapshot. Each call of a public method uses one view."""
        return SnapshotView(self._holder.current, self._cache, self._run)

    @property
    def _graph_view(self) -> SnapshotView:
        """Return a view of a snapshot with its graph. Waits for the graph, or raises GraphUnresolved."""
        return SnapshotView(self._holder.with_graph(), self._cache, self._run)

    def _walk(self, relation: str, target: Target, depth: int | None, options: WalkOptions) -> GraphAnswer:
        """Answer by name while the graph is being built, if the question is about one symbol; else wait for it."""
        found = walks.by_name(self._view, relation, target, depth, **options)
        return walks.walk(self._graph_view, relation, target, depth, **options) if found is None else found

    def _searched(self, wait: bool) -> SnapshotView:
        """Return a view for a question. With `wait`, its graph is up to date. Raises GraphUnresolved."""
        return SnapshotView(self._holder.complete(), self._cache, self._run) if wait else self._view

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
        return self._graph_view.graph

    @property
    def index(self) -> Index:
        """The current snapshot: everything that answers are computed from, as one immutable record.

        Waits while the graph is being built. Raises GraphUnresolved.
        """
        return self._graph_view.index

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
        from codeexplore.results.show import summary_blocks
        from codeexplore.results.text.writer import written

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

    # ----------------------------------------------------------------- questions that rank

    def search(
        self,
        question: str,
        *,
        top_k: int = settings.TOP_K,
        lanes: Collection[str] | None = None,
        weights: Mapping[str, float] | None = None,
        rrf_k: int = settings.RRF_K,
        fusion: str | TermsOfLane = "rrf",
        relation: str | None = None,
        direction: str | None = None,
        depth: int | None = None,
        per_file: int | None = None,
        seeds: Collection[Target] | None = None,
        tests: bool | None = None,
        filters: Filters | None = None,
        observed: TraceRun | bool = False,
        timeout: float = settings.LANE_TIMEOUT,
        wait: bool = False,
    ) -> SearchAnswer:
        """Rank the symbols that answer a question. The answer can explain how each score was computed.

        Parameters
        ----------
        question
            An identifier, "what calls …", a description in plain words, or a mixture. A bug report or stack trace of
            several lines is answered as by `localise`.
        top_k
            Number of hits to return. A larger number only adds hits at the end.
        lanes
            Lanes to search: some of "bm25", "embedding", "graph". None lets the planner choose.
        weights
            Lane → factor of its contributions to the scores.
        rrf_k
            The constant of reciprocal rank fusion, in ranks.
        fusion
            How rankings are merged: a name in `codeexplore.search.ranking.fusion.FUSIONS`, or a function of your own.
            The function gets one lane's `Ranking` and weight, and returns a number for each of the ranking's hits, in
            their order. The score of a hit is the sum of its numbers.
        relation, direction, depth
            Parts of a question about the graph, such as "callers", "in" and 2. They replace the planner's choice.
        per_file
            Maximal number of hits from one file. Scores do not change.
        seeds
            Symbols at which the graph lane starts, instead of the symbols that the question names.
        tests
            False leaves out test files, as in walks. None leaves the choice to `filters`, which include them by
            default.
        filters
            Restrictions on paths, languages, kinds and tests.
        observed
            A run: search only the functions, classes and modules that ran in it. True means the attached run.
            ``seeds=run.symbols[:20]`` starts the graph lane at what ran most, without leaving anything out.
        timeout
            Maximal number of seconds for each lane.
        wait
            True to wait until the graph is up to date, so that the answer does not depend on the time of the question.
            By default, a question that is asked earlier is answered without the graph lane, and a notice says so.

        Raises
        ------
        QuestionError
            The question is empty, or an option is out of range or unknown.
        GraphUnresolved
            `wait` is True, and the graph cannot be built.
        """
        return searches.search(
            self._searched(wait), question, seeds=seeds, tests=tests, filters=filters, observed=observed,
            top_k=top_k, lanes=lanes, weights=weights, rrf_k=rrf_k, fusion=fusion, relation=relation,
            direction=direction, depth=depth, per_file=per_file, timeout=timeout,
        )  # fmt: skip

    def localise(
        self,
        report: str | BaseException,
        *,
        top_k: int = settings.TOP_K,
        lanes: Collection[str] | None = None,
        weights: Mapping[str, float] | None = None,
        rrf_k: int = settings.RRF_K,
        fusion: str | TermsOfLane = "rrf",
        per_file: int | None = None,
        tests: bool | None = None,
        filters: Filters | None = None,
        timeout: float = settings.LANE_TIMEOUT,
        wait: bool = False,
    ) -> SearchAnswer:
        """Rank the symbols that a bug report is about: the places where the fault is likely to be.

        A report is the text of an issue, a stack trace (Python, JavaScript, Java, Go or Rust) or both, in Markdown or
        plain text. Its title, prose, code, stack frames and names each give a ranking. These rankings are fused, and
        ``answer.explain`` shows the share of each. `search` does the same for a text that has the form of a report.

        Parameters
        ----------
        report
            The text of the report, or an exception, whose traceback is read.
        lanes
            Lanes that search for the parts of the report: some of "bm25", "embedding", "graph".
        weights
            Lane or part of the report → factor of its contributions. The parts are "whole" (all its words), "title",
            "body", "code", "frames" and "names". 0 leaves a lane or part out.
        top_k, rrf_k, fusion, per_file, tests, filters, timeout, wait
            As for `search`.

        Raises
        ------
        QuestionError
            The report is empty, or an option is out of range or unknown.
        """
        return searches.localise(
            self._searched(wait), report, tests=tests, filters=filters,
            top_k=top_k, lanes=lanes, weights=weights, rrf_k=rrf_k,
            fusion=fusion, per_file=per_file, timeout=timeout,
        )  # fmt: skip

    def related(
        self,
        target: Target,
        *,
        top_k: int = settings.TOP_K,
        lanes: Collection[str] | None = None,
        weights: Mapping[str, float] | None = None,
        rrf_k: int = settings.RRF_K,
        fusion: str | TermsOfLane = "rrf",
        per_file: int | None = None,
        tests: bool | None = None,
        filters: Filters | None = None,
        timeout: float = settings.LANE_TIMEOUT,
        wait: bool = False,
    ) -> SearchAnswer:
        """Rank the symbols that are similar to `target`, by the meaning of their text and by nearness in the graph.

        Parameters
        ----------
        target
            A name, ``"path:line"``, a symbol, a chunk, a hit, or a live Python object.
        top_k, lanes, weights, rrf_k, fusion, per_file, tests, filters, timeout, wait
            As for `search`. The default lanes are "embedding" and, with half its weight, "graph".

        Raises
        ------
        SymbolNotFound, AmbiguousSymbol
            The target does not mean one symbol.
        QuestionError
            An option is out of range or unknown.
        """
        return searches.related(
            self._searched(wait), target, tests=tests, filters=filters,
            top_k=top_k, lanes=lanes, weights=weights, rrf_k=rrf_k,
            fusion=fusion, per_file=per_file, timeout=timeout,
        )  # fmt: skip

    def grep(
        self,
        pattern: str,
        *,
        regex: bool = False,
        ignore_case: bool = False,
        top_k: int = settings.GREP_TOP_K,
        tests: bool | None = None,
        filters: Filters | None = None,
    ) -> GrepAnswer:
        """Search every file for an exact text, such as an error message or an operator, or for a regular expression.

        Matches are grouped by the innermost symbol that contains them. The symbol that the matched name defines comes
        first. Then code comes before compatibility code, documentation and tests. Among these, symbols with more
        matches come first.

        Parameters
        ----------
        pattern
            A text. With `regex` it is a regular expression of RE2: no look-around, no backreferences, linear time. In
            it, ``^`` and ``$`` match the start and the end of a line.
        ignore_case
            True ignores the difference between upper and lower case.
        top_k
            Number of symbols to return. The totals count all symbols.
        tests
            False leaves out test files. None leaves the choice to `filters`, which include them by default.
        filters
            Restrictions on paths, languages, kinds and tests. With kinds, a match belongs to the innermost symbol of
            these kinds.

        Raises
        ------
        QuestionError
            The pattern is empty or not a regular expression, or an option is out of range or unknown.
        """
        return searches.grep(
            self._view, pattern, regex=regex, ignore_case=ignore_case, top_k=top_k, tests=tests, filters=filters
        )

    # ----------------------------------------------------------------- context for a language model

    def pack(
        self,
        what: str | BaseException | SearchAnswer | GraphAnswer | Target | Sequence[Target] | None = None,
        tokens: int = 4_000,
        *,
        counter: str | Callable[[str], int] | None = None,
        form: Literal["markdown", "xml", "json"] = "markdown",
        tests: bool | None = None,
        filters: Filters | None = None,
    ) -> Pack:
        """Return the lines of the repository that best answer a question, in a text of at most `tokens` tokens.

        The symbols that answer are there with their source, as many as fit; what they call, extend and name with its
        signature; and their callers and tests with the line of the call. The notes at its end say what was left out.

        Parameters
        ----------
        what
            A question or bug report, as for `search`; an answer of `search`, `localise` or a walk; a symbol, or a list
            of symbols, as for `source`. None makes a map of the repository.
        tokens
            The budget, at least 200.
        counter
            Counts the tokens: None estimates them; the name of an encoding of tiktoken ("cl100k_base", "o200k_base")
            counts exactly, with the extra ``codeexplore[tokens]``; a function takes a text and returns its number.
        form
            Form of the text: "markdown", "xml" (text between tags) or "json".
        tests, filters
            As for `search`.

        Raises
        ------
        QuestionError
            The question is empty, or an option is out of range or unknown.
        SymbolNotFound, AmbiguousSymbol
            A target does not mean one symbol.
        SourceNotIncluded
            The workspace was opened from a file that was saved without sources.

        >>> print(ws.pack("how are expired sessions handled?", tokens=2_000))
        """
        if what is None:
            return packs.mapped(self._graph_view, tokens, counter, form)
        return packs.packed(self._view, what, tokens, counter, form, tests, filters)

    def tour(self, question: str = "", steps: int = 15, *, filters: Filters | None = None) -> Tour:
        """Return an order of symbols in which to read the repository, with a sentence and the reasons for each step.

        Three quarters of the steps show how the repository is used: what its documentation shows in examples, what its
        tests and examples use, what has a high PageRank, and what manifests start; each after the type it belongs to,
        and otherwise in the order of the documentation and the tests. The other steps show how it works: the calls
        through which most of the code is reached, and what the steps before depend on most. The tour of a program that
        users only start begins with the function that is started. The same repository gives the same tour.

        Parameters
        ----------
        question
            A question, as for `search`. The first steps are then its hits. "" explains the whole repository.
        steps
            Maximal number of steps, 1 to 50.
        filters
            As for `search`; for a question only.

        Raises
        ------
        QuestionError
            The question or the number of steps is out of range.
        SourceNotIncluded
            The workspace was opened from a file that was saved without sources.
        GraphUnresolved
            The graph could not be built.

        >>> ws.tour("how does routing work?").to_markdown()
        """
        return tours.toured(self._graph_view, question, steps, filters)

    def outdated(self, paths: Collection[str]) -> tuple[str, ...]:
        """Return those of some indexed files that differ on the disk, or are gone; none without the repository.

        It reads these files alone; `stale` looks at all. Raises SourceNotIncluded as `source` does.
        """
        return packs.outdated(self._view, paths)

    def as_tools(self) -> tuple[Callable[..., str], ...]:
        """Return four functions for an agent library: ask, walk, read and map.

        Each takes and returns text, has a docstring with its arguments, and an attribute `schema` with name,
        description and parameters as JSON schema. They never raise for a name or an argument: the text says what was
        wrong. ``codeexplore mcp PATH`` serves the same tools to assistants.
        """
        from codeexplore.assistants.tools import as_functions

        return as_functions(self)

    # ----------------------------------------------------------------- walks along edges

    @takes_walk_options
    def callers(self, target: Target, depth: int = 1, **options: Unpack[WalkOptions]) -> GraphAnswer:
        """List the callers of a symbol, up to `depth` calls away.

        Callers that are only possible by name are listed separately. An empty answer explains why it is empty.

        >>> ws.callers("Session.get", depth=2, tests=False)
        """
        return self._walk("callers", target, depth, options)

    @takes_walk_options
    def callees(self, target: Target, depth: int = 1, **options: Unpack[WalkOptions]) -> GraphAnswer:
        """List the functions that a symbol calls, up to `depth` calls away.

        >>> ws.callees("checkout", min_confidence=0.9)
        """
        return self._walk("callees", target, depth, options)

    @takes_walk_options
    def implementors(self, target: Target, depth: int | None = None, **options: Unpack[WalkOptions]) -> GraphAnswer:
        """List the types that implement an interface or trait, or extend a class, at any depth.

        For a method, list the methods that override it. With ``direction="out"``, list the types that a type implements
        and extends.

        >>> ws.implementors("Serializer")
        """
        return self._walk("implementors", target, depth, options)

    @takes_walk_options
    def subclasses(self, target: Target, depth: int | None = None, **options: Unpack[WalkOptions]) -> GraphAnswer:
        """List the subtypes of a type, at any depth. With ``direction="out"``, list its supertypes.

        >>> ws.subclasses("Base", direction="out")
        """
        return self._walk("subclasses", target, depth, options)

    @takes_walk_options
    def overrides(self, target: Target, depth: int | None = None, **options: Unpack[WalkOptions]) -> GraphAnswer:
        """List the methods that override a method, or the methods of a type.

        With ``direction="out"``, list the methods that a method overrides.

        >>> ws.overrides("Base.save")
        """
        return self._walk("overrides", target, depth, options)

    @takes_walk_options
    def uses(self, target: Target, depth: int = 1, **options: Unpack[WalkOptions]) -> GraphAnswer:
        """List the symbols that use a symbol: calls, references, annotations, decorators, supertypes.

        With ``direction="out"``, list the symbols that a symbol uses.

        >>> ws.uses("requests")
        """
        return self._walk("uses", target, depth, options)

    @takes_walk_options
    def imports(self, target: Target, depth: int = 1, **options: Unpack[WalkOptions]) -> GraphAnswer:
        """List the modules that import a module or symbol.

        With ``direction="out"``, list the modules that a module imports.

        >>> ws.imports("app.models")
        """
        return walks.walk(self._graph_view, "imports", target, depth, **options)

    @takes_walk_options
    def impact(
        self, target: Target, depth: int | None = None, *, history: bool = False, **options: Unpack[WalkOptions]
    ) -> GraphAnswer:
        """List the symbols that a change of a symbol may break: its callers and users, their callers, and so on.

        The answer's `path_to` shows how each symbol is reached. Its `tests` are the tests that reach the symbol. With
        ``history=True``, its `hidden` lists what often changed together with the symbol although the graph has no path
        between the two, see `together`. Then GitError is raised if there is no history.

        >>> ws.impact("Session.get", depth=3)
        """
        view = self._graph_view
        answer = walks.walk(view, "impact", target, depth, **options)
        if not history:
            return answer
        return with_hidden_coupling(answer, reader_of(view, self._history, self._holder.with_graph, None, None))

    def paths(
        self,
        source: Target,
        target: Target,
        top_k: int = 10,
        *,
        min_confidence: float = _CONFIDENT,
        kinds: Collection[EdgeKind] = _CALLS,
        tests: bool = True,
    ) -> PathsAnswer:
        """Find chains of calls from one symbol to another, shortest first. No chain contains a symbol twice.

        If there are none, find chains of calls in the opposite direction. If there are none either, find one chain over
        edges of any kind.

        Parameters
        ----------
        top_k
            Maximal number of paths.
        min_confidence
            Edges of a lower confidence are not followed. The confidence of an edge is the measured share of true calls
            among the edges of its rule, 0 to 1 (docs/call-graph.md). Edges below 0.6 are only possible by name.
        kinds
            Kinds of edges to follow.
        tests
            False leaves out edges that start in test files.
        """
        return walks.paths(
            self._graph_view, source, target, top_k, min_confidence=min_confidence, kinds=kinds, tests=tests
        )

    def path(self, source: Target, target: Target, **options: Any) -> PathsAnswer:
        """Find the shortest of the chains that `paths` finds. The options are those of `paths`."""
        return self.paths(source, target, 1, **options)

    def why(self, caller: Target, callee: Target) -> WhyAnswer:
        """Explain the edge from one symbol to another: the rule in words, the lines of source, the confidence.

        If there is no edge, report what is known: an edge in the opposite direction, an override between the two
        symbols, a name that may mean the callee, or a longer path.
        """
        return walks.why(self._graph_view, caller, callee)

    def externals(self, prefix: str = "", top_k: int = 1_000) -> tuple[str, ...]:
        """List the names outside the repository that it uses and that begin with `prefix`, most used first.

        At most `top_k` names are returned.
        """
        return walks.externals(self._graph_view, prefix, top_k)

    # ----------------------------------------------------------------- the graph as a whole

    def cycles(self, of: str = "calls", *, min_confidence: float = _CYCLES, tests: bool = True) -> CyclesAnswer:
        """Find cycles: strongly connected components with one cycle of each as an example, the largest first.

        Parameters
        ----------
        of
            "calls" between functions, or "imports" between modules.
        tests
            False leaves out edges that start in test files.
        """
        return surveys.cycles(self._graph_view, of, min_confidence, tests)

    def entry_points(self, kinds: Collection[str] = ("main", "script", "module", "registered")) -> EntryPointsAnswer:
        """List the entry points of the program, each with its evidence.

        Parameters
        ----------
        kinds
            Kinds to list. They are "main" functions, "script" (objects that a manifest names), "module" (files that run
            as scripts), "registered" (functions that a decorator registers with a framework), "test" functions, and
            "exported" (functions that nothing in the repository calls).
        """
        return surveys.entry_points(self._graph_view, kinds)

    def dead_code(self, kinds: Collection[str] | None = None, *, tests: bool = True) -> DeadCodeAnswer:
        """List functions, methods and types that nothing in the repository uses, with the reason for each.

        If a symbol's name is called on any receiver, or occurs at a place that may use it, the symbol has the kind
        "mentioned" and is listed only if `kinds` contains this kind.

        Parameters
        ----------
        kinds
            Kinds to list. They are "unused" (no possible use is known), "dynamic" (strings or names built at run time
            may reach it), "registered" (a decorator may register it), "exported" (code outside the repository may use
            it) and "mentioned". None lists all kinds except "mentioned".
        tests
            With False, symbols that only tests use count as unused.
        """
        return surveys.dead_code(self._graph_view, kinds, tests)

    def hubs(
        self,
        top_k: int = 20,
        *,
        kinds: Collection[str] = HUB_KINDS,
        min_confidence: float = _CONFIDENT,
        tests: bool = False,
    ) -> HubsAnswer:
        """List the most central symbols: PageRank over resolved calls, uses and supertypes.

        Parameters
        ----------
        kinds
            Kinds of symbols to list.
        tests
            True also counts uses by tests.
        """
        return surveys.hubs(self._graph_view, top_k, kinds, min_confidence, tests)

    def modules(
        self,
        level: str | int = "file",
        *,
        kinds: Collection[EdgeKind] | None = None,
        min_confidence: float = _CONFIDENT,
        tests: bool = False,
    ) -> ModulesAnswer:
        """List the dependencies between files or folders, strongest first. All resolved edges of a pair count together.

        Parameters
        ----------
        level
            "file", "folder", or a number of folders from the root: 1 groups files by their top folder.
        kinds
            Kinds of edges to count. None counts calls, uses, supertypes and imports.
        tests
            True also counts edges from tests.
        """
        return surveys.modules(self._graph_view, level, kinds, min_confidence, tests)

    def communities(
        self, *, min_confidence: float = _CONFIDENT, tests: bool = False, least: int = 3
    ) -> CommunitiesAnswer:
        """List groups of functions and types that have more edges inside the group than to others, the largest first.

        The Leiden algorithm finds them from the weights of resolved edges. Its random numbers have a fixed seed, so the
        same repository gives the same groups. Each group is named after its most central symbols.

        Parameters
        ----------
        tests
            True also counts edges from tests.
        least
            Least number of members of a listed group.
        """
        return surveys.communities(self._graph_view, min_confidence, tests, least)

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
        self,
        then: Callable[[Changes], None] | None = None,
        *,
        debounce: float = 0.3,
        interval: float = 1.0,
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
            The watch. ``stop()`` ends it, and so does leaving ``with ws.watch():``. Its `error` describes the last
            problem.
        """
        from codeexplore.workspace.watch import Watch

        return Watch(self._refresher.refresh_quietly, self._refresher.folder(), then, debounce, interval)

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
        >>> ws.changes("main").tests().command
        """
        from codeexplore.results.changes import ChangesAnswer
        from codeexplore.workspace.change_base import compared

        view = self._graph_view
        _ = view.sources  # raises SourceNotIncluded
        found = compared(view.index, base, self._holder.options, Progress(progress, cancel), untracked=untracked)
        stale = () if self._portable else self._refresher.stale(view.index).paths
        notes = (f"{len(stale)} files changed since they were loaded; ws.refresh() reads them.",) if stale else ()
        found = found._replace(notes=(*found.notes, *notes, *view.graph_notes))

        def hidden_of(paths: Sequence[str]) -> tuple[Together, ...]:
            reader = reader_of(view, self._history, self._holder.with_graph, progress, cancel)
            return hidden_coupling(reader, paths)

        return ChangesAnswer.of(found, hidden_of)

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
        memory: nothing is unpacked, installed or run.

        Parameters
        ----------
        other
            The older version: a branch, tag or commit; a `Path` to a wheel, an sdist or a folder; or a `Workspace`. A
            range, ``v1..v2``, gives both versions. Folders around the files may have other names.
        newer
            True if `other` is the newer version, as for an upgrade of an installed package.
        progress, cancel
            As for `Workspace`.

        Returns
        -------
        VersionsAnswer
            The changes of the public interface, those that may break code first. Its `uses_in` lists what a workspace
            uses of them.

        Raises
        ------
        GitError
            The folder is in no git repository, or has no such commit.
        RootNotFound, SourceError
            The file or folder can't be read, or has no file in common with this version.
        SourceNotIncluded
            A workspace was opened from a file that was saved without sources.
        GraphUnresolved, LoadCancelled
            A graph could not be made, or `cancel` was set.

        Examples
        --------
        >>> upgrade = Workspace.from_package("flask").compare(Path("flask-3.1.0.tar.gz"), newer=True)
        >>> upgrade.uses_in(ws)
        """
        from codeexplore.changes.versions import Structure
        from codeexplore.results.changes import ChangesAnswer
        from codeexplore.results.versions import VersionsAnswer
        from codeexplore.workspace.change_base import compared

        view = self._graph_view
        base = other.index if isinstance(other, Workspace) else other
        if isinstance(base, Index):
            _ = SnapshotView(base, ViewCache()).sources  # raises SourceNotIncluded
        _ = view.sources
        steps = Progress(progress, cancel)
        found = compared(view.index, base, self._holder.options, steps, untracked=False, newer=newer)
        changes = ChangesAnswer.of(found._replace(notes=(*found.notes, *view.graph_notes)))
        return VersionsAnswer(changes, Structure(found, view.index.root))

    # ----------------------------------------------------------------- what ran

    def trace(
        self, title: str = "run", *, tree: bool = True, times: bool = False, timeline: int = 0, counts: bool = True
    ) -> TraceBlock:
        """Record the calls of the block below ``with ws.trace() as run:``, beside those of the call graph.

        Only functions of the workspace's files are recorded. A call through other code, such as a framework, leads
        from one function of the workspace to the next and names the code between them. The block runs as it would
        without a trace: results and exceptions are the same. Nothing of the repository runs because of the trace.

        Parameters
        ----------
        title
            Name of the run in displays.
        tree
            Record the call tree. Without it, the block runs faster.
        times
            Measure inclusive and own time of each function. They include the time of the recording.
        timeline
            Number of calls to list in their order.
        counts
            False to record which calls happen, not how often, and no call tree. On Python 3.12 and newer, code that
            makes many calls then runs at nearly its usual speed. A rare caller of a function may be missed.

        Raises
        ------
        TraceError
            Another trace runs, an option is wrong or, on Python 3.11, another tool uses ``sys.setprofile``.

        Examples
        --------
        >>> with ws.trace() as run:
        ...     client.get("/orders")
        >>> run.graph.only("observed only")
        """
        from codeexplore.tracing.collector import Options
        from codeexplore.workspace.traces import TraceBlock

        options = Options(tree=tree, times=times, timeline=timeline, counts=counts)
        return TraceBlock(self._holder, options, title)

    def trace_tests(
        self, *arguments: str, tree: bool = False, times: bool = False, counts: bool = True,
        python: str | Path | None = None, timeout: float | None = None,
    ) -> TraceRun:  # fmt: skip
        """Run pytest on the repository and return the calls of the tests.

        **This runs the repository's code.** It is the one method that does: you ask for it, as by ``pytest`` at a
        prompt. The tests run in a process of their own, in the repository's folder.

        Parameters
        ----------
        *arguments
            Arguments of pytest: paths of tests, ``"-k"``, ``"session"``.
        tree, times, counts
            As for `trace`.
        python
            The interpreter that has the dependencies of the tests, with pytest and codeexplore. None is this one.
        timeout
            Seconds after which the tests are ended.

        Raises
        ------
        TraceError
            pytest could not run, or ended without a trace. The message has the end of its output.

        Examples
        --------
        >>> run = ws.trace_tests("tests/test_sessions.py")
        """
        from codeexplore.tracing.collector import Options
        from codeexplore.workspace.traces import trace_tests

        options = Options(tree=tree, times=times, counts=counts)
        return trace_tests(arguments, self._holder, options, None if python is None else str(python), timeout)

    def attach(self, run: TraceRun) -> None:
        """Mark the calls of a run in later answers: observed callers, and callers that the graph lacks.

        An empty list of callers says if nobody called the symbol in the run either. ``ws.search(…, observed=True)``
        searches only what ran. `detach` removes the marks.

        Raises TraceError if the run has not ended.
        """
        _ = run.trace
        self._run = run

    def detach(self) -> None:
        """Remove the marks of the attached run."""
        self._run = None

    def open_run(self, path: str | Path) -> TraceRun:
        """Return a run that ``run.save`` or ``pytest --codeexplore-trace`` wrote. The sources are not needed.

        Raises TraceError if the file can't be read or is no trace.
        """
        from codeexplore.workspace.traces import open_run

        return open_run(path, self._holder)

    # ----------------------------------------------------------------- the commits

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

        Parameters
        ----------
        target
            A symbol, as for the other methods, or the path of any file, even of a deleted one. None for the whole
            repository.
        progress, cancel
            As for `Workspace`.

        Returns
        -------
        RepositoryHistoryAnswer or HistoryAnswer
            Without a target, the files, those that changed most often first. For a target, its commits, the newest
            first, and its `contributors`.

        Raises
        ------
        GitError
            The folder is in no git repository or has no commit, or an object of the repository can't be read.
        SymbolNotFound, AmbiguousSymbol
            The target means no file and not one symbol.
        LoadCancelled
            `cancel` was set.

        Examples
        --------
        >>> ws.history("Session.get").contributors
        """
        reader = reader_of(self._view, self._history, self._holder.with_graph, progress, cancel)
        return repository_history(reader.history, reader.view) if target is None else history_of(reader, target)

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

        Parameters
        ----------
        target
            As for `history`.
        top_k
            Maximal number of items.
        progress, cancel
            As for `Workspace`.

        Raises
        ------
        GitError, SymbolNotFound, AmbiguousSymbol, LoadCancelled
            As for `history`.
        GraphUnresolved
            The graph could not be made.

        Examples
        --------
        >>> ws.together("src/session.py").hidden
        """
        reader = reader_of(self._view, self._history, self._holder.with_graph, progress, cancel)
        return together_with(reader, target, top_k)

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

    def explore(self, question: str = "", *, view: str = "ask") -> Any:
        """Return a widget to ask questions, switch lanes, see reasons and walk the callers.

        Parameters
        ----------
        question
            Question that is asked at once, if not empty.
        view
            "ask" for question, answer and call graph; "lab" for every step of the search with its numbers and controls.
            A switch in the widget changes it.

        Raises
        ------
        QuestionError
            The question is not a text, or there is no such view.
        """
        if not isinstance(question, str):
            raise QuestionError(f"the question must be a text, not {question!r:.80}")
        from codeexplore.notebook.explorer import open_explorer

        return open_explorer(self, question, view)

    def judge(
        self,
        questions: Sequence[Any] | str | Path,
        depth: int = 10,
        *,
        lanes: Collection[str] | None = None,
        fusions: Collection[str] | None = None,
        judge: str = "judge",
        file: str | Path | None = None,
        seed: int = 0,
    ) -> Any:
        """Return a widget in which a person grades hits from 0 to 3, without seeing which lane found them.

        Parameters
        ----------
        questions
            Texts, questions with their known answers, or the path of a fixture file.
        depth
            Number of hits taken from the answer of each lane and each fusion.
        lanes, fusions
            Lanes that are asked alone, and fusions of them; None for all. See `evaluation.pooled_settings`.
        judge
            Name of the person. Two persons need two names, so that their grades can be compared.
        file
            File of the grades. Each grade is stored at once, and a later call continues. None chooses a file in the
            cache folder; the widget shows its name.
        seed
            Another number gives another order of the hits.

        Raises
        ------
        QuestionError
            A question, lane, fusion or the depth is wrong.
        FixtureError
            A file is not usable, or belongs to another judge or repository.

        Examples
        --------
        >>> view = ws.judge(["how are expired sessions handled?"], judge="ada", file="ada.jsonl")
        >>> view.session.judgements.to_qrels("ada.qrels")
        """
        from codeexplore.notebook.judge_view import judge_view

        return judge_view(self, questions, depth, lanes, fusions, judge, file, seed)

    def fusion_lab(self, question: str, questions: Sequence[Any] | str | Path | None = None) -> Any:
        """Return a widget that shows how weights, `rrf_k` and lanes change the ranks of an answer.

        Parameters
        ----------
        question
            The question to begin with.
        questions
            Questions with known answers, or the path of a fixture file, to draw a measure against one of the numbers,
            for a development and a test half apart. None takes the fixture file of the repository, if it has one.

        Raises
        ------
        QuestionError
            The question is empty.
        FixtureError
            The fixture file is not usable.

        Examples
        --------
        >>> ws.fusion_lab("how are expired sessions handled?")
        """
        from codeexplore.notebook.fusion_lab import fusion_lab

        return fusion_lab(self, question, questions)
