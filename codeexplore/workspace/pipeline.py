"""The stages of a load: discover → analyse → catalog → BM25 → embeddings → graph → `Index`. `load` runs them."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, cast

import numpy as np

from codeexplore import memory
from codeexplore.graph.build.file_uses import file_uses, with_file_uses
from codeexplore.index.columns import Columns, splice
from codeexplore.index.files import BatchResult, BatchWords
from codeexplore.languages import registry
from codeexplore.languages.extraction.expressions import Layout
from codeexplore.source import skip_reasons
from codeexplore.source.discovery import Candidate, Discovery, discover
from codeexplore.source.skip_reasons import by_count
from codeexplore.types import WorkspaceSummary, settings
from codeexplore.workspace.fingerprints import Fingerprint
from codeexplore.workspace.progress import Progress
from codeexplore.workspace.snapshot import Index, IndexParts
from codeexplore.workspace.workers.child_process import trim_memory
from codeexplore.workspace.workers.pool import AnalysisPool, batches, default_workers

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from numpy.typing import NDArray

    from codeexplore.graph.model import CodeGraph
    from codeexplore.index.catalog import Catalog
    from codeexplore.index.columns import Member
    from codeexplore.search.engine import SearchEngine
    from codeexplore.search.lanes.bm25 import Bm25Lane, TokenCounts
    from codeexplore.search.lanes.embedding import EmbeddingLane
    from codeexplore.types import LaneName, Retriever, WordCounts
    from codeexplore.workspace.snapshot import Pending

GraphResult: TypeAlias = "tuple[CodeGraph, tuple[str, ...]]"
"""A graph, and warnings."""


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """Options of a load."""

    max_file_bytes: int = settings.MAX_FILE_BYTES
    include_ignored: bool = False
    only: tuple[str, ...] = ()  # these files and folders alone; empty for all
    model: str | Path | None = None  # None: the bundled one
    workers: int | None = None  # child processes that parse; None: as many as pay off; 0: none
    executor: Executor | None = None  # parses instead of children
    resources: bool = True  # also files that are not code

    def children(self, sizes: Iterable[int]) -> int:
        """Return the number of child processes that parse files of so many bytes each."""
        return default_workers(sum(sizes)) if self.workers is None else self.workers


def walk(root: Path, options: LoadOptions, progress: Progress) -> Discovery:
    """List the files of the folder `root`. Raises the exceptions of `discover`."""
    with progress.stage("discover"):
        return discover(
            root,
            only=options.only,
            max_bytes=options.max_file_bytes,
            include_ignored=options.include_ignored,
            resources=options.resources,
        )


def joined(results: Sequence[BatchResult]) -> dict[str, Member]:
    """Return the symbols and chunks of all `results` as columns, in the order of the results."""
    order = [(number, file) for number, result in enumerate(results) for file in range(len(result.rows()))]
    return splice([Columns(result.members) for result in results], order).members


def is_large(candidates: Sequence[Candidate], options: LoadOptions) -> bool:
    """Return True if there are so many files that child processes are quicker than this process."""
    return bool(sys.executable) and options.children(candidate.size for candidate in candidates) > 0


def analysis_pool(found: Discovery, candidates: Sequence[Candidate], prefix: str, options: LoadOptions) -> AnalysisPool:
    """Return the processes that analyse the files `candidates`. They are not started yet."""
    layout, sizes = layout_of(found, prefix), [candidate.size for candidate in candidates]
    memory.require_load(sizes)
    return AnalysisPool(found.root, layout, options.children(sizes), options.max_file_bytes, options.executor)


def layout_of(found: Discovery, prefix: str) -> Layout:
    return Layout(frozenset(candidate.path for candidate in found.candidates), prefix)


def analyse_candidates(
    found: Discovery, candidates: Sequence[Candidate], prefix: str, options: LoadOptions, progress: Progress
) -> tuple[list[BatchResult], list[str]]:
    """Read and analyse the files `candidates`. Return their results in the same order, and warnings."""
    work = batches(candidates)
    with analysis_pool(found, candidates, prefix, options) as pool, progress.stage("parse", len(work)) as done:
        return pool.analyse(work, done)


class TextLanes(NamedTuple):
    """The two lanes that search texts: BM25 and embedding."""

    bm25: Bm25Lane
    embedding: EmbeddingLane


def lanes_of(catalog: Catalog, options: LoadOptions, progress: Progress) -> TextLanes:
    """Return the two text lanes for a catalog whose words were not counted."""
    from codeexplore.text.word_counts import count_texts

    building = TextLanesBuilder(options)
    with progress.stage("words"):
        building.add(0, BatchWords(counts_of(catalog), count_texts(catalog.chunks.contexts())))
    trim_memory()  # so that freed memory of this stage does not add to that of the next
    return building.lanes(catalog, progress)


class TextLanesBuilder:
    """Builds the two text lanes from the batches of a load, while other files are still being analysed."""

    def __init__(self, options: LoadOptions) -> None:
        from codeexplore.search.lanes.bm25 import NumberedTokens
        from codeexplore.search.lanes.embedding import WordTokens
        from codeexplore.search.lanes.encoder import Encoder

        self._words, self._numbered = WordTokens(Encoder.load(options.model)), NumberedTokens()
        self._vectors: dict[int, NDArray[np.float32]] = {}
        self._tokens: dict[int, TokenCounts] = {}

    def add(self, number: int, words: BatchWords) -> None:
        """Add the word counts of batch `number`."""
        from codeexplore.search.lanes.bm25 import token_counts
        from codeexplore.search.lanes.embedding import embed_counts

        self._tokens[number] = token_counts(words.chunks, self._numbered)
        if self._words.encoder.separable:
            self._vectors[number] = embed_counts(*words, self._words)

    def lanes(self, catalog: Catalog, progress: Progress) -> TextLanes:
        """Return the lanes. All batches must have been added."""
        from codeexplore.search.lanes.bm25 import Bm25Lane, postings_of
        from codeexplore.search.lanes.embedding import EmbeddingLane, embedded_text

        encoder, vectors, tokens = self._words.encoder, self._vectors, self._tokens
        with progress.stage("bm25"):
            found = postings_of([tokens.pop(number) for number in sorted(tokens)], self._numbered)
            bm25 = Bm25Lane(catalog, found)
        with progress.stage("embeddings"):
            if encoder.separable:
                embeddings = np.concatenate([vectors.pop(number) for number in sorted(vectors)])
            else:
                embeddings = encoder.encode_texts([embedded_text(chunk) for chunk in catalog.chunks])
            embedding = EmbeddingLane(catalog, embeddings, lambda: encoder)
        return TextLanes(bm25, embedding)


def counts_of(catalog: Catalog) -> WordCounts:
    """Return the word counts of all chunks. They equal the result of `tokens.count_words` for the chunks' records."""
    from codeexplore.text.word_counts import count_texts, with_context

    return count_texts(with_context(context, text) for context, text in catalog.chunks.contexts_and_texts())


def assemble(
    root: Path,
    name: str,
    parts: IndexParts,
    lanes: TextLanes,
    found: Callable[[Callable[[], None]], GraphResult],
    progress: Progress,
) -> Index:
    """Return the index that consists of the given parts, lanes and graph.

    `found` waits for the graph and returns it with warnings. It calls its argument several times a second.
    """
    with progress.stage("graph"):
        empty = parts.pending is not None and parts.pending.not_built
        uses = None if empty else file_uses(parts.catalog, parts.sources)  # before the wait, while a child resolves
        trim_memory()  # `file_uses` reads all texts, and memory is needed most while the child writes edges
        graph, warnings = found(progress.check)
        if uses is not None:
            graph = with_file_uses(graph, uses)
        engine = engine_of(parts.catalog, lanes, graph, parts.pending)
    parts = replace(parts, warnings=(*parts.warnings, *warnings))
    summary = summarise(root, name, parts, graph, progress, lanes.embedding.encoder.name)
    return Index(
        root,
        name,
        parts.sources,
        parts.files,
        parts.catalog,
        graph,
        engine,
        summary,
        parts.origin,
        pending=parts.pending,
    )


def engine_of(catalog: Catalog, lanes: TextLanes, graph: CodeGraph, pending: Pending | None = None) -> SearchEngine:
    """Return the search engine over the three lanes, ready for questions.

    If the graph is missing, an `UnavailableLane` with the reason replaces the graph lane.
    """
    from codeexplore.search.engine import SearchEngine
    from codeexplore.search.lane_runner import UnavailableLane
    from codeexplore.search.lanes.graph import GraphLane

    texts = {"bm25": lanes.bm25, "embedding": lanes.embedding}
    if pending is not None and pending.not_built:
        absent = UnavailableLane("graph", pending.note, failed=bool(pending.reason))
        retrievers, known = {**texts, "graph": absent}, None
    else:
        retrievers, known = {**texts, "graph": GraphLane(catalog, graph)}, graph
    engine = SearchEngine(catalog, cast("dict[LaneName, Retriever]", retrievers), known)
    if pending is None or pending.not_built:
        engine.warm()
    return engine


def prepare_answers() -> None:
    """Import and compile what the first answer needs, for a time when this process waits for others."""
    from codeexplore.search.engine import SearchEngine  # noqa: F401
    from codeexplore.search.lanes.bm25 import import_bm25s
    from codeexplore.search.lanes.graph import GraphLane  # noqa: F401
    from codeexplore.search.query.patterns import compile_cues

    import_bm25s()
    compile_cues()


def text_lanes(index: Index) -> TextLanes:
    held = index.engine.retrievers
    return TextLanes(cast("Bm25Lane", held["bm25"]), cast("EmbeddingLane", held["embedding"]))


def with_graph(index: Index, graph: CodeGraph, warnings: Sequence[str], progress: Progress) -> Index:
    """Return the index with its final graph in place of the old one, and with the warnings of the resolution."""
    graph = with_file_uses(graph, file_uses(index.catalog, index.sources))
    engine = engine_of(index.catalog, text_lanes(index), graph)
    said, before = index.summary.warnings, index.graph.notes
    others = said[: len(said) - len(before)] if said[len(said) - len(before) :] == before else said
    summary = replace(
        index.summary,
        **counted_edges(graph),
        graph="",
        stages=(*index.summary.stages, *progress.stages),
        warnings=(*others, *warnings, *graph.notes),
    )
    return replace(index, graph=graph, engine=engine, summary=summary, pending=None)


def with_pending(index: Index, pending: Pending) -> Index:
    if not pending.not_built:
        return replace(index, pending=pending)
    engine = engine_of(index.catalog, text_lanes(index), index.graph, pending)
    return replace(index, pending=pending, engine=engine, summary=replace(index.summary, graph=pending.note))


def counted_edges(graph: CodeGraph) -> dict[str, Any]:
    edges: dict[str, int] = {kind: count for kind, count in graph.counts.items() if count}
    return {"edges": edges, "possible": len(graph.edges) - sum(edges.values()), "unresolved": len(graph.unresolved)}


def summarise(
    root: Path, name: str, parts: IndexParts, graph: CodeGraph, progress: Progress, model: str
) -> WorkspaceSummary:
    """Return the summary of a load, with counts of its loaded and skipped files, symbols and edges."""
    files_read = [(path, seen.summary) for path, seen in parts.origin.seen.items() if seen.summary is not None]
    own_warnings = (f"{path}: {warning}" for path, each in files_read for warning in each.warnings)
    return WorkspaceSummary(
        name=name,
        root=str(root),
        files=_titles(each.language for _, each in files_read),
        symbols=by_count(parts.catalog.symbols.kinds_counted()),
        chunks=len(parts.catalog.chunks),
        **counted_edges(graph),
        skipped=skip_reasons.counts(parts.skipped),
        stages=tuple(progress.stages),
        warnings=(*parts.warnings, *own_warnings, *graph.notes),
        bytes=sum(each.size for _, each in files_read),
        lines=sum(each.lines for _, each in files_read),
        with_errors=sum(1 for _, each in files_read if each.with_errors),
        encodings=by_count(Counter(each.encoding for _, each in files_read if each.encoding != "utf-8")),
        skipped_files=tuple(parts.skipped),
        model=model,
        graph=parts.pending.note if parts.pending is not None and parts.pending.not_built else "",
    )


def _titles(languages: Iterable[str]) -> dict[str, int]:
    """Return language title → number of files, most frequent first, then by title."""
    titles: Counter[str] = Counter()
    for language, count in Counter(languages).items():
        titles[registry.by_name(language).title] += count
    return by_count(titles)


def opening_code(index: Index, options: LoadOptions, *, portable: bool) -> str:
    """Return the call that opens the workspace of `index` again. `portable`: it comes from a saved file."""
    usual = LoadOptions()
    names = ("model",) if portable else ("only", "max_file_bytes", "include_ignored", "resources", "model")
    chosen = {name: getattr(options, name) for name in names if getattr(options, name) != getattr(usual, name)}
    if not portable and index.name != index.root.name:
        chosen["name"] = index.name
    written = [f"{name}={(str(value) if name == 'model' else value)!r}" for name, value in chosen.items()]
    function, place = ("Workspace.open", index.stored) if portable else ("Workspace", str(index.root))
    return f"{function}({', '.join((repr(place), *written))})"


def with_skipped(old: Index, found: Discovery, origin: Fingerprint) -> Index:
    """Return the same index with a new summary, which lists the files that are skipped now."""
    skipped = (*found.skipped, *(seen.skipped for seen in origin.seen.values() if seen.skipped))
    if old.origin is origin and Counter(skipped) == Counter(old.summary.skipped_files):
        return old
    summary = replace(old.summary, skipped=skip_reasons.counts(skipped), skipped_files=skipped)
    return replace(old, summary=summary, origin=origin)
