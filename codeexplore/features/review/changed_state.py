"""Another state of a loaded repository: the index with some files replaced, added or removed.

The mechanism is that of a refresh. Only files that differ are analysed, from bytes in memory: no file is written, so
names from a commit or a patch never reach the file system. Everything else is taken from the index. The lanes are not
made, because no question is ranked over such a state.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from codeexplore.features.review.records import Side
from codeexplore.gc_pause import gc_paused
from codeexplore.index.file_batch import AnalysedFile, batch_result
from codeexplore.index.files import FileFactsStore, updated_sources
from codeexplore.languages import registry
from codeexplore.languages.extraction import Layout
from codeexplore.names import PublicNames
from codeexplore.source.candidates import Candidate
from codeexplore.source.manifests import manifests_of
from codeexplore.types import Skipped
from codeexplore.workspace.fingerprints import Fingerprint, Seen, manifests_hash
from codeexplore.workspace.graph_update import EditContext, graph_without_resolving
from codeexplore.workspace.partial_resolve import State
from codeexplore.workspace.refresh import updated_catalog
from codeexplore.workspace.workers.pool import analyse_contents

if TYPE_CHECKING:
    from codeexplore.graph.model import CodeGraph
    from codeexplore.workspace.pipeline import LoadOptions
    from codeexplore.workspace.progress import Progress
    from codeexplore.workspace.snapshot import Index


@dataclass(frozen=True)
class Overlay:
    """The files by which a state differs from an index."""

    label: str
    written: Mapping[str, bytes] = field(default_factory=dict)  # path → content
    removed: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.written or self.removed)


@dataclass(frozen=True)
class OtherState:
    """A state, and the files of this state that were not analysed."""

    side: Side
    skipped: tuple[Skipped, ...] = ()


def state_of(index: Index, overlay: Overlay, options: LoadOptions, progress: Progress) -> OtherState:
    """Return the state that an overlay describes. Raises LoadCancelled."""
    if not overlay:
        return OtherState(
            Side(overlay.label, index.sources, index.files, index.catalog, contents_of(index), lambda: index.graph)
        )
    return gc_paused(lambda: _state_of(index, overlay, options, progress))


def contents_of(index: Index) -> dict[str, str]:
    """Return the digest of the bytes of each indexed file."""
    return {path: seen.sha256 for path, seen in index.origin.seen.items() if seen.sha256}


def manifest_texts(index: Index) -> dict[str, str]:
    """Return the texts of the files that name modules, by path."""
    if index.origin.texts is not None:
        return dict(index.origin.texts)
    files = [(path, seen.candidate.language) for path, seen in index.origin.seen.items() if seen.sha256]
    return manifests_of(index.root, files)


def _state_of(index: Index, overlay: Overlay, options: LoadOptions, progress: Progress) -> OtherState:
    known = {
        path: seen
        for path, seen in index.origin.seen.items()
        if path not in overlay.removed and path not in overlay.written
    }
    prefix = _prefix(index, overlay)
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
    order = [path for path, each in seen.items() if each.sha256]
    sources = updated_sources(index.sources, order, rows)
    catalog, _, _, moved = updated_catalog(index, [batch] if batch.rows() else [], order, sources)
    files = FileFactsStore(sources, catalog, index.files.stored, index.files.layout)
    texts = _manifests(index, overlay)
    catalog.public_names = PublicNames(catalog, files.facts, lambda path: sources[path].text, lambda _: texts)
    origin = Fingerprint(seen, index.origin.taken_ns, prefix, manifests_hash(texts), texts)
    raw = {row.path: row for row in batch.rows()}
    edit = EditContext(index, State(sources, files, catalog, texts), raw, origin, moved)
    digests = {path: each.sha256 for path, each in seen.items() if each.sha256}
    side = Side(overlay.label, sources, files, catalog, digests, lambda: _graph(edit, progress))
    return OtherState(side, skipped)


def _graph(edit: EditContext, progress: Progress) -> CodeGraph:
    """Return the graph of the state. Only what a refresh can keep is not resolved again."""
    graph, _ = graph_without_resolving(edit, background=False)
    if graph is not None:
        return graph
    resolving = edit.regraphing(child=False)
    try:
        return resolving.result(progress.check)[0]
    finally:
        resolving.close()


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
                found[other] = (seen.candidate, index.sources[other].text.encode(seen_encoding(seen), "replace"))
    return list(found.values())


def seen_encoding(seen: Seen) -> str:
    """Return the encoding in which a file was read."""
    return seen.summary.encoding if seen.summary is not None else "utf-8"


def _prefix(index: Index, overlay: Overlay) -> str:
    """Return the package to which the root belongs in the state; "" if the state has no ``__init__.py`` there."""
    if "__init__.py" in overlay.removed:
        return ""
    return index.origin.prefix


def _manifests(index: Index, overlay: Overlay) -> dict[str, str]:
    texts = {path: text for path, text in manifest_texts(index).items() if path not in overlay.removed}
    names = {name for language in registry.languages() for name in language.manifests}
    for path, data in overlay.written.items():
        if posixpath.basename(path) in names:
            texts[path] = data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    return texts
