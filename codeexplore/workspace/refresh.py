"""A new index from an old index: unchanged parts are used again. The result equals that of a full load.

These parts are used again: the facts, chunks and word counts of unchanged files, the embeddings of their chunks, and
the graph if the change cannot affect an edge. These parts are made again: the catalog, BM25's scores (document
frequencies depend on all chunks), and otherwise the whole graph, because a name anywhere may now mean another symbol.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from codeexplore.gc_pause import gc_paused
from codeexplore.graph.build.file_uses import file_uses, with_file_uses
from codeexplore.index.catalog import Catalog
from codeexplore.index.columns import splice
from codeexplore.index.files import (
    AnalysedFile,
    BatchResult,
    FileFactsStore,
    SourceTexts,
    batch_result,
    catalog_of,
    updated_sources,
)
from codeexplore.languages import registry
from codeexplore.languages.extraction import Layout
from codeexplore.languages.file_roles import PathRoles
from codeexplore.names import PublicNames
from codeexplore.source.changes import Changes, compare
from codeexplore.source.discovery import Candidate, nothing_to_index
from codeexplore.source.manifests import manifests_of
from codeexplore.source.project_settings import test_folders
from codeexplore.types import Skipped, WordCounts
from codeexplore.types.errors import GraphUnresolved
from codeexplore.workspace import pipeline
from codeexplore.workspace.background import complete_facts
from codeexplore.workspace.fingerprints import (
    Fingerprint,
    FingerprintDiff,
    Seen,
    manifests_hash,
    origin_of,
    package_prefix,
)
from codeexplore.workspace.graph_update import EditContext, State, graph_without_resolving
from codeexplore.workspace.load import load_with_graph
from codeexplore.workspace.pipeline import LoadOptions, Scan, TextLanes
from codeexplore.workspace.progress import Progress
from codeexplore.workspace.snapshot import Index, IndexParts
from codeexplore.workspace.workers.pool import analyse_contents

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from codeexplore.graph.model import CodeGraph
    from codeexplore.index.files import StoredSources


def changes_between(old: Fingerprint, new: Fingerprint, drift: FingerprintDiff) -> Changes:
    """Return the indexed files that were added, changed, removed and moved, among those in `drift`."""
    paths = _looked_at(drift)
    return compare(_contents(old, paths), _contents(new, paths))


def _looked_at(drift: FingerprintDiff) -> list[str]:
    return [*(candidate.path for candidate in drift.changed), *drift.removed]


def _contents(origin: Fingerprint, paths: Sequence[str]) -> dict[str, str]:
    """Return path → digest of the content, for those of `paths` that are indexed."""
    found = (origin.seen.get(path) for path in paths)
    return {seen.candidate.path: seen.sha256 for seen in found if seen is not None and seen.sha256}


def refresh(
    old: Index,
    walked: Scan,
    drift: FingerprintDiff,
    options: LoadOptions,
    progress: Progress,
    *,
    background: bool = False,
) -> Index:
    """Return the index of the files that a walk found, from an earlier index. It equals that of a new load.

    If references must be resolved again, `background` keeps the previous edges for now; `Index.pending` lists the files
    concerned. The same is done if references cannot be resolved; `Index.pending` then contains the reason.

    Raises NothingToIndex and LoadCancelled, and DamagedIndex if parts of a stored index cannot be read.
    """
    try:
        return gc_paused(lambda: _refresh(old, walked, drift, options, progress, background))
    except GraphUnresolved as error:
        new = gc_paused(lambda: _refresh(old, walked, drift, options, progress, background=True))
        return new if new.pending is None else pipeline.with_pending(new, new.pending._replace(reason=str(error)))


def resolved_anew(old: Index, new: Index) -> bool:
    """Return True if references were resolved for `new`, False if edges of `old` only got new lines."""
    return new.graph.edges.source is not old.graph.edges.source


def _refresh(
    old: Index, walked: Scan, drift: FingerprintDiff, options: LoadOptions, progress: Progress, background: bool
) -> Index:
    found = walked.found
    prefix = package_prefix(found.root)
    made, warnings = pipeline.analyse_candidates(found, drift.changed, prefix, options, progress)
    results = {file.path: file for result in made for file in result.files}
    origin = origin_of(found.root, found.candidates, results, walked.taken_ns, prefix, old.origin.seen)
    if not drift.rewritten and _same_files(old.origin, origin, drift):
        return pipeline.with_skipped(old, found, origin)
    paths = [path for path, seen in origin.seen.items() if seen.skipped is None]
    skipped = [*found.skipped, *(seen.skipped for seen in origin.seen.values() if seen.skipped)]
    if not paths:
        raise nothing_to_index(found.root, skipped)
    if not old.has_texts:  # nothing of it can be shown, and newly read files could
        return load_with_graph(walked, old.name, options, progress)
    changed = {path: row for path, row in results.items() if isinstance(row, AnalysedFile)}
    with progress.stage("catalog"):
        sources = updated_sources(old.sources, paths, {path: row.kept() for path, row in changed.items()})
        catalog, counts, order, moved_rows = updated_catalog(old, made, paths, sources)
        files = FileFactsStore(sources, catalog, old.files.stored, pipeline.layout_of(found, prefix))
    lanes = _lanes(old, catalog, counts, order, progress)
    if not background:
        warnings += complete_facts(sources, files.layout, options, progress)
    catalog.roles = PathRoles(test_folders(origin.manifest_texts))
    parts = IndexParts(sources, files, catalog, skipped, warnings, origin)
    edit = EditContext(old, State(sources, files, catalog, origin.manifest_texts), changed, origin, moved_rows)
    with progress.stage("moves"):
        graph, pending = graph_without_resolving(edit, background)
    if graph is not None:
        parts = replace(parts, pending=pending)
        return pipeline.assemble(found.root, old.name, parts, lanes, lambda _: (graph, ()), progress)
    regraphing = edit.regraphing(pipeline.is_large(found.candidates, options))
    try:
        return pipeline.assemble(found.root, old.name, parts, lanes, regraphing.result, progress)
    finally:
        regraphing.close()


def updated_catalog(
    old: Index, made: Sequence[BatchResult], paths: Sequence[str], sources: SourceTexts
) -> tuple[Catalog, WordCounts, NDArray[np.int64], NDArray[np.int32]]:
    """Return (catalog, word counts, chunk rows, symbol rows) after an edit.

    The catalog contains all files. The word counts are those of the chunks in `made`. For each chunk of the catalog,
    its chunk row is the row of its source: first rows of the old catalog, then rows of `made`. For each old symbol, its
    symbol row is its new row.
    """
    known = {path: number for number, path in enumerate(old.sources)}
    rows = [row for result in made for row in result.rows()]
    added = {row.path: number for number, row in enumerate(rows)}
    parts = [old.catalog]
    if rows:
        parts.append(catalog_of(pipeline.joined(made), SourceTexts(added, {row.path: row for row in rows})))
    files = [(1, added[path]) if path in added else (0, known[path]) for path in paths]
    spliced = splice([part.columns for part in parts], files)
    catalog = catalog_of(spliced.members, sources)
    catalog.follow(spliced, parts)
    no_counts = WordCounts((), np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.int32))
    counts = pipeline.counts_of(parts[1]) if rows else no_counts
    return catalog, counts, spliced.chunk_order([len(part.chunks) for part in parts]), spliced.symbol_rows[0]


def _lanes(old: Index, catalog: Catalog, counts: WordCounts, order: NDArray[np.int64], progress: Progress) -> TextLanes:
    """Return the two text lanes after an edit; `updated_catalog` describes `counts` and `order`."""
    from codeexplore.search.lanes.embedding import embed_chunks

    lanes = pipeline.text_lanes(old)
    with progress.stage("embeddings"):
        added = np.flatnonzero(order >= len(old.catalog.chunks))
        chunks = [catalog.chunks[row] for row in added[np.argsort(order[added])].tolist()]
        new = embed_chunks(chunks, (chunk.context for chunk in chunks), counts, lanes.embedding.encoder)
        embedding = lanes.embedding.renewed(catalog, new, order)
    with progress.stage("bm25"):
        return TextLanes(lanes.bm25.renewed(catalog, counts, order), embedding)


def _same_files(old: Fingerprint, new: Fingerprint, drift: FingerprintDiff) -> bool:
    """Return True if the same files with the same content were indexed before."""
    paths = _looked_at(drift)
    return _contents(old, paths) == _contents(new, paths) and (old.prefix, old.manifests) == (new.prefix, new.manifests)


# --------------------------------------------------------------------------- another state, from bytes in memory


@dataclass(frozen=True)
class Overlay:
    """The files by which another state of a repository differs from an index."""

    label: str  # for displays
    written: Mapping[str, bytes] = field(default_factory=dict)  # path → content
    removed: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.written or self.removed)


class OtherFiles(NamedTuple):
    """Another state of a repository. It has no lanes, because no question is ranked over such a state."""

    sources: SourceTexts | StoredSources
    files: FileFactsStore
    catalog: Catalog
    contents: Mapping[str, str]  # path of each file → digest of its bytes
    graph: Callable[[], CodeGraph]  # what a refresh cannot keep is resolved by the call
    skipped: tuple[Skipped, ...] = ()  # files that were not analysed


def with_files(index: Index, overlay: Overlay, options: LoadOptions, progress: Progress) -> OtherFiles:
    """Return the state that an overlay describes. Raises LoadCancelled.

    Only files that differ are analysed, from bytes in memory: no file is written, so names from a commit or a patch
    never reach the file system. Everything else is taken from the index, as for a refresh.
    """
    if not overlay:
        contents = {path: seen.sha256 for path, seen in index.origin.seen.items() if seen.sha256}
        return OtherFiles(index.sources, index.files, index.catalog, contents, lambda: index.graph)
    return gc_paused(lambda: _with_files(index, overlay, options, progress))


def _with_files(index: Index, overlay: Overlay, options: LoadOptions, progress: Progress) -> OtherFiles:
    known = {
        path: seen
        for path, seen in index.origin.seen.items()
        if path not in overlay.removed and path not in overlay.written
    }
    prefix = "" if "__init__.py" in overlay.removed else index.origin.prefix
    fresh = [each for path, data in overlay.written.items() if (each := _candidate(index, path, data)) is not None]
    paths = frozenset((*known, *(each.path for each in fresh)))
    contents = [(each, overlay.written[each.path]) for each in fresh]
    contents += _named_anew(index, overlay, known)
    contents.sort(key=lambda row: row[0].path)
    progress.check()
    results = analyse_contents(contents, Layout(paths, prefix), options.max_file_bytes)
    progress.check()
    batch = batch_result(results)
    rows = {row.path: row.kept() for row in batch.rows()}
    skipped = tuple(each for each in results if isinstance(each, Skipped))
    seen = dict(known)
    for (candidate, _), result in zip(contents, batch.files, strict=True):
        digest = result.sha256 if isinstance(result, AnalysedFile) else ""
        seen[candidate.path] = Seen(candidate, digest, result if isinstance(result, Skipped) else None)
    seen = dict(sorted(seen.items()))
    digests = {path: each.sha256 for path, each in seen.items() if each.sha256}
    sources = updated_sources(index.sources, list(digests), rows)
    catalog, _, _, moved = updated_catalog(index, [batch] if batch.rows() else [], list(digests), sources)
    files = FileFactsStore(sources, catalog, index.files.stored, index.files.layout)
    texts = _manifests(index, overlay)
    catalog.roles = PathRoles(test_folders(texts))
    catalog.public_names = PublicNames(catalog, files.facts, lambda path: sources[path].text, lambda _: texts)
    origin = Fingerprint(seen, index.origin.taken_ns, prefix, manifests_hash(texts), texts)
    raw = {row.path: row for row in batch.rows()}
    edit = EditContext(index, State(sources, files, catalog, texts), raw, origin, moved)

    def graph() -> CodeGraph:
        found, _ = graph_without_resolving(edit, background=False)
        if found is None:
            resolving = edit.regraphing(child=False)
            try:
                found = resolving.result(progress.check)[0]
            finally:
                resolving.close()
        return with_file_uses(found, file_uses(catalog, sources))

    return OtherFiles(sources, files, catalog, digests, graph, skipped)


def manifest_texts(index: Index) -> dict[str, str]:
    """Return the texts of the files that name modules, by path."""
    if index.origin.texts is not None:
        return dict(index.origin.texts)
    files = [(path, seen.candidate.language) for path, seen in index.origin.seen.items() if seen.sha256]
    return manifests_of(index.root, files)


def _candidate(index: Index, path: str, data: bytes) -> Candidate | None:
    """Return the candidate for a file of the state; None for a file that is not indexed and has no code."""
    before = index.origin.seen.get(path)
    if before is not None:
        return before.candidate._replace(size=len(data))
    language = registry.by_path(path) if is_code_file(path) else registry.by_shebang(data[:200].partition(b"\n")[0])
    return None if language is None else Candidate(path, len(data), 0, language.name)


def is_code_file(path: str) -> bool:
    """Return True if by its name a file contains code, and not text or data."""
    language = registry.by_path(path)
    return language is not None and not registry.is_text(language.name)


def _named_anew(index: Index, overlay: Overlay, known: Mapping[str, Seen]) -> list[tuple[Candidate, bytes]]:
    """Return unchanged files whose modules have another name in the state.

    A module gets another name if a file that decides the names differs, such as an ``__init__.py``, which makes its
    folder a package. So only files in the folder of such a file or below it are returned.
    """
    came = [path for path in overlay.written if path not in index.origin.seen]
    found: dict[str, tuple[Candidate, bytes]] = {}
    for path in (*came, *overlay.removed):
        folder = posixpath.dirname(path)
        for other, seen in known.items():
            if other in found or not seen.sha256 or (folder and not other.startswith(f"{folder}/")):
                continue
            language = registry.by_name(seen.candidate.language)
            if language.named_by and path.endswith(language.named_by):
                encoding = seen.summary.encoding if seen.summary is not None else "utf-8"
                found[other] = (seen.candidate, index.sources[other].text.encode(encoding, "replace"))
    return list(found.values())


def _manifests(index: Index, overlay: Overlay) -> dict[str, str]:
    texts = {path: text for path, text in manifest_texts(index).items() if path not in overlay.removed}
    names = {name for language in registry.languages() for name in language.manifests}
    for path, data in overlay.written.items():
        if posixpath.basename(path) in names:
            texts[path] = data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    return texts
