"""Another state of a repository, from bytes in memory: the files by which it differs, over the loaded index.

Only files that differ are analysed. No file is written, so names from a commit or a patch never reach the file system.
Everything else is taken from the index, as for a refresh (`workspace.refresh`).
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from codeexplore.features.review.records import Side
from codeexplore.gc_pause import gc_paused
from codeexplore.graph.build.file_uses import file_uses, with_file_uses
from codeexplore.index.files import AnalysedFile, FileFactsStore, batch_result, updated_sources
from codeexplore.languages import registry
from codeexplore.languages.extraction import Layout
from codeexplore.languages.file_roles import PathRoles
from codeexplore.names import PublicNames
from codeexplore.source.discovery import Candidate
from codeexplore.source.manifests import manifests_of
from codeexplore.source.project_settings import test_folders
from codeexplore.types import Skipped
from codeexplore.workspace.fingerprints import Fingerprint, Seen, manifests_hash
from codeexplore.workspace.graph_update import EditContext, graph_without_resolving
from codeexplore.workspace.refresh import updated_catalog
from codeexplore.workspace.snapshot import IndexParts
from codeexplore.workspace.workers.pool import analyse_contents

if TYPE_CHECKING:
    from codeexplore.graph.model import CodeGraph
    from codeexplore.workspace.pipeline import LoadOptions
    from codeexplore.workspace.progress import Progress
    from codeexplore.workspace.snapshot import Index


@dataclass(frozen=True)
class Overlay:
    """The files by which another state of a repository differs from an index."""

    label: str  # for displays
    written: Mapping[str, bytes] = field(default_factory=dict)  # path → content
    removed: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.written or self.removed)


def with_files(index: Index, overlay: Overlay, options: LoadOptions, progress: Progress) -> Side:
    """Return the state that an overlay describes. Raises LoadCancelled.

    It has no lanes, because no question is ranked over such a state.
    """
    if not overlay:
        contents = {path: seen.sha256 for path, seen in index.origin.seen.items() if seen.sha256}
        return Side(overlay.label, index.sources, index.files, index.catalog, contents, lambda: index.graph)
    return gc_paused(lambda: _with_files(index, overlay, options, progress))


def _with_files(index: Index, overlay: Overlay, options: LoadOptions, progress: Progress) -> Side:
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
    edit = EditContext(index, IndexParts(sources, files, catalog, skipped, (), origin), raw, moved)

    def graph() -> CodeGraph:
        found, _ = graph_without_resolving(edit, background=False)
        if found is None:
            resolving = edit.regraphing(child=False)
            try:
                found = resolving.result(progress.check)[0]
            finally:
                resolving.close()
        return with_file_uses(found, file_uses(catalog, sources))

    return Side(overlay.label, sources, files, catalog, digests, graph, skipped)


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


def is_manifest(path: str) -> bool:
    """Return True if by its name a file decides the names of modules, such as ``go.mod``."""
    name = posixpath.basename(path)
    return any(name in language.manifests for language in registry.languages())


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
    for path, data in overlay.written.items():
        if is_manifest(path):
            texts[path] = data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    return texts
