"""`Workspace`: one repository, loaded, asked and walked."""

from __future__ import annotations

import threading
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codeexplore import settings
from codeexplore.errors import SymbolNotFound
from codeexplore.types import Filters, Seed, SourceFile, Symbol, WorkspaceSummary
from codeexplore.workspace.build import LoadOptions, build
from codeexplore.workspace.progress import Bar, Progress, ProgressHook
from codeexplore.workspace.targets import Target, resolve_target

if TYPE_CHECKING:
    from types import ModuleType

    from codeexplore.catalog import Catalog
    from codeexplore.graph.model import CodeGraph
    from codeexplore.views import GraphAnswer, PathsAnswer, SearchAnswer


class Workspace:
    """A repository loaded into symbols, chunks, three lanes and a call graph.

    Parameters
    ----------
    path
        The repository's folder.
    model
        A model2vec model to use instead of the bundled one: a folder, or a name on a hub.
    max_file_bytes
        Larger files are skipped (and counted).
    include_ignored
        Also index what .gitignore leaves out, and folders that look like build results.
    only
        Files and folders below `path` to which the load is limited.
    workers
        Child processes that parse. None uses as many as pay off, 0 none.
    progress
        Called with (stage, done, total). None shows a bar in notebooks and terminals.
    cancel
        Set it from another thread to stop the load.

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
        only: tuple[str, ...] = (),
    ) -> None:
        options = LoadOptions(max_file_bytes, include_ignored, only, model, workers)
        title = name or Path(path).expanduser().resolve().name or str(path)
        if progress is None:
            with Bar(title) as bar:
                self._index = build(Path(path), title, options, Progress(bar, cancel))
        else:
            self._index = build(Path(path), title, options, Progress(progress, cancel))

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
        """
        from codeexplore.source.git import clone

        folder = clone(url, ref)
        name = url.rstrip("/").rpartition("/")[2].removesuffix(".git") or url
        return cls(folder, name=name, **options)

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

    # ----------------------------------------------------------------- what was loaded

    @property
    def root(self) -> Path:
        """The repository's folder."""
        return self._index.root

    @property
    def name(self) -> str:
        """What displays call this workspace."""
        return self._index.name

    @property
    def summary(self) -> WorkspaceSummary:
        """Files, languages, symbols, chunks, edges; what was skipped and why; seconds per stage."""
        return self._index.summary

    @property
    def catalog(self) -> Catalog:
        """Every symbol and chunk, by id, name and place."""
        return self._index.catalog

    @property
    def graph(self) -> CodeGraph:
        """The typed graph of symbols."""
        return self._index.graph

    @property
    def files(self) -> tuple[str, ...]:
        """Paths of the indexed files, relative to the root, sorted."""
        return self._index.catalog.paths()

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """Every symbol, by file in source order."""
        return self._index.catalog.symbols

    def __repr__(self) -> str:
        from codeexplore.render.text import summary_text

        return summary_text(self.summary)

    # ----------------------------------------------------------------- symbols

    def symbol(self, target: Target) -> Symbol:
        """The one symbol a target means.

        Raises
        ------
        SymbolNotFound
            Nothing fits; the nearest names are listed.
        AmbiguousSymbol
            Several symbols fit; they are listed.
        """
        return resolve_target(self.catalog, self.root, target)

    def __getitem__(self, name: str) -> Symbol:
        """``ws["Flask.run"]``: the same as `symbol`, with completion in IPython."""
        return self.symbol(name)

    def _ipython_key_completions_(self) -> list[str]:
        return list(self.catalog.names_with_prefix("", limit=1_000_000))

    def symbol_at(self, path: str, line: int) -> Symbol:
        """The innermost symbol that covers a line (1-based) of a file.

        Raises
        ------
        SymbolNotFound
            The file is not indexed, or has no such line.
        """
        return self.symbol(f"{path}:{line}")

    def outline(self, path: str) -> tuple[Symbol, ...]:
        """The symbols of a file in source order, its module first.

        Raises
        ------
        SymbolNotFound
            No indexed file has this path, or several end in it.
        """
        return tuple(s for s in self.catalog.in_file(self._path(path)) if s.kind != "lambda")

    def source(self, target: Target) -> str:
        """The source text of a symbol, decorators included; of a file when a path is given."""
        if isinstance(target, str) and len(self.catalog.find_paths(target)) == 1:
            return self.file(target).text
        symbol = self.symbol(target)
        data = self._index.files[symbol.path].file.text.encode("utf-8", "replace")
        return data[symbol.span.start_byte : symbol.span.end_byte].decode("utf-8", "replace")

    def file(self, path: str) -> SourceFile:
        """One indexed file with its text."""
        return self._index.files[self._path(path)].file

    def _path(self, path: str) -> str:
        found = self.catalog.find_paths(path.replace("\\", "/"))
        if len(found) == 1:
            return found[0]
        if found:
            raise SymbolNotFound(f"{path!r} may be {', '.join(found[:8])}; give a longer path", found)
        why = next((s for s in self.summary.skipped_files if s.path == path), None)
        reason = f"it was skipped: {why.reason} {why.detail}".rstrip() if why else "ws.files lists those that are"
        raise SymbolNotFound(f"no indexed file has the path {path!r}; {reason}")

    # ----------------------------------------------------------------- questions

    def search(
        self,
        question: str,
        *,
        top_k: int = settings.TOP_K,
        lanes: Collection[str] | None = None,
        weights: Mapping[str, float] | None = None,
        rrf_k: int = settings.RRF_K,
        fusion: str = "rrf",
        relation: str | None = None,
        direction: str | None = None,
        depth: int | None = None,
        per_file: int | None = None,
        seeds: Collection[Target] | None = None,
        filters: Filters | None = None,
        timeout: float = settings.LANE_TIMEOUT,
    ) -> SearchAnswer:
        """Rank the symbols that answer a question, and keep the arithmetic behind each rank.

        Parameters
        ----------
        question
            An identifier, "what calls …", a description in plain words, or a mixture.
        top_k
            Hits to return; the first ones are the same whatever it is.
        lanes
            Some of "bm25", "embedding", "graph"; None lets the planner choose.
        weights
            Weight of a lane's contributions, by lane.
        rrf_k
            The constant of reciprocal rank fusion, in ranks.
        fusion
            How rankings are merged; "rrf" or one of `codeexplore.ranking.FUSIONS`.
        relation, direction, depth
            Overrule the planner's reading of a structural question.
        per_file
            At most so many hits of one file; changes no score.
        seeds
            Symbols the graph lane starts from, instead of those the question names.
        filters
            Restrict paths, languages, kinds, tests.
        timeout
            Seconds each lane may take.

        Raises
        ------
        QuestionError
            The question is empty, or an option is out of range or unknown.
        """
        from codeexplore.views import SearchAnswer

        chosen = None
        if seeds is not None:
            symbols = [self.symbol(target) for target in seeds]
            chosen = tuple(Seed(symbol.id, "object", 1.0, "given by the caller") for symbol in symbols)
        result = self._index.engine.search(
            question, top_k=top_k, lanes=lanes, weights=weights, rrf_k=rrf_k, fusion=fusion, relation=relation,
            direction=direction, depth=depth, per_file=per_file, seeds=chosen, filters=filters, timeout=timeout,
        )  # fmt: skip
        return SearchAnswer.of(result, self.catalog)

    # ----------------------------------------------------------------- walks

    def callers(self, target: Target, depth: int = 1) -> GraphAnswer:
        """What calls a symbol, up to `depth` calls away.

        Callers that are only possible by name stand apart, and an empty answer says what it means.
        """
        return self._walk("callers", target, depth)

    def callees(self, target: Target, depth: int = 1) -> GraphAnswer:
        """What a symbol calls, up to `depth` calls away."""
        return self._walk("callees", target, depth)

    def implementors(self, target: Target) -> GraphAnswer:
        """What implements an interface or trait, or extends a class, at any depth."""
        return self._walk("implementors", target, None)

    def impact(self, target: Target, depth: int | None = None) -> GraphAnswer:
        """What may break if a symbol changes: its callers and users, their callers, and so on."""
        return self._walk("impact", target, depth)

    def paths(self, source: Target, target: Target, limit: int = 10) -> PathsAnswer:
        """Chains of calls from one symbol to another, shortest first.

        When there are none, chains of calls the other way round, else one over edges of any kind.
        """
        from codeexplore.graph import queries
        from codeexplore.views import PathsAnswer

        start, end = self.symbol(source), self.symbol(target)
        found = queries.paths(self.graph, start.id, end.id, limit=limit)
        absence = "" if found else _no_path(start.id == end.id, queries.MAX_PATH_SYMBOLS)
        return PathsAnswer(found, start, end, self.catalog, absence)

    def _walk(self, relation: str, target: Target, depth: int | None) -> GraphAnswer:
        from codeexplore.graph import queries
        from codeexplore.query.options import check_depth
        from codeexplore.views import GraphAnswer

        symbol = self.symbol(target)
        if depth is not None:
            depth = check_depth(depth)
        return GraphAnswer(queries.walk(self.graph, relation, (symbol.id,), depth=depth), self.catalog)

    # ----------------------------------------------------------------- the notebook face

    def explore(self, question: str = "") -> Any:
        """A widget to ask, toggle lanes, see why, and walk the callers."""
        from codeexplore.notebook.explorer import Explorer

        return Explorer(self, question=question)


def _no_path(same: bool, longest: int) -> str:
    """What it means that no path was found."""
    if same:
        return "both names mean this one symbol"
    return f"no resolved edges join them within {longest} symbols; what is only possible by name is not followed"
